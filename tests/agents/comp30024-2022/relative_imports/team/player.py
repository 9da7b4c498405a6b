from .inner.brain import Player

__all__ = ["Player"]
