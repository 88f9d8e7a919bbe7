"""The specification of `bot.ui.live.plan` as a table of cases. `test_plan_scores` has those of scores."""

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from bot.records.live_message import Kind, LiveMessage
from bot.ui.live.plan import (
    AFTER_TRICK_S,
    AT_ONCE,
    MAX_AGE_S,
    NEVER,
    TIDY_S,
    Create,
    Desired,
    Edit,
    Find,
    Mark,
    Remove,
    Wanted,
    due,
    next_due,
)
from tests.ui.plan_cases import ANN, BEN, LIVE, NEW, NOW, OLD, RETIRING, Case, actions, message, noted


def hand(**changes: Any) -> LiveMessage:
    """Return Ann's hand of the first deal."""
    return message(Kind.HAND, **{"user_id": ANN, "deal": 0, **changes})


OLD_HAND = Wanted(Kind.HAND, "old", ANN, 0)
NEW_HAND = Wanted(Kind.HAND, "new", ANN, 0)
PROMPT = hand(notified=(ANN,))
WAITING = Wanted(Kind.HAND, "new", ANN, 0, due=NEVER)
LATER = Wanted(Kind.HAND, "new", ANN, 0, due=NOW + 10)
DUE = Wanted(Kind.HAND, "new", ANN, 0, due=NOW)
OFFER = Wanted(Kind.HAND, "new", ANN, 0, is_prompt=True)
PING = Wanted(Kind.PING, "")
QUESTION = Wanted(Kind.QUESTION, "new", ANN)
NOTIFIED_ANN = message(notified=(ANN,))
ANNS_PING = message(Kind.PING, id=3, message_id=103, notified=(ANN,))
OLD_PING = message(Kind.PING, id=3, message_id=103)
BOTHS_PING = message(Kind.PING, id=3, message_id=103, notified=(ANN, BEN))

BOARDS = [
    Case("the first board is posted", (NEW,), (), [Create(NEW)]),
    Case("a board that is as it should be stays", (OLD,), (LIVE,), []),
    Case("a board that changed is edited", (NEW,), (LIVE,), [Edit(LIVE, NEW)]),
    Case("a board of unknown content is edited", (OLD,), (message(content=None),), [Edit(message(content=None), OLD)]),
    Case(
        "chat alone doesn't move a board",
        (NEW,),
        (NOTIFIED_ANN,),
        [Edit(NOTIFIED_ANN, NEW, (ANN,))],
        (ANN,),
        last_foreign_id=200,
    ),
    Case(
        "a buried board is posted again when the turn passes",
        (NEW,),
        (NOTIFIED_ANN,),
        [Create(NEW, notified=(BEN,))],
        (BEN,),
        last_foreign_id=200,
    ),
    Case(
        "a buried board stays while players who were active choose at the same time",
        (NEW,),
        (LIVE,),
        [Edit(LIVE, NEW)],
        (BEN,),
        {BEN: NOW + 30},
        last_foreign_id=200,
        shown_turn=frozenset({ANN, BEN}),
    ),
    Case(
        "a board of a restored database is posted again, and pings nobody a second time",
        (NEW,),
        (message(content=None, posted_at=0, notified=(BEN,)),),
        [Create(NEW, notified=(BEN,))],
        (BEN,),
        {BEN: NOW},
    ),
    Case(
        "a buried board is posted again at the end though its players were active",
        (NEW,),
        (LIVE,),
        [Create(NEW)],
        last_foreign_id=200,
        shown_turn=frozenset({ANN}),
    ),
    Case(
        "a buried board is edited, and nobody pinged, if Discord refuses new messages",
        (NEW,),
        (LIVE,),
        [Edit(LIVE, NEW)],
        (BEN,),
        {BEN: NOW - 1},
        last_foreign_id=200,
        can_post=False,
    ),
    Case(
        "a deleted board can't be edited even if Discord refuses new messages",
        (NEW,),
        (LIVE,),
        [Create(NEW, notified=(BEN,))],
        (BEN,),
        lost=frozenset({100}),
        can_post=False,
    ),
    Case(
        "the bot's own messages don't bury a board",
        (NEW,),
        (NOTIFIED_ANN,),
        [Edit(NOTIFIED_ANN, NEW, (BEN,))],
        (BEN,),
        last_foreign_id=50,
    ),
    Case("a buried board is posted again at the end", (NEW,), (NOTIFIED_ANN,), [Create(NEW)], last_foreign_id=200),
    Case(
        "a deleted board is posted again",
        (OLD,),
        (NOTIFIED_ANN,),
        [Create(OLD, notified=(ANN,))],
        (ANN,),
        lost=frozenset({100}),
    ),
    Case(
        "a board too old to be edited is posted again",
        (NEW,),
        (message(posted_at=NOW - MAX_AGE_S - 1),),
        [Create(NEW)],
    ),
    Case("an old board without changes stays", (OLD,), (message(posted_at=NOW - MAX_AGE_S - 1),), []),
    Case("a replaced board is removed", (OLD,), (RETIRING, LIVE), [Remove(RETIRING)]),
    Case("the new board comes before the old one goes", (NEW,), (RETIRING,), [Create(NEW)]),
]

