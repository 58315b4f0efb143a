//! Acrobot (`dm_control/suite/acrobot.py`): two links that must stand upright, while only the second joint is actuated.

use std::f64::consts::PI;

use super::suite::prelude::*;

made! {
    #[derive(Debug)]
    pub struct Acrobot by Bind::bind(task: &str, _options: &Options, names: Names<'_>) with {
        let target = names.site("target")?;
        let near = Tolerance::new(0.0, names.0.site_size()[3 * target]);
    } {
        near: Tolerance = if task == "swingup" { near.with_margin(1.0) } else { near },
        joints: [usize; 2] = [names.position("shoulder")?, names.position("elbow")?],
        links: [usize; 2] = [names.body("upper_arm")?, names.body("lower_arm")?],
        tip: usize = names.site("tip")?,
        target: usize = target,
    }
}

impl DomainClass for Acrobot {
    const INFO: DomainInfo =
        DomainInfo { name: "acrobot", tasks: &["swingup", "swingup_sparse"], timestep: 0.01, sub_steps: 1, time_limit: 10.0 };

    fn task_spec(_task: &str, _options: &Options) -> Result<TaskSpec> {
        Ok(TaskSpec::new(vec![Block::new("orientations", 4), Block::new("velocity", 2)], unit_controls(1))
            .up_to(Stage::Pos)
            .with_arrays(Derived::FINAL_XMAT | Derived::FINAL_SITE_XPOS))
    }
}

impl Domain for Acrobot {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        for joint in self.joints {
            physics.qpos_mut()[joint] = random.uniform(-PI, PI);
        }
        Ok(())
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        for element in [XZ, ZZ] {
            to.extend(self.links.map(|link| physics.axes(link, element)));
        }
        to.extend_from_slice(physics.qvel());
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        let (target, tip) = (physics.site(self.target), physics.site(self.tip));
        self.near.of(numpy::norm(&[0, 1, 2].map(|axis| target[axis] - tip[axis])))
    }
}
