//! Controls beside their question's key: as strips of bars, and row by row.

use control::{Comparison, Fate, RowFate};
use sweep::{ControlEntry, RecordPage};
use table::{Cell, NumberValue, Table};

use crate::state::format;

/// A query's rows as bars in the key's order, the key's own rows first.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// The query's name, such as `B-keyword`.
    pub name: String,
    /// What became of the key's rows, in a few words.
    pub summary: String,
    /// The whole strip in a sentence, for those who do not see it.
    pub sentence: String,
    /// One a row of the key, in its order.
    pub bars: Vec<Bar>,
    /// One a row that only the control has.
    pub extra: Vec<Bar>,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What became of it; `None` in the key's own strip.
    pub fate: Option<Fate>,
    /// Its height, above 0 and at most 1.
    pub height: f64,
    /// What it is, to hover over.
    pub label: String,
}

/// The name of a fate, which is its class in the style sheet too.
pub fn fate_name(fate: Fate) -> &'static str {
    match fate {
        Fate::Kept => "kept",
        Fate::Changed => "changed",
        Fate::Missed => "missed",
        Fate::BelowCut => "below-cut",
        Fate::Invented => "invented",
    }
}

/// The key's strip and one for each control; none where the key's rows are not there.
pub fn strips(page: &RecordPage) -> Vec<Strip> {
    let Some(key) = page.key.as_ref().and_then(|key| read(&key.rows)) else {
        return Vec::new();
    };
    let scale = Scale::of(&key);
    let mut strips = vec![key_strip(&key, &scale)];
    strips.extend(
        page.controls
            .iter()
            .map(|control| control_strip(control, &key, &scale)),
    );
    strips
}

fn read(rows: &str) -> Option<Table> {
    table::read_sparql_json(rows.as_bytes()).ok()
}

/// Heights by the first column of numbers: by its square root, because the largest rows are many times the smallest.
struct Scale {
    column: Option<usize>,
    largest: f64,
}

impl Scale {
    /// A bar of the least value is still seen.
    const LEAST: f64 = 0.14;

    fn of(key: &Table) -> Self {
        let column = (0..key.columns().len()).find(|column| {
            !key.is_empty()
                && key
                    .rows()
                    .all(|row| matches!(row[*column], Cell::Number(_)))
        });
        let largest = column.map_or(1.0, |column| {
            (0..key.len())
                .filter_map(|row| value(key, row, column))
                .fold(0.0, f64::max)
        });
        Self { column, largest }
    }

    fn height(&self, table: &Table, row: usize) -> f64 {
        match self.column.and_then(|column| value(table, row, column)) {
            Some(value) if self.largest > 0.0 => (value / self.largest)
                .max(0.0)
                .sqrt()
                .clamp(Self::LEAST, 1.0),
            _ => 1.0,
        }
    }

    /// The number as the table writes it.
    fn text(&self, table: &Table, row: usize) -> Option<String> {
        Some(table.row(row).get(self.column?)?.to_string())
    }
}

fn value(table: &Table, row: usize, column: usize) -> Option<f64> {
    match table.row(row).get(column)? {
        Cell::Number(number) => match number.value() {
            NumberValue::Exact(decimal) => decimal.to_string().parse().ok(),
            NumberValue::Double(value) => Some(*value),
            NumberValue::Float(value) => Some(f64::from(*value)),
        },
        _ => None,
    }
}

fn key_strip(key: &Table, scale: &Scale) -> Strip {
    let bars = (0..key.len())
        .map(|row| Bar {
            fate: None,
            height: scale.height(key, row),
            label: format!(
                "row {}{}",
                row + 1,
                scale
                    .text(key, row)
                    .map(|value| format!(", {value}"))
                    .unwrap_or_default()
            ),
        })
        .collect();
    let rows = format::counted(key.len(), "row", "rows");
    Strip {
        name: "key".to_owned(),
        summary: rows.clone(),
        sentence: format!("The key has {rows}."),
        bars,
        extra: Vec::new(),
    }
}

