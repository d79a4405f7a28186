"""Runs every block of code of the documents, and holds their sentences against the program.

run.py SOURCE BUILD CC CXX           the documents: each block has to do what it says
run.py SOURCE BUILD CC CXX --wrong   the page wrong.md: each block of it has to be found wrong

- sh and indented blocks run in a folder of their own for each page, with the programs of bin/ first and the files of stand_ins.py;
- c and cpp with a main are compiled, with warnings as errors, and run; those without are run by a file of their page beside this
  script (integration.c: all of them as one), or compiled by a command of the page that names a file which is not there;
- python and js run, with BEFORE above them; json goes to the command of READERS; cmake becomes a project with an example;
- a comment "prints …" in a block has to be in its output;
- what is not run says why, in the line above: <!-- not run: reason -->.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import stand_ins
from blocks import blocks_of, commands_in_sentences

HERE = pathlib.Path(__file__).resolve().parent
SOURCE, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
COMPILERS = {"c": [sys.argv[3], "-std=c11"], "cpp": [sys.argv[4], "-std=c++17"]}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-function"]
PAGES = ["README.md", "CONTRIBUTING.md", "web/package/README.md"]
READERS = {"docs/certificates.md": ["verify"], "docs/articulated.md": ["articulate"], "wrong.md": ["verify"]}
BEFORE = {"docs/start.md": """import { readFileSync } from "node:fs";
const fetch = async (name) => ({ arrayBuffer: () => readFileSync(`node_modules/graze-ccd/dist/${name}`) });
const query = Float64Array.of(0, 0, 1, -1, -1, 0, 2, -1, 0, -1, 2, 0, 0, 0, -1, -1, -1, 0, 2, -1, 0, -1, 2, 0);
"""}
OMPL = sorted(pathlib.Path("/usr/include").glob("ompl-*"))
SECONDS = 300  # a busy machine is ten times slower


class Wrong(Exception):
    """A block does not do what it says."""


class Absent(Exception):
    """A block cannot be run by this build or on this machine."""


def environment(prefix, folder):
    library = next(prefix.glob("**/libgraze.so")).parent
    return dict(os.environ, PATH=f"{HERE / 'bin'}:{os.environ['PATH']}", GRAZE_REAL=str(BUILD / "graze"), GRAZE_BUILD=str(BUILD),
                GRAZE_SOURCE=str(SOURCE), GRAZE_CMAKE=shutil.which("cmake"), GRAZE_NOT_HERE=str(folder / "not-here"),
                PKG_CONFIG_PATH=str(library / "pkgconfig"), LD_LIBRARY_PATH=str(library), CMAKE_PREFIX_PATH=str(prefix),
                PYTHONPATH=str(SOURCE / "python"), GRAZE_LIBRARY=str(BUILD / "libgraze.so"), PYTHONDONTWRITEBYTECODE="1")


class Page:
    """One page and the folder that its blocks run in."""

    def __init__(self, name, folder):
        self.name, self.folder, self.environment = name, folder, environment(folder.parent / "prefix", folder)
        self.source = {}  # the last block of C and C++, and those that nothing has run yet
        self.waiting = {"c": [], "cpp": []}
        shutil.copytree(folder.parent / "stand-ins", folder, symlinks=True)
        (folder / "build").mkdir()
        (folder / "build" / "graze").symlink_to(HERE / "bin" / "graze")
        (folder / "dev").symlink_to(HERE / "bin" / "dev")

    def run(self, *words):
        """Standard output and errors of a command that has to succeed."""
        try:
            done = subprocess.run([str(word) for word in words], cwd=self.folder, env=self.environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise Wrong(f"longer than {SECONDS} seconds") from None
        if done.returncode:
            raise Wrong(f"status {done.returncode} of {words[0]}\n{done.stdout[-3000:]}")
        return done.stdout

    def sh(self, block):
        if "pip " in block.text and subprocess.run(["/usr/bin/python3", "-m", "pip", "--version"], capture_output=True).returncode:
            raise Absent("no pip")
        for name in re.findall(r"\b[\w-]+\.(?:c|cpp)\b", block.text):
            language = name.split(".")[1]
            if not (self.folder / name).exists() and language in self.source:
                (self.folder / name).write_text(self.source[language].text)
                self.waiting[language] = [b for b in self.waiting[language] if b is not self.source[language]]
        # the shell does not end with the first of two commands that && joins
        output = self.run("sh", "-eu", "-c", block.text.replace(" && ", "\n"))
        if "it promises otherwise" in output:
            raise Wrong("a method that the page brings does not keep what it promises")
        return output

    def compiled(self, language, code):
        file = self.folder / f"block.{language}"
        file.write_text(code)
        flags = shlex.split(self.run("pkg-config", "--cflags", "--libs", "graze"))
        folders = [f"-isystem{f}" for f in (HERE.parent / "cpp" / "toolkit", "/usr/include/eigen3", *OMPL)]
        flags += ["-lompl"] if "compat/ompl.hpp" in code else []
        self.run(*COMPILERS[language], *WARNINGS, *folders, file, *flags, "-lm", "-o", self.folder / "block")
        return self.run(self.folder / "block")

    def c(self, block, language="c"):
        if not shutil.which(COMPILERS[language][0] or "none"):
            raise Absent("no compiler")
        self.source[language] = block
        if re.search(r"\bint main\(", block.text):
            return self.compiled(language, block.text)
        self.waiting[language].append(block)
        return ""

    def cpp(self, block):
        if "ipc_toolkit" in block.text and not pathlib.Path("/usr/include/eigen3").exists():
            raise Absent("no Eigen")
        if "compat/ompl.hpp" in block.text and not OMPL:
            raise Absent("no OMPL")
        return self.c(block, "cpp")

    def python(self, block):
        if subprocess.run(["/usr/bin/python3", "-c", "import numpy"], capture_output=True).returncode:
            raise Absent("no NumPy")
        return self.run("/usr/bin/python3", "-c", block.text)

    def js(self, block):
        if not shutil.which("node") or not (SOURCE / "web" / "package" / "dist" / "graze.js").exists():
            raise Absent("no Node, or no package for the web: ./dev web makes it")
        modules = self.folder / "node_modules"
        modules.mkdir(exist_ok=True)
        if not (modules / "graze-ccd").exists():
            (modules / "graze-ccd").symlink_to(SOURCE / "web" / "package")
        (self.folder / "block.mjs").write_text(BEFORE.get(self.name, "") + block.text)
        return self.run("node", "block.mjs")

    def json(self, block):
        if self.name not in READERS:
            raise Wrong("no command reads it: see READERS in test/docs/run.py")
        (self.folder / "block.json").write_text(block.text)
        output = self.run("graze", *READERS[self.name], "block.json")
        return output

    def cmake(self, block):
        """A project whose program `app` is the last C code of the page."""
        project = self.folder / "project"
        project.mkdir()
        (project / "example.c").write_text(self.source["c"].text)
        head = "cmake_minimum_required(VERSION 3.21)\nproject(example C)\nadd_executable(app example.c)\n"
        (project / "CMakeLists.txt").write_text(head + block.text)
        cmake = shutil.which("cmake")
        self.run(cmake, "-S", "project", "-B", "project/out")
        self.run(cmake, "--build", "project/out")
        return self.run(project / "out" / "app")

    def not_here(self):
        """The program's notes on parts that this build or machine lacks."""
        notes = pathlib.Path(self.environment["GRAZE_NOT_HERE"])
        return notes.read_text().splitlines() if notes.exists() else []

    def rest(self, language):
        """Blocks that wait for the file of this page that runs them."""
        end = HERE / f"{pathlib.Path(self.name).stem}.{language}"
        if not end.exists():
            raise Wrong("nothing runs this block")
        self.compiled(language, "".join(block.text for block in self.waiting[language]) + end.read_text())

    def try_block(self, block):
        """Returns where it does what it says, so far as it can be run by itself."""
        runner = getattr(self, block.language, None) if block.language in LANGUAGES else None
        if runner is None:
            raise Wrong(f"a block of '{block.language}' is not run and not marked: <!-- not run: reason -->")
        output = runner(block)
        for claim in re.findall(r"(?:#|//) prints (.+)", block.text):
            if claim.strip() not in output:
                raise Wrong(f"does not print: {claim.strip()}\n{output[-2000:]}")


