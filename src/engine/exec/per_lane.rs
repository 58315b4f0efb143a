//! Per-lane storage for concurrent access by several threads to different lanes, and the guards that grant access.

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;

use crate::exec::request_kind::LaneList;

mod lane_span;

/// One `T` for each lane of a range.
///
/// Each element is accessed by one thread at a time: the thread that has the lane's [`LaneMut`]. Every hand-over of a lane
/// between threads synchronizes (counters or locks).
pub struct PerLane<T> {
    elements: NonNull<[UnsafeCell<T>]>,
    /// Number of the lane to which the first element belongs.
    first: usize,
    /// Address that lane 0's element has, or would have if the range started at lane 0. Used to locate elements without
    /// subtracting `first`.
    lane_0: *mut T,
}

// SAFETY: `PerLane` owns its elements, as a `Box<[T]>` does, so sending it sends the elements (`T: Send`).
unsafe impl<T: Send> Send for PerLane<T> {}
// SAFETY: an element is only reachable by its lane's `LaneMut` or `LaneId`, which one thread at a time has (contract of
// `LanesGuard::new` and `LaneId::new`). Sharing `PerLane` therefore only moves access to a `T` between threads (`T: Send`).
unsafe impl<T: Send> Sync for PerLane<T> {}

impl<T> PerLane<T> {
    /// Creates an element for each lane of a range.
    pub fn new(lanes: Range<usize>, create: impl FnMut(usize) -> T) -> Self {
        Self::from_elements(lanes.start, lanes.map(create).collect())
    }

    /// Creates storage that holds `elements` for consecutive lanes, starting at lane `first`.
    pub fn from_elements(first: usize, elements: Vec<T>) -> Self {
        // The elements are not copied: `UnsafeCell<T>` has the layout of `T`, so `collect` reuses the allocation.
        let cells: Vec<_> = elements.into_iter().map(UnsafeCell::new).collect();
        let elements = NonNull::from(Box::leak(cells.into_boxed_slice()));
        Self { elements, first, lane_0: elements.as_ptr().cast::<T>().wrapping_sub(first) }
    }

    /// Returns the address of the elements of `count` consecutive lanes.
    ///
    /// # Panics
    /// If any of the lanes is outside of the range.
    #[inline(always)]
    fn address(&self, lane: usize, count: usize) -> *mut T {
        let (offset, len) = (lane.wrapping_sub(self.first), self.elements.len());
        assert!(offset <= len && count <= len - offset, "lanes of others");
        self.lane_0.wrapping_add(lane)
    }

    /// Returns the element of a lane.
    ///
    /// # Panics
    /// If the lane is outside of the range.
    #[inline(always)]
    pub fn get_mut<'a>(&'a self, lane: LaneMut<'a>) -> &'a mut T {
        // SAFETY: `address` checked the range. `LaneMut` is the only access to the lane (contract of `LanesGuard::new`), and it
        // is consumed for this one reference.
        unsafe { &mut *self.address(lane.number(), 1) }
    }

    /// Returns a lane's elements in this storage and in the storage `other`.
    ///
    /// # Panics
    /// If the lane is outside of a range, or if the other storage is this one.
    #[inline(always)]
    pub fn get_mut_both<'a, U>(&'a self, other: &'a PerLane<U>, lane: LaneMut<'a>) -> (&'a mut T, &'a mut U) {
        assert!(!std::ptr::addr_eq(self, other), "one storage twice");
        // SAFETY: `address` checked the range, and `lane` is the only access to the lane. The assertion above ensures that the
        // storages differ, so that the references do not overlap.
        (unsafe { &mut *self.address(lane.number(), 1) }, other.get_mut(lane))
    }

    /// Takes all elements out and leaves the storage empty.
    pub fn take_all(&mut self) -> impl Iterator<Item = T> + use<T> {
        let taken = std::mem::replace(self, Self::from_elements(0, Vec::new()));
        // SAFETY: `from_elements` leaked these elements from a box; `taken` is never dropped, so no other owner frees them.
        let elements = unsafe { Box::from_raw(std::mem::ManuallyDrop::new(taken).elements.as_ptr()) };
        elements.into_iter().map(UnsafeCell::into_inner)
    }
}

