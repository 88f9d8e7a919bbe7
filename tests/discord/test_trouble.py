"""What goes wrong on Discord's side, and what is left of it: the game goes on."""

import pytest

from tests.discord.play import Player, Unanswered, World, legal, play_on, public, started

CALLBACK = "/interactions/*/callback"


async def seat(world: World, count: int = 2, **options: object) -> list[Player]:
    """So many people at a table that has started."""
    players = world.people(count)
    await started(players[0], players[1:], **options)
    return players


async def to_move(world: World, players: list[Player]) -> Player:
    """One of those whose turn it is."""
    turn = await world.tables.whose_turn(await world.tables.table(1))
    return next(player for player in players if player.id in turn)


async def shows_now(world: World, player: Player) -> bool:
    """Whether the board in the channel is the present one."""
    sight = await world.tables.look(1)
    post = await world.bot.live.drawings.board(sight.table)
    return player.board.text.startswith("\n".join(post.paragraphs))


# ---- restarts


async def test_every_message_from_before_a_restart_works_after_it(world: World) -> None:
    ann, ben = await seat(world)
    page = await ann.clicks(ann.board, "My hand")
    turn = await ann.clicks(ann.board, "Play")
    hand = ann.hand
    await world.restart()
    for label in ("My hand", "Play", "Rules", "More"):
        assert (await ann.clicks(ann.board, label)).is_private
    await ann.picks(page, next(iter(page.moves)))
    assert "Your profit" in ann.now(page).text
    assert "Your profit" in ann.now(hand).text
    assert "moved on" in (await ann.picks(turn, next(iter(turn.moves)))).text
    await ben.picks(ben.hand, next(iter(ben.hand.moves)))
    await play_on(world, [ann, ben], lambda seen: seen.outcome is not None)


async def test_a_restart_posts_nothing_and_pings_nobody_anew(world: World) -> None:
    ann, ben = await seat(world)
    await play_on(world, [ann, ben], lambda seen: bool(seen.baits))
    await world.wait(500)
    told = len(world.env.http_requests)
    await world.restart()
    assert {request.method for request in world.env.http_requests[told:]} <= {"GET", "PUT"}
    assert await shows_now(world, ann)


@pytest.mark.usefixtures("computers_may_move")  # but they don't before the restart
async def test_computers_go_on_after_a_restart(world: World) -> None:
    (ann,) = await seat(world, 1, computers=1)
    await play_on(world, [ann], lambda seen: seen.to_act == {1})
    await world.restart()
    assert await world.tables.whose_turn(await world.tables.table(1)) == (ann.id,)
    assert await shows_now(world, ann)


async def test_a_board_and_a_hand_that_the_last_run_left_behind_are_brought_up_to_date(world: World) -> None:
    ann, ben = await seat(world)
    world.breaks("PATCH", "/channels/*/messages/*", 500, times=None)
    await ann.types("pond move", move=(await legal(world, ann))[0])
    assert not await shows_now(world, ann)
    world.mends()
    await world.restart()
    assert await shows_now(world, ann)
    assert "Your profit" in ann.hand.text
    assert "still to choose: Ben" in ben.hand.text


# ---- direct messages


async def closed(world: World, player: Player) -> None:
    """The player takes no direct messages."""
    world.breaks("POST", f"/channels/{player.dm.id}/messages", 403, 50007, times=None)


async def test_a_seat_without_direct_messages_is_marked_and_plays_by_button_and_command(world: World) -> None:
    ann, ben = world.people(2)
    await closed(world, ben)
    lobby = await ann.types("pond open", rounds=2)
    await ben.clicks(lobby, "Join")
    assert "**Ben** (hand by button)" in ann.board.text
    assert "**Ann** (host)" in ann.board.text
    await ann.clicks(ann.board, "Start")
    hand = await ben.clicks(ben.board, "My hand")
    await ben.picks(hand, next(iter(hand.moves)))
    await play_on(world, [ann, ben], lambda seen: seen.outcome is not None)
    assert not [seen for seen in ben.dms if not seen.is_private]
    tried = [request for request in world.env.http_requests if request.path == f"/channels/{ben.dm.id}/messages"]
    assert len(tried) == 1


async def test_a_host_without_direct_messages_is_marked_too(world: World) -> None:
    (ann,) = world.people(1)
    await closed(world, ann)
    await ann.types("pond open")
    assert "**Ann** (host, hand by button)" in ann.board.text


async def test_direct_messages_are_tried_again_at_the_next_table(world: World) -> None:
    (ann,) = world.people(1)
    await closed(world, ann)
    await ann.types("pond open")
    world.mends()
    await ann.types("pond open")
    assert "hand by button" not in ann.board.text
    assert len(ann.dms) == 1


