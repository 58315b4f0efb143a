//! Reads palettes, maps and other lumps of `.wad` files.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Palette of a game: red, green and blue of each of its 256 colours.
pub type Palette = [[u8; 3]; 256];

/// Open `.wad` file, with its directory of lumps.
#[derive(Debug)]
pub struct Wad {
    file: File,
    /// Size of the file in bytes.
    length: u64,
    /// Names of the lumps, with their offsets and lengths in bytes.
    lumps: Vec<(String, u64, usize)>,
}

fn invalid_data(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

impl Wad {
    /// Opens a file and reads its directory.
    ///
    /// # Errors
    /// If the file cannot be read or is not a `.wad` file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut header = [0; 12];
        file.read_exact(&mut header).map_err(|_| invalid_data("it is not a .wad file: it is too short"))?;
        if &header[..4] != b"IWAD" && &header[..4] != b"PWAD" {
            return Err(invalid_data("it is not a .wad file: it begins with neither IWAD nor PWAD"));
        }
        let word = |at: &[u8]| u64::from(u32::from_le_bytes([at[0], at[1], at[2], at[3]]));
        let (count, directory) = (word(&header[4..]), word(&header[8..]));
        if directory + count * 16 > length {
            return Err(invalid_data("its directory lies beyond the end of the file"));
        }
        file.seek(SeekFrom::Start(directory))?;
        let mut entries = vec![0; count as usize * 16];
        file.read_exact(&mut entries)?;
        let lump = |entry: &[u8]| {
            let name: String = entry[8..].iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect();
            (name.to_ascii_uppercase(), word(entry), word(&entry[4..]) as usize)
        };
        Ok(Self { lumps: entries.chunks_exact(16).map(lump).collect(), length, file })
    }

    /// Returns the first palette in the last `PLAYPAL` lump; `None` if there is no such lump.
    ///
    /// # Errors
    /// If the lump cannot be read or is too short.
    pub fn palette(&mut self) -> io::Result<Option<Palette>> {
        let Some((_, offset, length)) = self.lumps.iter().rev().find(|(name, _, _)| name == "PLAYPAL") else { return Ok(None) };
        if *length < 768 {
            return Err(invalid_data("its palette has fewer than 256 colours"));
        }
        self.file.seek(SeekFrom::Start(*offset))?;
        let mut bytes = [0; 768];
        self.file.read_exact(&mut bytes)?;
        let mut palette = [[0; 3]; 256];
        palette.iter_mut().zip(bytes.chunks_exact(3)).for_each(|(colour, bytes)| colour.copy_from_slice(bytes));
        Ok(Some(palette))
    }

    /// Returns whether the file contains a map with the name `map`.
    pub fn has_map(&self, map: &str) -> bool {
        self.lumps.iter().any(|(name, _, _)| name.eq_ignore_ascii_case(map))
    }

    /// Returns the names of all lumps.
    pub fn lump_names(&self) -> impl Iterator<Item = &str> {
        self.lumps.iter().map(|(name, _, _)| name.as_str())
    }

    /// Returns the contents of all lumps with the name `name`.
    ///
    /// # Errors
    /// If the file cannot be read, or if the lumps overlap so much that together they are larger than the file.
    pub fn read_lumps(&mut self, name: &str) -> io::Result<Vec<Vec<u8>>> {
        let (mut found, mut total) = (Vec::new(), 0);
        for (_, offset, length) in self.lumps.iter().filter(|(other, _, _)| other == name) {
            self.file.seek(SeekFrom::Start(*offset))?;
            let mut bytes = Vec::new();
            Read::by_ref(&mut self.file).take(*length as u64).read_to_end(&mut bytes)?;
            total += bytes.len() as u64;
            if total > self.length {
                return Err(invalid_data("its lumps overlap"));
            }
            found.push(bytes);
        }
        Ok(found)
    }

    /// Returns the names of the maps, such as `E1M1` in Doom and `MAP01` in Doom II.
    pub fn maps(&self) -> Vec<&str> {
        let is_map = |name: &str| match name.as_bytes() {
            [b'E', e, b'M', m] => e.is_ascii_digit() && m.is_ascii_digit(),
            [b'M', b'A', b'P', tens, ones] => tens.is_ascii_digit() && ones.is_ascii_digit(),
            _ => false,
        };
        self.lumps.iter().map(|(name, _, _)| name.as_str()).filter(|name| is_map(name)).collect()
    }
}

