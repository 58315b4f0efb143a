//! What a lane that is played outside of the engine is asked, and what its answer makes of it: phase, elapsed steps, statistics.

use std::time::Instant;

use crate::engine::contract::config::AutoresetMode;
use crate::engine::contract::env::Ended;
use crate::engine::contract::options::ResetOptions;
use crate::engine::contract::row::Action;
use crate::engine::outside::traits::{Answered, Asked};
use crate::engine::play::lanes::{Episode, LaneTable, Phase};
use crate::engine::play::work::{Kind, Rules, next_step};
use crate::engine::pool::request::Request;
use crate::engine::results::batch::{Outcome, Slot};

/// What a lane's answer is the answer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// A step; whether the time limit is reached by it.
    Step { cut: bool },
    /// The beginning of an episode.
    Begin,
    /// Neither.
    Other,
}

/// What item `index` of a request asks its lane, which has to be seeded by `first_seed` if it is reset without a seed.
///
/// # Safety
/// The lane must belong to the caller alone.
pub unsafe fn before<'a>(
    request: &'a Request,
    index: usize,
    table: &LaneTable,
    rules: Rules,
    first_seed: Option<u64>,
    no_options: &'a ResetOptions,
) -> (Asked<'a>, Question) {
    let lane = request.lanes.get(index);
    // SAFETY: the lane is the caller's.
    let (phase, elapsed) = unsafe { (*table.phase.get(lane), *table.elapsed.get(lane)) };
    match (&request.kind, phase) {
        (Kind::Reset { seeds, options, .. }, _) => {
            let seed = seeds.get(index).copied().flatten().or(first_seed);
            (Asked::Reset { seed, options }, Question::Begin)
        }
        (Kind::Step, Phase::Running) => {
            let cut = next_step(elapsed) >= rules.max_episode_steps;
            let anew = rules.autoreset == AutoresetMode::SameStep;
            (Asked::Step { action: Action::new(&request.actions, index), cut, anew }, Question::Step { cut })
        }
        (Kind::Step, Phase::Finished) => {
            let ended = Ended { elapsed, at_limit: elapsed >= rules.max_episode_steps };
            (Asked::Next { ended }, Question::Begin)
        }
        (Kind::Step, _) => (Asked::Reset { seed: first_seed, options: no_options }, Question::Begin),
    }
}

/// What an answer to `question` makes of its lane, and what the engine's columns will say of it.
///
/// # Safety
/// The lane must belong to the caller alone.
pub unsafe fn after(table: &LaneTable, lane: usize, question: Question, answered: &Answered) -> Outcome {
    // SAFETY: the lane is the caller's.
    let (phase, elapsed) = unsafe { (table.phase.get(lane), table.elapsed.get(lane)) };
    let Question::Step { cut } = question else {
        (*phase, *elapsed) = (Phase::Running, answered.elapsed.max(0));
        return Outcome::first(lane as u32, *elapsed);
    };
    let truncated = answered.truncated || cut;
    let done = answered.terminated || truncated;
    let steps = next_step(*elapsed);
    (*phase, *elapsed) = match (done, answered.ended_anew) {
        (false, _) => (Phase::Running, steps),
        (true, false) => (Phase::Finished, steps),
        (true, true) => (Phase::Running, answered.elapsed.max(0)),
    };
    Outcome {
        lane: lane as u32,
        elapsed: steps,
        terminated: answered.terminated,
        truncated,
        first: false,
        moved: true,
        discounts_all: answered.discounts_all,
    }
}

/// Brings a lane's episode statistics up to date and writes them.
///
/// # Safety
/// The lane and the slot's row must belong to the caller alone.
pub unsafe fn record(table: &LaneTable, lane: usize, slot: &Slot<'_>, outcome: Outcome, anew: bool, reward: f64) {
    let Some(episodes) = &table.episode else { return };
    let now = Instant::now();
    let fresh = Episode { total: 0.0, length: 0, start: now };
    // SAFETY: the lane is the caller's.
    let episode = unsafe { episodes.get(lane) };
    if outcome.first {
        *episode = fresh;
    } else {
        episode.total += reward;
        episode.length = episode.length.saturating_add(1);
    }
    let (total, length, seconds) = match outcome.terminated || outcome.truncated {
        true => (episode.total, episode.length, now.duration_since(episode.start).as_secs_f64()),
        false => (0.0, 0, 0.0), // statistics are of ended episodes
    };
    // SAFETY: the row is the caller's.
    unsafe { slot.pointers.write_episode(slot.row, total, i64::from(length), seconds) };
    if anew {
        *episode = fresh;
    }
}
