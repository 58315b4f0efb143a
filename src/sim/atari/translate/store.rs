//! All translations of a cartridge: made when they are first needed, used by all threads.
//!
//! Code is written once, into fresh memory that becomes executable only when it is not writable any more; it is never changed, and lives as
//! long as the store. What connects pieces of code is data: a variable for each place of the program, which holds where its
//! translation begins. Before there is one, that is where code is left.
//!
//! One thread translates at a time; others interpret meanwhile. Nobody waits, so that a process that is forked while somebody translates
//! only goes without further translations.

use std::collections::{BTreeMap, BTreeSet};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dynasmrt::cache_control::{prepare_for_execution, synchronize_icache};
use memmap2::{Mmap, MmapMut};

#[cfg(target_arch = "aarch64")]
use super::aarch64::Emitter;
use super::blocks::Block;
use super::code::{Enter, Left, Links, left};
use super::cost::Cost;
use super::layout::{Layout, PAGES, Place};
#[cfg(target_arch = "x86_64")]
use super::x86_64::Emitter;
use crate::sim::atari::cartridge::{Cartridge, Scheme};
use crate::sim::atari::image::Image;
use crate::sim::atari::machine::Machine;

/// Blocks that are translated at once.
const MOST_BLOCKS: usize = 512;
/// Bytes of code that a cartridge may have. What comes after is interpreted.
const MOST_BYTES: usize = 4 << 20;
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

/// All translations of a cartridge.
#[derive(Debug)]
pub struct Translations {
    layout: Layout,
    enter: Enter,
    /// Where code is left to the interpreter, and where for what is missing.
    interpret: *const u8,
    missing: *const u8,
    /// For each view, and each high byte of the program counter.
    pages: Box<[AtomicPtr<Page>]>,
    /// The page of all places that have none.
    nowhere: Box<Page>,
    writer: Mutex<Writer>,
}

// SAFETY: code and pages are written before they are published, through atomic variables, and stay as long as the store; what the raw
// pointers point to is code, which nobody writes.
unsafe impl Send for Translations {}
// SAFETY: as above.
unsafe impl Sync for Translations {}

/// What only the thread that translates changes.
#[derive(Debug, Default)]
struct Writer {
    code: Vec<Mmap>,
    bytes: usize,
    /// How long translating has taken.
    time: Duration,
    /// No more code can be made.
    is_full: bool,
}

impl Translations {
    /// None where memory cannot be made executable.
    pub(in crate::sim::atari) fn new(image: Arc<Image>, scheme: Scheme) -> Option<Self> {
        let layout = Layout::new(image, scheme);
        let mut links = NoLinks;
        let mut emitter = Emitter::new(&layout, &mut links, std::iter::empty());
        emitter.entrance();
        let code = emitter.finish()?;
        let memory = executable(&code.bytes)?;
        let start = memory.as_ptr();
        // SAFETY: the code begins with the function that `entrance` has written, of this type.
        let enter = unsafe { std::mem::transmute::<*const u8, Enter>(start) };
        let (interpret, missing) = (start.wrapping_add(code.interpret), start.wrapping_add(code.missing));
        let nowhere = Page::new(missing);
        let pages = (0..layout.views() * PAGES).map(|_| AtomicPtr::new(ptr::from_ref(&*nowhere).cast_mut())).collect();
        let writer = Mutex::new(Writer { bytes: memory.len(), code: vec![memory], ..Writer::default() });
        Some(Self { layout, enter, interpret, missing, pages, nowhere, writer })
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
        Cost { bytes: writer.bytes, pieces: writer.code.len(), time: writer.time }
    }

