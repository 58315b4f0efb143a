//! Contacts that MuJoCo's collision functions (`mjCOLLISIONFUNC`) find, lane by lane, for types of geoms without a native
//! collider.
//!
//! A collision function reads only the poses of the two geoms from `mjData`, so a simulation whose other arrays have no meaning
//! is sufficient. If two geoms only just touch, `mj_collision` decides whether MuJoCo has the contact.

use crate::collision::{CollisionFunctions, GeomPose, MAX_PAIR_CONTACTS};
use crate::data::Data;
use crate::model::Model;
use crate::native::dialect::Dialect;
use crate::native::mju::{MJMINVAL, cross, dot3, scl3, sub3};
use crate::native::model::LibraryPair;

/// Contact of two geoms in one lane.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct LaneContact {
    pub(in crate::native) dist: f64,
    pub(in crate::native) pos: [f64; 3],
    pub(in crate::native) frame: [[f64; 3]; 3],
}

/// MuJoCo's collision functions, with the memory that calls need.
pub(in crate::native) struct NarrowPhase {
    model: Model,
    functions: CollisionFunctions,
    /// Simulation that the functions read; `None` after MuJoCo has reported an error, until the next call.
    data: Option<Data>,
    /// Number of float64 values of each contact that a function writes.
    stride: usize,
    written: Vec<f64>,
    /// Number of searches for all contacts ([`NarrowPhase::confirm`]).
    pub(in crate::native) searches: u64,
    /// Contacts of each lane.
    pub(in crate::native) contacts: [Vec<LaneContact>; 8],
}

impl NarrowPhase {
    /// Returns the collision functions for simulations of `model`, whose library has the behaviour `dialect`; `None` if the
    /// library does not export them.
    pub(in crate::native) fn new(model: &Model, dialect: &Dialect) -> Option<Box<Self>> {
        let stride = dialect.contact_stride;
        Some(Box::new(Self {
            model: model.clone(),
            functions: model.library().collision_functions()?,
            data: None,
            stride,
            written: vec![0.0; stride * MAX_PAIR_CONTACTS],
            searches: 0,
            contacts: Default::default(),
        }))
    }

    /// Finds the contacts of two geoms with the given poses in one lane. Returns whether the contacts are deep enough: if not, the
    /// caller must call [`NarrowPhase::confirm`]. Returns `None` if MuJoCo must step the lane, because the function has failed or
    /// warned.
    pub(in crate::native) fn collide(&mut self, lane: usize, pair: &LibraryPair, poses: &[GeomPose; 2]) -> Option<bool> {
        let Self { model, functions, data, stride, written, contacts, .. } = self;
        let mut simulation = match data.take() {
            Some(simulation) => simulation,
            None => Data::new(model).ok()?,
        };
        let LibraryPair { ids, contact, .. } = pair;
        // SAFETY: the functions are those of the model's library, and `stride` is the size of a contact in its version.
        let count = unsafe { simulation.collide(functions, *ids, poses, contact.margin, (written, *stride)) }.ok()?;
        *data = Some(simulation);
        let (mut is_found, mut is_deep) = (false, false);
        for contact_values in
            written.chunks_exact(*stride).take(count?).filter(|contact_values| contact_values[0] < contact.margin)
        {
            let vector = |start: usize| [contact_values[start], contact_values[start + 1], contact_values[start + 2]];
            let pos = vector(1);
            is_found = true;
            is_deep |= contact.margin - contact_values[0] >= contact.slack.depth::<f64>(&pos);
            contacts[lane].push(LaneContact { dist: contact_values[0], pos, frame: frame(vector(4), vector(7))? });
        }
        Some(is_deep || !is_found)
    }

    /// Drops uncertain contacts of two geoms in one lane that MuJoCo's broad or mid phase drops. `set_positions` sets the positions of the
    /// lane's simulation. Returns `None` if MuJoCo must step the lane.
    pub(in crate::native) fn confirm(
        &mut self,
        lane: usize,
        pair: &LibraryPair,
        set_positions: impl FnOnce(&mut Data) -> Option<()>,
    ) -> Option<()> {
        self.searches += 1;
        let mut simulation = self.data.take()?;
        set_positions(&mut simulation)?;
        simulation.find_contacts().ok()?;
        if !simulation.has_contact_of(pair.ids)? {
            self.contacts[lane].clear();
        }
        self.data = Some(simulation);
        Some(())
    }
}

/// Returns the frame of a contact with the given normal and a given or zero first tangent, as `mju_makeFrame` does. Returns
/// `None` if the normal is zero.
fn frame(normal: [f64; 3], tangent: [f64; 3]) -> Option<[[f64; 3]; 3]> {
    let normalized = |vector: [f64; 3]| {
        let length = dot3::<f64>(&vector, &vector).sqrt();
        if length < MJMINVAL { [1.0, 0.0, 0.0] } else { scl3(vector, 1.0 / length) }
    };
    if dot3::<f64>(&normal, &normal).sqrt() < 0.5 {
        return None;
    }
    let normal = normalized(normal);
    let mut tangent = tangent;
    if dot3::<f64>(&tangent, &tangent) < 0.25 {
        tangent = if normal[1] < 0.5 && normal[1] > -0.5 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
    }
    let along = dot3::<f64>(&normal, &tangent);
    let tangent = normalized(sub3(tangent, scl3(normal, along)));
    Some([normal, tangent, cross(normal, tangent)])
}
