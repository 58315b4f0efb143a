//! Names and shapes of the model fields that can differ between lanes, and their values in one lane.

use crate::data::DetachedOverrides;
use crate::mjt::MJDSBL_GRAVITY;
use crate::model_overrides::{GEOM_TYPE, HFIELD_DATA, Values};
use crate::model_table::{Role, entry};
use crate::native::collision::pairs::{BOX, CAPSULE, CYLINDER, HFIELD, SPHERE};
use crate::native::dialect::Solver;
use crate::native::mju::MJMINVAL;
use crate::native::model::reader::Reader;
use crate::native::model::{
    Actuator, BodyAnchor, Collider, Equality, GeomPair, Integrator, NativeModel, Tendon, Transmission, Unsupported,
};

/// Largest number of values per actuator of `actuator_gainprm` and `actuator_biasprm` (`mjNGAIN`, `mjNBIAS`).
pub(super) const PARAMETERS: usize = 10;

/// Declares [`LaneField`]: name in `mjModel`, number of values per object, and name of the number of objects.
macro_rules! lane_fields {
    ($($variant:ident $name:literal $width:tt $count:literal),* $(,)?) => {
        /// Field of `mjModel` whose values can differ between lanes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum LaneField {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl LaneField {
            /// All fields.
            pub(super) const ALL: [Self; [$($width),*].len()] = [$(Self::$variant),*];

            fn shape(self) -> (&'static str, usize, &'static str) {
                match self {
                    $(Self::$variant => ($name, $width, $count),)*
                }
            }
        }
    };
}

lane_fields! {
    Gravity "opt.gravity" 3 "",
    BodyPos "body_pos" 3 "nbody",
    BodyQuat "body_quat" 4 "nbody",
    BodyIpos "body_ipos" 3 "nbody",
    BodyMass "body_mass" 1 "nbody",
    BodyInertia "body_inertia" 3 "nbody",
    BodySubtreemass "body_subtreemass" 1 "nbody",
    BodyInvweight0 "body_invweight0" 2 "nbody",
    // Only of geoms that take part in no contact, or whose shapes the model says to change.
    GeomPos "geom_pos" 3 "ngeom",
    GeomSize "geom_size" 3 "ngeom",
    GeomFriction "geom_friction" 3 "ngeom",
    SitePos "site_pos" 3 "nsite",
    DofDamping "dof_damping" 1 "nv",
    DofArmature "dof_armature" 1 "nv",
    DofFrictionloss "dof_frictionloss" 1 "nv",
    DofInvweight0 "dof_invweight0" 1 "nv",
    DofM0 "dof_M0" 1 "nv",
    ActuatorGainprm "actuator_gainprm" PARAMETERS "nu",
    ActuatorBiasprm "actuator_biasprm" PARAMETERS "nu",
}

/// Number of variants of [`LaneField`].
pub(super) const COUNT: usize = LaneField::ALL.len();

impl LaneField {
    /// Returns the field's name in `mjModel`.
    pub fn name(self) -> &'static str {
        self.shape().0
    }

    /// Returns the field with the name `name` in `mjModel`, such as `body_mass` or `opt.gravity`; `None` if no native step
    /// depends on this field, so that lanes may have any values of it.
    ///
    /// # Errors
    /// Returns the reason why MuJoCo must take the steps of lanes with own values of the field.
    pub fn named(name: &str) -> Result<Option<Self>, String> {
        let is_unused = || entry(name).is_some_and(|fields| matches!(fields.role, Role::Unused(_)));
        match Self::ALL.into_iter().find(|field| field.shape().0 == name) {
            None if !is_unused() => Err(own_values(name)),
            field => Ok(field),
        }
    }
}

/// Returns the reason why MuJoCo must take the steps of lanes with own values of a field.
pub(in crate::native) fn own_values(name: &str) -> String {
    format!("{name} has values for each simulation")
}

/// Values of model fields in one lane, for the fields in which the lane differs from the stepper's model.
#[derive(Debug, Clone, Copy, Default)]
pub struct LaneFields<'a> {
    values: [Option<&'a [f64]>; COUNT],
    heights: Option<&'a [f32]>,
    kinds: Option<&'a [i32]>,
}

impl<'a> LaneFields<'a> {
    /// Sets the lane's values of a field: all elements of the array of `mjModel`.
    pub fn set(&mut self, field: LaneField, values: &'a [f64]) {
        self.values[field as usize] = Some(values);
    }

    /// Sets the lane's heights of height fields: all elements of `hfield_data`, or `None` for the model's.
    pub fn set_heights(&mut self, heights: Option<&'a [f32]>) {
        self.heights = heights;
    }

