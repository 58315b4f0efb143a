//! The lanes themselves.

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

/// What a lane is asked, until its place is.
enum Begun {
    Nothing,
    /// The action is among the actions.
    Step,
    Reset(Box<Reset>),
    Save,
    Load(Box<[u8]>),
}

/// Its seed and options.
type Reset = (Option<u64>, Vec<(String, f64)>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    /// Its place has it, or is about to.
    Asked,
    Answered,
}

/// A row of an answer.
#[derive(Clone, Copy)]
struct Place {
    answer: u32,
    row: u32,
}

const NOWHERE: Place = Place { answer: u32::MAX, row: 0 };

struct Lane {
    state: State,
    /// What it answered last was no row: what it is asked next follows at once.
    is_in_between: bool,
    place: u32,
    /// What it has answered.
    answered: Place,
    /// What it showed last.
    shown: Place,
}

/// What some lanes answered, as long as one of them has not been taken, or shows it.
struct Kept {
    lanes: Vec<u32>,
    what: What,
    users: usize,
    /// How many of the lanes have not been taken.
    untaken: usize,
    /// Its number among all answers.
    number: u64,
}

/// A place's lanes.
struct Share {
    first: usize,
    lanes: usize,
    /// Lanes whose answers were not taken.
    untaken: usize,
    /// It was made anew: until so many requests have begun while it was idle, its lanes may be on their way to where they were.
    catching_up: u32,
}

/// What is known of the lanes.
struct Books {
    lanes: Vec<Lane>,
    /// What each is asked, one by one.
    begun: Vec<Begun>,
    shares: Vec<Share>,
    /// The action of each lane: all its arrays, one behind the other.
    actions: Vec<u8>,
    kept: Vec<Option<Kept>>,
    /// Free places among those.
    free: Vec<u32>,
    /// Answers in the order in which they came, with their numbers; those whose number is another now are gone.
    order: VecDeque<(u32, u64)>,
    answers: u64,
    untaken: usize,
}

/// What goes to a place.
#[derive(Default)]
struct Way {
    /// What it will be asked next.
    request: Request,
    /// Encoded, and not sent.
    unsent: VecDeque<(u64, Vec<u8>)>,
    /// Lanes of each request that has no answer, counted within the place.
    asked: VecDeque<(u64, Vec<u32>)>,
    requests: u64,
}

/// What goes to places and comes from them.
struct Mail {
    ways: Vec<Way>,
    arrivals: Vec<Arrival>,
}

/// A pool of environments that live in places which `carrier` reaches, so many in each, idle, whose answers have the columns `parts`.
///
/// # Errors
/// As [`Pool::outside`]; `State` where there are more or fewer environments in all places than in the pool.
pub fn pool(
    carrier: Box<dyn Carrier>,
    shares: &[usize],
    parts: Parts,
    form: Form,
    config: PoolConfig,
    outputs: Outputs,
) -> Result<Pool> {
    if shares.iter().sum::<usize>() != config.num_envs {
        return Err(Error::State("the places have another number of environments than the pool".into()));
    }
    let lanes = RemoteLanes::new(carrier, shares, form.keys.clone(), parts, config.has_final_columns());
    Pool::outside(Box::new(lanes), form, config, outputs)
}

/// Environments of places that a [`Carrier`] reaches. Its methods rely on who calls them: it is a pool's alone.
struct RemoteLanes {
    carrier: Box<dyn Carrier>,
    keys: Vec<ActionKey>,
    /// Bytes of an action.
    width: usize,
    parts: Parts,
    /// An episode that ends is followed by the next in the same row.
    ends_anew: bool,
    /// For whoever has the pool's lock.
    books: Alone<Books>,
    /// For whoever waits, too.
    mail: Mutex<Mail>,
    has_arrivals: AtomicBool,
    /// Places whose loss was noticed and not yet told.
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

