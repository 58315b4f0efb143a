//! The backend that runs lanes on remote hosts.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::alone::{Alone, Turn};
use super::bytes::{append, write};
use super::carrier::{Arrival, Carrier};
use super::host::bytes_of;
use super::parts::{Parts, Rows};
use super::request::{Request, plain_options};
use super::response::{Told, What, told};
use envpool_rs_engine::{
    Action, ActionColumn, ActionKey, Answer, Answered, Asked, Death, Error, Fault, Form, Message, Outputs, Outside, Pool,
    PoolConfig, Result, RowOut, RowsOut, Steps, Wanted,
};

/// A lane's staged operation, until it is added to its host's request.
enum Begun {
    Nothing,
    /// A step. Its action is in `Books::actions`.
    Step,
    Reset(Box<Reset>),
    Save,
    Load(Box<[u8]>),
}

/// Seed and options of a reset.
type Reset = (Option<u64>, Vec<(String, f64)>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    /// The operation is in the host's request, or will be.
    Asked,
    Answered,
}

/// A row of a stored reply.
#[derive(Clone, Copy)]
struct Place {
    answer: u32,
    row: u32,
}

const NOWHERE: Place = Place { answer: u32::MAX, row: 0 };

struct Lane {
    state: State,
    /// Whether the lane's last reply was not a row. Its next operation then follows at once.
    is_in_between: bool,
    place: u32,
    /// Reply to the lane's pending operation.
    answered: Place,
    /// Row of the lane's last observation.
    shown: Place,
}

/// A reply, stored until all its lanes are taken and none refers to it for its last observation.
struct Kept {
    lanes: Vec<u32>,
    what: What,
    users: usize,
    /// Number of lanes not yet taken.
    untaken: usize,
    /// Sequence number of the reply.
    number: u64,
}

/// The lanes of one host.
struct Share {
    first: usize,
    lanes: usize,
    /// Number of lanes whose replies were not taken.
    untaken: usize,
    /// Set when the host is restarted: while positive, its lanes may be replaying. Decremented by requests that start while the
    /// host is idle.
    catching_up: u32,
}

/// The ledger of all remote lanes.
struct Books {
    lanes: Vec<Lane>,
    /// Staged operation of each lane.
    begun: Vec<Begun>,
    shares: Vec<Share>,
    /// Action of each lane: all its arrays, concatenated.
    actions: Vec<u8>,
    kept: Vec<Option<Kept>>,
    /// Indices of unused entries of `kept`.
    free: Vec<u32>,
    /// Indices and sequence numbers of replies, in order of arrival. An entry whose sequence number differs from the stored
    /// reply's is stale.
    order: VecDeque<(u32, u64)>,
    answers: u64,
    untaken: usize,
}

/// Outgoing requests of one host.
#[derive(Default)]
struct Way {
    /// The next request, being assembled.
    request: Request,
    /// Encoded requests that have not been sent.
    unsent: VecDeque<(u64, Vec<u8>)>,
    /// Lanes of each request without a reply, numbered within the host.
    asked: VecDeque<(u64, Vec<u32>)>,
    requests: u64,
}

/// Outgoing requests and incoming replies of all hosts.
struct Mail {
    ways: Vec<Way>,
    arrivals: Vec<Arrival>,
}

/// Creates a pool whose lanes run on the hosts that `carrier` reaches. Host `k` has `shares[k]` idle environments, and its
/// replies have the columns `parts`.
///
/// # Errors
/// As [`Pool::outside`]; `State` if the hosts' environments do not add up to `config.num_envs`.
pub fn pool(
    carrier: Box<dyn Carrier>,
    shares: &[usize],
    parts: Parts,
    form: Form,
    config: PoolConfig,
    outputs: Outputs,
) -> Result<Pool> {
    if shares.iter().sum::<usize>() != config.num_envs {
        return Err(Error::State("the hosts' environments do not add up to num_envs".into()));
    }
    let lanes = RemoteLanes::new(carrier, shares, form.keys.clone(), parts, config.has_final_columns());
    Pool::outside(Box::new(lanes), form, config, outputs)
}

