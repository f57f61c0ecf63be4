//! A control and a key of a given size, and their whole analysis: what both benchmarks time.

use control::{Analysis, Case, Classes, Grounds, NoSuchColumn, Taxonomy, analyse};
use table::{Cell, Number, NumberKind, Table};

/// Classes of the hierarchy: as many as MONDO has, nine levels deep.
const CLASSES: usize = 30_000;

const WORDS: [&str; 6] = [
    "myocarditis",
    "avascular necrosis",
    "Kawasaki disease",
    "cardiovascular anomaly",
    "preeclampsia",
    "vasculitis",
];

/// Tables that differ in every way that an analysis looks for.
pub(crate) struct Sample {
    key: Table,
    all: Table,
    control: Table,
    taxonomy: Taxonomy,
    keywords: Vec<String>,
    roots: Vec<String>,
}

impl Sample {
    /// A key of so many rows, a tenth more without its LIMIT, and a control of as many: of the key's rows it misses a
    /// tenth and changes a hundredth; half of what it has instead is below the cut, the other half invented.
    pub(crate) fn new(rows: usize) -> Self {
        let all: Vec<_> = (0..rows + rows / 10).map(|n| row(n, 0)).collect();
        let key = all[..rows].to_vec();
        let mut control: Vec<_> = (0..rows)
            .filter(|n| n % 10 != 3)
            .map(|n| row(n, usize::from(n % 100 == 7)))
            .collect();
        control.extend((0..rows / 20).map(|n| row(rows + n, 0)));
        control.extend((0..rows / 20).map(|n| row(9_000_000 + n, 0)));
        let columns = ["class", "parent", "label"].map(str::to_owned).to_vec();
        let hierarchy = (0..CLASSES)
            .map(|n| {
                let parent = n.checked_sub(1).map(|n| n / 3);
                vec![
                    iri(n),
                    parent.map_or(Cell::Missing, iri),
                    Cell::Text(name(n).into()),
                ]
            })
            .collect();
        Self {
            key: table(key),
            all: table(all),
            control: table(control),
            taxonomy: Taxonomy::from_table(&Table::new(columns, hierarchy)),
            keywords: vec!["cardio".to_owned(), "vascular".to_owned()],
            roots: vec![iri(0).to_string()],
        }
    }

    /// The analysis, reasons included.
    pub(crate) fn analyse(&self) -> Result<Analysis, NoSuchColumn> {
        let case = Case {
            key: &self.key,
            key_all: Some(&self.all),
            control: &self.control,
            identity: None,
            order: &[(2, true), (1, false)],
            walks_hierarchy: false,
        };
        Ok(analyse(&case)?.explained(&Grounds {
            keywords: &self.keywords,
            roots: &self.roots,
            taxonomy: &self.taxonomy,
            key: &Classes::Rows,
            control: &Classes::Rows,
        }))
    }
}

fn table(rows: Vec<Vec<Cell>>) -> Table {
    Table::new(
        ["name", "condition", "datasets"]
            .map(str::to_owned)
            .to_vec(),
        rows,
    )
}

fn row(n: usize, more: usize) -> Vec<Cell> {
    let count = 10_000_000 - n.min(9_999_999) + more;
    let count = Number::parse(&count.to_string(), NumberKind::Integer);
    vec![
        Cell::Text(name(n).into()),
        iri(n),
        count.map_or(Cell::Missing, Cell::Number),
    ]
}

fn name(n: usize) -> String {
    format!("{}, type {n}", WORDS[n % WORDS.len()])
}

fn iri(n: usize) -> Cell {
    Cell::Iri(format!("http://purl.obolibrary.org/obo/MONDO_{n:07}").into())
}
