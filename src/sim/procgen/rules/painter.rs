//! Draws pictures of a world as procgen's `game_draw` does: the background, and the cells and entities in the visible region.

use crate::assets::MAX_ASSETS;
use crate::canvas::{Canvas, SIDE};
use crate::entity::Entity;
use crate::image::Pixels;
use crate::mask::Mask;
use crate::object_ids::SPACE;
use crate::rect::Rect;
use crate::rules::Rules;
use crate::rules::step::PI;
use crate::rules::still::StillLayers;
use crate::strip::Strip;
use crate::world::{AGENT, World};

/// Margin by which each cell's picture is enlarged to close gaps between cells, in units of a cell.
pub(crate) const RENDER_EPS: f32 = 0.02;

/// Region of a world that is visible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct View {
    center_x: f32,
    center_y: f32,
    /// Width and height of the visible region in cells, as requested by the game.
    pub visibility: f32,
    /// Number of pixels per cell.
    pub unit: f32,
    /// Actual width and height of the visible region in cells.
    pub view_dim: f32,
    x_off: f32,
    y_off: f32,
}

impl View {
    /// Computes the view (visible region) of a world.
    pub fn new<R: Rules>(world: &World) -> Self {
        let (center_x, center_y, visibility) = if world.center_agent {
            R::choose_center(world)
        } else {
            let visibility = world.main_width.max(world.main_height) as f32;
            (world.main_width as f32 * 0.5, world.main_height as f32 * 0.5, visibility)
        };
        let unit = SIDE as f32 / visibility;
        let view_dim = (64.0 / f64::from(unit)) as f32;
        let x_off = unit * (center_x - view_dim / 2.0);
        let y_off = unit * (center_y - view_dim / 2.0);
        Self { center_x, center_y, visibility, unit, view_dim, x_off, y_off }
    }

    /// Returns the cells that are drawn, as the first column, the last column, the first row and the last row.
    pub fn cells(&self, world: &World) -> (i32, i32, i32, i32) {
        if !world.center_agent {
            return (0, world.main_width - 1, 0, world.main_height - 1);
        }
        let margin = (f64::from(self.visibility) / 2.0 + 1.0) as f32;
        let (x, y) = (self.center_x, self.center_y);
        ((x - margin) as i32, (x + margin) as i32, (y - margin) as i32, (y + margin) as i32)
    }

    /// Converts a rectangle of the world to pixels. `x`, `y` is the rectangle's upper left corner.
    pub fn screen_rect(&self, x: f32, y: f32, dx: f32, dy: f32, render_eps: f32) -> Rect {
        Rect::new(
            f64::from((x - render_eps) * self.unit - self.x_off),
            f64::from((self.view_dim - y - render_eps) * self.unit + self.y_off),
            f64::from((dx + 2.0 * render_eps) * self.unit),
            f64::from((dy + 2.0 * render_eps) * self.unit),
        )
    }

    /// Converts a rectangle of the screen, in cells from its upper left corner, to pixels.
    pub fn abs_rect(&self, x: f32, y: f32, dx: f32, dy: f32) -> Rect {
        let pixels = |cells: f32| f64::from(cells * self.unit);
        Rect::new(pixels(x), pixels(y), pixels(dx), pixels(dy))
    }

    /// Returns the rectangle of an entity's picture in pixels.
    pub fn object_rect(&self, entity: &Entity) -> Rect {
        let Entity { x, y, rx, ry, .. } = *entity;
        if entity.use_abs_coords {
            let dim = self.view_dim;
            return self.abs_rect(dim * (x - rx), dim * (y + ry), 2.0 * dim * rx, 2.0 * dim * ry);
        }
        self.screen_rect(x - rx, y + ry, 2.0 * rx, 2.0 * ry, 0.0)
    }
}

/// Draws a world on a canvas.
pub(crate) struct Painter<'a, R> {
    pub rules: &'a R,
    pub world: &'a World,
    pub view: View,
    pub canvas: &'a mut Canvas,
    pub layers: &'a mut Layers,
    /// Pixels whose background is not visible, because opaque cells will be drawn over it.
    pub covered: Mask,
}

