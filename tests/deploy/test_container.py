"""The container's read-only root, and what its image is built from."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import DEADLINE_S
from tests.wire.bot_process import ROOT

READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,bind,ro / && shift && exec "$@"'
"""Make everything read-only but a directory, and execute a command. It runs in a namespace of its own."""
WORK = """
import math, tempfile
from bot.worker_processes import Worker, starts

try:
    tempfile.gettempdir()
except FileNotFoundError:
    worker = Worker("test", 2**30)
    print(worker.run(math.sqrt, 9), starts.refused)
    worker.end()
"""


@pytest.mark.skipif(not (shutil.which("unshare") and os.geteuid() == 0), reason="only root may mount")
def test_workers_start_without_a_directory_for_temporary_files(tmp_path: Path) -> None:
    command = ["unshare", "--mount", "sh", "-c", READ_ONLY, "sh", str(tmp_path), sys.executable, "-c", WORK]
    ended = subprocess.run(  # noqa: S603 - a constant
        command, cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    assert (ended.stdout, ended.stderr) == ("3.0 None\n", "")


def test_the_build_may_read_what_it_copies() -> None:
    patterns = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    shown = {path for each in patterns if each.startswith("!") for path in ROOT.glob(each[1:])}
    dockerfile = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
    copied = re.findall(r"^COPY (\S+)", dockerfile, re.MULTILINE)
    assert copied
    for source in copied:
        assert set(ROOT.glob(source.replace("${LOCK}", "*"))) <= shown


def test_the_base_image_and_the_actions_are_pinned() -> None:
    dockerfile = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
    assert re.findall(r"^FROM \S+@sha256:[0-9a-f]{64}$", dockerfile, re.MULTILINE)
    used = re.findall(r"uses: (\S+)", (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    assert used
    assert all(re.search(r"@[0-9a-f]{40}$", each) for each in used)
