#!/usr/bin/env python3
"""Rules programs for tests: `zoo.py GAME [FAULT]` plays one of four games, and with a FAULT it is wrong in that way.

noughts   two seats in turn on a board of three or four rows
phantom   noughts where a seat sees its own marks alone
hands     two seats at once: three rounds of rock, paper, scissors
heap      two to four seats take one to three of a heap in turn, and the others play on if one leaves
"""

import os
import sys
import time

GAME, FAULT = sys.argv[1], (sys.argv + [""])[2]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
games, leaked = 0, []


def wrong(fault):
    return FAULT == fault


class Refused(Exception):
    pass


class Turns:
    """A game where one seat acts at a time."""

    seat, over, plies, asked = 0, None, 0, 0

    def acting(self):
        return [] if self.over else [self.seat]

    def legal(self, seat):
        self.asked += 1
        if wrong("legal-empty") and self.plies == 3:
            return []
        if seat not in self.acting() and not wrong("legal-of-other-seat"):
            return []
        actions = self.actions(seat)
        if wrong("legal-double"):
            actions = actions + actions[:1]
        if wrong("legal-changes"):
            actions = actions[self.asked % 2:] + actions[:self.asked % 2]
        if wrong("hash-order"):
            actions = list(set(actions))
        return actions

    def play(self, moves):
        seat, action = moves[0]
        if wrong("ended") and self.plies == 3:
            raise IndexError("list index out of range")
        if wrong("no-answer") and self.plies == 3:
            time.sleep(3600)
        if wrong("other-seat") and not self.over:
            seat = self.seat
        if wrong("after-end") and self.over:
            return []
        if seat not in self.acting():
            raise Refused("illegal it is not your turn")
        listed = self.actions(seat)
        if wrong("spelling") and action not in listed and action[:1] == "+" and action[1:] in listed:
            action = action[1:]
        if wrong("unlisted") and action == "-1":
            action = listed[-1]
        if wrong("not-now") and action in "123456789":
            listed = [action]
        if wrong("legal-refused") and action == "2":
            raise Refused("illegal the middle is for masters")
        if action not in listed:
            if wrong("refusal-changes"):
                self.seat = 1 - self.seat
            raise Refused(self.why_not(action))
        asked, self.asked = self.asked, 0
        self.plies += 1
        news = self.act(seat, action)
        if wrong("asking-changes") and not asked:
            news = news + ["see * nobody looked"]
        return news

    def why_not(self, action):
        return "unparsable one of the listed actions"

    def offers(self):
        return []


class Noughts(Turns):
    def __init__(self, seed, seats, options):
        self.side = int(options["side"])
        self.cells = [None] * self.side ** 2
        self.tried = [set(), set()]
        if wrong("keeps-state"):
            self.seat = games // 2 % 2

    def actions(self, seat):
        return [str(i + 1) for i, mark in enumerate(self.cells) if mark is None]

    def act(self, seat, action):
        cell = int(action) - 1
        self.cells[cell] = seat
        board = [self.cells[r * self.side + c] for r in range(3) for c in range(3)]
        if any(all(board[i] == seat for i in line) for line in LINES):
            self.over = f"{1 - seat} {seat} line"
        elif None not in self.cells:
            self.over = "0.5 0.5 full"
        if self.over and wrong("never-decided"):
            self.over = "0.5 0.5 full"
        if self.over and wrong("unknown-reason"):
            self.over = self.over.replace("line", "because").replace("full", "because")
        if self.over and wrong("no-end"):
            self.over, self.cells = None, [None] * self.side ** 2
        self.seat = 1 - seat
        return [f"did 0 {action}"] if wrong("wrong-news") else []

    def show(self, seat):
        letters = "".join(".xo"[0 if mark is None else mark + 1] for mark in self.seen(seat))
        rows = [letters[i:i + self.side] for i in range(0, len(letters), self.side)]
        return [f"grid {self.side} {self.side} {'/'.join(rows)}", f"state {letters}{self.seat}{self.known()}"]

    def known(self):
        """The part of the state that is not on the board."""
        return ""

    def seen(self, seat):
        return self.cells


class Phantom(Noughts):
    def actions(self, seat):
        if wrong("legal-leaks"):
            return Noughts.actions(self, seat)
        return [str(i + 1) for i in range(len(self.cells)) if i not in self.tried[seat]]

    def act(self, seat, action):
        cell = int(action) - 1
        self.tried[seat].add(cell)
        if self.cells[cell] is not None:
            return [f"see {seat} taken {action}"]
        return Noughts.act(self, seat, action) + [f"see {seat} yours {action}"]

    def why_not(self, action):
        if wrong("refusal-leaks"):
            return f"illegal the other has {[i for i, mark in enumerate(self.cells) if mark == 1 - self.seat]}"
        return "illegal you have tried that"

    def known(self):
        return "".join(f"-{cell}" for tried in self.tried for cell in [*sorted(tried), "x"])

    def seen(self, seat):
        whole = seat is None or wrong("show-leaks")
        return [mark if whole or mark == seat else None for mark in self.cells]


