"""Tables in different places: several in a channel, in a thread, in direct messages."""

import discord
import pytest
from simcord import ChannelHandle
from simcord.backend.models import Overwrite
from simcord.enums import ChannelType, OverwriteType

from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import fast_forward, legal, started
from tests.waiting import until


async def play_at(world: World, players: list[Player], table_id: int) -> None:
    """Play a table to its end by command."""
    by_id = {player.id: player for player in players}
    while (table := await world.tables.table(table_id)).status == "playing":
        mover = by_id[(await world.tables.whose_turn(table))[0]]
        await mover.types("pond move", table=str(table_id), move=(await legal(world, mover, table_id))[0])


def deny_bot(world: World, place: ChannelHandle, denied: discord.Permissions) -> None:
    """Take permissions in a channel away from the bot."""
    bot_id = world.env.backend.bot_user.id
    world.env.backend.set_overwrite(place.id, Overwrite(bot_id, OverwriteType.MEMBER, deny=denied.value))


def boards(player: Player, place: ChannelHandle | None = None) -> list[Seen]:
    """Return the boards that the player sees in a channel."""
    return [seen for seen in player.messages(place) if seen.text.startswith("### Table") and not seen.is_private]


async def test_two_tables_in_one_channel_keep_their_own_boards_and_hands(world: World) -> None:
    ann, ben, cleo, dan = world.people(4)
    await started(ann, [ben], rounds=2)
    await started(cleo, [dan], rounds=2)
    await fast_forward(world, lambda seen: seen.outcome is not None, 2)
    await until(lambda: "🏆" in boards(ann)[1].text)
    one, two = boards(ann)
    assert (await world.tables.table(1)).name in one.text
    assert "**Ann** and **Ben**: set a card aside." in one.text
    assert len(ann.dms) == 2
    await fast_forward(world, lambda seen: seen.outcome is not None, 1)
    await until(lambda: "🏆" in boards(ann)[0].text)
    assert "🏆" in two.text


async def test_a_player_of_several_tables_has_a_hand_for_each(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await started(ann, [ben])
    await started(ann, [cleo])
    one, two = [(await world.tables.table(number)).name for number in (1, 2)]
    first, second = [seen for seen in ann.dms if seen.text.startswith("### Your hand")]
    assert f"Table {one}" in first.text
    assert f"Table {two}" in second.text
    await ann.picks(first, next(iter(first.moves)))
    assert await legal(world, ann, 1) == []
    assert await legal(world, ann, 2)
    assert ann.now(second) == second
    board = next(seen for seen in boards(ann) if two in seen.text)
    assert f"Table {two}" in (await ann.clicks(board, "My hand")).text


async def test_a_command_without_a_table_means_the_one_in_the_channel(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    other = world.server.create_text_channel("other")
    ann.home = ben.home = other
    await started(ann, [ben])
    name = (await world.tables.table(2)).name
    assert f"Table {name}" in (await ann.types("pond hand")).text
    assert "You're in several games" in (await ann.types("pond hand", at=ann.dm)).text


async def test_a_table_is_played_in_a_thread(world: World) -> None:
    ann, ben = world.people(2)
    ann.home = ben.home = world.thread(ann)
    await started(ann, [ben], rounds=2)
    await ann.says("hello, frogs")
    await fast_forward(world, lambda seen: seen.outcome is not None)
    assert "🏆" in ann.board.text
    assert boards(ann, world.channel) == []


async def test_a_table_is_played_against_a_computer_in_direct_messages(world: World) -> None:
    (ann,) = world.people(1)
    ann.home = ann.dm
    await started(ann, rounds=2, computers=1)
    await play_at(world, [ann], 1)
    board = boards(ann)[-1]
    assert "🏆" in board.text
    assert "discord.com/channels/@me/" in ann.hand.text
    assert not [seen for seen in ann.dms if seen.pinged]
    assert "Rematch" in board.labels


async def test_join_does_not_find_tables_in_direct_messages_of_others(world: World) -> None:
    ann, ben = world.people(2)
    await ann.types("pond open", at=ann.dm)
    assert "No table of Pond · cards is waiting" in (await ben.types("pond join")).text


async def test_players_choose_among_several_lobbies_by_name(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await ann.types("pond open")
    await ben.types("pond open")
    one, two = [(await world.tables.table(number)).name for number in (1, 2)]
    assert "Several tables here have a free seat" in (await cleo.types("pond join")).text
    assert [name.split()[0] for name in (await cleo.completes("pond join", "table")).values()] == [one, two]
    await cleo.types("pond join", table=two)
    assert "2. **Cleo**" in boards(ann)[1].text
    assert "2. *free*" in boards(ann)[0].text


async def test_the_command_for_the_board_answers_privately(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await started(ann, [ben])
    answer = await cleo.types("pond board")
    assert answer.is_private
    assert answer.text == ann.board.text
    assert "Your hand" not in answer.text
    assert "You're not playing" in (await cleo.types("pond won", table="1")).text


async def test_the_third_lobby_of_a_channel_proposes_a_thread(world: World) -> None:
    (ann,) = world.people(1)
    lobbies = [await ann.types("pond open") for _ in range(3)]
    assert ["A thread keeps their boards apart" in lobby.text for lobby in lobbies] == [False, False, True]
    await ann.clicks(lobbies[0], "Leave")
    assert "A thread keeps their boards apart" not in (await ann.clicks(ann.board, "Add computer")).text


async def test_lobbies_in_direct_messages_propose_no_thread(world: World) -> None:
    (ann,) = world.people(1)
    for _ in range(3):
        lobby = await ann.types("pond open", at=ann.dm)
        assert "A thread keeps their boards apart" not in lobby.text


@pytest.mark.parametrize("connects", [True, False])
async def test_a_table_opens_in_a_voice_channel_if_the_bot_may_connect(world: World, *, connects: bool) -> None:
    """Discord gives nobody else access to the chat there."""
    (ann,), lounge = world.people(1), world.server.create_voice_channel("lounge")
    if not connects:
        deny_bot(world, lounge, discord.Permissions(connect=True))
    answer = await ann.types("pond open", at=lounge)
    assert answer.text.startswith("### Table" if connects else "I can't post here: I need Connect in this channel.")


async def test_a_private_thread_without_the_bot_asks_to_add_it(world: World) -> None:
    (ann,) = world.people(1)
    deny_bot(world, world.channel, discord.Permissions(manage_threads=True))
    thread = world.env.backend.create_thread(world.channel.id, "secret", ann.id, type=ChannelType.PRIVATE_THREAD)
    await world.env.settle()
    guild = world.bot.get_guild(world.server.id)
    assert guild is not None
    added = guild.get_thread(thread.id)
    assert added is not None
    guild._remove_thread(added)  # Discord tells nobody else of a private thread
    ann.home = world.place(thread.id)
    assert "I'm not in this private thread. Add me by mentioning me here" in (await ann.types("pond open")).text
    assert await world.tables.lists.open_tables() == ()
    guild._add_thread(added)
    assert (await ann.types("pond open")).text.startswith("### Table")
