"""The compose files, read without Docker: mappings and lists of texts, nested by their indents."""

import re
from pathlib import Path
from typing import Any, Final

from tests.wire.bot_process import ROOT

FILES: Final = sorted((ROOT / "deploy").glob("compose*.yaml"))


def services(file: Path) -> dict[str, Any]:
    """Return the services of a file by name. Volumes have the names that Docker gives them."""
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not re.match(r" *(#|$)", line)]
    given: dict[str, Any] = _block(lines, 0)
    assert not lines, "a line isn't understood"
    names = {short: volume["name"] for short, volume in given["volumes"].items()}
    found: dict[str, Any] = given["services"]
    for service in found.values():
        mounted = [each.split(":") for each in service["volumes"]]
        service["volumes"] = [f"{names[volume]}:{place}" for volume, place in mounted]
    return found


def _block(lines: list[str], indent: int) -> Any:
    """Take the lines with this indent, and those below them, and return what they say."""
    items: list[str] = []
    values: dict[str, Any] = {}
    while lines and _indent(lines[0]) == indent:
        line = lines.pop(0).strip()
        if line.startswith("- "):
            items.append(line[2:])
            continue
        name, _, value = line.partition(":")
        is_above = not value and lines and _indent(lines[0]) > indent
        values[name] = _block(lines, _indent(lines[0])) if is_above else value.strip()
    return items or values


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
