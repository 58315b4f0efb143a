//! Touch sensors (`mjSENS_TOUCH`): a sensor's value is the sum of the normal forces of contacts whose lines of action pass
//! through its site.

use std::ffi::c_int;

use crate::mjt::{MJGEOM_BOX, MJGEOM_SPHERE, MJINT_RK4, MJSENS_TOUCH, MJSTAGE_ACC};
use crate::native::mju::{MJMINVAL, dot3};
use crate::native::model::Unsupported;
use crate::native::model::reader::{Reader, all, triple};

/// Touch sensor (`mjSENS_TOUCH`) and its site.
#[derive(Debug, Clone, Copy)]
pub(in crate::native) struct TouchSensor {
    /// Index of the site that bounds the sensor's volume (`sensor_objid`).
    pub(in crate::native) site: usize,
    /// Body that the site belongs to. The sensor counts only contacts of this body.
    pub(in crate::native) body: usize,
    /// Type and size of the site (`site_type`, `site_size`).
    shape: (i32, [f64; 3]),
    /// Index of the sensor's value in `sensordata` (`sensor_adr`).
    pub(in crate::native) sensor_adr: usize,
    /// Largest value (`sensor_cutoff`).
    cutoff: f64,
    mju_ray_geom: RayGeom,
}

/// `mju_rayGeom`: returns the distance along a ray at which it meets a geom, or -1.
type RayGeom = unsafe extern "C-unwind" fn(*const f64, *const f64, *const f64, *const f64, *const f64, c_int, *mut f64) -> f64;

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
    let (kinds, shapes) = (reader.integers("sensor_type", count)?, reader.integers("site_type", sites)?);
    let [objects, adrs, bodies] = all(
        [("sensor_objid", count), ("sensor_adr", count), ("site_bodyid", sites)].map(|(name, len)| reader.indices(name, len))
    )?;
    let (sizes, cutoffs) = (reader.floats("site_size", 3 * sites)?, reader.floats("sensor_cutoff", count)?);
    let mut sensors = Vec::new();
    if reader.integer("opt.integrator")? == MJINT_RK4 && count > 0 {
        return Err("sensors that tell a step's first stage".into());
    }
    for sensor in (0..count).filter(|sensor| kinds[*sensor] == MJSENS_TOUCH) {
        let site = objects[sensor];
        if !(MJGEOM_SPHERE..=MJGEOM_BOX).contains(&shapes[site]) {
            return Err("touch sensors whose sites are no spheres, capsules, ellipsoids, cylinders or boxes".into());
        }
        sensors.push(TouchSensor {
            site,
            body: bodies[site],
            shape: (shapes[site] as i32, triple(&sizes, site)),
            sensor_adr: adrs[sensor],
            cutoff: if cutoffs[sensor] > 0.0 { cutoffs[sensor] } else { f64::INFINITY },
            mju_ray_geom: reader.0.library().functions.mju_rayGeom,
        });
    }
    Ok(sensors)
}

/// Returns whether any sensor of the acceleration stage is not a touch sensor.
pub(in crate::native) fn has_other_forces(reader: &Reader<'_>) -> Result<bool, Unsupported> {
    let count = reader.size("nsensor")?;
    let (kinds, stages) = (reader.integers("sensor_type", count)?, reader.integers("sensor_needstage", count)?);
    Ok(kinds.into_iter().zip(stages).any(|(kind, stage)| stage == MJSTAGE_ACC && kind != MJSENS_TOUCH))
}

impl TouchSensor {
    /// Returns whether the sensor's site is a sphere, whose orientation has no effect.
    pub(in crate::native) fn is_sphere(&self) -> bool {
        i64::from(self.shape.0) == MJGEOM_SPHERE
    }

    /// Returns the force that one contact adds to the sensor's value, as `mj_computeSensorAcc` does: all of it if its line of
    /// action meets the site.
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
        let (kind, size) = &self.shape;
        let (site, point) = ((pose.centre.as_ptr(), pose.matrix.as_ptr(), size.as_ptr()), pos.as_ptr());
        // SAFETY: the arrays have the three and nine numbers that the function reads, and it writes no normal to a null pointer.
        let distance = unsafe { (self.mju_ray_geom)(site.0, site.1, site.2, point, ray.as_ptr(), *kind, std::ptr::null_mut()) };
        if distance >= 0.0 { force } else { 0.0 }
    }

    /// Returns the sensor's value, given the sum of the contacts' forces.
    pub(in crate::native) fn apply_cutoff(&self, sum: f64) -> f64 {
        sum.min(self.cutoff)
    }
}
