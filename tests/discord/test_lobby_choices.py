"""Lobbies: their options, partners, and seats for more players."""

from typing import Any

import discord
import pytest

from tests.discord.guests import GROUPS
from tests.discord.play import Player, World
from tests.discord.tables import board_in_words, started


async def seats(world: World, table_id: int = 1) -> list[str]:
    """Return the players of a table by seat."""
    return [sitter.name for sitter in (await world.tables.table(table_id)).sitters]


async def test_pontis_opens_with_shared_banks_teams_and_liars(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("pontis open", players=4, banks=2, teams="on", fake="on", liar="on", jokers=3)
    for words in ("2 banks", "Teams share a bank", "You may fake misses", "You may call liars", "3 jokers"):
        assert words in lobby.text


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        ({"players": 4, "banks": 3}, "4 players can't share 3 banks"),
        ({"liar": "on"}, "Calling a liar needs faked misses"),
        ({"teams": "on"}, "teams need fewer banks than players"),
    ],
)
async def test_options_of_pontis_are_refused_with_the_reason(
    world: World, options: dict[str, Any], refusal: str
) -> None:
    (ann,) = world.people(1)
    assert refusal in (await ann.types("pontis open", **options)).text
    assert not [seen for seen in ann.messages() if not seen.is_private]


async def test_conflicting_options_open_no_table(world: World) -> None:
    (ann,) = world.people(1)
    answer = await ann.types("pond open", players=2, computers=3)
    assert "0 to 1 computers" in answer.text
    assert not [seen for seen in ann.messages() if not seen.is_private]


@pytest.mark.parametrize("lacking", ["send_messages", "view_channel"])
async def test_no_table_is_opened_where_the_bot_cannot_post(world: World, lacking: str) -> None:
    (ann,) = world.people(1)
    everyone = world.server.default_role
    quiet = world.server.create_text_channel(
        "quiet",
        overwrites={
            everyone: discord.PermissionOverwrite(**{lacking: False}),
            ann.member: discord.PermissionOverwrite(view_channel=True, send_messages=True),
        },
    )
    answer = await ann.types("pond open", at=quiet)
    assert answer.text.startswith("I can't post here: I need ")
    assert lacking.replace("_", " ").title() in answer.text
    assert answer.is_private
    assert await world.tables.lists.open_tables() == ()


