"""Pond · cards: text, options, imagined states and invariants."""

import random
from collections.abc import MutableSequence
from typing import Any

import pytest

from bot.errors import IllegalMove, InvalidMove, InvalidOption
from bot.games.cards import PACK, Card, Play
from bot.games.game import Outcome
from bot.games.pond.scoring import group_of
from bot.games.pond.state import State
from tests.games.checks.pond import broken, imagine
from tests.games.pond_table import (
    POND,
    Stacked,
    after,
    baiting,
    before_trick,
    cards,
    choosing,
    legal,
    refused,
    start,
)

# ---- chance, text, options


def test_seats_and_chance_act_only_when_they_are_due() -> None:
    """G-01."""
    assert refused(start(), "0 bait 5C") == "G-01"
    assert refused(start(), "- poison 2C/3C") == "G-01"
    assert refused(choosing(), "- dealer 0") == "G-01"
    assert refused(start(), "0 resign") == "G-10"
    with pytest.raises(IllegalMove, match="G-01"):
        POND.chance(choosing(), Stacked(""))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bait",
        "bait 5c",
        "bait XX",
        "bait 10C",
        " pass",
        "pass ",
        "play  5C",
        "award 4",
        "award 01",
        "dealer -1",
        "poison",
        "poison ",
        "poison 2C/",
        "poison 2C/XX",
        "poison 2C/3",
        "deal",
        "deal 2C",
        "deal 2C+",
        "deal +2C",
        "deal 2C+3C+4C",
        "deal 2C+3C/",
        "Deal 2C+3C",
    ],
)
def test_other_texts_are_not_moves(text: str) -> None:
    """G-04."""
    with pytest.raises(InvalidMove):
        POND.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "profit 4H",
        "bait AS",
        "trap TD",
        "pass",
        "play 2C",
        "award 3",
        "dealer 0",
        "poison 9S4H/KD/2H/7D",
        "deal 2C+3C/4C+5C",
    ],
)
def test_moves_and_their_texts_correspond(text: str) -> None:
    """G-04."""
    assert str(POND.parse(text)) == text


def test_typed_cards_are_tidied() -> None:
    assert POND.parse(POND.tidy("Play 10♦")) == Play(Card("TD"))


def test_equal_cards_are_one_move() -> None:
    """G-04."""
    state = before_trick(["2C2C3C", "4C", "5C", "6C"])
    assert legal(state, 0) == ["play 2C", "play 3C"]


def test_options_have_defaults() -> None:
    """G-06: no two values exclude one another."""
    settled = {"players": 2, "rounds": 4, "tie": "leader", "tiebreak": "none", "history": "log"}
    assert POND.settle({}) == settled
    assert POND.options_of(start()) == settled
    assert POND.seats(POND.settle({"players": "4"})) == 4
    assert POND.sides(POND.settle({"players": 4})) == (0, 1, 0, 1)
    with pytest.raises(InvalidOption, match="PC-31"):
        POND.settle({"players": 3})


# ---- imagined states


class Unlucky(random.Random):
    """A generator whose first shuffle puts all 4s and face cards on top."""

    def __init__(self) -> None:
        super().__init__(1)
        self.misdeals = 0

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle in place."""
        super().shuffle(x)
        if x and not self.misdeals:
            self.misdeals += 1
            x[:] = sorted(x, key=lambda card: group_of(card) is not None)


def test_imagined_hands_are_never_a_misdeal() -> None:
    """PC-10: seats that still have to choose can."""
    rng = Unlucky()
    imagined = imagine(POND.observe(choosing(), 0), rng)
    assert rng.misdeals == 1
    assert broken(imagined) == ()


def test_every_unseen_card_may_be_imagined_in_a_hand() -> None:
    """The true state doesn't leak into imagined ones."""
    seen = POND.observe(baiting(), 0)
    known = {*seen.hand, *cards("2C3C"), Card("2H")}
    turned_up = {card for seed in range(200) for card in imagine(seen, random.Random(seed)).hands[1]}
    assert turned_up == set(PACK) - known


# ---- invariants


def spoilt(state: State, **changes: Any) -> tuple[str, ...]:
    return broken(state._replace(**changes))


def test_check_names_each_broken_invariant() -> None:
    early, playing = choosing(), after(baiting(), "0 bait 5C", "1 bait AH", "0 pass")
    hand = playing.hands[0]
    assert broken(playing) == broken(early) == ()
    assert spoilt(playing, hands=((*hand[1:], Card("AH")), playing.hands[1]))[0].startswith("no card exists more often")
    assert "cards are dealt exactly while a round is played" in spoilt(playing, phase="poison")
    assert "poison is turned exactly while a round is dealt or played" in spoilt(start(), turned=(cards("2C"),) * 2)
    assert "the game is over exactly when its phase says so" in spoilt(start(), phase="over")
    ended = Outcome((0, 0), (1, 1), "draw")
    assert "the game is over exactly when its phase says so" in spoilt(playing, outcome=ended)
    assert "poison is no spade, and partners share it" in spoilt(playing, turned=(cards("2S"), cards("3C")))
    assert "every seat has sixteen cards, whether held, hidden, set aside or laid" in spoilt(
        playing, hands=(hand[1:], playing.hands[1])
    )
    assert "the hidden five are picked up when all have chosen" in spoilt(early, hidden=((), ()))
    assert "the hidden five are picked up when all have chosen" in spoilt(playing, hidden=early.hidden)
    assert "somebody has to choose exactly in the profit phase" in spoilt(playing, set_aside=(None, Card("5D")))
    assert "every set-aside card tells a group" in spoilt(playing, set_aside=(Card("4H"), Card("5D")))
    assert "whoever has to choose can" in spoilt(early, hands=(cards("4H" + "KD" * 10), early.hands[1]))
    assert "hands are sorted" in spoilt(playing, hands=(hand[::-1], playing.hands[1]))
    assert "baits and tricks are laid in turn" in spoilt(playing, baits=playing.baits[::-1])
    assert "the taker of the last trick starts, at first the dealer" in spoilt(playing, starter=1)


@pytest.mark.parametrize("phase", ["profit", "bait", "trap", "traps", "award"])
def test_check_names_a_wrong_number_of_cards_on_the_table(phase: str) -> None:
    state = after(baiting(), "0 bait 5C", "1 bait AH", "0 pass", "0 play 6C")
    assert "as many cards are laid as the phase says" in spoilt(state, phase=phase)
    assert "as many cards are laid as the phase says" in spoilt(state, baits=())
