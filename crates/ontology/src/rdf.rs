//! From triples to statements.

use crate::error::ReadErrorKind;
use crate::names::Term;
use crate::parts::cut;
use crate::statements::{self, Statements};
use crate::syntax::Syntax;
use crate::vocabulary::{Predicate, TypeOf, Vocabulary};
use oxrdf::{NamedNode, NamedOrBlankNode, Term as RdfTerm};
use oxttl::{NQuadsParser, NTriplesParser, TriGParser, TurtleParser, TurtleSyntaxError};
use rdfxml::RdfXmlParser;
use std::borrow::Cow;

/// Adds the triples of the file of that number to statements; those of named graphs too, all into one.
///
/// The parsers are told to be lenient: IRIs with a space or a brace in them are common in ontologies, and name their
/// classes all the same.
pub(crate) fn read(
    bytes: &[u8],
    syntax: Syntax,
    base: &str,
    number: usize,
    statements: Statements,
) -> Result<Statements, ReadErrorKind> {
    let mut sink = Sink::new(number, statements);
    match syntax {
        Syntax::RdfXml => {
            let parser = RdfXmlParser::new().lenient();
            // Relative IRIs of a file that names no base are relative to the file, as other readers have it.
            let parser = parser.with_base_iri(base).unwrap_or_default();
            rdfxml::read(parser, bytes, |triple| {
                sink.add(&triple.subject, &triple.predicate, &triple.object);
                Ok::<_, ReadErrorKind>(())
            })?;
        }
        Syntax::Turtle => {
            let parser = TurtleParser::new().lenient();
            let parser = parser.with_base_iri(base).unwrap_or_default();
            for triple in parser.for_slice(bytes) {
                let triple = triple?;
                sink.add(&triple.subject, &triple.predicate, &triple.object);
            }
        }
        Syntax::NTriples => {
            for triple in NTriplesParser::new().lenient().for_slice(bytes) {
                let triple = triple?;
                sink.add(&triple.subject, &triple.predicate, &triple.object);
            }
        }
        Syntax::NQuads => {
            for quad in NQuadsParser::new().lenient().for_slice(bytes) {
                let quad = quad?;
                sink.add(&quad.subject, &quad.predicate, &quad.object);
            }
        }
        Syntax::TriG => {
            let parser = TriGParser::new().lenient();
            let parser = parser.with_base_iri(base).unwrap_or_default();
            for quad in parser.for_slice(bytes) {
                let quad = quad?;
                sink.add(&quad.subject, &quad.predicate, &quad.object);
            }
        }
        Syntax::Obo => {}
    }
    Ok(sink.statements)
}

/// A part of a file, in a syntax of which parts can be read.
pub(crate) struct Part<'a> {
    text: Text<'a>,
    syntax: Syntax,
    base: &'a str,
}

enum Text<'a> {
    Xml(rdfxml::Piece<'a>),
    Lines(&'a [u8]),
}

impl Part<'_> {
    /// What the part says, in the first of the files.
    pub(crate) fn read(&self) -> Result<Statements, ReadErrorKind> {
        let text = match &self.text {
            Text::Xml(piece) => piece.text(),
            Text::Lines(text) => Cow::Borrowed(*text),
        };
        read(&text, self.syntax, self.base, 0, Statements::default())
    }
}

/// Cuts a file into at most `most` parts: RDF/XML between the children of its root, a syntax of lines between two of them.
/// Blank nodes that the text gives no name have another in each part, so none is taken for another.
pub(crate) fn parts<'a>(
    text: &'a [u8],
    syntax: Syntax,
    base: &'a str,
    most: usize,
) -> Vec<Part<'a>> {
    let texts: Vec<Text<'a>> = match syntax {
        Syntax::RdfXml => {
            let pieces = rdfxml::pieces(text, most).into_iter();
            pieces.map(Text::Xml).collect()
        }
        Syntax::NTriples | Syntax::NQuads => {
            let parts = cut(text, most, |rest| {
                rest.iter().position(|byte| *byte == b'\n')
            });
            parts.into_iter().map(Text::Lines).collect()
        }
        Syntax::Turtle | Syntax::TriG | Syntax::Obo => Vec::new(),
    };
    let part = |text| Part { text, syntax, base };
    texts.into_iter().map(part).collect()
}

impl From<TurtleSyntaxError> for ReadErrorKind {
    fn from(error: TurtleSyntaxError) -> Self {
        let start = error.location().start;
        Self::syntax(start.line + 1, start.column + 1, error.message().to_owned())
    }
}

impl From<rdfxml::Fault> for ReadErrorKind {
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
            Self::syntax(line, column, message)
        }
    }
}

/// Takes triples, keeps what is understood of them and counts the rest.
struct Sink {
    statements: Statements,
    vocabulary: Vocabulary,
    /// Begins a blank node, and tells it from one of another file.
    blank_prefix: String,
    blank: String,
}

impl Sink {
    fn new(number: usize, statements: Statements) -> Self {
        Self {
            statements,
            vocabulary: Vocabulary::new(),
            // No label has a space in it.
            blank_prefix: match number {
                0 => "_:".to_owned(),
                number => format!("_:{number} "),
            },
            blank: String::new(),
        }
    }

