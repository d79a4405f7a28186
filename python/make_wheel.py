"""Writes a wheel of the package and its libraries: make_wheel.py FOLDER LIBRARY… It needs Python's own modules alone.

A wheel is a zip file with a folder of facts (PEP 427). Its platform tag names the oldest glibc with all symbols that the
libraries ask for, which may not be newer than NEWEST_GLIBC. Everything else they need must be part of glibc, or libgraze.
A wheel built with musl is for the machine that built it.
"""

import base64
import hashlib
import pathlib
import platform
import re
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
OF_GLIBC = re.compile(r"(lib(c|m|dl|pthread|rt)\.so\.\d+|ld-linux-.*)")
OF_MUSL = re.compile(r"libc\.so|libc\.musl-.*\.so\.1")
OURS = re.compile(r"libgraze\.so\.\d+\.\d+")  # in the wheel, and loaded before what asks for it
NEWEST_GLIBC = (2, 34)  # of 2021: what runs today has it
ROOT = HERE.parent
NAME = "graze_ccd"  # of the distribution; what is imported is graze
NUMPY = "1.22"  # the first with from_dlpack
METADATA = """Metadata-Version: 2.1
Name: graze-ccd
Version: {version}
Summary: Continuous collision detection that never misses a contact
Author: The graze authors
License: MIT
Keywords: collision detection,ccd,simulation,robotics,geometry
Classifier: Development Status :: 4 - Beta
Classifier: Intended Audience :: Science/Research
Classifier: License :: OSI Approved :: MIT License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering
Classifier: Typing :: Typed
Requires-Python: >=3.9
Requires-Dist: numpy>={numpy}
Description-Content-Type: text/markdown

{readme}"""


def version():
    header = (ROOT / "include" / "graze" / "base.h").read_text()
    return ".".join(re.search(rf"GRAZE_VERSION_{part} (\d+)", header).group(1) for part in ("MAJOR", "MINOR", "PATCH"))


def needed_glibc(library):
    """The newest version of a symbol, or None with musl, whose symbols have no versions."""
    listed = subprocess.check_output(["objdump", "-p", library], text=True)
    named = re.findall(r"NEEDED\s+(\S+)", listed)
    others = [name for name in named if not any(known.fullmatch(name) for known in (OF_GLIBC, OF_MUSL, OURS))]
    if others:
        sys.exit(f"make_wheel.py: {library} needs {', '.join(others)}: it would not load on another machine")
    if any(map(OF_MUSL.fullmatch, named)):
        return None
    return max(tuple(map(int, pair)) for pair in re.findall(r"GLIBC_(\d+)\.(\d+)", listed))


def platform_tag(libraries, newest=None):
    versions = [needed_glibc(library) for library in libraries]
    if None in versions:
        return f"linux_{platform.machine()}"
    needed = max(versions)
    if newest and needed > newest:
        sys.exit("make_wheel.py: a library asks for a symbol of glibc {}.{}: it would not load where {}.{} is".format(
            *needed, *newest))
    return "manylinux_{}_{}_{}".format(*needed, platform.machine())


def facts_folder():
    return f"{NAME}-{version()}.dist-info"


def metadata():
    return METADATA.format(version=version(), numpy=NUMPY, readme=(ROOT / "README.md").read_text()).encode()


def wheel_facts(tag):
    return f"Wheel-Version: 1.0\nGenerator: graze\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()


def package():
    for path in sorted((HERE / "graze").rglob("*.py")):
        yield str(path.relative_to(HERE)), path.read_bytes()
    yield "graze/py.typed", (HERE / "graze" / "py.typed").read_bytes()


def contents(libraries, tag, editable):
    """Of an editable wheel the package stays where it is, and the libraries have a folder of their own (graze/_c.py)."""
    facts = facts_folder()
    yield from [(f"{NAME}.pth", f"{HERE}\n".encode())] if editable else package()
    for path in map(pathlib.Path, libraries):
        yield f"{'graze_ccd_libraries' if editable else 'graze'}/{path.name}", path.read_bytes()
    yield f"{facts}/LICENSE", (ROOT / "LICENSE").read_bytes()
    yield f"{facts}/METADATA", metadata()
    yield f"{facts}/WHEEL", wheel_facts(tag)


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write(archive, name, data):
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same bytes whenever it is made
    entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


def write_wheel(folder, libraries, newest=None, editable=False):
    """The path of a wheel; `newest` is the newest glibc that it may ask for."""
    tag = f"py3-none-{platform_tag(libraries, newest)}"
    path = pathlib.Path(folder) / f"{NAME}-{version()}-{tag}.whl"
    record = f"{facts_folder()}/RECORD"
    with zipfile.ZipFile(path, "w") as archive:
        lines = []
        for name, data in contents(libraries, tag, editable):
            write(archive, name, data)
            lines.append(record_line(name, data))
        write(archive, record, "".join([*lines, f"{record},,\n"]).encode())
    return path


def main(folder, *libraries):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for old in [*folder.glob("graze-*.whl"), *folder.glob(f"{NAME}-*.whl")]:
        old.unlink()
    print(write_wheel(folder, libraries, NEWEST_GLIBC))


if __name__ == "__main__":
    main(*sys.argv[1:])
