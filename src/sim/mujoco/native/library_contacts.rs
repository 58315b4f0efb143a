//! Adds the contacts that MuJoCo's collision functions find to the constraint rows.

use super::super::collision::GeomPose;
use super::boxes::boxes_within;
use super::contacts::{LaneContacts, add_contact};
use super::narrow::LaneContact;
use super::rows::Constraints;
use super::smooth::{NativeData, in_lane};
use super::tables::{LibraryPair, NativeModel};
use super::watch::near_lanes;
use envpool_rs_numeric::simd::Float64Lanes;

/// Adds the contacts of two geoms that MuJoCo's collision function finds, in all lanes.
#[inline(always)]
pub(super) fn add_library_contacts<V: Float64Lanes>(
    model: &NativeModel,
    motion: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, library): (usize, &LibraryPair),
) {
    let geoms = model.pairs[pair].geoms;
    let near = near_lanes(model, (&library.guard, geoms), motion) & !rows.fallback;
    if near == 0 {
        return;
    }
    let matrices = geoms.map(|geom| motion.geom_xmat(model, geom));
    let poses = [&motion.geom_poses[geoms[0]], &motion.geom_poses[geoms[1]]];
    let near = near & boxes_within(&library.boxes, poses, &matrices);
    if near == 0 {
        return;
    }
    let Some(mut narrow) = rows.narrow.take() else {
        rows.fallback |= near;
        return;
    };
    narrow.contacts.iter_mut().for_each(Vec::clear);
    for lane in (0..V::COUNT).filter(|lane| near >> lane & 1 != 0) {
        let pose = |side: usize| GeomPose {
            pos: in_lane(&motion.geom_poses[geoms[side]].pos, lane),
            mat: in_lane(&matrices[side], lane),
        };
        if narrow.collide(lane, library, &[pose(0), pose(1)]).is_none() {
            narrow.contacts[lane].clear();
            rows.fallback |= 1 << lane;
        }
    }
    let rows_each = library.contact.friction.rows(model.is_elliptic);
    for number in 0..narrow.contacts.iter().map(Vec::len).max().unwrap_or(0) {
        let lanes = (0..V::COUNT).filter(|lane| narrow.contacts[*lane].len() > number).fold(0, |lanes, lane| lanes | 1 << lane);
        if rows.library_nefc + rows_each > model.max_library_nefc {
            rows.fallback |= lanes;
            break;
        }
        rows.library_nefc += rows_each;
        // Lanes without this contact get the numbers of a lane that has it, so that all numbers are finite.
        let any = narrow.contacts[lanes.trailing_zeros() as usize][number];
        let of =
            |value: &dyn Fn(&LaneContact) -> f64| V::from_fn(|lane| value(narrow.contacts[lane].get(number).unwrap_or(&any)));
        let vector = |value: &dyn Fn(&LaneContact) -> [f64; 3]| [0, 1, 2].map(|axis| of(&|touch| value(touch)[axis]));
        let touch = LaneContacts {
            lanes: V::mask(lanes),
            distance: of(&|touch| touch.dist),
            point: vector(&|touch| touch.pos),
            frame: [0, 1, 2].map(|row| vector(&|touch| touch.frame[row])),
        };
        add_contact(model, motion, rows, (pair, &library.contact), &touch);
    }
    rows.narrow = Some(narrow);
}
