"""Pond, the card game, for two players or two partnerships: rulings PC-01 to PC-37, P-01 to P-07 of the notation.

A round: poison is turned, sixteen cards each are dealt, everybody sets one aside in secret; then ponds are built and
tricks played for them until fewer than four cards are left, and the round is scored. What chance does is in
`deal`, who knows what in `sight`.
"""

import random
from collections.abc import Mapping
from typing import ClassVar, Final, NamedTuple

from bot.errors import IllegalMove
from bot.games import cards
from bot.games.card_table import CARD_PLAYED, PLAYS, CardPlayed, Play
from bot.games.cards import Card, face, without
from bot.games.game import (
    CHANCE,
    CHANCE_ONLY,
    NOBODY,
    Actor,
    Event,
    Game,
    Move,
    Option,
    Outcome,
    Seat,
    Shuffle,
    Step,
    Value,
    places_of,
)
from bot.games.pond.check import invariants
from bot.games.pond.deal import apply_chance, draw
from bot.games.pond.moves import (
    AWARDS,
    BAIT_LAID,
    BAITS,
    MOST_SEATS,
    PASS,
    PROFIT_CHOSEN,
    PROFITS,
    TRAP_DECLINED,
    TRAP_LAID,
    TRAPS,
    Award,
    Bait,
    BaitLaid,
    GameOver,
    Hand,
    HandsPickedUp,
    How,
    Pass,
    Profit,
    ProfitChosen,
    RoundScored,
    TieToDecide,
    Trap,
    TrapDeclined,
    TrapLaid,
    parse,
    trick_taken,
)
from bot.games.pond.scoring import (
    RoundScore,
    group_of,
    tally,
)
from bot.games.pond.sight import imagine, observe
from bot.games.pond.state import (
    LAID,
    Observation,
    Phase,
    Setup,
    State,
    Table,
    Taken,
    after_choosing,
    after_laying,
    after_taking,
    dealer_of,
    pile_of,
    sides_of,
    tied_in,
    totals_of,
)

LAST_HANDS: Final = 4
"""A round goes on while hands hold at least so many cards (PC-27)."""

_SEATS: Final = range(MOST_SEATS)
_ALONE: Final[tuple[frozenset[Actor], ...]] = tuple(frozenset({seat}) for seat in _SEATS)
_TOGETHER: Final[tuple[frozenset[Actor], ...]] = tuple(
    frozenset(seat for seat in _SEATS if bits >> seat & 1) for bits in range(1 << MOST_SEATS)
)
"""Seats by their bits."""

_new: Final = tuple.__new__  # takes half the time of Step(…); playing out and folding are mostly this

_TELLING: Final = {card: move for card, move in PROFITS.items() if group_of(card)}
"""The profit moves of the cards that may be set aside."""
_PICKED_UP: Final = HandsPickedUp()


class Due(NamedTuple):
    """What may be done in a phase, and what a seat is told, with a ruling, that does something else or is not due."""

    moves: tuple[type[Move], ...]
    what: tuple[str, str]
    whose: tuple[str, str]


_DUE: Final = {
    "profit": Due(
        (Profit,),
        ("Now everybody sets one card aside.", "PC-12"),
        ("You have set a card aside already.", "PC-12"),
    ),
    "bait": Due(
        (Bait,),
        ("Now everybody adds a bait to the pond.", "PC-17"),
        ("It is not your turn to bait.", "PC-17"),
    ),
    "trap": Due(
        (Trap, Pass),
        ("Now the starter opens a trap, or passes.", "PC-18"),
        ("Only the starter of the pond may open a trap.", "PC-18"),
    ),
    "traps": Due(
        (Trap,),
        ("Now everybody adds a trap card, face down.", "PC-18"),
        ("Your trap card is laid already.", "PC-19"),
    ),
    "play": Due(
        (Play,),
        ("Now everybody plays a card to the trick.", "P-03"),
        ("It is not your turn to play.", "P-03"),
    ),
    "award": Due(
        (Award,),
        ("Now the leader names who of the tied takes the trick.", "PC-24"),
        ("Only the leader names who takes a tied trick.", "PC-23"),
    ),
}


