"""Why strong computers play what they play, and what other moves are worth."""

import math
import random
from itertools import islice
from typing import Any

import pytest

from bot import computer
from bot.computer.frogs import players as frogs
from bot.computer.frogs.why import FrogsWhy
from bot.computer.pond import players as pond
from bot.computer.pond.why import PondWhy
from bot.computer.pontis import players as pontis
from bot.computer.pontis.why import PontisWhy
from bot.computer.pot_black import players as pot_black
from bot.computer.pot_black.why import PotBlackWhy
from bot.computer.thoughts import Cause, How, Thought, Why
from bot.games import GAMES
from bot.games.cards import SUIT_SYMBOLS, Play, split
from bot.games.pond.moves import Profit
from bot.games.pond.scoring import CardClass, group_of, points
from bot.games.pontis.state import Observation, Window
from tests.computer.facts import FACTS, Claim
from tests.computer.pot_black_tables import GAME as POT_BLACK
from tests.computer.test_frogs_search import positions
from tests.computer.test_pontis_strong import seen as pontis_seen
from tests.computer.test_pot_black_strong import positions as positions_of_pot_black
from tests.computer.test_reasons import FORMS, UNCHECKED, positions as fair_positions
from tests.doses import IS_COMPLETE
from tests.games.frog_ponds import FROGS
from tests.leaks.twins import moments

BUDGETS = {"frogs": 300, "pond": 40, "pontis": 30, "pot_black": 40}


@pytest.mark.parametrize("key", BUDGETS)
def test_reasons_dont_change_the_move(key: str) -> None:
    explain: Any = computer.EXPLAINERS[key]
    choose: Any = computer.PLAYERS[key]["strong"]
    rng, game, compared, causes = random.Random(key), GAMES[key], 0, set()
    for moment in moments(game, rng):
        for seat in game.to_act(moment.state):
            seen, compared = game.observe(moment.state, seat), compared + 1
            thought: Thought = explain(seen, random.Random(compared), BUDGETS[key])
            assert thought.move == choose(seen, random.Random(compared), BUDGETS[key])
            others = [other.move for other in thought.alternatives]
            assert {thought.move, *others} <= {*seen.legal}
            assert thought.move not in others
            assert all(other.worse_by is None or other.worse_by >= 0 for other in thought.alternatives)
            assert thought.cause, "every hint has a reason"
            causes.add(thought.cause.why)
        if compared > (60 if IS_COMPLETE else 24):
            break
    assert len(causes) > 2


def test_frogs_knows_what_wins_and_what_loses() -> None:
    causes = set()
    for state in positions(60, "standard"):
        thought = frogs.explain(FROGS.observe(state, state.turn), random.Random(1), 3000)
        why = thought.cause.why if thought.cause else None
        causes.add(why)
        worse_by = {other.worse_by for other in thought.alternatives}
        if thought.cause == Cause(FrogsWhy.WINS, number=1):
            after = FROGS.apply(state, state.turn, thought.move).state
            assert after.outcome is not None
            assert after.outcome.places[state.turn or 0] == 1
        elif why is Why.LOSES:
            assert worse_by == {0.0}
        elif why is FrogsWhy.SAVES:
            lost = {other.move for other in thought.alternatives if other.worse_by == math.inf}
            assert lost.issuperset(thought.reasons[0].against)
        elif why is not FrogsWhy.WINS:
            assert None not in worse_by
    assert {FrogsWhy.SCORES, FrogsWhy.WINS, Why.LOSES, FrogsWhy.SAVES} <= causes


@pytest.mark.parametrize(
    ("observation", "cause"),
    [
        (pontis_seen("9C/4C", "5S/KSKD"), Cause(PontisWhy.EMPTIES)),
        (pontis_seen("8C/4D", "KS9HQD/5SQS", idle=2), Cause(PontisWhy.BLOCKS, 1)),
        (
            pontis_seen("9C/4D", "5DKS/QS", fake="on", window=Window(1, split("5S") or (), lie=True)),
            Cause(PontisWhy.LIE, 1),
        ),
    ],
)
def test_pontis_says_why(observation: Observation, cause: Cause) -> None:
    thought = pontis.explain(observation, random.Random(1), 400)
    assert thought.cause is not None
    assert (thought.cause.why, thought.cause.seat) in {(cause.why, cause.seat), (Why.ONLY, -1)}


