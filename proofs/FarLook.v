(* Pairs that are plainly apart (docs/numerics.md, 4.14): GZ_FAR_SLACK, GZ_FAR_LARGEST. *)
From Coq Require Import Reals QArith Qreals Qround ZArith List Bool Lra Lia.
From Flocq Require Import Core Relative.
Require Import Rounding Given Size Positive Cover Beyond FarPlaces TracesLooks.
Open Scope R_scope.

(* Coordinate c of vertex i at the start of a window is number 3 i + c, at its end 12 more; 24 is the largest coordinate, 25
   the reach, then n, then the share of the largest coordinate. *)
Definition far_rep (i : nat) : poly := if Nat.ltb i 24 then one 24 else one i.
Definition far_pair (i j : nat) : option poly :=
  if (Nat.ltb i 24 && Nat.ltb j 24)%bool then Some ((2%Q, 24%nat :: nil) :: nil) else None.
(* Three differences along n, each of at most twice the largest coordinate. *)
Definition along_most : poly := scale 6 (times (one 24) (plus (one 26) (plus (one 27) (one 28)))).

(* What is left over of the slack: more than the automatic tolerance. Where the largest coordinate is 2^-100 or more, what
   underflows in places is a part of it, too. *)
Definition tolerance_share : Q := two_to (-39).
Definition far_least : Q := two_to (-100).
Definition far_error : Q := (2 * place_share + two_to (-48) + tolerance_share)%Q.
(* The share is the product with the slack, rounded. *)
Definition of_share (slack q : Q) : Q := (q / (slack * (1 - uQ F)))%Q.

Section Far.
Variables (l : list given_variable) (x : nat -> R).
Hypothesis given : inputs F l x x.
Hypothesis positive : positive_in l 24 = true /\ positive_in l 25 = true /\ positive_in l 29 = true.
Hypothesis largest : forall i, (i < 24)%nat -> Rabs (x i) <= x 24%nat.

Definition far_sum : R := Rabs (x 26%nat) + Rabs (x 27%nat) + Rabs (x 28%nat).
Definition far_square : R := x 26%nat * x 26%nat + x 27%nat * x 27%nat + x 28%nat * x 28%nat.
Definition far_norm : R := sqrt far_square.
Definition far_along (y : nat -> R) (j i : nat) : R :=
  x 26%nat * (y j - y i) + x 27%nat * (y (j + 1)%nat - y (i + 1)%nat) + x 28%nat * (y (j + 2)%nat - y (i + 2)%nat).

Definition far_upper (value : expr) : bool :=
  match upper (r_in F l) (m_in l) far_rep far_pair no_mean value with Some p => at_most_that p along_most | None => false end.
Definition far_checks (value least : expr) (up slack : Q) : bool :=
  look_checks F l value least up 1 (of_share slack 6) (of_share slack far_error) 0 &&
  look_checks F l value least up 1 0 0 8 && Qle_bool (two_to (-20)) slack.

Lemma far_sizes : sizes_hold x (fun i => Rabs (x i)) far_rep far_pair no_mean no_mean.
Proof.
  destruct positive as (P24 & _). pose proof (a_positive_variable F l x x given 24 P24) as R.
  constructor; try discriminate.
  - intros i. apply Rabs_pos.
  - intros i. unfold far_rep. destruct (Nat.ltb i 24) eqn:E; rewrite value_of_one; [|apply Rle_refl].
    apply Nat.ltb_lt in E. rewrite (Rabs_pos_eq (x 24%nat)) by auto. now apply largest.
  - intros i j p H. unfold far_pair in H. destruct (Nat.ltb i 24 && Nat.ltb j 24)%bool eqn:E; [|discriminate].
    assert (Ep : p = (2%Q, 24%nat :: nil) :: nil) by congruence. subst p.
    apply andb_true_iff in E. rewrite !Nat.ltb_lt in E. destruct E as [I J].
    cbn [value]. unfold mono. cbn [product]. rewrite (Rabs_pos_eq (x 24%nat)) by auto.
    replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra).
    pose proof (largest i I) as A. pose proof (largest j J) as B. apply Rabs_le_inv in A, B. apply Rabs_le. lra.
