//! A folder with a model, in the form in which sentence-transformers saves it.
//!
//! ```text
//! modules.json                       Transformer, Pooling and perhaps Normalize, each with its sub-folder
//! config_sentence_transformers.json  the model's prompts, and which of them is the default one
//! 1_Pooling/config.json              how token vectors become one
//! <transformer>/config.json          architecture and sizes
//! <transformer>/sentence_bert_config.json   max_seq_length, do_lower_case; older models have other names for it
//! <transformer>/tokenizer.json       words to tokens
//! <transformer>/model.safetensors    weights
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ava::{Expected, read_json};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use super::{EncoderError, OwnPrompts};
use crate::store;

/// What a folder says of its model.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    /// Sizes and architecture.
    pub(super) config: Config,
    /// The most tokens of a text, special ones included.
    pub(super) max_tokens: usize,
    /// Whether texts are lower-cased before they are divided into tokens.
    pub(super) lower_case: bool,
    /// How token vectors become one.
    pub(super) pooling: Pooling,
    /// Whether vectors are made of length 1.
    pub(super) normalize: bool,
    /// The model's own prompts.
    pub(super) prompts: OwnPrompts,
    /// The tokenizer's file, and what it holds.
    pub(super) tokenizer: (PathBuf, Vec<u8>),
    /// The weights' file, and what it holds.
    pub(super) weights: (PathBuf, Vec<u8>),
    /// SHA-256 of the weights' file.
    pub(super) revision: String,
    /// SHA-256 of every file that vectors depend on.
    pub(super) fingerprint: [u8; 32],
}

/// `config.json` of the transformer, as far as it matters here.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Config {
    #[serde(default)]
    pub(super) model_type: String,
    #[serde(skip)]
    pub(super) family: Family,
    pub(super) hidden_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    #[serde(default = "gelu")]
    pub(super) hidden_act: String,
    pub(super) max_position_embeddings: usize,
    #[serde(default = "bert_eps")]
    pub(super) layer_norm_eps: f64,
    #[serde(default)]
    pub(super) pad_token_id: Option<u32>,
    #[serde(default = "absolute")]
    pub(super) position_embedding_type: String,
    #[serde(default = "mpnet_buckets")]
    pub(super) relative_attention_num_buckets: usize,
}

fn gelu() -> String {
    "gelu".to_owned()
}
fn absolute() -> String {
    "absolute".to_owned()
}
fn bert_eps() -> f64 {
    1e-12
}
fn mpnet_buckets() -> usize {
    32
}

/// The shapes that are computed here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Family {
    /// Absolute positions from 0, segments.
    #[default]
    Bert,
    /// Absolute positions behind the padding token's id.
    Roberta,
    /// The same, without segments, and a bias by the distance of two tokens.
    Mpnet,
}

impl Family {
    fn of(model_type: &str) -> Option<Self> {
        match model_type {
            "bert" => Some(Self::Bert),
            "roberta" | "xlm-roberta" | "camembert" => Some(Self::Roberta),
            "mpnet" => Some(Self::Mpnet),
            _ => None,
        }
    }
}

impl Config {
    /// The id of the padding token.
    pub(super) fn padding(&self) -> u32 {
        self.pad_token_id.unwrap_or(match self.family {
            Family::Bert => 0,
            Family::Roberta | Family::Mpnet => 1,
        })
    }

    /// How many tokens have a position of their own.
    fn positions(&self) -> usize {
        match self.family {
            Family::Bert => self.max_position_embeddings,
            Family::Roberta | Family::Mpnet => self
                .max_position_embeddings
                .saturating_sub(self.padding() as usize + 1),
        }
    }
}

/// How token vectors become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    /// That of the first token.
    Cls,
    /// The mean.
    Mean,
    /// The mean times the square root of the number of tokens.
    MeanSqrt,
    /// The greatest, component by component.
    Max,
}

#[derive(Deserialize)]
struct Module {
    #[serde(default)]
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Default, Deserialize)]
struct TransformerConfig {
    max_seq_length: Option<usize>,
    #[serde(default)]
    do_lower_case: bool,
}

#[derive(Default, Deserialize)]
struct TokenizerConfig {
    model_max_length: Option<f64>,
}

/// `config_sentence_transformers.json`, as far as it matters here.
#[derive(Default, Deserialize)]
struct PromptsConfig {
    /// A prompt of null is an empty one.
    prompts: Option<BTreeMap<String, Option<String>>>,
    default_prompt_name: Option<String>,
}

/// Where the limits of texts may stand: the first of these that says something counts, as in sentence-transformers.
const LIMITS: [&str; 7] = [
    "sentence_bert_config.json",
    "sentence_roberta_config.json",
    "sentence_distilbert_config.json",
    "sentence_camembert_config.json",
    "sentence_albert_config.json",
    "sentence_xlm-roberta_config.json",
    "sentence_xlnet_config.json",
];

