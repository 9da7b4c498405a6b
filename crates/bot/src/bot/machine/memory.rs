//! Memory of processes, read from `/proc`.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::LazyLock;

use rustix::fs::{MemfdFlags, fstat, memfd_create};
use rustix::process::Pid;
use rustix::system::sysinfo;

use super::process_tree::{of_living_thread, text_of};

/// Memory and threads of processes, from their `status` files. Cheap to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Status {
    /// Resident or in swap, in KiB. A page that processes share counts for each.
    pub resident_kib: u64,
    /// Part of it in files of memory.
    shared_kib: u64,
    /// Page tables. A mapping needs them although its pages hold nothing, or are not resident.
    tables_kib: u64,
    /// All mappings, and private ones and code among them.
    mapped_kib: u64,
    private_kib: u64,
    pub threads: u64,
}

impl Status {
    /// `None` if there is no resident memory, as for an exited thread.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut found = Self::default();
        for line in text.lines() {
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let field = match key {
                "VmRSS" | "VmSwap" => &mut found.resident_kib,
                "RssShmem" => &mut found.shared_kib,
                "VmPTE" => &mut found.tables_kib,
                "VmSize" => &mut found.mapped_kib,
                "VmData" | "VmStk" | "VmExe" | "VmLib" => &mut found.private_kib,
                "Threads" => &mut found.threads,
                _ => continue,
            };
            *field += kib(value)?;
        }
        (found.resident_kib > 0).then_some(found)
    }

    /// Of a process, or nothing if it is gone.
    fn of(process: Pid) -> Self {
        let read = |folder: &str| Self::parse(&text_of(format!("{folder}/status")).ok()?);
        of_living_thread(process, read).unwrap_or_default()
    }

    pub fn of_all(processes: &[Pid]) -> Self {
        let all = processes.iter().map(|process| Self::of(*process));
        all.fold(Self::default(), |sum, one| Self {
            resident_kib: sum.resident_kib + one.resident_kib,
            shared_kib: sum.shared_kib + one.shared_kib,
            tables_kib: sum.tables_kib + one.tables_kib,
            mapped_kib: sum.mapped_kib + one.mapped_kib,
            private_kib: sum.private_kib + one.private_kib,
            threads: sum.threads + one.threads,
        })
    }

    /// Memory of these processes in KiB, where a page that they share counts for each. Memory that is resident in no process is
    /// added where the machine has so much of it that they may hold more than `limit`.
    pub fn held_kib(&self, processes: &[Pid], limit: u64) -> u64 {
        let held = self.resident_kib + self.tables_kib;
        let elsewhere = elsewhere_kib();
        if held + elsewhere <= limit {
            return held;
        }
        held + files_kib(processes, elsewhere).saturating_sub(self.shared_kib)
    }
}

/// Memory of processes in KiB, where each shared page is divided among the processes that share it. Slow to read.
pub fn proportional_kib(processes: &[Pid]) -> u64 {
    let mut shared = 0;
    let mut held = 0;
    for process in processes {
        let status = Status::of(*process);
        let rollup = of_living_thread(*process, |folder| {
            let text = text_of(format!("{folder}/smaps_rollup")).ok()?;
            let sum = |keys: &[&str]| {
                let lines = text.lines().filter_map(|line| line.split_once(':'));
                let values = lines.filter(|(key, _)| keys.contains(key));
                values.filter_map(|(_, value)| kib(value)).sum::<u64>()
            };
            Some((sum(&["Pss", "SwapPss"]), sum(&["Pss_Shmem"])))
        });
        let (all, files) = rollup.unwrap_or((status.resident_kib, status.shared_kib));
        held += all + status.tables_kib;
        shared += files;
    }
    held + files_kib(processes, elsewhere_kib()).saturating_sub(shared)
}

/// Memory of the whole machine in KiB that may be resident in no process: files in memory, and swap.
fn elsewhere_kib() -> u64 {
    let info = sysinfo();
    let swapped = info.totalswap.saturating_sub(info.freeswap);
    (info.sharedram + swapped).saturating_mul(info.mem_unit.into()) >> 10
}

/// Device of files in memory without a path: shared memory, and files of `memfd_create`.
static DEVICE: LazyLock<Option<u64>> = LazyLock::new(|| {
    let file = memfd_create("referee", MemfdFlags::CLOEXEC).ok()?;
    Some(fstat(file).ok()?.st_dev)
});

