//! Caches the parts of a picture that do not change if the view has not moved: the background and the cells.

use crate::assets::MAX_ASSETS;
use crate::canvas::{Axis, Canvas, Clip, SIDE};
use crate::object_ids::{INVALID_OBJ, SPACE};
use crate::rules::Rules;
use crate::rules::painter::{Painter, RENDER_EPS};

/// Maximum number of changed cells for which only the surroundings of these cells are redrawn, instead of all cells.
const MAX_CHANGES: usize = 12;

/// Cached layers of a level's picture, without the entities above the cells.
#[derive(Debug, Clone)]
pub(crate) struct StillLayers {
    /// Number of the level to which the layers belong.
    level: u32,
    /// Object types of the cells that are drawn in `grid`.
    cells: Vec<i32>,
    /// Picture of the background and of those entities below the cells that do not move.
    background: Canvas,
    /// Picture of `background`, with the cells drawn over it.
    grid: Canvas,
}

/// For images of one size: how each cell along the canvas's width or height maps to source pixels.
#[derive(Debug, Clone, Copy)]
struct CellAxis {
    /// Position and length of each cell along the axis, in pixels.
    from: f64,
    length: f64,
    size: i32,
    axis: Option<Axis>,
}

impl CellAxis {
    fn new(from: f64, length: f64) -> Self {
        Self { from, length, size: 0, axis: None }
    }

    fn for_size(&mut self, size: i32) -> Option<Axis> {
        if self.size != size {
            (self.size, self.axis) = (size, Axis::new(self.from, self.from + self.length, size));
        }
        self.axis
    }
}

impl<R: Rules> Painter<'_, R> {
    /// Draws the background, the entities below the cells, and the cells; the entities in the agent's layer are drawn later.
    /// Reuses the layers of the last picture if the view has not moved.
    pub fn draw_still_part(&mut self) {
        let world = self.world;
        if world.center_agent || !R::BACKGROUND_STANDS_STILL {
            self.draw_below_grid();
            return self.draw_grid();
        }
        match self.layers.still.take() {
            Some(mut still) if still.level == world.level_number && still.cells.len() == world.grid.cells.len() => {
                self.draw_changes(&mut still);
                self.canvas.copy_from(&still.grid, Clip::ALL);
                self.layers.still = Some(still);
            }
            _ => {
                self.draw_below_grid();
                let background = self.canvas.clone();
                self.draw_grid();
                let (cells, grid) = (world.grid.cells.clone(), self.canvas.clone());
                self.layers.still = Some(Box::new(StillLayers { level: world.level_number, cells, background, grid }));
            }
        }
    }

    fn draw_below_grid(&mut self) {
        self.canvas.clear();
        if self.world.setup.options.use_backgrounds {
            self.rules.draw_background(self);
        }
        self.draw_entities(-1);
    }

    /// Redraws the cells that have changed since the layers were drawn.
    fn draw_changes(&mut self, still: &mut StillLayers) {
        let (world, width) = (self.world, self.world.grid.width);
        if still.cells == world.grid.cells {
            return;
        }
        let changed = world.grid.cells.iter().zip(&still.cells).enumerate().filter(|(_, (new, old))| new != old);
        let changed: Vec<i32> = changed.map(|(index, _)| index as i32).collect();
        still.cells.clone_from(&world.grid.cells);
        if changed.len() > MAX_CHANGES {
            self.canvas.copy_from(&still.background, Clip::ALL);
            self.draw_grid();
            still.grid.copy_from(self.canvas, Clip::ALL);
            return;
        }
        std::mem::swap(self.canvas, &mut still.grid);
        for index in changed {
            let (x, y) = (index % width, index / width);
            let clip = Clip::of(&self.view.screen_rect(x as f32, (y + 1) as f32, 1.0, 1.0, RENDER_EPS));
            self.canvas.copy_from(&still.background, clip);
            self.canvas.set_clip(clip);
            for column in x - 1..=x + 1 {
                for row in y - 1..=y + 1 {
                    if let Some(kind) = world.grid.get(column, row) {
                        self.draw_cell(column, row, kind);
                    }
                }
            }
            self.canvas.set_clip(Clip::ALL);
        }
        std::mem::swap(self.canvas, &mut still.grid);
    }

    fn draw_cell(&mut self, x: i32, y: i32, kind: i32) {
        let rect = self.view.screen_rect(x as f32, (y + 1) as f32, 1.0, 1.0, RENDER_EPS);
        let (mut column, mut row) = (CellAxis::new(rect.x, rect.width), CellAxis::new(rect.y, rect.height));
        self.draw_cell_on((x, &mut column), (y, &mut row), kind);
    }

    /// Draws all cells in the view.
    fn draw_grid(&mut self) {
        let view = self.view;
        let (low_x, high_x, low_y, high_y) = self.view.cells(self.world);
        let top = |y: i32| view.screen_rect(0.0, (y + 1) as f32, 1.0, 1.0, RENDER_EPS);
        let mut rows: Vec<_> = (low_y..=high_y).map(|y| CellAxis::new(top(y).y, top(y).height)).collect();
        for x in low_x..=high_x {
            let rect = view.screen_rect(x as f32, 0.0, 1.0, 1.0, RENDER_EPS);
            if rect.right() < 0.0 || rect.x > f64::from(SIDE) {
                continue;
            }
            let mut column = CellAxis::new(rect.x, rect.width);
            for (y, row) in (low_y..).zip(&mut rows) {
                let kind = self.world.get_obj(x, y);
                self.draw_cell_on((x, &mut column), (y, row), kind);
            }
        }
    }

    /// Draws a cell with precomputed axes, which is possible because no game rotates or adjusts the pictures of cells.
    fn draw_cell_on(&mut self, (x, column): (i32, &mut CellAxis), (y, row): (i32, &mut CellAxis), kind: i32) {
        if kind == INVALID_OBJ || kind == SPACE {
            return;
        }
        let setup = &self.world.setup;
        let image_type = self.rules.image_for_type(self.world, kind);
        if image_type < 0 {
            return;
        }
        if setup.options.use_monochrome_assets || image_type >= MAX_ASSETS {
            let rect = self.view.screen_rect(x as f32, (y + 1) as f32, 1.0, 1.0, RENDER_EPS);
            return self.draw_grid_obj(&rect, image_type, self.rules.theme_for_grid_obj(kind));
        }
        let theme = self.world.mask_theme(self.rules.theme_for_grid_obj(kind), R::should_preserve_type_themes(image_type));
        let pixels = setup.assets.sprite(image_type, theme).pixels(false);
        self.canvas.draw_axes((column.for_size(pixels.width), row.for_size(pixels.height)), pixels, 1.0);
    }
}
