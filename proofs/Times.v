(* Times and reaches that are rounded to one side: GZ_REACH_UP, GZ_ROOT_DOWN, GZ_ROOT_UP, GZ_ROOT_TINY, their _F32,
   GZ_CLIP_DOWN, GZ_TIME_DOWN (docs/numerics.md, 4.2, 4.4, 4.9, 4.11). *)
From Coq Require Import Reals QArith Qreals ZArith Bool Lra Lia.
From Flocq Require Import Core Relative Plus_error.
Require Import Rounding Given Positive TracesRooms.
Open Scope R_scope.

(* Minus over minus: rounding to nearest is the same on both sides of zero. *)
Fixpoint turned (e : expr) : expr :=
  match e with
  | Add a b => Add (turned a) (turned b)
  | Mul a b => Mul (turned a) (turned b)
  | Div (Neg a) (Sub (Neg c) d) => Div a (Add c d)
  | _ => e
  end.

Section Format.
Variable F : format.
Hypothesis ieee : is_ieee F.
Let P := proj1 ieee.
Instance prec_is_positive : Prec_gt_0 (prec F) := P.

Lemma round_opp x : round_ F (- x) = - round_ F x.
Proof. unfold round_. apply round_NE_opp. Qed.

Theorem turning_changes_nothing fx e : rounded F fx (turned e) = rounded F fx e.
Proof.
  induction e; try reflexivity; cbn [turned rounded]; try congruence.
  destruct e1; try reflexivity. destruct e2; try reflexivity. destruct e2_1; try reflexivity.
  cbn [rounded]. replace (- rounded F fx e2_1 - rounded F fx e2_2) with (- (rounded F fx e2_1 + rounded F fx e2_2)) by ring.
  rewrite round_opp. f_equal. unfold Rdiv. rewrite Rinv_opp. ring.
Qed.

Definition normal_from : R := bpow radix2 (emin F + prec F).

Lemma half_normal : / 2 * normal_from = bpow radix2 (emin F + prec F - 1).
Proof. unfold normal_from. replace (emin F + prec F)%Z with (emin F + prec F - 1 + 1)%Z at 1 by lia. rewrite bpow_plus, bpow_1. simpl. field. Qed.

(* A sum below that has no error. *)
Lemma a_small_sum_is_exact x y : is_number F x -> is_number F y -> Rabs (x + y) <= normal_from -> round_ F (x + y) = x + y.
Proof.
  intros X Y H. unfold round_. apply round_generic; auto with typeclass_instances.
  apply FLT_format_plus_small; auto. unfold normal_from in H. now replace (prec F + emin F)%Z with (emin F + prec F)%Z by lia.
Qed.

Lemma a_normal_errs x : bpow radix2 (emin F + prec F - 1) <= Rabs x -> Rabs (round_ F x - x) <= u F * Rabs x.
Proof.
  intros H. pose proof (relative_error_N_FLT radix2 (emin F) (prec F) P (fun x => negb (Z.even x)) x H) as E.
  fold ZnearestE in E. now rewrite half_ulp in E.
Qed.

Lemma a_product_is_not_more s c : is_number F s -> 0 <= s -> c <= 1 -> round_ F (s * c) <= s.
Proof.
  intros N Ps C. apply Rle_trans with (round_ F s); [|unfold round_; right; apply round_generic; auto with typeclass_instances].
  unfold round_. apply round_le; auto with typeclass_instances. rewrite <- (Rmult_1_r s) at 2. apply Rmult_le_compat_l; lra.
Qed.
Lemma a_product_is_not_less s c : is_number F s -> 0 <= s -> 1 <= c -> s <= round_ F (s * c).
Proof.
  intros N Ps C. apply Rle_trans with (round_ F s); [unfold round_; right; symmetry; apply round_generic; auto with typeclass_instances|].
  unfold round_. apply round_le; auto with typeclass_instances. rewrite <- (Rmult_1_r s) at 1. apply Rmult_le_compat_l; lra.
Qed.

(* s, a sum near x and not below it where it is small, times a number just above 1. *)
Lemma a_sum_times_more x s c k : is_number F s -> 0 <= s -> 0 <= x -> (x <= normal_from -> x <= s) -> k * x <= s -> 1 <= c ->
  1 <= (1 - u F) * (k * c) -> 0 <= k -> x <= round_ F (s * c).
