"""Emojis in messages: in menus, on buttons and in texts, and messages without them."""

import re
import time
from itertools import product
from typing import Any, Final

import discord
import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.games.cards import Card, face
from bot.games.pond.state import Observation as PondObservation
from bot.records.preference import UserSettings
from bot.running.application_emojis import full_names
from bot.tables.tables import Sight
from bot.texts import languages, using
from bot.ui.messages.board import board
from bot.ui.messages.hand import hand
from bot.ui.posts.emojis import MARK_OF, NO_EMOJIS, EmojiSet
from bot.ui.posts.layout import MAX_TEXT, layout
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Button, Choice, Choices, Post
from bot.ui.posts.sender import Draft, Files, Sender, Sent
from cogs.pond.scores import pile_in_full
from tests.doses import IS_COMPLETE
from tests.emoji_set import complete_set
from tests.leaks.pairs import FACES
from tests.recorded import recorded

MENU = Choices("Play", (Choice("play KD", "K♦ · +10", emoji="king_of_diamonds"), Choice("pass", "Pass")))
PIECE = Button("frogs-from", "☆", argument="a1", emoji="light_frog", replaces_label=True)
CHIPS = Button("more", "Chips", emoji="chip")
DIAMOND = face(Card("TD")).removeprefix("10")
EGG = "○\ufe0e"
POST = Post((f"{DIAMOND} follow, Ann: {face(Card('TD'))}",), (MENU,), ((PIECE, CHIPS),))


def sent(post: Post, emojis: EmojiSet) -> list[dict[str, Any]]:
    """Return the parts of a message."""
    view: Any = layout(post, emojis=emojis)
    parts: list[dict[str, Any]] = view.to_components()[0]["components"]
    return parts


def test_menus_and_buttons_show_emojis_beside_their_words() -> None:
    _, menu, buttons = sent(POST, complete_set())
    king, other = menu["components"][0]["options"]
    piece, chips = buttons["components"]
    assert king["emoji"]["name"] == full_names()["king_of_diamonds"]
    assert king["label"] == "K♦ · +10"
    assert "emoji" not in other
    assert piece["emoji"]["name"] == full_names()["light_frog"]
    assert piece.get("label") is None
    assert chips["emoji"]["name"] == full_names()["chip"]
    assert chips["label"] == "Chips"


@pytest.mark.parametrize("before", ["", "-# **", "Ann leads\n"])
def test_a_suit_is_an_emoji_only_at_the_start_of_a_line_where_no_line_can_part_it_from_its_words(before: str) -> None:
    written = f"{before}{DIAMOND} 9 5 · follow {DIAMOND} diamonds, not {face(Card('TD'))} (+1 {DIAMOND})"
    text = sent(replace(POST, paragraphs=(written,)), complete_set())[0]["content"]
    assert text.startswith(f"{before}<:{full_names()['diamonds']}:")
    rest = text.partition(">")[2].replace("\N{NO-BREAK SPACE}", "_")
    assert rest == f"_9 5_· follow_{DIAMOND}_diamonds, not {face(Card('TD'))} (+1_{DIAMOND})"


def test_a_mark_is_left_out_where_a_line_could_part_it_from_its_words() -> None:
    texts = (f"{MARK_OF['chip']} Pot 8 · {MARK_OF['chip']} side pot 6",)
    assert NO_EMOJIS.in_texts(texts, MAX_TEXT) == ["Pot 8\xa0· side pot 6"]
    (text,) = complete_set().in_texts(texts, MAX_TEXT)
    assert re.fullmatch(r"<:chip_\w+:\d+> Pot 8\xa0· side pot 6", text)


