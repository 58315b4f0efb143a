//! Contacts that MuJoCo's collision functions (`mjCOLLISIONFUNC`) find, lane by lane, for types of geoms without a native
//! collider.
//!
//! A collision function reads only the poses of the two geoms from `mjData`, so a simulation whose other arrays have no meaning
//! is sufficient. If two geoms only just touch, `mj_collision` decides whether MuJoCo has the contact.

use crate::collision::{CollisionFunctions, GeomPose, MAX_PAIR_CONTACTS};
use crate::data::Data;
use crate::model::Model;
use crate::model_overrides::{GEOM_SIZE, GEOM_TYPE};
use crate::native::collision::bounding_boxes::{are_boxes_apart, barely_touching, boxes_within};
use crate::native::collision::guards::near_lanes;
use crate::native::collision::height_fields::lanes_on_field;
use crate::native::collision::hulls::separated_lanes;
use crate::native::collision::pairs::compiled::half_extent;
use crate::native::collision::round_colliders::sphere_box;
use crate::native::constraint::Constraints;
use crate::native::constraint::contacts::{LaneContacts, add_contact, add_pre_contact};
use crate::native::data::{NativeData, in_lane};
use crate::native::dialect::Dialect;
use crate::native::lane_fields::{FieldSource, LaneFields};
use crate::native::mju::{MJMINVAL, cross, dot3, scl3, sub3};
use crate::native::model::reader::triple;
use crate::native::model::{Guard, LibraryPair, NativeModel};
use envpool_rs_numeric::simd::Float64Lanes;

/// Adds the contacts of two geoms that MuJoCo's collision function finds, in all lanes.
#[inline(always)]
pub(in crate::native) fn add_library_contacts<V: Float64Lanes>(
    (model, fields): (&NativeModel, impl FieldSource<V>),
    data: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, library): (usize, &LibraryPair),
) {
    let geoms = model.pairs[pair].geoms;
    let near = near_lanes(model, (&library.guard, geoms), data) & !rows.fallback;
    if near == 0 {
        return;
    }
    let rows_each = library.contact.friction.rows(model.is_elliptic);
    if let Some((radius, size)) = &library.sphere_box {
        let (xpos, xmat) = (&data.geom_poses[geoms[1]].pos, data.geom_xmat(model, geoms[1]));
        let sphere = (&data.geom_poses[geoms[0]].pos, *radius);
        let found = sphere_box(sphere, (xpos, &xmat, size), library.contact.margin, near);
        if found.lanes == 0 || !has_room(model, rows, (rows_each, found.lanes)) {
            return;
        }
        return add_pre_contact((model, fields), data, rows, (pair, &library.contact), found);
    }
    let near = match rows.narrow.as_deref() {
        Some(narrow) if library.field.is_some() => lanes_on_field(model, data, narrow, (geoms, library), near),
        _ => near,
    };
    if near == 0 {
        return;
    }
    let near = boxes_within(model, data, (geoms, library), near);
    if near == 0 {
        return;
    }
    let matrices = [data.geom_xmat(model, geoms[0]), data.geom_xmat(model, geoms[1])];
    let mut near = near;
    if let Some([first, second]) = &library.hulls {
        let poses = [(&data.geom_poses[geoms[0]].pos, &matrices[0]), (&data.geom_poses[geoms[1]].pos, &matrices[1])];
        near &= !separated_lanes([first, second], poses, library.contact.margin, &mut rows.planes[pair], near);
        if near == 0 {
            return;
        }
    }
    let Some(mut narrow) = rows.narrow.take() else {
        rows.fallback |= near;
        return;
    };
    let bodies = model.pairs[pair].bodies;
    let overlapping = rows.overlapping_lanes(bodies);
    narrow.contacts.iter_mut().for_each(Vec::clear);
    let (mut touching, mut uncertain, mut failed) = (0, 0, 0);
    for lane in (0..V::COUNT).filter(|lane| near >> lane & 1 != 0) {
        let pose =
            |side: usize| GeomPose { pos: in_lane(&data.geom_poses[geoms[side]].pos, lane), mat: in_lane(&matrices[side], lane) };
        let set_shapes = |simulation: &mut Data| fields.copy_shapes(lane, library, simulation);
        match narrow.collide(lane, library, [pose(0), pose(1)], set_shapes, overlapping >> lane & 1 != 0) {
            Some(is_deep) => uncertain |= u32::from(!is_deep) << lane,
            None => failed |= 1 << lane,
        }
        touching |= u32::from(!narrow.contacts[lane].is_empty()) << lane;
    }
    if touching != 0 {
        uncertain |= touching & barely_touching(model, data, (geoms, library), overlapping);
    }
    uncertain &= !failed;
    for lane in (0..V::COUNT).filter(|lane| uncertain >> lane & 1 != 0) {
        match narrow.confirm(lane, library.ids, |simulation| set_positions(fields, data, lane, simulation)) {
            Some(true) => {}
            Some(false) => {
                narrow.contacts[lane].clear();
                touching &= !(1 << lane);
            }
            None => failed |= 1 << lane,
        }
    }
    rows.fallback |= failed;
    if library.contact.slack[0].fixed > 0.0 {
        rows.add_overlapping(bodies, touching & !failed);
    }
    for lane in (0..V::COUNT).filter(|lane| failed >> lane & 1 != 0) {
        narrow.contacts[lane].clear();
    }
    for number in 0..narrow.contacts.iter().map(Vec::len).max().unwrap_or(0) {
        let lane_contacts = gather_contacts(&narrow.contacts, number);
        if !has_room(model, rows, (rows_each, V::bits(lane_contacts.lanes))) {
            break;
        }
        add_contact((model, fields), data, rows, (pair, &library.contact), &lane_contacts);
    }
    rows.narrow = Some(narrow);
}

