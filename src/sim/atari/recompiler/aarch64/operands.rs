//! Generates aarch64 code that reads and writes operands.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::{Aarch64, number, source_number};
use crate::recompiler::assembler::{Operands, PageCross, Source};
use crate::recompiler::decode::Register;
use crate::recompiler::offsets::{CARTRIDGE_RAM, RAM, SEGMENTS};

impl Aarch64 {
    /// Emits code that loads the 16-bit pointer at a zero page address into w8. The pointer is always in RAM, because basic
    /// blocks contain no instruction with another pointer.
    fn pointer_at(&mut self, at: u8) {
        dynasm!(self.ops ; .arch aarch64 ; add x8, x20, u32::from(at) ; ldrh w8, [x8]);
    }

    /// Emits code that compares the address in w8 with the address range of RAM.
    pub(super) fn compare_with_memory(&mut self) {
        dynasm!(self.ops ; .arch aarch64 ; movz w11, 0x1280 ; and w9, w8, w11 ; cmp w9, 0x80);
    }
}

impl Operands for Aarch64 {
    fn zero_page_address(&mut self, base: u8, index: Register) {
        let index = number(index);
        dynasm!(self.ops ; .arch aarch64 ; add w8, WSP(index), u32::from(base) ; uxtb w8, w8);
    }

    fn indexed_address(&mut self, base: u16, index: Register) {
        let index = number(index);
        dynasm!(self.ops ; .arch aarch64 ; movz w8, u32::from(base) ; add w8, w8, W(index));
    }

    fn pointer(&mut self, slow: DynamicLabel) {
        dynasm!(self.ops
            ; .arch aarch64
            ; sub w9, w8, 0x80
            ; cmp w9, 0x7e
            ; b.hi =>slow
            ; ldrh w8, [x20, x8]
        );
    }

    fn pointer_plus_y(&mut self, at: u8) {
        self.pointer_at(at);
        dynasm!(self.ops ; .arch aarch64 ; add w8, w8, w25);
    }

    fn pointer_and_crossing(&mut self, at: u8) {
        self.pointer_at(at);
        dynasm!(self.ops
            ; .arch aarch64
            ; and w10, w8, 0xff
            ; add w10, w10, w25
            ; lsr w10, w10, 8
            ; add w8, w8, w25
        );
    }

    fn cross(&mut self, crossing: PageCross) {
        match crossing {
            PageCross::Never => (),
            PageCross::From(register, least) => {
                let register = number(register);
                dynasm!(self.ops ; .arch aarch64 ; cmp WSP(register), u32::from(least) ; cinc w21, w21, hs);
            }
            PageCross::Computed => dynasm!(self.ops ; .arch aarch64 ; add w21, w21, w10),
        }
    }

    fn check_index(&mut self, index: Register, length: u16, slow: DynamicLabel) {
        let index = number(index);
        dynasm!(self.ops ; .arch aarch64 ; cmp WSP(index), u32::from(length) ; b.hs =>slow);
    }

    fn jump_unless_cartridge(&mut self, to: DynamicLabel) {
        dynasm!(self.ops ; .arch aarch64 ; tbz w8, 12, =>to);
    }

    fn jump_unless_tia(&mut self, cartridge: DynamicLabel, slow: DynamicLabel) {
        dynasm!(self.ops ; .arch aarch64 ; tbnz w8, 12, =>cartridge ; tbnz w8, 7, =>slow);
    }

    fn check_vsync(&mut self, slow: DynamicLabel) {
        dynasm!(self.ops ; .arch aarch64 ; tst w8, 0x3f ; b.eq =>slow);
    }

    fn offset_of_two_k(&mut self) {
        dynasm!(self.ops ; .arch aarch64 ; and w8, w8, 0x7ff);
    }

    fn offset_of_four_k(&mut self) {
        dynasm!(self.ops ; .arch aarch64 ; and w8, w8, 0xfff);
    }

    fn offset_of_fe(&mut self) {
        dynasm!(self.ops
            ; .arch aarch64
            ; mvn w9, w8
            ; lsr w9, w9, 1
            ; and w9, w9, 0x1000
            ; and w8, w8, 0xfff
            ; orr w8, w8, w9
        );
    }

