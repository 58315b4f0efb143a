//! Per-lane storage that several threads use at once, each on lanes of its own, and the guards by which they do.

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;

use crate::play::kind::LaneList;

/// One `T` for each lane, or for some lanes in a row. Each element is accessed by one thread at a time: by whoever has the lane's
/// [`LaneMut`]. A hand-over between threads synchronises (queue, counters or locks).
pub struct PerLane<T> {
    elements: NonNull<[UnsafeCell<T>]>,
    /// The lane of the first element.
    first: usize,
    /// Where lane 0 has its element, or would have it: lanes are found without a subtraction on the way.
    lane_0: *mut T,
}

// SAFETY: it owns its elements, as a box does.
unsafe impl<T: Send> Send for PerLane<T> {}
// SAFETY: elements are only reached by a lane's `LaneMut` or `LaneId`, which one thread at a time has; so sharing `PerLane` only ever moves
// access to a `T` from thread to thread.
unsafe impl<T: Send> Sync for PerLane<T> {}

impl<T> PerLane<T> {
    /// Creates an element for each lane of a range.
    pub fn new(lanes: Range<usize>, create: impl FnMut(usize) -> T) -> Self {
        Self::from_elements(lanes.start, lanes.map(create).collect())
    }

    /// Takes these elements, for as many lanes from `first` on.
    pub fn from_elements(first: usize, elements: Vec<T>) -> Self {
        // In place: a cell lies as what is in it does.
        let cells: Vec<_> = elements.into_iter().map(UnsafeCell::new).collect();
        let elements = NonNull::from(Box::leak(cells.into_boxed_slice()));
        Self { elements, first, lane_0: elements.as_ptr().cast::<T>().wrapping_sub(first) }
    }

    /// The address of the elements of `count` consecutive lanes.
    ///
    /// # Panics
    /// Where not all are of these lanes.
    #[inline(always)]
    fn address(&self, lane: usize, count: usize) -> *mut T {
        let (offset, len) = (lane.wrapping_sub(self.first), self.elements.len());
        assert!(offset <= len && count <= len - offset, "lanes of others");
        self.lane_0.wrapping_add(lane)
    }

    /// The element of a lane.
    ///
    /// # Panics
    /// Where the lane is none of these.
    #[inline(always)]
    pub fn of<'a>(&'a self, lane: LaneMut<'a>) -> &'a mut T {
        // SAFETY: the lane was checked, so this is the address of its element; nobody else has the lane, and it gives out one reference.
        unsafe { &mut *self.address(lane.number(), 1) }
    }

    /// The elements of a lane, here and in another storage.
    ///
    /// # Panics
    /// Where the lane is none of these, and where the other storage is this one.
    #[inline(always)]
    pub fn with<'a, U>(&'a self, other: &'a PerLane<U>, lane: LaneMut<'a>) -> (&'a mut T, &'a mut U) {
        assert!(!std::ptr::addr_eq(self, other), "one storage twice");
        // SAFETY: as in `of`; two storages share no element.
        (unsafe { &mut *self.address(lane.number(), 1) }, other.of(lane))
    }

    /// Takes all elements out, for good.
    pub fn take_all(&mut self) -> impl Iterator<Item = T> + use<T> {
        let taken = std::mem::replace(self, Self::from_elements(0, Vec::new()));
        // SAFETY: they come from a box, which `taken`, never dropped, no longer owns.
        let elements = unsafe { Box::from_raw(std::mem::ManuallyDrop::new(taken).elements.as_ptr()) };
        elements.into_iter().map(UnsafeCell::into_inner)
    }
}

impl<T> Drop for PerLane<T> {
    fn drop(&mut self) {
        // SAFETY: they come from a box, and nobody works on a lane any more.
        drop(unsafe { Box::from_raw(self.elements.as_ptr()) });
    }
}

/// One value for each lane, read and written whole: no references into it exist, so that a [`LaneId`] is enough.
pub struct LaneCells<T>(PerLane<T>);

impl<T: Copy> LaneCells<T> {
    /// Creates a value for each lane of a range.
    pub fn new(lanes: Range<usize>, create: impl FnMut(usize) -> T) -> Self {
        Self(PerLane::new(lanes, create))
    }

