"""An engine that loses its connection once, in its second move, and plays all other games to their end.

`python3 fails_once.py HOW FILE`: FILE tells later processes that it has happened. It moves two knights out and back.
"""

import os
import signal
import sys
import time

HOW, FILE = sys.argv[1:]
KNIGHTS = {"white": ["g1f3", "f3g1"], "black": ["g8f6", "f6g8"]}


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def is_first_time():
    # Two processes may play at once, and one of them fails.
    try:
        os.close(os.open(FILE, os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False


def lose_the_connection():
    if HOW == "crashes":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif HOW == "exits":
        sys.exit(0)
    elif HOW == "closes-its-output":
        os.close(1)
    time.sleep(3600)


plies = 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "uci":
        say("id name Fails once\nuciok")
    elif word == "isready":
        say("readyok")
    elif word == "position":
        plies = len(rest) - rest.index("moves") - 1 if "moves" in rest else 0
    elif word == "go":
        if plies in (2, 3) and is_first_time():
            lose_the_connection()
        side = "white" if plies % 2 == 0 else "black"
        say("bestmove " + KNIGHTS[side][plies // 2 % 2])
    elif word == "quit":
        break
