//! What lies between a transformer's products of matrices, each in one pass over memory.
//!
//! On a processor, candle divides an operation on many numbers among a pool of all processors, and lanes that compute a batch each
//! (see `run`) wait there for one another: half of their time. So on a processor these operations are computed here, on the thread
//! that calls and where the numbers are; elsewhere they are candle's.

#![expect(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the instructions of the processor that it runs on"
)]

use std::ops::Deref;

use candle_core::{CpuStorage, InplaceOp1, Layout, Storage, Tensor};
use candle_nn::ops;
use pulp::Arch;

/// Numbers that a loop takes at once; a sum in so many parts is one that vector instructions can take.
const LANES: usize = 16;

/// What a feed-forward layer does to each number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activation {
    /// x·Φ(x).
    Gelu,
    /// The same by its approximation with a hyperbolic tangent.
    GeluTanh,
    Relu,
}

/// The weights of a layer's normalisation. Shapes: hidden size.
pub(super) struct Norm {
    pub(super) weight: Tensor,
    pub(super) bias: Tensor,
    pub(super) epsilon: f32,
}

/// `activation(states + bias)`. Shapes: rows, columns; columns. May overwrite `states`.
pub(super) fn activated(
    states: Tensor,
    bias: &Tensor,
    activation: Activation,
) -> candle_core::Result<Tensor> {
    if !states.device().is_cpu() {
        let states = states.broadcast_add(bias)?;
        return match activation {
            Activation::Gelu => states.gelu_erf(),
            Activation::GeluTanh => states.gelu(),
            Activation::Relu => states.relu(),
        };
    }
    let bias = Numbers::of(bias);
    states.inplace_op1(&InPlace(Activate {
        bias: bias.slice()?,
        activation,
    }))?;
    drop(bias);
    Ok(states)
}

struct Activate<'n> {
    bias: &'n [f32],
    activation: Activation,
}

impl Change for Activate<'_> {
    #[inline(always)]
    fn change(&self, numbers: &mut [f32]) {
        for row in numbers.chunks_exact_mut(self.bias.len()) {
            let pairs = row.iter_mut().zip(self.bias);
            match self.activation {
                Activation::Gelu => pairs.for_each(|(x, bias)| *x = gelu(*x + bias)),
                Activation::GeluTanh => pairs.for_each(|(x, bias)| *x = gelu_tanh(*x + bias)),
                Activation::Relu => pairs.for_each(|(x, bias)| *x = (*x + bias).max(0.0)),
            }
        }
    }
}

/// `states + bias + residual`, normalised. Shapes: rows, hidden size; hidden size; as `states`. May overwrite `states`.
pub(super) fn added_and_normalised(
    states: Tensor,
    bias: Option<&Tensor>,
    residual: &Tensor,
    norm: &Norm,
) -> candle_core::Result<Tensor> {
    if !states.device().is_cpu() {
        let states = match bias {
            Some(bias) => states.broadcast_add(bias)?,
            None => states,
        };
        let sum = (states + residual)?;
        return ops::layer_norm(&sum, &norm.weight, &norm.bias, norm.epsilon);
    }
    let none = Tensor::zeros_like(&norm.bias)?;
    let [bias, residual, weight, shift] =
        [bias.unwrap_or(&none), residual, &norm.weight, &norm.bias].map(Numbers::of);
    states.inplace_op1(&InPlace(AddAndNormalise {
        bias: bias.slice()?,
        residual: residual.slice()?,
        weight: weight.slice()?,
        shift: shift.slice()?,
        epsilon: norm.epsilon,
    }))?;
    Ok(states)
}

struct AddAndNormalise<'n> {
    bias: &'n [f32],
    residual: &'n [f32],
    weight: &'n [f32],
    shift: &'n [f32],
    epsilon: f32,
}

impl Change for AddAndNormalise<'_> {
    #[inline(always)]
    fn change(&self, numbers: &mut [f32]) {
        let rows = numbers.chunks_exact_mut(self.weight.len());
        for (row, residual) in rows.zip(self.residual.chunks_exact(self.weight.len())) {
            for ((x, bias), more) in row.iter_mut().zip(self.bias).zip(residual) {
                *x += bias + more;
            }
            let count = row.len() as f32;
            let mean = sum(row, |x| x) / count;
            let variance = sum(row, |x| (x - mean) * (x - mean)) / count;
            let scale = 1.0 / (variance + self.epsilon).sqrt();
            for ((x, weight), shift) in row.iter_mut().zip(self.weight).zip(self.shift) {
                *x = (*x - mean) * scale * weight + shift;
            }
        }
    }
}

