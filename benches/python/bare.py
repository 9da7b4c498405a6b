"""Plays its side of a script, and nothing else: what a bot in Python costs at least."""

import os
import sys

script = os.environ["SCRIPT"].split()
for line in sys.stdin:
    word = line.split()
    if word[0] == "referee":
        print("bot 1 bare", flush=True)
    elif word[0] == "start":
        actions = iter(script[word[2] == "black" :: 2])
        print("ready", flush=True)
    elif word[0] == "act":
        print(next(actions), flush=True)
