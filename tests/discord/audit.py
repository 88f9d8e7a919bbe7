"""Checks of everything that the bot sent to Discord in a test."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Final

import simcord

from tests.wire.schemas import faults

CALLBACK: Final = "/callback"
"""The end of the path of every initial response."""


def unanswered(env: simcord.Env, tolerated: int = 0) -> Iterator[str]:
    """Report interactions without a response, if there are more than are tolerated."""
    silent = [each for each in env.backend.interactions.values() if not each.responded]
    if len(silent) > tolerated:
        yield f"{len(silent)} interactions were never answered"


def answered_twice(env: simcord.Env, tolerated: int = 0) -> Iterator[str]:
    """Report repeated initial responses, if there are more than are tolerated. A response that fails is repeated.

    A message that follows a failed edit isn't a repetition: the pressed message was gone.
    """
    sent = [request for request in env.http_requests if request.path.endswith(CALLBACK)]
    answers = Counter((request.path, (request.json or {}).get("type")) for request in sent)
    repeated = {path: count - 1 for (path, _), count in answers.items() if count > 1}
    if sum(repeated.values()) > tolerated:
        yield f"answered more than once: {repeated}"


def malformed(env: simcord.Env) -> Iterator[str]:
    """Report requests that break Discord's schemas. SimCord itself refuses those that break other limits."""
    for request in env.http_requests:
        yield from _schema_faults(request.method, request.path, json.dumps(request.json))


@cache
def _schema_faults(method: str, path: str, body: str) -> tuple[str, ...]:
    """Call `faults` once for equal requests: every bot of every test registers the same commands."""
    return faults(method, path, json.loads(body))
