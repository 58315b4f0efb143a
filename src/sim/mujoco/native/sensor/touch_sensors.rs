//! Touch sensors (`mjSENS_TOUCH`): a sensor's value is the sum of the normal forces of contacts whose lines of action pass
//! through its site.

use crate::mjt::{MJGEOM_ELLIPSOID, MJGEOM_SPHERE, MJINT_RK4, MJSENS_TOUCH, MJSTAGE_ACC};
use crate::native::mju::{MJMINVAL, dot3};
use crate::native::model::Unsupported;
use crate::native::model::reader::{Reader, triple};

/// Touch sensor (`mjSENS_TOUCH`) and its site.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct TouchSensor {
    /// Index of the site that bounds the sensor's volume (`sensor_objid`).
    pub(in crate::native) site: usize,
    /// Body that the site belongs to. The sensor counts only contacts of this body.
    pub(in crate::native) body: usize,
    shape: SiteShape,
    /// Index of the sensor's value in `sensordata` (`sensor_adr`).
    pub(in crate::native) sensor_adr: usize,
}

#[derive(Debug, Clone, Copy)]
enum SiteShape {
    /// The site is a sphere with this radius.
    Sphere(f64),
    /// The site is an ellipsoid with these semi-axes.
    Ellipsoid([f64; 3]),
}

/// World pose of a site: position (`site_xpos`) and orientation (`site_xmat`).
#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct SitePose {
    pub(in crate::native) centre: [f64; 3],
    pub(in crate::native) matrix: [f64; 9],
}

/// Properties of a contact that determine its force on a touch sensor.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct TouchContact {
    pub(in crate::native) pos: [f64; 3],
    /// Contact normal, from the first geom to the second.
    pub(in crate::native) normal: [f64; 3],
    pub(in crate::native) force: f64,
    /// Whether the second geom of the contact, and not the first, belongs to the sensor's body.
    pub(in crate::native) is_on_second: bool,
}

/// Reads all touch sensors of the model. Fails with the reason why MuJoCo must compute the sensors instead of the native stepper.
pub(in crate::native) fn read_touch_sensors(reader: &Reader<'_>) -> Result<Vec<TouchSensor>, Unsupported> {
    let count = reader.size("nsensor")?;
    let sites = reader.size("nsite")?;
    let [kinds, stages, shapes] =
        [("sensor_type", count), ("sensor_needstage", count), ("site_type", sites)].map(|(name, len)| reader.integers(name, len));
    let (kinds, stages, shapes) = (kinds?, stages?, shapes?);
    let [objects, adrs, bodies] =
        [("sensor_objid", count), ("sensor_adr", count), ("site_bodyid", sites)].map(|(name, len)| reader.indices(name, len));
    let (objects, adrs, bodies) = (objects?, adrs?, bodies?);
    let (sizes, cutoffs) = (reader.floats("site_size", 3 * sites)?, reader.floats("sensor_cutoff", count)?);
    let mut sensors = Vec::new();
    if reader.integer("opt.integrator")? == MJINT_RK4 && count > 0 {
        return Err("sensors that tell a step's first stage".into());
    }
    for sensor in (0..count).filter(|sensor| stages[*sensor] == MJSTAGE_ACC) {
        if kinds[sensor] != MJSENS_TOUCH {
            return Err("sensors of forces other than touch".into());
        }
        let site = objects[sensor];
        let size: [f64; 3] = triple(&sizes, site);
        let shape = match shapes[site] {
            MJGEOM_SPHERE => SiteShape::Sphere(size[0]),
            MJGEOM_ELLIPSOID => SiteShape::Ellipsoid(size),
            _ => return Err("a sensor of touch of another kind".into()),
        };
        if cutoffs[sensor] != 0.0 {
            return Err("a sensor of touch that is bounded (cutoff)".into());
        }
        sensors.push(TouchSensor { site, body: bodies[site], shape, sensor_adr: adrs[sensor] });
    }
    Ok(sensors)
}

impl TouchSensor {
    /// Returns whether the sensor's site is a sphere, whose orientation has no effect.
    pub(in crate::native) fn is_sphere(&self) -> bool {
        matches!(self.shape, SiteShape::Sphere(_))
    }

    /// Returns the force that one contact adds to the sensor's value, as `mj_sensorAcc` does.
    pub(in crate::native) fn reading(&self, pose: &SitePose, contact: &TouchContact) -> f64 {
        let TouchContact { pos, normal, force, is_on_second } = *contact;
        if force <= 0.0 {
            return 0.0;
        }
        let ray = normal.map(|part| part * force);
        let length = dot3(&ray, &ray).sqrt();
        let by = 1.0 / length;
        let ray = if length < MJMINVAL { [1.0, 0.0, 0.0] } else { ray.map(|part| part * by) };
        let ray = if is_on_second { ray.map(|part| -part) } else { ray };
        // The contact counts only if the line of its force intersects the site's shape (`mju_rayGeom`).
        let apart = [0, 1, 2].map(|axis| pos[axis] - pose.centre[axis]);
        let (a, b, c) = match self.shape {
            SiteShape::Sphere(radius) => (dot3(&ray, &ray), dot3(&ray, &apart), dot3(&apart, &apart) - radius * radius),
            SiteShape::Ellipsoid(sizes) => {
                let m = &pose.matrix;
                let local = |v: &[f64; 3]| [0, 1, 2].map(|axis| m[axis] * v[0] + m[3 + axis] * v[1] + m[6 + axis] * v[2]);
                let (ray, apart) = (local(&ray), local(&apart));
                let by = sizes.map(|size| 1.0 / (size * size));
                let product = |a: &[f64; 3], b: &[f64; 3]| by[0] * a[0] * b[0] + by[1] * a[1] * b[1] + by[2] * a[2] * b[2];
                (product(&ray, &ray), product(&ray, &apart), product(&apart, &apart) - 1.0)
            }
        };
        let determinant = b * b - a * c;
        if determinant < 0.0 || a < MJMINVAL {
            return 0.0;
        }
        let root = determinant.sqrt();
        if (-b - root) / a >= 0.0 || (-b + root) / a >= 0.0 { force } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_forces_through_a_touch_sphere_are_measured() {
        let sensor = TouchSensor { site: 0, body: 1, shape: SiteShape::Sphere(0.1), sensor_adr: 0 };
        let pose = SitePose { centre: [0.0, 0.0, 1.0], matrix: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0] };
        let felt = |pos: [f64; 3], force: f64| {
            sensor.reading(&pose, &TouchContact { pos, normal: [0.0, 0.0, 1.0], force, is_on_second: true })
        };
        // If the second geom belongs to the sensor's body, the contact force pushes the body upwards, and the ray points down.
        assert_eq!(felt([0.0, 0.0, 1.05], 3.0), 3.0);
        assert_eq!(felt([0.05, 0.0, 2.0], 3.0), 3.0);
        assert_eq!(felt([0.05, 0.0, 0.0], 3.0), 0.0, "the sphere lies behind");
        assert_eq!(felt([0.2, 0.0, 2.0], 3.0), 0.0, "the line goes past it");
        assert_eq!(felt([0.0, 0.0, 1.05], 0.0), 0.0);
    }
}
