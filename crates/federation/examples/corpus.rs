use std::time::Instant;
fn main() {
    let mut f = federation::Federation::new();
    let dir = "benchmarks-ontology/snapshot";
    let cat = federation::Catalogue::parse(&std::fs::read(format!("{dir}/manifest.json")).unwrap())
        .unwrap();
    let t = Instant::now();
    let mut n = 0;
    for e in &cat.files {
        let b = std::fs::read(format!("{dir}/{}", e.file)).unwrap();
        e.check(&b).unwrap();
        let t = Instant::now();
        let q = f.load(&e.file, &b).unwrap().quads;
        n += q;
        println!("  {} {q} {:?}", e.file, t.elapsed());
        assert_eq!(q as u64, e.quads);
    }
    println!("all {n} {:?}", t.elapsed());
    let mut paths: Vec<_> = std::fs::read_dir("benchmarks-ontology")
        .unwrap()
        .map(|p| p.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "rq"))
        .collect();
    for d in std::fs::read_dir("controls-ontology").unwrap() {
        for p in std::fs::read_dir(d.unwrap().path()).unwrap() {
            paths.push(p.unwrap().path());
        }
    }
    paths.sort();
    for p in paths {
        let q = std::fs::read_to_string(&p).unwrap();
        let query = federation::parse_query(&q).unwrap();
        let t = Instant::now();
        let r = f.evaluate(&query, &Default::default()).unwrap();
        let e = t.elapsed();
        let t = Instant::now();
        f.evaluate(&query, &Default::default()).unwrap();
        println!(
            "{} rows {} {:?} {:?} needs {:?}",
            p.display(),
            r.len(),
            e,
            t.elapsed(),
            cat.files_for(&query)
                .iter()
                .map(|f| f.file.as_str())
                .collect::<Vec<_>>()
        );
    }
    let pre = "PREFIX obo: <http://purl.obolibrary.org/obo/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX kg: <https://purl.org/okn/frink/kg/> ";
    for q in [
        "SELECT ?c { GRAPH kg:ubergraph {?c rdfs:subClassOf* obo:MONDO_0004995 }}",
        "SELECT ?c { ?c rdfs:subClassOf* obo:MONDO_0004995 }",
        "SELECT ?c { obo:MONDO_0012727 rdfs:subClassOf* ?c }",
        "SELECT ?c { VALUES ?r {obo:MONDO_0004995} ?c rdfs:subClassOf* ?r }",
        "SELECT ?c { BIND(obo:MONDO_0004995 AS ?r) GRAPH kg:ubergraph { ?c rdfs:subClassOf* ?r } }",
        "SELECT ?c ?l { GRAPH kg:ubergraph {?c rdfs:label ?l FILTER(CONTAINS(LCASE(?l),'cardio')) }}",
        "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g {?s ?p ?o} } GROUP BY ?g",
        "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p",
        "SELECT * {?s ?p ?o} LIMIT 10",
        "SELECT ?c ?d { GRAPH ?g { ?c rdfs:subClassOf* obo:MONDO_0004995} }",
    ] {
        let q = format!("{pre}{q}");
        let t = Instant::now();
        let r = f.query(&q, &Default::default()).unwrap();
        println!("{} {} {:?}", &q[pre.len()..], r.len(), t.elapsed());
    }
}
