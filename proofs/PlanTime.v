(* Times of a plan in seconds (docs/numerics.md, 9.7): GZ_PLAN_TIME. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Positive Cover TracesLinks.
Open Scope R_scope.
Local Notation fl := (round_ binary64).
Import TracedSeconds.

(* Both ends of a piece; then the part of it, at most 1. *)
Definition ends_of_piece : poly := plus (one 0) (one 1).
Definition seconds_rep (i : nat) : poly := match i with 2%nat => unit | _ => one i end.
Definition seconds_own (i : nat) : bool := Nat.ltb i 2.
Definition seconds_checks (slack : expr) : bool :=
  covers_side binary64 variables none none 1 seconds_rep no_pair seconds_own no_mean 0 time slack ends_of_piece nil.

Section Seconds.
Variable x : nat -> R.
Hypothesis given : positive_inputs binary64 variables x x none none.
Hypothesis part_of_piece : x 2%nat <= 1.
Let A (i : nat) : R := Rabs (x i).

Lemma seconds_sizes : sizes_hold x A seconds_rep no_pair seconds_own no_mean.
Proof.
  constructor; try discriminate; auto.
  - intros i. apply Rabs_pos.
  - intros i. pose proof (proj2 given 2%nat eq_refl) as T.
    destruct i as [|[|[|i]]]; cbn [seconds_rep]; rewrite ?value_of_one, ?value_of_unit; try apply Rle_refl.
    rewrite Rabs_pos_eq; auto.
Qed.

(* The time that the code takes off what rounding may have added is not after the exact one. *)
Theorem times_of_a_plan_are_not_late : rounded binary64 x before <= x 0%nat + x 2%nat * (x 1%nat - x 0%nat).
Proof.
  assert (C : seconds_checks slack = true) by (vm_compute; reflexivity).
  assert (B : Rabs (exact x time) <= value A ends_of_piece).
  { unfold ends_of_piece. rewrite value_of_plus, !value_of_one. unfold A. change (exact x time) with (x 0%nat + x 2%nat * (x 1%nat - x 0%nat)).
    pose proof (proj2 given 2%nat eq_refl) as T.
    replace (x 0%nat + x 2%nat * (x 1%nat - x 0%nat)) with ((1 - x 2%nat) * x 0%nat + x 2%nat * x 1%nat) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq (1 - x 2%nat)), (Rabs_pos_eq (x 2%nat)) by lra.
    pose proof (Rabs_pos (x 0%nat)). pose proof (Rabs_pos (x 1%nat)). nra. }
  pose proof (a_side_is_beyond binary64 variables x x none none 1 A seconds_rep no_pair seconds_own no_mean binary64_is_ieee
    eq_refl eq_refl given seconds_sizes 0%Q time slack ends_of_piece nil C ltac:(cbn; tauto) B) as [_ H].
  cbn [value] in H. rewrite Q2R_0 in H.
  assert (N : is_number binary64 (rounded binary64 x slack)).
  { apply (every_value_is_a_number binary64 eq_refl _ _ _ _ x x (proj1 given)). vm_compute. reflexivity. }
  assert (E : rounded binary64 x before = fl (rounded binary64 x time - rounded binary64 x slack)).
  { change (rounded binary64 x before) with (fl (rounded binary64 x time + fl (F2R (Float radix2 (-1) 0) * rounded binary64 x slack))).
    replace (F2R (Float radix2 (-1) 0) * rounded binary64 x slack) with (- rounded binary64 x slack) by (unfold F2R; simpl; ring).
    f_equal. unfold Rminus. f_equal. unfold round_. apply round_generic; [apply valid_rnd_N | now apply generic_format_opp]. }
  rewrite E. change (exact x time) with (x 0%nat + x 2%nat * (x 1%nat - x 0%nat)) in H. lra.
Qed.
End Seconds.
