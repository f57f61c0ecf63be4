//! The rules: what they look for, why, and examples that are their tests.

mod columns;
mod constants;
mod contradictions;
mod graphs;
mod header;
mod limit;
mod order;
mod pair;
mod portable;
mod variables;

use crate::facts::Facts;
use crate::finding::Severity;
use crate::subject::{Out, Subject};

/// One thing that the lint looks for.
#[derive(Debug)]
pub struct Rule {
    /// Its identifier, as findings and `allow` give it.
    pub id: &'static str,
    /// How much its findings matter.
    pub severity: Severity,
    /// What it looks for, in one sentence.
    pub what: &'static str,
    /// Why that matters.
    pub why: &'static str,
    /// What to do about a finding.
    pub remedy: &'static str,
    /// Files in which it finds something.
    pub bad: &'static [Example],
    /// Files that come close and in which it finds nothing.
    pub good: &'static [Example],
    pub(crate) check: fn(&Subject<'_>, &mut Out<'_>),
}

/// A small file that shows what a rule does.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// What to see in it.
    pub note: &'static str,
    /// The file's name.
    pub file: &'static str,
    /// The file.
    pub text: &'static str,
    /// The other half of the pair, by name and text.
    pub twin: Option<(&'static str, &'static str)>,
    /// What an endpoint told.
    pub facts: Option<fn() -> Facts>,
}

impl Example {
    const fn new(note: &'static str, text: &'static str) -> Self {
        Self {
            note,
            file: "example.rq",
            text,
            twin: None,
            facts: None,
        }
    }

    const fn named(mut self, file: &'static str) -> Self {
        self.file = file;
        self
    }

    const fn beside(mut self, file: &'static str, text: &'static str) -> Self {
        self.twin = Some((file, text));
        self
    }

    const fn given(mut self, facts: fn() -> Facts) -> Self {
        self.facts = Some(facts);
        self
    }
}

/// The labels under which the examples are linted, as [`Labels::from_tsv`](crate::Labels::from_tsv) reads them.
pub const EXAMPLE_LABELS: &str = "\
http://e/asthma\tasthma
http://e/eye\teye disorder
http://e/human\tHomo sapiens
http://e/human\thuman\tsynonym
http://e/mouse\tMus musculus
http://e/lupus\tsystemic lupus erythematosus
http://e/lupus\tlupus\tsynonym
";

/// Every rule, by family.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().flat_map(|family| family.rules.iter())
}

/// The rule of that identifier.
pub fn rule(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.id == id)
}

/// Rules about one subject.
#[derive(Debug)]
pub struct Family {
    /// Its heading.
    pub title: &'static str,
    /// Its rules.
    pub rules: &'static [Rule],
}

/// The rules in the order in which the documentation gives them.
pub const FAMILIES: [Family; 10] = [
    Family {
        title: "How many rows",
        rules: &limit::RULES,
    },
    Family {
        title: "In which order",
        rules: &order::RULES,
    },
    Family {
        title: "Constants",
        rules: &constants::RULES,
    },
    Family {
        title: "Prose against key",
        rules: &contradictions::RULES,
    },
    Family {
        title: "Columns",
        rules: &columns::RULES,
    },
    Family {
        title: "Variables",
        rules: &variables::RULES,
    },
    Family {
        title: "Graphs and the hub",
        rules: &graphs::RULES,
    },
    Family {
        title: "Pairs",
        rules: &pair::RULES,
    },
    Family {
        title: "Other engines",
        rules: &portable::RULES,
    },
    Family {
        title: "The header",
        rules: &header::RULES,
    },
];
