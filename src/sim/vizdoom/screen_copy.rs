//! Patches the routine with which the engine copies its screen, in the memory of an engine process.
//!
//! The engine copies its screen pixel by pixel, as palette indices, gray values or colours, and computes the row of each pixel
//! with an integer division. The copy of palette indices takes nearly half of the engine's run time. The row only matters if
//! rows have gaps in the engine's memory. Without gaps, one `rep movsb` copies the same palette indices. The new loop for colours
//! reads the positions of red, green and blue once instead of for each pixel, and has no alpha value. The loop for gray values
//! stores the same pixels if the quotient is 0.
//!
//! The code depends on the compiler, so only known programs are patched: the engines of ViZDoom's wheels, each of which is the
//! same file for all versions of Python. The program file must have the known size and checksum, and the routine in the running
//! engine must equal the routine in the file. Otherwise, the engine runs unchanged.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Program of the engine whose copy routine is known.
struct KnownEngine {
    /// Size of the file in bytes.
    size: u64,
    /// CRC-32 of the file.
    checksum: u32,
    /// Routine that copies the screen.
    routine: &'static CopyRoutine,
}

/// Place of a copy routine, and its new code.
struct CopyRoutine {
    /// Virtual addresses of the routine.
    addresses: Range<u64>,
    /// Distance between a virtual address and the offset in the file.
    file_distance: u64,
    /// Virtual addresses and bytes of the new code.
    edits: [(u64, &'static [u8]); 3],
}

/// Virtual address of the pointer to the engine's screen, in all known engines.
const SCREEN_POINTER: u64 = 0xa2_6250;
/// Byte offset in the screen of its width in pixels. Height, and the distance between rows (pitch) in bytes follow.
const WIDTH_IN_SCREEN: u64 = 0x30;

/// Engines of the wheels of ViZDoom 1.3.0, 1.3.1 and 1.3.2.
const KNOWN_ENGINES: [KnownEngine; 3] = [
    KnownEngine { size: 5_667_408, checksum: 0x2775_3f1e, routine: &ROUTINE_OF_1_3_0 },
    KnownEngine { size: 5_679_696, checksum: 0x0040_8701, routine: &ROUTINE_SINCE_1_3_1 },
    KnownEngine { size: 5_679_696, checksum: 0x31bd_eef5, routine: &ROUTINE_SINCE_1_3_1 },
];

static ROUTINE_OF_1_3_0: CopyRoutine = CopyRoutine {
    addresses: 0x78_c6e0..0x78_c970,
    file_distance: 0x3f_f000,
    edits: [
        (
            0x78_c7f0,
            &[
                0x8b, 0x3f, // mov edi, [rdi]: position of blue in a pixel
                0x48, 0x01, 0xdf, // add rdi, rbx: the address of the first blue
                0x45, 0x8b, 0x00, 0x49, 0x01, 0xd8, // mov r8d, [r8]; add r8, rbx: green
                0x45, 0x8b, 0x09, 0x49, 0x01, 0xd9, // mov r9d, [r9]; add r9, rbx: red
                0x45, 0x8b, 0x12, // mov r10d, [r10]: distance between two pixels
                0x41, 0x0f, 0xb6, 0x44, 0x0d, 0x00, // next: movzx eax, byte [r13 + rcx]
                0x8b, 0x44, 0x85, 0x00, // mov eax, [rbp + 4 * rax]: blue, green, red
                0x88, 0x07, 0xc1, 0xe8, 0x08, // mov [rdi], al; shr eax, 8
                0x41, 0x88, 0x00, 0xc1, 0xe8, 0x08, // mov [r8], al; shr eax, 8
                0x41, 0x88, 0x01, // mov [r9], al
                0x4c, 0x01, 0xd7, 0x4d, 0x01, 0xd0, 0x4d, 0x01, 0xd1, // add rdi, r10; add r8, r10; add r9, r10
                0x48, 0xff, 0xc1, 0x41, 0x39, 0xcf, 0x75, 0xd7, // inc rcx; cmp r15d, ecx; jne next
                0xeb, 0x2d, // jmp 0x78c85c
            ],
        ),
        // xor eax, eax; nop: replaces `div r12d`. The loop does not use the remainder.
        (0x78_c89c, &[0x31, 0xc0, 0x90]),
        // mov rdi, rbx; mov rsi, r13; mov rcx, r8; rep movsb; jmp 0x78c961
        (0x78_c940, &[0x48, 0x89, 0xdf, 0x4c, 0x89, 0xee, 0x4c, 0x89, 0xc1, 0xf3, 0xa4, 0xeb, 0x14]),
    ],
};

static ROUTINE_SINCE_1_3_1: CopyRoutine = CopyRoutine {
    addresses: 0x78_c640..0x78_c893,
    file_distance: 0x3f_c000,
    edits: [
        (
            0x78_c740,
            &[
                0x45, 0x8b, 0x00, // mov r8d, [r8]: position of blue in a pixel
                0x49, 0x01, 0xd8, // add r8, rbx: the address of the first blue
                0x45, 0x8b, 0x09, 0x49, 0x01, 0xd9, // mov r9d, [r9]; add r9, rbx: green
                0x45, 0x8b, 0x12, 0x49, 0x01, 0xda, // mov r10d, [r10]; add r10, rbx: red
                0x45, 0x8b, 0x1b, // mov r11d, [r11]: distance between two pixels
                0x41, 0x0f, 0xb6, 0x44, 0x0d, 0x00, // next: movzx eax, byte [r13 + rcx]
                0x8b, 0x04, 0x84, // mov eax, [rsp + 4 * rax]: blue, green, red
                0x41, 0x88, 0x00, 0xc1, 0xe8, 0x08, // mov [r8], al; shr eax, 8
                0x41, 0x88, 0x01, 0xc1, 0xe8, 0x08, // mov [r9], al; shr eax, 8
                0x41, 0x88, 0x02, // mov [r10], al
                0x4d, 0x01, 0xd8, 0x4d, 0x01, 0xd9, 0x4d, 0x01, 0xda, // add r8, r11; add r9, r11; add r10, r11
                0x48, 0xff, 0xc1, 0x49, 0x39, 0xcf, 0x75, 0xd7, // inc rcx; cmp r15, rcx; jne next
                0xeb, 0x26, // jmp 0x78c7a6
            ],
        ),
        // xor eax, eax: replaces `div ebp`. The loop does not use the remainder.
        (0x78_c83c, &[0x31, 0xc0]),
        // mov rdi, rbx; mov rsi, r13; mov rcx, r15; rep movsb; jmp 0x78c7a6
        (0x78_c7e0, &[0x48, 0x89, 0xdf, 0x4c, 0x89, 0xee, 0x4c, 0x89, 0xf9, 0xf3, 0xa4, 0xeb, 0xb9]),
    ],
};

/// Patch of an engine's copy routine, for screens whose rows have no gaps.
#[derive(Debug, Clone)]
pub struct CodePatch {
    /// Virtual address of the routine.
    address: u64,
    original: Vec<u8>,
    patched: Vec<u8>,
}

impl CodePatch {
    /// Returns the patch for a program; `None` if the program is not a known engine.
    pub fn find(program: &Path) -> Option<Self> {
        let size = fs::metadata(program).ok()?.len();
        if KNOWN_ENGINES.iter().all(|engine| engine.size != size) {
            return None;
        }
        let file = fs::read(program).ok()?;
        let checksum = crc32fast::hash(&file);
        let known = KNOWN_ENGINES.iter().find(|engine| (engine.size, engine.checksum) == (file.len() as u64, checksum))?;
        let CopyRoutine { addresses: Range { start, end }, file_distance, edits } = known.routine;
        let original = file.get((start - file_distance) as usize..(end - file_distance) as usize)?.to_vec();
        let mut patched = original.clone();
        for (address, code) in edits {
            patched[(address - start) as usize..][..code.len()].copy_from_slice(code);
        }
        Some(Self { address: *start, original, patched })
    }

    /// Patches the idle engine process with the id `process`. Changes nothing if the routine in its memory is another one, or
    /// if the rows of its screen have gaps, as in screens with more than 640 columns.
    ///
    /// # Errors
    /// If the system denies access to the memory of the process. The process is unchanged.
    pub fn apply(&self, process: u32) -> io::Result<()> {
        let memory = OpenOptions::new().read(true).write(true).open(format!("/proc/{process}/mem"))?;
        if has_gaps(&memory)? {
            return Ok(());
        }
        self.replace_code(&memory)
    }

    fn replace_code(&self, memory: &File) -> io::Result<()> {
        let mut found = vec![0; self.original.len()];
        memory.read_exact_at(&mut found, self.address)?;
        if found == self.original {
            // The code lies within one page, so the write is complete, or fails and changes nothing.
            memory.write_all_at(&self.patched, self.address)?;
        }
        Ok(())
    }
}

/// Returns whether the rows of the engine's screen have gaps in the engine's memory.
fn has_gaps(memory: &File) -> io::Result<bool> {
    let (mut pointer, mut size) = ([0; 8], [[0; 4]; 3]);
    memory.read_exact_at(&mut pointer, SCREEN_POINTER)?;
    memory.read_exact_at(size.as_flattened_mut(), u64::from_le_bytes(pointer) + WIDTH_IN_SCREEN)?;
    let [width, _, pitch] = size;
    Ok(pitch != width)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::*;
    use crate::spawner::TempFolder;

    #[test]
    fn edits_lie_within_their_routine_and_its_page() {
        for KnownEngine { routine: CopyRoutine { addresses, edits, .. }, .. } in KNOWN_ENGINES {
            assert_eq!(addresses.start / 4096, (addresses.end - 1) / 4096);
            for (address, code) in edits {
                assert!(addresses.contains(address) && address + code.len() as u64 <= addresses.end);
            }
        }
    }

    #[test]
    fn other_programs_are_not_patched() {
        let folder = TempFolder::new_in(&std::env::temp_dir()).unwrap();
        let program = folder.path().join("vizdoom");
        assert!(CodePatch::find(&program).is_none());
        for size in [0, KNOWN_ENGINES[0].size, KNOWN_ENGINES[1].size] {
            fs::write(&program, vec![0; size as usize]).unwrap();
            assert!(CodePatch::find(&program).is_none());
        }
    }

    #[test]
    fn only_the_known_routine_is_replaced() {
        let memory = [1, 2, 3, 4].map(AtomicU8::new);
        let bytes = || memory.each_ref().map(|byte| byte.load(Ordering::SeqCst));
        let this_process = OpenOptions::new().read(true).write(true).open("/proc/self/mem").unwrap();
        let replace = |original: [u8; 2]| {
            let address = memory.as_ptr() as u64 + 1;
            CodePatch { address, original: original.to_vec(), patched: vec![7, 8] }.replace_code(&this_process).unwrap();
        };
        replace([2, 4]);
        assert_eq!(bytes(), [1, 2, 3, 4]);
        replace([2, 3]);
        assert_eq!(bytes(), [1, 7, 8, 4]);
    }
}