/// Backend for the environments of hosts that a [`Carrier`] reaches. It relies on the pool's lock, so only a pool may own it.
struct RemoteLanes {
    carrier: Box<dyn Carrier>,
    keys: Vec<ActionKey>,
    /// Bytes of an action.
    width: usize,
    parts: Parts,
    /// Whether the next episode starts in the row that ends an episode.
    ends_anew: bool,
    /// Accessed under the pool's lock.
    books: Alone<Books>,
    /// Also accessed by the waiting thread.
    mail: Mutex<Mail>,
    has_arrivals: AtomicBool,
    /// Hosts whose loss was detected and not yet reported.
    noticed: Mutex<Vec<(usize, Fault)>>,
}

impl RemoteLanes {
    fn new(carrier: Box<dyn Carrier>, lanes: &[usize], keys: Vec<ActionKey>, parts: Parts, ends_anew: bool) -> Self {
        let mut all = Vec::with_capacity(lanes.iter().sum());
        let mut shares = Vec::with_capacity(lanes.len());
        for (place, count) in (0..).zip(lanes) {
            shares.push(Share { first: all.len(), lanes: *count, untaken: 0, catching_up: 0 });
            all.extend((0..*count).map(|_| Lane {
                state: State::Idle,
                is_in_between: false,
                place,
                answered: NOWHERE,
                shown: NOWHERE,
            }));
        }
        let width = keys.iter().map(bytes_of).sum();
        let actions = vec![0; width * all.len()];
        let begun = all.iter().map(|_| Begun::Nothing).collect();
        let ways = lanes.iter().map(|_| Way::default()).collect();
        let (kept, free, order) = (Vec::new(), Vec::new(), VecDeque::new());
        Self {
            carrier,
            keys,
            width,
            parts,
            ends_anew,
            books: Alone::new(Books { lanes: all, begun, shares, actions, kept, free, order, answers: 0, untaken: 0 }),
            mail: Mutex::new(Mail { ways, arrivals: Vec::new() }),
            has_arrivals: AtomicBool::new(false),
            noticed: Mutex::default(),
        }
    }

