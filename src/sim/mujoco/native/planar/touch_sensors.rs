//! Touch sensors (`mjSENS_TOUCH`) of planar robots, whose sites are spheres in the plane.

use crate::native::data::in_lane;
use crate::native::model::{NativeModel, SameFrame};
use crate::native::planar::constraint::{ContactGeometry, EqualRows, each_row};
use crate::native::planar::data::PlanarData;
use crate::native::planar::model::{PlanarModel, PlanarSite};
use crate::native::sensor::touch_sensors::{SitePose, TouchContact, TouchSensor};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

impl PlanarModel {
    /// Adds the sites of the touch sensors, if a planar step can compute the sensors' values.
    pub(in crate::native) fn with_touch(mut self, model: &NativeModel, sensors: &[TouchSensor]) -> Self {
        // If a body, geom or site is outside the plane, its y coordinate is only approximate.
        let is_in_plane = model.bodies.iter().all(|body| body.pos[1] == 0.0 && body.inertial.pos[1] == 0.0)
            && model.geoms.iter().all(|geom| geom.body == 0 || geom.frame.pos[1] == 0.0);
        let site = |sensor: &TouchSensor| {
            let site = &model.sites[sensor.site];
            let is_known = is_in_plane && sensor.is_sphere() && site.body != 0 && site.frame.pos[1] == 0.0;
            is_known.then_some(PlanarSite {
                body: site.body,
                pos: (site.frame.same != SameFrame::Body).then_some([site.frame.pos[0], site.frame.pos[2]]),
                is_central: site.frame.same == SameFrame::Inertia,
            })
        };
        self.touch_sites = sensors.iter().map(site).collect();
        self
    }

    /// Returns whether a planar step computes the values of touch sensors.
    pub(in crate::native) fn knows_touch(&self) -> bool {
        self.touch_sites.is_some()
    }
}

/// SIMD kernel that computes the normal force of each contact in all lanes, as `mj_contactForce` does.
pub(super) struct NormalForces<'a, V: Float64Lanes, const N: usize, const W: usize>(pub(super) &'a mut PlanarData<V, N, W>);

impl<V: Float64Lanes, const N: usize, const W: usize> SimdKernel for NormalForces<'_, V, N, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let PlanarData { rows, normal_forces, .. } = self.0;
        normal_forces.clear();
        for contact in &rows.contacts {
            let mut force = V::splat(0.0);
            each_row!(contact, |ROW, is_twice| {
                let part = contact.lines[ROW].force(contact.efc_d);
                force = force + part;
                if is_twice {
                    force = force + part;
                }
            });
            normal_forces.push(force);
        }
        normal_forces.extend(rows.singles.iter().map(|single| V::splat(0.0) + single.line.force(single.efc_d)));
    }
}

impl<V: Float64Lanes, const N: usize, const W: usize> PlanarData<V, N, W> {
    /// Computes the values of touch sensors in one lane from the forces that [`NormalForces`] computed, as `mj_sensorAcc` does.
    pub(super) fn touch_sensordata(&self, model: &NativeModel, sensors: &[TouchSensor], lane: usize, values: &mut [f64]) {
        let contacts =
            self.rows.contacts.iter().map(|contact| &contact.geometry).chain(self.rows.singles.iter().map(|one| &one.geometry));
        for ((sensor, site), value) in sensors.iter().zip(&self.site_xpos).zip(values) {
            let site = SitePose { centre: [site[0].get(lane), 0.0, site[1].get(lane)], matrix: [0.0; 9] };
            let mut sum = 0.0;
            for (ContactGeometry { pair, pos, normal }, force) in contacts.clone().zip(&self.normal_forces) {
                let (bodies, force) = (&model.pairs[*pair].bodies, force.get(lane));
                if force > 0.0 && bodies.contains(&sensor.body) {
                    let [pos, normal] = [pos, normal].map(|vector| in_lane(vector, lane));
                    let is_on_second = bodies[1] == sensor.body;
                    sum += sensor.reading(&site, &TouchContact { pos, normal, force, is_on_second });
                }
            }
            *value = sensor.apply_cutoff(sum);
        }
    }
}
