//! [`Prepared`], a layout that goes on as the program of a preset does.

use alloc::vec::Vec;

use homing_core::{
    Build, Change, Error, Family, Fingerprint, Members, NodeIndex, Placement, Segments, Spread,
};
use homing_jump::Jump;
use homing_maglev::Maglev;
use homing_modulo::Modulo;
use homing_rendezvous::Rendezvous;
use homing_ring::Ring;

use crate::Preset;
use crate::entry::Configuration;

/// A family of which presets have configurations.
pub trait Configured: Build {
    /// The configuration, if it is one of this family.
    fn of(configuration: Configuration) -> Option<Self::Config>;
}

macro_rules! configured {
    ($($family:ident)*) => {
        $(impl Configured for $family {
            fn of(configuration: Configuration) -> Option<Self::Config> {
                match configuration {
                    Configuration::$family(config) => Some(config),
                    _ => None,
                }
            }
        })*
    };
}

configured! { Ring Maglev Rendezvous Jump Modulo }

/// A layout under a preset, which prepares the nodes that join.
///
/// Where the configuration of the program follows the members, as where every node
/// brings its tokens, a change builds the layout anew.
#[derive(Clone, Debug)]
pub struct Prepared<P> {
    layout: P,
    preset: Preset,
}

impl<P: Configured> Prepared<P> {
    /// Builds the layout of `members`, which are prepared here.
    ///
    /// # Errors
    ///
    /// Fails if the preset is not of this family, a member cannot be prepared, or the
    /// family cannot be built so.
    pub fn build(preset: &Preset, members: &Members) -> Result<Self, Error> {
        let members = preset.members(members)?;
        let layout = P::build(config::<P>(preset, &members)?, members)?;
        Ok(Self { layout, preset: preset.clone() })
    }

    /// The layout, of which the nodes that join are not prepared.
    #[must_use]
    pub fn layout(&self) -> &P {
        &self.layout
    }

    /// The layout by itself.
    #[must_use]
    pub fn into_layout(self) -> P {
        self.layout
    }
}

impl<P: Configured + Clone + 'static> Placement for Prepared<P> {
    fn family(&self) -> &'static Family {
        self.layout.family()
    }

    fn members(&self) -> &Members {
        self.layout.members()
    }

    #[inline]
    fn position(&self, key: &[u8]) -> u64 {
        self.layout.position(key)
    }

    #[inline]
    fn owner_at(&self, position: u64) -> Option<NodeIndex> {
        self.layout.owner_at(position)
    }

    fn apply(&mut self, changes: &[Change]) -> Result<(), Error> {
        let changes = self.preset.changes(self.members(), changes)?;
        let mut members = self.members().clone();
        members.apply(&changes)?;
        let config = config::<P>(&self.preset, &members)?;
        if config == self.layout.config() {
            return self.layout.apply(&changes);
        }
        self.layout = P::build(config, members)?;
        Ok(())
    }

    fn fingerprint(&self) -> Fingerprint {
        self.layout.fingerprint()
    }

    fn keying(&self) -> Fingerprint {
        self.layout.keying()
    }

    fn memory_usage(&self) -> usize {
        self.layout.memory_usage()
    }

    #[inline]
    fn max_position(&self) -> u64 {
        self.layout.max_position()
    }

    fn owners_at(&self, positions: &[u64], owners: &mut [Option<NodeIndex>]) {
        self.layout.owners_at(positions, owners);
    }

    fn owners(&self, keys: &[&[u8]], owners: &mut [Option<NodeIndex>]) {
        self.layout.owners(keys, owners);
    }

    fn replicas_at(
        &self,
        position: u64,
        count: usize,
        spread: Spread,
        replicas: &mut Vec<NodeIndex>,
    ) {
        self.layout.replicas_at(position, count, spread, replicas);
    }

    fn segments(&self) -> Option<Segments<'_>> {
        self.layout.segments()
    }
}

fn config<P: Configured>(preset: &Preset, members: &Members) -> Result<P::Config, Error> {
    P::of(preset.configuration(members)?).ok_or_else(|| {
        let value = alloc::format!("{:?}", preset.entry().name);
        Error::parameter("preset", value, alloc::format!("one of family {}", P::FAMILY.name))
    })
}
