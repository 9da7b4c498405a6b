#!/usr/bin/env python3
"""Phantom tic-tac-toe, the rules: nobody sees the other's marks.

A seat that tries a taken cell learns of it and tries again.
"""

from game import act, board, end, rules, serve

CELLS = [column + row for row in "321" for column in "abc"]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
LOOKS = {"x": "cross blue", "o": "ring red"}


@rules(
    "phantom-tic-tac-toe",
    seats="x o",
    reasons={"three_in_a_row": "three marks in a row", "board_full": "the board is full"},
    has="legal hidden offers",
)
def phantom_tic_tac_toe(game):
    marks = dict.fromkeys(CELLS, ".")
    known = [dict(marks), dict(marks)]  # by seat

    def show(seat):
        seen = marks if seat is None else known[seat]
        letters = "".join(seen[cell] for cell in CELLS)
        return board([letters[:3], letters[3:6], letters[6:]], LOOKS)

    game.show = show
    seat = 0
    while "." in marks.values():
        cell = yield act(seat, can=[cell for cell in CELLS if known[seat][cell] == "."])
        if marks[cell] == ".":
            marks[cell] = known[seat][cell] = game.seats[seat]
            game.see(seat, f"{cell} is yours")
            if any(all(marks[CELLS[at]] == game.seats[seat] for at in line) for line in LINES):
                return end([1 - seat, seat], "three_in_a_row")
            seat = 1 - seat
        else:
            known[seat][cell] = marks[cell]
            game.see(seat, f"{cell} is taken")
    return end([0, 0], "board_full")


if __name__ == "__main__":
    serve(phantom_tic_tac_toe)