    /// Returns access to the ledger.
    #[inline(always)]
    fn enter(&self) -> Turn<'_, Books> {
        // SAFETY: only a pool owns this value (see `pool`). The pool calls all methods that get here one at a time, under its
        // lock, and none of these methods calls another one.
        unsafe { self.books.enter() }
    }

    fn mail(&self) -> MutexGuard<'_, Mail> {
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends all encoded requests.
    fn send(&self, mail: &mut Mail) -> Result<()> {
        for (place, way) in mail.ways.iter_mut().enumerate() {
            while let Some((number, request)) = way.unsent.front() {
                self.carrier.send(place, *number, request)?;
                way.unsent.pop_front();
            }
        }
        Ok(())
    }

    /// Stores the replies that have arrived.
    #[cold]
    fn open(&self, books: &mut Books) {
        let mut mail = self.mail();
        self.has_arrivals.store(false, Ordering::Relaxed);
        for arrival in std::mem::take(&mut mail.arrivals) {
            let Arrival { place, number, answer } = arrival;
            let way = &mut mail.ways[place];
            let Some(asked) = way.asked.iter().position(|(asked, _)| *asked == number) else { continue };
            let (_, lanes) = way.asked.remove(asked).expect("it was found there");
            let unreadable = || Fault::raised("its host sent a malformed reply", Vec::new());
            let (fault, told) = match answer {
                Ok(bytes) => (unreadable(), told(bytes, &self.parts).unwrap_or_default()),
                Err(fault) => (fault, Vec::new()),
            };
            told.into_iter().for_each(|told| books.keep(place, told));
            // Lanes without a reply now will never get one.
            let share = &books.shares[place];
            let lanes = lanes.into_iter().filter(|lane| books.lanes[share.first + *lane as usize].state == State::Asked);
            let lanes: Vec<_> = lanes.collect();
            for lane in lanes {
                books.keep(place, Told { lanes: vec![lane], what: What::Failed(fault.clone()) });
            }
        }
    }

    #[inline]
    fn look(&self, books: &mut Books) {
        if self.has_arrivals.load(Ordering::Acquire) {
            self.open(books);
        }
    }

    fn write_action(&self, to: &mut [u8], action: Action<'_>) {
        let mut place = 0;
        for (index, key) in self.keys.iter().enumerate() {
            let width = key.width();
            let bytes = &mut to[place..place + bytes_of(key)];
            place += bytes.len();
            match (key.discrete, key.is_double) {
                (Some(_), _) => write(bytes, action.discretes(index, width), |value| value.to_ne_bytes()),
                (None, true) => write(bytes, action.doubles(index, width), |value| value.to_ne_bytes()),
                (None, false) => write(bytes, action.continuous(index, width), |value| value.to_ne_bytes()),
            }
        }
    }

    /// Appends rows of action arrays, each row's arrays concatenated.
    fn append_actions(&self, to: &mut Vec<u8>, columns: &[ActionColumn], rows: Range<usize>) {
        let mut append_rows = |key: usize, rows: Range<usize>| {
            let (column, width) = (&columns[key], self.keys[key].width());
            let range = rows.start * width..rows.end * width;
            match column {
                ActionColumn::I32(values) => append(to, &values[range], i32::to_ne_bytes),
                ActionColumn::F32(values) => append(to, &values[range], f32::to_ne_bytes),
                ActionColumn::F64(values) => append(to, &values[range], f64::to_ne_bytes),
                ActionColumn::Raw(bytes) => to.extend_from_slice(&bytes[range]),
                ActionColumn::Messages { .. } => {}
            }
        };
        match &self.keys[..] {
            [_] => append_rows(0, rows),
            keys => rows.for_each(|row| (0..keys.len()).for_each(|key| append_rows(key, row..row + 1))),
        }
    }

    /// Takes the reply of a lane.
    fn take(&self, books: &mut Books, lane: usize, out: &mut RowOut<'_>) -> Answer {
        let Lane { state, answered: place, place: share, .. } = books.lanes[lane];
        let kept = books.kept.get_mut(place.answer as usize).and_then(Option::as_mut).filter(|_| state == State::Answered);
        let Some(kept) = kept else {
            return Answer::Failed(Fault::raised(format!("env_id {lane} has no result to be taken"), Vec::new()));
        };
        let answer = match &kept.what {
            What::Rows(rows) => {
                let (bytes, count, row) = (rows.bytes(), kept.lanes.len(), place.row as usize);
                self.parts.copy(bytes, count, row, out);
                self.row(&self.parts.rows(bytes, count), row, out)
            }
            What::Shown(_) => Answer::Value(Message::default()),
            What::Value(value) => Answer::Value(value[..].into()),
            What::Failed(fault) => Answer::Failed(fault.clone()),
        };
        kept.untaken -= 1;
        let shows = matches!(kept.what, What::Rows(_) | What::Shown(_));
        books.lanes[lane].is_in_between = !matches!(kept.what, What::Rows(_));
        books.lanes[lane].state = State::Idle;
        match shows {
            true => books.show(lane, place),
            false => books.leave(place.answer, 1),
        }
        books.note_taken(share, 1);
        answer
    }

    /// Reads the flags, counters and rewards of a row.
    #[inline]
    fn row(&self, rows: &Rows<'_>, row: usize, out: &mut RowOut<'_>) -> Answer {
        let answered = rows.answered(row, out.rewards);
        let ended_anew = self.ends_anew && (answered.terminated || answered.truncated);
        Answer::Row(Answered { ended_anew, ..answered })
    }

    /// Takes all rows of a reply at once, if none was taken and the pool awaits them in order. Returns whether it
    /// did.
    fn take_run(&self, books: &mut Books, answer: u32, rows: &mut RowsOut<'_>) -> bool {
        let kept = &mut books.kept[answer as usize];
        let is_whole = |kept: &&mut Kept| kept.untaken == kept.lanes.len() && matches!(kept.what, What::Rows(_));
        let Some(Kept { lanes, what: What::Rows(bytes), untaken, .. }) = kept.as_mut().filter(is_whole) else { return false };
        let Some(run) = rows.run(lanes) else { return false };
        *untaken = 0;
        let (bytes, count) = (bytes.bytes(), lanes.len());
        self.parts.copy_all(bytes, count, run, rows);
        let beside = self.parts.rows(bytes, count);
        // Replies that held the lanes' previous observations, mostly rows of one reply.
        let (mut before, mut left) = (NOWHERE.answer, Vec::new());
        let (mut same, share) = (0, books.lanes[lanes[0] as usize].place);
        for (row, lane) in lanes.iter().enumerate() {
            rows.take(*lane as usize, |out| self.row(&beside, row, out));
            let lane = &mut books.lanes[*lane as usize];
            (lane.state, lane.is_in_between) = (State::Idle, false);
            let shown = std::mem::replace(&mut lane.shown, Place { answer, row: row as u32 });
            if shown.answer != before {
                left.push((before, std::mem::take(&mut same)));
                before = shown.answer;
            }
            same += 1;
        }
        left.push((before, same));
        left.into_iter().for_each(|(answer, count)| books.leave(answer, count));
        books.note_taken(share, count);
        true
    }
}

