# A numpy integer is no int; where there is no numpy, a class stands in for it.
# expect: illegal_action: coordinates are Python's own int, and one of these is a numpy.int64

try:
    from numpy import int64
except ImportError:

    class int64:
        def __init__(self, value):
            self.value = value

        def __index__(self):
            return self.value

    int64.__module__ = "numpy"

from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    def action(self, turns):
        x, y = super().action(turns)
        return int64(x), int64(y)
