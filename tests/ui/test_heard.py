"""Posts for the ear: what differs sounds different in every language, and nothing but what is shown changes."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.games.cards import ALL_CARDS, SUIT_SYMBOLS, SUITS, face
from bot.records.preference import UserSettings
from bot.tables.tables import Sight
from bot.texts import number, using
from bot.ui.messages.hand import hand, turn
from bot.ui.posts.heard import heard, spoken
from bot.ui.posts.layout import MAX_TEXT, layout
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Button, Choice, Choices, Figure, Post
from bot.ui.posts.text import held_together, signed
from tests.doses import IS_COMPLETE, amount
from tests.leaks.pairs import FACES
from tests.recorded import Moment, recorded
from tests.spoken import some_languages
from tests.ui.test_menu_texts import FORMS, replays
from tests.voice import needs_voice, sounds
from tests.world import walk

AS_MENUS: Final = UserSettings(hands="text", prefers_menus=True)
EVERY_FORM: Final = [
    *FORMS,
    ("pontis", {"players": 2, "banks": 6}),
    ("pot_black", {"form": "classic"}),
    ("pot_black", {"form": "individual"}),
]
LOOKED_AT: Final = amount("MOMENTS_HEARD", check=4, test=6, full=60)
"""Moments of each game."""
UNSAFE: Final = re.compile(r"[♠♥♦♣−·→↓×▮○●△▲☆★]|\d–|\d\N{NARROW NO-BREAK SPACE}\d|\d[ \xa0]\d")
"""What at least one voice leaves out, reads alike, or joins."""
UNHEARD: Final = re.compile(r"\*\*|^(?:-#|#+) |[☠✦⛁]\ufe0e|[\ufe0e.,:;!?()…]|[ \xa0·]+", re.MULTILINE)
"""Markup, pauses and marks, which no voice has to tell."""


def moments(key: str, options: Mapping[str, object]) -> list[Moment]:
    every = recorded(key, options)
    return every[:: 1 + len(every) // LOOKED_AT] + every[-1:]


def shown(key: str, options: Mapping[str, object]) -> Iterator[Post]:
    """Yield what the players of a game get in private: hands, moves, results, and the replay."""
    game = GAMES[key]
    for moment in moments(key, options):
        for seat in game.to_act(moment.state) or (0,):
            sight = Sight(moment.table, game.observe(moment.state, seat), moment.events)
            yield hand(FACES[key], sight, "", AS_MENUS)
            if not game.has_hands and sight.observation.legal:
                yield turn(FACES[key], sight)
    yield from map(in_words, replays(moments(key, options)[-1]))


def lines_of(post: Post) -> list[str]:
    """Return the lines of a post, labels and descriptions included, in the same order before and after `heard`."""
    options = [text for group in post.choices for each in group.choices for text in (each.label, each.hint)]
    prompts = [group.prompt for group in post.choices]
    labels = [button.label for row in post.rows for button in row]
    return [*"\n".join(filter(None, post.paragraphs)).split("\n"), *prompts, *options, *labels]


def alike(pairs: Iterable[tuple[str, str]], language: str) -> list[set[str]]:
    """Return the texts that sound alike, though they differ. Each pair is a text as it is read and as it is heard."""
    said = dict(pairs)
    by_sound = defaultdict(set)
    heard_as = sounds(said.values(), language)
    for text, spoken_text in said.items():
        by_sound[heard_as[spoken_text]].add(" ".join(UNHEARD.sub(" ", text).split()).casefold())
    return [texts for sound, texts in by_sound.items() if len(texts) > 1]


@needs_voice
@pytest.mark.parametrize("language", some_languages("heard"))
@pytest.mark.parametrize(("key", "options"), EVERY_FORM if IS_COMPLETE else FORMS[::2])
def test_no_two_lines_of_a_game_sound_alike(key: str, options: dict[str, int | str], language: str) -> None:
    with using(language):
        pairs = [
            pair
            for post in shown(key, options)
            for pair in zip(lines_of(post), map(held_together, lines_of(heard(post))), strict=True)
        ]
    assert alike(pairs, language) == []


@needs_voice
@pytest.mark.parametrize("language", some_languages("heard"))
def test_every_card_number_score_and_square_has_a_sound_of_its_own(language: str) -> None:
    squares = [column + row for column in "abcde" for row in "12345"]
    sets: dict[str, list[str]] = {
        "cards": [face(card) for card in sorted(ALL_CARDS)],
        "cards before a no-break space": [f"{face(card)}\N{NO-BREAK SPACE}Ann" for card in sorted(ALL_CARDS)],
        "suits": [f"{sign} −25" for sign in SUIT_SYMBOLS.values()],
        "holdings": [f"{SUIT_SYMBOLS[suit]} {ranks}" for suit in SUITS for ranks in ("A 10 4", "K 10 4", "10 4", "4")],
        "numbers": [signed(value) for value in range(-60, 61)] + [number(12_100), "12 100", number(12_345)],
        "scores": [f"{a}–{b}" for a in range(12) for b in range(12)] + [str(n) for n in range(12, 112)],
        "squares": squares,
        "moves": [f"{a} → {b}" for a in squares[:10] for b in squares[:10]],
        "sums": ["9 − 4 = 5", "9 + 4 = 13", "9 × 4 = 36", "9 4 5", "94 5", "9 45"],
        "pieces": [f"a1 {sign}\ufe0e x" for sign in "○●"],
    }
    with using(language):
        found = {name: alike([(text, spoken(text)) for text in texts], language) for name, texts in sets.items()}
    assert found == {name: [] for name in sets}


@pytest.mark.parametrize("language", some_languages("signs"))
@pytest.mark.parametrize(("key", "options"), EVERY_FORM)
def test_no_sign_is_left_that_a_voice_loses(key: str, options: dict[str, int | str], language: str) -> None:
    with using(language):
        lines = {line for post in shown(key, options) for line in lines_of(heard(post))}
    assert {line for line in lines if UNSAFE.search(line)} == set()


@pytest.mark.parametrize(("key", "options"), EVERY_FORM)
def test_only_what_is_shown_changes(key: str, options: dict[str, int | str]) -> None:
    def uses(post: Post) -> list[tuple[str, list[str]]]:
        view: Any = layout(post, "1-2-3", 4)
        parts = [part for part in walk(view.to_components()) if "custom_id" in part]
        return [(part["custom_id"], [each["value"] for each in part.get("options", ())]) for part in parts]

    for post in shown(key, options):
        said = heard(post)
        assert uses(said) == uses(post)
        assert heard(said) == said


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "10♦︎ A♠︎ Joker", "10 of diamonds, ace of spades, Joker"),
        ("en", "9♠︎ Joker A♥︎ 10♦︎ A♠︎", "spades 9, ace; hearts ace; diamonds 10; Joker"),
        ("en", "5♦︎ A♥︎ → **7♦︎**", "5 of diamonds, ace of hearts, then **7 of diamonds**"),
        ("de", "K♥︎ · +10 für dich", "Herz König, +10 für dich"),
        ("fr", "Q♥ · −25 pour Ann", "Dame de cœur, moins 25 pour Ann"),
        ("es", "**−5**", "**menos 5**"),
        ("pt-BR", "♠︎ K 9 (trunfos) · 7", "Espadas: rei, 9 (trunfos), 7"),
        ("en", "follow with ♦︎ diamonds.", "follow with diamonds."),
        ("en", "Profit A 2 3 4 +15 · poison ♥︎ −25", "Profit ace, 2, 3, 4 +15, poison hearts minus 25"),
        ("en", "A 10 is worth 5.", "A 10 is worth 5."),
        ("en", "Tricks 6–\N{WORD JOINER}3 · pot 8", "Tricks 6 to 3, pot 8"),
        ("en", "quiet 22:00–08:00", "quiet 22:00 until 08:00"),
        ("de", "b2 → b4", "b2 nach b4"),
        ("es", "12\N{NARROW NO-BREAK SPACE}100 puntos", "12100 puntos"),
        ("fr", "9 − 4 = 5", "9 moins 4 égale 5"),
        ("en", "→ **J♦︎** **You** · 3 = 2 + 1", "Turn: **jack of diamonds** **You**, 3 = 2 + 1"),
        ("en", "a1 ▲︎ tadpole, ●︎ **Ann**: 2", "a1 tadpole (dark), **Ann** (dark): 2"),
        (
            "en",
            "<t:1:R> · [7♦](https://a.b/6–3) <@12> `play 7♦`",
            "<t:1:R>, [7 of diamonds](https://a.b/6–3) <@12> `play 7♦`",
        ),
    ],
)
def test_signs_become_words(language: str, text: str, said: str) -> None:
    with using(language):
        assert spoken(text) == said
        assert spoken(said) == said


def test_a_text_stays_as_it_is_where_words_would_be_too_long_for_discord() -> None:
    option = Choice("play 7D", "7♦" * 1 + "x" * 90, hint="7♦, " * 24)
    post = Post(("7♦, " * 900,), (Choices("6–3" * 40, (option,)),), ((Button("a", "7♦, " * 19),),))
    said = heard(post)
    assert said.choices[0].choices[0].hint == option.hint
    assert said.rows == post.rows
    assert said.paragraphs == post.paragraphs
    assert sum(map(len, said.paragraphs)) <= MAX_TEXT


def test_the_paragraphs_around_a_picture_are_heard_too() -> None:
    post = replace(Post(()), scene=Figure("a.png", "alt", above=("7♦",), below=("6–3",)))
    assert heard(post).scene == Figure("a.png", "alt", above=("7 of diamonds",), below=("6 to 3",))
