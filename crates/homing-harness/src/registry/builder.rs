//! [`Builder`], a family under one configuration.

use std::fmt;

use homing_compat::Preset;
use homing_core::{Error as CoreError, Members, Placement};

use super::Knob;
use super::preset::check_size;

/// What builds layouts of a family under one configuration, read beforehand.
pub struct Builder {
    pub(super) make: Make,
    pub(super) knob: Option<(Knob, u64)>, // with its value
    pub(super) preset: Option<Preset>,    // by which members are prepared
}

pub(super) type Make = Box<dyn Fn(Members) -> Result<Box<dyn Placement>, CoreError> + Send + Sync>;

impl Builder {
    /// Builds the layout of `members`.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check), or if the configuration is out of range, or
    /// `members` asks for what the family cannot do.
    pub fn build(&self, members: Members) -> Result<Box<dyn Placement>, CoreError> {
        self.check(&members)?;
        (self.make)(members)
    }

    /// Checks that a layout of `members` is not larger than the harness builds.
    ///
    /// # Errors
    ///
    /// Fails with the parameter that makes it so, and the limit.
    pub fn check(&self, members: &Members) -> Result<(), CoreError> {
        if let Some(preset) = &self.preset {
            return check_size(preset, members);
        }
        let Some((knob, value)) = self.knob else { return Ok(()) };
        let (all, given) = if knob.each_weight {
            let weight = members.total_weight();
            let given = format!("{value} x a total weight of {weight}");
            (u128::from(value) * u128::from(weight), given)
        } else {
            (value.into(), value.to_string())
        };
        if all <= knob.most.into() {
            return Ok(());
        }
        let rule = format!("at most {} in all, which is what homing builds", knob.most);
        Err(CoreError::parameter(knob.name, given, rule))
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("knob", &self.knob).finish_non_exhaustive()
    }
}
