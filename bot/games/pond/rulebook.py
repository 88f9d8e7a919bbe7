"""The rulebook of Pond, a card game by Michael Schoessow for two players or two partnerships.

In a round, poison is turned, sixteen cards each are dealt, and everybody sets one aside in secret. Then ponds are built
and tricks played for them, until fewer than four cards are left. Rulings: PC-01 to PC-37, P-01 to P-07.
"""

from collections.abc import Mapping
from typing import ClassVar, Final

from bot.errors import IllegalMove, Text
from bot.games import cards
from bot.games.cards import Card, CardPlayed, Play, face, replaced, without
from bot.games.daily import Daily
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
    Step,
    Value,
    places_of,
)
from bot.games.pond import deal, moves
from bot.games.pond.scoring import RoundScore, group_of, tally
from bot.games.pond.state import Laid, Observation, Phase, Setup, State, Taken, observe, sides_of

FEWEST_CARDS: Final = 4
"""A round continues while hands hold at least this many cards (PC-27)."""


_MOVES: Final[Mapping[str, tuple[type[Move], ...]]] = {
    "profit": (moves.Profit,),
    "bait": (moves.Bait,),
    "trap": (moves.Trap, moves.Pass),
    "traps": (moves.Trap,),
    "play": (Play,),
    "award": (moves.Award,),
}
"""The moves of each phase."""


def owing(state: State) -> frozenset[Seat]:
    """Return the seats that owe an entry: several in the phases that are played at once (PC-12, PC-19)."""
    match state.phase:
        case "profit":
            return frozenset([seat for seat, card in enumerate(state.set_aside) if card is None])
        case "traps":
            return frozenset(range(state.setup.players)) - {laid.seat for laid in state.traps}
        case "bait":
            return frozenset({(state.starter + len(state.baits)) % state.setup.players})
        case "play":
            return frozenset({(state.starter + len(state.trick)) % state.setup.players})
        case _:
            return frozenset({state.starter})


def _check_due(state: State, seat: Actor, move: Move) -> Seat:
    """Return the seat if it owes such a move."""
    if seat is CHANCE:
        raise IllegalMove("No cards are dealt now.", "G-01")
    if seat >= state.setup.players:
        raise IllegalMove("There's no seat {seat} at this table.", "PC-31", seat=seat)
    if not isinstance(move, _MOVES[state.phase]):
        raise _wrong_move(state)
    if seat not in owing(state):
        raise _wrong_seat(state)
    return seat


def _of_ties(state: State) -> str:
    """Return the ruling on ties."""
    return "PC-23" if state.setup.players == 2 else "PC-24"


def _wrong_move(state: State) -> IllegalMove:
    """Return the refusal of a move that belongs to another phase."""
    match state.phase:
        case "profit":
            return IllegalMove("Choose your profit first: set one card aside.", "PC-12")
        case "bait":
            return IllegalMove("Everyone adds a bait to the pond first.", "PC-17")
        case "trap":
            return IllegalMove("First, the player who started the pond lays a trap or passes.", "PC-18")
        case "traps":
            return IllegalMove("Everyone lays a trap first: any card, face down.", "PC-18")
        case "play":
            return IllegalMove("The pond is ready. Play a card to the trick.", "P-03")
        case _:
            return IllegalMove("The trick is tied. Its leader decides who takes it.", _of_ties(state))


def _wrong_seat(state: State) -> IllegalMove:
    """Return the refusal of a move of another seat."""
    match state.phase:
        case "profit":
            return IllegalMove("You've already set a card aside.", "PC-12")
        case "bait":
            return IllegalMove("It isn't your turn to add a bait yet.", "PC-17")
        case "trap":
            return IllegalMove("Only the player who started the pond can lay the first trap.", "PC-18")
        case "traps":
            return IllegalMove("You've already laid your trap.", "PC-19")
        case "play":
            return IllegalMove("It isn't your turn to play yet.", "P-03")
        case _:
            return IllegalMove("Only the leader of the trick decides who takes it.", _of_ties(state))


def _hands_without(state: State, seat: Seat, card: Card) -> tuple[moves.Hand, ...]:
    """Return all hands after the seat has laid the card."""
    hand = state.hands[seat]
    if card not in hand:
        raise IllegalMove("{card} isn't in your hand.", "G-04", card=face(card))
    return replaced(state.hands, seat, without(hand, card))


