//! Field offsets of MuJoCo's structs, and values of MuJoCo's enumerations, parsed from a table.
//!
//! Offsets and values differ between MuJoCo versions, so the table is generated from the description in the user's own
//! `mujoco` package. Each line has one entry. `mjModel.nq 0 int64 1 8` is a field with its offset in bytes, its type, the
//! number of elements and their stride in bytes. `mjtState.mjSTATE_TIME 1` is an enumeration value.

use std::collections::HashMap;

use crate::faults::Fault;

/// Declares [`Kind`]: the description of each variant, and its name in layout tables.
macro_rules! kinds {
    ($($doc:literal $variant:ident $name:literal),* $(,)?) => {
        /// Type of the elements of a MuJoCo struct's field.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind {
            $(#[doc = $doc] $variant,)*
        }

        impl Kind {
            /// All types.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            fn named(name: &str) -> Option<Self> {
                [$($name),*].iter().position(|known| *known == name).map(|index| Self::ALL[index])
            }
        }
    };
}
kinds! {
    "A 4-byte integer." Int32 "int32",
    "An 8-byte integer." Int64 "int64",
    "An 8-byte float." Float64 "float64",
    "A 4-byte float." Float32 "float32",
    "A pointer to 8-byte floats." Float64s "float64*",
    "A pointer to 4-byte floats." Float32s "float32*",
    "A pointer to 4-byte integers." Int32s "int32*",
    "A pointer to bytes." Bytes "byte*",
    "A byte." Byte "byte",
}

impl Kind {
    /// Returns whether the field is a pointer to its elements, which are then not stored in the struct itself.
    pub fn is_pointer(self) -> bool {
        matches!(self, Self::Float64s | Self::Float32s | Self::Int32s | Self::Bytes)
    }
}

/// Field of a MuJoCo struct: its offset, type and number of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Offset from the start of the struct, in bytes.
    pub offset: usize,
    /// Type of the field's elements.
    pub kind: Kind,
    /// Number of elements in the field.
    pub count: usize,
    /// Distance between consecutive elements, in bytes.
    pub stride: usize,
}

/// Field offsets of MuJoCo's structs and values of its enumerations, by name.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    /// Fields, by name; `None` for fields whose type is not a [`Kind`].
    fields: HashMap<String, Option<Field>>,
    numbers: HashMap<String, i64>,
}

impl Layout {
    /// Parses a layout table. Of fields whose type is not a [`Kind`], only the names are known.
    ///
    /// # Errors
    /// `Library` for an invalid line.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let mut layout = Self::default();
        for line in text.lines() {
            layout.add(line).ok_or_else(|| Fault::Library(format!("the layout of MuJoCo's structs has a line {line:?}")))?;
        }
        Ok(layout)
    }

    fn add(&mut self, line: &str) -> Option<()> {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            [name, number] => _ = self.numbers.insert(name.to_owned(), number.parse().ok()?),
            [name, offset, kind, count, stride] => {
                let [offset, count, stride] = [offset.parse().ok()?, count.parse().ok()?, stride.parse().ok()?];
                let field = Kind::named(kind).map(|kind| Field { offset, kind, count, stride });
                self.fields.insert(name.to_owned(), field);
            }
            _ => return None,
        }
        Some(())
    }

    /// Returns the field with the name `name`, whose type must be one of `kinds`.
    ///
    /// # Errors
    /// `Library` if there is no field of this name and of one of these types.
    pub fn field(&self, name: &str, kinds: &[Kind]) -> Result<Field, Fault> {
        match self.any_field(name) {
            Some(field) if kinds.contains(&field.kind) => Ok(field),
            Some(field) => {
                Err(Fault::Library(format!("{name} of this version of MuJoCo is {:?}: expected {kinds:?}", field.kind)))
            }
            None => Err(Fault::Library(format!("this version of MuJoCo has no {name}"))),
        }
    }

    /// Returns the field with the name `name`; `None` if no field whose type is a [`Kind`] has this name.
    pub fn any_field(&self, name: &str) -> Option<Field> {
        self.fields.get(name).copied().flatten()
    }

    /// Iterates over the names of all fields of `mjModel`, in any order: `opt.timestep` for `mjModel.opt.timestep`.
    pub fn model_fields(&self) -> impl Iterator<Item = &str> {
        self.fields.keys().filter_map(|name| name.strip_prefix("mjModel."))
    }

    /// Returns the value of an enumerator, such as `mjtState.mjSTATE_TIME`.
    ///
    /// # Errors
    /// `Library` if there is no enumerator of this name.
    pub fn number(&self, name: &str) -> Result<i32, Fault> {
        let number = self.numbers.get(name).and_then(|number| i32::try_from(*number).ok());
        number.ok_or_else(|| Fault::Library(format!("this version of MuJoCo has no {name}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_numbers_are_found_by_name_and_kind() {
        let layout =
            Layout::parse("mjModel.nq 8 int64 1 8\nmjData.warning.number 4 int32 7 8\nmjData.x 16 mjContact* 1 8\nA.B 5")
                .unwrap();
        assert_eq!(layout.field("mjModel.nq", &[Kind::Int32, Kind::Int64]).unwrap().offset, 8);
        let number = Field { offset: 4, kind: Kind::Int32, count: 7, stride: 8 };
        assert_eq!(layout.field("mjData.warning.number", &[Kind::Int32]), Ok(number));
        assert_eq!(layout.number("A.B"), Ok(5));
        let missing = |name, kind| layout.field(name, &[kind]).unwrap_err().to_string();
        assert_eq!(missing("mjModel.nv", Kind::Int32), "this version of MuJoCo has no mjModel.nv");
        assert_eq!(missing("mjModel.nq", Kind::Float64), "mjModel.nq of this version of MuJoCo is Int64: expected [Float64]");
        assert!(layout.field("mjData.x", &[Kind::Float64s]).is_err());
        assert_eq!((layout.any_field("mjData.x"), layout.model_fields().collect::<Vec<_>>()), (None, vec!["nq"]));
        assert!(layout.number("A.C").is_err());
        for bad in ["a", "a b", "a b c d e", "a 1 int32 1"] {
            assert!(matches!(Layout::parse(bad), Err(Fault::Library(_))), "{bad}");
        }
    }
}
