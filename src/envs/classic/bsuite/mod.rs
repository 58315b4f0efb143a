//! Environments of DeepMind's Behaviour Suite for Reinforcement Learning.

pub mod catch;
