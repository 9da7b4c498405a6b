# package: ./team/player.py
# expect: plays

from team.helper import Wanderer


class Player(Wanderer):
    pass
