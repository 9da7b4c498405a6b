from wanderer_2018 import Player

__all__ = ["Player"]
