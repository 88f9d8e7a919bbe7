"""Levels of computers: chosen in the lobby, by the command, for a server, and shown."""

import multiprocessing

import pytest

from bot import computer
from bot.records.table import Person
from tests.discord.play import World
from tests.discord.seen import Seen, Use
from tests.discord.test_saved_options import saves
from tests.discord.test_server import moderator
from tests.waiting import until


@pytest.fixture(autouse=True)
def three_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let frogs have all levels, which play quickly, and Pond · cards only one."""
    fair = computer.PLAYERS["frogs"]["fair"]
    players = {**computer.PLAYERS, "frogs": dict.fromkeys(("easy", "fair", "strong"), fair)}
    players["pond"] = {"fair": computer.PLAYERS["pond"]["fair"]}
    monkeypatch.setattr(computer, "PLAYERS", players)


def levels_in(lobby: Seen) -> list[str]:
    """Return the levels that the lobby offers, which has a menu of ponds as well."""
    return [option for option in lobby.options if "." in option]


async def test_the_level_of_a_computer_is_chosen_after_it_was_added(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("frogs open")
    assert levels_in(lobby) == []
    lobby = await ann.clicks(lobby, "Add computer")
    assert levels_in(lobby) == ["all.easy", "all.fair", "all.strong"]
    lobby = await ann.picks(lobby, "all.strong")
    assert "2. **🤖\N{NO-BREAK SPACE}Moss** (strong)" in lobby.text
    board = await ann.clicks(lobby, "Start")
    assert "· Pond · frogs · 🤖\N{NO-BREAK SPACE}strong\n" in board.text
    assert "🤖\N{NO-BREAK SPACE}strong" in ann.board.text


async def test_a_strong_computer_thinks_in_a_process_that_ends_with_the_bot(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("frogs open", computers=1, level="strong")
    await ann.clicks(lobby, "Start")
    assert "Moss** begins" in ann.board.text

    async def has_moved() -> bool:
        await world.wait(1)
        return "places" in ann.board.text

    await until(has_moved)
    assert thinkers()
    await world.restart()
    assert not thinkers()


def thinkers() -> list[str]:
    """Return the processes of this one in which computers think."""
    return [process.name for process in multiprocessing.active_children() if process.name == "thinker"]


async def test_a_board_lists_computers_of_different_levels(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(computer.PLAYERS["pond"], "easy", computer.PLAYERS["pond"]["fair"])
    (ann,) = world.people(1)
    lobby = await ann.types("pond open", players=4, computers=2)
    lobby = await ann.picks(lobby, "add.easy")
    assert list(lobby.options) == ["all.easy", "all.fair", "2", "4"]
    await ann.clicks(lobby, "Start")
    assert "-# 🤖\N{NO-BREAK SPACE}Reed: easy · Moss, Fern: fair" in ann.board.text
    await ann.clicks(await ann.types("pond resign"), "Resign")
    assert "🏆" in ann.board.text
    assert "-# 🤖\N{NO-BREAK SPACE}Reed: easy · Moss, Fern: fair" in ann.board.text


async def test_headings_and_results_say_how_the_only_computers_play(world: World) -> None:
    (ann,) = world.people(1)
    await ann.clicks(await ann.types("frogs open", computers=1, level="strong"), "Start")
    assert ann.board.text.startswith("### Table Oak · Pond · frogs · 🤖\N{NO-BREAK SPACE}strong")
    await ann.clicks(await ann.types("frogs resign"), "Resign")
    assert "🏆" in ann.board.text
    assert ann.board.text.startswith("### Table Oak · Pond · frogs · 🤖\N{NO-BREAK SPACE}strong")


async def test_the_host_changes_how_computers_play(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("frogs open", computers=1, level="strong")
    assert levels_in(lobby) == ["all.easy", "all.fair", "all.strong"]
    assert "Only the host" in (await ben.picks(lobby, "all.easy")).text
    assert "Moss** (easy)" in (await ann.picks(lobby, "all.easy")).text
    picked = lobby.use("all.fair")
    (forged,) = await world.at_once((ann, Use(lobby.id, lobby.channel_id, picked.custom_id, "all.divine")))
    assert forged is not None
    assert "Computers have no level" in forged.text


async def test_games_with_one_level_offer_none(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("pond open", computers=1)
    assert list(lobby.options) == ["2", "4"], "the numbers of players alone"
    assert "fair" not in lobby.text


async def test_the_level_of_a_server_is_the_default(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    assert "**Computers**: strong." in (await kim.types("server level", default="strong")).text
    assert "(strong)" in (await ann.types("frogs open", computers=1)).text
    assert "(easy)" in (await ann.types("frogs open", computers=1, level="easy")).text
    assert (await world.tables.table(2)).level == "easy"
    await ann.types("pond open", computers=1)
    assert (await world.tables.table(3)).level == "fair"


async def test_saved_options_and_rematches_keep_levels(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("frogs open", level="strong")
    await saves(ann, "Hard")
    assert await ann.completes("frogs open", "options") == {"Hard": "Hard · Computers: strong"}
    lobby = await ann.types("frogs open", computers=1, options="Hard")
    await ann.clicks(lobby, "Start")
    await world.tables.resign(2, ann.id)
    await world.tables.lobbies.rematch(2, Person(ann.id, "Ann"))
    rematch = await world.tables.table(3)
    assert [sitter.level for sitter in rematch.sitters if sitter.is_computer] == ["strong"]
    assert rematch.level == "strong"
