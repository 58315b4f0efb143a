//! All translations of a cartridge: made when they are first needed, used by all threads.
//!
//! Code is written once, into fresh memory that becomes executable only when it is not writable any more; it is never changed. What
//! connects pieces of code is data: a variable for each place of the program, which holds where its translation begins. Before there is
//! one, that is where code is left.
//!
//! All of that is a generation. When its code has become too much, another one is begun with nothing in it, and is filled with what is
//! executed from then on. The old one goes as soon as no thread can be in it any more; until then no third one is begun, and what is
//! missing is interpreted. So the code of a cartridge has bounds, however its program jumps about.
//!
//! One thread translates at a time; others interpret meanwhile. Nobody waits, so that a process that is forked while somebody translates
//! only goes without further translations.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crossbeam_epoch::{Atomic, Guard, Owned, Shared};
use dynasmrt::cache_control::{prepare_for_execution, synchronize_icache};
use memmap2::{Mmap, MmapMut};

#[cfg(target_arch = "aarch64")]
use super::aarch64::Aarch64 as Host;
use super::blocks::Block;
use super::code::{Enter, Left, Links, left};
use super::cost::Cost;
use super::emitter::Emitter;
use super::layout::{Layout, PAGES, Place};
#[cfg(target_arch = "x86_64")]
use super::x86_64::X86 as Host;
use crate::cartridge::{Cartridge, Scheme};
use crate::image::Image;
use crate::machine::Machine;

/// Blocks that are translated at once.
const MOST_BLOCKS: usize = 512;
/// Generations that there are at once: one that is filled, and one that goes.
const MOST_GENERATIONS: usize = 2;
/// Why code cannot be put together.
const TOO_LARGE: &str = "a piece of code has become too large";
/// Places of a page.
const PLACES: usize = 256;

/// Where the translations of 256 places begin.
#[derive(Debug)]
#[repr(transparent)]
struct Page([AtomicPtr<u8>; PLACES]);

impl Page {
    fn new(code: *const u8) -> Box<Self> {
        Box::new(Self(std::array::from_fn(|_| AtomicPtr::new(code.cast_mut()))))
    }
}

/// What there is at a place.
pub(super) enum Found {
    Code(*const u8),
    /// An instruction that is the interpreter's.
    Interpreter,
    /// No translation, and none can be made now.
    Nothing,
}

/// What all generations have come to.
#[derive(Debug, Default)]
struct Alive {
    generations: AtomicUsize,
    bytes: AtomicUsize,
}

/// Translations that go together.
#[derive(Debug)]
pub(super) struct Generation {
    /// For each view, and each high byte of the program counter.
    pages: Box<[AtomicPtr<Page>]>,
    /// The page of all places that have none.
    nowhere: Box<Page>,
    /// The code. Only the thread that translates adds to it.
    code: Mutex<Vec<Mmap>>,
    alive: Arc<Alive>,
}

impl Generation {
    fn new(views: usize, missing: *const u8, alive: &Arc<Alive>) -> Self {
        alive.generations.fetch_add(1, Ordering::Relaxed);
        let nowhere = Page::new(missing);
        let pages = (0..views * PAGES).map(|_| AtomicPtr::new(ptr::from_ref(&*nowhere).cast_mut())).collect();
        Self { pages, nowhere, code: Mutex::default(), alive: Arc::clone(alive) }
    }

    #[inline]
    fn look(&self, at: Place) -> *const u8 {
        let page = self.pages[usize::from(at.view) * PAGES + usize::from(at.pc >> 8)].load(Ordering::Acquire);
        // SAFETY: pages stay as long as the generation.
        let page = unsafe { &*page };
        page.0[usize::from(at.pc & 0xff)].load(Ordering::Acquire)
    }

    fn publish(&self, at: Place, code: *const u8) {
        self.slot(at).store(code.cast_mut(), Ordering::Release);
    }

    /// The variable of a place. Only the thread that translates calls this.
    fn slot(&self, at: Place) -> &AtomicPtr<u8> {
        let page = &self.pages[usize::from(at.view) * PAGES + usize::from(at.pc >> 8)];
        let mut found = page.load(Ordering::Acquire);
        if ptr::eq(found, &raw const *self.nowhere) {
            found = Box::into_raw(Page::new(self.nowhere.0[0].load(Ordering::Relaxed)));
            page.store(found, Ordering::Release);
        }
        // SAFETY: pages stay as long as the generation.
        &unsafe { &*found }.0[usize::from(at.pc & 0xff)]
    }

    /// Keeps code. Returns how many bytes of it there are now.
    fn keep(&self, memory: Mmap) -> usize {
        self.alive.bytes.fetch_add(memory.len(), Ordering::Relaxed);
        let mut code = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        code.push(memory);
        code.iter().map(|memory| memory.len()).sum()
    }
}

