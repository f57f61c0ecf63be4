//! The demo's part of AVA: from excerpts of the snapshot's ontologies to triplets, and to what letters and words alone make
//! of them, and of a taxonomy. It needs no model.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use flate2::read::GzDecoder;

use crate::{paths, shell};

/// A file of the snapshot, the class whose closure is taken from it, and what the excerpt is called. The two of MONDO share
/// classes (preeclampsia is in both), as ontologies do: of anchors that both state, `ava filter` keeps one.
const EXCERPTS: [(&str, &str, &str); 4] = [
    (
        "ubergraph-mondo.trig.gz",
        "mondo:0004995",
        "mondo-cardiovascular",
    ),
    (
        "ubergraph-mondo.trig.gz",
        "mondo:0024575",
        "mondo-pregnancy",
    ),
    ("ubergraph-hpo.trig.gz", "hp:0000708", "hpo-behaviour"),
    ("ubergraph-go.trig.gz", "go:0046879", "go-hormone-secretion"),
];
/// Says of a subject that it is a class, and begins its label.
const CLASS: &str = " a <http://www.w3.org/2002/07/owl#Class>;rdfs:label ";
const BASELINES: [&str; 2] = ["trigrams", "words"];
/// The excerpt whose taxonomy is looked for by the labels of its classes.
const TAXONOMY: &str = "hpo-behaviour";

/// What `publish` is to put into the site.
pub(crate) struct Ava {
    /// Results of the baselines, on triplets and on a taxonomy.
    pub(crate) results: Vec<PathBuf>,
    /// Triplets to browse.
    pub(crate) triplets: Vec<PathBuf>,
}

/// Makes triplets by rule in `folder` and judges the baselines on them.
pub(crate) fn make(program: &Path, folder: &Path) -> anyhow::Result<Ava> {
    fs::create_dir_all(folder)?;
    let ava = |arguments: &[&str], files: &[(&str, &Path)]| {
        let mut command = shell::command(program);
        command.arg("ava").args(arguments);
        for (option, file) in files {
            command.arg(option).arg(file);
        }
        command.stdout(std::process::Stdio::null());
        shell::run(command)
    };
    let subgraphs = folder.join("subgraphs");
    let mut raw = String::new();
    for (file, root, name) in EXCERPTS {
        let snapshot = paths::root()
            .join("benchmarks-ontology/snapshot")
            .join(file);
        let ontology = folder.join(format!("{name}.ttl"));
        fs::write(&ontology, excerpt(&unpacked(&snapshot)?, root))?;
        ava(
            &["extract"],
            &[("--ontology", &ontology), ("--out", &subgraphs)],
        )?;
        let made = folder.join(format!("{name}.json"));
        ava(
            &["synthesize"],
            &[
                ("--subgraphs", &subgraphs),
                ("--ontology", &ontology),
                ("--out", &made),
            ],
        )?;
        raw.push_str(&records(&fs::read_to_string(&made)?));
    }
    let all = folder.join("raw.jsonl");
    fs::write(&all, raw)?;
    let set = folder.join("demo");
    ava(&["filter"], &[("--in", &all), ("--out", &set)])?;
    let kept = set.join("kept.json");
    let mut results = Vec::new();
    for name in BASELINES {
        let result = folder.join(format!("{name}.json"));
        let details = folder.join(format!("{name}-triplets.json"));
        ava(
            &["evaluate", "--model", &format!("baseline:{name}")],
            &[
                ("--data", &kept),
                ("--out", &result),
                ("--details", &details),
            ],
        )?;
        results.push(result);
        let ontology = folder.join(format!("{TAXONOMY}.ttl"));
        let taxonomy = folder.join(format!("{name}-taxonomy.json"));
        let mut command = shell::command(program);
        command.args(["ava", "taxonomy", "--json", "--model"]);
        command.arg(format!("baseline:{name}"));
        command.arg("--ontology").arg(&ontology);
        let file = fs::File::create(&taxonomy)
            .with_context(|| format!("cannot write {}", taxonomy.display()))?;
        command.stdout(file);
        shell::run(command)?;
        results.push(taxonomy);
    }
    let triplets = ["kept.json", "hard.json", "dropped.json"].map(|name| set.join(name));
    Ok(Ava {
        results,
        triplets: triplets.into(),
    })
}

