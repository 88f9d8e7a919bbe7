"""Fitting texts to a phone's screen."""

from bot.ui.posts.text import lines_of, without_remarks

BANKS = "**Banks**\n-# top · cards\n5♥ Ann"
REMARKS = "-# If nobody can play: −2.\n-# Liar?"


def test_texts_that_fit_keep_their_remarks() -> None:
    assert without_remarks((BANKS, REMARKS), lines_of((BANKS, REMARKS))) == (BANKS, REMARKS)


def test_the_first_remark_gives_way_first() -> None:
    assert without_remarks((BANKS, REMARKS), lines_of((BANKS, REMARKS)) - 1) == (BANKS, "-# Liar?")


def test_what_lies_on_the_table_stays_even_without_room() -> None:
    assert without_remarks((BANKS, REMARKS), 0) == (BANKS,)
    assert without_remarks((), 0) == ()