Proof.
  intros N Ps Px S K C H Pk. pose proof (u_positive F) as U. pose proof (u_below_1 F P) as U1.
  destruct (Rle_or_lt x normal_from) as [L|L].
  - apply Rle_trans with s; [auto | now apply a_product_is_not_less].
  - assert (M : k * c * x <= s * c).
    { replace (k * c * x) with (k * x * c) by ring. apply Rmult_le_compat_r; lra. }
    assert (G : 1 <= k * c) by nra.
    assert (B : bpow radix2 (emin F + prec F - 1) <= Rabs (s * c)).
    { rewrite Rabs_pos_eq by (apply Rmult_le_pos; lra). apply Rle_trans with normal_from.
      - rewrite <- half_normal. pose proof (bpow_ge_0 radix2 (emin F + prec F)). unfold normal_from. lra.
      - nra. }
    pose proof (a_normal_errs _ B) as D. rewrite (Rabs_pos_eq (s * c)) in D by (apply Rmult_le_pos; lra).
    apply Rabs_le_inv in D. apply Rle_trans with ((1 - u F) * (s * c)); [|lra].
    apply Rle_trans with ((1 - u F) * (k * c * x)); [|apply Rmult_le_compat_l; lra].
    replace ((1 - u F) * (k * c * x)) with ((1 - u F) * (k * c) * x) by ring. nra.
Qed.

(* A sum of two that are not negative, times a number just below 1. *)
Lemma a_sum_times_less x y c : is_number F x -> is_number F y -> 0 <= x -> 0 <= y -> / 2 <= c <= 1 ->
  (1 + u F) * (1 + u F) * c <= 1 -> round_ F (round_ F (x + y) * c) <= x + y.
Proof.
  intros X Y Px Py C H. pose proof (u_positive F) as U.
  set (s := round_ F (x + y)).
  assert (Ns : is_number F s) by (apply rounded_is_number; exact P).
  assert (Ps : 0 <= s) by (apply round_keeps_sign; [exact P | lra]).
  destruct (Rle_or_lt (x + y) normal_from) as [L|L].
  - rewrite <- (a_small_sum_is_exact x y X Y) by (rewrite Rabs_pos_eq; lra). fold s. now apply a_product_is_not_more.
  - assert (G : normal_from <= s).
    { unfold s, round_. apply round_ge_generic; auto with typeclass_instances; [|lra].
      apply generic_format_bpow. unfold FLT_exp. lia. }
    pose proof (sum_errs F P x y X Y) as E. rewrite (Rabs_pos_eq (x + y)) in E by lra. apply Rabs_le_inv in E. fold s in E.
    assert (B : bpow radix2 (emin F + prec F - 1) <= Rabs (s * c)).
    { rewrite Rabs_pos_eq by (apply Rmult_le_pos; lra). rewrite <- half_normal. rewrite Rmult_comm.
      apply Rmult_le_compat; try lra. unfold normal_from. apply bpow_ge_0. }
    pose proof (a_normal_errs _ B) as D. rewrite (Rabs_pos_eq (s * c)) in D by (apply Rmult_le_pos; lra).
    apply Rabs_le_inv in D.
    apply Rle_trans with ((1 + u F) * (s * c)); [lra|].
    apply Rle_trans with ((1 + u F) * ((1 + u F) * (x + y) * c)).
    + apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; lra.
    + replace ((1 + u F) * ((1 + u F) * (x + y) * c)) with ((1 + u F) * (1 + u F) * c * (x + y)) by ring.
      rewrite <- (Rmult_1_l (x + y)) at 2. apply Rmult_le_compat_r; lra.
Qed.
End Format.

(* ---- checks: a program says what a constant must do ---- *)

Definition off_by (q : Q) (i : nat) : Q := q.

(* 4.11: three numbers that are not negative, summed, times the constant. *)
Definition reach_checks (F : format) (up : Q) : bool :=
  Qle_bool 1 up && Qle_bool 1 ((1 - uQ F) * ((1 - uQ F) * (1 - uQ F) * up)).

