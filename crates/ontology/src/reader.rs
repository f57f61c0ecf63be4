//! From files to an ontology: one file, and what it imports where somebody brings it.

use crate::error::{ReadError, ReadErrorKind};
use crate::names::Term;
use crate::ontology::Ontology;
use crate::parts::{Draft, Part, joined, parts};
use crate::statements::Statements;
use crate::syntax::Syntax;
use crate::{obo, rdf};
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Read as _;

/// The longest text that is read from a file, after decompression: the bound on what a few hostile kilobytes of gzip can
/// make the program allocate.
pub const MAX_TEXT: usize = 1 << 30;

/// Reads an ontology and, one after the other, files that it imports. What the files say becomes one ontology, and a blank
/// node of one file is none of another's.
///
/// ```
/// use ontology::OntologyReader;
///
/// let prefixes = "@prefix owl: <http://www.w3.org/2002/07/owl#> .";
/// let file = format!("{prefixes} <http://e/o> a owl:Ontology ; owl:imports <http://e/p> .");
/// let mut reader = OntologyReader::new("o.ttl", file.as_bytes())?;
/// assert_eq!(reader.missing(), ["http://e/p"]);
/// let file = format!("{prefixes} <http://e/A> a owl:Class . <http://e/p> owl:imports <http://e/o> .");
/// reader.import("http://e/p", "p.ttl", file.as_bytes())?;
/// assert!(reader.missing().is_empty());
/// let ontology = reader.finish()?;
/// // Each imports the other, and both were read.
/// assert_eq!(ontology.imports_read(), ["http://e/o", "http://e/p"]);
/// # Ok::<(), ontology::ReadError>(())
/// ```
pub struct OntologyReader {
    file: String,
    syntax: Syntax,
    statements: Statements,
    /// What each file that was read calls itself, and the IRI by which it was imported.
    known: BTreeSet<String>,
    /// How many files were read.
    files: usize,
}

