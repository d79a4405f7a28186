# Common part of the mutate scripts: a copy of the tree that is changed, built and tested.
# Sourced after $source and $work are set.
# shellcheck shell=sh disable=SC2034,SC2154
tree=$work/tree
status=0

wanted() { # name words…
    name=$1
    shift
    [ $# -eq 0 ] && return 0
    for word in "$@"; do
        case $name in *"$word"*) return 0 ;; esac
    done
    return 1
}

change() { # file text becomes: everywhere in the file of the tree, which is the source's but for that
    TEXT=$2 BECOMES=$3 awk '
        { for (out = ""; (at = index($0, ENVIRON["TEXT"])) > 0; found = 1) {
              out = out substr($0, 1, at - 1) ENVIRON["BECOMES"]
              $0 = substr($0, at + length(ENVIRON["TEXT"]))
          }
          print out $0 }
        END { exit !found }' "$source/$1" >"$tree/$1" || { echo "mutate: $1 has no \"$2\"" >&2; exit 2; }
}

# The self-test knows bits: it would notice every change, in place of the tests. The first check that fails is enough.
copy_tree() {
    mkdir -p "$tree"
    (cd "$source" && git ls-files -co --exclude-standard | tar cf - -T -) | (cd "$tree" && tar xmf -)
    change test/check.c 'if (++failures_here > MAX_SHOWN) return false;' 'puts("    FAILED"); exit(1);'
    change src/narrow/self_queries.c 'sound = answers_are_known(&gz_self_groups[g], isa)' 'answers_are_known(&gz_self_groups[g], isa)'
}

configure_tree() { # options…
    cmake -S "$tree" -B "$work/build" -DCMAKE_BUILD_TYPE=Release "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 2; }
}

# Plain lanes and little optimization: most of the time goes into compiling.
configure_plain() { configure_tree "-DCMAKE_C_FLAGS_RELEASE=-O1 -w" -DGRAZE_SIMD=OFF; }

build_tests() { # tests…
    targets=""
    for test in "$@"; do targets="$targets test_$test"; done
    # shellcheck disable=SC2086
    if ! cmake --build "$work/build" -j 2 --target $targets >"$work/log" 2>&1; then
        tail -20 "$work/log" >&2
        echo "mutate: the build failed" >&2
        exit 2
    fi
}

run_tests() { # tests…: prints the first test that fails, or nothing. One that takes longer has failed: GRAZE_MUTATE_SECONDS on slow machines
    for test in "$@"; do
        if ! timeout "${GRAZE_MUTATE_SECONDS:-120}" "$work/build/test/test_$test" >"$work/output" 2>&1; then
            # the name of a test is the last line with two leading blanks before the first FAILED
            printf '%s: %s' "$test" "$(awk '/^  [a-z]/ {name = $1} /FAILED/ {print name; exit}' "$work/output")"
            return 0
        fi
        cat "$work/output" >>"$work/said"
    done
}

restore_files() { # files…
    for restored in "$@"; do
        # the time stamp of a file that was not changed stays, or all of it would be built again
        cmp -s "$source/$restored" "$tree/$restored" || cp "$source/$restored" "$tree/$restored"
    done
}

judge() { # expected found: sets verdict, and status where it is not as expected
    case $1 in
    caught) if [ -n "$2" ]; then verdict=caught; else verdict=MISSED status=1; fi ;;
    *) if [ -z "$2" ]; then verdict=$1; else verdict=NOTICED status=1; fi ;;
    esac
}
