//! Profiles: which server is under test, as a TOML file.
//!
//! ```toml
//! endpoint = "https://example.org/sparql" # the SPARQL endpoint that the server asks: keys are run there unless --endpoint says otherwise
//! build = "0.6.0"                        # or { command = ["git", "-C", "…", "describe", "--always", "--dirty"] }
//!
//! [upstream]
//! url = "https://example.org/mcp"        # streamable HTTP, or:
//! command = ["program", "argument"]      # a server on its standard input and output
//! directory = ".."                       # where the command runs, from the profile's own folder
//! env = ["NAME"]                         # variables passed on to the command, besides PATH and the like
//!
//! [upstream.headers]
//! Authorization = "Bearer ${TOKEN}"      # variables of the environment, which appear nowhere else
//!
//! [tools]                                # what the server calls its tools, where not as the federation's own does
//! query = ["query", "multi_graph_query"]
//! descendants = ["get_descendants"]
//! lookup = ["lookup_uri"]
//! expand = ["auto_expand_descendants", "bind_expansion_to"]  # arguments by which an agent asks a query tool to expand terms
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
pub use sweep::ToolNames;
use thiserror::Error;

use crate::Failure;
use crate::mcp::serve::Server;
use crate::settings::{has_user, without_values};
use crate::store;

/// The name by which a profile's command asks for this very program.
const SELF: &str = "okn-benchmark";

/// The name of the profile where none is named.
const EMBEDDED: &str = "embedded";

/// Variables that every command is given; all others are withheld unless the profile names them, since the environment
/// of a sweep holds keys.
pub(crate) const COMMON_VARIABLES: &[&str] = &[
    "HOME",
    "LANG",
    "LC_ALL",
    "LOGNAME",
    "PATH",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
];

/// Which server is under test.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The file's name without its extension.
    pub name: String,
    /// Which build of the server it is: results of two builds are not comparable.
    pub build: Option<String>,
    /// The SPARQL endpoint that the server asks, where the profile says so: where keys are run as well.
    pub endpoint: Option<String>,
    /// How the server is reached.
    pub upstream: UpstreamChoice,
    /// What the server calls its tools.
    pub tools: ToolNames,
}

/// How a server is reached.
#[derive(Clone, Debug)]
pub enum UpstreamChoice {
    /// By streamable HTTP.
    Url {
        /// The address.
        url: String,
        /// Headers of every request, their variables filled in.
        headers: Vec<(String, String)>,
    },
    /// As a process, on its standard input and output.
    Command {
        /// The program and its arguments.
        command: Vec<String>,
        /// Where it runs.
        directory: PathBuf,
        /// Its whole environment.
        env: Vec<(String, String)>,
    },
    /// As this program's own server, inside it: what `mcp serve` would serve.
    Inside(Server),
}

impl UpstreamChoice {
    /// The address or the command line, without the values of a query string, headers and environment: those may hold
    /// secrets.
    pub fn describe(&self) -> String {
        match self {
            Self::Url { url, .. } => without_values(url),
            Self::Command { command, .. } => command.join(" "),
            Self::Inside(server) => format!("the embedded server over {}", server.endpoint()),
        }
    }
}

/// Why a profile is of no use.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// It names no server, or two.
    #[error("{} names {found}", file.display())]
    Upstream {
        /// The profile.
        file: PathBuf,
        /// What it names instead of one server.
        found: &'static str,
    },
    /// Its address holds a user or password, which is not shown.
    #[error("{} names an address with a user or password in it", file.display())]
    User {
        /// The profile.
        file: PathBuf,
    },
    /// A header needs a variable that is not set.
    #[error("{} needs the environment variable {variable} for its header {header}", file.display())]
    Variable {
        /// The profile.
        file: PathBuf,
        /// The header.
        header: String,
        /// The variable.
        variable: String,
    },
    /// The command that tells the build failed.
    #[error("{}: `{command}` does not tell the build: {reason}", file.display())]
    Build {
        /// The profile.
        file: PathBuf,
        /// The command line.
        command: String,
        /// What went wrong.
        reason: String,
    },
    /// The program's own path is not known.
    #[error("cannot tell where this program lies")]
    OwnPath(#[source] std::io::Error),
}

