//! Code cache of a cartridge: code compiled on demand, shared by threads.
//!
//! Code is written once, into new memory that becomes executable only after it is no longer writable, and is never changed.
//! Jumps between pieces of code go through variables: for each location of the program, a variable holds the address of the
//! location's code. Before a location is compiled, its variable holds the address of the exit for missing code.
//!
//! These variables and their code form a generation. When a generation has too much code, an empty generation replaces it. The
//! new generation is filled with the code that is executed from then on. The old generation is freed when no thread can execute
//! its code any more. Until then, no third generation is started, and missing code is interpreted. So the size of a cartridge's
//! code is bounded for every program.
//!
//! One thread compiles at a time; other threads interpret meanwhile. No thread waits for the compiler's lock. So if a process
//! is forked during a compilation, the child does not block; it only cannot compile.

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
use super::basic_block::BasicBlock;
use super::code_blob::{BlockLinks, Enter, ExitReason, decode_exit};
use super::emitter::Emitter;
use super::memory_map::{GuestPc, MemoryMap, PAGES};
use super::stats::CacheStats;
#[cfg(target_arch = "x86_64")]
use super::x86_64::X86 as Host;
use crate::cartridge::{BankSwitching, Cartridge};
use crate::machine::Machine;
use crate::rom_image::RomImage;

/// Maximum number of blocks per compilation.
const MAX_BLOCKS: usize = 512;
/// Maximum number of generations that exist at the same time: one that is being filled, and an old one that is still in use.
const MAX_GENERATIONS: usize = 2;
/// Message that a piece of code cannot be assembled, because its size exceeds the assembler's limits.
const TOO_LARGE: &str = "a piece of code has become too large";
/// Number of program locations per page of code addresses.
const PAGE_SIZE: usize = 256;

/// Variables that hold the code addresses of 256 consecutive program counters.
#[derive(Debug)]
#[repr(transparent)]
struct Page([AtomicPtr<u8>; PAGE_SIZE]);

impl Page {
    fn new(code: *const u8) -> Box<Self> {
        Box::new(Self(std::array::from_fn(|_| AtomicPtr::new(code.cast_mut()))))
    }
}

/// Result of looking up a program location.
pub(super) enum Lookup {
    Code(*const u8),
    /// The interpreter must execute the instruction at the program location.
    Interpreter,
    /// The program location has no code, and no code can be compiled for it now.
    Missing,
}

/// Number of generations that have not been freed, and the number of bytes of all their code.
#[derive(Debug, Default)]
struct LiveTotals {
    generations: AtomicUsize,
    bytes: AtomicUsize,
}

/// Generation of the code cache: compiled code, and the variables that link it.
#[derive(Debug)]
pub(super) struct Generation {
    /// Pages of code addresses, indexed by view (bank or slice number) and by the high byte of the program counter.
    pages: Box<[AtomicPtr<Page>]>,
    /// Page for all program counters without a page of their own; each of its code addresses is the exit for missing code.
    missing_page: Box<Page>,
    /// Memory regions that contain the code. Only the compiling thread adds regions.
    code: Mutex<Vec<Mmap>>,
    totals: Arc<LiveTotals>,
}

impl Generation {
    fn new(views: usize, missing: *const u8, alive: &Arc<LiveTotals>) -> Self {
        alive.generations.fetch_add(1, Ordering::Relaxed);
        let nowhere = Page::new(missing);
        let pages = (0..views * PAGES).map(|_| AtomicPtr::new(ptr::from_ref(&*nowhere).cast_mut())).collect();
        Self { pages, missing_page: nowhere, code: Mutex::default(), totals: Arc::clone(alive) }
    }

    #[inline]
    fn lookup(&self, at: GuestPc) -> *const u8 {
        let page = self.pages[usize::from(at.view) * PAGES + usize::from(at.pc >> 8)].load(Ordering::Acquire);
        // SAFETY: `pages` points to pages that live as long as the generation, whose `Drop` frees them.
        let page = unsafe { &*page };
        page.0[usize::from(at.pc & 0xff)].load(Ordering::Acquire)
    }

