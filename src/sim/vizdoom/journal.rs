//! What was done in a game since it began: enough to play it again.

use serde::{Deserialize, Serialize};

use super::buttons;

/// How a game began, and what was done in it, in bytes: a step takes few, since most buttons are up or down. When pictures were drawn
/// belongs to it: what flies about is drawn by random numbers, of which each picture takes some.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Journal {
    /// The engine's first game, which differs from later ones of the same seed.
    pub is_first: bool,
    /// The game's seed.
    pub seed: u32,
    /// Buttons that were still down from the game before, and how. Whoever comes into a game with his finger on the trigger is another
    /// one.
    pub held: Vec<(u8, f64)>,
    /// For each entry, as numbers of seven bits a byte: which buttons are down, which have another value, those values, the tics, whether
    /// the last of them is drawn, and how often all that was done.
    entries: Vec<u8>,
    /// How often something was done.
    count: u64,
    /// How many pictures were drawn.
    drawn: u64,
    /// Where the last entry begins, and where its last number.
    last: (usize, usize),
}

/// Something pressed for some tics, again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// A value for each button.
    pub values: [f64; buttons::COUNT],
    /// Tics.
    pub tics: u64,
    /// Whether there was a picture after them.
    pub draws: bool,
    /// How often.
    pub times: u64,
}

/// Pictures after which nothing is left of games before.
const SETTLED: u64 = 64;
/// Most tics of an entry, which are asked for at once.
const MOST_TICS: u64 = 40;

impl Journal {
    /// A game that has just begun.
    pub fn new(seed: u32, is_first: bool, held: Vec<(u8, f64)>) -> Self {
        // A game begins with a picture.
        Self { is_first, seed, held, drawn: 1, ..Self::default() }
    }

    /// Notes that these buttons, which have these values, were pressed for so many tics; all others are up.
    pub fn note(&mut self, pressed: &[usize], values: &[f64], tics: u32, draws: bool) {
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
        write(&mut entry, u64::from(tics));
        write(&mut entry, u64::from(draws));
        let (begins, counts) = self.last;
        let mut times = 1;
        self.count = self.count.saturating_add(1);
        self.drawn = self.drawn.saturating_add(u64::from(draws));
        if self.entries.get(begins..counts).is_some_and(|last| last == entry) {
            times += read(&mut &self.entries[counts..]).unwrap_or_default();
            self.entries.truncate(counts);
        } else {
            self.last = (self.entries.len(), self.entries.len() + entry.len());
            self.entries.extend(entry);
        }
        write(&mut self.entries, times);
    }

    /// Whether as many pictures were drawn as it takes until nothing is left in them of games before: the engine lets a weapon swing to
    /// where it ought to be from where it was in the picture before, at once or in some sixteen pictures.
    pub fn is_settled(games: &[Self]) -> bool {
        games.iter().map(|game| game.drawn).fold(0, u64::saturating_add) >= SETTLED
    }

    /// Whether it is one that was written here, as far as that can be seen.
    pub fn is_whole(&self) -> bool {
        let (mut at, mut last, mut count, mut drawn) = (0, 0, 0_u64, 1_u64);
        while let Some((entry, next)) = self.entry(at).filter(|(entry, _)| entry.tics <= MOST_TICS && entry.times > 0) {
            (at, last) = (next, at);
            count = count.saturating_add(entry.times);
            drawn = drawn.saturating_add(if entry.draws { entry.times } else { 0 });
        }
        let are_held = self.held.iter().all(|(button, _)| usize::from(*button) < buttons::COUNT);
        let (begins, counts) = self.last;
        let is_last = begins == last && (counts > begins || at == 0) && (begins..=at).contains(&counts);
        are_held && is_last && (at, count, drawn) == (self.entries.len(), self.count, self.drawn)
    }

