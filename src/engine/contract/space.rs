//! Observation and action spaces, as in gymnasium.

/// Element type of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dtype {
    /// Boolean: one byte, 0 or 1.
    Bool,
    /// Unsigned 8-bit integer.
    U8,
    /// Signed 8-bit integer.
    I8,
    /// Signed 16-bit integer.
    I16,
    /// Signed 32-bit integer.
    I32,
    /// Signed 64-bit integer.
    I64,
    /// Float of single precision, 32 bits.
    F32,
    /// Float of double precision, 64 bits.
    F64,
    /// Any other type: elements of this number of bytes, which the engine does not interpret.
    Raw(u32),
}

impl Dtype {
    /// Returns the size of one element in bytes.
    pub const fn size(self) -> usize {
        match self {
            Self::Bool | Self::U8 | Self::I8 => 1,
            Self::I16 => 2,
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
            Self::Raw(bytes) => bytes as usize,
        }
    }

    /// Returns the alignment of one element in bytes.
    pub const fn alignment(self) -> usize {
        match self {
            Self::Raw(_) => 1,
            other => other.size(),
        }
    }

    /// Returns the 32-bit type of the same kind for a 64-bit type, and any other type unchanged.
    pub const fn narrow(self) -> Self {
        match self {
            Self::I64 => Self::I32,
            Self::F64 => Self::F32,
            other => other,
        }
    }

    /// Returns numpy's name of the type (`"float32"`, `"bool"`, ...).
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::U8 => "uint8",
            Self::I8 => "int8",
            Self::I16 => "int16",
            Self::I32 => "int32",
            Self::I64 => "int64",
            Self::F32 => "float32",
            Self::F64 => "float64",
            Self::Raw(_) => "void",
        }
    }
}

/// A space in gymnasium's sense, for one environment (or one player).
#[derive(Debug, Clone, PartialEq)]
pub enum Space {
    /// `Box(low, high, shape, dtype)`; `low` and `high` hold one value for all elements, or one for each.
    Box {
        /// Lower bounds, inclusive.
        low: Vec<f64>,
        /// Upper bounds, inclusive.
        high: Vec<f64>,
        /// Shape of one observation or action.
        shape: Vec<usize>,
        /// Element type.
        dtype: Dtype,
    },
    /// `Discrete(n, start)`: the integers `start..start + n`; int64 in gymnasium, int32 in EnvPool.
    Discrete {
        /// Number of values.
        n: i64,
        /// The smallest value.
        start: i64,
        /// Element type of the arrays that hold values of this space.
        dtype: Dtype,
    },
    /// `MultiBinary(shape)`: int8, each element 0 or 1.
    MultiBinary {
        /// Shape of one observation or action.
        shape: Vec<usize>,
    },
    /// `MultiDiscrete(counts)`: element `k` is one of `0..counts[k]`; int64 in gymnasium, int32 in EnvPool.
    MultiDiscrete {
        /// Number of values of each element, in C order.
        counts: Vec<i64>,
        /// Shape of one observation or action.
        shape: Vec<usize>,
        /// Element type of the arrays that hold values of this space.
        dtype: Dtype,
    },
    /// `Text(length)`: up to `length` ASCII characters of a set, padded with zeros; uint8 in EnvPool, `str` in gymnasium. For
    /// observations only.
    Text {
        /// Shape of the array that holds a value: the maximum number of characters.
        shape: [usize; 1],
        /// Allowed characters.
        charset: String,
    },
    /// Dictionary of named spaces, in order.
    Dict(Vec<(String, Space)>),
    /// Tuple of spaces, in order.
    Tuple(Vec<Space>),
}

/// One array of a flattened space.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaf<'a> {
    /// Dotted path of the array inside the space; empty if the space itself is one array.
    pub path: String,
    /// Space of the array.
    pub space: &'a Space,
}

impl Space {
    /// Creates a `Box` with the same bounds for all elements.
    pub fn uniform(low: f64, high: f64, shape: &[usize], dtype: Dtype) -> Self {
        Self::Box { low: vec![low], high: vec![high], shape: shape.to_vec(), dtype }
    }

    /// Creates a one-dimensional float32 `Box` from its bounds.
    pub fn vector(low: &[f64], high: &[f64]) -> Self {
        assert_eq!(low.len(), high.len(), "bounds of different lengths");
        Self::Box { low: low.to_vec(), high: high.to_vec(), shape: vec![low.len()], dtype: Dtype::F32 }
    }

