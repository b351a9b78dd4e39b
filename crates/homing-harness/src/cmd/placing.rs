//! [`LayoutArgs`], one layout as flags.

use clap::Args;
use homing_compat::Preset;
use homing_core::Placement;

use super::MembersArgs;
use crate::measure::Which;
use crate::members::Given;
use crate::registry::{Choice, by_name, one_preset};
use crate::scenario::chosen;
use crate::{Error, Result};

/// One layout: a family over members.
#[derive(Args, Clone, Debug)]
pub struct LayoutArgs {
    /// The family, with parameters where they differ from the defaults:
    /// ring:points=500,hash=sha256 [default: the family of the manifest that gives
    /// the members]
    #[arg(long, value_name = "NAME[:PARAMETER=VALUE,...]")]
    family: Option<String>,

    /// Place as another system does: libketama, twemproxy:hash=md5; homing presets
    /// lists them
    #[arg(long, value_name = "PRESET[:OPTION=VALUE,...]")]
    preset: Option<String>,

    #[command(flatten)]
    members: MembersArgs,
}

impl LayoutArgs {
    /// The presets that are to be tried rather than built: any, of the family that is
    /// said, or one that no family is.
    ///
    /// # Errors
    ///
    /// Fails if there is no such family or preset.
    pub fn tried(&self) -> Result<Option<Which>> {
        match (self.preset.as_deref(), self.family.as_deref()) {
            (Some("any"), None) => Ok(Some(Which::All)),
            (Some("any"), Some(family)) => by_name(family).map(Which::Of).map(Some),
            (Some(_), _) => Ok(self.apart()?.map(Which::One)),
            (None, _) => Ok(None),
        }
    }

    /// The preset, if it is one that no family is.
    ///
    /// # Errors
    ///
    /// Fails if there is no such preset.
    pub fn apart(&self) -> Result<Option<Preset>> {
        let preset = self.preset.as_deref().map(one_preset).transpose()?;
        Ok(preset.filter(|preset| preset.entry().is_apart() && self.family.is_none()))
    }

    /// The members, as they were given.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be read.
    pub fn members(&self) -> Result<Given> {
        self.members.read()
    }

    /// The family and the members, prepared where there is a preset.
    ///
    /// # Errors
    ///
    /// Fails if there is no family, or the members cannot be read or prepared.
    pub fn read(&self) -> Result<(Choice, Given)> {
        let given = self.members.read()?;
        let preset = self.preset.as_deref().map(Choice::of_preset).transpose()?;
        if let Some(choice) = preset {
            if self.family.is_some() {
                return Err(Error::Usage(
                    "a preset has a family: --preset and --family cannot be given together".into(),
                ));
            }
            choice.check_labels(&given)?;
            let (choice, members) = choice.settled(given.members)?;
            return Ok((choice, Given { members, ..given }));
        }
        let asked = self.family.as_deref().map(Choice::parse).transpose()?;
        asked.iter().try_for_each(|choice| choice.check_labels(&given))?;
        Ok((chosen(asked, &given)?, given))
    }

    /// The layout.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read), or if the family cannot be built of the members.
    pub fn build(&self) -> Result<Box<dyn Placement>> {
        let (choice, given) = self.read()?;
        choice.build(given.members)
    }
}
