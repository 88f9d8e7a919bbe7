"""Game nights: planned with one message, begun in time with one ping, whatever happens to the bot."""

import re

import pytest

from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import pings as asked_pings
from tests.discord.test_faults import set_permissions
from tests.discord.test_leavers import leaves_server
from tests.discord.test_pings import pings
from tests.discord.test_server import moderator

HOUR = 3600.0


def nights(player: Player) -> list[Seen]:
    """Return the messages about game nights."""
    return [seen for seen in player.messages() if "Game night ·" in seen.text and not seen.is_private]


async def planned(host: Player, when: str = "in 2 hours") -> Seen:
    """Plan a night, and return its message."""
    answer = await host.types("night", when=when)
    assert "Game night <t:" in answer.text
    await host.world.wait(1)
    return nights(host)[-1]


def lobbies(player: Player) -> list[Seen]:
    """Return the boards and lobbies in the channel."""
    return [seen for seen in player.messages() if not seen.is_private and seen.text.startswith("### Table")]


@pytest.mark.parametrize("how", ["nothing", "restart", "crash"])
async def test_a_night_begins_in_time_with_one_ping_and_one_lobby(world: World, how: str) -> None:
    ann, ben, cleo = world.people(3)
    night = await planned(ann)
    assert night.pinged == ()
    before = len(pings(world, ann))
    for player in (ben, cleo):
        assert "You're in" in (await player.clicks(night, "I'm in")).text
    await cleo.clicks(night, "I'm out")
    await world.wait(HOUR)
    assert "**2 are in**" in ann.now(night).text
    if how == "restart":
        await world.restart()
    elif how == "crash":
        await world.crash()
    await world.wait(HOUR + 60)
    assert "It has begun" in ann.now(night).text
    assert ann.now(night).labels == []
    assert len(nights(ann)) == 1
    assert [len(pings(world, player)) for player in (ann, ben, cleo)] == [before + 1, 1, 0]
    (lobby,) = lobbies(ben)
    assert "Join" in lobby.labels
    assert "One seat left. Press Join" in lobby.text.replace("*", "")
    await world.wait(HOUR)
    assert "Join" in (await ben.clicks(lobby, "Join")).labels or "Start" in lobby.labels
    assert len(lobbies(ben)) == 1
    assert [len(pings(world, player)) for player in (ann, ben, cleo)] == [before + 1, 1, 0]


