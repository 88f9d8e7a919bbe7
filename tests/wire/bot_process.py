"""Run the bot as a process. It knows this Discord only from its settings."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from tests.forking import Forked, forked
from tests.waiting import DEADLINE_S
from tests.wire.objects import TOKEN

ROOT = Path(__file__).parents[2]


class BotProcess:
    """A running ``python -m bot run``."""

    def __init__(self, process: Forked | asyncio.subprocess.Process) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    @property
    def memory_mb(self) -> float:
        """Return the resident memory of the process."""
        pages = Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20

    async def output(self, within_s: float = DEADLINE_S) -> tuple[int, str, str]:
        """Wait for the end. Return exit status, standard output and standard error."""
        printed, said = await asyncio.wait_for(self._process.communicate(), within_s)
        assert self._process.returncode is not None
        return self._process.returncode, printed.decode(), said.decode()

    async def line(self) -> str:
        """Return the next line of standard error."""
        assert self._process.stderr is not None
        async with asyncio.timeout(DEADLINE_S):  # `wait_for` of Python 3.11 may swallow a cancellation
            line = await self._process.stderr.readline()
        assert line, "the bot has ended"
        return line.decode()

    async def line_with(self, text: str) -> str:
        """Return the next line of standard error with this text."""
        while text not in (line := await self.line()):
            pass
        return line

    async def end(self, how: signal.Signals | None = None, within_s: float = DEADLINE_S) -> tuple[int, str]:
        """Send a signal, if given, and wait for the end. Return exit status and standard error."""
        if how is not None and self._process.returncode is None:
            self._process.send_signal(how)
        _, said = await asyncio.wait_for(self._process.communicate(), within_s)
        assert self._process.returncode is not None
        return self._process.returncode, said.decode()


@asynccontextmanager
async def running(  # noqa: PLR0913 - most have defaults
    url: str,
    database: Path | str,
    token: str = TOKEN,
    log_level: str = "WARNING",
    arguments: Sequence[str] = ("-m", "tests.patient", "run"),
    *,
    shards: str = "auto",
    forks: bool = True,
) -> AsyncIterator[BotProcess]:
    """Run a bot on the Discord at ``url``. Kill it at the end if it is still running.

    ``database`` is the file of its tables, or the URL of a PostgreSQL database. ``arguments`` are those of Python, for
    running another bot with the same settings, ``shards`` the setting SHARDS. Without ``forks``,
    it imports everything itself, so that PYTHONPATH counts.
    """
    environment = {
        **os.environ,
        "DISCORD_TOKEN": token,
        "DISCORD_API_URL": url,
        "DATABASE_URL": f"sqlite:///{database}" if isinstance(database, Path) else database,
        "SHARDS": shards,
        "LOG_LEVEL": log_level,
    }
    process: Forked | asyncio.subprocess.Process
    if forks and arguments[0] == "-m":
        process = await forked(tuple(arguments[1:]), environment)
    else:
        process = await asyncio.create_subprocess_exec(
            sys.executable, *arguments, cwd=ROOT, env=environment, stdout=PIPE, stderr=PIPE
        )
    try:
        yield BotProcess(process)
    finally:
        if process.returncode is None:
            process.kill()
            _, said = await process.communicate()
            sys.stderr.write(said.decode())
