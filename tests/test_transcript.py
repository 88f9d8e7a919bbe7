"""Transcripts: what is written can be read, folded and verified, and whatever is changed in one is found."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot import selfplay, transcript
from bot.errors import LilypadError, TranscriptError
from bot.games import GAMES
from bot.games.game import CHANCE, Entry
from bot.selfplay import Plan

Thing = dict[str, Any]
"""A transcript as JSON, to be spoilt."""

Check = Callable[[transcript.Transcript], None]

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))
OPTIONS = {"pot_black": {"deals": 5}}
"""What keeps a game short, as each of its entries is spoilt in turn."""
every_game = pytest.mark.parametrize("key", GAMES)
every_check = pytest.mark.parametrize("check", [transcript.replay, transcript.verify])


def _line(key: str = "pond", number: int = 0, *, legal: bool = True) -> str:
    options = GAMES[key].settle(OPTIONS.get(key, {}))
    return transcript.write(selfplay.play(Plan(key, options, "transcripts", legal=legal), number))


def _thing(key: str = "pond", number: int = 0) -> Thing:
    thing: Thing = json.loads(_line(key, number))
    return thing


def _checked(thing: Thing, check: Check = transcript.replay) -> str:
    """Where the fault is; empty if there is none. Only the error made for it may come, with a sentence on one line."""
    try:
        check(transcript.read(json.loads(json.dumps(thing))))
    except TranscriptError as caught:
        fault = caught
    else:
        return ""
    assert fault.why.endswith((".", ")"))
    assert "\n" not in fault.sentence
    return fault.where


def _unfinished(thing: Thing, entries: int) -> Thing:
    thing["entries"] = thing["entries"][:entries]
    thing["outcome"] = None
    thing["fairness"]["seed"] = None
    return thing


# ---- the form


@every_game
def test_what_is_written_is_read_again_to_the_letter(key: str) -> None:
    line = _line(key)
    assert "\n" not in line
    assert transcript.write(transcript.read(json.loads(line))) == line


def test_the_keys_are_in_the_order_of_the_notation() -> None:
    thing = _thing()
    assert list(thing) == ["format", "game", "rules", "options", "seats", "entries", "outcome", "fairness"]
    assert list(thing["outcome"]) == ["scores", "places", "reason"]
    assert list(thing["fairness"]) == ["commitment", "seed", "cuts"]
    assert list(thing["entries"][-1]) == ["seat", "move", "legal"]
    assert list(thing["options"]) == [option.key for option in GAMES["pond"].options]


def test_names_are_written_as_they_are() -> None:
    thing = _thing()
    thing["seats"] = ["Åsa 🐸", 'Ben "B"']
    assert '"seats": ["Åsa 🐸", "Ben \\"B\\""]' in transcript.write(transcript.read(thing))


def test_unknown_keys_are_ignored() -> None:
    thing = _thing()
    thing["comment"] = {"by": "Ann"}
    thing["entries"][3]["clock"] = 1.5
    thing["outcome"]["note"] = None
    thing["fairness"]["note"] = []
    assert _checked(thing, transcript.verify) == ""


@every_game
@every_check
def test_a_game_as_it_was_played_has_no_fault(key: str, check: Check) -> None:
    for number in range(3):
        assert _checked(_thing(key, number), check) == ""


@every_game
def test_an_unfinished_game_may_end_after_any_entry(key: str) -> None:
    for entries in (0, 1, 2, 3, 7):
        assert _checked(_unfinished(_thing(key), entries)) == ""


@every_game
def test_a_game_is_stepped_through_as_a_seat_sees_it(key: str) -> None:
    played = transcript.read(_thing(key))
    seen = list(transcript.frames(played, 1))
    assert [frame.ply for frame in seen] == list(range(len(played.entries) + 1))
    assert {frame.observation.seat for frame in seen} == {1}
    assert seen[-1].observation.outcome == played.outcome
    assert all(frame.observation.outcome is None for frame in seen[:-1])
    assert next(transcript.frames(played, None)).observation.to_act == {CHANCE}


# ---- what is settled before the first entry


def _without(key: str) -> Callable[[Thing], object]:
    return lambda thing: thing.pop(key)


def _with(**changes: object) -> Callable[[Thing], object]:
    return lambda thing: thing.update(changes)


def _option(**changes: object) -> Callable[[Thing], object]:
    return lambda thing: thing["options"].update(changes)


@pytest.mark.parametrize(
    "spoil",
    [
        *map(_without, ["format", "game", "rules", "options", "seats", "entries"]),
        _with(format="transcript/2"),
        _with(format=1),
        _with(game="poker"),
        _with(game=["pond"]),
        _with(game=None),
        _with(rules=2),
        _with(rules=True),
        _with(rules=1.0),
        _with(rules="1"),
        _with(options=[]),
        _with(options={}),
        _with(seats=["Ann"]),
        _with(seats=["Ann", "Ben", "Cleo"]),
        _with(seats=["Ann", ""]),
        _with(seats=["Ann", 1]),
        _with(seats="AB"),
        _with(entries={}),
        _with(entries=None),
        lambda thing: thing["options"].pop("tie"),
        _option(tie="last"),
        _option(tie=None),
        _option(tie=["leader"]),
        _option(colour="green"),
        _option(players="2"),
        _option(players=2.0),
        _option(players=3),
        _option(players=4),
        _option(rounds=True),
        _option(rounds=10**300),
    ],
)
def test_a_fault_before_the_first_entry_is_found(spoil: Callable[[Thing], object]) -> None:
    thing = _thing()
    spoil(thing)
    assert _checked(thing) == "options"


# ---- entries


def test_an_unknown_number_of_rules_is_named() -> None:
    with pytest.raises(TranscriptError, match="played by rules 2 of pond; known here: 1"):
        transcript.read(_thing() | {"rules": 2})


def _entry(**changes: object) -> Callable[[Thing], object]:
    return lambda entry: entry.update(changes)


@pytest.mark.parametrize(
    "spoil",
    [
        _without("seat"),
        _without("move"),
        _entry(seat=True),
        _entry(seat=False),
        _entry(seat=-1),
        _entry(seat=2),
        _entry(seat=0.0),
        _entry(seat="0"),
        _entry(seat=[0]),
        _entry(seat=None),
        _entry(move=None),
        _entry(move=7),
        _entry(move=["play"]),
        _entry(move=""),
        _entry(move="resign now"),
        _entry(move="dealer 0"),
        _entry(move="nonsense\nwith a line break"),
        _entry(legal=None),
        _entry(legal="resign"),
        _entry(legal=[]),
        _entry(legal=[1]),
        lambda entry: entry["legal"].append("resign"),
        lambda entry: entry["legal"].append(entry["legal"][-1]),
        lambda entry: entry["legal"].pop(0),
        lambda entry: entry.update(move=f"{entry['move']} "),
        lambda entry: entry.update(move=f" {entry['move']}"),
        lambda entry: entry.update(move=f"{entry['move']}\n"),
        lambda entry: entry.update(move=entry["move"].replace(" ", "  ")),
        lambda entry: entry.update(move=entry["move"].replace(" ", "\t")),
        lambda entry: entry.update(move=entry["move"].replace(" ", "\u00a0")),
        lambda entry: entry.update(move=entry["move"].upper()),
        lambda entry: entry.update(move=entry["move"].swapcase()),
        lambda entry: entry.update(move=entry["move"].capitalize()),
        lambda entry: entry.update(move=f"{entry['move']} {entry['move'].split()[-1]}"),
        lambda entry: entry.update(move=entry["move"].split()[0]),
    ],
)
@every_game
@every_check
def test_a_fault_in_an_entry_is_found_at_that_entry(key: str, spoil: Callable[[Thing], object], check: Check) -> None:
    thing = _thing(key)
    number = next(
        number
        for number, entry in enumerate(thing["entries"])
        if number > 3 and len(entry.get("legal", ())) > 1 and " " in entry["move"] and entry["seat"] == 1
    )
    spoil(thing["entries"][number])
    assert _checked(thing, check) == f"entry {number}"


@every_game
@every_check
def test_an_entry_that_is_no_object_is_found(key: str, check: Check) -> None:
    thing = _thing(key)
    thing["entries"][2] = [0, "pass"]
    assert _checked(thing, check) == "entry 2"


@every_game
def test_a_move_that_is_not_legal_is_found_wherever_it_stands(key: str) -> None:
    thing = _thing(key)
    texts = sorted({entry["move"] for entry in thing["entries"] if entry["seat"] is not None})
    for number, entry in enumerate(thing["entries"]):
        wrong = [text for text in texts if text not in entry.get("legal", ())][:3]
        for text in wrong:
            spoilt = {**thing, "entries": [*thing["entries"][:number], {"seat": entry["seat"], "move": text}]}
            assert _checked(spoilt) == f"entry {number}"


@every_game
def test_an_entry_of_chance_where_none_is_due_is_found(key: str) -> None:
    thing = _thing(key)
    chance = [entry for entry in thing["entries"] if entry["seat"] is None]
    for number in (3, len(thing["entries"]) // 2, len(thing["entries"]) - 1):
        if thing["entries"][number]["seat"] is not None:
            for entry in chance:
                assert _checked({**thing, "entries": [*thing["entries"][:number], entry]}) == f"entry {number}"


@every_game
def test_a_seat_may_not_write_where_chance_is_due(key: str) -> None:
    thing = _thing(key)
    for number, entry in enumerate(thing["entries"]):
        if entry["seat"] is None:
            for move in (entry["move"], thing["entries"][-1]["move"], "resign"):
                spoilt = {**thing, "entries": [*thing["entries"][:number], {"seat": 0, "move": move}]}
                assert _checked(spoilt) == f"entry {number}"


def _wrong_hands(word: str, value: str) -> Iterator[str]:
    """A card short, one too many, one twice, one turned into a joker, one from another hand."""
    if word == "deal":
        yield f"deal {value[2:]}"
        yield f"deal {value[:2]}{value}"
        yield f"deal {value[2:4]}{value[2:]}"
        yield f"deal XX{value[2:]}"
        yield f"deal {value.replace('/', '', 1)}"


@every_game
def test_a_deal_that_is_no_deal_is_found(key: str) -> None:
    thing = _thing(key)
    for number, entry in enumerate(thing["entries"]):
        if entry["seat"] is None:
            text: str = entry["move"]
            word, value = text.split()
            for wrong in (
                word,
                f"{word} ",
                f"{word} 99",
                f"{word} -1",
                f"{word} 00",
                f"{word} ٠",
                f"{text}/",
                f"{text}+",
                f"{word} /{value}",
                text[:-1],
                text.swapcase(),
                f"{word} {value.replace('/', '')}/",
                f"{word} {value}X",
                *_wrong_hands(word, value),
            ):
                spoilt = {**thing, "entries": [*thing["entries"][:number], {"seat": None, "move": wrong}]}
                assert _checked(spoilt) == f"entry {number}", wrong


@every_game
def test_after_the_last_entry_follows_none(key: str) -> None:
    thing = _thing(key)
    number = len(thing["entries"])
    for last in (thing["entries"][-1], thing["entries"][0], {"seat": 0, "move": "resign"}):
        assert _checked({**thing, "entries": [*thing["entries"], last]}) == f"entry {number}"


@every_game
def test_an_entry_that_is_left_out_or_doubled_is_found(key: str) -> None:
    thing = _thing(key)
    for number in range(len(thing["entries"])):
        left_out, doubled = copy.deepcopy(thing), copy.deepcopy(thing)
        del left_out["entries"][number]
        doubled["entries"].insert(number, doubled["entries"][number])
        assert _checked(left_out)
        assert _checked(doubled)


# ---- the outcome


def _outcome(**changes: object) -> Callable[[Thing], object]:
    return lambda thing: thing["outcome"].update(changes)


@pytest.mark.parametrize(
    "spoil",
    [
        _without("outcome"),
        _with(outcome=None),
        _with(outcome=[]),
        _with(outcome={}),
        _with(outcome=False),
        _outcome(scores=None),
        _outcome(places="12"),
        _outcome(reason=None),
        _outcome(reason="because"),
        _outcome(places=[1, 1]),
        _outcome(places=[True, 2]),
        lambda thing: thing["outcome"]["scores"].append(0),
        lambda thing: thing["outcome"]["scores"].pop(),
        lambda thing: thing["outcome"]["places"].append(1),
        lambda thing: thing["outcome"]["scores"].__setitem__(0, float(thing["outcome"]["scores"][0])),
        lambda thing: thing["outcome"]["scores"].__setitem__(0, thing["outcome"]["scores"][0] + 1),
        lambda thing: thing["outcome"].pop("reason"),
    ],
)
@every_check
def test_a_fault_in_the_outcome_is_found(spoil: Callable[[Thing], object], check: Check) -> None:
    thing = _thing()
    spoil(thing)
    assert _checked(thing, check) == "outcome"


@every_game
def test_an_outcome_before_the_end_is_found(key: str) -> None:
    thing = _thing(key)
    thing["entries"].pop()
    assert _checked(thing) == "outcome"


# ---- tables that ended outside the rules


@every_game
@every_check
@pytest.mark.parametrize("ended", ["agreed", "closed", "abandoned"])
def test_a_table_that_ended_outside_the_rules_publishes_its_seed(key: str, check: Check, ended: str) -> None:
    thing = _thing(key) | {"outcome": None, "ended": ended}
    thing["entries"] = thing["entries"][:6]
    assert _checked(thing, check) == ""
    written = transcript.write(transcript.read(thing))
    assert json.loads(written)["ended"] == ended
    del thing["ended"]
    assert _checked(thing, transcript.verify) == "fairness"


@pytest.mark.parametrize(
    "spoil",
    [
        _with(ended="closed"),  # beside an outcome
        _with(ended="closed", outcome=None),  # after the entry that ended the game
        lambda thing: thing.update(ended="bored", outcome=None, entries=thing["entries"][:6]),
        lambda thing: thing.update(ended=["closed"], outcome=None, entries=thing["entries"][:6]),
    ],
)
@every_check
def test_an_ending_outside_the_rules_that_cannot_be_is_found(spoil: Callable[[Thing], object], check: Check) -> None:
    thing = _thing()
    spoil(thing)
    assert _checked(thing, check) == "outcome"


# ---- fairness


@every_game
def test_another_entry_of_chance_than_the_seed_gives_is_found(key: str) -> None:
    thing = _thing(key)
    other = _thing(key, 1)
    for number, entry in enumerate(thing["entries"]):
        if entry["seat"] is None:
            for text in {each["move"] for each in other["entries"] if each["seat"] is None} - {entry["move"]}:
                entries = [*thing["entries"][:number], {"seat": None, "move": text}]
                assert _checked({**thing, "entries": entries}, transcript.verify) == f"entry {number}"


def _fairness(**changes: object) -> Callable[[Thing], object]:
    return lambda thing: thing["fairness"].update(changes)


@pytest.mark.parametrize(
    "spoil",
    [
        _without("fairness"),
        _with(fairness=None),
        _with(fairness=[]),
        _fairness(seed=None),
        _fairness(seed=7),
        _fairness(seed="00" * 31),
        _fairness(seed="00" * 32),
        _fairness(commitment=None),
        _fairness(commitment="00" * 32),
        lambda thing: thing["fairness"].update(seed=thing["fairness"]["seed"].upper()),
        lambda thing: thing["fairness"].update(commitment=thing["fairness"]["commitment"].upper()),
        _fairness(cuts=None),
        _fairness(cuts=""),
        _fairness(cuts=[]),
        _fairness(cuts=["", "", ""]),
        _fairness(cuts=["", None]),
        _fairness(cuts=["a|b", ""]),
        _fairness(cuts=["", "a\nb"]),
        _fairness(cuts=["x" * 101, ""]),
        _with(outcome=None, entries=[]),
    ],
)
def test_fairness_that_proves_nothing_is_found(spoil: Callable[[Thing], object]) -> None:
    thing = _thing()
    spoil(thing)
    assert _checked(thing, transcript.verify) == "fairness"


def test_a_changed_cut_changes_the_deals() -> None:
    thing = _thing()
    thing["fairness"]["cuts"][0] += "!"
    assert _checked(thing, transcript.verify).startswith("entry ")


@pytest.mark.parametrize("given", [None, 5, [], {}, {"commitment": "", "seed": 7, "cuts": []}, {"cuts": [None]}])
def test_a_game_is_folded_whatever_its_fairness_is(given: object) -> None:
    assert _checked(_thing() | {"fairness": given}) == ""


def test_a_game_is_folded_without_its_fairness() -> None:
    thing = _thing()
    del thing["fairness"]
    assert _checked(thing) == ""


def test_of_several_faults_the_first_is_named() -> None:
    thing = _thing()
    thing["entries"][3]["move"] = "fly"
    thing["entries"][5] = None
    thing["outcome"] = []
    assert _checked(thing) == "entry 3"
    thing["entries"][3] = _thing()["entries"][3]
    assert _checked(thing) == "entry 5"
    thing["entries"][5] = _thing()["entries"][5]
    assert _checked(thing) == "outcome"


# ---- resigning


@every_game
def test_who_resigns_has_lost_with_two_sides_and_may_not_with_more(key: str) -> None:
    thing = _thing(key)
    game = GAMES[key]
    options = game.settle(OPTIONS.get(key, {}))
    sides = game.sides(options)
    entries = [*thing["entries"][:5], {"seat": 1, "move": "resign"}]
    spoilt: Thing = {**thing, "entries": entries, "outcome": None}
    if len(set(sides)) > 2:
        assert _checked(spoilt) == "entry 5"
        return
    assert _checked(spoilt) == "outcome"
    state = game.fold(options, [Entry(entry["seat"], entry["move"]) for entry in entries])
    spoilt["outcome"] = {
        "scores": list(state.outcome.scores),
        "places": [2 if side == sides[1] else 1 for side in sides],
        "reason": "resigned",
    }
    assert _checked(spoilt) == ""


# ---- files


def test_a_file_has_one_object_a_line_or_one_in_all() -> None:
    assert list(transcript.objects([b'{"a": 1}\n', b'{"b": 2}\r\n', b'{"c": 3}'])) == [{"a": 1}, {"b": 2}, {"c": 3}]
    assert list(transcript.objects([b"{\n", b' "a": 1\n', b"}\n"])) == [{"a": 1}]


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        ([], "line 1"),
        ([b"\n"], "line 1"),
        ([b"\n", b"{}\n"], "line 1"),
        ([b"{}\n", b"\n", b"{}\n"], "line 2"),
        ([b"{}\n", b"[]\n"], "line 2"),
        ([b"{}\n", b"null"], "line 2"),
        ([b"{}\n", b'{"a": 1'], "line 2"),
        ([b'{"a": "\xff"}\n'], "line 1"),
        ([b"\x00\x01\x02"], "line 1"),
        ([b"[" * 100_000], "line 1"),
        ([b'{"a": ' * 100_000], "line 1"),
    ],
)
def test_a_line_that_is_no_object_is_found(lines: list[bytes], where: str) -> None:
    with pytest.raises(LilypadError) as caught:
        list(transcript.objects(lines))
    assert isinstance(caught.value, TranscriptError)
    assert caught.value.where == where


# ---- the golden transcripts


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_transcript_is_still_a_game(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    for line, thing in zip(lines, transcript.objects(lines), strict=True):
        played = transcript.read(thing)
        transcript.verify(played)
        assert transcript.write(played).encode() == line


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_same_seed_plays_the_golden_transcript_again(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    options = json.loads(lines[0])["options"]
    plan = Plan(json.loads(lines[0])["game"], options, path.stem, legal="legal" in lines[0])
    assert list(selfplay.lines(plan, len(lines))) == lines


def test_every_game_has_a_golden_transcript() -> None:
    assert {json.loads(path.read_text(encoding="utf-8").splitlines()[0])["game"] for path in GOLDEN} == set(GAMES)
