//! The games that are not independent: the middle of the covariance.
//!
//! The covariance is `H⁻¹ M H⁻¹` (K.-Y. Liang, S. Zeger, Biometrika 73, 1986) with the information `H`. In `M`, a cluster
//! of several games has the square of its gradient `s`, a cluster of one game its information, and the priors their
//! precision. A cluster is all games of one opening, or else a block.
//!
//! A fit follows its games, so `s` is too small by the cluster's leverage. With the cluster's information `Φ` it becomes
//! `(I - Φ H⁻¹)^(-1/2) s`, so its expected square is `Φ` if the games are independent (R. Bell, D. McCaffrey, Survey
//! Methodology 28, 2002).
//!
//! Squares of few clusters say little about their variance: a player whose three pairs all ended 1-1 is not known exactly. So
//! each player has [`AS_EXPECTED`] blocks with the square `Φ` beside its own ones. Openings vary more than the model expects.

use super::covariance::unleveraged;
use crate::rating::games::{Choice, CountedBlock, GameKind, Group};
use crate::rating::math::{Information, Symmetric};
use crate::rating::model::{ChoiceMoments, Fit, GameModel, MOST_LOCAL, Objective, Ties};

/// Most parameters of a cluster whose leverage is corrected as a whole. In a larger one, each parameter has its own part
/// in all information about it.
const MOST_TOGETHER: usize = 128;

/// Blocks of each player that count as if they had ended as the model expects.
pub const AS_EXPECTED: f64 = 2.0;

crate::named! {
    #[derive(Default)]
    pub enum Openings {
        /// A sample of many: another tournament would have others. Games of one opening belong together.
        #[default]
        Sample = "sample",
        All = "all",
    }
}

#[derive(Debug, Clone, Default)]
pub struct Derivatives {
    pub indices: Vec<usize>,
    pub gradient: Vec<f64>,
    /// Row by row.
    pub information: Vec<f64>,
    pub fourth: Vec<f64>,
}

/// How well the variance of a sum of parameters is known, by clusters of several games.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// Of each player, the sum of the squares of the information of blocks, and of these times the excess kurtosis.
    pub of_player: Vec<[f64; 2]>,
    /// Of each link, sums over the common blocks of products of their information: of both players, squared of the two
    /// together, and of each player times the two together.
    pub of_link: Vec<[f32; 4]>,
    /// Of each opening, the information about each player, and its excess kurtosis.
    pub of_opening: Vec<Vec<(u32, [f64; 2])>>,
    /// Each block of several games with all its choices, where there are few players.
    pub blocks: Vec<BlockChoices>,
    pub clusters: u64,
    /// Over all strengths in these, the sums of squared gradients and of the information that these have in expectation.
    pub variation: [f64; 2],
}

/// Equal blocks of several games, before their choices are made.
#[derive(Debug, Clone)]
pub struct BlockChoices {
    /// The number of the opening that they are a cluster with; 0 where each is a cluster.
    pub opening: u32,
    pub count: f64,
    /// Each choice with the model of its game, and the parameters that each local one stands for.
    choices: Vec<(GameModel, Choice, [[usize; 2]; MOST_LOCAL])>,
}

impl BlockChoices {
    /// The variance and the fourth cumulant of a sum of derivatives with these weights, in one of the blocks.
    pub fn cumulants(&self, told: &[f64], pool: &mut ChoiceMoments) -> [f64; 2] {
        let each = self.choices.iter().map(|(model, choice, stand_for)| {
            let weight = |indices: &[usize; 2]| {
                let known = indices.iter().filter(|it| **it != usize::MAX);
                known.map(|it| told[*it]).sum::<f64>()
            };
            pool.cumulants(model, choice, &stand_for.each_ref().map(weight))
        });
        each.fold([0.0; 2], |sum, one| [sum[0] + one[0], sum[1] + one[1]])
    }
}

/// Most players whose blocks are kept with their choices.
pub const MOST_WITH_CHOICES: usize = 64;

pub struct Clusters<'a> {
    objective: &'a Objective<'a>,
    fit: &'a Fit,
    by_opening: bool,
    /// The ties at the fit, and at the moderate parameters.
    ties: [Ties; 2],
}

impl<'a> Clusters<'a> {
    pub fn new(objective: &'a Objective<'a>, fit: &'a Fit, openings: Openings) -> Self {
        Self {
            objective,
            fit,
            ties: [&fit.at, &fit.moderate].map(|at| objective.ties(at)),
            by_opening: openings == Openings::Sample && objective.blocks.openings > 1,
        }
    }

