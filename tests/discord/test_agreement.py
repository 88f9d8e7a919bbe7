"""Players who agree to end their table before the end."""

import json
import re
from functools import partial

import pytest

from bot.transcript import read, verify, write
from tests.discord.play import LEAVING, Player, World
from tests.discord.seen import Seen
from tests.discord.tables import legal, started, started_in
from tests.waiting import until


async def votes_to_end(player: Player) -> Seen:
    """Vote to end the table, starting from the board, and return the answer."""
    asked = await player.clicks(await player.clicks(player.board, "More"), "Vote to end")
    return await player.clicks(asked, asked.labels[0])


async def status(world: World) -> str:
    """Return the status of Table 1."""
    return (await world.tables.table(1)).status


async def test_the_table_ends_when_the_last_player_agrees(world: World) -> None:
    ann, ben, cleo, dan = people = world.people(4)
    await started(ann, people[1:], players=4)
    more = await ben.clicks_through(ben.board, "More", LEAVING)
    assert "**Vote to end**: if everyone agrees, the game ends, with or without a result." in more.text
    asked = await ben.clicks(more, "Vote to end")
    assert "Yours makes 1 of 4 votes. Any move cancels the vote." in asked.text
    assert "Nobody's ahead: 0 points each. The unfinished round isn't included." in asked.text
    answer = await ben.clicks(asked, "Without a result")
    assert "1 of 4 votes" in answer.text
    assert "🗳️ **Vote to end**: 1 of 4 votes (Ben)" in ann.board.text
    assert "Vote to end" in ann.board.labels
    await votes_to_end(ann)
    assert "2 of 4 votes" in cleo.board.text
    await cleo.at_table("Vote to end", "Without a result")
    assert await status(world) == "playing"
    asked = await dan.clicks(dan.board, "Vote to end")
    assert "You can't take this back" in asked.text
    await dan.clicks(asked, "Without a result")
    assert await status(world) == "closed"
    assert "The players ended this game early" in ann.board.text
    table = await world.tables.table(1)
    assert (table.why, table.outcome) == ("agreed", None)


async def test_the_asked_agree_or_refuse_on_their_hands(world: World) -> None:
    ann, ben, cleo, dan = people = world.people(4)
    await started(ann, people[1:], players=4)
    opened = await ben.clicks(ben.board, "My hand")
    answer = await votes_to_end(ann)
    assert "1 of 4 votes" in answer.text
    for hand in (ben.hand, ben.now(opened), dan.hand):
        assert "🗳️ **Ann**: end without a result?" in hand.text
        assert {"Agree", "Refuse"} <= set(hand.labels)
    assert "Waiting for Ben, Cleo and Dan to agree." in ann.hand.text
    assert "2 of 4 votes" in (await cleo.clicks(cleo.hand, "Agree")).text
    assert "🗳️ **Ann +1**: end without a result?" in ben.now(opened).text
    assert "The game goes on" in (await ben.clicks(ben.now(opened), "Refuse")).text
    assert "Agree" not in ben.hand.labels
    assert "Ben wants to play on." in ann.hand.text
    assert "Ben wants to play on." in dan.board.text
    await world.restart()
    assert "Ben wants to play on." in ann.hand.text
    stale = dan.hand
    await ann.types("pond move", move=(await legal(world, ann))[0])
    assert "The vote to end is void: the game has moved on." in dan.hand.text
    (late,) = await world.at_once((dan, stale.use("Agree")))
    assert late is not None
    assert "nothing to agree to" in late.text
    assert "🗳️" not in ann.board.text


async def test_an_agreement_on_hands_ends_the_game(world: World) -> None:
    ann, ben = world.people(2)
    await ben.picks(await ben.types("settings"), "de")
    await started_in("potblack", ann, [ben], computers=2)
    asked = await ann.clicks(await ann.clicks(ann.board, "More"), "Vote to end")
    await ann.clicks(asked, "Count it as it stands")
    assert ": beenden und werten, wie es steht?" in ben.dms[-1].text
    await ben.clicks(ben.dms[-1], "Zustimmen")
    assert (await world.tables.table(1)).ended == "counted"


