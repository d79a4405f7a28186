(* The origin of a joint that slides straight (docs/numerics.md, 9.3): GZ_SHIFT_ERROR. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given TracesLooks.
Open Scope R_scope.
Import TracedShift.
Notation D := binary64.
Notation fl := (round_ D).
Notation u := (u D).
Notation h := (eta D).

(* Entries of the rotation are off by 16 u, those of the direction by 3 u: 57 u for their product, and its roundings. *)
Definition along_share (r : Q) : Q := (1 + two_to (-20)) * (inject_Z 57 * uQ D + inject_Z 3 * r).
Definition shift_checks (slack : Q) : bool :=
  match error_in D variables along with
  | Some (r, m) => Qle_bool r (inject_Z 10 * uQ D) && Qle_bool m (two_to 20) &&
      Qle_bool (along_share r + (inject_Z 12 + (1 # 8)) * uQ D) ((1 - uQ D) * (1 - uQ D) * slack)
  | None => false
  end.

Lemma u_is_tiny : 0 < u <= / 100000000 /\ 0 < h <= u * / 100000000 * / 100000000.
Proof.
  assert (B : Q2R (1 # 100000000) = / 100000000) by (unfold Q2R; simpl; lra).
  split; (split; [apply bpow_gt_0|]); rewrite <- ?uQ_is_u, <- ?etaQ_is_eta, <- B, <- ?Q2R_mult; apply Qle_Rle; vm_compute; discriminate.
Qed.

Section Shift.
Variable x : nat -> R.
Hypothesis given : inputs D variables x x.
(* The exact row of the rotation, and direction. *)
Variables row axis : nat -> R.
Hypothesis rotation : forall j, (j < 3)%nat -> Rabs (row j) <= 1 /\ Rabs (x j - row j) <= 16 * u.
Hypothesis direction : forall j, (j < 3)%nat -> Rabs (axis j) <= 1 /\ Rabs (x (3 + j)%nat - axis j) <= 3 * u.
Hypothesis made : x 9%nat = rounded D x along.
Definition origin := x 6%nat.
Definition from := x 7%nat.
Definition to := x 8%nat.
Definition exact_along : R := row 0%nat * axis 0%nat + row 1%nat * axis 1%nat + row 2%nat * axis 2%nat.

Lemma a_product_is_near j : (j < 3)%nat ->
  Rabs (x j * x (3 + j)%nat - row j * axis j) <= 19 * u + 48 * (u * u) /\ Rabs (x j) * Rabs (x (3 + j)%nat) <= 1 + / 1000000.
Proof.
  intros J. destruct (rotation j J) as [R1 R2]. destruct (direction j J) as [A1 A2]. destruct u_is_tiny as [U _].
  set (a := x j - row j) in *. set (b := x (3 + j)%nat - axis j) in *. split.
  - replace (x j * x (3 + j)%nat - row j * axis j) with (a * axis j + row j * b + a * b) by (unfold a, b; ring).
    eapply Rle_trans; [apply Rabs_triang|]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang|]. rewrite !Rabs_mult.
    assert (Rabs a * Rabs (axis j) <= 16 * u * 1) by (apply Rmult_le_compat; auto using Rabs_pos).
    assert (Rabs (row j) * Rabs b <= 1 * (3 * u)) by (apply Rmult_le_compat; auto using Rabs_pos).
    assert (Rabs a * Rabs b <= 16 * u * (3 * u)) by (apply Rmult_le_compat; auto using Rabs_pos). lra.
  - assert (B1 : Rabs (x j) <= 1 + 16 * u) by (replace (x j) with (row j + a) by (unfold a; ring); eapply Rle_trans; [apply Rabs_triang|]; lra).
    assert (B2 : Rabs (x (3 + j)%nat) <= 1 + 3 * u)
      by (replace (x (3 + j)%nat) with (axis j + b) by (unfold b; ring); eapply Rle_trans; [apply Rabs_triang|]; lra).
    apply Rle_trans with ((1 + 16 * u) * (1 + 3 * u)); [apply Rmult_le_compat; auto using Rabs_pos|].
    assert (u * u <= / 100000000 * u) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Theorem sliding_origins_are_near t : 0 <= t <= 1 ->
  Rabs (rounded D x c_0 + t * rounded D x c_1 - (origin + exact_along * (from + t * (to - from)))) <=
  rounded D x moved + 2 * u * Rabs origin + 4 * h.
Proof.
  intros T. assert (C : shift_checks (value_of SHIFT_ERROR) = true) by (vm_compute; reflexivity). unfold shift_checks in C.
  destruct (error_in D variables along) as [[r m]|] eqn:E; [|discriminate].
  rewrite !andb_true_iff in C. destruct C as [[C1 C2] C3]. apply Qle_bool_iff, Qle_Rle in C1, C2, C3.
  rewrite Q2R_mult, Q2R_Z, uQ_is_u in C1. rewrite two_to_is_bpow in C2. unfold along_share in C3.
  rewrite Q2R_plus, !Q2R_mult, !Q2R_plus, !Q2R_mult, !Q2R_minus, Q2R_1, two_to_is_bpow, !Q2R_Z, uQ_is_u in C3.
  replace (Q2R (1 # 8)) with (/ 8) in C3 by (unfold Q2R; simpl; lra).
  destruct u_is_tiny as [U H0].
  assert (W : constants_are_numbers D along = true) by reflexivity.
  pose proof (error_is_at_most D variables x x binary64_is_ieee given along r m W E) as X. rewrite <- made in X.
  destruct (error_holds D eq_refl _ _ _ _ x x given ltac:(discriminate) along (r, m) W E) as (Pr & Pm & _). cbn [fst snd] in Pr, Pm.
  change (terms_in D variables x along) with (Rabs (x 0%nat) * Rabs (x 3%nat) + Rabs (x 1%nat) * Rabs (x 4%nat) + Rabs (x 2%nat) * Rabs (x 5%nat)) in X.
  change (exact x along) with (x 0%nat * x 3%nat + x 1%nat * x 4%nat + x 2%nat * x 5%nat) in X.
  destruct (a_product_is_near 0 ltac:(lia)) as [P0 Q0]. destruct (a_product_is_near 1 ltac:(lia)) as [P1 Q1]. destruct (a_product_is_near 2 ltac:(lia)) as [P2 Q2].
  cbn [Nat.add] in *. set (d := x 9%nat) in *. set (e := exact_along) in *.
  assert (Uu : u * u <= / 100000000 * u) by (apply Rmult_le_compat_r; lra).
  assert (Lm : Q2R m * h <= u * / 10000000).
  { apply Rle_trans with (bpow radix2 20 * (u * / 100000000 * / 100000000)); [apply Rmult_le_compat; lra|].
    replace (bpow radix2 20) with 1048576 by (simpl; lra). lra. }
  assert (Lr : Q2R r * (Rabs (x 0%nat) * Rabs (x 3%nat) + Rabs (x 1%nat) * Rabs (x 4%nat) + Rabs (x 2%nat) * Rabs (x 5%nat)) <= Q2R r * (3 + 3 * / 1000000))
    by (apply Rmult_le_compat_l; lra).
  assert (Xd : Rabs (d - e) <= 57 * u + 144 * (u * u) + Q2R r * (3 + 3 * / 1000000) + u * / 10000000).
  { replace (d - e) with ((d - (x 0%nat * x 3%nat + x 1%nat * x 4%nat + x 2%nat * x 5%nat)) + (x 0%nat * x 3%nat - row 0%nat * axis 0%nat) +
      (x 1%nat * x 4%nat - row 1%nat * axis 1%nat) + (x 2%nat * x 5%nat - row 2%nat * axis 2%nat)) by (unfold e, exact_along; ring).
    eapply Rle_trans; [apply Rabs_triang|]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang|].
    eapply Rle_trans; [apply Rplus_le_compat_r, Rplus_le_compat_r, Rabs_triang|]. lra. }
  set (k := 57 * u + 144 * (u * u) + Q2R r * (3 + 3 * / 1000000) + u * / 10000000) in *.
  assert (Bd : Rabs d <= 3 + / 1000).
  { replace d with ((d - e) + e) by ring. eapply Rle_trans; [apply Rabs_triang|].
    assert (Be : Rabs e <= 3).
    { unfold e, exact_along. eapply Rle_trans; [apply Rabs_triang|]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang|]. rewrite !Rabs_mult.
      assert (K : forall j, (j < 3)%nat -> Rabs (row j) * Rabs (axis j) <= 1 * 1).
      { intros j J. apply Rmult_le_compat; auto using Rabs_pos; [apply (rotation j J) | apply (direction j J)]. }
      pose proof (K 0%nat ltac:(lia)). pose proof (K 1%nat ltac:(lia)). pose proof (K 2%nat ltac:(lia)). lra. }
    unfold k in Xd. lra. }
  set (f := Rabs from). set (g := Rabs to). assert (Pf : 0 <= f) by apply Rabs_pos. assert (Pg : 0 <= g) by apply Rabs_pos.
  pose proof (fun i => proj1 (given i)) as N.
  (* the constant *)
  pose proof (round_errs D eq_refl (d * from)) as A1. set (z := fl (d * from)) in *. rewrite Rabs_mult in A1. fold f in A1.
  pose proof (sum_errs D eq_refl origin z (N 6%nat) (rounded_is_number D eq_refl _)) as A2. set (w := fl (origin + z)) in *.
  assert (Df : Rabs d * f <= (3 + / 1000) * f) by (apply Rmult_le_compat_r; auto).
  assert (Uf : u * (Rabs d * f) <= u * ((3 + / 1000) * f)) by (apply Rmult_le_compat_l; lra).
  assert (Bz : Rabs z <= (3 + / 500) * f + 2 * h).
  { replace z with ((z - d * from) + d * from) by ring. eapply Rle_trans; [apply Rabs_triang|]. rewrite (Rabs_mult d). fold f.
    assert (u * ((3 + / 1000) * f) <= / 100000000 * ((3 + / 1000) * f)) by (apply Rmult_le_compat_r; lra). lra. }
  assert (Bw : Rabs (w - (origin + d * from)) <= u * Rabs origin + 2 * u * ((3 + / 500) * f) + 2 * h).
  { replace (w - (origin + d * from)) with ((w - (origin + z)) + (z - d * from)) by ring. eapply Rle_trans; [apply Rabs_triang|].
    assert (u * Rabs (origin + z) <= u * (Rabs origin + ((3 + / 500) * f + 2 * h))).
    { apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [apply Rabs_triang|]. lra. }
    assert (u * h <= / 100 * h) by (apply Rmult_le_compat_r; lra). assert (0 <= u * f) by (apply Rmult_le_pos; lra). lra. }
  (* the slope *)
  pose proof (sum_errs D eq_refl to (- from) (N 8%nat) (number_opp D _ (N 7%nat))) as A3. change (to + - from) with (to - from) in A3.
  set (v := fl (to - from)) in *. pose proof (round_errs D eq_refl (d * v)) as A4. set (y := fl (d * v)) in *.
  assert (Bt : Rabs (to - from) <= f + g).
  { unfold Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. unfold f, g. lra. }
  assert (Ut : u * Rabs (to - from) <= u * (f + g)) by (apply Rmult_le_compat_l; lra).
  assert (Bv : Rabs v <= (1 + / 1000) * (f + g)).
  { replace v with ((v - (to - from)) + (to - from)) by ring. eapply Rle_trans; [apply Rabs_triang|].
    assert (u * (f + g) <= / 1000 * (f + g)) by (apply Rmult_le_compat_r; lra). lra. }
  assert (By : Rabs (y - d * (to - from)) <= 2 * u * ((3 + / 200) * (f + g)) + h).
  { replace (y - d * (to - from)) with ((y - d * v) + d * (v - (to - from))) by ring. eapply Rle_trans; [apply Rabs_triang|].
    rewrite (Rabs_mult d (v - (to - from))). rewrite (Rabs_mult d v) in A4.
    assert (K1 : Rabs d * Rabs v <= (3 + / 1000) * ((1 + / 1000) * (f + g))) by (apply Rmult_le_compat; auto using Rabs_pos).
    assert (K2 : Rabs d * Rabs (v - (to - from)) <= (3 + / 1000) * (u * (f + g))) by (apply Rmult_le_compat; auto using Rabs_pos; lra).
    assert (K3 : u * (Rabs d * Rabs v) <= u * ((3 + / 1000) * ((1 + / 1000) * (f + g)))) by (apply Rmult_le_compat_l; lra).
    assert (0 <= u * (f + g)) by (apply Rmult_le_pos; lra). lra. }
  (* the slack *)
  assert (V : F2R (Float radix2 1 (-46)) = Q2R (value_of SHIFT_ERROR)) by (symmetry; apply number_is_F2R).
  change (rounded D x moved) with (fl (F2R (Float radix2 1 (-46)) * fl (f + g))). rewrite V. set (c := Q2R (value_of SHIFT_ERROR)) in *.
  pose proof (sum_errs D eq_refl f g (generic_format_abs _ _ _ (N 7%nat)) (generic_format_abs _ _ _ (N 8%nat))) as A5.
  rewrite (Rabs_pos_eq (f + g)) in A5 by lra. apply Rabs_le_inv in A5. set (s := fl (f + g)) in *.
  assert (Pk : 0 <= k) by (eapply Rle_trans; [apply Rabs_pos | exact Xd]).
  assert (Pc : 0 <= c).
  { apply Rmult_le_reg_l with ((1 - u) * (1 - u)); [apply Rmult_lt_0_compat; lra|]. rewrite Rmult_0_r. eapply Rle_trans; [|exact C3].
    assert (0 < bpow radix2 (-20)) by apply bpow_gt_0.
    assert (0 <= (1 + bpow radix2 (-20)) * (57 * u + 3 * Q2R r)) by (apply Rmult_le_pos; lra). lra. }
  assert (Ps : 0 <= s) by (assert ((1 - u) * (f + g) <= s) by lra; eapply Rle_trans; [|eassumption]; apply Rmult_le_pos; lra).
  pose proof (round_errs D eq_refl (c * s)) as A6. rewrite (Rabs_pos_eq (c * s)) in A6 by now apply Rmult_le_pos. apply Rabs_le_inv in A6.
  assert (B6 : (1 - u) * (1 - u) * c * (f + g) - h <= fl (c * s)).
  { assert (K1 : c * ((1 - u) * (f + g)) <= c * s) by (apply Rmult_le_compat_l; lra).
    assert (K2 : (1 - u) * (c * ((1 - u) * (f + g))) <= (1 - u) * (c * s)) by (apply Rmult_le_compat_l; lra). lra. }
  (* together *)
  change (rounded D x c_0) with w. change (rounded D x c_1) with y.
  replace (w + t * y - (origin + e * (from + t * (to - from)))) with
    ((w - (origin + d * from)) + t * (y - d * (to - from)) + (d - e) * (from + t * (to - from))) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq t) by lra.
  assert (Tf : Rabs (from + t * (to - from)) <= f + g).
  { replace (from + t * (to - from)) with ((1 - t) * from + t * to) by ring. eapply Rle_trans; [apply Rabs_triang|].
    rewrite !Rabs_mult, (Rabs_pos_eq t), (Rabs_pos_eq (1 - t)) by lra. fold f g.
    assert ((1 - t) * f <= 1 * f) by (apply Rmult_le_compat_r; lra). assert (t * g <= 1 * g) by (apply Rmult_le_compat_r; lra). lra. }
  assert (T1 : t * Rabs (y - d * (to - from)) <= 1 * (2 * u * ((3 + / 200) * (f + g)) + h)) by (apply Rmult_le_compat; auto using Rabs_pos; lra).
  assert (T2 : Rabs (d - e) * Rabs (from + t * (to - from)) <= k * (f + g)) by (apply Rmult_le_compat; auto using Rabs_pos).
  assert (T3 : k + (12 + / 10) * u <= (1 - u) * (1 - u) * c).
  { unfold k. replace (bpow radix2 (-20)) with (/ 1048576) in C3 by (simpl; lra). lra. }
  assert (T4 : (k + (12 + / 10) * u) * (f + g) <= (1 - u) * (1 - u) * c * (f + g)) by (apply Rmult_le_compat_r; lra).
  assert (T5 : 0 <= u * f) by (apply Rmult_le_pos; lra). assert (T6 : 0 <= u * g) by (apply Rmult_le_pos; lra).
  assert (T7 : 0 <= u * Rabs origin) by (apply Rmult_le_pos; [lra | apply Rabs_pos]).
  clear - T1 T2 T4 T5 T6 T7 Bw B6 H0. lra.
Qed.
End Shift.
