"""Pictures: their size, sameness, texts, and what they must not show."""

import hashlib
import io
import random
import re
import time
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate, combinations, pairwise
from typing import Final

import pytest
from PIL import Image

from bot.games import GAMES
from bot.games.frogs.moves import Scored
from bot.games.frogs.rulebook import Frogs
from bot.games.game import RESIGN
from bot.games.pontis.events import Score
from bot.pictures import Picture, canvas, chart, draw, draw_move, draw_result, lettering, pontis, shares
from bot.pictures.lettering import visual_order, writable
from bot.pictures.picture import MAX_ALT
from bot.preview import MOMENTS, Moment, observed, previews, state_at
from bot.selfplay import NAMES
from tests.leaks.twins import deals_of, moments, played, twins
from tools import sprites

MAX_BYTES: Final = 20_000
GAME: Final = pytest.mark.parametrize("game", MOMENTS)


@cache
def drawn(game: str) -> dict[str, Picture]:
    """Return all previews of a game."""
    return {preview.name: preview.picture for preview in previews(game)}


def image_of(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(picture.png))


@GAME
def test_pictures_are_1000_pixels_wide_and_at_most_as_high(game: str) -> None:
    for name, picture in drawn(game).items():
        image = image_of(picture)
        assert image.width == 1000, name
        assert 200 <= image.height <= 1000, name
        assert image.mode == "P", name
        assert "transparency" not in image.info, name


@pytest.mark.parametrize(
    ("game", "options"),
    [
        *(("pontis", {"players": players, "jokers": 4}) for players in range(2, 14)),
        *(("pontis", {"players": 2, "banks": banks, "jokers": 4}) for banks in (4, 6, 8, 10, 12)),
        *(("pontis", {"players": 12, "banks": banks}) for banks in (2, 3, 4, 6)),
        ("pond", {"players": 2}),
        ("pond", {"players": 4}),
        ("pot_black", {"form": "classic", "players": 3}),
    ],
)
def test_the_fullest_hand_of_every_form_fits(game: str, options: dict[str, int | str]) -> None:
    moment = Moment(4 if game == "pond" else 0, options)
    rulebook = GAMES[game]
    state = state_at(rulebook, moment)
    seats = rulebook.seats(rulebook.settle(options))
    for seat in range(min(seats, 4)):
        image = image_of(draw(rulebook.observe(state, seat), ["W" * 24] * seats))
        assert image.height <= 1000
        assert len(draw(rulebook.observe(state, seat), ["W" * 24] * seats).png) <= MAX_BYTES


@pytest.mark.parametrize(
    ("game", "options", "plies"),
    [
        ("pond", {"players": 4}, range(3, 34, 6)),
        ("pot_black", {"players": 4}, range(0, 41, 8)),
        ("frogs", {"preset": "big"}, range(14, 30, 3)),
        ("pontis", {"players": 2, "banks": 10}, range(10, 21, 5)),
    ],
)
def test_full_hands_and_ponds_have_at_most_20_kb(game: str, options: dict[str, int | str], plies: range) -> None:
    rulebook = GAMES[game]
    names = ["Bartholomew", "Christopher", "Alexandra", "Maximilian"]
    seats = rulebook.seats(rulebook.settle(options))
    for state in (state_at(rulebook, Moment(ply, options)) for ply in plies):
        for seat in range(seats):
            assert len(draw(rulebook.observe(state, seat), names[:seats]).png) <= MAX_BYTES


@GAME
def test_pictures_have_at_most_20_kb(game: str) -> None:
    assert {name: len(p.png) for name, p in drawn(game).items() if len(p.png) > MAX_BYTES} == {}


@GAME
def test_alt_texts_are_short_and_say_something(game: str) -> None:
    for name, picture in drawn(game).items():
        assert 10 <= len(picture.alt) < MAX_ALT, name


@GAME
def test_a_picture_is_the_same_every_time(game: str) -> None:
    canvas.forget()
    assert {preview.name: preview.picture for preview in previews(game)} == drawn(game)


