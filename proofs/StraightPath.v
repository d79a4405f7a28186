(* A value that moves straight, as a model over a window of time (docs/numerics.md, 9.3): GZ_PATH_ERROR. *)
From Coq Require Import Reals QArith Qreals Qminmax ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Directed DirectedChecks TracesMotion.
Open Scope R_scope.
Import TracedPath.

Definition path_checks (e0 e1 rest : option (Q * Q)) (path up : Q) : bool :=
  match e0, e1, rest with
  | Some (r0, m0), Some (r1, m1), Some (f, k) =>
    Qle_bool ((1 + 1 + 1) * r0) (f * (path * up)) && Qle_bool r1 r0 && Qle_bool (m0 + m1 + k) 0 && Qle_bool 0 r0
  | _, _, _ => false
  end.

(* Where the value moves from fx 0 to fx 1, its place at the time m + h s is within r of c0 + c1 s. *)
Theorem a_straight_path_is_a_model fx s : inputs binary64 variables fx fx -> Rabs s <= 1 ->
  Rabs (fx 2%nat) + Rabs (fx 3%nat) <= 2 ->
  let c := rounded binary64 fx in
  Rabs (fx 0%nat + (fx 1%nat - fx 0%nat) * (fx 2%nat + fx 3%nat * s) - (c c_0 + c c_1 * s)) <= c r /\
  nothing_overflows binary64 fx c_0 /\ nothing_overflows binary64 fx c_1 /\ nothing_overflows binary64 fx r.
Proof.
  intros G S T. cbv zeta.
  split; [|refine (conj _ (conj _ _)); eapply nothing_is_too_large; eauto using binary64_is_ieee; vm_compute; reflexivity].
  assert (K : path_checks (error_in binary64 variables c_0) (error_in binary64 variables c_1)
    (lower_in binary64 variables r) (value_of PATH_ERROR) (value_of UP) = true) by (vm_compute; reflexivity).
  destruct (error_in binary64 variables c_0) as [[r0 m0]|] eqn:A0; [|discriminate].
  destruct (error_in binary64 variables c_1) as [[r1 m1]|] eqn:A1; [|discriminate].
  destruct (lower_in binary64 variables r) as [[f k]|] eqn:A; [|discriminate].
  unfold path_checks in K. rewrite !andb_true_iff in K. destruct K as [[[K1 K2] K3] K4].
  apply at_most in K1, K2, K3, K4. rewrite !Q2R_mult, !Q2R_plus, Q2R_1 in K1. rewrite !Q2R_plus, Q2R_0 in K3.
  rewrite Q2R_0 in K4.
  pose proof (error_is_at_most binary64 _ fx fx binary64_is_ieee G c_0 r0 m0 ltac:(vm_compute; reflexivity) A0) as E0.
  pose proof (error_is_at_most binary64 _ fx fx binary64_is_ieee G c_1 r1 m1 ltac:(vm_compute; reflexivity) A1) as E1.
  destruct (value_is_at_least binary64 _ fx fx binary64_is_ieee G r f k ltac:(vm_compute; reflexivity) A) as [_ L].
  clear A0 A1 A.
  assert (B : base binary64 fx r = Q2R (value_of PATH_ERROR) * (Rabs (fx 0%nat) + Rabs (fx 1%nat)) * Q2R (value_of UP) + 0).
  { unfold value_of, PATH_ERROR, UP. rewrite !number_is_F2R. reflexivity. }
  rewrite B in L. clear B.
  change (exact fx c_0) with (fx 0%nat + (fx 1%nat - fx 0%nat) * fx 2%nat) in E0.
  change (exact fx c_1) with (fx 3%nat * (fx 1%nat - fx 0%nat)) in E1.
  change (terms_in binary64 variables fx c_0) with
    (Rabs (fx 0%nat) + Rabs (fx 1%nat - fx 0%nat) * Rabs (fx 2%nat)) in E0.
  change (terms_in binary64 variables fx c_1) with (Rabs (fx 3%nat) * Rabs (fx 1%nat - fx 0%nat)) in E1.
  set (a := fx 0%nat) in *. set (b := fx 1%nat) in *. set (m := fx 2%nat) in *. set (h := fx 3%nat) in *.
  set (x := rounded binary64 fx c_0) in *. set (y := rounded binary64 fx c_1) in *. set (z := rounded binary64 fx r) in *.
  clearbody x y z. pose proof (eta_positive binary64) as Pe.
  replace (a + (b - a) * (m + h * s) - (x + y * s)) with (- (x - (a + (b - a) * m)) + - ((y - h * (b - a)) * s)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_Ropp, Rabs_mult.
  assert (Y : Rabs (y - h * (b - a)) * Rabs s <= Rabs (y - h * (b - a)) * 1).
  { apply Rmult_le_compat_l; auto using Rabs_pos. }
  assert (D : Rabs (b - a) <= Rabs a + Rabs b).
  { unfold Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  pose proof (Rabs_pos a). pose proof (Rabs_pos b). pose proof (Rabs_pos (b - a)). pose proof (Rabs_pos m).
  pose proof (Rabs_pos h).
  assert (W : Rabs (b - a) * (Rabs m + Rabs h) <= (Rabs a + Rabs b) * 2) by (apply Rmult_le_compat; lra).
  assert (V : Q2R r1 * (Rabs h * Rabs (b - a)) <= Q2R r0 * (Rabs h * Rabs (b - a))).
  { apply Rmult_le_compat_r; auto. now apply Rmult_le_pos. }
  assert (Q : Q2R r0 * (Rabs a + Rabs (b - a) * (Rabs m + Rabs h)) <= Q2R r0 * (3 * (Rabs a + Rabs b))).
  { apply Rmult_le_compat_l; lra. }
  assert (P : (1 + 1 + 1) * Q2R r0 * (Rabs a + Rabs b) <=
    Q2R f * (Q2R (value_of PATH_ERROR) * Q2R (value_of UP)) * (Rabs a + Rabs b)) by (apply Rmult_le_compat_r; lra).
  assert (Z : (Q2R m0 + Q2R m1 + Q2R k) * eta64 <= 0 * eta64) by (apply Rmult_le_compat_r; lra).
  lra.
Qed.
