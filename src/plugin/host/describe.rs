//! Converts the arrays and options of a library to the engine's spaces, infos and option specifications.

use crate::abi::{self, Array, TaskOption};
use crate::host::table::{TablePath, intern};
use envpool_rs_engine::{Dtype, Error, InfoSpec, InfoTiming, OptionSpec, Result, Space, Value};

/// Maximum number of arrays in one list, such as the leaves of an observation.
const MAX_ARRAYS: u64 = 1024;

/// Largest number of elements of an array.
const MAX_ELEMENTS: usize = 1 << 31;

/// Largest integer up to which every integer is a float64, as options with `EPR_DRAWN` are passed.
const EXACT: i64 = 1 << 53;

/// An array with its name.
struct NamedSpace {
    name: String,
    space: Space,
}

impl TablePath {
    /// Reads the observation or the action space.
    ///
    /// # Errors
    /// `Value`, naming the array and the field.
    ///
    /// # Safety
    /// `first` is null, or the address of `count` array descriptions, whose non-null lists and strings are valid.
    pub unsafe fn space(&self, field: &str, first: *const Array, count: u64) -> Result<Space> {
        let count = self.count(&format!("{field}s"), count, (1, MAX_ARRAYS))?;
        // SAFETY: the caller guarantees that the table's list has `count` structs.
        let arrays = unsafe { self.structs(field, "epr_array", first, count) }?;
        let mut named = Vec::with_capacity(count);
        for (index, array) in arrays.iter().enumerate() {
            let path = format!("{field}[{index}]");
            self.check(array.flags == 0, &format!("{path}.flags"), array.flags, "0; flags belong to infos")?;
            // SAFETY: the caller guarantees that the table's strings end with zero bytes.
            let name = unsafe { self.text(&format!("{path}.name"), array.name) }?;
            // SAFETY: the caller guarantees that the lists and strings in `array` are valid.
            let space = unsafe { self.array(&path, array) }?;
            let is_action_text = field == "action" && matches!(space, Space::Text { .. });
            self.check(!is_action_text, &format!("{path}.kind"), "EPR_TEXT", "another kind; text is for observations only")?;
            named.push(NamedSpace { name, space });
        }
        self.compose(field, named)
    }

    /// Combines arrays into one space: the array's own space if there is one array, otherwise a `Dict` of the arrays by name.
    fn compose(&self, field: &str, mut arrays: Vec<NamedSpace>) -> Result<Space> {
        if let [NamedSpace { name, .. }] = &arrays[..]
            && name.is_empty()
        {
            return Ok(arrays.remove(0).space);
        }
        let names: Vec<_> = arrays.iter().map(|array| array.name.clone()).collect();
        for (index, name) in names.iter().enumerate() {
            let path = format!("{field}[{index}].name");
            let is_name = !name.is_empty() && name.split('.').all(|part| !part.is_empty());
            self.check(is_name, &path, format_args!("{name:?}"), "a key, or keys joined by dots; \"\" is for a single array")?;
            self.check(!names[..index].contains(name), &path, format_args!("{name:?}"), "another name for each array")?;
        }
        let mut root = Vec::new();
        for (index, NamedSpace { name, space }) in arrays.into_iter().enumerate() {
            let parts: Vec<_> = name.split('.').collect();
            insert(&mut root, &parts, space)
                .map_err(|expected| self.refuse(&format!("{field}[{index}].name"), format_args!("{name:?}"), expected))?;
        }
        Ok(Space::Dict(root))
    }

