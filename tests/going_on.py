"""Pressing **Next** between two deals, for tests that play without pressing what they see."""

from bot.records.table import Table
from bot.tables.tables import Tables


async def go_on(tables: Tables, table_id: int) -> Table:
    """Go on to the next deal for the only person at the table, if they see the last one's end. Return the table."""
    table = await tables.table(table_id)
    for sitter in table.sitters:
        if sitter.user_id is not None:
            await tables.go_on(table, sitter.user_id)
    return await tables.table(table_id)
