"""The part of `bot.ui.live.plan` about the cards of dailies, matches and nights, as a table of cases."""

from typing import Final

import pytest
from msgspec.structs import replace

from bot.records.live_message import Kind, Stage
from bot.ui.live.plan import Create, Edit, Find, Leave, Remove, Wanted
from tests.ui.plan_cases import ANN, BEN, Case, actions, message, noted

CARD: Final = Wanted(Kind.CARD, "new", mentions=(ANN,))
SAME: Final = replace(CARD, content="old")
LASTING: Final = replace(CARD, is_final=True)
LAST: Final = replace(SAME, is_last=True)
RESULT: Final = Wanted(Kind.RESULT, "result", mentions=(ANN, BEN), is_final=True)
MOVED: Final = replace(RESULT, deal=2, is_final=False)
SHOWN: Final = message(Kind.CARD)
NOTED: Final = noted(Kind.CARD)
LEFT: Final = replace(SHOWN, stage=Stage.LEFT)
RETIRING: Final = replace(SHOWN, stage=Stage.RETIRING, id=3, message_id=99)
TOLD: Final = message(Kind.RESULT, id=4, message_id=104)
IS_LOST: Final = frozenset({100})

CARDS = [
    Case("a new card is posted, and pings", (CARD,), (), [Create(CARD, (ANN,))]),
    Case("a noted card is looked for first", (CARD,), (NOTED,), [Find(NOTED)]),
    Case("one that isn't there is posted", (CARD,), (NOTED,), [Create(CARD, (ANN,))], missing=frozenset({2})),
    Case("a card is edited in place", (CARD,), (SHOWN,), [Edit(SHOWN, CARD)], last_foreign_id=200),
    Case("a card that is up to date stays", (SAME,), (SHOWN,), [], last_foreign_id=200),
    Case("one that can't be edited is posted again without a ping", (CARD,), (SHOWN,), [Create(CARD)], lost=IS_LOST),
    Case("and the one that it replaces goes", (SAME,), (SHOWN, RETIRING), [Remove(RETIRING)]),
    Case("a deleted one comes back with a change", (CARD,), (SHOWN,), [Create(CARD)], lost=IS_LOST, gone=IS_LOST),
    Case("a deleted one waits for a change", (SAME,), (SHOWN,), [], lost=IS_LOST, gone=IS_LOST),
    Case("or stays away for good", (LASTING,), (SHOWN,), [Leave(SHOWN)], lost=IS_LOST, gone=IS_LOST),
    Case("unless it only can't be edited", (LASTING,), (SHOWN,), [Create(LASTING)], lost=IS_LOST),
    Case("a card that was left stays as it is", (CARD,), (LEFT,), []),
    Case("a card that shows the end is left", (LAST,), (SHOWN,), [Leave(SHOWN)]),
    Case("after the result was told", (LAST, RESULT), (SHOWN,), [Create(RESULT, (ANN, BEN))]),
    Case("which is told once", (LAST, replace(RESULT, content=None)), (SHOWN, TOLD), [Leave(SHOWN)]),
    Case("a change is told anew, with a ping", (SAME, MOVED), (SHOWN, TOLD), [Create(MOVED, (ANN, BEN))]),
    Case("and once", (SAME, replace(MOVED, content=None)), (SHOWN, replace(TOLD, deal=2)), []),
    Case("an unwanted note of a card goes", (), (NOTED,), [Remove(NOTED)], missing=frozenset({2})),
]


@pytest.mark.parametrize("case", CARDS, ids=lambda case: case.name)
def test_the_plan_has_the_expected_actions(case: Case) -> None:
    assert actions(case) == case.expected
