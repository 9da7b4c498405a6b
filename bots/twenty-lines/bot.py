import random
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "referee":
        print("bot 1 twenty-lines", flush=True)
    elif word == "start":
        options = dict(token.split("=") for token in rest[2:])
        n, rng = int(options["size"]), random.Random(int(options["seed"]))
        free = {chr(97 + q) + str(r + 1) for q in range(n) for r in range(n)}
        centre = chr(97 + n // 2) + str(n // 2 + 1)
        print("ready", flush=True)
    elif word == "did":
        seat, action, *captured = rest
        if action == "steal":  # the first stone goes, its mirror image comes
            free.add(stone)
            action = chr(96 + int(stone[1:])) + str(ord(stone[0]) - 96)
        stone = action
        free = (free - {action}) | set(captured)
    elif word == "act":
        print(rng.choice(sorted(free - {centre} or free)), flush=True)
