//! Events of a step, which the package counts for statistics.

use super::kitchen::Item;

/// Number of events.
pub const EVENTS: usize = 25;
pub const SOUP_DELIVERY: usize = 15;

/// Events of one player in one step, a bit for each, in the order of the package's `EVENT_TYPES`.
pub type EventSet = u32;

/// Event of an object, as the distance from the first event of that object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectEvent {
    Pickup = 0,
    UsefulPickup = 1,
    Drop = 2,
    UsefulDrop = 3,
    Potting = 4,
}

/// Returns the event of an object. Soups have neither useful events nor pottings.
pub fn object_event(item: Item, event: ObjectEvent) -> EventSet {
    let first = match item {
        Item::Tomato => 0,
        Item::Onion => 5,
        Item::Dish => 10,
        Item::Soup(_) => 14,
        Item::Nothing => return 0,
    };
    1 << (first + event as usize)
}

/// Returns the events of an ingredient in a pot, from the best values of the soup before and after.
pub fn potting_events(ingredient: Item, before: f64, after: f64) -> EventSet {
    let outcomes = [before == after, after > 0.0, before > 0.0 && after == 0.0, before == 0.0];
    let column = usize::from(ingredient == Item::Tomato);
    let rows = outcomes.into_iter().enumerate().filter(|(_, is_true)| *is_true);
    let found = rows.fold(0, |events, (row, _)| events | 1 << (SOUP_DELIVERY + 2 + 2 * row + column));
    found | object_event(ingredient, ObjectEvent::Potting)
}
