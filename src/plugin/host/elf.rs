//! Checks of ELF files, the shared libraries of Linux.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Start of a 64-bit little-endian ELF file of version 1.
const IDENTIFICATION: [u8; 7] = [0x7f, b'E', b'L', b'F', 2, 1, 1];
const HEADER_BYTES: usize = 64;
const PROGRAM_HEADER_BYTES: usize = 56;
const SECTION_HEADER_BYTES: u64 = 64;
/// Type of a program header that describes a part of the file that is mapped into memory.
const PT_LOAD: u32 = 1;

/// Checks that an ELF file contains all parts that its headers describe. The system's loader maps the parts without this check,
/// and the process dies when it reads beyond the end of a truncated file. Files of other formats are left to the loader.
///
/// # Errors
/// The requirement that the file does not meet, for a message after "expected".
pub fn check(path: &Path) -> Result<(), String> {
    match needed_bytes(path) {
        Ok(Some((length, needed))) if needed > u128::from(length) => {
            Err(format!("a complete shared library (the file has {length} bytes, and its headers describe {needed})"))
        }
        Ok(_) => Ok(()),
        Err(error) => Err(format!("a shared library that can be read ({error})")),
    }
}

/// Returns the size of an ELF file, and the size that its headers describe; `None` for a file of another format.
fn needed_bytes(path: &Path) -> io::Result<Option<(u64, u128)>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut start = Vec::new();
    Read::by_ref(&mut file).take(HEADER_BYTES as u64).read_to_end(&mut start)?;
    if !start.starts_with(&IDENTIFICATION) {
        return Ok(None);
    }
    let Some(header) = start.first_chunk::<HEADER_BYTES>() else { return Ok(Some((length, HEADER_BYTES as u128))) };
    let (programs, sections) = (u64_at(header, 32), u64_at(header, 40));
    let (program_count, section_count) = (u16_at(header, 56), u16_at(header, 60));
    let end = |start: u64, size: u64| u128::from(start) + u128::from(size);
    let programs_end = end(programs, u64::from(program_count) * PROGRAM_HEADER_BYTES as u64);
    let mut needed = programs_end.max(end(sections, u64::from(section_count) * SECTION_HEADER_BYTES));
    if programs_end <= u128::from(length) {
        file.seek(SeekFrom::Start(programs))?;
        let mut table = vec![0; usize::from(program_count) * PROGRAM_HEADER_BYTES];
        file.read_exact(&mut table)?;
        for program in table.chunks_exact(PROGRAM_HEADER_BYTES) {
            if u32_at(program, 0) == PT_LOAD {
                needed = needed.max(end(u64_at(program, 8), u64_at(program, 32)));
            }
        }
    }
    Ok(Some((length, needed)))
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn truncated_files_are_refused_at_every_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library.so");
        std::fs::copy(std::env::current_exe().unwrap(), &path).unwrap();
        assert_eq!(check(&path), Ok(()));
        let file = File::options().write(true).open(&path).unwrap();
        let length = file.metadata().unwrap().len();
        for cut in [length - 1, length * 3 / 4, length / 2, length / 100, 4096, 1000, 64, 63, 7] {
            file.set_len(cut).unwrap();
            assert!(check(&path).is_err_and(|text| text.contains(&format!("the file has {cut} bytes"))), "{cut}");
        }
        file.set_len(6).unwrap();
        assert_eq!(check(&path), Ok(()));
    }

    #[test]
    fn headers_with_any_numbers_are_checked_without_overflow() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library.so");
        let mut header = IDENTIFICATION.to_vec();
        header.resize(HEADER_BYTES, 0xff);
        std::fs::write(&path, &header).unwrap();
        assert!(check(&path).is_err());
    }
}
