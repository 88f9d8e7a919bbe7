"""Tied tricks of Pond for four: the leader's side names the taker, or the first of the tied takes them."""

import random
from collections.abc import Iterator
from itertools import combinations, cycle, islice, product
from statistics import fmean
from typing import Final

import pytest

from bot.computer import choose, why
from bot.computer.pond import players
from bot.computer.pond.deals import Deals
from bot.computer.pond.engine import AWARD, CARDS, OVER, Round
from bot.computer.pond.why import PondWhy
from bot.computer.thoughts import TrickWhy
from bot.games.cards import Card, split
from bot.games.pond.rulebook import Pond
from bot.games.pond.state import Laid, Observation
from tests.computer.test_pond_engine import action_of
from tests.doses import IS_COMPLETE

POND: Final = Pond()


def last_to_play(cards_of: tuple[str, str, str], poisons: str = "CC", me: int = 2, tie: str = "leader") -> Observation:
    """Return what the last seat of the last trick sees. Its side has the first of the poisons. All set an 8 aside.

    ``cards_of`` are those of its hand, the trick and the pond.
    """
    cards, played, ponds = (split(text) or () for text in cards_of)
    leader = (me + 1) % 4
    sides = poisons if me % 2 == 0 else poisons[::-1]
    order = [(leader + step) % 4 for step in range(4)]
    behind = [len(cards) - (seat in order[: len(played)]) for seat in range(4)]
    state = POND.start(POND.settle({"players": 4, "tie": tie}))._replace(
        phase="play",
        first_dealer=leader,
        starter=leader,
        turned=tuple((Card(rank + suit),) for rank, suit in zip("2233", sides * 2, strict=True)),
        hands=tuple(cards if seat == me else cards[: behind[seat]] for seat in range(4)),
        set_aside=(Card("8S"),) * 4,
        baits=tuple(map(Laid, order, ponds)),
        trick=tuple(map(Laid, order, played)),
    )
    return POND.observe(state, me)


def gain(deal: Round, action: int) -> float:
    """Return what a card gains the side of the seat, if the leader awards a tie in the interest of their own side."""
    state, sign = deal.copy(), -1 if deal.turn & 1 else 1
    state.play(action)
    if state.phase != AWARD:
        assert state.phase == OVER
        return sign * state.score
    ends = []
    for award in state.actions():
        end = state.copy()
        end.play(award)
        ends.append(sign * end.score)
    return min(ends) if (deal.starter - deal.turn) & 1 else max(ends)


def gains(seen: Observation) -> dict[str, float]:
    """Return the mean gain of every card in imagined deals."""
    deals, rng = Deals(seen), random.Random(1)
    drawn = [deals.draw(rng) for _ in range(60)]
    return {str(CARDS[card]): fmean([gain(deal, card) for deal in drawn]) for card in drawn[0].actions()}


def tied_tricks() -> Iterator[Observation]:
    """Yield the ends of tricks of every combination of leader and tied seats. Some hands have a card that ties too."""
    tied = [seats for number in (2, 3) for seats in combinations(range(3), number)]
    worths = ("5S6S5SAH", "KCQCKSQS", "KDQDADKS", "4H5C6H6S")
    poisons = cycle(("CC", "CD", "DC"))
    for seats, me, baits, tie in product(tied, range(4), worths, ("leader", "first")):
        trick = [("J" if at in seats else "7") + suit for at, suit in enumerate("HDC")]
        equal = "".join(suit for at, suit in enumerate("HDC") if at not in seats)
        for hand in ("9D9CTD5H", f"J{equal}9CTDKH" if equal else "8C9CTDKH"):
            yield last_to_play((hand, "".join(trick), baits), next(poisons), me, tie)


def chosen(level: str, seen: Observation) -> str:
    rng = random.Random(1)
    move = players.strong(seen, rng, 300) if level == "strong" else choose("pond", seen, rng, level)
    return str(CARDS[action_of(move)])


@pytest.mark.parametrize("level", ["fair", "strong"])
def test_a_tie_that_an_opponent_awards_is_not_the_partners(level: str) -> None:
    """The opponent who leads gives the trick to their partner, so poison is best."""
    seen = last_to_play(("9H9CTH3S", "TSJSJS", "5H5H5S5S"))
    found = gains(seen)
    assert found["9C"] > max(found["9H"], found["TH"]) + 20
    assert chosen(level, seen) == "9C"


@pytest.mark.parametrize(("level", "doubt", "step"), [("fair", 10, 3), ("strong", 5, 7)])
def test_the_last_card_of_a_tied_trick_is_as_good_as_the_best(level: str, doubt: float, step: int) -> None:
    """``doubt`` is what imagined deals may be wrong by, in points. ``step``: of so many, one is played."""
    for seen in islice(tied_tricks(), None, None, 1 if IS_COMPLETE else step):
        found = gains(seen)
        assert found[chosen(level, seen)] >= max(found.values()) - doubt


@pytest.mark.parametrize("worths", ["5S6S5SAH", "KCQCKSQS", "KDQDADKS"])
def test_the_reason_of_an_award_is_about_the_seats(worths: str) -> None:
    last = last_to_play(("JC", "7DJH8H", worths), me=3)
    state = POND.start(POND.settle({"players": 4}))._replace(
        phase="award",
        first_dealer=0,
        starter=0,
        turned=last.turned,
        hands=((), (), (), ()),
        set_aside=(Card("8S"),) * 4,
        baits=last.baits,
        trick=(*last.trick, Laid(3, Card("JC"))),
    )
    seen = POND.observe(state, 0)
    for move, other in ((seen.legal[0], seen.legal[1]), (seen.legal[1], seen.legal[0])):
        cause = why("pond", seen, move, other, random.Random(1))
        assert cause is None or cause.why in {
            TrickWhy.TAKES,
            TrickWhy.LEAVES,
            TrickWhy.PARTNER_TAKES,
            PondWhy.AWARDS,
            PondWhy.POISON_FOR,
        }
