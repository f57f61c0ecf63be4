//! Models, texts, and the reference's vectors.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use worker::encoder::{Cache, Encoder, LocalEncoder, vectors};

/// What the reference made of the small models.
#[derive(Deserialize)]
pub(crate) struct Golden {
    pub texts: Vec<String>,
    pub models: BTreeMap<String, Vec<Vec<f32>>>,
    pub poolings: BTreeMap<String, Vec<Vec<f32>>>,
    pub characters: Characters,
}

/// Texts with characters that XLM-R's tokenizer makes others of.
#[derive(Deserialize)]
pub(crate) struct Characters {
    pub texts: Vec<String>,
    pub vectors: Vec<Vec<f32>>,
}

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/encoders")
}

pub(crate) fn golden() -> Golden {
    let text = fs::read_to_string(folder().join("golden.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// A copy of a small model that can be changed.
pub(crate) fn copy(name: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    copy_folder(&folder().join(name), copy.path());
    copy
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}

pub(crate) fn read(folder: &Path) -> LocalEncoder {
    let encoder = LocalEncoder::read(folder);
    encoder.map_err(|error| error.to_string()).unwrap()
}

pub(crate) fn alone(encoder: &dyn Encoder, texts: &[String]) -> Vec<Vec<f32>> {
    let one = |text: &String| encoder.encode(&[text]).unwrap().remove(0);
    texts.iter().map(one).collect()
}

pub(crate) fn together(encoder: &dyn Encoder, texts: &[String]) -> Vec<Vec<f32>> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    vectors(encoder, "", &texts, &mut Cache::none(), &|_| {})
        .unwrap()
        .vectors
}

/// The greatest difference of a component from the reference's, as a share of the vector's length. The small models give nearly the
/// same vector for every text, so that a cosine says little of them.
pub(crate) fn farthest(found: &[Vec<f32>], reference: &[Vec<f32>]) -> f64 {
    let pairs = found.iter().zip(reference);
    pairs.fold(0.0, |farthest, (found, reference)| {
        let squares = reference.iter().map(|x| f64::from(*x).powi(2));
        let length = squares.sum::<f64>().sqrt();
        let components = found.iter().zip(reference);
        let differences = components.map(|(a, b)| f64::from((a - b).abs()) / length);
        differences.fold(farthest, f64::max)
    })
}

/// How far vectors are from the reference's: 1 less the least cosine, and the greatest relative difference in length.
pub(crate) fn distance(found: &[Vec<f32>], reference: &[Vec<f32>]) -> (f64, f64) {
    assert_eq!(found.len(), reference.len());
    let length = |vector: &[f32]| {
        let squares = vector.iter().map(|x| f64::from(*x).powi(2));
        squares.sum::<f64>().sqrt()
    };
    let pairs = found.iter().zip(reference);
    pairs.fold((0.0, 0.0), |(cosines, lengths), (found, reference)| {
        assert_eq!(found.len(), reference.len());
        let cosine = ava::cosine(found, reference).unwrap();
        let ratio = length(found) / length(reference) - 1.0;
        (
            f64::max(cosines, (1.0 - cosine).abs()),
            f64::max(lengths, ratio.abs()),
        )
    })
}
