"""Names in pictures: scripts, fonts and shortened names."""

import re
import unicodedata

import pytest

from bot.pictures import lettering
from bot.pictures.lettering import visual_order, writable


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
        ("张伟", "张伟"),
        ("鄧麗君", "鄧麗君"),
        ("𝕭𝖔𝖘𝖘", "Boss"),
        ("Ｙｕｍｉ", "Yumi"),
        ("ｻｸﾗｶﾞ", "サクラガ"),
        ("ĳsbrand", "ĳsbrand"),
        ("Annสมชาย", "Ann"),
        ("張นี7", "張7"),
        ("สม-ชาย", "#3"),
        ("ตั้ม (น้อย)", "#3"),
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


@pytest.mark.parametrize(
    ("encoding", "rows", "count"), [("gb2312", range(0xB0, 0xF8), 6763), ("big5", range(0xA4, 0xC7), 5401)]
)
def test_the_fonts_have_the_usual_chinese_characters(encoding: str, rows: range, count: int) -> None:
    cells = [bytes((row, cell)).decode(encoding, "ignore") for row in rows for cell in range(0x40, 0xFF)]
    characters = [cell for cell in cells if len(cell) == 1 and unicodedata.category(cell) == "Lo" and cell > "\u3400"]
    assert len({*characters}) == count
    missing = [each for each in characters if writable(each, 0) != unicodedata.normalize("NFKC", each)]
    assert missing == []


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


def test_a_name_that_was_shortened_before_ends_like_one_shortened_here() -> None:
    assert writable("Bartholo…", 0) == "Bartholo."


def test_each_name_of_a_side_keeps_its_beginning() -> None:
    names = ("Bartholomew Fairweather", "Eva", writable("שירה לוי אברהמי", 0))
    assert lettering.joined(names, 48, 2000) == " & ".join(names)
    assert visual_order(" & ".join(names)) == "Bartholomew Fairweather & Eva & ימהרבא יול הריש"
    first, second, third = lettering.joined(names, 48, 600).split(" & ")
    assert first.startswith("Barth")
    assert second == "Eva"
    assert visual_order(third).endswith("הריש")
    assert lettering.width(lettering.joined(names, 48, 600), 48) <= 600


@pytest.mark.parametrize(
    ("name", "shown"), [("Ⓐⓝⓝ", "Ann"), ("🄰🄽🄽", "ANN"), ("🅐🅝🅝", "ANN"), ("🅰🅽🅽", "ANN"), ("🅱en 🎲", "Ben")]
)
def test_letters_in_circles_and_squares_are_letters(name: str, shown: str) -> None:
    assert writable(name, 0) == shown