@GAME
def test_no_text_is_smaller_than_48_pixels(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = set()
    mask = lettering.mask

    def noted(text: str, size: int) -> Image.Image:
        sizes.add(size)
        return mask(text, size)

    canvas.forget()
    monkeypatch.setattr(lettering, "mask", noted)
    assert list(previews(game))
    assert min(sizes) >= canvas.TEXT >= 48


def test_ranks_and_suits_of_a_hand_are_at_least_64_pixels_high() -> None:
    with Image.open(canvas.SPRITES / "card-KD.png") as file:
        card = file.convert("RGBA").convert("RGB")
    rank = [y for y in range(card.height) if _is_blue(card.getpixel((20, y)))]
    suit = [y for y in range(card.height) if _is_blue(card.getpixel((89, y)))]
    assert max(rank) - min(rank) >= 64
    assert max(suit) - min(suit) >= 64


def _is_blue(colour: object) -> bool:
    assert isinstance(colour, tuple)
    return bool(colour[2] - colour[0] > 60)


@GAME
def test_a_hand_is_drawn_in_30_milliseconds(game: str) -> None:
    drawn(game)  # fills the caches
    moment = list(MOMENTS[game])[1]
    observation = observed(game, moment, 0 if GAMES[game].has_hands else None)
    names = ["Ann"] * GAMES[game].seats(GAMES[game].settle(MOMENTS[game][moment].options))
    times = []
    for _ in range(7):
        start = time.process_time()
        draw(observation, names)
        times.append(time.process_time() - start)
    assert min(times) < 0.03


@GAME
def test_the_sizes_asked_for_are_drawn(game: str) -> None:
    moment = next(iter(MOMENTS[game]))
    (preview, *_others) = previews(game, moment, size=265)
    assert image_of(preview.picture).width == 265


@pytest.mark.parametrize("banks", range(2, 14))
def test_banks_have_room_for_names_and_none_covers_another(banks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    plates: list[canvas.Box] = []
    monkeypatch.setattr(pontis, "plate", lambda _canvas, box, *_player, **_turn: plates.append(box))
    game = GAMES["pontis"]
    draw(game.observe(game.start(game.settle({"players": banks})), None), ["Ann"] * banks)
    assert len(plates) == banks
    assert min(plate.width for plate in plates) > 180
    for one, other in combinations(plates, 2):
        apart_across = one.right <= other.x or other.right <= one.x
        apart_down = abs(one.y - other.y) >= 190  # the plate, the card and a gap
        assert apart_across or apart_down


# ---- names


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Ann", "Ann"),
        ("🤖 Moss", "Moss"),
        ("🐸🌿 Frøya", "Frøya"),
        ("Ζωή", "Ζωή"),
        ("Саша", "Саша"),
        ("田中さくら", "田中さくら"),
        ("שירה לוי", "יול הריש"),
        ("שירה12", "12הריש"),
        ("Ann 김철수", "Ann 김철수"),
        ("فاطمة", "\ufe94\ufee4\ufec3\ufe8e\ufed3"),
        ("علاء", "\ufe80\ufefc\ufecb"),
        ("محـمـد", "\ufeaa\ufee4\ufea4\ufee3"),
        ("پگاه ۷", "۷ \ufee9\ufe8e\ufb95\ufb58"),
        ("สมชาย", "#3"),
        ("Ann สมชาย", "Ann"),
        ("🦆", "#3"),
        ("", "#3"),
        ("e\u0301", "é"),
        ("Ann שירה לוי", "Ann יול הריש"),
        ("שירה Ann Lee לוי", "יול Ann Lee הריש"),
        ("שירה (2)", "(2) הריש"),
        ("Ann שירה 12", "Ann 12 הריש"),
        ("12 שירה", "הריש 12"),
        ("Ann-שירה", "Ann-הריש"),
        ("שירה!", "!הריש"),
        ("Ann \N{RIGHT-TO-LEFT OVERRIDE}Lee\N{FIRST STRONG ISOLATE}", "Ann Lee"),
    ],
)
def test_names_are_seen_in_the_order_of_their_scripts(name: str, written: str) -> None:
    assert visual_order(writable(name, 2)) == written


@pytest.mark.parametrize("letters", ["A-Za-z", "À-ÖØ-öø-ÿ", "Ā-ķĹ-ňŊ-ž", "Ά-ώ", "Ѐ-џ", "א-ת", "ぁ-ん", "ァ-ヴ", "Ạ-ỹ"])
def test_the_fonts_have_the_letters_of_these_scripts(letters: str) -> None:
    every = [
        chr(code) for code in range(0x41, 0x3100) if re.fullmatch(f"[{letters}]", chr(code)) and chr(code).isalpha()
    ]
    assert every
    assert [letter for letter in every if visual_order(writable(letter, 0)) != letter] == []


def test_the_fonts_have_the_usual_syllables_of_hangul() -> None:
    syllables = [bytes((row, cell)).decode("euc_kr") for row in range(0xB0, 0xC9) for cell in range(0xA1, 0xFF)]
    assert len(syllables) == 2350
    assert [syllable for syllable in syllables if writable(syllable, 0) != syllable] == []


def test_the_fonts_have_every_form_of_arabic_and_persian_letters() -> None:
    for letter in (*map(chr, range(0x621, 0x63B)), *map(chr, range(0x641, 0x64B)), *"پچژکگی"):
        for word in (letter, f"{letter}ب", f"ب{letter}", f"ب{letter}ب"):
            shown = visual_order(writable(word, 0))
            assert shown != "#1"
            assert all(unicodedata.name(letter).endswith(" FORM") for letter in shown), word


