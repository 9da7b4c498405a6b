from .actions import GrowAction, HopAction, PlaceAction
from .constants import BOARD_N, MAX_TURNS
from .coord import Coord, Direction
from .exceptions import IllegalActionException
from .player import PlayerColor

CELLS = [Coord(r, c) for r in range(BOARD_N) for c in range(BOARD_N)]


def neighbours(cell):
    around = []
    for direction in Direction:
        try:
            around.append(cell + direction)
        except ValueError:
            pass
    return around


class Board:
    """Mosses: red and blue place, move and grow stones. More stones win when the board is full, or after 30 turns."""

    def __init__(self):
        self.stones = {}
        self.before = []

    @property
    def turn_count(self):
        return len(self.before)

    @property
    def turn_color(self):
        return PlayerColor(self.turn_count % 2)

    @property
    def game_over(self):
        return len(self.stones) == len(CELLS) or self.turn_count >= MAX_TURNS

    @property
    def winner_color(self):
        red, blue = [list(self.stones.values()).count(color) for color in PlayerColor]
        if not self.game_over or red == blue:
            return None
        return PlayerColor.RED if red > blue else PlayerColor.BLUE

    def apply_action(self, action):
        if isinstance(action, PlaceAction):
            gone, come = [], self.placed(action)
        elif isinstance(action, HopAction):
            gone, come = [action.coord], [self.hopped(action)]
        elif isinstance(action, GrowAction):
            gone, come = [], self.grown()
        else:
            self.refuse(f"{action!r} is no action")
        color = self.turn_color
        self.before.append(dict(self.stones))
        for cell in gone:
            del self.stones[cell]
        for cell in come:
            self.stones[cell] = color

    def undo_action(self):
        self.stones = self.before.pop()

    def refuse(self, words):
        raise IllegalActionException(words, self.turn_color)

    def placed(self, action):
        cells = sorted(action.coords)
        if len(cells) != 2 or cells[1] not in neighbours(cells[0]):
            self.refuse("two neighbouring cells are placed on")
        for cell in cells:
            if cell in self.stones:
                self.refuse(f"{cell} is taken")
        return cells

    def hopped(self, action):
        cell = action.coord
        if self.stones.get(cell) != self.turn_color:
            self.refuse(f"no stone of {self.turn_color} is on {cell}")
        for direction in action.directions:
            try:
                cell = cell + direction
            except ValueError:
                self.refuse(f"{direction} leads off the board")
            if cell in self.stones:
                self.refuse(f"{cell} is taken")
        return cell

    def grown(self):
        color = self.turn_color
        empty = [cell for cell in CELLS if cell not in self.stones]
        return [cell for cell in empty if [self.stones.get(it) for it in neighbours(cell)].count(color) >= 2]

    def render(self, use_color=False, use_unicode=False):
        letters = {None: ".", PlayerColor.RED: "R", PlayerColor.BLUE: "B"}
        rows = [[letters[self.stones.get(Coord(r, c))] for c in range(BOARD_N)] for r in range(BOARD_N)]
        return "\n".join(" ".join(row) for row in rows) + "\n"