fn control_strip(control: &ControlEntry, key: &Table, scale: &Scale) -> Strip {
    let rows = read(&control.rows).unwrap_or_default();
    let (mut bars, mut extra) = (Vec::new(), Vec::new());
    for row in &control.comparison.fates {
        let of_key = row.fate != Fate::Invented && row.fate != Fate::BelowCut;
        let (table, rank) = if of_key {
            (key, row.key_rank)
        } else {
            (&rows, row.control_rank)
        };
        let at = rank.map(|rank| rank - 1).filter(|at| *at < table.len());
        let bar = Bar {
            fate: Some(row.fate),
            height: at.map_or(1.0, |at| scale.height(table, at)),
            label: format!(
                "{}{}: {}",
                row_name(row),
                at.and_then(|at| scale.text(table, at))
                    .map(|value| format!(", {value}"))
                    .unwrap_or_default(),
                fate_name(row.fate).replace('-', " ")
            ),
        };
        if of_key {
            bars.push(bar);
        } else {
            extra.push(bar);
        }
    }
    Strip {
        name: control.name.clone(),
        summary: summary(&control.comparison),
        sentence: sentence(&control.name, &control.comparison),
        bars,
        extra,
    }
}

/// What a row is called: its name, else its identifier in short.
pub fn row_name(row: &RowFate) -> String {
    row.name
        .clone()
        .unwrap_or_else(|| format::short_iri(&row.identity))
}

/// `keeps 4 of 15, misses 11, invents 1`, without the parts that are none.
pub fn summary(comparison: &Comparison) -> String {
    if comparison.rows == 0 && comparison.key_rows > 0 {
        return "no rows at all".to_owned();
    }
    let mut parts = vec![format!(
        "keeps {} of {}",
        comparison.kept, comparison.key_rows
    )];
    for (count, verb) in [
        (comparison.changed, "changes"),
        (comparison.missed, "misses"),
        (comparison.invented, "invents"),
    ] {
        if count > 0 {
            parts.push(format!("{verb} {count}"));
        }
    }
    if comparison.below_cut > 0 {
        parts.push(format!("{} from below the cut", comparison.below_cut));
    }
    parts.join(", ")
}

fn sentence(name: &str, comparison: &Comparison) -> String {
    let ranks = |fate| {
        let ranks: Vec<String> = comparison
            .fates
            .iter()
            .filter(|row| row.fate == fate)
            .filter_map(|row| row.key_rank)
            .map(|rank| rank.to_string())
            .collect();
        ranks.join(", ")
    };
    let mut parts = vec![format!("Control {name}: {}.", summary(comparison))];
    if comparison.rows > 0 {
        for (word, fate) in [("Missed", Fate::Missed), ("Changed", Fate::Changed)] {
            let ranks = ranks(fate);
            if !ranks.is_empty() {
                parts.push(format!("{word} are the key's rows {ranks}."));
            }
        }
    }
    parts.join(" ")
}

/// The key's rows, then every row that only a control has.
#[derive(Clone, Debug, PartialEq)]
pub struct SideBySide {
    /// Names of the controls, one a column.
    pub controls: Vec<String>,
    /// The name of the column of values.
    pub value_name: Option<String>,
    /// The rows.
    pub rows: Vec<SideRow>,
}

/// A row and what each control makes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct SideRow {
    /// Its place in the key, from 1; for a row below the cut, in the key without its limit.
    pub key_rank: Option<usize>,
    /// Whether the key has it.
    pub in_key: bool,
    /// What it is called.
    pub name: String,
    /// Its identifier.
    pub identity: String,
    /// Its value in the key.
    pub value: Option<String>,
    /// One a control; `None` where the control has nothing to do with the row.
    pub cells: Vec<Option<SideCell>>,
}

/// What a control makes of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct SideCell {
    /// What became of the row.
    pub fate: Fate,
    /// Its place in the control, from 1.
    pub rank: Option<usize>,
    /// Its value in the control.
    pub value: Option<String>,
}

impl SideBySide {
    /// A record's controls beside its key.
    pub fn of(page: &RecordPage) -> Self {
        let key = page
            .key
            .as_ref()
            .and_then(|key| read(&key.rows))
            .unwrap_or_default();
        let scale = Scale::of(&key);
        let mut rows: Vec<SideRow> = Vec::new();
        for (at, control) in page.controls.iter().enumerate() {
            let table = read(&control.rows).unwrap_or_default();
            for fate in &control.comparison.fates {
                let in_key = !matches!(fate.fate, Fate::Invented | Fate::BelowCut);
                let known = rows.iter().position(|row| {
                    row.in_key == in_key
                        && row.identity == fate.identity
                        && row.cells[at].is_none()
                        && (!in_key || row.key_rank == fate.key_rank)
                });
                let position = known.unwrap_or_else(|| {
                    rows.push(SideRow {
                        key_rank: fate.key_rank,
                        in_key,
                        name: row_name(fate),
                        identity: fate.identity.clone(),
                        value: place(fate.key_rank, &key)
                            .filter(|_| in_key)
                            .and_then(|row| scale.text(&key, row)),
                        cells: vec![None; page.controls.len()],
                    });
                    rows.len() - 1
                });
                rows[position].cells[at] = Some(SideCell {
                    fate: fate.fate,
                    rank: fate.control_rank,
                    value: place(fate.control_rank, &table).and_then(|row| scale.text(&table, row)),
                });
            }
        }
        // The key's rows in its order, then the others in the order in which the controls brought them.
        rows.sort_by_key(|row| (!row.in_key, if row.in_key { row.key_rank } else { None }));
        Self {
            controls: page
                .controls
                .iter()
                .map(|control| control.name.clone())
                .collect(),
            value_name: scale
                .column
                .and_then(|column| key.columns().get(column).cloned()),
            rows,
        }
    }
}

