//! Texts with places to fill in, such as `--model {model}`.

use std::fmt;

use thiserror::Error;

/// A place to fill in. Everything else between braces is text, so that JSON and TOML can stand in a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// A file with the configuration of the tools, as most programs read it.
    McpConfigFile,
    /// The same as JSON text.
    McpConfigJson,
    /// The program that serves the tools, as a JSON string (which TOML reads, too).
    McpCommandJson,
    /// Its arguments, as a JSON array of strings.
    McpArgsJson,
    /// The whole prompt.
    Prompt,
    /// A file with the whole prompt.
    PromptFile,
    /// The prompt's standing part alone.
    System,
    /// The question alone.
    User,
    /// The folder in which the program runs, empty at the start.
    Work,
    /// A folder for what the program keeps for itself, empty at the start.
    Home,
    /// The model.
    Model,
    /// How hard the model is asked to think.
    Effort,
    /// How often the model may be asked to go on.
    Turns,
    /// US dollars that the model may cost.
    Usd,
    /// Seconds that the attempt may take.
    Seconds,
}

impl Slot {
    /// Every slot.
    pub const ALL: [Self; 15] = [
        Self::McpConfigFile,
        Self::McpConfigJson,
        Self::McpCommandJson,
        Self::McpArgsJson,
        Self::Prompt,
        Self::PromptFile,
        Self::System,
        Self::User,
        Self::Work,
        Self::Home,
        Self::Model,
        Self::Effort,
        Self::Turns,
        Self::Usd,
        Self::Seconds,
    ];

    /// Its name, without the braces.
    pub fn name(self) -> &'static str {
        match self {
            Self::McpConfigFile => "mcp_config_file",
            Self::McpConfigJson => "mcp_config_json",
            Self::McpCommandJson => "mcp_command_json",
            Self::McpArgsJson => "mcp_args_json",
            Self::Prompt => "prompt",
            Self::PromptFile => "prompt_file",
            Self::System => "system",
            Self::User => "user",
            Self::Work => "work",
            Self::Home => "home",
            Self::Model => "model",
            Self::Effort => "effort",
            Self::Turns => "turns",
            Self::Usd => "usd",
            Self::Seconds => "seconds",
        }
    }

    fn named(name: &str) -> Option<Self> {
        // The form that most programs take needs no long name.
        let name = if name == "mcp_config" {
            "mcp_config_file"
        } else {
            name
        };
        Self::ALL.into_iter().find(|slot| slot.name() == name)
    }

    /// Whether it brings the question to the program.
    pub fn is_prompt(self) -> bool {
        matches!(self, Self::Prompt | Self::PromptFile | Self::User)
    }

    /// Whether it brings the tools to the program.
    pub fn is_tools(self) -> bool {
        matches!(
            self,
            Self::McpConfigFile | Self::McpConfigJson | Self::McpCommandJson
        )
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.name())
    }
}

/// A name between braces that is no slot's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no {{{0}}} to fill in")]
pub struct UnknownSlot(pub String);

impl UnknownSlot {
    /// What can be filled in.
    pub fn hint() -> String {
        let names: Vec<String> = Slot::ALL.iter().map(ToString::to_string).collect();
        format!(
            "what can be filled in is {}; braces around anything but a name stay as they are",
            names.join(", ")
        )
    }
}

/// A text with places to fill in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    text: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Slot(Slot),
}

impl Template {
    /// Reads a template.
    pub fn read(text: &str) -> Result<Self, UnknownSlot> {
        let mut pieces = Vec::new();
        let mut before = String::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let (head, tail) = rest.split_at(open);
            before.push_str(head);
            if let Some(name) = name_of(tail) {
                let slot = Slot::named(name).ok_or_else(|| UnknownSlot(name.to_owned()))?;
                pieces.push(Piece::Text(std::mem::take(&mut before)));
                pieces.push(Piece::Slot(slot));
                rest = tail.get(name.len() + 2..).unwrap_or_default();
            } else {
                before.push('{');
                rest = tail.get(1..).unwrap_or_default();
            }
        }
        before.push_str(rest);
        pieces.push(Piece::Text(before));
        Ok(Self {
            text: text.to_owned(),
            pieces,
        })
    }

    /// The template as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What it has places for.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Slot(slot) => Some(*slot),
            Piece::Text(_) => None,
        })
    }

    /// The text with every place filled in; nothing where there is no value for one of them.
    pub fn fill(&self, value: &dyn Fn(Slot) -> Option<String>) -> Option<String> {
        let mut filled = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Slot(slot) => filled.push_str(&value(*slot)?),
            }
        }
        Some(filled)
    }
}

/// The name at the start of `{name}…`.
fn name_of(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('{')?;
    let name = inner.split_once('}')?.0;
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_between_braces_are_filled_in_and_all_else_stays() {
        for (template, expected) in [
            ("", Some("")),
            ("--model={model}", Some("--model=m{1}")),
            ("{model}{model}", Some("m{1}m{1}")),
            (r#"{"a": {"b": "{work}"}}"#, Some(r#"{"a": {"b": "/w"}}"#)),
            (
                "x={command={mcp_command_json},args=[]}",
                Some(r#"x={command="p",args=[]}"#),
            ),
            (
                "{} { model } {Model} {1} {",
                Some("{} { model } {Model} {1} {"),
            ),
            ("{mcp_config}", Some("/c")),
            ("--effort {effort}", None),
        ] {
            let value = |slot| match slot {
                // What is filled in is no template.
                Slot::Model => Some("m{1}".to_owned()),
                Slot::Work => Some("/w".to_owned()),
                Slot::McpConfigFile => Some("/c".to_owned()),
                Slot::McpCommandJson => Some("\"p\"".to_owned()),
                _ => None,
            };
            let filled = Template::read(template).unwrap().fill(&value);
            assert_eq!(filled.as_deref(), expected, "{template}");
        }
    }

    #[test]
    fn a_name_that_is_no_slot_is_refused() {
        for (template, name) in [("{modle}", "modle"), ("a {work} {x_y} {model}", "x_y")] {
            assert_eq!(Template::read(template), Err(UnknownSlot(name.to_owned())));
        }
    }

    #[test]
    fn every_slot_is_found_by_its_name() {
        for slot in Slot::ALL {
            let template = Template::read(&slot.to_string()).unwrap();
            assert_eq!(template.slots().collect::<Vec<_>>(), [slot]);
        }
    }
}
