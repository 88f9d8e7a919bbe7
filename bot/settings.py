"""Settings from the environment and a ``.env`` file. All mistakes are reported together.

The environment takes precedence over ``.env``. An empty value counts as absent. ``.env.example`` describes every
setting in `NAMES`; a test compares them.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from dotenv.parser import Binding, parse_stream

from bot.errors import SettingsError

QUOTAS: Final = {"MAX_TABLES_PER_HOST": 20, "MAX_TABLES_PER_CHANNEL": 50, "MAX_TABLES_PER_SERVER": 200}
"""Maximum numbers of open tables, with their defaults."""
KEEP_TABLES_DAYS: Final = 365
"""Default time for which finished tables are kept."""
NAMES: Final = (
    "DISCORD_TOKEN",
    "DISCORD_API_URL",
    "DATABASE_URL",
    "SHARDS",
    "LOG_LEVEL",
    "LOG_FORMAT",
    "METRICS_PORT",
    *QUOTAS,
    "KEEP_TABLES_DAYS",
    "THINKERS",
)
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOG_FORMATS: Final = ("plain", "json")
SQLITE: Final = "sqlite:///"
POSTGRES: Final = ("postgresql://", "postgres://")
ENV_FILE: Final = Path(".env")
DATABASE_PATH: Final = Path("lilypad.db")
_PASSWORD: Final = re.compile("://.*@")
_MOST_PORTS: Final = 2**16 - 1
_MOST_TABLES: Final = 1_000_000
_MOST_DAYS: Final = 36_500
_MOST_THINKERS: Final = 256
_ALL_SHARDS: Final = "auto"
_MOST_SHARDS: Final = 100_000
_SHARDS: Final = re.compile(r"(?P<first>\d{1,6})(-(?P<last>\d{1,6}))?/(?P<count>\d{1,6})", re.ASCII)


class Shards(NamedTuple):
    """The shards that a process runs, and the number of all shards of the bot."""

    shard_ids: tuple[int, ...]
    shard_count: int


ONE_SHARD: Final = Shards((0,), 1)
"""All shards of a small bot, and of a simulated one."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Valid settings. Their ``repr`` doesn't show the token, nor the password of the database.

    ``discord_token`` may be ``None``: only ``run`` needs one. ``discord_api_url`` is a REST base without a slash at the
    end, or ``None`` for Discord itself. ``database_path`` may be relative to the working directory. If there is a
    ``postgres_url``, that database is used instead of the file. Without ``shards``, the process runs all, as many as
    Discord recommends. ``log_level`` is one of `LOG_LEVELS`, ``log_format`` one of `LOG_FORMATS`. Without
    ``metrics_port``, no metrics are served.
    ``max_tables_per_…`` limit the number of open tables. Tables are deleted ``keep_tables_days`` after they end.
    ``thinkers`` is the maximum number of processes in which computers think, by default one less than the cores.
    """

    discord_token: str | None = field(default=None, repr=False)
    discord_api_url: str | None = None
    database_path: Path = DATABASE_PATH
    shards: Shards | None = None
    log_level: str = "INFO"
    log_format: str = "plain"
    metrics_port: int | None = None
    max_tables_per_host: int = QUOTAS["MAX_TABLES_PER_HOST"]
    max_tables_per_channel: int = QUOTAS["MAX_TABLES_PER_CHANNEL"]
    max_tables_per_server: int = QUOTAS["MAX_TABLES_PER_SERVER"]
    keep_tables_days: int = KEEP_TABLES_DAYS
    thinkers: int = max(1, (os.cpu_count() or 1) - 1)
    postgres_url: str | None = field(default=None, repr=False)

    @property
    def database(self) -> Path | str:
        """The SQLite file, or the URL of the PostgreSQL database."""
        return self.postgres_url or self.database_path


def load(environment: Mapping[str, str] = os.environ, file: Path = ENV_FILE) -> Settings:
    """Return the settings of this process. Raise `SettingsError` with every mistake, one per line."""
    mistakes: list[str] = []
    try:
        given = _read(file)
    except SettingsError as mistake:
        given = {}
        mistakes.append(mistake.sentence)
    given.update({name: environment[name] for name in NAMES if name in environment})
    given = {name: value.strip() for name, value in given.items() if value.strip()}
    mistakes += _mistakes(given)
    if mistakes:
        raise SettingsError("\n".join(mistakes))
    database = parse_database(given["DATABASE_URL"]) if "DATABASE_URL" in given else DATABASE_PATH
    return Settings(
        discord_token=given.get("DISCORD_TOKEN"),
        discord_api_url=given["DISCORD_API_URL"].rstrip("/") if "DISCORD_API_URL" in given else None,
        database_path=database if isinstance(database, Path) else DATABASE_PATH,
        postgres_url=database if isinstance(database, str) else None,
        shards=_shards(given.get("SHARDS", _ALL_SHARDS)),
        log_level=given.get("LOG_LEVEL", "INFO").upper(),
        log_format=given.get("LOG_FORMAT", "plain").lower(),
        metrics_port=int(given["METRICS_PORT"]) if "METRICS_PORT" in given else None,
        **{name.lower(): int(given.get(name, default)) for name, default in QUOTAS.items()},
        keep_tables_days=int(given.get("KEEP_TABLES_DAYS", KEEP_TABLES_DAYS)),
        **({"thinkers": int(given["THINKERS"])} if "THINKERS" in given else {}),
    )


def _read(file: Path) -> dict[str, str]:
    """Read the values in the file, if it exists. Raise `SettingsError` if it can't be read."""
    try:
        with file.open(encoding="utf-8") as lines:
            bindings = list(parse_stream(lines))
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError:
        raise SettingsError(f"{file} is not UTF-8 text.") from None
    except OSError as error:
        raise SettingsError(f"{file} can't be read: {error.strerror}.") from None
    if wrong := [_line(each) for each in bindings if each.error or (each.key is not None and each.value is None)]:
        raise SettingsError(f"{file} has no NAME=value on line {', '.join(wrong)}.")
    return {binding.key: binding.value for binding in bindings if binding.key and binding.value is not None}


