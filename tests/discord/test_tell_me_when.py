"""**Tell me when**: one direct message a day about a new table to those who asked, and only while they can join it."""

from typing import Any

import discord
import pytest
import simcord

from bot.records.alert import MOST
from tests.discord.play import Player, World
from tests.discord.seen import Seen, Use
from tests.waiting import until

DAY_S = 24 * 3600.0


def alerts(player: Player) -> list[Seen]:
    return [seen for seen in player.dms if "has opened in" in seen.text]


def hidden(world: World, *insiders: Player) -> simcord.ChannelHandle:
    """Return a channel that only these players and the bot can see."""
    me = world.server.me
    assert me is not None
    shown = discord.PermissionOverwrite(view_channel=True, send_messages=True)
    rights: dict[Any, discord.PermissionOverwrite] = dict.fromkeys((me, *(each.member for each in insiders)), shown)
    rights[world.server.default_role] = discord.PermissionOverwrite(view_channel=False)
    return world.server.create_text_channel("hidden", overwrites=rights)


def wants(world: World, *players: Player, game: str = "pond") -> None:
    """Note the wish of players, as pressing **Tell me when** does."""
    for player in players:
        world.execute("INSERT INTO alerts VALUES (?, ?, ?)", player.id, world.server.id, game)


async def opened(world: World, host: Player, command: str = "pond open", **options: Any) -> Seen:
    """Let a table open, and wait until those who want it have been told."""
    lobby = await host.types(command, **{"players": 4, **options})
    await world.wait(90)
    return lobby


async def test_who_asked_is_told_with_join_and_the_message_goes_at_the_start(world: World) -> None:
    ann, ben, cleo, dora = world.people(4)
    first = await ann.types("pond open", players=4)
    page = await ben.clicks(first, "Tell me when")
    assert page.text.startswith(
        "### Tell me when a table opens\nI'll tell you when a table of Pond · cards opens here."
    )
    assert "Tell me when" not in (await ann.clicks(first, "More")).labels
    await ann.clicks_through(first, "More", "Close the table", "Close the table")
    await world.wait(60)
    wants(world, cleo)
    lobby = await ann.types("pond open", players=4)
    await world.wait(50)
    assert alerts(ben) == []
    await world.wait(40)
    (told,) = alerts(ben)
    assert told.labels == ["Join", "Stop these messages"]
    assert f"/{lobby.id})" in told.text
    assert f"<#{world.channel.id}>" in told.text
    assert len(alerts(cleo)) == 1
    assert alerts(ann) == alerts(dora) == []
    assert (await ben.clicks(told, "Join")).text.startswith("You've joined **Table ")
    await world.wait(30)
    assert alerts(ben) == []
    assert len(alerts(cleo)) == 1
    await ann.clicks(ann.now(lobby), "Start with the 2 here")
    await world.wait(30)
    assert alerts(cleo) == []
    assert (await world.tables.table(2)).status == "playing"


async def test_everybody_is_told_at_most_once_a_day(world: World) -> None:
    ann, ben = world.people(2)
    wants(world, ben)
    lobby = await opened(world, ann)
    (told,) = alerts(ben)
    await opened(world, ann)
    await world.wait(DAY_S / 2)
    await opened(world, ann)
    assert [seen.id for seen in alerts(ben)] == [told.id]
    await ann.clicks_through(ann.now(lobby), "More", "Close the table", "Close the table")
    await world.wait(30)
    assert alerts(ben) == []
    await world.wait(DAY_S / 2)
    await opened(world, ann)
    assert len(alerts(ben)) == 1


@pytest.mark.parametrize("setting", [{"quiet": "00:00-24:00"}, {"pings": "off"}, {"away": "for 5 days"}])
async def test_nobody_is_told_in_quiet_hours(world: World, setting: dict[str, Any]) -> None:
    ann, ben = world.people(2)
    if "quiet" in setting:
        now = world.env.now()
        setting = {"quiet": f"{now.hour:02}:00-{(now.hour + 2) % 24:02}:00"}
    await ben.types("settings", timezone="UTC", **setting)
    wants(world, ben)
    await opened(world, ann)
    assert alerts(ben) == []


async def test_who_cant_see_the_channel_or_has_left_is_not_told(world: World) -> None:
    ann, ben, cleo, dora = world.people(4)
    wants(world, ben, cleo, dora)
    world.server.remove_member(dora.member)
    ann.home = hidden(world, ann, cleo)
    await opened(world, ann)
    assert alerts(ben) == alerts(dora) == []
    assert len(alerts(cleo)) == 1