def test_a_piece_stays_on_the_line_of_its_square() -> None:
    egg = f"<:{full_names()['light_egg']}:"
    (text,) = complete_set().in_texts((f"{EGG} egg, {EGG}",), MAX_TEXT)
    assert text.count(egg) == 2
    for emojis in (NO_EMOJIS, complete_set()):
        (text,) = emojis.in_texts((f"-# Just developed: b2 {EGG}, c4 {EGG}",), MAX_TEXT)
        assert text == f"-# Just developed: b2\xa0{EGG}, c4\xa0{EGG}"


def test_what_belongs_together_stays_on_a_line() -> None:
    (text,) = NO_EMOJIS.in_texts(("a frog b2 → b4, **c2** → **c3** · 🤖 fair",), MAX_TEXT)
    assert text == "a frog b2\xa0→\xa0b4, **c2**\xa0→\xa0**c3**\xa0· 🤖\xa0fair"
    (text,) = NO_EMOJIS.in_texts(("1 × Gift für Ben, 2 × 3",), MAX_TEXT)
    assert text == "1\xa0×\xa0Gift für Ben, 2\xa0×\xa03"
    (text,) = NO_EMOJIS.in_texts(("Tricks 6–13 · 9 − 4 = 5 · **26** = 21 cards + 5 · PD-10 · 3 chips",), MAX_TEXT)
    assert text == (
        "Tricks 6–\u206013\xa0· 9\xa0−\xa04\xa0=\xa05\xa0· **26** =\xa021 cards +\xa05\xa0· PD\u201110\xa0· 3 chips"
    )


FORMS: Final[tuple[tuple[str, dict[str, int]], ...]] = (
    ("pond", {}),
    ("frogs", {}),
    ("pontis", {}),
    ("pot_black", {"deals": 5}),
)
APART = re.compile(
    r"\d–\d|\d [+−=] \d|\d ×|\d.× \w"  # 6–3, 9 − 4 = 5, 2 × poison
    r"|(?<![0-9AJQK])[♠♥♦♣]\ufe0e [\w+−]"  # ♥ hearts, ♥ 9 5
    r"|[a-e][1-5] [○●△▲☆★→]|→ [a-e][1-5]|🤖 "  # b2 ○, b2 → b4, 🤖 Moss
    r"|(?<=[\w♠♥♦♣*]).*<:(?!(?:light|dark)_|card_back)\w+:\d+>"  # an emoji on a line, except for pieces alone
)


@pytest.mark.parametrize(("key", "options"), FORMS)
def test_in_whole_games_no_line_can_part_a_sign_from_its_word_or_number(key: str, options: dict[str, int]) -> None:
    game, emojis, parted = GAMES[key], complete_set(), set()
    for number in range(2):
        for moment in recorded(key, options, number)[:: 4 if IS_COMPLETE else 12]:
            for language, seat in product(languages(), moment.viewers):
                sight = Sight(moment.table, game.observe(moment.state, seat), moment.events)
                with using(language):
                    post = board(FACES[key], sight) if seat is None else hand(FACES[key], sight, "", UserSettings())
                    score = FACES[key].settlement(sight.table, sight.observation)
                    texts = (*in_words(post).paragraphs, *post.paragraphs, score)
                    shown = emojis.in_texts([text for text in texts if text], MAX_TEXT)
                parted |= {line for text in shown for line in text.split("\n") if APART.search(line)}
    assert parted == set()


def test_cards_in_prose_are_text_as_well() -> None:
    for emojis in (NO_EMOJIS, complete_set()):
        text = sent(replace(POST, paragraphs=("Set **10♦** aside, or K♠.",)), emojis)[0]["content"]
        assert text == f"Set **{face(Card('TD'))}** aside, or {face(Card('KS'))}."


def test_code_in_texts_keeps_its_signs() -> None:
    paragraphs = (f"`{EGG}` or {EGG}, not \\`{EGG}\\`",)
    text = sent(replace(POST, paragraphs=paragraphs), complete_set())[0]["content"]
    assert text.startswith(f"`{EGG}` or <:{full_names()['light_egg']}:")
    assert text.count("<:") == 2


