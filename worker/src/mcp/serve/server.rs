//! The server: calls in, replies out.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use oxrdf::NamedNode;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotificationParam,
    ContentBlock, ErrorData, Implementation, JsonObject, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sweep::ResultKind;

use super::arguments;
use super::fault::Bench;
use super::graphs::Graphs;
use super::hierarchy::Hierarchy;
use super::join;
use super::query::Queries;
use super::reply::{Refused, result};
use super::tools;
use crate::endpoint::Endpoint;
use crate::output::Output;

/// Answers calls of the federation's tools over an endpoint. A clone is the same server for another session.
#[derive(Clone)]
pub struct Server {
    shared: Arc<Shared>,
}

struct Shared {
    endpoint: Arc<Endpoint>,
    graphs: Arc<Graphs>,
    hierarchy: Arc<Hierarchy>,
    queries: Queries,
    bench: Arc<Bench>,
    output: Output,
}

/// The reply of `lookup_uri`; `error` where it failed.
#[derive(Serialize)]
struct Lookup {
    query_label: String,
    match_count: usize,
    matches: Vec<Match>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[expect(
    clippy::struct_field_names,
    reason = "the members are named as the public server names them"
)]
#[derive(Serialize)]
struct Match {
    uri: String,
    label: String,
    match_type: String,
}

/// The reply of `get_descendants`; `error` where it failed.
#[expect(
    clippy::struct_field_names,
    reason = "the members are named as the public server names them"
)]
#[derive(Serialize)]
struct Descendants {
    uri: String,
    label: Option<String>,
    max_depth: u32,
    descendant_count: usize,
    descendants: Vec<Descendant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct Descendant {
    uri: String,
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("endpoint", &self.endpoint())
            .finish_non_exhaustive()
    }
}

impl Server {
    /// The address of the endpoint behind it, without what could be a secret; `embedded` for the one inside the program.
    pub fn endpoint(&self) -> &str {
        &self.shared.endpoint.provenance().endpoint
    }

    /// A server over an endpoint, which fails as the bench says.
    pub fn new(endpoint: Arc<Endpoint>, bench: Arc<Bench>, output: Output) -> Self {
        let graphs = Arc::new(Graphs::new(Arc::clone(&endpoint)));
        let hierarchy = Arc::new(Hierarchy::new(Arc::clone(&endpoint)));
        let queries = Queries {
            endpoint: Arc::clone(&endpoint),
            graphs: Arc::clone(&graphs),
            hierarchy: Arc::clone(&hierarchy),
        };
        Self {
            shared: Arc::new(Shared {
                endpoint,
                graphs,
                hierarchy,
                queries,
                bench,
                output,
            }),
        }
    }

    async fn answer(&self, name: &str, arguments: JsonObject) -> CallToolResult {
        let shared = &self.shared;
        match name {
            "list_graphs" => match read::<arguments::ListGraphs>(name, arguments) {
                Ok(asked) => result(shared.graphs.list(&asked).await),
                Err(wrong) => wrong,
            },
            "get_description" => match read::<arguments::GetDescription>(name, arguments) {
                Ok(asked) => match shared.graphs.describe(&asked.graph_name).await {
                    Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
                    Err(refused) => result::<()>(Err(refused)),
                },
                Err(wrong) => wrong,
            },
            "get_schema" => match read::<arguments::GetSchema>(name, arguments) {
                Ok(asked) => result(shared.graphs.schema(&asked.graph_name, asked.compact).await),
                Err(wrong) => wrong,
            },
            "query" => match read::<arguments::Query>(name, arguments) {
                Ok(asked) => result(shared.queries.one(&asked).await),
                Err(wrong) => wrong,
            },
            "multi_graph_query" => match read::<arguments::MultiGraphQuery>(name, arguments) {
                Ok(asked) => result(Ok(shared.queries.many(asked).await)),
                Err(wrong) => wrong,
            },
            "lookup_uri" => match read::<arguments::LookupUri>(name, arguments) {
                Ok(asked) => result(Ok(self.lookup(asked).await)),
                Err(wrong) => wrong,
            },
            "get_descendants" => match read::<arguments::GetDescendants>(name, arguments) {
                Ok(asked) => result(self.descendants(asked).await),
                Err(wrong) => wrong,
            },
            "get_join_strategy" => match read::<arguments::GetJoinStrategy>(name, arguments) {
                Ok(asked) => {
                    let (a, b) = (&asked.graph_a, &asked.graph_b);
                    result(join::strategy(&shared.endpoint, &shared.graphs, a, b).await)
                }
                Err(wrong) => wrong,
            },
            other => {
                CallToolResult::error(vec![ContentBlock::text(format!("Unknown tool: {other}"))])
            }
        }
    }

