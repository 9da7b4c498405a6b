//! my-game, the rules: take one to three stones; the last stone wins. Change them to your game.

pub const HELLO: &str = "game my-game 1
seats first second
option stones 1..1000 21 stones at the start
reason last_stone the last stone was taken
has legal offers";

pub struct Game {
    /// The seat that acts.
    pub seat: usize,
    stones: u32,
}

impl Game {
    /// Begins a game, or says why these options do not fit. For chance, take `option("seed")`.
    pub fn new<'a>(option: &dyn Fn(&str) -> Option<&'a str>) -> Result<Self, String> {
        let stones = option("stones").and_then(|value| value.parse().ok());
        let stones = stones.ok_or("illegal stones: expected a number")?;
        Ok(Self { seat: 0, stones })
    }

    /// The legal actions of a seat; none for a seat that does not act.
    pub fn legal(&self, seat: usize) -> Vec<String> {
        let most = if seat == self.seat { self.stones.min(3) } else { 0 };
        (1..=most).map(|count| count.to_string()).collect()
    }

    /// Plays an action, or refuses it and changes nothing.
    pub fn play(&mut self, seat: usize, action: &str) -> Result<(), String> {
        if seat != self.seat || self.end().is_some() {
            return Err("illegal it is not your turn".to_owned());
        }
        if !["1", "2", "3"].contains(&action) {
            return Err("unparsable a number from 1 to 3".to_owned());
        }
        if !self.legal(seat).iter().any(|legal| legal == action) {
            return Err(format!("illegal there are fewer than {action} stones"));
        }
        self.stones -= action.parse::<u32>().map_err(|error| error.to_string())?;
        self.seat = 1 - seat;
        Ok(())
    }

    /// Points and reason, once the game is over.
    pub fn end(&self) -> Option<String> {
        let winner = 1 - self.seat;
        (self.stones == 0).then(|| format!("end {} {winner} last_stone", 1 - winner))
    }

    pub fn show(&self) -> String {
        format!("text {} stones", self.stones)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(stones: &'static str) -> Game {
        Game::new(&|_| Some(stones)).expect("a number")
    }

    #[test]
    fn the_last_stone_wins() {
        let mut game = game("4");
        game.play(0, "1").expect("legal");
        game.play(1, "3").expect("legal");
        assert_eq!(game.end().as_deref(), Some("end 0 1 last_stone"));
    }

    #[test]
    fn nobody_takes_more_than_there_are() {
        let mut game = game("2");
        assert_eq!(game.legal(0), ["1", "2"]);
        game.play(0, "3").expect_err("refused");
        game.play(1, "1").expect_err("not its turn");
    }
}
