#!/bin/sh
# Frama-C's Eva on the checker: whatever the bytes, indices and numbers, nothing is read or written outside of its memory, before
# it is set, or after it is gone; no integer overflows, and no number is used that is not made. GMP is by a stand-in that knows whether a
# number is made, and nothing of its value. An alarm needs a line in reasons.txt, and a line there an alarm.
# usage: eva.sh SOURCE_DIR FOLDER [PART…]     all without names
#        eva.sh SOURCE_DIR FOLDER break [PART]   breaks the code in ways that Eva must notice
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
here=$source/proofs/eva

# part, what of verify/ it is about, what stands in for the rest, its options
parts="
scan|scan.c||-eva-precision 2 -eva-split-return-function next:0
parts|parts.c||-eva-precision 2
check|check.c decide.c features.c witness.c|gmp.c polynomial.c|-eva-precision 2
enclosures|enclosure.c forms.c|gmp.c|-eva-precision 4
joints|joints.c rotations.c spline.c|gmp.c enclosure.c|-eva-precision 3
"
# part, file, what is broken: a sed script that changes it
breaks='
scan|scan.c|s/bytes\[i\] = at < in->end ? \*at++ : .*/bytes[i] = *at++;/
scan|scan.c|s/while (bytes-- \&\& in->at < in->end) in->at++;/in->at += bytes;/
scan|scan.c|s/length < MOST_CHARACTERS; length++/length <= MOST_CHARACTERS + 1; length++/
parts|parts.c|s/calloc(3 \* mesh->face_count + 1, sizeof \*edges)/calloc(3 * mesh->face_count - 1, sizeof *edges)/
parts|parts.c|s/    free(numbers);/    free(joined);/
check|check.c|s/mpz_inits(n\[0\], n\[1\], n\[2\], start, end, square, length2, w, NULL)/mpz_inits(n[0], n[1], n[2], start, end, square, w, NULL)/
check|features.c|s/verify_kind kind) { return kind == VERIFY_PE ? 3/verify_kind kind) { return kind == VERIFY_PE ? 5/
enclosures|enclosure.c|s/f->terms = terms < ENCLOSURE_TERMS ? terms : ENCLOSURE_TERMS;/f->terms = terms;/
enclosures|forms.c|s/mpz_inits(one, other, NULL);/mpz_inits(one, NULL);/
'

analyze() { # part, folder with verify/
    line=$(printf '%s' "$parts" | grep "^$1|") || { echo "eva: there is no part '$1'" >&2; exit 2; }
    files=$(echo "$line" | cut -d'|' -f2) stand_ins=$(echo "$line" | cut -d'|' -f3) options=$(echo "$line" | cut -d'|' -f4)
    listed="$here/$1.c $here/system.c"
    for file in $stand_ins; do listed="$listed $here/$file"; done
    for file in $files; do listed="$listed $2/verify/$file"; done
    # shellcheck disable=SC2086
    frama-c "-cpp-extra-args=-D_Thread_local= -I$here/include -I$2" $listed -eva $options -eva-split-return auto -warn-special-float none \
        -eva-no-show-progress -eva-msg-key=-final-states,-initial-state >"$folder/$1.log" 2>&1 ||
        { tail -n 20 "$folder/$1.log"; echo "eva: $1 was not analyzed"; return 2; }
    # each alarm on a line: file: what
    sed -n '/^\[eva:alarm\]/,/^\[[^]]*\]/p' "$folder/$1.log" | awk '
        /^\[/ { if (said != "") print said; said = "" }
        /^\[eva:alarm\]/ { said = $2; sub(/.*\//, "", said); sub(/: Warning:/, ""); for (i = 4; i <= NF; i++) said = said " " $i; next }
        said != "" { $1 = $1; said = said " " $0 }
        END { if (said != "") print said }' | sort -u >"$folder/$1.alarms"
}

judge() { # part: alarms without a reason are printed
    bad=0
    while read -r alarm; do
        file=$(echo "$alarm" | cut -d: -f1) why=
        while IFS= read -r line; do
            case $line in "$1/$file ~ "*) ;; *) continue ;; esac
            text=${line#*" ~ "}
            case $alarm in *"${text%%" ~ "*}"*) why=${text#*" ~ "}; echo "$line" >>"$folder/used" ;; esac
        done <"$here/reasons.txt"
        [ -n "$why" ] || bad=$((bad + 1))
        echo "$alarm: ${why:-NO REASON}"
    done <"$folder/$1.alarms"
    reached=$(sed -n 's/.*, \([0-9]*\) statements reached (out of \([0-9]*\)).*/\1 of \2/p' "$folder/$1.log")
    echo "$1: $(wc -l <"$folder/$1.alarms") alarms, $bad without a reason; $reached statements reached"
    [ -n "$reached" ] && [ $bad = 0 ]
}

# A copy in which a function that calls itself has a contract.
copy() {
    rm -rf "$folder/copy"
    mkdir -p "$folder/copy"
    cp -r "$source/verify" "$folder/copy/verify"
    sed -i 's|^static decision look(search|/*@ assigns s->splits, \\result \\from *s; */\n&|' "$folder/copy/verify/decide.c"
}

status=0
: >"$folder/used"
copy
if [ "${1:-}" = break ]; then
    noticed=0 all=0
    printf '%s' "$breaks" | grep "^${2:-.}" >"$folder/breaks"
    while IFS='|' read -r part file script; do
        copy
        sed -i "$script" "$folder/copy/verify/$file"
        ! cmp -s "$folder/copy/verify/$file" "$source/verify/$file" || { echo "eva: '$script' changes nothing"; status=1; }
        all=$((all + 1))
        analyze "$part" "$folder/copy" || { status=1; continue; }
        if judge "$part" >"$folder/said"; then echo "NOT NOTICED: $script"; status=1; else noticed=$((noticed + 1)); fi
    done <"$folder/breaks"
    echo "eva: $noticed of $all breaks are noticed"
    exit $status
fi
chosen=$*
[ -n "$chosen" ] || chosen=$(printf '%s' "$parts" | sed -n 's/|.*//p')
for part in $chosen; do
    analyze "$part" "$folder/copy" && judge "$part" || status=1
    grep "^$part/" "$here/reasons.txt" | while IFS= read -r line; do
        grep -qxF "$line" "$folder/used" || echo "a reason without an alarm: $line"
    done >"$folder/spare"
    [ ! -s "$folder/spare" ] || { cat "$folder/spare"; status=1; }
done
[ $status = 0 ] || echo "FAILED: Eva"
exit $status
