//! numpy's `exp`, whose results differ from the C library's in the last bit on processors with AVX-512.

use envpool_rs_sync::ForkOnce;

static EXP: ForkOnce<fn(f64) -> f64> = ForkOnce::new();

/// Makes all scenarios of this process use `function` instead of the C library's `exp`. Only the first call has an effect.
pub fn use_exp(function: fn(f64) -> f64) {
    EXP.get_or_init(|| function);
}

/// Returns `np.exp(x)`, or the C library's result if no function of numpy was registered.
pub fn exp(x: f64) -> f64 {
    EXP.get().map_or_else(|| x.exp(), |function| function(x))
}
