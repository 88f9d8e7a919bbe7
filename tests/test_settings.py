"""The sources of settings, and the reporting of mistakes."""

import re
from pathlib import Path

import pytest

from bot import settings
from bot.errors import SettingsError
from bot.settings import ONE_SHARD, Settings, Shards

EXAMPLE = Path(__file__).parents[1] / ".env.example"
NO_FILE = Path("there is no such file")


def _mistakes(environment: dict[str, str], file: Path = NO_FILE) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        settings.load(environment, file)
    return caught.value.sentence.splitlines()


def test_every_setting_has_a_default() -> None:
    assert settings.load({}, NO_FILE) == Settings(None, None, Path("lilypad.db"), None, "INFO")


def test_the_example_has_every_setting_with_its_default() -> None:
    written = [line.partition("=")[0] for line in EXAMPLE.read_text().splitlines() if line and not line.startswith("#")]
    assert written == list(settings.NAMES)
    assert settings.load({}, EXAMPLE) == settings.load({}, NO_FILE)


def test_every_setting_in_the_example_has_a_comment() -> None:
    for paragraph in EXAMPLE.read_text().split("\n\n")[1:]:
        comment, assignment = paragraph.strip().splitlines()
        assert comment.startswith("# ")
        assert assignment.partition("=")[0] in settings.NAMES


def test_the_environment_takes_precedence_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(
        "LOG_LEVEL=debug\nDATABASE_URL='sqlite:////var/lib/Frösche.db' # quoted\nOTHER=1\n", encoding="utf-8"
    )
    loaded = settings.load({"LOG_LEVEL": "error", "HOME": "/"}, file)
    assert loaded == Settings(None, None, Path("/var/lib/Frösche.db"), None, "ERROR")


def test_an_empty_value_counts_as_absent() -> None:
    assert settings.load(dict.fromkeys(settings.NAMES, " "), NO_FILE) == settings.load({}, NO_FILE)


def test_a_trailing_slash_of_the_api_url_is_removed() -> None:
    loaded = settings.load({"DISCORD_API_URL": "http://127.0.0.1:8080/api/v10/"}, NO_FILE)
    assert loaded.discord_api_url == "http://127.0.0.1:8080/api/v10"


def test_all_mistakes_are_reported_together(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"LOG_LEVEL=\xff\n")
    wrong = {
        "DISCORD_TOKEN": "two words",
        "DISCORD_API_URL": "ftp://discord.com",
        "DATABASE_URL": "mysql://localhost/lilypad",
        "SHARDS": "all",
        "LOG_LEVEL": "LOUD",
        "LOG_FORMAT": "verse",
        "METRICS_PORT": "0",
        "MAX_TABLES_PER_HOST": "0",
        "MAX_TABLES_PER_CHANNEL": "many",
        "MAX_TABLES_PER_SERVER": "1000001",
        **dict.fromkeys(settings.HOURLY_QUOTAS, "0"),
        "KEEP_TABLES_DAYS": "0",
        "THINKERS": "0",
        "BACKUPS": "weekly:7",
        "OWNER_SERVER": "my server",
        "REPORT_CHANNEL": "#reports",
        "PRIVACY_URL": "docs/PRIVACY.md",
        "TERMS_URL": "ftp://example.org/terms",
    }
    mistakes = _mistakes(wrong, file)
    assert len(mistakes) == 24
    assert mistakes[0] == f"{file} is not UTF-8 text."
    assert {mistake.split()[0] for mistake in mistakes[1:]} == set(settings.NAMES)


@pytest.mark.parametrize("backups", ["daily", "daily:0", "daily:366", "hourly:7", "7", "daily:7:7", "daily:²"])
def test_invalid_backups_are_refused(backups: str) -> None:
    (mistake,) = _mistakes({"BACKUPS": backups})
    assert mistake.startswith("BACKUPS is ")


def test_backups_of_postgres_are_left_to_pg_dump() -> None:
    (mistake,) = _mistakes({"BACKUPS": "daily:7", "DATABASE_URL": "postgresql://lilypad@localhost/lilypad"})
    assert "pg_dump" in mistake


def test_what_only_hosts_of_larger_bots_set_is_off_by_default() -> None:
    loaded = settings.load({}, NO_FILE)
    assert (loaded.backups, loaded.owner_server, loaded.report_channel) == (0, None, None)
    given = {
        "BACKUPS": "Daily:7",
        "OWNER_SERVER": "1281977465",
        "REPORT_CHANNEL": "7",
        "TERMS_URL": "https://a.example/t",
    }
    loaded = settings.load(given, NO_FILE)
    assert (loaded.backups, loaded.owner_server, loaded.report_channel) == (7, 1281977465, 7)
    assert (loaded.privacy_url, loaded.terms_url) == (None, "https://a.example/t")