/// Size of the nameless files in memory that these processes have open or mapped, in KiB and at most `most`.
///
/// A page stays in such a file when its process gives it up, and no longer counts as resident. Mappings tell how large a
/// file may be, and descriptors how large it is.
fn files_kib(processes: &[Pid], most: u64) -> u64 {
    let Some(device) = *DEVICE else { return 0 };
    let name = format!(
        "{:02x}:{:02x}",
        rustix::fs::major(device),
        rustix::fs::minor(device)
    );
    let mut mapped: HashMap<u64, [u64; 2]> = HashMap::new();
    let mut open = HashMap::new();
    let mut hidden = 0;
    for process in processes {
        let text = of_living_thread(*process, |folder| text_of(format!("{folder}/maps")).ok());
        let Some(text) = text else {
            // A process that is not dumpable.
            let status = Status::of(*process);
            hidden += status.mapped_kib.saturating_sub(status.private_kib);
            continue;
        };
        for (inode, length, end) in text.lines().filter_map(|line| mapping(line, &name)) {
            let file = mapped.entry(inode).or_default();
            *file = [file[0] + length, file[1].max(end)];
        }
        let files = fs::read_dir(format!("/proc/{}/fd", process.as_raw_nonzero()));
        for file in files.into_iter().flatten().flatten() {
            if let Ok(about) = file.path().metadata()
                && about.dev() == device
            {
                open.insert(about.ino(), about.blocks() / 2);
            }
        }
    }
    mapped.retain(|inode, _| !open.contains_key(inode));
    let mapped = mapped.values().map(|[length, end]| length.min(end) >> 10);
    (mapped.sum::<u64>() + open.values().sum::<u64>() + hidden).min(most)
}

/// Inode, length, and end in its file, in bytes, of a mapping of a file on this device. The name of the file could be any.
fn mapping(line: &str, device: &str) -> Option<(u64, u64, u64)> {
    let mut fields = line.split_ascii_whitespace();
    let number = |text| u64::from_str_radix(text, 16).ok();
    let (from, to) = fields.next()?.split_once('-')?;
    let length = number(to)?.checked_sub(number(from)?)?;
    let from = number(fields.nth(1)?)?;
    (fields.next()? == device).then_some(())?;
    Some((
        fields.next()?.parse().ok()?,
        length,
        from.saturating_add(length),
    ))
}

fn kib(value: &str) -> Option<u64> {
    value.trim().trim_end_matches(" kB").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_words_are_understood() {
        let text = "Name:\ta: b\nVmPeak:\t  900 kB\nVmSize:\t  800 kB\nVmRSS:\t  300 kB\nRssShmem:\t   40 kB\n\
                    VmData:\t  100 kB\nVmStk:\t  10 kB\nVmPTE:\t  50 kB\nVmSwap:\t  7 kB\nThreads:\t3\n";
        let status = Status {
            resident_kib: 307,
            shared_kib: 40,
            tables_kib: 50,
            mapped_kib: 800,
            private_kib: 110,
            threads: 3,
        };
        assert_eq!(Status::parse(text), Some(status));
        assert_eq!(Status::parse("Threads:\t1\n"), None);
        let line = "7f00-7f20 rw-s 00000010 00:01 2049                       /dev/zero (deleted)";
        assert_eq!(mapping(line, "00:01"), Some((2049, 0x20, 0x30)));
        assert_eq!(mapping(line, "00:02"), None);
        assert_eq!(mapping("7f00-7f20 rw-p 00000000 00:00 0", "00:01"), None);
    }

    #[test]
    fn a_file_in_memory_counts_for_who_has_it_open() {
        let own = [rustix::process::getpid()];
        let before = files_kib(&own, u64::MAX);
        let file = memfd_create("test", MemfdFlags::CLOEXEC).expect("a file");
        let mut file = fs::File::from(file);
        std::io::Write::write_all(&mut file, &[1; 8 << 20]).expect("written");
        // Other tests have no such files.
        assert_eq!(files_kib(&own, u64::MAX), before + (8 << 10));
        assert_eq!(files_kib(&own, 5), 5);
        assert!(proportional_kib(&own) > 0 && Status::of_all(&own).threads > 0);
    }
}
