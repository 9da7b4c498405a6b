# package: reprlib.py
# expect: plays

from wanderer_2022 import Player as Wanderer


class Player(Wanderer):
    pass
