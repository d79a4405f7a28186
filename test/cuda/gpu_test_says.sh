#!/bin/sh
# gpu_test.sh says one line for each thing, fails where one failed or was skipped, and says in one line that there is no GPU.
#   usage: gpu_test_says.sh SOURCE_DIR
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

expect() { # what found wanted
    [ "$2" = "$3" ] && return
    echo "$1: '$2', not '$3'"
    failed=1
}

program() { # path text status
    mkdir -p "$(dirname "$1")"
    printf '#!/bin/sh\necho "%s"\nexit %s\n' "$2" "$3" >"$1"
    chmod +x "$1"
}

test_all() { # status of the run
    found=0
    PATH=$work/bin:$PATH sh "$source/test/cuda/gpu_test.sh" "$work/built" run >"$work/said" || found=$?
    expect "status" "$found" "$1"
}

program "$work/bin/nvidia-smi" "" 9
test_all 0
expect "without a GPU" "$(cat "$work/said")" "gpu-test: skipped, there is no GPU here (nvidia-smi lists none)"

program "$work/bin/nvidia-smi" "GPU 0: one (UUID: 1)" 0
program "$work/bin/compute-sanitizer" "========= ERROR SUMMARY: 0 errors" 0
names=$(sed -n 's/^graze_cuda_test(cuda\/\([a-z_]*\).*/\1/p' "$source/test/CMakeLists.txt")
for name in $names; do program "$work/built/test/test_$name" "5 passed, 0 failed, 0 skipped" 0; done
test_all 0
expect "lines" "$(grep -c ': ok (' "$work/said")" $(($(echo "$names" | wc -l) + 9))
expect "the device" "$(head -n 1 "$work/said")" "gpu-test: on GPU 0: one"

program "$work/built/test/test_cuda_lost" "4 passed, 1 failed, 0 skipped" 1
test_all 1
expect "a failure" "$(grep -c 'test_cuda_lost: FAILED (4 passed, 1 failed, 0 skipped)' "$work/said")" 1
program "$work/built/test/test_cuda_lost" "4 passed, 0 failed, 1 skipped" 0
test_all 1
program "$work/built/test/test_cuda_lost" "5 passed, 0 failed, 0 skipped" 0
program "$work/bin/compute-sanitizer" "========= ERROR SUMMARY: 3 errors" 1
test_all 1
expect "what a sanitizer found" "$(grep -c 'check of .*: FAILED (ERROR SUMMARY: 3 errors)' "$work/said")" 9
[ $failed = 0 ] && echo "1 passed, 0 failed"