    /// The value of a lane.
    #[inline(always)]
    pub fn get(&self, lane: LaneId<'_>) -> T {
        // SAFETY: the address was checked, no other thread has the lane, and there are no references.
        unsafe { *self.0.address(lane.number(), 1) }
    }

    /// Replaces the value of a lane.
    #[inline(always)]
    pub fn set(&self, lane: LaneId<'_>, value: T) {
        // SAFETY: as in `get`.
        unsafe { *self.0.address(lane.number(), 1) = value }
    }

    /// The values of consecutive lanes.
    #[inline(always)]
    pub fn load<const W: usize>(&self, lanes: LaneRun<'_, W>) -> [T; W] {
        // SAFETY: as in `get`; they lie one after the other.
        unsafe { *self.0.address(lanes.first, W).cast::<[T; W]>() }
    }

    /// Replaces the values of consecutive lanes.
    #[inline(always)]
    pub fn store<const W: usize>(&self, lanes: LaneRun<'_, W>, values: &[T; W]) {
        // SAFETY: as in `load`.
        unsafe { *self.0.address(lanes.first, W).cast::<[T; W]>() = *values }
    }
}

/// Marks what stays in its thread, as long as a guard is borrowed.
type InThread<'g> = PhantomData<(&'g (), *const ())>;

/// Access to the values of a lane, for the thread that has it.
#[derive(Clone, Copy)]
pub struct LaneId<'g> {
    number: usize,
    guard: InThread<'g>,
}

impl LaneId<'_> {
    /// Takes lane number `number`.
    ///
    /// # Safety
    /// As long as the value lives, the lane belongs to the caller alone, and it is used with the storage of its pool only.
    #[inline(always)]
    pub unsafe fn new(number: usize) -> Self {
        Self { number, guard: PhantomData }
    }

    /// The lane's number in its pool.
    #[inline(always)]
    pub fn number(self) -> usize {
        self.number
    }
}

/// Exclusive access to a lane: the one way to a reference into its state.
pub struct LaneMut<'g>(LaneId<'g>);

impl<'g> LaneMut<'g> {
    /// The lane's number in its pool.
    #[inline(always)]
    pub fn number(&self) -> usize {
        self.0.number
    }

    /// Access to its values.
    #[inline(always)]
    pub fn id(&self) -> LaneId<'g> {
        self.0
    }

    /// The same for a while.
    #[inline(always)]
    pub fn reborrow(&mut self) -> LaneMut<'_> {
        LaneMut(self.0)
    }
}

/// `W` consecutive lanes.
#[derive(Clone, Copy)]
pub struct LaneRun<'g, const W: usize> {
    first: usize,
    guard: InThread<'g>,
}

/// `W` lanes in any order.
#[derive(Clone, Copy)]
pub struct LanePick<'g, const W: usize> {
    lanes: [usize; W],
    guard: InThread<'g>,
}

/// Lanes whose values go into vector registers.
pub trait LaneBlockIds<const W: usize>: Copy {
    /// Their numbers.
    fn numbers(self) -> [usize; W];

    /// Their values.
    fn load<T: Copy>(self, from: &LaneCells<T>) -> [T; W];

    /// Replaces their values.
    fn store<T: Copy>(self, to: &LaneCells<T>, values: &[T; W]);
}

impl<const W: usize> LaneBlockIds<W> for LaneRun<'_, W> {
    #[inline(always)]
    fn numbers(self) -> [usize; W] {
        std::array::from_fn(|i| self.first + i)
    }

    #[inline(always)]
    fn load<T: Copy>(self, from: &LaneCells<T>) -> [T; W] {
        from.load(self)
    }

    #[inline(always)]
    fn store<T: Copy>(self, to: &LaneCells<T>, values: &[T; W]) {
        to.store(self, values);
    }
}

impl<const W: usize> LaneBlockIds<W> for LanePick<'_, W> {
    #[inline(always)]
    fn numbers(self) -> [usize; W] {
        self.lanes
    }

    #[inline(always)]
    fn load<T: Copy>(self, from: &LaneCells<T>) -> [T; W] {
        std::array::from_fn(|i| from.get(LaneId { number: self.lanes[i], guard: self.guard }))
    }

    #[inline(always)]
    fn store<T: Copy>(self, to: &LaneCells<T>, values: &[T; W]) {
        for (number, value) in self.lanes.iter().zip(values) {
            to.set(LaneId { number: *number, guard: self.guard }, *value);
        }
    }
}

