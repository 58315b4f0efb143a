//! Journal of the inputs of one game, with which the game can be replayed.

use serde::{Deserialize, Serialize};

use super::buttons;

/// Start and inputs of one game, in a compact encoding of a few bytes per step.
///
/// The journal also records after which tics the engine rendered frames, because each frame consumes random numbers for drawing
/// moving objects.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Journal {
    /// Whether the game is the first of its engine process. The first game differs from later games with the same seed.
    pub is_first: bool,
    /// Seed with which the game was started.
    pub seed: u32,
    /// Buttons that were still held from the previous game, with their values. They affect the start of the game.
    pub held_buttons: Vec<(u8, f64)>,
    /// Encoded entries, each of which is a sequence of varints. An entry has a mask of pressed buttons, a mask of buttons with
    /// other values, and these values (8 bytes each). After the values follow the number of tics, a flag whether the last tic
    /// is rendered, and the number of repetitions.
    entries: Vec<u8>,
    /// Number of calls of `record` so far, including inputs that were merged into an entry's repetitions.
    count: u64,
    /// Number of frames that the engine has rendered in the game.
    rendered: u64,
    /// Byte offset of the last entry in `entries`, and byte offset of the varint with its number of repetitions.
    last: (usize, usize),
}

/// Journal entry: buttons that were held for a number of tics, and how many times the entry is repeated.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Value of each button, by the button's number.
    pub values: [f64; buttons::COUNT],
    /// Number of tics per repetition; 0 for an update without a tic.
    pub tics: u64,
    /// Whether the last tic of each repetition of the entry is rendered.
    pub renders: bool,
    /// Number of times that the entry is played.
    pub times: u64,
}

/// Number of frames after which earlier games no longer affect the rendering.
const SETTLED_FRAMES: u64 = 64;
/// Maximum number of tics of an entry, because all tics of an entry are sent to the engine at once.
const MAX_ENTRY_TICS: u64 = 40;

impl Journal {
    /// Creates the journal of a game that has just started.
    pub fn new(seed: u32, is_first: bool, held: Vec<(u8, f64)>) -> Self {
        // `rendered` starts at 1, because the engine renders a frame when a game starts.
        Self { is_first, seed, held_buttons: held, rendered: 1, ..Self::default() }
    }

    /// Records that the buttons `pressed` had the values `values` for `tics` tics, and that all other buttons were released.
    /// `draws` states whether the last of these tics was rendered.
    pub fn record(&mut self, pressed: &[usize], values: &[f64], tics: u32, draws: bool) {
        let mut entry = Vec::new();
        let (mut down, mut other) = (0_u64, 0_u64);
        for (button, value) in pressed.iter().zip(values) {
            match value.to_bits() {
                0 => {}
                bits if bits == 1_f64.to_bits() => down |= 1 << button,
                _ => other |= 1 << button,
            }
        }
        write_varint(&mut entry, down);
        write_varint(&mut entry, other);
        for button in (0..buttons::COUNT).filter(|button| other >> button & 1 == 1) {
            let value = pressed.iter().position(|each| *each == button).map_or(0.0, |index| values[index]);
            entry.extend(value.to_bits().to_le_bytes());
        }
        write_varint(&mut entry, u64::from(tics));
        write_varint(&mut entry, u64::from(draws));
        let (begins, counts) = self.last;
        let mut times = 1;
        self.count = self.count.saturating_add(1);
        self.rendered = self.rendered.saturating_add(u64::from(draws));
        if self.entries.get(begins..counts).is_some_and(|last| last == entry) {
            times += read_varint(&mut &self.entries[counts..]).unwrap_or_default();
            self.entries.truncate(counts);
        } else {
            self.last = (self.entries.len(), self.entries.len() + entry.len());
            self.entries.extend(entry);
        }
        write_varint(&mut self.entries, times);
    }

    /// Returns whether the consecutive games `games` have rendered enough frames in total that earlier games no longer affect
    /// what the engine renders.
    ///
    /// Only the drawn position of the player's weapon persists across games. The engine moves the weapon to its target position
    /// at once or within about sixteen frames.
    pub fn has_settled(games: &[Self]) -> bool {
        games.iter().map(|game| game.rendered).fold(0, u64::saturating_add) >= SETTLED_FRAMES
    }

    /// Returns whether the journal is consistent. Journals from untrusted snapshots must pass this check.
    pub fn is_valid(&self) -> bool {
        let (mut at, mut last, mut count, mut rendered_frames) = (0, 0, 0_u64, 1_u64);
        while let Some((entry, next)) = self.entry(at).filter(|(entry, _)| entry.tics <= MAX_ENTRY_TICS && entry.times > 0) {
            (at, last) = (next, at);
            count = count.saturating_add(entry.times);
            rendered_frames = rendered_frames.saturating_add(if entry.renders { entry.times } else { 0 });
        }
        let has_valid_buttons = self.held_buttons.iter().all(|(button, _)| usize::from(*button) < buttons::COUNT);
        let (begins, counts) = self.last;
        let is_last = begins == last && (counts > begins || at == 0) && (begins..=at).contains(&counts);
        has_valid_buttons && is_last && (at, count, rendered_frames) == (self.entries.len(), self.count, self.rendered)
    }

    /// Returns the number of tics that a replay of the journal plays. An update without a tic counts as one.
    pub fn replay_tics(&self) -> u64 {
        let (mut at, mut length) = (0, 0_u64);
        while let Some((entry, next)) = self.entry(at) {
            at = next;
            length = length.saturating_add(entry.times.saturating_mul(entry.tics.max(1)));
        }
        length
    }

