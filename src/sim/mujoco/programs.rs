//! Models whose MJCF text a program generates, such as chains of any length. The caller that has the program registers it with
//! [`set_generator`].

use std::sync::OnceLock;

use super::faults::Fault;

/// Program that returns the text of a named model, or the reason for a failure.
pub type Generator = Box<dyn Fn(&str) -> Result<String, String> + Send + Sync>;

static PROGRAM: OnceLock<Generator> = OnceLock::new();

/// Registers the program of [`generate`] for the process. Only the first call has an effect.
pub fn set_generator(program: Generator) {
    PROGRAM.get_or_init(|| program);
}

/// Returns the generated text of a named model.
///
/// # Errors
/// `Library` if there is no program, or it fails.
pub fn generate(name: &str) -> Result<String, Fault> {
    let program = PROGRAM.get().ok_or_else(|| Fault::Library(format!("there is no program that makes the model {name:?}")))?;
    program(name).map_err(|reason| Fault::Library(format!("the model {name:?} cannot be made: {reason}")))
}
