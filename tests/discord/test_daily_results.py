"""Results of dailies: what a player sees, what friends see when the day has ended, and what when it has everywhere."""

import re
from datetime import UTC, date, timedelta
from typing import Any

from msgspec.structs import replace

from bot.records.event import Event, EventResult, run_to
from cogs.daily.texts import places_lines, players_line, result_line, share_line, small_lines, streak_line, title
from tests.discord.play import World
from tests.discord.test_daily import finishes, is_card, over_everywhere, post_in, until_midnight
from tests.leaks.pairs import FACES
from tests.waiting import until


async def test_places_are_shown_when_the_day_has_ended_and_only_of_those_who_agreed(world: World) -> None:
    people = world.people(3)
    for number, player in enumerate(people, 1):
        await player.clicks(await player.types("daily"), "Play")
        await finishes(world, player, number)
        page = await player.clicks(await player.types("daily"), "No" if number == 3 else "Show my place")
        assert not {"Show my place", "No"} & {*page.labels}
    await until(lambda: "Ann, Ben, Cleo" in post_in(people[0]).text)
    card = post_in(people[0])
    await until_midnight(world, after_s=1000)
    await until(lambda: "The day is over here." in people[0].now(card).text)
    lines = people[0].now(card).text
    assert re.search(r"1\. \*\*\w+\*\* [+−-]?\d+ · [12]\. \*\*\w+\*\* [+−-]?\d+", lines)
    assert "Cleo" not in lines
    assert "1 more has played" in lines
    await people[0].types("settings", daily="off")
    await world.wait(1000)
    await until(lambda: "Ann" not in people[0].now(card).text)


async def test_a_result_with_a_hint_has_a_mark_and_a_line_of_its_own(world: World) -> None:
    (ann,) = world.people(1)
    await ann.clicks(await ann.types("daily"), "Play")
    await ann.types("settings", daily="on")
    await until(lambda: "Hint" in ann.hand.labels)
    hint = await ann.clicks(ann.hand, "Hint")
    assert hint.text
    await finishes(world, ann)
    page = await ann.types("daily")
    assert "💡 With hints" in page.text
    assert "💡" in (await ann.clicks(page, "Share")).text
    await until_midnight(world, after_s=1000)
    (card,) = [seen for seen in ann.messages() if is_card(seen) and "The day is over here" in seen.text]
    assert "💡 With hints: 1. **Ann**" in card.text


async def test_one_moment_is_reviewed_from_the_own_seat_until_the_day_is_over_everywhere(world: World) -> None:
    (ann,) = world.people(1)
    await ann.clicks(await ann.types("daily"), "Play")
    await finishes(world, ann)
    page = await ann.clicks(await ann.types("daily"), "Review")
    assert page.text.startswith("### Review · Table ")
    assert "luck" not in page.text
    if moments := [label for label in page.labels if label.startswith("Moment")]:
        assert moments == ["Moment 1"]
        asked = await ann.clicks(page, "Moment 1")
        assert "What would you play?" in asked.text
        told = await ann.picks(asked, next(iter(asked.options)))
        assert "What everyone held" not in told.text
    await over_everywhere(world)
    await until(lambda: post_in(ann).labels == ["My result", "Replay", "Fair deal"])
    mine = await ann.clicks(post_in(ann), "My result")
    assert mine.is_private
    assert "computers got fewer" in mine.text


async def test_the_best_line_of_the_day_is_told_when_it_is_over_everywhere(world: World) -> None:
    ann, ben = world.people(2)
    for number, (player, level) in enumerate(((ann, "random"), (ben, "strong")), 1):
        await player.types("settings", daily="on")
        await player.clicks(await player.types("daily"), "Play")
        await finishes(world, player, number, level)
    assert "Best here" not in (await ann.types("daily")).text
    await over_everywhere(world)
    await until(lambda: post_in(ann).labels == ["My result", "Replay", "Fair deal"])
    pages = [(await player.clicks(post_in(player), "My result")).text for player in (ann, ben)]
    assert sum("Best here: **" in text for text in pages) == 1
    assert sum("Nobody here got more than you." in text for text in pages) == 1
    assert any(re.search(r"At move \d+, they played \*\*.+\*\*, and you ", text) for text in pages)


