#!/bin/sh
# Asks for every link that leads out of the documents. They are all in docs/links.md.
# usage: links.sh [--list]     --list prints them; exit 77 where no network can be reached
set -eu
cd "$(dirname "$0")/.."
links() { grep -oE 'https?://[^ )>"`]+' docs/links.md | sort -u; }
if [ "${1:-}" = --list ]; then
    links
    exit 0
fi
command -v curl >/dev/null 2>&1 || { echo "skipped: there is no curl"; exit 77; }
curl -s -o /dev/null -m 20 https://doi.org || { echo "skipped: no network, or no way out of it"; exit 77; }
# status URL: of the place itself. A DOI leads on to publishers, who turn programs away: that it leads on is enough.
status() { curl -s -o /dev/null -m 30 -w '%{http_code}' -A 'Mozilla/5.0' "$1" || true; }
lost=0
for url in $(links); do
    case $(status "$url") in
    2?? | 3??) ;;
    403 | 429) echo "not shown to programs: $url" ;;
    *)
        echo "lost: $url ($(status "$url"))"
        lost=$((lost + 1))
        ;;
    esac
done
echo "$(links | wc -l) links, $lost lost"
[ $lost = 0 ]
