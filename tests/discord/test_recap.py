"""The recap of a week: one silent message on its day, if anybody has played, whatever happens to the bot."""

from datetime import UTC, timedelta

import discord
import pytest

from bot.games import GAMES
from bot.tables.events import form_on
from bot.ui.posts.text import title_of
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.test_friends import resigned
from tests.discord.test_server import moderator

DAY = 24 * 60 * 60.0
SILENT = 1 << 12


def recaps(player: Player) -> list[Seen]:
    """Return the recaps in the channel."""
    return [seen for seen in player.messages() if seen.text.startswith(("### The week here", "### Die Woche hier"))]


async def chosen(world: World, days: int = 1) -> Player:
    """Let a moderator choose recaps, on the weekday that comes after some days."""
    keeper = moderator(world)
    weekday = (world.env.now().astimezone(UTC) + timedelta(days=days)).weekday()
    page = await keeper.types("server recap", channel=world.channel, day=str(weekday))
    assert f"**Recap** of the week in <#{world.channel.id}>: " in page.text
    return keeper


async def until_morning(world: World, days: int = 1) -> None:
    """Wait until recaps of that day are posted."""
    now = world.env.now().astimezone(UTC)
    morning = (now + timedelta(days=days)).replace(hour=9, minute=20, second=0)
    await world.wait((morning - now).total_seconds())


@pytest.mark.parametrize("how", ["nothing", "restart", "crash"])
async def test_a_recap_is_posted_once_and_silently(world: World, how: str) -> None:
    ann, ben = world.people(2)
    await chosen(world)
    await resigned(world, ann, ben)
    await resigned(world, ben, ann)
    await resigned(world, ann, ben)
    world.execute("UPDATE results SET against_computers = 1 WHERE nth = 2")
    assert recaps(ann) == []
    await until_morning(world)
    (recap,) = recaps(ann)
    day = world.env.now().astimezone(UTC).date()
    assert recap.text.startswith(f"### The week here\n-# {day - timedelta(days=7)} to {day - timedelta(days=1)}")
    assert (
        "**Pond · frogs** · 3 games · 1 against computers\n-# Wins: Ben 2\n-# Wins against computers: Ann 1"
        in recap.text
    )
    assert "First game here: " in recap.text
    game, _form = form_on(day + timedelta(days=1))
    assert f"Tomorrow's daily: {title_of(GAMES[game])}" in recap.text
    assert recap.pinged == ()
    assert world.env.backend.get_message(recap.channel_id, recap.id).flags & SILENT
    if how == "restart":
        await world.restart()
    elif how == "crash":
        world.execute("UPDATE servers SET recapped = recapped - 7")
        await world.crash()
    await world.wait(1200)
    assert len(recaps(ann)) == 1


async def test_no_recap_is_posted_if_nobody_has_played(world: World) -> None:
    ann, ben = world.people(2)
    await chosen(world)
    await resigned(world, ann, ben)
    await until_morning(world)
    assert len(recaps(ann)) == 1
    await world.restart(7 * DAY)
    await world.wait(1200)
    assert len(recaps(ann)) == 1


async def test_a_recap_that_was_due_while_the_bot_was_away_is_posted(world: World) -> None:
    ann, ben = world.people(2)
    await chosen(world)
    await resigned(world, ann, ben)
    await world.restart(2 * DAY)
    await world.wait(1200)
    assert len(recaps(ann)) == 1


async def test_whoever_hides_or_has_deleted_their_data_is_not_named(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await chosen(world)
    await resigned(world, ann, ben)
    await resigned(world, ben, cleo)
    await resigned(world, ben, ann)
    await ben.types("settings", ranking="off")
    await cleo.clicks_through(await cleo.types("privacy"), "Delete", "Delete all")
    await until_morning(world)
    (recap,) = recaps(ann)
    assert "3 games\n-# Wins: Ann 1\n" in recap.text
    assert "First game here: Ann\n" in recap.text
    assert "Ben" not in recap.text
    assert "Cleo" not in recap.text


async def test_recaps_are_off_unless_chosen_and_turn_off_again(world: World) -> None:
    ann, ben = world.people(2)
    keeper = await chosen(world)
    await resigned(world, ann, ben)
    page = await keeper.types("server recap", day="off")
    assert "**Recap** of the week: off" in page.text
    assert "Choose the channel, too." in (await keeper.types("server recap", day="3")).text
    await until_morning(world)
    assert recaps(ann) == []
    await chosen_again(keeper, world)
    assert "**Recap** of the week: off" in (await keeper.types("server recap")).text


async def chosen_again(keeper: Player, world: World) -> None:
    """Turn recaps on for today: what was due before stays left out."""
    today = world.env.now().astimezone(UTC).weekday()
    await keeper.types("server recap", channel=world.channel, day=str(today))
    await world.wait(3600)
    assert recaps(keeper) == []


async def test_another_day_brings_no_second_recap_of_the_same_days(world: World) -> None:
    ann, ben = world.people(2)
    keeper = await chosen(world)
    await resigned(world, ann, ben)
    await until_morning(world)
    assert len(recaps(ann)) == 1
    tomorrow = (world.env.now().astimezone(UTC) + timedelta(days=1)).weekday()
    await keeper.types("server recap", day=str(tomorrow))
    await until_morning(world)
    assert len(recaps(ann)) == 1


async def test_a_recap_is_in_the_language_and_time_zone_of_the_server(world: World) -> None:
    ann, ben = world.people(2)
    keeper = moderator(world)
    await resigned(world, ann, ben)
    await keeper.types("server language", language="de")
    await keeper.types("server daily", timezone="Pacific/Kiritimati")
    weekday = (world.env.now().astimezone(UTC) + timedelta(days=2)).weekday()
    await keeper.types("server recap", channel=world.channel, day=str(weekday))
    now = world.env.now().astimezone(UTC)
    due = (now + timedelta(days=2)).replace(hour=9, minute=0, second=0) - timedelta(hours=14)
    await world.wait((due - now).total_seconds() - 1200)
    assert recaps(ann) == []
    await world.wait(2400)
    (recap,) = recaps(ann)
    assert "**Pond · Frösche** · 1 Spiel" in recap.text


async def test_a_channel_without_permission_is_refused(world: World) -> None:
    keeper = moderator(world)
    closed = discord.PermissionOverwrite(send_messages=False)
    channel = world.server.create_text_channel("closed", overwrites={world.server.default_role: closed})
    assert "I can't write in" in (await keeper.types("server recap", channel=channel, day="1")).text
