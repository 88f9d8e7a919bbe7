"""The contents of a transcript, and how they are written as JSON and read. Reading is strict."""

import codecs
import io
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Final, get_args

import msgspec

from bot.errors import InvalidOption, TranscriptError, quoted
from bot.games import GAMES, OLDER, by_rules
from bot.games.game import CHANCE, COUNTED, Actor, AnyGame, Ended, Entry, Outcome, Value

FORMAT: Final = "transcript/1"
_ENDINGS: Final[tuple[Ended, ...]] = get_args(Ended)
_RULEBOOKS: Final = by_rules(GAMES.values(), OLDER)
MAX_CHARACTERS: Final = 4_000_000
"""Maximum length of a transcript: the longest games have a few hundred thousand characters with their legal moves."""
_MAX_SENTENCE: Final = 400
"""Maximum length of a game's sentence about options, as it may quote them."""


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
    ``counted``, ``standing`` has the scores and places of that moment. A malformed ``fairness`` matters only to
    `verify`. ``rules`` replaces the rules number of ``game``. ``notes`` say what isn't part of the rules, by the number
    of an entry. ``counted`` is for ratings: docs/RATINGS.md.
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


def objects(file: IO[bytes]) -> Iterator[Mapping[str, object]]:
    """Yield the JSON objects of a file: one per line, or a single one that spans all lines.

    The file may be UTF-8, with or without a byte order mark, or UTF-16 with one. Lines may end as on Windows, and blank
    ones may follow the last transcript. Raise `TranscriptError` at a line that isn't a JSON object, and for an empty
    file. The text is read line by line.
    """
    lines = _lines(file)
    number = 0
    for number, line in enumerate(lines, 1):
        thing, is_blank = _decoded(line), not line.strip()
        if is_blank and number > 1 and not any(rest.strip() for rest in lines):
            return
        if thing is None and number == 1 and not is_blank:
            thing = _decoded(_whole(line, lines))
        if thing is None:
            raise TranscriptError(f"line {number}", "This is no JSON object. (G-13)")
        yield thing
    if number == 0:
        raise TranscriptError("line 1", "The file holds no transcript. (G-13)")


def _lines(file: IO[bytes]) -> Iterator[str]:
    """Yield the lines of a file as text. A longer one than `MAX_CHARACTERS` isn't read to its end."""
    start = file.read(len(codecs.BOM_UTF16_LE))
    is_wide = start in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}
    whole = io.BufferedReader(_Joined(start, file))
    text = io.TextIOWrapper(whole, "utf-16" if is_wide else "utf-8-sig", newline=None)
    for number in itertools.count(1):
        try:
            line = text.readline(MAX_CHARACTERS + 1)
        except UnicodeDecodeError:
            raise TranscriptError(f"line {number}", "This is neither UTF-8 nor UTF-16 text. (G-13)") from None
        if not line:
            return
        if len(line) > MAX_CHARACTERS:
            raise TranscriptError(f"line {number}", f"It has more than {MAX_CHARACTERS:,} characters. (G-13)")
        yield line


class _Joined(io.RawIOBase):
    """A file whose beginning has been read already."""

    def __init__(self, start: bytes, file: IO[bytes]) -> None:
        self._start = start
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        taken = self._start or self._file.read(len(buffer))
        self._start = b""
        buffer[: len(taken)] = taken
        return len(taken)


def _whole(first: str, rest: Iterable[str]) -> str:
    """Return the text of a transcript that spans all lines, or the first line if they are too long for one."""
    parts, size = [first], len(first)
    for line in rest:
        parts.append(line)
        size += len(line)
        if size > MAX_CHARACTERS:
            return first
    return "".join(parts)


def _decoded(line: str) -> dict[str, object] | None:
    try:
        thing = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return thing if isinstance(thing, dict) else None


def read(thing: Mapping[str, object]) -> Transcript:
    """Return the transcript in a JSON object. Unknown keys are ignored (G-05). Raise `TranscriptError`.

    Entries aren't played here; `replay` and `verify` do that. So a malformed entry or outcome is not raised, but kept
    as ``malformed``: there may be an illegal entry before it.
    """
    game = _game(thing)
    options = _options(game, thing.get("options"))
    seats = _texts(thing.get("seats"), "options", "seats")
    if len(seats) != game.seats(options) or not all(seats):
        raise TranscriptError("options", f"seats are not {game.seats(options)} names. (G-05)")
    written = thing.get("entries")
    if not isinstance(written, list):
        raise TranscriptError("options", "entries are no list. (G-05)")
    entries: list[Entry] = []
    legal: dict[int, tuple[str, ...]] = {}
    outcome = ended = standing = malformed = None
    try:
        for number, each in enumerate(written):
            entry = _entry(each, f"entry {number}", len(seats))
            if entry.seat is not CHANCE and "legal" in each:
                legal[number] = _texts(each["legal"], f"entry {number}", "legal")
            entries.append(entry)
        outcome = _outcome(thing)
        ended = _ended(thing, outcome)
        standing = _standing(thing, ended)
    except TranscriptError as error:
        malformed = error
    fairness = _fairness(thing.get("fairness"))
    return Transcript(game, options, seats, tuple(entries), outcome, fairness, legal, malformed, ended, standing)