/// Reserves the rows of a contact in the bit mask `lanes`. If there is no room, MuJoCo must step these lanes.
#[inline(always)]
fn has_room<V: Float64Lanes>(model: &NativeModel, rows: &mut Constraints<V>, (count, lanes): (usize, u32)) -> bool {
    let has_room = rows.library_nefc + count <= model.max_library_nefc;
    if has_room {
        rows.library_nefc += count;
    } else {
        rows.fallback |= lanes;
    }
    has_room
}

/// Returns a bit mask of the lanes of `uncertain` that MuJoCo must step, because its broad or mid phase drops two touching geoms.
#[cold]
#[inline(never)]
pub(in crate::native) fn dropped_lanes<V: Float64Lanes>(
    fields: impl FieldSource<V>,
    data: &NativeData<V>,
    narrow: &mut Option<Box<NarrowPhase>>,
    ids: [usize; 2],
    uncertain: u32,
) -> u32 {
    let (Some(narrow), mut dropped) = (narrow, uncertain) else { return uncertain };
    for lane in (0..V::COUNT).filter(|lane| uncertain >> lane & 1 != 0) {
        if narrow.confirm(lane, ids, |simulation| set_positions(fields, data, lane, simulation)) == Some(true) {
            dropped &= !(1 << lane);
        }
    }
    dropped
}

/// Sets the positions of one lane in a simulation, and the lane's own frames of bodies. Returns `None` if that is impossible.
fn set_positions<V: Float64Lanes>(
    fields: impl FieldSource<V>,
    data: &NativeData<V>,
    lane: usize,
    simulation: &mut Data,
) -> Option<()> {
    let copy = |to: &mut [f64], from: &[V]| to.iter_mut().zip(from).for_each(|(to, from)| *to = from.get(lane));
    copy(simulation.qpos_mut(), &data.qpos);
    copy(simulation.mocap_pos_mut(), &data.mocap_pos);
    copy(simulation.mocap_quat_mut(), &data.mocap_quat);
    fields.copy_frames(lane, simulation)
}

/// Gathers contact `number` of all lanes. Lanes without it get finite numbers, those of a lane that has it.
#[inline(always)]
fn gather_contacts<V: Float64Lanes>(contacts: &[Vec<LaneContact>; 8], number: usize) -> LaneContacts<V> {
    let none = V::splat(0.0);
    let mut lane_contacts = LaneContacts { lanes: V::mask(0), dist: none, pos: [none; 3], frame: [[none; 3]; 3] };
    let mut lanes = 0;
    for lane in 0..V::COUNT {
        lanes |= u32::from(contacts[lane].len() > number) << lane;
    }
    let any = &contacts[lanes.trailing_zeros() as usize][number];
    for lane in 0..V::COUNT {
        let LaneContact { dist, pos, frame } = contacts[lane].get(number).unwrap_or(any);
        lane_contacts.dist.set(lane, *dist);
        for axis in 0..3 {
            lane_contacts.pos[axis].set(lane, pos[axis]);
            for row in 0..3 {
                lane_contacts.frame[row][axis].set(lane, frame[row][axis]);
            }
        }
    }
    lane_contacts.lanes = V::mask(lanes);
    lane_contacts
}

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
    pub(in crate::native) contacts: [Vec<LaneContact>; 8],
    /// Geoms of all contacts that MuJoCo has found in each lane in this step.
    pub(in crate::native) found: [Option<Vec<[i32; 2]>>; 8],
    /// Each lane's own heights of height fields (`hfield_data`); `None` if they are the model's.
    pub(in crate::native) heights: [Option<Vec<f32>>; 8],
    /// Each lane's own types of geoms (`geom_type`); `None` if they are the model's.
    kinds: [Option<Vec<i32>>; 8],
}

