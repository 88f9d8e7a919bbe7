"""This process and its host, as other processes of the bot know them: whether it is still running is known there."""

import hashlib
import os
import secrets
import socket
from contextlib import suppress
from pathlib import Path
from typing import Final

from bot.store.bot_processes import Holder

_IDS: Final = (Path("/proc/sys/kernel/random/boot_id"), Path("/etc/machine-id"))
"""What tells machines apart. systemd's units may hide the first one."""
_PROCESS_IDS: Final = Path("/proc/self/ns/pid")
"""What tells containers of a machine apart, each of which has its own process ids."""


def this_process(name: str) -> Holder:
    """Return this process, under its name in the database."""
    return Holder(name, _host(), os.getpid())


def has_died(other: Holder, ours: Holder) -> bool:
    """Whether another process has died on this host. That isn't known of other hosts."""
    if other.host != ours.host or other.process == ours.process:
        return False
    if other.pid == ours.pid:  # it had our process id before
        return True
    try:
        os.kill(other.pid, 0)  # it sends nothing
    except ProcessLookupError:
        return True
    except OSError:  # it isn't ours to signal
        return False
    return False


def _host() -> str:
    """Return a name of this host, within which process ids are unique. Without Linux, it is another one each time."""
    identity = secrets.token_hex()
    with suppress(OSError, StopIteration):
        machine = next(path.read_text(encoding="ascii") for path in _IDS if os.access(path, os.R_OK))
        identity = f"{machine} {_PROCESS_IDS.readlink()}"
    return f"{socket.gethostname()}-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"
