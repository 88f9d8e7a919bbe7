"""Pictures: their size, sameness, texts, and what they must not show."""

import hashlib
import io
import random
import re
import time
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest
from PIL import Image

from bot.games import GAMES
from bot.pictures import Picture, canvas, draw, lettering
from bot.pictures.lettering import writable
from bot.pictures.picture import MAX_ALT
from bot.preview import MOMENTS, Moment, observed, previews, state_at
from tests.leaks.twins import deals_of, moments, twins
from tools import sprites

MAX_BYTES: Final = 20 * 1024
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
        assert len(draw(rulebook.observe(state, seat), ["W" * 24] * seats).png) < 22_000


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
        ("Ann 김철수", "Ann"),
        ("فاطمة", "#3"),
        ("🦆", "#3"),
        ("", "#3"),
        ("e\u0301", "é"),
    ],
)
def test_names_are_written_with_characters_of_the_fonts(name: str, written: str) -> None:
    assert writable(name, 2) == written


@pytest.mark.parametrize("letters", ["A-Za-z", "À-ÖØ-öø-ÿ", "Ā-ķĹ-ňŊ-ž", "Ά-ώ", "Ѐ-џ", "א-ת", "ぁ-ん", "ァ-ヴ", "Ạ-ỹ"])
def test_the_fonts_have_the_letters_of_these_scripts(letters: str) -> None:
    every = [
        chr(code) for code in range(0x41, 0x3100) if re.fullmatch(f"[{letters}]", chr(code)) and chr(code).isalpha()
    ]
    assert every
    assert [letter for letter in every if writable(letter, 0) != letter] == []


def test_long_names_keep_their_beginning() -> None:
    assert lettering.shortened("Bartholomew", 48, 150).endswith(".")
    assert lettering.shortened("Bartholomew", 48, 150).startswith("Ba")
    hebrew = writable("שירה לוי אברהמי", 0)
    assert lettering.shortened(hebrew, 48, 150).endswith(hebrew[-3:])


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
    for png, other_png, alt, other_alt in _compared(game, 60):
        assert alt == other_alt
        assert hashlib.sha256(png).digest() == hashlib.sha256(other_png).digest()


def test_result_cards_name_the_winner() -> None:
    for game in MOMENTS:
        result = next(picture for name, picture in drawn(game).items() if name.endswith("result"))
        assert result.alt.startswith(("Winner:", "The game is a draw."))
