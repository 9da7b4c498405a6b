#!/usr/bin/env python3
"""The rules of a variant of chess, by pyffish: `python3 fairy_rules.py --variant crazyhouse`. Actions are as in UCI."""

import argparse
import re

import pyffish

from game import Game, act, board, end, illegal, serve, unparsable

parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--variant", required=True, metavar="NAME", help="such as crazyhouse, atomic, xiangqi or shogi")
VARIANT = parser.parse_args().variant
if VARIANT not in pyffish.variants():
    parser.error(f"pyffish has no variant `{VARIANT}`: it has {', '.join(pyffish.variants())}")


class Variant(Game):
    name, version = VARIANT, ".".join(map(str, pyffish.version()))
    seats = "white black"
    notation = "uci"
    options = {
        "variant": (VARIANT, VARIANT, "the variant, which engines are told"),
        "start": ("text", "startpos", "the first position in FEN, with _ for each blank"),
    }
    reasons = {
        "no_move": "a seat has no legal move",
        "variant_end": "an end of this variant",
        "insufficient_material": "no side can win",
        "repetition": "a position again, or too many quiet moves",
    }

    def start(self):
        text = self.options["start"].replace("_", " ")
        self.first = pyffish.start_fen(VARIANT) if text == "startpos" else text
        if pyffish.validate_fen(self.first, VARIANT) != pyffish.FEN_OK:
            raise illegal(f"start: no position of {VARIANT}")
        self.fen, self.moves = self.first, []
        self.advance()

    def advance(self, *moves):
        self.fen = pyffish.get_fen(VARIANT, self.fen, list(moves))
        self.mover = 0 if self.fen.split()[1] == "w" else 1
        self.actions = pyffish.legal_moves(VARIANT, self.fen, [])

    def turn(self):
        over, value = pyffish.is_immediate_game_end(VARIANT, self.fen, [])
        if over:
            return self.ended(value, "variant_end")
        if not self.actions:
            return self.ended(pyffish.game_result(VARIANT, self.fen, []), "no_move")
        if all(pyffish.has_insufficient_material(VARIANT, self.fen, [])):
            return self.ended(0, "insufficient_material")
        over, value = pyffish.is_optional_game_end(VARIANT, self.first, self.moves)
        return self.ended(value, "repetition") if over else act(self.mover)

    def ended(self, value, reason):
        """The end with a value for the seat to move: above 0, it has won."""
        points = [0.5, 0.5] if value == 0 else [1, 0] if (value > 0) == (self.mover == 0) else [0, 1]
        return end(points, reason)

    def legal(self, seat):
        return sorted(self.actions)

    def check(self, seat, action):
        if not re.fullmatch(r"[a-z][0-9]+[a-z][0-9]+.*|\+?[A-Z]@[a-z][0-9]+.*|[0-9]{4}", action):
            raise unparsable("the notation of UCI, such as e2e4, e7e8q or P@e5")
        super().check(seat, action)

    def play(self, seat, action):
        self.moves.append(action)
        self.advance(action)

    def show(self, seat):
        placed, _, hands = self.fen.split()[0].partition("[")
        rows = [re.sub(r"\d+", lambda empty: "." * int(empty[0]), row) for row in placed.split("/")]
        rows = [re.sub(r"[+~]", "", row) for row in rows]
        if len(set(map(len, rows))) > 1 or not re.fullmatch(r"[A-Za-z./]+", "/".join(rows)):
            return [f"text {self.fen}"]
        letters = {letter for row in rows for letter in row if letter != "."}
        look = {it: f"none {'white' if it.isupper() else 'black'} {it.upper()}" for it in sorted(letters)}
        return board(rows, look, more=[f"text in hand: {hands.rstrip(']') or 'nothing'}"] if hands else [])


serve(Variant)