impl Books {
    /// Returns the host whose request should wait for more of its lanes. Lanes that replay operations come one by one, as their
    /// replies are taken, and their operations are sent together. The next waiting thread sends them.
    fn waiting(&mut self, lanes: &[u32], mail: &Mail) -> Option<usize> {
        let [lane] = lanes else {
            let mut before = u32::MAX;
            for index in lanes.iter().map(|lane| self.lanes[*lane as usize].place) {
                let share = &mut self.shares[index as usize];
                if index != before && share.untaken == 0 && mail.ways[index as usize].asked.is_empty() {
                    share.catching_up = share.catching_up.saturating_sub(1);
                }
                before = index;
            }
            return None;
        };
        let lane = &self.lanes[*lane as usize];
        let share = &self.shares[lane.place as usize];
        (share.untaken > 0 && (lane.is_in_between || share.catching_up > 0)).then_some(lane.place as usize)
    }

    /// Adds a lane's staged operation to its host's next request.
    fn ask(&mut self, index: usize, width: usize, mail: &mut Mail) {
        let lane = &mut self.lanes[index];
        let begun = &mut self.begun[index];
        let request = &mut mail.ways[lane.place as usize].request;
        let local = (index - self.shares[lane.place as usize].first) as u32;
        match std::mem::replace(begun, Begun::Nothing) {
            Begun::Step => {
                request.steps.push(local);
                request.actions.extend_from_slice(&self.actions[index * width..][..width]);
            }
            Begun::Reset(reset) => request.reset(local, reset.0, reset.1),
            Begun::Save => request.saves.push(local),
            Begun::Load(state) => request.loads.push((local, state.into_vec())),
            Begun::Nothing => return,
        }
        lane.state = State::Asked;
    }

    /// Stores the reply of some lanes of a host; ignored unless all of them have a pending operation.
    fn keep(&mut self, place: usize, told: Told) {
        let share = &mut self.shares[place];
        let Told { mut lanes, what } = told;
        let asked =
            |local: &u32| (*local as usize) < share.lanes && self.lanes[share.first + *local as usize].state == State::Asked;
        if lanes.is_empty() || !lanes.iter().all(asked) {
            return;
        }
        lanes.iter_mut().for_each(|lane| *lane += share.first as u32);
        let answer = self.free.pop().unwrap_or(self.kept.len() as u32);
        for (row, lane) in (0..).zip(&lanes) {
            let lane = &mut self.lanes[*lane as usize];
            (lane.state, lane.answered) = (State::Answered, Place { answer, row });
        }
        share.untaken += lanes.len();
        self.untaken += lanes.len();
        self.answers += 1;
        let is_gone = |kept: &[Option<Kept>], (answer, number): (u32, u64)| {
            kept.get(answer as usize).and_then(Option::as_ref).is_none_or(|kept| kept.number != number)
        };
        while self.order.front().is_some_and(|front| is_gone(&self.kept, *front)) {
            self.order.pop_front();
        }
        self.order.push_back((answer, self.answers));
        let kept = Some(Kept { users: lanes.len(), untaken: lanes.len(), lanes, what, number: self.answers });
        match self.kept.get_mut(answer as usize) {
            Some(free) => *free = kept,
            None => self.kept.push(kept),
        }
    }