impl<T> Drop for PerLane<T> {
    fn drop(&mut self) {
        // SAFETY: `from_elements` leaked these elements from a box, and `&mut self` excludes any borrow of a lane.
        drop(unsafe { Box::from_raw(self.elements.as_ptr()) });
    }
}

/// One value for each lane. Each access copies the value. No references to the values exist, so a [`LaneId`] suffices for access.
pub struct LaneCells<T>(PerLane<T>);

impl<T: Copy> LaneCells<T> {
    /// Creates a value for each lane of a range.
    pub fn new(lanes: Range<usize>, create: impl FnMut(usize) -> T) -> Self {
        Self(PerLane::new(lanes, create))
    }

    /// Returns the value of a lane.
    #[inline(always)]
    pub fn get(&self, lane: LaneId<'_>) -> T {
        // SAFETY: `address` checked the range, no other thread has the lane (contract of `LanesGuard::new` and `LaneId::new`),
        // and no references into the storage exist.
        unsafe { *self.0.address(lane.number(), 1) }
    }

    /// Replaces the value of a lane.
    #[inline(always)]
    pub fn set(&self, lane: LaneId<'_>, value: T) {
        // SAFETY: `address` checked the range, no other thread has the lane (contract of `LanesGuard::new` and `LaneId::new`),
        // and no references into the storage exist.
        unsafe { *self.0.address(lane.number(), 1) = value }
    }

    /// Returns the values of consecutive lanes.
    #[inline(always)]
    pub fn load<const W: usize>(&self, lanes: LaneRun<'_, W>) -> [T; W] {
        // SAFETY: `address` checked all `W` lanes, whose elements are adjacent. No other thread has the lanes (contract of
        // `LanesGuard::new`), and no references into the storage exist.
        unsafe { *self.0.address(lanes.first, W).cast::<[T; W]>() }
    }

    /// Replaces the values of consecutive lanes.
    #[inline(always)]
    pub fn store<const W: usize>(&self, lanes: LaneRun<'_, W>, values: &[T; W]) {
        // SAFETY: `address` checked all `W` lanes, whose elements are adjacent. No other thread has the lanes (contract of
        // `LanesGuard::new`), and no references into the storage exist.
        unsafe { *self.0.address(lanes.first, W).cast::<[T; W]>() = *values }
    }
}

/// Marker that binds a value to its thread (not `Send`) and to the borrow of a guard.
type InThread<'g> = PhantomData<(&'g (), *const ())>;

/// Access to a lane's [`LaneCells`], for the thread that has exclusive access to the lane.
#[derive(Clone, Copy)]
pub struct LaneId<'g> {
    number: usize,
    guard: InThread<'g>,
}

impl LaneId<'_> {
    /// Creates the access right to lane number `number`.
    ///
    /// # Safety
    /// For the lifetime of the value, the caller has exclusive access to the lane. The value is used only with the storage of its
    /// pool.
    #[inline(always)]
    pub unsafe fn new(number: usize) -> Self {
        Self { number, guard: PhantomData }
    }

    /// Returns the lane's number in its pool.
    #[inline(always)]
    pub fn number(self) -> usize {
        self.number
    }
}

/// Exclusive access to a lane, required for a reference to its element of a [`PerLane`].
pub struct LaneMut<'g>(LaneId<'g>);

impl<'g> LaneMut<'g> {
    /// Returns the lane's number in its pool.
    #[inline(always)]
    pub fn number(&self) -> usize {
        self.0.number
    }

    /// Returns access to the lane's [`LaneCells`].
    #[inline(always)]
    pub fn id(&self) -> LaneId<'g> {
        self.0
    }

    /// Borrows this access right to a lane for a shorter lifetime.
    #[inline(always)]
    pub fn reborrow(&mut self) -> LaneMut<'_> {
        LaneMut(self.0)
    }
}

/// Block of `W` consecutive lanes.
#[derive(Clone, Copy)]
pub struct LaneRun<'g, const W: usize> {
    first: usize,
    guard: InThread<'g>,
}

/// Block of `W` lanes in any order.
#[derive(Clone, Copy)]
pub struct LanePick<'g, const W: usize> {
    lanes: [usize; W],
    guard: InThread<'g>,
}

