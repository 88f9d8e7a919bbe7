"""Tables: opens, changes and shows them. The only writer of a table's log.

A table's state is the fold of its log. Every change is one transaction; listeners (`Tables.on_change`) are called after
the commit.
"""

from bot.store.damage import damage_reference
from bot.store.messages import Messages
from bot.store.personal_data import Kept
from bot.store.preferences import HandStyle, OptionSet, Server, UserSettings
from bot.store.records import (
    LEVELS,
    Kind,
    LiveMessage,
    OpenSeat,
    Person,
    Place,
    Quotas,
    Sitter,
    Slot,
    Stage,
    Table,
    TakenBack,
    slot_of,
)
from bot.store.snapshot import Reader, Snapshot
from bot.tables.finding import MAX_CHOICES
from bot.tables.folds import StandIn
from bot.tables.ledger import Receipt
from bot.tables.tables import Sight, Tables
from bot.tables.undo import Question
from bot.tables.viewing import OPERATOR

__all__ = [
    "LEVELS",
    "MAX_CHOICES",
    "OPERATOR",
    "HandStyle",
    "Kept",
    "Kind",
    "LiveMessage",
    "Messages",
    "OpenSeat",
    "OptionSet",
    "Person",
    "Place",
    "Question",
    "Quotas",
    "Reader",
    "Receipt",
    "Server",
    "Sight",
    "Sitter",
    "Slot",
    "Snapshot",
    "Stage",
    "StandIn",
    "Table",
    "Tables",
    "TakenBack",
    "UserSettings",
    "damage_reference",
    "slot_of",
]
