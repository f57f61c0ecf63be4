//! Analysing controls: everything that a question's key has to be asked for, asked once for all its controls.

use control::{
    Analysis, AnalysisPlan, Case, ClassSource, Classes, Grounds, NoSuchColumn, Taxonomy, analyse,
};
use record::Record;
use spargebra::Query;
use table::Table;
use thiserror::Error;

use crate::endpoint::{Endpoint, EndpointError};
use crate::keys::{KeyError, KeyRun, Uncut};

/// A key that its controls are judged by.
#[derive(Debug)]
pub struct Analyst<'a> {
    key: &'a Query,
    table: Table,
    uncut: Option<Table>,
    identity: Option<String>,
    order: Vec<(usize, bool)>,
    roots: Vec<String>,
    taxonomy: Taxonomy,
    classes: Classes,
}

/// Why controls could not be judged by a key.
#[derive(Debug, Error)]
pub enum AnalystError {
    /// The key gave no table, or what explains it did not.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The column that was to tell rows apart is not the key's.
    #[error(transparent)]
    Column(#[from] NoSuchColumn),
}

impl From<EndpointError> for AnalystError {
    fn from(error: EndpointError) -> Self {
        Self::Key(error.into())
    }
}

impl<'a> Analyst<'a> {
    /// Runs a key, with and without its LIMIT, and fetches the hierarchy that it walks. `identity` is the column that
    /// tells rows apart; the first column of IRIs unless given.
    pub async fn of(
        record: &'a Record,
        identity: Option<&str>,
        endpoint: &Endpoint,
    ) -> Result<Self, AnalystError> {
        let table = KeyRun::of(record, endpoint).await?.table;
        let Some(key) = &record.query else {
            return Err(KeyError::no_query(record).into());
        };
        let uncut = Uncut::of(record, endpoint).await?.map(|uncut| uncut.table);
        let found = || {
            let column = control::identity_column(uncut.as_ref().unwrap_or(&table))?;
            table.columns().get(column).cloned()
        };
        // Checked before anything is asked by it.
        let asked = identity.map(|asked| control::column_named(&table, asked));
        let asked = asked
            .transpose()?
            .map(|column| table.columns()[column].clone());
        let identity = asked.or_else(found);
        let plan = AnalysisPlan::new(key, key, identity.as_deref().unwrap_or_default());
        let mut taxonomy = Taxonomy::default();
        for query in &plan.hierarchy {
            taxonomy.add(&endpoint.query(query).await?.table);
        }
        Ok(Self {
            key,
            classes: classes(&plan.key_classes, endpoint).await?,
            table,
            uncut,
            identity,
            order: plan.order,
            roots: plan.roots,
            taxonomy,
        })
    }

    /// The hierarchy that the key walks, at and below its roots.
    pub fn taxonomy(&self) -> &Taxonomy {
        &self.taxonomy
    }

    /// Judges the rows of a control.
    pub async fn judge(
        &self,
        control: &Query,
        rows: &Table,
        keywords: &[String],
        endpoint: &Endpoint,
    ) -> Result<Analysis, AnalystError> {
        let identity = self.identity.as_deref();
        let plan = AnalysisPlan::new(self.key, control, identity.unwrap_or_default());
        let case = Case {
            key: &self.table,
            key_all: self.uncut.as_ref(),
            control: rows,
            identity,
            order: &self.order,
            walks_hierarchy: plan.walks_hierarchy,
        };
        let analysis = analyse(&case)?;
        let grounds = Grounds {
            keywords,
            roots: &self.roots,
            taxonomy: &self.taxonomy,
            key: &self.classes,
            control: &classes(&plan.control_classes, endpoint).await?,
        };
        Ok(analysis.explained(&grounds))
    }
}

async fn classes(source: &ClassSource, endpoint: &Endpoint) -> Result<Classes, EndpointError> {
    Ok(match source {
        ClassSource::Rows => Classes::Rows,
        ClassSource::Query(query) => Classes::from_table(&endpoint.query(query).await?.table),
        ClassSource::Unknown => Classes::Unknown,
    })
}
