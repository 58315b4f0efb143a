//! Generates x86-64 code for those writes of TIA registers that draw nothing.
//!
//! The code has the effect of [`Tia::write_register`](crate::tia::Tia::write_register). At its start, esi is the cycle of the
//! write. It clobbers eax, ecx and edi.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::{X86, source_number};
use crate::recompiler::assembler::{Source, TiaWrites};
use crate::recompiler::offsets::{COLOUR_LOSS, tia};
use crate::tia::offsets::{self as at, BL, CLOCKS, GRAPHICS_DELAY, LINE, M0, M1, P0, P1};

/// Motion of missile 0 before the write that starts the stars of the game Cosmic Ark.
const MOTION_BEFORE_STARS: i8 = 7;

impl TiaWrites for X86 {
    fn write_register(&mut self, register: u16, source: Source, elsewhere: DynamicLabel) -> bool {
        let index = usize::from(register & 1);
        match register {
            0x02 => self.write_wsync(elsewhere),
            0x06 | 0x07 => self.write_colour(at::COLUP[index], 3 - index, source, elsewhere),
            0x08 => self.write_colour(at::COLUPF, 1, source, elsewhere),
            0x09 => self.write_colour(at::COLUBK, 0, source, elsewhere),
            0x0b | 0x0c => self.keep_bit(at::REFP[index ^ 1], 0x08, GRAPHICS_DELAY, source, elsewhere),
            0x0d..=0x0f => self.keep_playfield(register, source, elsewhere),
            0x1b | 0x1c => self.keep_graphics(index ^ 1, source, elsewhere),
            0x1d | 0x1e => self.keep_bit(at::ENAM[index ^ 1], 0x02, 0, source, elsewhere),
            0x1f => self.keep_bit(at::ENABL, 0x02, 0, source, elsewhere),
            0x20 => self.write_motion(at::HMP[0], P0, source),
            0x21 => self.write_motion(at::HMP[1], P1, source),
            0x22 => {
                dynasm!(self.ops ; .arch x64 ; cmp BYTE [rbx + tia(at::HMM[0])], MOTION_BEFORE_STARS ; je =>elsewhere);
                self.write_motion(at::HMM[0], M0, source);
            }
            0x23 => self.write_motion(at::HMM[1], M1, source),
            0x24 => self.write_motion(at::HMBL, BL, source),
            0x25 | 0x26 => self.keep_bit(at::VDELP[index ^ 1], 0x01, 0, source, elsewhere),
            0x27 => self.keep_bit(at::VDELBL, 0x01, 0, source, elsewhere),
            0x28 | 0x29 => self.keep_bit(at::RESMP[index], 0x02, 0, source, elsewhere),
            0x2b => self.write_hmclr(),
            0x03 | 0x15..=0x1a | 0x2d..=0x3f => self.defer(0),
            _ => return false,
        }
        true
    }
}

impl X86 {
    /// Emits code that defers drawing up to `delay` clocks after the write.
    fn defer(&mut self, delay: i32) {
        dynasm!(self.ops ; .arch x64 ; lea edi, [rsi + rsi * 2 + delay] ; mov [rbx + tia(at::DEFERRED_TO)], edi);
    }

    /// Emits code that stores the TIA's clock in `edi` and the processor's cycle of the line in `eax`. Jumps to `elsewhere` if the
    /// field `line_start` is not of this line.
    fn cycle_of_line(&mut self, elsewhere: DynamicLabel) {
        dynasm!(self.ops
            ; .arch x64
            ; lea edi, [rsi + rsi * 2]
            ; mov eax, edi
            ; sub eax, [rbx + tia(at::LINE_START)]
            ; cmp eax, LINE
            ; jae =>elsewhere
            // For numbers below 228, this is a division by three.
            ; imul eax, eax, 171
            ; shr eax, 9
        );
    }

    /// Emits code that halts the processor until the end of the line, which must be the line of the field `line_start`. The next
    /// line becomes the line of this field.
    fn write_wsync(&mut self, elsewhere: DynamicLabel) {
        self.cycle_of_line(elsewhere);
        dynasm!(self.ops
            ; .arch x64
            ; jz =>elsewhere
            ; mov [rbx + tia(at::DEFERRED_TO)], edi
            ; lea r12d, [rsi + LINE / CLOCKS]
            ; sub r12d, eax
            ; add DWORD [rbx + tia(at::LINE_START)], LINE
        );
    }

