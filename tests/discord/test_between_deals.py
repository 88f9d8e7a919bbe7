"""The end of a deal at a table of one person: the last trick is seen until they go on."""

import random
from typing import Any

import pytest

from bot import computer
from bot.records.table import Table
from tests.discord.play import Player, World
from tests.discord.tables import started_in

FORMS = [("potblack", {"players": 4, "deals": 2}), ("pond", {"players": 4}), ("pontis", {"players": 3, "games": 2})]


async def alone(world: World, group: str, options: dict[str, Any], *, in_dms: bool = False) -> Player:
    """Start a game of one person against computers and play it to the end of the first deal."""
    ann = world.person("Ann")
    ann.home = ann.dm if in_dms else ann.home
    await started_in(group, ann, computers=options["players"] - 1, **options)
    await to_the_end_of_a_deal(world, ann)
    return ann


async def to_the_end_of_a_deal(world: World, player: Player) -> Table:
    """Play until a deal, or the game, has ended."""
    rng = random.Random(1)
    while (table := await world.tables.table(1)).status == "playing" and not await world.tables.is_between_deals(table):
        if player.id in await world.tables.whose_turn(table):
            sight = await world.tables.look(1, player.id)
            await world.tables.play(1, player.id, str(computer.choose(table.game, sight.observation, rng, "easy")))
        await world.env.settle()
    await shown(world)
    return table


async def shown(world: World) -> None:
    """Wait until everything is shown."""
    await world.bot.live.refresh(1)
    await world.env.settle()


@pytest.mark.parametrize("where", ["channel", "direct messages"])
@pytest.mark.parametrize(("group", "options"), FORMS, ids=[group for group, _ in FORMS])
async def test_the_end_of_a_deal_is_shown_until_the_only_player_goes_on(
    world: World, group: str, options: dict[str, Any], where: str
) -> None:
    ann = await alone(world, group, options, in_dms=where != "channel")
    hand, board, before = ann.hand, ann.board, await world.tables.table(1)
    assert hand.labels == ["Next", "Why?"]
    assert board.labels == ["Next", "Why?", "More"]
    for page in (hand, board):
        assert "**Deal 1**" in page.text or "**Round 1**" in page.text or "**Game 1**" in page.text
        assert group == "pontis" or "Last trick of" in page.text
    in_words = await ann.clicks(await ann.clicks(board, "More"), "Board in words")
    assert in_words.text == board.text
    await world.wait(4000)
    assert (await world.tables.table(1)).plies == before.plies, "computers wait"
    await ann.clicks(hand, "Next")
    await shown(world)
    after = await world.tables.table(1)
    assert ann.id in await world.tables.whose_turn(after)
    assert ann.hand.id != hand.id
    assert "Next" not in ann.hand.labels + ann.board.labels
    assert ann.hand.moves
    assert "Your next hand is below." in ann.now(hand).text


async def test_the_board_goes_on_too_and_only_for_the_player(world: World) -> None:
    ann, zoe = await alone(world, "potblack", {"players": 4, "deals": 2}), world.person("Zoe")
    before = await world.tables.table(1)
    said = await zoe.clicks(ann.board, "Next")
    assert said.text.startswith("You're not playing at Table")
    assert await world.tables.table(1) == before
    page = await ann.clicks(ann.board, "Next")
    assert page.text.startswith("### Your hand")
    assert page.moves
    assert (await world.tables.table(1)).gone_on == before.plies


async def test_a_board_in_direct_messages_shows_the_next_deal_itself(world: World) -> None:
    ann = await alone(world, "potblack", {"players": 4, "deals": 2}, in_dms=True)
    count = len(ann.dms)
    await ann.clicks(ann.board, "Next")
    await shown(world)
    assert not await world.tables.is_between_deals(await world.tables.table(1))
    assert [seen.labels for seen in ann.dms[count:] if seen.is_private] == []
    assert "Next" not in ann.hand.labels + ann.board.labels


@pytest.mark.parametrize("how", ["restart", "crash"])
async def test_the_wait_survives_the_end_of_the_bot_and_any_move_ends_it(world: World, how: str) -> None:
    ann = await alone(world, "pond", {"players": 2})
    hand, before = ann.hand, await world.tables.table(1)
    await (world.restart() if how == "restart" else world.crash())
    await shown(world)
    assert (await world.tables.table(1)).plies == before.plies
    assert ann.hand == hand
    assert ann.id in await world.tables.whose_turn(before)
    move = str((await world.tables.look(1, ann.id)).observation.legal[0])
    await ann.types("pond move", move=move)
    await shown(world)
    assert ann.hand.labels != hand.labels
    await to_the_end_of_a_deal(world, ann)
    assert ann.hand.labels == ["Next", "Why?"]
    assert "**Round 2**" in ann.hand.text


@pytest.mark.parametrize("opened", ["hand", "hint"])
async def test_opening_the_hand_or_asking_for_a_hint_goes_on(world: World, opened: str) -> None:
    ann = await alone(world, "pond", {"players": 2})
    page = await ann.types(f"pond {opened}" if opened == "hand" else "hint")
    await shown(world)
    assert page.text.startswith("### Your hand" if opened == "hand" else "### Hint")
    assert not await world.tables.is_between_deals(await world.tables.table(1))
    assert "Next" not in ann.board.labels


async def test_the_last_deal_waits_for_nobody(world: World) -> None:
    ann = await alone(world, "potblack", {"players": 4, "deals": 2})
    await ann.clicks(ann.hand, "Next")
    table = await to_the_end_of_a_deal(world, ann)
    assert table.status == "over"
    assert "Next" not in ann.hand.labels + ann.board.labels


async def test_several_people_never_wait(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("pond", ann, [ben], players=2)
    rng = random.Random(1)
    while not (table := await world.tables.table(1)).ended and table.plies < 40:
        for user in await world.tables.whose_turn(table):
            seen = (await world.tables.look(1, user)).observation
            await world.tables.play(1, user, str(computer.choose("pond", seen, rng, "easy")))
        assert not await world.tables.is_between_deals(await world.tables.table(1))
