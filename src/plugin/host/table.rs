//! Copies structs, strings and lists of a library's table, and formats the errors for tables that are refused.

use std::cell::UnsafeCell;
use std::collections::HashSet;
use std::ffi::c_char;
use std::fmt::Display;

use envpool_rs_engine::{Error, Result, shortened};
use envpool_rs_sync::{ForkLazy, ForkMutex};

/// Largest length of a text in bytes.
const MAX_TEXT: usize = 1 << 16;

/// Largest size of a struct in bytes.
const MAX_STRUCT: u64 = 4096;

/// Position in a library's table, used in error messages.
#[derive(Debug, Clone)]
pub struct TablePath {
    /// Name of the library for error messages.
    pub library: String,
    /// Id of the task for error messages; empty for the library itself.
    pub task: String,
}

impl TablePath {
    /// Returns the error for a field: `library, task: field=value: expected ...`.
    pub fn refuse(&self, field: &str, value: impl Display, expected: impl Display) -> Error {
        Error::Value(format!("{self}: {field}={}: expected {expected}", shortened(&value)))
    }

    /// Checks a condition on the value of a field.
    ///
    /// # Errors
    /// `Value`, naming the field, unless `is_good` is true.
    pub fn check(&self, is_good: bool, field: &str, value: impl Display, expected: impl Display) -> Result<()> {
        if is_good { Ok(()) } else { Err(self.refuse(field, value, expected)) }
    }

    /// Checks the number in a field, and converts it to `usize`.
    ///
    /// # Errors
    /// `Value` if it is outside of `least..=most`.
    pub fn count(&self, field: &str, count: u64, (least, most): (u64, u64)) -> Result<usize> {
        // A count above the range of int64 is formatted as the negative number that C code probably passed.
        let shown = if count > i64::MAX as u64 { (count as i64).to_string() } else { count.to_string() };
        self.check((least..=most).contains(&count), field, shown, format_args!("{least} to {most}"))?;
        Ok(count as usize)
    }

    /// Checks that a function pointer is not null.
    ///
    /// # Errors
    /// `Value` if it is null.
    pub fn function<F>(&self, field: &str, function: Option<F>) -> Result<F> {
        function.ok_or_else(|| self.refuse(field, "null", "a function"))
    }

    /// Copies a struct that begins with its size. Fields beyond the writer's size are zero.
    ///
    /// # Errors
    /// `Value` if the address is null or unaligned, if the size is too small, or if a field that this version does not know is
    /// set.
    ///
    /// # Safety
    /// An address that is neither null nor unaligned points to a struct of the size in its first word. `T` is a struct of `abi`.
    pub unsafe fn read<T: Copy>(&self, field: &str, name: &str, address: *const T) -> Result<(T, u64)> {
        self.check(!address.is_null(), field, "null", format_args!("the address of an {name}"))?;
        self.check(address.is_aligned(), field, format_args!("{address:p}"), "an address that is a multiple of 8")?;
        // SAFETY: the caller guarantees that the struct begins with its size.
        let size = unsafe { *address.cast::<u64>() };
        let own = size_of::<T>() as u64;
        let is_size = (own..=MAX_STRUCT).contains(&size) && size.is_multiple_of(8);
        self.check(is_size, &format!("{field}.size"), size as i64, format_args!("sizeof({name}), which is {own}"))?;
        // SAFETY: the caller guarantees `size` bytes, which are at least those of `T` (checked above).
        let (copy, words) = unsafe { (*address, std::slice::from_raw_parts(address.cast::<u64>(), size as usize / 8)) };
        let unknown = words[own as usize / 8..].iter().position(|word| *word != 0);
        match unknown {
            None => Ok((copy, size)),
            Some(index) => Err(self.refuse(
                &format!("{field}, byte {}", own as usize + index * 8),
                words[own as usize / 8 + index],
                format_args!("0, because this version of envpool_rs knows an {name} of {own} bytes; install a newer one"),
            )),
        }
    }

    /// Copies a string.
    ///
    /// # Errors
    /// `Value` if it is null, not UTF-8 or too long.
    ///
    /// # Safety
    /// An address that is not null points to a text that ends with a zero byte, or has more than 65536 bytes.
    pub unsafe fn text(&self, field: &str, text: *const c_char) -> Result<String> {
        self.check(!text.is_null(), field, "null", "a text")?;
        // SAFETY: the caller guarantees that the text ends with a zero byte or has more than `MAX_TEXT` bytes, and the loop stops
        // at either.
        let length = (0..MAX_TEXT).find(|index| unsafe { *text.add(*index) } == 0);
        let Some(length) = length else { return Err(self.refuse(field, "...", format_args!("less than {MAX_TEXT} bytes"))) };
        // SAFETY: the loop above found the zero byte at `length`.
        let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
        let decoded = std::str::from_utf8(bytes).map(str::to_owned);
        decoded.map_err(|_| self.refuse(field, String::from_utf8_lossy(bytes).escape_debug(), "UTF-8"))
    }

