//! The failures that a user can meet, each with its exit status; a panic is a bug and none of these.

use std::error::Error;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use record::UnknownTier;
use sweep::{Canary, Difference};

use crate::encoder::EncoderError;
use crate::endpoint::EndpointError;
use crate::keys::KeyError;
use crate::mcp::proxy::ProxyError;
use crate::place::place_in;
use crate::profile::ProfileError;
use crate::store::StoreError;

/// What ended a command before it was done, or what it found wrong.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A check that the command made did not pass; what failed has been printed.
    #[error("{0}")]
    Check(String),
    /// What was typed makes no sense together or with what is there.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to type or do.
        hint: String,
    },
    /// A file that was given cannot be read as what it should be.
    #[error("{}:{line}:{column}: {message}", file.display())]
    Input {
        /// The file.
        file: PathBuf,
        /// Line of the trouble, from 1.
        line: u32,
        /// Column of the trouble in characters, from 1.
        column: u32,
        /// What was expected and what was found.
        message: String,
        /// What to do about it.
        remedy: Option<String>,
    },
    /// A tier that no record has.
    #[error(transparent)]
    UnknownTier(#[from] UnknownTier),
    /// The folder holds attempts under another condition.
    #[error("{} holds attempts under another condition, and nothing was run; {}", folder.display(), listed(differences))]
    Collision {
        /// The folder.
        folder: PathBuf,
        /// Every field in which the two differ.
        differences: Vec<Difference>,
    },
    /// The server under test does not answer what is known.
    #[error(
        "the server under test failed {}, and nothing was run{}",
        named_canaries(canaries),
        listed_canaries(canaries)
    )]
    Canaries {
        /// Those that it failed.
        canaries: Vec<Canary>,
    },
    /// A query did not come back with a table.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// A record's key did not come back with a table.
    #[error("the key of {record} gave no table")]
    Key {
        /// Id of the record.
        record: String,
        /// Why not.
        source: KeyError,
    },
    /// A control did not come back with a table.
    #[error("{file}: the control gave no table")]
    Control {
        /// The control's file.
        file: String,
        /// Why not.
        source: EndpointError,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The server of `view` could not start or broke down.
    #[error("cannot serve on {address}")]
    Serve {
        /// The address.
        address: String,
        /// By which options it was given.
        by: AddressBy,
        /// Why not.
        source: io::Error,
    },
    /// A profile is of no use.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The recording proxy was of no use.
    #[error(transparent)]
    Proxy(#[from] ProxyError),
    /// A model gave no vectors.
    #[error(transparent)]
    Encoder(#[from] EncoderError),
    /// The program's own threads could not be started.
    #[error("cannot start the program's threads")]
    Runtime {
        /// What the system said.
        source: io::Error,
    },
    /// Nothing more can be printed.
    #[error("cannot write to standard output")]
    Output(#[source] io::Error),
    /// Stopped by Ctrl-C.
    #[error("stopped; {0}")]
    Interrupted(String),
}

impl Failure {
    /// A failure of use, with what to do instead.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage {
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// What the reader of a record or control found wrong in a file.
    pub fn of_problem(file: &Path, problem: &record::Problem) -> Self {
        Self::Input {
            file: file.to_owned(),
            line: problem.line,
            column: problem.column,
            message: problem.message.clone(),
            remedy: problem.remedy.clone(),
        }
    }

    /// What is wrong at a byte of a file's text, told by line and column.
    pub fn in_text(
        file: &Path,
        text: &str,
        at: usize,
        message: impl Into<String>,
        remedy: &str,
    ) -> Self {
        let (line, column) = place_in(text, at);
        Self::Input {
            file: file.to_owned(),
            line,
            column,
            message: message.into(),
            remedy: Some(remedy.to_owned()),
        }
    }

    /// What the reader of a TOML file found wrong in it, with its place.
    pub fn of_toml(file: &Path, text: &str, error: &toml::de::Error, remedy: &str) -> Self {
        let at = error.span().map_or(0, |span| span.start);
        Self::in_text(file, text, at, error.message().trim_end(), remedy)
    }

    /// The program's exit status: 1 for a failed check, 2 for wrong usage or bad input, 130 for Ctrl-C.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Check(_) | Self::Canaries { .. } | Self::Proxy(ProxyError::Startup { .. }) => 1,
            Self::Endpoint(error)
            | Self::Control { source: error, .. }
            | Self::Key {
                source: KeyError::Endpoint(error),
                ..
            } if !error.is_usage() => 1,
            Self::Interrupted(_) => 130,
            _ => 2,
        }
    }

    /// What to do about it, printed after the message.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Usage { hint, .. } => Some(hint.clone()),
            Self::Input { remedy, .. } => remedy.clone(),
            Self::Collision { differences, .. } => {
                let only_canaries = differences.iter().all(|other| other.field == "canaries");
                Some(if only_canaries {
                    "where the server was mended since, --retry infrastructure makes again what was lost to it; else give another --out".to_owned()
                } else {
                    "give another --out, or the options of the first run".to_owned()
                })
            }
            Self::Canaries { .. } => Some(
                "mend the server, or measure it as it is with --allow-broken: the manifest then says what failed"
                    .to_owned(),
            ),
            Self::Endpoint(error)
            | Self::Control { source: error, .. }
            | Self::Key {
                source: KeyError::Endpoint(error),
                ..
            } => error.hint(),
            Self::Key { record, .. } => Some(format!(
                "see its problems with `okn-benchmark corpus show {record}`"
            )),
            Self::Store(error) => error.hint(),
            Self::Encoder(error) => error.hint(),
            Self::Profile(error) => error.hint(),
            Self::Proxy(error) => error.hint(),
            Self::Serve { by, source, .. } => by.hint(source.kind()),
            Self::Check(_)
            | Self::UnknownTier(_)
            | Self::Runtime { .. }
            | Self::Output(_)
            | Self::Interrupted(_) => None,
        }
    }
}

