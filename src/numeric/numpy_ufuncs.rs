//! Elementary functions with exactly numpy's results (exp, log, sin, ...).
//!
//! For most elementary functions numpy has its own code, chosen by processor, whose results differ from the C library's in
//! the last bits. This module calls numpy's code once [`adopt`] has registered it; before that, this module calls the C
//! library.

use std::ffi::{c_char, c_void};

use envpool_rs_sync::ForkOnce;

/// Type of the inner loop of a numpy ufunc (`PyUFuncGenericFunction`). Its parameters are pointers to the arrays, the element
/// count, the strides, and the ufunc's data.
pub type Loop = unsafe extern "C" fn(*mut *mut c_char, *const isize, *const isize, *mut c_void);

/// Inner loop of a numpy ufunc and its data.
#[derive(Debug, Clone, Copy)]
pub struct Ufunc {
    function: Loop,
    data: *mut c_void,
}

// SAFETY: numpy itself calls inner loops on any thread, and the data of a loop is constant.
unsafe impl Send for Ufunc {}
// SAFETY: threads that share a `Ufunc` only call its inner loop, which numpy itself calls on any thread.
unsafe impl Sync for Ufunc {}

impl Ufunc {
    /// Creates a ufunc from the addresses of its inner loop and of the loop's data.
    ///
    /// # Safety
    /// `function` must be the address of one of numpy's inner loops for the float type of the ufunc's use, and `data` the address of
    /// that loop's data.
    pub unsafe fn at(function: usize, data: usize) -> Self {
        let address = std::ptr::with_exposed_provenance::<c_void>(function);
        // SAFETY: the caller guarantees that `function` is the address of one of numpy's inner loops, which have the type
        // `Loop`.
        let function = unsafe { std::mem::transmute::<*const c_void, Loop>(address) };
        Self { function, data: std::ptr::with_exposed_provenance_mut(data) }
    }

    fn apply<const ARGUMENTS: usize>(self, arguments: [f64; ARGUMENTS]) -> f64 {
        let mut values = [0.0; RESULT + 1];
        values[..ARGUMENTS].copy_from_slice(&arguments);
        let start = values.as_mut_ptr();
        let mut pointers: [*mut c_char; 3] = [0, 1, RESULT].map(|index| start.wrapping_add(index).cast());
        pointers[ARGUMENTS] = pointers[2];
        let strides = [size_of::<f64>() as isize; 3];
        // SAFETY: each pointer passed to numpy's inner loop is that of an element of `values`, and the count passed to it is 1.
        unsafe { (self.function)(pointers.as_mut_ptr(), &1, strides.as_ptr(), self.data) };
        values[RESULT]
    }
}

/// Index of the result, which lies after the two arguments of an inner loop, with a gap between them.
///
/// Some loops of numpy 1 regard memory that directly follows an argument as overlapping, and then call the C library.
const RESULT: usize = 3;

macro_rules! functions {
    ($($name:ident($($argument:ident),*) = $fallback:expr;)*) => {
        /// Inner loops of numpy's ufuncs, one for each function of this module.
        #[derive(Debug, Clone, Copy)]
        pub struct Kernels {
            $(
                #[doc = concat!("Computes `np.", stringify!($name), "`.")]
                pub $name: Ufunc,
            )*
            /// Computes `np.matmul`.
            pub matmul: Ufunc,
            /// Computes `np.exp` of float32.
            pub exp_f32: Ufunc,
            /// Computes `np.linalg.eigh` of the lower half of a matrix.
            pub eigh: Ufunc,
        }

        impl Kernels {
            /// Names of numpy's ufuncs that this module calls; `:float32` follows those of which it calls the loop for float32.
            pub const NAMES: &[&str] = &[$(stringify!($name),)* MATMUL, EXP_F32, EIGH];

            /// Collects the inner loops that `find` returns for [`NAMES`](Self::NAMES); `None` if one is missing.
            pub fn found(find: impl Fn(&str) -> Option<Ufunc>) -> Option<Self> {
                let (matmul, exp_f32, eigh) = (find(MATMUL)?, find(EXP_F32)?, find(EIGH)?);
                Some(Self { $($name: find(stringify!($name))?,)* matmul, exp_f32, eigh })
            }
        }

        $(
            #[doc = concat!("Computes `np.", stringify!($name), "`.")]
            pub fn $name($($argument: f64),*) -> f64 {
                match KERNELS.get() {
                    Some(kernels) => kernels.$name.apply([$($argument),*]),
                    None => $fallback($($argument),*),
                }
            }
        )*
    };
}

