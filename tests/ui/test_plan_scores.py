"""The part of `bot.ui.live.plan` about the scores of deals, as a table of cases."""

import pytest

from bot.records.live_message import Kind
from bot.ui.live.plan import Create, Edit, Find, Remove, Wanted
from tests.ui.plan_cases import LIVE, NEW, OLD, RETIRING, Case, actions, message, noted

SCORE = Wanted(Kind.SCORE, "score", deal=1)
SCORED = message(Kind.SCORE, id=4, message_id=104, deal=1, content="score")
FIRST_SCORED = message(Kind.SCORE, id=5, message_id=90, deal=0, content="first")
BELOW = message(id=6, message_id=106)
"""A board below the scores."""
NOTED_SCORE = noted(Kind.SCORE, deal=1)

SCORES = [
    Case("when a deal is scored, the board is posted again", (SCORE, NEW), (LIVE,), [Create(NEW)], deal=2),
    Case("the replaced board becomes the score", (SCORE, OLD), (RETIRING, BELOW), [Edit(RETIRING, SCORE)], deal=2),
    Case("another replaced board goes", (SCORE, OLD), (RETIRING, SCORED, BELOW), [Remove(RETIRING)], deal=2),
    Case(
        "a score is posted if the board is deleted",
        (SCORE, NEW),
        (LIVE,),
        [Create(SCORE), Create(NEW)],
        lost=frozenset({100}),
        deal=2,
    ),
    Case(
        "a score is posted if the replaced board is deleted",
        (SCORE, OLD),
        (RETIRING, BELOW),
        [Create(SCORE)],
        lost=frozenset({99}),
        deal=2,
    ),
    Case("a board above the score is posted again", (SCORE, NEW), (LIVE, SCORED), [Create(NEW)], deal=2),
    Case("a board below the score is edited", (SCORE, NEW), (SCORED, BELOW), [Edit(BELOW, NEW)], deal=2),
    Case("the scores of earlier deals stay", (SCORE, OLD), (FIRST_SCORED, SCORED, BELOW), [], deal=2),
    Case("scores stay at the end", (OLD,), (FIRST_SCORED, SCORED, BELOW), []),
    Case("a deleted score isn't posted again", (SCORE, OLD), (SCORED, BELOW), [], lost=frozenset({104}), deal=2),
    Case(
        "the board of a deal that was taken back is edited first",
        (Wanted(Kind.SCORE, "first", deal=0), NEW),
        (FIRST_SCORED, SCORED, BELOW),
        [Edit(BELOW, NEW)],
        deal=1,
    ),
    Case(
        "the score of a deal that was taken back goes once the board is edited",
        (Wanted(Kind.SCORE, "first", deal=0), OLD),
        (FIRST_SCORED, SCORED, BELOW),
        [Remove(SCORED)],
        deal=1,
    ),
    Case(
        "the score of a deal that was scored again is edited",
        (Wanted(Kind.SCORE, "other", deal=1), OLD),
        (SCORED, BELOW),
        [Edit(SCORED, Wanted(Kind.SCORE, "other", deal=1))],
        deal=2,
    ),
    Case(
        "a deleted score isn't edited either",
        (Wanted(Kind.SCORE, "other", deal=1), OLD),
        (SCORED, BELOW),
        [],
        lost=frozenset({104}),
        deal=2,
    ),
    Case(
        "there is no score if Discord refuses new messages",
        (SCORE, NEW),
        (LIVE,),
        [Edit(LIVE, NEW)],
        can_post=False,
        deal=2,
    ),
    Case("a noted score is searched for first", (SCORE, OLD), (BELOW, NOTED_SCORE), [Find(NOTED_SCORE)], deal=2),
    Case(
        "a noted score that isn't there is posted",
        (SCORE, OLD),
        (BELOW, NOTED_SCORE),
        [Create(SCORE), Create(OLD)],
        lost=frozenset({106}),
        missing=frozenset({2}),
        deal=2,
    ),
]


@pytest.mark.parametrize("case", SCORES, ids=lambda case: case.name)
def test_the_plan_has_the_expected_actions(case: Case) -> None:
    assert actions(case) == case.expected
