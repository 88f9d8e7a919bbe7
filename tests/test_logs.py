"""The format of log lines, and what they never contain."""

import asyncio
import contextvars
import json
import logging
import sys
from collections.abc import Iterator

import pytest

from bot import logs


def set_up(level: str, form: str, secret: str | None = None) -> None:
    """Set up the log as in a new process."""
    logging.getLogger().handlers.clear()
    logs.set_up(level, form, secret)


@pytest.fixture(autouse=True)
def _levels_as_before() -> Iterator[None]:
    """Restore the log after the test."""
    root = logging.getLogger()
    before = root.level, list(root.handlers), {name: logging.getLogger(name).level for name in logs.VERBOSE}
    yield
    root.handlers[:] = before[1]
    root.setLevel(before[0])
    for name, level in before[2].items():
        logging.getLogger(name).setLevel(level)


def test_a_json_line_has_time_level_logger_message_and_extras(capsys: pytest.CaptureFixture[str]) -> None:
    set_up("INFO", "json")
    logging.getLogger("bot.ui").warning("table %s: ♦ lost", 7, extra={"reference": "A1B2C3", "table": 7})
    (line,) = capsys.readouterr().err.splitlines()
    told = json.loads(line)
    assert told.pop("at").endswith("+00:00")
    expected = {"level": "WARNING", "logger": "bot.ui", "message": "table 7: ♦ lost", "reference": "A1B2C3", "table": 7}
    assert told == expected


def test_an_exception_stays_on_its_json_line(capsys: pytest.CaptureFixture[str]) -> None:
    set_up("INFO", "json")
    try:
        _ = 1 / 0
    except ZeroDivisionError:
        logging.getLogger("bot").exception("reference %s", "A1B2C3")
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line)["exception"].splitlines()[-1] == "ZeroDivisionError: division by zero"


def test_a_plain_line_has_level_logger_and_message(capsys: pytest.CaptureFixture[str]) -> None:
    set_up("INFO", "plain")
    logging.getLogger("bot").info("all is well")
    logging.getLogger("bot").debug("not at this level")
    assert capsys.readouterr().err.endswith(" INFO bot: all is well\n")


