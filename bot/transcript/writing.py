"""Write transcripts as JSON."""

import json

from bot.games.game import Entry
from bot.transcript.record import FORMAT, Fairness, Transcript


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
    if transcript.notes:
        thing["notes"] = [{"entry": number, "note": note} for number, note in sorted(transcript.notes.items())]
    if isinstance(fairness, Fairness):
        thing["fairness"] = {"commitment": fairness.commitment, "seed": fairness.seed, "cuts": fairness.cuts}
    return json.dumps(thing, ensure_ascii=False)


def _written(entry: Entry, legal: tuple[str, ...] | None) -> dict[str, object]:
    thing: dict[str, object] = {"seat": entry.seat, "move": entry.move}
    return thing if legal is None else thing | {"legal": legal}