async def test_at_most_twenty_are_told_those_who_played_here_last_first(world: World) -> None:
    ann = world.person("Ann")
    others = [world.person(f"Guest {number}") for number in range(MOST + 2)]
    wants(world, *others)
    late, last = others[-1], others[-2]
    for at, player in ((2.0, late), (1.0, last)):
        world.execute(
            "INSERT INTO results (guild_id, game, nth, seat, number, ended_at, options, reason, side, place, won,"
            " score, user_id, decisions, own, mu, sigma, gain) VALUES"
            " (?, 'pond', ?, 0, 1, ?, '{}', '', 0, 1, 1, 1, ?, 1, 1, 25, 8, 0)",
            world.server.id,
            int(at),
            at,
            player.id,
        )
    await opened(world, ann)
    told = [player for player in others if alerts(player)]
    assert len(told) == MOST
    assert {late.id, last.id} <= {player.id for player in told}
    first = min(told, key=lambda player: alerts(player)[0].id)
    assert first.id == late.id


async def test_closed_direct_messages_are_skipped(world: World) -> None:
    ann, ben, cleo = world.people(3)
    wants(world, ben, cleo)
    world.breaks("POST", f"/channels/{ben.dm.id}/messages", 403, 50007, times=None)
    await opened(world, ann)
    assert alerts(ben) == []
    assert len(alerts(cleo)) == 1


@pytest.mark.parametrize("way", ["full", "started", "invited", "private"])
async def test_tables_that_nobody_can_join_are_not_told(world: World, way: str) -> None:
    ann, ben, cleo = world.people(3)
    wants(world, cleo)
    if way == "private":
        await opened(world, ann, at=ann.dm)
    elif way == "full":
        await opened(world, ann, computers=3)
    else:
        lobby = await ann.types("pond open", players=2)
        await ben.clicks(lobby, "Join")
        if way == "started":
            await ann.clicks(ann.now(lobby), "Start")
        await world.wait(90)
    assert alerts(cleo) == []


async def test_a_rematch_is_not_told(world: World) -> None:
    ann, ben, cleo = world.people(3)
    wants(world, cleo, game="frogs")
    await ben.clicks(await ann.types("frogs open"), "Join")
    await ann.clicks(ann.board, "Start")
    await ann.clicks(await ann.types("frogs resign"), "Resign")
    await until(lambda: "Rematch" in ann.board.labels)
    await ann.clicks(ann.board, "Rematch")
    await world.wait(90)
    assert len((await world.tables.table(2)).sitters) == 1
    assert alerts(cleo) == []


async def test_a_restart_keeps_what_was_sent_and_removes_it_in_time(world: World) -> None:
    ann, ben, cleo = world.people(3)
    wants(world, ben)
    lobby = await ann.types("pond open", players=4)
    await world.restart()
    await world.wait(90)
    (told,) = alerts(ben)
    wants(world, cleo)
    await world.restart()
    await world.wait(900)
    assert [seen.id for seen in alerts(ben)] == [told.id]
    await ann.clicks_through(ann.now(lobby), "More", "Close the table", "Close the table")
    await world.wait(30)
    assert alerts(ben) == []


async def test_after_a_crash_a_message_is_removed_that_is_out_of_date(world: World) -> None:
    ann, ben = world.people(2)
    wants(world, ben)
    lobby = await opened(world, ann)
    assert len(alerts(ben)) == 1

    async def close() -> None:
        world.execute("UPDATE tables SET status = 'closed', version = version + 1")

    await world.crash(close)
    await until(lambda: not alerts(ben))
    assert lobby.id


async def test_the_wish_is_set_on_a_page_of_the_settings(world: World) -> None:
    ann, ben = world.people(2)
    page = await ben.picks(await ben.types("settings"), "alerts")
    assert "Which games?" in page.text
    page = await ben.clicks(page, "Pontis")
    assert "I'll tell you when a table of Pontis opens here." in page.text
    page = await ben.clicks(page, "Pond · cards")
    page = await ben.clicks(page, "✓ Pond · cards")
    assert (await ben.clicks(page, "Back")).text.startswith("### Your settings")
    await opened(world, ann)
    assert alerts(ben) == []
    await opened(world, ann, "pontis open")
    (told,) = alerts(ben)
    assert "Pontis there any more" in (await ben.clicks(told, "Stop these messages")).text
    assert await world.tables.alerts.games(ben.id, world.server.id) == frozenset()
    refused = await ben.picks(await ben.types("settings", at=ben.dm), "alerts")
    assert "on the server" in refused.text


