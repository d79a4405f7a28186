(* Places at the end of a window, in a view and in float (docs/numerics.md, 4.14): GZ_FAR_OFFSET. They are off by no more
   than the look along a direction takes them to be. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given TracesLooks.
Open Scope R_scope.
Import TracedPlacesFrom.
Notation D := binary64.
Notation F := binary32.
Definition list_of := TracedPlacesFrom.variables.

(* Of the largest coordinate, beside what underflows: two eta of float. *)
Definition place_share : Q := (1 + two_to (-20)) * uQ F.
Definition uD : Q := uQ D.
Definition uF : Q := uQ F.
(* What a place is off by is at most this part of |x0| + |x1|, in the view: the offset has room for it. *)
Definition offset_covers (r offset : Q) : bool :=
  Qle_bool ((1 + 2 * uF) * (2 * r)) (place_share * (1 - uD) * (1 - uD) * (1 - uD) * (1 - uD) * offset).
Definition places_check (offset : Q) : bool :=
  match error_in D list_of place with
  | Some (r, m) => Qle_bool 0 m && Qle_bool m (two_to 20) && offset_covers r offset && Qle_bool 0 offset && Qle_bool offset 1
  | None => false
  end.

Section Places.
Variable x : nat -> R.
Hypothesis given : inputs D list_of x x.
(* Both ends, the time, the view's origin and scale; the place as it is computed. *)
Definition a := x 0%nat.
Definition b := x 1%nat.
Definition t := x 2%nat.
Definition o := x 3%nat.
Definition s := x 4%nat.
Hypothesis time : t <= 1.
Hypothesis made : x 5%nat = rounded D x place.
Definition exact_place : R := s * (a + t * (b - a) - o).
Definition narrowed : R := round_ F (rounded D x to).
Definition size_of_from : R := rounded D x size_from.
Definition size_of_to : R := rounded D x TracedPlacesTo.size_to.

Let u := u D.
Let h := eta D.
Lemma u_is_tiny : 0 < u <= / 1000.
Proof.
  split; [apply u_positive|]. unfold u. rewrite <- uQ_is_u. replace (/ 1000) with (Q2R (1 # 1000)) by (unfold Q2R; simpl; lra).
  apply Qle_Rle. vm_compute. discriminate.
Qed.

(* x - o, times the scale, as rounded. *)
Definition seen (v : R) : R := round_ D (round_ D (v - o) * s).
Lemma seen_is v : is_number D v -> 0 <= s -> Rabs (seen v - s * (v - o)) <= 3 * u * (s * Rabs (v - o)) + h.
Proof.
  intros N P. pose proof u_is_tiny as U. pose proof (sum_errs D eq_refl v (- o) N (number_opp D _ (proj1 (given 3%nat)))) as E1.
  change (v + - o) with (v - o) in E1. fold u in E1. set (d := round_ D (v - o)) in *.
  pose proof (round_errs D eq_refl (d * s)) as E2. fold u h in E2.
  assert (B : Rabs d <= (1 + u) * Rabs (v - o)).
  { replace d with ((d - (v - o)) + (v - o)) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra. }
  unfold seen. fold d. replace (round_ D (d * s) - s * (v - o)) with ((round_ D (d * s) - d * s) + s * (d - (v - o))) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq s) in * by auto.
  assert (K1 : s * Rabs (d - (v - o)) <= s * (u * Rabs (v - o))) by now apply Rmult_le_compat_l.
  assert (K2 : Rabs d * s <= (1 + u) * Rabs (v - o) * s) by now apply Rmult_le_compat_r.
  assert (K3 : u * (Rabs d * s) <= u * ((1 + u) * Rabs (v - o) * s)) by (apply Rmult_le_compat_l; lra).
  pose proof (Rmult_le_pos _ _ P (Rabs_pos (v - o))) as Q. set (q := s * Rabs (v - o)) in *.
  replace (u * ((1 + u) * Rabs (v - o) * s)) with ((u + u * u) * q) in K3 by (unfold q; ring).
  replace (s * (u * Rabs (v - o))) with (u * q) in K1 by (unfold q; ring).
  assert (K4 : (u + u * u) * q <= 2 * u * q) by (apply Rmult_le_compat_r; auto; nra). lra.
Qed.

Lemma seen_holds v : is_number D v -> 0 <= s -> s * Rabs (v - o) <= (1 + 4 * u) * (Rabs (seen v) + h).
Proof.
  intros N P. pose proof (seen_is v N P) as E. pose proof u_is_tiny as U. pose proof (eta_positive D) as Ph. fold h in Ph.
  assert (A : s * Rabs (v - o) = Rabs (s * (v - o))) by (rewrite Rabs_mult, (Rabs_pos_eq s); auto).
  rewrite A in *. pose proof (Rabs_triang_inv (s * (v - o)) (seen v)) as T. rewrite Rabs_minus_sym in E.
  set (q := Rabs (s * (v - o))) in *. pose proof (Rabs_pos (seen v)). assert (0 <= q) by apply Rabs_pos.
  assert (K : q * (1 - 3 * u) <= Rabs (seen v) + h) by lra.
  assert (K2 : q * 1 <= q * ((1 - 3 * u) * (1 + 4 * u))) by (apply Rmult_le_compat_l; auto; nra).
  assert (K3 : (1 + 4 * u) * (q * (1 - 3 * u)) <= (1 + 4 * u) * (Rabs (seen v) + h)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem places_in_a_view_are_near (R : R) : size_of_from <= R -> size_of_to <= R ->
  Rabs (narrowed - exact_place) <= Q2R place_share * R + 2 * Rounding.eta F.
Proof.
  intros R1 R2. assert (C : places_check (value_of FAR_OFFSET) = true) by (vm_compute; reflexivity). unfold places_check in C.
  destruct (error_in D list_of place) as [[r m]|] eqn:E; [|discriminate].
  rewrite !andb_true_iff in C. destruct C as [[[[C1 C2] C3] C4] C5]. unfold offset_covers in C3.
  apply Qle_bool_iff, Qle_Rle in C1, C2, C3, C4, C5. rewrite Q2R_0 in C1, C4. rewrite two_to_is_bpow in C2. rewrite Q2R_1 in C5.
  rewrite !Q2R_mult, !Q2R_minus, Q2R_plus, Q2R_mult, Q2R_1 in C3. replace (Q2R 2) with 2 in C3 by (unfold Q2R; simpl; lra).
  unfold uD, uF in C3. rewrite !uQ_is_u in C3. fold u in C3.
  assert (V : F2R (Float radix2 1 (-26)) = Q2R (value_of FAR_OFFSET)) by (symmetry; apply number_is_F2R).
  set (c := Q2R (value_of FAR_OFFSET)) in *.
  pose proof u_is_tiny as U. pose proof (eta_positive D) as Ph. fold h in Ph.
  pose proof (a_positive_variable D list_of x x given 2 eq_refl) as Pt. pose proof (a_positive_variable D list_of x x given 4 eq_refl) as Ps.
  fold t in Pt. fold s in Ps. pose proof (fun i => proj1 (given i)) as N.
  (* the place *)
  assert (W : constants_are_numbers D place = true) by reflexivity.
  pose proof (error_is_at_most D list_of x x binary64_is_ieee given place r m W E) as X.
  destruct (error_holds D eq_refl _ _ _ _ x x given ltac:(discriminate) place (r, m) W E) as (Pr & _). cbn [fst] in Pr.
  rewrite <- made in X. set (z := a + t * (b - a)). change (exact x place) with z in X. fold h in X.
  set (A := Rabs a + Rabs b). assert (PA : 0 <= A) by (unfold A; pose proof (Rabs_pos a); pose proof (Rabs_pos b); lra).
  assert (T : terms_in D list_of x place <= 2 * A).
  { change (terms_in D list_of x place) with (Rabs a + Rabs t * Rabs (b - a)). rewrite (Rabs_pos_eq t) by auto.
    assert (Rabs (b - a) <= A).
    { unfold A, Rminus. rewrite Rplus_comm, <- (Rabs_Ropp a). apply Rabs_triang. }
    pose proof (Rabs_pos (b - a)). assert (t * Rabs (b - a) <= 1 * Rabs (b - a)) by (apply Rmult_le_compat_r; auto).
    unfold A in *. pose proof (Rabs_pos b). lra. }
  set (p := x 5%nat) in *.
  assert (X1 : Rabs (p - z) <= 2 * Q2R r * A + Q2R m * h).
  { assert (Q2R r * terms_in D list_of x place <= Q2R r * (2 * A)) by (now apply Rmult_le_compat_l). lra. }
  set (d := s * Rabs (p - z)). assert (Pd : 0 <= d) by (unfold d; apply Rmult_le_pos; auto; apply Rabs_pos).
  assert (D1 : d <= 2 * Q2R r * (s * A) + s * (Q2R m * h)).
  { apply Rle_trans with (s * (2 * Q2R r * A + Q2R m * h)); [now apply Rmult_le_compat_l | right; ring]. }
  (* what the sizes hold *)
  set (M := Rmax (Rabs (seen a)) (Rabs (seen b))).
  assert (M1 : s * Rabs (a - o) <= (1 + 4 * u) * (M + h)).
  { eapply Rle_trans; [apply seen_holds; auto; apply N|]. apply Rmult_le_compat_l; [lra|]. pose proof (Rmax_l (Rabs (seen a)) (Rabs (seen b))). fold M in H. lra. }
  assert (M2 : s * Rabs (b - o) <= (1 + 4 * u) * (M + h)).
  { eapply Rle_trans; [apply seen_holds; auto; apply N|]. apply Rmult_le_compat_l; [lra|]. pose proof (Rmax_r (Rabs (seen a)) (Rabs (seen b))). fold M in H. lra. }
  assert (M3 : s * Rabs (z - o) <= (1 + 4 * u) * (M + h)).
  { replace (z - o) with ((1 - t) * (a - o) + t * (b - o)) by (unfold z; ring).
    apply Rle_trans with ((1 - t) * (s * Rabs (a - o)) + t * (s * Rabs (b - o))).
    - apply Rle_trans with (s * (Rabs ((1 - t) * (a - o)) + Rabs (t * (b - o)))); [apply Rmult_le_compat_l; auto; apply Rabs_triang|].
      rewrite !Rabs_mult, (Rabs_pos_eq t), (Rabs_pos_eq (1 - t)) by lra. right. ring.
    - assert ((1 - t) * (s * Rabs (a - o)) <= (1 - t) * ((1 + 4 * u) * (M + h))) by (apply Rmult_le_compat_l; lra).
      assert (t * (s * Rabs (b - o)) <= t * ((1 + 4 * u) * (M + h))) by (apply Rmult_le_compat_l; lra). lra. }
  set (g := s * Rabs (p - o)). assert (Pg : 0 <= g) by (unfold g; apply Rmult_le_pos; auto; apply Rabs_pos).
  assert (G : g <= (1 + 4 * u) * (M + h) + d).
  { unfold g, d. replace (p - o) with ((z - o) + (p - z)) by ring.
    apply Rle_trans with (s * (Rabs (z - o) + Rabs (p - z))); [apply Rmult_le_compat_l; auto; apply Rabs_triang | lra]. }
  assert (Np : is_number D p) by apply N.
  pose proof (seen_is p Np Ps) as Y. fold g in Y. change (rounded D x to) with (seen p) in *.
  unfold narrowed. change (rounded D x to) with (seen p).
  pose proof (round_errs F eq_refl (seen p)) as Z. set (v := Rounding.u F) in *. set (H := Rounding.eta F) in *.
  assert (Y2 : Rabs (seen p) <= (1 + 3 * u) * g + h).
  { replace (seen p) with ((seen p - s * (p - o)) + s * (p - o)) by ring. eapply Rle_trans; [apply Rabs_triang|].
    rewrite (Rabs_mult s), (Rabs_pos_eq s) by auto. fold g. lra. }
  (* the offset *)
  set (e := round_ D (s * F2R (Float radix2 1 (-26)))). set (q := round_ D (Rabs a + Rabs b)).
  set (S := round_ D (q * e)).
  assert (Pc : 0 <= s * c) by now apply Rmult_le_pos.
  assert (Q1 : (1 - u) * A <= q <= 2 * A).
  { pose proof (sum_errs D eq_refl (Rabs a) (Rabs b) (generic_format_abs _ _ _ (N _)) (generic_format_abs _ _ _ (N _))) as Q1.
    fold q A u in Q1. rewrite (Rabs_pos_eq A) in Q1 by auto. apply Rabs_le_inv in Q1.
    assert (u * A <= 1 * A) by (apply Rmult_le_compat_r; lra). lra. }
  assert (E1 : 0 <= e /\ (1 - u) * (s * c) - h <= e).
  { unfold e. rewrite V. pose proof (round_errs D eq_refl (s * c)) as E1. fold u h in E1. rewrite (Rabs_pos_eq (s * c)) in E1 by auto.
    apply Rabs_le_inv in E1. split; [now apply round_keeps_sign | lra]. }
  assert (Pq : 0 <= q) by (apply Rle_trans with ((1 - u) * A); [apply Rmult_le_pos; lra | apply Q1]).
  assert (S1 : (1 - u) * (1 - u) * (1 - u) * c * (s * A) - (q + 1) * h <= S).
  { pose proof (round_errs D eq_refl (q * e)) as S1. fold u h S in S1. rewrite (Rabs_pos_eq (q * e)) in S1 by now apply Rmult_le_pos.
    apply Rabs_le_inv in S1.
    assert (K1 : q * ((1 - u) * (s * c) - h) <= q * e) by (apply Rmult_le_compat_l; auto; apply E1).
    assert (K2 : (1 - u) * A * ((1 - u) * (s * c)) <= q * ((1 - u) * (s * c))) by (apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | apply Q1]).
    assert (K3 : (1 - u) * ((1 - u) * A * ((1 - u) * (s * c)) - q * h) <= (1 - u) * (q * e)) by (apply Rmult_le_compat_l; lra).
    assert (K4 : 0 <= u * (q * h)) by (apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]). lra. }
  (* both sizes *)
  assert (NS : is_number D S) by now apply rounded_is_number.
  assert (B : forall w, is_number D w -> round_ D (Rabs w + S) <= R -> (1 - u) * (Rabs w + S) <= R).
  { intros w Nw Hw. assert (PS : 0 <= S) by (apply round_keeps_sign; [reflexivity|]; apply Rmult_le_pos; tauto).
    pose proof (sum_errs D eq_refl (Rabs w) S (generic_format_abs _ _ _ Nw) NS) as K. fold u in K.
    rewrite (Rabs_pos_eq (Rabs w + S)) in K by (pose proof (Rabs_pos w); lra). apply Rabs_le_inv in K. lra. }
  assert (B1 : (1 - u) * (Rabs (seen a) + S) <= R) by (apply B; [apply rounded_is_number; reflexivity | exact R1]).
  assert (B2 : (1 - u) * (Rabs (seen b) + S) <= R) by (apply B; [apply rounded_is_number; reflexivity | exact R2]).
  assert (B3 : (1 - u) * (M + S) <= R) by (unfold M, Rmax; destruct (Rle_dec _ _); auto).
  (* together *)
  set (k := Q2R place_share) in *.
  set (w := v * (1 + 3 * u) + 3 * u).
  assert (Pv : 0 < v) by apply u_positive.
  assert (Pk : 0 <= k <= 1).
  { unfold k. split; rewrite <- ?Q2R_0, <- ?Q2R_1; apply Qle_Rle; vm_compute; discriminate. }
  assert (Pku : k * (1 - u) <= 1) by (rewrite <- (Rmult_1_r 1); apply Rmult_le_compat; lra).
  assert (W1 : w * (1 + 4 * u) <= k * (1 - u) /\ w <= 2 * v).
  { unfold w, k, v, u. rewrite <- !uQ_is_u.
    replace ((Q2R (uQ F) * (1 + 3 * Q2R (uQ D)) + 3 * Q2R (uQ D)) * (1 + 4 * Q2R (uQ D))) with
      (Q2R ((uQ F * (1 + 3 * uQ D) + 3 * uQ D) * (1 + 4 * uQ D))).
    2:{ rewrite !Q2R_mult, !Q2R_plus, !Q2R_mult, Q2R_plus, Q2R_mult, Q2R_1. replace (Q2R 3) with 3 by (unfold Q2R; simpl; lra).
        replace (Q2R 4) with 4 by (unfold Q2R; simpl; lra). ring. }
    replace (Q2R (uQ F) * (1 + 3 * Q2R (uQ D)) + 3 * Q2R (uQ D)) with (Q2R (uQ F * (1 + 3 * uQ D) + 3 * uQ D)).
    2:{ rewrite !Q2R_plus, !Q2R_mult, Q2R_plus, Q2R_mult, Q2R_1. replace (Q2R 3) with 3 by (unfold Q2R; simpl; lra). ring. }
    replace (Q2R place_share * (1 - Q2R (uQ D))) with (Q2R (place_share * (1 - uQ D))) by (rewrite Q2R_mult, Q2R_minus, Q2R_1; ring).
    replace (2 * Q2R (uQ F)) with (Q2R (2 * uQ F)) by (rewrite Q2R_mult; replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra); ring).
    split; apply Qle_Rle; vm_compute; discriminate. }
  destruct W1 as [W1 W2].
  assert (T1 : Rabs (round_ F (seen p) - exact_place) <= w * g + (1 + v) * h + H + d).
  { replace (round_ F (seen p) - exact_place) with ((round_ F (seen p) - seen p) + (seen p - s * (p - o)) + s * (p - z))
      by (unfold exact_place; fold z; ring).
    eapply Rle_trans; [apply Rabs_triang|]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang|].
    rewrite (Rabs_mult s), (Rabs_pos_eq s) by auto. fold d.
    assert (v * Rabs (seen p) <= v * ((1 + 3 * u) * g + h)) by (apply Rmult_le_compat_l; lra). unfold w. lra. }
  assert (PM : 0 <= M) by (unfold M; eapply Rle_trans; [apply (Rabs_pos (seen a)) | apply Rmax_l]).
  assert (T2 : w * g <= k * (1 - u) * (M + h) + 2 * v * d).
  { assert (Pw : 0 <= w) by (unfold w; apply Rplus_le_le_0_compat; [apply Rmult_le_pos; lra | lra]).
    assert (w * g <= w * ((1 + 4 * u) * (M + h) + d)) by now apply Rmult_le_compat_l.
    assert (w * (1 + 4 * u) * (M + h) <= k * (1 - u) * (M + h)) by (apply Rmult_le_compat_r; lra).
    assert (w * d <= 2 * v * d) by now apply Rmult_le_compat_r. lra. }
  assert (v1 : v <= 1) by (pose proof (u_below_1 F eq_refl); unfold v; lra).
  assert (T3 : (1 + 2 * v) * d <= (1 + 2 * v) * (2 * Q2R r) * (s * A) + 3 * (s * (Q2R m * h))).
  { assert (P3 : 0 <= s * (Q2R m * h)) by (apply Rmult_le_pos; auto; apply Rmult_le_pos; lra).
    assert ((1 + 2 * v) * d <= (1 + 2 * v) * (2 * Q2R r * (s * A) + s * (Q2R m * h))) by (apply Rmult_le_compat_l; lra).
    assert ((1 + 2 * v) * (s * (Q2R m * h)) <= 3 * (s * (Q2R m * h))) by (apply Rmult_le_compat_r; lra). lra. }
  assert (PsA : 0 <= s * A) by now apply Rmult_le_pos.
  assert (T4 : (1 + 2 * v) * (2 * Q2R r) * (s * A) <= k * (1 - u) * (1 - u) * (1 - u) * (1 - u) * c * (s * A)) by now apply Rmult_le_compat_r.
  assert (T5 : k * ((1 - u) * (M + S)) <= k * R) by (apply Rmult_le_compat_l; tauto).
  assert (T6 : k * (1 - u) * ((1 - u) * (1 - u) * (1 - u) * c * (s * A) - (q + 1) * h) <= k * (1 - u) * S).
  { apply Rmult_le_compat_l; auto. apply Rmult_le_pos; lra. }
  assert (Bq : q <= bpow radix2 162).
  { apply Rle_trans with (1 := proj2 Q1). unfold A. destruct (given 0%nat) as (_ & _ & _ & _ & Ba & _). destruct (given 1%nat) as (_ & _ & _ & _ & Bb & _).
    change (size_in list_of 0) with (two_to 160) in Ba. change (size_in list_of 1) with (two_to 160) in Bb. rewrite two_to_is_bpow in Ba, Bb.
    fold a in Ba. fold b in Bb. replace (bpow radix2 162) with (4 * bpow radix2 160).
    - lra.
    - replace 4 with (bpow radix2 2) by (simpl; lra). rewrite <- bpow_plus. reflexivity. }
  assert (Bs : s <= bpow radix2 900).
  { destruct (given 4%nat) as (_ & _ & _ & _ & B4 & _). change (size_in list_of 4) with (two_to 900) in B4. rewrite two_to_is_bpow in B4.
    fold s in B4. pose proof (Rle_abs s). lra. }
  assert (Bm : s * (Q2R m * h) <= bpow radix2 920 * h).
  { replace (bpow radix2 920) with (bpow radix2 900 * bpow radix2 20) by (rewrite <- bpow_plus; reflexivity).
    rewrite Rmult_assoc. apply Rmult_le_compat; auto; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra]. }
  assert (Small : 4 * (bpow radix2 920 * h) <= H).
  { unfold h, eta. unfold H, eta. replace 4 with (bpow radix2 2) by (simpl; lra). rewrite <- !bpow_plus. apply bpow_le. vm_compute. discriminate. }
  assert (Bq2 : k * (1 - u) * ((q + 1) * h) <= bpow radix2 920 * h / 4).
  { assert (P4 : (q + 1) * h <= bpow radix2 900 * h).
    { apply Rmult_le_compat_r; [lra|]. apply Rle_trans with (bpow radix2 162 + bpow radix2 162).
      - assert (1 <= bpow radix2 162) by (change 1 with (bpow radix2 0); apply bpow_le; lia). lra.
      - replace (bpow radix2 162 + bpow radix2 162) with (bpow radix2 1 * bpow radix2 162) by (rewrite bpow_1; simpl; ring).
        rewrite <- bpow_plus. apply bpow_le. lia. }
    assert (P5 : 4 * (bpow radix2 900 * h) <= bpow radix2 920 * h).
    { rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [lra|]. replace 4 with (bpow radix2 2) by (simpl; lra). rewrite <- bpow_plus. apply bpow_le. lia. }
    assert (P6 : 0 <= (q + 1) * h) by (apply Rmult_le_pos; lra).
    assert (P7 : k * (1 - u) * ((q + 1) * h) <= 1 * ((q + 1) * h)) by (apply Rmult_le_compat_r; auto). lra. }
  assert (Bh : 16 * h <= bpow radix2 920 * h).
  { apply Rmult_le_compat_r; [lra|]. replace 16 with (bpow radix2 4) by (simpl; lra). apply bpow_le. lia. }
  assert (Bk : k * (1 - u) * h <= 1 * h) by (apply Rmult_le_compat_r; lra).
  assert (Bv : v * h <= 1 * h) by (apply Rmult_le_compat_r; lra).
  clear - T1 T2 T3 T4 T5 T6 Bq2 Bm Small Bh Bk Bv Ph.
  lra.
Qed.
End Places.
