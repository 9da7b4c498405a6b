import random

from .board import Board


class Player:
    def __init__(self, colour):
        self.colour = colour
        self.board = Board()

    def action(self, turns):
        actions = self.board.actions(self.colour)
        action = random.choice(actions) if actions else None
        self.board.play(self.colour, action)
        return action

    def update(self, action):
        self.board.play("black" if self.colour == "white" else "white", action)
