"""Games among computer players, as transcripts. The same plan gives the same transcripts, byte for byte, everywhere.

Everything that is left to chance comes from the plan's seed: the secret of each table's deals, the cuts, and what the
players choose. Random play draws from `bot.fairness.Stream`, since the library's shuffles change between versions.
"""

import hashlib
import multiprocessing
import random
import signal
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from bot import computer, transcript
from bot.fairness import Deals, Stream, commitment
from bot.games import GAMES
from bot.games.game import CHANCE, AnyGame, Entry, Move, Seat, Value
from bot.transcript import Fairness, Transcript

NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gail", "Hugo", "Ida", "Jack", "Kim", "Leo", "Mia")
"""As many as the largest table has seats."""
CUTS: Final = ("", "", "", "hello", "7", "Grüße", "deep, please", "🐸")

Player = Callable[[Any, Seat], Move]
"""Chooses a move in a state for a seat."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: a game by its key, with settled options.

    ``level`` is one of `bot.computer.LEVELS`; ``legal`` adds every list of legal moves.
    """

    game: str
    options: Mapping[str, Value]
    seed: str
    level: str = "random"
    legal: bool = False


def lines(plan: Plan, games: int, workers: int = 1) -> Generator[str, None, None]:
    """The transcripts of the plan's first games, in order. More than one worker plays them in processes."""
    if workers == 1:
        yield from map(partial(_line, plan), range(games))
        return
    # spawn is the one way to start a process that works the same on every system.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_ignore_interrupts) as pool:
        yield from pool.map(partial(_line, plan), range(games), chunksize=max(1, min(64, games // workers // 4)))


def play(plan: Plan, number: int) -> Transcript:
    """The game of that number (from 0) from its first entry to its outcome."""
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
    return Transcript(game, plan.options, NAMES[:seats], tuple(entries), game.outcome(state), fairness, legal)


def _player(plan: Plan, number: int, game: AnyGame) -> Player:
    secret = _secret(plan, number, "moves")
    if plan.level == "random":
        chance = Stream(secret, 0)

        def at_random(state: Any, seat: Seat) -> Move:
            moves = game.legal(state, seat)
            return moves[chance.below(len(moves))]

        return at_random
    rng = random.Random(int.from_bytes(secret, "big"))  # noqa: S311 - a game's choices, no secret
    return lambda state, seat: computer.choose(game.key, game.observe(state, seat), rng)


def _secret(plan: Plan, number: int, purpose: str) -> bytes:
    """32 bytes of their own for every purpose in every game; a seed may be any text at all."""
    text = f"{plan.game}\n{number}\n{purpose}\n{plan.seed}"
    return hashlib.sha256(text.encode(errors="surrogateescape")).digest()


def _line(plan: Plan, number: int) -> str:
    return transcript.write(play(plan, number))


def _ignore_interrupts() -> None:
    """An interrupt from the keyboard reaches the workers too; the parent ends them, without a word from each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
