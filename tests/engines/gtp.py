"""Stand-in GTP engines: each member is wrong in one way, or odd in one that is allowed.

`python3 gtp.py NAME`. All place one stone and pass from then on, which ends a game of Go after four plies.
"""

import os
import sys
import time

NAME = sys.argv[1]
STONES = {"b": "D4", "w": "E5"}
COMMANDS = "name list_commands boardsize clear_board komi time_settings time_left play genmove style quit"
MOVES = {
    "has-no-move": "= ",
    "does-not-know": "? no idea",
    "plays-on-a-stone": "= D4",
    "plays-beside-the-board": "= Z99",
    "whispers": "= pass",
    "resigns": "= resign",
}


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def genmove(colour, moves):
    move = STONES[colour] if moves < 1 else "PASS"
    if NAME == "is-late":
        time.sleep(3600)
    if NAME == "exits-at-genmove":
        print("out of ideas", file=sys.stderr)
        sys.exit(3)
    if NAME in MOVES:
        say(f"{MOVES[NAME]}\n\n")
    elif NAME == "answers-twice":
        say(f"= {move}\n\n= {move}\n\n")
    elif NAME == "forgets-the-blank-line":
        say(f"= {move}\n")
    elif NAME == "talks":
        say(f"thinking\n\n= {move}\nprobably\n\n")
    elif NAME == "writes-small-letters":
        say(f"= {move.lower()}\n\n")
    elif NAME == "floods":
        while True:
            say("= \n" * 1000 if moves else "thinking " * 1000)
    else:
        say(f"= {move}\n\n")


def main():
    moves = 0
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if NAME == "is-silent":
            continue
        if word == "genmove":
            genmove(rest[0], moves)
            moves += 1
        elif word == "name":
            say(f"= Stand-in {NAME}\n\n")
        elif word == "list_commands":
            say("? unknown command\n\n" if NAME == "has-no-list" else "= " + COMMANDS.replace(" ", "\n") + "\n\n")
        elif word == "boardsize" and NAME == "refuses-the-board":
            say("? unacceptable size\n\n")
        elif word == "play" and NAME == "refuses-a-move":
            say("? illegal move\n\n")
        elif word == "time_settings" and NAME == "has-no-clock":
            say("? unknown command\n\n")
        elif word == "style" and rest != ["wild"]:
            say("? unknown style\n\n")
        else:
            if word == "clear_board":
                moves = 0
            say("=\n\n")
        if word == "quit":
            if NAME == "crashes-at-quit":
                os.abort()
            return


main()
