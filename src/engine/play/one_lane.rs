//! A lane's turn: what is due is played, and its row is written.

use crate::engine::contract::env::{Ended, Env};
use crate::engine::contract::options::ResetOptions;
use crate::engine::play::episodes::{Due, Played};
use crate::engine::play::work::{Kind, Work};
use crate::engine::results::batch::{RowPlace, Transition};
use crate::random::RandomStream;

/// One lane of an environment, in the hands of whoever plays it.
pub struct OneLane<'a, E: Env> {
    pub env: &'a E,
    pub lane: usize,
    pub state: &'a mut E::State,
    pub random: &'a mut E::Random,
}

impl<E: Env> OneLane<'_, E> {
    /// Plays item `index` of `work`, which is this lane's, and writes its row.
    ///
    /// # Safety
    /// The lane and the chunk's rows must belong to the caller alone.
    #[inline(always)]
    pub unsafe fn take_turn(&mut self, work: &Work<'_>, index: usize, rewards: &mut [f64]) {
        rewards.fill(0.0);
        // SAFETY: lane and rows are the caller's.
        unsafe {
            let due = work.episodes().before(work.kind, index, self.lane);
            let played = self.play(work, index, due, rewards);
            let transition = work.episodes().after(self.lane, due, played);
            self.write(work, index, transition, rewards);
        }
    }

    /// Lets the environment do what is due.
    #[inline(always)]
    fn play(&mut self, work: &Work<'_>, index: usize, due: Due, rewards: &mut [f64]) -> Played {
        match due {
            Due::Step { cut } => {
                let over = self.env.step(self.state, &work.action(index), rewards, self.random);
                self.stepped(over, cut)
            }
            Due::Show => Played::default(),
            Due::Reset => {
                self.reset(work.kind, index);
                Played::default()
            }
            Due::NextEpisode(ended) => Played { elapsed: self.next_episode(ended), ..Played::default() },
        }
    }

    /// What a step was that is `over` by the environment's rules.
    #[inline(always)]
    fn stepped(&self, over: bool, cut: bool) -> Played {
        let truncated = self.env.is_truncated(self.state);
        let terminated = over && !(E::LIMIT_FIRST && (cut || truncated));
        Played { terminated, truncated, zero_discount: self.env.discounts_all(self.state), elapsed: 0 }
    }

    /// Resets the environment, with the seed and the options that were given for item `index`.
    #[inline]
    fn reset(&mut self, kind: &Kind, index: usize) {
        match kind {
            Kind::Step => self.env.reset(self.state, &ResetOptions::default(), self.random),
            Kind::Reset { seeds, options, .. } => {
                if let Some(Some(seed)) = seeds.get(index) {
                    *self.random = E::Random::from_seed(*seed);
                }
                self.env.reset(self.state, options, self.random);
            }
        }
    }

    #[inline]
    fn next_episode(&mut self, ended: Ended) -> i32 {
        self.env.next_episode(self.state, ended, self.random)
    }

    /// Writes the row of item `index`; where its episode ended and the mode says so, the next one has begun in it.
    ///
    /// # Safety
    /// The lane and the chunk's rows must belong to the caller alone.
    #[inline(always)]
    pub unsafe fn write(&mut self, work: &Work<'_>, index: usize, transition: Transition, rewards: &[f64]) {
        let place = work.place(index);
        let RowPlace { pointers, row } = place;
        // SAFETY: lane and row are the caller's.
        unsafe {
            if work.episodes().begins_anew(&transition) {
                self.begin_anew(work, &place);
            }
            self.env.observe(self.state, &mut pointers.observation(row));
            pointers.write_row(row, transition, rewards);
            self.write_supplement(work, &place, &transition, rewards[0]);
        }
    }

    /// Writes infos and episode statistics.
    ///
    /// # Safety
    /// The lane and the row must belong to the caller alone.
    #[inline(always)]
    pub unsafe fn write_supplement(&self, work: &Work<'_>, place: &RowPlace<'_>, transition: &Transition, reward: f64) {
        // SAFETY: lane and row are the caller's.
        unsafe {
            self.env.info(self.state, &mut place.pointers.info(place.row));
            work.episodes().record(place, transition, reward, || work.now());
        }
    }

    /// Writes the ended episode's last observation and infos, and begins the next episode.
    ///
    /// # Safety
    /// The lane and the row must belong to the caller alone.
    #[cold]
    unsafe fn begin_anew(&mut self, work: &Work<'_>, place: &RowPlace<'_>) {
        // SAFETY: lane and row are the caller's.
        unsafe {
            self.env.observe(self.state, &mut place.pointers.final_observation(place.row));
            self.env.info(self.state, &mut place.pointers.final_info(place.row));
            let elapsed = self.next_episode(work.episodes().ended(self.lane));
            work.episodes().begin(self.lane, elapsed);
        }
    }
}