    /// What is known of the lanes.
    #[inline(always)]
    fn enter(&self) -> Turn<'_, Books> {
        // SAFETY: nobody but a pool has this value (see `pool`), which calls all methods that get here one at a time, under its lock; none
        // of them calls another one.
        unsafe { self.books.enter() }
    }

    fn mail(&self) -> MutexGuard<'_, Mail> {
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends what is waiting to be sent.
    fn send(&self, mail: &mut Mail) -> Result<()> {
        for (place, way) in mail.ways.iter_mut().enumerate() {
            while let Some((number, request)) = way.unsent.front() {
                self.carrier.send(place, *number, request)?;
                way.unsent.pop_front();
            }
        }
        Ok(())
    }

    /// Takes in what has come.
    #[cold]
    fn open(&self, books: &mut Books) {
        let mut mail = self.mail();
        self.has_arrivals.store(false, Ordering::Relaxed);
        for arrival in std::mem::take(&mut mail.arrivals) {
            let Arrival { place, number, answer } = arrival;
            let way = &mut mail.ways[place];
            let Some(asked) = way.asked.iter().position(|(asked, _)| *asked == number) else { continue };
            let (_, lanes) = way.asked.remove(asked).expect("it was found there");
            let unreadable = || Fault::raised("its place gave an answer that is none", Vec::new());
            let (fault, told) = match answer {
                Ok(bytes) => (unreadable(), told(bytes, &self.parts).unwrap_or_default()),
                Err(fault) => (fault, Vec::new()),
            };
            told.into_iter().for_each(|told| books.keep(place, told));
            // Whoever has no answer now will never have one.
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

    /// Appends rows of action arrays, each row's arrays one behind the other.
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

    /// Takes the answer of a lane.
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

    /// What a row says beside its arrays.
    #[inline]
    fn row(&self, rows: &Rows<'_>, row: usize, out: &mut RowOut<'_>) -> Answer {
        let answered = rows.answered(row, out.rewards);
        let ended_anew = self.ends_anew && (answered.terminated || answered.truncated);
        Answer::Row(Answered { ended_anew, ..answered })
    }

    /// Takes all rows of an answer if nobody has taken one, and they are waited for in their order; says whether it did.
    fn take_run(&self, books: &mut Books, answer: u32, rows: &mut RowsOut<'_>) -> bool {
        let kept = &mut books.kept[answer as usize];
        let is_whole = |kept: &&mut Kept| kept.untaken == kept.lanes.len() && matches!(kept.what, What::Rows(_));
        let Some(Kept { lanes, what: What::Rows(bytes), untaken, .. }) = kept.as_mut().filter(is_whole) else { return false };
        let Some(run) = rows.run(lanes) else { return false };
        *untaken = 0;
        let (bytes, count) = (bytes.bytes(), lanes.len());
        self.parts.copy_all(bytes, count, run, rows);
        let beside = self.parts.rows(bytes, count);
        // What they showed before, mostly rows of one answer.
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
    /// Whether what these lanes are asked is to be sent with what others of their place will be: those that have to do something before
    /// what they were asked come one by one, as their answers are taken. Whoever waits next sends it.
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

    /// Adds what a lane is asked to its place's next request.
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

    /// Notes what some lanes of a place answered, all of which were asked.
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

    /// Lets go of an answer that so many lanes do not look at any more.
    fn leave(&mut self, answer: u32, count: usize) {
        let Some(place) = self.kept.get_mut(answer as usize) else { return };
        let Some(kept) = place else { return };
        kept.users -= count;
        if kept.users == 0 {
            *place = None;
            self.free.push(answer);
        }
    }

    /// Has a lane show a row from now on, whose user it is already.
    fn show(&mut self, lane: usize, place: Place) {
        let before = std::mem::replace(&mut self.lanes[lane].shown, place);
        self.leave(before.answer, 1);
    }

    /// The answer of that number in its place, if it is still there.
    fn answer(&self, (answer, number): (u32, u64)) -> Option<&Kept> {
        self.kept[answer as usize].as_ref().filter(|kept| kept.number == number)
    }

    /// Whether a lane has answered by that answer, and has not been taken.
    fn is_there(&self, lane: u32, answer: u32) -> bool {
        let lane = &self.lanes[lane as usize];
        lane.state == State::Answered && lane.answered.answer == answer
    }
}

impl Mail {
    /// Closes the requests of all places but one that is waiting for more of its lanes.
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
                // Its place knows that the episode has ended, and does not look at the action.
                action.fill(0);
                Begun::Step
            }
            Asked::Reset { seed, options } => Begun::Reset(Box::new((seed, plain_options(options)))),
            Asked::Save => Begun::Save,
            Asked::Load(state) => Begun::Load(state.into()),
            Asked::Call(_) => return Err(Error::State("environments of places understand no calls".into())),
        };
        Ok(())
    }

    fn ring(&self, lanes: &[u32]) {
        let books = &mut *self.enter();
        let mut mail = self.mail();
        let waiting = books.waiting(lanes, &mail);
        lanes.iter().for_each(|lane| books.ask(*lane as usize, self.width, &mut mail));
        mail.close_requests(waiting);
        // What cannot be sent is tried again by whoever waits.
        let _told_then = self.send(&mut mail);
    }

    fn begin_steps(&self, _steps: &Steps<'_>) -> Result<()> {
        Ok(()) // nothing of them is too long, and they are written down when they are rung for
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
        // What cannot be sent is tried again by whoever waits.
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
