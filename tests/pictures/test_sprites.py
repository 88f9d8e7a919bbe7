"""The drawn sprites and emojis that the bot ships."""

from PIL import Image

from bot.pictures import canvas
from tools import sprites


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
    """The font for Chinese names, which is larger than all else, is counted apart."""
    shipped = [path for path in sprites.PICTURES.rglob("*") if path.suffix != ".pyc"]
    (chinese,) = [path for path in shipped if path.name == "NotoSansSC-Bold-Hanzi.woff2"]
    assert sum(path.stat().st_size for path in shipped if path != chinese) < 1_500_000
    assert chinese.stat().st_size < 1_200_000
