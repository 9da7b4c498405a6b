# What a program reached, it prints.
folder = os.environ['TEST_BOT_FOLDER']
own = {os.getpid(), os.getppid()}


def text(path):
    try:
        with open(path, 'rb') as file: return file.read()
    except OSError: return b''


def seen(): return [int(name) for name in os.listdir('/proc') if name.isdigit() and int(name) not in own]


def is_rules(pid): return b'\0rules\0' in text(f'/proc/{pid}/cmdline')


def numbers(): return [pid for pid in range(2, os.getpid() + 2000) if not os.getppid() <= pid <= os.getpid()]


def targets(): return [pid for pid in seen() if is_rules(pid)] or numbers()


def attempt(pids, action):
    for pid in pids:
        try:
            if action(pid): print('process', pid); return
        except OSError: pass


def finds_the_rules_program_by_its_name():
    attempt(seen(), is_rules)


def children(pid): return [*map(int, text(f'/proc/{pid}/task/{pid}/children').split())]


def finds_the_rules_program_beside_its_supervisor():
    above = os.getppid()
    while above > 1:
        lines = text(f'/proc/{above}/status').split(b'PPid:')
        above = int(lines[1].split()[0]) if len(lines) > 1 else 0
        attempt(children(above), lambda pid: any(map(is_rules, [pid, *children(pid)])))


def reads_the_memory_of_the_rules_program():
    for part in 'mem', 'environ', 'maps', 'auxv':
        attempt(targets(), lambda pid: os.open(f'/proc/{pid}/{part}', os.O_RDONLY))
    for part in 'fd/0', 'fd/1', 'cwd', 'root', 'exe':
        attempt(targets(), lambda pid: os.readlink(f'/proc/{pid}/{part}'))
    buffer = ctypes.create_string_buffer(64)
    attempt(targets(), lambda pid: call(310, 270, pid, buffer, 1, buffer, 1, 0) >= 0)


def writes_into_the_pipes_of_the_rules_program():
    for fd in range(3):
        for flag in os.O_RDONLY, os.O_WRONLY:
            attempt(targets(), lambda pid: os.open(f'/proc/{pid}/fd/{fd}', flag | os.O_NONBLOCK))
    attempt(targets(), lambda pid: (fd := call(434, 434, pid, 0)) >= 0 and call(438, 438, fd, 0, 0) >= 0)


def traces_the_rules_program():
    attempt(targets(), lambda pid: libc.ptrace(0x4206, pid, None, None) == 0)


def stops_the_rules_program():
    attempt(targets(), lambda pid: os.kill(pid, signal.SIGSTOP))


def ends_the_rules_program():
    attempt(targets(), lambda pid: os.kill(pid, signal.SIGKILL))


def slows_and_limits_the_rules_program():
    attempt(targets(), lambda pid: resource.prlimit(pid, resource.RLIMIT_CPU, (1, 1)))
    attempt(targets(), lambda pid: os.sched_setaffinity(pid, [0]) or 1)
    attempt(targets(), lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 19) or 1)


def reads_the_folder_of_the_rules_program():
    print(os.listdir(folder + '/rules') or 'it', text(folder + '/rules/cards.txt'))


def changes_the_folder_of_the_rules_program():
    with open(folder + '/rules/cards.txt', 'a') as cards: cards.write('ace')
    print('its cards')
