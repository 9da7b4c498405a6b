# The child comes back from the call as the parent does.
# expect: plays

import os

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        action = super().action(turns)
        if turns < 4:
            os.fork()
        return action
