//! [`BatchEnv`] for a [`Kernel`]: steps blocks of lanes in vector registers.
//!
//! A block steps all its lanes, including lanes that need a reset; the results of these lanes are overwritten afterwards.
//! Branches inside the arithmetic would cost more than they save. No computed value of a block is passed to a function that is
//! not inlined, so that all values stay in registers. Remaining lanes form smaller blocks, down to one lane.

use std::ops::Range;

use crate::contract::config::AutoresetMode;
use crate::contract::env::{DEFAULT_STACK_BYTES, Env, Scheduling};
use crate::contract::error::Result;
use crate::contract::frame::{Frame, RenderParams, RenderSpec};
use crate::contract::kernel::{Columns, Kernel, KernelAction};
use crate::contract::options::ResetOptions;
use crate::contract::space::{Dtype, Space};
use crate::contract::spec::EnvSpec;
use crate::exec::batch_env::BatchEnv;
use crate::exec::chunk::{Chunk, ChunkGuard};
use crate::exec::episode_tracker::next_elapsed;
use crate::exec::lane_options::{GroupOptions, LaneOptionTable, env_or};
use crate::exec::lane_ref::LaneRef;
use crate::exec::lane_table::Phase;
use crate::exec::per_lane::{LaneCells, LaneId, LaneMut, PerLane};
use crate::exec::request_kind::RequestKind;
use crate::exec::scalar_kernel::{KernelState, ScalarKernel};
use crate::results::row_slot::{Transition, TransitionBlock};
use envpool_rs_numeric::random::{Generator, Pcg64, RandomStream};
use envpool_rs_numeric::simd::SimdLevel;

/// Number of lanes in a full block.
const FULL_WIDTH: usize = 16;
/// Number of lanes in a half block, used when too few lanes remain for a full block.
const HALF_WIDTH: usize = 8;

/// All lanes of a pool (or group) that run the same [`Kernel`], stored as one array per field of the state.
pub struct SimdBatchEnv<K: Kernel> {
    /// Kernel that runs a single lane, used for resets, autoreset and rendering.
    scalar: ScalarKernel<K>,
    fields: Box<[LaneCells<f64>]>,
    randoms: PerLane<Generator>,
    options: LaneOptionTable,
    level: SimdLevel,
}

impl<K: Kernel> SimdBatchEnv<K> {
    /// Creates the lanes `lanes` of a pool. The lanes must be seeded and reset before their first step.
    ///
    /// # Panics
    /// If the kernel's observation does not match `spec`, because blocks are written without checks of the arrays.
    pub fn new(scalar: ScalarKernel<K>, options: GroupOptions, spec: &EnvSpec, lanes: Range<usize>) -> Self {
        assert!(spec.players == 1, "a kernel of {} players", spec.players);
        assert!(matches_observation::<K>(spec), "a kernel's observation is a float32 vector of its Observation's elements");
        Self {
            fields: (0..K::Fields::<1>::LEN).map(|_| LaneCells::new(lanes.clone(), |_| 0.0)).collect(),
            randoms: PerLane::new(lanes.clone(), |_| Generator::from_seed(0)),
            options: LaneOptionTable::new([(options, lanes.len())], lanes),
            level: SimdLevel::detect(),
            scalar,
        }
    }

    /// Steps items `index..index + W` by `kernel` and writes their rows. Returns false, without stepping, if their lanes must be
    /// `CONSECUTIVE` and are not.
    #[inline(always)]
    fn step_block<const W: usize, const CONSECUTIVE: bool>(
        &self,
        work: &Chunk<'_>,
        guard: &mut ChunkGuard<'_>,
        index: usize,
        kernel: &K,
    ) -> bool {
        let Some(lanes) = guard.lanes.block::<W, CONSECUTIVE>(index) else { return false };
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
        kernel.step(fields.columns_mut(), &actions, &mut block.reward, &mut block.terminated);
        block.elapsed = lanes.load(&work.table.elapsed).map(next_elapsed);
        kernel.is_truncated(fields.columns(), &mut block.truncated);
        let cut = block.elapsed.map(|elapsed| elapsed >= work.rules.max_episode_steps);
        block.truncated = std::array::from_fn(|i| block.truncated[i] | cut[i]);
        kernel.observe(fields.columns(), observation.columns_mut());

        let phases = lanes.load(&work.table.phase);
        for (of_lanes, column) in self.fields.iter().zip(fields.columns()) {
            lanes.store(of_lanes, column);
        }
        lanes.store(&work.table.elapsed, &block.elapsed);
        // The phases stored here are correct if no episode starts in the same step. In same-step autoreset mode, `complete`
        // corrects them.
        lanes.store(&work.table.phase, &block.done().map(|done| if done { Phase::Finished } else { Phase::Running }));
        let rows = guard.rows.block::<W>(index);
        let written = rows.is_some();
        if let Some(mut rows) = rows {
            rows.write_observation(observation.columns());
            rows.write(&block);
        }
        let all_running = phases.iter().fold(true, |all, phase| all & (*phase == Phase::Running));
        if !all_running || !written || self.needs_completion(work, &block) {
            self.complete(work, guard, index, written, (&phases, &block));
        }
        true
    }

