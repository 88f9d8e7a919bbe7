"""Each line of the log that a press causes says which press, where, at which table and by whom."""

import logging
from collections.abc import Iterator

import pytest

from bot.logs import About
from tests.discord.play import World
from tests.waiting import until


class Lines(logging.Handler):
    """Collects records as the bot's own log gets them."""

    def __init__(self) -> None:
        super().__init__()
        self.addFilter(About())
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self.records.append(record)

    def about(self, text: str) -> list[dict[str, object]]:
        """Return the ids on the lines that contain a text."""
        names = ("server", "table", "user")
        found = [record for record in self.records if text in record.getMessage()]
        return [{name: vars(record).get(name) for name in names} for record in found if hasattr(record, "interaction")]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """The log of the bot."""
    lines = Lines()
    for name in ("bot", "cogs"):
        logging.getLogger(name).addHandler(lines)
    yield lines
    for name in ("bot", "cogs"):
        logging.getLogger(name).removeHandler(lines)


async def test_the_lines_of_a_press_have_its_ids(world: World, lines: Lines, caplog: pytest.LogCaptureFixture) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    await world.set_read_only(is_read_only=True)
    assert "Reference" in (await ben.clicks(lobby, "Join")).text
    await world.set_read_only(is_read_only=False)
    assert lines.about("reference ") == [{"server": world.server.id, "table": 1, "user": ben.id}]
    caplog.clear()  # the error was wanted


async def test_the_lines_of_the_work_that_a_press_begins_have_its_ids(world: World, lines: Lines) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    await world.wait(60)
    world.breaks("PATCH", "/channels/*/messages/*", 500, times=None)
    world.breaks("POST", "/channels/*/messages", 500, times=None)
    await ben.clicks(lobby, "Join")
    await until(lambda: lines.about("can't be brought up to date"))
    world.mends()
    expected = {"server": world.server.id, "table": 1, "user": ben.id}
    assert expected in lines.about("can't be brought up to date")


async def test_the_calendar_has_no_ids_of_a_press(world: World, lines: Lines) -> None:
    (ann,) = world.people(1)
    await ann.types("night", when="in 2 hours")
    world.execute("UPDATE nights SET game = 'chess'")
    await world.wait(2 * 3600 + 60)
    begun = [record for record in lines.records if "can't begin" in record.getMessage()]
    assert len(begun) == 1
    assert not hasattr(begun[0], "interaction")
