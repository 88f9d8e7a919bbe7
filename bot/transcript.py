"""Transcripts: a table's log as one JSON object, read strictly, folded again and checked against the published seed.

    for thing in objects(file):         # one a line, or one alone over several lines
        transcript = read(thing)        # types, seats and options
        replay(transcript)              # every entry, every list of legal moves, the outcome
        verify(transcript)              # and every chance entry

A fault is a `TranscriptError`. Its ``where`` is ``entry 12`` (entries are counted from 0), ``outcome``, ``options``
(for all that is settled before the first entry: format, game, rules, options, seats), ``fairness``, or ``line 3``
(counted from 1) for what is no JSON object at all.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args

import msgspec

from bot.errors import IllegalMove, InvalidMove, InvalidOption, PlayError, TranscriptError
from bot.fairness import Deals, Stream, commitment, cut_problem
from bot.games import GAMES, OLDER, by_rules
from bot.games.game import CHANCE, Actor, AnyGame, Ended, Entry, Event, Observation, Outcome, Seat, Step, Value

FORMAT: Final = "transcript/1"
ENDINGS: Final[tuple[Ended, ...]] = get_args(Ended)
_RULEBOOKS: Final = by_rules(GAMES.values(), OLDER)
HEX: Final = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Fairness:
    """How the chance of a table can be derived again: 64 hex digits each, and one cut per seat (G-12).

    ``seed`` is ``None`` until the table is over.
    """

    commitment: str
    seed: str | None
    cuts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A table as it is written down. ``options`` are settled; ``seats`` are names, one per seat.

    ``legal`` holds the texts of a seat's legal moves before the entry of that number, where they were written down.
    ``fault`` is what is wrong with the form of the entry after the last of ``entries``, or of the outcome: it comes up
    when everything before it was checked. ``ended`` says how the table ended outside the rules, if it did; then
    there is no outcome. Of a ``fairness`` that can't be read only `verify` takes notice.
    """

    game: AnyGame
    options: Mapping[str, Value]
    seats: tuple[str, ...]
    entries: tuple[Entry, ...]
    outcome: Outcome | None
    fairness: Fairness | TranscriptError | None = None
    legal: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    fault: TranscriptError | None = None
    ended: Ended | None = None
    rules: int | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """One moment of a game: what its last entry let everybody see, and what one seat (or the public) knows then.

    ``ply`` counts the entries so far.
    """

    ply: int
    events: tuple[Event, ...]
    observation: Observation


# ---- checking


def replay(transcript: Transcript) -> None:
    """Folds the transcript. Raises `TranscriptError` at the first entry that is illegal or whose list of legal moves
    is another one, and for an outcome that is not that of the game.
    """
    for _ in _steps(transcript):
        pass


def verify(transcript: Transcript) -> None:
    """As `replay`, and derives every chance entry again. Raises `TranscriptError` also where that can't be done."""
    for _ in _steps(transcript, _deals(transcript)):
        pass
    # Checked last: a malformed entry, or outcome, is the error to name.
    if transcript.outcome is None and transcript.ended is None:
        raise TranscriptError("fairness", "The seed is published although the game is not over. (G-11)")


def frames(transcript: Transcript, seat: Seat | None) -> Iterator[Frame]:
    """The game move by move, as the seat or the public (``None``) sees it, from before the first entry on.

    Raises `TranscriptError` where `replay` does, after the moments before it.
    """
    game = transcript.game
    yield Frame(0, (), game.observe(game.start(transcript.options), seat))
    for ply, (state, events) in enumerate(_steps(transcript), 1):
        yield Frame(ply, events, game.observe(state, seat))


def _steps(transcript: Transcript, deals: Deals | None = None) -> Iterator[Step[Any]]:
    """What each entry leads to, checked against ``deals`` where they are given; then the outcome is checked."""
    state = transcript.game.start(transcript.options)
    dealt = 0
    for number, entry in enumerate(transcript.entries):
        stream = deals(dealt) if deals and entry.seat is CHANCE else None
        try:
            step = _step(transcript, state, number, stream)
        except PlayError as fault:
            raise TranscriptError(f"entry {number}", fault.sentence) from None
        dealt += entry.seat is CHANCE
        state = step.state
        yield step
    if transcript.fault is not None:
        raise transcript.fault
    _check_outcome(transcript.outcome, transcript.game.outcome(state))


