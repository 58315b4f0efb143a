//! The pool: what callers see of the engine.

pub mod backend;
pub mod call;
pub mod first_come;
pub mod history;
pub mod ledger;
pub mod losses;
pub mod on_the_spot;
#[expect(clippy::module_inception, reason = "the room is named after its door")]
pub mod pool;
pub mod prepare;
pub mod prepared;
pub mod receive;
pub mod receiver;
pub mod render;
pub mod request;
pub mod revivals;
pub mod sender;
pub mod shared;
pub mod states;
pub mod turn;
pub mod way;
