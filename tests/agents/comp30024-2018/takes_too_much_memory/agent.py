# A little at a time, so that it is seen before the system refuses more.
# expect: memory: the limit is 112.0 MiB

import time

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        hoard = []
        while len(hoard) < 14:
            hoard.append(b"x" * (10 << 20))
            time.sleep(0.02)
        time.sleep(10)
