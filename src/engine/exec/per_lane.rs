//! Per-lane storage for concurrent access by several threads to different lanes, and the guards that grant access.

use std::cell::{Cell, UnsafeCell};
use std::marker::PhantomData;
use std::ops::Range;

use crate::exec::request_kind::LaneList;

/// One `T` for each lane of a range.
///
/// Each element is accessed by one thread at a time: the thread that has the lane's [`LaneMut`]. Every hand-over of a lane
/// between threads synchronizes (queue, counters or locks).
pub struct PerLane<T> {
    elements: Box<[UnsafeCell<T>]>,
    /// Number of the lane to which the first element belongs.
    first: usize,
}

// SAFETY: an element is only reachable by its lane's `LaneMut`, which one thread at a time has (contract of `LanesGuard::new`).
// Sharing `PerLane` therefore only moves access to a `T` between threads (`T: Send`).
unsafe impl<T: Send> Sync for PerLane<T> {}

impl<T> PerLane<T> {
    /// Creates an element for each lane of a range.
    pub fn new(lanes: Range<usize>, create: impl FnMut(usize) -> T) -> Self {
        Self::from_elements(lanes.start, lanes.map(create).collect())
    }

    /// Creates storage that holds `elements` for consecutive lanes, starting at lane `first`.
    pub fn from_elements(first: usize, elements: Vec<T>) -> Self {
        // The elements are not copied: `UnsafeCell<T>` has the layout of `T`, so `collect` reuses the allocation.
        Self { elements: elements.into_iter().map(UnsafeCell::new).collect(), first }
    }

    #[inline(always)]
    fn element(&self, lane: usize) -> &UnsafeCell<T> {
        self.elements.get(lane.wrapping_sub(self.first)).unwrap_or_else(|| lane_out_of_range())
    }

    /// Returns the element of a lane.
    ///
    /// # Panics
    /// If the lane is outside of the range.
    #[inline(always)]
    pub fn get_mut<'a>(&'a self, lane: LaneMut<'a>) -> &'a mut T {
        // SAFETY: `LaneMut` is the only access to the lane (contract of `LanesGuard::new`), and it is consumed for this one
        // reference.
        unsafe { &mut *self.element(lane.number()).get() }
    }

    /// Returns a lane's elements in this storage and in the storage `other`.
    ///
    /// # Panics
    /// If the lane is outside of a range, or if the other storage is this one.
    #[inline(always)]
    pub fn get_mut_both<'a, U>(&'a self, other: &'a PerLane<U>, lane: LaneMut<'a>) -> (&'a mut T, &'a mut U) {
        assert!(!std::ptr::addr_eq(self, other), "one storage twice");
        // The storages differ, so the references do not overlap.
        (self.get_mut(LaneMut(lane.id())), other.get_mut(lane))
    }

    /// Returns a lane's elements in this storage and in two others.
    ///
    /// # Panics
    /// If the lane is outside of a range, or if two of the storages are one.
    #[inline(always)]
    pub fn get_mut_three<'a, U, V>(
        &'a self,
        (second, third): (&'a PerLane<U>, &'a PerLane<V>),
        lane: LaneMut<'a>,
    ) -> (&'a mut T, &'a mut U, &'a mut V) {
        assert!(!std::ptr::addr_eq(self, third) && !std::ptr::addr_eq(second, third), "one storage twice");
        // The storages differ, so the references do not overlap.
        let element = third.get_mut(LaneMut(lane.id()));
        let (one, other) = self.get_mut_both(second, lane);
        (one, other, element)
    }

    /// Takes all elements out and leaves the storage empty.
    pub fn take_all(&mut self) -> impl Iterator<Item = T> + use<T> {
        std::mem::take(&mut self.elements).into_iter().map(UnsafeCell::into_inner)
    }
}

/// Panics because of a lane that a storage does not have. One function without arguments keeps checks of blocks small.
#[cold]
#[inline(never)]
fn lane_out_of_range() -> ! {
    panic!("lanes of others")
}

/// One value for each lane. Each access copies the value. No references to the values exist, so a [`LaneId`] suffices for access.
pub struct LaneCells<T> {
    cells: Box<[Cell<T>]>,
    /// Number of the lane to which the first value belongs.
    first: usize,
}

// SAFETY: a value is only reachable by its lane's `LaneId` or `LaneBlock` or by `LanesGuard::cells`, which one thread at a time
// has (contract of `LanesGuard::new` and `LaneId::new`). Sharing `LaneCells` therefore only moves access to a `T` between threads.
unsafe impl<T: Send> Sync for LaneCells<T> {}

