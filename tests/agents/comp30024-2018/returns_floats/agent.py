# expect: illegal_action: one of these is a float

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        x, y = super().action(turns)
        return x / 1, y