impl Drop for Generation {
    fn drop(&mut self) {
        for page in &mut self.pages {
            let page = *page.get_mut();
            if !ptr::eq(page, &raw const *self.nowhere) {
                // SAFETY: `slot` has made it from a box, for this entry alone, and nobody uses the generation any more.
                drop(unsafe { Box::from_raw(page) });
            }
        }
        let code = mem::take(self.code.get_mut().unwrap_or_else(PoisonError::into_inner));
        self.alive.bytes.fetch_sub(code.iter().map(|memory| memory.len()).sum(), Ordering::Relaxed);
        drop(code);
        self.alive.generations.fetch_sub(1, Ordering::Release);
    }
}

/// All translations of a cartridge.
#[derive(Debug)]
pub struct Translations {
    layout: Layout,
    /// The function by which code is entered, and where it is left to the interpreter, and for what is missing.
    entrance: Mmap,
    enter: Enter,
    interpret: *const u8,
    missing: *const u8,
    /// Bytes of code after which another generation is begun.
    most_bytes: usize,
    generation: Atomic<Generation>,
    alive: Arc<Alive>,
    writer: Mutex<Writer>,
}

// SAFETY: code and pages are written before they are published, through atomic variables, and stay as long as threads may be in them; what
// the raw pointers point to is code, which nobody writes.
unsafe impl Send for Translations {}
// SAFETY: as above.
unsafe impl Sync for Translations {}

/// What only the thread that translates changes.
#[derive(Debug, Default)]
struct Writer {
    cost: Cost,
    /// Bytes of the generation's code.
    bytes: usize,
    /// Why no more code can be made.
    refusal: Option<String>,
}

impl Translations {
    /// Returns translations that are discarded and restarted after this number of bytes of code.
    ///
    /// # Errors
    /// Why memory cannot be made executable.
    pub(crate) fn new(image: Arc<Image>, scheme: Scheme, most_bytes: usize) -> Result<Self, String> {
        let layout = Layout::new(image, scheme);
        let mut links = NoLinks;
        let mut emitter = Emitter::<Host>::new(&layout, &mut links, std::iter::empty());
        emitter.entrance();
        let code = emitter.finish().ok_or(TOO_LARGE)?;
        let entrance = executable(&code.bytes)?;
        let start = entrance.as_ptr();
        // SAFETY: the code begins with the function that `entrance` has written, of this type.
        let enter = unsafe { mem::transmute::<*const u8, Enter>(start) };
        let (interpret, missing) = (start.wrapping_add(code.interpret), start.wrapping_add(code.missing));
        let alive = Arc::<Alive>::default();
        let generation = Atomic::new(Generation::new(layout.views(), missing, &alive));
        let cost = Cost { generations: 1, ..Cost::default() };
        let writer = Mutex::new(Writer { cost, ..Writer::default() });
        Ok(Self { layout, entrance, enter, interpret, missing, most_bytes, generation, alive, writer })
    }

    /// Whether a machine has the cartridge in it of which these are the translations.
    pub(super) fn is_of(&self, machine: &Machine) -> bool {
        Arc::ptr_eq(&self.layout.image, &machine.image) && self.layout.scheme == machine.state.cartridge.scheme()
    }

    /// The image that they are translations of.
    pub(super) fn image(&self) -> &Image {
        &self.layout.image
    }

    /// Whether a cartridge's state is one that translations are made for.
    pub(super) fn fits(&self, cartridge: &Cartridge) -> bool {
        self.layout.is_regular(cartridge)
    }

    /// The view that a cartridge shows at a program counter.
    pub(super) fn view(&self, cartridge: &Cartridge, pc: u16) -> u8 {
        self.layout.view(cartridge, pc)
    }

    /// What has been translated so far.
    pub fn cost(&self) -> Cost {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        Cost { bytes: self.entrance.len() + self.alive.bytes.load(Ordering::Relaxed), ..writer.cost }
    }