    async fn lookup(&self, asked: arguments::LookupUri) -> Lookup {
        let found = self
            .shared
            .hierarchy
            .named(&asked.label, asked.max_results)
            .await;
        let (found, error) = match found {
            Ok(found) => (found, None),
            Err(error) => (Vec::new(), Some(Refused::failed("Lookup", &error).0)),
        };
        let matches: Vec<Match> = found
            .into_iter()
            .map(|(uri, label, match_type)| Match {
                uri,
                label,
                match_type,
            })
            .collect();
        Lookup {
            query_label: asked.label,
            match_count: matches.len(),
            matches,
            error,
        }
    }

    async fn descendants(&self, asked: arguments::GetDescendants) -> Result<Descendants, Refused> {
        let uri = asked.uri.trim_matches(['<', '>', ' ']).to_owned();
        if let Err(error) = NamedNode::new(&uri) {
            return Err(Refused(format!("`{uri}` is no IRI: {error}")));
        }
        let hierarchy = &self.shared.hierarchy;
        let roots = [uri.clone()].into();
        let below = hierarchy
            .below(&roots, asked.max_depth, asked.max_results)
            .await;
        let (mut below, error) = match below {
            Ok(below) => (below, None),
            Err(error) => {
                let error = Refused::failed("Fetching the descendants", &error);
                (BTreeMap::new(), Some(error.0))
            }
        };
        let label = match &error {
            None => hierarchy.label(&uri).await.ok().flatten(),
            Some(_) => None,
        };
        let descendants: Vec<Descendant> = below
            .remove(&uri)
            .unwrap_or_default()
            .into_iter()
            .map(|class| Descendant {
                uri: class.iri,
                label: class.label,
                distance: asked.include_distance.then_some(class.distance),
            })
            .collect();
        Ok(Descendants {
            uri,
            label,
            max_depth: asked.max_depth,
            descendant_count: descendants.len(),
            descendants,
            error,
        })
    }
}

/// A call's arguments, or the reply to one that gives others than the tool takes.
fn read<T: DeserializeOwned>(tool: &str, arguments: JsonObject) -> Result<T, CallToolResult> {
    serde_json::from_value(serde_json::Value::Object(arguments)).map_err(|error| {
        let message = format!("Error executing tool {tool}: {error}");
        CallToolResult::error(vec![ContentBlock::text(message)])
    })
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let provenance = self.shared.endpoint.provenance();
        let mut instructions = "Knowledge graphs of health and biology, queried with SPARQL. list_graphs says which there are, \
                                get_description and get_schema what is in each, lookup_uri finds ontology terms by name."
            .to_owned();
        if provenance.kind == ResultKind::Reconstruction {
            instructions.push_str(
                " The data are a reconstruction that reproduces published figures, not the live federation.",
            );
        }
        let version = self.shared.bench.version(env!("CARGO_PKG_VERSION"));
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new(provenance.server.clone(), version))
            .with_instructions(instructions)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        if self.shared.bench.needs_sessions() {
            ProtocolVersion::known_up_to(&ProtocolVersion::LATEST_WITH_INITIALIZE).into()
        } else {
            Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
        }
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        self.shared.bench.page(tools::all(), cursor.as_deref())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let answered = async {
            match self.shared.bench.instead(&request.name, &arguments).await {
                Some(reply) => reply,
                None => self.answer(&request.name, arguments).await,
            }
        };
        tokio::select! {
            reply = answered => Ok(reply.into()),
            // Nobody waits for the reply to a call that was taken back; what it was doing stops here.
            () = context.ct.cancelled(), if !self.shared.bench.dies() => Err(ErrorData::internal_error("cancelled by the client", None)),
        }
    }

    async fn on_cancelled(
        &self,
        notification: CancelledNotificationParam,
        _context: NotificationContext<RoleServer>,
    ) {
        let id = notification
            .request_id
            .map_or_else(|| "a request".to_owned(), |id| format!("request {id}"));
        self.shared.output.say(format!("the client took back {id}"));
    }
}
