//! Finger (`dm_control/suite/finger.py`): two links that must spin a body on a hinge, or turn it to a target.

use std::f64::consts::PI;
use std::ops::Range;

use super::joints;
use super::suite::prelude::*;
use envpool_rs_sim_mujoco::model_overrides::{DOF_DAMPING, SITE_POS, SITE_RGBA, SITE_SIZE};

/// Angular velocity at which spinning the body is rewarded, in rad/s.
const SPINNING: f64 = 15.0;
/// Number of random positions that are tried to find a start state without contacts.
const TRIES: usize = 1000;

made! {
    #[derive(Debug)]
    pub struct Finger by Bind::bind(task: &str, _options: &Options, names: Names<'_>) with {
        let sensor = |name: &str| names.sensor(name).map(|numbers| numbers.start);
        let cap = names.geom("cap1")?;
    } {
        /// Size of the target; `None` in the spin task.
        target_size: Option<f64> = match task {
            "spin" => None,
            "turn_easy" => Some(0.07),
            _ => Some(0.03),
        },
        target: usize = names.site("target")?,
        tip: usize = names.site("tip")?,
        /// Id of the hinge joint that connects the spinning body to the world.
        hinge: usize = names.joint("hinge")?,
        /// Distance from the hinge to the tip of the spinning body, in m.
        radius: f64 = numpy::sum(&names.0.geom_size()[3 * cap..][..3]),
        angles: [usize; 2] = [sensor("proximal")?, sensor("distal")?],
        velocities: [usize; 3] = [sensor("proximal_velocity")?, sensor("distal_velocity")?, sensor("hinge_velocity")?],
        touch: [usize; 2] = [sensor("touchtop")?, sensor("touchbottom")?],
        places: [Range<usize>; 3] = [names.sensor("tip")?, names.sensor("target")?, names.sensor("spinner")?],
    }
}

fn of_target() -> [Block; 2] {
    [Block::new("target_position", 2), Block::number("dist_to_target")]
}

impl Finger {
    /// Returns x and z of the vector from the hinge to the tip of the spinning body (`which` 0), or to the target (1).
    fn place(&self, physics: &Physics, which: usize) -> [f64; 2] {
        let sensors = physics.sensordata();
        let (place, hinge) = (&sensors[self.places[which].clone()], &sensors[self.places[2].clone()]);
        [0, 2].map(|axis| place[axis] - hinge[axis])
    }

    /// Returns the distance from the body's tip to the target's surface, in m; it is negative inside the target.
    fn distance(&self, physics: &Physics) -> f64 {
        let (tip, target) = (self.place(physics, 0), self.place(physics, 1));
        numpy::norm(&[target[0] - tip[0], target[1] - tip[1]]) - physics.model_array(SITE_SIZE)[3 * self.target]
    }
}

impl DomainClass for Finger {
    const INFO: DomainInfo =
        DomainInfo { name: "finger", tasks: &["spin", "turn_easy", "turn_hard"], timestep: 0.01, sub_steps: 2, time_limit: 20.0 };

    fn task_spec(task: &str, _options: &Options) -> Result<TaskSpec> {
        let mut observation = vec![Block::new("position", 4), Block::new("velocity", 3), Block::new("touch", 2)];
        let mut other_tasks_blocks = of_target().to_vec();
        let mut model_change: Option<Change> = None;
        match task {
            // The spin task reduces the hinge's damping.
            "spin" => model_change = Some(|names| Ok((DOF_DAMPING, names.velocity("hinge")?, 0.03))),
            _ => observation.append(&mut other_tasks_blocks),
        }
        let spec = TaskSpec::new(observation, unit_controls(2)).up_to(Stage::Acc);
        Ok(TaskSpec { other_tasks_blocks, model_change, ..spec })
    }
}

impl Domain for Finger {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        if let Some(size) = self.target_size {
            let angle = random.uniform(-PI, PI);
            let [x, z] = [0, 2].map(|axis| physics.xanchor()[3 * self.hinge + axis]);
            let place = &mut physics.model_array_mut(SITE_POS)[3 * self.target..];
            place[0] = x + self.radius * numpy_ufuncs::sin(angle);
            place[2] = z + self.radius * numpy_ufuncs::cos(angle);
            physics.model_array_mut(SITE_SIZE)[3 * self.target] = size;
        } else {
            for site in [self.target, self.tip] {
                physics.model_array_mut(SITE_RGBA)[4 * site + 3] = 0.0;
            }
        }
        for _ in 0..TRIES {
            joints::randomize(physics, random);
            physics.forward_unactuated()?;
            if physics.ncon() == 0 {
                return Ok(());
            }
        }
        Err(Fault::MujocoError(format!("there is no position without contacts among {TRIES}")))
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        let sensors = physics.sensordata();
        to.extend(self.angles.map(|sensor| sensors[sensor]));
        to.extend(self.place(physics, 0));
        to.extend(self.velocities.map(|sensor| sensors[sensor]));
        to.extend(self.touch.map(|sensor| numpy_ufuncs::log1p(sensors[sensor])));
        if self.target_size.is_some() {
            to.extend(self.place(physics, 1));
            to.push(self.distance(physics));
        }
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        let is_good = match self.target_size {
            None => physics.sensordata()[self.velocities[2]] <= -SPINNING,
            Some(_) => self.distance(physics) <= 0.0,
        };
        f64::from(u8::from(is_good))
    }
}
