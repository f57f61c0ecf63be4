//! The published bundle: the JSON files that the explorer reads.
//!
//! ```text
//! results/index.json          BundleIndex: small, read first
//! results/records/<id>.json   RecordPage: read when a reader opens the record
//! results/analyses/<id>.json  AnalysisPage: read then too, and by nothing else
//! results/attempts/<id>/…     AttemptPage, one for each attempt: read when a reader opens the attempt
//! results/comparison/…        SweepComparison: read when a reader opens it
//! results/rules.json          RulesPage: read when a reader asks what a rule of the lint means
//! results/ava/board.json      AvaBoard: the results of models on AVA, read when a reader opens the leaderboard
//! results/ava/…               AvaFile, each a file of triplets: read when a reader opens it
//! snapshot/manifest.json      the embedded federation's catalogue and, beside it, its files
//! ```

use control::{Comparison, Findings};
use lint::{Report, Severity};
use record::{Arm, Problem};
use score::Score;
use serde::{Deserialize, Serialize};

use crate::{Call, Condition, Metrics, Outcome, Tally, Version};

/// Version of all files of a bundle: they are written together.
pub type BundleFormat = Version<2>;

/// Where the data behind a result come from. The two are never mixed in one bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResultKind {
    /// The embedded federation: its catalogue and clinical graphs are made up to reproduce published figures.
    Reconstruction,
    /// An endpoint that serves its own data.
    Live,
    /// An endpoint that has answered nothing: whose data it would serve, nobody has said.
    Unreached,
}

impl ResultKind {
    /// The word that files, tables and pages use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reconstruction => "reconstruction",
            Self::Live => "live",
            Self::Unreached => "unreached",
        }
    }
}

/// Where queries were run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Reconstruction, live, or neither yet.
    pub kind: ResultKind,
    /// The name that the server gives itself, such as `embedded-reconstruction`; its host where it gives none.
    pub server: String,
    /// Address of the SPARQL endpoint; `embedded` for the one inside the program.
    pub endpoint: String,
    /// Release of the data behind it, where it states one.
    pub release: Option<String>,
}

impl Provenance {
    /// This one, or what was said of the same endpoint before, where it has answered nothing yet.
    #[must_use]
    pub fn or_before(&self, before: &Self) -> Self {
        let is_unknown = self.kind == ResultKind::Unreached && self.endpoint == before.endpoint;
        let known = if is_unknown { before } else { self };
        known.clone()
    }
}

/// The file `results/index.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BundleIndex {
    /// Version of the bundle's format.
    pub format: BundleFormat,
    /// Where every result in the bundle comes from.
    pub provenance: Provenance,
    /// When the bundle was written, RFC 3339.
    pub created: String,
    /// Version of the program that wrote it.
    pub program: String,
    /// Hash over the files of the corpus and its controls.
    pub corpus_hash: String,
    /// Every record of the corpus, by id.
    pub records: Vec<RecordEntry>,
    /// Every agent with attempts, in the order given to `publish`.
    pub agents: Vec<AgentEntry>,
    /// One entry for each record and agent with attempts.
    pub cells: Vec<CellEntry>,
    /// Path of the [`SweepComparison`](crate::SweepComparison) over them, relative to the page; charts, CSV and Markdown of
    /// it lie beside it.
    #[serde(default)]
    pub comparison: Option<String>,
    /// Path of the [`RulesPage`], relative to the page.
    #[serde(default)]
    pub rules: Option<String>,
    /// What the bundle holds of AVA.
    #[serde(default)]
    pub ava: Option<AvaEntry>,
    /// The embedded federation's files, when the bundle carries them.
    pub snapshot: Option<SnapshotEntry>,
}

