(* Matrices of a joint that turns about an axis (docs/numerics.md, 9.3): GZ_JOINT_ERROR. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given TracesModels.
Open Scope R_scope.
Local Notation u := (u binary64).
Import TracedJoint.

(* Entries of a rotation are off by 16 u, components of a unit axis by 3 u; none is more than 1 where it is exact. *)
Definition joint_r (i : nat) : Q := 0.
Definition joint_off (i : nat) : Q := in_etas binary64 ((if Nat.ltb i 9 then 16 else 3) * uQ binary64).
Definition joint_size (i : nat) : Q := 1 + 16 * uQ binary64.
Definition joint_positive (i : nat) : bool := false.
Definition joint_error : expr -> option (Q * Q) := Rounding.error binary64 joint_r joint_off joint_size.
Definition entries : list expr := fixed ++ cosine ++ sine.
Definition entry_bound (e : expr) : Q :=
  match joint_error e with Some (r, m) => (r * most joint_size e + m * etaQ binary64)%Q | None => 1%Q end.
Definition entry_checks (error : Q) (e : expr) : bool :=
  match joint_error e with
  | Some (r, m) => constants_are_numbers binary64 e && Qle_bool 0 r && Qle_bool (entry_bound e) error
  | None => false
  end.

Section Joints.
Variables fx ex : nat -> R.
Hypothesis given : variables_are_as_given binary64 joint_r joint_off joint_size joint_positive fx ex.

Lemma an_entry_is_within e : In e entries -> Rabs (rounded binary64 fx e - exact ex e) <= Q2R (value_of ERROR).
Proof.
  intros I. assert (C : forallb (entry_checks (value_of ERROR)) entries = true) by (vm_compute; reflexivity).
  rewrite forallb_forall in C. specialize (C e I). unfold entry_checks, entry_bound in C.
  destruct (joint_error e) as [[r m]|] eqn:E; [|discriminate]. rewrite !andb_true_iff in C. destruct C as [[W C0] C].
  apply Qle_bool_iff, Qle_Rle in C0, C. rewrite Q2R_0 in C0. rewrite Q2R_plus, !Q2R_mult, etaQ_is_eta in C.
  destruct (error_holds binary64 eq_refl joint_r joint_off joint_size joint_positive fx ex given ltac:(vm_compute; discriminate) e (r, m) W E)
    as (_ & _ & H). cbn [fst snd] in H.
  destruct (terms_are_at_most binary64 joint_r joint_off joint_size joint_positive fx ex given e) as [T|T]; [|unfold joint_error in E; congruence].
  apply (Rmult_le_compat_l (Q2R r)) in T; auto. lra.
Qed.

(* The matrices that are meant, of the exact rotation and the exact axis. *)
Let rotation (i k : nat) : R := ex (3 * i + k)%nat.
Let axis (k : nat) : R := ex (9 + k)%nat.
Definition times_rotation (m : nat -> nat -> R) (i j : nat) : R :=
  rotation i 0 * m 0%nat j + rotation i 1 * m 1%nat j + rotation i 2 * m 2%nat j.
Definition along_axis (k j : nat) : R := axis k * axis j.
Definition across_axis (k j : nat) : R := (if Nat.eqb k j then 1 else 0) - axis k * axis j.
Definition axis_cross (k j : nat) : R :=
  match k, j with
  | 0%nat, 1%nat => - axis 2 | 0%nat, 2%nat => axis 1 | 1%nat, 0%nat => axis 2
  | 1%nat, 2%nat => - axis 0 | 2%nat, 0%nat => - axis 1 | 2%nat, 1%nat => axis 0
  | _, _ => 0
  end.
Definition entry_of (l : list expr) (i j : nat) : expr := nth (3 * i + j) l (Var 0).

Ltac an_entry := match goal with |- Rabs (rounded _ _ (entry_of ?l ?i ?j) - _) <= _ =>
    let e := eval cbv [entry_of l nth Nat.mul Nat.add] in (entry_of l i j) in
    change (entry_of l i j) with e;
    replace (times_rotation _ i j) with (exact ex e);
      [apply an_entry_is_within; unfold entries, fixed, cosine, sine; repeat (first [left; reflexivity | right])
      | cbv -[Rplus Rmult Rminus Ropp F2R ex IZR]; unfold F2R; simpl; ring] end.

Theorem entries_of_joints_are_within i j : (i < 3)%nat -> (j < 3)%nat ->
  Rabs (rounded binary64 fx (entry_of fixed i j) - times_rotation along_axis i j) <= Q2R (value_of ERROR) /\
  Rabs (rounded binary64 fx (entry_of cosine i j) - times_rotation across_axis i j) <= Q2R (value_of ERROR) /\
  Rabs (rounded binary64 fx (entry_of sine i j) - times_rotation axis_cross i j) <= Q2R (value_of ERROR).
Proof.
  intros I J. destruct i as [|[|[|i]]]; [| | |lia]; destruct j as [|[|[|j]]]; try lia; refine (conj _ (conj _ _)); an_entry.
Qed.
End Joints.
