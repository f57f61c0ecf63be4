//! From lines to statements.

use super::clause::{Clause, modifiers, quotation, unescaped};
use super::ids::Ids;
use crate::names::Term;
use crate::parts::cut;
use crate::statements::{Count, Hidden, Restriction, Skipped, Statements, Text};
use crate::vocabulary::{Characteristic, Kinds, Quantifier, Relation, TextKind};
use memchr::{memchr_iter, memchr2, memmem};
use std::borrow::Cow;

/// Adds what a file says to statements. Whatever is in it, what is right of it is read.
pub(crate) fn read(bytes: &[u8], statements: Statements) -> Statements {
    let text = decoded(bytes);
    // Identifiers need the header's spaces and the relations' shorthands, which may stand anywhere.
    let ids = identifiers(&text);
    Reader::read(&text, 0, ids, statements)
}

/// Some stanzas of a file.
pub(crate) struct Part<'a> {
    text: &'a [u8],
    /// How many lines stand before it.
    lines_before: u32,
    /// As the whole file says it.
    ids: Ids,
}

impl Part<'_> {
    pub(crate) fn read(&self) -> Statements {
        let text = decoded(self.text);
        let ids = self.ids.clone();
        Reader::read(&text, self.lines_before, ids, Statements::default())
    }
}

/// Cuts a file into at most `most` parts, each but the first of which begins with the header of a stanza.
pub(crate) fn parts(bytes: &[u8], most: usize) -> Vec<Part<'_>> {
    let ids = identifiers(&decoded(bytes));
    let mut lines_before = 0;
    let texts = cut(bytes, most, |rest| {
        let mut starts = memmem::find_iter(rest, b"\n[");
        // Such a line belongs to the one before where that ends in a backslash.
        starts.find(|at| {
            let before = rest.get(..*at).unwrap_or_default();
            let before = before.strip_suffix(b"\r").unwrap_or(before);
            !before.is_empty() && !before.ends_with(b"\\")
        })
    });
    let mut parts = Vec::with_capacity(texts.len());
    for text in texts {
        parts.push(Part {
            text,
            lines_before,
            ids: ids.clone(),
        });
        let lines = u32::try_from(line_ends(text)).unwrap_or(u32::MAX);
        lines_before = lines_before.saturating_add(lines);
    }
    parts
}

/// The text of some bytes. What is no UTF-8 becomes U+FFFD.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    // Most files are UTF-8, which is seen in a fraction of the time that the replacing of what is not takes.
    match str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// How many lines end in a text, by LF, CR or both: see [`Lines`].
fn line_ends(text: &[u8]) -> usize {
    let alone = memchr_iter(b'\r', text).filter(|at| text.get(at + 1) != Some(&b'\n'));
    memchr_iter(b'\n', text).count() + alone.count()
}

/// A line, continued ones joined, with the number of its first.
struct Line<'a> {
    number: u32,
    text: Cow<'a, str>,
}

/// The lines of a text: CRLF, CR and LF each end one, and a backslash at the end joins it to the next.
struct Lines<'a> {
    rest: &'a str,
    /// Of the line before.
    number: u32,
}

impl<'a> Lines<'a> {
    /// A line of the file as it is, and whether the next one is joined to it, which there is then.
    fn one(&mut self) -> Option<(&'a str, bool)> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr2(b'\n', b'\r', self.rest.as_bytes()).unwrap_or(self.rest.len());
        let (line, behind) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        let mark = if behind.starts_with("\r\n") {
            2
        } else {
            behind.len().min(1)
        };
        self.rest = behind.get(mark..).unwrap_or_default();
        self.number = self.number.saturating_add(1);
        // An even number of backslashes is escaped backslashes.
        let slashes = line.len() - line.trim_end_matches('\\').len();
        Some(if slashes % 2 == 1 && !self.rest.is_empty() {
            (line.strip_suffix('\\').unwrap_or(line), true)
        } else {
            (line, false)
        })
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let (line, mut continues) = self.one()?;
        let mut text = Cow::Borrowed(line);
        let number = self.number;
        while continues {
            let (line, joins_next) = self.one()?;
            text.to_mut().push_str(line);
            continues = joins_next;
        }
        Some(Line { number, text })
    }
}

