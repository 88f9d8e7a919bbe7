"""Addresses of PostgreSQL databases, with the parameters that hosters and other programs put into them.

Nothing here quotes an address in an error: a password may be anywhere in it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlencode

from bot.errors import SettingsError

_SHAPE: Final = re.compile(
    r"postgres(?:ql)?(?:\+\w+)?://"
    r"(?:(?P<user>[^:@/?#]*)(?::(?P<password>[^@/?#]*))?@)?"
    r"(?P<hosts>[^@/?#]*)(?:/(?P<dbname>[^@/?#]*))?(?:\?(?P<query>[^@#]*))?"
)
"""An ``@``, ``/``, ``?`` or ``#`` elsewhere belongs to a password that isn't percent-encoded."""
_HOST: Final = re.compile(r"(?P<host>\[[\da-fA-F:.]+(?:%\w+)?\]|[^:\[\],\s]+)(?::(?P<port>\d{1,5}))?")

_TLS: Final = ("sslmode", "sslnegotiation", "ssl_min_protocol_version", "ssl_max_protocol_version")
_FILES: Final = ("sslrootcert", "sslcert", "sslkey", "sslcrl", "passfile")
_OF_DRIVER: Final = frozenset((*_TLS, *_FILES, "sslpassword", "service", "krbsrvname", "gsslib"))
"""Parameters that asyncpg knows, beside those of the place."""
_OF_PLACE: Final = frozenset(("host", "port", "user", "password", "dbname", "database", "target_session_attrs"))
_OF_SERVER: Final = {
    "application_name": "application_name",
    "options": "options",
    **dict.fromkeys(("search_path", "schema", "currentSchema"), "search_path"),
}
"""Parameters that are settings of the server, under its names."""
_UNPREPARED: Final = {
    ("pgbouncer", "true"),
    *((name, "0") for name in ("statement_cache_size", "prepared_statement_cache_size", "prepareThreshold")),
}
"""Parameters that say that no statement may be kept prepared."""

_MODES: Final = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_VALUES: Final = {
    "sslmode": _MODES,
    "sslnegotiation": ("postgres", "direct"),
    "target_session_attrs": ("any", "primary", "read-write"),
}
"""Parameters that have no other values. The bot writes, so it has no use for a standby."""
_SSL: Final = {"true": "require", "1": "require", "on": "require", "false": "disable", "0": "disable", "off": "disable"}
"""What ``ssl``, which other programs use, means as an ``sslmode``."""
_REFUSED: Final = {
    ("gssencmode", "require"): "encrypt by TLS instead, with sslmode=verify-full",
    ("sslaccept", "strict"): "use sslmode=verify-full instead",
    ("hostaddr", None): "name the server in host",
    ("replication", None): "leave it out",
    ("require_auth", None): "leave it out; sslmode=verify-full makes sure which server it is",
    ("requirepeer", None): "leave it out",
}
"""Parameters that would be a risk or an error if they were ignored, with advice. ``None`` is any value."""


@dataclass(frozen=True, slots=True)
class PostgresUrl:
    """An address, taken apart. Its ``repr`` doesn't show the password.

    ``hosts`` are as in an address. ``driver`` has parameters for the driver, ``server`` settings of the server, and
    ``ignored`` the names of parameters that aren't used. ``role`` is the value of ``target_session_attrs``.
    """

    hosts: tuple[str, ...]
    user: str
    password: str = field(repr=False)
    database: str
    role: str
    driver: Mapping[str, str] = field(repr=False)
    server: Mapping[str, str] = field(repr=False)
    is_unprepared: bool
    ignored: tuple[str, ...]

    @property
    def name(self) -> str:
        """The database and its server for people, without user and password."""
        return f"{self.database or 'of its user'} on {', '.join(map(unquote, self.hosts)) or 'localhost'}"

    @property
    def files(self) -> Mapping[str, str]:
        """The files that the driver reads, by parameter."""
        return {name: file for name, file in self.driver.items() if name in _FILES and file != "system"}

    @property
    def has_system_authorities(self) -> bool:
        """Whether the server's certificate is checked against those that the system trusts."""
        return self.driver.get("sslrootcert") == "system"

    def on(self, host: str) -> str:
        """Return the address with this host alone, as the driver reads it."""
        secret = f":{quote(self.password, safe='')}" if self.password else ""
        user = f"{quote(self.user, safe='')}{secret}@" if self.user or secret else ""
        database = f"/{quote(self.database, safe='')}" if self.database else ""
        parameters = {name: value for name, value in self.driver.items() if value != "system"}
        return f"postgresql://{user}{host}{database}{'?' * bool(parameters)}{urlencode(parameters)}"


