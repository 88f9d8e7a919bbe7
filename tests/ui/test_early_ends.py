"""Games that end early: who was ahead, and what isn't included in that."""

import dataclasses

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.games.game import COUNTED, NOBODY, STOPPED
from bot.records.preference import UserSettings
from bot.tables.tables import Sight
from bot.ui.messages.board import board
from bot.ui.messages.hand import hand
from tests.leaks.pairs import FACES
from tests.posts import paragraphs_of
from tests.recorded import recorded

UNFINISHED = {"pond": "The unfinished round isn't included.", "pontis": "The unfinished game isn't included."}


@pytest.mark.parametrize("reason", [STOPPED, COUNTED])
@pytest.mark.parametrize("key", GAMES)
def test_an_early_end_says_whether_the_unfinished_deal_is_included(key: str, reason: str) -> None:
    """In Pontis, the points of the unfinished game are shown, too, also beside a picture."""
    game, face = GAMES[key], FACES[key]
    moment = recorded(key)[10]
    table = replace(moment.table, status="closed", why="counted" if reason == COUNTED else "host")
    for seat in (None, 0):
        seen = dataclasses.replace(
            game.observe(moment.state, seat), outcome=game.stopped(moment.state, reason), to_act=NOBODY, legal=()
        )
        sight = Sight(table, seen, moment.events)
        for hands in ("pictures", "text"):
            settings = UserSettings(hands=hands)
            post = board(face, sight, with_picture=hands == "pictures")
            if seat is not None:
                post = hand(face, sight, "", settings)
            words = "\n".join(paragraphs_of(post))
            assert {game for game, said in UNFINISHED.items() if said in words} == {key} & UNFINISHED.keys()
            assert ("-# Points: " in words) == (key == "pontis")
