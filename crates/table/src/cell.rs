//! One typed cell.

use std::fmt;

use crate::number::{Number, NumberKind};

/// The namespace of the XML Schema datatypes.
pub(crate) const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// A cell of a result set, with the type that decides how an answer's text is compared with it.
///
/// ```
/// use table::Cell;
///
/// let count = Cell::literal("144", Some("http://www.w3.org/2001/XMLSchema#integer"));
/// assert!(matches!(count, Cell::Number(_)));
/// assert_eq!(Cell::literal("007", None), Cell::Text("007".into()));
/// assert_eq!(count.to_string(), "144");
/// ```
///
/// `Display` writes the lexical form, as in CSV: an IRI without angle brackets, a blank node as `_:label`, a missing
/// cell as nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Unbound.
    Missing,
    /// An IRI, without `<` and `>`.
    Iri(Box<str>),
    /// A blank node's label, without `_:`; it means something within its own table only.
    Blank(Box<str>),
    /// A literal with a numeric datatype.
    Number(Number),
    /// A literal with datatype `xsd:boolean`.
    Boolean(bool),
    /// Every other literal. Language tags and other datatypes are not compared, so they are not kept.
    Text(Box<str>),
}

impl Cell {
    /// A literal by its lexical form and datatype IRI (`None`: a plain or language-tagged string).
    ///
    /// A lexical form that is wrong for its numeric or boolean datatype is kept as text.
    pub fn literal(lexical: &str, datatype: Option<&str>) -> Self {
        match datatype.and_then(|iri| iri.strip_prefix(XSD)) {
            Some("boolean") => match lexical.trim_ascii() {
                "true" | "1" => Self::Boolean(true),
                "false" | "0" => Self::Boolean(false),
                _ => Self::Text(lexical.into()),
            },
            Some(name) => number_kind(name)
                .and_then(|kind| Number::parse(lexical, kind))
                .map_or_else(|| Self::Text(lexical.into()), Self::Number),
            None => Self::Text(lexical.into()),
        }
    }

    /// A blank node by its label, which some engines write with `_:` and some without.
    ///
    /// ```
    /// use table::Cell;
    ///
    /// assert_eq!(Cell::blank("_:z"), Cell::blank("z"));
    /// // A file may call another one so.
    /// assert_ne!(Cell::blank("_:_:z"), Cell::blank("_:z"));
    /// ```
    pub fn blank(label: &str) -> Self {
        Self::Blank(label.strip_prefix("_:").unwrap_or(label).into())
    }

    /// Whether there is nothing in the cell.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }
}

fn number_kind(xsd_name: &str) -> Option<NumberKind> {
    Some(match xsd_name {
        "integer" | "long" | "int" | "short" | "byte" | "nonNegativeInteger"
        | "positiveInteger" | "nonPositiveInteger" | "negativeInteger" | "unsignedLong"
        | "unsignedInt" | "unsignedShort" | "unsignedByte" => NumberKind::Integer,
        "decimal" => NumberKind::Decimal,
        "double" => NumberKind::Double,
        "float" => NumberKind::Float,
        _ => return None,
    })
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => Ok(()),
            Self::Iri(text) | Self::Text(text) => f.write_str(text),
            Self::Blank(label) => write!(f, "_:{label}"),
            Self::Number(number) => number.fmt(f),
            Self::Boolean(value) => value.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cell;

    /// A large key has a million cells; a field too many in one of them is felt.
    #[test]
    fn cells_are_small() {
        assert!(size_of::<Cell>() <= 24, "{}", size_of::<Cell>());
    }
}
