#!/usr/bin/env python3
"""Two-hop subgraphs of an OBO file with networkx: an ego graph around every class, kept at 3 to 20 nodes, told apart by
their sorted nodes, named by the MD5 of these, and written as JSON.

    python3 peer.py hp.obo OUT

Prints seconds for reading and for extracting. Needs obonet and networkx.
"""

import hashlib
import json
import pathlib
import sys
import time

import networkx
import obonet

OBO = "http://purl.obolibrary.org/obo/"
SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"


def iri(identifier):
    prefix, colon, local = identifier.partition(":")
    return f"{OBO}{prefix}_{local}" if colon else f"{OBO}#{identifier}"


def read(path):
    """The undirected graph, and the triples of each pair of nodes that it joins."""
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
    return graph, triples


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
    graph, triples = read(path)
    loaded = time.perf_counter()
    name = pathlib.Path(path).stem
    folder = out / name / "bfs"
    folder.mkdir(parents=True)
    seen = set()
    manifest = []
    for seed in sorted(graph.nodes):
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
