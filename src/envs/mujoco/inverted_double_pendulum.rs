//! InvertedDoublePendulum: two linked poles on a cart, which must balance them upright.

use super::robot::prelude::*;
use envpool_rs_numeric::math::pow2;

made! {
    /// InvertedDoublePendulum as in gymnasium's `inverted_double_pendulum_v5.py`, or `.._v4.py` if `VERSION` is 4.
    #[derive(Debug)]
    pub struct InvertedDoublePendulum<const VERSION: u8> by FromOptions::new(options: &Options) {
        healthy_reward: f64 = options.float("healthy_reward"),
        /// Height of the second pole's tip, in m, at or below which an episode terminates.
        lowest: f64 = options.float("healthy_z_max"),
        pays_survivors: bool = options.bool("reward_if_not_terminated"),
        shown: Range = Range { low: options.float("observation_min"), high: options.float("observation_max") },
        forces: usize = options.int("constraint_obs_dim") as usize,
    }
}

impl<const VERSION: u8> RobotClass for InvertedDoublePendulum<VERSION> {
    const MODEL: ModelSpec = ModelSpec::one_tree("inverted_double_pendulum.xml", 5, sizes(3, 3, 1, 4, 1, 0), 1.0);
    // Version 5 of gymnasium's environment uses MuJoCo's default camera.
    const CAMERA: CameraPreset =
        if VERSION >= 5 { robot_camera(None, None, None) } else { robot_camera(Some(4.1225), Some(0.12250000000000005), None) };

    const ENVPOOL_ORDER: &'static str = "healthy_reward reward_if_not_terminated constraint_obs_dim xml_file \
        gymnasium_v5_render_camera healthy_z_max observation_min observation_max reset_noise_scale";

    fn options() -> Vec<OptionSpec> {
        let forces = if VERSION >= 5 { 1 } else { 3 };
        vec![
            number("healthy_reward", 10.0, "constant reward per step"),
            number("healthy_z_max", 1.0, "height of the tip in m at or below which an episode ends"),
            flag("reward_if_not_terminated", VERSION >= 5, "whether the step that ends an episode earns no healthy_reward"),
            number("observation_min", -10.0, "lower bound of the velocities and forces observed"),
            number("observation_max", 10.0, "upper bound of the velocities and forces observed"),
            OptionSpec::new("constraint_obs_dim", forces, "number of observed constraint forces").integers(0..=3),
            noise_option(0.1),
        ]
    }
}

impl<const VERSION: u8> Robot for InvertedDoublePendulum<VERSION> {
    fn bind(&mut self, model: &Model) -> Result<()> {
        let sizes = model.sizes();
        match (sizes.nq, sizes.nv) {
            (3, 3) => check_sizes(model, 3, 3, 1),
            (nq, nv) => Err(Error::Value(format!(
                "xml_file is a model of {nq} positions and {nv} velocities: expected 3 and 3, of a cart and two poles"
            ))),
        }
    }

    fn derived(&self) -> Derived {
        Derived::SITE_XPOS | Derived::CONSTRAINT_FORCES
    }

    fn observation_len(&self, sizes: &ModelSizes) -> usize {
        1 + 2 * (sizes.nq - 1) + sizes.nv + self.forces
    }

    fn infos(&self, _sizes: &ModelSizes) -> Vec<InfoSpec> {
        let infos = ["reward_survive", "distance_penalty", "velocity_penalty"].map(|key| step_info(key).only_in_gymnasium());
        if VERSION >= 5 { infos.to_vec() } else { Vec::new() }
    }

    fn reset_model(&self, data: &mut Data, noise: f64, random: &mut Generator) {
        add_uniform(data.qpos_mut(), noise, random);
        add_normal(data.qvel_mut(), noise, random);
    }

    fn observe(&self, data: &Data, to: &mut Writer<'_>) {
        let (cart, poles) = data.qpos().split_at(1);
        to.add(cart);
        to.add_mapped(poles, f64::sin);
        to.add_mapped(poles, f64::cos);
        to.add_clipped(data.qvel(), self.shown);
        to.add_clipped(&data.qfrc_constraint()[..self.forces], self.shown);
    }

    fn evaluate(&self, step: &StepOutcome<'_>, infos: &mut Writer<'_>) -> (f64, bool) {
        let [x, _, y] = step.data.site(0);
        let (first, second) = (step.data.qvel()[1], step.data.qvel()[2]);
        let ends = y <= self.lowest;
        // numpy squares scalars by the C library's `pow`, not by multiplication.
        let [x, y, first, second] = pow2(&[x, y - 2.0, first, second]);
        let far = 0.01 * x + y;
        let fast = 1e-3 * first + 5e-3 * second;
        let alive = if ends && self.pays_survivors { 0.0 } else { self.healthy_reward };
        if VERSION >= 5 {
            infos.add(&[alive, -far, -fast]);
        }
        (alive - far - fast, ends)
    }
}
