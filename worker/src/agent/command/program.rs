//! How an agent program is run, as a TOML file or a command line.
//!
//! ```toml
//! command = ["claude", "-p", "--mcp-config", "{mcp_config_file}"]   # what is run, in an empty folder
//! stdin = "{prompt}"                       # what it reads; the default where the prompt is nowhere else
//! install = "npm install -g …"             # what to do where it is not there
//! version = ["claude", "--version"]        # asked once, and kept with each attempt
//! needs = ["ANTHROPIC_API_KEY"]            # variables of the environment that it is given and has to have
//! env = ["ANTHROPIC_BASE_URL"]             # variables that it is given where they are set
//!
//! [options]                                # words that are added where the option is given
//! model = ["--model", "{model}"]           # --model; likewise effort, turns and usd
//!
//! [set]                                    # variables with a value of their own, where there is one to fill in
//! HOME = "{home}"
//!
//! [files]                                  # files that are laid into the folder before it starts
//! ".tool/settings.json" = "…"
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use super::template::{Slot, Template, UnknownSlot};
use crate::Failure;
use crate::store;

const REMEDY: &str = "an agent program has a command, and may have stdin, install, version, needs, env, [options], [set] and [files]";

/// How an agent program is run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file's name without its extension, or the program's.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<Template>,
    /// What it reads on its standard input.
    pub stdin: Template,
    /// What to do where it is not there.
    pub install: Option<String>,
    /// What prints its version.
    pub version: Option<Vec<String>>,
    /// Variables of the environment without which it is not run.
    pub needs: Vec<String>,
    /// Variables of the environment that it is given where they are set.
    pub env: Vec<String>,
    /// Words that are added where there is a value for them.
    pub options: BTreeMap<OptionName, Vec<Template>>,
    /// Variables with a value of their own, left out where there is none to fill in.
    pub set: BTreeMap<String, Template>,
    /// Files of its folder.
    pub files: BTreeMap<PathBuf, Template>,
}

/// What a sweep may ask of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptionName {
    /// A model.
    Model,
    /// How hard the model is to think.
    Effort,
    /// How often the model may be asked to go on.
    Turns,
    /// US dollars that the model may cost.
    Usd,
}

