//! Caches the parts of a picture that do not change if the view has not moved: the background and the cells.

use crate::assets::MAX_ASSETS;
use crate::canvas::{Axis, Canvas, Clip, SIDE};
use crate::image::Pixels;
use crate::object_ids::{INVALID_OBJ, SPACE};
use crate::rect::Rect;
use crate::rules::Rules;
use crate::rules::painter::{Painter, RENDER_EPS, Sprite};
use crate::rules::visible_cells::{Extent, VisibleCells};

/// Maximum number of changed cells for which only the surroundings of these cells are redrawn, instead of all cells.
const MAX_CHANGES: usize = 12;

/// Cached layers of a level's picture, without the entities above the cells.
#[derive(Debug, Clone)]
pub(crate) struct StillLayers {
    /// Number of the level to which the layers belong.
    level: u32,
    /// Object types of the cells that the picture `grid` shows.
    cells: Vec<i32>,
    /// Picture of the background, with the motionless entities that are drawn below the cells.
    background: Canvas,
    /// Picture of `background`, with the cells drawn over it.
    grid: Canvas,
    /// Pictures of the first entities above the cells, up to one that moves.
    sprites: Vec<Option<Sprite>>,
    /// Whether `with_sprites` shows `sprites` over the current cells.
    has_sprites: bool,
    /// Picture of `grid`, with `sprites` drawn over it if there are any.
    with_sprites: Canvas,
}

/// Appearance of a cell.
#[derive(Debug, Clone, Copy)]
enum Appearance<'a> {
    Nothing,
    Picture(&'a Pixels),
    /// The cell is drawn as a shape or as a rectangle of a single colour, because its object type has no picture or pictures
    /// are disabled.
    Shape {
        image_type: i32,
        theme: i32,
    },
}

impl<'a, R: Rules> Painter<'a, R> {
    /// Draws the background, the entities below the cells, and the cells. Reuses the layers of the last picture if the view has not
    /// moved. Returns the number of entities above the cells that have been drawn, too.
    pub fn draw_still_part(&mut self) -> usize {
        let world = self.world;
        if world.center_agent || !R::BACKGROUND_STANDS_STILL {
            let cells = self.visible_cells();
            self.covered = cells.as_ref().map(VisibleCells::covered).unwrap_or_default();
            self.canvas.clear();
            self.draw_below_grid();
            self.draw_grid(cells);
            return 0;
        }
        match self.layers.still.take() {
            Some(mut still) if still.level == world.level_number && still.cells.len() == world.grid.cells.len() => {
                self.draw_changes(&mut still);
                let drawn = self.draw_motionless(&mut still);
                self.layers.still = Some(still);
                self.layers.strip.forget_picture();
                drawn
            }
            _ => {
                self.canvas.clear();
                self.draw_below_grid();
                let background = self.canvas.clone();
                let cells = self.visible_cells();
                self.draw_grid(cells);
                let (cells, grid) = (world.grid.cells.clone(), self.canvas.clone());
                let (level, with_sprites) = (world.level_number, Canvas::default());
                self.layers.still = Some(Box::new(StillLayers {
                    level,
                    cells,
                    background,
                    grid,
                    sprites: Vec::new(),
                    has_sprites: false,
                    with_sprites,
                }));
                0
            }
        }
    }

    /// Draws the layers up to the cells, and the first entities above the cells if they look as in the last picture. Returns the
    /// number of these entities.
    fn draw_motionless(&mut self, still: &mut StillLayers) -> usize {
        let world = self.world;
        let entities = || world.entities.iter().filter(|entity| entity.render_z == 0);
        let (sprites, shown) = (&mut still.sprites, || entities().map(|entity| self.sprite(entity)));
        if still.has_sprites && shown().take(sprites.len()).eq(sprites.iter().cloned()) {
            self.canvas.copy_from(if sprites.is_empty() { &still.grid } else { &still.with_sprites }, Clip::ALL);
            return sprites.len();
        }
        let num_motionless = entities().take_while(|entity| entity.is_motionless()).count();
        sprites.clear();
        sprites.extend(shown().take(num_motionless));
        self.canvas.copy_from(&still.grid, Clip::ALL);
        for sprite in sprites.iter().flatten() {
            self.draw_sprite(sprite);
        }
        if !sprites.is_empty() {
            still.with_sprites.copy_from(self.canvas, Clip::ALL);
        }
        still.has_sprites = true;
        sprites.len()
    }

    fn draw_below_grid(&mut self) {
        if self.world.setup.options.use_backgrounds {
            self.rules.draw_background(self);
        }
        self.draw_entities(-1, 0);
    }

