#!/usr/bin/env python3
"""Tron, the rules: two to four cycles leave trails, all at once, and the last one that drives wins.

A cycle drives to a free cell beside it. It crashes where another enters that cell at the same time, and where no cell
beside it is free. A seat has a point for each other that crashed before it, and half a point for each at the same time.
"""

from game import Dropped, act, board, end, rules, serve

STEPS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
COLOURS = ["red", "blue", "green", "orange"]
LOOKS = {head: f"disc {colour}" for head, colour in zip("ABCD", COLOURS)}
LOOKS.update({trail: f"block {colour}" for trail, colour in zip("abcd", COLOURS)})


@rules(
    "tron",
    seats="2..4",
    options={"size": ("4..40", 12, "columns and rows of the board")},
    reasons={"last_one": "one cycle was left", "all_crashed": "the last cycles crashed together"},
    has="legal offers drop",
)
def tron(game):
    last, seats = game.options["size"] - 1, range(len(game.seats))
    heads = [(0, 0), (last, last), (last, 0), (0, last)][: len(seats)]
    cells = {(x, y): "." for y in range(last + 1) for x in range(last + 1)}
    cells.update(zip(heads, "ABCD"))
    # When a seat was out: the later, the better. Seats that left are below all that crashed.
    out, turn, gone = {}, 0, 0

    def beside(seat, direction):
        return tuple(map(sum, zip(heads[seat], STEPS[direction])))

    def free(seat):
        return [direction for direction in STEPS if cells.get(beside(seat, direction)) == "."]

    def leave(seat, when):
        out[seat] = when
        game.tell(f"out {game.seats[seat]}")

    def show(seat):
        letters = "".join(cells.values())
        return board([letters[y : y + last + 1] for y in range(0, len(letters), last + 1)], LOOKS)

    game.show = show
    while len(out) < len(seats) - 1:
        driving = [seat for seat in seats if seat not in out]
        try:
            directions = yield act(*driving, can={seat: free(seat) for seat in driving})
        except Dropped as dropped:
            leave(dropped.seat, gone - len(seats))
            gone += 1
            continue
        turn += 1
        entered = [beside(seat, direction) for seat, direction in zip(driving, directions)]
        for seat, cell in zip(driving, entered):
            cells[heads[seat]], cells[cell] = "abcd"[seat], "ABCD"[seat]
            heads[seat] = cell
        for seat, cell in zip(driving, entered):
            if entered.count(cell) > 1 or not free(seat):
                leave(seat, turn)
    when = [out.get(seat, turn + 1) for seat in seats]
    points = [sum((it > other) + (it == other) / 2 for other in when) - 0.5 for it in when]
    return end(points, "last_one" if len(out) < len(seats) else "all_crashed")


if __name__ == "__main__":
    serve(tron)
