//! Reports as SARIF 2.1.0, which code hosts show beside the lines.
//!
//! See <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>. Columns count characters, which is what
//! `columnKind: unicodeCodePoints` says.

use crate::allow::ALLOW_RULES;
use crate::finding::{Finding, Report, Severity};
use crate::rules::rules;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A SARIF log of one run; serialise it as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Sarif {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: Vec<Run>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<Outcome>,
}

#[derive(Clone, Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: String,
    short_description: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_description: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Text>,
    default_configuration: Configuration,
}

#[derive(Clone, Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct Text {
    text: String,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    rule_id: String,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Suppression>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Clone, Debug, Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_column: u32,
}

#[derive(Clone, Debug, Serialize)]
struct Suppression {
    kind: &'static str,
    justification: String,
}

/// Turns reports into one SARIF log. What a header allows is there too, suppressed with its reason.
pub fn sarif(reports: &[Report]) -> Sarif {
    let mut descriptors = descriptors();
    let reader: BTreeSet<(String, Severity)> = reports
        .iter()
        .flat_map(|report| {
            let allowed = report.allowed.iter().map(|allowed| &allowed.finding);
            report.findings.iter().chain(allowed)
        })
        .filter(|finding| !descriptors.iter().any(|d| d.id == finding.rule))
        .map(|finding| (finding.rule.to_string(), finding.severity))
        .collect();
    for (id, severity) in reader {
        if !descriptors.iter().any(|descriptor| descriptor.id == id) {
            descriptors.push(descriptor(
                &id,
                severity,
                "a problem that the record's reader reports",
            ));
        }
    }
    let index = |id: &str| {
        descriptors
            .iter()
            .position(|d| d.id == id)
            .unwrap_or_default()
    };
    let mut results = Vec::new();
    for report in reports {
        for finding in &report.findings {
            results.push(outcome(finding, index(&finding.rule), None));
        }
        for allowed in &report.allowed {
            let finding = &allowed.finding;
            results.push(outcome(
                finding,
                index(&finding.rule),
                Some(&allowed.reason),
            ));
        }
    }
    Sarif {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: vec![Run {
            tool: Tool {
                driver: Driver {
                    name: "okn-benchmark lint",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: descriptors,
                },
            },
            column_kind: "unicodeCodePoints",
            results,
        }],
    }
}

fn descriptors() -> Vec<Descriptor> {
    let own = rules().map(|rule| Descriptor {
        full_description: Some(text(rule.why)),
        help: Some(text(rule.remedy)),
        ..descriptor(rule.id, rule.severity, rule.what)
    });
    let allow = ALLOW_RULES
        .iter()
        .map(|(id, severity, what)| descriptor(id, *severity, what));
    own.chain(allow).collect()
}

fn descriptor(id: &str, severity: Severity, what: &str) -> Descriptor {
    Descriptor {
        id: id.to_owned(),
        short_description: text(what),
        full_description: None,
        help: None,
        default_configuration: Configuration {
            level: level(severity),
        },
    }
}

fn outcome(finding: &Finding, rule_index: usize, reason: Option<&String>) -> Outcome {
    let message = match &finding.remedy {
        Some(remedy) => format!("{}; {remedy}", finding.message),
        None => finding.message.clone(),
    };
    Outcome {
        rule_id: finding.rule.to_string(),
        rule_index,
        level: level(finding.severity),
        message: text(&message),
        locations: vec![Location {
            physical_location: PhysicalLocation {
                artifact_location: Artifact {
                    uri: uri(&finding.file),
                },
                region: Region {
                    start_line: finding.line,
                    start_column: finding.column,
                    end_column: finding.end_column.max(finding.column),
                },
            },
        }],
        suppressions: reason
            .map(|reason| Suppression {
                kind: "inSource",
                justification: reason.clone(),
            })
            .into_iter()
            .collect(),
    }
}

fn text(text: &str) -> Text {
    Text {
        text: text.to_owned(),
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// A path as a relative URI reference.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/:@".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