    fn note_taken(&mut self, place: u32, count: usize) {
        self.shares[place as usize].untaken -= count;
        self.untaken -= count;
        if self.untaken == 0 {
            self.order.clear();
        }
    }

    /// Releases a stored reply for `count` lanes, and removes it after the last one.
    fn leave(&mut self, answer: u32, count: usize) {
        let Some(place) = self.kept.get_mut(answer as usize) else { return };
        let Some(kept) = place else { return };
        kept.users -= count;
        if kept.users == 0 {
            *place = None;
            self.free.push(answer);
        }
    }

    /// Sets the row of a lane's last observation. The lane is already counted as a user of the row's reply.
    fn show(&mut self, lane: usize, place: Place) {
        let before = std::mem::replace(&mut self.lanes[lane].shown, place);
        self.leave(before.answer, 1);
    }

    /// Returns the stored reply with this index, if it still has this sequence number.
    fn answer(&self, (answer, number): (u32, u64)) -> Option<&Kept> {
        self.kept[answer as usize].as_ref().filter(|kept| kept.number == number)
    }

    /// Whether a lane's reply is `answer`, and has not been taken.
    fn is_there(&self, lane: u32, answer: u32) -> bool {
        let lane = &self.lanes[lane as usize];
        lane.state == State::Answered && lane.answered.answer == answer
    }
}

impl Mail {
    /// Encodes the requests of all hosts except the one that `waiting` names.
    fn close_requests(&mut self, waiting: Option<usize>) {
        for (index, way) in self.ways.iter_mut().enumerate() {
            if way.request.is_empty() || waiting == Some(index) {
                continue;
            }
            let request = std::mem::take(&mut way.request);
            way.requests += 1;
            way.unsent.push_back((way.requests, request.encode()));
            way.asked.push_back((way.requests, request.into_lanes()));
        }
    }
}

impl Outside for RemoteLanes {
    fn begin(&self, lane: usize, asked: Asked<'_>) -> Result<()> {
        let books = &mut *self.enter();
        let action = &mut books.actions[lane * self.width..][..self.width];
        books.begun[lane] = match asked {
            Asked::Step { action: given, .. } => {
                self.write_action(action, given);
                Begun::Step
            }
            Asked::Next { .. } => {
                // The host knows that the episode has ended, and ignores the action.
                action.fill(0);
                Begun::Step
            }
            Asked::Reset { seed, options } => Begun::Reset(Box::new((seed, plain_options(options)))),
            Asked::Save => Begun::Save,
            Asked::Load(state) => Begun::Load(state.into()),
            Asked::Call(_) => return Err(Error::State("environments of remote hosts accept no calls".into())),
        };
        Ok(())
    }

    fn ring(&self, lanes: &[u32]) {
        let books = &mut *self.enter();
        let mut mail = self.mail();
        let waiting = books.waiting(lanes, &mail);
        lanes.iter().for_each(|lane| books.ask(*lane as usize, self.width, &mut mail));
        mail.close_requests(waiting);
        // The waiting thread retries requests that cannot be sent.
        let _told_then = self.send(&mut mail);
    }

    fn begin_steps(&self, _steps: &Steps<'_>) -> Result<()> {
        Ok(()) // no step is too long, and `ring_steps` writes the steps
    }

    fn ring_steps(&self, steps: &Steps<'_>) {
        let books = &mut *self.enter();
        let mut mail = self.mail();
        let waiting = books.waiting(steps.lanes(), &mail);
        let mut item = 0;
        for lanes in steps.lanes().chunk_by(|one, next| books.lanes[*one as usize].place == books.lanes[*next as usize].place) {
            let place = books.lanes[lanes[0] as usize].place as usize;
            let (first, request) = (books.shares[place].first as u32, &mut mail.ways[place].request);
            request.steps.extend(lanes.iter().map(|lane| lane - first));
            self.append_actions(&mut request.actions, steps.actions(), item..item + lanes.len());
            item += lanes.len();
        }
        steps.lanes().iter().for_each(|lane| books.lanes[*lane as usize].state = State::Asked);
        mail.close_requests(waiting);
        // The waiting thread retries requests that cannot be sent.
        let _told_then = self.send(&mut mail);
    }

