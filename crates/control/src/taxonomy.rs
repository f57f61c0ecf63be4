//! An is-a hierarchy in memory: closures, and the path from a class up to a root.

use std::collections::{HashMap, VecDeque};

use serde::{Deserialize, Serialize};
use table::{Cell, Table};

/// A class and what the hierarchy calls it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Labelled {
    /// The class's IRI.
    pub iri: String,
    /// Its label; `None` where the hierarchy gives none.
    pub label: Option<String>,
}

impl Labelled {
    /// The label, or the end of the IRI where there is none.
    pub fn text(&self) -> &str {
        self.label
            .as_deref()
            .unwrap_or_else(|| local_name(&self.iri))
    }
}

/// Classes with their parents and labels, as read from the tables of [`closure_query`] or [`ontology_query`].
///
/// Works on any endpoint: the caller runs the query, and the hierarchy may come whole or only below one root.
///
/// ```
/// use control::Taxonomy;
/// use table::{Cell, Table};
///
/// let columns = ["class", "parent", "label"].map(str::to_owned).to_vec();
/// let iri = |name: &str| Cell::Iri(format!("http://e/{name}").into());
/// let taxonomy = Taxonomy::from_table(&Table::new(columns, vec![
///     vec![iri("heart"), Cell::Missing, Cell::Text("heart disease".into())],
///     vec![iri("myocarditis"), iri("heart"), Cell::Text("myocarditis".into())],
/// ]));
///
/// assert!(taxonomy.is_below("http://e/myocarditis", "http://e/heart"));
/// let path = taxonomy.path("http://e/myocarditis", "http://e/heart").unwrap();
/// assert_eq!(path.iter().map(|step| step.text()).collect::<Vec<_>>(), ["myocarditis", "heart disease"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Taxonomy {
    index: HashMap<Box<str>, u32>,
    classes: Vec<Class>,
}

#[derive(Clone, Debug)]
struct Class {
    iri: Box<str>,
    label: Option<Box<str>>,
    parents: Vec<u32>,
    children: Vec<u32>,
}

impl Taxonomy {
    /// Reads a table whose columns are `class`, `parent` and `label`, in any order; a row may lack the latter two.
    ///
    /// Rows whose class is not an IRI are left out, as are parents that are not: anonymous classes have no name to show.
    /// Where a class has several labels, the first by code point stays.
    pub fn from_table(table: &Table) -> Self {
        let mut taxonomy = Self::default();
        taxonomy.add(table);
        taxonomy
    }

    /// Adds the rows of another such table.
    pub fn add(&mut self, table: &Table) {
        let column = |name: &str| table.columns().iter().position(|column| column == name);
        let (class, parent, label) = (column("class"), column("parent"), column("label"));
        for row in table.rows() {
            let iri = |column: Option<usize>| match column.and_then(|column| row.get(column)) {
                Some(Cell::Iri(iri)) => Some(&**iri),
                _ => None,
            };
            let Some(class) = iri(class) else { continue };
            let id = self.intern(class);
            if let Some(Cell::Text(text)) = label.and_then(|column| row.get(column)) {
                let known = &mut self.classes[id as usize].label;
                if known.as_ref().is_none_or(|known| text < known) {
                    *known = Some(text.clone());
                }
            }
            if let Some(parent) = iri(parent)
                && parent != class
            {
                let parent = self.intern(parent);
                self.link(id, parent);
            }
        }
    }

    fn intern(&mut self, iri: &str) -> u32 {
        if let Some(id) = self.index.get(iri) {
            return *id;
        }
        // Hierarchies have tens of thousands of classes, and tables address their cells by u32 anyway.
        let id = u32::try_from(self.classes.len()).unwrap_or(u32::MAX);
        self.index.insert(iri.into(), id);
        self.classes.push(Class {
            iri: iri.into(),
            label: None,
            parents: Vec::new(),
            children: Vec::new(),
        });
        id
    }