/// What the file says of how its identifiers become IRIs.
fn identifiers(text: &str) -> Ids {
    let mut ids = Ids::default();
    let mut stanza = Stanza::Header;
    let mut id: Option<String> = None;
    let lines = Lines {
        rest: text,
        number: 0,
    };
    for line in lines {
        if let Some(next) = Stanza::open(&line.text) {
            stanza = next;
            id = None;
            continue;
        }
        // Most of a file; nothing in it says how identifiers are read.
        if !matches!(stanza, Stanza::Header | Stanza::Typedef) {
            continue;
        }
        let Ok(clause) = Clause::parse(&line.text) else {
            continue;
        };
        match (stanza, clause.tag) {
            (Stanza::Header, "ontology") => ids.set_ontology(clause.value),
            (Stanza::Header, "idspace") => {
                let mut words = clause.value.split_whitespace();
                if let (Some(prefix), Some(iri)) = (words.next(), words.next()) {
                    ids.set_space(prefix, iri);
                }
            }
            // What stands behind a second one belongs to no stanza.
            (Stanza::Typedef, "id") if id.is_some() => stanza = Stanza::Broken,
            (Stanza::Typedef, "id") => id = Some(clause.value.to_owned()),
            (Stanza::Typedef, "xref") => {
                let xref = clause.value.split_whitespace().next();
                if let (Some(id), Some(xref)) = (&id, xref) {
                    ids.set_shorthand(id, xref);
                }
            }
            _ => {}
        }
    }
    ids
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stanza {
    #[default]
    Header,
    Term,
    Typedef,
    Instance,
    /// Of a kind that the format does not have.
    Unknown,
    /// It cannot be told of which stanza it is: behind a broken header, or where one is missing.
    Broken,
}

impl Stanza {
    /// What begins with this line, if it is the header of a stanza or the attempt at one: no clause begins with a bracket.
    fn open(line: &str) -> Option<Self> {
        let name = line.trim_start().strip_prefix('[')?;
        let name = name.split('!').next().unwrap_or(name).trim_end();
        Some(match name.strip_suffix(']') {
            Some("Term") => Self::Term,
            Some("Typedef") => Self::Typedef,
            Some("Instance") => Self::Instance,
            Some(name) if !name.contains([']', '[']) => Self::Unknown,
            _ => Self::Broken,
        })
    }
}

#[derive(Default)]
struct Reader {
    statements: Statements,
    ids: Ids,
    stanza: Stanza,
    opened: u32,
    id: Option<Term>,
    /// Of a [Typedef]: read as an annotation property.
    is_metadata: bool,
    /// What `intersection_of` clauses of the stanza say: a class, or a relation and a class.
    conjuncts: Vec<Conjunct>,
}

/// What one `intersection_of` clause says.
enum Conjunct {
    Class(Term),
    Restriction(Quantifier, Term, Term),
}

impl Reader {
    /// Adds what a text says that begins behind so many lines of its file.
    fn read(text: &str, lines_before: u32, ids: Ids, statements: Statements) -> Statements {
        let mut reader = Self {
            statements,
            ids,
            ..Self::default()
        };
        let lines = Lines {
            rest: text,
            number: lines_before,
        };
        for line in lines {
            reader.line(&line);
        }
        reader.end_stanza();
        reader.statements
    }

    fn line(&mut self, line: &Line<'_>) {
        let text = &*line.text;
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed.starts_with('!') {
            return;
        }
        if let Some(stanza) = Stanza::open(text) {
            self.end_stanza();
            self.stanza = stanza;
            self.opened = line.number;
            match stanza {
                Stanza::Unknown => self.skip(
                    line,
                    0,
                    "an unknown kind of stanza; all of it is passed over",
                ),
                Stanza::Broken => self.skip(
                    line,
                    0,
                    "a broken header of a stanza; what follows is passed over up to the next one",
                ),
                _ => {}
            }
            return;
        }
        if self.stanza == Stanza::Broken {
            return self.skip(line, 0, "a clause of no stanza");
        }
        if self.stanza == Stanza::Unknown {
            return;
        }
        if trimmed.contains('\u{fffd}') {
            // Whether it was lost here or before makes no difference: the clause is read.
            self.skip(
                line,
                text.find('\u{fffd}').unwrap_or(0),
                "a character that was lost: a byte that is not UTF-8, or the \u{fffd} that stands for one",
            );
        }
        match Clause::parse(text) {
            Err(broken) => self.skip(line, broken.at, broken.reason),
            Ok(clause) => {
                self.statements.read += 1;
                let result = match self.stanza {
                    Stanza::Header => {
                        self.header(&clause);
                        Ok(())
                    }
                    _ => self.clause(&clause),
                };
                if let Err(reason) = result {
                    self.skip(line, clause.value_at, reason);
                }
            }
        }
    }

    fn skip(&mut self, line: &Line<'_>, at: usize, reason: &str) {
        let before = line.text.get(..at).unwrap_or(&line.text);
        let column = before.chars().count() + 1;
        self.statements.skipped.push(Skipped {
            line: line.number,
            column: u32::try_from(column).unwrap_or(u32::MAX),
            clause: excerpt(line.text.trim()),
            reason: reason.to_owned(),
            import: None,
        });
    }

    fn header(&mut self, clause: &Clause<'_>) {
        match clause.tag {
            "ontology" => {
                let iri = format!("{}{}.owl", crate::vocabulary::OBO, clause.value);
                self.statements.ontology = Some(self.statements.names.intern(&iri));
            }
            "data-version" => self.statements.version = Some(unescaped(clause.value)),
            "import" => self.statements.imports.push(unescaped(clause.value)),
            "idspace" => {}
            tag => self.statements.miss(&format!("{tag} (header)")),
        }
    }

    fn clause(&mut self, clause: &Clause<'_>) -> Result<(), &'static str> {
        if clause.tag == "id" {
            return self.set_id(clause.value);
        }
        let Some(subject) = self.id else {
            return Err("a clause before the stanza's `id`");
        };
        if self.stanza == Stanza::Instance {
            self.statements.miss(clause.tag);
            return Ok(());
        }
        let is_class = self.stanza == Stanza::Term;
        match clause.tag {
            "name" => self.text(subject, TextKind::Label, unescaped(clause.value)),
            "comment" => self.text(subject, TextKind::Comment, unescaped(clause.value)),
            "def" => {
                let (text, _) = quotation(clause.value).ok_or("a definition is a quotation")?;
                self.text(subject, TextKind::Definition, text);
            }
            "synonym" => self.synonym(subject, clause.value)?,
            "exact_synonym" => self.old_synonym(subject, TextKind::ExactSynonym, clause.value)?,
            "narrow_synonym" => self.old_synonym(subject, TextKind::NarrowSynonym, clause.value)?,
            "broad_synonym" => self.old_synonym(subject, TextKind::BroadSynonym, clause.value)?,
            "related_synonym" => {
                self.old_synonym(subject, TextKind::RelatedSynonym, clause.value)?;
            }
            "is_obsolete" => {
                if boolean(clause.value)? {
                    self.statements.deprecated.push(subject);
                }
            }
            "is_a" if names_another(clause.modifiers) => {
                if let (true, Some([above])) = (is_class, words(clause.value)) {
                    let above = self.term(above);
                    self.within(subject, clause.modifiers, None, above);
                }
                return Err(IN_A_CONTEXT);
            }
            "is_a" if is_class => self.relation(subject, Relation::SubClassOf, clause)?,
            "is_a" => self.relation(subject, Relation::SubPropertyOf, clause)?,
            "equivalent_to" if is_class => {
                self.relation(subject, Relation::EquivalentClass, clause)?;
            }
            "disjoint_from" if is_class => {
                self.relation(subject, Relation::DisjointWith, clause)?;
            }
            "domain" if !is_class => self.relation(subject, Relation::Domain, clause)?,
            "range" if !is_class => self.relation(subject, Relation::Range, clause)?,
            "inverse_of" if !is_class => self.relation(subject, Relation::InverseOf, clause)?,
            "relationship" if is_class => self.relationship(subject, clause)?,
            "intersection_of" if is_class => {
                let conjuncts = self.conjunct(clause);
                if conjuncts.is_err() {
                    self.statements.hidden.push(Hidden::Unread(subject));
                }
                self.conjuncts.extend(conjuncts?);
            }
            "is_transitive" if !is_class => {
                if boolean(clause.value)? {
                    self.statements.transitive.push(subject);
                }
            }
            tag if !is_class && characteristic(tag).is_some() => {
                if boolean(clause.value)? {
                    let all = &mut self.statements.characteristics;
                    all.extend(characteristic(tag).map(|characteristic| (subject, characteristic)));
                }
                self.statements.miss(tag);
            }
            "holds_over_chain"
            | "equivalent_to_chain"
            | "transitive_over"
            | "disjoint_from"
            | "equivalent_to"
                if !is_class =>
            {
                self.joined_properties(subject, clause)?;
            }
            "is_metadata_tag" if !is_class => self.is_metadata = boolean(clause.value)?,
            "union_of" => {
                let [member] = words(clause.value).ok_or("one identifier is due here")?;
                let member = self.term(member);
                self.statements
                    .hidden
                    .push(Hidden::Member(subject, member, self.opened));
                self.statements.miss("a union");
            }
            tag if KNOWN_TAGS.contains(&tag) => self.statements.miss(tag),
            _ => return Err("an unknown tag"),
        }
        Ok(())
    }

    /// What is said of a property and others; no graph shows it.
    fn joined_properties(
        &mut self,
        subject: Term,
        clause: &Clause<'_>,
    ) -> Result<(), &'static str> {
        match clause.tag {
            "holds_over_chain" | "equivalent_to_chain" => {
                let [first, second] = words(clause.value).ok_or("two relations are due here")?;
                let chain = [self.term(first), self.term(second)];
                self.statements.hidden.push(Hidden::Chain(subject, chain));
            }
            "transitive_over" => {
                let [over] = words(clause.value).ok_or("one relation is due here")?;
                let chain = [subject, self.term(over)];
                self.statements.hidden.push(Hidden::Chain(subject, chain));
            }
            "disjoint_from" => {
                let [other] = words(clause.value).ok_or("one relation is due here")?;
                let pair = (subject, self.term(other));
                self.statements.disjoint_properties.push(pair);
            }
            "equivalent_to" => {
                let [other] = words(clause.value).ok_or("one relation is due here")?;
                let pair = (subject, self.term(other));
                self.statements.same_properties.push(pair);
            }
            _ => {}
        }
        self.statements.miss(clause.tag);
        Ok(())
    }

    fn set_id(&mut self, value: &str) -> Result<(), &'static str> {
        if self.id.is_some() {
            // The header between the two is missing, and nothing says of what kind it was.
            self.end_stanza();
            self.stanza = Stanza::Broken;
            return Err(
                "a second `id` in one stanza; what follows is passed over up to the next one",
            );
        }
        if value.contains(char::is_whitespace) {
            return Err("an identifier has no space in it");
        }
        let id = self.term(value);
        self.id = Some(id);
        match self.stanza {
            Stanza::Term => self.statements.kinds.push((id, Kinds::OWL_CLASS)),
            Stanza::Instance => self.statements.individuals.push(id),
            _ => {}
        }
        Ok(())
    }

    fn end_stanza(&mut self) {
        let conjuncts = std::mem::take(&mut self.conjuncts);
        match self.id.take() {
            Some(id) => {
                if self.stanza == Stanza::Typedef {
                    let kind = if self.is_metadata {
                        Kinds::ANNOTATION_PROPERTY
                    } else {
                        Kinds::OBJECT_PROPERTY
                    };
                    self.statements.kinds.push((id, kind));
                }
                let counts = |statements: &Statements| {
                    [statements.conjuncts.len(), statements.restrictions.len()]
                };
                let [first, first_restriction] = counts(&self.statements);
                let is_definition = !conjuncts.is_empty();
                for conjunct in conjuncts {
                    match conjunct {
                        Conjunct::Class(class) => self.statements.conjuncts.push((id, class)),
                        Conjunct::Restriction(quantifier, property, filler) => {
                            self.statements.restrictions.push(Restriction {
                                subject: id,
                                property,
                                quantifier,
                                filler,
                                relation: Relation::EquivalentClass,
                                nested: true,
                            });
                        }
                    }
                }
                if is_definition {
                    let [end, end_of_restrictions] = counts(&self.statements);
                    self.statements.hidden.push(Hidden::Definition(
                        id,
                        [first, end],
                        [first_restriction, end_of_restrictions],
                    ));
                }
            }
            None if matches!(
                self.stanza,
                Stanza::Header | Stanza::Unknown | Stanza::Broken
            ) => {}
            None => self.statements.skipped.push(Skipped {
                line: self.opened,
                column: 1,
                clause: format!("[{:?}]", self.stanza),
                reason: "a stanza without an `id`".to_owned(),
                import: None,
            }),
        }
        self.is_metadata = false;
    }

    fn term(&mut self, id: &str) -> Term {
        let iri = self.ids.iri(id);
        self.statements.names.intern(&iri)
    }

    fn text(&mut self, subject: Term, kind: TextKind, value: String) {
        self.statements.texts.push(Text {
            subject,
            kind,
            language: None,
            value: value.into(),
        });
    }

    fn synonym(&mut self, subject: Term, value: &str) -> Result<(), &'static str> {
        let (text, rest) = quotation(value).ok_or("a synonym is a quotation")?;
        // The scope may be left out, and is RELATED then.
        let scope = rest.split([' ', '\t', '[']).next().unwrap_or_default();
        let kind = match scope {
            "EXACT" => TextKind::ExactSynonym,
            "NARROW" => TextKind::NarrowSynonym,
            "BROAD" => TextKind::BroadSynonym,
            "RELATED" | "" => TextKind::RelatedSynonym,
            _ => return Err("a synonym is EXACT, NARROW, BROAD or RELATED"),
        };
        self.text(subject, kind, text);
        Ok(())
    }

    fn old_synonym(
        &mut self,
        subject: Term,
        kind: TextKind,
        value: &str,
    ) -> Result<(), &'static str> {
        let (text, _) = quotation(value).ok_or("a synonym is a quotation")?;
        self.text(subject, kind, text);
        Ok(())
    }

    fn relation(
        &mut self,
        subject: Term,
        relation: Relation,
        clause: &Clause<'_>,
    ) -> Result<(), &'static str> {
        let [target] = words(clause.value).ok_or("one identifier is due here")?;
        let target = self.term(target);
        self.statements.relations.push((subject, relation, target));
        Ok(())
    }

    fn relationship(&mut self, subject: Term, clause: &Clause<'_>) -> Result<(), &'static str> {
        let [property, filler] =
            words(clause.value).ok_or("a relation and an identifier are due here")?;
        let (property, filler) = (self.term(property), self.term(filler));
        let quantifiers = quantifiers(clause.modifiers);
        if quantifiers.is_err() {
            if names_another(clause.modifiers) {
                self.within(subject, clause.modifiers, Some(property), filler);
            } else {
                self.statements.hidden.push(match count(clause.modifiers) {
                    Some(count) => Hidden::Count(subject, count, property, filler),
                    None => Hidden::Unread(subject),
                });
            }
        }
        let restrictions = quantifiers?.iter().map(|quantifier| Restriction {
            subject,
            property,
            quantifier: *quantifier,
            filler,
            relation: Relation::SubClassOf,
            nested: false,
        });
        self.statements.restrictions.extend(restrictions);
        Ok(())
    }

    /// Keeps what holds in a context only.
    fn within(&mut self, class: Term, text: &str, property: Option<Term>, object: Term) {
        let context = ["gci_relation", "gci_filler"].map(|name| modifier(text, name));
        let hidden = match context {
            [Some(by), Some(filler)] => Hidden::Within {
                class,
                context: (self.term(by), self.term(filler)),
                property,
                object,
            },
            _ => Hidden::Unread(class),
        };
        self.statements.hidden.push(hidden);
    }

    fn conjunct(&mut self, clause: &Clause<'_>) -> Result<Vec<Conjunct>, &'static str> {
        if let Some([class]) = words(clause.value) {
            if names_another(clause.modifiers) {
                return Err(IN_A_CONTEXT);
            }
            return Ok(vec![Conjunct::Class(self.term(class))]);
        }
        let [property, class] =
            words(clause.value).ok_or("a class, or a relation and a class, are due here")?;
        let quantifiers = quantifiers(clause.modifiers)?;
        let (property, class) = (self.term(property), self.term(class));
        let restriction =
            |quantifier: &Quantifier| Conjunct::Restriction(*quantifier, property, class);
        Ok(quantifiers.iter().map(restriction).collect())
    }
}

const IN_A_CONTEXT: &str = "a relation that holds in a context only is not read";

/// `gci_relation` and `gci_filler`: the axiom is about a class expression, not about the stanza's class.
fn names_another(text: &str) -> bool {
    modifiers(text).any(|(name, _)| name.starts_with("gci_"))
}

/// What a relation to a class says with these modifiers: some, unless `all_only` makes it only; both with `all_some` too.
fn quantifiers(text: &str) -> Result<&'static [Quantifier], &'static str> {
    if names_another(text) {
        return Err(IN_A_CONTEXT);
    }
    let is_cardinality = |name: &str| name.to_ascii_lowercase().ends_with("cardinality");
    if modifiers(text).any(|(name, _)| is_cardinality(name)) {
        return Err("a relation with a cardinality is not read");
    }
    let says = |wanted: &str| modifiers(text).any(|found| found == (wanted, "true"));
    Ok(match (says("all_only"), says("all_some")) {
        (true, true) => &[Quantifier::Some, Quantifier::Only],
        (true, false) => &[Quantifier::Only],
        (false, _) => &[Quantifier::Some],
    })
}

/// The value of one modifier.
fn modifier<'m>(text: &'m str, name: &str) -> Option<&'m str> {
    let mut found = modifiers(text);
    found.find_map(|(known, value)| known.eq_ignore_ascii_case(name).then_some(value))
}

