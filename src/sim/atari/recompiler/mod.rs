//! Recompiler: compiles programs at run time into machine code of the host.
//!
//! The code behaves as the interpreter does: it has the same cycle counts, the same accesses at the same times, and the same
//! state after every block.
//!
//! | file | |
//! |---|---|
//! | `recompiler/decode.rs` | decoder of opcodes |
//! | `recompiler/memory_map.rs` | memory map of a cartridge per bank |
//! | `recompiler/basic_block.rs` | basic blocks and their successors |
//! | `recompiler/emit_state.rs` | state known at an instruction while a block is emitted |
//! | `recompiler/offsets.rs` | offsets of the machine's state |
//! | `recompiler/emitter` | code of the blocks, for any host |
//! | `recompiler/assembler.rs` | interface of the emitter to a host |
//! | `recompiler/x86_64` | x86-64 assembler |
//! | `recompiler/aarch64` | aarch64 assembler |
//! | `recompiler/code_blob.rs` | generated code: entry function, exit reasons, links |
//! | `recompiler/helpers.rs` | helpers called by the code |
//! | `recompiler/code_cache.rs` | code cache of a cartridge, shared by threads |
//! | `recompiler/dispatch.rs` | dispatch between code and interpreter |
//! | `recompiler/stats.rs` | statistics of the code cache |
//! | `recompiler/absent.rs` | stub of [`CodeCache`] for other processors, other systems, or without the feature `translate` |
//!
//! Code of a block is entered at the first instruction, if the budget of instructions covers the complete block. It may be left
//! at any instruction. Rare cases of an instruction are decimal mode, the end of a frame, a stack in the TIA, or an address
//! that is a hot spot. A rare case is detected before the instruction has any effect: the code of the block exits, and the
//! interpreter executes the instruction. So generated code does not handle rare cases, but checks for them wherever they can
//! occur.
//!
//! # Adding a processor
//! Another processor needs another `Assembler` (`recompiler/assembler.rs`), next to `x86_64` and `aarch64`; no other code
//! depends on the host. On hosts with separate instruction caches, `code_cache.rs` writes back the data caches before memory
//! becomes executable.

mod stats;

cfg_if::cfg_if! {
    if #[cfg(all(
        feature = "translate",
        any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")),
        target_os = "linux",
    ))] {
        // Tests assemble code for both hosts on any host.
        #[cfg(any(target_arch = "aarch64", test))]
        mod aarch64;
        mod assembler;
        mod basic_block;
        mod code_blob;
        mod decode;
        mod emitter;
        mod dispatch;
        mod helpers;
        mod memory_map;
        mod emit_state;
        mod offsets;
        mod code_cache;
        #[cfg(any(target_arch = "x86_64", test))]
        mod x86_64;

        pub use self::code_cache::{CodeCache, refusal};
    } else {
        mod absent;

        pub use self::absent::{CodeCache, refusal};
    }
}

pub use self::stats::CacheStats;
pub(super) use self::stats::MAX_CODE_BYTES;
