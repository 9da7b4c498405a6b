#!/usr/bin/env python3
"""Go, the rules: area scoring, no suicide. Vertices are named as in GTP: column I is left out."""

import re

from game import Game, board, act, end, illegal, serve, unparsable

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
EMPTY, STONES = ".", "bw"


class Go(Game):
    name = "go"
    seats = "black white"
    notation = "gtp"
    options = {
        "width": ("1..25", 9, "columns"),
        "height": ("1..25", 9, "rows"),
        "komi": ("text", "7.5", "points for white"),
        "ko": ("superko|simple", "superko", "no position again, or none that the opponent has just ended"),
    }
    reasons = {"two_passes": "both passed"}
    has = "legal offers"

    def start(self):
        self.width, self.height = self.options["width"], self.options["height"]
        if not re.fullmatch(r"-?[0-9]{1,4}(\.[0-9])?", self.options["komi"]):
            raise illegal("komi: expected a number such as 7.5")
        self.komi = float(self.options["komi"])
        columns = range(self.width)
        self.vertices = [f"{LETTERS[x]}{y + 1}" for y in range(self.height) for x in columns]
        self.number = {vertex: at for at, vertex in enumerate(self.vertices)}
        self.around = [self.neighbours(at) for at in range(len(self.vertices))]
        self.stones = EMPTY * len(self.vertices)
        self.forbidden = {self.stones}
        self.seat, self.passes = 0, 0

    def neighbours(self, at):
        x, y = at % self.width, at // self.width
        steps = ((x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))
        return [x + y * self.width for x, y in steps if 0 <= x < self.width and 0 <= y < self.height]

    def turn(self):
        return act(self.seat) if self.passes < 2 else end(self.area(), "two_passes")

    def group(self, stones, at):
        """The connected cells like this one, and the different letters next to them, with their places."""
        group, border, todo = {at}, {}, [at]
        while todo:
            for near in self.around[todo.pop()]:
                if stones[near] != stones[at]:
                    border.setdefault(stones[near], set()).add(near)
                elif near not in group:
                    group.add(near)
                    todo.append(near)
        return group, border

    def groups(self):
        """For each stone its group and its liberties."""
        of = {}
        for at, letter in enumerate(self.stones):
            if letter != EMPTY and at not in of:
                group, border = self.group(self.stones, at)
                of.update(dict.fromkeys(group, (group, border.get(EMPTY, set()))))
        return of

    def after(self, seat, at, groups):
        """The board after a stone on an empty vertex; `None` for suicide."""
        taken, breathes = set(), False
        for near in self.around[at]:
            if near not in groups:
                breathes = True
            elif self.stones[near] != STONES[seat]:
                group, liberties = groups[near]
                taken |= group if len(liberties) == 1 else set()
            else:
                breathes |= len(groups[near][1]) > 1
        if not taken and not breathes:
            return None
        stones = self.stones[:at] + STONES[seat] + self.stones[at + 1 :]
        return "".join(EMPTY if cell in taken else it for cell, it in enumerate(stones)) if taken else stones

    def legal(self, seat):
        groups, vertices = self.groups(), []
        for at, vertex in enumerate(self.vertices):
            if self.stones[at] == EMPTY:
                stones = self.after(seat, at, groups)
                if stones and stones not in self.forbidden:
                    vertices.append(vertex)
        return vertices + ["pass"]

    def check(self, seat, action):
        if action == "pass":
            return
        at = self.number.get(action)
        if at is None:
            raise unparsable(f"pass, or a vertex from A1 to {self.vertices[-1]}")
        if self.stones[at] != EMPTY:
            raise illegal(f"{action} is taken")
        stones = self.after(seat, at, self.groups())
        if not stones:
            raise illegal(f"{action} is suicide")
        if stones in self.forbidden:
            raise illegal(f"{action} repeats an earlier position")

    def play(self, seat, action):
        captured = []
        before = self.stones
        if action == "pass":
            self.passes += 1
        else:
            self.stones, self.passes = self.after(seat, self.number[action], self.groups()), 0
            captured = [vertex for vertex, was, now in zip(self.vertices, before, self.stones) if was != EMPTY == now]
        if self.options["ko"] == "superko":
            self.forbidden.add(self.stones)
        else:
            self.forbidden = {before}
        self.did(seat, action, *captured)
        self.seat = 1 - seat

    def area(self):
        """Stones, and the empty regions that touch stones of one colour alone."""
        points, counted = [0, self.komi], set()
        for at, letter in enumerate(self.stones):
            if letter != EMPTY:
                points[STONES.index(letter)] += 1
            elif at not in counted:
                region, border = self.group(self.stones, at)
                counted |= region
                if len(border) == 1:
                    points[STONES.index(*border)] += len(region)
        return points

    def show(self, seat):
        rows = [self.stones[y * self.width :][: self.width] for y in range(self.height)]
        columns = "columns " + " ".join(LETTERS[: self.width])
        return board(rows[::-1], {"b": "disc black", "w": "disc white"}, points=True, more=[columns])


if __name__ == "__main__":
    serve(Go)
