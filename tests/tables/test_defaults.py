"""What a new table begins with: one order in which sources fill in what others leave open."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.records.preference import OptionSet, Server
from bot.records.table import Place
from bot.tables.defaults import Wanted, merged, proposed_to
from bot.tables.seating import sit
from bot.tables.tables import Tables
from tests.tables.people import ANN, BEN

POT_BLACK = GAMES["pot_black"]
SERVER = Server(1, clock="day", level="easy")
SAVED = OptionSet("pot_black", "Long", {"deals": 20, "players": 3}, "three-days", level="strong")


@pytest.mark.parametrize(
    ("wanted", "saved", "server", "options", "clock", "level"),
    [
        (Wanted(), None, Server(1), {"deals": 10, "players": 4}, "none", "fair"),
        (Wanted(), None, SERVER, {"deals": 10, "players": 4}, "day", "easy"),
        (Wanted(), SAVED, SERVER, {"deals": 20, "players": 3}, "three-days", "strong"),
        (Wanted({"deals": 5}), SAVED, SERVER, {"deals": 5, "players": 3}, "three-days", "strong"),
        (Wanted({"players": 4}, "live", "fair"), SAVED, SERVER, {"deals": 20, "players": 4}, "live", "fair"),
        (Wanted(level="strong"), None, SERVER, {"deals": 10, "players": 4}, "day", "strong"),
    ],
)
def test_each_source_fills_in_what_those_before_leave_open(  # noqa: PLR0913, PLR0917 - a table of cases
    wanted: Wanted, saved: OptionSet | None, server: Server, options: dict[str, Any], clock: str, level: str
) -> None:
    beginning = merged(POT_BLACK, wanted, saved, server)
    settled = POT_BLACK.settle(beginning.options)
    assert {key: settled[key] for key in options} == options
    assert (beginning.clock, beginning.level) == (clock, level)


@pytest.mark.parametrize("key", GAMES)
def test_what_a_game_proposes_differs_from_its_defaults_and_is_allowed(key: str) -> None:
    game = GAMES[key]
    defaults, proposed = game.settle({}), game.settle(game.proposed)
    assert all(defaults[option] != value == proposed[option] for option, value in game.proposed.items())
    learning = game.settle(proposed_to(game, is_learner=True))
    assert learning == {**proposed, **game.proposed_to_learners}


async def test_pot_black_is_short_where_somebody_is_new_to_it(tables: Tables) -> None:
    place, proposed = Place(1, 2), {**POT_BLACK.proposed}
    table = (await tables.lobbies.open("pot_black", proposed, ANN, place)).table
    veteran = replace(table.sitters[0], nth_game=0)
    assert sit(replace(table, sitters=(veteran,)), POT_BLACK, BEN, None, nth_game=1).options["deals"] == 2
    assert sit(replace(table, sitters=(veteran,)), POT_BLACK, BEN, None, nth_game=0).options["deals"] == 10
    assert sit(table, POT_BLACK, BEN, None, nth_game=1).options["deals"] == 10, "the host was new, and chose ten"
    chosen = replace(table, sitters=(veteran,), options={**table.options, "deals": 20})
    assert sit(chosen, POT_BLACK, BEN, None, nth_game=1).options["deals"] == 20
