//! What the engine does with a request: everything but receiving it.

use crate::message::{Answer, Failure, GraphSize, MAX_ROWS, NeededFile, Op, Reply, Request};
use federation::{
    Cancel, Catalogue, CatalogueError, Federation, FileEntry, Limits, LoadError, LoadErrorKind,
    QueryError, parse_query,
};

/// The federation, and what is known of the snapshot that fills it.
#[derive(Default)]
pub struct Engine {
    federation: Federation,
    /// The files of the last catalogue seen, to check what is loaded against.
    listed: Vec<FileEntry>,
}

impl Engine {
    /// One with nothing loaded.
    pub fn new() -> Self {
        Self::default()
    }

    /// Carries out a request. `now` is a clock in milliseconds from any start.
    ///
    /// ```
    /// use explorer_engine::Engine;
    /// use explorer_engine::message::{Answer, Op, Request};
    ///
    /// let op = Op::Query { sparql: "ASK {}".to_owned(), rows: None };
    /// let reply = Engine::new().answer(Request { id: 7, op }, || 0.0);
    /// assert_eq!(reply.id, 7);
    /// assert!(matches!(reply.result, Ok(Answer::Query { rows: 1, .. })));
    /// ```
    pub fn answer(&mut self, request: Request, now: impl Fn() -> f64) -> Reply {
        let start = now();
        let ms = || now() - start;
        let result = match request.op {
            Op::Load { file, bytes } => self.load(&file, &bytes).map(|quads| Answer::Load {
                file,
                quads,
                ms: ms(),
            }),
            Op::Query { sparql, rows } => {
                self.query(&sparql, rows).map(|(json, rows)| Answer::Query {
                    json,
                    rows,
                    ms: ms(),
                })
            }
            Op::Files { sparql, manifest } => self
                .files(&sparql, &manifest)
                .map(|files| Answer::Files { files }),
            Op::Parse { sparql } => parsed(&sparql),
            Op::Graphs => Ok(self.graphs()),
            Op::Cancel => Ok(Answer::Cancel),
        };
        Reply {
            id: request.id,
            result,
        }
    }

    fn load(&mut self, file: &str, bytes: &[u8]) -> Result<u32, Failure> {
        let entry = self.listed.iter().find(|entry| entry.file == file);
        // A server that undoes the compression sends other bytes than the catalogue lists; reading them still finds damage.
        let is_as_stored = bytes.starts_with(&[0x1F, 0x8B]);
        if let Some(entry) = entry.filter(|_| is_as_stored) {
            entry.check(bytes)?;
        }
        Ok(count(self.federation.load(file, bytes)?.quads))
    }

    fn query(&self, sparql: &str, rows: Option<u32>) -> Result<(String, u32), Failure> {
        let limits = Limits {
            rows: usize::try_from(rows.unwrap_or(MAX_ROWS)).ok(),
            cancel: Cancel::new(),
        };
        let table = self.federation.query(sparql, &limits)?;
        Ok((table::to_sparql_json(&table), count(table.len())))
    }

    fn files(&mut self, sparql: &str, manifest: &str) -> Result<Vec<NeededFile>, Failure> {
        let query = parse_query(sparql)?;
        let catalogue = Catalogue::parse(manifest.as_bytes())?;
        let needed = catalogue
            .files_for(&query)
            .into_iter()
            .map(|entry| NeededFile {
                file: entry.file.clone(),
                bytes: entry.bytes,
                sha256: entry.sha256.clone(),
                loaded: self.federation.is_loaded(&entry.file),
            })
            .collect();
        self.listed = catalogue.files;
        Ok(needed)
    }

    fn graphs(&self) -> Answer {
        let graphs = self.federation.graphs();
        Answer::Graphs {
            graphs: graphs
                .into_iter()
                .map(|graph| GraphSize {
                    iri: graph.name,
                    triples: count(graph.triples),
                })
                .collect(),
            files: self.federation.files().map(str::to_owned).collect(),
        }
    }
}

fn parsed(sparql: &str) -> Result<Answer, Failure> {
    let query = parse_query(sparql)?;
    let columns = record::columns_of(&query);
    let graphs = record::graphs_of(&query).into_iter().collect();
    Ok(Answer::Parse { columns, graphs })
}

/// A count as JavaScript and the messages have it.
fn count(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

impl Failure {
    /// A message that is not a request.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn of_message(message: String) -> Self {
        Self::new("message", message)
    }

    fn new(kind: &str, message: String) -> Self {
        Self {
            kind: kind.to_owned(),
            message,
            file: None,
            line: None,
            column: None,
            remedy: None,
        }
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        let (kind, message) = match &error {
            // The position has members of its own.
            QueryError::Syntax { message, .. } => ("syntax", message.clone()),
            QueryError::Update => ("update", error.to_string()),
            QueryError::Service { .. } => ("service", error.to_string()),
            QueryError::Nesting { .. } => ("nesting", error.to_string()),
            QueryError::TooManyRows { .. } => ("too-many-rows", error.to_string()),
            QueryError::Cancelled => ("cancelled", error.to_string()),
            QueryError::Evaluation { .. } => ("evaluation", error.to_string()),
        };
        let mut failure = Self::new(kind, message);
        failure.remedy = error.remedy().map(str::to_owned);
        (failure.line, failure.column) = error.position().unzip();
        failure
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        let narrow = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        let mut failure = Self::new("load", error.kind.to_string());
        failure.remedy = error.remedy().map(str::to_owned);
        if let LoadErrorKind::Syntax { line, column, .. } = error.kind {
            failure.line = Some(narrow(line));
            failure.column = Some(narrow(column));
        }
        failure.file = Some(error.file);
        failure
    }
}

impl From<CatalogueError> for Failure {
    fn from(error: CatalogueError) -> Self {
        let kind = match error {
            CatalogueError::Checksum { .. } => "load",
            CatalogueError::Json { .. }
            | CatalogueError::Version { .. }
            | CatalogueError::FileName { .. } => "manifest",
        };
        let mut failure = Self::new(kind, error.to_string());
        failure.remedy = Some("reload the page: its files may be of two versions".to_owned());
        failure
    }
}
