"""Outages of the database in simulated time, where a real one would last as long as the test."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.errors import Unreachable


def cut_off(monkeypatch: pytest.MonkeyPatch, owner: object, name: str, is_out: Callable[[], bool]) -> None:
    """Let a method that reads from the database fail, as if that couldn't be reached, while ``is_out`` says so."""
    reads = getattr(owner, name)

    async def fails(*given: Any, **named: Any) -> Any:
        if is_out():
            raise Unreachable("The database can't be reached.")
        return await reads(*given, **named)

    monkeypatch.setattr(owner, name, fails)
