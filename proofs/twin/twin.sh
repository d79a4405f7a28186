#!/bin/sh
# The checker's twin: proves it, extracts it, and runs it beside verify/ on the certificates of tests.
# usage: twin.sh SOURCE_DIR FOLDER FOLDER_OF_TESTS [COUNT]     COUNT: cases of test_agreement, default 4000
set -eu
source=$(cd "$1" && pwd) tests=$(cd "$3" && pwd) count=${4:-4000}
mkdir -p "$2"
cd "$2"
cp "$source"/proofs/twin/*.v "$source"/proofs/twin/beside.ml .
coqc -q Twin.v >assumptions 2>&1 || { cat assumptions; echo "FAILED: the twin is not proven"; exit 1; }
# of the reals, and nothing else
grep -E '^[A-Za-z]' assumptions | grep -vE '^(Axioms:|Closed|ClassicalDedekindReals\.sig_|FunctionalExtensionality\.)' &&
    { echo "FAILED: the twin rests on more than the axioms of the reals"; exit 1; }
grep -qE 'Admitted|Axiom|Parameter' Twin.v && { echo "FAILED: Twin.v assumes something"; exit 1; }
coqc -q Extract.v >extract.log 2>&1 || { cat extract.log; exit 1; }
rm -f checker.mli
ocamlfind ocamlopt -package zarith -linkpkg checker.ml beside.ml -o beside >ocaml.log 2>&1 || { cat ocaml.log; exit 1; }
rm -f claims
GRAZE_CLAIMS=$PWD/claims "$tests/test_agreement" --count "$count" --seed 20261118 >agreement.log
GRAZE_CLAIMS=$PWD/claims GRAZE_FORGERIES=${GRAZE_TWIN_FORGERIES:-4000} "$tests/test_forgeries" >forgeries.log
./beside claims
rm -f claims
