#!/bin/sh
# Prints the manual page with its section OPTIONS as the program's own --help has it; `./dev man` keeps that in the tree.
# usage: options.sh PROGRAM PAGE
set -eu
program=$1 page=$2
sed '/^\.SH OPTIONS/,$d' "$page"
echo '.SH OPTIONS'
"$program" --help | awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' | while read -r command; do
    text=$("$program" "$command" --help) || { echo "options.sh: there is no help of $command" >&2; exit 1; }
    printf '%s\n' "$text" | awk '
        function roff(text) {
            gsub(/\\/, "\\e", text)
            gsub(/-/, "\\-", text)
            sub(/^[.\047]/, "\\\\\\&&", text)
            return text
        }
        NR == 1 {
            sub(/^usage: graze /, "")
            print ".SS " roff($1)
            next
        }
        /^options:/ { on = 1; next }
        /^$/ { on = 0 }
        on && /^  -/ && $1 != "--help" {
            split(substr($0, 3), part, /  +/)
            name = part[1]
            argument = ""
            if (match(name, / /)) { argument = substr(name, RSTART + 1); name = substr(name, 1, RSTART - 1) }
            help = substr($0, 3 + length(part[1]))
            sub(/^ +/, "", help)
            print ".TP"
            print "\\fB" roff(name) "\\fR" (argument == "" ? "" : " \\fI" roff(argument) "\\fR")
            print roff(help)
        }'
done
sed -n '/^\.SH EXIT STATUS/,$p' "$page"
