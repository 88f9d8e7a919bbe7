"""The daily on Discord: one try in direct messages, a message without cards on the server, all hands at the end."""

import random
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
import simcord

from bot import computer
from bot.games.game import CHANCE
from bot.records.table import Table
from bot.transcript import verify
from bot.ui.posts.text import LATER
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.test_server import moderator
from tests.going_on import go_on
from tests.waiting import until

SILENT = 1 << 12


async def finishes(world: World, player: Player, table_id: int = 1, level: str = "easy") -> Table:
    """Play the player's moves to the end."""
    while (table := await world.tables.table(table_id)).status == "playing":
        if player.id in await world.tables.whose_turn(table):
            sight = await world.tables.look(table_id, player.id)
            move = computer.choose(table.game, sight.observation, random.Random(1), level)
            await world.tables.play(table_id, player.id, str(move))
        else:
            await go_on(world.tables, table_id)
            await world.env.settle()
    await world.bot.live.refresh(table_id)
    await world.env.settle()
    return table


def is_card(seen: Seen) -> bool:
    """Whether a message is that about a daily."""
    return not seen.is_private and re.match(r"### \w+'s daily · ", seen.text) is not None


def post_in(player: Player) -> Seen:
    """Return the only message about the daily in the channel."""
    (post,) = [seen for seen in player.messages() if is_card(seen)]
    assert post.labels
    return post


def weekday(at: date) -> str:
    """Return the beginning of the heading of a day's daily."""
    return f"### {at:%A}'s daily · "


async def test_a_daily_is_played_once_shared_and_shown_to_the_server(world: World) -> None:
    ann, ben = world.people(2)
    page = await ann.types("daily")
    assert page.is_private
    assert page.labels == ["Learn first", "Play", "Fair deal"]
    said = re.search(r"Start before midnight here \(<t:(\d+):R>\), and finish by <t:(\d+):f>", page.text)
    assert said is not None
    until_when = int(said[2])
    assert until_when == int(said[1]) + 3 * 3600
    assert "Nobody has played yet." in post_in(ann).text
    assert re.search(r"over everywhere \(<t:\d+:R>\)", post_in(ann).text)
    assert re.search(r"About \d+ choices, against", post_in(ann).text)
    assert post_in(ann).labels == ["Play"]
    page = await ann.clicks(page, "Play")
    assert "in your direct messages" in page.text
    assert "https://" in page.text
    assert "1 playing" in post_in(ann).text
    assert any(seen.text.startswith("### Table") for seen in ann.dms)
    assert f"until <t:{until_when}:f>" in ann.hand.text
    assert [f"until <t:{until_when}:f>" in seen.text for seen in ann.dms if seen.text.startswith("### Table")] == [True]
    table = await finishes(world, ann)
    assert table.outcome is not None
    again = await ann.types("daily")
    assert re.search(r"\d of 2 computers got fewer", again.text)
    assert "%" not in again.text
    assert "friends" not in again.text.partition("may the daily")[0]
    assert again.labels == ["Share", "Review", "Replay", "Fair deal", "Show my place", "No"]
    shared = await ann.clicks(again, "Share")
    assert not shared.is_private
    assert re.match(r"\*\*Ann\*\* · \w+'s daily · ", shared.text)
    await world.wait(10)
    assert "Ann" in post_in(ben).text
    assert re.search(r"[+−-]\d|%", post_in(ben).text.partition("-#")[0]) is None
    page = await ben.clicks(post_in(ben), "Play")
    assert page.labels == ["Learn first", "Play", "Fair deal"]
    assert page.is_private


async def test_a_share_names_its_player_as_its_server_does(world: World) -> None:
    (ann,) = world.people(1)
    world.env.backend.edit_member(world.server.id, ann.id, {"nick": "Annie"})
    await ann.clicks(await ann.types("daily"), "Play")
    await finishes(world, ann)
    elsewhere = world.env.create_guild("Elsewhere")
    guest = Player(world, elsewhere.add_member(ann.member.user))
    guest.home = elsewhere.create_text_channel("games")
    for player, name in ((guest, "Ann"), (ann, "Annie")):
        shared = await player.clicks(await player.types("daily"), "Share")
        assert re.match(rf"\*\*{name}\*\* · \w+'s daily · ", shared.text)


