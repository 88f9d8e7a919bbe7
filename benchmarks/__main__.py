"""Run all benchmarks: ``python -m benchmarks``."""

import argparse
import sys
from typing import Final

from benchmarks import channel, parts, pictures, requests, wire

PARTS: Final = {
    "Parts of a move": parts.main,
    "Requests a move": requests.in_passing,
    "Over the wire": wire.in_passing,
    "Many tables in one channel": channel.in_passing,
    "Pictures": pictures.main,
}


def main() -> None:
    """Run each benchmark and print its results."""
    argparse.ArgumentParser(prog="python -m benchmarks", description="Run all benchmarks.").parse_args()
    for title, measure in PARTS.items():
        sys.stdout.write(f"\n{title}\n")
        measure()
        sys.stdout.flush()


if __name__ == "__main__":
    main()
