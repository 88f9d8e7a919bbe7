"""Runs evenings: ``python -m tests.evenings --seed 7`` runs one again, ``--count 1000`` as many on all cores.

Each evening is a fork of this process, which has imported everything, and ends with it.
"""

import argparse
import gc
import itertools
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Collection, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from random import SystemRandom
from typing import Final

import msgspec

from bot.running.client import COGS
from tests.databases import new_file
from tests.evenings.evening import Evening, Outcome
from tests.evenings.shrinking import shrunk

_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a directory of our own is made there
_SHRUNK: Final = 3
"""How many failures are told in full."""
_LONGEST_S: Final = 120.0
"""An evening that takes longer than this much processor time has failed."""


def main() -> int:
    """Run the evenings that the arguments ask for, and print the stories of those that fail."""
    arguments = _parser().parse_args()
    for name in COGS:
        import_module(name)
    with tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
        new_file(Path(folder) / "first.db")  # its template is written once
        gc.collect()
        gc.freeze()
        return _all(arguments, Path(folder))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.evenings", description=__doc__)
    parser.add_argument("--seed", type=int, nargs="+", help="the first seed; others follow. Drawn if left out")
    parser.add_argument("--count", type=int, default=1, help="how many evenings")
    parser.add_argument("--minutes", type=float, help="run until this time has passed, instead of a count")
    parser.add_argument("--leave-out", default="", help="steps and faults that don't happen, separated by commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("--story", action="store_true", help="print every story")
    parser.add_argument("--digests", action="store_true", help="print the digest of each evening's requests")
    parser.add_argument("--no-shrink", action="store_true", help="print stories of failures as they are")
    return parser


def _all(arguments: argparse.Namespace, folder: Path) -> int:
    *some, first = arguments.seed or [SystemRandom().randrange(10**6)]
    left_out = frozenset(filter(None, arguments.leave_out.split(",")))
    until = time.monotonic() + 60 * arguments.minutes if arguments.minutes else None
    seeds = itertools.chain(some, itertools.count(first) if until else range(first, first + arguments.count))
    failed: list[Outcome] = []
    began, count, cpu_s = time.monotonic(), 0, 0.0
    for outcome, taken_s in _outcomes(seeds, left_out, folder, arguments.jobs, until):
        count, cpu_s = count + 1, cpu_s + taken_s
        if arguments.digests:
            _say(f"{outcome.seed} {outcome.digest}")
        if outcome.failures:
            failed.append(outcome)
            _say(f"seed {outcome.seed}: {outcome.failures[0]}")
        elif arguments.story:
            _say("\n".join(outcome.story))
    minutes = (time.monotonic() - began) / 60
    _say(
        f"{count} evenings from seed {first}, {len(failed)} failed {' '.join(each.seed for each in failed)}; "
        f"{count / max(minutes, 1e-6):.0f} a minute, {cpu_s / max(count, 1):.2f} s of processor time each"
    )
    for outcome in failed[:_SHRUNK]:
        run = partial(_one, outcome.seed, folder=folder)
        _say(_report(outcome if arguments.no_shrink else shrunk(outcome, left_out, run)))
    return bool(failed)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _report(outcome: Outcome) -> str:
    again = f"python -m tests.evenings --seed {outcome.seed}"
    if outcome.left_out:
        again += f" --leave-out '{','.join(sorted(outcome.left_out))}'"
    return "\n".join([*outcome.story, *outcome.failures, f"Again: {again}"])


# ---- processes


def _one(seed: str, left_out: Collection[str], folder: Path) -> Outcome:
    ((outcome, _),) = _outcomes(iter([int(seed)]), frozenset(left_out), folder, 1, None)
    return outcome


def _outcomes(
    seeds: Iterator[int], left_out: frozenset[str], folder: Path, jobs: int, until: float | None
) -> Iterator[tuple[Outcome, float]]:
    """Run an evening for each seed, some at a time, and yield what came of each, and its processor time."""
    running: dict[int, tuple[int, Path]] = {}
    while True:
        while len(running) < jobs and (until is None or time.monotonic() < until):
            seed = next(seeds, None)
            if seed is None:
                break
            place = folder / f"{os.getpid()}-{seed}"
            place.mkdir()
            running[_forked(seed, left_out, place)] = seed, place
        if not running:
            return
        pid, status, usage = os.wait3(0)
        seed, place = running.pop(pid)
        outcome = _read(seed, place, status)
        shutil.rmtree(place)
        yield outcome, usage.ru_utime + usage.ru_stime


def _forked(seed: int, left_out: frozenset[str], place: Path) -> int:
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        import resource

        gc.disable()  # when it runs must not depend on anything but the seed
        resource.setrlimit(resource.RLIMIT_CPU, (int(_LONGEST_S), int(_LONGEST_S)))
        outcome = Evening(str(seed), place, left_out).run()
        (place / "outcome").write_bytes(msgspec.msgpack.encode(outcome))
        status = 0
    except BaseException:  # noqa: BLE001 - the parent reads of it
        (place / "error").write_text(traceback.format_exc())
    finally:
        os._exit(status)


def _read(seed: int, place: Path, status: int) -> Outcome:
    with_outcome = place / "outcome"
    if status == 0 and with_outcome.exists():
        return msgspec.msgpack.decode(with_outcome.read_bytes(), type=Outcome)
    error = (place / "error").read_text() if (place / "error").exists() else f"ended with {status}"
    return Outcome(str(seed), (f"the simulation itself failed: {error}",), (), "")


if __name__ == "__main__":
    sys.exit(main())
