//! Tests of the TIA.

use super::WIDTH;
use crate::machine::Machine;
use crate::testing::{machine, run};

/// Returns a machine with a program that writes `registers` (address and value), and then draws frames of 262 lines in an
/// endless loop.
fn lines(registers: &[(u8, u8)]) -> Machine {
    let mut program = Vec::new();
    for (register, value) in registers {
        program.extend([0xa9, *value, 0x85, *register]);
    }
    // 6502 program: `frame: LDA #2; STA VSYNC; STA WSYNC (three times); LDA #0; STA VSYNC; LDX #0; line: STA WSYNC; DEX; BNE
    // line; JMP frame`.
    let frame = 0xf000 + program.len() as u16;
    program.extend([0xa9, 2, 0x85, 0, 0x85, 2, 0x85, 2, 0x85, 2, 0xa9, 0, 0x85, 0, 0xa2, 0, 0x85, 2, 0xca, 0xd0, 0xfb]);
    program.push(0x4c);
    program.extend(frame.to_le_bytes());
    machine(&program)
}

fn row(machine: &Machine, row: usize) -> Vec<u8> {
    machine.screen.pixels()[row * WIDTH..(row + 1) * WIDTH].to_vec()
}

fn played(registers: &[(u8, u8)]) -> Machine {
    let mut machine = lines(registers);
    (0..3).for_each(|_| machine.play_frame());
    machine
}

#[test]
fn frames_end_with_the_vertical_synchronisation() {
    assert_eq!(played(&[]).state.tia.last_lines(), 259);
}

#[test]
fn a_program_without_vsync_ends_its_frame_at_a_write() {
    // 6502 program: `again: STA WSYNC; JMP again`.
    let mut machine = machine(&[0x85, 0x02, 0x4c, 0x00, 0xf0]);
    machine.play_frame();
    assert_eq!(machine.state.tia.last_lines(), 292);
}

#[test]
fn a_program_without_writes_ends_its_frame() {
    let mut machine = machine(&[0x4c, 0x00, 0xf0]);
    machine.play_frame();
    assert!(machine.state.tia.is_partial());
    assert_eq!(machine.state.cycles, 75_000);
}

#[test]
fn wsync_waits_for_the_end_of_the_line() {
    let mut machine = machine(&[0xea, 0x85, 0x02]);
    run(&mut machine, 2);
    assert_eq!(machine.state.cycles, 76);
}

#[test]
fn the_background_fills_the_line() {
    assert_eq!(row(&played(&[(0x09, 0x46)]), 100), [0x46; WIDTH]);
}

#[test]
fn the_playfield_is_repeated_or_mirrored() {
    let machine = played(&[(0x08, 0x1e), (0x0d, 0x10)]);
    let columns: Vec<usize> = (0..WIDTH).filter(|x| row(&machine, 50)[*x] != 0).collect();
    assert_eq!(columns, [0, 1, 2, 3, 80, 81, 82, 83]);
    let machine = played(&[(0x08, 0x1e), (0x0d, 0x10), (0x0a, 0x01)]);
    let columns: Vec<usize> = (0..WIDTH).filter(|x| row(&machine, 50)[*x] != 0).collect();
    assert_eq!(columns, [0, 1, 2, 3, 156, 157, 158, 159]);
}

#[test]
fn players_display_their_graphics_from_the_left() {
    // A write to RESP0 in the horizontal blank sets the player's position to 3. The player has two copies, sixteen pixels
    // apart.
    let machine = played(&[(0x02, 0), (0x10, 0), (0x04, 1), (0x06, 0x0e), (0x1b, 0xc1)]);
    let pixels: Vec<usize> = (0..WIDTH).filter(|x| row(&machine, 50)[*x] != 0).collect();
    assert_eq!(pixels, [3, 4, 10, 19, 20, 26]);
}

#[test]
fn the_ball_is_as_wide_as_requested() {
    let machine = played(&[(0x02, 0), (0x14, 0), (0x08, 0x0e), (0x0a, 0x20), (0x1f, 0x02)]);
    let pixels: Vec<usize> = (0..WIDTH).filter(|x| row(&machine, 50)[*x] != 0).collect();
    assert_eq!(pixels, [2, 3, 4, 5]);
}

#[test]
fn objects_that_touch_collide() {
    let mut machine = played(&[(0x02, 0), (0x10, 0), (0x11, 0), (0x1b, 0x80), (0x1c, 0x80)]);
    assert_eq!([0x07, 0x02, 0x00].map(|register| machine.peek(register, 0)), [0x80, 0, 0]);
    machine.poke(0x2c, 0);
    assert_eq!(machine.peek(0x07, 0), 0);
}

#[test]
fn vblank_hides_objects_and_prevents_collisions() {
    let mut machine = played(&[(0x01, 2), (0x09, 0x46), (0x10, 0), (0x11, 0), (0x1b, 0x80), (0x1c, 0x80)]);
    assert_eq!((row(&machine, 100), machine.peek(0x07, 0)), (vec![0; WIDTH], 0));
}

#[test]
fn undriven_bits_have_the_last_value_of_the_bus() {
    assert_eq!(machine(&[]).peek(0x0e, 0xff), 0x3f);
}
