//! Functions of the pool for tasks that Numba compiles: they make environments, and write the messages of exceptions.
//!
//! Numba stores an exception as a pickle of its class, arguments and location. The functions here read the opcodes that such
//! pickles contain, because worker threads have no interpreter for `pickle.loads`.

use std::ffi::{c_char, c_void};

use crate::abi::{Env, OPTION_FLOAT, Task, Value as OptionValue};
use crate::error_text::write_text;
use crate::host::functions;

/// Names and addresses of the functions. `make` and `unmake` are those of [`Task`] and [`Env`], draws those of [`Host`](crate::abi::Host); the
/// others take the address and the size of a buffer for a message, and `write_exception` also the address of Numba's exception.
pub fn numba_functions() -> [(&'static str, usize); 9] {
    [
        ("make", make as *const () as usize),
        ("unmake", unmake as *const () as usize),
        ("write_exception", write_exception as *const () as usize),
        ("write_invalid_state", write_invalid_state as *const () as usize),
        ("random", functions::random as *const () as usize),
        ("uniform", functions::uniform as *const () as usize),
        ("normal", functions::normal as *const () as usize),
        ("exponential", functions::exponential as *const () as usize),
        ("integers", functions::integers as *const () as usize),
    ]
}

/// Fills in an environment: a copy of the task's `data`, which is an [`Env`], whose own `data` are the values of the options.
/// These are words: their number, then the bits of each value, then 0.
unsafe extern "C" fn make(
    task: *const Task,
    values: *const OptionValue,
    env: *mut Env,
    _error: *mut c_char,
    _error_size: u64,
) -> i64 {
    // SAFETY: by the interface, `task` is the task's own struct, and `values` has a value for each of its options.
    let (template, options) = unsafe { ((*task).data.cast::<Env>(), (*task).options as usize) };
    let mut words = vec![options as u64 + 2];
    for index in 0..options {
        // SAFETY: by the interface, `values` has a value for each option.
        let value = unsafe { *values.add(index) };
        words.push(if value.kind == OPTION_FLOAT { value.number.to_bits() } else { value.integer as u64 });
    }
    words.push(0);
    // SAFETY: `env` has room for the struct, and `data` of a task that Numba compiles points to an `Env`.
    unsafe {
        *env = *template;
        (*env).data = Box::into_raw(words.into_boxed_slice()).cast::<c_void>();
    }
    0
}

/// Frees the values of the options.
unsafe extern "C" fn unmake(env: *mut Env) {
    // SAFETY: `make` has stored the words in a box, and their number in the first word.
    unsafe {
        let words = (*env).data.cast::<u64>();
        drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(words, *words as usize)));
    }
}

/// Numba's `excinfo_t`, as far as it is read here.
#[repr(C)]
struct Exception {
    pickle: *const u8,
    size: i32,
}

/// Writes the message of an exception: `ValueError: text (in step, file.py, line 3)`. A null exception has no message.
unsafe extern "C" fn write_exception(error: *mut c_char, error_size: u64, exception: *const Exception) {
    // SAFETY: `exception` is null, or an exception that compiled code has raised, which has a pickle of `size` bytes.
    let message = unsafe { exception.as_ref() }.and_then(|exception| {
        let size = usize::try_from(exception.size).ok()?;
        // SAFETY: the pickle of an exception has `size` bytes.
        message(unsafe { std::slice::from_raw_parts(exception.pickle, size) })
    });
    // SAFETY: `error` is the pool's buffer for a message, which is null or has `error_size` bytes.
    unsafe { write_text(error, error_size, message.as_deref().unwrap_or("an exception without a message")) };
}

/// Writes the message for a state that a task's `is_valid` refuses.
unsafe extern "C" fn write_invalid_state(error: *mut c_char, error_size: u64) {
    // SAFETY: `error` is the pool's buffer for a message, which is null or has `error_size` bytes.
    unsafe { write_text(error, error_size, "is_valid returned False") };
}

/// Value in a pickle.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    /// A text, a number, or a word such as `None`, as Python displays it.
    Text(String),
    Class(String),
    Tuple(Vec<Self>),
    /// Any other value.
    Hidden,
}

impl Value {
    fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            _ => "<a value that compiled code does not show>",
        }
    }
}

