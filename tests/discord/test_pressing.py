"""Buttons and menus that are used twice, too late, or by another user."""

import asyncio
from collections.abc import Sequence
from typing import Any

import discord
import pytest

from bot.records.preference import UserSettings
from bot.ui.posts.sender import Draft, Sender, Sent, Transport
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import fast_forward, legal, pair, play_on, public, started, started_in


async def in_turn(world: World, *players: Player) -> tuple[Player, Player]:
    """Return the player to move at Table 1, and the other."""
    turn = await world.tables.whose_turn(await world.tables.table(1))
    first, second = sorted(players, key=lambda player: player.id not in turn)
    return first, second


async def entries(world: World) -> int:
    """Return the number of entries in the log of Table 1."""
    return len((await world.tables.transcript(1, unfinished=True)).entries)


# ---- twice


async def test_a_menu_used_twice_plays_one_card(world: World) -> None:
    ann, ben = await pair(world)
    page = await ann.clicks(ann.board, "My hand")
    first, second = list(page.moves.values())[:2]
    before = await entries(world)
    answers = await world.at_once((ann, first), (ann, second), (ann, first))
    assert await entries(world) == before + 1
    assert all(answer and " · poison\N{NO-BREAK SPACE}" in answer.text for answer in answers)
    assert " · poison\N{NO-BREAK SPACE}" in ann.now(page).text
    assert await legal(world, ben)


async def test_the_hand_of_an_earlier_deal_shows_no_cards(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], rounds=2)
    old = ann.hand
    pick = next(iter(old.moves.values()))
    await fast_forward(world, lambda seen: seen.round == 1)
    (answer,) = await world.at_once((ann, pick))
    assert answer is not None
    assert answer.id == old.id
    assert "**Round 1**: Ann " in answer.text
    assert "Your next hand is below." in answer.text
    assert [seen.id for seen in ann.dms if seen.text.startswith("### Your hand")] == [ann.hand.id]
    assert ann.hand.id != old.id


async def test_one_card_played_in_two_messages_at_once_is_played_once(world: World) -> None:
    ann, ben = await pair(world)
    await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
    mover, _ = await in_turn(world, ann, ben)
    page = await mover.clicks(mover.board, "My hand")
    move = next(iter(page.moves))
    before = await entries(world)
    answers = await world.at_once((mover, mover.hand.moves[move]), (mover, page.moves[move]))
    assert await entries(world) == before + 1
    assert all(answers)


async def test_two_players_can_choose_at_the_same_moment(world: World) -> None:
    ann, ben = world.people(2)
    for player in (ann, ben):
        await player.types("settings", tips="off")  # beside a picture, a tip takes the place of what that shows
    await started(ann, [ben])
    uses = [(player, next(iter(player.hand.moves.values()))) for player in (ann, ben)]
    answers = await world.at_once(*uses)
    assert all(answer and " · poison\N{NO-BREAK SPACE}" in answer.text for answer in answers)
    assert (await public(world)).phase == "bait"


@pytest.mark.parametrize(
    ("command", "said", "sitters"),
    [
        pytest.param("frogs open", "is full", ["Ann", "Ben"], id="two seats for good"),
        pytest.param("pond open", "so it's for 4 now", ["Ann", "Ben", "Cleo"], id="a table that grows"),
    ],
)
async def test_two_users_who_take_the_last_seat_at_once_both_get_answers(
    world: World, command: str, said: str, sitters: list[str]
) -> None:
    ann, ben, cleo = world.people(3)
    lobby = await ann.types(command)
    answers = await world.at_once((ben, lobby.use("Join")), (cleo, lobby.use("Join")))
    texts = [answer.text for answer in answers if answer]
    assert len(texts) == 2
    assert any(said in text for text in texts)
    assert [sitter.name for sitter in (await world.tables.table(1)).sitters] == sitters


