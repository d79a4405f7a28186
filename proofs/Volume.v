(* The volume polynomial without a separation (docs/numerics.md, 4.4): the cubic with the control points that the code
   computes on a part of the time left is nowhere above sign * f. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Size.
Open Scope R_scope.

(* e1, e2 and q at both ends, then t, the part and the separation. *)
Definition volume_groups : list nat :=
  (1 :: 1 :: 1 :: 1 :: 1 :: 1 :: 2 :: 2 :: 2 :: 2 :: 2 :: 2 :: 3 :: 3 :: 3 :: 3 :: 3 :: 3 :: 0 :: 0 :: 0 :: nil)%nat.

(* What the slack s must do: r, m of the coefficient, c of its size, f, k of the slack as it is computed. *)
Definition volume_closes (F : format) (r m c f k s : Q) : bool :=
  let v := (1 - uQ F)%Q in
  let all := (r + uQ F * (1 + r))%Q in
  Qle_bool 0 c && Qle_bool (all * c) (v * v * v * v * (f * s)) &&
  Qle_bool (all * c * 19 + v * v * v * ((1 + uQ F) * m + v * k)) 0.

Definition volume_checks (F : format) (l : list given_variable) (coefficient slack : expr) (s : Q) : bool :=
  match error_in F l coefficient, size l volume_groups coefficient, lower_in F l slack,
        largest_in F l (Sub coefficient slack) with
  | Some (r, m), Some (c, g), Some (f, k), Some _ =>
    constants_are_numbers F (Sub coefficient slack) && same_list g (1 :: 2 :: 3 :: nil)%nat && volume_closes F r m c f k s
  | _, _, _, _ => false
  end.

Section Volume.
Variables (F : format) (l : list given_variable) (fx ex : nat -> R).
Hypothesis ieee : is_ieee F.
Hypothesis given : inputs F l fx ex.
(* m1, m2 and mq are |components| of their vectors, and no other is larger. *)
Definition largest_of (g : nat) : R := Rabs (fx (6 * (g - 1))).
Definition largest_are_first : Prop := forall i, group volume_groups i <> 0%nat ->
  Rabs (fx i) <= largest_of (group volume_groups i).
Definition parts_are_parts : Prop := forall i, group volume_groups i = 0%nat -> 0 <= ex i <= 1.
Hypothesis largest : largest_are_first.
Hypothesis parts : parts_are_parts.
Hypothesis at_most_two : forall g, In g (1 :: 2 :: 3 :: nil)%nat -> largest_of g <= 2.

Let v := 1 - u F.
Lemma v_is_positive : 0 < v <= 1.
Proof. unfold v. pose proof (u_below_1 F (proj1 ieee)). pose proof (u_positive F). lra. Qed.
Definition M (g : nat) : R := (largest_of g + eta F) / v.

Lemma M_is_positive g : 0 <= M g.
Proof.
  unfold M. pose proof v_is_positive. pose proof (eta_positive F). pose proof (Rabs_pos (fx (6 * (g - 1)))).
  apply Rmult_le_pos; [unfold largest_of; lra|]. left. apply Rinv_0_lt_compat. lra.
Qed.

Lemma exact_is_within_M i : group volume_groups i <> 0%nat -> Rabs (ex i) <= M (group volume_groups i).
Proof.
  intros H. pose proof (largest i H) as L. destruct (given i) as (_ & _ & _ & E & _).
  pose proof v_is_positive as V. pose proof (eta_positive F). pose proof (u_positive F).
  assert (R : Q2R (r_in F l i) <= u F)
    by (unfold r_in; destruct (is_rounded_in l i); [rewrite uQ_is_u | rewrite Q2R_0]; lra).
  assert (N : Q2R (m_in l i) <= 1) by (unfold m_in; destruct (is_rounded_in l i); [rewrite Q2R_1 | rewrite Q2R_0]; lra).
  pose proof (Rabs_triang_inv (ex i) (fx i)) as I. rewrite Rabs_minus_sym in I. pose proof (Rabs_pos (ex i)).
  unfold M. apply Rmult_le_reg_r with v; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. unfold v in *. nra.
Qed.

Lemma product_of_sizes : v * v * v * (M 1 * (M 2 * (M 3 * 1))) <=
  largest_of 1 * largest_of 2 * largest_of 3 + 19 * eta F.
Proof.
  pose proof v_is_positive. pose proof (eta_positive F) as Pe. pose proof (eta_below_1 F (proj2 (proj2 ieee))) as E1.
  unfold M. set (a := largest_of 1). set (b := largest_of 2). set (c := largest_of 3).
  replace (v * v * v * ((a + eta F) / v * ((b + eta F) / v * ((c + eta F) / v * 1))))
    with ((a + eta F) * (b + eta F) * (c + eta F)) by (field; lra).
  assert (0 <= a <= 2) by (split; [apply Rabs_pos | apply at_most_two; simpl; auto]).
  assert (0 <= b <= 2) by (split; [apply Rabs_pos | apply at_most_two; simpl; auto]).
  assert (0 <= c <= 2) by (split; [apply Rabs_pos | apply at_most_two; simpl; auto]).
  replace ((a + eta F) * (b + eta F) * (c + eta F)) with
    (a * b * c + (a * b + b * c + a * c + (a + b + c) * eta F + eta F * eta F) * eta F) by ring.
  apply Rplus_le_compat_l, Rmult_le_compat_r; [lra|].
  assert (a * b <= 4) by nra. assert (b * c <= 4) by nra. assert (a * c <= 4) by nra.
  assert ((a + b + c) * eta F <= 6) by nra. nra.
Qed.

Lemma one_subtraction X S : is_number F X -> is_number F S -> 0 <= S ->
  round_ F (X - S) <= X + u F * Rabs X - v * S.
Proof.
  intros NX NS P. pose proof (sum_errs F (proj1 ieee) X (- S) NX (number_opp _ _ NS)) as E.
  apply Rabs_le_inv in E. pose proof (u_positive F). fold (X - S) in E. unfold v.
  change (X + - S) with (X - S) in E.
  destruct (Rle_or_lt S X) as [L|L].
  - rewrite (Rabs_pos_eq (X - S)) in E by lra. rewrite (Rabs_pos_eq X) by lra. nra.
  - rewrite (Rabs_left (X - S)) in E by lra. pose proof (Rle_abs (- X)) as A. rewrite Rabs_Ropp in A. nra.
Qed.

Theorem a_coefficient_is_right coefficient slack (s : Q) :
  volume_checks F l coefficient slack s = true ->
  base F fx slack = largest_of 1 * largest_of 2 * largest_of 3 * Q2R s + 0 ->
  rounded F fx (Sub coefficient slack) <= exact ex coefficient /\ nothing_overflows F fx (Sub coefficient slack).
Proof.
  unfold volume_checks. intros C B.
  destruct (error_in F l coefficient) as [[r m]|] eqn:E; [|discriminate].
  destruct (size l volume_groups coefficient) as [[c g]|] eqn:S; [|discriminate].
  destruct (lower_in F l slack) as [[f k]|] eqn:L; [|discriminate].
  destruct (largest_in F l (Sub coefficient slack)) as [q|] eqn:Q; [|discriminate].
  apply andb_true_iff in C; destruct C as [C C3]. apply andb_true_iff in C; destruct C as [C C0].
  unfold volume_closes in C3. apply andb_true_iff in C3; destruct C3 as [C2 C3].
  apply andb_true_iff in C2; destruct C2 as [C1 C2].
  cbn [constants_are_numbers] in C. apply andb_true_iff in C. destruct C as [W1 W2].
  apply same_list_is_equal in C0. subst g.
  split; [|eapply nothing_is_too_large; eauto].
  apply Qle_bool_iff, Qle_Rle in C1, C2, C3. rewrite Q2R_0 in C1.
  rewrite !Q2R_mult, !Q2R_plus, !Q2R_mult, !Q2R_plus, !Q2R_minus, !Q2R_1, !uQ_is_u in C2.
  rewrite !Q2R_plus, !Q2R_mult, !Q2R_plus, !Q2R_mult, !Q2R_plus, !Q2R_minus, !Q2R_1, !uQ_is_u, Q2R_0 in C3.
  replace (Q2R 19) with 19 in C3 by (unfold Q2R; simpl; lra). fold v in C2, C3.
  destruct ieee as (I1 & I2 & I3).
  destruct (error_holds F I1 _ _ _ _ fx ex given I3 coefficient (r, m) W1 E) as (Pr & Pm & X). cbn [fst snd] in *.
  destruct (terms_hold_the_value F (r_in F l) (m_in l) (size_in l) ex coefficient) as [Y|N].
  2:{ unfold error_in in E. congruence. }
  destruct (lower_holds F I1 I2 _ _ _ _ fx ex given I3 slack (f, k) W2 L) as (_ & _ & PS & Z). cbn [fst snd] in *.
  rewrite B, Rplus_0_r in Z.
  pose proof (size_holds F l ex volume_groups M M_is_positive parts exact_is_within_M coefficient _ S) as T.
  unfold fits in T. cbn [fst snd product] in T.
  change (Size.T F l ex coefficient) with (terms (r_in F l) (m_in l) ex coefficient) in T.
  pose proof (every_value_is_a_number F I1 _ _ _ _ fx ex given coefficient W1) as N1.
  pose proof (every_value_is_a_number F I1 _ _ _ _ fx ex given slack W2) as N2.
  pose proof (one_subtraction _ _ N1 N2 PS) as D. cbn [rounded].
  pose proof product_of_sizes as P.
  pose proof (terms_are_positive (r_in F l) (m_in l) ex coefficient) as PT.
  pose proof v_is_positive as V. pose proof (eta_positive F) as Pe. pose proof (u_positive F) as Pu.
  set (X1 := rounded F fx coefficient) in *. set (S1 := rounded F fx slack) in *.
  set (C := exact ex coefficient) in *. set (T1 := terms (r_in F l) (m_in l) ex coefficient) in *.
  set (p := largest_of 1 * largest_of 2 * largest_of 3) in *. set (MMM := M 1 * (M 2 * (M 3 * 1))) in *.
  set (e := eta F) in *. set (w := u F) in *. set (all := Q2R r + w * (1 + Q2R r)) in *.
  assert (Pp : 0 <= p) by (unfold p, largest_of; repeat apply Rmult_le_pos; apply Rabs_pos).
  assert (AX : Rabs X1 <= T1 + (Q2R r * T1 + Q2R m * e)).
  { replace X1 with (C + (X1 - C)) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra. }
  apply Rabs_le_inv in X.
  assert (H1 : round_ F (X1 - S1) - C <= all * T1 + (1 + w) * Q2R m * e - v * S1).
  { assert (w * Rabs X1 <= w * (T1 + (Q2R r * T1 + Q2R m * e))) by (apply Rmult_le_compat_l; lra). unfold all. lra. }
  assert (H2 : v * (Q2R f * (p * Q2R s) - Q2R k * e) <= v * S1) by (apply Rmult_le_compat_l; lra).
  assert (H3 : round_ F (X1 - S1) - C <=
               all * T1 + (1 + w) * Q2R m * e - v * (Q2R f * (p * Q2R s)) + v * Q2R k * e) by lra.
  set (v3 := v * v * v) in *. assert (Pv : 0 < v3) by (unfold v3; repeat apply Rmult_lt_0_compat; lra).
  assert (Pall : 0 <= all) by (unfold all; nra).
  assert (H4 : v3 * T1 <= Q2R c * (p + 19 * e)).
  { apply Rle_trans with (v3 * (Q2R c * MMM)); [apply Rmult_le_compat_l; lra|].
    replace (v3 * (Q2R c * MMM)) with (Q2R c * (v3 * MMM)) by ring. apply Rmult_le_compat_l; lra. }
  assert (H5 : all * (v3 * T1) <= all * (Q2R c * (p + 19 * e))) by (apply Rmult_le_compat_l; lra).
  assert (H6 : all * Q2R c * p <= v3 * v * (Q2R f * Q2R s) * p) by (apply Rmult_le_compat_r; auto).
  assert (H7 : (all * Q2R c * 19 + v3 * ((1 + w) * Q2R m + v * Q2R k)) * e <= 0)
    by (rewrite <- (Rmult_0_l e); apply Rmult_le_compat_r; lra).
  assert (H8 : v3 * (round_ F (X1 - S1) - C) <=
               v3 * (all * T1 + (1 + w) * Q2R m * e - v * (Q2R f * (p * Q2R s)) + v * Q2R k * e))
    by (apply Rmult_le_compat_l; lra).
  assert (H9 : v3 * (round_ F (X1 - S1) - C) <= 0) by lra.
  assert (round_ F (X1 - S1) - C <= 0); [|lra].
  apply Rmult_le_reg_l with v3; lra.
Qed.
End Volume.

(* ---- control points and the polynomial ---- *)

Definition one := F2R (Float radix2 1 0).
Lemma one_is_1 : one = 1. Proof. unfold one, F2R; simpl; ring. Qed.
Definition mix (s x y : R) := (one - s) * x + s * y.
Definition cubic (c0 c1 c2 c3 s : R) :=
  (1 - s) * (1 - s) * (1 - s) * c0 + 3 * s * (1 - s) * (1 - s) * c1 + 3 * s * s * (1 - s) * c2 + s * s * s * c3.

(* Control points on [t, 1], from those on [0, 1]; and on the first part of it, with a sign. *)
Definition right (t c0 c1 c2 c3 : R) : R * R * R * R :=
  (mix t (mix t (mix t c0 c1) (mix t c1 c2)) (mix t (mix t c1 c2) (mix t c2 c3)),
   mix t (mix t c1 c2) (mix t c2 c3), mix t c2 c3, c3).
Definition left (p b0 b1 b2 b3 : R) : R * R * R * R :=
  (b0, mix p b0 b1, mix p (mix p b0 b1) (mix p b1 b2),
   mix p (mix p (mix p b0 b1) (mix p b1 b2)) (mix p (mix p b1 b2) (mix p b2 b3))).

Lemma right_is t c0 c1 c2 c3 x : let '(b0, b1, b2, b3) := right t c0 c1 c2 c3 in
  cubic b0 b1 b2 b3 x = cubic c0 c1 c2 c3 (t + x * (1 - t)).
Proof. unfold right, mix, cubic. rewrite one_is_1. ring. Qed.
Lemma left_is p b0 b1 b2 b3 x : let '(a0, a1, a2, a3) := left p b0 b1 b2 b3 in
  cubic a0 a1 a2 a3 x = cubic b0 b1 b2 b3 (p * x).
Proof. unfold left, mix, cubic. rewrite one_is_1. ring. Qed.

Lemma cubics_are_ordered a0 a1 a2 a3 b0 b1 b2 b3 x : 0 <= x <= 1 ->
  a0 <= b0 -> a1 <= b1 -> a2 <= b2 -> a3 <= b3 -> cubic a0 a1 a2 a3 x <= cubic b0 b1 b2 b3 x.
Proof.
  intros [P Q] H0 H1 H2 H3. unfold cubic. assert (R : 0 <= 1 - x) by lra.
  repeat apply Rplus_le_compat; apply Rmult_le_compat_l; auto; repeat apply Rmult_le_pos; lra.
Qed.

Section Polynomial.
Variable ex : nat -> R.
(* component c of the vector whose variables begin at i, at time s *)
Definition at_time (i c : nat) (s : R) := (1 - s) * ex (i + c) + s * ex (i + 3 + c).
Definition volume (s : R) :=
  let e1 c := at_time 0 c s in let e2 c := at_time 6 c s in let q c := at_time 12 c s in
  (e1 1%nat * e2 2%nat - e1 2%nat * e2 1%nat) * q 0%nat + (e1 2%nat * e2 0%nat - e1 0%nat * e2 2%nat) * q 1%nat +
  (e1 0%nat * e2 1%nat - e1 1%nat * e2 0%nat) * q 2%nat.
End Polynomial.
