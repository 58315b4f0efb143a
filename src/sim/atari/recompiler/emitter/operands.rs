//! Emits the code of reads and writes of operands.

use dynasmrt::DynamicLabel;

use super::{Emitter, OutOfLineOperand};
use crate::cartridge::BankSwitching;
use crate::recompiler::assembler::{Assembler, PageCross, Source, Value};
use crate::recompiler::decode::{AddressingMode, Instruction, Register};
use crate::recompiler::emit_state::EmitState;
use crate::recompiler::helpers::{self, Helper};
use crate::recompiler::memory_map::Device;
use crate::recompiler::offsets::{CARTRIDGE_RAM, RAM, SEGMENTS};

/// Opcode of `PLA`. It is the last byte on the data bus before the instruction's first read.
const PULL: u32 = 0x68;
/// TIA register that halts the processor until the end of a line.
const WSYNC: u16 = 0x02;

impl<H: Assembler> Emitter<'_, H> {
    fn image(&self, at: usize) -> u64 {
        self.links.image(&self.memory_map.image, at)
    }

    /// Emits code that reads an instruction's operand.
    pub(super) fn read(&mut self, instruction: &Instruction) -> Value {
        match instruction.mode {
            AddressingMode::Immediate | AddressingMode::Implied => Value::Constant(instruction.byte()),
            AddressingMode::ZeroPage | AddressingMode::Absolute => self.read_constant(instruction.operand, instruction.bus()),
            AddressingMode::ZeroPageIndexed(index) => {
                let (label, join) = (self.host.label(), self.host.label());
                self.host.zero_page_address(instruction.byte(), index);
                self.host.read_zero_page(label);
                self.host.bind(join);
                self.defer_operand(label, OutOfLineOperand::ReadTia { join, bus: instruction.byte() });
                Value::Read
            }
            AddressingMode::AbsoluteIndexed(index) => self.read_indexed(instruction, index),
            AddressingMode::IndirectX => {
                self.pointer_behind_x(instruction);
                self.read_anywhere(PageCross::Never, None)
            }
            AddressingMode::IndirectY => {
                self.host.pointer_and_crossing(instruction.byte());
                self.read_anywhere(PageCross::Computed, None)
            }
        }
    }

    fn read_constant(&mut self, address: u16, bus: u8) -> Value {
        match self.memory_map.device(self.at, address) {
            Device::Byte(byte) => return Value::Constant(byte),
            Device::Ram(at) => return Value::At(RAM + i32::from(at)),
            Device::CartridgeRam(at) => return Value::At(CARTRIDGE_RAM + i32::from(at)),
            Device::Slice(segment, offset) => {
                let image = self.image(usize::from(offset));
                self.host.read_slice(SEGMENTS + 4 * i32::from(segment), image);
            }
            Device::Riot if address & 7 == 4 || address & 7 == 6 => {
                self.call(helpers::read_timer);
                self.host.result_to_value();
            }
            Device::Tia => {
                self.host.argument(u32::from(bus));
                self.call(helpers::read_from(address));
                self.host.result_to_value();
            }
            Device::Riot | Device::Cartridge => {
                self.host.argument(u32::from(address) | u32::from(bus) << 16);
                self.call(helpers::read);
                self.host.result_to_value();
            }
        }
        Value::Read
    }

    fn pointer_behind_x(&mut self, instruction: &Instruction) {
        let slow = self.slow_exit();
        self.host.zero_page_address(instruction.byte(), Register::X);
        self.host.pointer(slow);
    }

    fn read_indexed(&mut self, instruction: &Instruction, index: Register) -> Value {
        let base = instruction.operand;
        let crossing = match base as u8 {
            0 => PageCross::Never,
            low => PageCross::From(index, 0_u8.wrapping_sub(low)),
        };
        if let Some((at, length)) = self.memory_map.contiguous_run(self.at, base).filter(|(_, length)| *length > 16) {
            if length < 256 {
                let slow = self.slow_exit();
                self.host.check_index(index, length, slow);
            }
            self.host.cross(crossing);
            let image = self.image(at);
            self.host.read_run(image, index);
            return Value::Read;
        }
        self.host.indexed_address(base, index);
        self.read_anywhere(crossing, Some(instruction.bus()))
    }

    /// Emits code that reads the byte at the address in the host's address register.
    fn read_anywhere(&mut self, crossing: PageCross, bus: Option<u8>) -> Value {
        let slow = self.slow_exit();
        let (label, join) = (self.host.label(), self.host.label());
        self.host.jump_unless_cartridge(label);
        self.image_offset(slow, join, crossing);
        let base = match self.memory_map.scheme {
            BankSwitching::F8 | BankSwitching::F8Sc | BankSwitching::F6 | BankSwitching::F6Sc | BankSwitching::Dpc => {
                usize::from(self.at.view) * 0x1000
            }
            _ => 0,
        };
        let image = self.image(base);
        self.host.read_image(image);
        self.host.cross(crossing);
        self.host.bind(join);
        self.defer_operand(label, OutOfLineOperand::ReadElsewhere { join, bus, crossing, slow });
        Value::Read
    }

    /// Emits code that replaces the cartridge address in the host's address register by the offset of its byte in the image or
    /// in the selected bank.
    fn image_offset(&mut self, slow: DynamicLabel, join: DynamicLabel, crossing: PageCross) {
        let (from, to) = self.memory_map.side_effect_free;
        match self.memory_map.scheme {
            BankSwitching::TwoK => self.host.offset_of_two_k(),
            BankSwitching::FourK => self.host.offset_of_four_k(),
            BankSwitching::Fe => self.host.offset_of_fe(),
            BankSwitching::F8 | BankSwitching::F6 => self.host.checked_offset(to, slow),
            BankSwitching::F8Sc | BankSwitching::F6Sc => {
                let image = self.host.label();
                self.host.checked_offset(to, slow);
                self.host.read_cartridge_ram(image);
                self.host.cross(crossing);
                self.host.jump(join);
                self.host.bind(image);
                self.host.check_written(slow);
            }
            BankSwitching::Dpc => self.host.offset_of_dpc(from, to, slow),
            BankSwitching::E0 => {
                self.host.checked_offset(to, slow);
                self.host.slice_offset();
            }
        }
    }

    /// Emits code that writes a byte to an instruction's operand.
    pub(super) fn write(&mut self, instruction: &Instruction, source: Source) {
        match instruction.mode {
            AddressingMode::ZeroPage | AddressingMode::Absolute => self.write_constant(instruction.operand, source),
            AddressingMode::ZeroPageIndexed(index) => {
                let slow = self.slow_exit();
                let (label, join) = (self.host.label(), self.host.label());
                self.host.zero_page_address(instruction.byte(), index);
                self.host.write_zero_page(source, label);
                self.host.bind(join);
                self.defer_operand(label, OutOfLineOperand::WriteTia { join, source, slow });
            }
            AddressingMode::AbsoluteIndexed(index) => {
                self.host.indexed_address(instruction.operand, index);
                self.write_anywhere(source);
            }
            AddressingMode::IndirectX => {
                self.pointer_behind_x(instruction);
                self.write_anywhere(source);
            }
            AddressingMode::IndirectY => {
                self.host.pointer_plus_y(instruction.byte());
                self.write_anywhere(source);
            }
            AddressingMode::Immediate | AddressingMode::Implied => (),
        }
    }

    fn write_constant(&mut self, address: u16, source: Source) {
        let is_effective = self.memory_map.scheme == BankSwitching::Dpc;
        match self.memory_map.device(self.at, address) {
            Device::Ram(at) => self.host.write_ram(at, source),
            Device::Tia => self.write_tia(address & 0x3f, source),
            Device::Byte(_) | Device::Slice(..) | Device::CartridgeRam(_) if !is_effective => (),
            _ => {
                self.host.argument_with(address, source);
                self.call(helpers::store);
            }
        }
    }

    fn write_tia(&mut self, register: u16, source: Source) {
        match self.unchecked_cycles.take() {
            Some(later) => {
                let slow = self.slow_exit();
                self.host.check_frame(self.now.cycles, later, slow);
            }
            None => self.host.write_cycle(self.now.cycles),
        }
        let (label, join) = (self.host.label(), self.host.label());
        if !self.host.write_register(register, source, label) {
            return self.call_write(register, source);
        }
        self.host.bind(join);
        self.defer_operand(label, OutOfLineOperand::WriteRegister { join, register, source });
        if register == WSYNC {
            self.now.cycles = 0;
        }
    }

    /// Emits a call of the helper that writes a TIA register.
    fn call_write(&mut self, register: u16, source: Source) {
        let helper = self.links.helper(helpers::write_to(register));
        self.host.call_with(helper, source);
        if register == WSYNC {
            // A write to WSYNC halts the processor, so the new cycle count is the result of the helper.
            self.host.result_to_cycles();
            self.now.cycles = 0;
        }
    }

    fn write_anywhere(&mut self, source: Source) {
        let slow = self.slow_exit();
        let (label, join) = (self.host.label(), self.host.label());
        self.host.write_memory(source, label);
        self.host.bind(join);
        self.defer_operand(label, OutOfLineOperand::WriteElsewhere { join, source, slow });
    }

    pub(super) fn cold_operand(&mut self, label: DynamicLabel, moment: EmitState, operand: OutOfLineOperand) {
        self.now = moment;
        self.host.bind(label);
        match operand {
            OutOfLineOperand::ReadTia { join, bus } => {
                self.host.argument_at(bus, true);
                self.read_chip(join, helpers::read_tia);
            }
            OutOfLineOperand::ReadElsewhere { join, bus, crossing, slow } => {
                let elsewhere = self.host.label();
                self.host.read_memory(elsewhere);
                self.host.cross(crossing);
                self.host.jump(join);
                self.host.bind(elsewhere);
                if bus.is_none() {
                    // The RIOT drives all bits of the bus, so the last byte does not matter.
                    let riot = self.host.label();
                    self.host.jump_unless_tia(slow, riot);
                    match crossing {
                        // The address is the pointer itself, without Y.
                        PageCross::Never => {
                            self.host.argument_at_pointer();
                            self.read_chip(join, helpers::read);
                        }
                        _ => self.host.jump(slow),
                    }
                    self.host.bind(riot);
                }
                self.host.cross(crossing);
                self.host.argument_at(bus.unwrap_or_default(), false);
                self.read_chip(join, helpers::read);
            }
            OutOfLineOperand::WriteRegister { join, register, source } => {
                self.call_write(register, source);
                self.host.jump(join);
            }
            OutOfLineOperand::WriteTia { join, source, slow } => {
                self.write_tia_at_address(source, slow);
                self.host.jump(join);
            }
            OutOfLineOperand::WriteElsewhere { join, source, slow } => self.write_elsewhere(join, source, slow),
            OutOfLineOperand::Push { join, slow } => {
                self.write_tia_at_address(Source::Register(Register::A), slow);
                self.host.reload_stack();
                self.host.jump(join);
            }
            OutOfLineOperand::Pull { join } => {
                self.host.argument(PULL);
                self.call(helpers::pull);
                self.host.result_to_a();
                self.host.jump(join);
            }
        }
    }

    /// Emits code that reads a byte by a helper, and jumps to `join`.
    fn read_chip(&mut self, join: DynamicLabel, helper: Helper) {
        self.call(helper);
        self.host.result_to_value();
        self.host.jump(join);
    }

    /// Emits code that writes the TIA at the address in the host's address register. For a write to VSYNC, and near the end of
    /// the frame, the code takes the slow exit to the interpreter. For a write to WSYNC, the code advances the cycle count.
    fn write_tia_at_address(&mut self, source: Source, slow: DynamicLabel) {
        self.host.check_vsync(slow);
        self.check_frame(slow);
        self.host.argument_at_with(source);
        self.call(helpers::write_any);
        self.host.result_to_cycles_minus(self.now.cycles);
    }

    fn write_elsewhere(&mut self, join: DynamicLabel, source: Source, slow: DynamicLabel) {
        let (from, to) = self.memory_map.side_effect_free;
        let cartridge = self.host.label();
        self.host.jump_unless_tia(cartridge, slow);
        self.write_tia_at_address(source, slow);
        self.host.jump(join);
        self.host.bind(cartridge);
        if self.memory_map.scheme == BankSwitching::Dpc {
            return self.host.jump(slow);
        }
        if to < 0x1000 {
            self.host.checked_offset(to, slow);
        }
        if from > 0 {
            self.host.write_cartridge_ram(source, join);
        }
        self.host.jump(join);
    }
}
