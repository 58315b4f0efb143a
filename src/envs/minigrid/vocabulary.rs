//! Encodes missions as one number per word, as minigrid's `DictObservationSpaceWrapper` does.

/// Words of MiniGrid's missions in the order of minigrid's `DictObservationSpaceWrapper`, followed by the words that only
/// BabyAI uses.
const WORDS: [&str; 60] = [
    "red", "green", "blue", "yellow", "purple", "grey", "unseen", "empty", "wall", "floor", "box", "key", "ball", "door", "goal",
    "agent", "lava", "pick", "avoid", "get", "find", "put", "use", "open", "go", "fetch", "reach", "unlock", "traverse", "up",
    "the", "a", "at", ",", "square", "and", "then", "to", "of", "rooms", "near", "opening", "must", "you", "matching", "end",
    "hallway", "object", "from", "room", "maze", // the following words are BabyAI's
    "next", "in", "front", "behind", "on", "your", "left", "right", "after",
];

/// Returns two sizes for missions of at most `mission_bytes` bytes: the number of words in the vocabulary, and the maximum
/// number of words of a mission.
pub const fn size(mission_bytes: usize) -> (usize, usize) {
    if mission_bytes <= 96 { (51, 50) } else { (WORDS.len(), 128) }
}

/// Returns the number of each word of a mission, starting with 1 for the first word of the vocabulary. A comma counts as a
/// word; the number of an unknown word is 0.
pub fn tokens(mission: &str) -> impl Iterator<Item = i64> {
    let words = mission.split(' ').flat_map(|word| match word.strip_suffix(',') {
        Some(word) => [word, ","],
        None => [word, ""],
    });
    words.filter(|word| !word.is_empty()).map(|word| {
        let number = WORDS.iter().position(|known| *known == word);
        number.map_or(0, |number| number as i64 + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_equal_those_of_minigrids_wrapper() {
        let mission = "avoid the lava and get to the green goal square";
        assert_eq!(tokens(mission).collect::<Vec<_>>(), [19, 31, 17, 36, 20, 38, 31, 2, 15, 35]);
        assert_eq!(tokens("go, then go").collect::<Vec<_>>(), [25, 34, 37, 25]);
        assert_eq!(tokens("").count(), 0);
    }
}
