//! Attempts, outcomes and metrics of a sweep; their aggregation and the published bundle.
//!
//! A *sweep* asks one agent, under one [`Condition`], every record of a corpus a number of times. Each time is an
//! attempt: what the agent called ([`Call`]), what it submitted, and what that came to ([`Metrics`]). This crate holds
//! the formats of those files, the rules that turn them into an [`Outcome`] and an [`Obedience`], the counts per record
//! and agent ([`Tally`]), and the bundle of JSON files that the explorer reads ([`BundleIndex`], [`RecordPage`]).
//! [`compare()`] puts sweeps side by side, with intervals and tests, and [`markdown`], [`charts`] and the CSV functions
//! write that down; attempts of another harness come in by [`ImportedAttempt`].
//!
//! It runs nothing and reads no clock: the program `okn-benchmark` does both and keeps the results in these types.
//!
//! ```
//! use sweep::{Flags, Obedience, Outcome, Submission, obedience};
//!
//! // The key is empty and so is the answer: without a look at the literal term that proves nothing.
//! let unseen = Submission { outcome: Outcome::AnsweredEmpty, flags: Flags::default(), rows: 0, exact: true, used_literal_term: false };
//! assert_eq!(obedience(0, &unseen), Obedience::Unproven);
//! assert_eq!(obedience(0, &Submission { used_literal_term: true, ..unseen }), Obedience::Obeyed);
//! ```

#![doc(test(attr(deny(warnings))))]

mod aggregate;
mod attempt;
mod bundle;
mod call;
mod chart;
mod compare;
mod compare_change;
mod compare_figures;
mod compare_input;
mod compare_mix;
mod compare_pair;
mod condition;
mod figure;
mod import;
mod import_calls;
mod import_fields;
mod interval;
mod outcome;
mod path_ends;
mod recording;
mod report;
mod report_csv;
mod report_words;
mod soft_error;
mod stats;
mod terms;
mod tool;
mod version;

pub use aggregate::{ObedienceCounts, Tally};
pub use attempt::{Contradiction, Flags, Metrics, Obedience, Outcome, Scores, Usage};
pub use bundle::{
    AgentEntry, AnalysisPage, AttemptEntry, AttemptPage, AvaBoard, AvaEntry, AvaFile,
    AvaModelResult, BundleFormat, BundleIndex, CellEntry, ControlAnalysis, ControlEntry, KeyEntry,
    Provenance, RecordEntry, RecordPage, ResultKind, RuleEntry, RuleExample, RuleFamily, RulesPage,
    SnapshotEntry, SortColumn,
};
pub use call::{AnsweredBy, Call, ERROR_TEXT, Expansion, SoftError};
pub use chart::{Bar, Chart, bars, charts};
pub use compare::{
    ArmFigures, CompareError, CompareOptions, RecordFigures, RunEntry, SweepComparison, compare,
    sweep_names,
};
pub use compare_change::{Change, Way, changes, sort as sort_changes};
pub use compare_figures::{Cost, EvidenceFigures, Figures, Mean, ObedienceFigures, Sum};
pub use compare_input::{Observation, Run, RunFacts};
pub use compare_mix::{Mix, MixedFact, MixedValue};
pub use compare_pair::Pair;
pub use condition::{Canary, Condition, Difference, Manifest, Mended, ServerBuild, differences};
pub use import::{ForeignCondition, ForeignFolder, ImportedAttempt, ImportedSweep};
pub use import_calls::ImportedCall;
pub use import_fields::ImportError;
pub use interval::{Rate, Z_95, wilson};
pub use outcome::{Submission, infrastructure, obedience};
pub use path_ends::path_ends;
pub use recording::{Loss, Recording};
pub use report::markdown;
pub use report_csv::{arms_csv, cells_csv, changes_csv, pairs_csv};
pub use report_words::{gap_words, interval_words, mean_words, money, probability, share, signed};
pub use soft_error::{RULES, SoftErrorRule, expansion, soft_error};
pub use stats::{Cluster, Gap, McNemar, RESAMPLES, mcnemar, paired_bootstrap};
pub use terms::terms;
pub use tool::{ToolNames, ToolRole};
pub use version::{UnknownVersion, Version};
