"""Tables that end without a result by the rules."""

import pytest

from bot.records.live_message import Stage
from bot.transcript import read, verify
from tests.discord.guests import transcript_from
from tests.discord.play import World
from tests.discord.tables import started, started_in
from tests.waiting import until


async def test_a_closed_table_offers_its_seed_its_transcript_and_a_rematch(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    before = await ben.clicks(await ben.clicks(ben.board, "More"), "About this game")
    assert "You'll see it when the game is over." in before.text
    await world.tables.close(1, world.person("Kim").id, moderates=world.server.id, called="Kim")
    await until(lambda: "Rematch" in ben.board.labels)
    closed = ben.board
    assert "Closed by the moderator Kim." in closed.text
    assert closed.labels == ["Rematch", "Review", "More"]
    seed = (await world.tables.table(1)).seed
    assert f"The seed was\n`{seed}`" in (await ben.clicks(await ben.clicks(closed, "More"), "About this game")).text
    thing = await transcript_from(world, ben)
    assert (thing["outcome"], thing["ended"], thing["fairness"]["seed"]) == (None, "closed", seed)
    verify(read(thing))
    await ben.clicks(closed, "Rematch")
    again = await world.tables.table(2)
    assert (again.rematch_of, again.host_id) == (1, ben.id)


async def test_a_closed_lobby_shows_no_seed(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    await ben.clicks(lobby, "Join")
    await ann.at_table("Close the table", "Close the table")
    assert ann.board.labels == []
    assert (await world.tables.table(1)).seed is None


@pytest.mark.parametrize("rules", [0, 2], ids=["older", "newer"])
async def test_a_table_under_unknown_rules_is_closed_and_says_why(world: World, rules: int) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await ann.types("pond open", computers=1)
    await world.crash(lambda: _set_rules(world, rules))
    reason = "The rules of Pond · cards have changed, so this game ended without a result."
    board = next(seen for seen in ann.messages() if reason in seen.text)
    assert board.labels == ["Rematch", "Review", "More"]
    assert "The seed was" in (await ben.clicks(await ben.clicks(board, "More"), "About this game")).text
    for player in (ann, ben):
        assert reason in [seen for seen in player.dms if "hand will come" not in seen.text][-1].text
        assert reason in (await player.types("pond hand", table="1")).text
    assert [(await world.tables.table(number)).status for number in (1, 2)] == ["closed", "lobby"]
    assert "is closed" in (await ben.types("pond move", move="pass", table="1")).text
    await ann.types("pond start", table="2")
    assert (await world.tables.table(2)).rules == 1


async def test_a_finished_game_under_unknown_rules_is_not_redrawn(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await ben.clicks(await ben.types("pond resign"), "Resign")
    await world.crash(lambda: _set_rules(world, 2))
    shown = await ann.types("pond board", table="1")
    assert "rules of Pond · cards have changed." in shown.text
    assert shown.labels == ["Rematch", "Review", "More"]
    assert (await transcript_from(world, ann))["rules"] == 2


async def test_an_old_hand_under_unknown_rules_is_retired(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])

    async def update() -> None:
        await _set_rules(world, 2)
        world.execute("UPDATE messages SET stage = 'retiring' WHERE user_id = ?", ann.id)

    await world.crash(update)
    assert "rules of Pond · cards have changed" in ann.dms[-1].text
    assert Stage.RETIRING not in {message.stage for message in await world.tables.messages.of(1)}


async def _set_rules(world: World, rules: int) -> None:
    world.execute("UPDATE tables SET record = json_set(record, '$.rules', ?)", rules)


async def test_a_rematch_against_computers_starts_from_the_answer(world: World) -> None:
    (ann,) = world.people(1)
    await started_in("frogs", ann, computers=1)
    await ann.clicks(await ann.types("frogs resign"), "Resign")
    answer = await ann.clicks(ann.board, "Rematch")
    assert "The rematch is **Table " in answer.text
    assert "seat" not in answer.text
    assert answer.labels == ["Start"]
    begun = await ann.clicks(answer, "Start")
    assert begun.id == answer.id
    assert "has started." in begun.text
    assert not begun.labels
    assert (await world.tables.table(2)).status == "playing"


@pytest.mark.parametrize("command", ["pond", "pontis"])
async def test_after_a_resignation_at_once_the_result_comes_first(world: World, command: str) -> None:
    ann, ben = world.people(2)
    await started_in(command, ann, [ben], players=2)
    await ben.clicks(await ben.types(f"{command} resign"), "Resign")
    for player in (ann, ben):
        lines = player.hand.text.split("\n")
        assert next(line for line in lines if not line.startswith(("###", "-#"))) == "## 🏆 Ann wins"
        assert (await world.tables.table(1)).commitment[:8] not in player.hand.text
