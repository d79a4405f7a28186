(* Products of Taylor models (docs/numerics.md, 9.2): GZ_TAYLOR_SLACK, GZ_TAYLOR_UP, GZ_TAYLOR_TINY. *)
From Coq Require Import Reals QArith Qreals Qminmax ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Directed DirectedChecks.
Open Scope R_scope.

Definition cubic4 (c0 c1 c2 c3 s : R) : R := c0 + c1 * s + c2 * (s * s) + c3 * (s * s * s).
Definition size4 (c0 c1 c2 c3 : R) : R := Rabs c0 + Rabs c1 + Rabs c2 + Rabs c3.

Lemma power_of_part s : Rabs s <= 1 -> Rabs (s * s) <= 1 /\ Rabs (s * s * s) <= 1 /\ Rabs (s * s * s * s * s) <= 1 /\
  Rabs (s * s * s * s - / 2) <= / 2 /\ Rabs (s * s * s * s * s * s - / 2) <= / 2.
Proof.
  intros S. assert (M : forall a b, Rabs a <= 1 -> Rabs b <= 1 -> Rabs (a * b) <= 1).
  { intros a b A B. rewrite Rabs_mult. replace 1 with (1 * 1) by ring. apply Rmult_le_compat; auto using Rabs_pos. }
  assert (H : forall a, 0 <= a -> Rabs a <= 1 -> Rabs (a - / 2) <= / 2).
  { intros a P A. rewrite Rabs_pos_eq in A by auto. apply Rabs_le. lra. }
  pose proof (Rle_0_sqr (s * s)) as P4. pose proof (Rle_0_sqr (s * s * s)) as P6. unfold Rsqr in P4, P6.
  repeat split; auto.
  - apply H; [lra|]. auto.
  - apply H; [lra|]. auto 10.
Qed.

Lemma a_cubic_is_at_most c0 c1 c2 c3 s : Rabs s <= 1 -> Rabs (cubic4 c0 c1 c2 c3 s) <= size4 c0 c1 c2 c3.
Proof.
  intros S. destruct (power_of_part s S) as (S2 & S3 & _). unfold cubic4, size4.
  assert (M : forall a b, Rabs b <= 1 -> Rabs (a * b) <= Rabs a).
  { intros a b B. rewrite Rabs_mult. rewrite <- (Rmult_1_r (Rabs a)) at 2. apply Rmult_le_compat_l; auto using Rabs_pos. }
  pose proof (M c1 s S). pose proof (M c2 _ S2). pose proof (M c3 _ S3).
  eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; auto.
  eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; auto.
  eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; auto. lra.
Qed.

(* x is within ra of A, y within rb of B. *)
Lemma a_product_is_within x y A B ra rb na nb : Rabs (x - A) <= ra -> Rabs (y - B) <= rb -> Rabs A <= na -> Rabs B <= nb ->
  Rabs (x * y - A * B) <= ra * (nb + rb) + na * rb.
