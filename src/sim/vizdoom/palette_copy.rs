//! Patches the engine's screen-copy loop in the memory of its process with a faster loop.
//!
//! The engine copies its screen pixel by pixel, and computes the row of each pixel with an integer division. This takes nearly
//! half of the engine's run time. In the format `DOOM_256_COLORS8`, rows have no gaps as long as the screen is not wider than a
//! row in memory. So one `rep movsb` copies the same bytes. The 27 bytes of the loop's machine code are searched in the program
//! file. The patch is applied only if they occur exactly once, with the expected code around them, and equal the code of the
//! running engine.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Machine code of the engine's loop body. It computes the row with a division and the address of the pixel, copies one byte,
/// and increments the index.
const LOOP_CODE: [u8; 27] = [
    0x89, 0xc8, 0x31, 0xd2, 0xf7, 0xf5, 0x41, 0x0f, 0xaf, 0xc4, 0x01, 0xc8, 0x89, 0xc0, 0x41, 0x0f, 0xb6, 0x44, 0x05, 0x00, 0x88,
    0x04, 0x0b, 0x48, 0x83, 0xc1, 0x01,
];

/// Machine code that replaces the engine's palette-copy loop: loads destination, source and count, runs `rep movsb`, and ends
/// with the opcode of a jump to the code after the loop.
const COPY_CODE: [u8; 12] = [0x48, 0x89, 0xdf, 0x4c, 0x89, 0xee, 0x44, 0x89, 0xf1, 0xf3, 0xa4, 0xeb];

/// Maximum screen width for which rows have no gaps, in pixels.
pub const MAX_WIDTH: u32 = 640;

/// Patch of the engine's code: the machine code that replaces the loop, and the loop's virtual address in the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodePatch {
    address: u64,
    code: [u8; 13],
}

impl CodePatch {
    /// Returns the patch for a program; `None` if the machine code of the loop is not recognised.
    pub fn find(program: &Path) -> Option<Self> {
        Self::from_elf(&fs::read(program).ok()?)
    }

    fn from_elf(file: &[u8]) -> Option<Self> {
        let mut matches = file.windows(LOOP_CODE.len()).enumerate().filter(|(_, bytes)| *bytes == LOOP_CODE);
        let (offset_in_file, _) = matches.next()?;
        if matches.next().is_some() {
            return None;
        }
        // The code after the loop body compares the index with the end, jumps back, and jumps to the code after the loop.
        let &[0x49, 0x39, 0xcf, 0x75, _, 0xeb, out] =
            file.get(offset_in_file + LOOP_CODE.len()..offset_in_file + LOOP_CODE.len() + 7)?
        else {
            return None;
        };
        let address = virtual_address(file, offset_in_file as u64)?;
        let exit = (address + LOOP_CODE.len() as u64 + 7).checked_add_signed(i64::from(out.cast_signed()))?;
        let distance = i8::try_from(exit as i64 - (address as i64 + COPY_CODE.len() as i64 + 1)).ok()?;
        let mut code = [0; 13];
        code[..COPY_CODE.len()].copy_from_slice(&COPY_CODE);
        code[COPY_CODE.len()] = distance.cast_unsigned();
        Some(Self { address, code })
    }

    /// Writes the patch into the memory of the idle engine process with the id `process`. Returns whether the patch was
    /// applied.
    pub fn apply(&self, process: u32) -> bool {
        let memory = OpenOptions::new().read(true).write(true).open(format!("/proc/{process}/mem"));
        let Ok(memory) = memory else { return false };
        let mut found = [0; LOOP_CODE.len()];
        let is_there = memory.read_exact_at(&mut found, self.address).is_ok() && found == LOOP_CODE;
        is_there && memory.write_all_at(&self.code, self.address).is_ok()
    }
}

/// Converts a file offset to a virtual address, for programs that are not position-independent. Returns `None` if no segment of
/// the program contains the offset.
fn virtual_address(file: &[u8], offset_in_file: u64) -> Option<u64> {
    let long = |at: usize| Some(u64::from_le_bytes(file.get(at..at + 8)?.try_into().ok()?));
    let short = |at: usize| Some(u16::from_le_bytes(file.get(at..at + 2)?.try_into().ok()?));
    if !file.starts_with(b"\x7fELF\x02\x01") || short(16)? != 2 {
        return None;
    }
    let (headers, size, count) = (long(32)? as usize, usize::from(short(54)?), usize::from(short(56)?));
    for header in (0..count).map(|number| headers + number * size) {
        let (offset, address, length) = (long(header + 8)?, long(header + 16)?, long(header + 32)?);
        if file.get(header..header + 4)? == [1, 0, 0, 0] && (offset..offset + length).contains(&offset_in_file) {
            return Some(address + offset_in_file - offset);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elf_program() -> Vec<u8> {
        let mut file = vec![0; 0x200];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        file[16] = 2;
        file[32] = 64;
        file[54] = 56;
        file[56] = 1;
        file[64] = 1;
        file[64 + 8..64 + 16].copy_from_slice(&0x80_u64.to_le_bytes());
        file[64 + 16..64 + 24].copy_from_slice(&0x40_0000_u64.to_le_bytes());
        file[64 + 32..64 + 40].copy_from_slice(&0x180_u64.to_le_bytes());
        file[0x100..0x100 + 27].copy_from_slice(&LOOP_CODE);
        file[0x100 + 27..0x100 + 34].copy_from_slice(&[0x49, 0x39, 0xcf, 0x75, 0xe0, 0xeb, 0x10]);
        file
    }

    #[test]
    fn the_patch_has_the_address_and_exit_of_the_loop() {
        let patch = CodePatch::from_elf(&elf_program()).unwrap();
        assert_eq!(patch.address, 0x40_0080);
        assert_eq!(patch.code[12], 34 + 0x10 - 13);
    }

    #[test]
    fn other_code_is_not_patched() {
        let refused = |change: fn(&mut Vec<u8>)| {
            let mut file = elf_program();
            change(&mut file);
            assert_eq!(CodePatch::from_elf(&file), None);
        };
        refused(|file| file[0x105] ^= 1);
        refused(|file| file[0x11b] ^= 1);
        refused(|file| file[16] = 3);
        refused(|file| file[64] = 2);
        refused(|file| file.truncate(0x11d));
        refused(|file| file.extend(LOOP_CODE));
    }
}
