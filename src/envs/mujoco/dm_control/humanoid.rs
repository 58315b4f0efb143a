//! Humanoid: a body with arms and legs that must stand or move, in two variants.

use super::hopper::mean_reward;
use super::joints;
use super::suite::prelude::*;

/// Height of a standing humanoid's head, in m.
const STANDING: f64 = 1.4;
/// Number of position coordinates (`qpos`) of the root.
const ROOT: usize = 7;
/// Target speed of running, in m/s.
const RUNNING: f64 = 10.0;
/// Name of the task whose observation holds the unprocessed positions and velocities.
const PURE: &str = "run_pure_state";

/// Variant of the humanoid: names and sizes in which the models of `humanoid` and `humanoid_CMU` differ.
pub trait Build: Send + Sync + 'static {
    /// Properties that all tasks of the humanoid variant share.
    const BODY: DomainInfo;
    /// Number of joints, each with an actuator.
    const JOINTS: usize;
    const TORSO: &'static str;
    /// Index in the torso's rotation matrix (`xmat`) of the element that is 1 if the torso is upright.
    const UPRIGHT: usize;
    /// Name of the model's sensor that measures the velocity of the centre of mass.
    const VELOCITY: &'static str;
    /// Names of the bodies left hand, left foot, right hand and right foot, in this order.
    const EXTREMITIES: [&'static str; 4];
}

/// Humanoid domain, `dm_control/suite/humanoid.py`.
#[derive(Debug)]
pub struct Plain;

impl Build for Plain {
    const BODY: DomainInfo =
        DomainInfo { name: "humanoid", tasks: &["stand", "walk", "run", PURE], timestep: 0.005, sub_steps: 5, time_limit: 25.0 };
    const JOINTS: usize = 21;
    const TORSO: &'static str = "torso";
    const UPRIGHT: usize = 8;
    const VELOCITY: &'static str = "torso_subtreelinvel";
    const EXTREMITIES: [&'static str; 4] = ["left_hand", "left_foot", "right_hand", "right_foot"];
}

/// Humanoid domain with CMU's skeleton, `dm_control/suite/humanoid_CMU.py`.
#[derive(Debug)]
pub struct Cmu;

impl Build for Cmu {
    const BODY: DomainInfo =
        DomainInfo { name: "humanoid_CMU", tasks: &["stand", "walk", "run"], timestep: 0.002, sub_steps: 10, time_limit: 20.0 };
    const JOINTS: usize = 56;
    const TORSO: &'static str = "thorax";
    const UPRIGHT: usize = 7;
    const VELOCITY: &'static str = "thorax_subtreelinvel";
    const EXTREMITIES: [&'static str; 4] = ["lhand", "lfoot", "rhand", "rfoot"];
}

/// Task of a humanoid variant, with the ids of the model's objects.
#[derive(Debug)]
pub struct Humanoid<B> {
    is_pure: bool,
    standing: Tolerance,
    upright: Tolerance,
    small_control: Tolerance,
    still: Tolerance,
    /// Reward for the horizontal speed; `None` in the stand task.
    moving: Option<Tolerance>,
    torso: usize,
    head: usize,
    extremities: [usize; 4],
    velocity: usize,
    build: std::marker::PhantomData<B>,
}

/// Returns the observation block that holds all joint positions (`qpos`) without preprocessing.
fn position<B: Build>() -> Vec<Block> {
    vec![Block::new("position", ROOT + B::JOINTS)]
}

/// Returns the observation blocks that dm_control computes, without velocities.
fn features<B: Build>() -> Vec<Block> {
    vec![
        Block::new("joint_angles", B::JOINTS),
        Block::number("head_height"),
        Block::new("extremities", 12),
        Block::new("torso_vertical", 3),
        Block::new("com_velocity", 3),
    ]
}

impl<B: Build> DomainClass for Humanoid<B> {
    const INFO: DomainInfo = B::BODY;
    const KEYS_IN_ORDER: &'static [&'static str] =
        &["joint_angles", "head_height", "extremities", "torso_vertical", "com_velocity", "position", "velocity"];

    fn task_spec(task: &str, _options: &Options) -> Result<TaskSpec> {
        let (mut observation, other_tasks_blocks) = match (task, B::BODY.tasks.contains(&PURE)) {
            (PURE, _) => (position::<B>(), features::<B>()),
            (_, true) => (features::<B>(), position::<B>()),
            (_, false) => (features::<B>(), Vec::new()),
        };
        observation.push(Block::new("velocity", 6 + B::JOINTS));
        let arrays = Derived::FINAL_XPOS | Derived::FINAL_XMAT | Derived::FINAL_SUBTREE_LINVEL;
        let spec = TaskSpec::new(observation, unit_controls(B::JOINTS)).up_to(Stage::Vel).with_arrays(arrays);
        Ok(TaskSpec { other_tasks_blocks, ..spec })
    }
}

impl<B: Build> Bind for Humanoid<B> {
    fn bind(task: &str, _options: &Options, names: Names<'_>) -> Result<Self> {
        let moving = |speed: f64| Tolerance::from(speed).with_sigmoid(Sigmoid::Linear, speed, 0.0);
        let mut extremities = [0; 4];
        for (extremity, name) in extremities.iter_mut().zip(B::EXTREMITIES) {
            *extremity = names.body(name)?;
        }
        Ok(Self {
            is_pure: task == PURE,
            standing: Tolerance::from(STANDING).with_margin(STANDING / 4.0),
            upright: Tolerance::from(0.9).with_sigmoid(Sigmoid::Linear, 1.9, 0.0),
            small_control: Tolerance::new(0.0, 0.0).with_sigmoid(Sigmoid::Quadratic, 1.0, 0.0),
            still: Tolerance::new(0.0, 0.0).with_margin(2.0),
            moving: match task {
                "stand" => None,
                "walk" => Some(moving(1.0)),
                _ => Some(moving(RUNNING)),
            },
            torso: names.body(B::TORSO)?,
            head: names.body("head")?,
            extremities,
            velocity: names.sensor(B::VELOCITY)?.start,
            build: std::marker::PhantomData,
        })
    }
}

impl<B: Build> Domain for Humanoid<B> {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        let model = physics.model().clone();
        repeat_until(&model, (CHEAP_ATTEMPTS, "start states without contacts"), || {
            joints::randomize(physics, random);
            physics.forward_unactuated()?;
            Ok(physics.ncon() == 0)
        })
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        if self.is_pure {
            to.extend_from_slice(physics.qpos());
        } else {
            to.extend_from_slice(&physics.qpos()[ROOT..]);
            to.push(physics.body(self.head)[2]);
            let (axes, position) = (&physics.xmat()[9 * self.torso..][..9], physics.body(self.torso));
            for limb in self.extremities {
                let limb = physics.body(limb);
                to.extend(in_frame(&[0, 1, 2].map(|axis| limb[axis] - position[axis]), axes));
            }
            to.extend_from_slice(&axes[6..]);
            to.extend_from_slice(&physics.sensordata()[self.velocity..][..3]);
        }
        to.extend_from_slice(physics.qvel());
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        let standing = self.standing.of(physics.body(self.head)[2]) * self.upright.of(physics.axes(self.torso, B::UPRIGHT));
        let small_control = (4.0 + mean_reward(&self.small_control, physics.ctrl())) / 5.0;
        let horizontal = &physics.sensordata()[self.velocity..][..2];
        let moving = match &self.moving {
            None => mean_reward(&self.still, horizontal),
            Some(moving) => (5.0 * moving.of(numpy::norm(horizontal)) + 1.0) / 6.0,
        };
        small_control * standing * moving
    }
}