/// `states + bias`, cut into queries, keys and values. Shapes: texts · length, 3 · heads · width; 3 · heads · width; the result
/// 3, texts, heads, length, width.
pub(super) fn split(
    states: &Tensor,
    bias: &Tensor,
    [texts, length, heads, width]: [usize; 4],
) -> candle_core::Result<Tensor> {
    let shape = (3, texts, heads, length, width);
    if !states.device().is_cpu() {
        return states
            .broadcast_add(bias)?
            .reshape((texts, length, 3, heads, width))?
            .permute((2, 0, 3, 1, 4))?
            .contiguous();
    }
    let (numbers, biases) = (Numbers::of(states), Numbers::of(bias));
    let (numbers, biases) = (numbers.slice()?, biases.slice()?);
    let mut cut = Vec::with_capacity(numbers.len());
    for (part, text, head) in places(texts, heads) {
        let column = (part * heads + head) * width;
        let bias = biases.get(column..column + width).unwrap_or_default();
        for token in 0..length {
            let start = (text * length + token) * 3 * heads * width + column;
            let row = numbers.get(start..start + width).unwrap_or_default();
            cut.extend(row.iter().zip(bias).map(|(x, bias)| x + bias));
        }
    }
    Tensor::from_vec(cut, shape, states.device())
}

/// Part, text and head, the last one fastest.
fn places(texts: usize, heads: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..3).flat_map(move |part| {
        (0..texts).flat_map(move |text| (0..heads).map(move |head| (part, text, head)))
    })
}

/// `softmax(scores + bias)` over the last dimension. Shapes: texts, heads, length, length; that of `bias` may have 1 for any but the
/// last. May overwrite `scores`.
pub(super) fn attention(scores: Tensor, bias: Option<&Tensor>) -> candle_core::Result<Tensor> {
    if !scores.device().is_cpu() {
        let scores = match bias {
            Some(bias) => scores.broadcast_add(bias)?,
            None => scores,
        };
        return ops::softmax_last_dim(&scores);
    }
    let (_, heads, length, columns) = scores.dims4()?;
    let none = Tensor::zeros((1, 1, 1, columns), scores.dtype(), scores.device())?;
    let bias = bias.unwrap_or(&none);
    let (of_texts, of_heads, of_rows, _) = bias.dims4()?;
    let numbers = Numbers::of(bias);
    scores.inplace_op1(&InPlace(Attend {
        bias: numbers.slice()?,
        of: [of_texts, of_heads, of_rows],
        heads,
        length,
        columns,
    }))?;
    Ok(scores)
}

struct Attend<'n> {
    bias: &'n [f32],
    /// Texts, heads and rows of the bias.
    of: [usize; 3],
    heads: usize,
    length: usize,
    columns: usize,
}

impl Change for Attend<'_> {
    #[inline(always)]
    fn change(&self, numbers: &mut [f32]) {
        let [of_texts, of_heads, of_rows] = self.of;
        for (number, row) in numbers.chunks_exact_mut(self.columns.max(1)).enumerate() {
            let text = number / (self.heads * self.length) % of_texts;
            let head = number / self.length % self.heads % of_heads;
            let token = number % self.length % of_rows;
            let start = ((text * of_heads + head) * of_rows + token) * self.columns;
            let bias = self.bias.get(start..start + self.columns);
            for (x, bias) in row.iter_mut().zip(bias.unwrap_or_default()) {
                *x += bias;
            }
            let most = row.iter().copied().fold(f32::MIN, f32::max);
            for x in row.iter_mut() {
                *x = exp(*x - most);
            }
            let scale = 1.0 / sum(row, |x| x);
            for x in row {
                *x *= scale;
            }
        }
    }
}

#[inline(always)]
fn sum(row: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let mut sums = [0.0; LANES];
    let (whole, rest) = row.as_chunks::<LANES>();
    for chunk in whole {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += term(*x);
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|x| term(*x)).sum::<f32>()
}

#[inline(always)]
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

