//! Operands: where they are read from and written to.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::Emitter;
use super::state::{A, Cold, ColdOperand, Crossing, number};
use crate::cartridge::Scheme;
use crate::translate::decode::{Instruction, Mode, Register};
use crate::translate::helpers;
use crate::translate::layout::Answer;
use crate::translate::offsets::{CARTRIDGE_RAM, RAM, SEGMENTS, SP};

/// A value that has been read.
#[derive(Clone, Copy)]
pub(super) enum Value {
    Constant(u8),
    /// In the machine, so far from its beginning.
    At(i32),
    /// In w9, with zeros above the byte.
    W9,
}

impl Emitter<'_> {
    fn image(&self, at: usize) -> u64 {
        self.layout.image.address(at) as u64
    }

    /// A number of 32 bits in a register.
    fn constant(&mut self, register: u8, value: u32) {
        dynasm!(self.ops ; .arch aarch64 ; movz W(register), value & 0xffff);
        if value >> 16 != 0 {
            dynasm!(self.ops ; .arch aarch64 ; movk W(register), value >> 16, lsl 16);
        }
    }

    /// Reads the operand into w9.
    pub(super) fn read_byte(&mut self, instruction: &Instruction) {
        match self.read(instruction) {
            Value::Constant(byte) => dynasm!(self.ops ; .arch aarch64 ; movz w9, u32::from(byte)),
            Value::At(at) => dynasm!(self.ops ; .arch aarch64 ; ldrb w9, [x19, at as u32]),
            Value::W9 => (),
        }
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
                    ; .arch aarch64
                    ; tbz w8, 7, =>label
                    ; ldrb w9, [x20, x8]
                    ; =>join
                );
                self.cold.push(Cold::Operand(ColdOperand::ReadTia { label, join, moment: self.now, bus: instruction.byte() }));
                Value::W9
            }
            Mode::AbsoluteIndexed(index) => self.read_indexed(instruction, index),
            Mode::IndirectX => {
                self.pointer_behind_x(instruction);
                self.read_anywhere(Crossing::Never, None)
            }
            Mode::IndirectY => {
                self.pointer(instruction);
                dynasm!(self.ops
                    ; .arch aarch64
                    ; and w10, w8, 0xff
                    ; add w10, w10, w25
                    ; lsr w10, w10, 8
                    ; add w8, w8, w25
                );
                self.read_anywhere(Crossing::W10, None)
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
                self.address(9, image);
                dynasm!(self.ops
                    ; .arch aarch64
                    ; ldr w8, [x19, segment as u32]
                    ; ldrb w9, [x9, x8]
                );
                Value::W9
            }
            Answer::Riot if address & 7 == 4 || address & 7 == 6 => {
                self.call(helpers::read_timer);
                dynasm!(self.ops ; .arch aarch64 ; mov w9, w0);
                Value::W9
            }
            Answer::Tia | Answer::Riot | Answer::Cartridge => {
                self.constant(2, u32::from(address) | u32::from(bus) << 16);
                self.call(helpers::read);
                dynasm!(self.ops ; .arch aarch64 ; mov w9, w0);
                Value::W9
            }
        }
    }

    /// Leaves an indexed address of the zero page in w8.
    pub(super) fn zero_page_address(&mut self, instruction: &Instruction, index: Register) {
        let index = number(index);
        dynasm!(self.ops ; .arch aarch64 ; add w8, WSP(index), u32::from(instruction.byte()) ; uxtb w8, w8);
    }

    /// Leaves an indexed address in w8; bits above the sixteenth do not count.
    pub(super) fn indexed_address(&mut self, instruction: &Instruction, index: Register) {
        let index = number(index);
        dynasm!(self.ops ; .arch aarch64 ; movz w8, u32::from(instruction.operand) ; add w8, w8, W(index));
    }

    /// Leaves the pointer in the zero page in w8. Blocks have none that is not in memory.
    fn pointer(&mut self, instruction: &Instruction) {
        dynasm!(self.ops ; .arch aarch64 ; add x8, x20, u32::from(instruction.byte()) ; ldrh w8, [x8]);
    }

    fn pointer_behind_x(&mut self, instruction: &Instruction) {
        let slow = self.slow();
        self.zero_page_address(instruction, Register::X);
        dynasm!(self.ops
            ; .arch aarch64
            ; sub w9, w8, 0x80
            ; cmp w9, 0x7e
            ; b.hi =>slow
            ; ldrh w8, [x20, x8]
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
                dynasm!(self.ops ; .arch aarch64 ; cmp WSP(register), u32::from(length) ; b.hs =>slow);
            }
            self.cross(crossing);
            let image = self.image(at);
            self.address(9, image);
            dynasm!(self.ops ; .arch aarch64 ; ldrb w9, [x9, X(register)]);
            return Value::W9;
        }
        self.indexed_address(instruction, index);
        self.read_anywhere(crossing, Some(instruction.bus()))
    }

    fn cross(&mut self, crossing: Crossing) {
        match crossing {
            Crossing::Never => (),
            Crossing::From(register, least) => {
                dynasm!(self.ops ; .arch aarch64 ; cmp WSP(register), u32::from(least) ; cinc w21, w21, hs);
            }
            Crossing::W10 => dynasm!(self.ops ; .arch aarch64 ; add w21, w21, w10),
        }
    }

    /// Reads the byte at w8.
    fn read_anywhere(&mut self, crossing: Crossing, bus: Option<u8>) -> Value {
        let slow = self.slow();
        let (label, join) = (self.ops.new_dynamic_label(), self.ops.new_dynamic_label());
        dynasm!(self.ops ; .arch aarch64 ; tbz w8, 12, =>label);
        self.image_offset(slow, join, crossing);
        let base = match self.layout.scheme {
            Scheme::F8 | Scheme::F8Sc | Scheme::F6 | Scheme::F6Sc | Scheme::Dpc => usize::from(self.at.view) * 0x1000,
            _ => 0,
        };
        let image = self.image(base);
        self.address(9, image);
        dynasm!(self.ops ; .arch aarch64 ; ldrb w9, [x9, x8]);
        self.cross(crossing);
        dynasm!(self.ops ; .arch aarch64 ; =>join);
        let cold = ColdOperand::ReadElsewhere { label, join, moment: self.now, bus, crossing, slow };
        self.cold.push(Cold::Operand(cold));
        Value::W9
    }

    /// Turns the address of the cartridge in w8 into an offset into the image, or its bank.
    fn image_offset(&mut self, slow: DynamicLabel, join: DynamicLabel, crossing: Crossing) {
        let (from, to) = (u32::from(self.layout.plain.0), u32::from(self.layout.plain.1));
        match self.layout.scheme {
            Scheme::TwoK => dynasm!(self.ops ; .arch aarch64 ; and w8, w8, 0x7ff),
            Scheme::FourK => dynasm!(self.ops ; .arch aarch64 ; and w8, w8, 0xfff),
            Scheme::Fe => dynasm!(self.ops
                ; .arch aarch64
                ; mvn w9, w8
                ; lsr w9, w9, 1
                ; and w9, w9, 0x1000
                ; and w8, w8, 0xfff
                ; orr w8, w8, w9
            ),
            Scheme::F8 | Scheme::F6 => {
                self.plain_offset(to, slow);
            }
            Scheme::F8Sc | Scheme::F6Sc => {
                self.plain_offset(to, slow);
                dynasm!(self.ops
                    ; .arch aarch64
                    ; sub w9, w8, 0x80
                    ; cmp w9, 0x80
                    ; b.hs >image
                    ; add x11, x19, CARTRIDGE_RAM as u32
                    ; ldrb w9, [x11, x9]
                );
                self.cross(crossing);
                dynasm!(self.ops ; .arch aarch64 ; b =>join ; image: ; cmp w8, 0x80 ; b.lo =>slow);
            }
            Scheme::Dpc => {
                dynasm!(self.ops
                    ; .arch aarch64
                    ; and w8, w8, 0xfff
                    ; sub w9, w8, from
                    ; movz w11, to - from
                    ; cmp w9, w11
                    ; b.hs =>slow
                );
            }
            Scheme::E0 => {
                self.plain_offset(to, slow);
                dynasm!(self.ops
                    ; .arch aarch64
                    ; lsr w9, w8, 10
                    ; add x11, x19, SEGMENTS as u32
                    ; ldr w9, [x11, x9, lsl 2]
                    ; and w8, w8, 0x3ff
                    ; add w8, w8, w9
                );
            }
        }
    }

    /// Turns the address of the cartridge in w8 into one of 4,096, less than `to`.
    fn plain_offset(&mut self, to: u32, slow: DynamicLabel) {
        dynasm!(self.ops ; .arch aarch64 ; and w8, w8, 0xfff ; movz w11, to ; cmp w8, w11 ; b.hs =>slow);
    }

    /// Writes a register's byte. In the address's calculation w8, w9 and w11 are used up.
    pub(super) fn write(&mut self, instruction: &Instruction, source: u8) {
        match instruction.mode {
            Mode::ZeroPage | Mode::Absolute => self.write_constant(instruction.operand, source),
            Mode::ZeroPageIndexed(index) => {
                let slow = self.slow();
                let (label, join) = (self.ops.new_dynamic_label(), self.ops.new_dynamic_label());
                self.zero_page_address(instruction, index);
                dynasm!(self.ops
                    ; .arch aarch64
                    ; tbz w8, 7, =>label
                    ; strb W(source), [x20, x8]
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
                self.pointer(instruction);
                dynasm!(self.ops ; .arch aarch64 ; add w8, w8, w25);
                self.write_anywhere(source);
            }
            Mode::Immediate | Mode::Implied => (),
        }
    }

    fn write_constant(&mut self, address: u16, source: u8) {
        let is_effective = self.layout.scheme == Scheme::Dpc;
        match self.layout.answer(self.at, address) {
            Answer::Ram(at) => dynasm!(self.ops ; .arch aarch64 ; strb W(source), [x19, RAM as u32 + u32::from(at)]),
            Answer::Tia => self.write_tia(address & 0x3f, source),
            Answer::Byte(_) | Answer::Slice(..) | Answer::CartridgeRam(_) if !is_effective => (),
            _ => {
                dynasm!(self.ops ; .arch aarch64 ; movz w2, u32::from(address) ; orr w2, w2, W(source), lsl 16);
                self.call(helpers::store);
            }
        }
    }

    fn write_tia(&mut self, register: u16, source: u8) {
        let slow = self.slow();
        self.check_frame(slow);
        let helper = helpers::write_to(register);
        self.address(16, helper as usize as u64);
        dynasm!(self.ops ; .arch aarch64 ; mov x0, x19 ; mov w2, W(source) ; blr x16);
        if register == 0x02 {
            // WSYNC has halted the processor.
            dynasm!(self.ops ; .arch aarch64 ; mov w21, w0);
            self.now.cycles = 0;
        }
    }

    /// Compares the address in w8 with those of memory.
    pub(super) fn compare_with_memory(&mut self) {
        dynasm!(self.ops ; .arch aarch64 ; movz w11, 0x1280 ; and w9, w8, w11 ; cmp w9, 0x80);
    }

    fn write_anywhere(&mut self, source: u8) {
        let slow = self.slow();
        let (label, join) = (self.ops.new_dynamic_label(), self.ops.new_dynamic_label());
        self.compare_with_memory();
        dynasm!(self.ops
            ; .arch aarch64
            ; b.ne =>label
            ; and w8, w8, 0xff
            ; strb W(source), [x20, x8]
            ; =>join
        );
        self.cold.push(Cold::Operand(ColdOperand::WriteElsewhere { label, join, moment: self.now, source, slow }));
    }

    pub(super) fn cold_operand(&mut self, cold: ColdOperand) {
        match cold {
            ColdOperand::ReadTia { label, join, moment, bus } => {
                self.now = moment;
                dynasm!(self.ops ; .arch aarch64 ; =>label);
                self.read_chip(bus);
                dynasm!(self.ops ; .arch aarch64 ; b =>join);
            }
            ColdOperand::ReadElsewhere { label, join, moment, bus, crossing, slow } => {
                self.now = moment;
                dynasm!(self.ops ; .arch aarch64 ; =>label ; movz w11, 0x280 ; and w9, w8, w11 ; cmp w9, 0x80);
                match bus {
                    None => dynasm!(self.ops ; .arch aarch64 ; b.ne =>slow),
                    Some(_) => dynasm!(self.ops ; .arch aarch64 ; b.ne >chip),
                }
                dynasm!(self.ops ; .arch aarch64 ; and w8, w8, 0xff ; ldrb w9, [x20, x8]);
                self.cross(crossing);
                dynasm!(self.ops ; .arch aarch64 ; b =>join);
                if let Some(bus) = bus {
                    dynasm!(self.ops ; .arch aarch64 ; chip:);
                    self.cross(crossing);
                    self.read_chip(bus);
                    dynasm!(self.ops ; .arch aarch64 ; b =>join);
                }
            }
            ColdOperand::WriteTia { label, join, moment, source, slow } => {
                self.now = moment;
                dynasm!(self.ops ; .arch aarch64 ; =>label);
                self.write_tia_at_w8(source, slow);
                dynasm!(self.ops ; .arch aarch64 ; b =>join);
            }
            ColdOperand::WriteElsewhere { label, join, moment, source, slow } => {
                self.now = moment;
                self.write_elsewhere(label, join, source, slow);
            }
            ColdOperand::Push { label, join, moment, slow } => {
                self.now = moment;
                dynasm!(self.ops ; .arch aarch64 ; =>label);
                self.write_tia_at_w8(A, slow);
                dynasm!(self.ops ; .arch aarch64 ; ldrb w8, [x19, SP as u32] ; b =>join);
            }
            ColdOperand::Pull { label, join, moment } => {
                self.now = moment;
                dynasm!(self.ops ; .arch aarch64 ; =>label ; movz w2, PULL);
                self.call(helpers::pull);
                dynasm!(self.ops ; .arch aarch64 ; mov w23, w0 ; b =>join);
            }
        }
    }

    /// Reads the byte of a chip at w8 into w9, with this on the bus.
    fn read_chip(&mut self, bus: u8) {
        dynasm!(self.ops ; .arch aarch64 ; and w2, w8, 0xffff ; movk w2, u32::from(bus), lsl 16);
        self.call(helpers::read);
        dynasm!(self.ops ; .arch aarch64 ; mov w9, w0);
    }

    /// Writes a register's byte to the TIA at w8, unless that has to be the interpreter's business. Time goes on where it is WSYNC.
    fn write_tia_at_w8(&mut self, source: u8, slow: DynamicLabel) {
        let cycles = self.now.cycles;
        dynasm!(self.ops ; .arch aarch64 ; tst w8, 0x3f ; b.eq =>slow);
        self.check_frame(slow);
        dynasm!(self.ops ; .arch aarch64 ; and w2, w8, 0xffff ; orr w2, w2, W(source), lsl 16);
        self.call(helpers::write_any);
        dynasm!(self.ops ; .arch aarch64 ; sub w21, w0, cycles);
    }

    fn write_elsewhere(&mut self, label: DynamicLabel, join: DynamicLabel, source: u8, slow: DynamicLabel) {
        let (from, to) = self.layout.plain;
        dynasm!(self.ops ; .arch aarch64 ; =>label ; tbnz w8, 12, >cartridge ; tbnz w8, 7, =>slow);
        self.write_tia_at_w8(source, slow);
        dynasm!(self.ops ; .arch aarch64 ; b =>join ; cartridge:);
        if self.layout.scheme == Scheme::Dpc {
            dynasm!(self.ops ; .arch aarch64 ; b =>slow);
            return;
        }
        if to < 0x1000 {
            self.plain_offset(u32::from(to), slow);
        }
        if from > 0 {
            dynasm!(self.ops
                ; .arch aarch64
                ; cmp w8, 0x80
                ; b.hs =>join
                ; add x11, x19, CARTRIDGE_RAM as u32
                ; strb W(source), [x11, x8]
            );
        }
        dynasm!(self.ops ; .arch aarch64 ; b =>join);
    }
}

/// The opcode of `PLA`, which the data bus sees before it reads.
const PULL: u32 = 0x68;