async def test_hands_open_when_the_day_is_over_everywhere(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.clicks(await ann.types("daily"), "Play")
    table = await finishes(world, ann)
    assert table.event is not None
    event = await world.tables.events.records.event(table.event[0])
    assert event is not None
    seed = (await world.tables.events.seed(event)).hex()
    before = post_in(ann)
    page = await ann.types("daily")
    replay = await ann.clicks(page, "Replay")
    assert "All hands" not in replay.text
    refused = await ann.types("verify", table=str(table.number))
    assert "Others may still play" in refused.text
    fair = await ann.clicks(page, "Fair deal")
    assert "You'll see it when it's over" in fair.text
    shown = "".join(seen.text for seen in (*ann.messages(), *ann.dms))
    assert seed not in shown
    now = datetime.fromtimestamp(world.tables.events.now(), UTC)
    await world.wait(36 * 3600 - (now.hour * 3600 + now.minute * 60 + now.second) + 60)
    await until(lambda: post_in(ann).labels == ["My result", "Replay", "Fair deal"])
    assert post_in(ann).id == before.id
    fair = await ann.clicks(post_in(ann), "Fair deal")
    assert "The secret was" in fair.text
    replay = await ann.clicks(post_in(ann), "Replay")
    assert replay.is_private
    checked = await ann.types("verify", table=str(table.number))
    assert "✅" in checked.text
    transcript = await world.tables.transcript(table.id)
    verify(transcript, table.commitment)
    assert transcript.entries[0].seat is CHANCE


async def test_the_end_is_told_in_a_thread_that_was_archived_meanwhile(world: World) -> None:
    (ann,) = world.people(1)
    await ann.clicks(await ann.types("daily"), "Play")
    await finishes(world, ann)
    old = post_in(ann)
    world.breaks("PATCH", f"/channels/{world.channel.id}/messages/{old.id}", 400, 50083, times=None)
    await world.wait(2 * 24 * 3600)
    await until(lambda: [seen for seen in ann.messages() if seen.id > old.id and "Replay" in seen.labels])


async def test_a_try_and_its_message_survive_a_restart(world: World) -> None:
    (ann,) = world.people(1)
    await ann.clicks(await ann.types("daily"), "Play")
    before = post_in(ann)
    await world.restart()
    page = await ann.types("daily")
    assert "in your direct messages" in page.text
    assert post_in(ann).id == before.id
    assert (await world.tables.table(1)).status == "playing"


async def test_moderators_choose_the_channel_and_the_time_zone(world: World) -> None:
    (ann,) = world.people(1)
    keeper = moderator(world)
    elsewhere = world.server.create_text_channel("dailies")
    said = await keeper.types("server daily", channel=elsewhere, timezone="Pacific/Kiritimati")
    assert f"**Daily** in <#{elsewhere.id}>: a new one each midnight, Pacific/Kiritimati." in said.text
    page = await ann.types("daily")
    day = datetime.fromtimestamp(world.tables.events.now(), UTC) + timedelta(hours=14)
    assert weekday(day.date()) in page.text
    assert not [seen for seen in ann.messages() if not seen.is_private]
    (post,) = ann.messages(elsewhere)
    assert post.labels == ["Play"]
    said = await keeper.types("server daily", timezone="Europe/Berlin")
    assert f"**Daily** in <#{elsewhere.id}>: a new one each midnight, Europe/Berlin." in said.text
    assert "where it's first opened" in (await keeper.types("server daily")).text


def days_shown(player: Player, place: simcord.ChannelHandle | None = None) -> list[str]:
    """Return the headings of the messages about dailies in a channel, up to the name of the game."""
    return [f"{seen.text.partition(' · ')[0]} · " for seen in player.messages(place) if is_card(seen)]


async def until_midnight(world: World, after_s: float = 1.0) -> datetime:
    """Wait until the next midnight in UTC, and ``after_s`` longer. Return the time."""
    now = world.env.now().astimezone(UTC)
    midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    await world.wait((midnight - now).total_seconds() + after_s)
    return world.env.now().astimezone(UTC)


@pytest.mark.parametrize("how", ["nothing", "restart", "crash"])
async def test_a_chosen_channel_gets_the_daily_at_midnight_and_once(world: World, how: str) -> None:
    (ann,) = world.people(1)
    await moderator(world).types("server daily", channel=world.channel)
    today = (await until_midnight(world, after_s=-1.0)).date()
    assert days_shown(ann) in ([], [weekday(today)])  # within a quarter of an hour after the choice, or at midnight
    now = await until_midnight(world)
    await until(lambda: weekday(now.date()) in days_shown(ann))
    post = next(seen for seen in ann.messages() if seen.text.startswith(weekday(now.date())))
    assert post.pinged == ()
    assert world.env.backend.get_message(post.channel_id, post.id).flags & SILENT
    if how == "restart":
        await world.restart()
    elif how == "crash":
        world.execute("UPDATE messages SET stage = 'noted', message_id = NULL WHERE subject = 'daily'")
        await world.crash()
    await world.wait(2000)
    assert days_shown(ann).count(weekday(now.date())) == 1
    assert "Nobody has played yet." in ann.now(post).text


async def test_a_daily_that_a_moderator_deletes_comes_back_only_by_the_command(world: World) -> None:
    ann, ben = world.people(2)
    await moderator(world).types("server daily", channel=world.channel)
    day = weekday((await until_midnight(world, after_s=60.0)).date())
    await until(lambda: day in days_shown(ann))
    for seen in ann.messages():
        world.deletes(seen)
    await ben.clicks(await ben.types("daily"), "Play")
    await world.wait(2000)
    assert day not in days_shown(ann)
    await ann.types("daily")
    await world.wait(60)
    assert days_shown(ann) == [day]


async def test_a_server_without_a_chosen_channel_gets_no_daily_by_itself(world: World) -> None:
    (ann,) = world.people(1)
    await moderator(world).types("server daily", timezone="UTC")
    await until_midnight(world, after_s=2000.0)
    assert days_shown(ann) == []


async def over_everywhere(world: World) -> None:
    """Wait until today's daily is over in every time zone."""
    now = datetime.fromtimestamp(world.tables.events.now(), UTC)
    await world.wait(36 * 3600 - (now.hour * 3600 + now.minute * 60 + now.second) + 60)


async def test_who_played_along_sees_the_others_games_when_it_is_over(world: World) -> None:
    ann, ben, cleo, dan = world.people(4)
    for number, player in enumerate((ann, ben, cleo), 1):
        await player.clicks(await player.types("daily"), "Play")
        await finishes(world, player, number)
    await cleo.types("settings", ranking="off")
    tables = [await world.tables.table(number) for number in (1, 2, 3)]
    before = await ann.clicks(post_in(ann), "Play")
    own = await ann.clicks(before, "Replay")
    assert f"Table {tables[0].name}" in own.text
    assert "There's no table" in (await ann.types("replay", table=tables[1].name)).text
    await over_everywhere(world)
    await until(lambda: post_in(ann).labels == ["My result", "Replay", "Fair deal"])
    games = await ann.clicks(post_in(ann), "Replay")
    assert list(games.options.values()) == ["Ann", "Ben"]
    replay = await ann.picks(games, tables[1].key)
    assert f"Table {tables[1].name}" in replay.text
    assert "See as: everyone" in replay.options.values()
    assert not {"Share", "GIF"} & {*replay.labels}
    assert f"Table {tables[1].name}" in (await ann.clicks(replay, LATER)).text
    shared = await ann.clicks(await ann.picks(games, tables[0].key), "Share")
    assert not shared.is_private
    assert shared.channel_id == world.channel.id
    (hidden,) = await world.at_once((ann, replace(games.use(tables[1].key), value=tables[2].key)))
    assert hidden is not None
    assert "I don't know this game" in hidden.text
    assert list((await cleo.clicks(post_in(cleo), "Replay")).options.values()) == ["Cleo", "Ann", "Ben"]
    assert "You haven't finished" in (await dan.clicks(post_in(dan), "Replay")).text
    assert "There's no table" in (await dan.types("replay", table=tables[1].name)).text


async def test_the_message_does_not_name_who_hides_their_results(world: World) -> None:
    ann, ben = world.people(2)
    for number, player in enumerate((ann, ben), 1):
        await player.types("settings", ranking="off")
        await player.clicks(await player.types("daily"), "Play")
        await finishes(world, player, number)
    await until(lambda: "2 have played" in post_in(ann).text)
    await ann.types("settings", ranking="on")
    await world.wait(1000)
    await until(lambda: "Ann" in post_in(ann).text)
    assert "and 1 more" in post_in(ann).text
    assert "Ben" not in post_in(ann).text


async def test_the_end_of_the_game_leads_to_its_place_in_the_daily(world: World) -> None:
    (ann,) = world.people(1)
    await ann.clicks(await ann.types("daily"), "Play")
    await finishes(world, ann)
    await until(lambda: "Daily" in ann.dms[-1].labels)
    ended = ann.dms[-1]
    assert "Rematch" not in ended.labels
    page = await ann.clicks(ended, "Daily")
    assert "computers got fewer" in page.text
    assert "You can share it on your server." in page.text
    assert page.labels == ["Review", "Replay", "Fair deal", "Show my place", "No"]
    assert (await ann.types("daily")).labels == ["Share", "Review", "Replay", "Fair deal"]
    await over_everywhere(world)
    page = await ann.clicks(ann.now(ended), "Daily")
    assert "Nobody here got more than you." not in page.text


async def test_after_midnight_the_message_of_the_day_leads_to_the_new_one(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("daily")
    (before,) = [seen for seen in ann.messages() if not seen.is_private]
    assert before.labels == ["Play"]
    now = await until_midnight(world, after_s=60)
    await until(lambda: "The day is over here." in ann.now(before).text)
    assert "Tomorrow's" not in ann.now(before).text
    page = await ann.clicks(ann.now(before), "Today's daily")
    assert weekday(now.date()) in page.text