Qed.

Lemma far_terms value : far_upper value = true -> terms_in F l x value <= 6 * (x 24%nat * far_sum).
Proof.
  unfold far_upper. destruct (upper _ _ _ _ _ value) as [p|] eqn:U; [|discriminate]. intros H.
  destruct positive as (P24 & _). pose proof (a_positive_variable F l x x given 24 P24) as R.
  apply (upper_holds x _ _ _ _ _ _ _ far_sizes) in U.
  apply (at_most_that_holds _ (positive_sizes _ _ _ _ _ _ far_sizes)) in H.
  unfold terms_in. eapply Rle_trans; [exact U|]. eapply Rle_trans; [exact H|].
  unfold along_most. rewrite value_of_scale, value_of_times, !value_of_plus, !value_of_one, (Rabs_pos_eq (x 24%nat)) by auto.
  replace (Q2R 6) with 6 by (unfold Q2R; simpl; lra). unfold far_sum. right. ring.
Qed.

(* What an exact place is off by. *)
Definition far_off : R := Q2R place_share * x 24%nat + 2 * eta F.
Lemma far_along_moves y j i : (forall k, (k < 24)%nat -> Rabs (x k - y k) <= far_off) -> (j < 22)%nat -> (i < 22)%nat ->
  far_along x j i <= far_along y j i + far_sum * (2 * far_off).
Proof.
  intros Y J I. assert (D : forall k m, (k < 24)%nat -> (m < 24)%nat -> Rabs ((x k - x m) - (y k - y m)) <= 2 * far_off).
  { intros k m K M. pose proof (Y k K) as A. pose proof (Y m M) as B. apply Rabs_le_inv in A, B. apply Rabs_le. lra. }
  pose proof (a_difference_along (x 26%nat) (x 27%nat) (x 28%nat) _ _ _ _ _ _ far_off (D j i ltac:(lia) ltac:(lia))
    (D (j + 1)%nat (i + 1)%nat ltac:(lia) ltac:(lia)) (D (j + 2)%nat (i + 2)%nat ltac:(lia) ltac:(lia))) as H.
  apply Rabs_le_inv in H. unfold far_along, far_sum in *. lra.
Qed.

Lemma far_positive : 0 <= x 24%nat /\ 0 <= x 25%nat /\ 0 <= x 29%nat /\ 0 <= far_sum /\ 0 <= far_norm <= far_sum.
Proof.
  destruct positive as (P24 & P25 & P29). pose proof (a_positive_variable F l x x given 24 P24).
  pose proof (a_positive_variable F l x x given 25 P25). pose proof (a_positive_variable F l x x given 29 P29).
  pose proof (Rabs_pos (x 26%nat)). pose proof (Rabs_pos (x 27%nat)). pose proof (Rabs_pos (x 28%nat)).
  pose proof (sum_of_sizes (x 26%nat) (x 27%nat) (x 28%nat)). pose proof (sqrt_pos far_square).
  unfold far_sum, far_norm, far_square in *. lra.
Qed.

Theorem a_far_look_is_right value least up slack y j i :
  far_checks value least up slack = true -> far_upper value = true ->
  base F x least = x 25%nat * far_norm * Q2R up + (far_sum * x 29%nat * 1) ->
  exact x value = far_along x j i ->
  x 29%nat = round_ F (x 24%nat * Q2R slack) ->
  (Q2R far_least <= x 24%nat \/ x 24%nat <= Q2R far_least /\ far_sum <= Q2R (two_to 10) * x 24%nat) ->
  (forall k, (k < 24)%nat -> Rabs (x k - y k) <= far_off) -> (j < 22)%nat -> (i < 22)%nat ->
  rounded F x least < rounded F x value ->
  (x 25%nat + Q2R tolerance_share * x 24%nat) * far_norm < far_along y j i.
