# The course compared what an agent returned with its own actions, and 1.0 equals 1.
# expect: plays

from wanderer_2019 import Player as Wanderer


class Player(Wanderer):
    def action(self):
        name, where = super().action()
        if name in ("MOVE", "JUMP"):
            where = tuple(tuple(float(number) for number in cell) for cell in where)
        return name, where
