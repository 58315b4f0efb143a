//! Pools whose lanes are played outside of the engine: requests on their way out, answers on their way in, and nobody's thread held
//! meanwhile.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use crate::contract::config::{AutoresetMode, PoolConfig};
use crate::contract::error::{Error, Result};
use crate::contract::fault::{Failed, Fault, Message};
use crate::contract::form::Form;
use crate::contract::options::ResetOptions;
use crate::outside::exchange::{Answer, Answered, Asked};
use crate::outside::row_out::{RowOut, RowsOut, Taker};
use crate::outside::steps::Steps;
use crate::outside::traits::{Outside, Wanted, finished};
use crate::play::episodes::{Due, Episodes, Played};
use crate::play::kind::{Kind, LaneList};
use crate::play::lanes::Phase;
use crate::pool::on_the_spot::nothing_sent;
use crate::pool::prepared::Prepared;
use crate::pool::receiver::{Receiver, Spares};
use crate::pool::request::Request;
use crate::pool::revivals::{Revivals, Todo};
use crate::pool::shared::{Failure, Shared};
use crate::pool::turn::{Plan, Tells};
use crate::results::batch::{Batch, Pointers, RowPlace, Transition};
use crate::results::layout::Layout;
use crate::results::ring::Ring;
use crate::threads::interrupts::{Interrupt, Interrupts};

/// How often a pool in use looks for places that were lost, at least; while it waits, it does so whenever it asks for interrupts.
const LOOK: Duration = Duration::from_millis(100);
/// The pause between two attempts to lock the books of a pool that is being closed.
const PAUSE: Duration = Duration::from_millis(1);

/// The outside of a pool, and what the pool keeps of it.
pub struct Flight {
    pub(super) outside: Box<dyn Outside>,
    /// Rows of asynchronous results. The receiver is the only writer.
    pub(super) ring: Option<Ring>,
    /// One row, for answers that nobody looks at; for whoever has locked the books.
    pub(super) nowhere: Batch,
    /// Whether states are snapshots of the pool that plays the lanes.
    pub(super) passes_snapshots: bool,
    /// Whether the lanes understand options of a reset, whatever they are.
    pub(super) takes_options: bool,
    no_options: ResetOptions,
    books: Mutex<Books>,
    /// When losses were last looked for.
    looked: Mutex<Instant>,
}

/// What is known of lanes and requests. Locked by whoever sends, takes answers or looks after losses; never while waiting.
pub struct Books {
    pub(super) lanes: Vec<Lane>,
    /// What to seed the first reset of each lane with, until it has been reset.
    first_seeds: Vec<Option<u64>>,
    /// Lanes that have a `fault`.
    pub(super) faults: usize,
    /// Places that were lost for good.
    pub(super) deaths: usize,
    /// What it takes to bring lanes back; absent where they are not.
    pub(super) revivals: Option<Revivals>,
    /// Synchronous requests not yet received, oldest first.
    sent: VecDeque<Sent>,
    /// Rows of the batch that an asynchronous pool is filling, and what was told with them.
    rows: usize,
    messages: Vec<(u32, Message)>,
    restarted: Vec<u32>,
    resumed: Vec<u32>,
    /// Lanes with a call that nobody waits for any more.
    pub(super) abandoned: Vec<u32>,
    /// Lanes that have answered without being asked outside, in an asynchronous pool: their answer is a `fault`, or what they last showed.
    pub(super) answered: Vec<u32>,
    /// Used again and again.
    pub(super) rewards: Vec<f64>,
    pub(super) missing: Vec<u32>,
    found: Vec<u32>,
    /// What was due of each item of the request that is being sent.
    dues: Vec<Due>,
    /// How each is asked; none at all where they are steps, and all asked as ever.
    plans: Vec<Plan>,
    /// All lanes.
    everyone: Vec<u32>,
}

/// What a lane was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// What was due of its episode.
    Turn(Due),
    /// Anything else.
    Other,
}

/// What is known of one lane.
#[derive(Debug, Clone, Default)]
pub struct Lane {
    /// What it was asked, until its answer is taken.
    pub(super) asked: Option<Question>,
    /// Which item of its request that is.
    item: u32,
    /// The answer in place of one that will never come.
    pub(super) fault: Option<Box<Fault>>,
    /// Why it cannot be asked anything any more.
    pub(super) dead: Option<Box<Fault>>,
}

impl Lane {
    /// Whether there is an answer without asking outside.
    pub(super) fn is_answered(&self) -> bool {
        self.fault.is_some() || self.asked == Some(Question::Turn(Due::Show))
    }
}

impl Books {
    /// Takes the answer in place of one that will never come.
    fn take_fault(&mut self, lane: usize) -> Option<Fault> {
        let fault = self.lanes[lane].fault.take()?;
        self.faults -= 1;
        Some(*fault)
    }
}

