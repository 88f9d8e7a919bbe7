"""Pond · cards: the end of a round and of the game. Worked examples PC-E1 and PC-E6."""

import random

import pytest

from bot.fairness import Stream
from bot.games.cards import Card, Play
from bot.games.game import Outcome, Resigned
from bot.games.pond.moves import RoundScored
from bot.games.pond.scoring import CardClass, Line, Tally, points, tally
from bot.games.pond.state import Laid, State
from tests.games.pond_table import (
    POND,
    TRAPPED,
    after,
    anybody,
    baiting,
    cards,
    chosen,
    dealt,
    entry,
    play_on,
    play_round,
    play_until_last_card,
    refused,
    start,
)

# ---- the end of a round


@pytest.mark.parametrize(
    ("traps", "left"),
    [
        ([True, False, True, False, False], 3),
        ([True, True, True, True], 3),
        ([False, False, False, False, False, False], 3),
        ([True, False, False, False, False, False], 2),
    ],
)
def test_a_round_ends_with_hands_below_four(traps: list[bool], left: int) -> None:
    """PC-E6, PC-27, PC-28."""
    score = play_round(chosen(2), traps).rounds[0]
    assert [len(one.left) for one in score.tallies] == [left, left]
    assert sum(len(line.cards) for one in score.tallies for line in one.lines) == 2 * (15 - left)


def test_with_four_cards_a_trap_is_still_legal() -> None:
    """PC-27: three are used, one is left."""
    state = play_round(chosen(2), [True, False, False, False, False, True])
    assert [len(one.left) for one in state.rounds[0].tallies] == [1, 1]


PILE = "TH8S9DKHQCAS4C2STDJD"


@pytest.mark.parametrize(
    ("poison", "group", "each", "total"),
    [
        ("H", "89T", [-25, 15, 15, -25, 10, 1, 5, 5, 15, 10], 26),
        ("H", "A234", [-25, 5, 5, -25, 10, 15, 15, 15, 5, 10], 30),
        ("H", "4567", [-25, 5, 5, -25, 10, 1, 15, 5, 5, 10], 6),
        ("C", "89T", [15, 15, 15, 10, -25, 1, -25, 5, 15, 10], 36),
        ("C", "A234", [5, 5, 5, 10, -25, 15, -25, 15, 5, 10], 20),
        ("D", "4567", [5, 5, -25, 10, 10, 1, 15, 5, -25, -25], -24),
    ],
)
def test_each_card_scores_by_the_first_class_that_fits(poison: str, group: str, each: list[int], total: int) -> None:
    """PC-E1, PC-16, PC-29, PC-30."""
    assert [points(card, poison, group) for card in cards(PILE)] == each
    set_aside = Card(group[-1] + "D" if group != "A234" else "AD")
    assert tally(cards(PILE), poison, set_aside, ()).points == total


def test_a_tally_has_a_line_for_each_class() -> None:
    """PC-15, PC-28, PC-34."""
    assert tally(cards("2H4D8SASKC"), "H", Card("5H"), cards("2C3C")) == Tally(
        poison="H",
        set_aside=Card("5H"),
        group="4567",
        lines=(
            Line(CardClass.POISON, cards("2H"), -25),
            Line(CardClass.PROFIT, cards("4D"), 15),
            Line(CardClass.FACE, cards("KC"), 10),
            Line(CardClass.NUMBER, cards("8S"), 5),
            Line(CardClass.ACE, cards("AS"), 1),
        ),
        left=cards("2C3C"),
        points=6,
    )


def test_partners_score_by_their_own_profit_and_share_the_sum() -> None:
    """PC-31, G-07."""
    score = play_on(dealt(4, seed=3), random.Random(4), rounds=1).rounds[0]
    own = [one.points for one in score.tallies]
    assert score.points == (own[0] + own[2], own[1] + own[3]) * 2
    assert score.tallies[0].poison == score.tallies[2].poison


def test_players_see_only_the_value_of_their_own_pile() -> None:
    """PC-33."""
    state = after(baiting(), *TRAPPED, "0 play 7C", "1 play KS")
    assert POND.observe(state, 1).pile_points == sum([-25, 1, -25, 10, -25, 10])
    assert POND.observe(state, 0).pile_points == 0
    assert POND.observe(state, None).pile_points == 0


def test_a_finished_round_is_revealed() -> None:
    """PC-28, PC-34."""
    state = play_round(chosen(2), [True] * 4)
    seen = POND.observe(state, None)
    assert seen.rounds == state.rounds
    assert seen.hand_counts == ()
    assert seen.set_aside == ()
    assert seen.totals == state.rounds[0].points


