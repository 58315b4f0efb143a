//! Losses of what plays lanes outside of the engine: noticed, told of, made good.

use crate::contract::error::Result;
use crate::contract::fault::Fault;
use crate::outside::exchange::{Answer, Asked};
use crate::outside::row_out::RowOut;
use crate::outside::traits::{Death, finished};
use crate::pool::flight::{Books, Flight};
use crate::pool::losses::Fate;
use crate::pool::revivals::Todo;
use crate::pool::shared::Shared;
use crate::results::batch::RowPlace;

impl Flight {
    /// Notices the loss of places.
    pub fn take_losses(&self, shared: &Shared, books: &mut Books) {
        while let Some(death) = self.outside.look_around() {
            self.take_loss(shared, books, death);
        }
    }

    /// Brings a place back, or gives it up.
    fn take_loss(&self, shared: &Shared, books: &mut Books, mut death: Death) {
        let fate = books.revivals.as_mut().map(|revivals| revivals.note_loss(death.place, &death.lanes));
        let given_up = match fate {
            None => true,
            Some(Fate::GivenUp(in_a_row)) => {
                if let Fault::Lost { deaths, .. } = &mut death.fault {
                    *deaths = in_a_row;
                }
                true
            }
            Some(Fate::Renewed) => match self.outside.renew(death.place) {
                Ok(()) => false,
                Err(fault) => {
                    death.fault = fault;
                    true
                }
            },
        };
        match given_up {
            true => self.bury(books, &death),
            false => self.begin_again(shared, books, &death),
        }
    }

    /// Has requests that were lost answered by the loss, and refuses all later ones.
    fn bury(&self, books: &mut Books, death: &Death) {
        for lane in &death.lost {
            self.answer_with(books, *lane, &death.fault);
        }
        books.deaths += 1;
        for lane in &death.lanes {
            books.lanes[*lane as usize].dead = Some(Box::new(death.fault.clone()));
        }
    }

    /// Gives a lane that was asked something a failure for its answer.
    fn answer_with(&self, books: &mut Books, lane: u32, fault: &Fault) {
        let book = &mut books.lanes[lane as usize];
        if book.asked.is_some() && !book.is_answered() {
            book.fault = Some(Box::new(fault.clone()));
            books.faults += 1;
            if let Some(revivals) = &mut books.revivals {
                revivals.drop_prelude(lane as usize);
            }
            if self.ring.is_some() && !books.abandoned.contains(&lane) {
                books.answered.push(lane);
            }
        }
    }

    /// Asks lanes of a place that is back for what the old one still owed.
    fn begin_again(&self, shared: &Shared, books: &mut Books, death: &Death) {
        let mut begun = Vec::new();
        for lane in &death.lanes {
            let Some(revivals) = &mut books.revivals else { return };
            let is_asked = books.lanes[*lane as usize].asked.is_some() && !books.lanes[*lane as usize].is_answered();
            if !is_asked || !death.lost.contains(lane) {
                continue; // what it is asked next deals with it
            }
            match revivals.again(*lane as usize) {
                true => begun.push(*lane),
                false => self.answer_with(books, *lane, &death.fault),
            }
        }
        self.go_on(shared, books, &begun);
    }

    /// Begins what is next for lanes: the first of their preludes, or what they were asked.
    pub fn go_on(&self, shared: &Shared, books: &mut Books, lanes: &[u32]) {
        let mut begun = Vec::with_capacity(lanes.len());
        for lane in lanes {
            match self.begin_next(shared, books, *lane as usize) {
                Ok(()) => begun.push(*lane),
                Err(error) => self.answer_with(books, *lane, &Fault::raised(error.to_string(), Vec::new())),
            }
        }
        if !begun.is_empty() {
            self.outside.ring(&begun);
        }
    }

    fn begin_next(&self, shared: &Shared, books: &Books, lane: usize) -> Result<()> {
        let Some(revivals) = &books.revivals else { return Ok(()) };
        let turn = revivals.turn(lane).map(Todo::Turn);
        match revivals.first_prelude(lane).or(turn.as_ref()).or(revivals.other(lane)) {
            Some(Todo::Save) => self.outside.begin(lane, Asked::Save),
            Some(Todo::Load(state)) => self.outside.begin(lane, Asked::Load(state.bytes())),
            Some(Todo::Call(payload)) => self.outside.begin(lane, Asked::Call(payload)),
            Some(Todo::Turn(turn)) => match self.asked(shared, &turn.request, turn.index, turn.due, turn.plan) {
                Some(asked) => self.outside.begin(lane, asked),
                None => Ok(()),
            },
            None => Ok(()),
        }
    }

    /// Whether a lane has answered what it was asked. What it had to do before is taken in, and followed by what is next.
    pub fn has_answered(&self, shared: &Shared, books: &mut Books, lane: usize) -> bool {
        loop {
            if books.lanes[lane].is_answered() {
                return true;
            }
            if !self.outside.has_answered(lane) {
                return false;
            }
            let prelude = books.revivals.as_ref().and_then(|revivals| revivals.first_prelude(lane));
            let Some(prelude) = prelude else { return true };
            let is_load = matches!(prelude, Todo::Load(_));
            let Books { rewards, missing, .. } = books;
            let place = RowPlace { pointers: &self.nowhere.pointers, row: 0 };
            let saved = match finished(&*self.outside, lane, &mut RowOut { rewards, place, missing }) {
                Answer::Value(state) => Some(state),
                Answer::Failed(fault) if is_load => {
                    self.answer_with(books, lane as u32, &fault);
                    return true;
                }
                _ => None, // an environment that has no state, or that fails again as it did then
            };
            if let Some(revivals) = &mut books.revivals {
                revivals.finish_prelude(lane, saved);
            }
            self.go_on(shared, books, &[lane as u32]);
        }
    }
}
