"""What the reasons of hints say, as the rulebooks see it: facts of a position that a reader can check."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from bot import computer
from bot.computer.frogs.why import FrogsWhy
from bot.computer.pond.why import PondWhy
from bot.computer.pontis.why import PontisWhy
from bot.computer.pot_black.why import PotBlackWhy
from bot.computer.thoughts import Cause, Kind, TrickWhy
from bot.games.cards import Card, face
from bot.games.frogs.moves import Developed, Stage
from bot.games.game import AnyGame, Event, Move, Seat
from bot.games.pond.scoring import STRENGTH, points
from bot.games.pontis.bridges import required, value
from bot.games.pot_black.tricks import strength
from tests.games.checks import imagine

TRIED: Final = 20
"""Imagined tables for facts that are only likely."""


class Claim(NamedTuple):
    """A fact that is said about moves of a seat on turn."""

    game: AnyGame
    seen: Any
    cause: Cause


def turn_of(game: AnyGame, state: Any) -> Seat:
    """Return the first seat that has to act."""
    return min(seat for seat in game.to_act(state) if seat is not None)


# ---- what each fact says


def card_of(move: Move) -> Card:
    """Return the card that a move lays; of two, the upper one."""
    return Card(str(move).split()[-1])


def lead(state: Any, seat: Seat) -> int:
    scores = state.position.scores
    return int(scores[seat] - scores[1 - seat])


def best(game: AnyGame, state: Any) -> int:
    """Return what the side on turn can gain at once."""
    if state.outcome is not None:
        return 0
    seat = state.turn
    return max(lead(game.apply(state, seat, move).state, seat) for move in game.legal(state, seat)) - lead(state, seat)


def forced(game: AnyGame, state: Any) -> int:
    """Return what the side that isn't on turn can gain next, whatever the other side does."""
    replies = [game.apply(state, state.turn, move).state for move in game.legal(state, state.turn)]
    return min(best(game, reply) for reply in replies)


def frogs(turn: Claim, move: Move) -> bool:
    """Whether a fact about Pond · frogs is true of a move."""
    cause, game, seat = turn.cause, turn.game, turn.seen.seat
    state = imagine(game, turn.seen, random.Random(1))
    step = game.apply(state, seat, move)
    after, number = step.state, cause.number or 0
    landing, size = {*str(move).split()[-1]}, turn.seen.setup.size
    edge = {"a", "1", "abcde"[size - 1], str(size)}
    facts: dict[Kind, Callable[[], bool]] = {
        FrogsWhy.SCORES: lambda: lead(after, seat) - lead(state, seat) >= number,
        FrogsWhy.STOPS: lambda: best(game, after) < number,
        FrogsWhy.FORCES: lambda: forced(game, after) >= number,
        FrogsWhy.THREATENS: lambda: best(game, passed(after, seat)) >= number,
        FrogsWhy.PIECE: lambda: str(move).startswith("place"),
        FrogsWhy.CENTRE: lambda: not edge & landing,
        FrogsWhy.NO_CORNER: lambda: not landing <= edge,
        FrogsWhy.GROWS: lambda: developed(step.events, seat, Stage.FROG) >= number,
        FrogsWhy.SHRINKS: lambda: developed(step.events, 1 - seat, Stage.EGG) >= number,
        FrogsWhy.OWN_MOVES: lambda: len(game.legal(passed(after, seat), seat)) >= number,
        FrogsWhy.FREER: lambda: len(game.legal(after, 1 - seat)) <= number,
        FrogsWhy.SAVES: lambda: after.outcome is None and (not cause.what or best(game, after) < number),
        FrogsWhy.PLAN: lambda: cause.what.split(", ")[0] == named(move) and line_gains(turn),
        FrogsWhy.AVOIDS: lambda: cause.what.split(", ")[0] != named(move) and line_gains(turn),
    }
    return facts[cause.why]()


def passed(state: Any, seat: Seat) -> Any:
    """Return the state as if the other side had passed."""
    return state._replace(positions=(*state.positions, state.position._replace(turn=seat)))


def named(move: Move) -> str:
    """Return the squares of a move."""
    return " → ".join(str(move).split()[1:])