fn unpacked(file: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut text = String::new();
    GzDecoder::new(bytes.as_slice())
        .read_to_string(&mut text)
        .with_context(|| format!("cannot unpack {}", file.display()))?;
    Ok(text)
}

/// The closure of `root` as Turtle. The snapshot has a class a line, `hp:1 rdfs:label "…";rdfs:subClassOf hp:2,hp:3 .`, and
/// does not say that each is a class, as an ontology must.
fn excerpt(snapshot: &str, root: &str) -> String {
    let mut head = String::new();
    let mut classes = BTreeMap::new();
    let mut below: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in snapshot.lines() {
        let Some((class, rest)) = line.split_once(" rdfs:label ") else {
            if line.starts_with("PREFIX ") {
                head.push_str(line);
                head.push('\n');
            }
            continue;
        };
        classes.insert(class, rest);
        // Behind the label's closing quotation mark, so no label is taken for parents.
        if let Some((_, above)) = rest.rsplit_once("\";rdfs:subClassOf ") {
            for parent in above.trim_end_matches(" .").split(',') {
                below.entry(parent).or_default().push(class);
            }
        }
    }
    let mut closure = BTreeSet::new();
    let mut open = vec![root];
    while let Some(class) = open.pop() {
        if closure.insert(class) {
            open.extend(below.get(class).into_iter().flatten());
        }
    }
    let mut text = head;
    for class in closure {
        if let Some(rest) = classes.get(class) {
            for part in [class, CLASS, rest, "\n"] {
                text.push_str(part);
            }
        }
    }
    text
}

/// The records of a JSON array that has one a line, as one object a line.
fn records(array: &str) -> String {
    let mut records = String::new();
    for line in array.lines().filter(|line| line.starts_with('{')) {
        records.push_str(line.trim_end_matches(','));
        records.push('\n');
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_the_closure_with_its_classes_declared() {
        let snapshot = "# Made by\nPREFIX hp: <http://e/HP_>\nGRAPH kg:x {\nhp:1 rdfs:label \"all\" .\nhp:2 rdfs:label \"a \\\";rdfs:subClassOf hp:9\";rdfs:subClassOf hp:1 .\nhp:3 rdfs:label \"b\";rdfs:subClassOf hp:2,hp:4 .\nhp:4 rdfs:label \"c\";rdfs:subClassOf hp:1 .\n}\n";
        assert_eq!(
            excerpt(snapshot, "hp:2"),
            "PREFIX hp: <http://e/HP_>\nhp:2 a <http://www.w3.org/2002/07/owl#Class>;rdfs:label \"a \\\";rdfs:subClassOf hp:9\";rdfs:subClassOf hp:1 .\nhp:3 a <http://www.w3.org/2002/07/owl#Class>;rdfs:label \"b\";rdfs:subClassOf hp:2,hp:4 .\n"
        );
    }

    #[test]
    fn a_snapshot_has_the_roots_and_what_is_below_them() -> anyhow::Result<()> {
        for (file, root, _) in EXCERPTS {
            let snapshot = paths::root()
                .join("benchmarks-ontology/snapshot")
                .join(file);
            let classes = excerpt(&unpacked(&snapshot)?, root)
                .matches("owl#Class")
                .count();
            assert!((50..5_000).contains(&classes), "{root}: {classes}");
        }
        Ok(())
    }

    #[test]
    fn records_of_an_array_stand_alone() {
        assert_eq!(
            records("[\n{\"a\": 1},\n{\"b\": 2}\n]\n"),
            "{\"a\": 1}\n{\"b\": 2}\n"
        );
    }
}
