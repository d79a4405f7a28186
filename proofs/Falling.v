(* A bracket in which the volume polynomial falls (docs/numerics.md, 4.7): GZ_VOLUME_CURVE. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Positive Cover TracesSteps.
Open Scope R_scope.
Local Notation u := (u binary64).
Local Notation eta := (eta binary64).
Import TracedFalling.

Definition vector := nat -> R.
Definition det3 (x y z : vector) : R :=
  x 0%nat * (y 1%nat * z 2%nat - y 2%nat * z 1%nat) + x 1%nat * (y 2%nat * z 0%nat - y 0%nat * z 2%nat) +
  x 2%nat * (y 0%nat * z 1%nat - y 1%nat * z 0%nat).
Definition less (x y : vector) : vector := fun i => x i - y i.
Definition within (x : vector) (m : R) : Prop := forall i, (i < 3)%nat -> Rabs (x i) <= m.

Lemma det3_is_at_most x y z a b c : within x a -> within y b -> within z c -> Rabs (det3 x y z) <= 6 * (a * b * c).
Proof.
  intros X Y Z.
  assert (P : forall i j k, (i < 3)%nat -> (j < 3)%nat -> (k < 3)%nat -> Rabs (x i * (y j * z k)) <= a * b * c).
  { intros i j k I J K. rewrite !Rabs_mult, Rmult_assoc. repeat apply Rmult_le_compat; auto using Rabs_pos, Rmult_le_pos. }
  pose proof (P 0%nat 1%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as P1. pose proof (P 0%nat 2%nat 1%nat ltac:(lia) ltac:(lia) ltac:(lia)) as P2.
  pose proof (P 1%nat 2%nat 0%nat ltac:(lia) ltac:(lia) ltac:(lia)) as P3. pose proof (P 1%nat 0%nat 2%nat ltac:(lia) ltac:(lia) ltac:(lia)) as P4.
  pose proof (P 2%nat 0%nat 1%nat ltac:(lia) ltac:(lia) ltac:(lia)) as P5. pose proof (P 2%nat 1%nat 0%nat ltac:(lia) ltac:(lia) ltac:(lia)) as P6.
  apply Rabs_le_inv in P1, P2, P3, P4, P5, P6. unfold det3. apply Rabs_le. lra.
Qed.
Lemma less_is_within x y m : within x m -> within y m -> within (less x y) (2 * m).
Proof.
  intros X Y i I. unfold less, Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp.
  pose proof (X i I). pose proof (Y i I). lra.
Qed.

(* e1, e2 and q at both ends, and the largest component of each. *)
Section Volume.
Variables (a0 a1 b0 b1 q0 q1 : vector) (m1 m2 mq : R).
Hypothesis in_a : within a0 m1 /\ within a1 m1.
Hypothesis in_b : within b0 m2 /\ within b1 m2.
Hypothesis in_q : within q0 mq /\ within q1 mq.
Let sigma : R := m1 * m2 * mq.

(* The Bernstein coefficients of the volume, and its rate. *)
Definition coefficient_of (k : nat) : R :=
  match k with
  | 0%nat => det3 a0 b0 q0
  | 1%nat => (det3 a1 b0 q0 + det3 a0 b1 q0 + det3 a0 b0 q1) / 3
  | 2%nat => (det3 a1 b1 q0 + det3 a1 b0 q1 + det3 a0 b1 q1) / 3
  | _ => det3 a1 b1 q1
  end.
Definition at_time (x y : vector) (t : R) : vector := fun i => (1 - t) * x i + t * y i.
Definition volume_at (t : R) : R := det3 (at_time a0 a1 t) (at_time b0 b1 t) (at_time q0 q1 t).
Definition rate_of (c : nat -> R) (t : R) : R :=
  3 * ((1 - t) * ((1 - t) * (c 1%nat - c 0%nat) + t * (c 2%nat - c 1%nat)) + t * ((1 - t) * (c 2%nat - c 1%nat) + t * (c 3%nat - c 2%nat))).
Definition volume_rate (t : R) : R := rate_of coefficient_of t.

Lemma the_rate_is_the_derivative t : derivable_pt_lim volume_at t (volume_rate t).
Proof.
  set (c := coefficient_of).
  assert (E : forall s, volume_at s = c 0%nat + 3 * (c 1%nat - c 0%nat) * s + 3 * (c 2%nat - 2 * c 1%nat + c 0%nat) * (s * s) +
    (c 3%nat - 3 * c 2%nat + 3 * c 1%nat - c 0%nat) * (s * (s * s))).
  { intros s. unfold c, volume_at, coefficient_of, at_time, det3. field. }
  assert (D : derivable_pt_lim (fun s => c 0%nat + 3 * (c 1%nat - c 0%nat) * s + 3 * (c 2%nat - 2 * c 1%nat + c 0%nat) * (s * s) +
    (c 3%nat - 3 * c 2%nat + 3 * c 1%nat - c 0%nat) * (s * (s * s))) t (volume_rate t)).
  { set (k1 := 3 * (c 1%nat - c 0%nat)). set (k2 := 3 * (c 2%nat - 2 * c 1%nat + c 0%nat)). set (k3 := c 3%nat - 3 * c 2%nat + 3 * c 1%nat - c 0%nat).
    replace (volume_rate t) with (0 + k1 * 1 + k2 * (1 * t + t * 1) + k3 * (1 * (t * t) + t * (1 * t + t * 1)))
      by (unfold volume_rate, rate_of, k1, k2, k3; fold c; ring).
    assert (I : derivable_pt_lim (fun s => s) t 1) by apply derivable_pt_lim_id.
    apply derivable_pt_lim_plus; [apply derivable_pt_lim_plus; [apply derivable_pt_lim_plus|]|].
    - apply derivable_pt_lim_const.
    - now apply (derivable_pt_lim_scal (fun s => s)).
    - apply (derivable_pt_lim_scal (fun s => s * s)). now apply (derivable_pt_lim_mult (fun s => s) (fun s => s)).
    - apply (derivable_pt_lim_scal (fun s => s * (s * s))).
      apply (derivable_pt_lim_mult (fun s => s) (fun s => s * s)); auto. now apply (derivable_pt_lim_mult (fun s => s) (fun s => s)). }
  intros e Pe. destruct (D e Pe) as [d H]. exists d. intros h H0 Hd. rewrite !E. exact (H h H0 Hd).
Qed.

Lemma coefficients_are_at_most k : Rabs (coefficient_of k) <= 6 * sigma.
Proof.
  destruct in_a as [A0 A1]. destruct in_b as [B0 B1]. destruct in_q as [Q0 Q1].
  assert (P : forall x y z, Rabs x <= 6 * sigma -> Rabs y <= 6 * sigma -> Rabs z <= 6 * sigma -> Rabs ((x + y + z) / 3) <= 6 * sigma).
  { intros x y z X Y Z. apply Rabs_le_inv in X, Y, Z. apply Rabs_le. lra. }
  destruct k as [|[|[|k]]]; cbn [coefficient_of]; try apply P; apply det3_is_at_most; auto.
Qed.

(* Half of the change of the rate over the change of time, at either end: at most 72 sigma. *)
Lemma the_rate_changes_by s t : 0 <= s <= 1 -> 0 <= t <= 1 -> s <= t -> volume_rate t <= volume_rate s + 144 * sigma * (t - s).
Proof.
  intros S T L. destruct in_a as [A0 A1]. destruct in_b as [B0 B1]. destruct in_q as [Q0 Q1].
  pose proof (less_is_within _ _ _ A1 A0) as A. pose proof (less_is_within _ _ _ B1 B0) as B. pose proof (less_is_within _ _ _ Q1 Q0) as Q.
  set (c := coefficient_of). set (low := c 0%nat - 2 * c 1%nat + c 2%nat). set (high := c 1%nat - 2 * c 2%nat + c 3%nat).
  assert (E0 : low = (det3 (less a1 a0) (less b1 b0) q0 + det3 (less a1 a0) b0 (less q1 q0) + det3 a0 (less b1 b0) (less q1 q0)) / 3)
    by (unfold low, c, coefficient_of, det3, less; field).
  assert (E1 : high = (det3 (less a1 a0) (less b1 b0) q1 + det3 (less a1 a0) b1 (less q1 q0) + det3 a1 (less b1 b0) (less q1 q0)) / 3)
    by (unfold high, c, coefficient_of, det3, less; field).
  assert (H0 : Rabs low <= 24 * sigma).
  { rewrite E0. pose proof (det3_is_at_most _ _ _ _ _ _ A B Q0) as D1. pose proof (det3_is_at_most _ _ _ _ _ _ A B0 Q) as D2.
    pose proof (det3_is_at_most _ _ _ _ _ _ A0 B Q) as D3. apply Rabs_le_inv in D1, D2, D3. apply Rabs_le. unfold sigma. lra. }
  assert (H1 : Rabs high <= 24 * sigma).
  { rewrite E1. pose proof (det3_is_at_most _ _ _ _ _ _ A B Q1) as D1. pose proof (det3_is_at_most _ _ _ _ _ _ A B1 Q) as D2.
    pose proof (det3_is_at_most _ _ _ _ _ _ A1 B Q) as D3. apply Rabs_le_inv in D1, D2, D3. apply Rabs_le. unfold sigma. lra. }
  apply Rabs_le_inv in H0, H1.
  replace (volume_rate t) with (volume_rate s + 3 * (t - s) * ((2 - s - t) * low + (s + t) * high))
    by (unfold volume_rate, rate_of, low, high; fold c; ring).
  assert ((2 - s - t) * low <= (2 - s - t) * (24 * sigma)) by (apply Rmult_le_compat_l; lra).
  assert ((s + t) * high <= (s + t) * (24 * sigma)) by (apply Rmult_le_compat_l; lra).
  assert (3 * (t - s) * ((2 - s - t) * low + (s + t) * high) <= 3 * (t - s) * (48 * sigma)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* ---- the test of the code ---- *)

(* Of the slack this much may be taken for the roundings of the slope, with r its relative error. *)
Definition slope_room (r : Q) : Q := (6 + 6 * r + 36 * r * (1 + 4 * uQ binary64) * / (255 * uQ binary64))%Q.
Definition falling_checks (curve : Q) (least : expr) : bool :=
  match Rounding.error binary64 none none (size_in variables) slope, between binary64 variables none none 1 least with
  | Some (r, m), Some b =>
    Qle_bool 0 r && Qle_bool (144 * (1 + 4 * uQ binary64) * (1 + 2 * uQ binary64)) (lo b * curve) && Qle_bool (slope_room r) (lo b * 8) &&
    Qle_bool ((m + under b + 600 + 144 * r) * etaQ binary64) ((lo b * 8 - slope_room r) * two_to (-901))
  | _, _ => false
  end.

(* x: the coefficients as the code has them, their slack, the size, the bracket and its width. *)
Theorem volumes_fall_in_brackets x : positive_inputs binary64 variables x x none none ->
  (forall k, (k < 4)%nat -> Rabs (x k - coefficient_of k) <= x 4%nat) ->
  255 * u * x 5%nat + bpow radix2 (-901) <= x 4%nat -> sigma <= (1 + 4 * u) * x 5%nat + 4 * eta ->
  x 6%nat <= x 7%nat <= 1 -> x 7%nat - x 6%nat <= (1 + 2 * u) * x 8%nat ->
  rounded binary64 x least < rounded binary64 x fall ->
  forall s, x 6%nat <= s <= x 7%nat -> volume_rate s < 0.
Proof.
  intros G Near HS Hsigma [T1 T2] Width Test s Hs. pose proof (proj2 G) as P.
  pose proof (P 4%nat eq_refl) as P4. pose proof (P 5%nat eq_refl) as P5. pose proof (P 6%nat eq_refl) as P6. pose proof (P 8%nat eq_refl) as P8.
  assert (C : falling_checks (value_of CURVE) least = true) by (vm_compute; reflexivity).
  unfold falling_checks in C. destruct (Rounding.error binary64 none none (size_in variables) slope) as [[r m]|] eqn:E; [|discriminate].
  destruct (between binary64 variables none none 1 least) as [b|] eqn:B; [|discriminate].
  rewrite !andb_true_iff in C. destruct C as [[[C0 C1] C2] C3]. apply bool_le in C0, C1, C2, C3.
  destruct (between_holds binary64 variables x x none none 1 binary64_is_ieee eq_refl eq_refl G least b B ltac:(cbn; tauto))
    as [_ [LA _] _ _ _ _ H _ _].
  assert (Em : main binary64 x least = 8 * x 4%nat + x 5%nat * Q2R (value_of CURVE) * x 8%nat).
  { written. unfold value_of, CURVE. rewrite number_is_F2R.
    replace (F2R (Float radix2 1 3)) with 8 by (unfold F2R; cbn -[Rmult]; lra). ring. }
  rewrite Em in H. clear Em.
  destruct (error_holds binary64 eq_refl _ _ _ _ x x (proj1 G) ltac:(vm_compute; discriminate) slope (r, m) ltac:(vm_compute; reflexivity) E)
    as (Pr & Pm & D). cbn [fst snd] in *.
  assert (Pu : 0 < u <= / 1024).
  { split; [apply u_positive|]. change (/ 1024) with (bpow radix2 (-10)). apply bpow_le. vm_compute. discriminate. }
  pose proof (eta_positive binary64) as Pe.
  assert (Es : exact x slope = rate_of x (x 6%nat)).
  { let v := eval cbv in slope in change (exact x slope) with (exact x v). cbn [exact].
    replace (F2R (Float radix2 3 0)) with 3 by (unfold F2R; cbn -[Rmult]; lra).
    replace (F2R (Float radix2 1 0)) with 1 by (unfold F2R; cbn -[Rmult]; lra). unfold rate_of. ring. }
  set (t := x 6%nat) in *. set (S := x 4%nat) in *. set (z := x 5%nat) in *.
  assert (Ef : rounded binary64 x fall = - rounded binary64 x slope).
  { change (rounded binary64 x fall) with (round_ binary64 (- rounded binary64 x slope * F2R (Float radix2 1 0))).
    replace (F2R (Float radix2 1 0)) with 1 by (unfold F2R; simpl; ring). rewrite Rmult_1_r. unfold round_. apply round_generic; [apply valid_rnd_N|].
    apply generic_format_opp. apply (every_value_is_a_number binary64 eq_refl _ _ _ _ x x (proj1 G)). vm_compute. reflexivity. }
  rewrite Ef in Test.
  assert (Sz : forall k, (k < 4)%nat -> Rabs (x k) <= 6 * sigma + S).
  { intros k K. replace (x k) with (coefficient_of k + (x k - coefficient_of k)) by ring. eapply Rle_trans; [apply Rabs_triang|].
    pose proof (coefficients_are_at_most k). pose proof (Near k K). lra. }
  assert (Df : forall i j, (i < 4)%nat -> (j < 4)%nat -> Rabs (x i - x j) <= 12 * sigma + 2 * S).
  { intros i j I J. unfold Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. pose proof (Sz i I). pose proof (Sz j J). lra. }
  set (w := 1 - t).
  assert (Mean : forall p q v d, Rabs p <= d -> Rabs q <= d -> Rabs v <= d ->
    3 * (w * (w * Rabs p + t * Rabs q) + t * (w * Rabs q + t * Rabs v)) <= 3 * d).
  { intros p q v d Hp Hq Hv. assert (Pw : 0 <= w) by (unfold w; lra).
    assert (One : w * d + t * d = d) by (unfold w; ring).
    assert (Two : forall g h, Rabs g <= d -> Rabs h <= d -> w * Rabs g + t * Rabs h <= d).
    { intros g h Hg Hh. rewrite <- One. apply Rplus_le_compat; apply Rmult_le_compat_l; auto. }
    pose proof (Rmult_le_compat_l w _ _ Pw (Two p q Hp Hq)). pose proof (Rmult_le_compat_l t _ _ P6 (Two q v Hq Hv)). lra. }
  assert (Tm : terms none none x slope <= 3 * (12 * sigma + 2 * S)).
  { change (terms none none x slope) with (Rabs (F2R (Float radix2 3 0)) * (Rabs (F2R (Float radix2 1 0) - t) * (Rabs (F2R (Float radix2 1 0) - t) * Rabs (x 1%nat - x 0%nat) + Rabs t * Rabs (x 2%nat - x 1%nat)) +
      Rabs t * (Rabs (F2R (Float radix2 1 0) - t) * Rabs (x 2%nat - x 1%nat) + Rabs t * Rabs (x 3%nat - x 2%nat)))).
    replace (F2R (Float radix2 3 0)) with 3 by (unfold F2R; simpl; ring). replace (F2R (Float radix2 1 0)) with 1 by (unfold F2R; simpl; ring).
    fold w. rewrite (Rabs_pos_eq 3), (Rabs_pos_eq w), (Rabs_pos_eq t) by (unfold w; lra). apply Mean; apply Df; lia. }
  assert (Dc : Rabs (rate_of x t - volume_rate t) <= 6 * S).
  { assert (De : forall i j, (i < 4)%nat -> (j < 4)%nat -> Rabs ((x i - x j) - (coefficient_of i - coefficient_of j)) <= 2 * S).
    { intros i j I J. replace ((x i - x j) - (coefficient_of i - coefficient_of j)) with ((x i - coefficient_of i) + - (x j - coefficient_of j)) by ring.
      eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. pose proof (Near i I). pose proof (Near j J). lra. }
    pose proof (De 1%nat 0%nat ltac:(lia) ltac:(lia)) as D0. pose proof (De 2%nat 1%nat ltac:(lia) ltac:(lia)) as D1. pose proof (De 3%nat 2%nat ltac:(lia) ltac:(lia)) as D2.
    pose proof (Mean _ _ _ _ D0 D1 D2) as Q.
    set (y0 := (x 1%nat - x 0%nat) - (coefficient_of 1 - coefficient_of 0)) in *. set (y1 := (x 2%nat - x 1%nat) - (coefficient_of 2 - coefficient_of 1)) in *.
    set (y2 := (x 3%nat - x 2%nat) - (coefficient_of 3 - coefficient_of 2)) in *.
    replace (rate_of x t - volume_rate t) with (3 * (w * (w * y0 + t * y1) + t * (w * y1 + t * y2)))
      by (unfold volume_rate, rate_of, y0, y1, y2, w; ring).
    eapply Rle_trans; [|apply Rle_trans with (1 := Q); lra].
    assert (Pw : 0 <= w) by (unfold w; lra).
    assert (Tri : forall p q g h, 0 <= g -> 0 <= h -> Rabs (g * p + h * q) <= g * Rabs p + h * Rabs q).
    { intros p q g h Hg Hh. eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq g), (Rabs_pos_eq h) by auto. lra. }
    rewrite Rabs_mult, (Rabs_pos_eq 3) by lra. apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [apply Tri; auto|].
    apply Rplus_le_compat; apply Rmult_le_compat_l; auto. }
  pose proof (the_rate_changes_by t s ltac:(lra) ltac:(lra) ltac:(lra)) as Change.
  (* numbers *)
  rewrite !Q2R_mult, !Q2R_plus, Q2R_1, !Q2R_mult, uQ_is_u in C1. change (Q2R 144) with (144 * / 1) in C1. change (Q2R 4) with (4 * / 1) in C1. change (Q2R 2) with (2 * / 1) in C1.
  rewrite Q2R_0 in C0.
  assert (Er : Q2R (slope_room r) = 6 + 6 * Q2R r + 36 * Q2R r * (1 + 4 * u) * / (255 * u)).
  { unfold slope_room. rewrite !Q2R_plus, !Q2R_mult, !Q2R_plus, Q2R_1, Q2R_inv by (vm_compute; discriminate). rewrite !Q2R_mult, uQ_is_u.
    change (Q2R 6) with (6 * / 1). change (Q2R 36) with (36 * / 1). change (Q2R 4) with (4 * / 1). change (Q2R 255) with (255 * / 1).
    rewrite Rinv_1, !Rmult_1_r. reflexivity. }
  rewrite Q2R_mult, Er in C2. rewrite !Q2R_mult, Q2R_minus, !Q2R_plus, !Q2R_mult, Er, etaQ_is_eta, two_to_is_bpow in C3.
  change (Q2R 8) with (8 * / 1) in C2, C3. change (Q2R 600) with (600 * / 1) in C3. change (Q2R 144) with (144 * / 1) in C3.
  rewrite Rinv_1, !Rmult_1_r in C1, C2, C3.
  set (L := Q2R (lo b)) in *. set (K := Q2R (value_of CURVE)) in *. set (rr := Q2R r) in *. set (mm := Q2R m) in *. set (un := Q2R (under b)) in *.
  set (tiny := bpow radix2 (-901)) in *. set (k := 36 * rr * (1 + 4 * u) * / (255 * u)) in *.
  assert (Pi : 0 < / (255 * u)) by (apply Rinv_0_lt_compat; lra).
  assert (Pk : 0 <= k) by (unfold k; apply Rmult_le_pos; [|now left]; apply Rmult_le_pos; lra).
  assert (Ztok : 36 * rr * ((1 + 4 * u) * z) <= k * (S - tiny)).
  { apply Rle_trans with (k * (255 * u * z)); [right; unfold k; field; lra | apply Rmult_le_compat_l; lra]. }
  assert (Psigma : 144 * sigma * (s - t) <= L * (z * K * x 8%nat) + 144 * (4 * eta)).
  { apply Rle_trans with (144 * ((1 + 4 * u) * z + 4 * eta) * (s - t)); [apply Rmult_le_compat_r; lra|].
    assert (A1 : 144 * (4 * eta) * (s - t) <= 144 * (4 * eta) * 1) by (apply Rmult_le_compat_l; lra).
    assert (A2 : 144 * ((1 + 4 * u) * z) * (s - t) <= 144 * ((1 + 4 * u) * z) * ((1 + 2 * u) * x 8%nat)).
    { apply Rmult_le_compat_l; [|lra]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra. }
    assert (A3 : 144 * (1 + 4 * u) * (1 + 2 * u) * (z * x 8%nat) <= L * K * (z * x 8%nat)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos; auto | lra]).
    lra. }
  assert (R36 : rr * (3 * (12 * sigma + 2 * S)) <= 36 * rr * ((1 + 4 * u) * z) + 144 * rr * eta + 6 * rr * S).
  { assert (36 * rr * sigma <= 36 * rr * ((1 + 4 * u) * z + 4 * eta)) by (apply Rmult_le_compat_l; [lra | auto]). lra. }
  apply (Rmult_le_compat_l rr) in Tm; auto.
  assert (Room : (L * 8 - (6 + 6 * rr + k)) * tiny <= (L * 8 - (6 + 6 * rr + k)) * S).
  { apply Rmult_le_compat_l; [lra|]. assert (0 <= 255 * u * z) by (apply Rmult_le_pos; lra). lra. }
  apply Rabs_le_inv in D, Dc. rewrite Es in D.
  assert (0 <= k * tiny) by (apply Rmult_le_pos; auto; apply bpow_ge_0).
  assert (24 * eta <= 24 * eta) by lra. assert (0 < 24 * eta) by lra.
  lra.
Qed.
End Volume.
