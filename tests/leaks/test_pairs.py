"""Two states that somebody can't tell apart are the same to him in everything that the bot says, offers and does.

``make leaks PAIRS=1000000`` tries that many pairs of each game; without more ado it is ten thousand.
"""

import os
import random
from typing import Any

import pytest

from bot.games import GAMES
from bot.games.game import AnyGame, Move
from tests.discord.watch import cards_in
from tests.leaks.pairs import FACES, Moment, choice, moments, pages, refusals, resigning, secret_moves, work

PAIRS = int(os.environ.get("PAIRS", "10000"))
IMAGINED = 4
"""So many states are imagined for each viewer of a moment; all are held against the one drawing of that moment."""

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def others(game: AnyGame, moment: Moment, viewer: int | None, rng: random.Random) -> list[Any]:
    """States that look to the viewer like that of the moment; in a game without secrets it is the state itself."""
    observation = game.observe(moment.state, viewer)
    imagined = [game.imagine(observation, rng) for _ in range(IMAGINED)]
    return [other for other in imagined if game.key == "frogs" or other != moment.state]


@every_game
def test_what_somebody_cant_tell_apart_looks_the_same_to_him(game: AnyGame) -> None:
    rng = random.Random(f"{game.key} {PAIRS}")
    known: dict[str, Move] = {}
    pairs = 0
    for moment in moments(game, rng):
        for viewer in moment.viewers:
            observation = game.observe(moment.state, viewer)
            known |= {str(move): move for move in observation.legal}
            found = others(game, moment, viewer, rng)
            if not found:
                continue
            drawn = pages(moment, observation)
            illegal = [move for move in known.values() if move not in observation.legal]
            tried = rng.sample(illegal, min(2, len(illegal))) if viewer is not None else []
            refused = refusals(game, moment.state, viewer or 0, tried)
            resigned = resigning(game, moment.state, viewer)
            secret = secret_moves(game, moment.state, viewer, rng)
            for other in found:
                pairs += 1
                assert pages(moment, game.observe(other, viewer)) == drawn
                assert refusals(game, other, viewer or 0, tried) == refused
                assert resigning(game, other, viewer) == resigned
                assert secret_moves(game, other, viewer, rng) == secret
        if pairs >= PAIRS:
            return


@every_game
def test_a_computer_chooses_the_same_and_thinks_as_long_whatever_others_hold(game: AnyGame) -> None:
    rng = random.Random(f"{game.key} {PAIRS} computers")
    wanted = PAIRS // (100 if game.key == "frogs" else 10)
    pairs = 0
    for moment in moments(game, rng):
        for viewer in moment.viewers[1:]:
            observation = game.observe(moment.state, viewer)
            if not observation.legal:
                continue
            chosen, worked = choice(game, observation, pairs), None
            for other in others(game, moment, viewer, rng)[:2]:
                seen = game.observe(other, viewer)
                assert choice(game, seen, pairs) == chosen
                if pairs % 10 == 0:
                    worked = worked or work(game, observation, pairs)
                    assert work(game, seen, pairs) == worked
            pairs += 2
        if pairs >= wanted:
            return


@pytest.mark.parametrize("key", ["pond", "pontis", "pot_black"])
def test_a_page_drawn_from_somebody_elses_observation_would_be_found(key: str) -> None:
    """The test of the tests: of two states that look the same to one seat, another seat sees which it is."""
    game, rng = GAMES[key], random.Random(1)
    found = 0
    for moment, _ in zip(moments(game, rng), range(60), strict=False):
        for other in others(game, moment, 0, rng):
            own, imagined = (game.observe(state, 1) for state in (moment.state, other))
            found += pages(moment, own) != pages(moment, imagined)
    assert found > 100


@pytest.mark.parametrize("key", ["pond", "pontis", "pot_black"])
def test_no_page_names_a_card_that_its_reader_cant_know(key: str) -> None:
    """As long as nothing has been dealt again: later a card may have been seen in an earlier deal."""
    game, rng = GAMES[key], random.Random(2)
    read = 0
    for moment in moments(game, rng):
        for viewer in moment.viewers:
            observation = game.observe(moment.state, viewer)
            if FACES[key].deal(observation) > (key == "pot_black"):
                continue
            read += 1
            known = cards_in(repr(observation)) | cards_in(repr(moment.events))
            assert cards_in("\n".join(map(str, pages(moment, observation)))) <= known
        if read >= 300:
            return