def line_gains(turn: Claim) -> bool:
    """Whether the line of the reason is legal, and gains what it says."""
    game, seen, cause = turn.game, turn.seen, turn.cause
    state = imagine(game, seen, random.Random(1))
    before = lead(state, seen.seat)
    for squares in cause.what.split(", "):
        text = "move " + squares.replace(" → ", " ") if "→" in squares else f"place {squares}"
        state = game.apply(state, state.turn, game.parse(text)).state
    change = lead(state, seen.seat) - before
    return change == (cause.number if cause.why is FrogsWhy.PLAN else -(cause.number or 0))


def developed(events: tuple[Event, ...], owner: Seat, stage: Stage) -> int:
    """Return how many pieces of an owner reach the stage by developing."""
    return sum(isinstance(event, Developed) and (event.owner, event.after) == (owner, stage) for event in events)


def pond(turn: Claim, move: Move) -> bool | None:
    """Whether a fact about Pond · cards is true of a move; ``None`` if it is only likely."""
    cause, seen = turn.cause, turn.seen
    seats, poison = seen.setup.players, seen.poison(seen.seat)
    against = seen.poison((seen.seat + 1) % seats)
    card = card_of(move) if str(move) != "pass" else Card("??")
    is_it = str(move) != "pass" and face(card) == cause.what
    own = seen.set_aside[(seen.seat + 2 * (cause.why is PondWhy.ADDS_FOR)) % seats]
    left = [*(Counter(seen.hand) - Counter([card])).elements()]
    facts: dict[Kind, Callable[[], bool]] = {
        PondWhy.RID: lambda: is_it and card[1] == poison and sum(each[1] == poison for each in left) == cause.number,
        PondWhy.ASIDE: lambda: is_it and card[1] == poison,
        PondWhy.POISON_FOR: lambda: is_it and card[1] == against,
        **dict.fromkeys((PondWhy.CLEAN, PondWhy.CLEAN_FOR), lambda: card[1] != poison),
        PondWhy.LESS_PROFIT: lambda: is_it,
        PondWhy.CHEAP: lambda: is_it and points(card, against, "") == cause.number,
        **dict.fromkeys(
            (PondWhy.ADDS, PondWhy.ADDS_FOR), lambda: is_it and points(card, poison, profit(own[0])) == cause.number
        ),
        PondWhy.GROUP: lambda: (
            sum(each[0] in profit(card[0]) and each[1] != poison for each in left) >= (cause.number or 0)
        ),
        PondWhy.AWARDS: lambda: str(move) == f"award {cause.seat}",
        PondWhy.FEWER: lambda: str(move) == "pass",
        PondWhy.BARS: lambda: not is_it and cause.what[-2:] == face(Card("2" + poison))[-2:],
        TrickWhy.KEEPS_STRONGER: lambda: not is_it and STRENGTH[card] < STRENGTH[named_card(seen, cause.what)],
        TrickWhy.KEEPS_WEAKER: lambda: not is_it and STRENGTH[card] > STRENGTH[named_card(seen, cause.what)],
        PondWhy.RANKS: lambda: len(profit(card[0])) == cause.number,
        **dict.fromkeys((PondWhy.NO_TRAP, PondWhy.NO_HIDING), lambda: str(move) == "pass"),
        PondWhy.TRAP: lambda: str(move) != "pass",
    }
    if cause.why in facts:
        return facts[cause.why]()
    return not is_it if cause.why.name.startswith("KEEPS") or cause.why is PondWhy.SAVES_FOR_NOW else None


def named_card(seen: Any, name: str) -> Card:
    """Return the card of the hand with this name."""
    return next(Card(card) for card in seen.hand if face(card) == name)


def profit(rank: str) -> str:
    """Return the group of a rank."""
    return next((group for group in ("A234", "4567", "89T") if rank in group), "")


