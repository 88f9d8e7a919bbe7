"""Emojis in messages: in menus, on buttons and in texts, and messages without them."""

import random
import re
import time
from typing import Any

import discord
import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.games.cards import Card, face
from bot.running.application_emojis import full_names
from bot.tables import Sight, UserSettings
from bot.ui.messages.board import board
from bot.ui.messages.hand import hand
from bot.ui.posts.emojis import NO_EMOJIS, EmojiSet
from bot.ui.posts.layout import MAX_TEXT, layout
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Button, Choice, Choices, Post
from bot.ui.posts.sender import Draft, Files, Sender, Sent
from tests.emoji_set import complete_set
from tests.leaks.pairs import FACES
from tests.leaks.twins import played

MENU = Choices("Play", (Choice("play KD", "K♦ · +10", emoji="king_of_diamonds"), Choice("pass", "Pass")))
PIECE = Button("frogs-from", "☆", argument="a1", emoji="light_frog", replaces_label=True)
CHIPS = Button("more", "Chips", emoji="chip")
DIAMOND = face(Card("TD")).removeprefix("10")
POST = Post((f"Trick: Ann {face(Card('TD'))}, trumps {DIAMOND}",), (MENU,), ((PIECE, CHIPS),))


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


def test_suits_in_texts_are_emojis_except_behind_ranks_where_lines_would_break() -> None:
    ten = face(Card("TD"))
    text = sent(replace(POST, paragraphs=(f"Ann {ten} · follow {DIAMOND}",)), complete_set())[0]["content"]
    assert text.startswith(f"Ann {ten} · follow <:{full_names()['diamonds']}:")


def test_cards_in_prose_are_text_as_well() -> None:
    for emojis in (NO_EMOJIS, complete_set()):
        text = sent(replace(POST, paragraphs=("Set **10♦** aside, or K♠.",)), emojis)[0]["content"]
        assert text == f"Set **{face(Card('TD'))}** aside, or {face(Card('KS'))}."


def test_code_in_texts_keeps_its_signs() -> None:
    paragraphs = (f"`{DIAMOND}` or {DIAMOND}, not \\`{DIAMOND}\\`",)
    text = sent(replace(POST, paragraphs=paragraphs), complete_set())[0]["content"]
    assert text.startswith(f"`{DIAMOND}` or <:{full_names()['diamonds']}:")
    assert text.count("<:") == 2


def test_without_emojis_a_message_has_only_words() -> None:
    text, menu, buttons = sent(POST, NO_EMOJIS)
    assert text["content"] == POST.paragraphs[0]
    assert not any(option.get("emoji") for option in menu["components"][0]["options"])
    assert [button["label"] for button in buttons["components"]] == ["☆", "Chips"]
    assert not any(button.get("emoji") for button in buttons["components"])


def test_texts_that_emojis_would_make_too_long_keep_their_signs() -> None:
    long = replace(POST, paragraphs=(DIAMOND * 300,))
    assert sent(long, complete_set())[0]["content"] == long.paragraphs[0]
    fitting = replace(POST, paragraphs=(DIAMOND * 80,))
    assert len(fitting.paragraphs[0]) < len(sent(fitting, complete_set())[0]["content"]) <= MAX_TEXT


def test_signs_without_a_selector_such_as_those_of_names_stay() -> None:
    named = replace(POST, paragraphs=("★ Ann ★ ♥",))
    assert sent(named, complete_set())[0]["content"] == "★ Ann ★ ♥"


def test_every_emoji_is_shown_in_some_message() -> None:
    unused = set(full_names().values())
    for key, game in GAMES.items():
        face = FACES[key]
        moments = (moment for seed in range(2) for moment in played(game, game.settle({}), random.Random(seed)))
        for moment in list(moments)[::-3]:
            if not unused:
                return
            for seat in moment.viewers:
                sight = Sight(moment.table, game.observe(moment.state, seat), moment.events)
                post = board(face, sight) if seat is None else in_words(hand(face, sight, "", UserSettings()))
                score = Post((face.settlement(sight.table, sight.observation),))
                for each in (post, score):
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
