#!/usr/bin/env python3
"""The rules of a classic game of PettingZoo: `python3 pettingzoo_rules.py --game connect_four_v3 --open`.

A game with parameters is written `texas_holdem_v4(num_players=3)`. Actions are numbers. A seat hears its own observation
alone, when it acts; with --open all hear all actions.
"""

import argparse
import ast
import importlib
import os
import re

os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "yes"  # Its greeting is not a line of the protocol.
import numpy
import pettingzoo

from game import Game, act, end, serve
from wrapping import drawn

parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--game", required=True, metavar="NAME", help="a module of pettingzoo.classic, with parameters in brackets")
parser.add_argument("--open", action="store_true", help="nothing is hidden in this game")
ARGUMENTS = parser.parse_args()
NAME, _, GIVEN = ARGUMENTS.game.rstrip(")").partition("(")
PARAMETERS = {key: ast.literal_eval(value) for key, value in re.findall(r"(\w+)=([^,]+)", GIVEN)}
MODULE = importlib.import_module("pettingzoo.classic." + NAME)
ENV = MODULE.env(**PARAMETERS)
if "ansi" in ENV.metadata["render_modes"]:
    ENV = MODULE.env(**PARAMETERS, render_mode="ansi")
AGENTS = ENV.possible_agents


class Wrapped(Game):
    name, version = re.sub("[^A-Za-z0-9._]+", "-", ARGUMENTS.game).strip("-")[:64], pettingzoo.__version__
    seats, reasons = " ".join(AGENTS), {"over": "the game is over"}
    has = "legal" if ARGUMENTS.open else "legal hidden"

    def start(self):
        ENV.reset(seed=self.seed % 2**31)
        self.points = dict.fromkeys(AGENTS, 0.0)
        self.advance()

    def advance(self):
        """Passes over seats that are out of the game."""
        while ENV.agents and (ENV.terminations[ENV.agent_selection] or ENV.truncations[ENV.agent_selection]):
            ENV.step(None)
        self.acting = [AGENTS.index(ENV.agent_selection)] if ENV.agents else []
        for seat in [] if ARGUMENTS.open else self.acting:
            self.see(seat, self.numbers(seat))

    def turn(self):
        return act(*self.acting) if self.acting else end([float(it) for it in self.points.values()], "over")

    def observation(self, seat):
        """An array, and the mask of legal actions, where the game has one."""
        try:
            seen, told = ENV.observe(AGENTS[seat]), ENV.infos.get(AGENTS[seat], {})
        except KeyError:  # Some games forget seats that are out of them.
            return numpy.zeros(0), None
        parts = seen if isinstance(seen, dict) else {"observation": seen}
        return numpy.asarray(parts["observation"]), parts.get("action_mask", told.get("action_mask"))

    def numbers(self, seat):
        seen, mask = self.observation(seat)
        digits = "" if mask is None else " " + "".join(str(int(it)) for it in mask)
        return ",".join(f"{value:g}" for value in seen.flat) + digits

    def legal(self, seat):
        _, mask = self.observation(seat)
        return [str(action) for action in range(ENV.action_space(AGENTS[seat]).n) if mask is None or mask[action]]

    def play(self, seat, action):
        ENV.step(int(action))
        self.points = {agent: points + ENV.rewards.get(agent, 0) for agent, points in self.points.items()}
        self.advance()

    def show(self, seat):
        if ENV.render_mode == "ansi" and (seat is None or ARGUMENTS.open):
            return drawn(ENV.render())
        cells = self.observation(0 if ARGUMENTS.open else seat or 0)[0]
        if cells.ndim == 3:  # The first plane has the seat's own pieces, the second its opponent's.
            return drawn("\n".join("".join("x" if it[0] else "o" if it[1] else "." for it in row) for row in cells))
        return [f"text {AGENTS[of]}: {self.numbers(of)}" for of in range(len(AGENTS)) if seat in (None, of)]


serve(Wrapped)
