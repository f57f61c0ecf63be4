//! Reading RDF files into the store.

use crate::store::{Staged, Store};
use crate::terms::Full;
use flate2::read::MultiGzDecoder;
use oxrdf::QuadRef;
use oxttl::{NQuadsParser, NTriplesParser, TriGParser, TurtleParser, TurtleSyntaxError};
use std::borrow::Cow;
use std::io::Read;

/// What a file was found to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadReport {
    /// Quads read, repetitions included; 0 where the file had been loaded before.
    pub quads: usize,
}

/// A file that could not be loaded; what was loaded before it is untouched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {kind}", position(.kind))]
pub struct LoadError {
    /// The file's name as given.
    pub file: String,
    /// What is wrong with it.
    pub kind: LoadErrorKind,
}

impl LoadError {
    /// The 1-based line and column (in characters) of the first thing that is wrong, where there is one.
    pub fn position(&self) -> Option<(u64, u64)> {
        match &self.kind {
            LoadErrorKind::Syntax { line, column, .. }
            | LoadErrorKind::CutShort { line, column, .. } => Some((*line, *column)),
            _ => None,
        }
    }

    /// What to do about it, where there is something to do.
    pub fn remedy(&self) -> Option<&'static str> {
        match self.kind {
            LoadErrorKind::Format => Some(if cfg!(feature = "rdf-xml") {
                "name it .trig, .nq, .ttl, .nt, .rdf or .owl, with .gz behind it or not"
            } else {
                "name it .trig, .nq, .ttl or .nt, with .gz behind it or not"
            }),
            LoadErrorKind::Gzip { .. } | LoadErrorKind::CutShort { .. } => {
                Some("fetch the file again: it is cut short or damaged")
            }
            LoadErrorKind::TooLarge => Some("split the file"),
            LoadErrorKind::Syntax { .. } | LoadErrorKind::TooManyTerms => None,
        }
    }
}

/// Why a file could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadErrorKind {
    /// The name does not say in which syntax the file is.
    #[error("unknown format")]
    Format,
    /// The compression is broken.
    #[error("not a whole gzip file: {message}")]
    Gzip {
        /// The decoder's words.
        message: String,
    },
    /// More than [`MAX_TEXT`] bytes of text.
    #[error("longer than {MAX_TEXT} bytes")]
    TooLarge,
    /// The text breaks the rules of its format.
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
    /// The federation's dictionary is full.
    #[error("more than 4,294,967,295 distinct terms")]
    TooManyTerms,
}

/// The longest text that is read from a file, after decompression: the bound on what a few hostile kilobytes of gzip can
/// make the program allocate.
pub const MAX_TEXT: usize = 1 << 30;

/// Whether a file's name says a syntax that is read here.
///
/// ```
/// assert!(federation::is_rdf("nde.trig.gz") && !federation::is_rdf("manifest.json"));
/// ```
pub fn is_rdf(file: &str) -> bool {
    Format::of(file).is_some()
}

fn position(kind: &LoadErrorKind) -> String {
    match kind {
        LoadErrorKind::Syntax { line, column, .. }
        | LoadErrorKind::CutShort { line, column, .. } => format!(":{line}:{column}"),
        _ => String::new(),
    }
}

impl From<Full> for LoadErrorKind {
    fn from(_: Full) -> Self {
        Self::TooManyTerms
    }
}

impl From<TurtleSyntaxError> for LoadErrorKind {
    fn from(error: TurtleSyntaxError) -> Self {
        let start = error.location().start;
        Self::Syntax {
            line: start.line + 1,
            column: start.column + 1,
            message: error.message().to_owned(),
        }
    }
}

/// The syntaxes that are read, each by the ending of a file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    TriG,
    NQuads,
    Turtle,
    NTriples,
    #[cfg(feature = "rdf-xml")]
    RdfXml,
}