    fn link(&mut self, child: u32, parent: u32) {
        let parents = &mut self.classes[child as usize].parents;
        if !parents.contains(&parent) {
            parents.push(parent);
            self.classes[parent as usize].children.push(child);
        }
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether there is no class.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Every class by IRI, in the order of the table.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|class| &*class.iri)
    }

    /// A class's label.
    pub fn label(&self, iri: &str) -> Option<&str> {
        self.classes[*self.index.get(iri)? as usize]
            .label
            .as_deref()
    }

    /// A class with its label, known or not.
    pub fn labelled(&self, iri: &str) -> Labelled {
        Labelled {
            iri: iri.to_owned(),
            label: self.label(iri).map(str::to_owned),
        }
    }

    /// The class and everything below it; empty for a class that is not there.
    pub fn closure(&self, root: &str) -> Vec<&str> {
        self.reach(root, |class| &class.children)
    }

    /// The class and everything above it; empty for a class that is not there.
    pub fn ancestors(&self, iri: &str) -> Vec<&str> {
        self.reach(iri, |class| &class.parents)
    }

    /// Whether a class is the root or below it.
    pub fn is_below(&self, iri: &str, root: &str) -> bool {
        self.ancestors(iri).contains(&root)
    }

    fn reach(&self, start: &str, next: fn(&Class) -> &Vec<u32>) -> Vec<&str> {
        let Some(start) = self.index.get(start) else {
            return Vec::new();
        };
        self.reach_ids(*start, next)
            .into_iter()
            .map(|id| &*self.classes[id as usize].iri)
            .collect()
    }

    fn reach_ids(&self, start: u32, next: fn(&Class) -> &Vec<u32>) -> Vec<u32> {
        let mut seen = vec![false; self.classes.len()];
        seen[start as usize] = true;
        let mut reached = vec![start];
        let mut at = 0;
        while let Some(id) = reached.get(at) {
            at += 1;
            for &other in next(&self.classes[*id as usize]) {
                if !std::mem::replace(&mut seen[other as usize], true) {
                    reached.push(other);
                }
            }
        }
        reached
    }

    /// The shortest path of direct steps from a class up to a root, both included; `None` where there is none.
    ///
    /// Some endpoints also store the steps that follow from others. Such a step would hide the classes in between, so a
    /// parent above another parent is not a direct one. Of paths equally short, the one by smaller IRIs.
    pub fn path(&self, iri: &str, root: &str) -> Option<Vec<Labelled>> {
        let (start, end) = (*self.index.get(iri)?, *self.index.get(root)?);
        let mut towards: HashMap<u32, u32> = HashMap::from([(start, start)]);
        let mut queue = VecDeque::from([start]);
        while let Some(id) = queue.pop_front() {
            if id == end {
                let mut path = vec![id];
                let mut at = id;
                while at != start {
                    at = towards[&at];
                    path.push(at);
                }
                path.reverse();
                let class = |id: u32| &self.classes[id as usize];
                return Some(
                    path.into_iter()
                        .map(|id| self.labelled(&class(id).iri))
                        .collect(),
                );
            }
            for parent in self.direct_parents(id) {
                towards.entry(parent).or_insert_with(|| {
                    queue.push_back(parent);
                    id
                });
            }
        }
        None
    }

    fn direct_parents(&self, id: u32) -> Vec<u32> {
        let parents = &self.classes[id as usize].parents;
        let mut direct = parents.clone();
        if parents.len() > 1 {
            for &parent in parents {
                let above = self.reach_ids(parent, |class| &class.parents);
                // In a circle each would rule out the other.
                if !above.contains(&id) {
                    direct.retain(|other| *other == parent || !above.contains(other));
                }
            }
        }
        direct.sort_by_key(|parent| &self.classes[*parent as usize].iri);
        direct
    }
}

const PREFIXES: &str = "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n";

/// The SPARQL that fetches the hierarchy at and below `root` for [`Taxonomy::from_table`], from a named graph where one
/// is given.
pub fn closure_query(graph: Option<&str>, root: &str) -> String {
    let body = within(
        graph,
        &format!(
            "?class rdfs:subClassOf* <{root}> .\n    \
             OPTIONAL {{ ?class rdfs:subClassOf ?parent . FILTER(isIRI(?parent)) }}\n    \
             OPTIONAL {{ ?class rdfs:label ?label }}"
        ),
    );
    format!("{PREFIXES}SELECT DISTINCT ?class ?parent ?label WHERE {{\n  {body}\n}}")
}

