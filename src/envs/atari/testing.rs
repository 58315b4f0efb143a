//! Test cartridge, and environments that play it.
//!
//! Each frame of the cartridge's game scores one point and has its own colour. Each frame with FIRE pressed costs one of three
//! lives.

use envpool_rs_engine::{
    Action, ActionColumn, Dtype, Env, LaneState, Options, ResetOptions, Result, RowBuffer, Task, Value, read_value, write_value,
};
use envpool_rs_numeric::random::RandomStream;
use envpool_rs_sim_atari::{Game, Rom, palette};

/// 6502 machine code of the test cartridge. Its RAM holds the number of frames since the reset, the lives and the points.
const PROGRAM: [u8; 65] = [
    0xa9, 0x03, 0x85, 0xe5, // sets lives = 3
    0xa9, 0x00, 0x85, 0x90, 0x85, 0x80, 0x85, 0x81, 0x85, 0x82, // sets frames = points = 0
    0xa9, 0x02, 0x85, 0x00, 0x85, 0x02, 0x85, 0x02, 0x85, 0x02, // sends the vertical synchronisation for three lines
    0xe6, 0x90, 0xa5, 0x90, 0x0a, 0x85, 0x09, // increments frames and sets the background colour to 2 * frames
    0xf8, 0x18, 0xa5, 0x82, 0x69, 0x01, 0x85, 0x82, 0xa5, 0x81, 0x69, 0x00, 0x85, 0x81, 0xd8, // adds a point
    0xa5, 0x0c, 0x30, 0x02, 0xc6, 0xe5, // subtracts a life if the button is pressed
    0xa9, 0x00, 0x85, 0x00, // ends the vertical synchronisation
    0xa0, 0xfa, 0x85, 0x02, 0x88, 0xd0, 0xfb, // draws 250 lines
    0x4c, 0x0e, // jumps to the vertical synchronisation, at 0xf00e
];
/// RAM index of the frame counter.
pub const FRAMES: usize = 0x10;

/// Returns the test cartridge. It is labelled as the image of a real game, whose rules read lives and points from RAM and whose
/// actions include FIRE.
pub fn rom() -> Rom {
    let mut image = vec![0; 0x1000];
    image[..PROGRAM.len()].copy_from_slice(&PROGRAM);
    image[PROGRAM.len()] = 0xf0;
    image[0xffc..0xffe].copy_from_slice(&[0x00, 0xf0]);
    Rom::with_unchecked_image(game(), &image)
}

/// Returns the real game whose name the test cartridge of [`rom`] carries.
pub fn game() -> &'static Game {
    Game::named("assault").unwrap()
}

/// Returns the palette number of a frame's background, given the value `frames` of the frame counter in RAM at the end of the
/// frame.
///
/// At the end of the frame, the frame counter already counts the next frame.
pub fn colour(frames: u8) -> usize {
    usize::from(frames.wrapping_sub(1).wrapping_mul(2))
}

/// Returns the gray value of a frame's background, given the value `frames` of the frame counter in RAM at the end of the
/// frame.
pub fn gray(frames: u8) -> u8 {
    palette::gray(false)[colour(frames)]
}

/// Creates an environment of a task with the given options and without a cartridge.
pub fn with_options<E: Env>(task: &Task, given: &[(&str, Value)]) -> Result<E> {
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let options: Options = task.resolve(&given)?;
    E::new(&options)
}

/// One running environment: its state, random stream and last reward.
pub struct Lane<E: Env> {
    pub env: E,
    pub state: E::State,
    pub random: E::Random,
    pub reward: f64,
}

impl<E: Env> Lane<E> {
    pub fn new(env: E, seed: u64) -> Self {
        let state = env.create(0).unwrap();
        let mut lane = Self { env, state, random: E::Random::from_seed(seed), reward: 0.0 };
        lane.env.reset(&mut lane.state, &ResetOptions::default().with_seed(seed), &mut lane.random);
        lane
    }

    /// Steps the environment and returns whether the episode terminated.
    pub fn step(&mut self, action: i32) -> bool {
        let mut rewards = [0.0];
        let columns = [ActionColumn::I32(vec![action])];
        let over = self.env.step(&mut self.state, &Action::new(&columns, 0), &mut rewards, &mut self.random);
        self.reward = rewards[0];
        over
    }

    /// Returns the elements of the environment's current observation, in row-major order.
    pub fn observation(&self) -> Vec<u64> {
        let space = self.env.spec().observation;
        RowBuffer::new(space.dtype(), &[space.size()]).bits(|row| self.env.observe(&self.state, row))
    }

    /// Returns the elements of all the environment's infos as one vector of int64.
    pub fn info(&self) -> Vec<i64> {
        let lengths: Vec<_> = self.env.spec().info.iter().map(|info| info.shape.iter().product()).collect();
        let bits = RowBuffer::new(Dtype::I64, &lengths).bits(|row| self.env.info(&self.state, row));
        bits.into_iter().map(|bits| bits as i64).collect()
    }

    /// Saves and loads the environment's state and random stream; returns the loaded state and stream.
    pub fn saved_and_loaded(&self) -> Result<(E::State, E::Random)> {
        let mut bytes = Vec::new();
        self.state.save(&self.env, &mut bytes)?;
        write_value(&mut bytes, &self.random)?;
        let mut bytes = bytes.as_slice();
        Ok((E::State::load(&self.env, &mut bytes)?, read_value(&mut bytes)?))
    }
}