def _set_aside(state: State, seat: Seat, card: Card) -> Step[State]:
    """Set a card aside in secret. When all have, every seat picks up its hidden five (PC-12)."""
    hands = _hands_without(state, seat, card)
    if group_of(card) is None:
        raise IllegalMove("{card} can't choose a profit. Set aside an ace, 2, 3 or 5 to 10.", "PC-13", card=face(card))
    set_aside = replaced(state.set_aside, seat, card)
    if None in set_aside:
        return Step(state._replace(hands=hands, set_aside=set_aside), (moves.ProfitChosen(seat),))
    full = tuple([tuple(sorted(hand + five)) for hand, five in zip(hands, state.hidden, strict=True)])
    after = state._replace(phase="bait", hands=full, hidden=(), set_aside=set_aside)
    return Step(after, (moves.ProfitChosen(seat), moves.HandsPickedUp()))


def _bait(state: State, seat: Seat, card: Card) -> Step[State]:
    """Add a card to the pond, face up. After all baits, the starter may open a trap (PC-17, PC-18)."""
    hands = _hands_without(state, seat, card)
    baits = (*state.baits, Laid(seat, card))
    phase: Phase = "trap" if len(baits) == state.setup.players else "bait"
    return Step(state._replace(phase=phase, hands=hands, baits=baits), (moves.BaitLaid(seat, card),))


def _trap(state: State, seat: Seat, card: Card) -> Step[State]:
    """Add a card to the pond, face down. After the starter's trap, every seat has to lay one (PC-18, PC-19)."""
    hands = _hands_without(state, seat, card)
    traps = (*state.traps, Laid(seat, card))
    phase: Phase = "play" if len(traps) == state.setup.players else "traps"
    return Step(state._replace(phase=phase, hands=hands, traps=traps), (moves.TrapLaid(seat),))


def _play(state: State, seat: Seat, card: Card) -> Step[State]:
    """Play any card to the trick (PC-22). The best card takes it; the option ``tie`` decides between equal ones."""
    hands = _hands_without(state, seat, card)
    after = state._replace(hands=hands, trick=(*state.trick, Laid(seat, card)))
    played = CardPlayed(seat, card)
    if len(after.trick) < state.setup.players:
        return Step(after, (played,))
    tied = after.tied
    if len(tied) > 1 and state.setup.tie == "leader":
        return Step(after._replace(phase="award"), (played, moves.TieToDecide(state.starter, tuple(sorted(tied)))))
    return _take(after, tied[0], "best" if len(tied) == 1 else "first", (played,))


def _award(state: State, taker: Seat) -> Step[State]:
    """Give the trick to one of the tied seats (PC-23, PC-24)."""
    if taker not in state.tied:
        raise IllegalMove("Choose one of the tied players.", _of_ties(state))
    return _take(state, taker, "awarded", ())


def _take(state: State, taker: Seat, how: moves.How, events: tuple[Event, ...]) -> Step[State]:
    """Take the trick and the pond. The taker starts the next pond, unless the round is over (PC-26, PC-27)."""
    taken = Taken(state.baits, state.traps, state.trick, taker)
    after = state._replace(
        phase="bait", starter=taker, baits=(), traps=(), trick=(), taken=(*state.taken, taken), last_trick=taken
    )
    events = (*events, moves.TrickTaken(taker, len(taken.laid), how))
    return Step(after, events) if len(after.hands[0]) >= FEWEST_CARDS else end_round(after, events)


def end_round(state: State, events: tuple[Event, ...]) -> Step[State]:
    """Reveal and score everything (PC-28, PC-31, PC-34), then begin the next round or end the game."""
    score = _score(state)
    rounds = (*state.rounds, score)
    past = (*state.past, state.taken)
    after = State(state.setup, "poison", state.first_dealer, rounds=rounds, last_trick=state.last_trick, past=past)
    totals = after.totals
    events = (*events, moves.RoundScored(state.round, score, totals))
    if not _is_last(state.setup, len(after.rounds), totals):
        return Step(after, events)
    places = places_of(totals, sides_of(state.setup.players))
    outcome = Outcome(totals, places, "points" if 2 in places else "draw")
    return Step(after._replace(phase="over", outcome=outcome), events)


def _score(state: State) -> RoundScore:
    tallies = tuple(
        [
            tally(state.pile(seat), state.poison(seat), set_aside, state.hands[seat])
            for seat, set_aside in enumerate(state.set_aside)
            if set_aside is not None
        ]
    )
    of_side = [sum([one.points for one in tallies[side::2]]) for side in (0, 1)]
    return RoundScore(state.dealer or 0, tallies, tuple([of_side[side] for side in sides_of(len(tallies))]))


def _is_last(setup: Setup, played: int, totals: tuple[int, ...]) -> bool:
    """Return whether the game ends after this many rounds. Extra rounds come in pairs, while sides are level (P-06)."""
    if played < setup.rounds or (played - setup.rounds) % 2:
        return False
    return setup.tiebreak == "none" or totals[0] != totals[1]


