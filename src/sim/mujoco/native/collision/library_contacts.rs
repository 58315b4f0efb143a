//! Adds the contacts that MuJoCo's collision functions find to the constraint rows.

use crate::collision::GeomPose;
use crate::data::Data;
use crate::native::collision::bounding_boxes::{barely_touching, boxes_within};
use crate::native::collision::guards::near_lanes;
use crate::native::collision::hulls::separated_lanes;
use crate::native::collision::narrow_phase::LaneContact;
use crate::native::constraint::Constraints;
use crate::native::constraint::contacts::{LaneContacts, add_contact};
use crate::native::lane_fields::FieldSource;
use crate::native::model::{LibraryPair, NativeModel};
use crate::native::smooth::{NativeData, in_lane};
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
    narrow.contacts.iter_mut().for_each(Vec::clear);
    let (mut touching, mut uncertain, mut failed) = (0, 0, 0);
    for lane in (0..V::COUNT).filter(|lane| near >> lane & 1 != 0) {
        let pose =
            |side: usize| GeomPose { pos: in_lane(&data.geom_poses[geoms[side]].pos, lane), mat: in_lane(&matrices[side], lane) };
        match narrow.collide(lane, library, &[pose(0), pose(1)]) {
            Some(is_deep) => uncertain |= u32::from(!is_deep) << lane,
            None => failed |= 1 << lane,
        }
        touching |= u32::from(!narrow.contacts[lane].is_empty()) << lane;
    }
    if touching != 0 {
        uncertain |= touching & barely_touching(model, data, (geoms, library));
    }
    uncertain &= !failed;
    for lane in (0..V::COUNT).filter(|lane| uncertain >> lane & 1 != 0) {
        if narrow.confirm(lane, library, |simulation| set_positions(fields, data, lane, simulation)).is_none() {
            failed |= 1 << lane;
        }
    }
    rows.fallback |= failed;
    for lane in (0..V::COUNT).filter(|lane| failed >> lane & 1 != 0) {
        narrow.contacts[lane].clear();
    }
    let rows_each = library.contact.friction.rows(model.is_elliptic);
    for number in 0..narrow.contacts.iter().map(Vec::len).max().unwrap_or(0) {
        let lane_contacts = gather_contacts(&narrow.contacts, number);
        if rows.library_nefc + rows_each > model.max_library_nefc {
            rows.fallback |= V::bits(lane_contacts.lanes);
            break;
        }
        rows.library_nefc += rows_each;
        add_contact((model, fields), data, rows, (pair, &library.contact), &lane_contacts);
    }
    rows.narrow = Some(narrow);
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

/// Gathers the contacts with the index `number` of all lanes. Lanes without this contact get the numbers of a lane that has it,
/// so that all numbers are finite.
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