def test_without_emojis_a_message_has_only_words() -> None:
    text, menu, buttons = sent(POST, NO_EMOJIS)
    assert text["content"].replace("\N{NO-BREAK SPACE}", " ") == POST.paragraphs[0]
    assert not any(option.get("emoji") for option in menu["components"][0]["options"])
    assert [button["label"] for button in buttons["components"]] == ["☆", "Chips"]
    assert not any(button.get("emoji") for button in buttons["components"])


def test_texts_that_emojis_would_make_too_long_keep_their_signs() -> None:
    long = replace(POST, paragraphs=(EGG * 300,))
    assert sent(long, complete_set())[0]["content"] == long.paragraphs[0]
    fitting = replace(POST, paragraphs=(EGG * 80,))
    assert len(fitting.paragraphs[0]) < len(sent(fitting, complete_set())[0]["content"]) <= MAX_TEXT


def test_signs_without_a_selector_such_as_those_of_names_stay() -> None:
    named = replace(POST, paragraphs=("★ Ann ★ ♥",))
    assert sent(named, complete_set())[0]["content"] == "★ Ann ★ ♥"


def test_every_emoji_is_shown_in_some_message() -> None:
    unused = set(full_names().values())
    for key, game in GAMES.items():
        face = FACES[key]
        moments = (moment for seed in range(2) for moment in recorded(key, number=seed))
        for moment in list(moments)[::-3]:
            if not unused:
                return
            for seat in moment.viewers:
                sight = Sight(moment.table, game.observe(moment.state, seat), moment.events)
                post = board(face, sight) if seat is None else in_words(hand(face, sight, "", UserSettings()))
                scores = [face.settlement(sight.table, sight.observation)]
                if isinstance(sight.observation, PondObservation):
                    scores.append(pile_in_full(sight.observation))
                for each in (post, Post(tuple(scores))):
                    unused -= set(re.findall(r"\w+_[0-9a-f]{4}\b", str(sent(each, complete_set()))))
    assert not unused


# ---- refusals


class Response:
    """A response of Discord."""

    status, reason = 400, "Bad Request"


def refusal(*place: str, code: int = 50035) -> discord.HTTPException:
    """Return a refusal of a message because of what is at this place."""
    errors: dict[str, Any] = {"_errors": [{"code": "COMPONENT_INVALID_EMOJI", "message": "Invalid emoji"}]}
    for part in reversed(place):
        errors = {part: errors}
    response: Any = Response()
    return discord.HTTPException(response, {"code": code, "message": "Invalid Form Body", "errors": errors})


MENU_EMOJI = ("components", "0", "components", "1", "components", "0", "options", "3", "emoji", "id")


@pytest.mark.parametrize("place", [MENU_EMOJI, (*MENU_EMOJI[:4], "emoji"), ("data", *MENU_EMOJI)])
async def test_a_message_with_a_refused_emoji_is_sent_at_once_without_any(place: tuple[str, ...]) -> None:
    sender, tries = Sender(time.monotonic), []
    sender.emojis = emojis = complete_set()

    async def send(view: Any, _: Files) -> int:
        tries.append("<:" in str(view.to_components()))
        if tries[-1]:
            raise refusal(*place)
        return 5

    assert await sender.send(Draft(POST), send, (1,)) == Sent(5)
    assert tries == [True, False]
    assert emojis.rejected.is_set()
    assert emojis.find("joker") is None


@pytest.mark.parametrize("error", [refusal(*MENU_EMOJI[:-2], "label"), refusal(*MENU_EMOJI, code=50013)])
async def test_other_refusals_are_raised(error: discord.HTTPException) -> None:
    sender = Sender(time.monotonic)
    sender.emojis = complete_set()

    async def send(*_: object) -> None:
        raise error

    with pytest.raises(discord.HTTPException):
        await sender.send(Draft(POST), send, (1,))
    assert sender.emojis.find("joker") is not None
