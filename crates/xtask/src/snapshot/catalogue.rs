//! The dataset catalogue (`nde`): real conditions, made-up datasets, published counts.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, bail, ensure};

use super::choice::{below, shuffled};
use super::mondo::Mondo;
use super::trig::{Graph, Prefix, SCHEMA_PREFIX, obo, schema};

const CONDITIONS: &str = include_str!("conditions.tsv");

/// The category whose whole use in the catalogue is published.
const CARDIOVASCULAR: &str = "MONDO_0004995";
/// Conditions of that category that datasets are tagged with, the root among them.
const CARDIOVASCULAR_TAGS: usize = 284;
/// Dataset–condition pairs of that category, the root's among them.
const CARDIOVASCULAR_PAIRS: usize = 10_324;

/// A prime, so that no two conditions fall into step.
const DATASETS: usize = 4_001;
const DATASET: &str = "https://purl.org/okn/frink/kg/nde/reconstruction/dataset/";
const DATASET_PREFIX: Prefix = ("d", DATASET);

/// A condition that datasets are tagged with.
pub(super) struct Condition {
    /// The MONDO class, as `MONDO_0004995`.
    pub(super) id: String,
    /// How many datasets.
    pub(super) datasets: usize,
    /// Whether the clinical graph knows it.
    pub(super) clinical: bool,
    /// What the catalogue calls it: the ontology's label or one of its synonyms.
    pub(super) name: String,
}

/// The listed conditions, and as many unlisted ones as the published totals leave room for.
pub(super) fn conditions(mondo: &Mondo) -> anyhow::Result<Vec<Condition>> {
    let mut conditions = listed(mondo)?;
    let more = unlisted(mondo, &conditions)?;
    conditions.extend(more);
    Ok(conditions)
}

fn listed(mondo: &Mondo) -> anyhow::Result<Vec<Condition>> {
    let mut conditions = BTreeMap::new();
    for line in CONDITIONS.lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let condition = condition(line).with_context(|| format!("conditions.tsv: {line}"))?;
        let term = mondo.ontology.term(&condition.id)?;
        ensure!(
            term.label == condition.name || term.synonyms.contains(&condition.name),
            "conditions.tsv: {} is {}, and not known as {}",
            condition.id,
            term.label,
            condition.name
        );
        if let Some(earlier) = conditions.insert(condition.id.clone(), condition) {
            bail!("conditions.tsv: {} stands there twice", earlier.id);
        }
    }
    Ok(conditions.into_values().collect())
}

fn condition(line: &str) -> anyhow::Result<Condition> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [id, datasets, clinical, name] = cells[..] else {
        bail!("expected four cells between tabs, found {}", cells.len());
    };
    Ok(Condition {
        id: id.to_owned(),
        datasets: datasets.parse()?,
        clinical: clinical == "clinical",
        name: name.to_owned(),
    })
}

/// Conditions of the cardiovascular category that nothing is published about but their number and their sum: no clinical record, few
/// datasets each, chosen by hash among the plainly named classes.
fn unlisted(mondo: &Mondo, listed: &[Condition]) -> anyhow::Result<Vec<Condition>> {
    let closure = mondo.ontology.closure(CARDIOVASCULAR);
    let used: BTreeSet<&str> = listed
        .iter()
        .map(|condition| condition.id.as_str())
        .collect();
    let inside = || {
        listed
            .iter()
            .filter(|condition| closure.contains(condition.id.as_str()))
    };
    let pairs: usize = inside().map(|condition| condition.datasets).sum();
    let tags = CARDIOVASCULAR_TAGS
        .checked_sub(inside().count())
        .context("conditions.tsv lists more cardiovascular conditions than are published")?;
    let pairs = CARDIOVASCULAR_PAIRS
        .checked_sub(pairs)
        .context("conditions.tsv lists more cardiovascular datasets than are published")?;

    let mut candidates = Vec::new();
    for id in closure.iter().filter(|id| !used.contains(*id)) {
        // Numbered genetic subtypes and composite names are not what a catalogue's curators write.
        let label = &mondo.ontology.term(id)?.label;
        if label.len() <= 45 && !label.contains(|c: char| c.is_ascii_digit() || c == ',') {
            candidates.push(*id);
        }
    }
    let chosen: Vec<&str> = shuffled(candidates, "catalogue")
        .into_iter()
        .take(tags)
        .collect();
    let shares = shares(pairs, chosen.len())?;
    let chosen = chosen.into_iter().zip(shares);
    chosen
        .map(|(id, datasets)| {
            Ok(Condition {
                id: id.to_owned(),
                datasets,
                clinical: false,
                name: mondo.ontology.term(id)?.label.clone(),
            })
        })
        .collect()
}

