# expect: crash: raised RecursionError: maximum recursion depth exceeded

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        return self.action(turns)
