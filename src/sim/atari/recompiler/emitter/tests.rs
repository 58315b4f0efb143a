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

/// Checksums of the generated code for x86-64 and for aarch64, by bank-switching scheme. They were recorded from code that gave the
/// interpreter's results in all games.
const CODE: [(BankSwitching, u64, u64); 9] = [
    (BankSwitching::TwoK, 0x9a47_d0fa_8c59_4b02, 0x2ff8_cfce_03ca_266f),
    (BankSwitching::FourK, 0x6946_8572_81d8_1f88, 0xed21_7795_2463_41c7),
    (BankSwitching::F8, 0xf973_5da8_c2d0_6749, 0xa5cb_dfcf_4b25_115e),
    (BankSwitching::F8Sc, 0x2365_b41b_ab35_3466, 0x4385_4022_cfc3_2095),
    (BankSwitching::F6, 0x8777_1bde_e24e_6ac9, 0x5fc7_1a43_344d_8021),
    (BankSwitching::F6Sc, 0xb6bc_b730_482e_f679, 0xaef1_caf1_62f4_c56a),
    (BankSwitching::E0, 0x8e73_d540_e77e_5df9, 0xff52_2b3d_e8a2_1d7d),
    (BankSwitching::Fe, 0x7b82_0c5f_87ca_9ce0, 0x9637_9d0c_e360_42b2),
    (BankSwitching::Dpc, 0x23c7_aadd_b445_ef94, 0x850f_f4d9_41c8_b206),
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
        let others: [Helper; 13] = [
            helpers::read,
            helpers::read_tia,
            helpers::read_timer,
            helpers::store,
            helpers::push_status,
            helpers::push_interrupt,
            helpers::pull_interrupt,
            helpers::pull,
            helpers::pull_status,
            helpers::write_any,
            helpers::wait_for_zero,
            helpers::wait_for_minus,
            helpers::wait_for_flag,
        ];
        let mut all = others.into_iter().chain((0..16).map(helpers::read_from)).chain((0..64).map(helpers::write_to));
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
    use crate::tia::offsets::*;
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
        COLOUR_LOSS,
        tia(DEFERRED_TO),
        tia(LINE_START),
        tia(NO_PAINT_UNTIL),
        tia(PF),
        tia(COLUBK),
        tia(ENABL),
        tia(COLOURS),
        tia(GRP[1]),
        tia(ENAM[1]),
    ]
}

/// Field offsets at which the checksums in `CODE` were recorded; with other offsets, the checksums do not apply.
const RECORDED_FOR: [i32; 27] = [
    3270, 3271, 3272, 3273, 3268, 3274, 3275, 3276, 3277, 3278, 3279, 3088, 3120, 8, 40, 2992, 3312, 3316, 2980, 3016, 3008,
    2968, 3033, 3068, 2912, 3051, 3063,
];

#[test]
fn emitted_code_has_its_recorded_digest_on_every_host() {
    let mut random = Generator::new(7);
    let found = CODE.map(|(scheme, _, _)| {
        let memory_map = MemoryMap::new(Arc::new(image(&mut random)), scheme);
        let (x86, aarch64) = (code::<X86>(&memory_map, &mut Fixed), code::<Aarch64>(&memory_map, &mut Fixed));
        assert!(x86.bytes.len() > 15_000 && aarch64.bytes.len() > 13_000, "{scheme:?}: too little code to say much");
        (scheme, checksum(&x86.bytes), checksum(&aarch64.bytes))
    });
    if layout_of_state() == RECORDED_FOR {
        assert_eq!(found, CODE);
    }
}
