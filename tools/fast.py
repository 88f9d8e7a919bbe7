"""Compile the engines and searches of the computers with mypyc. Python then imports these instead of the source.

python -m tools.fast

Needs a C compiler and Python's headers. After a change of the source, compile again, or delete the files with
``make clean``.
"""

from pathlib import Path
from typing import Final

from mypyc.build import mypycify
from setuptools import setup  # type: ignore[import-untyped]

ROOT: Final = Path(__file__).parent.parent
COMPUTER: Final = Path("bot/computer")
MODULES: Final = (
    *(COMPUTER / "frogs" / name for name in ("engine.py", "evaluation.py", "search.py")),
    *(COMPUTER / "pond" / name for name in ("engine.py", "thumb.py")),
    *(COMPUTER / "pontis" / name for name in ("engine.py", "thumb.py", "tree.py")),
    *(COMPUTER / "pot_black" / name for name in ("engine.py", "thumb.py")),
)


def main() -> None:
    """Compile, and put each result beside its source."""
    setup(
        name="lilypad-fast",
        script_args=["--quiet", "build_ext", "--inplace", "--build-temp", "build/fast"],
        packages=[],
        ext_modules=mypycify([str(module) for module in MODULES], group_name="lilypad"),
    )


if __name__ == "__main__":
    main()