    /// Reads the space of one array.
    ///
    /// # Safety
    /// Non-null lists and strings in `array` are valid.
    unsafe fn array(&self, path: &str, array: &Array) -> Result<Space> {
        // SAFETY: the caller guarantees that the lists in `array` are valid.
        let shape = unsafe { self.shape(path, array) }?;
        let elements = shape.iter().product::<usize>();
        let dtype = self.dtype(path, array.dtype)?;
        let one_of = |allowed: &[Dtype]| {
            let names: Vec<_> = allowed.iter().map(|dtype| dtype.name()).collect();
            self.check(allowed.contains(&dtype), &format!("{path}.dtype"), dtype.name(), names.join(" or "))
        };
        let is_plain = array.kind != abi::TEXT && !array.charset.is_null();
        self.check(!is_plain, &format!("{path}.charset"), "a text", "null; only EPR_TEXT has one")?;
        match array.kind {
            abi::BOX => {
                // SAFETY: the caller guarantees that the lists in `array` are valid.
                let (low, high) = unsafe { self.bounds(path, array, elements) }?;
                Ok(Space::Box { low, high, shape, dtype })
            }
            abi::DISCRETE => {
                one_of(&[Dtype::I32, Dtype::I64])?;
                self.check(shape.is_empty(), &format!("{path}.dims"), shape.len(), "0 for EPR_DISCRETE")?;
                // SAFETY: the caller guarantees that the lists in `array` are valid.
                let n = unsafe { self.values_of(path, array, 1) }?[0];
                let (start, last) = (array.start, array.start.checked_add(n - 1));
                let fits = i32::try_from(start).is_ok() && last.is_some_and(|last| i32::try_from(last).is_ok());
                self.check(fits, &format!("{path}.start"), start, "values of int32")?;
                Ok(Space::Discrete { n, start, dtype })
            }
            abi::MULTI_DISCRETE => {
                one_of(&[Dtype::I32, Dtype::I64])?;
                // SAFETY: the caller guarantees that the lists in `array` are valid.
                Ok(Space::MultiDiscrete { counts: unsafe { self.values_of(path, array, elements) }?, shape, dtype })
            }
            abi::MULTI_BINARY => {
                one_of(&[Dtype::I8])?;
                Ok(Space::MultiBinary { shape })
            }
            abi::TEXT => {
                one_of(&[Dtype::U8])?;
                // SAFETY: the caller guarantees that the table's strings end with zero bytes.
                let charset = unsafe { self.text(&format!("{path}.charset"), array.charset) }?;
                let is_charset = !charset.is_empty() && charset.is_ascii();
                self.check(is_charset, &format!("{path}.charset"), format_args!("{charset:?}"), "ASCII characters")?;
                self.check(shape.len() == 1, &format!("{path}.dims"), shape.len(), "1 for EPR_TEXT")?;
                Ok(Space::Text { shape: [shape[0]], charset })
            }
            kind => Err(self.refuse(
                &format!("{path}.kind"),
                kind,
                "EPR_BOX, EPR_DISCRETE, EPR_MULTI_DISCRETE, EPR_MULTI_BINARY or EPR_TEXT; ABI version 0 has no other spaces",
            )),
        }
    }

    /// Reads the shape of an array.
    ///
    /// # Safety
    /// Non-null lists in `array` are valid.
    unsafe fn shape(&self, path: &str, array: &Array) -> Result<Vec<usize>> {
        let dims = self.count(&format!("{path}.dims"), array.dims, (0, 32))?;
        let field = format!("{path}.shape");
        // SAFETY: the caller guarantees that the array's lists have the declared lengths.
        let shape = unsafe { self.list(&field, array.shape, dims) }?;
        let mut elements = 1_usize;
        let mut sides = Vec::with_capacity(dims);
        for (index, side) in shape.iter().enumerate() {
            let side = self.count(&format!("{field}[{index}]"), *side, (1, MAX_ELEMENTS as u64))?;
            elements = elements.saturating_mul(side);
            sides.push(side);
        }
        self.check(elements <= MAX_ELEMENTS, &field, elements, format_args!("{MAX_ELEMENTS} elements at most"))?;
        Ok(sides)
    }