Proof.
  intros X Y PA PB. replace (x * y - A * B) with ((x - A) * (B + (y - B)) + A * (y - B)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult. apply Rplus_le_compat.
  - apply Rmult_le_compat; auto using Rabs_pos. eapply Rle_trans; [apply Rabs_triang|]. lra.
  - apply Rmult_le_compat; auto using Rabs_pos.
Qed.

(* A sum of positive numbers that is rounded, times a factor. *)
Section Raised.
Variable F : format.
Hypothesis ieee : is_ieee F.
Lemma a_raised_value s T K f : is_number F s -> 0 <= T -> / 2 <= f <= 1 -> 1 <= K -> 1 <= (1 - u F) * f * K ->
  (s = T \/ 2 * least_normal F < T /\ f * T <= s) -> T <= round_ F (s * K).
Proof.
  intros N P B K1 C H. pose proof (least_normal_is_positive F) as L. pose proof (u_is_small F ieee) as U.
  destruct H as [->|[Q H]].
  - rewrite <- (fl_of_number F T N) at 1. apply (fl_le F ieee).
    rewrite <- (Rmult_1_r T) at 1. now apply Rmult_le_compat_l.
  - assert (Ps : 0 <= s) by (apply Rle_trans with (f * T); auto; apply Rmult_le_pos; lra).
    assert (W : f * T * K <= s * K) by (apply Rmult_le_compat_r; lra).
    assert (W1 : / 2 * T <= f * T) by (apply Rmult_le_compat_r; lra).
    assert (W2 : f * T * 1 <= f * T * K) by (apply Rmult_le_compat_l; lra).
    assert (NN : least_normal F <= s * K) by lra.
    pose proof (fl_of_normal F ieee (s * K)) as E. rewrite (Rabs_pos_eq (s * K)) in E by lra.
    apply Rabs_le_inv in E; [|exact NN].
    assert (1 * T <= (1 - u F) * f * K * T) by (apply Rmult_le_compat_r; lra).
    assert ((1 - u F) * (f * T * K) <= (1 - u F) * (s * K)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma a_sum_of_two a b T f : is_number F a -> is_number F b -> 0 <= a -> 0 <= b -> 0 <= T -> / 2 <= f <= 1 ->
  (a = T \/ 2 * least_normal F < T /\ f * T <= a) ->
  let s := round_ F (a + b) in let g := (1 - u F) * f in
  is_number F s /\ 0 <= s /\ (s = T + b \/ 2 * least_normal F < T + b /\ g * (T + b) <= s).
Proof.
  intros A B Pa Pb PT Pf H. cbv zeta. pose proof (u_is_small F ieee) as U.
  split; [now apply fl_is_number|]. split; [apply (fl_positive F ieee); lra|].
  pose proof (sum_errs F (proj1 ieee) a b A B) as E. rewrite (Rabs_pos_eq (a + b)) in E by lra. apply Rabs_le_inv in E.
  destruct (Rle_or_lt (T + b) (2 * least_normal F)) as [S|S].
  - destruct H as [->|[Q _]]; [|lra]. left. apply (a_small_sum_is_exact F ieee); auto. rewrite Rabs_pos_eq; lra.
  - right. split; auto.
    assert (f * (T + b) <= a + b).
    { assert (f * b <= 1 * b) by (apply Rmult_le_compat_r; lra).
      destruct H as [->|[_ H]]; [|lra]. assert (f * T <= 1 * T) by (apply Rmult_le_compat_r; lra). lra. }
    assert ((1 - u F) * (f * (T + b)) <= (1 - u F) * (a + b)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Raised.

Definition up4 (k : Q) : bool := Qle_bool 1 ((1 - uq) * ((1 - uq) * ((1 - uq) * (1 - uq))) * k) && Qle_bool 1 k.
Lemma up4_is_right k : up4 k = true -> 1 <= (1 - u64) * ((1 - u64) * ((1 - u64) * (1 - u64))) * Q2R k /\ 1 <= Q2R k.
Proof.
  unfold up4. rewrite andb_true_iff. intros [A B]. apply at_most in A, B. unfold uq in A.
  rewrite !Q2R_mult, !Q2R_minus, !Q2R_1, !uQ_is_u in A. rewrite Q2R_1 in B. auto.
Qed.

(* The computed size of four numbers is not below their size. *)
Lemma a_size_is_at_least c0 c1 c2 c3 K : is_number binary64 c0 -> is_number binary64 c1 -> is_number binary64 c2 ->
  is_number binary64 c3 -> 1 <= (1 - u64) * ((1 - u64) * ((1 - u64) * (1 - u64))) * K -> 1 <= K ->
  size4 c0 c1 c2 c3 <= round_ binary64 (round_ binary64 (round_ binary64 (round_ binary64 (Rabs c0 + Rabs c1) + Rabs c2) +
    Rabs c3) * K).
Proof.
  intros N0 N1 N2 N3 C K1. pose proof u_is_tiny as U. unfold size4.
  pose proof (Rabs_pos c0). pose proof (Rabs_pos c1). pose proof (Rabs_pos c2). pose proof (Rabs_pos c3).
  assert (A : forall c, is_number binary64 c -> is_number binary64 (Rabs c)) by (intros; now apply generic_format_abs).
  assert (M : forall f, 3 / 4 <= f <= 1 -> / 2 <= (1 - u64) * f /\ (1 - u64) * f <= 1).
  { intros f Pf. split.
    - apply Rle_trans with ((2 / 3) * (3 / 4)); [lra|]. apply Rmult_le_compat; lra.
    - replace 1 with (1 * 1) at 2 by ring. apply Rmult_le_compat; lra. }
  destruct (a_sum_of_two binary64 binary64_is_ieee (Rabs c0) (Rabs c1) (Rabs c0) 1) as (S1 & P1 & B1); auto; try lra.
  set (s1 := round_ binary64 (Rabs c0 + Rabs c1)) in *.
  destruct (a_sum_of_two binary64 binary64_is_ieee s1 (Rabs c2) (Rabs c0 + Rabs c1) ((1 - u64) * 1)) as (S2 & P2 & B2);
    auto; try lra.
  set (s2 := round_ binary64 (s1 + Rabs c2)) in *.
  assert (Q2 : 3 / 4 <= (1 - u64) * 1 <= 1) by lra.
  destruct (a_sum_of_two binary64 binary64_is_ieee s2 (Rabs c3) (Rabs c0 + Rabs c1 + Rabs c2) ((1 - u64) * ((1 - u64) * 1)))
    as (S3 & P3 & B3); auto; try lra.
  assert (Q3 : 3 / 4 <= (1 - u64) * ((1 - u64) * 1) <= 1).
  { split; [|apply M; lra]. apply Rle_trans with ((9 / 10) * (9 / 10)); [lra|]. apply Rmult_le_compat; lra. }
  apply (a_raised_value binary64 binary64_is_ieee) with ((1 - u64) * ((1 - u64) * ((1 - u64) * 1))); auto; try lra.
Qed.
