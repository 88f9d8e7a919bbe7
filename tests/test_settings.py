"""Settings: where they come from, and that every mistake is told at once."""

from pathlib import Path

import pytest

from bot import settings
from bot.errors import SettingsError
from bot.settings import Settings

EXAMPLE = Path(__file__).parents[1] / ".env.example"
NO_FILE = Path("there is no such file")


def _mistakes(environment: dict[str, str], file: Path = NO_FILE) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        settings.load(environment, file)
    return caught.value.sentence.splitlines()


def test_without_any_setting_there_are_defaults() -> None:
    assert settings.load({}, NO_FILE) == Settings(None, None, Path("lilypad.db"), "INFO")


def test_the_example_holds_every_setting_with_its_default() -> None:
    written = [line.partition("=")[0] for line in EXAMPLE.read_text().splitlines() if line and not line.startswith("#")]
    assert written == list(settings.NAMES)
    assert settings.load({}, EXAMPLE) == settings.load({}, NO_FILE)


def test_every_setting_of_the_example_has_its_comment() -> None:
    for paragraph in EXAMPLE.read_text().split("\n\n")[1:]:
        comment, assignment = paragraph.strip().splitlines()
        assert comment.startswith("# ")
        assert assignment.partition("=")[0] in settings.NAMES


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(
        "LOG_LEVEL=debug\nDATABASE_URL='sqlite:////var/lib/Frösche.db' # quoted\nOTHER=1\n", encoding="utf-8"
    )
    loaded = settings.load({"LOG_LEVEL": "error", "HOME": "/"}, file)
    assert loaded == Settings(None, None, Path("/var/lib/Frösche.db"), "ERROR")


def test_an_empty_value_counts_as_absent() -> None:
    assert settings.load(dict.fromkeys(settings.NAMES, " "), NO_FILE) == settings.load({}, NO_FILE)


def test_the_api_address_has_no_slash_at_its_end() -> None:
    loaded = settings.load({"DISCORD_API_URL": "http://127.0.0.1:8080/api/v10/"}, NO_FILE)
    assert loaded.discord_api_url == "http://127.0.0.1:8080/api/v10"


def test_all_mistakes_are_reported_together(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"LOG_LEVEL=\xff\n")
    wrong = {
        "DISCORD_TOKEN": "two words",
        "DISCORD_API_URL": "ftp://discord.com",
        "DATABASE_URL": "postgresql://localhost/lilypad",
        "LOG_LEVEL": "LOUD",
        "LOG_FORMAT": "verse",
        "METRICS_PORT": "0",
        "MAX_TABLES_PER_HOST": "0",
        "MAX_TABLES_PER_CHANNEL": "many",
        "MAX_TABLES_PER_SERVER": "1000001",
        "KEEP_TABLES_DAYS": "0",
    }
    mistakes = _mistakes(wrong, file)
    assert len(mistakes) == 11
    assert mistakes[0] == f"{file} is not UTF-8 text."
    assert {mistake.split()[0] for mistake in mistakes[1:]} == set(settings.NAMES)


@pytest.mark.parametrize("port", ["0", "65536", "-1", "9100.0", "²", "http"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    assert _mistakes({"METRICS_PORT": port}) == [
        f"METRICS_PORT is {port!r}; it is a number from 1 to 65535, such as 9100."
    ]


@pytest.mark.parametrize("days", ["0", "36501", "-1", "1.5", "365d", "³", "0000365"])
def test_a_number_of_days_that_is_none_is_refused(days: str) -> None:
    assert _mistakes({"KEEP_TABLES_DAYS": days}) == [
        f"KEEP_TABLES_DAYS is {days!r}; it is a number of days from 1 to 36500, such as 365."
    ]


def test_tables_are_kept_for_as_long_as_asked_for() -> None:
    assert settings.load({}, NO_FILE).keep_tables_days == 365
    assert settings.load({"KEEP_TABLES_DAYS": "30"}, NO_FILE).keep_tables_days == 30


def test_the_log_and_the_metrics_are_as_asked_for() -> None:
    loaded = settings.load({"LOG_FORMAT": "JSON", "METRICS_PORT": "9100"}, NO_FILE)
    assert (loaded.log_format, loaded.metrics_port) == ("json", 9100)


def test_the_maximum_numbers_of_tables_can_be_set() -> None:
    loaded = settings.load({"MAX_TABLES_PER_HOST": "1", "MAX_TABLES_PER_SERVER": " 1000000 "}, NO_FILE)
    assert (loaded.max_tables_per_host, loaded.max_tables_per_channel, loaded.max_tables_per_server) == (1, 50, 10**6)


@pytest.mark.parametrize("count", ["0", "-1", "1.5", "²", "1000001", "9" * 30])
def test_a_maximum_that_is_no_number_of_tables_is_refused(count: str) -> None:
    assert _mistakes({"MAX_TABLES_PER_HOST": count}) == [
        f"MAX_TABLES_PER_HOST is {count!r}; it is a number from 1 to 1,000,000, such as 20."
    ]


@pytest.mark.parametrize(
    "url",
    [
        "discord.com/api/v10",
        "http://",
        "http://host:port/",
        "http://[::1/",
        "https://h/api?x=1",
        "//host/api",
        "http:x",
    ],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    assert _mistakes({"DISCORD_API_URL": url})[0].startswith("DISCORD_API_URL")


@pytest.mark.parametrize(
    "url", ["lilypad.db", "sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite:///dir/", "mysql:///x"]
)
def test_a_database_that_is_no_sqlite_file_is_refused(url: str) -> None:
    assert _mistakes({"DATABASE_URL": url})[0].startswith("DATABASE_URL")


def test_a_line_that_sets_nothing_is_named(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("LOG_LEVEL=INFO\n!?\n\n'a\n")
    assert _mistakes({}, file) == [f"{file} has no NAME=value on line 2, 4."]


def test_a_file_that_is_none_is_a_mistake(tmp_path: Path) -> None:
    assert _mistakes({}, tmp_path)[0].startswith(f"{tmp_path} can't be read")


def test_the_token_is_in_no_text() -> None:
    assert "hush" not in repr(settings.load({"DISCORD_TOKEN": "hush.hush"}, NO_FILE))
    assert "hush" not in "".join(_mistakes({"DISCORD_TOKEN": "hush hush"}))
