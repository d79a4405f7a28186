#!/bin/sh
# The table of all constants, as Markdown. usage: table.sh SOURCE_DIR LEAST_LOG   the log is what Coq printed of Least.v
set -eu
source=$1
log=$2
tr '\n' ' ' <"$log" | sed 's/::/\n/g; s/= /\n/g' |
    sed -n 's/.*("\(GZ_[A-Z0-9_]*\)", (\([0-9]*\), \([0-9]*\))).*/\1 \2 \3/p' |
    awk -v list="$source/proofs/constants.txt" '
function amount(name, k, least) { # k units of the constant, in words
    if (name ~ /POLY_TINY/) return k "·2^-1020"
    if (name ~ /ROTVEC_/) return sprintf("%.17g", k * 2 ^ (name ~ /FAR_COSINE/ ? -62 : name ~ /FAR_SINE/ ? -63 : name ~ /COSINE/ ? -68 : name ~ /SINE/ ? -71 : -74))
    if (name ~ /LENGTH_TINY/) return k "·2^-560"
    if (name ~ /KEPT_DIAGONAL/) return sprintf("%.17g", k * 2 ^ -52)
    if (name ~ /KEPT_TOLERANCE/) return k "·2^-48"
    if (name ~ /NARROW_TINY/) return k "·2^-140"
    if (name ~ /FAR_LARGEST/) return "2^" k
    if (name ~ /POINT_SLACK/) return k "·2^-116"
    if (name ~ /EXACT_PRODUCT/) return (log(k) / log(2) % 1 ? k : "2^" log(k) / log(2)) "·2^-1000"
    if (name ~ /FAR_OFFSET/) return k "·2^-36"
    if (name ~ /CROSSING_SLACK|BESIDE_WIDTH|VOLUME_CURVE/) return sprintf("%.3f", k / 1024)
    if (name ~ /_DOWN/) return "1 − " 2 * k "u"
    if (name ~ /_UP/) return "1 + " 2 * k "u"
    if (name ~ /PRISM_LEAST/) return k "·2^-910"
    if (name ~ /_TINY/) return (log(k) / log(2) % 1 ? k "·" : k == 1 ? "" : "2^" log(k) / log(2) "·") (name ~ /_F32/ ? "2^-149" : "2^-1074")
    return sprintf("%.3fu", k / 1024)
}
{ used[$1] = amount($1, $2); least[$1] = amount($1, $3) }
END {
    print "| constant | in use | least that is proven | how | what rests on it | numerics.md |"
    print "|---|---|---|---|---|---|"
    rank["coq"] = 1; rank["hand"] = 2; rank["compared"] = 3; rank["choice"] = 4
    while ((getline line < list) > 0) {
        if (line ~ /^#/) continue
        split(line, field, " ")
        kind = rank[field[4]]
        if (kind == 1 && !(field[1] in least)) { print field[1] ": no least bound" > "/dev/stderr"; exit 1 }
        word = kind == 1 ? "Coq: " field[5] : kind == 2 ? "by hand" : kind == 3 ? "by hand; a method for comparison" : "a choice"
        rows[kind] = rows[kind] "| " field[1] " | " used[field[1]] " | " least[field[1]] " | " word " | " field[3] " | " field[2] " |\n"
        if (field[3] ~ /^(clear|toi):/) { ways++; if (kind == 1) proven++ }
    }
    for (kind = 1; kind <= 4; kind++) printf "%s", rows[kind]
    printf "\nOn a way to *clear*, or to a time of contact that is not late: %d, of these %d by Coq.\n", ways, proven
}'
