//! Which variables decide which: what grouping, DISTINCT and bindings guarantee about rows.

use super::{Shape, at_most_one_row, definitions};
use spargebra::algebra::{Expression, Function, GraphPattern, PropertyPathExpression};
use spargebra::term::{NamedNodePattern, TermPattern};
use std::collections::BTreeSet;

/// `decides` together fix one value of `decided`.
struct Dependency {
    decides: Vec<String>,
    decided: String,
}

impl Shape<'_> {
    /// The columns that the first `count` order keys leave open: rows that agree in those keys may still differ in these.
    ///
    /// Besides what SPARQL itself guarantees, a naming property is taken to give a thing one name. Real data keep that
    /// almost always, and a record that joins a label to its entity could not be written otherwise.
    pub(crate) fn left_open(&self, count: usize) -> Vec<String> {
        if at_most_one_row(self.body) {
            return Vec::new();
        }
        let mut fixed: BTreeSet<String> = self
            .order_keys()
            .take(count)
            .filter_map(|(expression, _)| self.key_variable(expression))
            .collect();
        let mut dependencies = Vec::new();
        collect(self.body, &mut dependencies);
        let group = outer_group(self.body);
        loop {
            let before = fixed.len();
            for dependency in &dependencies {
                if dependency.decides.iter().all(|v| fixed.contains(v)) {
                    fixed.insert(dependency.decided.clone());
                }
            }
            if let Some((keys, rest)) = &group
                && keys.iter().all(|key| fixed.contains(key))
            {
                fixed.extend(rest.iter().cloned());
            }
            if fixed.len() == before {
                break;
            }
        }
        self.columns
            .iter()
            .filter(|column| !fixed.contains(*column) && !self.fixed_by_label(column, &fixed))
            .cloned()
            .collect()
    }

    fn fixed_by_label(&self, column: &str, fixed: &BTreeSet<String>) -> bool {
        self.is_service_label(column)
            && ["AltLabel", "Label", "Description"]
                .iter()
                .any(|end| column.strip_suffix(end).is_some_and(|v| fixed.contains(v)))
    }

    /// The variable that an order key fixes: itself, or an IRI through STR.
    fn key_variable(&self, expression: &Expression) -> Option<String> {
        match expression {
            Expression::Variable(variable) => Some(variable.as_str().to_owned()),
            Expression::FunctionCall(Function::Str, arguments) => match arguments.as_slice() {
                [Expression::Variable(variable)] => {
                    let definition = self.definitions.get(variable.as_str())?;
                    definition.is_node.then(|| variable.as_str().to_owned())
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// The keys of the outermost GROUP BY, and what it gives for each group.
fn outer_group(mut pattern: &GraphPattern) -> Option<(Vec<String>, Vec<String>)> {
    loop {
        match pattern {
            GraphPattern::Extend { inner, .. } | GraphPattern::Filter { inner, .. } => {
                pattern = inner;
            }
            GraphPattern::Group {
                variables,
                aggregates,
                ..
            } => {
                let keys = variables.iter().map(|v| v.as_str().to_owned()).collect();
                let rest = aggregates
                    .iter()
                    .map(|(v, _)| v.as_str().to_owned())
                    .collect();
                return Some((keys, rest));
            }
            _ => return None,
        }
    }
}

fn collect(pattern: &GraphPattern, dependencies: &mut Vec<Dependency>) {
    match pattern {
        GraphPattern::Bgp { patterns } => {
            for triple in patterns {
                if let NamedNodePattern::NamedNode(predicate) = &triple.predicate {
                    name_of(
                        &triple.subject,
                        predicate.as_str(),
                        &triple.object,
                        dependencies,
                    );
                }
            }
        }
        GraphPattern::Path {
            subject,
            path: PropertyPathExpression::NamedNode(predicate),
            object,
        } => name_of(subject, predicate.as_str(), object, dependencies),
        GraphPattern::Values {
            variables,
            bindings,
        } if bindings.len() == 1 => {
            dependencies.extend(variables.iter().map(|variable| Dependency {
                decides: Vec::new(),
                decided: variable.as_str().to_owned(),
            }));
        }
        GraphPattern::Extend {
            inner,
            variable,
            expression,
        } => {
            collect(inner, dependencies);
            let volatile =
                matches!(expression, Expression::FunctionCall(f, _) if super::is_volatile(f));
            if !volatile {
                dependencies.push(Dependency {
                    decides: super::variables_of(expression)
                        .into_iter()
                        .map(str::to_owned)
                        .collect(),
                    decided: variable.as_str().to_owned(),
                });
            }
        }
        GraphPattern::Filter { expr, inner } => {
            collect(inner, dependencies);
            equalities(expr, dependencies);
        }
        // A name in an OPTIONAL is one name or none, which is as good.
        GraphPattern::Join { left, right } | GraphPattern::LeftJoin { left, right, .. } => {
            collect(left, dependencies);
            collect(right, dependencies);
        }
        GraphPattern::Graph { inner, .. }
        | GraphPattern::Service { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Project { inner, .. } => collect(inner, dependencies),
        GraphPattern::Group {
            inner,
            variables,
            aggregates,
        } => {
            collect(inner, dependencies);
            let keys: Vec<String> = variables.iter().map(|v| v.as_str().to_owned()).collect();
            dependencies.extend(aggregates.iter().map(|(variable, _)| Dependency {
                decides: keys.clone(),
                decided: variable.as_str().to_owned(),
            }));
        }
        GraphPattern::Minus { left, .. } => collect(left, dependencies),
        _ => {}
    }
}

fn name_of(
    subject: &TermPattern,
    predicate: &str,
    object: &TermPattern,
    dependencies: &mut Vec<Dependency>,
) {
    if !definitions::is_naming(predicate) {
        return;
    }
    let TermPattern::Variable(object) = object else {
        return;
    };
    let decides = match subject {
        TermPattern::Variable(subject) => vec![subject.as_str().to_owned()],
        TermPattern::NamedNode(_) => Vec::new(),
        _ => return,
    };
    dependencies.push(Dependency {
        decides,
        decided: object.as_str().to_owned(),
    });
}

fn equalities(expression: &Expression, dependencies: &mut Vec<Dependency>) {
    match expression {
        Expression::And(a, b) => {
            equalities(a, dependencies);
            equalities(b, dependencies);
        }
        Expression::Equal(a, b) | Expression::SameTerm(a, b) => {
            for (a, b) in [(a, b), (b, a)] {
                if let (Expression::Variable(variable), Expression::NamedNode(_)) = (&**a, &**b) {
                    dependencies.push(Dependency {
                        decides: Vec::new(),
                        decided: variable.as_str().to_owned(),
                    });
                }
            }
        }
        _ => {}
    }
}
