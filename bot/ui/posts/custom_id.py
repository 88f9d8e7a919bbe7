"""What a button, a menu or a form says when it is used: the ``custom_id`` and what is written in it.

Whatever a press needs stands in its ``custom_id``, so a button works as long as its message exists, after any number of
restarts. Who pressed is never in it; that is ``interaction.user``. Anybody may send anything, so numbers are read here
alone.
"""

import re
from typing import Final, Self

import msgspec

from bot.errors import PlayError

PREFIX: Final = "lily"
_SEPARATOR: Final = ":"
_NUMBER: Final = re.compile(r"[0-9]{1,19}")
_LARGEST: Final = 2**63 - 1
"""The largest number that Discord's ids and the database can have."""


class Outdated(PlayError):
    """The refusal of a press that no message of this version of the bot can cause."""

    def __init__(self) -> None:
        super().__init__("This button belongs to an older version of the bot; /tables shows your tables.")


class Press(msgspec.Struct, frozen=True):
    """One use of a button, menu or form. ``version`` is the one of the table that its message was drawn from."""

    verb: str
    table: int = 0
    version: int = 0
    argument: str = ""

    @property
    def custom_id(self) -> str:
        """The text that Discord gives back: at most 100 characters, as no argument is longer than 70 (a move)."""
        return _SEPARATOR.join((PREFIX, self.verb, str(self.table), str(self.version), self.argument))

    @classmethod
    def read(cls, custom_id: str) -> Self | None:
        """The press of this ``custom_id``, or ``None`` if it is none of ours."""
        parts = custom_id.split(_SEPARATOR, 4)
        if len(parts) != 5 or parts[0] != PREFIX:
            return None
        try:
            return cls(parts[1], number(parts[2]), number(parts[3]), parts[4])
        except Outdated:
            return None


def number(text: str) -> int:
    """Return the number that a button or a menu carries. Raises `Outdated` unless it is one that the bot can write."""
    value = int(text) if _NUMBER.fullmatch(text) else None
    if value is None or value > _LARGEST:
        raise Outdated
    return value
