//! BERT-shaped transformers: BERT, `RoBERTa` and `MPNet` differ in how a token's position comes in, and in their weights' names.

use std::collections::HashMap;
use std::path::Path;

use candle_core::{DType, Device, Tensor};

use super::EncoderError;
use super::folder::{Config, Family};
use super::fused::{self, Activation, Norm};

/// A transformer with its weights.
pub(super) struct Transformer {
    config: Config,
    activation: Activation,
    device: Device,
    words: Tensor,
    /// The embedding of each position; BERT's first segment, which is the only one here, is added to it already.
    positions: Tensor,
    norm: Norm,
    layers: Vec<Layer>,
    /// `MPNet`'s bias: one row for each bucket of distances, one column for each head.
    distances: Option<Tensor>,
}

struct Layer {
    /// Queries, keys and values as one product.
    attention_in: Linear,
    attention_out: Linear,
    attention_norm: Norm,
    inner: Linear,
    outer: Linear,
    norm: Norm,
}

/// A matrix, transposed as it is multiplied from the right, and what is added.
struct Linear {
    weight: Tensor,
    bias: Tensor,
}

/// Texts as tokens, padded to equal length.
pub(super) struct Batch {
    /// Ids, text by text.
    pub(super) ids: Vec<u32>,
    /// Which of them count, 1 or 0.
    pub(super) mask: Vec<f32>,
    /// Texts.
    pub(super) texts: usize,
    /// Tokens of each, padding among them.
    pub(super) length: usize,
}

impl Batch {
    fn is_padded(&self) -> bool {
        self.mask.contains(&0.0)
    }

    /// Shape: texts, length.
    pub(super) fn mask(&self, device: &Device) -> candle_core::Result<Tensor> {
        Tensor::from_slice(&self.mask, (self.texts, self.length), device)
    }
}