Proof.
  intros C U B E S L Y J I H. unfold far_checks in C. rewrite !andb_true_iff in C. destruct C as [[C1 C2] C3].
  pose proof far_positive as (P24 & P25 & P29 & Ps & Pn & Ns). pose proof (far_terms value U) as T.
  pose proof (far_along_moves y j i Y J I) as M. pose proof (eta_positive F) as Pe.
  assert (Pl : 0 < Q2R far_least) by (unfold far_least; rewrite two_to_is_bpow; apply bpow_gt_0).
  apply Qle_bool_iff, Qle_Rle in C3. assert (Pk : 0 < Q2R slack) by (eapply Rlt_le_trans; [|exact C3]; rewrite two_to_is_bpow; apply bpow_gt_0).
  assert (Ptol : 0 <= Q2R tolerance_share) by (unfold tolerance_share; rewrite two_to_is_bpow; apply bpow_ge_0).
  set (R := x 24%nat) in *. set (d := x 25%nat) in *. set (n := far_norm) in *. set (s := far_sum) in *.
  destruct L as [L | [L L1]].
  - (* the share has a relative error *)
    assert (Q : R * (Q2R slack * (1 - u F)) <= x 29%nat).
    { rewrite S. pose proof (relative_error_N_FLT radix2 (emin F) (prec F) eq_refl (fun x => negb (Z.even x)) (R * Q2R slack)) as W.
      fold ZnearestE in W. rewrite half_ulp in W. fold (round_ F (R * Q2R slack)) in W.
      assert (Pp : 0 <= R * Q2R slack) by (apply Rmult_le_pos; lra).
      rewrite (Rabs_pos_eq (R * Q2R slack)) in W by auto.
      assert (G : bpow radix2 (emin F + prec F - 1) <= R * Q2R slack).
      { apply Rle_trans with (Q2R far_least * Q2R (two_to (-20))).
        - unfold far_least. rewrite !two_to_is_bpow, <- bpow_plus. apply bpow_le. vm_compute. discriminate.
        - apply Rmult_le_compat; auto; [apply Rlt_le; auto | rewrite two_to_is_bpow; apply bpow_ge_0]. }
      specialize (W G). apply Rabs_le_inv in W. lra. }
    assert (Ku : 0 < Q2R slack * (1 - u F)) by (apply Rmult_lt_0_compat; auto; pose proof (u_below_1 F eq_refl); lra).
    assert (O : forall q, Q2R (of_share slack q) * (Q2R slack * (1 - u F)) = Q2R q).
    { intros q. unfold of_share, Qdiv. rewrite Q2R_mult, Q2R_inv, Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u.
      - field. split; pose proof (u_below_1 F eq_refl); lra.
      - intros Z. apply Qeq_eqR in Z. rewrite Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u, Q2R_0 in Z. lra. }
    assert (O2 : forall q, (0 <= q)%Q -> Q2R q * (R * s) <= Q2R (of_share slack q) * (s * x 29%nat)).
    { intros q Pq. apply Qle_Rle in Pq. rewrite Q2R_0 in Pq. rewrite <- (O q) in Pq |- *.
      assert (P : 0 <= Q2R (of_share slack q)) by (apply Rmult_le_reg_r with (Q2R slack * (1 - u F)); lra).
      replace (Q2R (of_share slack q) * (Q2R slack * (1 - u F)) * (R * s)) with
        (Q2R (of_share slack q) * (s * (R * (Q2R slack * (1 - u F))))) by ring.
      apply Rmult_le_compat_l; auto. apply Rmult_le_compat_l; auto. }
    pose proof (a_look_is_right F l x value least up 1 _ _ 0 d far_square (s * x 29%nat) 0 binary32_is_ieee given C1 P25
      ltac:(apply Rmult_le_pos; auto) (Rle_refl 0)) as G. rewrite Q2R_1, Q2R_0 in G.
    specialize (G B). fold far_norm n in G.
    assert (T2 : terms_in F l x value <= Q2R (of_share slack 6) * (s * x 29%nat) + 0).
    { pose proof (O2 6%Q ltac:(discriminate)) as O6. replace (Q2R 6) with 6 in O6 by (unfold Q2R; simpl; lra). lra. }
    specialize (G T2 H). rewrite E in G.
    pose proof (O2 far_error ltac:(vm_compute; discriminate)) as OE.
    unfold far_error in OE at 1. rewrite !Q2R_plus, Q2R_mult in OE. replace (Q2R 2) with 2 in OE by (unfold Q2R; simpl; lra).
    unfold far_off in M. fold R s in M.
    assert (K : 4 * eta F <= Q2R (two_to (-48)) * R).
    { apply Rle_trans with (Q2R (two_to (-48)) * Q2R far_least).
      - unfold far_least, eta. rewrite !two_to_is_bpow, <- bpow_plus.
        replace 4 with (bpow radix2 2) by (simpl; lra). rewrite <- bpow_plus. apply bpow_le. vm_compute. discriminate.
      - apply Rmult_le_compat_l; auto. rewrite two_to_is_bpow. apply bpow_ge_0. }
    assert (K2 : s * (4 * eta F) <= s * (Q2R (two_to (-48)) * R)) by now apply Rmult_le_compat_l.
    assert (K3 : Q2R tolerance_share * R * n <= Q2R tolerance_share * R * s) by (apply Rmult_le_compat_l; auto; now apply Rmult_le_pos).
    lra.
  - (* all errors are below what underflows *)
    assert (V : s <= Q2R (two_to (-80))).
    { apply Rle_trans with (1 := L1). apply Rle_trans with (Q2R (two_to 10) * Q2R far_least).
      - apply Rmult_le_compat_l; auto. rewrite two_to_is_bpow. apply bpow_ge_0.
      - unfold far_least. rewrite !two_to_is_bpow, <- bpow_plus. apply bpow_le. vm_compute. discriminate. }
    assert (Z : 8 * (R * s) <= eta F).
    { apply Rle_trans with (8 * (Q2R far_least * Q2R (two_to (-80)))).
      - apply Rmult_le_compat_l; [lra|]. now apply Rmult_le_compat.
      - unfold far_least, eta. rewrite !two_to_is_bpow, <- bpow_plus. replace 8 with (bpow radix2 3) by (simpl; lra).
        rewrite <- bpow_plus. apply bpow_le. vm_compute. discriminate. }
    assert (V1 : s <= 1).
    { apply Rle_trans with (1 := V). rewrite two_to_is_bpow. change 1 with (bpow radix2 0). apply bpow_le. lia. }
    assert (Z0 : 0 <= R * s) by now apply Rmult_le_pos.
    pose proof (a_look_is_right F l x value least up 1 _ _ 8 d far_square (s * x 29%nat) (6 * (R * s)) binary32_is_ieee given C2 P25
      ltac:(apply Rmult_le_pos; auto) ltac:(lra)) as G. rewrite Q2R_1, Q2R_0 in G.
    specialize (G B). fold far_norm n in G. specialize (G ltac:(lra) H). rewrite E in G.
    replace (Q2R 8) with 8 in G by (unfold Q2R; simpl; lra).
    assert (W : s * (2 * far_off) <= 2 * (R * s) + 4 * eta F).
    { unfold far_off. fold R. assert (Pq : Q2R place_share <= 1) by (rewrite <- Q2R_1; apply Qle_Rle; vm_compute; discriminate).
      assert (A1 : Q2R place_share * (R * s) <= 1 * (R * s)) by now apply Rmult_le_compat_r.
      assert (A2 : s * eta F <= 1 * eta F) by (apply Rmult_le_compat_r; lra). lra. }
    assert (K3 : Q2R tolerance_share * R * n <= Q2R tolerance_share * R * s) by (apply Rmult_le_compat_l; auto; now apply Rmult_le_pos).
    assert (Pt1 : Q2R tolerance_share <= 1) by (rewrite <- Q2R_1; apply Qle_Rle; vm_compute; discriminate).
    assert (K4 : Q2R tolerance_share * (R * s) <= 1 * (R * s)) by now apply Rmult_le_compat_r.
    lra.
