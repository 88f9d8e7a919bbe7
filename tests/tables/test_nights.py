"""Game nights in the database: which ones deleted messages stand for."""

from bot.tables import Tables
from tests.tables.people import ANN, BEN, HERE

HOUR = 3600.0
"""The clock of the tables begins near zero."""


async def test_planned_nights_are_found_by_their_messages(tables: Tables) -> None:
    nights = tables.nights
    guild_id = HERE.guild_id
    first = await nights.plan(ANN, HERE, "pond", HOUR)
    second = await nights.plan(ANN, HERE, "frogs", 2 * HOUR)
    for message_id, night in enumerate((first, second), 71):
        await nights.posted(night.id, message_id, "shown")
    await nights.join(second.id, BEN.id)
    (found,) = await nights.planned_in(guild_id, [72, 73])
    assert (found.id, found.guests) == (second.id, (ANN.id, BEN.id))
    assert len(await nights.planned_in(guild_id, [71, 72])) == 2
    assert await nights.planned_in(guild_id, []) == ()
    assert await nights.planned_in(None, [71]) == await nights.planned_in(8, [71]) == ()
    await nights.cancel(first)
    assert await nights.planned_in(guild_id, [71]) == ()
