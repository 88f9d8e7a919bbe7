"""Hints: what to play and why, for those who may ask."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot import computer
from bot.computer.thoughts import Thought
from bot.games.game import Observation
from bot.thinking.thinkers import Thinkers
from tests.discord.play import Player, World
from tests.discord.seen import Seen

BUDGETS = {"frogs": 2000, "pond": 100, "pontis": 100, "pot_black": 100}


@pytest.fixture(autouse=True)
def little_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let hints take little time, without processes."""

    async def explain(_: Thinkers, game: str, seen: Observation, seed: str) -> Thought:
        thinks: Any = computer.EXPLAINERS[game]
        thought: Thought = thinks(seen, random.Random(seed), BUDGETS[game])
        return thought

    monkeypatch.setattr(Thinkers, "explain", explain)


async def starts(host: Player, command: str, **options: int) -> None:
    """Open a table and start it."""
    lobby = await host.types(f"{command} open", None, **options)
    await host.clicks(lobby, "Start")


async def asks(player: Player) -> Seen:
    """Ask for a hint, which only the player sees."""
    answer = await player.types("hint")
    assert answer.is_private
    return answer


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("pond", {"computers": 1}),
        ("frogs", {"computers": 1}),
        ("pontis", {"computers": 3}),
        ("potblack", {"computers": 3}),
    ],
)
async def test_against_computers_every_game_has_hints(world: World, command: str, options: dict[str, int]) -> None:
    (ann,) = world.people(1)
    await starts(ann, command, **options)
    hint = await asks(ann)
    lines = hint.text.split("\n")
    assert lines[0].startswith("### Hint · Table ")
    assert lines[1].startswith("**")
    said = [line for line in lines[2:] if line.endswith(".")]
    assert said, hint.text
    assert (await asks(ann)).text == hint.text
    assert (await ann.clicks(await ann.clicks(ann.board, "More"), "Hint")).text == hint.text


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], Awaitable[object]]]:
    """Let thoughts last two seconds. What is in the list happens meanwhile."""
    events: list[Callable[[], Awaitable[object]]] = []
    explain = Thinkers.explain

    async def slowly(thinkers: Thinkers, game: str, seen: Observation, seed: str) -> Thought:
        await asyncio.sleep(2)
        for event in events:
            await event()
            await asyncio.sleep(2)
        return await explain(thinkers, game, seen, seed)

    monkeypatch.setattr(Thinkers, "explain", slowly)
    return events


def announced(world: World) -> list[str]:
    """Return the requests that say that the bot thinks."""
    return [request.path for request in world.env.http_requests if "Thinking…" in str(request.json)]


@pytest.mark.parametrize("where", ["hand", "board"])
async def test_a_thought_of_a_second_is_not_announced(
    monkeypatch: pytest.MonkeyPatch, world: World, where: str
) -> None:
    (ann,) = world.people(1)
    await starts(ann, "pond", computers=1)
    explain = Thinkers.explain

    async def soon(thinkers: Thinkers, game: str, seen: Observation, seed: str) -> Thought:
        await asyncio.sleep(1)
        return await explain(thinkers, game, seen, seed)

    monkeypatch.setattr(Thinkers, "explain", soon)
    page = ann.hand if where == "hand" else await ann.clicks(ann.board, "More")
    before = len(world.env.http_requests)
    hint = await ann.clicks(page, "Hint")
    assert hint.text.startswith("### Hint · Table ")
    assert len(world.env.http_requests) - before == 1


async def test_a_press_shows_that_the_bot_thinks_for_long_and_then_the_hint(
    meanwhile: list[Callable[[], Awaitable[object]]], world: World
) -> None:
    (ann,) = world.people(1)
    await starts(ann, "frogs", computers=1)
    rules = ann.board.use("Rules")

    async def opens_rules() -> None:
        world._emit(ann, rules)

    more = await ann.clicks(ann.board, "More")
    meanwhile.append(opens_rules)
    hint = await ann.clicks(more, "Hint")
    assert len(announced(world)) == 1
    assert hint.id == more.id
    assert any("How to play" in seen.text for seen in ann.messages() if seen.is_private)
    assert hint.text.startswith("### Hint · Table ")
    assert hint.labels == ["Play it", "Mark", "Back"]
    marked = await ann.clicks(hint, "Mark")
    assert marked.id == hint.id
    assert (await ann.clicks(marked, "Back")).text == hint.text