    /// Returns the lane's heights of height fields (`hfield_data`); `None` if they are the model's.
    pub(in crate::native) fn heights(&self) -> Option<&'a [f32]> {
        self.heights
    }

    /// Returns the lane's values of a field; `None` if they are the model's.
    pub(in crate::native) fn get(&self, field: LaneField) -> Option<&'a [f64]> {
        self.values[field as usize]
    }

    /// Sets the lane's types of geoms: all elements of `geom_type`, or `None` for the model's.
    pub fn set_geom_types(&mut self, kinds: Option<&'a [i32]>) {
        self.kinds = kinds;
    }

    /// Returns the lane's types of geoms (`geom_type`); `None` if they are the model's.
    pub(in crate::native) fn geom_types(&self) -> Option<&'a [i32]> {
        self.kinds
    }

    /// Returns whether no field but types of geoms and the heights of height fields differs from the model.
    pub fn is_empty(&self) -> bool {
        self.values.iter().all(Option::is_none)
    }

    /// Returns whether a step's result depends on any of the fields. Positions of sites only change derived arrays.
    pub(in crate::native) fn change_steps(&self) -> bool {
        let is_read = |field: &LaneField| !matches!(field, LaneField::GeomPos | LaneField::SitePos);
        LaneField::ALL.iter().filter(|field| is_read(field)).any(|field| self.get(*field).is_some())
    }

    /// Returns whether a planar step can use these values: poses of bodies and of their inertial frames are the
    /// model's, no gravity acts across the plane, and the robot has a mass.
    pub(super) fn are_planar(&self) -> bool {
        [LaneField::BodyPos, LaneField::BodyQuat, LaneField::BodyIpos].iter().all(|field| self.get(*field).is_none())
            && self.get(LaneField::Gravity).is_none_or(|gravity| gravity[1] == 0.0)
            && self.get(LaneField::BodySubtreemass).is_none_or(|masses| masses.iter().skip(1).all(|mass| *mass >= MJMINVAL))
    }
}

/// Values of all lane fields in the stepper's model, and the properties of the model on which support for lanes' values depends.
pub(in crate::native) struct BaseFields {
    pub(super) values: [Vec<f64>; COUNT],
    /// Other geoms that take part in contacts, whose shapes can differ between lanes.
    pub(in crate::native) shaped: Vec<usize>,
    /// Types of all geoms.
    kinds: Vec<i32>,
    /// Geoms and bodies of all pairs.
    pairs: Vec<([usize; 2], [usize; 2])>,
    /// Geoms that take part in contacts with one shape or that tendons wrap around, in ascending order.
    geoms: Vec<usize>,
    /// Whether lanes can have own heights of height fields: the model announces that these change.
    pub(in crate::native) has_own_heights: bool,
    /// Whether a step reads positions of sites.
    pub(in crate::native) reads_sites: bool,
    /// Whether the model disables gravity.
    pub(super) is_weightless: bool,
    /// Whether the model has a fluid, whose forces depend on masses and inertias.
    has_fluid: bool,
    has_gravcomp: bool,
    has_equalities: bool,
    /// Fields that a step reads for some models, but not for this one.
    unread: Vec<&'static str>,
    /// Actuators that the integrator `implicitfast` supports only without damping.
    undamped_actuators: Vec<usize>,
    /// Actuators whose parameters of gain and bias must be the model's: muscles, and those with an affine gain.
    fixed_actuators: Vec<usize>,
}

