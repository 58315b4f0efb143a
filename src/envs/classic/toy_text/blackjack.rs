//! Blackjack with an infinite deck against a dealer who draws to 17.
//!
//! Follows gymnasium 1.4.0 (`Blackjack-v1`), after Example 5.1 of Sutton and Barto, "Reinforcement Learning: An Introduction".

use serde::{Deserialize, Serialize};

use super::pictures::blackjack::{BlackjackView, RENDERING, picture};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvPoolClass, EnvSpec, Frame, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row, Scheduling,
    Space, Task,
};
use envpool_rs_numeric::random::Generator;

/// Largest sum of a hand that is not bust.
const LIMIT: u8 = 21;

/// Sum of cards at which the dealer stops drawing.
const DEALER_STICKS_AT: u8 = 17;

/// Blackjack environment.
///
/// - Observation: `Tuple(Discrete(32), Discrete(11), Discrete(2))` of int64 `()`: the player's sum, the dealer's open card (an
///   ace is 1), whether the player has a usable ace (one that counts 11). EnvPool: int32 `(3,)`.
/// - Action: `Discrete(2)`: stick, hit.
/// - Reward at the end: -1, 0 or 1, or 1.5 for a natural.
///
/// As in gymnasium, the option `sab` makes a natural (an ace and a ten as the first two cards) win against any other hand. The
/// option `natural` pays 1.5 for winning with a natural; the option `sab` takes precedence over `natural`.
#[derive(Debug)]
pub struct Blackjack {
    natural_pays_more: bool,
    natural_wins: bool,
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass = EnvPoolClass::new("toy_text", "Blackjack", "Blackjack-v1");

/// Returns the task `Blackjack-v1`, which has no time limit.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<Blackjack>("Blackjack-v1").envpool_class(&CLASS).preset("sab", true).preset("natural", false)]
}

/// A hand: sum of the cards, number of aces and number of cards.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Hand {
    /// Sum of the cards, with each ace counted as 1.
    sum: u8,
    has_ace: bool,
    cards: u8,
}

/// Hands of the dealer and the player.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct BlackjackState {
    dealer_shows: u8,
    dealer: Hand,
    player: Hand,
    /// Suit of the dealer's open card; `face` is the face (jack, queen or king) of an open card of value ten. Both are used
    /// only for rendering.
    suit: u8,
    face: u8,
}

/// Draws a card: 1 for an ace, 10 for face cards.
#[inline]
fn draw_card(rng: &mut Generator) -> u8 {
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

    /// Returns whether an ace of the hand can count 11 without going bust.
    #[inline]
    fn has_usable_ace(self) -> bool {
        self.has_ace && self.sum + 10 <= LIMIT
    }

    #[inline]
    fn total(self) -> u8 {
        self.sum + if self.has_usable_ace() { 10 } else { 0 }
    }

    /// Returns the total of the hand, or 0 if it is bust.
    #[inline]
    fn score(self) -> u8 {
        if self.total() > LIMIT { 0 } else { self.total() }
    }

    #[inline]
    fn is_natural(self) -> bool {
        self.cards == 2 && self.has_ace && self.sum == 11
    }

    /// Returns whether the sum, number of aces and number of cards can belong to the same hand, for a hand from an untrusted
    /// snapshot.
    fn is_valid(self) -> bool {
        self.sum <= LIMIT + 10
    }
}

impl Blackjack {
    /// Draws cards for the dealer until the dealer stops, and returns the player's reward.
    #[inline]
    fn play_dealer(&self, state: &mut BlackjackState, rng: &mut Generator) -> f64 {
        while state.dealer.total() < DEALER_STICKS_AT {
            state.dealer.add(draw_card(rng));
        }
        let (player, dealer) = (state.player, state.dealer);
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
    type State = BlackjackState;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::new("natural", false, "whether winning with a natural pays 1.5 (if sab is False)").per_episode(),
            OptionSpec::new("sab", false, "whether a natural wins against any other hand, as in Sutton and Barto").per_episode(),
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

    fn create(&self, _lane: usize) -> Result<BlackjackState> {
        Ok(BlackjackState::default())
    }

    #[inline]
    fn reset(&self, state: &mut BlackjackState, _options: &ResetOptions, rng: &mut Generator) {
        let (open, hidden, first, second) = (draw_card(rng), draw_card(rng), draw_card(rng), draw_card(rng));
        let (dealer, player) = (Hand::of([open, hidden]), Hand::of([first, second]));
        let suit = rng.choice(4) as u8;
        let face = if open == 10 { rng.choice(3) as u8 } else { 0 };
        *state = BlackjackState { dealer_shows: open, dealer, player, suit, face };
    }

    #[inline]
    fn step(&self, state: &mut BlackjackState, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        if action.discrete() == 0 {
            rewards[0] = self.play_dealer(state, rng);
            return true;
        }
        state.player.add(draw_card(rng));
        let is_bust = state.player.total() > LIMIT;
        rewards[0] = if is_bust { -1.0 } else { 0.0 };
        is_bust
    }

    #[inline]
    fn observe(&self, state: &BlackjackState, out: &mut Row<'_>) {
        out.scalar(0, i64::from(state.player.total()));
        out.scalar(1, i64::from(state.dealer_shows));
        out.scalar(2, i64::from(state.player.has_usable_ace()));
    }

    fn is_valid(&self, state: &BlackjackState) -> bool {
        state.dealer_shows <= 10 && state.dealer.is_valid() && state.player.is_valid()
    }

    fn render_spec(&self) -> RenderSpec {
        RENDERING
    }

    fn render_frame(&self, state: &BlackjackState, size: (u32, u32)) -> Frame {
        let table = BlackjackView {
            player: state.player.total(),
            has_usable_ace: state.player.has_usable_ace(),
            dealer_shows: state.dealer_shows,
            suit: state.suit,
            face: state.face,
        };
        picture(&table, size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy_text::replay::{replays_like_the_reference, with_options};

    #[test]
    fn blackjack_equals_gymnasiums() {
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
        let sum = |sum| BlackjackState { player: Hand { sum, has_ace: false, cards: 2 }, ..BlackjackState::default() };
        assert!(env.is_valid(&sum(31)) && !env.is_valid(&sum(32)));
        assert!(!env.is_valid(&BlackjackState { dealer_shows: 11, ..BlackjackState::default() }));
    }
}
