"""Restarts, closed direct messages and errors of Discord: the game goes on."""

from typing import Any

import pytest

from bot.errors import OutcomeUnknown, StoreError
from bot.store.messages import Messages
from bot.store.store import Store
from bot.ui.live.failures import PAUSES_S
from tests.discord.play import Player, Unanswered, World
from tests.discord.tables import fast_forward, is_up_to_date, legal, play_on, public, started
from tests.waiting import until

CALLBACK = "/interactions/*/callback"


async def start_with(world: World, count: int = 2, **options: object) -> list[Player]:
    """Start a table with this many players, by default for two rounds."""
    players = world.people(count)
    await started(players[0], players[1:], **{"rounds": 2, **options})
    world.expire_tokens()
    return players


async def to_move(world: World, players: list[Player]) -> Player:
    """Return one of the players to move."""
    turn = await world.tables.whose_turn(await world.tables.table(1))
    return next(player for player in players if player.id in turn)


# ---- restarts


async def test_messages_from_before_a_restart_work_after_it(world: World) -> None:
    ann, ben = await start_with(world)
    page = await ann.clicks(ann.board, "My hand")
    hand = ann.hand
    await world.restart()
    for label in ("My hand", "Rules", "More"):
        assert (await ann.clicks(ann.board, label)).is_private
    await ann.picks(page, next(iter(page.moves)))
    assert " · poison\N{NO-BREAK SPACE}" in ann.now(page).text
    assert " · poison\N{NO-BREAK SPACE}" in ann.now(hand).text
    await ben.picks(ben.hand, next(iter(ben.hand.moves)))
    await fast_forward(world, lambda seen: seen.outcome is not None)
    await until(lambda: "🏆" in ann.hand.text and "🏆" in ann.board.text)


async def test_a_restart_posts_nothing_and_pings_nobody(world: World) -> None:
    ann, ben = await start_with(world)
    await play_on(world, [ann, ben], lambda seen: bool(seen.baits))
    await world.wait(500)
    sent = len(world.env.http_requests)
    await world.restart()
    assert {request.method for request in world.env.http_requests[sent:]} <= {"GET", "PUT"}
    assert await is_up_to_date(world, ann)


@pytest.mark.usefixtures("computers_may_move")  # but they don't before the restart
async def test_computers_go_on_after_a_restart(world: World) -> None:
    (ann,) = await start_with(world, 1, computers=1)
    await play_on(world, [ann], lambda seen: seen.to_act == {1})
    await world.restart()
    assert await world.tables.whose_turn(await world.tables.table(1)) == (ann.id,)
    assert await is_up_to_date(world, ann)


async def test_outdated_boards_and_hands_are_updated_after_a_restart(world: World) -> None:
    ann, ben = await start_with(world)
    world.breaks("PATCH", "/channels/*/messages/*", 500, times=None)
    await ann.types("pond move", move=(await legal(world, ann))[0])
    assert not await is_up_to_date(world, ann)
    world.mends()
    await world.restart()
    assert await is_up_to_date(world, ann)
    assert " · poison\N{NO-BREAK SPACE}" in ann.hand.text
    assert ben.hand.moves


@pytest.mark.parametrize("baits", [0, 1, 2])
@pytest.mark.parametrize("is_orderly", [True, False])
async def test_no_hand_says_that_the_board_cannot_be_shown_once_it_can_after_a_restart(
    world: World, baits: int, *, is_orderly: bool
) -> None:
    players = await start_with(world)
    await play_on(world, players, lambda seen: len(seen.baits) >= baits)
    channel = players[0].board.channel_id
    world.breaks("PATCH", f"/channels/{channel}/messages/*", 403, 50013, times=None)
    world.breaks("POST", f"/channels/{channel}/messages", 403, 50013, times=None)
    for _ in range(2):
        player = await to_move(world, players)
        await player.types("pond move", move=(await legal(world, player))[0])
    assert all("check my permissions" in player.hand.text for player in players)

    async def mends() -> None:
        world.mends()

    if is_orderly:
        await mends()
        await world.restart()
    else:
        await world.crash(mends)
    assert not any("check my permissions" in player.hand.text for player in players)
    assert await is_up_to_date(world, players[0])


