//! Humanoid: a body with arms and legs that must run.

use super::robot::prelude::*;
use envpool_rs_sim_mujoco::model_overrides::BODY_MASS;

made! {
    /// Observation of Humanoid and HumanoidStandup: positions, velocities, body inertias and velocities, and forces.
    #[derive(Debug)]
    pub struct HumanoidObservation by FromOptions::new(options: &Options) {
        /// Number of leading positions (`qpos`) that the observation omits.
        skipped: usize = 2 * usize::from(options.bool("exclude_current_positions_from_observation")),
        inertias: bool = options.bool("include_cinert_in_observation"),
        velocities: bool = options.bool("include_cvel_in_observation"),
        actuators: bool = options.bool("include_qfrc_actuator_in_observation"),
        forces: bool = options.bool("include_cfrc_ext_in_observation"),
        /// Number of leading bodies that the observation omits: 1 if the world body is omitted, else 0.
        bodies: usize = usize::from(options.bool("exclude_worldbody_observations")),
        /// Number of leading degrees of freedom whose actuator forces the observation omits: the root body's, or 0.
        root: usize = 6 * usize::from(options.bool("exclude_root_actuator_forces")),
    }
}

impl HumanoidObservation {
    /// Returns the specifications of the options that select the parts of the observation, such as velocities and forces.
    pub fn options(version: u8) -> Vec<OptionSpec> {
        vec![
            exclude_option(),
            flag("include_cinert_in_observation", true, "whether the bodies' inertias are observed"),
            flag("include_cvel_in_observation", true, "whether the bodies' velocities are observed"),
            flag("include_qfrc_actuator_in_observation", true, "whether the actuators' forces are observed"),
            flag("include_cfrc_ext_in_observation", true, "whether external forces are observed"),
            flag("exclude_worldbody_observations", version >= 5, "whether observations of bodies omit the world"),
            flag("exclude_root_actuator_forces", version >= 5, "whether observed actuator forces omit the root"),
        ]
    }

    /// Returns the length of the observation for a model with the given sizes.
    pub fn len(&self, sizes: &ModelSizes) -> usize {
        let bodies = sizes.nbody - self.bodies;
        let of_bodies =
            bodies * (10 * usize::from(self.inertias) + 6 * usize::from(self.velocities) + 6 * usize::from(self.forces));
        sizes.nq - self.skipped + sizes.nv + of_bodies + (sizes.nv - self.root) * usize::from(self.actuators)
    }

    /// Writes the observation of a simulation's current state to `to`.
    pub fn write(&self, data: &Data, to: &mut Writer<'_>) {
        to.add(&data.qpos()[self.skipped..]);
        to.add(data.qvel());
        if self.inertias {
            to.add(&data.cinert()[10 * self.bodies..]);
        }
        if self.velocities {
            to.add(&data.cvel()[6 * self.bodies..]);
        }
        if self.actuators {
            to.add(&data.qfrc_actuator()[self.root..]);
        }
        if self.forces {
            to.add(&data.cfrc_ext()[6 * self.bodies..]);
        }
    }
}

made! {
    /// Humanoid as in gymnasium's `humanoid_v5.py`, or in `humanoid_v4.py` if `VERSION` is 4.
    #[derive(Debug)]
    pub struct Humanoid<const VERSION: u8> by FromOptions::new(options: &Options) {
        forward_weight: f64 = options.float("forward_reward_weight"),
        action_weight: f64 = options.float("ctrl_cost_weight"),
        contact_weight: f64 = options.float("contact_cost_weight"),
        contact_range: Range = Range::of(options, "contact_cost_range", "", "contact_cost_max"),
        counts_forces: bool = options.bool("use_contact_force"),
        health: Health = Health::new(options),
        healthy_z: Range = Range::of(options, "healthy_z_range", "healthy_z_min", "healthy_z_max"),
        shown: HumanoidObservation = HumanoidObservation::new(options)?,
        mass: f64 = 0.0,
    }
}

impl<const VERSION: u8> RobotClass for Humanoid<VERSION> {
    const MODEL: ModelSpec = ModelSpec::one_tree("humanoid.xml", 5, sizes(24, 23, 17, 14, 0, 2), 0.4);
    const TIMESTEP: f64 = 0.003;
    const CAMERA: CameraPreset = robot_camera(Some(4.0), Some(2.0), Some(-20.0));

    const ENVPOOL_ORDER: &'static str = "legacy_healthy_reward exclude_worldbody_observations exclude_root_actuator_forces \
        use_contact_force forward_reward_weight terminate_when_unhealthy exclude_current_positions_from_observation xml_file \
        gymnasium_v5_render_camera ctrl_cost_weight healthy_reward healthy_z_min healthy_z_max contact_cost_weight \
        contact_cost_max reset_noise_scale";