class Heap(Turns):
    def __init__(self, seed, seats, options):
        self.seats, self.left, self.here = seats, 12, list(range(seats))

    def actions(self, seat):
        return [str(n) for n in (1, 2, 3) if n <= self.left]

    def act(self, seat, action):
        self.left -= int(action)
        if self.left == 0:
            self.win(seat, "last")
        self.go_on()
        return []

    def win(self, seat, reason):
        self.over = " ".join(str(int(s == seat)) for s in range(self.seats)) + f" {reason}"

    def go_on(self):
        self.seat = (self.seat + 1) % self.seats
        while self.seat not in self.here:
            self.seat = (self.seat + 1) % self.seats

    def drop(self, seat):
        self.here.remove(seat)
        if len(self.here) == 1:
            self.win(self.here[0], "alone")
        elif self.seat == seat:
            self.go_on()
        return []

    def show(self, seat):
        return [f"text {self.left} left", f"state {self.left}.{self.seat}.{''.join(map(str, self.here))}"]


class Hands:
    HANDS = ["rock", "paper", "scissors"]

    def __init__(self, seed, seats, options):
        self.points, self.round, self.over, self.rest = [0, 0], 0, None, []

    def acting(self):
        return [] if self.over else [0, 1]

    def legal(self, seat):
        return self.HANDS if seat in self.acting() else []

    def play(self, moves):
        if wrong("refusal-changes"):
            moves, self.rest = (self.rest + moves)[:2], moves
        if self.over:
            raise Refused("illegal the game is over")
        faulty = [seat for seat, hand in moves if hand not in self.HANDS]
        if wrong("wrong-refusal") and faulty:
            faulty = [0]
        if faulty or len(moves) < 2:
            raise Refused(f"unparsable {','.join(map(str, faulty))} rock, paper or scissors")
        self.rest = []
        one, other = (self.HANDS.index(hand) for _, hand in moves)
        if one != other:
            self.points[0 if (one - other) % 3 == 1 else 1] += 1
        self.round += 1
        if self.round == 3:
            self.over = f"{self.points[0]} {self.points[1]} rounds"
        return [f"did {seat} {hand}" for seat, hand in moves]

    def offers(self):
        offers = [f"can {seat} {' '.join(self.HANDS)}" for seat in self.acting()]
        if wrong("no-offer"):
            offers = offers[1:]
        if wrong("offer-differs") and offers:
            offers[1] = "can 1 rock"
        if wrong("offer-to-other-seat") and self.over:
            offers = ["can 0 rock"]
        score = [] if wrong("no-score") else [f"score {self.points[0]} {self.points[1]}"]
        return offers + score

    def show(self, seat):
        return [f"text round {self.round}"]


HELLO = {
    "noughts": "seats x o\noption side 3..4 3 rows and columns\nreason line three in a row\nreason full\nhas legal",
    "phantom": "seats x o\noption side 3..4 3\nhas legal hidden",
    "hands": "seats left right\nhas legal offers score",
    "heap": "seats 2..4\nhas legal drop",
}
PLAYED = {"noughts": Noughts, "phantom": Phantom, "hands": Hands, "heap": Heap}


def hello():
    version = os.getpid() if wrong("hello-changes") else 1
    has = HELLO[GAME].replace("has legal", "has").replace("\nhas\n", "\n") if wrong("without-legal") else HELLO[GAME]
    return [f"game {GAME} {version}", *has.removesuffix("\nhas").split("\n")]


def surroundings():
    about = {"unseeded": os.getpid(), "time-zone": time.timezone, "locale": os.environ.get("LANGUAGE"), "folder": os.getcwd()}
    return [f"see * {about[FAULT]}"] if FAULT in about else []


def begin(words):
    global games
    games += 1
    if wrong("grows"):
        leaked.append(bytearray(os.urandom(1 << 10)) * 1024)
    options = dict(word.split("=", 1) for word in words)
    if wrong("new-refused"):
        raise Refused("illegal not today")
    if wrong("option-refused") and options.get("side") == "4":
        raise Refused("illegal the side is 3")
    return PLAYED[GAME](int(options["seed"]), int(options["seats"]), options)


def answer(game, word, rest, moves):
    if word == "legal":
        return [" ".join(["can", rest[0], *game.legal(int(rest[0]))])]
    if word == "show":
        return game.show(None if rest[0] == "all" else int(rest[0]))
    if word == "drop":
        news = game.drop(int(rest[0]))
    else:
        news = surroundings() if word == "new" else game.play(moves)
    if wrong("malformed") and moves and game.plies == 3:
        return news + [f"turn {game.seat}"]
    acts = "act " + " ".join(map(str, game.acting()))
    return news + game.offers() + [f"end {game.over}" if game.over else acts]


def lines():
    if not wrong("one-write"):
        yield from sys.stdin.buffer
    while wrong("one-write"):
        chunk = os.read(0, 1 << 16)
        if not chunk:
            return
        yield chunk.split(b"\n")[0]


def main():
    game, moves = None, []
    for line in lines():
        # An action has no blank here.
        word, *rest = line.decode(errors="replace").rstrip("\n").split(" ", 2)
        if word == "quit":
            return
        if word == "with":
            moves.append((int(rest[0]), rest[1]))
            continue
        try:
            if word == "rules":
                said = hello()
            else:
                if word == "new":
                    rest = " ".join(rest).split()
                    game = begin(rest)
                elif word == "play":
                    moves.append((int(rest[0]), rest[1]))
                said = answer(game, word, rest, moves)
            print("\n".join([*said, "ok"]), flush=True)
        except Refused as refused:
            print(refused, flush=True)
        moves = []


main()
