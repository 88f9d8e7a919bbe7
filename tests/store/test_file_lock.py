"""The lock that keeps a second bot off an SQLite file."""

import errno
import os
from pathlib import Path

import pytest

from bot.errors import AlreadyRunning, StoreError
from bot.store.open_store import backup
from bot.store.sqlite import SqliteStore
from bot.store.sqlite.file_lock import FileLock
from tests.commands import ended, kill, locked_elsewhere, python
from tests.store.lilypads import opened

WITH_CHILDREN = """
import os, subprocess, sys, threading
from pathlib import Path
from bot.store.sqlite.file_lock import FileLock
from bot.worker_processes import Worker
if __name__ == "__main__":
    lock = FileLock(Path(sys.argv[1]))
    worker = Worker("worker", 1 << 30)
    pids = [worker.run(os.getpid), subprocess.Popen(["sleep", "600"], close_fds=False).pid, os.fork()]
    if not pids[-1]:
        threading.Event().wait()
    print(*pids, flush=True)
    threading.Event().wait()
"""


def test_a_second_process_is_refused_until_the_first_one_is_killed(path: Path) -> None:
    with locked_elsewhere(path) as first:
        with pytest.raises(AlreadyRunning, match=r"^A bot is running on the database pond\.db; stop it first\.$"):
            FileLock(path)
        kill(first)
        ended(first)
        FileLock(path).release()


def test_a_link_to_the_file_has_the_same_lock(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with locked_elsewhere(path), pytest.raises(AlreadyRunning):
        FileLock(link)


def test_children_of_a_killed_process_do_not_have_its_lock(path: Path, tmp_path: Path) -> None:
    script = tmp_path / "with_children.py"
    script.write_text(WITH_CHILDREN)
    process = python(str(script), str(path))
    assert process.stdout is not None
    worker, *others = map(int, process.stdout.readline().split())
    try:
        with pytest.raises(AlreadyRunning):
            FileLock(path)
        inherited = [each.readlink() for each in Path(f"/proc/{worker}/fd").iterdir()]
        assert Path(f"{path}.lock") not in inherited
        process.kill()
        process.wait()
        FileLock(path).release()
        for child in others:
            os.kill(child, 0)  # it still runs
    finally:
        os.killpg(process.pid, 9)
        ended(process)


def test_files_that_cannot_be_locked_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.lockf", fail)
    with pytest.raises(
        StoreError, match=r"can't be locked \(No locks available\); put the database on a local disk\.$"
    ):
        FileLock(path)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may open every file")
def test_a_lock_file_of_another_user_is_named(path: Path) -> None:
    lock = path.with_name("pond.db.lock")
    lock.touch(0o000)
    with pytest.raises(StoreError, match=r"pond\.db\.lock can't be opened: Permission denied\.$"):
        FileLock(path)


async def test_other_programs_use_the_database_of_a_running_bot(path: Path, tmp_path: Path) -> None:
    with locked_elsewhere(path):
        async with await SqliteStore.open(path) as store:
            table = await opened(store)
            await backup(path, tmp_path / "copy.db")
            assert await store.table(table.id) == table
            with pytest.raises(AlreadyRunning):
                store.database.occupy()


async def test_a_closed_database_can_be_occupied_again(path: Path) -> None:
    for _ in range(2):
        async with await SqliteStore.open(path) as store:
            assert store.database.occupy()
    assert path.with_name("pond.db.lock").stat().st_mode & 0o777 == 0o600
