//! Functions as numpy computes them. numpy has code of its own for most, chosen by processor, whose last bits are not the C library's;
//! that code is what is called here, once [`adopt`] has been told where it is. Without, the C library's is.

use std::ffi::{c_char, c_void};
use std::sync::OnceLock;

/// numpy's loop over elements: the arrays, how many elements, how far apart they are, and the loop's own data.
pub type Loop = unsafe extern "C" fn(*mut *mut c_char, *const isize, *const isize, *mut c_void);

/// A loop and its data.
#[derive(Debug, Clone, Copy)]
pub struct Kernel {
    function: Loop,
    data: *mut c_void,
}

// SAFETY: numpy calls loops on any thread, and their data is not written to.
unsafe impl Send for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}

impl Kernel {
    /// The loop at this address.
    ///
    /// # Safety
    /// It must be one of numpy's for numbers of double precision, with its data.
    pub unsafe fn at(function: usize, data: usize) -> Self {
        let address = std::ptr::with_exposed_provenance::<c_void>(function);
        // SAFETY: passed on to the caller.
        let function = unsafe { std::mem::transmute::<*const c_void, Loop>(address) };
        Self { function, data: std::ptr::with_exposed_provenance_mut(data) }
    }

    fn apply<const ARGUMENTS: usize>(self, mut arguments: [f64; ARGUMENTS]) -> f64 {
        let mut result = 0.0;
        let mut places: [*mut c_char; 3] = [std::ptr::null_mut(); 3];
        for (place, argument) in places.iter_mut().zip(&mut arguments) {
            *place = std::ptr::from_mut(argument).cast();
        }
        places[ARGUMENTS] = std::ptr::from_mut(&mut result).cast();
        let strides = [size_of::<f64>() as isize; 3];
        // SAFETY: as many numbers are there as it reads and writes, one element each.
        unsafe { (self.function)(places.as_mut_ptr(), &1, strides.as_ptr(), self.data) };
        result
    }
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($argument:ident),*) = $fallback:expr;)*) => {
        /// numpy's functions.
        #[derive(Debug, Clone, Copy)]
        pub struct Kernels {
            $($(#[$doc])* pub $name: Kernel,)*
        }

        impl Kernels {
            /// Their names.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// Those that `find` gives by their names.
            pub fn found(find: impl Fn(&str) -> Option<Kernel>) -> Option<Self> {
                Some(Self { $($name: find(stringify!($name))?,)* })
            }
        }

        $(
            $(#[$doc])*
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
    /// `np.exp`.
    exp(x) = f64::exp;
    /// `np.log`.
    log(x) = f64::ln;
    /// `np.log1p`.
    log1p(x) = f64::ln_1p;
    /// `np.tanh`.
    tanh(x) = f64::tanh;
    /// `np.arcsinh`.
    arcsinh(x) = f64::asinh;
    /// `np.arccos`.
    arccos(x) = f64::acos;
    /// `np.sin`.
    sin(x) = f64::sin;
    /// `np.cos`.
    cos(x) = f64::cos;
    /// `np.arctan2`.
    arctan2(y, x) = f64::atan2;
}

static KERNELS: OnceLock<Kernels> = OnceLock::new();

/// Calls these from now on. The first to say so is right.
pub fn adopt(kernels: Kernels) {
    KERNELS.get_or_init(|| kernels);
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn sum(places: *mut *mut c_char, counts: *const isize, strides: *const isize, data: *mut c_void) {
        // SAFETY: called as numpy calls its loops for one element of two arguments; the data is a number.
        unsafe {
            assert_eq!((*counts, *strides.add(2)), (1, 8));
            let [first, second, result] = [0, 1, 2].map(|index| (*places.add(index)).cast::<f64>());
            *result = *first + *second + *data.cast::<f64>();
        }
    }

    #[test]
    fn a_loop_is_called_for_one_element_with_its_data() {
        let mut bonus = 100.0_f64;
        let data = std::ptr::from_mut(&mut bonus).expose_provenance();
        // SAFETY: it is such a loop.
        let kernel = unsafe { Kernel::at(sum as *const () as usize, data) };
        assert_eq!(kernel.apply([1.0, 20.0]), 121.0);
    }

    #[test]
    fn without_numpy_the_c_library_is_asked() {
        assert_eq!((exp(0.5), log1p(1e-9), arctan2(1.0, -2.0)), (0.5_f64.exp(), 1e-9_f64.ln_1p(), 1.0_f64.atan2(-2.0)));
    }
}
