"""What OPERATIONS tells hosts to type, typed literally."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.commands import DEADLINE_S, make_database
from tests.deploy.operations import commands, installed, publish
from tests.deploy.room import has_rooms, room

pytestmark = pytest.mark.skipif(
    not (has_rooms() and shutil.which("git") and shutil.which("sqlite3")),
    reason="needs root, who may mount, git and sqlite3",
)

MOVED = "mkdir ~/played\ncd ~/played\ncp -r /srv/repository/. .\ncp /srv/shared/lilypad.db .\n"
"""Shell commands that make the folder of a host who has played with `make run`."""
HELD = "stat --format '%U %a' /var/lib/lilypad/lilypad.db\n"
"""A shell command that prints owner and mode of the service's database."""


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A folder for a room, with a database for it."""
    (tmp_path / "shared").mkdir()
    await make_database(tmp_path / "shared/lilypad.db")
    return tmp_path


def typed(folder: Path, *parts: str) -> tuple[str, str]:
    """Run commands in a room. Return what they print to standard output and standard error."""
    command = room(folder, "\n".join(parts))
    ended = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False)  # noqa: S603 - our own
    assert ended.returncode == 0, ended.stderr
    return ended.stdout, ended.stderr


def test_the_tables_of_make_run_move_to_a_service_and_can_be_read(folder: Path) -> None:
    printed, told = typed(
        folder,
        installed(),
        MOVED,
        commands("Move the tables of `make run`"),
        HELD,
        commands("Commands for the service"),
        commands("Which games are being played? Was a deal fair?").replace("TABLE", "2"),
        commands("Traces in the file"),
    )
    assert printed.count("  pond  playing  Ann") == 2
    assert "lilypad 600\n" in printed
    assert "Database: /var/lib/lilypad/lilypad.db" in told
    assert "/opt/lilypad/lilypad.db" not in told + printed
    assert ".env sets" not in told


def test_a_copy_is_restored_and_survives_two_upgrades(folder: Path) -> None:
    printed, told = typed(
        folder,
        installed(),
        MOVED,
        commands("Move the tables of `make run`"),
        commands("Back up"),
        "sudo -u lilypad rm /var/lib/lilypad/lilypad.db\ncopy=$(basename /var/lib/lilypad/copy-*)\n",
        "sudo -u lilypad cp /dev/null /var/lib/lilypad/lilypad.db\n",
        commands("Restore").replace("/COPY\n", '/"$copy"\n'),
        HELD,
        "cd /srv/repository\nsed -i '1s/^/# newer\\n/' deploy/lilypad.service\n",
        publish("Improve it"),
        commands("Upgrade"),
        "head -1 /etc/systemd/system/lilypad.service\n",
        "sleep 1\n",  # the copy's name has the second
        commands("Upgrade"),
        commands("Commands for the service"),
        "git pull 2>&1 || true\n",
    )
    assert printed.count("Copied /var/lib/lilypad/lilypad.db to /var/lib/lilypad/copy-") == 3
    assert "lilypad 600\n" in printed
    assert "# newer\n" in printed
    assert printed.count("  pond  playing  Ann") == 1
    assert "dubious ownership" in printed, "git trusts root in another user's checkout: OPERATIONS says otherwise"
    assert "/opt/lilypad/lilypad.db" not in told + printed


def test_a_database_moves_to_another_one_and_what_is_left_of_it_is_saved(folder: Path) -> None:
    another = "sqlite:////var/lib/lilypad/another.db"
    printed, told = typed(
        folder,
        installed(),
        MOVED,
        commands("Move the tables of `make run`"),
        commands("Move to another database").replace("postgresql://lilypad@db.example/lilypad", another),
        f"sudo -u lilypad sed -i.old 's|^DATABASE_URL=.*|DATABASE_URL={another}|' .env\n",
        commands("Commands for the service"),
        "sudo -u lilypad mv .env.old .env\n",
        commands("The database is damaged"),
        HELD,
        commands("Commands for the service"),
    )
    assert "rows copied and checked" in printed
    assert printed.count("  pond  playing  Ann") == 2
    assert "Database: /var/lib/lilypad/another.db" in told
    assert "lilypad 600\n" in printed


def test_a_database_moves_to_another_machine(folder: Path) -> None:
    arrived = "cd ~\ncp /opt/lilypad/.env .\ncp /srv/shared/lilypad.db COPY\n"
    printed, _ = typed(
        folder, installed(), arrived, commands("Move to another machine"), commands("Commands for the service")
    )
    assert printed.count("  pond  playing  Ann") == 1