    /// Returns the entry at byte `at`, and the byte offset of the next entry; `None` after the last entry.
    pub fn entry(&self, at: usize) -> Option<(Entry, usize)> {
        let mut rest = self.entries.get(at..)?;
        let (down, other) = (read_varint(&mut rest)?, read_varint(&mut rest)?);
        let mut values = [0.0; buttons::COUNT];
        for (button, value) in values.iter_mut().enumerate() {
            if down >> button & 1 == 1 {
                *value = 1.0;
            } else if other >> button & 1 == 1 {
                let (bytes, others) = rest.split_first_chunk()?;
                (*value, rest) = (f64::from_bits(u64::from_le_bytes(*bytes)), others);
            }
        }
        let (tics, draws, times) = (read_varint(&mut rest)?, read_varint(&mut rest)? != 0, read_varint(&mut rest)?);
        Some((Entry { values, tics, renders: draws, times }, self.entries.len() - rest.len()))
    }
}

/// Appends a number as a varint: seven bits per byte, least significant first.
fn write_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Removes a varint from the start of `bytes` and returns the number that it encodes; `None` if the varint is incomplete.
fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
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

    fn pressed(values: &[(usize, f64)], tics: u64, draws: bool, times: u64) -> Entry {
        let mut all = [0.0; buttons::COUNT];
        values.iter().for_each(|(button, value)| all[*button] = *value);
        Entry { values: all, tics, renders: draws, times }
    }

    #[test]
    fn recorded_inputs_are_read_in_order() {
        let mut journal = Journal::new(7, true, vec![]);
        journal.record(&[0, 42, 13], &[1.0, -7.25, 0.0], 4, true);
        journal.record(&[0, 42, 13], &[0.0, 0.0, 0.5], 39, false);
        journal.record(&[13, 0], &[1.0, 1.0], 0, true);
        let expected = [
            pressed(&[(0, 1.0), (42, -7.25)], 4, true, 1),
            pressed(&[(13, 0.5)], 39, false, 1),
            pressed(&[(13, 1.0), (0, 1.0)], 0, true, 1),
        ];
        assert_eq!(entries(&journal), expected);
        assert!(journal.is_valid());
    }

    #[test]
    fn repeated_inputs_are_one_entry() {
        let mut journal = Journal::new(7, false, vec![]);
        (0..1000).for_each(|_| journal.record(&[3], &[1.0], 4, true));
        journal.record(&[3], &[-0.0], 4, true);
        journal.record(&[3], &[-0.0], 4, true);
        journal.record(&[3], &[-0.0], 4, false);
        journal.record(&[3], &[1.0], 4, true);
        let found = entries(&journal);
        assert_eq!(found.iter().map(|entry| entry.times).collect::<Vec<_>>(), [1000, 2, 1, 1]);
        assert!(found[1].values[3].is_sign_negative());
        assert!(journal.is_valid());
    }

    #[test]
    fn rendering_settles_after_64_frames() {
        let game = |pictures: u64| {
            let mut journal = Journal::new(7, false, vec![]);
            (0..pictures).for_each(|_| journal.record(&[3], &[1.0], 4, true));
            journal.record(&[3], &[1.0], 4, false);
            journal
        };
        assert!(!Journal::has_settled(&[game(62)]) && Journal::has_settled(&[game(63)]));
        assert!(!Journal::has_settled(&[game(30), game(31)]) && Journal::has_settled(&[game(31), game(31)]));
    }

    #[test]
    fn replay_tics_count_tics_and_updates() {
        let mut journal = Journal::new(7, false, vec![]);
        assert_eq!(journal.replay_tics(), 0);
        (0..1000).for_each(|_| journal.record(&[3], &[1.0], 4, true));
        (0..3).for_each(|_| journal.record(&[3], &[1.0], 0, true));
        assert_eq!(journal.replay_tics(), 4003);
        write_varint(&mut journal.entries, 0);
        write_varint(&mut journal.entries, 0);
        write_varint(&mut journal.entries, 4);
        write_varint(&mut journal.entries, 1);
        write_varint(&mut journal.entries, u64::MAX);
        assert_eq!(journal.replay_tics(), u64::MAX);
    }

    #[test]
    fn inconsistent_counts_are_detected() {
        let mut journal = Journal::new(7, false, vec![]);
        assert!(journal.is_valid());
        (0..300).for_each(|_| journal.record(&[3], &[1.0], 4, true));
        journal.record(&[3], &[0.0], 4, false);
        assert!(journal.is_valid());
        let (begins, counts) = journal.last;
        let forged = [
            Journal { count: 300, ..journal.clone() },
            Journal { rendered: 302, ..journal.clone() },
            Journal { rendered: u64::MAX, ..journal.clone() },
            Journal { last: (0, counts), ..journal.clone() },
            Journal { last: (begins, begins), ..journal.clone() },
            Journal { last: (begins, usize::MAX), ..journal.clone() },
        ];
        assert!(forged.iter().all(|forged| !forged.is_valid()));
    }

    #[test]
    fn held_buttons_must_exist() {
        assert!(Journal::new(7, false, vec![(0, 1.0), (42, -3.0)]).is_valid());
        assert!(!Journal::new(7, false, vec![(43, 1.0)]).is_valid());
    }

    #[test]
    fn a_damaged_journal_ends_early() {
        let mut journal = Journal::new(7, false, vec![]);
        journal.record(&[40], &[2.5], 4, true);
        let whole = journal.entries.clone();
        for length in 0..whole.len() {
            journal.entries = whole[..length].to_vec();
            assert_eq!(entries(&journal), []);
            assert!(!journal.is_valid());
        }
        journal.entries = vec![0xff; 40];
        assert_eq!(entries(&journal), []);
        assert!(!journal.is_valid());
    }
}
