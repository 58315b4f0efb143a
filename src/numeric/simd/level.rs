//! Detects which vector instructions the processor has.

use std::marker::PhantomData;

#[cfg(target_arch = "x86_64")]
use super::x86_64::{F32x8, F32x16, F64x4, F64x8, Pair, Single};
use super::{Float32Kernel, Float64Kernel, Float64Lanes, Lanes, SimdKernel};
use envpool_rs_sync::ForkOnce;

/// Name of the environment variable that limits the level.
const VARIABLE: &str = "ENVPOOL_RS_VECTORS";

/// Set of vector instructions that code may use, because the processor can execute them.
///
/// A value above [`SimdLevel::Scalar`] exists only if the processor has the instructions, because only detection creates such a
/// value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SimdLevel {
    /// The processor has no useful vector instructions, so code computes one lane at a time.
    #[default]
    Scalar,
    /// Instructions that every processor of the compilation target has, including fused multiply-add (aarch64).
    Baseline,
    /// Instructions of x86-64-v3: AVX2, FMA, BMI1, BMI2, LZCNT.
    Avx2(DetectionProof<3>),
    /// Instructions of x86-64-v4: those of `Avx2`, and AVX-512 F, BW, DQ, VL.
    Avx512(DetectionProof<4>),
}

/// Proof that the processor has the instructions of x86-64-v`VERSION`; only the detection of vector instructions creates such a
/// proof.
///
/// ```compile_fail
/// use envpool_rs_numeric::simd::{DetectionProof, SimdLevel};
///
/// let undetected = SimdLevel::Avx512(DetectionProof(()));
/// ```
///
/// ```compile_fail
/// use envpool_rs_numeric::simd::SimdLevel;
///
/// if let SimdLevel::Avx2(proof) = SimdLevel::detect() {
///     let undetected = SimdLevel::Avx512(proof);
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DetectionProof<const VERSION: u32>(());

