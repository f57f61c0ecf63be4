//! Triplets of ontology statements, and what a sentence encoder makes of them.
//!
//! A [`Triplet`] is a true statement of an ontology, a paraphrase, and a false statement in nearly the same words. This crate
//! reads and writes them in AVA's form ([`read_triplets`], [`to_json_array`]), measures how much their words overlap
//! ([`token_set_ratio`]), filters them ([`filter()`]), divides a set by ontology ([`split_ontologies`], [`leaks`]),
//! describes it ([`SetStatistics`], [`histograms`]), and judges a model by the cosines of its vectors ([`evaluate`]) and
//! by what its nearest neighbours are worth downstream ([`alignment_figures`], [`taxonomy_score`]); [`table()`] puts models side by
//! side, the published ones among them.
//!
//! It reads no file, runs no model and has no clock: the program `okn-benchmark` does these things.
//!
//! ```
//! use ava::{FilterOptions, filter, read_triplets};
//!
//! let set = br#"[{"anchor": "An acre is an area unit.", "positive": "Acres belong to the area units.", "negative": "An acre is a volume unit."}]"#;
//! let filtered = filter(read_triplets(set)?.all()?, &FilterOptions::default());
//! assert_eq!(filtered.counts.kept, 1);
//! # Ok::<(), ava::Problem>(())
//! ```

#![doc(test(attr(deny(warnings))))]

mod downstream;
mod figure;
mod filter;
mod json;
mod lexical;
mod metrics;
mod problem;
mod published;
mod random;
mod read;
mod split;
mod statistics;
mod subgraph;
mod synthesis;
mod table;
mod triplet;

pub use downstream::{
    AlignmentFigures, AlignmentResult, Candidate, DownstreamResult, ModelResult, Pair, Reference,
    TaxonomyFigures, TaxonomyResult, TaxonomyScore, Verdict, alignment_figures, at_least,
    both_directions, one_to_one, taxonomy_score,
};
pub use figure::{Panel, histograms};
pub use filter::{
    CLOSE_BEYOND, Dropped, FEWEST_WORDS, FilterCounts, FilterOptions, Filtered, HARD_FROM,
    LexicalScores, MOST_CHARACTERS, Reason, Text, filter, is_hard, objection,
};
pub use json::{Expected, read_json, utf8};
pub use lexical::{Processor, Scorer, TokenSet, token_set_ratio};
pub use metrics::{
    AvaResult, Classification, Confusion, Cosines, Detailed, EvaluateOptions, Evaluation, Figures,
    Group, Interval, Judged, JudgedSet, MetricsError, RESAMPLES, ResultFile, RunFacts, Test,
    Threshold, ThresholdOrigin, TripletsFile, Tuning, average_precision, cosine, evaluate, listed,
    read_cosines, roc_auc, tuned_apart,
};
pub use problem::Problem;
pub use published::{
    NotPublished, Published, PublishedSet, PublishedTask, PublishedTest, is_model,
};
pub use random::PythonRandom;
pub use read::{Reading, read_triplets, to_json_array};
pub use split::{Leak, Placed, Side, SplitOptions, leaks, split_ontologies};
pub use statistics::{PairStatistics, SetStatistics, Spread};
pub use subgraph::{read_labels, read_subgraph};
pub use synthesis::{
    Flaw, Made, RULES, Reply, Rules, TASK, TRIPLETS, Unmade, prompt, read_reply, repair_request,
};
pub use table::{
    DownstreamRow, Standing, TableFormat, TableRow, by_task, downstream_table, spelled_alike, table,
};
pub use triplet::{Extra, Perturbation, StoredScores, Triplet};
