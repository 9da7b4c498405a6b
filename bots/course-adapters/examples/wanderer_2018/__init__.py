"""An agent as students of 2018 wrote them. It plays Watch Your Back! at random, by the rules."""

from .player import Player
