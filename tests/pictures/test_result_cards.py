"""Result cards: their scores, names and charts."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, combinations

import pytest

from bot.cli.preview import MOMENTS, Moment, state_at
from bot.cli.selfplay import NAMES
from bot.games import GAMES
from bot.games.game import RESIGN
from bot.games.pontis.moves import Score
from bot.pictures import canvas, result
from cogs.pontis import result_card
from tests.pictures.drawn import MAX_BYTES, draw_result, drawn, image_of
from tests.recorded import recorded


def marks_of(courses: Sequence[Sequence[int]]) -> dict[int, tuple[int, int]]:
    """Return the place of each mark in a chart, by the number of its line."""
    marks: dict[int, tuple[int, int]] = {}

    def noted(_canvas: canvas.Canvas, number: int, x: int, y: int, _ground: str, *, is_small: bool) -> None:
        assert is_small == (len(courses) > result.FEW)
        marks[number] = x, y

    result.draw_chart(canvas.Canvas(600), canvas.Box(14, 130, 972, 390), courses, noted)
    return marks


@pytest.mark.parametrize("players", [3, 6, 13])
def test_no_mark_in_the_chart_of_a_result_covers_another(players: int) -> None:
    game = GAMES["pontis"]
    observation = game.observe(state_at(game, Moment(None, {"players": players, "games": 3})), None)
    assert image_of(draw_result(observation, NAMES[:players])).height <= 1000
    totals = [[score.total for score in played.scores] for played in observation.results]
    courses = [tuple(accumulate(points, initial=0)) for points in zip(*totals, strict=True)]
    marks = marks_of(courses)
    assert [*marks] == [*range(players)]
    apart = [max(abs(x - at_x), abs(y - at_y)) for (x, y), (at_x, at_y) in combinations(marks.values(), 2)]
    assert min(apart) > 35


@pytest.mark.parametrize(
    ("score", "said", "parts"),
    [
        (Score(13, 2, 4, 0, 0), "13 + 2 + 4 = 19", (13, 2, 4, 0)),
        (Score(9, 0, 0, -2, 0), "9 − 2 = 7", (7, 0, 0, 0)),
        (Score(8, 0, 0, 0, 0), "8", (8, 0, 0, 0)),
        (Score(5, 1, 0, 0, 2), "5 + 1 + 2 = 8", (5, 1, 0, 2)),
        (Score(5, 1, 0, 0, -4), "5 + 1 − 4 = 2", (2, 0, 0, 0)),
    ],
)
def test_the_result_of_one_game_shows_its_arithmetic(score: Score, said: str, parts: tuple[int, ...]) -> None:
    assert result_card.arithmetic(score) == said
    assert result_card.shares(score) == parts


@pytest.mark.parametrize("key", ["pond", "pontis"])
def test_a_game_resigned_before_anything_was_scored_has_no_scores(key: str) -> None:
    game = GAMES[key]
    state = next(moment.state for moment in recorded(key, {"players": 2}) if game.may_resign(moment.state))
    conceded = game.apply(state, 0, RESIGN).state
    picture = draw_result(game.observe(conceded, None), NAMES[:2])
    assert picture.alt == f"Winner: {NAMES[1]}."


def test_result_cards_say_names_as_people_write_them() -> None:
    assert "שירה לוי" in drawn("pontis")["pontis-many-result"].alt
    assert "🐸🌿 Frøya" in drawn("pontis")["pontis-many-result"].alt


def test_thirteen_marks_look_different() -> None:
    drawings = []
    for number in range(13):
        drawing = canvas.Canvas(100)
        result.draw_mark(drawing, number, 50, 50, "#f6f0df", is_small=True)
        drawings.append(drawing.image.convert("L").tobytes())
    assert len(set(drawings)) == 13


@pytest.mark.parametrize("players", [2, 4, 5, 13])
def test_every_line_shows_even_where_all_are_equal(players: int) -> None:
    drawings = set()
    for covered in (None, *range(players)):
        drawing = canvas.Canvas(600)
        courses = [(0, 5, 5, 9 if number == covered else 5, 5, 9) for number in range(players)]
        result.draw_chart(drawing, canvas.Box(14, 130, 972, 390), courses)
        drawings.add(drawing.image.tobytes())
    assert len(drawings) == players + 1


def test_lines_of_the_same_colour_have_different_dashes() -> None:
    shares_of_ink = []
    for number in range(1, 13, 4):
        drawing = canvas.Canvas(600)
        courses = [(0, 9 if other == number else 0) for other in range(13)]
        result.draw_chart(drawing, canvas.Box(14, 130, 972, 390), courses, lambda *_args, **_size: None)
        ink = drawing.image.crop((300, 80, 700, 200)).convert("RGB").getcolors() or []
        shares_of_ink.append(sum(area for area, colour in ink if colour == (187, 58, 0)))
    first, second, third = shares_of_ink
    assert first > second * 1.3 > third * 1.3 * 1.1 > 0


def test_the_result_of_frogs_shows_the_final_pond_and_the_course_of_the_scores() -> None:
    game = GAMES["frogs"]
    over = game.observe(state_at(game, Moment(None, {})), None)
    first, *others = over.gains
    assert draw_result(over, NAMES[:2]).png != draw_result(replace(over, gains=(*others, first)), NAMES[:2]).png
    without = image_of(draw_result(replace(over, gains=()), NAMES[:2]))
    assert without.height < image_of(draw_result(over, NAMES[:2])).height == 1000
    assert draw_result(over, NAMES[:2]).png != draw_result(replace(over, pieces=()), NAMES[:2]).png
    for preset in ("standard", "big"):
        over = game.observe(state_at(game, Moment(None, {"preset": preset})), None)
        assert len(draw_result(over, ["W" * 24] * 2).png) <= MAX_BYTES


def test_result_cards_name_the_winner() -> None:
    for game in MOMENTS:
        card = next(picture for name, picture in drawn(game).items() if name.endswith("result"))
        assert card.alt.startswith(("Winner:", "The game is a draw."))


def test_only_a_gain_that_no_other_equals_is_the_biggest() -> None:
    def alt(*courses: tuple[int, ...]) -> str:
        sides = [
            result.Side((seat,), ("AB"[seat],), ("AB"[seat],), seat + 1, course[-1], course)
            for seat, course in enumerate(courses)
        ]
        return result.draw_standings(sides).alt

    assert "Biggest gain: B +3." in alt((9, 8, 10), (9, 12, 6))
    assert "Biggest gain" not in alt((9, 12, 10), (9, 12, 6))
    assert "Biggest gain" not in alt((9, 8, 7), (9, 8, 6))
