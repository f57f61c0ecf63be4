//! From a request to what it asks: the query operation of the SPARQL 1.1 protocol.

use axum::http::{Method, StatusCode};
use federation::{QueryError, parse_query};
use oxrdf::NamedNode;
use spargebra::Query;
use spargebra::algebra::QueryDataset;
use thiserror::Error;

/// The longest body of a request, in bytes.
pub const MAX_BODY: usize = 4 << 20;

/// What a request asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// The rows of a query, whose dataset is the one that the request says.
    Query(Box<Query>),
    /// What the endpoint says about itself.
    Description,
}

/// A request that is not answered, with its status and what is said to the person behind it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Refusal {
    /// The status of the reply.
    pub status: StatusCode,
    /// The body of the reply, as plain text.
    pub message: String,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
        }
    }

    fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }
}

impl From<QueryError> for Refusal {
    fn from(error: QueryError) -> Self {
        let status = match error {
            QueryError::Evaluation { .. } | QueryError::Cancelled => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
            _ => StatusCode::BAD_REQUEST,
        };
        let remedy = error.remedy().map(|remedy| format!("; {remedy}"));
        Self::new(status, format!("{error}{}", remedy.unwrap_or_default()))
    }
}

/// The parameters of a request, from wherever the method puts them.
#[derive(Default)]
struct Parameters {
    query: Vec<String>,
    update: bool,
    default_graphs: Vec<String>,
    named_graphs: Vec<String>,
    others: bool,
}

impl Parameters {
    fn read(&mut self, encoded: &[u8]) {
        for (name, value) in form_urlencoded::parse(encoded) {
            match &*name {
                "query" => self.query.push(value.into_owned()),
                "update" => self.update = true,
                "default-graph-uri" => self.default_graphs.push(value.into_owned()),
                "named-graph-uri" => self.named_graphs.push(value.into_owned()),
                _ => self.others = true,
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.query.is_empty()
            && !self.update
            && self.default_graphs.is_empty()
            && self.named_graphs.is_empty()
            && !self.others
    }

    /// The dataset of the protocol, which stands instead of the query's own.
    fn dataset(&self) -> Result<Option<QueryDataset>, Refusal> {
        if self.default_graphs.is_empty() && self.named_graphs.is_empty() {
            return Ok(None);
        }
        let graphs = |name: &str, iris: &[String]| {
            let read = |iri: &String| {
                NamedNode::new(iri.as_str())
                    .map_err(|error| Refusal::bad(format!("{name} `{iri}` is no IRI: {error}")))
            };
            iris.iter().map(read).collect::<Result<Vec<_>, _>>()
        };
        Ok(Some(QueryDataset {
            default: graphs("default-graph-uri", &self.default_graphs)?,
            named: Some(graphs("named-graph-uri", &self.named_graphs)?),
        }))
    }
}

impl Question {
    /// Reads a request: its method, the part of its address behind `?`, its content type and its body.
    pub fn read(
        method: &Method,
        address_query: Option<&str>,
        content_type: Option<&str>,
        body: &[u8],
    ) -> Result<Self, Refusal> {
        let mut parameters = Parameters::default();
        parameters.read(address_query.unwrap_or_default().as_bytes());
        match *method {
            Method::GET | Method::HEAD => {
                if parameters.is_empty() {
                    return Ok(Self::Description);
                }
            }
            Method::POST => match essence(content_type).as_str() {
                "application/x-www-form-urlencoded" => parameters.read(body),
                "application/sparql-query" => {
                    if !parameters.query.is_empty() {
                        return Err(Refusal::bad(
                            "a query in the address and another in the body",
                        ));
                    }
                    let query = std::str::from_utf8(body).map_err(|error| {
                        Refusal::bad(format!(
                            "the query is not UTF-8 at byte {}",
                            error.valid_up_to()
                        ))
                    })?;
                    parameters.query.push(query.to_owned());
                }
                "application/sparql-update" => parameters.update = true,
                "" => {
                    return Err(Refusal::new(
                        StatusCode::UNSUPPORTED_MEDIA_TYPE,
                        format!("a body without a content type; {BODIES}"),
                    ));
                }
                other => {
                    return Err(Refusal::new(
                        StatusCode::UNSUPPORTED_MEDIA_TYPE,
                        format!("a body of type {other}; {BODIES}"),
                    ));
                }
            },
            _ => {
                return Err(Refusal::new(
                    StatusCode::METHOD_NOT_ALLOWED,
                    format!("{method} asks nothing; ask by GET or POST"),
                ));
            }
        }
        if parameters.update {
            return Err(Refusal::new(
                StatusCode::FORBIDDEN,
                "this endpoint is read-only; ask with SELECT, ASK, CONSTRUCT or DESCRIBE",
            ));
        }
        let text = match parameters.query.as_slice() {
            [text] => text,
            [] => return Err(Refusal::bad("no query; give it as the parameter `query`")),
            more => {
                let count = more.len();
                return Err(Refusal::bad(format!("{count} queries; give one")));
            }
        };
        let mut query = parse_query(text)?;
        if let Some(dataset) = parameters.dataset()? {
            *dataset_of(&mut query) = Some(dataset);
        }
        Ok(Self::Query(Box::new(query)))
    }
}

const BODIES: &str = "send application/x-www-form-urlencoded or application/sparql-query";

/// A content type without its parameters.
fn essence(content_type: Option<&str>) -> String {
    let media = content_type.unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default();
    media.trim().to_ascii_lowercase()
}

fn dataset_of(query: &mut Query) -> &mut Option<QueryDataset> {
    match query {
        Query::Select { dataset, .. }
        | Query::Construct { dataset, .. }
        | Query::Describe { dataset, .. }
        | Query::Ask { dataset, .. } => dataset,
    }
}
