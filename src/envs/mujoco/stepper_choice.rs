//! Selects the stepper of a model: MuJoCo's library, or the native stepper, whose results are bit-identical.

use envpool_rs_engine::{AssetCache, DEFAULT_STACK_BYTES, Error, OptionDecision, OptionSpec, Options, Result, Scheduling};
use envpool_rs_sim_mujoco::{Model, STEPPER_LANES, STEPPER_STACK_BYTES, Stepper};

/// Name of the option that selects the stepper.
const PHYSICS: &str = "physics";

/// Result of choosing the stepper: the native stepper, or the reason why MuJoCo's library steps the model.
type Chosen = std::result::Result<Stepper, String>;

/// Value of the option `physics`, which selects MuJoCo's library or the native stepper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestedStepper {
    /// Selects the native stepper if its results are bit-identical to MuJoCo's, otherwise MuJoCo's library.
    Auto,
    Library,
    Native,
}

/// Stepper of an environment: the requested value of the option `physics`, and the stepper that was chosen.
pub struct StepperChoice {
    requested: RequestedStepper,
    chosen: Option<Chosen>,
}

impl StepperChoice {
    /// Returns the option `physics`. It changes no result, so snapshots do not depend on it.
    pub fn option() -> OptionSpec {
        let doc =
            "code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible";
        OptionSpec { is_path: true, ..OptionSpec::new(PHYSICS, "auto", doc).one_of(&["auto", "libmujoco", "native"]) }
    }

    /// Reads the option `physics`, which selects the stepper. MuJoCo's library steps tasks without this option.
    pub fn new(options: &Options) -> Self {
        let requested = match options.find(PHYSICS).map(|_| options.text(PHYSICS)) {
            None | Some(Some("libmujoco")) => RequestedStepper::Library,
            Some(Some("native")) => RequestedStepper::Native,
            _ => RequestedStepper::Auto,
        };
        Self { requested, chosen: None }
    }

    /// Chooses the stepper of `model`, which has the key `name` in the pool's store. `obstacle` is a reason why native steps are
    /// impossible, if there is one.
    ///
    /// # Errors
    /// `Value` if native steps are requested but impossible.
    pub fn choose(&mut self, store: &AssetCache, name: &str, model: &Model, obstacle: Option<&str>) -> Result<()> {
        self.chosen = None;
        if self.requested == RequestedStepper::Library {
            return Ok(());
        }
        let chosen = match obstacle {
            Some(obstacle) => Err(obstacle.to_owned()),
            None => (*store.get_or_load(name, || Ok((Stepper::verified(model), 0)))?).clone(),
        };
        match (&chosen, self.requested) {
            (Err(reason), RequestedStepper::Native) => {
                let expected = format_args!("\"auto\" or \"libmujoco\" here ({reason})").to_string();
                Err(Error::value(PHYSICS, "\"native\"", expected))
            }
            _ => {
                self.chosen = Some(chosen);
                Ok(())
            }
        }
    }

    /// Returns the native stepper, or `None` if MuJoCo's library steps the model.
    pub fn stepper(&self) -> Option<&Stepper> {
        self.chosen.as_ref()?.as_ref().ok()
    }

    /// Returns which stepper was chosen and why, for display to users.
    pub fn decided(&self) -> Vec<OptionDecision> {
        let decided = self.chosen.as_ref().map(|chosen| match chosen {
            Ok(stepper) => {
                let left = 100.0 * stepper.fallback_share().unwrap_or(0.0);
                let reason = format!("the same bits in some thousand steps, {left:.1} % of which MuJoCo's library took");
                OptionDecision { option: PHYSICS, value: "native".into(), reason }
            }
            Err(reason) => OptionDecision { option: PHYSICS, value: "libmujoco".into(), reason: reason.clone() },
        });
        decided.into_iter().collect()
    }

    /// Returns how lanes are scheduled: in batches of [`STEPPER_LANES`] natively, else as `otherwise`.
    pub fn scheduling(&self, otherwise: Scheduling) -> Scheduling {
        if self.stepper().is_some() { Scheduling::Batched(STEPPER_LANES) } else { otherwise }
    }

    /// Returns the size of the native stepper's scratch memory per thread, in bytes.
    pub fn thread_bytes(&self) -> usize {
        self.stepper().map_or(0, |stepper| stepper.thread_bytes())
    }

    /// Returns the bytes of stack that a step or reset may use.
    pub fn stack_bytes(&self) -> usize {
        if self.stepper().is_some() { STEPPER_STACK_BYTES } else { DEFAULT_STACK_BYTES }
    }
}