@pytest.mark.parametrize("port", ["0", "65536", "-1", "9100.0", "²", "http"])
def test_invalid_ports_are_refused(port: str) -> None:
    assert _mistakes({"METRICS_PORT": port}) == [
        f"METRICS_PORT is {port!r}; it is a number from 1 to 65535, such as 9100."
    ]


@pytest.mark.parametrize("days", ["0", "36501", "-1", "1.5", "365d", "³", "0000365"])
def test_invalid_numbers_of_days_are_refused(days: str) -> None:
    assert _mistakes({"KEEP_TABLES_DAYS": days}) == [
        f"KEEP_TABLES_DAYS is {days!r}; it is a number of days from 1 to 36500, such as 365."
    ]


def test_the_days_to_keep_tables_can_be_set() -> None:
    assert settings.load({}, NO_FILE).keep_tables_days == 365
    assert settings.load({"KEEP_TABLES_DAYS": "30"}, NO_FILE).keep_tables_days == 30


def test_the_number_of_processes_to_think_in_can_be_set() -> None:
    assert settings.load({}, NO_FILE).thinkers >= 1
    assert settings.load({"THINKERS": "3"}, NO_FILE).thinkers == 3


def test_the_log_format_and_metrics_port_can_be_set() -> None:
    loaded = settings.load({"LOG_FORMAT": "JSON", "METRICS_PORT": "9100"}, NO_FILE)
    assert (loaded.log_format, loaded.metrics_port) == ("json", 9100)


def test_the_maximum_numbers_of_tables_can_be_set() -> None:
    loaded = settings.load({"MAX_TABLES_PER_HOST": "1", "MAX_TABLES_PER_SERVER": " 1000000 "}, NO_FILE)
    assert (loaded.max_tables_per_host, loaded.max_tables_per_channel, loaded.max_tables_per_server) == (1, 50, 10**6)


@pytest.mark.parametrize("count", ["0", "-1", "1.5", "²", "1000001", "9" * 30])
def test_invalid_maximum_numbers_of_tables_are_refused(count: str) -> None:
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
        "http://127.0.0.1:8080/a\0b",
        "http://127.0.0.1:8080/a b",
    ],
)
def test_invalid_api_urls_are_refused(url: str) -> None:
    assert _mistakes({"DISCORD_API_URL": url})[0].startswith("DISCORD_API_URL")


@pytest.mark.parametrize(
    "url",
    [
        *("lilypad.db", "sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite:///dir/", "mysql:///x"),
        *("postgresql://host", "postgresql://host/", "postgresql://[::1/x", "postgresql://host/x?sslmode"),
        *("postgresql://host/a/b", "postgresql://host/x#1", "postgresql:host/x", "sqlite:///lilypad.db?mode=ro"),
    ],
)
def test_databases_that_are_neither_files_nor_on_a_server_are_refused(url: str) -> None:
    assert _mistakes({"DATABASE_URL": url})[0].startswith("DATABASE_URL")


@pytest.mark.parametrize(
    "url",
    [
        *("postgresql://lily:secret@db.example:5432/pond?sslmode=verify-full", "postgres:///pond"),
        *("postgresql://lily:sec%40secret@one,two:5433/pond", "postgresql://[::1]:1,[::2]/pond?password=secret"),
        "postgresql://lily:secret@%2Frun%2Fpostgresql/pond",
    ],
)
def test_a_database_on_a_server_is_used_instead_of_a_file(url: str) -> None:
    loaded = settings.load({"DATABASE_URL": url}, NO_FILE)
    assert loaded.database == url
    assert "secret" not in repr(loaded) + settings.shown(url)


def test_a_mistake_in_the_address_of_a_database_does_not_show_its_password() -> None:
    (mistake,) = _mistakes({"DATABASE_URL": "postgresql://lily:secret@db.example/"})
    assert "secret" not in mistake
    assert "db.example" in mistake


@pytest.mark.parametrize(
    ("text", "shards"),
    [
        ("auto", None),
        ("AUTO", None),
        ("0-3/16", Shards((0, 1, 2, 3), 16)),
        ("5/16", Shards((5,), 16)),
        ("15-15/16", Shards((15,), 16)),
        ("0/1", ONE_SHARD),
    ],
)
def test_the_shards_of_a_process_can_be_set(text: str, shards: Shards | None) -> None:
    assert settings.load({"SHARDS": text}, NO_FILE).shards == shards


@pytest.mark.parametrize(
    "text", ["16", "16/16", "3-0/16", "0-16/16", "-1/16", "0-3", "1,2/4", "0/0", "²/4", "0/100001"]
)
def test_shards_that_do_not_exist_are_refused(text: str) -> None:
    assert _mistakes({"SHARDS": text}) == [
        f"SHARDS is {text!r}; it is auto, or shards counted from 0 and the number of all, such as 0-3/16 or 5/16."
    ]


