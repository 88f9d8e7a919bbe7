"""What the entries of a table of Pontis lead to, with all that follows from the rules without a choice (G-03)."""

from functools import lru_cache
from typing import Final, TypeVar

from bot.errors import IllegalMove
from bot.games import cards
from bot.games.card_table import Dealer, DealerDrawn
from bot.games.cards import JOKER, Card
from bot.games.game import Event, Move, Outcome, Seat, Step, places_of
from bot.games.pontis import bridges
from bot.games.pontis.events import (
    AbilityPassed,
    Bridged,
    Curdle,
    Dealt,
    FoundationsLaid,
    FoundationTurned,
    GameScored,
    LiarCalled,
    MatchOver,
    Missed,
    Result,
    Score,
    SumAbility,
)
from bot.games.pontis.moves import Deal, Foundations
from bot.games.pontis.setup import Setup
from bot.games.pontis.state import State, Window, can_move, cleared

OUT_BONUS: Final = 4
STUCK_PENALTY: Final = -2
CALL_POINTS: Final = 2

T = TypeVar("T")


# ---- chance


def apply_chance(state: State, move: Move) -> Step[State]:
    """The step of the chance entry that is due. Raises `IllegalMove` for any other."""
    match state.phase, move:
        case "dealer", Dealer(seat):
            return _apply_dealer(state, seat)
        case "foundations", Foundations(laid):
            return _apply_foundations(state, laid)
        case "deal", Deal():
            return _apply_deal(state, move)
        case _:
            raise IllegalMove(f"Chance does not write {str(move)[:40]!r} here.", "G-01")


def _apply_dealer(state: State, seat: Seat) -> Step[State]:
    if seat >= state.setup.players:
        raise IllegalMove(f"There is no seat {seat} to deal.", "T-03")
    return Step(cleared(state.setup, "foundations", seat, ()), (DealerDrawn(seat),))


def _apply_foundations(state: State, laid: tuple[Card, ...]) -> Step[State]:
    banks = state.setup.banks
    if len(laid) != banks or len(set(laid)) != banks or len({card[1] for card in laid}) > 1:
        raise IllegalMove(f"The foundations are {banks} different cards of one suit.", "PT-04")
    return Step(state._replace(phase="deal", foundations=laid), (FoundationsLaid(laid[0][1]),))


def _apply_deal(state: State, deal: Deal) -> Step[State]:
    setup = state.setup
    sizes = [len(group) for group in (*deal.hands, deal.rest)]
    if sizes != [setup.hand_size] * setup.players + [setup.rest]:
        raise IllegalMove(f"Each seat gets {setup.hand_size} cards, and {setup.rest} stay out.", "PT-06")
    dealt = [card for group in (*deal.hands, deal.rest) for card in group]
    if sorted(dealt) != sorted(cards.leave_out(setup.pack, state.foundations)):
        raise IllegalMove("The cards dealt are the pack without the foundations.", "T-03")
    hands = tuple(tuple(sorted(hand)) for hand in deal.hands)
    events: list[Event] = [Dealt(state.dealer, setup.hand_size, setup.rest)]
    # the dealer's first turn is nothing but turning up his foundation (PT-07)
    banks = _turn_up(state, state.banks, state.bank, state.dealer, events)
    state = state._replace(phase="play", hands=hands, rest=deal.rest, banks=banks, slot=_next(state))
    return Step(_run(state, events), tuple(events))


# ---- turns


def play(state: State, seat: Seat, card: Card) -> Step[State]:
    """The step of a bridge of one card by the seat on turn."""
    if card not in state.hands[seat]:
        raise IllegalMove(f"You don't hold {cards.face(card)}.", "PT-11")
    if bridges.value(card) not in state.required:
        raise IllegalMove(f"{cards.face(card)} is no bridge: {_asked(state)}.", "PT-10")
    return _bridge(state, seat, (card,), ())


def sum_of(state: State, seat: Seat, under: Card, top: Card) -> Step[State]:
    """The step of a bridge of two cards by the seat on turn."""
    hand = state.hands[seat]
    if not state.ability:
        raise IllegalMove("Two cards need the sum ability, and you don't have it now.", "PT-17")
    if under not in hand or top not in hand or (under == top and hand.count(top) < 2):
        raise IllegalMove(f"You don't hold {cards.face(under)} and {cards.face(top)}.", "PT-17")
    made = bridges.arithmetic(under, top, state.required)
    if not made:
        raise IllegalMove(f"{cards.face(under)} and {cards.face(top)} are no bridge: {_asked(state)}.", "PT-18")
    return _bridge(state, seat, (under, top), made)


