//! Programs translated at run time into machine code of the host, which does what the interpreter does: the same cycles, the same
//! accesses at the same times, the same state after every block.
//!
//! | file | |
//! |---|---|
//! | `translate/decode.rs` | what opcodes mean, as data |
//! | `translate/layout.rs` | what may be taken for granted of a cartridge while a bank is chosen |
//! | `translate/blocks.rs` | pieces of programs, and what follows them |
//! | `translate/moment.rs` | what is known at an instruction while a block is written |
//! | `translate/offsets.rs` | where the parts of the machine's state lie |
//! | `translate/emitter` | the blocks' code, for any host |
//! | `translate/assembler.rs` | what an emitter asks of a host |
//! | `translate/x86_64` | the instructions of x86-64 |
//! | `translate/aarch64` | those of aarch64 |
//! | `translate/code.rs` | that code, as those see it who do not write it |
//! | `translate/helpers.rs` | what that code calls |
//! | `translate/store.rs` | all translations of a cartridge, for all threads |
//! | `translate/execution.rs` | the machine going from translations to the interpreter and back |
//! | `translate/cost.rs` | what they have cost |
//! | `translate/absent.rs` | [`Translations`] where there are none: other processors, other systems, or without the feature `translate` |
//!
//! A block is entered at its first instruction with a budget that lasts to its last one, and left anywhere. What is rare in an
//! instruction (decimal arithmetic, the end of a frame, a stack in the TIA, an address that is a hot spot) is found out before it has
//! had any effect; the block is left, and the interpreter executes that instruction. So a translation need not know everything, and what
//! it knows is checked wherever it could be otherwise.
//!
//! # Another processor
//! What is needed beside `x86_64` and `aarch64` is another `Assembler` (`translate/assembler.rs`); nothing else knows the host. Memory that becomes
//! executable is cleaned from the caches of data before (`store.rs`), on hosts that fetch instructions past them.

mod cost;

cfg_if::cfg_if! {
    if #[cfg(all(
        feature = "translate",
        any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")),
        target_os = "linux",
    ))] {
        // Tests assemble for all hosts on any.
        #[cfg(any(target_arch = "aarch64", test))]
        mod aarch64;
        mod assembler;
        mod blocks;
        mod code;
        mod decode;
        mod emitter;
        mod execution;
        mod helpers;
        mod layout;
        mod moment;
        mod offsets;
        mod store;
        #[cfg(any(target_arch = "x86_64", test))]
        mod x86_64;

        pub use self::store::{Translations, refusal};
    } else {
        mod absent;

        pub use self::absent::{Translations, refusal};
    }
}

pub use self::cost::Cost;
pub(super) use self::cost::MOST_BYTES;
