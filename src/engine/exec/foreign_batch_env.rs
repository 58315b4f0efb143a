//! [`BatchEnv`] for a [`ForeignEnv`]: blocks of lanes, one call of the environment for each operation of a block.

mod block;
mod resets;
mod rows;

use std::cell::Cell;
use std::ops::Range;

use crate::contract::actions::ActionKey;
use crate::contract::env::Scheduling;
use crate::contract::error::Result;
use crate::contract::foreign::{ForeignEnv, ForeignLanes, LaneSet};
use crate::contract::frame::{Frame, RenderParams, RenderSpec};
use crate::contract::options::ResetOptions;
use crate::contract::space::Dtype;
use crate::contract::spec::EnvSpec;
use crate::contract::state::{read_value, write_value};
use crate::contract::value::Value;
use crate::exec::batch_env::BatchEnv;
use crate::exec::chunk::{Chunk, ChunkGuard};
use crate::exec::create::CreateContext;
use crate::exec::foreign_batch_env::block::{BlockScratch, ForeignBlock};
use crate::exec::lane_options::{EpisodeValues, GroupOptions, LaneOptionTable};
use crate::exec::per_lane::{LaneMut, LanesGuard};
use crate::exec::request_kind::LaneList;
use envpool_rs_numeric::random::Pcg64;

/// Bytes of stack that a step or reset of a shared library may use, because libraries do not state what they need.
const LIBRARY_STACK_BYTES: usize = 3 << 19;

/// Largest number of lanes in one call, so that the states, rows and working memory of a block stay in the first-level cache.
const MAX_BLOCK: usize = 256;

thread_local! {
    static SCRATCH: Cell<Option<Box<BlockScratch>>> = const { Cell::new(None) };
}

/// An output array of the environment.
#[derive(Debug, Clone, Copy)]
pub struct OutputArray {
    /// Element type that the environment writes.
    pub dtype: Dtype,
    /// Number of elements of the array for one lane.
    pub len: usize,
}

impl OutputArray {
    /// Returns the size of one lane's row of the array in bytes.
    pub fn bytes(&self) -> usize {
        self.len * self.dtype.size()
    }
}

/// [`BatchEnv`] implementation for the lanes of a [`ForeignEnv`].
pub struct ForeignBatchEnv {
    pub lanes: Box<dyn ForeignLanes>,
    pub options: LaneOptionTable,
    /// Values of the options that each group of lanes was made with, and the number of the lane after its last one.
    values: Box<[(EpisodeValues, usize)]>,
    /// Number of the environment's first lane in the pool.
    pub first: usize,
    pub players: usize,
    pub truncation_wins: bool,
    /// Output arrays for the leaves of the observation.
    pub leaves: Vec<OutputArray>,
    pub infos: Vec<OutputArray>,
    /// Size in bytes of a lane's row of each action key.
    pub action_bytes: Vec<usize>,
    /// Number of bytes from one lane's row to the next, for each action key. Equal to `action_bytes`, because rows have no gaps.
    pub action_strides: Vec<u64>,
    /// Numbers of all lanes, counted from the environment's first lane.
    numbers: Box<[u32]>,
    /// Maximum number of lanes in one call.
    block: usize,
    scheduling: Scheduling,
    rendering: RenderSpec,
}