@pytest.mark.parametrize("where", ["hand", "direct message"])
async def test_a_hint_stands_beside_the_hand_and_is_played_with_one_press(
    meanwhile: list[Callable[[], Awaitable[object]]], world: World, where: str
) -> None:
    (ann,) = world.people(1)
    await starts(ann, "pond", computers=1)
    assert not meanwhile
    hand = await ann.clicks(ann.board, "My hand") if where == "hand" else ann.hand
    assert {"Hint", "Rules"} <= {*hand.labels}
    before = len(world.env.http_requests)
    hint = await ann.clicks(hand, "Hint")
    assert hint.is_private
    assert hint.id != hand.id
    assert len(world.env.http_requests) - before <= 2  # Discord says that the bot thinks, then the hint
    version = (await world.tables.table(1)).version
    shown = await ann.clicks(hint, "Play it")
    assert (await world.tables.table(1)).version > version
    assert "Play it" not in shown.labels
    await world.wait(1)
    place = ann.home if where == "hand" else ann.dm
    private_hands = [seen for seen in ann.messages(place) if seen.is_private and seen.text.startswith("### Your hand")]
    assert len(private_hands) == (where == "hand")


@pytest.mark.parametrize("command", ["pond", "frogs"])
async def test_the_answer_to_a_hint_that_is_played_comes_after_the_new_hand(world: World, command: str) -> None:
    (ann,) = world.people(1)
    await starts(ann, command, computers=1)
    hand = ann.hand
    hint = await ann.clicks(hand, "Hint")
    before = len(world.env.http_requests)
    said = await ann.clicks(hint, "Play it")
    assert (
        said.text
        == {
            "pond": "Played. Your hand above shows what's next.",
            "frogs": "Played. See the board above.",
        }[command]
    )
    sent = world.env.http_requests[before:]
    edited = next(at for at, each in enumerate(sent) if each.method == "PATCH" and str(hand.id) in each.path)
    assert edited < next(at for at, each in enumerate(sent) if "Played." in str(each.json))


async def test_a_hint_of_an_earlier_version_is_not_played(world: World) -> None:
    (ann,) = world.people(1)
    await starts(ann, "pond", computers=1)
    hint = await asks(ann)
    stale = hint.use("Play it")
    await world.tables.play(1, ann.id, str((await world.tables.look(1, ann.id)).observation.legal[-1]))
    await world.at_once((ann, stale))
    transcript = await world.tables.transcript(1, unfinished=True)
    seat = next(sitter.seat for sitter in (await world.tables.table(1)).sitters if sitter.user_id == ann.id)
    assert sum(entry.seat == seat for entry in transcript.entries) == 1


@pytest.mark.parametrize("route", ["command", "button"])
async def test_a_thought_ends_when_the_table_moves_on(
    meanwhile: list[Callable[[], Awaitable[object]]], world: World, route: str
) -> None:
    (ann,) = world.people(1)
    await starts(ann, "frogs", computers=1)
    move = str((await world.tables.look(1, ann.id)).observation.legal[0])
    meanwhile.append(lambda: world.tables.play(1, ann.id, move))
    more = await ann.clicks(ann.board, "More")
    answer = await ann.types("hint") if route == "command" else await ann.clicks(more, "Hint")
    assert answer.text == "The game has moved on. Ask again."
    assert not any("Thinking" in seen.text for seen in ann.messages())


async def test_a_hint_holds_while_others_choose_at_the_same_time(
    meanwhile: list[Callable[[], Awaitable[object]]], world: World, computers_may_move: asyncio.Event
) -> None:
    (ann,) = world.people(1)
    await starts(ann, "pond", computers=1)
    before = await world.tables.look(1, ann.id)
    assert len(before.observation.to_act) == 2

    async def computers_move() -> None:
        computers_may_move.set()

    meanwhile.append(computers_move)
    hint = await asks(ann)
    assert hint.text.startswith("### Hint · Table ")
    await world.env.settle()
    assert (await world.tables.table(1)).version > before.table.version
    assert ann.now(hint).text == hint.text
    await ann.types("pond move", move=str(before.observation.legal[0]))
    assert hint.id not in {seen.id for seen in ann.messages()}


async def test_a_hint_at_another_table_takes_the_place_of_the_one_in_progress(
    meanwhile: list[Callable[[], Awaitable[object]]], world: World
) -> None:
    (ann,) = world.people(1)
    await starts(ann, "frogs", computers=1)
    first = (await ann.clicks(ann.board, "More")).use("Hint")
    await starts(ann, "pond", computers=1)
    second = (await ann.clicks(ann.board, "More")).use("Hint")
    refused, hint = await world.at_once((ann, first), (ann, second))
    assert not meanwhile
    assert refused is not None
    assert refused.text == "You've asked for another hint since."
    assert hint is not None
    assert hint.text.startswith("### Hint · Table ")


