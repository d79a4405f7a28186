(* Probes in float: GZ_DOT_SLACK_F32, GZ_DOT_TINY_F32, GZ_NORM_UP_F32, GZ_NORM_TINY_F32. *)
From Coq Require Import Reals QArith.
Require Import Rounding Given Traces Probe.

Theorem probes_in_float x : inputs binary32 TracedProbe32.variables x x ->
  is_right binary32 x 6 0 TracedProbe32.compared_0 /\ is_right binary32 x 18 12 TracedProbe32.compared_1 /\
  is_right binary32 x 9 0 TracedProbe32.compared_2 /\ is_right binary32 x 21 12 TracedProbe32.compared_3 /\
  is_right binary32 x 6 3 TracedProbe32.compared_4 /\ is_right binary32 x 18 15 TracedProbe32.compared_5 /\
  is_right binary32 x 9 3 TracedProbe32.compared_6 /\ is_right binary32 x 21 15 TracedProbe32.compared_7.
Proof.
  intros given. refine (conj _ (conj _ (conj _ (conj _ (conj _ (conj _ (conj _ _))))))).
  - edge binary32_is_ieee given TracedProbe32.dot_0 TracedProbe32.least_0 TracedProbe32.NORM_UP TracedProbe32.DOT_SLACK.
  - edge binary32_is_ieee given TracedProbe32.dot_1 TracedProbe32.least_1 TracedProbe32.NORM_UP TracedProbe32.DOT_SLACK.
  - edge binary32_is_ieee given TracedProbe32.dot_2 TracedProbe32.least_2 TracedProbe32.NORM_UP TracedProbe32.DOT_SLACK.
  - edge binary32_is_ieee given TracedProbe32.dot_3 TracedProbe32.least_3 TracedProbe32.NORM_UP TracedProbe32.DOT_SLACK.
  - edge binary32_is_ieee given TracedProbe32.dot_4 TracedProbe32.least_4 TracedProbe32.NORM_UP TracedProbe32.DOT_SLACK.
  - edge binary32_is_ieee given TracedProbe32.dot_5 TracedProbe32.least_5 TracedProbe32.NORM_UP TracedProbe32.DOT_SLACK.
  - edge binary32_is_ieee given TracedProbe32.dot_6 TracedProbe32.least_6 TracedProbe32.NORM_UP TracedProbe32.DOT_SLACK.
  - edge binary32_is_ieee given TracedProbe32.dot_7 TracedProbe32.least_7 TracedProbe32.NORM_UP TracedProbe32.DOT_SLACK.
Qed.
