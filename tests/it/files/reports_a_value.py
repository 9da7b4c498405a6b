import sys
free = iter("d4 d3 d2 d1 c4 c3 c1".split())
for line in sys.stdin:
    word = line.split()[0]
    if word == "referee": print("bot 1 ann", flush=True)
    elif word == "start": print("ready", flush=True)
    elif word == "act":
        print("I think", file=sys.stderr, flush=True)
        print('# value score 1234\n' + next(free), flush=True)
