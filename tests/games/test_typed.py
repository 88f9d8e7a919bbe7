"""Moves as phones, editors and pasting change them."""

import pytest

from bot.games import GAMES
from bot.games.typed import clean
from bot.tables.folds import read

FROGS, PONTIS, POT_BLACK = (GAMES[key] for key in ("frogs", "pontis", "pot_black"))


@pytest.mark.parametrize(
    "typed",
    [
        *("b2-b4", "b2–b4", "b2 — b4", "b2 → b4", "b2➡️b4", "b2->b4", "b2b4", "B2 to B4"),
        *("ｂ２　ｂ４", "move\u00a0b2\u202fb4", "move b2\nb4", "move b2 b4. ", "Move b2 b4!"),
        *("`move b2 b4`", "“move b2 b4”", "**move** b2 b4", "moves b2 b4", "Moving: b2 to b4", "I move b2 b4"),
        *("\ufeffmove b2 b4", "mo\u00advе b2 b4", "\u2068b2\u2069 \u200eb4\u200b", "m\u200co\u2060ve b2 b4\u3164"),
        *(
            "/frogs move b2 b4",
            "b2. b4",
            "move. b2.  b4. ",
            "move b2️⃣ b4",
            "moveb2b4",
            "move the b2 b4",
            "‹b2› ‹b4›",
            "b2 − b4",
        ),
    ],
)
def test_a_move_of_a_piece_is_read(typed: str) -> None:
    legal = [FROGS.parse("move b2 b4")]
    assert str(read(FROGS, typed, legal)) == "move b2 b4"


@pytest.mark.parametrize(
    "typed",
    [
        *("10♦️", "10♦︎.", "♦ 10", "１０Ｄ", "10 ♢", "ten\u00a0of diamonds", "play the ten of diamonds…"),
        *("plays 10d", "I'll play 10D", "I’ll play 10D", "play play 10D", "play: 10♦️", "playing “10♦”"),
        *(
            "play TD\u200d",
            "\u202aplay TD\u202c",
            "play\u2028TD",
            "PLAY 1\u20600 d;",
            "/potblack play 10D",
            "play. 10. D",
            "playTD",
        ),
        *("`10D`", "*10D*", "play 1️⃣0️⃣♦️", "Тd"),
    ],
)
def test_a_card_is_read(typed: str) -> None:
    assert str(read(POT_BLACK, typed, [POT_BLACK.parse("play TD")])) == "play TD"


@pytest.mark.parametrize("typed", ["sum ks – 9d", "“sum” K♠️, 9♦️.", "summing KS 9D"])
def test_a_pair_is_read(typed: str) -> None:
    assert str(read(PONTIS, typed, [PONTIS.parse("sum KS 9D")])) == "sum KS 9D"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("＃８１.", "#81"),
        ("“Table Heron”.", "Table Heron"),
        ("\u200bTable\u00a0Heron\n", "Table Heron"),
        ("−3:30", "-3:30"),
        ("22:00 – 08:00", "22:00 - 08:00"),
        ("Ann’s", "Ann's"),
        ("", ""),
        ("\u3164", ""),
        ("Grüße", "Grüße"),
        ("Table. Heron", "Table Heron"),
        ("22.30 - 8.", "22.30 - 8"),
    ],
)
def test_any_typed_text_becomes_plain(typed: str, meant: str) -> None:
    assert clean(typed) == meant
