"""Check transcripts: replay the game, and verify its deals. Whole files are checked by other processes."""

import io
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from bot.errors import IllegalMove, InvalidMove, PlayError, TranscriptError, Unverifiable, quoted
from bot.fairness import Deals, Stream, commitment, cut_problem
from bot.games.game import CHANCE, COUNTED, Outcome, Step
from bot.transcript.json_format import Fairness, Transcript, objects, read

MAX_GAMES: Final = 50
"""Maximum number of games in a file."""
_LONGEST_MOVE: Final = 1_000
"""Maximum length of a move; the longest deal has about 150 characters."""
_HEX: Final = re.compile("[0-9a-f]{64}")


def replay(transcript: Transcript, deals: Deals | None = None) -> None:
    """Play the game again. Raise `TranscriptError` at the first illegal entry, wrong list of legal moves or outcome.

    With ``deals``, every chance entry has to come from them.
    """
    state = transcript.game.start(transcript.options)
    dealt = 0
    for number, entry in enumerate(transcript.entries):
        stream = deals(dealt) if deals and entry.seat is CHANCE else None
        try:
            state = _step(transcript, state, number, stream).state
        except PlayError as error:
            why = (
                error.sentence.replace(entry.move, f"{entry.move[:100]}…") if len(entry.move) > 100 else error.sentence
            )
            raise TranscriptError(f"entry {number}", why) from None
        dealt += entry.seat is CHANCE
    if transcript.malformed is not None:
        raise transcript.malformed
    _check_outcome(transcript.outcome, state.outcome)
    if transcript.standing is not None:
        _check_outcome(transcript.standing, transcript.game.stopped(state, COUNTED))


def verify(transcript: Transcript, commitment: str = "", cuts: Sequence[str] = ()) -> None:
    """Replay the game, and check that every chance entry comes from the seed and the cuts. Raise `TranscriptError`.

    ``commitment`` (or its beginning) and ``cuts`` are those that somebody remembers: the table has to have them, too.
    """
    deals = _deals(transcript)
    if isinstance(transcript.fairness, Fairness):
        _check_table(transcript.fairness, commitment, cuts)
    replay(transcript, deals)
    # Checked last, as errors are reported in the order of the file.
    if transcript.outcome is None and transcript.ended is None:
        raise TranscriptError("fairness", "The seed is published although the game is not over. (G-11)")


def _step(transcript: Transcript, state: Any, number: int, stream: Stream | None) -> Step[Any]:
    game, entry = transcript.game, transcript.entries[number]
    if state.outcome is not None:
        raise IllegalMove("The game was over before this entry.", "G-11")
    if not entry.move.isprintable() or len(entry.move) > _LONGEST_MOVE:  # error messages quote it on one line
        raise InvalidMove(f"{quoted(entry.move)} is no move.", "G-04")
    if stream and CHANCE in game.to_act(state) and entry.move != (dealt := str(game.chance(state, stream))):
        raise IllegalMove(f"The seed and the cuts give {dealt}.", "G-12")
    if entry.seat is not CHANCE and number in transcript.legal:
        _check_legal(transcript.legal[number], tuple(map(str, game.legal(state, entry.seat))))
    move = game.parse(entry.move)
    if str(move) != entry.move:
        raise InvalidMove(f"{quoted(entry.move)} is written {quoted(str(move))}.", "G-04")
    return game.apply(state, entry.seat, move)


def _check_legal(given: tuple[str, ...], legal: tuple[str, ...]) -> None:
    if missing := sorted(set(legal).difference(given)):
        raise IllegalMove(f"The list of legal moves lacks {', '.join(missing)}.", "G-04")
    if wrong := sorted(set(given).difference(legal)):
        raise IllegalMove(f"The list of legal moves holds {quoted(wrong[0])}, which is not legal.", "G-04")
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
        f"{name} {quoted(is_given)} should be {quoted(should_be)}"
        for name, is_given, should_be in (
            ("scores", list(given.scores), list(outcome.scores)),
            ("places", list(given.places), list(outcome.places)),
            ("reason", given.reason, outcome.reason),
        )
        if is_given != should_be
    ]
    raise TranscriptError("outcome", f"{'; '.join(differences)}.")


def _check_table(fairness: Fairness, remembered: str, cuts: Sequence[str]) -> None:
    """Raise `TranscriptError` unless this is the table with the commitment and the cuts that somebody remembers."""
    if not fairness.commitment.startswith(remembered):
        why = f"The commitment doesn't begin with {remembered}"
    elif missing := Counter(cuts) - Counter(fairness.cuts):
        why = f"No cut is {quoted(next(iter(missing)))}"
    else:
        return
    raise TranscriptError("fairness", f"{why}, so this is another table. It has {proof(fairness)}. (G-12)")


def proof(fairness: Fairness) -> str:
    """Return the commitment and the cuts, which tell the table from any other."""
    return f"commitment {fairness.commitment}, cuts {', '.join(map(quoted, fairness.cuts))}"


def _deals(transcript: Transcript) -> Deals:
    """Return the deals of the published seed and cuts. Raise `TranscriptError` if they can't be verified."""
    fairness = transcript.fairness
    if fairness is None:
        raise Unverifiable("fairness", "There is none, so nothing can be verified. (G-13)")
    if isinstance(fairness, TranscriptError):
        raise fairness
    if fairness.seed is None:
        raise Unverifiable("fairness", "The seed is not published, so nothing can be verified. (G-13)")
    if not _HEX.fullmatch(fairness.seed):
        raise TranscriptError("fairness", "The seed is not 64 lower-case hex digits. (G-12)")
    seed = bytes.fromhex(fairness.seed)
    if fairness.commitment != commitment(seed):
        raise TranscriptError("fairness", f"The commitment of this seed is {commitment(seed)}. (G-12)")
    if len(fairness.cuts) != len(transcript.seats):
        raise TranscriptError("fairness", "There is not one cut per seat. (G-12)")
    for problem in filter(None, map(cut_problem, fairness.cuts)):
        raise TranscriptError("fairness", problem.sentence)
    return Deals(seed, fairness.cuts)


# ---- files


class Verified(NamedTuple):
    """What a file holds, all of which is right: of its games, ``results`` have one.

    ``commitment`` is that of the last game.
    """

    games: int
    results: int
    deals: int
    moves: int
    commitment: str


class Refuted(NamedTuple):
    """The first error in a file: the number of the game, and the parts of the `TranscriptError`.

    ``is_false`` is false if the game only lacks what could prove its deals.
    """

    game: int
    where: str
    why: str
    is_false: bool = True


def check(content: bytes, commitment: str) -> Verified | Refuted | None:
    """Verify all games of a file, with the commitment that their table showed; empty if there is none.

    ``None`` means that it has too many games. This takes up to some seconds.
    """
    found = Verified(0, 0, 0, 0, "")
    try:
        for thing in objects(io.BytesIO(content)):
            if found.games == MAX_GAMES:
                return None
            transcript = read(thing)
            verify(transcript, commitment)
            found = _with(found, transcript)
    except TranscriptError as error:
        return Refuted(found.games + 1, error.where, error.why, not isinstance(error, Unverifiable))
    return found


def _with(found: Verified, transcript: Transcript) -> Verified:
    deals = sum(entry.seat is CHANCE for entry in transcript.entries)
    shown = transcript.fairness.commitment if isinstance(transcript.fairness, Fairness) else ""
    moves, has_result = len(transcript.entries) - deals, (transcript.outcome or transcript.standing) is not None
    return Verified(found.games + 1, found.results + has_result, found.deals + deals, found.moves + moves, shown)
