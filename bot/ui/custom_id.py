"""What a button, a menu or a form says when it is used: the ``custom_id`` and what is written in it.

Whatever a press needs stands in its ``custom_id``, so a button works as long as its message exists, after any number of
restarts. Who pressed is never in it; that is ``interaction.user``.
"""

from typing import Final, Self

import msgspec

PREFIX: Final = "lily"
_SEPARATOR: Final = ":"


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
        if len(parts) != 5 or parts[0] != PREFIX or not (parts[2].isdecimal() and parts[3].isdecimal()):
            return None
        return cls(parts[1], int(parts[2]), int(parts[3]), parts[4])
