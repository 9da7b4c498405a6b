# expect: crash: raised KeyError

from wanderer_2019 import Player as Wanderer


class Player(Wanderer):
    def update(self, colour, action):
        raise KeyError(colour)
