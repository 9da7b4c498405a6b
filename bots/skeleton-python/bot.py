"""A bot for any game whose rules offer actions. It knows the protocol and no game: begin with `choose`."""

import random
import sys


def choose(game):
    """YOUR BOT BEGINS HERE. Return one of `game.actions`; `game.events` has all that happened."""
    return game.random.choice(game.actions)


class Game:
    """One game, as this bot was told of it."""

    def __init__(self, name, seat, *fields):
        self.name, self.seat = name, seat
        self.options = dict(field.split("=", 1) for field in fields)
        self.random = random.Random(self.options["seed"])
        self.events = []  # such as ["did", "yellow", "4"] and ["see", "card", "7"], oldest first
        self.actions = []  # the legal ones
        self.clocks = []  # milliseconds left, ours first


for line in sys.stdin:
    word, *rest = line.split()
    if word == "referee":
        print("bot 1 skeleton-python", flush=True)
    elif word == "start":
        game = Game(*rest)
        print("ready", flush=True)
    elif word in ("did", "see"):
        game.events.append([word, *rest])
    elif word == "can":
        game.actions += rest
    elif word == "act":
        game.clocks = rest
        if not game.actions:
            sys.exit(f"the rules of {game.name} offer no actions: work them out from game.events")
        print(choose(game), flush=True)
        game.actions = []
