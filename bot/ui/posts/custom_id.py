"""The ``custom_id`` of buttons, menus and forms.

It holds all that a press needs, so a button works as long as its message exists, across restarts. It never names the
user, which is ``interaction.user``. As anybody can send any ``custom_id``, all numbers in it are parsed here.
"""

import re
from typing import Final, Self

import msgspec

from bot.errors import PlayError

PREFIX: Final = "lily"
_SEPARATOR: Final = ":"
_BEFORE_ORIGIN: Final = "~"
MORE: Final = "more"
ORIGINS: Final = frozenset({"about", "happened", "help", "hint", "leaving", MORE, "tables"})
"""The verbs of pages to which **Back** leads."""
PARENTS: Final = dict.fromkeys(("about", "happened", "leaving"), MORE)
"""The pages to which **Back** leads from these pages, once it has led to them."""
_NUMBER: Final = re.compile(r"[0-9]{1,19}")
_KEY: Final = re.compile(r"[0-9]{1,19}(-[0-9]{1,9}(-[0-9a-f]{1,16})?)?")
_LARGEST: Final = 2**63 - 1
"""The largest integer that Discord's ids and the database allow."""


class Outdated(PlayError):
    """Raised for a press that no message of this version of the bot can cause."""

    def __init__(self) -> None:
        super().__init__("This button is too old.")


class Press(msgspec.Struct, frozen=True):
    """One use of a button, menu or form.

    ``key`` is the `Table.key` of its table, or the table's id in buttons of older versions of the bot; empty if it is
    about none. ``version`` is the table's version when its message was drawn. ``origin`` is the verb of the page to
    which **Back** leads, if there is one.
    """

    verb: str
    version: int = 0
    argument: str = ""
    origin: str = ""
    key: str = ""

    @property
    def custom_id(self) -> str:
        """The text that Discord sends back: at most 100 characters, as no argument (a move) is longer than 70."""
        return custom_id(self.verb, self.key or 0, self.version, self.argument, self.origin)

    @property
    def menu_argument(self) -> str:
        """The argument of a menu, without the numbers of the menu and its page that `layout` appends."""
        return self.argument.partition(".")[0]

    @classmethod
    def parse(cls, custom_id: str) -> Self | None:
        """Return the press of this ``custom_id``, or ``None`` if it isn't one of this bot's."""
        parts = custom_id.split(_SEPARATOR, 4)
        if len(parts) != 5 or parts[0] != PREFIX:
            return None
        argument, _, origin = parts[4].rpartition(_BEFORE_ORIGIN)
        if origin not in ORIGINS:
            argument, origin = parts[4], ""
        try:
            key, version = parse_key(parts[2]), parse_number(parts[3])
        except Outdated:
            return None
        return cls(parts[1], version, argument, origin, "" if key == "0" else key)


def custom_id(verb: str, key: str | int, version: int, argument: str = "", origin: str = "") -> str:
    """Return the text of a press. ``key`` is `Table.key`, or 0."""
    argument = f"{argument}{_BEFORE_ORIGIN}{origin}" if origin else argument
    return _SEPARATOR.join((PREFIX, verb, str(key), str(version), argument))


def parse_key(text: str) -> str:
    """Return the key of a table in a button or a menu. Raises `Outdated` if the bot can't have written it."""
    if not _KEY.fullmatch(text):
        raise Outdated
    number, *rest = text.split("-")
    parse_number(number)
    if rest[1:] and int(rest[1], 16) > _LARGEST:
        raise Outdated
    return text


def parse_number(text: str) -> int:
    """Return the number in a button or a menu. Raises `Outdated` if the bot can't have written it."""
    value = int(text) if _NUMBER.fullmatch(text) else None
    if value is None or value > _LARGEST:
        raise Outdated
    return value
