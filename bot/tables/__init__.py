"""Tables: opens, changes and shows them. The only writer of a table's log.

A table's state is the fold of its log. Every change is one transaction; listeners (`Tables.on_change`) are called after
the commit.
"""

from bot.ratings import NEW_GAMES
from bot.store.event_records import Event, EventPost, EventResult
from bot.store.match_records import Match, MatchPlayer
from bot.store.messages import Kind, LiveMessage, Messages, Reader, Slot, Snapshot, Stage, in_slot, slot_of
from bot.store.personal_data import Kept
from bot.store.planned_nights import Night
from bot.store.preferences import Digest, HandStyle, OptionSet, Server, UserSettings
from bot.store.quotas import Quotas
from bot.store.records import LEVELS, Chosen, Person, Place, Receipt, Sitter, Table, damage_reference
from bot.store.results import daily_name, day_of, match_of
from bot.store.standings import Bests, Meeting, Played, Recap, Standing, Year
from bot.store.store import answering
from bot.store.table_lists import OpenSeat
from bot.store.undos import TakenBack
from bot.tables.finding import MAX_CHOICES, OPERATOR
from bot.tables.folds import StandIn
from bot.tables.tables import Sight, Tables
from bot.tables.undo import Question

__all__ = [
    "LEVELS",
    "MAX_CHOICES",
    "NEW_GAMES",
    "OPERATOR",
    "Bests",
    "Chosen",
    "Digest",
    "Event",
    "EventPost",
    "EventResult",
    "HandStyle",
    "Kept",
    "Kind",
    "LiveMessage",
    "Match",
    "MatchPlayer",
    "Meeting",
    "Messages",
    "Night",
    "OpenSeat",
    "OptionSet",
    "Person",
    "Place",
    "Played",
    "Question",
    "Quotas",
    "Reader",
    "Recap",
    "Receipt",
    "Server",
    "Sight",
    "Sitter",
    "Slot",
    "Snapshot",
    "Stage",
    "StandIn",
    "Standing",
    "Table",
    "Tables",
    "TakenBack",
    "UserSettings",
    "Year",
    "answering",
    "daily_name",
    "damage_reference",
    "day_of",
    "in_slot",
    "match_of",
    "slot_of",
]
