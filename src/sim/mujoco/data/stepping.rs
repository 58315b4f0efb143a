//! MuJoCo functions that advance a simulation, or compute its derived quantities without a step.

use crate::data::Data;
use crate::faults::{Fault, take_warning};
use crate::fields::{DisableFlag, RawData, RawModel, at};
use crate::library::Functions;

/// Declares methods of [`Data`] that call functions of MuJoCo; `check` also reports MuJoCo's warnings.
macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident $($check:ident)?: $($function:ident)*;)*) => {
        impl Data {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// `MujocoError` if MuJoCo reports an error; `MujocoWarning` for bad numbers or exhausted memory.
                pub fn $name(&mut self) -> Result<(), Fault> {
                    // SAFETY: `model` and `raw` are alive, and the `mjData` was created from this model or one of the same sizes.
                    let called = self.call(|functions, model, raw| unsafe { $((functions.$function)(model, raw);)* });
                    called$(.and_then(|()| self.$check()))?
                }
            )*
        }
    };
}

calls! {
    /// Resets the simulation to its initial state (`mj_resetData`).
    reset: mj_resetData;
    /// Computes all quantities derived from positions, velocities and controls (`mj_forward`).
    forward check: mj_forward;
    /// Computes all quantities derived from positions alone, including contacts (`mj_fwdPosition`).
    forward_positions check: mj_fwdPosition;
    /// Computes the poses of bodies, geoms and sites only (`mj_kinematics`).
    kinematics: mj_kinematics;
    /// Computes the poses of bodies, geoms and sites, and the axes along which degrees of freedom move bodies (`mj_kinematics`,
    /// `mj_comPos`).
    kinematics_and_com_pos: mj_kinematics mj_comPos;
    /// Computes poses, body velocities and the sensors that depend on them, without contacts.
    kinematics_and_sensors: mj_kinematics mj_comPos mj_comVel mj_subtreeVel mj_sensorPos mj_sensorVel;
    /// Computes poses, velocities of bodies, and lengths, velocities and forces of actuators, without contacts.
    forward_actuation check: mj_kinematics mj_comPos mj_tendon mj_transmission mj_fwdVelocity mj_fwdActuation;
    /// Computes the first half of a step (`mj_step1`), from which [`Data::step2_step1`] continues.
    step1 check: mj_step1;
}

impl Data {
    /// Calls `work`, which calls a MuJoCo function, with pointers to this simulation and to its model.
    pub(super) fn call(&mut self, work: impl FnOnce(&Functions, *const RawModel, *mut RawData)) -> Result<(), Fault> {
        self.call_with(self.raw_model(), work)
    }

    /// Calls a MuJoCo function with this simulation and a model of the same sizes.
    pub(crate) fn call_with(
        &mut self,
        model: *const RawModel,
        work: impl FnOnce(&Functions, *const RawModel, *mut RawData),
    ) -> Result<(), Fault> {
        let raw = self.raw.as_ptr();
        self.model.library().call(|functions| work(functions, model, raw))
    }

    /// Computes the sensors from arrays that a native step wrote: `subtree_linvel`, `cacc` and `cfrc_int` among them, and no contacts.
    pub(crate) fn sensors(&mut self) -> Result<(), Fault> {
        let fields = self.fields();
        // SAFETY: the layout table says that `ncon` is a 4-byte integer of `mjData`, and `&mut self` makes the access exclusive.
        unsafe { *at::<i32>(self.raw.as_ptr(), fields.contacts).cast_mut() = 0 };
        let mark = |raw: *mut RawData, known: u8| {
            for flag in [fields.flg_subtreevel, fields.flg_rnepost] {
                // SAFETY: the layout table says that the flags are bytes of `mjData`, and `&mut self` makes the access exclusive.
                unsafe { *at::<u8>(raw, flag).cast_mut() = known };
            }
        };
        // SAFETY: `model` and `raw` are alive, and the `mjData` was created from this model or one of the same sizes.
        self.call(|functions, model, raw| unsafe {
            mark(raw, 1);
            (functions.mj_sensorPos)(model, raw);
            (functions.mj_sensorVel)(model, raw);
            (functions.mj_sensorAcc)(model, raw);
            mark(raw, 0);
        })
    }

    /// Computes all quantities derived from positions and velocities, with actuation disabled (`mj_forward`).
    ///
    /// # Errors
    /// `MujocoError` if MuJoCo reports an error; `MujocoWarning` for bad numbers or exhausted memory.
    pub fn forward_unactuated(&mut self) -> Result<(), Fault> {
        let library = self.model.library();
        let (model, was_disabled) = match &mut self.overrides {
            None => (self.model.passive(), true),
            Some(own) => {
                let was_disabled = own.set_disabled(library, DisableFlag::Actuation, true);
                (own.raw(), was_disabled)
            }
        };
        // SAFETY: `model` is a copy with the same sizes as the model of this simulation's `mjData`, and both are alive.
        let result = self.call_with(model, |functions, model, raw| unsafe { (functions.mj_forward)(model, raw) });
        if let Some(own) = &mut self.overrides {
            own.set_disabled(library, DisableFlag::Actuation, was_disabled);
        }
        result?;
        self.check()
    }

