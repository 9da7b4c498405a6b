# The one at the top is meant, whatever lies below it.
# package: team
# expect: plays
# log: [adapter] playing Player of `Player` in
from wanderer_2018 import Player as Wanderer


class Player(Wanderer):
    pass
