//! Model fields whose values differ between the lanes of a native step.
//!
//! | module | contents |
//! |---|---|
//! | `field` | names and shapes of the fields, and their values in one lane |
//! | `source` | access to the values of fields in a kernel: those of the model, or those of the lanes |
//! | `lane_tables` | values of all fields in SIMD vectors, and constants that depend on them |

mod field;
mod lane_tables;
mod source;

pub(super) use self::field::{BaseFields, own_values};
pub use self::field::{LaneField, LaneFields};
pub(super) use self::lane_tables::LaneTables;
pub(super) use self::source::{FieldSource, SharedFields};
