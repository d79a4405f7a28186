"""Every long command of the program while it is stopped at a random moment, its disk is full, its reader is gone, and its input
comes byte by byte.

usage: faults.py GRAZE FOLDER [ROUNDS [SEED]]    ROUNDS: moments for each command and signal

What it writes is then whole, or is not there under its name; what can be resumed goes on to the same bytes; a signal ends it as
signals end programs, and everything else is exit 2 with a line that says what could not be done."""

import os
import random
import resource
import signal
import shutil
import subprocess
import sys
import tempfile
import time

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]

# name: arguments (OUT: what it writes, a file or a folder), how it is told to go on, what its input of one byte after the other is.
CASES = {
    "query": ("query vf.csv --no-times --threads 2 --out OUT", "--resume", "vf.csv"),
    "query --certificate": ("query few-vf.csv --certificate OUT", None, None),
    "truth": ("truth vf.csv --no-times --threads 2 --out OUT", "--resume", "vf.csv"),
    "step": ("step s/frames/rod-twist_0.ply s/frames/rod-twist_5.ply --pairs-out OUT", None, "s/frames/rod-twist_0.ply"),
    "step --certificate": ("step s/frames/rod-twist_0.ply s/frames/rod-twist_5.ply --certificate OUT", None, None),
    "sequence": ("sequence s --no-times --threads 2 --out OUT", "--resume", None),
    "sequence --contacts": ("sequence s --contacts OUT.ply", None, None),
    "check": ("check s/frames/rod-twist_5.ply --pairs-out OUT", None, "s/frames/rod-twist_5.ply"),
    "articulate": ("articulate arm/arm-reach.json --no-times --lines OUT", "--resume", None),
    "articulate --certificate": ("articulate clear.json --certificate OUT", None, "clear.json"),
    "dataset": ("dataset made --no-times --lines OUT", "--resume", None),
    "dataset --make": ("dataset OUT --make", "", None),
    "merge": ("merge parts --out OUT", None, None),
    "sim": ("sim cloth-ball --frames 3 --size 5 --out OUT", "--resume", None),
    "scene": ("scene rod-twist --frames 30 --size 30 --out OUT", None, None),
    "handcraft": ("handcraft --count 30 --out OUT", None, None),
    "verify": ("verify step.json", None, None),
    "view": ("view s --out OUT.html", None, None),
    "bench": ("bench narrow --quick --time-budget 0.01 --methods certified --out OUT", None, None),
}
SHORT = {"info"}  # commands that end at once
TIMES = {"view"}  # what they write says how long it took: of a whole one the end is known
OPTIONAL = {"sim", "view"}  # commands that a build may be without
FOLDERS = {"dataset --make", "sim", "scene", "handcraft", "bench"}

problems = []


def is_whole(case, found, whole):
    return found[-100:] == whole[-100:] if case in TIMES else found == whole


def complain(case, what):
    problems.append(f"{case}: {what}")
    print(f"FAILED: {case}: {what}", flush=True)


def run(graze, folder, arguments, **more):
    return subprocess.run([graze, *arguments.split()], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, **more)


def must(graze, folder, arguments):
    done = run(graze, folder, arguments)
    if done.returncode != 0:
        sys.exit(f"FAILED: graze {arguments}: status {done.returncode}: {done.stderr.decode(errors='replace')}")


def contents(path):
    """Bytes of a file, or of all files of a folder by name; None where there is nothing."""
    if os.path.isfile(path):
        with open(path, "rb") as stream:
            return stream.read()
    if not os.path.isdir(path):
        return None
    found = {}
    for where, _, names in os.walk(path):
        for name in names:
            with open(os.path.join(where, name), "rb") as stream:
                found[os.path.relpath(os.path.join(where, name), path)] = stream.read()
    return found


def remove(path):
    for name in (path, path + ".graze-part"):
        if os.path.isdir(name):
            shutil.rmtree(name)
        elif os.path.exists(name):
            os.remove(name)


def temporary_files(folder):
    return [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names if name.startswith(".graze-")]


