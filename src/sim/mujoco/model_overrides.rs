//! Per-simulation overrides of model arrays, such as a target's position or a joint's stiffness.
//!
//! An override copies the struct `mjModel` itself (some kilobytes of sizes, options and pointers) and the arrays that change.
//! In the copied struct, pointers to changed arrays point to the copied arrays, and all other pointers point into the shared
//! model. Any number of simulations on any threads can have overrides at the same time.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use crate::fields::{DisableFlag, ModelArrays, ModelSizes, RawModel, at, elements, integer, model_arrays};
use crate::layout::{Field, Kind};
use crate::library::Library;

/// Shared model of which simulations make copies when they change arrays.
#[derive(Clone, Copy)]
pub(super) struct BaseModel<'a> {
    raw: *const RawModel,
    library: &'static Library,
    sizes: &'a ModelSizes,
}

impl<'a> BaseModel<'a> {
    /// Creates a reference to a base model.
    ///
    /// # Safety
    /// `raw` must be a model of `library` with these sizes, and must outlive the reference and all copies of the model.
    pub(super) unsafe fn new(raw: *const RawModel, library: &'static Library, sizes: &'a ModelSizes) -> Self {
        Self { raw, library, sizes }
    }

    pub(super) fn array<T: Copy>(self, array: Array<T>) -> &'a [T] {
        // SAFETY: `array` gives the element type and length of the `mjModel` field, and its elements live as long as the
        // base model.
        unsafe { elements(self.raw, array.field(self.library), array.len(self.sizes)) }
    }
}

/// Identifier of a model array whose elements have the type `T`.
#[derive(Debug)]
pub struct Array<T> {
    name: &'static str,
    field: fn(&ModelArrays) -> Field,
    len: fn(&ModelSizes) -> usize,
    element: PhantomData<T>,
}

impl<T> Clone for Array<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Array<T> {}

impl<T> Array<T> {
    pub(super) fn name(self) -> &'static str {
        self.name
    }

    pub(super) fn field(self, library: &Library) -> Field {
        (self.field)(&library.model.arrays)
    }

    pub(super) fn len(self, sizes: &ModelSizes) -> usize {
        (self.len)(sizes)
    }
}

macro_rules! constants {
    ($($type:ident $kind:ident $constant:ident $name:ident: $width:literal * $size:ident),*) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of `mjModel`: ", $width, " for each of `", stringify!($size), "`")]
            pub const $constant: Array<$type> = Array {
                name: stringify!($name),
                field: |arrays| arrays.$name,
                len: |sizes| $width * sizes.$size,
                element: PhantomData,
            };
        )*

        /// Returns the identifier of the array `name`; `None` if simulations may not override it, such as arrays of indices.
        fn changeable(name: &str) -> Option<OverridableArray> {
            $(
                if name == stringify!($name) {
                    return Changed::$kind($constant);
                }
            )*
            None
        }
    };
}
model_arrays!(constants);

enum OverridableArray {
    Doubles(Array<f64>),
    Singles(Array<f32>),
    Shapes(Array<i32>),
}

/// Converts an array identifier to an [`OverridableArray`]; of arrays of integers, only the types of geoms can be overridden.
struct Changed;

#[allow(non_snake_case, clippy::unnecessary_wraps)]
impl Changed {
    fn Float64s(array: Array<f64>) -> Option<OverridableArray> {
        Some(OverridableArray::Doubles(array))
    }

    fn Float32s(array: Array<f32>) -> Option<OverridableArray> {
        Some(OverridableArray::Singles(array))
    }

    fn Int32s(array: Array<i32>) -> Option<OverridableArray> {
        (array.name == GEOM_TYPE.name).then_some(OverridableArray::Shapes(array))
    }

    fn Bytes(_array: Array<u8>) -> Option<OverridableArray> {
        None
    }
}

/// Element type of model arrays that a simulation may override.
pub trait Number: Copy + Send + Sync + 'static {
    /// Returns the number with the bit pattern `bits`, or `None` if the number is not finite.
    fn from_bits(bits: u64) -> Option<Self>;
    /// Wraps an owned copy of an array as [`Values`].
    fn into_values(values: Vec<Self>) -> Values;
}

/// Elements of an overridden array.
#[derive(Debug, Clone)]
pub enum Values {
    /// Elements in double precision (float64).
    Doubles(Vec<f64>),
    /// Elements in single precision (float32).
    Singles(Vec<f32>),
    /// Types of geoms (`mjtGeom`).
    Shapes(Vec<i32>),
}

