//! `ava evaluate`: what a model makes of a set of triplets.

use std::path::{Path, PathBuf};

use ava::{
    Classification, Cosines, Detailed, EvaluateOptions, Evaluation, HARD_FROM, Interval, Judged,
    JudgedSet, LexicalScores, MetricsError, Processor, ResultFile, Scorer, Test, Text, Threshold,
    ThresholdOrigin, Triplet, TripletsFile, Tuning, evaluate, listed, token_set_ratio, tuned_apart,
};
use clap::Args;
use serde::Serialize;

use super::model::{CacheArgs, Model, ModelChoice, written_apart};
use super::prompts::{PromptChoice, Prompts};
use super::{plural, triplet_files};
use crate::encoder::{EncoderError, RemoteArgs, VectorFile, sha256};
use crate::output::{Output, figure_or_dash, grid};
use crate::{Failure, attempts, store};

/// `ava evaluate`
#[derive(Args, Debug)]
pub struct EvaluateArgs {
    /// Triplets: a JSON array, or one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,
    /// Model: a folder as sentence-transformers saves it, openai:NAME for a service with /v1/embeddings, vectors:FILE
    /// for vectors that were computed elsewhere (.npy, .safetensors: all anchors, then all positives, then all negatives),
    /// or baseline:trigrams and baseline:words, which are no models and know letters and words alone
    #[arg(long, value_name = "DIR|openai:NAME|vectors:FILE|baseline:NAME")]
    pub model: ModelChoice,
    /// Result file to write: AVA's figures under `test`, everything else beside them
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// File to write every triplet to, with its scores and cosines, as a JSON array; `publish` shows by it where the model is wrong
    #[arg(long, value_name = "FILE")]
    pub details: Option<PathBuf>,
    /// Name of the model, by which it is listed and its prompts are chosen [default: its folder's, the service's, or the file's]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// What the model was fine-tuned with, such as "triplet loss"; with the --name of the model before, tables and the explorer
    /// put the two side by side
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub tuning: Option<String>,
    /// What stands before texts: `ava` for what AVA puts there for a model of this name, else the model's default prompt,
    /// `model` for what the model's own files say of queries and documents, `none`, JSON with `anchor` and `others`, or a file
    /// with it
    #[arg(long, value_name = "PROMPTS", default_value = "ava")]
    pub prompts: String,
    /// Cosine from which on a pair is taken for a positive
    #[arg(
        long,
        value_name = "C",
        default_value_t = 0.5,
        allow_negative_numbers = true
    )]
    pub threshold: f64,
    /// Tune the threshold on this other set instead
    #[arg(long, value_name = "FILE", conflicts_with = "threshold")]
    pub tune: Option<PathBuf>,
    /// Vectors of that other set, where --model is a file of vectors
    #[arg(long, value_name = "FILE", requires = "tune")]
    pub tune_vectors: Option<PathBuf>,
    /// Where vectors are kept.
    #[command(flatten)]
    pub cache: CacheArgs,
    /// The service, where --model is one.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// What is written.
#[derive(Serialize)]
struct Written {
    #[serde(flatten)]
    result: ResultFile,
    run: Run,
}

/// How the figures were made.
#[derive(Serialize)]
struct Run {
    model: String,
    /// What it was fine-tuned with.
    tuning: Option<String>,
    /// SHA-256 of the weights or of the file of vectors, or the address of the service.
    revision: String,
    /// What stood before texts; unknown where the vectors were computed elsewhere.
    prompts: Option<Prompts>,
    data: String,
    data_sha256: String,
    /// Set on which the threshold was tuned.
    tuned_on: Option<String>,
    /// The triplets with their cosines, where they were written.
    triplets: Option<TripletsFile>,
    /// Triplets that came without an anchor–negative ratio, which was computed.
    scored_here: usize,
    /// Triplets whose anchor–negative ratio is not that of the texts as they are. It counts as it stands, so a set whose
    /// texts were processed before they were compared keeps its hard negatives.
    scored_otherwise: usize,
    /// Of those, hard by one of the two ratios and not by the other.
    hard_otherwise: usize,
    texts_computed: usize,
    texts_cached: usize,
    /// Seconds that the texts took, without those to read the model.
    seconds: f64,
}