    /// Why no more is translated, and what is missing is interpreted, if that is so.
    pub fn refusal(&self) -> Option<String> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).refusal.clone()
    }

    /// The generation that is filled. It stays as long as the guard.
    #[inline]
    pub(super) fn generation<'g>(&self, guard: &'g Guard) -> &'g Generation {
        // SAFETY: there always is one, and one that is replaced goes only after all guards that there are then.
        unsafe { self.generation.load(Ordering::Acquire, guard).deref() }
    }

    /// What there is at a place, translated now if it is not yet. That may begin another generation, which is the caller's then.
    #[inline]
    pub(super) fn find<'g>(&self, at: Place, generation: &mut &'g Generation, guard: &'g Guard) -> Found {
        match generation.look(at) {
            code if code == self.missing => {
                self.translate(at, guard);
                *generation = self.generation(guard);
                match generation.look(at) {
                    code if code == self.missing => Found::Nothing,
                    code => self.found(code),
                }
            }
            code => self.found(code),
        }
    }

    fn found(&self, code: *const u8) -> Found {
        if code == self.interpret { Found::Interpreter } else { Found::Code(code) }
    }

    /// Executes code that [`find`](Self::find) has found for the place where the machine is, while the generation stays. Returns how many
    /// instructions are left, and why the code has been left.
    pub(super) fn enter(&self, machine: &mut Machine, code: *const u8, instructions: u32, _guard: &Guard) -> (u32, Left) {
        // SAFETY: `find` finds code of this store, made for the image and the view of the machine's cartridge; that changes nothing but
        // the machine, which is borrowed for as long as it runs, and leads to nothing but code of the same generation.
        left(unsafe { (self.enter)(ptr::from_mut(machine), code, instructions) })
    }

    /// Translates what is at a place, and what can be seen to follow, unless another thread is just translating.
    #[cold]
    fn translate(&self, at: Place, guard: &Guard) {
        let Ok(mut writer) = self.writer.try_lock() else { return };
        if writer.refusal.is_some() || self.generation(guard).look(at) != self.missing {
            return;
        }
        if writer.bytes > self.most_bytes && !self.begin(&mut writer, guard) {
            return;
        }
        let generation = self.generation(guard);
        let start = Instant::now();
        let (blocks, interpreted) = self.collect(at, generation);
        let mut links = PageLinks { generation };
        let mut emitter = Emitter::<Host>::new(&self.layout, &mut links, blocks.keys().copied());
        for block in blocks.values() {
            emitter.block(block);
        }
        let code = emitter.finish().ok_or_else(|| TOO_LARGE.to_owned());
        let (memory, code) = match code.and_then(|code| Ok((executable(&code.bytes)?, code))) {
            Ok(made) => made,
            Err(refusal) => {
                writer.refusal = Some(refusal);
                return;
            }
        };
        let first = memory.as_ptr();
        writer.bytes = generation.keep(memory);
        for (place, offset) in code.entries {
            generation.publish(place, first.wrapping_add(offset));
        }
        for place in interpreted {
            generation.publish(place, self.interpret);
        }
        writer.cost.pieces += 1;
        writer.cost.time += start.elapsed();
    }

    /// Begins another generation. Not before all have gone but the one that has become too much, so that what they come to has bounds.
    fn begin(&self, writer: &mut Writer, guard: &Guard) -> bool {
        if self.alive.generations.load(Ordering::Acquire) == MOST_GENERATIONS {
            // It may be that only nobody has looked.
            guard.flush();
            return false;
        }
        let next = Owned::new(Generation::new(self.layout.views(), self.missing, &self.alive));
        let old = self.generation.swap(next, Ordering::AcqRel, guard);
        // SAFETY: nobody comes to the old one any more; those who have come to it hold guards.
        unsafe { guard.defer_destroy(old) };
        guard.flush();
        writer.bytes = 0;
        writer.cost.generations += 1;
        true
    }

    /// The blocks that the program comes to from a place, and the places of instructions that are the interpreter's.
    fn collect(&self, at: Place, generation: &Generation) -> (BTreeMap<Place, Block>, BTreeSet<Place>) {
        let (mut blocks, mut interpreted) = (BTreeMap::new(), BTreeSet::new());
        let mut queue = vec![at];
        while let Some(at) = queue.pop() {
            let is_new = !blocks.contains_key(&at) && !interpreted.contains(&at) && generation.look(at) == self.missing;
            if !is_new || blocks.len() == MOST_BLOCKS {
                continue;
            }
            let block = Block::new(&self.layout, at);
            queue.extend(block.successors(&self.layout));
            if block.instructions.is_empty() {
                interpreted.insert(at);
            } else {
                blocks.insert(at, block);
            }
        }
        (blocks, interpreted)
    }
}

impl Drop for Translations {
    fn drop(&mut self) {
        let generation = mem::replace(&mut self.generation, Atomic::from(Shared::null()));
        // SAFETY: nobody else uses the store any more, nor the generation that it has.
        drop(unsafe { generation.try_into_owned() });
    }
}

/// Links through a generation's pages.
struct PageLinks<'s> {
    generation: &'s Generation,
}

impl Links for PageLinks<'_> {
    fn slot(&mut self, at: Place) -> u64 {
        ptr::from_ref(self.generation.slot(at)) as u64
    }

    fn pages(&self, view: u8) -> u64 {
        ptr::from_ref(&self.generation.pages[usize::from(view) * PAGES]) as u64
    }
}

/// For code without blocks.
struct NoLinks;

impl Links for NoLinks {
    fn slot(&mut self, _at: Place) -> u64 {
        0
    }

    fn pages(&self, _view: u8) -> u64 {
        0
    }
}

/// Memory that holds the code and can be executed, but not written.
///
/// Where processors fetch instructions past their caches of data, no processor fetches anything else than this code there: it has left
/// those caches before the memory is executable, and whatever was fetched from the same memory in an earlier life is forgotten.
fn executable(code: &[u8]) -> Result<Mmap, String> {
    let refused = |error: std::io::Error| format!("the system refuses executable memory: {error}");
    let mut memory = MmapMut::map_anon(code.len()).map_err(refused)?;
    memory.copy_from_slice(code);
    synchronize_icache(&memory);
    let memory = memory.make_exec().map_err(refused)?;
    prepare_for_execution(&memory);
    Ok(memory)
}

/// Why this process can have no translations, if it cannot.
pub fn refusal() -> Option<String> {
    executable(&[0]).err()
}
