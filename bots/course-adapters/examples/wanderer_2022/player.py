import random

AROUND = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]


class Player:
    def __init__(self, player, n):
        self.n = n
        self.stones = {}
        self.turns = 0

    def action(self):
        if self.turns == 1 and random.random() < 0.5:
            return ("STEAL",)
        cells = [(r, q) for r in range(self.n) for q in range(self.n)]
        free = [cell for cell in cells if cell not in self.stones]
        if self.turns == 0:
            free = [(r, q) for r, q in free if (2 * r, 2 * q) != (self.n - 1, self.n - 1)]
        return ("PLACE",) + random.choice(free)

    def turn(self, player, action):
        self.turns += 1
        if action == ("STEAL",):
            ((r, q),) = self.stones
            self.stones = {(q, r): player}
            return
        cell = action[1:]
        self.stones[cell] = player
        captured = set()
        for one, other in zip(AROUND, AROUND[1:] + AROUND[:1]):
            # The new stone at a sharp corner, then at a blunt one.
            far = one[0] + other[0], one[1] + other[1]
            captured |= self.capture(player, cell, far, one, other)
            before = one[0] - other[0], one[1] - other[1]
            captured |= self.capture(player, cell, one, before, other)
        for stone in captured:
            del self.stones[stone]

    def capture(self, player, cell, mine, *theirs):
        """The stones that a diamond takes, given where its other corners are from the new stone."""

        def at(offset):
            return cell[0] + offset[0], cell[1] + offset[1]

        owners = [self.stones.get(at(offset)) for offset in theirs]
        if self.stones.get(at(mine)) != player or None in owners or player in owners:
            return set()
        return {at(offset) for offset in theirs}
