"""Figures of MC/DC from llvm-cov's export, and the conditions that no test shows to matter.

usage: mcdc.py SOURCE_DIR EXPORT.json REASONS.txt

A line of REASONS.txt is `FILE ~ part of the decision's text ~ condition, as it is written ~ reason`. In the file and the condition
`*` stands for any text, so that one line may hold for a family; all else stands for itself. Exit status 1 where a condition has no
reason, or a reason no condition."""

import json
import os
import re
import sys


def cut(line_start, column_start, line_end, column_end, lines):
    """The source between two places, on one line."""
    if line_start == line_end:
        text = lines[line_start - 1][column_start - 1 : column_end - 1]
    else:
        parts = [lines[line_start - 1][column_start - 1 :]] + lines[line_start : line_end - 1]
        text = " ".join(part.strip() for part in parts + [lines[line_end - 1][: column_end - 1]])
    return " ".join(text.split())


def plain(text):
    """As long as the text, without what stands in quotes: a bracket there is none."""
    return re.sub(r"'(\\.|[^'\\])'|\"(\\.|[^\"\\])*\"", lambda quoted: "_" * len(quoted[0]), text)


def leaves(text):
    """The leaves of a decision as they are written, from left to right."""
    names, at = [], 0
    for leaf in conditions(plain(text)):
        at = plain(text).index(leaf, at)
        names.append(text[at : at + len(leaf)])
        at += len(leaf)
    return names


def like(pattern, text):
    return re.fullmatch(".*".join(re.escape(part) for part in pattern.split("*")), text) is not None


def conditions(text):
    """Of a text without quotes: split at && and || outside of calls; parentheses and ! come off."""
    text = text.strip()
    while text.startswith("!(") and closes_at(text, 1) == len(text) - 1:
        text = text[1:]
    while text.startswith("(") and closes_at(text, 0) == len(text) - 1:
        text = text[1:-1].strip()
        while text.startswith("!(") and closes_at(text, 1) == len(text) - 1:
            text = text[1:]
    depth, begin, parts = 0, 0, []
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and text[i : i + 2] in ("&&", "||"):
            parts.append(text[begin:i])
            begin = i + 2
    if not parts:
        return [text]
    return [leaf for part in parts + [text[begin:]] for leaf in conditions(part)]


def closes_at(text, opens):
    depth = 0
    for i in range(opens, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return -1


def room_of(path):
    return "/".join(path.split("/")[:2]) if path.startswith("src/") else path.split("/")[0]


def records(source, export):
    """(file, line, text of the decision, [seen, …]) of each decision, once."""
    seen = {}
    for file in export["data"][0]["files"]:
        path = os.path.relpath(file["filename"], source)
        if not path.startswith(("src/pair/", "src/numerics/", "verify/")):
            continue
        with open(os.path.join(source, path), encoding="utf-8") as stream:
            lines = stream.read().split("\n")
        for record in file.get("mcdc_records", []):
            place, covered = record[:4], record[-1]
            key = (path, *place)
            before = seen.get(key, (None, [False] * len(covered)))[1]
            seen[key] = (cut(*[place[i] for i in (0, 1, 2, 3)], lines), [a or b for a, b in zip(before, covered)])
    return [(key[0], key[1], text, covered) for key, (text, covered) in sorted(seen.items())]


def read_reasons(path):
    with open(path, encoding="utf-8") as stream:
        return [[f.strip() for f in line.split(" ~ ")] for line in stream if " ~ " in line and not line.startswith("#")]


def main(source, export_path, reasons_path):
    source = os.path.realpath(source)
    with open(export_path, encoding="utf-8") as stream:
        export = json.load(stream)
    reasons, used = read_reasons(reasons_path), set()
    rooms, unexplained = {}, 0
    for path, line, text, covered in records(source, export):
        names = leaves(text)
        if len(names) != len(covered):
            names = [f"condition {i + 1}" for i in range(len(covered))]
        total = rooms.setdefault(room_of(path), [0, 0, 0])
        for name, shown in zip(names, covered):
            total[0] += 1
            total[1] += shown
            if shown:
                continue
            found = [i for i, r in enumerate(reasons) if like(r[0], path) and r[1] in text and like(r[2], name)]
            used.update(found)
            total[2] += bool(found)
            unexplained += not found
            print(f"{path}:{line}: {name}   [of {text}]: {reasons[found[0]][3] if found else 'NO REASON'}")
    for i, reason in enumerate(reasons):
        if i not in used:
            print(f"a reason without a condition: {' ~ '.join(reason[:3])}")
    print()
    for room, (count, shown, explained) in sorted(rooms.items()):
        print(f"{room:14} {shown} of {count} conditions ({100 * shown / count:.1f} %), {explained} of the others with a reason")
    count, shown = (sum(total[i] for total in rooms.values()) for i in (0, 1))
    print(f"mcdc: {shown} of {count} conditions shown to matter, {unexplained} of the others without a reason")
    return 1 if unexplained or len(used) < len(reasons) or count < 100 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
