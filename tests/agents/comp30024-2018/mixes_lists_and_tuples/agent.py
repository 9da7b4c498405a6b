# expect: illegal_action: expected two tuples or two lists, not one of each

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        action = super().action(turns)
        return action if isinstance(action[0], int) else (list(action[0]), action[1])