/// Those that were written down by [`Outside::begin_steps`].
fn steps<'a>(request: &'a Request, shared: &Shared, everyone: &'a [u32], dues: &'a [Due]) -> Steps<'a> {
    let lanes = match &request.lanes {
        LaneList::All(_) => everyone,
        LaneList::Some(lanes) => lanes,
    };
    Steps { lanes, actions: &request.actions, dues, anew: shared.rules.autoreset == AutoresetMode::SameStep }
}

/// What an answer brings beside its row.
#[derive(Default)]
struct Told {
    message: Option<Message>,
    restarted: bool,
    resumed: bool,
}

/// Where to keep that, for all rows of a batch.
struct Beside<'a> {
    messages: &'a mut Vec<(u32, Message)>,
    restarted: &'a mut Vec<u32>,
    resumed: &'a mut Vec<u32>,
}

impl Beside<'_> {
    fn note(&mut self, row: usize, told: Told) {
        self.messages.extend(told.message.map(|message| (row as u32, message)));
        self.restarted.extend(told.restarted.then_some(row as u32));
        self.resumed.extend(told.resumed.then_some(row as u32));
    }
}

/// A synchronous request on its way.
struct Sent {
    request: Arc<Request>,
    batch: Box<Batch>,
    /// How many rows have not been written: those of lanes that are still asked.
    left: usize,
}

impl Sent {
    fn new(request: Arc<Request>, mut batch: Box<Batch>) -> Self {
        batch.forget_messages();
        let left = request.lanes.len();
        Self { request, batch, left }
    }
}

/// The rows of a synchronous request, all of whose answers come from outside.
struct SentRows<'a> {
    shared: &'a Shared,
    lanes: &'a mut [Lane],
    revivals: &'a mut Option<Revivals>,
    list: &'a LaneList,
    pointers: &'a Pointers,
    beside: Beside<'a>,
    left: &'a mut usize,
}

impl Taker for SentRows<'_> {
    #[inline]
    fn row(&self, lane: usize) -> Option<usize> {
        let Lane { asked: Some(Question::Turn(_)), item, .. } = self.lanes.get(lane)? else { return None };
        let is_of_these = match self.list {
            LaneList::All(_) => true,
            LaneList::Some(list) => list.get(*item as usize) == Some(&(lane as u32)),
        };
        is_of_these.then_some(*item as usize)
    }

    fn take(&mut self, lane: usize, row: usize, answer: Answer, rewards: &mut [f64], missing: &[u32]) {
        let Some(question) = self.lanes[lane].asked.take() else { return };
        let place = RowPlace { pointers: self.pointers, row };
        // SAFETY: the row is this lane's, which is in flight, so that both belong to the receiver.
        let told = unsafe { take_in(self.shared, self.revivals, lane, question, answer, &place, rewards, missing) };
        self.beside.note(row, told);
        *self.left -= 1;
    }
}

/// How long to wait for what.
struct Patience<'a> {
    interrupts: Interrupts<'a>,
    deadline: Option<Instant>,
}

