"""Forced moves on Discord: the last cards of a deal, the offer, and the setting."""

import json
import random
import re
from pathlib import Path

from bot.games.pot_black.state import Observation
from bot.records.table import Table
from bot.tables.forced_moves import FEWEST_FREE
from tests.discord.play import Player, World
from tests.discord.running import running_world
from tests.discord.tables import pings, started_in
from tests.going_on import go_on
from tests.waiting import until

_NUMBERS = re.compile(r"[0-9a-f]{6,}")
"""Ids, marks of messages and digests, which differ between two bots."""


async def public(world: World) -> Observation:
    """Return the public observation of the table."""
    observation = (await world.tables.look(1)).observation
    assert isinstance(observation, Observation)
    return observation


async def plays(world: World, by: Player | None = None) -> Table:
    """Make one move of whichever user is to move, at random, or by the player's command."""
    table = await world.tables.table(1)
    user = (await world.tables.whose_turn(table))[0]
    rng = random.Random(table.plies)
    move = str(rng.choice((await world.tables.look(1, user)).observation.legal))
    if by is not None and by.id == user:
        await by.types("potblack move", move=move, table="1")
    else:
        await world.tables.play(1, user, move)
    return await world.tables.table(1)


async def is_turn(world: World, *players: Player) -> bool:
    """Whether one of the players is to move, or the game is over; else computers are to move. Between deals, go on."""
    table = await go_on(world.tables, 1)
    turns = await world.tables.whose_turn(table)
    return table.status == "over" or any(player.id in turns for player in players)


async def test_last_cards_play_themselves_and_the_next_hand_says_so(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("potblack", ann, [ben], form="individual", end="deals", deals=2, players=3, computers=1)
    while sum((await public(world)).hand_counts) > 6:
        await until(lambda: is_turn(world, ann, ben))
        await plays(world)
    await world.env.settle()
    before = len(pings(world))
    while (await public(world)).deal == 1:
        await until(lambda: is_turn(world, ann, ben))
        await plays(world, ann)
    await world.env.settle()
    last = (await public(world)).last_trick
    assert last is not None
    assert len(last.cards) == 3
    (turn,) = [player for player in (ann, ben) if await is_turn(world, player)]
    assert "card played itself" in turn.hand.text
    assert len(pings(world)) - before <= 4, "nobody is pinged for a last card"
    log = (await world.tables.transcript(1, unfinished=True)).entries
    assert [entry.seat for entry in log[-4:-1]] != [None, None, None]


async def has_a_choice(world: World, player: Player) -> bool:
    """Whether the player is to choose between moves, or the game is over."""
    sight = await world.tables.look(1, player.id)
    return sight.table.status == "over" or len(sight.observation.legal) > 1


async def alone_at_third(world: World, ann: Player) -> Table:
    """Play against computers up to Ann's third forced move."""
    await started_in("potblack", ann, form="individual", computers=3)
    forced = 0
    while True:
        await until(lambda: is_turn(world, ann))
        forced += len((await world.tables.look(1, ann.id)).observation.legal) == 1
        if forced == 3:
            await world.env.settle()
            return await world.tables.table(1)
        assert "Play them for me" not in ann.hand.labels
        await plays(world)


async def test_the_third_forced_move_comes_with_an_offer_that_plays_it(world: World) -> None:
    ann = world.person("Ann")
    table = await alone_at_third(world, ann)
    await until(lambda: "Play them for me" in ann.hand.labels)
    await ann.clicks(ann.hand, "Play them for me")
    assert (await world.tables.table(1)).plies > table.plies
    page = await ann.types("settings")
    assert "**Forced moves** auto" in page.text
    while (now := await world.tables.table(1)).plies < table.plies + 40 and now.status == "playing":
        if await is_turn(world, ann):
            await until(lambda: has_a_choice(world, ann))
            await plays(world)
        await until(lambda: is_turn(world, ann))


async def test_an_offer_that_is_left_alone_never_comes_again(world: World) -> None:
    ann = world.person("Ann")
    await alone_at_third(world, ann)
    await until(lambda: "Play them for me" in ann.hand.labels)
    for _ in range(20):
        if (await world.tables.table(1)).status == "playing":
            await plays(world)
            await until(lambda: is_turn(world, ann))
            await world.env.settle()
            assert "Play them for me" not in ann.hand.labels
    assert "**Forced moves** by hand" in (await ann.types("settings")).text


async def test_settings_turn_it_on_in_the_middle_of_a_turn_and_off(world: World) -> None:
    ann = world.person("Ann")
    table = await alone_at_third(world, ann)
    page = await ann.types("settings", forced="on")
    await until(lambda: _moved_on(world, table))
    page = await ann.clicks(page, "Forced moves: by hand")
    assert "**Forced moves** by hand" in page.text
    assert "**Forced moves** auto" in (await ann.clicks(page, "Forced moves: auto")).text


async def _moved_on(world: World, table: Table) -> bool:
    return (await world.tables.table(1)).plies > table.plies


async def shown_to_others(folder: Path, forced: str) -> list[tuple[str, str, str]]:
    """Return all requests that show something, except in Ann's direct messages, up to a forced move that waits."""
    async with running_world(folder / f"{forced}.db") as world:
        ann, ben = world.people(2)
        await ann.types("settings", forced=forced)
        await started_in("potblack", ann, [ben], form="individual", players=3, computers=1)
        world.tables.forced.expect = lambda _at: None  # it waits for longer than this test
        free = 0
        while True:
            await until(lambda: is_turn(world, ann, ben))
            await world.env.settle()
            if await is_turn(world, ann):
                choices = len((await world.tables.look(1, ann.id)).observation.legal)
                if choices == 1 and free > FEWEST_FREE:
                    break
                free += choices > 1
            await plays(world)
        waits = forced == "off" or bool(await world.store.due.of_kind("forced"))
        assert waits
        own = {str(ann.dm.id)}
        return [
            (each.method, _NUMBERS.sub("#", each.path), _NUMBERS.sub("#", json.dumps(each.json, sort_keys=True)))
            for each in world.env.http_requests
            if not own & {*each.path.split("/")} and "interactions" not in each.path and "webhooks" not in each.path
        ]


async def test_nobody_else_sees_that_a_move_is_forced_and_waits(tmp_path: Path) -> None:
    on, off = [await shown_to_others(tmp_path, forced) for forced in ("on", "off")]
    assert [method for method, *_ in on] == [method for method, *_ in off]
    assert on == off