/// Cached layers of a world's last picture, which its next picture may reuse.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layers {
    /// Layers below the entities, which are reused if the view has not moved.
    pub still: Option<Box<StillLayers>>,
    /// Background, sampled at the columns of the canvas, which is reused if the view has moved only vertically.
    pub strip: Strip,
}

impl<'a, R: Rules> Painter<'a, R> {
    /// Creates the painter of a world.
    pub fn new(rules: &'a R, world: &'a World, canvas: &'a mut Canvas, layers: &'a mut Layers) -> Self {
        Self { rules, world, view: View::new::<R>(world), canvas, layers, covered: Mask::default() }
    }

    /// Draws the complete picture.
    pub fn draw(&mut self) {
        let drawn = self.draw_still_part();
        self.draw_entities(0, drawn);
        self.draw_entities(1, 0);
        self.draw_velocity();
        self.rules.draw_indicators(self.world, &self.view, self.canvas);
    }

    /// Draws the level's background behind the world.
    pub fn draw_background(&mut self) {
        let world = self.world;
        let (width, height) = (world.main_width as f32, world.main_height as f32);
        let main_rect = self.view.screen_rect(0.0, height, width, height, 0.0);
        let image = world.setup.assets.background(world.background_index);
        if world.bg_tile_ratio < 0.0 {
            let tile = |rect: &Rect| self.draw_background_in(rect, image.pixels(false));
            return for_each_tile(&main_rect, world.bg_tile_ratio, tile);
        }
        let bg_ratio = image.width as f32 / image.height as f32;
        let world_ratio = (f64::from(world.main_width) / f64::from(world.main_height)) as f32;
        let offset_x = world.bg_pct_x * (bg_ratio - world_ratio);
        let part = Rect::new(f64::from(-offset_x), 0.0, f64::from(bg_ratio / world_ratio), 1.0);
        self.draw_background_in(&main_rect.adjust(&part), image.pixels(false));
    }

    /// Draws a background picture into a rectangle.
    pub fn draw_background_in(&mut self, rect: &Rect, pixels: &Pixels) {
        let axes = Canvas::axes(rect, pixels);
        self.canvas.draw_background(axes, pixels, &self.covered, self.world.level_number, &mut self.layers.strip);
    }

    /// Draws the entities in the layer `render_z` except the first `skipped`.
    pub fn draw_entities(&mut self, render_z: i32, skipped: usize) {
        let world = self.world;
        for entity in world.entities.iter().filter(|entity| entity.render_z == render_z).skip(skipped) {
            if let Some(sprite) = self.sprite(entity) {
                self.draw_sprite(&sprite);
            }
        }
    }

    /// Returns the picture of an entity; `None` if it is not drawn.
    pub fn sprite(&self, entity: &Entity) -> Option<Sprite> {
        self.rules.should_draw_entity(entity).then(|| Sprite {
            rect: self.view.object_rect(entity),
            kind: self.rules.image_for_type(self.world, entity.image_type),
            rotation: entity.rotation,
            is_reflected: entity.is_reflected,
            theme: entity.image_theme,
            alpha: entity.alpha,
            tile_ratio: self.rules.get_tile_aspect_ratio(entity),
        })
    }

    /// Draws the picture of an entity.
    pub fn draw_sprite(&mut self, sprite: &Sprite) {
        let Sprite { ref rect, kind, rotation, is_reflected, theme, alpha, tile_ratio } = *sprite;
        if kind < 0 || kind == SPACE {
            return;
        }
        let setup = &self.world.setup;
        if setup.options.use_monochrome_assets || kind >= MAX_ASSETS {
            return self.draw_grid_obj(rect, kind, theme);
        }
        let theme = self.world.mask_theme(theme, R::should_preserve_type_themes(kind));
        let rect = R::get_adjusted_image_rect(kind, *rect);
        if !is_in_view(&rect, rotation != 0.0) {
            return;
        }
        let Some(image) = setup.assets.sprite(kind, theme) else { return };
        let pixels = image.pixels(is_reflected);
        if rotation == 0.0 {
            tile_image(self.canvas, pixels, &rect, tile_ratio, alpha);
        } else {
            self.canvas.draw_rotated(&rect, f64::from(rotation * 180.0 / PI), pixels, alpha);
        }
    }