    /// Returns the actions of items `index..index + W`.
    #[inline(always)]
    fn actions<const W: usize>(&self, work: &Chunk<'_>, index: usize) -> [K::Action; W] {
        let column = K::Action::column(&work.actions[0]);
        column[index..index + W].try_into().expect("a slice of W elements")
    }

    /// Returns whether the step needs more work than writing the columns of the complete block, such as resets or infos.
    #[inline(always)]
    fn needs_completion<const W: usize>(&self, work: &Chunk<'_>, block: &TransitionBlock<W>) -> bool {
        self.has_supplement(work) || (work.rules.autoreset != AutoresetMode::NextStep && block.is_any_done())
    }

    /// Returns whether the chunk's rows contain infos or episode statistics.
    #[inline(always)]
    fn has_supplement(&self, work: &Chunk<'_>) -> bool {
        self.scalar.infos > 0 || self.options.has_infos() || work.table.episode.is_some()
    }

    /// Completes a block, lane by lane, after its lanes were stepped.
    ///
    /// Resets lanes that needed a reset instead of the step, and autoresets ended episodes in same-step mode. Writes the rows and
    /// columns that were not written for the complete block.
    #[cold]
    #[inline(never)]
    fn complete<const W: usize>(
        &self,
        work: &Chunk<'_>,
        guard: &mut ChunkGuard<'_>,
        index: usize,
        written: bool,
        (phases, block): (&[Phase; W], &TransitionBlock<W>),
    ) {
        let wants_all = !written || self.has_supplement(work) || work.rules.autoreset != AutoresetMode::NextStep;
        for (i, phase) in phases.iter().enumerate() {
            if *phase != Phase::Running {
                work.table.phase.set(guard.lanes.id(index + i), *phase); // restores the phase from before the step
                self.run_item(work, guard, index + i);
            } else if wants_all {
                self.complete_step(work, guard, index + i, written, block.transition(i), block.reward[i]);
            }
        }
    }

    /// Completes the step of one lane. `written`: whether the columns of the complete block are already written.
    #[inline(always)]
    fn complete_step(
        &self,
        work: &Chunk<'_>,
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
        if !written || work.episodes().should_autoreset(&transition) {
            self.with_lane(lanes.lane(index), |lane| lane.write(work, rows, index, transition, &[reward]));
        } else if self.has_supplement(work) {
            let lane = lanes.lane(index);
            let mut state = self.state_of(lane.id());
            self.lane_ref(lane, &mut state).write_supplement(work, &mut rows.row(index), &transition, reward);
        }
    }

    /// Runs item `index` as a single lane, for resets and autoreset.
    fn run_item(&self, work: &Chunk<'_>, guard: &mut ChunkGuard<'_>, index: usize) {
        let ChunkGuard { lanes, rows } = guard;
        self.with_lane(lanes.lane(index), |lane| lane.run_item(work, rows, index, &mut [0.0]));
    }

