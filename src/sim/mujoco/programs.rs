//! Models whose text a program makes: of any number of links, or with parts left out. The program is not here: who has one says so by
//! [`make_with`].

use std::sync::OnceLock;

use super::faults::Fault;

/// The text of the model of this name, or why there is none.
pub type Program = Box<dyn Fn(&str) -> Result<String, String> + Send + Sync>;

static PROGRAM: OnceLock<Program> = OnceLock::new();

/// Lets [`made`] ask `program` from now on. The first to say so is right.
pub fn make_with(program: Program) {
    PROGRAM.get_or_init(|| program);
}

/// The text of the model of this name.
///
/// # Errors
/// `Library` where there is no program, or where it makes none.
pub fn made(name: &str) -> Result<String, Fault> {
    let program = PROGRAM.get().ok_or_else(|| Fault::Library(format!("there is no program that makes the model {name:?}")))?;
    program(name).map_err(|reason| Fault::Library(format!("the model {name:?} cannot be made: {reason}")))
}
