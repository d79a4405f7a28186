(* Probes in double: GZ_DOT_SLACK, GZ_DOT_TINY, GZ_NORM_UP, GZ_NORM_TINY. *)
From Coq Require Import Reals QArith.
Require Import Rounding Given Traces Probe.

Theorem probes_in_double x : inputs binary64 TracedProbe.variables x x ->
  is_right binary64 x 6 0 TracedProbe.compared_0 /\ is_right binary64 x 18 12 TracedProbe.compared_1 /\
  is_right binary64 x 9 0 TracedProbe.compared_2 /\ is_right binary64 x 21 12 TracedProbe.compared_3 /\
  is_right binary64 x 6 3 TracedProbe.compared_4 /\ is_right binary64 x 18 15 TracedProbe.compared_5 /\
  is_right binary64 x 9 3 TracedProbe.compared_6 /\ is_right binary64 x 21 15 TracedProbe.compared_7.
Proof.
  intros given. refine (conj _ (conj _ (conj _ (conj _ (conj _ (conj _ (conj _ _))))))).
  - edge binary64_is_ieee given TracedProbe.dot_0 TracedProbe.least_0 TracedProbe.NORM_UP TracedProbe.DOT_SLACK.
  - edge binary64_is_ieee given TracedProbe.dot_1 TracedProbe.least_1 TracedProbe.NORM_UP TracedProbe.DOT_SLACK.
  - edge binary64_is_ieee given TracedProbe.dot_2 TracedProbe.least_2 TracedProbe.NORM_UP TracedProbe.DOT_SLACK.
  - edge binary64_is_ieee given TracedProbe.dot_3 TracedProbe.least_3 TracedProbe.NORM_UP TracedProbe.DOT_SLACK.
  - edge binary64_is_ieee given TracedProbe.dot_4 TracedProbe.least_4 TracedProbe.NORM_UP TracedProbe.DOT_SLACK.
  - edge binary64_is_ieee given TracedProbe.dot_5 TracedProbe.least_5 TracedProbe.NORM_UP TracedProbe.DOT_SLACK.
  - edge binary64_is_ieee given TracedProbe.dot_6 TracedProbe.least_6 TracedProbe.NORM_UP TracedProbe.DOT_SLACK.
  - edge binary64_is_ieee given TracedProbe.dot_7 TracedProbe.least_7 TracedProbe.NORM_UP TracedProbe.DOT_SLACK.
Qed.
