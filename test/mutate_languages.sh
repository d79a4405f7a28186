#!/bin/sh
# Changes lines of the Python package and of the npm package that map verdicts, times, options and callbacks, one at a time, and
# says which test file notices. Nothing is built: a library and a program are given, and for the npm package what
# `./dev web` has made of it (skipped without).
# usage: mutate_languages.sh SOURCE_DIR WORK_DIR [--check | BUILD_DIR [WORD…]]   only rows whose file name holds one of the words
#   --check  only sees to it that every row finds its text
# Ends with 1 when a change goes unnoticed.
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
build=${3:---check}
shift 2
[ $# -eq 0 ] || shift
. "$source/test/mutate_tree.sh"

# File ~ text ~ what takes its place, everywhere in the file ~ test files that look at it. In the npm package: as it is compiled, without types.
table() {
    cat <<'TABLE'
python/graze/_callbacks.py ~ bool(function(KINDS[kind], a, b)) ~ not function(KINDS[kind], a, b) ~ test_callbacks test_step
python/graze/_callbacks.py ~ function(KINDS[kind], a, b) ~ function(KINDS[kind], b, a) ~ test_callbacks test_step test_lists
python/graze/_callbacks.py ~ KINDS = ("vf", "ee", ~ KINDS = ("ee", "vf", ~ test_callbacks test_step test_lists
python/graze/_callbacks.py ~ answer[0] = float(function(positions)) ~ answer[0] = 0.0 ~ test_callbacks test_step
python/graze/_callbacks.py ~ answer[0] = int(rule) ~ answer[0] = int(not rule) ~ test_world
python/graze/_callbacks.py ~ separation[0] = float(rule) ~ separation[0] = 0.0 ~ test_world
python/graze/_callbacks.py ~ if self.raised: ~ if False: ~ test_callbacks
python/graze/_context.py ~ options.min_separation, options.t_max, options.tolerance = separation, t_max, tolerance ~ options.min_separation, options.t_max, options.tolerance = 0.0, t_max, tolerance ~ test_query test_step test_results
python/graze/_context.py ~ options.min_separation, options.t_max, options.tolerance = separation, t_max, tolerance ~ options.min_separation, options.t_max, options.tolerance = separation, 1.0, tolerance ~ test_query test_step test_results
python/graze/_context.py ~ options.method = method_number(method) ~ method_number(method) ~ test_query test_step test_results
python/graze/_context.py ~ if status: ~ if False: ~ test_arguments test_query test_step
python/graze/_c.py ~ ("toi", c_double), ~ ("toi_", c_double), ~ test_layout test_query test_step
python/graze/_text.py ~ "clear" if verdict == "clear" else ~ "clear" if verdict != "hit" else ~ test_results
python/graze/steps.py ~ options.kinds = _mask(kinds) ~ pass ~ test_step test_lists
python/graze/steps.py ~ options.relative_separation = relative_separation ~ pass ~ test_step test_arguments
python/graze/steps.py ~ verdict_name(made.verdict), reason_name(made.reason), made.toi, made.toi_upper, ~ verdict_name(made.verdict), reason_name(made.reason), made.toi_upper, made.toi, ~ test_step test_results
python/graze/articulated.py ~ VERDICTS = ("unresolved", "clear", "hit") ~ VERDICTS = ("unresolved", "hit", "clear") ~ test_articulated test_world test_path_certificates test_results
python/graze/articulated.py ~ return cls(verdict_name(made.verdict), reason_name(made.reason), made.toi, made.toi_upper, ~ return cls("clear", reason_name(made.reason), made.toi, made.toi_upper, ~ test_articulated
python/graze/_proof.py ~ if pair.verdict == "clear" and pair.toi != pair.t_max: ~ if False: ~ test_certificates
python/graze/_proof.py ~ if pair.verdict != "hit" and (bounded or claims): ~ if False: ~ test_certificates
python/graze/certificates.py ~ verdicts.count("clear"), verdicts.count("hit") ~ verdicts.count("hit"), verdicts.count("clear") ~ test_certificates
web/package/src/graze.ts ~ "unresolved", "clear", "hit" ~ "unresolved", "hit", "clear" ~ graze
web/package/src/graze.ts ~ proven: fields[2] !== 0 ~ proven: true ~ graze
web/package/src/graze.ts ~ toi: fields[3], ~ toi: fields[4], ~ graze
web/package/src/graze.ts ~ toi: fields[2], ~ toi: fields[3], ~ graze
web/package/src/graze.ts ~ m.name === method) + 1, separation, tMax ~ m.name === method) + 1, 0, tMax ~ graze arguments
web/package/src/graze.ts ~ m.name === method) + 1, separation, tMax ~ m.name === method) + 1, separation, 1 ~ graze arguments
web/package/src/graze.ts ~ m.name === method) + 1 ~ m.name === method) + 2 ~ graze
web/package/src/graze.ts ~ articulatedModes.indexOf(mode), separation, tMax ~ 0, separation, tMax ~ graze
web/package/src/graze.ts ~ articulatedModes.indexOf(mode), separation, tMax ~ articulatedModes.indexOf(mode), 0, tMax ~ graze arguments
web/package/src/graze.ts ~ asked.relativeSeparation ?? 0 ~ 0 ~ graze arguments
web/package/src/graze.ts ~ fields[4] ? contacts.shift() : null ~ null ~ graze
TABLE
}
field() { printf '%s\n' "$line" | awk -F ' ~ ' -v n="$1" '{ print $n }'; }
plain() { sed 's/\]!/]/g; s/()!/()/g' "$1"; } # without what TypeScript adds to these lines
table >"$work/table"
while IFS= read -r line; do
    plain "$source/$(field 1)" | grep -qF -e "$(field 2)" || { echo "mutate: $(field 1) has no \"$(field 2)\"" >&2; status=2; }