impl Patience<'_> {
    fn new(interrupt: Interrupt<'_>, deadline: Option<Instant>) -> Patience<'_> {
        Patience { interrupts: Interrupts::new(interrupt), deadline }
    }

    /// Until when to wait before asking again.
    fn until(&self) -> Instant {
        self.deadline.map_or(self.interrupts.next(), |deadline| deadline.min(self.interrupts.next()))
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Flight {
    /// A pool's lanes, all of them idle, played by `outside`. Asynchronous pools have a `ring`.
    pub fn new(outside: Box<dyn Outside>, form: &Form, config: &PoolConfig, layout: &Arc<Layout>, ring: Option<Ring>) -> Self {
        let first_seed = |lane: usize| form.seeds.get(lane).copied().flatten();
        let books = Books {
            lanes: vec![Lane::default(); config.num_envs],
            first_seeds: (0..config.num_envs).map(first_seed).collect(),
            faults: 0,
            deaths: 0,
            sent: VecDeque::new(),
            rows: 0,
            messages: Vec::new(),
            restarted: Vec::new(),
            resumed: Vec::new(),
            revivals: Revivals::new(form.recovery, (0..config.num_envs).map(first_seed)),
            abandoned: Vec::new(),
            answered: Vec::new(),
            rewards: vec![0.0; form.players],
            missing: Vec::new(),
            found: Vec::new(),
            dues: Vec::new(),
            plans: Vec::new(),
            everyone: (0..config.num_envs as u32).collect(),
        };
        let nowhere = Batch::new(layout, 1, usize::MAX);
        Self {
            outside,
            ring,
            nowhere,
            passes_snapshots: form.snapshots.is_some(),
            takes_options: true,
            no_options: ResetOptions::default(),
            books: Mutex::new(books),
            looked: Mutex::new(Instant::now()),
        }
    }

    /// The same for lanes whose resets take no options.
    #[must_use]
    pub fn without_reset_options(self) -> Self {
        Self { takes_options: false, ..self }
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The books of a pool that is not closed: answers of a closed pool's lanes belong to the thread that closes it.
    ///
    /// # Errors
    /// `Closed`.
    fn open_books(&self, shared: &Shared) -> Result<MutexGuard<'_, Books>> {
        let books = self.books();
        match shared.closed.load(Ordering::SeqCst) {
            true => Err(Error::Closed),
            false => Ok(books),
        }
    }

    /// Waits until no other thread takes answers by books that it locked before the pool was closed. The wait has a bound, because a
    /// signal handler may close the pool in the thread that holds the lock.
    fn wait_for_books(&self) {
        let until = Instant::now() + LOOK;
        while matches!(self.books.try_lock(), Err(TryLockError::WouldBlock)) && Instant::now() < until {
            std::thread::sleep(PAUSE);
        }
    }

    /// Looks for losses, if it is time; never while the books are locked.
    fn look_now_and_then(&self, shared: &Shared) {
        let is_due = self.looked.lock().unwrap_or_else(PoisonError::into_inner).elapsed() >= LOOK;
        if is_due {
            self.look(shared);
        }
    }

    /// Looks for losses; never while the books are locked.
    fn look(&self, shared: &Shared) {
        *self.looked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        if shared.closed.load(Ordering::SeqCst) {
            return; // who ends now is ended by the pool
        }
        self.outside.notice();
        if let Ok(mut books) = self.open_books(shared) {
            self.take_losses(shared, &mut books);
        }
    }

    /// Refuses lanes whose place is lost for good, and those that are still at a call that nobody waits for.
    ///
    /// # Errors
    /// `Unreachable`, `State`, `Closed`.
    pub fn check_free(&self, shared: &Shared, lanes: &LaneList) -> Result<()> {
        self.look_now_and_then(shared);
        let mut books = self.open_books(shared)?;
        let books = &mut *books;
        if !books.abandoned.is_empty() {
            self.drop_unasked(shared, books);
        }
        if books.deaths == 0 && books.abandoned.is_empty() {
            return Ok(()); // none of these is in flight
        }
        for lane in lanes.iter() {
            let book = &books.lanes[lane];
            if let Some(fault) = &book.dead {
                return Err(Error::Unreachable(Box::new(Failed { lane, fault: (**fault).clone(), others: Vec::new(), kept: 0 })));
            }
            if book.asked.is_some() {
                return Err(Error::InFlight { lane });
            }
        }
        Ok(())
    }

    /// Sends a call; the rows of a synchronous one go into `batch`.
    ///
    /// # Errors
    /// As [`Outside::begin`]; nothing is sent then.
    pub fn send(&self, call: Prepared<'_>, batch: Option<Box<Batch>>) -> Result<()> {
        let shared = call.shared;
        let request = self.begin(call)?;
        if self.ring.is_none() {
            let batch = batch.unwrap_or_else(|| shared.batch(usize::MAX));
            self.books().sent.push_back(Sent::new(request, batch));
        }
        Ok(())
    }

    /// Sends a call of a synchronous pool and receives its results.
    ///
    /// # Errors
    /// `State` where results of an earlier `send` are waiting; otherwise as `send` and `recv`.
    pub fn run(
        &self,
        call: Prepared<'_>,
        receiver: &mut Receiver,
        batch: &mut Option<Box<Batch>>,
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<Box<Batch>> {
        let shared = call.shared;
        shared.check_none_in_flight()?;
        let request = self.begin(call)?;
        let memory = batch.take().unwrap_or_else(|| shared.batch(usize::MAX));
        self.recv_sent(shared, Sent::new(request, memory), receiver, batch, Patience::new(interrupt, deadline))
    }

    /// Asks lanes what a call wants of them.
    fn begin(&self, mut call: Prepared<'_>) -> Result<Arc<Request>> {
        let mut books = self.open_books(call.shared)?;
        let books = &mut *books;
        let is_plain = self.write_down(call.request(), call.shared, books)?;
        call.revive();
        // Before anything is on its way: a receiver in another thread must never see what is not in flight.
        call.shared.launch(call.request().lanes.iter());
        for (item, (lane, due)) in call.request().lanes.iter().zip(&books.dues).enumerate() {
            let book = &mut books.lanes[lane];
            (book.asked, book.item) = (Some(Question::Turn(*due)), item as u32);
            if *due == Due::Reset {
                books.first_seeds[lane] = None;
            }
        }
        match is_plain {
            true => self.outside.ring_steps(&steps(call.request(), call.shared, &books.everyone, &books.dues)),
            false => self.ring_planned(call.request(), books),
        }
        let request = call.take_request();
        let request = call.publish(request);
        if let Some(revivals) = &mut books.revivals {
            revivals.note_turns(&request, &books.dues, &books.plans);
            let waiting = request.lanes.iter().zip(&books.plans).filter(|(_, plan)| plan.waits).map(|(lane, _)| lane as u32);
            let waiting: Vec<_> = waiting.collect();
            self.go_on(call.shared, books, &waiting);
        }
        Ok(request)
    }

    /// Rings for lanes that were begun one by one.
    fn ring_planned(&self, request: &Request, books: &mut Books) {
        let Books { dues, plans, found, answered, .. } = books;
        found.clear();
        for (lane, (due, plan)) in request.lanes.iter().zip(dues.iter().zip(plans.iter())) {
            match due {
                Due::Show if self.ring.is_some() => answered.push(lane as u32),
                Due::Show => {}
                _ if !plan.waits => found.push(lane as u32),
                _ => {}
            }
        }
        if !found.is_empty() {
            self.outside.ring(found);
        }
    }

    /// Has everything that a request asks written down; says whether that is nothing but steps, all of them asked as ever.
    fn write_down(&self, request: &Request, shared: &Shared, books: &mut Books) -> Result<bool> {
        let Books { dues, plans, revivals, first_seeds, everyone, .. } = books;
        let (rules, lanes) = (episodes(shared), request.lanes.iter().enumerate());
        dues.clear();
        // SAFETY: the lanes are not in flight, and the sender's turn is ours.
        dues.extend(lanes.map(|(index, lane)| unsafe { rules.before(&request.kind, index, lane) }));
        plans.clear();
        let is_plain = request.kind == Kind::Step
            && dues.iter().all(|due| matches!(due, Due::Step { .. } | Due::NextEpisode(_)))
            && revivals.as_ref().is_none_or(|revivals| revivals.are_plain(&request.lanes));
        if is_plain {
            self.outside.begin_steps(&steps(request, shared, everyone, dues))?;
            return Ok(true);
        }
        for ((index, lane), due) in request.lanes.iter().enumerate().zip(dues) {
            let first_seed = first_seeds[lane];
            let given = request.kind.seed(index);
            let plan = match revivals {
                None => Plan { seed: given.or(first_seed), ..Plan::default() },
                Some(revivals) => revivals.plan(lane, &request.kind, *due, given, first_seed),
            };
            if let Some(asked) = self.asked(shared, request, index, *due, plan)
                && !plan.waits
            {
                self.outside.begin(lane, asked)?;
            }
            plans.push(plan);
        }
        Ok(false)
    }

    /// What to ask the lane of item `index` of a request; nothing where it only shows what it last showed.
    pub(super) fn asked<'a>(
        &'a self,
        shared: &Shared,
        request: &'a Request,
        index: usize,
        due: Due,
        plan: Plan,
    ) -> Option<Asked<'a>> {
        let seed = plan.seed;
        Some(match (due, &request.kind) {
            (Due::Show, _) => return None,
            (_, Kind::Step) if plan.anew => Asked::Reset { seed, options: &self.no_options },
            (Due::Step { .. } | Due::NextEpisode(_), _) => {
                Asked::of_step(&request.actions, index, due, shared.rules.autoreset == AutoresetMode::SameStep)
            }
            (Due::Reset | Due::Recreate, Kind::Reset { options, .. }) => Asked::Reset { seed, options },
            (Due::Reset | Due::Recreate, Kind::Step) => Asked::Reset { seed, options: &self.no_options },
        })
    }

    /// The next batch.
    ///
    /// # Errors
    /// `State` where nothing or too little is in flight or an environment failed; `Closed`; `Interrupted`, `Late`; those of
    /// [`Outside::wait`].
    pub fn recv(
        &self,
        shared: &Shared,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<Box<Batch>> {
        let patience = Patience::new(interrupt, deadline);
        if let Some(ring) = &self.ring {
            return self.recv_first(ring, shared, receiver, spare, patience);
        }
        let front = self.books().sent.pop_front();
        self.recv_sent(shared, front.ok_or_else(nothing_sent)?, receiver, spare, patience)
    }

    /// The results of a synchronous request.
    fn recv_sent(
        &self,
        shared: &Shared,
        sent: Sent,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        patience: Patience<'_>,
    ) -> Result<Box<Batch>> {
        let mut sent = PutBack { flight: self, sent: Some(sent) };
        let all = matches!(sent.get().request.lanes, LaneList::All(_));
        self.wait_for(shared, patience, |books, among| {
            let Sent { request, batch, left } = sent.get();
            self.take_rows(shared, books, request, batch, left);
            if *left > 0 && !all {
                let is_left = |lane: &usize| books.lanes[*lane].asked.is_some();
                among.extend(request.lanes.iter().filter(is_left).map(|lane| lane as u32));
            }
            *left
        })?;
        let Sent { request, mut batch, .. } = sent.sent.take().expect("it is put back only when dropped");
        batch.set_lanes(request.lanes.iter());
        shared.report_failures(receiver, batch, spare)
    }

    /// Writes the rows of a synchronous request whose lanes have answered.
    fn take_rows(&self, shared: &Shared, books: &mut Books, request: &Request, batch: &mut Batch, left: &mut usize) {
        let Batch { pointers, messages, restarted, resumed, .. } = batch;
        let mut beside = Beside { messages, restarted, resumed };
        let shows = matches!(request.kind, Kind::Reset { only: Some(_), .. });
        if !shows && books.faults == 0 && books.revivals.as_ref().is_none_or(|revivals| revivals.preludes == 0) {
            let Books { lanes, revivals, rewards, missing, .. } = books;
            let list = &request.lanes;
            let mut rows = SentRows { shared, lanes, revivals, list, pointers, beside, left };
            return self.outside.finish_rows(&mut RowsOut { lanes: list, pointers, taker: &mut rows, rewards, missing });
        }
        for (item, lane) in request.lanes.iter().enumerate() {
            if books.lanes[lane].asked.is_some() && self.has_answered(shared, books, lane) {
                // SAFETY: the row is this item's, and the lane in flight, so that it belongs to the receiver.
                let told = unsafe { self.take(shared, books, lane, RowPlace { pointers, row: item }) };
                beside.note(item, told);
                *left -= 1;
            }
        }
    }

    /// The first results to come, as many as make a batch.
    fn recv_first(
        &self,
        ring: &Ring,
        shared: &Shared,
        receiver: &mut Receiver,
        spare: &mut Option<Box<Batch>>,
        patience: Patience<'_>,
    ) -> Result<Box<Batch>> {
        shared.check_enough_in_flight(0)?;
        let size = shared.config.batch_size;
        self.wait_for(shared, patience, |books, _| {
            self.take_first(ring, shared, books, size);
            size - books.rows
        })?;
        let next = spare.take().unwrap_or_else(|| shared.batch(usize::MAX));
        // SAFETY: the receiver's turn is ours, and lanes are released only below.
        let mut taken = unsafe { ring.take(next) }.unwrap_or_else(|_| unreachable!("it was complete"));
        let mut books = self.books();
        books.rows = 0;
        taken.forget_messages();
        taken.messages.append(&mut books.messages);
        taken.restarted.append(&mut books.restarted);
        taken.resumed.append(&mut books.resumed);
        drop(books);
        shared.report_failures(receiver, taken, spare)
    }

    /// Fills the batch at hand, up to `size` rows, with what has been answered.
    fn take_first(&self, ring: &Ring, shared: &Shared, books: &mut Books, size: usize) {
        let mut found = std::mem::take(&mut books.found);
        found.clear();
        found.append(&mut books.answered);
        self.outside.first_answered(size - books.rows, &mut found);
        for lane in found.iter().map(|lane| *lane as usize) {
            if !matches!(books.lanes[lane].asked, Some(Question::Turn(_))) {
                if self.has_answered(shared, books, lane) {
                    self.drop_answer(books, lane);
                }
                continue;
            }
            if books.rows == size {
                if books.lanes[lane].is_answered() && !books.answered.contains(&(lane as u32)) {
                    books.answered.push(lane as u32);
                }
                continue; // it comes with the next batch
            }
            if !self.has_answered(shared, books, lane) {
                continue; // it has done something else before
            }
            let row = ring.claim(1);
            // SAFETY: the row was claimed, and the lane is in flight, so that it belongs to the receiver.
            let told = unsafe { self.take(shared, books, lane, ring.row_place(row)) };
            ring.commit(row, 1);
            let Books { rows, messages, restarted, resumed, .. } = books;
            Beside { messages, restarted, resumed }.note(*rows, told);
            *rows += 1;
        }
        books.found = found;
    }

    /// Calls `round`, which takes what has been answered, says how many answers are missing and among which lanes (any, where it names
    /// none), until none is.
    fn wait_for(
        &self,
        shared: &Shared,
        mut patience: Patience<'_>,
        mut round: impl FnMut(&mut Books, &mut Vec<u32>) -> usize,
    ) -> Result<()> {
        let (mut among, mut before) = (Vec::new(), usize::MAX);
        loop {
            self.look_now_and_then(shared);
            let (missing, count) = {
                let mut books = self.open_books(shared)?;
                let books = &mut *books;
                among.clear();
                let missing = round(books, &mut among);
                if missing > 0 && missing == before {
                    self.drop_unasked(shared, books); // so that they do not end every wait
                }
                // Whoever is at something else first has to be told what is next.
                let is_plain = books.revivals.as_ref().is_none_or(|revivals| revivals.preludes == 0);
                (missing, if is_plain { missing } else { 1 })
            };
            if missing == 0 {
                // Now, or an interrupt that has come meanwhile would cost whoever waits the results.
                return patience.interrupts.check_now();
            }
            if shared.closed.load(Ordering::SeqCst) {
                return Err(Error::Closed);
            }
            if patience.is_late() {
                return Err(Error::Late { lanes: self.unanswered(&among) });
            }
            if patience.interrupts.next() <= Instant::now() {
                self.look(shared);
                patience.interrupts.check()?;
                continue; // what was lost may have been answered for, or begun again
            }
            before = missing;
            let lanes = (!among.is_empty()).then_some(&among[..]);
            self.outside.wait(Wanted { lanes, count }, patience.until())?;
        }
    }

    /// Those of `among` (of all, where it names none) that have been asked something and not answered.
    fn unanswered(&self, among: &[u32]) -> Vec<u32> {
        let books = self.books();
        let is_late = |lane: &u32| {
            let book = &books.lanes[*lane as usize];
            let awaited = book.asked.is_some() && !book.is_answered() && !books.abandoned.contains(lane);
            let is_before = || books.revivals.as_ref().is_some_and(|revivals| revivals.first_prelude(*lane as usize).is_some());
            awaited && (!self.outside.has_answered(*lane as usize) || is_before())
        };
        match among.is_empty() {
            true => (0..books.lanes.len() as u32).filter(is_late).collect(),
            false => among.iter().copied().filter(is_late).collect(),
        }
    }

    /// Takes a lane's answer to a step or reset into its row; what was told beside is returned.
    ///
    /// # Safety
    /// Lane and row must belong to the caller alone.
    unsafe fn take(&self, shared: &Shared, books: &mut Books, lane: usize, place: RowPlace<'_>) -> Told {
        let question = books.lanes[lane].asked.take().unwrap_or(Question::Other);
        if question == Question::Turn(Due::Show) {
            // SAFETY: passed on to the caller.
            return Told { message: unsafe { self.show(shared, books, lane, place) }, ..Told::default() };
        }
        let fault = books.take_fault(lane);
        let Books { rewards, missing, revivals, .. } = books;
        rewards.fill(0.0);
        missing.clear();
        let answer = match fault {
            Some(fault) => Answer::Failed(fault),
            None => {
                let place = RowPlace { pointers: place.pointers, row: place.row };
                finished(&*self.outside, lane, &mut RowOut { rewards, place, missing })
            }
        };
        // SAFETY: passed on to the caller.
        unsafe { take_in(shared, revivals, lane, question, answer, &place, rewards, missing) }
    }

    /// Writes the row of a lane that shows what it last showed.
    ///
    /// # Safety
    /// Lane and row must belong to the caller alone.
    unsafe fn show(&self, shared: &Shared, books: &mut Books, lane: usize, place: RowPlace<'_>) -> Option<Message> {
        let Books { rewards, missing, .. } = books;
        let (pointers, row) = (place.pointers, place.row);
        let message = self.outside.show(lane, &mut RowOut { rewards, place, missing });
        rewards.fill(0.0);
        // SAFETY: lane and row are the caller's.
        unsafe { pointers.write_row(row, episodes(shared).after(lane, Due::Show, Played::default()), rewards) };
        message
    }

    /// Takes an answer that nobody looks at.
    fn drop_answer(&self, books: &mut Books, lane: usize) {
        let was_asked = books.lanes[lane].asked.take().is_some();
        let fault = books.take_fault(lane);
        let Books { rewards, missing, revivals, .. } = books;
        // A loss is no answer: nothing lives to give it.
        if fault.is_none() {
            let place = RowPlace { pointers: &self.nowhere.pointers, row: 0 };
            let is_well = !matches!(finished(&*self.outside, lane, &mut RowOut { rewards, place, missing }), Answer::Failed(_));
            if was_asked {
                note_answer(revivals, lane, is_well);
            }
        }
        books.abandoned.retain(|abandoned| *abandoned as usize != lane);
    }

    /// Drops answers that nobody asked for, or that nobody waits for any more.
    fn drop_unasked(&self, shared: &Shared, books: &mut Books) {
        let mut found = std::mem::take(&mut books.found);
        found.clear();
        self.outside.first_answered(shared.config.num_envs, &mut found);
        for lane in found.iter().copied() {
            let is_unasked = books.lanes[lane as usize].asked.is_none() || books.abandoned.contains(&lane);
            if is_unasked && self.has_answered(shared, books, lane as usize) {
                self.drop_answer(books, lane as usize);
            }
        }
        books.found = found;
        let lost = |lane: &u32| books.lanes[*lane as usize].fault.is_some();
        let lost: Vec<_> = books.abandoned.iter().copied().filter(lost).collect();
        lost.into_iter().for_each(|lane| self.drop_answer(books, lane as usize));
    }

    /// Rows of the oldest synchronous request.
    pub fn next_rows(&self) -> Option<usize> {
        self.books().sent.front().map(|sent| sent.request.lanes.len())
    }

    /// Waits for everything in flight, then throws it away.
    ///
    /// # Errors
    /// `Closed`; `Interrupted`, `Late`; those of [`Outside::wait`]. Nothing has been thrown away then.
    pub fn drain(&self, shared: &Shared, thrown: &mut Spares, interrupt: Interrupt<'_>, deadline: Option<Instant>) -> Result<()> {
        self.wait_for(shared, Patience::new(interrupt, deadline), |books, among| {
            let is_awaited =
                |lane: usize, books: &Books| books.lanes[lane].asked.is_some() && !books.abandoned.contains(&(lane as u32));
            let lanes = (0..books.lanes.len()).filter(|lane| is_awaited(*lane, books));
            // By name: those that have answered, and are not taken, would end every wait.
            let lanes: Vec<_> = lanes.map(|lane| lane as u32).collect();
            among.extend(lanes.into_iter().filter(|lane| !self.has_answered(shared, books, *lane as usize)));
            among.len()
        })?;
        let mut books = self.open_books(shared)?;
        let books = &mut *books;
        for lane in 0..books.lanes.len() {
            if books.lanes[lane].asked.is_some() && !books.abandoned.contains(&(lane as u32)) {
                // SAFETY: nowhere is nobody's, and both turns are the caller's, and with them all lanes.
                unsafe { self.take(shared, books, lane, RowPlace { pointers: &self.nowhere.pointers, row: 0 }) };
            }
        }
        thrown.extend(books.sent.drain(..).map(|sent| sent.batch));
        books.messages.clear();
        books.restarted.clear();
        books.resumed.clear();
        books.rows = 0;
        if let Some(ring) = &self.ring {
            // SAFETY: what was claimed is committed, and both turns are the caller's.
            unsafe { ring.restart() };
        }
        Ok(())
    }

    /// Asks each of these lanes, none of which is in flight, for something that is neither step nor reset.
    ///
    /// # Errors
    /// Those of [`Outside::begin`] and [`Outside::wait`]; `Closed`; `Interrupted`, `Late`.
    pub fn ask<'a>(
        &self,
        shared: &Shared,
        lanes: &LaneList,
        asked: impl Fn(usize) -> Asked<'a>,
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<Vec<Result<Message, Fault>>> {
        let mut answers = Vec::new();
        self.ask_into(&mut answers, shared, lanes, asked, interrupt, deadline)?;
        Ok(answers.into_iter().flatten().collect())
    }

    /// The same; after an error, `answers` has those that came before. Lanes without one are idle where they could be called back.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn ask_into<'a>(
        &self,
        answers: &mut Vec<Option<Result<Message, Fault>>>,
        shared: &Shared,
        lanes: &LaneList,
        asked: impl Fn(usize) -> Asked<'a>,
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<()> {
        let list: Vec<u32> = lanes.iter().map(|lane| lane as u32).collect();
        {
            let mut books = self.open_books(shared)?;
            let books = &mut *books;
            for (index, lane) in list.iter().enumerate() {
                self.outside.begin(*lane as usize, asked(index))?;
            }
            list.iter().for_each(|lane| books.lanes[*lane as usize].asked = Some(Question::Other));
            match &mut books.revivals {
                None => self.outside.ring(&list),
                Some(revivals) => {
                    for (index, lane) in list.iter().enumerate() {
                        if let Some(todo) = Todo::of(&asked(index)) {
                            revivals.note_other(*lane as usize, todo);
                        }
                    }
                    self.go_on(shared, books, &list);
                }
            }
        }
        answers.resize(list.len(), None);
        let abandoned = Abandoned { flight: self, lanes: &list };
        self.wait_for(shared, Patience::new(interrupt, deadline), |books, among| {
            for (lane, answer) in list.iter().zip(answers.iter_mut()).filter(|(_, answer)| answer.is_none()) {
                *answer = self.take_value(shared, books, *lane as usize);
                if answer.is_none() {
                    among.push(*lane);
                }
            }
            among.len()
        })?;
        std::mem::forget(abandoned);
        Ok(())
    }

    /// Whether a lane has been asked nothing, or has answered.
    pub fn is_idle(&self, lane: usize) -> bool {
        self.books().lanes[lane].asked.is_none()
    }

    /// A lane's answer to a call, if there is one.
    fn take_value(&self, shared: &Shared, books: &mut Books, lane: usize) -> Option<Result<Message, Fault>> {
        if !self.has_answered(shared, books, lane) {
            return None;
        }
        books.lanes[lane].asked = None;
        if let Some(fault) = books.take_fault(lane) {
            return Some(Err(fault));
        }
        let Books { rewards, missing, revivals, .. } = books;
        let place = RowPlace { pointers: &self.nowhere.pointers, row: 0 };
        let answer = match finished(&*self.outside, lane, &mut RowOut { rewards, place, missing }) {
            Answer::Value(message) => Ok(message),
            Answer::Failed(fault) => Err(fault),
            Answer::Row(_) => Err(wrong_answer()),
        };
        note_answer(revivals, lane, answer.is_ok());
        Some(answer)
    }

    /// Lets go of all memory for results.
    ///
    /// # Safety
    /// For whoever has both turns.
    pub unsafe fn forget(&self) {
        self.books().sent.clear();
        if let Some(ring) = &self.ring {
            // SAFETY: the receiver is the only writer, and his turn is the caller's.
            unsafe { ring.forget() };
        }
    }

    /// Ends what plays the lanes of a pool that is marked as closed.
    pub fn close(&self, until: Instant, by_force: bool) -> Vec<Fault> {
        self.wait_for_books();
        self.outside.close(until, by_force)
    }
}

/// Takes in what a lane has answered to a step or reset, and was written into its row; what was told beside is returned.
///
/// # Safety
/// Lane and row must belong to the caller alone.
#[expect(clippy::too_many_arguments, reason = "what answers that come alone and together have in common")]
#[inline]
unsafe fn take_in(
    shared: &Shared,
    revivals: &mut Option<Revivals>,
    lane: usize,
    question: Question,
    answer: Answer,
    place: &RowPlace<'_>,
    rewards: &mut [f64],
    missing: &[u32],
) -> Told {
    let fault = match (answer, question) {
        (Answer::Row(answered), Question::Turn(due)) => {
            let tells = note_answer(revivals, lane, true);
            // SAFETY: lane and row are the caller's.
            unsafe {
                match tells {
                    Tells::InStep => tell_of_loss(shared, lane, place, rewards),
                    _ => settle(shared, lane, due, &answered, place, rewards, missing),
                }
            }
            return Told {
                message: answered.message,
                restarted: matches!(tells, Tells::InReset | Tells::InStep),
                resumed: tells == Tells::Return,
            };
        }
        (Answer::Failed(fault), _) => fault,
        _ => wrong_answer(),
    };
    note_answer(revivals, lane, false);
    rewards.fill(0.0);
    // SAFETY: lane and row are the caller's.
    unsafe { place.pointers.write_row(place.row, episodes(shared).fail(lane), rewards) };
    shared.failures.lock().unwrap_or_else(PoisonError::into_inner).push(Failure { lane: lane as u32, fault });
    shared.has_failures.store(true, Ordering::SeqCst);
    Told::default()
}

/// Notes what an answer made of its lane, and writes the engine's columns.
///
/// # Safety
/// Lane and row must belong to the caller alone.
unsafe fn settle(
    shared: &Shared,
    lane: usize,
    due: Due,
    answered: &Answered,
    place: &RowPlace<'_>,
    rewards: &[f64],
    missing: &[u32],
) {
    let Answered { terminated, truncated, ended_anew, zero_discount, .. } = *answered;
    let elapsed = answered.elapsed.max(0);
    let begun = if matches!(due, Due::Step { .. }) { 0 } else { elapsed };
    let played = Played { terminated, truncated, zero_discount, elapsed: begun };
    // SAFETY: lane and row are the caller's.
    unsafe {
        let mut transition = episodes(shared).after(lane, due, played);
        if let Some(counted) = answered.counted {
            transition.elapsed = counted.max(0);
            episodes(shared).count(lane, transition.elapsed);
        }
        place.pointers.write_row(place.row, transition, rewards);
        place.pointers.leave_out(place.row, missing);
        match answered.statistics.filter(|_| shared.table.episode.is_some()) {
            Some((total, length, seconds)) => place.pointers.write_episode(place.row, total, length, seconds),
            None => episodes(shared).record(place, &transition, rewards[0], Instant::now),
        }
        if ended_anew && transition.is_done() {
            episodes(shared).begin(lane, elapsed);
        }
    }
}

/// Writes the row of a step whose episode was lost, and which shows the beginning of the next one.
///
/// # Safety
/// Lane and row must belong to the caller alone.
unsafe fn tell_of_loss(shared: &Shared, lane: usize, place: &RowPlace<'_>, rewards: &mut [f64]) {
    rewards.fill(0.0);
    let episodes = episodes(shared);
    // SAFETY: lane and row are the caller's.
    unsafe {
        episodes.begin(lane, 0);
        let begun = Transition::begun(lane, 0);
        episodes.record(place, &begun, 0.0, Instant::now);
        if shared.rules.autoreset != AutoresetMode::SameStep {
            shared.table.set_phase(lane, Phase::Finished);
        }
        place.pointers.write_row(place.row, Transition { truncated: true, begins_episode: false, ..begun }, rewards);
    }
}

/// Notes that a lane has answered; says whether its row tells of a loss.
#[inline]
fn note_answer(revivals: &mut Option<Revivals>, lane: usize, is_well: bool) -> Tells {
    revivals.as_mut().map_or(Tells::Nothing, |revivals| revivals.note_answer(lane, is_well))
}

fn wrong_answer() -> Fault {
    Fault::raised("it answered what it was not asked", Vec::new())
}

fn episodes(shared: &Shared) -> Episodes<'_> {
    Episodes { table: &shared.table, rules: shared.rules }
}

/// Leaves a synchronous request to the next `recv` when dropped: its receiver gave up waiting, or his hook panicked.
struct PutBack<'a> {
    flight: &'a Flight,
    sent: Option<Sent>,
}

impl PutBack<'_> {
    fn get(&mut self) -> &mut Sent {
        self.sent.as_mut().expect("it is taken out once it is complete")
    }
}

impl Drop for PutBack<'_> {
    fn drop(&mut self) {
        if let Some(sent) = self.sent.take() {
            self.flight.books().sent.push_front(sent);
        }
    }
}

/// Calls lanes back when dropped, as no caller waits for their answers any more; answers of the others are dropped when they come.
struct Abandoned<'a> {
    flight: &'a Flight,
    lanes: &'a [u32],
}

impl Drop for Abandoned<'_> {
    fn drop(&mut self) {
        let mut books = self.flight.books();
        let books = &mut *books;
        for lane in self.lanes.iter().copied().filter(|lane| books.lanes[*lane as usize].asked.is_some()).collect::<Vec<_>>() {
            // What brings lanes back keeps account of what each is at.
            match books.revivals.is_none() && self.flight.outside.cancel(lane as usize) {
                true => books.lanes[lane as usize].asked = None,
                false => books.abandoned.push(lane),
            }
        }
    }
}