def _game(thing: Mapping[str, object]) -> AnyGame:
    if thing.get("format") != FORMAT:
        raise TranscriptError("options", f"format is not {FORMAT!r}.")
    key, rules = thing.get("game"), thing.get("rules")
    if not isinstance(key, str) or key not in GAMES:
        raise TranscriptError("options", f"game is {quoted(key)}; it is one of {', '.join(GAMES)}.")
    if type(rules) is not int:
        raise TranscriptError("options", f"rules is {quoted(rules)}, no whole number. (G-05)")
    if (key, rules) not in _RULEBOOKS:
        known = ", ".join(str(number) for game, number in sorted(_RULEBOOKS) if game == key)
        raise TranscriptError("options", f"It was played by rules {rules} of {key}; known here: {known}. (G-05)")
    return _RULEBOOKS[key, rules]


def _options(game: AnyGame, given: object) -> Mapping[str, Value]:
    if not isinstance(given, dict):
        raise TranscriptError("options", "There are none. (G-05)")
    if missing := [option.key for option in game.options if option.key not in given]:
        raise TranscriptError("options", f"{', '.join(missing)} missing. (G-05)")
    try:
        settled = game.settle(given)
    except InvalidOption as error:
        raise TranscriptError("options", error.sentence[:_MAX_SENTENCE]) from None
    for key, value in settled.items():
        if type(given[key]) is not type(value):
            raise TranscriptError(
                "options", f"{key} is {quoted(given[key])}; as JSON it is {json.dumps(value)}. (G-05)"
            )
    return settled


def _entry(thing: object, where: str, seats: int) -> Entry:
    if not isinstance(thing, dict):
        raise TranscriptError(where, "It is no JSON object. (G-05)")
    if "seat" not in thing:
        raise TranscriptError(where, "It has no seat; chance is null. (G-05)")
    move = thing.get("move")
    if not isinstance(move, str):
        raise TranscriptError(where, f"move is {quoted(move)}, no text. (G-05)")
    return Entry(_seat(thing["seat"], where, seats), move)


def _seat(seat: object, where: str, seats: int) -> Actor:
    if seat is CHANCE or (type(seat) is int and 0 <= seat < seats):
        return seat
    raise TranscriptError(where, f"seat is {quoted(seat)}; it is null or a number from 0 to {seats - 1}. (G-05)")


def _outcome(thing: Mapping[str, object]) -> Outcome | None:
    if "outcome" not in thing:
        raise TranscriptError("outcome", "The key is missing; while the game is on it is null. (G-05)")
    outcome = thing["outcome"]
    if outcome is None:
        return None
    if not isinstance(outcome, dict):
        raise TranscriptError("outcome", "It is neither null nor an object. (G-05)")
    scores, places = _numbers(outcome.get("scores"), "scores"), _numbers(outcome.get("places"), "places")
    reason = outcome.get("reason")
    if not isinstance(reason, str):
        raise TranscriptError("outcome", f"reason is {quoted(reason)}, no text. (G-05)")
    return Outcome(scores, places, reason)


def _ended(thing: Mapping[str, object], outcome: Outcome | None) -> Ended | None:
    given = thing.get("ended")
    if given is None:
        return None
    ended = next((known for known in _ENDINGS if known == given), None)
    if ended is None:
        raise TranscriptError("outcome", f"ended is {quoted(given)}; it is one of {', '.join(_ENDINGS)}. (G-11)")
    if outcome is not None:
        raise TranscriptError("outcome", f"The table ended outside the rules ({ended}), so there is none. (G-11)")
    return ended


def _standing(thing: Mapping[str, object], ended: Ended | None) -> Outcome | None:
    """Return the standing of a table that was counted. The key has no meaning elsewhere (G-05)."""
    if ended != COUNTED:
        return None
    standing = thing.get("standing")
    if not isinstance(standing, dict):
        raise TranscriptError("outcome", "The table was counted, but has no standing. (G-11)")
    scores, places = _numbers(standing.get("scores"), "scores"), _numbers(standing.get("places"), "places")
    return Outcome(scores, places, COUNTED)


def _fairness(thing: object) -> Fairness | TranscriptError | None:
    if thing is None:
        return None
    if not isinstance(thing, dict):
        return TranscriptError("fairness", "It is no object. (G-12)")
    committed, seed = thing.get("commitment"), thing.get("seed")
    if not isinstance(committed, str) or not (seed is None or isinstance(seed, str)):
        return TranscriptError("fairness", "The commitment is a text, the seed a text or null. (G-12)")
    try:
        return Fairness(committed, seed, _texts(thing.get("cuts"), "fairness", "cuts"))
    except TranscriptError as error:
        return error


def _texts(value: object, where: str, name: str) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return tuple(value)
    raise TranscriptError(where, f"{name} is no list of texts. (G-05)")


def _numbers(value: object, name: str) -> tuple[int, ...]:
    if isinstance(value, list) and all(type(number) is int for number in value):
        return tuple(value)
    raise TranscriptError("outcome", f"{name} is no list of whole numbers. (G-05)")
