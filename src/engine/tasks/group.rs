//! Groups of identical environments in a pool, and the specification that all groups share.

use crate::contract::asset_cache::AssetCache;
use crate::contract::error::{Error, Result};
use crate::contract::frame::RenderSpec;
use crate::contract::memory::check_fits;
use crate::contract::options::Options;
use crate::contract::space::Space;
use crate::contract::spec::{EnvSpec, OptionDecision};
use crate::tasks::factory::{EnvFactory, load_factory};
use crate::tasks::registry::Task;
use crate::threads::interrupt_poller::Interrupt;
use crate::threads::interrupt_poller::InterruptPoller;

/// Memory in bytes that each group needs in addition to its environments: description, options, and allocator overhead.
const GROUP_BYTES: usize = 512;

/// Number of additional bytes after which the available memory is checked again.
const MEMORY_STEP: u128 = 256 << 20;

/// Group of consecutive environments of a pool with the same task, options and time limit.
#[derive(Clone)]
pub struct Group<'a> {
    /// Task of the environments.
    pub task: &'a Task,
    /// Values of all the task's options.
    pub options: Options,
    /// Number of steps after which episodes of the group are truncated; `None` for no limit.
    pub max_episode_steps: Option<u32>,
    /// Number of environments, one or more.
    pub num_envs: usize,
}

impl Group<'_> {
    /// Returns whether the two groups differ at most in values of options that may change from episode to episode.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let is_fixed = |name: &str| self.task.options.iter().any(|option| option.name == name && !option.per_episode);
        let mut fixed = self.options.iter().filter(|(name, _)| is_fixed(name));
        std::ptr::eq(self.task, other.task)
            && self.max_episode_steps == other.max_episode_steps
            && fixed.all(|(name, value)| other.options.find(name) == Some(value))
    }

    /// Returns the description that snapshots contain: the task, its options except for paths, and its library.
    pub fn describe(&self) -> String {
        let is_path_option = |name: &str| self.task.options.iter().any(|option| option.name == name && option.is_path);
        let other_options = self.options.iter().filter(|(name, _)| !is_path_option(name));
        let values: Vec<_> = other_options.map(|(name, value)| format!("{name}={value}")).collect();
        let library = self.task.library.map_or_else(String::new, |library| format!(" of the library {library}"));
        format!("{}({}){library}", self.task.id, values.join(", "))
    }
}

