import sys
asked = 0
for line in sys.stdin:
    word = line.split()[0]
    if word == "referee": print("bot 1 staff", flush=True)
    elif word == "start": print("ready", flush=True)
    elif word == "act":
        asked += 1
        print("the staff think", file=sys.stderr, flush=True)
        if asked == 3: sys.exit("the staff failed in " + __file__)
        print('# value score 4711\n' + 'a1 b2'.split()[asked - 1], flush=True)