def test_pot_black_knows_who_is_out_of_a_suit() -> None:
    found, rng = 0, random.Random(3)
    for state in islice(positions_of_pot_black({"players": 3, "deals": 5}, rng, "fair"), 170):
        seen = POT_BLACK.observe(state, state.turn)
        out = {suit for seat, suits in enumerate(seen.voids) for suit in suits if seat != seen.seat}
        plays = [move for move in seen.legal if isinstance(move, Play)]
        if seen.trick or len(out) != 1 or not {move.card[1] for move in plays} > out:
            continue
        move, other = (next(play for play in plays if (play.card[1] in out) is is_out) for is_out in (False, True))
        cards = pot_black.Cards(seen)
        bits = {str(cards.named(bit)): bit for bit in (*cards.moves, *cards.absurd)}
        facts = cards.facts([cards.imagining(rng, 1)() for _ in range(20)], bits[str(move)], bits[str(other)])
        cause = next(fact for fact in facts if fact.why is PotBlackWhy.HAS_NONE)
        assert cause.what == SUIT_SYMBOLS[other.card[1]]
        assert other.card[1] in seen.voids[cause.seat]
        found += 1
    assert found


def test_only_the_last_card_of_a_trick_makes_its_taker_certain() -> None:
    found = set()
    for state in islice(positions_of_pot_black({"players": 4, "deals": 5}, random.Random(4), "fair"), 150):
        seen = POT_BLACK.observe(state, state.turn)
        thought = pot_black.explain(seen, random.Random(1), 12)
        cause = thought.cause
        if cause is None or cause.why is not Why.SAME or cause.seat < 0:
            continue
        found.add(cause.how)
        assert (cause.how is How.SURE) == (len(seen.trick) == 3)
        assert cause.number == (cause.seat == seen.seat)
        if cause.how is How.SURE and len(seen.hand) > 1:
            assert {POT_BLACK.apply(state, state.turn, move).state.turn for move in seen.legal} == {cause.seat}
    assert found == {How.SURE, How.LIKELY}


def test_a_profit_is_explained_by_the_cards_that_score_it() -> None:
    """A poison card of the profit ranks stays poison, and the card set aside is out of the round."""
    checked = 0
    for moment in islice(moments(GAMES["pond"], random.Random(6)), 400):
        for seat in GAMES["pond"].to_act(moment.state):
            seen = GAMES["pond"].observe(moment.state, seat)
            if seen.phase != "profit":
                continue
            thought = pond.explain(seen, random.Random(1), 40)
            assert isinstance(thought.move, Profit)
            card = thought.move.card
            poison, group = seen.poison(seat), group_of(card) or ""
            scoring = [held for held in seen.hand if points(held, poison, group) == CardClass.PROFIT]
            if thought.cause and thought.cause.why is PondWhy.GROUP:
                assert thought.cause == Cause(PondWhy.GROUP, number=len(scoring) - (card in scoring))
                checked += 1
    assert checked


@pytest.mark.parametrize(("key", "options"), [form[:2] for form in FORMS])
def test_a_guess_has_a_reason_too(key: str, options: dict[str, Any]) -> None:
    found: list[Cause | None] = []
    for seen in islice(fair_positions(key, options, random.Random(1)), 20 if IS_COMPLETE else 3):
        thought = computer.guess(key, seen, random.Random(1))
        found.append(thought.cause)
        assert thought.is_guess
        if thought.cause is None or thought.cause.why in UNCHECKED:
            continue
        turn = Claim(GAMES[key], seen, thought.cause)
        ((against,),) = (reason.against for reason in thought.reasons)
        truth, of_other = FACTS[key](turn, thought.move), FACTS[key](turn, against)
        assert truth is not False, turn
        assert not of_other, turn
    assert len(list(filter(None, found))) > len(found) / 2
