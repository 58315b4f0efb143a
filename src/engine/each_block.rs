//! [`BatchEnv`] for a [`Kernel`]: blocks of lanes side by side in vector registers.
//!
//! A block steps all its lanes, also those that are due for a reset (their garbage is replaced afterwards): branches inside
//! the arithmetic would cost more than they save. Lanes that are left over form smaller blocks, down to one lane.

use std::time::Instant;

use super::batch::{Outcome, Pointers};
use super::batch_env::BatchEnv;
use super::dispatch::Vectors;
use super::env::{Kernel, KernelAction, MAX_FIELDS};
use super::lanes::{Lanes, Phase};
use super::snapshot;
use super::work::{AutoresetMode, Kind, LaneList, Slot, Work};
use super::{ResetOptions, Result};
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

/// A block's worth of everything, gathered from its lanes.
struct Block<const W: usize, A> {
    lanes: [usize; W],
    fields: [[f64; W]; MAX_FIELDS],
    actions: [A; W],
    reward: [f64; W],
    terminated: [bool; W],
    truncated: [bool; W],
    elapsed: [i32; W],
    /// Lanes that were reset in place of a step.
    first: [bool; W],
    /// Lanes that did anything at all.
    moved: [bool; W],
}

impl<K: Kernel> EachBlock<K> {
    /// `lanes` lanes of `kernel`, each to be seeded and reset before its first step.
    pub fn new(kernel: K, lanes: usize) -> Self {
        assert!(K::FIELDS <= MAX_FIELDS && K::OBSERVATION <= MAX_FIELDS, "a kernel of more than {MAX_FIELDS} fields");
        Self {
            fields: (0..K::FIELDS).map(|_| Lanes::new(lanes, |_| 0.0)).collect(),
            random: Lanes::new(lanes, |_| Generator::from_seed(0)),
            no_options: ResetOptions::default(),
            infos: kernel.spec().info.len(),
            vectors: Vectors::detect(),
            kernel,
        }
    }

