//! Implements the engine's trait `ForeignLanes` for the lanes of a library's environment.

use std::ffi::c_void;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use thread_local::ThreadLocal;

use crate::abi::{self, Batch};
use crate::host::env::LibraryEnv;
use crate::host::functions::seeded;
use crate::host::memory::LaneMemory;
use crate::host::table::{ERROR_SIZE, clear_error};
use crate::random::{from_pcg64, to_pcg64};
use envpool_rs_engine::{
    AlignedBuffer, Error, ForeignActions, ForeignLanes, ForeignResets, Frame, LaneSet, OutputRows, ResetOptions, Result,
};
use envpool_rs_numeric::random::{Generator, Pcg64, RandomStream};
use envpool_rs_sync::ForkMutex;

/// Maximum number of lanes in one call, except for steps.
const MOST_LANES: usize = 256;

/// Number of guard bytes after a buffer that a library fills.
const BUFFER_GUARD: usize = 64;

/// Value of each guard byte.
const GUARD_BYTE: u8 = 0xa5;

/// Initial size in bytes of the buffer for a rendered text.
const TEXT_ROOM: usize = 4096;

/// Lanes of a library's environment, with their memory.
pub struct LibraryLanes {
    pub env: Box<LibraryEnv>,
    pub memory: LaneMemory,
    /// Number of the first lane in the pool.
    pub first: usize,
    numbers: Box<[u32]>,
    /// Whether `create` has run for a lane since its last `destroy`.
    is_created: Box<[AtomicBool]>,
    scratch: ThreadLocal<AlignedBuffer>,
    /// Working memory of `destroy` in threads to which the system refuses memory; `None` if no state is ever destroyed. The
    /// library sees it as the memory of one more thread.
    spare_scratch: ForkMutex<Option<AlignedBuffer>>,
}

impl LibraryLanes {
    /// Creates lanes whose states are zeros. If the memory has an additional lane, that lane is created, too.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory in which states are destroyed.
    pub fn new(env: Box<LibraryEnv>, memory: LaneMemory, lanes: Range<usize>) -> Result<Self> {
        let numbers: Box<[u32]> = (0..memory.lanes() as u32).collect();
        let is_created = numbers.iter().map(|_| AtomicBool::new(false)).collect();
        let scratch_size = env.view.destroy.map_or(0, |_| env.view.scratch_size as usize);
        let spare_scratch = ForkMutex::new((scratch_size > 0).then(|| AlignedBuffer::new(scratch_size)).transpose()?);
        Ok(Self { env, memory, first: lanes.start, numbers, is_created, scratch: ThreadLocal::new(), spare_scratch })
    }

    /// Returns the calling thread's working memory; null if the environment needs none.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory.
    #[inline]
    pub fn scratch(&self) -> Result<*mut c_void> {
        match self.env.view.scratch_size {
            0 => Ok(std::ptr::null_mut()),
            size => Ok(self.scratch.get_or_try(|| AlignedBuffer::new(size as usize))?.data().cast()),
        }
    }

    /// Returns the maximum number of lanes in one call.
    fn most_lanes(&self) -> usize {
        match self.env.view.most_lanes as usize {
            0 => MOST_LANES,
            most => most.min(MOST_LANES),
        }
    }

    /// Creates the states of all lanes.
    ///
    /// # Errors
    /// `State` with the message of the library's `create`; an error that `check` returned.
    pub fn create_all(&self, check: &mut dyn FnMut() -> Result<()>) -> Result<()> {
        for numbers in self.numbers.chunks(self.most_lanes()) {
            check()?;
            // SAFETY: no other thread has access to the lanes before `create_all` returns.
            self.create(&unsafe { LaneSet::new(numbers, true) })?;
        }
        Ok(())
    }

    /// Creates the states of these lanes. The lanes' memory must be zero.
    fn create(&self, lanes: &LaneSet<'_>) -> Result<()> {
        if let Some(create) = self.env.view.create {
            // SAFETY: `create` takes no arguments besides the lanes.
            unsafe { self.call(("create", create), lanes, self.batch(lanes)?, 0) }?;
        }
        lanes.numbers().iter().for_each(|lane| self.is_created[*lane as usize].store(true, Ordering::Relaxed));
        Ok(())
    }

    /// Destroys the states of these lanes, except those that were never created.
    fn destroy(&self, lanes: &LaneSet<'_>) {
        let is_created = |lane: &u32| self.is_created[*lane as usize].swap(false, Ordering::Relaxed);
        let created: Vec<u32> = lanes.numbers().iter().copied().filter(is_created).collect();
        let Some(destroy) = self.env.view.destroy.filter(|_| !created.is_empty()) else { return };
        let mut spare = None;
        let scratch = self.scratch().unwrap_or_else(|_| {
            spare.insert(self.spare_scratch.lock()).as_ref().map_or(std::ptr::null_mut(), |memory| memory.data().cast())
        });
        for numbers in created.chunks(self.most_lanes()) {
            // SAFETY: `numbers` is a subset of `lanes`, to which the caller has exclusive access.
            let part = unsafe { LaneSet::new(numbers, numbers.windows(2).all(|pair| pair[1] == pair[0] + 1)) };
            // A failure has no effect, because the states are not used again. SAFETY: `destroy` takes no arguments besides the
            // lanes.
            drop(unsafe { self.call(("destroy", destroy), &part, self.batch_with(&part, scratch), 0) });
        }
    }

