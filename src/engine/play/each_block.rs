//! [`BatchEnv`] for a [`Kernel`]: blocks of adjacent lanes in vector registers.
//!
//! A block steps all its lanes, including those that need a reset; their results are overwritten afterwards, because branches
//! inside the arithmetic would cost more than they save. No computed value of a block is passed to a function that is not
//! inlined, so that all values stay in registers. Remaining lanes form smaller blocks, down to one lane.

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
use crate::play::episodes::next_step;
use crate::play::kind::{Kind, LaneList};
use crate::play::lane_table::Phase;
use crate::play::lanes::{AnyOrder, Consecutive, LaneBlockIds, LaneCells, LaneId, LaneMut, LaneOrder, PerLane};
use crate::play::lone_kernel::{LoneKernel, Numbers};
use crate::play::one_lane::OneLane;
use crate::play::work::{ChunkGuard, Work};
use crate::results::row_slot::{Transition, TransitionBlock};
use envpool_rs_numeric::random::{Generator, Pcg64, RandomStream};
use envpool_rs_numeric::simd::SimdLevel;

/// Lanes of a full block.
const WIDE: usize = 16;
/// Lanes of a smaller block for remaining lanes.
const NARROW: usize = 8;

/// Lanes of a [`Kernel`]: one array per field of its state.
pub struct EachBlock<K: Kernel> {
    /// Runs one lane by itself: for resets, autoreset and rendering.
    lone: LoneKernel<K>,
    fields: Box<[LaneCells<f64>]>,
    random: PerLane<Generator>,
    level: SimdLevel,
}

impl<K: Kernel> EachBlock<K> {
    /// Creates these lanes of a pool with rows of `spec`, to be seeded and reset before their first step.
    ///
    /// # Panics
    /// If the kernel's observation does not match `spec`, because blocks are written without checks of the arrays.
    pub fn new(kernel: K, spec: &EnvSpec, lanes: Range<usize>) -> Self {
        assert!(spec.players == 1, "a kernel of {} players", spec.players);
        assert!(observes::<K>(spec), "a kernel's observation is a float32 vector of its Observation's elements");
        Self {
            fields: (0..K::Fields::<1>::LEN).map(|_| LaneCells::new(lanes.clone(), |_| 0.0)).collect(),
            random: PerLane::new(lanes, |_| Generator::from_seed(0)),
            level: SimdLevel::detect(),
            lone: LoneKernel::of(kernel),
        }
    }

    /// Steps items `index..index + W` and writes their rows, if their lanes have order `O`; returns whether they do.
    #[inline(always)]
    fn play<const W: usize, O: LaneOrder>(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>, index: usize) -> bool {
        let Some(lanes) = O::ids::<W>(&guard.lanes, index) else { return false };
        let mut fields = K::Fields::<W>::zeros();
        let mut observation = K::Observation::<W>::zeros();
        let mut block = TransitionBlock {
            reward: [0.0; W],
            terminated: [false; W],
            truncated: [false; W],
            elapsed: [0; W],
            lanes: lanes.numbers(),
        };
        let actions = self.actions::<W>(work, index);
        for (column, of_lanes) in fields.columns_mut().iter_mut().zip(&self.fields) {
            *column = lanes.load(of_lanes);
        }
        self.lone.kernel.step(fields.columns_mut(), &actions, &mut block.reward, &mut block.terminated);
        block.elapsed = lanes.load(&work.table.elapsed).map(next_step);
        self.lone.kernel.is_truncated(fields.columns(), &mut block.truncated);
        let cut = block.elapsed.map(|elapsed| elapsed >= work.rules.max_episode_steps);
        block.truncated = std::array::from_fn(|i| block.truncated[i] | cut[i]);
        self.lone.kernel.observe(fields.columns(), observation.columns_mut());

        let phases = lanes.load(&work.table.phase);
        for (of_lanes, column) in self.fields.iter().zip(fields.columns()) {
            lanes.store(of_lanes, column);
        }
        lanes.store(&work.table.elapsed, &block.elapsed);
        // Phases without same-step autoreset, which `finish` handles.
        lanes.store(&work.table.phase, &block.done().map(|done| if done { Phase::Finished } else { Phase::Running }));
        let rows = guard.rows.block::<W>(index);
        let written = rows.is_some();
        if let Some(mut rows) = rows {
            rows.write_observation(observation.columns());
            rows.write(&block);
        }
        let all_running = phases.iter().fold(true, |all, phase| all & (*phase == Phase::Running));
        if !all_running || !written || self.wants_more(work, &block) {
            self.finish(work, guard, index, written, (&phases, &block));
        }
        true
    }

