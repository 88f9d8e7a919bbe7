"""Games between computers, as transcripts. The same plan gives the same transcripts on every machine.

The plan's seed determines the seed of each table, the cuts and the choices of random players. Random play uses
`bot.fairness.Stream`, since the standard library's shuffles change between versions.
"""

import hashlib
import multiprocessing
import random
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final

from bot import computer, transcript
from bot.cli import streams
from bot.errors import InvalidOption, LilypadError, quoted
from bot.fairness import Deals, Stream, commitment
from bot.games import GAMES
from bot.games.game import CHANCE, AnyGame, Entry, Move, Seat, Value
from bot.transcript import Fairness, Transcript

NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gail", "Hugo", "Ida", "Jack", "Kim", "Leo", "Mia")
"""Enough for the largest table."""
CUTS: Final = ("", "", "", "hello", "7", "Grüße", "deep, please", "🐸")

Player = Callable[[Any, Seat], Move]
"""Chooses a move for a seat in a state."""


class WorkerError(LilypadError):
    """Workers can't be started, or one of them was killed."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The games to play: the key of a game, and settled options.

    ``levels`` are some of `bot.computer.levels` of the game, given to the seats in turn.
    ``legal`` adds the legal moves to every entry.
    """

    game: str
    options: Mapping[str, Value]
    seed: str
    levels: tuple[str, ...] = ("random",)
    legal: bool = False


def lines(plan: Plan, games: int, workers: int = 1) -> Generator[str, None, None]:
    """Yield the transcripts of the plan's first games, in order. More than one worker plays them in processes.

    Close the generator to stop the workers. Raise `WorkerError` if they can't be started, or one is killed.
    """
    if workers == 1:
        yield from map(partial(_line, plan), range(games))
        return
    with ExitStack() as running:
        pipes = _started(plan, games, min(workers, games), running)
        for number in range(games):
            try:
                yield pipes[number % len(pipes)].recv_bytes().decode()
            except (EOFError, OSError):
                raise WorkerError("A worker ended before its games were played.") from None


def play(plan: Plan, number: int) -> Transcript:
    """Play the game with this number, counted from 0."""
    game = GAMES[plan.game]
    seats = game.seats(plan.options)
    cutting = Stream(_secret(plan, number, "cuts"), 0)
    cuts = tuple(CUTS[cutting.below(len(CUTS))] for _ in range(seats))
    seed = _secret(plan, number, "deals")
    deals = Deals(seed, cuts)
    player = _player(plan, number, game)

    state = game.start(plan.options)
    entries: list[Entry] = []
    legal: dict[int, tuple[str, ...]] = {}
    dealt = 0
    while to_act := game.to_act(state):
        if CHANCE in to_act:
            state, chance, _ = game.run_chance(state, dealt, deals)
            entries += chance
            dealt += len(chance)
            continue
        seat = min(seat for seat in to_act if seat is not CHANCE)
        if plan.legal:
            legal[len(entries)] = tuple(map(str, game.legal(state, seat)))
        move = player(state, seat)
        entries.append(Entry(seat, str(move)))
        state = game.apply(state, seat, move).state
    fairness = Fairness(commitment(seed), seed.hex(), cuts)
    return Transcript(game, plan.options, NAMES[:seats], tuple(entries), state.outcome, fairness, legal)


def _player(plan: Plan, number: int, game: AnyGame) -> Player:
    secret = _secret(plan, number, "moves")
    chance = Stream(secret, 0)
    rng = random.Random(int.from_bytes(secret, "big"))  # noqa: S311 - choices in a game are no secret

    def player(state: Any, seat: Seat) -> Move:
        level = plan.levels[seat % len(plan.levels)]
        if level == "random":
            moves = game.legal(state, seat)
            return moves[chance.below(len(moves))]
        return computer.choose(game.key, game.observe(state, seat), rng, level)

    return player


def _secret(plan: Plan, number: int, purpose: str) -> bytes:
    """Derive 32 bytes for one purpose in one game. A seed may be any text."""
    text = f"{plan.game}\n{number}\n{purpose}\n{plan.seed}"
    return hashlib.sha256(text.encode(errors="surrogateescape")).digest()


def _line(plan: Plan, number: int) -> str:
    return transcript.write(play(plan, number))


# ---- processes


def _started(plan: Plan, games: int, workers: int, running: ExitStack) -> list[Connection]:
    """Start the workers and return a pipe for each; closing ``running`` ends them.

    Each of n workers plays every n-th game, and blocks while its pipe is full. Reading the pipes in turn gives the
    games in order, and memory doesn't grow with their number.
    """
    # spawn works the same on every system.
    context = multiprocessing.get_context("spawn")
    pipes: list[Connection] = []
    processes: list[BaseProcess] = []
    running.callback(_end, processes)
    try:
        with _interrupts_blocked():
            for first in range(workers):
                pipe, end = context.Pipe(duplex=False)
                pipes.append(running.enter_context(pipe))
                with end:
                    process = context.Process(target=_work, args=(plan, range(first, games, workers), end), daemon=True)
                    process.start()
                processes.append(process)
    except OSError as error:
        raise WorkerError(f"{workers} workers can't be started: {error.strerror}.") from None
    return pipes


def _end(processes: Sequence[BaseProcess]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()


def _work(plan: Plan, games: range, out: Connection) -> None:
    """Play the games and send their transcripts. This runs in a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(BrokenPipeError):  # the parent is gone
        for number in games:
            out.send_bytes(_line(plan, number).encode())


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Delay interrupts from the keyboard. Processes started here never receive one.

    An interrupt while they import would print a traceback. On Windows, they ignore interrupts only after importing.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # started later, it would unblock interrupts
    blocked_before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked_before)


def parsed_options(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the options in texts such as ``players=4``. Raises `InvalidOption`."""
    seen: set[str] = set()
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise InvalidOption(f"{quoted(text)} is not an option. Write key=value.")
        if key in seen:
            raise InvalidOption(f"{key} is given twice.")
        seen.add(key)
        yield key, value


def with_progress(lines: Iterable[str], games: int) -> Iterator[str]:
    """Yield the lines. On a terminal, print the progress once a second, starting after one second."""
    is_terminal = sys.stderr.isatty()
    printed_at = time.monotonic()
    has_printed = False
    for number, line in enumerate(lines, 1):
        yield line
        if is_terminal and (now := time.monotonic()) >= printed_at + 1:
            streams.tell(f"\r{number} of {games} games", end="")
            printed_at, has_printed = now, True
    if has_printed:
        streams.tell(f"\r{games} of {games} games")
