//! A model computed in this process.

use std::path::Path;

use candle_core::{D, Device, Tensor};
use tokenizers::{Encoding, Tokenizer, TruncationParams};

use super::folder::{Folder, Pooling};
use super::transformer::{Batch, Transformer};
use super::{Encoder, EncoderError, Identity, OwnPrompts};

/// Texts that are computed together: few, since a matrix that fits the cache is multiplied fastest, and little is padded.
const BATCH: usize = 24;

/// A model from a folder in sentence-transformers' form, computed on this machine's processor, or on its GPU where the
/// program was built with the feature `cuda`.
pub struct LocalEncoder {
    identity: Identity,
    folder: Folder,
    tokenizer: Tokenizer,
    transformer: Transformer,
}

impl LocalEncoder {
    /// Reads a model. Nothing is downloaded: what is not in the folder is an error that says what to do.
    pub fn read(place: &Path) -> Result<Self, EncoderError> {
        let mut folder = Folder::read(place)?;
        let (file, bytes) = &folder.tokenizer;
        let malformed = |message: String| EncoderError::Malformed {
            file: file.clone(),
            message,
        };
        let mut tokenizer =
            Tokenizer::from_bytes(bytes).map_err(|error| malformed(error.to_string()))?;
        tokenizer.with_padding(None);
        let truncation = TruncationParams {
            max_length: folder.max_tokens,
            ..TruncationParams::default()
        };
        tokenizer
            .with_truncation(Some(truncation))
            .map_err(|error| malformed(error.to_string()))?;
        let (file, bytes) = &folder.weights;
        let transformer = Transformer::new(&folder.config, file, bytes, &device()?)?;
        let words = tokenizer.get_vocab_size(true);
        if words > transformer.vocabulary() {
            return Err(EncoderError::Malformed {
                file: folder.tokenizer.0,
                message: format!(
                    "it has {words} tokens, of which the weights know {}: it belongs to another model",
                    transformer.vocabulary()
                ),
            });
        }
        // The weights are in the transformer now.
        folder.weights.1 = Vec::new();
        folder.tokenizer.1 = Vec::new();
        Ok(Self {
            identity: Identity {
                model: name(place),
                revision: folder.revision.clone(),
                fingerprint: folder.fingerprint,
            },
            folder,
            tokenizer,
            transformer,
        })
    }

    fn batch(&self, texts: &[&str]) -> Result<Batch, EncoderError> {
        let mut rows = Vec::with_capacity(texts.len());
        for text in texts {
            // As the reference does, with Python's idea of white space.
            let text =
                text.trim_matches(|c: char| c.is_whitespace() || ('\x1c'..='\x1f').contains(&c));
            let lowered = self.folder.lower_case.then(|| text.to_lowercase());
            let encoding = self
                .tokenizer
                .encode_fast(lowered.as_deref().unwrap_or(text), true)
                .map_err(|error| EncoderError::Tokens(error.to_string()))?;
            rows.push(encoding);
        }
        let length = rows.iter().map(Encoding::len).max().unwrap_or(0);
        let padding = self.folder.config.padding();
        let mut batch = Batch {
            ids: Vec::with_capacity(rows.len() * length),
            mask: Vec::with_capacity(rows.len() * length),
            texts: rows.len(),
            length,
        };
        for row in &rows {
            let missing = length - row.len();
            batch.ids.extend_from_slice(row.get_ids());
            batch.ids.extend(std::iter::repeat_n(padding, missing));
            batch.mask.extend(std::iter::repeat_n(1.0, row.len()));
            batch.mask.extend(std::iter::repeat_n(0.0, missing));
        }
        Ok(batch)
    }