    /// Returns the actions of items `index..index + W`.
    #[inline(always)]
    fn actions<const W: usize>(&self, work: &Work<'_>, index: usize) -> [K::Action; W] {
        let column = K::Action::column(&work.actions[0]);
        column[index..index + W].try_into().expect("a slice of W elements")
    }

    /// Returns whether the step needs more than the columns that are written for whole blocks.
    #[inline(always)]
    fn wants_more<const W: usize>(&self, work: &Work<'_>, block: &TransitionBlock<W>) -> bool {
        self.has_supplement(work) || (work.rules.autoreset != AutoresetMode::NextStep && block.is_any_done())
    }

    /// Returns whether there are infos or episode statistics.
    #[inline(always)]
    fn has_supplement(&self, work: &Work<'_>) -> bool {
        self.lone.infos > 0 || work.table.episode.is_some()
    }

    /// Completes a block lane by lane after its lanes were stepped.
    ///
    /// It resets lanes that needed a reset instead of the step, autoresets ended episodes in same-step mode, and writes the rows
    /// that need it.
    #[cold]
    #[inline(never)]
    fn finish<const W: usize>(
        &self,
        work: &Work<'_>,
        guard: &mut ChunkGuard<'_>,
        index: usize,
        written: bool,
        (phases, block): (&[Phase; W], &TransitionBlock<W>),
    ) {
        let wants_all = !written || self.has_supplement(work) || work.rules.autoreset != AutoresetMode::NextStep;
        for (i, phase) in phases.iter().enumerate() {
            if *phase != Phase::Running {
                work.table.phase.set(guard.lanes.id(index + i), *phase); // undo the step
                self.take_turn(work, guard, index + i);
            } else if wants_all {
                self.finish_step(work, guard, index + i, written, block.transition(i), block.reward[i]);
            }
        }
    }

    /// Completes the step of one lane; `written` says whether the columns of whole blocks are already written.
    #[inline(always)]
    fn finish_step(
        &self,
        work: &Work<'_>,
        guard: &mut ChunkGuard<'_>,
        index: usize,
        written: bool,
        transition: Transition,
        reward: f64,
    ) {
        let ChunkGuard { lanes, rows } = guard;
        if transition.is_done() {
            work.table.phase.set(lanes.id(index), Phase::Running); // blocks store phases without updating `unready`
            work.table.set_phase(lanes.id(index), Phase::Finished);
        }
        if !written || work.episodes().begins_anew(&transition) {
            self.alone(lanes.lane(index), |lane| lane.write(work, rows, index, transition, &[reward]));
        } else if self.has_supplement(work) {
            let lane = lanes.lane(index);
            let (id, mut state) = (lane.id(), self.state_of(lane.id()));
            let lane = OneLane { env: &self.lone, drawn: None, lane: id, state: &mut state, random: self.random.of(lane) };
            lane.write_supplement(work, &mut rows.row(index), &transition, reward);
        }
    }

    /// Runs item `index` by itself: for resets and autoreset.
    fn take_turn(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>, index: usize) {
        let ChunkGuard { lanes, rows } = guard;
        self.alone(lanes.lane(index), |lane| lane.take_turn(work, rows, index, &mut [0.0]));
    }

