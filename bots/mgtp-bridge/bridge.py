#!/usr/bin/env python3
"""Enters an engine that speaks the protocol of the Taiwanese dark chess tournaments (MGTP).

    python3 bridge.py [--patience SECONDS] [--any-reading] ENGINE [ARGUMENT...]

Python 3.6 or later, standard library alone. README.md beside it says how the rules differ. The engine is a
child of this process; the referee charges its processor time and ends it with the bridge.
"""

import argparse
import os
import re
import select
import subprocess
import sys
import time

# The number that goes with each command that is sent here.
NUMBERS = {
    "name": 1, "version": 2, "quit": 5, "reset_board": 7, "move": 10, "flip": 11, "genmove": 12,
    "ready": 14, "time_setting": 15, "time_left": 16,
}

# A line that is longer is no reply.
LONGEST = 1 << 16


class Failed(Exception):
    """The engine cannot go on. Says why."""


def log(text):
    sys.stderr.write("[bridge] " + text + "\n")
    sys.stderr.flush()


class Engine:
    """The engine's process."""

    def __init__(self, command):
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        except OSError as error:
            raise Failed("the engine `{}` cannot be started: {}".format(command[0], error.strerror))
        self.unread = b""

    def send(self, command, *arguments):
        line = " ".join((str(NUMBERS[command]), command) + arguments)
        try:
            self.process.stdin.write(line.encode() + b"\n")
        except OSError:
            pass  # It has ended; the next reply that is waited for never comes.

    def ask(self, command, *arguments, patience=None):
        """Sends a command and waits for its reply: whether it was carried out, and what it said."""
        self.send(command, *arguments)
        asked = " ".join((command,) + arguments)
        deadline = None if patience is None else time.monotonic() + patience
        while True:
            line = self.line(deadline, asked, patience)
            reply = re.match(r"([=?])(\d+)(?:\s+(.*))?$", line)
            if reply and int(reply.group(2)) == NUMBERS[command]:
                return reply.group(1) == "=", (reply.group(3) or "").strip()
            if not reply:
                log("the engine said: " + line)
            elif reply.group(1) == "?":
                log("the engine refused a command: " + line)

    def line(self, deadline, asked, patience):
        """The next line that the engine writes."""
        while b"\n" not in self.unread:
            left = None if deadline is None else max(0, deadline - time.monotonic())
            if not select.select([self.process.stdout], [], [], left)[0]:
                raise Failed("the engine did not answer `{}` within {:g} s".format(asked, patience))
            chunk = os.read(self.process.stdout.fileno(), 1 << 16)
            if not chunk:
                raise Failed("the engine {} before it answered `{}`".format(self.end(), asked))
            self.unread = self.unread[-LONGEST:] + chunk
        line, _, self.unread = self.unread.partition(b"\n")
        return line.decode("utf-8", "replace").rstrip("\r")

    def end(self):
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return "closed its output"
        return "exited with code {}".format(code) if code >= 0 else "was ended by signal {}".format(-code)


class Game:
    """What is known of a game: face-up pieces, where face-down ones lie, and who has which colour."""

    def __init__(self, words, any_reading):
        if words[1] != "dark-chess":
            raise Failed("MGTP is for dark chess, and the game is " + words[1])
        self.seat = words[2]
        self.options = dict(word.split("=", 1) for word in words[3:])
        self.reading = self.options["reading"]
        if self.reading != "ntu" and not any_reading:
            raise Failed("engines of this protocol play by the Taiwanese rules: set reading = \"ntu\" for the game, or"
                         " give the bridge --any-reading")
        self.up = {}
        self.down = {column + row for column in "abcd" for row in "12345678"}
        self.first = None

    def colour(self, seat):
        other = {"red": "black", "black": "red", None: "unknown"}
        return self.first or "unknown" if seat == "first" else other[self.first]

    def follow(self, action, public):
        """The commands that tell an engine of an action. A face-down piece that a Cannon captured, in another
        reading than ntu, is first turned up: MGTP has no word for that."""
        start, _, end = action.partition("-")
        if not end:
            self.first = self.first or ("red" if public.isupper() else "black")
            self.down.discard(start)
            self.up[start] = public
            return [("flip", start, public)]
        self.up[end] = self.up.pop(start, "?")
        commands = [("flip", end, public)] if public else []
        self.down.discard(end)
        return commands + [("move", start, end)]

    def answer(self, done, said):
        """The engine's reply to `genmove` in the referee's words."""
        squares = re.match(r"([a-d][1-8])[\s-]+([a-d][1-8])$", said.lower())
        if not done or not squares:
            return "illegal the engine answered `{}{}` to genmove: expected two squares, such as b3 b4".format(
                "" if done else "? ", said[:80])
        start, end = squares.groups()
        if start == end:
            return start
        piece, target = self.up.get(start, "?"), self.up.get(end, "?")
        if self.reading != "ntu" and piece in "Cc" and end not in self.up and end not in self.down:
            return ("illegal the engine moved the Cannon on {} to {}, which is empty: the Taiwanese rules let a Cannon"
                    " step, as reading = \"ntu\" does, and under these rules it moves only by capturing".format(start, end))
        if {piece, target} == {"K", "k"} and self.options.get("general-takes-general") == "no":
            return ("illegal the engine captured the General on {} with its own: set reading = \"ntu\", which is"
                    " what engines of this protocol expect".format(end))
        return start + "-" + end


def converse(command, patience, any_reading):
    engine = game = None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "referee":
            engine = Engine(command)
            _, name = engine.ask("name", patience=patience)
            _, version = engine.ask("version", patience=patience)
            log("the engine is {} {}".format(name, version))
            reply("bot 1 " + (re.sub(r"[^!-~]", "-", name)[:64] or "mgtp"))
        elif words[0] == "start":
            game = Game(words, any_reading)
            engine.send("reset_board")
            if game.options["per-game"] != "none":
                engine.send("time_setting", game.options["per-game"])
            engine.ask("ready", patience=patience)
            reply("ready")
        elif words[0] == "did":
            for told in game.follow(words[2], "".join(words[3:])):
                engine.send(*told)
        elif words[0] == "act":
            for seat, left in zip((game.seat, "second" if game.seat == "first" else "first"), words[1:]):
                if left != "none" and game.first:
                    engine.send("time_left", game.colour(seat), left)
            # No patience: the referee's clock runs, and it ends both of us.
            reply(game.answer(*engine.ask("genmove", game.colour(game.seat))))
        elif words[0] == "quit":
            break
    if engine is not None:
        engine.send("quit")
        engine.end()


def reply(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description="Enters an MGTP dark chess engine into a tournament.")
    parser.add_argument("--patience", type=float, default=8, metavar="SECONDS",
                        help="for each answer but an action, of which the referee's clock takes care (default: 8)")
    parser.add_argument("--any-reading", action="store_true",
                        help="play in other readings than ntu too, whose rules the engine does not know")
    parser.add_argument("engine", nargs=argparse.REMAINDER, metavar="ENGINE", help="the program and its arguments")
    arguments = parser.parse_args()
    if not arguments.engine:
        parser.error("expected the program of an engine")
    try:
        converse(arguments.engine, arguments.patience, arguments.any_reading)
    except Failed as why:
        log(str(why))
        sys.exit(1)


if __name__ == "__main__":
    main()