functions! {
    exp(x) = f64::exp;
    log(x) = f64::ln;
    log1p(x) = f64::ln_1p;
    tanh(x) = f64::tanh;
    arcsinh(x) = f64::asinh;
    arccos(x) = f64::acos;
    arcsin(x) = f64::asin;
    sin(x) = f64::sin;
    cos(x) = f64::cos;
    arctan2(y, x) = f64::atan2;
}

const MATMUL: &str = "matmul";
const EXP_F32: &str = "exp:float32";
const EIGH: &str = "linalg._umath_linalg.eigh_lo";

/// Computes `np.exp` of each number of a float32 array.
pub fn exp_f32(values: &mut [f32]) {
    let Some(Kernels { exp_f32: Ufunc { function, data }, .. }) = KERNELS.get() else {
        values.iter_mut().for_each(|value| *value = value.exp());
        return;
    };
    const BLOCK: usize = 64;
    for block in values.chunks_mut(BLOCK) {
        let mut buffer = [0.0_f32; 3 * BLOCK]; // with a gap between argument and result: see `RESULT`
        buffer[..block.len()].copy_from_slice(block);
        let start = buffer.as_mut_ptr();
        let mut pointers: [*mut c_char; 2] = [0, 2 * BLOCK].map(|index| start.wrapping_add(index).cast());
        let strides = [size_of::<f32>() as isize; 2];
        // SAFETY: numpy's loop reads `block.len()` numbers from the start of `buffer`, and writes as many from `2 * BLOCK` on.
        unsafe { function(pointers.as_mut_ptr(), &(block.len() as isize), strides.as_ptr(), *data) };
        block.copy_from_slice(&buffer[2 * BLOCK..][..block.len()]);
    }
}

/// Computes the product of a matrix and a vector, `matrix @ vector`. Each row of the matrix has as many numbers as `vector`.
///
/// # Panics
/// If `matrix` does not have `ROWS` rows.
pub fn matrix_times_vector<const ROWS: usize>(matrix: &[f64], vector: &[f64]) -> [f64; ROWS] {
    let columns = vector.len();
    assert_eq!(matrix.len(), ROWS * columns, "numbers of a matrix");
    let mut result = [0.0; ROWS];
    let Some(kernels) = KERNELS.get().filter(|_| columns > 0) else {
        for (row, sum) in result.iter_mut().enumerate() {
            *sum = crate::numpy::matrix_dot(&matrix[row * columns..][..columns], vector);
        }
        return result;
    };
    const SIZE: isize = size_of::<f64>() as isize;
    let Ufunc { function, data } = kernels.matmul;
    let mut arguments: [*mut c_char; 3] =
        [matrix.as_ptr().cast_mut().cast(), vector.as_ptr().cast_mut().cast(), result.as_mut_ptr().cast()];
    // One product; a matrix of `ROWS` by `columns`, and one column.
    let counts = [1, ROWS as isize, columns as isize, 1];
    // Distances between products, then between the elements of the matrix, of the vector and of the result along each axis.
    let strides = [0, 0, 0, columns as isize * SIZE, SIZE, SIZE, 0, SIZE, 0];
    // SAFETY: the arrays have the sizes that `counts` and `strides` give, and numpy's loop writes only to the last of them.
    unsafe { function(arguments.as_mut_ptr(), counts.as_ptr(), strides.as_ptr(), data) };
    result
}

