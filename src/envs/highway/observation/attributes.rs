//! `AttributesObservation`: attributes of the environment by name, those of lane keeping.

use envpool_rs_engine::{Dtype, Error, Options, Result, Space, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::RoadModel;

use crate::scenario::World;

/// Attributes in the order of the space, which sorts them.
const ATTRIBUTES: [&str; 3] = ["derivative", "reference_state", "state"];
/// Components of the vehicle's state and derivative that attributes have: y, heading, lateral speed and yaw rate.
const COMPONENTS: [usize; 4] = [1, 2, 4, 5];

/// Which attributes are observed, and their noise.
#[derive(Debug, Clone)]
pub struct Attributes {
    /// Indices into `ATTRIBUTES`, in the order in which noise is drawn.
    attributes: Vec<usize>,
    state_noise: f64,
    derivative_noise: f64,
}

impl Attributes {
    /// Reads the options `observation_attributes`, `state_noise` and `derivative_noise`.
    ///
    /// # Errors
    /// `Value` for unknown and repeated attributes, and for vehicles without friction, which have no such attributes.
    pub fn new(options: &Options) -> Result<Self> {
        let given = options.get("observation_attributes");
        let names = if let Value::Lines(names) = given { names.as_slice() } else { &[] };
        let index = |name: &String| ATTRIBUTES.iter().position(|each| each == name);
        let attributes: Option<Vec<usize>> = names.iter().map(index).collect();
        let is_repeated = |attributes: &[usize]| attributes.iter().enumerate().any(|(at, each)| attributes[..at].contains(each));
        let attributes = attributes
            .filter(|attributes| !attributes.is_empty() && !is_repeated(attributes))
            .ok_or_else(|| Error::value("observation_attributes", given, format_args!("some of {}", ATTRIBUTES.join(", "))))?;
        if options.get("action_dynamical") != &Value::Bool(true) {
            let allowed =
                "True with observation_type=\"AttributesObservation\", whose attributes are those of tires with friction";
            return Err(Error::value("action_dynamical", options.get("action_dynamical"), allowed));
        }
        let [state_noise, derivative_noise] = ["state_noise", "derivative_noise"].map(|name| options.float(name));
        Ok(Self { attributes, state_noise, derivative_noise })
    }

    /// Returns the space: a column of four numbers for each attribute.
    pub fn space(&self) -> Space {
        let mut sorted = self.attributes.clone();
        sorted.sort_unstable();
        let space = Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[4, 1], Dtype::F64);
        Space::Dict(sorted.into_iter().map(|attribute| (ATTRIBUTES[attribute].to_owned(), space.clone())).collect())
    }

    /// Returns the number of attributes.
    pub fn count(&self) -> usize {
        self.attributes.len()
    }

    /// Appends the attributes to `out`.
    pub fn observe(&self, model: &RoadModel, world: &World, rng: &mut Generator, out: &mut Vec<f64>) {
        let vehicle = world.vehicle();
        let state = vehicle.state();
        let mut observed: Vec<(usize, [f64; 4])> = Vec::with_capacity(ATTRIBUTES.len());
        for attribute in &self.attributes {
            let mut noisy = |values: [f64; 6], noise: f64| COMPONENTS.map(|index| values[index] + rng.uniform(-noise, noise));
            observed.push((
                *attribute,
                match ATTRIBUTES[*attribute] {
                    "state" => noisy(state, self.state_noise),
                    "derivative" => noisy(vehicle.derivative(state), self.derivative_noise),
                    _ => {
                        let lane = model.network.lane(world.reference_lane);
                        let [longitudinal, lateral] = lane.local_coordinates(vehicle.position);
                        [state[1] - lateral, lane.heading_at(longitudinal), 0.0, 0.0]
                    }
                },
            ));
        }
        observed.sort_unstable_by_key(|(attribute, _)| *attribute);
        out.extend(observed.into_iter().flat_map(|(_, values)| values));
    }
}
