#!/bin/sh
# Runs every command that `./dev help` lists and writes one page of figures, build/nightly.md, anew after each command. A command
# that failed, ran beyond its hours or left the tree changed is named there and at the end, and the night fails.
# usage: nightly.sh [--short] [--fuzz MINUTES] [--resume] [COMMAND…]     all without names; each fuzzer runs for 10 minutes unless told
# --short    each command on a sample: some tests, mutations and builds, 10 seconds of each fuzzer, a minute of soak
# --resume   goes on with a night that was cut off: what passed on this commit is not run again, nor what passed on one that differs
#            from it by documents alone, but for commands that read them. Where the tree has changes all is run
# --list     prints the commands with their arguments
set -eu
cd "$(dirname "$0")/.."
usage="usage: ./dev nightly [--short] [--fuzz MINUTES] [--resume] [COMMAND…]"
form=long resume=no list=no fuzz_seconds='' hours=12
while [ $# -gt 0 ]; do
    case $1 in
    --short) form=short hours=2 ;;
    --fuzz)
        case ${2:-} in '' | *[!0-9]*) echo "$usage" >&2; exit 2 ;; esac
        fuzz_seconds=$((60 * $2))
        shift
        ;;
    --resume) resume=yes ;;
    --list) list=yes ;;
    -*) echo "$usage" >&2; exit 2 ;;
    *) break ;;
    esac
    shift
done
[ -n "$fuzz_seconds" ] || fuzz_seconds=$([ $form = short ] && echo 10 || echo 600)
fuzz="fuzz $((fuzz_seconds * $(ls fuzz/fuzz_*.c | wc -l)))"
few='-R ^(base|bits|certified|step|articulated|mesh_io)$'
reads_documents='test|ci|man|web|package|release|docs|links'
table() { "${form}_table"; } # command and arguments
short_table() {
    cat <<TABLE
build
test $few
format
man
figures
ci rules
sanitize $few
threads
faults 1
bits
builds quick refused-quick
neon
port riscv64
port s390x
port musl
port windows
wasm $few
web test
python test
package
release --try
docs
links
demo build/nightly/demo
bench narrow --quick --out build/nightly/report
mpi
slurm
gpu-test
coverage $few
mutate GZ_DOT_SLACK volume
prove break dot
twin 1000
eva scan parts
$fuzz
soak 1
TABLE
}
long_table() {
    cat <<TABLE
build
test
format
man
figures
ci
sanitize
threads
faults 20
bits
builds
neon
port riscv64
port s390x
port musl
port windows
wasm
web test
python test
package
release --try
docs
links
demo build/nightly/demo
bench all --quick --out build/nightly/report
mpi
slurm
gpu-test
coverage
mutate
prove break
twin
eva
eva break
$fuzz
soak 60
TABLE
}
if [ $list = yes ]; then
    table
    exit 0
fi
for name in "$@"; do
    table | grep -qE "^$name( |\$)" || { echo "nightly: there is no command '$name'; --list names them" >&2; exit 2; }