def _step(transcript: Transcript, state: Any, number: int, stream: Stream | None) -> Step[Any]:
    game, entry = transcript.game, transcript.entries[number]
    if state.outcome is not None:
        raise IllegalMove("The game was over before this entry.", "G-11")
    if not entry.move.isprintable():  # a sentence that quotes it shall stay on its line
        raise InvalidMove(f"{entry.move!r} is no move.", "G-04")
    if stream and CHANCE in game.to_act(state) and entry.move != (dealt := str(game.chance(state, stream))):
        raise IllegalMove(f"The seed and the cuts give {dealt}.", "G-12")
    if entry.seat is not CHANCE and number in transcript.legal:
        _check_legal(transcript.legal[number], tuple(map(str, game.legal(state, entry.seat))))
    move = game.parse(entry.move)
    if str(move) != entry.move:
        raise InvalidMove(f"{entry.move!r} is written {str(move)!r}.", "G-04")
    return game.apply(state, entry.seat, move)


def _check_legal(given: tuple[str, ...], legal: tuple[str, ...]) -> None:
    if missing := sorted(set(legal).difference(given)):
        raise IllegalMove(f"The list of legal moves lacks {', '.join(missing)}.", "G-04")
    if wrong := sorted(set(given).difference(legal)):
        raise IllegalMove(f"The list of legal moves holds {', '.join(map(repr, wrong))}, which is not legal.", "G-04")
    if given != legal:
        raise IllegalMove("The list of legal moves is not sorted as text, or holds a move twice.", "G-04")


def _check_outcome(given: Outcome | None, outcome: Outcome | None) -> None:
    if given == outcome:
        return
    if outcome is None:
        raise TranscriptError("outcome", "The game is not over, so there is none. (G-11)")
    if given is None:
        raise TranscriptError("outcome", f"The game is over: {outcome.reason}. (G-11)")
    differences = [
        f"{name} {is_given!r} should be {should_be!r}"
        for name, is_given, should_be in (
            ("scores", list(given.scores), list(outcome.scores)),
            ("places", list(given.places), list(outcome.places)),
            ("reason", given.reason, outcome.reason),
        )
        if is_given != should_be
    ]
    raise TranscriptError("outcome", f"{'; '.join(differences)}.")


def _deals(transcript: Transcript) -> Deals:
    """The chance that the transcript's ``fairness`` publishes."""
    fairness = transcript.fairness
    if fairness is None:
        raise TranscriptError("fairness", "There is none, so nothing can be verified. (G-13)")
    if isinstance(fairness, TranscriptError):
        raise fairness
    if fairness.seed is None:
        raise TranscriptError("fairness", "The seed is not published, so nothing can be verified. (G-13)")
    if not HEX.fullmatch(fairness.seed):
        raise TranscriptError("fairness", "The seed is not 64 lower-case hex digits. (G-12)")
    seed = bytes.fromhex(fairness.seed)
    if fairness.commitment != commitment(seed):
        raise TranscriptError("fairness", f"The commitment of this seed is {commitment(seed)}. (G-12)")
    if len(fairness.cuts) != len(transcript.seats):
        raise TranscriptError("fairness", "There is not one cut per seat. (G-12)")
    for problem in filter(None, map(cut_problem, fairness.cuts)):
        raise TranscriptError("fairness", problem)
    return Deals(seed, fairness.cuts)


# ---- writing


def write(transcript: Transcript) -> str:
    """The transcript as JSON on one line, without the line's end."""
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
    if isinstance(fairness, Fairness):
        thing["fairness"] = {"commitment": fairness.commitment, "seed": fairness.seed, "cuts": fairness.cuts}
    return json.dumps(thing, ensure_ascii=False)


def _written(entry: Entry, legal: tuple[str, ...] | None) -> dict[str, object]:
    thing: dict[str, object] = {"seat": entry.seat, "move": entry.move}
    return thing if legal is None else thing | {"legal": legal}


# ---- reading