    /// Redraws the cells that have changed since the layers were drawn.
    fn draw_changes(&mut self, still: &mut StillLayers) {
        let (world, width) = (self.world, self.world.grid.width);
        if still.cells == world.grid.cells {
            return;
        }
        still.has_sprites = false;
        let cells = || (0..).zip(world.grid.cells.iter().zip(&still.cells));
        if cells().filter(|(_, (new, old))| new != old).count() > MAX_CHANGES {
            self.canvas.copy_from(&still.background, Clip::ALL);
            let cells = self.visible_cells();
            self.draw_grid(cells);
            still.grid.copy_from(self.canvas, Clip::ALL);
            still.cells.clone_from(&world.grid.cells);
            return;
        }
        std::mem::swap(self.canvas, &mut still.grid);
        for (index, _) in cells().filter(|(_, (new, old))| new != old) {
            let (x, y) = (index % width, index / width);
            let clip = Clip::of(&self.cell_rect(x, y));
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
        still.cells.clone_from(&world.grid.cells);
    }

    /// Returns the rectangle of a cell's picture on the canvas, in pixels.
    fn cell_rect(&self, x: i32, y: i32) -> Rect {
        self.view.screen_rect(x as f32, (y + 1) as f32, 1.0, 1.0, RENDER_EPS)
    }

    fn draw_cell(&mut self, x: i32, y: i32, kind: i32) {
        let rect = self.cell_rect(x, y);
        match self.appearance(kind) {
            Appearance::Nothing => {}
            Appearance::Picture(pixels) => {
                let axis = |from: f64, length: f64, size: i32| Axis::new(from, from + length, size);
                let axes = (axis(rect.x, rect.width, pixels.width), axis(rect.y, rect.height, pixels.height));
                self.canvas.draw_axes(axes, pixels, 1.0);
            }
            Appearance::Shape { image_type, theme } => self.draw_grid_obj(&rect, image_type, theme),
        }
    }

    /// Draws the cells in the view. `cells` is the result of [`Self::visible_cells`].
    fn draw_grid(&mut self, cells: Option<VisibleCells<'_>>) {
        if let Some(cells) = cells {
            cells.draw(self.canvas);
            self.canvas.cells = cells.emptied();
            return;
        }
        let (low_x, high_x, low_y, high_y) = self.view.cells(self.world);
        for x in low_x..=high_x {
            for y in low_y..=high_y {
                self.draw_cell(x, y, self.world.get_obj(x, y));
            }
        }
    }

    /// Returns the cells in the view; `None` if the view contains a cell that is drawn as a shape ([`Appearance::Shape`]).
    fn visible_cells(&mut self) -> Option<VisibleCells<'a>> {
        let mut cells = std::mem::take(&mut self.canvas.cells).emptied();
        if !self.world.center_agent && self.world.grid.cells.iter().all(|kind| *kind == SPACE) {
            return Some(cells);
        }
        let (low_x, high_x, low_y, high_y) = self.view.cells(self.world);
        let is_visible = |(from, length): &Extent| from + length >= 0.0 && *from <= f64::from(SIDE);
        let extents = |low: i32, high: i32, extent: &dyn Fn(i32) -> Extent, visible: &mut Vec<Extent>| {
            let skipped = (low..=high).take_while(|at| !is_visible(&extent(*at))).count() as i32;
            visible.extend((low + skipped..=high).map(extent).take_while(is_visible));
            low + skipped
        };
        let low_x = extents(low_x, high_x, &|x| (self.cell_rect(x, 0).x, self.cell_rect(x, 0).width), &mut cells.columns);
        let low_y = extents(low_y, high_y, &|y| (self.cell_rect(0, y).y, self.cell_rect(0, y).height), &mut cells.rows);
        let mut has_shape = false;
        let outside = self.world.out_of_bounds_object;
        let kinds = |row| {
            let kinds = self.world.grid.row(low_y + row as i32);
            (low_x..).map(move |x| kinds.get(x as usize).copied().unwrap_or(outside))
        };
        cells.fill(self.canvas.level, kinds, |kind| match self.appearance(kind) {
            Appearance::Nothing => None,
            Appearance::Picture(pixels) => Some(pixels),
            Appearance::Shape { .. } => {
                has_shape = true;
                None
            }
        });
        if has_shape {
            self.canvas.cells = cells.emptied();
            return None;
        }
        Some(cells)
    }

    /// Returns the appearance of an object type in cells. No game rotates or adjusts the pictures of cells.
    fn appearance(&self, kind: i32) -> Appearance<'a> {
        if kind == INVALID_OBJ || kind == SPACE {
            return Appearance::Nothing;
        }
        let setup = &self.world.setup;
        let image_type = self.rules.image_for_type(self.world, kind);
        if image_type < 0 {
            return Appearance::Nothing;
        }
        let theme = self.rules.theme_for_grid_obj(kind);
        if setup.options.use_monochrome_assets || image_type >= MAX_ASSETS {
            return Appearance::Shape { image_type, theme };
        }
        let theme = self.world.mask_theme(theme, R::should_preserve_type_themes(image_type));
        match setup.assets.sprite(image_type, theme) {
            Some(image) => Appearance::Picture(image.pixels(false)),
            None => Appearance::Nothing,
        }
    }
}