async def test_the_game_goes_on_when_the_bot_can_no_longer_post(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    world.breaks("*", f"/channels/{world.channel.id}/messages*", 403, 50013, times=None)
    for player in (ann, ben):
        await player.picks(player.hand, next(iter(player.hand.moves)))
    assert "bait" in ann.hand.text + ben.hand.text


def names(people: list[Player]) -> list[str]:
    """Return the names of the players."""
    return [player.member.user.global_name or "" for player in people]


async def test_partners_sit_opposite_each_other(world: World) -> None:
    people = world.people(4)
    await started(people[0], people[1:], players=4)
    ann, ben, cleo, dan = names(people)
    board = await board_in_words(world)
    assert f"{ann} & {cleo} **0** · poison " in board
    assert f"{ben} & {dan} **0** · poison " in board


async def test_a_lobby_of_pot_black_proposes_two_deals_to_learners(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("potblack open")
    assert "At most 2 deals" in lobby.text
    assert (await world.tables.table(1)).options["deals"] == 2


async def test_a_lobby_of_pot_black_changes_its_deals_with_one_tap(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("potblack open")
    lobby = await ann.picks(lobby, "0")
    assert (await world.tables.table(1)).options["deals"] == 0
    assert "deals" not in lobby.text
    await ben.picks(lobby, "5")
    assert (await world.tables.table(1)).options["deals"] == 0, "only the host changes it"
    await ann.types("potblack open", deals=20)
    assert (await world.tables.table(2)).options["deals"] == 20


async def test_a_lobby_of_pond_says_that_four_can_play_and_changes_that_with_one_tap(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    lobby = await ann.picks(lobby, "4")
    assert (await world.tables.table(1)).seats == 4
    assert lobby.text.count("*free*") == 3
    await ben.picks(lobby, "2")
    assert (await world.tables.table(1)).seats == 4, "only the host changes it"
    await ann.types("pond open", players=4)
    assert (await world.tables.table(2)).seats == 4


async def test_a_game_that_nothing_else_ends_has_exactly_so_many_deals(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("potblack open", form="individual", end="deals", deals=5)
    assert " · 5 deals" in lobby.text
    assert "last deal" not in lobby.text
    assert "At most" not in lobby.text


async def test_the_lobbys_shuffle_opens_a_page_of_that_name(world: World) -> None:
    ann = world.person("Ann")
    lobby = await ann.types("pond open")
    page = await ann.clicks(await ann.clicks(lobby, "More"), "🔒 Shuffle")
    assert page.text.startswith("### 🔒 Shuffle · Table ")


# ---- more friends than seats, partners, and learners


async def test_a_third_and_a_fourth_friend_join_a_table_for_two(world: World) -> None:
    ann, ben, cleo, dan = world.people(4)
    lobby = await ben.clicks(await ann.types("pond open"), "Join")
    assert "For a game of 4, others can **Join**" in lobby.text
    assert lobby.labels == ["Join", "Start", "Learn (3 min)", "More"]
    await cleo.types("pond join")
    lobby = ann.now(lobby)
    assert "1. **Ann** (team A, host)\n2. **Ben** (team B)\n3. **Cleo** (team A)\n4. *free* (team B)" in lobby.text
    assert "Somebody joined a full table, so it's for 4 now." in lobby.text
    lobby = await dan.clicks(lobby, "Join")
    assert "Join" not in lobby.labels
    await ann.clicks(lobby, "Start")
    table = await world.tables.table(1)
    assert (table.status, table.options["players"], len(table.sitters)) == ("playing", 4, 4)


async def test_a_table_that_has_grown_shrinks_again_for_its_host(world: World) -> None:
    ann, ben, cleo = world.people(3)
    lobby = await ben.clicks(await ann.types("pond open"), "Join")
    lobby = await cleo.clicks(lobby, "Join")
    await cleo.clicks(lobby, "Leave")
    assert "Start with the 2 here" in ann.board.labels
    await ann.chooses(await ann.clicks(ann.board, "Options"), "players", "2")
    assert "joined a full table" not in ann.board.text
    assert (await world.tables.table(1)).seats == 2


async def test_a_table_without_room_for_more_stays_full(world: World) -> None:
    ann, ben, cleo = world.people(3)
    lobby = await ben.clicks(await ann.types("frogs open"), "Join")
    assert "Join" not in lobby.labels
    assert "is full" in (await cleo.types("frogs join", table="1")).text
    await ann.types("pond open")
    await ann.picks_people(await ann.clicks(ann.board, "Options"), ben)
    await ben.clicks(ann.board, "Join")
    assert "for invited players" in (await cleo.clicks(ann.board, "Join")).text
    assert (await world.tables.table(2)).seats == 2


async def test_players_choose_their_partner(world: World) -> None:
    ann, ben, cleo = world.people(3)
    lobby = await ann.types("pond open", players=4)
    for other in (ben, cleo):
        lobby = await other.clicks(lobby, "Join")
    assert await seats(world) == ["Ann", "Ben", "Cleo"]
    more = await ben.clicks(lobby, "More")
    assert (more.options["0"], more.options["2"]) == ("Ann", "Cleo")
    assert "Another player has that seat. The host can swap you." in (await ben.picks(more, "0")).text
    await ann.picks(await ann.clicks(lobby, "More"), "1")
    assert "1. *free*" in ann.board.text
    assert "4. **Ann** (team B, host)" in ann.board.text
    assert "You already play together." in (await ann.picks(await ann.clicks(ann.board, "More"), "1")).text
    await ann.picks(await ann.clicks(ann.board, "More"), "2")
    assert await seats(world) == ["Ann", "Ben", "Cleo"]
    assert not (await ann.clicks(await ann.types("pontis open"), "More")).options


async def test_a_table_with_learners_has_hints_for_them_unless_somebody_objects(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("frogs open")
    assert "Hints" not in lobby.text
    lobby = await ben.clicks(lobby, "Join")
    assert "💡 Hints for Ann (first game), Ben (first game)" in lobby.text
    await ann.clicks(lobby, "Start")
    learner = ann if ann.id in await world.tables.whose_turn(await world.tables.table(1)) else ben
    assert "Hint" in (await learner.at_table()).labels
    await ann.at_table("Resign", "Resign")
    lobby = await ben.clicks(await ann.types("frogs open"), "Join")
    assert "💡 Hints for Ann (second game), Ben (second game)" in lobby.text
    assert "No hints" in (await ben.clicks(lobby, "More")).labels
    await ben.clicks(await ben.clicks(lobby, "More"), "No hints")
    assert "Hints for Ann" not in ann.board.text
    assert "No hints" in ann.board.text
    await ann.clicks(ann.board, "Start")
    assert "no hints" in (await ann.types("hint", table="2")).text


@pytest.mark.parametrize("group", GROUPS.values())
async def test_commands_of_play_come_first_and_every_option_is_described(world: World, group: str) -> None:
    commands = {command.name: command for command in world.bot.tree.get_commands()}
    found = commands[group]
    assert isinstance(found, discord.app_commands.Group)
    names = [command.name for command in found.commands]
    assert names[names.index("board") :] == [
        *("board", "move", "undo", "open", "join", "leave", "remove", "start", "resign", "learn", "rules"),
    ]
    assert {"cut", "puzzles"}.isdisjoint(names)
    for command in world.bot.tree.walk_commands():
        if isinstance(command, discord.app_commands.Command):
            assert [each.name for each in command.parameters if str(each.description) in {"…", ""}] == []
