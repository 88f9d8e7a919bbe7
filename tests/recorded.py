"""Games that are played once, at random, for all tests that only look at positions.

They are stored in ``build/recorded/`` for all workers and later runs, and played again when the rulebooks change.
"""

import fcntl
import hashlib
import pickle
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

from bot.cli.selfplay import NAMES
from bot.errors import InvalidOption
from bot.fairness import Deals
from bot.games import GAMES
from bot.games.game import CHANCE, AnyGame, Entry, Event, Move, Seat, Value
from bot.records.table import Place, Sitter, Table

_ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = _ROOT / "build" / "recorded"
_SOURCES: Final = ("bot/games", "bot/computer", "bot/fairness.py", "bot/errors.py", "tests/recorded.py")
"""What recorded games depend on."""
_SHOWN_EVENTS: Final = 8

Options = Mapping[str, Value]

EXTRA_ROUND: Final = ("pond", {"players": 2, "rounds": 2, "tiebreak": "extra"}, 10)
"""A game whose rounds ended level, so that there were more: at random, few are like that."""


@dataclass(slots=True)
class Log:
    """A log, its states and events: ``states[n]`` is the true state before entry n, ``seen[n]`` its public events."""

    options: Options
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
    def viewers(self) -> tuple[Seat | None, ...]:
        """The public and every seat."""
        return (None, *range(self.table.seats))


# ---- what tests read


def recorded(key: str, options: Mapping[str, object] = {}, number: int = 0) -> list[Moment]:
    """Return all moments of a game with these options. Each ``number`` is another game."""
    return moments_of(key, game_of(key, str(number), tuple(GAMES[key].settle(options).items())))


def every_form(key: str, number: int = 0) -> Iterator[Log]:
    """Yield games that together have every choice of every option. Each ``number`` is another set of them."""
    for index, options in enumerate(_forms(key, number)):
        yield game_of(key, f"{number} {index}", tuple(options.items()))


def states_of_every_form(key: str, least: int) -> list[Any]:
    """Return at least so many states, spread over games with every choice of every option. The first is a start."""
    states: list[Any] = []
    for number in count():
        states += [state for log in every_form(key, number) for state in log.states]
        if len(states) >= least:
            return states[:: len(states) // least]
    raise AssertionError


def moments_of(key: str, log: Log) -> list[Moment]:
    """Return the moments of a log in which somebody is to move, and the end."""
    game = GAMES[key]
    plies = (ply for ply in range(1, len(log.states)) if CHANCE not in game.to_act(log.states[ply]))
    return [Moment(table_of(game, log.options, ply), log, ply) for ply in plies]


@cache
def _forms(key: str, number: int) -> Sequence[Options]:
    return [*all_choices(GAMES[key], random.Random(f"{key} {number} 1"))]


@cache
def game_of(key: str, number: str, options: tuple[tuple[str, Value], ...]) -> Log:
    """Return a game from the folder. If it isn't there, this process plays it, and others wait for it."""
    name = f"{key} {number} {options}"
    folder = FOLDER / _version()
    file = folder / hashlib.sha256(name.encode()).hexdigest()[:32]
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                log, unfinished = play(GAMES[key], dict(options), random.Random(name)), file.with_suffix(".new")
                unfinished.write_bytes(pickle.dumps(log, pickle.HIGHEST_PROTOCOL))
                unfinished.replace(file)
    log = pickle.loads(file.read_bytes())  # noqa: S301 - written above
    assert isinstance(log, Log)
    return log


@cache
def _version() -> str:
    """Return a hash of everything that recorded games depend on."""
    found = hashlib.sha256()
    for source in _SOURCES:
        path = _ROOT / source
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            found.update(str(file.relative_to(_ROOT)).encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()[:16]


# ---- playing


def play(game: AnyGame, options: Options, rng: random.Random, preferred: Move | None = None) -> Log:
    """Play a game at random to its end. The preferred move is made whenever it is legal."""
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
    return log


def all_choices(game: AnyGame, rng: random.Random) -> Iterator[dict[str, Value]]:
    """Yield options for tables that include every choice of every option."""
    for option in game.options:
        for choice in option.choices:
            options = random_options(game, rng, **{option.key: choice})
            assert options is not None, f"{option.key}={choice} is never allowed"
            yield options


def random_options(game: AnyGame, rng: random.Random, **fixed: Value) -> dict[str, Value] | None:
    """Return random settled options that include ``fixed``, or ``None`` if none were found."""
    for _ in range(300):
        given = {option.key: rng.choice((None, *option.choices)) for option in game.options}
        try:
            return game.settle({**given, **fixed})
        except InvalidOption:
            continue
    return None


def table_of(game: AnyGame, options: Options, version: int) -> Table:
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