    /// Advances the simulation by `count` steps (`mj_step`). If `with_outer_forces`, also computes `cfrc_ext` after the last
    /// step.
    ///
    /// # Errors
    /// `MujocoError` if MuJoCo reports an error; `MujocoWarning` for bad numbers or exhausted memory. Before such a warning,
    /// MuJoCo has reset the simulation or dropped contacts.
    pub fn step(&mut self, count: u32, with_outer_forces: bool) -> Result<(), Fault> {
        self.call_without_bvh(|functions, model, raw| {
            // SAFETY: `model` and `raw` are alive, and the `mjData` was created from this model or one of the same sizes.
            unsafe {
                for _ in 0..count {
                    (functions.mj_step)(model, raw);
                }
                if with_outer_forces {
                    (functions.mj_rnePostConstraint)(model, raw);
                }
            }
        })?;
        self.check()
    }

    /// Computes the poses and the contacts of the positions (`mj_kinematics`, `mj_collision`). The contacts have no forces.
    pub(crate) fn find_contacts(&mut self) -> Result<(), Fault> {
        self.kinematics()?;
        self.find_contacts_of_poses()
    }

    /// Computes the contacts of the poses (`mj_collision`). The contacts have no forces.
    ///
    /// # Errors
    /// `MujocoError` if MuJoCo reports an error; `MujocoWarning` if memory gives out.
    pub fn find_contacts_of_poses(&mut self) -> Result<(), Fault> {
        self.call_without_bvh(|functions, model, raw| {
            // SAFETY: `model` and `raw` are alive, and the `mjData` was created from this model or one of the same sizes.
            unsafe { (functions.mj_collision)(model, raw) };
        })?;
        self.check()
    }

    /// Calls a MuJoCo function with a model that has no nodes in bounding volume hierarchies. Steps and collision detection read
    /// the number of nodes (`nbvh`) only as the number of bytes that they clear.
    fn call_without_bvh(&mut self, work: impl FnOnce(&Functions, *const RawModel, *mut RawData)) -> Result<(), Fault> {
        let mut nbvh = 0;
        self.swap_nbvh(&mut nbvh);
        let model = if self.overrides.is_some() { self.raw_model() } else { self.model.stepping() };
        let called = self.call_with(model, work);
        self.swap_nbvh(&mut nbvh);
        called
    }

    /// Swaps the number of nodes in bounding volume hierarchies with `count`, if this simulation has its own copy of the model.
    fn swap_nbvh(&mut self, count: &mut i64) {
        let library = self.model.library();
        if let Some(own) = &mut self.overrides {
            own.swap_nbvh(library, count);
        }
    }

    /// Advances the simulation by `count` steps: calls `mj_step2` once, then `mj_step` `count - 1` times, then `mj_step1`
    /// once.
    ///
    /// After the call, derived quantities are the quantities at the end of the last step. The `mj_step1` of the first step
    /// was part of the previous call. With the Runge-Kutta integrator, all `count` steps are calls of `mj_step`.
    ///
    /// # Errors
    /// `MujocoError` if MuJoCo reports an error; `MujocoWarning` for bad numbers or exhausted memory.
    pub fn step2_step1(&mut self, count: u32) -> Result<(), Fault> {
        let is_whole = self.model.is_runge_kutta();
        // SAFETY: `model` and `raw` are alive, and the `mjData` was created from this model or one of the same sizes.
        self.call(|functions, model, raw| unsafe {
            if !is_whole {
                (functions.mj_step2)(model, raw);
            }
            for _ in u32::from(!is_whole)..count {
                (functions.mj_step)(model, raw);
            }
            (functions.mj_step1)(model, raw);
        })?;
        self.check()
    }

    /// Returns an error if MuJoCo has counted warnings in `mjData.warning`, and sets the counters to 0: after a reset by MuJoCo, a
    /// counter can have the value that it had before.
    fn check(&mut self) -> Result<(), Fault> {
        let mut is_new = false;
        for [_, number] in self.warnings_mut() {
            is_new |= std::mem::take(number) > 0;
        }
        if !is_new {
            return Ok(());
        }
        let text = take_warning();
        Err(Fault::MujocoWarning(if text.is_empty() { "numbers or memory gave out".to_owned() } else { text }))
    }
}
