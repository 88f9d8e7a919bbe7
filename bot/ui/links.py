"""Links to messages."""

from bot.tables import Table, Tables


def link_to(table: Table, message_id: int) -> str:
    """A link to a message in the table's channel, that opens in the app."""
    return f"https://discord.com/channels/{table.place.guild_id or '@me'}/{table.place.channel_id}/{message_id}"


async def board_link(tables: Tables, table: Table) -> str:
    """A named link to the board, empty as long as there is none."""
    board = next((shown for shown in await tables.shown(table.id) if shown.kind == "board"), None)
    return f"[to the board]({link_to(table, board.message_id)})" if board else ""
