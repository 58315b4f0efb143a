//! Which environments a pool holds: groups of it that are alike.

use super::{EnvSpec, Error, Options, Rendering, Result, Space, Task};

/// Consecutive environments of a pool with the same task, options and time limit.
#[derive(Clone)]
pub struct Group<'a> {
    /// What they play.
    pub task: &'a Task,
    /// All of the task's options.
    pub options: Options,
    /// Steps after which their episodes are truncated.
    pub max_episode_steps: Option<u32>,
    /// How many they are, one or more.
    pub num_envs: usize,
}

impl Group<'_> {
    /// What snapshots are of: the task and its options, spelled out, but for those that are places.
    pub(super) fn describe(&self) -> String {
        let is_place = |name: &str| self.task.options.iter().any(|option| option.name == name && option.is_place);
        let kept = self.options.iter().filter(|(name, _)| !is_place(name));
        let values: Vec<_> = kept.map(|(name, value)| format!("{name}={value}")).collect();
        format!("{}({})", self.task.id, values.join(", "))
    }
}

/// The specification that environments of these groups share, and what all of them can show.
///
/// # Errors
/// `Value`, `Type` where a task refuses its options; `Value` where two groups differ in spaces, players or infos, naming an
/// environment of each.
pub fn common_spec(groups: &[Group<'_>]) -> Result<(EnvSpec, Rendering)> {
    let describe =
        |group: &Group<'_>| group.task.blueprint(&group.options).map(|blueprint| (blueprint.spec(), blueprint.rendering()));
    let Some(first) = groups.first() else { return Err(Error::value("num_envs", 0, "1 or more")) };
    let (common, rendering) = describe(first)?;
    let mut renderings = vec![rendering];
    let mut lane = first.num_envs;
    for group in &groups[1..] {
        let (own, rendering) = describe(group)?;
        renderings.push(rendering);
        if let Some((what, ours, theirs)) = difference(&common, &own) {
            let (one, other) = (first.task.id, group.task.id);
            return Err(Error::Value(format!(
                "environments 0 ({one}) and {lane} ({other}) cannot share a pool: the {what} of the one is {ours}, of the other {theirs}"
            )));
        }
        lane += group.num_envs;
    }
    Ok((common, Rendering::common(renderings.into_iter())))
}

/// The first thing in which two specifications differ, and what it is in each.
fn difference(one: &EnvSpec, other: &EnvSpec) -> Option<(&'static str, String, String)> {
    let keys = |spec: &EnvSpec| format!("{:?}", spec.info.iter().map(|info| info.key).collect::<Vec<_>>());
    let space = |space: &Option<Space>| space.as_ref().map_or_else(|| "the same".to_owned(), Space::to_string);
    if one.observation != other.observation {
        Some(("observation space", one.observation.to_string(), other.observation.to_string()))
    } else if one.action != other.action {
        Some(("action space", one.action.to_string(), other.action.to_string()))
    } else if one.envpool_observation != other.envpool_observation {
        Some(("observation space of EnvPool", space(&one.envpool_observation), space(&other.envpool_observation)))
    } else if (one.players, one.shared_spaces) != (other.players, other.shared_spaces) {
        Some(("number of players", one.players.to_string(), other.players.to_string()))
    } else if one.info != other.info {
        Some(("list of infos", keys(one), keys(other)))
    } else {
        None
    }
}
