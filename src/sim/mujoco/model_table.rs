//! Table of all fields of `mjModel`, in all versions of MuJoCo with native steps: which of them a native step depends on.
//!
//! The native stepper refuses models of a library with a field that this table lacks. A test compares the table with the
//! headers of these versions.

use std::collections::HashMap;

use crate::mjt::{
    MJDSBL_CONSTRAINT, MJDSBL_CONTACT, MJDSBL_EQUALITY, MJDSBL_EULERDAMP, MJDSBL_FRICTIONLOSS, MJDSBL_GRAVITY, MJDSBL_LIMIT,
};
use envpool_rs_sync::ForkOnce;

/// Use of a field by a native step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Role {
    /// This function of the native stepper reads the field.
    Read(&'static str),
    /// Each element must have this value; otherwise, MuJoCo must step the model.
    Must(Rule),
    /// The field must equal the size of this name; otherwise, the text is the reason why MuJoCo must step the model.
    Equals(&'static str, &'static str),
    /// MuJoCo computes the field from other fields when it compiles a model, and reads it in place of those. The native stepper
    /// reads the other fields, and this function checks that they agree.
    Derived(&'static str),
    /// Only MuJoCo's collision functions read the field, from the same model.
    Collision,
    /// No step depends on the field, for this reason.
    Unused(&'static str),
}

/// Value that all elements of a field must have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rule {
    pub(crate) value: f64,
    /// Number of elements per object, and the name of the number of objects; empty for fields without a pointer.
    pub(crate) count: (usize, &'static str),
    /// Reason why MuJoCo must step a model with other values.
    pub(crate) reason: &'static str,
}

/// Fields with the same role.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    names: &'static str,
    pub(crate) role: Role,
    /// Whether the fields are sizes, types, indices or addresses, on which the safety of MuJoCo's memory accesses depends.
    /// Simulations cannot have values of their own of such a field.
    pub(crate) is_structure: bool,
}

impl Fields {
    /// Iterates over the names of the fields in `mjModel`.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.names.split_ascii_whitespace()
    }
}

const fn values(role: Role, names: &'static str) -> Fields {
    Fields { names, role, is_structure: false }
}

const fn structure(role: Role, names: &'static str) -> Fields {
    Fields { names, role, is_structure: true }
}

const fn zero(names: &'static str, count: (usize, &'static str), reason: &'static str) -> Fields {
    values(Role::Must(Rule { value: 0.0, count, reason }), names)
}

const fn fixed(value: f64, names: &'static str, count: (usize, &'static str), reason: &'static str) -> Fields {
    structure(Role::Must(Rule { value, count, reason }), names)
}

use Role::{Collision, Derived, Equals, Read, Unused};

const DRAWN: Role = Unused("only pictures depend on it");
const USER: Role = Unused("data of the user, which no step reads");
const SENSED: Role = Unused("only sensors depend on it, which MuJoCo computes");
const MEMORY: Role = Unused("size of memory that MuJoCo reserves");
const SPARSITY: Role = Unused("follows from other fields: sparsity of matrices, or addresses in trees");
const FLEXIBLE: Role = Unused("there are no flexible bodies");
const PLUGINS: Role = Unused("there are no plugins");
const PLASTIC: Role = Unused("there are no springs that yield");
const SLEEP: Role = Unused("nothing sleeps");
const RESET: Role = Unused("only resets depend on it");

/// Nothing but springs with a linear force has a native implementation.
const BENT: &str = "springs or dampers that are not linear (several values of stiffness or damping)";
const YIELDING: &str = "springs that yield (springyield)";
const DAMPING_ACTUATORS: &str = "actuators that damp (<actuator damping>)";
const LATE: &str = "actuators or sensors that are late (delay, nsample)";
const INPUTS: &str = "actuators with several controls, or none";
const STICKY: &str = "shapes that stick (<geom adhesion>, <pair adhesion>)";
const MOVING_SURFACES: &str = "shapes whose surface moves (<geom surfacevel>)";

