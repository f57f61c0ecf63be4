//! What the lint looks for. Drawn in the tables worker.

use sweep::{RuleEntry, RuleExample, RulesPage};

use crate::fragments::html::{Html, when};
use crate::fragments::lint::severity;
use crate::fragments::rule_id;
use crate::fragments::sparql::sparql;
use crate::query::Route;

/// Every rule by its family; `chosen` is pointed at.
pub fn rules(page: &RulesPage, chosen: Option<&str>) -> String {
    let mut html = Html::new();
    let is_known = |id: &str| {
        let mut rules = page.families.iter().flat_map(|family| &family.rules);
        rules.any(|rule| rule.id == id)
    };
    if let Some(chosen) = chosen.filter(|id| !is_known(id)) {
        html.open("p", &[("class", "panel"), ("id", &rule_id(chosen)), ("tabindex", "-1")])
            .leaf("code", &[], chosen)
            .text(" is what the reader of records reports, and no rule of the lint: its message says all that there is to it.")
            .end();
    }
    html.open("nav", &[("aria-label", "Rules"), ("class", "rule-list")])
        .open("ul", &[]);
    for rule in page.families.iter().flat_map(|family| &family.rules) {
        let route = Route::Rules {
            rule: Some(rule.id.clone()),
        };
        html.open("li", &[])
            .leaf("a", &[("class", "mono"), ("href", &route.href())], &rule.id)
            .end();
    }
    html.end().end();
    for family in &page.families {
        html.open("section", &[("class", "section")])
            .leaf("h2", &[], &family.title);
        for rule in &family.rules {
            self::rule(&mut html, rule, chosen == Some(rule.id.as_str()));
        }
        html.end();
    }
    html.finish()
}

fn rule(html: &mut Html, rule: &RuleEntry, is_chosen: bool) {
    html.open(
        "article",
        &[
            ("class", "panel rule"),
            ("id", &rule_id(&rule.id)),
            ("tabindex", "-1"),
            when(is_chosen, "aria-current", "true"),
        ],
    );
    html.open("h3", &[]).leaf("code", &[], &rule.id).end();
    html.open("p", &[]);
    severity(html, rule.severity);
    html.leaf("span", &[("class", "after")], &rule.what).end();
    if !rule.why.is_empty() {
        html.leaf("p", &[], &rule.why);
    }
    if !rule.remedy.is_empty() {
        html.open("p", &[])
            .leaf("strong", &[], "Remedy: ")
            .text(&rule.remedy)
            .end();
    }
    examples(html, rule, "It finds something in", &rule.bad);
    examples(html, rule, "and nothing in", &rule.good);
    html.end();
}

fn examples(html: &mut Html, rule: &RuleEntry, title: &str, examples: &[RuleExample]) {
    for (at, example) in examples.iter().enumerate() {
        html.open("details", &[])
            .leaf("summary", &[], &format!("{title}: {}", example.note));
        sparql(
            html,
            &example.text,
            &format!("{}, {title}, example {}", rule.id, at + 1),
        );
        html.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lint::Severity;
    use sweep::{RuleFamily, Version};

    fn page() -> RulesPage {
        RulesPage {
            format: Version,
            families: vec![RuleFamily {
                title: "In which order".into(),
                rules: vec![RuleEntry {
                    id: "order-missing".into(),
                    severity: Severity::Error,
                    what: "a LIMIT without an ORDER BY".into(),
                    why: String::new(),
                    remedy: "order the rows".into(),
                    bad: vec![RuleExample {
                        note: "the engine <chooses>".into(),
                        text: "SELECT ?x { } LIMIT 1".into(),
                    }],
                    good: Vec::new(),
                }],
            }],
        }
    }

    #[test]
    fn the_rule_that_is_asked_for_is_pointed_at() {
        let html = rules(&page(), Some("order-missing"));
        assert!(
            html.contains("id=\"rule-order-missing\" tabindex=\"-1\" aria-current=\"true\""),
            "{html}"
        );
        assert!(html.contains("the engine &lt;chooses&gt;"), "{html}");
        assert!(!rules(&page(), None).contains("aria-current"));
    }

    #[test]
    fn a_rule_of_the_reader_is_said_to_be_one() {
        let html = rules(&page(), Some("not-sparql"));
        assert!(html.contains("id=\"rule-not-sparql\""), "{html}");
        assert!(html.contains("no rule of the lint"), "{html}");
    }
}
