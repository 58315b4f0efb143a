//! Operands: where they are read from and written to.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::Emitter;
use super::state::{A, Cold, ColdOperand, Crossing, number};
use crate::cartridge::Scheme;
use crate::translate::decode::{Instruction, Mode, Register};
use crate::translate::helpers;
use crate::translate::layout::Answer;
use crate::translate::offsets::{CARTRIDGE_RAM, RAM, SEGMENTS, ZERO_PAGE};

/// A value that has been read.
#[derive(Clone, Copy)]
pub(super) enum Value {
    Constant(u8),
    /// In the machine, so far from its beginning.
    At(i32),
    /// In ecx, with zeros above the byte.
    Ecx,
}

impl Emitter<'_> {
    fn image(&self, at: usize) -> i64 {
        self.layout.image.address(at) as i64
    }

    /// Reads the operand.
    pub(super) fn read(&mut self, instruction: &Instruction) -> Value {
        match instruction.mode {
            Mode::Immediate | Mode::Implied => Value::Constant(instruction.byte()),
            Mode::ZeroPage | Mode::Absolute => self.read_constant(instruction.operand, instruction.bus()),
            Mode::ZeroPageIndexed(index) => {
                let (label, join) = (self.ops.new_dynamic_label(), self.ops.new_dynamic_label());
                self.zero_page_address(instruction, index);
                dynasm!(self.ops
                    ; .arch x64
                    ; test al, al
                    ; jns =>label
                    ; movzx ecx, BYTE [rbx + rax + ZERO_PAGE]
                    ; =>join
                );
                self.cold.push(Cold::Operand(ColdOperand::ReadTia { label, join, moment: self.now, bus: instruction.byte() }));
                Value::Ecx
            }
            Mode::AbsoluteIndexed(index) => self.read_indexed(instruction, index),
            Mode::IndirectX => {
                self.pointer_behind_x(instruction);
                self.read_anywhere(Crossing::Never, None)
            }
            Mode::IndirectY => {
                let at = ZERO_PAGE + i32::from(instruction.byte());
                dynasm!(self.ops
                    ; .arch x64
                    ; movzx eax, WORD [rbx + at]
                    ; movzx edx, al
                    ; add edx, ebp
                    ; shr edx, 8
                    ; add eax, ebp
                );
                self.read_anywhere(Crossing::Edx, None)
            }
        }
    }

    fn read_constant(&mut self, address: u16, bus: u8) -> Value {
        match self.layout.answer(self.at, address) {
            Answer::Byte(byte) => Value::Constant(byte),
            Answer::Ram(at) => Value::At(RAM + i32::from(at)),
            Answer::CartridgeRam(at) => Value::At(CARTRIDGE_RAM + i32::from(at)),
            Answer::Slice(segment, offset) => {
                let image = self.image(usize::from(offset));
                let segment = SEGMENTS + 4 * i32::from(segment);
                dynasm!(self.ops
                    ; .arch x64
                    ; mov eax, [rbx + segment]
                    ; mov rcx, QWORD image
                    ; movzx ecx, BYTE [rcx + rax]
                );
                Value::Ecx
            }
            Answer::Riot if address & 7 == 4 || address & 7 == 6 => {
                self.call(helpers::read_timer);
                dynasm!(self.ops ; .arch x64 ; mov ecx, eax);
                Value::Ecx
            }
            Answer::Tia | Answer::Riot | Answer::Cartridge => {
                let what = i32::from(address) | i32::from(bus) << 16;
                dynasm!(self.ops ; .arch x64 ; mov edx, what);
                self.call(helpers::read);
                dynasm!(self.ops ; .arch x64 ; mov ecx, eax);
                Value::Ecx
            }
        }
    }

    /// Leaves an indexed address of the zero page in eax.
    pub(super) fn zero_page_address(&mut self, instruction: &Instruction, index: Register) {
        let index = number(index);
        dynasm!(self.ops ; .arch x64 ; mov eax, Rd(index) ; add al, BYTE instruction.byte() as i8);
    }

    /// Leaves an indexed address in eax; bits above the sixteenth do not count.
    pub(super) fn indexed_address(&mut self, instruction: &Instruction, index: Register) {
        let index = number(index);
        dynasm!(self.ops ; .arch x64 ; lea eax, [Rq(index) + i32::from(instruction.operand)]);
    }

    fn pointer_behind_x(&mut self, instruction: &Instruction) {
        let slow = self.slow();
        self.zero_page_address(instruction, Register::X);
        dynasm!(self.ops
            ; .arch x64
            ; lea ecx, [rax - 0x80]
            ; cmp ecx, 0x7e
            ; ja =>slow
            ; movzx eax, WORD [rbx + rax + ZERO_PAGE]
        );
    }

    fn read_indexed(&mut self, instruction: &Instruction, index: Register) -> Value {
        let base = instruction.operand;
        let register = number(index);
        let crossing = match base as u8 {
            0 => Crossing::Never,
            low => Crossing::From(register, 0_u8.wrapping_sub(low)),
        };
        if let Some((at, length)) = self.layout.run(self.at, base).filter(|(_, length)| *length > 16) {
            if length < 256 {
                let slow = self.slow();
                dynasm!(self.ops ; .arch x64 ; cmp Rd(register), i32::from(length) ; jae =>slow);
            }
            self.cross(crossing);
            let image = self.image(at);
            dynasm!(self.ops ; .arch x64 ; mov rcx, QWORD image ; movzx ecx, BYTE [rcx + Rq(register)]);
            return Value::Ecx;
        }
        self.indexed_address(instruction, index);
        self.read_anywhere(crossing, Some(instruction.bus()))
    }

    fn cross(&mut self, crossing: Crossing) {
        match crossing {
            Crossing::Never => (),
            Crossing::From(register, least) => {
                dynasm!(self.ops ; .arch x64 ; cmp Rb(register), BYTE least as i8 ; sbb r12d, -1);
            }
            Crossing::Edx => dynasm!(self.ops ; .arch x64 ; add r12d, edx),
        }
    }

    /// Reads the byte at eax.
    fn read_anywhere(&mut self, crossing: Crossing, bus: Option<u8>) -> Value {
        let slow = self.slow();
        let (label, join) = (self.ops.new_dynamic_label(), self.ops.new_dynamic_label());
        dynasm!(self.ops ; .arch x64 ; test eax, 0x1000 ; jz =>label);
        self.image_offset(slow, join, crossing);
        let base = match self.layout.scheme {
            Scheme::F8 | Scheme::F8Sc | Scheme::F6 | Scheme::F6Sc | Scheme::Dpc => usize::from(self.at.view) * 0x1000,
            _ => 0,
        };
        let image = self.image(base);
        dynasm!(self.ops ; .arch x64 ; mov rcx, QWORD image ; movzx ecx, BYTE [rcx + rax]);
        self.cross(crossing);
        dynasm!(self.ops ; .arch x64 ; =>join);
        let cold = ColdOperand::ReadElsewhere { label, join, moment: self.now, bus, crossing, slow };
        self.cold.push(Cold::Operand(cold));
        Value::Ecx
    }

    /// Turns the address of the cartridge in eax into an offset into the image, or its bank.
    fn image_offset(&mut self, slow: DynamicLabel, join: DynamicLabel, crossing: Crossing) {
        let (from, to) = self.layout.plain;
        match self.layout.scheme {
            Scheme::TwoK => dynasm!(self.ops ; .arch x64 ; and eax, 0x7ff),
            Scheme::FourK => dynasm!(self.ops ; .arch x64 ; and eax, 0xfff),
            Scheme::Fe => dynasm!(self.ops
                ; .arch x64
                ; mov ecx, eax
                ; not ecx
                ; shr ecx, 1
                ; and ecx, 0x1000
                ; and eax, 0xfff
                ; or eax, ecx
            ),
            Scheme::F8 | Scheme::F6 => {
                dynasm!(self.ops ; .arch x64 ; and eax, 0xfff ; cmp eax, i32::from(to) ; jae =>slow);
            }
            Scheme::F8Sc | Scheme::F6Sc => {
                dynasm!(self.ops
                    ; .arch x64
                    ; and eax, 0xfff
                    ; cmp eax, i32::from(to)
                    ; jae =>slow
                    ; lea ecx, [rax - 0x80]
                    ; cmp ecx, 0x80
                    ; jae >image
                    ; movzx ecx, BYTE [rbx + rax + CARTRIDGE_RAM - 0x80]
                );
                self.cross(crossing);
                dynasm!(self.ops ; .arch x64 ; jmp =>join ; image: ; cmp eax, 0x80 ; jb =>slow);
            }
            Scheme::Dpc => {
                dynasm!(self.ops
                    ; .arch x64
                    ; and eax, 0xfff
                    ; lea ecx, [rax - i32::from(from)]
                    ; cmp ecx, i32::from(to - from)
                    ; jae =>slow
                );
            }
            Scheme::E0 => {
                dynasm!(self.ops
                    ; .arch x64
                    ; and eax, 0xfff
                    ; cmp eax, i32::from(to)
                    ; jae =>slow
                    ; mov ecx, eax
                    ; shr ecx, 10
                    ; mov ecx, [rbx + rcx * 4 + SEGMENTS]
                    ; and eax, 0x3ff
                    ; add eax, ecx
                );
            }
        }
    }

    /// Writes a register's byte. In the address's calculation eax and ecx are used up.
    pub(super) fn write(&mut self, instruction: &Instruction, source: u8) {
        match instruction.mode {
            Mode::ZeroPage | Mode::Absolute => self.write_constant(instruction.operand, source),
            Mode::ZeroPageIndexed(index) => {
                let slow = self.slow();
                let (label, join) = (self.ops.new_dynamic_label(), self.ops.new_dynamic_label());
                self.zero_page_address(instruction, index);
                dynasm!(self.ops
                    ; .arch x64
                    ; test al, al
                    ; jns =>label
                    ; mov [rbx + rax + ZERO_PAGE], Rb(source)
                    ; =>join
                );
                self.cold.push(Cold::Operand(ColdOperand::WriteTia { label, join, moment: self.now, source, slow }));
            }
            Mode::AbsoluteIndexed(index) => {
                self.indexed_address(instruction, index);
                self.write_anywhere(source);
            }
            Mode::IndirectX => {
                self.pointer_behind_x(instruction);
                self.write_anywhere(source);
            }
            Mode::IndirectY => {
                let at = ZERO_PAGE + i32::from(instruction.byte());
                dynasm!(self.ops ; .arch x64 ; movzx eax, WORD [rbx + at] ; add eax, ebp);
                self.write_anywhere(source);
            }
            Mode::Immediate | Mode::Implied => (),
        }
    }

    fn write_constant(&mut self, address: u16, source: u8) {
        let is_effective = self.layout.scheme == Scheme::Dpc;
        match self.layout.answer(self.at, address) {
            Answer::Ram(at) => dynasm!(self.ops ; .arch x64 ; mov [rbx + RAM + i32::from(at)], Rb(source)),
            Answer::Tia => self.write_tia(address & 0x3f, source),
            Answer::Byte(_) | Answer::Slice(..) | Answer::CartridgeRam(_) if !is_effective => (),
            _ => {
                dynasm!(self.ops ; .arch x64 ; mov edx, Rd(source) ; shl edx, 16 ; or edx, i32::from(address));
                self.call(helpers::store);
            }
        }
    }

    fn write_tia(&mut self, register: u16, source: u8) {
        let slow = self.slow();
        self.check_frame(slow);
        let helper = helpers::write_to(register);
        dynasm!(self.ops
            ; .arch x64
            ; mov rdi, rbx
            ; mov edx, Rd(source)
            ; mov rax, QWORD helper as usize as i64
            ; call rax
        );
        if register == 0x02 {
            // WSYNC has halted the processor.
            dynasm!(self.ops ; .arch x64 ; mov r12d, eax);
            self.now.cycles = 0;
        }
    }

    fn write_anywhere(&mut self, source: u8) {
        let slow = self.slow();
        let (label, join) = (self.ops.new_dynamic_label(), self.ops.new_dynamic_label());
        dynasm!(self.ops
            ; .arch x64
            ; mov ecx, eax
            ; and ecx, 0x1280
            ; cmp ecx, 0x80
            ; jne =>label
            ; and eax, 0x7f
            ; mov [rbx + rax + RAM], Rb(source)
            ; =>join
        );
        self.cold.push(Cold::Operand(ColdOperand::WriteElsewhere { label, join, moment: self.now, source, slow }));
    }

    pub(super) fn cold_operand(&mut self, cold: ColdOperand) {
        match cold {
            ColdOperand::ReadTia { label, join, moment, bus } => {
                self.now = moment;
                dynasm!(self.ops ; .arch x64 ; =>label ; mov edx, eax ; or edx, i32::from(bus) << 16);
                self.call(helpers::read);
                dynasm!(self.ops ; .arch x64 ; mov ecx, eax ; jmp =>join);
            }
            ColdOperand::ReadElsewhere { label, join, moment, bus, crossing, slow } => {
                self.now = moment;
                dynasm!(self.ops ; .arch x64 ; =>label ; mov ecx, eax ; and ecx, 0x280 ; cmp ecx, 0x80);
                match bus {
                    None => dynasm!(self.ops ; .arch x64 ; jne =>slow),
                    Some(_) => dynasm!(self.ops ; .arch x64 ; jne >chip),
                }
                dynasm!(self.ops ; .arch x64 ; and eax, 0x7f ; movzx ecx, BYTE [rbx + rax + RAM]);
                self.cross(crossing);
                dynasm!(self.ops ; .arch x64 ; jmp =>join);
                if let Some(bus) = bus {
                    dynasm!(self.ops ; .arch x64 ; chip:);
                    self.cross(crossing);
                    dynasm!(self.ops ; .arch x64 ; movzx edx, ax ; or edx, i32::from(bus) << 16);
                    self.call(helpers::read);
                    dynasm!(self.ops ; .arch x64 ; mov ecx, eax ; jmp =>join);
                }
            }
            ColdOperand::WriteTia { label, join, moment, source, slow } => {
                self.now = moment;
                dynasm!(self.ops ; .arch x64 ; =>label);
                self.write_tia_at_eax(source, slow);
                dynasm!(self.ops ; .arch x64 ; jmp =>join);
            }
            ColdOperand::WriteElsewhere { label, join, moment, source, slow } => {
                self.now = moment;
                self.write_elsewhere(label, join, source, slow);
            }
            ColdOperand::Push { label, join, moment, slow } => {
                self.now = moment;
                dynasm!(self.ops ; .arch x64 ; =>label);
                self.write_tia_at_eax(A, slow);
                dynasm!(self.ops ; .arch x64 ; jmp =>join);
            }
            ColdOperand::Pull { label, join, moment } => {
                self.now = moment;
                dynasm!(self.ops ; .arch x64 ; =>label ; mov edx, PULL);
                self.call(helpers::pull);
                dynasm!(self.ops ; .arch x64 ; mov r14d, eax ; jmp =>join);
            }
        }
    }

    /// Writes a register's byte to the TIA at eax, unless that has to be the interpreter's business. Time goes on where it is WSYNC.
    fn write_tia_at_eax(&mut self, source: u8, slow: DynamicLabel) {
        let cycles = self.now.cycles as i32;
        dynasm!(self.ops ; .arch x64 ; test eax, 0x3f ; jz =>slow);
        self.check_frame(slow);
        dynasm!(self.ops ; .arch x64 ; mov edx, Rd(source) ; shl edx, 16 ; movzx eax, ax ; or edx, eax);
        self.call(helpers::write_any);
        dynasm!(self.ops ; .arch x64 ; lea r12d, [rax - cycles]);
    }

    fn write_elsewhere(&mut self, label: DynamicLabel, join: DynamicLabel, source: u8, slow: DynamicLabel) {
        let (from, to) = self.layout.plain;
        dynasm!(self.ops ; .arch x64 ; =>label ; test eax, 0x1000 ; jnz >cartridge ; test eax, 0x80 ; jnz =>slow);
        self.write_tia_at_eax(source, slow);
        dynasm!(self.ops ; .arch x64 ; jmp =>join ; cartridge:);
        if self.layout.scheme == Scheme::Dpc {
            dynasm!(self.ops ; .arch x64 ; jmp =>slow);
            return;
        }
        if to < 0x1000 {
            dynasm!(self.ops ; .arch x64 ; and eax, 0xfff ; cmp eax, i32::from(to) ; jae =>slow);
        }
        if from > 0 {
            dynasm!(self.ops
                ; .arch x64
                ; cmp eax, 0x80
                ; jae =>join
                ; mov [rbx + rax + CARTRIDGE_RAM], Rb(source)
            );
        }
        dynasm!(self.ops ; .arch x64 ; jmp =>join);
    }
}

/// The opcode of `PLA`, which the data bus sees before it reads.
const PULL: i32 = 0x68;