@pytest.mark.parametrize("method", ["doubt_stale", "to_reconcile", "of"])
async def test_a_database_error_at_the_start_leaves_no_board_out_of_date(
    world: World, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    ann, _ = await start_with(world)
    world.breaks("PATCH", "/channels/*/messages/*", 500, times=None)
    await ann.types("pond move", move=(await legal(world, ann))[0])
    world.mends()
    working = getattr(Messages, method)
    errors = [StoreError("The disk is full.")]

    async def fails_once(*arguments: object) -> object:
        if errors:
            raise errors.pop()
        return await working(*arguments)

    monkeypatch.setattr(Messages, method, fails_once)
    await world.restart()
    await world.wait(2)
    assert errors == []
    assert await is_up_to_date(world, ann)


async def test_a_move_that_may_be_saved_is_not_reported_as_lost_and_is_shown(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = await start_with(world)
    working, lost = Store.write, [True]

    async def loses_the_answer(*arguments: Any, **options: Any) -> Any:
        written = await working(*arguments, **options)
        if lost:
            lost.pop()
            raise OutcomeUnknown("The connection was lost while saving.")
        return written

    monkeypatch.setattr(Store, "write", loses_the_answer)
    answer = await ann.types("pond move", move=(await legal(world, ann))[0])
    assert answer.text == "This may be done already. Look at the table."
    await world.wait(2)
    assert (await world.tables.table(1)).version > 1
    assert await is_up_to_date(world, ann)


# ---- direct messages


def close_dms(world: World, player: Player) -> None:
    """Make Discord refuse direct messages to the player."""
    world.breaks("POST", f"/channels/{player.dm.id}/messages", 403, 50007, times=None)


async def test_players_with_closed_direct_messages_play_by_button_and_command(world: World) -> None:
    ann, ben = world.people(2)
    close_dms(world, ben)
    lobby = await ann.types("pond open", rounds=2)
    await ben.clicks(lobby, "Join")
    assert "**Ben** (hand by button)" in ann.board.text
    assert "**Ann** (host)" in ann.board.text
    await ann.clicks(ann.board, "Start")
    hand = await ben.clicks(ben.board, "My hand")
    await ben.picks(hand, next(iter(hand.moves)))
    await fast_forward(world, lambda seen: seen.outcome is not None)
    await until(lambda: "🏆" in ann.board.text)
    assert not [seen for seen in ben.dms if not seen.is_private]
    attempts = [request for request in world.env.http_requests if request.path == f"/channels/{ben.dm.id}/messages"]
    assert len(attempts) == 1


async def test_hosts_with_closed_direct_messages_are_marked(world: World) -> None:
    (ann,) = world.people(1)
    close_dms(world, ann)
    await ann.types("pond open")
    assert "**Ann** (host, hand by button)" in ann.board.text


async def test_all_boards_of_a_player_say_that_their_direct_messages_are_closed(world: World) -> None:
    ann, ben = world.people(2)
    for number in range(3):
        if number == 2:
            close_dms(world, ben)
        await ben.clicks(await ann.types("pond open"), "Join")
    boards = [seen.text for seen in ann.messages() if seen.text.startswith("### Table")]
    assert ["**Ben** (hand by button)" in text for text in boards] == [True] * 3


async def test_direct_messages_are_retried_at_the_next_table(world: World) -> None:
    (ann,) = world.people(1)
    close_dms(world, ann)
    await ann.types("pond open")
    world.mends()
    await ann.types("pond open")
    boards = [seen for seen in ann.messages() if seen.text.startswith("### Table")]
    assert len(boards) == 2
    assert [board for board in boards if "hand by button" in board.text] == []
    assert len(ann.dms) == 2  # one of each table


async def test_a_failing_direct_message_does_not_delay_another_hand(world: World) -> None:
    ann, ben = await start_with(world)
    world.breaks("PATCH", f"/channels/{ann.dm.id}/messages/*", 500)
    for player in (ann, ben):
        await player.types("pond move", move=(await legal(world, player))[0])
    assert "Add a bait" in ben.hand.text


# ---- errors of Discord


async def test_a_lost_answer_loses_no_move(world: World) -> None:
    ann, _ = await start_with(world)
    hand = await ann.clicks(ann.board, "My hand")
    world.breaks("POST", CALLBACK, 500, times=99)
    with pytest.raises(Unanswered):
        await ann.picks(hand, next(iter(hand.moves)))
    world.mends()
    assert await legal(world, ann) == []
    assert await is_up_to_date(world, ann)
    assert ann.now(hand).moves == {}
    (again,) = await world.at_once((ann, hand.moves[next(iter(hand.moves))]))
    assert again is not None
    assert "moved on" in again.text
    await fast_forward(world, lambda seen: seen.outcome is not None)
    await until(lambda: "🏆" in ann.board.text)


async def test_a_lobby_is_posted_even_if_the_initial_response_is_lost(world: World) -> None:
    ann, ben = world.people(2)
    world.breaks("POST", CALLBACK, 500, times=99)
    with pytest.raises(Unanswered):
        await ann.types("pond open")
    world.mends()
    await ben.clicks(ben.board, "Join")
    assert "**Ben**" in ann.board.text


async def test_a_failed_edit_of_a_board_is_retried_soon(world: World) -> None:
    ann, _ben = await start_with(world)
    world.breaks("PATCH", f"/channels/{world.channel.id}/messages/*", 500, times=2)
    await ann.types("pond move", move=(await legal(world, ann))[0])
    await world.wait(100)
    assert await is_up_to_date(world, ann)
    await fast_forward(world, lambda seen: seen.outcome is not None)


async def test_after_reposting_a_deleted_board_the_next_turn_pings_once(world: World) -> None:
    ann, ben = await start_with(world)
    await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
    mover = await to_move(world, [ann, ben])
    other = ben if mover is ann else ann
    await world.wait(100)
    world.deletes(ann.board)
    await world.wait(1)
    (reposted,) = [seen for seen in other.messages() if seen.text.startswith("### Table")]
    assert reposted.pinged == ()
    await mover.types("pond move", move=(await legal(world, mover))[0])
    assert [seen.pinged for seen in other.messages() if not seen.is_private and seen.pinged] == [(other.id,)]
    assert other.board.id == reposted.id
    assert await is_up_to_date(world, ann)


async def test_a_deleted_hand_is_sent_again(world: World) -> None:
    ann, _ = await start_with(world)
    world.deletes(ann.hand)
    await ann.types("pond move", move=(await legal(world, ann))[0])
    assert " · poison\N{NO-BREAK SPACE}" in ann.hand.text


async def test_the_game_goes_on_without_its_channel(world: World) -> None:
    (ann,) = await start_with(world, 1, computers=1)
    world.breaks("*", f"/channels/{world.channel.id}/*", 404, 10003, times=None)
    for _ in range(5):
        await ann.picks(ann.hand, next(iter(ann.hand.moves)))
    assert (await public(world)).phase != "profit"


@pytest.mark.parametrize(("status", "code"), [(429, 0), (503, 0), (403, 50013)])
async def test_the_game_goes_on_when_discord_refuses_the_board(world: World, status: int, code: int) -> None:
    ann, ben = await start_with(world)
    world.breaks("*", f"/channels/{world.channel.id}/messages*", status, code, times=None)
    await play_on(world, [ann, ben], lambda seen: bool(seen.trick))
    world.mends()
    await play_on(world, [ann, ben], lambda seen: bool(seen.taken))
    await world.wait(PAUSES_S[0])  # a refusal that lasts isn't tried again with each move
    assert await is_up_to_date(world, ann)


async def test_slow_answers_are_deferred_and_shown_in_place(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.ui.interactions.respond.DEFER_AFTER_S", 0.0)
    ann, ben = await start_with(world)
    board = ann.board
    assert board.text.startswith("### Table")
    hand = await ann.clicks(board, "My hand")
    assert hand.is_private
    after = await ann.picks(hand, next(iter(hand.moves)))
    assert after.id == hand.id
    assert (await ann.types("pond hand")).is_private
    await play_on(world, [ann, ben], lambda seen: bool(seen.trick))
    assert await is_up_to_date(world, ann)


async def test_a_board_that_the_bot_may_not_read_is_looked_at_once(world: World) -> None:
    """Discord asks for the permission Read Message History there, but not for edits."""
    players = await start_with(world)
    path = f"/channels/{world.channel.id}/messages/{players[0].board.id}"
    world.breaks("GET", path, 403, 50013, times=None)
    sent = len(world.env.http_requests)
    await world.restart()
    for _ in range(2):
        player = await to_move(world, players)
        await player.types("pond move", move=(await legal(world, player))[0])
    assert [each.method for each in world.env.http_requests[sent:] if each.path == path].count("GET") == 1
    assert await is_up_to_date(world, players[0])


async def test_boards_on_a_server_that_has_removed_the_bot_are_tried_once(world: World) -> None:
    await start_with(world)
    place = (await world.tables.table(1)).place
    world.env.backend.remove_guild(place.guild_id or 0)
    await world.env.settle()
    await world.wait(PAUSES_S[0] - 1)
    sent = len(world.env.http_requests)
    await world.wait(3 * PAUSES_S[-1])
    assert [each for each in world.env.http_requests[sent:] if f"/{place.channel_id}/" in each.path] == []