    /// Reads the bounds of an array of kind box.
    ///
    /// # Safety
    /// Non-null lists in `array` are valid.
    unsafe fn bounds(&self, path: &str, array: &Array, elements: usize) -> Result<(Vec<f64>, Vec<f64>)> {
        let count = array.bounds;
        if count == 0 {
            return Ok(match array.dtype {
                abi::BOOL => (vec![0.0], vec![1.0]),
                abi::UINT8 => (vec![0.0], vec![255.0]),
                abi::INT8 => (vec![-128.0], vec![127.0]),
                abi::INT16 => (vec![f64::from(i16::MIN)], vec![f64::from(i16::MAX)]),
                abi::INT32 => (vec![f64::from(i32::MIN)], vec![f64::from(i32::MAX)]),
                abi::INT64 => (vec![i64::MIN as f64], vec![i64::MAX as f64]),
                _ => (vec![f64::NEG_INFINITY], vec![f64::INFINITY]),
            });
        }
        let is_count = count == 1 || count == elements as u64;
        self.check(is_count, &format!("{path}.bounds"), count as i64, format_args!("0, 1 or {elements}"))?;
        // SAFETY: the caller guarantees that the array's lists have the declared lengths.
        let low = unsafe { self.list(&format!("{path}.low"), array.low, count as usize) }?;
        // SAFETY: the caller guarantees that the array's lists have the declared lengths.
        let high = unsafe { self.list(&format!("{path}.high"), array.high, count as usize) }?;
        for (index, (low, high)) in low.iter().zip(&high).enumerate() {
            let field = format!("{path}.low[{index}]");
            self.check(low <= high, &field, low, format_args!("a number up to high, which is {high}"))?;
        }
        Ok((low, high))
    }

    /// Reads the number of values of each element of a discrete space.
    ///
    /// # Safety
    /// Non-null lists in `array` are valid.
    unsafe fn values_of(&self, path: &str, array: &Array, count: usize) -> Result<Vec<i64>> {
        let field = format!("{path}.n");
        // SAFETY: the caller guarantees that the array's lists have the declared lengths.
        let counts = unsafe { self.list(&field, array.n, count) }?;
        for (index, n) in counts.iter().enumerate() {
            let fits = (1..=i64::from(i32::MAX)).contains(n);
            self.check(fits, &format!("{field}[{index}]"), n, format_args!("1 to {}", i32::MAX))?;
        }
        Ok(counts)
    }

    fn dtype(&self, path: &str, dtype: u64) -> Result<Dtype> {
        Ok(match dtype {
            abi::BOOL => Dtype::Bool,
            abi::UINT8 => Dtype::U8,
            abi::INT8 => Dtype::I8,
            abi::INT16 => Dtype::I16,
            abi::INT32 => Dtype::I32,
            abi::INT64 => Dtype::I64,
            abi::FLOAT32 => Dtype::F32,
            abi::FLOAT64 => Dtype::F64,
            other => {
                let known = "1 (bool), 2 (uint8), 3 (int8), 4 (int16), 5 (int32), 6 (int64), 7 (float32) or 8 (float64)";
                return Err(self.refuse(&format!("{path}.dtype"), other, known));
            }
        })
    }

    /// Reads the descriptions of the infos.
    ///
    /// # Errors
    /// `Value`, naming the array and the field.
    ///
    /// # Safety
    /// `first` is the address of `count` array descriptions, whose non-null lists and strings are valid.
    pub unsafe fn infos(&self, first: *const Array, count: u64) -> Result<Vec<InfoSpec>> {
        let count = self.count("infos", count, (0, MAX_ARRAYS))?;
        // SAFETY: the caller guarantees that the table's list has `count` structs.
        let arrays = unsafe { self.structs("info", "epr_array", first, count) }?;
        let mut infos: Vec<InfoSpec> = Vec::with_capacity(count);
        for (index, array) in arrays.iter().enumerate() {
            let path = format!("info[{index}]");
            let field = format!("{path}.name");
            // SAFETY: the caller guarantees that the table's strings end with zero bytes.
            let name = unsafe { self.text(&field, array.name) }?;
            let is_new = !name.is_empty() && infos.iter().all(|info| info.key != name);
            self.check(is_new, &field, format_args!("{name:?}"), "a name of its own")?;
            self.check(array.kind == abi::BOX, &format!("{path}.kind"), array.kind, "EPR_BOX")?;
            let timing = match array.flags {
                0 => InfoTiming::Always,
                abi::AFTER_STEPS => InfoTiming::Steps,
                abi::AFTER_TERMINATIONS => InfoTiming::Terminations,
                flags => {
                    return Err(self.refuse(&format!("{path}.flags"), flags, "0, EPR_AFTER_STEPS or EPR_AFTER_TERMINATIONS"));
                }
            };
            // SAFETY: the caller guarantees that the table's strings end with zero bytes.
            let shape = unsafe { self.shape(&path, array) }?;
            let info = InfoSpec::new(intern(&name), self.dtype(&path, array.dtype)?, &shape);
            infos.push(InfoSpec { timing, ..info });
        }
        Ok(infos)
    }

