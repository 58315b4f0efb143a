//! Ant (`ant_v5.py`, `ant_v4.py`): a body with four legs that must run.

use super::robot::prelude::*;
use envpool_rs_engine::Value;
use envpool_rs_sim_mujoco::ObjectKind;

made! {
    #[derive(Debug)]
    pub struct Ant<const VERSION: u8> by FromOptions::new(options: &Options) with {
        let shows = if VERSION >= 5 { "include_cfrc_ext_in_observation" } else { "use_contact_forces" };
        let shows_forces = match options.get("use_contact_force") {
            Value::Bool(shows) => *shows,
            _ => options.bool(shows),
        };
    } {
        forward_weight: f64 = options.float("forward_reward_weight"),
        action_weight: f64 = options.float("ctrl_cost_weight"),
        contact_weight: f64 = options.float("contact_cost_weight"),
        health: Health = Health::new(options),
        healthy_z: Range = Range::of(options, "healthy_z_range", "healthy_z_min", "healthy_z_max"),
        force_range: Range = Range::of(options, "contact_force_range", "contact_force_min", "contact_force_max"),
        main_body: MainBody = match options.get("main_body") {
            Value::Text(name) => MainBody::Named(name.clone()),
            _ => MainBody::Number(options.int("main_body") as usize),
        },
        /// Number of leading positions (`qpos`) that the observation omits.
        skipped: usize = 2 * usize::from(options.bool("exclude_current_positions_from_observation")),
        shows_forces: bool = shows_forces,
        /// Whether the observation includes the external forces on the world body (body 0).
        shows_world: bool = !options.bool("exclude_worldbody_contact_forces"),
    }
}

#[derive(Debug)]
enum MainBody {
    Number(usize),
    Named(String),
}

impl<const VERSION: u8> Ant<VERSION> {
    fn counts_forces(&self) -> bool {
        VERSION >= 5 || self.shows_forces
    }

    fn observed_forces<'a>(&self, forces: &'a [f64]) -> &'a [f64] {
        if self.shows_world { forces } else { &forces[6.min(forces.len())..] }
    }
}

impl<const VERSION: u8> RobotClass for Ant<VERSION> {
    const MODEL: ModelSpec = ModelSpec::one_tree("ant.xml", 5, sizes(15, 14, 8, 14, 0, 0), 1.0);
    const CAMERA: CameraPreset = robot_camera(Some(4.0), None, None);

    const ENVPOOL_ORDER: &'static str = "use_contact_force legacy_healthy_reward exclude_worldbody_contact_forces \
        terminate_when_unhealthy exclude_current_positions_from_observation xml_file gymnasium_v5_render_camera \
        forward_reward_weight ctrl_cost_weight contact_cost_weight healthy_reward healthy_z_min healthy_z_max \
        contact_force_min contact_force_max reset_noise_scale";

    fn options() -> Vec<OptionSpec> {
        let shows = if VERSION >= 5 { "include_cfrc_ext_in_observation" } else { "use_contact_forces" };
        let mut options = vec![
            number("forward_reward_weight", 1.0, "weight of the velocity along x in the reward"),
            number("ctrl_cost_weight", 0.5, "weight of the squared action in the cost"),
            number("contact_cost_weight", 5e-4, "weight of the squared external forces in the cost"),
            OptionSpec::new("main_body", 1, "number or name of the body whose velocity is rewarded").or("").integers(0..=1 << 20),
            range_option("healthy_z_range", "range of healthy heights; None: healthy_z_min to healthy_z_max"),
            number("healthy_z_min", 0.2, "minimum healthy height in m"),
            number("healthy_z_max", 1.0, "maximum healthy height in m"),
            range_option("contact_force_range", "bounds of external forces; None: contact_force_min and contact_force_max"),
            number("contact_force_min", -1.0, "lower bound of external forces"),
            number("contact_force_max", 1.0, "upper bound of external forces"),
            noise_option(0.1),
            exclude_option(),
            flag(shows, VERSION >= 5, "whether external forces are observed (and, in version 4, have a cost)"),
            OptionSpec::optional("use_contact_force", true, "EnvPool's name of the previous option; None: its value"),
            flag("exclude_worldbody_contact_forces", VERSION >= 5, "whether observations omit external forces on the world"),
        ];
        options.extend(Health::options(1.0, VERSION));
        options
    }
}

