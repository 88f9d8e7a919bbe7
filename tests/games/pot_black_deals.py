"""Tables and deals of Pot Black in known positions."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from bot.games.cards import SUITS, Card, Dealer, Play, split
from bot.games.game import CHANCE, Event, Move, Outcome, Seat
from bot.games.pot_black.moves import Chips, Deal, DealSettled, TrickTaken
from bot.games.pot_black.rulebook import PotBlack
from bot.games.pot_black.state import BLACK_TENS, PACKS, State, trumps
from bot.games.pot_black.tricks import strength

GAME = PotBlack()

A, B, C, D = range(4)
"""The seats. A and C are partners, and so are B and D."""

FORMS: Mapping[str, dict[str, str | int]] = {
    "partnership": {},
    "strict": {"short": "strict"},
    "individual": {"form": "individual", "tied_side_pot": "stays"},
    "three": {"players": 3, "end": "knock_out", "deals": 20},
    "limit": {"form": "individual", "end": "deals", "deals": 5},
    "classic": {"form": "classic"},
    "classic three": {"form": "classic", "players": 3, "deals": 10},
}
every_form = pytest.mark.parametrize("options", FORMS.values(), ids=FORMS)


class Luck:
    """Chance from a generator."""

    def __init__(self, rng: random.Random) -> None:
        self.below = rng.randrange
        self.shuffle = lambda pack: rng.sample(pack, len(pack))


@dataclass(frozen=True)
class Tricks:
    """The takers of the tricks of a deal. If ``together``, both black tens fall in one trick."""

    counted: Sequence[Seat]
    spade_ten: Seat
    club_ten: Seat
    together: bool = False


def table(dealer: Seat = 0, /, **options: str | int) -> State:
    """Return a table before its first deal."""
    return GAME.apply(GAME.start(GAME.settle(options)), CHANCE, Dealer(dealer)).state


def with_chips(state: State, stacks: tuple[int, ...], main: int = 0, side: int = 0) -> State:
    """Return the table with other chips."""
    return state._replace(chips=Chips(stacks, main, side))


def cards(text: str) -> tuple[Card, ...]:
    return split(text.replace(" ", "")) or ()


def hands_of(state: State, **hands: str) -> State:
    """Give these hands to a, b, c and d. A leads. The cards are not a whole pack."""
    held = tuple(tuple(sorted(cards(hands[seat]))) for seat in sorted(hands))
    return state._replace(hands=held, order=tuple(range(len(held))))


def in_deal(number: int, **options: str | int) -> State:
    """Return a table before a later deal, with the chips of the first."""
    state = table(**options)
    return state._replace(deal=number)


def play(state: State, text: str) -> tuple[State, list[Event]]:
    """Play these cards in turn. Return the state and the events."""
    events: list[Event] = []
    for card in cards(text):
        state, seen = GAME.apply(state, state.turn, Play(card))
        events += seen
    return state, events


def stacks(state: State) -> tuple[int, ...]:
    return state.chips.stacks


def settled(events: list[Event]) -> DealSettled:
    return next(event for event in events if isinstance(event, DealSettled))


def taken(events: list[Event]) -> TrickTaken:
    return next(event for event in events if isinstance(event, TrickTaken))


def over(state: State) -> Outcome:
    assert state.outcome is not None
    assert GAME.to_act(state) == frozenset()
    return state.outcome


def played(state: State, tricks: Tricks) -> tuple[State, list[Event]]:
    """Play a deal with these takers, up to the end of the game. Return the state and the events."""
    seats = state.in_play
    script = _script(seats, trumps(state.deal), tricks)
    hands = {seat: tuple(trick[seat] for trick in script) for seat in seats}
    state, events = apply(state, CHANCE, Deal(tuple(hands.values())))
    for trick in script:
        for _ in seats:
            if state.turn is None:
                return state, events
            state, seen = apply(state, state.turn, Play(trick[state.turn]))
            events += seen
    return state, events


def apply(state: State, seat: Seat | None, move: Move) -> tuple[State, list[Event]]:
    """Apply a move. Return the state and the events as a list."""
    state, events = GAME.apply(state, seat, move)
    return state, list(events)


def _script(seats: tuple[Seat, ...], trump: str | None, tricks: Tricks) -> list[dict[Seat, Card]]:
    """Return the cards of thirteen tricks, by seat.

    All but the last trick are of one suit, so that all seats follow and the highest card takes it. In the last trick,
    the cards that are left are of several suits, and trumps take it.
    """
    suits = {suit: sorted((card for card in PACKS[len(seats)] if card[1] == suit), key=strength) for suit in SUITS}
    last = []
    for suit, cards in suits.items():
        if len(cards) % len(seats):
            ten = Card(f"T{suit}")
            last.append(ten if tricks.together and suit in "SC" else cards[0])
            cards.remove(last[-1])
    of_one_suit = [cards[at : at + len(seats)] for cards in suits.values() for at in range(0, len(cards), len(seats))]
    counted = list(tricks.counted)
    last_taker = tricks.spade_ten if tricks.together else counted.pop()
    tens = dict(zip(BLACK_TENS, (tricks.spade_ten, tricks.club_ten), strict=True))
    script = []
    for cards in of_one_suit:
        fallen = [tens[card] for card in cards if card in tens]
        taker = fallen[0] if fallen else counted.pop()
        script.append(_trick(seats, taker, cards))
    # Without trumps the leader takes the last trick, and so must have taken the one before.
    script.sort(key=lambda trick: max(trick, key=lambda seat: strength(trick[seat])) == last_taker)
    last.sort(key=lambda card: card[1] == trump)
    return [*script, _trick(seats, last_taker, last)]


def _trick(seats: tuple[Seat, ...], taker: Seat, cards: list[Card]) -> dict[Seat, Card]:
    *low, best = cards
    losers = [seat for seat in seats if seat != taker]
    return {taker: best, **dict(zip(losers, low, strict=True))}
