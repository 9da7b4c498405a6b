# Killed in mid-call, it can say nothing more: the log has what it held on the way.
# expect: memory: the limit is 112.0 MiB
# log: [adapter] memory:
# log: in action(0) at agent.py:

import time

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        hoard = []
        while len(hoard) < 140:
            hoard.append(b"x" * (1 << 20))
            until = time.process_time() + 0.005
            while time.process_time() < until:
                pass
        time.sleep(10)
