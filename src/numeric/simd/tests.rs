use super::{Float64Lanes, Lanes, SimdKernel, SimdLevel};

/// Test numbers, including both zeros, both infinities, NaN and a denormal number.
const NUMBERS: [f64; 8] = [0.0, -0.0, 1.5, -2.25, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-310];

/// SIMD kernel that computes all operations of the vector type `V` for all pairs of [`NUMBERS`], and returns the bits of the
/// results.
struct Operations<V>(std::marker::PhantomData<V>);

macro_rules! operations {
    ($work:ident, $number:ty) => {
        impl<V: Lanes<Number = $number>> SimdKernel for $work<V> {
            type Output = Vec<[u64; 12]>;

            #[inline(always)]
            fn run(self) -> Vec<[u64; 12]> {
                let numbers = || NUMBERS.iter().flat_map(|a| NUMBERS.iter().map(|b| (*a as $number, *b as $number)));
                let pairs: Vec<_> = numbers().collect();
                let mut found = Vec::new();
                for pairs in pairs.chunks(V::COUNT) {
                    let (mut a, mut b) = (V::splat(0.0), V::splat(0.0));
                    for (lane, pair) in pairs.iter().enumerate() {
                        a.set(lane, pair.0);
                        b.set(lane, pair.1);
                    }
                    let masks = [a.lt(b), a.ge(b), a.ne(b)];
                    let bits = masks.map(V::bits);
                    assert_eq!(bits, masks.map(|mask| V::bits(V::mask(V::bits(mask)))), "masks and bits");
                    let both = V::bits(V::mask_and(masks[1], masks[2])) | V::bits(V::mask_xor(masks[0], masks[2])) << 16;
                    assert_eq!(V::any(masks[0]), bits[0] != 0);
                    let numbers = [
                        a + b,
                        a - b,
                        a * b,
                        a / b,
                        -a,
                        a.sqrt(),
                        a.abs(),
                        a.min(b),
                        a.max(b),
                        a.larger(b),
                        V::select(masks[0], a, b.select_or_zero(masks[2])),
                    ];
                    for lane in 0..pairs.len() {
                        let bit = |bits: u32| u64::from(bits >> lane & 1);
                        let of = |numbers: V| u64::from(numbers.get(lane).to_bits());
                        // All NaNs are mapped to the same bit pattern, because NaN has several bit patterns.
                        let of = |numbers: V| if numbers.get(lane).is_nan() { u64::MAX } else { of(numbers) };
                        let masks = bit(bits[0]) | bit(bits[1]) << 1 | bit(bits[2]) << 2 | bit(both) << 3 | bit(both >> 16) << 4;
                        let mut row = [masks; 12];
                        row[1..].copy_from_slice(&numbers.map(of));
                        found.push(row);
                    }
                }
                found
            }
        }
    };
}

operations!(Operations, f64);

/// Computes all operations of the vector type `V` in single precision, for all pairs of [`NUMBERS`], and returns the bits of the
/// results.
struct SingleOperations<V>(std::marker::PhantomData<V>);
operations!(SingleOperations, f32);

/// SIMD kernel that computes the sines and cosines of 200 numbers, and sums of their products, with the vector type `V`.
struct Sines<V>(std::marker::PhantomData<V>);

impl<V: Float64Lanes> SimdKernel for Sines<V> {
    type Output = Vec<[u64; 2]>;

    #[inline(always)]
    fn run(self) -> Vec<[u64; 2]> {
        let numbers: Vec<f64> = (0..200).map(|number| f64::from(number) * 0.37 - 30.0).collect();
        let found = numbers.chunks(V::COUNT).flat_map(|numbers| {
            let mut angles = [V::splat(0.0)];
            V::numbers_mut(&mut angles)[..numbers.len()].copy_from_slice(numbers);
            let (sines, cosines) = angles[0].sin_cos();
            (0..numbers.len()).map(move |lane| [sines, cosines].map(|number| V::numbers(&[number])[lane].to_bits()))
        });
        let blocks = numbers.as_chunks().0;
        let sums = V::sum_products(&blocks[..20], &blocks[30..]).map(f64::to_bits);
        found.chain([[sums[0], sums[1]], [sums[2], sums[3]]]).collect()
    }
}

