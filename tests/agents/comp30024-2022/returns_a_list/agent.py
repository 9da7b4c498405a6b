# expect: illegal_action: expected a tuple, ("PLACE", r, q) or ("STEAL",); this is a list

from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    def action(self):
        return list(super().action())
