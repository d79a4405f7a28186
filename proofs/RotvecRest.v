(* What four terms of the series of a rotation by a straight rotation vector leave out (docs/numerics.md, 9.12). *)
From Coq Require Import Reals QArith Qreals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
Require Import Rounding Given DirectedChecks RotvecSeries TracesMotion.
Open Scope R_scope.

Lemma scaled (f d : R -> R) k : (forall s, 0 < s -> is_derive f s (d s)) ->
  forall s, 0 < s -> is_derive (fun s => k * f s) s (k * d s).
Proof. intros D s S. apply is_derive_scal. now apply D. Qed.

Definition at_least (low : Q) (c : expr) : bool := Qle_bool low (value_of c).
Lemma is_at_least low (c : expr) : at_least low c = true -> Q2R low <= Q2R (value_of c).
Proof. apply at_most. Qed.

Lemma fourth_power_is_positive x : 0 <= x ^ 4.
Proof. replace (x ^ 4) with (x ^ 2 * x ^ 2) by ring. apply Rmult_le_pos; apply pow2_ge_0. Qed.

Theorem the_cosine_leaves_out_at_most a b : 0 < a -> 0 < b ->
  Rabs (C0 b - (C0 a + - / 2 * F0 a * (b - a) + - / 2 * F1 a / 2 * (b - a) ^ 2 + - / 2 * F2 a / 6 * (b - a) ^ 3)) <=
  Q2R (value_of TracedRotvec.near_0) * (b - a) ^ 4.
