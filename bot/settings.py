"""The settings: read once from the environment and a ``.env`` file, every mistake reported together.

The real environment wins over ``.env``; an empty value counts as absent. ``.env.example`` describes every setting, and
is held to `NAMES` by a test.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from dotenv.parser import Binding, parse_stream

from bot.errors import SettingsError

QUOTAS: Final = {"MAX_TABLES_PER_HOST": 20, "MAX_TABLES_PER_CHANNEL": 50, "MAX_TABLES_PER_SERVER": 200}
"""The default of each maximum number of open tables."""
NAMES: Final = (
    "DISCORD_TOKEN",
    "DISCORD_API_URL",
    "DATABASE_URL",
    "LOG_LEVEL",
    "LOG_FORMAT",
    "METRICS_PORT",
    *QUOTAS,
    "KEEP_TABLES_DAYS",
)
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOG_FORMATS: Final = ("plain", "json")
SQLITE: Final = "sqlite:///"
ENV_FILE: Final = Path(".env")
_PORTS: Final = 2**16
_MOST_TABLES: Final = 1_000_000
_MOST_DAYS: Final = 36_500


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings that are known to be usable. The token is in no text made of them.

    ``discord_token`` is ``None`` where none is given: only ``run`` needs one. ``discord_api_url`` is a REST base
    without a slash at the end, ``None`` for Discord itself. ``database_path`` may be relative to the working directory.
    ``log_level`` is one of `LOG_LEVELS`, ``log_format`` one of `LOG_FORMATS`. ``metrics_port`` is ``None`` where none
    is served. At most so many tables may be open at once as ``max_tables_per_…`` says. Tables are deleted
    ``keep_tables_days`` after they end.
    """

    discord_token: str | None = field(default=None, repr=False)
    discord_api_url: str | None = None
    database_path: Path = Path("lilypad.db")
    log_level: str = "INFO"
    log_format: str = "plain"
    metrics_port: int | None = None
    max_tables_per_host: int = QUOTAS["MAX_TABLES_PER_HOST"]
    max_tables_per_channel: int = QUOTAS["MAX_TABLES_PER_CHANNEL"]
    max_tables_per_server: int = QUOTAS["MAX_TABLES_PER_SERVER"]
    keep_tables_days: int = 365


def load(environment: Mapping[str, str] = os.environ, file: Path = ENV_FILE) -> Settings:
    """The settings of this process. Raises `SettingsError` with every mistake, one a line."""
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
    return Settings(
        discord_token=given.get("DISCORD_TOKEN"),
        discord_api_url=given["DISCORD_API_URL"].rstrip("/") if "DISCORD_API_URL" in given else None,
        database_path=Path(given.get("DATABASE_URL", f"{SQLITE}lilypad.db").removeprefix(SQLITE)),
        log_level=given.get("LOG_LEVEL", "INFO").upper(),
        log_format=given.get("LOG_FORMAT", "plain").lower(),
        metrics_port=int(given["METRICS_PORT"]) if "METRICS_PORT" in given else None,
        **{name.lower(): int(given.get(name, default)) for name, default in QUOTAS.items()},
        keep_tables_days=int(given.get("KEEP_TABLES_DAYS", "365")),
    )


def _read(file: Path) -> dict[str, str]:
    """What the file sets; nothing if there is no file. Raises `SettingsError` if it can't be read."""
    try:
        with file.open(encoding="utf-8") as lines:
            bindings = list(parse_stream(lines))
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError:
        raise SettingsError(f"{file} is not UTF-8 text.") from None
    except OSError as fault:
        raise SettingsError(f"{file} can't be read: {fault.strerror}.") from None
    if wrong := [_line(each) for each in bindings if each.error or (each.key is not None and each.value is None)]:
        raise SettingsError(f"{file} has no NAME=value on line {', '.join(wrong)}.")
    return {binding.key: binding.value for binding in bindings if binding.key and binding.value is not None}


def _line(binding: Binding) -> str:
    """The number of the line; the parser counts blank lines before a statement as part of it."""
    text = binding.original.string
    return str(binding.original.line + text.count("\n", 0, len(text) - len(text.lstrip())))


def _mistakes(given: Mapping[str, str]) -> Iterator[str]:
    # The token itself is never quoted: what is said here ends up in logs.
    if any(character.isspace() or not character.isprintable() for character in given.get("DISCORD_TOKEN", "")):
        yield "DISCORD_TOKEN contains a blank or a control character; copy it again from the developer portal."
    if (url := given.get("DISCORD_API_URL")) and not _is_http(url):
        yield f"DISCORD_API_URL is {url!r}; it is a web address such as http://127.0.0.1:8080/api/v10."
    if (url := given.get("DATABASE_URL")) and not _is_database(url):
        yield f"DATABASE_URL is {url!r}; it is sqlite:///path, such as sqlite:///lilypad.db."
    if (level := given.get("LOG_LEVEL")) and level.upper() not in LOG_LEVELS:
        yield f"LOG_LEVEL is {level!r}; it is one of {', '.join(LOG_LEVELS)}."
    if (form := given.get("LOG_FORMAT")) and form.lower() not in LOG_FORMATS:
        yield f"LOG_FORMAT is {form!r}; it is one of {', '.join(LOG_FORMATS)}."
    for name in QUOTAS:
        if (count := given.get(name)) and not _is_number(count, _MOST_TABLES):
            yield f"{name} is {count!r}; it is a number from 1 to {_MOST_TABLES:,}, such as {QUOTAS[name]}."
    if (port := given.get("METRICS_PORT")) and not _is_number(port, _PORTS - 1):
        yield f"METRICS_PORT is {port!r}; it is a number from 1 to {_PORTS - 1}, such as 9100."
    if (days := given.get("KEEP_TABLES_DAYS")) and not _is_number(days, _MOST_DAYS):
        yield f"KEEP_TABLES_DAYS is {days!r}; it is a number of days from 1 to {_MOST_DAYS}, such as 365."


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        reachable = parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number, or a bracket left open
        return False
    return parts.scheme in {"http", "https"} and bool(reachable) and not (parts.query or parts.fragment)


def _is_number(text: str, greatest: int) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= len(str(greatest)) and 0 < int(text) <= greatest


def _is_database(url: str) -> bool:
    path = url.removeprefix(SQLITE)
    return path not in {url, "", ":memory:"} and not path.endswith("/") and "\0" not in path
