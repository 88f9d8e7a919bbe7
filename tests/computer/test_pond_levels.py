"""The levels of computers for Pond · cards."""

import random
from collections.abc import Callable, Iterator, MutableSequence
from itertools import islice
from typing import Any, Final

import pytest

from bot.computer import choose
from bot.computer.pond import deals, players
from bot.computer.pond.engine import GROUP
from bot.fairness import Deals
from bot.games.cards import Card, Play, split
from bot.games.game import Move, Value
from bot.games.pond.rulebook import Pond
from bot.games.pond.scoring import STRENGTH, group_of, points
from bot.games.pond.state import FACE_DOWN, Laid, Observation, State
from tests.doses import IS_COMPLETE
from tests.games.checks.pond import imagine

POND: Final = Pond()
FORMS: Final[list[dict[str, Value]]] = [
    {"players": 2},
    {"players": 2, "tie": "first", "history": "last", "rounds": 2},
    {"players": 4, "rounds": 2},
    {"players": 4, "tie": "first", "history": "last", "tiebreak": "extra", "rounds": 2},
]
TABLES: Final = 8 if IS_COMPLETE else 4
Chooser = Callable[[Observation, random.Random], Move]


def quick(seen: Observation, rng: random.Random) -> Move:
    return players.strong(seen, rng, 30)


def careful(seen: Observation, rng: random.Random) -> Move:
    return players.strong(seen, rng, 100)


def by_level(level: str) -> Chooser:
    return lambda seen, rng: choose("pond", seen, rng, level)


def states(choosers: tuple[Chooser, Chooser], number: int, **options: Value) -> Iterator[State]:
    """Yield the states of a table in which a seat has to move, and the last one. ``choosers`` play the sides."""
    rng = random.Random(f"{number} {options}")
    state = POND.start(POND.settle(options))
    chance, count = Deals(rng.randbytes(32), ("",) * state.setup.players), 0
    while state.outcome is None:
        state, entries, _ = POND.run_chance(state, count, chance)
        count += len(entries)
        yield state
        seat = min(seat for seat in POND.to_act(state) if seat is not None)
        seen = POND.observe(state, seat)
        move = choosers[seat % 2](seen, rng)
        assert move in seen.legal
        state = POND.apply(state, seat, move).state
    yield state


def lead(choosers: tuple[Chooser, Chooser], number: int, **options: Value) -> int:
    """Return by how many points the first chooser wins two tables of the same deals, with the sides swapped."""
    *_, one = states(choosers, number, **options)
    *_, other = states(choosers[::-1], number, **options)
    return one.totals[0] - one.totals[1] + other.totals[1] - other.totals[0]


@pytest.mark.parametrize("options", FORMS)
def test_every_level_plays_legal_moves_in_every_form(options: dict[str, Value]) -> None:
    for number, choosers in enumerate([(quick, by_level("easy")), (by_level("fair"), by_level("random"))]):
        *_, last = states(choosers, number, **options)
        assert last.outcome is not None


@pytest.mark.parametrize("players", [2, 4])
def test_levels_beat_weaker_ones(players: int) -> None:
    """A share of the budget and a few tables are enough to see it."""
    ladder = [
        (by_level("easy"), by_level("random"), TABLES),
        (by_level("fair"), by_level("easy"), TABLES),
        (careful, by_level("fair" if players == 2 else "random"), 3 if players == 2 else 1),
    ]
    for better, worse, tables in ladder:
        assert sum(lead((better, worse), number, players=players, rounds=2) for number in range(tables)) > 0


@pytest.mark.parametrize("players", [2, 4])
def test_choices_do_not_depend_on_hidden_cards(players: int) -> None:
    rng = random.Random(players)
    table = states((by_level("fair"), by_level("random")), 3, players=players)
    for state in islice(table, 0, 60, 2):
        seat = min(seat for seat in POND.to_act(state) if seat is not None)
        seen = POND.observe(state, seat)
        imagined = POND.observe(imagine(seen, rng), seat)
        assert imagined == seen
        for chooser in (quick, by_level("fair"), by_level("easy")):
            assert chooser(imagined, random.Random(1)) == chooser(seen, random.Random(1))


