"""The application's emojis: created in the background, used once complete, and given up where Discord refuses them."""

import random
import signal
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.running.application_emojis import full_names, pictures
from bot.store.sqlite import SqliteStore
from bot.ui.live.pace import SLOTS
from tests.doses import IS_COMPLETE, on_demand
from tests.waiting import until
from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT
from tests.wire.discord_server import Discord
from tests.wire.faults import Fault, Page, Refused
from tests.wire.objects import Message
from tests.wire.people import Person
from tests.wire.playing import doors, hands, open_table, play_on, see_the_end
from tests.world import walk

GAMES: dict[str, dict[str, object]] = {
    "pond": {"players": 2, "rounds": 2},
    "frogs": {},
    "pontis": {"players": 2},
    "potblack": {"players": 3, "deals": 5, "computers": 1},
}


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    """A Discord in which every interaction has to be answered, and nothing takes too many requests."""
    async with Discord() as discord:
        yield discord
        assert discord.unanswered == []


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The path of the database."""
    return tmp_path / "tables.db"


def names(discord: Discord) -> set[str]:
    """Return the names of the application's emojis."""
    return {emoji.name for emoji in discord.backend.application_emojis.values()}


def is_complete(discord: Discord) -> bool:
    """Return whether all emojis exist."""
    return names(discord) >= set(full_names().values())


def fill(discord: Discord, *left_out: str) -> None:
    """Create all emojis except some, as an earlier run did."""
    for short, full in full_names().items():
        if short not in left_out:
            discord.backend.create_application_emoji(full)


def used(message: Message) -> Iterator[str]:
    """Yield the names of the emojis of a message's buttons and options."""
    for part in walk(message.components):
        for each in (part, *part.get("options", ())):
            if each.get("emoji"):
                yield each["emoji"]["name"]


def changes(discord: Discord) -> list[str]:
    """Return the requests that created and deleted emojis."""
    return [f"{method} {path}" for method, path, _ in discord.requests if "emojis" in path and method != "GET"]


async def test_emojis_are_created_in_the_background_and_used_once_complete(discord: Discord, database: Path) -> None:
    ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
    outage = Fault("POST emojis", times=1000)
    discord.faults.append(outage)
    async with running(discord.url, database, arguments=IMPATIENT):
        await discord.gateway.until_ready()
        await open_table([ann, ben], **GAMES["pond"])
        await discord.until(lambda: hands(ann))
        assert not list(used(hands(ann)[-1]))
        discord.faults.remove(outage)
        await discord.until(lambda: is_complete(discord))
        hand = await ann.opens(ann.board, "My hand")
        shown = set(used(hand))
        assert shown
        assert shown < set(full_names().values())
    assert len(changes(discord)) == len(pictures())
    assert discord.refused == discord.slowed_down == []


async def test_a_start_creates_only_what_an_interrupted_one_left_out(discord: Discord, database: Path) -> None:
    fill(discord, "joker", "dark_frog", "ten_of_clubs")
    async with running(discord.url, database, arguments=IMPATIENT):
        await discord.until(lambda: is_complete(discord))
    assert len(changes(discord)) == 3


async def test_creating_an_emoji_is_retried_after_a_refusal(discord: Discord, database: Path) -> None:
    fill(discord, "joker")
    full = Refused(400, 30008, "Maximum number of emojis reached (2000)")
    discord.faults.append(Fault("POST emojis", refusal=full, times=2))
    async with running(discord.url, database, arguments=IMPATIENT) as bot:
        await discord.until(lambda: is_complete(discord))
        _, said = await bot.end(signal.SIGTERM)
    assert said.count("emojis can't be completed; retrying in 1 s") == 2
    assert "ERROR" not in said


async def test_emojis_are_created_after_something_else_has_answered(discord: Discord, database: Path) -> None:
    fill(discord, "joker")
    discord.faults.append(Fault("GET emojis", page=Page(200, "<html>Log in</html>")))
    async with running(discord.url, database, arguments=IMPATIENT) as bot:
        await discord.until(lambda: is_complete(discord))
        _, said = await bot.end(signal.SIGTERM)
    assert "emojis can't be completed; retrying" in said


async def test_a_rate_limit_while_creating_emojis_delays_no_game(discord: Discord, database: Path) -> None:
    slow = Refused(429, 0, "You are being rate limited.", retry_after_s=3600, scope="user")
    discord.faults.append(Fault("POST emojis", refusal=slow, times=99))
    people = [Person(discord, "Ann"), Person(discord, "Ben")]
    async with running(discord.url, database, arguments=IMPATIENT):
        await discord.gateway.until_ready()
        await discord.until(lambda: discord.went_wrong)
        await open_table(people, **GAMES["pond"])
        await play_on(people, doors("pond"), random.Random(1), rounds=8)
    assert len(discord.went_wrong) == 1  # the bot waits as long as it has to


