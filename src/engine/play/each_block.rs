//! [`BatchEnv`] for a [`Kernel`]: blocks of lanes side by side in vector registers.
//!
//! A block steps all its lanes, also those that are due for a reset (what that gives is overwritten afterwards): branches inside
//! the arithmetic would cost more than they save. Nothing that is computed for a block is passed to code out of line, so that it
//! stays in registers. Lanes that are left over form smaller blocks, down to one lane.

use std::ops::Range;

use crate::engine::contract::config::AutoresetMode;
use crate::engine::contract::error::Result;
use crate::engine::contract::kernel::{Kernel, KernelAction, MAX_FIELDS};
use crate::engine::contract::options::ResetOptions;
use crate::engine::contract::picture::{Picture, Rendering};
use crate::engine::contract::row::Row;
use crate::engine::contract::space::{Dtype, Space};
use crate::engine::contract::spec::EnvSpec;
use crate::engine::play::batch_env::BatchEnv;
use crate::engine::play::block::{Block, load, store, write_observation};
use crate::engine::play::dispatch::Vectors;
use crate::engine::play::lanes::{Lanes, Phase};
use crate::engine::play::snapshot;
use crate::engine::play::work::{Kind, LaneList, Work, next_step};
use crate::engine::results::batch::Outcome;
use crate::engine::results::batch::Slot;
use crate::random::{Generator, RandomStream};

/// Lanes of a full block.
const WIDE: usize = 16;
/// Lanes of a block for what is left over.
const NARROW: usize = 8;

/// Lanes of a [`Kernel`]: one array per field of its state.
pub struct EachBlock<K: Kernel> {
    kernel: K,
    fields: Vec<Lanes<f64>>,
    random: Lanes<Generator>,
    no_options: ResetOptions,
    infos: usize,
    vectors: Vectors,
}

