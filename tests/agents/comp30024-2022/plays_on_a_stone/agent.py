# expect: illegal_action: is taken by a
# log: in the referee's notation

from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    def action(self):
        return ("PLACE", 2, 0) if self.turns < 2 else ("PLACE",) + next(iter(self.stones))