    fn publish(&self, at: GuestPc, code: *const u8) {
        self.slot(at).store(code.cast_mut(), Ordering::Release);
    }

    /// Returns the variable that holds the code address of a program location. Only the compiling thread calls this function.
    fn slot(&self, at: GuestPc) -> &AtomicPtr<u8> {
        let page = &self.pages[usize::from(at.view) * PAGES + usize::from(at.pc >> 8)];
        let mut found = page.load(Ordering::Acquire);
        if ptr::eq(found, &raw const *self.missing_page) {
            found = Box::into_raw(Page::new(self.missing_page.0[0].load(Ordering::Relaxed)));
            page.store(found, Ordering::Release);
        }
        // SAFETY: `pages` points to pages that live as long as the generation, whose `Drop` frees them.
        &unsafe { &*found }.0[usize::from(at.pc & 0xff)]
    }

    /// Adds a piece of code to the generation. Returns the number of bytes of code in the generation.
    fn store_code(&self, memory: Mmap) -> usize {
        self.totals.bytes.fetch_add(memory.len(), Ordering::Relaxed);
        let mut code = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        code.push(memory);
        code.iter().map(|memory| memory.len()).sum()
    }
}

impl Drop for Generation {
    fn drop(&mut self) {
        for page in &mut self.pages {
            let page = *page.get_mut();
            if !ptr::eq(page, &raw const *self.missing_page) {
                // SAFETY: `slot` has created the page from a box for this entry only, and `drop` has exclusive access to the
                // generation.
                drop(unsafe { Box::from_raw(page) });
            }
        }
        let code = mem::take(self.code.get_mut().unwrap_or_else(PoisonError::into_inner));
        self.totals.bytes.fetch_sub(code.iter().map(|memory| memory.len()).sum(), Ordering::Relaxed);
        drop(code);
        self.totals.generations.fetch_sub(1, Ordering::Release);
    }
}

/// Code cache of a cartridge: compiled code, shared by all machines with the cartridge.
#[derive(Debug)]
pub struct CodeCache {
    memory_map: MemoryMap,
    /// Memory of the entry function, of the exit to the interpreter and of the exit for missing code.
    entrance: Mmap,
    enter: Enter,
    interpret: *const u8,
    missing: *const u8,
    /// Number of bytes of code after which the next generation is started.
    most_bytes: usize,
    generation: Atomic<Generation>,
    totals: Arc<LiveTotals>,
    compiler: Mutex<Compiler>,
}

// SAFETY: code and pages are written before atomic variables publish them. Epoch guards keep both alive while threads execute
// the code. The raw pointers point to code, which is never changed.
unsafe impl Send for CodeCache {}
// SAFETY: published code and pages are never changed, and epoch guards keep both alive while threads execute the code. So
// shared access is safe for the same reasons as for `Send`.
unsafe impl Sync for CodeCache {}

/// State that only the compiling thread changes.
#[derive(Debug, Default)]
struct Compiler {
    stats: CacheStats,
    /// Number of bytes of code in the current generation.
    bytes: usize,
    /// Reason why no more code can be compiled; `None` if there is no such reason.
    refusal: Option<String>,
}

impl CodeCache {
    /// Returns a code cache that starts another generation after `most_bytes` bytes of code.
    ///
    /// # Errors
    /// If memory cannot be made executable; the error states why.
    pub(crate) fn new(image: Arc<RomImage>, scheme: BankSwitching, most_bytes: usize) -> Result<Self, String> {
        let memory_map = MemoryMap::new(image, scheme);
        let mut links = NoLinks;
        let mut emitter = Emitter::<Host>::new(&memory_map, &mut links, std::iter::empty());
        emitter.entrance();
        let code = emitter.finish().ok_or(TOO_LARGE)?;
        let entrance = executable(&code.bytes)?;
        let start = entrance.as_ptr();
        // SAFETY: `entrance` starts with machine code that the emitter has written for the function type `Enter`.
        let enter = unsafe { mem::transmute::<*const u8, Enter>(start) };
        let (interpret, missing) = (start.wrapping_add(code.interpret), start.wrapping_add(code.missing));
        let alive = Arc::<LiveTotals>::default();
        let generation = Atomic::new(Generation::new(memory_map.views(), missing, &alive));
        let cost = CacheStats { generations: 1, ..CacheStats::default() };
        let writer = Mutex::new(Compiler { stats: cost, ..Compiler::default() });
        Ok(Self { memory_map, entrance, enter, interpret, missing, most_bytes, generation, totals: alive, compiler: writer })
    }

