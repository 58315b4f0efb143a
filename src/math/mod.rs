//! Exact vectorised elementary functions.
