"""Settings from the environment and a ``.env`` file. All mistakes are reported together.

The environment takes precedence over ``.env``. An empty value counts as absent, so it never hides another one. Quotes
and comments mean the same in both, as ``docker run --env-file`` passes values as they are written. ``.env.example``
describes every setting in `NAMES`; a test compares them.
"""

import codecs
import difflib
import io
import ipaddress
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import parse_qsl, urlsplit
from urllib.request import getproxies, proxy_bypass

from dotenv.parser import Binding, parse_stream

from bot.errors import SettingsError, escaped, quoted
from bot.machine import usable_cores

T = TypeVar("T")

QUOTAS: Final = {"MAX_TABLES_PER_HOST": 20, "MAX_TABLES_PER_CHANNEL": 50, "MAX_TABLES_PER_SERVER": 200}
"""Maximum numbers of open tables, with their defaults."""
HOURLY_QUOTAS: Final = {
    "MAX_OPENINGS_PER_USER": 100,
    "MAX_OPENINGS_PER_SERVER": 500,
    "MAX_INVITATIONS_PER_USER": 100,
    "MAX_INVITATIONS_PER_SERVER": 500,
    "MAX_SEARCHES_PER_USER": 20,
    "MAX_SEARCHES_PER_SERVER": 100,
}
"""Maximum numbers within an hour, with their defaults."""
KEEP_TABLES_DAYS: Final = 365
"""How long finished tables are kept by default."""
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOG_FORMATS: Final = ("plain", "json")
SQLITE: Final = "sqlite:///"
POSTGRES: Final = re.compile(r"postgres(ql)?(\+\w+)?://")
ENV_FILE: Final = Path(".env")
_SECRETS: Final = frozenset({"DISCORD_TOKEN", "DISCORD_API_URL", "DATABASE_URL"})
"""The token, and addresses, which may have passwords."""
_LONG_WORD: Final = re.compile(r"(?!\d+$)[^\s,;]{21}")  # no value but an address has one
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
DATABASE_PATH: Final = Path("lilypad.db")
_HTTP_SCHEMES: Final = {"ws": "http", "wss": "https"}
_MOST_PORTS: Final = 2**16 - 1
_MOST_TABLES: Final = 1_000_000
_MOST_DAYS: Final = 36_500
_MOST_THINKERS: Final = 256
_MOST_BACKUPS: Final = 365
_LARGEST_ID: Final = 2**63 - 1
"""Of Discord."""
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
    """Valid settings. Their ``repr`` doesn't show the token, nor addresses, which may have passwords.

    ``discord_token`` may be ``None``: only ``run`` needs one. ``discord_api_url`` is a REST base without a slash at the
    end, or ``None`` for Discord itself. ``database`` is the path of an SQLite file, or the URL of a PostgreSQL
    database. Without ``shards``, the process runs all, as many as Discord recommends. ``log_level`` is
    one of `LOG_LEVELS`, ``log_format`` one of `LOG_FORMATS`. Without ``metrics_port``, no metrics are served.
    ``max_tables_per_…`` limit the number of open tables, the other ``max_…`` what is done within an hour. Tables are
    deleted ``keep_tables_days`` after they end. ``thinkers`` is the maximum number of processes in which computers
    think, by default one less than the cores that this process may use. ``backups`` is the number of daily copies of an
    SQLite database to keep, ``owner_server`` the server that gets the owner's commands, ``report_channel`` the channel
    for reports of players. ``privacy_url`` and ``terms_url`` are the addresses of the host's own texts. ``warnings``
    are sentences about settings that look like mistakes.
    """

    discord_token: str | None = field(default=None, repr=False)
    discord_api_url: str | None = field(default=None, repr=False)
    database: Path | str = field(default=DATABASE_PATH, repr=False)
    shards: Shards | None = None
    log_level: str = "INFO"
    log_format: str = "plain"
    metrics_port: int | None = None
    max_tables_per_host: int = QUOTAS["MAX_TABLES_PER_HOST"]
    max_tables_per_channel: int = QUOTAS["MAX_TABLES_PER_CHANNEL"]
    max_tables_per_server: int = QUOTAS["MAX_TABLES_PER_SERVER"]
    max_openings_per_user: int = HOURLY_QUOTAS["MAX_OPENINGS_PER_USER"]
    max_openings_per_server: int = HOURLY_QUOTAS["MAX_OPENINGS_PER_SERVER"]
    max_invitations_per_user: int = HOURLY_QUOTAS["MAX_INVITATIONS_PER_USER"]
    max_invitations_per_server: int = HOURLY_QUOTAS["MAX_INVITATIONS_PER_SERVER"]
    max_searches_per_user: int = HOURLY_QUOTAS["MAX_SEARCHES_PER_USER"]
    max_searches_per_server: int = HOURLY_QUOTAS["MAX_SEARCHES_PER_SERVER"]
    keep_tables_days: int = KEEP_TABLES_DAYS
    thinkers: int = field(default_factory=lambda: max(1, usable_cores() - 1))
    backups: int = 0
    owner_server: int | None = None
    report_channel: int | None = None
    privacy_url: str | None = None
    terms_url: str | None = None
    warnings: tuple[str, ...] = field(default=(), compare=False)


