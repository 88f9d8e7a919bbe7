"""Why a computer played what it played: from its own observation and seed, after the end alone."""

import random

import pytest

from bot import computer
from bot.computer.thoughts import Recalled
from bot.fairness import choice_seed
from bot.games.game import Move, Observation
from bot.thinking.thinkers import Thinkers
from tests.discord.forged import Forger
from tests.discord.play import Player, World
from tests.going_on import go_on


@pytest.fixture(autouse=True)
def without_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Think in this process."""

    async def recall(_: Thinkers, game: str, seen: Observation, played: Move, seed: str, level: str) -> Recalled:
        return computer.recall(game, seen, played, seed, level)

    monkeypatch.setattr(Thinkers, "recall", recall)


async def ended(world: World, ann: Player, command: str, level: str, moves: int) -> None:
    """Play some moves against computers of a level, and close the table."""
    options = {"players": 2} if command == "pontis" else {}
    lobby = await ann.types(f"{command} open", None, computers=1, level=level, **options)
    await ann.clicks(lobby, "Start")
    for _ in range(moves):
        await go_on(world.tables, 1)
        await world.env.settle()
        if ann.id not in await world.tables.whose_turn(await world.tables.table(1)):
            continue
        move = random.Random(1).choice((await world.tables.look(1, ann.id)).observation.legal)
        await world.tables.play(1, ann.id, str(move))
    await world.env.settle()
    await world.tables.resign(1, ann.id)
    await world.env.settle()


@pytest.mark.parametrize(("command", "level"), [("frogs", "easy"), ("pond", "fair"), ("pontis", "fair")])
async def test_computers_recall_the_moves_that_they_played(world: World, command: str, level: str) -> None:
    (ann,) = world.people(1)
    await ended(world, ann, command, level, 6)
    written = await world.store.log(1)
    assert written is not None
    assert written.table.seed is not None
    ours = next(sitter.seat for sitter in written.table.sitters if sitter.user_id is None)
    theirs = {ply for ply, entry in enumerate(written.entries) if entry.seat == ours}
    assert theirs == set(written.chosen)
    assert {chosen.level for chosen in written.chosen.values()} == {level}
    for ply in theirs:
        move = await world.tables.replays.recollection(1, ply)
        assert move.seed == choice_seed(bytes.fromhex(written.table.seed), written.chosen[ply].seen, ours)
        assert (move.seat, str(move.played), move.observation.seat) == (ours, written.entries[ply].move, ours)
        assert computer.choose(written.table.game, move.observation, random.Random(move.seed), level) == move.played
        how = computer.recall(written.table.game, move.observation, move.played, move.seed, level)
        assert how.thought or how.verdict
        if how.thought:
            assert how.thought.move == move.played
            assert {each.move for each in how.thought.alternatives} <= {*move.observation.legal}
    first = (await world.tables.replays.look(1, ann.id)).moments
    asked = next(moment for moment in first if moment.chosen is not None)
    page = await ann.types("replay")
    while "Why?" not in page.labels:  # the menu leads to whole tricks alone
        page = await ann.clicks(page, "▶︎")
    why = await ann.clicks(page, "Why?")
    assert why.is_private
    assert why.text.startswith("### Why? · Table ")
    assert (await ann.clicks(why, "See it in the replay")).text == page.text
    happened = await ann.clicks(await ann.clicks(ann.board, "More"), "What happened")
    again = await ann.picks(happened, str(asked.ply))
    assert again.text == why.text


@pytest.mark.parametrize("command", ["frogs", "pontis"])
async def test_the_last_move_can_be_asked_about_beside_the_review(world: World, command: str) -> None:
    ann, kim = world.people(2)
    rng = random.Random(3)
    last = None
    while last is None or last.chosen is None:  # until a computer makes the last move
        options = {"players": 2, "games": 1} if command == "pontis" else {}
        lobby = await ann.types(f"{command} open", None, computers=1, level="fair", **options)
        await ann.clicks(lobby, "Start")
        number = (await world.tables.finder.tables_of(ann.id))[-1].id
        await world.env.settle()
        while (await world.tables.table(number)).is_open:
            if ann.id in await world.tables.whose_turn(await world.tables.table(number)):
                move = rng.choice((await world.tables.look(number, ann.id)).observation.legal)
                await world.tables.play(number, ann.id, str(move))
            await go_on(world.tables, number)
            await world.env.settle()
        last = (await world.tables.replays.look(number, ann.id)).moments[-1]
    page = await ann.picks(await ann.types("replay", table=str(number)), str(last.ply))
    views = [label for label in page.options.values() if label.startswith("See as")]
    assert len(views) == 4
    for view in ("all", "table", "seat0", "seat1"):
        page = await ann.picks(page, view)
        assert {"Why?", "Review"} <= {*page.labels}
    seen = await kim.picks(await kim.types("replay", table=str(number)), str(last.ply))
    assert "Why?" in seen.labels
    assert "Review" not in seen.labels


async def test_before_the_end_computers_keep_their_thoughts(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("frogs open", None, computers=1)
    await ann.clicks(lobby, "Start")
    await world.env.settle()
    if ann.id in await world.tables.whose_turn(await world.tables.table(1)):
        await world.tables.play(1, ann.id, "place b1")
        await world.env.settle()
    page = await ann.types("replay", table="1")
    assert "Why?" not in page.labels
    assert (await ann.clicks(await ann.clicks(ann.board, "More"), "What happened")).options == {}
    kim = Forger(world, ann, world.channel)
    last = (await world.tables.replays.look(1, ann.id)).moments[-1].ply
    for argument in (f"{last}-table", f"{last}-seat1"):
        said = ann.answer_to(await kim.presses(f"lily:why-move:1:1:{argument}"))
        assert "### Why?" not in said.text
