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

/// Stages of a step that a model may go without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flag {
    /// The search for islands: groups of bodies that do not touch one another.
    Islands,
    /// The search for pairs of bodies by boxes within boxes.
    MidPhase,
    /// The actuators.
    Actuation,
}

macro_rules! sizes {
    ($($(#[$doc:meta])* $name:ident),*) => {
        /// Numbers of things in a model.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct ModelSizes {
            $($(#[$doc])* pub $name: usize,)*
        }

        impl ModelSizes {
            /// Nothing at all.
            pub const NONE: Self = Self { $($name: 0,)* };
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
    /// Joints.
    njnt,
    /// Geometries: what touches, and is seen.
    ngeom,
    /// Sites.
    nsite,
    /// Lights.
    nlight,
    /// Tendons.
    ntendon,
    /// Parts of tendons' paths.
    nwrap,
    /// Sensors.
    nsensor,
    /// Numbers of all sensors together.
    nsensordata,
    /// Materials: what surfaces look like.
    nmat,
    /// Fields of heights.
    nhfield,
    /// Numbers of all fields of heights together.
    nhfielddata
}

/// The arrays of a model: how each is read, what it holds, its name, and its length as so many times a size.
macro_rules! model_arrays {
    ($make:ident) => {
        $make! {
            /// Masses of the bodies, in kg.
            f64 Float64s BODY_MASS body_mass: 1 * nbody,
            /// Masses of the bodies with all that hangs on them, in kg.
            f64 Float64s BODY_SUBTREEMASS body_subtreemass: 1 * nbody,
            /// Inertias of the bodies about their own axes, three numbers each.
            f64 Float64s BODY_INERTIA body_inertia: 3 * nbody,
            /// Places of the bodies in their parents, three numbers each.
            f64 Float64s BODY_POS body_pos: 3 * nbody,
            /// Directions of the bodies in their parents, four numbers each.
            f64 Float64s BODY_QUAT body_quat: 4 * nbody,
            /// Damping of each degree of freedom.
            f64 Float64s DOF_DAMPING dof_damping: 1 * nv,
            /// Inertia added to each degree of freedom.
            f64 Float64s DOF_ARMATURE dof_armature: 1 * nv,
            /// The position that simulations begin with.
            f64 Float64s QPOS0 qpos0: 1 * nq,
            /// Stiffness of each joint.
            f64 Float64s JNT_STIFFNESS jnt_stiffness: 1 * njnt,
            /// Lowest and highest position of each joint.
            f64 Float64s JNT_RANGE jnt_range: 2 * njnt,
            /// Gears of the actuators, six numbers each.
            f64 Float64s ACTUATOR_GEAR actuator_gear: 6 * nu,
            /// Lowest and highest control of each actuator, one after the other.
            f64 Float64s ACTUATOR_CTRLRANGE actuator_ctrlrange: 2 * nu,
            /// Places of the geometries in their bodies, three numbers each.
            f64 Float64s GEOM_POS geom_pos: 3 * ngeom,
            /// Sizes of the geometries, three numbers each.
            f64 Float64s GEOM_SIZE geom_size: 3 * ngeom,
            /// Places of the sites in their bodies, three numbers each.
            f64 Float64s SITE_POS site_pos: 3 * nsite,
            /// Sizes of the sites, three numbers each.
            f64 Float64s SITE_SIZE site_size: 3 * nsite,
            /// Places of the lights in their bodies, three numbers each.
            f64 Float64s LIGHT_POS light_pos: 3 * nlight,
            /// A number for each part of the tendons' paths.
            f64 Float64s WRAP_PRM wrap_prm: 1 * nwrap,
            /// Colours of the geometries, four numbers each.
            f32 Float32s GEOM_RGBA geom_rgba: 4 * ngeom,
            /// Colours of the materials, four numbers each.
            f32 Float32s MAT_RGBA mat_rgba: 4 * nmat,
            /// Colours of the sites, four numbers each.
            f32 Float32s SITE_RGBA site_rgba: 4 * nsite,
            /// Half the widths of the fields of heights, their height and their depth, four numbers each.
            f64 Float64s HFIELD_SIZE hfield_size: 4 * nhfield,
            /// Heights of all fields of heights.
            f32 Float32s HFIELD_DATA hfield_data: 1 * nhfielddata,
            /// Rows of the fields of heights.
            i32 Int32s HFIELD_NROW hfield_nrow: 1 * nhfield,
            /// Kinds of the joints.
            i32 Int32s JNT_TYPE jnt_type: 1 * njnt,
            /// Where each joint's positions begin.
            i32 Int32s JNT_QPOSADR jnt_qposadr: 1 * njnt,
            /// Where each joint's velocities begin.
            i32 Int32s JNT_DOFADR jnt_dofadr: 1 * njnt,
            /// Where each sensor's numbers begin.
            i32 Int32s SENSOR_ADR sensor_adr: 1 * nsensor,
            /// How many numbers each sensor has.
            i32 Int32s SENSOR_DIM sensor_dim: 1 * nsensor,
            /// Whether each joint has a lowest and a highest position.
            u8 Bytes JNT_LIMITED jnt_limited: 1 * njnt,
            /// Whether each actuator has a lowest and a highest control.
            u8 Bytes ACTUATOR_CTRLLIMITED actuator_ctrllimited: 1 * nu
        }
    };
}
pub(super) use model_arrays;

macro_rules! model_array_fields {
    ($($(#[$doc:meta])* $type:ident $kind:ident $constant:ident $name:ident: $width:literal * $size:ident),*) => {
        /// Where a model's arrays lie.
        #[derive(Debug)]
        pub(super) struct ModelArrays {
            $($(#[$doc])* pub(super) $name: Field,)*
        }

        impl ModelArrays {
            fn find(layout: &Layout) -> Result<Self, Fault> {
                Ok(Self { $($name: layout.field(concat!("mjModel.", stringify!($name)), &[Kind::$kind])?,)* })
            }
        }
    };
}
model_arrays!(model_array_fields);

macro_rules! numbers {
    ($(#[$doc:meta])* $struct:ident: $($name:ident $text:literal),*) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(super) struct $struct {
            $(pub(super) $name: c_int,)*
        }

        impl $struct {
            fn find(layout: &Layout) -> Result<Self, Fault> {
                Ok(Self { $($name: layout.number($text)?,)* })
            }
        }
    };
}

numbers! {
    /// The library's numbers for things that have names.
    ObjectKinds: body "mjtObj.mjOBJ_BODY", joint "mjtObj.mjOBJ_JOINT", geom "mjtObj.mjOBJ_GEOM", site "mjtObj.mjOBJ_SITE",
    light "mjtObj.mjOBJ_LIGHT", camera "mjtObj.mjOBJ_CAMERA", actuator "mjtObj.mjOBJ_ACTUATOR", sensor "mjtObj.mjOBJ_SENSOR",
    material "mjtObj.mjOBJ_MATERIAL"
}
numbers! {
    /// The library's numbers for joints.
    JointKinds: free "mjtJoint.mjJNT_FREE", ball "mjtJoint.mjJNT_BALL", slide "mjtJoint.mjJNT_SLIDE", hinge "mjtJoint.mjJNT_HINGE"
}

/// Where a model's fields lie.
#[derive(Debug)]
pub(super) struct ModelFields {
    pub(super) sizes: SizeFields,
    pub(super) nbuffer: Field,
    pub(super) timestep: Field,
    pub(super) integrator: Field,
    pub(super) gravity: Field,
    pub(super) disableflags: Field,
    pub(super) arrays: ModelArrays,
    /// Bytes of the struct itself.
    pub(super) bytes: usize,
    pub(super) kinds: ObjectKinds,
    pub(super) joints: JointKinds,
    pub(super) ncam: Field,
    pub(super) extent: Field,
    pub(super) islands: c_int,
    pub(super) mid_phase: c_int,
    pub(super) actuation: c_int,
    /// The integrator of four evaluations a step.
    pub(super) runge_kutta: c_int,
    /// What it takes to go on with a simulation.
    pub(super) integration: c_int,
}

impl ModelFields {
    pub(super) fn find(layout: &Layout) -> Result<Self, Fault> {
        Ok(Self {
            sizes: SizeFields::find(layout)?,
            nbuffer: layout.field("mjModel.nbuffer", &[Kind::Int64])?,
            timestep: layout.field("mjModel.opt.timestep", &[Kind::Float64])?,
            gravity: layout.field("mjModel.opt.gravity", &[Kind::Float64])?,
            disableflags: layout.field("mjModel.opt.disableflags", &[Kind::Int32])?,
            integrator: layout.field("mjModel.opt.integrator", &[Kind::Int32])?,
            arrays: ModelArrays::find(layout)?,
            bytes: layout.number("mjModel.sizeof")? as usize,
            kinds: ObjectKinds::find(layout)?,
            joints: JointKinds::find(layout)?,
            ncam: layout.field("mjModel.ncam", &[Kind::Int32, Kind::Int64])?,
            extent: layout.field("mjModel.stat.extent", &[Kind::Float64])?,
            islands: layout.number("mjtDisableBit.mjDSBL_ISLAND")?,
            mid_phase: layout.number("mjtDisableBit.mjDSBL_MIDPHASE")?,
            actuation: layout.number("mjtDisableBit.mjDSBL_ACTUATION")?,
            runge_kutta: layout.number("mjtIntegrator.mjINT_RK4")?,
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
            /// Accelerations that the solver begins the next step with.
            qacc_warmstart: 1 * nv,
            /// States of the actuators.
            act: 1 * na,
            /// What the sensors say.
            sensordata: 1 * nsensordata,
            /// Positions of the bodies' frames, three numbers each.
            xpos: 3 * nbody,
            /// Directions of the bodies' frames, four numbers each.
            xquat: 4 * nbody,
            /// Directions of the bodies' axes, nine numbers each.
            xmat: 9 * nbody,
            /// Positions of the joints, three numbers each.
            xanchor: 3 * njnt,
            /// Positions of the geometries, three numbers each.
            geom_xpos: 3 * ngeom,
            /// Directions of the geometries' axes, nine numbers each.
            geom_xmat: 9 * ngeom,
            /// Directions of the sites' axes, nine numbers each.
            site_xmat: 9 * nsite,
            /// Centres of mass of the bodies with all that hangs on them, three numbers each.
            subtree_com: 3 * nbody,
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
            pub(super) contacts: Field,
            pub(super) time: Field,
            pub(super) nbuffer: Field,
        }

        impl DataFields {
            pub(super) fn find(layout: &Layout) -> Result<Self, Fault> {
                Ok(Self {
                    $($name: layout.field(concat!("mjData.", stringify!($name)), &[Kind::Float64s])?,)*
                    warnings: layout.field("mjData.warning.number", &[Kind::Int32])?,
                    contacts: layout.field("mjData.ncon", &[Kind::Int32])?,
                    time: layout.field("mjData.time", &[Kind::Float64])?,
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

/// The elements that a field of a struct is the address of.
///
/// # Safety
/// The field must be the address of `len` elements of this type, or anything where that is 0; they must live as long as is promised, and
/// not change.
pub(super) unsafe fn elements<'a, T>(of: *const impl Sized, field: Field, len: usize) -> &'a [T] {
    if len == 0 {
        return &[];
    }
    // SAFETY: passed on to the caller.
    unsafe { std::slice::from_raw_parts(*at::<*const T>(of, field), len) }
}
