import sys
WAITS = False
def answer(line):
    global ply
    word, *rest = line.split()
    if word == 'rules':
        return ['game patient 1', 'seats one two', 'has legal']
    if word == 'legal':
        return [f'can {rest[0]} x y' if ply < 6 and int(rest[0]) == ply % 2 else f'can {rest[0]}']
    if word == 'show':
        return [f'text ply {ply} for {rest[0]}']
    ply = 0 if word == 'new' else ply + 1
    return ['end 1 0 done' if ply == 6 else f'act {ply % 2}']
held = []
for line in sys.stdin:
    if line == 'quit\n':
        break
    held.append(line)
    plays = sum(it.startswith('play') for it in held)
    if WAITS and 0 < plays < 6:
        continue
    for it in held:
        print('\n'.join([*answer(it), 'ok']), flush=True)
    held = []
