#!/bin/sh
# The manual page and docs/commands.md have every command and every option of the program, in its words; the shells complete them.
# usage: manual.sh SOURCE_DIR PROGRAM
set -eu
source=$1 program=$2
page=$source/man/graze.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
complain() { echo "$1"; status=1; }

"$program" sim --help >/dev/null 2>&1 || { echo "skipped: graze-sim is not in this build"; exit 77; }
sh "$source/man/options.sh" "$program" "$page" >"$work/page"
diff "$page" "$work/page" || complain "man/graze.1 is not what --help says: run ./dev man"
sh "$source/man/commands.sh" "$program" >"$work/commands"
diff "$source/docs/commands.md" "$work/commands" || complain "docs/commands.md is not what --help says: run ./dev man"
for command in $("$program" --complete | cut -f 1); do
    sed -n '/^\.SH COMMANDS/,/^\.SH OPTIONS/p' "$page" | grep -q "^\.B $command\b" || complain "man/graze.1 does not describe $command"
done

ln -s "$program" "$work/graze" # completion asks the graze of the path
PATH=$work:$PATH
export PATH

# completes "what bash has", word, word…: the last word is the one that is completed
completes() {
    wanted=$1
    shift
    # shellcheck disable=SC2016
    said=$(bash -c '. "$0/completions/graze.bash"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _graze
        echo "${COMPREPLY[*]}"' "$source" "$@")
    [ "$said" = "$wanted" ] || complain "bash completes '$*' by '$said', not by '$wanted'"
}
if command -v bash >/dev/null 2>&1; then
    completes step graze ste
    completes step graze help ste
    completes --method graze step --met
    completes --example graze articulate --exa
    completes exact graze step --method ex
    completes exact graze step --method = ex # as bash cuts --method=ex
    completes 'earliest any vertices all' graze step --mode ''
    completes 'earliest any vertices all' graze step --mode =
    completes 'vf ee' graze query a.csv --kind ''
    completes walk graze articulate --example wal
    completes cloth-ball graze scene cloth-b
    completes narrow graze bench na
    completes brute graze step a.ply b.ply --broad br
    completes '' graze step a.p
    completes '' graze nonsense --x
else
    echo "skipped: there is no bash"
fi
if command -v script >/dev/null 2>&1; then
    script -qec "stty cols 80; graze sequence --help" /dev/null </dev/null | tr -d '\r' | awk '/^options:/ { on = 1 } /^$/ { on = 0 } on' >"$work/narrow"
    [ "$(wc -l <"$work/narrow")" -gt 30 ] || complain "no help on a terminal"
    awk 'length > 80' "$work/narrow" | grep . && complain "a line of help is wider than its terminal"
else
    echo "skipped: there is no script(1)"
fi
if command -v zsh >/dev/null 2>&1; then zsh -n "$source/completions/graze.zsh" || status=1; else echo "skipped: there is no zsh"; fi
if command -v fish >/dev/null 2>&1; then
    for line in 'graze ste' 'graze help ste' 'graze step --met' 'graze step --method=ex' 'graze articulate --example wal'; do
        fish -c "source $source/completions/graze.fish; complete -C '$line'" | grep -qE 'step|--method|exact|walk' || complain "fish does not complete '$line'"
    done
else
    echo "skipped: there is no fish"
fi
exit $status