    /// Returns whether the machine contains the cartridge whose program this code cache compiles.
    pub(super) fn is_of(&self, machine: &Machine) -> bool {
        Arc::ptr_eq(&self.memory_map.image, &machine.image) && self.memory_map.scheme == machine.state.cartridge.scheme()
    }

    /// Returns the image of the cartridge.
    pub(super) fn image(&self) -> &RomImage {
        &self.memory_map.image
    }

    /// Returns whether this code cache can compile code for the banks or slices that the cartridge has selected.
    pub(super) fn supports(&self, cartridge: &Cartridge) -> bool {
        self.memory_map.is_regular(cartridge)
    }

    /// Returns the view of a cartridge at a program counter: the number of the bank or slice that is mapped there.
    pub(super) fn view(&self, cartridge: &Cartridge, pc: u16) -> u8 {
        self.memory_map.view(cartridge, pc)
    }

    /// Returns size and compile time of the code.
    pub fn stats(&self) -> CacheStats {
        let writer = self.compiler.lock().unwrap_or_else(PoisonError::into_inner);
        CacheStats { bytes: self.entrance.len() + self.totals.bytes.load(Ordering::Relaxed), ..writer.stats }
    }

    /// Returns the reason why no more code is compiled, so that missing code is interpreted; `None` if there is no such reason.
    pub fn refusal(&self) -> Option<String> {
        self.compiler.lock().unwrap_or_else(PoisonError::into_inner).refusal.clone()
    }

