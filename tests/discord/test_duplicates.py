"""Duplicates on Discord: joined in the channel, played in two private threads, compared when both have finished."""

import random
from typing import Any

import discord

from bot import computer
from bot.records.table import Table
from tests.discord.forged import Forger, answer_to
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.test_server import moderator
from tests.waiting import until


def duplicate_in(player: Player) -> Seen:
    """Return the only message about a duplicate in the channel."""
    (seen,) = [seen for seen in player.messages() if not seen.is_private and "🔁 Duplicate ·" in seen.text]
    return seen


async def shows(player: Player, text: str) -> Seen:
    """Wait until the message about the duplicate has this text, and return it."""
    await until(lambda: text in duplicate_in(player).text)
    return duplicate_in(player)


async def begun(world: World, people: list[Player], deals: int = 1) -> tuple[Table, Table]:
    """Let four people begin a duplicate of Pond for two. Return the table of Ann and Cleo, and that of Ben and Dan."""
    ann, ben, cleo, dan = people
    await ann.types("duplicate", game="pond-2", deals=deals)
    offer = await shows(ann, "nobody yet")
    assert offer.labels == ["Join A", "Join B", "Leave", "Start", "Withdraw"]
    assert "Each side needs 2 players" in (await ann.clicks(offer, "Start")).text
    await ben.clicks(offer, "Join A")
    for player in (cleo, dan):
        await player.clicks(offer, "Join B")
    assert "Only the host" in (await ben.clicks(offer, "Start")).text
    await shows(ann, "**B** · Cleo, Dan")
    assert "It begins." in (await ann.clicks(duplicate_in(ann), "Start")).text
    await shows(dan, "Table 2 · Ben and Dan: 0 of ")
    return await table_of(world, ann), await table_of(world, ben)


async def table_of(world: World, player: Player) -> Table:
    """Wait until the player has an open table, and return it."""

    async def seats() -> object:
        return await world.tables.lists.seats(player.id, None, None, 5)

    await until(seats)
    (seat,) = await world.tables.lists.seats(player.id, None, None, 5)
    return seat.table


async def finishes(world: World, table: Table) -> Table:
    """Play everybody's moves to the end."""
    while table.status == "playing":
        user_id = (await world.tables.whose_turn(table))[0]
        sight = await world.tables.look(table.id, user_id)
        move = computer.choose(table.game, sight.observation, random.Random(user_id), "easy")
        table = (await world.tables.play(table.id, user_id, str(move))).table
    await world.env.settle()
    return table


async def test_a_duplicate_is_played_in_two_private_threads(world: World) -> None:
    people = world.people(4)
    ben = people[1]
    one, other = await begun(world, people)
    assert one.commitment == other.commitment
    assert len({one.place.channel_id, other.place.channel_id, world.channel.id}) == 3
    for table, players in ((one, people[::2]), (other, people[1::2])):
        members = set(world.env.backend.get_channel(table.place.channel_id).thread_members)
        assert members - {world.env.backend.bot_user.id} == {player.id for player in players}
    await world.wait(5)
    assert "### Your hand" in people[0].hand.text
    await finishes(world, one)
    seen = await shows(ben, "Table 1 · Ann and Cleo: 1 of 1")
    assert seen.labels == ["Fair deal"]
    own = (await ben.types("challenge")).text
    assert "Table 1 · Ann and Cleo: 1 of 1 · Table 2 · Ben and Dan: 0 of 1" in own
    assert f"<#{other.place.channel_id}>" in own
    assert "There's no table" in (await ben.types("tables", table=str(one.number))).text
    guest = moderator(world)
    world.env.backend.add_thread_member(one.place.channel_id, guest.id)
    assert "There's no table" in (await guest.types("replay", table=str(one.number))).text
    await finishes(world, other)
    after = await shows(ben, "Match points: ")
    assert after.labels == ["Replay", "Fair deal"]
    assert "Game 1: " in after.text
    games = await ben.clicks(after, "Replay")
    assert list(games.options.values()) == ["Game 1 · table 1", "Game 1 · table 2"]
    for table in (one, other):
        assert f"Table {table.name}" in (await ben.picks(games, table.key)).text
    assert (await world.tables.table(one.id)).seed == (await world.tables.table(other.id)).seed is not None
    assert f"Table {one.name}" in (await guest.types("replay", table=str(one.number))).text