    fn has_answered(&self, lane: usize) -> bool {
        let books = &mut *self.enter();
        self.look(books);
        books.lanes[lane].state == State::Answered
    }

    fn first_answered(&self, most: usize, found: &mut Vec<u32>) {
        let books = &mut *self.enter();
        self.look(books);
        let there = books.order.iter().filter_map(|place| Some((place.0, books.answer(*place)?)));
        let lanes = there.flat_map(|(answer, kept)| kept.lanes.iter().map(move |lane| (answer, *lane)));
        found.extend(lanes.filter(|(answer, lane)| books.is_there(*lane, *answer)).map(|(_, lane)| lane).take(most));
    }

    fn wait(&self, _wanted: Wanted<'_>, until: Instant) -> Result<()> {
        {
            let mut mail = self.mail();
            mail.close_requests(None);
            self.send(&mut mail)?;
        }
        let arrivals = self.carrier.wait(until)?;
        if !arrivals.is_empty() {
            self.mail().arrivals.extend(arrivals);
            self.has_arrivals.store(true, Ordering::Release);
        }
        Ok(())
    }

    fn finish(&self, lane: usize, out: &mut RowOut<'_>) -> Answer {
        self.take(&mut self.enter(), lane, out)
    }

    fn finish_rows(&self, rows: &mut RowsOut<'_>) {
        let books = &mut *self.enter();
        self.look(books);
        let there: Vec<_> = books.order.iter().filter(|place| books.answer(**place).is_some()).map(|place| place.0).collect();
        for answer in there {
            if self.take_run(books, answer, rows) {
                continue;
            }
            let kept = books.kept[answer as usize].as_ref().filter(|kept| kept.untaken > 0);
            let lanes: Vec<_> = kept.into_iter().flat_map(|kept| &kept.lanes).copied().collect();
            for lane in lanes.into_iter().filter(|lane| books.is_there(*lane, answer)).collect::<Vec<_>>() {
                rows.take(lane as usize, |out| self.take(books, lane as usize, out));
            }
        }
    }

    fn show(&self, lane: usize, out: &mut RowOut<'_>) -> Option<Message> {
        let books = &*self.enter();
        let place = books.lanes[lane].shown;
        let kept = books.kept.get(place.answer as usize)?.as_ref()?;
        if let What::Rows(rows) | What::Shown(rows) = &kept.what {
            self.parts.copy(rows.bytes(), kept.lanes.len(), place.row as usize, out);
        }
        None
    }

    fn notice(&self) {
        while let Some(lost) = self.carrier.lost() {
            self.noticed.lock().unwrap_or_else(PoisonError::into_inner).push(lost);
        }
    }

    fn look_around(&self) -> Option<Death> {
        let (place, fault) = self.noticed.lock().unwrap_or_else(PoisonError::into_inner).pop()?;
        let books = &mut *self.enter();
        self.look(books);
        let Share { first, lanes, .. } = books.shares[place];
        let lanes: Vec<_> = (first..first + lanes).map(|lane| lane as u32).collect();
        let lost = lanes.iter().copied().filter(|lane| books.lanes[*lane as usize].state == State::Asked);
        let lost: Vec<_> = lost.collect();
        lost.iter().for_each(|lane| books.lanes[*lane as usize].state = State::Idle);
        let way = &mut self.mail().ways[place];
        way.request = Request::default();
        way.unsent.clear();
        way.asked.clear();
        Some(Death { place, lanes, lost, fault })
    }

    fn renew(&self, place: usize) -> Result<(), Fault> {
        let next = self.mail().ways[place].requests + 1;
        self.carrier.renew(place, next)?;
        self.enter().shares[place].catching_up = 2;
        Ok(())
    }

    fn close(&self, until: Instant, by_force: bool) -> Vec<Fault> {
        self.carrier.close(until, by_force)
    }
}