Qed.
End Far.

(* ---- the look itself ---- *)

Definition variables := TracedFarFace0.variables.
Definition slack_in_use : Q := value_of TracedFarFace0.FAR_SLACK.

Section Looks.
Variable x : nat -> R.
Hypothesis given : inputs F variables x x.
Hypothesis largest : forall i, (i < 24)%nat -> Rabs (x i) <= x 24%nat.
(* The share of the largest coordinate, as the code has it. *)
Hypothesis share : x 29%nat = rounded F x TracedFarFace0.share.
(* Where coordinates are below 2^-100 no direction is longer than 2^10 times the largest. *)
Hypothesis short : Q2R far_least <= x 24%nat \/ x 24%nat <= Q2R far_least /\ far_sum x <= Q2R (two_to 10) * x 24%nat.
(* What stands for the places in exact numbers. *)
Variable y : nat -> R.
Hypothesis places : forall k, (k < 24)%nat -> Rabs (x k - y k) <= far_off x.

(* What the code finds beyond its threshold is: row j less row i is farther along n than the reach and the tolerance. *)
Definition far_is_right (value least : expr) (j i : nat) : Prop :=
  rounded F x least < rounded F x value ->
  (x 25%nat + Q2R tolerance_share * x 24%nat) * far_norm x < far_along x y j i.