Proof.
  intros A B. eapply Rle_trans.
  - apply (taylor C0 (fun s => - / 2 * F0 s) (fun s => - / 2 * F1 s) (fun s => - / 2 * F2 s) (fun s => - / 2 * F3 s)
      (/ 1680) a b); auto.
    + intros s S. replace (- / 2 * F0 s) with (- F0 s / 2) by field. now apply C0_derives.
    + apply scaled, F0_derives.
    + apply scaled, F1_derives.
    + apply scaled, F2_derives.
    + intros s S. assert (P : 0 < s) by (pose proof (Rmin_glb_lt a b 0 A B); lra).
      apply sqrt_lt_R0 in P. rewrite Rabs_mult, Rabs_left by lra.
      pose proof (a_quotient_is_at_most (H3 (sqrt s)) (/ 840) (sqrt s) 7 P (H3_is_at_most _ (Rlt_le _ _ P))).
      unfold F3. lra.
  - apply Rmult_le_compat_r; [apply fourth_power_is_positive|].
    eapply Rle_trans; [|apply (is_at_least (1 # 40320)); vm_compute; reflexivity]. unfold Q2R; simpl; lra.
Qed.

Theorem the_sine_leaves_out_at_most a b : 0 < a -> 0 < b ->
  Rabs (F0 b - (F0 a + F1 a * (b - a) + F2 a / 2 * (b - a) ^ 2 + F3 a / 6 * (b - a) ^ 3)) <=
  Q2R (value_of TracedRotvec.near_1) * (b - a) ^ 4.
Proof.
  intros A B. eapply Rle_trans.
  - apply (taylor F0 F1 F2 F3 F4 (/ 15120) a b); auto using F0_derives, F1_derives, F2_derives, F3_derives.
    intros s S. assert (P : 0 < s) by (pose proof (Rmin_glb_lt a b 0 A B); lra). apply sqrt_lt_R0 in P.
    exact (a_quotient_is_at_most (H4 (sqrt s)) (/ 15120) (sqrt s) 9 P (H4_is_at_most _ (Rlt_le _ _ P))).
  - apply Rmult_le_compat_r; [apply fourth_power_is_positive|].
    eapply Rle_trans; [|apply (is_at_least (1 # 362880)); vm_compute; reflexivity]. unfold Q2R; simpl; lra.
Qed.

Theorem the_rest_leaves_out_at_most a b : 0 < a -> 0 < b ->
  Rabs (G0 b - (G0 a + G1 a * (b - a) + G2 a / 2 * (b - a) ^ 2 + G3 a / 6 * (b - a) ^ 3)) <=
  Q2R (value_of TracedRotvec.near_2) * (b - a) ^ 4.
Proof.
  intros A B. eapply Rle_trans.
  - apply (taylor G0 G1 G2 G3 G4 (/ 151200) a b); auto using G0_derives, G1_derives, G2_derives, G3_derives.
    intros s S. assert (P : 0 < s) by (pose proof (Rmin_glb_lt a b 0 A B); lra). apply sqrt_lt_R0 in P.
    exact (a_quotient_is_at_most (K4 (sqrt s)) (/ 151200) (sqrt s) 10 P (K4_is_at_most _ (Rlt_le _ _ P))).
  - apply Rmult_le_compat_r; [apply fourth_power_is_positive|].
    eapply Rle_trans; [|apply (is_at_least (1 # 3628800)); vm_compute; reflexivity]. unfold Q2R; simpl; lra.
Qed.

(* Far from 0: the same four terms, for a and b of at least `low`. *)
Theorem the_cosine_leaves_out_less_far_away a b low : 0 < low -> low <= a -> low <= b ->
  Rabs (C0 b - (C0 a + - / 2 * F0 a * (b - a) + - / 2 * F1 a / 2 * (b - a) ^ 2 + - / 2 * F2 a / 6 * (b - a) ^ 3)) <=
  Q2R (value_of TracedRotvecFar.far_0) * (/ sqrt low) ^ 3 * (b - a) ^ 4.
Proof.
  intros L A B. pose proof (sqrt_lt_R0 low L) as PL.
  assert (I : 0 <= (/ sqrt low) ^ 3) by (apply pow_le; left; now apply Rinv_0_lt_compat).
  eapply Rle_trans.
  - apply (taylor C0 (fun s => - / 2 * F0 s) (fun s => - / 2 * F1 s) (fun s => - / 2 * F2 s) (fun s => - / 2 * F3 s)
      (24 / 1015 * (/ sqrt low) ^ 3) a b); [| | | | lra | lra |].
    + intros s S. replace (- / 2 * F0 s) with (- F0 s / 2) by field. now apply C0_derives.
    + apply scaled, F0_derives.
    + apply scaled, F1_derives.
    + apply scaled, F2_derives.
    + intros s S. assert (P : low <= s) by (pose proof (Rmin_glb a b low A B); lra).
      pose proof (sqrt_le_1_alt _ _ P) as Q. rewrite Rabs_mult, Rabs_left by lra.
      pose proof (a_quotient_falls (H3 (sqrt s)) (48 / 1015) (sqrt s) (sqrt low) 4 3 ltac:(lra) ltac:(lra)
        (H3_far _ (sqrt_pos s))) as H. change (4 + 3)%nat with 7%nat in H. unfold F3. lra.
  - apply Rmult_le_compat_r; [apply fourth_power_is_positive|].
    replace (24 / 1015 * (/ sqrt low) ^ 3 / 24) with (/ 1015 * (/ sqrt low) ^ 3) by lra.
    apply Rmult_le_compat_r; auto.
    eapply Rle_trans; [|apply (is_at_least (1 # 1015)); vm_compute; reflexivity]. unfold Q2R; simpl; lra.
Qed.

Theorem the_sine_leaves_out_less_far_away a b low : 0 < low -> low <= a -> low <= b ->
  Rabs (F0 b - (F0 a + F1 a * (b - a) + F2 a / 2 * (b - a) ^ 2 + F3 a / 6 * (b - a) ^ 3)) <=
  Q2R (value_of TracedRotvecFar.far_1) * (/ sqrt low) ^ 4 * (b - a) ^ 4.
Proof.
  intros L A B. pose proof (sqrt_lt_R0 low L) as PL.
  assert (I : 0 <= (/ sqrt low) ^ 4) by (apply pow_le; left; now apply Rinv_0_lt_compat).
  eapply Rle_trans.
  - apply (taylor F0 F1 F2 F3 F4 (/ 48 * (/ sqrt low) ^ 4) a b F0_derives F1_derives F2_derives F3_derives); try lra.
    intros s S. assert (P : low <= s) by (pose proof (Rmin_glb a b low A B); lra).
    pose proof (sqrt_le_1_alt _ _ P) as Q.
    pose proof (a_quotient_falls (H4 (sqrt s)) (/ 48) (sqrt s) (sqrt low) 5 4 ltac:(lra) ltac:(lra)
      (H4_far _ (sqrt_pos s))) as H. exact H.
  - apply Rmult_le_compat_r; [apply fourth_power_is_positive|].
    replace (/ 48 * (/ sqrt low) ^ 4 / 24) with (/ 1152 * (/ sqrt low) ^ 4) by lra.
    apply Rmult_le_compat_r; auto.
    eapply Rle_trans; [|apply (is_at_least (1 # 1152)); vm_compute; reflexivity]. unfold Q2R; simpl; lra.
Qed.
