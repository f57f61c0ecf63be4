//! The corpus and the loaded snapshot, for the tests that ask real queries.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a function that a test calls fails with the test"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use federation::{Catalogue, Federation, Limits};
use record::{Control, Corpus, Record};
use table::Table;

/// The whole snapshot, checked against its manifest and loaded once for all tests of a file.
static FEDERATION: LazyLock<Federation> = LazyLock::new(|| {
    let folder = root().join("benchmarks-ontology/snapshot");
    let manifest = fs::read(folder.join("manifest.json")).expect("the manifest is committed");
    let catalogue = Catalogue::parse(&manifest).expect("the manifest is well formed");
    let mut federation = Federation::new();
    for file in &catalogue.files {
        let bytes = fs::read(folder.join(&file.file)).expect("every listed file is committed");
        file.check(&bytes)
            .expect("the file is the one that the manifest lists");
        let report = federation
            .load(&file.file, &bytes)
            .expect("the file is TriG");
        assert_eq!(report.quads as u64, file.quads, "{}", file.file);
    }
    federation
});

/// The records and controls of the repository.
pub(crate) static CORPUS: LazyLock<Corpus> =
    LazyLock::new(|| Corpus::from_files(files("benchmarks-ontology"), files("controls-ontology")));

/// The question that a tier asks.
pub(crate) fn question(tier: &str) -> &'static Record {
    CORPUS
        .question_of_tier(tier)
        .unwrap_or_else(|| panic!("no question of {tier}"))
}

/// The control of a tier by its letter.
pub(crate) fn control(tier: &str, letter: char) -> &'static Control {
    let controls = CORPUS.controls_of(tier);
    let found = controls
        .into_iter()
        .find(|control| control.letter == letter);
    found.unwrap_or_else(|| panic!("no control {letter} of {tier}"))
}

/// The table of a query over the snapshot.
pub(crate) fn ask(sparql: &str) -> Table {
    FEDERATION
        .query(sparql, &Limits::default())
        .unwrap_or_else(|error| panic!("{error}: {sparql}"))
}

fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("the tests lie in the workspace")
        .to_owned()
}

/// The `.rq` files under a folder, by their paths from the root.
fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join(folder)).expect("the folder is committed") {
        let name = entry.expect("readable").file_name();
        let path = format!("{folder}/{}", name.display());
        if Path::new(&path)
            .extension()
            .is_some_and(|extension| extension == "rq")
        {
            let bytes = fs::read(root().join(&path)).expect("readable");
            files.push((path, bytes));
        } else if root().join(&path).is_dir() {
            files.extend(self::files(&path));
        }
    }
    files
}
