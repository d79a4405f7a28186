(* What factors that turn roundings to one side have to be, in double. *)
From Coq Require Import Reals QArith Qreals ZArith Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Directed.
Open Scope R_scope.

Definition uq : Q := uQ binary64.
Notation u64 := (u binary64).
Notation eta64 := (eta binary64).

Lemma u_is_tiny : 0 < u64 <= / 1024.
Proof.
  split; [apply u_positive|]. unfold u. change (/ 1024) with (/ IZR (2 ^ 10)). rewrite (IZR_Zpower radix2) by lia.
  rewrite <- bpow_opp. apply bpow_le. simpl. lia.
Qed.
Lemma at_most p q : Qle_bool p q = true -> Q2R p <= Q2R q.
Proof. intros H. now apply Qle_Rle, Qle_bool_iff. Qed.
Ltac real_of H := apply at_most in H; unfold Qdiv, uq in H;
  rewrite ?Q2R_mult, ?Q2R_plus, ?Q2R_minus, ?Q2R_mult, ?Q2R_plus, ?Q2R_minus, ?Q2R_1, ?uQ_is_u in H.

Definition raises (k : Q) : bool := Qle_bool 1 ((1 - uq) * (1 - uq) * k) && Qle_bool 1 k.
Lemma raises_is_right k : raises k = true -> 1 <= (1 - u64) * (1 - u64) * Q2R k /\ 1 <= Q2R k.
Proof.
  unfold raises. rewrite andb_true_iff. intros [A B]. real_of A. real_of B. auto.
Qed.

(* s is off by f: two sums of what is off by 3 u *)
Definition three : Q := 3.
Definition reach_factor : Q := (1 + uq) * (1 + uq) * (1 + three * uq).
Definition lowers (k : Q) : bool := Qle_bool ((1 + uq) * k * reach_factor) 1 && Qle_bool (1 # 2) k && Qle_bool k 1.
Lemma lowers_is_right k : lowers k = true ->
  (1 + u64) * Q2R k * ((1 + u64) * (1 + u64) * (1 + 3 * u64)) <= 1 /\ / 2 <= Q2R k <= 1.
Proof.
  unfold lowers, reach_factor. rewrite !andb_true_iff. intros [[A B] C]. real_of A. real_of B. real_of C.
  replace (Q2R three) with 3 in A by (unfold Q2R, three; simpl; lra).
  replace (Q2R (1 # 2)) with (/ 2) in B by (unfold Q2R; simpl; lra). auto.
Qed.

(* a quotient of at least 2^-6, and a sum with a time up to 1 *)
Definition waits (k : Q) : bool :=
  Qle_bool ((1 + uq) * (1 + uq) * (1 + uq) * k + (1 + 1) * ((1 + 1) * (1 + 1) * (1 + 1)) * ((1 + 1) * (1 + 1) * (1 + 1)) * uq) 1
  && Qle_bool (1 # 2) k && Qle_bool k 1.
Lemma waits_is_right k : waits k = true ->
  (1 + u64) * (1 + u64) * (1 + u64) * Q2R k + 128 * u64 <= 1 /\ / 2 <= Q2R k <= 1.
Proof.
  unfold waits. rewrite !andb_true_iff. intros [[A B] C]. real_of A. real_of B. real_of C.
  replace (Q2R (1 # 2)) with (/ 2) in B by (unfold Q2R; simpl; lra). split; auto. lra.
Qed.

(* a computed length, and what underflows of its squares; 2^-535 is above the root of 24 eta *)
Definition length_upQ : Q := (1 + uq) * ((1 + (1 + uq) * (1 + uq) * (1 + uq)) * (1 # 2)).
Definition lengthens (k tiny : Q) : bool :=
  Qle_bool ((1 + uq) * (1 + uq) * k * length_upQ) 1 &&
  Qle_bool ((1 + uq) * k * ((1 + uq) * two_to (-535)) + etaQ binary64) tiny && Qle_bool 0 k && Qle_bool 0 tiny.
Lemma length_up_is : Q2R length_upQ = length_up binary64.
Proof.
  unfold length_upQ, length_up, uq. rewrite !Q2R_mult, !Q2R_plus, !Q2R_mult, !Q2R_plus, Q2R_1, !uQ_is_u.
  replace (Q2R (1 # 2)) with (/ 2) by (unfold Q2R; simpl; lra). reflexivity.
Qed.
Lemma lengthens_is_right k tiny : lengthens k tiny = true ->
  (1 + u64) * (1 + u64) * Q2R k * length_up binary64 <= 1 /\
  (1 + u64) * Q2R k * ((1 + u64) * sqrt (24 * eta64)) + eta64 <= Q2R tiny /\ 0 <= Q2R k /\ 0 <= Q2R tiny.
Proof.
  unfold lengthens. rewrite !andb_true_iff. intros [[[A B] C] D].
  apply at_most in A, B, C, D. rewrite Q2R_0 in C, D. repeat split; auto.
  - rewrite !Q2R_mult, Q2R_plus, length_up_is, Q2R_1 in A. unfold uq in A. now rewrite uQ_is_u in A.
  - rewrite Q2R_plus, !Q2R_mult, !Q2R_plus, etaQ_is_eta, two_to_is_bpow, Q2R_1 in B. unfold uq in B. rewrite uQ_is_u in B.
    eapply Rle_trans; [|exact B]. apply Rplus_le_compat_r. pose proof u_is_tiny.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_l; [lra|].
    rewrite <- (sqrt_square (bpow radix2 (-535))) by apply bpow_ge_0. apply sqrt_le_1_alt. rewrite <- bpow_plus.
    change (-535 + -535)%Z with (5 + (-1075))%Z. rewrite bpow_plus. unfold eta. change (emin binary64 - 1)%Z with (-1075)%Z.
    apply Rmult_le_compat_r; [apply bpow_ge_0|]. simpl. lra.
Qed.

(* a vector of about 1 that was divided by its length, which is at least f - 2 m eta times its exact length *)
Definition unites (f m k : Q) : bool :=
  let least := (f - (1 + 1) * m * etaQ binary64)%Q in
  Qle_bool (1 + uq + (1 + 1) * (1 + 1) * etaQ binary64) ((1 - uq) * k * least) && Qle_bool (1 # 2) least
  && Qle_bool least 1 && Qle_bool 0 k && Qle_bool 0 m.
Lemma unites_is_right f m k : unites f m k = true -> let least := Q2R f - 2 * Q2R m * eta64 in
  1 + u64 + 4 * eta64 <= (1 - u64) * Q2R k * least /\ / 2 <= least <= 1 /\ 0 <= Q2R k /\ 0 <= Q2R m.
Proof.
  unfold unites. cbv zeta. rewrite !andb_true_iff. intros [[[[A B] C] D] M].
  apply at_most in A, B, C, D, M. rewrite Q2R_0 in D, M.
  assert (E : Q2R (f - (1 + 1) * m * etaQ binary64) = Q2R f - 2 * Q2R m * eta64).
  { rewrite Q2R_minus, !Q2R_mult, Q2R_plus, Q2R_1, etaQ_is_eta. lra. }
  rewrite E in B, C. rewrite !Q2R_mult, E, !Q2R_plus, !Q2R_mult, !Q2R_plus, Q2R_minus, etaQ_is_eta, Q2R_1 in A.
  unfold uq in A. rewrite uQ_is_u in A. rewrite Q2R_1 in C.
  replace (Q2R (1 # 2)) with (/ 2) in B by (unfold Q2R; simpl; lra). repeat split; auto; lra.
Qed.