#[inline(always)]
fn gelu_tanh(x: f32) -> f32 {
    // tanh(y) = 1 − 2 / (e^2y + 1).
    let y = 0.797_884_6 * x * (1.0 + 0.044_715 * x * x);
    x * (1.0 - 1.0 / (exp(2.0 * y) + 1.0))
}

/// The error function to 2·10⁻⁷: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
    let polynomial = t
        * (0.254_829_6
            + t * (-0.284_496_72 + t * (1.421_413_8 + t * (-1.453_152_1 + t * 1.061_405_4))));
    (1.0 - polynomial * exp(-x * x)).copysign(x)
}

/// e^x to some units in the last place, without a branch, so that many are computed at once; as good as 0 below −87.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // Added and taken away again, it rounds to a whole number, which is then in the last bits of the sum.
    const ROUND: f32 = 12_582_912.0;
    // The logarithm of 2, its first bits apart so that a whole number of times it is exact.
    const LN_2: (f32, f32) = (0.693_359_4, -2.121_944_4e-4);
    let x = x.clamp(-87.0, 88.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let whole = rounded - ROUND;
    let rest = (x - whole * LN_2.0) - whole * LN_2.1;
    let high = 1.0 / 6.0 + rest * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest / 720.0));
    let power = 1.0 + rest * (1.0 + rest * (0.5 + rest * high));
    // 127 is the exponent of 1.
    power * f32::from_bits((rounded.to_bits() << 23).wrapping_add(127 << 23))
}

/// What is done to all numbers of a tensor. It is inlined, to be compiled once for each set of instructions.
trait Change {
    fn change(&self, numbers: &mut [f32]);
}

/// Changes the numbers of a tensor where they are, by the widest instructions that this processor has.
struct InPlace<C>(C);

impl<C: Change> InplaceOp1 for InPlace<C> {
    fn name(&self) -> &'static str {
        "change in place"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> candle_core::Result<()> {
        match (storage, layout.contiguous_offsets()) {
            (CpuStorage::F32(numbers), Some((start, end))) => {
                let numbers = numbers.get_mut(start..end).unwrap_or_default();
                Arch::new().dispatch(|| self.0.change(numbers));
                Ok(())
            }
            _ => candle_core::bail!("{NOT_PLAIN}"),
        }
    }
}

const NOT_PLAIN: &str = "a tensor whose numbers are not 32-bit floats side by side";

/// The numbers of a tensor, where they are.
struct Numbers<'t> {
    /// Whatever lock candle has around it.
    storage: Box<dyn Deref<Target = Storage> + 't>,
    layout: &'t Layout,
}

impl<'t> Numbers<'t> {
    fn of(tensor: &'t Tensor) -> Self {
        let (storage, layout) = tensor.storage_and_layout();
        Self {
            storage: Box::new(storage),
            layout,
        }
    }