LANGUAGES = {"sh", "c", "cpp", "python", "js", "json", "cmake"}


class Report:
    def __init__(self):
        self.ran, self.marked, self.absent, self.wrong = 0, [], [], []

    def attempt(self, block, work):
        try:
            work()
            self.ran += 1
        except Absent as absent:
            self.absent.append(f"{block.place}: {absent}")
        except Wrong as wrong:
            self.wrong.append(f"{block.place}: {wrong}")

    def block(self, page, block):
        if block.reason is None:
            self.attempt(block, lambda: page.try_block(block))
        elif block.reason:
            self.marked.append(f"{block.place}: {block.reason}")
        else:
            self.wrong.append(f"{block.place}: a mark without a reason")

    def sentences(self, name, text, helps):
        for line, words in commands_in_sentences(text):
            if words[1].isupper():
                continue  # it stands for any
            known = helps(words[0], words[1])
            options = [option for option in words[2:] if option.startswith("--")]
            for word in [words[1]] * (known is None) + [option for option in options if option not in (known or "")]:
                self.wrong.append(f"{name}:{line}: {words[0]} has no {word} in `{' '.join(words)}`")

    def page(self, name, text, folder, helps):
        page = Page(name, folder)
        for block in blocks_of(name, text):
            self.block(page, block)
        for language, waiting in page.waiting.items():
            self.ran -= len(waiting)
            for block in waiting[:1]:
                self.attempt(block, lambda: page.rest(language))
                self.ran += len(waiting) - 1
        self.absent += [f"{name}: {line}" for line in page.not_here()]
        self.sentences(name, text, helps)