    pub fn are_single(&self) -> bool {
        !self.by_opening && self.objective.blocks.have_one_game()
    }

    fn is_by_opening(&self, block: &CountedBlock) -> bool {
        self.by_opening && block.opening > 0
    }

    fn of_block(&self, group: &Group<'_>, block: &CountedBlock, scratch: &mut Scratch) {
        let games = self.objective.blocks.games(block);
        scratch.own.start(self.objective, group, games);
        for (game, choices) in games.iter().zip(self.objective.blocks.choices(block)) {
            scratch.add_game(self, group, game, choices);
        }
    }

    /// Adds `M` without the priors to cells. `spread` is a cell of `H⁻¹`, or of an estimate of it, for the parameters that
    /// it is called with.
    pub fn add_middle(
        &self,
        spread: &dyn Fn(&[usize]) -> Option<Symmetric>,
        add: &mut dyn FnMut(usize, usize, f64),
        add_opening: &mut dyn FnMut(&Derivatives, &[f64]),
    ) -> Evidence {
        let players = self.objective.players;
        let mut evidence = Evidence {
            of_player: vec![[0.0; 2]; players],
            ..Evidence::default()
        };
        let mut scratch = Scratch::default();
        let mut of_openings: Vec<(u32, u32, CountedBlock)> = Vec::new();
        for (number, group) in (0..).zip(self.objective.blocks.groups()) {
            for block in group.blocks {
                if self.is_by_opening(block) {
                    of_openings.push((block.opening, number, *block));
                    continue;
                }
                self.of_block(&group, block, &mut scratch);
                let own = &scratch.own;
                let count = f64::from(block.count);
                let games = self.objective.blocks.games(block).len();
                if games == 1 {
                    own.each_cell(|row, column, value| add(row, column, count * value));
                    continue;
                }
                evidence.clusters += u64::from(block.count);
                self.keep_choices(&mut evidence, &group, block, 0);
                evidence
                    .of_link
                    .resize(self.fit.information.link_count(), [0.0; 4]);
                evidence.add_block(&self.fit.information, players, own, count);
                let root = own.unleveraged(spread, &self.fit.information);
                evidence.add_variation(&self.fit.information, players, own, count);
                let [of_square, expected] = own.trust(&self.fit.information, players);
                own.each_cell(|row, column, value| add(row, column, count * expected * value));
                for (row, one) in own.indices.iter().enumerate() {
                    for (column, other) in own.indices[..=row].iter().enumerate() {
                        add(*one, *other, count * of_square * root[row] * root[column]);
                    }
                }
            }
        }
        of_openings.sort_by_key(|(opening, group, _)| (*opening, *group));
        for blocks in of_openings.chunk_by(|a, b| a.0 == b.0) {
            let all = self.of_opening(blocks, &mut scratch);
            let games = |block: &CountedBlock| {
                u64::from(block.count) * self.objective.blocks.games(block).len() as u64
            };
            if blocks.iter().map(|(_, _, block)| games(block)).sum::<u64>() == 1 {
                all.each_cell(&mut *add);
                continue;
            }
            evidence.clusters += 1;
            for (opening, group, block) in blocks {
                let group = self.objective.blocks.group(*group as usize);
                self.keep_choices(&mut evidence, &group, block, *opening);
            }
            evidence.add_opening(players, &all);
            let root = all.unleveraged(spread, &self.fit.information);
            evidence.add_variation(&self.fit.information, players, &all, 1.0);
            add_opening(&all, &root);
        }
        evidence
    }

    /// Keeps the choices of some equal blocks, where there are few players.
    fn keep_choices(
        &self,
        evidence: &mut Evidence,
        group: &Group<'_>,
        block: &CountedBlock,
        opening: u32,
    ) {
        let objective = self.objective;
        if objective.players > MOST_WITH_CHOICES {
            return;
        }
        let games = objective.blocks.games(block).iter();
        let choices = games
            .zip(objective.blocks.choices(block))
            .flat_map(|(game, choices)| {
                let players = game
                    .members()
                    .iter()
                    .map(|it| group.players[usize::from(*it)] as usize);
                let model = objective.model(players.clone(), &self.fit.moderate, &self.ties[1]);
                let mut stand_for = [[usize::MAX; 2]; MOST_LOCAL];
                let seats = game.seats();
                for (seat, player) in players.enumerate() {
                    stand_for[seat] = [
                        player,
                        objective
                            .seats_at(seats)
                            .map_or(usize::MAX, |first| first + seat),
                    ];
                }
                for size in 2..=seats {
                    stand_for[seats + size - 2][0] = objective.tie_at(size).unwrap_or(usize::MAX);
                }
                choices
                    .iter()
                    .map(move |choice| (model, *choice, stand_for))
            });
        evidence.blocks.push(BlockChoices {
            opening,
            count: block.count.into(),
            choices: choices.collect(),
        });
    }

