//! [`BatchEnv`] for a [`Kernel`]: blocks of lanes side by side in vector registers.
//!
//! A block steps all its lanes, also those that are due for a reset (what that gives is overwritten afterwards): branches inside
//! the arithmetic would cost more than they save. Nothing that is computed for a block is passed to code out of line, so that it
//! stays in registers. Lanes that are left over form smaller blocks, down to one lane.

use std::ops::Range;

use crate::contract::config::AutoresetMode;
use crate::contract::env::{Env, Scheduling};
use crate::contract::error::Result;
use crate::contract::kernel::{Columns, Kernel, KernelAction};
use crate::contract::options::ResetOptions;
use crate::contract::picture::{Picture, Rendering, View};
use crate::contract::space::{Dtype, Space};
use crate::contract::spec::EnvSpec;
use crate::play::batch_env::BatchEnv;
use crate::play::block::{LaneBlock, load, store, write_observation};
use crate::play::episodes::next_step;
use crate::play::kind::{Kind, LaneList};
use crate::play::lanes::{Lanes, Phase};
use crate::play::lone_kernel::{LoneKernel, Numbers};
use crate::play::one_lane::OneLane;
use crate::play::work::Work;
use crate::results::batch::{RowPlace, Transition};
use envpool_rs_numeric::random::{Generator, Pcg64, RandomStream};
use envpool_rs_numeric::simd::SimdLevel;

/// Lanes of a full block.
const WIDE: usize = 16;
/// Lanes of a block for what is left over.
const NARROW: usize = 8;

/// Lanes of a [`Kernel`]: one array per field of its state.
pub struct EachBlock<K: Kernel> {
    /// What plays a lane by itself: one that is reset, begun anew or shown.
    lone: LoneKernel<K>,
    fields: Box<[Lanes<f64>]>,
    random: Lanes<Generator>,
    level: SimdLevel,
}

impl<K: Kernel> EachBlock<K> {
    /// These lanes of a pool whose rows are made for `spec`, played by `kernel`, each to be seeded and reset before its first step.
    ///
    /// # Panics
    /// Where what the kernel says of itself does not go together: blocks are written without a look at the arrays.
    pub fn new(kernel: K, spec: &EnvSpec, lanes: Range<usize>) -> Self {
        assert!(spec.players == 1, "a kernel of {} players", spec.players);
        assert!(observes::<K>(spec), "a kernel's observation is a float32 vector of its Observation's elements");
        Self {
            fields: (0..K::Fields::<1>::LEN).map(|_| Lanes::new(lanes.clone(), |_| 0.0)).collect(),
            random: Lanes::new(lanes, |_| Generator::from_seed(0)),
            level: SimdLevel::detect(),
            lone: LoneKernel::of(kernel),
        }
    }

    /// Plays items `index..index + W` of a step and writes their rows; `IN_ORDER` where their lanes are consecutive.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    #[inline(always)]
    unsafe fn play<const W: usize, const IN_ORDER: bool>(&self, work: &Work<'_>, index: usize) {
        let first = work.lanes.get(index);
        let lanes: [usize; W] = std::array::from_fn(|i| if IN_ORDER { first + i } else { work.lanes.get(index + i) });
        let mut fields = K::Fields::<W>::zeros();
        let mut observation = K::Observation::<W>::zeros();
        let mut block = LaneBlock { reward: [0.0; W], terminated: [false; W], truncated: [false; W], elapsed: [0; W], lanes };
        let actions = self.actions::<W>(work, index);
        // SAFETY: lanes and rows are the caller's.
        unsafe {
            for (column, of_lanes) in fields.columns_mut().iter_mut().zip(&self.fields) {
                *column = load::<_, W, IN_ORDER>(of_lanes, &lanes);
            }
            self.lone.kernel.step(fields.columns_mut(), &actions, &mut block.reward, &mut block.terminated);
            let elapsed: [i32; W] = load::<_, W, IN_ORDER>(&work.table.elapsed, &lanes);
            block.elapsed = elapsed.map(next_step);
            self.lone.kernel.is_truncated(fields.columns(), &mut block.truncated);
            let cut = block.elapsed.map(|elapsed| elapsed >= work.rules.max_episode_steps);
            block.truncated = std::array::from_fn(|i| block.truncated[i] | cut[i]);
            self.lone.kernel.observe(fields.columns(), observation.columns_mut());

            let phases: [Phase; W] = load::<_, W, IN_ORDER>(&work.table.phase, &lanes);
            for (of_lanes, column) in self.fields.iter().zip(fields.columns()) {
                store::<_, W, IN_ORDER>(of_lanes, &lanes, column);
            }
            store::<_, W, IN_ORDER>(&work.table.elapsed, &lanes, &block.elapsed);
            store::<_, W, IN_ORDER>(&work.table.phase, &lanes, &block.phases());
            let run = work.claim().run(index - work.start, W);
            if let Some(RowPlace { pointers, row }) = run {
                write_observation::<W>(pointers.leaves[0].data.cast(), row, observation.columns());
                pointers.write_block(row, &block);
            }
            let all_running = phases.iter().fold(true, |all, phase| all & (*phase == Phase::Running));
            if !all_running || run.is_none() || self.wants_more(work, &block) {
                self.finish(work, index, run.is_some(), &phases, &block);
            }
        }
    }