class Pond(Game[State, Observation]):
    """The rulebook of Pond · cards."""

    key: ClassVar[str] = "pond"
    title: ClassVar[str] = Text("Pond · cards")
    options: ClassVar[tuple[Option, ...]] = (
        Option("players", (2, 4), "Two players, or four in pairs", "PC-31", 2),
        Option("rounds", (4, 2), "Number of rounds", "PC-36", 4),
        Option(
            "tie",
            ("leader", "first"),
            "Tied tricks: the leader decides, or the first of the tied cards wins",
            "PC-24",
            "leader",
        ),
        Option("tiebreak", ("none", "extra"), "Equal scores at the end: a draw, or two more rounds", "PC-35", "none"),
        Option(
            "history",
            ("log", "last"),
            "Earlier tricks to look up: all of them, or only the last",
            "PC-21",
            "log",
        ),
    )
    reasons: ClassVar[Mapping[str, str]] = {
        "points": "Most points after the last round.",
        "draw": "Equal points after the last round.",
    }
    quiet: ClassVar[tuple[type[Event], ...]] = (moves.ProfitChosen, moves.TrapLaid, moves.TrapDeclined)
    uninformative: ClassVar[tuple[type[Event], ...]] = (moves.ProfitChosen, moves.TrapLaid)
    own: ClassVar[tuple[type[Event], ...]] = (moves.BaitLaid, moves.TrapDeclined, CardPlayed)
    # At this level, an easy player wins 50 %, and a fair one 93 % (120 games, 2026-11-30).
    daily: ClassVar[Daily] = Daily({"players": 2, "rounds": 2}, "easy", decisions=32, minutes=5)
    duplicates: ClassVar[Mapping[str, tuple[Text, Mapping[str, Value]]]] = {
        "pond-2": (Text("Pond · cards, 2 at a table"), {"players": 2, "rounds": 2}),
        "pond-4": (Text("Pond · cards, 4 at a table"), {"players": 4, "rounds": 4}),
    }

    chance = staticmethod(deal.draw)
    parse = staticmethod(moves.parse)
    tidy = staticmethod(cards.tidy)

    # ---- options

    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """Opposite seats are partners."""
        return sides_of(int(options["players"]))

    def keeps_record(self, options: Mapping[str, Value]) -> bool:
        """Whether all tricks may be looked up, not only the last one (PC-21)."""
        return options["history"] == "log"

    def options_of(self, state: State) -> Mapping[str, Value]:
        """The options of the table."""
        return state.setup._asdict()

    # ---- play

    def start(self, options: Mapping[str, Value]) -> State:
        """Return the table before the dealer is drawn."""
        return State(Setup._make(options[key] for key in Setup._fields))

    def to_act(self, state: State) -> frozenset[Actor]:
        """The seats that owe an entry, or chance."""
        if state.outcome is not None:
            return NOBODY
        return owing(state) if state.hands else CHANCE_ONLY

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """The moves of a seat that owes an entry, sorted by text. Equal cards are one move (G-04)."""
        if seat not in self.to_act(state):
            return ()
        hand = dict.fromkeys(state.hands[seat])
        match state.phase:
            case "profit":
                return tuple(moves.Profit(card) for card in hand if group_of(card))
            case "bait":
                return tuple(map(moves.Bait, hand))
            case "trap":
                return (moves.PASS, *map(moves.Trap, hand))
            case "traps":
                return tuple(map(moves.Trap, hand))
            case "play":
                return tuple(map(Play, hand))
            case _:
                return tuple(map(moves.Award, sorted(state.tied)))

    def apply_move(self, state: State, seat: Actor, move: Move) -> Step[State]:
        """Apply an entry of chance, or a move in the current phase."""
        if not state.hands:
            return deal.apply_chance(state, seat, move)
        owner = _check_due(state, seat, move)
        match move:
            case moves.Profit(card):
                return _set_aside(state, owner, card)
            case moves.Bait(card):
                return _bait(state, owner, card)
            case moves.Trap(card):
                return _trap(state, owner, card)
            case Play(card):
                return _play(state, owner, card)
            case moves.Award(taker):
                return _award(state, taker)
            case _:
                return Step(state._replace(phase="play"), (moves.TrapDeclined(owner),))

    def standing(self, state: State) -> tuple[int, ...]:
        """The totals of the finished rounds (G-10)."""
        return state.totals

    def card_verb(self, state: State) -> str:
        """Cards are laid as baits or traps before they are played to a trick."""
        return {"bait": "bait", "trap": "trap", "traps": "trap"}.get(state.phase, "play")

    # ---- what can be known

    def observe(self, state: State, seat: Seat | None) -> Observation:
        """Return the table as the seat, or the public, sees it."""
        return observe(state, seat, self.to_act(state), () if seat is None else self.legal(state, seat))
