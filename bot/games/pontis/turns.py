"""What the entries of a table of Pontis lead to, with all that follows from the rules without a choice (G-03)."""

from collections.abc import Sequence
from itertools import chain
from typing import Final, TypeVar

from bot.errors import IllegalMove
from bot.games import cards
from bot.games.card_table import MOST_SEATS, Dealer, DealerDrawn
from bot.games.cards import JOKER, Card
from bot.games.game import Event, Move, Outcome, Seat, Step, places_of
from bot.games.pontis import bridges
from bot.games.pontis.bridges import SPANS, Span
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
from bot.games.pontis.state import State, Window, cleared

OUT_BONUS: Final = 4
STUCK_PENALTY: Final = -2
CALL_POINTS: Final = 2

T = TypeVar("T")

Laid = tuple[list[tuple[Card, ...]], list[tuple[Card, ...]], tuple[int, ...], Window | None]
"""What lies on the table after an entry, not yet a state: hands, banks, suit points and the window, as in `State`."""

_KEPT: Final = State._fields.index("hands")
_new: Final = tuple.__new__  # takes a third of the time of State(…), and a tenth of that of _replace


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
    if [*map(len, deal.hands), len(deal.rest)] != [setup.hand_size] * setup.players + [setup.rest]:
        raise IllegalMove(f"Each seat gets {setup.hand_size} cards, and {setup.rest} stay out.", "PT-06")
    pack = [*state.foundations, *chain(*deal.hands, deal.rest)]
    if {*pack} != {*setup.pack} or pack.count(JOKER) != setup.jokers:  # as many as there should be, so none twice
        raise IllegalMove("The cards dealt are the pack without the foundations.", "T-03")
    events: list[Event] = [Dealt(state.dealer, setup.hand_size, setup.rest)]
    # the dealer's first turn is nothing but turning up his foundation (PT-07)
    banks = [*state.banks]
    _turn_up(state, banks, state.slot, events)
    state = state._replace(phase="play", rest=deal.rest)
    laid = ([tuple(sorted(hand)) for hand in deal.hands], banks, state.suit_points, None)
    return Step(_run(state, laid, _next(state), 0, events), tuple(events))


# ---- turns


def play(state: State, seat: Seat, card: Card) -> Step[State]:
    """The step of a bridge of one card by the seat on turn."""
    span = state.span
    if card not in state.hands[seat]:
        raise IllegalMove(f"You don't hold {cards.face(card)}.", "PT-11")
    if card not in span.singles:
        raise IllegalMove(f"{cards.face(card)} is no bridge: asked for is {_asked(state)}.", "PT-10")
    return _bridge(state, seat, span, (card,), ())


def sum_of(state: State, seat: Seat, under: Card, top: Card) -> Step[State]:
    """The step of a bridge of two cards by the seat on turn."""
    hand, span = state.hands[seat], state.span
    if state.idle < state.setup.patience[span.equal]:
        raise IllegalMove("Two cards need the sum ability, and you don't have it now.", "PT-17")
    if under not in hand or top not in hand or (under == top and hand.count(top) < 2):
        raise IllegalMove(f"You don't hold {cards.face(under)} and {cards.face(top)}.", "PT-17")
    made = bridges.arithmetic(under, top, span.required)
    if not made:
        raise IllegalMove(
            f"{cards.face(under)} and {cards.face(top)} are no bridge: asked for is {_asked(state)}.", "PT-18"
        )
    return _bridge(state, seat, span, (under, top), made)


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
    return " or ".join(state.span.asked)


def _idle(state: State) -> Step[State]:
    events: list[Event] = []
    laid = ([*state.hands], [*state.banks], state.suit_points, state.window)
    return Step(_run(state, laid, state.slot, state.idle, events), tuple(events))


def _bridge(state: State, seat: Seat, span: Span, played: tuple[Card, ...], made: tuple[str, ...]) -> Step[State]:
    setup, hands, banks, suit_points = state.setup, [*state.hands], [*state.banks], state.suit_points
    at, top = state.slot % setup.banks, played[-1]
    before, after = banks[at - 1], banks[(at + 1) % setup.banks]
    hand = hands[seat]
    for card in played:
        hand = cards.without(hand, card)
    hands[seat] = hand
    banks[at] += played
    suit_point = top[1] == before[-1][1] and top != JOKER
    if suit_point:
        suit_points = _with(suit_points, seat, suit_points[seat] + 1)
    events: list[Event] = [Bridged(seat, at, played, span.asked, made, suit_point)]
    is_complete, spans = False, SPANS[top]
    if spans[before[-1]].equal or (after and spans[after[-1]].equal):
        curdle = _curdle(banks, at)
        is_complete = curdle.complete
        events.append(curdle)
    window = _window(state, seat, played) if setup.liar == "on" else None
    if not hand or (is_complete and setup.curdle == "instant"):
        state = state._replace(
            hands=tuple(hands), banks=tuple(banks), slot=_next(state), idle=0, suit_points=suit_points, window=window
        )
        state = _finish(state, "complete_curdle" if hand else "out", seat, events)
    else:
        state = _run(state, (hands, banks, suit_points, window), (state.slot + 1) % setup.lap, 0, events)
    return _new(Step, (state, tuple(events)))


