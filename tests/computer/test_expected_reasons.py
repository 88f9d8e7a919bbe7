"""The reasons of hints in positions of which the right reason is known: reasons.jsonl."""

import json
import random
from pathlib import Path
from typing import Any, Final

import pytest

from bot import computer
from bot.games import GAMES
from bot.games.game import CHANCE

EXPECTED: Final = [
    json.loads(line) for line in Path(__file__).with_name("reasons.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("line", EXPECTED, ids=lambda line: f"{line['game']}-{line['move']}")
def test_the_reason_is_the_one_that_a_player_would_give(line: dict[str, Any]) -> None:
    """Each position has a log, a move that the search recommends, one that it doesn't, and the known reason."""
    game = GAMES[line["game"]]
    state = game.start(game.settle(line["options"]))
    for text in line["log"]:
        seat, _colon, move = text.partition(":")
        state = game.apply(state, int(seat) if seat else CHANCE, game.parse(move)).state
    seen = game.observe(state, line["seat"])
    moves = game.parse(line["move"]), game.parse(line["against"])
    cause = computer.why(line["game"], seen, *moves, random.Random(1))
    assert cause is not None
    assert [cause.why.name, cause.seat, cause.what, cause.how.name] == line["cause"]