CRASHES = [
    Case("a noted board is searched for first", (NEW,), (LIVE, noted()), [Find(noted())]),
    Case(
        "a noted board that isn't there is posted",
        (NEW,),
        (noted(),),
        [Create(NEW)],
        missing=frozenset({2}),
    ),
    Case(
        "a noted board that isn't needed any more is forgotten",
        (OLD,),
        (LIVE, noted()),
        [Remove(noted())],
        missing=frozenset({2}),
    ),
    Case(
        "a noted hand that isn't there is posted",
        (NEW_HAND,),
        (noted(Kind.HAND, user_id=ANN, deal=0),),
        [Create(NEW_HAND)],
        missing=frozenset({2}),
    ),
    Case(
        "a noted ping that isn't there is posted",
        (OLD,),
        (LIVE, noted(Kind.PING)),
        [Create(PING, (ANN,), (ANN,)), Mark(LIVE, (ANN,))],
        (ANN,),
        {ANN: NOW - 1},
        missing=frozenset({2}),
    ),
]

PINGS = [
    Case(
        "a player who was away gets a ping of its own beside an edited board",
        (NEW,),
        (LIVE,),
        [Edit(LIVE, NEW), Create(PING, (ANN,), (ANN,)), Mark(LIVE, (ANN,))],
        (ANN,),
        {ANN: NOW - 1},
    ),
    Case(
        "a new board carries the ping",
        (NEW,),
        (message(notified=(BEN,)),),
        [Create(NEW, (ANN,), (ANN,))],
        (ANN,),
        {ANN: NOW - 1},
        last_foreign_id=200,
    ),
    Case("players who want no ping get none", (NEW,), (LIVE,), [Edit(LIVE, NEW, (ANN,))], (ANN,)),
    Case("a player is pinged once a turn", (OLD,), (NOTIFIED_ANN,), [], (ANN,), {ANN: NOW - 1}),
    Case("a ping that isn't due yet waits", (OLD,), (LIVE,), [], (ANN,), {ANN: NOW + 30}),
    Case(
        "of two players to move only the one who is away is pinged now",
        (OLD,),
        (LIVE,),
        [Create(PING, (ANN,), (ANN,)), Mark(LIVE, (ANN,))],
        (ANN, BEN),
        {ANN: NOW - 1, BEN: NOW + 30},
    ),
    Case(
        "a second ping leaves the player of the first one notified",
        (OLD,),
        (LIVE, ANNS_PING),
        [Create(PING, (BEN,), (ANN, BEN)), Mark(LIVE, (ANN, BEN))],
        (ANN, BEN),
        {BEN: NOW - 1},
    ),
    Case("a posted ping counts after a crash", (OLD,), (LIVE, ANNS_PING), [Mark(LIVE, (ANN,))], (ANN,), {ANN: NOW - 1}),
    Case(
        "a ping no longer counts when the turn passes",
        (OLD,),
        (message(notified=(BEN,)), ANNS_PING),
        [Mark(ANNS_PING, ())],
        (BEN,),
    ),
    Case(
        "a ping of two players doesn't count for the next turn of one of them",
        (NEW,),
        (NOTIFIED_ANN, BOTHS_PING),
        [Mark(BOTHS_PING, ())],
        (BEN,),
        last_foreign_id=200,
        shown_turn=frozenset({ANN}),
    ),
    Case(
        "a ping that no longer counts keeps no buried board in its place",
        (NEW,),
        (NOTIFIED_ANN, OLD_PING),
        [Create(NEW, notified=(BEN,))],
        (BEN,),
        last_foreign_id=200,
        shown_turn=frozenset({ANN}),
    ),
    Case("a ping that no longer counts goes", (OLD,), (LIVE, OLD_PING), [Remove(OLD_PING)]),
    Case(
        "a ping that couldn't be deleted doesn't count for the next turn",
        (OLD,),
        (LIVE, OLD_PING),
        [Create(PING, (ANN,), (ANN,)), Mark(LIVE, (ANN,))],
        (ANN,),
        {ANN: NOW - 1},
    ),
    Case(
        "a ping of two players no longer counts for the one who has moved",
        (OLD,),
        (NOTIFIED_ANN, BOTHS_PING),
        [Mark(BOTHS_PING, (ANN,))],
        (ANN,),
    ),
    Case("a ping no longer counts at the end", (OLD,), (LIVE, ANNS_PING), [Mark(ANNS_PING, ())]),
]

