(* The side of a plane on which a point lies, by a determinant of three differences (docs/numerics.md, 9.6):
   GZ_CROSSING_SLACK, GZ_CROSSING_TINY. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia Psatz.
From Flocq Require Import Core.
Require Import Rounding Given Size Positive Cover TracesLinks.
Open Scope R_scope.

(* Three coordinates of four corners; then what each is off by, and the largest difference, as rounded. *)
Definition det (x : nat -> R) : R :=
  let d i c := x (3 * S i + c)%nat - x c in
  d 0%nat 0%nat * (d 1%nat 1%nat * d 2%nat 2%nat - d 1%nat 2%nat * d 2%nat 1%nat) +
  d 0%nat 1%nat * (d 1%nat 2%nat * d 2%nat 0%nat - d 1%nat 0%nat * d 2%nat 2%nat) +
  d 0%nat 2%nat * (d 1%nat 0%nat * d 2%nat 1%nat - d 1%nat 1%nat * d 2%nat 0%nat).

Lemma a_product_moves a b c x y z D e : Rabs a <= D -> Rabs b <= D -> Rabs c <= D ->
  Rabs (x - a) <= e -> Rabs (y - b) <= e -> Rabs (z - c) <= e ->
  Rabs (x * (y * z) - a * (b * c)) <= 3 * e * D * D + 3 * e * e * D + e * e * e.
Proof.
  intros A B C X Y Z.
  replace (x * (y * z) - a * (b * c)) with
    ((x - a) * (b * c) + a * ((y - b) * c) + a * (b * (z - c)) + (x - a) * ((y - b) * c) + (x - a) * (b * (z - c)) +
     a * ((y - b) * (z - c)) + (x - a) * ((y - b) * (z - c))) by ring.
  assert (M : forall p q r P Q R, Rabs p <= P -> Rabs q <= Q -> Rabs r <= R -> Rabs (p * (q * r)) <= P * (Q * R)).
  { intros p q r P Q R HP HQ HR. rewrite !Rabs_mult. repeat apply Rmult_le_compat; auto using Rabs_pos.
    apply Rmult_le_pos; apply Rabs_pos. }
  pose proof (M _ _ _ _ _ _ X B C). pose proof (M _ _ _ _ _ _ A Y C). pose proof (M _ _ _ _ _ _ A B Z).
  pose proof (M _ _ _ _ _ _ X Y C). pose proof (M _ _ _ _ _ _ X B Z). pose proof (M _ _ _ _ _ _ A Y Z).
  pose proof (M _ _ _ _ _ _ X Y Z).
  repeat match goal with H : Rabs (_ * (_ * _)) <= _ |- _ => apply Rabs_le_inv in H end. apply Rabs_le. lra.
Qed.

Lemma a_determinant_moves x y D e : (forall i c, (i < 3)%nat -> (c < 3)%nat -> Rabs (x (3 * S i + c)%nat - x c) <= D /\
    Rabs ((y (3 * S i + c)%nat - y c) - (x (3 * S i + c)%nat - x c)) <= e) ->
  Rabs (det y - det x) <= 6 * (3 * e * D * D + 3 * e * e * D + e * e * e).
Proof.
  intros H.
  assert (P : forall i j k a b c, (i < 3)%nat -> (j < 3)%nat -> (k < 3)%nat -> (a < 3)%nat -> (b < 3)%nat -> (c < 3)%nat ->
    Rabs ((y (3 * S i + a)%nat - y a) * ((y (3 * S j + b)%nat - y b) * (y (3 * S k + c)%nat - y c)) -
          (x (3 * S i + a)%nat - x a) * ((x (3 * S j + b)%nat - x b) * (x (3 * S k + c)%nat - x c))) <=
    3 * e * D * D + 3 * e * e * D + e * e * e).
  { intros i j k a b c I J K A B C. destruct (H i a I A). destruct (H j b J B). destruct (H k c K C).
    apply a_product_moves; auto. }
  unfold det. cbv zeta.
  assert (L0 : (0 < 3)%nat) by lia. assert (L1 : (1 < 3)%nat) by lia. assert (L2 : (2 < 3)%nat) by lia.
  pose proof (P 0%nat 1%nat 2%nat 0%nat 1%nat 2%nat L0 L1 L2 L0 L1 L2) as P1.
  pose proof (P 0%nat 1%nat 2%nat 0%nat 2%nat 1%nat L0 L1 L2 L0 L2 L1) as P2.
  pose proof (P 0%nat 1%nat 2%nat 1%nat 2%nat 0%nat L0 L1 L2 L1 L2 L0) as P3.
  pose proof (P 0%nat 1%nat 2%nat 1%nat 0%nat 2%nat L0 L1 L2 L1 L0 L2) as P4.
  pose proof (P 0%nat 1%nat 2%nat 2%nat 0%nat 1%nat L0 L1 L2 L2 L0 L1) as P5.
  pose proof (P 0%nat 1%nat 2%nat 2%nat 1%nat 0%nat L0 L1 L2 L2 L1 L0) as P6.
  clear P H. apply Rabs_le_inv in P1, P2, P3, P4, P5, P6. apply Rabs_le.
  set (m := 3 * e * D * D + 3 * e * e * D + e * e * e) in *. clearbody m. cbn [Nat.mul Nat.add] in *. lra.
Qed.

Definition two_u : Q := 1 + (1 + 1) * uQ binary64.
Definition largest_difference : poly := (two_u, 13%nat :: nil) :: nil.
Definition times_error (c : Q) : poly := (c, 12%nat :: nil) :: nil.
(* What a determinant changes by, where each difference changes by twice what a corner is off by. *)
Definition change : poly :=
  let e := times_error 2 in let d := largest_difference in
  scale 6 (plus (scale 3 (times e (times d d))) (plus (scale 3 (times e (times e d))) (times e (times e e)))).
Definition crossing_own (i : nat) : bool := Nat.eqb i 12 || Nat.eqb i 13.

(* Differences of at most 1, which are inputs: 14 and more. *)
Definition near_r (i : nat) : Q := if Nat.ltb 13 i then uQ binary64 else 0.
Definition near_rep (i : nat) : poly := if Nat.ltb 13 i && Nat.ltb i 23 then largest_difference else one i.
Definition near_checks (slack : expr) : bool :=
  covers_value binary64 TracedCrossingNear.variables near_r none 1 near_rep no_pair crossing_own no_mean
    TracedCrossingNear.determinant slack change.

(* Larger ones: what underflows is small beside the third power of their size. *)
Definition far_rep (i : nat) : poly := one i.
Definition far_pair (i j : nat) : option poly :=
  if (Nat.ltb j 3 && Nat.ltb 2 i && Nat.ltb i 12 && Nat.eqb (i mod 3) j)%bool then Some largest_difference else None.
Definition reach_of : poly := plus (one 13) (times_error 2).
Definition underflow : Q := two_to 400.
Definition far_change : poly := plus change (scale (underflow * etaQ binary64) (times reach_of (times reach_of reach_of))).
Definition far_checks (slack : expr) : bool :=
  covers_share binary64 TracedCrossing.variables none none 1 far_rep far_pair crossing_own no_mean underflow 1 1
    TracedCrossing.determinant slack far_change.

Lemma is_at_most_its_rounding d z : is_number binary64 z -> Rabs (round_ binary64 d - d) <= u binary64 * Rabs d ->
  Rabs (round_ binary64 d) <= z -> Rabs d <= Q2R two_u * z.
Proof.
  intros _ E H. pose proof (Rabs_triang_inv d (round_ binary64 d)) as T.
  rewrite Rabs_minus_sym in E. unfold two_u. rewrite Q2R_plus, Q2R_mult, Q2R_plus, Q2R_1, uQ_is_u.
  pose proof (u_positive binary64). pose proof (Rabs_pos d).
  assert (u binary64 <= / 4) by (unfold u; simpl; lra).
  assert (G : (1 - u binary64) * Rabs d <= z) by lra.
  apply Rle_trans with ((1 + 2 * u binary64) * ((1 - u binary64) * Rabs d)).
  - assert (0 <= u binary64 * (1 - 2 * u binary64) * Rabs d) by (repeat apply Rmult_le_pos; lra). lra.
  - replace (1 + 1) with 2 by lra. apply Rmult_le_compat_l; lra.
Qed.

(* y: the corners that are meant; x: those that the code has, what each is off by, the largest difference. *)
Section Crossing.
Variables x y : nat -> R.
Hypothesis corners : forall i, (i < 12)%nat -> Rabs (y i - x i) <= x 12%nat.
Hypothesis numbers : forall i, (i < 12)%nat -> is_number binary64 (x i).
Hypothesis largest : forall i c, (i < 3)%nat -> (c < 3)%nat -> Rabs (round_ binary64 (x (3 * S i + c)%nat - x c)) <= x 13%nat.
Hypothesis sized : is_number binary64 (x 13%nat).

Lemma a_difference_errs i c : (i < 3)%nat -> (c < 3)%nat ->
  Rabs (round_ binary64 (x (3 * S i + c)%nat - x c) - (x (3 * S i + c)%nat - x c)) <= u binary64 * Rabs (x (3 * S i + c)%nat - x c).
Proof.
  intros I C. apply (sum_errs binary64 eq_refl (x (3 * S i + c)%nat) (- x c)); [|apply number_opp]; apply numbers; lia.
Qed.
Lemma a_difference_is_at_most i c : (i < 3)%nat -> (c < 3)%nat -> Rabs (x (3 * S i + c)%nat - x c) <= Q2R two_u * x 13%nat.
Proof. intros I C. apply is_at_most_its_rounding; auto using a_difference_errs. Qed.

Lemma a_side_is_certain A d slack : A 12%nat = x 12%nat -> A 13%nat = x 13%nat ->
  Rabs (d - det x) + value A change <= slack ->
  (d > slack -> det y > 0) /\ (d < - slack -> det y < 0).
Proof.
  intros A12 A13 H. set (D := Q2R two_u * x 13%nat). set (e := 2 * x 12%nat).
  assert (V : value A change = 6 * (3 * e * D * D + 3 * e * e * D + e * e * e)).
  { unfold change, times_error, largest_difference. cbv zeta.
    rewrite value_of_scale, !value_of_plus, !value_of_scale, !value_of_times. cbn [value]. unfold mono. cbn [product].
    rewrite A12, A13. unfold D, e.
    replace (Q2R 6) with 6 by (unfold Q2R; simpl; lra). replace (Q2R 3) with 3 by (unfold Q2R; simpl; lra).
    replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). ring. }
  rewrite V in H.
  assert (B : Rabs (det y - det x) <= 6 * (3 * e * D * D + 3 * e * e * D + e * e * e)).
  { apply a_determinant_moves. intros i c I C. split; [now apply a_difference_is_at_most|].
    pose proof (corners (3 * S i + c)%nat ltac:(lia)) as Y1. pose proof (corners c ltac:(lia)) as Y2.
    replace (y (3 * S i + c)%nat - y c - (x (3 * S i + c)%nat - x c)) with
      ((y (3 * S i + c)%nat - x (3 * S i + c)%nat) + - (y c - x c)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. unfold e. lra. }
  assert (T : Rabs (det y - d) <= slack).
  { replace (det y - d) with ((det y - det x) + - (d - det x)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  apply Rabs_le_inv in T. split; intros; lra.
Qed.

Theorem sides_of_near_corners_are_certain ex : positive_inputs binary64 TracedCrossingNear.variables x ex near_r none ->
  ex 12%nat = x 12%nat -> ex 13%nat = x 13%nat ->
  (forall i c, (i < 3)%nat -> (c < 3)%nat -> ex (14 + (3 * i + c))%nat = x (3 * S i + c)%nat - x c) ->
  let d := rounded binary64 x TracedCrossingNear.determinant in let slack := rounded binary64 x TracedCrossingNear.slack in
  (d > slack -> det y > 0) /\ (d < - slack -> det y < 0).
Proof.
  intros G E12 E13 E d slack. set (A := fun i => Rabs (ex i)).
  pose proof (proj2 G 12%nat eq_refl) as P12. pose proof (proj2 G 13%nat eq_refl) as P13.
  assert (A12 : A 12%nat = x 12%nat) by (unfold A; now rewrite Rabs_pos_eq).
  assert (A13 : A 13%nat = x 13%nat) by (unfold A; now rewrite Rabs_pos_eq).
  assert (S : sizes_hold ex A near_rep no_pair crossing_own no_mean).
  { constructor; try discriminate; auto.
    - intros i. apply Rabs_pos.
    - intros i. unfold near_rep. destruct (Nat.ltb 13 i && Nat.ltb i 23) eqn:L; [|rewrite value_of_one; apply Rle_refl].
      apply andb_true_iff in L. rewrite !Nat.ltb_lt in L.
      unfold largest_difference. cbn [value]. unfold mono. cbn [product]. rewrite A13.
      assert (Q1 : (i = 14 + (3 * ((i - 14) / 3) + (i - 14) mod 3))%nat) by (pose proof (Nat.div_mod (i - 14) 3 ltac:(lia)); lia).
      assert (Q2 : ((i - 14) / 3 < 3)%nat) by (apply Nat.div_lt_upper_bound; lia).
      pose proof (Nat.mod_upper_bound (i - 14) 3 ltac:(lia)) as Q3.
      rewrite Q1, (E _ _ Q2 Q3). pose proof (a_difference_is_at_most _ _ Q2 Q3). lra. }
  pose proof (an_error_is_within binary64 TracedCrossingNear.variables x ex near_r none 1 A near_rep no_pair crossing_own no_mean
    binary64_is_ieee eq_refl eq_refl G S TracedCrossingNear.determinant TracedCrossingNear.slack change
    ltac:(vm_compute; reflexivity) ltac:(cbn; tauto)) as H.
  apply (a_side_is_certain A); auto.
  replace (det x) with (exact ex TracedCrossingNear.determinant); auto.
  unfold det. cbv zeta. assert (L0 : (0 < 3)%nat) by lia. assert (L1 : (1 < 3)%nat) by lia. assert (L2 : (2 < 3)%nat) by lia.
  rewrite <- !E by auto. reflexivity.
Qed.

Theorem sides_of_far_corners_are_certain : positive_inputs binary64 TracedCrossing.variables x x none none ->
  1 <= x 13%nat + 2 * x 12%nat ->
  let d := rounded binary64 x TracedCrossing.determinant in let slack := rounded binary64 x TracedCrossing.slack in
  (d > slack -> det y > 0) /\ (d < - slack -> det y < 0).
Proof.
  intros G L d slack. set (A := fun i => Rabs (x i)).
  pose proof (proj2 G 12%nat eq_refl) as P12. pose proof (proj2 G 13%nat eq_refl) as P13.
  assert (A12 : A 12%nat = x 12%nat) by (unfold A; now rewrite Rabs_pos_eq).
  assert (A13 : A 13%nat = x 13%nat) by (unfold A; now rewrite Rabs_pos_eq).
  assert (S : sizes_hold x A far_rep far_pair crossing_own no_mean).
  { constructor; try discriminate; auto.
    - intros i. apply Rabs_pos.
    - intros i. unfold far_rep. rewrite value_of_one. apply Rle_refl.
    - intros i j p H. unfold far_pair in H.
      destruct (Nat.ltb j 3 && Nat.ltb 2 i && Nat.ltb i 12 && Nat.eqb (i mod 3) j)%bool eqn:E; [|discriminate]. injection H as <-.
      rewrite !andb_true_iff, !Nat.ltb_lt, Nat.eqb_eq in E. destruct E as [[[E1 E2] E3] E4].
      unfold largest_difference. cbn [value]. unfold mono. cbn [product]. rewrite A13.
      pose proof (Nat.div_mod i 3 ltac:(lia)) as M.
      assert (Q1 : (1 <= i / 3)%nat) by (apply (Nat.div_le_lower_bound i 3 1); lia).
      assert (Q2 : (i / 3 < 4)%nat) by (apply Nat.div_lt_upper_bound; lia).
      assert (Q3 : i = (3 * Datatypes.S (i / 3 - 1) + j)%nat) by lia. rewrite Q3 at 1.
      pose proof (a_difference_is_at_most (i / 3 - 1) j ltac:(lia) E1). lra. }
  destruct (a_share_is_within binary64 TracedCrossing.variables x x none none 1 A far_rep far_pair crossing_own no_mean
    binary64_is_ieee eq_refl eq_refl G S underflow 1 1 TracedCrossing.determinant TracedCrossing.slack far_change
    ltac:(vm_compute; reflexivity) ltac:(cbn; tauto)) as [H _].
  apply (a_side_is_certain A); auto.
  change (exact x TracedCrossing.determinant) with (det x) in H. unfold far_change in H.
  rewrite value_of_plus, value_of_scale, !value_of_times, Q2R_mult, etaQ_is_eta, Q2R_1 in H.
  assert (R : value A reach_of = x 13%nat + 2 * x 12%nat).
  { unfold reach_of, times_error. rewrite value_of_plus, value_of_one. cbn [value]. unfold mono. cbn [product].
    rewrite A12, A13. replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). ring. }
  rewrite R in H. set (z := x 13%nat + 2 * x 12%nat) in *.
  assert (K : 0 <= Q2R underflow * eta binary64).
  { apply Rmult_le_pos; [unfold underflow; rewrite two_to_is_bpow; apply bpow_ge_0 | apply Rlt_le, eta_positive]. }
  assert (Z : 1 <= z * (z * z)).
  { replace 1 with (1 * (1 * 1)) by ring. repeat apply Rmult_le_compat; lra. }
  apply (Rmult_le_compat_l _ _ _ K) in Z. fold d slack in H. lra.
Qed.
End Crossing.
