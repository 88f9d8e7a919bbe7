"""Texts in pictures touch neither each other nor symbols and cards, also in extreme cases."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import pytest

from bot.cli.preview import MOMENTS, Moment, names_at, observed, state_at
from bot.games import GAMES
from bot.games.game import Observation
from bot.games.pond import state as pond
from bot.games.pontis import state as pontis
from bot.games.pot_black import state as pot_black
from bot.pictures import canvas, lettering, palette
from bot.texts import languages
from tests.pictures.drawn import draw_result, draw_table

CARD_GAMES: Final = ("pond", "pontis", "pot_black")
LEAST: Final = 3
"""The least number of pixels between a text and anything else."""
FORMS: Final[Sequence[tuple[str, Mapping[str, int | str]]]] = (
    *(("pontis", {"players": players}) for players in range(2, 14)),
    *(("pontis", {"players": 2, "banks": banks, "jokers": 4}) for banks in (4, 6, 8, 10, 12)),
    *(("pontis", {"players": 12, "banks": banks, "teams": "on"}) for banks in (3, 4, 6)),
    *(("pond", {"players": players}) for players in (2, 4)),
    *(("pot_black", {"form": form}) for form in ("partnership", "individual", "classic")),
    *(("pot_black", {"form": form, "players": 3}) for form in ("individual", "classic")),
)


class Part(NamedTuple):
    """Something drawn, and where its ink is."""

    what: str
    left: int
    top: int
    right: int
    bottom: int

    def is_near(self, other: "Part") -> bool:
        """Whether less than the least distance is between the two."""
        across = max(self.left, other.left) - min(self.right, other.right)
        down = max(self.top, other.top) - min(self.bottom, other.bottom)
        return across < LEAST and down < LEAST


class Noted(canvas.Canvas):
    """A canvas that notes the texts, and the symbols and cards, that are drawn on it."""

    last: "Noted"

    def __init__(self, height: int) -> None:
        super().__init__(height)
        self.texts: list[Part] = []
        self.others: list[Part] = []
        Noted.last = self

    def text(  # noqa: D102, PLR0913 - as in `Canvas`
        self,
        x: int,
        y: int,
        text: str,
        *,
        ground: str,
        ink: str = palette.INK,
        size: int = canvas.TEXT,
        align: canvas.Align = "left",
        limit: int = canvas.WIDTH,
    ) -> int:
        wide = super().text(x, y, text, ground=ground, ink=ink, size=size, align=align, limit=limit)
        left = x if align == "left" else x - wide // 2 if align == "centre" else x - wide
        short = lettering.shortened(text, size, limit)
        if box := lettering.mask(short, size).getbbox():
            top = y - round(size * 0.63)
            self.texts.append(Part(short, left + box[0], top + box[1], left + box[2], top + box[3]))
        return wide

    def sprite(  # noqa: D102, PLR0913 - as in `Canvas`
        self, name: str, x: int, y: int, ground: str, scale: float = 1.0, *, is_faint: bool = False
    ) -> None:
        super().sprite(name, x, y, ground, scale, is_faint=is_faint)
        tile = canvas.sprite(name, ground, scale)
        self._note(name, tile, x - tile.image.width // 2, y - tile.image.height // 2 * canvas.ROWS)

    def card(  # noqa: D102, PLR0913 - as in `Canvas`
        self, name: str, x: int, y: int, ground: str, *, is_large: bool = False, is_shaded: bool = False
    ) -> None:
        super().card(name, x, y, ground, is_large=is_large, is_shaded=is_shaded)
        wide, high = canvas.HAND_CARD if is_large else canvas.TABLE_CARD
        self.others.append(Part(name, x, y, x + wide, y + high))

    def _note(self, name: str, tile: canvas.Tile, x: int, y: int) -> None:
        left, top, right, bottom = tile.mask.getbbox() or (0, 0, 0, 0)
        self.others.append(Part(name, x + left, y + top * canvas.ROWS, x + right, y + bottom * canvas.ROWS))


def touching(observation: Observation, names: Sequence[str], language: str) -> list[tuple[str, str]]:
    """Return the texts of a picture that touch something, each with what it touches."""
    draw_table(observation, names, language)
    texts, others = Noted.last.texts, Noted.last.others
    assert texts
    assert others
    pairs = [(text, other) for text in texts for other in others]
    pairs += [(text, other) for number, text in enumerate(texts) for other in texts[:number]]
    return [(text.what, other.what) for text, other in pairs if text.is_near(other)]


@pytest.fixture(autouse=True)
def _noting(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (*(f"cogs.{game}.picture" for game in GAMES), "cogs.pontis.result_card", "bot.pictures.result"):
        monkeypatch.setattr(f"{module}.Canvas", Noted)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", CARD_GAMES)
def test_no_text_touches_anything_in_typical_moments(game: str, language: str) -> None:
    for moment in MOMENTS[game]:
        for seat in (None, 0, 1):
            names = names_at(game, moment)
            assert touching(observed(game, moment, seat), names, language) == [], (moment, seat)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("game", "options"), FORMS)
def test_no_text_touches_anything_with_the_longest_names(
    game: str, options: Mapping[str, int | str], language: str
) -> None:
    rulebook = GAMES[game]
    seats = rulebook.seats(rulebook.settle(options))
    for plies in (0, 9, 25):
        for seat in (None, 0, seats - 1):
            observation = rulebook.observe(state_at(rulebook, Moment(plies, options)), seat)
            assert touching(observation, ["🤖 Wolfgang Amadeus"] * seats, language) == [], (plies, seat)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("totals", [(0, 0), (121, -10), (-125, 262), (-345, -225)])
@pytest.mark.parametrize("players", [2, 4])
def test_both_sides_of_pond_have_their_piles_whatever_their_points(
    players: int, totals: tuple[int, int], language: str
) -> None:
    game = GAMES["pond"]
    state = state_at(game, Moment(25, {"players": players}))
    for seat in (None, *range(players)):
        seen = game.observe(state, seat)
        assert isinstance(seen, pond.Observation)
        piles = sorted(str(sum(seen.pile_counts[side::2])) for side in (0, 1))
        late = replace(seen, totals=totals * (players // 2))
        assert touching(late, ["🤖 Wolfgang Amadeus"] * players, language) == [], seat
        texts = [text.what for text in Noted.last.texts]
        assert piles != ["0", "0"]
        assert all(texts.count(pile) >= piles.count(pile) for pile in piles), (texts, piles)


@pytest.mark.parametrize("seats", [3, 4])
def test_hundreds_of_chips_and_a_dozen_tricks_have_room(seats: int) -> None:
    game = GAMES["pot_black"]
    options: Mapping[str, int | str] = {"players": seats, "form": "classic"}
    observation = game.observe(state_at(game, Moment(5, options)), None)
    assert isinstance(observation, pot_black.Observation)
    chips = observation.chips._replace(stacks=(388,) * seats)
    rich = replace(observation, chips=chips, counted=(12,) * seats)
    assert touching(rich, ["Ann"] * seats, "en") == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", ["pond", "pot_black"])
def test_long_names_leave_room_for_what_a_result_says_of_them(game: str, language: str) -> None:
    rulebook = GAMES[game]
    options: Mapping[str, int | str] = {"players": 2} if game == "pond" else {"form": "individual"}
    over = rulebook.observe(state_at(rulebook, Moment(None, options)), None)
    draw_result(over, ["W" * 24] * rulebook.seats(rulebook.settle(options)), language)
    heading, *_rows, figure = (text.what for text in Noted.last.texts)
    assert heading.endswith("!")
    assert re.search(r"\+\d+$", figure)


@pytest.mark.parametrize("language", languages())
def test_points_in_frogs_stand_beside_the_goal(language: str) -> None:
    game = GAMES["frogs"]
    observation = game.observe(state_at(game, Moment(17, {"preset": "big"})), None)
    draw_table(replace(observation, scores=(9, 12)), ["Ann", "Ben"], language)
    texts = Noted.last.texts
    assert [text.what for text in texts if "10" in text.what] == ["/ 10", "/ 10"]
    assert not any(text.is_near(other) for number, text in enumerate(texts) for other in texts[:number])


@pytest.mark.parametrize("seat", range(4))
def test_a_hand_of_pot_black_marks_the_partner_alone(seat: int) -> None:
    game, names = GAMES["pot_black"], ["Ann", "Ben", "Cleo", "Dan"]
    for form, badges in (("partnership", ["Partner:"]), ("individual", [])):
        draw_table(game.observe(state_at(game, Moment(9, {"form": form})), seat), names)
        texts = [text.what for text in Noted.last.texts]
        assert [text for text in texts if text in {"Partner:", "Us", "Them", "A", "B"}] == badges


@pytest.mark.parametrize("players", range(3, 9))
def test_banks_in_two_rows_say_whose_is_the_one_before(players: int) -> None:
    """In a row of three, it's plain."""
    game, names = GAMES["pontis"], ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"][:players]
    for plies in range(3, 24):
        seen = game.observe(state_at(game, Moment(plies, {"players": players})), None)
        assert isinstance(seen, pontis.Observation)
        if seen.bank is None or len(seen.asked) != 1:
            continue
        draw_table(seen, names)
        named = [text.what for text in Noted.last.texts if text.what.startswith("after ")]
        name = names[seen.bank - 1]
        assert named in ([[f"after {name}'s bank:"], [f"after {name}"]] if players > 3 else [[]])
