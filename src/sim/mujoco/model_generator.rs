//! Models whose MJCF text a registered generator makes, such as chains of any length: see [`set_generator`].

use crate::faults::Fault;
use envpool_rs_sync::ForkOnce;

/// Generator of MJCF text: returns the text of the model with the given name, or the reason for a failure.
pub type Generator = Box<dyn Fn(&str) -> Result<String, String> + Send + Sync>;

static PROGRAM: ForkOnce<Generator> = ForkOnce::new();

/// Registers the generator that [`generate`] calls, for the whole process. Only the first call has an effect.
pub fn set_generator(program: Generator) {
    PROGRAM.get_or_init(|| program);
}

/// Returns the generated MJCF text of the model with the given name.
///
/// # Errors
/// `Library` if no generator is registered, or if the generator fails.
pub fn generate(name: &str) -> Result<String, Fault> {
    let program = PROGRAM.get().ok_or_else(|| Fault::Library(format!("there is no program that makes the model {name:?}")))?;
    program(name).map_err(|reason| Fault::Library(format!("the model {name:?} cannot be made: {reason}")))
}
