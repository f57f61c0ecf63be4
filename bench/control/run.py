"""Times the analysis of a control on 100,000 rows, natively and in WebAssembly: counts against the cut and the uncut key,
Kendall's tau-b, and a reason for each of 15,000 wrong rows, over a hierarchy of 30,000 classes.

    python3 bench/control/run.py [--rows N] [--rounds N]

Prints medians. Needs cargo with the wasm32-unknown-unknown target, node, and wasm-bindgen (on the PATH or named by
WASM_BINDGEN) in the version of Cargo.lock.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WASM_TARGET = "wasm32-unknown-unknown"
# What a page downloads is built for size; the same code built for speed shows what that costs.
WASM_PROFILES = {"wasm, for size": "wasm-release", "wasm, for speed": "release"}


def build(folder):
    """Builds every contestant; returns the command that takes a number of rows and of repeats, by name."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    cargo = ["cargo", "build", "--quiet", "--package", "control"]
    subprocess.run([*cargo, "--release", "--example", "control_bench"], check=True, cwd=ROOT)
    commands = {"native": [target / "release/examples/control_bench"]}
    wasm_bindgen = os.environ.get("WASM_BINDGEN", "wasm-bindgen")
    for name, profile in WASM_PROFILES.items():
        wasm = ["--profile", profile, "--target", WASM_TARGET, "--example", "control_wasm"]
        subprocess.run([*cargo, *wasm], check=True, cwd=ROOT)
        module = target / WASM_TARGET / profile / "examples/control_wasm.wasm"
        out = folder / profile
        subprocess.run([wasm_bindgen, "--target", "nodejs", "--out-dir", out, module], check=True)
        commands[name] = ["node", HERE / "wasm.mjs", out / "control_wasm.js"]
    return commands


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, {arguments.rows} rows, {arguments.rounds} rounds")
    with tempfile.TemporaryDirectory() as folder:
        for name, command in build(Path(folder)).items():
            words = [*command, str(arguments.rows), str(arguments.rounds)]
            printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
            run = json.loads(printed)
            print(f"{name:16} {statistics.median(run['seconds']):.3f} s, {run['explained']} rows explained")


if __name__ == "__main__":
    main()
