# expect: crash: called exit: SystemExit: 0 at agent.py:8

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        exit(0)