/// All fields of `mjModel`, `mjOption` (`opt.`) and `mjStatistic` (`stat.`), without `mjVisual`, which only pictures read.
pub(crate) const TABLE: &[Fields] = &[
    // Sizes.
    structure(
        Read("Reader::size"),
        "nq nv nu na nbody njnt nC ngeom nsite nmesh nmeshvert nmeshgraph npair nexclude neq nhfield",
    ),
    structure(Read("Reader::size"), "ntendon nwrap nsensor nmocap nbvh nbvhstatic ntree"),
    structure(Read("arena_rows"), "narena"),
    structure(Equals("nu", INPUTS), "nactuator nout"),
    fixed(0.0, "nflex", (1, ""), "flexible bodies (<deformable>)"),
    fixed(0.0, "nplugin", (1, ""), "plugins (<extension>)"),
    fixed(0.0, "nplastic", (1, ""), YIELDING),
    fixed(0.0, "nhistory", (1, ""), LATE),
    structure(SPARSITY, "nM nB nD nJmom"),
    structure(FLEXIBLE, "nbvhdynamic nflexnode nflexvert nflexedge nflexelem nflexelemdata nflexstiffness nflexbending nefm0dof"),
    structure(FLEXIBLE, "nefm0L nefmCvert nflexelemedge nflexshelldata nflextexcoord nJfe nJfv nflexevpair"),
    structure(Collision, "noct nmeshnormal nmeshface nmeshpoly nmeshpolyvert nmeshpolymap nhfielddata npolygonmax"),
    structure(Collision, "nmeshdegmax"),
    structure(DRAWN, "ncam nlight nmeshtexcoord nskin nskinvert nskintexvert nskinface nskinbone nskinbonevert ntex ntexdata"),
    structure(DRAWN, "nmat"),
    structure(PLUGINS, "npluginattr npluginstate"),
    structure(USER, "nnumeric nnumericdata ntext ntextdata ntuple ntupledata nuser_body nuser_jnt nuser_geom nuser_site"),
    structure(USER, "nuser_cam nuser_tendon nuser_actuator nuser_sensor nnames npaths nnames_map nuserdata"),
    structure(RESET, "nkey"),
    structure(SENSED, "nsensordata"),
    structure(Unused("follows from body_gravcomp"), "ngravcomp flg_gravcomp"),
    structure(MEMORY, "nemax njmax nconmax nbuffer buffer"),
    // Flags that MuJoCo computes from other fields.
    fixed(0.0, "flg_surfacevel", (1, ""), MOVING_SURFACES),
    fixed(0.0, "flg_adhesion", (1, ""), STICKY),
    structure(Unused("identifies the specification of the model"), "signature"),
    // Options.
    values(Read("read_objects"), "opt.timestep opt.impratio opt.tolerance opt.ls_tolerance opt.gravity opt.density"),
    values(Read("read_objects"), "opt.viscosity opt.integrator opt.cone opt.solver opt.iterations opt.ls_iterations"),
    values(Read("unsupported_flags"), "opt.disableflags opt.enableflags"),
    values(Read("unsupported_options"), "opt.jacobian"),
    zero("opt.wind", (3, ""), "wind (<option wind>)"),
    zero("opt.noslip_iterations", (1, ""), "the solver against slip (<option noslip_iterations>)"),
    zero("opt.disableactuator", (1, ""), "actuators that are switched off (<option actuatorgroupdisable>)"),
    values(Read("arena_rows, and MuJoCo's collision functions"), "opt.ccd_iterations"),
    values(Collision, "opt.ccd_tolerance opt.sdf_initpoints opt.sdf_iterations"),
    values(Unused("there is no solver against slip"), "opt.noslip_tolerance"),
    values(Unused("contacts have parameters of their own"), "opt.o_margin opt.o_solref opt.o_solimp opt.o_friction"),
    values(SLEEP, "opt.sleep_tolerance"),
    values(SENSED, "opt.magnetic"),
    // Statistics.
    values(Read("read_objects"), "stat.meaninertia"),
    values(DRAWN, "stat.meanmass stat.meansize stat.extent stat.center"),
    // Positions.
    values(Read("read_joints"), "qpos0 qpos_spring"),
    // Bodies.
    structure(Read("read_bodies"), "body_parentid body_rootid body_weldid body_mocapid body_jntnum body_jntadr body_dofnum"),
    structure(Read("read_bodies"), "body_dofadr"),
    structure(Read("read_pairs"), "body_geomnum body_geomadr"),
    values(Read("read_bodies"), "body_sameframe body_pos body_quat body_ipos body_iquat body_mass body_subtreemass body_inertia"),
    values(Read("read_pairs, read_equalities"), "body_invweight0"),
    values(Read("read_gravcomp"), "body_gravcomp"),
    values(Derived("check_compiled"), "body_margin body_contype body_conaffinity"),
    structure(Derived("check_compiled"), "body_bvhadr body_bvhnum"),
    structure(SPARSITY, "body_treeid body_simple"),
    values(USER, "body_user"),
    structure(PLUGINS, "body_plugin"),
    // Bounding volumes, and octrees of signed distance fields.
    structure(Derived("check_compiled"), "bvh_child bvh_nodeid"),
    values(Derived("check_compiled"), "bvh_aabb"),
    structure(DRAWN, "bvh_depth oct_depth"),
    structure(Collision, "oct_child"),
    values(Collision, "oct_aabb oct_coeff"),
    // Joints.
    structure(Read("read_joints"), "jnt_type jnt_qposadr jnt_dofadr"),
    values(Read("read_joints"), "jnt_limited jnt_actfrclimited jnt_solref jnt_solimp jnt_pos jnt_axis jnt_stiffness jnt_range"),
    values(Read("read_joints"), "jnt_actfrcrange jnt_margin"),
    zero("jnt_stiffnesspoly", (2, "njnt"), BENT),
    zero("jnt_springyield", (1, "njnt"), YIELDING),
    structure(SPARSITY, "jnt_bodyid"),
    structure(Unused("no actuator has damping or armature"), "jnt_actuatorid tendon_actuatorid"),
    structure(PLASTIC, "jnt_plasticadr tendon_plasticadr"),
    values(Read("read_gravcomp"), "jnt_actgravcomp"),
    values(DRAWN, "jnt_group"),
    values(USER, "jnt_user"),
    // Degrees of freedom.
    structure(Read("read_dofs"), "dof_bodyid dof_parentid dof_treeid dof_simplenum"),
    values(Read("read_dofs"), "dof_armature dof_damping dof_M0"),
    values(Read("read_frictions"), "dof_solref dof_solimp dof_frictionloss dof_invweight0"),
    zero("dof_dampingpoly", (2, "nv"), BENT),
    structure(SPARSITY, "dof_jntid dof_Madr tree_bodyadr tree_bodynum tree_dofadr tree_dofnum"),
    values(SLEEP, "dof_length"),
    structure(SLEEP, "tree_sleep_policy"),
    // Geoms.
    structure(Read("GeomArrays::read"), "geom_type geom_condim geom_bodyid geom_dataid"),
    values(Read("GeomArrays::read"), "geom_contype geom_conaffinity geom_priority geom_sameframe geom_solmix geom_solref"),
    values(Read("GeomArrays::read"), "geom_solimp geom_size geom_aabb geom_rbound geom_pos geom_quat geom_friction geom_margin"),
    values(Read("GeomArrays::read"), "geom_gap"),
    zero("geom_surfacevel", (6, "ngeom"), MOVING_SURFACES),
    zero("geom_adhesion", (1, "ngeom"), STICKY),
    zero("geom_fluid", (12, "ngeom"), "drag by ellipsoids (<geom fluidshape>)"),
    structure(DRAWN, "geom_matid"),
    values(DRAWN, "geom_group geom_castshadow geom_rgba"),
    values(USER, "geom_user"),
    structure(PLUGINS, "geom_plugin"),
    // Sites.
    structure(Read("read_sites"), "site_bodyid"),
    values(Read("read_sites"), "site_sameframe site_pos site_quat"),
    structure(Read("read_touch_sensors"), "site_type"),
    values(Read("read_touch_sensors"), "site_size"),
    structure(SENSED, "site_dataid"),
    structure(DRAWN, "site_matid"),
    values(DRAWN, "site_group site_rgba"),
    values(USER, "site_user"),
    // Cameras and lights.
    structure(DRAWN, "cam_mode cam_bodyid cam_targetbodyid cam_projection cam_resolution cam_output"),
    values(DRAWN, "cam_pos cam_quat cam_poscom0 cam_pos0 cam_mat0 cam_fovy cam_ipd cam_sensorsize cam_intrinsic"),
    values(USER, "cam_user"),
    structure(DRAWN, "light_mode light_bodyid light_targetbodyid light_type light_texid"),
    values(DRAWN, "light_castshadow light_bulbradius light_intensity light_range light_active light_pos light_dir light_poscom0"),
    values(DRAWN, "light_pos0 light_dir0 light_attenuation light_cutoff light_softness light_exponent light_ambient"),
    values(DRAWN, "light_diffuse light_specular"),
    // Flexible bodies.
    structure(FLEXIBLE, "flex_condim flex_priority flex_selfcollide flex_activelayers flex_passive flex_dim flex_matid"),
    structure(FLEXIBLE, "flex_group flex_interp flex_cellnum flex_nodeadr flex_nodenum flex_vertadr flex_vertnum flex_edgeadr"),
    structure(FLEXIBLE, "flex_edgenum flex_elemadr flex_elemnum flex_elemdataadr flex_stiffnessadr flex_elemedgeadr"),
    structure(FLEXIBLE, "flex_bendingadr flex_plasticadr flex_plasticmode flex_shellnum flex_shelldataadr flex_texcoordadr"),
    structure(FLEXIBLE, "flex_nodebodyid flex_vertbodyid flex_vertcell flex_edge flex_edgeflap flex_elem flex_elemtexcoord"),
    structure(FLEXIBLE, "flex_elemedge flex_elemlayer flex_shell flex_evpairadr flex_evpairnum flex_evpair flex_vertedgeadr"),
    structure(FLEXIBLE, "flex_vertedgenum flex_vertedge flexvert_J_rownnz flexvert_J_rowadr flexvert_J_colind efm0_dofid"),
    structure(FLEXIBLE, "efm0_L_rownnz efm0_L_rowadr efm0_L_colind efmC_perm flex_edgeequality flex_rigid flexedge_rigid"),
    structure(FLEXIBLE, "flex_centered flex_bvhadr flex_bvhnum flexedge_J_rownnz flexedge_J_rowadr flexedge_J_colind"),
    structure(FLEXIBLE, "flex_internal"),
    values(FLEXIBLE, "flex_solmix flex_solref flex_solimp flex_friction flex_margin flex_gap flex_vert flex_vert0 flex_node"),
    values(FLEXIBLE, "flex_node0 flexedge_length0 flexedge_invweight0 flex_radius flex_size flex_stiffness flex_bending efm0_L"),
    values(FLEXIBLE, "flex_damping flex_yield flex_edgestiffness flex_edgedamping flex_flatskin flex_rgba flex_texcoord"),
    values(FLEXIBLE, "flex_vertmetric flex_contype flex_conaffinity"),
    // Meshes, height fields and what pictures show.
    structure(Read("read_hulls"), "mesh_vertadr mesh_vertnum mesh_graphadr mesh_graph"),
    values(Read("read_hulls"), "mesh_vert"),
    structure(Collision, "mesh_faceadr mesh_facenum mesh_bvhadr mesh_bvhnum mesh_octadr mesh_octnum mesh_normaladr"),
    structure(Collision, "mesh_normalnum mesh_extrema mesh_face mesh_facenormal mesh_polynum mesh_polyadr mesh_polyvertadr"),
    structure(Collision, "mesh_polyvertnum mesh_polyvert mesh_polymapadr mesh_polymapnum mesh_polymap"),
    structure(Read("read_height_fields"), "hfield_nrow hfield_ncol hfield_adr"),
    values(Read("read_height_fields"), "hfield_size hfield_data"),
    values(Collision, "mesh_normal mesh_scale mesh_pos mesh_quat mesh_polynormal"),
    structure(DRAWN, "mesh_texcoordadr mesh_texcoordnum mesh_facetexcoord mesh_pathadr hfield_pathadr"),
    values(DRAWN, "mesh_texcoord"),
    structure(DRAWN, "skin_matid skin_group skin_vertadr skin_vertnum skin_texcoordadr skin_faceadr skin_facenum skin_boneadr"),
    structure(DRAWN, "skin_bonenum skin_face skin_bonevertadr skin_bonevertnum skin_bonebodyid skin_bonevertid skin_pathadr"),
    values(DRAWN, "skin_rgba skin_inflate skin_vert skin_texcoord skin_bonebindpos skin_bonebindquat skin_bonevertweight"),
    structure(DRAWN, "tex_type tex_colorspace tex_height tex_width tex_nchannel tex_adr tex_data tex_pathadr tex_contenttypeadr"),
    structure(DRAWN, "mat_texid"),
    values(DRAWN, "mat_texuniform mat_texrepeat mat_emission mat_specular mat_shininess mat_reflectance mat_metallic"),
    values(DRAWN, "mat_roughness mat_rgba"),
    // Pairs of geoms.
    structure(Read("ExplicitPairs::read"), "pair_dim pair_geom1 pair_geom2"),
    values(Read("ExplicitPairs::read"), "pair_solref pair_solreffriction pair_solimp pair_margin pair_gap pair_friction"),
    zero("pair_adhesion", (1, "npair"), STICKY),
    structure(SPARSITY, "pair_signature"),
    structure(Read("read_pairs"), "exclude_signature"),
    // Equality constraints.
    structure(Read("read_equalities"), "eq_obj1id eq_obj2id eq_objtype"),
    // `OwnModels::fault` checks the simulations' own values of `eq_type`.
    values(Read("read_equalities"), "eq_type eq_active0 eq_solref eq_solimp eq_data"),
    // Tendons.
    structure(Read("read_tendons"), "tendon_adr tendon_num wrap_type wrap_objid"),
    values(Read("read_tendons"), "tendon_limited tendon_solref_lim tendon_solimp_lim tendon_range tendon_margin"),
    values(Read("read_tendons"), "tendon_stiffness tendon_damping tendon_lengthspring tendon_invweight0 tendon_frictionloss"),
    values(Read("read_tendons"), "tendon_armature"),
    values(Read("read_tendons"), "wrap_prm tendon_solref_fri tendon_solimp_fri tendon_actfrclimited tendon_actfrcrange"),
    structure(Read("read_tendons"), "nJten ten_J_rownnz ten_J_rowadr ten_J_colind"),
    values(Read("read_equalities"), "tendon_length0"),
    zero("tendon_stiffnesspoly tendon_dampingpoly", (2, "ntendon"), BENT),
    zero("tendon_springyield", (1, "ntendon"), YIELDING),
    structure(SPARSITY, "tendon_type tendon_treenum tendon_treeid"),
    structure(DRAWN, "tendon_matid"),
    values(DRAWN, "tendon_group tendon_width tendon_rgba"),
    values(USER, "tendon_user"),
    // Actuators.
    structure(Read("read_actuators"), "actuator_trntype actuator_dyntype actuator_gaintype actuator_biastype actuator_trnid"),
    structure(Read("read_activations"), "actuator_actadr actuator_actnum"),
    values(Read("read_actuators"), "actuator_gainprm actuator_biasprm actuator_forcelimited actuator_forcerange"),
    values(Read("read_actuators"), "actuator_ctrllimited actuator_ctrlrange actuator_gear"),
    values(Read("read_activations"), "actuator_dynprm actuator_actlimited actuator_actearly"),
    fixed(1.0, "actuator_ctrlnum actuator_outnum", (1, "nactuator"), INPUTS),
    zero("actuator_delay", (1, "nactuator"), LATE),
    zero("actuator_damping", (1, "nactuator"), DAMPING_ACTUATORS),
    zero("actuator_dampingpoly", (2, "nactuator"), DAMPING_ACTUATORS),
    zero("actuator_armature", (1, "nactuator"), "actuators that are heavy (<actuator armature>)"),
    structure(Unused("each actuator has one control and one force"), "actuator_ctrladr actuator_ctrlspec actuator_outadr"),
    structure(Unused("nothing is late"), "actuator_history actuator_historyadr sensor_history sensor_historyadr"),
    values(Read("read_activations"), "actuator_actrange"),
    values(Read("read_actuators"), "actuator_acc0 actuator_lengthrange actuator_cranklength"),
    values(Unused("only the compiler depends on it"), "actuator_length0"),
    values(Unused("no actuators are switched off"), "actuator_group"),
    values(USER, "actuator_user"),
    structure(PLUGINS, "actuator_plugin"),
    // Sensors.
    structure(Read("read_sensors, read_touch_sensors, read_subtree_sensors"), "sensor_type sensor_objid sensor_adr"),
    structure(Read("read_sensors, read_touch_sensors"), "sensor_needstage sensor_objtype sensor_reftype sensor_refid"),
    values(Read("read_touch_sensors, read_subtree_sensors"), "sensor_cutoff"),
    structure(SENSED, "sensor_datatype sensor_intprm sensor_dim"),
    values(SENSED, "sensor_noise"),
    values(Unused("nothing is late"), "sensor_delay sensor_interval"),
    values(USER, "sensor_user"),
    structure(PLUGINS, "sensor_plugin plugin plugin_stateadr plugin_statenum plugin_attr plugin_attradr"),
    // Custom fields, keyframes, names and paths.
    structure(USER, "numeric_adr numeric_size text_adr text_size text_data tuple_adr tuple_size tuple_objtype tuple_objid"),
    values(USER, "numeric_data tuple_objprm"),
    values(RESET, "key_time key_qpos key_qvel key_act key_mpos key_mquat key_ctrl key_plastic"),
    structure(USER, "name_bodyadr name_jntadr name_geomadr name_siteadr name_camadr name_lightadr name_flexadr name_meshadr"),
    structure(USER, "name_skinadr name_hfieldadr name_texadr name_matadr name_pairadr name_excludeadr name_eqadr name_tendonadr"),
    structure(USER, "name_actuatoradr name_sensoradr name_numericadr name_textadr name_tupleadr name_keyadr name_pluginadr"),
    structure(USER, "names names_map paths"),
    // Sparse matrices.
    structure(Read("read_dofs"), "M_rownnz M_rowadr M_colind"),
    structure(SPARSITY, "B_rownnz B_rowadr B_colind mapM2M D_rownnz D_rowadr D_diag D_colind mapM2D mapD2M"),
];

