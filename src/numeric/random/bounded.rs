//! Draws unbiased random integers in a range, by numpy's two methods: Lemire's method and masked rejection.
//!
//! The methods are variants of D. Lemire, "Fast Random Integer Generation in an Interval" (2019), as in numpy 2.4's
//! `distributions.c`. A range is given by its `span`: the difference between its largest and smallest value, which is also
//! defined for the full range of a type.

/// Source of random bits: numpy's `bitgen_t`.
pub trait BitGenerator {
    /// Returns the next 32 random bits.
    fn next_u32(&mut self) -> u32;
    /// Returns the next 64 random bits.
    fn next_u64(&mut self) -> u64;
}

/// Draws an integer in `0..=span` by masked rejection.
///
/// numpy uses this method for shuffles and for all integers of its legacy streams (`RandomState`).
#[inline]
pub fn masked_interval(bitgen: &mut impl BitGenerator, span: u64) -> u64 {
    if span == 0 {
        return 0;
    }
    let mask = u64::MAX >> span.leading_zeros();
    loop {
        let value = if span <= u64::from(u32::MAX) { bitgen.next_u32().into() } else { bitgen.next_u64() } & mask;
        if value <= span {
            return value;
        }
    }
}

/// Draws an integer in `0..=span`, as numpy does for dtypes int64 and uint64.
#[inline]
pub fn bounded_u64(bitgen: &mut impl BitGenerator, span: u64) -> u64 {
    match u32::try_from(span) {
        Ok(span) => u64::from(bounded_u32(bitgen, span)),
        Err(_) if span == u64::MAX => bitgen.next_u64(),
        Err(_) => lemire_u64(bitgen, span + 1),
    }
}

/// Draws an integer in `0..=span`, as numpy does for dtypes int32 and uint32, and for int64 in ranges that fit 32 bits.
#[inline]
pub fn bounded_u32(bitgen: &mut impl BitGenerator, span: u32) -> u32 {
    match span {
        // If only one value is possible, numpy draws no random bits.
        0 => 0,
        u32::MAX => bitgen.next_u32(),
        _ => lemire_u32(bitgen, span + 1),
    }
}

/// Draws an integer in `0..count` by Lemire's method. `count` must not be 0.
#[inline]
pub fn lemire_u32(bitgen: &mut impl BitGenerator, count: u32) -> u32 {
    let mut product = u64::from(bitgen.next_u32()) * u64::from(count);
    // Computing the rejection threshold needs a division, so the threshold is computed only if the first draw may have to be
    // rejected.
    if (product as u32) < count {
        let threshold = count.wrapping_neg() % count;
        while (product as u32) < threshold {
            product = u64::from(bitgen.next_u32()) * u64::from(count);
        }
    }
    (product >> 32) as u32
}

#[inline]
fn lemire_u64(bitgen: &mut impl BitGenerator, count: u64) -> u64 {
    let mut product = u128::from(bitgen.next_u64()) * u128::from(count);
    if (product as u64) < count {
        let threshold = count.wrapping_neg() % count;
        while (product as u64) < threshold {
            product = u128::from(bitgen.next_u64()) * u128::from(count);
        }
    }
    (product >> 64) as u64
}
