"""Plays at random what it is offered, and writes to standard error all that it hears, and all that it can read of others.

    python3 bot.py FOLDER…

Lines of what it hears begin with `heard`, paths of what it could read with `found`. It looks into the folders and into `/proc`."""

import glob
import os
import random
import sys


def log(*words):
    print(*words, file=sys.stderr, flush=True)


def look_around():
    own = f"/proc/{os.getpid()}"
    processes = [path for path in glob.glob("/proc/[0-9]*") if path != own]
    parts = ["environ", "cmdline", "maps", "mem", "status", "fd", "cwd", "task"]
    for path in [f"{process}/{part}" for process in processes for part in parts] + sys.argv[1:]:
        for place in [path, *glob.glob(f"{path}/**", recursive=True)]:
            try:
                os.listdir(place) if os.path.isdir(place) else os.close(os.open(place, os.O_RDONLY | os.O_NONBLOCK))
                log("found", place)
            except OSError:
                pass


actions = []
for line in sys.stdin:
    log("heard", line.rstrip("\n"))
    word, *rest = line.split()
    if word == "referee":
        print("bot 1 told", flush=True)
    elif word == "start":
        look_around()
        random.seed(line)
        print("ready", flush=True)
    elif word == "can":
        actions = rest
    elif word == "act":
        print(random.choice(actions), flush=True)
