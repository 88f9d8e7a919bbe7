"""The commands that OPERATIONS gives to hosts."""

import re
import textwrap
from typing import Final

from tests.wire.bot_process import ROOT

_TEXT: Final = (ROOT / "docs/OPERATIONS.md").read_text(encoding="utf-8")
_REPOSITORY: Final = """
mkdir /srv/repository
cd /srv/repository
tar -C /srv/checkout --exclude=./.git --exclude=./.venv --exclude='*_cache' --exclude=__pycache__ -c . | tar -x
ln -s /srv/venv .venv
git init -q
git config --system --add safe.directory /srv/repository
git config --system --add safe.directory /srv/repository/.git
"""


def commands(heading: str) -> str:
    """Return the commands below a heading, up to the next one."""
    (section,) = re.findall(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", _TEXT, re.MULTILINE | re.DOTALL)
    blocks = re.findall(r"^\n((?: {4}.*\n)+)", section, re.MULTILINE)
    return "".join(textwrap.dedent(block) for block in blocks)


def publish(change: str) -> str:
    """Return shell commands that commit all changes in the present directory, and the link to the environment."""
    return f"git add .\ngit add -f .venv\ngit -c user.name=Ann -c user.email=ann@example.com commit -qm '{change}'\n"


def installed() -> str:
    """Return shell commands that publish Lilypad with a link to its environment, and install it as a service."""
    install = commands("Run as a service").replace("REPOSITORY", "/srv/repository")
    return _REPOSITORY + publish("Begin") + install