def pot_black(turn: Claim, move: Move) -> bool | None:
    """Whether a fact about Pot Black is true of a card; ``None`` if it is only likely."""
    cause, seen, card = turn.cause, turn.seen, card_of(move)
    tens = {face(Card("TS")), face(Card("TC"))} - {face(gone) for each in seen.tricks for gone in each.cards}
    suit = sum(other[1] == card[1] for other in seen.hand)
    facts: dict[Kind, Callable[[], bool]] = {
        PotBlackWhy.RED: lambda: face(Card("T" + card[1])) not in tens - {*map(face, seen.hand)},
        PotBlackWhy.HIGHEST: lambda: face(card) == cause.what,
        PotBlackWhy.HAS_NONE: lambda: cause.what not in face(card),
        PotBlackWhy.EMPTIES_SUIT: lambda: suit == 1 and cause.what in face(card),
        PotBlackWhy.LONGER: lambda: suit - 1 == cause.number and cause.what in face(card),
        PotBlackWhy.TRUMP: lambda: card[1] == seen.trumps,
        PotBlackWhy.LOW: lambda: strength(card) < strength(named_card(seen, cause.what)),
        PotBlackWhy.LOST: lambda: strength(card) < strength(named_card(seen, cause.what)),
        TrickWhy.KEEPS_STRONGER: lambda: strength(card) < strength(named_card(seen, cause.what)),
        TrickWhy.KEEPS_WEAKER: lambda: (
            face(card) != cause.what and not strength(card) < strength(named_card(seen, cause.what))
        ),
        PotBlackWhy.SHORTENS: lambda: suit - 1 == cause.number and cause.what in face(card),
    }
    if cause.why in facts:
        return facts[cause.why]()
    return face(card) != cause.what if cause.why.name.startswith("KEEPS") else None


def pontis(turn: Claim, move: Move) -> bool | None:
    """Whether a fact about Pontis is true of a move; ``None`` if it is only likely."""
    cause, seen = turn.cause, turn.seen
    cards = [Card(text) for text in str(move).split()[1:]]
    before = seen.banks[seen.bank - 1][-1]
    facts: dict[Kind, Callable[[], bool]] = {
        PontisWhy.MATCHES: lambda: cards[-1][1] == before[1] and cards[-1] != "XX",
        PontisWhy.NEEDED: lambda: (
            "/".join(map(str, needed_after(turn, cards))) == cause.what
            and len(fitting(turn, cards)) <= (cause.number or 0)
        ),
        PontisWhy.KEEPS_CARD: lambda: cause.what not in map(face, cards),
        PontisWhy.ON_TOP: lambda: bool(cards) and face(cards[-1]) == cause.what,
        PontisWhy.TWO: lambda: len(cards) == 2,
        PontisWhy.CARD: lambda: bool(cards),
        PontisWhy.SHEDS: lambda: any(face(card) == cause.what and value(card) >= 9 for card in cards),
        PontisWhy.KEEPS_SMALL: lambda: cause.what not in map(face, cards),
        PontisWhy.KEEPS_SUIT: lambda: (
            cause.what not in map(face, cards) and sum(card[1] == cause.what[-2] for card in map(face, seen.hand)) <= 1
        ),
        PontisWhy.FEWER: lambda: len(fitting(turn, cards)) <= (cause.number or 0),
        PontisWhy.UNMATCHED: lambda: (
            sum(card[1] == cards[-1][1] for card in fitting(turn, cards)) <= (cause.number or 0)
        ),
    }
    if seen.setup.players == 2:  # nothing is hidden
        after = turn.game.apply(imagine(turn.game, seen, random.Random(1)), seen.seat, move).state
        ways = bridges_of(turn.game, after)
        facts[PontisWhy.NARROWS] = lambda: len(ways) <= (cause.number or 0)
        facts[PontisWhy.UNMATCHED] = lambda: sum(map(is_match, ways)) <= (cause.number or 0)
        facts[PontisWhy.LIMITS] = lambda: max(map(scored, ways), default=0) <= (cause.number or 0)
        facts[PontisWhy.SECURES] = lambda: all(
            turn_of(turn.game, reply.after) == seen.seat
            and max(map(scored, bridges_of(turn.game, reply.after)), default=0) >= (cause.number or 0)
            for reply in ways
        )
        facts[PontisWhy.ANSWERS] = lambda: all(
            turn_of(turn.game, reply.after) == seen.seat and any(map(is_match, bridges_of(turn.game, reply.after)))
            for reply in ways
        )
    return facts[cause.why]() if cause.why in facts else None


class Bridge(NamedTuple):
    """A legal bridge: the card on top, the card before it, the state afterwards, and how many cards it has."""

    top: Card
    before: Card
    after: Any
    cards: int