impl ForeignBatchEnv {
    /// Creates the lanes `lanes` of a pool, in groups with these options. The lanes must be seeded and reset before their first step.
    ///
    /// # Errors
    /// The environment's error if a state cannot be created; `Interrupted` if the caller's interrupt hook returned true.
    pub fn new(
        env: Box<dyn ForeignEnv>,
        groups: Vec<((GroupOptions, EpisodeValues), usize)>,
        lanes: Range<usize>,
        context: &mut CreateContext<'_>,
    ) -> Result<Self> {
        let (spec, properties, rendering) = (env.spec(), env.properties(), env.render_spec());
        let keys = ActionKey::from_spec(&spec);
        let action_bytes: Vec<_> = keys.iter().map(|key| key.values_per_row() * if key.is_f64 { 8 } else { 4 }).collect();
        let together = match properties.scheduling {
            Scheduling::Uniform => MAX_BLOCK,
            Scheduling::OneByOne => 1,
            Scheduling::Batched(lanes) => lanes.max(1),
        };
        let interrupts = &mut context.interrupts;
        let mut end = lanes.start;
        let group = |((options, values), count): ((GroupOptions, EpisodeValues), usize)| {
            end += count;
            ((options, count), (values, end))
        };
        let (options, values): (Vec<_>, Vec<_>) = groups.into_iter().map(group).unzip();
        let made = Self {
            options: LaneOptionTable::new(options, lanes.clone()),
            values: values.into(),
            first: lanes.start,
            players: spec.players,
            truncation_wins: properties.truncation_wins,
            leaves: leaves_of(&spec),
            infos: spec.info.iter().map(|info| OutputArray { dtype: info.dtype, len: info.shape.iter().product() }).collect(),
            action_strides: action_bytes.iter().map(|bytes| *bytes as u64).collect(),
            action_bytes,
            numbers: (0..lanes.len() as u32).collect(),
            block: together.min(properties.max_lanes).max(1),
            scheduling: properties.scheduling,
            rendering,
            lanes: env.create_lanes(lanes.clone(), &mut || interrupts.check())?,
        };
        let all = LaneList::All(lanes.end);
        // SAFETY: no other reference to the lanes exists yet.
        let mut guard = unsafe { LanesGuard::new(&all, lanes.clone()) };
        lanes.for_each(|lane| made.show_options(guard.lane(lane)));
        Ok(made)
    }

    /// Returns the values of the options that a lane's group was made with.
    fn values_of(&self, lane: usize) -> &EpisodeValues {
        &self.values[self.values.partition_point(|(_, end)| *end <= lane)].0
    }

    /// Passes the values of the options of a lane's current episode to the environment.
    fn show_options(&self, mut lane: LaneMut<'_>) {
        let number = lane.number();
        let own = self.options.own(lane.reborrow());
        let values = own.as_ref().map_or(self.values_of(number), |own| own.lane.env(self.values_of(number)));
        // SAFETY: the `LaneMut` is the only access to the lane, and is held until the end of the call.
        let single = unsafe { LaneSet::new(self.number_of(&number), true) };
        self.lanes.set_options(&single, &values.0);
    }

    /// Returns the number of a lane of the pool, counted from the environment's first lane.
    fn number_of(&self, lane: &usize) -> &[u32] {
        let number = lane - self.first;
        &self.numbers[number..=number]
    }

    /// Starts an episode of a lane with its options and the values `given` for this episode alone.
    pub fn begin_episode(&self, mut lane: LaneMut<'_>, given: &[(String, Value)]) {
        let number = lane.number();
        // SAFETY: the `LaneMut` is the only access to the lane, and is held until the end of the call.
        let single = unsafe { LaneSet::new(self.number_of(&number), true) };
        let Some(mut own) = self.options.own(lane.reborrow()) else { return };
        self.lanes.draw_options(&single, &mut |random| {
            own.begin(given, &mut |distribution| distribution.draw(random)).unwrap_or_else(|error| error.raise());
            self.lanes.set_options(&single, &own.lane.env(self.values_of(number)).0);
        });
    }

    /// Calls `act` with a lane set that contains a single lane.
    fn with_lane<T>(&self, lane: LaneMut<'_>, act: impl FnOnce(&LaneSet<'_>) -> T) -> T {
        // SAFETY: the `LaneMut` is the only access to the lane, and is held until the end of the call.
        act(&unsafe { LaneSet::new(self.number_of(&lane.number()), true) })
    }
}