class Pond(Game[State, Observation]):
    """The rulebook of Pond · cards."""

    key = "pond"
    title = "Pond · cards"
    options = (
        Option("players", (2, 4), "Two players, or four in two partnerships", "PC-31", 2),
        Option("rounds", (4, 2), "How many rounds are played", "PC-36", 4),
        Option(
            "tie",
            ("leader", "first"),
            "Who of the tied takes a trick: the leader says, or the first",
            "PC-24",
            "leader",
        ),
        Option("tiebreak", ("none", "extra"), "Equal at the end: a draw, or two more rounds", "PC-35", "none"),
        Option("history", ("log", "last"), "What is shown of earlier tricks: all, or the last only", "PC-21", "log"),
    )
    reasons: ClassVar = {
        "points": "The last round is scored and one side has more points.",
        "draw": "The last round is scored and both sides have the same points.",
    }
    quiet: ClassVar = (ProfitChosen, TrapLaid, TrapDeclined)
    uninformative: ClassVar = (ProfitChosen, TrapLaid)
    own: ClassVar = (BaitLaid, TrapDeclined, CardPlayed)

    def seats(self, options: Mapping[str, Value]) -> int:
        """Two or four."""
        return int(options["players"])

    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """Opposite seats are partners."""
        return sides_of(self.seats(options))

    # ---- play

    def start(self, options: Mapping[str, Value]) -> State:
        """The state before the dealer is drawn."""
        return State(
            Setup(
                players=int(options["players"]),
                rounds=int(options["rounds"]),
                tie=str(options["tie"]),
                tiebreak=str(options["tiebreak"]),
                history=str(options["history"]),
            )
        )

    def options_of(self, state: State) -> Mapping[str, Value]:
        """The settled options that the state was started with."""
        return state.setup._asdict()

    def standing(self, state: State) -> tuple[int, ...]:
        """The totals of the finished rounds (G-10)."""
        return totals_of(state)

    def to_act(self, state: State) -> frozenset[Actor]:
        """Who owes an entry: everybody who has not chosen, or laid his trap card; else one seat, or chance."""
        if state.outcome is not None:
            return NOBODY
        match state.phase:
            case "play":
                return _ALONE[(state.starter + len(state.trick)) % state.setup.players]
            case "bait":
                return _ALONE[(state.starter + len(state.baits)) % state.setup.players]
            case "trap" | "award":
                return _ALONE[state.starter]
            case "profit":
                return _choosing(state)
            case "traps":
                return _following(state)
            case _:
                return CHANCE_ONLY

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """Every move of the seat that `apply` accepts now, sorted by text."""
        if seat not in self.to_act(state):
            return ()
        match state.phase:
            case "play":
                return _each(PLAYS, state, seat)
            case "bait":
                return _each(BAITS, state, seat)
            case "trap":
                return (PASS, *_each(TRAPS, state, seat))
            case "traps":
                return _each(TRAPS, state, seat)
            case "profit":
                return tuple([_TELLING[card] for card in dict.fromkeys(state.hands[seat]) if card in _TELLING])
            case _:
                return tuple([AWARDS[tied] for tied in sorted(tied_in(state.trick))])

    def apply_move(self, state: State, seat: Actor, move: Move) -> Step[State]:
        """The step of any move but a resignation. Raises `IllegalMove` with a sentence and a ruling."""
        match state.phase if state.outcome is None else "over":
            case "play":
                return _play(state, seat, move)
            case "bait":
                return _bait(state, seat, move)
            case "trap":
                return _trap(state, seat, move)
            case "traps":
                return _follow_with_trap(state, seat, move)
            case "profit":
                return _profit(state, seat, move)
            case "award":
                return _award(state, seat, move)
            case "over":
                raise IllegalMove("The table is over.", "G-11")
            case _:
                return apply_chance(state, seat, move)

    def chance(self, state: State, shuffle: Shuffle) -> Move:
        """The chance entry that is due. Raises `IllegalMove` if none is."""
        return draw(state, shuffle)

    # ---- the rest

    def observe(self, state: State, seat: Seat | None) -> Observation:
        """What the seat, or the public, can know."""
        return observe(state, seat, self.to_act(state), () if seat is None else self.legal(state, seat))

    def imagine(self, observation: Observation, rng: random.Random) -> State:
        """A whole state that agrees with the observation, what it hides made up.

        With ``history=last`` the tricks that are no longer shown are made up without regard to who won them.
        """
        return imagine(observation, rng)

    def check(self, state: State) -> tuple[str, ...]:
        """The name of each invariant that the state breaks: none, always."""
        return tuple(name for name, holds in invariants(state) if not holds)

    def parse(self, text: str) -> Move:
        """The move whose text this is, to the letter. Raises `InvalidMove`."""
        return parse(text)

    def tidy(self, text: str) -> str:
        """What a person typed, cards and words brought into the form that `parse` reads."""
        return cards.tidy(text)


