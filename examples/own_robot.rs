//! Walkthrough of adding a robot: a MuJoCo model, `own_robot.xml`, and a reward in Rust.
//!
//! In the task, an arm of two links hangs from a hinge, and a motor drives its elbow. The reward of a step is the height of the
//! arm's tip minus the cost of the motor.
//!
//! The Python package writes a file that says where MuJoCo is installed and how its structs are laid out:
//!
//! ```sh
//! pip install 'envpool_rs[mujoco]'
//! envpool-rs mujoco-library target/mujoco.txt
//! ENVPOOL_RS_MUJOCO=target/mujoco.txt cargo run --release --example own_robot
//! ```
//!
//! In this repository the robot would be `src/envs/mujoco/two_links.rs`, and one line in `src/envs/mujoco/lib.rs`; Python code
//! then makes pools of the robot as of the package's robots. A separate program needs only the code below.

use std::path::{Path, PathBuf};

use envpool_rs::{
    engine::{
        Batch, Dialect, Error, Format, InfoSpec, OptionSpec, Options, Outputs, Pool, PoolConfig, Registry, ResetOptions, Result,
        Role, Task,
    },
    envs::mujoco::{
        robot::{
            FromOptions, ISLANDS, ModelSpec, Robot, RobotClass, StepOutcome, Writer, check_sizes, info, noise_option, number,
            sizes,
        },
        robot_env,
    },
    sim::mujoco::{Data, Model, ModelSizes, install_described},
};

/// Task of swinging up the tip of an arm.
///
/// - Observation: float64 `(4,)`: angles of shoulder and elbow in rad, and their velocities in rad/s.
/// - Action: `Box(-1, 1, (1,))`: the elbow's motor.
/// - Reward: the tip's height above the hinge in m, less `motor_cost` times the square of the action.
/// - Info `height`: the tip's height above the ground in m.
struct TwoLinks {
    motor_cost: f64,
}

/// Height of the hinge above the ground, in m.
const HINGE: f64 = 2.0;

impl RobotClass for TwoLinks {
    /// Description of the robot, used if MuJoCo is not installed.
    ///
    /// The robot has 2 positions, 2 velocities, 1 motor, 3 bodies including the world, 1 site and no tendon. The robot has no
    /// contacts, so MuJoCo's options for islands and mid-phase do not change its steps.
    const MODEL: ModelSpec =
        ModelSpec { xml_file: "own_robot.xml", frame_skip: 4, sizes: sizes(2, 2, 1, 3, 1, 0), control: 1.0, without: ISLANDS };

    fn options() -> Vec<OptionSpec> {
        vec![number("motor_cost", 0.1, "weight of the action's square in the cost"), noise_option(0.1)]
    }
}

impl FromOptions for TwoLinks {
    fn new(options: &Options) -> Result<Self> {
        Ok(Self { motor_cost: options.float("motor_cost") })
    }
}

impl Robot for TwoLinks {
    /// Checks the model, because a user may provide a different file.
    fn bind(&mut self, model: &Model) -> Result<()> {
        check_sizes(model, 2, 2, 1)
    }

    fn observation_len(&self, sizes: &ModelSizes) -> usize {
        sizes.nq + sizes.nv
    }

    fn infos(&self, _sizes: &ModelSizes) -> Vec<InfoSpec> {
        vec![info("height", &[])]
    }

    fn observe(&self, data: &Data, to: &mut Writer<'_>) {
        to.add(data.qpos());
        to.add(data.qvel());
    }

    fn write_reset_infos(&self, data: &Data, infos: &mut Writer<'_>) {
        infos.add(&[data.site(0)[2]]);
    }

    fn evaluate(&self, step: &StepOutcome<'_>, _infos: &mut Writer<'_>) -> (f64, bool) {
        let height = step.data.site(0)[2] - HINGE;
        (height - step.action_cost(self.motor_cost), false)
    }
}

fn task() -> Task {
    robot_env::task::<TwoLinks>("TwoLinks-v0").max_episode_steps(250)
}

fn main() -> Result<()> {
    let Some(file) = std::env::var_os("ENVPOOL_RS_MUJOCO") else {
        println!("ENVPOOL_RS_MUJOCO names no file: expected one that `envpool-rs mujoco-library FILE` has written");
        return Ok(());
    };
    open(&PathBuf::from(file))?;
    let mut registry = Registry::default();
    registry.add(vec![task()]);
    for policy in [Policy::Rest, Policy::Pump] {
        println!("{policy:?}: mean height of the tip {:+.3} m", play(&registry.tasks()[0], policy, 1000)?);
    }
    Ok(())
}

fn open(file: &Path) -> Result<()> {
    // SAFETY: the `envpool_rs` Python package wrote the file; the struct layouts in it come from MuJoCo's Python package, which
    // matches the library.
    unsafe { install_described(file) }.map_err(|fault| Error::NotFound(fault.to_string()))?;
    Ok(())
}

/// Policy that controls the motor.
#[derive(Debug, Clone, Copy)]
enum Policy {
    Rest,
    /// Drives the motor in the direction of the elbow's velocity, so that the motor always adds energy.
    Pump,
}

impl Policy {
    fn action(self, observation: &[f64]) -> f32 {
        match self {
            Self::Rest => 0.0,
            Self::Pump => observation[3].signum() as f32,
        }
    }
}

/// Steps 16 environments. Returns the mean height of the arms' tips above the ground in the second half of the steps.
fn play(task: &Task, policy: Policy, steps: usize) -> Result<f64> {
    const ENVS: usize = 16;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").to_string_lossy().into_owned();
    let options = task.resolve(&[("xml_dir".to_owned(), folder.into())])?;
    let config = PoolConfig { max_episode_steps: task.max_episode_steps, ..PoolConfig::new(ENVS as i64)? };
    let pool = Pool::new(task, &options, config, Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium })?;
    let mut batch = pool.reset(None, Vec::new(), ResetOptions::default())?.run(&mut None, &mut || false)?;
    let mut heights = 0.0;
    for step in 0..steps {
        let actions: Vec<_> = observations(&batch).chunks(4).map(|each| policy.action(each)).collect();
        let mut call = pool.step(None)?;
        call.set_action(0, &actions)?;
        batch = call.run(&mut Some(batch), &mut || false)?;
        if step >= steps / 2 {
            heights += height(&batch).iter().sum::<f64>() / ENVS as f64;
        }
    }
    Ok(heights / (steps - steps / 2) as f64)
}

fn observations(batch: &Batch) -> &[f64] {
    batch.values(Role::Observation(0)).expect("float64")
}

fn height(batch: &Batch) -> &[f64] {
    batch.values(Role::Info(0)).expect("float64")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pumping_swings_the_arm_up_and_zero_torque_keeps_the_arm_hanging() {
        let Some(file) = std::env::var_os("ENVPOOL_RS_MUJOCO") else {
            eprintln!("skipped: ENVPOOL_RS_MUJOCO names no file, as `envpool-rs mujoco-library FILE` writes");
            return;
        };
        open(&PathBuf::from(file)).unwrap();
        let [rest, pump] = [Policy::Rest, Policy::Pump].map(|policy| play(&task(), policy, 500).unwrap());
        assert!((0.0..0.2).contains(&rest) && pump > 0.8, "{rest} {pump}");
    }

    #[test]
    fn the_arm_is_described_without_mujoco() {
        assert!(task().factory(&task().resolve(&[]).unwrap()).is_ok());
    }
}
