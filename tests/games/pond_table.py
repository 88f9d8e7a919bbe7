"""Tables of Pond · cards in known positions."""

import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

import pytest

from bot.errors import IllegalMove
from bot.fairness import Deals, Stream
from bot.games.cards import Card, Play, split
from bot.games.game import CHANCE, Actor, Event, Seat, Value
from bot.games.pond.rulebook import Pond
from bot.games.pond.state import Laid, State
from tests.games.checks.pond import broken

POND = Pond()
T = TypeVar("T")

# Eleven visible and five hidden cards of each seat.
EAST = ("2H3H4HAS8S9S2SKDQDJDTD", "5C6C7C8C9C")
WEST = ("AHKHQHKSQS3S4S5D6D7D8D", "TCJCQCKCAC")

MISDEAL = "4C4D4H4SJCJDJHQCQDKCKD"

TRAPPED = ("0 bait 5C", "1 bait AH", "0 trap 6C", "1 trap KH")


class Stacked:
    """Chance that puts known cards on top of the pack, and keeps the order of the others."""

    def __init__(self, top: str) -> None:
        self.top = top

    def below(self, k: int) -> int:
        """Return the highest number."""
        return k - 1

    def shuffle(self, pack: Sequence[T]) -> list[T]:
        """Return the known cards, then the rest."""
        wanted = list(cards(self.top))
        left = list(pack)
        top = [left.pop(left.index(card)) for card in wanted]  # type: ignore[arg-type]  # the packs here hold cards
        return top + left


def cards(text: str) -> tuple[Card, ...]:
    found = split(text.replace(" ", ""))
    assert found is not None
    return found


def start(**options: Value) -> State:
    return POND.start(POND.settle(options))


def entry(state: State, text: str) -> tuple[State, tuple[Event, ...]]:
    """Apply an entry such as ``0 bait 5C`` or ``- dealer 1``. Return the state and the events."""
    who, _, move = text.partition(" ")
    seat = CHANCE if who == "-" else int(who)
    step = POND.apply(state, seat, POND.parse(move))
    assert broken(step.state) == ()
    return step.state, step.events


def after(state: State, *entries: str) -> State:
    for text in entries:
        state, _ = entry(state, text)
    return state


def refused(state: State, text: str) -> str | None:
    """Return the ruling that the refusal of the entry cites."""
    with pytest.raises(IllegalMove) as refusal:
        entry(state, text)
    return refusal.value.ruling


def legal(state: State, seat: Seat) -> list[str]:
    return [str(move) for move in POND.legal(state, seat)]


def choosing(**options: Value) -> State:
    """Return a table of two players who choose profit. Poison is ♣ for both, and seat 0 deals."""
    deal = "/".join("+".join(hand) for hand in (EAST, WEST))
    return after(start(**options), "- dealer 0", "- poison 2C/3C", f"- deal {deal}")


def baiting(**options: Value) -> State:
    """Return a table of two players with fifteen cards. Seat 0 has set 2H aside, seat 1 5D."""
    return after(choosing(**options), "0 profit 2H", "1 profit 5D")


def dealt(players: int, seed: int = 0, **options: Value) -> State:
    deals = Deals(seed.to_bytes(32, "big"), ("",) * players)
    return POND.run_chance(start(players=players, **options), 0, deals)[0]


def chosen(players: int, seed: int = 0, **options: Value) -> State:
    state = dealt(players, seed, **options)
    for seat in range(players):
        state = POND.apply(state, seat, POND.legal(state, seat)[0]).state
    return state


def trick(text: str) -> tuple[Laid, ...]:
    return tuple(Laid(seat, card) for seat, card in enumerate(cards(text)))


def before_trick(hands: Sequence[str], **options: Value) -> State:
    """Return a table where seat 0 is about to lead. Nothing else is as in a real round."""
    players = len(hands)
    return start(players=players, **options)._replace(
        phase="play",
        first_dealer=0,
        turned=tuple((Card("2H"),) for _ in hands),
        hands=tuple(tuple(sorted(cards(hand))) for hand in hands),
        set_aside=tuple(Card("8C") for _ in hands),
        baits=tuple(Laid(seat, Card("5D")) for seat in range(players)),
    )


def play_trick(text: str, **options: Value) -> State:
    """Play a trick of these cards in turn from seat 0. Every seat has four more cards."""
    played = cards(text)
    state = before_trick([card + "4C5C6C7C" for card in played], **options)
    for seat, card in enumerate(played):
        state = POND.apply(state, seat, Play(card)).state
    return state


def to_act(state: State) -> set[Actor]:
    return set(POND.to_act(state))


def anybody(state: State) -> Seat:
    """Return the lowest seat that owes an entry."""
    return min(seat for seat in POND.to_act(state) if seat is not None)


def play_on(state: State, rng: random.Random, rounds: int | None = None) -> State:
    """Play at random until this many rounds are finished, or to the end."""
    count = 100
    while state.outcome is None and (rounds is None or len(state.rounds) < rounds):
        if CHANCE in POND.to_act(state):
            state, written, _ = POND.run_chance(state, count, lambda n: Stream(b"pond", n))
            count += len(written)
        else:
            seat = anybody(state)
            state = POND.apply(state, seat, rng.choice(POND.legal(state, seat))).state
    return state


def play_round(state: State, traps: Iterable[bool]) -> State:
    """Play a round. ``traps`` tells whether each starter opens one, and every seat lays its first card."""
    decisions = iter(traps)
    while not state.rounds:
        seat = anybody(state)
        moves = POND.legal(state, seat)
        state = POND.apply(state, seat, moves[next(decisions)] if state.phase == "trap" else moves[0]).state
    return state


def play_until_last_card(state: State) -> State:
    """Play a round without traps up to the card before its last."""
    while (following := POND.apply(state, anybody(state), POND.legal(state, anybody(state))[0]).state).hands:
        state = following
    return state