    fn slice(&self) -> candle_core::Result<&[f32]> {
        match (&**self.storage, self.layout.contiguous_offsets()) {
            (Storage::Cpu(CpuStorage::F32(numbers)), Some((start, end))) => {
                Ok(numbers.get(start..end).unwrap_or_default())
            }
            _ => candle_core::bail!("{NOT_PLAIN}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use candle_core::{DType, Device};

    use super::*;

    /// Numbers of all sizes, the same each time.
    fn numbers(shape: &[usize], span: f32) -> Tensor {
        let count: usize = shape.iter().product();
        let numbers = (0..count).map(|at| {
            let turn = (at as f32 * 0.618_034).fract();
            (turn - 0.5) * span
        });
        let numbers: Vec<f32> = numbers.collect();
        Tensor::from_vec(numbers, shape, &Device::Cpu).unwrap()
    }

    fn largest_difference(ours: &Tensor, theirs: &Tensor) -> f32 {
        assert_eq!(ours.dims(), theirs.dims());
        let difference = (ours - theirs).unwrap().abs().unwrap();
        let largest = difference.flatten_all().unwrap().max(0).unwrap();
        largest.to_scalar().unwrap()
    }

    #[test]
    fn each_is_what_candle_computes() {
        let (texts, length, heads, width) = (3, 21, 4, 5);
        let hidden = heads * width;
        let states = || numbers(&[texts * length, hidden], 17.0).copy().unwrap();
        let bias = numbers(&[hidden], 3.0);
        let biased = states().broadcast_add(&bias).unwrap();

        for (activation, theirs) in [
            (Activation::Gelu, biased.gelu_erf()),
            (Activation::GeluTanh, biased.gelu()),
            (Activation::Relu, biased.relu()),
        ] {
            let ours = activated(states(), &bias, activation).unwrap();
            let difference = largest_difference(&ours, &theirs.unwrap());
            assert!(difference < 2e-6, "{activation:?}: {difference}");
        }

        let residual = numbers(&[texts * length, hidden], 5.0);
        let norm = Norm {
            weight: numbers(&[hidden], 2.0),
            bias: numbers(&[hidden], 1.0),
            epsilon: 1e-12,
        };
        for bias in [None, Some(&bias)] {
            let sum = match bias {
                Some(bias) => states().broadcast_add(bias).unwrap(),
                None => states(),
            };
            let sum = (sum + &residual).unwrap();
            let theirs = ops::layer_norm(&sum, &norm.weight, &norm.bias, norm.epsilon).unwrap();
            let ours = added_and_normalised(states(), bias, &residual, &norm).unwrap();
            let difference = largest_difference(&ours, &theirs);
            assert!(difference < 2e-6, "{bias:?}: {difference}");
        }

        let states = numbers(&[texts * length, 3 * hidden], 4.0);
        let bias = numbers(&[3 * hidden], 2.0);
        let theirs = states.broadcast_add(&bias).unwrap();
        let theirs = theirs.reshape((texts, length, 3, heads, width)).unwrap();
        let theirs = theirs.permute((2, 0, 3, 1, 4)).unwrap();
        let ours = split(&states, &bias, [texts, length, heads, width]).unwrap();
        assert!(largest_difference(&ours, &theirs) < 1e-7);

        let scores = || {
            numbers(&[texts, heads, length, length], 60.0)
                .copy()
                .unwrap()
        };
        let hidden = Tensor::new(f32::MIN, &Device::Cpu).unwrap();
        let places = Tensor::arange(0_i64, 21, &Device::Cpu).unwrap();
        let is_hidden = places.ge(17_i64).unwrap();
        let mask = is_hidden
            .where_cond(
                &hidden.broadcast_as(length).unwrap(),
                &Tensor::zeros(length, DType::F32, &Device::Cpu).unwrap(),
            )
            .unwrap()
            .reshape((1, 1, 1, length))
            .unwrap();
        let of_heads = numbers(&[1, heads, length, length], 8.0);
        let of_texts = mask.broadcast_as((texts, 1, 1, length)).unwrap();
        let of_texts = of_texts.contiguous().unwrap();
        let both = of_texts.broadcast_add(&of_heads).unwrap();
        for bias in [
            None,
            Some(&mask),
            Some(&of_texts),
            Some(&of_heads),
            Some(&both),
        ] {
            let sum = match bias {
                Some(bias) => scores().broadcast_add(bias).unwrap(),
                None => scores(),
            };
            let theirs = ops::softmax_last_dim(&sum).unwrap();
            let ours = attention(scores(), bias).unwrap();
            let difference = largest_difference(&ours, &theirs);
            assert!(
                difference < 1e-6,
                "{:?}: {difference}",
                bias.map(Tensor::dims)
            );
        }
    }

    #[test]
    fn powers_of_e() {
        for step in -87_000_i32..88_000 {
            let x = step as f32 / 1000.0;
            let exact = f64::from(x).exp();
            let error = (f64::from(exp(x)) - exact).abs() / exact;
            assert!(error < 3e-7, "{x}: {error}");
            assert_eq!(erf(-x).to_bits(), (-erf(x)).to_bits(), "{x}");
            assert!(erf(x).abs() <= 1.0, "{x}");
        }
    }

    #[test]
    fn far_from_zero() {
        for (x, expected) in [
            (f32::MIN, 0.0),
            (-1000.0, 0.0),
            (0.0, 1.0),
            (1.0, std::f32::consts::E),
        ] {
            assert!((exp(x) - expected).abs() < 3e-7, "{x}: {}", exp(x));
        }
        for (x, expected) in [(-20.0, -0.0), (0.0, 0.0), (20.0, 20.0)] {
            assert!((gelu(x) - expected).abs() < 1e-30, "{x}");
            assert!((gelu_tanh(x) - expected).abs() < 1e-30, "{x}");
        }
    }
}
