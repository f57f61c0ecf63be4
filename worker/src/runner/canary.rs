//! Canaries: calls whose right reply is known, made before the first attempt, over the same way as an agent's.
//!
//! A sweep over a server whose ontology tools are broken measures the defect and not the question. What is right is asked
//! of the endpoint that the keys are run on, so that a server over other data than the keys' is found out as well.

use std::collections::BTreeSet;
use std::time::Instant;

use control::closure_of;
use record::{Corpus, Record};
use score::Options;
use serde_json::{Map, Value, json};
use sweep::{Canary, ServerBuild};
use table::{Cell, Table};

use super::Bench;
use super::attempt::no_tools;
use crate::Failure;
use crate::agent::{ToolInfo, Tools};
use crate::attempts::Draft;
use crate::baseline::{csv_of, graph_of};
use crate::endpoint::{Endpoint, EndpointError};
use crate::error::with_causes;
use crate::keys::KeyRun;
use crate::mcp::proxy::ToolSet;
use crate::profile::ToolNames;

/// How much of a reply is kept, in characters.
const SHOWN: usize = 200;

/// How many terms are tried before it is said that none is known: each costs a public endpoint a query or two.
const TRIED: usize = 3;

/// The most classes that a reply is looked through for.
const MOST_BELOW: usize = 50;

/// What the server under test said before the first attempt.
#[derive(Clone, Debug, Default)]
pub struct Greeting {
    /// Which build of it answered.
    pub server: ServerBuild,
    /// What was asked, and whether the reply was right.
    pub canaries: Vec<Canary>,
    /// Which canary could not be made, and why.
    pub notes: Vec<String>,
}

/// A class of which it is known what lies below it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    iri: String,
    label: Option<String>,
    below: BTreeSet<String>,
}

/// Says of a reply's text why it is not right.
type Right<'a> = Box<dyn Fn(&str) -> Result<(), String> + Send + 'a>;

/// A call and what tells its right reply.
struct Question<'a> {
    tool: String,
    /// What is asked, in a few words.
    asked: String,
    /// Arguments by what they mean; each goes under the name that the tool has for it.
    arguments: Vec<(Meaning, Value)>,
    right: Right<'a>,
}

/// What an argument means, whatever a server calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Label,
    Class,
    Sparql,
    Graph,
    Expand,
}

impl Meaning {
    /// The names that servers have for it, the federation's own first.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Label => &["label", "name", "term", "text", "query"],
            Self::Class => &["uri", "iri", "term", "class", "id"],
            Self::Sparql => &["query_string", "query", "sparql", "sparql_query"],
            Self::Graph => &["graph_name", "graph"],
            Self::Expand => &["auto_expand_descendants"],
        }
    }

    /// Whether a call makes no sense without it.
    fn is_needed(self) -> bool {
        matches!(self, Self::Label | Self::Class | Self::Sparql)
    }
}

/// Opens a session as agents do, with every tool of the server, and makes the canaries in it. Which they are depends on
/// the corpus alone, so that all parts of a sweep ask the same; `keys` are those that have been run already.
pub async fn greet(
    bench: &Bench,
    endpoint: &Endpoint,
    keys: &[(&Record, &KeyRun)],
) -> Result<Greeting, Failure> {
    let mut notes = Vec::new();
    let class = match known_class(endpoint, &bench.corpus).await {
        Ok(class) => class,
        Err(error) => {
            let why = with_causes(&error);
            notes.push(format!(
                "the endpoint of the keys does not tell a class to ask for: {why}"
            ));
            None
        }
    };
    let key = known_key(endpoint, &bench.corpus, keys).await;
    let key = key.as_ref().map(|(record, key)| (*record, key));
    let questions = questions(&bench.profile.tools, class.as_ref(), key, &mut notes);

    let draft = Draft::begin(&std::env::temp_dir())?;
    let mut setup = bench.proxy(draft.folder());
    // What is withheld from agents is part of the build all the same.
    setup.tools = ToolSet::All;
    let tools = Tools::connect(setup).await.map_err(no_tools)?;
    let mut canaries = Vec::new();
    for question in &questions {
        canaries.push(question.put(&tools).await);
    }
    let recording = tools.close().await.map_err(no_tools)?;
    has_named_tools(&bench.tools, &recording.server_tools)?;
    Ok(Greeting {
        server: recording.server,
        canaries,
        notes,
    })
}