/// The options by which the address of a server is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressBy {
    /// `--port`, on this machine.
    Port,
    /// `--host` and `--port`.
    HostAndPort,
    /// `--http HOST:PORT`.
    Http,
    /// None: standard input and output are no address.
    Nothing,
}

impl AddressBy {
    /// What to do about an address on which nothing can be served.
    fn hint(self, why: io::ErrorKind) -> Option<String> {
        let (port, host) = match self {
            Self::Port => ("--port N", None),
            Self::HostAndPort => ("--port N", Some("--host ADDRESS")),
            Self::Http => ("--http HOST:PORT", Some("--http HOST:PORT")),
            Self::Nothing => return None,
        };
        match (why, host) {
            (io::ErrorKind::AddrInUse, _) => Some(format!(
                "something else is served there: give another port with {port}, or 0 to let the system choose"
            )),
            (io::ErrorKind::PermissionDenied, _) => Some(format!(
                "ports below 1024 take rights that this program was not given: give a higher one with {port}, or 0 to let the system choose"
            )),
            (io::ErrorKind::AddrNotAvailable, Some(host)) => Some(format!(
                "this machine has no such address: give one of its own with {host}, such as 127.0.0.1 for itself alone or 0.0.0.0 for all"
            )),
            _ => None,
        }
    }
}

/// An error with its causes behind it, on one line.
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // A transparent wrapper repeats its cause's words.
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// Canaries by name, in words.
pub(crate) fn named_canaries(canaries: &[Canary]) -> String {
    let names: Vec<&str> = canaries.iter().map(|canary| canary.name.as_str()).collect();
    let noun = if names.len() == 1 {
        "canary"
    } else {
        "canaries"
    };
    format!("the {noun} {}", names.join(", "))
}

/// A line for each canary, with what it was asked and what came back.
pub(crate) fn listed_canaries(canaries: &[Canary]) -> String {
    canaries.iter().fold(String::new(), |mut lines, canary| {
        // Writing to a text never fails.
        let _ = write!(
            lines,
            "\n  {} ({}): {}",
            canary.name, canary.asked, canary.detail
        );
        lines
    })
}

fn listed(differences: &[Difference]) -> String {
    let differences: Vec<String> = differences.iter().map(ToString::to_string).collect();
    differences.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_names_the_option_that_was_given() {
        use io::ErrorKind::{AddrInUse, AddrNotAvailable, ConnectionReset, PermissionDenied};
        for (by, why, hint) in [
            (AddressBy::Port, AddrInUse, Some("--port N")),
            (AddressBy::Port, PermissionDenied, Some("ports below 1024")),
            (AddressBy::Port, AddrNotAvailable, None),
            (
                AddressBy::HostAndPort,
                AddrNotAvailable,
                Some("--host ADDRESS"),
            ),
            (
                AddressBy::Http,
                PermissionDenied,
                Some("a higher one with --http HOST:PORT"),
            ),
            (AddressBy::Http, ConnectionReset, None),
            (AddressBy::Nothing, AddrInUse, None),
        ] {
            let said = by.hint(why);
            match hint {
                Some(words) => assert!(
                    said.as_deref().is_some_and(|said| said.contains(words)),
                    "{by:?} {why}: {said:?}"
                ),
                None => assert_eq!(said, None, "{by:?} {why}"),
            }
        }
    }

    #[test]
    fn every_way_in_which_a_file_is_out_of_reach_has_a_hint() {
        use io::ErrorKind::{IsADirectory, NotADirectory, NotFound, PermissionDenied, StorageFull};
        for (action, why, hint) in [
            ("read", NotFound, "check the path"),
            ("read", PermissionDenied, "the right to read it"),
            ("write", PermissionDenied, "a place that you may write to"),
            (
                "create folder",
                PermissionDenied,
                "a place that you may write to",
            ),
            ("read", IsADirectory, "give a file, not a folder"),
            (
                "create folder",
                NotADirectory,
                "a file lies where a folder has to be",
            ),
            ("write", StorageFull, "make room"),
        ] {
            let failure = Failure::from(StoreError {
                action,
                path: "place".into(),
                source: why.into(),
            });
            let said = failure.hint().unwrap_or_default();
            assert!(said.contains(hint), "{action} {why}: {said}");
            assert_eq!(failure.exit_status(), 2);
        }
    }
}
