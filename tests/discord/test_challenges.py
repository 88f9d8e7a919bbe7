"""Challenges on Discord: accepted in the channel, played in direct messages, compared when both have finished."""

import random
import re
from typing import Any

import pytest

from bot import computer
from bot.records.event import EventResult
from bot.records.table import Table
from bot.store.sqlite import SqliteStore
from bot.transcript import verify
from bot.ui.posts.text import LATER
from cogs.matches.posts import match_post
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.test_access import hidden_channel
from tests.discord.test_daily import finishes
from tests.discord.test_leavers import leaves_server
from tests.discord.test_pings import pings
from tests.discord.test_server import moderator
from tests.going_on import go_on
from tests.waiting import until

HOUR, DAY = 3600.0, 24 * 3600.0


def challenge_in(player: Player) -> Seen:
    """Return the only message about a challenge in the channel."""
    (seen,) = [seen for seen in player.messages() if not seen.is_private and "⚔️ Challenge ·" in seen.text]
    return seen


async def challenged(host: Player, guest: Player, **options: Any) -> Seen:
    """Challenge somebody, and return the message."""
    answer = await host.types("challenge", player=guest.member, **options)
    assert "can accept or decline" in answer.text
    await host.world.wait(1)
    return challenge_in(host)


async def plays(world: World, player: Player, page: Seen) -> tuple[Table, Seen]:
    """Press **Play** and make the player's moves to the end of the game. Return its table, and the answer."""
    answer = await player.clicks(page, "Play")
    assert "Your game is in your direct messages" in answer.text
    (seat,) = await world.tables.lists.seats(player.id, None, None, 5)
    table = seat.table
    while (table := await world.tables.table(table.id)).status == "playing":
        if player.id in await world.tables.whose_turn(table):
            sight = await world.tables.look(table.id, player.id)
            move = computer.choose(table.game, sight.observation, random.Random(player.id), "easy")
            await world.tables.play(table.id, player.id, str(move))
        else:
            await go_on(world.tables, table.id)
            await world.env.settle()
    await world.wait(1)
    return table, answer


async def shows(player: Player, text: str) -> Seen:
    """Wait until the message about the challenge has this text, and return it."""
    await until(lambda: text in challenge_in(player).text)
    return challenge_in(player)


async def test_a_challenge_is_played_compared_and_checked(world: World) -> None:
    ann, ben, cleo = world.people(3)
    offer = await challenged(ann, ben, game="pond", deals=2)
    assert offer.labels == ["Accept", "Decline", "Withdraw"]
    assert len(pings(world, ben)) == 1
    assert f"Only <@{ben.id}> can answer" in (await cleo.clicks(offer, "Accept")).text
    assert f"Only <@{ben.id}> can answer" in (await ann.clicks(offer, "Accept")).text
    accepted = await ben.clicks(offer, "Accept")
    assert accepted.is_private
    await world.wait(1)
    assert "**Ann** 0 of 2 · **Ben** 0 of 2" in challenge_in(cleo).text
    assert (await cleo.clicks(challenge_in(cleo), "Play")).text == "You're not in this challenge."
    ours: list[Table] = []
    for number in range(2):
        table, answer = await plays(world, ann, challenge_in(ann))
        assert f"Game {number + 1} of 2" in answer.text
        ours.append(table)
    assert "You've played all your games" in (await ann.clicks(challenge_in(ann), "Play")).text
    await shows(ben, "**Ann** 2 of 2 · **Ben** 0 of 2")
    theirs = [(await plays(world, ben, accepted))[0]]
    before = await shows(cleo, "**Ann** 2 of 2 · **Ben** 1 of 2")
    assert [table.seed for table in (*ours, *theirs)] == [None] * 3
    assert "Others may still play" in (await ann.types("verify", table=str(ours[0].number))).text
    fair = await ann.clicks(before, "Fair deal")
    assert "You'll see it when the challenge is over" in fair.text
    theirs.append((await plays(world, ben, before))[0])
    after = await shows(cleo, "Match points: ")
    assert after.id == before.id
    assert after.labels == ["Replay", "Fair deal"]
    assert "Game 1: " in after.text
    await until(lambda: [len(pings(world, player)) for player in (ann, ben, cleo)] == [1, 2, 0])
    assert "The secret was" in (await cleo.clicks(after, "Fair deal")).text
    for table in (*ours, *theirs):
        verify(await world.tables.transcript(table.id), table.commitment)
    assert [table.commitment for table in ours] == [table.commitment for table in theirs]
    assert ours[0].commitment != ours[1].commitment
    games = await ben.clicks(after, "Replay")
    assert games.is_private
    assert list(games.options.values()) == ["Game 1 · Ann", "Game 1 · Ben", "Game 2 · Ann", "Game 2 · Ben"]
    for number, table in ((3, theirs[1]), (2, ours[1])):
        replay = await ben.picks(games, list(games.options)[number])
        assert f"Table {table.name}" in replay.text
    assert "See as: Ann" in replay.options.values()
    later = await ben.clicks(replay, LATER)
    assert f"Table {ours[1].name}" in later.text
    assert "There's no table" in (await cleo.types("replay", table=ours[1].name)).text
    assert "You haven't finished" in (await cleo.clicks(after, "Replay")).text
    kept = await world.tables.personal_data.kept(ben.id)
    assert [row["deal"] for row in kept["events"]] == [0, 1]
    assert [row["name"] for row in kept["matches"]] == ["Ben"]


