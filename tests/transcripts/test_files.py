"""Files of transcripts, and golden transcripts."""

import json
from pathlib import Path

import pytest

from bot import transcript
from bot.cli import selfplay
from bot.cli.selfplay import Plan
from bot.errors import LilypadError, TranscriptError
from bot.games import GAMES
from tests.commands import ROOT

GOLDEN = sorted((ROOT / "tests/golden").glob("*.jsonl"))

# ---- files


def test_a_file_has_one_object_per_line_or_one_in_all() -> None:
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
def test_a_line_that_is_not_an_object_is_found(lines: list[bytes], where: str) -> None:
    with pytest.raises(LilypadError) as caught:
        list(transcript.objects(lines))
    assert isinstance(caught.value, TranscriptError)
    assert caught.value.where == where


# ---- the golden transcripts


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_transcripts_can_be_verified(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    for line, thing in zip(lines, transcript.objects(lines), strict=True):
        played = transcript.read(thing)
        transcript.verify(played)
        assert transcript.write(played).encode() == line


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_transcripts_are_played_again_from_their_seeds(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    options = json.loads(lines[0])["options"]
    plan = Plan(json.loads(lines[0])["game"], options, path.stem, legal="legal" in lines[0])
    assert list(selfplay.lines(plan, len(lines))) == lines


def test_every_game_has_a_golden_transcript() -> None:
    assert {json.loads(path.read_text(encoding="utf-8").splitlines()[0])["game"] for path in GOLDEN} == set(GAMES)
