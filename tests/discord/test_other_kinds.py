"""Forged presses: verbs of matches, nights, dailies, lessons and replays with the ids of the other kinds."""

import contextlib
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import pytest

from bot.games import GAMES
from bot.ui.actions.press import all_verbs
from tests.discord.forged import Forger, answer_to
from tests.discord.play import Player, World
from tests.discord.test_challenges import challenge_in
from tests.discord.test_duplicates import duplicate_in
from tests.discord.test_nights import nights
from tests.discord.test_server import moderator

pytestmark = pytest.mark.usefixtures("no_rate_limit")

CHALLENGE, DUPLICATE, NIGHT, DAY, GAME, TABLE = "challenge", "duplicate", "night", "day", "game", "table"
OWN: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(("match", "match-fair", "match-replay", "match-withdraw"), frozenset((CHALLENGE, DUPLICATE))),
    **dict.fromkeys(("match-accept", "match-decline", "match-play"), frozenset((CHALLENGE,))),
    **dict.fromkeys(("match-join", "match-leave", "match-begin"), frozenset((DUPLICATE,))),
    **dict.fromkeys(("night-in", "night-out", "night-off", "night-move", "night-change"), frozenset((NIGHT,))),
    **dict.fromkeys(
        ("daily-fair", "daily-mine", "daily-play", "daily-replay", "daily-review", "daily-share"), frozenset((DAY,))
    ),
    **dict.fromkeys(("challenge-game", "challenge-go", "challenge-length", "challenge-whom"), frozenset()),  # a draft
    **dict.fromkeys(("challenge-post", "challenge-same"), frozenset()),  # the table is their key
    "challenges": frozenset((CHALLENGE, DUPLICATE, NIGHT, DAY, GAME, TABLE)),  # it takes no id
    "daily-place": frozenset(),  # an answer comes before its day
    "daily": frozenset((CHALLENGE, DUPLICATE, NIGHT, DAY, GAME, TABLE)),  # it takes no id
    **dict.fromkeys(("lesson", "lesson-retry", "learn", "first-game", "puzzle", "puzzles"), frozenset((GAME,))),
    **dict.fromkeys(("replay", "replay-as", "replay-gif", "replay-of"), frozenset((TABLE,))),
    **dict.fromkeys(("replay-on", "replay-share", "replay-to"), frozenset((TABLE,))),
}
"""The kinds of things that each verb is about."""
FAMILIES: Final = (
    "challenge",
    "match",
    "night",
    "daily",
    "lesson",
    "lesson-retry",
    "learn",
    "first-game",
    "puzzle",
    "replay",
)
TABLES: Final = ("matches", "match_players", "nights", "night_guests", "event_results", "tables", "entries", "lessons")


def verbs_of_families() -> list[str]:
    """Return the registered verbs of these families."""
    return sorted(verb for verb in all_verbs() if verb.startswith(FAMILIES))


def stored(world: World) -> dict[str, list[tuple[object, ...]]]:
    """Return what the database has of everything that these verbs can change."""
    with contextlib.closing(sqlite3.connect(world.database)) as connection:
        known = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in {*TABLES} & known}  # noqa: S608


async def ids_of(world: World, ann: Player, ben: Player) -> dict[str, str]:
    """Let there be one of each kind, in which both are, and return their ids."""
    await ann.types("challenge", player=ben.member)
    await ann.types("duplicate", game="pond-2")
    await ann.types("night", when="in 2 hours")
    await world.wait(1)
    await ben.clicks(duplicate_in(ann), "Join B")
    await ben.clicks(nights(ann)[-1], "I'm in")
    await ann.clicks(await ann.types("daily"), "Play")
    await world.wait(1)
    arguments = {
        CHALLENGE: challenge_in(ann).use("Accept"),
        DUPLICATE: duplicate_in(ann).use("Leave"),
        NIGHT: nights(ann)[-1].use("I'm in"),
    }
    ids = {kind: use.custom_id.split(":", 4)[4] for kind, use in arguments.items()}
    day = datetime.fromtimestamp(world.tables.events.now(), UTC).date()
    return ids | {DAY: str(day), GAME: next(iter(GAMES)), TABLE: "1"}


@pytest.mark.usefixtures("world")
async def test_each_verb_of_these_families_is_known_here() -> None:
    assert verbs_of_families() == sorted(OWN)


async def test_verbs_with_the_ids_of_other_kinds_change_nothing(world: World) -> None:
    ann, ben = world.people(2)
    ids = await ids_of(world, ann, ben)
    before = stored(world)
    assert all(before[name] for name in ("matches", "match_players", "nights", "night_guests", "event_results"))
    for player in (ann, ben, moderator(world)):
        forger = Forger(world, player, world.channel)
        for verb in verbs_of_families():
            for kind in sorted({*ids} - OWN[verb]):
                for argument in forms_of(ids[kind]):
                    answer = answer_to(await forger.presses(f"lily:{verb}:0:0:{argument}", argument))
                    assert stored(world) == before, (player.member.name, verb, kind, argument, answer)
    await world.wait(2)
    assert challenge_in(ann).labels == ["Accept", "Decline", "Withdraw"]
    assert "**B** · Ben" in duplicate_in(ann).text
    assert "**2 are in**" in nights(ann)[-1].text


def forms_of(argument: str) -> Sequence[str]:
    """Return an id alone, and with what some verbs have after it."""
    return (argument, f"{argument}.0", f"{argument}.1", f"{argument}-2000000000")


async def test_nobody_leaves_a_challenge_or_plays_a_duplicate_alone(world: World) -> None:
    ann, ben = world.people(2)
    ids = await ids_of(world, ann, ben)
    forger = Forger(world, ben, world.channel)
    for verb, kind in (("match-leave", CHALLENGE), ("match-begin", CHALLENGE), ("match-play", DUPLICATE)):
        assert "This button is too old" in answer_to(await forger.presses(f"lily:{verb}:0:0:{ids[kind]}"))
    assert f"Only <@{ben.id}> can answer" in (await ann.clicks(challenge_in(ann), "Accept")).text
    await ben.clicks(challenge_in(ben), "Accept")
    await world.wait(1)
    assert "**Ann** 0 of 3 · **Ben** 0 of 3" in challenge_in(ann).text