/// What folders are called that hold a model, whichever it is.
const NO_NAMES: [&str; 4] = ["model", "models", "checkpoint", "snapshot"];

/// Ratios that differ by no more than this are the same but for rounding.
const SAME_RATIO: f64 = 1e-9;

/// A set with its vectors.
struct Set {
    rows: Vec<Judged>,
    scored_here: usize,
    scored_otherwise: usize,
    hard_otherwise: usize,
}

/// Vectors of the set to tune on come with those of the set, or from the model, as those of the set do.
fn check_tuning(args: &EvaluateArgs) -> Result<(), Failure> {
    let is_file = matches!(args.model, ModelChoice::Vectors(_));
    match (is_file, &args.tune, &args.tune_vectors) {
        (true, Some(_), None) => Err(Failure::usage(
            "the set to tune on has no vectors",
            "give them with --tune-vectors FILE",
        )),
        (false, _, Some(_)) => Err(Failure::usage(
            "--tune-vectors is for a model that is a file of vectors",
            "leave it out: the model is asked for the vectors of the set to tune on, too",
        )),
        _ => Ok(()),
    }
}

pub(super) async fn run(args: &EvaluateArgs, output: Output) -> Result<(), Failure> {
    let threshold = Threshold::fixed(args.threshold).map_err(|error| unfit(&args.data, &error))?;
    let details = details_file(args)?;
    let prompts = PromptChoice::read(&args.prompts)?;
    let data = Data::read(&args.data)?;
    let tuning = args.tune.as_deref().map(Data::read).transpose()?;
    if let Some(tuning) = &tuning {
        tuned_apart(&data.triplets, &tuning.triplets).map_err(|error| unfit(&args.data, &error))?;
    }
    let mut run = Run {
        model: String::new(),
        tuning: args.tuning.clone(),
        revision: String::new(),
        prompts: None,
        data: args.data.display().to_string(),
        data_sha256: data.sha256.clone(),
        tuned_on: args.tune.as_ref().map(|file| file.display().to_string()),
        triplets: None,
        scored_here: 0,
        scored_otherwise: 0,
        hard_otherwise: 0,
        texts_computed: 0,
        texts_cached: 0,
        seconds: 0.0,
    };
    check_tuning(args)?;
    let (set, tuning) = match &args.model {
        ModelChoice::Vectors(file) => {
            let vectors = VectorFile::read(file, data.triplets.len())?;
            let stem = file.file_stem().unwrap_or_default();
            let name = args.name.clone();
            run.model = name.unwrap_or_else(|| stem.to_string_lossy().into_owned());
            run.revision.clone_from(&vectors.revision);
            let set = judged(&data.triplets, &vectors.roles, file)?;
            let tuning = match (&tuning, &args.tune_vectors) {
                (Some(tuning), Some(file)) => {
                    let vectors = VectorFile::read(file, tuning.triplets.len())?;
                    Some(judged(&tuning.triplets, &vectors.roles, file)?)
                }
                _ => None,
            };
            (set, tuning)
        }
        choice => {
            let mut model = Model::open(choice, &args.remote, &args.cache).await?;
            let identity = model.identity().clone();
            if args.name.is_none() && NO_NAMES.contains(&identity.model.as_str()) {
                output.say(format!(
                    "the model is listed as `{}`, as its folder is called; --name gives it its own, by which AVA's prompts are chosen too",
                    identity.model
                ));
            }
            let name = args.name.clone().unwrap_or(identity.model);
            let prompts = prompts.of(&name, model.prompts())?;
            let set = data.encoded(&mut model, &prompts).await?;
            let tuning = match &tuning {
                Some(tuning) => Some(tuning.encoded(&mut model, &prompts).await?),
                None => None,
            };
            (run.model, run.revision) = (name, identity.revision);
            run.prompts = Some(prompts);
            (run.texts_computed, run.texts_cached) = (model.computed, model.cached);
            run.seconds = model.took.as_secs_f64();
            (set, tuning)
        }
    };
    let threshold = match (tuning, &args.tune) {
        (Some(tuning), Some(file)) => {
            let tuning =
                JudgedSet::<Tuning>::new(tuning.rows).map_err(|error| unfit(file, &error))?;
            Threshold::tuned(&tuning)
        }
        _ => threshold,
    };
    run.scored_here = set.scored_here;
    run.scored_otherwise = set.scored_otherwise;
    run.hard_otherwise = set.hard_otherwise;
    let unfit = |error: MetricsError| unfit(&args.data, &error);
    let set = JudgedSet::<Test>::new(set.rows).map_err(unfit)?;
    let evaluation = evaluate(&set, &threshold, &EvaluateOptions::default()).map_err(unfit)?;
    if let Some((file, name)) = details {
        let bytes = triplet_files::array(&detailed(data.triplets, set.rows()))?;
        run.triplets = Some(TripletsFile {
            file: name,
            sha256: sha256(&bytes),
        });
        store::write_whole(file, &bytes)?;
    }
    let written = Written {
        result: ResultFile::from(evaluation),
        run,
    };
    store::write_whole(&args.out, &attempts::json(&written))?;
    output.print(&written, |written| text(written, &args.out))
}

