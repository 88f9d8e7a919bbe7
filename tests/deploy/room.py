"""A room: a root of its own, in which commands see this machine's files and may change all. Nothing of it lasts."""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Final

from tests.wire.bot_process import ROOT, BotProcess

_ENTER: Final = """
room=$1 shared=$2 checkout=$3 venv=$4 python=$5 script=$6
mount -t tmpfs -o mode=755 tmpfs "$room"
cd "$room"
mkdir upper work root
mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root
searched=$python
until [ "$searched" = / ]; do
    chmod go+x "root$searched"
    searched=$(dirname "$searched")
done
mkdir -p root/srv/shared root/srv/checkout root/srv/venv
mount --rbind /proc root/proc
mount --rbind /sys root/sys
mount --rbind /dev root/dev
mount --rbind "$python" "root$python"
mount --rbind "$shared" root/srv/shared
mount --rbind "$checkout" root/srv/checkout
mount --rbind "$venv" root/srv/venv
mount -o remount,bind,ro root/srv/checkout
mount -o remount,bind,ro root/srv/venv
exec env PATH="/srv/checkout/tests/deploy/programs:$PATH" chroot root sh -ec "$script"
"""


def room(folder: Path, script: str) -> list[str]:
    """Return a command that runs a shell's script in a room, as root.

    ``folder`` is ``/srv/shared`` there, the checkout ``/srv/checkout``, and its virtual environment ``/srv/venv``. The
    programs in ``programs`` come first on the path.
    """
    inside, shared = folder / "room", folder / "shared"
    for each in (inside, shared):
        each.mkdir(exist_ok=True)
    shared.chmod(0o755)
    paths = map(str, (inside, shared, ROOT, Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()))
    return ["unshare", "--mount", "sh", "-ec", _ENTER, "sh", *paths, script]


@cache
def has_rooms() -> bool:
    """Whether there are rooms on this machine: only root may mount, and not in every container."""
    if os.geteuid() or not shutil.which("unshare"):
        return False
    with tempfile.TemporaryDirectory() as folder:
        tried = subprocess.run(room(Path(folder), "true"), capture_output=True, check=False)  # noqa: S603 - a constant
    return tried.returncode == 0


@asynccontextmanager
async def running_in_room(folder: Path, script: str) -> AsyncIterator[BotProcess]:
    """Run a script that ends with the execution of a bot in a room. Kill the bot at the end if it is still running."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*room(folder, script), stdout=pipe, stderr=pipe)
    try:
        yield BotProcess(process)
    finally:
        if process.returncode is None:
            process.kill()
        _, said = await process.communicate()
        sys.stderr.write(said.decode())
