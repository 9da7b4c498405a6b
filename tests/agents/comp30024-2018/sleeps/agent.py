# Time on the wall is not time on a processor.
# expect: plays

import time

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        if turns == 2:
            time.sleep(0.3)
        return super().action(turns)
