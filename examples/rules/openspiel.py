#!/usr/bin/env python3
"""The rules of any game of OpenSpiel: `python3 openspiel.py --game "hex(board_size=5)"`.

Games with the parameter `players` have any number of seats, unless NAME gives it: `kuhn_poker(players=3)`. Chance is
drawn from the seed. Where something is hidden, a seat hears its own information alone, when it acts.
"""

import argparse
import re

import pyspiel

from game import Game, act, end, illegal, serve
from wrapping import axes, drawn, one_word

parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--game", required=True, metavar="NAME", help="a name, with parameters in brackets after it")
NAME = parser.parse_args().game
GAME = pyspiel.load_game(NAME)
TYPE = GAME.get_type()
if TYPE.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
    parser.error(f"{GAME} draws lots by itself, so that no seed repeats it")
GIVEN = {key: value for key, value in pyspiel.game_parameters_from_string(NAME).items() if key != "name"}
COUNTS = range(max(TYPE.min_num_players, 2), TYPE.max_num_players + 1)


def loads(players):
    try:
        return pyspiel.load_game(TYPE.short_name, {**GIVEN, "players": players})
    except pyspiel.SpielError:
        return None


# Some games have 2 or 4 players and not 3.
ANY = "players" in TYPE.parameter_specification and "players" not in GIVEN and all(map(loads, COUNTS))
HIDDEN = TYPE.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
INFORMATION = "information_state_string" if TYPE.provides_information_state_string else "observation_string"

STARTED = (loads(COUNTS[0]) if ANY else GAME).new_initial_state()
AXES = {} if STARTED.is_chance_node() or STARTED.is_simultaneous_node() else axes(
    str(STARTED), [(STARTED.action_to_string(it), str(STARTED.child(it))) for it in STARTED.legal_actions()])


class Wrapped(Game):
    name, version = re.sub("[^A-Za-z0-9.]+", "-", str(GAME)).strip("-")[:64], pyspiel.__version__
    seats = " ".join(f"p{seat + 1}" for seat in range(GAME.num_players()))
    if ANY:
        seats = f"{COUNTS[0]}..{COUNTS[-1]}"
    reasons = {"over": "the game is over"}
    has = "legal hidden" if HIDDEN else "legal"

    def start(self):
        self.state = (loads(len(self.seats)) if ANY else GAME).new_initial_state()
        self.everybody = range(len(self.seats))
        self.advance()

    def advance(self):
        """Draws lots until a seat acts."""
        self.tokens = {}
        while self.state.is_chance_node():
            outcomes, weights = zip(*self.state.chance_outcomes())
            outcome = self.random.choices(outcomes, weights)[0]
            if not HIDDEN:
                self.tell("chance " + one_word(self.state.action_to_string(outcome)))
            self.state.apply_action(outcome)
        at_once, mover = self.state.is_simultaneous_node(), self.state.current_player()
        for seat in filter(self.state.legal_actions, self.everybody if at_once else {mover} & {*self.everybody}):
            actions = self.state.legal_actions(seat)
            names = [one_word(self.state.action_to_string(seat, action)) for action in actions]
            # By number where two have one name.
            self.tokens[seat] = dict(zip(names if len(set(names)) == len(names) else map(str, actions), actions))
            if HIDDEN:
                self.see(seat, one_word(getattr(self.state, INFORMATION)(seat)))

    def turn(self):
        return act(*self.tokens) if self.tokens else end(self.state.returns(), "over")

    def legal(self, seat):
        return list(self.tokens[seat])

    def play_together(self, actions):
        for seat, action in actions.items() if not HIDDEN else []:
            self.did(seat, action)
        chosen = {seat: self.tokens[seat][action] for seat, action in actions.items()}
        if self.state.is_simultaneous_node():
            self.state.apply_actions([chosen.get(seat, 0) for seat in self.everybody])
        else:
            self.state.apply_action(*chosen.values())
        self.advance()

    def show(self, seat):
        if seat is None or not HIDDEN:
            return drawn(str(self.state), axes=AXES)
        return drawn(getattr(self.state, INFORMATION)(seat), axes=AXES) if seat in self.tokens else ["text (not its turn)"]


serve(Wrapped)