/// Returns the message of a pickled exception; `None` if the pickle is of another form.
fn message(pickle: &[u8]) -> Option<String> {
    let Value::Tuple(parts) = unpickled(pickle)? else { return None };
    let [Value::Class(name), arguments, location] = parts.as_slice() else { return None };
    let mut message = name.clone();
    if let Value::Tuple(arguments) = arguments {
        for (index, argument) in arguments.iter().enumerate() {
            message += if index == 0 { ": " } else { ", " };
            message += argument.text();
        }
    }
    if let Value::Tuple(location) = location
        && let [function, file, line] = location.as_slice()
    {
        let file = file.text().rsplit(['/', '\\']).next().unwrap_or_default();
        message += &format!(" (in {}, {file}, line {})", function.text(), line.text());
    }
    Some(message)
}

/// Returns the value of a pickle of protocol 4; `None` for an opcode that pickles of exceptions do not contain.
fn unpickled(pickle: &[u8]) -> Option<Value> {
    let mut rest = pickle;
    let (mut stack, mut marks, mut memo) = (Vec::<Value>::new(), Vec::new(), Vec::<Value>::new());
    loop {
        let code = bytes(&mut rest, 1)?[0];
        match code {
            b'.' => return stack.pop(),         // STOP
            0x80 => drop(bytes(&mut rest, 1)?), // PROTO
            0x95 => drop(bytes(&mut rest, 8)?), // FRAME
            0x8c | b'X' => {
                let size = unsigned(bytes(&mut rest, if code == b'X' { 4 } else { 1 })?); // (SHORT_)BINUNICODE
                stack.push(Value::Text(String::from_utf8_lossy(bytes(&mut rest, size as usize)?).into_owned()));
            }
            b'C' | b'B' => {
                let size = unsigned(bytes(&mut rest, if code == b'B' { 4 } else { 1 })?); // (SHORT_)BINBYTES
                bytes(&mut rest, size as usize)?;
                stack.push(Value::Hidden);
            }
            b'K' => stack.push(Value::Text(unsigned(bytes(&mut rest, 1)?).to_string())), // BININT1
            b'M' => stack.push(Value::Text(unsigned(bytes(&mut rest, 2)?).to_string())), // BININT2
            b'J' => stack.push(integer(bytes(&mut rest, 4)?)),                           // BININT
            0x8a => {
                let size = unsigned(bytes(&mut rest, 1)?); // LONG1
                stack.push(integer(bytes(&mut rest, size as usize)?));
            }
            b'G' => {
                bytes(&mut rest, 8)?; // BINFLOAT
                stack.push(Value::Hidden);
            }
            b'N' => stack.push(Value::Text("None".into())),  // NONE
            0x88 => stack.push(Value::Text("True".into())),  // NEWTRUE
            0x89 => stack.push(Value::Text("False".into())), // NEWFALSE
            0x94 => memo.push(stack.last()?.clone()),        // MEMOIZE
            b'h' | b'j' => {
                let index = unsigned(bytes(&mut rest, if code == b'j' { 4 } else { 1 })?); // (LONG_)BINGET
                stack.push(memo.get(index as usize)?.clone());
            }
            b'(' => marks.push(stack.len()),              // MARK
            b'0' => drop(stack.pop()?),                   // POP
            b'}' | b']' => stack.push(Value::Hidden),     // EMPTY_DICT, EMPTY_LIST
            b'b' | b'a' => drop(stack.pop()?),            // BUILD, APPEND
            b's' => drop((stack.pop()?, stack.pop()?)),   // SETITEM
            b'u' | b'e' => stack.truncate(marks.pop()?),  // SETITEMS, APPENDS
            b')' => stack.push(Value::Tuple(Vec::new())), // EMPTY_TUPLE
            0x85..=0x87 => {
                let first = stack.len().checked_sub(usize::from(code - 0x84))?; // TUPLE1 to TUPLE3
                let items = stack.split_off(first);
                stack.push(Value::Tuple(items));
            }
            b't' => {
                let first = marks.pop()?; // TUPLE
                let items = (first <= stack.len()).then(|| stack.split_off(first))?;
                stack.push(Value::Tuple(items));
            }
            0x93 => {
                let (Value::Text(name), _module) = (stack.pop()?, stack.pop()?) else { return None }; // STACK_GLOBAL
                stack.push(Value::Class(name));
            }
            0x81 | b'R' => {
                let (arguments, callee) = (stack.pop()?, stack.pop()?); // NEWOBJ, REDUCE
                stack.push(result_of(&callee, &arguments));
            }
            _ => return None,
        }
    }
}