impl OntologyReader {
    /// Reads the file that imports the others; its name says its syntax (see [`Syntax::of`]).
    pub fn new(file: &str, bytes: &[u8]) -> Result<Self, ReadError> {
        let one_by_one = |parts: &[Part<'_>]| parts.iter().map(Part::read).collect();
        Self::in_parts(file, bytes, |_| 1, one_by_one)
    }

    /// The same, by way of parts of the file, which `read` reads in any order, on as many threads as it likes, and gives back
    /// in theirs. `most` says how many there are to be at most of a text of so many bytes, which is that of the file once it
    /// is decompressed. What comes of it does not depend on the parts. A file in a syntax that cannot be read in parts
    /// (Turtle, `TriG`), one with a fault, and one of which `read` gives back more or fewer parts than there are, is read as a
    /// whole.
    ///
    /// ```
    /// use ontology::OntologyReader;
    /// use std::thread;
    ///
    /// let file = "[Term]\nid: X:1\nname: organ\n\n[Term]\nid: X:2\nname: heart\nis_a: X:1\n";
    /// let reader = OntologyReader::in_parts("o.obo", file.as_bytes(), |_| 2, |parts| {
    ///     thread::scope(|scope| {
    ///         let threads: Vec<_> = parts.iter().map(|part| scope.spawn(|| part.read())).collect();
    ///         threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    ///     })
    /// })?;
    /// assert_eq!(reader.finish()?.classes().count(), 2);
    /// # Ok::<(), ontology::ReadError>(())
    /// ```
    pub fn in_parts(
        file: &str,
        bytes: &[u8],
        most: impl FnOnce(usize) -> usize,
        read: impl FnOnce(&[Part<'_>]) -> Vec<Draft>,
    ) -> Result<Self, ReadError> {
        let (syntax, statements) =
            read_first(file, bytes, most, read).map_err(|kind| ReadError {
                file: file.to_owned(),
                kind,
            })?;
        let own = [
            statements.ontology.map(|iri| statements.names.get(iri)),
            statements.version.as_deref(),
        ];
        let known = own.into_iter().flatten().map(plain).collect();
        Ok(Self {
            file: file.to_owned(),
            syntax,
            statements,
            known,
            files: 1,
        })
    }

    /// The IRIs of what is imported and was not read, sorted. An ontology that has been read is not missing, whichever of
    /// its IRIs it is imported by: its own, that of its version, or the one that it was first imported by.
    pub fn missing(&self) -> Vec<String> {
        let imports = self.statements.imports.iter();
        let missing: BTreeSet<&String> = imports
            .filter(|iri| !self.known.contains(&plain(iri)))
            .collect();
        missing.into_iter().cloned().collect()
    }

    /// Reads a file that is imported by this IRI, which its relative IRIs are relative to.
    pub fn import(&mut self, iri: &str, file: &str, bytes: &[u8]) -> Result<(), ReadError> {
        self.known.insert(plain(iri));
        // The whole is called what the first file is called.
        let own: (Option<Term>, Option<String>) = (
            self.statements.ontology.take(),
            self.statements.version.take(),
        );
        let skipped = self.statements.skipped.len();
        let before = std::mem::take(&mut self.statements);
        self.statements =
            read_import(file, bytes, iri, self.files, before).map_err(|kind| ReadError {
                file: file.to_owned(),
                kind,
            })?;
        let its_own = [
            self.statements
                .ontology
                .map(|iri| self.statements.names.get(iri)),
            self.statements.version.as_deref(),
        ];
        self.known.extend(its_own.into_iter().flatten().map(plain));
        (self.statements.ontology, self.statements.version) = own;
        for skipped in self.statements.skipped.iter_mut().skip(skipped) {
            skipped.import = Some(file.to_owned());
        }
        self.files += 1;
        Ok(())
    }

    /// The ontology, which has a class at least.
    pub fn finish(self) -> Result<Ontology, ReadError> {
        let missing = self.missing();
        let ontology = Ontology::new(self.statements, self.syntax, &missing);
        if ontology.classes().next().is_none() {
            return Err(ReadError {
                file: self.file,
                kind: ReadErrorKind::NoClass {
                    read: ontology.statements(),
                    missing: missing.len(),
                },
            });
        }
        Ok(ontology)
    }
}

/// An IRI as it is compared: one of an ontology is written with a `#` at its end or without.
fn plain(iri: &str) -> String {
    iri.trim_end_matches('#').to_owned()
}

/// Reads the first file, in parts where it has more than one.
fn read_first(
    file: &str,
    bytes: &[u8],
    most: impl FnOnce(usize) -> usize,
    read: impl FnOnce(&[Part<'_>]) -> Vec<Draft>,
) -> Result<(Syntax, Statements), ReadErrorKind> {
    let text = decompressed(bytes)?;
    let text = without_mark(&text);
    let syntax = Syntax::of(file, text)?;
    let base = base(file);
    let most = most(text.len());
    if most > 1 {
        let parts = parts(text, syntax, &base, most);
        if parts.len() > 1
            && let drafts = read(&parts)
            && drafts.len() == parts.len()
            && let Some(statements) = joined(drafts)
        {
            return Ok((syntax, statements));
        }
    }
    let statements = read_text(text, syntax, &base, 0, Statements::default())?;
    Ok((syntax, statements))
}

fn read_import(
    file: &str,
    bytes: &[u8],
    iri: &str,
    number: usize,
    statements: Statements,
) -> Result<Statements, ReadErrorKind> {
    let text = decompressed(bytes)?;
    let text = without_mark(&text);
    read_text(text, Syntax::of(file, text)?, iri, number, statements)
}

/// Adds what the text of the file of that number says to statements.
pub(crate) fn read_text(
    text: &[u8],
    syntax: Syntax,
    base: &str,
    number: usize,
    statements: Statements,
) -> Result<Statements, ReadErrorKind> {
    match syntax {
        Syntax::Obo => Ok(obo::read(text, statements)),
        _ => rdf::read(text, syntax, base, number, statements),
    }
}

/// A text without the mark of its byte order.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// What a file's relative IRIs are relative to where it does not say so itself.
fn base(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "._-".contains(c) {
            c
        } else {
            '_'
        }
    };
    format!("file:///{}", name.chars().map(plain).collect::<String>())
}

/// The text of a file, which is compressed where its first bytes say so, whatever its name.
fn decompressed(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ReadErrorKind> {
    if !bytes.starts_with(&[0x1F, 0x8B]) {
        return if bytes.len() > MAX_TEXT {
            Err(ReadErrorKind::TooLarge)
        } else {
            Ok(bytes.into())
        };
    }
    let mut text = Vec::new();
    MultiGzDecoder::new(bytes)
        .take(MAX_TEXT as u64 + 1)
        .read_to_end(&mut text)
        .map_err(|error| ReadErrorKind::Gzip {
            message: error.to_string(),
        })?;
    if text.len() > MAX_TEXT {
        return Err(ReadErrorKind::TooLarge);
    }
    Ok(text.into())
}