HANDS = [
    Case("the first hand is posted", (NEW_HAND,), (), [Create(NEW_HAND)]),
    Case("a hand that changed is edited", (NEW_HAND,), (hand(),), [Edit(hand(), NEW_HAND)]),
    Case("a hand that is as it should be stays", (OLD_HAND,), (hand(),), []),
    Case("a hand that isn't due stays", (WAITING,), (hand(),), []),
    Case("a hand that isn't due yet stays", (LATER,), (hand(),), []),
    Case("a hand that is due is edited", (DUE,), (hand(),), [Edit(hand(), DUE)]),
    Case("a hand that is due stays while the budget is tight", (DUE,), (hand(),), [], is_tight=True),
    Case("an old prompt that isn't due yet stays", (LATER,), (PROMPT,), []),
    Case("an old prompt that is due goes", (DUE,), (PROMPT,), [Edit(PROMPT, DUE)]),
    Case(
        "an old prompt that is due goes though the budget is tight",
        (DUE,),
        (PROMPT,),
        [Edit(PROMPT, DUE)],
        is_tight=True,
    ),
    Case(
        "a change that is due at once is shown though the budget is tight",
        (NEW_HAND,),
        (hand(),),
        [Edit(hand(), NEW_HAND)],
        is_tight=True,
    ),
    Case("a hand of unknown content is edited", (WAITING,), (hand(content=None),), [Edit(hand(content=None), WAITING)]),
    Case(
        "a prompt that is as it should be stays",
        (Wanted(Kind.HAND, "old", ANN, 0, is_prompt=True),),
        (PROMPT,),
        [],
    ),
    Case("a hand that asks for a move is recorded as such", (OFFER,), (hand(),), [Edit(hand(), OFFER, (ANN,))]),
    Case(
        "each deal has a hand of its own",
        (Wanted(Kind.HAND, "new", ANN, 1),),
        (hand(),),
        [Create(Wanted(Kind.HAND, "new", ANN, 1))],
    ),
    Case("a hand of a restored database is posted again", (OLD_HAND,), (hand(posted_at=0),), [Create(OLD_HAND)]),
    Case("a deleted hand is posted again", (OLD_HAND,), (hand(),), [Create(OLD_HAND)], lost=frozenset({100})),
    Case("the hand of a player who left is removed", (), (hand(),), [Remove(hand())]),
]