def write_inputs(graze, folder):
    must(graze, folder, "handcraft --out hand --count 40")
    rows = {}
    for where, _, names in os.walk(os.path.join(folder, "hand")):
        for name in sorted(names):
            if name.endswith(".csv") and "vertex-face" in where:
                with open(os.path.join(where, name), encoding="ascii") as stream:
                    rows[os.path.join(where, name)] = stream.readlines()
    lines = [line for name in sorted(rows) for line in rows[name] if line[0] in "-0123456789"]
    write(folder, "vf.csv", "".join(lines))
    write(folder, "few-vf.csv", "".join(lines[: 8 * 40]))
    must(graze, folder, "scene rod-twist --out s --frames 6 --size 12")
    must(graze, folder, "scene rod-twist --out made --frames 4 --size 8")
    must(graze, folder, "dataset made --make")
    must(graze, folder, "articulate --example arm-reach --out arm --frames 6")
    must(graze, folder, "step s/frames/rod-twist_0.ply s/frames/rod-twist_1.ply --certificate step.json")
    for part in (1, 2):
        must(graze, folder, f"truth vf.csv --no-times --shard {part}/2 --shard-out parts")
    write(folder, "box.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    write(folder, "clear.json", CLEAR)


CLEAR = """{"models": [
  {"name": "a", "links": [{"name": "l", "parent": null, "joint": {"kind": "prismatic", "axis": [1, 0, 0]}, "mesh": "box.obj"}]},
  {"name": "b", "mesh": "box.obj", "origin": {"position": [0, 0, 3]}}],
 "motion": {"a": {"from": [0], "to": [1]}}}
"""


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="ascii") as stream:
        stream.write(text)


def out_of(folder, case):
    words = [word for word in CASES[case][0].split() if word.startswith("OUT")] or ["OUT"]
    return os.path.join(folder, words[0].replace("OUT", "out"))


def prepare(folder, case):
    """What a command finds where it writes: nothing, but for dataset --make, which adds to a folder."""
    remove(out_of(folder, case))
    if case == "dataset --make":
        shutil.copytree(os.path.join(folder, "made/frames"), os.path.join(folder, "out/frames"))