def load(environment: Mapping[str, str] = os.environ, file: Path = ENV_FILE) -> Settings:
    """Return the settings of this process. Raise `SettingsError` with every mistake, one per line.

    A relative path of an SQLite database is in the directory ``STATE_DIRECTORY``, if the environment has one: systemd
    sets it for a service, and the container image for its volume.
    """
    mistakes: list[str] = []
    written: list[tuple[str, str]] = _collected(mistakes, partial(_read, file), [])
    given = {name: value.strip() for name, value in written if value.strip()}
    for name in NAMES:
        if value := _collected(mistakes, partial(_unquoted, name, environment.get(name, "")), ""):
            given[name] = value
    values: dict[str, Any] = {}
    for name in NAMES:
        if name in given:
            values[name.lower()] = _collected(mistakes, partial(_parsed, name, given[name]), None)
    _collected(mistakes, partial(_check_together, values), None)
    if mistakes:
        raise SettingsError("\n".join(mistakes))
    database = values.pop("database_url", DATABASE_PATH)
    if isinstance(database, Path) and (folder := environment.get("STATE_DIRECTORY", "")):
        database = Path(folder.partition(":")[0]) / database
    return Settings(database=database, warnings=tuple(_doubts(written, environment, file)), **values)


def _check_together(values: Mapping[str, Any]) -> None:
    """Raise `SettingsError` if a setting doesn't fit another one."""
    if isinstance(values.get("database_url"), str) and values.get("backups"):
        raise SettingsError("BACKUPS copies SQLite files only; have pg_dump copy the database on PostgreSQL.")


def has_secrets(file: Path = ENV_FILE) -> bool:
    """Whether the file sets a token or an address. The one in the container image sets neither."""
    return any(name in _SECRETS and value.strip() for name, value in _read(file))


def _collected(mistakes: list[str], read: Callable[[], T], otherwise: T) -> T:
    """Return what is read. A mistake is added to the others."""
    try:
        return read()
    except SettingsError as mistake:
        mistakes.append(mistake.sentence)
        return otherwise


def shown(database: Path | str) -> str:
    """Return the name of a database without its user, its password and its parameters, for people and logs."""
    if isinstance(database, Path):
        return str(database.absolute())
    parts = urlsplit(database)
    return escaped(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}")


def proxy_of(url: str) -> str | None:
    """Return the proxy that ``HTTPS_PROXY``, ``HTTP_PROXY`` and ``NO_PROXY`` name for an address, also of a WebSocket.

    Addresses of this machine have none. Raises `SettingsError` if it isn't an HTTP proxy.
    """
    parts = urlsplit(url)
    scheme = _HTTP_SCHEMES.get(parts.scheme, parts.scheme)
    proxy = getproxies().get(scheme, "")
    if not proxy or _is_here(parts.hostname or "") or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if urlsplit(proxy).scheme not in {"http", "https"} or not urlsplit(proxy).hostname:
        raise SettingsError(f"{scheme.upper()}_PROXY is not the address of an HTTP proxy, such as http://proxy:3128.")
    return proxy


def _is_here(host: str) -> bool:
    """Whether this is a name or an address of the loopback interface."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _text_of(file: Path) -> str:
    try:
        return _decoded(file.read_bytes())
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise SettingsError(f"{file} is not UTF-8 text.") from None
    except OSError as error:
        raise SettingsError(f"{file} can't be read: {error.strerror}.") from None


def _read(file: Path) -> list[tuple[str, str]]:
    """Read the names and values in the file, if it exists. Raise `SettingsError` if it can't be read."""
    bindings = list(parse_stream(io.StringIO(_text_of(file))))
    if wrong := [_line(each) for each in bindings if each.error or (each.key is not None and each.value is None)]:
        raise SettingsError(f"{file} has no NAME=value on line {', '.join(wrong)}.")
    return [(binding.key, binding.value) for binding in bindings if binding.key and binding.value is not None]