(* 4.2: a quotient of sums, times the constant, less the tiny one, or plus it. *)
Definition fall_checks (F : format) (l : list given_variable) (time : expr) (down : Q) : bool :=
  match time with Sub e (Cst m k) => checks_below F l (off_by (uQ F)) (off_by 0) 1 e m k down | _ => false end.
Definition rise_checks (F : format) (l : list given_variable) (time : expr) (up : Q) : bool :=
  match turned time with Add e (Cst m k) => checks_above F l (off_by (uQ F)) (off_by 0) 1 0 e m k up | _ => false end.

(* 4.4: a step of the hull of at least this, times the constant, over three times the code's third. *)
Definition least_step : Q := two_to (-1000).
Definition third_is_below : Q := 3 * number 6004799503160661 (-54).
Definition clip_checks (l : list given_variable) (step : expr) (down : Q) : bool :=
  checks_below_from binary64 l (off_by 0) (off_by 0) 1 least_step step (down * third_is_below).

Definition later_checks (F : format) (down : Q) : bool :=
  Qle_bool (1 # 2) down && Qle_bool down 1 && Qle_bool ((1 + uQ F) * (1 + uQ F) * down) 1.

Ltac in_reals H := apply bool_le in H; rewrite ?Q2R_mult, ?Q2R_minus, ?Q2R_plus, ?Q2R_1, ?uQ_is_u in H.

Theorem reaches_are_above fx : positive_inputs binary64 TracedReach.variables fx fx (off_by 0) (off_by 0) ->
  fx 0%nat + fx 1%nat + fx 2%nat <= rounded binary64 fx TracedReach.reach /\ nothing_overflows binary64 fx TracedReach.reach.
Proof.
  intros G. split.
  2:{ destruct (between binary64 TracedReach.variables (off_by 0) (off_by 0) 1 TracedReach.reach) as [b|] eqn:B; [|vm_compute in B; discriminate].
      eapply fits, between_holds; try exact B; try exact G; try exact binary64_is_ieee; try reflexivity. cbn. tauto. }
  assert (C : reach_checks binary64 (value_of TracedReach.REACH_UP) = true) by (vm_compute; reflexivity).
  unfold reach_checks in C. apply andb_true_iff in C. destruct C as [C1 C2]. in_reals C1. in_reals C2.
  destruct G as [G N].
  destruct (G 0%nat) as (N0 & _ & _ & _ & _ & _ & P0). destruct (G 1%nat) as (N1 & _ & _ & _ & _ & _ & P1).
  destruct (G 2%nat) as (N2 & _ & _ & _ & _ & _ & P2).
  specialize (P0 eq_refl). specialize (P1 eq_refl). specialize (P2 eq_refl).
  set (F := binary64) in *. pose proof (u_positive F) as U. pose proof (u_below_1 F (proj1 binary64_is_ieee)) as U1.
  assert (V : rounded F fx TracedReach.reach =
              round_ F (round_ F (round_ F (fx 2%nat + fx 1%nat) + fx 0%nat) * Q2R (value_of TracedReach.REACH_UP))).
  { unfold value_of, TracedReach.REACH_UP. rewrite number_is_F2R. reflexivity. }
  rewrite V. set (c := Q2R (value_of TracedReach.REACH_UP)) in *.
  set (s := round_ F (fx 2%nat + fx 1%nat)).
  assert (Ns : is_number F s) by (apply rounded_is_number; exact (proj1 binary64_is_ieee)).
  assert (Ps : 0 <= s) by (apply round_keeps_sign; [exact (proj1 binary64_is_ieee) | lra]).
  pose proof (sum_errs F (proj1 binary64_is_ieee) _ _ N2 N1) as E1.
  rewrite (Rabs_pos_eq (fx 2%nat + fx 1%nat)) in E1 by lra. apply Rabs_le_inv in E1. fold s in E1.
  pose proof (sum_errs F (proj1 binary64_is_ieee) _ _ Ns N0) as E2.
  rewrite (Rabs_pos_eq (s + fx 0%nat)) in E2 by lra. apply Rabs_le_inv in E2.
  pose proof (proj1 binary64_is_ieee) as P.
  assert (Small : fx 0%nat + fx 1%nat + fx 2%nat <= normal_from F -> fx 0%nat + fx 1%nat + fx 2%nat <= round_ F (s + fx 0%nat)).
  { intros L. assert (Es : s = fx 2%nat + fx 1%nat).
    { apply (a_small_sum_is_exact F binary64_is_ieee); auto. rewrite Rabs_pos_eq; lra. }
    rewrite (a_small_sum_is_exact F binary64_is_ieee); auto; rewrite ?Es; [lra|]. rewrite Rabs_pos_eq; lra. }
  assert (K : (1 - u F) * (1 - u F) * (fx 0%nat + fx 1%nat + fx 2%nat) <= round_ F (s + fx 0%nat)).
  { apply Rle_trans with ((1 - u F) * (s + fx 0%nat)); [|lra]. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    assert (0 <= u F * fx 0%nat) by (apply Rmult_le_pos; lra). lra. }
  assert (K0 : 0 <= (1 - u F) * (1 - u F)) by (apply Rmult_le_pos; lra).
  apply (a_sum_times_more F binary64_is_ieee _ _ c ((1 - u F) * (1 - u F))); auto; try lra.
  - now apply rounded_is_number.
  - apply round_keeps_sign; [exact P | lra].
Qed.

(* ---- 4.2, 4.9: variables 6 and 7 are what the distances at both ends are beyond the threshold, of unlike signs; each is
   a rounded sum, so that it has a relative error of u ---- *)

Section Roots.
Variables (F : format) (l : list given_variable) (fx ex : nat -> R).
Hypothesis ieee : is_ieee F.
Hypothesis tiny : (emin F + 4 * prec F < 0)%Z.
Hypothesis emax_ : (0 < emax F)%Z.
Hypothesis given : positive_inputs F l fx ex (off_by (uQ F)) (off_by 0).
Hypothesis A_is : 0 < ex 6%nat.
Hypothesis Z_is : 0 <= ex 7%nat.
Let root := ex 6%nat / (ex 6%nat + ex 7%nat).

Lemma root_is : 0 <= root <= 1.
Proof.
  unfold root. split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]|].
  apply Rmult_le_reg_r with (ex 6%nat + ex 7%nat); [lra|]. field_simplify; lra.