def _line(binding: Binding) -> str:
    """Return the number of the line. The parser counts blank lines before a statement as part of it."""
    text = binding.original.string
    return str(binding.original.line + text.count("\n", 0, len(text) - len(text.lstrip())))


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        reachable = parts.hostname and parts.port != 0
    except ValueError:  # an invalid port, or a missing bracket
        return False
    return parts.scheme in {"http", "https"} and bool(reachable) and not (parts.query or parts.fragment)


def _is_number(greatest: int, text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= len(str(greatest)) and 0 < int(text) <= greatest


def parse_database(url: str) -> Path | str:
    """Return the path in a URL of SQLite, or a URL of PostgreSQL as it is."""
    return url if url.startswith(POSTGRES) else Path(url.removeprefix(SQLITE))


def is_database(url: str) -> bool:
    """Whether this is a URL of an SQLite file or of a PostgreSQL database."""
    if url.startswith(POSTGRES):
        return _is_postgres(url)
    path = url.removeprefix(SQLITE)
    return path not in {url, "", ":memory:"} and not path.endswith("/") and "\0" not in path


def _is_postgres(url: str) -> bool:
    try:
        parts = urlsplit(url)
        parse_qsl(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        return False
    return parts.path.count("/") == 1 and len(parts.path) > 1 and not parts.fragment and url.isprintable()


def _shards(text: str) -> Shards | None:
    """Return the shards of a setting such as ``0-3/16``; ``None`` for all. Raise `ValueError` if there are none."""
    if text.lower() == _ALL_SHARDS:
        return None
    if not (found := _SHARDS.fullmatch(text)):
        raise ValueError(text)
    first, last, count = int(found["first"]), int(found["last"] or found["first"]), int(found["count"])
    if not first <= last < count <= _MOST_SHARDS:
        raise ValueError(text)
    return Shards(tuple(range(first, last + 1)), count)


def _are_shards(text: str) -> bool:
    try:
        _shards(text)
    except ValueError:
        return False
    return True


class _Check(NamedTuple):
    """The accepted values of a setting, and how to describe them."""

    name: str
    accepts: Callable[[str], bool]
    expected: str


_CHECKS: Final = (
    _Check("DISCORD_API_URL", _is_http, "a web address such as http://127.0.0.1:8080/api/v10"),
    _Check(
        "DATABASE_URL",
        is_database,
        "sqlite:///path, such as sqlite:///lilypad.db, or postgresql://user:password@host/database",
    ),
    _Check("SHARDS", _are_shards, "auto, or shards counted from 0 and the number of all, such as 0-3/16 or 5/16"),
    _Check("LOG_LEVEL", lambda level: level.upper() in LOG_LEVELS, f"one of {', '.join(LOG_LEVELS)}"),
    _Check("LOG_FORMAT", lambda form: form.lower() in LOG_FORMATS, f"one of {', '.join(LOG_FORMATS)}"),
    *(
        _Check(name, partial(_is_number, _MOST_TABLES), f"a number from 1 to {_MOST_TABLES:,}, such as {default}")
        for name, default in QUOTAS.items()
    ),
    _Check("METRICS_PORT", partial(_is_number, _MOST_PORTS), f"a number from 1 to {_MOST_PORTS}, such as 9100"),
    _Check("THINKERS", partial(_is_number, _MOST_THINKERS), f"a number from 1 to {_MOST_THINKERS}, such as 1"),
    _Check(
        "KEEP_TABLES_DAYS",
        partial(_is_number, _MOST_DAYS),
        f"a number of days from 1 to {_MOST_DAYS}, such as {KEEP_TABLES_DAYS}",
    ),
)


def _mistakes(given: Mapping[str, str]) -> Iterator[str]:
    # Mistakes end up in logs, so they never quote the token, nor the password of a database.
    if any(character.isspace() or not character.isprintable() for character in given.get("DISCORD_TOKEN", "")):
        yield "DISCORD_TOKEN contains a blank or a control character; copy it again from the developer portal."
    for name, accepts, expected in _CHECKS:
        if name in given and not accepts(given[name]):
            yield f"{name} is {_PASSWORD.sub('://…@', given[name])!r}; it is {expected}."
