//! A hash by which two result sets are known to be the same.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::cell::Cell;
use crate::number::NumberValue;
use crate::table::Table;

/// SHA-256, in hexadecimal, over the columns' names and the cells' kinds and values, in order.
///
/// Numbers count by value and blank nodes by the order in which they appear, since an engine may spell the one and label
/// the other anew each time. Everything else counts by its text.
///
/// ```
/// let one = table::read_key_csv(b"n\n144\n")?;
/// let other = table::read_key_csv(b"n\n144.0\n")?;
/// assert_eq!(table::content_hash(&one), table::content_hash(&other));
/// # Ok::<(), table::ReadError>(())
/// ```
pub fn content_hash(table: &Table) -> String {
    let mut hasher = Sha256::new();
    // Every field goes in with a tag and its length, so that no two tables write the same bytes.
    let mut field = |tag: u8, bytes: &[u8]| {
        hasher.update([tag]);
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    for column in table.columns() {
        field(b'c', column.as_bytes());
    }
    let mut blanks: HashMap<&str, u64> = HashMap::new();
    for row in table.rows() {
        field(b'r', &[]);
        for cell in row {
            match cell {
                Cell::Missing => field(b'm', &[]),
                Cell::Iri(iri) => field(b'i', iri.as_bytes()),
                Cell::Text(text) => field(b't', text.as_bytes()),
                Cell::Boolean(value) => field(b'b', &[u8::from(*value)]),
                Cell::Blank(label) => {
                    let next = blanks.len() as u64;
                    let ordinal = *blanks.entry(label).or_insert(next);
                    field(b'_', &ordinal.to_le_bytes());
                }
                Cell::Number(number) => match number.value() {
                    NumberValue::Exact(value) => field(b'n', value.to_string().as_bytes()),
                    NumberValue::Double(value) => field(b'd', &value.to_bits().to_le_bytes()),
                    NumberValue::Float(value) => field(b'f', &value.to_bits().to_le_bytes()),
                },
            }
        }
    }
    hex::encode(hasher.finalize())
}
