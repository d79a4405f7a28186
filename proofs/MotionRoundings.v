(* Small sums, quotients and lengths whose roundings have a side (docs/numerics.md, 9.4 and 9.5): GZ_EXTENT_UP,
   GZ_REACH_DOWN, GZ_UNIT_UP, GZ_WAIT_DOWN, GZ_LENGTH_DOWN, GZ_LENGTH_TINY. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Normal Directed DirectedChecks TracesMotion.
Open Scope R_scope.

Notation fl := (round_ binary64).
Local Notation ieee := binary64_is_ieee.

Lemma number_of l fx ex : inputs binary64 l fx ex -> forall i, is_number binary64 (fx i).
Proof. intros G i. now destruct (G i). Qed.

Lemma a_constant fx m e : rounded binary64 fx (Cst m e) = Q2R (value_of (Cst m e)).
Proof. cbn [value_of rounded]. now rewrite number_is_F2R. Qed.

Ltac positive G i := generalize (a_positive_variable binary64 _ _ _ G i eq_refl).
Ltac no_overflow := eapply nothing_is_too_large; eauto using binary64_is_ieee; vm_compute; reflexivity.

Theorem an_extent_is_at_least fx : inputs binary64 TracedExtent.variables fx fx ->
  Rabs (fx 0%nat) + fx 1%nat <= rounded binary64 fx TracedExtent.extent /\
  nothing_overflows binary64 fx TracedExtent.extent.
Proof.
  intros G. split; [|no_overflow].
  pose proof (number_of _ _ _ G) as N. positive G 1%nat. intros P1.
  destruct (raises_is_right (value_of TracedExtent.EXTENT_UP)) as [K1 K2]; [vm_compute; reflexivity|].
  unfold TracedExtent.EXTENT_UP in K1, K2. rewrite <- (a_constant fx) in K1, K2.
  apply (a_raised_sum binary64 ieee); auto; try apply Rabs_pos; try apply N.
  apply generic_format_abs, N.
Qed.

(* A padding that was rounded up from p, by 3 u at most, and exact where p is small. *)
Definition is_rounded_up (x p : R) : Prop := p <= x <= (1 + 3 * u64) * p /\ (p <= 2 * least_normal binary64 -> x = p).

Theorem a_reach_is_at_most fx pa pb : inputs binary64 TracedReach.variables fx fx -> 0 <= pa -> 0 <= pb ->
  is_rounded_up (fx 1%nat) pa -> is_rounded_up (fx 2%nat) pb ->
  rounded binary64 fx TracedReach.low <= fx 0%nat + pa + pb /\ nothing_overflows binary64 fx TracedReach.low.
Proof.
  intros G Ppa Ppb A B. split; [|no_overflow].
  pose proof (number_of _ _ _ G) as N.
  positive G 0%nat. positive G 1%nat. positive G 2%nat. intros P2 P1 P0.
  destruct (lowers_is_right (value_of TracedReach.REACH_DOWN)) as (K1 & K2); [vm_compute; reflexivity|].
  unfold TracedReach.REACH_DOWN in K1, K2. rewrite <- (a_constant fx) in K1, K2.
  fold TracedReach.REACH_DOWN in K1, K2.
  change (fl (fl (fl (fx 0%nat + fx 1%nat) + fx 2%nat) * rounded binary64 fx TracedReach.REACH_DOWN) <= fx 0%nat + pa + pb).
  set (K := rounded _ _ _) in *.
  set (x := fx 0%nat) in *. set (a := fx 1%nat) in *. set (b := fx 2%nat) in *.
  destruct A as [A1 A2]. destruct B as [B1 B2].
  pose proof u_is_tiny as U. pose proof (least_normal_is_positive binary64) as L.
  assert (S1 : 0 <= fl (x + a)) by (apply (fl_positive binary64 ieee); lra).
  assert (S2 : 0 <= fl (fl (x + a) + b)) by (apply (fl_positive binary64 ieee); lra).
  assert (F2 : 1 <= (1 + u64) * (1 + u64) * (1 + 3 * u64) <= 2).
  { split.
    - replace 1 with (1 * 1 * 1) at 1 by ring. repeat apply Rmult_le_compat; lra.
    - apply Rle_trans with ((5 / 4) * (5 / 4) * (5 / 4)); [|lra]. repeat apply Rmult_le_compat; try lra.
      apply Rmult_le_pos; lra. }
  apply (a_lowered_sum binary64 ieee) with ((1 + u64) * (1 + u64) * (1 + 3 * u64)); auto; try lra.
  - apply fl_is_number, ieee.
  - destruct (Rle_or_lt (x + pa + pb) (2 * least_normal binary64)) as [T|T].
    + left. rewrite A2, B2 by lra. rewrite A2 in S1 by lra.
      assert (E : fl (x + pa) = x + pa).
      { apply (a_small_sum_is_exact binary64 ieee); [apply N | rewrite <- A2 by lra; apply N |].
        rewrite Rabs_pos_eq; lra. }
      rewrite E. apply (a_small_sum_is_exact binary64 ieee).
      * rewrite <- E. apply fl_is_number, ieee.
      * rewrite <- B2 by lra. apply N.
      * rewrite Rabs_pos_eq; lra.
    + right. split; auto.
      pose proof (sum_errs binary64 (proj1 ieee) x a (N _) (N _)) as E1.
      pose proof (sum_errs binary64 (proj1 ieee) (fl (x + a)) b (fl_is_number _ ieee _) (N _)) as E2.
      rewrite (Rabs_pos_eq (x + a)) in E1 by lra. rewrite (Rabs_pos_eq (fl (x + a) + b)) in E2 by lra.
      apply Rabs_le_inv in E1, E2. set (s := fl (x + a)) in *. set (r := fl (s + b)) in *.
      assert (Pu : 0 <= u64 * x) by (apply Rmult_le_pos; lra).
      assert (M : x + a + b <= (1 + 3 * u64) * (x + pa + pb)) by lra.
      assert (Pb : 0 <= u64 * b) by (apply Rmult_le_pos; lra).
      assert (S3 : (1 - u64) * (x + pa + pb) <= s + b).
      { apply Rle_trans with ((1 - u64) * (x + a + b)); [apply Rmult_le_compat_l|]; lra. }
      split.
      * apply Rle_trans with ((1 - u64) * (s + b)); [|lra].
        apply Rle_trans with ((3 / 4) * ((3 / 4) * (x + pa + pb))); [lra|].
        apply Rmult_le_compat; try lra. eapply Rle_trans; [|exact S3]. apply Rmult_le_compat_r; lra.
      * apply Rle_trans with ((1 + u64) * ((1 + u64) * (x + a + b))).
        -- apply Rle_trans with ((1 + u64) * (s + b)); [lra|]. apply Rmult_le_compat_l; lra.
        -- replace ((1 + u64) * (1 + u64) * (1 + 3 * u64) * (x + pa + pb)) with
             ((1 + u64) * ((1 + u64) * ((1 + 3 * u64) * (x + pa + pb)))) by ring.
           apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra.
  - apply Rle_trans with (/ 2 * 1); [lra|]. apply Rmult_le_compat; lra.
Qed.

(* t is not after the true time: a quotient of a gap by a speed, rounded, is 2^-6 or more. *)
Theorem a_wait_ends_in_time fx : inputs binary64 TracedWait.variables fx fx ->
  0 < fx 2%nat -> bpow radix2 (-6) <= fl (fx 1%nat / fx 2%nat) ->
  rounded binary64 fx TracedWait.after <= fx 0%nat + fx 1%nat / fx 2%nat.
Proof.
  intros G S W. pose proof (number_of _ _ _ G) as N.
  positive G 0%nat. positive G 1%nat. intros P1 P0.
  assert (T1 : fx 0%nat <= 1).
  { destruct (G 0%nat) as (_ & _ & _ & _ & B & _). unfold size_in in B. simpl in B. rewrite Rabs_pos_eq in B by auto.
    eapply Rle_trans; [exact B|]. unfold Q2R; simpl; lra. }
  destruct (waits_is_right (value_of TracedWait.WAIT_DOWN)) as (K1 & K2); [vm_compute; reflexivity|].
  unfold TracedWait.WAIT_DOWN in K1, K2. rewrite <- (a_constant fx) in K1, K2. fold TracedWait.WAIT_DOWN in K1, K2.
  change (fl (fx 0%nat + fl (fl (fx 1%nat / fx 2%nat) * rounded binary64 fx TracedWait.WAIT_DOWN)) <=
    fx 0%nat + fx 1%nat / fx 2%nat).
  set (K := rounded _ _ _) in *. set (t := fx 0%nat) in *. set (q := fx 1%nat / fx 2%nat) in *.
  assert (Pq : 0 <= q). { unfold q, Rdiv. apply Rmult_le_pos; auto. left. now apply Rinv_0_lt_compat. }
  pose proof u_is_tiny as U.
  assert (B6 : bpow radix2 (-6) = / 64) by (simpl; lra). rewrite B6 in W.
  assert (LN : least_normal binary64 <= / 256).
  { unfold least_normal. change (/ 256) with (bpow radix2 (-8)). apply bpow_le. simpl. lia. }
  assert (Q6 : / 128 <= q).
  { pose proof (round_errs binary64 (proj1 ieee) q) as E. rewrite (Rabs_pos_eq q) in E by auto. apply Rabs_le_inv in E.
    assert (eta64 <= / 1024).
    { unfold eta. change (/ 1024) with (/ IZR (2 ^ 10)). rewrite (IZR_Zpower radix2) by lia. rewrite <- bpow_opp.
      apply bpow_le. simpl. lia. }
    assert (u64 * q <= / 1024 * q) by (apply Rmult_le_compat_r; lra). lra. }
  pose proof (fl_of_normal binary64 ieee q) as E1. rewrite (Rabs_pos_eq q) in E1 by auto.
  apply Rabs_le_inv in E1; [|lra]. set (w := fl q) in *.
  assert (Wk : / 64 * / 2 <= w * K) by (apply Rmult_le_compat; lra).
  assert (Pwk : 0 <= w * K) by lra.
  pose proof (fl_of_normal binary64 ieee (w * K)) as E2. rewrite (Rabs_pos_eq (w * K)) in E2 by exact Pwk.
  apply Rabs_le_inv in E2; [|lra]. set (v := fl (w * K)) in *.
  assert (Pv : 0 <= v) by now apply (fl_positive binary64 ieee).
  pose proof (sum_errs binary64 (proj1 ieee) t v (N _) (fl_is_number _ ieee _)) as E3.
  rewrite (Rabs_pos_eq (t + v)) in E3 by lra. apply Rabs_le_inv in E3.
  assert (V : v <= (1 + u64) * ((1 + u64) * q * K)).
  { apply Rle_trans with ((1 + u64) * (w * K)); [lra|]. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; lra. }
  assert (Q128 : u64 * 1 <= u64 * (128 * q)) by (apply Rmult_le_compat_l; lra).
  assert (T2 : u64 * t <= u64 * 1) by (apply Rmult_le_compat_l; lra).
  assert (H : (1 + u64) * v <= (1 + u64) * (1 + u64) * (1 + u64) * K * q).
  { apply Rle_trans with ((1 + u64) * ((1 + u64) * ((1 + u64) * q * K))); [apply Rmult_le_compat_l; lra | right; ring]. }
  assert (C : ((1 + u64) * (1 + u64) * (1 + u64) * K + 128 * u64) * q <= 1 * q) by (apply Rmult_le_compat_r; lra).
  lra.
Qed.

Theorem a_length_is_at_most fx : inputs binary64 TracedLength.variables fx fx ->
  rounded binary64 fx TracedLength.below <= norm3 (fx 0%nat) (fx 1%nat) (fx 2%nat) /\
  nothing_overflows binary64 fx TracedLength.below.
Proof.
  intros G. split; [|no_overflow]. pose proof (number_of _ _ _ G) as N.
  destruct (lengthens_is_right (value_of TracedLength.LENGTH_DOWN) (value_of TracedLength.LENGTH_TINY))
    as (K1 & K2 & K3 & K4); [vm_compute; reflexivity|].
  pose proof (a_constant fx _ _ : rounded binary64 fx TracedLength.LENGTH_DOWN = Q2R (value_of TracedLength.LENGTH_DOWN)) as V.
  pose proof (a_constant fx _ _ : rounded binary64 fx TracedLength.LENGTH_TINY = Q2R (value_of TracedLength.LENGTH_TINY)) as W.
  rewrite <- V in K1, K2, K3. rewrite <- W in K2, K4.
  set (x := fx 0%nat). set (y := fx 1%nat). set (z := fx 2%nat).
  change (fl (fl (computed_length binary64 x y z * rounded binary64 fx TracedLength.LENGTH_DOWN) -
    rounded binary64 fx TracedLength.LENGTH_TINY) <= norm3 x y z).
  set (K := rounded binary64 fx TracedLength.LENGTH_DOWN) in *. set (T := rounded binary64 fx TracedLength.LENGTH_TINY) in *.
  pose proof (a_length_is_below binary64 ieee x y z) as [L0 L1]. change (sqrt (squares3 x y z)) with (norm3 x y z) in L1.
  set (l := computed_length binary64 x y z) in *. set (n := norm3 x y z) in *.
  assert (Pn : 0 <= n) by apply sqrt_pos. pose proof u_is_tiny as U. pose proof (eta_positive binary64) as Pe.
  pose proof (sqrt_pos (24 * eta64)) as Pr. set (r := sqrt (24 * eta64)) in *.
  assert (Plk : 0 <= l * K) by now apply Rmult_le_pos.
  pose proof (round_errs binary64 (proj1 ieee) (l * K)) as E. rewrite (Rabs_pos_eq (l * K)) in E by auto. apply Rabs_le_inv in E.
  assert (NT : is_number binary64 T) by (apply constant_is_number; vm_compute; reflexivity).
  assert (NN : is_number binary64 (- T)) by now apply generic_format_opp.
  destruct (Rle_or_lt (fl (l * K) - T) 0) as [H|H].
  - apply Rle_trans with 0; auto. rewrite <- (fl_of_number binary64 0) by apply generic_format_0.
    apply (fl_le binary64 ieee); lra.
  - pose proof (sum_errs binary64 (proj1 ieee) (fl (l * K)) (- T) (fl_is_number _ ieee _) NN) as E2.
    change (fl (l * K) + - T) with (fl (l * K) - T) in E2. rewrite (Rabs_pos_eq (fl (l * K) - T)) in E2 by lra. apply Rabs_le_inv in E2.
    set (f := fl (fl (l * K) - T)) in *. set (p := fl (l * K)) in *.
    assert (B : l * K <= (length_up binary64 * n + (1 + u64) * r) * K) by now apply Rmult_le_compat_r.
    assert (PB : p <= (1 + u64) * ((length_up binary64 * n + (1 + u64) * r) * K) + eta64).
    { apply Rle_trans with ((1 + u64) * (l * K) + eta64); [lra|]. apply Rplus_le_compat_r, Rmult_le_compat_l; lra. }
    assert (PT : p - T <= (1 + u64) * K * length_up binary64 * n) by lra.
    apply Rle_trans with ((1 + u64) * (p - T)); [lra|].
    apply Rle_trans with ((1 + u64) * ((1 + u64) * K * length_up binary64 * n)); [apply Rmult_le_compat_l; lra|].
    assert ((1 + u64) * (1 + u64) * K * length_up binary64 * n <= 1 * n) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma norm_is_monotone a b c x y z : Rabs a <= x -> Rabs b <= y -> Rabs c <= z -> norm3 a b c <= norm3 x y z.
Proof.
  intros A B C. apply sqrt_le_1_alt.
  assert (S : forall p q, Rabs p <= q -> p * p <= q * q).
  { intros p q H. rewrite <- (Rabs_pos_eq (p * p)) by apply Rle_0_sqr. rewrite Rabs_mult.
    apply Rmult_le_compat; auto using Rabs_pos. }
  pose proof (S _ _ A). pose proof (S _ _ B). pose proof (S _ _ C). lra.
Qed.
Lemma norm_of_multiple k x y z : 0 <= k -> norm3 (k * x) (k * y) (k * z) = k * norm3 x y z.
Proof.
  intros K. unfold norm3. replace (k * x * (k * x) + k * y * (k * y) + k * z * (k * z)) with
    (k * k * (x * x + y * y + z * z)) by ring.
  pose proof (Rle_0_sqr x). pose proof (Rle_0_sqr y). pose proof (Rle_0_sqr z). unfold Rsqr in *.
  rewrite sqrt_mult, sqrt_square; auto; [apply Rmult_le_pos; auto | lra].
Qed.
Lemma norm_of_abs x y z : norm3 (Rabs x) (Rabs y) (Rabs z) = norm3 x y z.
Proof. unfold norm3. rewrite <- !Rabs_mult. rewrite !Rabs_pos_eq by apply Rle_0_sqr. reflexivity. Qed.

(* n is v divided by its length: contact times the length of n is at most what counts as contact along n, but for an
   underflow of the product. *)
Theorem a_distance_along_a_unit_is_enough fx : inputs binary64 TracedUnit.variables fx fx ->
  / 2 <= norm3 (fx 0%nat) (fx 1%nat) (fx 2%nat) ->
  fx 3%nat * norm3 (rounded binary64 fx TracedUnit.n_0) (rounded binary64 fx TracedUnit.n_1)
    (rounded binary64 fx TracedUnit.n_2) <= rounded binary64 fx TracedUnit.along + eta64 /\
  nothing_overflows binary64 fx TracedUnit.along.
Proof.
  intros G H. split; [|no_overflow]. positive G 3%nat. intros P3.
  destruct (lower_in binary64 TracedUnit.variables TracedUnit.length) as [[f m]|] eqn:E; [|discriminate].
  destruct (unites_is_right f m (value_of TracedUnit.UNIT_UP)) as (C & B & K0 & Pm).
  { vm_compute in E. injection E as <- <-. vm_compute. reflexivity. }
  assert (W : constants_are_numbers binary64 TracedUnit.length = true) by (vm_compute; reflexivity).
  destruct (value_is_at_least binary64 _ fx fx ieee G _ f m W E) as [_ L]. clear E W.
  pose proof (a_constant fx _ _ : rounded binary64 fx TracedUnit.UNIT_UP = Q2R (value_of TracedUnit.UNIT_UP)) as V.
  rewrite <- V in C, K0. clear V.
  set (length := rounded binary64 fx TracedUnit.length) in *.
  change (base binary64 fx TracedUnit.length) with (norm3 (fx 0%nat) (fx 1%nat) (fx 2%nat)) in L.
  change (fx 3%nat * norm3 (fl (fx 0%nat / length)) (fl (fx 1%nat / length)) (fl (fx 2%nat / length)) <=
    fl (fx 3%nat * rounded binary64 fx TracedUnit.UNIT_UP) + eta64).
  set (K := rounded binary64 fx TracedUnit.UNIT_UP) in *. set (c := fx 3%nat) in *.
  set (n := norm3 (fx 0%nat) (fx 1%nat) (fx 2%nat)) in *. set (least := Q2R f - 2 * Q2R m * eta64) in *.
  pose proof u_is_tiny as U. pose proof (eta_positive binary64) as Pe.
  assert (S2 : least * n <= length).
  { unfold least.
    assert (Q2R m * eta64 * 1 <= Q2R m * eta64 * (2 * n)) by (apply Rmult_le_compat_l; [apply Rmult_le_pos|]; lra). lra. }
  assert (Pl : 0 < length) by (apply Rlt_le_trans with (least * n); auto; apply Rmult_lt_0_compat; lra).
  assert (Q : n / length <= / least).
  { apply Rmult_le_reg_r with (length * least); [apply Rmult_lt_0_compat; lra|].
    replace (n / length * (length * least)) with (least * n) by (field; lra).
    replace (/ least * (length * least)) with length by (field; lra). auto. }
  assert (D : forall x, Rabs (fl (x / length)) <= (1 + u64) / length * Rabs x + eta64).
  { intros x. pose proof (round_errs binary64 (proj1 ieee) (x / length)) as R.
    assert (A : Rabs (x / length) = / length * Rabs x).
    { unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ length)); [ring|]. left. now apply Rinv_0_lt_compat. }
    rewrite A in R. replace (fl (x / length)) with ((fl (x / length) - x / length) + x / length) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite A. unfold Rdiv. lra. }
  assert (M : norm3 (fl (fx 0%nat / length)) (fl (fx 1%nat / length)) (fl (fx 2%nat / length)) <=
    (1 + u64) / length * n + 2 * eta64).
  { eapply Rle_trans; [apply norm_is_monotone; apply D|]. eapply Rle_trans; [apply triangle|].
    rewrite norm_of_multiple.
    2:{ apply Rmult_le_pos; [lra|]. left. now apply Rinv_0_lt_compat. }
    rewrite norm_of_abs. apply Rplus_le_compat_l. unfold norm3.
    rewrite <- (sqrt_square (2 * eta64)) by lra. apply sqrt_le_1_alt.
    pose proof (Rmult_le_pos eta64 eta64). lra. }
  set (nn := norm3 (fl _) _ _) in *.
  assert (X : nn <= (1 - u64) * K).
  { apply Rle_trans with ((1 + u64) * / least + 4 * eta64).
    - apply Rle_trans with (1 := M). unfold Rdiv.
      replace ((1 + u64) * / length * n) with ((1 + u64) * (n / length)) by (unfold Rdiv; ring).
      apply Rplus_le_compat; [apply Rmult_le_compat_l; lra | lra].
    - apply Rmult_le_reg_r with least; [lra|].
      replace (((1 + u64) * / least + 4 * eta64) * least) with (1 + u64 + 4 * eta64 * least) by (field; lra).
      assert (4 * eta64 * least <= 4 * eta64 * 1) by (apply Rmult_le_compat_l; lra). lra. }
  assert (P : 0 <= c * K) by now apply Rmult_le_pos.
  pose proof (round_errs binary64 (proj1 ieee) (c * K)) as R. rewrite (Rabs_pos_eq (c * K)) in R by auto.
  apply Rabs_le_inv in R.
  apply Rle_trans with (c * ((1 - u64) * K)); [apply Rmult_le_compat_l; auto|]. lra.
Qed.