    /// Emits code that writes a colour, which is also stored in four bytes at the index `index` of the cached colours. A change
    /// must come before the next pixel that is painted.
    fn write_colour(&mut self, colour: usize, index: usize, source: Source, elsewhere: DynamicLabel) {
        let (source, colour, cached) = (source_number(source), tia(colour), tia(at::COLOURS + 4 * index));
        dynasm!(self.ops
            ; .arch x64
            ; mov eax, Rd(source)
            ; and eax, 0xfe
            ; or al, [rbx + COLOUR_LOSS]
            ; lea edi, [rsi + rsi * 2]
            ; cmp al, [rbx + colour]
            ; je >same
            ; cmp edi, [rbx + tia(at::NO_PAINT_UNTIL)]
            ; jg =>elsewhere
            ; mov [rbx + colour], al
            ; imul eax, eax, 0x0101_0101
            ; mov [rbx + cached], eax
            ; same:
            ; mov [rbx + tia(at::DEFERRED_TO)], edi
        );
    }

    /// Emits code for a write that does not change a flag: the bit `bit` of the written byte.
    fn keep_bit(&mut self, flag: usize, bit: i8, delay: i32, source: Source, elsewhere: DynamicLabel) {
        let (source, flag) = (source_number(source), tia(flag));
        dynasm!(self.ops
            ; .arch x64
            ; test Rb(source), BYTE bit
            ; setnz al
            ; cmp al, [rbx + flag]
            ; jne =>elsewhere
        );
        self.defer(delay);
    }

    /// Emits code for a write that does not change the playfield, on the line of the field `line_start`.
    fn keep_playfield(&mut self, register: u16, source: Source, elsewhere: DynamicLabel) {
        let source = source_number(source);
        dynasm!(self.ops ; .arch x64 ; mov ecx, [rbx + tia(at::PF)]);
        match register {
            0x0d => dynasm!(self.ops ; .arch x64 ; shl ecx, 4 ; xor ecx, Rd(source) ; test cl, BYTE 0xf0_u8 as i8),
            0x0e => dynasm!(self.ops ; .arch x64 ; shr ecx, 4 ; cmp cl, Rb(source)),
            _ => dynasm!(self.ops ; .arch x64 ; shr ecx, 12 ; cmp cl, Rb(source)),
        }
        dynasm!(self.ops
            ; .arch x64
            ; jne =>elsewhere
        );
        self.cycle_of_line(elsewhere);
        dynasm!(self.ops
            ; .arch x64
            // The delays by the cycle modulo four are 4, 5, 2, 3.
            ; and eax, 3
            ; xor eax, 2
            ; lea edi, [rdi + rax + 2]
            ; mov [rbx + tia(at::DEFERRED_TO)], edi
        );
    }

    /// Emits code for a write that does not change the displayed graphics of player `index`, nor those of the other player and
    /// the ball, whose delayed registers such a write loads.
    fn keep_graphics(&mut self, index: usize, source: Source, elsewhere: DynamicLabel) {
        let (source, other) = (source_number(source), index ^ 1);
        dynasm!(self.ops ; .arch x64 ; cmp [rbx + tia(at::GRP[index])], Rb(source) ; jne =>elsewhere);
        self.load_delayed(at::GRP[other], at::DGRP[other], at::VDELP[other], elsewhere);
        if index == 1 {
            self.load_delayed(at::ENABL, at::DENABL, at::VDELBL, elsewhere);
        }
        self.defer(GRAPHICS_DELAY);
    }

    /// Emits code that copies a register to its delayed register. If this changes the delayed register, it must not be displayed.
    fn load_delayed(&mut self, register: usize, delayed: usize, is_displayed: usize, elsewhere: DynamicLabel) {
        let (register, delayed, is_displayed) = (tia(register), tia(delayed), tia(is_displayed));
        dynasm!(self.ops
            ; .arch x64
            ; mov al, [rbx + register]
            ; cmp al, [rbx + delayed]
            ; je >same
            ; cmp BYTE [rbx + is_displayed], 0
            ; jne =>elsewhere
            ; mov [rbx + delayed], al
            ; same:
        );
    }

    /// Emits code that writes a motion register.
    fn write_motion(&mut self, motion: usize, object: u8, source: Source) {
        let (source, moving) = (source_number(source), tia(at::MOVING));
        dynasm!(self.ops
            ; .arch x64
            ; mov eax, Rd(source)
            ; shr eax, 4
            ; mov [rbx + tia(motion)], al
            // The carry flag, and so eax, says whether the motion differs from zero.
            ; neg eax
            ; sbb eax, eax
            ; and eax, i32::from(object)
            ; mov cl, [rbx + moving]
            ; and cl, BYTE !object as i8
            ; or cl, al
            ; mov [rbx + moving], cl
        );
        self.defer(0);
    }

    fn write_hmclr(&mut self) {
        for motion in [at::HMP[0], at::HMP[1], at::HMM[0], at::HMM[1], at::HMBL, at::MOVING] {
            dynasm!(self.ops ; .arch x64 ; mov BYTE [rbx + tia(motion)], 0);
        }
        self.defer(0);
    }
}