impl<T: Copy> LaneCells<T> {
    /// Creates a value for each lane of a range.
    pub fn new(lanes: Range<usize>, create: impl FnMut(usize) -> T) -> Self {
        Self { first: lanes.start, cells: lanes.map(create).map(Cell::new).collect() }
    }

    /// Returns the cell of lane number `lane`, which this thread has access to.
    #[inline(always)]
    fn cell(&self, lane: usize) -> &Cell<T> {
        self.cells.get(lane.wrapping_sub(self.first)).unwrap_or_else(|| lane_out_of_range())
    }

    /// Returns the cells from number `lane` on, of which this thread has access to those of its lanes.
    #[inline(always)]
    fn from(&self, lane: usize) -> &[Cell<T>] {
        self.cells.get(lane.wrapping_sub(self.first)..).unwrap_or_else(|| lane_out_of_range())
    }

    /// Returns the values of `W` consecutive lanes, starting at number `lane`, which this thread has access to.
    #[inline(always)]
    fn block<const W: usize>(&self, lane: usize) -> &Cell<[T; W]> {
        let cells: &[Cell<T>; W] = self.from(lane).first_chunk().unwrap_or_else(|| lane_out_of_range());
        // SAFETY: `W` adjacent `Cell<T>` have the layout of one `Cell<[T; W]>`.
        unsafe { &*std::ptr::from_ref(cells).cast() }
    }

    /// Returns the value of a lane.
    #[inline(always)]
    pub fn get(&self, lane: LaneId<'_>) -> T {
        self.cell(lane.number()).get()
    }

    /// Replaces the value of a lane.
    #[inline(always)]
    pub fn set(&self, lane: LaneId<'_>, value: T) {
        self.cell(lane.number()).set(value);
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

/// Block of `W` lanes whose values are loaded into vector registers. `CONSECUTIVE`: whether the lane numbers are consecutive;
/// otherwise, they are in any order.
#[derive(Clone, Copy)]
pub struct LaneBlock<'g, const W: usize, const CONSECUTIVE: bool> {
    numbers: [usize; W],
    _guard: InThread<'g>,
}

impl<const W: usize, const CONSECUTIVE: bool> LaneBlock<'_, W, CONSECUTIVE> {
    /// Returns the numbers of the lanes in the block.
    #[inline(always)]
    pub fn numbers(self) -> [usize; W] {
        self.numbers
    }

    /// Returns the value of each lane of the block.
    #[inline(always)]
    pub fn load<T: Copy>(self, from: &LaneCells<T>) -> [T; W] {
        if !CONSECUTIVE {
            return self.numbers.map(|lane| from.cell(lane).get());
        }
        from.block(self.numbers[0]).get()
    }

    /// Replaces the value of each lane of the block.
    #[inline(always)]
    pub fn store<T: Copy>(self, to: &LaneCells<T>, values: &[T; W]) {
        if !CONSECUTIVE {
            self.numbers.iter().zip(values).for_each(|(lane, value)| to.cell(*lane).set(*value));
            return;
        }
        // `Cell::set` would pass small blocks in integer registers, which costs 1% of a step of 64 CartPoles.
        // SAFETY: this thread has the lanes, and no reference to their values exists.
        unsafe { *to.block(self.numbers[0]).as_ptr() = *values }
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

    /// Returns the lanes of items `index..index + W`; `None` if they are to be consecutive and are not.
    ///
    /// # Panics
    /// If an item does not belong to the guard.
    #[inline(always)]
    pub fn block<const W: usize, const CONSECUTIVE: bool>(&self, index: usize) -> Option<LaneBlock<'_, W, CONSECUTIVE>> {
        assert!(index >= self.items.start && index + W <= self.items.end, "items of others");
        if CONSECUTIVE && W > 1 && !self.list.is_run::<W>(index) {
            return None;
        }
        let first = self.list.get(index);
        let number = |i| if CONSECUTIVE { first + i } else { self.list.get(index + i) };
        Some(LaneBlock { numbers: std::array::from_fn(number), _guard: self.guard })
    }

    /// Returns the cells of the lanes of the items `items`; `None` if the lanes are not consecutive.
    ///
    /// # Panics
    /// If an item does not belong to the guard.
    #[inline]
    pub fn cells<'a, T: Copy>(&'a self, items: Range<usize>, from: &'a LaneCells<T>) -> Option<&'a [Cell<T>]> {
        assert!(items.start >= self.items.start && items.end <= self.items.end, "items of others");
        if items.is_empty() {
            return Some(&[]);
        }
        self.list.is_span(items.clone()).then(|| &from.from(self.list.get(items.start))[..items.len()])
    }
}

#[cfg(test)]
#[path = "lanes_tests.rs"]
mod tests;
