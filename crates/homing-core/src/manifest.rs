//! [`Manifest`]: a layout as deployment configuration.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::{Build, Error, Fingerprint, Members};

/// Everything that a layout is built of, with the fingerprint that it must have.
///
/// Whoever builds it gets the layout that was described or an error: a changed
/// hash, point count or node name cannot slip through.
#[derive(Clone, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest<C> {
    /// The version of this form: [`Manifest::VERSION`].
    pub version: u32,
    /// How many layouts came before.
    pub epoch: u64,
    /// The name of the family.
    pub family: String,
    /// The configuration of the family.
    pub config: C,
    /// The members, in order of index, none where an index is free.
    pub members: Members,
    /// The fingerprint of the layout.
    pub fingerprint: Fingerprint,
}

impl<C> Manifest<C> {
    /// The one version there is.
    pub const VERSION: u32 = 1;

    /// Describes a layout.
    pub fn of<P: Build<Config = C>>(placement: &P, epoch: u64) -> Self {
        Self {
            version: Self::VERSION,
            epoch,
            family: P::FAMILY.name.to_owned(),
            config: placement.config(),
            members: placement.members().clone(),
            fingerprint: placement.fingerprint(),
        }
    }

    /// Builds the layout described.
    ///
    /// # Errors
    ///
    /// Fails if the version is not [`VERSION`](Self::VERSION), the family is not
    /// `P`'s, the configuration and the members build nothing, or what they build
    /// has another fingerprint than stated.
    pub fn build<P: Build<Config = C>>(self) -> Result<P, Error> {
        if self.version != Self::VERSION {
            return Err(Error::parameter("version", self.version, "1"));
        }
        if self.family != P::FAMILY.name {
            return Err(Error::WrongFamily { stated: self.family, expected: P::FAMILY.name });
        }
        let placement = P::build(self.config, self.members)?;
        let computed = placement.fingerprint();
        if computed != self.fingerprint {
            return Err(Error::FingerprintMismatch { stated: self.fingerprint, computed });
        }
        Ok(placement)
    }
}