    /// Reads the options of a task; options cannot have the names in `reserved`.
    ///
    /// # Errors
    /// `Value`, naming the option and the field.
    ///
    /// # Safety
    /// `first` is null, or the address of `count` option descriptions, whose non-null lists and strings are valid.
    pub unsafe fn options(&self, first: *const TaskOption, count: u64, reserved: &[&str]) -> Result<Vec<OptionSpec>> {
        let count = self.count("options", count, (0, MAX_ARRAYS))?;
        // SAFETY: the caller guarantees that the table's list has `count` structs.
        let options = unsafe { self.structs("option", "epr_option", first, count) }?;
        let mut specs: Vec<OptionSpec> = Vec::with_capacity(count);
        for (index, option) in options.iter().enumerate() {
            let path = format!("option[{index}]");
            // SAFETY: the caller guarantees that the lists and strings in `option` are valid.
            let spec = unsafe { self.option(&path, option) }?;
            let (field, name) = (format!("{path}.name"), format!("{:?}", spec.name));
            self.check(specs.iter().all(|other| other.name != spec.name), &field, &name, "a name of its own")?;
            self.check(!reserved.contains(&spec.name), &field, &name, "another name; each task has this option")?;
            specs.push(spec);
        }
        Ok(specs)
    }

    /// Reads the description of an option.
    ///
    /// # Safety
    /// Non-null lists and strings in `option` are valid.
    unsafe fn option(&self, path: &str, option: &TaskOption) -> Result<OptionSpec> {
        // SAFETY: the caller guarantees that the table's strings end with zero bytes.
        let name =
            intern(&self.identifier(&format!("{path}.name"), unsafe { self.text(&format!("{path}.name"), option.name) }?)?);
        // SAFETY: the caller guarantees that the table's strings end with zero bytes.
        let doc = intern(&unsafe { self.text(&format!("{path}.doc"), option.doc) }?);
        let (flags, field) = (option.flags, format!("{path}.flags"));
        let known = "EPR_RANGE, EPR_PATH or EPR_DRAWN; ABI version 0 has no others";
        self.check(flags & !(abi::RANGE | abi::PATH | abi::DRAWN) == 0, &field, flags, known)?;
        let is_number = matches!(option.value.kind, abi::OPTION_INT | abi::OPTION_FLOAT);
        let is_text = option.value.kind == abi::OPTION_TEXT;
        self.check(flags & abi::RANGE == 0 || is_number, &field, flags, "EPR_RANGE for int and float only")?;
        self.check(flags & abi::PATH == 0 || is_text, &field, flags, "EPR_PATH for text only")?;
        let is_drawn = flags & abi::DRAWN != 0;
        self.check(!is_drawn || !is_text, &field, flags, "EPR_DRAWN for bool, int and float only")?;
        let choices = self.count(&format!("{path}.choices"), option.choices, (0, MAX_ARRAYS))?;
        self.check(choices == 0 || is_text, &format!("{path}.choices"), choices, "0, because only texts have choices")?;
        if flags & abi::RANGE != 0 {
            let (low, high) = (option.low, option.high);
            self.check(low <= high, &format!("{path}.low"), low, format_args!("a number up to high, which is {high}"))?;
        }
        let (low, high) = (option.low, option.high);
        let spec = match option.value.kind {
            abi::OPTION_BOOL => OptionSpec::new(name, option.value.integer != 0, doc),
            abi::OPTION_INT if flags & abi::RANGE != 0 => {
                OptionSpec::new(name, option.value.integer, doc).integers(low as i64..=high as i64)
            }
            abi::OPTION_INT if is_drawn => OptionSpec::new(name, option.value.integer, doc).integers(-EXACT..=EXACT),
            abi::OPTION_INT => OptionSpec::new(name, option.value.integer, doc),
            abi::OPTION_FLOAT if flags & abi::RANGE != 0 => OptionSpec::new(name, option.value.number, doc).numbers(low..=high),
            abi::OPTION_FLOAT => OptionSpec::new(name, option.value.number, doc),
            abi::OPTION_TEXT if flags & abi::PATH != 0 => OptionSpec::path(name, doc),
            abi::OPTION_TEXT => {
                // SAFETY: the caller guarantees that the table's strings end with zero bytes.
                let text = unsafe { self.text(&format!("{path}.value.text"), option.value.text) }?;
                // SAFETY: the caller guarantees that the option's list has `choices` strings, which end with zero bytes.
                let texts = unsafe { self.texts(&format!("{path}.choice"), option.choice, choices) }?;
                let texts: Vec<&'static str> = texts.iter().map(|text| intern(text)).collect();
                let spec = OptionSpec::new(name, text, doc);
                if texts.is_empty() { spec } else { spec.one_of(Vec::leak(texts)) }
            }
            kind => {
                let known = "EPR_OPTION_BOOL, EPR_OPTION_INT, EPR_OPTION_FLOAT or EPR_OPTION_TEXT";
                return Err(self.refuse(&format!("{path}.value.kind"), kind, known));
            }
        };
        let spec = if is_drawn { spec.per_episode() } else { spec };
        let is_default = spec.default == Value::None || spec.accepts(&spec.default);
        let allowed = spec.allowed_text().unwrap_or_else(|| "a finite number".to_owned());
        self.check(is_default, &format!("{path}.value"), &spec.default, allowed)?;
        Ok(spec)
    }

