//! Integers from a range without bias, in the two ways of numpy: Lemire's method and masked rejection.
//!
//! D. Lemire, "Fast Random Integer Generation in an Interval" (2019), in the variants of numpy 2.4's `distributions.c`. A
//! range is given by its `span`, the largest value counted from zero, so that the full range of a type has one too.

/// What masked rejection needs of a bit generator.
pub trait Words {
    /// The next 32 random bits.
    fn next_u32(&mut self) -> u32;
    /// The next 64 random bits.
    fn next_u64(&mut self) -> u64;
}

/// An integer of `0..=span` by masked rejection: what numpy shuffles with, and all that its legacy streams know.
#[inline]
pub fn masked_interval(words: &mut impl Words, span: u64) -> u64 {
    if span == 0 {
        return 0;
    }
    let mask = u64::MAX >> span.leading_zeros();
    loop {
        let value = if span <= u64::from(u32::MAX) { words.next_u32().into() } else { words.next_u64() } & mask;
        if value <= span {
            return value;
        }
    }
}

/// An integer of `0..=span`: the stream of dtypes int64 and uint64.
#[inline]
pub fn bounded_u64(pcg: &mut impl Words, span: u64) -> u64 {
    match u32::try_from(span) {
        Ok(span) => u64::from(bounded_u32(pcg, span)),
        Err(_) if span == u64::MAX => pcg.next_u64(),
        Err(_) => lemire_u64(pcg, span + 1),
    }
}

/// An integer of `0..=span`: the stream of dtypes int32 and uint32, and of int64 where the range is as short.
#[inline]
pub fn bounded_u32(pcg: &mut impl Words, span: u32) -> u32 {
    match span {
        // A single possible value costs no draw.
        0 => 0,
        u32::MAX => pcg.next_u32(),
        _ => lemire_u32(pcg, span + 1),
    }
}

/// An integer of `0..count`, where `count` is not 0, by Lemire's method.
#[inline]
pub fn lemire_u32(pcg: &mut impl Words, count: u32) -> u32 {
    let mut product = u64::from(pcg.next_u32()) * u64::from(count);
    // The division is only paid when the first draw may have to be rejected.
    if (product as u32) < count {
        let threshold = count.wrapping_neg() % count;
        while (product as u32) < threshold {
            product = u64::from(pcg.next_u32()) * u64::from(count);
        }
    }
    (product >> 32) as u32
}

#[inline]
fn lemire_u64(pcg: &mut impl Words, count: u64) -> u64 {
    let mut product = u128::from(pcg.next_u64()) * u128::from(count);
    if (product as u64) < count {
        let threshold = count.wrapping_neg() % count;
        while (product as u64) < threshold {
            product = u128::from(pcg.next_u64()) * u128::from(count);
        }
    }
    (product >> 64) as u64
}
