//! An ORDER BY as callers give it.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use table::Table;

use crate::fault::Fault;

/// One condition of an ORDER BY: the `order` of a [`ParsedRecord`](crate::ParsedRecord) is a list of these.
#[derive(Clone, Debug, Eq, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct By {
    /// The column; `None` for an expression, after which the order is open.
    pub column: Option<Column>,
    /// Whether large values come first.
    #[serde(default)]
    pub descending: bool,
}

/// A column by its name, or by its place from 0.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Column {
    /// With or without `?`.
    Name(String),
    /// From 0.
    Place(usize),
}

impl<'de> Deserialize<'de> for Column {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrPlace;
        impl Visitor<'_> for NameOrPlace {
            type Value = Column;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a column, or its place from 0")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Column, E> {
                Ok(Column::Name(name.to_owned()))
            }

            fn visit_u64<E: Error>(self, place: u64) -> Result<Column, E> {
                usize::try_from(place)
                    .map(Column::Place)
                    .map_err(|_| E::custom("no table has so many columns"))
            }

            fn visit_i64<E: Error>(self, place: i64) -> Result<Column, E> {
                u64::try_from(place)
                    .map_err(|_| E::custom("columns are counted from 0"))
                    .and_then(|place| self.visit_u64(place))
            }
        }
        deserializer.deserialize_any(NameOrPlace)
    }
}

/// The conditions by the table's columns, up to the first that is no column.
pub(crate) fn places(order: &[By], table: &Table) -> Result<Vec<(usize, bool)>, Fault> {
    let mut places = Vec::new();
    for by in order {
        let Some(column) = &by.column else { break };
        places.push((place(column, table)?, by.descending));
    }
    Ok(places)
}

fn place(column: &Column, table: &Table) -> Result<usize, Fault> {
    let columns = table.columns();
    let found = match column {
        Column::Place(place) => Some(*place).filter(|place| *place < columns.len()),
        Column::Name(name) => control::column_named(table, name).ok(),
    };
    found.ok_or_else(|| {
        let asked = match column {
            Column::Place(place) => format!("column number {place}"),
            Column::Name(name) => format!("column `{name}`"),
        };
        Fault::argument(
            format!(
                "options.order: the key has no {asked}; it has {}",
                columns.join(", ")
            ),
            "order by the key's own columns; a column of null stands for an expression",
        )
    })
}
