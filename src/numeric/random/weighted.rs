//! Random choices with given probabilities. numpy's `Generator` and `RandomState` derive such a choice from a uniform number
//! in the same way.

/// Returns the index that `choice(len(p), p=p)` derives from one uniform draw.
///
/// numpy computes `(cumsum(p) / sum(p)).searchsorted(uniform, "right")`.
///
/// # Panics
/// If the sum of the probabilities differs from 1 by more than 2**-26, numpy's tolerance.
#[inline]
pub fn weighted_index(probabilities: &[f64], uniform: f64) -> usize {
    let total: f64 = probabilities.iter().sum();
    assert!((total - 1.0).abs() <= 1.0 / f64::from(1 << 26), "choice_weighted: the probabilities sum to {total}, not to 1");
    let mut below = 0.0;
    let found = probabilities.iter().position(|probability| {
        below += probability;
        below / total > uniform
    });
    // An index is always found: the last quotient is 1, and every uniform draw is below 1.
    found.expect("probabilities are not negative")
}