    /// What there is at a place, translated now if it is not yet.
    #[inline]
    pub(super) fn find(&self, at: Place) -> Found {
        match self.look(at) {
            code if code == self.missing => {
                self.translate(at);
                match self.look(at) {
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

    #[inline]
    fn look(&self, at: Place) -> *const u8 {
        let page = self.pages[usize::from(at.view) * PAGES + usize::from(at.pc >> 8)].load(Ordering::Acquire);
        // SAFETY: pages stay as long as the store.
        let page = unsafe { &*page };
        page.0[usize::from(at.pc & 0xff)].load(Ordering::Acquire)
    }

    /// Executes code that [`find`](Self::find) has found for the place where the machine is. Returns how many instructions are left,
    /// and why the code has been left.
    pub(super) fn enter(&self, machine: &mut Machine, code: *const u8, instructions: u32) -> (u32, Left) {
        // SAFETY: `find` finds code of this store, made for the image and the view of the machine's cartridge; that changes nothing but
        // the machine, which is borrowed for as long as it runs.
        left(unsafe { (self.enter)(ptr::from_mut(machine), code, instructions) })
    }

    /// Translates what is at a place, and what can be seen to follow, unless another thread is just translating.
    #[cold]
    fn translate(&self, at: Place) {
        let Ok(mut writer) = self.writer.try_lock() else { return };
        if writer.is_full || self.look(at) != self.missing {
            return;
        }
        let start = Instant::now();
        let (blocks, interpreted) = self.collect(at);
        let mut links = PageLinks { store: self };
        let mut emitter = Emitter::new(&self.layout, &mut links, blocks.keys().copied());
        for block in blocks.values() {
            emitter.block(block);
        }
        let code = emitter.finish().and_then(|code| Some((executable(&code.bytes)?, code)));
        let Some((memory, code)) = code else {
            writer.is_full = true;
            return;
        };
        writer.bytes += memory.len();
        writer.is_full = writer.bytes > MOST_BYTES;
        for (place, offset) in code.entries {
            self.publish(place, memory.as_ptr().wrapping_add(offset));
        }
        for place in interpreted {
            self.publish(place, self.interpret);
        }
        writer.code.push(memory);
        writer.time += start.elapsed();
    }

    /// The blocks that the program comes to from a place, and the places of instructions that are the interpreter's.
    fn collect(&self, at: Place) -> (BTreeMap<Place, Block>, BTreeSet<Place>) {
        let (mut blocks, mut interpreted) = (BTreeMap::new(), BTreeSet::new());
        let mut queue = vec![at];
        while let Some(at) = queue.pop() {
            let is_new = !blocks.contains_key(&at) && !interpreted.contains(&at) && self.look(at) == self.missing;
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

    fn publish(&self, at: Place, code: *const u8) {
        self.slot(at).store(code.cast_mut(), Ordering::Release);
    }

    /// The variable of a place. Only the thread that translates calls this.
    fn slot(&self, at: Place) -> &AtomicPtr<u8> {
        let page = &self.pages[usize::from(at.view) * PAGES + usize::from(at.pc >> 8)];
        let mut found = page.load(Ordering::Acquire);
        if ptr::eq(found, &raw const *self.nowhere) {
            found = Box::into_raw(Page::new(self.missing));
            page.store(found, Ordering::Release);
        }
        // SAFETY: pages stay as long as the store.
        &unsafe { &*found }.0[usize::from(at.pc & 0xff)]
    }
}

impl Drop for Translations {
    fn drop(&mut self) {
        for page in &mut self.pages {
            let page = *page.get_mut();
            if !ptr::eq(page, &raw const *self.nowhere) {
                // SAFETY: `slot` has made it from a box, for this entry alone, and nobody uses the store any more.
                drop(unsafe { Box::from_raw(page) });
            }
        }
    }
}

/// Links through a store's pages.
struct PageLinks<'s> {
    store: &'s Translations,
}

impl Links for PageLinks<'_> {
    fn slot(&mut self, at: Place) -> u64 {
        ptr::from_ref(self.store.slot(at)) as u64
    }

    fn pages(&self, view: u8) -> u64 {
        ptr::from_ref(&self.store.pages[usize::from(view) * PAGES]) as u64
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
fn executable(code: &[u8]) -> Option<Mmap> {
    let mut memory = MmapMut::map_anon(code.len()).ok()?;
    memory.copy_from_slice(code);
    synchronize_icache(&memory);
    let memory = memory.make_exec().ok()?;
    prepare_for_execution(&memory);
    Some(memory)
}
