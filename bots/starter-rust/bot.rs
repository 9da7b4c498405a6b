//! A whole bot: it plays any legal action, in all three games. Begin with `choose`.

use std::collections::{BTreeMap, HashMap};

/// YOUR BOT BEGINS HERE. Return one of `actions`. What stands where, `game.at(x, y)` says; `random`
/// is a number that looks random, and is the same whenever the same game is played again.
fn choose<'a>(_game: &Game, actions: &'a [String], random: usize) -> &'a str {
    &actions[random % actions.len()]
}

#[derive(Default)]
struct Game {
    name: String,
    seat: String,
    options: HashMap<String, String>,
    board: BTreeMap<String, char>, // by square, such as "d2"; capitals are our pieces
    ply: u32,                      // how many actions were played
    red: bool,                     // dark chess: do we play red? Known after the first action
}

impl Game {
    /// The name of a square: column x and row y, both from 0.
    fn square(&self, x: i32, y: i32) -> String {
        let (column, row) = (b'a'.wrapping_add(x as u8) as char, y + 1);
        if self.name == "watch-your-back" { format!("{x},{y}") } else { format!("{column}{row}") }
    }

    /// What stands there: '.' is nothing, '?' is face-down, ' ' is no square, or none any more.
    fn at(&self, x: i32, y: i32) -> char {
        let low = (self.ply >= 152) as i32 + (self.ply >= 216) as i32; // that board shrinks twice
        let (outside, new) = match self.name.as_str() {
            "watch-your-back" if [x.min(7 - x), y.min(7 - y)] == [low, low] => return ' ', // a corner
            "watch-your-back" => (x.min(y) < low || x.max(y) > 7 - low, '.'),
            "cachex" => (x.min(y) < 0 || x.max(y) >= self.options["size"].parse().unwrap(), '.'),
            _ => (x.min(y) < 0 || x > 3 || y > 7, '?'),
        };
        if outside { ' ' } else { *self.board.get(&self.square(x, y)).unwrap_or(&new) }
    }

    /// Somebody acted, maybe we. `public` is what became known by it.
    fn did(&mut self, seat: &str, action: &str, public: &[&str]) {
        let (mut end, ours) = (action.to_string(), seat == self.seat);
        let mut piece = if ours { 'O' } else { 'x' };
        if let Some((from, to)) = action.split_once('-') {
            piece = self.board.insert(from.to_string(), '.').unwrap();
            end = to.to_string();
        } else if self.name == "dark-chess" {
            let (red, black) = (public[0].to_uppercase(), public[0].to_lowercase()); // turned up
            self.red = if self.ply == 0 { (public[0] == red) == ours } else { self.red };
            piece = if (public[0] == red) == self.red { red } else { black }.remove(0);
        } else if action == "steal" {
            let (stone, _) = self.board.pop_first().unwrap(); // its column and row change places
            end = self.square(stone[1..].parse::<i32>().unwrap() - 1, stone.as_bytes()[0] as i32 - 97);
        }
        if action != "pass" { self.board.insert(end, piece); }
        self.board.retain(|square, _| !public.contains(&square.as_str())); // captured
        self.ply += 1;
    }

    fn actions(&self) -> Vec<String> {
        let mut actions = Vec::new();
        let placing = self.name == "cachex" || self.name == "watch-your-back" && self.ply < 24;
        for (x, y) in (0..26 * 26).map(|i| (i % 26, i / 26)) {
            let (piece, square) = (self.at(x, y), self.square(x, y));
            let rows = if self.seat == "white" { 0..6 } else { 2 * (self.seat == "black") as i32..26 };
            let centre = x == y && self.options.get("size") == Some(&(2 * x + 1).to_string());
            if piece == '?' || piece == '.' && placing && rows.contains(&y) && (self.ply > 0 || !centre) {
                actions.push(square);
            } else if piece.is_uppercase() && !placing {
                for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                    // A Cannon captures behind the first piece on its way; a jump goes over one.
                    let line = (1..8).map(|i| (x + i * dx, y + i * dy));
                    let line = line.filter(|(x, y)| piece != 'C' || self.at(*x, *y) != '.');
                    let mut near = line.skip((piece == 'C') as usize).take(1 + (piece == 'O') as usize);
                    if let Some((x, y)) = near.find(|(x, y)| self.may_enter(piece, self.at(*x, *y))) {
                        actions.push(format!("{square}-{}", self.square(x, y)));
                    }
                }
            }
        }
        actions.extend((self.name == "cachex" && self.ply == 1).then(|| "steal".to_string()));
        if actions.is_empty() { vec!["pass".to_string()] } else { actions }
    }

    /// Whether a piece that can get to where `other` stands may go there.
    fn may_enter(&self, piece: char, other: char) -> bool {
        match (piece, other.to_ascii_uppercase()) {
            ('C', _) => other == '?' || other.is_lowercase(),
            _ if !other.is_lowercase() || piece == 'O' => other == '.',
            ('K', 'K') => self.options["general-takes-general"] == "yes",
            ('K', 'P') => self.options["general-takes-soldier"] == "yes",
            ('P', 'K') => true,
            (_, 'C') => piece != 'P',
            (_, theirs) => "KGMRNP".find(piece) <= "KGMRNP".find(theirs),
        }
    }
}

fn main() {
    let (mut game, mut random) = (Game::default(), 0_u64);
    let mut tuned = HashMap::new(); // values of parameters, as a tuning sets them: also in `game.options`
    for line in std::io::stdin().lines().map_while(Result::ok) {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["referee", ..] => println!("bot 1 starter-rust tunes"),
            ["set", name, value] => drop(tuned.insert(name.to_string(), value.to_string())),
            ["start", name, seat, ref fields @ ..] => {
                let pairs = fields.iter().filter_map(|field| field.split_once('='));
                let mut options = tuned.clone();
                options.extend(pairs.map(|(k, v)| (k.to_string(), v.to_string())));
                random = options["seed"].parse().unwrap();
                game = Game { name: name.into(), seat: seat.into(), options, ..Game::default() };
                println!("ready");
            }
            ["did", seat, action, ref public @ ..] => game.did(seat, action, public),
            ["act", ..] => {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                println!("{}", choose(&game, &game.actions(), (random >> 33) as usize));
            }
            _ => {}
        }
    }
}