    /// Calls `act` with a single lane, whose fields are copied into a [`KernelState`] and back.
    #[inline]
    fn with_lane<T>(&self, lane: LaneMut<'_>, act: impl FnOnce(&mut LaneRef<'_, ScalarKernel<K>>) -> T) -> T {
        let (id, mut state) = (lane.id(), self.state_of(lane.id()));
        let result = act(&mut self.lane_ref(lane, &mut state));
        for (of_lanes, field) in self.fields.iter().zip(state.0.columns().as_flattened()) {
            of_lanes.set(id, *field);
        }
        result
    }

    /// Returns a single lane whose fields are `state`.
    #[inline(always)]
    fn lane_ref<'a>(&'a self, lane: LaneMut<'a>, state: &'a mut KernelState<K>) -> LaneRef<'a, ScalarKernel<K>> {
        let id = lane.id();
        let (random, own) = self.options.own_and(&self.randoms, lane);
        LaneRef { env: &self.scalar, own, lane: id, state, random }
    }

    /// Returns a copy of a lane's fields.
    #[inline]
    fn state_of(&self, lane: LaneId<'_>) -> KernelState<K> {
        let mut state = KernelState::<K>::zeros();
        for (field, of_lanes) in state.0.columns_mut().as_flattened_mut().iter_mut().zip(&self.fields) {
            *field = of_lanes.get(lane);
        }
        state
    }

    /// Steps all items, starting at `work.progress`. Items of a block whose episodes have different environments, by options of
    /// their own, are run one by one.
    #[inline(never)]
    fn step_items(&self, work: &Chunk<'_>, guard: &mut ChunkGuard<'_>) {
        while work.progress.get() < work.end {
            let start = work.progress.get();
            let width = match work.end - start {
                FULL_WIDTH.. => FULL_WIDTH,
                HALF_WIDTH.. => HALF_WIDTH,
                _ => 1,
            };
            let own;
            let (kernel, end) = if !self.options.has_own() {
                (&self.scalar.kernel, work.end)
            } else if let Some(common) = self.options.common_env(&mut guard.lanes, start..start + width) {
                own = common;
                (&env_or(own.as_ref(), &self.scalar).kernel, start + width)
            } else {
                self.run_items(work, guard, start + width);
                continue;
            };
            if width > 1 {
                // Lanes of an asynchronous pool mostly finish in the order in which they were sent, as runs of consecutive lanes.
                self.step_blocks::<true>(work, guard, end, kernel);
                if work.progress.get() == start {
                    self.step_blocks::<false>(work, guard, start + width, kernel);
                }
            }
            if width == 1 || work.progress.get() == start {
                kernel.step_single(self, work, guard, end);
            }
        }
    }

    /// Steps items before `end`, starting at `work.progress`, in blocks of `W` while at least `W` remain. Stops at lanes that must
    /// be `CONSECUTIVE` and are not.
    #[inline(always)]
    fn step_all<const W: usize, const CONSECUTIVE: bool>(
        &self,
        work: &Chunk<'_>,
        guard: &mut ChunkGuard<'_>,
        end: usize,
        kernel: &K,
    ) {
        work.span.set(W);
        while work.progress.get() + W <= end {
            let index = work.progress.get();
            if !self.step_block::<W, CONSECUTIVE>(work, guard, index, kernel) {
                break;
            }
            work.progress.set(index + W);
        }
    }

    /// Runs the items from `work.progress` to `end` one by one.
    #[inline(never)]
    fn run_items(&self, work: &Chunk<'_>, guard: &mut ChunkGuard<'_>, end: usize) {
        let span = work.span.replace(1);
        while work.progress.get() < end {
            self.run_item(work, guard, work.progress.get());
            work.progress.set(work.progress.get() + 1);
        }
        work.span.set(span);
    }

    /// Steps items before `end`, starting at `work.progress`, in blocks of 16 and 8 lanes, with the best SIMD instructions of the
    /// CPU. Leaves items that remain, all items if the CPU has no such instructions, and those from the first block on whose lanes
    /// must be `CONSECUTIVE` and are not.
    fn step_blocks<const CONSECUTIVE: bool>(&self, work: &Chunk<'_>, guard: &mut ChunkGuard<'_>, end: usize, kernel: &K) {
        match self.level {
            // SAFETY: `SimdLevel::detect` has detected AVX-512 on this CPU.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512(_) => unsafe { kernel.step_avx512::<CONSECUTIVE>(self, work, guard, end) },
            // SAFETY: `SimdLevel::detect` has detected AVX2 on this CPU.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2(_) => unsafe { kernel.step_avx2::<CONSECUTIVE>(self, work, guard, end) },
            #[cfg(not(target_arch = "x86_64"))]
            SimdLevel::Baseline => self.step_wide::<CONSECUTIVE>(work, guard, end, kernel),
            _ => {}
        }
    }

    #[inline(always)]
    fn step_wide<const CONSECUTIVE: bool>(&self, work: &Chunk<'_>, guard: &mut ChunkGuard<'_>, end: usize, kernel: &K) {
        self.step_all::<FULL_WIDTH, CONSECUTIVE>(work, guard, end, kernel);
        self.step_all::<HALF_WIDTH, CONSECUTIVE>(work, guard, end, kernel);
    }
}

