"""Times the scoring of 100,000 rows × 4 columns: the crate natively and in WebAssembly, and a plain typed Python peer.

    python3 bench/score/run.py [--rows N] [--rounds N]

Makes a key and an answer (the key's rows in another order, a few of them wrong), runs every contestant in turn, several
rounds of it, and prints medians and ratios. The time goes from the files' bytes in memory to the finished score. Then
prints the peak memory of the native program for half, once and twice the rows.

Needs cargo with the wasm32-unknown-unknown target, node, and wasm-bindgen (on the PATH or named by WASM_BINDGEN) in the
version of Cargo.lock.
"""

import argparse
import csv
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WASM_TARGET = "wasm32-unknown-unknown"
# What a page downloads is built for size; the same code built for speed shows what that costs.
WASM_PROFILES = {"wasm, for size": "wasm-release", "wasm, for speed": "release"}
NAMES = [
    "Sjögren syndrome",
    "preeclampsia",
    "multifocal atrial tachycardia",
    "Behçet disease",
    "pulmonary arterial hypertension",
    "Ménière disease",
]
WRONG_ROWS = 20


def make_tables(folder, rows):
    """Writes key.csv and answer.csv: an IRI, a text with non-ASCII letters, an integer, a decimal."""
    source = random.Random(rows)
    key = [
        [
            f"http://purl.obolibrary.org/obo/MONDO_{number:07}",
            f"{NAMES[number % len(NAMES)]}, type {number}",
            str(source.randrange(1, 100_000)),
            f"{source.randrange(1, 1_000_000) / 1000:.3f}",
        ]
        for number in range(rows)
    ]
    answer = [row.copy() for row in key]
    source.shuffle(answer)
    for row in answer[:WRONG_ROWS]:
        row[2] = str(int(row[2]) + 1)
    for name, table in [("key.csv", key), ("answer.csv", answer)]:
        with open(folder / name, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["condition", "name", "datasets", "weight"])
            writer.writerows(table)
    return folder / "key.csv", folder / "answer.csv"


def build(folder):
    """Builds every contestant; returns the command that takes a key, an answer and a number of repeats, by name."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    cargo = ["cargo", "build", "--quiet", "--package", "score"]
    run([*cargo, "--release", "--example", "score_bench"])
    commands = {
        "python": [sys.executable, HERE / "compare.py"],
        "native": [target / "release/examples/score_bench"],
    }
    wasm_bindgen = os.environ.get("WASM_BINDGEN", "wasm-bindgen")
    for name, profile in WASM_PROFILES.items():
        run([*cargo, "--profile", profile, "--target", WASM_TARGET, "--example", "score_wasm"])
        module = target / WASM_TARGET / profile / "examples/score_wasm.wasm"
        out = folder / profile
        run([wasm_bindgen, "--target", "nodejs", "--out-dir", out, module])
        commands[name] = ["node", HERE / "wasm.mjs", out / "score_wasm.js"]
    return commands


def run(command):
    subprocess.run([str(part) for part in command], check=True, cwd=ROOT)


def measure(command, key, answer, repeats):
    parts = [str(part) for part in [*command, key, answer, repeats]]
    return json.loads(subprocess.run(parts, check=True, capture_output=True, text=True).stdout)


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return f"{line.partition(':')[2].strip()}, {os.cpu_count()} cores"
    return platform.processor() or platform.machine()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rows", type=int, default=100_000)
    arguments.add_argument("--rounds", type=int, default=7)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = build(folder)
        key, answer = make_tables(folder, options.rows)
        expected = options.rows - WRONG_ROWS
        seconds = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                # The first repeat in each process warms up; Python needs none, and is slow.
                repeats = 1 if name == "python" else 4
                result = measure(command, key, answer, repeats)
                matched = result["matched"]
                assert matched == expected, f"{name}: {matched} rows match, not {expected}"
                seconds[name].append(statistics.median(result["seconds"][-3:]))
        node = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip()
        print(f"{options.rows:,} rows × 4 columns, {key.stat().st_size / 1e6:.1f} MB a file; {processor()};")
        print(f"Python {platform.python_version()}, node {node}; medians of {options.rounds} rounds")
        medians = {name: statistics.median(times) for name, times in seconds.items()}
        for name, median in medians.items():
            print(f"  {name:16} {median * 1000:8.1f} ms   {medians['python'] / median:5.1f} × python")
        print("peak memory of the native program")
        for rows in [options.rows // 2, options.rows, options.rows * 2]:
            key, answer = make_tables(folder, rows)
            peak = measure(commands["native"], key, answer, 1)["peak_kilobytes"] * 1024
            print(f"  {rows:9,} rows {peak / 1e6:8.1f} MB   {peak / rows:6.0f} bytes a row")


if __name__ == "__main__":
    main()
