"""Links to messages."""

from collections.abc import Iterable

from bot.tables import Shown, Table


def link_to(table: Table, message_id: int) -> str:
    """A link to a message in the table's channel, that opens in the app."""
    return f"https://discord.com/channels/{table.place.guild_id or '@me'}/{table.place.channel_id}/{message_id}"


def board_link(table: Table, shown: Iterable[Shown]) -> str:
    """A named link to the board among the messages that show the table, empty as long as there is none."""
    board = next((each for each in shown if each.kind == "board"), None)
    return f"[to the board]({link_to(table, board.message_id)})" if board else ""
