//! What a control's analysis says: the verdict in a sentence, its figures, ranks beside ranks, and why rows are wrong. Made
//! in the tables worker.

use control::{Fate, Match, Reason, RowFate, Verdict};
use sweep::ControlAnalysis;

use crate::state::controls::{fate_name, row_name};
use crate::state::format;

/// What a verdict means for the question, in a sentence.
pub fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Collapses => "It finds nothing, and nobody takes that for an answer.",
        Verdict::LooksRightAndIsWrong => {
            "A table like any other, and nothing in it says which of its rows are wrong."
        }
        Verdict::Partial => "Every row that it has is right, and some are missing.",
        Verdict::Equivalent => "Another way to the same rows, by the hierarchy too.",
        Verdict::ReproducesTheAnswer => {
            "The same rows without the hierarchy: the question does not need the ontology."
        }
    }
}

/// A figure against the key, and against the key without its LIMIT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What is counted.
    pub name: &'static str,
    /// Against the key's rows.
    pub cut: String,
    /// Against all rows of the key without its LIMIT; `None` where it has none.
    pub uncut: Option<String>,
}

/// The counts of a control, one below the other.
pub fn figures(control: &ControlAnalysis) -> Vec<Figure> {
    let compared = &control.comparison;
    let uncut = control.findings.uncut;
    let figure = |name, cut: usize, whole: Option<usize>| Figure {
        name,
        cut: format::count(cut),
        uncut: uncut.map(|_| whole.map_or_else(|| "–".to_owned(), format::count)),
    };
    let rows = compared.rows;
    vec![
        figure("rows of the control", rows, Some(rows)),
        figure(
            "rows of the key",
            compared.key_rows,
            uncut.map(|uncut| uncut.key_rows),
        ),
        figure("kept", compared.kept, uncut.map(|uncut| uncut.kept)),
        figure("missed", compared.missed, uncut.map(|uncut| uncut.missed)),
        figure(
            "invented",
            compared.invented,
            uncut.map(|uncut| uncut.invented),
        ),
        figure(
            "changed, of the kept",
            compared.changed,
            uncut.map(|uncut| uncut.changed),
        ),
        figure("from below the cut", compared.below_cut, None),
    ]
}

/// A ratio or a coefficient with two digits that say something; a dash where there is none.
pub fn ratio(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(value) if value != 0.0 && value.abs() < 0.1 => format!("{value:.3}"),
        Some(value) => format!("{value:.2}"),
    }
}

/// The ranks of one table beside those of the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slope {
    /// The key's rows, in its order.
    pub key: Vec<End>,
    /// The control's rows, in its order.
    pub control: Vec<End>,
    /// Lines between rows that both have, as places on either side from 0.
    pub lines: Vec<(usize, usize, Fate)>,
    /// Rows that are not drawn.
    pub left_out: usize,
    /// The picture in words.
    pub sentence: String,
}

/// A row at one end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Its place, from 1.
    pub rank: usize,
    /// What it is called.
    pub name: String,
    /// What became of it.
    pub fate: Fate,
}

impl Slope {
    /// More rows than this make no picture.
    const MOST: usize = 40;

    /// The picture of a control beside its key.
    pub fn of(control: &ControlAnalysis) -> Self {
        let fates = &control.comparison.fates;
        let mut slope = Self {
            key: ends(fates, |row| {
                row.key_rank
                    .filter(|_| !matches!(row.fate, Fate::BelowCut | Fate::Invented))
            }),
            control: ends(fates, |row| row.control_rank),
            ..Self::default()
        };
        slope.left_out = [&slope.key, &slope.control]
            .map(|side| side.len().saturating_sub(Self::MOST))
            .iter()
            .sum();
        for row in fates {
            let (Some(key), Some(control)) = (row.key_rank, row.control_rank) else {
                continue;
            };
            let drawn = matches!(row.fate, Fate::Kept | Fate::Changed)
                && key.max(control) <= Self::MOST
                && key.min(control) > 0;
            if drawn {
                slope.lines.push((key - 1, control - 1, row.fate));
            }
        }
        slope.key.truncate(Self::MOST);
        slope.control.truncate(Self::MOST);
        slope.sentence = sentence(control);
        slope
    }
}

