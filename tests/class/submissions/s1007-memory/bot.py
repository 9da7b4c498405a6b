"""Fills 200 MiB of memory with a table, at its third action."""
import random
import sys
import time

for line in sys.stdin:
    word, *rest = line.split()
    if word == "referee":
        print("bot 1 memory", flush=True)
    elif word == "start":
        options = dict(token.split("=") for token in rest[2:])
        n, rng = int(options["size"]), random.Random(int(options["seed"]))
        free, acts = {(q, r) for q in range(n) for r in range(n)}, 0
        print("ready", flush=True)
    elif word == "did":
        if rest[1] == "steal":  # the first stone goes, its mirror image comes
            free, cells = free | {stone}, [stone[::-1]]
        else:
            cells = [(ord(cell[0]) - 97, int(cell[1:]) - 1) for cell in rest[1:]]
        stone, free = cells[0], (free - {cells[0]}) | set(cells[1:])
    elif word == "act":
        acts += 1
        if acts == 3:
            table = b"x" * (200 << 20)
            time.sleep(0.3)
        q, r = rng.choice(sorted(free - {(n // 2, n // 2)} or free))
        print(chr(97 + q) + str(r + 1), flush=True)
