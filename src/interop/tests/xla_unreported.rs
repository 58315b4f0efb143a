//! Tests calls of XLA programs that this package did not make. The test has its own process, because the next call of any
//! program reports the failure.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use envpool_rs_interop::xla::{HANDLE_BYTES, LEGACY_CALLS, failure_message};

/// Makes a call with an unknown handle, which is described correctly, and returns its failure.
fn failure_of_a_valid_description() -> String {
    let text = format!("7;uint8:{HANDLE_BYTES};uint8:{HANDLE_BYTES},int32:");
    let handle = [0_u8; HANDLE_BYTES];
    let (mut next, mut failed) = ([0_u8; HANDLE_BYTES], 0_i32);
    let arguments = [handle.as_ptr().cast::<c_void>()];
    let results = [next.as_mut_ptr().cast::<c_void>(), (&raw mut failed).cast()];
    // SAFETY: `text` describes the arrays that `arguments` and `results` point to.
    unsafe { LEGACY_CALLS[2].1(results.as_ptr(), arguments.as_ptr(), text.as_ptr().cast(), text.len(), null_mut()) };
    failure_message(failed).expect("the call failed")
}

#[test]
fn an_unknown_description_is_an_error_of_the_next_call() {
    let before = failure_of_a_valid_description();
    for text in ["", "7;uint8:16", "x;uint8:16;uint8:16,int32:"] {
        // SAFETY: arrays are not accessed, because `text` describes none.
        unsafe { LEGACY_CALLS[0].1(null(), null(), text.as_ptr().cast(), text.len(), null_mut()) };
        let reported = failure_of_a_valid_description();
        assert!(reported.contains(&format!("unknown description of a custom call: {text:?}")), "{reported}");
        assert_eq!(failure_of_a_valid_description(), before);
    }
}
