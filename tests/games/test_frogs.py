"""Pond · frogs by example. The comments cite rulings, and PD-E numbers the worked examples of the rules."""

import random
from collections.abc import Sequence
from typing import TypeVar

import pytest

from bot.errors import IllegalMove, InvalidMove, InvalidOption
from bot.fairness import Deals
from bot.games import OLDER
from bot.games.frogs.moves import SQUARES, Began, Developed, First, Moved, Place, Placed, Scored, Shift, Stage, squares
from bot.games.frogs.position import Piece, Position
from bot.games.frogs.rulebook import Preview
from bot.games.game import CHANCE, CHANCE_ONLY, RESIGN, Move, Outcome
from tests.games.checks.frogs import broken, imagine
from tests.games.frog_ponds import FROGS, counted, legal, opened, pond, refused, some_games, standing, turns

EGG, TADPOLE, FROG = Stage
T = TypeVar("T")

# ---- the first player, options


def test_chance_draws_the_seat_that_plays_light_and_begins() -> None:  # PD-01, F-01
    state = FROGS.start(FROGS.settle({}))
    assert FROGS.to_act(state) == CHANCE_ONLY
    assert FROGS.legal(state, 0) == FROGS.legal(state, 1) == ()
    step = FROGS.apply(state, CHANCE, FROGS.parse("first 1"))
    assert step.events == (Began(1),)
    assert FROGS.to_act(step.state) == {1}
    assert FROGS.observe(step.state, None).light == 1


def test_the_fair_draw_matches_the_test_vector() -> None:  # G-12
    state, entries, _ = FROGS.run_chance(FROGS.start(FROGS.settle({})), 0, Deals(bytes(range(32)), ("hello", "Grüße")))
    assert [str(entry.move) for entry in entries] == ["first 0"]
    assert state.light == 0


def test_no_seat_may_act_while_chance_is_due() -> None:  # G-01
    state = FROGS.start(FROGS.settle({}))
    for seat, move in ((0, Place("a1")), (0, First(0)), (CHANCE, Place("a1")), (CHANCE, First(2)), (0, RESIGN)):
        with pytest.raises(IllegalMove):
            FROGS.apply(state, seat, move)


def test_chance_is_due_only_once() -> None:  # G-01
    with pytest.raises(IllegalMove, match="G-01"):
        FROGS.apply(opened(), CHANCE, First(1))


@pytest.mark.parametrize(
    ("preset", "size", "eggs", "goal"),
    [("standard", 4, 11, 7), ("big", 5, 15, 10), ("small13", 4, 13, 10), ("small14", 4, 14, 10)],
)
def test_presets_set_size_eggs_and_goal(preset: str, size: int, eggs: int, goal: int) -> None:
    seen = FROGS.observe(opened(preset), 0)
    assert (seen.setup.size, seen.setup.goal) == (size, goal)
    assert seen.spawns == (eggs, eggs)
    assert seen.legal == tuple(Place(square) for square in squares(size))


def test_there_are_two_seats_and_two_sides() -> None:
    for preset in ("standard", "big"):
        options = FROGS.settle({"preset": preset})
        assert FROGS.seats(options) == 2
        assert FROGS.sides(options) == (0, 1)


def test_unknown_option_values_are_refused() -> None:
    with pytest.raises(InvalidOption, match="preset"):
        FROGS.settle({"preset": "ocean"})
    assert FROGS.settle({}) == {"preset": "standard", "repetition": "draw", "first": "drawn"}
    options = {"preset": "big", "repetition": "off", "first": "drawn"}
    assert FROGS.options_of(opened(preset="big", repetition="off")) == options


@pytest.mark.parametrize("first", ["0", "1"])
def test_an_option_says_who_begins(first: str) -> None:  # F-05
    class Drawing:
        """Nothing may be drawn."""

        def below(self, k: int) -> int:
            raise AssertionError(k)

        def shuffle(self, pack: Sequence[T]) -> list[T]:
            raise AssertionError(pack)

    options = FROGS.settle({"first": first})
    state = FROGS.start(options)
    assert str(FROGS.chance(state, Drawing())) == f"first {first}"
    with pytest.raises(IllegalMove, match="who begins"):
        FROGS.apply(state, None, FROGS.parse(f"first {1 - int(first)}"))
    state = FROGS.apply(state, None, FROGS.parse(f"first {first}")).state
    assert (state.light, state.turn, FROGS.options_of(state)) == (int(first), int(first), options)


