//! Palette look-up and `INTER_AREA` without explicit vector instructions.

use super::plan::{PADDING, Plan, Rounding};

#[inline(always)]
pub(super) fn run(plan: &Plan, screen: &[u8], out: &mut [u8]) {
    let (width, rounding) = (plan.from.1, Rounding::new(plan.units));
    let mut looked_up = vec![0_u8; plan.drawn().1 * 2];
    let mut row = vec![0_u8; width];
    let mut sums = vec![0_u16; width + PADDING];
    for (plane, table) in plan.tables.iter().enumerate() {
        let mut at = usize::MAX;
        for (target, cover) in plan.rows.iter().enumerate() {
            sums.fill(0);
            for (tap, units) in cover.units.iter().enumerate().take(cover.count) {
                let source = cover.first + tap;
                // A source row that two target rows cover is looked up only once.
                if at != source {
                    at = source;
                    look_up(plan, table, screen, source, &mut looked_up, &mut row);
                }
                sums.iter_mut().zip(&row).for_each(|(sum, pixel)| *sum += u16::from(*pixel) * *units as u16);
            }
            for (column, cover) in plan.columns.iter().enumerate() {
                let sums = &sums[cover.first..][..cover.units.len()];
                let sum: i32 = sums.iter().zip(&cover.units).map(|(sum, units)| i32::from(*sum) * i32::from(*units)).sum();
                let doubled = 2 * sum + rounding.half;
                let byte = (doubled as f32 * rounding.inverse + rounding.nudge()) as i32;
                out[(plane * plan.to.0 + target) * plan.to.1 + column] = byte as u8;
                if byte * rounding.whole == doubled {
                    plan.compute_exactly(screen, plane, target, column, out);
                }
            }
        }
    }
}

/// Looks up the palette numbers of one source row, and writes the values to `out`. If the plan halves the picture, averages
/// blocks of 2 x 2 values.
#[inline(always)]
fn look_up(plan: &Plan, table: &[u8; 256], screen: &[u8], row: usize, looked_up: &mut [u8], out: &mut [u8]) {
    let width = plan.drawn().1;
    if !plan.is_halved {
        let screen = &screen[row * width..][..width];
        return out.iter_mut().zip(screen).for_each(|(out, number)| *out = table[usize::from(*number)]);
    }
    let screen = &screen[2 * row * width..][..2 * width];
    looked_up.iter_mut().zip(screen).for_each(|(out, number)| *out = table[usize::from(*number)]);
    let (above, below) = looked_up.split_at(width);
    for ((out, above), below) in out.iter_mut().zip(above.chunks_exact(2)).zip(below.chunks_exact(2)) {
        let sum = u16::from(above[0]) + u16::from(above[1]) + u16::from(below[0]) + u16::from(below[1]);
        *out = ((sum + 2) >> 2) as u8;
    }
}
