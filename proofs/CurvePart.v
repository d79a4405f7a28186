(* Differences of curves along a direction, on a part of the time (docs/numerics.md, 4.13): GZ_CURVE_SLACK. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Size Positive Cover Probe TracesSteps.
Open Scope R_scope.
Import TracedCurve.

(* Control points of one vertex, then of the other; n from 24, sizes from 27, the part's ends 30 and 31, separation 32. *)
Definition curve_rep (i : nat) : poly := if Nat.leb 30 i && Nat.leb i 31 then unit else one i.
Definition curve_pair (i j : nat) : option poly :=
  if (Nat.leb 12 i && Nat.ltb i 24 && Nat.eqb i (12 + j))%bool then Some (one (100 + j mod 3)) else None.
Definition curve_own (i : nat) : bool := false.
Definition curve_mean (i : nat) : bool := Nat.leb 30 i && Nat.leb i 31.
Definition along_n : poly := plus (times (one 24) (one 100)) (plus (times (one 25) (one 101)) (times (one 26) (one 102))).
Definition curve_upper : expr -> option poly :=
  upper (r_in binary64 variables) (m_in variables) curve_rep curve_pair curve_mean.
Definition is_along (e : expr) : bool := match curve_upper e with Some p => at_most_that p along_n | None => false end.
Definition curve_checks (least : expr) (up slack : Q) : bool :=
  forallb (fun part => probe_checks binary64 variables part least up slack) (part_0 :: part_1 :: part_2 :: part_3 :: nil).

Section Curve.
Variable x : nat -> R.
Hypothesis given : inputs binary64 variables x x.
Hypothesis part_of_time : forall i, (30 <= i <= 31)%nat -> 0 <= x i <= 1.
Hypothesis sizes : forall j c, (j < 4)%nat -> (c < 3)%nat ->
  Rabs (round_ binary64 (x (12 + (3 * j + c))%nat - x (3 * j + c)%nat)) <= x (27 + c)%nat.

Let w : R := 1 - u binary64.
Definition curve_atom (i : nat) : R := if Nat.leb 100 i then Rabs (x (i - 73)%nat) / w else Rabs (x i).

Lemma w_positive : 0 < w. Proof. unfold w. pose proof (u_below_1 binary64 eq_refl). lra. Qed.

Lemma curve_sizes : sizes_hold x curve_atom curve_rep curve_pair curve_own curve_mean.
Proof.
  pose proof w_positive as W.
  constructor; try discriminate.
  - intros i. unfold curve_atom. destruct (Nat.leb 100 i); [|apply Rabs_pos].
    apply Rmult_le_pos; [apply Rabs_pos | left; now apply Rinv_0_lt_compat].
  - intros i. unfold curve_rep. destruct (Nat.leb 30 i && Nat.leb i 31) eqn:E.
    + apply andb_true_iff in E. rewrite !Nat.leb_le in E. rewrite value_of_unit. rewrite Rabs_pos_eq; now apply part_of_time.
    + rewrite value_of_one. unfold curve_atom. destruct (Nat.leb 100 i) eqn:L; [|apply Rle_refl].
      apply Nat.leb_le in L. destruct (given i) as (_ & _ & _ & _ & B & _).
      replace (size_in variables i) with 0%Q in B.
      * rewrite Q2R_0 in B. apply Rle_trans with 0; auto. apply Rmult_le_pos; [apply Rabs_pos | left; now apply Rinv_0_lt_compat].
      * unfold size_in. replace (nth_error variables i) with (@None given_variable); auto. symmetry. apply nth_error_None. simpl. lia.
  - intros i j p H. unfold curve_pair in H. destruct (Nat.leb 12 i && Nat.ltb i 24 && Nat.eqb i (12 + j))%bool eqn:E; [|discriminate].
    rewrite !andb_true_iff, Nat.leb_le, Nat.ltb_lt, Nat.eqb_eq in E. destruct E as [[E1 E2] E3].
    assert (Ep : p = one (100 + j mod 3)%nat) by congruence. subst p i.
    rewrite value_of_one. unfold curve_atom.
    assert (L100 : Nat.leb 100 (100 + j mod 3) = true) by (apply Nat.leb_le; lia). rewrite L100.
    pose proof (Nat.mod_upper_bound j 3 ltac:(lia)) as J. pose proof (Nat.div_mod j 3 ltac:(lia)) as D.
    assert (J4 : (j / 3 < 4)%nat) by (apply Nat.div_lt_upper_bound; lia).
    pose proof (sizes (j / 3) (j mod 3) J4 J) as S. rewrite <- D in S.
    replace (100 + j mod 3 - 73)%nat with (27 + j mod 3)%nat by lia.
    pose proof (fun i => proj1 (given i)) as N. set (a := x (12 + j)%nat) in *. set (b := x j) in *.
    pose proof (sum_errs binary64 eq_refl a (- b) (N _) (number_opp _ _ (N _))) as R. change (a + - b) with (a - b) in R.
    pose proof (Rabs_triang_inv (a - b) (round_ binary64 (a - b))) as T. rewrite Rabs_minus_sym in R.
    apply Rmult_le_reg_r with w; auto.
    replace (Rabs (x (27 + j mod 3)%nat) / w * w) with (Rabs (x (27 + j mod 3)%nat)) by (field; lra).
    pose proof (Rle_abs (x (27 + j mod 3)%nat)). unfold w. lra.
  - intros i H. unfold curve_mean in H. apply andb_true_iff in H. rewrite !Nat.leb_le in H. now apply part_of_time.
Qed.

Definition normal_size : R := Rabs (x 24%nat) * x 27%nat + Rabs (x 25%nat) * x 28%nat + Rabs (x 26%nat) * x 29%nat.
Lemma terms_are_along e : is_along e = true -> w * terms_in binary64 variables x e <= normal_size.
Proof.
  unfold is_along. destruct (curve_upper e) as [p|] eqn:U; [|discriminate]. intros H. pose proof w_positive as W.
  apply (upper_holds x _ _ curve_atom curve_rep curve_pair curve_own curve_mean curve_sizes) in U.
  apply (at_most_that_holds curve_atom (positive_sizes _ _ _ _ _ _ curve_sizes)) in H.
  assert (V : w * value curve_atom along_n = normal_size).
  { unfold along_n. rewrite !value_of_plus, !value_of_times, !value_of_one. unfold curve_atom, normal_size. cbn [Nat.leb Nat.sub].
    assert (P : forall c, (c < 3)%nat -> 0 <= x (27 + c)%nat).
    { intros c C. eapply Rle_trans; [apply Rabs_pos | apply (sizes 0 c ltac:(lia) C)]. }
    rewrite (Rabs_pos_eq (x 27%nat)), (Rabs_pos_eq (x 28%nat)), (Rabs_pos_eq (x 29%nat));
      [field; lra | apply (P 2%nat) | apply (P 1%nat) | apply (P 0%nat)]; lia. }
  rewrite <- V. apply Rmult_le_compat_l; [lra|]. unfold terms_in. lra.
Qed.

Definition curve_norm : R := sqrt (x 24%nat * x 24%nat + x 25%nat * x 25%nat + x 26%nat * x 26%nat).
Lemma a_part_is_right part compared : is_along part = true -> compared = Sub part least ->
  probe_checks binary64 variables part least (value_of NORM_UP) (value_of CURVE_SLACK) = true ->
  0 < rounded binary64 x compared ->
  x 32%nat * curve_norm < exact x part /\ nothing_overflows binary64 x compared.
Proof.
  intros A E C H. subst compared. unfold curve_norm.
  assert (P : forall c, (c < 3)%nat -> 0 <= x (27 + c)%nat).
  { intros c K. eapply Rle_trans; [apply Rabs_pos | apply (sizes 0 c ltac:(lia) K)]. }
  apply (a_probe_is_right binary64 variables x part least (value_of NORM_UP) (value_of CURVE_SLACK) (x 32%nat) _ normal_size); auto.
  - apply binary64_is_ieee.
  - exact (a_positive_variable binary64 variables x x given 32 eq_refl).
  - unfold normal_size. pose proof (P 0%nat ltac:(lia)). pose proof (P 1%nat ltac:(lia)). pose proof (P 2%nat ltac:(lia)). cbn [Nat.add] in *.
    repeat apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto using Rabs_pos.
  - rewrite <- (with_tiny (x 32%nat)). unfold value_of, NORM_UP, CURVE_SLACK, normal_size. rewrite !number_is_F2R. reflexivity.
  - now apply terms_are_along.
Qed.

(* A control point on a part of the time that the code finds beyond the threshold along n is: of the curve whose control
   points are the differences of these, which no rounding is made of. *)
Theorem control_points_are_beyond :
  (0 < rounded binary64 x compared_0 -> x 32%nat * curve_norm < exact x part_0) /\
  (0 < rounded binary64 x compared_1 -> x 32%nat * curve_norm < exact x part_1) /\
  (0 < rounded binary64 x compared_2 -> x 32%nat * curve_norm < exact x part_2) /\
  (0 < rounded binary64 x compared_3 -> x 32%nat * curve_norm < exact x part_3).
Proof.
  refine (conj _ (conj _ (conj _ _))); intros H;
    [apply (a_part_is_right part_0 compared_0) | apply (a_part_is_right part_1 compared_1)
    |apply (a_part_is_right part_2 compared_2) | apply (a_part_is_right part_3 compared_3)];
    auto; vm_compute; reflexivity.
Qed.
End Curve.
