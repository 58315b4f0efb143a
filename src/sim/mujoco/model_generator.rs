//! Models that a registered generator makes, such as chains of any length: see [`set_generator`].

use std::path::Path;

use crate::faults::Fault;
use crate::library::Library;
use crate::model::Model;
use envpool_rs_sync::ForkOnce;

/// Generator of models: returns the MJCF text or the MJB bytes of the model with the given name, or the reason for a failure.
pub type Generator = Box<dyn Fn(&str) -> Result<Vec<u8>, String> + Send + Sync>;

static PROGRAM: ForkOnce<Generator> = ForkOnce::new();

/// Registers the generator that [`generate`] calls, for the whole process. Only the first call has an effect.
pub fn set_generator(program: Generator) {
    PROGRAM.get_or_init(|| program);
}

/// Returns what the generator makes for `name`.
///
/// # Errors
/// `Library` if no generator is registered, `Unmade` if the generator fails.
pub fn generated_bytes(name: &str) -> Result<Vec<u8>, Fault> {
    let program = PROGRAM.get().ok_or_else(|| Fault::Library(format!("there is no program that makes {name:?}")))?;
    program(name).map_err(|reason| Fault::Unmade { name: name.to_owned(), reason })
}

/// Compiles the generated model with the given name, whose text may refer to files in the folder of `path`.
///
/// # Errors
/// `Library` if no generator is registered, `Unmade` if the generator fails; `Model` or `MujocoError` if MuJoCo rejects the model.
pub fn generate(library: &'static Library, path: &Path, name: &str) -> Result<Model, Fault> {
    let bytes = generated_bytes(name)?;
    match str::from_utf8(&bytes) {
        Ok(text) => Model::from_text(library, path, text, &[]),
        // The first bytes of MJB are not UTF-8.
        Err(_) => Model::from_bytes(library, &bytes),
    }
}