    /// Tics that it takes to play it, and updates without one.
    pub fn length(&self) -> u64 {
        let (mut at, mut length) = (0, 0_u64);
        while let Some((entry, next)) = self.entry(at) {
            at = next;
            length = length.saturating_add(entry.times.saturating_mul(entry.tics.max(1)));
        }
        length
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
        let (tics, draws, times) = (read(&mut rest)?, read(&mut rest)? != 0, read(&mut rest)?);
        Some((Entry { values, tics, draws, times }, self.entries.len() - rest.len()))
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

    fn pressed(values: &[(usize, f64)], tics: u64, draws: bool, times: u64) -> Entry {
        let mut all = [0.0; buttons::COUNT];
        values.iter().for_each(|(button, value)| all[*button] = *value);
        Entry { values: all, tics, draws, times }
    }

    #[test]
    fn what_was_pressed_comes_back_in_its_order() {
        let mut journal = Journal::new(7, true, vec![]);
        journal.note(&[0, 42, 13], &[1.0, -7.25, 0.0], 4, true);
        journal.note(&[0, 42, 13], &[0.0, 0.0, 0.5], 39, false);
        journal.note(&[13, 0], &[1.0, 1.0], 0, true);
        let expected = [
            pressed(&[(0, 1.0), (42, -7.25)], 4, true, 1),
            pressed(&[(13, 0.5)], 39, false, 1),
            pressed(&[(13, 1.0), (0, 1.0)], 0, true, 1),
        ];
        assert_eq!(entries(&journal), expected);
        assert!(journal.is_whole());
    }

    #[test]
    fn the_same_once_more_is_one_entry() {
        let mut journal = Journal::new(7, false, vec![]);
        (0..1000).for_each(|_| journal.note(&[3], &[1.0], 4, true));
        journal.note(&[3], &[-0.0], 4, true);
        journal.note(&[3], &[-0.0], 4, true);
        journal.note(&[3], &[-0.0], 4, false);
        journal.note(&[3], &[1.0], 4, true);
        let found = entries(&journal);
        assert_eq!(found.iter().map(|entry| entry.times).collect::<Vec<_>>(), [1000, 2, 1, 1]);
        assert!(found[1].values[3].is_sign_negative());
        assert!(journal.is_whole());
    }

    #[test]
    fn pictures_settle_in_the_last_games() {
        let game = |pictures: u64| {
            let mut journal = Journal::new(7, false, vec![]);
            (0..pictures).for_each(|_| journal.note(&[3], &[1.0], 4, true));
            journal.note(&[3], &[1.0], 4, false);
            journal
        };
        assert!(!Journal::is_settled(&[game(62)]) && Journal::is_settled(&[game(63)]));
        assert!(!Journal::is_settled(&[game(30), game(31)]) && Journal::is_settled(&[game(31), game(31)]));
    }

    #[test]
    fn it_is_as_long_as_it_takes_to_play() {
        let mut journal = Journal::new(7, false, vec![]);
        assert_eq!(journal.length(), 0);
        (0..1000).for_each(|_| journal.note(&[3], &[1.0], 4, true));
        (0..3).for_each(|_| journal.note(&[3], &[1.0], 0, true));
        assert_eq!(journal.length(), 4003);
        write(&mut journal.entries, 0);
        write(&mut journal.entries, 0);
        write(&mut journal.entries, 4);
        write(&mut journal.entries, 1);
        write(&mut journal.entries, u64::MAX);
        assert_eq!(journal.length(), u64::MAX);
    }

    #[test]
    fn counts_that_do_not_belong_to_what_was_done_are_seen() {
        let mut journal = Journal::new(7, false, vec![]);
        assert!(journal.is_whole());
        (0..300).for_each(|_| journal.note(&[3], &[1.0], 4, true));
        journal.note(&[3], &[0.0], 4, false);
        assert!(journal.is_whole());
        let (begins, counts) = journal.last;
        let forged = [
            Journal { count: 300, ..journal.clone() },
            Journal { drawn: 302, ..journal.clone() },
            Journal { drawn: u64::MAX, ..journal.clone() },
            Journal { last: (0, counts), ..journal.clone() },
            Journal { last: (begins, begins), ..journal.clone() },
            Journal { last: (begins, usize::MAX), ..journal.clone() },
        ];
        assert!(forged.iter().all(|forged| !forged.is_whole()));
    }

    #[test]
    fn buttons_that_there_are_not_are_not_held() {
        assert!(Journal::new(7, false, vec![(0, 1.0), (42, -3.0)]).is_whole());
        assert!(!Journal::new(7, false, vec![(43, 1.0)]).is_whole());
    }

    #[test]
    fn a_damaged_journal_ends_early() {
        let mut journal = Journal::new(7, false, vec![]);
        journal.note(&[40], &[2.5], 4, true);
        let whole = journal.entries.clone();
        for length in 0..whole.len() {
            journal.entries = whole[..length].to_vec();
            assert_eq!(entries(&journal), []);
            assert!(!journal.is_whole());
        }
        journal.entries = vec![0xff; 40];
        assert_eq!(entries(&journal), []);
        assert!(!journal.is_whole());
    }
}
