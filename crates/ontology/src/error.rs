//! Files that are no ontology.

use thiserror::Error;

/// A file that could not be read as an ontology.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{}:{}: {kind}", self.position().0, self.position().1)]
pub struct ReadError {
    /// The file's name as given.
    pub file: String,
    /// What is wrong with it.
    pub kind: ReadErrorKind,
}

impl ReadError {
    /// The 1-based line and column (in characters) of the trouble; the file's first where it has no place.
    pub fn position(&self) -> (u64, u64) {
        match self.kind {
            ReadErrorKind::Syntax { line, column, .. }
            | ReadErrorKind::CutShort { line, column, .. } => (line, column),
            _ => (1, 1),
        }
    }

    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self.kind {
            ReadErrorKind::UnknownSyntax => {
                "name it .owl, .rdf, .xml, .ttl, .nt, .nq, .trig or .obo, with .gz behind it or not"
            }
            ReadErrorKind::OtherSyntax { .. } => {
                "convert it to RDF/XML, Turtle or OBO, for example with ROBOT: robot convert -i FILE -o FILE.owl"
            }
            ReadErrorKind::Gzip { .. } | ReadErrorKind::CutShort { .. } => {
                "fetch the file again: it is cut short or damaged"
            }
            ReadErrorKind::TooLarge => "split the file",
            ReadErrorKind::Syntax { .. } => {
                "mend the file there, or write it anew with another tool"
            }
            ReadErrorKind::NoClass { missing: 1.., .. } => {
                "read what it imports too, or give an ontology that declares an owl:Class or rdfs:Class, or a [Term] in OBO"
            }
            ReadErrorKind::NoClass { .. } => {
                "give an ontology that declares an owl:Class or rdfs:Class, or a [Term] in OBO; instance data have none"
            }
        }
    }
}

/// Why a file could not be read as an ontology.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// Neither its name nor its first characters say in which syntax the file is.
    #[error("unknown format")]
    UnknownSyntax,
    /// A syntax of OWL or RDF that is not read here.
    #[error("this is {syntax}, which is not read")]
    OtherSyntax {
        /// Its name.
        syntax: &'static str,
    },
    /// The compression is broken.
    #[error("not a whole gzip file: {message}")]
    Gzip {
        /// The decoder's words.
        message: String,
    },
    /// More than [`MAX_TEXT`](crate::MAX_TEXT) bytes of text.
    #[error("longer than {} bytes", crate::MAX_TEXT)]
    TooLarge,
    /// The text breaks the rules of its syntax.
    #[error("{message}")]
    Syntax {
        /// 1-based line.
        line: u64,
        /// 1-based column, in characters.
        column: u64,
        /// The parser's words.
        message: String,
    },
    /// All of the text is right, but for its end, which is missing.
    #[error("{message}")]
    CutShort {
        /// 1-based line.
        line: u64,
        /// 1-based column, in characters.
        column: u64,
        /// What it ends before.
        message: String,
    },
    /// Nothing in it is declared to be a class.
    #[error(
        "an ontology without a class: none of its {read} statements declares one{}",
        not_read(*missing)
    )]
    NoClass {
        /// Triples or clauses that were read.
        read: usize,
        /// Imports that were not.
        missing: usize,
    },
}

fn not_read(missing: usize) -> String {
    match missing {
        0 => String::new(),
        1 => ", and one import was not read".to_owned(),
        _ => format!(", and {missing} imports were not read"),
    }
}

impl ReadErrorKind {
    pub(crate) fn syntax(line: u64, column: u64, message: String) -> Self {
        Self::Syntax {
            line,
            column,
            message,
        }
    }
}
