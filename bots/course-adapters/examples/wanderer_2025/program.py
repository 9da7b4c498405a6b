import dataclasses
import random

import referee.game as game

CELL = getattr(game, "Coord", None) or game.HexPos
DIRECTIONS = list(getattr(game, "Direction", None) or game.HexDir)
KINDS = [cls for name, cls in sorted(vars(game).items()) if name.endswith("Action") and dataclasses.is_dataclass(cls)]


class Agent:
    def __init__(self, color, **referee):
        self.board = game.Board()

    def action(self, **referee):
        return next(action for action in iter(self.some_action, None) if self.is_legal(action))

    def update(self, color, action, **referee):
        self.board.apply_action(action)

    # The course of 2023 called it so.
    turn = update

    def some_action(self):
        kind = random.choice(KINDS)
        fields = dataclasses.fields(kind)
        cells = self.neighbouring(sum(field.type is CELL for field in fields))
        return kind(*[cells.pop() if field.type is CELL else random.choice(DIRECTIONS) for field in fields])

    def neighbouring(self, count):
        """Some cells, each but the first beside another."""
        cells = [CELL(random.randrange(game.BOARD_N), random.randrange(game.BOARD_N))]
        while len(cells) < count:
            try:
                cell = random.choice(cells) + random.choice(DIRECTIONS)
            except ValueError:
                continue  # Off the board.
            if cell not in cells:
                cells.append(cell)
        return cells

    def is_legal(self, action):
        try:
            self.board.apply_action(action)
        except game.IllegalActionException:
            return False
        self.board.undo_action()
        return True
