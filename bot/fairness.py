"""Deals that anybody can check afterwards (G-12): a committed seed, the players' cuts, and streams made of both.

Before the first entry a table publishes the `commitment` of its seed; the seated players may each cut. When the table
is over it publishes the seed, and everybody can derive every chance entry again: the n-th one draws from
``Deals(seed, cuts)(n)``.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

T = TypeVar("T")

SEED_BYTES: Final = 32
LONGEST_CUT: Final = 100
WORDS: Final = 2**64
"""How many different words there are."""


def commitment(seed: bytes) -> str:
    """What a table publishes before the first entry: the seed's SHA-256, as 64 lower-case hex digits."""
    return hashlib.sha256(seed).hexdigest()


def cut_problem(text: str) -> str | None:
    """Why the text can't be a cut, as a sentence, or ``None`` if it can. A bar or a line break would let two lists of
    cuts give one key.
    """
    if len(text) > LONGEST_CUT:
        return f"A cut has at most {LONGEST_CUT} characters; this one has {len(text)}. (G-12)"
    if "|" in text:
        return "A cut can't contain the character |. (G-12)"
    if text and text.splitlines() != [text]:
        return "A cut can't contain a line break. (G-12)"
    if any("\ud800" <= character <= "\udfff" for character in text):
        return "A cut can't contain half a character. (G-12)"
    return None


def key(seed: bytes, cuts: Sequence[str]) -> bytes:
    """The 32 bytes from which all chance of a table comes. ``cuts`` has one text per seat, an absent one empty.

    Raises ``ValueError`` for a cut with a `cut_problem`.
    """
    for cut in cuts:
        if problem := cut_problem(cut):
            raise ValueError(problem)
    return hmac.digest(seed, "|".join(cuts).encode(), "sha256")


class Stream:
    """What the n-th chance entry of a table draws from (a `bot.games.game.Shuffle`): the same everywhere and for ever.

    It is used up as it is drawn from; draws within one entry go on where the last one ended.
    """

    def __init__(self, key: bytes, n: int) -> None:
        self._words = _words(key, n)

    def below(self, k: int) -> int:
        """A number from 0 to k - 1, each as likely. Words that would favour the low numbers are thrown away."""
        fair = WORDS // k * k
        return next(word for word in self._words if word < fair) % k

    def shuffle(self, pack: Sequence[T]) -> list[T]:
        """A new list with the cards of the pack in random order (Fisher–Yates from the end); the first is the top."""
        cards = list(pack)
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards


def _words(key: bytes, n: int) -> Iterator[int]:
    """64-bit numbers without end: four of each block ``SHA-256(key ‖ n ‖ c)``, c = 0, 1, 2 …"""
    start = hashlib.sha256(key + n.to_bytes(8, "big"))
    c = 0
    while True:
        block = start.copy()
        block.update(c.to_bytes(8, "big"))
        digest = block.digest()
        for at in range(0, 32, 8):
            yield int.from_bytes(digest[at : at + 8], "big")
        c += 1


@dataclass(frozen=True, slots=True)
class Deals:
    """All chance of one table: called with n it gives the stream of the n-th chance entry, all of them counted from 0.

    It is what `bot.games.game.Game.run_chance` takes as ``shuffle_of``. Raises ``ValueError`` for a cut with a
    `cut_problem`. The seed is not part of its text.
    """

    seed: bytes = field(repr=False)
    cuts: tuple[str, ...]
    _key: bytes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # A frozen value computes a field of its own only this way.
        object.__setattr__(self, "_key", key(self.seed, self.cuts))

    def __call__(self, n: int) -> Stream:
        """The stream of the n-th chance entry, at its beginning."""
        return Stream(self._key, n)
