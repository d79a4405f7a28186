#!/bin/sh
# Runs every command that `./dev help` lists and writes one page of figures, build/nightly.md. A command that failed is named
# there and at the end, and the night fails.
# usage: nightly.sh [--short] [--fuzz MINUTES] [COMMAND…]     all without names; each fuzzer runs for 10 minutes unless told;
# --short runs each command on a sample: some tests, mutations and builds, 10 seconds of each fuzzer, a minute of soak;
# --list prints the commands with their arguments
set -eu
cd "$(dirname "$0")/.."
short=no fuzz_seconds=600
if [ "${1:-}" = --short ]; then
    short=yes fuzz_seconds=10
    shift
fi
if [ "${1:-}" = --fuzz ]; then
    case ${2:-} in '' | *[!0-9]*) echo "usage: ./dev nightly [--short] [--fuzz MINUTES] [COMMAND…]" >&2; exit 2 ;; esac
    fuzz_seconds=$((60 * $2))
    shift 2
fi
fuzz="fuzz $((fuzz_seconds * $(ls fuzz/fuzz_*.c | wc -l)))"
few='-R ^(base|bits|certified|step|articulated|mesh_io)$'
table() { if [ $short = yes ]; then short_table; else long_table; fi; } # command and arguments
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
    log=build/nightly/$command$(echo "$arguments" | tr -c 'a-zA-Z0-9\n' '-' | cut -c 1-20).log
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
    echo "| \`$command $(echo "$arguments" | sed 's/|/\\\\|/g')\` | $result | $(($(date +%s) - begin)) | $(tail -n 1 "$log" | tr '|' '/' | cut -c 1-160) |" >>$page
    echo "== $command: $result"
done <build/nightly/commands
{
    echo
    echo "## Figures"
    echo
    sh test/lengths.sh . | sed 's/^/- /'
    echo "- lines of the checker: $(find verify -name "*.[ch]" -exec cat {} + | wc -l)"
    [ ! -e build/Testing/Temporary/LastTest.log ] || echo "- tests: $(grep -c '^Test Passed' build/Testing/Temporary/LastTest.log) passed"
    [ ! -e build/soak.jsonl ] || awk '
        function number(name) { return match($0, "\"" name "\":[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : 0 }
        { cases += number("cases"); bad += number("disagreements") }
        END { print "- soak, all nights: " NR " rounds, " cases " cases, " bad + 0 " disagree" }' build/soak.jsonl
} >>$page
echo "$page"
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