impl<const VERSION: u8> Robot for Ant<VERSION> {
    fn bind(&mut self, model: &Model) -> Result<()> {
        check_sizes(model, 3, 0, 0)?;
        let nbody = model.sizes().nbody;
        let id = match &self.main_body {
            MainBody::Named(name) => model.id(ObjectKind::Body, name).ok_or_else(|| {
                Error::value("main_body", format_args!("{name:?}"), format_args!("the name of one of the model's {nbody} bodies"))
            })?,
            MainBody::Number(id) if *id < nbody => *id,
            MainBody::Number(id) => {
                return Err(Error::value("main_body", id, format_args!("one of the model's {nbody} bodies")));
            }
        };
        self.main_body = MainBody::Number(id);
        Ok(())
    }

    fn needs_outer_forces(&self) -> bool {
        self.counts_forces() || self.shows_forces
    }

    fn derived(&self) -> Derived {
        Derived::XPOS
    }

    fn observation_len(&self, sizes: &ModelSizes) -> usize {
        let forces = usize::from(self.shows_forces) * 6 * (sizes.nbody - usize::from(!self.shows_world));
        sizes.nq + sizes.nv - self.skipped + forces
    }

    fn infos(&self, _sizes: &ModelSizes) -> Vec<InfoSpec> {
        let position_infos = ["x_position", "y_position", "distance_from_origin"];
        let speeds = ["x_velocity", "y_velocity", "reward_forward"].map(step_info);
        let contact = step_info("reward_contact");
        let survive = step_info("reward_survive");
        // Version 4 of gymnasium's Ant reports the contact cost under the control cost's key.
        let control = if VERSION < 5 && self.counts_forces() { step_info("reward_ctrl") } else { product_info("reward_ctrl") };
        let position_info = |key| if VERSION >= 5 { info(key, &[]) } else { step_info(key) };
        let contact = if VERSION >= 5 { contact } else { contact.only_in_envpool() };
        let last = (VERSION < 5).then(|| step_info("forward_reward").only_in_gymnasium());
        position_infos.map(position_info).into_iter().chain(speeds).chain([control, contact, survive]).chain(last).collect()
    }

    fn reset_model(&self, data: &mut Data, noise: f64, random: &mut Generator) {
        add_uniform(data.qpos_mut(), noise, random);
        add_normal(data.qvel_mut(), noise, random);
    }

    fn observe(&self, data: &Data, to: &mut Writer<'_>) {
        to.add(&data.qpos()[self.skipped..]);
        to.add(data.qvel());
        if self.shows_forces {
            to.add_clipped(self.observed_forces(data.cfrc_ext()), self.force_range);
        }
    }

    fn step_memory(&self, data: &Data) -> StepMemory {
        match self.main_body {
            MainBody::Number(id) => data.body(id),
            MainBody::Named(_) => StepMemory::default(),
        }
    }

    fn write_reset_infos(&self, data: &Data, infos: &mut Writer<'_>) {
        let (position, body) = (&data.qpos()[..2], self.step_memory(data));
        let position = if VERSION >= 5 { position } else { &body[..2] };
        infos.add(&[position[0], position[1], numpy::norm(position)]);
    }

    fn evaluate(&self, step: &StepOutcome<'_>, infos: &mut Writer<'_>) -> (f64, bool) {
        let data = step.data;
        let (x_velocity, y_velocity) = (step.velocity(0), step.velocity(1));
        let finite = data.qpos().iter().chain(data.qvel()).all(|value| value.is_finite());
        let z = data.qpos()[2];
        let is_healthy = finite && self.healthy_z.low <= z && z <= self.healthy_z.high;
        let forward = x_velocity * self.forward_weight;
        let survive = self.health.reward(is_healthy);
        let control = step.action_cost(self.action_weight);
        let forces = data.cfrc_ext();
        let square = |index: usize| {
            let force = self.force_range.clip(forces[index]);
            force * force
        };
        let (mut costs, mut contact) = (control, 0.0);
        if self.counts_forces() {
            contact = self.contact_weight * numpy::sum_by(0, forces.len(), &square);
            costs += contact;
        }
        let reward_ctrl = if VERSION < 5 && self.counts_forces() { contact } else { control };
        infos.add(&[x_velocity, y_velocity, forward, -reward_ctrl, -contact, survive]);
        if VERSION < 5 {
            infos.add(&[forward]);
        }
        ((forward + survive) - costs, self.health.terminates_when(is_healthy))
    }
}
