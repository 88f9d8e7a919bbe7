"""The reasons of hints in words: sentences that a newcomer understands, with all that they are about."""

from typing import Final

import pytest

from bot.computer.thoughts import Cause, How, Why
from bot.games import GAMES
from bot.texts import languages, using
from bot.ui.messages.hint_reasons import why
from tests.leaks.twins import table_of

TABLE: Final = table_of(GAMES["pot_black"], GAMES["pot_black"].settle({}), 0)
KEPT: Final = [kind for kind in Why if kind.name.startswith("KEEPS_")]


def said(kind: Why, how: How = How.LIKELY, number: int = 2) -> str:
    return why(TABLE, Cause(kind, 1, "2♦", number, how), "points")


@pytest.mark.parametrize("kind", Why, ids=lambda kind: kind.name)
def test_every_reason_is_a_sentence_in_each_language(kind: Why) -> None:
    for spoken in languages():
        with using(spoken):
            for how in How:
                for number in (0, 1, 2):
                    text = said(kind, how, number)
                    assert text[:1].isupper() or text.startswith(("2♦", "P", "🤖")) or text[:1].isdigit(), text
                    assert text.endswith("."), text


@pytest.mark.parametrize("kind", KEPT, ids=lambda kind: kind.name)
def test_a_card_that_stays_is_saved_for_something(kind: Why) -> None:
    """It doesn't say "You keep 2♦": what for isn't clear then, and a review speaks of the past."""
    text = said(kind)
    assert text.startswith("It saves 2♦"), text
    assert any(word in text for word in (" for a", ", ", ": ")), text


@pytest.mark.parametrize("kind", KEPT, ids=lambda kind: kind.name)
@pytest.mark.parametrize("language", languages())
def test_before_the_first_trick_nothing_is_saved_for_a_later_one(kind: Why, language: str) -> None:
    told_so = {"KEEPS_TRUMP", "KEEPS_ANTI_TRUMP", "KEEPS_PROFIT", "KEEPS_POISON", "KEEPS_HIGH", "KEEPS_LOW"}
    with using(language):
        text = said(kind, number=1)
        assert (text != said(kind, number=0)) == (kind.name in told_so)
    if language == "en" and kind.name in told_so:
        assert not any(word in text for word in ("later", "worth more")), text


def test_few_cards_of_a_suit_are_good_for_a_reason() -> None:
    assert why(TABLE, Cause(Why.SHORTENS, what="♦", number=1), "chips") == (
        "Then you have only 1 ♦ left. Without any, you may play any card when others lead it."
    )
    assert why(TABLE, Cause(Why.SHORTENS, what="♦", number=0), "chips").startswith("It's your last ♦: ")


@pytest.mark.parametrize("how", How)
def test_a_player_who_cannot_go_on_is_the_next_one(how: How) -> None:
    assert ", who's next, " in said(Why.BLOCKS, how)
