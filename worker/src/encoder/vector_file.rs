//! Vectors that were computed elsewhere: `.npy` and `.safetensors`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Tensor};
use safetensors::SafeTensors;

use super::EncoderError;
use super::folder::sha256;
use super::npy::{self, Kind, Npy};
use crate::store;

/// The vectors of the anchors, the positives and the negatives of a set, in the order of its triplets.
///
/// | file | holds |
/// |---|---|
/// | `.npy` | one matrix: the rows of all anchors, then of all positives, then of all negatives; or three such matrices |
/// | `.safetensors` | `anchors`, `positives` and `negatives`; or one tensor laid out as in `.npy` |
///
/// Components are floating-point numbers of 16, 32 or 64 bits; in `.npy` in either order of bytes, by row or by column.
#[derive(Debug)]
pub struct VectorFile {
    /// Anchors, positives, negatives.
    pub roles: [Vec<Vec<f64>>; 3],
    /// SHA-256 of the file.
    pub revision: String,
}

const ROLES: [&str; 3] = ["anchors", "positives", "negatives"];

/// Rows of components, none of which is rounded.
struct Matrix {
    shape: Vec<usize>,
    values: Vec<f64>,
}

impl VectorFile {
    /// Reads the vectors of a set of so many triplets.
    pub fn read(file: &Path, triplets: usize) -> Result<Self, EncoderError> {
        let bytes = store::read(file)?;
        let reader = Reader {
            file: file.to_owned(),
            triplets,
        };
        let is_npy = bytes.starts_with(npy::MAGIC);
        let roles = if is_npy {
            reader.thirds(&reader.npy(&bytes)?)?
        } else {
            reader.safetensors(&bytes)?
        };
        Ok(Self {
            roles,
            revision: sha256(&bytes),
        })
    }
}

struct Reader {
    file: PathBuf,
    triplets: usize,
}

impl Reader {
    fn wrong(&self, message: impl Into<String>) -> EncoderError {
        EncoderError::Vectors {
            file: self.file.clone(),
            message: message.into(),
        }
    }

    fn safetensors(&self, bytes: &[u8]) -> Result<[Vec<Vec<f64>>; 3], EncoderError> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| {
            self.wrong(format!(
                "neither a .npy file, which begins with \\x93NUMPY, nor safetensors: {error}"
            ))
        })?;
        let names: Vec<&str> = tensors.names();
        if ROLES.iter().all(|role| names.contains(role)) {
            let mut roles = [Vec::new(), Vec::new(), Vec::new()];
            for (role, slot) in ROLES.into_iter().zip(&mut roles) {
                let matrix = self.tensor(&tensors, role)?;
                let [rows, columns] = matrix.shape[..] else {
                    return Err(self.wrong(format!(
                        "`{role}` has the shape {:?}, and two sizes were expected",
                        matrix.shape
                    )));
                };
                if rows != self.triplets {
                    return Err(self.wrong(format!(
                        "`{role}` has {rows} rows for {} triplets",
                        self.triplets
                    )));
                }
                *slot = self.rows(&matrix.values, columns, &matrix.shape)?;
            }
            return Ok(roles);
        }
        match names.as_slice() {
            [name] => self.thirds(&self.tensor(&tensors, name)?),
            _ => Err(self.wrong(format!(
                "it holds {names:?}: `anchors`, `positives` and `negatives`, or one tensor of all, were expected"
            ))),
        }
    }

    fn tensor(&self, tensors: &SafeTensors<'_>, name: &str) -> Result<Matrix, EncoderError> {
        use safetensors::Dtype;
        let view = tensors
            .tensor(name)
            .map_err(|error| self.wrong(error.to_string()))?;
        let kind = match view.dtype() {
            Dtype::F16 => DType::F16,
            Dtype::BF16 => DType::BF16,
            Dtype::F32 => DType::F32,
            Dtype::F64 => DType::F64,
            other => {
                return Err(self.wrong(format!(
                    "`{name}` holds {other:?}, and floating-point numbers were expected"
                )));
            }
        };
        Ok(Matrix {
            shape: view.shape().to_vec(),
            values: floats(view.data(), kind)?,
        })
    }

    fn npy(&self, bytes: &[u8]) -> Result<Matrix, EncoderError> {
        let npy = Npy::read(bytes).map_err(|message| self.wrong(message))?;
        let kind = match npy.kind {
            Kind::Half => DType::F16,
            Kind::Single => DType::F32,
            Kind::Double => DType::F64,
        };
        let data = if npy.is_swapped {
            let mut data = npy.data.to_vec();
            for number in data.chunks_exact_mut(npy.kind.bytes()) {
                number.reverse();
            }
            Cow::Owned(data)
        } else {
            Cow::Borrowed(npy.data)
        };
        let mut values = floats(&data, kind)?;
        if npy.by_column {
            let turned: Vec<usize> = npy.shape.iter().rev().copied().collect();
            let matrix = Tensor::from_vec(values, turned, &Device::Cpu)?;
            let places: Vec<usize> = (0..npy.shape.len()).rev().collect();
            values = matrix.permute(places)?.flatten_all()?.to_vec1()?;
        }
        Ok(Matrix {
            shape: npy.shape,
            values,
        })
    }

    /// Anchors, positives and negatives, one behind the other.
    fn thirds(&self, matrix: &Matrix) -> Result<[Vec<Vec<f64>>; 3], EncoderError> {
        let triplets = self.triplets;
        let columns = match matrix.shape[..] {
            [rows, columns] if rows == 3 * triplets => columns,
            [3, rows, columns] if rows == triplets => columns,
            _ => {
                return Err(self.wrong(format!(
                    "it has the shape {:?}; for {triplets} triplets ({}, n) or (3, {triplets}, n) was expected: anchors, then positives, then negatives",
                    matrix.shape,
                    3 * triplets
                )));
            }
        };
        let mut rows = self.rows(&matrix.values, columns, &matrix.shape)?;
        let negatives = rows.split_off(2 * triplets);
        let positives = rows.split_off(triplets);
        Ok([rows, positives, negatives])
    }

    /// The rows of a matrix whose sizes fit its numbers.
    fn rows(
        &self,
        values: &[f64],
        columns: usize,
        shape: &[usize],
    ) -> Result<Vec<Vec<f64>>, EncoderError> {
        if columns == 0 {
            return Err(self.wrong(format!(
                "it has the shape {shape:?}: vectors without a component"
            )));
        }
        Ok(values.chunks(columns).map(<[f64]>::to_vec).collect())
    }
}