def _decoded(content: bytes) -> str:
    """Return the text of a file, which editors on Windows may have written as UTF-16 or with a byte order mark."""
    is_wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if is_wide else "utf-8-sig")


def _unquoted(name: str, value: str) -> str:
    """Return a value of the environment without quotes and comments. Raise `SettingsError` if quotes don't match."""
    if not (value := value.strip()) or "\n" in value:
        return value
    (binding, *_) = parse_stream(io.StringIO(f"{name}={value}"))
    if binding.error or binding.value is None:
        raise SettingsError(f"{name} has a quotation mark without its counterpart.")
    return binding.value.strip()


def _doubts(written: Sequence[tuple[str, str]], environment: Mapping[str, str], file: Path) -> Iterator[str]:
    """Yield sentences about unknown names in the file, names that it has twice, and near misses in the environment."""
    given = [name for name, value in written if value.strip()]
    for name in dict.fromkeys(name for name, _ in written):
        if not _NAME.fullmatch(name):
            yield f"{file} has a line that isn't NAME=value."  # it may be a pasted address with a password
        elif name not in NAMES:
            yield f"{file} sets {name}, which is no setting.{_suggested(name, 0.7)}"
        elif given.count(name) > 1:
            yield f"{file} sets {name} more than once; the last one counts."
    for name in environment:
        if name not in NAMES and (suggested := _suggested(name, 0.85)):
            yield f"The environment sets {name}, which is no setting.{suggested}"


def _suggested(name: str, cutoff: float) -> str:
    found = difflib.get_close_matches(name.upper(), NAMES, 1, cutoff)
    return f" Did you mean {found[0]}?" if found else ""


def _line(binding: Binding) -> str:
    """Return the number of the line. The parser counts blank lines before a statement as part of it."""
    text = binding.original.string
    return str(binding.original.line + text.count("\n", 0, len(text) - len(text.lstrip())))