    /// Replaces the state of a lane by a newly created state.
    ///
    /// # Errors
    /// `State` with the message of the library's `create`.
    pub fn renew(&self, lane: &LaneSet<'_>) -> Result<()> {
        self.destroy(lane);
        self.memory.clear(lane);
        self.create(lane)
    }

    /// Returns the values of reset options for a call, NaN for those that are not given; empty if no option is given.
    fn reset_values(&self, options: &ResetOptions) -> Vec<f64> {
        if options.names().next().is_none() {
            return Vec::new();
        }
        self.env.table.reset_options.iter().map(|name| options.get_or(name, f64::NAN)).collect()
    }

    /// Calls a function that writes up to `room` bytes, and calls it again with a larger buffer if the function needs one.
    /// Returns the bytes.
    ///
    /// # Errors
    /// `State` with the function's message, or if the function writes outside of the buffer.
    pub fn written(
        &self,
        (name, room): (&str, usize),
        lane: &LaneSet<'_>,
        mut call: impl FnMut(*const abi::Env, *mut Batch, *mut u8, u64, *mut u64) -> i64,
    ) -> Result<Vec<u8>> {
        let _one_call = self.env.enter();
        let (mut room, path) = (room, &self.env.table.path);
        for _ in 0..2 {
            let mut bytes = self.guarded_buffer(name, room)?;
            let (mut batch, mut length) = (self.batch(lane)?, 0);
            batch.error = clear_error();
            let code = call(self.env.address(), &raw mut batch, bytes.as_mut_ptr(), room as u64, &raw mut length);
            self.check_buffer(name, &bytes, room)?;
            if code != 0 {
                return Err(self.env.failure(name, code));
            }
            if length <= room as u64 {
                bytes.truncate(length as usize);
                return Ok(bytes);
            }
            room = path.count(&format!("length of {name}"), length, (0, 1 << 40))?;
        }
        Err(Error::State(format!("{path}: {name} needs more bytes each time it is called")))
    }

    /// Returns a buffer of `room` bytes for a function's results, with guard bytes after them.
    ///
    /// # Errors
    /// `Memory` if the system does not provide the memory.
    fn guarded_buffer(&self, name: &str, room: usize) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let refused = |_| Error::Memory(format!("{}: {name} needs {room} bytes of memory", self.env.table.path));
        bytes.try_reserve_exact(room + BUFFER_GUARD).map_err(refused)?;
        bytes.resize(room, 0);
        bytes.resize(room + BUFFER_GUARD, GUARD_BYTE);
        Ok(bytes)
    }

    /// Returns an error if a function has changed the guard bytes after a buffer of `room` bytes.
    fn check_buffer(&self, name: &str, bytes: &[u8], room: usize) -> Result<()> {
        if bytes[room..].iter().all(|byte| *byte == GUARD_BYTE) {
            return Ok(());
        }
        Err(Error::State(format!("{}: {name} wrote after the {room} bytes of its buffer", self.env.table.path)))
    }
}

impl Drop for LibraryLanes {
    fn drop(&mut self) {
        // SAFETY: `&mut self` excludes any other access to the lanes.
        self.destroy(&unsafe { LaneSet::new(&self.numbers, true) });
    }
}

impl ForeignLanes for LibraryLanes {
    fn reset_options(&self) -> &[&'static str] {
        self.env.table.reset_options
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        let values = self.reset_values(options);
        if let Some(name) = options.names().find(|name| options.get(name).is_some_and(f64::is_nan)) {
            return Err(Error::value(name, f64::NAN, "a number"));
        }
        let Some(check) = self.env.view.check_reset.filter(|_| !values.is_empty()) else { return Ok(()) };
        let _one_call = self.env.enter();
        // SAFETY: the function has this signature in the header, with a value for each reset option.
        let code = unsafe { check(self.env.address(), values.as_ptr(), clear_error(), ERROR_SIZE as u64) };
        match code {
            0 => Ok(()),
            code => Err(Error::Value(self.env.failure("check_reset", code).to_string())),
        }
    }

    fn recreate(&self, lanes: &LaneSet<'_>) -> Result<()> {
        self.destroy(lanes);
        for position in 0..lanes.numbers().len() {
            self.memory.clear(&lanes.run(position..position + 1));
        }
        self.create(lanes)
    }

