"""The bot is cut off at every point where something leaves it, and another one takes over.

Nothing is lost or doubled: boards and hands show what is committed, no message is posted twice, nobody is pinged twice
for a turn, and every old button works. A game is cut at every named step, each time the next of the four.
``make kill-trials`` cuts all four at every named step, with ``KILLS=5000`` at every point, and some evenings twice.
``make all-tests`` presses every button after each cut, which takes most of the time; otherwise that is done twice.
"""

import random
import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.doses import IS_COMPLETE, SEED, amount, on_demand
from tests.kill.evening import Evening, opened
from tests.kill.power import Power
from tests.kill.scenes import OPTIONS, SCENES, Scene, stand

TRIALS: Final = amount("KILLS", test=0, full=100)
"""The number of further trials at random points, or at all points if there are fewer."""

NAMED: Final[Mapping[str, tuple[str, ...]]] = {
    "lobby": (
        "before a table is opened",
        "after a table is opened",
        "after a board is noted",
        "before POST an answer",
        "after POST an answer",
        "after a board is recorded",
        "before the commit of a change",
        "after the commit of a change",
        "after a hand is noted",
        "after POST a hand",
        "after a hand is recorded",
    ),
    "turns": (
        "after PATCH a hand",
        "before the commit of a move",
        "after the commit of a move",
        "before PATCH a board",
        "after PATCH a board",
        "after a board is updated",
        "after a board is noted",
        "after POST a board",
        "after a board is recorded",
        "before DELETE a message",
        "after DELETE a message",
        "after a board is forgotten",
        "after a ping is noted",
        "after POST a ping",
        "after a ping is recorded",
        "after a ping is forgotten",
    ),
    "deal": ("after the commit of a move", "before POST a hand", "after POST a hand"),
    "end": ("after the commit of a move", "after a table is opened", "after POST a board", "after POST a hand"),
    "undo": ("before the commit of an undo", "after the commit of an undo"),
    "consent": (
        "after a wish to undo is written",
        "after a question is noted",
        "after POST a question",
        "after a question is recorded",
        "before a consent is written",
        "after a consent is written",
        "after the commit of an undo",
        "before DELETE a message",
        "after DELETE a message",
        "after a question is forgotten",
    ),
    "refusal": ("after a consent is written",),
    "resign": ("after POST an answer", "after the commit of a change"),
    "absence": ("after the commit of a change",),
}
"""The steps at which the process dies in each scene. After one step is usually before the next."""
ALSO: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("pond", "resign"): ("before the commit of a move", "after the commit of a move"),
    ("frogs", "resign"): ("before the commit of a move", "after the commit of a move"),
    **{(game, "absence"): ("after a vote is written",) for game in ("pond", "pontis", "pot_black")},
}
"""Further steps in some games: with two sides, resigning is a move; three sides vote."""


class Stage:
    """Make a table for each scene."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._stands: dict[tuple[str, str], tuple[Path, tuple[int, str]]] = {}

    async def plays(self, scene: Scene, game: str, database: Path, power: Power, *, presses: bool = True) -> Evening:
        """Play the scene on this power. ``presses``: press every button at the end."""
        if (scene.name, game) not in self._stands:
            master = self._directory / f"{game}-{scene.name}.db"
            self._stands[scene.name, game] = master, await stand(master, scene, game)
        master, next_move = self._stands[scene.name, game]
        if master.exists():
            shutil.copy(master, database)
        async with opened(database, power, game, scene.people_in(game), next_move) as evening:
            await scene.plays(evening)
            await evening.check()
            if presses:
                await evening.press_everything()
        return evening


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """The tables that scenes start from."""
    return Stage(tmp_path_factory.mktemp("stage"))


def cuts() -> list[tuple[str, str, str]]:
    """Return games with scenes and their named steps: each step in one game, for trials in every game that has it."""
    games_at: dict[tuple[str, str], list[str]] = {}
    for game in OPTIONS:
        for name, scene in SCENES.items():
            for where in _named(game, name) if game in scene.games else ():
                games_at.setdefault((name, where), []).append(game)
    return [
        (game, *step)
        for number, (step, games) in enumerate(games_at.items())
        for game in (games if IS_COMPLETE else [games[number % len(games)]])
    ]


def _named(game: str, scene: str) -> tuple[str, ...]:
    also = ALSO.get((game, scene), ())
    return also if scene == "resign" and also else (*NAMED[scene], *also)


CUTS: Final = cuts()
PRESSED: Final = frozenset(
    next(cut for cut in CUTS if cut[:2] == each) for each in (("pontis", "end"), ("pot_black", "turns"))
)
"""The cuts after which `make test` presses every button; test_disk.py and test_migrations.py do it in other games."""


@pytest.mark.parametrize(("game", "scene", "where"), CUTS)
async def test_nothing_is_lost_or_doubled_by_a_cut_at_a_named_step(
    game: str, scene: str, where: str, stage: Stage, tmp_path: Path
) -> None:
    presses = IS_COMPLETE or (game, scene, where) in PRESSED
    evening = await stage.plays(SCENES[scene], game, tmp_path / "lilypad.db", Power(where), presses=presses)
    assert evening.crashes == 1


async def points(stage: Stage, directory: Path) -> AsyncIterator[tuple[Scene, str, int]]:
    """Play each scene of each game undisturbed. Return the numbers of points."""
    for scene in SCENES.values():
        for game in scene.games:
            power = Power()
            await stage.plays(scene, game, directory / f"{scene.name}-{game}.db", power)
            yield scene, game, len(power.passed)


@on_demand
async def test_nothing_is_lost_or_doubled_by_a_cut_at_any_point(stage: Stage, tmp_path: Path) -> None:
    sys.stdout.write(f"SEED={SEED}\n")
    drawn = random.Random(SEED)
    every = [(scene, game, point) async for scene, game, count in points(stage, tmp_path) for point in range(count)]
    drawn.shuffle(every)
    crashes = 0
    for number in range(TRIALS):
        scene, game, point = every[number % len(every)]
        power = Power(point, *([point + drawn.randint(1, 40)] if number >= len(every) or number % 4 == 3 else []))
        said = f"{number}: {game}, {scene.name}, {point}, {power.fails_at[1:]}"
        try:
            crashes += (await stage.plays(scene, game, tmp_path / "trial.db", power)).crashes
        except BaseException:
            sys.stdout.write(f"{said}: {power.passed[point : point + 1]}\n")
            raise
        for rest in ("trial.db", "trial.db-wal", "trial.db-shm"):
            (tmp_path / rest).unlink(missing_ok=True)
    sys.stdout.write(f"{TRIALS} evenings of {len(every)} points, {crashes} cuts, none lost, none doubled\n")
    assert crashes >= TRIALS