/// The SPARQL that fetches a whole ontology for [`Taxonomy::from_table`]: every labelled class whose IRI begins with
/// `prefix`.
pub fn ontology_query(graph: Option<&str>, prefix: &str) -> String {
    let body = within(
        graph,
        &format!(
            "?class rdfs:label ?label .\n    \
             FILTER(STRSTARTS(STR(?class), \"{prefix}\"))\n    \
             OPTIONAL {{ ?class rdfs:subClassOf ?parent . FILTER(isIRI(?parent)) }}"
        ),
    );
    format!("{PREFIXES}SELECT DISTINCT ?class ?parent ?label WHERE {{\n  {body}\n}}")
}

/// A group of patterns inside a named graph.
pub(crate) fn within(graph: Option<&str>, body: &str) -> String {
    match graph {
        Some(graph) => format!("GRAPH <{graph}> {{\n    {body}\n  }}"),
        None => body.to_owned(),
    }
}

/// The end of an IRI: what stands after the last `/` or `#`.
pub(crate) fn local_name(iri: &str) -> &str {
    iri.rsplit(['/', '#']).next().unwrap_or(iri)
}

/// The part of an IRI that the terms of one ontology share: up to the last `_`, `/`, `#` or `:`.
pub(crate) fn ontology_prefix(iri: &str) -> &str {
    let end = iri
        .rfind(['_', '/', '#', ':'])
        .map_or(iri.len(), |at| at + 1);
    &iri[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use spargebra::SparqlParser;

    fn taxonomy(edges: &[(&str, &str)]) -> Taxonomy {
        let columns = ["parent", "class"].map(str::to_owned).to_vec();
        let rows = edges
            .iter()
            .map(|(class, parent)| vec![Cell::Iri((*parent).into()), Cell::Iri((*class).into())])
            .collect();
        Taxonomy::from_table(&Table::new(columns, rows))
    }

    fn path(taxonomy: &Taxonomy, from: &str, to: &str) -> Option<String> {
        let path = taxonomy.path(from, to)?;
        Some(
            path.iter()
                .map(Labelled::text)
                .collect::<Vec<_>>()
                .join(" "),
        )
    }

    #[test]
    fn a_path_goes_by_direct_steps() {
        let plain = taxonomy(&[("a", "b"), ("b", "c"), ("c", "r")]);
        let closed = taxonomy(&[
            ("a", "r"),
            ("a", "c"),
            ("a", "b"),
            ("b", "r"),
            ("b", "c"),
            ("c", "r"),
        ]);
        for taxonomy in [&plain, &closed] {
            assert_eq!(path(taxonomy, "a", "r").as_deref(), Some("a b c r"));
            assert_eq!(path(taxonomy, "r", "r").as_deref(), Some("r"));
            assert_eq!(path(taxonomy, "r", "a"), None);
            assert_eq!(path(taxonomy, "nobody", "r"), None);
        }
    }

    #[test]
    fn of_two_ways_up_the_shorter_one() {
        let diamond = taxonomy(&[("a", "x"), ("x", "y"), ("y", "r"), ("a", "b"), ("b", "r")]);
        assert_eq!(path(&diamond, "a", "r").as_deref(), Some("a b r"));
        let mut closure = diamond.closure("r");
        closure.sort_unstable();
        assert_eq!(closure, ["a", "b", "r", "x", "y"]);
    }

    #[test]
    fn a_circle_ends() {
        let circle = taxonomy(&[("a", "b"), ("b", "a"), ("b", "r"), ("a", "a")]);
        assert_eq!(path(&circle, "a", "r").as_deref(), Some("a b r"));
        assert_eq!(circle.closure("a").len(), 2);
    }

    #[test]
    fn the_queries_are_sparql() {
        for graph in [None, Some("http://e/g")] {
            for query in [
                closure_query(graph, "http://e/r"),
                ontology_query(graph, "http://e/R_"),
            ] {
                let parsed = SparqlParser::new().parse_query(&query).unwrap();
                assert_eq!(record::columns_of(&parsed), ["class", "parent", "label"]);
            }
        }
    }
}