def miss(state: State) -> Step[State]:
    """The step of a miss by the seat on turn."""
    if state.setup.fake == "off":
        raise IllegalMove("You hold a bridge and have to play one.", "PT-11")
    if state.ability:
        raise IllegalMove("With the sum ability you decline instead of missing.", "T-05")
    return _idle(state)


def decline(state: State) -> Step[State]:
    """The step of passing the sum ability on."""
    if state.setup.fake == "off":
        raise IllegalMove("You can play and have to.", "PT-19")
    if not state.ability:
        raise IllegalMove("Without the sum ability you miss instead of declining.", "T-05")
    return _idle(state)


def _asked(state: State) -> str:
    return " or ".join(bridges.explain(*state.tops))


def _idle(state: State) -> Step[State]:
    events: list[Event] = []
    return Step(_run(state, events, idle_now=True), tuple(events))


def _bridge(state: State, seat: Seat, played: tuple[Card, ...], made: tuple[str, ...]) -> Step[State]:
    own, affecter = state.tops
    top, at = played[-1], state.bank
    suit_point = top[1] == affecter[1] and top != JOKER
    hand = state.hands[seat]
    for card in played:
        hand = cards.without(hand, card)
    banks = _with(state.banks, at, state.banks[at] + played)
    events: list[Event] = [Bridged(seat, at, played, bridges.explain(own, affecter), made, suit_point)]
    curdle = _curdle(banks, at)
    if curdle is not None:
        events.append(curdle)
    state = state._replace(
        hands=_with(state.hands, seat, hand),
        banks=banks,
        slot=_next(state),
        idle=0,
        suit_points=_with(state.suit_points, seat, state.suit_points[seat] + 1) if suit_point else state.suit_points,
        window=_window(state, seat, played) if state.setup.liar == "on" else None,
    )
    if not hand:
        state = _finish(state, "out", seat, events)
    elif curdle is not None and curdle.complete and state.setup.curdle == "instant":
        state = _finish(state, "complete_curdle", seat, events)
    else:
        state = _run(state, events)
    return Step(state, tuple(events))


def _next(state: State) -> int:
    """The slot after that of the turn."""
    return (state.slot + 1) % state.setup.lap


def _curdle(banks: tuple[tuple[Card, ...], ...], at: int) -> Curdle | None:
    """The curdle that the last play, on the bank ``at``, made."""
    value, count = bridges.value(banks[at][-1]), len(banks)
    near = {(at - 1) % count, at, (at + 1) % count}
    same = [bank for bank in near if banks[bank] and bridges.value(banks[bank][-1]) == value]
    if len(same) == 1:
        return None
    if all(bank and bridges.value(bank[-1]) == value for bank in banks):
        return Curdle(tuple(range(count)), complete=True)
    return Curdle(tuple(sorted(same)), complete=False)


def _window(state: State, seat: Seat, played: tuple[Card, ...]) -> Window:
    denied = {value for required in state.missed[seat] for value in required}
    return Window(seat, played, any(bridges.value(card) in denied for card in played))


# ---- what follows without a choice

# kept, as the same few events are told again and again
_missed: Final = lru_cache(maxsize=4096)(Missed)
_ability_passed: Final = lru_cache(AbilityPassed)
_sum_ability: Final = lru_cache(SumAbility)


def _run(state: State, events: list[Event], *, idle_now: bool = False) -> State:
    """Up to the next seat that has something to write, or to the end of the game.

    ``idle_now``: the seat on turn has chosen to pass. Rows of turns without a play are long, so they are counted here
    and the state is made anew only when they end.
    """
    setup, banks, slot, idle, missed = state.setup, state.banks, state.slot, state.idle, list(state.missed)
    while True:
        seat, at = setup.owners[slot], slot % setup.banks
        if not banks[at]:
            banks = _turn_up(state, banks, at, seat, events)
        tops = banks[at][-1], banks[at - 1][-1]
        required, patience = bridges.required(*tops), setup.patience(tops)
        if not idle_now and (setup.fake == "on" or can_move(state.hands[seat], required, ability=idle >= patience)):
            return state._replace(banks=banks, slot=slot, idle=idle, missed=tuple(missed))
        idle_now = False
        if idle < patience:
            events.append(_missed(seat, at, required))
            missed[seat] = (*missed[seat], required)
        else:
            events.append(_ability_passed(seat))
        slot, idle = (slot + 1) % setup.lap, idle + 1
        if idle == patience + setup.lap:
            return _dry(state._replace(banks=banks, slot=slot, idle=idle, missed=tuple(missed)), events)
        if idle >= patience:
            events.append(_sum_ability(setup.owners[slot]))


