from wanderer_2022 import Player as Wanderer