@pytest.mark.parametrize("how", ["Decline", "Withdraw", "a moderator", "expires"])
async def test_an_offer_ends_without_a_game(world: World, how: str) -> None:
    ann, ben = world.people(2)
    offer = await challenged(ann, ben)
    assert "Only the host" in (await ben.clicks(offer, "Withdraw")).text
    if how == "expires":
        await world.wait(2 * DAY + 60)
    elif how == "a moderator":
        await moderator(world).clicks(offer, "Withdraw")
        await world.wait(1)
    else:
        await (ben if how == "Decline" else ann).clicks(offer, how)
        await world.wait(1)
    after = challenge_in(ann)
    assert after.labels == []
    assert any(word in after.text for word in ("declined", "withdrawn", "in time"))
    (late,) = await world.at_once((ben, offer.use("Accept")))
    assert late is not None
    assert "answered already, or has expired" in late.text


async def test_a_challenge_survives_a_restart_and_ends_in_time(world: World) -> None:
    ann, ben = world.people(2)
    offer = await challenged(ann, ben, game="pot_black", deals=1, days=2)
    await ben.clicks(offer, "Accept")
    await world.crash()
    await world.wait(1)
    await ann.clicks(challenge_in(ann), "Play")
    await world.restart()
    assert challenge_in(ann).id == offer.id
    again = await ann.types("challenge")
    assert "**Ann** 0 of 1 · **Ben** 0 of 1" in again.text
    table, _answer = await plays(world, ann, challenge_in(ann))
    assert table.id == 1
    await ben.clicks(challenge_in(ben), "Play")
    await world.restart(2 * DAY)
    await world.wait(60)
    assert re.search(r"Games begun by then can be finished until <t:\d+:f>", challenge_in(ann).text)
    assert "until <t:" in ben.hand.text
    await world.wait(3 * HOUR)
    after = await shows(ann, "🏆 Ann wins, 2 to 0 match points")
    assert "Ben –" in after.text
    assert (await world.tables.table(2)).ended == "closed"
    assert (await world.tables.table(1)).seed is not None
    assert "You have no challenges" in (await ann.types("challenge")).text


async def test_who_can_be_challenged_and_how_often(world: World) -> None:
    ann, ben, cleo, dan = world.people(4)
    assert "challenge yourself" in (await ann.types("challenge", player=ann.member)).text
    hidden = hidden_channel(world, ann)
    thread = world.place(world.env.backend.create_thread(hidden.id, "a long evening", ann.id).id)
    for place in (hidden, thread):
        assert "Ben can't see this channel." in (await ann.types("challenge", place, player=ben.member)).text
    for guest in (ben, cleo, dan, ben, cleo):
        await ann.types("challenge", player=guest.member)
    await world.wait(1)
    assert "You have 5 challenges already" in (await ann.types("challenge", player=dan.member)).text
    for seen in [seen for seen in ann.messages() if "Withdraw" in seen.labels]:
        await ann.clicks(seen, "Withdraw")
    assert "limit 5 an hour" in (await ann.types("challenge", player=dan.member)).text


