//! What lanes are asked, and what they answer.

use crate::contract::env::Ended;
use crate::contract::fault::{Fault, Message};
use crate::contract::options::ResetOptions;
use crate::contract::row::{Action, ActionColumn};
use crate::play::episodes::Due;

/// What a lane is asked.
#[derive(Debug, Clone, Copy)]
pub enum Asked<'a> {
    /// A step of the episode that is running.
    Step {
        /// Checked already.
        action: Action<'a>,
        /// The time limit is reached by this step: the episode ends with it, whatever the environment says.
        cut: bool,
        /// If the episode ends, the next one is to begin in the same answer.
        anew: bool,
    },
    /// A reset that somebody asked for, or the first one.
    Reset {
        /// As it was given, if it was.
        seed: Option<u64>,
        /// Likewise.
        options: &'a ResetOptions,
    },
    /// The episode after one that ended, which nobody asked for.
    Next {
        /// How that one ended.
        ended: Ended,
    },
    /// Anything else, which the engine does not understand. The answer is a [`Answer::Value`].
    Call(&'a Message),
    /// The environment's state, as an [`Answer::Value`].
    Save,
    /// To put the environment into a state that it saved, or that another one did. The answer is an empty [`Answer::Value`].
    Load(&'a [u8]),
}

impl<'a> Asked<'a> {
    /// The step of item `item` of a request, of which `due` is due.
    #[inline]
    pub(crate) fn of_step(actions: &'a [ActionColumn], item: usize, due: Due, anew: bool) -> Self {
        match due {
            Due::NextEpisode(ended) => Self::Next { ended },
            due => Self::Step { action: Action::new(actions, item), cut: matches!(due, Due::Step { cut: true, .. }), anew },
        }
    }
}

/// What a lane answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// To a step or reset; observation, infos and rewards are in the row.
    Row(Answered),
    /// To anything else.
    Value(Message),
    /// That it could not.
    Failed(Fault),
}

/// What a step or reset made of an environment, beside what is in the row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answered {
    /// The episode ended by the environment's own rules.
    pub terminated: bool,
    /// The environment cut it short itself. The pool's time limit is the engine's to add.
    pub truncated: bool,
    /// The next episode has begun: the row shows its first observation, and the last one of the old episode in columns of its own.
    pub ended_anew: bool,
    /// Steps that count as elapsed at the beginning of an episode: 0 unless it is a part of something longer.
    pub elapsed: i32,
    /// Steps that have elapsed in the row's episode, where somebody else counts them.
    pub counted: Option<i32>,
    /// Return, length and seconds of the episode that ended with the row (zeros where none did), where somebody else keeps them.
    pub statistics: Option<(f64, i64, f64)>,
    /// Nothing that follows counts, although the episode may go on.
    pub zero_discount: bool,
    /// What else there is to tell, as bytes that come with the batch.
    pub message: Option<Message>,
}