def stop(graze, folder, case, arguments, resume, whole, number, delay):
    prepare(folder, case)
    out = out_of(folder, case)
    began = contents(out)
    with subprocess.Popen([graze, *arguments.split()], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
        time.sleep(delay)
        child.send_signal(number)
        said = child.stderr.read().decode(errors="replace")
        status = child.wait(60)
    where = f"{number.name} after {delay:.4f} s"
    if status not in (0, -number, 128 + number):
        complain(case, f"{where}: status {status}: {said[-300:]}")
    if number != signal.SIGKILL and temporary_files(folder):
        complain(case, f"{where}: left {temporary_files(folder)}")
    found = contents(out)
    if case in FOLDERS - {"bench"}:  # a report says how long it took
        halves = [name for name in (found or {}) if name in whole and found[name] != whole[name]]
        if halves:
            complain(case, f"{where}: half of a file: {halves[:5]}")
    elif case not in FOLDERS and found is not None and not is_whole(case, found, whole):
        complain(case, f"{where}: half of a file under its name")
    for name in temporary_files(folder):  # nobody tidies up after SIGKILL
        os.remove(name)
    if status != 0 and resume == "" and found == whole:
        return  # the signal came between the last file and the end: nothing is left to go on with
    if status != 0 and resume is not None:
        part = os.path.exists(out + ".graze-part") or contents(out) not in (None, began)
        done = run(graze, folder, f"{arguments} {resume if part or not resume else ''}")
        if done.returncode != 0 or contents(out) != whole:
            complain(case, f"{where}: does not go on to the same bytes: status {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}")


def full_disk(graze, folder, case, arguments, whole, least):
    """A file that cannot grow stands for a disk that is full."""
    prepare(folder, case)
    limit = max(1, min(least, 4096))
    done = run(graze, folder, arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit // 2, limit // 2)))
    said = done.stderr.decode(errors="replace")
    if done.returncode != 2 or not said.strip():
        complain(case, f"full disk: status {done.returncode}: {said[-300:]}")
    if temporary_files(folder):
        complain(case, f"full disk: left {temporary_files(folder)}")
    found = contents(out_of(folder, case))
    if case not in FOLDERS and found is not None and not is_whole(case, found, whole):
        complain(case, "full disk: half of a file under its name")


def closed_pipe(graze, folder, case, arguments):
    prepare(folder, case)
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([graze, *arguments.split()], cwd=folder, stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE, timeout=300)
    os.close(writing)
    if done.returncode not in (0, 2, -signal.SIGPIPE, 128 + signal.SIGPIPE):
        complain(case, f"closed pipe: status {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}")
    if temporary_files(folder):
        complain(case, f"closed pipe: left {temporary_files(folder)}")


def byte_by_byte(graze, folder, case, arguments, name):
    prepare(folder, case)
    pipe = "slow-" + os.path.basename(name)
    arguments = arguments.replace(name, pipe, 1)
    shutil.copy(os.path.join(folder, name), os.path.join(folder, pipe))
    must(graze, folder, arguments)
    whole, data = contents(out_of(folder, case)), contents(os.path.join(folder, pipe))
    os.remove(os.path.join(folder, pipe))
    os.mkfifo(os.path.join(folder, pipe))
    prepare(folder, case)
    with subprocess.Popen([graze, *arguments.split()], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
        feed(os.path.join(folder, pipe), data, child)
        said = child.stderr.read().decode(errors="replace")
        status = child.wait(300)
    os.remove(os.path.join(folder, pipe))
    if status != 0 or contents(out_of(folder, case)) != whole:
        complain(case, f"input byte by byte: status {status}: {said[-300:]}")


def feed(path, data, child):
    """Pieces of 1 to 3 bytes at the beginning, then some hundred, so that it ends."""
    draw, at = random.Random(7), 0
    while True:
        try:
            pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
            break
        except OSError:
            if child.poll() is not None:
                return
            time.sleep(0.001)
    os.set_blocking(pipe, True)
    try:
        while at < len(data):
            size = draw.randint(1, 3) if at < 3000 else draw.randint(1, 1500)
            at += os.write(pipe, data[at : at + size])
    except BrokenPipeError:
        pass
    os.close(pipe)


def commands_are_listed(graze, folder):
    said = run(graze, folder, "help").stdout.decode()
    named = {line.split()[0] for line in said.split("commands:")[1].split("\n\n")[0].splitlines() if line.strip()}
    known = {case.split()[0] for case in CASES} | SHORT
    if named != known:
        complain("help", f"commands {sorted(named ^ known)} are not those of this test")


def main(graze, folder, rounds=1, seed=1):
    draw = random.Random(seed)
    folder = tempfile.mkdtemp(dir=folder)
    write_inputs(graze, folder)
    commands_are_listed(graze, folder)
    stopped, left_out = 0, 0
    for case, (arguments, resume, slow) in CASES.items():
        arguments = arguments.replace("OUT", "out")
        if case in OPTIONAL and b" is not in this " in run(graze, folder, arguments).stderr:
            print(f"  {case}: left out, it is not in this build", flush=True)
            left_out += 1
            continue
        prepare(folder, case)
        began = time.time()
        must(graze, folder, arguments)
        seconds = time.time() - began
        whole = contents(out_of(folder, case))
        for number in SIGNALS:
            for _ in range(rounds):
                stop(graze, folder, case, arguments, resume, whole, number, draw.random() * seconds)
                stopped += 1
        if whole:
            least = max(len(data) for data in whole.values()) if isinstance(whole, dict) else len(whole)
            full_disk(graze, folder, case, arguments, whole, least)
        closed_pipe(graze, folder, case, arguments)
        if slow:
            byte_by_byte(graze, folder, case, arguments, slow)
        print(f"  {case}: {seconds:.2f} s", flush=True)
    shutil.rmtree(folder)
    print(f"{len(CASES) - left_out} commands, {stopped} stopped by a signal, {len(problems)} problems; seed {seed}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:])))
