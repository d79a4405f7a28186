(* The function as OCaml, on Zarith's integers. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
Require Import Twin.
Extraction "checker.ml" accepts piece_ok lengths_ok.
