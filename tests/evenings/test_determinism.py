"""One seed is one evening, byte for byte; and where the program asks for what no seed decides."""

import ast
from collections.abc import Iterator
from functools import cache
from typing import Final

from tests.evenings.test_evenings import ROOT, evenings

_OUTSIDE: Final = ("bot/__main__.py", "bot/cli/", "bot/sandbox/")
"""No part of a running bot."""
_MODULES: Final = frozenset({"secrets", "threading", "time", "uuid", "concurrent.futures"})
_NAMES: Final = frozenset(
    {
        "asyncio.to_thread",
        "datetime.datetime.now",
        "datetime.datetime.today",
        "datetime.datetime.utcnow",
        "datetime.date.today",
        "discord.utils.utcnow",
        "os.urandom",
        "random.SystemRandom",
    }
)
_SEEDED: Final = "random.Random"
_UNSEEDED: Final = "random.Random()"

ALLOWED: Final = {
    "bot/logs.py": {"time.monotonic"},
    "bot/pictures/worker.py": {"concurrent.futures.Future", "concurrent.futures.ThreadPoolExecutor"},
    "bot/running/backups.py": {"asyncio.to_thread"},
    "bot/running/client.py": {"secrets.token_hex", "time.time"},
    "bot/running/gateway.py": {_UNSEEDED, "time.monotonic"},
    "bot/running/health.py": {"time.monotonic"},
    "bot/running/host.py": {"secrets.token_hex"},
    "bot/running/leases.py": {"time.perf_counter", "time.time"},
    "bot/running/second_bot.py": {"time.monotonic"},
    "bot/store/former_players.py": {"secrets.token_hex"},
    "bot/store/quotas.py": {"secrets.token_bytes"},
    "bot/store/sqlite/sqlite_schema.py": {"time.monotonic", "time.sleep"},
    "bot/tables/damage.py": {"secrets.token_hex"},
    "bot/tables/game_nights.py": {"secrets.choice"},
    "bot/tables/matches.py": {"secrets.choice"},
    "bot/tables/replays.py": {"asyncio.to_thread"},
    "bot/tables/tables.py": {"secrets.token_bytes", "time.time"},
    "bot/thinking/thinkers.py": {"asyncio.to_thread", "concurrent.futures.ThreadPoolExecutor", "secrets.token_hex"},
    "bot/thinking/turns.py": {"secrets.choice"},
    "bot/ui/interactions/rate_limit.py": {"time.monotonic"},
    "bot/ui/interactions/respond.py": {"secrets.token_hex", "time.time"},
    "bot/ui/live/pace.py": {"time.monotonic"},
    "bot/ui/live/writer.py": {"secrets.choice"},
    "bot/worker_processes.py": {"threading.Thread", "time.monotonic"},
}
"""The places that ask a clock, the system's randomness or a thread. Evenings replace what these give
(`tests.evenings.stand_ins`): look there before you add one.
"""
ALLOWED_LOOPS: Final = {"bot/pictures/canvas.py": 1}
"""Loops over a set, whose order must not matter. A dictionary or `sorted` keeps an order."""


def test_one_seed_is_one_evening_byte_for_byte_under_any_hash_seed() -> None:
    both = [evenings("--seed", "1", "--count", "3", "--digests", hash_seed=each) for each in ("1", "2")]
    digests = [sorted(line for line in done.stdout.splitlines() if " evenings " not in line) for done in both]
    assert digests[0] == digests[1]
    assert len({line.split()[1] for line in digests[0]}) == 3


def test_no_other_place_asks_the_clock_the_system_or_a_thread() -> None:
    found = {path: asked for path, tree in _modules() if (asked := set(_asked(tree)))}
    assert found == ALLOWED


def test_nothing_depends_on_the_order_of_a_set() -> None:
    found = {path: count for path, tree in _modules() if (count := len([*_loops_over_sets(tree)]))}
    assert found == ALLOWED_LOOPS


def test_the_scan_sees_what_it_looks_for() -> None:
    tree = ast.parse(
        "import time as clock\nfrom secrets import choice\nfrom datetime import datetime\nimport random\n"
        "clock.time()\nchoice([1])\ndatetime.now()\nrandom.Random()\nrandom.Random(7)\n"
        "for each in {1, 2} - {3}: pass\n[each for each in map(str, set(()))]\nsorted(set(()))\ntuple({1}.union({2}))\n"
    )
    assert set(_asked(tree)) == {"time.time", "secrets.choice", "datetime.datetime.now", _UNSEEDED}
    assert len([*_loops_over_sets(tree)]) == 3


@cache
def _modules() -> tuple[tuple[str, ast.Module], ...]:
    files = sorted([*(ROOT / "bot").rglob("*.py"), *(ROOT / "cogs").rglob("*.py")])
    named = [(file.relative_to(ROOT).as_posix(), file) for file in files]
    return tuple((name, ast.parse(file.read_text("utf-8"))) for name, file in named if not name.startswith(_OUTSIDE))


def _asked(tree: ast.Module) -> Iterator[str]:
    """Yield the names of what a module uses of clocks, randomness and threads, with those of their modules."""
    known = dict(_imported(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            name = _dotted(node, known)
            if name in _NAMES or name.rpartition(".")[0] in _MODULES:
                yield name
        elif isinstance(node, ast.Call) and not (node.args or node.keywords or _dotted(node.func, known) != _SEEDED):
            yield _UNSEEDED


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield what each imported name stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield (
                    each.asname or each.name.partition(".")[0],
                    each.name if each.asname else each.name.partition(".")[0],
                )
        elif isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                yield each.asname or each.name, f"{node.module}.{each.name}"


def _dotted(node: ast.expr, known: dict[str, str]) -> str:
    if isinstance(node, ast.Name):
        return known.get(node.id, "")
    if isinstance(node, ast.Attribute) and (owner := _dotted(node.value, known)):
        return f"{owner}.{node.attr}"
    return ""


def _loops_over_sets(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what loops, comprehensions that keep an order, and sequences take from a set, as far as that is written."""
    for node in ast.walk(tree):
        match node:
            case ast.For(iter=each) | ast.AsyncFor(iter=each) | ast.Starred(value=each):
                taken = [each]
            case ast.ListComp() | ast.DictComp():
                taken = [part.iter for part in node.generators]
            case ast.Call(func=ast.Name(id="tuple" | "list" | "next"), args=taken):
                pass
            case _:
                taken = []
        yield from (each for each in taken if _is_set(each))


def _is_set(node: ast.expr) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.Call(func=ast.Attribute(attr="union" | "intersection" | "difference")):
            return True
        case ast.GeneratorExp():
            return any(_is_set(part.iter) for part in node.generators)
        case ast.BinOp(left=left, right=right, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()):
            return _is_set(left) or _is_set(right)
        case ast.Call(func=ast.Name(id="map" | "filter" | "iter" | "enumerate"), args=taken):
            return any(map(_is_set, taken))
        case _:
            return False