    /// Returns the current generation, which stays valid as long as the guard exists.
    #[inline]
    pub(super) fn generation<'g>(&self, guard: &'g Guard) -> &'g Generation {
        // SAFETY: `generation` is never null. A replaced generation is freed only after all guards that existed at its
        // replacement have been dropped.
        unsafe { self.generation.load(Ordering::Acquire, guard).deref() }
    }

    /// Returns the code of a program location, compiled if necessary. Sets `generation` to the next one if that was started.
    #[inline]
    pub(super) fn lookup_or_compile<'g>(&self, at: GuestPc, generation: &mut &'g Generation, guard: &'g Guard) -> Lookup {
        match generation.lookup(at) {
            code if code == self.missing => {
                self.compile(at, guard);
                *generation = self.generation(guard);
                match generation.lookup(at) {
                    code if code == self.missing => Lookup::Missing,
                    code => self.to_lookup(code),
                }
            }
            code => self.to_lookup(code),
        }
    }

    fn to_lookup(&self, code: *const u8) -> Lookup {
        if code == self.interpret { Lookup::Interpreter } else { Lookup::Code(code) }
    }

    /// Executes code that [`lookup_or_compile`](Self::lookup_or_compile) has returned for the machine's program location, while
    /// a guard keeps the code's generation alive.
    ///
    /// Returns the number of instructions left, and the exit reason.
    pub(super) fn enter(&self, machine: &mut Machine, code: *const u8, instructions: u32, _guard: &Guard) -> (u32, ExitReason) {
        // SAFETY: `lookup_or_compile` returns code of this cache, compiled for the image and the selected banks of the
        // machine's cartridge. The code changes only the machine, which is borrowed exclusively. It jumps only to code of the
        // same generation, which the guard keeps alive.
        decode_exit(unsafe { (self.enter)(ptr::from_mut(machine), code, instructions) })
    }

    /// Compiles the block at a program location and its known successors, unless another thread is compiling.
    #[cold]
    fn compile(&self, at: GuestPc, guard: &Guard) {
        let Ok(mut writer) = self.compiler.try_lock() else { return };
        if writer.refusal.is_some() || self.generation(guard).lookup(at) != self.missing {
            return;
        }
        if writer.bytes > self.most_bytes && !self.start_generation(&mut writer, guard) {
            return;
        }
        let generation = self.generation(guard);
        let start = Instant::now();
        let (blocks, interpreted) = self.collect(at, generation);
        let mut links = PageLinks { generation };
        let mut emitter = Emitter::<Host>::new(&self.memory_map, &mut links, blocks.keys().copied());
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
        writer.bytes = generation.store_code(memory);
        for (entry, offset) in code.entries {
            generation.publish(entry, first.wrapping_add(offset));
        }
        for entry in interpreted {
            generation.publish(entry, self.interpret);
        }
        writer.stats.compilations += 1;
        writer.stats.time += start.elapsed();
    }

    /// Replaces all code with an empty generation. Returns false while older code exists, so that the total size is bounded.
    fn start_generation(&self, writer: &mut Compiler, guard: &Guard) -> bool {
        if self.totals.generations.load(Ordering::Acquire) == MAX_GENERATIONS {
            // `flush` frees the old generation if no thread uses its code any more.
            guard.flush();
            return false;
        }
        let next = Owned::new(Generation::new(self.memory_map.views(), self.missing, &self.totals));
        let old = self.generation.swap(next, Ordering::AcqRel, guard);
        // SAFETY: the old generation is no longer reachable, and threads that still use its code hold guards.
        unsafe { guard.defer_destroy(old) };
        guard.flush();
        writer.bytes = 0;
        writer.stats.generations += 1;
        true
    }

    /// Returns the blocks without code that are reachable from a program location, and the locations whose instructions the
    /// interpreter must execute.
    fn collect(&self, at: GuestPc, generation: &Generation) -> (BTreeMap<GuestPc, BasicBlock>, BTreeSet<GuestPc>) {
        let (mut blocks, mut interpreted) = (BTreeMap::new(), BTreeSet::new());
        let mut queue = vec![at];
        while let Some(at) = queue.pop() {
            let is_new = !blocks.contains_key(&at) && !interpreted.contains(&at) && generation.lookup(at) == self.missing;
            if !is_new || blocks.len() == MAX_BLOCKS {
                continue;
            }
            let block = BasicBlock::new(&self.memory_map, at);
            queue.extend(block.successors(&self.memory_map));
            if block.instructions.is_empty() {
                interpreted.insert(at);
            } else {
                blocks.insert(at, block);
            }
        }
        (blocks, interpreted)
    }
}

impl Drop for CodeCache {
    fn drop(&mut self) {
        let generation = mem::replace(&mut self.generation, Atomic::from(Shared::null()));
        // SAFETY: `drop` has exclusive access to the cache, so no thread uses its generation.
        drop(unsafe { generation.try_into_owned() });
    }
}

/// Links of generated code to the variables in the pages of a generation.
struct PageLinks<'s> {
    generation: &'s Generation,
}

impl BlockLinks for PageLinks<'_> {
    fn slot(&mut self, at: GuestPc) -> u64 {
        ptr::from_ref(self.generation.slot(at)) as u64
    }

    fn pages(&self, view: u8) -> u64 {
        ptr::from_ref(&self.generation.pages[usize::from(view) * PAGES]) as u64
    }
}

/// Links for the entry and exit code, which contains no blocks and so refers to no program location.
struct NoLinks;

impl BlockLinks for NoLinks {
    fn slot(&mut self, _at: GuestPc) -> u64 {
        0
    }

    fn pages(&self, _view: u8) -> u64 {
        0
    }
}

/// Copies code into memory that is executable and not writable.
///
/// On hosts with separate instruction caches, writes the code back from the data caches, and discards cached instructions.
fn executable(code: &[u8]) -> Result<Mmap, String> {
    let refused = |error: std::io::Error| format!("the system refuses executable memory: {error}");
    let mut memory = MmapMut::map_anon(code.len()).map_err(refused)?;
    memory.copy_from_slice(code);
    synchronize_icache(&memory);
    let memory = memory.make_exec().map_err(refused)?;
    prepare_for_execution(&memory);
    Ok(memory)
}

/// Returns the reason why this process cannot have a code cache; `None` if it can.
pub fn refusal() -> Option<String> {
    executable(&[0]).err()
}
