//! Every placement crate in a static library that has no standard library: it links
//! only if none of them needs one.

#![no_std]

use core::alloc::{GlobalAlloc, Layout};
use core::panic::PanicInfo;

use homing_core::{Build, Members};

/// The owner of a key in every family, as a number: the sum of the owners' indices,
/// or -1 if a layout cannot be built or a position has no owner.
#[unsafe(no_mangle)]
pub extern "C" fn homing_owners(key: u8) -> i64 {
    let owners = [
        owner::<homing_jump::Jump>(key),
        owner::<homing_maglev::Maglev>(key),
        owner::<homing_modulo::Modulo>(key),
        owner::<homing_rendezvous::Rendezvous>(key),
        owner::<homing_ring::Ring>(key),
        owner::<homing_slots::Slots>(key),
        owner_by_preset(key),
    ];
    owners.into_iter().sum::<Option<i64>>().unwrap_or(-1)
}

fn owner<P: Build>(key: u8) -> Option<i64> {
    let members = Members::named(["a", "b", "c"]).ok()?;
    let layout = P::build(P::Config::default(), members).ok()?;
    let owner = layout.owner_at(layout.position(&[key]))?;
    i64::try_from(owner.get()).ok()
}

fn owner_by_preset(key: u8) -> Option<i64> {
    let members = Members::named(["a:1", "b:1", "c:1"]).ok()?;
    let layout = homing_compat::Preset::by_name("libketama").ok()?.build(&members).ok()?;
    i64::try_from(layout.owner_at(layout.position(&[key]))?.get()).ok()
}

// Nothing here runs: what counts is that it links. So there is no memory to give.
struct Exhausted;

// SAFETY: `alloc` always answers null, which tells the caller that there is no
// memory, so `dealloc` is never given a block.
unsafe impl GlobalAlloc for Exhausted {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: Exhausted = Exhausted;

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}
