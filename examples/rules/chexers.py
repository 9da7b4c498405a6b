#!/usr/bin/env python3
"""Chexers, the rules: three seats on hexagons race four pieces off the board. The game of COMP30024 in 2019.

A cell is `q,r`. A jump over a piece of another seat takes it over. docs/rules/chexers.md has the rules in words.
"""

import re

from game import Game, act, board, end, illegal, serve, unparsable

SPAN = range(-3, 4)
CELLS = [(q, r) for q in SPAN for r in SPAN if -q - r in SPAN]
STEPS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
EMPTY, GAP, PIECES = ".", "~", "RGB"
LOOKS = {"R": "disc red", "G": "disc green", "B": "disc blue", GAP: "gap none"}
LABELS = " ".join(map(str, SPAN))
CELL = "(?:0|-?[1-9]),(?:0|-?[1-9])"
FORM = re.compile(f"(?:move|jump):({CELL}):({CELL})|exit:({CELL})|pass")
EXITS = 4


def along(seat, cell):
    """How far this cell is along the way of a seat: from -3, where its pieces begin, to 3, where they leave."""
    q, r = cell
    return (q, r, -q - r)[seat]


def name(cell):
    return "{},{}".format(*cell)


def ahead(cell, step, by=1):
    return cell[0] + by * step[0], cell[1] + by * step[1]


class Chexers(Game):
    name = "chexers"
    seats = "red green blue"
    options = {
        "turns": ("1..256", 256, "turns of each seat, then the game is drawn"),
        "points": ("winner|exits", "winner", "1 for the winner, or 1 for each piece off the board"),
    }
    reasons = {
        "four_exits": "a seat brought four pieces off the board",
        "repetition": "a position occurred four times",
        "turn_limit": "each seat had all its turns",
        "last_one": "the others left",
    }
    has = "legal offers drop score"

    def start(self):
        self.cells = dict.fromkeys(CELLS, EMPTY)
        for seat, piece in enumerate(PIECES):
            self.cells.update({cell: piece for cell in CELLS if along(seat, cell) == -3})
        self.plies, self.seen, self.left = 0, {}, set(range(3))
        self.remember()

    def remember(self):
        while self.plies % 3 not in self.left:
            self.plies += 1
        self.seat = self.plies % 3
        position = (self.seat, *self.cells.values())
        self.times = self.seen[position] = self.seen.get(position, 0) + 1
        self.actions = self.available()

    def turn(self):
        if EXITS in self.score:
            return end(self.points([int(exits == EXITS) for exits in self.score]), "four_exits")
        if len(self.left) == 1:
            return end(self.points([int(seat in self.left) for seat in range(3)]), "last_one")
        if self.times == 4 or self.plies >= 3 * self.options["turns"]:
            return end(self.points([1 / 3] * 3), "repetition" if self.times == 4 else "turn_limit")
        return act(self.seat)

    def points(self, usual):
        return self.score if self.options["points"] == "exits" else usual

    def available(self):
        """The actions of the seat that acts, and where each leads: from, to and over which cell."""
        actions = {}
        for cell in (cell for cell in CELLS if self.cells[cell] == PIECES[self.seat]):
            if along(self.seat, cell) == 3:
                actions[f"exit:{name(cell)}"] = cell, None, None
            for step in STEPS:
                near, far = ahead(cell, step), ahead(cell, step, 2)
                if self.cells.get(near) == EMPTY:
                    actions[f"move:{name(cell)}:{name(near)}"] = cell, near, None
                elif self.cells.get(far) == EMPTY:
                    actions[f"jump:{name(cell)}:{name(far)}"] = cell, far, near
        return actions or {"pass": (None, None, None)}

    def legal(self, seat):
        return list(self.actions)

    def check(self, seat, action):
        form = FORM.fullmatch(action)
        if not form:
            raise unparsable("move:Q,R:Q,R or jump:Q,R:Q,R or exit:Q,R or pass")
        if action in self.actions:
            return
        if action == "pass":
            other = next(iter(self.actions))
            raise illegal(f"a pass is legal only when there is no other action, and {other} is possible")
        first, to, last = (text and tuple(map(int, text.split(","))) for text in form.groups())
        if self.cells.get(first or last) != PIECES[seat]:
            raise illegal(f"there is no piece of {self.seats[seat]} on {name(first or last)}")
        if last:
            raise illegal(f"{self.seats[seat]} does not leave the board from {name(last)}")
        if self.cells.get(to) != EMPTY:
            raise illegal(f"{name(to)} is taken" if to in self.cells else f"{name(to)} is not on the board")
        if action.startswith("move"):
            raise illegal(f"{name(to)} is not beside {name(first)}")
        raise illegal(f"from {name(first)} to {name(to)} there is no piece to jump over")

    def play(self, seat, action):
        cell, to, over = self.actions[action]
        taken = over and self.cells[over] != PIECES[seat]
        if cell:
            self.cells[cell] = EMPTY
            self.cells.update({it: PIECES[seat] for it in (to, over) if it})
            self.score[seat] += to is None
        self.did(seat, action, *[name(over)] if taken else [])
        self.plies += 1
        self.remember()

    def drop(self, seat):
        """Its pieces stay, can be jumped over and are taken over so."""
        self.left.remove(seat)
        self.tell(f"left {self.seats[seat]}")
        if seat == self.seat:
            self.remember()

    def show(self, seat):
        rows = ["".join(self.cells.get((q, r), GAP) for q in SPAN) for r in SPAN]
        text = "exits: " + ", ".join(f"{name} {exits}" for name, exits in zip(self.seats, self.score))
        return board(rows, LOOKS, hexagons=True, text=text, more=[f"columns {LABELS}", f"rows {LABELS}"])


if __name__ == "__main__":
    serve(Chexers)
