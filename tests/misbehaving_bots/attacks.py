# What the programs share. Each function after `first_thread_ends` is a deed of a bot.
# The numbers of system calls are those of x86-64, and of all newer architectures.
import ctypes, os, resource, signal, socket, sys, threading, time

libc = ctypes.CDLL(None, use_errno=True)


def call(x86_64, others, *arguments):
    return libc.syscall(x86_64 if os.uname().machine == 'x86_64' else others, *arguments)


def busy(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end: pass


def first_thread_ends(then):
    threading.Thread(target=then).start()
    call(60, 93, 0)


def ignore_signals():
    for number in 1, 2, 13, 15: signal.signal(number, signal.SIG_IGN)
    first_thread_ends(lambda: time.sleep(8))


def fill_memory():
    def fill():
        held = b'x' * (120 << 20)
        time.sleep(5)
    first_thread_ends(fill)


def memory_that_leaves():
    """Fills 120 MiB that it shares. Each piece leaves the resident memory at once, and keeps its content."""
    import mmap
    held = mmap.mmap(-1, 120 << 20)
    for piece in range(0, 120 << 20, 2 << 20):
        for page in range(piece, piece + (2 << 20), 4096): held[page] = 1
        held.madvise(mmap.MADV_DONTNEED, piece, 2 << 20)
    time.sleep(5)


def unmapped_memory():
    """Fills a file without a name with 120 MiB, and maps none of it."""
    held = os.memfd_create('held')
    for _ in range(120): os.write(held, bytes(1 << 20))
    time.sleep(5)


def page_tables():
    """Reads a byte in every 2 MiB of 60 GiB that hold nothing: the kernel needs a page for each to say so."""
    import mmap
    held = mmap.mmap(-1, 60 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
    for byte in range(0, 60 << 30, 2 << 20): held[byte]
    time.sleep(5)


def hidden_work(seconds=4):
    """Children that compute for five milliseconds each, one after another. Nobody waits for them."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.fork() == 0:
            busy(0.005)
            os._exit(0)
        time.sleep(0.006)


def work_between_two_looks():
    """Each child computes just after the supervisor has looked, and has ended before it looks again. In the stricter
    tiers it sees no looks, and computes 50 times a second."""
    import select
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    watch = libc.inotify_init()
    libc.inotify_add_watch(watch, b'/proc/self/statm', 0x21)
    end = time.monotonic() + 15
    while time.monotonic() < end:
        if select.select([watch] if watch >= 0 else [], [], [], 0.02)[0]: os.read(watch, 65536)
        if os.fork() == 0:
            busy(0.01)
            os._exit(0)


def full_sockets():
    """Fills the buffers of sockets, up to 200 MiB, and wants more memory, which the kernel does not refuse."""
    held = []
    for pair in range(400):
        pair = socket.socketpair()
        held.append(pair)
        for end in pair:
            end.setblocking(False)
            try:
                while True: end.send(bytes(65536))
            except OSError: pass
    held.append(b'x' * (44 << 20))
    time.sleep(5)


def unread_descriptors():
    """Sends as many descriptors as it may, and reads none for some seconds."""
    held, descriptors = [], (ctypes.c_int * 200)()
    try:
        for _ in range(100):
            held.append(socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
            for _ in range(9): held[-1][0].sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, descriptors)])
    except OSError: pass
    print(flush=True)
    time.sleep(5)


def empty_files():
    """A hundred thousand files with nothing in them, for some seconds."""
    os.chdir(os.environ['TMPDIR'])
    for number in range(100_000): os.close(os.open(str(number), os.O_CREAT))
    time.sleep(5)


def spinning_sessions():
    """Two hundred processes, each in a session of its own, to which the system gives as much as to the harness. They
    begin at once, when nobody can write to their parent any more, and compute for eight seconds."""
    gate, opener = os.pipe()
    for _ in range(200):
        if os.fork() == 0:
            os.setsid()
            os.close(opener)
            os.read(gate, 1)
            busy(8)
            os._exit(0)
    print(flush=True)
    sys.stdin.read()
    os.close(opener)
    busy(8)


def unseen_work():
    """`hidden_work`, after removing what could show that it runs."""
    try: os.unlink(os.environ['TMPDIR'] + '/python')
    except OSError: pass
    libc.prctl(4, 1, 0, 0, 0)
    hidden_work()


def uncounted_work(program_text):
    """Work of a program that may be executed and not read. It need not stay once it runs."""
    import shutil
    program = os.environ['TMPDIR'] + '/python'
    shutil.copyfile(sys.executable, program)
    os.chmod(program, 0o111)
    try: os.execv(program, ['python3', '-c', program_text])
    except OSError: unseen_work()


def uncounted_interpreter(program_text):
    """Work of a program whose ELF interpreter may be executed and not read. Both files are open, and have no name."""
    import re
    def keep(number, content, mode):
        name = os.environ['TMPDIR'] + '/python'
        with open(name, 'wb') as file: file.write(content)
        os.chmod(name, mode)
        os.dup2(os.open(name, os.O_PATH), number)
        os.unlink(name)
    with open(os.path.realpath(sys.executable), 'rb') as file: image = file.read()
    loader = re.search(rb'/lib[^\0]*/ld-[^\0]*', image).group()
    with open(loader, 'rb') as file: keep(9, file.read(), 0o111)
    keep(8, image.replace(loader, b'/proc/self/fd/9'.ljust(len(loader), b'\0'), 1), 0o755)
    try: os.execv('/proc/self/fd/8', [sys.executable, '-c', program_text])
    except OSError: unseen_work()


def wait_to_begin():
    print(flush=True)
    sys.stdin.read()


def hidden_helper(note, _):
    """Hidden work of half a second, after which there is a file. The process that works is a new one each time."""
    wait_to_begin()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    os.setsid()
    for part in range(100):
        if os.fork(): os._exit(0)
        busy(0.005)
    open(note, 'w').close()


def uncounted_helper(note, attacks):
    """`hidden_work` of a program that may be executed and not read, after which there is a file."""
    wait_to_begin()
    if os.fork() == 0: uncounted_work(attacks + '\nhidden_work(0.3)')
    os.wait()
    open(note, 'w').close()
