//! Cart-pole (`dm_control/suite/cartpole.py`): a cart that must balance one or more poles.

use std::f64::consts::PI;

use super::suite::prelude::*;
use envpool_rs_engine::Value;

const MAX_POLES: i64 = 64;
/// Body id of the first pole; the world and the cart have lower ids.
const FIRST: usize = 2;

made! {
    #[derive(Debug)]
    pub struct CartPole by Bind::bind(task: &str, options: &Options, names: Names<'_>) {
        swings_up: bool = !task.starts_with("balance"),
        is_sparse: bool = match options.get("sparse") {
            Value::Bool(is_sparse) => *is_sparse,
            _ => task.ends_with("_sparse"),
        },
        slider: usize = names.position("slider")?,
        hinge: usize = names.position("hinge_1")?,
        centered: Tolerance = Tolerance::new(0.0, 0.0).with_margin(2.0),
        small_control: Tolerance = Tolerance::new(0.0, 0.0).with_sigmoid(Sigmoid::Quadratic, 1.0, 0.0),
        small_velocity: Tolerance = Tolerance::new(0.0, 0.0).with_margin(5.0),
        cart_in_bounds: Tolerance = Tolerance::new(-0.25, 0.25),
        angle_in_bounds: Tolerance = Tolerance::new(0.995, 1.0),
    }
}

fn poles(task: &str, options: &Options) -> usize {
    match (options.get("num_poles"), task) {
        (Value::Int(count), _) => *count as usize,
        (_, "two_poles") => 2,
        (_, "three_poles") => 3,
        _ => 1,
    }
}

impl CartPole {
    fn cosines<'a>(&self, physics: &'a Physics) -> impl Iterator<Item = f64> + 'a {
        (FIRST..physics.model().sizes().nbody).map(|pole| physics.axes(pole, ZZ))
    }
}

impl DomainClass for CartPole {
    const INFO: DomainInfo = DomainInfo {
        name: "cartpole",
        tasks: &["balance", "balance_sparse", "swingup", "swingup_sparse", "two_poles", "three_poles"],
        timestep: 0.01,
        sub_steps: 1,
        time_limit: 10.0,
    };

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::optional("num_poles", 1, "number of poles, one on top of the other; None: the task's")
                .integers(1..=MAX_POLES),
            OptionSpec::optional("sparse", true, "whether only upright poles in the middle are rewarded; None: the task's"),
        ]
    }

    fn task_spec(task: &str, options: &Options) -> Result<TaskSpec> {
        let poles = poles(task, options);
        let observation = vec![Block::new("position", 1 + 2 * poles), Block::new("velocity", 1 + poles)];
        let made_with = (poles > 1).then(|| poles.to_string());
        let spec = TaskSpec::new(observation, unit_controls(1)).up_to(Stage::Pos);
        let arrays = Derived::FINAL_XMAT;
        Ok(TaskSpec { generator_arguments: made_with, ..spec.with_arrays(arrays) })
    }
}

impl Domain for CartPole {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        let positions = physics.qpos_mut();
        if self.swings_up {
            positions[self.slider] = 0.01 * random.standard_normal();
            positions[self.hinge] = PI + 0.01 * random.standard_normal();
            positions[2..].fill_with(|| 0.1 * random.standard_normal());
        } else {
            positions[self.slider] = random.uniform(-0.1, 0.1);
            positions[1..].fill_with(|| random.uniform(-0.034, 0.034));
        }
        physics.qvel_mut().fill_with(|| 0.01 * random.standard_normal());
        Ok(())
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        to.push(physics.qpos()[self.slider]);
        for pole in FIRST..physics.model().sizes().nbody {
            to.extend([ZZ, XZ].map(|element| physics.axes(pole, element)));
        }
        to.extend_from_slice(physics.qvel());
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        let cart = physics.qpos()[self.slider];
        if self.is_sparse {
            let upright: f64 = self.cosines(physics).map(|cosine| self.angle_in_bounds.of_element(cosine)).product();
            return self.cart_in_bounds.of(cart) * upright;
        }
        let poles = physics.model().sizes().nbody - FIRST;
        let upright = |pole: usize| (physics.axes(FIRST + pole, ZZ) + 1.0) / 2.0;
        let upright = numpy::sum_by(0, poles, &upright) / poles as f64;
        let centered = (1.0 + self.centered.of(cart)) / 2.0;
        let small_control = (4.0 + self.small_control.of_element(physics.ctrl()[0])) / 5.0;
        let velocities = physics.qvel()[1..].iter().map(|velocity| self.small_velocity.of_element(*velocity));
        let small_velocity = (1.0 + velocities.fold(f64::INFINITY, f64::min)) / 2.0;
        upright * small_control * small_velocity * centered
    }
}
