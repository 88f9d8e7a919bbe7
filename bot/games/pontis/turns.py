"""Turns of Pontis: what the seat on turn may do, and bridges."""

from bot.errors import IllegalMove
from bot.games import cards
from bot.games.card_table import Play
from bot.games.cards import JOKER, Card, face
from bot.games.game import Event, Move, Seat, Step, replaced
from bot.games.pontis import bridges
from bot.games.pontis.events import Bridged, Curdle
from bot.games.pontis.forced import run
from bot.games.pontis.liar_calls import window_of
from bot.games.pontis.moves import DECLINE, MISS, Sum
from bot.games.pontis.scoring import finish
from bot.games.pontis.state import State

# ---- what the seat on turn may do


def moves(state: State) -> list[Move]:
    """Return the moves of the seat on turn: its bridges, and where fakes are allowed a miss or a refusal (T-05)."""
    hand, singles = state.hands[state.on_turn], bridges.single_bridges(state.required)
    found: list[Move] = [Play(card) for card in dict.fromkeys(hand) if card in singles]
    if state.ability:
        found += [Sum(under, top) for under, top in bridges.pairs(hand, state.required)]
    if state.setup.fake == "on":
        found.append(DECLINE if state.ability else MISS)
    return found


def play(state: State, seat: Seat, card: Card) -> Step[State]:
    """Bridge with one card."""
    if card not in state.hands[seat]:
        raise IllegalMove("You don't have {card}.", "PT-11", card=face(card))
    if card not in bridges.single_bridges(state.required):
        raise IllegalMove("{card} doesn't fit: {sums}.", "PT-10", card=face(card), sums=_sums(state))
    return _bridge(state, seat, (card,), ())


def play_sum(state: State, seat: Seat, under: Card, top: Card) -> Step[State]:
    """Bridge with two cards by the sum ability."""
    hand = state.hands[seat]
    if not state.ability:
        raise IllegalMove("You need the sum ability to play two cards. Play one.", "PT-17")
    if under not in hand or top not in hand or (under == top and hand.count(top) < 2):
        raise IllegalMove("You don't have {under} and {top}.", "PT-17", under=face(under), top=face(top))
    made = bridges.arithmetic(under, top, state.required)
    if not made:
        raise IllegalMove(
            "{under} and {top} don't fit: {sums}.", "PT-18", under=face(under), top=face(top), sums=_sums(state)
        )
    return _bridge(state, seat, (under, top), made)


def miss(state: State) -> Step[State]:
    """Miss by choice, where fakes are allowed."""
    if state.setup.fake == "off":
        raise IllegalMove("You can't miss: you have a card that fits.", "PT-11")
    if state.ability:
        raise IllegalMove("You have the sum ability: play, or pass it on.", "T-05")
    return run(state, (), skips=True)


def decline(state: State) -> Step[State]:
    """Pass the sum ability on by choice, where fakes are allowed."""
    if state.setup.fake == "off":
        raise IllegalMove("You can't pass: you have cards that fit.", "PT-19")
    if not state.ability:
        raise IllegalMove("You don't have the sum ability. You can miss instead.", "T-05")
    return run(state, (), skips=True)


def _sums(state: State) -> str:
    return ", ".join(bridges.explain(*state.tops))


# ---- bridges


def _bridge(state: State, seat: Seat, played: tuple[Card, ...], made: tuple[str, ...]) -> Step[State]:
    """Play cards on the bank of the turn. The last one ends on top, and only it can match a suit (PT-12, PT-13)."""
    bank, hand = state.bank, state.hands[seat]
    own, affecter = state.tops
    suit_point = played[-1][1] == affecter[1] and affecter != JOKER
    for card in played:
        hand = cards.without(hand, card)
    after = state._replace(
        hands=replaced(state.hands, seat, hand),
        banks=replaced(state.banks, bank, state.banks[bank] + played),
        suit_points=replaced(state.suit_points, seat, state.suit_points[seat] + suit_point),
        window=window_of(state, seat, played),
        slot=state.next_slot,
        idle=0,
    )
    events: tuple[Event, ...] = (Bridged(seat, bank, played, bridges.explain(own, affecter), made, suit_point),)
    curdle = _curdle(after.banks, bank)
    if curdle is not None:
        events += (curdle,)
    if not hand:
        return finish(after, "out", seat, events)
    if curdle is not None and curdle.complete and state.setup.curdle == "instant":
        return finish(after, "complete_curdle", seat, events)
    return run(after, events)


def _curdle(banks: tuple[tuple[Card, ...], ...], bank: int) -> Curdle | None:
    """Return the curdle of a bank with its neighbours, or with all banks (PT-28, T-09)."""
    top, near = banks[bank][-1], {(bank - 1) % len(banks), (bank + 1) % len(banks)}
    equal = [at for at in near if banks[at] and bridges.equal(banks[at][-1], top)]
    if not equal:
        return None
    if all(other and bridges.equal(other[-1], top) for other in banks):
        return Curdle(tuple(range(len(banks))), complete=True)
    return Curdle(tuple(sorted([bank, *equal])), complete=False)
