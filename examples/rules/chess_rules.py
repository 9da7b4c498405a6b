#!/usr/bin/env python3
"""The rules of chess, by python-chess. Actions are in the notation of UCI: e2e4, e1g1, e7e8q."""

import re

import chess

from game import Game, act, board, end, illegal, serve, unparsable

PIECES = [chess.Piece.from_symbol(letter) for letter in "KQRBNPkqrbnp"]


class Chess(Game):
    name, version = "chess", chess.__version__
    seats = "white black"
    notation = "uci"
    options = {
        "start": ("text", "startpos", "the first position in FEN, with _ for each blank"),
        "draws": ("automatic|forced", "automatic", "draws by 3 equal positions and 50 quiet moves, or by 5 and 75"),
    }
    reasons = {
        "checkmate": "the king is in check and has no escape",
        "stalemate": "no legal move, and no check",
        "insufficient_material": "no side can give checkmate",
        "threefold_repetition": "the position for the third time",
        "fivefold_repetition": "the position for the fifth time",
        "fifty_moves": "50 moves of each side without a capture or a pawn's move",
        "seventyfive_moves": "75 moves of each side without a capture or a pawn's move",
    }

    def start(self):
        fen = self.options["start"].replace("_", " ")
        try:
            self.board = chess.Board(chess.STARTING_FEN if fen == "startpos" else fen)
        except ValueError as error:
            raise illegal(f"start: {error}")
        if not self.board.is_valid():
            raise illegal("start: no game leads to this position")

    def turn(self):
        automatic = self.options["draws"] == "automatic"
        outcome = self.board.outcome()
        if outcome:
            points = {None: [0.5, 0.5], chess.WHITE: [1, 0], chess.BLACK: [0, 1]}[outcome.winner]
            return end(points, outcome.termination.name.lower())
        if automatic and self.board.is_repetition(3):
            return end([0.5, 0.5], "threefold_repetition")
        if automatic and self.board.is_fifty_moves():
            return end([0.5, 0.5], "fifty_moves")
        return act(0 if self.board.turn == chess.WHITE else 1)

    def legal(self, seat):
        return sorted(move.uci() for move in self.board.legal_moves)

    def check(self, seat, action):
        if not re.fullmatch("([a-h][1-8]){2}[nbrq]?", action):
            raise unparsable("the notation of UCI, such as e2e4, e1g1 or e7e8q")
        super().check(seat, action)

    def play(self, seat, action):
        self.board.push_uci(action)

    def show(self, seat):
        look = {it.symbol(): f"none {chess.COLOR_NAMES[it.color]} {chess.UNICODE_PIECE_SYMBOLS[it.symbol().lower()]} "
                             f"{chess.COLOR_NAMES[it.color]} {chess.piece_name(it.piece_type)}" for it in PIECES}
        last = self.board.peek().uci() if self.board.move_stack else ""
        return board(str(self.board).replace(" ", "").split("\n"), look, marks=[last[:2], last[2:4]] if last else [])


serve(Chess)
