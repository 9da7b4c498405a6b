# expect: plays
# log: DEBUG:root:thinking

import logging
import sys

logging.basicConfig(stream=sys.stdout, level=logging.DEBUG)

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        logging.debug("thinking")
        if turns > 3:
            sys.stdout.close()
            sys.stderr = None
        return super().action(turns)
