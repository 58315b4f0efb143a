//! Touch sensors (`mjSENS_TOUCH`) of planar robots, whose sites are spheres in the plane.

use super::super::feelers::{SitePose, TouchContact, TouchSensor};
use super::super::tables::{NativeModel, SameFrame};
use super::lines::{ContactPlace, EqualRows, each_row};
use super::plane::PlanarData;
use super::tables::{PlanarModel, Pos2};
use envpool_rs_numeric::simd::Float64Lanes;

/// Site of a touch sensor.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlanarSite {
    pub(super) body: usize,
    /// Position of the site relative to its body; `None` if the position is zero.
    pub(super) pos: Option<Pos2>,
    /// Whether the site is at the body's centre of mass; `pos` is then ignored.
    pub(super) is_central: bool,
}

impl PlanarModel {
    /// Adds the sites of the touch sensors, if a planar step can compute the sensors' values.
    pub(in super::super) fn with_touch(mut self, model: &NativeModel, sensors: &[TouchSensor]) -> Self {
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
    pub(in super::super) fn knows_touch(&self) -> bool {
        self.touch_sites.is_some()
    }
}

impl<V: Float64Lanes, const N: usize, const W: usize> PlanarData<V, N, W> {
    /// Computes the values of touch sensors in one lane, as `mj_sensorAcc` does.
    pub(super) fn touch_sensordata(&self, model: &NativeModel, sensors: &[TouchSensor], lane: usize, values: &mut [f64]) {
        for ((sensor, site), value) in sensors.iter().zip(&self.site_places).zip(values) {
            let site = SitePose { centre: [site[0].get(lane), 0.0, site[1].get(lane)], matrix: [0.0; 9] };
            let reading = |place: &ContactPlace<V>, force: f64| {
                let bodies = &model.pairs[place.pair].bodies;
                if !bodies.contains(&sensor.body) {
                    return 0.0;
                }
                let [point, normal] = [place.point, place.normal].map(|vector| vector.map(|part| part.get(lane)));
                let is_on_second = bodies[1] == sensor.body;
                sensor.reading(&site, &TouchContact { point, normal, force, is_on_second })
            };
            let mut sum = 0.0;
            for contact in &self.rows.contacts {
                let mut force = 0.0;
                each_row!(contact, |ROW, is_twice| {
                    let part = contact.lines[ROW].force(contact.efc_d).get(lane);
                    force += part;
                    if is_twice {
                        force += part;
                    }
                });
                sum += reading(&contact.place, force);
            }
            for single in &self.rows.singles {
                sum += reading(&single.place, single.line.force(single.efc_d).get(lane));
            }
            *value = sum;
        }
    }
}
