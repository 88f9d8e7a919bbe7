"""The contents of a transcript, and how they are written as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.errors import TranscriptError
from bot.games.game import AnyGame, Ended, Entry, Outcome, Value

FORMAT: Final = "transcript/1"


@dataclass(frozen=True, slots=True)
class Fairness:
    """The data needed to verify the deals of a table (G-12).

    Commitment and seed are 64 hex digits; the seed is ``None`` until the table is over. There is one cut per seat.
    """

    commitment: str
    seed: str | None
    cuts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A table's log and its result. ``options`` are settled; ``seats`` are the players' names.

    ``legal`` has the legal moves before the entry of that number, if the transcript lists them. ``malformed`` is the
    error for the first malformed entry, or a malformed outcome: ``entries`` ends before it, so that errors are reported
    in the order of the file. ``ended`` says how the table ended outside the rules; then there is no outcome. With
    ``counted``, ``standing`` has the scores and places of that moment. A
    malformed ``fairness`` matters only to `verify`. ``rules`` replaces the rules number of ``game``.
    ``notes`` say what isn't part of the rules, by the number of an entry. ``counted`` is for ratings: docs/RATINGS.md.
    """

    game: AnyGame
    options: Mapping[str, Value]
    seats: tuple[str, ...]
    entries: tuple[Entry, ...]
    outcome: Outcome | None
    fairness: Fairness | TranscriptError | None = None
    legal: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    malformed: TranscriptError | None = None
    ended: Ended | None = None
    standing: Outcome | None = None
    rules: int | None = None
    notes: Mapping[int, str] = field(default_factory=dict)
    counted: Mapping[str, object] | None = None


def write(transcript: Transcript) -> str:
    """Return the transcript as JSON on one line, without a line break at the end."""
    outcome, fairness = transcript.outcome, transcript.fairness
    thing: dict[str, object] = {
        "format": FORMAT,
        "game": transcript.game.key,
        "rules": transcript.game.rules if transcript.rules is None else transcript.rules,
        "options": dict(transcript.options),
        "seats": transcript.seats,
        "entries": [_written(entry, transcript.legal.get(number)) for number, entry in enumerate(transcript.entries)],
        "outcome": outcome and {"scores": outcome.scores, "places": outcome.places, "reason": outcome.reason},
    }
    if transcript.ended is not None:
        thing["ended"] = transcript.ended
    if transcript.standing is not None:
        thing["standing"] = {"scores": transcript.standing.scores, "places": transcript.standing.places}
    if transcript.notes:
        thing["notes"] = [{"entry": number, "note": note} for number, note in sorted(transcript.notes.items())]
    if isinstance(fairness, Fairness):
        thing["fairness"] = {"commitment": fairness.commitment, "seed": fairness.seed, "cuts": fairness.cuts}
    if transcript.counted is not None:
        thing["counted"] = transcript.counted
    return json.dumps(thing, ensure_ascii=False)


def _written(entry: Entry, legal: tuple[str, ...] | None) -> dict[str, object]:
    thing: dict[str, object] = {"seat": entry.seat, "move": entry.move}
    return thing if legal is None else thing | {"legal": legal}
