//! Sentence encoders: texts in batches to vectors.
//!
//! ```text
//! --model DIR             LocalEncoder   a folder in sentence-transformers' form, computed here with candle
//! --model openai:NAME     RemoteEncoder  any service with /v1/embeddings
//!      └── Encoder ── vectors(): what is in the cache, the rest in batches of like length, one batch a thread
//! --model vectors:FILE    VectorFile     computed elsewhere: .npy, .safetensors
//! --model baseline:NAME   Baseline       letters or words counted: what needs no model
//! ```

mod baseline;
mod cache;
mod error;
mod folder;
mod fused;
mod local;
mod nearest;
mod npy;
mod remote;
mod run;
mod transformer;
mod vector_file;

use std::collections::BTreeMap;

pub use baseline::Baseline;
pub use cache::Cache;
pub use error::{EncoderError, VectorFault};
pub use folder::sha256;
pub use local::LocalEncoder;
pub use nearest::nearest;
pub use remote::{RemoteArgs, RemoteEncoder};
pub use run::{Encoded, vectors};
pub use vector_file::VectorFile;

/// What vectors depend on, besides the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The model's name.
    pub model: String,
    /// Which version of it: the SHA-256 of its weights, or the address of its service.
    pub revision: String,
    /// A digest of everything that its vectors depend on.
    pub fingerprint: [u8; 32],
}

/// The prompts that come with a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnPrompts {
    /// By name.
    pub by_name: BTreeMap<String, String>,
    /// The one that stands before every text of which nobody says otherwise.
    pub default: Option<String>,
}

/// Makes vectors of texts. The same texts in the same batch give the same vectors, bit by bit; in another batch they may
/// differ by rounding.
pub trait Encoder: Send + Sync {
    /// Who it is.
    fn identity(&self) -> &Identity;

    /// The prompts that come with it; `None` where that is not known.
    fn prompts(&self) -> Option<&OwnPrompts> {
        None
    }

    /// The most texts that it takes at once.
    fn batch_size(&self) -> usize;

    /// How many batches it is worth computing at the same time.
    fn lanes(&self) -> usize;

    /// One vector a text, in their order, all of one length. It blocks.
    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncoderError>;
}