/// How many the modifiers of a relation ask for; `None` where that is no number.
fn count(text: &str) -> Option<Count> {
    let number = |name| modifier(text, name).map(|value| value.parse::<u32>().ok());
    let [exact, least, most] = [
        number("cardinality"),
        number("minCardinality"),
        number("maxCardinality"),
    ];
    Some(match (exact, least, most) {
        (Some(exact), None, None) => Count {
            least: exact?,
            most: Some(exact?),
        },
        (None, None, None) | (Some(_), _, _) => return None,
        (None, least, most) => Count {
            least: match least {
                Some(least) => least?,
                None => 0,
            },
            most: match most {
                Some(most) => Some(most?),
                None => None,
            },
        },
    })
}

fn characteristic(tag: &str) -> Option<Characteristic> {
    Some(match tag {
        "is_functional" => Characteristic::Functional,
        "is_inverse_functional" => Characteristic::InverseFunctional,
        "is_symmetric" => Characteristic::Symmetric,
        "is_asymmetric" => Characteristic::Asymmetric,
        "is_reflexive" => Characteristic::Reflexive,
        _ => return None,
    })
}

fn words<const N: usize>(value: &str) -> Option<[&str; N]> {
    let words: Vec<&str> = value.split_whitespace().collect();
    words.try_into().ok()
}

