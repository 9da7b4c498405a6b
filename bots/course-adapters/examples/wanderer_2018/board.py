AROUND = [(1, 0), (-1, 0), (0, 1), (0, -1)]
CORNER = "corner"


class Board:
    def __init__(self):
        self.first, self.last = 0, 7
        self.squares = {}
        self.played = 0
        self.make_corners()

    def make_corners(self):
        a, z = self.first, self.last
        for square in [(a, a), (a, z), (z, z), (z, a)]:
            self.squares[square] = CORNER
            for dx, dy in AROUND:
                beside = square[0] + dx, square[1] + dy
                behind = square[0] + 2 * dx, square[1] + 2 * dy
                pieces = {self.squares.get(beside), self.squares.get(behind)}
                if pieces == {"white", "black"}:
                    del self.squares[beside]

    def is_free(self, square):
        return all(self.first <= part <= self.last for part in square) and square not in self.squares

    def actions(self, colour):
        if self.played < 24:
            rows = range(0, 6) if colour == "white" else range(2, 8)
            return [(x, y) for x in range(8) for y in rows if self.is_free((x, y))]
        moves = []
        for (x, y), piece in self.squares.items():
            for dx, dy in AROUND if piece == colour else []:
                step, jump = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
                if self.is_free(step):
                    moves.append(((x, y), step))
                elif self.squares.get(step, CORNER) != CORNER and self.is_free(jump):
                    moves.append(((x, y), jump))
        return moves

    def play(self, colour, action):
        if self.played < 24:
            self.arrive(colour, action)
        elif action is not None:
            del self.squares[action[0]]
            self.arrive(colour, action[1])
        self.played += 1
        if self.played - 24 in (128, 192):
            self.shrink()

    def arrive(self, colour, square):
        self.squares[square] = colour
        around = [(square[0] + dx, square[1] + dy) for dx, dy in AROUND]
        for beside in around:
            if self.squares.get(beside, CORNER) not in (CORNER, colour) and self.is_caught(beside):
                del self.squares[beside]
        if self.is_caught(square):
            del self.squares[square]

    def is_caught(self, square):
        x, y = square
        colour = self.squares[square]
        for dx, dy in [(1, 0), (0, 1)]:
            sides = self.squares.get((x + dx, y + dy)), self.squares.get((x - dx, y - dy))
            if None not in sides and colour not in sides:
                return True
        return False

    def shrink(self):
        self.first, self.last = self.first + 1, self.last - 1
        inside = range(self.first, self.last + 1)
        self.squares = {(x, y): piece for (x, y), piece in self.squares.items() if x in inside and y in inside}
        self.make_corners()