    /// The actions of items `index..index + W`.
    #[inline(always)]
    fn actions<const W: usize>(&self, work: &Work<'_>, index: usize) -> [K::Action; W] {
        let column = K::Action::column(&work.actions[0]);
        column[index..index + W].try_into().expect("a slice of W elements")
    }

    /// Whether the step leaves more to be done than what is written for whole blocks.
    #[inline(always)]
    fn wants_more<const W: usize>(&self, work: &Work<'_>, block: &LaneBlock<W>) -> bool {
        self.has_supplement(work) || (work.rules.autoreset != AutoresetMode::NextStep && block.is_any_done())
    }

    /// Whether there are infos or episode statistics.
    #[inline(always)]
    fn has_supplement(&self, work: &Work<'_>) -> bool {
        self.lone.infos > 0 || work.table.episode.is_some()
    }

    /// Does, lane by lane, what is left of a block whose lanes have been stepped: resets those that were due for one in place of the
    /// step, begins anew those that ended (in same-step mode), and writes the rows that need it.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    #[cold]
    #[inline(never)]
    unsafe fn finish<const W: usize>(
        &self,
        work: &Work<'_>,
        index: usize,
        written: bool,
        phases: &[Phase; W],
        block: &LaneBlock<W>,
    ) {
        let wants_all = !written || self.has_supplement(work) || work.rules.autoreset != AutoresetMode::NextStep;
        for (i, phase) in phases.iter().enumerate() {
            if *phase != Phase::Running {
                // SAFETY: lanes and rows are the caller's.
                unsafe {
                    *work.table.phase.get(block.lanes[i]) = *phase; // as if it had not been stepped
                    self.take_turn(work, index + i);
                }
            } else if wants_all {
                // SAFETY: passed on to the caller.
                unsafe { self.finish_step(work, index + i, written, block.transition(i), block.reward[i]) };
            }
        }
    }

    /// Does what is left of a lane's step, of which the columns of whole blocks are `written` or not.
    ///
    /// # Safety
    /// The lane and the chunk's rows must belong to the caller alone.
    #[inline(always)]
    unsafe fn finish_step(&self, work: &Work<'_>, index: usize, written: bool, transition: Transition, reward: f64) {
        let lane = transition.lane as usize;
        // SAFETY: lane and rows are the caller's.
        unsafe {
            if transition.is_done() {
                *work.table.phase.get(lane) = Phase::Running; // blocks do not count
                work.table.set_phase(lane, Phase::Finished);
            }
            if !written || work.episodes().begins_anew(&transition) {
                self.alone(lane, |lane| lane.write(work, index, transition, &[reward]));
            } else if self.has_supplement(work) {
                let (mut state, place) = (self.state_of(lane), work.place(index));
                let lane = OneLane { env: &self.lone, drawn: None, lane, state: &mut state, random: self.random.get(lane) };
                lane.write_supplement(work, &place, &transition, reward);
            }
        }
    }

    /// Plays item `index` by itself: for resets and what follows an episode.
    ///
    /// # Safety
    /// The lane and the chunk's rows must belong to the caller alone.
    unsafe fn take_turn(&self, work: &Work<'_>, index: usize) {
        // SAFETY: lane and rows are the caller's.
        unsafe { self.alone(work.lanes.get(index), |lane| lane.take_turn(work, index, &mut [0.0])) }
    }

    /// Lets `act` do something with a lane by itself.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    #[inline]
    unsafe fn alone<T>(&self, lane: usize, act: impl FnOnce(&mut OneLane<'_, LoneKernel<K>>) -> T) -> T {
        // SAFETY: the lane is the caller's.
        unsafe {
            let mut state = self.state_of(lane);
            let result =
                act(&mut OneLane { env: &self.lone, drawn: None, lane, state: &mut state, random: self.random.get(lane) });
            for (of_lanes, field) in self.fields.iter().zip(state.0.columns().as_flattened()) {
                *of_lanes.get(lane) = *field;
            }
            result
        }
    }

    /// A lane's fields.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    #[inline]
    unsafe fn state_of(&self, lane: usize) -> Numbers<K> {
        let mut state = Numbers::<K>::zeros();
        for (field, of_lanes) in state.0.columns_mut().as_flattened_mut().iter_mut().zip(&self.fields) {
            // SAFETY: the lane is the caller's.
            *field = unsafe { *of_lanes.get(lane) };
        }
        state
    }

    /// Plays all items of a step from `progress` on, in blocks of 16, 8 and 1.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    #[inline(always)]
    unsafe fn play_blocks<const IN_ORDER: bool>(&self, work: &Work<'_>) {
        // SAFETY: passed on to the caller.
        unsafe {
            self.play_all::<WIDE, IN_ORDER>(work);
            self.play_all::<NARROW, IN_ORDER>(work);
            self.play_all::<1, IN_ORDER>(work);
        }
    }

    /// Plays items of a step from `progress` on as long as there are `W`.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    #[inline(always)]
    unsafe fn play_all<const W: usize, const IN_ORDER: bool>(&self, work: &Work<'_>) {
        work.span.set(W);
        while work.progress.get() + W <= work.end {
            let index = work.progress.get();
            // SAFETY: passed on to the caller.
            unsafe {
                // Asynchronous batches come back mostly as they were sent: in runs.
                if IN_ORDER || work.lanes.is_run::<W>(index) {
                    self.play::<W, true>(work, index);
                } else {
                    self.play::<W, false>(work, index);
                }
            }
            work.progress.set(index + W);
        }
    }

    /// Resets (or shows) all items from `progress` on.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    unsafe fn reset_all(&self, work: &Work<'_>) {
        while work.progress.get() < work.end {
            // SAFETY: passed on to the caller.
            unsafe { self.take_turn(work, work.progress.get()) };
            work.progress.set(work.progress.get() + 1);
        }
    }