    /// Calls `act` with a single lane.
    #[inline]
    fn alone<T>(&self, lane: LaneMut<'_>, act: impl FnOnce(&mut OneLane<'_, LoneKernel<K>>) -> T) -> T {
        let (id, mut state) = (lane.id(), self.state_of(lane.id()));
        let random = self.random.of(lane);
        let result = act(&mut OneLane { env: &self.lone, drawn: None, lane: id, state: &mut state, random });
        for (of_lanes, field) in self.fields.iter().zip(state.0.columns().as_flattened()) {
            of_lanes.set(id, *field);
        }
        result
    }

    /// Returns a lane's fields.
    #[inline]
    fn state_of(&self, lane: LaneId<'_>) -> Numbers<K> {
        let mut state = Numbers::<K>::zeros();
        for (field, of_lanes) in state.0.columns_mut().as_flattened_mut().iter_mut().zip(&self.fields) {
            *field = of_lanes.get(lane);
        }
        state
    }

    /// Steps all items from `progress` on, in blocks of 16, 8 and 1. `IN_ORDER` means that all their lanes are consecutive.
    #[inline(always)]
    fn play_blocks<const IN_ORDER: bool>(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>) {
        self.play_all::<WIDE, IN_ORDER>(work, guard);
        self.play_all::<NARROW, IN_ORDER>(work, guard);
        self.play_all::<1, IN_ORDER>(work, guard);
    }

    /// Steps items from `progress` on while at least `W` remain.
    #[inline(always)]
    fn play_all<const W: usize, const IN_ORDER: bool>(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>) {
        work.span.set(W);
        while work.progress.get() + W <= work.end {
            let index = work.progress.get();
            // Asynchronous batches mostly return in the order they were sent, as runs of consecutive lanes.
            if !self.play::<W, Consecutive>(work, guard, index) && !IN_ORDER {
                self.play::<W, AnyOrder>(work, guard, index);
            }
            work.progress.set(index + W);
        }
    }

    /// Resets all items from `progress` on, or repeats their last row.
    fn reset_all(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>) {
        while work.progress.get() < work.end {
            self.take_turn(work, guard, work.progress.get());
            work.progress.set(work.progress.get() + 1);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
    fn play_avx512<const IN_ORDER: bool>(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>) {
        self.play_blocks::<IN_ORDER>(work, guard);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn play_avx2<const IN_ORDER: bool>(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>) {
        self.play_blocks::<IN_ORDER>(work, guard);
    }

    /// Steps all items from `progress` on, with the best SIMD instructions of the CPU.
    fn play_best<const IN_ORDER: bool>(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>) {
        let few = work.end - work.progress.get() < NARROW;
        match self.level {
            _ if few => self.play_all::<1, IN_ORDER>(work, guard),
            // SAFETY: `SimdLevel::detect` found these instructions on this CPU.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512(_) => unsafe { self.play_avx512::<IN_ORDER>(work, guard) },
            // SAFETY: `SimdLevel::detect` found these instructions on this CPU.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2(_) => unsafe { self.play_avx2::<IN_ORDER>(work, guard) },
            #[cfg(not(target_arch = "x86_64"))]
            SimdLevel::Baseline => self.play_blocks::<IN_ORDER>(work, guard),
            _ => self.play_all::<1, IN_ORDER>(work, guard),
        }
    }
}

/// Returns whether the observation spaces of `spec` have exactly the array type and length that the kernel's blocks write.
fn observes<K: Kernel>(spec: &EnvSpec) -> bool {
    let written =
        |space: &Space| matches!(space, Space::Box { shape, dtype: Dtype::F32, .. } if *shape == [K::Observation::<1>::LEN]);
    written(&spec.observation) && spec.envpool_observation.as_ref().is_none_or(written)
}

impl<K: Kernel> BatchEnv for EachBlock<K> {
    fn run(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>) {
        match (work.kind, work.lanes) {
            (Kind::Reset { .. }, _) => self.reset_all(work, guard),
            (Kind::Step, LaneList::All(_)) => self.play_best::<true>(work, guard),
            (Kind::Step, LaneList::Some(_)) => self.play_best::<false>(work, guard),
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

    fn seed(&self, lane: LaneMut<'_>, seed: u64) {
        *self.random.of(lane) = Generator::from_seed(seed);
    }

    fn pcg64(&self, lane: LaneMut<'_>) -> Option<Pcg64> {
        self.random.of(lane).pcg64().cloned()
    }

    fn save(&self, lane: LaneMut<'_>, bytes: &mut Vec<u8>) {
        self.alone(lane, |lane| lane.save(bytes));
    }

    fn load(&self, lane: LaneMut<'_>, bytes: &[u8]) -> Result<()> {
        self.alone(lane, |lane| lane.load(bytes))
    }

    fn rendering(&self) -> Rendering {
        self.lone.rendering()
    }

    fn show(&self, lane: LaneMut<'_>, view: &View) -> Result<Picture> {
        self.lone.show(&self.state_of(lane.id()), view)
    }

    fn text(&self, lane: LaneMut<'_>) -> String {
        self.lone.text(&self.state_of(lane.id()))
    }
}
