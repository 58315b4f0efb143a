//! Looks up a model's objects by name.

use std::ops::Range;

use envpool_rs_engine::{Error, Result};
use envpool_rs_sim_mujoco::{Model, ObjectKind};

/// Model whose objects are looked up by name. A missing object is an error of the kind `Value` that names it.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a>(pub &'a Model);

impl Names<'_> {
    /// Returns the id of the object `name` of a kind.
    pub fn id(self, kind: ObjectKind, name: &str) -> Result<usize> {
        self.0.id(kind, name).ok_or_else(|| missing(kind, name))
    }

    /// Returns the index in `qpos` of the first position coordinate of the joint `joint`.
    pub fn position(self, joint: &str) -> Result<usize> {
        Ok(self.0.jnt_qposadr()[self.id(ObjectKind::Joint, joint)?] as usize)
    }

    /// Returns the index in `qvel` of the first velocity component of the joint `joint`.
    pub fn velocity(self, joint: &str) -> Result<usize> {
        Ok(self.0.jnt_dofadr()[self.id(ObjectKind::Joint, joint)?] as usize)
    }

    /// Returns the range of indices in `sensordata` of the values of the sensor `name`.
    pub fn sensor(self, name: &str) -> Result<Range<usize>> {
        let id = self.id(ObjectKind::Sensor, name)?;
        let start = self.0.sensor_adr()[id] as usize;
        Ok(start..start + self.0.sensor_dim()[id] as usize)
    }

    /// Returns the indices in `sensordata` of several sensors' values, concatenated.
    pub fn sensors(self, names: &[&str]) -> Result<Vec<usize>> {
        let ranges: Result<Vec<_>> = names.iter().map(|name| self.sensor(name)).collect();
        Ok(ranges?.into_iter().flatten().collect())
    }
}

macro_rules! kinds {
    ($($name:ident $kind:ident),*) => {
        impl Names<'_> {
            $(
                #[doc = concat!("Returns the id of the object `name` of the kind `", stringify!($kind), "`.")]
                pub fn $name(self, name: &str) -> Result<usize> {
                    self.id(ObjectKind::$kind, name)
                }
            )*
        }
    };
}
kinds!(body Body, geom Geom, site Site, joint Joint, material Material, light Light, sensor_id Sensor);

/// Declares a struct of ids of a model's objects, each with the method of [`Names`] and the name that find it, and its constructor
/// `bind`. Fields after `;` are other values, which are arguments of `bind`; names can depend on them.
macro_rules! bound {
    ($(
        $(#[$about:meta])*
        $vis:vis struct $bound:ident {
            $($(#[$doc:meta])* $seen:vis $field:ident: $kind:ident($name:expr)),* $(,)?
            $(; $($(#[$note:meta])* $own:ident: $type:ty,)*)?
        }
    )*) => {
        $(
            $(#[$about])*
            $vis struct $bound {
                $($(#[$doc])* $seen $field: usize,)*
                $($($(#[$note])* $own: $type,)*)?
            }

            impl $bound {
                #[allow(clippy::too_many_arguments, reason = "one for each field of the declaration")]
                $vis fn bind(names: $crate::names::Names<'_> $($(, $own: $type)*)?) -> envpool_rs_engine::Result<Self> {
                    Ok(Self { $($field: names.$kind($name)?,)* $($($own,)*)? })
                }
            }
        )*
    };
}
pub(crate) use bound;

fn missing(kind: ObjectKind, name: &str) -> Error {
    let kind = format!("{kind:?}").to_lowercase();
    Error::Value(format!("the model has no {kind} called {name:?}"))
}

/// Declares a struct with the value of each of its fields, and the function of a trait that creates it. Statements after `with` come
/// before the values.
macro_rules! made {
    (
        $(#[$about:meta])*
        $vis:vis struct $made:ident $(<$(const $parameter:ident: $of:ty),+>)? by $by:ident::$new:ident($($argument:ident: $type:ty),+)
        $(with { $($before:tt)* })?
        { $($(#[$doc:meta])* $field:ident: $kind:ty = $value:expr,)* }
    ) => {
        $(#[$about])*
        $vis struct $made $(<$(const $parameter: $of),+>)? {
            $($(#[$doc])* $field: $kind,)*
        }

        impl $(<$(const $parameter: $of),+>)? $by for $made $(<$($parameter),+>)? {
            fn $new($($argument: $type),+) -> envpool_rs_engine::Result<Self> {
                $($($before)*)?
                Ok(Self { $($field: $value,)* })
            }
        }
    };
}
pub(crate) use made;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_object_is_named_as_it_was_requested() {
        assert_eq!(missing(ObjectKind::Body, "Left_Hand").to_string(), "the model has no body called \"Left_Hand\"");
    }
}