def test_malformed_lines_are_named(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("LOG_LEVEL=INFO\n!?\n\n'a\n")
    assert _mistakes({}, file) == [f"{file} has no NAME=value on line 2, 4."]


def test_an_unreadable_file_is_a_mistake(tmp_path: Path) -> None:
    assert _mistakes({}, tmp_path)[0].startswith(f"{tmp_path} can't be read")


@pytest.mark.parametrize(
    ("written", "has_secrets"),
    [("DISCORD_TOKEN=hush", True), ("DATABASE_URL=postgresql://lily:hush@db/pond", True), ("LOG_FORMAT=json", False)],
)
def test_only_tokens_and_addresses_are_secrets(written: str, has_secrets: bool, tmp_path: Path) -> None:  # noqa: FBT001 - parameter of a test
    file = tmp_path / ".env"
    file.write_text(f"DISCORD_TOKEN=\n{written}\n")
    assert settings.has_secrets(file) == has_secrets


def test_the_token_is_in_no_repr_and_no_mistake() -> None:
    assert "hush" not in repr(settings.load({"DISCORD_TOKEN": "hush.hush"}, NO_FILE))
    assert "hush" not in "".join(_mistakes({"DISCORD_TOKEN": "hush hush"}))


@pytest.mark.parametrize("value", ['"json"', "'json'", "json # for Loki", '"json" # for Loki', " json\t", "JSON"])
def test_values_of_the_environment_are_read_like_those_of_the_file(value: str, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"LOG_FORMAT={value}\n", encoding="utf-8")
    assert settings.load({}, tmp_path / ".env").log_format == "json"
    assert settings.load({"LOG_FORMAT": value}, NO_FILE).log_format == "json"


def test_quotes_that_do_not_match_are_named() -> None:
    assert _mistakes({"LOG_FORMAT": '"json'}) == ["LOG_FORMAT has a quotation mark without its counterpart."]


def test_an_empty_value_of_the_environment_hides_none_of_the_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("METRICS_PORT=9100\nLOG_FORMAT=json\nDATABASE_URL=sqlite:////data/a.db\n")
    empty = dict.fromkeys(settings.NAMES, "") | {"LOG_FORMAT": '""'}
    loaded = settings.load(empty, tmp_path / ".env")
    assert (loaded.metrics_port, loaded.log_format, loaded.database) == (9100, "json", Path("/data/a.db"))


def test_a_relative_path_is_in_the_directory_of_the_service(tmp_path: Path) -> None:
    for url, path in (
        ("", "/var/lib/lilypad/lilypad.db"),
        ("sqlite:///lilypad.db", "/var/lib/lilypad/lilypad.db"),
        ("sqlite:////srv/other.db", "/srv/other.db"),
    ):
        (tmp_path / ".env").write_text(f"DATABASE_URL={url}\n")
        loaded = settings.load({"STATE_DIRECTORY": "/var/lib/lilypad:/var/lib/other"}, tmp_path / ".env")
        assert loaded.database == Path(path)


def test_a_database_in_the_file_is_used_by_the_service(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DATABASE_URL=postgresql://db.example/pond\n")
    unit = (EXAMPLE.parent / "deploy/lilypad.service").read_text(encoding="utf-8")
    environment = dict(re.findall(r"^Environment=(\w+)=(.*)$", unit, re.MULTILINE))
    assert settings.load(environment, tmp_path / ".env").database == "postgresql://db.example/pond"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-8"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_files_of_editors_on_windows_are_read(encoding: str, end: str, tmp_path: Path) -> None:
    content = end.join(("# Frösche", "export LOG_LEVEL = debug", "SHARDS=0/2  # both", ""))
    (tmp_path / ".env").write_bytes(content.encode(encoding))
    loaded = settings.load({}, tmp_path / ".env")
    assert (loaded.log_level, loaded.shards, loaded.warnings) == ("DEBUG", Shards((0,), 2), ())


def test_an_empty_value_after_another_one_is_no_second_value(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("SHARDS=0/2\nSHARDS=\n")
    loaded = settings.load({}, tmp_path / ".env")
    assert (loaded.shards, loaded.warnings) == (Shards((0,), 2), ())


def test_names_that_look_like_mistakes_are_warned_about(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("LOG_FORMT=json\nSHARDS=0/1\nSHARDS=0/2\nHAIR=long\n")
    loaded = settings.load({"METRIC_PORT": "9100", "PATH": "/bin"}, file)
    assert loaded.shards == Shards((0,), 2)
    assert loaded.warnings == (
        f"{file} sets LOG_FORMT, which is no setting. Did you mean LOG_FORMAT?",
        f"{file} sets SHARDS more than once; the last one counts.",
        f"{file} sets HAIR, which is no setting.",
        "The environment sets METRIC_PORT, which is no setting. Did you mean METRICS_PORT?",
    )


@pytest.mark.parametrize(
    "address",
    [
        *("host=db.example password=secret", "postgresql://lily:sec/ret@db.example/pond/x", "postgresql://lily:secret"),
        *("postgresql://lily@db.example/?password=secret", "mysql://lily:sec@ret@db.example/x", "secret"),
        *(f"postgresql://lily:sec{special}ret@db.example" for special in "@/?#"),
        *(f"postgresql://lily:sec{special}ret@db.example/pond?sslmode=require" for special in "@/?#"),
        *("postgresql://lily:sec?a=b&ret@db.example/pond", "postgresql://lily:1#secret@db.example:5432/pond"),
        *("postgresql://lily@db.example/pond?password=sec@ret", "postgresql://db.example:secret/pond"),
        *("postgresql://lily:sec/ret@db.example", "postgresql://lily:sec/ret", "postgresql://lily:sec/ret?x=1"),
        *("postgresql://lily:sec?ret@db.example/x", "postgresql://lily:sec#ret@db.example/x"),
        *("postgresql://lily:1/sec?ret@db.example/x=1", "postgresql://a:1,b:secret/x"),
    ],
)
def test_no_mistake_in_an_address_shows_a_password(address: str) -> None:
    (mistake,) = _mistakes({"DATABASE_URL": address})
    assert not re.search("sec|ret", mistake)


@pytest.mark.parametrize(
    "address", ["ftp://lily:secret@host", "http://lily:secret@", "http://host/?token=secret", "lily:secret@host"]
)
def test_no_mistake_in_the_address_of_the_api_shows_a_password(address: str) -> None:
    (mistake,) = _mistakes({"DISCORD_API_URL": address})
    assert "secret" not in mistake
    assert "secret" not in repr(settings.load({"DISCORD_API_URL": "http://lily:secret@host/api"}, NO_FILE))


@pytest.mark.parametrize("name", [name for name in settings.NAMES if name != "DISCORD_TOKEN"])
@pytest.mark.parametrize("around", ["{}", "Bot {}", "x" * 90 + " {}", "http://{} /"])
def test_a_token_in_the_wrong_variable_is_not_shown(name: str, around: str) -> None:
    token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GfakeX.not-a-real-token-but-of-its-form-00"  # noqa: S105 - made up
    (mistake,) = _mistakes({name: around.format(token)})
    assert [part for part in (name, *token.split(".")) if part in mistake] == [name]


@pytest.mark.parametrize("name", [name for name in settings.NAMES if name not in {"DISCORD_TOKEN", "DATABASE_URL"}])
@pytest.mark.parametrize(
    "part", ["MTIzNDU2Nzg5MDEyMzQ1Njc4.GfakeX", "not-a-real-token-but-of-its-form-00", "password=hush-hush-hush"]
)
def test_a_part_of_a_token_in_the_wrong_variable_is_not_shown(name: str, part: str) -> None:
    (mistake,) = _mistakes({name: part})
    assert mistake.startswith(f"{name} is '{part[:4]}…'; it is ")
    assert part[:5] not in mistake


@pytest.mark.parametrize(
    "line", ["postgresql://lily:hush@db.example/pond?a=b", "MTIzNDU2Nzg5MDEyMzQ1Njc4.GfakeX.not-a-real=1"]
)
def test_a_line_that_sets_nothing_is_not_shown(line: str, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"{line}\nSHARDS=0/1\n")
    assert settings.load({}, tmp_path / ".env").warnings == (f"{tmp_path / '.env'} has a line that isn't NAME=value.",)


def test_a_long_value_is_clipped_and_escaped_in_its_mistake() -> None:
    (mistake,) = _mistakes({"LOG_LEVEL": "\x1b[31m" + "x" * 10_000})
    assert len(mistake) < 250
    assert mistake.isprintable()


def test_a_mistake_in_an_address_says_how_to_write_special_characters() -> None:
    (mistake,) = _mistakes({"DATABASE_URL": "postgresql://lily:a/b@db.example/pond"})
    assert "percent-encoded, such as %40 for @" in mistake


@pytest.mark.parametrize("name", settings.NAMES)
def test_a_value_with_a_null_character_is_a_mistake(name: str, tmp_path: Path) -> None:
    valid = {"DISCORD_API_URL": "http://127.0.0.1:80/", "DATABASE_URL": "postgresql://lily:a@db.example/pond"}
    (tmp_path / ".env").write_bytes(f"{name}={valid.get(name, '1')}\0\n".encode())
    with pytest.raises(SettingsError) as raised:
        settings.load({}, tmp_path / ".env")
    assert raised.value.sentence.startswith(name)