@pytest.mark.parametrize("letter", [*map(chr, (*range(0x621, 0x63B), *range(0x641, 0x64B))), *"پچژکگی"])
def test_no_arabic_letter_reaches_beyond_a_name_plate(letter: str) -> None:
    image = lettering.mask(writable(letter, 0), 48)
    box = image.getbbox()
    assert box is not None
    _left, top, _right, bottom = box
    assert top > 0
    assert bottom <= image.height - 2  # the edge of a name plate


@pytest.mark.parametrize(
    ("name", "limit", "written"),
    [
        ("Bartholomew", 150, "Bart."),
        ("שירה לוי אברהמי", 150, ".הריש"),
        ("Ann שירה לוי אברהמי", 200, "Ann ריש."),
        ("שירה Bartholomew", 200, ".Ba הריש"),
        ("Ann شيرين", 150, "Ann."),
        ("Ann شيرين لوي", 220, "Ann \ufeae\ufef4\ufeb7."),
        ("محمد Bartholomew", 200, ".Ba \ufeaa\ufee4\ufea4\ufee3"),
    ],
)
def test_shortened_names_keep_their_beginning(name: str, limit: int, written: str) -> None:
    short = lettering.shortened(writable(name, 0), 48, limit)
    assert visual_order(short) == written
    assert visual_order(f"{short} wins!") == f"{written} wins!"
    assert lettering.width(short, 48) <= limit


def test_each_name_of_a_side_keeps_its_beginning() -> None:
    names = ("Bartholomew Fairweather", "Eva", writable("שירה לוי אברהמי", 0))
    assert lettering.joined(names, 48, 2000) == " & ".join(names)
    assert visual_order(" & ".join(names)) == "Bartholomew Fairweather & Eva & ימהרבא יול הריש"
    first, second, third = lettering.joined(names, 48, 600).split(" & ")
    assert first.startswith("Barth")
    assert second == "Eva"
    assert visual_order(third).endswith("הריש")
    assert lettering.width(lettering.joined(names, 48, 600), 48) <= 600


# ---- art


def test_the_sprites_are_drawn_from_the_current_sources() -> None:
    assert sprites.HASH.read_text(encoding="utf-8").strip() == sprites.fingerprint(), "run `make sprites`"


def test_every_drawing_has_its_file_and_no_file_is_left_over() -> None:
    wanted = {drawing.file for drawing in sprites.drawings()}
    kept = {path for folder in ("sprites", "emojis") for path in (sprites.PICTURES / folder).glob("*.png")}
    assert kept == wanted


def test_emojis_are_128_pixels_wide_and_few_kilobytes() -> None:
    for path in (sprites.PICTURES / "emojis").glob("*.png"):
        with Image.open(path) as image:
            assert image.width == 128, path.name
        assert path.stat().st_size < 8 * 1024


def test_everything_shipped_fits_in_one_and_a_half_megabytes() -> None:
    assert sum(path.stat().st_size for path in sprites.PICTURES.rglob("*") if path.suffix != ".pyc") < 1_500_000


# ---- leaks


def _compared(key: str, count: int) -> Iterator[tuple[bytes, bytes, str, str]]:
    """Yield the pictures of moments and their twins, which differ only in what the viewer can't know."""
    game, rng = GAMES[key], random.Random(f"pictures {key}")
    while count > 0:
        for moment in moments(game, rng):
            names = [sitter.name for sitter in moment.table.sitters]
            for twin in twins(game, moment, deals_of(game, moment), rng):
                for viewer in list(twin.viewers)[:2]:
                    one, other = (draw(game.observe(each.state, viewer), names) for each in (moment, twin.moment))
                    yield one.png, other.png, one.alt, other.alt
                    count -= 1
                    if count <= 0:
                        return


@pytest.mark.parametrize("game", ["pond", "pontis", "pot_black"])
def test_pictures_and_alt_texts_show_nothing_hidden(game: str) -> None:
    for file, other_file, alt, other_alt in _compared(game, 60):
        assert alt == other_alt
        assert hashlib.sha256(file).digest() == hashlib.sha256(other_file).digest()


def marks_of(courses: Sequence[Sequence[int]]) -> dict[int, tuple[int, int]]:
    """Return the place of each mark in a chart, by the number of its line."""
    marks: dict[int, tuple[int, int]] = {}

    def noted(_canvas: canvas.Canvas, number: int, x: int, y: int, _ground: str, *, is_small: bool) -> None:
        assert is_small == (len(courses) > chart.FEW)
        marks[number] = x, y

    chart.draw_chart(canvas.Canvas(600), canvas.Box(14, 130, 972, 390), courses, noted)
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
        (Score(9, 0, 0, -2, 0), "9 − 2 = 7", (9, 0, 0, 0)),
        (Score(8, 0, 0, 0, 0), "8", (8, 0, 0, 0)),
        (Score(5, 1, 0, 0, 2), "5 + 1 + 2 = 8", (5, 1, 0, 2)),
        (Score(5, 1, 0, 0, -4), "5 + 1 − 4 = 2", (5, 1, 0, 0)),
    ],
)
def test_the_result_of_one_game_shows_its_arithmetic(score: Score, said: str, parts: tuple[int, ...]) -> None:
    assert shares.arithmetic(score) == said
    assert shares.shares(score) == parts