def parse(url: str) -> PostgresUrl:
    """Take an address apart. Raises `ValueError` if it is none, and `SettingsError` for parameters that are refused."""
    if not (found := _SHAPE.fullmatch(url)) or not url.isprintable():
        raise ValueError
    query = found["query"] or ""
    given = dict(parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query)))
    if "ssl" in given:
        given.setdefault("sslmode", _SSL.get(given["ssl"].lower(), given["ssl"]))
    _check(given)
    place = {name: unquote(found[name]) for name in ("user", "password", "dbname") if found[name]}
    place = {"dbname": given.get("database", ""), **given, **place}
    hosts = tuple(map(_host, found["hosts"].split(","))) if found["hosts"] else _hosts(given)
    return PostgresUrl(
        hosts=hosts,
        user=place.get("user", ""),
        password=place.get("password", ""),
        database=place["dbname"],
        role=given.get("target_session_attrs", "primary" if len(hosts) > 1 else "any"),
        driver={name: value for name, value in given.items() if name in _OF_DRIVER and value},
        server={_OF_SERVER[name]: value for name, value in given.items() if name in _OF_SERVER and value},
        is_unprepared=any((name, value.lower()) in _UNPREPARED for name, value in given.items()),
        ignored=_ignored(given),
    )


def _check(given: Mapping[str, str]) -> None:
    """Raise `SettingsError` with advice if a parameter or its value is refused."""
    for name, values in _VALUES.items():
        if given.get(name, values[0]) not in values:
            raise SettingsError(f"{name} in the address of the database is one of {', '.join(values)}.")
    for (name, value), advice in _REFUSED.items():
        if given.get(name) and value in {None, given[name]}:
            raise SettingsError(f"{name} in the address of the database can't be followed: {advice}.")
    if given.get("sslrootcert") == "system" and given.get("sslmode", "verify-full") != "verify-full":
        raise SettingsError("sslrootcert=system in the address of the database needs sslmode=verify-full.")
    if given.get("sslnegotiation") == "direct" and given.get("sslmode") not in _MODES[3:]:
        raise SettingsError("sslnegotiation=direct in the address of the database needs sslmode=require or stricter.")


def _hosts(given: Mapping[str, str]) -> tuple[str, ...]:
    """Return the hosts of the parameters ``host`` and ``port``. One port is for all of them."""
    names = given["host"].split(",") if given.get("host") else ["localhost"] if given.get("port") else []
    ports = given.get("port", "").split(",")
    if len(ports) not in {1, len(names)} and names:
        raise ValueError
    ports *= len(names) if len(ports) == 1 else 1
    written = [f"[{name}]" if ":" in name and name[0] not in "/[" else name for name in names]
    return tuple(
        _host(f"{quote(name, safe=':[]@')}{':' * bool(port)}{port}") for name, port in zip(written, ports, strict=True)
    )


def _host(text: str) -> str:
    """Return a host with its port. Raises `ValueError` if it isn't one."""
    if not (found := _HOST.fullmatch(text)) or int(found["port"] or 1) not in range(1, 65536):
        raise ValueError
    return text


def _ignored(given: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of parameters that aren't used. One that isn't a plain word may be part of a password."""
    known = _OF_DRIVER | _OF_PLACE | _OF_SERVER.keys() | {"ssl"} | {name for name, _ in _UNPREPARED}
    return tuple(name if re.fullmatch(r"[A-Za-z_]{2,40}", name) else "…" for name in given if name not in known)
