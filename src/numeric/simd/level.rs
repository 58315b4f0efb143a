//! Detects which vector instructions the processor has.

use super::SimdKernel;
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
    Avx2(DetectionProof),
    /// Instructions of x86-64-v4: those of `Avx2`, and AVX-512 F, BW, DQ, VL.
    Avx512(DetectionProof),
}

/// Proof that the processor has the instructions of a [`SimdLevel`]; only the detection of vector instructions creates such a
/// proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DetectionProof(());

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
}