    /// # Safety
    /// As `play_blocks`, on a processor that has these instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
    unsafe fn play_avx512<const IN_ORDER: bool>(&self, work: &Work<'_>) {
        // SAFETY: passed on to the caller.
        unsafe { self.play_blocks::<IN_ORDER>(work) }
    }

    /// # Safety
    /// As `play_blocks`, on a processor that has these instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn play_avx2<const IN_ORDER: bool>(&self, work: &Work<'_>) {
        // SAFETY: passed on to the caller.
        unsafe { self.play_blocks::<IN_ORDER>(work) }
    }

    /// Plays all items of a step from `progress` on, with the instructions there are.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    unsafe fn play_best<const IN_ORDER: bool>(&self, work: &Work<'_>) {
        let few = work.end - work.progress.get() < NARROW;
        // SAFETY: lanes and rows are passed on to the caller; `detect` found the instructions.
        unsafe {
            match self.level {
                _ if few => self.play_all::<1, IN_ORDER>(work),
                #[cfg(target_arch = "x86_64")]
                SimdLevel::Avx512(_) => self.play_avx512::<IN_ORDER>(work),
                #[cfg(target_arch = "x86_64")]
                SimdLevel::Avx2(_) => self.play_avx2::<IN_ORDER>(work),
                #[cfg(not(target_arch = "x86_64"))]
                SimdLevel::Baseline => self.play_blocks::<IN_ORDER>(work),
                _ => self.play_all::<1, IN_ORDER>(work),
            }
        }
    }
}

/// Whether all observations that a kernel's arrays may be made for are what its blocks write.
fn observes<K: Kernel>(spec: &EnvSpec) -> bool {
    let written =
        |space: &Space| matches!(space, Space::Box { shape, dtype: Dtype::F32, .. } if *shape == [K::Observation::<1>::LEN]);
    written(&spec.observation) && spec.envpool_observation.as_ref().is_none_or(written)
}

impl<K: Kernel> BatchEnv for EachBlock<K> {
    unsafe fn run(&self, work: &Work<'_>) {
        // SAFETY: passed on to the caller.
        unsafe {
            match (work.kind, work.lanes) {
                (Kind::Reset { .. }, _) => self.reset_all(work),
                (Kind::Step, LaneList::All(_)) => self.play_best::<true>(work),
                (Kind::Step, LaneList::Some(_)) => self.play_best::<false>(work),
            }
        }
    }

    fn scheduling(&self) -> Scheduling {
        Scheduling::Uniform
    }

    fn reset_options(&self) -> &[&'static str] {
        K::RESET_OPTIONS
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.lone.check_reset(options)
    }

    unsafe fn seed(&self, lane: usize, seed: u64) {
        // SAFETY: the lane is the caller's.
        unsafe { *self.random.get(lane) = Generator::from_seed(seed) };
    }

    unsafe fn pcg64(&self, lane: usize) -> Option<Pcg64> {
        // SAFETY: the lane is the caller's.
        unsafe { self.random.get(lane) }.pcg64().cloned()
    }

    unsafe fn save(&self, lane: usize, bytes: &mut Vec<u8>) {
        // SAFETY: the lane is the caller's.
        unsafe { self.alone(lane, |lane| lane.save(bytes)) };
    }

    unsafe fn load(&self, lane: usize, bytes: &[u8]) -> Result<()> {
        // SAFETY: the lane is the caller's.
        unsafe { self.alone(lane, |lane| lane.load(bytes)) }
    }

    fn rendering(&self) -> Rendering {
        self.lone.rendering()
    }

    unsafe fn show(&self, lane: usize, view: &View) -> Result<Picture> {
        // SAFETY: the lane is the caller's.
        self.lone.show(&unsafe { self.state_of(lane) }, view)
    }

    unsafe fn text(&self, lane: usize) -> String {
        // SAFETY: the lane is the caller's.
        self.lone.text(&unsafe { self.state_of(lane) })
    }
}
