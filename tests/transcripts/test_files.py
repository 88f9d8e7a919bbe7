"""Files of transcripts, and golden transcripts."""

import io
import json
import tracemalloc
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot import transcript
from bot.cli import selfplay
from bot.cli.selfplay import Plan
from bot.errors import LilypadError, TranscriptError, quoted
from bot.games import GAMES
from tests.commands import ROOT
from tests.doses import not_in_check

GOLDEN = sorted((ROOT / "tests/golden").glob("*.jsonl"))

# ---- files


def objects(*lines: bytes) -> list[Mapping[str, object]]:
    return list(transcript.objects(io.BytesIO(b"".join(lines))))


def test_a_file_has_one_object_per_line_or_one_in_all() -> None:
    assert list(objects(b'{"a": 1}\n', b'{"b": 2}\r\n', b'{"c": 3}')) == [{"a": 1}, {"b": 2}, {"c": 3}]
    assert list(objects(b"{\n", b' "a": 1\n', b"}\n")) == [{"a": 1}]


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
        objects(*lines)
    assert isinstance(caught.value, TranscriptError)
    assert caught.value.where == where


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "\n", "\r\n\r\n"])
def test_files_of_tools_on_windows_are_read(encoding: str, end: str, last: str) -> None:
    written = f'{{"a": "Frösche"}}{end}{{"b": 2}}{last}'
    assert objects(written.encode(encoding)) == [{"a": "Frösche"}, {"b": 2}]
    spread = f'{{{end} "a": 1{end}}}{last}'
    assert objects(spread.encode(encoding)) == [{"a": 1}]


@not_in_check
def test_a_long_line_is_not_read_to_its_end() -> None:
    """The memory that is used doesn't grow with the line."""
    for lines, where in (([b"{}\n", b"{" * 9_000_000], "line 2"), ([b"{\n", (b" " * 99 + b"\n") * 90_000], "line 1")):
        file = io.BytesIO(b"".join(lines))
        tracemalloc.start()
        try:
            with pytest.raises(TranscriptError) as caught:
                list(transcript.objects(file))
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert caught.value.where == where
        assert most < 200_000_000
    with pytest.raises(TranscriptError, match="line 1"):  # tracing 4 million lines would take a minute
        list(transcript.objects(io.BytesIO(b"{\n" + b"\n" * 9_000_000)))


def test_values_are_quoted_on_one_line_and_not_in_full() -> None:
    for value in ("x" * 5000, "\u202e\n\x1b[31m", list(range(5000)), {"x": "y" * 5000}):
        text = quoted(value)
        assert len(text) <= 103
        assert text.isprintable()


# ---- the golden transcripts


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_transcripts_can_be_verified(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    for line, thing in zip(lines, objects(path.read_bytes()), strict=True):
        played = transcript.read(thing)
        transcript.verify(played)
        assert transcript.write(played).encode() == line


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_transcripts_are_played_again_from_their_seeds(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    first = json.loads(lines[0])
    game = GAMES[first["game"]]
    plan = Plan(game.key, game.settle(first["options"]), path.stem, legal="legal" in lines[0])
    played = list(selfplay.lines(plan, len(lines)))
    if first["rules"] != game.rules:  # the newer rules of frogs have one option more, and its default changes nothing
        newer = [json.loads(line) for line in played]
        assert [each["options"].pop("first") for each in newer] == ["drawn"] * len(lines)
        assert [each | {"rules": 1} for each in newer] == [json.loads(line) for line in lines]
    else:
        assert played == lines


def test_every_game_has_a_golden_transcript() -> None:
    assert {json.loads(path.read_text(encoding="utf-8").splitlines()[0])["game"] for path in GOLDEN} == set(GAMES)
