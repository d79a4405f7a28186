#!/bin/sh
# gpu_test.sh FOLDER [build|run]: builds the library, the CUDA back end and their tests in FOLDER, runs all tests that need a
# device, and the kernels under compute-sanitizer on small scenes; or one half of that. One line for each; status 1 where one
# failed. Needs gcc, cmake, nvcc and a GPU: without one it says so and does nothing.
set -u
cd "$(dirname "$0")/../.."
folder=$1 what=${2:-both}

PATH=$PATH:/usr/local/cuda/bin
devices=$(nvidia-smi -L 2>/dev/null) && [ -n "$devices" ] || { echo "gpu-test: skipped, there is no GPU here (nvidia-smi lists none)"; exit 0; }
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
lines=$folder/gpu-test.txt
: >"$lines"

# line NAME LOG COMMAND…: runs it, and says in one line how it ended
line() {
    name=$1 log=$folder/$2 ended=ok
    shift 2
    began=$(date +%s)
    "$@" >"$log" 2>&1 || ended=FAILED
    ! grep -qE ' [1-9][0-9]* skipped$' "$log" || ended=FAILED # there is a GPU
    said=$(grep -E '^[0-9]+ passed|ERROR SUMMARY|RACECHECK SUMMARY' "$log" | sed 's/^=* *//' | tr '\n' ';' | sed 's/;$//; s/;/; /g')
    echo "gpu-test: $name: $ended${said:+ ($said)}, $(($(date +%s) - began)) s" | tee -a "$lines"
    [ $ended = ok ] || tail -n 30 "$log"
}
ends() { ! grep -q ': FAILED' "$lines"; exit; }

programs=$(sed -n 's/^graze_cuda_test(cuda\/\([a-z_]*\).*/\1/p' test/CMakeLists.txt)
build() {
    kind=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -dc '0-9')
    # shellcheck disable=SC2046
    cmake -S . -B "$folder" -DCMAKE_BUILD_TYPE=Release -DGRAZE_PROGRAM=OFF -DGRAZE_TESTS=ON -DGRAZE_CUDA=ON -DGRAZE_SOFTWARE_CUDA=OFF \
        ${kind:+-DGRAZE_CUDA_ARCHITECTURES=$kind} &&
        cmake --build "$folder" -j "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" \
            --target graze_cuda $(for name in $programs; do echo "test_$name"; done)
}

# watch TOOL PROGRAM TEST
watch() { compute-sanitizer --tool "$1" --error-exitcode 1 "$folder/test/test_$2" "$3"; }

echo "gpu-test: on $(echo "$devices" | head -n 1 | sed 's/ (UUID.*//')"
if [ "$what" != run ]; then
    for tool in nvcc cmake gcc; do
        command -v $tool >/dev/null 2>&1 || { echo "gpu-test: there is a GPU, but no $tool"; exit 2; }
    done
    line build build.log build
    [ "$what" = both ] && ! grep -q FAILED "$lines" || ends
fi

GRAZE_CUDA_LIBRARY=$folder/libgraze_cuda.so
export GRAZE_CUDA_LIBRARY
for name in $programs; do # side by side, but for the one that takes all memory of the device
    [ "$name" = cuda_lost ] || line "test_$name" "$name.log" "$folder/test/test_$name" &
done
wait
line test_cuda_lost cuda_lost.log "$folder/test/test_cuda_lost"
command -v compute-sanitizer >/dev/null 2>&1 || { echo "gpu-test: no compute-sanitizer: accesses, races and uninitialised memory are not looked for"; ends; }
GRAZE_BATCH_QUERIES=960
export GRAZE_BATCH_QUERIES
for tool in memcheck racecheck initcheck; do
    line "$tool of steps, lists, stq, lbvh and ti" "$tool.log" watch $tool cuda_pairs every_kernel_on_a_small_scene_has_the_bits_of_the_cpu &
    line "$tool of a caller's lists and near pairs" "$tool-lists.log" watch $tool cuda_listed lists_of_a_small_scene_have_the_bits_of_the_cpu &
    line "$tool of batches" "$tool-batches.log" watch $tool batch_cuda generated_batches_have_the_bits_of_the_cpu &
done
wait
ends