/// Loops over the lanes of a kernel, from `work.progress` to `end`.
///
/// As functions of the kernel's type, each kernel's loops are compiled in the codegen unit of its module. Those of
/// [`SimdBatchEnv`] are in one unit for all kernels, which an incremental build compiles again when any kernel changes.
trait KernelLoops: Kernel {
    /// Steps items one after another. Compiled by itself, for pools of a few lanes.
    #[inline(never)]
    fn step_single(&self, env: &SimdBatchEnv<Self>, work: &Chunk<'_>, guard: &mut ChunkGuard<'_>, end: usize) {
        env.step_all::<1, true>(work, guard, end, self);
    }

    /// Steps items by [`SimdBatchEnv::step_wide`] with AVX-512.
    ///
    /// # Safety
    /// The CPU has AVX-512.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
    unsafe fn step_avx512<const CONSECUTIVE: bool>(
        &self,
        env: &SimdBatchEnv<Self>,
        work: &Chunk<'_>,
        guard: &mut ChunkGuard<'_>,
        end: usize,
    ) {
        env.step_wide::<CONSECUTIVE>(work, guard, end, self);
    }

    /// Steps items by [`SimdBatchEnv::step_wide`] with AVX2.
    ///
    /// # Safety
    /// The CPU has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn step_avx2<const CONSECUTIVE: bool>(
        &self,
        env: &SimdBatchEnv<Self>,
        work: &Chunk<'_>,
        guard: &mut ChunkGuard<'_>,
        end: usize,
    ) {
        env.step_wide::<CONSECUTIVE>(work, guard, end, self);
    }
}

impl<K: Kernel> KernelLoops for K {}

/// Returns whether the observation spaces of `spec` have exactly the array type and length that the kernel's blocks write.
fn matches_observation<K: Kernel>(spec: &EnvSpec) -> bool {
    let written =
        |space: &Space| matches!(space, Space::Box { shape, dtype: Dtype::F32, .. } if *shape == [K::Observation::<1>::LEN]);
    written(&spec.observation) && spec.envpool_observation.as_ref().is_none_or(written)
}

impl<K: Kernel> BatchEnv for SimdBatchEnv<K> {
    fn run(&self, work: &Chunk<'_>, guard: &mut ChunkGuard<'_>) {
        match work.kind {
            RequestKind::Reset { .. } => self.run_items(work, guard, work.end),
            RequestKind::Step if work.end - work.progress.get() < HALF_WIDTH && !self.options.has_own() => {
                self.scalar.kernel.step_single(self, work, guard, work.end);
            }
            RequestKind::Step => self.step_items(work, guard),
        }
    }

    fn stack_bytes(&self) -> usize {
        DEFAULT_STACK_BYTES
    }

    fn scheduling(&self) -> Scheduling {
        Scheduling::Uniform
    }

    fn reset_options(&self) -> &[&'static str] {
        K::RESET_OPTIONS
    }

    fn check_reset(&self, options: &ResetOptions, _lanes: &[usize]) -> Result<()> {
        self.scalar.check_reset(options)
    }

    fn seed(&self, lane: LaneMut<'_>, seed: u64) {
        *self.randoms.get_mut(lane) = Generator::from_seed(seed);
    }

    fn pcg64(&self, lane: LaneMut<'_>) -> Option<Pcg64> {
        self.randoms.get_mut(lane).pcg64().cloned()
    }

    fn save(&self, lane: LaneMut<'_>, bytes: &mut Vec<u8>) -> Result<()> {
        self.with_lane(lane, |lane| lane.save(bytes))
    }

    fn load(&self, lane: LaneMut<'_>, bytes: &[u8]) -> Result<()> {
        self.options.load(lane, |lane, group| self.with_lane(lane, |lane| lane.load(group, bytes)))
    }

    fn lane_options(&self, _lane: usize) -> &LaneOptionTable {
        &self.options
    }

    fn render_spec(&self) -> RenderSpec {
        self.scalar.render_spec()
    }

    fn render_view(&self, lane: LaneMut<'_>, view: &RenderParams) -> Result<Frame> {
        let mut state = self.state_of(lane.id());
        let lane = self.lane_ref(lane, &mut state);
        lane.env().render_view(lane.state, view)
    }

    fn render_text(&self, lane: LaneMut<'_>) -> String {
        let mut state = self.state_of(lane.id());
        let lane = self.lane_ref(lane, &mut state);
        lane.env().render_text(lane.state)
    }
}