impl ProfileError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Upstream { .. } => Some(
                "give [upstream] either url = \"…\" or command = [\"program\", \"argument\"]"
                    .to_owned(),
            ),
            Self::User { .. } => Some(
                "give the address without what stands before the @, and the secret in [upstream.headers] as ${NAME}"
                    .to_owned(),
            ),
            Self::Variable { variable, .. } => Some(format!("export {variable}=…")),
            Self::Build { .. } => {
                Some("give build = \"…\" as text, or a command that prints it".to_owned())
            }
            Self::OwnPath(_) => None,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    endpoint: Option<String>,
    build: Option<Build>,
    upstream: Upstream,
    #[serde(default)]
    tools: ToolNames,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "build is text, or { command = [\"program\", \"argument\"] }"
)]
enum Build {
    Text(String),
    Command { command: Vec<String> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Upstream {
    url: Option<String>,
    command: Option<Vec<String>>,
    directory: Option<PathBuf>,
    #[serde(default)]
    env: Vec<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
}

impl Profile {
    /// The profile of a sweep that names none: this program's own server, inside it.
    pub fn embedded(server: Server) -> Self {
        Self {
            name: EMBEDDED.to_owned(),
            build: Some(format!("{SELF} {}", env!("CARGO_PKG_VERSION"))),
            endpoint: None,
            upstream: UpstreamChoice::Inside(server),
            tools: ToolNames::default(),
        }
    }

    /// Reads a profile; `variable` looks a variable of the environment up.
    pub fn read(file: &Path, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        let bytes = store::read(file)?;
        let text = String::from_utf8_lossy(&bytes);
        let parsed: File = toml::from_str(&text).map_err(|error| wrong(file, &text, &error))?;
        let folder = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        let upstream = chosen(file, &folder, parsed.upstream, variable)?;
        let build = parsed
            .build
            .map(|build| told(file, &folder, build))
            .transpose()?;
        let name = file
            .file_stem()
            .map(|name| name.to_string_lossy().into_owned());
        Ok(Self {
            name: name.unwrap_or_default(),
            build,
            endpoint: parsed.endpoint,
            upstream,
            tools: parsed.tools,
        })
    }
}

fn chosen(
    file: &Path,
    folder: &Path,
    upstream: Upstream,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<UpstreamChoice, ProfileError> {
    let not_one = |found| ProfileError::Upstream {
        file: file.to_owned(),
        found,
    };
    match (upstream.url, upstream.command) {
        (None, None) => Err(not_one("no server")),
        (Some(_), Some(_)) => Err(not_one("both an address and a command")),
        (Some(url), None) if !url.starts_with("http://") && !url.starts_with("https://") => Err(
            not_one("an address that begins neither with http:// nor with https://"),
        ),
        (Some(url), None) if has_user(&url) => Err(ProfileError::User {
            file: file.to_owned(),
        }),
        (Some(url), None) => {
            let filled = upstream.headers.into_iter().map(|(name, value)| {
                let value = fill(&value, variable).map_err(|variable| ProfileError::Variable {
                    file: file.to_owned(),
                    header: name.clone(),
                    variable,
                })?;
                Ok((name, value))
            });
            Ok(UpstreamChoice::Url {
                url,
                headers: filled.collect::<Result<_, _>>()?,
            })
        }
        (None, Some(command)) if command.is_empty() => Err(not_one("an empty command")),
        (None, Some(command)) => {
            let named = COMMON_VARIABLES
                .iter()
                .copied()
                .chain(upstream.env.iter().map(String::as_str));
            Ok(UpstreamChoice::Command {
                command: own(command)?,
                directory: folder.join(upstream.directory.unwrap_or_default()),
                env: named
                    .filter_map(|name| Some((name.to_owned(), variable(name)?)))
                    .collect(),
            })
        }
    }
}

/// The command, with this very program where it is asked for by name: it need not lie on the search path.
fn own(mut command: Vec<String>) -> Result<Vec<String>, ProfileError> {
    if let Some(program) = command.first_mut().filter(|program| *program == SELF) {
        let path = std::env::current_exe().map_err(ProfileError::OwnPath)?;
        *program = path.to_string_lossy().into_owned();
    }
    Ok(command)
}

/// The text with each `${NAME}` filled in; the name that is not set, if there is one.
fn fill(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        filled.push_str(before);
        filled.push_str(&variable(name).ok_or_else(|| name.to_owned())?);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

fn told(file: &Path, folder: &Path, build: Build) -> Result<String, ProfileError> {
    let command = match build {
        Build::Text(text) => return Ok(text),
        Build::Command { command } => own(command)?,
    };
    let failed = |reason: String| ProfileError::Build {
        file: file.to_owned(),
        command: command.join(" "),
        reason,
    };
    let (program, arguments) = command
        .split_first()
        .ok_or_else(|| failed("it is empty".to_owned()))?;
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .map_err(|error| failed(error.to_string()))?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(failed(format!("{}: {why}", output.status)));
    }
    if said.is_empty() {
        return Err(failed("it prints nothing".to_owned()));
    }
    Ok(said)
}

fn wrong(file: &Path, text: &str, error: &toml::de::Error) -> Failure {
    Failure::of_toml(
        file,
        text,
        error,
        "a profile has [upstream] with url or command, and may have endpoint, build and [tools]",
    )
}

#[cfg(test)]
mod tests;
