//! Mistakes of a library that checks have found.

use std::cell::RefCell;

use crate::host::table::TablePath;
use envpool_rs_engine::{Error, Result};

/// A mistake of a library that a check has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Id of the task.
    pub task: String,
    /// Name of the check.
    pub check: &'static str,
    /// Description of the mistake in one sentence.
    pub text: String,
}

thread_local! {
    static COLLECTED: RefCell<Option<Vec<Finding>>> = const { RefCell::new(None) };
}

/// Calls `act`, and returns the mistakes that this thread reports during the call: the first one of each check.
pub fn collect(act: impl FnOnce()) -> Vec<Finding> {
    /// Guard that ends the collection of findings on drop, also after a panic.
    struct Guard;

    impl Drop for Guard {
        fn drop(&mut self) {
            COLLECTED.set(None);
        }
    }

    COLLECTED.set(Some(Vec::new()));
    let _guard = Guard;
    act();
    COLLECTED.take().unwrap_or_default()
}

/// Returns whether this thread collects mistakes, instead of raising the first one.
pub fn is_collecting() -> bool {
    COLLECTED.with_borrow(Option::is_some)
}

/// Reports a mistake: adds it to the list that [`collect`] is filling in this thread, if any.
///
/// # Errors
/// `State` with the check and the sentence, if no `collect` is running in this thread.
pub fn report(path: &TablePath, check: &'static str, text: String) -> Result<()> {
    COLLECTED.with_borrow_mut(|collected| {
        let Some(findings) = collected else { return Err(Error::State(format!("{path}: check {check}: {text}"))) };
        if findings.iter().all(|other| other.check != check) {
            findings.push(Finding { task: path.task.clone(), check, text });
        }
        Ok(())
    })
}
