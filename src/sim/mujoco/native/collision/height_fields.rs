//! Height fields: finds the lanes in which a geom may touch one, before MuJoCo's collision function (`mjc_ConvexHField`) is called.

use std::fmt;
use std::sync::Arc;

use crate::native::collision::library_contacts::NarrowPhase;
use crate::native::data::NativeData;
use crate::native::mju::{add3, mul_mat_t_vec3, mul_mat_vec3, splat3, sub3};
use crate::native::model::reader::{Reader, all, quadruple};
use crate::native::model::{LibraryPair, NativeModel, Unsupported};
use crate::native::outlined::outlined;
use envpool_rs_numeric::simd::Float64Lanes;

/// Height field of a model (`hfield_*`).
pub(in crate::native) struct HeightField {
    /// Numbers of rows and of columns (`hfield_nrow`, `hfield_ncol`).
    counts: [usize; 2],
    /// Index of the field's first height in `hfield_data`.
    adr: usize,
    /// Half lengths along x and y, and the height of the value 1, in metres (`hfield_size`).
    size: [f64; 3],
    /// Heights of all fields of the model (`hfield_data`).
    data: Arc<[f32]>,
}

/// Extent of a geom in its own frame, in metres.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct Solid {
    pub(in crate::native) centre: [f64; 3],
    /// Half lengths of a box, or the semi-axes of an ellipsoid.
    pub(in crate::native) half: [f64; 3],
    pub(in crate::native) is_ellipsoid: bool,
    /// Radius of spheres that are added at each point.
    pub(in crate::native) radius: f64,
}

/// The `Debug` output identifies models; the fingerprint of a model also covers the heights.
impl fmt::Debug for HeightField {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "height field of {:?} heights", self.counts)
    }
}

/// Reads the height fields of a model.
pub(in crate::native) fn read_height_fields(reader: &Reader<'_>) -> Result<Vec<Arc<HeightField>>, Unsupported> {
    let (count, data) = (reader.size("nhfield")?, Arc::<[f32]>::from(reader.0.hfield_data()));
    let [rows, columns, starts] = all(["hfield_nrow", "hfield_ncol", "hfield_adr"].map(|name| reader.indices(name, count)))?;
    let sizes = reader.floats("hfield_size", 4 * count)?;
    let field = |id: usize| {
        let [x, y, z, _] = quadruple(&sizes, id);
        Arc::new(HeightField { counts: [rows[id], columns[id]], adr: starts[id], size: [x, y, z], data: data.clone() })
    };
    Ok((0..count).map(field).collect())
}

impl HeightField {
    /// Returns whether a height below the box with these corners, in the field's frame, is above the box's lower side. If not,
    /// `mjc_ConvexHField` calls no algorithm for convex shapes.
    fn reaches(&self, data: &[f32], [low, high]: [[f64; 3]; 2]) -> bool {
        let [rows, columns] = self.counts;
        let range = |axis: usize, count: usize| {
            let index = |coordinate: f64| (coordinate + self.size[axis]) / (2.0 * self.size[axis]) * (count - 1) as f64;
            (index(low[axis]).floor().max(0.0) as usize)..(index(high[axis]).ceil() + 1.0).clamp(0.0, count as f64) as usize
        };
        let columns_below = range(0, columns);
        range(1, rows).any(|row| {
            let heights = &data[self.adr + row * columns..][..columns];
            let below = heights.get(columns_below.clone()).unwrap_or_default();
            !below.iter().all(|height| f64::from(*height) * self.size[2] < low[2])
        })
    }
}

outlined!(
    /// Returns a bit mask of those lanes of `near` in which the second geom of a pair may touch the first, a height field.
    pub(in crate::native) fn lanes_on_field<V: Float64Lanes>(
        model: &NativeModel,
        data: &NativeData<V>,
        narrow: &NarrowPhase,
        pair: ([usize; 2], &LibraryPair),
        near: u32,
    ) -> u32 {
        let (geoms, pair) = pair;
        let Some((field, Solid { centre, half, is_ellipsoid, radius })) = &pair.field else { return near };
        let [ground, pose] = geoms.map(|geom| &data.geom_poses[geom]);
        let [frame, own] = geoms.map(|geom| data.geom_xmat(model, geom));
        let offset = if *centre == [0.0; 3] { pose.pos } else { add3(mul_mat_vec3(&own, splat3(centre)), pose.pos) };
        let place = mul_mat_t_vec3(&frame, sub3(offset, ground.pos));
        let mut corners = [place; 2];
        for row in 0..3 {
            let mut extent = V::splat(0.0);
            for column in 0..3 {
                let mut cosine = V::splat(0.0);
                for k in 0..3 {
                    cosine = cosine + frame[3 * k + row] * own[3 * k + column];
                }
                let part = cosine * V::splat(half[column]);
                extent = extent + if *is_ellipsoid { part * part } else { part.abs() };
            }
            let extent = if *is_ellipsoid { extent.sqrt() } else { extent } + V::splat(radius + pair.reach);
            corners[0][row] = place[row] - extent;
            corners[1][row] = place[row] + extent;
        }
        let mut touching = 0;
        for lane in (0..V::COUNT).filter(|lane| near >> lane & 1 != 0) {
            let corners = corners.map(|corner| corner.map(|part| part.get(lane)));
            let heights = narrow.heights[lane].as_deref().unwrap_or(&field.data);
            touching |= u32::from(field.reaches(heights, corners)) << lane;
        }
        touching
    }
);
