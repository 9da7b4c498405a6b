"""A bot of `bots/`, which does something before each action that makes some bots slow or large.

    python3 bot.py MANNER [FOLDER]

The folder is `starter-python`, or `eight-lines` for a game that offers its actions.

The manners: sleeps, computes, forks, threads, collects (garbage), numpy."""

import gc
import multiprocessing
import os
import random
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = (sys.argv + ["starter-python"])[2]
sys.path.insert(0, os.path.join(HERE, "../../../bots", FOLDER))


def compute(rounds=20_000):
    return sum(number * number for number in range(rounds))


def fork():
    child = multiprocessing.get_context("fork").Process(target=compute)
    child.start()
    child.join()


def start_threads():
    threads = [threading.Thread(target=compute) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def collect():
    garbage = [[number] for number in range(50_000)]
    for item in garbage:
        item.append(garbage)
    gc.collect()


def multiply():
    import numpy

    matrix = numpy.ones((120, 120))
    return matrix @ matrix


MANNERS = {
    "sleeps": lambda: time.sleep(0.02),
    "computes": compute,
    "forks": fork,
    "threads": start_threads,
    "collects": collect,
    "numpy": multiply,
}


class Busy(random.Random):
    def choice(self, actions):
        MANNERS[sys.argv[1]]()
        return super().choice(actions)


random.Random = Busy
random.choice = Busy().choice
MANNERS[sys.argv[1]]()
import bot  # noqa: E402, F401: it plays as it is imported
