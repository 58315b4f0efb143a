//! Where the fields of the library's structs lie, and how they are read.

use std::ffi::c_int;

use super::faults::Fault;
use super::layout::{Field, Kind, Layout};

/// `mjModel`, of which only offsets are known.
#[repr(C)]
pub(super) struct RawModel {
    _unknown: [u8; 0],
}

/// `mjData`, likewise.
#[repr(C)]
pub(super) struct RawData {
    _unknown: [u8; 0],
}

macro_rules! sizes {
    ($($(#[$doc:meta])* $name:ident),*) => {
        /// Numbers of things in a model.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct ModelSizes {
            $($(#[$doc])* pub $name: usize,)*
        }

        #[derive(Debug)]
        pub(super) struct SizeFields {
            $($name: Field,)*
        }

        impl SizeFields {
            fn find(layout: &Layout) -> Result<Self, Fault> {
                Ok(Self { $($name: layout.field(concat!("mjModel.", stringify!($name)), &[Kind::Int32, Kind::Int64])?,)* })
            }

            /// # Safety
            /// As for [`integer`].
            pub(super) unsafe fn read(&self, model: *const RawModel) -> ModelSizes {
                // SAFETY: passed on to the caller.
                unsafe { ModelSizes { $($name: integer(model, self.$name) as usize,)* } }
            }
        }
    };
}

sizes! {
    /// Numbers of a position.
    nq,
    /// Numbers of a velocity: degrees of freedom.
    nv,
    /// Numbers of a control.
    nu,
    /// Actuators' own states.
    na,
    /// Bodies, the world first.
    nbody,
    /// Sites.
    nsite,
    /// Tendons.
    ntendon
}

/// Where a model's fields lie.
#[derive(Debug)]
pub(super) struct ModelFields {
    pub(super) sizes: SizeFields,
    pub(super) nbuffer: Field,
    pub(super) timestep: Field,
    pub(super) disableflags: Field,
    pub(super) body_mass: Field,
    pub(super) body_inertia: Field,
    pub(super) body_pos: Field,
    pub(super) dof_damping: Field,
    pub(super) dof_armature: Field,
    pub(super) qpos0: Field,
    pub(super) actuator_gear: Field,
    pub(super) actuator_ctrlrange: Field,
    pub(super) body_kind: c_int,
    pub(super) islands: c_int,
    pub(super) mid_phase: c_int,
    /// What it takes to go on with a simulation.
    pub(super) integration: c_int,
}

impl ModelFields {
    pub(super) fn find(layout: &Layout) -> Result<Self, Fault> {
        let array = |name| layout.field(name, &[Kind::Float64s]);
        Ok(Self {
            sizes: SizeFields::find(layout)?,
            nbuffer: layout.field("mjModel.nbuffer", &[Kind::Int64])?,
            timestep: layout.field("mjModel.opt.timestep", &[Kind::Float64])?,
            disableflags: layout.field("mjModel.opt.disableflags", &[Kind::Int32])?,
            body_mass: array("mjModel.body_mass")?,
            body_inertia: array("mjModel.body_inertia")?,
            body_pos: array("mjModel.body_pos")?,
            dof_damping: array("mjModel.dof_damping")?,
            dof_armature: array("mjModel.dof_armature")?,
            qpos0: array("mjModel.qpos0")?,
            actuator_gear: array("mjModel.actuator_gear")?,
            actuator_ctrlrange: array("mjModel.actuator_ctrlrange")?,
            body_kind: layout.number("mjtObj.mjOBJ_BODY")?,
            islands: layout.number("mjtDisableBit.mjDSBL_ISLAND")?,
            mid_phase: layout.number("mjtDisableBit.mjDSBL_MIDPHASE")?,
            integration: layout.number("mjtState.mjSTATE_INTEGRATION")?,
        })
    }
}

/// The arrays of a simulation: what each holds, its name, and its length as so many times a size of the model's.
macro_rules! simulation_arrays {
    ($make:ident) => {
        $make! {
            /// Positions.
            qpos: 1 * nq,
            /// Velocities.
            qvel: 1 * nv,
            /// Controls, before they are cut off at their bounds.
            ctrl: 1 * nu,
            /// Positions of the bodies' frames, three numbers each.
            xpos: 3 * nbody,
            /// Positions of the bodies' centres of mass, three numbers each.
            xipos: 3 * nbody,
            /// Positions of the sites, three numbers each.
            site_xpos: 3 * nsite,
            /// Inertias of the bodies about the centre of mass of their tree, ten numbers each.
            cinert: 10 * nbody,
            /// Velocities of the bodies about it, six numbers each.
            cvel: 6 * nbody,
            /// Forces on the bodies from outside, six numbers each; of the last [`Data::step`](super::Data::step) that was asked for them.
            cfrc_ext: 6 * nbody,
            /// Forces of the actuators along the degrees of freedom.
            qfrc_actuator: 1 * nv,
            /// Forces of the constraints along the degrees of freedom.
            qfrc_constraint: 1 * nv,
            /// Lengths of the tendons.
            ten_length: 1 * ntendon,
            /// Velocities of the tendons.
            ten_velocity: 1 * ntendon
        }
    };
}
pub(super) use simulation_arrays;

macro_rules! data_fields {
    ($($(#[$doc:meta])* $name:ident: $width:literal * $size:ident),*) => {
        /// Where a simulation's fields lie.
        #[derive(Debug)]
        pub(super) struct DataFields {
            $($(#[$doc])* pub(super) $name: Field,)*
            pub(super) warnings: Field,
            pub(super) nbuffer: Field,
        }

        impl DataFields {
            pub(super) fn find(layout: &Layout) -> Result<Self, Fault> {
                Ok(Self {
                    $($name: layout.field(concat!("mjData.", stringify!($name)), &[Kind::Float64s])?,)*
                    warnings: layout.field("mjData.warning.number", &[Kind::Int32])?,
                    nbuffer: layout.field("mjData.nbuffer", &[Kind::Int64])?,
                })
            }
        }
    };
}
simulation_arrays!(data_fields);

/// The field of a struct.
///
/// # Safety
/// The struct must be one of the library's that has this field, and this must be its type.
pub(super) unsafe fn at<T>(of: *const impl Sized, field: Field) -> *const T {
    // SAFETY: passed on to the caller.
    unsafe { of.cast::<u8>().add(field.offset).cast() }
}

/// # Safety
/// The model must be the library's, and the field one of its integers.
pub(super) unsafe fn integer(model: *const RawModel, field: Field) -> i64 {
    // SAFETY: passed on to the caller.
    unsafe {
        match field.kind {
            Kind::Int32 => i64::from(*at::<i32>(model, field)),
            _ => *at::<i64>(model, field),
        }
    }
}

/// The floats that a field of a struct is the address of.
///
/// # Safety
/// The field must be the address of `len` floats, or anything where that is 0; they must live as long as is promised, and not change.
pub(super) unsafe fn floats<'a>(of: *const impl Sized, field: Field, len: usize) -> &'a [f64] {
    if len == 0 {
        return &[];
    }
    // SAFETY: passed on to the caller.
    unsafe { std::slice::from_raw_parts(*at::<*const f64>(of, field), len) }
}
