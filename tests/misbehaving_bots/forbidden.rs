//! Bots that try what no bot of the tiers `landlock` and `strict` may do: each is a Python program that
//! exits with code 0 if it succeeded.

use crate::attacks::succeeds;
use crate::catalogue::Expected::Plays;
use crate::catalogue::Limits::Ample;
use crate::catalogue::{MisbehavingBot, bot};
use crate::helpers::cheat_if;
use crate::honest::Moment::Act;
use crate::honest::honestly;
use crate::hostile::{in_python, restricted};

macro_rules! forbidden {
    ($name:literal, $script:literal) => {
        restricted(in_python(bot($name, Ample, Plays, |at, honest| {
            if at == Act(1) {
                cheat_if(succeeds($script), honest)
            } else {
                honestly(at, honest)
            }
        })))
    };
}

/// The numbers of the system calls are those of x86-64 and of all newer architectures.
#[rustfmt::skip]
pub const FORBIDDEN: &[MisbehavingBot] = &[
    // Rights.
    forbidden!("becomes_another_user", "os.setresuid(54321, 54321, 54321)"),
    forbidden!("leaves_its_groups", "os.setgroups([])"),
    forbidden!("makes_a_user_namespace", "sys.exit(call(272, 97, 0x10000000))"),
    forbidden!("makes_a_user_namespace_with_a_child", "pid = call(56, 220, 0x10000000 | 17, 0, 0, 0, 0)\nif pid == 0: os._exit(0)\nsys.exit(pid < 0)"),
    forbidden!("enters_the_namespaces_of_its_parent", "sys.exit(call(308, 268, os.open('/proc/self/ns/user', os.O_RDONLY), 0))"),
    forbidden!("changes_its_root", "os.chroot('/')"),
    forbidden!("mounts_a_file_system", "sys.exit(libc.mount(b'none', os.environ['TMPDIR'].encode(), b'tmpfs', 0, None))"),
    forbidden!("sets_the_clock", "time.clock_settime(time.CLOCK_REALTIME, time.time())"),
    forbidden!("sets_the_name_of_the_host", "import socket; socket.sethostname('bot')"),
    forbidden!("takes_a_real_time_priority", "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))"),
    forbidden!("takes_a_higher_priority", "os.nice(-1)"),
    forbidden!("makes_a_device", "os.mknod(os.environ['TMPDIR'] + '/zero', 0o20666, os.makedev(1, 5))"),
    forbidden!("protects_itself_when_memory_runs_out", "with open('/proc/self/oom_score_adj', 'w') as file: file.write('-1000')"),
    forbidden!("changes_the_kernel", "open('/proc/sys/kernel/core_pattern', 'r+').close()"),
    forbidden!("opens_the_memory_of_the_machine", "os.open('/dev/mem', os.O_RDONLY)"),
    forbidden!("opens_the_log_of_the_kernel", "os.open('/dev/kmsg', os.O_WRONLY)"),

    // Other processes.
    forbidden!("traces_its_child", "sys.exit(call(101, 117, 0, 0, 0, 0))"),
    forbidden!("takes_a_descriptor_of_its_parent", "fd = call(434, 434, os.getppid(), 0)\nsys.exit(fd < 0 or call(438, 438, fd, 0, 0) < 0)"),
    forbidden!("compares_descriptors_with_its_parent", "sys.exit(call(312, 272, os.getpid(), os.getppid(), 0, 0, 0) < 0)"),
    forbidden!("moves_pages_of_its_parent", "sys.exit(call(256, 238, os.getppid(), 0, 0, 0) < 0)"),
    forbidden!("sets_a_limit_by_its_own_number", "import resource\npid = os.fork()\nif pid == 0: time.sleep(5); os._exit(0)\ntry: resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))\nfinally: os.kill(pid, 9)"),
    forbidden!("slows_all_processes_of_its_user", "os.setpriority(os.PRIO_USER, 0, 19)"),
    forbidden!("begins_a_session", "pid = os.fork()\nif pid == 0: os.setsid(); os._exit(os.getsid(0) != os.getpid())\nsys.exit(os.waitpid(pid, 0)[1] != 0)"),
    forbidden!("slows_the_disk_of_its_user", "sys.exit(call(251, 30, 3, 0, 0x6000) < 0)"),

    // Uses of files by others, and delays of them.
    forbidden!("makes_others_wait_at_a_file", "import fcntl; fcntl.fcntl(os.open(os.environ['TEST_BOT_FOLDER'] + '/own/bot', os.O_RDONLY), 1024, fcntl.F_WRLCK)"),
    forbidden!("locks_a_file_that_others_read", "import fcntl\nown, others = [os.open('/etc/passwd', os.O_RDONLY) for _ in range(2)]\nfcntl.flock(own, fcntl.LOCK_EX)\ntry: fcntl.flock(others, fcntl.LOCK_EX | fcntl.LOCK_NB)\nexcept BlockingIOError: sys.exit(0)\nsys.exit(1)"),
    forbidden!("hears_of_files_in_a_folder", "import fcntl; fcntl.fcntl(os.open('/usr', os.O_RDONLY), 1026, 4)"),
    forbidden!("watches_the_folder_of_its_opponent", "sys.exit(libc.inotify_add_watch(libc.inotify_init(), (os.environ['TEST_BOT_FOLDER'] + '/opponent').encode(), 0x100) < 0)"),
    forbidden!("watches_files_of_the_system", "sys.exit(libc.inotify_add_watch(libc.inotify_init1(0), b'/usr', 0x20) < 0)"),
    forbidden!("watches_a_file_system", "sys.exit(call(300, 262, 0x200, 0) < 0)"),
    forbidden!("switches_counters_off", "sys.exit(libc.prctl(31, 0, 0, 0, 0) < 0)"),
    forbidden!("changes_the_flags_of_a_file", "import fcntl; fd = os.open(os.environ['TEST_BOT_FOLDER'] + '/own/bot', os.O_RDONLY)\nflags = bytearray(fcntl.ioctl(fd, 0x80086601, bytes(8)))\nflags[0] |= 0x40\nfcntl.ioctl(fd, 0x40086602, bytes(flags))"),
    forbidden!("uses_up_asynchronous_requests", "sys.exit(call(206, 0, 1000, ctypes.byref(ctypes.c_ulong())) < 0)"),

    // What it could talk through, or leave behind.
    forbidden!("opens_a_netlink_socket", "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)"),
    forbidden!("opens_a_packet_socket", "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"),
    forbidden!("opens_a_socket_to_the_host", "import socket; socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)"),
    forbidden!("opens_a_ring", "sys.exit(call(425, 425, 8, ctypes.create_string_buffer(256)) < 0)"),
    forbidden!("loads_a_program_into_the_kernel", "sys.exit(call(321, 280, 0, ctypes.create_string_buffer(128), 128) < 0)"),
    forbidden!("handles_page_faults", "sys.exit(call(323, 282, 1) < 0)"),
    forbidden!("opens_a_queue_of_messages", "sys.exit(call(240, 180, b'note', 0o102, 0o600, 0) < 0)"),
    forbidden!("searches_a_keyring", "sys.exit(call(250, 219, 0, -4, 1) < 0)"),
    forbidden!("joins_a_session_of_keys", "sys.exit(call(250, 219, 1, b'notes') < 0)"),

    // Files of others.
    forbidden!("links_to_a_file_of_its_opponent", "os.link(os.environ['TEST_BOT_FOLDER'] + '/opponent/bot', os.environ['TMPDIR'] + '/linked')\nopen(os.environ['TMPDIR'] + '/linked').read()"),
    forbidden!("reads_its_opponent_through_a_symbolic_link", "os.symlink(os.environ['TEST_BOT_FOLDER'] + '/opponent/bot', os.environ['TMPDIR'] + '/linked')\nopen(os.environ['TMPDIR'] + '/linked').read()"),
    forbidden!("moves_its_own_folder_away", "os.rename(os.environ['TEST_BOT_FOLDER'] + '/own', os.environ['TEST_BOT_FOLDER'] + '/gone')"),
    forbidden!("shortens_the_journal", "os.truncate(os.environ['TEST_BOT_FOLDER'] + '/results/games.csv', 0)"),
    // Of its own process alone: `landlock` hides the folders of others, also of its children.
    restricted(bot("reads_the_names_of_sockets", Ample, Plays, |at, honest| {
        let names = |path: &str| std::fs::read_to_string(path).is_ok_and(|text| text.lines().count() > 1);
        let task = format!("/proc/self/task/{}/net/unix", std::process::id());
        if at == Act(1) { cheat_if(names("/proc/self/net/unix") || names(&task), honest) } else { honestly(at, honest) }
    })),
    forbidden!("reads_the_keys_of_its_user", "home = os.path.expanduser('~root')\nopen(home + '/.ssh/id_rsa').read() if os.path.exists(home) else os.listdir(home)"),
    forbidden!("executes_what_it_wrote", "path = os.environ['TMPDIR'] + '/program'\nwith open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o755), 'wb') as f: f.write(open('/bin/true', 'rb').read())\nimport subprocess; subprocess.run([path], check=True)\nif os.environ['TMPDIR'] == '/tmp': sys.exit(1)"),
];