/// A file of triplets that a model can be judged by.
struct Data<'f> {
    file: &'f Path,
    triplets: Vec<Triplet>,
    /// The line on which each begins.
    lines: Vec<u32>,
    sha256: String,
}

impl<'f> Data<'f> {
    fn read(file: &'f Path) -> Result<Self, Failure> {
        let bytes = store::read(file)?;
        let mut reading = triplet_files::sound(file, &bytes, None)?;
        let blank = reading.blanks.len();
        if blank > 0 {
            let mut problem = reading.blanks.swap_remove(0);
            if blank > 1 {
                problem.message =
                    format!("{}, and {} more such records", problem.message, blank - 1);
            }
            return Err(triplet_files::input(file, problem));
        }
        let (lines, triplets): (Vec<u32>, Vec<Triplet>) = reading.triplets.into_iter().unzip();
        if triplets.is_empty() {
            return Err(triplet_files::lacking(
                file,
                "there is no triplet to judge",
                "give a file with triplets",
            ));
        }
        Ok(Self {
            file,
            triplets,
            lines,
            sha256: sha256(&bytes),
        })
    }

    async fn encoded(&self, model: &mut Model, prompts: &Prompts) -> Result<Set, Failure> {
        let triplets = &self.triplets;
        let anchors = triplets.iter().map(|triplet| triplet.anchor.clone());
        let anchors = model
            .vectors(&prompts.anchor, anchors.collect(), "anchors")
            .await
            .map_err(|failure| self.faulty(failure, |at| (at, Text::Anchor)))?;
        // Both at once: what one batch lacks in texts of its length the other has.
        let positives = triplets.iter().map(|triplet| triplet.positive.clone());
        let negatives = triplets.iter().map(|triplet| triplet.negative.clone());
        let mut positives_first = model
            .vectors(
                &prompts.others,
                positives.chain(negatives).collect(),
                "positives and negatives",
            )
            .await
            .map_err(|failure| {
                self.faulty(failure, |at| match at.checked_sub(triplets.len()) {
                    Some(row) => (row, Text::Negative),
                    None => (at, Text::Positive),
                })
            })?;
        let negatives = positives_first.split_off(triplets.len());
        judged(triplets, &[anchors, positives_first, negatives], self.file)
    }