def helper(work):
    """A function that gives the help of a command, or None."""
    known = {}

    def helps(program, command):
        if program == "./dev":
            known.setdefault(program, subprocess.check_output([SOURCE / "dev", "help"], text=True))
            return known[program] if command == "help" or re.search(rf"^  {re.escape(command)} ", known[program], re.M) else None
        if command not in known:
            words = [] if command.startswith("--") else [command]
            done = subprocess.run([BUILD / "graze", *words, "--help"], cwd=work, capture_output=True, text=True)
            known[command] = done.stdout if done.returncode == 0 else None
        return known[command]

    return helps


def texts():
    if "--wrong" in sys.argv:
        return {"wrong.md": (HERE / "wrong.md").read_text()}
    names = PAGES + sorted(str(path.relative_to(SOURCE)) for path in (SOURCE / "docs").rglob("*.md"))
    return {name: (SOURCE / name).read_text() for name in names}


def main():
    report = Report()
    with tempfile.TemporaryDirectory(prefix="graze-docs-") as name:
        work = pathlib.Path(name)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", work / "prefix"], check=True, stdout=subprocess.DEVNULL)
        stand_ins.make(work / "stand-ins", BUILD / "graze", sys.argv[3], SOURCE)
        for number, (page, text) in enumerate(texts().items()):
            report.page(page, text, work / f"page-{number}", helper(work))
    for words, found in (("not run", report.marked), ("skipped", report.absent), ("WRONG", report.wrong)):
        for line in found:
            print(f"{words}: {line}")
    print(f"{report.ran} blocks run, {len(report.marked)} not run for the reasons above, {len(report.absent)} not here,"
          f" {len(report.wrong)} wrong")
    return report


if __name__ == "__main__":
    found = main()
    if "--wrong" in sys.argv:  # a line for every block, and two for the sentences
        expected = len(list(blocks_of("wrong.md", texts()["wrong.md"]))) + 2
        sys.exit(0 if found.ran == 0 and len(found.wrong) == expected else 1)
    sys.exit(0 if found.ran > 30 and not found.wrong else 1)