done
chosen() { if [ $# = 0 ]; then table; else for name in "$@"; do table | grep -E "^$name( |\$)"; done; fi; }

# The record has a line for each command that ended: its name with arguments, result, seconds, commit, last line; between tabs.
page=build/nightly.md record=build/nightly/$form.tsv tab=$(printf '\t')
mkdir -p build/nightly
{ [ $resume = yes ] || [ $# -gt 0 ]; } && [ -e "$record" ] || : >"$record"
state() { { git status --porcelain; git diff; } | cksum; } # of the tree
commit_now() { if [ -z "$(git status --porcelain)" ]; then git rev-parse --short HEAD; else echo "$(git rev-parse --short HEAD) with changes"; fi; }
recorded() { awk -F '\t' -v key="$1" '$1 == key' "$record"; } # "command arguments"
# whether "command arguments" passed already on what is here now
passed_before() {
    [ -z "$(git status --porcelain)" ] || return 1
    row=$(recorded "$1")
    [ "$(echo "$row" | cut -f 2)" = passed ] || return 1
    then=$(echo "$row" | cut -f 4)
    [ "$then" != "$(git rev-parse --short HEAD)" ] || return 0
    case $then in *" "*) return 1 ;; esac # with changes
    echo "${1%% *}" | grep -qxE "$reads_documents" && return 1
    git diff --quiet "$then" HEAD -- . ':!docs/*' ':!*.md' 2>/dev/null
}
# a row for each line of build/nightly/rows
write_page() {
    here=$(commit_now)
    {
        echo "# A night of graze, its $form form"
        echo
        echo "Commit $here, $(date -u '+%Y-%m-%d %H:%M') UTC, $(uname -sm), $(getconf _NPROCESSORS_ONLN) cores."
        echo
        awk -F '\t' -v here="$here" '
            function clock(seconds) { return sprintf("%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60) }
            FILENAME ~ /tsv$/ { result[$1] = $2; seconds[$1] = $3; commit[$1] = $4; last[$1] = $5; next }
            {
                times[result[$1]]++
                sum += seconds[$1]
                said = result[$1]
                if (said == "failed") said = "**failed**"
                if (said != "" && commit[$1] != here) said = said " on " commit[$1]
                shown = $1
                gsub(/\|/, "\\|", shown)
                rows = rows "| `" shown "` | " (said == "" ? "not run | |" : said " | " clock(seconds[$1]) " | " last[$1]) " |\n"
            }
            END {
                printf "%d commands: %d passed, %d failed, %d skipped, %d not run yet; %s in all.\n\n", FNR, times["passed"],
                    times["failed"], times["skipped"], times[""], clock(sum)
                printf "| command | result | h:mm:ss | its last line |\n|---|---|---|---|\n%s", rows
            }' "$record" build/nightly/rows
        echo
        echo "## Figures"
        echo
        figures
    } >$page
}
# The last line that says something: a summary of tests rather than the time they took.
last_words() {
    awk '
        /^# (pass|fail) [0-9]/ { count[$2] += $3; said = count["pass"] + 0 " passed, " count["fail"] + 0 " failed"; next }
        /^Total Test time/ || /^# [a-z_]+ [0-9.]+$/ { next }
        NF { said = $0 }
        END { gsub(/[|\t]/, " ", said); print substr(said, 1, 160) }' "$1"
}
figures() {
    sh test/lengths.sh . | sed 's/^/- /'
    echo "- lines of the checker: $(find verify -name "*.[ch]" -exec cat {} + | wc -l)"
    for log in build/nightly/test.log build/nightly/test-*.log; do
        [ ! -e "$log" ] || sed -n 's/^\([0-9]*\)% tests passed, \([0-9]*\) tests failed out of \([0-9]*\)$/- `.\/dev test`: \2 of \3 tests failed/p' "$log"
    done
    [ ! -e build/soak.jsonl ] || awk '
        function number(name) { return match($0, "\"" name "\":[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : 0 }
        { cases += number("cases"); bad += number("disagreements") }
        END { print "- soak, all nights: " NR " rounds, " cases " cases, " bad + 0 " disagree" }' build/soak.jsonl
}

if [ $resume = yes ]; then table; else chosen "$@"; fi >build/nightly/rows
chosen "$@" >build/nightly/commands
failed='' child=''
trap 'trap - INT TERM; [ -z "$child" ] || kill "$child" 2>/dev/null || :; exit 130' INT TERM
while IFS= read -r key; do
    if [ $resume = yes ] && passed_before "$key"; then
        echo "== ./dev $key: passed before"
        continue
    fi
    command=${key%% *}
    arguments=${key#"$command"}
    log=build/nightly/$command$(echo "$arguments" | tr -c 'a-zA-Z0-9\n' '-' | cut -c 1-20).log
    echo "== ./dev $key"
    begin=$(date +%s) status=0 before=$(state) commit=$(commit_now)
    if [ "$command" = gpu-test ] && ! command -v nvidia-smi >/dev/null 2>&1; then
        echo "there is no GPU" >"$log"
        status=77
    else
        # shellcheck disable=SC2086
        env --default-signal=INT,QUIT timeout -k 60 ${hours}h ./dev "$command" $arguments </dev/null >"$log" 2>&1 &
        child=$!
        wait "$child" || status=$?
        child=''
    fi
    [ $status != 124 ] || echo "stopped after $hours hours" >>"$log"
    [ "$(state)" = "$before" ] || { git status --porcelain >>"$log"; echo "it left the tree changed" >>"$log"; status=1; }
    case $status in 0) result=passed ;; 77) result=skipped ;; *) result=failed failed="$failed $command" ;; esac
    {
        awk -F '\t' -v key="$key" '$1 != key' "$record"
        printf '%s\t%s\t%d\t%s\t%s\n' "$key" "$result" $(($(date +%s) - begin)) "$commit" \
            "$(last_words "$log")"
    } >"$record.new"
    mv "$record.new" "$record"
    write_page
    echo "== ./dev $key: $result"
done <build/nightly/commands
write_page
echo "$page"
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
