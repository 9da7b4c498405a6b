#!/usr/bin/env python3
"""The rules of COMP30024 from 2023 on, by the course's own package: `python3 comp30024.py FOLDER`.

FOLDER holds the package `referee`. An action is written `spread:3-1:UpRight`, and there is no list of legal ones,
as the package has none. Of `adapter.py` this needs the notation: it lies beside this file, or where it was written.
"""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bots/course-adapters"))
from adapter import Actions, course_package
from game import Game, act, end, illegal, serve, unparsable
from wrapping import drawn

if len(sys.argv) != 2 or not os.path.isdir(os.path.join(sys.argv[1], "referee", "game")):
    sys.exit("usage: python3 comp30024.py FOLDER, where FOLDER holds the course's package `referee`")
sys.path.insert(0, os.path.abspath(sys.argv[1]))
package = course_package()
ACTIONS = Actions(package)
LOOKS = {"R": "disc red", "r": "disc red", "B": "disc blue", "b": "disc blue"}


class Wrapped(Game):
    name = package.GAME_NAME.lower().replace(" ", "-")
    seats = "red blue"
    reasons = {"win": "the course's rules name a winner", "draw": "the course's rules name no winner"}
    has = ""

    def start(self):
        self.board = package.Board()

    def turn(self):
        if not self.board.game_over:
            return act(self.board.turn_color.value)
        winner = self.board.winner_color
        points = [0.5, 0.5] if winner is None else [int(winner.value == seat) for seat in (0, 1)]
        return end(points, "draw" if winner is None else "win")

    def check(self, seat, action):
        try:
            ACTIONS.read(action)
        except ValueError:
            raise unparsable(ACTIONS.forms())

    def play(self, seat, action):
        try:
            self.board.apply_action(ACTIONS.read(action))
        except package.PlayerException as error:
            raise illegal(str(error.args[0]))

    def show(self, seat):
        return drawn(self.board.render(), LOOKS, {0: (0, 1), 1: (0, 1)})


serve(Wrapped)
