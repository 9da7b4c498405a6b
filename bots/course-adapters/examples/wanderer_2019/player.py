import random

AROUND = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
BOARD = {(q, r) for q in range(-3, 4) for r in range(-3, 4) if abs(q + r) <= 3}
HOMES = {
    "red": [(-3, 0), (-3, 1), (-3, 2), (-3, 3)],
    "green": [(0, -3), (1, -3), (2, -3), (3, -3)],
    "blue": [(3, 0), (2, 1), (1, 2), (0, 3)],
}
GOALS = {
    "red": [(3, -3), (3, -2), (3, -1), (3, 0)],
    "green": [(-3, 3), (-2, 3), (-1, 3), (0, 3)],
    "blue": [(-3, 0), (-2, -1), (-1, -2), (0, -3)],
}


class Player:
    def __init__(self, colour):
        self.colour = colour
        self.pieces = {cell: owner for owner, cells in HOMES.items() for cell in cells}

    def action(self):
        actions = []
        for q, r in [cell for cell, owner in self.pieces.items() if owner == self.colour]:
            if (q, r) in GOALS[self.colour]:
                actions.append(("EXIT", (q, r)))
            for dq, dr in AROUND:
                near, far = (q + dq, r + dr), (q + 2 * dq, r + 2 * dr)
                if near in BOARD and near not in self.pieces:
                    actions.append(("MOVE", ((q, r), near)))
                elif far in BOARD and far not in self.pieces:
                    actions.append(("JUMP", ((q, r), far)))
        return random.choice(actions) if actions else ("PASS", None)

    def update(self, colour, action):
        name, where = action
        if name == "EXIT":
            del self.pieces[where]
        elif name != "PASS":
            (q, r), (to_q, to_r) = where
            del self.pieces[q, r]
            self.pieces[to_q, to_r] = colour
            if name == "JUMP":
                self.pieces[(q + to_q) // 2, (r + to_r) // 2] = colour
