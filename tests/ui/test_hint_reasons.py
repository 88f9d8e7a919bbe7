"""The reasons of hints in words: sentences that a newcomer understands, with all that they are about."""

from collections.abc import Iterator
from importlib import import_module
from typing import Final

import pytest

from bot.computer.pontis.why import PontisWhy
from bot.computer.pot_black.why import PotBlackWhy
from bot.computer.thoughts import Cause, How, Kind, TrickWhy, Why
from bot.games import GAMES
from bot.texts import languages, using
from bot.ui.messages.hint_reasons import why
from tests.leaks.pairs import FACES
from tests.recorded import table_of

TABLE: Final = table_of(GAMES["pot_black"], GAMES["pot_black"].settle({}), 0)


def kinds(game: str) -> Iterator[Kind]:
    """Yield the kinds of facts that a computer of the game may name."""
    yield from Why
    yield from TrickWhy
    for own in vars(import_module(f"bot.computer.{game}.why")).values():
        if isinstance(own, type) and issubclass(own, Kind):
            yield from own


REASONS: Final = [(game, kind) for game in FACES for kind in kinds(game)]
KEPT: Final = [(game, kind) for game, kind in REASONS if kind.name.startswith("KEEPS_")]


def said(game: str, kind: Kind, how: How = How.LIKELY, number: int = 2) -> str:
    return why(FACES[game], TABLE, Cause(kind, 1, "2♦", number, how))


@pytest.mark.parametrize(("game", "kind"), REASONS)
def test_every_reason_is_a_sentence_in_each_language(game: str, kind: Kind) -> None:
    for spoken in languages():
        with using(spoken):
            for how in How:
                for number in (0, 1, 2):
                    text = said(game, kind, how, number)
                    assert text[:1].isupper() or text.startswith(("2♦", "P", "🤖")) or text[:1].isdigit(), text
                    assert text.endswith("."), text


@pytest.mark.parametrize(("game", "kind"), KEPT)
def test_a_card_that_stays_is_saved_for_something(game: str, kind: Kind) -> None:
    """It doesn't say "You keep 2♦": what for isn't clear then, and a review speaks of the past."""
    text = said(game, kind)
    assert text.startswith("It saves 2♦"), text
    assert any(word in text for word in (" for a", ", ", ": ")), text


@pytest.mark.parametrize(("game", "kind"), KEPT)
@pytest.mark.parametrize("language", languages())
def test_before_the_first_trick_nothing_is_saved_for_a_later_one(game: str, kind: Kind, language: str) -> None:
    told_so = {"KEEPS_TRUMP", "KEEPS_ANTI_TRUMP", "KEEPS_PROFIT", "KEEPS_POISON", "KEEPS_HIGH", "KEEPS_LOW"}
    with using(language):
        text = said(game, kind, number=1)
        assert (text != said(game, kind, number=0)) == (kind.name in told_so)
    if language == "en" and kind.name in told_so:
        assert not any(word in text for word in ("later", "worth more")), text


def test_few_cards_of_a_suit_are_good_for_a_reason() -> None:
    assert said("pot_black", PotBlackWhy.SHORTENS, number=1) == (
        "Then you have only 1 2♦ left. Without any, you may play any card when others lead it."
    )
    assert said("pot_black", PotBlackWhy.SHORTENS, number=0).startswith("It's your last 2♦: ")


@pytest.mark.parametrize("how", How)
def test_a_player_who_cannot_go_on_is_the_next_one(how: How) -> None:
    assert ", who's next, " in said("pontis", PontisWhy.BLOCKS, how)
