"""The tricks of Pot Black: which cards may be played, which one takes the trick, and what tricks cost and win."""

from collections.abc import Sequence

from bot.errors import IllegalMove
from bot.games.cards import LOW_TO_HIGH, SUIT_SYMBOLS, SUITS, Card, CardPlayed, face, replaced, without
from bot.games.game import Actor, Event, Step
from bot.games.pot_black.chips import Payment, ended, knocked_out, lost_by, open_deal, pay_penalty, settle
from bot.games.pot_black.moves import KnockedOut, TrickTaken
from bot.games.pot_black.state import BLACK_TENS, HAND, State, Trick, trumps


def strength(card: Card) -> int:
    """Return the strength of a card in its suit."""
    return LOW_TO_HIGH.index(card[0])


def position(card: Card) -> tuple[int, int]:
    """Return the place of a card in a sorted hand: by suit, the strongest first."""
    return SUITS.index(card[1]), -strength(card)


def playable(hand: tuple[Card, ...], trick: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards that may be played to the trick: those of the suit led if there are any, else all."""
    following = tuple([card for card in hand if trick and card[1] == trick[0][1]])
    return following or hand


def beats(card: Card, best: Card, trumps: str | None) -> bool:
    """Return whether a card beats the best card of a trick. ``trumps`` is a suit, or ``None`` for no trumps."""
    if card[1] == best[1]:
        return strength(card) > strength(best)
    return card[1] == trumps


def winner(trick: Sequence[Card], trumps: str | None) -> int:
    """Return the place of the card that takes the trick, counted from 0 in the order of play."""
    best = 0
    for at, card in enumerate(trick):
        if beats(card, trick[best], trumps):
            best = at
    return best


# ---- what a trick costs and wins


def play(state: State, seat: Actor, card: Card) -> Step[State]:
    """Play a card to the trick, following suit (BK-04). Raises `IllegalMove`."""
    turn = state.turn
    if turn is None or seat != turn:
        raise IllegalMove("It isn't your turn yet.", "BK-02")
    hand = state.hands[turn]
    if card not in hand:
        raise IllegalMove("You don't have {card}. Pick a card from your hand.", "G-04", card=face(card))
    if card not in playable(hand, state.trick):
        led = SUIT_SYMBOLS[state.trick[0][1]]
        raise IllegalMove("Follow suit: you have {suit}.", "BK-04", suit=led)
    after = state._replace(hands=replaced(state.hands, turn, without(hand, card)), trick=(*state.trick, card))
    events = (CardPlayed(turn, card),)
    return Step(after, events) if len(after.trick) < len(state.order) else _take(after, events)


def _take(state: State, events: tuple[Event, ...]) -> Step[State]:
    """Take a complete trick. The taker pays for black tens at once and leads to the next trick (BK-02, BK-06)."""
    setup, order, cards = state.setup, state.order, state.trick
    at = winner(cards, trumps(state.deal))
    taker = order[at]
    tens = sum(ten in cards for ten in BLACK_TENS)
    payment = pay_penalty(setup, state.chips, taker, tens) if tens else Payment(state.chips, (), frozenset())
    trick = Trick(order, cards, taker, not tens, payment.paid)
    after = state._replace(
        chips=payment.chips, order=order[at:] + order[:at], trick=(), tricks=(*state.tricks, trick), last_trick=trick
    )
    events = (*events, TrickTaken(taker, cards, not tens, tens * setup.penalty, payment.paid))
    if payment.short and setup.short == "strict":
        return Step(after._replace(outcome=lost_by(setup, after.chips.stacks, payment.short)), events)
    return _settle(after, events) if len(after.tricks) == HAND else Step(after, events)


def _settle(state: State, events: tuple[Event, ...]) -> Step[State]:
    """Settle a deal: share the pots, knock seats out, test for the end (K-02), then open the next deal."""
    setup, deal = state.setup, state.deal
    settled = settle(state)
    dropped = knocked_out(setup, settled.chips.stacks, state.in_play)
    out = tuple(deal if seat in dropped else left for seat, left in enumerate(state.out))
    after = state._replace(chips=settled.chips, out=out, settled=(*state.settled, settled))
    events = (*events, settled, *(KnockedOut(seat, deal) for seat in dropped))
    if outcome := ended(setup, settled.chips.stacks, out, deal):
        return Step(after._replace(outcome=outcome), events)
    # The deal passes to the left: to the first leader or, if they are out, to the next seat (K-04).
    first_order = state.tricks[0].seats
    return open_deal(after, next(seat for seat in first_order if seat not in dropped), events)
