//! What a reader waits for: loading the graphs of a key, and the key. Each beside the same on the evaluator's own dataset.
//!
//! The data are made up in the shape and size of the snapshot's, so that the figures do not move when it is rebuilt:
//! 191,497 quads, a hierarchy of 30,000 classes, 20,000 dataset–condition pairs, 30,000 associations.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot run says so by failing"
)]

mod synthetic;

use criterion::{Criterion, criterion_group, criterion_main};
use federation::{Cancel, Federation, parse_query};
use oxrdf::{Dataset, GraphName, Quad};
use oxttl::TriGParser;
use spareval::{QueryEvaluator, QueryResults};
use std::hint::black_box;

type Files = Vec<(&'static str, String)>;

fn federation(files: &Files) -> Federation {
    let mut federation = Federation::new();
    for (name, text) in files {
        federation.load(name, text.as_bytes()).unwrap();
    }
    federation
}

/// The same data as the federation's, its union as the default graph included.
fn dataset(files: &Files) -> Dataset {
    let mut dataset = Dataset::new();
    for (_, text) in files {
        for quad in TriGParser::new().for_slice(text) {
            let quad = quad.unwrap();
            dataset.insert(&quad);
            let graph_name = GraphName::DefaultGraph;
            dataset.insert(&Quad { graph_name, ..quad });
        }
    }
    dataset
}

fn load(criterion: &mut Criterion) {
    let files = synthetic::files(30_000, 20_000, 30_000);
    let mut group = criterion.benchmark_group("load");
    group.sample_size(10);
    group.bench_function("federation", |b| b.iter(|| black_box(federation(&files))));
    group.bench_function("dataset", |b| b.iter(|| black_box(dataset(&files))));
    group.bench_function("parser alone", |b| {
        b.iter(|| {
            let quads = files
                .iter()
                .map(|(_, text)| TriGParser::new().for_slice(text).count());
            black_box(quads.sum::<usize>())
        });
    });
    group.finish();
}

fn key(criterion: &mut Criterion) {
    let files = synthetic::files(30_000, 20_000, 30_000);
    let mut group = criterion.benchmark_group("key");
    group.sample_size(10);
    let query = parse_query(synthetic::KEY).unwrap();
    let loaded = federation(&files);
    group.bench_function("federation", |b| {
        b.iter(|| loaded.evaluate(&query, &Cancel::new()).unwrap().len());
    });
    // As the evaluator reads it, the key takes half a minute: it is spared the EXISTS.
    let joined = parse_query(&synthetic::KEY.replace("FILTER EXISTS", "")).unwrap();
    group.bench_function("federation, joined", |b| {
        b.iter(|| loaded.evaluate(&joined, &Cancel::new()).unwrap().len());
    });
    let loaded = dataset(&files);
    group.bench_function("dataset, joined", |b| {
        b.iter(|| {
            let evaluator = QueryEvaluator::new();
            match evaluator.prepare(&joined).execute(&loaded).unwrap() {
                QueryResults::Solutions(solutions) => solutions.count(),
                _ => 0,
            }
        });
    });
    group.finish();
}

criterion_group!(benches, load, key);
criterion_main!(benches);
