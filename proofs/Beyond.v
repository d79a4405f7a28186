(* Looks along a direction (docs/numerics.md, 4.10, 4.14): as Probe.v, where a slack also has to cover what the inputs
   themselves are off by. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra.
From Flocq Require Import Core.
Require Import Rounding Given.
Open Scope R_scope.

(* The |terms| of the value are at most c1 times the size that the slack is taken of; what is left of the slack is c2 of it,
   and `spare` eta. *)
Definition look_checks (F : format) (l : list given_variable) (dot least : expr) (up slack c1 c2 spare : Q) : bool :=
  match error_in F l dot, lower_in F l least with
  | Some (r, m), Some (f, k) =>
    constants_are_numbers F (Sub dot least) && Qle_bool 1 (f * up) && Qle_bool 0 c1 && Qle_bool 0 r && Qle_bool r 1 &&
    Qle_bool (r * c1 + c2) (f * slack) && Qle_bool (m + k + spare) 0
  | _, _ => false
  end.

Theorem a_look_is_right (F : format) (l : list given_variable) (fx : nat -> R) (dot least : expr)
    (up slack c1 c2 spare : Q) (d nn size rest : R) :
  is_ieee F -> inputs F l fx fx ->
  look_checks F l dot least up slack c1 c2 spare = true ->
  0 <= d -> 0 <= size -> 0 <= rest ->
  base F fx least = d * sqrt nn * Q2R up + size * Q2R slack ->
  terms_in F l fx dot <= Q2R c1 * size + rest ->
  rounded F fx least < rounded F fx dot ->
  d * sqrt nn + Q2R c2 * size + Q2R spare * eta F < exact fx dot + rest.
Proof.
  intros I G C Pd Ps Pr B T H. unfold look_checks in C.
  destruct (error_in F l dot) as [[r m]|] eqn:E; [|discriminate].
  destruct (lower_in F l least) as [[f k]|] eqn:L; [|discriminate].
  rewrite !andb_true_iff in C. destruct C as [[[[[[C C1] C2] C3] C4] C5] C6].
  cbn [constants_are_numbers] in C. apply andb_true_iff in C. destruct C as [W1 W2].
  apply Qle_bool_iff, Qle_Rle in C1, C2, C3, C4, C5, C6.
  rewrite Q2R_1, Q2R_mult in C1. rewrite Q2R_0 in C2, C3. rewrite Q2R_1 in C4.
  rewrite Q2R_plus, !Q2R_mult in C5. rewrite !Q2R_plus, Q2R_0 in C6.
  pose proof (error_is_at_most F l fx fx I G dot r m W1 E) as X. apply Rabs_le_inv in X.
  destruct (value_is_at_least F l fx fx I G least f k W2 L) as [_ Y]. rewrite B in Y.
  pose proof (sqrt_pos nn) as Pn. pose proof (eta_positive F) as Pe.
  assert (Pdn : 0 <= d * sqrt nn) by now apply Rmult_le_pos.
  assert (A1 : 1 * (d * sqrt nn) <= Q2R f * Q2R up * (d * sqrt nn)) by now apply Rmult_le_compat_r.
  assert (A2 : Q2R r * terms_in F l fx dot <= Q2R r * (Q2R c1 * size + rest)) by now apply Rmult_le_compat_l.
  assert (A3 : (Q2R r * Q2R c1 + Q2R c2) * size <= Q2R f * Q2R slack * size) by now apply Rmult_le_compat_r.
  assert (A4 : (Q2R m + Q2R k + Q2R spare) * eta F <= 0 * eta F) by (apply Rmult_le_compat_r; lra).
  assert (A5 : Q2R r * rest <= 1 * rest) by now apply Rmult_le_compat_r.
  lra.
Qed.

Lemma sum_of_sizes x y z : sqrt (x * x + y * y + z * z) <= Rabs x + Rabs y + Rabs z.
Proof.
  pose proof (Rabs_pos x). pose proof (Rabs_pos y). pose proof (Rabs_pos z).
  rewrite <- (sqrt_square (Rabs x + Rabs y + Rabs z)) by lra. apply sqrt_le_1_alt.
  assert (Q : forall a, a * a = Rabs a * Rabs a) by (intros a; rewrite <- Rabs_mult, Rabs_pos_eq; auto; apply Rle_0_sqr).
  rewrite (Q x), (Q y), (Q z).
  pose proof (Rmult_le_pos (Rabs x) (Rabs y)). pose proof (Rmult_le_pos (Rabs x) (Rabs z)). pose proof (Rmult_le_pos (Rabs y) (Rabs z)).
  lra.
Qed.

(* Along n: what places that are off by e each change of the difference of two. *)
Lemma a_difference_along a b c x y z p q r e : Rabs (x - p) <= 2 * e -> Rabs (y - q) <= 2 * e -> Rabs (z - r) <= 2 * e ->
  Rabs ((a * x + b * y + c * z) - (a * p + b * q + c * r)) <= (Rabs a + Rabs b + Rabs c) * (2 * e).
Proof.
  intros X Y Z. replace (a * x + b * y + c * z - (a * p + b * q + c * r)) with (a * (x - p) + b * (y - q) + c * (z - r)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang|]. rewrite !Rabs_mult.
  pose proof (Rmult_le_compat_l _ _ _ (Rabs_pos a) X). pose proof (Rmult_le_compat_l _ _ _ (Rabs_pos b) Y).
  pose proof (Rmult_le_compat_l _ _ _ (Rabs_pos c) Z). lra.
Qed.
