mod against_numpy;
mod properties;
