(* The first probe, of differences that are narrowed to float and scaled (docs/numerics.md, 4.10): GZ_NARROW_TINY. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core Relative.
Require Import Rounding Given Beyond TracesLooks.
Open Scope R_scope.
Import TracedNarrowed.
Notation D := binary64.
Notation F := binary32.

(* A scaled difference is off by this part of itself, and by 5 eta times the scale or 1: that is at most this part of a size
   that is not below the least one. *)
Definition own_share : Q := (129 # 64) * uQ F.
Definition lost_share (tiny : Q) : Q := etaQ F / (tiny * (1 - uQ F)).
(* The last one is of the separation, where it underflows. *)
Definition narrowed_share (tiny : Q) : Q := own_share + 5 * lost_share tiny + 2 * lost_share tiny.
Definition narrowed_checks (tiny : Q) : bool :=
  look_checks F variables dot least (value_of NORM_UP / (1 + (65 # 64) * uQ F)) (value_of DOT_SLACK) 1 (narrowed_share tiny) 0 &&
  Qle_bool (two_to (-125)) tiny && Qle_bool tiny 1.
Definition tiny : Q := value_of NARROW_TINY.

Section Narrowed.
Variable x : nat -> R.
Hypothesis given : inputs F variables x x.
Definition n (c : nat) := x (3 + c)%nat.
Definition s := x 6%nat.
Definition separation := x 7%nat.
Definition W (c : nat) := x (11 + c)%nat. (* scaled *)
Definition M (c : nat) := x (14 + c)%nat.
(* Coordinates of both points. *)
Variables a b : nat -> R.
Hypothesis numbers : forall c, (c < 3)%nat -> is_number D (a c) /\ is_number D (b c).
Hypothesis narrowed : forall c, (c < 3)%nat -> x c = round_ F (round_ D (b c - a c)).
Hypothesis scaled : forall c, (c < 3)%nat -> W c = round_ F (x c * s).
Hypothesis scale_positive : 0 < s.
Hypothesis sizes : forall c, (c < 3)%nat -> Rabs (x c) <= x (8 + c)%nat /\ round_ F (x (8 + c)%nat * s) <= M c.
Hypothesis least_sizes : forall c, (c < 3)%nat -> rounded F x least_size <= M c /\ rounded F x TracedNarrowedFar.least_size <= M c.
Hypothesis separated : x 17%nat = rounded F x reach.

(* As the code has them. *)
Lemma narrowed_as_in_the_code :
  rounded F x scaled_0 = round_ F (x 0%nat * s) /\ rounded F x scaled_1 = round_ F (x 1%nat * s) /\
  rounded F x scaled_2 = round_ F (x 2%nat * s) /\ rounded F x size = round_ F (x 8%nat * s).
Proof. repeat split. Qed.

Let u := u F.
Let h := eta F.
Let g := Rmax s 1.
Let k := Q2R tiny.

Lemma u_is_tiny : 0 < u <= / 1000 /\ Rounding.u D <= u * / 1000 /\ 0 < h /\ Rounding.eta D <= h * / 1000.
Proof.
  split; [|split; [|split]].
  - split; [apply u_positive|]. unfold u. rewrite <- uQ_is_u. replace (/ 1000) with (Q2R (1 # 1000)) by (unfold Q2R; simpl; lra).
    apply Qle_Rle. vm_compute. discriminate.
  - unfold u. rewrite <- !uQ_is_u. replace (Q2R (uQ F) * / 1000) with (Q2R (uQ F * (1 # 1000))) by (rewrite Q2R_mult; unfold Q2R at 2; simpl; lra).
    apply Qle_Rle. vm_compute. discriminate.
  - apply eta_positive.
  - unfold h. rewrite <- !etaQ_is_eta. replace (Q2R (etaQ F) * / 1000) with (Q2R (etaQ F * (1 # 1000))) by (rewrite Q2R_mult; unfold Q2R at 2; simpl; lra).
    apply Qle_Rle. vm_compute. discriminate.
Qed.

Lemma g_is : 1 <= g /\ s <= g.
Proof. split; [apply Rmax_r | apply Rmax_l]. Qed.

(* What underflows is small beside a size. *)
Lemma the_least_is : narrowed_checks tiny = true -> forall c, (c < 3)%nat -> g * h <= Q2R (lost_share tiny) * M c.
Proof.
  intros C c L. unfold narrowed_checks in C. destruct (andb_prop _ _ C) as [C0 C2]. destruct (andb_prop _ _ C0) as [_ C1]. clear C C0.
  apply Qle_bool_iff, Qle_Rle in C1, C2. rewrite two_to_is_bpow in C1. rewrite Q2R_1 in C2. fold k in C1, C2.
  destruct (least_sizes c L) as [L1 L2]. destruct u_is_tiny as (U & _ & Ph & _).
  assert (V : F2R (Float radix2 1 (-100)) = k) by (symmetry; apply number_is_F2R).
  change (rounded F x least_size) with (round_ F (s * F2R (Float radix2 1 (-100)))) in L1.
  change (rounded F x TracedNarrowedFar.least_size) with (round_ F (F2R (Float radix2 1 0) * F2R (Float radix2 1 (-100)))) in L2.
  rewrite V in L1, L2. replace (F2R (Float radix2 1 0)) with 1 in L2 by (unfold F2R; simpl; ring).
  assert (K : (1 - u) * (g * k) <= M c).
  { assert (B : forall y, 1 <= y -> (1 - u) * (y * k) <= round_ F (y * k)).
    { intros y Y. assert (Pp : 0 <= y * k) by (apply Rmult_le_pos; [lra | eapply Rle_trans; [apply bpow_ge_0 | exact C1]]).
      pose proof (relative_error_N_FLT radix2 (emin F) (prec F) eq_refl (fun x => negb (Z.even x)) (y * k)) as R.
      fold ZnearestE in R. rewrite half_ulp in R. fold (round_ F (y * k)) in R. rewrite (Rabs_pos_eq (y * k)) in R by auto.
      assert (G : bpow radix2 (emin F + prec F - 1) <= y * k).
      { apply Rle_trans with (1 * bpow radix2 (-125)).
        - rewrite Rmult_1_l. apply bpow_le. vm_compute. discriminate.
        - apply Rmult_le_compat; auto; [lra | apply bpow_ge_0]. }
      specialize (R G). apply Rabs_le_inv in R. fold u in R. lra. }
    unfold g, Rmax. destruct (Rle_dec s 1) as [Q|Q]; [pose proof (B 1 (Rle_refl 1)); lra | pose proof (B s ltac:(lra)); lra]. }
  assert (Pk : 0 < k) by (eapply Rlt_le_trans; [|exact C1]; apply bpow_gt_0).
  assert (E : Q2R (lost_share tiny) * (k * (1 - u)) = h).
  { unfold lost_share, Qdiv. rewrite Q2R_mult, Q2R_inv, Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u, etaQ_is_eta; fold u k h.
    - field. split; lra.
    - intros Z. apply Qeq_eqR in Z. rewrite Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u, Q2R_0 in Z. fold u k in Z.
      assert (0 < k * (1 - u)) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (Pl : 0 <= Q2R (lost_share tiny)).
  { apply Rmult_le_reg_r with (k * (1 - u)); [apply Rmult_lt_0_compat; lra|]. lra. }
  rewrite <- E. replace (g * (Q2R (lost_share tiny) * (k * (1 - u)))) with (Q2R (lost_share tiny) * ((1 - u) * (g * k))) by ring.
  now apply Rmult_le_compat_l.
Qed.

(* A difference as it is narrowed and scaled, beside the exact one. *)
Lemma a_scaled_difference c : (c < 3)%nat -> Rabs (W c - s * (b c - a c)) <= Q2R own_share * Rabs (W c) + 5 * (g * h).
Proof.
  intros L. destruct (numbers c L) as [Na Nb]. destruct u_is_tiny as ((U0 & U) & V & Ph & Hh). destruct g_is as [G1 Gs].
  pose proof (sum_errs D eq_refl (b c) (- a c) Nb (number_opp D _ Na)) as E1. change (b c + - a c) with (b c - a c) in E1.
  set (e := b c - a c) in *. set (y := round_ D e) in *.
  pose proof (round_errs F eq_refl y) as E2. rewrite <- (narrowed c L : x c = round_ F y) in E2. fold u h in E2.
  pose proof (round_errs F eq_refl (x c * s)) as E3. rewrite <- (scaled c L) in E3. fold u h in E3.
  rewrite Rabs_mult, (Rabs_pos_eq s) in E3 by lra. pose proof (u_positive D) as UD.
  assert (B1 : Rabs y <= (1 + u * / 1000) * Rabs e).
  { replace y with ((y - e) + e) by ring. eapply Rle_trans; [apply Rabs_triang|]. pose proof (Rabs_pos e). nra. }
  assert (B2 : Rabs (x c - e) <= (u + u * / 400) * Rabs e + h).
  { replace (x c - e) with ((x c - y) + (y - e)) by ring. eapply Rle_trans; [apply Rabs_triang|]. pose proof (Rabs_pos e) as Pe.
    assert (C1 : u * Rabs y <= u * ((1 + u * / 1000) * Rabs e)) by (apply Rmult_le_compat_l; lra).
    assert (C2 : u * (u * / 1000) * Rabs e <= u * / 1000 * Rabs e).
    { apply Rmult_le_compat_r; auto. rewrite <- (Rmult_1_l (u * / 1000)) at 2. apply Rmult_le_compat_r; lra. }
    assert (C3 : Rounding.u D * Rabs e <= u * / 1000 * Rabs e) by (apply Rmult_le_compat_r; lra).
    assert (C4 : 0 <= u * Rabs e) by (apply Rmult_le_pos; lra). lra. }
  set (q := Rabs e) in *. assert (Pq : 0 <= q) by apply Rabs_pos.
  assert (B3 : Rabs (x c) <= (1 + u + u * / 400) * q + h).
  { replace (x c) with ((x c - e) + e) by ring. eapply Rle_trans; [apply Rabs_triang|]. fold q. lra. }
  assert (K1 : u * u <= u * / 1000) by (apply Rmult_le_compat_l; lra).
  assert (Pu : 0 <= s * q) by (apply Rmult_le_pos; lra).
  assert (K2 : s * h <= g * h) by (apply Rmult_le_compat_r; lra). assert (K3 : h <= g * h) by (rewrite <- (Rmult_1_l h) at 1; apply Rmult_le_compat_r; lra).
  assert (K4 : Rabs (x c) * s <= (1 + u + u * / 400) * (s * q) + s * h).
  { replace ((1 + u + u * / 400) * (s * q) + s * h) with (((1 + u + u * / 400) * q + h) * s) by ring. apply Rmult_le_compat_r; lra. }
  assert (K5 : u * (Rabs (x c) * s) <= u * ((1 + u + u * / 400) * (s * q) + s * h)) by (apply Rmult_le_compat_l; lra).
  assert (K6 : s * Rabs (x c - e) <= s * ((u + u * / 400) * q + h)) by (apply Rmult_le_compat_l; lra).
  assert (K7 : u * (s * h) <= / 1000 * (g * h)) by (apply Rmult_le_compat; try lra; apply Rmult_le_pos; lra).
  assert (K8 : u * ((1 + u + u * / 400) * (s * q)) <= (u + u * / 500) * (s * q)).
  { replace (u * ((1 + u + u * / 400) * (s * q))) with ((u + u * u + u * u * / 400) * (s * q)) by ring. apply Rmult_le_compat_r; lra. }
  assert (K9 : 0 <= u * (s * q)) by (apply Rmult_le_pos; lra).
  assert (T : Rabs (W c - s * e) <= (2 * u + u * / 200) * (s * q) + (2 + / 100) * (g * h)).
  { replace (W c - s * e) with ((W c - x c * s) + s * (x c - e)) by ring. eapply Rle_trans; [apply Rabs_triang|].
    rewrite (Rabs_mult s), (Rabs_pos_eq s) by lra. lra. }
  assert (Eq : s * q = Rabs (s * e)) by (rewrite Rabs_mult, (Rabs_pos_eq s); auto; lra). rewrite Eq in *.
  pose proof (Rabs_triang_inv (s * e) (W c)) as I. rewrite Rabs_minus_sym in I. set (z := Rabs (s * e)) in *.
  assert (S : z <= (1 + / 300) * Rabs (W c) + 3 * (g * h)).
  { assert ((2 * u + u * / 200) * z <= (/ 1000 * 3) * z) by (apply Rmult_le_compat_r; lra). pose proof (Rabs_pos (W c)). lra. }
  assert (S2 : (2 * u + u * / 200) * z <= (2 * u + u * / 200) * ((1 + / 300) * Rabs (W c) + 3 * (g * h))) by (apply Rmult_le_compat_l; lra).
  assert (S3 : (2 * u + u * / 200) * (1 + / 300) * Rabs (W c) <= 129 / 64 * u * Rabs (W c)) by (apply Rmult_le_compat_r; [apply Rabs_pos | lra]).
  assert (S4 : (2 * u + u * / 200) * (3 * (g * h)) <= / 100 * (g * h)).
  { rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra. }
  unfold own_share. rewrite Q2R_mult, uQ_is_u. fold u. replace (Q2R (129 # 64)) with (129 / 64) by (unfold Q2R; simpl; lra). lra.
Qed.

Definition norm : R := sqrt (n 0 * n 0 + n 1 * n 1 + n 2 * n 2).
Theorem narrowed_probes_are_right : 0 < rounded F x (Sub dot least) ->
  separation * norm < n 0 * (b 0%nat - a 0%nat) + n 1 * (b 1%nat - a 1%nat) + n 2 * (b 2%nat - a 2%nat).
Proof.
  intros H. cbn [rounded] in H. apply (a_positive_rounding_is_positive F binary32_is_ieee) in H.
  assert (C : narrowed_checks tiny = true) by (vm_compute; reflexivity).
  pose proof (the_least_is C) as LS. unfold narrowed_checks in C. destruct (andb_prop _ _ C) as [C0 _]. clear C. destruct (andb_prop _ _ C0) as [C _]. clear C0.
  destruct u_is_tiny as ((U0 & U) & _ & Ph & _). destruct g_is as [G1 Gs].
  pose proof (a_positive_variable F variables x x given 7 eq_refl) as P7. pose proof (a_positive_variable F variables x x given 17 eq_refl) as P17.
  assert (PM : forall c, (c < 3)%nat -> Rabs (W c) <= M c).
  { intros c L. destruct (sizes c L) as [S1 S2]. eapply Rle_trans; [|exact S2]. rewrite (scaled c L).
    assert (B : forall v w, v <= w -> round_ F v <= round_ F w).
    { intros v w K. unfold round_. assert (Prec_gt_0 (prec F)) by reflexivity. apply round_le; auto with typeclass_instances. }
    assert (B2 : x c * s <= x (8 + c)%nat * s /\ - (x (8 + c)%nat * s) <= x c * s).
    { apply Rabs_le_inv in S1. split; nra. }
    apply Rabs_le. split; [|apply B; tauto].
    replace (- round_ F (x (8 + c)%nat * s)) with (round_ F (- (x (8 + c)%nat * s))); [apply B; tauto|].
    unfold round_. apply round_NE_opp. }
  set (sum := Rabs (n 0) * M 0 + Rabs (n 1) * M 1 + Rabs (n 2) * M 2).
  pose proof (Rabs_pos (n 0)) as N0. pose proof (Rabs_pos (n 1)) as N1. pose proof (Rabs_pos (n 2)) as N2.
  pose proof (PM 0%nat ltac:(auto)) as M0. pose proof (PM 1%nat ltac:(auto)) as M1. pose proof (PM 2%nat ltac:(auto)) as M2.
  pose proof (Rabs_pos (W 0)) as W0. pose proof (Rabs_pos (W 1)) as W1. pose proof (Rabs_pos (W 2)) as W2.
  assert (Ps : 0 <= sum) by (unfold sum; repeat apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra).
  assert (T : terms_in F variables x dot <= Q2R 1 * sum + 0).
  { rewrite Q2R_1, Rmult_1_l, Rplus_0_r.
    change (terms_in F variables x dot) with (Rabs (n 0) * Rabs (W 0) + Rabs (n 1) * Rabs (W 1) + Rabs (n 2) * Rabs (W 2)).
    unfold sum. repeat apply Rplus_le_compat; now apply Rmult_le_compat_l. }
  set (up := (1 + 65 / 64 * u)).
  assert (EU : Q2R (value_of NORM_UP / (1 + (65 # 64) * uQ F)) * up = Q2R (value_of NORM_UP)).
  { unfold Qdiv. rewrite Q2R_mult, Q2R_inv, Q2R_plus, Q2R_mult, Q2R_1, uQ_is_u; fold u; replace (Q2R (65 # 64)) with (65 / 64) by (unfold Q2R; simpl; lra).
    - unfold up. field. lra.
    - intros Z. apply Qeq_eqR in Z. rewrite Q2R_plus, Q2R_mult, Q2R_1, uQ_is_u, Q2R_0 in Z. replace (Q2R (65 # 64)) with (65 / 64) in Z by (unfold Q2R; simpl; lra). fold u in Z. lra. }
  pose proof (a_look_is_right F variables x dot least _ (value_of DOT_SLACK) 1 (narrowed_share tiny) 0 (x 17%nat * up)
    (n 0 * n 0 + n 1 * n 1 + n 2 * n 2) sum 0 binary32_is_ieee given C ltac:(apply Rmult_le_pos; unfold up; lra) Ps (Rle_refl 0)) as R.
  fold norm in R. rewrite Q2R_0 in R.
  assert (B : base F x least = x 17%nat * up * norm * Q2R (value_of NORM_UP / (1 + (65 # 64) * uQ F)) + sum * Q2R (value_of DOT_SLACK)).
  { replace (x 17%nat * up * norm * Q2R (value_of NORM_UP / (1 + (65 # 64) * uQ F))) with
      (x 17%nat * norm * (Q2R (value_of NORM_UP / (1 + (65 # 64) * uQ F)) * up)) by ring. rewrite EU.
    rewrite <- (Rplus_0_r (sum * _)). unfold value_of, NORM_UP, DOT_SLACK, norm. rewrite !number_is_F2R.
    rewrite <- (Rplus_0_r (n 0 * n 0 + n 1 * n 1 + n 2 * n 2)). reflexivity. }
  specialize (R B T ltac:(lra)).
  change (exact x dot) with (n 0 * W 0 + n 1 * W 1 + n 2 * W 2) in R.
  unfold narrowed_share in R. rewrite !Q2R_plus, !Q2R_mult in R.
  replace (Q2R 5) with 5 in R by (unfold Q2R; simpl; lra). replace (Q2R 2) with 2 in R by (unfold Q2R; simpl; lra).
  set (o := Q2R own_share) in *. set (l := Q2R (lost_share tiny)) in *.
  assert (Po : 0 <= o) by (unfold o, own_share; rewrite Q2R_mult, uQ_is_u; fold u; replace (Q2R (129 # 64)) with (129 / 64) by (unfold Q2R; simpl; lra); lra).
  (* the differences *)
  assert (E : forall c, (c < 3)%nat -> n c * W c <= n c * (s * (b c - a c)) + Rabs (n c) * (o * M c + 5 * (l * M c))).
  { intros c L. pose proof (a_scaled_difference c L) as A. fold o in A. pose proof (LS c L) as B1. pose proof (PM c L) as B2.
    assert (B3 : o * Rabs (W c) <= o * M c) by now apply Rmult_le_compat_l.
    assert (B4 : Rabs (n c * (W c - s * (b c - a c))) <= Rabs (n c) * (o * M c + 5 * (l * M c))).
    { rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos|]. fold l in B1. lra. }
    apply Rabs_le_inv in B4. lra. }
  pose proof (E 0%nat ltac:(auto)) as E0. pose proof (E 1%nat ltac:(auto)) as E1. pose proof (E 2%nat ltac:(auto)) as E2.
  (* the separation *)
  assert (S : s * separation <= up * (x 17%nat + h)).
  { pose proof (round_errs F eq_refl (separation * s)) as S1. fold u h in S1. change (rounded F x reach) with (round_ F (separation * s)) in separated.
    rewrite <- separated, (Rabs_pos_eq (separation * s)) in S1 by (apply Rmult_le_pos; [exact P7 | lra]). apply Rabs_le_inv in S1.
    assert (S2 : (1 - u) * (separation * s) <= x 17%nat + h) by lra.
    assert (S3 : up * ((1 - u) * (separation * s)) <= up * (x 17%nat + h)) by (apply Rmult_le_compat_l; unfold up; lra).
    assert (S4 : 0 <= separation * s) by (apply Rmult_le_pos; [exact P7 | lra]).
    assert (Su : 1 <= up * (1 - u)).
    { assert (u * u <= / 1000 * u) by (apply Rmult_le_compat_r; lra). unfold up. lra. }
    assert (S5 : 1 * (separation * s) <= up * (1 - u) * (separation * s)) by (apply Rmult_le_compat_r; auto). lra. }
  assert (Ln : norm <= Rabs (n 0) + Rabs (n 1) + Rabs (n 2)) by apply sum_of_sizes.
  assert (Pn : 0 <= norm) by apply sqrt_pos.
  assert (Lh : forall c, (c < 3)%nat -> Rabs (n c) * h <= Rabs (n c) * (l * M c)).
  { intros c L. apply Rmult_le_compat_l; [apply Rabs_pos|]. pose proof (LS c L) as B1. fold l in B1.
    assert (1 * h <= g * h) by (apply Rmult_le_compat_r; lra). lra. }
  pose proof (Lh 0%nat ltac:(auto)) as L0. pose proof (Lh 1%nat ltac:(auto)) as L1. pose proof (Lh 2%nat ltac:(auto)) as L2.
  assert (X : s * separation * norm <= x 17%nat * up * norm + 2 * (l * sum)).
  { apply Rle_trans with (up * (x 17%nat + h) * norm); [now apply Rmult_le_compat_r|].
    assert (X1 : h * norm <= h * (Rabs (n 0) + Rabs (n 1) + Rabs (n 2))) by (apply Rmult_le_compat_l; lra).
    assert (X2 : up * (h * norm) <= 2 * (h * norm)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | unfold up; lra]).
    unfold sum. lra. }
  assert (Y : s * separation * norm < s * (n 0 * (b 0%nat - a 0%nat) + n 1 * (b 1%nat - a 1%nat) + n 2 * (b 2%nat - a 2%nat))).
  { unfold sum in *. lra. }
  rewrite Rmult_assoc in Y. now apply Rmult_lt_reg_l in Y.
Qed.
End Narrowed.