/// Returns the value of a call in a pickle: a class, if a class of `__main__` is made from its parts, otherwise a hidden value.
fn result_of(callee: &Value, arguments: &Value) -> Value {
    match (callee, arguments) {
        (Value::Class(callee), Value::Tuple(arguments)) if callee == "_make_skeleton_class" => match arguments.get(1) {
            Some(Value::Text(name)) => Value::Class(name.clone()),
            _ => Value::Hidden,
        },
        _ => Value::Hidden,
    }
}

/// Takes the next `size` bytes of a pickle.
fn bytes<'a>(rest: &mut &'a [u8], size: usize) -> Option<&'a [u8]> {
    let (first, others) = rest.split_at_checked(size)?;
    *rest = others;
    Some(first)
}

/// Returns the unsigned integer in at most 8 little-endian bytes.
fn unsigned(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// Returns the signed integer in little-endian bytes; a hidden value for more than 8 bytes.
fn integer(bytes: &[u8]) -> Value {
    if bytes.len() > 8 {
        return Value::Hidden;
    }
    let missing = 64 - 8 * bytes.len() as u32;
    let value = unsigned(bytes).checked_shl(missing).unwrap_or(0) as i64;
    Value::Text(value.checked_shr(missing).unwrap_or(0).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `numba.core.serialize.dumps` of a class, arguments and `("step", "/a/b.py", 4)`.
    fn pickled(class: &[u8], arguments: &[u8]) -> Vec<u8> {
        let head = b"\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00";
        let location = b"\x8c\x04step\x94\x8c\x07/a/b.py\x94K\x04\x87\x94";
        [head.as_slice(), class, arguments, location, b"\x87\x94."].concat()
    }

    const VALUE_ERROR: &[u8] = b"\x8c\x08builtins\x94\x8c\nValueError\x94\x93\x94";

    #[test]
    fn a_message_has_the_class_the_constant_arguments_and_the_location() {
        let text = |arguments| message(&pickled(VALUE_ERROR, arguments)).unwrap();
        assert_eq!(text(b"\x8c\x05hello\x94\x85\x94"), "ValueError: hello (in step, b.py, line 4)");
        assert_eq!(text(b"N"), "ValueError (in step, b.py, line 4)");
        assert_eq!(text(b")"), "ValueError (in step, b.py, line 4)");
        let numbers = b"(K\x03J\xfd\xff\xff\xffM,\x01N\x88\x89\x8a\x08\0\0\0\0\0\0\0\xc0\x8a\0t\x94";
        let shown = "ValueError: 3, -3, 300, None, True, False, -4611686018427387904, 0 (in step, b.py, line 4)";
        assert_eq!(text(numbers), shown);
        let hidden =
            b"(G@\x04\0\0\0\0\0\0\x8a\x09\0\0\0\0\0\0\0\x80\0C\x01x\x94h\x00\x8c\x01A\x94\x93\x94)\x81\x94}\x94bh\x01t\x94";
        let each = "<a value that compiled code does not show>";
        assert_eq!(text(hidden), format!("ValueError: {each}, {each}, {each}, {each}, ValueError (in step, b.py, line 4)"));
    }

    #[test]
    fn a_class_of_main_has_its_name() {
        let made = b"\x8c\x1dnumba.cloudpickle.cloudpickle\x94\x8c\x14_make_skeleton_class\x94\x93\x94(h\x01\x8c\x07MyError\x94)}\x94Nt\x94R\x94";
        let changed = b"h\0\x8c\x0f_class_setstate\x94\x93\x94h\x06}\x94(h\x01Nu}\x94\x86\x94\x86\x94R0";
        let text = message(&pickled(&[made.as_slice(), changed].concat(), b"\x8c\x01a\x94\x85\x94")).unwrap();
        assert_eq!(text, "MyError: a (in step, b.py, line 4)");
    }

    #[test]
    fn a_pickle_of_another_form_has_no_message() {
        for pickle in [b"".as_slice(), b".", b"K\x03.", b"\x87.", b"t.", b"h\x07.", b"\x8c\xffshort.", b"\xff."] {
            assert_eq!(message(pickle), None);
        }
    }

    #[test]
    fn damaged_pickles_are_read_or_refused() {
        let whole = pickled(VALUE_ERROR, b"(K\x03J\xfd\xff\xff\xffM,\x01N\x8a\x02\0\xc0h\x01t\x94");
        assert!(message(&whole).is_some());
        for at in 0..whole.len() {
            assert_eq!(message(&whole[..at]), None);
            for byte in 0..=255 {
                let mut damaged = whole.clone();
                damaged[at] = byte;
                message(&damaged);
            }
        }
    }
}
