#!/bin/sh
# Breaks the CUDA back end in one place at a time and says which test notices.
#   usage: mutate_cuda.sh SOURCE_DIR WORK_DIR [--check|build|run|software] [WORD…]
# `--check` only sees to it that every mutation finds its text; `build` makes a library of each, which needs nvcc; `run` tests them,
# which needs a device; without a word both are done. `software` does both for the device in software (test/cuda/software), on smaller scenes, and names
# the mutations that it cannot show. With WORDs, only the mutations whose name has one. Status 1 when one is missed. GRAZE_CUDA_ARCHITECTURES: 90-real
# unless told.
set -eu
source=$(cd "$1" && pwd) work=$2
shift 2
what=both
case ${1:-} in --check) what=check; shift ;; build | run | software) what=$1; shift ;; esac
mkdir -p "$work"
work=$(cd "$work" && pwd)
. "$source/test/mutate_tree.sh"

# name ~ file in src/cuda ~ what is there ~ what takes its place ~ test: one that must fail
mutations() {
    cat <<'TABLE'
full-list-drops-pairs~list_room.cu~bool again = fullest > 1,~bool again = false,~cuda: soups_of_every_style_have_the_bits_of_the_cpu
ties-in-any-order~results.cu~atomicMin(&state->first_code, first)~atomicExch(\&state->first_code, first)~cuda: soups_of_every_style_have_the_bits_of_the_cpu
stop-stays-set~step.cu~if (n.stopped) error.note~if (false) error.note~cuda_limits: a_step_that_is_cancelled_anywhere_is_closed_and_the_next_one_whole
full-candidates-dropped~pairs.cu~again |= 2 \* codes > p.codes.room || ~again |= ~cuda_pairs: candidates_and_vertices_of_soups_have_the_bits_of_the_cpu
candidates-of-earlier-passes-lost~pairs.cu~2 \* (codes + codes / 4), p.count,~2 * (codes + codes / 4), 0,~cuda_limits: any_memory_limit_gives_the_bits_of_none
limits-not-atomic~pairs.cu~atomicMin(&limits\[ids\[0\]\[i\]\], \(.*\));~limits[ids[0][i]] = \1;~cuda_pairs: candidates_and_vertices_of_soups_have_the_bits_of_the_cpu
limits-of-earlier-passes-lost~pairs.cu~if (request.given->stops && pass.start != GZ_START_TREE)~if (request.given->stops)~cuda_limits: any_memory_limit_gives_the_bits_of_none
window-taken-for-all~call/find_earliest.cu~best \* (1 + 0x1p-30) + 0x1p-800 <= window~best < INFINITY~cuda: a_contact_behind_the_window_does_not_hide_an_earlier_one
look-without-slack~far.cuh~far.end\[3\] = gz_far_slack(.*);~far.end[3] = 0;~cuda: what_passes_within_a_rounding_of_float_has_the_bits_of_the_cpu
look-without-reach~step.cu~input.reach = gz_far_reach(.*);~input.reach = 0;~cuda: soups_of_every_style_have_the_bits_of_the_cpu
look-at-the-start-alone~far.cuh~far.end\[4 + c\] = .*;~far.end[4 + c] = (float)from;~cuda: soups_of_every_style_have_the_bits_of_the_cpu
doubtful-pairs-dropped~scene/expand.cuh~bool open = mine;~bool open = mine \&\& !(pair.y \& GZ_DOUBTFUL);~cuda: soups_of_every_style_have_the_bits_of_the_cpu
edges-of-no-face-lost~scene/elements.cpp~if (state_of\[e\] != EDGE_OWNED)~if (state_of[e] == EDGE_CODIMENSIONAL)~cuda: soups_of_every_style_have_the_bits_of_the_cpu
separation-not-in-boxes~scene/vertices.cu~state->input.window, state->input.grow,~state->input.window, 0,~cuda: soups_of_every_style_have_the_bits_of_the_cpu
stale-topology~scene/scene.cu~same_list(r, s.known_faces, .*) &&~true \&\&~cuda: a_mesh_that_is_another_one_of_the_same_size_is_noticed
stream-not-waited-for~scene/positions.cu~error.note(cudaStreamWaitEvent(s.stream, s.given, 0), "stream")~true~cuda_memory: positions_are_read_after_what_is_in_the_stream
bad-positions-not-seen~scene/vertices.cu~if (!good) state->bad = 1;~;~cuda: what_is_wrong_with_positions_is_told_as_by_the_cpu
walk-skips-a-packet~scene/walk.cuh~<< 3 \* (level - 1)) > p.id;~<< 3 * (level - 1)) > p.id + 1;~cuda: soups_of_every_style_have_the_bits_of_the_cpu
walk-ends-before-the-last~scene/walk.cuh~walk_pending, 1) == 1~walk_pending, 1) <= 2~cuda_limits: what_warps_give_to_others_is_never_lost
walk-forgets-what-it-gave~scene/walk.cuh~atomicAdd(&state->walk_pending, \*given);~~cuda_limits: what_warps_give_to_others_is_never_lost
exact-rerun-skipped~finish.cu~    leave_to_host(s, asks, pair);~    {}~cuda: soups_of_every_style_have_the_bits_of_the_cpu
code-loaded-by-its-first-launch~code.cu~code = d.load(kernels\[i\])~code = CUDA_SUCCESS~cuda_lost: a_device_without_memory_is_an_error_by_name_and_a_step_on_the_cpu_else
stuck-pair-taken-for-the-first~call/find_earliest.cu~return \*best == 0;~return true;~cuda: soups_of_every_style_have_the_bits_of_the_cpu
stuck-pair-judged-by-an-earlier-best~call/find_earliest.cu~if (\*best == 0 || code~if (code~cuda_kept: kept_parts_in_scenes_of_every_scale_have_the_bits_of_the_cpu
listed-pairs-only-as-candidates~certify.cuh~!s.only && !gz_late_is_candidate~!gz_late_is_candidate~cuda_listed: the_first_contact_of_lists_has_the_bits_of_the_cpu
listed-pairs-not-checked~listed.cu~if (!good) state->bad_pair = 1;~~cuda_listed: what_is_wrong_with_a_list_is_told_as_by_the_cpu
mesh-of-a-list-taken-for-whole~scene/scene.cu~(s.whole || r->only) &&~~cuda_listed: lists_take_meshes_that_steps_refuse
near-pairs-in-doubt-dropped~near.cu~told == GZ_NEAR_OR_NOT~false~cuda_listed: near_pairs_of_soups_have_the_bits_of_the_cpu
near-pairs-of-earlier-passes-lost~call/find_lists.cu~pairs.count += (size_t)step.seen().asks~pairs.count = (size_t)step.seen().asks~cuda_listed: near_pairs_under_a_memory_limit_have_the_bits_of_none
kept-windows-without-the-bound~step.cu~return gz_half_up(gz_kept_bound(&request.kept, window));~return request.given->grow;~cuda_kept: kept_parts_in_scenes_of_every_scale_have_the_bits_of_the_cpu
kept-pairs-finished-by-the-separation-of-all~finish.cu~if (s.part > 0) call.separation~if (false) call.separation~cuda: pairs_that_keep_a_part_of_their_distance_have_the_bits_of_the_cpu
kept-pairs-probed-by-the-separation-of-all~kept.cuh~double separation = gz_kept_by(.*);~double separation = s.call.separation;~cuda: pairs_that_keep_a_part_of_their_distance_have_the_bits_of_the_cpu
multiply-add-fused~CMakeLists.txt~--fmad=false~--fmad=true~cuda: soups_of_every_style_have_the_bits_of_the_cpu
TABLE
}

# Nothing of a device in software: flags of nvcc, and when a driver loads code.
not_in_software="multiply-add-fused code-loaded-by-its-first-launch"

configure() {
    mkdir -p "$tree"
    (cd "$source" && git ls-files -co --exclude-standard | tar cf - -T -) | (cd "$tree" && tar xmf -)
    if [ $what = software ]; then set -- -DGRAZE_SOFTWARE_CUDA=ON; else set -- -DGRAZE_CUDA=ON -DGRAZE_SOFTWARE_CUDA=OFF "-DGRAZE_CUDA_ARCHITECTURES=${GRAZE_CUDA_ARCHITECTURES:-90-real}"; fi
    cmake -S "$tree" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DGRAZE_PROGRAM=OFF -DGRAZE_TESTS=ON "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 2; }
}

if [ $what = software ]; then
    target=graze_software_backend made=$work/build/test/cuda/software/libgraze_cuda.so
    GRAZE_ONE_IN=${GRAZE_ONE_IN:-5} LD_LIBRARY_PATH=$work/build/test/cuda/software
    export GRAZE_ONE_IN LD_LIBRARY_PATH
else
    target=graze_cuda made=$work/build/libgraze_cuda.so
fi

make_library() {
    cmake --build "$work/build" -j 2 --target $target >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 2; }
}

