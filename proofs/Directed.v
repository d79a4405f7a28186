(* Roundings that have a side: what is rounded a few times, times a factor a little above or below 1, is not below or
   above the exact value. Sums that underflow are exact, so that no tiny constant is needed. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core Relative Plus_error.
Require Import Rounding Given.
Open Scope R_scope.

Section Directed.
Variable F : format.
Hypothesis ieee : is_ieee F.
Notation fl := (round_ F).
Notation is_number := (is_number F).
Notation u := (u F).
Notation eta := (eta F).
Definition least_normal : R := bpow radix2 (prec F + emin F - 1).

Let P : (0 < prec F)%Z := proj1 ieee.
Local Instance precision : Prec_gt_0 (prec F) := P.

Lemma fl_le x y : x <= y -> fl x <= fl y.
Proof. intros H. unfold round_. apply round_le; auto with typeclass_instances. Qed.
Lemma fl_of_number x : is_number x -> fl x = x.
Proof. intros H. unfold round_. apply round_generic; auto with typeclass_instances. Qed.
Lemma fl_is_number x : is_number (fl x).
Proof. now apply rounded_is_number. Qed.
Lemma fl_positive x : 0 <= x -> 0 <= fl x.
Proof. now apply round_keeps_sign. Qed.

Lemma least_normal_is_positive : 0 < least_normal. Proof. apply bpow_gt_0. Qed.

Lemma fl_of_normal x : least_normal <= Rabs x -> Rabs (fl x - x) <= u * Rabs x.
Proof.
  intros H. pose proof (relative_error_N_FLT radix2 (emin F) (prec F) P (fun x => negb (Z.even x)) x) as E.
  rewrite half_ulp in E. apply E. unfold least_normal in H.
  now replace (emin F + prec F - 1)%Z with (prec F + emin F - 1)%Z by lia.
Qed.

Lemma u_is_small : 0 < u <= / 2.
Proof.
  split; [apply u_positive|]. unfold Rounding.u. change (/ 2) with (bpow radix2 (-1)). apply bpow_le. lia.
Qed.

Lemma a_small_sum_is_exact x y : is_number x -> is_number y -> Rabs (x + y) <= 2 * least_normal -> fl (x + y) = x + y.
Proof.
  intros X Y H. apply fl_of_number. apply FLT_format_plus_small; auto.
  eapply Rle_trans; [exact H|]. right. unfold least_normal.
  transitivity (bpow radix2 1 * bpow radix2 (prec F + emin F - 1)).
  - rewrite bpow_1. reflexivity.
  - rewrite <- bpow_plus. f_equal. lia.
Qed.

(* Either exact, or normal. *)
Lemma a_sum_is x y : is_number x -> is_number y ->
  fl (x + y) = x + y \/ 2 * least_normal < Rabs (x + y) /\ Rabs (fl (x + y) - (x + y)) <= u * Rabs (x + y).
Proof.
  intros X Y. destruct (Rle_or_lt (Rabs (x + y)) (2 * least_normal)) as [H|H].
  - left. now apply a_small_sum_is_exact.
  - right. split; auto. now apply sum_errs.
Qed.

(* fl (fl (x + y) * K) is at least x + y *)
Lemma a_raised_sum x y K : is_number x -> is_number y -> 0 <= x -> 0 <= y ->
  1 <= (1 - u) * (1 - u) * K -> 1 <= K -> x + y <= fl (fl (x + y) * K).
Proof.
  intros X Y Px Py C K1. pose proof u_is_small as U. pose proof least_normal_is_positive as L.
  assert (S : 0 <= x + y) by lra.
  destruct (a_sum_is x y X Y) as [E|[N E]].
  - rewrite E. rewrite <- E at 1. apply fl_le. nra.
  - rewrite (Rabs_pos_eq _ S) in N, E. apply Rabs_le_inv in E. set (s := fl (x + y)) in *.
    assert (Ps : 0 <= s) by nra.
    assert (W : (1 - u) * (x + y) <= s) by lra.
    assert (WK : (1 - u) * (x + y) * K <= s * K) by (apply Rmult_le_compat_r; lra).
    assert (B : least_normal <= s * K).
    { apply Rle_trans with ((1 - u) * (x + y) * 1); [nra|]. eapply Rle_trans; [|exact WK].
      apply Rmult_le_compat_l; nra. }
    pose proof (fl_of_normal (s * K)) as R. rewrite (Rabs_pos_eq (s * K)) in R by lra.
    apply Rabs_le_inv in R; [|exact B].
    assert (1 * (x + y) <= (1 - u) * (1 - u) * K * (x + y)) by (apply Rmult_le_compat_r; lra).
    nra.
Qed.

(* fl (s * K) is at most t, where s is rounded from t and exact where t is small *)
Lemma a_lowered_sum s t K f : is_number s -> 0 <= s -> 0 <= K <= 1 -> 0 <= t -> 1 <= f <= 2 ->
  (s = t \/ 2 * least_normal < t /\ / 2 * t <= s <= f * t) ->
  / 2 <= K * f -> / 2 <= K -> (1 + u) * K * f <= 1 -> fl (s * K) <= t.
Proof.
  intros S Ps K1 Pt F1 H K2 K3 C. pose proof u_is_small as U. pose proof least_normal_is_positive as L.
  destruct H as [->|[N H]].
  - rewrite <- (fl_of_number t S) at 2. apply fl_le. nra.
  - destruct (Rle_or_lt (s * K) least_normal) as [B|B].
    + apply Rle_trans with (fl least_normal); [now apply fl_le|]. rewrite fl_of_number; [lra|].
      unfold least_normal. apply generic_format_bpow. unfold FLT_exp. lia.
    + pose proof (fl_of_normal (s * K)) as R. rewrite (Rabs_pos_eq (s * K)) in R by nra.
      apply Rabs_le_inv in R; [|lra].
      assert (s * K <= f * t * K) by (apply Rmult_le_compat_r; lra).
      assert ((1 + u) * K * f * t <= 1 * t) by (apply Rmult_le_compat_r; lra).
      nra.
Qed.

(* The root of a sum of three squares from above. *)
Lemma a_square_is_below x : 0 <= fl (x * x) <= (1 + u) * (x * x) + eta.
Proof.
  assert (S : 0 <= x * x) by nra. split; [now apply fl_positive|].
  pose proof (round_errs F P (x * x)) as E. rewrite (Rabs_pos_eq _ S) in E. apply Rabs_le_inv in E. lra.
Qed.
Lemma a_sum_is_below x y a b : is_number x -> is_number y -> 0 <= x <= a -> 0 <= y <= b ->
  0 <= fl (x + y) <= (1 + u) * (a + b).
Proof.
  intros X Y A B. split; [apply fl_positive; lra|]. pose proof (sum_errs F P x y X Y) as E.
  rewrite (Rabs_pos_eq (x + y)) in E by lra. apply Rabs_le_inv in E. pose proof u_is_small. nra.
Qed.
Lemma a_root_is_below x : is_number x -> 0 <= x -> 0 <= fl (sqrt x) <= (1 + u) * sqrt x.
Proof.
  intros X Px. split; [apply fl_positive, sqrt_pos|].
  destruct (Rle_lt_or_eq_dec 0 x Px) as [Qx | Qx].
  2:{ subst x. rewrite sqrt_0. unfold round_. rewrite round_0; auto with typeclass_instances. lra. }
  pose proof (proj1 (proj2 ieee)) as R2.
  assert (Hs : least_normal <= Rabs (sqrt x)).
  { rewrite Rabs_pos_eq by apply sqrt_pos. unfold least_normal.
    rewrite <- (sqrt_square (bpow radix2 (prec F + emin F - 1))) by apply bpow_ge_0.
    apply sqrt_le_1_alt. rewrite <- bpow_plus.
    apply Rle_trans with (bpow radix2 (emin F)).
    - apply bpow_le. lia.
    - apply generic_format_ge_bpow with (FLT_exp (emin F) (prec F)); auto.
      intros e. unfold FLT_exp. lia. }
  apply fl_of_normal in Hs. rewrite (Rabs_pos_eq (sqrt x)) in Hs by apply sqrt_pos.
  apply Rabs_le_inv in Hs. lra.
Qed.

Lemma root_of_sum a b : 0 <= a -> 0 <= b -> sqrt (a + b) <= sqrt a + sqrt b.
Proof.
  intros A B. pose proof (sqrt_pos a) as SA. pose proof (sqrt_pos b) as SB.
  rewrite <- (sqrt_square (sqrt a + sqrt b)) by lra. apply sqrt_le_1_alt.
  replace ((sqrt a + sqrt b) * (sqrt a + sqrt b)) with (sqrt a * sqrt a + 2 * (sqrt a * sqrt b) + sqrt b * sqrt b) by ring.
  rewrite !sqrt_sqrt by lra. pose proof (Rmult_le_pos _ _ SA SB). lra.
Qed.
Lemma root_of_near f a : 1 <= f -> 0 <= a -> sqrt (f * a) <= f * sqrt a.
Proof.
  intros H A. rewrite sqrt_mult by lra. apply Rmult_le_compat_r; [apply sqrt_pos|].
  rewrite <- (sqrt_square f) at 2 by lra. apply sqrt_le_1_alt. nra.
Qed.
Lemma root_is_below_mean f a : 1 <= f -> 0 <= a -> sqrt (f * a) <= ((1 + f) / 2) * sqrt a.
Proof.
  intros H A. rewrite sqrt_mult by lra. apply Rmult_le_compat_r; [apply sqrt_pos|].
  rewrite <- (sqrt_square ((1 + f) / 2)) by lra. apply sqrt_le_1_alt. nra.
Qed.

(* The computed length of a vector is at most (1 + 3 u) of its length, but for underflows. *)
Definition length_up : R := (1 + u) * ((1 + (1 + u) * (1 + u) * (1 + u)) / 2).
Definition squares3 (x y z : R) : R := x * x + y * y + z * z.
Definition computed_length (x y z : R) : R := fl (sqrt (fl (fl (fl (x * x) + fl (y * y)) + fl (z * z)))).
Lemma a_length_is_below x y z : 0 <= computed_length x y z <= length_up * sqrt (squares3 x y z) + (1 + u) * sqrt (24 * eta).
Proof.
  pose proof u_is_small as U. pose proof (eta_positive F) as Pe.
  pose proof (a_square_is_below x) as X. pose proof (a_square_is_below y) as Y. pose proof (a_square_is_below z) as Z.
  pose proof (a_sum_is_below _ _ _ _ (fl_is_number (x * x)) (fl_is_number (y * y)) X Y) as XY.
  pose proof (a_sum_is_below _ _ _ _ (fl_is_number (fl (x * x) + fl (y * y))) (fl_is_number (z * z)) XY Z) as S.
  unfold computed_length. set (s := fl (fl (fl (x * x) + fl (y * y)) + fl (z * z))) in *.
  assert (N : is_number s) by apply fl_is_number.
  destruct (a_root_is_below s N (proj1 S)) as [R1 R2]. split; auto.
  eapply Rle_trans; [exact R2|].
  assert (Q : 0 <= squares3 x y z) by (unfold squares3; nra).
  assert (B : s <= (1 + u) * (1 + u) * (1 + u) * squares3 x y z + 24 * eta).
  { eapply Rle_trans; [apply S|]. unfold squares3. pose proof (Rle_0_sqr z). unfold Rsqr in *.
    assert ((1 + u) * ((1 + u) * (z * z)) <= (1 + u) * (1 + u) * (1 + u) * (z * z)).
    { replace ((1 + u) * ((1 + u) * (z * z))) with ((1 + u) * (1 + u) * (z * z) * 1) by ring.
      replace ((1 + u) * (1 + u) * (1 + u) * (z * z)) with ((1 + u) * (1 + u) * (z * z) * (1 + u)) by ring.
      apply Rmult_le_compat_l; [|lra]. apply Rmult_le_pos; auto. apply Rmult_le_pos; lra. }
    assert (K : (1 + u) * ((1 + u) * 2 + 1) <= 3 / 2 * 4) by (apply Rmult_le_compat; lra).
    assert ((1 + u) * ((1 + u) * 2 + 1) * eta <= 3 / 2 * 4 * eta) by (apply Rmult_le_compat_r; lra).
    lra. }
  assert (C : sqrt s <= (1 + (1 + u) * (1 + u) * (1 + u)) / 2 * sqrt (squares3 x y z) + sqrt (24 * eta)).
  { apply Rle_trans with (sqrt ((1 + u) * (1 + u) * (1 + u) * squares3 x y z + 24 * eta)); [now apply sqrt_le_1_alt|].
    eapply Rle_trans; [apply root_of_sum|].
    - apply Rmult_le_pos; auto. apply Rmult_le_pos; [apply Rmult_le_pos|]; lra.
    - lra.
    - apply Rplus_le_compat_r. apply root_is_below_mean; auto.
      replace 1 with (1 * 1 * 1) at 1 by ring. apply Rmult_le_compat; try lra. apply Rmult_le_compat; lra. }
  unfold length_up. pose proof (sqrt_pos (24 * eta)).
  apply Rle_trans with ((1 + u) * ((1 + (1 + u) * (1 + u) * (1 + u)) / 2 * sqrt (squares3 x y z) + sqrt (24 * eta))).
  - apply Rmult_le_compat_l; lra.
  - right. ring.
Qed.
End Directed.
