"""Holidays, digests, the way back to a seat, and the way from a move to the next table."""

import re

from tests.discord.play import Player, World
from tests.discord.tables import absent_and_others, legal, started
from tests.discord.test_pings import pings

HOUR, DAY = 3600.0, 24 * 3600.0


async def turn_of(world: World, ann: Player, ben: Player, number: int = 1) -> tuple[Player, Player]:
    """Return the player to move at a table, and the other one."""
    while len(users := await world.tables.whose_turn(await world.tables.table(number))) > 1:
        player = next(each for each in (ann, ben) if each.id == users[0])
        await player.types("pond move", move=(await legal(world, player, number))[0], table=str(number))
    return (ann, ben) if users == (ann.id,) else (ben, ann)


async def test_the_others_see_a_holiday_and_its_end(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], clock="day")
    absent, other = await turn_of(world, ann, ben)
    page = await absent.fills(await absent.types("settings"), "I'm away…", "5 days")
    assert "**Away** until <t:" in page.text
    await world.wait(1)
    assert "🌴 Away: " in other.board.text
    await world.wait(2 * DAY)
    assert pings(world, absent) == []
    assert "Any player can move the table on" not in other.board.text
    page = await absent.clicks(page, "I'm back")
    assert "Away" not in page.text
    await world.wait(1)
    assert "Away" not in other.board.text
    await world.wait(DAY + HOUR)
    assert "Any player can move the table on" in other.board.text


async def test_the_board_names_nobody_whose_holiday_has_ended(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    _, waiting = await turn_of(world, ann, ben)
    await waiting.fills(await waiting.types("settings"), "I'm away…", "9:00")
    await world.wait(5 * HOUR)
    assert "🌴 Away: " in ann.board.text
    await world.wait(5 * HOUR)
    assert "🌴 Away: " not in ann.board.text


async def test_long_holidays_and_other_words_are_refused(world: World) -> None:
    (ann,) = world.people(1)
    assert "21 days in 90" in (await ann.types("settings", away="30 days")).text
    assert "2026-12-24, 5 days" in (await ann.types("settings", pings="off", away="soon")).text
    assert "**Pings** on" in (await ann.types("settings")).text
    assert (await world.tables.users.settings(ann.id)).away_until is None


async def test_the_other_end_that_was_meant_can_be_taken(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("settings", away="tomorrow at 8")
    assert "I took 08:00, or 20:00?" in page.text
    (until,) = re.findall(r"Away\*\* until <t:([0-9]+):f>", page.text)
    page = await ann.clicks(page, "Make it 20:00")
    assert f"**Away** until <t:{int(until) + 12 * 3600}:f>" in page.text
    assert "I took" not in page.text


async def test_a_move_in_direct_messages_leads_to_the_next_table(world: World) -> None:
    ann, ben = world.people(2)
    for number in (1, 2):
        await started(ann, [ben])
        await turn_of(world, ann, ben, number)
    first, second = [await turn_of(world, ann, ben, number) for number in (1, 2)]
    mover = first[0]
    if second[0] is not mover:
        move = (await legal(world, second[0], 2))[0]
        await second[0].types("pond move", move=move, table="2")
    hand = next(seen for seen in mover.dms if "Table" in seen.text and seen.moves)
    answer = await mover.picks(hand, next(iter(hand.moves)))
    while answer.moves:
        answer = await mover.picks(answer, next(iter(answer.moves)))
    assert answer.labels[0] == "Next table"
    shown = await mover.clicks(answer, "Next table")
    assert shown.text.startswith("### Your hand")
    assert shown.moves


async def test_next_table_says_when_no_table_waits(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    mover, _ = await turn_of(world, ann, ben)
    answer = await mover.picks(mover.hand, next(iter(mover.hand.moves)))
    assert "Next table" not in answer.labels


async def test_a_digest_takes_the_place_of_pings_and_survives_a_crash(world: World) -> None:
    ann, ben = world.people(2)
    for player in (ann, ben):
        assert "together, every few hours" in (await player.types("settings", pings="digest")).text
    for _ in range(2):
        await started(ann, [ben])
    await world.crash()
    await world.wait(HOUR)
    digests = [seen for seen in ann.dms if "waiting for you" in seen.text]
    assert len(digests) == 1
    assert "2 tables are waiting" in digests[0].text
    assert "Next table" in digests[0].labels
    assert all(not seen.pinged for seen in ann.messages())
    assert (await ann.clicks(digests[0], "Next table")).text.startswith("### Your hand")
    await world.wait(DAY)
    assert len([seen for seen in ann.dms if "waiting for you" in seen.text]) == 1


async def test_an_absent_player_comes_back_by_taking_a_seat_or_joining(world: World) -> None:
    absent, (other,) = await absent_and_others(world, world.people(2))
    await world.wait(DAY + 60)
    await other.clicks(await other.clicks(other.board, "Away?"), "Ask for a substitute")
    assert "You're already playing" in (await absent.clicks(absent.board, "Take the seat")).text
    assert "Take the seat" not in other.board.labels
    await absent.clicks(await absent.types("pond leave"), "Let a computer play for me")
    assert "You're already playing" in (await absent.types("pond join", table="1")).text
    assert (await world.tables.table(1)).sitter(absent.id) is not None
