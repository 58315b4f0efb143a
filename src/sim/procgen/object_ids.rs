//! Object types that several games have in common.

pub(crate) const INVALID_OBJ: i32 = -1;
pub(crate) const PLAYER: i32 = 0;
pub(crate) const SPACE: i32 = 100;
pub(crate) const WALL_OBJ: i32 = 51;
pub(crate) const EXIT_OBJ: i32 = 52;
pub(crate) const AGENT_OBJ: i32 = 53;
/// Object type of the first of the five animation pictures of an explosion.
pub(crate) const EXPLOSION: i32 = 54;
pub(crate) const EXPLOSION5: i32 = 58;
pub(crate) const TRAIL: i32 = 59;
pub(crate) const DOOR_OBJ: i32 = 200;
pub(crate) const KEY_OBJ: i32 = 300;