/// Flags of `opt.disableflags` and `opt.enableflags` with which models have native steps, with their values.
pub(crate) const FLAGS: &[(&str, i64)] = &[
    ("mjtDisableBit.mjDSBL_CONSTRAINT", MJDSBL_CONSTRAINT),
    ("mjtDisableBit.mjDSBL_EQUALITY", MJDSBL_EQUALITY),
    ("mjtDisableBit.mjDSBL_FRICTIONLOSS", MJDSBL_FRICTIONLOSS),
    ("mjtDisableBit.mjDSBL_LIMIT", MJDSBL_LIMIT),
    ("mjtDisableBit.mjDSBL_CONTACT", MJDSBL_CONTACT),
    ("mjtDisableBit.mjDSBL_GRAVITY", MJDSBL_GRAVITY),
    ("mjtDisableBit.mjDSBL_MIDPHASE", 1 << 14),
    ("mjtDisableBit.mjDSBL_EULERDAMP", MJDSBL_EULERDAMP),
    ("mjtDisableBit.mjDSBL_ISLAND", 1 << 18),
    // Only MuJoCo's collision functions depend on these flags.
    ("mjtDisableBit.mjDSBL_NATIVECCD", 1 << 17),
    ("mjtDisableBit.mjDSBL_MULTICCD", 1 << 19),
    ("mjtEnableBit.mjENBL_MULTICCD", 1 << 4),
    // Only the energy depends on this flag.
    ("mjtEnableBit.mjENBL_ENERGY", 1 << 1),
];

