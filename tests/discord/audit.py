"""Checks of everything that the bot sent to Discord in a test."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Final

import simcord

from tests.discord.seen import walk
from tests.wire.schemas import faults

CALLBACK: Final = "/callback"
"""The end of the path of every initial response."""

_MAX_COMPONENTS: Final = 40
_MAX_CHARACTERS: Final = 4000
_MAX_ID_LENGTH: Final = 100


def unanswered(env: simcord.Env, tolerated: int = 0) -> Iterator[str]:
    """Report interactions without a response, if there are more than are tolerated."""
    silent = [each for each in env.backend.interactions.values() if not each.responded]
    if len(silent) > tolerated:
        yield f"{len(silent)} interactions were never answered"


def answered_twice(env: simcord.Env, tolerated: int = 0) -> Iterator[str]:
    """Report repeated initial responses, if there are more than are tolerated. A response that fails is repeated."""
    answers = Counter(request.path for request in env.http_requests if request.path.endswith(CALLBACK))
    repeated = {path: count - 1 for path, count in answers.items() if count > 1}
    if sum(repeated.values()) > tolerated:
        yield f"answered more than once: {repeated}"


def malformed(env: simcord.Env) -> Iterator[str]:
    """Report requests that break Discord's schemas or limits."""
    for request in env.http_requests:
        yield from _schema_faults(request.method, request.path, json.dumps(request.json))
        yield from _beyond_limits(request.json)


@cache
def _schema_faults(method: str, path: str, body: str) -> tuple[str, ...]:
    """Call `faults` once for equal requests: every bot of every test registers the same commands."""
    return faults(method, path, json.loads(body))


def _beyond_limits(body: object) -> Iterator[str]:
    """Check limits that Discord enforces, but doesn't declare in the description of its API."""
    message = body.get("data", body) if isinstance(body, dict) else {}
    if not isinstance(message, dict) or "components" not in message or "title" in message:
        return
    every = list(walk(message["components"]))
    ids = [part["custom_id"] for part in every if "custom_id" in part]
    text = sum(len(part.get("content", "")) for part in every)
    has_good_ids = len(ids) == len(set(ids)) and all(1 <= len(each) <= _MAX_ID_LENGTH for each in ids)
    if len(every) > _MAX_COMPONENTS or text > _MAX_CHARACTERS or not has_good_ids:
        yield f"{len(every)} components, {text} characters, ids {ids}: {json.dumps(message)[:300]}"
