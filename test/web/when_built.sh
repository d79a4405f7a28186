#!/bin/sh
# Runs a command where the build made the site; npm may have been without a registry.
# usage: when_built.sh PAGE COMMAND…     exit 77 where there is no page
set -eu
page=$1
shift
if [ ! -s "$page" ]; then
    echo "skipped: the site was not built"
    exit 77
fi
exec "$@"