mutate() { # name file from to: writes the file of the tree
    sed "s~$3~$4~" "$source/src/cuda/$2" >"$tree/src/cuda/$2"
    ! cmp -s "$source/src/cuda/$2" "$tree/src/cuda/$2" || { echo "mutate: $1: nothing to change in $2" >&2; exit 2; }
}

shows() { # name: true where the device that tests it can show it
    [ $what = software ] || return 0
    case " $not_in_software " in *" $1 "*) return 1 ;; esac
}

check_mutations() {
    mkdir -p "$tree/src/cuda/scene" "$tree/src/cuda/call"
    mutations >"$work/table"
    while IFS='~' read -r name file from to _; do mutate "$name" "$file" "$from" "$to"; done <"$work/table"
}

make_tests() {
    configure
    make_library
    cmake --build "$work/build" -j 2 --target test_cuda test_cuda_kept test_cuda_pairs test_cuda_listed test_cuda_limits test_cuda_memory test_cuda_lost >"$work/log" 2>&1 ||
        { tail -20 "$work/log" >&2; exit 2; }
}

build_one() { # name file from to
    mutate "$1" "$2" "$3" "$4"
    make_library
    strip -o "$work/$1.so" "$made"
    restore_files "src/cuda/$2"
}

run_one() { # name expected
    program=${2%%:*} sentence=${2#*: } found=
    GRAZE_CUDA_LIBRARY=$work/$1.so timeout "${GRAZE_MUTATE_SECONDS:-60}" "$work/build/test/test_$program" "$sentence" >"$work/output" 2>&1 || found=$2
    ! grep -q skipped: "$work/output" || { echo "mutate: skipped, there is no device" >&2; exit 2; }
    judge caught "$found"
    echo "$verdict $1${found:+ by $found}"
}

run_mutations() { # words…: one after the other, or with `build` and `run` a half of that
    [ $what = run ] || make_tests
    mutations >"$work/table"
    while IFS='~' read -r name file from to expected; do
        wanted "$name" "$@" || continue
        shows "$name" || { echo "not shown in software: $name"; continue; }
        [ $what = run ] || build_one "$name" "$file" "$from" "$to"
        [ $what = build ] || run_one "$name" "$expected"
    done <"$work/table"
}

if [ $what = check ]; then check_mutations; exit 0; fi
run_mutations "$@"
exit $status
