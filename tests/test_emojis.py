"""Tests of the application's emojis: names, pictures, and what to do about those on Discord."""

import re
from collections.abc import Sequence

import pytest

from bot.games.cards import ALL_CARDS, SUIT_NAMES, SUIT_SYMBOLS, Card, name
from bot.games.frogs.moves import Stage
from bot.running.application_emojis import Listed, compare, full_names, pictures
from bot.ui.posts.emojis import SIGNS
from cogs.card_texts import BACK_SIGN
from cogs.frogs.board import signs

WANTED = {"frog": "frog_aaaa", "king_of_diamonds": "king_of_diamonds_3f9a"}


@pytest.mark.parametrize(
    ("names", "usable", "missing", "outdated"),
    [
        ([], [], ["frog", "king_of_diamonds"], []),
        (["frog_aaaa"], ["frog"], ["king_of_diamonds"], []),
        (["king_of_diamonds_3f9a", "frog_aaaa"], ["frog", "king_of_diamonds"], [], []),
        (["frog_bbbb", "frog_aaaa"], ["frog"], ["king_of_diamonds"], ["frog_bbbb"]),
        (["frog_bbbb"], [], ["frog", "king_of_diamonds"], ["frog_bbbb"]),
        (["frog", "frog_logo", "toad_aaaa", "frog_AAAA", "frog_aaaab"], [], ["frog", "king_of_diamonds"], []),
    ],
    ids=["none", "half", "all", "old and new", "old", "of others"],
)
def test_what_is_missing_and_outdated(
    names: Sequence[str], usable: list[str], missing: list[str], outdated: list[str]
) -> None:
    found = compare([Listed(number, name) for number, name in enumerate(names, 1)], WANTED)
    assert list(found.usable) == usable
    assert list(found.missing) == missing
    assert [emoji.name for emoji in found.outdated] == outdated


def test_names_are_words_with_a_hash_that_discord_accepts() -> None:
    for short, full in full_names().items():
        assert re.fullmatch(rf"{short}_[0-9a-f]{{4}}", full)
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", short)
        assert len(full) <= 32


def test_every_card_suit_piece_and_mark_has_an_emoji() -> None:
    cards = {name(Card(card)).replace(" ", "_") for card in ALL_CARDS}
    pieces = {f"{owner}_{stage}" for owner in ("light", "dark") for stage in ("egg", "tadpole", "frog")}
    marks = {"card_back", "chip", "poison", "profit", "water"}
    assert set(pictures()) == cards | pieces | marks | set(SUIT_NAMES.values())


def test_signs_in_texts_are_those_that_emojis_replace() -> None:
    pieces = "".join(signs(stage) for stage in Stage)
    used = {*SUIT_SYMBOLS.values(), BACK_SIGN, *re.findall(".\ufe0e", pieces)}
    assert used == set(SIGNS)
    assert set(SIGNS.values()) < set(pictures())
    assert {SIGNS[symbol] for symbol in SUIT_SYMBOLS.values()} == set(SUIT_NAMES.values())
