"""Reminders of streaks: only for those who asked for them, in the evening, once."""

from datetime import UTC, timedelta

import pytest

from bot.records.event import daily_name
from tests.discord.play import Player, World
from tests.discord.test_daily import until_midnight
from tests.waiting import until


async def with_streak(world: World, player: Player, *ago: int) -> None:
    """Note that a player has finished the dailies of days before."""
    today = world.env.now().astimezone(UTC).date()
    for days in ago:
        event = await world.tables.events.daily(today - timedelta(days=days))
        world.execute(
            "INSERT INTO event_results (event, player, user_id, guild_id, name, score) VALUES (?, ?, ?, ?, 'Ann', 1)",
            event.name,
            f"{player.id}",
            player.id,
            world.server.id,
        )
        assert event.name == daily_name(today - timedelta(days=days))


def reminders(player: Player) -> list[str]:
    return [seen.text for seen in player.dms if "Your streak of" in seen.text]


@pytest.mark.parametrize("wish", ["on", "off"])
async def test_a_streak_at_risk_is_told_once_and_only_to_who_asked(world: World, wish: str) -> None:
    (ann,) = world.people(1)
    await until_midnight(world, after_s=60.0)
    await with_streak(world, ann, 1, 3, 4)
    await ann.types("settings", reminder=wish)
    await world.wait(18 * 3600)
    assert reminders(ann) == []
    await world.wait(2 * 3600)
    if wish == "on":
        await until(lambda: reminders(ann))
    await world.wait(2 * 3600)
    assert len(reminders(ann)) == (wish == "on")
    if wish == "on":
        assert "Your streak of 3 days ends at midnight" in reminders(ann)[0]


async def test_who_has_a_day_of_rest_left_is_not_reminded(world: World) -> None:
    (ann,) = world.people(1)
    await until_midnight(world, after_s=60.0)
    await with_streak(world, ann, 1, 2, 3)
    await ann.types("settings", reminder="on")
    await world.wait(22 * 3600)
    assert reminders(ann) == []
