# Integers of numpy are no int; where there is no numpy, a class stands in for it.
# expect: illegal_action: r and q are exactly int, and one of these is a numpy.int64

try:
    from numpy import int64
except ImportError:

    class int64(int):
        pass

    int64.__module__ = "numpy"

from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    def action(self):
        return "PLACE", int64(0), int64(1)
