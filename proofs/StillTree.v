(* Boxes of what never moves, grown (docs/numerics.md, 9.11): GZ_STILL_SLACK. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra.
From Flocq Require Import Core Plus_error.
Require Import Rounding Given Directed TracesLooks.
Open Scope R_scope.
Import TracedStill.

(* What the slack has to leave of the sum of sizes, beside the growth: 15 u. *)
Definition still_room : Q := inject_Z 15 * uQ binary64.
(* Below this size sums are exact. *)
Definition still_least : Q := two_to (-1021).
Definition still_checks (low high : expr) (slack : Q) : bool :=
  match error_in binary64 variables low, error_in binary64 variables high with
  | Some (r, m), Some (s, k) =>
    constants_are_numbers binary64 low && constants_are_numbers binary64 high && Qle_bool 0 slack &&
    Qle_bool (m * etaQ binary64) ((slack - r * (1 + slack) - still_room) * still_least) &&
    Qle_bool (k * etaQ binary64) ((slack - s * (1 + slack) - still_room) * still_least)
  | _, _ => false
  end.

Lemma still_checks_hold : still_checks low high (value_of SLACK) = true.
Proof. vm_compute. reflexivity. Qed.

Section Still.
Variable x : nat -> R.
Hypothesis given : inputs binary64 variables x x.
Definition center := x 0%nat.
Definition half := x 1%nat.
Definition growth := x 2%nat.
Definition still_size : R := Rabs center + half + growth.

Lemma a_grown_side e r m : error_in binary64 variables e = Some (r, m) -> constants_are_numbers binary64 e = true ->
  terms_in binary64 variables x e <= (1 + Q2R (value_of SLACK)) * still_size ->
  (m * etaQ binary64 <= (value_of SLACK - r * (1 + value_of SLACK) - still_room) * still_least)%Q ->
  Q2R still_least <= still_size ->
  Rabs (rounded binary64 x e - exact x e) <= (Q2R (value_of SLACK) - 15 * u binary64) * still_size.
Proof.
  intros E W T C S. pose proof (error_is_at_most binary64 variables x x binary64_is_ieee given e r m W E) as H.
  destruct (error_holds binary64 eq_refl _ _ _ _ x x given ltac:(discriminate) e (r, m) W E) as (Pr & _). cbn [fst] in Pr.
  apply Qle_Rle in C. rewrite !Q2R_mult, !Q2R_minus, !Q2R_mult, Q2R_plus, Q2R_1, etaQ_is_eta in C.
  assert (K : Q2R still_room = 15 * u binary64) by (unfold still_room; now rewrite Q2R_mult, Q2R_Z, uQ_is_u).
  rewrite K in C. set (c := Q2R (value_of SLACK)) in *.
  assert (P0 : 0 < Q2R still_least) by (unfold still_least; rewrite two_to_is_bpow; apply bpow_gt_0).
  destruct (error_holds binary64 eq_refl _ _ _ _ x x given ltac:(discriminate) e (r, m) W E) as (_ & Pm & _). cbn [snd] in Pm.
  pose proof (eta_positive binary64) as Pe.
  assert (Pk : 0 <= c - Q2R r * (1 + c) - 15 * u binary64).
  { apply Rmult_le_reg_r with (Q2R still_least); auto. rewrite Rmult_0_l. eapply Rle_trans; [|exact C]. apply Rmult_le_pos; lra. }
  assert ((c - Q2R r * (1 + c) - 15 * u binary64) * Q2R still_least <= (c - Q2R r * (1 + c) - 15 * u binary64) * still_size)
    by now apply Rmult_le_compat_l.
  assert (Q2R r * terms_in binary64 variables x e <= Q2R r * ((1 + c) * still_size)) by now apply Rmult_le_compat_l.
  lra.
Qed.

(* The sides of a node, grown, are beyond those of what it holds by the growth and 15 u of their size. *)
Theorem still_boxes_grow_by_more : Q2R still_least <= still_size ->
  rounded binary64 x low <= center - half - growth - 15 * u binary64 * still_size /\
  center + half + growth + 15 * u binary64 * still_size <= rounded binary64 x high.
Proof.
  intros S. pose proof still_checks_hold as C. unfold still_checks in C.
  destruct (error_in binary64 variables low) as [[r m]|] eqn:E1; [|discriminate].
  destruct (error_in binary64 variables high) as [[s k]|] eqn:E2; [|discriminate].
  rewrite !andb_true_iff in C. destruct C as [[[[W1 W2] C0] C1] C2]. apply Qle_bool_iff in C0, C1, C2.
  pose proof (a_positive_variable binary64 variables x x given 1 eq_refl) as P1.
  pose proof (a_positive_variable binary64 variables x x given 2 eq_refl) as P2.
  assert (V : F2R (Float radix2 1 (-48)) = Q2R (value_of SLACK)) by (symmetry; apply number_is_F2R).
  apply Qle_Rle in C0. rewrite Q2R_0 in C0.
  assert (Ps : 0 <= still_size) by (unfold still_size, half, growth; pose proof (Rabs_pos center); lra).
  assert (T : Rabs (x 0%nat) + (Rabs (x 1%nat + x 2%nat) + Rabs (F2R (Float radix2 1 (-48))) * (Rabs (x 0%nat) + Rabs (x 1%nat) + Rabs (x 2%nat))) <=
              (1 + Q2R (value_of SLACK)) * still_size).
  { rewrite V, (Rabs_pos_eq (x 1%nat + x 2%nat)), (Rabs_pos_eq (x 1%nat)), (Rabs_pos_eq (x 2%nat)), (Rabs_pos_eq (Q2R (value_of SLACK))) by lra.
    unfold still_size, center, half, growth. lra. }
  pose proof (a_grown_side low r m E1 W1 T C1 S) as B1. pose proof (a_grown_side high s k E2 W2 T C2 S) as B2.
  apply Rabs_le_inv in B1, B2.
  change (exact x low) with (x 0%nat - (x 1%nat + x 2%nat + F2R (Float radix2 1 (-48)) * (Rabs (x 0%nat) + x 1%nat + x 2%nat))) in B1.
  change (exact x high) with (x 0%nat + (x 1%nat + x 2%nat + F2R (Float radix2 1 (-48)) * (Rabs (x 0%nat) + x 1%nat + x 2%nat))) in B2.
  rewrite V in B1, B2. fold center half growth in *. fold still_size in B1, B2. lra.
Qed.

(* Where they are too small for that, by the growth at least: there no sum is rounded. *)
Theorem small_still_boxes_grow : still_size <= Q2R still_least ->
  rounded binary64 x low <= center - half - growth /\ center + half + growth <= rounded binary64 x high.
Proof.
  intros S. pose proof (fun i => proj1 (given i)) as N.
  pose proof (a_positive_variable binary64 variables x x given 1 eq_refl) as P1.
  pose proof (a_positive_variable binary64 variables x x given 2 eq_refl) as P2.
  assert (L : Q2R still_least = 2 * least_normal binary64).
  { unfold still_least, least_normal. rewrite two_to_is_bpow. replace 2 with (bpow radix2 1) by (rewrite bpow_1; reflexivity).
    rewrite <- bpow_plus. reflexivity. }
  rewrite L in S. unfold still_size, center, half, growth in *. pose proof (Rabs_pos (x 0%nat)) as P0.
  set (p := round_ binary64 (F2R (Float radix2 1 (-48)) * round_ binary64 (round_ binary64 (Rabs (x 0%nat) + x 1%nat) + x 2%nat))).
  change (rounded binary64 x low) with (round_ binary64 (x 0%nat - round_ binary64 (round_ binary64 (x 1%nat + x 2%nat) + p))).
  change (rounded binary64 x high) with (round_ binary64 (x 0%nat + round_ binary64 (round_ binary64 (x 1%nat + x 2%nat) + p))).
  assert (Pp : 0 <= p).
  { unfold p. apply (fl_positive binary64 binary64_is_ieee). apply Rmult_le_pos; [now apply F2R_ge_0|].
    apply (fl_positive binary64 binary64_is_ieee). apply Rplus_le_le_0_compat; auto.
    apply (fl_positive binary64 binary64_is_ieee). lra. }
  assert (E : round_ binary64 (x 1%nat + x 2%nat) = x 1%nat + x 2%nat).
  { apply (a_small_sum_is_exact binary64 binary64_is_ieee); auto. rewrite Rabs_pos_eq; lra. }
  assert (NS : is_number binary64 (x 1%nat + x 2%nat)) by (rewrite <- E; now apply fl_is_number, binary64_is_ieee).
  rewrite E. set (h := x 1%nat + x 2%nat) in *.
  assert (B : h <= round_ binary64 (h + p)).
  { rewrite <- (fl_of_number binary64 h NS) at 1. apply (fl_le binary64 binary64_is_ieee). lra. }
  assert (A : forall c, Rabs c <= Rabs (x 0%nat) -> Rabs (c + h) <= 2 * least_normal binary64 /\ Rabs (c - h) <= 2 * least_normal binary64).
  { intros c C. apply Rabs_le_inv in C. split; apply Rabs_le; unfold h; lra. }
  destruct (A (x 0%nat) (Rle_refl _)) as [A1 A2]. split.
  - apply Rle_trans with (round_ binary64 (x 0%nat - h)); [apply (fl_le binary64 binary64_is_ieee); lra|].
    unfold Rminus in *. rewrite (a_small_sum_is_exact binary64 binary64_is_ieee); auto; [unfold h; lra | now apply number_opp].
  - apply Rle_trans with (round_ binary64 (x 0%nat + h)); [|apply (fl_le binary64 binary64_is_ieee); lra].
    rewrite (a_small_sum_is_exact binary64 binary64_is_ieee); auto. unfold h; lra.
Qed.
End Still.
