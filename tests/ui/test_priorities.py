"""Which requests go first while the bot's budget is tight."""

from types import SimpleNamespace
from typing import Any, Final

import pytest

from bot.records.live_message import Kind, LiveMessage
from bot.records.table import Place
from bot.ui.live.lanes import Card, Drawing, Lane, drawn
from bot.ui.live.pace import Priority
from bot.ui.live.plan import Action, Create, Desired, Edit, Remove, Wanted
from bot.ui.live.writer import request_of

ANN: Final = 7
CHANNEL: Final = 5
BOARD: Final = Wanted(Kind.BOARD, "new")
PROMPT: Final = Wanted(Kind.HAND, "new", ANN, is_prompt=True)
HAND: Final = Wanted(Kind.HAND, "new", ANN)


def live(kind: Kind) -> LiveMessage:
    """Return a live message."""
    return LiveMessage(subject_id=1, kind=kind, user_id=None, channel_id=CHANNEL, nonce=1, version=3, posted_at=1.0)


@pytest.mark.parametrize(
    ("action", "user_id", "priority"),
    [
        pytest.param(Create(Wanted(Kind.PING, ""), (ANN,)), None, Priority.TURN, id="a ping"),
        pytest.param(Create(BOARD), None, Priority.TURN, id="a new board"),
        pytest.param(Create(PROMPT), ANN, Priority.TURN, id="a new hand of the player to move"),
        pytest.param(Edit(live(Kind.HAND), PROMPT), ANN, Priority.TURN, id="the hand of the player to move"),
        pytest.param(Edit(live(Kind.BOARD), BOARD), None, Priority.BOARD, id="a board"),
        pytest.param(Create(HAND), ANN, Priority.OTHER, id="a new hand of another player"),
        pytest.param(Edit(live(Kind.HAND), HAND), ANN, Priority.OTHER, id="the hand of another player"),
        pytest.param(Remove(live(Kind.BOARD)), None, Priority.OTHER, id="an old board"),
    ],
)
def test_the_player_to_move_goes_first_then_boards_then_the_rest(
    action: Action, user_id: int | None, priority: Priority
) -> None:
    table: Any = SimpleNamespace(id=1, place=Place(1, CHANNEL))
    place, _, given = request_of(action, Drawing(table, user_id, Desired()))
    assert given is priority
    assert place == (ANN if user_id else CHANNEL)


def test_cards_go_last() -> None:
    wanted = Wanted(Kind.CARD, "new")
    drawing = drawn(Card(Lane(1, subject="night"), "night 1", Place(1, CHANNEL)), wanted)
    for action in (Create(wanted), Edit(live(Kind.CARD), wanted)):
        place, _, given = request_of(action, drawing)
        assert (place, given) == (CHANNEL, Priority.OTHER)
