//! `controls`: what each control keeps of its question's key, misses and invents.

use control::Comparison;
use record::Corpus;
use serde::Serialize;
use sweep::Provenance;

use super::source_line;
use crate::Failure;
use crate::cli::ControlsArgs;
use crate::endpoint::Endpoint;
use crate::keys::{KeyRun, Uncut};
use crate::output::{Output, figure_or_dash, grid};
use crate::settings::{CorpusPlace, EndpointChoice};

/// A control as `controls --json` prints it.
#[derive(Serialize)]
struct Line {
    tier: String,
    control: String,
    #[serde(flatten)]
    comparison: Comparison,
    #[serde(flatten)]
    provenance: Provenance,
}

/// A control's rows and what they keep of the key.
pub(super) struct Compared<'a> {
    pub(super) control: &'a record::Control,
    pub(super) table: table::Table,
    pub(super) comparison: Comparison,
}

pub(super) async fn run(args: &ControlsArgs, output: Output) -> Result<(), Failure> {
    let place = CorpusPlace::from(&args.corpus);
    let corpus = place.read()?;
    let tiers = match &args.tier {
        Some(tier) => {
            corpus.tier(tier)?;
            vec![tier.clone()]
        }
        None => corpus.tiers(),
    };
    let endpoint = Endpoint::open(&EndpointChoice::new(&args.endpoint, &place)?)?;
    let mut lines = Vec::new();
    for tier in tiers {
        for compared in of_tier(&corpus, &tier, &endpoint).await? {
            lines.push(Line {
                tier: tier.clone(),
                control: compared.control.name.clone(),
                comparison: compared.comparison,
                provenance: endpoint.provenance().clone(),
            });
        }
    }
    output.print(&lines, |lines| {
        let header = [
            "tier", "control", "rows", "key", "kept", "missed", "invented", "changed", "headline",
            "verdict",
        ];
        let rows = lines.iter().map(|line| {
            let compared = &line.comparison;
            vec![
                line.tier.clone(),
                line.control.clone(),
                compared.rows.to_string(),
                compared.key_rows.to_string(),
                compared.kept.to_string(),
                compared.missed.to_string(),
                compared.invented.to_string(),
                compared.changed.to_string(),
                figure_or_dash(compared.headline_ratio),
                compared.verdict.to_string(),
            ]
        });
        format!(
            "{}\n{}",
            grid(&header, &[2, 3, 4, 5, 6, 7, 8], rows),
            source_line(endpoint.provenance())
        )
    })
}

/// Every control of a tier beside the question's key; none where the tier has no question with a key.
pub(super) async fn of_tier<'a>(
    corpus: &'a Corpus,
    tier: &str,
    endpoint: &Endpoint,
) -> Result<Vec<Compared<'a>>, Failure> {
    let controls = corpus.controls_of(tier);
    let Some(question) = corpus
        .question_of_tier(tier)
        .filter(|_| !controls.is_empty())
    else {
        return Ok(Vec::new());
    };
    let failed = |source| Failure::Key {
        record: question.id().to_owned(),
        source,
    };
    let key = KeyRun::of(question, endpoint).await.map_err(failed)?;
    let uncut = Uncut::of(question, endpoint).await.map_err(failed)?;
    let mut compared = Vec::new();
    for control in controls {
        let answer = endpoint
            .query(&control.query_text)
            .await
            .map_err(|source| Failure::Control {
                file: control.file.clone(),
                source,
            })?;
        let all = uncut.as_ref().map(|uncut| &uncut.table);
        let comparison = control::compare(&key.table, all, &answer.table);
        compared.push(Compared {
            control,
            table: answer.table,
            comparison,
        });
    }
    Ok(compared)
}