fn floats(bytes: &[u8], kind: DType) -> Result<Vec<f64>, EncoderError> {
    let count = bytes.len() / kind.size_in_bytes();
    let tensor = Tensor::from_raw_buffer(bytes, kind, &[count], &Device::Cpu)?;
    Ok(tensor.to_dtype(DType::F64)?.to_vec1()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of version 1 by row.
    fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        npy_of(1, descr, "False", shape, data)
    }

    fn npy_of(version: u8, descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let mut header =
            format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
        while (header.len() + 11) % 64 != 0 {
            header.push(' ');
        }
        header.push('\n');
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        if version == 1 {
            bytes.extend_from_slice(&u16::try_from(header.len()).unwrap().to_le_bytes());
        } else {
            bytes.extend_from_slice(&u32::try_from(header.len()).unwrap().to_le_bytes());
        }
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(data);
        bytes
    }

    fn read(bytes: &[u8], triplets: usize) -> Result<VectorFile, EncoderError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("v");
        std::fs::write(&file, bytes).unwrap();
        VectorFile::read(&file, triplets)
    }

    #[test]
    fn anchors_positives_and_negatives_one_behind_the_other() {
        let numbers: Vec<u8> = (0..6_u8).flat_map(|n| f32::from(n).to_le_bytes()).collect();
        for shape in ["(3, 2)", "(3, 1, 2)"] {
            let vectors = read(&npy("<f4", shape, &numbers), 1).unwrap();
            assert_eq!(
                vectors.roles,
                [
                    vec![vec![0.0, 1.0]],
                    vec![vec![2.0, 3.0]],
                    vec![vec![4.0, 5.0]]
                ]
            );
        }
    }

    /// The numbers 0 to 11 in the order in which a file of that shape has them, as one of two triplets of two components.
    #[test]
    fn every_form_in_which_numpy_saves_an_array() {
        type Bytes<'b> = (&'b str, &'b dyn Fn(f32) -> Vec<u8>);
        // The numbers 0 to 11 in half precision.
        let halves: [u16; 12] = [
            0x0000, 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800, 0x4880, 0x4900,
            0x4980,
        ];
        let rows = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0];
        // numpy.arange(12).reshape(6, 2).ravel("F"), and of reshape(3, 2, 2).
        let columns = [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 1.0, 3.0, 5.0, 7.0, 9.0, 11.0];
        let cube = [0.0, 4.0, 8.0, 2.0, 6.0, 10.0, 1.0, 5.0, 9.0, 3.0, 7.0, 11.0];
        let f16 = |number: f32| {
            let place = rows.iter().position(|other| (other - number).abs() < 0.5);
            halves[place.unwrap()]
        };
        let kinds: [Bytes<'_>; 6] = [
            ("<f2", &|n| f16(n).to_le_bytes().to_vec()),
            (">f2", &|n| f16(n).to_be_bytes().to_vec()),
            ("<f4", &|n| n.to_le_bytes().to_vec()),
            (">f4", &|n| n.to_be_bytes().to_vec()),
            ("<f8", &|n| f64::from(n).to_le_bytes().to_vec()),
            (">f8", &|n| f64::from(n).to_be_bytes().to_vec()),
        ];
        for (descr, bytes) in kinds {
            for (fortran, shape, numbers) in [
                ("False", "(6, 2)", rows),
                ("False", "(3, 2, 2)", rows),
                ("True", "(6, 2)", columns),
                ("True", "(3, 2, 2)", cube),
            ] {
                let data: Vec<u8> = numbers.into_iter().flat_map(bytes).collect();
                for version in [1, 2, 3] {
                    let file = npy_of(version, descr, fortran, shape, &data);
                    let found = read(&file, 2).unwrap().roles;
                    let expected = [
                        vec![vec![0.0, 1.0], vec![2.0, 3.0]],
                        vec![vec![4.0, 5.0], vec![6.0, 7.0]],
                        vec![vec![8.0, 9.0], vec![10.0, 11.0]],
                    ];
                    assert_eq!(found, expected, "{descr} {fortran} {shape} {version}");
                }
            }
        }
    }

    #[test]
    fn doubles_are_not_rounded() {
        let numbers = [1.0 + 1e-12, 1e200, 1e-310];
        let data: Vec<u8> = numbers.iter().flat_map(|n: &f64| n.to_le_bytes()).collect();
        let [anchors, positives, negatives] = read(&npy("<f8", "(3, 1)", &data), 1).unwrap().roles;
        assert_eq!([anchors, positives, negatives].concat().concat(), numbers);
    }

    #[test]
    fn vectors_without_a_component_are_refused_with_the_shape() {
        let view = |rows: usize| {
            let kind = safetensors::Dtype::F32;
            safetensors::tensor::TensorView::new(kind, vec![rows, 0], &[]).unwrap()
        };
        let tensors = ROLES.map(|role| (role, view(1)));
        for (bytes, shape) in [
            (npy("<f4", "(3, 0)", &[]), "[3, 0]"),
            (npy("<f4", "(3, 1, 0)", &[]), "[3, 1, 0]"),
            (npy_of(1, ">f8", "True", "(3, 0)", &[]), "[3, 0]"),
            (safetensors::serialize(tensors, None).unwrap(), "[1, 0]"),
            (
                safetensors::serialize([("all", view(3))], None).unwrap(),
                "[3, 0]",
            ),
        ] {
            let error = read(&bytes, 1).unwrap_err().to_string();
            let expected = format!("the shape {shape}: vectors without a component");
            assert!(error.ends_with(&expected), "{error}");
        }
    }

    #[test]
    fn named_tensors() {
        let data = [0.0_f32, 1.0].map(f32::to_le_bytes).concat();
        let view = |bytes| {
            safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![1, 2], bytes)
                .unwrap()
        };
        let tensors = ROLES.map(|role| (role, view(&data)));
        let bytes = safetensors::serialize(tensors, None).unwrap();
        assert_eq!(read(&bytes, 1).unwrap().roles[1], [[0.0, 1.0]]);
        let error = read(&bytes, 2).unwrap_err().to_string();
        assert!(
            error.ends_with("`anchors` has 1 rows for 2 triplets"),
            "{error}"
        );
    }

    #[test]
    fn what_is_no_file_of_vectors_is_refused_with_what_was_expected() {
        for (bytes, expected) in [
            (b"".to_vec(), "nor safetensors"),
            (b"\x93NUMPY\x01".to_vec(), "ends within its header"),
            (npy("<i8", "(3, 1)", &[0; 24]), "'<f4'"),
            (npy("<c8", "(3, 1)", &[0; 24]), "'<c8'"),
            (
                npy_of(1, "<f4", "Maybe", "(3, 1)", &[0; 12]),
                "not understood",
            ),
            (npy("<f4", "(3, 2)", &[0; 12]), "does not go with 12 bytes"),
            (
                npy("<f4", "(18446744073709551615, 2)", &[0; 12]),
                "does not go with",
            ),
            (npy("<f4", "(2, 1)", &[0; 8]), "(3, n) or (3, 1, n)"),
            (npy("<f4", "()", &[0; 4]), "the shape []"),
        ] {
            let error = read(&bytes, 1).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
