//! The contract of [`Placement`](crate::Placement) as checks that run over any family.
//!
//! A family has them as tests by one line, `homing_core::contract!(Ring);`. The
//! checks obey the [`Capabilities`](crate::Capabilities) of the family: what it
//! does not promise is not asked of it. A check that fails panics.
//!
//! Each check takes the configurations to run under, and runs under all of them.

mod checks;
mod layouts;

pub use checks::{
    batches, covers, disrupts_as_promised, ignores_lanes, ignores_order,
    keeps_positions_and_indices, rebuilds, refuses_what_it_cannot, refuses_whole, replicates,
    segments_agree, undoes,
};
pub use layouts::ids;

pub use crate::lanes::allow;

/// Makes a test of each check of [`homing_core::dev`](crate::dev) for a family.
///
/// The family is checked under its default configuration, or under those given.
/// Name checks to have only those. The tests of one module have one name a check,
/// so other configurations go into modules of their own.
///
/// ```text
/// homing_core::contract!(Ring);
///
/// mod labelled {
///     homing_core::contract!(Ring, configs: super::labelled());
/// }
///
/// mod partial {
///     homing_core::contract!(Slots, configs: [super::partial()], checks: rebuilds batches);
/// }
/// ```
#[macro_export]
macro_rules! contract {
    ($placement:ty) => {
        $crate::contract!($placement, configs: [::core::default::Default::default()]);
    };
    ($placement:ty: $($check:ident)+) => {
        $crate::contract!(
            $placement, configs: [::core::default::Default::default()], checks: $($check)+
        );
    };
    ($placement:ty, configs: $configs:expr) => {
        $crate::contract!(
            $placement,
            configs: $configs,
            checks: covers rebuilds ignores_order ignores_lanes keeps_positions_and_indices
                disrupts_as_promised undoes refuses_whole refuses_what_it_cannot batches
                segments_agree replicates
        );
    };
    ($placement:ty, configs: $configs:expr, checks: $($check:ident)+) => {
        $(
            #[test]
            fn $check() {
                $crate::dev::$check::<$placement>(&$configs);
            }
        )+
    };
}
