(* Prisms around cylinders (docs/numerics.md, 9.10): GZ_PRISM_UP, GZ_PRISM_LEAST. Their corners have no inputs but the
   radius, so every side is looked at. *)
From Coq Require Import Reals QArith Qreals Qabs Qminmax ZArith List Bool Lra Lia Psatz.
From Flocq Require Import Core.
Require Import Rounding Given Positive Directed DirectedChecks TracesLinks.
Open Scope R_scope.
Import TracedPrism.
Local Notation fl := (round_ binary64).

(* radius * (c * (up / length)): c, up, length *)
Definition parts (e : expr) : option (Q * Q * Q) :=
  match e with Mul (Var 0) (Mul (Cst m k) (Div (Cst a b) (Cst c d))) => Some (number m k, number a b, number c d) | _ => None end.

(* What each coordinate is off by, relative to itself; the least radius makes no product too small for that. *)
Definition off : Q := inject_Z 4 * uQ binary64.
Definition is_coordinate (least : Q) (c : Q) : bool :=
  Qeq_bool c 0 || (Qle_bool (two_to (-1022)) (least * (Qabs c * (1 # 4))) && Qle_bool (two_to (-200)) (Qabs c)).
Definition is_factor (up length : Q) : bool := Qle_bool (1 # 2) length && Qle_bool length 1 && Qle_bool 1 up && Qle_bool up 2.

Definition cross_low (x1 y1 x2 y2 : Q) : Q :=
  x1 * y2 - x2 * y1 - (2 * off + off * off) * (Qabs (x1 * y2) + Qabs (x2 * y1)).
Definition reach (a b : Q) : Q := Qabs (a - b) + off * (Qabs a + Qabs b).
Definition is_side (k x1 y1 x2 y2 : Q) : bool :=
  let c := cross_low x1 y1 x2 y2 in
  Qle_bool 0 c && Qle_bool (reach x1 x2 * reach x1 x2 + reach y1 y2 * reach y1 y2) (c * k * (c * k)).

(* With another factor in the place of `up`, where there is one. *)
Definition side_checks (least : Q) (up : option Q) (p q : expr * expr) : bool :=
  match parts (fst p), parts (snd p), parts (fst q), parts (snd q) with
  | Some (x1, u1, l1), Some (y1, u2, l2), Some (x2, u3, l3), Some (y2, u4, l4) =>
    let up := match up with Some u => u | None => u1 end in
    Qeq_bool u1 u2 && Qeq_bool u1 u3 && Qeq_bool u1 u4 && Qeq_bool l1 l2 && Qeq_bool l1 l3 && Qeq_bool l1 l4 &&
    is_factor up l1 && is_coordinate least x1 && is_coordinate least y1 && is_coordinate least x2 && is_coordinate least y2 &&
    is_side (up / l1) x1 y1 x2 y2
  | _, _, _, _ => false
  end.
Definition next (i : nat) : nat := if Nat.eqb i 95 then 0%nat else S i.
Definition none_ : expr * expr := (Cst 0 0, Cst 0 0).
Definition corner (i : nat) : expr * expr := nth i corners none_.
Definition prism_checks (least : Q) (up : option Q) : bool :=
  Nat.eqb (length corners) 96 && forallb (fun i => side_checks least up (corner i) (corner (next i))) (seq 0 96).

(* Of these, what the least radius has a say in. *)
Definition coordinates_check (least : Q) : bool :=
  let one e := match parts e with Some (c, _, _) => is_coordinate least c | None => false end in
  forallb (fun p => one (fst p) && one (snd p)) corners.

Section Prism.
Variable x : nat -> R.
Let radius := x 0%nat.
Hypothesis not_small : Q2R (value_of LEAST) <= radius.

Lemma least_is_positive : 0 < radius.
Proof.
  apply Rlt_le_trans with (2 := not_small). apply Rlt_le_trans with (Q2R (two_to (-1074))).
  - rewrite two_to_is_bpow. apply bpow_gt_0.
  - apply bool_le. vm_compute. reflexivity.
Qed.

Lemma normal_product a d e : least_normal binary64 <= Rabs a -> Rabs (a - d) <= e * Rabs d -> 0 <= e <= 3 * u64 ->
  Rabs (fl a - d) <= (e + u64 * (1 + e)) * Rabs d.
Proof.
  intros N H E. pose proof (fl_of_normal binary64 binary64_is_ieee a N) as F. pose proof u_is_tiny as U.
  assert (A : Rabs a <= (1 + e) * Rabs d).
  { replace a with (d + (a - d)) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra. }
  replace (fl a - d) with ((fl a - a) + (a - d)) by ring. eapply Rle_trans; [apply Rabs_triang|].
  assert (u64 * Rabs a <= u64 * ((1 + e) * Rabs d)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma a_coordinate e c up len : parts e = Some (c, up, len) -> is_factor up len = true ->
  is_coordinate (value_of LEAST) c = true ->
  Rabs (rounded binary64 x e - radius * (Q2R up / Q2R len) * Q2R c) <= Q2R off * (radius * (Q2R up / Q2R len) * Rabs (Q2R c)).
Proof.
  intros P F C. destruct e; try discriminate. destruct e1; try discriminate. destruct i; try discriminate.
  destruct e2; try discriminate. destruct e2_1; try discriminate. destruct e2_2; try discriminate.
  destruct e2_2_1; try discriminate. destruct e2_2_2; try discriminate. cbn [parts] in P. injection P as <- <- <-.
  cbn [rounded]. rewrite <- !number_is_F2R. fold radius. set (c := number m e) in *. set (up := number m0 e0) in *. set (len := number m1 e1) in *.
  unfold is_factor in F. rewrite !andb_true_iff in F. destruct F as [[[F1 F2] F3] F4]. apply bool_le in F1, F2, F3, F4.
  replace (Q2R (1 # 2)) with (/ 2) in F1 by (unfold Q2R; simpl; lra). replace (Q2R 2) with 2 in F4 by (unfold Q2R; simpl; lra).
  rewrite Q2R_1 in F2, F3. set (K := Q2R up / Q2R len).
  pose proof least_is_positive as PR. pose proof u_is_tiny as U.
  assert (K1 : 1 <= K). { unfold K. apply Rmult_le_reg_r with (Q2R len); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (O : Q2R off = 4 * u64) by (unfold off; rewrite Q2R_mult, Q2R_Z, uQ_is_u; reflexivity). rewrite O.
  unfold is_coordinate in C. apply orb_true_iff in C. destruct C as [C|C].
  - apply Qeq_bool_eq, Qeq_eqR in C. rewrite C, Q2R_0, Rabs_R0, !Rmult_0_r, Rmult_0_l.
    rewrite (fl_of_number binary64 0) by apply generic_format_0. rewrite Rmult_0_r.
    rewrite (fl_of_number binary64 0) by apply generic_format_0. rewrite Rminus_0_r, Rabs_R0. lra.
  - apply andb_true_iff in C. destruct C as [C C']. apply bool_le in C, C'. rewrite !Q2R_mult, Q2R_abs, two_to_is_bpow in C. rewrite Q2R_abs, two_to_is_bpow in C'.
    replace (Q2R (1 # 4)) with (/ 4) in C by (unfold Q2R; simpl; lra).
    set (a := Rabs (Q2R c)) in *. assert (Pa : 0 < a) by (apply Rlt_le_trans with (2 := C'); apply bpow_gt_0).
    assert (L1022 : least_normal binary64 = bpow radix2 (-1022)) by reflexivity.
    assert (LK : least_normal binary64 <= Rabs K).
    { rewrite Rabs_pos_eq by lra. apply Rle_trans with 1; auto. rewrite L1022. change 1 with (bpow radix2 0). apply bpow_le; vm_compute; discriminate. }
    pose proof (normal_product K K 0 LK) as H1. rewrite (Rminus_eq_0 K), Rabs_R0 in H1. specialize (H1 ltac:(rewrite Rmult_0_l; lra) ltac:(lra)).
    rewrite Rplus_0_l, Rplus_0_r, Rmult_1_r, (Rabs_pos_eq K) in H1 by lra. set (k := fl K) in *.
    assert (k0 : / 2 * K <= k).
    { apply Rabs_le_inv in H1. assert (u64 * K <= / 2 * K) by (apply Rmult_le_compat_r; lra). lra. }
    assert (Pk : 0 < k) by lra.
    assert (LC : least_normal binary64 <= Rabs (Q2R c * k)).
    { rewrite Rabs_mult, (Rabs_pos_eq k) by lra. fold a. rewrite L1022. apply Rle_trans with (bpow radix2 (-200) * / 2).
      - change (/ 2) with (bpow radix2 (-1)). rewrite <- bpow_plus. apply bpow_le; vm_compute; discriminate.
      - apply Rmult_le_compat; try lra. apply bpow_ge_0. }
    pose proof (normal_product (Q2R c * k) (Q2R c * K) u64 LC) as H2.
    replace (Q2R c * k - Q2R c * K) with (Q2R c * (k - K)) in H2 by ring. rewrite !Rabs_mult in H2. fold a in H2.
    rewrite (Rabs_pos_eq K) in H2 by lra.
    specialize (H2 ltac:(replace (u64 * (a * K)) with (a * (u64 * K)) by ring; apply Rmult_le_compat_l; lra) ltac:(lra)).
    set (w := fl (Q2R c * k)) in *.
    assert (W : / 2 * (a * K) <= Rabs w).
    { pose proof (Rabs_triang_inv (Q2R c * K) w) as T. rewrite Rabs_minus_sym, Rabs_mult, (Rabs_pos_eq K) in T by lra. fold a in T.
      assert (0 <= a * K) by (apply Rmult_le_pos; lra).
      assert ((u64 + u64 * (1 + u64)) * (a * K) <= / 2 * (a * K)) by (apply Rmult_le_compat_r; [auto | pose proof (Rmult_le_compat_l u64 u64 1 ltac:(lra) ltac:(lra)); lra]). lra. }
    assert (LR : least_normal binary64 <= Rabs (radius * w)).
    { rewrite Rabs_mult, (Rabs_pos_eq radius) by lra. rewrite L1022. apply Rle_trans with (1 := C).
      apply Rmult_le_compat; auto.
      - rewrite <- Q2R_0. apply bool_le. vm_compute. reflexivity.
      - lra.
      - assert (a * 1 <= a * K) by (apply Rmult_le_compat_l; lra). lra. }
    pose proof (normal_product (radius * w) (radius * K * Q2R c) (u64 + u64 * (1 + u64)) LR) as H3.
    replace (radius * w - radius * K * Q2R c) with (radius * (w - Q2R c * K)) in H3 by ring. rewrite !Rabs_mult in H3. fold a in H3.
    rewrite (Rabs_pos_eq radius), (Rabs_pos_eq K) in H3 by lra.
    specialize (H3 ltac:(replace ((u64 + u64 * (1 + u64)) * (radius * K * a)) with (radius * ((u64 + u64 * (1 + u64)) * (a * K))) by ring; apply Rmult_le_compat_l; lra) ltac:(split; [pose proof (Rmult_le_pos u64 u64 ltac:(lra) ltac:(lra)); lra | pose proof (Rmult_le_compat_l u64 u64 1 ltac:(lra) ltac:(lra)); lra])).
    eapply Rle_trans; [exact H3|]. apply Rmult_le_compat_r; [apply Rmult_le_pos; [apply Rmult_le_pos|]; lra|].
    assert (S2 : u64 * u64 <= u64 * / 1024) by (apply Rmult_le_compat_l; lra).
    assert (S3 : u64 * (u64 * u64) <= u64 * (u64 * / 1024)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Definition place (e : expr) : R := rounded binary64 x e.

(* The side from p to q: as far from the axis as the radius, and the axis on its left. *)
Lemma a_side_is_beyond_the_radius p q : side_checks (value_of LEAST) None p q = true ->
  let px := place (fst p) in let py := place (snd p) in let qx := place (fst q) in let qy := place (snd q) in
  radius * sqrt ((px - qx) * (px - qx) + (py - qy) * (py - qy)) <= px * qy - qx * py.
Proof.
  intros S. cbv zeta. unfold side_checks in S.
  destruct (parts (fst p)) as [[[x1 u1] l1]|] eqn:P1; [|discriminate]. destruct (parts (snd p)) as [[[y1 u2] l2]|] eqn:P2; [|discriminate].
  destruct (parts (fst q)) as [[[x2 u3] l3]|] eqn:P3; [|discriminate]. destruct (parts (snd q)) as [[[y2 u4] l4]|] eqn:P4; [|discriminate].
  rewrite !andb_true_iff in S. destruct S as [[[[[[[[[[[S1 S2] S3] S4] S5] S6] SF] C1] C2] C3] C4] SS].
  assert (R2 : Q2R u2 = Q2R u1) by (symmetry; now apply Qeq_eqR, Qeq_bool_eq).
  assert (R3 : Q2R u3 = Q2R u1) by (symmetry; now apply Qeq_eqR, Qeq_bool_eq).
  assert (R4 : Q2R u4 = Q2R u1) by (symmetry; now apply Qeq_eqR, Qeq_bool_eq).
  assert (R5 : Q2R l2 = Q2R l1) by (symmetry; now apply Qeq_eqR, Qeq_bool_eq).
  assert (R6 : Q2R l3 = Q2R l1) by (symmetry; now apply Qeq_eqR, Qeq_bool_eq).
  assert (R7 : Q2R l4 = Q2R l1) by (symmetry; now apply Qeq_eqR, Qeq_bool_eq).
  assert (F : forall u l, Q2R u = Q2R u1 -> Q2R l = Q2R l1 -> is_factor u l = true).
  { intros u' l' U' L'. unfold is_factor in *. rewrite !andb_true_iff in *. destruct SF as [[[F1 F2] F3] F4].
    repeat split; apply Qle_bool_iff, Rle_Qle; rewrite ?U', ?L'; apply Qle_Rle, Qle_bool_iff; assumption. }
  pose proof (a_coordinate _ _ _ _ P1 SF C1) as E1. pose proof (a_coordinate _ _ _ _ P2 (F _ _ R2 R5) C2) as E2.
  pose proof (a_coordinate _ _ _ _ P3 (F _ _ R3 R6) C3) as E3. pose proof (a_coordinate _ _ _ _ P4 (F _ _ R4 R7) C4) as E4.
  rewrite R2, R5 in E2. rewrite R3, R6 in E3. rewrite R4, R7 in E4. fold (place (fst p)) in E1. fold (place (snd p)) in E2.
  fold (place (fst q)) in E3. fold (place (snd q)) in E4.
  unfold is_factor in SF. rewrite !andb_true_iff in SF. destruct SF as [[[F1 F2] F3] F4]. apply bool_le in F1, F2, F3, F4.
  replace (Q2R (1 # 2)) with (/ 2) in F1 by (unfold Q2R; simpl; lra). rewrite Q2R_1 in F3.
  unfold is_side in SS. apply andb_true_iff in SS. destruct SS as [K1 K2]. apply bool_le in K1, K2.
  assert (HK : Q2R (u1 / l1) = Q2R u1 / Q2R l1).
  { unfold Qdiv. rewrite Q2R_mult, Q2R_inv; auto. intros Z. apply Qeq_eqR in Z. rewrite Q2R_0 in Z. lra. }
  rewrite Q2R_plus, !Q2R_mult, HK in K2. rewrite Q2R_0 in K1.
  set (k := Q2R u1 / Q2R l1) in *. set (c := Q2R (cross_low x1 y1 x2 y2)) in *.
  assert (Hc : c = Q2R x1 * Q2R y2 - Q2R x2 * Q2R y1 - (2 * Q2R off + Q2R off * Q2R off) * (Rabs (Q2R x1 * Q2R y2) + Rabs (Q2R x2 * Q2R y1))).
  { unfold c, cross_low. rewrite !Q2R_minus, !Q2R_mult, !Q2R_plus, !Q2R_abs, !Q2R_mult. replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). reflexivity. }
  assert (HX : forall a b, Q2R (reach a b) = Rabs (Q2R a - Q2R b) + Q2R off * (Rabs (Q2R a) + Rabs (Q2R b))).
  { intros a b. unfold reach. rewrite Q2R_plus, Q2R_mult, Q2R_plus, !Q2R_abs, Q2R_minus. reflexivity. }
  rewrite !HX in K2. clear HX P1 P2 P3 P4 S1 S2 S3 S4 S5 S6 C1 C2 C3 C4 F F2 F4 HK R2 R3 R4 R5 R6 R7.
  assert (Pk : 0 <= k) by (unfold k; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  assert (Po : 0 <= Q2R off) by (rewrite <- Q2R_0; apply bool_le; vm_compute; reflexivity).
  pose proof least_is_positive as PR. set (s := radius * k) in *. assert (Ps : 0 <= s) by (apply Rmult_le_pos; lra).
  set (px := place (fst p)) in *. set (py := place (snd p)) in *. set (qx := place (fst q)) in *. set (qy := place (snd q)) in *.
  set (o := Q2R off) in *. clearbody px py qx qy o c. generalize dependent (Q2R x1); intros a1. generalize dependent (Q2R y1); intros b1.
  generalize dependent (Q2R x2); intros a2. generalize dependent (Q2R y2); intros b2. intros.
  assert (M : forall v w av bw, Rabs (v - s * av) <= o * (s * Rabs av) -> Rabs (w - s * bw) <= o * (s * Rabs bw) ->
            Rabs (v * w - s * s * (av * bw)) <= s * s * ((2 * o + o * o) * Rabs (av * bw))).
  { intros v w av bw V W. replace (v * w - s * s * (av * bw)) with
      ((v - s * av) * (s * bw) + (s * av) * (w - s * bw) + (v - s * av) * (w - s * bw)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang|].
    rewrite !Rabs_mult, (Rabs_pos_eq s) by auto. set (A := Rabs av) in *. set (B := Rabs bw) in *.
    assert (PA : 0 <= A) by apply Rabs_pos. assert (PB : 0 <= B) by apply Rabs_pos.
    assert (T1 : Rabs (v - s * av) * (s * B) <= o * (s * A) * (s * B)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos; auto | auto]).
    assert (T2 : s * A * Rabs (w - s * bw) <= s * A * (o * (s * B))) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; auto | auto]).
    assert (T3 : Rabs (v - s * av) * Rabs (w - s * bw) <= o * (s * A) * (o * (s * B))) by (apply Rmult_le_compat; auto using Rabs_pos).
    lra. }
  pose proof (M _ _ _ _ E1 E4) as X1. pose proof (M _ _ _ _ E3 E2) as X2. apply Rabs_le_inv in X1, X2.
  assert (X : s * s * c <= px * qy - qx * py).
  { rewrite Hc. replace (s * s * (a1 * b2 - a2 * b1 - (2 * o + o * o) * (Rabs (a1 * b2) + Rabs (a2 * b1)))) with
      (s * s * (a1 * b2) - s * s * (a2 * b1) - (s * s * ((2 * o + o * o) * Rabs (a1 * b2)) + s * s * ((2 * o + o * o) * Rabs (a2 * b1)))) by ring. lra. }
  assert (D : forall v w av bv, Rabs (v - s * av) <= o * (s * Rabs av) -> Rabs (w - s * bv) <= o * (s * Rabs bv) ->
            (v - w) * (v - w) <= s * (Rabs (av - bv) + o * (Rabs av + Rabs bv)) * (s * (Rabs (av - bv) + o * (Rabs av + Rabs bv)))).
  { intros v w av bv V W. replace ((v - w) * (v - w)) with (Rabs (v - w) * Rabs (v - w)) by (rewrite <- Rabs_mult; apply Rabs_pos_eq, Rle_0_sqr).
    assert (B : Rabs (v - w) <= s * (Rabs (av - bv) + o * (Rabs av + Rabs bv))).
    { replace (v - w) with ((v - s * av) + s * (av - bv) + - (w - s * bv)) by ring.
      eapply Rle_trans; [apply Rabs_triang|]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang|].
      rewrite Rabs_Ropp, (Rabs_mult s), (Rabs_pos_eq s) by auto. lra. }
    apply Rmult_le_compat; auto using Rabs_pos. }
  pose proof (D _ _ _ _ E1 E3) as D1. pose proof (D _ _ _ _ E2 E4) as D2. clear D M.
  set (dx := Rabs (a1 - a2) + o * (Rabs a1 + Rabs a2)) in *. set (dy := Rabs (b1 - b2) + o * (Rabs b1 + Rabs b2)) in *.
  assert (N : sqrt ((px - qx) * (px - qx) + (py - qy) * (py - qy)) <= s * (c * k)).
  { assert (Q : 0 <= s * (c * k)) by (apply Rmult_le_pos; [|apply Rmult_le_pos]; auto). rewrite <- (sqrt_square _ Q). apply sqrt_le_1_alt.
    apply Rle_trans with (s * s * (dx * dx + dy * dy)); [lra|].
    replace (s * (c * k) * (s * (c * k))) with (s * s * (c * k * (c * k))) by ring.
    apply Rmult_le_compat_l; [now apply Rmult_le_pos | auto]. }
  apply Rle_trans with (2 := X). apply Rle_trans with (radius * (s * (c * k))); [apply Rmult_le_compat_l; lra|].
  unfold s. right. ring.
Qed.
End Prism.

Lemma every_side_is_checked least up : prism_checks least up = true ->
  forall i, (i < 96)%nat -> side_checks least up (corner i) (corner (next i)) = true.
Proof.
  unfold prism_checks. rewrite andb_true_iff. intros [_ C] i I. rewrite forallb_forall in C. apply C, in_seq. lia.
Qed.
Lemma the_prism_is_checked : prism_checks (value_of LEAST) None = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem prisms_hold_their_cylinders x i : Q2R (value_of LEAST) <= x 0%nat -> (i < 96)%nat ->
  let p := corner i in let q := corner (next i) in
  let px := place x (fst p) in let py := place x (snd p) in let qx := place x (fst q) in let qy := place x (snd q) in
  x 0%nat * sqrt ((px - qx) * (px - qx) + (py - qy) * (py - qy)) <= px * qy - qx * py.
Proof.
  intros L I. generalize (every_side_is_checked _ _ the_prism_is_checked i I).
  generalize (corner i). generalize (corner (next i)). intros q p C. exact (a_side_is_beyond_the_radius x L p q C).
Qed.