Qed.

Lemma a_fall_is_not_late e m k down : fall_checks F l (Sub e (Cst m k)) down = true ->
  quotients_are_capped F ex 1 e -> main F ex e = root * Q2R down ->
  rounded F fx (Sub e (Cst m k)) <= root.
Proof.
  intros C Q M. now apply (a_bound_is_below F l fx ex _ _ _ ieee tiny emax_ given e m k down root C Q M), root_is.
Qed.
Lemma a_rise_is_not_early time e m k up : turned time = Add e (Cst m k) -> rise_checks F l time up = true ->
  quotients_are_capped F ex 1 e -> main F ex e = root * Q2R up ->
  root <= rounded F fx time.
Proof.
  intros T C Q M. rewrite <- turning_changes_nothing. unfold rise_checks in C. rewrite T in *.
  apply (a_bound_is_above F l fx ex _ _ _ ieee tiny emax_ given 0 e m k up root C Q M); rewrite ?Q2R_0, ?Rmult_0_l; apply root_is.
Qed.
End Roots.

Ltac root A Z :=
  cbn; rewrite ?Q2R_1;
  match goal with
  | |- _ /\ _ => pose proof (root_is _ A Z); repeat split; try tauto; lra
  | _ => unfold value_of; rewrite number_is_F2R; reflexivity
  end.

Theorem falls_are_not_late fx ex : positive_inputs binary64 TracedFall.variables fx ex (off_by (uQ binary64)) (off_by 0) ->
  0 < ex 6%nat -> 0 <= ex 7%nat -> rounded binary64 fx TracedFall.time <= ex 6%nat / (ex 6%nat + ex 7%nat).
Proof.
  intros G A Z.
  apply (a_fall_is_not_late binary64 TracedFall.variables fx ex binary64_is_ieee eq_refl eq_refl G A Z _ _ _ (value_of TracedFall.ROOT_DOWN));
    [vm_compute; reflexivity | root A Z | root A Z].