def _next(state: State) -> int:
    """The slot after that of the turn."""
    return (state.slot + 1) % state.setup.lap


def _curdle(banks: Sequence[tuple[Card, ...]], at: int) -> Curdle:
    """The curdle that the last play made, on the bank ``at``."""
    count, spans = len(banks), SPANS[banks[at][-1]]
    same = [number for number, bank in enumerate(banks) if bank and spans[bank[-1]].equal]
    if len(same) == count:
        return Curdle(tuple(same), complete=True)
    near = {(at - 1) % count, at, (at + 1) % count}
    return Curdle(tuple([number for number in same if number in near]), complete=False)


def _window(state: State, seat: Seat, played: tuple[Card, ...]) -> Window:
    denied = {value for required in state.missed[seat] for value in required}
    return Window(seat, played, any(bridges.value(card) in denied for card in played))


# ---- what follows without a choice

# made once for all, as the same few events are told again and again
_MISSED: Final = {
    asked: tuple([tuple([Missed(seat, bank, asked) for bank in range(MOST_SEATS)]) for seat in range(MOST_SEATS)])
    for asked in sorted({span.required for spans in SPANS.values() for span in spans.values()})
}
_ABILITY_PASSED: Final = tuple(map(AbilityPassed, range(MOST_SEATS)))
_SUM_ABILITY: Final = tuple(map(SumAbility, range(MOST_SEATS)))


def _run(state: State, laid: Laid, slot: int, idle: int, events: list[Event]) -> State:
    """Up to the next seat that has something to write, or to the end of the game.

    It begins with the turn of that slot, after as many turns in a row without a play; if that is still the turn of the
    state, the seat on turn has chosen to pass. Most entries are followed by some forced misses: they are counted here,
    and one new state is made of it all.
    """
    hands, banks, suit_points, window = laid
    setup, missed, passes_now = state.setup, [*state.missed], slot == state.slot
    owners, lap, count, patience_of, may_fake = setup.owners, setup.lap, setup.banks, setup.patience, setup.fake == "on"
    while True:
        seat, at = owners[slot], slot % count
        if not banks[at]:
            _turn_up(state, banks, slot, events)
        span = SPANS[banks[at][-1]][banks[at - 1][-1]]
        patience = patience_of[span.equal]
        if not passes_now and (
            may_fake
            or not span.singles.isdisjoint(hands[seat])
            or (idle >= patience and bridges.has_pair(hands[seat], span.required))
        ):
            break
        passes_now = False
        if idle < patience:
            events.append(_MISSED[span.required][seat][at])
            missed[seat] += (span.required,)
        else:
            events.append(_ABILITY_PASSED[seat])
        slot, idle = (slot + 1) % lap, idle + 1
        if idle == patience + lap:
            break
        if idle >= patience:
            events.append(_SUM_ABILITY[owners[slot]])
    changed = (tuple(hands), tuple(banks), slot, idle, suit_points, tuple(missed), window, None)
    state = _new(State, state[:_KEPT] + changed)
    return _dry(state, events) if idle == patience + lap else state


def _turn_up(state: State, banks: list[tuple[Card, ...]], slot: int, events: list[Event]) -> None:
    at = slot % state.setup.banks
    banks[at] = (state.foundations[at],)
    events.append(FoundationTurned(state.setup.owners[slot], at, state.foundations[at]))


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
    result = Result(reason, tuple([_score(state, reason, seat, side) for side in range(len(setup.members))]))
    results = (*state.results, result)
    scores = totals(setup, results)
    events.append(GameScored(len(state.results), result, tuple([scores[members[0]] for members in setup.members])))
    if len(results) < setup.games:
        return cleared(setup, "foundations", (state.dealer + 1) % setup.players, results)
    outcome = Outcome(scores, places_of(scores, setup.sides), reason)
    events.append(MatchOver(outcome))
    return state._replace(results=results, window=None, outcome=outcome)


def _score(state: State, reason: str, seat: Seat, side: int) -> Score:
    setup = state.setup
    members = setup.members[side]
    bonus_counts = setup.out_bonus == "always" or setup.games > 1
    is_concerned = seat in members
    return Score(
        cards=_cards(state, side),
        suit_points=sum([state.suit_points[member] for member in members]),
        bonus=OUT_BONUS if is_concerned and reason == "out" and bonus_counts else 0,
        penalty=STUCK_PENALTY if is_concerned and reason == "stuck" else 0,
        calls=sum([state.calls[member] for member in members]),
    )


def _cards(state: State, side: int) -> int:
    """The cards that count for a side (T-12)."""
    setup = state.setup
    if setup.teams == "on":
        return len(state.banks[side])
    if setup.banks < setup.players:
        return setup.hand_size - len(state.hands[side])
    each = setup.banks // setup.players
    return sum(map(len, state.banks[side * each : (side + 1) * each]))


def totals(setup: Setup, results: tuple[Result, ...]) -> tuple[int, ...]:
    """The points of the finished games, by seat; those of a side are repeated for each of its seats (G-07)."""
    return tuple([sum([result.scores[side].total for result in results]) for side in setup.sides])


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
    changed = [*items]
    changed[at] = item
    return tuple(changed)
