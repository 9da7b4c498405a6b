"""An agent as students of 2019 wrote them. It plays Chexers at random, by the rules."""

from .player import Player
