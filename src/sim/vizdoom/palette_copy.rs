//! A shorter loop for the engine's copy of its picture, put into a running engine's memory.
//!
//! The engine copies its picture pixel by pixel and finds each by an integer division, which takes nearly half of its time. What it copies
//! in the format of colour numbers are rows without gaps, as long as the picture is not wider than its memory's rows: one copy of as many
//! bytes. The loop's 27 bytes are looked for in the program's file; where they are not found exactly once, with the code around them that
//! belongs to them, or are not what the running engine has, nothing is changed.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The body of the loop: number of the row by division, address of the pixel, one byte copied, the next one.
const LOOP: [u8; 27] = [
    0x89, 0xc8, 0x31, 0xd2, 0xf7, 0xf5, 0x41, 0x0f, 0xaf, 0xc4, 0x01, 0xc8, 0x89, 0xc0, 0x41, 0x0f, 0xb6, 0x44, 0x05, 0x00, 0x88,
    0x04, 0x0b, 0x48, 0x83, 0xc1, 0x01,
];

/// The copy in its place: destination, source, count, `rep movsb`. A jump to behind the loop follows.
const COPY: [u8; 12] = [0x48, 0x89, 0xdf, 0x4c, 0x89, 0xee, 0x44, 0x89, 0xf1, 0xf3, 0xa4, 0xeb];

/// Widest picture whose rows lie without gaps.
pub const WIDEST: u32 = 640;

/// What to write, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    address: u64,
    code: [u8; 13],
}

impl Patch {
    /// The one for a program, if it is recognised.
    pub fn find(program: &Path) -> Option<Self> {
        Self::of(&fs::read(program).ok()?)
    }

    fn of(file: &[u8]) -> Option<Self> {
        let mut places = file.windows(LOOP.len()).enumerate().filter(|(_, bytes)| *bytes == LOOP);
        let (place, _) = places.next()?;
        if places.next().is_some() {
            return None;
        }
        // Comparison with the end, the jump back, the jump out.
        let &[0x49, 0x39, 0xcf, 0x75, _, 0xeb, out] = file.get(place + LOOP.len()..place + LOOP.len() + 7)? else { return None };
        let address = address_of(file, place as u64)?;
        let exit = (address + LOOP.len() as u64 + 7).checked_add_signed(i64::from(out.cast_signed()))?;
        let distance = i8::try_from(exit as i64 - (address as i64 + COPY.len() as i64 + 1)).ok()?;
        let mut code = [0; 13];
        code[..COPY.len()].copy_from_slice(&COPY);
        code[COPY.len()] = distance.cast_unsigned();
        Some(Self { address, code })
    }

    /// Puts it into a running engine, which waits; says whether that was done.
    pub fn apply(&self, process: u32) -> bool {
        let memory = OpenOptions::new().read(true).write(true).open(format!("/proc/{process}/mem"));
        let Ok(memory) = memory else { return false };
        let mut found = [0; LOOP.len()];
        let is_there = memory.read_exact_at(&mut found, self.address).is_ok() && found == LOOP;
        is_there && memory.write_all_at(&self.code, self.address).is_ok()
    }
}

/// Where a place in a program's file lies in memory, for programs that are always loaded at the same address.
fn address_of(file: &[u8], place: u64) -> Option<u64> {
    let long = |at: usize| Some(u64::from_le_bytes(file.get(at..at + 8)?.try_into().ok()?));
    let short = |at: usize| Some(u16::from_le_bytes(file.get(at..at + 2)?.try_into().ok()?));
    if !file.starts_with(b"\x7fELF\x02\x01") || short(16)? != 2 {
        return None;
    }
    let (headers, size, count) = (long(32)? as usize, usize::from(short(54)?), usize::from(short(56)?));
    for header in (0..count).map(|number| headers + number * size) {
        let (offset, address, length) = (long(header + 8)?, long(header + 16)?, long(header + 32)?);
        if file.get(header..header + 4)? == [1, 0, 0, 0] && (offset..offset + length).contains(&place) {
            return Some(address + place - offset);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Vec<u8> {
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
        file[0x100..0x100 + 27].copy_from_slice(&LOOP);
        file[0x100 + 27..0x100 + 34].copy_from_slice(&[0x49, 0x39, 0xcf, 0x75, 0xe0, 0xeb, 0x10]);
        file
    }

    #[test]
    fn the_loop_is_found_with_its_address_and_its_way_out() {
        let patch = Patch::of(&program()).unwrap();
        assert_eq!(patch.address, 0x40_0080);
        assert_eq!(patch.code[12], 34 + 0x10 - 13);
    }

    #[test]
    fn anything_else_is_left_alone() {
        let refused = |change: fn(&mut Vec<u8>)| {
            let mut file = program();
            change(&mut file);
            assert_eq!(Patch::of(&file), None);
        };
        refused(|file| file[0x105] ^= 1);
        refused(|file| file[0x11b] ^= 1);
        refused(|file| file[16] = 3);
        refused(|file| file[64] = 2);
        refused(|file| file.truncate(0x11d));
        refused(|file| file.extend(LOOP));
    }
}