QUESTIONS = [
    Case("a question is posted", (QUESTION,), (), [Create(QUESTION)]),
    Case(
        "a question is posted once",
        (Wanted(Kind.QUESTION, "old", ANN),),
        (message(Kind.QUESTION, user_id=ANN),),
        [],
    ),
    Case(
        "a question is edited when an answer is still missing",
        (QUESTION,),
        (message(Kind.QUESTION, user_id=ANN),),
        [Edit(message(Kind.QUESTION, user_id=ANN), QUESTION)],
    ),
    Case(
        "a settled question goes",
        (),
        (message(Kind.QUESTION, user_id=ANN),),
        [Remove(message(Kind.QUESTION, user_id=ANN))],
    ),
    Case(
        "two players' questions stand side by side",
        (QUESTION, Wanted(Kind.QUESTION, "new", BEN)),
        (message(Kind.QUESTION, user_id=BEN, content="new"),),
        [Create(QUESTION)],
    ),
]


@pytest.mark.parametrize("case", [*BOARDS, *CRASHES, *PINGS, *HANDS, *QUESTIONS], ids=lambda case: case.name)
def test_the_plan_has_the_expected_actions(case: Case) -> None:
    assert actions(case) == case.expected


def test_the_next_ping_skips_players_already_notified() -> None:
    desired = Desired((OLD,), (ANN, BEN, 9), {ANN: NOW + 10, BEN: NOW + 20, 9: NOW + 30})
    assert next_due(desired, (NOTIFIED_ANN,), NOW) == NOW + 20


def test_no_ping_is_due_when_everybody_is_notified() -> None:
    assert next_due(Desired((OLD,), (ANN,), {ANN: NOW + 10}), (NOTIFIED_ANN,), NOW) is None


def test_a_hand_that_is_behind_is_due_later() -> None:
    assert next_due(Desired((LATER,)), (hand(),), NOW) == NOW + 10
    assert next_due(Desired((LATER,)), (hand(content="new"),), NOW) is None
    assert next_due(Desired((DUE,)), (hand(),), NOW) is None
    assert next_due(Desired((WAITING,)), (hand(),), NOW) is None


def test_a_hand_that_is_not_drawn_is_left_alone_until_it_is_due() -> None:
    undrawn = replace(LATER, content=None)
    for recorded in (hand(), hand(content=None), hand(deal=0)):
        assert actions(Case("an undrawn hand", (undrawn,), (recorded,), [])) == []
    assert next_due(Desired((undrawn,)), (hand(),), NOW) == NOW + 10


def playing(**changes: Any) -> Any:
    """Return what matters of a table."""
    return SimpleNamespace(**{"status": "playing", "undone_at": 0, "changed_at": NOW, **changes})


@pytest.mark.parametrize(
    ("live", "since", "is_after_trick", "expected"),
    [
        pytest.param(None, 3, False, AT_ONCE, id="a first hand"),
        pytest.param(PROMPT, 4, False, AT_ONCE, id="a prompt that its player has ended elsewhere"),
        pytest.param(PROMPT, 4, True, AT_ONCE, id="a prompt that its player has ended elsewhere, in a trick"),
        pytest.param(PROMPT, 3, False, NOW + TIDY_S, id="a prompt that others have ended"),
        pytest.param(PROMPT, 3, True, NOW + AFTER_TRICK_S, id="a prompt that others have ended, in a trick"),
        pytest.param(hand(), 4, False, NEVER, id="a hand without a prompt"),
        pytest.param(hand(), 4, True, NOW + AFTER_TRICK_S, id="a hand without a prompt, after a trick"),
    ],
)
def test_when_a_hand_without_a_prompt_is_due(
    live: LiveMessage | None,
    since: int,
    is_after_trick: bool,  # noqa: FBT001 - a parameter of the cases
    expected: float,
) -> None:
    assert due(playing(), live, since, is_after_trick=is_after_trick) == expected


def test_a_hand_is_due_at_once_after_an_undo_and_at_the_end() -> None:
    assert due(playing(undone_at=4), hand(), 4, is_after_trick=False) == AT_ONCE
    assert due(playing(undone_at=3), hand(), 3, is_after_trick=False) == NEVER
    assert due(playing(status="over"), hand(), 0, is_after_trick=False) == AT_ONCE