/// Refuses a set of tools with a name in it that the server does not have: a slip of the pen in `no:…` would withhold
/// nothing, and the sweep would pass for an ablation.
fn has_named_tools(tools: &ToolSet, server: &[String]) -> Result<(), Failure> {
    let absent = tools.absent(server);
    if absent.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(
        format!(
            "--tools names {}, which the server under test does not have",
            absent.join(", ")
        ),
        format!("its tools are {}", server.join(", ")),
    ))
}

impl Question<'_> {
    async fn put(&self, tools: &Tools) -> Canary {
        let started = Instant::now();
        let verdict = self.answered(tools).await;
        let (passed, detail) = match verdict {
            Ok(said) => (true, said),
            Err(why) => (false, why),
        };
        Canary {
            name: self.tool.clone(),
            asked: self.asked.clone(),
            passed,
            detail: detail.chars().take(SHOWN).collect(),
            ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// What the server said, or why that is not right.
    async fn answered(&self, tools: &Tools) -> Result<String, String> {
        let tool = tools.list().iter().find(|tool| tool.name == self.tool);
        let tool = tool.ok_or_else(|| {
            "the server has no such tool; [tools] in the profile says what it calls its own"
                .to_owned()
        })?;
        let reply = tools
            .call(&tool.name, arguments(tool, &self.arguments)?)
            .await;
        if reply.is_error {
            return Err(format!("the reply is an error: {}", reply.text));
        }
        // What fails softly replies with a text that looks like any other.
        let result = json!({ "content": [{ "type": "text", "text": reply.text }] }).to_string();
        if let Some(error) = sweep::soft_error(&result) {
            return Err(format!("the reply holds an error: {}", error.message));
        }
        (self.right)(&reply.text)?;
        Ok(reply.text)
    }
}

/// The arguments under the names that the tool has for them.
fn arguments(tool: &ToolInfo, meant: &[(Meaning, Value)]) -> Result<Value, String> {
    let properties = &tool.input_schema["properties"];
    let mut arguments = Map::new();
    for (meaning, value) in meant {
        let has =
            |name: &&&str| properties.get(**name).is_some() && !arguments.contains_key(**name);
        match meaning.names().iter().find(has) {
            Some(name) => {
                arguments.insert((*name).to_owned(), value.clone());
            }
            None if meaning.is_needed() => {
                let names = meaning.names().join(", ");
                return Err(format!("the tool takes none of the arguments {names}"));
            }
            None => {}
        }
    }
    Ok(Value::Object(arguments))
}

fn questions<'a>(
    names: &ToolNames,
    class: Option<&'a Known>,
    key: Option<(&'a Record, &'a KeyRun)>,
    notes: &mut Vec<String>,
) -> Vec<Question<'a>> {
    let mut questions = Vec::new();
    let mut add = |tools: &[String], what: Result<Question<'a>, &str>| match (tools.first(), what) {
        (None, _) => {}
        (Some(tool), Ok(question)) => questions.push(Question {
            tool: tool.clone(),
            ..question
        }),
        (Some(tool), Err(why)) => notes.push(format!("no canary for `{tool}`: {why}")),
    };
    let no_class = "the endpoint of the keys has no class below one of their terms";
    let lookup = class.ok_or(no_class).and_then(|class| {
        let label = class.label.as_ref();
        let label = label.ok_or("the endpoint of the keys has no label of the class to ask for")?;
        Ok(Question {
            tool: String::new(),
            asked: label.clone(),
            arguments: vec![(Meaning::Label, label.as_str().into())],
            right: Box::new(|reply| names_all(reply, std::iter::once(&class.iri))),
        })
    });
    add(&names.lookup, lookup);
    let descendants = class.ok_or(no_class).map(|class| Question {
        tool: String::new(),
        asked: class.iri.clone(),
        arguments: vec![(Meaning::Class, class.iri.as_str().into())],
        right: Box::new(|reply| names_all(reply, class.below.iter())),
    });
    add(&names.descendants, descendants);
    let query = key.ok_or("no key that was asked for has rows").map(|(record, key)| Question {
        tool: String::new(),
        asked: format!("the key of {}", record.id()),
        arguments: vec![
            (Meaning::Sparql, record.query_text.as_str().into()),
            (Meaning::Graph, graph_of(record).into()),
            (Meaning::Expand, false.into()),
        ],
        right: Box::new(|reply| {
            let csv = csv_of(reply).ok_or("the reply holds no table")?;
            let answer = table::read_answer(csv.as_bytes()).map_err(|error| error.to_string())?;
            let score = score::score(&key.key(None), &answer, &Options::default());
            if score.exact {
                Ok(())
            } else {
                Err(format!(
                    "{} rows, of which {} are among the {} of the key: the server is not over the data that the keys \
                     are run on (--endpoint), or changes queries",
                    score.rows, score.matched_rows, score.key_rows
                ))
            }
        }),
    });
    add(&names.query, query);
    questions
}

