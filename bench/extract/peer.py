#!/usr/bin/env python3
"""Two-hop subgraphs of an ontology with networkx: an ego graph around every class, kept at 3 to 20 nodes, told apart by
their sorted nodes, named by the MD5 of these, and written as JSON. OBO is read with obonet, RDF with rdflib.

    python3 peer.py FILE OUT

Prints seconds for reading and for extracting. Needs networkx, and obonet or rdflib.
"""

import hashlib
import json
import pathlib
import sys
import time

import networkx

OBO = "http://purl.obolibrary.org/obo/"
SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"


def iri(identifier):
    prefix, colon, local = identifier.partition(":")
    return f"{OBO}{prefix}_{local}" if colon else f"{OBO}#{identifier}"


def read(path):
    """The undirected graph, the triples of each pair of nodes that it joins, and the classes."""
    return read_obo(path) if path.endswith(".obo") else read_rdf(path)


def read_obo(path):
    import obonet

    source = obonet.read_obo(path, ignore_obsolete=False)
    graph = networkx.Graph()
    for node, data in source.nodes(data=True):
        graph.add_node(iri(node), label=data.get("name", ""), comment=data.get("comment", ""))
    triples = {}
    for subject, target, key in source.edges(keys=True):
        subject, target = iri(subject), iri(target)
        if key == "is_a":
            triple = (subject, SUBCLASS, target, "subClassOf", "direct")
        else:
            triple = (subject, iri(key), target, key, "restriction_someValuesFrom")
        graph.add_edge(subject, target)
        triples.setdefault((subject, target), []).append(triple)
    return graph, triples, list(graph.nodes)


def read_rdf(path):
    import rdflib
    from rdflib import OWL, RDF, RDFS, SKOS

    source = rdflib.Graph()
    source.parse(path, format="xml" if path.endswith(".owl") else None)
    classes = {node for kind in (OWL.Class, RDFS.Class) for node in source.subjects(RDF.type, kind)}
    nodes = set(classes)
    for kind in (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty):
        nodes.update(source.subjects(RDF.type, kind))
    nodes = {node for node in nodes if isinstance(node, rdflib.URIRef)}

    def text(node, predicates, otherwise):
        for predicate in predicates:
            for value in source.objects(node, predicate):
                return str(value)
        return otherwise

    def local(node):
        return str(node).replace("#", "/").rsplit("/", 1)[-1]

    def label(node):
        return text(node, (RDFS.label, SKOS.prefLabel, SKOS.altLabel), local(node))

    graph = networkx.Graph()
    for node in nodes:
        comment = text(node, (RDFS.comment, SKOS.definition, SKOS.scopeNote), "")
        graph.add_node(str(node), label=label(node), comment=comment)
    triples = {}

    def add(subject, predicate, target, kind):
        subject, target = str(subject), str(target)
        graph.add_edge(subject, target)
        triple = (subject, str(predicate), target, label(predicate), kind)
        triples.setdefault((subject, target), []).append(triple)

    relations = (
        RDFS.subClassOf,
        OWL.equivalentClass,
        OWL.disjointWith,
        RDFS.domain,
        RDFS.range,
        RDFS.subPropertyOf,
        OWL.inverseOf,
    )
    for predicate in relations:
        for subject, target in source.subject_objects(predicate):
            if subject not in nodes:
                continue
            if target in nodes:
                add(subject, predicate, target, "direct")
            elif isinstance(target, rdflib.BNode):
                for name in ("someValuesFrom", "allValuesFrom"):
                    for filler in source.objects(target, OWL[name]):
                        if filler in nodes:
                            add(subject, source.value(target, OWL.onProperty), filler, f"restriction_{name}")
    return graph, triples, [str(node) for node in classes if node in nodes]


def written(graph, triples, seed, around, name, number):
    nodes = sorted(around.nodes)
    labels = {node: graph.nodes[node]["label"] for node in nodes}
    found = []
    for a, b in around.edges:
        for pair in ((a, b), (b, a)):
            for subject, predicate, target, predicate_label, kind in triples.get(pair, ()):
                found.append({
                    "subject": subject,
                    "predicate": predicate,
                    "object": target,
                    "subject_label": labels[subject],
                    "predicate_label": predicate_label,
                    "object_label": labels[target],
                    "type": kind,
                })
    return {
        "subgraph_id": number,
        "strategy": "bfs",
        "seed": seed,
        "seed_label": labels[seed],
        "depth": 2,
        "nodes": nodes,
        "node_labels": labels,
        "node_comments": {node: graph.nodes[node]["comment"] for node in nodes},
        "edges": [list(edge) for edge in around.edges],
        "triples": found,
        "triple_count": len(found),
        "source_ontology": name,
    }


def main():
    path, out = sys.argv[1], pathlib.Path(sys.argv[2])
    start = time.perf_counter()
    graph, triples, classes = read(path)
    loaded = time.perf_counter()
    name = pathlib.Path(path).stem
    folder = out / name / "bfs"
    folder.mkdir(parents=True)
    seen = set()
    manifest = []
    for seed in sorted(classes):
        around = networkx.ego_graph(graph, seed, radius=2)
        if not 3 <= len(around) <= 20:
            continue
        fingerprint = ",".join(sorted(around.nodes))
        if fingerprint in seen:
            continue
        seen.add(fingerprint)
        number = "bfs_" + hashlib.md5(fingerprint.encode()).hexdigest()[:8]
        subgraph = written(graph, triples, seed, around, name, number)
        with open(folder / f"{number}.json", "w", encoding="utf-8") as file:
            json.dump(subgraph, file, indent=2)
        manifest.append({
            "subgraph_id": number,
            "file": f"{number}.json",
            "triple_count": subgraph["triple_count"],
            "node_count": len(subgraph["nodes"]),
        })
    whole = {"ontology": name, "strategy": "bfs", "total": len(manifest), "subgraphs": manifest}
    with open(folder / "manifest.json", "w", encoding="utf-8") as file:
        json.dump(whole, file, indent=2)
    done = time.perf_counter()
    print(json.dumps({"read": loaded - start, "extract": done - loaded}))


if __name__ == "__main__":
    main()
