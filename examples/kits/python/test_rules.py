"""Tests of the rules: `python3 -m unittest` in their folder."""

import random
import unittest

from game import Match, Refusal
from rules import play


class Rules(unittest.TestCase):
    def test_the_last_stone_wins(self):
        match = Match(play, stones=4)
        match.play("1")
        match.play("3")
        self.assertEqual(match.end, ([0, 1], "last_stone"))

    def test_nobody_takes_more_than_there_are(self):
        match = Match(play, stones=2)
        self.assertEqual(match.legal(0), ["1", "2"])
        with self.assertRaises(Refusal):
            match.play("3")

    def test_every_game_ends(self):
        for seed in range(100):
            chance, match = random.Random(seed), Match(play, seed)
            while match.acting:
                match.play(*[chance.choice(match.legal(seat)) for seat in match.acting])
            self.assertEqual(sum(match.end[0]), 1)


if __name__ == "__main__":
    unittest.main()
