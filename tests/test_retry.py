"""Retries of requests to Discord, in virtual time."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
import discord
import pytest

from bot.ui.interactions.reply import retried
from bot.ui.interactions.respond import DEFER_AFTER_S
from bot.ui.interactions.response import RESPOND_WITHIN_S, TRY_TIMEOUT_S
from tests.virtual_time import run

MESSAGE_ID: Final = 7
HANGS: Final = "hangs"
Failure = BaseException | str


def refusal(status: int, code: int = 0, retry_after: str = "") -> discord.HTTPException:
    """Return an error response of Discord."""
    headers = {"Retry-After": retry_after} if retry_after else {}
    answer: Any = SimpleNamespace(status=status, reason="", headers=headers)
    return discord.HTTPException(answer, {"code": code, "message": "no"})


PASSING: Final = (
    *map(refusal, (500, 502, 503, 504, 429)),
    aiohttp.ServerDisconnectedError(),
    aiohttp.ClientPayloadError(),
    ConnectionResetError(),
    TimeoutError(),
    json.JSONDecodeError("no JSON", "<html>", 0),
    TypeError("string indices must be integers"),
    KeyError("retry_after"),
    HANGS,
)
"""Errors that are retried."""
FINAL: Final = (refusal(400, 40060), refusal(404, 10062), refusal(403, 50013), refusal(401), ZeroDivisionError())
"""Errors that are not."""


def request(*failures: Failure, takes_s: float = 0.05) -> Callable[[], Awaitable[int]]:
    """Return a request that fails with these errors in turn, and then succeeds."""
    left = list(failures)

    async def send() -> int:
        failure = left.pop(0) if left else None
        await asyncio.sleep(3600 if failure == HANGS else takes_s)
        if isinstance(failure, BaseException):
            raise failure
        return MESSAGE_ID

    return send


async def first_answer(send: Callable[[], Awaitable[int]]) -> tuple[int | BaseException, float]:
    """Send a request like an initial response. Return the result or the error, and the seconds it took."""
    result: int | BaseException
    try:
        result = await retried(send, RESPOND_WITHIN_S, TRY_TIMEOUT_S)
    except Exception as error:  # noqa: BLE001 - the test looks at it
        result = error
    return result, asyncio.get_running_loop().time()


def test_a_request_that_succeeds_is_sent_once() -> None:
    assert run(first_answer(request(takes_s=0.25))) == (MESSAGE_ID, 0.25)


@pytest.mark.parametrize("failure", PASSING, ids=repr)
def test_a_request_that_fails_once_succeeds_in_time(failure: Failure) -> None:
    result, seconds = run(first_answer(request(failure)))
    assert result == MESSAGE_ID
    assert seconds < RESPOND_WITHIN_S


def test_a_request_that_hangs_twice_succeeds_in_time() -> None:
    result, seconds = run(first_answer(request(HANGS, HANGS)))
    assert result == MESSAGE_ID
    assert seconds < RESPOND_WITHIN_S


def test_an_answer_fits_in_after_slow_work_is_deferred() -> None:
    assert DEFER_AFTER_S + TRY_TIMEOUT_S <= RESPOND_WITHIN_S


@pytest.mark.parametrize("failure", PASSING, ids=repr)
def test_retries_are_few_and_stop_at_the_deadline(failure: Failure) -> None:
    tries: list[float] = []
    send = request(*[failure] * 99)

    def counted() -> Awaitable[int]:
        tries.append(asyncio.get_running_loop().time())
        return send()

    result, seconds = run(first_answer(counted))
    assert isinstance(result, TimeoutError if failure == HANGS else type(failure))
    assert 2 <= len(tries) < 8
    assert tries[-1] <= RESPOND_WITHIN_S
    assert seconds <= RESPOND_WITHIN_S + TRY_TIMEOUT_S


@pytest.mark.parametrize("failure", FINAL, ids=repr)
def test_permanent_errors_are_raised_at_once(failure: Exception) -> None:
    assert run(first_answer(request(failure))) == (failure, 0.05)


@pytest.mark.parametrize(("told", "comes"), [("1", True), ("2", True), ("3", False), ("1.5", True), ("soon", True)])
def test_retry_after_is_respected_if_there_is_time(told: str, *, comes: bool) -> None:
    result, seconds = run(first_answer(request(refusal(429, retry_after=told))))
    assert (result == MESSAGE_ID) is comes
    assert seconds < RESPOND_WITHIN_S
    if comes and told != "soon":
        assert seconds > float(told)