    fn add(&mut self, subject: &NamedOrBlankNode, predicate: &NamedNode, object: &RdfTerm) {
        self.statements.read += 1;
        match self.vocabulary.predicate(predicate.as_str()) {
            None => self.statements.miss(predicate.as_str()),
            Some(Predicate::Type) => self.add_type(subject, object),
            Some(Predicate::Relation(relation)) => {
                let subject = self.subject(subject);
                match self.node(object) {
                    Some(object) => self.statements.relations.push((subject, relation, object)),
                    None => self
                        .statements
                        .miss("a literal where a class or property is due"),
                }
            }
            Some(Predicate::Part(part)) => {
                let subject = self.subject(subject);
                let object = match object {
                    // A cardinality's number.
                    RdfTerm::Literal(literal) => self.literal(literal.value()),
                    _ => self.node(object).unwrap_or(subject),
                };
                self.statements.parts.push((subject, part, object));
            }
            Some(Predicate::Text(kind)) => {
                let RdfTerm::Literal(literal) = object else {
                    let subject = self.subject(subject);
                    if let Some(node) = self.node(object) {
                        self.statements.text_nodes.push((subject, kind, node));
                    }
                    return;
                };
                let language = literal
                    .language()
                    .map(|tag| self.statements.names.intern(&tag.to_ascii_lowercase()));
                let text = statements::Text {
                    subject: self.subject(subject),
                    kind,
                    language,
                    value: literal.value().into(),
                };
                self.statements.texts.push(text);
            }
            Some(Predicate::SameProperty) => {
                let subject = self.subject(subject);
                match self.node(object) {
                    Some(object) => self.statements.same_properties.push((subject, object)),
                    None => self.statements.miss("a literal where a property is due"),
                }
            }
            Some(Predicate::DisjointProperty) => {
                let subject = self.subject(subject);
                match self.node(object) {
                    Some(object) => {
                        let disjoint = &mut self.statements.disjoint_properties;
                        disjoint.push((subject, object));
                    }
                    None => self.statements.miss("a literal where a property is due"),
                }
            }
            Some(Predicate::Deprecated) => {
                if matches!(object, RdfTerm::Literal(literal) if matches!(literal.value(), "true" | "1"))
                {
                    let subject = self.subject(subject);
                    self.statements.deprecated.push(subject);
                }
            }
            Some(Predicate::Imports) => {
                if let RdfTerm::NamedNode(iri) = object {
                    self.statements.imports.push(iri.as_str().to_owned());
                }
            }
            Some(Predicate::VersionIri) => {
                if let RdfTerm::NamedNode(iri) = object {
                    // With several, the same one whatever their order.
                    let version = self.statements.version.take();
                    self.statements.version = version.max(Some(iri.as_str().to_owned()));
                }
            }
        }
    }

    fn add_type(&mut self, subject: &NamedOrBlankNode, object: &RdfTerm) {
        let class = match object {
            RdfTerm::NamedNode(class) => self.vocabulary.type_of(class.as_str()),
            _ => None,
        };
        let named = matches!(subject, NamedOrBlankNode::NamedNode(_));
        match class {
            Some(TypeOf::AllDisjointClasses) => {
                let subject = self.subject(subject);
                self.statements.all_disjoint.push(subject);
            }
            Some(TypeOf::AllDisjointProperties) => {
                let subject = self.subject(subject);
                self.statements.all_disjoint_properties.push(subject);
            }
            Some(TypeOf::Characteristic(characteristic)) if named => {
                let subject = self.subject(subject);
                let all = &mut self.statements.characteristics;
                all.push((subject, characteristic));
            }
            Some(TypeOf::Entity(kinds)) if named => {
                let subject = self.subject(subject);
                self.statements.kinds.push((subject, kinds));
            }
            Some(TypeOf::Deprecated) if named => {
                let subject = self.subject(subject);
                self.statements.deprecated.push(subject);
            }
            Some(TypeOf::Transitive) if named => {
                let subject = self.subject(subject);
                self.statements.transitive.push(subject);
            }
            Some(TypeOf::Ontology) if named => {
                let subject = self.subject(subject);
                self.statements.found_ontology(Some(subject));
            }
            Some(TypeOf::Individual) | None if named => {
                let subject = self.subject(subject);
                self.statements.individuals.push(subject);
            }
            // Class expressions are classes without a name, and are read where they are used. The types that belong to the
            // syntax say nothing that the predicates do not.
            _ => {}
        }
    }

    fn subject(&mut self, subject: &NamedOrBlankNode) -> Term {
        match subject {
            NamedOrBlankNode::NamedNode(iri) => self.statements.names.intern(iri.as_str()),
            NamedOrBlankNode::BlankNode(node) => self.blank(node.as_str()),
        }
    }

    /// `None` for a literal, and for a triple as a term, which is there where another package asks for RDF 1.2.
    fn node(&mut self, object: &RdfTerm) -> Option<Term> {
        if let RdfTerm::NamedNode(iri) = object {
            Some(self.statements.names.intern(iri.as_str()))
        } else if let RdfTerm::BlankNode(node) = object {
            Some(self.blank(node.as_str()))
        } else {
            None
        }
    }

    /// Literals are told from the other terms by the quotation mark that they begin with.
    fn literal(&mut self, value: &str) -> Term {
        self.statements.names.intern(&format!("\"{value}"))
    }

    fn blank(&mut self, label: &str) -> Term {
        self.blank.clear();
        self.blank.push_str(&self.blank_prefix);
        self.blank.push_str(label);
        self.statements.names.intern(&self.blank)
    }
}