def _http(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0 or parts.query or parts.fragment:
        raise ValueError(url)
    if not url.isprintable() or " " in url:
        raise ValueError(url)
    return url.rstrip("/")


def _number(greatest: int, text: str) -> int:
    if text.isascii() and text.isdecimal() and len(text) <= len(str(greatest)) and 0 < int(text) <= greatest:
        return int(text)
    raise ValueError(text)


def _backups(text: str) -> int:
    """Return how many daily copies are kept: 7 for ``daily:7``."""
    when, _, count = text.partition(":")
    _one_of(("daily",), when)
    return _number(_MOST_BACKUPS, count)


def _one_of(known: Sequence[str], text: str) -> str:
    """Return the known value that this is, ignoring case."""
    return known[[each.lower() for each in known].index(text.lower())]


def _check_postgres(url: str) -> None:
    """Raise `ValueError` unless this URL of PostgreSQL names a database, in the form that URLs have."""
    parts = urlsplit(url)
    parse_qsl(parts.query, strict_parsing=bool(parts.query))
    # A password with a slash or a question mark would look like a host, a database or a parameter.
    is_torn = "@" in f"{parts.path}{parts.query}" or parts.netloc.count("@") > 1 or not _has_ports(parts.netloc)
    if parts.path.count("/") != 1 or len(parts.path) == 1 or parts.fragment or is_torn or not url.isprintable():
        raise ValueError(url)


def parse_database(url: str) -> Path | str:
    """Return the path in a URL of SQLite, or a URL of PostgreSQL as it is. Raises `ValueError` for anything else.

    A file has no parameters: one with a question mark in its name would be a mistake.
    """
    if POSTGRES.match(url):
        _check_postgres(url)
        return url
    path = url.removeprefix(SQLITE)
    if path in {url, "", ":memory:"} or path.endswith("/") or set("?\0") & set(path):
        raise ValueError(url)
    return Path(path)


def _has_ports(netloc: str) -> bool:
    """Whether what follows a colon in the list of servers is a port. IPv6 addresses are in brackets."""
    servers = netloc.rpartition("@")[2].split(",")
    ports = (server.rpartition("]")[2].partition(":")[2] for server in servers)
    return all(not port or (port.isascii() and port.isdecimal()) for port in ports)


def _shards(text: str) -> Shards | None:
    """Return the shards of a setting such as ``0-3/16``; ``None`` for all. Raise `ValueError` if there are none."""
    if text.lower() == "auto":
        return None
    if not (found := _SHARDS.fullmatch(text)):
        raise ValueError(text)
    first, last, count = int(found["first"]), int(found["last"] or found["first"]), int(found["count"])
    if not first <= last < count <= _MOST_SHARDS:
        raise ValueError(text)
    return Shards(tuple(range(first, last + 1)), count)


class _Format(NamedTuple):
    """The values of a setting: how to parse them, and how to describe them. ``parse`` raises `ValueError`."""

    parse: Callable[[str], object]
    expected: str


_FORMATS: Final[Mapping[str, _Format]] = {
    "DISCORD_API_URL": _Format(_http, "a web address such as http://127.0.0.1:8080/api/v10"),
    "DATABASE_URL": _Format(
        parse_database,
        "sqlite:///path without parameters, such as sqlite:///lilypad.db, or postgresql://user:password@host/database;"
        " special characters in the password are percent-encoded, such as %40 for @",
    ),
    "SHARDS": _Format(_shards, "auto, or shards counted from 0 and the number of all, such as 0-3/16 or 5/16"),
    "LOG_LEVEL": _Format(partial(_one_of, LOG_LEVELS), f"one of {', '.join(LOG_LEVELS)}"),
    "LOG_FORMAT": _Format(partial(_one_of, LOG_FORMATS), f"one of {', '.join(LOG_FORMATS)}"),
    "METRICS_PORT": _Format(partial(_number, _MOST_PORTS), f"a number from 1 to {_MOST_PORTS}, such as 9100"),
    **{
        name: _Format(partial(_number, _MOST_TABLES), f"a number from 1 to {_MOST_TABLES:,}, such as {default}")
        for name, default in (QUOTAS | HOURLY_QUOTAS).items()
    },
    "KEEP_TABLES_DAYS": _Format(
        partial(_number, _MOST_DAYS),
        f"a number of days from 1 to {_MOST_DAYS}, such as {KEEP_TABLES_DAYS}",
    ),
    "THINKERS": _Format(partial(_number, _MOST_THINKERS), f"a number from 1 to {_MOST_THINKERS}, such as 1"),
    "BACKUPS": _Format(_backups, f"daily: and the number of copies to keep, from 1 to {_MOST_BACKUPS}: daily:7"),
    "OWNER_SERVER": _Format(partial(_number, _LARGEST_ID), "the id of a server, which Discord's developer mode copies"),
    "REPORT_CHANNEL": _Format(partial(_number, _LARGEST_ID), "the id of a channel, which developer mode copies"),
    "PRIVACY_URL": _Format(_http, "a web address such as https://example.org/privacy"),
    "TERMS_URL": _Format(_http, "a web address such as https://example.org/terms"),
}

NAMES: Final = ("DISCORD_TOKEN", *_FORMATS)
"""All settings, in the order of ``.env.example``."""


def _parsed(name: str, text: str) -> object:
    """Return the value of a setting.

    Raises `SettingsError`, which ends up in logs. So it never quotes a token, which may be in the wrong variable, nor
    the address of a database, where a password may be anywhere.
    """
    if name == "DISCORD_TOKEN":
        if any(character.isspace() or not character.isprintable() for character in text):
            raise SettingsError(
                "DISCORD_TOKEN contains a blank or a control character; copy it again from the developer portal."
            )
        return text
    try:
        return _FORMATS[name].parse(text)
    except ValueError:
        is_address = name == "DATABASE_URL" or "@" in text or "?" in text
        given = _without_secrets(text) if is_address else _beginning(text)
        raise SettingsError(f"{name} is {given}; it is {_FORMATS[name].expected}.") from None


def _beginning(text: str) -> str:
    """Quote a value; of a long word only the beginning, as it may be a password or a part of a token."""
    return f"{quoted(text[:4])[:-1]}…'" if _LONG_WORD.search(text) else quoted(text)


def _without_secrets(address: str) -> str:
    """Return an address of a database that can't be read, as far as it surely holds no password."""
    scheme, colon, rest = address.partition("://")
    user, at, host = rest.partition("@")
    if not colon or not scheme.isalnum():
        return "not an address"
    is_clear = at and "@" not in host and not set("/?#") & set(user)
    return f"'{scheme}://…@{_host(host)}…'" if is_clear else f"'{scheme}://…'"


def _host(text: str) -> str:
    """Return the host and the port that the text begins with."""
    return re.split(r"[^\w.:-]", text, maxsplit=1, flags=re.ASCII)[0]
