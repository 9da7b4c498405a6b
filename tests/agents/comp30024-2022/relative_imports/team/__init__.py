# package: team
# expect: plays

from .player import Player

__all__ = ["Player"]
