//! gymnasium 1.4.0's `AtariPreprocessing`, for [`super::ale`].

use super::{
    arguments::{self, MOST_FRAMES, MOST_PIXELS},
    preprocessor::{Form, Preprocessor},
};
use envpool_rs_engine::{Dtype, Error, OptionSpec, Options, Result, Space, Value};
use envpool_rs_pictures::resize::Method;
use envpool_rs_sim_atari::Game;

/// What the wrapper's arguments say.
#[derive(Debug)]
pub struct Preprocessing {
    /// Makes its frames.
    pub preprocessor: Preprocessor,
    /// A reset plays 1 to this many NOOPs, or none.
    pub noop_max: usize,
    /// Frames that an action is played for.
    pub frame_skip: u32,
    /// Whether losing a life ends the episode.
    pub terminal_on_life_loss: bool,
    /// Whether frames are float32 from 0 to 1.
    pub scales: bool,
    shape: Vec<usize>,
}

/// The option that asks for it.
const SWITCH: &str = "preprocessing";

fn arguments() -> Vec<OptionSpec> {
    vec![
        OptionSpec::new("noop_max", 30, "a reset plays 1 to this many NOOPs, or none").integers(0..=MOST_FRAMES).each_episode(),
        OptionSpec::new("frame_skip", 4, "frames that an action is played for").integers(1..=MOST_FRAMES),
        OptionSpec::new("screen_size", 84, "width and height of a frame, or one number for both")
            .integer_or_pair(1..=MOST_PIXELS),
        OptionSpec::new("terminal_on_life_loss", false, "whether losing a life ends the episode").each_episode(),
        OptionSpec::new("grayscale_obs", true, "whether frames are gray"),
        OptionSpec::new("grayscale_newaxis", false, "whether gray frames have a third axis, of one channel"),
        OptionSpec::new("scale_obs", false, "whether frames are float32 from 0 to 1"),
    ]
}

/// The options it takes.
pub fn options() -> Vec<OptionSpec> {
    let switch =
        OptionSpec::new(SWITCH, false, "whether gymnasium's AtariPreprocessing is applied, with the options that follow");
    std::iter::once(switch).chain(arguments()).collect()
}

impl Preprocessing {
    /// As the options say; none if they do not ask for it.
    ///
    /// # Errors
    /// `Value` for arguments that are not allowed, and for arguments without `preprocessing=True`.
    pub fn new(options: &Options, game: &Game) -> Result<Option<Self>> {
        if !options.bool(SWITCH) {
            return match arguments().iter().find(|argument| *options.get(argument.name) != argument.default) {
                Some(OptionSpec { name, default, .. }) => {
                    Err(Error::value(name, options.get(name), format_args!("{default}, without {SWITCH}=True")))
                }
                None => Ok(None),
            };
        }
        let (columns, rows) = arguments::integer_or_pair(options, "screen_size");
        let form = if options.bool("grayscale_obs") { Form::Gray } else { Form::Rgb };
        let shown = game.shown();
        let shape = match (form, options.bool("grayscale_newaxis")) {
            (Form::Gray, false) => vec![rows, columns],
            (Form::Gray, true) => vec![rows, columns, 1],
            _ => vec![rows, columns, 3],
        };
        Ok(Some(Self {
            preprocessor: Preprocessor::new(usize::from(shown.rows), (rows, columns), Method::Area, form, shown.pal),
            noop_max: arguments::count(options, "noop_max"),
            frame_skip: arguments::count(options, "frame_skip") as u32,
            terminal_on_life_loss: options.bool("terminal_on_life_loss"),
            scales: options.bool("scale_obs"),
            shape,
        }))
    }

    /// Refuses what gymnasium refuses of the environment below.
    ///
    /// # Errors
    /// `Value`, naming the option.
    pub fn check(&self, options: &Options, first: &str) -> Result<()> {
        let frameskip = options.get("frameskip");
        if self.frame_skip > 1 && *frameskip != Value::Int(1) {
            let allowed = format!("1 with {SWITCH}=True, whose frame_skip={} skips frames", self.frame_skip);
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
            _ => Err(Error::value("obs_type", options.get("obs_type"), format_args!("\"rgb\" with {SWITCH}=True"))),
        }
    }

    /// Space of its observations.
    pub fn space(&self) -> Space {
        match self.scales {
            true => Space::uniform(0.0, 1.0, &self.shape, Dtype::F32),
            false => Space::uniform(0.0, 255.0, &self.shape, Dtype::U8),
        }
    }
}
