(* The variables of a traced value, as trace.cpp declares them. *)
From Coq Require Import Reals QArith ZArith List Bool.
From Flocq Require Import Core.
Require Import Rounding.

(* |x| <= 2^size; never negative; rounded from an exact value, which it differs from by u of it and one underflow *)
Record given_variable := given_as { v_size : Z; v_positive : bool; v_rounded : bool }.

Definition size_in (l : list given_variable) (i : nat) : Q :=
  match nth_error l i with Some v => two_to (v_size v) | None => 0 end.
Definition positive_in (l : list given_variable) (i : nat) : bool :=
  match nth_error l i with Some v => v_positive v | None => false end.
Definition is_rounded_in (l : list given_variable) (i : nat) : bool :=
  match nth_error l i with Some v => v_rounded v | None => false end.
Definition r_in (F : format) (l : list given_variable) (i : nat) : Q := if is_rounded_in l i then uQ F else 0.
Definition m_in (l : list given_variable) (i : nat) : Q := if is_rounded_in l i then 1 else 0.

(* fx are the numbers that the code has, ex the exact ones that they stand for. *)
Definition inputs (F : format) (l : list given_variable) (fx ex : nat -> R) : Prop :=
  variables_are_as_given F (r_in F l) (m_in l) (size_in l) (positive_in l) fx ex.

Definition error_in (F : format) (l : list given_variable) : expr -> option (Q * Q) :=
  error F (r_in F l) (m_in l) (size_in l).
Definition lower_in (F : format) (l : list given_variable) : expr -> option (Q * Q) :=
  lower F (size_in l) (positive_in l).
Definition largest_in (F : format) (l : list given_variable) : expr -> option Q := largest F (size_in l).
Definition terms_in (F : format) (l : list given_variable) (ex : nat -> R) : expr -> R := terms (r_in F l) (m_in l) ex.

(* A format that the theorems are for. *)
Definition is_ieee (F : format) : Prop :=
  (0 < prec F)%Z /\ (2 * (emin F + prec F - 1) <= emin F)%Z /\ (emin F <= 0)%Z.
Lemma binary64_is_ieee : is_ieee binary64. Proof. repeat split; discriminate. Qed.
Lemma binary32_is_ieee : is_ieee binary32. Proof. repeat split; discriminate. Qed.

Section Theorems.
Variables (F : format) (l : list given_variable) (fx ex : nat -> R).
Hypothesis ieee : is_ieee F.
Hypothesis given : inputs F l fx ex.

Lemma error_is_at_most e r m : constants_are_numbers F e = true -> error_in F l e = Some (r, m) ->
  (Rabs (rounded F fx e - exact ex e) <= Q2R r * terms_in F l ex e + Q2R m * eta F)%R.
Proof.
  intros W E. destruct ieee as (P & R & S).
  now destruct (error_holds F P _ _ _ _ fx ex given S e (r, m) W E) as (_ & _ & H).
Qed.

Lemma value_is_at_least e f m : constants_are_numbers F e = true -> lower_in F l e = Some (f, m) ->
  (0 <= base F fx e)%R /\ (Q2R f * base F fx e - Q2R m * eta F <= rounded F fx e)%R.
Proof.
  intros W E. destruct ieee as (P & R & S).
  now destruct (lower_holds F P R _ _ _ _ fx ex given S e (f, m) W E) as (_ & A & _ & H).
Qed.

Lemma nothing_is_too_large e q : largest_in F l e = Some q -> nothing_overflows F fx e.
Proof. intros E. destruct ieee as (P & R & S). now apply (largest_holds F P _ _ _ _ fx ex given) in E. Qed.

Lemma a_positive_variable i : positive_in l i = true -> (0 <= fx i)%R.
Proof. now destruct (given i) as (_ & _ & _ & _ & _ & _ & P). Qed.

Lemma a_positive_rounding_is_positive x : (0 < round_ F x)%R -> (0 < x)%R.
Proof.
  intros H. destruct (Rle_or_lt x 0) as [L|]; auto. exfalso. destruct ieee as (P & _).
  apply (Rlt_not_le _ _ H). unfold round_.
  rewrite <- (round_0 radix2 (FLT_exp (emin F) (prec F)) ZnearestE).
  assert (Prec_gt_0 (prec F)) by exact P.
  apply round_le; auto with typeclass_instances.
Qed.
End Theorems.

(* The value of a constant of the header. *)
Definition value_of (e : expr) : Q := match e with Cst m e => number m e | _ => 0 end.
