//! The dependency arrows: they point down, dev-dependencies included, and what only the program may use stays there.
//!
//! Cargo refuses circles among normal dependencies but accepts them among dev-dependencies, and it knows nothing of layers.
#![expect(
    clippy::unwrap_used,
    reason = "a function that a test calls fails with the test"
)]

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};

/// Every member with the members it may depend on. ARCHITECTURE.md draws the same picture.
const ARROWS: [(&str, &[&str]); 16] = [
    ("table", &[]),
    ("record", &[]),
    ("rdfxml", &[]),
    ("score", &["table"]),
    ("federation", &["rdfxml", "table"]),
    ("control", &["record", "score", "table"]),
    ("lint", &["control", "record"]),
    ("edge", &["lint", "control", "record", "score", "table"]),
    ("sweep", &["lint", "control", "record", "score", "table"]),
    ("ontology", &["rdfxml"]),
    ("ava", &["ontology"]),
    (
        "explorer-engine",
        &["federation", "record", "control", "score", "table"],
    ),
    (
        "explorer",
        &[
            "explorer-engine",
            "sweep",
            "lint",
            "control",
            "federation",
            "score",
            "table",
            "ava",
        ],
    ),
    (
        "worker",
        &[
            "ontology",
            "ava",
            "sweep",
            "lint",
            "control",
            "federation",
            "record",
            "score",
            "table",
        ],
    ),
    ("xtask", &["federation", "record", "table"]),
    (
        "workspace-tests",
        &[
            "sweep",
            "lint",
            "control",
            "federation",
            "record",
            "score",
            "table",
        ],
    ),
];

/// Packages that need threads, sockets or files, and the only member that may reach them.
const NATIVE_ONLY: [&str; 8] = [
    "tokio",
    "reqwest",
    "rmcp",
    "hyper",
    "indicatif",
    "candle-core",
    "tokenizers",
    "rayon",
];

/// Members that must compile for a page, and so reach none of [`NATIVE_ONLY`].
const IN_A_PAGE: [&str; 13] = [
    "record",
    "table",
    "score",
    "control",
    "lint",
    "edge",
    "federation",
    "sweep",
    "rdfxml",
    "ontology",
    "ava",
    "explorer",
    "explorer-engine",
];

#[test]
fn arrows_point_down() {
    let metadata = metadata(&[]);
    let allowed: BTreeMap<&str, BTreeSet<&str>> = ARROWS
        .iter()
        .map(|(from, to)| (*from, to.iter().copied().collect()))
        .collect();
    let members: BTreeSet<&str> = metadata
        .workspace_packages()
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    let listed: BTreeSet<&str> = allowed.keys().copied().collect();
    assert_eq!(
        members, listed,
        "a member without a place in the picture, or a place without a member"
    );

    let mut wrong = Vec::new();
    for package in metadata.workspace_packages() {
        let from = package.name.as_str();
        for dependency in &package.dependencies {
            let to = dependency.name.as_str();
            if members.contains(to) && !allowed[from].contains(to) {
                let kind = match dependency.kind {
                    DependencyKind::Development => " (dev)",
                    _ => "",
                };
                wrong.push(format!("{from} -> {to}{kind}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "arrows that the picture does not have: {wrong:?}"
    );
}

#[test]
fn the_picture_itself_has_no_circle() {
    let below: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    for (start, _) in ARROWS {
        let mut queue: VecDeque<&str> = below[start].iter().copied().collect();
        let mut seen = BTreeSet::new();
        while let Some(name) = queue.pop_front() {
            assert_ne!(name, start, "{start} is above itself");
            if seen.insert(name) {
                queue.extend(below[name]);
            }
        }
    }
}

#[test]
fn nothing_native_reaches_a_page() {
    let metadata = metadata(&["--filter-platform", "wasm32-unknown-unknown"]);
    let mut wrong = Vec::new();
    for package in metadata.workspace_packages() {
        if IN_A_PAGE.contains(&package.name.as_str()) {
            wrong.extend(paths_to(&metadata, package, &NATIVE_ONLY));
        }
    }
    assert!(
        wrong.is_empty(),
        "reached from a member that runs in a page: {wrong:#?}"
    );
}

#[test]
fn the_guard_sees_what_it_guards() {
    // The worker does use tokio: if no path to it is found, the search above would pass on anything.
    let metadata = metadata(&[]);
    let packages = metadata.workspace_packages();
    let worker = packages
        .iter()
        .find(|package| package.name.as_str() == "worker")
        .unwrap();
    assert!(!paths_to(&metadata, worker, &["tokio"]).is_empty());
}

fn metadata(options: &[&str]) -> Metadata {
    MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"))
        .other_options(
            options
                .iter()
                .map(|option| (*option).to_owned())
                .collect::<Vec<_>>(),
        )
        .exec()
        .unwrap()
}

/// The shortest path, by normal dependencies, from a member to each forbidden package that it reaches.
fn paths_to(metadata: &Metadata, member: &Package, forbidden: &[&str]) -> Vec<String> {
    let resolve = metadata.resolve.as_ref().unwrap();
    let nodes: BTreeMap<&PackageId, _> =
        resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let mut came_from: BTreeMap<&PackageId, &PackageId> = BTreeMap::new();
    let mut queue = VecDeque::from([&member.id]);
    let mut found = Vec::new();
    while let Some(id) = queue.pop_front() {
        if forbidden.contains(&metadata[id].name.as_str()) {
            let mut names = vec![metadata[id].name.to_string()];
            let mut at = id;
            while let Some(parent) = came_from.get(at) {
                names.push(metadata[*parent].name.to_string());
                at = parent;
            }
            names.reverse();
            found.push(names.join(" -> "));
            continue;
        }
        for dependency in &nodes[id].deps {
            let normal = dependency
                .dep_kinds
                .iter()
                .any(|kind| kind.kind == DependencyKind::Normal);
            if normal && dependency.pkg != member.id && !came_from.contains_key(&dependency.pkg) {
                came_from.insert(&dependency.pkg, id);
                queue.push_back(&dependency.pkg);
            }
        }
    }
    found
}
