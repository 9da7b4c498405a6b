# expect: plays

import os

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        if self.board.played < 2:
            for descriptor in (0, 1, 2):
                os.close(descriptor)
        return super().action(turns)