    /// A failure, with row and line where it is a text's; `text` says which row's which text stood where.
    fn faulty(&self, failure: Failure, text: impl Fn(usize) -> (usize, Text)) -> Failure {
        let Failure::Encoder(EncoderError::Vector {
            text: words,
            at,
            fault,
        }) = failure
        else {
            return failure;
        };
        let (row, role) = text(at);
        Failure::Input {
            file: self.file.to_owned(),
            line: self.lines.get(row).copied().unwrap_or(1),
            column: 1,
            message: format!(
                "row {}: the vector of the {role} `{words}` {fault}",
                row + 1
            ),
            remedy: Some(fault.hint().to_owned()),
        }
    }
}

/// Triplets with the cosines of their vectors; `file` is whose rows an error names.
fn judged<T: Copy + Into<f64>>(
    triplets: &[Triplet],
    [anchors, positives, negatives]: &[Vec<Vec<T>>; 3],
    file: &Path,
) -> Result<Set, Failure> {
    let mut set = Set {
        rows: Vec::with_capacity(triplets.len()),
        scored_here: 0,
        scored_otherwise: 0,
        hard_otherwise: 0,
    };
    let vectors = anchors.iter().zip(positives).zip(negatives);
    for (place, (triplet, ((anchor, positive), negative))) in
        triplets.iter().zip(vectors).enumerate()
    {
        let cosines = Cosines::of(place + 1, anchor, positive, negative)
            .map_err(|error| unfit(file, &error))?;
        let mut judged = Judged::new(triplet, cosines);
        let ratio = token_set_ratio(&triplet.anchor, &triplet.negative);
        match triplet.scores.anchor_negative {
            None => {
                judged.anchor_negative = Some(ratio);
                set.scored_here += 1;
            }
            Some(stored) if (stored - ratio).abs() > SAME_RATIO => {
                set.scored_otherwise += 1;
                set.hard_otherwise += usize::from((stored >= HARD_FROM) != (ratio >= HARD_FROM));
            }
            Some(_) => {}
        }
        set.rows.push(judged);
    }
    Ok(set)
}

/// Every triplet with its cosines, and with all of its scores.
fn detailed(triplets: Vec<Triplet>, rows: &[Judged]) -> Vec<Detailed> {
    let mut scorer = Scorer::default();
    let each = triplets.into_iter().zip(rows);
    each.map(|(mut triplet, row)| {
        let computed = LexicalScores::of(&mut scorer, Processor::None, &triplet);
        let stored = &mut triplet.scores;
        stored
            .anchor_positive
            .get_or_insert(computed.anchor_positive);
        stored
            .anchor_negative
            .get_or_insert(computed.anchor_negative);
        stored
            .positive_negative
            .get_or_insert(computed.positive_negative);
        Detailed {
            triplet,
            cosines: row.cosines,
        }
    })
    .collect()
}

/// The file of triplets and its name in the result; fails where a file to write is none of its own.
fn details_file(args: &EvaluateArgs) -> Result<Option<(&Path, String)>, Failure> {
    let read = [
        Some(args.data.as_path()),
        args.tune.as_deref(),
        args.tune_vectors.as_deref(),
        PromptChoice::file(&args.prompts),
    ];
    let details = args.details.as_deref();
    let written = [
        Some(("--out", args.out.as_path())),
        details.map(|file| ("--details", file)),
    ];
    let written: Vec<_> = written.into_iter().flatten().collect();
    written_apart(read.into_iter().flatten(), Some(&args.model), &written)?;
    details
        .map(|file| Ok((file, beside(&args.out, file)?)))
        .transpose()
}

/// The path of a file as one beside the result names it: relative to the result's folder where it lies in that.
fn beside(result: &Path, file: &Path) -> Result<String, Failure> {
    let result = store::resolved(result)?;
    let file = store::resolved(file)?;
    let path = file.strip_prefix(store::above(&result)).unwrap_or(&file);
    Ok(path.to_string_lossy().into_owned())
}

