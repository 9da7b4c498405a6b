import sys
MOVES = {'white': ['g1f3', 'f3g1'], 'black': ['g8f6', 'f6g8']}
for line in sys.stdin:
    words = line.split()
    if words[0] == 'referee':
        print('bot 1 reporter')
    elif words[0] == 'start':
        seat, plies = words[2], 0
        print('ready')
    elif words[0] == 'act':
        for report in filter(None, sys.argv[1 + plies].split(',')):
            print('# value', report)
        print(MOVES[seat][plies % 2])
        plies += 1
    sys.stdout.flush()
