"""Check files of transcripts as a whole. Other processes do that, so what goes in and out are plain values."""

import io
from typing import Final, NamedTuple

from bot.errors import TranscriptError
from bot.games.game import CHANCE
from bot.transcript.reading import objects, read
from bot.transcript.record import Fairness, Transcript
from bot.transcript.verification import verify

MAX_GAMES: Final = 50
"""Maximum number of games in a file."""


class Verified(NamedTuple):
    """What a file holds, all of which is right. ``commitment`` is that of its last game."""

    games: int
    deals: int
    moves: int
    commitment: str


class Refuted(NamedTuple):
    """The first error in a file: the number of the game, and the parts of the `TranscriptError`."""

    game: int
    where: str
    why: str


def check(content: bytes, commitment: str) -> Verified | Refuted | None:
    """Verify all games of a file, with the commitment that their table showed; empty if there is none.

    ``None`` means that it has too many games. This takes up to some seconds.
    """
    found = Verified(0, 0, 0, "")
    try:
        for thing in objects(io.BytesIO(content)):
            if found.games == MAX_GAMES:
                return None
            transcript = read(thing)
            verify(transcript, commitment)
            found = _with(found, transcript)
    except TranscriptError as error:
        return Refuted(found.games + 1, error.where, error.why)
    return found


def _with(found: Verified, transcript: Transcript) -> Verified:
    deals = sum(entry.seat is CHANCE for entry in transcript.entries)
    shown = transcript.fairness.commitment if isinstance(transcript.fairness, Fairness) else ""
    return Verified(found.games + 1, found.deals + deals, found.moves + len(transcript.entries) - deals, shown)