/// Splits `total` over `count` places, at least 1 each, falling off like 1/(n + 3): catalogues have a long tail.
fn shares(total: usize, count: usize) -> anyhow::Result<Vec<usize>> {
    const SCALE: usize = 1_000_000;
    let spare = total
        .checked_sub(count)
        .context("fewer pairs are left than conditions to give one to")?;
    let weights: Vec<usize> = (0..count).map(|place| SCALE / (place + 3)).collect();
    let sum: usize = weights.iter().sum::<usize>().max(1);
    let mut shares: Vec<usize> = weights
        .iter()
        .map(|weight| 1 + spare * weight / sum)
        .collect();
    let left = total - shares.iter().sum::<usize>();
    for share in shares.iter_mut().take(left) {
        *share += 1;
    }
    Ok(shares)
}

/// The graph: each condition holds a run of consecutive datasets, so that datasets share conditions as real ones do.
pub(super) fn graph(conditions: &[Condition]) -> Graph {
    let mut graph = Graph::new(
        "nde",
        &[DATASET_PREFIX, super::mondo::PREFIX, SCHEMA_PREFIX],
    );
    for number in 0..DATASETS {
        let dataset = format!("{DATASET}{number}");
        graph.class(&dataset, &schema("Dataset"));
        graph.text(
            &dataset,
            &schema("name"),
            &format!("reconstructed dataset {number}"),
        );
    }
    for condition in conditions {
        let iri = obo(&condition.id);
        graph.class(&iri, &schema("DefinedTerm"));
        graph.text(&iri, &schema("name"), &condition.name);
        let start = below(DATASETS, &["dataset", &condition.id]);
        for offset in 0..condition.datasets {
            let dataset = format!("{DATASET}{}", (start + offset) % DATASETS);
            graph.link(&dataset, &schema("healthCondition"), &iri);
        }
    }
    graph
}

#[cfg(test)]
mod tests {
    use super::{Condition, condition, graph, shares};

    #[test]
    fn shares_add_up_fall_off_and_leave_nobody_out() {
        for (total, count) in [(854, 149), (10, 10), (1_000, 3), (0, 0)] {
            let shares = shares(total, count).unwrap();
            assert_eq!(shares.len(), count);
            assert_eq!(shares.iter().sum::<usize>(), total);
            assert!(shares.is_sorted_by(|a, b| a >= b));
            assert!(shares.iter().all(|share| *share >= 1));
        }
        assert!(shares(2, 3).is_err());
    }

    #[test]
    fn a_line_has_four_cells() {
        let read = condition("MONDO_1\t33\tclinical\ta name, with a comma").unwrap();
        assert_eq!((read.datasets, read.clinical), (33, true));
        assert!(condition("MONDO_1 33 clinical a name").is_err());
    }

    #[test]
    fn a_condition_is_tagged_as_often_as_it_says() {
        let condition = Condition {
            id: "MONDO_1".to_owned(),
            datasets: 594,
            clinical: true,
            name: "x".to_owned(),
        };
        let one = graph(&[condition]).len();
        assert_eq!(one - graph(&[]).len(), 594 + 2);
    }
}
