//! Functions that read fields of MuJoCo's structs at their offsets.

use crate::layout::{Field, Kind};

/// Returns a pointer to a field of a struct.
///
/// # Safety
/// `of` must point to the MuJoCo struct that has this field, and `T` must be the field's type.
pub(super) unsafe fn at<T>(of: *const impl Sized, field: Field) -> *const T {
    // SAFETY: the caller guarantees that `of` is the struct that has this field, so the field's offset is within the struct.
    unsafe { of.cast::<u8>().add(field.offset).cast() }
}

/// Reads an integer field of a model, of 4 or 8 bytes.
///
/// # Safety
/// `model` must point to a live `mjModel`, and `field` must be one of its integer fields.
pub(super) unsafe fn integer(model: *const impl Sized, field: Field) -> i64 {
    // SAFETY: the caller guarantees that `field` is an integer of the model, and `field.kind` gives its size.
    unsafe {
        match field.kind {
            Kind::Int32 => i64::from(*at::<i32>(model, field)),
            _ => *at::<i64>(model, field),
        }
    }
}

/// Returns, as a slice of `len` elements, the array that a pointer field of a struct refers to.
///
/// # Safety
/// The field must point to `len` elements of the type `T`, or `len` must be 0. The elements must live for `'a` and not
/// change.
pub(super) unsafe fn elements<'a, T>(of: *const impl Sized, field: Field, len: usize) -> &'a [T] {
    if len == 0 {
        return &[];
    }
    // SAFETY: the caller guarantees that the field points to `len` elements that live for `'a` and do not change.
    unsafe { std::slice::from_raw_parts(*at::<*const T>(of, field), len) }
}