def test_the_score_of_a_round_is_announced() -> None:
    """PC-34."""
    state = play_until_last_card(chosen(2))
    last = POND.apply(state, anybody(state), POND.legal(state, anybody(state))[0])
    score = last.state.rounds[0]
    assert last.events[-1] == RoundScored(0, score, score.points)


# ---- the end of the game


def scored(state: State, *rounds: tuple[int, int]) -> State:
    """Return a state with finished rounds of these points."""
    blank = play_round(chosen(2), [True] * 4).rounds[0]
    return state._replace(rounds=tuple(blank._replace(points=points) for points in rounds))


def ended(state: State) -> Outcome | None:
    """Play the last trick of a round that is worth nothing to either side."""
    lead, follow = Card("KS"), Card("QS")
    state = state._replace(
        phase="play",
        first_dealer=0,
        turned=((Card("2H"),), (Card("3H"),)),
        hands=((*cards("4C5C6C"), lead), (*cards("4D5D6D"), follow)),
        set_aside=(Card("8C"), Card("8D")),
        baits=(Laid(0, Card("4H")), Laid(1, Card("TC"))),
        traps=(Laid(0, Card("AS")), Laid(1, Card("AD"))),
    )
    # King and queen 10 each, the four of hearts -25, the ten 15, the aces 1 each: 12 for seat 0.
    state = POND.apply(POND.apply(state, 0, Play(lead)).state, 1, Play(follow)).state
    return state.outcome


def test_the_game_has_four_rounds_or_two() -> None:
    """PC-36."""
    assert ended(scored(start(), (0, 0), (0, 0))) is None
    assert ended(scored(start(), (0, 0), (0, 0), (0, 0))) == Outcome((12, 0), (1, 2), "points")
    assert ended(scored(start(rounds=2), (0, 0))) == Outcome((12, 0), (1, 2), "points")
    assert len(play_on(dealt(4, rounds=2), random.Random(7)).rounds) == 2


def test_equal_totals_are_a_draw() -> None:
    """PC-35, G-09."""
    assert ended(scored(start(rounds=2), (-12, 0))) == Outcome((0, 0), (1, 1), "draw")


@pytest.mark.parametrize("rounds", [2, 4])
@pytest.mark.parametrize("pairs", range(4))
def test_level_sides_play_pairs_of_extra_rounds(rounds: int, pairs: int) -> None:
    """PC-35, P-06: after the last regular round and after each pair of extra ones, without limit."""
    table = start(rounds=rounds, tiebreak="extra")
    level = ((0, 0),) * (rounds - 2 + 2 * pairs)
    assert ended(scored(table, *level, (-12, 0))) is None
    assert ended(scored(table, *level, (0, 0))) == Outcome((12, 0), (1, 2), "points")
    assert ended(scored(table, *level, (-30, 0))) == Outcome((-18, 0), (2, 1), "points")


@pytest.mark.parametrize("rounds", [2, 4])
@pytest.mark.parametrize("pairs", range(4))
def test_one_extra_round_decides_nothing(rounds: int, pairs: int) -> None:
    """P-06: level or not is tested only after both rounds of a pair."""
    level = ((0, 0),) * (rounds + 2 * pairs)
    assert ended(scored(start(rounds=rounds, tiebreak="extra"), *level)) is None


def test_the_deal_passes_on_in_extra_rounds() -> None:
    """P-02, P-06."""
    level = scored(start(rounds=2, tiebreak="extra"), (0, 0), (0, 0))._replace(phase="poison", first_dealer=1)
    over = play_on(level, random.Random(10))
    assert over.outcome is not None
    assert len(over.rounds) == 4
    assert [score.dealer for score in over.rounds[2:]] == [1, 0]


def test_totals_may_be_negative() -> None:
    """PC-37."""
    assert ended(scored(start(rounds=2), (-50, -70))) == Outcome((-38, -70), (1, 2), "points")


def test_the_round_number_stays_when_the_game_is_over() -> None:
    state = play_on(dealt(2), random.Random(8))
    seen = POND.observe(state, None)
    assert (seen.phase, seen.round, seen.legal, seen.to_act) == ("over", 3, (), frozenset())
    assert seen.dealer == state.rounds[-1].dealer
    assert refused(state, "0 bait 5C") == "G-11"


def test_resigning_leaves_the_totals_of_the_finished_rounds() -> None:
    """G-10."""
    state = play_on(chosen(4), random.Random(9), rounds=1)
    state, _, _ = POND.run_chance(state, 5, lambda n: Stream(b"pond", n))
    resigned, events = entry(state, "1 resign")
    assert events == (Resigned(1),)
    assert resigned.outcome == Outcome(state.rounds[0].points, (1, 2, 1, 2), "resigned")
    assert POND.observe(resigned, 0).set_aside == (None,) * 4
    assert refused(resigned, "0 resign") == "G-10"
    assert refused(state, "4 resign") == "G-10"