    /// Draws an object whose type has no picture.
    pub fn draw_grid_obj(&mut self, rect: &Rect, kind: i32, theme: i32) {
        if !R::draw_grid_obj(self.canvas, rect, kind) {
            let theme = self.world.mask_theme(theme, R::should_preserve_type_themes(kind));
            self.canvas.fill(rect, color_for_type(kind, theme));
        }
    }

    /// Draws two gray squares whose brightness shows the agent's velocity.
    fn draw_velocity(&mut self) {
        let world = self.world;
        if !world.has_useful_vel_info || !world.setup.options.paint_vel_info {
            return;
        }
        let shade = |velocity: f32, max: f32| {
            let share = (0.5 * f64::from(velocity) / f64::from(max) + 0.5) as f32;
            [(share * 255.0) as u8; 3]
        };
        let agent = &world.entities[AGENT];
        let side = f64::from((f64::from(SIDE) * 0.2) as f32);
        self.canvas.fill(&Rect::new(0.0, 0.0, side, side), shade(agent.vx, world.maxspeed));
        self.canvas.fill(&Rect::new(side, 0.0, side, side), shade(agent.vy, world.max_jump));
    }
}

/// Returns whether any pixel of the rectangle `rect` may be on the canvas; `is_turned` says whether the picture is rotated.
fn is_in_view(rect: &Rect, is_turned: bool) -> bool {
    // A rotated rectangle is inside of a circle around its center.
    let margin = if is_turned { rect.width + rect.height } else { 1.0 };
    let reaches = |from: f64, to: f64| to > -margin && from < f64::from(SIDE) + margin;
    reaches(rect.x, rect.right()) && reaches(rect.y, rect.bottom())
}

/// Picture of an entity: its object type, and the parameters with which it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sprite {
    rect: Rect,
    kind: i32,
    /// Angle of the image in radians.
    rotation: f32,
    is_reflected: bool,
    theme: i32,
    alpha: f32,
    /// Aspect ratio of the image's tiles, as [`Rules::get_tile_aspect_ratio`] returns it.
    tile_ratio: f32,
}

/// Draws an image once if `ratio` is 0, otherwise as tiles (see [`for_each_tile`]).
fn tile_image(canvas: &mut Canvas, pixels: &Pixels, rect: &Rect, ratio: f32, alpha: f32) {
    match ratio {
        0.0 => canvas.draw(rect, pixels, alpha),
        _ => for_each_tile(rect, ratio, |tile| canvas.draw(tile, pixels, alpha)),
    }
}

/// Maximum number of tiles of a picture. Games draw fewer; entities of snapshots can have any shape.
const MAX_TILES: i32 = 1_000;

/// Calls `draw` with each tile of `rect` that may be on the canvas. A positive `ratio` is the width of a tile divided by its height. A negative `ratio`
/// means that tiles are repeated vertically.
pub(crate) fn for_each_tile(rect: &Rect, ratio: f32, mut draw: impl FnMut(&Rect)) {
    let Rect { x, y, width, height } = *rect;
    let (length, across) = if ratio < 0.0 { (height, width) } else { (width, height) };
    let count = ((length / (across * f64::from(ratio.abs()))) as i32).clamp(1, MAX_TILES);
    let tile = (length / f64::from(count)) as f32;
    for i in 0..count {
        let offset = f64::from(tile * i as f32);
        let (tile, across) = (f64::from(tile), f64::from(across as f32));
        let tile = match ratio < 0.0 {
            true => Rect::new(x, y + offset, across, tile),
            false => Rect::new(x + offset, y, tile, across),
        };
        if is_in_view(&tile, false) {
            draw(&tile);
        }
    }
}

/// Returns the colour in which objects of type `kind` are drawn if they have no picture. Within a theme, the colours of all
/// types differ.
fn color_for_type(kind: i32, theme: i32) -> [u8; 3] {
    const STEPS: i32 = 4;
    const COLORS: i32 = STEPS * STEPS * STEPS;
    let color = (29 * (kind + 1) % COLORS + 19 * theme) % COLORS;
    let channel = |step: i32| (256 / STEPS * (step + 1) - 1) as u8;
    [channel(color / (STEPS * STEPS)), channel(color / STEPS % STEPS), channel(color % STEPS)]
}