impl<K: Kernel> EachBlock<K> {
    /// These lanes of a pool, played by `kernel`, each to be seeded and reset before its first step.
    ///
    /// # Panics
    /// Where what the kernel says of itself does not go together: blocks are written without a look at the arrays.
    pub fn new(kernel: K, lanes: Range<usize>) -> Self {
        let spec = kernel.spec();
        assert!(K::FIELDS <= MAX_FIELDS && K::OBSERVATION <= MAX_FIELDS, "a kernel of more than {MAX_FIELDS} fields");
        assert!(spec.players == 1, "a kernel of {} players", spec.players);
        assert!(observes::<K>(&spec), "a kernel's observation is a float32 vector of its OBSERVATION elements");
        Self {
            fields: (0..K::FIELDS).map(|_| Lanes::new(lanes.clone(), |_| 0.0)).collect(),
            random: Lanes::new(lanes, |_| Generator::from_seed(0)),
            no_options: ResetOptions::default(),
            infos: spec.info.len(),
            vectors: Vectors::detect(),
            kernel,
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
        let mut fields = [[0.0; W]; MAX_FIELDS];
        let mut observation = [[0.0; W]; MAX_FIELDS];
        let mut block = Block { reward: [0.0; W], terminated: [false; W], truncated: [false; W], elapsed: [0; W], lanes };
        let actions = self.actions::<W>(work, index);
        // SAFETY: lanes and rows are the caller's.
        unsafe {
            for (column, of_lanes) in fields.iter_mut().zip(&self.fields) {
                *column = load::<_, W, IN_ORDER>(of_lanes, &lanes);
            }
            self.kernel.step(&mut fields[..K::FIELDS], &actions, &mut block.reward, &mut block.terminated);
            let elapsed: [i32; W] = load::<_, W, IN_ORDER>(&work.table.elapsed, &lanes);
            block.elapsed = elapsed.map(next_step);
            block.truncated = block.elapsed.map(|elapsed| elapsed >= work.rules.max_episode_steps);
            self.kernel.observe(&fields[..K::FIELDS], &mut observation[..K::OBSERVATION]);

            let phases: [Phase; W] = load::<_, W, IN_ORDER>(&work.table.phase, &lanes);
            for (of_lanes, column) in self.fields.iter().zip(&fields) {
                store::<_, W, IN_ORDER>(of_lanes, &lanes, column);
            }
            store::<_, W, IN_ORDER>(&work.table.elapsed, &lanes, &block.elapsed);
            store::<_, W, IN_ORDER>(&work.table.phase, &lanes, &block.phases());
            let run = work.claim().run(index - work.start, W);
            if let Some(Slot { pointers, row }) = run {
                write_observation::<W>(pointers.leaves[0].data.cast(), row, K::OBSERVATION, &observation);
                pointers.write_block(row, &block);
            }
            let calm = phases.iter().fold(true, |calm, phase| calm & (*phase == Phase::Running));
            if !calm || run.is_none() || self.wants_more(work) {
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

    /// Whether steps leave more to be done than what is written for whole blocks.
    #[inline(always)]
    fn wants_more(&self, work: &Work<'_>) -> bool {
        self.has_supplement(work) || work.rules.autoreset == AutoresetMode::SameStep
    }

    /// Whether there are infos or episode statistics.
    #[inline(always)]
    fn has_supplement(&self, work: &Work<'_>) -> bool {
        self.infos > 0 || work.table.episode.is_some()
    }

    /// Does, lane by lane, what is left of a block whose lanes have been stepped: resets those that were due for one in place of the
    /// step, begins anew those that ended (in same-step mode), and writes the rows that need it.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    #[cold]
    #[inline(never)]
    unsafe fn finish<const W: usize>(&self, work: &Work<'_>, index: usize, written: bool, phases: &[Phase; W], block: &Block<W>) {
        for (i, phase) in phases.iter().enumerate() {
            // SAFETY: lanes and rows are the caller's.
            unsafe {
                let (lane, outcome, reward) = (block.lanes[i], block.outcome(i), block.reward[i]);
                if *phase != Phase::Running {
                    self.settle(work, index + i);
                } else if !written || self.begins_anew(work, outcome) {
                    self.show(work, index + i, lane, outcome, reward);
                } else if self.has_supplement(work) {
                    self.supplement(work, index + i, lane, outcome, reward);
                }
            }
        }
    }

    /// Resets the lane of item `index`, or only shows it, and writes its row.
    ///
    /// # Safety
    /// The lane and the chunk's rows must belong to the caller alone.
    unsafe fn settle(&self, work: &Work<'_>, index: usize) {
        let lane = work.lanes.get(index);
        let moved = !work.only_shows(index);
        // SAFETY: lane and row are the caller's.
        unsafe {
            if moved {
                self.reset(work, index, lane);
            }
            let elapsed = *work.table.elapsed.get(lane);
            let outcome = Outcome {
                lane: lane as u32,
                elapsed,
                terminated: false,
                truncated: false,
                first: moved,
                moved,
                discounts_all: false,
            };
            self.show(work, index, lane, outcome, 0.0);
        }
    }

    /// Begins an episode in the lane of item `index`.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    unsafe fn reset(&self, work: &Work<'_>, index: usize, lane: usize) {
        // SAFETY: the lane is the caller's.
        let random = unsafe { self.random.get(lane) };
        let options = match work.kind {
            Kind::Step => &self.no_options,
            Kind::Reset { seeds, options, .. } => {
                if let Some(Some(seed)) = seeds.get(index) {
                    *random = Generator::from_seed(*seed);
                }
                options
            }
        };
        let mut fields = [0.0; MAX_FIELDS];
        self.kernel.reset(&mut fields[..K::FIELDS], options, random);
        // SAFETY: the lane is the caller's.
        unsafe {
            for (of_lanes, field) in self.fields.iter().zip(fields) {
                *of_lanes.get(lane) = field;
            }
            (*work.table.phase.get(lane), *work.table.elapsed.get(lane)) = (Phase::Running, 0);
        }
    }

    /// Writes the row of item `index`, and begins anew where its episode ended and the mode says so.
    ///
    /// # Safety
    /// The lane and the chunk's rows must belong to the caller alone.
    unsafe fn show(&self, work: &Work<'_>, index: usize, lane: usize, outcome: Outcome, reward: f64) {
        let Slot { pointers, row } = work.slot(index);
        // SAFETY: lane and row are the caller's.
        unsafe {
            if self.begins_anew(work, outcome) {
                self.write_observation_of(lane, &mut pointers.final_observation(row));
                self.write_infos_of(lane, &mut pointers.final_info(row));
                self.reset(work, index, lane);
            }
            self.write_observation_of(lane, &mut pointers.observation(row));
            pointers.write_row(row, outcome, &[reward]);
            if self.has_supplement(work) {
                self.supplement(work, index, lane, outcome, reward);
            }
        }
    }

    /// Whether this outcome of a lane is followed by a reset at once.
    fn begins_anew(&self, work: &Work<'_>, outcome: Outcome) -> bool {
        work.rules.autoreset == AutoresetMode::SameStep && (outcome.terminated || outcome.truncated)
    }

    /// Writes what no block writes into the row of item `index`: infos and episode statistics.
    ///
    /// # Safety
    /// The lane and the chunk's rows must belong to the caller alone.
    unsafe fn supplement(&self, work: &Work<'_>, index: usize, lane: usize, outcome: Outcome, reward: f64) {
        let slot = work.slot(index);
        // SAFETY: lane and row are the caller's.
        unsafe {
            self.write_infos_of(lane, &mut slot.pointers.info(slot.row));
            if let Some(now) = work.now().filter(|_| outcome.moved) {
                work.episode(lane, &slot, outcome, reward, now);
            }
        }
    }

    /// A lane's fields.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    unsafe fn fields_of(&self, lane: usize) -> [[f64; 1]; MAX_FIELDS] {
        let mut fields = [[0.0]; MAX_FIELDS];
        for (field, of_lanes) in fields.iter_mut().zip(&self.fields) {
            // SAFETY: the lane is the caller's.
            *field = [unsafe { *of_lanes.get(lane) }];
        }
        fields
    }

    /// Writes a lane's observation.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    unsafe fn write_observation_of(&self, lane: usize, row: &mut Row<'_>) {
        // SAFETY: the lane is the caller's.
        let fields = unsafe { self.fields_of(lane) };
        let mut columns = [[0.0]; MAX_FIELDS];
        self.kernel.observe::<1>(&fields[..K::FIELDS], &mut columns[..K::OBSERVATION]);
        row.write(0, &columns.map(|[element]| element)[..K::OBSERVATION]);
    }

    /// Writes a lane's infos.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    unsafe fn write_infos_of(&self, lane: usize, row: &mut Row<'_>) {
        if self.infos > 0 {
            // SAFETY: the lane is the caller's.
            let fields = unsafe { self.fields_of(lane) }.map(|[field]| field);
            (0..self.infos).for_each(|info| self.kernel.info(info, &fields[..K::FIELDS], row));
        }
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
    unsafe fn settle_all(&self, work: &Work<'_>) {
        while work.progress.get() < work.end {
            // SAFETY: passed on to the caller.
            unsafe { self.settle(work, work.progress.get()) };
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
            match self.vectors {
                _ if few => self.play_all::<1, IN_ORDER>(work),
                #[cfg(target_arch = "x86_64")]
                Vectors::Avx512 => self.play_avx512::<IN_ORDER>(work),
                #[cfg(target_arch = "x86_64")]
                Vectors::Avx2 => self.play_avx2::<IN_ORDER>(work),
                #[cfg(not(target_arch = "x86_64"))]
                Vectors::Baseline => self.play_blocks::<IN_ORDER>(work),
                _ => self.play_all::<1, IN_ORDER>(work),
            }
        }
    }
}

/// Whether all observations that a kernel's arrays may be made for are what its blocks write.
fn observes<K: Kernel>(spec: &EnvSpec) -> bool {
    let written = |space: &Space| matches!(space, Space::Box { shape, dtype: Dtype::F32, .. } if *shape == [K::OBSERVATION]);
    written(&spec.observation) && spec.envpool_observation.as_ref().is_none_or(written)
}

impl<K: Kernel> BatchEnv for EachBlock<K> {
    unsafe fn run(&self, work: &Work<'_>) {
        // SAFETY: passed on to the caller.
        unsafe {
            match (work.kind, work.lanes) {
                (Kind::Reset { .. }, _) => self.settle_all(work),
                (Kind::Step, LaneList::All(_)) => self.play_best::<true>(work),
                (Kind::Step, LaneList::Some(_)) => self.play_best::<false>(work),
            }
        }
    }