def test_rulebook_1_lacks_that_option_and_nothing_else() -> None:
    (old,) = OLDER
    assert (old.key, old.rules, FROGS.rules) == ("frogs", 1, 2)
    assert old.settle({}) == {"preset": "standard", "repetition": "draw"}
    with pytest.raises(InvalidOption, match="no option 'first'"):
        old.settle({"first": "drawn"})
    opened = old.apply(old.start(old.settle({})), None, old.parse("first 1")).state
    assert old.options_of(opened) == old.settle({})
    assert opened == FROGS.apply(FROGS.start(FROGS.settle({})), None, FROGS.parse("first 1")).state


# ---- actions


def test_a_placed_egg_develops_its_neighbours_and_stays_an_egg() -> None:  # PD-E1, PD-02, PD-03
    state, events = turns(opened(), "place b2", "place b3")
    assert standing(state) == "b2 Lt, b3 De"
    assert counted(state) == ((10, 10), (0, 0))
    assert events == (Placed(1, "b3"), Developed(0, "b2", EGG, TADPOLE))


def test_neighbours_of_both_owners_develop_by_one_stage() -> None:  # PD-04
    state, events = turns(pond("a2 Le, b1 Dt, c2 Lf, b3 De, b4 De", (9, 8)), "place b2")
    assert standing(state) == "a2 Lt, b1 Df, b2 Le, b3 Dt, b4 De, c2 Le"
    assert set(events) == {
        Placed(0, "b2"),
        Developed(0, "a2", EGG, TADPOLE),
        Developed(0, "c2", FROG, EGG),
        Developed(1, "b1", TADPOLE, FROG),
        Developed(1, "b3", EGG, TADPOLE),
    }


def test_a_tadpole_moves_one_square_in_a_straight_line() -> None:  # PD-10
    state = pond("b2 Lt, c2 De", (10, 10))
    assert legal(state, "move") == ["move b2 a2", "move b2 b1", "move b2 b3"]
    assert refused(state, "move b2 b4") == "PD-10"
    assert refused(state, "move b2 c3") == "PD-10"
    assert turns(state, "move b2 b3").events == (Moved(0, "b2", "b3", TADPOLE),)


def test_a_frog_moves_up_to_two_squares_and_hops_over_any_piece() -> None:  # PD-E6, PD-05, PD-06, F-04
    state = pond("b2 Lf, c2 De, b3 Dt", (10, 9))
    assert legal(state, "move") == ["move b2 a2", "move b2 b1", "move b2 b4", "move b2 d2"]
    assert len(legal(state, "place")) == 13
    state, events = turns(state, "move b2 d2")
    assert standing(state) == "b3 Dt, c2 Dt, d2 Lf"
    assert events == (Moved(0, "b2", "d2", FROG), Developed(1, "c2", EGG, TADPOLE))  # PD-08
    assert counted(state)[1] == (0, 0)


def test_a_frog_may_cross_an_empty_square() -> None:  # PD-06
    assert legal(pond("a1 Lf", (10, 11)), "move") == ["move a1 a2", "move a1 a3", "move a1 b1", "move a1 c1"]


def test_a_frog_cannot_land_on_a_piece_turn_or_go_further() -> None:  # PD-07
    state = pond("a1 Lf, a3 De", (10, 10))
    assert refused(state, "move a1 a3") == "PD-07"
    assert refused(state, "move a1 b2") == "PD-07"
    assert refused(state, "move a1 d1") == "PD-07"


def test_pieces_next_to_the_origin_do_not_develop() -> None:  # PD-09
    assert standing(turns(pond("a1 Lf, a2 De", (10, 10)), "move a1 c1").state) == "a2 De, c1 Lf"


def test_eggs_and_rival_pieces_cannot_be_moved() -> None:  # PD-10, PD-11
    state = pond("a1 Le, d4 Df", (10, 10))
    assert legal(state, "move") == []
    assert refused(state, "move a1 a2") == "PD-10"
    assert refused(state, "move d4 d3") == "PD-11"
    assert refused(state, "move b2 b3") == "PD-11"


def test_a_landing_square_must_be_empty_and_on_the_pond() -> None:  # PD-06, PD-07, PD-10
    state = pond("a1 Le, b2 Lt, b3 De", (9, 10))
    assert refused(state, "place a1") == "PD-10"
    assert refused(state, "move b2 b3") == "PD-10"
    assert refused(state, "place e1") == "PD-06"
    assert refused(state, "move b2 b5") == "PD-06"
    for nowhere in (Place("z9"), Shift("z9", "a2"), Shift("b2", "z9")):
        with pytest.raises(IllegalMove):
            FROGS.apply(state, 0, nowhere)