async def test_a_stale_question_about_the_end_says_so_and_goes(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    asked = await ann.clicks(await ann.clicks(ann.board, "More"), "Vote to end")
    await votes_to_end(ben)
    assert "Yours makes 2 of 2" in ann.now(asked).text or "You can't take this back" in ann.now(asked).text
    await ben.types("pond move", move=(await legal(world, ben))[0])
    assert "Yours makes 1 of 2 votes" in ann.now(asked).text
    (again,) = await world.at_once((ann, asked.use("Without a result")))
    assert again is not None
    assert again.id == asked.id
    assert "The game has moved on." in again.text
    assert (await world.tables.table(1)).status == "playing"
    await votes_to_end(ann)
    await votes_to_end(ben)
    assert asked.id not in [seen.id for seen in ann.messages()]


async def test_votes_to_end_the_table_survive_a_restart(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await votes_to_end(ann)
    await world.restart()
    assert "🗳️ **Vote to end**: 1 of 2 votes (Ann)" in ben.board.text
    await votes_to_end(ben)
    assert await status(world) == "closed"


async def test_a_move_cancels_the_votes_to_end_the_table(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await votes_to_end(ann)
    await ben.types("pond move", move=(await legal(world, ben))[0])
    assert "🗳️" not in ben.board.text
    await votes_to_end(ben)
    assert await status(world) == "playing"


async def test_a_player_among_computers_can_end_the_table_alone(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("pontis", ann, [ben], players=3, computers=1)
    page = await ben.clicks_through(ben.board, "More", LEAVING)
    await ann.clicks(await ann.types("pontis resign"), "Resign")
    asked = await ben.clicks(page, "Vote to end")
    assert "You can't take this back" in asked.text
    assert "It counts as a defeat for you." in asked.text
    await ben.clicks(asked, "End it")
    assert await status(world) == "closed"


async def test_a_host_among_computers_closes_the_table_without_a_vote(world: World) -> None:
    ann = world.person("Ann")
    await started(ann, computers=1)
    page = await ann.clicks_through(ann.board, "More", LEAVING)
    assert "**Resign**: the other side wins.\n**Close the table**: it ends for everyone" in page.text.replace("-# ", "")
    assert "Vote to end" not in page.labels
    asked = await ann.clicks(page, "Resign")
    assert "** wins at once, whatever the score." in asked.text


async def test_users_without_a_seat_have_no_vote(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    eva = world.person("Eva")
    assert "Vote to end" not in (await eva.clicks(eva.board, "More")).labels
    await votes_to_end(ann)
    asked = await eva.clicks(eva.board, "Vote to end")
    assert "1 of 2 votes" in ann.board.text
    assert asked.labels == []


async def test_everybody_can_agree_to_count_the_game_as_it_stands(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("potblack", ann, [ben], computers=2)
    asked = await ann.clicks(await ann.clicks(ann.board, "More"), "Vote to end")
    assert "Nobody's ahead: " in asked.text
    assert asked.labels[:2] == ["Without a result", "Count it as it stands"]
    await ann.clicks(asked, "Count it as it stands")
    assert "🗳️ **Count it as it stands**: 1 of 2 votes (Ann)" in ben.board.text
    assert re.search(r"🗳️ \*\*Ann\*\*: end, and count it as it stands\? (Ahead: |Nobody's ahead: )", ben.hand.text)
    await ben.clicks(await ben.clicks(ben.board, "Vote to end"), "Count it as it stands")
    table = await world.tables.table(1)
    assert (table.status, table.ended, table.outcome) == ("closed", "counted", None)
    assert "count it as it stands." in ann.board.text
    transcript = await world.tables.transcript(1)
    assert transcript.standing is not None
    assert transcript.standing.places == (1, 1, 1, 1)
    assert read(json.loads(write(transcript))).standing == transcript.standing
    verify(transcript)


async def test_a_vote_for_a_result_and_one_against_dont_end_the_table(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await votes_to_end(ann)
    asked = await ben.clicks(ben.board, "Vote to end")
    await ben.clicks(asked, "Count it as it stands")
    assert await status(world) == "playing"
    await votes_to_end(ben)
    assert (await world.tables.table(1)).ended == "agreed"


@pytest.mark.parametrize(
    ("group", "options"),
    [("pond", {}), ("frogs", {}), ("pontis", {"players": 2}), ("potblack", {"computers": 2})],
)
async def test_a_table_that_ends_early_shows_everybody_how_it_stood(
    world: World, group: str, options: dict[str, int]
) -> None:
    ann, ben = people = world.people(2)
    await started_in(group, ann, [ben], **options)
    for number in range(6):
        person = people[number % 2]
        if moves := await legal(world, person):
            await person.types(f"{group} move", move=moves[0])
    await votes_to_end(ann)
    await votes_to_end(ben)
    for shown in (ann.board, ann.hand, ben.hand):
        assert "head: " in shown.text or "ahead: " in shown.text
    assert "The players ended this game early, without a result." in ann.board.text
    assert ann.board.pictures


async def test_a_host_whom_all_others_have_left_counts_the_game_alone(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await started_in("pontis", ann, [ben, cleo], players=3)
    await world.tables.step_out(1, ben.id)
    assert "Close the table" not in (await ann.at_table(LEAVING)).labels
    await world.tables.resign(1, cleo.id)
    await until(partial(legal, world, ann))  # computers that move meanwhile would make the question an old one
    asked = await ann.at_table("Close the table")
    assert asked.labels == ["Close the table", "Count it as it stands", "Keep it"]
    assert "ahead: " in asked.text.lower()
    assert "counts as it stands" in (await ann.clicks(asked, "Count it as it stands")).text
    assert (await world.tables.table(1)).ended == "counted"
    assert "count it as it stands" in ann.board.text


async def test_a_game_against_computers_from_the_start_closes_without_a_result(world: World) -> None:
    (ann,) = world.people(1)
    await started_in("pond", ann, [], computers=1)
    asked = await ann.at_table("Close the table")
    assert asked.labels == ["Close the table", "Keep it"]