def _each(moves: Mapping[Card, Move], state: State, seat: Seat) -> tuple[Move, ...]:
    """The moves of a hand, in its order; equal cards, which two packs have, are one move (G-04)."""
    hand = state.hands[seat]
    return tuple(map(moves.__getitem__, hand if state.setup.players == 2 else dict.fromkeys(hand)))


# ---- what a seat does, phase by phase


def _profit(state: State, seat: Actor, move: Move) -> Step[State]:
    if type(move) is not Profit or seat is CHANCE or seat not in _choosing(state):
        raise _refusal(state, seat, move)
    card = move.card
    hands = _hands_without(state, seat, card, "P-04")
    if group_of(card) is None:
        raise IllegalMove(f"{face(card)} can't be set aside: it stands for no group, or for two.", "PC-13")
    set_aside = (*state.set_aside[:seat], card, *state.set_aside[seat + 1 :])
    hidden, chosen = state.hidden, PROFIT_CHOSEN[seat]
    if None in set_aside:
        return Step(after_choosing(state, hidden, set_aside, ("profit", hands, (), (), ())), chosen)
    full = tuple([tuple(sorted(hand + more)) for hand, more in zip(hands, hidden, strict=True)])
    return Step(after_choosing(state, (), set_aside, ("bait", full, (), (), ())), (*chosen, _PICKED_UP))


def _choosing(state: State) -> frozenset[Actor]:
    """Who has not set a card aside yet."""
    left = 0
    for seat, card in enumerate(state.set_aside):
        if card is None:
            left |= 1 << seat
    return _TOGETHER[left]


def _bait(state: State, seat: Actor, move: Move) -> Step[State]:
    players = state.setup.players
    turn = (state.starter + len(state.baits)) % players
    if type(move) is not Bait or seat != turn:
        raise _refusal(state, seat, move)
    card = move.card
    hands = _hands_without(state, turn, card, "PC-17")
    baits = state.baits + LAID[turn][card]
    phase: Phase = "trap" if len(baits) == players else "bait"
    return _new(Step, (after_laying(state, (phase, hands, baits, (), ())), BAIT_LAID[turn][card]))


def _trap(state: State, seat: Actor, move: Move) -> Step[State]:
    starter = state.starter
    if type(move) not in (Trap, Pass) or seat != starter:
        raise _refusal(state, seat, move)
    if isinstance(move, Trap):
        return _lay_trap(state, starter, move.card)
    table: Table = ("play", state.hands, state.baits, (), ())
    return _new(Step, (after_laying(state, table), TRAP_DECLINED[starter]))


def _follow_with_trap(state: State, seat: Actor, move: Move) -> Step[State]:
    if type(move) is not Trap or seat is CHANCE or seat not in _following(state):
        raise _refusal(state, seat, move)
    return _lay_trap(state, seat, move.card)


def _following(state: State) -> frozenset[Actor]:
    """Who has not laid his trap card yet, once the starter has opened a trap."""
    left = (1 << state.setup.players) - 1
    for laid in state.traps:
        left ^= 1 << laid.seat
    return _TOGETHER[left]


def _lay_trap(state: State, seat: Seat, card: Card) -> Step[State]:
    hands = _hands_without(state, seat, card, "PC-18")
    traps = state.traps + LAID[seat][card]
    phase: Phase = "play" if len(traps) == state.setup.players else "traps"
    return _new(Step, (after_laying(state, (phase, hands, state.baits, traps, ())), TRAP_LAID[seat]))


