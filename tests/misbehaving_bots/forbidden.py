# Each of these exits with code 0 if it succeeded in what no bot of the tiers `landlock` and `strict` may do.
folder, scratch = os.environ['TEST_BOT_FOLDER'], os.environ['TMPDIR']


# Rights.

def becomes_another_user():
    os.setresuid(54321, 54321, 54321)


def leaves_its_groups():
    os.setgroups([])


def makes_a_user_namespace():
    sys.exit(call(272, 97, 0x10000000))


def makes_a_user_namespace_with_a_child():
    pid = call(56, 220, 0x10000000 | 17, 0, 0, 0, 0)
    if pid == 0: os._exit(0)
    sys.exit(pid < 0)


def enters_the_namespaces_of_its_parent():
    sys.exit(call(308, 268, os.open('/proc/self/ns/user', os.O_RDONLY), 0))


def changes_its_root():
    os.chroot('/')


def mounts_a_file_system():
    sys.exit(libc.mount(b'none', scratch.encode(), b'tmpfs', 0, None))


def sets_the_clock():
    time.clock_settime(time.CLOCK_REALTIME, time.time())


def sets_the_name_of_the_host():
    socket.sethostname('bot')


def takes_a_real_time_priority():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def takes_a_higher_priority():
    os.nice(-1)


def makes_a_device():
    os.mknod(scratch + '/zero', 0o20666, os.makedev(1, 5))


def protects_itself_when_memory_runs_out():
    with open('/proc/self/oom_score_adj', 'w') as file: file.write('-1000')


def changes_the_kernel():
    open('/proc/sys/kernel/core_pattern', 'r+').close()


def opens_the_memory_of_the_machine():
    os.open('/dev/mem', os.O_RDONLY)


def opens_the_log_of_the_kernel():
    os.open('/dev/kmsg', os.O_WRONLY)


# Other processes.

def traces_its_child():
    sys.exit(call(101, 117, 0, 0, 0, 0))


def takes_a_descriptor_of_its_parent():
    fd = call(434, 434, os.getppid(), 0)
    sys.exit(fd < 0 or call(438, 438, fd, 0, 0) < 0)


def compares_descriptors_with_its_parent():
    sys.exit(call(312, 272, os.getpid(), os.getppid(), 0, 0, 0) < 0)


def moves_pages_of_its_parent():
    sys.exit(call(256, 238, os.getppid(), 0, 0, 0) < 0)


def sets_a_limit_by_its_own_number():
    pid = os.fork()
    if pid == 0: time.sleep(5); os._exit(0)
    try: resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
    finally: os.kill(pid, 9)


def slows_all_processes_of_its_user():
    os.setpriority(os.PRIO_USER, 0, 19)


def begins_a_session():
    pid = os.fork()
    if pid == 0: os.setsid(); os._exit(os.getsid(0) != os.getpid())
    sys.exit(os.waitpid(pid, 0)[1] != 0)


def slows_the_disk_of_its_user():
    sys.exit(call(251, 30, 3, 0, 0x6000) < 0)


# Uses of files by others, and delays of them.

def makes_others_wait_at_a_file():
    import fcntl
    fcntl.fcntl(os.open(folder + '/own/bot', os.O_RDONLY), 1024, fcntl.F_WRLCK)