async def test_who_gets_no_direct_messages_reads_on_joining_where_the_hand_is(world: World) -> None:
    ann, ben = world.people(2)
    await world.tables.users.set_dm_closed(ben.id, closed=True)
    assert "My hand" not in (await ann.types("duplicate", game="pond-2", deals=1)).text
    answer = await ben.clicks(await shows(ann, "nobody yet"), "Join A")
    assert "You're on side A. I can't send you your hand: press **My hand** in the thread" in answer.text


async def test_the_next_table_opens_in_the_same_thread_also_after_a_restart(world: World) -> None:
    people = world.people(4)
    one, _other = await begun(world, people, deals=2)
    await finishes(world, one)
    await world.restart()
    second = await table_of(world, people[0])
    assert second.event is not None
    assert (second.event[1], second.place) == (1, one.place)
    assert [each.user_id for each in second.sitters] == [each.user_id for each in one.sitters]


async def test_a_duplicate_says_which_permission_it_needs(world: World) -> None:
    (ann,) = world.people(1)
    denied = discord.PermissionOverwrite(create_private_threads=False)
    ann.home = world.server.create_text_channel("calm", overwrites={world.server.default_role: denied})
    answer = await ann.types("duplicate", game="pond-2")
    assert answer.text == (
        "Each table needs a private thread: I need Create Private Threads in this channel. "
        "Ask a moderator to allow that."
    )


def threads_of(world: World) -> list[Any]:
    """Return the threads in the channel."""
    backend = world.env.backend
    return [each for each in backend.channels.values() if each.parent_id == world.channel.id]


async def offered(people: list[Player]) -> Seen:
    """Let four people join a duplicate of Pond for two, and return its message."""
    ann, ben, cleo, dan = people
    await ann.types("duplicate", game="pond-2", deals=1)
    offer = await shows(ann, "nobody yet")
    await ben.clicks(offer, "Join A")
    for player in (cleo, dan):
        await player.clicks(offer, "Join B")
    return await shows(ann, "**B** · Cleo, Dan")


async def test_threads_are_archived_if_a_player_has_left(world: World) -> None:
    people = world.people(4)
    offer = await offered(people)
    world.breaks("PUT", "/channels/*/thread-members/*", 404, 10007)
    answer = await people[0].clicks(offer, "Start")
    assert "I can't add Ann to a private thread." in answer.text
    assert [thread.thread_metadata.archived for thread in threads_of(world)] == [True]
    assert "Start" in duplicate_in(people[0]).labels
    assert "It begins." in (await people[0].clicks(duplicate_in(people[0]), "Start")).text


async def test_the_same_person_has_one_seat_at_a_duplicate(world: World) -> None:
    people = world.people(4)
    offer = await offered(people)
    assert "You're on side B" not in (await people[1].clicks(offer, "Join B")).text
    await people[2].clicks(offer, "Join A")
    seen = duplicate_in(people[0])
    assert "**A** · Ann, Ben" in seen.text
    assert "**B** · Cleo, Dan" in seen.text


async def test_a_duplicate_is_joined_in_its_channel_alone(world: World) -> None:
    ann, ben = world.people(2)
    await ann.types("duplicate", game="pond-2")
    offer = await shows(ann, "nobody yet")
    (match_id,) = await world.tables.matches.of_user(ann.id)
    for place in (ben.dm, world.server.create_text_channel("elsewhere")):
        for verb in ("match-join", "match-fair", "match-withdraw"):
            answer = answer_to(await Forger(world, ben, place).presses(f"lily:{verb}:0:0:{match_id}.1"))
            assert "Duplicate" not in answer
            assert "host" not in answer
    assert "nobody yet" in ann.now(offer).text
    assert "cards" in answer_to(await Forger(world, ann, ann.dm).presses(f"lily:match:0:0:{match_id}"))


async def test_a_duplicate_begins_only_where_its_host_may_open_a_table(world: World) -> None:
    people = world.people(4)
    offer = await offered(people)
    await moderator(world).types("server openers", role=world.server.create_role("Openers"))
    assert "only members with" in (await people[0].clicks(offer, "Start")).text
    assert threads_of(world) == []