def bridges_of(game: AnyGame, state: Any) -> list[Bridge]:
    """Return the bridges that the seat on turn can play. Of equal jokers, one counts."""
    seat = turn_of(game, state)
    seen = game.observe(state, seat)
    moves = [move for move in seen.legal if str(move).split()[0] in {"play", "sum"}]
    before = seen.banks[seen.bank - 1][-1]
    return [Bridge(card_of(m), before, game.apply(state, seat, m).state, len(str(m).split()) - 1) for m in moves]


def is_match(bridge: Bridge) -> bool:
    """Whether a bridge scores a suit point."""
    return bridge.top != "XX" and bridge.top[1] == bridge.before[1]


def scored(bridge: Bridge) -> int:
    """Return the points of a bridge."""
    return bridge.cards + is_match(bridge)


def fitting(turn: Claim, cards: list[Card]) -> list[Card]:
    """Return the cards not seen that the next player might play next."""
    seen = turn.seen
    known = Counter([*seen.hand, *(card for bank in seen.banks for card in bank)])
    unseen = list((Counter(seen.setup.pack) - known).elements())
    denied = {number for missed in seen.missed[(seen.seat + 1) % seen.setup.players] for number in missed}
    return [card for card in unseen if value(card) in needed_after(turn, cards) and value(card) not in denied]


def needed_after(turn: Claim, cards: list[Card]) -> tuple[int, ...]:
    """Return what the next player needs."""
    seen = turn.seen
    own = seen.banks[(seen.slot + 1) % len(seen.banks)][-1]
    return required(own, cards[-1] if cards else seen.banks[seen.bank][-1])


FACTS: Final[dict[str, Callable[[Claim, Move], bool | None]]] = {
    "frogs": frogs,
    "pond": pond,
    "pontis": pontis,
    "pot_black": pot_black,
}


# ---- facts that are only likely


def happens(turn: Claim, move: Move) -> float:
    """Return how often what the reason says happens after a move, at tables that agree with what was seen."""
    rng = random.Random(1)
    return sum(occurs(turn, imagine(turn.game, turn.seen, rng), move, rng) for _ in range(TRIED)) / TRIED


def occurs(turn: Claim, state: Any, move: Move, rng: random.Random) -> bool:
    """Whether what the reason says happens at a table where all go on fairly."""
    game, me, why = turn.game, turn.seen.seat, turn.cause.why
    step = game.apply(state, me, move)
    if game.key == "pontis":
        return bridges(turn, step.state, step.events, rng)
    events = list(step.events)
    while not (taken := [event for event in events if type(event).__name__ == "TrickTaken"]):
        seat = turn_of(game, step.state)
        step = game.apply(step.state, seat, computer.choose(game.key, game.observe(step.state, seat), rng))
        events += step.events
    taker, counts = taken[0].seat, getattr(taken[0], "counts", True)  # type: ignore[attr-defined]
    has_ten = not counts
    partner = (me + 2) % 4 if turn.seen.setup.players == 4 else me
    return {
        TrickWhy.TAKES: taker == me and not has_ten,
        TrickWhy.PARTNER_TAKES: taker == partner and not has_ten,
        TrickWhy.LEAVES: taker not in {me, partner},
        PotBlackWhy.GIVES_TEN: has_ten and taker not in {me, partner},
        PotBlackWhy.NO_TEN: not (has_ten and taker in {me, partner}),
    }[why]


def bridges(turn: Claim, state: Any, events: tuple[Event, ...], rng: random.Random) -> bool:
    """Whether the next player misses, the seat can play on its next turn, or goes out first."""
    game, me, why = turn.game, turn.seen.seat, turn.cause.why
    following = (me + 1) % turn.seen.setup.players
    if why is PontisWhy.BLOCKS:
        return any(type(event).__name__ == "Missed" and event.seat == following for event in events)  # type: ignore[attr-defined]
    seen_events = list(events)
    while state.outcome is None and None not in game.to_act(state):
        if why is PontisWhy.AGAIN and (me in game.to_act(state) or missed(seen_events, me)):
            return me in game.to_act(state) and not missed(seen_events, me)
        seat = turn_of(game, state)
        state, step_events = game.apply(state, seat, computer.choose("pontis", game.observe(state, seat), rng, "easy"))
        seen_events += step_events
    return why is PontisWhy.OUT and not state.hands[me]


def missed(events: list[Event], seat: Seat) -> bool:
    return any(type(event).__name__ == "Missed" and event.seat == seat for event in events)  # type: ignore[attr-defined]