async def test_a_night_begins_with_the_options_that_its_game_proposes(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("night", when="in 2 hours", game="pot_black")
    await world.wait(2 * HOUR + 60)
    (lobby,) = lobbies(ann)
    assert "At most 10 deals" in lobby.text


async def test_each_of_two_nights_in_one_evening_brings_its_ping(world: World) -> None:
    ann, ben = world.people(2)
    for when in ("in 2 hours", "in 150 min"):
        await ben.clicks(await planned(ann, when), "I'm in")
    await world.wait(2 * HOUR + 60)
    assert len(pings(world, ben)) == 1
    await world.wait(HOUR / 2)
    assert len(pings(world, ben)) == 2


async def test_a_night_is_told_again_in_a_thread_that_was_archived_meanwhile(world: World) -> None:
    ann, ben = world.people(2)
    await ben.clicks(old := await planned(ann), "I'm in")
    world.breaks("PATCH", f"/channels/{world.channel.id}/messages/{old.id}", 400, 50083, times=None)
    await world.wait(2 * HOUR + 60)
    assert "It has begun" in nights(ann)[-1].text
    assert [users for users in asked_pings(world) if ben.id in users] == [[ann.id, ben.id]], "only of the table"


async def test_a_crash_after_the_post_posts_nothing_twice(world: World) -> None:
    (ann,) = world.people(1)
    await planned(ann)
    world.execute("UPDATE messages SET stage = 'noted', message_id = NULL WHERE subject = 'night'")
    await world.crash()
    await world.wait(HOUR)
    assert len(nights(ann)) == 1


async def test_a_crash_between_the_beginning_and_the_table_opens_one_table(world: World) -> None:
    (ann,) = world.people(1)
    await planned(ann)
    await world.wait(2 * HOUR + 60)
    world.execute("UPDATE nights SET opened_as = NULL")
    await world.crash()
    await world.wait(HOUR)
    assert len(lobbies(ann)) == 1


async def test_a_night_of_a_game_that_this_program_lacks_is_missed(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    (ann,) = world.people(1)
    await planned(ann)
    world.execute("UPDATE nights SET game = 'chess'")
    await world.crash()
    await world.wait(2 * HOUR + 60)
    (night,) = nights(ann)
    assert "chess" in night.text
    assert "It didn't begin" in night.text
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_the_host_or_a_moderator_cancels_a_night(world: World) -> None:
    ann, ben = world.people(2)
    night = await planned(ann)
    assert "Only the host or a moderator" in (await ben.clicks(night, "Cancel it")).text
    assert "cancelled" in (await ann.clicks(night, "Cancel it")).text
    await world.wait(3 * HOUR)
    assert "It's cancelled" in ann.now(night).text
    assert lobbies(ann) == []


async def test_the_host_cancels_a_night_instead_of_leaving_it(world: World) -> None:
    ann, ben = world.people(2)
    night = await planned(ann)
    await ben.clicks(night, "I'm in")
    assert "You're the host. Cancel the game night" in (await ann.clicks(night, "I'm out")).text
    assert "You're out." in (await ben.clicks(night, "I'm out")).text
    await world.wait(60)
    assert f"**1 is in**: <@{ann.id}>" in ann.now(night).text


async def test_a_night_whose_message_is_deleted_is_cancelled_when_it_would_begin(world: World) -> None:
    ann, ben = world.people(2)
    night = await planned(ann)
    await ben.clicks(night, "I'm in")
    await world.wait(60)
    world.deletes(night)
    await world.wait(2 * HOUR)
    (night_id,) = await world.tables.nights.all()
    kept = await world.tables.nights.find(night_id)
    assert kept is not None
    assert kept.status == "cancelled"
    assert lobbies(ann) == nights(ann) == []
    assert pings(world, ben) == []


async def test_nights_are_limited_and_other_times_refused(world: World) -> None:
    (ann,) = world.people(1)
    assert "such as 20:00" in (await ann.types("night", when="soon")).text
    assert "within the next 60 days" in (await ann.types("night", when="in 90 days")).text
    for _ in range(3):
        await planned(ann)
    assert "3 game nights here already" in (await ann.types("night", when="in 2 hours")).text
    for night in nights(ann):
        await ann.clicks(night, "Cancel it")
    assert "limit 3 an hour" in (await ann.types("night", when="in 2 hours")).text


async def test_the_host_takes_the_other_time_that_was_meant(world: World) -> None:
    ann, ben = world.people(2)
    answer = await ann.types("night", when="tomorrow at 8")
    assert "I took 08:00, or 20:00?" in answer.text
    await world.wait(1)
    (first,) = re.findall(r"<t:([0-9]+):F>", nights(ann)[-1].text)
    assert f"<t:{first}:F>" in answer.text
    moved = await ann.clicks(answer, "Make it 20:00")
    assert f"<t:{int(first) + 12 * 3600}:F>" in moved.text
    await world.wait(1)
    (night,) = nights(ann)
    assert f"<t:{int(first) + 12 * 3600}:F>" in night.text
    answer = await ann.types("night", when="tomorrow at 9")
    await world.wait(1)
    await ben.clicks(nights(ann)[-1], "I'm in")
    assert "The game night is" in (await ann.clicks(answer, "Make it 21:00")).text
    await world.wait(1)
    assert len(pings(world, ben)) == 1, "who is in gets one ping"
    await world.wait(float(first) - world.bot.now() + 60)
    assert "It has begun" not in ann.now(night).text
    await world.wait(12 * 3600)
    assert "It has begun" in ann.now(night).text


async def test_a_time_that_is_over_or_too_far_away_is_shown_with_its_refusal(world: World) -> None:
    (ann,) = world.people(1)
    assert re.search(r"<t:[0-9]+:F> is over", (await ann.types("night", when="2020-01-01 20:00")).text)
    assert re.search(r"That's <t:[0-9]+:F>\.", (await ann.types("night", when="in 90 days")).text)


async def test_a_time_is_read_in_the_zone_of_the_server(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("settings", timezone="Asia/Tokyo")
    assert "Asia/Tokyo" in (await ann.types("night", when="20:00")).text
    await world.tables.servers.save(
        (await world.tables.servers.settings(world.server.id)).__class__(world.server.id, timezone="Europe/Berlin")
    )
    assert "Europe/Berlin" in (await ann.types("night", when="20:00")).text


async def test_a_host_who_deletes_their_data_cancels_their_night(world: World) -> None:
    ann, ben = world.people(2)
    night = await planned(ann)
    await ben.clicks(night, "I'm in")
    kept = await world.tables.personal_data.kept(ann.id)
    assert len(kept["game_nights_planned"]) == 1
    for player in (ann, ben):
        page = await player.types("privacy")
        await player.clicks_through(page, "Delete", "Delete all")
        assert not any((await world.tables.personal_data.kept(player.id)).values())
    await world.wait(3 * HOUR)
    assert "cancelled" in ann.now(night).text
    assert str(ann.id) not in ann.now(night).text


async def test_a_wrong_clock_neither_begins_nor_deletes_a_night(world: World) -> None:
    (ann,) = world.people(1)
    night = await planned(ann)
    world.tables.privacy.discord_now = lambda: world.env.now().timestamp()
    world.jump_s = 10 * 24 * HOUR
    await world.wait(HOUR)
    assert len(await world.tables.nights.all()) == 1
    assert "I'm in" in ann.now(night).labels
    world.jump_s = 0.0
    await world.wait(HOUR + 1000)
    assert "It has begun" in ann.now(night).text
    assert len(lobbies(ann)) == 1


async def test_who_plans_a_night_reads_how_their_time_was_read(world: World) -> None:
    ann, keeper = world.person("Ann"), moderator(world)
    answer = await ann.types("night", when="20:00")
    assert "I assumed the time zone UTC." in answer.text
    assert "Your settings" in (await ann.clicks(answer, "My time zone")).text
    assert "This server's time zone" in (await keeper.types("night", when="20:00")).labels
    await ann.types("settings", timezone="Europe/Berlin")
    answer = await ann.types("night", when="20:00")
    assert "the time zone Europe/Berlin." in answer.text
    assert "/settings" not in answer.text
    await keeper.types("server daily", timezone="Asia/Tokyo")
    answer = await ann.types("night", when="20:00")
    assert "the time zone Asia/Tokyo." in answer.text


async def test_somebody_else_can_join_the_table_of_a_night(world: World) -> None:
    ann, ben, cleo = world.people(3)
    night = await planned(ann)
    await ben.clicks(night, "I'm in")
    await world.wait(2 * HOUR + 60)
    (lobby,) = lobbies(ben)
    await cleo.clicks(lobby, "Join")
    await ben.clicks(cleo.board, "Join")
    table = await world.tables.table(1)
    assert [sitter.user_id for sitter in table.sitters] == [ann.id, cleo.id, ben.id]


async def test_a_night_whose_host_has_left_gets_another_one(world: World) -> None:
    ann, ben, cleo = world.people(3)
    night = await planned(ann)
    for player in (ben, cleo):
        await player.clicks(night, "I'm in")
    for player in (ann, ben):
        leaves_server(player)
    await world.wait(2 * HOUR + 60)
    assert "It has begun" in cleo.now(night).text
    assert "1. **Cleo** (host)" in lobbies(cleo)[0].text


@pytest.mark.parametrize("rule", ["a channel", "a role"])
async def test_a_night_begins_only_where_a_table_may_open_by_then(world: World, rule: str) -> None:
    ann, ben = world.people(2)
    night = await planned(ann)
    if rule == "a channel":
        await moderator(world).types("server channel", channel=world.server.create_text_channel("games"))
    else:
        await moderator(world).types("server openers", role=world.server.create_role("Openers"))
    await world.wait(2 * HOUR + 60)
    assert "It didn't begin" in ben.now(night).text
    assert lobbies(ben) == []


@pytest.mark.parametrize("jump_s", [-5 * HOUR, 600.0])
async def test_a_night_begins_by_the_clock_that_has_stepped(world: World, jump_s: float) -> None:
    (ann,) = world.people(1)
    night = await planned(ann)
    await world.wait(HOUR)
    world.jump_s = jump_s
    await world.wait(HOUR - 900 - jump_s)
    assert "It has begun" not in ann.now(night).text
    await world.wait(1800)
    assert "It has begun" in ann.now(night).text
    assert len(lobbies(ann)) == 1


@pytest.mark.parametrize("rule", ["a channel", "a role", "a permission"])
async def test_those_who_are_in_read_why_a_night_cannot_begin(world: World, rule: str) -> None:
    ann, ben, cleo = world.people(3)
    night = await planned(ann)
    await ben.clicks(night, "I'm in")
    if rule == "a channel":
        await moderator(world).types("server channel", channel=world.server.create_text_channel("games"))
    elif rule == "a role":
        await moderator(world).types("server openers", role=world.server.create_role("Openers"))
    else:
        set_permissions(world, send_messages=False)
    await world.wait(2 * HOUR + 60)
    await world.crash()
    await world.wait(HOUR)
    why = {"a channel": "open tables in <#", "a role": "Nobody who is in", "a permission": "I need Send Messages."}[
        rule
    ]
    if rule == "a permission":
        said = [next(seen for seen in player.dms if "can't begin" in seen.text) for player in (ann, ben)]
        assert [len(player.dms) for player in (ann, ben, cleo)] == [1, 1, 0]
    else:
        said = [seen for seen in ben.messages() if "can't begin" in seen.text]
        assert [seen.pinged for seen in said] == [(ann.id, ben.id)]
    assert all(why in seen.text for seen in said)
    assert "It didn't begin" in ben.now(night).text
    assert await world.tables.lists.open_tables() == ()


async def test_a_night_whose_time_passed_while_the_bot_was_off_says_so_once(world: World) -> None:
    ann, ben = world.people(2)
    night = await planned(ann)
    await ben.clicks(night, "I'm in")
    await world.restart(away_s=5 * HOUR)
    await world.wait(60)
    (said,) = [seen for seen in ben.messages() if "can't begin" in seen.text]
    assert "I was offline" in said.text
    assert said.pinged == (ann.id, ben.id)


async def test_a_night_names_its_table_only_once_that_is_posted(world: World) -> None:
    (ann,) = world.people(1)
    night = await planned(ann)
    world.breaks("POST", f"/channels/{world.channel.id}/messages", 500, times=None)
    await world.wait(2 * HOUR + 60)
    assert "It has begun. Its table is coming." in ann.now(night).text
    world.mends()
    await world.wait(1000)
    (lobby,) = lobbies(ann)
    assert f"It has begun: [Table Oak](https://discord.com/channels/{world.server.id}/" in ann.now(night).text
    assert f"/{lobby.id})" in ann.now(night).text
