"""Translates statements from the SQL that repositories are written in to PostgreSQL's.

Most of it is the same. The differences are listed here: placeholders, null-safe comparisons with them, the clock,
and SQLite's functions for JSON and text.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from bot.store.repository import NOW
from bot.store.transaction import Values

_PLACEHOLDER: Final = r"(\?\d*|:[a-z_]+)"

_RULES: Final = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (re.escape(NOW), "CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"),
        (rf"\bIS {_PLACEHOLDER}", r"IS NOT DISTINCT FROM \1"),
        (rf"\b(\w+) = {_PLACEHOLDER} COLLATE NOCASE", r'lower(\1) = lower(CAST(\2 AS TEXT) COLLATE "C")'),
        (
            r"\bjson_each\(([^()]+)\)",
            r"(SELECT CAST(item AS BIGINT) AS value FROM json_array_elements_text(CAST(\1 AS JSON)) AS item) AS items",
        ),
        (r"\bjson\((CASE [^()]* END)\)", r"CAST(\1 AS JSON)"),
        (r"\bjson_object\(", "json_build_object("),
        (r"\bjson_array\(", "json_build_array("),
        (r"\bjson_group_array\(", "json_agg("),
        (r"\blower\(hex\((\w+)\)\)", r"encode(\1, 'hex')"),
        (r"\binstr\(", "strpos("),
    )
)

_TOKENS: Final = re.compile(rf"'(?:[^']|'')*'|{_PLACEHOLDER}")
"""Quoted text, in which nothing is a placeholder, or a placeholder."""


class Translated(NamedTuple):
    """A statement with ``$1`` and so on, and where the value of each is: at an index, or under a name."""

    text: str
    keys: tuple[int | str, ...]


@cache
def translate(statement: str) -> Translated:
    """Translate a statement. All statements are constants, so each is translated once."""
    for pattern, replacement in _RULES:
        statement = pattern.sub(replacement, statement)
    keys: list[int | str] = []

    def numbered(token: re.Match[str]) -> str:
        placeholder = token.group(1)
        if placeholder is None:
            return token.group()
        key = _key(placeholder, len(keys))
        if key not in keys:
            keys.append(key)
        return f"${keys.index(key) + 1}"

    return Translated(_TOKENS.sub(numbered, statement), tuple(keys))


def _key(placeholder: str, used: int) -> int | str:
    """Return where the value of a placeholder is. ``?`` alone stands for the next one."""
    if placeholder.startswith(":"):
        return placeholder[1:]
    return int(placeholder[1:]) - 1 if placeholder[1:] else used


def arguments(keys: tuple[int | str, ...], values: Values) -> Sequence[Any]:
    """Return the values in the order of ``$1``, ``$2`` and so on."""
    if isinstance(values, Mapping):
        return [values[str(key)] for key in keys]
    return [values[int(key)] for key in keys]
