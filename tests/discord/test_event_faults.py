"""Events where people, channels and permissions go while they are played."""

import random
from datetime import UTC, datetime

import discord
import pytest

from bot import computer
from tests.discord.play import World
from tests.discord.test_challenges import challenge_in, challenged, plays, shows
from tests.discord.test_daily import finishes, post_in, until_midnight, weekday
from tests.discord.test_duplicates import begun, shows as shows_duplicate
from tests.discord.test_server import moderator
from tests.going_on import go_on
from tests.outage import cut_off
from tests.waiting import until

DAY = 24 * 3600.0


async def test_a_player_whose_direct_messages_are_closed_is_told_and_can_play_later(world: World) -> None:
    ann, ben = world.people(2)
    for player in (ann, ben):
        world.breaks("POST", f"/channels/{player.dm.id}/messages", 403, 50007, times=None)
    page = await ann.types("daily")
    first = await ann.clicks(page, "Play")
    await until(lambda: world.tables.users.is_dm_closed(ann.id))
    again = await ann.types("daily")
    assert "I can't reach you yet." in again.text, first.text
    accepted = await ben.clicks(await challenged(ann, ben), "Accept")
    await ben.clicks(accepted, "Play")
    await until(lambda: world.tables.users.is_dm_closed(ben.id))
    assert "I can't reach you yet." in (await ben.clicks(challenge_in(ben), "Play")).text
    world.mends()
    await world.wait(DAY / 24)  # refused direct messages are tried less and less often
    assert "Your game is in your direct messages" in (await ann.types("daily")).text
    await until(lambda: ann.dms)
    assert len(await world.store.lists.all()) == 2


async def test_an_event_is_played_in_the_channel_while_direct_messages_are_closed(world: World) -> None:
    ann, ben = world.people(2)
    for player in (ann, ben):
        world.breaks("POST", f"/channels/{player.dm.id}/messages", 403, 50007, times=None)
    accepted = await ben.clicks(await challenged(ann, ben), "Accept")
    pages = [await ann.clicks(await ann.types("daily"), "Play"), await ben.clicks(accepted, "Play")]
    for player, page in zip((ann, ben), pages, strict=True):
        assert "I can't reach you yet. **Play here** shows the game to you alone." in page.text
        hand = await player.clicks(page, "Play here")
        assert hand.is_private
        assert hand.channel_id == player.home.id
        after = await player.picks(hand, next(iter(hand.moves)))
        assert after.moves or "Waiting" in after.text
    world.mends()
    assert "Your game is in your direct messages. [" in (await ann.types("daily")).text
    assert "Your game is in your direct messages. [" in (await ben.clicks(challenge_in(ben), "Play")).text


async def test_a_daily_shows_a_try_that_ended_in_an_outage_of_the_database(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ann,) = world.people(1)
    await ann.clicks(await ann.types("daily"), "Play")
    failures = [True, True]
    cut_off(monkeypatch, world.tables.events.records, "result", lambda: bool(failures) and failures.pop())
    await finishes(world, ann)
    await world.wait(60)
    await until(lambda: "Ann" in post_in(ann).text)
    assert not failures


async def test_a_challenge_ends_if_its_host_deletes_their_data_in_the_middle(world: World) -> None:
    ann, ben = world.people(2)
    accepted = await ben.clicks(await challenged(ann, ben, deals=1), "Accept")
    await ann.clicks(challenge_in(ann), "Play")
    await ann.clicks_through(await ann.types("privacy"), "Delete", "Delete all")
    await plays(world, ben, accepted)
    after = await shows(ben, "🏆 Ben wins, 2 to 0")
    assert "Ann" not in after.text
    assert "Someone" in after.text
    games = await ben.clicks(after, "Replay")
    assert "Ann" not in "".join(games.options.values())


async def test_a_challenge_goes_on_without_its_channel(world: World) -> None:
    ann, ben = world.people(2)
    accepted = await ben.clicks(await challenged(ann, ben, deals=1), "Accept")
    elsewhere = world.server.create_text_channel("elsewhere")
    world.env.backend.delete_channel(world.channel.id)
    for player in (ann, ben):
        player.home = elsewhere
    page = await ann.types("challenge")
    assert page.labels == ["Play 1"]
    for player in (ann, ben):
        page = await player.clicks(await player.types("challenge"), "Play 1")
        assert "Your game is in your direct messages" in page.text
        (seat,) = await world.tables.lists.seats(player.id, None, None, 5)
        await finishes(world, player, seat.table.id)
    match = await world.tables.matches.find(int(accepted.use("Play").custom_id.split(":")[4]))
    assert match is not None
    await until(lambda: _is_over(world, match.id))


async def _is_over(world: World, match_id: int) -> bool:
    match = await world.tables.matches.find(match_id)
    return match is not None and match.status == "over"


async def test_a_duplicate_goes_on_without_a_player_who_has_deleted_their_data(world: World) -> None:
    people = world.people(4)
    one, other = await begun(world, people)
    cleo = people[2]
    await cleo.clicks_through(await cleo.types("privacy"), "Delete", "Delete all")
    for number in (one.id, other.id):
        while (table := await world.tables.table(number)).status == "playing":
            for user_id in await world.tables.whose_turn(table):
                sight = await world.tables.look(table.id, user_id)
                move = computer.choose(table.game, sight.observation, random.Random(user_id), "easy")
                await world.tables.play(table.id, user_id, str(move))
            await go_on(world.tables, number)
            await world.env.settle()
    after = await shows_duplicate(people[0], "Match points: ")
    assert "Cleo" not in after.text


@pytest.mark.parametrize("how", ["the channel", "the permission"])
async def test_a_daily_without_its_channel_is_played_all_the_same(world: World, how: str) -> None:
    ann = world.person("Ann")
    channel = world.server.create_text_channel("dailies")
    await moderator(world).types("server daily", channel=channel)
    await until_midnight(world, after_s=60)
    await until(lambda: ann.messages(channel))
    if how == "the channel":
        world.env.backend.delete_channel(channel.id)
    else:
        everyone, denied = world.server.default_role, discord.PermissionOverwrite(send_messages=False)
        silent = world.server.create_text_channel("silent", overwrites={everyone: denied})
        world.execute("UPDATE servers SET daily_channel_id = ?", silent.id)
    await ann.clicks(await ann.types("daily"), "Play")
    await finishes(world, ann)
    page = await ann.types("daily")
    assert "computers got fewer" in page.text
    await until_midnight(world, after_s=1000)
    now = datetime.fromtimestamp(world.tables.events.now(), UTC)
    assert weekday(now.date()) in (await ann.types("daily")).text


async def test_a_daily_that_nobody_plays_closes(world: World) -> None:
    ann = world.person("Ann")
    await ann.types("daily")
    await world.wait(2 * DAY)
    await until(lambda: post_in(ann).labels == ["Fair deal"])
    assert "Nobody has played." in post_in(ann).text