def _play(state: State, seat: Actor, move: Move) -> Step[State]:
    players = state.setup.players
    turn = (state.starter + len(state.trick)) % players
    if type(move) is not Play or seat != turn:
        raise _refusal(state, seat, move)
    card = move.card
    hands = _hands_without(state, turn, card, "PC-22")
    trick = state.trick + LAID[turn][card]
    played = CARD_PLAYED[turn][card]
    if len(trick) < players:
        return _new(Step, (after_laying(state, ("play", hands, state.baits, state.traps, trick)), played))
    tied = tied_in(trick)
    if len(tied) > 1 and state.setup.tie == "leader":
        to_award = after_laying(state, ("award", hands, state.baits, state.traps, trick))
        return Step(to_award, (*played, TieToDecide(state.starter, tuple(sorted(tied)))))
    taken = _new(Taken, (state.baits, state.traps, trick, tied[0]))
    return _take(after_taking(state, hands, taken), taken, "best" if len(tied) == 1 else "first", played)


def _award(state: State, seat: Actor, move: Move) -> Step[State]:
    if type(move) is not Award or seat != state.starter:
        raise _refusal(state, seat, move)
    if move.seat not in tied_in(state.trick):
        raise IllegalMove("Only one of the tied players can be named.", "PC-24")
    taken = _new(Taken, (state.baits, state.traps, state.trick, move.seat))
    return _take(after_taking(state, state.hands, taken), taken, "awarded", ())


def _refusal(state: State, seat: Actor, move: Move) -> IllegalMove:
    """Why the seat can't make such a move now, whatever card it is about."""
    if seat is CHANCE:
        return IllegalMove("No chance is due now.", "G-01")
    if seat >= state.setup.players:
        return IllegalMove(f"Seat {seat} is not at this table.", "PC-31")
    due = _DUE[state.phase]
    return IllegalMove(*(due.whose if isinstance(move, due.moves) else due.what))


def _hands_without(state: State, seat: Seat, card: Card, ruling: str) -> tuple[Hand, ...]:
    """All hands once the seat has let go of the card. Raises `IllegalMove` if it isn't held."""
    hands = list(state.hands)
    try:
        hands[seat] = without(hands[seat], card)
    except ValueError:
        raise IllegalMove(f"{face(card)} is not in your hand.", ruling) from None
    return tuple(hands)


# ---- what follows


def _take(after: State, taken: Taken, how: How, before: tuple[Event, ...]) -> Step[State]:
    """Trick and pond are taken; the round may be over with them (PC-27)."""
    events = before + trick_taken(taken.taker, len(taken.laid), how)
    return _new(Step, (after, events)) if len(after.hands[0]) >= LAST_HANDS else _score(after, events)


def _score(state: State, before: tuple[Event, ...]) -> Step[State]:
    """Everything is revealed and scored (PC-28, PC-31, PC-34); the next round, or the end."""
    number, score = len(state.rounds), _round_score(state)
    after = State(state.setup, state.first_dealer, rounds=(*state.rounds, score), phase="poison")
    totals = totals_of(after)
    scored = (*before, RoundScored(number, score, totals))
    if not _is_last(state.setup, number + 1, totals):
        return Step(after, scored)
    places = places_of(totals, sides_of(state.setup.players))
    outcome = Outcome(totals, places, "points" if 2 in places else "draw")
    return Step(after._replace(phase="over", outcome=outcome), (*scored, GameOver(outcome)))


def _round_score(state: State) -> RoundScore:
    tallies = tuple(
        [
            tally(pile_of(state, seat), state.turned[seat][-1][1], set_aside, state.hands[seat])
            for seat, set_aside in enumerate(state.set_aside)
            if set_aside is not None
        ]
    )
    of_side = [sum([one.points for one in tallies[side::2]]) for side in (0, 1)]
    return RoundScore(dealer_of(state) or 0, tallies, tuple([of_side[side] for side in sides_of(len(tallies))]))


def _is_last(setup: Setup, played: int, totals: tuple[int, ...]) -> bool:
    """Whether the game ends after so many rounds: extra rounds come in pairs while the sides are level (P-06)."""
    if played < setup.rounds or (played - setup.rounds) % 2:
        return False
    return setup.tiebreak == "none" or totals[0] != totals[1]