fn place(rank: Option<usize>, table: &Table) -> Option<usize> {
    rank.and_then(|rank| rank.checked_sub(1))
        .filter(|row| *row < table.len())
}

/// Splits a prompt into what its twin has, what it adds, and what the twin has again. Unless the prompt is its twin with
/// something put in, nothing counts as added.
pub fn added<'a>(prompt: &'a str, twin: &str) -> (&'a str, &'a str, &'a str) {
    let unchanged = (prompt, "", "");
    if prompt.len() <= twin.len() {
        return unchanged;
    }
    let prefix: usize = prompt
        .chars()
        .zip(twin.chars())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let rest = &twin[prefix..];
    if prompt[prefix..].ends_with(rest) {
        let end = prompt.len() - rest.len();
        (&prompt[..prefix], &prompt[prefix..end], &prompt[end..])
    } else {
        unchanged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(n: u32) -> Cell {
        Cell::literal(
            &n.to_string(),
            Some("http://www.w3.org/2001/XMLSchema#integer"),
        )
    }

    fn rows(rows: &[(&str, u32)]) -> Table {
        Table::new(
            vec!["condition".into(), "datasets".into()],
            rows.iter()
                .map(|(id, n)| vec![Cell::Iri(format!("http://e/{id}").into()), integer(*n)])
                .collect(),
        )
    }

    fn control(name: &str, key: &Table, table: &Table) -> ControlEntry {
        ControlEntry {
            name: name.into(),
            letter: 'B',
            query: String::new(),
            rows: table::to_sparql_json(table),
            comparison: control::compare(key, None, table),
        }
    }

    #[test]
    fn a_strip_has_a_bar_for_each_row_of_the_key_and_of_the_control_alone() {
        let key = rows(&[("a", 400), ("b", 100), ("c", 25)]);
        let by_name = rows(&[("b", 100), ("x", 4)]);
        let strip = control_strip(
            &control("B-keyword", &key, &by_name),
            &key,
            &Scale::of(&key),
        );
        let fates: Vec<_> = strip.bars.iter().filter_map(|bar| bar.fate).collect();
        assert_eq!(fates, [Fate::Missed, Fate::Kept, Fate::Missed]);
        let heights: Vec<_> = strip.bars.iter().map(|bar| bar.height).collect();
        assert_eq!(heights, [1.0, 0.5, 0.25]);
        assert_eq!(strip.extra.len(), 1);
        assert!((strip.extra[0].height - Scale::LEAST).abs() < 1e-9);
        assert_eq!(
            strip.sentence,
            "Control B-keyword: keeps 1 of 3, misses 2, invents 1. Missed are the key's rows 1, 3."
        );
    }

    #[test]
    fn a_control_without_rows_says_so() {
        let key = rows(&[("a", 400)]);
        let strip = control_strip(
            &control("A-literal", &key, &rows(&[])),
            &key,
            &Scale::of(&key),
        );
        assert_eq!(strip.summary, "no rows at all");
    }

    #[test]
    fn the_sentence_that_the_twin_lacks() {
        let question = "Find the top 15. Break ties by IRI.";
        let control = "Find the top 15. Use the term as given. Break ties by IRI.";
        let (before, sentence, after) = added(control, question);
        assert_eq!(format!("{before}{sentence}{after}"), control);
        assert_eq!(sentence.trim(), "Use the term as given.");
        assert_eq!(added(question, control), (question, "", ""));
        assert_eq!(
            added("longer and quite different", "short"),
            ("longer and quite different", "", "")
        );
    }
}
