//! HumanoidStandup (`humanoidstandup_v5.py`, `humanoidstandup_v4.py`): a lying humanoid that must stand up.

use super::humanoid::HumanoidObservation;
use super::robot::prelude::*;

made! {
    #[derive(Debug)]
    pub struct HumanoidStandup<const VERSION: u8> by FromOptions::new(options: &Options) {
        up_weight: f64 = options.float("forward_reward_weight"),
        alive: f64 = options.float("healthy_reward"),
        action_weight: f64 = options.float("ctrl_cost_weight"),
        impact_weight: f64 = value_or_alias(options, "impact_cost_weight", "contact_cost_weight"),
        impact_range: Range = Range::of(options, "impact_cost_range", "", "contact_cost_max"),
        shown: HumanoidObservation = HumanoidObservation::new(options)?,
    }
}

impl<const VERSION: u8> RobotClass for HumanoidStandup<VERSION> {
    const MODEL: ModelSpec = ModelSpec::one_tree("humanoidstandup.xml", 5, sizes(24, 23, 17, 14, 0, 2), 0.4);
    const TIMESTEP: f64 = 0.003;
    const CAMERA: CameraPreset = robot_camera(Some(4.0), Some(0.8925), Some(-20.0));

    const ENVPOOL_ORDER: &'static str = "forward_reward_weight exclude_current_positions_from_observation \
        exclude_worldbody_observations exclude_root_actuator_forces xml_file gymnasium_v5_render_camera ctrl_cost_weight \
        contact_cost_weight contact_cost_max healthy_reward reset_noise_scale";

    fn options() -> Vec<OptionSpec> {
        let mut options = vec![
            number("uph_cost_weight", 1.0, "without effect, as in gymnasium"),
            number("ctrl_cost_weight", 0.1, "weight of the squared controls in the cost"),
            number("impact_cost_weight", 5e-7, "weight of the squared external forces in the cost"),
            number("forward_reward_weight", 1.0, "weight of the height in the reward; gymnasium has no such option"),
            number("healthy_reward", 1.0, "constant reward per step; gymnasium's is 1"),
            alias("contact_cost_weight", "EnvPool's name of impact_cost_weight; None: its value"),
            range_option("impact_cost_range", "bounds of the cost of external forces; None: contact_cost_max as the upper bound"),
            number("contact_cost_max", 10.0, "upper bound of the cost of external forces"),
            noise_option(1e-2),
        ];
        options.extend(HumanoidObservation::options(VERSION));
        options
    }
}

impl<const VERSION: u8> Robot for HumanoidStandup<VERSION> {
    fn bind(&mut self, model: &Model) -> Result<()> {
        check_sizes(model, 3, 6, 0)
    }

    fn needs_outer_forces(&self) -> bool {
        true
    }

    fn derived(&self) -> Derived {
        Derived::BODY_MOTIONS | Derived::TENDONS
    }

    fn observation_len(&self, sizes: &ModelSizes) -> usize {
        self.shown.len(sizes)
    }

    fn infos(&self, sizes: &ModelSizes) -> Vec<InfoSpec> {
        let mut infos: Vec<InfoSpec> = Vec::new();
        if VERSION >= 5 {
            let positions = ["x_position", "y_position", "z_distance_from_origin"].map(|key| info(key, &[]));
            let tendons = ["tendon_length", "tendon_velocity"].map(|key| info(key, &[sizes.ntendon]));
            infos.extend(positions.into_iter().chain(tendons).map(InfoSpec::only_in_gymnasium));
        }
        infos.extend(["reward_linup", "reward_quadctrl"].map(step_info));
        infos.extend([step_info("reward_alive").only_in_envpool(), step_info("reward_impact")]);
        infos
    }

    fn observe(&self, data: &Data, to: &mut Writer<'_>) {
        self.shown.write(data, to);
    }

    fn write_reset_infos(&self, data: &Data, infos: &mut Writer<'_>) {
        if VERSION >= 5 {
            infos.add(&data.qpos()[..2]);
            infos.add(&[data.qpos()[2] - data.model().qpos0()[2]]);
            infos.add(data.ten_length());
            infos.add(data.ten_velocity());
        }
    }

    fn evaluate(&self, step: &StepOutcome<'_>, infos: &mut Writer<'_>) -> (f64, bool) {
        let data = step.data;
        let up = self.up_weight * (data.qpos()[2] / data.model().timestep());
        let control = self.action_weight * numpy::sum_of_squares(data.ctrl());
        let impact = self.impact_range.clip(self.impact_weight * numpy::sum_of_squares(data.cfrc_ext()));
        infos.add(&[up, -control, self.alive, -impact]);
        (up - control - impact + self.alive, false)
    }
}