    fn of_opening(
        &self,
        blocks: &[(u32, u32, CountedBlock)],
        scratch: &mut Scratch,
    ) -> Derivatives {
        let mut indices = Vec::new();
        for (_, group, block) in blocks {
            let group = self.objective.blocks.group(*group as usize);
            scratch
                .own
                .start(self.objective, &group, self.objective.blocks.games(block));
            indices.extend_from_slice(&scratch.own.indices);
        }
        indices.sort_unstable();
        indices.dedup();
        let mut all = Derivatives::zero(indices);
        for (_, group, block) in blocks {
            let group = self.objective.blocks.group(*group as usize);
            self.of_block(&group, block, scratch);
            all.add(&scratch.own, block.count.into());
        }
        all
    }
}

impl Derivatives {
    fn zero(indices: Vec<usize>) -> Self {
        let size = indices.len();
        // Of many parameters, only the diagonal is kept.
        let cells = if size <= MOST_TOGETHER {
            size * size
        } else {
            size
        };
        Self {
            gradient: vec![0.0; size],
            information: vec![0.0; cells],
            fourth: vec![0.0; size],
            indices,
        }
    }

    fn start(&mut self, objective: &Objective<'_>, group: &Group<'_>, games: &[GameKind]) {
        let seats = games.iter().map(GameKind::seats).max().unwrap_or_default();
        self.indices.clear();
        self.indices
            .extend(group.players.iter().map(|it| *it as usize));
        self.indices.extend(
            objective
                .seats_at(seats)
                .into_iter()
                .flat_map(|first| first..first + seats),
        );
        self.indices
            .extend((2..=seats).filter_map(|size| objective.tie_at(size)));
        let size = self.indices.len();
        for (values, size) in [
            (&mut self.gradient, size),
            (&mut self.information, size * size),
            (&mut self.fourth, size),
        ] {
            values.clear();
            values.resize(size, 0.0);
        }
    }

    fn is_full(&self) -> bool {
        self.information.len() > self.indices.len() || self.indices.len() == 1
    }

    pub fn own(&self, at: usize) -> f64 {
        match self.is_full() {
            true => self.information[at * self.indices.len() + at],
            false => self.information[at],
        }
    }

    /// The excess kurtosis of the derivative by a parameter.
    fn excess(&self, at: usize) -> f64 {
        match self.own(at) {
            variance if variance > 0.0 => self.fourth[at] / (variance * variance),
            _ => 0.0,
        }
    }

    fn each_cell(&self, mut add: impl FnMut(usize, usize, f64)) {
        let size = self.indices.len();
        for (row, one) in self.indices.iter().enumerate() {
            match self.is_full() {
                true => {
                    for (column, other) in self.indices[..=row].iter().enumerate() {
                        add(*one, *other, self.information[row * size + column]);
                    }
                }
                false => add(*one, *one, self.information[row]),
            }
        }
    }

    fn add(&mut self, part: &Self, count: f64) {
        let place = |index: &usize| self.indices.binary_search(index).unwrap_or(0);
        let places: Vec<usize> = part.indices.iter().map(place).collect();
        let (size, is_full) = (self.indices.len(), self.is_full());
        for (row, at) in places.iter().enumerate() {
            self.gradient[*at] += count * part.gradient[row];
            self.fourth[*at] += count * part.fourth[row];
            for (column, other) in places.iter().enumerate() {
                let value = count * part.information[row * places.len() + column];
                match is_full {
                    true => self.information[at * size + other] += value,
                    false if row == column => self.information[*at] += value,
                    false => {}
                }
            }
        }
    }

    /// The weights of the square and of its expectation. The fewer blocks one of the players has, the more counts what is
    /// expected.
    fn trust(&self, all: &Information, players: usize) -> [f64; 2] {
        let strengths = self.indices.iter().enumerate();
        let parts = strengths
            .take_while(|(_, index)| **index < players)
            .map(|(at, index)| self.own(at) / all.own(*index));
        let expected = AS_EXPECTED * parts.fold(0.0, f64::max);
        [1.0, expected].map(|weight| weight / (1.0 + expected))
    }

