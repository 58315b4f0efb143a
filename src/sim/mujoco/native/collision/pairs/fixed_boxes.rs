//! Boxes that are fixed in the world, such as the walls of a maze, and the guards of pairs with such a box.

use crate::native::collision::pairs::geoms::GeomArrays;
use crate::native::collision::pairs::{BOX, DISTANCE_SLACK};
use crate::native::mju::quat_to_mat;
use crate::native::model::reader::{quadruple, triple};
use crate::native::model::{AlignedBox, BoxFilter, Collider, Guard, JointKind, NativeModel};

/// Returns the smallest box along the axes of the world that contains the geom, if the geom is a box of the world body.
pub(super) fn fixed_box(arrays: &GeomArrays, geom: usize) -> Option<AlignedBox> {
    if arrays.kinds[geom] != BOX || arrays.bodies[geom] != 0 {
        return None;
    }
    let (size, matrix): ([f64; 3], [f64; 9]) = (triple(&arrays.sizes, geom), quat_to_mat(&quadruple(&arrays.turns, geom), false));
    let half = [0, 1, 2].map(|axis| (0..3).map(|own| matrix[3 * axis + own].abs() * size[own]).sum());
    Some(AlignedBox { center: triple(&arrays.places, geom), half })
}

/// Sets the filters of pairs with a fixed box: one for each box and kinematic tree with several such pairs.
pub(super) fn set_filters(arrays: &GeomArrays, model: &mut NativeModel) {
    let pair_of = |collider: &Collider| match collider {
        Collider::Library(library) => match library.guard {
            Guard::Box { bounds, .. } => Some((library.ids, bounds, library.contact.margin)),
            _ => None,
        },
        _ => None,
    };
    let mut filters: Vec<(usize, BoxFilter, usize)> = Vec::new();
    let mut numbers = vec![None; model.pairs.len()];
    for (number, pair) in model.pairs.iter().enumerate() {
        let Some(([geom, fixed], bounds, margin)) = pair_of(&pair.collider) else { continue };
        let Some(reach) = reach_from_root(arrays, model, geom) else { continue };
        let (root, reach) = (model.bodies[arrays.bodies[geom]].root, reach + margin + DISTANCE_SLACK);
        let known = filters.iter_mut().enumerate().find(|(_, (other, filter, _))| *other == fixed && filter.root == root);
        numbers[number] = Some(match known {
            Some((filter_number, (_, filter, uses))) => {
                filter.reach = filter.reach.max(reach);
                *uses += 1;
                filter_number
            }
            None => {
                filters.push((fixed, BoxFilter { bounds, root, reach }, 1));
                filters.len() - 1
            }
        });
    }
    // A filter of few pairs takes longer than their guards.
    model.pair_filters = numbers.into_iter().map(|number| number.filter(|number| filters[*number].2 > 2)).collect();
    model.box_filters = filters.into_iter().map(|(_, filter, _)| filter).collect();
}

/// Returns a bound on the distance of a geom's points from its tree's root body; `None` if there is no bound.
fn reach_from_root(arrays: &GeomArrays, model: &NativeModel, geom: usize) -> Option<f64> {
    let norm = |vector: &[f64; 3]| vector.iter().map(|part| part * part).sum::<f64>().sqrt();
    let pos: [f64; 3] = triple(&arrays.places, geom);
    let (mut reach, mut id) = (norm(&pos) + arrays.bounds[geom], arrays.bodies[geom]);
    while id != model.bodies[id].root {
        let body = &model.bodies[id];
        reach += norm(&body.pos);
        for joint in &model.joints[body.joints.clone()] {
            if joint.kind != JointKind::Hinge {
                return None;
            }
            // A hinge that is not at the body's origin moves the origin.
            reach += 2.0 * norm(&joint.pos);
        }
        id = body.parent;
    }
    Some(reach)
}