/// Prompts that every model has, empty ones where its files do not say otherwise.
const GIVEN: [&str; 2] = ["query", "document"];

const KNOWN_MODULES: &str = "Transformer, Pooling, Normalize";

impl Folder {
    /// Reads a folder; the weights' bytes among it.
    pub(super) fn read(folder: &Path) -> Result<Self, EncoderError> {
        if !folder.is_dir() {
            return Err(EncoderError::NotThere {
                folder: folder.to_owned(),
            });
        }
        let mut digest = Sha256::new();
        let list = folder.join("modules.json");
        let modules: Vec<Module> = json(
            &list,
            &mut digest,
            "--model takes the folder that holds modules.json, as sentence-transformers saves a model",
        )?;
        let mut transformer = None;
        let mut pooling = None;
        let mut normalize = false;
        for module in &modules {
            let place = folder.join(&module.path);
            match module.kind.rsplit('.').next().unwrap_or_default() {
                "Transformer" if transformer.is_none() => transformer = Some(place),
                "Pooling" if transformer.is_some() && pooling.is_none() => {
                    pooling = Some(read_pooling(&place.join("config.json"), &mut digest)?);
                }
                "Normalize" if pooling.is_some() => normalize = true,
                _ => {
                    return Err(EncoderError::Unsupported {
                        file: list,
                        what: "the module",
                        found: module.kind.clone(),
                        known: KNOWN_MODULES,
                    });
                }
            }
        }
        let (Some(transformer), Some(pooling)) = (transformer, pooling) else {
            return Err(EncoderError::Malformed {
                file: list,
                message: "it lists no Transformer with a Pooling behind it".to_owned(),
            });
        };
        let config = read_config(&transformer.join("config.json"), &mut digest)?;
        let (limits_file, limits) = read_limits(&transformer, &mut digest)?;
        let tokens: TokenizerConfig =
            json_if_there(&transformer.join("tokenizer_config.json"), &mut digest)?;
        let prompts = read_prompts(&folder.join("config_sentence_transformers.json"))?;
        let declared = limits.max_seq_length.or_else(|| {
            // Some files have 1e30 for "no limit".
            let length = tokens.model_max_length.filter(|length| *length < 1e9)?;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "bounded above, and a cast of a negative one gives 0"
            )]
            Some(length as usize)
        });
        let max_tokens = declared.unwrap_or(usize::MAX).min(config.positions());
        if max_tokens < 3 {
            return Err(EncoderError::Malformed {
                file: limits_file,
                message: format!("texts of {max_tokens} tokens have no room for a word"),
            });
        }
        let tokenizer = needed(
            &transformer.join("tokenizer.json"),
            "save the model with a recent sentence-transformers, which writes tokenizer.json beside its config.json",
        )?;
        digest.update(&tokenizer.1);
        let weights = needed(
            &transformer.join("model.safetensors"),
            "save the model with `save_pretrained(…, safe_serialization=True)`: pickled weights (pytorch_model.bin) run code when they are read, and are not",
        )?;
        let weights_digest = Sha256::digest(&weights.1);
        digest.update(weights_digest);
        Ok(Self {
            lower_case: limits.do_lower_case,
            prompts,
            revision: hex::encode(weights_digest),
            fingerprint: digest.finalize().into(),
            config,
            max_tokens,
            pooling,
            normalize,
            tokenizer,
            weights,
        })
    }
}

/// The SHA-256 of bytes, as hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn read_config(file: &Path, digest: &mut Sha256) -> Result<Config, EncoderError> {
    let mut config: Config = json(
        file,
        digest,
        "the transformer's config.json belongs beside its weights",
    )?;
    let unsupported = |what, found: &str, known| EncoderError::Unsupported {
        file: file.to_owned(),
        what,
        found: found.to_owned(),
        known,
    };
    config.family = Family::of(&config.model_type).ok_or_else(|| {
        unsupported(
            "the architecture",
            &config.model_type,
            "bert, roberta, xlm-roberta, camembert and mpnet",
        )
    })?;
    if config.position_embedding_type != "absolute" {
        return Err(unsupported(
            "the position embedding",
            &config.position_embedding_type,
            "absolute",
        ));
    }
    if !["gelu", "gelu_new", "gelu_pytorch_tanh", "relu"].contains(&config.hidden_act.as_str()) {
        return Err(unsupported(
            "the activation",
            &config.hidden_act,
            "gelu, gelu_new, gelu_pytorch_tanh and relu",
        ));
    }
    let heads = config.num_attention_heads;
    if heads == 0 || config.hidden_size == 0 || !config.hidden_size.is_multiple_of(heads) {
        return Err(EncoderError::Malformed {
            file: file.to_owned(),
            message: format!(
                "a hidden size of {} is not divided by {heads} heads",
                config.hidden_size
            ),
        });
    }
    Ok(config)
}