@pytest.mark.parametrize("form", ["plain", "json"])
def test_tokens_are_never_logged(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    set_up("DEBUG", form, "hush.hush")
    try:
        sys.exit("Bot hush.hush")
    except SystemExit:
        logging.getLogger("bot").exception("sent %s", "hush.hush")
    logging.getLogger("bot").info("no answer from https://discord.com/api/v10/interactions/77/aW50ZXI.hush_-/callback")
    told = capsys.readouterr().err
    assert "hush" not in told
    assert told.count("[token]") >= 3


@pytest.mark.parametrize("name", logs.VERBOSE)
def test_libraries_do_not_log_message_contents_or_sql(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    set_up("DEBUG", "plain")
    logging.getLogger(name).debug("the hand")
    logging.getLogger(f"{name}.async_").debug("the seed")
    assert capsys.readouterr().err == ""


def passing(*messages: tuple[float, int, str]) -> list[str]:
    """Return what the filter for repetitions lets pass of messages with their time and level."""
    times = [at for at, _, _ in messages]
    repetitions = logs.Repetitions(lambda: times.pop(0))
    records = [logging.makeLogRecord({"name": "bot", "levelno": level, "msg": text}) for _, level, text in messages]
    return [record.getMessage() for record in records if repetitions.filter(record)]


def test_a_warning_that_repeats_appears_once_a_minute_and_is_counted() -> None:
    said = [
        (float(second), logging.WARNING, f"table {second}: retrying in {second / 2:.1f} s") for second in range(130)
    ]
    assert passing(*said) == [
        "table 0: retrying in 0.0 s",
        "table 60: retrying in 30.0 s (and 59 more like this)",
        "table 120: retrying in 60.0 s (and 59 more like this)",
    ]


def test_different_warnings_and_repeated_errors_all_appear() -> None:
    said = [
        (0.0, logging.WARNING, "the disk is full"),
        (0.0, logging.WARNING, "the disk is read-only"),
        *[(0.0, logging.ERROR, "reference 7")] * 2,
    ]
    assert passing(*said) == [text for _, _, text in said]


def log_error(name: str, error: Exception, message: str, *values: object) -> None:
    """Log an error that was raised."""
    try:
        raise error
    except ValueError:
        logging.getLogger(name).exception(message, *values)


ODD = "Ann\x1b[31m\r\n2026-01-01 00:00:00 ERROR bot: forged\u202e\x9b\u2028\x00"


@pytest.mark.parametrize("form", ["plain", "json"])
@pytest.mark.parametrize("name", ["bot", "discord.client", "aiohttp.client"])
def test_texts_from_outside_do_not_break_lines_or_control_terminals(
    form: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up("INFO", form)
    logging.getLogger(name).warning("odd: %s", ODD, extra={"reference": ODD})
    (line,) = capsys.readouterr().err.splitlines()
    assert line.isprintable()
    if form == "json":
        assert json.loads(line)["message"] == f"odd: {ODD}"


@pytest.mark.parametrize("form", ["plain", "json"])
def test_errors_that_quote_texts_from_outside_do_not_look_like_records(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up("INFO", form)
    log_error("bot", ValueError(ODD), "it failed")
    lines = capsys.readouterr().err.splitlines()
    assert all(line.isprintable() for line in lines)
    assert [line for line in lines if line.startswith("20") and "forged" in line] == []


@pytest.mark.parametrize("form", ["plain", "json"])
def test_long_texts_are_clipped(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    set_up("INFO", form)
    log_error("bot", ValueError("x" * 10**6), "it failed: %s", "y" * 10**6)
    assert len(capsys.readouterr().err) < 10_000


@pytest.mark.parametrize("form", ["plain", "json"])
@pytest.mark.parametrize(
    "address",
    [
        "postgresql://lily:hush@db.example/pond",
        "postgresql://lily:hu/s?h#@hush@db.example/pond",
        "postgresql://db.example/pond?user=lily&password=hush&sslpassword=hush",
        "http://lily:hush@127.0.0.1:8080/api/v10",
    ],
)
def test_passwords_in_addresses_are_never_logged(form: str, address: str, capsys: pytest.CaptureFixture[str]) -> None:
    set_up("INFO", form)
    log_error("asyncpg", ValueError(f"invalid DSN: {address!r}"), "not reached: %s", address)
    told = capsys.readouterr().err
    assert "hush" not in told
    assert "hu/s" not in told


@pytest.mark.parametrize("form", ["plain", "json"])
async def test_a_line_has_the_ids_of_what_has_caused_it(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    set_up("INFO", form)

    async def later() -> None:
        logging.getLogger("bot").warning("redrawn later")

    async def press() -> None:
        logs.note(interaction=77, server=5, user=7)
        logging.getLogger("bot").info("pressed", extra={"reference": "A1B2C3"})
        logs.note(table=12)
        await asyncio.create_task(later())

    await asyncio.create_task(press())
    logging.getLogger("bot").info("nobody's")
    pressed, redrawn, others = capsys.readouterr().err.splitlines()
    if form == "plain":
        assert pressed.endswith(" INFO bot: pressed [interaction 77, server 5, user 7]")
        assert redrawn.endswith(" WARNING bot: redrawn later [interaction 77, server 5, table 12, user 7]")
        assert others.endswith(" INFO bot: nobody's")
    else:
        ids = {"interaction": 77, "server": 5, "user": 7}
        names = {"interaction", "server", "table", "user"}
        told = [{key: each for key, each in json.loads(line).items() if key in names} for line in (pressed, redrawn)]
        assert told == [ids, ids | {"table": 12}]
        assert names.isdisjoint(json.loads(others))


def test_a_long_line_keeps_its_ids(capsys: pytest.CaptureFixture[str]) -> None:
    set_up("INFO", "plain")

    def press() -> None:
        logs.note(interaction=77)
        logging.getLogger("bot").info("x" * 10_000)

    contextvars.copy_context().run(press)
    assert capsys.readouterr().err.endswith(" [interaction 77]\n")
