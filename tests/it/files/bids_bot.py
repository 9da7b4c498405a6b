import sys

BIDS = sys.argv[1:]
for line in sys.stdin:
    word, *rest = line.split()
    if word == "referee":
        print("bot 1 bidder", flush=True)
    if word == "start":
        bids = iter(BIDS)
        print("ready", flush=True)
    if word == "act":
        print(next(bids), flush=True)
