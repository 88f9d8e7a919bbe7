"""While the database can't be used, players are refused, and the log stays readable."""

import re
import resource
import signal
from pathlib import Path

from tests.postgres_server import PostgresServer
from tests.silent_proxy import silent_proxy
from tests.waiting import until
from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.people import Person, moves
from tests.wire.playing import hands, open_table

REFUSAL = "I can't save or load games right now. Nothing has changed. Try again soon."
PRESSES = 5
DATABASE = "quiet"


async def references(person: Person) -> set[str]:
    """Press a move, and open the table's pages, some times. Return the references of the refusals."""
    hand, found = hands(person)[-1], set[str]()
    for _ in range(PRESSES):
        answer = (await person.press(hand, *moves(hand)[0])).original
        if answer is not None and REFUSAL in answer.text:
            found |= set(re.findall(r"Reference \*\*(\w+)\*\*", answer.text))
        await person.press_label(person.board, "My hand")
        await person.complete("pond move", "move")
    return found


def check_log(said: str, reference: str) -> None:
    """Check that the log has the reference once, and neither errors nor tracebacks."""
    assert said.count(reference) == 1
    assert not [word for word in (" ERROR ", "Traceback", "never awaited", "never retrieved") if word in said], said
    kinds = [re.sub(r"\d+", "#", line.partition(" (and ")[0]) for line in said.splitlines()]
    assert len(kinds) == len(set(kinds))


async def test_a_full_disk_is_one_line_a_minute_and_one_reference(tmp_path: Path) -> None:
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db") as bot:
        await discord.gateway.until_ready()
        ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
        await open_table((ann, ben), players=2, rounds=2)
        await until(lambda: hands(ann))
        unlimited = resource.prlimit(bot.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        (reference,) = await references(ann)
        resource.prlimit(bot.pid, resource.RLIMIT_FSIZE, unlimited)
        await ann.press(hands(ann)[-1], *moves(hands(ann)[-1])[0])
        await discord.until(lambda: "\n**Ann**: set a card aside." not in ann.board.text)
        _, said = await bot.end(signal.SIGTERM)
    check_log(said, reference)


async def test_a_server_that_is_away_is_one_line_a_minute_and_one_reference(postgres: PostgresServer) -> None:
    postgres.sql(f"CREATE DATABASE {DATABASE}")
    async with (
        silent_proxy(postgres) as proxy,
        Discord() as discord,
        running(discord.url, proxy.url(DATABASE)) as bot,
    ):
        await discord.gateway.until_ready()
        ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
        await open_table((ann, ben), players=2, rounds=2)
        await until(lambda: hands(ann))
        proxy.is_silent = True
        hand = hands(ann)[-1]
        await ann.press(hand, *moves(hand)[0])
        await discord.until(lambda: REFUSAL in ann.seen[-1].text)
        (reference,) = re.findall(r"Reference \*\*(\w+)\*\*", ann.seen[-1].text)
        proxy.is_silent = False
        _, said = await bot.end(signal.SIGTERM)
    postgres.sql(f"DROP DATABASE {DATABASE} WITH (FORCE)")
    check_log(said, reference)
