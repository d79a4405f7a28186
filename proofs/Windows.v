(* Boxes of windows (docs/numerics.md, section 3): GZ_WINDOW_SLACK, GZ_WINDOW_TINY. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Size Positive Cover TracesSteps.
Open Scope R_scope.
Import TracedWindow.

(* The time is at most 1; a side of the box before it grows lies between the ends. *)
Definition at_ends : poly := plus (one 0) (one 1).
Definition window_rep (i : nat) : poly := match i with 2%nat => unit | 4%nat | 5%nat => at_ends | _ => one i end.
Definition window_own (i : nat) : bool := match i with 2%nat | 4%nat | 5%nat => false | _ => true end.
Definition window_covers := covers_side binary64 variables none none 1 window_rep no_pair window_own no_mean.
(* What the narrow phase may round separation and radii up by: 7 u of them. *)
Definition more_than_grow : poly := ((1 + inject_Z 7 * uQ binary64)%Q, 3%nat :: nil) :: nil.

Lemma a_mean_lies_between a b t : 0 <= t <= 1 -> Rabs (a + t * (b - a)) <= Rabs a + Rabs b.
Proof.
  intros T. replace (a + t * (b - a)) with ((1 - t) * a + t * b) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq (1 - t)), (Rabs_pos_eq t) by lra.
  pose proof (Rabs_pos a). pose proof (Rabs_pos b). nra.
Qed.

Section Windows.
Variable x : nat -> R.
Hypothesis given : positive_inputs binary64 variables x x none none.
Hypothesis time : x 2%nat <= 1.
Let A (i : nat) : R := Rabs (x i).

Section Sides.
Hypothesis high_side : Rabs (x 4%nat) <= Rabs (x 0%nat) + Rabs (x 1%nat).
Hypothesis low_side : Rabs (x 5%nat) <= Rabs (x 0%nat) + Rabs (x 1%nat).

Lemma window_sizes : sizes_hold x A window_rep no_pair window_own no_mean.
Proof.
  constructor; try discriminate; auto.
  - intros i. apply Rabs_pos.
  - pose proof (proj2 given 2%nat eq_refl) as T.
    intros i. destruct i as [|[|[|[|[|[|i]]]]]]; cbn [window_rep]; unfold at_ends;
      rewrite ?value_of_plus, ?value_of_one, ?value_of_unit; unfold A; auto; try lra. rewrite Rabs_pos_eq; auto.
Qed.

Lemma window_side spare e slack bound extra : window_covers spare e slack bound extra = true ->
  quotients_are_capped binary64 x 1 slack -> Rabs (exact x e) <= value A bound ->
  exact x e + value A extra <= round_ binary64 (rounded binary64 x e + rounded binary64 x slack) + Q2R spare * eta binary64 /\
  round_ binary64 (rounded binary64 x e - rounded binary64 x slack) <= exact x e - value A extra + Q2R spare * eta binary64.
Proof.
  apply (a_side_is_beyond binary64 variables x x none none 1 A window_rep no_pair window_own no_mean binary64_is_ieee
    eq_refl eq_refl given window_sizes).
Qed.

(* Where the side lies between the ends, it moves by grow and 7 u of that, at least, but for an underflow. *)
Theorem windows_grow_by_more :
  x 4%nat + (1 + 7 * u binary64) * x 3%nat <= rounded binary64 x high + 2 * eta binary64 /\
  rounded binary64 x low <= x 5%nat - (1 + 7 * u binary64) * x 3%nat + 2 * eta binary64.
Proof.
  pose proof (proj2 given 3%nat eq_refl) as P3.
  assert (E : value A more_than_grow = (1 + 7 * u binary64) * x 3%nat).
  { unfold more_than_grow. cbn [value]. unfold mono. cbn [product]. unfold A.
    rewrite Q2R_plus, Q2R_mult, Q2R_Z, Q2R_1, uQ_is_u, (Rabs_pos_eq (x 3%nat)) by auto. ring. }
  assert (B : forall i, i = 4%nat \/ i = 5%nat -> Rabs (x i) <= value A at_ends).
  { intros i H. unfold at_ends. rewrite value_of_plus, !value_of_one. unfold A. destruct H; subst i; auto. }
  destruct (window_side 2 (Var 4) wider at_ends more_than_grow ltac:(vm_compute; reflexivity) ltac:(cbn; tauto) (B 4%nat (or_introl eq_refl))) as [U _].
  destruct (window_side 2 (Var 5) wider_back at_ends more_than_grow ltac:(vm_compute; reflexivity) ltac:(cbn; tauto) (B 5%nat (or_intror eq_refl))) as [_ V].
  rewrite E in U, V. replace (Q2R 2) with 2 in U, V by (unfold Q2R; simpl; lra). split; [exact U | exact V].
Qed.
End Sides.

(* x at the time, from either end: what the code makes of it, its slack added and taken off. *)
Theorem windows_hold_their_ends : x 4%nat = 0 -> x 5%nat = 0 ->
  x 0%nat + x 2%nat * (x 1%nat - x 0%nat) <= rounded binary64 x above /\
  rounded binary64 x below <= x 1%nat + x 2%nat * (x 0%nat - x 1%nat).
Proof.
  intros Z4 Z5. pose proof (proj2 given 2%nat eq_refl) as T.
  assert (P : 0 <= Rabs (x 0%nat) + Rabs (x 1%nat)) by (pose proof (Rabs_pos (x 0%nat)); pose proof (Rabs_pos (x 1%nat)); lra).
  assert (S4 : Rabs (x 4%nat) <= Rabs (x 0%nat) + Rabs (x 1%nat)) by (rewrite Z4, Rabs_R0; auto).
  assert (S5 : Rabs (x 5%nat) <= Rabs (x 0%nat) + Rabs (x 1%nat)) by (rewrite Z5, Rabs_R0; auto).
  assert (E : value A at_ends = Rabs (x 0%nat) + Rabs (x 1%nat)) by (unfold at_ends; now rewrite value_of_plus, !value_of_one).
  destruct (window_side S4 S5 0%Q forth slack at_ends nil ltac:(vm_compute; reflexivity) ltac:(cbn; tauto)) as [U _].
  { rewrite E. exact (a_mean_lies_between _ _ _ (conj T time)). }
  destruct (window_side S4 S5 0%Q back slack_back at_ends nil ltac:(vm_compute; reflexivity) ltac:(cbn; tauto)) as [_ V].
  { rewrite E, Rplus_comm. exact (a_mean_lies_between _ _ _ (conj T time)). }
  cbn [value] in U, V. rewrite Q2R_0, Rmult_0_l, !Rplus_0_r in U. rewrite Q2R_0, Rmult_0_l, Rplus_0_r, Rminus_0_r in V. split; [exact U | exact V].
Qed.
End Windows.
