"""Everything that may be said to a person, as a tree of exceptions.

    LilypadError                      its text is one sentence, fit to be shown
    ├── PlayError                     said to a player; nothing was changed
    │   ├── InvalidMove               the text is no move of this game
    │   ├── IllegalMove               a move, but not now or not by this seat; names its ruling
    │   ├── InvalidOption             an option that the game refuses
    │   ├── Stale                     the button is older than the table
    │   ├── NoSuchTable               no table of that number or name
    │   ├── AmbiguousTable            several tables fit; the player has to name one
    │   ├── TooManyTables             so many tables are open that one more can't be
    │   ├── NotSeated                 the user sits at no seat of the table
    │   ├── NotAllowed                the user may not do this (not the host, not his seat)
    │   └── WrongPhase                the table is not in the lobby, not being played, or over
    ├── SettingsError                 the environment; every mistake in one text
    ├── TranscriptError               a transcript that does not fold, with the place of the fault
    ├── Claimed                       another process does this already; nothing is said
    └── StoreError                    the database can't be used or can't be written
        ├── Conflict                  somebody else wrote this ply first
        └── DatabaseTooNew            written by a newer program

Anything else that is raised is a defect: it is logged under a reference number and the person is told that
number and nothing more.
"""


class LilypadError(Exception):
    """One sentence that may be shown to a person."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class PlayError(LilypadError):
    """A refusal: one sentence to the player, naming the ruling where there is one.

    ``ruling`` is an id of the rules page, such as ``PC-18``, or ``None``.
    """

    def __init__(self, sentence: str, ruling: str | None = None) -> None:
        super().__init__(f"{sentence} ({ruling})" if ruling else sentence)
        self.ruling = ruling


class InvalidMove(PlayError):
    """The text can't be read as a move of this game."""


class IllegalMove(PlayError):
    """The move exists, but this seat may not make it now."""


class InvalidOption(PlayError):
    """An option is unknown, has a value outside its choices, or excludes another one."""


class Stale(PlayError):
    """The press came from a message that shows an older state of the table."""


class NoSuchTable(PlayError):
    """No table has this number or name, or none fits."""


class AmbiguousTable(PlayError):
    """Several tables fit. ``tables`` are their numbers, the longest waiting first."""

    def __init__(self, sentence: str, tables: tuple[int, ...]) -> None:
        super().__init__(sentence)
        self.tables = tables


class TooManyTables(PlayError):
    """The host, the channel or the server has the maximum number of open tables."""


class NotSeated(PlayError):
    """The user does not sit at this table."""


class NotAllowed(PlayError):
    """The user sits there or looks on, but this is for somebody else to do."""


class WrongPhase(PlayError):
    """The table has not started, has started already, or is over."""


class SettingsError(LilypadError):
    """The settings can't be used; the text lists every mistake, one a line."""


class TranscriptError(LilypadError):
    """A transcript is not what it says.

    ``where`` is ``entry 12``, ``outcome``, ``options`` (all that comes before the entries), ``fairness``, or ``line 3``
    of a file for what is no transcript at all.
    """

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where
        self.why = why


class Claimed(LilypadError):
    """Another process of the bot has taken up this interaction, and answers it."""


class StoreError(LilypadError):
    """The database can't be read or written."""


class Conflict(StoreError):
    """Somebody else changed the table first; nothing was written."""


class DatabaseTooNew(StoreError):
    """The database was written by a newer version of the program."""
