from wanderer_2022 import Player

__all__ = ["Player"]
