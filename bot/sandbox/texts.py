"""Texts in the windows of the simulated Discord.

Whenever anything changes, SimCord parses every text of a window twice, which takes much of the time until a player sees
the change. These functions let it parse equal texts once.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec
from simcord.preview import _component_projection, _markdown, _messages, _queries, _snapshot

_REMEMBERED: Final = 4096


def remember_texts() -> None:
    """Let SimCord's windows remember the texts that they have parsed."""
    for module in (_component_projection, _messages, _queries, _snapshot):
        module.markdown_tokens = _tokens  # type: ignore[attr-defined]  # they import it from `_markdown`


def _tokens(
    value: object, profile: str = "message", *, context: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    # The caller may change the tokens, so each gets its own.
    tokens: list[dict[str, Any]] = msgspec.msgpack.decode(_parsed(value, profile, msgspec.msgpack.encode(context)))
    return tokens


@lru_cache(_REMEMBERED)
def _parsed(value: object, profile: str, context: bytes) -> bytes:
    return msgspec.msgpack.encode(_markdown.markdown_tokens(value, profile, context=msgspec.msgpack.decode(context)))