async def test_forged_presses_show_nothing_of_tables_that_are_not_theirs(world: World) -> None:
    ann, ben, cleo, dora = world.people(4)
    wants(world, ben, cleo)
    ann.home = hidden(world, ann, ben, cleo)
    await opened(world, ann)
    (told,) = alerts(ben)
    await dora.types("settings", at=dora.dm)
    (page,) = dora.dms[-1:]
    for verb in ("Join", "Stop these messages"):
        forged = Use(page.id, page.channel_id, told.use(verb).custom_id)
        (answer,) = await world.at_once((dora, forged))
        assert answer is not None
        assert "Table" not in answer.text
    world.server.remove_member(ben.member)
    (answer,) = await world.at_once((ben, told.use("Join")))
    assert answer is not None
    assert "joined" not in answer.text
    for argument in ("chess.on", "pond", "pond.perhaps", ".", "on"):
        forged = Use(page.id, page.channel_id, f"lily:alert-set:0:0:{argument}")
        (answer,) = await world.at_once((dora, forged))
        assert answer is not None
        assert answer.text == "This button is too old."
    assert len((await world.tables.table(1)).sitters) == 1


async def test_the_wishes_are_exported_and_deleted(world: World) -> None:
    ann, ben = world.people(2)
    wants(world, ben)
    await opened(world, ann)
    kept = await world.tables.personal_data.kept(ben.id)
    assert [row["game"] for row in kept["alerts"]] == ["pond"]
    assert [row["table_id"] for row in kept["last_alert"]] == [1]
    assert [row["kind"] for row in kept["messages"]] == ["alert"]
    await world.tables.personal_data.forget_user(ben.id, None)
    assert await world.tables.personal_data.kept(ben.id) == {} or not any(
        (await world.tables.personal_data.kept(ben.id)).values()
    )


@pytest.mark.parametrize("is_shown", [True, False])
async def test_after_a_crash_on_the_way_the_channel_is_checked_again(world: World, *, is_shown: bool) -> None:
    ann, ben = world.people(2)
    ann.home = hidden(world, ann, ben)
    wants(world, ben)
    world.breaks("POST", f"/channels/{ben.dm.id}/messages", 500, times=None)
    await opened(world, ann)
    assert alerts(ben) == []
    assert await world.tables.messages.about("alert", 1)

    async def hide() -> None:
        world.mends()
        if not is_shown:
            world.env.backend.delete_overwrite(ann.home.id, ben.id)

    await world.crash(hide)
    await world.wait(120)
    assert len(alerts(ben)) == is_shown
    assert len(await world.tables.messages.about("alert", 1)) == is_shown


async def test_what_could_not_be_sent_for_long_stays_away(world: World) -> None:
    ann, ben = world.people(2)
    wants(world, ben)
    world.breaks("POST", f"/channels/{ben.dm.id}/messages", 500, times=None)
    await opened(world, ann)
    await world.wait(900)
    world.mends()
    await world.wait(3600)
    assert alerts(ben) == []
    assert await world.tables.messages.about("alert", 1) == ()


@pytest.mark.parametrize("path", ["/users/@me/channels", "/channels/{dm}/messages"])
@pytest.mark.parametrize("is_closed", [True, False])
async def test_what_is_sent_late_goes_with_the_lobby_too(world: World, path: str, *, is_closed: bool) -> None:
    ann, ben, cleo = world.people(3)
    wants(world, ben)
    lobby = await ann.types("pond open", players=4)
    world.breaks("POST", path.format(dm=ben.dm.id), 500, times=12)
    await world.wait(61)
    await cleo.clicks(lobby, "Join")
    if not is_closed:
        await world.wait(200)
        assert len(alerts(ben)) == 1
    await cleo.clicks_through(ann.now(lobby), "More", "Leave")
    await ann.clicks_through(ann.now(lobby), "More", "Close the table", "Close the table")
    await world.wait(600)
    assert alerts(ben) == []
    assert await world.tables.messages.about("alert", 1) == ()
