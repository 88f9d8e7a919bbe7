"""Languages in tests: those of the dose, and functions that translate to one of them."""

from collections.abc import Callable
from typing import Final
from zlib import crc32

from bot.texts import SOURCE, languages, translated, using
from tests.doses import IS_COMPLETE

ALWAYS: Final = (SOURCE, "de")
"""The languages that the suite requires to be complete."""


def some_languages(test: str) -> tuple[str, ...]:
    """Return the languages for a slow test: all by `make all-tests`, else English, German and one of the others.

    Which one depends on the ``test``, so that the tests together see each.
    """
    others = [each for each in languages() if each not in ALWAYS]
    if IS_COMPLETE or not others:
        return languages()
    return (*ALWAYS, others[crc32(test.encode()) % len(others)])


def into(language: str) -> Callable[[str], str]:
    """Return a function that translates texts to a language."""

    def translate(text: str) -> str:
        with using(language):
            return translated(text)

    return translate
