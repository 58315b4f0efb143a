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
    nq, nv, nu, na, nbody, njnt, ngeom, nsite, nlight, ntendon, nwrap, nsensor,
    nsensordata, nmat, nhfield, nhfielddata, neq, nmocap
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
            i32 Int32s GEOM_TYPE geom_type: 1 * ngeom,
            f64 Float64s GEOM_FRICTION geom_friction: 3 * ngeom,
            f64 Float64s GEOM_POS geom_pos: 3 * ngeom,
            f64 Float64s GEOM_SIZE geom_size: 3 * ngeom,
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
            i32 Int32s ACTUATOR_TRNTYPE actuator_trntype: 1 * nu,
            i32 Int32s ACTUATOR_TRNID actuator_trnid: 2 * nu,
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
    /// Values of [`OBJECT_KINDS`].
    pub(super) kinds: Vec<c_int>,
    /// Values of [`JOINT_KINDS`].
    pub(super) joints: Vec<c_int>,
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
            kinds: enumerators(layout, "mjtObj.mjOBJ", &OBJECT_KINDS)?,
            joints: enumerators(layout, "mjtJoint.mjJNT", &JOINT_KINDS)?,
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
        /// Offsets and types of the fields of `mjData` that this crate reads.
        #[derive(Debug)]
        pub(super) struct DataFields {
            $(pub(super) $name: Field,)*
            pub(super) warnings: Field,
            pub(super) contacts: Field,
            pub(super) nefc: Field,
            /// Flags that tell the library that `subtree_linvel`, and `cacc` and `cfrc_int`, were computed.
            pub(super) flg_subtreevel: Field,
            pub(super) flg_rnepost: Field,
            /// Orientations of inertial frames and of sites; `None` before MuJoCo 4.0.
            pub(super) xiquat: Option<Field>,
            pub(super) site_xquat: Option<Field>,
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
                    flg_subtreevel: layout.field("mjData.flg_subtreevel", &[Kind::Byte])?,
                    flg_rnepost: layout.field("mjData.flg_rnepost", &[Kind::Byte])?,
                    xiquat: layout.field("mjData.xiquat", &[Kind::Float64s]).ok(),
                    site_xquat: layout.field("mjData.site_xquat", &[Kind::Float64s]).ok(),
                    efc_force: layout.field("mjData.efc_force", &[Kind::Float64s])?,
                    time: layout.field("mjData.time", &[Kind::Float64])?,
                    nbuffer: layout.field("mjData.nbuffer", &[Kind::Int64])?,
                })
            }
        }
    };
}
simulation_arrays!(data_fields);
