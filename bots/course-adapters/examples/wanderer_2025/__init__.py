"""An agent as students write them since 2023. It plays the game of any of those years at random, by the rules."""

from .program import Agent