/// The limits of texts, and the file that has them.
fn read_limits(
    transformer: &Path,
    digest: &mut Sha256,
) -> Result<(PathBuf, TransformerConfig), EncoderError> {
    for name in LIMITS {
        let file = transformer.join(name);
        let said: serde_json::Map<String, serde_json::Value> = json_if_there(&file, digest)?;
        if !said.is_empty() {
            let read = serde_json::from_value(said.into());
            return match read {
                Ok(limits) => Ok((file, limits)),
                Err(error) => Err(EncoderError::Malformed {
                    file,
                    message: error.to_string(),
                }),
            };
        }
    }
    Ok((transformer.join(LIMITS[0]), TransformerConfig::default()))
}

/// The model's own prompts. Vectors do not depend on them unless they are used, and then by their text.
fn read_prompts(file: &Path) -> Result<OwnPrompts, EncoderError> {
    let config: PromptsConfig = json_if_there(file, &mut Sha256::new())?;
    let all = config.prompts.unwrap_or_default();
    let by_name: BTreeMap<String, String> = all
        .into_iter()
        .map(|(name, prompt)| (name, prompt.unwrap_or_default()))
        .collect();
    let default = match config.default_prompt_name {
        None => None,
        Some(name) => match by_name.get(&name) {
            Some(prompt) => Some(prompt.clone()),
            None if GIVEN.contains(&name.as_str()) => Some(String::new()),
            None => {
                return Err(EncoderError::Malformed {
                    file: file.to_owned(),
                    message: format!(
                        "`default_prompt_name` is `{name}`, and there is no such prompt"
                    ),
                });
            }
        },
    };
    Ok(OwnPrompts { by_name, default })
}

/// The flags of older files, and the name of newer ones.
fn read_pooling(file: &Path, digest: &mut Sha256) -> Result<Pooling, EncoderError> {
    let flags: BTreeMap<String, serde_json::Value> = json(
        file,
        digest,
        "the pooling's config.json says how token vectors become one; save the model again",
    )?;
    let named = flags.get("pooling_mode").and_then(|mode| mode.as_str());
    let set: Vec<&str> = match named {
        Some(name) => vec![name],
        None => flags
            .iter()
            .filter(|(_, value)| **value == serde_json::Value::Bool(true))
            .filter_map(|(key, _)| key.strip_prefix("pooling_mode_"))
            .collect(),
    };
    let mode = match set.as_slice() {
        ["cls_token" | "cls"] => Pooling::Cls,
        ["mean_tokens" | "mean"] => Pooling::Mean,
        ["mean_sqrt_len_tokens" | "mean_sqrt_len"] => Pooling::MeanSqrt,
        ["max_tokens" | "max"] => Pooling::Max,
        other => {
            return Err(EncoderError::Unsupported {
                file: file.to_owned(),
                what: "the pooling",
                found: other.join(" + "),
                known: "one of cls, mean, mean_sqrt_len and max",
            });
        }
    };
    if flags.get("include_prompt") == Some(&serde_json::Value::Bool(false)) {
        return Err(EncoderError::Unsupported {
            file: file.to_owned(),
            what: "the pooling",
            found: "include_prompt: false".to_owned(),
            known: "pooling over the prompt's tokens too",
        });
    }
    Ok(mode)
}

fn needed(file: &Path, remedy: &'static str) -> Result<(PathBuf, Vec<u8>), EncoderError> {
    match store::read_if_there(file)? {
        Some(bytes) => Ok((file.to_owned(), bytes)),
        None => Err(EncoderError::Missing {
            file: file.to_owned(),
            remedy,
        }),
    }
}

fn json<T: DeserializeOwned>(
    file: &Path,
    digest: &mut Sha256,
    remedy: &'static str,
) -> Result<T, EncoderError> {
    let (_, bytes) = needed(file, remedy)?;
    digest.update(&bytes);
    parsed(file, &bytes)
}

fn json_if_there<T: DeserializeOwned + Default>(
    file: &Path,
    digest: &mut Sha256,
) -> Result<T, EncoderError> {
    let Some(bytes) = store::read_if_there(file)? else {
        return Ok(T::default());
    };
    digest.update(&bytes);
    parsed(file, &bytes)
}

fn parsed<T: DeserializeOwned>(file: &Path, bytes: &[u8]) -> Result<T, EncoderError> {
    let expected = Expected {
        what: "part of a model",
        remedy: "",
        number: "",
        texts: &[],
    };
    read_json(bytes, &expected).map_err(|problem| EncoderError::Json {
        file: file.to_owned(),
        problem,
    })
}
