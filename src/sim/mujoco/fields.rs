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
    ($($name:ident),*) => {
        /// Sizes of a model (`nq`, `nv`, ...).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct ModelSizes {
            $(#[doc = concat!("`", stringify!($name), "` of `mjModel`")] pub $name: usize,)*
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
                Ok(Self { $($name: layout.field(concat!("mjModel.", stringify!($name)), &INTEGERS)?,)* })
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
    nq, nv, nu, na, nbody, njnt, ngeom, nsite, nlight, ntendon, nwrap, nsensor,
    nsensordata, nmat, nhfield, nhfielddata, neq, nmocap, nkey
}

/// Passes a list of `mjModel`'s arrays to a macro: element type, field type, constant name, field name, and length.
macro_rules! model_arrays {
    ($make:ident) => {
        $make! {
            f64 Float64s BODY_MASS body_mass: 1 * nbody,
            f64 Float64s BODY_SUBTREEMASS body_subtreemass: 1 * nbody,
            f64 Float64s BODY_INERTIA body_inertia: 3 * nbody,
            f64 Float64s BODY_POS body_pos: 3 * nbody,
            f64 Float64s BODY_IPOS body_ipos: 3 * nbody,
            f64 Float64s BODY_QUAT body_quat: 4 * nbody,
            f64 Float64s DOF_DAMPING dof_damping: 1 * nv,
            f64 Float64s DOF_ARMATURE dof_armature: 1 * nv,
            f64 Float64s DOF_FRICTIONLOSS dof_frictionloss: 1 * nv,
            f64 Float64s QPOS0 qpos0: 1 * nq,
            f64 Float64s JNT_STIFFNESS jnt_stiffness: 1 * njnt,
            f64 Float64s JNT_RANGE jnt_range: 2 * njnt,
            f64 Float64s ACTUATOR_GEAR actuator_gear: 6 * nu,
            f64 Float64s ACTUATOR_GAINPRM actuator_gainprm: 10 * nu,
            f64 Float64s ACTUATOR_BIASPRM actuator_biasprm: 10 * nu,
            f64 Float64s ACTUATOR_CTRLRANGE actuator_ctrlrange: 2 * nu,
            f64 Float64s ACTUATOR_DYNPRM actuator_dynprm: 10 * nu,
            i32 Int32s GEOM_TYPE geom_type: 1 * ngeom,
            i32 Int32s GEOM_CONDIM geom_condim: 1 * ngeom,
            i32 Int32s GEOM_BODYID geom_bodyid: 1 * ngeom,
            f64 Float64s GEOM_FRICTION geom_friction: 3 * ngeom,
            f64 Float64s GEOM_POS geom_pos: 3 * ngeom,
            f64 Float64s GEOM_QUAT geom_quat: 4 * ngeom,
            f64 Float64s GEOM_SIZE geom_size: 3 * ngeom,
            f64 Float64s GEOM_AABB geom_aabb: 6 * ngeom,
            f64 Float64s GEOM_RBOUND geom_rbound: 1 * ngeom,
            f64 Float64s GEOM_MARGIN geom_margin: 1 * ngeom,
            f64 Float64s SITE_POS site_pos: 3 * nsite,
            f64 Float64s SITE_SIZE site_size: 3 * nsite,
            f64 Float64s LIGHT_POS light_pos: 3 * nlight,
            f64 Float64s WRAP_PRM wrap_prm: 1 * nwrap,
            f32 Float32s GEOM_RGBA geom_rgba: 4 * ngeom,
            f32 Float32s MAT_RGBA mat_rgba: 4 * nmat,
            f32 Float32s SITE_RGBA site_rgba: 4 * nsite,
            f64 Float64s HFIELD_SIZE hfield_size: 4 * nhfield,
            f32 Float32s HFIELD_DATA hfield_data: 1 * nhfielddata,
            i32 Int32s HFIELD_NROW hfield_nrow: 1 * nhfield,
            i32 Int32s JNT_TYPE jnt_type: 1 * njnt,
            i32 Int32s JNT_QPOSADR jnt_qposadr: 1 * njnt,
            i32 Int32s JNT_DOFADR jnt_dofadr: 1 * njnt,
            i32 Int32s SENSOR_ADR sensor_adr: 1 * nsensor,
            i32 Int32s SENSOR_DIM sensor_dim: 1 * nsensor,
            i32 Int32s SENSOR_OBJID sensor_objid: 1 * nsensor,
            i32 Int32s EQ_TYPE eq_type: 1 * neq,
            i32 Int32s EQ_OBJTYPE eq_objtype: 1 * neq,
            i32 Int32s EQ_OBJ1ID eq_obj1id: 1 * neq,
            i32 Int32s EQ_OBJ2ID eq_obj2id: 1 * neq,
            i32 Int32s BODY_MOCAPID body_mocapid: 1 * nbody,
            i32 Int32s BODY_GEOMADR body_geomadr: 1 * nbody,
            i32 Int32s ACTUATOR_TRNTYPE actuator_trntype: 1 * nu,
            i32 Int32s ACTUATOR_TRNID actuator_trnid: 2 * nu,
            i32 Int32s ACTUATOR_DYNTYPE actuator_dyntype: 1 * nu,
            i32 Int32s ACTUATOR_BIASTYPE actuator_biastype: 1 * nu,
            u8 Bytes JNT_LIMITED jnt_limited: 1 * njnt,
            u8 Bytes ACTUATOR_CTRLLIMITED actuator_ctrllimited: 1 * nu
        }
    };
}
pub(super) use model_arrays;

macro_rules! model_array_fields {
    ($($type:ident $kind:ident $constant:ident $name:ident: $width:literal * $size:ident),*) => {
        /// Offsets and types of the fields of `mjModel` that point to arrays.
        #[derive(Debug)]
        pub(super) struct ModelArrays {
            $(pub(super) $name: Field,)*
        }

        impl ModelArrays {
            fn find(layout: &Layout) -> Result<Self, Fault> {
                Ok(Self { $($name: layout.field(concat!("mjModel.", stringify!($name)), &[Kind::$kind])?,)* })
            }
        }
    };
}
model_arrays!(model_array_fields);

/// Enumerators of `mjtObj`, in the order of [`ObjectKind`](crate::ObjectKind).
const OBJECT_KINDS: [&str; 9] = ["BODY", "JOINT", "GEOM", "SITE", "LIGHT", "CAMERA", "ACTUATOR", "SENSOR", "MATERIAL"];

/// Enumerators of `mjtJoint`, in the order of [`JointKind`](crate::JointKind).
const JOINT_KINDS: [&str; 4] = ["FREE", "BALL", "SLIDE", "HINGE"];

/// Returns the values of the enumerators whose names are `prefix` and each of `names`.
fn enumerators(layout: &Layout, prefix: &str, names: &[&str]) -> Result<Vec<c_int>, Fault> {
    names.iter().map(|name| layout.number(&format!("{prefix}_{name}"))).collect()
}

/// Declares a struct of values that a function `find` looks up in a layout table: for each field its type and its value.
macro_rules! found {
    ($(#[$of:meta])* $struct:ident($layout:ident): $($(#[$doc:meta])* $name:ident: $type:ty = $value:expr;)*) => {
        $(#[$of])*
        #[derive(Debug)]
        pub(super) struct $struct {
            $($(#[$doc])* pub(super) $name: $type,)*
        }

        impl $struct {
            pub(super) fn find($layout: &Layout) -> Result<Self, Fault> {
                Ok(Self { $($name: $value,)* })
            }
        }
    };
}

/// Types of integers in the structs themselves.
const INTEGERS: [Kind; 2] = [Kind::Int32, Kind::Int64];

found! {
    /// Offsets of the fields of `mjContact`, and of the array of contacts in `mjData`.
    ContactFields(layout):
    /// Pointer of `mjData` to its contacts.
    array: Field = layout.field("mjContact.array", &[Kind::Bytes])?;
    geom: Field = layout.field("mjContact.geom", &[Kind::Int32])?;
    /// Index of the contact's first force in `efc_force`; -1 if the solver excludes the contact.
    efc_address: Field = layout.field("mjContact.efc_address", &[Kind::Int32])?;
    /// Size of one contact, in bytes.
    bytes: usize = layout.number("mjContact.sizeof")? as usize;
    /// Value of the enumerator `mjCNSTR_LIMIT_JOINT`.
    joint_limit: c_int = layout.number("mjtConstraint.mjCNSTR_LIMIT_JOINT")?;
}

found! {
    /// Offsets and types of the fields of `mjModel` that this crate reads.
    ModelFields(layout):
    sizes: SizeFields = SizeFields::find(layout)?;
    nbuffer: Field = layout.field("mjModel.nbuffer", &[Kind::Int64])?;
    timestep: Field = layout.field("mjModel.opt.timestep", &[Kind::Float64])?;
    integrator: Field = layout.field("mjModel.opt.integrator", &[Kind::Int32])?;
    gravity: Field = layout.field("mjModel.opt.gravity", &[Kind::Float64])?;
    disableflags: Field = layout.field("mjModel.opt.disableflags", &[Kind::Int32])?;
    arrays: ModelArrays = ModelArrays::find(layout)?;
    /// Size of the struct `mjModel` itself, without its arrays, in bytes.
    bytes: usize = layout.number("mjModel.sizeof")? as usize;
    /// Number of nodes in all bounding volume hierarchies.
    nbvh: Field = layout.field("mjModel.nbvh", &INTEGERS)?;
    eq_data: Field = layout.field("mjModel.eq_data", &[Kind::Float64s])?;
    key_qpos: Field = layout.field("mjModel.key_qpos", &[Kind::Float64s])?;
    key_qvel: Field = layout.field("mjModel.key_qvel", &[Kind::Float64s])?;
    /// Number of parameters of an equality constraint (`mjNEQDATA`); `None` if the layout table does not give it.
    equality_width: Option<i32> = layout.number("mjNEQDATA").ok();
    /// Values of [`OBJECT_KINDS`].
    kinds: Vec<c_int> = enumerators(layout, "mjtObj.mjOBJ", &OBJECT_KINDS)?;
    /// Values of [`JOINT_KINDS`].
    joints: Vec<c_int> = enumerators(layout, "mjtJoint.mjJNT", &JOINT_KINDS)?;
    ncam: Field = layout.field("mjModel.ncam", &INTEGERS)?;
    extent: Field = layout.field("mjModel.stat.extent", &[Kind::Float64])?;
    islands: c_int = layout.number("mjtDisableBit.mjDSBL_ISLAND")?;
    mid_phase: c_int = layout.number("mjtDisableBit.mjDSBL_MIDPHASE")?;
    actuation: c_int = layout.number("mjtDisableBit.mjDSBL_ACTUATION")?;
    /// Value of the enumerator `mjINT_RK4`, the Runge-Kutta integrator.
    runge_kutta: c_int = layout.number("mjtIntegrator.mjINT_RK4")?;
    /// Value of the state signature `mjSTATE_INTEGRATION`.
    integration: c_int = layout.number("mjtState.mjSTATE_INTEGRATION")?;
}

/// Passes a list of `mjData`'s arrays to a macro: field name, and length as a multiple of a model size.
macro_rules! simulation_arrays {
    ($make:ident) => {
        $make! {
            qpos: 1 * nq,
            qvel: 1 * nv,
            ctrl: 1 * nu,
            mocap_pos: 3 * nmocap,
            mocap_quat: 4 * nmocap,
            qacc_warmstart: 1 * nv,
            act: 1 * na,
            sensordata: 1 * nsensordata,
            xpos: 3 * nbody,
            xquat: 4 * nbody,
            xmat: 9 * nbody,
            xanchor: 3 * njnt,
            geom_xpos: 3 * ngeom,
            geom_xmat: 9 * ngeom,
            site_xmat: 9 * nsite,
            subtree_com: 3 * nbody,
            xipos: 3 * nbody,
            ximat: 9 * nbody,
            site_xpos: 3 * nsite,
            cinert: 10 * nbody,
            cvel: 6 * nbody,
            // From the last `Data::step` that requested it.
            cfrc_ext: 6 * nbody,
            subtree_linvel: 3 * nbody,
            cacc: 6 * nbody,
            cfrc_int: 6 * nbody,
            actuator_length: 1 * nu,
            actuator_velocity: 1 * nu,
            actuator_force: 1 * nu,
            qfrc_actuator: 1 * nv,
            qfrc_constraint: 1 * nv,
            ten_length: 1 * ntendon,
            ten_velocity: 1 * ntendon
        }
    };
}
pub(super) use simulation_arrays;

macro_rules! data_fields {
    ($($name:ident: $width:literal * $size:ident),*) => {
        found! {
            /// Offsets and types of the fields of `mjData` that this crate reads.
            DataFields(layout):
            $($name: Field = layout.field(concat!("mjData.", stringify!($name)), &[Kind::Float64s])?;)*
            warnings: Field = layout.field("mjData.warning.number", &[Kind::Int32])?;
            contacts: Field = layout.field("mjData.ncon", &[Kind::Int32])?;
            nefc: Field = layout.field("mjData.nefc", &[Kind::Int32])?;
            /// Flags that tell the library that `subtree_linvel`, and `cacc` and `cfrc_int`, were computed.
            flg_subtreevel: Field = layout.field("mjData.flg_subtreevel", &[Kind::Byte])?;
            flg_rnepost: Field = layout.field("mjData.flg_rnepost", &[Kind::Byte])?;
            /// Orientations of inertial frames and of sites; `None` before MuJoCo 4.0.
            xiquat: Option<Field> = layout.field("mjData.xiquat", &[Kind::Float64s]).ok();
            site_xquat: Option<Field> = layout.field("mjData.site_xquat", &[Kind::Float64s]).ok();
            efc_type: Field = layout.field("mjData.efc_type", &[Kind::Int32s])?;
            efc_id: Field = layout.field("mjData.efc_id", &[Kind::Int32s])?;
            efc_force: Field = layout.field("mjData.efc_force", &[Kind::Float64s])?;
            time: Field = layout.field("mjData.time", &[Kind::Float64])?;
            nbuffer: Field = layout.field("mjData.nbuffer", &[Kind::Int64])?;
        }
    };
}
simulation_arrays!(data_fields);
