//! How the processor treats tiny numbers.
//!
//! Some callers have their threads flush denormal numbers to zero: XLA does, audio libraries do, and compilers with "fast" arithmetic.
//! Environments played like that would differ from their references: so whatever plays them, or takes numbers in, works as every other
//! thread does, and puts the caller's setting back. Worker threads have the setting of the thread that starts them, until they set theirs.
//!
//! The assembly below says that it may touch memory, so that no load or store, and with them no arithmetic between them, is moved
//! across it.

/// Standard arithmetic (round to nearest, denormal numbers kept) for as long as it lives.
pub struct StandardFloats {
    before: Register,
}

impl StandardFloats {
    /// Sets it in this thread.
    #[inline]
    pub fn enter() -> Self {
        let before = read();
        if before != STANDARD {
            write(STANDARD);
        }
        Self { before }
    }
}

impl Drop for StandardFloats {
    #[inline]
    fn drop(&mut self) {
        if self.before != STANDARD {
            write(self.before);
        }
    }
}

#[cfg(target_arch = "x86_64")]
type Register = u32;

/// All exceptions masked, nothing flushed.
#[cfg(target_arch = "x86_64")]
const STANDARD: Register = 0x1f80;

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn read() -> Register {
    let mut register = 0;
    // SAFETY: stores MXCSR into `register`. What is left of exceptions that were masked (the low six bits) is of no interest.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut register, options(nostack, preserves_flags)) };
    register & !0x3f
}

#[cfg(target_arch = "x86_64")]
fn write(register: Register) {
    // SAFETY: loads MXCSR with the standard setting, or with what it was before.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const register, options(nostack, preserves_flags)) };
}

#[cfg(target_arch = "aarch64")]
type Register = u64;

#[cfg(target_arch = "aarch64")]
const STANDARD: Register = 0;

#[cfg(target_arch = "aarch64")]
fn read() -> Register {
    let register;
    // SAFETY: reads FPCR.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) register, options(nomem, nostack, preserves_flags)) };
    register
}

#[cfg(target_arch = "aarch64")]
fn write(register: Register) {
    // SAFETY: sets FPCR to the standard setting, or to what it was before.
    unsafe { std::arch::asm!("msr fpcr, {}", in(reg) register, options(nostack, preserves_flags)) };
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
type Register = ();

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const STANDARD: Register = ();

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn read() -> Register {}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn write(_: Register) {}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[cfg(target_arch = "x86_64")]
    const FLUSHING: Register = 0x9fc0;
    #[cfg(target_arch = "aarch64")]
    const FLUSHING: Register = 1 << 24;

    #[inline(never)]
    fn is_flushing() -> bool {
        black_box(black_box(1e-308_f64) / black_box(16.0)) == 0.0
    }

    #[test]
    fn denormal_numbers_are_kept_inside_and_flushed_again_outside() {
        assert!(!is_flushing());
        write(FLUSHING);
        let outside = is_flushing();
        let standard = StandardFloats::enter();
        let inside = is_flushing();
        drop(standard);
        let again = is_flushing();
        write(STANDARD);
        assert_eq!((outside, inside, again, is_flushing()), (true, false, true, false));
    }
}