async def test_one_player_without_direct_messages_keeps_nobody_elses_hand_back(world: World) -> None:
    ann, ben = await seat(world)
    world.breaks("PATCH", f"/channels/{ann.dm.id}/messages/*", 500)
    await ann.types("pond move", move=(await legal(world, ann))[0])
    assert "still to choose: Ben" in ben.hand.text


# ---- errors of Discord's


async def test_an_answer_that_is_lost_loses_no_move(world: World) -> None:
    ann, ben = await seat(world)
    hand = await ann.clicks(ann.board, "My hand")
    world.breaks("POST", CALLBACK, 500, times=99)
    with pytest.raises(Unanswered):
        await ann.picks(hand, next(iter(hand.moves)))
    world.mends()
    assert await legal(world, ann) == []
    assert await shows_now(world, ann)
    assert ann.now(hand).moves == {}
    (again,) = await world.at_once((ann, hand.moves[next(iter(hand.moves))]))
    assert again is not None
    assert "moved on" in again.text
    await play_on(world, [ann, ben], lambda seen: seen.outcome is not None)


async def test_a_lobby_whose_first_answer_is_lost_is_posted_all_the_same(world: World) -> None:
    ann, ben = world.people(2)
    world.breaks("POST", CALLBACK, 500, times=99)
    with pytest.raises(Unanswered):
        await ann.types("pond open")
    world.mends()
    await ben.clicks(ben.board, "Join")
    assert "**Ben**" in ann.board.text


async def test_a_board_that_could_not_be_edited_is_drawn_again_soon(world: World) -> None:
    ann, ben = await seat(world)
    world.breaks("PATCH", f"/channels/{world.channel.id}/messages/*", 500, times=2)
    await ann.types("pond move", move=(await legal(world, ann))[0])
    await world.wait(100)
    assert await shows_now(world, ann)
    await play_on(world, [ann, ben], lambda seen: seen.outcome is not None)


async def test_a_board_that_was_deleted_is_posted_anew_and_the_next_turn_has_its_one_ping(world: World) -> None:
    ann, ben = await seat(world)
    await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
    mover = await to_move(world, [ann, ben])
    other = ben if mover is ann else ann
    await world.wait(100)
    world.deletes(ann.board)
    await world.wait(1)
    (anew,) = [seen for seen in other.messages() if not seen.is_private]
    assert anew.pinged == ()
    await mover.types("pond move", move=(await legal(world, mover))[0])
    assert [seen.pinged for seen in other.messages() if not seen.is_private and seen.pinged] == [(other.id,)]
    assert other.board.id == anew.id
    assert await shows_now(world, ann)


async def test_a_hand_that_was_deleted_is_sent_anew(world: World) -> None:
    ann, _ = await seat(world)
    world.deletes(ann.hand)
    await ann.types("pond move", move=(await legal(world, ann))[0])
    assert "Your profit" in ann.hand.text


async def test_a_channel_that_is_gone_stops_no_game(world: World) -> None:
    (ann,) = await seat(world, 1, computers=1)
    world.breaks("*", f"/channels/{world.channel.id}/*", 404, 10003, times=None)
    for _ in range(5):
        await ann.picks(ann.hand, next(iter(ann.hand.moves)))
    assert (await public(world)).phase != "profit"


@pytest.mark.parametrize(("status", "code"), [(429, 0), (503, 0), (403, 50013)])
async def test_whatever_discord_answers_to_a_board_the_game_goes_on(world: World, status: int, code: int) -> None:
    ann, ben = await seat(world, rounds=2)
    world.breaks("*", f"/channels/{world.channel.id}/messages*", status, code, times=None)
    await play_on(world, [ann, ben], lambda seen: bool(seen.trick))
    world.mends()
    await play_on(world, [ann, ben], lambda seen: seen.outcome is not None)
    assert await shows_now(world, ann)


async def test_work_that_takes_long_is_deferred_and_answered_in_its_place(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.interactions.respond.DEFER_AFTER_S", 0.0)
    ann, ben = await seat(world, rounds=2)
    board = ann.board
    assert board.text.startswith("### Table")
    hand = await ann.clicks(board, "My hand")
    assert hand.is_private
    after = await ann.picks(hand, next(iter(hand.moves)))
    assert after.id == hand.id
    assert (await ann.types("pond hand")).is_private
    await play_on(world, [ann, ben], lambda seen: bool(seen.trick))
    assert await shows_now(world, ann)