def test_moves_out_of_turn_and_other_kinds_of_moves_are_refused() -> None:  # PD-01, PD-10
    for seat, move, ruling in ((1, Place("a1"), "PD-01"), (0, First(0), "PD-10"), (0, Move(), "PD-10")):
        with pytest.raises(IllegalMove) as refusal:
            FROGS.apply(opened(), seat, move)
        assert refusal.value.ruling == ruling


def test_the_big_pond_has_the_square_e5() -> None:
    state = turns(opened(preset="big"), "place e5").state
    assert standing(state) == "e5 Le"
    assert squares(5) == SQUARES


# ---- sets


def test_pieces_in_a_set_score_for_their_owners() -> None:  # PD-E2, PD-13, PD-16
    state, events = turns(pond("a1 Lf, c1 Df", (10, 10)), "place b1")
    assert standing(state) == ""
    assert counted(state) == ((9, 10), (2, 1))
    assert events[-2:] == (Scored(0, ("a1", "b1")), Scored(1, ("c1",)))


def test_a_piece_in_two_crossing_sets_scores_once() -> None:  # PD-E3, PD-14
    state = turns(pond("b1 Dt, a2 Lt, c2 Lt, b3 Lt, d3 De, b4 Lf", (7, 9)), "move b4 b2").state
    assert standing(state) == "d3 De"
    assert counted(state) == ((7, 9), (4, 1))


def test_four_in_a_row_score_together() -> None:  # PD-E4
    state = turns(pond("a1 Lf, c1 Df, d1 De, a2 Dt", (10, 8)), "place b1").state
    assert standing(state) == "a2 Dt"
    assert counted(state) == ((9, 8), (2, 2))


def test_five_in_a_row_score_together() -> None:  # PD-14
    state = turns(pond("a3 Le, b3 Df, d3 Lf, e3 De", (13, 13), preset="big"), "place c3").state
    assert standing(state) == ""
    assert counted(state) == ((12, 13), (3, 2))


def test_two_sets_that_share_a_corner_score_five_pieces() -> None:  # PD-E5, PD-15
    state = turns(pond("a1 De, b1 Lf, a2 Lf, c1 De, a3 De", (9, 8)), "place d4").state
    assert counted(state)[1] == (0, 0)
    state = turns(pond("b1 Lf, a2 Lf, c1 De, a3 De", (9, 9)), "place a1").state
    assert standing(state) == ""
    assert counted(state) == ((8, 9), (3, 2))


def test_corners_of_two_and_two_and_diagonals_are_not_sets() -> None:  # PD-15
    state = turns(pond("a1 De, b1 De, d3 De, c4 Lf", (10, 8)), "place b2").state
    assert counted(state)[1] == (0, 0)
    assert standing(state) == "a1 De, b1 Dt, b2 Le, c4 Lf, d3 De"


def test_sets_do_not_wrap_around_the_edge() -> None:  # PD-15
    state = turns(pond("a4 De, b1 De, b2 De, d1 De", (11, 7)), "place d4").state
    assert counted(state)[1] == (0, 0)
    big = pond("d1 Lf, e1 Df, a1 Le, d5 Le, e5 De, a5 Dt", (12, 12), preset="big")
    assert counted(turns(big, "place c3").state)[1] == (0, 0)


def test_sets_anywhere_on_the_pond_score() -> None:  # PD-E10, PD-12, PD-16
    state, events = turns(pond("c1 Lt, c2 De, c3 Dt, a4 Lt", (9, 9)), "place b2")
    assert standing(state) == "a4 Lt, b2 Le"
    assert counted(state) == ((8, 9), (1, 2))
    assert events == (
        Placed(0, "b2"),
        Developed(1, "c2", EGG, TADPOLE),
        Scored(0, ("c1",)),
        Scored(1, ("c2", "c3")),
    )


def test_scored_pieces_leave_play_and_nothing_develops_again() -> None:  # PD-17, PD-18
    state = turns(pond("a1 Lf, c1 Df, c2 Dt", (10, 9)), "place b1").state
    assert standing(state) == "c2 Dt"
    assert counted(state) == ((9, 9), (2, 1))


# ---- observations


