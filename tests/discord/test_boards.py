"""Boards: one live message per table, and at most one ping per turn."""

import pytest

from bot.games.cards import face
from bot.games.pond.state import Observation
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import fast_forward, legal, play_on, started, started_in


async def baiting(world: World) -> tuple[Player, Player]:
    """Start a table of two and play to the first bait. Return the player to move, and the other."""
    ann, ben = world.people(2)
    await started(ann, [ben])
    await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
    (turn,) = await world.tables.whose_turn(await world.tables.table(1))
    return (ann, ben) if turn == ann.id else (ben, ann)


async def moves(world: World, player: Player) -> None:
    """Make the player's first legal move."""
    await player.types("pond move", move=(await legal(world, player))[0])


def public(player: Player) -> list[Seen]:
    """Return the public messages of the bot in the channel."""
    return [seen for seen in player.messages() if not seen.is_private and seen.components]


async def test_the_board_is_edited_in_place_while_nobody_chats(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], rounds=2)
    first = ann.board
    await fast_forward(world, lambda seen: seen.round == 1)
    second = ann.board
    await fast_forward(world, lambda seen: seen.outcome is not None)
    assert [seen.id for seen in public(ann)] == [first.id, second.id]
    assert "**Round 1 scored**" in ann.now(first).text
    assert not [seen for seen in public(ann) if seen.pinged]


async def test_a_buried_board_is_posted_again_when_the_turn_passes(world: World) -> None:
    mover, other = await baiting(world)
    old = mover.board
    await other.says("what a day")
    await moves(world, mover)
    (board,) = public(mover)
    assert board.id != old.id
    assert board.labels == ["My hand", "Undo", "Rules", "More"]


async def test_a_buried_board_stays_while_players_choose_at_the_same_time(world: World) -> None:
    people = world.people(4)
    await started(people[0], people[1:], players=4)
    board = people[0].board
    for player in people[:3]:
        await player.says("what a day")
        await moves(world, player)
        assert [seen.id for seen in public(player)] == [board.id]
    await moves(world, people[3])
    assert people[0].board.id != board.id


async def test_chat_alone_does_not_repost_the_board(world: World) -> None:
    mover, other = await baiting(world)
    old = mover.board
    await other.says("what a day")
    assert [seen.id for seen in public(mover)] == [old.id]


async def test_an_inactive_player_is_pinged_until_the_end_of_their_turn(world: World) -> None:
    mover, other = await baiting(world)
    await world.wait(100)
    await moves(world, mover)
    board, ping = public(mover)
    assert ping.pinged == (other.id,)
    assert f"<@{other.id}> your turn at [Table " in ping.text
    assert f"/{board.id})" in ping.text
    await other.clicks(board, "My hand")
    assert public(mover) == [board, ping]
    await moves(world, other)
    assert [seen.id for seen in public(mover)] == [board.id]


async def test_a_reposted_board_contains_the_ping(world: World) -> None:
    mover, other = await baiting(world)
    await world.wait(100)
    await mover.says("my turn at last")
    await moves(world, mover)
    (board,) = public(mover)
    assert board.pinged == (other.id,)


async def test_players_who_moved_within_the_last_minute_are_not_pinged(world: World) -> None:
    mover, other = await baiting(world)
    await moves(world, mover)
    await world.wait(100)
    await moves(world, other)
    assert [seen.pinged for seen in public(mover)] == [(), (mover.id,)]
    await world.wait(20)
    while await legal(world, mover):
        await moves(world, mover)
    assert [seen.pinged for seen in public(mover)] == [()]


async def test_a_start_pings_everybody_to_move_except_the_player_who_started(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    lobby = await ben.clicks(lobby, "Join")
    await world.wait(100)
    await ann.clicks(lobby, "Start")
    assert [seen.pinged for seen in public(ann)] == [(), (ben.id,)]


async def test_a_board_older_than_fifty_minutes_is_reposted(world: World) -> None:
    mover, _ = await baiting(world)
    old = mover.board
    await world.wait(51 * 60)
    await moves(world, mover)  # the press alone already changes the board: they're back
    boards = [seen for seen in public(mover) if seen.text.startswith("### Table")]
    assert [seen.id for seen in boards] == [mover.board.id]
    assert mover.board.id != old.id


async def test_the_board_names_the_player_to_move(world: World) -> None:
    mover, other = await baiting(world)
    assert f"**{mover.member.user.global_name}**: " in mover.board.text
    await moves(world, mover)
    assert f"**{other.member.user.global_name}**: " in mover.board.text


async def test_pressing_an_unrecorded_board_shows_the_hand_privately(
    world: World,
) -> None:
    mover, _ = await baiting(world)
    before = mover.board
    for message in await world.tables.messages.of(1):
        await world.tables.messages.forget(message)
    assert (await mover.clicks(before, "My hand")).is_private
    assert mover.board.text == before.text


@pytest.mark.parametrize(("history", "shown"), [("log", 2), ("last", 1)])
async def test_earlier_tricks_of_the_round_are_described_with_hidden_traps(
    world: World, history: str, shown: int
) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], history=history)
    await play_on(world, [ann, ben], lambda seen: len(seen.taken) == 2)
    page = await ben.clicks_through(ben.board, "More", "Board in words")
    described = (await ben.clicks(page, "Next")).text if "Next" in page.labels else page.text
    earlier = described.partition("**Earlier this round**\n")[2].splitlines()
    assert [line.partition(".")[0] for line in earlier] == ["1", "2"][-shown:]
    public_sight = (await world.tables.look(1, None)).observation
    assert isinstance(public_sight, Observation)
    for line, taken in zip(earlier, public_sight.taken[-shown:], strict=True):
        assert all(face(laid.card) in line for laid in (*taken.baits, *taken.trick))
        assert line.count("▮") == len(taken.traps)


async def test_all_tricks_of_a_deal_of_pot_black_are_described(world: World) -> None:
    (ann,) = world.people(1)
    await started_in("potblack", ann, [], computers=3, deals=5)
    for _ in range(3):
        while not await legal(world, ann):
            await world.wait(5)
        await ann.types("potblack move", move=(await legal(world, ann))[0])
    while not await legal(world, ann):
        await world.wait(5)
    page = await ann.clicks_through(ann.board, "More", "Board in words")
    assert "**Ann**: " in page.text
    described = (await ann.clicks(page, "Next")).text
    tricks = described.partition("**Tricks of this deal**\n")[2].splitlines()
    assert [trick.partition(".")[0] for trick in tricks] == ["1", "2", "3"]
    assert all("takes it" in trick for trick in tricks)