/// A record, as a line of the overview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordEntry {
    /// `<kg>-<arm>_<tier>`.
    pub id: String,
    /// The prompt, as text.
    pub summary: Option<String>,
    /// Which arm of its pair it is; `None` for a name outside the scheme.
    pub arm: Option<Arm>,
    /// The category it asks about.
    pub tier: Option<String>,
    /// The graph that names it.
    pub kg: Option<String>,
    /// The graphs named to the agent.
    pub tags: Vec<String>,
    /// The key's columns.
    pub columns: Vec<String>,
    /// Whether the key is meant to return no row.
    pub expect_empty: bool,
    /// Problems of the record that are errors.
    pub errors: usize,
    /// Problems that are lints.
    pub lints: usize,
    /// Rows of the key; `None` where the record has no key that could be run.
    pub key_rows: Option<usize>,
    /// Id of the other arm of its pair.
    pub twin: Option<String>,
}

/// An agent of the bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentEntry {
    /// Unique in the bundle, such as `baseline:reference`.
    pub id: String,
    /// The condition that all its attempts share.
    pub condition: Condition,
}

/// What one agent did at one record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellEntry {
    /// Id of the record.
    pub record: String,
    /// Id of the agent.
    pub agent: String,
    /// Counts and rates over its attempts.
    pub tally: Tally,
    /// How each attempt ended, in the order of their numbers.
    pub outcomes: Vec<Outcome>,
}

/// Where the embedded federation's files are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotEntry {
    /// Path of the catalogue, relative to the page; the files that it lists lie beside it.
    pub manifest: String,
}

/// The file `results/records/<id>.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordPage {
    /// Version of the bundle's format.
    pub format: BundleFormat,
    /// The same entry as in the index.
    pub entry: RecordEntry,
    /// Path of the record's file in the corpus.
    pub file: String,
    /// The text of the key.
    pub query: String,
    /// Line of the file on which that text begins.
    pub query_line: u32,
    /// Whatever is wrong with the record.
    pub problems: Vec<Problem>,
    /// Index of the column that tells the key's rows apart: its first column of IRIs.
    pub identity: Option<usize>,
    /// Root of the closure that the question's key walks.
    pub root: Option<String>,
    /// The key's order by its columns; `None` where it has none or sorts by what its columns do not show.
    pub order: Option<Vec<SortColumn>>,
    /// The key's rows; `None` where the record has no key that could be run.
    pub key: Option<KeyEntry>,
    /// The controls of the record's tier, compared with the question's key. Empty for the `exact` arm.
    pub controls: Vec<ControlEntry>,
    /// Every attempt at the record, by agent in the index's order and then by number.
    pub attempts: Vec<AttemptEntry>,
    /// Path of the record's [`AnalysisPage`], relative to the page.
    pub analysis: String,
}

/// A column that a key sorts by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SortColumn {
    /// Index among the key's columns.
    pub column: usize,
    /// Largest first.
    pub descending: bool,
}

/// A key's rows and where they were computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyEntry {
    /// The rows as the text of a SPARQL JSON result, which keeps their types.
    pub rows: String,
    /// Tie class of each row, ascending; `None` as for [`RecordPage::order`].
    pub ranks: Option<Vec<u32>>,
    /// Where the key was run.
    pub provenance: Provenance,
    /// When it was run, RFC 3339.
    pub date: String,
    /// Content hash of the rows.
    pub hash: String,
    /// Milliseconds that the key took.
    pub ms: f64,
}

/// A control beside its question's key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControlEntry {
    /// File name without its extension, such as `A-literal`.
    pub name: String,
    /// Its first letter.
    pub letter: char,
    /// The control's text.
    pub query: String,
    /// The rows as the text of a SPARQL JSON result.
    pub rows: String,
    /// What it keeps of the key, misses and invents.
    pub comparison: Comparison,
}

/// The file `results/analyses/<id>.json`: what rules and analyses say about a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnalysisPage {
    /// Version of the bundle's format.
    pub format: BundleFormat,
    /// Id of the record.
    pub record: String,
    /// Path of the record's file in the corpus.
    pub file: String,
    /// The whole text of that file, to which the lint's lines and columns refer.
    pub source: String,
    /// What the lint finds in it, with the labels and figures of the bundle's endpoint.
    pub lint: Report,
    /// The controls of [`RecordPage::controls`], in the same order.
    pub controls: Vec<ControlAnalysis>,
}