impl Transformer {
    /// Takes a model's weights over; `file` is theirs.
    pub(super) fn new(
        config: &Config,
        file: &Path,
        bytes: &[u8],
        device: &Device,
    ) -> Result<Self, EncoderError> {
        let weights = Weights::read(file, bytes, config.family, device)?;
        let hidden = config.hidden_size;
        let words = weights.get("embeddings.word_embeddings.weight", &[None, Some(hidden)])?;
        let rows = Some(config.max_position_embeddings);
        let mut positions = weights.get(
            "embeddings.position_embeddings.weight",
            &[rows, Some(hidden)],
        )?;
        if config.family != Family::Mpnet {
            let segments = weights.get(
                "embeddings.token_type_embeddings.weight",
                &[None, Some(hidden)],
            )?;
            positions = positions.broadcast_add(&segments.narrow(0, 0, 1)?)?;
        }
        let distances = match config.family {
            Family::Mpnet => Some(weights.get(
                "encoder.relative_attention_bias.weight",
                &[
                    Some(config.relative_attention_num_buckets),
                    Some(config.num_attention_heads),
                ],
            )?),
            Family::Bert | Family::Roberta => None,
        };
        let epsilon = config.layer_norm_eps;
        let layers = (0..config.num_hidden_layers)
            .map(|layer| weights.layer(&format!("encoder.layer.{layer}."), config))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            norm: weights.norm("embeddings.LayerNorm", hidden, epsilon)?,
            activation: match config.hidden_act.as_str() {
                "relu" => Activation::Relu,
                "gelu_new" | "gelu_pytorch_tanh" => Activation::GeluTanh,
                _ => Activation::Gelu,
            },
            config: config.clone(),
            device: device.clone(),
            words,
            positions,
            layers,
            distances,
        })
    }

    /// Words that have an embedding.
    pub(super) fn vocabulary(&self) -> usize {
        self.words.dim(0).unwrap_or_default()
    }

    /// The device that it is computed on.
    pub(super) fn device(&self) -> &Device {
        &self.device
    }

    /// A vector for every token. Shape: texts, length, hidden size.
    pub(super) fn forward(&self, batch: &Batch) -> candle_core::Result<Tensor> {
        let (texts, length, hidden) = (batch.texts, batch.length, self.config.hidden_size);
        let ids = Tensor::from_slice(&batch.ids, texts * length, &self.device)?;
        let places = Tensor::from_vec(self.places(batch), texts * length, &self.device)?;
        let words = self.words.index_select(&ids, 0)?;
        let positions = self.positions.index_select(&places, 0)?;
        let mut states = fused::added_and_normalised(words, None, &positions, &self.norm)?;
        let bias = self.bias(batch)?;
        for layer in &self.layers {
            states = self.layer(layer, &states, texts, length, bias.as_ref())?;
        }
        states.reshape((texts, length, hidden))
    }

    /// The position of each token.
    fn places(&self, batch: &Batch) -> Vec<u32> {
        let padding = self.config.padding();
        let mut places = Vec::with_capacity(batch.ids.len());
        for text in batch.ids.chunks(batch.length.max(1)) {
            let mut next = 0;
            places.extend(text.iter().map(|&id| {
                if self.config.family == Family::Bert {
                    next += 1;
                    return next - 1;
                }
                // Counted from behind the padding token's id, which is every padding token's position, wherever it stands.
                if id == padding {
                    return padding;
                }
                next += 1;
                padding + next
            }));
        }
        places
    }

    /// What is added to the scores of attention: nothing in sight of padding, `MPNet`'s bias. Shape: texts or 1, heads or 1,
    /// length or 1, length.
    fn bias(&self, batch: &Batch) -> candle_core::Result<Option<Tensor>> {
        let (texts, length) = (batch.texts, batch.length);
        let mask = if batch.is_padded() {
            let hidden: Vec<f32> = batch
                .mask
                .iter()
                .map(|counts| if *counts > 0.0 { 0.0 } else { f32::MIN })
                .collect();
            Some(Tensor::from_vec(
                hidden,
                (texts, 1, 1, length),
                &self.device,
            )?)
        } else {
            None
        };
        let Some(distances) = &self.distances else {
            return Ok(mask);
        };
        let buckets: Vec<u32> = (0..length)
            .flat_map(|query| (0..length).map(move |key| (query, key)))
            .map(|(query, key)| bucket(query, key, self.config.relative_attention_num_buckets))
            .collect();
        let buckets = Tensor::from_vec(buckets, length * length, &self.device)?;
        let bias = distances
            .index_select(&buckets, 0)?
            .reshape((length, length, self.config.num_attention_heads))?
            .permute((2, 0, 1))?
            .unsqueeze(0)?
            .contiguous()?;
        match mask {
            Some(mask) => Ok(Some(mask.broadcast_add(&bias)?)),
            None => Ok(Some(bias)),
        }
    }

    fn layer(
        &self,
        layer: &Layer,
        states: &Tensor,
        texts: usize,
        length: usize,
        bias: Option<&Tensor>,
    ) -> candle_core::Result<Tensor> {
        let (hidden, heads) = (self.config.hidden_size, self.config.num_attention_heads);
        let width = hidden / heads;
        let split = states.matmul(&layer.attention_in.weight)?;
        let shape = [texts, length, heads, width];
        let split = fused::split(&split, &layer.attention_in.bias, shape)?;
        let part = |which: usize| split.narrow(0, which, 1)?.squeeze(0);
        let (queries, keys, values) = (part(0)?, part(1)?, part(2)?);
        let scores = queries.matmul(&keys.t()?)?;
        let seen = fused::attention(scores, bias)?
            .matmul(&values)?
            .transpose(1, 2)?
            .reshape((texts * length, hidden))?;
        let states = layer
            .attention_out
            .add_to(&seen, states, &layer.attention_norm)?;
        let inner = states.matmul(&layer.inner.weight)?;
        let inner = fused::activated(inner, &layer.inner.bias, self.activation)?;
        layer.outer.add_to(&inner, &states, &layer.norm)
    }
}

impl Linear {
    /// What it makes of `states`, added to `residual` and normalised.
    fn add_to(
        &self,
        states: &Tensor,
        residual: &Tensor,
        norm: &Norm,
    ) -> candle_core::Result<Tensor> {
        let product = states.matmul(&self.weight)?;
        fused::added_and_normalised(product, Some(&self.bias), residual, norm)
    }
}

/// The bucket of the distance from one token to another: exact for near ones, logarithmic up to 128, one for all beyond;
/// the upper half is for those that come later.
fn bucket(query: usize, key: usize, buckets: usize) -> u32 {
    const FARTHEST: f32 = 128.0;
    let half = buckets / 2;
    let exact = half / 2;
    let distance = query.abs_diff(key);
    let at = if distance < exact {
        distance
    } else {
        // In single precision, as the reference has it: its rounding decides at the borders.
        let (distance, first) = (distance as f32, exact as f32);
        let steps = (distance / first).ln() / (FARTHEST / first).ln() * (half - exact) as f32;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the logarithm of a number from 1 on, cut off at the whole number as in the reference"
        )]
        let steps = steps as usize;
        (exact + steps).min(half - 1)
    };
    let at = if key > query { at + half } else { at };
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The tensors of a file, by name.
struct Weights<'f> {
    file: &'f Path,
    tensors: HashMap<String, Tensor>,
    family: Family,
    /// What stands before every name: the model's own, where it was saved with a head.
    prefix: &'static str,
    device: &'f Device,
}

