#!/bin/sh
# Builds graze.wasm and graze-plain.wasm, the package around it (web/package/dist), and the site with its viewer and the documents
# (OUTPUT_FOLDER/index.html, OUTPUT_FOLDER/docs).
# usage: build.sh SOURCE_FOLDER WASM_BUILD_FOLDER OUTPUT_FOLDER     exit 77 where emscripten, Node or npm is missing
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2" "$3"
wasm=$(cd "$2" && pwd)
output=$(cd "$3" && pwd)
if ! command -v npm >/dev/null 2>&1; then
    echo "skipped: there is no npm"
    exit 77
fi
sh "$source/cmake/wasm.sh" "$source" "$wasm" graze_module graze_module_plain
cd "$source/web"
log=$wasm/last-web-build.log
install_packages() {
    [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1
}
modules="graze.wasm graze-plain.wasm"
pack() { for name in $modules; do gzip -9nc "$wasm/$name" >"$wasm/$name.gz" && cp "$wasm/$name" package/dist/ || return 1; done; }
if ! {
    install_packages && node package/version.mjs && cp "$source/LICENSE" package/ && npx tsc -p package && pack && npx tsc -p . &&
        GRAZE_WASM="$wasm" npx vite build --outDir "$output" --emptyOutDir && node docs/build.mjs "$output/docs"
} >"$log" 2>&1; then
    tail -n 30 "$log"
    echo "the site could not be built"
    exit 1
fi
