//! Parses the options of `referee rate` with several parts.

use crate::rating::{EloModel, Openings, Sprt};
use crate::text;

/// Value of `--plan`: a difference in Elo, and two players or none.
pub(super) type Plan = (f64, Option<[String; 2]>);

/// Why the value of `--plan` is invalid.
#[derive(Debug, thiserror::Error)]
pub(super) enum PlanError {
    #[error("expected a difference in Elo, or one and two names")]
    Parts,
    #[error("expected a difference from 0.1 to 1000 Elo")]
    Elo,
}

pub(super) fn parse_plan(text: &str) -> Result<Plan, PlanError> {
    let mut parts = text.split(',').map(str::trim);
    let elo = parts.next().and_then(|elo| elo.parse::<f64>().ok());
    let elo = elo.ok_or(PlanError::Parts)?;
    if !(0.1..=1000.0).contains(&elo) {
        return Err(PlanError::Elo);
    }
    let names: Vec<String> = parts.map(|name| text::name(name).into_owned()).collect();
    match <[String; 2]>::try_from(names) {
        Ok([one, two]) if one != two => Ok((elo, Some([one, two]))),
        Err(names) if names.is_empty() => Ok((elo, None)),
        _ => Err(PlanError::Parts),
    }
}

/// Why the value of `--openings` is invalid.
#[derive(Debug, thiserror::Error)]
#[error("expected `sample` or `all`")]
pub(super) struct OpeningsError;

pub(super) fn parse_openings(text: &str) -> Result<Openings, OpeningsError> {
    let found = Openings::ALL
        .into_iter()
        .find(|openings| openings.name() == text);
    found.ok_or(OpeningsError)
}

/// Why the value of `--sprt` is invalid.
#[derive(Debug, thiserror::Error)]
pub(super) enum SprtError {
    #[error("expected a name, two numbers or four, and perhaps `normalized`")]
    Parts,
    #[error("expected ELO0 below ELO1, both within {0}")]
    Elo(f64),
    #[error("expected ALPHA and BETA between 0 and 0.5")]
    Rates,
}

pub(super) fn parse_sprt(text: &str) -> Result<(String, Sprt), SprtError> {
    let (text, model) = EloModel::ALL
        .into_iter()
        .find_map(|model| {
            let rest = text.strip_suffix(model.name())?;
            Some((rest.trim_end().strip_suffix(',')?, model))
        })
        .unwrap_or((text, EloModel::default()));
    let mut parts = text.split(',').map(str::trim);
    let name = text::name(parts.next().unwrap_or_default()).into_owned();
    let numbers: Option<Vec<f64>> = parts.map(|part| part.parse().ok()).collect();
    let (elo0, elo1, alpha, beta) = match numbers.as_deref() {
        Some([elo0, elo1]) => (*elo0, *elo1, 0.05, 0.05),
        Some([elo0, elo1, alpha, beta]) => (*elo0, *elo1, *alpha, *beta),
        _ => return Err(SprtError::Parts),
    };
    let most = model.most_elo();
    if !(elo0 < elo1 && elo0.abs() <= most && elo1.abs() <= most) {
        return Err(SprtError::Elo(most));
    }
    if ![alpha, beta].iter().all(|rate| *rate > 0.0 && *rate < 0.5) {
        return Err(SprtError::Rates);
    }
    let test = Sprt {
        elo0,
        elo1,
        alpha,
        beta,
        model,
    };
    Ok((name, test))
}
