"""The code of a page of Markdown: its blocks, fenced or indented, and the commands in its sentences."""

import dataclasses
import re

FENCE = re.compile(r"```(\w*)\s*$")
MARK = re.compile(r"<!-- *not run:(.*)-->\s*$")
SPAN = re.compile(r"`([^`\n]+)`")


@dataclasses.dataclass
class Block:
    """Code of a page. What is indented has no language: it is for the shell."""
    page: str
    line: int
    language: str
    text: str
    reason: str | None = None  # of the mark above it: why it is not run

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def mark_above(lines, index):
    """The reason of a mark in the last line above that is not empty."""
    above = [line for line in lines[:index] if line.strip()]
    found = MARK.match(above[-1]) if above else None
    return found.group(1).strip() if found else None


def end_of_fence(lines, start):
    for index in range(start, len(lines)):
        if lines[index].rstrip() == "```":
            return index
    raise SystemExit(f"a fence that opens in line {start} is never closed")


def end_of_indented(lines, start):
    end = start
    for index in range(start, len(lines)):
        if lines[index].strip() and not lines[index].startswith("    "):
            break
        if lines[index].strip():
            end = index + 1
    return end


def is_list(lines, index):
    """True if an indented paragraph goes on with an item of a list."""
    for line in reversed(lines[:index]):
        if line.strip() and not line.startswith(" "):
            return re.match(r"([-*]|\d+\.) ", line) is not None
    return False


def blocks_of(page, text):
    lines = text.split("\n")
    index, after_blank = 0, True
    while index < len(lines):
        fence = FENCE.match(lines[index])
        if fence:
            end = end_of_fence(lines, index + 1)
            yield Block(page, index + 1, fence.group(1), "\n".join(lines[index + 1:end]) + "\n", mark_above(lines, index))
            index = end
        elif after_blank and lines[index].startswith("    ") and lines[index].strip() and not is_list(lines, index):
            end = end_of_indented(lines, index)
            code = "".join(line[4:] + "\n" for line in lines[index:end])
            yield Block(page, index + 1, "sh", code, mark_above(lines, index))
            index = end - 1
        after_blank = not lines[index].strip()
        index += 1


def commands_in_sentences(text):
    """Words of each command `graze …` or `./dev …` that stands between backquotes, with its line."""
    for number, line in enumerate(text.split("\n"), 1):
        for span in SPAN.findall(line):
            words = span.split()
            if words[0] in ("graze", "build/graze", "./dev") and len(words) > 1:
                yield number, ["graze" if words[0] == "build/graze" else words[0]] + words[1:]