    fn reset(&self, lanes: &LaneSet<'_>, resets: ForeignResets<'_>) -> Result<Option<Error>> {
        let values = self.reset_values(resets.options);
        let ended = resets.elapsed.to_vec();
        // The step counts are zero before the call, because a library whose episodes are not parts of a longer game does not
        // write them.
        resets.elapsed.fill(0);
        let batch = Batch {
            ended: ended.as_ptr(),
            cause: resets.causes.as_ptr(),
            seed: resets.seeds.as_ptr(),
            elapsed: resets.elapsed.as_mut_ptr(),
            reset_option: if values.is_empty() { std::ptr::null() } else { values.as_ptr() },
            end: resets.ends.as_mut_ptr(),
            ..self.batch(lanes)?
        };
        // SAFETY: all arrays in `batch` have an element for each lane.
        unsafe { self.call(("reset", self.env.reset), lanes, batch, 0) }
    }

    #[inline]
    fn step(
        &self,
        lanes: &LaneSet<'_>,
        actions: &ForeignActions<'_>,
        rewards: &mut [f64],
        ends: &mut [u8],
    ) -> Result<Option<Error>> {
        let batch = Batch {
            action: actions.data().as_ptr().cast(),
            action_stride: actions.strides().as_ptr(),
            reward: rewards.as_mut_ptr(),
            end: ends.as_mut_ptr(),
            ..self.batch(lanes)?
        };
        // SAFETY: all arrays in `batch` have an element for each lane, or for each of its players.
        unsafe { self.call(("step", self.env.step), lanes, batch, actions.data().len()) }
    }

    #[inline]
    fn observe(&self, lanes: &LaneSet<'_>, rows: &mut OutputRows<'_>) -> Result<()> {
        let arrays = rows.data();
        let batch = Batch { out: arrays.as_ptr().cast(), out_stride: rows.strides().as_ptr(), ..self.batch(lanes)? };
        // SAFETY: `rows` holds a row for each lane of the call, in the dtypes and sizes of the observation space.
        unsafe { self.call(("observe", self.env.observe), lanes, batch, arrays.len()) }.map(|_| ())
    }

    fn inform(&self, lanes: &LaneSet<'_>, rows: &mut OutputRows<'_>) -> Result<()> {
        let arrays = rows.data();
        let Some(inform) = self.env.view.inform.filter(|_| arrays.iter().any(|array| !array.is_null())) else { return Ok(()) };
        let batch = Batch { out: arrays.as_ptr().cast(), out_stride: rows.strides().as_ptr(), ..self.batch(lanes)? };
        // SAFETY: `rows` holds a row for each lane of the call, in the dtypes and sizes of the infos.
        unsafe { self.call(("inform", inform), lanes, batch, arrays.len()) }.map(|_| ())
    }

    fn seed(&self, lane: &LaneSet<'_>, seed: u64) {
        self.memory.set_random(lane, seeded(seed));
    }

    fn pcg64(&self, lane: &LaneSet<'_>) -> Option<Pcg64> {
        (!self.env.has(abi::OWN_RANDOM)).then(|| to_pcg64(&self.memory.random(lane)))
    }

    fn draw_options(&self, lane: &LaneSet<'_>, draw: &mut dyn FnMut(&mut Generator)) {
        let mut stream = Generator::from_pcg64(to_pcg64(&self.memory.random(lane)));
        draw(&mut stream);
        self.memory.set_random(lane, from_pcg64(stream.pcg64().expect("numpy's generator has a PCG64")));
    }

    fn set_options(&self, lane: &LaneSet<'_>, values: &[f64]) {
        self.memory.set_options(lane, values);
    }

    fn save(&self, lane: &LaneSet<'_>, bytes: &mut Vec<u8>) -> Result<()> {
        self.save_lane(lane, bytes)
    }

    fn load(&self, lane: &LaneSet<'_>, bytes: &[u8]) -> Result<()> {
        self.load_lane(lane, bytes)
    }

    fn render_frame(&self, lane: &LaneSet<'_>) -> Result<Frame> {
        let (view, path) = (&self.env.view, &self.env.table.path);
        let render = path.function("env.render", view.render)?;
        let (width, height) = (view.frame_width as usize, view.frame_height as usize);
        let room = width * height * 3;
        let mut pixels = self.guarded_buffer("render", room)?;
        let _one_call = self.env.enter();
        let mut batch = Batch { error: clear_error(), ..self.batch(lane)? };
        // SAFETY: the function has this signature in the header, and the memory has the size of a frame.
        let code = unsafe { render(self.env.address(), &raw mut batch, pixels.as_mut_ptr()) };
        self.check_buffer("render", &pixels, room)?;
        pixels.truncate(room);
        match code {
            0 => Ok(Frame::new(width as u32, height as u32, pixels)),
            code => Err(self.env.failure("render", code)),
        }
    }

    fn render_text(&self, lane: &LaneSet<'_>) -> Result<String> {
        let path = &self.env.table.path;
        let render = path.function("env.render_text", self.env.view.render_text)?;
        let bytes = self.written(("render_text", TEXT_ROOM), lane, |env, batch, bytes, room, length| {
            // SAFETY: the header declares `render_text` with this signature, and the buffer has `room` bytes.
            unsafe { render(env, batch, bytes.cast(), room, length) }
        })?;
        String::from_utf8(bytes).map_err(|_| path.refuse("text of render_text", "...", "UTF-8"))
    }
}
