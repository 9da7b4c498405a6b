# It forgot to return what it found.
# expect: illegal_action: at ply 3: action(2) returned None: None is a pass, and nobody passes in the placing phase
# expect: illegal_action: at ply 4: action(3) returned None: None is a pass, and nobody passes in the placing phase

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        action = super().action(turns)
        if turns < 2:
            return action
