//! Making `EXISTS` a join.
//!
//! The evaluator runs the pattern of a `FILTER EXISTS` anew for every row that it filters, and where that pattern has more
//! than one triple it builds a hash table of one of them each time: a key of the corpus took 36 s that way. Where it makes
//! no difference to the answer, the pattern is therefore evaluated once:
//!
//! - `Q FILTER EXISTS P` becomes `Q` joined with the distinct values that `P` gives the variables they share,
//! - `Q FILTER NOT EXISTS P` becomes `Q MINUS P`.
//!
//! It makes no difference where both sides always bind what they share, and where `P`, evaluated on its own, sees what it
//! would see with a row of `Q` put into it: see [`stands_alone`]. Other `EXISTS` are left as they are, slow but right.

use crate::scope::{Variables, aggregated, certain, mentioned, mentioned_by, visible};
use spargebra::algebra::{Expression, GraphPattern};

/// Rewrites the filters of a pattern, innermost first.
pub(crate) fn join(pattern: &mut GraphPattern) {
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } | GraphPattern::Values { .. } => {}
        GraphPattern::Join { left, right }
        | GraphPattern::Union { left, right }
        | GraphPattern::Minus { left, right }
        | GraphPattern::LeftJoin { left, right, .. } => {
            join(left);
            join(right);
        }
        GraphPattern::Graph { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. }
        | GraphPattern::Group { inner, .. }
        | GraphPattern::Service { inner, .. } => join(inner),
        GraphPattern::Filter { expr, inner } => {
            join(inner);
            let mut filtered = std::mem::take(&mut **inner);
            let mut kept = None;
            for condition in conjuncts(std::mem::replace(expr, true_expression())) {
                filtered = match joined(filtered, condition) {
                    (filtered, None) => filtered,
                    (filtered, Some(condition)) => {
                        kept = Some(match kept {
                            None => condition,
                            Some(others) => Expression::And(Box::new(others), Box::new(condition)),
                        });
                        filtered
                    }
                };
            }
            *pattern = match kept {
                None => filtered,
                Some(expr) => GraphPattern::Filter {
                    expr,
                    inner: Box::new(filtered),
                },
            };
        }
    }
}

fn true_expression() -> Expression {
    Expression::Literal(true.into())
}

/// The conditions that a filter puts together with `&&`, in order.
fn conjuncts(expression: Expression) -> Vec<Expression> {
    let mut found = Vec::new();
    let mut todo = vec![expression];
    while let Some(expression) = todo.pop() {
        match expression {
            Expression::And(a, b) => todo.extend([*b, *a]),
            other => found.push(other),
        }
    }
    found
}

/// The pattern with the condition joined to it, or both as they were.
fn joined(filtered: GraphPattern, condition: Expression) -> (GraphPattern, Option<Expression>) {
    let (mut exists, negated) = match condition {
        Expression::Exists(pattern) => (pattern, false),
        Expression::Not(inner) => match *inner {
            Expression::Exists(pattern) => (pattern, true),
            other => return (filtered, Some(Expression::Not(Box::new(other)))),
        },
        other => return (filtered, Some(other)),
    };
    let outer = visible(&filtered);
    let shared = &mentioned(&exists) & &outer;
    let both_bind = shared.is_subset(&certain(&filtered)) && shared.is_subset(&certain(&exists));
    // MINUS without a variable in common takes nothing away.
    if !both_bind || !stands_alone(&exists, &outer) || (negated && shared.is_empty()) {
        let exists = Expression::Exists(exists);
        let condition = if negated {
            Expression::Not(Box::new(exists))
        } else {
            exists
        };
        return (filtered, Some(condition));
    }
    join(&mut exists);
    let projected = Box::new(GraphPattern::Distinct {
        inner: Box::new(GraphPattern::Project {
            inner: exists,
            variables: shared.into_iter().collect(),
        }),
    });
    let left = Box::new(filtered);
    let joined = if negated {
        GraphPattern::Minus {
            left,
            right: projected,
        }
    } else {
        GraphPattern::Join {
            left,
            right: projected,
        }
    };
    (joined, None)
}

/// Whether a pattern means the same on its own as with the values of some outer variables put into it.
///
/// It does where each of its parts that reads such a variable without binding it (an expression, the optional side of a join,
/// a subquery's inside) is given it by the part it is applied to.
fn stands_alone(pattern: &GraphPattern, outer: &Variables) -> bool {
    let given = |read: Variables, by: Variables| (&read & outer).is_subset(&by);
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } | GraphPattern::Values { .. } => true,
        GraphPattern::Join { left, right } | GraphPattern::Union { left, right } => {
            stands_alone(left, outer) && stands_alone(right, outer)
        }
        GraphPattern::LeftJoin {
            left,
            right,
            expression,
        } => {
            let read = expression.iter().flat_map(mentioned_by).collect();
            stands_alone(left, outer)
                && stands_alone(right, outer)
                && given(&mentioned(right) | &read, certain(left))
        }
        GraphPattern::Minus { left, right } => {
            stands_alone(left, outer) && given(mentioned(right), Variables::new())
        }
        GraphPattern::Filter { expr, inner } => {
            stands_alone(inner, outer) && given(mentioned_by(expr), certain(inner))
        }
        GraphPattern::Extend {
            inner,
            variable,
            expression,
        } => {
            stands_alone(inner, outer)
                && !outer.contains(variable)
                && given(mentioned_by(expression), certain(inner))
        }
        GraphPattern::Project { inner, variables } => {
            stands_alone(inner, outer)
                && given(mentioned(inner), variables.iter().cloned().collect())
        }
        GraphPattern::Group {
            inner,
            variables,
            aggregates,
        } => {
            let keys = variables.iter().cloned().collect();
            stands_alone(inner, outer) && given(&mentioned(inner) | &aggregated(aggregates), keys)
        }
        GraphPattern::Graph { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::OrderBy { inner, .. } => stands_alone(inner, outer),
        // Which rows are cut off depends on what is put into it.
        GraphPattern::Slice { .. } => given(mentioned(pattern), Variables::new()),
        GraphPattern::Service { .. } => false,
    }
}