/// Computes `np.linalg.eigh` of a symmetric matrix in rows, of which numpy reads the lower half: the eigenvalues in ascending order,
/// and the eigenvectors in columns. Returns `None` before [`adopt`].
pub fn eigh<const SIZE: usize>(matrix: &[[f64; SIZE]; SIZE]) -> Option<([f64; SIZE], [[f64; SIZE]; SIZE])> {
    let Ufunc { function, data } = KERNELS.get()?.eigh;
    let (mut values, mut vectors) = ([0.0; SIZE], [[0.0; SIZE]; SIZE]);
    let mut arguments: [*mut c_char; 3] =
        [matrix.as_ptr().cast_mut().cast(), values.as_mut_ptr().cast(), vectors.as_mut_ptr().cast()];
    let (row, number) = (size_of::<[f64; SIZE]>() as isize, size_of::<f64>() as isize);
    // Distances between matrices, then between the elements of the matrix, of the values and of the vectors along each axis.
    let strides = [0, 0, 0, row, number, number, row, number];
    // SAFETY: the arrays have the sizes that the counts and `strides` give, and numpy's loop writes only to the last two.
    unsafe { function(arguments.as_mut_ptr(), [1, SIZE as isize].as_ptr(), strides.as_ptr(), data) };
    Some((values, vectors))
}

/// Computes `np.linalg.norm` of a vector of any length, by numpy's product of two vectors.
pub fn norm(vector: &[f64]) -> f64 {
    let [square] = matrix_times_vector(vector, vector);
    square.sqrt()
}

static KERNELS: ForkOnce<Kernels> = ForkOnce::new();

/// Registers numpy's inner loops for the whole process. Only the first call has an effect.
pub fn adopt(kernels: Kernels) {
    KERNELS.get_or_init(|| kernels);
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn sum(arguments: *mut *mut c_char, counts: *const isize, strides: *const isize, data: *mut c_void) {
        // SAFETY: the ufunc passes two arguments of one element each, as asserted, and `data` points to a float64.
        unsafe {
            assert_eq!((*counts, *strides.add(2)), (1, 8));
            let [first, second, result] = [0, 1, 2].map(|index| (*arguments.add(index)).cast::<f64>());
            *result = *first + *second + *data.cast::<f64>();
        }
    }

    #[test]
    fn a_ufunc_loop_is_called_for_one_element_with_its_data() {
        let mut bonus = 100.0_f64;
        let data = std::ptr::from_mut(&mut bonus).expose_provenance();
        // SAFETY: `sum` is an inner loop for float64, and `data` points to the float64 that `sum` reads.
        let kernel = unsafe { Ufunc::at(sum as *const () as usize, data) };
        assert_eq!(kernel.apply([1.0, 20.0]), 121.0);
    }

    /// Computes 1 if numpy 1's test `nomemoverlap` finds that argument and result do not overlap, otherwise 0.
    unsafe extern "C" fn is_apart(arguments: *mut *mut c_char, counts: *const isize, strides: *const isize, _: *mut c_void) {
        // SAFETY: the ufunc passes one argument and one result of `counts` elements each.
        unsafe {
            let [argument, result] = [0, 1].map(|index| {
                let start = *arguments.add(index) as usize;
                (start, start + (*counts * *strides.add(index)) as usize)
            });
            let apart = argument.0 > result.1 || result.0 > argument.1;
            (*arguments.add(1)).cast::<f64>().write(f64::from(u8::from(apart)));
        }
    }

    #[test]
    fn numpy_1_finds_no_overlap_of_argument_and_result() {
        // SAFETY: `is_apart` is an inner loop for float64, and reads no data.
        let kernel = unsafe { Ufunc::at(is_apart as *const () as usize, 0) };
        assert_eq!(kernel.apply([2.0]), 1.0);
    }

    #[test]
    fn without_numpy_products_of_matrices_are_sums_of_products() {
        assert_eq!(matrix_times_vector::<2>(&[1.0, 2.0, 3.0, 4.0], &[10.0, 100.0]), [210.0, 430.0]);
        assert_eq!(matrix_times_vector::<2>(&[], &[]), [0.0, 0.0]);
    }

    #[test]
    fn without_numpy_the_c_library_computes_functions() {
        let mut singles = [0.5; 70];
        exp_f32(&mut singles);
        assert_eq!(singles, [0.5_f32.exp(); 70]);
        assert_eq!((exp(0.5), log1p(1e-9), arctan2(1.0, -2.0)), (0.5_f64.exp(), 1e-9_f64.ln_1p(), 1.0_f64.atan2(-2.0)));
    }
}