/// Returns the arrays of the observation, with the rows of all players.
fn leaves_of(spec: &EnvSpec) -> Vec<OutputArray> {
    let array = |space: &crate::contract::space::Space| OutputArray { dtype: space.dtype(), len: space.size() * spec.rows() };
    spec.observation.leaves().iter().map(|leaf| array(leaf.space)).collect()
}

impl BatchEnv for ForeignBatchEnv {
    fn run(&self, chunk: &Chunk<'_>, guard: &mut ChunkGuard<'_>) {
        let mut scratch = SCRATCH.take().unwrap_or_default();
        let mut gathered = std::mem::take(&mut scratch.numbers);
        while chunk.progress.get() < chunk.end {
            let items = chunk.progress.get()..chunk.end.min(chunk.progress.get() + self.block);
            chunk.span.set(items.len());
            let is_consecutive = chunk.lanes.is_span(items.clone());
            let numbers = if is_consecutive {
                &self.numbers[chunk.lanes.get(items.start) - self.first..][..items.len()]
            } else {
                gathered.clear();
                gathered.extend(items.clone().map(|item| (chunk.lanes.get(item) - self.first) as u32));
                &gathered
            };
            let end = items.end;
            ForeignBlock { env: self, chunk, items, numbers, is_consecutive }.run(guard, &mut scratch);
            chunk.progress.set(end);
        }
        chunk.span.set(1);
        scratch.numbers = gathered;
        SCRATCH.set(Some(scratch));
    }

    fn stack_bytes(&self) -> usize {
        LIBRARY_STACK_BYTES
    }

    fn scheduling(&self) -> Scheduling {
        self.scheduling
    }

    fn reset_options(&self) -> &[&'static str] {
        self.lanes.reset_options()
    }

    fn check_reset(&self, options: &ResetOptions, _lanes: &[usize]) -> Result<()> {
        self.lanes.check_reset(options)
    }

    fn seed(&self, lane: LaneMut<'_>, seed: u64) {
        self.with_lane(lane, |lane| self.lanes.seed(lane, seed));
    }

    fn pcg64(&self, lane: LaneMut<'_>) -> Option<Pcg64> {
        self.with_lane(lane, |lane| self.lanes.pcg64(lane))
    }

    fn save(&self, mut lane: LaneMut<'_>, bytes: &mut Vec<u8>) -> Result<()> {
        let own = self.options.own(lane.reborrow());
        write_value(bytes, &own.map(|own| own.group.saved(own.lane)))?;
        self.with_lane(lane, |lane| self.lanes.save(lane, bytes))
    }

    fn load(&self, mut lane: LaneMut<'_>, mut bytes: &[u8]) -> Result<()> {
        let loaded = self.options.load(lane.reborrow(), |lane, group| {
            let restored = group.restore(read_value(&mut bytes)?)?;
            let values = restored.as_ref().map_or(self.values_of(lane.number()), |own| own.env(self.values_of(lane.number())));
            self.with_lane(lane, |lane| {
                self.lanes.set_options(lane, &values.0); // the environment checks the state with its options
                self.lanes.load(lane, bytes)
            })?;
            Ok(restored)
        });
        self.show_options(lane);
        loaded
    }

    fn lane_options(&self, _lane: usize) -> &LaneOptionTable {
        &self.options
    }

    fn loaded_bytes(&self, len: usize) -> usize {
        len.saturating_mul(3) // copies of a library's bytes
    }

    fn render_spec(&self) -> RenderSpec {
        self.rendering
    }

    fn render_view(&self, lane: LaneMut<'_>, _view: &RenderParams) -> Result<Frame> {
        self.with_lane(lane, |lane| self.lanes.render_frame(lane))
    }

    fn render_text(&self, lane: LaneMut<'_>) -> String {
        self.with_lane(lane, |lane| self.lanes.render_text(lane)).unwrap_or_else(|error| error.raise())
    }
}
