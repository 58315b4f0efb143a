//! `GrayscaleObservation`: the last pictures of the road around a vehicle, in shades of grey.

use envpool_rs_engine::{Dtype, Error, OptionSpec, Options, Result, Space, Value};

use crate::picture::{View, centering_of, draw};
use crate::scenario::{Core, World};

/// Largest width and height of a picture, and number of pictures.
const MOST: i64 = 1024;
const MOST_PICTURES: i64 = 64;
/// Largest number of pixels of an observation, of which a state holds eight bytes each.
const MOST_PIXELS: usize = 1 << 22;

/// How a vehicle observes pictures.
#[derive(Debug, Clone)]
pub struct Grayscale {
    view: View,
    stack: usize,
    /// Weights of red, green and blue.
    weights: [f64; 3],
}

/// Returns the declarations of the options.
pub fn options() -> Vec<OptionSpec> {
    vec![
        OptionSpec::optional("observation_observation_shape", vec![1_i64], "width and height of observed pictures in pixels"),
        OptionSpec::optional("observation_stack_size", 1, "number of observed pictures, the last one being the newest")
            .integers(1..=MOST_PICTURES),
        OptionSpec::optional("observation_weights", vec![1.0], "weights of red, green and blue in a shade of grey"),
        OptionSpec::optional("observation_scaling", 1.0, "pixels per metre of observed pictures; None: those of scaling")
            .numbers(View::SCALINGS),
        OptionSpec::optional(
            "observation_centering_position",
            vec![0.5],
            "place of the vehicle in observed pictures, as shares of their size; None: that of centering_position",
        ),
    ]
}

impl Grayscale {
    /// Reads the options that begin with `observation_`.
    ///
    /// # Errors
    /// `Value` for missing options, and for values that are out of range.
    pub fn new(options: &Options) -> Result<Self> {
        let view = View::new(options)?;
        let wrong = |name, expected| Err(Error::value(name, options.get(name), expected));
        let (shape, stack) = ("observation_observation_shape", "observation_stack_size");
        let size = match options.get(shape) {
            Value::Ints(size) if size.len() == 2 && size.iter().all(|side| (1..=MOST).contains(side)) => {
                (size[0] as u32, size[1] as u32)
            }
            _ => return wrong(shape, "width and height, each from 1 to 1024"),
        };
        let Value::Int(count) = options.get(stack) else { return wrong(stack, "an integer from 1 to 64") };
        let stack = *count as usize;
        if (size.0 * size.1) as usize * stack > MOST_PIXELS {
            return wrong(shape, "at most 4,194,304 pixels in all pictures of an observation");
        }
        let weights = match options.get("observation_weights") {
            Value::Floats(weights) if weights.len() == 3 => [weights[0], weights[1], weights[2]],
            _ => return wrong("observation_weights", "three numbers"),
        };
        let scaling = if let Value::Float(scaling) = options.get("observation_scaling") { *scaling } else { view.scaling };
        let centering = centering_of(options, "observation_centering_position")?.unwrap_or(view.centering);
        Ok(Self { view: View { size, scaling, centering }, stack, weights })
    }

    /// Returns the space: pictures, columns, rows.
    pub fn space(&self) -> Space {
        let (width, height) = self.view.size;
        Space::uniform(0.0, 255.0, &[self.stack, width as usize, height as usize], Dtype::U8)
    }

    /// Draws what each agent sees, and forgets the oldest pictures; before the first ones, pictures are black.
    pub fn add(&self, core: &Core, world: &mut World) {
        let (width, height) = (self.view.size.0 as usize, self.view.size.1 as usize);
        let plane = width * height;
        world.observation.resize(core.agents * self.stack * plane, 0.0);
        for agent in 0..core.agents {
            let observer = &world.road.vehicles[world.controlled[agent] as usize];
            let rgb = draw(core, world, &self.view, observer).surface.into_rgb();
            let stack = &mut world.observation[agent * self.stack * plane..][..self.stack * plane];
            stack.rotate_left(plane);
            let newest = &mut stack[(self.stack - 1) * plane..];
            for (at, pixel) in rgb.chunks_exact(3).enumerate() {
                let grey = pixel.iter().zip(&self.weights).fold(0.0, |sum, (part, weight)| sum + f64::from(*part) * weight);
                newest[at % width * height + at / width] = grey.clamp(0.0, 255.0).trunc();
            }
        }
    }
}
