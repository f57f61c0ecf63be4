"""Holds the crate's token-set ratios against PyPI's rapidfuzz on random and adversarial pairs, bit by bit.

    python3 bench/lexical/compare.py [--pairs N] [--seed N]

Needs cargo and `pip install rapidfuzz==3.14.6`. Ends with status 1 and the first pairs that differ if any does.
"""

import argparse
import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import rapidfuzz
from rapidfuzz import fuzz, utils

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "crates/ava/test_data"))
sys.dont_write_bytecode = True
from pairs import pairs  # noqa: E402


def build():
    command = ["cargo", "build", "--quiet", "--release", "--package", "ava", "--example", "lexical_pairs"]
    subprocess.run(command, check=True, cwd=ROOT)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/examples/lexical_pairs"


def as_lines(made):
    return "".join(json.dumps(pair) + "\n" for pair in made)


def double(bits):
    return struct.unpack(">d", bytes.fromhex(bits))[0]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pairs", type=int, default=200_000)
    arguments.add_argument("--seed", type=int, default=2)
    arguments = arguments.parse_args()

    made = list(pairs(arguments.pairs, arguments.seed))
    found = subprocess.run([build()], input=as_lines(made), capture_output=True, text=True, check=True).stdout
    found = found.splitlines()
    assert len(found) == len(made), "a line for each pair"
    bits_differ = worst = beyond = 0
    for (first, second), line in zip(made, found):
        for bits, processor in zip(line.split(), [None, utils.default_process]):
            here, there = double(bits), fuzz.token_set_ratio(first, second, processor=processor)
            bits_differ += here != there
            worst = max(worst, abs(here - there))
            # Written so that a NaN is a difference too.
            if not abs(here - there) <= 1e-9:
                beyond += 1
                if beyond <= 5:
                    print(f"{here} for {there}: {first!r} {second!r} {processor}", file=sys.stderr)
    empty = sum(not first.split() or not second.split() for first, second in made)
    long = sum(min(map(len, pair)) > 64 for pair in made)
    print(
        f"{len(made)} pairs ({empty} with a side without words, {long} beyond 64 characters on both), raw and processed, "
        f"beside rapidfuzz {rapidfuzz.__version__} ({fuzz.token_set_ratio.__module__}): "
        f"{bits_differ} differ in a bit, at most by {worst}; {beyond} beyond 1e-9"
    )
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
