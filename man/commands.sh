#!/bin/sh
# Prints docs/commands.md: every command as the program's own --help has it; `./dev man` keeps that in the tree.
# usage: commands.sh PROGRAM
set -eu
program=$1
cat <<'TEXT'
# Command line

Every command of the program, and its options. `graze help COMMAND` prints the same. The [manual page](../man/graze.1) adds a description of each command, the
environment variables and the files. `./dev man` writes this page from the program, and the test `manual` compares them.

Exit status: 0 done, 2 could not do it, with one line on stderr that says why. `--exit-code` adds 1 for a hit and 3 for unresolved. With `--json` one JSON object
goes to stdout and nothing else.
TEXT
"$program" --help | awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' | while read -r command; do
    text=$("$program" "$command" --help) || { echo "commands.sh: there is no help of $command" >&2; exit 1; }
    printf '%s\n' "$text" | awk -v command="$command" '
        function cell(text) { gsub(/\|/, "\\|", text); return text }
        function begin(title) { print "\n| " title " | |\n|---|---|" }
        NR == 1 { sub(/^usage: /, ""); print "\n## " command "\n\n`" $0 "`"; next }
        /^(suites|options):$/ { begin(substr($0, 1, length($0) - 2)); rows = 1; next }
        /^examples?:/ { rows = 0; examples = 1; gap = 1; sub(/^examples?: */, "") }
        /^$/ { rows = 0; gap = 1; next }
        rows && $1 == "--help" { next }
        rows {
            split(substr($0, 3), part, /  +/)
            help = substr($0, 3 + length(part[1]))
            sub(/^ +/, "", help)
            print "| `" cell(part[1]) "` | " cell(help) " |"
            next
        }
        examples {
            sub(/^ +/, "")
            if ($0 == "") next
            if (gap) print "\n<!-- not run: the files are examples -->\n"
            gap = 0
            print "    " $0
            next
        }
        { if (gap) print ""; gap = 0; print }'
done
