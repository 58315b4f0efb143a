//! Pairs of shapes that are only watched: whether the library has to step.

use super::algebra::scaled;
use super::lanes::Lanes;
use super::smooth::Motion;
use super::solids::may_reach;
use super::tables::{Pair, Tables, Touch};

/// The lanes, as bits, in which a pair may touch and has to be left to the library.
#[inline(always)]
pub(super) fn alarms<V: Lanes>(tables: &Tables, pair: &Pair, motion: &Motion<V>) -> u32 {
    let [one, other] = pair.shapes.map(|shape| &motion.shapes[shape]);
    match &pair.touch {
        Touch::Ground(_) | Touch::Round(_) | Touch::Solid(..) => 0,
        Touch::WatchedGround(height) => V::bits(other.place[2].le(V::all(*height))),
        Touch::Watched { near, halves, ellipsoid, reach } => {
            let between = [0, 1, 2].map(|axis| one.place[axis] - other.place[axis]);
            let square = between[0] * between[0] + between[1] * between[1] + between[2] * between[2];
            let mut alarms = V::bits(square.le(V::all(*near)));
            if let Some((sizes, half)) = ellipsoid
                && alarms != 0
            {
                let matrix = motion.shape_matrix(tables, pair.shapes[1]);
                alarms &= may_reach((&matrix, sizes, other.place), (one.place, scaled(one.axis, V::all(*half))), *reach);
            }
            if let Some(halves) = halves {
                let mut left = alarms;
                while left != 0 {
                    let lane = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let get = |vector: &[V; 3]| vector.map(|part| part.get(lane));
                    let segments = [(one, halves[0]), (other, halves[1])]
                        .map(|(shape, half)| (get(&shape.place), get(&shape.axis).map(|part| part * half)));
                    if distance(segments) > *reach {
                        alarms &= !(1 << lane);
                    }
                }
            }
            alarms
        }
    }
}

type Segment = ([f64; 3], [f64; 3]);

/// The distance of two segments, each its middle and half of itself.
fn distance([(one, along), (other, across)]: [Segment; 2]) -> f64 {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let at = |middle: [f64; 3], half: [f64; 3], share: f64| [0, 1, 2].map(|axis| middle[axis] + share * half[axis]);
    // The place on a segment that is nearest to a point, as a share of its half.
    let nearest = |point: [f64; 3], middle: [f64; 3], half: [f64; 3]| {
        let square = dot(half, half);
        if square == 0.0 { 0.0 } else { (dot(minus(point, middle), half) / square).clamp(-1.0, 1.0) }
    };
    // From each end, and from where the lines are nearest, to the other segment and back.
    let between = minus(one, other);
    let (a, b, c) = (dot(along, along), dot(along, across), dot(across, across));
    let determinant = a * c - b * b;
    let crossing = if determinant > 0.0 { (b * dot(across, between) - c * dot(along, between)) / determinant } else { 0.0 };
    let starts = [-1.0, 1.0, crossing.clamp(-1.0, 1.0)].map(|share| at(one, along, share));
    let back = [-1.0, 1.0].map(|share| at(one, along, nearest(at(other, across, share), one, along)));
    let least = starts.into_iter().chain(back).map(|point| {
        let opposite = at(other, across, nearest(point, other, across));
        let nearer = at(one, along, nearest(opposite, one, along));
        let gap = minus(nearer, opposite);
        dot(gap, gap)
    });
    least.fold(f64::INFINITY, f64::min).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_segments_are_those_between_their_nearest_points() {
        let x = ([0.0; 3], [1.0, 0.0, 0.0]);
        for (segment, expected) in [
            (([0.0, 0.0, 2.0], [0.0, 1.0, 0.0]), 2.0),
            (([3.0, 0.0, 0.0], [0.5, 0.0, 0.0]), 1.5),
            (([0.5, 0.0, 1.0], [1.0, 0.0, 0.0]), 1.0),
            (([0.0, 3.0, 0.0], [0.0, 1.0, 0.0]), 2.0),
            (([2.0, 1.0, 0.0], [0.0, 0.0, 0.0]), 2.0_f64.sqrt()),
            (([4.0, 4.0, 0.0], [0.0, 5.0, 0.0]), 3.0),
        ] {
            assert!((distance([x, segment]) - expected).abs() < 1e-12, "{segment:?}");
            assert!((distance([segment, x]) - expected).abs() < 1e-12, "{segment:?}");
        }
    }
}
