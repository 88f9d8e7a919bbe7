"""Private hands are kept up to date: none says that others are to move when it is the reader's turn."""

import asyncio
import json
import random
import time
from types import SimpleNamespace
from typing import Any

import pytest

from bot.records.live_message import Snapshot
from bot.ui.interactions.reply import Opens, Reply
from bot.ui.live import open_messages
from bot.ui.posts.post import Post
from bot.ui.posts.sender import Sender, Sent
from tests.discord.audit import CALLBACK
from tests.discord.guests import GROUPS, VERBS, as_typed
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import legal, started_in
from tests.waiting import until

OTHERS_TURN = ("As of", "Waiting for")
TABLES = [
    pytest.param("pond", {"players": 4, "computers": 3, "rounds": 2}, id="pond"),
    pytest.param("frogs", {"computers": 1}, id="frogs"),
    pytest.param("pontis", {"players": 4, "computers": 3}, id="pontis"),
    pytest.param("pot_black", {"computers": 3}, id="pot_black"),
]


def private(player: Player) -> list[Seen]:
    """Return the messages shown only to the player."""
    return [seen for seen in player.messages() if seen.is_private]


def outdated(player: Player) -> list[str]:
    """Return the texts of private messages that say it is somebody else's turn."""
    return [seen.text for seen in private(player) if any(words in seen.text for words in OTHERS_TURN)]


def first_answers(world: World) -> list[str]:
    """Return the bodies of all initial responses."""
    return [json.dumps(request.json) for request in world.env.http_requests if request.path.endswith(CALLBACK)]


def edits(world: World, page: Seen) -> int:
    """Return how often a private message was edited, except by initial responses."""
    edited = [each.path.split("/") for each in world.env.http_requests if each.method == "PATCH"]
    backend = world.env.backend
    original = {record.token: str(record.message_id) for record in backend.interactions.values()}
    ids = [original[path[3]] if path[-1] == "@original" else path[-1] for path in edited if path[1] == "webhooks"]
    return ids.count(str(page.id))


async def opened(player: Player, game: str) -> list[Seen]:
    """Open the pages with the player's moves from the board."""
    buttons = ("Board in words",) if game == "frogs" else ("My hand",)
    return [await player.clicks(player.board, label) for label in buttons]


async def plays(player: Player, game: str, move: str, route: str) -> None:
    """Make the move by the game's own command, by notation or from a page that a button opens."""
    group = GROUPS[game]
    word, *rest = as_typed(move)
    verb, options = VERBS[game, word]
    if route == "verb":
        await player.types(f"{group} {verb}", None, **dict(zip(options, rest, strict=True)))
    elif route == "move" or game == "frogs":
        await player.types(f"{group} move", move=move)
    else:
        page = await player.clicks(player.board, route)
        await player.picks(page, move)


@pytest.mark.parametrize(("game", "options"), TABLES)
async def test_no_page_says_that_others_are_to_move_on_the_players_turn(
    world: World, game: str, options: dict[str, Any]
) -> None:
    (ann,) = world.people(1)
    await started_in(GROUPS[game], ann, **options)
    rng = random.Random(game)
    for number in range(12):
        moves = await legal(world, ann)
        if not moves:
            break
        for page in await opened(ann, game):
            assert page.options or page.moves
        await plays(ann, game, rng.choice(moves), ("My hand", "verb", "move")[number % 3])
        assert bool(await legal(world, ann)) or (await world.tables.table(1)).status == "over"
        assert outdated(ann) == []
    assert not [answer for answer in first_answers(world) if any(words in answer for words in OTHERS_TURN)]


@pytest.mark.parametrize(("game", "options"), TABLES)
async def test_answers_do_not_wait_for_slow_computers_but_follow_their_moves(
    world: World, computers_may_move: asyncio.Event, game: str, options: dict[str, Any]
) -> None:
    (ann,) = world.people(1)
    await started_in(GROUPS[game], ann, **options)
    if moves := await legal(world, ann):
        await plays(ann, game, moves[0], "move")
    pages = await opened(ann, game)
    assert all(any(words in page.text for words in OTHERS_TURN) for page in pages)
    computers_may_move.set()
    await world.env.settle()
    assert await legal(world, ann)
    assert outdated(ann) == []
    assert all(ann.now(page).options or ann.now(page).moves for page in pages)


