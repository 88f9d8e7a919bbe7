"""Moments of random tables, and their twins: tables that differ only in what some viewers can't know.

A twin is the true log with hidden cards exchanged, folded by the real rulebook. It is kept if every entry is still
legal and the same is announced. So what may differ doesn't depend on anything that the program shows.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

from bot.cli.selfplay import NAMES
from bot.errors import IllegalMove
from bot.fairness import Deals
from bot.games.game import CHANCE, AnyGame, Entry, Event, Move, Value
from bot.tables import Place, Sitter, Table
from tests.games.test_contract import all_choices
from tests.leaks.knowledge import READERS, Deal, DealtCard, Viewer, announced

_MOMENTS: Final = 12
"""Moments taken from each table."""
_SHOWN_EVENTS: Final = 8
_TRIED: Final = 14
"""Exchanges tried at each moment."""
_FOLDED_AGAIN: Final = 4
"""Twins of each moment in a game without hidden cards."""


@dataclass(slots=True)
class Log:
    """A log, its states and events: ``states[n]`` is the true state before entry n, ``seen[n]`` its public events."""

    options: Mapping[str, Value]
    entries: list[Entry]
    states: list[Any]
    seen: list[tuple[Event, ...]] = field(default_factory=list)

    def append(self, game: AnyGame, entry: Entry) -> None:
        """Add an entry. If this raises `IllegalMove`, nothing has changed."""
        state, seen = game.apply(self.states[-1], entry.seat, game.parse(entry.move))
        self.entries.append(entry)
        self.states.append(state)
        self.seen.append(seen)

    def until(self, ply: int) -> "Log":
        """Return the log without the entries from ``ply`` on."""
        return Log(self.options, self.entries[:ply], self.states[: ply + 1], self.seen[:ply])


class Moment(NamedTuple):
    """A table after the first ``ply`` entries of its log."""

    table: Table
    log: Log
    ply: int

    @property
    def state(self) -> Any:
        """The true state."""
        return self.log.states[self.ply]

    @property
    def events(self) -> tuple[Event, ...]:
        """The last public events."""
        events: tuple[Event, ...] = ()
        for seen in reversed(self.log.seen[: self.ply]):
            events = seen + events
            if len(events) >= _SHOWN_EVENTS:
                break
        return events[-_SHOWN_EVENTS:]

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """The public and every seat."""
        return (None, *range(self.table.seats))


def moments(game: AnyGame, rng: random.Random) -> Iterator[Moment]:
    """Yield moments of random tables without end, over every choice of every option.

    Two moments of each table are from the first round of turns, which has secrets that later rounds don't.
    """
    while True:
        for options in all_choices(game, rng):
            every = list(played(game, options, rng))
            first = every[: game.seats(options)]
            yield from rng.sample(first, min(2, len(first)))
            yield from rng.sample(every, min(_MOMENTS - 2, len(every)))


def played(
    game: AnyGame, options: Mapping[str, Value], rng: random.Random, preferred: Move | None = None
) -> Iterator[Moment]:
    """Play a game at random and yield every moment. The preferred move is made whenever it is legal."""
    deals = Deals(rng.randbytes(32), ("",) * game.seats(options))
    log, dealt = Log(options, [], [game.start(options)]), 0
    while to_act := game.to_act(state := log.states[-1]):
        if CHANCE in to_act:
            log.append(game, Entry(CHANCE, str(game.chance(state, deals(dealt)))))
            dealt += 1
        else:
            seat = rng.choice([seat for seat in range(game.seats(options)) if game.legal(state, seat)])
            legal = game.legal(state, seat)
            log.append(game, Entry(seat, str(preferred if preferred in legal else rng.choice(legal))))
        if CHANCE not in game.to_act(log.states[-1]):
            ply = len(log.entries)
            yield Moment(table_of(game, options, ply), log, ply)


def table_of(game: AnyGame, options: Mapping[str, Value], version: int) -> Table:
    """Return a table in play at this version."""
    seats = game.seats(options)
    return Table(
        id=1,
        name="Heron",
        game=game.key,
        options=options,
        seats=seats,
        status="playing",
        version=version,
        host_id=100,
        place=Place(1, 2),
        sitters=_sitters(seats),
        commitment="c" * 64,
        seed=None,
        outcome=None,
        opened_at=0.0,
        changed_at=0.0,
    )


@lru_cache(maxsize=64)
def _sitters(seats: int) -> tuple[Sitter, ...]:
    return tuple(Sitter(seat, name, 100 + seat) for seat, name in enumerate(NAMES[:seats]))


# ---- twins


class Twin(NamedTuple):
    """A moment that these viewers can't distinguish from the original."""

    moment: Moment
    viewers: tuple[Viewer, ...]