fn ends(fates: &[RowFate], rank: impl Fn(&RowFate) -> Option<usize>) -> Vec<End> {
    let mut ends: Vec<End> = fates
        .iter()
        .filter_map(|row| {
            Some(End {
                rank: rank(row)?,
                name: row_name(row),
                fate: row.fate,
            })
        })
        .collect();
    ends.sort_by_key(|end| end.rank);
    ends
}

fn sentence(control: &ControlAnalysis) -> String {
    let fates = &control.comparison.fates;
    let mut parts = vec![format!(
        "Ranks in the key, left, and in control {}, right.",
        control.name
    )];
    let moved: Vec<String> = fates
        .iter()
        .filter(|row| matches!(row.fate, Fate::Kept | Fate::Changed))
        .filter_map(|row| Some(format!("{} to {}", row.key_rank?, row.control_rank?)))
        .take(Slope::MOST)
        .collect();
    if !moved.is_empty() {
        parts.push(format!("In both: {}.", moved.join(", ")));
    }
    for (words, fate, in_key) in [
        ("Missed are the key's rows", Fate::Missed, true),
        ("Invented are the control's rows", Fate::Invented, false),
        (
            "From below the cut are the control's rows",
            Fate::BelowCut,
            false,
        ),
    ] {
        let ranks: Vec<String> = fates
            .iter()
            .filter(|row| row.fate == fate)
            .filter_map(|row| {
                if in_key {
                    row.key_rank
                } else {
                    row.control_rank
                }
            })
            .map(|rank| rank.to_string())
            .take(Slope::MOST)
            .collect();
        if !ranks.is_empty() {
            parts.push(format!("{words} {}.", ranks.join(", ")));
        }
    }
    parts.join(" ")
}

/// Why one row is missed or invented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyRow {
    /// What became of it.
    pub fate: Fate,
    /// Where it stands: `row 3 of the key`.
    pub place: String,
    /// What it is called.
    pub name: String,
    /// Its identifier.
    pub identity: String,
    /// The reasons that are shown.
    pub reasons: Vec<Because>,
    /// Further reasons.
    pub more: usize,
}

/// One class behind a row: what its name says, and what the hierarchy does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Because {
    /// The class's name.
    pub name: Marked,
    /// The sentence that goes with it.
    pub says: String,
    /// The way up to the root; empty for a class outside the closure.
    pub path: Vec<Step>,
}

/// A class on the way up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its label.
    pub name: Marked,
    /// Its IRI.
    pub iri: String,
    /// Whether a test on names would find it.
    pub is_told: bool,
}

/// A name, and what of it a keyword matched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marked {
    /// What stands before.
    pub before: String,
    /// What matched; empty where nothing does.
    pub matched: String,
    /// What follows.
    pub after: String,
}

impl Marked {
    /// A name with its match, which is always its first.
    fn new(name: &str, found: Option<&Match>) -> Self {
        let whole = || Self {
            before: name.to_owned(),
            ..Self::default()
        };
        let Some(found) = found else { return whole() };
        let Some(word) = name.find(&found.word()) else {
            return whole();
        };
        let start = word + found.before.len();
        let end = start + found.matched.len();
        match (name.get(..start), name.get(start..end), name.get(end..)) {
            (Some(before), Some(matched), Some(after)) => Self {
                before: before.to_owned(),
                matched: matched.to_owned(),
                after: after.to_owned(),
            },
            _ => whole(),
        }
    }
}

/// Reasons shown for one row: a gene may have dozens of classes behind it.
const REASONS: usize = 3;

/// Why rows are missed or invented, the missed ones first, each side by its rank; none where nothing is known.
pub fn whys(control: &ControlAnalysis) -> Vec<WhyRow> {
    let explained = &control.findings.why;
    let wrong = control
        .comparison
        .fates
        .iter()
        .filter(|row| matches!(row.fate, Fate::Missed | Fate::Invented));
    // Both lists hold the same rows in the same order.
    wrong
        .zip(explained)
        .filter(|(row, why)| row.identity == why.identity && !why.reasons.is_empty())
        .map(|(row, why)| WhyRow {
            fate: row.fate,
            place: place(row),
            name: row_name(row),
            identity: row.identity.clone(),
            reasons: why
                .reasons
                .iter()
                .take(REASONS)
                .map(|reason| because(reason, &control.keywords))
                .collect(),
            more: why.reasons.len().saturating_sub(REASONS),
        })
        .collect()
}