Lemma far_is_right_of value least j i : far_checks variables value least (value_of TracedFarFace0.NORM_UP) slack_in_use = true ->
  far_upper variables value = true ->
  base F x least = x 25%nat * sqrt (far_square x + 0) * Q2R (value_of TracedFarFace0.NORM_UP) + (far_sum x * x 29%nat + 0) ->
  exact x value = far_along x x j i -> (j < 22)%nat -> (i < 22)%nat -> far_is_right value least j i.
Proof.
  intros C U B E J I H.
  apply (a_far_look_is_right variables x given ltac:(repeat split) largest value least (value_of TracedFarFace0.NORM_UP) slack_in_use y j i C U); auto.
  - rewrite B, !Rplus_0_r, Rmult_1_r. reflexivity.
Qed.

Ltac far :=
  apply far_is_right_of; [vm_compute; reflexivity | vm_compute; reflexivity
  | unfold value_of, TracedFarFace0.NORM_UP; rewrite number_is_F2R; reflexivity
  | cbn; unfold far_along; cbn [Nat.add]; replace (F2R (Float radix2 0 0)) with 0 by (unfold F2R; simpl; ring); ring
  | lia | lia].

(* A vertex and a face, by the corner that is the nearest along n: at the start, and at the end. *)
Theorem far_faces_are_apart :
  far_is_right TracedFarFace0.beyond_0 TracedFarFace0.least 3 0 /\ far_is_right TracedFarFace0.beyond_1 TracedFarFace0.least 15 12 /\
  far_is_right TracedFarFace1.beyond_0 TracedFarFace1.least 6 0 /\ far_is_right TracedFarFace1.beyond_1 TracedFarFace1.least 18 12 /\
  far_is_right TracedFarFace2.beyond_0 TracedFarFace2.least 9 0 /\ far_is_right TracedFarFace2.beyond_1 TracedFarFace2.least 21 12.
Proof. refine (conj _ (conj _ (conj _ (conj _ (conj _ _))))); far. Qed.

(* Two edges, by the ends that are the nearest. *)
Theorem far_edges_are_apart :
  far_is_right TracedFarEdge0.beyond_0 TracedFarEdge0.least 6 0 /\ far_is_right TracedFarEdge0.beyond_1 TracedFarEdge0.least 18 12 /\
  far_is_right TracedFarEdge1.beyond_0 TracedFarEdge1.least 9 0 /\ far_is_right TracedFarEdge1.beyond_1 TracedFarEdge1.least 21 12 /\
  far_is_right TracedFarEdge2.beyond_0 TracedFarEdge2.least 6 3 /\ far_is_right TracedFarEdge2.beyond_1 TracedFarEdge2.least 18 15 /\
  far_is_right TracedFarEdge3.beyond_0 TracedFarEdge3.least 9 3 /\ far_is_right TracedFarEdge3.beyond_1 TracedFarEdge3.least 21 15.
