"""Chance in Pontis: the dealer, the foundations and the deal."""

from itertools import chain

from bot.errors import IllegalMove
from bot.games import cards
from bot.games.cards import RANKS, SUITS, Card, Dealer, DealerDrawn
from bot.games.game import Move, Seat, Shuffle, Step, replaced
from bot.games.pontis.moves import Deal, Dealt, Foundations, FoundationsLaid, FoundationTurned
from bot.games.pontis.state import State, cleared
from bot.games.pontis.turns import run

# ---- drawing


def draw(state: State, shuffle: Shuffle) -> Move:
    """Draw the chance entry that is due (G-12)."""
    match state.phase:
        case "dealer":
            return Dealer(shuffle.below(state.setup.players))
        case "foundations":
            suit = SUITS[shuffle.below(len(SUITS))]
            shuffled = shuffle.shuffle([Card(rank + suit) for rank in RANKS])
            return Foundations(tuple(shuffled[: state.setup.banks]))
        case _:
            return _draw_deal(state, shuffle)


def _draw_deal(state: State, shuffle: Shuffle) -> Deal:
    """Deal the shuffled pack one card at a time, from the dealer's left."""
    players = state.setup.players
    pack = shuffle.shuffle(cards.leave_out(state.setup.pack, state.foundations))
    dealt = state.setup.hand_size * players
    hands = tuple(tuple(pack[(seat - state.dealer - 1) % players : dealt : players]) for seat in range(players))
    return Deal(hands, tuple(pack[dealt:]))


# ---- applying


def apply_chance(state: State, move: Move) -> Step[State]:
    """Apply the chance entry that is due. Raise `IllegalMove` for any other."""
    match state.phase, move:
        case "dealer", Dealer(seat):
            return _apply_dealer(state, seat)
        case "foundations", Foundations(laid):
            return _apply_foundations(state, laid)
        case "deal", Deal():
            return _apply_deal(state, move)
        case _:
            raise IllegalMove("{move!r} can't be drawn here.", "G-01", move=str(move)[:40])


def _apply_dealer(state: State, seat: Seat) -> Step[State]:
    if seat >= state.setup.players:
        raise IllegalMove("There's no seat {seat} at this table.", "T-03", seat=seat)
    return Step(cleared(state.setup, "foundations", seat, ()), (DealerDrawn(seat),))


def _apply_foundations(state: State, laid: tuple[Card, ...]) -> Step[State]:
    banks = state.setup.banks
    if len(laid) != banks or len(set(laid)) != banks or len({card[1] for card in laid}) > 1:
        raise IllegalMove("The foundations are {banks} different cards of one suit.", "PT-04", banks=banks)
    return Step(state._replace(phase="deal", foundations=laid), (FoundationsLaid(laid[0][1]),))


def _apply_deal(state: State, deal: Deal) -> Step[State]:
    """Deal the hands. The dealer's first turn only turns up their foundation (PT-07)."""
    setup = state.setup
    if [*map(len, deal.hands), len(deal.rest)] != [setup.hand_size] * setup.players + [setup.rest]:
        raise IllegalMove(
            "Each seat gets {hand} cards, and {rest} stay out.", "PT-06", hand=setup.hand_size, rest=setup.rest
        )
    if sorted(chain(state.foundations, *deal.hands, deal.rest)) != sorted(setup.pack):
        raise IllegalMove("The cards dealt are the pack without the foundations.", "T-03")
    foundation = state.foundations[state.bank]
    dealt = state._replace(
        phase="play",
        hands=tuple(tuple(sorted(hand)) for hand in deal.hands),
        rest=deal.rest,
        banks=replaced(state.banks, state.bank, (foundation,)),
        slot=state.next_slot,
    )
    turned_up = FoundationTurned(state.dealer, state.bank, foundation)
    return run(dealt, (Dealt(state.dealer, setup.hand_size, setup.rest), turned_up))
