//! Robot as a part of an environment: computes the infos, and what the next step's reward needs.

use crate::mujoco_env::NativeStep;
use crate::robot::{Robot, StepMemory, StepOutcome, Writer};
use crate::snapshot_checks::check_len;
use envpool_rs_engine::{InfoTiming, Result, Row};
use envpool_rs_sim_mujoco::{Data, Derived, Model, ModelSizes};
use serde::{Deserialize, Serialize};

pub struct Agent {
    pub robot: Box<dyn Robot>,
    /// Whether steps compute the external forces on bodies (`cfrc_ext`).
    pub has_outer_forces: bool,
    frame_skip: u32,
    info_lens: Vec<usize>,
    /// Number of values in the infos that resets write. These infos come before the infos that only steps write.
    reset_infos: usize,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct AgentMemory {
    infos: Vec<f64>,
    /// Quantities that the last step stored, from which the next step computes its reward.
    before: StepMemory,
}

impl Agent {
    /// Takes a robot whose model has the given sizes.
    pub fn new(robot: Box<dyn Robot>, frame_skip: u32, has_forces: bool, sizes: &ModelSizes) -> Self {
        let has_outer_forces = has_forces && robot.needs_outer_forces();
        let mut agent = Self { robot, has_outer_forces, frame_skip, info_lens: Vec::new(), reset_infos: 0 };
        agent.measure(sizes);
        agent
    }

    pub fn bind(&mut self, model: &Model) -> Result<()> {
        self.robot.bind(model)?;
        self.measure(model.sizes());
        Ok(())
    }

    fn measure(&mut self, sizes: &ModelSizes) {
        let infos = self.robot.infos(sizes);
        self.info_lens = infos.iter().map(|info| info.shape.iter().product()).collect();
        self.reset_infos =
            infos.iter().zip(&self.info_lens).filter(|(info, _)| info.timing == InfoTiming::Always).map(|(_, len)| len).sum();
    }

    /// Returns how the native stepper takes a step.
    pub fn native_step(&self) -> NativeStep {
        NativeStep::Arrays(self.robot.derived() | Derived::CFRC_EXT.when(self.has_outer_forces))
    }

    fn info_len(&self) -> usize {
        self.info_lens.iter().sum()
    }

    pub fn create(&self) -> AgentMemory {
        AgentMemory { infos: vec![0.0; self.info_len()], before: StepMemory::default() }
    }

    /// Returns the heap bytes of a lane's memory.
    pub fn memory_bytes(&self) -> usize {
        self.info_len() * size_of::<f64>()
    }

    /// Computes a lane's memory of the first state of an episode.
    pub fn begin(&self, data: &Data, memory: &mut AgentMemory) {
        self.robot.write_reset_infos(data, &mut Writer::new(&mut memory.infos));
        memory.infos[self.reset_infos..].fill(0.0);
        memory.before = self.robot.step_memory(data);
    }

    /// Computes infos, reward and termination after a step with the action `action`.
    pub fn evaluate(&self, data: &Data, action: &[f64], memory: &mut AgentMemory) -> (f64, bool) {
        let after = self.robot.step_memory(data);
        let seconds = data.model().timestep() * f64::from(self.frame_skip);
        let step = StepOutcome { data, before: memory.before, after, action, seconds };
        let mut infos = Writer::new(&mut memory.infos);
        self.robot.write_reset_infos(data, &mut infos);
        let outcome = self.robot.evaluate(&step, &mut infos);
        memory.before = after;
        outcome
    }

    /// Writes the robot's infos. Returns their number.
    pub fn write_infos(&self, memory: &AgentMemory, out: &mut Row<'_>) -> usize {
        let mut start = 0;
        for (index, len) in self.info_lens.iter().enumerate() {
            out.write(index, &memory.infos[start..start + len]);
            start += len;
        }
        self.info_lens.len()
    }

    /// Checks the memory of a snapshot. Fails with `Value` if it has another number of infos.
    pub fn check(&self, memory: &AgentMemory) -> Result<()> {
        check_len("infos", memory.infos.len(), self.info_len())
    }
}
