//! Table of all 256 opcodes, documented and undocumented.

use super::Cpu;
use super::addressing::last_byte;
use super::execution::Interpreter;

impl Interpreter<'_> {
    /// Executes one instruction with all its effects on the machine's chips.
    ///
    /// The function is long because it is a table of all opcodes.
    #[rustfmt::skip]
    #[inline(always)]
    pub(super) fn instruction(&mut self) {
        let word = self.fetch();
        // For an addressing mode, evaluates to the operand's address, and to the last byte on the data bus before the operand.
        macro_rules! address {
            (abs $k:tt) => { (self.absolute(word), last_byte(word)) };
            (absx read) => { (self.absolute_x::<true>(word), last_byte(word)) };
            (absx write) => { (self.absolute_x::<false>(word), last_byte(word)) };
            (absy read) => { (self.absolute_y::<true>(word), last_byte(word)) };
            (absy write) => { (self.absolute_y::<false>(word), last_byte(word)) };
            (indx $k:tt) => { self.indirect_x(word) };
            (indy read) => { self.indirect_y::<true>(word) };
            (indy write) => { self.indirect_y::<false>(word) };
        }
        macro_rules! operand {
            (imm) => { self.immediate(word) };
            (zp) => { self.peek_zero_page(self.zero_page(word), self.immediate(word)) };
            (zpx) => { self.peek_zero_page(self.zero_page_x(word), self.immediate(word)) };
            (zpy) => { self.peek_zero_page(self.zero_page_y(word), self.immediate(word)) };
            ($mode:tt) => {{ let (at, bus) = address!($mode read); self.peek(at, bus) }};
        }
        macro_rules! store {
            (zp, $value:expr) => {{ let value = $value; self.poke_zero_page(self.zero_page(word), value, false) }};
            (zpx, $value:expr) => {{ let value = $value; self.poke_zero_page(self.zero_page_x(word), value, false) }};
            (zpy, $value:expr) => {{ let value = $value; self.poke_zero_page(self.zero_page_y(word), value, false) }};
            ($mode:tt, $value:expr) => {{ let (at, _) = address!($mode write); let value = $value; self.poke(at, value) }};
        }
        macro_rules! change {
            (zp, $change:expr) => { self.modify_zero_page(self.zero_page(word), self.immediate(word), $change) };
            (zpx, $change:expr) => { self.modify_zero_page(self.zero_page_x(word), self.immediate(word), $change) };
            ($mode:tt, $change:expr) => {{ let (at, bus) = address!($mode write); self.modify(at, bus, $change) }};
        }
        macro_rules! read {
            ($mode:tt, |$cpu:ident, $value:ident| $body:expr) => {{
                let $value = operand!($mode);
                let $cpu = &mut self.cpu;
                $body
            }};
        }
        macro_rules! write { ($mode:tt, $register:ident) => { store!($mode, self.cpu.$register) } }
        macro_rules! modify { ($mode:tt, $change:ident) => {{ change!($mode, Cpu::$change); }} }
        // Executes an undocumented instruction that combines two operations: changes a byte in memory, then combines the result
        // with the accumulator.
        macro_rules! modify_and {
            ($mode:tt, $change:expr, |$cpu:ident, $value:ident| $body:expr) => {{
                let $value = change!($mode, $change);
                let $cpu = &mut self.cpu;
                $body
            }};
        }
        macro_rules! lda { ($m:tt) => { read!($m, |cpu, v| cpu.load(v)) } }
        macro_rules! ldx { ($m:tt) => { read!($m, |cpu, v| cpu.x = cpu.flags(v)) } }
        macro_rules! ldy { ($m:tt) => { read!($m, |cpu, v| cpu.y = cpu.flags(v)) } }
        macro_rules! ora { ($m:tt) => { read!($m, |cpu, v| { let r = cpu.a | v; cpu.load(r) }) } }
        macro_rules! and { ($m:tt) => { read!($m, |cpu, v| { let r = cpu.a & v; cpu.load(r) }) } }
        macro_rules! eor { ($m:tt) => { read!($m, |cpu, v| { let r = cpu.a ^ v; cpu.load(r) }) } }
        macro_rules! adc { ($m:tt) => { read!($m, |cpu, v| cpu.add(v)) } }
        macro_rules! sbc { ($m:tt) => { read!($m, |cpu, v| cpu.subtract(v)) } }
        macro_rules! cmp { ($m:tt) => { read!($m, |cpu, v| cpu.compare(cpu.a, v)) } }
        macro_rules! cpx { ($m:tt) => { read!($m, |cpu, v| cpu.compare(cpu.x, v)) } }
        macro_rules! cpy { ($m:tt) => { read!($m, |cpu, v| cpu.compare(cpu.y, v)) } }
        macro_rules! bit { ($m:tt) => { read!($m, |cpu, v| cpu.bit(v)) } }
        macro_rules! lax { ($m:tt) => { read!($m, |cpu, v| { cpu.load(v); cpu.x = v }) } }
        macro_rules! inc { ($m:tt) => { modify_and!($m, |cpu, v| cpu.flags(v.wrapping_add(1)), |_cpu, _v| ()) } }
        macro_rules! dec { ($m:tt) => { modify_and!($m, |cpu, v| cpu.flags(v.wrapping_sub(1)), |_cpu, _v| ()) } }
        macro_rules! slo { ($m:tt) => { modify_and!($m, Cpu::shift_left, |cpu, v| { let r = cpu.a | v; cpu.load(r) }) } }
        macro_rules! rla { ($m:tt) => { modify_and!($m, Cpu::rotate_left, |cpu, v| { let r = cpu.a & v; cpu.load(r) }) } }
        macro_rules! sre { ($m:tt) => { modify_and!($m, Cpu::shift_right, |cpu, v| { let r = cpu.a ^ v; cpu.load(r) }) } }
        macro_rules! rra { ($m:tt) => { modify_and!($m, Cpu::rotate_right, |cpu, v| cpu.add(v)) } }
        macro_rules! dcp { ($m:tt) => { modify_and!($m, |_, v| v.wrapping_sub(1), |cpu, v| cpu.compare(cpu.a, v)) } }
        macro_rules! isb { ($m:tt) => { modify_and!($m, |_, v| v.wrapping_add(1), |cpu, v| cpu.subtract(v)) } }
        macro_rules! sax { ($m:tt) => { store!($m, self.cpu.a & self.cpu.x) } }
        macro_rules! nop { ($m:tt) => { read!($m, |_cpu, _v| ()) } }
        macro_rules! transfer {
            ($from:ident => $to:ident) => {{ let v = self.cpu.$from; self.cpu.$to = self.cpu.flags(v) }};
        }
        macro_rules! accumulator {
            ($change:ident) => {{ let v = self.cpu.a; self.cpu.a = self.cpu.$change(v) }};
        }
        macro_rules! step {
            ($register:ident, $by:expr) => {{
                let v = self.cpu.$register.wrapping_add($by);
                self.cpu.$register = self.cpu.flags(v);
            }};
        }
        macro_rules! branch {
            (|$cpu:ident| $condition:expr) => {{ let $cpu = &self.cpu; let taken = $condition; self.branch(word, taken) }};
        }
        // Length and cycles are compile-time constants of each instruction. If they were loaded from a table, each fetch would
        // wait for the load; this wait took a third of the interpreter's time.
        macro_rules! instructions {
            ($($first:literal $(| $other:literal)* => $effect:expr),* $(,)?) => {
                match word as u8 {
                    $($first $(| $other)* => { self.advance::<$first>(); $effect })*
                }
            };
        }
        instructions! {
            0xa9 => lda!(imm), 0xa5 => lda!(zp), 0xb5 => lda!(zpx), 0xad => lda!(abs), 0xbd => lda!(absx), 0xb9 => lda!(absy),
            0xa1 => lda!(indx), 0xb1 => lda!(indy),
            0xa2 => ldx!(imm), 0xa6 => ldx!(zp), 0xb6 => ldx!(zpy), 0xae => ldx!(abs), 0xbe => ldx!(absy),
            0xa0 => ldy!(imm), 0xa4 => ldy!(zp), 0xb4 => ldy!(zpx), 0xac => ldy!(abs), 0xbc => ldy!(absx),
            0x85 => write!(zp, a), 0x95 => write!(zpx, a), 0x8d => write!(abs, a), 0x9d => write!(absx, a),
            0x99 => write!(absy, a), 0x81 => write!(indx, a), 0x91 => write!(indy, a),
            0x86 => write!(zp, x), 0x96 => write!(zpy, x), 0x8e => write!(abs, x),
            0x84 => write!(zp, y), 0x94 => write!(zpx, y), 0x8c => write!(abs, y),
            0x10 => { branch!(|cpu| cpu.negative & 0x80 == 0); self.skip_timer_loop::<0x10>(word) },
            0x30 => branch!(|cpu| cpu.negative & 0x80 != 0),
            0x50 => branch!(|cpu| !cpu.overflow), 0x70 => branch!(|cpu| cpu.overflow),
            0x90 => branch!(|cpu| !cpu.carry), 0xb0 => branch!(|cpu| cpu.carry),
            0xd0 => { branch!(|cpu| cpu.not_zero != 0); self.skip_timer_loop::<0xd0>(word) },
            0xf0 => branch!(|cpu| cpu.not_zero == 0),
            0xaa => transfer!(a => x), 0xa8 => transfer!(a => y), 0x8a => transfer!(x => a), 0x98 => transfer!(y => a),
            0xba => transfer!(sp => x), 0x9a => self.cpu.sp = self.cpu.x,
            0xe8 => step!(x, 1), 0xc8 => step!(y, 1), 0xca => step!(x, 0xff), 0x88 => step!(y, 0xff),
            0x09 => ora!(imm), 0x05 => ora!(zp), 0x15 => ora!(zpx), 0x0d => ora!(abs), 0x1d => ora!(absx), 0x19 => ora!(absy),
            0x01 => ora!(indx), 0x11 => ora!(indy),
            0x29 => and!(imm), 0x25 => and!(zp), 0x35 => and!(zpx), 0x2d => and!(abs), 0x3d => and!(absx), 0x39 => and!(absy),
            0x21 => and!(indx), 0x31 => and!(indy),
            0x49 => eor!(imm), 0x45 => eor!(zp), 0x55 => eor!(zpx), 0x4d => eor!(abs), 0x5d => eor!(absx), 0x59 => eor!(absy),
            0x41 => eor!(indx), 0x51 => eor!(indy),
            0x69 => adc!(imm), 0x65 => adc!(zp), 0x75 => adc!(zpx), 0x6d => adc!(abs), 0x7d => adc!(absx), 0x79 => adc!(absy),
            0x61 => adc!(indx), 0x71 => adc!(indy),
            0xe9 | 0xeb => sbc!(imm), 0xe5 => sbc!(zp), 0xf5 => sbc!(zpx), 0xed => sbc!(abs), 0xfd => sbc!(absx),
            0xf9 => sbc!(absy), 0xe1 => sbc!(indx), 0xf1 => sbc!(indy),
            0xc9 => cmp!(imm), 0xc5 => cmp!(zp), 0xd5 => cmp!(zpx), 0xcd => cmp!(abs), 0xdd => cmp!(absx), 0xd9 => cmp!(absy),
            0xc1 => cmp!(indx), 0xd1 => cmp!(indy),
            0xe0 => cpx!(imm), 0xe4 => cpx!(zp), 0xec => cpx!(abs), 0xc0 => cpy!(imm), 0xc4 => cpy!(zp), 0xcc => cpy!(abs),
            0x24 => bit!(zp), 0x2c => bit!(abs),
            0x0a => accumulator!(shift_left), 0x4a => accumulator!(shift_right),
            0x2a => accumulator!(rotate_left), 0x6a => accumulator!(rotate_right),
            0x06 => modify!(zp, shift_left), 0x16 => modify!(zpx, shift_left), 0x0e => modify!(abs, shift_left),
            0x1e => modify!(absx, shift_left),
            0x46 => modify!(zp, shift_right), 0x56 => modify!(zpx, shift_right), 0x4e => modify!(abs, shift_right),
            0x5e => modify!(absx, shift_right),
            0x26 => modify!(zp, rotate_left), 0x36 => modify!(zpx, rotate_left), 0x2e => modify!(abs, rotate_left),
            0x3e => modify!(absx, rotate_left),
            0x66 => modify!(zp, rotate_right), 0x76 => modify!(zpx, rotate_right), 0x6e => modify!(abs, rotate_right),
            0x7e => modify!(absx, rotate_right),
            0xe6 => inc!(zp), 0xf6 => inc!(zpx), 0xee => inc!(abs), 0xfe => inc!(absx),
            0xc6 => dec!(zp), 0xd6 => dec!(zpx), 0xce => dec!(abs), 0xde => dec!(absx),
            0x4c => self.cpu.pc = self.absolute(word),
            0x6c => self.jump_indirect(word),
            0x20 => self.jump_to_subroutine(word),
            0x60 => self.cpu.pc = self.pull_address(word as u8).wrapping_add(1),
            0x00 => self.break_instruction(),
            0x40 => self.return_from_interrupt(word),
            0x48 => { let v = self.cpu.a; self.push(v, false) },
            0x68 => { let v = self.first_pull(word); self.cpu.load(v) },
            0x08 => { let v = self.cpu.status(); self.push(v, false) },
            0x28 => { let v = self.first_pull(word); self.cpu.set_status(v) },
            0x18 => self.cpu.carry = false, 0x38 => self.cpu.carry = true,
            0xd8 => self.cpu.decimal = false, 0xf8 => self.cpu.decimal = true,
            0x58 => self.cpu.interrupts_disabled = false, 0x78 => self.cpu.interrupts_disabled = true,
            0xb8 => self.cpu.overflow = false,
            0xea | 0x1a | 0x3a | 0x5a | 0x7a | 0xda | 0xfa => (),
            // These opcodes are undocumented NOPs with an immediate operand.
            0x80 | 0x82 | 0x89 | 0xc2 | 0xe2 => (),
            0x04 | 0x44 | 0x64 => nop!(zp),
            0x14 | 0x34 | 0x54 | 0x74 | 0xd4 | 0xf4 => nop!(zpx),
            0x0c => nop!(abs),
            0x1c | 0x3c | 0x5c | 0x7c | 0xdc | 0xfc => nop!(absx),
            0xa7 => lax!(zp), 0xb7 => lax!(zpy), 0xaf => lax!(abs), 0xbf => lax!(absy), 0xa3 => lax!(indx), 0xb3 => lax!(indy),
            0x87 => sax!(zp), 0x97 => sax!(zpy), 0x8f => sax!(abs), 0x83 => sax!(indx),
            0x07 => slo!(zp), 0x17 => slo!(zpx), 0x0f => slo!(abs), 0x1f => slo!(absx), 0x1b => slo!(absy), 0x03 => slo!(indx),
            0x13 => slo!(indy),
            0x27 => rla!(zp), 0x37 => rla!(zpx), 0x2f => rla!(abs), 0x3f => rla!(absx), 0x3b => rla!(absy), 0x23 => rla!(indx),
            0x33 => rla!(indy),
            0x47 => sre!(zp), 0x57 => sre!(zpx), 0x4f => sre!(abs), 0x5f => sre!(absx), 0x5b => sre!(absy), 0x43 => sre!(indx),
            0x53 => sre!(indy),
            0x67 => rra!(zp), 0x77 => rra!(zpx), 0x6f => rra!(abs), 0x7f => rra!(absx), 0x7b => rra!(absy), 0x63 => rra!(indx),
            0x73 => rra!(indy),
            0xc7 => dcp!(zp), 0xd7 => dcp!(zpx), 0xcf => dcp!(abs), 0xdf => dcp!(absx), 0xdb => dcp!(absy), 0xc3 => dcp!(indx),
            0xd3 => dcp!(indy),
            0xe7 => isb!(zp), 0xf7 => isb!(zpx), 0xef => isb!(abs), 0xff => isb!(absx), 0xfb => isb!(absy), 0xe3 => isb!(indx),
            0xf3 => isb!(indy),
            0x0b | 0x2b => { and!(imm); self.cpu.carry = self.cpu.negative & 0x80 != 0 },
            0x4b => read!(imm, |cpu, v| { let r = cpu.a & v; cpu.a = cpu.shift_right(r) }),
            0x6b => read!(imm, |cpu, v| cpu.and_rotate(v)),
            0x8b => read!(imm, |cpu, v| { let r = (cpu.a | 0xee) & cpu.x & v; cpu.load(r) }),
            0xab => read!(imm, |cpu, v| { let r = (cpu.a | 0xee) & v; cpu.load(r); cpu.x = r }),
            0xcb => read!(imm, |cpu, v| { let r = cpu.a & cpu.x; cpu.compare(r, v); cpu.x = r.wrapping_sub(v) }),
            0xbb => read!(absy, |cpu, v| { let r = cpu.sp & v; cpu.load(r); cpu.x = r; cpu.sp = r }),
            0x9f => { let (at, _) = address!(absy write); let v = self.cpu.a & self.cpu.x; self.store_masked(at, v) },
            0x93 => { let (at, _) = address!(indy write); let v = self.cpu.a & self.cpu.x; self.store_masked(at, v) },
            0x9e => { let (at, _) = address!(absy write); let v = self.cpu.x; self.store_masked(at, v) },
            0x9c => { let (at, _) = address!(absx write); let v = self.cpu.y; self.store_masked(at, v) },
            0x9b => {
                let (at, _) = address!(absy write);
                let v = self.cpu.a & self.cpu.x;
                self.cpu.sp = v;
                self.store_masked(at, v);
            },
            0x02 | 0x12 | 0x22 | 0x32 | 0x42 | 0x52 | 0x62 | 0x72 | 0x92 | 0xb2 | 0xd2 | 0xf2 => self.jam(),
        }
    }
}
