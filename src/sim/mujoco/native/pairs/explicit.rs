//! Explicit pairs of geoms (`<contact><pair>`), which have contact parameters of their own.

use super::super::reader::Reader;
use super::super::tables::{ContactFriction, FilterSlack, FrictionSource, SolParams, Unsupported};
use super::{MJMINMU, PairParams};

/// Arrays of `mjModel` with one entry per explicit pair.
pub(super) struct ExplicitPairs {
    geoms: [Vec<usize>; 2],
    margins: Vec<f64>,
    gaps: Vec<f64>,
    dimensions: Vec<i64>,
    frictions: Vec<f64>,
    references: Vec<f64>,
    friction_references: Vec<f64>,
    impedances: Vec<f64>,
}

impl ExplicitPairs {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, Unsupported> {
        let count = reader.size("npair")?;
        Ok(Self {
            geoms: [reader.indices("pair_geom1", count)?, reader.indices("pair_geom2", count)?],
            margins: reader.floats("pair_margin", count)?,
            gaps: reader.floats("pair_gap", count)?,
            dimensions: reader.integers("pair_dim", count)?,
            frictions: reader.floats("pair_friction", 5 * count)?,
            references: reader.floats("pair_solref", 2 * count)?,
            friction_references: reader.floats("pair_solreffriction", 2 * count)?,
            impedances: reader.floats("pair_solimp", 5 * count)?,
        })
    }

    /// Iterates over the explicit pairs, in MuJoCo's order: their geoms, and their indices.
    pub(super) fn iter(&self) -> impl Iterator<Item = ([usize; 2], usize)> {
        self.geoms[0].iter().zip(&self.geoms[1]).map(|(one, other)| [*one, *other]).zip(0..)
    }

    /// Returns the contact parameters of an explicit pair.
    pub(super) fn params(&self, pair: usize, timestep: f64) -> PairParams {
        let sol = SolParams::new(&self.references[2 * pair..][..2], &self.impedances[5 * pair..][..5], timestep);
        let is_simple = self.gaps[pair] == 0.0 && self.friction_references[2 * pair..][..2] == [0.0; 2];
        let coefficients = [0, 1, 2, 3, 4].map(|axis| self.frictions[5 * pair + axis].max(MJMINMU));
        let friction = ContactFriction { condim: self.dimensions[pair] as usize, coefficients };
        PairParams {
            margin: self.margins[pair],
            // The broad and mid phase do not apply to explicit pairs.
            slack: FilterSlack::default(),
            contact: sol.ok().filter(|_| is_simple).map(|sol| (friction, sol)),
            source: FrictionSource::Pair,
        }
    }
}