fn place(row: &RowFate) -> String {
    match (row.fate, row.key_rank, row.control_rank) {
        (Fate::Missed, Some(rank), _) => format!("row {rank} of the key"),
        (_, _, Some(rank)) => format!("row {rank} of the control"),
        _ => fate_name(row.fate).to_owned(),
    }
}

fn because(reason: &Reason, keywords: &[String]) -> Because {
    let class = format::short_iri(&reason.class);
    let name = reason.name.as_deref().unwrap_or(&class);
    let closure = if reason.in_closure {
        "the class is in the closure"
    } else {
        "the class is not in the closure"
    };
    let says = match (&reason.matched, reason.tested) {
        (Some(found), _) if found.before.is_empty() && found.after.is_empty() => {
            format!("contains the keyword “{}”; {closure}", found.keyword)
        }
        (Some(found), _) => format!(
            "the word “{}” contains the keyword “{}”; {closure}",
            found.word(),
            found.keyword
        ),
        (None, true) => format!("no keyword occurs in the name; {closure}"),
        (None, false) => closure.to_owned(),
    };
    Because {
        name: Marked::new(name, reason.matched.as_ref()),
        says,
        path: reason
            .path
            .iter()
            .map(|step| {
                let found = Match::find(step.text(), keywords);
                Step {
                    is_told: found.is_some(),
                    name: Marked::new(step.text(), found.as_ref()),
                    iri: step.iri.clone(),
                }
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::{Classes, Findings, Grounds, Named, Taxonomy, compare};
    use table::{Cell, Table};

    fn rows(rows: &[(&str, &str)]) -> Table {
        let cells = |(id, name): &(&str, &str)| {
            vec![
                Cell::Iri(format!("http://e/{id}").into()),
                Cell::Text((*name).into()),
            ]
        };
        Table::new(
            vec!["condition".into(), "name".into()],
            rows.iter().map(cells).collect(),
        )
    }

    fn entry() -> ControlAnalysis {
        let key = rows(&[
            ("pre", "preeclampsia"),
            ("myo", "vascular disorder"),
            ("htn", "hypertension"),
        ]);
        let control = rows(&[
            ("myo", "vascular disorder"),
            ("fan", "familial avascular necrosis"),
        ]);
        let comparison = compare(&key, None, &control);
        let columns = ["class", "parent", "label"].map(str::to_owned).to_vec();
        let iri = |id: &str| Cell::Iri(format!("http://e/{id}").into());
        let text = |text: &str| Cell::Text(text.into());
        let taxonomy = Taxonomy::from_table(&Table::new(
            columns,
            vec![
                vec![iri("root"), Cell::Missing, text("vascular disorder")],
                vec![iri("htn"), iri("root"), text("hypertension")],
                vec![iri("pre"), iri("htn"), text("preeclampsia")],
            ],
        ));
        let keywords = vec!["vascular".to_owned()];
        let classes = Classes::Rows;
        let grounds = Grounds {
            keywords: &keywords,
            roots: &["http://e/root".to_owned()],
            taxonomy: &taxonomy,
            key: &classes,
            control: &classes,
        };
        let why = grounds.explain(&comparison.fates);
        ControlAnalysis {
            name: "B-keyword".into(),
            summary: None,
            query: String::new(),
            findings: Findings {
                why,
                ..Findings::default()
            },
            keywords,
            comparison,
        }
    }

    #[test]
    fn the_match_is_marked_inside_its_word() {
        let whys = whys(&entry());
        let invented = whys.iter().find(|why| why.fate == Fate::Invented).unwrap();
        let name = &invented.reasons[0].name;
        assert_eq!(
            (&*name.before, &*name.matched, &*name.after),
            ("familial a", "vascular", " necrosis")
        );
        assert_eq!(invented.place, "row 2 of the control");
        assert_eq!(
            invented.reasons[0].says,
            "the word “avascular” contains the keyword “vascular”; the class is not in the closure"
        );
    }

    #[test]
    fn the_path_marks_what_the_name_does_not_tell() {
        let whys = whys(&entry());
        let missed = &whys[0];
        assert_eq!(
            (missed.fate, &*missed.place, &*missed.name),
            (Fate::Missed, "row 1 of the key", "preeclampsia")
        );
        let path: Vec<(&str, bool)> = missed.reasons[0]
            .path
            .iter()
            .map(|step| (&*step.iri, step.is_told))
            .collect();
        assert_eq!(
            path,
            [
                ("http://e/pre", false),
                ("http://e/htn", false),
                ("http://e/root", true)
            ]
        );
        assert!(missed.reasons[0].says.starts_with("no keyword occurs"));
    }

    #[test]
    fn ranks_beside_ranks() {
        let slope = Slope::of(&entry());
        assert_eq!(slope.lines, [(1, 0, Fate::Kept)]);
        assert_eq!(
            (slope.key.len(), slope.control.len(), slope.left_out),
            (3, 2, 0)
        );
        assert_eq!(
            slope.sentence,
            "Ranks in the key, left, and in control B-keyword, right. In both: 2 to 1. Missed are the key's rows 1, 3. \
             Invented are the control's rows 2."
        );
    }

    #[test]
    fn a_long_table_is_drawn_in_part_and_says_so() {
        let names: Vec<(String, String)> =
            (0..50).map(|n| (n.to_string(), n.to_string())).collect();
        let names: Vec<(&str, &str)> = names.iter().map(|(a, b)| (&**a, &**b)).collect();
        let key = rows(&names);
        let long = ControlAnalysis {
            comparison: compare(&key, None, &key),
            ..entry()
        };
        let slope = Slope::of(&long);
        assert_eq!(
            (slope.key.len(), slope.lines.len(), slope.left_out),
            (40, 40, 20)
        );
    }

    #[test]
    fn several_classes_behind_one_row() {
        let mut entry = entry();
        let reason = entry.findings.why[0].reasons[0].clone();
        entry.findings.why[0].reasons = vec![reason; 5];
        let whys = whys(&entry);
        assert_eq!((whys[0].reasons.len(), whys[0].more), (3, 2));
        // What explains other rows than these explains nothing here.
        entry.findings.why[0].identity = "http://e/other".into();
        assert_eq!(self::whys(&entry).len(), 2);
    }

    #[test]
    fn figures_against_both_forms_of_the_key() {
        let mut entry = entry();
        assert!(figures(&entry).iter().all(|figure| figure.uncut.is_none()));
        entry.findings.uncut = Some(control::Uncut {
            key_rows: 1_628,
            kept: 2,
            missed: 1_626,
            invented: 0,
            changed: 0,
        });
        let figures = figures(&entry);
        assert_eq!(figures[3].cut, "2");
        assert_eq!(figures[3].uncut.as_deref(), Some("1\u{202f}626"));
        assert_eq!(figures[6].uncut.as_deref(), Some("–"));
    }

    #[test]
    fn ratios_keep_digits_that_say_something() {
        assert_eq!(ratio(Some(20.0 / 594.0)), "0.034");
        assert_eq!(ratio(Some(1.0)), "1.00");
        assert_eq!(ratio(Some(-0.5)), "-0.50");
        assert_eq!(ratio(None), "–");
    }

    #[test]
    fn a_name_that_the_match_is_not_from_stays_whole() {
        let found = Match::find("avascular", &["vascular"]);
        assert_eq!(Marked::new("other", found.as_ref()).before, "other");
        let named = Named {
            class: "http://e/x".into(),
            name: None,
        };
        let reason = Reason {
            class: named.class,
            name: None,
            tested: false,
            matched: None,
            in_closure: false,
            path: Vec::new(),
        };
        let because = because(&reason, &[]);
        assert_eq!(because.name.before, "http://e/x");
        assert_eq!(because.says, "the class is not in the closure");
    }
}
