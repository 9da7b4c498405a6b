#!/usr/bin/env python3
"""The rules of shogi, by python-shogi. Actions are in the notation of USI: 7g7f, 8h2b+, P*5e."""

import re

import shogi

from game import Game, act, board, end, illegal, serve, unparsable

CELLS = dict(zip("PLNSGBRK", "歩香桂銀金角飛玉")) | dict(zip(["+P", "+L", "+N", "+S", "+B", "+R"], "と杏圭全馬龍"))
LETTERS = dict(zip(CELLS, "PLNSGBRKTJEAHD"))


class Shogi(Game):
    name, version = "shogi", "1"
    seats = "black white"
    notation = "usi"
    options = {"start": ("text", "startpos", "the first position in SFEN, with _ for each blank")}
    reasons = {
        "checkmate": "the king is in check and has no escape, or no move is left",
        "fourfold_repetition": "the position for the fourth time",
        "perpetual_check": "the position for the fourth time, after checks alone",
    }

    def start(self):
        sfen = self.options["start"].replace("_", " ")
        try:
            self.board = shogi.Board(None if sfen == "startpos" else sfen)
        except (ValueError, IndexError, KeyError) as error:
            raise illegal(f"start: {error}")
        self.checks = []

    def turn(self):
        mover = self.board.turn
        if not any(True for _ in self.board.legal_moves):
            return end([mover, 1 - mover], "checkmate")
        if self.board.is_fourfold_repetition():
            return self.repeated()
        return act(mover)

    def repeated(self):
        """A seat that has given check with each of its moves since the position was there first loses."""
        key, period = self.board.zobrist_hash(), 0
        copy, checks = shogi.Board(self.board.sfen()), [[], []]
        copy = self.board
        moves = []
        while copy.move_stack:
            checks[1 - copy.turn].append(copy.is_check())
            moves.append(copy.pop())
            period += copy.zobrist_hash() == key
            if period == 3:
                break
        for move in reversed(moves):
            copy.push(move)
        for seat in (0, 1):
            if checks[seat] and all(checks[seat]):
                return end([seat, 1 - seat], "perpetual_check")
        return end([0.5, 0.5], "fourfold_repetition")

    def legal(self, seat):
        return sorted(move.usi() for move in self.board.legal_moves)

    def check(self, seat, action):
        if not re.fullmatch(r"[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]", action):
            raise unparsable("the notation of USI, such as 7g7f, 8h2b+ or P*5e")
        super().check(seat, action)

    def play(self, seat, action):
        self.board.push_usi(action)

    def show(self, seat):
        rows, hands = [], []
        for rank in range(9):
            row = ""
            for file in range(9):
                piece = self.board.piece_at(rank * 9 + file)
                letter = LETTERS[piece.symbol().upper()] if piece else "."
                row += letter if not piece or piece.color == shogi.BLACK else letter.lower()
            rows.append(row)
        look = {}
        for name, letter in LETTERS.items():
            look[letter] = f"none black {CELLS[name]}"
            look[letter.lower()] = f"none red {CELLS[name]}"
        for seat, name in enumerate(self.seats):
            held = self.board.pieces_in_hand[seat]
            hand = " ".join(f"{CELLS[shogi.PIECE_SYMBOLS[kind].upper()]}{count}" for kind, count in sorted(held.items()) if count)
            hands.append(f"text {name} holds {hand or 'nothing'}")
        more = ["columns 9 8 7 6 5 4 3 2 1", "rows a b c d e f g h i"] + hands
        return board(rows, look, more=more)


if __name__ == "__main__":
    serve(Shogi)
