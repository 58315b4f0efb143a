//! Pairs of geoms with contact parameters of their own (`<pair>`, the arrays `pair_*`).

use super::geoms::GeomArrays;
use crate::native::reader::Reader;
use crate::native::tables::{ContactFriction, NativeModel, SolParams, Unsupported};

/// Contact parameters of a predefined pair.
pub(super) struct PairParams {
    pub(super) margin: f64,
    pub(super) friction: ContactFriction,
    pub(super) sol: SolParams,
}

/// Pair of geoms that the model defines. The geoms collide whatever their `contype` and `conaffinity`.
pub(super) struct PredefinedPair {
    /// Bodies of the geoms, in ascending order.
    pub(super) bodies: [usize; 2],
    /// Geoms, the geom with the smaller type (`mjtGeom`) first.
    pub(super) geoms: [usize; 2],
    pub(super) params: PairParams,
}

/// Reads the predefined pairs, in the model's order, which is that of their bodies.
///
/// # Errors
/// Returns the reason why MuJoCo must step the model instead of the native stepper.
pub(super) fn read_predefined(
    reader: &Reader<'_>,
    shapes: &GeomArrays,
    tables: &NativeModel,
) -> Result<Vec<PredefinedPair>, Unsupported> {
    let count = reader.size("npair")?;
    let [dimensions, firsts, seconds] = ["dim", "geom1", "geom2"].map(|name| reader.integers(&format!("pair_{name}"), count));
    let (dimensions, firsts, seconds) = (dimensions?, firsts?, seconds?);
    let [references, impedances, margins, gaps] = [("solref", 2), ("solimp", 5), ("margin", 1), ("gap", 1)]
        .map(|(name, width)| reader.floats(&format!("pair_{name}"), width * count));
    let (references, impedances, margins, gaps) = (references?, impedances?, margins?, gaps?);
    let pair = |pair: usize| {
        let geoms = [firsts[pair] as usize, seconds[pair] as usize];
        let mut bodies = geoms.map(|geom| shapes.bodies[geom]);
        bodies.sort_unstable();
        if bodies[0] == bodies[1] || bodies.iter().all(|body| tables.bodies[*body].last_dof.is_none()) {
            return Err("pairs of shapes of one body, or of bodies that cannot move".to_owned());
        }
        if dimensions[pair] != 1 || gaps[pair] != 0.0 {
            return Err("pairs of shapes with friction or a gap of their own".to_owned());
        }
        let [one, other] = geoms;
        let params = PairParams {
            margin: margins[pair],
            friction: ContactFriction { condim: 1, coefficients: [0.0; 5] },
            sol: SolParams::new(&references[2 * pair..][..2], &impedances[5 * pair..][..5], tables.timestep)?,
        };
        let geoms = if shapes.kinds[one] > shapes.kinds[other] { [other, one] } else { geoms };
        Ok(PredefinedPair { bodies, geoms, params })
    };
    (0..count).map(pair).collect()
}
