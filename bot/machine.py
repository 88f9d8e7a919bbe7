"""What this machine allows this process: cores and memory, also within a container or a service."""

import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_GROUPS: Final = Path("/sys/fs/cgroup")
_OWN_GROUPS: Final = Path("/proc/self/cgroup")
_PARTS: Final = ("quota", "period")
"""Of the time that a control group may use."""
_MEMINFO: Final = Path("/proc/meminfo")
_AVAILABLE: Final = re.compile(r"^MemAvailable: +(\d+) kB$", re.MULTILINE)
_MEMORY_1: Final = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
_MEMORY_2: Final = ("memory.max", "memory.current", "inactive_file")
"""Files of a control group: its limit, and what it uses; and what of that is cached, in `memory.stat`."""


def usable_cores() -> int:
    """Return the number of cores that this process may use: by its affinity, and by the quota of its control group."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([cores, *map(math.ceil, quotas())]))


def quotas(own: Path = _OWN_GROUPS, groups: Path = _GROUPS) -> Iterator[float]:
    """Yield the quotas of the control groups of this process, in cores."""
    for group in _text(own).splitlines():
        _, controllers, path = group.split(":", 2)
        lowest = groups / ("cpu" if "cpu" in controllers.split(",") else "") / path.lstrip("/")
        for folder in (lowest, *lowest.parents):
            # Version 2 has one file, version 1 two.
            limit = _text(folder / "cpu.max") or " ".join(_text(folder / f"cpu.cfs_{each}_us") for each in _PARTS)
            quota, _, period = limit.partition(" ")
            if quota.strip().isdigit():
                yield int(quota) / int(period)


def _text(file: Path) -> str:
    """Return the content of a file of the system; empty if there is none."""
    try:
        return file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


def memory_left(own: Path | None = None, groups: Path | None = None, meminfo: Path = _MEMINFO) -> float:
    """Return how many bytes this process may still take: of its control groups, and of the machine.

    Infinite if that isn't known, as in services that hide it.
    """
    left = [int(found[1]) * 1024] if (found := _AVAILABLE.search(_text(meminfo))) else []
    return min([*left, *_left_in_groups(own or _OWN_GROUPS, groups or _GROUPS)], default=math.inf)


def _left_in_groups(own: Path, groups: Path) -> Iterator[int]:
    """Yield what each control group of this process may still take. Cached files make room."""
    for group in _text(own).splitlines():
        _, controllers, path = group.split(":", 2)
        is_first = "memory" in controllers.split(",")  # version 1
        if controllers and not is_first:
            continue
        limit, used, cached = _MEMORY_1 if is_first else _MEMORY_2
        lowest = groups / ("memory" if is_first else "") / path.lstrip("/")
        for folder in (lowest, *lowest.parents):
            most, now = _text(folder / limit).strip(), _text(folder / used).strip()
            if most.isdigit() and now.isdigit():
                statistics = dict(line.split(" ", 1) for line in _text(folder / "memory.stat").splitlines())
                yield int(most) - int(now) + int(statistics.get(cached, 0))
