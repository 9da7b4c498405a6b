from wanderer_2018 import Player as Wanderer