Proof. refine (conj _ (conj _ (conj _ (conj _ (conj _ (conj _ (conj _ _))))))); far. Qed.
End Looks.

(* ---- nothing overflows ---- *)

(* Coordinates of at most 2^k, directions of at most 2^(2k + 9). *)
Definition sized (k : Z) : list given_variable :=
  repeat (given_as k false false) 24 ++ repeat (given_as k true false) 2 ++ repeat (given_as (2 * k + 9) false false) 3 ++
  given_as k true false :: nil.
Definition looks : list expr :=
  TracedFarFace0.beyond_0 :: TracedFarFace0.beyond_1 :: TracedFarFace1.beyond_0 :: TracedFarFace1.beyond_1 ::
  TracedFarFace2.beyond_0 :: TracedFarFace2.beyond_1 :: TracedFarEdge0.beyond_0 :: TracedFarEdge0.beyond_1 ::
  TracedFarEdge1.beyond_0 :: TracedFarEdge1.beyond_1 :: TracedFarEdge2.beyond_0 :: TracedFarEdge2.beyond_1 ::
  TracedFarEdge3.beyond_0 :: TracedFarEdge3.beyond_1 :: TracedFarFace0.slack :: nil.
(* Cross products; sums of coordinates, the other directions, are far smaller. *)
Definition directions : list expr :=
  TracedDirectionFace.n_0 :: TracedDirectionFace.n_1 :: TracedDirectionFace.n_2 ::
  TracedDirectionEdge.n_0 :: TracedDirectionEdge.n_1 :: TracedDirectionEdge.n_2 :: nil.
Definition fits_at (k : Z) (most : Q) (e : expr) : bool :=
  match largest_in F (sized k) e with Some q => Qle_bool q most | None => false end.
Definition looks_fit (k : Z) : bool :=
  forallb (fits_at k (two_to 127)) looks && forallb (fits_at k (two_to (2 * k + 9))) directions.
Definition exponent_of (q : Q) : Z := Z.log2_up (Qceiling q).
Definition exponent : Z := exponent_of (value_of TracedFarFace0.LARGEST).

Lemma what_fits k most e x : inputs F (sized k) x x -> fits_at k most e = true ->
  nothing_overflows F x e /\ Rabs (rounded F x e) <= Q2R most.
Proof.
  unfold fits_at. destruct (largest_in F (sized k) e) as [q|] eqn:L; [|discriminate]. intros G H. apply Qle_bool_iff, Qle_Rle in H.
  unfold largest_in in L. apply (largest_holds F eq_refl _ _ _ _ x x G) in L. destruct L. split; auto. lra.
Qed.

Lemma looks_are_fit : looks_fit exponent = true -> forallb (fits_at exponent (two_to 127)) looks = true /\
  forallb (fits_at exponent (two_to (2 * exponent + 9))) directions = true.
Proof. unfold looks_fit. apply andb_true_iff. Qed.
Lemma they_are_fit : looks_fit exponent = true.
Proof. vm_compute. reflexivity. Qed.

Theorem looks_do_not_overflow x : inputs F (sized exponent) x x ->
  (forall e, In e looks -> nothing_overflows F x e) /\
  (forall e, In e directions -> nothing_overflows F x e /\ Rabs (rounded F x e) <= bpow radix2 (2 * exponent + 9)).
Proof.
  intros G. destruct (looks_are_fit they_are_fit) as [C1 C2]. rewrite forallb_forall in C1, C2. split; intros e H.
  - exact (proj1 (what_fits _ _ _ _ G (C1 e H))).
  - rewrite <- two_to_is_bpow. exact (what_fits _ _ _ _ G (C2 e H)).
Qed.
