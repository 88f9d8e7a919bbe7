"""Transcripts: a table's log as a JSON object. They can be read, replayed, verified and written.

    for thing in objects(file):         # one per line, or a single one over several lines
        transcript = read(thing)        # types, seats and options
        replay(transcript)              # every entry, every list of legal moves, the outcome
        verify(transcript)              # the same, and every chance entry

Errors are `TranscriptError`s. Their ``where`` is ``entry 12`` (counted from 0), ``outcome``, ``options`` (everything
before the entries: format, game, rules, options, seats), ``fairness``, or ``line 3`` (counted from 1) if that is not a
JSON object.
"""

from bot.transcript.json_format import FORMAT, Fairness, Transcript, objects, read, write
from bot.transcript.verification import MAX_GAMES, Refuted, Verified, check, proof, replay, verify

__all__ = [
    "FORMAT",
    "MAX_GAMES",
    "Fairness",
    "Refuted",
    "Transcript",
    "Verified",
    "check",
    "objects",
    "proof",
    "read",
    "replay",
    "verify",
    "write",
]
