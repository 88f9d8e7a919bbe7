"""What espeak-ng says: the free voice that most people hear. It is for development only."""

import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Final

import pytest

needs_voice: Final = pytest.mark.skipif(not shutil.which("espeak-ng"), reason="needs espeak-ng (Debian: espeak-ng)")
_MARKER: Final = "zzzz"
"""Between two texts: a line of its own, as voices pause at commas, too."""
_MARKUP: Final = re.compile(r"\*\*|\\|^(?:-#|#+) |<[^>\s]+>|\]\([^)]*\)", re.MULTILINE)
"""What Discord doesn't show."""
_STRESS: Final = re.compile(r"[ˈˌ]|\([a-z-]+\)")
"""Stress, and changes to another language's sounds."""


def sounds(texts: Iterable[str], language: str) -> Mapping[str, str]:
    """Return how each text sounds in a language, in phonemes without pauses. One process says all."""
    every = [*dict.fromkeys(texts)]
    script = f"{_MARKER}\n\n" + "".join(f"{_MARKUP.sub('', text)}\n\n{_MARKER}\n\n" for text in every)
    command = ["espeak-ng", "-q", "-x", "--ipa", "-v", language.lower(), "--stdin"]
    said = subprocess.run(command, input=script, capture_output=True, text=True, check=True).stdout  # noqa: S603
    lines = [" ".join(_STRESS.sub("", line).split()) for line in said.splitlines()]
    starts = [at for at, line in enumerate(lines) if line == lines[0]]
    heard = [" ".join(lines[start + 1 : end]) for start, end in pairwise(starts)]
    assert len(heard) == len(every), "texts and what was said don't match"
    return dict(zip(every, heard, strict=True))
