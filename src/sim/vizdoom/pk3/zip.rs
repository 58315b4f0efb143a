//! Reads and writes zip archives.

/// `LOCAL_HEADER`: signature at the start of a local file header; the following constants are the signatures of the other
/// headers of a zip file.
pub(super) const LOCAL_HEADER: u32 = 0x0403_4b50;
pub(super) const CENTRAL_HEADER: u32 = 0x0201_4b50;
pub(super) const END_OF_DIRECTORY: u32 = 0x0605_4b50;
/// `LOCAL_HEADER_BYTES`: size of a local file header in bytes, without the file name; the following constants are the sizes of
/// the other headers.
pub(super) const LOCAL_HEADER_BYTES: usize = 30;
const CENTRAL_HEADER_BYTES: usize = 46;
const END_OF_DIRECTORY_BYTES: usize = 22;
/// Code of the zip compression method "stored" (no compression); `DEFLATED` is the code of the method deflate.
const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;
/// Maximum unpacked size of an archive in bytes; the engine's archive is smaller.
const MAX_UNPACKED_BYTES: usize = 1 << 26;
/// Number of characters of the checksum in the archive's comment.
const CHECKSUM_CHARS: usize = 8;

/// One file of a zip archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ZipEntry {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Returns whether [`optimized`](super::optimized) wrote the archive and it is undamaged: its comment must be the checksum of
/// all bytes before the comment.
pub fn has_valid_checksum(archive: &[u8]) -> bool {
    let (all, checksum) = archive.split_at(archive.len().saturating_sub(CHECKSUM_CHARS));
    checksum == format!("{:08x}", crc32fast::hash(all)).as_bytes()
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

pub(super) fn read_zip(archive: &[u8]) -> Option<Vec<ZipEntry>> {
    let last = archive.len().checked_sub(END_OF_DIRECTORY_BYTES)?;
    let end = (0..=last).rev().find(|at| u32_at(archive, *at) == Some(END_OF_DIRECTORY))?;
    let count = usize::from(u16_at(archive, end + 10)?);
    let mut at = u32_at(archive, end + 16)? as usize;
    let mut files = Vec::with_capacity(count);
    let mut total = 0;
    for _ in 0..count {
        let head = archive.get(at..).filter(|head| u32_at(head, 0) == Some(CENTRAL_HEADER))?;
        let (flags, method) = (u16_at(head, 8)?, u16_at(head, 10)?);
        let (checksum, packed, bytes) = (u32_at(head, 16)?, u32_at(head, 20)? as usize, u32_at(head, 24)? as usize);
        let [name, extra, comment] = [u16_at(head, 28)?, u16_at(head, 30)?, u16_at(head, 32)?].map(usize::from);
        let local = archive.get(u32_at(head, 42)? as usize..).filter(|local| u32_at(local, 0) == Some(LOCAL_HEADER))?;
        let data = LOCAL_HEADER_BYTES + usize::from(u16_at(local, 26)?) + usize::from(u16_at(local, 28)?);
        let packed = local.get(data..data + packed)?;
        total += bytes;
        if flags & 1 != 0 || total > MAX_UNPACKED_BYTES {
            return None;
        }
        let unpacked = match method {
            STORED => packed.to_vec(),
            DEFLATED => miniz_oxide::inflate::decompress_to_vec_with_limit(packed, bytes).ok()?,
            _ => return None,
        };
        if unpacked.len() != bytes || crc32fast::hash(&unpacked) != checksum {
            return None;
        }
        let name = std::str::from_utf8(head.get(CENTRAL_HEADER_BYTES..CENTRAL_HEADER_BYTES + name)?).ok()?.to_owned();
        at += CENTRAL_HEADER_BYTES + name.len() + extra + comment;
        files.push(ZipEntry { name, bytes: unpacked });
    }
    Some(files)
}

/// Writes a zip archive of uncompressed files in the given order. Its comment is the checksum of all bytes before the comment.
pub(super) fn write_zip(files: &[ZipEntry]) -> Option<Vec<u8>> {
    /// Modification date of all files in the archive: 1 January 1980 as a DOS date.
    const DAY: u16 = 0x21;
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for ZipEntry { name, bytes } in files {
        let length = u32::try_from(bytes.len()).ok()?;
        let at = u32::try_from(archive.len()).ok()?;
        let mut described = Vec::new();
        // The five header fields are the required version, flags, compression method, time and date.
        [10, 0, STORED, 0, DAY].iter().for_each(|half: &u16| described.extend(half.to_le_bytes()));
        [crc32fast::hash(bytes), length, length].iter().for_each(|word| described.extend(word.to_le_bytes()));
        described.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
        described.extend(0_u16.to_le_bytes()); // length of the extra field: 0
        archive.extend(LOCAL_HEADER.to_le_bytes());
        archive.extend(&described);
        archive.extend(name.as_bytes());
        archive.extend(bytes);
        directory.extend(CENTRAL_HEADER.to_le_bytes());
        directory.extend(10_u16.to_le_bytes()); // version of the program that made the archive
        directory.extend(&described);
        directory.extend([0; 10]); // length of the comment: 0; disk number: 0; attributes: 0
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (at, length) = (u32::try_from(archive.len()).ok()?, u32::try_from(directory.len()).ok()?);
    let count = u16::try_from(files.len()).ok()?.to_le_bytes();
    archive.extend(directory);
    archive.extend(END_OF_DIRECTORY.to_le_bytes());
    archive.extend([0; 4]); // disk numbers: 0
    archive.extend(count);
    archive.extend(count);
    archive.extend(length.to_le_bytes());
    archive.extend(at.to_le_bytes());
    archive.extend((CHECKSUM_CHARS as u16).to_le_bytes());
    let checksum = crc32fast::hash(&archive);
    archive.extend(format!("{checksum:08x}").bytes());
    Some(archive)
}