    fn unleveraged(
        &self,
        spread: &dyn Fn(&[usize]) -> Option<Symmetric>,
        all: &Information,
    ) -> Vec<f64> {
        let spread = self.is_full().then(|| spread(&self.indices)).flatten();
        match spread {
            Some(spread) => {
                let information = Symmetric::of(self.indices.len(), &self.information);
                unleveraged(&information, &spread, &self.gradient)
            }
            None => {
                let own = self.indices.iter().enumerate();
                let left = own.map(|(at, index)| 1.0 - self.own(at) / all.own(*index));
                let parts = left.zip(&self.gradient);
                parts
                    .map(|(left, slope)| slope / left.max(f64::EPSILON).sqrt())
                    .collect()
            }
        }
    }
}

impl Evidence {
    fn add_block(
        &mut self,
        information: &Information,
        players: usize,
        own: &Derivatives,
        count: f64,
    ) {
        let size = own.indices.len();
        let strengths = own
            .indices
            .iter()
            .take_while(|index| **index < players)
            .count();
        let cell = |row: usize, column: usize| own.information[row * size + column];
        for at in 0..strengths {
            let square = cell(at, at) * cell(at, at);
            let known = &mut self.of_player[own.indices[at]];
            known[0] += count * square;
            known[1] += count * square * own.excess(at);
            for other in 0..at {
                let Some(link) = information.link_of(own.indices[other], own.indices[at]) else {
                    continue;
                };
                let (low, high, both) = (cell(other, other), cell(at, at), cell(other, at));
                let products = [low * high, both * both, low * both, high * both];
                for (sum, product) in self.of_link[link].iter_mut().zip(products) {
                    *sum += (count * product) as f32;
                }
            }
        }
    }

    /// The leverage of a cluster on each strength is left out: the gradient by a strength that one cluster alone tells is
    /// near 0 and shows nothing.
    fn add_variation(
        &mut self,
        information: &Information,
        players: usize,
        own: &Derivatives,
        count: f64,
    ) {
        let strengths = own.indices.iter().enumerate();
        for (at, index) in strengths.take_while(|(_, index)| **index < players) {
            let left = 1.0 - own.own(at) / information.own(*index);
            self.variation[0] += count * own.gradient[at] * own.gradient[at];
            self.variation[1] += count * own.own(at) * left;
        }
    }

    fn add_opening(&mut self, players: usize, all: &Derivatives) {
        let own = all
            .indices
            .iter()
            .enumerate()
            .take_while(|(_, index)| **index < players);
        let own = own.map(|(at, index)| (*index as u32, [all.own(at), all.excess(at)]));
        self.of_opening.push(own.collect());
    }
}

#[derive(Debug, Default)]
struct Scratch {
    own: Derivatives,
    pool: ChoiceMoments,
}

impl Scratch {
    fn add_game(
        &mut self,
        clusters: &Clusters<'_>,
        group: &Group<'_>,
        game: &GameKind,
        choices: &[Choice],
    ) {
        let (objective, fit) = (clusters.objective, clusters.fit);
        let players = || {
            game.members()
                .iter()
                .map(|member| group.players[usize::from(*member)] as usize)
        };
        let model = objective.model(players(), &fit.at, &clusters.ties[0]);
        let moderate = objective.model(players(), &fit.moderate, &clusters.ties[1]);
        let seats = game.seats();
        // The places of the parameters that each local one stands for.
        let mut stands_for = [[usize::MAX; 2]; MOST_LOCAL];
        let mut next = group.players.len();
        for (seat, member) in game.members().iter().enumerate() {
            stands_for[seat][0] = usize::from(*member);
        }
        if objective.seats_at(seats).is_some() {
            (0..seats).for_each(|seat| stands_for[seat][1] = next + seat);
            next += seats;
        }
        for size in (2..=seats).filter(|size| objective.tie_at(*size).is_some()) {
            stands_for[seats + size - 2][0] = next;
            next += 1;
        }
        let own = &mut self.own;
        let size = own.indices.len();
        let places = |local: usize| stands_for[local].into_iter().filter(|it| *it != usize::MAX);
        for choice in choices {
            self.pool.fill(&model, choice);
            for local in 0..model.size() {
                places(local).for_each(|at| own.gradient[at] -= self.pool.mean[local]);
            }
            for (local, value) in model.features(choice) {
                places(local).for_each(|at| own.gradient[at] += value);
            }
            self.pool.fill(&moderate, choice);
            self.pool.fill_fourth(&moderate, choice);
            for row in 0..model.size() {
                for at in places(row) {
                    own.fourth[at] += self.pool.fourth[row];
                    for column in 0..model.size() {
                        for other in places(column) {
                            own.information[at * size + other] += self.pool.covariance[row][column];
                        }
                    }
                }
            }
        }
    }
}
