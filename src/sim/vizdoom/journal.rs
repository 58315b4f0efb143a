//! What was done in a game since it began: enough to play it again.

use serde::{Deserialize, Serialize};

use super::buttons;

/// How a game began, and what was pressed for how many tics, in bytes: a step takes few, since most buttons are up or down.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Journal {
    /// The engine's first game, which differs from later ones of the same seed.
    pub is_first: bool,
    /// The game's seed.
    pub seed: u32,
    /// For each entry, as numbers of seven bits a byte: which buttons are down, which have another value, those values, and the tics.
    entries: Vec<u8>,
    /// The tics of all entries.
    tics: u64,
    /// Where the last entry begins, and where its number of tics.
    last: (usize, usize),
}

/// Something pressed for some tics.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// A value for each button.
    pub values: [f64; buttons::COUNT],
    /// Tics.
    pub tics: u64,
}

impl Journal {
    /// A game that has just begun.
    pub fn new(seed: u32, is_first: bool) -> Self {
        Self { is_first, seed, ..Self::default() }
    }

    /// Notes that these buttons, which have these values, were pressed for so many tics; all others are up.
    pub fn note(&mut self, pressed: &[usize], values: &[f64], tics: u32) {
        let mut entry = Vec::new();
        let (mut down, mut other) = (0_u64, 0_u64);
        for (button, value) in pressed.iter().zip(values) {
            match value.to_bits() {
                0 => {}
                bits if bits == 1_f64.to_bits() => down |= 1 << button,
                _ => other |= 1 << button,
            }
        }
        write(&mut entry, down);
        write(&mut entry, other);
        for button in (0..buttons::COUNT).filter(|button| other >> button & 1 == 1) {
            let value = pressed.iter().position(|each| *each == button).map_or(0.0, |place| values[place]);
            entry.extend(value.to_bits().to_le_bytes());
        }
        let (begins, counts) = self.last;
        let mut tics = u64::from(tics);
        self.tics += tics;
        // The same once more is a longer entry.
        if self.entries.get(begins..counts).is_some_and(|last| last == entry) {
            tics += read(&mut &self.entries[counts..]).unwrap_or_default();
            self.entries.truncate(counts);
        } else {
            self.last = (self.entries.len(), self.entries.len() + entry.len());
            self.entries.extend(entry);
        }
        write(&mut self.entries, tics);
    }

    /// Whether it is one that was written here, as far as that can be seen.
    pub fn is_whole(&self) -> bool {
        let (mut at, mut tics) = (0, 0_u64);
        while let Some((entry, next)) = self.entry(at) {
            (at, tics) = (next, tics.saturating_add(entry.tics));
        }
        (at, tics) == (self.entries.len(), self.tics)
    }

    /// The entry that begins at byte `at`, and where the next one does; nothing behind the last.
    pub fn entry(&self, at: usize) -> Option<(Entry, usize)> {
        let mut rest = self.entries.get(at..)?;
        let (down, other) = (read(&mut rest)?, read(&mut rest)?);
        let mut values = [0.0; buttons::COUNT];
        for (button, value) in values.iter_mut().enumerate() {
            if down >> button & 1 == 1 {
                *value = 1.0;
            } else if other >> button & 1 == 1 {
                let (bytes, others) = rest.split_first_chunk()?;
                (*value, rest) = (f64::from_bits(u64::from_le_bytes(*bytes)), others);
            }
        }
        let tics = read(&mut rest)?;
        Some((Entry { values, tics }, self.entries.len() - rest.len()))
    }
}

/// Appends a number, seven bits a byte, the least first.
fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes one off the front.
fn read(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(journal: &Journal) -> Vec<Entry> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some((entry, next)) = journal.entry(at) {
            found.push(entry);
            at = next;
        }
        found
    }

    fn pressed(values: &[(usize, f64)], tics: u64) -> Entry {
        let mut all = [0.0; buttons::COUNT];
        values.iter().for_each(|(button, value)| all[*button] = *value);
        Entry { values: all, tics }
    }

    #[test]
    fn what_was_pressed_comes_back_in_its_order() {
        let mut journal = Journal::new(7, true);
        journal.note(&[0, 42, 13], &[1.0, -7.25, 0.0], 4);
        journal.note(&[0, 42, 13], &[0.0, 0.0, 0.5], 300);
        journal.note(&[13, 0], &[1.0, 1.0], 1);
        let expected = [pressed(&[(0, 1.0), (42, -7.25)], 4), pressed(&[(13, 0.5)], 300), pressed(&[(13, 1.0), (0, 1.0)], 1)];
        assert_eq!(entries(&journal), expected);
    }

    #[test]
    fn the_same_once_more_is_one_entry() {
        let mut journal = Journal::new(7, false);
        (0..1000).for_each(|_| journal.note(&[3], &[1.0], 4));
        journal.note(&[3], &[-0.0], 4);
        journal.note(&[3], &[-0.0], 4);
        journal.note(&[3], &[1.0], 4);
        let found = entries(&journal);
        assert_eq!(found.iter().map(|entry| entry.tics).collect::<Vec<_>>(), [4000, 8, 4]);
        assert!(found[1].values[3].is_sign_negative());
    }

    #[test]
    fn a_damaged_journal_ends_early() {
        let mut journal = Journal::new(7, false);
        journal.note(&[40], &[2.5], 4);
        assert!(journal.is_whole());
        let whole = journal.entries.clone();
        for length in 0..whole.len() {
            journal.entries = whole[..length].to_vec();
            assert_eq!(entries(&journal), []);
            assert!(!journal.is_whole());
        }
        journal.entries = vec![0xff; 40];
        assert_eq!(entries(&journal), []);
    }
}
