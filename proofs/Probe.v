(* A probe of one direction (docs/numerics.md, 4.2): a difference that the code finds beyond its threshold along n is
   farther along n than separation * |n|, exactly. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra.
From Flocq Require Import Core.
Require Import Rounding Given.
Open Scope R_scope.
Arguments a_positive_variable F l fx ex given i%nat.

(* What the constants must do, for a dot product and a threshold as they are in the code. *)
Definition probe_checks (F : format) (l : list given_variable) (dot least : expr) (up slack : Q) : bool :=
  match error_in F l dot, lower_in F l least, largest_in F l (Sub dot least) with
  | Some (r, m), Some (f, k), Some _ =>
    constants_are_numbers F (Sub dot least) && Qle_bool 1 (f * up) && Qle_bool r (f * slack * (1 - uQ F)) &&
    Qle_bool (m + k) 0
  | _, _, _ => false
  end.

Theorem a_probe_is_right (F : format) (l : list given_variable) (fx : nat -> R) (dot least : expr) (up slack : Q)
    (d nn size : R) :
  is_ieee F -> inputs F l fx fx ->
  probe_checks F l dot least up slack = true ->
  0 <= d -> 0 <= size ->
  base F fx least = d * sqrt nn * Q2R up + size * Q2R slack ->
  (1 - u F) * terms_in F l fx dot <= size ->
  0 < rounded F fx (Sub dot least) ->
  d * sqrt nn < exact fx dot /\ nothing_overflows F fx (Sub dot least).
Proof.
  intros I G C Pd Ps B T H. unfold probe_checks in C.
  destruct (error_in F l dot) as [[r m]|] eqn:E; [|discriminate].
  destruct (lower_in F l least) as [[f k]|] eqn:L; [|discriminate].
  destruct (largest_in F l (Sub dot least)) as [q|] eqn:M; [|discriminate].
  apply andb_true_iff in C; destruct C as [C C3]. apply andb_true_iff in C; destruct C as [C C2].
  apply andb_true_iff in C; destruct C as [C C1]. cbn [constants_are_numbers] in C. apply andb_true_iff in C.
  destruct C as [W1 W2]. apply Qle_bool_iff, Qle_Rle in C1, C2, C3.
  rewrite Q2R_1, Q2R_mult in C1. rewrite !Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u in C2. rewrite Q2R_plus, Q2R_0 in C3.
  split; [|eapply nothing_is_too_large; eauto].
  cbn [rounded] in H. apply a_positive_rounding_is_positive in H; auto.
  pose proof (error_is_at_most F l fx fx I G dot r m W1 E) as X. apply Rabs_le_inv in X.
  destruct (value_is_at_least F l fx fx I G least f k W2 L) as [_ Y]. rewrite B in Y.
  pose proof (sqrt_pos nn) as Pn. pose proof (eta_positive F) as Pe. pose proof (u_positive F).
  assert (U : 0 < 1 - u F) by (destruct I as (P & _); pose proof (u_below_1 F P); lra).
  assert (Pdn : 0 <= d * sqrt nn) by now apply Rmult_le_pos.
  assert (A1 : 1 * (d * sqrt nn) <= Q2R f * Q2R up * (d * sqrt nn)) by now apply Rmult_le_compat_r.
  assert (Pt : 0 <= terms_in F l fx dot) by (apply terms_are_positive).
  assert (A2 : Q2R r * terms_in F l fx dot <= Q2R f * Q2R slack * (1 - u F) * terms_in F l fx dot)
    by now apply Rmult_le_compat_r.
  assert (Pfs : 0 <= Q2R f * Q2R slack).
  { destruct (error_holds F (proj1 I) _ _ _ _ fx fx G (proj2 (proj2 I)) dot (r, m) W1 E) as (Pr & _).
    cbn [fst] in Pr. apply Rmult_le_reg_r with (1 - u F); lra. }
  assert (A3 : Q2R f * Q2R slack * ((1 - u F) * terms_in F l fx dot) <= Q2R f * Q2R slack * size)
    by now apply Rmult_le_compat_l.
  assert (A4 : (Q2R m + Q2R k) * eta F <= 0) by (rewrite <- (Rmult_0_l (eta F)); apply Rmult_le_compat_r; lra).
  lra.
Qed.

(* ---- two edges ---- *)

(* Variables: coordinate c of row i at the start is number 3 i + c, at the end 12 more; then n, M, t, separation. *)
Section Edges.
Variables (F : format) (l : list given_variable) (x : nat -> R).
Definition n (c : nat) := x (24 + c).
Definition size (c : nat) := x (27 + c).
Definition separation := x 31.
Definition difference (j i c : nat) := x (j + c) - x (i + c).
Definition along (j i : nat) := n 0 * difference j i 0 + n 1 * difference j i 1 + n 2 * difference j i 2.
Definition norm := sqrt (n 0 * n 0 + n 1 * n 1 + n 2 * n 2).
(* M_c is at least every |component| of a difference, as rounded. *)
Definition is_within_size (j i : nat) := forall c, (c < 3)%nat -> Rabs (round_ F (difference j i c)) <= size c.

(* Row j less row i: where the code finds it beyond the threshold, it is. *)
Definition is_right (j i : nat) (compared : expr) : Prop :=
  is_within_size j i -> 0 < rounded F x compared ->
  separation * norm < along j i /\ nothing_overflows F x compared.

Hypothesis ieee : is_ieee F.
Hypothesis given : inputs F l x x.

Lemma a_difference_is_within j i c : Rabs (round_ F (difference j i c)) <= size c ->
  (1 - u F) * Rabs (difference j i c) <= size c.
Proof.
  intros H. pose proof (fun k => proj1 (given k)) as N.
  pose proof (sum_errs F (proj1 ieee) (x (j + c)) (- x (i + c)) (N _) (number_opp _ _ (N _))) as E.
  change (x (j + c) + - x (i + c)) with (difference j i c) in E.
  pose proof (Rabs_triang_inv (difference j i c) (round_ F (difference j i c))).
  rewrite Rabs_minus_sym in E. lra.
Qed.

Lemma sizes_hold_the_terms j i : is_within_size j i ->
  (1 - u F) * (Rabs (n 0) * Rabs (difference j i 0) + Rabs (n 1) * Rabs (difference j i 1) +
               Rabs (n 2) * Rabs (difference j i 2)) <=
  Rabs (n 0) * size 0 + Rabs (n 1) * size 1 + Rabs (n 2) * size 2.
Proof.
  intros W.
  pose proof (a_difference_is_within j i 0 (W 0%nat ltac:(auto))).
  pose proof (a_difference_is_within j i 1 (W 1%nat ltac:(auto))).
  pose proof (a_difference_is_within j i 2 (W 2%nat ltac:(auto))).
  pose proof (Rabs_pos (n 0)). pose proof (Rabs_pos (n 1)). pose proof (Rabs_pos (n 2)). nra.
Qed.

Lemma a_size_is_positive j i c : (c < 3)%nat -> is_within_size j i -> 0 <= size c.
Proof. intros L W. eapply Rle_trans; [apply Rabs_pos | apply (W c L)]. Qed.

(* `base` has 0 in the place of each tiny constant. *)
Lemma with_tiny d a b c up slack : d * sqrt (a + b + c + 0) * up + (slack + 0) = d * sqrt (a + b + c) * up + slack.
Proof. now rewrite !Rplus_0_r. Qed.

Lemma an_edge_is_right j i dot least up slack :
  probe_checks F l dot least (value_of up) (value_of slack) = true -> positive_in l 31 = true ->
  exact x dot = along j i ->
  terms_in F l x dot = Rabs (n 0) * Rabs (difference j i 0) + Rabs (n 1) * Rabs (difference j i 1) +
                       Rabs (n 2) * Rabs (difference j i 2) ->
  base F x least = separation * sqrt (n 0 * n 0 + n 1 * n 1 + n 2 * n 2 + 0) * Q2R (value_of up) +
                   ((Rabs (n 0) * size 0 + Rabs (n 1) * size 1 + Rabs (n 2) * size 2) * Q2R (value_of slack) + 0) ->
  is_right j i (Sub dot least).
Proof.
  intros C P E T B W H. rewrite with_tiny in B. rewrite <- E. unfold norm.
  pose proof (a_size_is_positive j i 0 ltac:(auto) W). pose proof (a_size_is_positive j i 1 ltac:(auto) W).
  pose proof (a_size_is_positive j i 2 ltac:(auto) W).
  pose proof (Rabs_pos (n 0)). pose proof (Rabs_pos (n 1)). pose proof (Rabs_pos (n 2)).
  apply (a_probe_is_right F l x dot least (value_of up) (value_of slack) separation _
           (Rabs (n 0) * size 0 + Rabs (n 1) * size 1 + Rabs (n 2) * size 2)); auto.
  - exact (a_positive_variable F l x x given 31 P).
  - nra.
  - rewrite T. now apply sizes_hold_the_terms.
Qed.
End Edges.

Ltac edge ieee given dot least up slack :=
  apply (an_edge_is_right _ _ _ ieee given _ _ dot least up slack);
  [vm_compute; reflexivity | reflexivity | reflexivity | reflexivity
  | unfold value_of, up, slack; rewrite !number_is_F2R; reflexivity].