/// What a control is worth beside its question's key, and why its rows are wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControlAnalysis {
    /// File name without its extension, such as `A-literal`.
    pub name: String,
    /// What the control stands for, in words.
    pub summary: Option<String>,
    /// The words of its name test.
    pub keywords: Vec<String>,
    /// The control's text.
    pub query: String,
    /// What it keeps of the key, misses and invents.
    pub comparison: Comparison,
    /// The same against the key without its LIMIT, how far the two rankings agree, and why rows are wrong.
    pub findings: Findings,
}

/// One attempt, as a line of its record's page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptEntry {
    /// Id of the agent.
    pub agent: String,
    /// Number of the attempt, from 1.
    pub n: u32,
    /// Outcome, figures and flags.
    pub metrics: Metrics,
    /// Path of its [`AttemptPage`], relative to the page.
    pub file: String,
}

/// The file of one attempt: what it takes to check its score and its outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptPage {
    /// Version of the bundle's format.
    pub format: BundleFormat,
    /// Id of the record.
    pub record: String,
    /// Id of the agent.
    pub agent: String,
    /// Number of the attempt, from 1.
    pub n: u32,
    /// Outcome, figures and flags, as on the record's page.
    pub metrics: Metrics,
    /// The score with its row diff; `None` where nothing that is a table was submitted.
    pub score: Option<Score>,
    /// The submitted text; `None` where nothing was submitted.
    pub answer: Option<String>,
    /// What the agent called.
    pub calls: Vec<Call>,
}

/// The file `results/rules.json`: what the lint looks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesPage {
    /// Version of the bundle's format.
    pub format: BundleFormat,
    /// Rules about one subject each.
    pub families: Vec<RuleFamily>,
}

/// Rules about one subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleFamily {
    /// Its heading.
    pub title: String,
    /// Its rules.
    pub rules: Vec<RuleEntry>,
}

/// One thing that the lint looks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleEntry {
    /// Its identifier, as findings give it.
    pub id: String,
    /// How much its findings matter.
    pub severity: Severity,
    /// What it looks for.
    pub what: String,
    /// Why that matters; empty where `what` says it.
    pub why: String,
    /// What to do about a finding; empty where `what` says it.
    pub remedy: String,
    /// Files in which it finds something.
    pub bad: Vec<RuleExample>,
    /// Files that come close and in which it finds nothing.
    pub good: Vec<RuleExample>,
}

/// A small file that shows what a rule does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleExample {
    /// What to see in it.
    pub note: String,
    /// Its text.
    pub text: String,
}

/// What a bundle holds of AVA: where its files are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AvaEntry {
    /// Path of the [`AvaBoard`], relative to the page.
    pub board: String,
    /// Sets of triplets, in the order given to `publish`.
    pub sets: Vec<AvaFile>,
    /// Triplets with a model's cosines, by the model's name.
    pub judged: Vec<AvaFile>,
}

/// A file of triplets, as it was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AvaFile {
    /// Tells it from the others: the file's folder and name, or the model's name.
    pub name: String,
    /// Its path, relative to the page.
    pub path: String,
    /// How many triplets it holds.
    pub triplets: usize,
}

/// The file `results/ava/board.json`: what models made of triplets, of alignments and of taxonomies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AvaBoard {
    /// Version of the bundle's format.
    pub format: BundleFormat,
    /// Every result, in the order given to `publish`.
    pub results: Vec<AvaModelResult>,
}

/// A model's result file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AvaModelResult {
    /// The file's name without its ending, for files that name no model.
    pub name: String,
    /// Whether there is a published figure for this model and this set, by the word of whoever published the site.
    pub recomputed: bool,
    /// The file's content, as the crate `ava` reads it.
    pub result: serde_json::Value,
}
