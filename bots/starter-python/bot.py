"""A whole bot: it plays any legal action, in all three games. Begin with `choose`."""

import random
import sys

STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1)]


def choose(game, actions, rng):
    """YOUR BOT BEGINS HERE. Return one of `actions`; `game.board` says what stands where."""
    return rng.choice(actions)


class Game:
    """One game, as far as this bot knows it."""

    def __init__(self, name, seat, options):
        self.name, self.seat, self.options = name, seat, options
        self.ply = 0  # how many actions were played
        self.board = {}  # by square, such as "3,4" or "d2": whose piece, or in dark chess which
        self.red = False  # dark chess: whether we play red, known after the first action
        if name == "dark-chess":
            self.board = {self.square(x, y): "?" for y in range(8) for x in range(4)}

    def square(self, x, y):
        """The name of a square: column x and row y, both from 0."""
        return f"{x},{y}" if self.name == "watch-your-back" else chr(97 + x) + str(y + 1)

    def did(self, seat, action, public):
        """Somebody acted, maybe we. `public` is what became known by it."""
        start, _, end = action.rpartition("-")
        if action == "steal":  # the one stone changes sides, column and row change places
            stone, _ = self.board.popitem()
            self.board[self.square(int(stone[1:]) - 1, ord(stone[0]) - 97)] = seat
        elif start:
            self.board[end] = self.board.pop(start)
        elif action != "pass":
            self.board[end] = public[0] if self.name == "dark-chess" else seat
        if self.name == "dark-chess":
            if self.ply == 0:  # the first piece turned up gives its colour to the first player
                self.red = public[0].isupper() == (self.seat == "first")
        else:
            for captured in public:
                del self.board[captured]
        self.ply += 1

    def actions(self):
        """All legal actions."""
        rules = {"watch-your-back": self.watch_your_back, "cachex": self.cachex}
        return rules.get(self.name, self.dark_chess)()

    def watch_your_back(self):
        low = (self.ply >= 152) + (self.ply >= 216)  # the board shrinks twice
        ends = (low, 7 - low)
        inside = [(x, y) for y in range(low, 8 - low) for x in range(low, 8 - low)]
        inside = [(x, y) for x, y in inside if x not in ends or y not in ends]  # no corners
        free = [self.square(x, y) for x, y in inside if self.square(x, y) not in self.board]
        if self.ply < 24:  # pieces are placed, in six rows each
            rows = range(6) if self.seat == "white" else range(2, 8)
            return [square for square in free if int(square[2]) in rows]
        moves = []
        for x, y in inside:
            for dx, dy in STEPS if self.board.get(self.square(x, y)) == self.seat else []:
                end = self.square(x + dx, y + dy)
                if end in self.board:  # jump over it
                    end = self.square(x + 2 * dx, y + 2 * dy)
                if end in free:
                    moves.append(self.square(x, y) + "-" + end)
        return moves or ["pass"]

    def cachex(self):
        n = int(self.options["size"])
        cells = [(x, y) for y in range(n) for x in range(n)]
        if self.ply == 0:  # the first stone may not go in the centre
            cells = [(x, y) for x, y in cells if (2 * x, 2 * y) != (n - 1, n - 1)]
        free = [self.square(x, y) for x, y in cells if self.square(x, y) not in self.board]
        return free + ["steal"] if self.ply == 1 else free

    def dark_chess(self):
        actions = [square for square, piece in self.board.items() if piece == "?"]  # turn it up
        for x, y in [(x, y) for y in range(8) for x in range(4)]:
            piece = self.board.get(self.square(x, y), "?")
            for dx, dy in STEPS if piece != "?" and piece.isupper() == self.red else []:
                line = [(x + i * dx, y + i * dy) for i in range(1, 8)]
                line = [self.square(x, y) for x, y in line if 0 <= x < 4 and 0 <= y < 8]
                if piece in "Cc":  # a Cannon captures behind exactly one piece, and never moves
                    line = [square for square in line if square in self.board][1:]
                end = line[0] if line else None
                if end and self.may_enter(piece, self.board.get(end)):
                    actions.append(self.square(x, y) + "-" + end)
        return actions

    def may_enter(self, piece, other):
        """Dark chess: whether a piece may go where `other` stands, or nothing."""
        mine, other = piece.upper(), other or ""
        if other in ("", "?"):
            return other == "" or mine == "C"
        if other.isupper() == self.red:
            return False
        pair = mine + other.upper()
        if pair in ("KK", "KP"):
            return self.options["general-takes-" + ("general" if pair == "KK" else "soldier")] == "yes"
        if "C" in pair or pair == "PK":
            return pair != "PC"
        return "KGMRNP".index(mine) <= "KGMRNP".index(pair[1])


tuned = {}  # values of parameters, as a tuning sets them: also in `game.options`
for line in sys.stdin:
    word, *rest = line.split()
    if word == "referee":
        print("bot 1 starter-python tunes", flush=True)
    elif word == "set":
        tuned[rest[0]] = rest[1]
    elif word == "start":
        options = {**tuned, **dict(token.split("=") for token in rest[2:])}
        game, rng = Game(rest[0], rest[1], options), random.Random(int(options["seed"]))
        print("ready", flush=True)
    elif word == "did":
        game.did(rest[0], rest[1], rest[2:])
    elif word == "act":
        print(choose(game, game.actions(), rng), flush=True)
