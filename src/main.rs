//! The `referee` binary: everything it does lives in the library.

fn main() -> std::process::ExitCode {
    referee::cli::main()
}
