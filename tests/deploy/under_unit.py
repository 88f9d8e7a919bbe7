"""Run a command as a systemd unit would: ``python under_unit.py UNIT COMMAND [ARGUMENT …]``.

It loads the unit's filter of system calls with libseccomp, its MemoryDenyWriteExecute and NoNewPrivileges. Only an
allow list followed by deny lists is understood. `systemd-analyze` knows the groups of system calls. `as_service` adds
the unit's user, environment and file system. The rest, such as ProtectHome, isn't imitated.
"""

import ctypes
import errno
import os
import re
import subprocess
import sys
from pathlib import Path

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_PR_SET_NO_NEW_PRIVS, _PR_SET_MDWE = 38, 65


def directives(unit: Path) -> list[tuple[str, str]]:
    """Return the names and values of a unit's directives, in order."""
    lines = (line.strip() for line in unit.read_text(encoding="utf-8").splitlines())
    pairs = (line.partition("=") for line in lines if line and line[0] not in "#;[")
    return [(name, value) for name, _, value in pairs]


def allowed(unit: Path) -> tuple[set[str], int]:
    """Return the calls that the unit allows, and the error number of the others."""
    groups, number = _groups(), errno.EPERM
    calls = _expanded("@default", groups)
    for name, value in directives(unit):
        if name == "SystemCallErrorNumber":
            number = getattr(errno, value)
        if name == "SystemCallFilter":
            named = {call for each in value.lstrip("~").split() for call in _expanded(each, groups)}
            calls = calls - named if value.startswith("~") else calls | named
    return calls, number


def as_service(unit: Path) -> str:
    """Return shell commands that start the service in a `room`, where it is installed."""
    given = dict(directives(unit))
    user, state = given["User"], f"/var/lib/{given['StateDirectory']}"
    lines = [
        f"install --directory --owner {user} --group {user} --mode {given['StateDirectoryMode']} {state}",
        f"mount --bind {state} {state}",
    ]
    if given["PrivateTmp"] == "true":
        lines += [f"mount -t tmpfs -o mode=1777 tmpfs {folder}" for folder in ("/tmp", "/var/tmp")]  # noqa: S108 - theirs
    if given.get("ProcSubset") == "pid":
        lines += ["mount -t proc -o subset=pid proc /proc"]
    if given["ProtectSystem"] == "strict":
        lines += ["mount -o remount,bind,ro /"]
    environment = f"env -i PATH=/usr/local/bin:/usr/bin HOME={given['WorkingDirectory']} STATE_DIRECTORY={state}"
    rights = f"setpriv --reuid {user} --regid {user} --init-groups --bounding-set=-all --no-new-privs"
    under = "/srv/venv/bin/python /srv/checkout/tests/deploy/under_unit.py /etc/systemd/system/lilypad.service"
    lines += [
        f"cd {given['WorkingDirectory']}",
        f"umask {given['UMask']}",
        f"exec {environment} {rights} {under} {given['ExecStart']}",
    ]
    return "\n".join(lines)


def _groups() -> dict[str, list[str]]:
    command = ["systemd-analyze", "syscall-filter"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - a constant
    groups: dict[str, list[str]] = {}
    members: list[str] = []
    for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines():
        if line.startswith("@"):
            members = groups.setdefault(line.strip(), [])
        elif line.startswith("#"):
            members = []  # calls without a group
        elif line.startswith("    ") and not line.strip().startswith("#"):
            members.append(line.strip())
    return groups


def _expanded(name: str, groups: dict[str, list[str]]) -> set[str]:
    if not name.startswith("@"):
        return {name}
    return {call for member in groups[name] for call in _expanded(member, groups)}


def load(calls: set[str], number: int) -> None:
    """Allow this process, and those that it starts, no other calls."""
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(_ERRNO | number)))
    for call in sorted(calls):
        resolved = library.seccomp_syscall_resolve_name(call.encode())
        if resolved >= 0:
            library.seccomp_rule_add(context, ctypes.c_uint32(_ALLOW), ctypes.c_int(resolved), ctypes.c_uint(0))
    if library.seccomp_load(context):
        raise SystemExit("The filter can't be loaded.")


def main(unit: Path, command: list[str]) -> None:
    """Restrict this process, and execute the command."""
    process = ctypes.CDLL(None)
    calls, number = allowed(unit)
    process.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    process.prctl(_PR_SET_MDWE, 1, 0, 0, 0)  # older kernels don't know it
    load(calls, number)
    os.execvp(command[0], command)  # noqa: S606 - without a shell


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
