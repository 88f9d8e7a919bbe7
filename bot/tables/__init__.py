"""Tables: open, sit, cut, start, play, resign, look. The only writer of a table's log.

A table's state is the fold of its log and of nothing else. Every change is one transaction, committed before anything
is shown; whoever listens (`Tables.on_change`) is told after the commit.
"""

from bot.store import Messages
from bot.store.records import (
    Habits,
    Kind,
    LiveMessage,
    OpenSeat,
    Person,
    Place,
    Quotas,
    Server,
    Sitter,
    Stage,
    Status,
    Table,
    TakenBack,
)
from bot.tables.ledger import Listener, Receipt
from bot.tables.tables import LISTED, Sight, Tables
from bot.tables.undo import Question, Undoing
from bot.tables.viewing import OPERATOR, Viewer

__all__ = [
    "LISTED",
    "OPERATOR",
    "Habits",
    "Kind",
    "Listener",
    "LiveMessage",
    "Messages",
    "OpenSeat",
    "Person",
    "Place",
    "Question",
    "Quotas",
    "Receipt",
    "Server",
    "Sight",
    "Sitter",
    "Stage",
    "Status",
    "Table",
    "Tables",
    "TakenBack",
    "Undoing",
    "Viewer",
]
