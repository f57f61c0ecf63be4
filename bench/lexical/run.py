"""Times token-set ratios on one thread: the crate, and PyPI's rapidfuzz in its fastest form, in one run.

    python3 bench/lexical/run.py [--pairs N] [--rounds N] [--headers DIR]

The pairs are sentences as in triplets: 5 to 40 words, the second an edit of the first. Contestants take turns. The peer is
`process.cpdist` with one worker, which loops over the pairs in C++; with --headers, the folder of rapidfuzz-cpp's headers
(`extern/rapidfuzz-cpp` in the source distribution), a C++ program over the same pairs as well, built with g++ -O3.

Needs cargo and `pip install rapidfuzz==3.14.6 numpy`.
"""

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import rapidfuzz
from rapidfuzz import fuzz, process

from compare import as_lines, build

HERE = Path(__file__).resolve().parent
# Of each turn the fastest counts.
REPEATS = 3
VOCABULARY = (
    "a an the is are of in on with which that type kind subclass class unit part area volume mass acre online gaming account "
    "agent electrophoresis capillary gel mitochondrion membrane process regulation positive negative cell epithelial "
    "standard measure amount surface defined as specific category hierarchy domain range property relation disjoint from"
).split()


def triplet_like(count):
    source = random.Random(7)
    for _ in range(count):
        words = [source.choice(VOCABULARY) for _ in range(source.randrange(5, 41))]
        other = words.copy()
        for _ in range(source.randrange(1, 6)):
            other[source.randrange(len(other))] = source.choice(VOCABULARY)
        if source.randrange(2):
            source.shuffle(other)
        yield " ".join(words).capitalize() + ".", " ".join(other).capitalize() + "."


def peer(firsts, seconds):
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        scores = process.cpdist(firsts, seconds, scorer=fuzz.token_set_ratio, workers=1, dtype=float)
        times.append(time.perf_counter() - start)
    return min(times), float(scores.sum())


def measured(command, lines):
    command = [str(part) for part in command]
    done = json.loads(subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout)
    return min(done["seconds"]), done["sum"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pairs", type=int, default=100_000)
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--headers", type=Path)
    arguments = arguments.parse_args()
    made = list(triplet_like(arguments.pairs))
    firsts, seconds = zip(*made)
    contestants = {"crate": ([build(), "--seconds", REPEATS], as_lines(made)), "rapidfuzz": None}
    with tempfile.TemporaryDirectory() as folder:
        if arguments.headers:
            program = Path(folder) / "peer"
            source = HERE / "peer.cpp"
            subprocess.run(["g++", "-std=c++17", "-O3", "-I", arguments.headers, source, "-o", program], check=True)
            plain = "".join(f"{first}\n{second}\n" for first, second in made)
            contestants["rapidfuzz-cpp"] = ([program, REPEATS], plain)
        times = {name: [] for name in contestants}
        sums = {}
        for _ in range(arguments.rounds):
            for name, contestant in contestants.items():
                took, sums[name] = measured(*contestant) if contestant else peer(firsts, seconds)
                times[name].append(took)
    total = sums["crate"]
    assert all(abs(other - total) < 1e-6 * total for other in sums.values()), sums
    characters = statistics.mean(len(text) for pair in made for text in pair)
    print(f"{len(made)} pairs of {characters:.0f} characters; rapidfuzz {rapidfuzz.__version__} ({fuzz.token_set_ratio.__module__})")
    print(f"{processor()}, Python {platform.python_version()}; medians of {arguments.rounds} rounds, one thread")
    ours = statistics.median(times["crate"])
    for name, values in times.items():
        middle = statistics.median(values)
        print(f"{name:14} {len(made) / middle / 1e6:6.2f} million pairs a second   the crate is {middle / ours:5.2f} times as fast")


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return f"{line.partition(':')[2].strip()}, {os.cpu_count()} cores"
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
