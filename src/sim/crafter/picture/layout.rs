//! Layout of a picture: the positions of the world's cells and of the player's items.

use crate::vocabulary::ITEMS;

/// Maximum width and height of a picture in pixels.
const MAX_SIZE: i64 = 1024;
/// Minimum width and height of a cell in pixels. The digit that shows the number of an item takes 0.6 of this size.
const MIN_UNIT: usize = 2;

/// Positions of cells and items in a picture. In all arrays of two numbers, the first number is horizontal and the second
/// vertical.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Width and height of the picture in pixels.
    pub size: [usize; 2],
    /// Width and height of a cell in pixels.
    pub unit: [usize; 2],
    /// Number of columns and rows of cells.
    pub grid: [usize; 2],
    /// Number of rows of items below the cells.
    pub item_rows: usize,
    /// Number of pixels that stay black at the left and at the top of the picture.
    pub border: [usize; 2],
}

/// Error for an option with which no picture can be drawn: the option's name, its value and the expected values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayoutError {
    /// Name of the option: `view` or `size`.
    pub option: &'static str,
    /// Value of the option.
    pub value: String,
    /// Allowed values.
    pub expected: String,
}

impl Layout {
    /// Creates the layout of pictures of `size` pixels with `view` cells, of which the lowest rows hold the items.
    ///
    /// # Errors
    /// If the items leave no row for cells, or if cells have too few pixels.
    pub fn new(view: [i64; 2], size: [i64; 2]) -> Result<Self, LayoutError> {
        let refuse = |option, value: [i64; 2], expected: String| {
            Err(LayoutError { option, value: format!("[{}, {}]", value[0], value[1]), expected })
        };
        if view.iter().any(|side| !(1..=MAX_SIZE / MIN_UNIT as i64).contains(side)) {
            return refuse("view", view, format!("two integers from 1 to {}", MAX_SIZE / MIN_UNIT as i64));
        }
        let item_rows = ITEMS.len().div_ceil(view[0] as usize) as i64;
        if view[1] <= item_rows {
            return refuse("view", view, format!("more than {item_rows} rows, of which {item_rows} show the items"));
        }
        let least = view.map(|cells| cells * MIN_UNIT as i64);
        if (0..2).any(|axis| !(least[axis]..=MAX_SIZE).contains(&size[axis])) {
            let expected =
                format!("at least [{}, {}], {MIN_UNIT} pixels for each cell, and at most {MAX_SIZE}", least[0], least[1]);
            return refuse("size", size, expected);
        }
        let pair = |numbers: [i64; 2]| numbers.map(|number| number as usize);
        let unit = [size[0] / view[0], size[1] / view[1]];
        let border = [0, 1].map(|axis| (size[axis] - unit[axis] * view[axis]) / 2);
        Ok(Self {
            size: pair(size),
            unit: pair(unit),
            grid: pair([view[0], view[1] - item_rows]),
            item_rows: item_rows as usize,
            border: pair(border),
        })
    }

    /// Returns the number of bytes of a picture: red, green and blue of each pixel.
    pub fn bytes(&self) -> usize {
        self.size[0] * self.size[1] * 3
    }

    /// Returns the number of pixels of a cell.
    pub(super) fn unit_pixels(&self) -> usize {
        self.unit[0] * self.unit[1]
    }

    /// Returns the width and height of all cells together in pixels.
    pub(super) fn view_pixels(&self) -> [usize; 2] {
        [0, 1].map(|axis| self.grid[axis] * self.unit[axis])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_leaves_a_black_column_and_row() {
        let layout = Layout::new([9, 9], [64, 64]).unwrap();
        assert_eq!((layout.unit, layout.grid, layout.item_rows, layout.border), ([7, 7], [9, 7], 2, [0, 0]));
        let wide = Layout::new([5, 8], [100, 70]).unwrap();
        assert_eq!((wide.unit, wide.grid, wide.item_rows, wide.border), ([20, 8], [5, 4], 4, [0, 3]));
    }

    #[test]
    fn pictures_without_room_are_refused() {
        let option = |view, size| Layout::new(view, size).unwrap_err().option;
        assert_eq!(option([9, 2], [64, 64]), "view");
        assert_eq!(option([0, 9], [64, 64]), "view");
        assert_eq!(option([9, 9], [17, 64]), "size");
        assert_eq!(option([9, 9], [64, 1025]), "size");
        assert!(Layout::new([16, 2], [32, 4]).is_ok());
    }
}