    /// Resets the lane of item `index` into `fields`.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    unsafe fn reset(&self, work: &Work<'_>, index: usize, lane: usize, fields: &mut [f64]) {
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
        self.kernel.reset(fields, options, random);
    }

    /// Resets lane number `i` of a block.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    #[cold]
    #[inline(never)]
    unsafe fn reset_in<const W: usize>(&self, work: &Work<'_>, index: usize, block: &mut Block<W, K::Action>, i: usize) {
        let mut fields = [0.0; MAX_FIELDS];
        // SAFETY: the lane is the caller's.
        unsafe { self.reset(work, index + i, block.lanes[i], &mut fields[..K::FIELDS]) };
        for (column, field) in block.fields.iter_mut().zip(fields) {
            column[i] = field;
        }
        block.elapsed[i] = 0;
    }

    /// Gathers the lanes of items `index..index + W`.
    ///
    /// # Safety
    /// The lanes must belong to the caller alone.
    #[inline(always)]
    unsafe fn gather<const W: usize>(&self, work: &Work<'_>, index: usize) -> Block<W, K::Action> {
        let lanes = std::array::from_fn(|i| work.lanes.get(index + i));
        let mut fields = [[0.0; W]; MAX_FIELDS];
        for (column, lanes_of_field) in fields.iter_mut().zip(&self.fields) {
            // SAFETY: the lanes are the caller's.
            *column = unsafe { load(lanes_of_field, work.lanes, &lanes) };
        }
        let actions = match work.actions.first() {
            Some(column) if matches!(work.kind, Kind::Step) => {
                *K::Action::column(column)[index..index + W].as_array().expect("W elements")
            }
            _ => [K::Action::default(); W],
        };
        // SAFETY: the lanes are the caller's.
        let elapsed = unsafe { load(&work.table.elapsed, work.lanes, &lanes) };
        Block {
            lanes,
            fields,
            actions,
            reward: [0.0; W],
            terminated: [false; W],
            truncated: [false; W],
            elapsed,
            first: [false; W],
            moved: [true; W],
        }
    }

    /// Steps all lanes of a block, and resets those that are due.
    ///
    /// # Safety
    /// The lanes must belong to the caller alone.
    #[inline(always)]
    unsafe fn advance<const W: usize>(&self, work: &Work<'_>, index: usize, block: &mut Block<W, K::Action>) {
        let limit = work.rules.max_episode_steps;
        if matches!(work.kind, Kind::Step) {
            let fields = &mut block.fields[..K::FIELDS];
            self.kernel.step(fields, &block.actions, &mut block.reward, &mut block.terminated);
        }
        for i in 0..W {
            block.elapsed[i] = block.elapsed[i].saturating_add(1);
            block.truncated[i] = block.elapsed[i] >= limit;
        }
        // SAFETY: the lanes are the caller's.
        let phases: [Phase; W] = unsafe { load(&work.table.phase, work.lanes, &block.lanes) };
        let mut any = false;
        for i in 0..W {
            block.first[i] = work.resets(phases[i]);
            any |= block.first[i];
        }
        if any {
            for i in 0..W {
                if work.only_shows(index + i) {
                    block.elapsed[i] -= 1;
                    (block.first[i], block.moved[i], block.truncated[i]) = (false, false, phases[i] == Phase::Finished);
                } else if block.first[i] {
                    // SAFETY: the lanes are the caller's.
                    unsafe { self.reset_in(work, index, block, i) };
                    (block.reward[i], block.terminated[i], block.truncated[i]) = (0.0, false, false);
                }
            }
        }
    }

    /// Puts a block's lanes back.
    ///
    /// # Safety
    /// The lanes must belong to the caller alone.
    #[inline(always)]
    unsafe fn scatter<const W: usize>(&self, work: &Work<'_>, block: &Block<W, K::Action>) {
        let running_on = work.rules.autoreset == AutoresetMode::SameStep;
        let phases = std::array::from_fn(|i| {
            if (block.terminated[i] | block.truncated[i]) & !running_on { Phase::Finished } else { Phase::Running }
        });
        // SAFETY: the lanes are the caller's.
        unsafe {
            for (lanes_of_field, column) in self.fields.iter().zip(&block.fields) {
                store(lanes_of_field, work.lanes, &block.lanes, column);
            }
            store(&work.table.elapsed, work.lanes, &block.lanes, &block.elapsed);
            store(&work.table.phase, work.lanes, &block.lanes, &phases);
        }
    }

    /// Plays items `index..index + W` and writes their rows.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    #[inline(always)]
    unsafe fn play<const W: usize>(&self, work: &Work<'_>, index: usize) {
        let claim = work.claim();
        let offset = index - work.start;
        // SAFETY: lanes and rows are the caller's.
        unsafe {
            let mut block = self.gather::<W>(work, index);
            self.advance(work, index, &mut block);
            let elapsed = block.elapsed;
            if work.rules.autoreset == AutoresetMode::SameStep {
                self.finish(work, index, &mut block);
            }
            let mut observation = [[0.0; W]; MAX_FIELDS];
            self.kernel.observe(&block.fields[..K::FIELDS], &mut observation[..K::OBSERVATION]);
            match claim.run(offset, W) {
                Some(slot) => self.write_run(&slot, &block, &elapsed, &observation),
                None => self.write_scattered(work, index, &block, &elapsed, &observation),
            }
            if self.infos > 0 || work.table.episode.is_some() {
                self.write_extras(work, index, &block, &elapsed, work.now());
            }
            self.scatter(work, &block);
        }
    }

    /// Writes the rows of a block that lie one after the other.
    ///
    /// # Safety
    /// The rows from `slot` on must belong to the caller alone.
    #[inline(always)]
    unsafe fn write_run<const W: usize>(
        &self,
        slot: &Slot<'_>,
        block: &Block<W, K::Action>,
        elapsed: &[i32; W],
        observation: &[[f32; W]; MAX_FIELDS],
    ) {
        let Slot { pointers, row } = *slot;
        // SAFETY: the rows are the caller's.
        unsafe {
            let out = pointers.leaves[0].data.cast::<f32>().add(row * K::OBSERVATION);
            for i in 0..W {
                for (k, column) in observation.iter().enumerate().take(K::OBSERVATION) {
                    out.add(i * K::OBSERVATION + k).write(column[i]);
                }
            }
            pointers.write_block(row, block, elapsed);
        }
    }

    /// Writes the rows of a block one by one.
    ///
    /// # Safety
    /// The chunk's rows must belong to the caller alone.
    #[cold]
    unsafe fn write_scattered<const W: usize>(
        &self,
        work: &Work<'_>,
        index: usize,
        block: &Block<W, K::Action>,
        elapsed: &[i32; W],
        observation: &[[f32; W]; MAX_FIELDS],
    ) {
        for i in 0..W {
            let slot = work.slot(index + i);
            let row: [f32; MAX_FIELDS] = std::array::from_fn(|k| observation[k][i]);
            // SAFETY: the rows are the caller's.
            unsafe {
                slot.pointers.observation(slot.row).write(0, &row[..K::OBSERVATION]);
                slot.pointers.write_row(slot.row, block.outcome(i, elapsed), &[block.reward[i]]);
            }
        }
    }

    /// Writes infos and episode statistics.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    #[cold]
    unsafe fn write_extras<const W: usize>(
        &self,
        work: &Work<'_>,
        index: usize,
        block: &Block<W, K::Action>,
        elapsed: &[i32; W],
        now: Option<Instant>,
    ) {
        for i in 0..W {
            let slot = work.slot(index + i);
            // SAFETY: lanes and rows are the caller's.
            unsafe {
                self.write_infos(&block.lane_fields(i), &mut slot.pointers.info(slot.row));
                if let Some(now) = now.filter(|_| block.moved[i]) {
                    work.episode(block.lanes[i], &slot, block.outcome(i, elapsed), block.reward[i], now);
                }
            }
        }
    }

    fn write_infos(&self, fields: &[f64; MAX_FIELDS], row: &mut super::Row<'_>) {
        for info in 0..self.infos {
            self.kernel.info(info, &fields[..K::FIELDS], row);
        }
    }

    /// Writes the last observation and info of episodes that just ended, and begins the next ones.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    #[inline(always)]
    unsafe fn finish<const W: usize>(&self, work: &Work<'_>, index: usize, block: &mut Block<W, K::Action>) {
        for i in 0..W {
            if block.terminated[i] || block.truncated[i] {
                let fields = block.lane_fields(i);
                let columns = fields.map(|field| [field]);
                let mut observation = [[0.0]; MAX_FIELDS];
                self.kernel.observe::<1>(&columns[..K::FIELDS], &mut observation[..K::OBSERVATION]);
                let slot = work.slot(index + i);
                // SAFETY: lanes and rows are the caller's.
                unsafe {
                    slot.pointers.final_observation(slot.row).write(0, &observation.map(|[x]| x)[..K::OBSERVATION]);
                    self.write_infos(&fields, &mut slot.pointers.final_info(slot.row));
                    self.reset_in(work, index, block, i);
                }
            }
        }
    }

    /// Plays all items from `progress` on, in blocks of 16, 8 and 1.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    #[inline(always)]
    unsafe fn play_blocks(&self, work: &Work<'_>) {
        // SAFETY: passed on to the caller.
        unsafe {
            while work.progress.get() + WIDE <= work.end {
                work.span.set(WIDE);
                self.play::<WIDE>(work, work.progress.get());
                work.progress.set(work.progress.get() + WIDE);
            }
            while work.progress.get() + NARROW <= work.end {
                work.span.set(NARROW);
                self.play::<NARROW>(work, work.progress.get());
                work.progress.set(work.progress.get() + NARROW);
            }
            self.play_lanes(work);
        }
    }

    /// Plays all items from `progress` on, one by one.
    ///
    /// # Safety
    /// The lanes and the chunk's rows must belong to the caller alone.
    unsafe fn play_lanes(&self, work: &Work<'_>) {
        work.span.set(1);
        while work.progress.get() < work.end {
            // SAFETY: passed on to the caller.
            unsafe { self.play::<1>(work, work.progress.get()) };
            work.progress.set(work.progress.get() + 1);
        }
    }

    /// # Safety
    /// As `play_blocks`, on a processor that has these instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
    unsafe fn play_avx512(&self, work: &Work<'_>) {
        // SAFETY: passed on to the caller.
        unsafe { self.play_blocks(work) }
    }

    /// # Safety
    /// As `play_blocks`, on a processor that has these instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn play_avx2(&self, work: &Work<'_>) {
        // SAFETY: passed on to the caller.
        unsafe { self.play_blocks(work) }
    }
}