impl<'f> Weights<'f> {
    fn read(
        file: &'f Path,
        bytes: &[u8],
        family: Family,
        device: &'f Device,
    ) -> Result<Self, EncoderError> {
        let tensors =
            candle_core::safetensors::load_buffer(bytes, &Device::Cpu).map_err(|error| {
                EncoderError::Malformed {
                    file: file.to_owned(),
                    message: format!("no safetensors: {error}"),
                }
            })?;
        let prefix = ["bert.", "roberta.", "mpnet."]
            .into_iter()
            .find(|prefix| {
                tensors.contains_key(&format!("{prefix}embeddings.word_embeddings.weight"))
            })
            .unwrap_or_default();
        Ok(Self {
            file,
            tensors,
            family,
            prefix,
            device,
        })
    }

    /// A tensor in single precision; `shape` says what its sizes must be, where that is known.
    fn get(&self, name: &str, shape: &[Option<usize>]) -> Result<Tensor, EncoderError> {
        let wrong = |message| EncoderError::Malformed {
            file: self.file.to_owned(),
            message,
        };
        let name = format!("{}{name}", self.prefix);
        let tensor = self
            .tensors
            .get(&name)
            .ok_or_else(|| wrong(format!("it has no tensor `{name}`")))?;
        let found = tensor.dims();
        let fits = found.len() == shape.len()
            && found
                .iter()
                .zip(shape)
                .all(|(found, expected)| expected.is_none_or(|expected| expected == *found));
        if !fits {
            return Err(wrong(format!(
                "`{name}` has the shape {found:?}, which is not that of config.json"
            )));
        }
        Ok(tensor.to_dtype(DType::F32)?.to_device(self.device)?)
    }

    fn linear(&self, name: &str, from: usize, to: Option<usize>) -> Result<Linear, EncoderError> {
        let weight = self.get(&format!("{name}.weight"), &[to, Some(from)])?;
        let to = weight.dim(0)?;
        Ok(Linear {
            weight: weight.t()?.contiguous()?,
            bias: self.get(&format!("{name}.bias"), &[Some(to)])?,
        })
    }

    fn norm(&self, name: &str, size: usize, epsilon: f64) -> Result<Norm, EncoderError> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "computed in single precision"
        )]
        let epsilon = epsilon as f32;
        Ok(Norm {
            weight: self.get(&format!("{name}.weight"), &[Some(size)])?,
            bias: self.get(&format!("{name}.bias"), &[Some(size)])?,
            epsilon,
        })
    }

    fn layer(&self, place: &str, config: &Config) -> Result<Layer, EncoderError> {
        let (hidden, epsilon) = (config.hidden_size, config.layer_norm_eps);
        let (parts, out, norm) = match self.family {
            Family::Mpnet => (
                ["attention.attn.q", "attention.attn.k", "attention.attn.v"],
                "attention.attn.o",
                "attention.LayerNorm",
            ),
            Family::Bert | Family::Roberta => (
                [
                    "attention.self.query",
                    "attention.self.key",
                    "attention.self.value",
                ],
                "attention.output.dense",
                "attention.output.LayerNorm",
            ),
        };
        let mut weights = Vec::new();
        let mut biases = Vec::new();
        // Scores are divided by the root of a head's width; the queries are, once and for all.
        let width = hidden / config.num_attention_heads;
        let scales = [1.0 / (width as f64).sqrt(), 1.0, 1.0];
        for (part, scale) in parts.into_iter().zip(scales) {
            let part = self.linear(&format!("{place}{part}"), hidden, Some(hidden))?;
            weights.push((part.weight * scale)?);
            biases.push((part.bias * scale)?);
        }
        let inner = self.linear(&format!("{place}intermediate.dense"), hidden, None)?;
        let inner_size = inner.weight.dim(1)?;
        Ok(Layer {
            attention_in: Linear {
                weight: Tensor::cat(&weights, 1)?,
                bias: Tensor::cat(&biases, 0)?,
            },
            attention_out: self.linear(&format!("{place}{out}"), hidden, Some(hidden))?,
            attention_norm: self.norm(&format!("{place}{norm}"), hidden, epsilon)?,
            outer: self.linear(&format!("{place}output.dense"), inner_size, Some(hidden))?,
            inner,
            norm: self.norm(&format!("{place}output.LayerNorm"), hidden, epsilon)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Golden {
        /// Those of the distances 0 to 511 to a later token, then of the same to an earlier one, as the reference has them.
        buckets: Vec<u32>,
    }

    #[test]
    fn buckets_of_distances() {
        let golden = include_str!("../../tests/fixtures/encoders/golden.json");
        let golden: Golden = serde_json::from_str(golden).unwrap();
        let later = (0..512).map(|distance| bucket(0, distance, 32));
        let earlier = (0..512).map(|distance| bucket(distance, 0, 32));
        assert_eq!(later.chain(earlier).collect::<Vec<_>>(), golden.buckets);
    }
}
