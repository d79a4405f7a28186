(* What pairs that keep a part of their distance keep at most (docs/numerics.md, section 3): GZ_KEPT_DIAGONAL,
   GZ_KEPT_TOLERANCE, GZ_KEPT_UP, GZ_KEPT_TINY. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia Psatz.
From Flocq Require Import Core.
Require Import Rounding Given Positive Cover Directed DirectedChecks TracesSteps.
Open Scope R_scope.
Local Notation fl := (round_ binary64).
Import TracedKept.

(* 4 is the part over the rest, off by 4 u of itself. *)
Definition kept_r (i : nat) : Q := if Nat.eqb i 4 then two_to (-51) else 0.
Definition most_quotient : Q := two_to 10.
(* The room that the roundings leave: 999 u for the part, 2 u each for times, ways and differences. *)
Definition kept_room : Q := 1 + inject_Z 1020 * uQ binary64.
Definition kept_checks (up : Q) (most : expr) : bool :=
  match most with
  | Add e (Cst m k) => checks_above_by binary64 variables kept_r none most_quotient 0 e m k (up * / kept_room) &&
                       Qle_bool 1 (up * / kept_room)
  | _ => false end.
Definition diagonal_checks (d : Q) : bool := Qle_bool (1 + 1 + 1) (d * d) && Qle_bool 0 d.
Definition tolerance_checks (t : Q) : bool := Qle_bool (two_to (-39)) t.

Lemma the_quotient_is_near p : is_number binary64 p -> bpow radix2 (-1000) <= p <= 1 - bpow radix2 (-10) ->
  Rabs (fl (p / fl (1 - p)) - p / (1 - p)) <= 4 * u64 * (p / (1 - p)).
Proof.
  intros N [L H]. pose proof u_is_tiny as U. pose proof (bpow_gt_0 radix2 (-1000)) as P0.
  assert (B10 : bpow radix2 (-10) = / 1024) by (simpl; lra). rewrite B10 in H.
  assert (N1 : is_number binary64 1) by (change 1 with (bpow radix2 0); apply generic_format_bpow; vm_compute; discriminate).
  pose proof (sum_errs binary64 eq_refl 1 (- p) N1 (number_opp binary64 p N)) as E1. change (1 + - p) with (1 - p) in E1.
  rewrite (Rabs_pos_eq (1 - p)) in E1 by lra. apply Rabs_le_inv in E1. set (s := fl (1 - p)) in *.
  assert (U2 : u64 * (1 - p) <= / 1024 * (1 - p)) by (apply Rmult_le_compat_r; lra).
  assert (Ps : 0 < s) by lra. set (q := p / s). set (t := p / (1 - p)).
  assert (Pt : 0 < t) by (unfold t; apply Rdiv_lt_0_compat; lra).
  assert (Pq : 0 < q) by (unfold q; apply Rdiv_lt_0_compat; lra).
  assert (Et : p = t * (1 - p)) by (unfold t; field; lra). assert (Eq : p = q * s) by (unfold q; field; lra).
  assert (Q1 : q <= (1 + 9 / 8 * u64) * t).
  { apply Rmult_le_reg_r with s; auto. rewrite <- Eq.
    assert (T1 : (1 + 9 / 8 * u64) * (1 - u64) * (t * (1 - p)) <= (1 + 9 / 8 * u64) * t * s).
    { replace ((1 + 9 / 8 * u64) * (1 - u64) * (t * (1 - p))) with ((1 + 9 / 8 * u64) * t * ((1 - u64) * (1 - p))) by ring.
      apply Rmult_le_compat_l; [apply Rmult_le_pos|]; lra. }
    rewrite <- Et in T1. assert (1 * p <= (1 + 9 / 8 * u64) * (1 - u64) * p) by (apply Rmult_le_compat_r; nra). lra. }
  assert (Q2 : (1 - u64) * t <= q).
  { apply Rmult_le_reg_r with s; auto. rewrite <- Eq.
    assert (T1 : (1 - u64) * t * s <= (1 - u64) * (1 + u64) * (t * (1 - p))).
    { replace ((1 - u64) * (1 + u64) * (t * (1 - p))) with ((1 - u64) * t * ((1 + u64) * (1 - p))) by ring.
      apply Rmult_le_compat_l; [apply Rmult_le_pos|]; lra. }
    rewrite <- Et in T1. assert ((1 - u64) * (1 + u64) * p <= 1 * p) by (apply Rmult_le_compat_r; nra). lra. }
  assert (LN : least_normal binary64 <= Rabs q).
  { rewrite (Rabs_pos_eq q) by lra. apply Rle_trans with (bpow radix2 (-1001)); [unfold least_normal; apply bpow_le; vm_compute; discriminate|].
    replace (bpow radix2 (-1001)) with (/ 2 * bpow radix2 (-1000)) by (change (/ 2) with (bpow radix2 (-1)); now rewrite <- bpow_plus).
    assert (p <= t) by (rewrite Et at 1; nra). assert ((1 - u64) * p <= (1 - u64) * t) by (apply Rmult_le_compat_l; lra). nra. }
  pose proof (fl_of_normal binary64 binary64_is_ieee q LN) as E2. rewrite (Rabs_pos_eq q) in E2 by lra.
  replace (fl q - t) with ((fl q - q) + (q - t)) by ring. eapply Rle_trans; [apply Rabs_triang|].
  assert (Rabs (q - t) <= 9 / 8 * u64 * t) by (apply Rabs_le; lra).
  assert (u64 * q <= u64 * ((1 + 9 / 8 * u64) * t)) by (apply Rmult_le_compat_l; lra).
  assert (u64 * u64 * t <= u64 * t * 1) by nra. nra.
Qed.

(* x: the part, the time, the longest way along an axis, the largest difference, as the code has them. *)
Theorem pairs_keep_at_most x ex : positive_inputs binary64 variables x ex kept_r none ->
  ex 0%nat <= 999 / 1000 -> ex 4%nat = ex 0%nat / (1 - ex 0%nat) ->
  let part := ex 0%nat in
  let way := (1 + 2 * u64) * ex 2%nat in let time := (1 + 2 * u64) * ex 1%nat in let span := (1 + 2 * u64) * ex 3%nat in
  part / (1 - part * (1 + u64)) * (2 * (time * (sqrt 3 * way)) + bpow radix2 (-39) * span) <= rounded binary64 x most.
Proof.
  intros G P E4 part way time span. pose proof (proj2 G) as N.
  pose proof (N 0%nat eq_refl) as P0. pose proof (N 1%nat eq_refl) as P1. pose proof (N 2%nat eq_refl) as P2. pose proof (N 3%nat eq_refl) as P3.
  assert (C : kept_checks (value_of UP) (ltac:(let e := eval cbv in most in exact e)) = true) by (vm_compute; reflexivity).
  unfold kept_checks in C. apply andb_true_iff in C. destruct C as [C1 C2].
  set (up := (value_of UP * / kept_room)%Q) in *.
  assert (D : diagonal_checks (value_of DIAGONAL) = true) by (vm_compute; reflexivity).
  assert (T : tolerance_checks (value_of TOLERANCE) = true) by (vm_compute; reflexivity).
  unfold diagonal_checks in D. apply andb_true_iff in D. destruct D as [D1 D2]. unfold tolerance_checks in T.
  apply bool_le in D1, D2, T, C2. rewrite Q2R_mult, !Q2R_plus, Q2R_1 in D1. rewrite Q2R_0 in D2. rewrite two_to_is_bpow in T. rewrite Q2R_1 in C2.
  set (d := Q2R (value_of DIAGONAL)) in *. set (t := Q2R (value_of TOLERANCE)) in *.
  assert (S3 : sqrt 3 <= d). { rewrite <- (sqrt_square d D2). apply sqrt_le_1_alt. lra. }
  set (k := ex 4%nat * (2 * (d * (ex 1%nat * ex 2%nat)) + t * ex 3%nat)).
  set (room := Q2R kept_room).
  assert (R1 : room = 1 + 1020 * u64) by (unfold room, kept_room; rewrite Q2R_plus, Q2R_mult, Q2R_Z, Q2R_1, uQ_is_u; reflexivity).
  pose proof u_is_tiny as U. assert (U3 : u64 <= / 1000000) by (unfold u; simpl; lra).
  assert (Pd : 0 < 1 - part) by (unfold part; lra).
  assert (Pk : 0 <= k).
  { unfold k. rewrite E4. apply Rmult_le_pos; [apply Rmult_le_pos; [auto | left; now apply Rinv_0_lt_compat]|].
    pose proof (Rmult_le_pos _ _ D2 (Rmult_le_pos _ _ P1 P2)). pose proof (bpow_ge_0 radix2 (-39)). assert (0 <= t * ex 3%nat) by (apply Rmult_le_pos; lra). lra. }
  assert (Hq : Q2R up = Q2R (value_of UP) / room).
  { unfold up, room. rewrite Q2R_mult, Q2R_inv; [reflexivity|]. vm_compute. discriminate. }
  assert (H : room * k + Q2R 0 * eta binary64 <= rounded binary64 x most).
  { refine (proj1 (a_bound_is_above_by binary64 variables x ex kept_r none most_quotient binary64_is_ieee eq_refl eq_refl G
      0 _ _ _ up (room * k) C1 _ _ _)).
    - cbn [quotients_are_capped]. tauto.
    - rewrite Hq. unfold k. rewrite R1. written. unfold d, t, value_of, DIAGONAL, TOLERANCE, UP. rewrite !number_is_F2R.
      replace (F2R (Float radix2 1 1)) with 2 by (unfold F2R; simpl; lra). field. lra.
    - apply Rmult_le_pos; lra. }
  rewrite Q2R_0 in H.
  apply Rle_trans with (room * k); [|lra]. clear H.
  assert (Z : part / (1 - part * (1 + u64)) <= (1 + 1001 * u64) * ex 4%nat).
  { rewrite E4. fold part. unfold Rdiv. rewrite <- Rmult_assoc, (Rmult_comm _ part), Rmult_assoc. apply Rmult_le_compat_l; auto.
    assert (Q : 0 < 1 - part * (1 + u64)) by (unfold part; nra).
    apply Rmult_le_reg_r with ((1 - part * (1 + u64)) * (1 - part)); [nra|].
    replace (/ (1 - part * (1 + u64)) * ((1 - part * (1 + u64)) * (1 - part))) with (1 - part) by (field; lra).
    replace ((1 + 1001 * u64) * / (1 - part) * ((1 - part * (1 + u64)) * (1 - part))) with ((1 + 1001 * u64) * (1 - part * (1 + u64))) by (field; lra).
    unfold part in *. nra. }
  assert (W : 2 * (time * (sqrt 3 * way)) + bpow radix2 (-39) * span <=
              (1 + 5 * u64) * (2 * (d * (ex 1%nat * ex 2%nat)) + t * ex 3%nat)).
  { assert (F2 : (1 + 2 * u64) * (1 + 2 * u64) <= 1 + 5 * u64) by nra.
    pose proof (Rmult_le_pos _ _ P1 P2) as P12. pose proof (sqrt_pos 3) as S0.
    assert (A1 : time * (sqrt 3 * way) <= (1 + 5 * u64) * (d * (ex 1%nat * ex 2%nat))).
    { unfold time, way. replace ((1 + 2 * u64) * ex 1%nat * (sqrt 3 * ((1 + 2 * u64) * ex 2%nat))) with
        ((1 + 2 * u64) * (1 + 2 * u64) * (sqrt 3 * (ex 1%nat * ex 2%nat))) by ring.
      apply Rmult_le_compat; auto; try (apply Rmult_le_pos; lra). apply Rmult_le_compat_r; auto. }
    assert (A2 : bpow radix2 (-39) * span <= (1 + 5 * u64) * (t * ex 3%nat)).
    { unfold span. replace (bpow radix2 (-39) * ((1 + 2 * u64) * ex 3%nat)) with ((1 + 2 * u64) * (bpow radix2 (-39) * ex 3%nat)) by ring.
      pose proof (bpow_ge_0 radix2 (-39)). apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_r; auto. }
    lra. }
  assert (X0 : 0 <= 2 * (time * (sqrt 3 * way)) + bpow radix2 (-39) * span).
  { pose proof (sqrt_pos 3). pose proof (bpow_ge_0 radix2 (-39)). unfold time, way, span.
    assert (0 <= (1 + 2 * u64) * ex 1%nat) by (apply Rmult_le_pos; lra). assert (0 <= (1 + 2 * u64) * ex 2%nat) by (apply Rmult_le_pos; lra).
    assert (0 <= (1 + 2 * u64) * ex 3%nat) by (apply Rmult_le_pos; lra).
    assert (0 <= bpow radix2 (-39) * ((1 + 2 * u64) * ex 3%nat)) by (apply Rmult_le_pos; auto).
    assert (0 <= (1 + 2 * u64) * ex 1%nat * (sqrt 3 * ((1 + 2 * u64) * ex 2%nat))) by (repeat apply Rmult_le_pos; lra). lra. }
  assert (Y0 : 0 <= part / (1 - part * (1 + u64))).
  { apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat. unfold part. nra. }
  apply Rle_trans with ((1 + 1001 * u64) * ex 4%nat * ((1 + 5 * u64) * (2 * (d * (ex 1%nat * ex 2%nat)) + t * ex 3%nat))).
  - apply Rmult_le_compat; auto.
  - replace ((1 + 1001 * u64) * ex 4%nat * ((1 + 5 * u64) * (2 * (d * (ex 1%nat * ex 2%nat)) + t * ex 3%nat))) with
      ((1 + 1001 * u64) * (1 + 5 * u64) * k) by (unfold k; ring).
    apply Rmult_le_compat_r; auto. rewrite R1. nra.
Qed.