@pytest.fixture
def seeds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the seeds of all thoughts about hints."""
    seeds: list[str] = []
    explain = Thinkers.explain

    async def counted(thinkers: Thinkers, game: str, seen: Observation, seed: str) -> Thought:
        seeds.append(seed)
        return await explain(thinkers, game, seen, seed)

    monkeypatch.setattr(Thinkers, "explain", counted)
    return seeds


async def test_asking_again_in_the_same_turn_takes_no_thought(seeds: list[str], world: World) -> None:
    (ann,) = world.people(1)
    await starts(ann, "frogs", computers=1)
    assert (await asks(ann)).text == (await asks(ann)).text
    assert len(seeds) == 1


async def test_a_hint_goes_with_the_next_move_and_is_noted_in_the_transcript(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("frogs open")
    await ben.clicks(lobby, "Join")
    await ann.chooses(await ann.clicks(ann.board, "Options"), "hints", "on")
    assert "Hints for everyone" in ann.board.text
    await ann.clicks(ann.board, "Start")
    first, other = (ann, ben) if "Ann** begins" in ann.board.text else (ben, ann)
    hint = await asks(first)
    assert "**Egg on" in hint.text
    assert (await asks(other)).text == f"Waiting for **{'Ann' if first is ann else 'Ben'}**."
    await first.types("frogs move", move="place a1")
    await world.wait(1)
    assert not any("Hint" in message.text for message in first.messages())
    transcript = await world.tables.transcript(1, unfinished=True)
    seat = 1 if first is ann else 2
    assert transcript.notes == {1: f"A hint was shown to the player in seat {seat}."}


async def test_among_people_the_host_decides_before_the_start(world: World) -> None:
    ann, ben = world.people(2)
    for number in (1, 2):  # after their first two games
        await ben.clicks(await ann.types("pond open"), "Join")
        await ann.clicks(ann.board, "Start")
        assert "Hint" in (await ann.clicks(ann.board, "More")).labels
        await ann.at_table("Resign", "Resign", number=number)
    lobby = await ann.types("pond open")
    await ben.clicks(lobby, "Join")
    assert "Hints for" not in ann.board.text
    await ann.clicks(ann.board, "Start")
    assert "Hints are off in games between people" in (await asks(ann)).text
    assert "Hint" not in (await ann.clicks(ann.board, "More")).labels


async def test_the_host_can_switch_hints_off(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("frogs open", computers=1)
    await ann.chooses(await ann.clicks(ann.board, "Options"), "hints", "off")
    assert "No hints" in ann.board.text
    await ann.clicks(ann.board, "Start")
    assert (await asks(ann)).text.startswith("There are no hints at Table ")


async def test_without_a_game_there_is_no_hint(world: World) -> None:
    (ann,) = world.people(1)
    assert (await asks(ann)).text == "You're not in a game right now. Open or join one."
    await ann.types("frogs open", computers=1)
    name = (await world.tables.table(1)).name
    assert (await asks(ann)).text == f"Table {name} hasn't started yet."


async def test_a_game_that_waits_elsewhere_comes_before_one_here_that_does_not(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("frogs open")
    await ben.clicks(lobby, "Join")
    await ann.chooses(await ann.clicks(ann.board, "Options"), "hints", "on")
    await ann.clicks(ann.board, "Start")
    if ann.id in await world.tables.whose_turn(await world.tables.table(1)):
        await ann.types("frogs move", move="place a1")
    assert (await asks(ann)).text == "Waiting for **Ben**."
    elsewhere = await ann.types("frogs open", at=ann.dm, computers=1)
    await ann.clicks(elsewhere, "Start")
    while ann.id not in await world.tables.whose_turn(await world.tables.table(2)):
        await world.wait(5)
    name = (await world.tables.table(2)).name
    assert (await asks(ann)).text.startswith(f"### Hint · Table {name}")


async def test_at_several_tables_the_player_picks_the_one_for_the_hint(world: World) -> None:
    (ann,) = world.people(1)
    await starts(ann, "frogs", computers=1)
    await starts(ann, "pontis", computers=3)
    await starts(ann, "frogs", computers=1)
    while (
        len(
            waiting := [
                table for table in (1, 2, 3) if ann.id in await world.tables.whose_turn(await world.tables.table(table))
            ]
        )
        < 2
    ):
        await world.wait(5)
    asked = await asks(ann)
    tables = [await world.tables.table(table) for table in waiting]
    assert asked.options == {table.key: table.name for table in tables}
    assert f"Hint · Table {tables[1].name}" in (await ann.picks(asked, tables[1].key)).text
