"""All errors whose text is shown to people, as a tree of exceptions.

    LilypadError                      its text is one sentence for a person
    ├── PlayError                     a refusal for a player; nothing was changed
    │   ├── InvalidMove               the text is not a move of this game
    │   ├── IllegalMove               a move that this seat can't make now; names its ruling
    │   ├── InvalidOption             an option that the game refuses
    │   ├── Stale                     the button is older than the table
    │   ├── NoSuchTable               no table with that number or name
    │   ├── AmbiguousTable            several tables fit; the player has to name one
    │   ├── TooManyTables             the maximum number of open tables is reached
    │   ├── NotSeated                 the user has no seat at the table
    │   ├── NotAllowed                the user may not do this; the host may, for example
    │   ├── DamagedTable              stored data of the table that can't be read
    │   └── WrongPhase                the table has not started, is being played, or is over
    ├── SettingsError                 the environment; lists every mistake
    ├── TranscriptError               a transcript that can't be replayed, with the place of the error
    └── StoreError                    the database can't be read or written
        ├── Conflict                  another writer changed the table first
        ├── DatabaseTooNew            written by a newer version of the bot
        ├── DatabaseTooOld            to be upgraded by an earlier version first
        ├── Locked                    another program has locked the database
        ├── AlreadyRunning            another bot serves the database, or these shards
        ├── Unreachable               no connection to the database's server at the moment
        ├── OutcomeUnknown            the connection was lost while saving
        └── StatementFailed           a defect: the database refuses a statement

Any other exception is a bug. It is logged under a reference number, and the user sees only that number.
"""

import json
import re
from typing import Final

_MAX_QUOTED: Final = 100
_UNSAFE: Final = re.compile(
    "[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
"""Characters that move the cursor, break or reverse a line, or are invisible."""
_TOKEN: Final = re.compile(r"(?<![\w-])[\w-]{18,}+\.[\w-]{4,10}+\.[\w-]{20,}", re.ASCII)
"""The form of a bot's token: https://discord.com/developers/docs/reference#authentication."""


def without_tokens(text: str) -> str:
    """Return the text with ``[token]`` in place of what looks like a bot's token, as one may be pasted anywhere."""
    return _TOKEN.sub("[token]", text)


def quoted(value: object) -> str:
    """Return a value from outside as errors and logs quote it: on one line, without control or direction characters.

    Of a longer one, only the beginning is quoted. Tokens are left out.
    """
    value = without_tokens(value) if isinstance(value, str) else value
    text = repr(value[: _MAX_QUOTED + 1] if isinstance(value, str | bytes | list | tuple) else value)
    return text if len(text) <= _MAX_QUOTED + 2 else f"{text[:_MAX_QUOTED]}…"


def escaped(text: str, most: int | None = None) -> str:
    """Return a text from outside for a line of a log or a terminal: control and direction characters are escaped.

    The escapes are those of JSON, in which the text may be. Longer texts than ``most`` characters are clipped. Tokens
    are left out.
    """
    text = without_tokens(text)
    if most is not None and len(text) > most:
        text = f"{text[:most]}…"
    return _UNSAFE.sub(lambda found: json.dumps(found[0])[1:-1].replace("\x7f", r"\u007f"), text)


class Text(str):
    """A constant that players read. It is translated where it is shown (`bot.texts.translated`), also in errors."""

    __slots__ = ()


class LilypadError(Exception):
    """An error whose text may be shown to a person.

    ``template`` may have named placeholders, which ``values`` fill in; so it can be translated (`bot.texts`).
    """

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = values
        self.sentence = template.format(**values) if values else template
        super().__init__(self.sentence)


class PlayError(LilypadError):
    """A refusal for a player. ``ruling`` is a number on the rules page, such as ``PC-18``."""

    def __init__(self, template: str, ruling: str | None = None, **values: object) -> None:
        super().__init__(template, **values)
        self.ruling = ruling
        if ruling:
            self.sentence = f"{self.sentence} ({ruling})"

    def __str__(self) -> str:
        return self.sentence


class InvalidMove(PlayError):
    """The text is not a move of this game."""


class IllegalMove(PlayError):
    """The seat can't make this move now."""


class InvalidOption(PlayError):
    """An option is unknown, has an invalid value, or excludes another one."""


class Stale(PlayError):
    """The button belongs to a message with an older state of the table."""


class NoSuchTable(PlayError):
    """No table has this number or name, or no table fits."""


class AmbiguousTable(PlayError):
    """Several tables fit. ``tables`` are their numbers, the one that has waited longest first."""

    def __init__(self, template: str, tables: tuple[int, ...], **values: object) -> None:
        super().__init__(template, None, **values)
        self.tables = tables


class TooManyTables(PlayError):
    """The host, the channel or the server has the maximum number of open tables."""


class NotSeated(PlayError):
    """The user has no seat at this table."""


class NotAllowed(PlayError):
    """The user may not do this at this table."""


class WrongPhase(PlayError):
    """The table has not started, is being played, or is over."""


class DamagedTable(PlayError):
    """Something stored about a table can't be read, so it can't go on. The text never quotes it."""

    @property
    def table_id(self) -> int:
        """The number of the table."""
        return int(str(self.values["number"]))

    @property
    def what(self) -> str:
        """What can't be read, for the log."""
        return str(self.values["what"])


def damage_to(table_id: int, what: str) -> DamagedTable:
    """Return the error for something of a table that can't be read."""
    return DamagedTable("This table is damaged and can't be read.", None, number=table_id, what=what)


class SettingsError(LilypadError):
    """The settings are invalid. The text lists every mistake, one per line."""


class TranscriptError(LilypadError):
    """A transcript is malformed or wrong.

    ``where`` is ``entry 12``, ``outcome``, ``options`` (everything before the entries), ``fairness``, or ``line 3`` if
    that line of the file is not a transcript.
    """

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where
        self.why = why


class Unverifiable(TranscriptError):
    """A transcript lacks what could prove its deals, which doesn't mean that they are wrong."""


class StoreError(LilypadError):
    """The database can't be read or written."""


class Conflict(StoreError):
    """Another writer changed the table first. Nothing was written."""


class DatabaseTooNew(StoreError):
    """The database was written by a newer version of the bot."""


class DatabaseTooOld(StoreError):
    """The database has to be upgraded by an earlier version of the bot first."""


class Locked(StoreError):
    """Another program has locked the database. Try again later."""


class AlreadyRunning(StoreError):
    """Another process of the bot serves the database, or the shards of this one. Try again when it has stopped."""


class Unreachable(StoreError):
    """The database's server can't be reached at the moment. Try again later."""


class OutcomeUnknown(StoreError):
    """The connection was lost while saving, so that the change may be saved or not."""


class StatementFailed(StoreError):
    """The database refuses a statement, for no reason that a host could change."""


def is_defect(error: BaseException) -> bool:
    """Whether an error that isn't a refusal needs a developer; otherwise its sentence says what a host can do."""
    return not isinstance(error, StoreError) or isinstance(error, StatementFailed)
