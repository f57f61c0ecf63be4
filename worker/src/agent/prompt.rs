//! What an agent is told: the record's prose and the rules of the desk, and nothing that hints at how to answer.
//!
//! Whether a question needs more than the term as given is what the benchmark asks. So no sentence here may name a
//! hierarchy, an ontology or the graph that holds one; a test holds every record's prompt against a list of such words.

use std::fmt::{self, Write as _};
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use record::Record;
use serde::Serialize;

/// The graph of the federation that holds the hierarchies: naming it would hand the answer over.
const HUB: &str = "ubergraph";

/// The standing part, the same for every record, so that services can keep it in their caches.
const SYSTEM: &str = "\
You answer a scientist's question from a federation of biomedical knowledge graphs, with the tools that you are given. \
Look up what you report; do not answer from memory. Nobody is there to answer a question of yours: where something is \
open, decide it yourself. Only the table that you submit with the tool `submit_csv` is read; what you write beside it is \
not.";

/// What an answer looks like.
const TABLE: &str = "\
The answer is one table as CSV, with a header line and then one line for each row. Use the columns and the order of rows \
that are asked for, and no other columns. Write IRIs in full and without angle brackets, and put a cell that contains a \
comma, a quotation mark or a line break into double quotation marks. If there is no row to report, the answer is the \
header line alone.";

/// What is done with it.
const SUBMISSION: &str = "\
Submit the answer with the tool `submit_csv`. You may submit again; the last submission counts.";

/// What the prompt says of the graphs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KgHint {
    /// The record's tags, on a line of their own.
    Tags,
    /// Nothing.
    #[default]
    None,
}

// By hand, because derived names come with these comments, which spread the whole help over three times its lines.
impl ValueEnum for KgHint {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Tags, Self::None]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()))
    }
}

impl KgHint {
    fn as_str(self) -> &'static str {
        match self {
            Self::Tags => "tags",
            Self::None => "none",
        }
    }
}

impl fmt::Display for KgHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What an agent is told that it may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Duration,
    /// Replies of the model, where they are counted.
    pub turns: Option<u32>,
}

/// The exact texts that an agent is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Prompt {
    /// The standing part.
    pub system: String,
    /// The question, and what is expected.
    pub user: String,
}

impl Prompt {
    /// The prompt of a record; `None` where the record has no prose, and so asks nothing.
    pub fn of(record: &Record, hint: KgHint, budget: Budget) -> Option<Self> {
        Some(Self {
            system: SYSTEM.to_owned(),
            user: format!(
                "{}\n\n{TABLE} {SUBMISSION}\n\n{}",
                question(record, hint)?,
                allowance(budget)
            ),
        })
    }

    /// The prompt of a record for somebody who has neither the tool `submit_csv` nor a clock here, as one text.
    pub fn for_others(record: &Record, hint: KgHint) -> Option<String> {
        Some(format!("{}\n\n{TABLE}", question(record, hint)?))
    }

    /// Both parts as one text, for an agent that takes one.
    pub fn whole(&self) -> String {
        format!("{}\n\n{}", self.system, self.user)
    }
}

fn question(record: &Record, hint: KgHint) -> Option<String> {
    let prose = record.summary()?.trim();
    if prose.is_empty() {
        return None;
    }
    let mut text = prose.to_owned();
    let graphs = graphs(record);
    if hint == KgHint::Tags && !graphs.is_empty() {
        let _ = write!(text, "\n\nKnowledge graphs: {}", graphs.join(", "));
    }
    Some(text)
}

/// The record's tags without the graphs in which its key walks a hierarchy, should they stand among them.
fn graphs(record: &Record) -> Vec<&str> {
    let closures = record
        .query
        .as_ref()
        .map(control::closure_of)
        .unwrap_or_default();
    let is_hub = |tag: &str| {
        tag.eq_ignore_ascii_case(HUB)
            || closures
                .iter()
                .filter_map(|closure| closure.graph.as_deref())
                .any(|graph| {
                    graph == tag || graph.rsplit(['/', '#']).next().unwrap_or_default() == tag
                })
    };
    let tags = record.tags().iter().map(String::as_str);
    tags.filter(|tag| !is_hub(tag)).collect()
}

fn allowance(budget: Budget) -> String {
    let seconds = budget.time.as_secs();
    let time = if seconds >= 120 && seconds.is_multiple_of(60) {
        format!("{} minutes", seconds / 60)
    } else if seconds == 1 {
        "1 second".to_owned()
    } else {
        format!("{seconds} seconds")
    };
    match budget.turns {
        None => format!("You have {time}."),
        Some(1) => format!(
            "You have {time} and 1 turn; a turn is one reply of yours with all the tools that it calls."
        ),
        Some(turns) => format!(
            "You have {time} and {turns} turns; a turn is one reply of yours with all the tools that it calls."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(text: &str, hint: KgHint, seconds: u64, turns: Option<u32>) -> Option<Prompt> {
        let record = Record::parse("nde-expand_eye.rq", text.as_bytes());
        let time = Duration::from_secs(seconds);
        Prompt::of(&record, hint, Budget { time, turns })
    }

    const WALK: &str = "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n\
         SELECT ?c { GRAPH <http://kg/onto> { ?c rdfs:subClassOf* <http://e/eye> } }";

    #[test]
    fn the_tags_are_named_on_request_and_the_hub_never() {
        for (tags, hint, expected) in [
            ("[nde, oard-kg]", KgHint::Tags, Some("nde, oard-kg")),
            ("[nde, oard-kg]", KgHint::None, None),
            ("[nde, ubergraph]", KgHint::Tags, Some("nde")),
            ("[nde, onto]", KgHint::Tags, Some("nde")),
            ("[http://kg/onto, nde]", KgHint::Tags, Some("nde")),
            ("[Ubergraph]", KgHint::Tags, None),
        ] {
            let text = format!("#+ summary: For eye disease, list it.\n#+ tags: {tags}\n{WALK}");
            let user = prompt(&text, hint, 900, None).unwrap().user;
            let line = user
                .lines()
                .find_map(|line| line.strip_prefix("Knowledge graphs: "));
            assert_eq!(line, expected, "{tags} {hint}");
        }
    }

    #[test]
    fn a_record_without_prose_asks_nothing() {
        for text in [WALK.to_owned(), format!("#+ summary: ' '\n{WALK}")] {
            assert_eq!(prompt(&text, KgHint::Tags, 900, None), None, "{text}");
        }
    }

    #[test]
    fn the_allowance_is_told_in_a_reader_s_units() {
        let text = format!("#+ summary: List it.\n{WALK}");
        for (seconds, turns, expected) in [
            (900, None, "You have 15 minutes."),
            (90, Some(1), "You have 90 seconds and 1 turn;"),
            (1, Some(40), "You have 1 second and 40 turns;"),
            (60, None, "You have 60 seconds."),
        ] {
            let user = prompt(&text, KgHint::None, seconds, turns).unwrap().user;
            let last = user.lines().last().unwrap();
            assert!(last.starts_with(expected), "{last}");
        }
    }

    #[test]
    fn hints_read_as_they_are_shown() {
        for hint in [KgHint::None, KgHint::Tags] {
            assert_eq!(KgHint::from_str(&hint.to_string(), false), Ok(hint));
        }
        assert!(KgHint::from_str("ubergraph", false).is_err());
    }
}
