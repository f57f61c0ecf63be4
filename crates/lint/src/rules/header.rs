//! Rules about how grlc, and pages that show a registry, read the same header.

use super::{Example, Rule};
use crate::finding::{At, Severity};
use crate::subject::Subject;
use crate::yaml::{Trouble, troubles};

pub(super) const RULES: [Rule; 5] = [
    Rule {
        id: "header-lost",
        severity: Severity::Warning,
        what: "a line of the header that makes grlc, and any reader that loads the header as YAML, lose all of it",
        why: "the record then has no summary, no tags and no method there, without a word of warning",
        remedy: "put the value in quotes, or fold it under `>`",
        bad: &[
            Example::new(
                "a colon and a space",
                "#+ summary: Find genes: the ones on chromosome 7\nASK { ?s ?p ?o }",
            ),
            Example::new(
                "no space after the colon",
                "#+ summary:Find genes\n#+ tags: [a]\nASK { ?s ?p ?o }",
            ),
            Example::new(
                "an at sign first",
                "#+ summary: @home or away?\nASK { ?s ?p ?o }",
            ),
        ],
        good: &[
            Example::new(
                "in quotes",
                "#+ summary: \"Find genes: the ones on chromosome 7\"\nASK { ?s ?p ?o }",
            ),
            Example::new(
                "folded",
                "#+ summary: >\n#+   Find genes: the ones\n#+   on chromosome 7\nASK { ?s ?p ?o }",
            ),
            Example::new(
                "a colon without a space",
                "#+ summary: Is it 7:30 at http://e/x?\nASK { ?s ?p ?o }",
            ),
        ],
        check: |subject, out| {
            each(subject, |trouble| {
                if let Trouble::Lost { at, why } = trouble {
                    out.find(*at, format!("grlc reads none of the header, and so does a page that loads it as YAML: {why}"));
                }
            });
        },
    },
    Rule {
        id: "header-cut",
        severity: Severity::Warning,
        what: "a ` #` at which YAML readers end the value",
        why: "the prompt that they show stops in the middle",
        remedy: "put the value in quotes, or fold it under `>`",
        bad: &[Example::new(
            "a number sign",
            "#+ summary: Which gene is #1?\nASK { ?s ?p ?o }",
        )],
        good: &[
            Example::new(
                "no space before it",
                "#+ summary: Which C# library is it?\nASK { ?s ?p ?o }",
            ),
            Example::new(
                "folded",
                "#+ summary: >\n#+   Which gene is #1?\nASK { ?s ?p ?o }",
            ),
        ],
        check: |subject, out| {
            each(subject, |trouble| {
                if let Trouble::Cut { at, key, left } = trouble {
                    out.find(*at, format!("grlc and a page that loads the header as YAML read `{key}` as \"{left}\""));
                }
            });
        },
    },
    Rule {
        id: "header-retyped",
        severity: Severity::Warning,
        what: "a text that YAML readers take for a boolean, a number, a date or nothing",
        why: "they show another value, and not the same one: grlc follows YAML 1.1, most pages follow 1.2",
        remedy: "put the value in quotes",
        bad: &[
            Example::new("a time of day", "#+ summary: 1:30\nASK { ?s ?p ?o }"),
            Example::new("a yes", "#+ summary: yes\nASK { ?s ?p ?o }"),
        ],
        good: &[
            Example::new("in quotes", "#+ summary: \"1:30\"\nASK { ?s ?p ?o }"),
            Example::new(
                "more than the number",
                "#+ summary: 1:30 in words?\nASK { ?s ?p ?o }",
            ),
        ],
        check: |subject, out| {
            each(subject, |trouble| {
                if let Trouble::Retyped { at, key, old, new } = trouble {
                    out.find(
                        *at,
                        format!("grlc reads `{key}` as {old}, a page on YAML 1.2 as {new}"),
                    );
                }
            });
        },
    },
    Rule {
        id: "header-tags-text",
        severity: Severity::Warning,
        what: "tags without brackets, which YAML readers take for one text",
        why: "grlc and a registry's page then show one tag with commas in it",
        remedy: "write `tags: [a, b]`",
        bad: &[Example::new(
            "two tags, or one",
            "#+ summary: Is there anything?\n#+ tags: a, b\nASK { ?s ?p ?o }",
        )],
        good: &[
            Example::new(
                "a list",
                "#+ summary: Is there anything?\n#+ tags: [a, b]\nASK { ?s ?p ?o }",
            ),
            Example::new(
                "a list by lines",
                "#+ summary: Is there anything?\n#+ tags:\n#+   - a\n#+   - b\nASK { ?s ?p ?o }",
            ),
        ],
        check: |subject, out| {
            each(subject, |trouble| {
                if let Trouble::TagsText { at } = trouble {
                    out.find(*at, "grlc and a page that loads the header as YAML read one text, not a list of tags");
                }
            });
        },
    },
    Rule {
        id: "header-late",
        severity: Severity::Warning,
        what: "a `#+` line after the query has begun",
        why: "here it is a comment; grlc reads it as part of the header, wherever it stands",
        remedy: "move it to the top, or write it with `#` alone",
        bad: &[Example::new(
            "a tag at the end",
            "#+ summary: Is there anything?\nASK { ?s ?p ?o }\n#+ tags: [a]",
        )],
        good: &[Example::new(
            "comments and blank lines inside the header do not end it",
            "#+ summary: Is there anything?\n\n# a comment\n#+ tags: [a]\nASK { ?s ?p ?o }",
        )],
        check: |subject, out| {
            for line in subject.header.lines.iter().filter(|line| line.late) {
                let at = At {
                    line: line.line,
                    column: 1,
                    end_column: 3,
                };
                out.find(
                    at,
                    "grlc reads this line as part of the header; here it is a comment",
                );
            }
        },
    },
];

fn each(subject: &Subject<'_>, mut visit: impl FnMut(&Trouble)) {
    for trouble in &troubles(&subject.header) {
        visit(trouble);
    }
}
