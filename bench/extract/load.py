#!/usr/bin/env python3
"""Reading an ontology of a million triples: seconds and peak memory, in each syntax of RDF.

    cargo build --release -p worker
    python3 bench/extract/load.py target/release/okn-benchmark [--triples 1000000]

The ontology is made up, in the proportions of a biomedical one: classes with a label, a definition, synonyms, two
superclasses and, every second one, an existential restriction. The limits are 5 seconds on the processor, which do not
depend on what else the machine does, and 1 GB; the run fails beyond.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SECONDS, MEGABYTES = 5.0, 1000.0
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
OIO = "http://www.geneontology.org/formats/oboInOwl#"
OBO = "http://purl.obolibrary.org/obo/"
PART_OF = f"{OBO}BFO_0000050"


def classes(triples):
    """What is said of each class: its parents, and what it is part of or nothing. Eight triples for one, twelve for the next."""
    count = triples // 10
    for number in range(count):
        parents = sorted({number // 3, number // 7})
        yield number, parents, (number * 31) % count if number % 2 else None


def iri(number):
    return f"{OBO}MADE_{number:07}"


def texts(number):
    return (
        f"structure number {number} of the body",
        f"A structure of the body that is told from others by the number {number}, and by nothing else.",
        [f"body structure {number}", f"structure {number}", f"number {number}"],
    )


def n_triples(triples):
    yield f"<{PART_OF}> <{RDF}type> <{OWL}ObjectProperty> .\n"
    for number, parents, whole in classes(triples):
        subject = f"<{iri(number)}>"
        label, definition, synonyms = texts(number)
        yield f"{subject} <{RDF}type> <{OWL}Class> .\n"
        yield f'{subject} <{RDFS}label> "{label}" .\n'
        yield f'{subject} <{OBO}IAO_0000115> "{definition}" .\n'
        for synonym in synonyms:
            yield f'{subject} <{OIO}hasExactSynonym> "{synonym}" .\n'
        for parent in parents:
            yield f"{subject} <{RDFS}subClassOf> <{iri(parent)}> .\n"
        if whole is not None:
            node = f"_:r{number}"
            yield f"{subject} <{RDFS}subClassOf> {node} .\n"
            yield f"{node} <{RDF}type> <{OWL}Restriction> .\n"
            yield f"{node} <{OWL}onProperty> <{PART_OF}> .\n"
            yield f"{node} <{OWL}someValuesFrom> <{iri(whole)}> .\n"


def turtle(triples):
    yield f"@prefix rdfs: <{RDFS}> .\n@prefix owl: <{OWL}> .\n@prefix oio: <{OIO}> .\n@prefix obo: <{OBO}> .\n"
    yield "obo:BFO_0000050 a owl:ObjectProperty .\n"
    for number, parents, whole in classes(triples):
        label, definition, synonyms = texts(number)
        above = [f"obo:MADE_{parent:07}" for parent in parents]
        if whole is not None:
            above.append(f"[ a owl:Restriction ; owl:onProperty obo:BFO_0000050 ; owl:someValuesFrom obo:MADE_{whole:07} ]")
        names = ", ".join(f'"{synonym}"' for synonym in synonyms)
        yield (
            f'obo:MADE_{number:07} a owl:Class ; rdfs:label "{label}" ; obo:IAO_0000115 "{definition}" ;\n'
            f"  oio:hasExactSynonym {names} ; rdfs:subClassOf {', '.join(above)} .\n"
        )


def rdf_xml(triples):
    yield (
        f'<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="{RDF}" xmlns:rdfs="{RDFS}" xmlns:owl="{OWL}" xmlns:oio="{OIO}" xmlns:obo="{OBO}">\n'
        f'<owl:ObjectProperty rdf:about="{PART_OF}"/>\n'
    )
    for number, parents, whole in classes(triples):
        label, definition, synonyms = texts(number)
        lines = [f"<rdfs:label>{label}</rdfs:label>", f"<obo:IAO_0000115>{definition}</obo:IAO_0000115>"]
        lines += [f"<oio:hasExactSynonym>{synonym}</oio:hasExactSynonym>" for synonym in synonyms]
        lines += [f'<rdfs:subClassOf rdf:resource="{iri(parent)}"/>' for parent in parents]
        if whole is not None:
            lines.append(
                f'<rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="{PART_OF}"/>'
                f'<owl:someValuesFrom rdf:resource="{iri(whole)}"/></owl:Restriction></rdfs:subClassOf>'
            )
        yield f'<owl:Class rdf:about="{iri(number)}">\n  ' + "\n  ".join(lines) + "\n</owl:Class>\n"
    yield "</rdf:RDF>\n"


def measured(program, file):
    """Seconds, of these on the processor, peak memory in MB, and what the program says of the file."""
    start = time.perf_counter()
    process = subprocess.Popen([program, "ava", "ontology", str(file), "--json"], stdout=subprocess.PIPE)
    told = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{file.name}: the program failed")
    scale = 1024 if sys.platform == "darwin" else 1
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / scale / 1000, json.loads(told)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--triples", type=int, default=1_000_000)
    arguments = parser.parse_args()
    failed = False
    print(f"{'file':10} {'MB':>6} {'triples':>9} {'classes':>8} {'seconds':>8} {'CPU':>6} {'peak MB':>8}")
    with tempfile.TemporaryDirectory() as scratch:
        for ending, make in (("nt", n_triples), ("ttl", turtle), ("owl", rdf_xml)):
            file = pathlib.Path(scratch) / f"made.{ending}"
            with open(file, "w", encoding="utf-8") as out:
                out.writelines(make(arguments.triples))
            seconds, cpu, memory, told = measured(os.path.abspath(arguments.program), file)
            size = file.stat().st_size / 1e6
            print(
                f"{file.name:10} {size:6.0f} {told['statements']:9} {told['classes']:8} {seconds:8.2f} {cpu:6.2f} {memory:8.0f}"
            )
            failed |= cpu > SECONDS or memory > MEGABYTES
            file.unlink()
    if failed:
        sys.exit(f"FAILED: more than {SECONDS:g} s on the processor or {MEGABYTES:g} MB")


if __name__ == "__main__":
    main()
