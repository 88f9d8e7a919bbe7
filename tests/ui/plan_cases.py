"""Desired messages, records and facts for the cases of `bot.ui.live.plan`."""

from dataclasses import dataclass, field
from typing import Any, Final

from bot.records.live_message import Kind, LiveMessage, Stage
from bot.ui.live.plan import (
    Action,
    Desired,
    Seen,
    Wanted,
    plan,
)

NOW: Final = 100_000.0
ANN, BEN = 7, 8
CHANNEL: Final = 5


def message(kind: Kind = Kind.BOARD, **changes: Any) -> LiveMessage:
    """Return a live message with defaults: number 100 on Discord, with the content "old"."""
    defaults: dict[str, Any] = {
        "subject_id": 1,
        "kind": kind,
        "user_id": None,
        "channel_id": CHANNEL,
        "nonce": 1,
        "version": 3,
        "posted_at": NOW - 60,
        "content": "old",
        "message_id": 100,
        "stage": Stage.LIVE,
        "id": 1,
    }
    return LiveMessage(**{**defaults, **changes})


def noted(kind: Kind = Kind.BOARD, **changes: Any) -> LiveMessage:
    """Return a message that was being posted when the program ended."""
    return message(kind, **{"stage": Stage.NOTED, "message_id": None, "content": None, "nonce": 2, "id": 2, **changes})


OLD = Wanted(Kind.BOARD, "old")
NEW = Wanted(Kind.BOARD, "new")

LIVE = message()
RETIRING = message(stage=Stage.RETIRING, id=9, message_id=99)


@dataclass(frozen=True)
class Case:
    """Desired messages, records, facts, and the expected actions."""

    name: str
    wanted: tuple[Wanted, ...]
    recorded: tuple[LiveMessage, ...]
    expected: list[Action]
    turn: tuple[int, ...] = ()
    ping_at: dict[int, float] = field(default_factory=dict)
    last_foreign_id: int = 0
    shown_turn: frozenset[int] = frozenset()
    can_post: bool = True
    lost: frozenset[int] = frozenset()
    missing: frozenset[int] = frozenset()
    deal: int | None = None
    is_tight: bool = False
    gone: frozenset[int] = frozenset()

    @property
    def desired(self) -> Desired:
        """The desired state: wanted messages, and the players to move."""
        return Desired(self.wanted, self.turn, self.ping_at, self.deal)


def actions(case: Case) -> list[Action]:
    """Return the actions of the plan for a case."""
    seen = Seen(
        NOW,
        case.last_foreign_id,
        case.shown_turn,
        case.can_post,
        case.lost,
        case.missing,
        case.is_tight,
        gone=case.gone,
    )
    return [*plan(case.desired, case.recorded, seen)]
