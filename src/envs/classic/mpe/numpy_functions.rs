//! numpy's functions, whose results differ from the C library's in the last bit on processors with AVX-512.

use envpool_rs_sync::ForkOnce;

/// Functions of numpy, one for each that scenarios call.
#[derive(Debug, Clone, Copy)]
pub struct NumpyFunctions {
    /// `np.exp`.
    pub exp: fn(f64) -> f64,
    /// `np.sin`.
    pub sin: fn(f64) -> f64,
    /// `np.cos`.
    pub cos: fn(f64) -> f64,
    /// `np.arctan2(y, x)`.
    pub arctan2: fn(f64, f64) -> f64,
}

static C_LIBRARY: NumpyFunctions = NumpyFunctions { exp: f64::exp, sin: f64::sin, cos: f64::cos, arctan2: f64::atan2 };

static FUNCTIONS: ForkOnce<NumpyFunctions> = ForkOnce::new();

/// Makes all scenarios of this process use `functions` instead of the C library's. Only the first call has an effect.
pub fn use_functions(functions: NumpyFunctions) {
    FUNCTIONS.get_or_init(|| functions);
}

/// Returns numpy's functions, or the C library's if none were registered.
pub fn numpy() -> &'static NumpyFunctions {
    FUNCTIONS.get().unwrap_or(&C_LIBRARY)
}
