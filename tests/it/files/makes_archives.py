import io, sys, tarfile, zipfile
files = {"agent/données/" + 12 * "longer-" + "/" + 12 * "longer-" + ".txt": b"book" * 5000, "agent/run.py": b"pass"}

class OnePass(io.RawIOBase):
    def __init__(self, file): self.file = file
    def writable(self): return True
    def write(self, data): return self.file.write(data)

with open("one-pass.zip", "wb") as file, zipfile.ZipFile(OnePass(file), "w", zipfile.ZIP_DEFLATED) as archive:
    for name, content in files.items(): archive.writestr(name, content)
for name, format in [("pax.tar.gz", tarfile.PAX_FORMAT), ("gnu.tar", tarfile.GNU_FORMAT)]:
    with tarfile.open(name, "w:gz" if name.endswith("gz") else "w", format=format) as archive:
        for path, content in files.items():
            member = tarfile.TarInfo(path)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
