"""The phases of a round of Pond: who owes an entry, what it leads to, and the end of the round and the game (P-03)."""

from collections.abc import Mapping
from typing import Final

from bot.errors import IllegalMove
from bot.games.card_table import CardPlayed, Play
from bot.games.cards import Card, face, without
from bot.games.game import CHANCE, Actor, Event, Move, Outcome, Seat, Step, places_of, replaced
from bot.games.pond.moves import (
    PASS,
    Award,
    Bait,
    BaitLaid,
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
    TrickTaken,
)
from bot.games.pond.scoring import RoundScore, group_of, tally
from bot.games.pond.state import Laid, Phase, Setup, State, Taken, sides_of

FEWEST_CARDS: Final = 4
"""A round continues while hands hold at least this many cards (PC-27)."""


_MOVES: Final[Mapping[str, tuple[type[Move], ...]]] = {
    "profit": (Profit,),
    "bait": (Bait,),
    "trap": (Trap, Pass),
    "traps": (Trap,),
    "play": (Play,),
    "award": (Award,),
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


def moves(state: State, seat: Seat) -> list[Move]:
    """Return the moves of a seat that owes an entry, sorted by text. Equal cards are one move (G-04)."""
    hand = dict.fromkeys(state.hands[seat])
    match state.phase:
        case "profit":
            return [Profit(card) for card in hand if group_of(card)]
        case "bait":
            return list(map(Bait, hand))
        case "trap":
            return [PASS, *map(Trap, hand)]
        case "traps":
            return list(map(Trap, hand))
        case "play":
            return list(map(Play, hand))
        case _:
            return list(map(Award, sorted(state.tied)))


def apply(state: State, seat: Actor, move: Move) -> Step[State]:
    """Apply the move of a seat. Raises `IllegalMove`."""
    owner = _check_due(state, seat, move)
    match move:
        case Profit(card):
            return _set_aside(state, owner, card)
        case Bait(card):
            return _bait(state, owner, card)
        case Trap(card):
            return _trap(state, owner, card)
        case Play(card):
            return _play(state, owner, card)
        case Award(taker):
            return _award(state, taker)
        case _:
            return Step(state._replace(phase="play"), (TrapDeclined(owner),))


def _check_due(state: State, seat: Actor, move: Move) -> Seat:
    """Return the seat if it owes such a move."""
    if seat is CHANCE:
        raise IllegalMove("No cards are dealt now.", "G-01")
    if seat >= state.setup.players:
        raise IllegalMove("There's no seat {seat} at this table.", "PC-31", seat=seat)
    if not isinstance(move, _MOVES[state.phase]):
        raise _wrong_move(state.phase)
    if seat not in owing(state):
        raise _wrong_seat(state.phase)
    return seat


def _wrong_move(phase: Phase) -> IllegalMove:
    """Return the refusal of a move that belongs to another phase."""
    match phase:
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
            return IllegalMove("The trick is tied. Its leader decides who takes it.", "PC-24")


def _wrong_seat(phase: Phase) -> IllegalMove:
    """Return the refusal of a move of another seat."""
    match phase:
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
            return IllegalMove("Only the leader of the trick decides who takes it.", "PC-23")


def _hands_without(state: State, seat: Seat, card: Card, ruling: str) -> tuple[Hand, ...]:
    """Return all hands after the seat has laid the card."""
    hand = state.hands[seat]
    if card not in hand:
        raise IllegalMove("{card} isn't in your hand.", ruling, card=face(card))
    return replaced(state.hands, seat, without(hand, card))


def _set_aside(state: State, seat: Seat, card: Card) -> Step[State]:
    """Set a card aside in secret. When all have, every seat picks up its hidden five (PC-12)."""
    hands = _hands_without(state, seat, card, "P-04")
    if group_of(card) is None:
        raise IllegalMove("{card} can't choose a profit. Set aside an ace, 2, 3 or 5 to 10.", "PC-13", card=face(card))
    set_aside = replaced(state.set_aside, seat, card)
    if None in set_aside:
        return Step(state._replace(hands=hands, set_aside=set_aside), (ProfitChosen(seat),))
    full = tuple([tuple(sorted(hand + five)) for hand, five in zip(hands, state.hidden, strict=True)])
    after = state._replace(phase="bait", hands=full, hidden=(), set_aside=set_aside)
    return Step(after, (ProfitChosen(seat), HandsPickedUp()))


def _bait(state: State, seat: Seat, card: Card) -> Step[State]:
    """Add a card to the pond, face up. After all baits, the starter may open a trap (PC-17, PC-18)."""
    hands = _hands_without(state, seat, card, "PC-17")
    baits = (*state.baits, Laid(seat, card))
    phase: Phase = "trap" if len(baits) == state.setup.players else "bait"
    return Step(state._replace(phase=phase, hands=hands, baits=baits), (BaitLaid(seat, card),))


def _trap(state: State, seat: Seat, card: Card) -> Step[State]:
    """Add a card to the pond, face down. After the starter's trap, every seat has to lay one (PC-18, PC-19)."""
    hands = _hands_without(state, seat, card, "PC-18")
    traps = (*state.traps, Laid(seat, card))
    phase: Phase = "play" if len(traps) == state.setup.players else "traps"
    return Step(state._replace(phase=phase, hands=hands, traps=traps), (TrapLaid(seat),))


def _play(state: State, seat: Seat, card: Card) -> Step[State]:
    """Play any card to the trick (PC-22). The best card takes it; the option ``tie`` decides between equal ones."""
    hands = _hands_without(state, seat, card, "PC-22")
    after = state._replace(hands=hands, trick=(*state.trick, Laid(seat, card)))
    played = CardPlayed(seat, card)
    if len(after.trick) < state.setup.players:
        return Step(after, (played,))
    tied = after.tied
    if len(tied) > 1 and state.setup.tie == "leader":
        return Step(after._replace(phase="award"), (played, TieToDecide(state.starter, tuple(sorted(tied)))))
    return _take(after, tied[0], "best" if len(tied) == 1 else "first", (played,))


def _award(state: State, taker: Seat) -> Step[State]:
    """Give the trick to one of the tied seats (PC-23, PC-24)."""
    if taker not in state.tied:
        raise IllegalMove("Choose one of the tied players.", "PC-24")
    return _take(state, taker, "awarded", ())


def _take(state: State, taker: Seat, how: How, events: tuple[Event, ...]) -> Step[State]:
    """Take the trick and the pond. The taker starts the next pond, unless the round is over (PC-26, PC-27)."""
    taken = Taken(state.baits, state.traps, state.trick, taker)
    after = state._replace(phase="bait", starter=taker, baits=(), traps=(), trick=(), taken=(*state.taken, taken))
    events = (*events, TrickTaken(taker, len(taken.laid), how))
    return Step(after, events) if len(after.hands[0]) >= FEWEST_CARDS else end_round(after, events)


def end_round(state: State, events: tuple[Event, ...]) -> Step[State]:
    """Reveal and score everything (PC-28, PC-31, PC-34), then begin the next round or end the game."""
    score = _score(state)
    after = State(state.setup, phase="poison", first_dealer=state.first_dealer, rounds=(*state.rounds, score))
    totals = after.totals
    events = (*events, RoundScored(state.round, score, totals))
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
