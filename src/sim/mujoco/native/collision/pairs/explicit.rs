//! Explicit pairs of geoms (`<contact><pair>`), which have contact parameters of their own.

use crate::native::collision::pairs::{MJMINMU, PairParams};
use crate::native::model::reader::Reader;
use crate::native::model::{ContactFriction, FilterSlack, FrictionSource, SolParams, Unsupported};

/// Arrays of `mjModel` with one entry per explicit pair.
pub(super) struct ExplicitPairs {
    geoms: [Vec<usize>; 2],
    margin: Vec<f64>,
    gap: Vec<f64>,
    condim: Vec<i64>,
    friction_of_pair: Vec<f64>,
    solref: Vec<f64>,
    solreffriction: Vec<f64>,
    solimp: Vec<f64>,
}

impl ExplicitPairs {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, Unsupported> {
        let count = reader.size("npair")?;
        Ok(Self {
            geoms: [reader.indices("pair_geom1", count)?, reader.indices("pair_geom2", count)?],
            margin: reader.floats("pair_margin", count)?,
            gap: reader.floats("pair_gap", count)?,
            condim: reader.integers("pair_dim", count)?,
            friction_of_pair: reader.floats("pair_friction", 5 * count)?,
            solref: reader.floats("pair_solref", 2 * count)?,
            solreffriction: reader.floats("pair_solreffriction", 2 * count)?,
            solimp: reader.floats("pair_solimp", 5 * count)?,
        })
    }

    /// Iterates over the explicit pairs, in MuJoCo's order: their geoms, and their indices.
    pub(super) fn iter(&self) -> impl Iterator<Item = ([usize; 2], usize)> {
        self.geoms[0].iter().zip(&self.geoms[1]).map(|(one, other)| [*one, *other]).zip(0..)
    }

    /// Returns the contact parameters of an explicit pair.
    pub(super) fn params(&self, pair: usize, timestep: f64) -> PairParams {
        let sol = SolParams::new(&self.solref[2 * pair..][..2], &self.solimp[5 * pair..][..5], timestep);
        let is_simple = self.gap[pair] == 0.0 && self.solreffriction[2 * pair..][..2] == [0.0; 2];
        let coefficients = [0, 1, 2, 3, 4].map(|axis| self.friction_of_pair[5 * pair + axis].max(MJMINMU));
        let friction = ContactFriction { condim: self.condim[pair] as usize, coefficients };
        PairParams {
            margin: self.margin[pair],
            // The broad and mid phase do not apply to explicit pairs.
            slack: FilterSlack::default(),
            contact: sol.ok().filter(|_| is_simple).map(|sol| (friction, sol)),
            source: FrictionSource::Pair,
        }
    }
}
