//! Fields of `mjModel` and `mjData` that this crate reads, and functions that access them.

use std::ffi::c_int;

pub(super) use crate::access::{at, elements, integer};
use crate::faults::Fault;
use crate::layout::{Field, Kind, Layout};

/// Opaque `mjModel`: this crate knows only the offsets of some of its fields.
#[repr(C)]
pub(super) struct RawModel {
    _unknown: [u8; 0],
}

/// Opaque `mjData`: this crate knows only the offsets of some of its fields.
#[repr(C)]
pub(super) struct RawData {
    _unknown: [u8; 0],
}

/// Stage of a step that a model can disable (`mjtDisableBit`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DisableFlag {
    /// Discovery of constraint islands (`mjDSBL_ISLAND`).
    Islands,
    /// Mid-phase collision detection (`mjDSBL_MIDPHASE`).
    MidPhase,
    /// Actuation (`mjDSBL_ACTUATION`).
    Actuation,
}

macro_rules! sizes {
    ($($(#[$doc:meta])* $name:ident),*) => {
        /// Sizes of a model (`nq`, `nv`, ...).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct ModelSizes {
            $($(#[$doc])* pub $name: usize,)*
        }

        impl ModelSizes {
            /// Sizes of an empty model: all sizes are zero.
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

            /// Reads all sizes from the struct `mjModel`.
            ///
            /// # Safety
            /// `model` must point to a live `mjModel` whose layout these fields describe.
            pub(super) unsafe fn read(&self, model: *const RawModel) -> ModelSizes {
                // SAFETY: `model` is a live `mjModel` (see above), and the layout table gives the types of its fields.
                unsafe { ModelSizes { $($name: integer(model, self.$name) as usize,)* } }
            }
        }
    };
}

sizes! {
    /// Number of position coordinates.
    nq,
    /// Number of degrees of freedom.
    nv,
    /// Number of controls.
    nu,
    /// Number of actuator activations.
    na,
    /// Number of bodies, including the world, which comes first.
    nbody,
    /// Number of joints.
    njnt,
    /// Number of geoms.
    ngeom,
    /// Number of sites.
    nsite,
    /// Number of lights.
    nlight,
    /// Number of tendons.
    ntendon,
    /// Number of wrap objects in all tendon paths.
    nwrap,
    /// Number of sensors.
    nsensor,
    /// Number of values of all sensors.
    nsensordata,
    /// Number of materials.
    nmat,
    /// Number of height fields.
    nhfield,
    /// Number of values of all height fields.
    nhfielddata,
    /// Number of equality constraints.
    neq,
    /// Number of mocap bodies, which the user moves.
    nmocap
}

/// Passes a list of `mjModel`'s arrays to a macro: element type, field type, constant name, field name, and length.
macro_rules! model_arrays {
    ($make:ident) => {
        $make! {
            /// Mass of each body, in kg.
            f64 Float64s BODY_MASS body_mass: 1 * nbody,
            /// Mass of each body's subtree, in kg.
            f64 Float64s BODY_SUBTREEMASS body_subtreemass: 1 * nbody,
            /// Diagonal inertia of each body in its inertial frame, three numbers each.
            f64 Float64s BODY_INERTIA body_inertia: 3 * nbody,
            /// Position of each body relative to its parent, three numbers each.
            f64 Float64s BODY_POS body_pos: 3 * nbody,
            /// Centre of mass of each body in the body's frame, three numbers each.
            f64 Float64s BODY_IPOS body_ipos: 3 * nbody,
            /// Orientation of each body relative to its parent, a quaternion each.
            f64 Float64s BODY_QUAT body_quat: 4 * nbody,
            /// Damping coefficient of each degree of freedom.
            f64 Float64s DOF_DAMPING dof_damping: 1 * nv,
            /// Armature inertia of each degree of freedom.
            f64 Float64s DOF_ARMATURE dof_armature: 1 * nv,
            /// Friction loss of each degree of freedom.
            f64 Float64s DOF_FRICTIONLOSS dof_frictionloss: 1 * nv,
            /// Initial positions of a simulation in generalized coordinates (`qpos0`).
            f64 Float64s QPOS0 qpos0: 1 * nq,
            /// Stiffness of each joint.
            f64 Float64s JNT_STIFFNESS jnt_stiffness: 1 * njnt,
            /// Lower and upper position limit of each joint.
            f64 Float64s JNT_RANGE jnt_range: 2 * njnt,
            /// Gear of each actuator, six numbers each.
            f64 Float64s ACTUATOR_GEAR actuator_gear: 6 * nu,
            /// Gain parameters of each actuator, ten numbers each (`mjNGAIN`).
            f64 Float64s ACTUATOR_GAINPRM actuator_gainprm: 10 * nu,
            /// Bias parameters of each actuator, ten numbers each (`mjNBIAS`).
            f64 Float64s ACTUATOR_BIASPRM actuator_biasprm: 10 * nu,
            /// Lower and upper control limit of each actuator.
            f64 Float64s ACTUATOR_CTRLRANGE actuator_ctrlrange: 2 * nu,
            /// Type of each geom (`mjtGeom`).
            i32 Int32s GEOM_TYPE geom_type: 1 * ngeom,
            /// Friction coefficients of each geom, three numbers each: sliding, torsion, rolling.
            f64 Float64s GEOM_FRICTION geom_friction: 3 * ngeom,
            /// Position of each geom relative to its body, three numbers each.
            f64 Float64s GEOM_POS geom_pos: 3 * ngeom,
            /// Size parameters of each geom, three numbers each.
            f64 Float64s GEOM_SIZE geom_size: 3 * ngeom,
            /// Radius of each geom's bounding sphere, in metres; 0 for planes.
            f64 Float64s GEOM_RBOUND geom_rbound: 1 * ngeom,
            /// Distance in metres at which contacts of each geom are found.
            f64 Float64s GEOM_MARGIN geom_margin: 1 * ngeom,
            /// Position of each site relative to its body, three numbers each, in the body's frame.
            f64 Float64s SITE_POS site_pos: 3 * nsite,
            /// Size parameters of each site, three numbers each.
            f64 Float64s SITE_SIZE site_size: 3 * nsite,
            /// Position of each light relative to its body, three numbers each.
            f64 Float64s LIGHT_POS light_pos: 3 * nlight,
            /// Parameter of each wrap object: divisor of a pulley, coefficient of a joint, or id of a side site.
            f64 Float64s WRAP_PRM wrap_prm: 1 * nwrap,
            /// Colour of each geom: red, green, blue and alpha.
            f32 Float32s GEOM_RGBA geom_rgba: 4 * ngeom,
            /// Colour of each material: red, green, blue and alpha.
            f32 Float32s MAT_RGBA mat_rgba: 4 * nmat,
            /// Colour of each site: red, green, blue and alpha.
            f32 Float32s SITE_RGBA site_rgba: 4 * nsite,
            /// Size of each height field, four numbers each: half sizes in x and y, highest elevation, thickness of the base.
            f64 Float64s HFIELD_SIZE hfield_size: 4 * nhfield,
            /// Elevation data of all height fields.
            f32 Float32s HFIELD_DATA hfield_data: 1 * nhfielddata,
            /// Number of rows of elevation data of each height field.
            i32 Int32s HFIELD_NROW hfield_nrow: 1 * nhfield,
            /// Type of each joint (`mjtJoint`).
            i32 Int32s JNT_TYPE jnt_type: 1 * njnt,
            /// Index of each joint's first position in `qpos`.
            i32 Int32s JNT_QPOSADR jnt_qposadr: 1 * njnt,
            /// Index of each joint's first degree of freedom in `qvel`.
            i32 Int32s JNT_DOFADR jnt_dofadr: 1 * njnt,
            /// Index of each sensor's first value in `sensordata`.
            i32 Int32s SENSOR_ADR sensor_adr: 1 * nsensor,
            /// Number of values of each sensor.
            i32 Int32s SENSOR_DIM sensor_dim: 1 * nsensor,
            /// Object that each sensor is attached to, such as the site of a touch sensor.
            i32 Int32s SENSOR_OBJID sensor_objid: 1 * nsensor,
            /// Type of each equality constraint (`mjtEq`).
            i32 Int32s EQ_TYPE eq_type: 1 * neq,
            /// Type of the objects of each equality constraint (`mjtObj`).
            i32 Int32s EQ_OBJTYPE eq_objtype: 1 * neq,
            /// First object of each equality constraint.
            i32 Int32s EQ_OBJ1ID eq_obj1id: 1 * neq,
            /// Second object of each equality constraint.
            i32 Int32s EQ_OBJ2ID eq_obj2id: 1 * neq,
            /// Index of each body in the arrays of mocap bodies; -1 for other bodies.
            i32 Int32s BODY_MOCAPID body_mocapid: 1 * nbody,
            /// Type of each actuator's transmission (`mjtTrn`).
            i32 Int32s ACTUATOR_TRNTYPE actuator_trntype: 1 * nu,
            /// Objects that each actuator moves, two numbers each.
            i32 Int32s ACTUATOR_TRNID actuator_trnid: 2 * nu,
            /// Type of each actuator's bias (`mjtBias`); 0: none.
            i32 Int32s ACTUATOR_BIASTYPE actuator_biastype: 1 * nu,
            /// Whether each joint has limits.
            u8 Bytes JNT_LIMITED jnt_limited: 1 * njnt,
            /// Whether each actuator has control limits.
            u8 Bytes ACTUATOR_CTRLLIMITED actuator_ctrllimited: 1 * nu
        }
    };
}
pub(super) use model_arrays;

macro_rules! model_array_fields {
    ($($(#[$doc:meta])* $type:ident $kind:ident $constant:ident $name:ident: $width:literal * $size:ident),*) => {
        /// Offsets and types of the fields of `mjModel` that point to arrays.
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
    /// Values of the enumeration of object types (`mjtObj`).
    ObjectKinds: body "mjtObj.mjOBJ_BODY", joint "mjtObj.mjOBJ_JOINT", geom "mjtObj.mjOBJ_GEOM", site "mjtObj.mjOBJ_SITE",
    light "mjtObj.mjOBJ_LIGHT", camera "mjtObj.mjOBJ_CAMERA", actuator "mjtObj.mjOBJ_ACTUATOR", sensor "mjtObj.mjOBJ_SENSOR",
    material "mjtObj.mjOBJ_MATERIAL"
}
numbers! {
    /// Values of the enumeration of joint types (`mjtJoint`).
    JointKinds: free "mjtJoint.mjJNT_FREE", ball "mjtJoint.mjJNT_BALL", slide "mjtJoint.mjJNT_SLIDE", hinge "mjtJoint.mjJNT_HINGE"
}

/// Offsets and types of the fields of `mjModel` that this crate reads.
#[derive(Debug)]
pub(super) struct ModelFields {
    pub(super) sizes: SizeFields,
    pub(super) nbuffer: Field,
    pub(super) timestep: Field,
    pub(super) integrator: Field,
    pub(super) gravity: Field,
    pub(super) disableflags: Field,
    pub(super) arrays: ModelArrays,
    /// Size of the struct `mjModel` itself, without its arrays, in bytes.
    pub(super) bytes: usize,
    /// Number of nodes in all bounding volume hierarchies.
    pub(super) nbvh: Field,
    pub(super) eq_data: Field,
    /// Number of parameters of an equality constraint (`mjNEQDATA`); `None` if the layout table does not give it.
    pub(super) equality_width: Option<i32>,
    pub(super) kinds: ObjectKinds,
    pub(super) joints: JointKinds,
    pub(super) ncam: Field,
    pub(super) extent: Field,
    pub(super) islands: c_int,
    pub(super) mid_phase: c_int,
    pub(super) actuation: c_int,
    /// Value of the enumerator `mjINT_RK4`, the Runge-Kutta integrator.
    pub(super) runge_kutta: c_int,
    /// Value of the state signature `mjSTATE_INTEGRATION`.
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
            nbvh: layout.field("mjModel.nbvh", &[Kind::Int32, Kind::Int64])?,
            eq_data: layout.field("mjModel.eq_data", &[Kind::Float64s])?,
            equality_width: layout.number("mjNEQDATA").ok(),
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

/// Passes a list of `mjData`'s arrays to a macro: documentation, field name, and length as a multiple of a model size.
macro_rules! simulation_arrays {
    ($make:ident) => {
        $make! {
            /// Positions, in generalized coordinates.
            qpos: 1 * nq,
            /// Velocities, in generalized coordinates.
            qvel: 1 * nv,
            /// Controls, before they are clamped to their limits.
            ctrl: 1 * nu,
            /// Position of each mocap body, three numbers each.
            mocap_pos: 3 * nmocap,
            /// Orientation of each mocap body, a quaternion each.
            mocap_quat: 4 * nmocap,
            /// Accelerations with which the solver starts in the next step (warm start).
            qacc_warmstart: 1 * nv,
            /// Actuator activations.
            act: 1 * na,
            /// Sensor values.
            sensordata: 1 * nsensordata,
            /// Position of each body, three numbers each.
            xpos: 3 * nbody,
            /// Orientation of each body, a quaternion each.
            xquat: 4 * nbody,
            /// Orientation of each body, a 3x3 matrix each.
            xmat: 9 * nbody,
            /// Anchor of each joint, three numbers each.
            xanchor: 3 * njnt,
            /// Position of each geom, three numbers each.
            geom_xpos: 3 * ngeom,
            /// Orientation of each geom, a 3x3 matrix each.
            geom_xmat: 9 * ngeom,
            /// Orientation of each site, a 3x3 matrix each.
            site_xmat: 9 * nsite,
            /// Centre of mass of each body's subtree, three numbers each.
            subtree_com: 3 * nbody,
            /// Centre of mass of each body, three numbers each.
            xipos: 3 * nbody,
            /// Position of each site, three numbers each.
            site_xpos: 3 * nsite,
            /// Spatial inertia of each body about its tree's `subtree_com`, ten numbers each.
            cinert: 10 * nbody,
            /// Spatial velocity of each body about its tree's `subtree_com`, six numbers each.
            cvel: 6 * nbody,
            /// External force on each body, six numbers each; from the last [`Data::step`](crate::Data::step) that requested it.
            cfrc_ext: 6 * nbody,
            /// Actuator force along each degree of freedom.
            qfrc_actuator: 1 * nv,
            /// Constraint force along each degree of freedom.
            qfrc_constraint: 1 * nv,
            /// Length of each tendon.
            ten_length: 1 * ntendon,
            /// Velocity of each tendon.
            ten_velocity: 1 * ntendon
        }
    };
}
pub(super) use simulation_arrays;

macro_rules! data_fields {
    ($($(#[$doc:meta])* $name:ident: $width:literal * $size:ident),*) => {
        /// Offsets and types of the fields of `mjData` that this crate reads.
        #[derive(Debug)]
        pub(super) struct DataFields {
            $($(#[$doc])* pub(super) $name: Field,)*
            pub(super) warnings: Field,
            pub(super) contacts: Field,
            pub(super) nefc: Field,
            pub(super) efc_force: Field,
            pub(super) time: Field,
            pub(super) nbuffer: Field,
        }

        impl DataFields {
            pub(super) fn find(layout: &Layout) -> Result<Self, Fault> {
                Ok(Self {
                    $($name: layout.field(concat!("mjData.", stringify!($name)), &[Kind::Float64s])?,)*
                    warnings: layout.field("mjData.warning.number", &[Kind::Int32])?,
                    contacts: layout.field("mjData.ncon", &[Kind::Int32])?,
                    nefc: layout.field("mjData.nefc", &[Kind::Int32])?,
                    efc_force: layout.field("mjData.efc_force", &[Kind::Float64s])?,
                    time: layout.field("mjData.time", &[Kind::Float64])?,
                    nbuffer: layout.field("mjData.nbuffer", &[Kind::Int64])?,
                })
            }
        }
    };
}
simulation_arrays!(data_fields);
