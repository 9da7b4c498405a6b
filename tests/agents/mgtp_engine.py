"""A dark chess engine as the Taiwanese tournaments know them, for the tests of the bridge.

    python3 mgtp_engine.py [MANNER]

It follows the echoes of all actions and plays the first that its own rules allow: captures, then flips, then
moves. Its manner is how it goes wrong: dies, hangs, computes, refuses, babbles, is-deaf. Two are right:
steps-with-cannons, and follows-turns, which stops if a side acts twice.
"""

import sys
import time

manner = sys.argv[1] if len(sys.argv) > 1 else "plays"
RANKS = "PNRMGK"
BESIDE = [(0, 1), (1, 0), (0, -1), (-1, 0)]
up, down, sides = {}, set(), []
# How many actions there were, and whether the first piece that was turned up is red.
plies, first_is_red = 0, None


def squares():
    return [column + row for column in "abcd" for row in "87654321"]


def at(square, step, times=1):
    place = chr(ord(square[0]) + times * step[0]) + chr(ord(square[1]) + times * step[1])
    return place if place in ALL else None


ALL = set(squares())


def captures(piece, target):
    a, b = piece.upper(), target.upper()
    if a == "C" or b == "C":
        return a != "C" and a != "P"
    if {a, b} == {"P", "K"}:
        return a == "P"
    return RANKS.index(a) >= RANKS.index(b)


def jumps(square):
    """Where a Cannon captures a face-up piece."""
    for step in BESIDE:
        seen, place = 0, at(square, step)
        while place:
            if place in up or place in down:
                seen += 1
                if seen == 2 and place in up:
                    yield place
            place = at(place, step)


def choose(colour):
    mine = [square for square in squares() if square in up and (up[square].isupper() == (colour == "red"))]
    quiet = []
    for square in mine if colour != "unknown" else []:
        piece = up[square]
        cannon = piece.upper() == "C"
        for place in jumps(square) if cannon else ():
            if up[place].isupper() != piece.isupper():
                return square, place
        for place in filter(None, (at(square, step) for step in BESIDE)):
            if place in up and up[place].isupper() != piece.isupper() and captures(piece, up[place]):
                return square, place
            if place not in up and place not in down and (manner == "steps-with-cannons" or not cannon):
                quiet.append((square, place))
    if manner == "steps-with-cannons":
        quiet.sort(key=lambda move: up[move[0]].upper() != "C")
        if quiet and up[quiet[0][0]].upper() == "C":
            return quiet[0]
    if down:
        return (min(down),) * 2
    return quiet[len(sides) % len(quiet)] if quiet else ("a1", "a1")


def say(text):
    print(text, flush=True)


def follow_turn(piece, moves):
    global plies, first_is_red
    if first_is_red is None:
        first_is_red = piece.isupper()
    if moves and manner == "follows-turns":
        assert piece.isupper() == (first_is_red == (plies % 2 == 0)), (piece, plies)
    plies += 1


def serve():
    for line in sys.stdin:
        number, command, *arguments = line.split()
        if manner == "babbles":
            say("board:\n=x\n= 12 a1 a1\n=99 a1 a1\nthinking about " + command)
        if manner == "is-deaf" and command == "ready":
            continue
        if command == "name":
            say("=1 stand in")
        elif command == "reset_board":
            down.update(squares())
            say("=7")
        elif command == "flip":
            follow_turn(arguments[1], False)
            down.discard(arguments[0])
            up[arguments[0]] = arguments[1]
            say("=11")
        elif command == "move":
            assert arguments[0] in up, arguments
            assert arguments[1] not in down, arguments
            follow_turn(up[arguments[0]], True)
            up[arguments[1]] = up.pop(arguments[0])
            say("=10")
        elif command == "genmove":
            sides.append(arguments[0])
            if len(sides) > 3:
                if manner == "dies":
                    sys.exit("out of ideas")
                if manner == "hangs":
                    time.sleep(60)
                while manner == "computes":
                    pass
                if manner == "refuses":
                    say("?12 no idea")
                    continue
            say("=12 {} {}".format(*choose(arguments[0])))
        elif command == "quit":
            return
        else:
            say(("=" if command in ("version", "ready", "time_left") else "?") + number)


serve()
