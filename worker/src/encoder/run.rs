//! Many texts through an encoder.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use rustc_hash::FxHashMap;

use super::{Cache, Encoder, EncoderError, VectorFault};

/// The vectors of texts.
#[derive(Debug)]
pub struct Encoded {
    /// One a text, in the texts' order.
    pub vectors: Vec<Vec<f32>>,
    /// How many different texts were computed; here and below without those that this process asked for before.
    pub computed: usize,
    /// How many were in the cache.
    pub cached: usize,
}

/// The vectors of texts, each behind `prompt`. Equal texts are computed once. Texts of like length go together, so that
/// little is padded, the longest first; each lane computes a batch of its own. What a batch gave is in the cache before the
/// next begins, so a run that is stopped goes on from there. `progress` is called with how many texts were added to those
/// that are done.
///
/// A vector that is not finite, that has no direction or another length than the others is an error that names its text.
pub fn vectors(
    encoder: &dyn Encoder,
    prompt: &str,
    texts: &[&str],
    cache: &mut Cache,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Encoded, EncoderError> {
    let each_once = EachOnce::of(texts);
    let distinct = &each_once.texts;
    let mut found: Vec<Option<Vec<f32>>> = distinct
        .iter()
        .map(|text| cache.get(prompt, text).map(<[f32]>::to_vec))
        .collect();
    let mut missing: Vec<usize> = (0..distinct.len())
        .filter(|&place| found.get(place).is_none_or(Option::is_none))
        .collect();
    let (mut computed, mut cached) = (0, 0);
    for (text, vector) in distinct.iter().zip(&found) {
        if cache.ask(prompt, text) {
            *if vector.is_none() {
                &mut computed
            } else {
                &mut cached
            } += 1;
        }
    }
    progress(texts.len() - missing.len());
    missing.sort_by_key(|&place| {
        let text = distinct.get(place).copied().unwrap_or_default();
        (std::cmp::Reverse(text.chars().count()), place)
    });
    let batches: Vec<&[usize]> = missing.chunks(encoder.batch_size().max(1)).collect();

    let next = AtomicUsize::new(0);
    let is_over = AtomicBool::new(false);
    let done = Mutex::new((cache, &mut found));
    let work = || -> Result<(), EncoderError> {
        while !is_over.load(Ordering::Relaxed) {
            let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let words: Vec<&str> = batch
                .iter()
                .filter_map(|&at| distinct.get(at).copied())
                .collect();
            let prompted: Vec<String>;
            let input: Vec<&str> = if prompt.is_empty() {
                words.clone()
            } else {
                prompted = words.iter().map(|text| format!("{prompt}{text}")).collect();
                prompted.iter().map(String::as_str).collect()
            };
            let vectors = encoder.encode(&input)?;
            for (&place, vector) in batch.iter().zip(&vectors) {
                sound(vector).map_err(|fault| each_once.error(place, fault))?;
            }
            let mut done = done
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            let (cache, found) = &mut *done;
            cache.add(prompt, &words, &vectors)?;
            for (&place, vector) in batch.iter().zip(vectors) {
                if let Some(slot) = found.get_mut(place) {
                    *slot = Some(vector);
                }
            }
            drop(done);
            progress(batch.len());
        }
        Ok(())
    };
    let lane = || {
        let worked = alone(&work);
        if worked.is_err() {
            is_over.store(true, Ordering::Relaxed);
        }
        worked
    };
    let lanes = encoder.lanes().clamp(1, batches.len().max(1));
    thread::scope(|scope| {
        let others: Vec<_> = (1..lanes).map(|_| scope.spawn(lane)).collect();
        let mut first = lane();
        for other in others {
            let worked = match other.join() {
                Ok(worked) => worked,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            first = first.and(worked);
        }
        first
    })?;

    let mut lengths = found
        .iter()
        .map(|vector| vector.as_ref().map_or(0, Vec::len));
    let expected = lengths.next().unwrap_or_default();
    if let Some((place, found)) = lengths.enumerate().find(|(_, length)| *length != expected) {
        return Err(each_once.error(place + 1, VectorFault::Length { found, expected }));
    }

    let vectors = each_once
        .rows
        .iter()
        .map(|&row| found.get(row).cloned().flatten().unwrap_or_default())
        .collect();
    Ok(Encoded {
        vectors,
        computed,
        cached,
    })
}

/// Texts, each once.
struct EachOnce<'t> {
    /// In the order in which they first come.
    texts: Vec<&'t str>,
    /// Where each first stands.
    firsts: Vec<usize>,
    /// For each text that was given, its place among those.
    rows: Vec<usize>,
}

impl<'t> EachOnce<'t> {
    fn of(texts: &[&'t str]) -> Self {
        let mut places: FxHashMap<&str, usize> = FxHashMap::default();
        let mut this = Self {
            texts: Vec::new(),
            firsts: Vec::new(),
            rows: Vec::with_capacity(texts.len()),
        };
        for (at, text) in texts.iter().enumerate() {
            let place = *places.entry(text).or_insert_with(|| {
                this.texts.push(text);
                this.firsts.push(at);
                this.texts.len() - 1
            });
            this.rows.push(place);
        }
        this
    }

    /// What is wrong with the vector of a text.
    fn error(&self, place: usize, fault: VectorFault) -> EncoderError {
        let text = self.texts.get(place).copied().unwrap_or_default();
        EncoderError::Vector {
            text: text.chars().take(200).collect(),
            at: self.firsts.get(place).copied().unwrap_or_default(),
            fault,
        }
    }
}

/// Runs a lane with a pool of one thread around it, so that a product of matrices inside it is not divided once more among
/// all processors: a batch a thread is half as fast again as all threads on one batch.
fn alone<T: Send>(work: &(impl Fn() -> T + Sync)) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(work),
        // It is only slower without.
        Err(_) => work(),
    }
}

/// Whether a vector has a direction.
fn sound(vector: &[f32]) -> Result<(), VectorFault> {
    match vector.iter().position(|component| !component.is_finite()) {
        None if vector.iter().all(|component| *component == 0.0) => Err(VectorFault::Zero),
        None => Ok(()),
        Some(place) => Err(VectorFault::NotFinite {
            component: place + 1,
            value: vector.get(place).copied().unwrap_or(f32::NAN),
        }),
    }
}
