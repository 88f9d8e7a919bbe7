"""Run all benchmarks: ``python -m benchmarks``."""

import argparse
import sys
from typing import Final

from benchmarks import (
    channel,
    daily,
    fold,
    frogs,
    latency,
    memory,
    parts,
    pictures,
    requests,
    start_up,
    store,
    thinking,
    wire,
)

PARTS: Final = {
    "Pond · frogs at random": frogs.main,
    "A log folded": fold.main,
    "The store": store.main,
    "From interaction to answer": latency.main,
    "Over the wire": wire.in_passing,
    "Parts of a move": parts.main,
    "Requests a move": requests.in_passing,
    "Beside strong computers": thinking.in_passing,
    "Many tables in one channel": channel.in_passing,
    "A daily closed": daily.in_passing,
    "Pictures": pictures.main,
    "Memory": memory.in_passing,
    "A start": start_up.main,
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