    /// Copies a list of `count` elements.
    ///
    /// # Errors
    /// `Value` if the address is null or unaligned, unless `count` is zero.
    ///
    /// # Safety
    /// An address that is neither null nor unaligned points to `count` elements.
    pub unsafe fn list<T: Copy>(&self, field: &str, address: *const T, count: usize) -> Result<Vec<T>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        self.check(!address.is_null(), field, "null", format_args!("the address of {count} elements"))?;
        self.check(address.is_aligned(), field, format_args!("{address:p}"), "an address that is a multiple of 8")?;
        // SAFETY: the caller guarantees that `address` points to `count` elements.
        Ok(unsafe { std::slice::from_raw_parts(address, count) }.to_vec())
    }

    /// Copies a list of structs. Each struct starts with its size, and all have the same size.
    ///
    /// # Errors
    /// `Value` if the address is null or unaligned although `count` is not zero, if a size is too small, or if a field that this
    /// version does not know is set.
    ///
    /// # Safety
    /// A non-null `first` points to `count` structs. Each begins with its size, which is the distance to the next one.
    pub unsafe fn structs<T: Copy>(&self, field: &str, name: &str, first: *const T, count: usize) -> Result<Vec<T>> {
        let (mut copies, mut address) = (Vec::with_capacity(count), first);
        let mut expected = None;
        for index in 0..count {
            let element = format!("{field}[{index}]");
            // SAFETY: the caller guarantees that each element is a struct that begins with its size.
            let (copy, size) = unsafe { self.read(&element, name, address) }?;
            let first_size = *expected.get_or_insert(size);
            self.check(size == first_size, &format!("{element}.size"), size, format_args!("{first_size}, as for {field}[0]"))?;
            copies.push(copy);
            address = address.wrapping_byte_add(size as usize);
        }
        Ok(copies)
    }

    /// Copies a list of strings.
    ///
    /// # Errors
    /// `Value` if an address is null or unaligned, or if a string is not UTF-8 or is too long.
    ///
    /// # Safety
    /// A non-null `first` points to `count` addresses, each null or that of a string that ends with a zero byte.
    pub unsafe fn texts(&self, field: &str, first: *const *const c_char, count: usize) -> Result<Vec<String>> {
        // SAFETY: the caller guarantees that `first` points to `count` addresses.
        let addresses = unsafe { self.list(field, first, count) }?;
        // SAFETY: the caller guarantees that each address is that of a string that ends with a zero byte.
        let text = |(index, address): (usize, &_)| unsafe { self.text(&format!("{field}[{index}]"), *address) };
        addresses.iter().enumerate().map(text).collect()
    }
}

impl Display for TablePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.task.as_str() {
            "" => write!(f, "library {}", self.library),
            task => write!(f, "library {}, task {task}", self.library),
        }
    }
}

/// Returns an equal string that lives until the process ends. Equal strings are stored once.
pub fn intern(text: &str) -> &'static str {
    static TEXTS: ForkLazy<ForkMutex<HashSet<&'static str>>> = ForkLazy::new(ForkMutex::default);
    let mut texts = TEXTS.lock();
    if let Some(found) = texts.get(text) {
        return found;
    }
    let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
    texts.insert(text);
    text
}

thread_local! {
    static ERROR: UnsafeCell<[c_char; ERROR_SIZE]> = const { UnsafeCell::new([0; ERROR_SIZE]) };
}

/// Size in bytes of the buffer for an error message, with its final zero.
pub const ERROR_SIZE: usize = 1024;

/// Returns the address of this thread's buffer for an error message, after clearing the previous message.
#[inline]
pub fn clear_error() -> *mut c_char {
    ERROR.with(|error| {
        let first = error.get().cast::<c_char>();
        // SAFETY: the buffer is thread-local, and no reference to it exists.
        unsafe { *first = 0 };
        first
    })
}

/// Returns the message that the last call of this thread wrote; `None` if it wrote none.
pub fn take_error() -> Option<String> {
    ERROR.with(|error| {
        // SAFETY: the buffer is thread-local, and the library's call has returned, so no code writes to the buffer.
        let bytes = unsafe { &*error.get().cast::<[u8; ERROR_SIZE]>() };
        let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(ERROR_SIZE - 1);
        (length > 0).then(|| String::from_utf8_lossy(&bytes[..length]).into_owned())
    })
}
