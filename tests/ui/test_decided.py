"""What decided a game: the largest cause without which it would have ended otherwise, the same to everybody."""

import re
from dataclasses import replace as with_fields
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.games.cards import face as face_of
from bot.games.game import RESIGNED, STOPPED, Outcome
from bot.games.pond.scoring import points
from bot.games.pot_black.chips import side_totals
from bot.games.pot_black.moves import Chips, DealSettled
from bot.records.preference import UserSettings
from bot.tables.rematches import may_return
from bot.tables.tables import Sight
from bot.ui.messages.board import board
from bot.ui.messages.hand import hand, note
from cogs.causes import Cause, decided
from tests.leaks.pairs import FACES
from tests.posts import paragraphs_of
from tests.recorded import Moment, recorded

FORMS: Final[tuple[tuple[str, Any], ...]] = (
    ("pond", {"players": 2}),
    ("pond", {"players": 4, "rounds": 2}),
    ("frogs", {}),
    ("pontis", {"players": 4}),
    ("pontis", {"players": 4, "fake": "on", "liar": "on"}),
    ("pontis", {"players": 3, "games": 3}),
    ("pot_black", {"players": 4, "deals": 5}),
    ("pot_black", {"players": 3, "deals": 5}),
)
GAMES_EACH: Final = 6
ONE: Final = "one"
OTHER: Final = "other"


def said_of(moment: Moment, seat: int | None = None) -> str:
    face, game = FACES[moment.table.game], GAMES[moment.table.game]
    return face.decided(moment.table, game.observe(moment.state, seat))


@pytest.mark.parametrize(("key", "options"), FORMS)
def test_what_decided_a_game_is_the_same_to_everybody_and_only_said_at_its_end(key: str, options: Any) -> None:
    found = 0
    for number in range(GAMES_EACH):
        moments = recorded(key, options, number)
        last = moments[-1]
        assert len({said_of(last, seat) for seat in (None, *range(last.table.seats))}) == 1
        assert not any(said_of(moment, seat) for moment in moments[:-1:7] for seat in (None, 0))
        found += bool(said_of(last))
    assert found


@pytest.mark.parametrize(("key", "options"), FORMS)
def test_what_decided_stands_on_every_end_card(key: str, options: Any) -> None:
    face, game = FACES[key], GAMES[key]
    for number in range(GAMES_EACH):
        *_, last = recorded(key, options, number)
        table = replace(last.table, status="over", outcome=last.state.outcome, seed="00" * 32)
        said = said_of(last)
        for seat in (None, 0, 1):
            sight = Sight(table, game.observe(last.state, seat), last.events)
            posts = [board(face, sight, with_picture=is_drawn) for is_drawn in (False, True)]
            if seat is not None:
                posts = [hand(face, sight, "", UserSettings(hands=how)) for how in ("pictures", "text")]
                posts += [] if game.has_hands else [note(face, sight, "")]
            for post in posts:
                text = "\n".join(paragraphs_of(post)).replace("\N{NO-BREAK SPACE}", " ")
                assert text.count("Decided ") == bool(said)
                assert said.replace("\N{NO-BREAK SPACE}", " ") in text
                after = ["return"] if may_return(game, table) else []
                assert [button.verb for row in post.rows for button in row] == [*after, "again", "review", "more"]


@pytest.mark.parametrize("players", [2, 4])
def test_a_pond_that_decided_is_the_largest_and_turned_the_result(players: int) -> None:
    found = 0
    for number in range(12):
        *_, last = recorded("pond", {"players": players}, number)
        said = said_of(last)
        if "pond" not in said:
            continue
        found += 1
        scores = last.state.outcome.scores
        winner = last.state.outcome.places.index(1)
        lead = scores[winner] - scores[1 - winner % 2]
        worths = []
        for past, score in zip(last.state.past, last.state.rounds, strict=True):
            for taken in past:
                tally = score.tallies[taken.taker]
                worth = sum(points(laid.card, tally.poison, tally.group) for laid in taken.laid)
                worths.append(worth if (taken.taker - winner) % 2 == 0 else -worth)
            gained = [sum(worths[-len(past) :]), score.points[winner] - score.points[1 - winner % 2]]
            assert gained[0] == gained[1], "the ponds of a round are all that it was scored for"
        told = int(re.findall(r"[+−]?\d+(?= for|\.$)", said)[-1].replace("−", "-").removeprefix("+"))
        assert abs(told) == max(worths)
        gains = last.state.rounds[int(said.split()[3][:-1]) - 1].points
        assert max(abs(told), gains[winner] - gains[1 - winner % 2]) >= lead
    assert found


def test_no_card_is_named_that_was_not_taken() -> None:
    """A trap that is named was in a pile that everybody saw when the round was scored."""
    named = 0
    for number in range(20):
        *_, last = recorded("pond", {"players": 2 + 2 * (number % 2)}, number)
        said = said_of(last)
        piles = {face_of(card) for past in last.state.past for taken in past for card in [x.card for x in taken.laid]}
        for card in re.findall(r"trap (\S+?)(?: and| cost|,)", said):
            named += 1
            assert card in piles
    assert named


def test_before_the_end_no_observation_has_the_ponds_of_finished_rounds() -> None:
    game = GAMES["pond"]
    moments = recorded("pond", {"players": 4})
    for moment in moments[:-1]:
        assert not any(game.observe(moment.state, seat).past for seat in (None, 0, 1))
    assert game.observe(moments[-1].state, None).past


@pytest.mark.parametrize("reason", [RESIGNED, STOPPED])
@pytest.mark.parametrize("key", GAMES)
def test_nothing_decided_a_game_that_ended_early(key: str, reason: str) -> None:
    game, face = GAMES[key], FACES[key]
    *_, last = recorded(key)
    seen = game.observe(last.state, None)
    ended = Outcome(last.state.outcome.scores, last.state.outcome.places, reason)
    assert not face.decided(last.table, with_fields(seen, outcome=ended))