impl Format {
    fn of(file: &str) -> Option<Self> {
        let name = file.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        Some(match name.rsplit_once('.')?.1 {
            "trig" => Self::TriG,
            "nq" => Self::NQuads,
            "ttl" => Self::Turtle,
            "nt" => Self::NTriples,
            #[cfg(feature = "rdf-xml")]
            "rdf" | "owl" => Self::RdfXml,
            _ => return None,
        })
    }
}

/// Adds a file to the store: all of it or, where it is wrong, nothing.
pub(crate) fn load(store: &mut Store, file: &str, bytes: &[u8]) -> Result<LoadReport, LoadError> {
    read(store, file, bytes).map_err(|kind| LoadError {
        file: file.to_owned(),
        kind,
    })
}

fn read(store: &mut Store, file: &str, bytes: &[u8]) -> Result<LoadReport, LoadErrorKind> {
    let format = Format::of(file).ok_or(LoadErrorKind::Format)?;
    let text = decompressed(bytes)?;
    let mut staged = store.stage();
    match format {
        Format::TriG => quads(TriGParser::new().for_slice(&*text), &mut staged)?,
        Format::NQuads => quads(NQuadsParser::new().for_slice(&*text), &mut staged)?,
        Format::Turtle => triples(TurtleParser::new().for_slice(&*text), &mut staged)?,
        Format::NTriples => triples(NTriplesParser::new().for_slice(&*text), &mut staged)?,
        #[cfg(feature = "rdf-xml")]
        Format::RdfXml => rdf_xml(&text, &mut staged)?,
    }
    let quads = staged.quads();
    staged.commit();
    Ok(LoadReport { quads })
}

fn quads(
    parsed: impl Iterator<Item = Result<oxrdf::Quad, TurtleSyntaxError>>,
    staged: &mut Staged<'_>,
) -> Result<(), LoadErrorKind> {
    for quad in parsed {
        staged.add(quad?.as_ref())?;
    }
    Ok(())
}

fn triples(
    parsed: impl Iterator<Item = Result<oxrdf::Triple, TurtleSyntaxError>>,
    staged: &mut Staged<'_>,
) -> Result<(), LoadErrorKind> {
    for triple in parsed {
        staged.add(unnamed(&triple?))?;
    }
    Ok(())
}

fn unnamed(triple: &oxrdf::Triple) -> QuadRef<'_> {
    QuadRef::new(
        &triple.subject,
        &triple.predicate,
        &triple.object,
        oxrdf::GraphNameRef::DefaultGraph,
    )
}

#[cfg(feature = "rdf-xml")]
fn rdf_xml(text: &[u8], staged: &mut Staged<'_>) -> Result<(), LoadErrorKind> {
    rdfxml::read(rdfxml::RdfXmlParser::new(), text, |triple| {
        Ok(staged.add(unnamed(triple))?)
    })
}

#[cfg(feature = "rdf-xml")]
impl From<rdfxml::Fault> for LoadErrorKind {
    fn from(fault: rdfxml::Fault) -> Self {
        let rdfxml::Fault {
            line,
            column,
            message,
            is_cut_short,
        } = fault;
        if is_cut_short {
            Self::CutShort {
                line,
                column,
                message,
            }
        } else {
            Self::Syntax {
                line,
                column,
                message,
            }
        }
    }
}

/// The text of a file, which is compressed where its first bytes say so: a server may have undone the compression that the
/// name announces.
fn decompressed(bytes: &[u8]) -> Result<Cow<'_, [u8]>, LoadErrorKind> {
    if !bytes.starts_with(&[0x1F, 0x8B]) {
        return if bytes.len() > MAX_TEXT {
            Err(LoadErrorKind::TooLarge)
        } else {
            Ok(bytes.into())
        };
    }
    let mut text = Vec::new();
    MultiGzDecoder::new(bytes)
        .take(MAX_TEXT as u64 + 1)
        .read_to_end(&mut text)
        .map_err(|error| LoadErrorKind::Gzip {
            message: error.to_string(),
        })?;
    if text.len() > MAX_TEXT {
        return Err(LoadErrorKind::TooLarge);
    }
    Ok(text.into())
}
