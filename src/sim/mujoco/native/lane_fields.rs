//! Model fields whose values differ between the lanes of a native step.

mod field;
mod lane_tables;
mod source;

pub(super) use self::field::{BaseFields, own_values};
pub use self::field::{LaneField, LaneFields};
pub(super) use self::lane_tables::LaneTables;
pub(super) use self::source::{FieldSource, SharedFields};
