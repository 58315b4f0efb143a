//! Checks of a library's functions: each call runs in buffers with guard bytes and patterns, and is repeated from a copy of the
//! states.
//!
//! | module | contents |
//! |---|---|
//! | `actions` | actions that a library reads as another type |
//! | `findings` | found mistakes: failures of the lanes, or a list |
//! | `guarded` | buffers with guard bytes, and values outside of their space |
//! | `lanes` | lanes whose calls are checked |
//! | `repeat` | repetitions of steps and resets |
//! | `step_result` | results of a step that is repeated |
//! | `play` | plays a task with random actions, and collects findings |

mod actions;
mod findings;
mod guarded;
mod lanes;
mod play;
mod repeat;
mod step_result;

pub use findings::Finding;
pub use lanes::CheckedLanes;
pub use play::check_task;