    fn options() -> Vec<OptionSpec> {
        let mut options = vec![
            number("forward_reward_weight", 1.25, "weight of the velocity along x in the reward"),
            number("ctrl_cost_weight", 0.1, "weight of the squared controls in the cost"),
            number("contact_cost_weight", 5e-7, "weight of the squared external forces in the cost"),
            range_option(
                "contact_cost_range",
                "bounds of the cost of external forces; None: contact_cost_max as the upper bound",
            ),
            number("contact_cost_max", 10.0, "upper bound of the cost of external forces"),
            flag("use_contact_force", VERSION >= 5, "whether external forces have a cost"),
        ];
        options.extend(Health::options(5.0, VERSION));
        options.extend([
            range_option("healthy_z_range", "range of healthy heights; None: healthy_z_min to healthy_z_max"),
            number("healthy_z_min", 1.0, "minimum healthy height in m"),
            number("healthy_z_max", 2.0, "maximum healthy height in m"),
            noise_option(1e-2),
        ]);
        options.extend(HumanoidObservation::options(VERSION));
        options
    }
}

impl<const VERSION: u8> Robot for Humanoid<VERSION> {
    fn bind(&mut self, model: &Model) -> Result<()> {
        self.mass = numpy::sum(model.body_mass());
        check_sizes(model, 3, 6, 0)
    }

    fn set_masses(&mut self, masses: &[f64]) {
        self.mass = numpy::sum(masses);
    }

    fn needs_outer_forces(&self) -> bool {
        self.counts_forces || self.shown.forces
    }

    fn derived(&self) -> Derived {
        Derived::BODY_MOTIONS | Derived::TENDONS
    }

    fn observation_len(&self, sizes: &ModelSizes) -> usize {
        self.shown.len(sizes)
    }

    fn infos(&self, sizes: &ModelSizes) -> Vec<InfoSpec> {
        let contact = if VERSION >= 5 { "reward_contact" } else { "reward_impact" };
        let only = |info: InfoSpec| info.only_in_gymnasium();
        let own = |info: InfoSpec| info.only_in_envpool();
        let speeds = ["x_velocity", "y_velocity"].map(step_info);
        let olds = ["reward_linvel", "reward_quadctrl", "reward_alive"].map(step_info);
        let mut infos: Vec<InfoSpec> = Vec::new();
        match VERSION {
            5.. => {
                infos.extend(["x_position", "y_position", "distance_from_origin"].map(|key| info(key, &[])));
                infos.extend(["tendon_length", "tendon_velocity"].map(|key| only(info(key, &[sizes.ntendon]))));
                infos.extend(speeds);
                infos.extend(["reward_survive", "reward_forward", "reward_ctrl"].map(step_info).map(only));
                infos.push(only(step_info(contact)));
                infos.extend(olds.map(own));
                infos.push(own(step_info("reward_impact")));
            }
            _ => {
                infos.extend(["x_position", "y_position", "distance_from_origin"].map(step_info));
                infos.extend(speeds);
                infos.extend(olds);
                infos.push(only(step_info("forward_reward")));
                infos.push(own(step_info(contact)));
            }
        }
        infos
    }

    fn observe(&self, data: &Data, to: &mut Writer<'_>) {
        self.shown.write(data, to);
    }

    /// Returns the position of the robot's centre of mass, from which the next step computes its velocity.
    fn step_memory(&self, data: &Data) -> StepMemory {
        let mut sum = [0.0; 3];
        for (mass, position) in data.model_array(BODY_MASS).iter().zip(data.xipos().as_chunks::<3>().0) {
            sum.iter_mut().zip(position).for_each(|(sum, position)| *sum += mass * position);
        }
        sum.map(|sum| sum / self.mass)
    }

    fn write_reset_infos(&self, data: &Data, infos: &mut Writer<'_>) {
        if VERSION >= 5 {
            infos.add(&data.qpos()[..2]);
            infos.add(&[numpy::norm(&data.qpos()[..2])]);
            infos.add(data.ten_length());
            infos.add(data.ten_velocity());
        } else {
            let position = self.step_memory(data);
            infos.add(&[position[0], position[1], numpy::norm(&position[..2])]);
        }
    }

    fn evaluate(&self, step: &StepOutcome<'_>, infos: &mut Writer<'_>) -> (f64, bool) {
        let is_healthy = self.healthy_z.has_within(step.data.qpos()[2]);
        let (x_velocity, y_velocity) = (step.velocity(0), step.velocity(1));
        let forward = self.forward_weight * x_velocity;
        let survive = self.health.reward(is_healthy);
        let control = self.action_weight * numpy::sum_of_squares(step.data.ctrl());
        let contact = match self.counts_forces {
            true => self.contact_range.clip(self.contact_weight * numpy::sum_of_squares(step.data.cfrc_ext())),
            false => 0.0,
        };
        infos.add(&[x_velocity, y_velocity]);
        if VERSION >= 5 {
            infos.add(&[survive, forward, -control, -contact]);
        }
        infos.add(&[forward, -control, survive]);
        if VERSION < 5 {
            infos.add(&[forward]);
        }
        infos.add(&[-contact]);
        ((forward + survive) - (control + contact), self.health.terminates_when(is_healthy))
    }
}
