use std::sync::Arc;

use super::*;
use crate::cartridge::BankSwitching;
use crate::cpu::LENGTH;
use crate::recompiler::aarch64::Aarch64;
use crate::recompiler::helpers;
use crate::recompiler::offsets;
use crate::recompiler::x86_64::X86;
use crate::rom_image::{MAX_IMAGE_SIZE, RomImage};
use envpool_rs_numeric::random::Generator;

/// Checksums of the generated code for x86-64 and for aarch64, by bank-switching scheme. They were recorded when each host had
/// a separate emitter.
const CODE: [(BankSwitching, u64, u64); 9] = [
    (BankSwitching::TwoK, 0xa86d_ec91_3c8a_28ee, 0x11fd_f2e0_adc8_663c),
    (BankSwitching::FourK, 0x2110_4003_f34b_4347, 0x20a9_6a5d_b1a1_a709),
    (BankSwitching::F8, 0x824b_d696_3e10_7cad, 0x32f5_a8b7_e012_b451),
    (BankSwitching::F8Sc, 0x4aaa_b1fa_8bd6_a53f, 0x02e4_4e4b_7e49_0c19),
    (BankSwitching::F6, 0x6f75_eb4b_645b_d9c2, 0x19ee_0987_458c_32da),
    (BankSwitching::F6Sc, 0x47e6_7c77_a5e2_8ae8, 0x9b4a_79bb_100b_94e9),
    (BankSwitching::E0, 0xe4b5_eccf_568d_9a62, 0x57cb_9814_1249_38e3),
    (BankSwitching::Fe, 0x26ff_7898_ed3b_751b, 0x50f7_36ef_4544_46d0),
    (BankSwitching::Dpc, 0x1b49_c33f_d1c5_8263, 0xf67e_6efc_62e3_2991),
];

/// Implementation of the links with constant addresses, so that the generated code is the same in every process.
struct Fixed;

impl BlockLinks for Fixed {
    fn slot(&mut self, at: GuestPc) -> u64 {
        0x1_0000_0000 + u64::from(at.view) * 0x8_0000 + u64::from(at.pc) * 8
    }

    fn pages(&self, view: u8) -> u64 {
        0x2_0000_0000 + u64::from(view) * 0x800
    }

    fn helper(&self, helper: Helper) -> u64 {
        let others: [Helper; 9] = [
            helpers::read,
            helpers::read_timer,
            helpers::store,
            helpers::push_status,
            helpers::pull,
            helpers::pull_status,
            helpers::write_any,
            helpers::wait_for_zero,
            helpers::wait_for_minus,
        ];
        let mut all = others.into_iter().chain((0..64).map(helpers::write_to));
        let number = all.position(|other| std::ptr::fn_addr_eq(other, helper)).expect("a helper");
        0x3_0000_0000 + number as u64 * 0x40
    }

    fn image(&self, _image: &RomImage, at: usize) -> u64 {
        0x4_0000_0000 + at as u64
    }
}

/// Returns a program of random instructions.
fn image(random: &mut Generator) -> RomImage {
    let mut bytes = Vec::with_capacity(MAX_IMAGE_SIZE + 2);
    while bytes.len() < MAX_IMAGE_SIZE {
        let opcode = random.integers(0, 256) as u8;
        if Instruction::new(0, u32::from(opcode)).operation == Operation::Other {
            continue;
        }
        let length = usize::from(LENGTH[usize::from(opcode)]);
        bytes.push(opcode);
        let pages = [0x00, 0x02, 0x10, 0x13, 0x1f, 0xf0, 0xf7, 0xff];
        let operand = [random.integers(0, 256) as u8, pages[random.integers(0, 8) as usize]];
        bytes.extend(&operand[..length - 1]);
    }
    RomImage::new(&bytes[..MAX_IMAGE_SIZE])
}

/// Returns basic blocks that start at locations in all parts of a cartridge.
fn blocks(memory_map: &MemoryMap) -> BTreeMap<GuestPc, BasicBlock> {
    let entries = (0..memory_map.views() as u8).flat_map(|view| (0xf000..0xffc0).step_by(61).map(move |pc| GuestPc { view, pc }));
    entries.map(|entry| (entry, BasicBlock::new(memory_map, entry))).filter(|(_, block)| !block.instructions.is_empty()).collect()
}

fn code<H: Assembler>(memory_map: &MemoryMap, links: &mut dyn BlockLinks) -> Code {
    let blocks = blocks(memory_map);
    let mut emitter = Emitter::<H>::new(memory_map, links, blocks.keys().copied());
    emitter.entrance();
    blocks.values().for_each(|block| emitter.block(block));
    emitter.finish().expect("code")
}

/// Returns the FNV-1a hash of `bytes`.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// Returns the offsets of the fields in the machine's state, which the Rust compiler chooses.
fn layout_of_state() -> Vec<i32> {
    use offsets::*;
    vec![
        CPU_A,
        CPU_X,
        CPU_Y,
        SP,
        PC,
        NEGATIVE,
        NOT_ZERO,
        CARRY,
        OVERFLOW,
        DECIMAL,
        INTERRUPTS,
        CYCLES,
        RAM,
        SEGMENTS,
        CARTRIDGE_RAM,
        ZERO_PAGE,
        LIMIT,
    ]
}

/// Field offsets at which the checksums in `CODE` were recorded; with other offsets, the checksums do not apply.
const RECORDED_FOR: [i32; 17] = [3198, 3199, 3200, 3201, 3196, 3202, 3203, 3204, 3205, 3206, 3207, 3016, 3048, 8, 40, 2920, 3256];

#[test]
fn emitted_code_has_its_recorded_digest_on_every_host() {
    let mut random = Generator::new(7);
    let found = CODE.map(|(scheme, _, _)| {
        let memory_map = MemoryMap::new(Arc::new(image(&mut random)), scheme);
        let (x86, aarch64) = (code::<X86>(&memory_map, &mut Fixed), code::<Aarch64>(&memory_map, &mut Fixed));
        assert!(x86.bytes.len() > 20_000 && aarch64.bytes.len() > 18_000, "{scheme:?}: too little code to say much");
        (scheme, checksum(&x86.bytes), checksum(&aarch64.bytes))
    });
    if layout_of_state() == RECORDED_FOR {
        assert_eq!(found, CODE);
    }
}
