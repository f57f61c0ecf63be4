//! Where rows come from, carried by everything that is scored or downloaded.

use serde::{Deserialize, Serialize};
use sweep::{KeyEntry, ResultKind};

/// Where and when a key's rows were computed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeyOrigin {
    /// `stored` for the bundle's rows, `engine` for a run in this page.
    pub source: &'static str,
    /// Reconstruction or live.
    pub kind: ResultKind,
    /// Who answered.
    pub server: String,
    /// Where.
    pub endpoint: String,
    /// Release of the data, where it states one.
    pub release: Option<String>,
    /// When, RFC 3339.
    pub date: String,
    /// Content hash of the rows.
    pub hash: String,
    /// How long it took, in milliseconds.
    pub ms: f64,
}

/// The part of the embedded federation's manifest that names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct SnapshotHead {
    /// The name that the server gives itself.
    pub server: String,
    /// Release of its data.
    #[serde(default)]
    pub release: Option<String>,
}

impl KeyOrigin {
    /// Of the rows that the bundle holds.
    pub fn stored(key: &KeyEntry) -> Self {
        Self {
            source: "stored",
            kind: key.provenance.kind,
            server: key.provenance.server.clone(),
            endpoint: key.provenance.endpoint.clone(),
            release: key.provenance.release.clone(),
            date: key.date.clone(),
            hash: key.hash.clone(),
            ms: key.ms,
        }
    }

    /// Of rows that the engine in this page has just computed. It always runs on the embedded federation, whatever the
    /// bundle's results were computed on.
    pub fn computed(snapshot: SnapshotHead, date: String, hash: String, ms: f64) -> Self {
        Self {
            source: "engine",
            kind: ResultKind::Reconstruction,
            server: snapshot.server,
            endpoint: "embedded".to_owned(),
            release: snapshot.release,
            date,
            hash,
            ms,
        }
    }
}

/// One scored file, as a download of scores has it.
#[derive(Clone, Copy, Debug)]
pub struct FileReport<'a> {
    /// The file's path as it was given.
    pub file: &'a str,
    /// The record it was scored against.
    pub record: &'a str,
    /// Where the rows come from that it was compared with.
    pub key: &'a KeyOrigin,
    /// The score as JSON, with its row diff.
    pub score: &'a str,
}

/// A download of scores as JSON: `{format, created, files: [{file, record, key, score}]}`.
///
/// Put together from the texts of its parts, because the scores come from their worker as JSON already.
pub fn report(created: &str, files: &[FileReport<'_>]) -> String {
    let files: Vec<String> = files
        .iter()
        .map(|file| {
            format!(
                "{{\"file\":{},\"record\":{},\"key\":{},\"score\":{}}}",
                json(file.file),
                json(file.record),
                json(file.key),
                file.score
            )
        })
        .collect();
    format!(
        "{{\"format\":1,\"created\":{},\"files\":[{}]}}\n",
        json(created),
        files.join(",\n")
    )
}

/// Texts, and floats that are finite: nothing here can fail.
fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The name of a downloaded file. CSV has no place for a remark, so the name says where its rows come from.
pub fn download_name(stem: &str, kind: ResultKind, extension: &str) -> String {
    let stem: String = stem
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-_.".contains(c) {
                c
            } else {
                '-'
            }
        })
        .collect();
    match kind {
        ResultKind::Reconstruction => format!("{stem}.reconstruction.{extension}"),
        ResultKind::Live | ResultKind::Unreached => format!("{stem}.{extension}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_reconstruction_beside_every_score() {
        let key = KeyOrigin::computed(
            SnapshotHead::default(),
            "2026-11-30T00:00:00Z".into(),
            "0f".into(),
            1.0,
        );
        let file = FileReport {
            file: "an \"answer\".csv",
            record: "nde-expand_x",
            key: &key,
            score: "{\"recall\":0.0}",
        };
        let text = report("2026-11-30T00:00:00Z", &[file, file]);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["format"], 1);
        assert_eq!(json["files"][0]["file"], "an \"answer\".csv");
        assert_eq!(json["files"][1]["key"]["kind"], "reconstruction");
        assert_eq!(json["files"][1]["score"]["recall"], 0.0);
    }

    #[test]
    fn names_of_downloads() {
        assert_eq!(
            download_name("nde-expand_x", ResultKind::Reconstruction, "csv"),
            "nde-expand_x.reconstruction.csv"
        );
        assert_eq!(
            download_name("a/b c", ResultKind::Live, "json"),
            "a-b-c.json"
        );
    }
}
