# The kernel may tell the adapter of a line after it has read that line.
# expect: plays

import os
import signal

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        os.kill(os.getpid(), signal.SIGIO)
        return super().action(turns)

    def update(self, action):
        os.kill(os.getpid(), signal.SIGIO)
        super().update(action)
