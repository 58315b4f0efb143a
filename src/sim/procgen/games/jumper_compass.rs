//! Draws the compass of Jumper: a disc, a line towards the goal, and a bar that shows the distance to the goal.

use super::prelude::*;

const DISC_COLOR: [u8; 3] = [168, 166, 158];
const HIGHLIGHT_COLOR: [u8; 3] = [252, 186, 3];
/// Distance in cells between the compass and the sides of the screen.
const MARGIN: f32 = 0.25;

/// First and last pixel of each row of a disc, starting at row `top`. These are the pixels that Qt changes when it fills and
/// strokes the circle.
struct Disc {
    /// Number of pixels per cell of the views in which this disc is drawn.
    unit: f32,
    top: usize,
    rows: &'static [(usize, usize)],
}

/// Discs for all views. The position and the size of a compass depend only on the distribution mode and on the option
/// `center_agent`.
const DISCS: [Disc; 4] = [
    Disc {
        unit: 64.0 / 12.0,
        top: 1,
        rows: &[
            (52, 57),
            (50, 58),
            (49, 59),
            (48, 60),
            (48, 61),
            (47, 62),
            (47, 62),
            (46, 62),
            (46, 62),
            (46, 62),
            (47, 62),
            (47, 62),
            (47, 61),
            (48, 60),
            (49, 59),
            (51, 58),
            (53, 56),
        ],
    },
    Disc {
        unit: 64.0 / 16.0,
        top: 1,
        rows: &[(58, 60), (57, 61), (56, 62), (55, 63), (55, 63), (55, 63), (56, 62), (57, 61), (58, 60)],
    },
    Disc {
        unit: 64.0 / 20.0,
        top: 0,
        rows: &[(58, 58), (56, 60), (55, 61), (54, 62), (53, 62), (53, 63), (53, 63), (54, 63), (54, 62), (55, 61), (57, 60)],
    },
    Disc { unit: 64.0 / 40.0, top: 0, rows: &[(61, 62), (60, 63), (60, 63), (61, 62)] },
];

/// Draws the compass, whose width and height are `dim` cells.
pub(super) fn draw_compass(world: &World, view: &View, canvas: &mut Canvas, dim: f32, goal: &Entity) {
    if let Some(disc) = DISCS.iter().find(|disc| disc.unit == view.unit) {
        for (row, (first, last)) in disc.rows.iter().enumerate() {
            let y = (disc.top + row) as f64;
            canvas.fill(&Rect::new(*first as f64, y, (last + 1 - first) as f64, 1.0), DISC_COLOR);
        }
    }
    let margin = f64::from(MARGIN);
    let left = f32_of(f64::from(view.view_dim - dim) - margin);
    let rect = view.abs_rect(left, MARGIN, dim, dim);
    let agent = world.agent();
    let (dx, dy) = (goal.x - agent.x, goal.y - agent.y);
    let theta = f64::from(f32_of(f64::from(dy).atan2(f64::from(dx))));
    let (x, y) = (f32_of(rect.x + rect.width / 2.0), f32_of(rect.y + rect.height / 2.0));
    let radius = f64::from(f32_of(rect.width / 2.0 * 0.95));
    let (sin, cos) = theta.sin_cos();
    let end = ((f64::from(x) + radius * cos) as i32, (f64::from(y) - radius * sin) as i32);
    canvas.draw_line((x as i32, y as i32), end, HIGHLIGHT_COLOR);
    let (dx, dy) = (agent.x - goal.x, agent.y - goal.y);
    let distance = (dx * dx + dy * dy).sqrt();
    let share = f32_of(f64::from(distance) / (f64::from(world.main_width) * std::f64::consts::SQRT_2));
    canvas.fill(&view.abs_rect(left, f32_of(margin + f64::from(dim)), dim * share, dim / 8.0), HIGHLIGHT_COLOR);
}

/// Draws the shadow of a jump under the agent: an ellipse of whole pixels.
///
/// In views that follow the agent, the ellipse has 2 by 1 pixels, and Qt's midpoint algorithm shifts it down by one pixel. In
/// other views, it has no pixels.
pub(super) fn draw_shadow(view: &View, canvas: &mut Canvas, agent: &Entity) {
    const HALF_WHITE: u32 = 0x7878_7878;
    let rect = view.object_rect(agent);
    let (x, y) = (rect.x as i32, (rect.y + rect.height * (5.0 / 6.0)) as i32);
    if (rect.width as i32, (rect.height / 3.0) as i32) == (2, 1) {
        canvas.blend_pixel(x, y + 1, HALF_WHITE);
        canvas.blend_pixel(x + 1, y + 1, HALF_WHITE);
    }
}
