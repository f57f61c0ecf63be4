//! Tables out: CSV and SPARQL JSON.

use crate::table::Table;

/// The table as CSV.
pub fn to_csv(table: &Table) -> String {
    let _ = table;
    String::new()
}

/// The table as SPARQL JSON.
pub fn to_sparql_json(table: &Table) -> String {
    let _ = table;
    String::new()
}
