"""Whatever one person presses and types, hidden cards change nothing that others, or they themselves, are shown."""

import random
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pytest

from bot import computer
from bot.computer.thoughts import Thought
from bot.games import GAMES
from bot.games.game import AnyGame, Observation, Seat
from bot.tables.tables import Sight, Tables
from bot.thinking.thinkers import Thinkers
from bot.ui.actions.press import all_verbs
from bot.ui.live.workers import Workers
from tests.discord.running import running_world
from tests.doses import not_in_check
from tests.leaks.at_presses import Dose, acted, differing, pairs
from tests.leaks.knowledge import READERS
from tests.leaks.pairs import HINT_BUDGETS
from tests.leaks.pressed import Side
from tests.leaks.test_pairs import PAIRS
from tests.logged import logged, secrets_in

ONE, OTHER = 1, 2
"""Seeds of the two bots' tables, which nobody knows before the end."""
IS_LARGE: Final = PAIRS > 1000
SMALL: Final = {"pond": (4, Dose(1.0, 0.25, 0, 2)), "frogs": (1, Dose(0.1, 0.0, 0, 1))}
"""The number of pairs and the dose of some games. Verbs of all games are used most in the first one."""
OTHERS: Final = (2, Dose(0.25, 0.1, 0, 1))
SHOWN: Final = 10
LARGE: Final = Dose(1.0, 1.0, 4, 6)


@pytest.fixture(autouse=True)
def _quick_and_steady() -> Iterator[None]:
    """Let hints take little time, computers play dailies at once, and nothing depend on how fast the machine is."""

    async def explain(_: Thinkers, game: str, seen: Observation, seed: str) -> Thought:
        thinks: Any = computer.EXPLAINERS[game]
        thought: Thought = thinks(seen, random.Random(seed), HINT_BUDGETS[game])
        return thought

    async def choice_seed(_: Tables, sight: Sight, seat: Seat) -> str:
        return f"{sight.table.version} {seat}"  # the seeds of the two tables differ

    with ExitStack() as patches:
        patches.enter_context(patch.object(Tables, "choice_seed", choice_seed))
        patches.enter_context(patch.object(Thinkers, "explain", explain))
        patches.enter_context(patch("bot.tables.events.FIELD", ("easy", "easy")))
        patches.enter_context(patch("bot.ui.interactions.rate_limit.REFILL_PER_S", 1e9))
        patches.enter_context(patch("bot.ui.actions.press._AGAIN_AFTER_S", 0.0))
        patches.enter_context(patch("bot.store.database.SOON_S", 0.0))
        patches.enter_context(patch.object(Workers, "later"))
        yield


@not_in_check
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_hidden_cards_change_nothing_that_is_pressed_and_typed(tmp_path: Path, game: AnyGame) -> None:
    count, dose = (max(1, PAIRS // 1000), LARGE) if IS_LARGE else SMALL.get(game.key, OTHERS)
    rng = random.Random(f"{game.key} {PAIRS} presses")
    chosen = [*islice(pairs(game, rng), count)]
    with logged() as lines:
        async with running_world(tmp_path / "one.db") as world:
            side = Side(world, ONE)
            acts = [await acted(side, game, pair, dose, rng) for pair in chosen]
            assert all_verbs() <= {act.use.name for act in acts[0]}
        async with running_world(tmp_path / "other.db") as world:
            side = Side(world, OTHER)
            for pair, done in zip(chosen, acts, strict=True):
                found = await differing(side, game, pair, done)
                assert not found, f"{pair.kind} by {pair.actor}: " + "\n".join(found[:SHOWN])
    seeds = [bytes([seed]) * 32 for seed in (ONE, OTHER)]
    assert secrets_in(lines, seeds, ()) == [] or READERS[game.key] is None
