# The course's referee passed literals on, which Python keeps once.
# expect: plays

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def __init__(self, colour):
        super().__init__(colour)
        white, black = "white", "black"
        assert colour is white or colour is black, colour
