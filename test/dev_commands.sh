#!/bin/sh
# `./dev nightly` runs every command that `./dev help` lists, besides itself, and no other; `./dev` knows each of them. The night
# takes the minutes of each fuzzer, and refuses a command that it does not know.
# usage: dev_commands.sh SOURCE_DIR
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
said=$(./dev help 2>&1 >/dev/null)
[ -z "$said" ] || { echo "./dev help says: $said"; exit 1; }
./dev help | sed -n 's/^  \([a-z][a-z-]*\).*/\1/p' | grep -v '^nightly$' | sort >"$work/help"
for form in '' --short; do
    # shellcheck disable=SC2086
    ./dev nightly $form --list | cut -d ' ' -f 1 | sort -u >"$work/nightly"
    diff "$work/help" "$work/nightly" || { echo "./dev help (<) and ./dev nightly $form --list (>) differ"; exit 1; }
done
while read -r command; do
    grep -qE "^([a-z-]+ \| )*$command( \| [a-z-]+)*\)" dev || { echo "./dev has no $command"; exit 1; }
done <"$work/help"
fuzzers=$(ls fuzz/fuzz_*.c | wc -l)
for minutes in 10 3; do
    ./dev nightly --fuzz $minutes --list | grep -qx "fuzz $((60 * minutes * fuzzers))" || { echo "--fuzz $minutes is not $minutes minutes for each of $fuzzers"; exit 1; }
done
./dev nightly --short --fuzz 1 --list | grep -qx "fuzz $((60 * fuzzers))" || { echo "--short --fuzz 1 is not a minute for each"; exit 1; }
! ./dev nightly --fuzz x --list >/dev/null 2>&1 || { echo "--fuzz x was taken"; exit 1; }
./dev nightly no-such-command 2>&1 | grep -q "there is no command 'no-such-command'" || { echo "an unknown command was taken"; exit 1; }
[ "$(wc -l <"$work/help")" -gt 15 ] || { echo "hardly any commands"; exit 1; }
