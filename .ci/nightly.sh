#!/bin/sh
# Runs every command that `./dev help` lists and writes one page of figures, build/nightly.md. A command that failed is named
# there and at the end, and the night fails.
# usage: nightly.sh [--fuzz MINUTES] [COMMAND…]     all without names; each fuzzer runs for 10 minutes unless told;
# --list prints the commands with their arguments
set -eu
cd "$(dirname "$0")/.."
fuzz_minutes=10
if [ "${1:-}" = --fuzz ]; then
    case ${2:-} in '' | *[!0-9]*) echo "usage: ./dev nightly [--fuzz MINUTES] [COMMAND…]" >&2; exit 2 ;; esac
    fuzz_minutes=$2
    shift 2
fi
table() { # command and arguments
    cat <<TABLE
build
test
format
man
figures
ci
sanitize
bits
builds
neon
port riscv64
port s390x
port musl
wasm
web test
python test
docs
demo build/nightly/demo
bench all --quick --out build/nightly/report
mpi
slurm
gpu-test
coverage
mutate
prove break
fuzz $((60 * fuzz_minutes * $(ls fuzz/fuzz_*.c | wc -l)))
soak 60
TABLE
}
if [ "${1:-}" = --list ]; then
    table
    exit 0
fi
for name in "$@"; do
    table | grep -qE "^$name( |\$)" || { echo "nightly: there is no command '$name'; --list names them" >&2; exit 2; }
done
chosen() { if [ $# = 0 ]; then table; else for name in "$@"; do table | grep -E "^$name( |\$)"; done; fi; }
page=build/nightly.md
mkdir -p build/nightly
failed=''
{
    echo "# A night of graze"
    echo
    echo "Commit $(git rev-parse --short HEAD), $(date -u '+%Y-%m-%d %H:%M') UTC, $(uname -sm), $(getconf _NPROCESSORS_ONLN) cores."
    echo
    echo "| command | result | seconds | its last line |"
    echo "|---|---|---|---|"
} >$page
chosen "$@" >build/nightly/commands
while read -r command arguments; do
    log=build/nightly/$command$(echo "$arguments" | tr -c 'a-z0-9\n' '-' | cut -c 1-20).log
    echo "== ./dev $command $arguments"
    begin=$(date +%s) status=0
    before=$(git diff | cksum)
    if [ "$command" = gpu-test ] && ! command -v nvidia-smi >/dev/null 2>&1; then
        echo "there is no GPU" >"$log"
        status=77
    else
        # shellcheck disable=SC2086
        ./dev "$command" $arguments </dev/null >"$log" 2>&1 || status=$?
    fi
    case $command in format | man) [ "$(git diff | cksum)" = "$before" ] || { echo "files changed: they were not as ./dev $command writes them" >>"$log"; status=1; } ;; esac
    case $status in 0) result=passed ;; 77) result=skipped ;; *) result="**failed**" failed="$failed $command" ;; esac
    echo "| \`$command $arguments\` | $result | $(($(date +%s) - begin)) | $(tail -n 1 "$log" | tr '|' '/' | cut -c 1-160) |" >>$page
    echo "== $command: $result"
done <build/nightly/commands
{
    echo
    echo "## Figures"
    echo
    sh test/lengths.sh . | sed 's/^/- /'
    echo "- lines of the checker: $(cat verify/*.[ch] | wc -l)"
    [ ! -e build/Testing/Temporary/LastTest.log ] || echo "- tests: $(grep -c '^Test Passed' build/Testing/Temporary/LastTest.log) passed"
    [ ! -e build/soak.jsonl ] || awk -F '[:,}]' '{ cases += $6; bad += $8 } END { print "- soak, all nights: " NR " rounds, " cases " cases, " bad + 0 " disagree" }' build/soak.jsonl
} >>$page
echo "$page"
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