async def test_players_who_delete_their_data_leave_no_trace(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await ben.clicks(await challenged(ann, ben, deals=1), "Accept")
    await world.wait(1)
    await ben.clicks(challenge_in(ben), "Play")
    page = await ben.types("privacy")
    await ben.clicks_through(page, "Delete", "Delete all")
    assert not any((await world.tables.personal_data.kept(ben.id)).values())
    await plays(world, ann, challenge_in(ann))
    after = await shows(ann, "🏆 Ann wins, 2 to 0 match points")
    assert "Ben" not in after.text
    await ann.types("challenge", player=cleo.member)
    done = await ann.clicks_through(await ann.types("privacy"), "Delete", "Delete all")
    assert "Your data is deleted" in done.text, done.text
    assert not any((await world.tables.personal_data.kept(ann.id)).values())


async def test_what_the_message_says_depends_on_no_score(world: World) -> None:
    ann, ben = world.people(2)
    offer = await challenged(ann, ben, deals=2)
    await ben.clicks(offer, "Accept")
    (match_id,) = await world.tables.matches.of_user(ben.id)
    match = await world.tables.matches.find(match_id)
    assert match is not None
    event = await world.tables.events.records.event(match.event)
    assert event is not None
    said = set()
    for score in (-50, None, 50):
        results = [EventResult(match.event, ann.id, 1, "Ann", 1, match.until, score, is_open=False)]
        said.add(str(match_post(match, event, results, world.bot.faces)))
    assert len(said) == 1


async def test_a_change_by_another_process_shows_at_once(world: World) -> None:
    ann, ben = world.people(2)
    await challenged(ann, ben)
    async with await SqliteStore.open(world.database) as store:
        match = await store.matches.find((await store.matches.unfinished())[0])
        assert match is not None
        assert await store.matches.settle(match, "declined", 0.0)
        await world.env.settle()
        assert "declined" not in challenge_in(ann).text
        await store.leases.request_event(match.event, match.guild_id)
    await world.bot.leases.tick()
    await shows(ann, "Ben has declined")


async def test_a_process_asks_the_owner_of_the_server_to_show_a_change(world: World) -> None:
    ann, ben = world.people(2)
    await challenged(ann, ben)
    leases, theirs = world.bot.leases, world.bot.guilds[0].id >> 22 & 1
    await leases.take({1 - theirs}, 2)
    match = await world.tables.matches.find((await world.tables.matches.of_user(ben.id))[0])
    assert match is not None
    await world.tables.matches.decline(match, ben.id)
    world.bot.calendar.soon("match", match.id)
    await until(world.store.leases.event_requests)
    assert await world.store.leases.event_requests() == ((match.event, match.guild_id),)
    assert "declined" not in challenge_in(ann).text
    await leases.take({0}, 1)
    await leases.tick()
    await shows(ann, "Ben has declined")


async def test_a_challenge_whose_host_deletes_their_data_reads_well(world: World) -> None:
    ann, ben = world.people(2)
    await challenged(ann, ben)
    await ann.clicks_through(await ann.types("privacy"), "Delete", "Delete all")
    await world.wait(1000)
    seen = await shows(ben, "withdrawn")
    assert "Someone's challenge to Ben was withdrawn." in seen.text


async def test_a_deleted_message_comes_back_with_the_next_change(world: World) -> None:
    ann, ben = world.people(2)
    offer = await challenged(ann, ben)
    accepted = await ben.clicks(offer, "Accept")
    await world.wait(1)
    before = len(pings(world, ben))
    world.deletes(challenge_in(ann))
    await plays(world, ben, accepted)
    await until(lambda: [seen for seen in ann.messages() if "**Ben** 1 of 3" in seen.text])
    assert len(pings(world, ben)) == before


async def test_the_result_is_told_in_a_thread_that_was_archived_meanwhile(world: World) -> None:
    ann, ben = world.people(2)
    accepted = await ben.clicks(await challenged(ann, ben, deals=1), "Accept")
    await plays(world, ben, accepted)
    old = await shows(ann, "**Ben** 1 of 1")
    world.breaks("PATCH", f"/channels/{world.channel.id}/messages/{old.id}", 400, 50083)
    await ann.clicks(old, "Play")
    world.expire_tokens()  # Discord would refuse that as well
    await finishes(world, ann, 2)
    await until(lambda: [seen for seen in ann.messages() if seen.id > old.id and "Match points: " in seen.text])
    await until(lambda: [seen for seen in ann.messages() if "All games" in seen.text])


async def _is_final(world: World) -> bool:
    return not await world.tables.matches.unfinished()


@pytest.mark.parametrize("is_noted", [True, False])
async def test_players_get_one_ping_with_the_result_unless_they_want_none(world: World, *, is_noted: bool) -> None:
    ann, ben = world.people(2)
    await ann.types("settings", pings="off")
    accepted = await ben.clicks(await challenged(ann, ben, deals=1), "Accept")
    before = len(pings(world, ben))
    for player in (ann, ben):
        await plays(world, player, accepted if player is ben else challenge_in(ann))
    after = await shows(ann, "Match points: ")
    await until(lambda: len(pings(world, ben)) == before + 1)
    (told,) = [seen for seen in ann.messages() if "All games" in seen.text]
    assert f"/{after.id})" in told.text
    (headline,) = [line for line in after.text.splitlines() if line.startswith("## ")]  # of a win or a draw
    assert f"**{headline.removeprefix('## ')}**" in told.text
    assert pings(world, ann) == []
    await until(lambda: _is_final(world))
    await world.env.settle()
    if not is_noted:  # as if it had crashed before that
        world.execute("UPDATE messages SET stage = 'live', content = NULL WHERE kind = 'card'")
        world.execute("UPDATE messages SET stage = 'noted', message_id = NULL WHERE kind = 'result'")
        world.execute("INSERT OR IGNORE INTO due SELECT 'match', id, guild_id, until FROM matches")
    await world.restart()
    await world.wait(1000)
    assert len([seen for seen in ann.messages() if "All games" in seen.text]) == 1
    assert len(pings(world, ben)) == before + 1


async def test_refusals_show_names_as_plain_text(world: World) -> None:
    (ann,), odd = world.people(1), world.person("**x** [free](https://evil.example)")
    ben = world.person("Ben")
    hidden = hidden_channel(world, ann)
    assert "\\*\\*x\\*\\*" in (await ann.types("challenge", hidden, player=odd.member)).text
    offer = await challenged(ann, odd)
    assert (await ben.clicks(offer, "Accept")).text == f"Only <@{odd.id}> can answer this challenge."


async def test_players_of_one_name_are_told_apart(world: World) -> None:
    ann, other = world.person("Ann"), world.person("\N{ROBOT FACE} ann")
    await other.clicks(await challenged(ann, other, deals=1), "Accept")
    assert "**Ann** 0 of 1 · **ann (2)** 0 of 1" in (await shows(ann, "0 of 1")).text


@pytest.mark.parametrize("who", ["the host", "the guest"])
async def test_an_offer_ends_when_one_of_them_leaves_the_server(world: World, who: str) -> None:
    ann, ben = world.people(2)
    offer = await challenged(ann, ben)
    gone, left = (ann, ben) if who == "the host" else (ben, ann)
    before = len(pings(world, left))
    leaves_server(gone)
    await world.wait(3 * HOUR)
    await until(lambda: "was withdrawn" in left.now(offer).text)
    said = left.messages()[-1]
    assert f"{gone.member.user.global_name} isn't here any more, so the challenge is over." in said.text
    await world.wait(2 * HOUR)
    assert len(pings(world, left)) == before + 1
    assert "You have no challenges" in (await left.types("challenge")).text


async def test_a_challenge_in_play_is_won_when_the_other_player_leaves_the_server(world: World) -> None:
    ann, ben = world.people(2)
    offer = await challenged(ann, ben, deals=2)
    await ben.clicks(offer, "Accept")
    await plays(world, ben, challenge_in(ben))
    await ann.clicks(challenge_in(ann), "Play")
    leaves_server(ben)
    await world.wait(3 * HOUR)
    assert "Play" in challenge_in(ann).labels, "Ann finishes her game first"
    before = len(pings(world, ann))
    await plays(world, ann, challenge_in(ann))
    after = await shows(ann, "🏆 Ann wins the challenge: Ben isn't here any more.")
    assert after.labels == ["Replay", "Fair deal"]
    assert len(pings(world, ann)) == before + 1
    games = await ann.clicks(after, "Replay")
    assert list(games.options.values()) == ["Game 1 · Ann", "Game 1 · Ben"]
    assert "The secret was" in (await ann.clicks(after, "Fair deal")).text


async def test_whoever_is_challenged_learns_that_the_host_has_deleted_their_data(world: World) -> None:
    ann, ben = world.people(2)
    await challenged(ann, ben)
    before = len(pings(world, ben))
    await ann.clicks_through(await ann.types("privacy"), "Delete", "Delete all")
    await world.wait(1000)
    await until(lambda: len(pings(world, ben)) == before + 1)
    assert "Someone isn't here any more, so the challenge is over." in ben.messages()[-1].text


async def test_a_challenge_without_its_message_is_answered_from_the_list_of_tables(world: World) -> None:
    ann, ben = world.people(2)
    world.deletes(await challenged(ann, ben))
    own = await ann.clicks(await ann.types("tables"), "1 challenge")
    assert own.labels == ["Withdraw 1"]
    theirs = await ben.clicks(await ben.types("tables"), "1 challenge")
    assert "You're in." in (await ben.clicks(theirs, "Accept 1")).text
    assert "Game 1 of 3" in (await ben.clicks(await ben.types("challenge"), "Play 1")).text
    await ben.types("pond open")
    assert (await ben.clicks(await ben.types("tables"), "1 challenge")).labels == ["Play 1"]
