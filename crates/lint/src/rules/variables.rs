//! Rules about variables that do nothing.

use super::{Example, Rule};
use crate::facts::Facts;
use crate::finding::Severity;
use crate::shape::Part;
use crate::subject::{Out, Subject};

pub(super) const RULES: [Rule; 2] = [
    Rule {
        id: "dead-variable",
        severity: Severity::Error,
        what: "a variable is used where nothing binds it, or is unbound in every row",
        why: "a column without values, a filter that drops every row, an order that orders nothing: usually a slip of the pen",
        remedy: "correct its name, or move the clause to where the variable is bound",
        bad: &[
            Example::new(
                "a slip in the projection",
                "SELECT ?gene ?lenght { ?gene <http://e/length> ?length }",
            ),
            Example::new(
                "a filter inside a block that does not bind its variable",
                "SELECT ?gene { ?gene <http://e/length> ?length { ?gene <http://e/start> ?start FILTER (?length > 5) } }",
            ),
            Example::new(
                "sorting by a variable that grouping took away",
                "SELECT ?gene (COUNT(?v) AS ?n) { ?v <http://e/gene> ?gene ; <http://e/start> ?start } GROUP BY ?gene ORDER BY ?start",
            ),
            Example::new(
                "no value on this endpoint",
                "SELECT ?gene ?name { ?gene a <http://e/Gene> OPTIONAL { ?gene <http://e/nmae> ?name } }",
            )
            .given(|| Facts {
                unbound_columns: Some(vec!["name".to_owned()]),
                ..Facts::default()
            }),
        ],
        good: &[
            Example::new(
                "EXISTS sees what is outside, and so does the filter of an OPTIONAL",
                "SELECT ?gene { ?gene <http://e/length> ?length OPTIONAL { ?gene <http://e/start> ?start FILTER (?start < ?length) } FILTER EXISTS { ?v <http://e/gene> ?gene ; <http://e/at> ?at FILTER (?at < ?length) } }",
            ),
            Example::new(
                "Wikidata's label service binds it",
                "SELECT ?gene ?geneLabel { ?gene a <http://e/Gene> SERVICE <http://wikiba.se/ontology#label> { <http://www.bigdata.com/rdf#serviceParam> <http://wikiba.se/ontology#language> \"en\" } }",
            ),
        ],
        check: dead_variable,
    },
    Rule {
        id: "cross-product",
        severity: Severity::Error,
        what: "a block, an OPTIONAL, a MINUS or an EXISTS whose variables join nothing outside it",
        why: "every row of one part meets every row of the other, a MINUS removes nothing, an EXISTS keeps all or none: no question asks for that",
        remedy: "join the parts by a variable, or take the loose one out",
        bad: &[
            Example::new(
                "two blocks that meet nowhere",
                "SELECT ?gene ?lake { ?gene a <http://e/Gene> . ?lake a <http://e/Lake> }",
            ),
            Example::new(
                "an OPTIONAL about another gene",
                "SELECT ?gene ?disease { ?gene a <http://e/Gene> OPTIONAL { ?link <http://e/gene> ?other ; <http://e/disease> ?disease } }",
            ),
            Example::new(
                "a MINUS that shares no variable",
                "SELECT ?gene { ?gene a <http://e/Gene> MINUS { ?pseudogene a <http://e/Pseudogene> } }",
            ),
            Example::new(
                "an EXISTS that shares no variable",
                "SELECT ?gene { ?gene a <http://e/Gene> FILTER EXISTS { ?paper <http://e/about> ?thing } }",
            ),
        ],
        good: &[
            Example::new(
                "two blocks that a filter joins",
                "SELECT ?a ?b { ?a <http://e/start> ?x . ?b <http://e/start> ?y FILTER (?x = ?y && ?a != ?b) }",
            ),
            Example::new(
                "two totals, one row each",
                "SELECT (?n / ?m AS ?share) { { SELECT (COUNT(*) AS ?n) { ?a a <http://e/Good> } } { SELECT (COUNT(*) AS ?m) { ?b a <http://e/Gene> } } }",
            ),
            Example::new(
                "an OPTIONAL on two variables that are bound outside",
                "SELECT ?a ?b { ?a <http://e/next> ?b OPTIONAL { ?a <http://e/x> ?x . ?b <http://e/y> ?y } }",
            ),
        ],
        check: cross_product,
    },
];

fn dead_variable(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some(shape) = subject.key(out) else {
        return;
    };
    for unbound in shape.unbound() {
        let at = if unbound.bound_elsewhere {
            subject.tokens.last_variable(&unbound.variable)
        } else {
            subject.tokens.variable(&unbound.variable)
        };
        let why = if unbound.bound_elsewhere {
            "is not bound there"
        } else {
            "is bound nowhere"
        };
        out.find(
            at,
            format!("`?{}` in {} {why}", unbound.variable, unbound.used_in),
        );
    }
    match &subject.target.facts.unbound_columns {
        Some(columns) => {
            for column in columns {
                out.find(
                    subject.tokens.variable(column),
                    format!("`?{column}` has no value in any row on this endpoint"),
                );
            }
        }
        None if shape.is_select() => {
            out.silent(
                "no endpoint told which columns have values; what the key cannot bind was judged",
            );
        }
        None => {}
    }
}

fn cross_product(subject: &Subject<'_>, out: &mut Out<'_>) {
    let Some(shape) = subject.key(out) else {
        return;
    };
    for loose in shape.loose() {
        let named: Vec<String> = loose
            .variables
            .iter()
            .take(3)
            .map(|v| format!("`?{v}`"))
            .collect();
        // The variable that occurs least tells best where the clause is.
        let Some(rarest) = loose
            .variables
            .iter()
            .min_by_key(|v| subject.tokens.uses(v))
        else {
            continue;
        };
        let variables = named.join(", ");
        let message = match loose.part {
            Part::Block => format!(
                "the block about {variables} shares no variable with the rest: each of its rows meets all others"
            ),
            Part::Optional => {
                format!("the OPTIONAL about {variables} shares no variable with what is around it")
            }
            Part::Minus => format!(
                "the MINUS about {variables} shares no variable with what is around it, so it removes nothing"
            ),
            Part::Exists => format!(
                "the EXISTS about {variables} shares no variable with what is around it, so it keeps all rows or none"
            ),
        };
        // The variable may be projected: the clause is where it stands last.
        out.find(subject.tokens.last_variable(rarest), message);
    }
}
