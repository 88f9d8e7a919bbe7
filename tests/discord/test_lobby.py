"""The lobby, from opening a table to starting the game."""

import pytest

from tests.discord.guests import GROUPS
from tests.discord.play import Player, World
from tests.discord.tables import fast_forward, started
from tests.discord.test_server import moderator


async def seats(world: World, table_id: int = 1) -> list[str]:
    """Return the players of a table by seat."""
    return [sitter.name for sitter in (await world.tables.table(table_id)).sitters]


async def test_a_game_starts_after_three_presses(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("pond open")
    assert lobby.labels == ["Join", "Add computer", "Start", "Learn (3 min)", "More"]
    more = await ann.clicks(lobby, "More")
    assert more.labels[:6] == ["Options", "Rules", "🔒 Shuffle", "Find players", "Open in a thread", "Leave"]
    lobby = await ann.clicks(lobby, "Add computer")
    board = await ann.clicks(lobby, "Start")
    assert board.id == lobby.id
    assert board.labels == ["My hand", "Rules", "More"]
    assert "set a card aside." in board.text


@pytest.mark.parametrize("group", GROUPS.values())
async def test_a_game_with_computers_takes_two_taps_after_the_command(world: World, group: str) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types(f"{group} open")
    asked = await ann.clicks(lobby, "Start")
    (start,) = asked.labels
    await ann.clicks(asked, start)
    assert (await world.tables.table(1)).status == "playing"


async def test_the_host_fills_the_free_seats_with_computers(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open", players=4)
    (refused,) = await world.at_once((ben, (await ann.clicks(lobby, "More")).use("Fill with computers")))
    assert refused is not None
    assert "Only the host" in refused.text
    assert {"Fill with computers", "Open in a thread"}.isdisjoint((await ben.clicks(lobby, "More")).labels)
    lobby = await ann.clicks(lobby, "Add computer")
    await ann.clicks(lobby, "Fill with computers")
    assert "Fill with computers" not in (await ann.clicks(ann.board, "More")).labels
    assert [sitter.is_computer for sitter in (await world.tables.table(1)).sitters] == [False, True, True, True]


async def test_the_lobby_shows_game_seats_and_changed_options(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("pond open", players=4, rounds=2, computers=1)
    table = await world.tables.table(1)
    pitch = "Win ponds of cards, but not your poison. 2 or 4 players, about 16 min"
    assert lobby.text.startswith(f"### Table {table.name} · Pond · cards\n-# {pitch}\n2 seats left")
    assert "1. **Ann** (team A, host)\n2. *free* (team B)\n3. *free* (team A)\n4. **🤖\N{NO-BREAK SPACE}" in lobby.text
    shuffle = "-# 🔒 You can check the shuffle"
    assert lobby.text.endswith(f"4 players in pairs · 2 rounds\n{shuffle}")
    assert table.commitment in (await world.person("Zoe").clicks(lobby, "🔒 Shuffle")).text
    assert not lobby.is_private
    assert not lobby.pinged


async def test_joining_sends_a_direct_message_at_once(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    await ben.clicks(lobby, "Join")
    name = (await world.tables.table(1)).name
    for player in (ann, ben):
        (welcome,) = player.dms
        assert welcome.text.startswith(f"You've joined **Table {name} · Pond · cards**. Your hand will come here.")
        assert f"/{lobby.id})" in welcome.text


@pytest.mark.parametrize("group", ["pond", "frogs", "pontis", "potblack"])
async def test_the_joining_message_alone_shows_the_commitment_in_full(world: World, group: str) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types(f"{group} open")
    await ben.clicks(lobby, "Join")
    table = await world.tables.table(1)
    shown = f"-# Fair {'start' if group == 'frogs' else 'deal'} {table.commitment}"
    assert [shown in player.dms[0].text for player in (ann, ben)] == [True, True]
    if not table.is_full:
        await ann.clicks(ann.board, "Fill with computers")
    assert table.commitment[:8] not in ann.board.text
    await ann.clicks(ann.board, "Start")
    await world.wait(1)
    for is_over in (False, True):
        for player in (ann, ben) * is_over:
            await player.at_table("Vote to end", "Without a result")
        assert table.commitment[:8] not in ann.board.text
        assert [shown in player.dms[0].text for player in (ann, ben)] == [True, True]
        assert not [seen for player in (ann, ben) for seen in player.dms[1:] if table.commitment[:8] in seen.text]


async def test_the_first_board_shows_the_commitment_if_somebody_has_no_direct_messages(world: World) -> None:
    ann, ben = world.people(2)
    world.breaks("POST", f"/channels/{ann.dm.id}/messages", 403, 50007, times=None)
    await started(ann, [ben], rounds=2)
    shown = f"-# Fair deal {(await world.tables.table(1)).commitment}"
    assert shown in ben.board.text
    assert shown not in (await ann.types("pond hand")).text
    await fast_forward(world, lambda seen: seen.round == 1)
    assert shown not in ben.board.text


async def test_players_join_change_seats_and_leave_by_command_and_button(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await ann.types("pond open", players=4)
    assert "You've joined" in (await ben.types("pond join", seat=4)).text
    assert "isn't free" in (await cleo.types("pond join", seat=4)).text
    await cleo.clicks(ann.board, "Join")
    assert await seats(world) == ["Ann", "Cleo", "Ben"]
    assert "4. **Ben**" in ann.board.text
    await ben.types("pond join", seat=3)
    assert "3. **Ben**" in ann.board.text
    assert "already" in (await ben.types("pond join")).text
    await ben.clicks(ann.board, "Leave")
    assert "You've left" in (await cleo.types("pond leave")).text
    assert await seats(world) == ["Ann"]
    assert "3 seats left" in ann.board.text


async def test_only_the_host_can_add_computers(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open", players=4)
    lobby = await ben.clicks(lobby, "Join")
    assert "Only the host" in (await ben.clicks(lobby, "Add computer")).text
    another = (await ann.clicks(lobby, "Add computer")).use("Add computer")
    full = await ann.clicks(ann.board, "Add computer")
    assert full.labels == ["Start", "Learn (3 min)", "More"]
    (answer,) = await world.at_once((ann, another))
    assert answer is not None
    assert "is full" in answer.text
    assert "Everyone's here" in ann.board.text


async def test_any_player_can_start_once_all_seats_are_taken(world: World) -> None:
    ann, ben, cleo = world.people(3)
    lobby = await ann.types("pond open")
    assert "One seat is still free at **Table " in (await ann.clicks(lobby, "Start")).text
    lobby = await ben.clicks(lobby, "Join")
    assert "not playing" in (await cleo.types("pond start", table="1")).text
    assert "has started" in (await ben.types("pond start")).text
    assert "set a card aside." in ann.board.text


async def test_the_question_about_free_seats_follows_the_lobby_and_goes_when_they_are_taken(world: World) -> None:
    ann, ben, cleo, dan = world.people(4)
    lobby = await ann.types("pond open", players=4)
    asked = await ann.clicks(lobby, "Start")
    assert "3 seats are still free" in asked.text
    lobby = await ben.clicks(lobby, "Join")
    lobby = await cleo.clicks(lobby, "Join")
    assert "One seat is still free" in ann.now(asked).text
    await dan.clicks(lobby, "Join")
    assert asked.id not in [message.id for message in ann.messages()]


async def test_the_next_player_becomes_host_when_the_host_leaves(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open", computers=0, players=4)
    lobby = await ben.clicks(lobby, "Join")
    await ann.clicks(lobby, "Leave")
    assert "**Ben** (team B, host)" in ben.board.text
    lobby = await ben.clicks(ben.board, "Add computer")
    assert "🤖" in lobby.text


async def test_an_empty_lobby_is_closed(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("pond open", computers=1)
    assert "You've left" in (await ann.clicks(lobby, "Leave")).text
    closed = ann.now(lobby)
    assert "closed before the start" in closed.text
    assert closed.labels == []
    (answer,) = await world.at_once((ann, lobby.use("Start")))
    assert answer is not None


async def test_an_idle_lobby_is_closed_after_a_day(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("pond open")
    await world.wait(25 * 3600)
    assert "closed before the start" in ann.board.text


async def test_players_cut_by_a_form(world: World) -> None:
    ann, ben, cleo = world.people(3)
    lobby = await ann.types("pond open")
    lobby = await ben.clicks(lobby, "Join")
    await ann.fills(await ann.clicks(lobby, "🔒 Shuffle"), "Cut", "Deep, please")
    assert "**Ann** (host, has cut)" in ann.now(lobby).text
    assert "Deep" not in ann.now(lobby).text
    answer = await ben.fills(await ben.clicks(ann.board, "🔒 Shuffle"), "Cut", "🐸")
    assert answer.is_private
    assert "**Ben** (has cut)" in ann.board.text
    assert (await world.tables.table(1)).cuts == ("Deep, please", "🐸")
    page = await cleo.clicks(ann.board, "🔒 Shuffle")
    assert "Press **Join** first" in (await cleo.clicks(page, "Cut")).text
    old = await ann.clicks(ann.board, "🔒 Shuffle")
    await ann.clicks(ann.board, "Start")
    (answer,) = await world.at_once((ann, old.use("Cut")))  # type: ignore[assignment]  # it is answered
    assert "only cut before the start" in answer.text


@pytest.mark.parametrize("text", ["a|b", "two\nlines", " ", "x" * 100])
async def test_any_text_for_a_cut_is_accepted_or_refused_with_a_message(world: World, text: str) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("pond open")
    answer = await ann.fills(await ann.clicks(lobby, "🔒 Shuffle"), "Cut", text)
    assert "went wrong" not in answer.text


async def test_the_host_changes_options_and_the_clock_by_menu(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pontis open", players=4)
    await ben.clicks(lobby, "Join")
    page = await ann.clicks(ann.board, "Options")
    page = await ann.chooses(page, "players", "2")
    await ann.chooses(page, "clock", "day")
    table = await world.tables.table(1)
    assert (table.seats, table.options["players"], table.clock) == (2, 2, "day")
    assert "1 day a move" in ann.now(lobby).text
    assert not (await ben.clicks(ann.board, "Options")).options


async def test_each_value_in_a_menu_says_what_it_sets(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("potblack open", clock="day")
    page = await ann.clicks(lobby, "Options")
    options = page.options | (await ann.clicks(page, "House rules")).options
    assert (options["partnership"], options["day"]) == ("Mode: Partners", "Clock: 1 day a move")
    assert (options["none"], options["fair"]) == ("Clock: No clock", "Computers: fair")
    assert [words for words in options.values() if ": " not in words and not words.startswith("Hints ")] == []
    assert "- Mode: Partners\n" in (await ben.clicks(lobby, "Options")).text


async def test_the_menus_of_the_host_follow_the_lobby_and_go_with_it(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    menus, listed = await ann.clicks(lobby, "Options"), await ben.clicks(lobby, "Options")
    assert "Remove a player" not in menus.labels
    await ben.clicks(lobby, "Join")
    assert "Remove a player" in ann.now(menus).labels
    await ann.chooses(ann.now(menus), "clock", "day")
    assert "Clock: 1 day a move" in ben.now(listed).text
    await ann.clicks(ann.board, "Start")
    assert menus.id not in [seen.id for seen in ann.messages()]
    assert ben.now(listed).text


async def test_options_that_leave_players_without_a_seat_are_refused(world: World) -> None:
    players = world.people(3)
    lobby = await players[0].types("pontis open", players=4)
    for other in players[1:]:
        lobby = await other.clicks(lobby, "Join")
    page = await players[0].clicks(lobby, "Options")
    assert "Remove someone first" in (await players[0].picks(page, "2")).text
    assert (await world.tables.table(1)).seats == 4


async def test_a_game_can_start_with_those_who_are_here(world: World) -> None:
    ann, ben, cleo = world.people(3)
    lobby = await ann.types("pontis open", players=5)
    for other in (ben, cleo):
        lobby = await other.clicks(lobby, "Join")
    refused = await ben.clicks(lobby, "Start with the 3 here")
    assert refused.text == "Only the host of Table Oak can start with fewer players."
    await ann.clicks(lobby, "Start with the 3 here")
    table = await world.tables.table(1)
    assert (table.status, table.seats) == ("playing", 3)


async def test_a_game_does_not_start_with_others_than_the_button_says(world: World) -> None:
    ann, ben, cleo = world.people(3)
    lobby = await ben.clicks(await ann.types("pontis open", players=5), "Join")
    await cleo.clicks(lobby, "Join")
    (answer,) = await world.at_once((ann, lobby.use("Start with the 2 here")))
    assert answer is not None
    assert "The lobby has changed" in answer.text
    assert (await world.tables.table(1)).status == "lobby"


async def test_a_lobby_moves_into_a_thread_with_everyone_who_is_there(world: World) -> None:
    ann, ben = world.people(2)
    for _ in range(2):
        await ann.types("pond open")
    lobby = await ann.types("pond open", rounds=2)
    lobby = await ben.clicks(lobby, "Join")
    (refused,) = await world.at_once((ben, (await ann.clicks(lobby, "More")).use("Open in a thread")))
    assert refused is not None
    assert "Only the host" in refused.text
    await ann.clicks(lobby, "Open in a thread")
    old, new = await world.tables.table(3), await world.tables.table(4)
    assert (old.status, new.status, new.options) == ("closed", "lobby", old.options)
    assert [sitter.user_id for sitter in new.sitters] == [ann.id, ben.id]
    assert new.place.channel_id != old.place.channel_id


async def test_a_lobby_moves_into_a_thread_only_in_its_own_channel(world: World) -> None:
    ann, ben = world.people(2)
    for _ in range(2):
        await ann.types("pond open")
    await ben.clicks(await ann.types("pond open", players=2), "Join")
    elsewhere = world.env.create_guild("Elsewhere")
    guest = Player(world, elsewhere.add_member(ann.member.user))
    guest.home = elsewhere.create_text_channel("games")
    before = set(world.env.backend.channels)
    for player, at in ((guest, guest.home), (ann, world.server.create_text_channel("another"))):
        before.add(at.id)
        board = await player.types("pond board", table="3", at=at)
        answer = await player.clicks(board, "Open in a thread")
        assert answer.text == f"Open the thread where the table is: in <#{world.channel.id}>."
        assert answer.is_private
    table = await world.tables.table(3)
    assert (table.status, len(table.sitters)) == ("lobby", 2)
    assert set(world.env.backend.channels) == before


async def test_no_thread_is_created_for_a_table_that_may_not_be_opened(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    for _ in range(3):
        lobby = await ann.types("pond open")
    allowed = world.server.create_text_channel("allowed")
    await kim.types("server channel", channel=allowed)
    before = set(world.env.backend.channels)
    assert "On this server, open tables in" in (await ann.clicks(lobby, "Open in a thread")).text
    assert set(world.env.backend.channels) == before
    assert (await world.tables.table(3)).status == "lobby"


async def test_a_removed_player_cannot_join_after_the_move_into_a_thread(world: World) -> None:
    ann, ben, cleo = world.people(3)
    for _ in range(2):
        await ann.types("pond open")
    lobby = await ben.clicks(await ann.types("pond open", players=2), "Join")
    await ann.types("pond remove", player="Ben", table="3")
    await ann.clicks(ann.now(lobby), "Open in a thread")
    assert "The host removed you" in (await ben.types("pond join", table="4")).text
    assert "You've joined" in (await cleo.types("pond join", table="4")).text


async def test_a_lobby_in_direct_messages_offers_computers_only(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("pond open", at=ann.dm)
    assert "Nobody else can join here" in lobby.text
    assert "Join" not in lobby.labels
    assert "Add computer" in lobby.labels


async def test_the_page_of_a_lobby_follows_it_and_goes_when_the_game_starts(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open", rounds=2)
    more = await ann.clicks(lobby, "More")
    assert "Find players" in more.labels
    await ben.clicks(lobby, "Join")
    assert "Find players" not in ann.now(more).labels
    await ann.clicks(ann.board, "Start")
    assert more.id not in [seen.id for seen in ann.messages()]


async def test_an_answer_in_place_of_the_page_of_a_lobby_stays(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open", players=4)
    await ben.clicks(lobby, "Join")
    left = await ben.clicks(await ben.clicks(ben.board, "More"), "Leave")
    assert "You've left" in left.text
    await ann.clicks(ann.board, "Add computer")
    assert "You've left" in ben.now(left).text