/// Block of `W` lanes whose values are loaded into vector registers.
pub trait LaneBlock<const W: usize>: Copy {
    /// Returns the numbers of the lanes in the block.
    fn numbers(self) -> [usize; W];

    /// Returns the value of each lane of the block.
    fn load<T: Copy>(self, from: &LaneCells<T>) -> [T; W];

    /// Replaces the value of each lane of the block.
    fn store<T: Copy>(self, to: &LaneCells<T>, values: &[T; W]);
}

impl<const W: usize> LaneBlock<W> for LaneRun<'_, W> {
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

impl<const W: usize> LaneBlock<W> for LanePick<'_, W> {
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

/// Order of the lanes in a block: consecutive ([`Consecutive`]) or any ([`AnyOrder`]).
pub trait LaneOrder {
    /// Block of `W` lanes in this order.
    type Ids<'g, const W: usize>: LaneBlock<W>;

    /// Returns the lanes of items `index..index + W`; `None` if the lanes are not in this order.
    fn ids<'g, const W: usize>(guard: &'g LanesGuard<'_>, index: usize) -> Option<Self::Ids<'g, W>>;
}

/// Marker for blocks of consecutive lanes.
pub struct Consecutive;

/// Marker for blocks of lanes in any order.
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

/// Exclusive access of this thread to the lanes of some items of a request, for the lifetime of the guard. Its methods return
/// access to one lane at a time, or to several different lanes.
pub struct LanesGuard<'g> {
    list: &'g LaneList,
    items: Range<usize>,
    guard: InThread<'g>,
}

impl<'g> LanesGuard<'g> {
    /// Creates the guard for the lanes of these items.
    ///
    /// # Panics
    /// If the list has fewer items.
    ///
    /// # Safety
    /// The list contains each lane once. For the lifetime of the guard, the caller has exclusive access to these lanes. The guard
    /// is used only with the storage of their pool.
    #[inline]
    pub unsafe fn new(list: &'g LaneList, items: Range<usize>) -> Self {
        assert!(items.end <= list.len(), "more items than there are");
        Self { list, items, guard: PhantomData }
    }

    /// Returns the lane of item `index`.
    ///
    /// # Panics
    /// If the item does not belong to the guard.
    #[inline(always)]
    fn lane_number(&self, index: usize) -> usize {
        assert!(self.items.contains(&index), "an item of others");
        self.list.get(index)
    }

    /// Returns access to the [`LaneCells`] of the lane of item `index`.
    #[inline(always)]
    pub fn id(&self, index: usize) -> LaneId<'_> {
        LaneId { number: self.lane_number(index), guard: self.guard }
    }

    /// Returns exclusive access to the lane of item `index`.
    #[inline(always)]
    pub fn lane(&mut self, index: usize) -> LaneMut<'_> {
        LaneMut(LaneId { number: self.lane_number(index), guard: self.guard })
    }

    /// Returns exclusive access to the lanes of several items at once.
    ///
    /// # Panics
    /// If the items are not in ascending order, or if an item does not belong to the guard.
    pub fn each(&mut self, items: impl Iterator<Item = usize> + Clone) -> impl Iterator<Item = LaneMut<'_>> {
        let mut next = self.items.start;
        items.map(move |index| {
            assert!(index >= next, "each item once, in order");
            next = index + 1;
            LaneMut(LaneId { number: self.lane_number(index), guard: self.guard })
        })
    }

    /// Returns the lanes of items `index..index + W`; `None` if the lanes are not consecutive.
    #[inline(always)]
    pub fn run<const W: usize>(&self, index: usize) -> Option<LaneRun<'_, W>> {
        assert!(index >= self.items.start && index + W <= self.items.end, "items of others");
        self.list.is_run::<W>(index).then(|| LaneRun { first: self.list.get(index), guard: self.guard })
    }

    /// Returns the lanes of items `index..index + W`, in any order.
    #[inline(always)]
    pub fn pick<const W: usize>(&self, index: usize) -> LanePick<'_, W> {
        LanePick { lanes: std::array::from_fn(|i| self.lane_number(index + i)), guard: self.guard }
    }
}

#[cfg(test)]
#[path = "lanes_tests.rs"]
mod tests;
