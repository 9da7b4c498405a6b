"""Stand-in UCI engines: each member is wrong in one way, or odd in one that is allowed.

`python3 uci.py NAME`. All know how to move two knights out and back, which draws a game of chess by
repetition after eight plies.
"""

import os
import sys
import time

NAME = sys.argv[1]
KNIGHTS = {"white": ["g1f3", "f3g1"], "black": ["g8f6", "f6g8"]}
END = "\r\n" if NAME == "ends-lines-like-windows" else "\n"


def say(text, end=END):
    sys.stdout.buffer.write((text + end).encode("latin-1"))
    sys.stdout.buffer.flush()


def knights(plies):
    side = "white" if plies % 2 == 0 else "black"
    return KNIGHTS[side][plies // 2 % 2]


def flood(seconds, line):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        say(END.join([line] * 500))
        time.sleep(0.01)


def wait_for(word):
    for line in sys.stdin:
        if line.split()[:1] == [word]:
            return
    sys.exit()


def go(plies):
    move = knights(plies)
    if NAME == "exits-at-go":
        sys.exit(3)
    elif NAME == "exits-in-the-game" and plies > 3:
        print("out of ideas", file=sys.stderr)
        sys.exit(4)
    elif NAME == "has-no-move":
        say("bestmove (none)")
    elif NAME == "moves-nothing":
        say("bestmove 0000")
    elif NAME == "says-no-move":
        say("bestmove")
    elif NAME == "promotes-a-knight":
        say("bestmove " + move + "q")
    elif NAME == "promotes-to-a-king":
        say("bestmove " + move + "k")
    elif NAME == "shouts":
        say("bestmove " + move.upper())
    elif NAME == "moves-the-wrong-piece":
        say("bestmove e2e5")
    elif NAME == "ignores-stop":
        time.sleep(3600)
    elif NAME == "waits-for-stop":
        wait_for("stop")
        say("bestmove " + move)
    elif NAME == "forgets-the-newline":
        say("bestmove " + move, end="")
    elif NAME == "answers-twice":
        say("bestmove " + move + END + "bestmove " + move)
    elif NAME == "floods-info":
        flood(0.2, "info depth 9 score cp 1 nodes 100 time 1 pv " + "g1f3 " * 20)
        say("bestmove " + move)
    elif NAME == "writes-long-lines":
        say("info depth 9 score cp 1 pv " + "g1f3 " * 13000)
        say("bestmove " + move)
    elif NAME == "never-ends-a-line":
        while True:
            say("info depth 9 pv " + "g1f3 " * 13000, end="")
    elif NAME == "thinks-of-the-opponent":
        say("bestmove " + move + " ponder e7e5")
    elif NAME == "talks-on":
        say("bestmove " + move + END + "info string done" + END + "info depth 1 score cp 2")
    elif NAME == "is-noisy":
        print("noise " * 5000, file=sys.stderr, flush=True)
        say("bestmove " + move)
    elif NAME == "lies":
        say("info depth -3 score cp 99999999999999999999 nodes many time")
        say("info score mate soon" + END + "info" + END + "info score" + END + "info depth 3 score cp 7")
        say("bestmove " + move)
    elif NAME == "writes-nonsense":
        say("  bestmov e2e4" + END + "\xff\xfe\x00" + END + "readyok" + END + "uciok" + END)
        say("  bestmove   " + move + "  ")
    elif NAME in ("sees-a-loss", "sees-a-win"):
        say("info depth 5 score cp " + ("-700" if NAME == "sees-a-loss" else "650") + " pv " + move)
        say("bestmove " + move)
    else:
        say("info depth 5 seldepth 7 score cp 13 nodes 1234 time 2 pv " + move)
        say("bestmove " + move)


def main():
    plies = 0
    games = 0
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "uci":
            if NAME == "is-silent":
                continue
            if NAME == "is-slow-to-start":
                time.sleep(1)
            if NAME == "writes-nonsense":
                say("I am an engine\xe9" + END + "option" + END + "option name" + END + "id")
            say("id name Stand-in " + NAME + END + "id author r\xe9f")
            if NAME != "has-no-options":
                say("option name Hash type spin default 16 min 1 max 1024")
                say("option name Style type combo default Solid var Solid var Very Wild")
            say("uciok")
        elif word == "isready":
            if NAME == "is-never-ready" or games > 0 and NAME == "hangs-at-a-new-game":
                continue
            if games > 0 and NAME == "moves-unasked":
                say("readyok" + END + "bestmove e2e4")
                continue
            say("readyok")
        elif word == "ucinewgame":
            games += 1
        elif word == "position":
            plies = len(rest) - 2 if len(rest) > 1 else 0
        elif word == "go":
            go(plies)
        elif word == "quit":
            if NAME == "crashes-at-quit":
                os.abort()
            if NAME == "ignores-quit":
                time.sleep(3600)
            return


main()