impl<const W: usize, A> Block<W, A> {
    fn outcome(&self, i: usize, elapsed: &[i32; W]) -> Outcome {
        Outcome {
            lane: self.lanes[i] as u32,
            elapsed: elapsed[i],
            terminated: self.terminated[i],
            truncated: self.truncated[i],
            first: self.first[i],
            moved: self.moved[i],
        }
    }

    fn lane_fields(&self, i: usize) -> [f64; MAX_FIELDS] {
        std::array::from_fn(|k| self.fields[k][i])
    }
}

impl Pointers {
    /// Writes the engine's columns of `W` rows.
    ///
    /// # Safety
    /// The rows must exist and belong to the caller alone.
    #[inline(always)]
    unsafe fn write_block<const W: usize, A>(&self, row: usize, block: &Block<W, A>, elapsed: &[i32; W]) {
        let done: [bool; W] = std::array::from_fn(|i| block.terminated[i] | block.truncated[i]);
        let ids: [i32; W] = std::array::from_fn(|i| block.lanes[i] as i32);
        // SAFETY: the rows are the caller's; null columns are skipped; `bool` is one byte, 0 or 1.
        unsafe {
            if self.reward_is_f64 {
                write_all(self.reward.cast(), row, block.reward);
            } else {
                write_all(self.reward.cast(), row, block.reward.map(|reward| reward as f32));
            }
            write_all(self.terminated.cast(), row, block.terminated);
            write_all(self.truncated.cast(), row, block.truncated);
            write_all(self.env_id, row, ids);
            write_all(self.player_env_id, row, ids);
            write_all(self.lane.cast(), row, ids);
            write_all(self.elapsed_step, row, *elapsed);
            write_all(self.done.cast(), row, done);
            write_all(self.discount, row, done.map(|done| f32::from(u8::from(!done))));
            if !self.step_type.is_null() {
                let kind = |i: usize| if block.first[i] { 0 } else { 1 + i32::from(done[i]) };
                write_all::<_, W>(self.step_type, row, std::array::from_fn(kind));
            }
        }
    }
}