    /// One vector a text. Shape of `states`: texts, length, hidden size.
    fn pooled(&self, states: &Tensor, batch: &Batch) -> candle_core::Result<Tensor> {
        let mask = batch.mask(self.transformer.device())?;
        let pooled = match self.folder.pooling {
            Pooling::Cls => states.narrow(1, 0, 1)?.squeeze(1)?,
            Pooling::Mean | Pooling::MeanSqrt => {
                let count = mask.sum_keepdim(1)?.clamp(1e-9, f64::INFINITY)?;
                let count = match self.folder.pooling {
                    Pooling::MeanSqrt => count.sqrt()?,
                    _ => count,
                };
                // A sum with weights is a product of matrices.
                let shares = mask.broadcast_div(&count)?.unsqueeze(1)?;
                shares.matmul(states)?.squeeze(1)?
            }
            Pooling::Max => {
                // What is padding becomes smaller than anything.
                let hidden = ((mask.unsqueeze(2)? - 1.0)? * 1e9)?;
                states.broadcast_add(&hidden)?.max(1)?
            }
        };
        if !self.folder.normalize {
            return Ok(pooled);
        }
        let norm = pooled
            .sqr()?
            .sum_keepdim(D::Minus1)?
            .sqrt()?
            .clamp(1e-12, f64::INFINITY)?;
        pooled.broadcast_div(&norm)
    }
}

impl Encoder for LocalEncoder {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn prompts(&self) -> Option<&OwnPrompts> {
        Some(&self.folder.prompts)
    }

    fn batch_size(&self) -> usize {
        BATCH
    }

    fn lanes(&self) -> usize {
        if self.transformer.device().is_cpu() {
            std::thread::available_parallelism().map_or(1, usize::from)
        } else {
            1
        }
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncoderError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let batch = self.batch(texts)?;
        let states = self.transformer.forward(&batch)?;
        Ok(self.pooled(&states, &batch)?.to_vec2()?)
    }
}

#[cfg(feature = "cuda")]
fn device() -> Result<Device, EncoderError> {
    Device::new_cuda(0).map_err(|error| {
        // Where backtraces are asked for, candle's errors go on with one.
        let text = error.to_string();
        EncoderError::NoGpu(text.lines().next().unwrap_or_default().to_owned())
    })
}

#[cfg(not(feature = "cuda"))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "a GPU may not be there; a processor always is"
)]
fn device() -> Result<Device, EncoderError> {
    Ok(Device::Cpu)
}

/// The model's name: its folder's, wherever links lead; in the cache of Hugging Face's hub, where a folder is called by its
/// revision, that of the repository.
fn name(place: &Path) -> String {
    let named = place.file_name().map(ToOwned::to_owned);
    let named = named.or_else(|| Some(place.canonicalize().ok()?.file_name()?.to_owned()));
    repository(place).unwrap_or_else(|| named.unwrap_or_default().to_string_lossy().into_owned())
}

/// `NAME` of `models--ORGANISATION--NAME/snapshots/REVISION`.
fn repository(place: &Path) -> Option<String> {
    let snapshots = place.parent()?;
    let folder = snapshots.parent()?.file_name()?.to_str()?;
    let repository = folder.strip_prefix("models--")?;
    let name = repository
        .split_once("--")
        .map_or(repository, |(_, name)| name);
    (snapshots.file_name()? == "snapshots" && !name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (place, expected) in [
            ("models/all-MiniLM-L6-v2", "all-MiniLM-L6-v2"),
            ("models/e5-base-v2/", "e5-base-v2"),
            (
                "hub/models--intfloat--e5-base-v2/snapshots/abc123",
                "e5-base-v2",
            ),
            (
                "hub/models--intfloat--e5-base-v2/snapshots/abc123/",
                "e5-base-v2",
            ),
            (
                "hub/models--bert-base-uncased/snapshots/1",
                "bert-base-uncased",
            ),
            ("hub/models--/snapshots/1", "1"),
            ("hub/models--intfloat--e5-base-v2/refs/1", "1"),
            ("snapshots/1", "1"),
        ] {
            assert_eq!(name(Path::new(place)), expected, "{place}");
        }
    }
}
