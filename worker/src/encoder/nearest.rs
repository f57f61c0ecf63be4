//! Which vectors are nearest to which.

use std::cmp::Ordering;

use candle_core::{D, Device, Tensor};

use super::EncoderError;

/// Rows of the matrix of cosines that exist at a time.
const ROWS: usize = 256;

/// For each query the places of the `k` targets with the greatest cosines, the greatest first; of equal ones the first.
/// Fewer where there are fewer targets. All vectors must be of one length.
pub fn nearest(
    queries: &[Vec<f32>],
    targets: &[Vec<f32>],
    k: usize,
) -> Result<Vec<Vec<(usize, f32)>>, EncoderError> {
    if targets.is_empty() || queries.is_empty() {
        return Ok(vec![Vec::new(); queries.len()]);
    }
    let across = matrix(targets)?.t()?.contiguous()?;
    let mut found = Vec::with_capacity(queries.len());
    for some in queries.chunks(ROWS) {
        let cosines = matrix(some)?.matmul(&across)?.to_vec2::<f32>()?;
        found.extend(cosines.into_iter().map(|row| greatest(&row, k)));
    }
    Ok(found)
}

/// Vectors of length 1, a row each.
fn matrix(vectors: &[Vec<f32>]) -> candle_core::Result<Tensor> {
    let columns = vectors.first().map_or(0, Vec::len);
    let matrix = Tensor::from_vec(vectors.concat(), (vectors.len(), columns), &Device::Cpu)?;
    let norm = matrix.sqr()?.sum_keepdim(D::Minus1)?.sqrt()?;
    matrix.broadcast_div(&norm.clamp(1e-12, f64::INFINITY)?)
}

fn greatest(row: &[f32], k: usize) -> Vec<(usize, f32)> {
    let order = |a: &(usize, f32), b: &(usize, f32)| -> Ordering {
        b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
    };
    let mut row: Vec<(usize, f32)> = row.iter().copied().enumerate().collect();
    if k < row.len() {
        row.select_nth_unstable_by(k, order);
        row.truncate(k);
    }
    row.sort_unstable_by(order);
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first_and_of_equal_ones_the_first() {
        let targets = [
            vec![0.0, 1.0],
            vec![2.0, 0.0],
            vec![5.0, 0.0],
            vec![1.0, 1.0],
        ];
        let found = nearest(&[vec![3.0, 0.0], vec![0.0, 2.0]], &targets, 3).unwrap();
        let places: Vec<Vec<usize>> = found
            .iter()
            .map(|row| row.iter().map(|(place, _)| *place).collect())
            .collect();
        assert_eq!(places, [[1, 2, 3], [0, 3, 1]]);
        assert!((found[1][1].1 - 0.5_f32.sqrt()).abs() < 1e-6);
        assert_eq!(nearest(&targets, &targets, 9).unwrap()[0].len(), 4);
        assert_eq!(nearest(&targets[..1], &[], 1).unwrap(), [[]]);
    }
}
