"""Lists, and pages that belong to no table, fit the screen of a phone, however much there is to list.

What a command answers is taken from a simulated server with the longest names, in each language.
"""

import sys
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from typing import Final

import pytest

from bot.games import GAMES
from bot.records.standing import Best, Bests, Meeting, Season, SeasonPlace, Standing
from bot.records.table import Place, Sitter
from bot.texts import using
from bot.ui.messages.season_pages import champion_line, season_page
from bot.ui.messages.standings_pages import meetings_page, standings_page
from bot.ui.posts.post import Post
from tests.browser.phone import CHROMIUM, phone
from tests.browser.test_heights import NAMES, SCREEN, SEPARATOR
from tests.discord.play import Player, World
from tests.discord.running import running_world
from tests.discord.seen import Seen
from tests.discord.tables import started_in
from tests.leaks.pairs import FACES
from tests.spoken import some_languages
from tests.store.lilypads import opened
from tests.world import allow_everything

_TABLES: Final = 45
_PLAYED: Final = ("pond", "pontis", "frogs", "potblack")


async def crowd(world: World, ann: Player) -> None:
    """Store many open lobbies of Ann."""
    games, sitters = [*GAMES.values()], (Sitter(0, NAMES[0], ann.id),)
    for number in range(_TABLES):
        game = games[number % len(games)]
        options = game.settle({})
        place = Place(world.server.id, world.channel.id)
        await opened(
            world.store,
            f"Hummingbird {number + 1000}",
            game=game.key,
            options=options,
            rules=game.rules,
            seats=game.seats(options),
            host_id=ann.id,
            place=place,
            sitters=sitters,
        )


async def pages_of(ann: Player, ben: Player, spoken: str) -> AsyncIterator[tuple[str, Seen]]:
    """Yield what commands answer, and the pages behind their buttons."""
    yield "settings", await ann.types("settings", language=spoken, quiet="22:30-07:15", away="for 5 days")
    yield "alerts", await ann.picks(await ann.types("settings"), "alerts")
    yield "tables", await ann.types("tables")
    for number, group in enumerate(_PLAYED, 1):
        yield f"{group} learn", await ann.types(f"{group} learn")
        yield f"{group} rules", await ann.types(f"{group} rules")
        table = await ann.types("tables", table=str(number))
        yield f"{group} more", table
        for label in table.labels:
            yield f"{group} {label}", await ann.clicks(table, label)
            table = await ann.types("tables", table=str(number))
        yield f"{group} hint", await ann.types("hint", table=str(number))
    for command in ("help", "friends", "privacy", "challenge", "daily"):
        yield command, await ann.types(command)
    yield "challenge preview", await ann.picks_people(await ann.types("challenge", game="pot_black"), ben)
    for command in ("replay", "why"):
        yield command, await ann.types(command, table="1")


def standings(game: str, page: int) -> Post:
    """Return the page of a server on which many play, with all records."""
    every = tuple(
        Standing(number, NAMES[number % 6], 27.4, 2.1, 120 if number < 40 else 2, 103, 3, 11) for number in range(60)
    )
    best = Best(NAMES[:2], 1)
    bests = Bests(best, best, best)
    return standings_page(FACES, game, every, Bests(best, best, best, bests), 2, page)


def season(game: str) -> Post:
    """Return the page of a month in which many have played."""
    every = tuple(SeasonPlace(n, NAMES[n % 6], 104 if n < 40 else 3, 2.25) for n in range(60))
    line = champion_line(date(2026, 9, 1), Season(every))
    return season_page(FACES, game, (date(2026, 10, 1), Season(every, every)), line, 39)


def meetings(game: str) -> Post:
    """Return the page of two players who have played all games, against each other and together."""
    every = [
        Meeting(key, 1e9, is_together, place, 3 - place, place == 1, 1205, -1205)
        for key in GAMES
        for is_together in (False, True)
        for place in (1, 2, 1)
    ]
    return meetings_page(FACES, 10**18, every, game)


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt install chromium")
async def test_lists_fit_a_phone(tmp_path: Path) -> None:
    named: list[tuple[str, Post | Seen]] = []
    async with running_world(tmp_path / "lilypad.db") as world:
        allow_everything(world.env.backend, world.env.backend.get_guild(world.server.id))
        ann, ben = (world.person(name) for name in NAMES[:2])
        for group in _PLAYED:
            await started_in(group, ann, [ben], **({"computers": 2} if group in {"pontis", "potblack"} else {}))
        await crowd(world, ann)
        for spoken in some_languages("lists"):
            named += [(f"{spoken} {what}", seen) async for what, seen in pages_of(ann, ben, spoken)]
            with using(spoken):
                named += [(f"{spoken} standings", standings(game, page)) for game in GAMES for page in (3, 5)]
                named += [(f"{spoken} season", season(game)) for game in GAMES]
                named.append((f"{spoken} me and", meetings("pond")))
    async with phone() as screen:
        measured = await screen.measure([(page, True) for _what, page in named])
    lines = [f"{height.pixels:5} px  {what}" for (what, _page), height in zip(named, measured, strict=True)]
    sys.stdout.write("\n".join(sorted(lines, reverse=True)) + "\n")
    too_high = [height.text for height in measured if height.pixels > SCREEN]
    assert not too_high, f"\n\n{SEPARATOR}\n".join(too_high)
