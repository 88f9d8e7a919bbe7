"""Text that comes from users, made harmless, and small turns of phrase that all messages share."""

import re
from collections.abc import Sequence

from bot.tables import Table

_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<:@-])")
_LONGEST_NAME = 24


def plain(text: str) -> str:
    """The text of a user as text: it can't ping, link, break the markdown around it or take a second line."""
    one_line = " ".join(text.split())
    return _MARKDOWN.sub(r"\\\1", one_line)


def short_name(name: str) -> str:
    """A display name that fits on a phone beside a score, made harmless by `plain`."""
    one_line = " ".join(name.split()) or "?"
    return plain(one_line if len(one_line) <= _LONGEST_NAME else one_line[: _LONGEST_NAME - 1] + "…")


def label_name(name: str) -> str:
    """A display name for a label, where Discord knows no markdown."""
    one_line = " ".join(name.split()) or "?"
    return one_line if len(one_line) <= _LONGEST_NAME else one_line[: _LONGEST_NAME - 1] + "…"


def name_of(table: Table, seat: int) -> str:
    """The name of who sits there, harmless."""
    return next((short_name(sitter.name) for sitter in table.sitters if sitter.seat == seat), f"Seat {seat + 1}")


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "nobody"


def clip(text: str, longest: int) -> str:
    """The text, at most so many characters, an ellipsis where something was cut."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def number(value: int) -> str:
    """The number with a real minus sign."""
    return str(value).replace("-", "−")


def signed(value: int) -> str:
    """The number with its sign, a plus too."""
    return f"{value:+d}".replace("-", "−")
