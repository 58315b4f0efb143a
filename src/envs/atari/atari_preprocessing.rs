//! Implements the wrapper `AtariPreprocessing` of gymnasium 1.4.0, for the tasks of [`super::ale`].

use super::{
    checked_options::{self, MAX_FRAMES_PER_STEP, MAX_SIDE},
    preprocessor::{PixelFormat, Preprocessor},
};
use envpool_rs_engine::{Dtype, Error, OptionSpec, Options, Result, Row, Space, Value};
use envpool_rs_numeric::simd::{SimdKernel, SimdLevel};
use envpool_rs_pictures::resize::Interpolation;
use envpool_rs_sim_atari::Game;

/// Arguments of gymnasium's `AtariPreprocessing` wrapper.
#[derive(Debug)]
pub struct AtariPreprocessing {
    /// Converter of console screens to observed frames.
    pub preprocessor: Preprocessor,
    /// Maximum number of NOOPs in a reset, which draws the number between 1 and this maximum; 0 if resets play no NOOPs.
    pub noop_max: usize,
    /// Number of frames for which an action is repeated.
    pub frame_skip: u32,
    /// Whether losing a life ends the episode.
    pub terminal_on_life_loss: bool,
    /// Whether observed frames are float32 from 0 to 1; otherwise they are uint8 from 0 to 255.
    pub scale_obs: bool,
    shape: Vec<usize>,
}

/// Name of the option that applies the wrapper `AtariPreprocessing`.
const PREPROCESSING: &str = "preprocessing";

fn wrapper_options() -> Vec<OptionSpec> {
    vec![
        OptionSpec::new("noop_max", 30, "a reset plays 1 to this many NOOPs, or none")
            .integers(0..=MAX_FRAMES_PER_STEP)
            .per_episode(),
        OptionSpec::new("frame_skip", 4, "frames for which an action is repeated").integers(1..=MAX_FRAMES_PER_STEP),
        OptionSpec::new("screen_size", 84, "width and height of a frame, or one number for both").integer_or_pair(1..=MAX_SIDE),
        OptionSpec::new("terminal_on_life_loss", false, "whether losing a life ends the episode").per_episode(),
        OptionSpec::new("grayscale_obs", true, "whether frames are gray"),
        OptionSpec::new("grayscale_newaxis", false, "whether gray frames have a third axis, of one channel"),
        OptionSpec::new("scale_obs", false, "whether frames are float32 from 0 to 1"),
    ]
}

/// Returns the specifications of the options that set the arguments of the wrapper `AtariPreprocessing`.
pub fn options() -> Vec<OptionSpec> {
    let switch =
        OptionSpec::new(PREPROCESSING, false, "whether gymnasium's AtariPreprocessing is applied, with the options that follow");
    std::iter::once(switch).chain(wrapper_options()).collect()
}

impl AtariPreprocessing {
    /// Reads the wrapper's options; returns `None` without `preprocessing=True`.
    ///
    /// # Errors
    /// `Value` if an option is invalid, or if an option of the wrapper is set without `preprocessing=True`.
    pub fn new(options: &Options, game: &Game) -> Result<Option<Self>> {
        if !options.bool(PREPROCESSING) {
            return match wrapper_options().iter().find(|argument| *options.get(argument.name) != argument.default) {
                Some(OptionSpec { name, default, .. }) => {
                    Err(Error::value(name, options.get(name), format_args!("{default}, without {PREPROCESSING}=True")))
                }
                None => Ok(None),
            };
        }
        let (columns, rows) = checked_options::integer_or_pair(options, "screen_size");
        let format = if options.bool("grayscale_obs") { PixelFormat::Gray } else { PixelFormat::Rgb };
        let shown = game.visible_picture();
        let shape = match (format, options.bool("grayscale_newaxis")) {
            (PixelFormat::Gray, false) => vec![rows, columns],
            (PixelFormat::Gray, true) => vec![rows, columns, 1],
            _ => vec![rows, columns, 3],
        };
        Ok(Some(Self {
            preprocessor: Preprocessor::new(usize::from(shown.rows), (rows, columns), Interpolation::Area, format, shown.pal),
            noop_max: checked_options::non_negative(options, "noop_max"),
            frame_skip: checked_options::non_negative(options, "frame_skip") as u32,
            terminal_on_life_loss: options.bool("terminal_on_life_loss"),
            scale_obs: options.bool("scale_obs"),
            shape,
        }))
    }

    /// Checks that the wrapped ALE environment has the properties that gymnasium's wrapper requires.
    ///
    /// # Errors
    /// `Value` error that names the option.
    pub fn check_env(&self, options: &Options, first: &str) -> Result<()> {
        let frameskip = options.get("frameskip");
        if self.frame_skip > 1 && *frameskip != Value::Int(1) {
            let allowed = format!("1 with {PREPROCESSING}=True, whose frame_skip={} skips frames", self.frame_skip);
            return Err(Error::value("frameskip", frameskip, allowed));
        }
        if self.noop_max > 0 && first != "NOOP" {
            let allowed = format!("0 for a game whose first action is {first}, not NOOP");
            return Err(Error::value("noop_max", self.noop_max, allowed));
        }
        if self.noop_max > 0 && options.bool("continuous") {
            return Err(Error::value("noop_max", self.noop_max, "0 with continuous=True, which has no NOOP"));
        }
        match options.text("obs_type") {
            Some("rgb") => Ok(()),
            Some("grayscale") if self.shape.last() != Some(&3) => Ok(()),
            _ => Err(Error::value("obs_type", options.get("obs_type"), format_args!("\"rgb\" with {PREPROCESSING}=True"))),
        }
    }

    /// Returns the space of preprocessed observations.
    pub fn space(&self) -> Space {
        match self.scale_obs {
            true => Space::uniform(0.0, 1.0, &self.shape, Dtype::F32),
            false => Space::uniform(0.0, 255.0, &self.shape, Dtype::U8),
        }
    }
}

/// Number of pixels that are scaled at a time.
const SCALED_PIXELS: usize = 1024;

/// Writes the pixels of `frames`, divided by 255, to the observation from element `start` on. Returns the element after them.
pub fn write_scaled(out: &mut Row<'_>, start: usize, frames: &[u8]) -> usize {
    let mut scaled = [0.0; SCALED_PIXELS];
    frames.chunks(SCALED_PIXELS).fold(start, |start, pixels| {
        let scaled = &mut scaled[..pixels.len()];
        SimdLevel::detect().run(Scale { pixels, scaled });
        out.write_at(0, start, scaled);
        start + pixels.len()
    })
}

struct Scale<'a> {
    pixels: &'a [u8],
    scaled: &'a mut [f32],
}

impl SimdKernel for Scale<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.scaled.iter_mut().zip(self.pixels).for_each(|(scaled, pixel)| *scaled = scale(*pixel));
    }
}

/// Returns the float32 number nearest to `pixel / 255`.
///
/// The factor 1/255 is split into 257/65536 and a rest. The product with the first part is exact, so only the sum is rounded
/// noticeably. A vector division takes longer.
#[inline(always)]
fn scale(pixel: u8) -> f32 {
    const UPPER: f32 = 257.0 / 65_536.0;
    const REST: f32 = 1.0 / (255.0 * 65_536.0);
    let pixel = f32::from(pixel);
    pixel * UPPER + pixel * REST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pixels_are_divided_exactly() {
        for pixel in 0..=255 {
            assert_eq!(scale(pixel), f32::from(pixel) / 255.0, "{pixel}");
        }
    }
}
