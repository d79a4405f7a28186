#!/bin/sh
# The checker shares no code with the library: it includes no header of it and asks for no symbol of it. It has no more lines
# than docs/certificates.md says.
# usage: verify_is_independent.sh SOURCE_FOLDER libgraze_verify.a
set -eu
if grep -nE '#include "' $(find "$1"/verify -name "*.[ch]") | grep -v '#include "verify/'; then
    echo "verify/ includes headers of other rooms"
    exit 1
fi
needs=$(nm -u "$2" | grep -E ' (graze_|gz_|io_|cli_)' || true)
if [ -n "$needs" ]; then
    echo "the checker asks for symbols of other rooms:"
    echo "$needs"
    exit 1
fi
lines=$(find "$1"/verify -name "*.[ch]" -exec cat {} + | wc -l)
most=$(tr '\n' ' ' <"$1"/docs/certificates.md | sed -n 's/.*It has less than \([0-9]*\) lines of C.*/\1/p')
if [ "$lines" -ge "${most:-0}" ]; then
    echo "the checker has $lines lines; docs/certificates.md says ${most:-nothing}"
    exit 1
fi
echo "$lines lines"