impl OptionName {
    /// Its name in a file.
    pub fn as_str(self) -> &'static str {
        self.slot().name()
    }

    fn slot(self) -> Slot {
        match self {
            Self::Model => Slot::Model,
            Self::Effort => Slot::Effort,
            Self::Turns => Slot::Turns,
            Self::Usd => Slot::Usd,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    command: Vec<String>,
    stdin: Option<String>,
    install: Option<String>,
    version: Option<Vec<String>>,
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    env: Vec<String>,
    #[serde(default)]
    options: BTreeMap<OptionName, Vec<String>>,
    #[serde(default)]
    set: BTreeMap<String, String>,
    #[serde(default)]
    files: BTreeMap<PathBuf, String>,
}

impl Program {
    /// Reads a program's file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = store::read(path)?;
        let text = String::from_utf8_lossy(&bytes);
        let file: File =
            toml::from_str(&text).map_err(|error| Failure::of_toml(path, &text, &error, REMEDY))?;
        let name = path
            .file_stem()
            .map(|name| name.to_string_lossy().into_owned());
        Self::of(name.unwrap_or_default(), file, &path.display().to_string())
    }

    /// Reads a command line. It is parted into words as a shell does, and no shell runs it.
    pub fn of_line(line: &str) -> Result<Self, Failure> {
        let command = shlex::split(line).ok_or_else(|| {
            Failure::usage(
                "the command line ends within quotation marks, or with a backslash",
                "close the quotation; --command takes one program and its arguments",
            )
        })?;
        let name = command.first().map(|program| {
            let name = Path::new(program).file_stem();
            name.map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default()
        });
        let file = File {
            command,
            stdin: None,
            install: None,
            version: None,
            needs: Vec::new(),
            env: Vec::new(),
            options: BTreeMap::new(),
            set: BTreeMap::new(),
            files: BTreeMap::new(),
        };
        Self::of(name.unwrap_or_default(), file, "the command line")
    }

    fn of(name: String, file: File, place: &str) -> Result<Self, Failure> {
        let template = |text: &str| template(text, place);
        let templates = |texts: &[String]| {
            texts
                .iter()
                .map(|text| template(text))
                .collect::<Result<Vec<_>, _>>()
        };
        let command = templates(&file.command)?;
        let mut files = BTreeMap::new();
        for (path, content) in &file.files {
            if path.as_os_str().is_empty()
                || !path
                    .components()
                    .all(|part| matches!(part, Component::Normal(_)))
            {
                return Err(Failure::usage(
                    format!(
                        "{place}: the file {} would not lie in the program's folder",
                        path.display()
                    ),
                    "name files of [files] from the folder in which the program runs, such as .tool/settings.json",
                ));
            }
            files.insert(path.clone(), template(content)?);
        }
        let mut options = BTreeMap::new();
        for (option, words) in &file.options {
            options.insert(*option, templates(words)?);
        }
        let mut set = BTreeMap::new();
        for (variable, value) in &file.set {
            set.insert(variable.clone(), template(value)?);
        }
        let elsewhere = command.iter().chain(files.values()).chain(set.values());
        let has_prompt = elsewhere.flat_map(Template::slots).any(Slot::is_prompt);
        let stdin = match &file.stdin {
            Some(text) => template(text)?,
            None if has_prompt => template("")?,
            None => template("{prompt}")?,
        };
        let program = Self {
            name,
            command,
            stdin,
            install: file.install,
            version: file.version,
            needs: file.needs,
            env: file.env,
            options,
            set,
            files,
        };
        program.check(place)?;
        Ok(program)
    }

    fn check(&self, place: &str) -> Result<(), Failure> {
        if self.executable().is_empty() {
            return Err(Failure::usage(
                format!("{place} names no program"),
                "give the program's name and its arguments",
            ));
        }
        let slots = self.slots();
        if !slots.iter().any(|slot| slot.is_tools()) {
            return Err(Failure::usage(
                format!("{place} does not tell the program of its tools"),
                "put {mcp_config_file}, {mcp_config_json}, or {mcp_command_json} and {mcp_args_json} where the program reads its MCP servers",
            ));
        }
        if !slots.iter().any(|slot| slot.is_prompt()) {
            return Err(Failure::usage(
                format!("{place} does not give the program its prompt"),
                "put {prompt}, {prompt_file} or {user} where the program reads it, or leave stdin out",
            ));
        }
        Ok(())
    }

    /// The program's name or path.
    pub fn executable(&self) -> &str {
        self.command
            .first()
            .map(Template::as_str)
            .unwrap_or_default()
    }

    /// What has to have a value wherever the program is run.
    fn needed(&self) -> impl Iterator<Item = Slot> {
        let texts = self.command.iter().chain(self.files.values());
        texts.chain([&self.stdin]).flat_map(Template::slots)
    }

    /// Everything that it has a place for, options aside.
    fn slots(&self) -> BTreeSet<Slot> {
        let set = self.set.values().flat_map(Template::slots);
        self.needed().chain(set).collect()
    }

    /// Whether it has a place for what a sweep may ask.
    pub fn takes(&self, option: OptionName) -> bool {
        self.options.contains_key(&option) || self.slots().contains(&option.slot())
    }

    /// Whether it cannot be run without a value for it.
    pub fn requires(&self, option: OptionName) -> bool {
        self.needed().any(|slot| slot == option.slot())
    }
}

fn template(text: &str, place: &str) -> Result<Template, Failure> {
    Template::read(text)
        .map_err(|error| Failure::usage(format!("{place}: {error}"), UnknownSlot::hint()))
}