def deals_of(game: AnyGame, moment: Moment) -> list[Deal]:
    """Return the deals that still have secrets."""
    log, read_by = moment.log, READERS[game.key]
    if read_by is None:
        return []
    reader = read_by(log.options)
    for ply, entry in enumerate(log.entries[: moment.ply]):
        reader.read(ply, entry, log.states[ply])
    reader.ended(moment.state)
    return reader.deals


def twins(game: AnyGame, moment: Moment, deals: Sequence[Deal], rng: random.Random) -> Iterator[Twin]:
    """Yield twins of the moment; few or none if little is hidden.

    In a game without hidden cards, a twin is the same log folded again.
    """
    log = moment.log
    if READERS[game.key] is None:
        for _ in range(_FOLDED_AGAIN):
            if again := _folded(game, moment, 0, log.entries[: moment.ply]):
                yield Twin(again, moment.viewers)
        return
    for _ in range(_TRIED):
        viewer = rng.choice(moment.viewers)
        deal = rng.choice((deals[-1], rng.choice(deals)))
        exchange = _exchange(deal.hidden_from(viewer), rng)
        twin = _folded(game, moment, deal.ply, _rewritten(log.entries[deal.ply : moment.ply], deal.ply, exchange))
        if twin is not None and twin.state != moment.state:
            yield Twin(twin, tuple(v for v in moment.viewers if all(v not in card.known_to for card in exchange)))


def _exchange(hidden: list[DealtCard], rng: random.Random) -> dict[DealtCard, str]:
    """Exchange some hidden cards: two, four and so on, or all of them.

    Half the time they share a suit, as foundations do, or a rank. Plays and misses reveal such properties.
    """
    alike = rng.choice((None, None, 0, 1))
    if alike is not None and hidden:
        like = rng.choice(hidden).card[alike]
        hidden = [card for card in hidden if card.card[alike] == like]
    size = rng.choice([len(hidden) >> halvings for halvings in range(len(hidden).bit_length() - 1)] or [0])
    cards = rng.sample(hidden, size)
    others = [card.card for card in cards]
    changed = zip(cards, rng.sample(others, size), strict=True)
    return {card: other for card, other in changed if card.card != other}


def _rewritten(entries: list[Entry], first: int, exchange: Mapping[DealtCard, str]) -> list[Entry]:
    """Return the entries, numbered from ``first``, with exchanged cards."""
    texts: dict[int, str] = {}
    for card, other in exchange.items():
        for ply, offset in card.written:
            text = texts.get(ply) or entries[ply - first].move
            texts[ply] = text[:offset] + other + text[offset + 2 :]
    entries = list(entries)
    for ply, text in texts.items():
        entries[ply - first] = Entry(entries[ply - first].seat, text)
    return entries


def _folded(game: AnyGame, moment: Moment, ply: int, entries: Sequence[Entry]) -> Moment | None:
    """Return the moment with other entries from ``ply`` on.

    Return ``None`` if one is illegal, or something else is announced. Earlier entries aren't folded again.
    """
    log = moment.log.until(ply)
    try:
        for entry in entries:
            log.append(game, entry)
    except IllegalMove:
        return None
    is_same = announced(game, log.states[-1]) == announced(game, moment.state)
    return moment._replace(log=log) if is_same else None
