"""Run the bot on a small disk that fills up. The process mounts one, plays there, and prints only errors.

It needs its own mounts: ``unshare --map-root-user --mount``.
"""

import asyncio
import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from bot.errors import StoreError
from bot.store.sqlite import SqliteStore
from tests.doses import IS_COMPLETE
from tests.kill.evening import Evening, opened
from tests.kill.power import Power
from tests.kill.scenes import SCENES, stand

SIZE: Final = "4m"


def fill(directory: Path) -> Path:
    """Fill the disk completely."""
    ballast = directory / "ballast"
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(b"x" * 4096):
            pass
    return ballast


async def presses(evening: Evening) -> str:
    """Play a move, and return what the player sees."""
    mover = evening.player((await evening.whose_turn())[0])
    move = (await evening.sight(mover)).observation.legal[0]
    return (await mover.types(f"{evening.group} move", move=str(move))).text


async def fills_up(evening: Evening, directory: Path) -> None:
    """Check that committed moves stay, that moves on a full disk are refused, and that play goes on with free space."""
    world = evening.world
    ballast = fill(directory)
    for _ in range(200):
        before = await evening.table(), await evening.log()
        told = await presses(evening)
        if "save or load games" in told:
            break
    assert "save or load games" in told, told
    assert "Reference" in told
    assert (await evening.table(), await evening.log()) == before, "something of it was kept"
    board = evening.people[0].board
    page = await evening.people[0].clicks(board, "More")
    assert "went wrong" not in page.text
    assert "save or load games" in await presses(evening)
    assert evening.people[0].board.text == board.text
    ballast.unlink()
    told = await presses(evening)
    assert "disk" not in told, told
    assert len(await evening.log()) > len(before[1])
    await world.wait(100)
    await evening.check()


async def starts_on_a_full_disk(evening: Evening, directory: Path) -> None:
    """Check that a bot doesn't start on a full or read-only disk, and that nothing is lost."""
    before = await evening.table(), await evening.log()
    await evening.world.crash(lambda: _is_refused(directory))
    await evening.world.env.settle()
    assert (await evening.table(), await evening.log()) == before
    await evening.plays()
    if IS_COMPLETE:
        await evening.press_everything()


async def _is_refused(directory: Path) -> None:
    ballast = fill(directory)
    with pytest.raises(StoreError, match="the disk is full"):
        await SqliteStore.open(directory / "lilypad.db")
    ballast.unlink()
    mount("-o", "remount,ro", str(directory))
    with pytest.raises(StoreError, match=r"read-only|may the program write"):
        await SqliteStore.open(directory / "lilypad.db")
    mount("-o", "remount,rw", str(directory))


def mount(*arguments: str) -> None:
    """Call ``mount``."""
    subprocess.run(["mount", *arguments], check=True)  # noqa: S603, S607 - the test's own arguments


async def main(directory: Path, game: str) -> None:
    """Mount the disk, and play on it."""
    mount("-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(directory))
    scene, database = SCENES["turns"], directory / "lilypad.db"
    next_move = await stand(database, scene, game)
    async with opened(database, Power(), game, scene.people_in(game), next_move) as evening:
        await fills_up(evening, directory)
        await starts_on_a_full_disk(evening, directory)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
