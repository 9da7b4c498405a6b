# package: ./teamname
# expect: plays
# log: weights: 1 2 3

from .player import Player

__all__ = ["Player"]