@pytest.mark.parametrize("key", ["pond", "pontis"])
def test_a_game_resigned_before_anything_was_scored_has_no_scores(key: str) -> None:
    game = GAMES[key]
    options = game.settle({"players": 2})
    state = next(moment.state for moment in played(game, options, random.Random(1)) if game.may_resign(moment.state))
    conceded = game.apply(state, 0, RESIGN).state
    picture = draw_result(game.observe(conceded, None), NAMES[:2])
    assert picture.alt == f"Winner: {NAMES[1]}."


def test_result_cards_say_names_as_people_write_them() -> None:
    assert "שירה לוי" in drawn("pontis")["pontis-many-result"].alt
    assert "🐸🌿 Frøya" in drawn("pontis")["pontis-many-result"].alt


def test_the_alt_text_of_pond_for_pairs_names_both_partners() -> None:
    public = GAMES["pond"].observe(state_at(GAMES["pond"], Moment(60, {"players": 4})), None)
    ann, ben = public.totals[:2]
    assert f"Points: Ann & Cleo {ann} and Ben & Dan {ben}." in draw(public, ["Ann", "Ben", "Cleo", "Dan"]).alt


def test_thirteen_marks_look_different() -> None:
    drawings = []
    for number in range(13):
        drawing = canvas.Canvas(100)
        chart.draw_mark(drawing, number, 50, 50, "#f6f0df", is_small=True)
        drawings.append(drawing.image.convert("L").tobytes())
    assert len(set(drawings)) == 13


@pytest.mark.parametrize("players", [2, 4, 5, 13])
def test_every_line_shows_even_where_all_are_equal(players: int) -> None:
    drawings = set()
    for covered in (None, *range(players)):
        drawing = canvas.Canvas(600)
        courses = [(0, 5, 5, 9 if number == covered else 5, 5, 9) for number in range(players)]
        chart.draw_chart(drawing, canvas.Box(14, 130, 972, 390), courses)
        drawings.add(drawing.image.tobytes())
    assert len(drawings) == players + 1


def test_lines_of_the_same_colour_have_different_dashes() -> None:
    shares_of_ink = []
    for number in range(1, 13, 4):
        drawing = canvas.Canvas(600)
        courses = [(0, 9 if other == number else 0) for other in range(13)]
        chart.draw_chart(drawing, canvas.Box(14, 130, 972, 390), courses, lambda *_args, **_size: None)
        ink = drawing.image.crop((300, 80, 700, 200)).convert("RGB").getcolors() or []
        shares_of_ink.append(sum(area for area, colour in ink if colour == (187, 58, 0)))
    first, second, third = shares_of_ink
    assert first > second * 1.3 > third * 1.3 * 1.1 > 0


def test_pieces_that_the_last_move_scored_are_marked() -> None:
    game = GAMES["frogs"]
    observations = (game.observe(state_at(game, Moment(ply, {})), None) for ply in range(5, 30))
    scoring = next(seen for seen in observations if seen.gone)
    squares = {square for event in scoring.effects if isinstance(event, Scored) for square in event.squares}
    assert squares == {piece.square for piece in scoring.gone}
    assert draw(scoring, NAMES[:2]).png != draw(replace(scoring, gone=()), NAMES[:2]).png
    assert draw(scoring, NAMES[:2]).png != draw(replace(scoring, effects=()), NAMES[:2]).png


def test_a_preview_counts_points_and_spawns_after_the_move() -> None:
    game = GAMES["frogs"]
    assert isinstance(game, Frogs)
    seen = [game.observe(state_at(game, Moment(ply, {})), None) for ply in range(2, 17)]
    scores, spawns = set(), set()
    for before, after in pairwise(seen):
        move = after.last
        assert move is not None
        previewed = draw_move(before, NAMES[:2], game.preview(before, move))
        for top, bottom in ((150, 370), (470, 680)):  # below the names, whose colour shows whose turn it is
            sides = [
                image_of(picture).crop((700, top, 1000, bottom)) for picture in (previewed, draw(after, NAMES[:2]))
            ]
            assert sides[0].convert("RGB").tobytes() == sides[1].convert("RGB").tobytes(), str(move)
        scores.add(after.scores)
        spawns.add(after.spawns)
    assert len(scores) > 1
    assert len(spawns) > 1


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