impl Number for f64 {
    fn from_bits(bits: u64) -> Option<Self> {
        Some(Self::from_bits(bits)).filter(|value| value.is_finite())
    }

    fn into_values(values: Vec<Self>) -> Values {
        Values::Doubles(values)
    }
}

impl Number for f32 {
    fn from_bits(bits: u64) -> Option<Self> {
        u32::try_from(bits).ok().map(Self::from_bits).filter(|value| value.is_finite())
    }

    fn into_values(values: Vec<Self>) -> Values {
        Values::Singles(values)
    }
}

impl Number for i32 {
    fn from_bits(bits: u64) -> Option<Self> {
        u32::try_from(bits).ok().map(u32::cast_signed)
    }

    fn into_values(values: Vec<Self>) -> Values {
        Values::Shapes(values)
    }
}

/// Name of the gravity in the struct `mjModel`. It is no array of the model, but part of the struct itself.
pub const GRAVITY: &str = "opt.gravity";

/// Types of geoms that need only a size (`mjtGeom`): sphere, capsule, ellipsoid, cylinder, box.
const SIZED: RangeInclusive<i32> = 2..=6;

/// Overrides as they are stored in snapshots: names of arrays, and the bit patterns of the arrays' elements.
pub type SavedOverrides = Vec<(String, Vec<u64>)>;

/// Copy of the struct `mjModel`, together with copies of the arrays that changed.
#[derive(Debug)]
pub(super) struct ModelOverrides {
    head: Vec<u64>,
    arrays: Vec<(&'static str, Values)>,
}

impl ModelOverrides {
    /// Copies the struct of the model `of`, without overriding any array.
    pub(super) fn new(of: BaseModel<'_>) -> Self {
        let bytes = of.library.model.bytes;
        let mut head = vec![0_u64; bytes.div_ceil(size_of::<u64>())];
        // SAFETY: the struct `mjModel` has `bytes` bytes, and `head` is at least as large.
        unsafe { std::ptr::copy_nonoverlapping(of.raw.cast::<u8>(), head.as_mut_ptr().cast(), bytes) };
        Self { head, arrays: Vec::new() }
    }

    pub(super) fn raw(&self) -> *const RawModel {
        self.head.as_ptr().cast()
    }

    /// Returns the address of the copied struct.
    pub(super) fn raw_mut(&mut self) -> *mut u8 {
        self.head.as_mut_ptr().cast()
    }

    /// Disables a stage of the simulation step in this model copy, or enables it. Returns whether the stage was disabled.
    pub(super) fn set_disabled(&mut self, library: &Library, flag: DisableFlag, is_disabled: bool) -> bool {
        let field = library.model.disableflags;
        // SAFETY: `opt.disableflags` is an integer field of the copied struct `mjModel`, and `&mut self` makes the access
        // exclusive.
        let flags = unsafe { &mut *self.raw_mut().add(field.offset).cast::<i32>() };
        let was_disabled = *flags & library.bit(flag) != 0;
        match is_disabled {
            true => *flags |= library.bit(flag),
            false => *flags &= !library.bit(flag),
        }
        was_disabled
    }

    /// Swaps the number of nodes in bounding volume hierarchies (`nbvh`) with `count`.
    ///
    /// Each step clears a byte for each node, some hundred kilobytes for robots with meshes. Only pictures read these bytes, so
    /// a step with the number 0 has the same results in less time.
    pub(super) fn swap_nbvh(&mut self, library: &Library, count: &mut i64) {
        let field = library.model.nbvh;
        // SAFETY: `nbvh` is an integer field of the copied struct `mjModel`, `field.kind` gives its size, and `&mut self` makes
        // the access exclusive.
        unsafe {
            let place = self.raw_mut().add(field.offset);
            let before = integer(self.raw(), field);
            match field.kind {
                Kind::Int32 => place.cast::<i32>().write(*count as i32),
                _ => place.cast::<i64>().write(*count),
            }
            *count = before;
        }
    }

    /// Swaps the pointer to the heights of the height fields (`hfield_data`) with `heights`. The caller swaps it back before the
    /// heights that it points to end.
    pub(super) fn swap_heights(&mut self, library: &Library, heights: &mut *const f32) {
        let field = HFIELD_DATA.field(library);
        // SAFETY: the layout table says that `hfield_data` is a pointer to float32 within the copied struct `mjModel`, and `&mut
        // self` makes the access exclusive.
        unsafe { std::ptr::swap(self.raw_mut().add(field.offset).cast::<*const f32>(), heights) };
    }