def objects(lines: Iterable[bytes]) -> Iterator[Mapping[str, object]]:
    """The JSON objects of a file: one a line, or a single one over all lines.

    Raises `TranscriptError` at a line that is none, and for a file without any line.
    """
    rest = iter(lines)
    number = 0
    for number, line in enumerate(rest, 1):
        thing = _decoded(line)
        if thing is None and number == 1 and line.strip():
            thing = _decoded(line + b"".join(rest))
        if thing is None:
            raise TranscriptError(f"line {number}", "This is no JSON object. (G-13)")
        yield thing
    if number == 0:
        raise TranscriptError("line 1", "The file holds no transcript. (G-13)")


def _decoded(line: bytes) -> dict[str, object] | None:
    try:
        thing = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return thing if isinstance(thing, dict) else None


def read(thing: Mapping[str, object]) -> Transcript:
    """The transcript that a JSON object is. Unknown keys are ignored (G-05). Raises `TranscriptError`.

    The entries have still to be folded, by `replay` or `verify`, which also come to the first of them, or the outcome,
    that is none: so the fault that is named is the first there is.
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
    outcome = ended = fault = None
    try:
        for number, each in enumerate(written):
            entry = _entry(each, f"entry {number}", len(seats))
            if entry.seat is not CHANCE and "legal" in each:
                legal[number] = _texts(each["legal"], f"entry {number}", "legal")
            entries.append(entry)
        outcome = _outcome(thing)
        ended = _ended(thing, outcome)
    except TranscriptError as found:
        fault = found
    fairness = _fairness(thing.get("fairness"))
    return Transcript(game, options, seats, tuple(entries), outcome, fairness, legal, fault, ended)


def _game(thing: Mapping[str, object]) -> AnyGame:
    if thing.get("format") != FORMAT:
        raise TranscriptError("options", f"format is not {FORMAT!r}.")
    key, rules = thing.get("game"), thing.get("rules")
    if not isinstance(key, str) or key not in GAMES:
        raise TranscriptError("options", f"game is {key!r}; it is one of {', '.join(GAMES)}.")
    if type(rules) is not int:
        raise TranscriptError("options", f"rules is {rules!r}, no whole number. (G-05)")
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
    except InvalidOption as fault:
        raise TranscriptError("options", fault.sentence) from None
    for key, value in settled.items():
        if type(given[key]) is not type(value):
            raise TranscriptError("options", f"{key} is {given[key]!r}; as JSON it is {json.dumps(value)}. (G-05)")
    return settled


def _entry(thing: object, where: str, seats: int) -> Entry:
    if not isinstance(thing, dict):
        raise TranscriptError(where, "It is no JSON object. (G-05)")
    if "seat" not in thing:
        raise TranscriptError(where, "It has no seat; chance is null. (G-05)")
    move = thing.get("move")
    if not isinstance(move, str):
        raise TranscriptError(where, f"move is {move!r}, no text. (G-05)")
    return Entry(_seat(thing["seat"], where, seats), move)


def _seat(seat: object, where: str, seats: int) -> Actor:
    if seat is CHANCE or (type(seat) is int and 0 <= seat < seats):
        return seat
    raise TranscriptError(where, f"seat is {seat!r}; it is null or a number from 0 to {seats - 1}. (G-05)")


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
        raise TranscriptError("outcome", f"reason is {reason!r}, no text. (G-05)")
    return Outcome(scores, places, reason)


def _ended(thing: Mapping[str, object], outcome: Outcome | None) -> Ended | None:
    given = thing.get("ended")
    if given is None:
        return None
    ended = next((known for known in ENDINGS if known == given), None)
    if ended is None:
        raise TranscriptError("outcome", f"ended is {given!r}; it is one of {', '.join(ENDINGS)}. (G-11)")
    if outcome is not None:
        raise TranscriptError("outcome", f"The table ended outside the rules ({ended}), so there is none. (G-11)")
    return ended


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
    except TranscriptError as fault:
        return fault


def _texts(value: object, where: str, name: str) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return tuple(value)
    raise TranscriptError(where, f"{name} is no list of texts. (G-05)")


def _numbers(value: object, name: str) -> tuple[int, ...]:
    if isinstance(value, list) and all(type(number) is int for number in value):
        return tuple(value)
    raise TranscriptError("outcome", f"{name} is no list of whole numbers. (G-05)")
