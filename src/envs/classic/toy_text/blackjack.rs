//! Blackjack against a dealer who draws to 17, from an infinite deck. Follows gymnasium 1.4.0 (`Blackjack-v1`); after Example
//! 5.1 of Sutton and Barto, "Reinforcement Learning: An Introduction".

use serde::{Deserialize, Serialize};

use super::pictures::blackjack::{RENDERING, Table, picture};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, OptionSpec, Options, Picture, Rendering, ResetOptions, Result, Row, Scheduling, Space, Task,
};
use envpool_rs_numeric::random::Generator;

/// Above this a hand is bust.
const LIMIT: u8 = 21;

/// The dealer draws below this.
const DEALER_STICKS: u8 = 17;

/// The environment: observation `Tuple(Discrete(32), Discrete(11), Discrete(2))` of int64 `()`: the player's sum, the dealer's
/// open card (an ace is 1) and whether the player holds an ace that counts 11 (EnvPool: int32 `(3,)`); action `Discrete(2)`:
/// stick, hit; reward -1, 0 or 1 at the end, or 1.5.
///
/// As in gymnasium, `sab` makes a natural (an ace and a ten at once) win against any other hand, and `natural` pays 1.5 for
/// winning with one, which `sab` overrides.
#[derive(Debug)]
pub struct Blackjack {
    natural_pays_more: bool,
    natural_wins: bool,
}

/// The tasks built on it, without a time limit.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<Blackjack>("Blackjack-v1").preset("sab", true).preset("natural", false)]
}

/// A hand, as far as it matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Hand {
    /// Sum of the cards, aces counting 1.
    sum: u8,
    has_ace: bool,
    cards: u8,
}

/// The two hands on the table.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Hands {
    dealer_shows: u8,
    dealer: Hand,
    player: Hand,
    /// The open card's suit, and which face a ten shows: for the picture.
    suit: u8,
    face: u8,
}

/// Draws a card: 1 for an ace, 10 for face cards.
#[inline]
fn draw(rng: &mut Generator) -> u8 {
    (rng.choice(13) as u8 + 1).min(10)
}

impl Hand {
    #[inline]
    fn add(&mut self, card: u8) {
        *self = Self { sum: self.sum + card, has_ace: self.has_ace || card == 1, cards: self.cards.saturating_add(1) };
    }

    #[inline]
    fn of([first, second]: [u8; 2]) -> Self {
        Self { sum: first + second, has_ace: first == 1 || second == 1, cards: 2 }
    }

    /// Whether an ace can count 11.
    #[inline]
    fn has_usable_ace(self) -> bool {
        self.has_ace && self.sum + 10 <= LIMIT
    }

    #[inline]
    fn total(self) -> u8 {
        self.sum + if self.has_usable_ace() { 10 } else { 0 }
    }

    /// The total, or nothing for a hand that is bust.
    #[inline]
    fn score(self) -> u8 {
        if self.total() > LIMIT { 0 } else { self.total() }
    }

    #[inline]
    fn is_natural(self) -> bool {
        self.cards == 2 && self.has_ace && self.sum == 11
    }

    /// Whether this can be a hand before the last card.
    fn is_valid(self) -> bool {
        self.sum <= LIMIT + 10
    }
}

impl Blackjack {
    /// The dealer's turn, and the player's reward after it.
    #[inline]
    fn settle(&self, hands: &mut Hands, rng: &mut Generator) -> f64 {
        while hands.dealer.total() < DEALER_STICKS {
            hands.dealer.add(draw(rng));
        }
        let (player, dealer) = (hands.player, hands.dealer);
        let wins = player.score() > dealer.score();
        if self.natural_wins && player.is_natural() && !dealer.is_natural() {
            1.0
        } else if self.natural_pays_more && player.is_natural() && wins {
            1.5
        } else {
            f64::from(i8::from(wins) - i8::from(player.score() < dealer.score()))
        }
    }
}

impl Env for Blackjack {
    type State = Hands;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::new("natural", false, "whether winning with a natural pays 1.5 (without sab)").each_episode(),
            OptionSpec::new("sab", false, "whether a natural wins against any other hand, as in Sutton and Barto").each_episode(),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let natural_wins = options.bool("sab");
        Ok(Self { natural_wins, natural_pays_more: options.bool("natural") && !natural_wins })
    }

    fn spec(&self) -> EnvSpec {
        let observation = Space::Tuple([32, 11, 2].map(Space::discrete).into());
        let mut spec = EnvSpec::new(observation, Space::discrete(2));
        spec.envpool_observation = Some(Space::uniform(0.0, 31.0, &[3], Dtype::I32));
        spec
    }

    fn create(&self, _lane: usize) -> Result<Hands> {
        Ok(Hands::default())
    }

    #[inline]
    fn reset(&self, state: &mut Hands, _options: &ResetOptions, rng: &mut Generator) {
        let (open, hidden, first, second) = (draw(rng), draw(rng), draw(rng), draw(rng));
        let (dealer, player) = (Hand::of([open, hidden]), Hand::of([first, second]));
        let suit = rng.choice(4) as u8;
        let face = if open == 10 { rng.choice(3) as u8 } else { 0 };
        *state = Hands { dealer_shows: open, dealer, player, suit, face };
    }

    #[inline]
    fn step(&self, state: &mut Hands, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        if action.discrete() == 0 {
            rewards[0] = self.settle(state, rng);
            return true;
        }
        state.player.add(draw(rng));
        let is_bust = state.player.total() > LIMIT;
        rewards[0] = if is_bust { -1.0 } else { 0.0 };
        is_bust
    }

    #[inline]
    fn observe(&self, state: &Hands, out: &mut Row<'_>) {
        out.scalar(0, i64::from(state.player.total()));
        out.scalar(1, i64::from(state.dealer_shows));
        out.scalar(2, i64::from(state.player.has_usable_ace()));
    }

    fn is_valid(&self, state: &Hands) -> bool {
        state.dealer_shows <= 10 && state.dealer.is_valid() && state.player.is_valid()
    }

    fn rendering(&self) -> Rendering {
        RENDERING
    }

    fn paint(&self, state: &Hands) -> Picture {
        picture(&Table {
            player: state.player.total(),
            has_usable_ace: state.player.has_usable_ace(),
            dealer_shows: state.dealer_shows,
            suit: state.suit,
            face: state.face,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy_text::replay::{replays_like_the_reference, with_options};

    #[test]
    fn blackjack_plays_as_in_gymnasium() {
        replays_like_the_reference::<Blackjack>("Blackjack-v1");
    }

    #[test]
    fn an_ace_counts_eleven_until_that_would_bust() {
        let mut hand = Hand::of([1, 6]);
        assert_eq!((hand.total(), hand.has_usable_ace()), (17, true));
        hand.add(5);
        assert_eq!((hand.total(), hand.has_usable_ace()), (12, false));
    }

    #[test]
    fn only_two_cards_make_a_natural() {
        let mut eleven = Hand::of([1, 5]);
        eleven.add(5);
        assert_eq!((eleven.total(), eleven.is_natural()), (21, false));
        assert!(Hand::of([10, 1]).is_natural());
    }

    #[test]
    fn snapshots_of_impossible_hands_are_refused() {
        let env = with_options::<Blackjack>("Blackjack-v1", &[]).unwrap();
        let sum = |sum| Hands { player: Hand { sum, has_ace: false, cards: 2 }, ..Hands::default() };
        assert!(env.is_valid(&sum(31)) && !env.is_valid(&sum(32)));
        assert!(!env.is_valid(&Hands { dealer_shows: 11, ..Hands::default() }));
    }
}