def test_all_observers_see_the_same_pond() -> None:
    state = turns(opened(), "place b2", "place b3").state
    light, public = FROGS.observe(state, 0), FROGS.observe(state, None)
    assert light.pieces == public.pieces
    assert (light.last, public.last) == (Place("b3"), Place("b3"))
    assert public.legal == FROGS.observe(state, 1).legal == ()
    assert public.to_act == {0}


def test_the_state_can_be_rebuilt_from_any_observation() -> None:
    for state in some_games(4, "big"):
        for seat in (0, 1, None):
            assert imagine(FROGS.observe(state, seat), random.Random(1)) == state


def test_a_preview_shows_development_scores_and_the_end() -> None:
    seen = FROGS.observe(pond("c1 Lt, c2 De, c3 Dt, a4 Lt", (9, 9)), 0)
    assert FROGS.preview(seen, Place("b2")) == Preview(
        Place("b2"), (Developed(1, "c2", EGG, TADPOLE),), (Scored(0, ("c1",)), Scored(1, ("c2", "c3"))), None
    )
    last = FROGS.preview(FROGS.observe(pond("a1 Lf, c1 Df, d1 Lt", (3, 4), (6, 6)), None), Place("b1"))
    assert last.outcome == Outcome((8, 7), (1, 2), "goal")


def test_a_preview_of_an_illegal_move_is_refused() -> None:
    with pytest.raises(IllegalMove, match="PD-11"):
        FROGS.preview(FROGS.observe(opened(), 0), Shift("a1", "a2"))


EGG_A1, EGG_B1, EGG_C1 = (Piece(square, 0, EGG) for square in ("a1", "b1", "c1"))


@pytest.mark.parametrize(
    ("spoilt", "named"),
    [
        (Position(0, (), (10, 11), (0, 0)), "eggs are conserved"),
        (Position(0, (), (11, 12), (0, 0)), "eggs are conserved"),
        (Position(0, (EGG_A1, EGG_A1), (9, 11), (0, 0)), "squares of their own"),
        (Position(0, (EGG_B1, EGG_A1), (9, 11), (0, 0)), "squares of their own"),
        (Position(0, (Piece("e1", 0, EGG),), (10, 11), (0, 0)), "squares of their own"),
        (Position(0, (EGG_A1, EGG_B1, EGG_C1), (8, 11), (0, 0)), "no set survives"),
        (Position(0, (), (12, 11), (-1, 0)), "negative"),
        (Position(0, (), (4, 11), (7, 0)), "the end is noticed"),
    ],
)
def test_check_names_the_broken_invariant(spoilt: Position, named: str) -> None:
    assert any(named in name for name in broken(opened()._replace(positions=(spoilt,))))


# ---- text


def test_moves_and_their_texts_correspond_one_to_one() -> None:  # G-04
    for text in ("first 1", "place e5", "move a1 a3", "resign"):
        assert str(FROGS.parse(text)) == text
    for nonsense in ("place f1", "move a1 a1", "place  b2", "Place b2", "move b2", "first 2", "", "pass"):
        with pytest.raises(InvalidMove):
            FROGS.parse(nonsense)


def test_equal_moves_lead_to_equal_steps() -> None:
    state = pond("b2 Lf", (10, 11))
    assert FROGS.apply(state, 0, Shift("b2", "b4")) == turns(state, "move b2 b4")


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("B2", "place b2"),
        (" place  B2 ", "place b2"),
        ("b2-b4", "move b2 b4"),
        ("B2 → b4", "move b2 b4"),
        ("move b2 to b4", "move b2 b4"),
        ("resign", "resign"),
        ("what?", "what?"),
        ("", ""),
    ],
)
def test_typed_moves_are_tidied(typed: str, text: str) -> None:
    assert FROGS.tidy(typed) == text


def test_the_worked_turn_of_the_rules_page_is_played_as_it_says() -> None:
    before = pond("a1 Lf, c1 Lf, b2 De", (9, 10))
    state, events = turns(before, "place b1")
    assert Scored(0, ("a1", "b1", "c1")) in events
    assert counted(state) == ((8, 10), (3, 0))
    assert standing(state) == "b2 Dt"
    mixed = turns(pond("a1 Lf, c1 Df, b2 De", (10, 9)), "place b1").state
    assert counted(mixed)[1] == (2, 1)


def test_the_turns_that_scored_add_up_to_the_scores() -> None:
    for state in some_games(6, "standard"):
        points = [gain.points for gain in FROGS.observe(state, None).gains]
        assert (sum(one for one, _ in points), sum(two for _, two in points)) == counted(state)[1]
        assert all(any(each) for each in points)