#[test]
fn the_bits_of_a_lane_do_not_depend_on_the_vector_width() {
    use std::marker::PhantomData;
    let (one, sines) = (f64::enter(Operations(PhantomData::<f64>)), f64::enter(Sines(PhantomData::<f64>)));
    assert_eq!((one.len(), sines.len()), (64, 202));
    #[cfg(target_arch = "x86_64")]
    {
        use super::x86_64::{F32x8, F32x16, F64x4, F64x8, Pair};
        let levels = SimdLevel::available();
        let has_avx512 = levels.iter().any(|level| matches!(level, SimdLevel::Avx512(_)));
        if levels.iter().any(|level| matches!(level, SimdLevel::Avx2(_))) {
            assert_eq!(F64x4::enter(Operations(PhantomData::<F64x4>)), one);
            assert_eq!(F64x4::enter(Sines(PhantomData::<F64x4>)), sines);
            let singles = F32x8::enter(SingleOperations(PhantomData::<F32x8>));
            assert_eq!(Pair::<F32x8>::enter(SingleOperations(PhantomData::<Pair<F32x8>>)), singles);
            if has_avx512 {
                assert_eq!(F32x16::enter(SingleOperations(PhantomData::<F32x16>)), singles);
            }
        }
        if has_avx512 {
            assert_eq!(F64x8::enter(Operations(PhantomData::<F64x8>)), one);
            assert_eq!(F64x8::enter(Sines(PhantomData::<F64x8>)), sines);
        }
    }
}

#[test]
fn each_level_chooses_the_narrowest_sufficient_vector_type() {
    let chosen = |level: SimdLevel| [1, 2, 4, 5, 8, 9].map(|lanes| level.float64_lanes(lanes));
    for level in SimdLevel::available() {
        let expected = match level {
            SimdLevel::Avx512(_) => [1, 4, 4, 8, 8, 8],
            SimdLevel::Avx2(_) => [1, 4, 4, 4, 4, 4],
            SimdLevel::Baseline | SimdLevel::Scalar => [1; 6],
        };
        assert_eq!(chosen(level), expected, "{level:?}");
    }
}

#[test]
fn the_cap_excludes_wider_levels() {
    let names = |cap: &str| SimdLevel::capped(cap).map(SimdLevel::name);
    assert_eq!(names("scalar"), Some("scalar"));
    assert_ne!(names("avx2"), Some("avx512"));
    for cap in ["Scalar", "AVX2", "Avx512", "BASELINE"] {
        assert_eq!(names(cap), names(&cap.to_ascii_lowercase()), "{cap}");
        assert!(names(cap).is_some(), "{cap}");
    }
    assert_eq!(SimdLevel::capped(""), Some(SimdLevel::available()[0]));
    for unknown in ["avx9", "avx", " avx2", "wide"] {
        assert_eq!(SimdLevel::capped(unknown), None, "{unknown}");
    }
    assert_eq!(SimdLevel::available().last(), Some(&SimdLevel::Scalar));
}

#[test]
fn results_are_equal_at_every_level() {
    struct Sum<'a>(&'a [f32]);
    impl SimdKernel for Sum<'_> {
        type Output = f32;
        #[inline(always)]
        fn run(self) -> f32 {
            self.0.iter().map(|number| number * 3.0 + 1.0).sum()
        }
    }
    let numbers: Vec<f32> = (0_u16..1000).map(|number| f32::from(number) * 0.1).collect();
    let sums: Vec<_> = SimdLevel::available().into_iter().map(|level| level.run(Sum(&numbers)).to_bits()).collect();
    assert!(sums.iter().all(|sum| *sum == sums[0]), "{sums:?}");
}