/// Returns the gray value of a colour, computed by the formula of ViZDoom's engine.
pub fn gray([red, green, blue]: [u8; 3]) -> u8 {
    (0.21 * f64::from(red) + 0.72 * f64::from(green) + 0.07 * f64::from(blue)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn wad(lumps: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut bytes, mut directory) = (vec![0; 12], Vec::new());
        for (name, lump) in lumps {
            directory.extend((bytes.len() as u32).to_le_bytes());
            directory.extend((lump.len() as u32).to_le_bytes());
            let mut field = [0; 8];
            field[..name.len()].copy_from_slice(name.as_bytes());
            directory.extend(field);
            bytes.extend_from_slice(lump);
        }
        let at = bytes.len() as u32;
        bytes[..4].copy_from_slice(b"PWAD");
        bytes[4..8].copy_from_slice(&(lumps.len() as u32).to_le_bytes());
        bytes[8..12].copy_from_slice(&at.to_le_bytes());
        bytes.extend(directory);
        bytes
    }

    fn opened(name: &str, bytes: &[u8]) -> io::Result<Wad> {
        let path = std::env::temp_dir().join(format!("envpool_rs-{name}-{}.wad", std::process::id()));
        File::create(&path).unwrap().write_all(bytes).unwrap();
        let opened = Wad::open(&path);
        std::fs::remove_file(&path).unwrap();
        opened
    }

    #[test]
    fn maps_and_palette_are_found() {
        let colours: Vec<u8> = (0..768).map(|byte| (byte % 251) as u8).collect();
        let mut wad = opened("whole", &wad(&[("MAP01", &[]), ("PLAYPAL", &colours), ("E1M3", &[]), ("THINGS", &[1])])).unwrap();
        assert_eq!(wad.maps(), ["MAP01", "E1M3"]);
        assert!(wad.has_map("map01") && !wad.has_map("map02"));
        assert_eq!(wad.palette().unwrap().unwrap()[1], [3, 4, 5]);
    }

    #[test]
    fn invalid_wad_files_are_refused() {
        assert!(opened("short", b"IWAD").is_err());
        assert!(opened("other", b"PK\x03\x04 and so on").is_err());
        assert!(opened("cut", &wad(&[("MAP01", &[])])[..20]).is_err());
        assert!(opened("pale", &wad(&[("PLAYPAL", &[0; 30])])).unwrap().palette().is_err());
    }

    #[test]
    fn overlapping_lumps_are_refused_once_they_exceed_the_file() {
        let mut bytes = wad(&[("DECORATE", &[7; 1000]), ("DECORATE", &[]), ("DECORATE", &[])]);
        assert_eq!(opened("apart", &bytes).unwrap().read_lumps("DECORATE").unwrap(), [vec![7; 1000], vec![], vec![]]);
        let directory = bytes.len() - 3 * 16;
        let first: Vec<u8> = bytes[directory..directory + 8].to_vec();
        bytes[directory + 16..directory + 24].copy_from_slice(&first);
        bytes[directory + 32..directory + 40].copy_from_slice(&first);
        assert!(opened("overlapping", &bytes).unwrap().read_lumps("DECORATE").is_err());
    }

    #[test]
    fn grays_are_truncated() {
        assert_eq!([gray([255, 255, 255]), gray([1, 1, 1]), gray([10, 20, 30])], [254, 1, 18]);
    }
}
