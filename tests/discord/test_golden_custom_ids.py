"""Buttons and menus posted by version 0.1 still answer: each ``custom_id`` is as that version wrote it."""

from collections.abc import Mapping
from typing import Final

import pytest

from tests.discord.forged import Forger
from tests.discord.guests import GROUPS
from tests.discord.play import World
from tests.discord.tables import started_in
from tests.discord.test_forged import OLD, text_of

pytestmark = pytest.mark.usefixtures("no_rate_limit")

AT_EVERY_TABLE: Final = (
    "lily:join:1:1:",
    "lily:leave:1:1:",
    "lily:computer:1:1:",
    "lily:start:1:1:",
    "lily:rules:1:1:",
    "lily:options:1:1:",
    "lily:cut:1:1:",
    "lily:remove:1:2:",
    "lily:hand:1:7:",
    "lily:turn:1:7:",
    "lily:more:1:7:",
    "lily:undo:1:8:",
    "lily:describe:1:8:",
    "lily:scores:1:8:",
    "lily:happened:1:8:",
    "lily:fair:1:8:",
    "lily:away:1:8:",
    "lily:away:1:8:end",
    "lily:away:1:11:play",
    "lily:away:1:11:seat",
    "lily:away:1:11:substitute",
    "lily:undo-yes:1:7:{asker}",
    "lily:undo-no:1:7:{asker}",
    "lily:transcript:1:11:",
    "lily:again:1:11:",
    "lily:close:1:8:",
    "lily:resign:1:8:",
    "lily:resigned:1:0:",
    "lily:closed:1:11:",
    "lily:ended:1:11:",
)
IN_A_GAME: Final = (
    ("pond", "lily:pick:1:7:.0.1", "profit 3H"),
    ("pond", "lily:topic:0:0:pond.0.1", "0"),
    ("pond", "lily:rules:0:0:pond.0.1", ""),
    ("frogs", "lily:frogs-from:1:5:.0.1", "egg@5"),
    ("frogs", "lily:frogs-from:1:5:egg", ""),
    ("frogs", "lily:frogs-to:1:5:place b2", ""),
    ("frogs", "lily:topic:0:0:frogs.0.1", "0"),
    ("frogs", "lily:rules:0:0:frogs.1.0", ""),
    ("pontis", "lily:pick:1:8:.0.1", "play 2D"),
    ("pontis", "lily:topic:0:0:pontis.0.1", "0"),
    ("pontis", "lily:rules:0:0:pontis.0.1", ""),
    ("pot_black", "lily:pick:1:7:.0.1", "play QS"),
    ("pot_black", "lily:topic:0:0:pot_black.0.1", "0"),
    ("pot_black", "lily:rules:0:0:pot_black.0.1", ""),
)

PLAYERS: Final = {"pot_black": 3}
OPTIONS: Final[Mapping[str, Mapping[str, object]]] = {
    "pond": {"players": 2},
    "pontis": {"players": 2},
    "pot_black": {"players": 3},
}


async def answers(world: World, game: str, custom_id: str, value: str) -> str:
    """Return what the press shows at a new table."""
    ann, *others = world.people(PLAYERS.get(game, 2))
    board = await started_in(GROUPS[game], ann, others, **OPTIONS.get(game, {}))
    values = (value,) if value else ()
    return text_of(
        await Forger(world, others[0], world.channel, board.id).presses(custom_id.format(asker=ann.id), *values)
    )


@pytest.mark.parametrize("custom_id", AT_EVERY_TABLE)
async def test_a_button_of_version_0_1_is_answered(world: World, custom_id: str) -> None:
    text = await answers(world, "pond", custom_id, "")
    assert text != OLD
    assert "went wrong" not in text


@pytest.mark.parametrize(("game", "custom_id", "value"), IN_A_GAME)
async def test_a_press_of_each_game_of_version_0_1_is_answered(
    world: World, game: str, custom_id: str, value: str
) -> None:
    text = await answers(world, game, custom_id, value)
    assert text != OLD
    assert "went wrong" not in text
