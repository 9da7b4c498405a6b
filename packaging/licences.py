"""Writes the licences of everything in the program, and its bill of materials.

    packaging/licences.py TARGET EPOCH LICENCES.txt BOM.cdx.json

Reads `cargo metadata` and `Cargo.lock`. Refuses a crate whose licence is not in ALLOWED, and a crate without a
text where none can be made.
"""

import datetime
import json
import pathlib
import re
import subprocess
import sys
import tomllib
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Each allows to give the program away if its text goes with it.
ALLOWED = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "LLVM-exception", "MIT",
    "MIT-0", "Unicode-3.0", "Unlicense", "Zlib",
}
TEXTS = ("LICEN", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE")


def crates(target):
    """The packages whose code is in the program, in the order of their names, and the edges between them."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    metadata = json.loads(subprocess.check_output(command, cwd=ROOT))
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    found, waiting = {}, [metadata["resolve"]["root"]]
    while waiting:
        this = waiting.pop()
        if this in found:
            continue
        linked = [dep["pkg"] for dep in nodes[this]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
        # Macros run in the compiler.
        found[this] = [dep for dep in linked if not is_macro(packages[dep])]
        waiting += found[this]
    root, own = metadata["resolve"]["root"], set(metadata["workspace_members"])
    # The crates of this workspace are the program.
    found[root] = sorted({dep for this in own & set(found) for dep in found[this]} - own)
    for this in own - {root}:
        found.pop(this, None)
    order = sorted(found, key=lambda this: (packages[this]["name"], packages[this]["version"]))
    return [packages[this] for this in order], found, packages[root]


def is_macro(package):
    return any("proc-macro" in target["kind"] for target in package["targets"])


def expression(package):
    """The licence as an SPDX expression."""
    licence = (package["license"] or "").replace("/", " OR ")
    words = set(re.findall(r"[A-Za-z0-9.-]+", licence)) - {"AND", "OR", "WITH"}
    if not words or words - ALLOWED:
        sys.exit(f"{package['name']} {package['version']}: the licence `{package['license']}` is not known here")
    return licence


def texts(package):
    """The texts that a package came with."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = [file for file in sorted(folder.iterdir()) if file.name.upper().startswith(TEXTS) and file.is_file()]
    if files:
        return [(file.name, file.read_text(encoding="utf-8")) for file in files]
    words = expression(package)
    if "MIT" not in words.split():
        sys.exit(f"{package['name']} {package['version']}: no text of its licence `{words}`")
    # The terms of MIT are the same for everybody but for the first line.
    terms = (ROOT / "LICENSE-MIT").read_text(encoding="utf-8").split("\n", 1)[1]
    owners = ", ".join(package["authors"]) or f"the authors of {package['name']}"
    return [("MIT, written here", f"Copyright (c) {owners}\n{terms}")]


def native():
    """What the C compiler and rustc add: name, version, licence, texts."""
    libc = pathlib.Path("/usr/share/doc/libc6-dev/copyright")
    lgpl = pathlib.Path("/usr/share/common-licenses/LGPL-2.1")
    sysroot = subprocess.check_output(["rustc", "--print", "sysroot"], text=True).strip()
    rust = pathlib.Path(sysroot, "share/doc/rust/COPYRIGHT-library.html")
    for file in (libc, lgpl, rust):
        if not file.exists():
            sys.exit(f"{file} is missing: a release is made on Debian or Ubuntu with libc6-dev, and rustc of rustup")
    version = subprocess.check_output(["dpkg-query", "-W", "-f=${Version}", "libc6-dev"], text=True)
    rustc = subprocess.check_output(["rustc", "--version"], text=True).split()[1]
    plain = re.sub(r"<[^>]*>", "", rust.read_text(encoding="utf-8"))
    plain = re.sub(r"[ \t]*\n\s*\n+", "\n\n", plain)
    return [
        ("glibc", version, "LGPL-2.1-or-later", [("copyright", libc.read_text()), ("LGPL-2.1", lgpl.read_text())]),
        ("rust-std", rustc, "MIT OR Apache-2.0", [("COPYRIGHT-library", plain)]),
    ]


def write_licences(file, packages, parts, version):
    rows = [(package["name"], package["version"], expression(package)) for package in packages]
    rows += [part[:3] for part in parts]
    owners = {}
    for package in packages:
        for name, text in texts(package):
            owners.setdefault(text.strip(), []).append(f"{package['name']} {package['version']} ({name})")
    for name, number, _, files in parts:
        for title, text in files:
            owners.setdefault(text.strip(), []).append(f"{name} {number} ({title})")
    out = [
        f"referee {version} is one program, linked from these parts. The texts of their licences follow.",
        "glibc is linked statically. With the sources of referee, which are public, you can link it to another glibc.",
        "",
        *(f"{name} {number}: {licence}" for name, number, licence in rows),
    ]
    for text, names in owners.items():
        out += ["", "=" * 100, *names, "=" * 100, "", text]
    file.write_text("\n".join(out) + "\n", encoding="utf-8")


def write_bill(file, packages, edges, root, parts, epoch):
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))
    sums = {(entry["name"], entry["version"]): entry.get("checksum") for entry in lock["package"]}
    names = {package["id"]: f"pkg:cargo/{package['name']}@{package['version']}" for package in packages}

    def component(package):
        checksum = sums[package["name"], package["version"]]
        return {
            "type": "application" if package is root else "library",
            "bom-ref": names[package["id"]],
            "name": package["name"],
            "version": package["version"],
            "licenses": [{"expression": expression(package)}],
            "purl": names[package["id"]],
            **({"hashes": [{"alg": "SHA-256", "content": checksum}]} if checksum else {}),
        }

    natives = [
        {"type": "library", "bom-ref": f"{name}@{version}", "name": name, "version": version,
         "licenses": [{"expression": licence}]}
        for name, version, licence, _ in parts
    ]
    depends = [
        {"ref": names[package["id"]], "dependsOn": sorted(names[dep] for dep in edges[package["id"]])}
        for package in packages
    ]
    first = next(entry for entry in depends if entry["ref"] == names[root["id"]])
    first["dependsOn"] += [part["bom-ref"] for part in natives]
    when = datetime.datetime.fromtimestamp(epoch, datetime.UTC)
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": component(root)},
        "components": [component(package) for package in packages if package is not root] + natives,
        "dependencies": depends,
    }
    # Its number follows from what it says.
    number = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(bill, sort_keys=True))
    bill["serialNumber"] = f"urn:uuid:{number}"
    file.write_text(json.dumps(bill, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main():
    target, epoch, licences, bill = sys.argv[1:]
    packages, edges, root = crates(target)
    parts = native()
    write_licences(pathlib.Path(licences), packages, parts, root["version"])
    write_bill(pathlib.Path(bill), packages, edges, root, parts, int(epoch))
    print(f"{len(packages) - 1} crates and {len(parts)} libraries are in the program")


if __name__ == "__main__":
    main()