impl SimdLevel {
    /// Returns the name of the level, as in `ENVPOOL_RS_VECTORS` and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Baseline => "baseline",
            Self::Avx2(_) => "avx2",
            Self::Avx512(_) => "avx512",
        }
    }

    /// Returns the widest level of this processor, limited by the environment variable `ENVPOOL_RS_VECTORS` (a name of a level, in
    /// any case), which is read once. A value that [`SimdLevel::check_variable`] refuses has no effect.
    pub fn detect() -> Self {
        static LEVEL: ForkOnce<SimdLevel> = ForkOnce::new();
        *LEVEL.get_or_init(|| Self::capped(&std::env::var(VARIABLE).unwrap_or_default()).unwrap_or(Self::available()[0]))
    }

    /// Checks the environment variable `ENVPOOL_RS_VECTORS`. Programs call it before they create environments.
    ///
    /// # Errors
    /// A message, if the variable is neither empty nor the name of a level.
    pub fn check_variable() -> Result<(), String> {
        match std::env::var_os(VARIABLE) {
            Some(value) if value.to_str().and_then(Self::capped).is_none() => Err(format!(
                "{VARIABLE}={value:?}: expected scalar, baseline, avx2 or avx512, or nothing for the best instructions"
            )),
            _ => Ok(()),
        }
    }

    /// Returns all levels of this processor, the widest first, for tests that compare them. The environment variable
    /// `ENVPOOL_RS_VECTORS` has no effect on the result.
    pub fn available() -> Vec<Self> {
        let mut levels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let bits = has!("bmi1") && has!("bmi2") && has!("lzcnt");
            let has_avx2 = bits && has!("avx2") && has!("fma");
            if has_avx2 && has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") {
                levels.push(Self::Avx512(DetectionProof(())));
            }
            if has_avx2 {
                levels.push(Self::Avx2(DetectionProof(())));
            }
        }
        if cfg!(target_arch = "aarch64") {
            levels.push(Self::Baseline);
        }
        levels.push(Self::Scalar);
        levels
    }

    /// Returns the widest level of this processor that is not above the level named `cap`, in any case; an empty name allows all
    /// levels. Returns `None` for any other text.
    pub(super) fn capped(cap: &str) -> Option<Self> {
        let highest = match cap.to_ascii_lowercase().as_str() {
            "scalar" => 0,
            "baseline" => 1,
            "avx2" => 2,
            "avx512" | "" => 3,
            _ => return None,
        };
        Self::available().into_iter().find(|level| level.rank() <= highest)
    }

    /// Returns the position of the level in the order from narrow to wide.
    fn rank(self) -> u32 {
        match self {
            Self::Scalar => 0,
            Self::Baseline => 1,
            Self::Avx2(_) => 2,
            Self::Avx512(_) => 3,
        }
    }

    /// Returns whether AVX-512 may be used and has VBMI (byte permutations).
    pub fn has_avx512_vbmi(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return matches!(self, Self::Avx512(_)) && std::arch::is_x86_feature_detected!("avx512vbmi");
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Returns whether AVX-512 may be used and has VNNI (dot products of bytes).
    pub fn has_avx512_vnni(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return matches!(self, Self::Avx512(_)) && std::arch::is_x86_feature_detected!("avx512vnni");
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Runs the computation `work` in code that is compiled for the instructions of this level.
    #[inline(always)]
    pub fn run<W: SimdKernel>(self, work: W) -> W::Output {
        match self {
            // SAFETY: only detection creates `SimdLevel::Avx512`, so the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => unsafe { super::x86_64::run_avx512(work) },
            // SAFETY: only detection creates `SimdLevel::Avx2`, so the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => unsafe { super::x86_64::run_avx2(work) },
            _ => work.run(),
        }
    }

    /// Runs the computation `work` in the narrowest vector type of this level that has at least `lanes` float64 lanes, or in the
    /// widest if none has.
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "only x86-64 has register types"))]
    #[inline(always)]
    pub fn run_float64<W: Float64Kernel>(self, lanes: usize, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) if lanes > F64x4::COUNT => F64x8::enter(InFloat64Lanes(work, PhantomData::<F64x8>)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) | Self::Avx2(_) if lanes > 1 => F64x4::enter(InFloat64Lanes(work, PhantomData::<F64x4>)),
            _ => f64::enter(InFloat64Lanes(work, PhantomData::<f64>)),
        }
    }

    /// Returns the number of lanes of the vector type that [`SimdLevel::run_float64`] chooses.
    pub fn float64_lanes(self, lanes: usize) -> usize {
        struct Count;

        impl Float64Kernel for Count {
            type Output = usize;

            #[inline(always)]
            fn run<V: Float64Lanes>(self) -> usize {
                V::COUNT
            }
        }

        self.run_float64(lanes, Count)
    }

    /// Runs the computation `work` in a vector type of eight float32 lanes, or of sixteen if `lanes` is above eight; returns `None` if
    /// this level has no such type.
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "only x86-64 has register types"))]
    #[inline(always)]
    pub fn run_float32<W: Float32Kernel>(self, lanes: usize, work: W) -> Option<W::Output> {
        match self {
            // Eight lanes lie in a register of AVX2, but their code has all instructions of AVX-512, such as eight lanes of float64.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) if lanes <= 8 => Some(F32x16::enter(InFloat32Lanes(work, PhantomData::<Single<F32x8>>))),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => Some(F32x16::enter(InFloat32Lanes(work, PhantomData::<F32x16>))),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) if lanes <= 8 => Some(F32x8::enter(InFloat32Lanes(work, PhantomData::<Single<F32x8>>))),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => Some(F32x8::enter(InFloat32Lanes(work, PhantomData::<Pair<F32x8>>))),
            _ => None,
        }
    }
}

/// Kernel that runs the computation `W` in vectors of type `V`.
struct InFloat64Lanes<W, V>(W, PhantomData<V>);

impl<W: Float64Kernel, V: Float64Lanes> SimdKernel for InFloat64Lanes<W, V> {
    type Output = W::Output;

    #[inline(always)]
    fn run(self) -> W::Output {
        self.0.run::<V>()
    }
}

/// Kernel that runs the computation `W` in vectors of type `V`.
#[cfg(target_arch = "x86_64")]
struct InFloat32Lanes<W, V>(W, PhantomData<V>);

#[cfg(target_arch = "x86_64")]
impl<W: Float32Kernel, V: Lanes<Number = f32, Array = [f32; 16]>> SimdKernel for InFloat32Lanes<W, V> {
    type Output = W::Output;

    #[inline(always)]
    fn run(self) -> W::Output {
        self.0.run::<V>()
    }
}
