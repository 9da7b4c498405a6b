# The course's referee searched the folder above alone.
# package: team --lenient
# expect: plays

from helper import Wanderer


class Player(Wanderer):
    pass