    fn offset_of_dpc(&mut self, from: u16, to: u16, slow: DynamicLabel) {
        dynasm!(self.ops
            ; .arch aarch64
            ; and w8, w8, 0xfff
            ; sub w9, w8, u32::from(from)
            ; movz w11, u32::from(to - from)
            ; cmp w9, w11
            ; b.hs =>slow
        );
    }

    fn checked_offset(&mut self, to: u16, slow: DynamicLabel) {
        dynasm!(self.ops ; .arch aarch64 ; and w8, w8, 0xfff ; movz w11, u32::from(to) ; cmp w8, w11 ; b.hs =>slow);
    }

    fn slice_offset(&mut self) {
        dynasm!(self.ops
            ; .arch aarch64
            ; lsr w9, w8, 10
            ; add x11, x19, SEGMENTS as u32
            ; ldr w9, [x11, x9, lsl 2]
            ; and w8, w8, 0x3ff
            ; add w8, w8, w9
        );
    }

    fn read_cartridge_ram(&mut self, image: DynamicLabel) {
        dynasm!(self.ops
            ; .arch aarch64
            ; sub w9, w8, 0x80
            ; cmp w9, 0x80
            ; b.hs =>image
            ; add x11, x19, CARTRIDGE_RAM as u32
            ; ldrb w9, [x11, x9]
        );
    }

    fn check_written(&mut self, slow: DynamicLabel) {
        dynasm!(self.ops ; .arch aarch64 ; cmp w8, 0x80 ; b.lo =>slow);
    }

    fn read_image(&mut self, image: u64) {
        self.address(9, image);
        dynasm!(self.ops ; .arch aarch64 ; ldrb w9, [x9, x8]);
    }

    fn read_run(&mut self, image: u64, index: Register) {
        let index = number(index);
        self.address(9, image);
        dynasm!(self.ops ; .arch aarch64 ; ldrb w9, [x9, X(index)]);
    }

    fn read_slice(&mut self, segment: i32, image: u64) {
        self.address(9, image);
        dynasm!(self.ops ; .arch aarch64 ; ldr w8, [x19, segment as u32] ; ldrb w9, [x9, x8]);
    }

    fn read_zero_page(&mut self, elsewhere: DynamicLabel) {
        dynasm!(self.ops ; .arch aarch64 ; tbz w8, 7, =>elsewhere ; ldrb w9, [x20, x8]);
    }

    fn read_memory(&mut self, elsewhere: DynamicLabel) {
        dynasm!(self.ops
            ; .arch aarch64
            ; movz w11, 0x280
            ; and w9, w8, w11
            ; cmp w9, 0x80
            ; b.ne =>elsewhere
            ; and w8, w8, 0xff
            ; ldrb w9, [x20, x8]
        );
    }

    fn write_ram(&mut self, at: u8, source: Source) {
        let source = source_number(source);
        dynasm!(self.ops ; .arch aarch64 ; strb W(source), [x19, RAM as u32 + u32::from(at)]);
    }

    fn write_zero_page(&mut self, source: Source, elsewhere: DynamicLabel) {
        let source = source_number(source);
        dynasm!(self.ops ; .arch aarch64 ; tbz w8, 7, =>elsewhere ; strb W(source), [x20, x8]);
    }

    fn write_memory(&mut self, source: Source, elsewhere: DynamicLabel) {
        let source = source_number(source);
        self.compare_with_memory();
        dynasm!(self.ops ; .arch aarch64 ; b.ne =>elsewhere ; and w8, w8, 0xff ; strb W(source), [x20, x8]);
    }

    fn write_cartridge_ram(&mut self, source: Source, join: DynamicLabel) {
        let source = source_number(source);
        dynasm!(self.ops
            ; .arch aarch64
            ; cmp w8, 0x80
            ; b.hs =>join
            ; add x11, x19, CARTRIDGE_RAM as u32
            ; strb W(source), [x11, x8]
        );
    }
}
