"""Between the deals of Pot Black: the dealer, antes, and the hands."""

from itertools import chain

from bot.errors import IllegalMove
from bot.games.cards import Dealer, DealerDrawn
from bot.games.game import CHANCE, Actor, Event, Move, Seat, Shuffle, Step
from bot.games.pot_black.chips import lost_by, pay_antes
from bot.games.pot_black.moves import AntePaid, Deal, Dealt
from bot.games.pot_black.state import HAND, PACKS, State, from_left_of, trumps


def draw(state: State, shuffle: Shuffle) -> Move:
    """Draw the dealer of the first deal, or deal thirteen cards each, one at a time from the dealer's left (K-04)."""
    if state.dealer is None:
        return Dealer(shuffle.below(state.setup.players))
    seats = state.in_play
    shuffled = shuffle.shuffle(PACKS[len(seats)])
    hands = {seat: tuple(shuffled[at :: len(seats)]) for at, seat in enumerate(from_left_of(state.dealer, seats))}
    return Deal(tuple(hands[seat] for seat in seats))


def apply_chance(state: State, seat: Actor, move: Move) -> Step[State]:
    """Apply the chance entry that is due. Raise `IllegalMove` for any other, and for a seat (G-01)."""
    if seat is CHANCE and state.outcome is None and not state.order:
        match move:
            case Dealer(dealer) if state.dealer is None and dealer < state.setup.players:
                return open_deal(state, dealer, (DealerDrawn(dealer),))
            case Deal() if state.dealer is not None:
                return _apply_deal(state, state.dealer, move)
    raise IllegalMove("This can't happen now at this table.", "G-01")


def open_deal(state: State, dealer: Seat, events: tuple[Event, ...]) -> Step[State]:
    """Pay the antes of the next deal. If payments are strict, a team that can't pay in full has lost (K-05)."""
    setup, seats, deal = state.setup, state.in_play, state.deal + 1
    ante = setup.ante(state.ante, len(seats))
    chips, paid, short = pay_antes(setup, state.chips, seats, ante)
    opened = state._replace(
        chips=chips, deal=deal, dealer=dealer, ante=ante, hands=((),) * setup.players, order=(), tricks=()
    )
    events = (*events, AntePaid(deal, ante, paid, chips))
    if short and setup.short == "strict":
        return Step(opened._replace(outcome=lost_by(setup, chips.stacks, short)), events)
    return Step(opened, events)


def _apply_deal(state: State, dealer: Seat, move: Deal) -> Step[State]:
    seats = state.in_play
    is_whole = sorted(chain(*move.hands)) == sorted(PACKS[len(seats)])
    if [len(hand) for hand in move.hands] != [HAND] * len(seats) or not is_whole:
        raise IllegalMove("A deal is the whole pack: thirteen cards for each of {n} seats.", "K-04", n=len(seats))
    hands = dict(zip(seats, move.hands, strict=True))
    order = from_left_of(dealer, seats)
    dealt = state._replace(
        hands=tuple(tuple(sorted(hands.get(seat, ()))) for seat in range(state.setup.players)), order=order
    )
    return Step(dealt, (Dealt(state.deal, dealer, order[0], trumps(state.deal)),))
