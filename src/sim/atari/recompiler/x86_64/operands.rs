//! Generates x86-64 code that reads and writes operands.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::{X86, number, source_number};
use crate::recompiler::assembler::{Operands, PageCross, Source};
use crate::recompiler::decode::Register;
use crate::recompiler::offsets::{CARTRIDGE_RAM, RAM, SEGMENTS, ZERO_PAGE};

impl Operands for X86 {
    fn zero_page_address(&mut self, base: u8, index: Register) {
        let index = number(index);
        dynasm!(self.ops ; .arch x64 ; mov eax, Rd(index) ; add al, BYTE base as i8);
    }

    fn indexed_address(&mut self, base: u16, index: Register) {
        let index = number(index);
        dynasm!(self.ops ; .arch x64 ; lea eax, [Rq(index) + i32::from(base)]);
    }

    fn pointer(&mut self, slow: DynamicLabel) {
        dynasm!(self.ops
            ; .arch x64
            ; lea ecx, [rax - 0x80]
            ; cmp ecx, 0x7e
            ; ja =>slow
            ; movzx eax, WORD [rbx + rax + ZERO_PAGE]
        );
    }

    fn pointer_plus_y(&mut self, at: u8) {
        let at = ZERO_PAGE + i32::from(at);
        dynasm!(self.ops ; .arch x64 ; movzx eax, WORD [rbx + at] ; add eax, ebp);
    }

    fn pointer_and_crossing(&mut self, at: u8) {
        let at = ZERO_PAGE + i32::from(at);
        dynasm!(self.ops
            ; .arch x64
            ; movzx eax, WORD [rbx + at]
            ; movzx edx, al
            ; add edx, ebp
            ; shr edx, 8
            ; add eax, ebp
        );
    }

    fn cross(&mut self, crossing: PageCross) {
        match crossing {
            PageCross::Never => (),
            PageCross::From(register, least) => {
                let register = number(register);
                dynasm!(self.ops ; .arch x64 ; cmp Rb(register), BYTE least as i8 ; sbb r12d, -1);
            }
            PageCross::Computed => dynasm!(self.ops ; .arch x64 ; add r12d, edx),
        }
    }

    fn check_index(&mut self, index: Register, length: u16, slow: DynamicLabel) {
        let index = number(index);
        dynasm!(self.ops ; .arch x64 ; cmp Rd(index), i32::from(length) ; jae =>slow);
    }

    fn jump_unless_cartridge(&mut self, to: DynamicLabel) {
        dynasm!(self.ops ; .arch x64 ; test eax, 0x1000 ; jz =>to);
    }

    fn jump_unless_tia(&mut self, cartridge: DynamicLabel, slow: DynamicLabel) {
        dynasm!(self.ops ; .arch x64 ; test eax, 0x1000 ; jnz =>cartridge ; test eax, 0x80 ; jnz =>slow);
    }

    fn check_vsync(&mut self, slow: DynamicLabel) {
        dynasm!(self.ops ; .arch x64 ; test eax, 0x3f ; jz =>slow);
    }

    fn offset_of_two_k(&mut self) {
        dynasm!(self.ops ; .arch x64 ; and eax, 0x7ff);
    }

    fn offset_of_four_k(&mut self) {
        dynasm!(self.ops ; .arch x64 ; and eax, 0xfff);
    }

    fn offset_of_fe(&mut self) {
        dynasm!(self.ops
            ; .arch x64
            ; mov ecx, eax
            ; not ecx
            ; shr ecx, 1
            ; and ecx, 0x1000
            ; and eax, 0xfff
            ; or eax, ecx
        );
    }

    fn offset_of_dpc(&mut self, from: u16, to: u16, slow: DynamicLabel) {
        dynasm!(self.ops
            ; .arch x64
            ; and eax, 0xfff
            ; lea ecx, [rax - i32::from(from)]
            ; cmp ecx, i32::from(to - from)
            ; jae =>slow
        );
    }

    fn checked_offset(&mut self, to: u16, slow: DynamicLabel) {
        dynasm!(self.ops ; .arch x64 ; and eax, 0xfff ; cmp eax, i32::from(to) ; jae =>slow);
    }

    fn slice_offset(&mut self) {
        dynasm!(self.ops
            ; .arch x64
            ; mov ecx, eax
            ; shr ecx, 10
            ; mov ecx, [rbx + rcx * 4 + SEGMENTS]
            ; and eax, 0x3ff
            ; add eax, ecx
        );
    }

    fn read_cartridge_ram(&mut self, image: DynamicLabel) {
        dynasm!(self.ops
            ; .arch x64
            ; lea ecx, [rax - 0x80]
            ; cmp ecx, 0x80
            ; jae =>image
            ; movzx ecx, BYTE [rbx + rax + CARTRIDGE_RAM - 0x80]
        );
    }

    fn check_written(&mut self, slow: DynamicLabel) {
        dynasm!(self.ops ; .arch x64 ; cmp eax, 0x80 ; jb =>slow);
    }

    fn read_image(&mut self, image: u64) {
        dynasm!(self.ops ; .arch x64 ; mov rcx, QWORD image as i64 ; movzx ecx, BYTE [rcx + rax]);
    }

    fn read_run(&mut self, image: u64, index: Register) {
        let index = number(index);
        dynasm!(self.ops ; .arch x64 ; mov rcx, QWORD image as i64 ; movzx ecx, BYTE [rcx + Rq(index)]);
    }

    fn read_slice(&mut self, segment: i32, image: u64) {
        dynasm!(self.ops
            ; .arch x64
            ; mov eax, [rbx + segment]
            ; mov rcx, QWORD image as i64
            ; movzx ecx, BYTE [rcx + rax]
        );
    }

    fn read_zero_page(&mut self, elsewhere: DynamicLabel) {
        dynasm!(self.ops ; .arch x64 ; test al, al ; jns =>elsewhere ; movzx ecx, BYTE [rbx + rax + ZERO_PAGE]);
    }

    fn read_memory(&mut self, elsewhere: DynamicLabel) {
        dynasm!(self.ops
            ; .arch x64
            ; mov ecx, eax
            ; and ecx, 0x280
            ; cmp ecx, 0x80
            ; jne =>elsewhere
            ; and eax, 0x7f
            ; movzx ecx, BYTE [rbx + rax + RAM]
        );
    }

    fn write_ram(&mut self, at: u8, source: Source) {
        let source = source_number(source);
        dynasm!(self.ops ; .arch x64 ; mov [rbx + RAM + i32::from(at)], Rb(source));
    }

    fn write_zero_page(&mut self, source: Source, elsewhere: DynamicLabel) {
        let source = source_number(source);
        dynasm!(self.ops ; .arch x64 ; test al, al ; jns =>elsewhere ; mov [rbx + rax + ZERO_PAGE], Rb(source));
    }

    fn write_memory(&mut self, source: Source, elsewhere: DynamicLabel) {
        let source = source_number(source);
        dynasm!(self.ops
            ; .arch x64
            ; mov ecx, eax
            ; and ecx, 0x1280
            ; cmp ecx, 0x80
            ; jne =>elsewhere
            ; and eax, 0x7f
            ; mov [rbx + rax + RAM], Rb(source)
        );
    }

    fn write_cartridge_ram(&mut self, source: Source, join: DynamicLabel) {
        let source = source_number(source);
        dynasm!(self.ops ; .arch x64 ; cmp eax, 0x80 ; jae =>join ; mov [rbx + rax + CARTRIDGE_RAM], Rb(source));
    }
}