def _turn_up(
    state: State, banks: tuple[tuple[Card, ...], ...], at: int, seat: Seat, events: list[Event]
) -> tuple[tuple[Card, ...], ...]:
    card = state.foundations[at]
    events.append(FoundationTurned(seat, at, card))
    return _with(banks, at, (card,))


def _dry(state: State, events: list[Event]) -> State:
    """The end of a game in which nobody can play, or wants to: the penalty is for the first miss (PT-31, T-11)."""
    reason = "complete_curdle" if bridges.equal(bank[-1] for bank in state.banks) else "stuck"
    return _finish(state, reason, state.setup.owners[(state.slot - state.idle) % state.setup.lap], events)


# ---- scoring


def _finish(state: State, reason: str, seat: Seat, events: list[Event]) -> State:
    """After a game: scored, and the table cleared for the next one or left as it is at the end of the last.

    ``seat`` is who went out or, if the game got stuck, who missed first.
    """
    setup = state.setup
    result = Result(reason, tuple(_score(state, reason, seat, side) for side in range(max(setup.sides) + 1)))
    results = (*state.results, result)
    scores = totals(setup, results)
    of_side = dict(zip(setup.sides, scores, strict=True))
    events.append(GameScored(len(state.results), result, tuple(of_side[side] for side in range(len(of_side)))))
    if len(results) < setup.games:
        return cleared(setup, "foundations", (state.dealer + 1) % setup.players, results)
    outcome = Outcome(scores, places_of(scores, setup.sides), reason)
    events.append(MatchOver(outcome))
    return state._replace(results=results, window=None, outcome=outcome)


def _score(state: State, reason: str, seat: Seat, side: int) -> Score:
    setup = state.setup
    members = [member for member, of_side in enumerate(setup.sides) if of_side == side]
    bonus_counts = setup.out_bonus == "always" or setup.games > 1
    return Score(
        cards=_cards(state, side),
        suit_points=sum(state.suit_points[member] for member in members),
        bonus=OUT_BONUS if reason == "out" and seat in members and bonus_counts else 0,
        penalty=STUCK_PENALTY if reason == "stuck" and seat in members else 0,
        calls=sum(state.calls[member] for member in members),
    )


def _cards(state: State, side: int) -> int:
    """The cards that count for a side (T-12)."""
    setup = state.setup
    if setup.teams == "on":
        return len(state.banks[side])
    if setup.banks < setup.players:
        return setup.hand_size - len(state.hands[side])
    return sum(len(bank) for bank, owner in zip(state.banks, setup.owners, strict=True) if owner == side)


def totals(setup: Setup, results: tuple[Result, ...]) -> tuple[int, ...]:
    """The points of the finished games, by seat; those of a side are repeated for each of its seats (G-07)."""
    return tuple(sum(result.scores[side].total for result in results) for side in setup.sides)


# ---- liar calls


def may_call(state: State, window: Window, seat: Seat) -> bool:
    """Whether the seat may call the last play: not its own, nor that of a team-mate (T-06)."""
    sides = state.setup.sides
    return sides[seat] != sides[window.seat]


def call(state: State, seat: Seat, accused: Seat) -> Step[State]:
    """The step of a liar call; the first one closes the window."""
    window = state.window
    if state.setup.liar == "off":
        raise IllegalMove("Nobody is called a liar at this table.", "PT-25")
    if window is None or accused != window.seat:
        raise IllegalMove("That player has no play that can be called now.", "T-06")
    if not may_call(state, window, seat):
        raise IllegalMove("You can't call yourself or a team-mate.", "T-06")
    calls = _with(state.calls, seat, state.calls[seat] + (CALL_POINTS if window.lie else -CALL_POINTS))
    if window.lie:
        calls = _with(calls, accused, calls[accused] - CALL_POINTS)
    return Step(state._replace(calls=calls, window=None), (LiarCalled(seat, accused, window.lie, CALL_POINTS),))


def _with(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])
