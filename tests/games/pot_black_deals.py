"""Deals of Pot Black that are played out as told: who takes which trick, and with which black ten."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.games.card_table import Dealer, Play
from bot.games.cards import SUITS, Card
from bot.games.game import CHANCE, Event, Move, Seat
from bot.games.pot_black import Chips, Deal, PotBlack, State
from bot.games.pot_black.state import CLUB_TEN, PACKS, SPADE_TEN, trumps
from bot.games.tricks import STRENGTH

GAME = PotBlack()


@dataclass(frozen=True)
class Tricks:
    """Who takes the tricks of a deal: those that count, and those with the black tens (both in one if ``together``)."""

    counted: Sequence[Seat]
    spade_ten: Seat
    club_ten: Seat
    together: bool = False


def table(dealer: Seat = 0, /, **options: str | int) -> State:
    """A table that waits for its first hands."""
    return GAME.apply(GAME.start(GAME.settle(options)), CHANCE, Dealer(dealer)).state


def with_chips(state: State, stacks: tuple[int, ...], main: int = 0, side: int = 0) -> State:
    """The same table with other chips."""
    return state._replace(chips=Chips(stacks, main, side))


def played(state: State, tricks: Tricks) -> tuple[State, list[Event]]:
    """The state after a deal in which the tricks went as told, and all that happened; it stops where the game ends."""
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
    """A step that leaves a sound state."""
    state, events = GAME.apply(state, seat, move)
    return state, list(events)


def _script(seats: tuple[Seat, ...], trump: str | None, tricks: Tricks) -> list[dict[Seat, Card]]:
    """The cards of thirteen tricks by seat. All but the last are of one suit each, so that everybody follows suit and
    the highest card takes; in the last everybody has one card left, of as many suits as there are, and trumps take.
    """
    suits = {
        suit: sorted((card for card in PACKS[len(seats)] if card[1] == suit), key=lambda card: STRENGTH.index(card[0]))
        for suit in SUITS
    }
    last = []
    for suit, cards in suits.items():
        if len(cards) % len(seats):
            ten = Card(f"T{suit}")
            last.append(ten if tricks.together and suit in "SC" else cards[0])
            cards.remove(last[-1])
    of_one_suit = [cards[at : at + len(seats)] for cards in suits.values() for at in range(0, len(cards), len(seats))]
    counted = list(tricks.counted)
    last_taker = tricks.spade_ten if tricks.together else counted.pop()
    tens = {SPADE_TEN: tricks.spade_ten, CLUB_TEN: tricks.club_ten}
    script = []
    for cards in of_one_suit:
        fallen = [tens[card] for card in cards if card in tens]
        taker = fallen[0] if fallen else counted.pop()
        script.append(_trick(seats, taker, cards))
    # Without trumps the last trick is taken by its leader, who took the one before.
    script.sort(key=lambda trick: max(trick, key=lambda seat: STRENGTH.index(trick[seat][0])) == last_taker)
    last.sort(key=lambda card: card[1] == trump)
    return [*script, _trick(seats, last_taker, last)]


def _trick(seats: tuple[Seat, ...], taker: Seat, cards: list[Card]) -> dict[Seat, Card]:
    *low, best = cards
    losers = [seat for seat in seats if seat != taker]
    return {taker: best, **dict(zip(losers, low, strict=True))}
