#!/usr/bin/env python3
"""Connect Four, the rules: speaks `rules 1` on stdin and stdout."""

import sys

HELLO = """game connect-four 1
seats yellow red
option width 4..12 7 columns
option height 4..12 6 rows
reason four_in_a_row four discs in a row
reason board_full the board is full
has legal"""


class Game:
    def __init__(self, width, height):
        self.width, self.height = width, height
        self.columns = [[] for _ in range(width)]
        self.seat, self.end = 0, None

    def at(self, column, row):
        inside = 0 <= column < self.width and 0 <= row < len(self.columns[column])
        return self.columns[column][row] if inside else None

    def wins(self, column, row):
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            length = 1
            for way in (1, -1):
                x, y = column + way * dx, row + way * dy
                while self.at(x, y) == self.at(column, row):
                    x, y, length = x + way * dx, y + way * dy, length + 1
            if length >= 4:
                return True
        return False

    def legal(self):
        return [str(c + 1) for c in range(self.width) if len(self.columns[c]) < self.height]

    def play(self, seat, action):
        """What is wrong with the action, or None."""
        if self.end or seat != self.seat:
            return "illegal it is not your turn"
        if action not in [str(c + 1) for c in range(self.width)]:
            return f"unparsable a column from 1 to {self.width}"
        column = int(action) - 1
        if action not in self.legal():
            return f"illegal column {action} is full"
        self.columns[column].append(seat)
        if self.wins(column, len(self.columns[column]) - 1):
            self.end = f"end {1 - seat} {seat} four_in_a_row"
        elif not self.legal():
            self.end = "end 0.5 0.5 board_full"
        self.seat = 1 - seat
        return None

    def next(self):
        return self.end or f"act {self.seat}"

    def show(self):
        letters = {None: ".", 0: "y", 1: "r"}
        rows = ("".join(letters[self.at(c, r)] for c in range(self.width)) for r in range(self.height))
        return (f"grid {self.width} {self.height} " + "/".join(reversed(list(rows)))
                + "\ncolumns " + " ".join(str(c + 1) for c in range(self.width))
                + "\npiece y disc yellow\npiece r disc red")


def main():
    game = None
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "rules":
            answer = HELLO
        elif word == "new":
            options = dict(pair.split("=", 1) for pair in rest)
            game = Game(int(options["width"]), int(options["height"]))
            answer = game.next()
        elif word == "play":
            answer = game.play(int(rest[0]), rest[1]) or game.next()
        elif word == "legal":
            actions = game.legal() if not game.end and int(rest[0]) == game.seat else []
            answer = " ".join(["can", rest[0], *actions])
        elif word == "show":
            answer = game.show()
        else:
            return
        refused = answer.startswith(("illegal", "unparsable"))
        print(answer if refused else answer + "\nok", flush=True)


main()
