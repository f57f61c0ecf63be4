//! Tables out: CSV and SPARQL JSON.

use std::fmt::Write as _;

use crate::cell::{Cell, XSD};
use crate::number::NumberKind;
use crate::table::Table;

/// The table as CSV: RFC 4180 with `\n` as line end, cells by their lexical form, nothing for a missing cell.
///
/// In a one-column table a missing cell is a blank line, which is a row to the readers here.
///
/// ```
/// let key = table::read_key_csv(b"name,n\n\"a, b\",1\n,2\n")?;
/// assert_eq!(table::to_csv(&key), "name,n\n\"a, b\",1\n,2\n");
/// # Ok::<(), table::ReadError>(())
/// ```
pub fn to_csv(table: &Table) -> String {
    let mut csv = String::new();
    push_row(&mut csv, table.columns());
    for row in table.rows() {
        push_row(&mut csv, row);
    }
    csv
}

fn push_row<T: ToString>(csv: &mut String, cells: &[T]) {
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            csv.push(',');
        }
        push_cell(csv, &cell.to_string());
    }
    csv.push('\n');
}

fn push_cell(csv: &mut String, cell: &str) {
    if cell.contains([',', '"', '\n', '\r']) {
        csv.push('"');
        csv.push_str(&cell.replace('"', "\"\""));
        csv.push('"');
    } else {
        csv.push_str(cell);
    }
}

/// The table as SPARQL 1.1 Query Results JSON, a row a line.
///
/// Types are kept as far as cells keep them: reading this gives an equal table.
pub fn to_sparql_json(table: &Table) -> String {
    if let Some(value) = table.as_boolean() {
        return format!("{{\"head\":{{}},\"boolean\":{value}}}\n");
    }
    let mut json = String::from("{\"head\":{\"vars\":[");
    for (index, column) in table.columns().iter().enumerate() {
        if index > 0 {
            json.push(',');
        }
        push_string(&mut json, column);
    }
    json.push_str("]},\"results\":{\"bindings\":[");
    for (index, row) in table.rows().enumerate() {
        json.push_str(if index > 0 { ",\n{" } else { "\n{" });
        let mut separator = "";
        for (column, cell) in table.columns().iter().zip(row) {
            if cell.is_missing() {
                continue;
            }
            json.push_str(separator);
            push_string(&mut json, column);
            json.push(':');
            push_term(&mut json, cell);
            separator = ",";
        }
        json.push('}');
    }
    json.push_str("\n]}}\n");
    json
}

fn push_term(json: &mut String, cell: &Cell) {
    let (kind, value, datatype) = match cell {
        Cell::Missing => return,
        Cell::Iri(iri) => ("uri", iri.to_string(), None),
        // A reader takes one `_:` away, which a label may begin with.
        Cell::Blank(label) if label.starts_with("_:") => ("bnode", format!("_:{label}"), None),
        Cell::Blank(label) => ("bnode", label.to_string(), None),
        Cell::Text(text) => ("literal", text.to_string(), None),
        Cell::Boolean(value) => ("literal", value.to_string(), Some("boolean")),
        Cell::Number(number) => {
            let datatype = match number.kind() {
                NumberKind::Integer => "integer",
                NumberKind::Decimal => "decimal",
                NumberKind::Double => "double",
                NumberKind::Float => "float",
            };
            ("literal", number.to_string(), Some(datatype))
        }
    };
    // Writing to a `String` cannot fail.
    let _ = write!(json, "{{\"type\":\"{kind}\",\"value\":");
    push_string(json, &value);
    if let Some(name) = datatype {
        let _ = write!(json, ",\"datatype\":\"{XSD}{name}\"");
    }
    json.push('}');
}

fn push_string(json: &mut String, text: &str) {
    json.push('"');
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            c if c < ' ' => {
                let _ = write!(json, "\\u{:04x}", u32::from(c));
            }
            c => json.push(c),
        }
    }
    json.push('"');
}