impl BaseFields {
    pub(in crate::native) fn read(
        reader: &Reader<'_>,
        model: &NativeModel,
        has_touch_sensors: bool,
    ) -> Result<Self, Unsupported> {
        let mut values: [Vec<f64>; COUNT] = Default::default();
        for field in LaneField::ALL {
            let (name, width, count) = field.shape();
            values[field as usize] = match field {
                LaneField::Gravity => model.gravity.to_vec(),
                _ => reader.floats(name, width * reader.size(count)?)?,
            };
        }
        let wrapped = model.wrap_geoms.iter().map(|geom| geom.id);
        let is_fixed = |pair: &GeomPair, side| !matches!(&pair.collider, Collider::Library(pair) if pair.shaped[side]);
        let sides = model.pairs.iter().flat_map(|pair| [(pair, 0), (pair, 1)]);
        let fixed = sides.filter(|(pair, side)| is_fixed(pair, *side)).map(|(pair, side)| pair.ids[side]);
        let mut geoms: Vec<_> = fixed.chain(wrapped).collect();
        geoms.sort_unstable();
        geoms.dedup();
        let shaped: Vec<_> = reader.0.shaped().iter().copied().filter(|geom| !geoms.contains(geom)).collect();
        let kinds = reader.0.geom_type().iter().map(|kind| i64::from(*kind));
        let fields_of_height: Vec<_> = kinds.enumerate().filter(|(_, kind)| *kind == HFIELD).map(|(geom, _)| geom).collect();
        let is_anchor = |equality: &Equality| match equality {
            Equality::Length(_) => false,
            Equality::Bodies(equality) => equality.anchors.iter().any(|anchor| matches!(anchor, BodyAnchor::Site(_))),
        };
        let is_implicit = model.integrator == Integrator::ImplicitFast;
        let undamped = |number: &usize| {
            let actuator = &model.actuators[*number];
            actuator.transmission.drops_zeros() || (is_implicit && model.moves_ancestors(actuator))
        };
        // With other numbers, an actuator of a ball joint could become a servo.
        let is_fixed = |number: &usize| {
            let actuator = &model.actuators[*number];
            is_muscle(actuator) || actuator.affine_gain.is_some() || matches!(actuator.transmission, Transmission::Ball { .. })
        };
        Ok(Self {
            values,
            has_own_heights: !fields_of_height.is_empty() && fields_of_height.iter().all(|geom| shaped.contains(geom)),
            shaped,
            kinds: reader.0.geom_type().to_vec(),
            pairs: model.pairs.iter().map(|pair| (pair.ids, pair.bodies)).collect(),
            geoms,
            reads_sites: has_touch_sensors
                || !model.tendon_sites.is_empty()
                || model.equalities.iter().any(is_anchor)
                || model.actuators.iter().any(|actuator| actuator.transmission.drops_zeros()),
            is_weightless: reader.integer("opt.disableflags")? & MJDSBL_GRAVITY != 0,
            has_fluid: model.fluid.is_some(),
            has_gravcomp: model.gravcomp.is_some(),
            has_equalities: !model.equalities.is_empty(),
            unread: unread_fields(model),
            undamped_actuators: (0..model.actuators.len()).filter(undamped).collect(),
            fixed_actuators: (0..model.actuators.len()).filter(is_fixed).collect(),
        })
    }

    /// Returns the field whose values can differ between lanes, or `None` if no native step depends on the field.
    pub(in crate::native) fn support(&self, name: &str) -> Result<Option<LaneField>, String> {
        if self.unread.contains(&name) {
            return Ok(None);
        }
        match LaneField::named(name)? {
            Some(LaneField::BodyMass | LaneField::Gravity) if self.has_gravcomp => {
                Err(format!("{}, and bodies have gravcomp", own_values(name)))
            }
            Some(LaneField::BodyMass | LaneField::BodyInertia) if self.has_fluid => {
                Err(format!("{}, and the medium has viscosity or density", own_values(name)))
            }
            Some(LaneField::BodyInvweight0 | LaneField::DofInvweight0) if self.has_equalities => {
                Err(format!("{}, and there are equality constraints", own_values(name)))
            }
            Some(LaneField::GeomSize) if self.shaped.is_empty() => Err(own_values(name)),
            field => Ok(field),
        }
    }