    /// Creates `Discrete(n)` with element type int64.
    pub fn discrete(n: i64) -> Self {
        Self::Discrete { n, start: 0, dtype: Dtype::I64 }
    }

    /// Creates `MultiBinary(n)`.
    pub fn multi_binary(n: usize) -> Self {
        Self::MultiBinary { shape: vec![n] }
    }

    /// Creates `MultiDiscrete(counts)` with element type int64.
    pub fn multi_discrete(counts: &[i64]) -> Self {
        Self::MultiDiscrete { counts: counts.to_vec(), shape: vec![counts.len()], dtype: Dtype::I64 }
    }

    /// Creates `Text(length)` with this character set.
    pub fn text(length: usize, charset: &str) -> Self {
        assert!(charset.is_ascii(), "characters of more than a byte");
        Self::Text { shape: [length], charset: charset.to_owned() }
    }

    /// Returns the arrays of a value of this space, depth first.
    pub fn leaves(&self) -> Vec<Leaf<'_>> {
        let mut leaves = Vec::new();
        self.collect_leaves(String::new(), &mut leaves);
        leaves
    }

    fn collect_leaves<'a>(&'a self, path: String, leaves: &mut Vec<Leaf<'a>>) {
        let join = |part: &str| if path.is_empty() { part.to_owned() } else { format!("{path}.{part}") };
        match self {
            Self::Dict(parts) => {
                for (key, space) in parts {
                    space.collect_leaves(join(key), leaves);
                }
            }
            Self::Tuple(parts) => {
                for (index, space) in parts.iter().enumerate() {
                    space.collect_leaves(join(&index.to_string()), leaves);
                }
            }
            _ => leaves.push(Leaf { path, space: self }),
        }
    }

    /// Returns the shape of an array; empty for a single number, and for composite spaces.
    pub fn shape(&self) -> &[usize] {
        match self {
            Self::Box { shape, .. } | Self::MultiBinary { shape } | Self::MultiDiscrete { shape, .. } => shape,
            Self::Text { shape, .. } => shape,
            _ => &[],
        }
    }

    /// Returns the element type of a space that is one array.
    ///
    /// # Panics
    /// For composite spaces.
    pub fn dtype(&self) -> Dtype {
        match self {
            Self::Box { dtype, .. } | Self::Discrete { dtype, .. } | Self::MultiDiscrete { dtype, .. } => *dtype,
            Self::MultiBinary { .. } => Dtype::I8,
            Self::Text { .. } => Dtype::U8,
            Self::Dict(_) | Self::Tuple(_) => panic!("a composite space has no element type"),
        }
    }

    /// Returns the number of scalars in one value of this space.
    pub fn size(&self) -> usize {
        match self {
            Self::Box { shape, .. } | Self::MultiBinary { shape } | Self::MultiDiscrete { shape, .. } => shape.iter().product(),
            Self::Discrete { .. } => 1,
            Self::Text { shape: [length], .. } => *length,
            Self::Dict(parts) => parts.iter().map(|(_, space)| space.size()).sum(),
            Self::Tuple(parts) => parts.iter().map(Space::size).sum(),
        }
    }
}

impl std::fmt::Display for Space {
    /// Formats the space as gymnasium does, without bounds that differ between elements.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Box { low, high, shape, dtype } => {
                let bounds = match (low.as_slice(), high.as_slice()) {
                    ([low], [high]) => format!("{low}, {high}, "),
                    _ => String::new(),
                };
                write!(f, "Box({bounds}{shape:?}, {})", dtype.name())
            }
            Self::Discrete { n, start: 0, .. } => write!(f, "Discrete({n})"),
            Self::Discrete { n, start, .. } => write!(f, "Discrete({n}, start={start})"),
            Self::MultiBinary { shape } => match shape.as_slice() {
                [n] => write!(f, "MultiBinary({n})"),
                _ => write!(f, "MultiBinary({shape:?})"),
            },
            Self::MultiDiscrete { counts, .. } => write!(f, "MultiDiscrete({counts:?})"),
            Self::Text { shape: [length], .. } => write!(f, "Text({length})"),
            Self::Dict(parts) => {
                let parts: Vec<_> = parts.iter().map(|(key, part)| format!("{key:?}: {part}")).collect();
                write!(f, "Dict({})", parts.join(", "))
            }
            Self::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(Self::to_string).collect();
                write!(f, "Tuple({})", parts.join(", "))
            }
        }
    }
}
