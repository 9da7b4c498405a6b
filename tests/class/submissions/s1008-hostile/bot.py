"""Tries what no bot may. It says on stderr what came of it, harms nothing else, and ends within a minute."""
import os
import pathlib
import signal
import sys
import time


def tries(what, attack):
    try:
        print(what, "worked", attack(), file=sys.stderr, flush=True)
    except OSError as error:
        print(what, "refused", error.strerror, file=sys.stderr, flush=True)


def read_others():  # submissions lie side by side, and so do runs
    for file in pathlib.Path("../../..").glob("*/*/unpacked/bot.py"):
        return file.read_text()
    raise OSError(0, "nothing to see")


def replace(pattern):
    for file in pathlib.Path("../../../..").glob(pattern):
        file.write_text("raise SystemExit")
        return file
    raise OSError(0, "nothing to see")


def forks():
    for _ in range(24):
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
    time.sleep(0.5)
    sys.exit("nobody stopped it")


for line in sys.stdin:
    word, *rest = line.split()
    if word == "referee":
        print("bot 1 hostile", flush=True)
    elif word == "start":
        odd = int(dict(token.split("=") for token in rest[2:])["seed"]) % 2
        print("ready", flush=True)
    elif word == "act":
        tries("to list the class", lambda: os.listdir("../../.."))
        tries("to read another's program", read_others)
        tries("to read what the grading keeps", lambda: open("../build.toml").read())
        tries("to change its own program", lambda: open("bot.py", "a").write("\n"))
        tries("to change another's program", lambda: replace("students/*/*/bot/bot.py"))
        tries("to change its opponent", lambda: replace("references/*/bot/bot.py"))
        tries("to change its games", lambda: replace("runs/*/*/*/games.csv"))
        tries("to kill its parent", lambda: os.kill(os.getppid(), signal.SIGKILL))
        tries("to reach its parent's files", lambda: os.listdir(f"/proc/{os.getppid()}/fd"))
        if odd:
            forks()
        for _ in range(1000):
            print("x" * 65536, flush=True)