/// Flags with which MuJoCo must step a model, and their names as attributes of `<flag>` in MJCF.
pub(crate) const REFUSED_FLAGS: &[(&str, &str)] = &[
    ("mjtDisableBit.mjDSBL_SPRING", "spring"),
    ("mjtDisableBit.mjDSBL_DAMPER", "damper"),
    ("mjtDisableBit.mjDSBL_CLAMPCTRL", "clampctrl"),
    ("mjtDisableBit.mjDSBL_WARMSTART", "warmstart"),
    ("mjtDisableBit.mjDSBL_FILTERPARENT", "filterparent"),
    ("mjtDisableBit.mjDSBL_ACTUATION", "actuation"),
    ("mjtDisableBit.mjDSBL_REFSAFE", "refsafe"),
    ("mjtDisableBit.mjDSBL_SENSOR", "sensor"),
    ("mjtDisableBit.mjDSBL_AUTORESET", "autoreset"),
    ("mjtEnableBit.mjENBL_OVERRIDE", "override"),
    ("mjtEnableBit.mjENBL_FWDINV", "fwdinv"),
    ("mjtEnableBit.mjENBL_INVDISCRETE", "invdiscrete"),
    ("mjtEnableBit.mjENBL_SLEEP", "sleep"),
    ("mjtEnableBit.mjENBL_DIAGEXACT", "diagexact"),
    ("mjtEnableBit.mjENBL_IPC", "ipc"),
    ("mjtEnableBit.mjENBL_SPECULATIVE", "speculative"),
];

/// Returns the entry of a field of `mjModel`; `None` if the table lacks the field.
pub(crate) fn entry(name: &str) -> Option<&'static Fields> {
    static ENTRIES: ForkOnce<HashMap<&str, &Fields>> = ForkOnce::new();
    let entries = || TABLE.iter().flat_map(|fields| fields.names().map(move |name| (name, fields))).collect();
    ENTRIES.get_or_init(entries).get(name).copied()
}

/// Returns whether simulations can have own values of the field `name`: not of structure or unknown fields.
pub fn is_expandable(name: &str) -> bool {
    entry(name).is_some_and(|fields| !fields.is_structure)
}