async def test_a_refusal_replaces_the_one_before_in_the_channel(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("frogs", ann, [ben])
    (turn,) = await world.tables.whose_turn(await world.tables.table(1))
    mover, other = (ann, ben) if turn == ann.id else (ben, ann)
    elsewhere = await other.types("frogs move", other.dm, move="place a1")
    await mover.types("frogs move", move="hop")
    for square in ("a1", "b1", "c1"):
        refusal = await other.taps(other.board, f"place {square}")
        await world.env.settle()
        assert private(other) == [refusal]
    assert len(private(mover)) == 1
    assert elsewhere in other.dms
    await world.wait(3600)  # too late to delete the last one
    await other.types("frogs move", move="hop")
    await world.env.settle()
    assert len(private(other)) == 2


async def test_a_refusal_goes_with_the_next_answer(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("pond open")
    refusal = await ann.types("pond move", move="trap")
    assert private(ann) == [refusal]
    await ann.clicks(lobby, "Add computer")
    await world.env.settle()
    assert private(ann) == []


# ---- following the moves of others


async def table(world: World) -> tuple[Player, Player, Seen]:
    """Start Pontis for two. Return the player to move, the other, and the hand that the other has opened."""
    ann, ben = world.people(2)
    await started_in("pontis", ann, [ben], players=2)
    (turn,) = await world.tables.whose_turn(await world.tables.table(1))
    mover, other = (ann, ben) if turn == ann.id else (ben, ann)
    return mover, other, await other.clicks(other.board, "My hand")


async def moves(world: World, player: Player) -> None:
    """Make the player's first legal move."""
    await player.types("pontis move", move=(await legal(world, player))[0])


async def test_an_open_hand_follows_the_moves_of_others(world: World) -> None:
    mover, other, page = await table(world)
    assert outdated(other)
    await moves(world, mover)
    assert outdated(other) == []
    assert set(other.now(page).moves) == set(await legal(world, other))


async def test_a_hand_played_from_is_edited_once(world: World) -> None:
    mover, other, page = await table(world)
    await moves(world, mover)
    before = edits(world, page)
    played = await other.picks(other.now(page), (await legal(world, other))[0])
    assert played.id == page.id
    assert edits(world, page) - before <= 1


async def test_a_newer_hand_replaces_the_older_one(world: World) -> None:
    _, other, page = await table(world)
    newer = await other.types("pontis hand")
    assert page.id not in {seen.id for seen in private(other)}
    assert other.now(newer).text.startswith("### Your hand")


async def test_a_hand_is_no_longer_updated_after_fourteen_minutes(world: World) -> None:
    mover, other, page = await table(world)
    await world.wait(14 * 60 + 1)
    before = other.now(page)
    await moves(world, mover)
    assert other.now(page) == before
    assert "Refresh" in before.labels


async def test_a_dismissed_hand_is_no_longer_updated(world: World) -> None:
    mover, other, page = await table(world)
    world.deletes(page)
    await moves(world, mover)
    sent = edits(world, page)
    await moves(world, other)
    assert edits(world, page) == sent


async def test_a_failed_edit_is_retried(world: World) -> None:
    mover, other, _ = await table(world)
    world.breaks("PATCH", "/webhooks/*", 500, times=None)
    await moves(world, mover)
    assert outdated(other)
    world.mends()
    await world.wait(20)
    assert outdated(other) == []


async def test_the_oldest_hand_is_no_longer_updated_above_the_limit(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_messages, "MAX_OPEN", 1)
    mover, other, page = await table(world)
    before = other.now(page)
    newer = await mover.clicks(mover.board, "My hand")
    await mover.picks(newer, (await legal(world, mover))[0])
    assert other.now(page) == before


async def test_the_open_hand_of_a_player_who_resigned_shows_no_cards(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await started_in("pontis", ann, [ben, cleo], players=3)
    page = await ann.clicks(ann.board, "My hand")
    await ann.clicks(await ann.types("pontis resign"), "Resign")
    assert "You've left this table." in ann.now(page).text
    assert not ann.now(page).labels
    assert not ann.now(page).options


async def test_what_was_drawn_before_a_press_is_not_shown_after_its_answer() -> None:
    table: Any = SimpleNamespace(id=1, key="k", version=2, place=SimpleNamespace(guild_id=7))
    began, may_end = asyncio.Event(), asyncio.Event()
    drawn: list[int] = []
    shown: list[str] = []

    async def nobody(_table: Any) -> tuple[()]:
        return ()

    async def snapshot(_table_id: int) -> Snapshot:
        return Snapshot(table)

    async def draw(_snapshot: Snapshot) -> Post:
        drawn.append(len(drawn))
        began.set()
        await may_end.wait()
        return Post((f"Drawing {drawn[-1]}",))

    async def edit(**edit: Any) -> int:
        shown.append(json.dumps(edit["view"].to_components()))
        return 8

    tables: Any = SimpleNamespace(snapshot=snapshot, sitters_to_act=nobody, is_latest=lambda _table: False)
    pressed: Any = SimpleNamespace(id=9, channel_id=5, guild_id=7, user=SimpleNamespace(id=3), extras={})
    pressed.message, pressed.edit_original_response = SimpleNamespace(id=8), edit
    kept_up = open_messages.OpenMessages(tables, time.monotonic, Sender(time.monotonic))
    older: Any = SimpleNamespace(**vars(table) | {"version": 1})
    kept_up.answered(pressed, Reply(shows=Opens(older, "hand", draw)), Sent(8))
    await began.wait()
    kept_up.hold(3, 8)()  # the answer to a press comes and goes
    may_end.set()
    await until(lambda: shown)
    assert len(shown) == 1
    assert "Drawing 1" in shown[0]
    await kept_up.close()
