//! What the page and the engine say to each other.
//!
//! A [`Request`] travels as one plain JavaScript object, `{id, op, …}`, and is answered by one [`Reply`], `{id, ok, …}`,
//! in the order in which requests were sent. The page picks `id`; the engine only repeats it.
//!
//! A worker that is busy reads no messages, so a running query cannot be cancelled by sending one. The page cancels by
//! calling `terminate()` on the worker and starting a new one, whose graphs are loaded again from the browser's cache.
//! [`Op::Cancel`] exists so that a page need not know whether the engine is busy: an idle engine answers it at once.

use serde::{Deserialize, Serialize};

/// One message from the page to the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Chosen by the page, repeated in the reply.
    pub id: u32,
    /// What is asked.
    #[serde(flatten)]
    pub op: Op,
}

/// What the page asks for. On the wire the variant's name is the member `op`, in kebab-case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case")]
pub enum Op {
    /// Add a snapshot file to the federation. A file that is already loaded is not read again.
    Load {
        /// Its name as in the catalogue: the ending says the format, and errors repeat it.
        file: String,
        /// Its bytes as fetched, an `ArrayBuffer` or `Uint8Array`; gzip is recognised by its first bytes.
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    },
    /// Evaluate a query over what is loaded.
    Query {
        /// The query.
        sparql: String,
        /// Fail rather than return more rows than this; absent: [`MAX_ROWS`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rows: Option<u32>,
    },
    /// Which snapshot files a query needs. Needs no file to be loaded.
    Files {
        /// The query.
        sparql: String,
        /// The text of `snapshot/manifest.json`.
        manifest: String,
    },
    /// Check a query without running it.
    Parse {
        /// The query.
        sparql: String,
    },
    /// What is loaded.
    Graphs,
    /// Nothing, to an engine that is idle enough to read it: see the [module documentation](self).
    Cancel,
}

/// The rows a query may return where [`Op::Query`] sets no limit of its own: more than a page can show or a CSV
/// download should hold.
pub const MAX_ROWS: u32 = 1_000_000;

/// One message from the engine to the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Wire", into = "Wire")]
pub struct Reply {
    /// The request's.
    pub id: u32,
    /// On the wire, `ok` says which of the two it is.
    pub result: Result<Answer, Failure>,
}

/// A request that was carried out. On the wire the variant's name is the member `op`, in kebab-case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case")]
pub enum Answer {
    /// To [`Op::Load`].
    Load {
        /// The request's.
        file: String,
        /// Quads read; 0 where the file had been loaded before.
        quads: u32,
        /// Milliseconds that reading it took.
        ms: f64,
    },
    /// To [`Op::Query`].
    Query {
        /// The table as SPARQL JSON, which keeps the types of its cells.
        json: String,
        /// Its rows.
        rows: u32,
        /// Milliseconds from the query's text to the table.
        ms: f64,
    },
    /// To [`Op::Files`].
    Files {
        /// In the catalogue's order.
        files: Vec<NeededFile>,
    },
    /// To [`Op::Parse`].
    Parse {
        /// The columns that the query will return, in order, without `?`.
        columns: Vec<String>,
        /// The named graphs that its text names, sorted.
        graphs: Vec<String>,
    },
    /// To [`Op::Graphs`].
    Graphs {
        /// Sorted by IRI.
        graphs: Vec<GraphSize>,
        /// Names of the files loaded, sorted.
        files: Vec<String>,
    },
    /// To [`Op::Cancel`].
    Cancel,
}

/// A snapshot file that a query needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeededFile {
    /// Its name, relative to the manifest.
    pub file: String,
    /// Its size as stored, in bytes.
    pub bytes: u64,
    /// SHA-256 of it as stored, in lowercase hexadecimal.
    pub sha256: String,
    /// Whether it is loaded already.
    pub loaded: bool,
}

/// A named graph that is loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphSize {
    /// The graph's IRI.
    pub iri: String,
    /// Its distinct triples.
    pub triples: u32,
}

/// A request that was not carried out; what was loaded stays as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// To match on: `syntax`, `update`, `service`, `nesting`, `too-many-rows`, `cancelled`, `evaluation`, `load`,
    /// `manifest` or `message`.
    pub kind: String,
    /// A fragment for people, without position.
    pub message: String,
    /// The file that is wrong, where it is one; else the position is in the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// 1-based line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// 1-based column, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What to do about it, where there is something to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// A reply as an object: `{id, ok: true, op, …}` or `{id, ok: false, error: {…}}`.
#[derive(Serialize, Deserialize)]
struct Wire {
    id: u32,
    ok: bool,
    #[serde(flatten)]
    body: Body,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Body {
    Error { error: Failure },
    Answer(Answer),
}

impl From<Reply> for Wire {
    fn from(reply: Reply) -> Self {
        let (ok, body) = match reply.result {
            Ok(answer) => (true, Body::Answer(answer)),
            Err(error) => (false, Body::Error { error }),
        };
        Self {
            id: reply.id,
            ok,
            body,
        }
    }
}

impl From<Wire> for Reply {
    fn from(wire: Wire) -> Self {
        Self {
            id: wire.id,
            result: match wire.body {
                Body::Answer(answer) => Ok(answer),
                Body::Error { error } => Err(error),
            },
        }
    }
}
