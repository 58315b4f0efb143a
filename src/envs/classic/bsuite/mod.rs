//! Environments of DeepMind's Behaviour Suite for Reinforcement Learning (bsuite).

pub mod catch;