/// # Safety
/// `column` is null or has `W` elements from `row` on that belong to the caller alone.
#[inline(always)]
unsafe fn write_all<T, const W: usize>(column: *mut T, row: usize, values: [T; W]) {
    if !column.is_null() {
        // SAFETY: promised by the caller.
        unsafe { column.add(row).cast::<[T; W]>().write_unaligned(values) };
    }
}

/// # Safety
/// The lanes must belong to the caller alone.
#[inline(always)]
unsafe fn load<T: Copy, const W: usize>(from: &Lanes<T>, list: &LaneList, lanes: &[usize; W]) -> [T; W] {
    // SAFETY: passed on to the caller.
    unsafe {
        match list {
            LaneList::All(_) => *from.block(lanes[0]),
            LaneList::Some(_) => std::array::from_fn(|i| *from.get(lanes[i])),
        }
    }
}

/// # Safety
/// The lanes must belong to the caller alone.
#[inline(always)]
unsafe fn store<T: Copy, const W: usize>(to: &Lanes<T>, list: &LaneList, lanes: &[usize; W], values: &[T; W]) {
    // SAFETY: passed on to the caller.
    unsafe {
        match list {
            LaneList::All(_) => *to.block(lanes[0]) = *values,
            LaneList::Some(_) => {
                for i in 0..W {
                    *to.get(lanes[i]) = values[i];
                }
            }
        }
    }
}

impl<K: Kernel> BatchEnv for EachBlock<K> {
    unsafe fn run(&self, work: &Work<'_>) {
        // SAFETY: lanes and rows are passed on to the caller; `detect` found the instructions.
        unsafe {
            match self.vectors {
                #[cfg(target_arch = "x86_64")]
                Vectors::Avx512 if work.end - work.start >= NARROW => self.play_avx512(work),
                #[cfg(target_arch = "x86_64")]
                Vectors::Avx2 if work.end - work.start >= NARROW => self.play_avx2(work),
                #[cfg(not(target_arch = "x86_64"))]
                Vectors::Baseline => self.play_blocks(work),
                _ => self.play_lanes(work),
            }
        }
    }

    fn grain(&self) -> usize {
        2 * WIDE
    }

    fn reset_options(&self) -> &'static [&'static str] {
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
}