done <"$work/table"
[ $status = 0 ] || exit $status
[ "$build" != --check ] || exit 0
build=$(cd "$build" && pwd)

replace() { # file text becomes
    TEXT=$2 BECOMES=$3 awk '
        { for (out = ""; (at = index($0, ENVIRON["TEXT"])) > 0; found = 1) {
              out = out substr($0, 1, at - 1) ENVIRON["BECOMES"]
              $0 = substr($0, at + length(ENVIRON["TEXT"]))
          }
          print out $0 }
        END { exit !found }' "$1" >"$1.changed" && mv "$1.changed" "$1"
}
copy() { (cd "$source" && git ls-files -co --exclude-standard "$@" | tar cf - -T -) | (cd "$tree" && tar xf -); }
python_test() { # files…: the first that fails, or nothing
    for file in "$@"; do
        GRAZE_LIBRARY=$build/libgraze.so GRAZE_PROGRAM=$build/graze PYTHONPATH=$tree/python PYTHONDONTWRITEBYTECODE=1 \
            timeout 300 /usr/bin/python3 -m pytest -q -x -p no:cacheprovider "$tree/python/tests/$file.py" >"$work/output" 2>&1 || { echo "$file"; return 0; }
    done
}
web_test() {
    for file in "$@"; do
        (cd "$tree" && GRAZE_PROGRAM=$build/graze timeout 300 node --test "web/package/test/$file.test.mjs") >"$work/output" 2>&1 || { echo "$file"; return 0; }
    done
}
rm -rf "$tree"
mkdir -p "$tree"
copy .
languages=python
/usr/bin/python3 -c 'import numpy, pytest' 2>/dev/null || { echo "python: SKIPPED, there is no NumPy or pytest"; languages=; }
if [ -e "$source/web/package/dist/graze.wasm" ] && command -v node >/dev/null 2>&1; then
    languages="$languages web"
    # what the build adds, and git ignores
    cp -r "$source/web/package/dist" "$source/web/package/package.json" "$source/web/package/LICENSE" "$tree/web/package/"
else
    echo "web: SKIPPED, the npm package is not built here"
fi
for language in $languages; do # as it is
    tests=$(grep "^$language/" "$work/table" | sed 's/.* ~ //' | tr ' ' '\n' | sort -u)
    # shellcheck disable=SC2086
    found=$("${language}_test" $tests)
    [ -z "$found" ] || { grep -A 8 '^not ok' "$work/output" >&2 || tail -n 20 "$work/output" >&2; echo "mutate: $language: a test fails as it is: $found" >&2; exit 2; }
done
tried=0
while IFS= read -r line; do
    name=$(field 1) language=${line%%/*}
    case " $languages " in *" $language "*) ;; *) continue ;; esac
    wanted "$name" "$@" || continue
    file=$name
    [ "$language" = python ] || file=$(echo "$name" | sed 's|/src/|/dist/|; s|\.ts$|.js|')
    cp "$tree/$file" "$work/kept"
    replace "$tree/$file" "$(field 2)" "$(field 3)" || { echo "mutate: $file has no \"$(field 2)\"" >&2; exit 2; }
    # shellcheck disable=SC2046
    found=$("${language}_test" $(field 4))
    cp "$work/kept" "$tree/$file"
    judge caught "$found"
    tried=$((tried + 1))
    printf '%-34s %-70.70s %-8s %s\n' "$name" "$(field 3)" "$verdict" "$found"
done <"$work/table"
echo "$tried changes"
[ $tried -gt 0 ] || exit 77
exit $status