    fn grain(&self) -> usize {
        2 * WIDE
    }

    fn reset_options(&self) -> &[&'static str] {
        K::RESET_OPTIONS
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.kernel.check_reset(options)
    }

    unsafe fn seed(&self, lane: usize, seed: u64) {
        // SAFETY: the lane is the caller's.
        unsafe { *self.random.get(lane) = Generator::from_seed(seed) };
    }

    unsafe fn recreate(&self, _lane: usize) {} // a reset writes all fields

    unsafe fn save(&self, lane: usize, bytes: &mut Vec<u8>) {
        // SAFETY: the lane is the caller's.
        unsafe {
            let fields: Vec<_> = self.fields.iter().map(|field| field.get(lane).to_bits()).collect();
            snapshot::append(bytes, &(fields, &*self.random.get(lane)));
        }
    }

    unsafe fn load(&self, lane: usize, bytes: &[u8]) -> Result<()> {
        let (fields, random) = snapshot::parse::<(Vec<u64>, Generator)>(bytes)?;
        if fields.len() != K::FIELDS {
            return Err(snapshot::refused("it has another number of fields"));
        }
        // SAFETY: the lane is the caller's.
        unsafe {
            for (field, bits) in self.fields.iter().zip(fields) {
                *field.get(lane) = f64::from_bits(bits);
            }
            *self.random.get(lane) = random;
        }
        Ok(())
    }

    fn rendering(&self) -> Rendering {
        self.kernel.rendering()
    }

    unsafe fn draw(&self, lane: usize) -> Picture {
        // SAFETY: the lane is the caller's.
        let fields = unsafe { self.fields_of(lane) }.map(|[field]| field);
        self.kernel.draw(&fields[..K::FIELDS])
    }

    unsafe fn text(&self, _lane: usize) -> String {
        String::new() // kernels have none
    }
}
