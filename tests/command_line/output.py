"""Run the command line in this process, and read what it prints."""

import pytest

from bot.__main__ import main
from tests.commands import ROOT

GOLDEN = ROOT / "tests/golden/pond-two.jsonl"
Output = pytest.CaptureFixture[str]


def error_line(output: Output, *arguments: str, expected: int = 2) -> str:
    """Run a command that is refused with this status, and return its only line."""
    try:
        status = main(arguments)
    except SystemExit as end:
        status = end.code  # type: ignore[assignment]  # argparse's is a number
    printed = output.readouterr()
    assert (status, printed.out) == (expected, "")
    (line,) = printed.err.splitlines()
    return line


def printed_lines(output: Output, *arguments: str, status: int = 0) -> list[str]:
    """Run a command, and return what it prints."""
    assert main(arguments) == status
    return output.readouterr().out.splitlines()