async def test_who_has_learned_a_game_plays_the_daily_at_once(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("daily")
    lesson = await ann.clicks(page, "Learn first")
    assert lesson.text.startswith("### Learn ")
    game = world.tables.events.game_on(world.env.now().astimezone(UTC).date()).key
    await world.tables.users.set_lesson_step(ann.id, game, 1, finished=True)
    page = await ann.clicks(post_in(ann), "Play")
    assert "in your direct messages" in page.text
    assert page.is_private


def result(number: int, name: str, score: int, **values: Any) -> EventResult:
    """Return the result of a finished try."""
    return EventResult("daily 2026-11-29", number, 1, name, number + 1, 0.0, score, is_open=False, **values)


def test_an_invisible_name_and_a_computers_mark_are_replaced() -> None:
    results = [result(0, "\u3164", 5, is_placed=True), result(1, "\N{ROBOT FACE} Moss", 4, is_placed=True)]
    assert players_line(1, results) == "Moss, Player 1"
    assert places_lines(1, results) == "1. **Player 1** +5 · 2. **Moss** +4"


def test_equal_names_are_told_apart_by_who_began_first() -> None:
    scores = [("Ann", 1), ("Ben", 2), ("ANN", 3), ("Ann (2)", 0)]
    results = [result(number, *each, is_placed=True) for number, each in enumerate(scores)]
    said = places_lines(1, results).replace("\\", "")
    assert said == "1. **ANN (2)** +3 · 2. **Ben** +2 · 3. **Ann** +1 · 4. **Ann (2) (2)** 0"


def test_friends_are_compared_with_from_three_results_on_and_equals_share_a_place() -> None:
    event = Event("daily 2026-11-29", "", 0.0, game="pontis", options={"players": 3})
    face = FACES["pontis"]
    field = [EventResult(event.name, None, None, "", score=score, is_open=False) for score in range(20)]
    friends = [result(number, f"P{number}", 12, is_placed=True) for number in range(1, 4)]
    hidden = [result(7, "Dora", 0), result(8, "Emil", 0, is_placed=True, is_hidden=True)]
    own = result(0, "Ann", 13)
    said = result_line(face, own, [*field, *friends, *hidden, own])
    assert said == ("**13 points ahead.** 13 of 20 computers got fewer with these cards, and so did 3 of 3 friends.")
    assert result_line(face, own, [*field, *friends[:2], own]) == (
        "**13 points ahead.** 13 of 20 computers got fewer with these cards."
    )
    assert result_line(face, result(0, "Ann", -1), field).startswith("**1 point behind.** 0 of 20")
    assert title(event, face) == "Sunday's daily · Pontis · 3 min"
    assert places_lines(1, [*friends, own]) == "1. **P1** +12 · 1. **P2** +12 · 1. **P3** +12\n1 more has played"
    line = share_line(event, face, replace(own, streak=6, is_hinted=True), [*field, own])
    assert line == "**Ann** · Sunday's daily · Pontis · 🟩🟩🟩⬜⬜ · streak 6 · 💡"


def test_a_streak_says_its_last_day_of_rest() -> None:
    days = {date(2026, 11, 23) + timedelta(days=day) for day in (0, 1, 3, 4, 5, 6)}
    own = result(0, "Ann", 13, streak=6, is_placed=True)
    run = run_to(date(2026, 11, 29), days)
    assert streak_line(own, run) == "Ann's streak: 6 (rest day: Wednesday)"
    assert [*small_lines(own, run)] == ["Streak: 6 days. Wednesday was a rest day, and the streak holds."]
