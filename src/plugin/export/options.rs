//! Converts the options of a task to options of the C interface, and converts their values back.

use std::ffi::{CStr, CString, c_char};

use envpool_rs_engine::{OptionConstraint, OptionSpec, Options, Result, Value};

use super::arrays::c_text;
use super::guard::unsupported;
use super::variants::is_drawn;
use crate::abi;

/// Integers up to this magnitude have an exact float64 representation.
const EXACT: i64 = 1 << 53;

/// Options of a task, and the memory that they point at.
#[derive(Default)]
pub struct OptionTable {
    /// Descriptions of the options, in declaration order.
    pub options: Vec<abi::TaskOption>,
    texts: Vec<CString>,
    choices: Vec<Vec<*const c_char>>,
}

impl OptionTable {
    /// Describes the options `specs` with the default values `values`.
    ///
    /// # Errors
    /// `State`, naming an option that the interface cannot describe.
    pub fn new(specs: &[OptionSpec], values: &Options) -> Result<Self> {
        let mut table = Self::default();
        for spec in specs {
            let option = table.option(spec, values.get(spec.name))?;
            table.options.push(option);
        }
        Ok(table)
    }

    fn option(&mut self, spec: &OptionSpec, value: &Value) -> Result<abi::TaskOption> {
        let subject = format!("option {:?}", spec.name);
        let is_optional_path = spec.is_path && spec.default == Value::None;
        if spec.or.is_some() && !is_optional_path {
            return Err(unsupported(&subject, "one type of values, without None"));
        }
        if spec.alias.is_some() {
            return Err(unsupported(&subject, "no alias"));
        }
        let mut option = abi::TaskOption::zeroed();
        option.size = size_of::<abi::TaskOption>() as u64;
        (option.name, option.doc) = (self.text(spec.name), self.text(spec.doc));
        option.flags = if spec.is_path { abi::PATH } else { 0 } | if is_drawn(spec) { abi::DRAWN } else { 0 };
        option.value = self.value(&subject, value)?;
        self.constrain(&subject, spec, &mut option)?;
        Ok(option)
    }

    fn value(&mut self, subject: &str, value: &Value) -> Result<abi::Value> {
        let mut out = abi::Value::zeroed();
        out.text = c"".as_ptr();
        match value {
            Value::Bool(value) => (out.kind, out.integer) = (abi::OPTION_BOOL, i64::from(*value)),
            Value::Int(value) => (out.kind, out.integer) = (abi::OPTION_INT, *value),
            Value::Float(value) => (out.kind, out.number) = (abi::OPTION_FLOAT, *value),
            Value::Text(text) => (out.kind, out.text) = (abi::OPTION_TEXT, self.text(text)),
            Value::None => out.kind = abi::OPTION_TEXT,
            other => return Err(unsupported(subject, &format!("a bool, int, float or str, not a {}", other.kind()))),
        }
        Ok(out)
    }

    fn constrain(&mut self, subject: &str, spec: &OptionSpec, option: &mut abi::TaskOption) -> Result<()> {
        let mut range = |low, high| (option.flags, option.low, option.high) = (option.flags | abi::RANGE, low, high);
        match &spec.constraint {
            OptionConstraint::All => {}
            OptionConstraint::Integers(integers) => {
                let (low, high) = (*integers.start(), *integers.end());
                if low < -EXACT || high > EXACT {
                    return Err(unsupported(subject, "a range of integers up to 2**53"));
                }
                range(low as f64, high as f64);
            }
            OptionConstraint::Numbers(numbers) => range(*numbers.start(), *numbers.end()),
            OptionConstraint::Probability => range(0.0, 1.0),
            OptionConstraint::Texts(texts) => {
                let choices = texts.iter().map(|text| self.text(text)).collect::<Vec<_>>();
                option.choices = choices.len() as u64;
                self.choices.push(choices);
                option.choice = self.choices.last().expect("just added").as_ptr();
            }
            OptionConstraint::IntegerOrPair(_) | OptionConstraint::Bounds => {
                return Err(unsupported(subject, "one number instead of a pair"));
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> *const c_char {
        self.texts.push(c_text(text));
        self.texts.last().expect("just added").as_ptr()
    }
}

/// Returns the pool's values of a task's options by name.
///
/// # Safety
/// `values` points at a value for each option, and its strings end with a zero byte.
pub unsafe fn given_values(specs: &[OptionSpec], values: *const abi::Value) -> Vec<(String, Value)> {
    let value = |(index, spec): (usize, &OptionSpec)| {
        // SAFETY: the caller guarantees a value for each option.
        let value = unsafe { *values.add(index) };
        let value = match value.kind {
            abi::OPTION_BOOL => Value::Bool(value.integer != 0),
            abi::OPTION_INT => Value::Int(value.integer),
            abi::OPTION_FLOAT => Value::Float(value.number),
            // SAFETY: the caller guarantees that strings end with a zero byte.
            _ => match unsafe { CStr::from_ptr(value.text) }.to_string_lossy() {
                text if text.is_empty() && spec.is_path => Value::None,
                text => Value::Text(text.into_owned()),
            },
        };
        (spec.name.to_owned(), value)
    };
    specs.iter().enumerate().map(value).collect()
}