def owned_by_partner(number: int) -> Iterator[Observation]:
    """Yield what the last of four players sees whose partner wins the trick, and who can stay below without poison."""
    table = states((by_level("fair"), by_level("random")), number, players=4)
    for state in table:
        if state.phase != "play" or len(state.trick) < 3:
            continue
        seat = (state.starter + 3) % 4
        seen = POND.observe(state, seat)
        if state.tied == ((seat + 2) % 4,) and safe_cards(seen):
            yield seen


def safe_cards(seen: Observation) -> list[Card]:
    best = max(STRENGTH[card] for _, card in seen.trick)
    return [card for card in seen.hand if STRENGTH[card] < best and card[1] != seen.poison(seen.seat or 0)]


def worth(seen: Observation, seat: int) -> int:
    """Return what the visible cards on the table are worth to a seat whose profit is known."""
    group = group_of(seen.set_aside[seat] or FACE_DOWN) or ""
    laid = [card for _, card in seen.baits + seen.traps + seen.trick if card != FACE_DOWN]
    return sum(points(card, seen.poison(seat), group) for card in laid)


def is_absurd(seen: Observation, move: Move) -> bool:
    """Return whether the move takes the partner's trick without a gain, or throws poison into it."""
    assert isinstance(move, Play)
    seat = seen.seat or 0
    if move.card[1] == seen.poison(seat):
        return True
    if STRENGTH[move.card] >= max(STRENGTH[card] for _, card in seen.trick):
        return worth(seen, seat) <= worth(seen, (seat + 2) % 4)
    return False


class Misdealing(random.Random):
    """Chance that deals the others a hand without a profit card at the first try."""

    is_first = True

    def shuffle(self, x: MutableSequence[Any]) -> None:  # noqa: D102 - as in `Random`
        super().shuffle(x)
        if self.is_first:
            x[:] = sorted(x, key=lambda card: GROUP[card] >= 0)
        self.is_first = False


def test_misdeals_are_dealt_again_in_imagined_deals() -> None:
    state = next(states((quick, quick), 1, players=4))
    imagined = deals.Deals(POND.observe(state, 0)).draw(Misdealing(1))
    assert all(any(GROUP[card] >= 0 for card in hand) for hand in imagined.hands)


def test_partners_leave_each_other_their_tricks_and_poison_no_trick() -> None:
    positions = [seen for number in range(6) for seen in owned_by_partner(number)]
    assert len(positions) > 20
    for chooser in (by_level("fair"), quick):
        assert not [seen for seen in positions if is_absurd(seen, chooser(seen, random.Random(1)))]


def test_fair_beats_no_card_of_its_partners_for_nothing() -> None:
    """The partner leads an ace. An eight of spades beats it, but no more: both other eights are known."""
    state = POND.start(POND.settle({"players": 4}))
    seats = (2, 3, 0, 1)
    state = state._replace(
        phase="play",
        first_dealer=2,
        starter=2,
        turned=tuple((Card(card),) for card in ("2H", "2C", "3H", "3C")),
        hands=(split("5C6D7D8S9D") or (), *(split(text) or () for text in ("5D6C7C8C9C", "5S6S7S9C", "TCJCQCKC"))),
        set_aside=(Card("8S"), Card("8C"), Card("8D"), Card("8C")),
        baits=tuple(map(Laid, seats, split("4H4S4C4D") or ())),
        trick=tuple(map(Laid, seats, split("ADTD") or ())),
    )
    seen = POND.observe(state, 0)
    assert players.fair(seen, random.Random(1)) != Play(Card("8S"))
    assert players.strong(seen, random.Random(1), 60) != Play(Card("8S"))
