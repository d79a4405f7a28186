(* Bezier values of a piece of a spline (docs/numerics.md, 9.7): GZ_SPLINE_ERROR. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Positive Cover Means TracesModels.
Open Scope R_scope.
Local Notation fl := (round_ binary64).
Import TracedSpline.
(* The kernel unfolds these last. *)
Local Strategy 100 [between mean_error largest].

(* Eight control points, the last of them the largest; then parts. *)
Definition spline_part (i : nat) : bool := Nat.leb 8 i && Nat.ltb i (length variables).
Definition spline_leaf (i : nat) : bool := Nat.ltb i 8.
(* A part is off by 3 u of itself and of 1; a control point by 44 u of the largest. *)
Definition part_off : Q := (3 * uQ binary64 + 8 * uQ binary64 * uQ binary64)%Q.
Definition point_off : Q := (44 * uQ binary64)%Q.
Definition spline_error : expr -> option (Q * Q) := mean_error spline_part spline_leaf part_off point_off.
Definition spline_bound : expr -> option bounds := between binary64 variables none none 1.
(* What the code says covers what a value is off by. *)
Definition spline_checks (error : Q) (off : expr) : bool :=
  match spline_bound off with
  | Some b => forallb (fun e => match spline_error e with
                                | Some (r, m) => Qle_bool (r * (1 + point_off)) (lo b * error) && Qle_bool (m + under b) 0
                                | None => false end) values
  | None => false
  end.

(* A part as the code has it, of a time in a span of knots. *)
Definition is_part_of_span (computed meant : R) : Prop := exists y, (forall i, is_number binary64 (y i)) /\
  y 0%nat <= y 2%nat <= y 1%nat /\ y 0%nat < y 1%nat /\
  computed = rounded binary64 y TracedSplinePart.part /\ meant = exact y TracedSplinePart.part.

Lemma number_1 : is_number binary64 1.
Proof. change 1 with (bpow radix2 0). apply generic_format_bpow. vm_compute. discriminate. Qed.
Lemma rounding_keeps_order x y : x <= y -> fl x <= fl y.
Proof. intros H. assert (Prec_gt_0 (prec binary64)) by reflexivity. apply round_le; auto with typeclass_instances. Qed.
Lemma rounding_of_number x : is_number binary64 x -> fl x = x.
Proof. intros H. apply round_generic; auto. apply valid_rnd_N. Qed.

Lemma a_part_is_near P p : is_part_of_span P p -> 0 <= P <= 1 /\ 0 <= p <= 1 /\ Rabs (P - p) <= Q2R part_off.
Proof.
  intros (y & N & H & L & -> & ->). cbn [rounded exact TracedSplinePart.part].
  set (k := y 0%nat) in *. set (t := y 2%nat) in *. set (k' := y 1%nat) in *.
  change (0 <= fl (fl (t - k) / fl (k' - k)) <= 1 /\ 0 <= (t - k) / (k' - k) <= 1 /\
    Rabs (fl (fl (t - k) / fl (k' - k)) - (t - k) / (k' - k)) <= Q2R part_off).
  pose proof (u_positive binary64) as Pu. set (u := u binary64) in *.
  assert (U2 : u <= / 1024) by (change (/ 1024) with (bpow radix2 (-10)); apply bpow_le; vm_compute; discriminate).
  assert (Pe : eta binary64 <= u * u) by (unfold u, Rounding.u; rewrite <- bpow_plus; apply bpow_le; vm_compute; discriminate).
  pose proof (sum_errs binary64 eq_refl t (- k) (N _) (number_opp _ _ (N _))) as E1. change (t + - k) with (t - k) in E1.
  pose proof (sum_errs binary64 eq_refl k' (- k) (N _) (number_opp _ _ (N _))) as E2. change (k' + - k) with (k' - k) in E2.
  assert (O : fl (t - k) <= fl (k' - k)) by (apply rounding_keeps_order; lra).
  rewrite (Rabs_pos_eq (t - k)) in E1 by lra. rewrite (Rabs_pos_eq (k' - k)) in E2 by lra. fold u in E1, E2. apply Rabs_le_inv in E1, E2.
  set (a := t - k) in *. set (b := k' - k) in *. set (A := fl a) in *. set (B := fl b) in *.
  assert (Pa : 0 <= a) by (unfold a; lra). assert (Pb : 0 < b) by (unfold b; lra). assert (ab : a <= b) by (unfold a, b; lra).
  assert (PA : 0 <= A) by (apply round_keeps_sign; auto; reflexivity).
  assert (PB : 0 < B) by nra.
  assert (I : 0 < / B) by now apply Rinv_0_lt_compat. assert (J : 0 < / b) by now apply Rinv_0_lt_compat.
  assert (Q : 0 <= A / B <= 1).
  { split; [apply Rmult_le_pos; lra|]. apply Rmult_le_reg_r with B; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (p01 : 0 <= a / b <= 1).
  { split; [apply Rmult_le_pos; lra|]. apply Rmult_le_reg_r with b; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  split; [|split; auto].
  - split; [apply round_keeps_sign; first [lra | reflexivity]|]. rewrite <- (rounding_of_number 1 number_1). apply rounding_keeps_order. lra.
  - pose proof (round_errs binary64 eq_refl (A / B)) as E3. rewrite (Rabs_pos_eq (A / B)) in E3 by lra. fold u in E3.
    set (p := a / b) in *. set (q := A / B) in *.
    assert (Ea : a = p * b) by (unfold p; field; lra). assert (EA : A = q * B) by (unfold q; field; lra).
    assert (D1 : q <= (1 + 2 * u + 3 * (u * u)) * p).
    { apply Rmult_le_reg_r with B; auto. rewrite <- EA.
      assert (W : (1 + 2 * u + 3 * (u * u)) * p * ((1 - u) * b) <= (1 + 2 * u + 3 * (u * u)) * p * B)
        by (apply Rmult_le_compat_l; [apply Rmult_le_pos; nra | lra]).
      assert (V : (1 + u) * a <= (1 + 2 * u + 3 * (u * u)) * (1 - u) * a) by (apply Rmult_le_compat_r; nra).
      rewrite Ea in V at 2. lra. }
    assert (D2 : (1 - 2 * u) * p <= q).
    { apply Rmult_le_reg_r with B; auto. rewrite <- EA.
      assert (W : (1 - 2 * u) * p * B <= (1 - 2 * u) * p * ((1 + u) * b)) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | lra]).
      assert (V : (1 - 2 * u) * (1 + u) * a <= (1 - u) * a) by (apply Rmult_le_compat_r; nra).
      rewrite Ea in V at 1. lra. }
    assert (D3 : Rabs (q - p) <= 2 * u + 3 * (u * u)) by (apply Rabs_le; nra).
    replace (fl q - p) with ((fl q - q) + (q - p)) by ring. eapply Rle_trans; [apply Rabs_triang|].
    unfold part_off. rewrite Q2R_plus, !Q2R_mult, !uQ_is_u. fold u. change (Q2R 3) with (3 * / 1). change (Q2R 8) with (8 * / 1).
    rewrite Rinv_1, !Rmult_1_r.
    assert (u * q <= u * 1) by (apply Rmult_le_compat_l; lra). nra.
Qed.

(* fx are the numbers that the code has, ex those that they stand for: parts of spans of knots, and control points that
   may be rounded themselves. *)
Theorem spline_values_are_within fx ex : positive_inputs binary64 variables fx fx none none ->
  (forall i, spline_part i = true -> is_part_of_span (fx i) (ex i)) ->
  (forall i, spline_leaf i = true -> Rabs (fx i) <= Rabs (fx 7%nat) /\
    Rabs (fx i - ex i) <= 44 * u binary64 * Rabs (fx 7%nat)) ->
  forall e, In e values -> Rabs (rounded binary64 fx e - exact ex e) <= rounded binary64 fx off /\ nothing_overflows binary64 fx e.
Proof.
  intros G parts leaves e I.
  assert (Fits : forallb (fun e => match largest binary64 (size_in variables) e with Some _ => true | None => false end) values = true)
    by (vm_compute; reflexivity).
  rewrite forallb_forall in Fits. specialize (Fits e I).
  destruct (largest binary64 (size_in variables) e) as [q|] eqn:L; [clear Fits|discriminate].
  split; [|exact (proj2 (largest_holds binary64 eq_refl none none (size_in variables) (positive_in variables) fx fx (proj1 G) e q L))].
  assert (C : spline_checks (value_of ERROR) off = true) by (vm_compute; reflexivity).
  unfold spline_checks in C. destruct (spline_bound off) as [b|] eqn:B; [|discriminate].
  rewrite forallb_forall in C. specialize (C e I). destruct (spline_error e) as [[r m]|] eqn:E; [|discriminate].
  apply andb_true_iff in C. destruct C as [C1 C2]. apply bool_le in C1, C2.
  rewrite !Q2R_mult, Q2R_plus, Q2R_1 in C1. rewrite Q2R_plus, Q2R_0 in C2.
  assert (Eo : Q2R point_off = 44 * u binary64).
  { unfold point_off. rewrite Q2R_mult, uQ_is_u. change (Q2R 44) with (44 * / 1). field. }
  rewrite Eo in C1. pose proof (u_positive binary64) as Pu. pose proof (eta_positive binary64) as Pe.
  set (K := Rabs (fx 7%nat)) in *. assert (PK : 0 <= K) by apply Rabs_pos.
  set (M := (1 + 44 * u binary64) * K).
  destruct (between_holds binary64 variables fx fx none none 1 binary64_is_ieee eq_refl eq_refl G off b B ltac:(cbn; tauto))
    as [_ LA _ _ _ _ H _ _].
  assert (Em : main binary64 fx off = Q2R (value_of ERROR) * K).
  { written. unfold value_of, ERROR. rewrite number_is_F2R. fold K. ring. }
  rewrite Em in H.
  assert (N : forall i, is_number binary64 (fx i)) by (intros i; apply (proj1 G i)).
  assert (Ps : forall i, spline_part i = true -> 0 <= fx i <= 1 /\ 0 <= ex i <= 1 /\ Rabs (fx i - ex i) <= Q2R part_off).
  { intros i J. apply a_part_is_near. auto. }
  assert (Ls : forall i, spline_leaf i = true -> Rabs (ex i) <= M /\ Rabs (fx i - ex i) <= Q2R point_off * M).
  { intros i J. destruct (leaves i J) as [L1 L2]. rewrite Eo. split.
    - replace (ex i) with (fx i + - (fx i - ex i)) by ring. eapply Rle_trans; [apply Rabs_triang|].
      rewrite Rabs_Ropp. unfold M. lra.
    - eapply Rle_trans; [exact L2|]. apply Rmult_le_compat_l; [lra|]. unfold M. nra. }
  assert (PM : 0 <= M) by (unfold M; apply Rmult_le_pos; lra).
  assert (Po : 0 <= Q2R part_off /\ 0 <= Q2R point_off).
  { rewrite Eo. split; [|lra]. rewrite <- Q2R_0. apply Qle_Rle. vm_compute. discriminate. }
  assert (D : is_mean M (rounded binary64 fx e) (exact ex e) (r, m))
    by (apply (means_hold fx ex spline_part spline_leaf part_off point_off M); auto).
  destruct D as (_ & Pr & Pm & _ & D). cbn [fst snd] in *. eapply Rle_trans; [exact D|]. eapply Rle_trans; [|exact H].
  apply (Rmult_le_compat_r K) in C1; auto. apply (Rmult_le_compat_r (eta binary64)) in C2; [|lra]. unfold M. lra.
Qed.
