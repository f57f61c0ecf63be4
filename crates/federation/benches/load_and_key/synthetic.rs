//! A federation made up in the shape of the snapshot's: an is-a hierarchy, a catalogue of datasets tagged with its classes,
//! clinical associations of some of them. The same on every call.

use std::fmt::Write;

/// A number for a number, spread evenly: enough of a generator for made-up edges.
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

const PREFIXES: &str = "PREFIX obo: <http://purl.obolibrary.org/obo/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX schema: <http://schema.org/>
PREFIX biolink: <https://w3id.org/biolink/vocab/>
PREFIX kg: <https://purl.org/okn/frink/kg/>
PREFIX data: <https://data.niaid.nih.gov/resources?id=DS_>
PREFIX assoc: <https://example.org/assoc/A_>
";

/// The files, by name: `classes` classes, `pairs` dataset–condition pairs, `associations` clinical associations.
pub(crate) fn files(classes: u64, pairs: u64, associations: u64) -> Vec<(&'static str, String)> {
    let mut ubergraph = format!("{PREFIXES}kg:ubergraph {{\n");
    for class in 1..classes {
        let parent = mix(class) % class;
        let _ = write!(
            ubergraph,
            "obo:MONDO_{class:07} rdfs:subClassOf obo:MONDO_{parent:07}"
        );
        if class % 3 == 0 {
            let other = mix(class + 1_000_000) % class;
            let _ = write!(ubergraph, ", obo:MONDO_{other:07}");
        }
        let _ = writeln!(ubergraph, " ; rdfs:label \"disorder number {class}\" .");
    }
    ubergraph.push_str("}\n");

    let mut nde = format!("{PREFIXES}kg:nde {{\n");
    let used = classes / 20;
    for condition in 0..used {
        let class = condition * 20;
        let _ = writeln!(
            nde,
            "obo:MONDO_{class:07} schema:name \"Condition {class}\" ."
        );
    }
    for dataset in 0..pairs / 2 {
        let _ = write!(nde, "data:{dataset} a schema:Dataset");
        for tag in 0..2 {
            let class = mix(dataset * 2 + tag) % used * 20;
            let _ = write!(nde, " ; schema:healthCondition obo:MONDO_{class:07}");
        }
        nde.push_str(" .\n");
    }
    nde.push_str("}\n");

    let mut oard = format!("{PREFIXES}kg:oard-kg {{\n");
    for association in 0..associations {
        let class = mix(association + 5_000_000) % used * 20;
        let phenotype = mix(association + 7_000_000) % 15_000;
        let _ = writeln!(
            oard,
            "assoc:{association} a biolink:DiseaseToPhenotypicFeatureAssociation ; biolink:subject obo:MONDO_{class:07} ; biolink:object obo:HP_{phenotype:07} ."
        );
    }
    oard.push_str("}\n");
    vec![
        ("ubergraph.trig", ubergraph),
        ("nde.trig", nde),
        ("oard-kg.trig", oard),
    ]
}

/// A key in the shape of the corpus's.
pub(crate) const KEY: &str = "PREFIX biolink: <https://w3id.org/biolink/vocab/>
PREFIX kg: <https://purl.org/okn/frink/kg/>
PREFIX obo: <http://purl.obolibrary.org/obo/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX schema: <http://schema.org/>
SELECT ?name ?condition (COUNT(DISTINCT ?dataset) AS ?datasetCount)
WHERE {
  GRAPH kg:ubergraph { ?condition rdfs:subClassOf* obo:MONDO_0000003 . }
  GRAPH kg:nde {
    ?dataset a schema:Dataset ; schema:healthCondition ?condition .
    ?condition schema:name ?name .
  }
  FILTER EXISTS {
    GRAPH kg:oard-kg {
      ?association a biolink:DiseaseToPhenotypicFeatureAssociation ; biolink:subject ?condition .
    }
  }
}
GROUP BY ?name ?condition
ORDER BY DESC(?datasetCount) ASC(?condition)
LIMIT 15";