def locks_a_file_that_others_read():
    import fcntl
    own, others = [os.open('/etc/passwd', os.O_RDONLY) for _ in range(2)]
    fcntl.flock(own, fcntl.LOCK_EX)
    try: fcntl.flock(others, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError: sys.exit(0)
    sys.exit(1)


def hears_of_files_in_a_folder():
    import fcntl
    fcntl.fcntl(os.open('/usr', os.O_RDONLY), 1026, 4)


def watches_the_folder_of_its_opponent():
    sys.exit(libc.inotify_add_watch(libc.inotify_init(), f'{folder}/opponent'.encode(), 0x100) < 0)


def watches_files_of_the_system():
    sys.exit(libc.inotify_add_watch(libc.inotify_init1(0), b'/usr', 0x20) < 0)


def watches_a_file_system():
    sys.exit(call(300, 262, 0x200, 0) < 0)


def switches_counters_off():
    sys.exit(libc.prctl(31, 0, 0, 0, 0) < 0)


def changes_the_flags_of_a_file():
    import fcntl
    fd = os.open(folder + '/own/bot', os.O_RDONLY)
    flags = bytearray(fcntl.ioctl(fd, 0x80086601, bytes(8)))
    flags[0] |= 0x40
    fcntl.ioctl(fd, 0x40086602, bytes(flags))


def changes_the_flags_of_a_file_by_its_path():
    flags = ctypes.create_string_buffer(24)
    if call(468, 468, -100, (folder + '/own/bot').encode(), flags, 24, 0) < 0: sys.exit(1)
    flags[0] = flags.raw[0] | 0x40
    sys.exit(call(469, 469, -100, (folder + '/own/bot').encode(), flags, 24, 0) < 0)


def uses_up_asynchronous_requests():
    sys.exit(call(206, 0, 1000, ctypes.byref(ctypes.c_ulong())) < 0)


def uses_up_the_timers_of_its_user():
    sys.exit(call(222, 107, 1, None, ctypes.byref(ctypes.c_int())) < 0)


# What it could talk through, or leave behind.

def opens_a_netlink_socket():
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)


def opens_a_packet_socket():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


def opens_a_socket_to_the_host():
    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)


def opens_a_ring():
    sys.exit(call(425, 425, 8, ctypes.create_string_buffer(256)) < 0)


def loads_a_program_into_the_kernel():
    sys.exit(call(321, 280, 0, ctypes.create_string_buffer(128), 128) < 0)


def handles_page_faults():
    sys.exit(call(323, 282, 1) < 0)


def opens_a_queue_of_messages():
    sys.exit(call(240, 180, b'note', 0o102, 0o600, 0) < 0)


def searches_a_keyring():
    sys.exit(call(250, 219, 0, -4, 1) < 0)


def joins_a_session_of_keys():
    sys.exit(call(250, 219, 1, b'notes') < 0)


# Files of others.

def links_to_a_file_of_its_opponent():
    os.link(folder + '/opponent/bot', scratch + '/linked')
    open(scratch + '/linked').read()


def reads_its_opponent_through_a_symbolic_link():
    os.symlink(folder + '/opponent/bot', scratch + '/linked')
    open(scratch + '/linked').read()


def moves_its_own_folder_away():
    os.rename(folder + '/own', folder + '/gone')


def shortens_the_journal():
    os.truncate(folder + '/results/games.csv', 0)


def reads_the_keys_of_its_user():
    home = os.path.expanduser('~root')
    open(home + '/.ssh/id_rsa').read() if os.path.exists(home) else os.listdir(home)


def reads_the_passwords_of_its_machine():
    open('/etc/shadow').close()


def executes_what_it_wrote():
    path = scratch + '/program'
    with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o755), 'wb') as f: f.write(open('/bin/true', 'rb').read())
    import subprocess
    subprocess.run([path], check=True)
    if scratch == '/tmp': sys.exit(1)


# What others could find later.

def leaves_shared_memory_of_system_v():
    made = [libc.shmget(0x5eed, 4096, 0o1600), libc.msgget(0x5eed, 0o1600), libc.semget(0x5eed, 1, 0o1600)]
    sys.exit(all(number < 0 for number in made))


def leaves_a_key_in_a_keyring():
    sys.exit(call(248, 217, b'user', b'note', b'd2', 2, -4) < 0)


def executes_a_file_without_a_name():
    os.memfd_create('program')


def counts_events_with_samples_of_the_stack():
    attr = ctypes.create_string_buffer(64)
    attr[0:8] = bytes([1, 0, 0, 0, 64, 0, 0, 0])
    sys.exit(call(298, 241, attr, 0, -1, -1, 0) < 0)
