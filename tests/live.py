"""Example records of live messages."""

from typing import Any

from bot.records.live_message import Kind, LiveMessage


def live_message(table_id: int, kind: str = "board", user_id: int | None = None, **changes: Any) -> LiveMessage:
    """Return a record with defaults: message 6 in channel 5, showing version 1 of the table."""
    defaults: dict[str, Any] = {"channel_id": 5, "message_id": 6, "nonce": 1, "version": 1, "posted_at": 1.0}
    return LiveMessage(subject_id=table_id, kind=Kind(kind), user_id=user_id, **{**defaults, **changes})