async def test_players_who_want_text_alone_get_no_emojis_in_private(discord: Discord, database: Path) -> None:
    fill(discord)
    ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
    async with running(discord.url, database, arguments=IMPATIENT):
        await discord.gateway.until_ready()
        await ann.type("settings", hands="text")
        await open_table([ann, ben], **GAMES["pond"])
        await discord.until(lambda: hands(ann) and hands(ben))
        for person, expects in ((ann, False), (ben, True)):
            opened = await person.opens(person.board, "My hand")
            for message in (hands(person)[-1], opened):
                assert bool(set(used(message))) == expects
                assert expects or "<:" not in message.text


@pytest.mark.parametrize(
    "game", ["pond", "frogs", *(pytest.param(game, marks=on_demand) for game in ("pontis", "potblack"))]
)
async def test_a_game_is_played_with_emojis(discord: Discord, database: Path, game: str) -> None:
    fill(discord)
    people = [Person(discord, name) for name in ("Ann", "Ben")]
    async with running(discord.url, database, arguments=IMPATIENT):
        await discord.gateway.until_ready()
        await open_table(people, game, **GAMES[game])
        await play_on(people, doors(game), random.Random(game), None if IS_COMPLETE else 6)
        if IS_COMPLETE:
            await see_the_end(people)
    assert any("'emoji': {" in str(body) for _, path, body in discord.requests if "messages" in path)
    assert discord.refused == discord.slowed_down == changes(discord) == []


async def test_a_game_is_played_in_text_while_an_emoji_is_missing(discord: Discord, database: Path) -> None:
    fill(discord, "joker")
    discord.faults.append(Fault("POST emojis", times=99))
    people = [Person(discord, name) for name in ("Ann", "Ben")]
    async with running(discord.url, database, arguments=IMPATIENT):
        await discord.gateway.until_ready()
        await open_table(people, **GAMES["pond"])
        await play_on(people, doors("pond"), random.Random(1), rounds=8)
    assert not any("'emoji': {" in str(body) for _, path, body in discord.requests if "messages" in path)
    assert discord.refused == []


@pytest.mark.parametrize("game", [pytest.param("pond", marks=on_demand), "frogs"])
async def test_a_set_deleted_during_a_game_is_missed_at_once_and_created_again(
    discord: Discord, database: Path, game: str
) -> None:
    fill(discord)
    people = [Person(discord, name) for name in ("Ann", "Ben")]
    async with running(discord.url, database, arguments=IMPATIENT):
        await discord.gateway.until_ready()
        await open_table(people, game, **GAMES[game])
        await play_on(people, doors(game), random.Random(game), rounds=2)
        discord.backend.application_emojis.clear()
        await play_on(people, doors(game), random.Random(game), rounds=4)
        await discord.until(lambda: is_complete(discord))
        await play_on(people, doors(game), random.Random(game), rounds=4)
    assert discord.refused
    assert all("EMOJI" in refused for refused in discord.refused)
    assert not discord.slowed_down


async def test_outdated_emojis_are_kept_while_another_process_uses_them(discord: Discord, database: Path) -> None:
    fill(discord)
    old, others = {"joker_0000", "king_of_diamonds_0000"}, {"joker", "our_logo", "mascot_beef"}
    for name in old | others:
        discord.backend.create_application_emoji(name)
    async with await SqliteStore.open(database) as store:
        await store.bot_processes.renew("another process", "another set", 0, SLOTS, 3600)
        async with running(discord.url, database, arguments=IMPATIENT):
            await reported(database)
            await reported(database)  # the decision after the first report has been made
            assert names(discord) > old
            await store.bot_processes.renew("another process", "another set", 0, SLOTS, -3600)
            await discord.until(lambda: not names(discord) & old)
    assert names(discord) == set(full_names().values()) | others


async def test_the_command_prints_what_is_missing_and_outdated(discord: Discord, database: Path) -> None:
    fill(discord, "joker")
    discord.backend.create_application_emoji("joker_0000")
    async with running(discord.url, database, arguments=("-m", "bot", "emojis")) as command:
        status, printed, said = await command.output()
    assert (status, said) == (0, "")
    missing = full_names()["joker"]
    assert printed == f"67 of 68 emojis\nmissing {missing}\noutdated joker_0000\n"


async def reported(database: Path) -> None:
    """Wait until a process reports which emojis it uses."""
    before = expiries(database)
    await until(lambda: expiries(database) - before)


def expiries(database: Path) -> set[float]:
    """Return until when the reports of processes are valid."""
    with closing(sqlite3.connect(database)) as connection:
        return {at for (at,) in connection.execute("SELECT expires_at FROM bot_processes")}
