//! Records by agents: what each cell of the overview says.

use sweep::{BundleIndex, CellEntry, Outcome, RecordEntry, Tally};

use crate::state::format;

/// Which half of the pairs a matrix shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The questions, and records outside the naming scheme.
    Questions,
    /// Their twins, which say not to expand.
    Compliance,
}

impl Half {
    /// The half that a record belongs to.
    pub fn of(record: &RecordEntry) -> Self {
        if record.arm.is_some_and(|arm| arm.as_str() == "exact") {
            Self::Compliance
        } else {
            Self::Questions
        }
    }
}

/// One half's records against all agents.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Identifiers of the agents, one a column.
    pub agents: Vec<String>,
    /// One a record, in the index's order.
    pub rows: Vec<Row>,
    /// One an agent, over all rows.
    pub totals: Vec<String>,
}

/// A record and its cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The record.
    pub record: RecordEntry,
    /// One an agent; `None` where it has not been asked.
    pub cells: Vec<Option<Cell>>,
}

/// What one agent did at one record, in the words of the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The agent.
    pub agent: String,
    /// The number or word that stands large.
    pub figure: String,
    /// The class of the mark and colour that go with it.
    pub kind: &'static str,
    /// What happened, in a few words.
    pub words: String,
    /// Length of the bar, from 0 to 1; `None` for no bar.
    pub meter: Option<f64>,
    /// The number of the attempt that a click opens.
    pub first_attempt: u32,
}

impl Matrix {
    /// The matrix of one half.
    pub fn of(index: &BundleIndex, half: Half) -> Self {
        let agents: Vec<String> = index.agents.iter().map(|agent| agent.id.clone()).collect();
        let find = |record: &str, agent: &str| {
            index
                .cells
                .iter()
                .find(|cell| cell.record == record && cell.agent == agent)
        };
        let records: Vec<&RecordEntry> = index
            .records
            .iter()
            .filter(|record| Half::of(record) == half)
            .collect();
        let rows = records
            .iter()
            .map(|record| Row {
                record: (*record).clone(),
                cells: agents
                    .iter()
                    .map(|agent| find(&record.id, agent).map(|entry| Cell::of(entry, half)))
                    .collect(),
            })
            .collect();
        let totals = agents
            .iter()
            .map(|agent| {
                let tallies: Vec<&Tally> = records
                    .iter()
                    .filter_map(|record| find(&record.id, agent))
                    .map(|cell| &cell.tally)
                    .collect();
                total(&tallies, half)
            })
            .collect();
        Self {
            agents,
            rows,
            totals,
        }
    }
}

impl Cell {
    fn of(entry: &CellEntry, half: Half) -> Self {
        let (figure, kind, words, meter) = match half {
            Half::Questions => Self::question(entry),
            Half::Compliance => Self::compliance(entry),
        };
        Self {
            agent: entry.agent.clone(),
            figure,
            kind,
            words,
            meter,
            first_attempt: 1,
        }
    }

    /// A question: mean f1 over the attempts that count, and how they ended.
    fn question(entry: &CellEntry) -> (String, &'static str, String, Option<f64>) {
        let tally = &entry.tally;
        let Some(f1) = tally.mean_f1 else {
            return ("–".to_owned(), "none", ended(&entry.outcomes), None);
        };
        if tally.exact == tally.asked {
            let words = if tally.asked == 1 {
                "exact".to_owned()
            } else {
                format!("exact, {} of {}", tally.exact, tally.asked)
            };
            return (format::score(f1), "exact", words, Some(f1));
        }
        let words = if tally.exact > 0 {
            format!("exact {} of {}", tally.exact, tally.asked)
        } else {
            ended(&entry.outcomes)
        };
        (format::score(f1), "none", words, Some(f1))
    }

    /// A compliance control: obedience first; the raw score stays visible because other publications quote it.
    fn compliance(entry: &CellEntry) -> (String, &'static str, String, Option<f64>) {
        let counts = entry.tally.obedience;
        let (kind, count) = [
            ("disobeyed", counts.disobeyed),
            ("unproven", counts.unproven),
            ("obeyed", counts.obeyed),
        ]
        .into_iter()
        .find(|(_, count)| *count > 0)
        .unwrap_or(("none", 0));
        let asked = entry.tally.asked;
        let figure = match kind {
            "none" => "–".to_owned(),
            _ if count == asked => kind.to_owned(),
            _ => format!("{kind} {count} of {asked}"),
        };
        let raw = entry
            .tally
            .raw_mean_f1
            .map(|raw| format!(" · raw score {}", format::score(raw)))
            .unwrap_or_default();
        (
            figure,
            kind,
            format!("{}{raw}", ended(&entry.outcomes)),
            None,
        )
    }
}

