from wanderer_2022 import Player as Wanderer

__all__ = ["Wanderer"]
