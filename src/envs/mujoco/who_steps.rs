//! Who steps simulations: the library, or steps of our own with the same bits.

use envpool_rs_engine::{Decided, Error, OptionSpec, Options, Result, Scheduling, Store};
use envpool_rs_sim_mujoco::{Model, Stepper};

/// The option.
const PHYSICS: &str = "physics";

/// Lanes that are stepped together: as many as fit the widest registers.
const TOGETHER: usize = 8;

/// A stepper, or why there is none.
type Chosen = std::result::Result<Stepper, String>;

/// What the option says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// A stepper of our own where it gives the library's bits, else the library.
    Auto,
    Library,
    Native,
}

/// What steps lanes together, where that is not the library's business.
pub struct WhoSteps {
    asked: Asked,
    chosen: Option<Chosen>,
}

impl WhoSteps {
    /// The option that says who steps. It changes no number, and so is no part of what a snapshot is of.
    pub fn option() -> OptionSpec {
        let doc =
            "who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can";
        OptionSpec { is_place: true, ..OptionSpec::new(PHYSICS, "auto", doc).one_of(&["auto", "libmujoco", "native"]) }
    }

    /// As the option says.
    pub fn new(options: &Options) -> Self {
        let asked = match options.text(PHYSICS) {
            Some("libmujoco") => Asked::Library,
            Some("native") => Asked::Native,
            _ => Asked::Auto,
        };
        Self { asked, chosen: None }
    }

    /// Finds out who is to step `model`, which the pool has under this name. An obstacle is why nobody but the library can.
    ///
    /// # Errors
    /// `Value` where steps of our own are asked for, and impossible.
    pub fn choose(&mut self, store: &Store, name: &str, model: &Model, obstacle: Option<&str>) -> Result<()> {
        self.chosen = None;
        if self.asked == Asked::Library {
            return Ok(());
        }
        let chosen = match obstacle {
            Some(obstacle) => Err(obstacle.to_owned()),
            None => (*store.get_or_load(name, || Ok((Stepper::trusted(model), 0)))?).clone(),
        };
        match (&chosen, self.asked) {
            (Err(reason), Asked::Native) => {
                let expected = format_args!("\"auto\" or \"libmujoco\" here ({reason})").to_string();
                Err(Error::value(PHYSICS, "\"native\"", expected))
            }
            _ => {
                self.chosen = Some(chosen);
                Ok(())
            }
        }
    }

    /// The stepper, if there is one.
    pub fn stepper(&self) -> Option<&Stepper> {
        self.chosen.as_ref()?.as_ref().ok()
    }

    /// What the option has come to.
    pub fn decided(&self) -> Vec<Decided> {
        let decided = self.chosen.as_ref().map(|chosen| match chosen {
            Ok(stepper) => {
                let left = 100.0 * stepper.share_left().unwrap_or(0.0);
                let reason = format!("the same bits in some thousand steps, {left:.1} % of which MuJoCo's library took");
                Decided { option: PHYSICS, value: "native".into(), reason }
            }
            Err(reason) => Decided { option: PHYSICS, value: "libmujoco".into(), reason: reason.clone() },
        });
        decided.into_iter().collect()
    }

    /// How lanes are handed out.
    pub fn scheduling(&self, otherwise: Scheduling) -> Scheduling {
        if self.stepper().is_some() { Scheduling::Together(TOGETHER) } else { otherwise }
    }

    /// Bytes that each thread takes.
    pub fn thread_bytes(&self) -> usize {
        self.stepper().map_or(0, |stepper| stepper.thread_bytes())
    }
}