/// How attempts ended: `answered`, or with counts where they differ, `answered 2, no answer 1`.
fn ended(outcomes: &[Outcome]) -> String {
    let mut counts: Vec<(Outcome, usize)> = Vec::new();
    for outcome in outcomes {
        match counts.iter_mut().find(|(other, _)| other == outcome) {
            Some((_, count)) => *count += 1,
            None => counts.push((*outcome, 1)),
        }
    }
    match counts.as_slice() {
        [] => "not asked".to_owned(),
        [(outcome, 1)] => outcome_words(*outcome).to_owned(),
        [(outcome, count)] => format!("{}, {count} times", outcome_words(*outcome)),
        several => several
            .iter()
            .map(|(outcome, count)| format!("{} {count}", outcome_words(*outcome)))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// An outcome in words that need no glossary.
pub fn outcome_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Answered => "answered",
        Outcome::AnsweredEmpty => "empty answer",
        Outcome::NoAnswer => "no answer",
        Outcome::Timeout => "out of time",
        Outcome::StartupError => "never started",
        Outcome::AgentError => "agent failed",
        Outcome::Budget => "out of budget",
    }
}

fn total(tallies: &[&Tally], half: Half) -> String {
    let sum = |count: fn(&Tally) -> u32| tallies.iter().map(|tally| count(tally)).sum::<u32>();
    let asked = sum(|tally| tally.asked);
    if asked == 0 {
        return "not asked".to_owned();
    }
    let lost = sum(|tally| tally.infrastructure);
    let lost = if lost > 0 {
        format!(", {lost} lost to the infrastructure")
    } else {
        String::new()
    };
    match half {
        Half::Questions => format!("{} of {asked} exact{lost}", sum(|tally| tally.exact)),
        Half::Compliance => format!(
            "{} of {asked} obeyed{lost}",
            sum(|tally| tally.obedience.obeyed)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sweep::ObedienceCounts;

    fn entry(outcomes: &[Outcome], tally: Tally) -> CellEntry {
        CellEntry {
            record: "nde-expand_x".into(),
            agent: "baseline:keyword".into(),
            tally,
            outcomes: outcomes.to_vec(),
        }
    }

    #[test]
    fn a_question_shows_its_f1_and_how_it_ended() {
        let partly = entry(
            &[Outcome::Answered],
            Tally {
                asked: 1,
                answered: 1,
                mean_f1: Some(0.2963),
                ..Tally::default()
            },
        );
        let cell = Cell::of(&partly, Half::Questions);
        assert_eq!(
            (cell.figure.as_str(), cell.kind, cell.words.as_str()),
            ("0.30", "none", "answered")
        );

        let mixed = entry(
            &[Outcome::Answered, Outcome::NoAnswer, Outcome::Answered],
            Tally {
                asked: 3,
                answered: 2,
                unanswered: 1,
                mean_f1: Some(0.1),
                ..Tally::default()
            },
        );
        assert_eq!(
            Cell::of(&mixed, Half::Questions).words,
            "answered 2, no answer 1"
        );

        let all_right = entry(
            &[Outcome::Answered; 3],
            Tally {
                asked: 3,
                answered: 3,
                exact: 3,
                mean_f1: Some(1.0),
                ..Tally::default()
            },
        );
        let cell = Cell::of(&all_right, Half::Questions);
        assert_eq!((cell.kind, cell.words.as_str()), ("exact", "exact, 3 of 3"));
    }

    #[test]
    fn silence_is_unproven_and_its_raw_score_is_only_a_note() {
        let silent = entry(
            &[Outcome::NoAnswer],
            Tally {
                asked: 1,
                unanswered: 1,
                mean_f1: Some(0.0),
                raw_mean_f1: Some(1.0),
                obedience: ObedienceCounts {
                    unproven: 1,
                    ..ObedienceCounts::default()
                },
                ..Tally::default()
            },
        );
        let cell = Cell::of(&silent, Half::Compliance);
        assert_eq!((cell.figure.as_str(), cell.kind), ("unproven", "unproven"));
        assert_eq!(cell.words, "no answer · raw score 1.00");
    }

    #[test]
    fn one_disobedience_among_several_is_what_the_cell_says() {
        let mixed = entry(
            &[Outcome::AnsweredEmpty, Outcome::Answered],
            Tally {
                asked: 2,
                answered: 2,
                obedience: ObedienceCounts {
                    obeyed: 1,
                    disobeyed: 1,
                    unproven: 0,
                },
                ..Tally::default()
            },
        );
        assert_eq!(
            Cell::of(&mixed, Half::Compliance).figure,
            "disobeyed 1 of 2"
        );
    }

    #[test]
    fn totals_name_their_denominator_and_what_was_lost() {
        let tally = Tally {
            asked: 5,
            exact: 1,
            infrastructure: 3,
            ..Tally::default()
        };
        assert_eq!(
            total(&[&tally, &tally], Half::Questions),
            "2 of 10 exact, 6 lost to the infrastructure"
        );
        assert_eq!(total(&[], Half::Compliance), "not asked");
    }
}