/// Returns the specification and rendering capabilities that all groups share, and the decided options of each group.
///
/// # Errors
/// `Value` or `Type` if a task rejects its options; `Value` if two groups differ in spaces, players or infos, naming an
/// environment of each; `Memory` if the groups exceed the memory of the machine; `Interrupted`.
pub fn common_spec(groups: &[Group<'_>], interrupt: Interrupt<'_>) -> Result<(EnvSpec, RenderSpec, Vec<Vec<OptionDecision>>)> {
    requirements_of(groups, None, interrupt).map(|needs| (needs.spec, needs.rendering, needs.decided))
}

/// Properties that the groups of a pool share, and their memory use.
pub(crate) struct GroupRequirements {
    pub spec: EnvSpec,
    pub rendering: RenderSpec,
    /// Options decided at load time, for each group.
    pub decided: Vec<Vec<OptionDecision>>,
    /// Factory of the first group. Most pools have only one group.
    pub first: Box<dyn EnvFactory>,
    /// Memory of all environments in bytes, without the pool's own data.
    pub bytes: u128,
}

/// Creates one environment of each group and determines the common specification and the memory use. Only one environment exists
/// at a time, because all of them may exceed the memory of the machine.
///
/// `played` is set if the environments will run: it holds the cache for their assets, and the number of threads with scratch
/// memory.
///
/// # Errors
/// `Value` or `Type` if a task rejects its options; `Value` if two groups differ in spaces, players or infos; `NotFound` or
/// `Value` for a file that cannot be loaded; `Memory` as soon as the sum exceeds the memory of the machine; `Interrupted`.
pub(crate) fn requirements_of(
    groups: &[Group<'_>],
    played: Option<(&AssetCache, usize)>,
    interrupt: Interrupt<'_>,
) -> Result<GroupRequirements> {
    let Some(first) = groups.first() else { return Err(Error::value("num_envs", 0, "1 or more")) };
    let own_store = AssetCache::default();
    let (store, threads) = played.unwrap_or((&own_store, 0));
    let mut interrupts = InterruptPoller::new(interrupt);
    let blueprint = |group: &Group<'_>, interrupts: &mut InterruptPoller<'_>| {
        let blueprint = group.task.factory(&group.options)?;
        let is_loaded = played.is_some() || blueprint.spec_needs_load();
        if is_loaded { load_factory(blueprint, store, interrupts) } else { Ok(blueprint) }
    };
    let example = blueprint(first, &mut interrupts)?;
    let mut common = example.spec();
    let mut decided = vec![std::mem::take(&mut common.option_decisions)];
    let mut renderings = vec![example.render_spec()];
    let (mut lanes_bytes, mut thread_bytes) = (bytes_of(&*example, first.num_envs), example.thread_bytes());
    let (mut lane, mut asked) = (first.num_envs, 0);
    let all_bytes = |lanes: u128, thread: usize| lanes + store.bytes() as u128 + (thread * threads) as u128;
    for group in &groups[1..] {
        interrupts.check()?;
        let blueprint = blueprint(group, &mut interrupts)?;
        renderings.push(blueprint.render_spec());
        let spec = blueprint.spec();
        if let Some((what, ours, theirs)) = difference(&common, &spec) {
            let (one, other) = (first.task.id, group.task.id);
            return Err(Error::Value(format!(
                "environments 0 ({one}) and {lane} ({other}) cannot share a pool: the {what} of the one is {ours}, of the other {theirs}"
            )));
        }
        decided.push(spec.option_decisions);
        lane += group.num_envs;
        lanes_bytes += bytes_of(&*blueprint, group.num_envs);
        thread_bytes = thread_bytes.max(blueprint.thread_bytes());
        let bytes = all_bytes(lanes_bytes, thread_bytes);
        if bytes > asked + MEMORY_STEP {
            check_fits(bytes, &format!("a pool whose first {lane} environments have options of their own"))?;
            asked = bytes;
        }
    }
    let bytes = all_bytes(lanes_bytes, thread_bytes);
    Ok(GroupRequirements { spec: common, rendering: RenderSpec::common(renderings.into_iter()), decided, first: example, bytes })
}

fn bytes_of(blueprint: &dyn EnvFactory, lanes: usize) -> u128 {
    blueprint.lane_bytes() as u128 * lanes as u128 + (blueprint.shared_bytes() + GROUP_BYTES) as u128
}

/// Rejects empty groups, invalid time limits, and groups whose sizes do not add up to `num_envs`.
///
/// # Errors
/// `Value`, naming the field.
pub(crate) fn check_groups(groups: &[Group<'_>], num_envs: usize) -> Result<()> {
    let count = groups.iter().try_fold(0_usize, |count, group| count.checked_add(group.num_envs));
    if count != Some(num_envs) || groups.iter().any(|group| group.num_envs == 0) {
        let count = count.map_or_else(|| format!("more than {}", usize::MAX), |count| count.to_string());
        return Err(Error::value(
            "num_envs",
            num_envs,
            format_args!("the {count} environments of the pool's groups, none of them empty"),
        ));
    }
    match groups.iter().any(|group| group.max_episode_steps == Some(0)) {
        true => Err(Error::value("max_episode_steps", 0, "1 or more, or none")),
        false => Ok(()),
    }
}

/// Returns the first property in which two specifications differ: its name, and its value in each specification.
fn difference(one: &EnvSpec, other: &EnvSpec) -> Option<(&'static str, String, String)> {
    let keys = |spec: &EnvSpec| format!("{:?}", spec.info.iter().map(|info| info.key).collect::<Vec<_>>());
    let space = |space: &Option<Space>| space.as_ref().map_or_else(|| "the same".to_owned(), Space::to_string);
    if one.observation != other.observation {
        Some(("observation space", one.observation.to_string(), other.observation.to_string()))
    } else if one.action != other.action {
        Some(("action space", one.action.to_string(), other.action.to_string()))
    } else if one.envpool_observation != other.envpool_observation {
        Some(("observation space of EnvPool", space(&one.envpool_observation), space(&other.envpool_observation)))
    } else if one.envpool_action != other.envpool_action {
        Some(("action space of EnvPool", space(&one.envpool_action), space(&other.envpool_action)))
    } else if one.envpool_reward != other.envpool_reward {
        Some(("rewards of EnvPool", one.envpool_reward.name().to_owned(), other.envpool_reward.name().to_owned()))
    } else if (one.players, one.shared_spaces) != (other.players, other.shared_spaces) {
        Some(("number of players", one.players.to_string(), other.players.to_string()))
    } else if one.info != other.info {
        Some(("list of infos", keys(one), keys(other)))
    } else {
        None
    }
}