/// Whether a reply names every one of these classes, as an IRI or by its short form.
fn names_all<'a>(reply: &str, classes: impl Iterator<Item = &'a String>) -> Result<(), String> {
    for iri in classes {
        let id = iri.rsplit(['/', '#']).next().unwrap_or(iri);
        let curie = id.replacen('_', ":", 1);
        if ![iri.as_str(), id, &curie]
            .iter()
            .any(|form| holds(reply, form))
        {
            return Err(format!("the reply does not name {iri}: {reply}"));
        }
    }
    Ok(())
}

/// Whether a text holds an identifier that does not go on: `MONDO_1` is not in `MONDO_12`.
fn holds(text: &str, id: &str) -> bool {
    text.match_indices(id).any(|(at, _)| {
        let after = text
            .get(at + id.len()..)
            .and_then(|rest| rest.chars().next());
        !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// The first key of the corpus that has rows. One that cannot be run is passed over: where it was asked for, that has
/// been said before.
async fn known_key<'a>(
    endpoint: &Endpoint,
    corpus: &'a Corpus,
    keys: &[(&Record, &KeyRun)],
) -> Option<(&'a Record, KeyRun)> {
    for record in &corpus.records {
        let there = keys.iter().find(|(other, _)| other.id() == record.id());
        let key = match there {
            Some((_, key)) => (*key).clone(),
            None => match KeyRun::of(record, endpoint).await {
                Ok(key) => key,
                Err(_) => continue,
            },
        };
        if !key.table.is_empty() {
            return Some((record, key));
        }
    }
    None
}

/// A small class with others below it: of those right below the terms of the keys the one with the fewest.
async fn known_class(endpoint: &Endpoint, corpus: &Corpus) -> Result<Option<Known>, EndpointError> {
    let queries = corpus
        .records
        .iter()
        .filter_map(|record| record.query.as_ref());
    let mut terms: Vec<(String, Option<String>)> = queries
        .flat_map(closure_of)
        .map(|closure| (closure.root, closure.graph))
        .collect();
    let mut seen = BTreeSet::new();
    terms.retain(|term| seen.insert(term.clone()));
    for (root, graph) in terms.into_iter().take(TRIED) {
        let within = |pattern: &str| match &graph {
            Some(graph) => format!("GRAPH <{graph}> {{ {pattern} }}"),
            None => pattern.to_owned(),
        };
        let smallest = format!(
            "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n\
             SELECT ?class (COUNT(DISTINCT ?below) AS ?n) WHERE {{ {} FILTER(isIRI(?class) && isIRI(?below) && ?class != <{root}>) }}\n\
             GROUP BY ?class ORDER BY ?n ?class LIMIT 1",
            within(&format!(
                "?class rdfs:subClassOf <{root}> . ?below rdfs:subClassOf ?class"
            ))
        );
        let found = endpoint.query(&smallest).await?.table;
        let Some(iri) = iris(&found).into_iter().next() else {
            continue;
        };
        let below = format!(
            "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n\
             SELECT DISTINCT ?below WHERE {{ {} FILTER(isIRI(?below) && ?below != <{iri}>) }} ORDER BY ?below LIMIT {MOST_BELOW}",
            within(&format!("?below rdfs:subClassOf <{iri}>"))
        );
        let label = format!(
            "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n\
             SELECT ?label WHERE {{ {} }} ORDER BY ?label LIMIT 1",
            within(&format!("<{iri}> rdfs:label ?label"))
        );
        let below: BTreeSet<String> = iris(&endpoint.query(&below).await?.table)
            .into_iter()
            .collect();
        if below.is_empty() {
            continue;
        }
        let label = endpoint.query(&label).await?.table;
        let label = label.rows().find_map(|row| match row.first() {
            Some(Cell::Text(text)) => Some(text.to_string()),
            _ => None,
        });
        return Ok(Some(Known { iri, label, below }));
    }
    Ok(None)
}

/// The IRIs in the first column.
fn iris(table: &Table) -> Vec<String> {
    let cells = table.rows().filter_map(|row| row.first());
    cells
        .filter_map(|cell| match cell {
            Cell::Iri(iri) => Some(iri.to_string()),
            _ => None,
        })
        .collect()
}
