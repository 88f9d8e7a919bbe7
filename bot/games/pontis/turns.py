"""Turns of Pontis: bridges, turns without one (G-03, T-04), and liar calls (PT-25, T-06, T-07)."""

from typing import Final

from bot.errors import IllegalMove
from bot.games.cards import JOKER, Card, Play, face, replaced, without
from bot.games.game import Event, Move, Seat, Step
from bot.games.pontis import bridges
from bot.games.pontis.moves import (
    DECLINE,
    MISS,
    AbilityPassed,
    Bridged,
    Curdle,
    FoundationTurned,
    LiarCalled,
    Missed,
    Sum,
    SumAbility,
)
from bot.games.pontis.state import State, Window, finish

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
        raise IllegalMove("You don't have {card}.", "G-04", card=face(card))
    if card not in bridges.single_bridges(state.required):
        raise IllegalMove("{card} doesn't fit: {sums}.", "PT-10", card=face(card), sums=_sums(state))
    return _bridge(state, seat, (card,), ())


def play_sum(state: State, seat: Seat, under: Card, top: Card) -> Step[State]:
    """Bridge with two cards by the sum ability."""
    hand = state.hands[seat]
    if not state.ability:
        raise IllegalMove("You need the sum ability to play two cards. Play one.", "PT-17")
    if under not in hand or top not in hand or (under == top and hand.count(top) < 2):
        raise IllegalMove("You don't have {under} and {top}.", "G-04", under=face(under), top=face(top))
    made = bridges.arithmetic(under, top, state.required)
    if not made:
        raise IllegalMove(
            "{under} and {top} don't fit: {sums}.", "PT-18", under=face(under), top=face(top), sums=_sums(state)
        )
    return _bridge(state, seat, (under, top), made)


def miss(state: State) -> Step[State]:
    """Miss by choice, where fakes are allowed."""
    _check_fakes(state)
    if state.ability:
        raise IllegalMove("You have the sum ability: play, or pass it on.", "T-05")
    return run(state, (), skips=True)


def decline(state: State) -> Step[State]:
    """Pass the sum ability on by choice, where fakes are allowed."""
    _check_fakes(state)
    if not state.ability:
        raise IllegalMove("You don't have the sum ability. You can miss instead.", "T-05")
    return run(state, (), skips=True)


def _check_fakes(state: State) -> None:
    """Raise `IllegalMove` in honest play, where only seats that can play have a turn (T-04)."""
    if state.setup.fake == "on":
        return
    if state.ability:
        raise IllegalMove("You can't pass: you have cards that fit.", "PT-19")
    raise IllegalMove("You can't miss: you have a card that fits.", "PT-11")


def _sums(state: State) -> str:
    return ", ".join(bridges.explain(*state.tops))


# ---- bridges


def _bridge(state: State, seat: Seat, played: tuple[Card, ...], made: tuple[str, ...]) -> Step[State]:
    """Play cards on the bank of the turn. The last one ends on top, and only it can match a suit (PT-12, PT-13)."""
    bank, hand = state.bank, state.hands[seat]
    own, affecter = state.tops
    suit_point = played[-1][1] == affecter[1] and affecter != JOKER
    for card in played:
        hand = without(hand, card)
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


# ---- turns without a play


def run(state: State, events: tuple[Event, ...], *, skips: bool = False) -> Step[State]:
    """Continue to the next seat that has a choice, or to the end of the game.

    If ``skips``, the seat on turn has chosen to miss or to decline. Other turns without a play are forced: in honest
    play, a seat without a bridge must skip (PT-11).
    """
    setup, slot, idle = state.setup, state.slot, state.idle
    banks, missed, seen = [*state.banks], [*state.missed], [*events]
    passed: Seat | None = None
    while True:
        seat, bank = setup.owners[slot], slot % setup.banks
        if not banks[bank]:  # the first turn of a bank turns up its foundation (PT-07, PT-08)
            banks[bank] = (state.foundations[bank],)
            seen.append(FoundationTurned(seat, bank, state.foundations[bank]))
        required = bridges.required(banks[bank][-1], banks[bank - 1][-1])
        patience = setup.patience(required)
        has_ability = idle >= patience
        if has_ability and idle > state.idle:
            seen.append(SumAbility(seat, passed))
        if not skips and (setup.fake == "on" or _can_bridge(state.hands[seat], required, has_ability)):
            return Step(_after(state, slot, idle, banks, missed), tuple(seen))
        skips = False
        passed = seat if has_ability else None
        if has_ability:  # passed on (PT-22)
            seen.append(AbilityPassed(seat))
        else:
            missed[seat] += (required,)
            seen.append(Missed(seat, bank, required))
        slot, idle = (slot + 1) % setup.lap, idle + 1
        if idle == patience + setup.lap:
            return _end(_after(state, slot, idle, banks, missed), tuple(seen))


def _can_bridge(hand: tuple[Card, ...], required: bridges.Required, has_ability: bool) -> bool:  # noqa: FBT001 - whether the seat has the sum ability
    """Return whether a seat has a bridge: one card, or two with the sum ability (PT-10, PT-17)."""
    return not bridges.single_bridges(required).isdisjoint(hand) or (has_ability and bridges.has_pair(hand, required))


def _after(
    state: State, slot: int, idle: int, banks: list[tuple[Card, ...]], missed: list[tuple[bridges.Required, ...]]
) -> State:
    """Return the state in the turn of the slot."""
    return state._replace(slot=slot, idle=idle, banks=tuple(banks), missed=tuple(missed))


def _end(state: State, events: tuple[Event, ...]) -> Step[State]:
    """End a game in which nobody could play for a lap of misses and a lap of sum abilities (PT-22, PT-30, PT-37)."""
    first_misser = state.setup.owners[(state.slot - state.idle) % state.setup.lap]
    is_complete = all(bridges.equal(bank[-1], state.banks[0][-1]) for bank in state.banks)
    return finish(state, "complete_curdle" if is_complete else "stuck", first_misser, events)


CALL_POINTS: Final = 2


# ---- liar calls


def window_of(state: State, seat: Seat, played: tuple[Card, ...]) -> Window | None:
    """Return the window for calling this play. It is a lie if a card has a value that the seat once missed (T-07)."""
    if state.setup.liar == "off":
        return None
    missed = state.missed[seat]
    denied = bridges.missed_values(missed)
    return Window(seat, played, any(bridges.value(card) in denied for card in played), missed)


def may_call(state: State, seat: Seat) -> bool:
    """Return whether the seat may call the last play: not its own, nor a team-mate's (T-06)."""
    sides = state.setup.sides
    return state.window is not None and sides[seat] != sides[state.window.seat]


def call(state: State, seat: Seat, accused: Seat) -> Step[State]:
    """Call the last play a lie. The first call closes the window."""
    window = state.window
    if state.setup.liar == "off":
        raise IllegalMove("Calling a liar is off in this game.", "PT-25")
    if window is None or accused != window.seat:
        raise IllegalMove("You can only call someone a liar right after they play.", "T-06")
    if not may_call(state, seat):
        raise IllegalMove("You can't call yourself or a teammate a liar.", "T-06")
    calls = replaced(state.calls, seat, state.calls[seat] + (CALL_POINTS if window.lie else -CALL_POINTS))
    if window.lie:
        calls = replaced(calls, accused, calls[accused] - CALL_POINTS)
    return Step(state._replace(calls=calls, window=None), (LiarCalled(seat, accused, window.lie, CALL_POINTS),))
