"""Verifiable deals (G-12): commitments, cuts, and the random numbers derived from them.

Before the first entry, a table publishes the `commitment` of its seed, and the seated players may each cut. When the
table is over, it publishes the seed. Then anyone can derive every chance entry: the n-th one draws from
``Deals(seed, cuts)(n)``.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from bot.errors import PlayError

T = TypeVar("T")

SEED_BYTES: Final = 32
LONGEST_CUT: Final = 100
WORDS: Final = 2**64
"""The number of different 64-bit words."""


def commitment(seed: bytes) -> str:
    """Return the seed's SHA-256 as 64 lower-case hex digits. Tables publish it before the first entry."""
    return hashlib.sha256(seed).hexdigest()


def cut_problem(text: str) -> PlayError | None:
    """Return why the text can't be a cut, or ``None`` if it can.

    With a bar or a line break, different lists of cuts could give the same key.
    """
    if len(text) > LONGEST_CUT:
        return PlayError("A cut has at most {most} characters. Yours has {n}.", "G-12", most=LONGEST_CUT, n=len(text))
    if "|" in text:
        return PlayError("A cut can't contain the character |.", "G-12")
    if text and text.splitlines() != [text]:
        return PlayError("A cut can't contain a line break.", "G-12")
    if any("\ud800" <= character <= "\udfff" for character in text):
        return PlayError("A cut can't contain a broken character.", "G-12")
    return None


def key(seed: bytes, cuts: Sequence[str]) -> bytes:
    """Return the 32 bytes that all chance of a table is derived from.

    ``cuts`` has one text per seat, which may be empty. Raise ``ValueError`` for a cut with a `cut_problem`.
    """
    for cut in cuts:
        if problem := cut_problem(cut):
            raise ValueError(problem.sentence)
    return hmac.digest(seed, "|".join(cuts).encode(), "sha256")


def event_seed(secret: bytes, game_key: str, deal: int) -> bytes:
    """Return the seed of a deal of an event, which is the same at every table of that deal (G-15)."""
    return hmac.digest(secret, f"{game_key}|{deal}".encode(), "sha256")


def choice_seed(seed: bytes, *numbers: int) -> str:
    """Return what one choice of a computer draws from, as 64 hex digits (G-16). It doesn't tell the table's seed.

    ``numbers`` are the ply and the seat; in events, the seat and how many entries it has made before.
    """
    choices = hmac.digest(seed, b"computers", "sha256")
    return hmac.digest(choices, " ".join(map(str, numbers)).encode(), "sha256").hex()


class Stream:
    """The random numbers of the n-th chance entry of a table (a `bot.games.game.Shuffle`).

    They are the same on every machine and in every version. Each draw continues where the last one ended.
    """

    def __init__(self, key: bytes, n: int) -> None:
        self._words = _words(key, n)

    def below(self, k: int) -> int:
        """Return a number from 0 to k - 1, uniformly. Words that would favour low numbers are skipped."""
        fair = WORDS // k * k
        return next(word for word in self._words if word < fair) % k

    def shuffle(self, pack: Sequence[T]) -> list[T]:
        """Return the cards in random order, the top first (Fisher–Yates from the end)."""
        cards = list(pack)
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards


def _words(key: bytes, n: int) -> Iterator[int]:
    """Yield 64-bit numbers: four from each block ``SHA-256(key ‖ n ‖ c)``, c = 0, 1, 2 …"""
    start = hashlib.sha256(key + n.to_bytes(8, "big"))
    c = 0
    while True:
        block = start.copy()
        block.update(c.to_bytes(8, "big"))
        digest = block.digest()
        for at in range(0, 32, 8):
            yield int.from_bytes(digest[at : at + 8], "big")
        c += 1


class Deals:
    """The streams of one table. Called with n, it returns the stream of the n-th chance entry, counted from 0.

    `bot.games.game.Game.run_chance` takes it as ``shuffle_of``. Raise ``ValueError`` for a cut with a `cut_problem`.
    """

    def __init__(self, seed: bytes, cuts: Sequence[str]) -> None:
        self._key = key(seed, cuts)

    def __call__(self, n: int) -> Stream:
        """Return the stream of the n-th chance entry."""
        return Stream(self._key, n)
