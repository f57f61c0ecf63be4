#[path = "../benches/synthetic.rs"]
mod synthetic;
use std::time::Instant;
fn main() {
    let files = synthetic::files(30_000, 20_000, 30_000);
    let mut f = federation::Federation::new();
    let t = Instant::now();
    let mut n = 0;
    for (name, text) in &files {
        n += f.load(name, text.as_bytes()).unwrap().quads;
    }
    println!("load {n} quads {:?}", t.elapsed());
    for (what,q) in [("key",synthetic::KEY.to_string()),("key again",synthetic::KEY.to_string()),("noexists",synthetic::KEY.replace("FILTER EXISTS","")),
    ("from root", "PREFIX obo: <http://purl.obolibrary.org/obo/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> SELECT * { obo:MONDO_0012345 rdfs:subClassOf* ?c }".into())] {
    let t=Instant::now(); let r=f.query(&q,&Default::default()).unwrap(); println!("{what} rows {} {:?}",r.len(),t.elapsed());
  }
    let t = Instant::now();
    let mut d = oxrdf::Dataset::new();
    for (_, text) in &files {
        for q in oxttl::TriGParser::new().for_slice(text) {
            d.insert(&q.unwrap());
        }
    }
    println!("dataset load {:?}", t.elapsed());
    let t = Instant::now();
    let mut n = 0;
    for (_, text) in &files {
        for q in oxttl::TriGParser::new().for_slice(text) {
            q.unwrap();
            n += 1;
        }
    }
    println!("parse only {n} {:?}", t.elapsed());
    let q = spargebra::SparqlParser::new()
        .parse_query(&synthetic::KEY.replace("FILTER EXISTS", ""))
        .unwrap();
    let t = Instant::now();
    let e = spareval::QueryEvaluator::new();
    let p = e.prepare(&q);
    if let spareval::QueryResults::Solutions(s) = p.execute(&d).unwrap() {
        println!("dataset noexists {} {:?}", s.count(), t.elapsed());
    }
}
