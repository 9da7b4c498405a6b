# package: agent.py:Gambler
# expect: plays

from wanderer_2018 import Player as Wanderer


class Gambler(Wanderer):
    pass