Qed.
Theorem rises_are_not_early fx ex : positive_inputs binary64 TracedRise.variables fx ex (off_by (uQ binary64)) (off_by 0) ->
  0 < ex 6%nat -> 0 <= ex 7%nat -> ex 6%nat / (ex 6%nat + ex 7%nat) <= rounded binary64 fx TracedRise.time.
Proof.
  intros G A Z.
  eapply (a_rise_is_not_early binary64 TracedRise.variables fx ex binary64_is_ieee eq_refl eq_refl G A Z) with (up := value_of TracedRise.ROOT_UP);
    [reflexivity | vm_compute; reflexivity | root A Z | root A Z].
Qed.
Theorem falls_in_float_are_not_late fx ex : positive_inputs binary32 TracedFall32.variables fx ex (off_by (uQ binary32)) (off_by 0) ->
  0 < ex 6%nat -> 0 <= ex 7%nat -> rounded binary32 fx TracedFall32.time <= ex 6%nat / (ex 6%nat + ex 7%nat).
Proof.
  intros G A Z.
  apply (a_fall_is_not_late binary32 TracedFall32.variables fx ex binary32_is_ieee eq_refl eq_refl G A Z _ _ _ (value_of TracedFall32.ROOT_DOWN));
    [vm_compute; reflexivity | root A Z | root A Z].
Qed.
Theorem rises_in_float_are_not_early fx ex : positive_inputs binary32 TracedRise32.variables fx ex (off_by (uQ binary32)) (off_by 0) ->
  0 < ex 6%nat -> 0 <= ex 7%nat -> ex 6%nat / (ex 6%nat + ex 7%nat) <= rounded binary32 fx TracedRise32.time.
Proof.
  intros G A Z.
  eapply (a_rise_is_not_early binary32 TracedRise32.variables fx ex binary32_is_ieee eq_refl eq_refl G A Z) with (up := value_of TracedRise32.ROOT_UP);
    [reflexivity | vm_compute; reflexivity | root A Z | root A Z].
Qed.

(* ---- 4.4: a step of the hull, and the time after it. Variables: control points, the first above zero and the other,
   turned, not; 4 the share that is looked at, 5 the time, 6 the time that is left ---- *)

Section Hull.
Variables (l : list given_variable) (fx : nat -> R) (i j : nat) (first more : R).
Hypothesis given : positive_inputs binary64 l fx fx (off_by 0) (off_by 0).
Hypothesis above : 0 < fx i.
Hypothesis below : 0 <= fx j.

(* Where the line from (first, g_i) to (first + more, -g_j) crosses zero, of three parts; then of what is left. *)
Definition crossing : R := (first + more * (fx i / (fx i + fx j))) / 3 * fx 4%nat * fx 6%nat.

Lemma a_share_is_capped : 0 < fx i + fx j /\ fx i / (fx i + fx j) <= 1.
Proof.
  split; [lra|]. apply Rmult_le_reg_r with (fx i + fx j); [lra|]. field_simplify; lra.
Qed.

Lemma third_of x : x * F2R (Float radix2 6004799503160661 (-54)) = x / 3 * Q2R third_is_below.
Proof.
  unfold third_is_below. rewrite Q2R_mult, number_is_F2R. replace (Q2R 3) with 3 by (unfold Q2R; simpl; lra). field.
Qed.

Lemma a_step_is_not_late step down : clip_checks l step down = true -> quotients_are_capped binary64 fx 1 step ->
  main binary64 fx step = (first + more * (fx i / (fx i + fx j))) * F2R (Float radix2 6004799503160661 (-54)) * fx 4%nat * fx 6%nat * Q2R down ->
  Q2R least_step <= crossing -> rounded binary64 fx step <= crossing.
Proof.
  intros C Q M L. apply (a_value_is_below binary64 l fx fx _ _ _ binary64_is_ieee eq_refl eq_refl given _ step _ crossing C Q); auto.
  rewrite M, third_of, Q2R_mult. unfold crossing. ring.
Qed.
End Hull.

Definition a_hull_falls (l : list given_variable) (step : expr) (i j : nat) (first more : R) : Prop :=
  forall fx, positive_inputs binary64 l fx fx (off_by 0) (off_by 0) -> 0 < fx i -> 0 <= fx j ->
  Q2R least_step <= crossing fx i j first more -> rounded binary64 fx step <= crossing fx i j first more.

