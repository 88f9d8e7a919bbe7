"""The container's image, as nearly as it can be built and run without Docker.

The packages are those of the tests, and the rest of the system is this machine's.
"""

import argparse
import json
import re
import shlex
from pathlib import Path
from typing import Final

from tests.deploy.operations import commands
from tests.wire.bot_process import ROOT

_TEXT: Final = re.sub(r"^#.*\n|\\\n", "", (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
_INSTRUCTIONS: Final[list[tuple[str, str]]] = re.findall(r"^([A-Z]+) +(.*)$", _TEXT, re.MULTILINE)
_GIVEN: Final = dict(_INSTRUCTIONS)
_BEGIN: Final = """
PATH=/srv/venv/bin:$PATH
others=$(getent passwd 1000 | cut -d: -f1)
if [ "$others" ]; then userdel "$others"; fi
"""
_COPY: Final = """
mkdir -p "$(dirname "{1}")"
(umask 077; cp -r --no-preserve=mode "/srv/checkout/{0}" "{1}")
"""
"""The checkout may belong to somebody who keeps all files private, and COPY keeps their modes."""


def health_check() -> list[str]:
    """Return the command that checks the health."""
    command: list[str] = json.loads(_GIVEN["HEALTHCHECK"].partition("CMD ")[2])
    return command


def docker(command: str) -> list[list[str]]:
    """Return the arguments of this command of Docker, each time that OPERATIONS gives it."""
    lines = map(shlex.split, commands("Run in a container").replace("\\\n", "").splitlines())
    return [line[2:] for line in lines if line[:2] == ["docker", command]]


def built() -> str:
    """Return shell commands that build the image in a `room`."""
    return _BEGIN + "\n".join(_build(*each) for each in _INSTRUCTIONS)


def _build(instruction: str, arguments: str) -> str:
    if instruction == "WORKDIR":
        return f"mkdir -p {arguments}\ncd {arguments}"
    if instruction == "ARG":
        return arguments
    if instruction == "COPY":
        return _COPY.format(*arguments.split())
    return arguments if instruction == "RUN" and not arguments.startswith("pip install ") else ""


def inside(environment: dict[str, str], command: list[str]) -> list[str]:
    """Return a command that executes another one as in the container, where it has this environment."""
    image = dict(each.split("=", 1) for each in shlex.split(_GIVEN["ENV"]))
    variables = {"PATH": "/srv/venv/bin:/usr/local/bin:/usr/bin:/bin", "HOME": "/home/lilypad", **image, **environment}
    user = _GIVEN["USER"]
    as_user = ["setpriv", "--reuid", user, "--regid", user, "--init-groups"]
    return ["env", "-i", *(f"{name}={value}" for name, value in variables.items()), *as_user, *command]


def given_to_run() -> argparse.Namespace:
    """Return the arguments of the command with which OPERATIONS runs the container."""
    parser = argparse.ArgumentParser(exit_on_error=True)
    for option in ("--name", "--env-file", "-v", "--restart", "--tmpfs"):
        parser.add_argument(option, required=True)
    for flag in ("-d", "--read-only"):
        parser.add_argument(flag, action="store_true", required=True)
    parser.add_argument("image")
    return parser.parse_args(docker("run")[0])


def run() -> tuple[str, list[str]]:
    """Return shell commands that prepare the container's file system as OPERATIONS runs it, and what is run there."""
    given = given_to_run()
    volume = given.v.partition(":")[2]
    mounts = f"mount --bind {volume} {volume}\nmount -t tmpfs -o mode=1777,noexec,nosuid,nodev tmpfs {given.tmpfs}\n"
    return f"{mounts}mount -o remount,bind,ro /\n", json.loads(_GIVEN["ENTRYPOINT"]) + json.loads(_GIVEN["CMD"])


def put() -> list[str]:
    """Return the command with which OPERATIONS puts a copy into the volume."""
    _, given = docker("run")
    before = given.index("--entrypoint")
    entrypoint, _, *arguments = given[before + 1 :]
    return [entrypoint, *arguments]


def env_file(file: Path) -> dict[str, str]:
    """Return the variables of a file as ``docker run --env-file`` passes them: values are taken literally."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line.strip() and not line.startswith("#"))