fn unfit(file: &Path, error: &MetricsError) -> Failure {
    let hint = match error {
        MetricsError::NotFinite { .. }
        | MetricsError::Zero { .. }
        | MetricsError::Cosine { .. } => {
            "rows are counted in the order of the triplets; compute that vector again"
        }
        MetricsError::Dimensions { .. } => "all vectors must come from one model",
        MetricsError::Empty => "give a file with triplets",
        MetricsError::Threshold(_) => "give a number, such as 0.5",
        MetricsError::TunedOnTest { .. } => "give a set with other triplets to --tune",
    };
    Failure::usage(format!("{}: {error}", file.display()), hint)
}

/// Each figure with its interval.
fn rows(result: &ResultFile) -> Vec<Vec<String>> {
    let figures = &result.test;
    let details: Option<&Evaluation> = result.details.as_ref();
    let overall = details.map(|details| &details.overall);
    let told = details.map(|details| &details.classification);
    let interval = |interval: Option<Interval>| match interval {
        Some(found) => format!("{:.4} to {:.4}", found.low, found.high),
        None => String::new(),
    };
    let row = |name: &str, value: Option<f64>, note: String| {
        vec![name.to_owned(), figure_or_dash(value), note]
    };
    let classed = |name: &str, value, of: fn(&Classification) -> Option<Interval>| {
        row(name, value, interval(told.and_then(of)))
    };
    vec![
        row(
            "triplet accuracy",
            figures.triplet_accuracy,
            interval(overall.and_then(|all| all.triplet_accuracy_interval)),
        ),
        row(
            "hard-negative accuracy",
            figures.hard_negative_acc,
            interval(overall.and_then(|all| all.hard_negative_accuracy_interval)),
        ),
        row(
            "MRR (a tie counts 2/3)",
            figures.mrr,
            interval(overall.and_then(|all| all.mrr_interval)),
        ),
        classed("accuracy at the threshold", figures.accuracy, |told| {
            told.accuracy_interval
        }),
        classed("precision", figures.precision, |told| {
            told.precision_interval
        }),
        classed("recall", figures.recall, |told| told.recall_interval),
        classed("F1", figures.f1, |told| told.f1_interval),
        classed("ROC-AUC", figures.roc_auc, |told| told.roc_auc_interval),
        classed("average precision", figures.avg_precision, |told| {
            told.avg_precision_interval
        }),
    ]
}

fn text(written: &Written, out: &Path) -> String {
    let details: Option<&Evaluation> = written.result.details.as_ref();
    let mut lines = vec![grid(
        &["", "figure", "interval over ontologies"],
        &[1],
        rows(&written.result),
    )];
    if let Some(details) = details {
        let all = &details.overall;
        lines.push(format!(
            "{}: {} triplets, {} hard, {} ties, {} near-ties",
            listed(&written.run.model, written.run.tuning.as_deref()),
            all.triplets,
            all.hard,
            all.ties,
            all.near_ties
        ));
        if all.hard_at_90 > 0 {
            lines.push(format!(
                "{} at exactly {HARD_FROM}; hard-negative accuracy beyond it: {}",
                plural(all.hard_at_90, "hard negative"),
                figure_or_dash(all.accuracy_beyond_90())
            ));
        }
        let origin = match details.classification.origin {
            ThresholdOrigin::Fixed => "stated beforehand".to_owned(),
            ThresholdOrigin::Tuned { triplets, f1 } => {
                format!("tuned on {triplets} other triplets, F1 {f1:.4} there")
            }
        };
        lines.push(format!(
            "threshold {}, {origin}",
            details.classification.threshold
        ));
    }
    let run = &written.run;
    if let Some(prompts) = &run.prompts {
        lines.push(prompts.to_string());
    }
    if run.scored_otherwise > 0 {
        lines.push(format!(
            "{} with another anchor–negative ratio than that of the texts as they are, {} of them hard by one of the two only; the stored one counts",
            plural(run.scored_otherwise, "triplet"),
            run.hard_otherwise
        ));
    }
    lines.push(format!("written to {}", out.display()));
    lines.join("\n")
}