(* The value of a tree, written out. *)
Ltac write_out t :=
  let e := eval cbv in t in change t with e; cbn [main magnitude];
  repeat match goal with
         | |- context [is_tiny ?F ?m ?k] =>
           let b := eval vm_compute in (is_tiny F m k) in replace (is_tiny F m k) with b by (vm_compute; reflexivity)
         end; cbv iota.

(* Numbers that are no whole ones are taken as they are. *)
Ltac plain_numbers :=
  repeat match goal with
         | |- context [F2R (Float radix2 ?m (Zneg ?k))] => generalize (F2R (Float radix2 m (Zneg k))); intro
         end; unfold F2R; simpl; rewrite ?Rmult_1_l, ?Rmult_1_r; reflexivity.

Ltac hull i j t down :=
  let G := fresh in let A := fresh in let B := fresh in let L := fresh in let S := fresh in
  intros fx G A B L; pose proof (a_share_is_capped fx i j A B) as S;
  apply (a_step_is_not_late _ fx i j _ _ G t (value_of down)); [vm_compute; reflexivity | | | exact L];
  [let e := eval cbv in t in change t with e; cbn [quotients_are_capped main magnitude]; rewrite Q2R_1; tauto
  | write_out t; unfold value_of, down; rewrite number_is_F2R; plain_numbers].

Theorem steps_are_not_late :
  a_hull_falls TracedClip0.variables TracedClip0.step 0 1 0 1 /\ a_hull_falls TracedClip1.variables TracedClip1.step 0 2 0 2 /\
  a_hull_falls TracedClip2.variables TracedClip2.step 0 3 0 3 /\ a_hull_falls TracedClip3.variables TracedClip3.step 1 2 1 1 /\
  a_hull_falls TracedClip4.variables TracedClip4.step 1 3 1 2 /\ a_hull_falls TracedClip5.variables TracedClip5.step 2 3 2 1.
Proof.
  refine (conj _ (conj _ (conj _ (conj _ (conj _ _))))).
  - hull 0%nat 1%nat TracedClip0.step TracedClip0.CLIP_DOWN.
  - hull 0%nat 2%nat TracedClip1.step TracedClip1.CLIP_DOWN.
  - hull 0%nat 3%nat TracedClip2.step TracedClip2.CLIP_DOWN.
  - hull 1%nat 2%nat TracedClip3.step TracedClip3.CLIP_DOWN.
  - hull 1%nat 3%nat TracedClip4.step TracedClip4.CLIP_DOWN.
  - hull 2%nat 3%nat TracedClip5.step TracedClip5.CLIP_DOWN.
Qed.

(* Each is at most the exact one also where it is small: a product that is tiny is rounded from a sum that is exact. *)
Theorem later_times_are_not_late fx : positive_inputs binary64 TracedLater.variables fx fx (off_by 0) (off_by 0) ->
  forall t x, rounded binary64 fx TracedLater.sum = round_ binary64 (t + x) ->
  t = fx 0%nat -> x = fx 2%nat -> rounded binary64 fx TracedLater.next <= t + x.
Proof.
  intros [G N] t x S -> ->.
  assert (C : later_checks binary64 (value_of TracedLater.TIME_DOWN) = true) by (vm_compute; reflexivity).
  unfold later_checks in C. rewrite !andb_true_iff in C. destruct C as [[C1 C2] C3]. in_reals C1. in_reals C2. in_reals C3.
  replace (Q2R (1 # 2)) with (/ 2) in C1 by (unfold Q2R; simpl; lra).
  assert (V : rounded binary64 fx TracedLater.next =
              round_ binary64 (rounded binary64 fx TracedLater.sum * Q2R (value_of TracedLater.TIME_DOWN))).
  { unfold value_of, TracedLater.TIME_DOWN. rewrite number_is_F2R. reflexivity. }
  rewrite V, S. destruct (G 0%nat) as (N0 & _ & _ & _ & _ & _ & P0). destruct (G 2%nat) as (N2 & _ & _ & _ & _ & _ & P2).
  specialize (P0 eq_refl). specialize (P2 eq_refl).
  apply (a_sum_times_less binary64 binary64_is_ieee); auto.
Qed.