    /// Returns the name of an option, if it is an identifier.
    ///
    /// # Errors
    /// `Value` for other texts.
    pub fn identifier(&self, field: &str, name: String) -> Result<String> {
        let is_name_character = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_name = name.chars().all(is_name_character) && name.starts_with(|c: char| !c.is_ascii_digit());
        if is_name { Ok(name) } else { Err(self.refuse(field, format_args!("{name:?}"), "letters, digits and _")) }
    }
}

/// Inserts a space into nested `Dict`s by its keys.
///
/// # Errors
/// A message with the expected keys, if a key belongs to an array, or if its `Dict` is not the last one.
fn insert(entries: &mut Vec<(String, Space)>, keys: &[&str], space: Space) -> Result<(), &'static str> {
    let (key, rest) = keys.split_first().expect("a name has a key");
    let last = entries.len().wrapping_sub(1);
    match (entries.iter().position(|(name, _)| name == key), rest) {
        (None, []) => entries.push(((*key).to_owned(), space)),
        (None, rest) => {
            let mut inner = Vec::new();
            insert(&mut inner, rest, space)?;
            entries.push(((*key).to_owned(), Space::Dict(inner)));
        }
        (Some(index), [_, ..]) => match &mut entries[index].1 {
            Space::Dict(inner) if index == last => insert(inner, rest, space)?,
            Space::Dict(_) => return Err("the leaves of a Dict one after the other"),
            _ => return Err("no array with a name before its dots"),
        },
        (Some(_), []) => return Err("no array with a name before its dots"),
    }
    Ok(())
}

/// Returns the id of a task, if gymnasium accepts it.
///
/// # Errors
/// `Value` for other texts.
pub fn task_id(path: &TablePath, id: String) -> Result<&'static str, Error> {
    let is_part = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.:".contains(c));
    let (folder, name) = id.split_once('/').unwrap_or(("x", &id));
    let version = name.rsplit_once("-v").map(|(_, version)| version);
    let is_version = version.is_some_and(|version| !version.is_empty() && version.chars().all(|c| c.is_ascii_digit()));
    let is_good = is_part(folder) && !folder.contains('.') && is_part(name) && is_version && !name.starts_with("-v");
    path.check(is_good, "id", format_args!("{id:?}"), "\"Name-v0\" or \"folder/Name-v0\"")?;
    Ok(intern(&id))
}
