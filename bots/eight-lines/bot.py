import random, sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "start": random.seed(line)
    if word == "can": actions = rest
    if word == "act": print(random.choice(actions), flush=True)
    if word == "referee": print("bot 1 eight-lines", flush=True)
    if word == "start": print("ready", flush=True)
