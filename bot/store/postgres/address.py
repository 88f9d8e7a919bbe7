"""Addresses of PostgreSQL databases, with the parameters that hosters and other programs put into them."""

import logging
import os
import re
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from bot.errors import StoreError

log: Final = logging.getLogger(__name__)

CONNECT_TIMEOUT_S: Final = 3.0
"""Default time for a connection, within which a person still waits for an answer."""

_DRIVER: Final = re.compile(r"^(postgres(?:ql)?)\+\w+(?=://)")
_OURS: Final = frozenset(
    {"host", "port", "dbname", "database", "user", "password", "passfile", "service", "krbsrvname", "gsslib"}
    | {"sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslpassword", "sslnegotiation"}
    | {"ssl_min_protocol_version", "ssl_max_protocol_version", "target_session_attrs"}
)
"""Parameters that the driver knows."""
_OF_THE_SERVER: Final = frozenset(
    {"application_name", "options", "search_path", "statement_timeout", "lock_timeout", "timezone", "work_mem"}
    | {"idle_in_transaction_session_timeout", "idle_session_timeout", "tcp_keepalives_idle"}
)
"""Parameters of the session, which the server gets."""
_IGNORED: Final[dict[str, str]] = {
    "channel_binding": "the driver can't bind channels; sslmode=verify-full protects the connection, too",
    **dict.fromkeys(
        ("keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout"),
        "a connection that doesn't answer is noticed after a few seconds anyway",
    ),
    **dict.fromkeys(("pgbouncer", "statement_cache_size", "prepared_statements"), "a pooler is detected"),
    **dict.fromkeys(
        ("connection_limit", "pool_timeout", "pool_size", "max_connections", "socket_timeout", "command_timeout"),
        "the bot has a few connections",
    ),
    **dict.fromkeys(("fallback_application_name", "sslcompression", "sslsni", "load_balance_hosts"), "not needed"),
}
"""Parameters without effect here, and why."""
_POOLED: Final = {("pgbouncer", "true"), ("statement_cache_size", "0"), ("prepared_statements", "false")}
"""Parameters that say that no statement may be kept prepared."""
_FILES: Final = ("sslrootcert", "sslcert", "sslkey", "sslcrl", "passfile")
_SCHEMA: Final = ("schema", "currentSchema")
"""The names that other programs have for ``search_path``."""
_WRITABLE: Final = ("any", "primary", "read-write")
_UTF8: Final = frozenset({"utf8", "utf-8", "unicode", "auto"})


class Address(NamedTuple):
    """An address as the driver takes it, the settings of its sessions, and the timeout of connections.

    ``is_pooled`` tells whether it says that it is a pooler's, ``trusts_system`` whether certificates are checked
    against the authorities that the system trusts.
    """

    url: str
    settings: dict[str, str]
    timeout_s: float
    is_pooled: bool = False
    trusts_system: bool = False

    @property
    def urls(self) -> tuple[str, ...]:
        """The address with each of its hosts: the driver's timeout is for all hosts, and the first may be silent."""
        parts = urlsplit(self.url)
        user, at, hosts = parts.netloc.rpartition("@")
        query = dict(parse_qsl(parts.query))
        names, ports = query.get("host", "").split(","), query.get("port", "").split(",")
        if hosts:
            each = [(parts._replace(netloc=f"{user}{at}{host}"), query) for host in hosts.split(",")]
        else:
            ports *= len(names) if len(ports) == 1 else 1
            places = zip(names, ports, strict=False)
            each = [(parts, {**query, "host": host, "port": port}) for host, port in places]
        if len(each) > 1:  # the bot writes
            each = [(there, {"target_session_attrs": "primary", **given}) for there, given in each]
        filled = [(there, {key: value for key, value in given.items() if value}) for there, given in each]
        return tuple(urlunsplit(there._replace(query=urlencode(given))) for there, given in filled)


def address_of(url: str, name: str) -> Address:
    """Return the address in a URL, and log which parameters are ignored.

    Raises `StoreError` for one that would change what the connection is, and that can't be used. No text quotes values:
    a password may be anywhere. ``name`` is that of the database for people.
    """
    parts = urlsplit(_DRIVER.sub(r"\1", url))
    kept: list[tuple[str, str]] = []
    settings: dict[str, str] = {}
    timeout_s = CONNECT_TIMEOUT_S
    given = parse_qsl(parts.query, keep_blank_values=True)
    trusts_system = ("sslrootcert", "system") in given
    for key, value in given:
        if (key, value) == ("sslrootcert", "system"):
            continue
        if key in _OURS:
            _check_usable(key, value, name)
            kept.append((key, value))
        elif key.lower() in _OF_THE_SERVER:
            settings[key] = value
        elif key in _SCHEMA:
            settings["search_path"] = value
        elif key == "connect_timeout":
            timeout_s = float(value) if value.isdecimal() and int(value) else timeout_s
        elif key in _IGNORED:
            log.info("the address of the database %s has %s, which is ignored: %s", name, key, _IGNORED[key])
        else:
            _check_optional(key, value, name)
    url = urlunsplit(parts._replace(query=urlencode(kept)))
    return Address(url, settings, timeout_s, not _POOLED.isdisjoint(given), trusts_system)


def _check_usable(key: str, value: str, name: str) -> None:
    """Raise `StoreError` for a file that can't be read, and for a server that can't be written to."""
    if key in _FILES and value and not os.access(value, os.R_OK):
        raise StoreError(f"The database {name} can't be used: the file of {key} can't be read.")
    if key == "target_session_attrs" and value not in _WRITABLE:
        raise StoreError(f"The address of the database {name} has {key!r}: the bot writes, so use 'primary'.")


def _check_optional(key: str, value: str, name: str) -> None:
    """Raise `StoreError` for a parameter that can't be used, unless it asks for what happens anyway."""
    if key == "client_encoding" and value.lower() in _UTF8:
        return
    if key == "gssencmode" and value != "require":
        return
    advice = {
        "client_encoding": "Lilypad needs UTF-8",
        "gssencmode": "the driver can't encrypt with GSSAPI; use sslmode=verify-full",
    }.get(key, "Lilypad doesn't know it")
    shown = repr(key) if re.fullmatch(r"[A-Za-z_]{2,40}", key) else "an unknown parameter"
    raise StoreError(f"The address of the database {name} has {shown}: {advice}. Leave it out.")
