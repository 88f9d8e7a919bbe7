"""Links to boards."""

from collections.abc import Iterable

from bot.tables import Kind, LiveMessage, Table, slot_of
from bot.texts import gettext as _
from bot.ui.messages.plan import in_slot


def link_to(table: Table, message_id: int) -> str:
    """Return a link to a message in the table's channel; it opens in the app."""
    return f"https://discord.com/channels/{table.place.guild_id or '@me'}/{table.place.channel_id}/{message_id}"


def live_board(recorded: Iterable[LiveMessage]) -> LiveMessage | None:
    """Return the live board among the messages of a table."""
    return in_slot(recorded, slot_of(Kind.BOARD))


def named_link(table: Table, recorded: Iterable[LiveMessage]) -> str:
    """Return the name of a table, as a link to its live board if there is one."""
    name, board = _("Table {name}", name=table.name), live_board(recorded)
    return f"[{name}]({link_to(table, board.sent_id)})" if board else name


def board_link(table: Table, recorded: Iterable[LiveMessage]) -> str:
    """Return a named link to the live board, empty if there is none."""
    board = live_board(recorded)
    return f"[{_('Open board')}]({link_to(table, board.sent_id)})" if board else ""
