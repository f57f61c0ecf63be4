//! Gene Ontology biological process 2022-07-01, and the human genes that are annotated with it.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use rusqlite::{Connection, OpenFlags, params};

use super::mondo::underscored;
use super::ontology::{Ontology, Term};
use super::sources::{GO_DB, ORG_HS_EG_DB, Package};
use super::trig::Prefix;

/// What GO's classes are written with.
pub(super) const PREFIX: Prefix = ("go", "http://purl.obolibrary.org/obo/GO_");

const TERMS: &str = "usr/lib/R/site-library/GO.db/extdata/GO.sqlite";
const GENES: &str = "usr/lib/R/site-library/org.Hs.eg.db/extdata/org.Hs.eg.sqlite";

/// The process ontology with the database of human genes.
pub(super) struct Go {
    pub(super) ontology: Ontology,
    genes: Connection,
}

/// Reads the hierarchy and opens the genes.
pub(super) fn read() -> anyhow::Result<Go> {
    let database = open(&GO_DB, TERMS)?;
    let mut terms: BTreeMap<String, Term> = BTreeMap::new();
    let mut query = database.prepare("SELECT go_id, term FROM go_term WHERE ontology = 'BP'")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let id: String = row.get(0)?;
        let label = row.get(1)?;
        terms.insert(
            underscored(&id),
            Term {
                label,
                ..Term::default()
            },
        );
    }
    // The other relationship types (part of, regulates) are not subclasses, and the hub does not say they are.
    let mut query = database.prepare(
        "SELECT child.go_id, parent.go_id FROM go_bp_parents
         JOIN go_term AS child ON child._id = go_bp_parents._id
         JOIN go_term AS parent ON parent._id = go_bp_parents._parent_id
         WHERE relationship_type = 'isa'",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (child, parent): (String, String) = (row.get(0)?, row.get(1)?);
        if let Some(term) = terms.get_mut(&underscored(&child)) {
            term.parents.insert(underscored(&parent));
        }
    }
    Ok(Go {
        ontology: Ontology::new(terms),
        genes: open(&ORG_HS_EG_DB, GENES)?,
    })
}

impl Go {
    /// The one Ensembl accession of a human gene by its symbol.
    pub(super) fn accession(&self, symbol: &str) -> anyhow::Result<String> {
        let accessions: BTreeSet<String> = self.column(
            "SELECT ensembl_id FROM ensembl JOIN gene_info USING (_id) WHERE symbol = ?1",
            symbol,
        )?;
        let mut accessions = accessions.into_iter();
        match (accessions.next(), accessions.next()) {
            (Some(only), None) => Ok(only),
            _ => anyhow::bail!(
                "{symbol} has not exactly one Ensembl accession; leave it out of genes.tsv"
            ),
        }
    }

    /// The processes that a human gene is directly annotated with, those that the ontology's release still has.
    pub(super) fn processes(&self, symbol: &str) -> anyhow::Result<BTreeSet<String>> {
        let annotated: BTreeSet<String> = self.column(
            "SELECT go_id FROM go_bp JOIN gene_info USING (_id) WHERE symbol = ?1",
            symbol,
        )?;
        let processes = annotated.iter().map(|id| underscored(id));
        Ok(processes.filter(|id| self.ontology.contains(id)).collect())
    }

    fn column(&self, query: &str, symbol: &str) -> anyhow::Result<BTreeSet<String>> {
        let mut query = self.genes.prepare_cached(query)?;
        let rows = query.query_map(params![symbol], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn open(package: &Package, member: &str) -> anyhow::Result<Connection> {
    let path = package.unpacked()?.join(member);
    Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .with_context(|| format!("failed to open {}", path.display()))
}