def test_the_result_of_frogs_names_the_best_and_the_last_turn_unless_another_decided() -> None:
    face, game, kinds = FACES["frogs"], GAMES["frogs"], set()
    starts = ("Best turn: ", "The last turn was the best: ")
    for number in range(12):
        *_, last = recorded("frogs", {"preset": "big"}, number)
        seen = game.observe(last.state, None)
        lines = face.result(last.table, seen)[1].splitlines()
        kinds.add(bool(face.decided(last.table, seen)))
        if face.decided(last.table, seen):
            assert not [line for line in lines if line.startswith((*starts, "Last turn: "))]
            continue
        owned = [gain.points[gain.seat] for gain in seen.gains]
        best = max(owned)
        named = [line for line in lines if line.startswith(starts)]
        assert len(named) == (owned.count(best) == 1)
        for line in named:
            name = next(sitter.name for sitter in last.table.sitters if f"{sitter.name}'s " in line)
            assert f"+{best} for {name}" in line
        is_last = [line for line in lines if line.startswith(("Last turn: ", starts[1]))]
        assert len(is_last) == (seen.outcome is not None and seen.outcome.reason in {"goal", "draw"})
    assert kinds == {True, False}


# ---- the largest cause


def of(scores: tuple[int, ...], *causes: tuple[tuple[int, ...], str]) -> str:
    best = max(scores)
    places = tuple(1 if score == best else 2 for score in scores)
    outcome = Outcome(scores, places, "points")
    return decided(outcome, tuple(range(len(scores))), (Cause(*cause) for cause in causes))


def test_the_largest_of_several_causes_is_named() -> None:
    assert of((48, 40), ((8, 0), ONE), ((30, 0), OTHER)) == OTHER
    assert of((48, 40), ((0, -30), ONE), ((8, 0), OTHER)) == ONE


def test_nothing_is_named_that_did_not_turn_the_result() -> None:
    assert not of((48, 10), ((8, 0), ONE), ((30, 0), OTHER))
    assert not of((10, 10), ((10, 0), ONE), ((0, 10), OTHER))
    assert not of((10, 5))


def test_of_equal_causes_it_is_the_one_that_turned_the_score() -> None:
    assert of((6, 5), ((3, 0), ONE), ((0, 5), "rival"), ((3, 0), OTHER)) == OTHER
    turned = ((3, 0), ONE), ((0, 6), "rival"), ((2, 0), "near"), ((2, 0), "turned"), ((3, 0), OTHER), ((0, 2), "rival")
    assert not of((10, 8), *turned)


def test_with_several_sides_the_best_of_the_others_counts() -> None:
    assert of((10, 9, 2), ((4, 4, 0), ONE), ((2, 0, 0), OTHER)) == OTHER
    assert not of((10, 2, 9), ((0, -5, 0), ONE))


# ---- Pot Black: each line adds up, and the first one is its largest part


def settled(**given: Any) -> DealSettled:
    values: dict[str, Any] = {
        "deal": 1,
        "counted": (3, 8, 0, 0),
        "ten_takers": (2, 3),
        "winners": (1, 3),
        "from_main": (0, 4, 0, 4),
        "from_side": (0, 0, 0, 0),
        "chips": Chips((28, 32, 25, 29), 0, 6),
        "gains": (-2, 2, -5, -1),
    }
    return DealSettled(**(values | given))


def of_deal(deal: DealSettled, seat: int) -> list[str]:
    *_, last = recorded("pot_black", {"players": 4, "deals": 5})
    seen = GAMES["pot_black"].observe(last.state, seat)
    said: str = FACES["pot_black"].reasons(last.table, with_fields(seen, settled=(deal,)))
    return said.replace("\N{NO-BREAK SPACE}", " ").split("\n")


def test_the_first_line_on_a_deal_names_the_largest_part_of_its_sum() -> None:
    first, *rest = of_deal(settled(), 0)
    assert first == "The others won your antes: 4 chips."
    assert "-# Antes −4 · Black tens −3 = −7" in rest
    assert of_deal(settled(), 1)[0] == "A black ten kept your side from the side pot of 6 chips."
    both = settled(from_side=(0, 15, 0, 15), ten_takers=(2,), gains=(-2, 17, -8, 17), chips=Chips((28, 47, 22, 47)))
    assert of_deal(both, 1)[0] == "The pots brought your side 38 chips."
    assert of_deal(both, 0)[0] == "2 black tens cost your side 6 chips."


def test_a_side_pot_that_decided_a_game_is_named_and_not_the_main_pot() -> None:
    """At 48 : 48, a side pot of 30 decided, and the end said who won the main pot."""
    *_, last = recorded("pot_black", {"players": 4, "deals": 5})
    game, face = GAMES["pot_black"], FACES["pot_black"]
    seen = game.observe(last.state, None)
    first = settled(from_main=(0,) * 4, ten_takers=(0, 1), winners=(), gains=(-5, -5, -2, -2))
    won = settled(deal=2, from_side=(0, 15, 0, 15), ten_takers=(0, 2), gains=(-5, 17, -5, 17))
    scores = side_totals(seen.setup, (20, 42, 20, 42))
    ended = with_fields(
        seen,
        settled=(first, won),
        deal=2,
        outcome=Outcome(scores, (2, 1, 2, 1), "deals"),
        chips=Chips((20, 42, 20, 42)),
    )
    assert face.decided(last.table, ended) == "Decided in deal 2: Ben & Dan won the side pot of 30."
    assert "won both pots (8 + 30), 8 tricks to 3" in face.ended_in_full(last.table, ended)