    /// Returns a mutable array of this model copy; the first call copies the array from the base model.
    pub(super) fn array_mut<T: Number>(&mut self, of: BaseModel<'_>, array: Array<T>) -> &mut [T] {
        let field = array.field(of.library);
        if self.arrays.iter().all(|(name, _)| *name != array.name) {
            let mut copied = of.array(array).to_vec();
            // SAFETY: the pointer field is within the struct, which `self` owns exclusively. A vector in `arrays` neither grows
            // nor is replaced, and `arrays` only grows. So the elements stay in place, and pointers to them stay valid, even if
            // the vector itself moves.
            unsafe { self.raw_mut().add(field.offset).cast::<*mut T>().write(copied.as_mut_ptr()) };
            self.arrays.push((array.name, T::into_values(copied)));
        }
        let len = array.len(of.sizes);
        if len == 0 {
            return &mut [];
        }
        // SAFETY: the field's pointer refers to an array that this model copy owns, with `T` as element type and the array's
        // length.
        unsafe { std::slice::from_raw_parts_mut((*at::<*mut T>(self.raw(), field)).cast(), len) }
    }

    /// Sets the gravity (`opt.gravity`) of this model copy, in m/s².
    pub(super) fn set_gravity(&mut self, library: &Library, gravity: [f64; 3]) {
        let offset = library.model.gravity.offset;
        // SAFETY: `opt.gravity` is three float64 within the copied struct `mjModel`, and `&mut self` makes the access exclusive.
        unsafe { self.raw_mut().add(offset).cast::<[f64; 3]>().write_unaligned(gravity) };
        self.arrays.retain(|(name, _)| *name != GRAVITY);
        self.arrays.push((GRAVITY, Values::Doubles(gravity.to_vec())));
    }

    /// Returns the elements of an array of this model copy; `None` if the array is the base model's.
    pub(super) fn own_array(&self, array: Array<f64>) -> Option<&[f64]> {
        self.arrays.iter().find_map(|(name, values)| match values {
            Values::Doubles(values) if *name == array.name => Some(&**values),
            _ => None,
        })
    }

    /// Iterates over the arrays that changed, with their names in `mjModel`.
    pub(super) fn changed(&self) -> impl Iterator<Item = (&str, &Values)> {
        self.arrays.iter().map(|(name, values)| (*name, values))
    }

    pub(super) fn save(&self) -> SavedOverrides {
        let bits = |values: &Values| match values {
            Values::Doubles(values) => values.iter().map(|value| value.to_bits()).collect(),
            Values::Singles(values) => values.iter().map(|value| u64::from(value.to_bits())).collect(),
            Values::Shapes(values) => values.iter().map(|value| u64::from(value.cast_unsigned())).collect(),
        };
        self.arrays.iter().map(|(name, values)| ((*name).to_owned(), bits(values))).collect()
    }

    /// Copies the struct of a model and applies saved overrides; returns `None` if the overrides do not fit the model's arrays.
    pub(super) fn restored(of: BaseModel<'_>, changes: &SavedOverrides) -> Option<Self> {
        let mut own = Self::new(of);
        for (name, bits) in changes {
            if name == GRAVITY {
                let mut gravity = [0.0; 3];
                if bits.len() != gravity.len() {
                    return None;
                }
                for (value, bits) in gravity.iter_mut().zip(bits) {
                    *value = <f64 as Number>::from_bits(*bits)?;
                }
                own.set_gravity(of.library, gravity);
                continue;
            }
            match changeable(name)? {
                OverridableArray::Doubles(array) => own.fill(of, array, bits)?,
                OverridableArray::Singles(array) => own.fill(of, array, bits)?,
                OverridableArray::Shapes(array) => {
                    own.fill(of, array, bits)?;
                    let mut pairs = of.array(array).iter().zip(&*own.array_mut(of, array));
                    if !pairs.all(|(before, after)| before == after || SIZED.contains(after)) {
                        return None;
                    }
                }
            }
        }
        Some(own)
    }

    fn fill<T: Number>(&mut self, of: BaseModel<'_>, array: Array<T>, bits: &[u64]) -> Option<()> {
        let values = self.array_mut(of, array);
        if values.len() != bits.len() {
            return None;
        }
        for (value, bits) in values.iter_mut().zip(bits) {
            *value = T::from_bits(*bits)?;
        }
        Some(())
    }
}
