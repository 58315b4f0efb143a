//! Options of the package's dicts `observation` and `action`. `None` stands for the default of the chosen type, which the
//! package also uses for keys that a configuration's dict does not have.

use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};

/// Names of options, each with the types that read it.
pub type Keys = &'static [(&'static str, &'static [&'static str])];

/// Declares an option that also accepts `None`.
pub fn key(name: &'static str, default: impl Into<Value>, doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, default, doc).or(Value::None)
}

/// Refuses options that the type in option `type_option` does not read.
///
/// # Errors
/// `Value` for the first one that has neither the task's default nor `None`.
pub fn check_keys(options: &Options, keys: Keys, type_option: &'static str) -> Result<()> {
    let chosen = options.text(type_option).unwrap_or_default();
    for (name, types) in keys.iter().filter(|(_, types)| !types.contains(&chosen)) {
        let Some(spec) = options.specs().iter().find(|spec| spec.name == *name) else { continue };
        let value = options.get(name);
        if *value != Value::None && *value != spec.default {
            let readers = types.join(" or ");
            return Err(Error::value(name, value, format_args!("None with {type_option}={chosen:?}; it belongs to {readers}")));
        }
    }
    Ok(())
}

/// Returns the value of a bool option, `default` for `None`.
pub fn flag_or(options: &Options, name: &str, default: bool) -> bool {
    if let Value::Bool(value) = options.get(name) { *value } else { default }
}

/// Returns the value of an int option as an index, `default` for `None`.
pub fn count_or(options: &Options, name: &str, default: usize) -> usize {
    if let Value::Int(value) = options.get(name) { *value as usize } else { default }
}

/// Returns the numbers of an option, `default` for `None`.
pub fn numbers_or(options: &Options, name: &str, default: &[f64]) -> Vec<f64> {
    if let Value::Floats(values) = options.get(name) { values.clone() } else { default.to_vec() }
}