    /// Returns the arrays that an environment has changed in its model and on which native steps depend.
    pub(in crate::native) fn lane_fields<'a>(&self, changed: &'a DetachedOverrides) -> Result<LaneFields<'a>, String> {
        let mut fields = LaneFields::default();
        for (name, values) in changed.arrays() {
            match values {
                Values::Singles(heights) if self.has_own_heights && name == HFIELD_DATA.name() => fields.heights = Some(heights),
                Values::Shapes(kinds) if !self.shaped.is_empty() => fields.kinds = Some(kinds),
                Values::Doubles(values) => {
                    if let Some(field) = self.support(name)? {
                        fields.set(field, values);
                    }
                }
                _ => drop(self.support(name)?),
            }
        }
        Ok(fields)
    }

    /// Returns whether the native stepper can step a lane with these values.
    pub(in crate::native) fn admits(&self, fields: &LaneFields<'_>) -> bool {
        self.unsupported(fields).is_none()
    }

    /// Returns the name of the first field in `mjModel` with values that the native stepper does not support.
    pub(in crate::native) fn unsupported(&self, fields: &LaneFields<'_>) -> Option<&'static str> {
        let admits = |field: &LaneField| fields.get(*field).is_none_or(|values| self.admits_values(*field, values));
        let heights = fields.heights.filter(|_| !self.has_own_heights).map(|_| HFIELD_DATA.name());
        let sizes = fields.get(LaneField::GeomSize).unwrap_or(&self.values[LaneField::GeomSize as usize]);
        let is_solid = |kinds: &[i32]| self.shaped.iter().all(|geom| is_solid(kinds[*geom], &sizes[3 * geom..][..3]));
        let are_refused = |kinds: &&[i32]| !self.admits_kinds(kinds) || !is_solid(kinds);
        let kinds = fields.kinds.filter(are_refused).map(|_| GEOM_TYPE.name());
        heights.or(kinds).or_else(|| LaneField::ALL.into_iter().find(|field| !admits(field)).map(|field| field.shape().0))
    }

    /// Returns whether only types of geoms differ whose shapes lanes may have, and MuJoCo sorts the contacts as the model's pairs.
    pub(in crate::native) fn admits_kinds(&self, kinds: &[i32]) -> bool {
        let is_known = |geom: usize| {
            let known = i64::from(kinds[geom]);
            kinds[geom] == self.kinds[geom] || (self.shaped.contains(&geom) && (SPHERE..=BOX).contains(&known))
        };
        let order = |&(ids, [one, other]): &([usize; 2], [usize; 2])| {
            let [first, second] = ids.map(|geom| (kinds[geom], geom));
            (one.min(other), one.max(other), first.min(second).1, first.max(second).1)
        };
        (0..kinds.len()).all(is_known) && self.pairs.is_sorted_by_key(order)
    }

    /// Gives the actuators whose `actuator_gainprm` or `actuator_biasprm` must be the model's these values.
    pub(in crate::native) fn restore_fixed(&self, field: LaneField, values: &mut [f64]) {
        for number in &self.fixed_actuators {
            let own = PARAMETERS * number..PARAMETERS * (number + 1);
            values[own.clone()].copy_from_slice(&self.values[field as usize][own]);
        }
    }

    fn admits_values(&self, field: LaneField, values: &[f64]) -> bool {
        let base = &self.values[field as usize];
        assert_eq!(values.len(), base.len(), "numbers of {field:?}");
        let is_long = |[w, x, y, z]: &[f64; 4]| w * w + x * x + y * y + z * z > LEAST_SQUARE;
        let is_same_loss = |(own, base): (&f64, &f64)| *own >= 0.0 && (*own > 0.0) == (*base > 0.0);
        values.iter().all(|value| value.is_finite())
            && match field {
                LaneField::GeomPos | LaneField::GeomSize => {
                    self.geoms.iter().all(|geom| values[3 * geom..][..3] == base[3 * geom..][..3])
                }
                LaneField::SitePos => !self.reads_sites || values == base,
                LaneField::BodyQuat => values.as_chunks::<4>().0.iter().all(is_long),
                // The constraint rows of joints' friction are the same in all lanes.
                LaneField::DofFrictionloss => values.iter().zip(base).all(is_same_loss),
                LaneField::ActuatorBiasprm | LaneField::ActuatorGainprm => {
                    let own = |actuator: usize| PARAMETERS * actuator..PARAMETERS * (actuator + 1);
                    let is_damped =
                        |actuator: &usize| field == LaneField::ActuatorBiasprm && values[PARAMETERS * actuator + 2] != 0.0;
                    self.fixed_actuators.iter().all(|actuator| values[own(*actuator)] == base[own(*actuator)])
                        && !self.undamped_actuators.iter().any(is_damped)
                }
                _ => true,
            }
    }
}

/// Returns whether a geom's type has an extent in all directions with these sizes.
fn is_solid(kind: i32, sizes: &[f64]) -> bool {
    let used = match i64::from(kind) {
        SPHERE => 1,
        CAPSULE | CYLINDER => 2,
        _ => 3,
    };
    sizes[..used].iter().all(|size| *size > 0.0)
}

fn is_muscle(actuator: &Actuator) -> bool {
    actuator.muscle_gain.is_some() || actuator.muscle_bias.is_some()
}

/// Lists the fields that `mj_setConst` changes and that a step reads for some models, but not for this one.
fn unread_fields(model: &NativeModel) -> Vec<&'static str> {
    let has_equalities = !model.equalities.is_empty();
    let has_limit = model.limited_tendons().chain(model.friction_tendons()).next().is_some();
    let has_spring = |tendon: &Tendon| tendon.spring.is_some();
    let has_muscles = model.actuators.iter().any(is_muscle);
    let fields = [
        // PGS treats all islands together.
        ("stat.meaninertia", model.dialect.scale_by_trace || (model.has_islands && model.solver == Solver::Newton)),
        ("tendon_length0", !has_equalities),
        ("tendon_invweight0", !has_equalities && !has_limit),
        ("bvh_aabb", model.disables_midphase || model.pairs.is_empty()),
        ("tendon_lengthspring", !model.tendons.iter().any(has_spring)),
        ("actuator_acc0", !has_muscles),
        ("actuator_lengthrange", !has_muscles),
    ];
    fields.into_iter().filter(|(_, is_unread)| *is_unread).map(|(name, _)| name).collect()
}

/// Squared length of a quaternion at and below which MuJoCo must step the lane.
const LEAST_SQUARE: f64 = 1e-6;