/// In which order the lanes of a block have to lie.
pub trait LaneOrder {
    /// Such lanes.
    type Ids<'g, const W: usize>: LaneBlockIds<W>;

    /// The lanes of items `index..index + W`, if they lie so.
    fn ids<'g, const W: usize>(guard: &'g LanesGuard<'_>, index: usize) -> Option<Self::Ids<'g, W>>;
}

/// One after the other.
pub struct Consecutive;

/// In any order.
pub struct AnyOrder;

impl LaneOrder for Consecutive {
    type Ids<'g, const W: usize> = LaneRun<'g, W>;

    #[inline(always)]
    fn ids<'g, const W: usize>(guard: &'g LanesGuard<'_>, index: usize) -> Option<LaneRun<'g, W>> {
        guard.run(index)
    }
}

impl LaneOrder for AnyOrder {
    type Ids<'g, const W: usize> = LanePick<'g, W>;

    #[inline(always)]
    fn ids<'g, const W: usize>(guard: &'g LanesGuard<'_>, index: usize) -> Option<LanePick<'g, W>> {
        Some(guard.pick(index))
    }
}

/// The lanes of some items of a request, which belong to this thread as long as the guard lives. It gives them out one by one, or several
/// that differ.
pub struct LanesGuard<'g> {
    list: &'g LaneList,
    items: Range<usize>,
    guard: InThread<'g>,
}

impl<'g> LanesGuard<'g> {
    /// Takes the lanes of these items.
    ///
    /// # Panics
    /// Where the list has fewer items.
    ///
    /// # Safety
    /// The list holds each lane once. As long as the guard lives, these lanes belong to the caller alone, and it is used with the storage
    /// of their pool only.
    #[inline]
    pub unsafe fn new(list: &'g LaneList, items: Range<usize>) -> Self {
        assert!(items.end <= list.len(), "more items than there are");
        Self { list, items, guard: PhantomData }
    }

    /// The lane of item `index`.
    ///
    /// # Panics
    /// Where the item is none of the guard's.
    #[inline(always)]
    fn checked(&self, index: usize) -> usize {
        assert!(self.items.contains(&index), "an item of others");
        self.list.get(index)
    }

    /// Access to the values of the lane of item `index`.
    #[inline(always)]
    pub fn id(&self, index: usize) -> LaneId<'_> {
        LaneId { number: self.checked(index), guard: self.guard }
    }

    /// Exclusive access to the lane of item `index`.
    #[inline(always)]
    pub fn lane(&mut self, index: usize) -> LaneMut<'_> {
        LaneMut(LaneId { number: self.checked(index), guard: self.guard })
    }

    /// Exclusive access to the lanes of these items, all at once.
    pub fn each(&mut self, items: impl Iterator<Item = usize> + Clone) -> impl Iterator<Item = LaneMut<'_>> {
        let mut next = self.items.start;
        items.map(move |index| {
            assert!(index >= next, "each item once, in order");
            next = index + 1;
            LaneMut(LaneId { number: self.checked(index), guard: self.guard })
        })
    }

    /// Exclusive access to lane number `lane`, if it is one of these.
    pub fn find(&mut self, lane: usize) -> Option<LaneMut<'_>> {
        let index = match self.list {
            LaneList::All(_) => Some(lane),
            LaneList::Some(lanes) => lanes.iter().position(|other| *other as usize == lane),
        };
        index.filter(|index| self.items.contains(index)).map(|index| self.lane(index))
    }

    /// The lanes of items `index..index + W`, if they are consecutive.
    #[inline(always)]
    pub fn run<const W: usize>(&self, index: usize) -> Option<LaneRun<'_, W>> {
        assert!(index >= self.items.start && index + W <= self.items.end, "items of others");
        self.list.is_run::<W>(index).then(|| LaneRun { first: self.list.get(index), guard: self.guard })
    }

    /// The lanes of items `index..index + W`.
    #[inline(always)]
    pub fn pick<const W: usize>(&self, index: usize) -> LanePick<'_, W> {
        LanePick { lanes: std::array::from_fn(|i| self.checked(index + i)), guard: self.guard }
    }
}

#[cfg(test)]
#[path = "lanes_tests.rs"]
mod tests;
