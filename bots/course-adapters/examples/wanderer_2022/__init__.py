"""An agent as students of 2022 wrote them. It plays Cachex at random, by the rules."""

from .player import Player