fn boolean(value: &str) -> Result<bool, &'static str> {
    match value {
        "true" | "TRUE" | "1" => Ok(true),
        "false" | "FALSE" | "0" => Ok(false),
        _ => Err("true or false is due here"),
    }
}

/// The beginning of a clause, short enough for a list.
fn excerpt(text: &str) -> String {
    const LENGTH: usize = 80;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Tags of the format that say nothing about the graph.
const KNOWN_TAGS: [&str; 39] = [
    "alt_id",
    "builtin",
    "consider",
    "created_by",
    "creation_date",
    "disjoint_from",
    "disjoint_over",
    "domain",
    "equivalent_to",
    "equivalent_to_chain",
    "expand_assertion_to",
    "expand_expression_to",
    "holds_over_chain",
    "intersection_of",
    "instance_of",
    "inverse_of",
    "is_anonymous",
    "is_anti_symmetric",
    "is_asymmetric",
    "is_class_level",
    "is_cyclic",
    "is_functional",
    "is_inverse_functional",
    "is_metadata_tag",
    "is_reflexive",
    "is_symmetric",
    "is_transitive",
    "namespace",
    "property_value",
    "range",
    "relationship",
    "replaced_by",
    "subset",
    "subsetdef",
    "transitive_over",
    "use_term",
    "xref",
    "xref_analog",
    "xref_unk",
];
