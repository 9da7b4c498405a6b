# package: team
# expect: plays

from wanderer_2022 import Player as Wanderer

Player = Wanderer
