"""Addresses of PostgreSQL databases, with the parameters that hosters and other programs put into them."""

import logging
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
_UTF8: Final = frozenset({"utf8", "utf-8", "unicode", "auto"})


class Address(NamedTuple):
    """An address as the driver takes it, the settings of its sessions, and the timeout of connections."""

    url: str
    settings: dict[str, str]
    timeout_s: float


def address_of(url: str, name: str) -> Address:
    """Return the address in a URL, and log which parameters are ignored.

    Raises `StoreError` for one that would change what the connection is, and that can't be used. No text quotes values:
    a password may be anywhere. ``name`` is that of the database for people.
    """
    parts = urlsplit(_DRIVER.sub(r"\1", url))
    kept: list[tuple[str, str]] = []
    settings: dict[str, str] = {}
    timeout_s = CONNECT_TIMEOUT_S
    for key, value in parse_qsl(parts.query, keep_blank_values=True):
        if key in _OURS:
            kept.append((key, value))
        elif key.lower() in _OF_THE_SERVER:
            settings[key] = value
        elif key == "schema":  # as Prisma calls it
            settings["search_path"] = value
        elif key == "connect_timeout":
            timeout_s = float(value) if value.isdecimal() and int(value) else timeout_s
        elif key in _IGNORED:
            log.info("the address of the database %s has %s, which is ignored: %s", name, key, _IGNORED[key])
        else:
            _check_optional(key, value, name)
    return Address(urlunsplit(parts._replace(query=urlencode(kept))), settings, timeout_s)


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
    raise StoreError(f"The address of the database {name} has {key[:40]!r}: {advice}. Leave it out.")
