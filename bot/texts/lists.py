"""Lists in sentences."""

from collections.abc import Sequence

from bot.texts import gettext as _


def listed(words: Sequence[str]) -> str:
    """Join words: ``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return words[0] if words else _("nobody")
    return _("{words} and {last}", words=", ".join(words[:-1]), last=words[-1])


def either(words: Sequence[str]) -> str:
    """Join alternatives: ``a``, ``a or b``, ``a, b or c``; empty without any."""
    if len(words) < 2:
        return "".join(words)
    return _("{words} or {last}", words=", ".join(words[:-1]), last=words[-1])