async def test_pressing_start_twice_deals_once(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    lobby = await ben.clicks(lobby, "Join")
    answers = await world.at_once((ann, lobby.use("Start")), (ann, lobby.use("Start")), (ben, lobby.use("Start")))
    assert all(answers)
    assert [seen for seen in ann.messages() if not seen.is_private] == [ann.board]
    assert "set a card aside." in ann.board.text


# ---- too late


async def left_behind(world: World, player: Player, label: str) -> Seen:
    """Open a hand that newer ones don't replace, as the bot can't delete it any more."""
    hand = await player.clicks(player.board, label)
    await world.wait(15 * 60)
    return hand


async def test_a_stale_menu_is_replaced_by_the_current_hand(world: World) -> None:
    ann, ben = await pair(world)
    old = await left_behind(world, ann, "My hand")
    await play_on(world, [ann, ben], lambda seen: seen.phase == "trap")
    (answer,) = await world.at_once((ann, next(iter(old.moves.values()))))
    assert answer is not None
    assert answer.id == old.id
    assert "The game has moved on" in answer.text
    assert sorted(answer.moves) == await legal(world, ann)


async def test_a_menu_of_an_earlier_deal_plays_nothing(world: World) -> None:
    ann, _ben = await pair(world)
    old = await left_behind(world, ann, "My hand")
    await fast_forward(world, lambda seen: seen.round == 1)
    before = await entries(world)
    for use in old.moves.values():
        (answer,) = await world.at_once((ann, use))
        assert answer is not None
        assert "The game has moved on" in answer.text
    assert await entries(world) == before


async def test_every_button_of_an_old_board_is_answered(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open", rounds=2)
    lobby = await ben.clicks(lobby, "Join")
    board = await ann.clicks(lobby, "Start")
    await fast_forward(world, lambda seen: seen.outcome is not None)
    for old in (lobby, board):
        for label in old.labels:
            (answer,) = await world.at_once((ann, old.use(label)))
            assert answer is not None, label


async def test_an_old_hand_shows_the_result_when_the_game_is_over(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], rounds=2)
    page = await left_behind(world, ann, "My hand")
    await fast_forward(world, lambda seen: seen.outcome is not None)
    (answer,) = await world.at_once((ann, next(iter(page.moves.values()))))
    assert answer is not None
    assert "🏆" in answer.text
    with pytest.raises(AssertionError):
        ann.hand.use("Refresh")


async def test_a_button_of_another_version_gets_a_private_answer(world: World) -> None:
    ann, _ = await pair(world)
    use = ann.board.use("My hand")
    for custom_id in ("", "lily:dance:1:5:", "lily:play:1", "pond:81", "lily:turn:9999:5:", "lily:rules:1:1:chess.0.0"):
        (answer,) = await world.at_once((ann, type(use)(use.message_id, use.channel_id, custom_id)))
        assert answer is not None, custom_id
        assert answer.is_private
        assert "went wrong" not in answer.text, custom_id


# ---- by another user


async def test_a_watcher_reads_what_they_can_do_instead_of_a_hand(world: World) -> None:
    ann, _ = await pair(world)
    watcher = world.person("Cleo")
    answer = await watcher.clicks(ann.board, "My hand")
    assert answer.is_private
    assert answer.text.startswith(f"You're not playing at Table {ann.board.text.split()[2]}.")
    assert answer.labels == ["Board in words", "Rules", "Learn (3 min)", "Open another"]
    await ann.types("pond open")
    answer = await watcher.clicks(ann.messages()[0], "My hand")
    assert "A seat is free here: [Table " in answer.text
    await watcher.types("pond join", table="2")
    joined = await watcher.clicks(ann.messages()[0], "My hand")
    assert "You've joined **Table " in joined.text
    await ann.types("pond open")
    others = await world.person("Dan").clicks(ann.messages()[0], "My hand")
    assert f"A seat is free here: [Table {(await world.tables.table(3)).name}]" in others.text
    assert "Table" in (await watcher.clicks(answer, "Board in words")).text


@pytest.mark.parametrize(
    ("label", "refusal"), [("Start", "not playing"), ("Leave", "not playing"), ("Add computer", "host")]
)
async def test_a_watcher_can_only_join_a_lobby(world: World, label: str, refusal: str) -> None:
    ann, watcher = world.people(2)
    lobby = await ann.types("pond open")
    assert "Leave" not in (await watcher.clicks(lobby, "More")).labels
    shown = await ann.clicks(lobby, "More") if label == "Leave" else lobby
    (answer,) = await world.at_once((watcher, shown.use(label)))
    assert answer is not None
    assert answer.is_private
    assert refusal in answer.text
    assert (await world.tables.table(1)).version == 1


async def test_a_watcher_cannot_resign(world: World) -> None:
    ann, _ = await pair(world)
    watcher = world.person("Cleo")
    assert "Resign" not in (await watcher.clicks(ann.board, "More")).labels
    assert "not playing" in (await watcher.types("pond resign", table="1")).text
    asked = await ann.clicks(await ann.clicks(ann.board, "More"), "Resign")
    (answer,) = await world.at_once((watcher, asked.use("Resign")))
    assert answer is not None
    assert "not playing" in answer.text
    assert (await world.tables.table(1)).outcome is None


async def test_a_press_on_the_hand_of_another_player_does_nothing_there(world: World) -> None:
    ann, ben = await pair(world)
    page = await ann.clicks(ann.board, "My hand")
    before = await entries(world)
    uses = [*page.moves.values()]
    answers = await world.at_once(*((world.person("Cleo"), use) for use in uses[:2]))
    assert all(answer and "not playing" in answer.text for answer in answers)
    assert await entries(world) == before
    assert ann.now(page) == page
    foreign = [use for move, use in page.moves.items() if move not in await legal(world, ben)]
    (answer,) = await world.at_once((ben, foreign[0]))
    assert answer is not None
    assert "isn't in your hand." in answer.text
    assert await entries(world) == before


async def test_players_who_are_not_to_move_see_whose_turn_it_is(world: World) -> None:
    ann, ben = await pair(world)
    await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
    mover, other = await in_turn(world, ann, ben)
    answer = await other.types("pond hand")
    assert f"Waiting for **{mover.member.user.global_name}**: add a bait to the pond." in answer.text
    hand = (await other.clicks(other.board, "My hand")).text
    assert f"Waiting for **{mover.member.user.global_name}**" in hand


# ---- resigning


async def test_resigning_asks_first_and_ends_a_game_of_two(world: World) -> None:
    ann, ben = await pair(world)
    asked = await ann.types("pond resign")
    assert "wins at once" in asked.text
    assert asked.is_private
    assert (await ann.clicks(asked, "Play on")).text.startswith("### Your hand")
    asked = await ann.clicks(await ann.clicks(ann.board, "More"), "Resign")
    assert "You resigned" in (await ann.clicks(asked, "Resign")).text
    assert "🏆 Ben wins" in ben.board.text
    assert "Ann resigned." in ben.board.text
    assert "🏆 Ben wins" in ben.hand.text
    assert ben.hand.labels == ["Rematch", "Review", "More"]
    assert "round 1 of 4" in ben.board.text
    assert len([seen for seen in ben.dms if "The next hand is below" in seen.text]) == 0
    (again,) = await world.at_once((ann, asked.use("Resign")))
    assert again is not None
    assert "is over" in again.text


async def test_resigning_in_a_team_leaves_the_seat_to_a_computer(world: World) -> None:
    players = world.people(4)
    await started(players[0], players[1:], players=4)
    asked = await players[1].types("pond resign")
    assert "A computer plays on for you with **Dan**" in asked.text
    assert "**Concede**: **Ann & Cleo** win at once, if **Dan** agrees." in asked.text
    await players[1].clicks(asked, "Resign")
    table = await world.tables.table(1)
    assert (table.status, table.outcome, table.sitters[1].is_given_up) == ("playing", None, True)
    assert "Ben is out of the game." in players[3].board.text


async def test_a_side_concedes_if_the_partner_agrees(world: World) -> None:
    ann, ben, cleo, dan = players = world.people(4)
    await started(ann, players[1:], players=4)
    for answer in ("Refuse", "Agree"):
        asked = await ben.clicks(await ben.types("pond resign"), "Concede")
        assert "Waiting for Dan to agree." in ben.now(asked).text or "asked" in asked.text
        assert "🏳️ **Ben**: concede, so that the others win?" in dan.hand.text
        assert not any("concede" in other.hand.text for other in (ann, cleo))
        await dan.clicks(dan.hand, answer)
        if answer == "Refuse":
            assert (await world.tables.table(1)).status == "playing"
            assert "Dan wants to play on." in ben.hand.text
            turn = await world.tables.whose_turn(await world.tables.table(1))
            mover = next(player for player in players if player.id in turn)
            await mover.types("pond move", move=(await legal(world, mover))[0])
    table = await world.tables.table(1)
    assert table.outcome is not None
    assert table.outcome.places == (1, 2, 1, 2)
    assert "🏆 Ann & Cleo win" in dan.board.text
    assert "Ben resigned." in dan.board.text


async def test_typing_resign_concedes_nothing_for_a_partner(world: World) -> None:
    players = world.people(4)
    await started(players[0], players[1:], players=4)
    assert "Press **Resign**" in (await players[1].types("pond move", move="resign")).text
    assert (await world.tables.table(1)).status == "playing"


# ---- while the board is edited


async def test_a_board_edited_while_a_preview_opens_is_not_shown_in_its_place(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = world.people(2)
    await started_in("frogs", players[0], players[1:])
    one, _ = await in_turn(world, *players)
    board, live = one.board, world.bot.live
    expected, editing, opened = asyncio.Event(), asyncio.Event(), asyncio.Event()
    expect, settings, send = live.expect, world.tables.users.settings, Sender.send

    def expecting(interaction: discord.Interaction) -> None:
        expect(interaction)
        expected.set()

    async def edit_begins(user_id: int) -> UserSettings:
        if expected.is_set() and not editing.is_set():
            expected.clear()
            await live.access_lost(world.channel.id)  # shows the board again
            await editing.wait()
        return await settings(user_id)

    async def slowly(self: Sender, draft: Draft, transport: Transport, places: Sequence[int], **more: Any) -> Sent:
        if more.get("edits") == board.id:
            editing.set()
            await opened.wait()
        sent = await send(self, draft, transport, places, **more)
        if not more.get("edits"):
            opened.set()
        return sent

    monkeypatch.setattr(live, "expect", expecting)
    monkeypatch.setattr(world.tables.users, "settings", edit_begins)
    monkeypatch.setattr(Sender, "send", slowly)
    preview = await one.taps(board, "place a1")
    await world.env.settle()
    assert editing.is_set()
    (page,) = [seen for seen in one.messages() if seen.id == preview.id]
    assert "**Place an egg on a1?**" in page.text
    assert one.board.id == board.id