impl NarrowPhase {
    /// Returns the collision functions for `model`; `None` if the library does not export them.
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
            found: Default::default(),
            heights: Default::default(),
            kinds: Default::default(),
        }))
    }

    /// Copies the lanes' own types of geoms and heights of height fields.
    pub(in crate::native) fn load(&mut self, lanes: &[LaneFields<'_>]) {
        fn copy<T: Copy>(own: &mut Option<Vec<T>>, from: Option<&[T]>) {
            match from {
                Some(from) => from.clone_into(own.get_or_insert_default()),
                None => *own = None,
            }
        }
        for (lane, (heights, kinds)) in self.heights.iter_mut().zip(&mut self.kinds).enumerate() {
            copy(heights, lanes.get(lane).and_then(LaneFields::heights));
            copy(kinds, lanes.get(lane).and_then(LaneFields::geom_types));
        }
    }

    /// Finds the contacts of two geoms with the given poses in one lane. Returns whether the contacts are deep enough: if not, the
    /// caller must call [`NarrowPhase::confirm`]. `is_overlapping`: the broad phase keeps the bodies. `set_shapes` sets the lane's own
    /// shapes. Returns `None` if MuJoCo must step the lane, because the function has failed or
    /// warned.
    pub(in crate::native) fn collide(
        &mut self,
        lane: usize,
        pair: &LibraryPair,
        mut poses: [GeomPose; 2],
        set_shapes: impl FnOnce(&mut Data) -> Option<()>,
        is_overlapping: bool,
    ) -> Option<bool> {
        let mut simulation = self.simulation()?;
        let Self { functions, data, stride, written, contacts, heights, kinds, model, .. } = self;
        let LibraryPair { mut ids, ref contact, .. } = *pair;
        set_shapes(&mut simulation)?;
        let mut is_swapped = false;
        if pair.reads_own_sizes() {
            let kinds = kinds[lane].as_deref().unwrap_or(model.geom_type());
            ids.into_iter().for_each(|id| simulation.model_array_mut(GEOM_TYPE)[id] = kinds[id]);
            is_swapped = (kinds[ids[0]], ids[0]) > (kinds[ids[1]], ids[1]);
            let half = |side: usize| match pair.shaped[side] {
                true => half_extent(kinds[ids[side]].into(), triple(simulation.model_array(GEOM_SIZE), ids[side])).0,
                false => pair.boxes[side].half,
            };
            let centre = |side: usize| if pair.shaped[side] { &[0.0; 3] } else { &pair.boxes[side].centre };
            let has_boxes = matches!(pair.guard, Guard::Distance { .. }) && pair.field.is_none();
            if has_boxes && are_boxes_apart(&poses, [centre(0), centre(1)], [half(0), half(1)], pair.reach) {
                *data = Some(simulation);
                return Some(true);
            }
        }
        if is_swapped {
            ids.swap(0, 1);
            poses.swap(0, 1);
        }
        let heights = heights[lane].as_deref().filter(|_| pair.field.is_some());
        let found = simulation.with_heights(heights, |simulation| {
            // SAFETY: the functions are those of the model's library, and `stride` is the size of a contact in its version.
            unsafe { simulation.collide(functions, ids, &poses, contact.margin, (written, *stride)) }
        });
        let count = found.ok()?;
        *data = Some(simulation);
        let slack = &contact.slack[usize::from(is_overlapping)];
        let (mut is_found, mut is_deep) = (false, false);
        for contact_values in
            written.chunks_exact(*stride).take(count?).filter(|contact_values| contact_values[0] < contact.includemargin)
        {
            let vector = |start: usize| [contact_values[start], contact_values[start + 1], contact_values[start + 2]];
            let pos = vector(1);
            is_found = true;
            is_deep |= contact.margin - contact_values[0] >= slack.depth::<f64>(&pos);
            let frame = frame(vector(4), vector(7))?;
            // With opposite directions, the rows of swapped geoms are those of the pair.
            let frame = if is_swapped { frame.map(|axis| axis.map(|part| -part)) } else { frame };
            contacts[lane].push(LaneContact { dist: contact_values[0], pos, frame });
        }
        Some(is_deep || !is_found)
    }

    /// Returns whether MuJoCo has contacts of two geoms, which its broad or mid phase may drop; `None` if MuJoCo must step the lane.
    pub(in crate::native) fn confirm(
        &mut self,
        lane: usize,
        ids: [usize; 2],
        set_positions: impl FnOnce(&mut Data) -> Option<()>,
    ) -> Option<bool> {
        if self.found[lane].is_none() {
            self.searches += 1;
            let mut simulation = self.simulation()?;
            set_positions(&mut simulation)?;
            if !self.model.shaped().is_empty() {
                let kinds = self.kinds[lane].as_deref().unwrap_or(self.model.geom_type());
                simulation.model_array_mut(GEOM_TYPE).copy_from_slice(kinds);
            }
            simulation.with_heights(self.heights[lane].as_deref(), Data::find_contacts).ok()?;
            simulation.model().library().contact.as_ref()?;
            self.found[lane] = Some(simulation.contact_geoms().collect());
            self.data = Some(simulation);
        }
        let is_of = |geoms: &[i32; 2]| ids.iter().all(|id| geoms.contains(&(*id as i32)));
        Some(self.found[lane].iter().flatten().any(is_of))
    }

    /// Takes the simulation, or creates one.
    fn simulation(&mut self) -> Option<Data> {
        self.data.take().or_else(|| Data::new(&self.model).ok())
    }
}

/// Returns a contact's frame for a normal and a first tangent or zero, as `mju_makeFrame` does; `None` if the normal is zero.
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
