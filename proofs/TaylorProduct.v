(* Products of Taylor models, as the code computes them: GZ_TAYLOR_SLACK, GZ_TAYLOR_UP, GZ_TAYLOR_TINY. *)
From Coq Require Import Reals QArith Qreals Qminmax ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Directed DirectedChecks Taylor TracesMotion.
Open Scope R_scope.
Import TracedProduct.

Local Notation ieee := binary64_is_ieee.
Local Notation terms := (terms_in binary64 variables).

Lemma half_is : F2R (Float radix2 1 (-1)) = / 2.
Proof. unfold F2R; simpl; lra. Qed.
Lemma nothing_is : F2R (Float radix2 0 0) = 0.
Proof. unfold F2R; simpl; lra. Qed.

(* What is rounded, how far at most, and what the remainder holds of it. *)
Definition trees : list expr := (c_0 :: c_1 :: c_2 :: c_3 :: d_4 :: d_5 :: d_6 :: nil)%list.


(* Each of them with the largest relative error and the sum of the absolute ones. *)
Lemma one_error fx e r m s n : inputs binary64 variables fx fx -> constants_are_numbers binary64 e = true ->
  error_in binary64 variables e = Some (r, m) -> Q2R r <= Q2R s -> Q2R m <= Q2R n ->
  Rabs (rounded binary64 fx e - exact fx e) <= Q2R s * terms fx e + Q2R n * eta64.
Proof.
  intros G W E R M. pose proof (error_is_at_most binary64 _ fx fx ieee G e r m W E) as H.
  eapply Rle_trans; [exact H|]. pose proof (eta_positive binary64).
  apply Rplus_le_compat; apply Rmult_le_compat_r; auto; [apply terms_are_positive | lra].
Qed.

Definition rel (e : expr) : Q := match error_in binary64 variables e with Some (r, _) => r | None => 0 end.
Definition abso (e : expr) : Q := match error_in binary64 variables e with Some (_, m) => m | None => 0 end.
Definition largest_rel : Q := fold_right (fun e q => Qmax (rel e) q) 0%Q trees.
Definition largest_abs : Q := fold_right (fun e q => Qmax (abso e) q) 0%Q trees.
Definition all_known : bool := forallb (fun e => constants_are_numbers binary64 e &&
  match error_in binary64 variables e with Some _ => true | None => false end) trees.
Definition checks (rest : option (Q * Q)) (slack up : Q) : bool :=
  match rest with
  | Some (f, k) =>
    Qle_bool 1 (f * up) && Qle_bool largest_rel (f * up * slack) && Qle_bool (6 * largest_abs + k) 0 &&
    Qle_bool 0 largest_abs && Qle_bool 0 largest_rel && up4 up
  | _ => false
  end.

Lemma each_error fx e : inputs binary64 variables fx fx -> In e trees -> all_known = true ->
  Rabs (rounded binary64 fx e - exact fx e) <= Q2R largest_rel * terms fx e + Q2R largest_abs * eta64.
Proof.
  intros G I A. unfold all_known in A. rewrite forallb_forall in A. specialize (A e I). apply andb_true_iff in A.
  destruct A as [W A]. destruct (error_in binary64 variables e) as [[r m]|] eqn:E; [|discriminate].
  assert (R : Q2R (rel e) <= Q2R largest_rel /\ Q2R (abso e) <= Q2R largest_abs).
  { unfold largest_rel, largest_abs. clear - I. induction trees as [|a l IH]; [destruct I|]. simpl.
    destruct (Q2R_max (rel a) (fold_right (fun e q => Qmax (rel e) q) 0%Q l)).
    destruct (Q2R_max (abso a) (fold_right (fun e q => Qmax (abso e) q) 0%Q l)).
    destruct I as [->|I]; [lra|]. destruct (IH I). lra. }
  unfold rel, abso in R. rewrite E in R. destruct R. now apply (one_error fx e r m).
Qed.

Theorem a_product_is_a_model fx s x y : inputs binary64 variables fx fx -> Rabs s <= 1 ->
  size4 (fx 0%nat) (fx 1%nat) (fx 2%nat) (fx 3%nat) <= fx 5%nat ->
  size4 (fx 6%nat) (fx 7%nat) (fx 8%nat) (fx 9%nat) <= fx 11%nat ->
  Rabs (x - cubic4 (fx 0%nat) (fx 1%nat) (fx 2%nat) (fx 3%nat) s) <= fx 4%nat ->
  Rabs (y - cubic4 (fx 6%nat) (fx 7%nat) (fx 8%nat) (fx 9%nat) s) <= fx 10%nat ->
  let c := rounded binary64 fx in
  Rabs (x * y - cubic4 (c c_0) (c c_1) (c c_2) (c c_3) s) <= c r /\ size4 (c c_0) (c c_1) (c c_2) (c c_3) <= c n /\
  nothing_overflows binary64 fx r /\ nothing_overflows binary64 fx n.
Proof.
  intros G S NA NB X Y. cbv zeta.
  assert (K : checks (lower_in binary64 variables r) (value_of SLACK) (value_of UP) = true) by (vm_compute; reflexivity).
  destruct (lower_in binary64 variables r) as [[f k]|] eqn:E; [|discriminate].
  unfold checks in K. rewrite !andb_true_iff in K. destruct K as [[[[[K1 K2] K3] K4] K5] K6].
  destruct (up4_is_right _ K6) as [U1 U2].
  apply at_most in K1, K2, K3, K4, K5. rewrite !Q2R_mult in K2. rewrite Q2R_mult, Q2R_1 in K1.
  rewrite Q2R_plus, Q2R_mult, Q2R_0 in K3. rewrite Q2R_0 in K4, K5.
  replace (Q2R 6) with 6 in K3 by (unfold Q2R; simpl; lra).
  assert (A : all_known = true) by (vm_compute; reflexivity).
  assert (W : constants_are_numbers binary64 r = true) by (vm_compute; reflexivity).
  destruct (value_is_at_least binary64 _ fx fx ieee G r f k W E) as [_ L]. clear E W K6.
  assert (Err : forall e, In e trees -> Rabs (rounded binary64 fx e - exact fx e) <=
    Q2R largest_rel * terms fx e + Q2R largest_abs * eta64) by (intros; now apply each_error).
  assert (NN : forall e, In e trees -> is_number binary64 (rounded binary64 fx e)).
  { intros e I. unfold all_known in A. rewrite forallb_forall in A. specialize (A e I). apply andb_true_iff in A.
    eapply every_value_is_a_number; [apply (proj1 ieee) | exact G | apply A]. }
  set (R := Q2R largest_rel) in *. set (M := Q2R largest_abs) in *. clearbody R M.
  split; [|split; [|split]].
  3, 4: eapply nothing_is_too_large; eauto using binary64_is_ieee; vm_compute; reflexivity.
  2:{ change (rounded binary64 fx n) with (round_ binary64 (round_ binary64 (round_ binary64 (round_ binary64
        (Rabs (rounded binary64 fx c_0) + Rabs (rounded binary64 fx c_1)) + Rabs (rounded binary64 fx c_2)) +
        Rabs (rounded binary64 fx c_3)) * rounded binary64 fx UP)).
      assert (V : rounded binary64 fx UP = Q2R (value_of UP)).
      { unfold UP, value_of. cbn [rounded]. now rewrite number_is_F2R. }
      rewrite V. apply a_size_is_at_least; auto; apply NN; simpl; tauto. }
  (* the bound *)
  assert (B : base binary64 fx r = ((0 + (fx 4%nat * (fx 11%nat + fx 10%nat) + fx 5%nat * fx 10%nat)) +
    (/ 2 * Rabs (rounded binary64 fx d_4) + Rabs (rounded binary64 fx d_5) + / 2 * Rabs (rounded binary64 fx d_6) +
     Q2R (value_of SLACK) * (0 + fx 5%nat * fx 11%nat))) * Q2R (value_of UP) + 0).
  { unfold value_of, SLACK, UP. rewrite !number_is_F2R, <- half_is. reflexivity. }
  rewrite B in L. clear B.
  pose proof (Err c_0 ltac:(simpl; tauto)) as E0. pose proof (Err c_1 ltac:(simpl; tauto)) as E1.
  pose proof (Err c_2 ltac:(simpl; tauto)) as E2. pose proof (Err c_3 ltac:(simpl; tauto)) as E3.
  pose proof (Err d_4 ltac:(simpl; tauto)) as E4. pose proof (Err d_5 ltac:(simpl; tauto)) as E5.
  pose proof (Err d_6 ltac:(simpl; tauto)) as E6. clear Err NN.
  set (a0 := fx 0%nat) in *. set (a1 := fx 1%nat) in *. set (a2 := fx 2%nat) in *. set (a3 := fx 3%nat) in *.
  set (b0 := fx 6%nat) in *. set (b1 := fx 7%nat) in *. set (b2 := fx 8%nat) in *. set (b3 := fx 9%nat) in *.
  assert (X4 : exact fx d_4 = a1 * b3 + a2 * b2 + a3 * b1).
  { change (exact fx d_4) with (F2R (Float radix2 0 0) + (a1 * b3 + a2 * b2 + a3 * b1)). rewrite nothing_is. ring. }
  assert (X5 : exact fx d_5 = a2 * b3 + a3 * b2).
  { change (exact fx d_5) with (F2R (Float radix2 0 0) + (a2 * b3 + a3 * b2)). rewrite nothing_is. ring. }
  assert (X6 : exact fx d_6 = a3 * b3).
  { change (exact fx d_6) with (F2R (Float radix2 0 0) + (a3 * b3)). rewrite nothing_is. ring. }
  assert (X0 : exact fx c_0 = a0 * b0 + (/ 2 * exact fx d_4 + / 2 * exact fx d_6)).
  { rewrite <- half_is. change (exact fx c_0) with (F2R (Float radix2 0 0) + a0 * b0 +
      (F2R (Float radix2 1 (-1)) * exact fx d_4 + F2R (Float radix2 1 (-1)) * exact fx d_6)). rewrite nothing_is. ring. }
  assert (X1 : exact fx c_1 = a0 * b1 + a1 * b0).
  { change (exact fx c_1) with (F2R (Float radix2 0 0) + (a0 * b1 + a1 * b0)). rewrite nothing_is. ring. }
  assert (X2 : exact fx c_2 = a0 * b2 + a1 * b1 + a2 * b0).
  { change (exact fx c_2) with (F2R (Float radix2 0 0) + (a0 * b2 + a1 * b1 + a2 * b0)). rewrite nothing_is. ring. }
  assert (X3 : exact fx c_3 = a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0).
  { change (exact fx c_3) with (F2R (Float radix2 0 0) + (a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0)). rewrite nothing_is. ring. }
  assert (Z0 : Rabs (F2R (Float radix2 0 0)) = 0) by (rewrite nothing_is; apply Rabs_R0).
  assert (H0 : Rabs (F2R (Float radix2 1 (-1))) = / 2) by (rewrite half_is; apply Rabs_pos_eq; lra).
  assert (T4 : terms fx d_4 = Rabs a1 * Rabs b3 + Rabs a2 * Rabs b2 + Rabs a3 * Rabs b1).
  { change (terms fx d_4) with (Rabs (F2R (Float radix2 0 0)) + (Rabs a1 * Rabs b3 + Rabs a2 * Rabs b2 + Rabs a3 * Rabs b1)). lra. }
  assert (T5 : terms fx d_5 = Rabs a2 * Rabs b3 + Rabs a3 * Rabs b2).
  { change (terms fx d_5) with (Rabs (F2R (Float radix2 0 0)) + (Rabs a2 * Rabs b3 + Rabs a3 * Rabs b2)). lra. }
  assert (T6 : terms fx d_6 = Rabs a3 * Rabs b3).
  { change (terms fx d_6) with (Rabs (F2R (Float radix2 0 0)) + (Rabs a3 * Rabs b3)). lra. }
  assert (T0 : terms fx c_0 = Rabs a0 * Rabs b0 + (/ 2 * terms fx d_4 + / 2 * terms fx d_6)).
  { rewrite <- H0. change (terms fx c_0) with (Rabs (F2R (Float radix2 0 0)) + Rabs a0 * Rabs b0 +
      (Rabs (F2R (Float radix2 1 (-1))) * terms fx d_4 + Rabs (F2R (Float radix2 1 (-1))) * terms fx d_6)). lra. }
  assert (T1 : terms fx c_1 = Rabs a0 * Rabs b1 + Rabs a1 * Rabs b0).
  { change (terms fx c_1) with (Rabs (F2R (Float radix2 0 0)) + (Rabs a0 * Rabs b1 + Rabs a1 * Rabs b0)). lra. }
  assert (T2 : terms fx c_2 = Rabs a0 * Rabs b2 + Rabs a1 * Rabs b1 + Rabs a2 * Rabs b0).
  { change (terms fx c_2) with (Rabs (F2R (Float radix2 0 0)) + (Rabs a0 * Rabs b2 + Rabs a1 * Rabs b1 + Rabs a2 * Rabs b0)). lra. }
  assert (T3 : terms fx c_3 = Rabs a0 * Rabs b3 + Rabs a1 * Rabs b2 + Rabs a2 * Rabs b1 + Rabs a3 * Rabs b0).
  { change (terms fx c_3) with (Rabs (F2R (Float radix2 0 0)) + (Rabs a0 * Rabs b3 + Rabs a1 * Rabs b2 + Rabs a2 * Rabs b1 + Rabs a3 * Rabs b0)). lra. }
  set (R0 := rounded binary64 fx c_0) in *. set (R1 := rounded binary64 fx c_1) in *.
  set (R2 := rounded binary64 fx c_2) in *. set (R3 := rounded binary64 fx c_3) in *.
  set (D4 := rounded binary64 fx d_4) in *. set (D5 := rounded binary64 fx d_5) in *.
  set (D6 := rounded binary64 fx d_6) in *. set (Rr := rounded binary64 fx r) in *.
  set (e0 := exact fx c_0) in *. set (e1 := exact fx c_1) in *. set (e2 := exact fx c_2) in *. set (e3 := exact fx c_3) in *.
  set (e4 := exact fx d_4) in *. set (e5 := exact fx d_5) in *. set (e6 := exact fx d_6) in *.
  set (t0 := terms fx c_0) in *. set (t1 := terms fx c_1) in *. set (t2 := terms fx c_2) in *. set (t3 := terms fx c_3) in *.
  set (t4 := terms fx d_4) in *. set (t5 := terms fx d_5) in *. set (t6 := terms fx d_6) in *.
  clearbody R0 R1 R2 R3 D4 D5 D6 Rr e0 e1 e2 e3 e4 e5 e6 t0 t1 t2 t3 t4 t5 t6.
  set (na := fx 5%nat) in *. set (nb := fx 11%nat) in *. set (ra := fx 4%nat) in *. set (rb := fx 10%nat) in *.
  set (SL := Q2R (value_of SLACK)) in *. set (P := Q2R (value_of UP)) in *.
  destruct (power_of_part s S) as (S2 & S3 & S5 & S4 & S6).
  pose proof (a_cubic_is_at_most a0 a1 a2 a3 s S) as CA. pose proof (a_cubic_is_at_most b0 b1 b2 b3 s S) as CB.
  assert (F : Rabs (x * y - cubic4 a0 a1 a2 a3 s * cubic4 b0 b1 b2 b3 s) <= ra * (nb + rb) + na * rb)
    by (apply a_product_is_within; auto; lra).
  assert (I : cubic4 a0 a1 a2 a3 s * cubic4 b0 b1 b2 b3 s - cubic4 R0 R1 R2 R3 s =
    (e0 - R0) + (e1 - R1) * s + (e2 - R2) * (s * s) + (e3 - R3) * (s * s * s) +
    e4 * (s * s * s * s - / 2) + e5 * (s * s * s * s * s) + e6 * (s * s * s * s * s * s - / 2)).
  { unfold cubic4. rewrite X0, X1, X2, X3, X4, X5, X6. field. }
  assert (Mu : forall a b c, Rabs b <= c -> Rabs (a * b) <= Rabs a * c).
  { intros. rewrite Rabs_mult. apply Rmult_le_compat_l; auto using Rabs_pos. }
  assert (J : Rabs (cubic4 a0 a1 a2 a3 s * cubic4 b0 b1 b2 b3 s - cubic4 R0 R1 R2 R3 s) <=
    Rabs (e0 - R0) + Rabs (e1 - R1) + Rabs (e2 - R2) + Rabs (e3 - R3) + / 2 * Rabs e4 + Rabs e5 + / 2 * Rabs e6).
  { rewrite I. pose proof (Mu (e1 - R1) s 1 S). pose proof (Mu (e2 - R2) _ 1 S2). pose proof (Mu (e3 - R3) _ 1 S3).
    pose proof (Mu e4 _ _ S4). pose proof (Mu e5 _ 1 S5). pose proof (Mu e6 _ _ S6).
    do 6 (eapply Rle_trans; [apply Rabs_triang|]; apply Rplus_le_compat; [|lra]). lra. }
  rewrite (Rabs_minus_sym R0 e0) in E0. rewrite (Rabs_minus_sym R1 e1) in E1. rewrite (Rabs_minus_sym R2 e2) in E2.
  rewrite (Rabs_minus_sym R3 e3) in E3.
  assert (V4 : Rabs e4 <= Rabs D4 + (R * t4 + M * eta64)).
  { replace e4 with (D4 + - (D4 - e4)) by ring. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  assert (V5 : Rabs e5 <= Rabs D5 + (R * t5 + M * eta64)).
  { replace e5 with (D5 + - (D5 - e5)) by ring. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  assert (V6 : Rabs e6 <= Rabs D6 + (R * t6 + M * eta64)).
  { replace e6 with (D6 + - (D6 - e6)) by ring. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  assert (TT : t0 + t1 + t2 + t3 + / 2 * t4 + t5 + / 2 * t6 = size4 a0 a1 a2 a3 * size4 b0 b1 b2 b3).
  { rewrite T0, T1, T2, T3, T4, T5, T6. unfold size4. field. }
  assert (PS : forall c0 c1 c2 c3, 0 <= size4 c0 c1 c2 c3).
  { intros. unfold size4. pose proof (Rabs_pos c0). pose proof (Rabs_pos c1). pose proof (Rabs_pos c2).
    pose proof (Rabs_pos c3). lra. }
  assert (NNN : size4 a0 a1 a2 a3 * size4 b0 b1 b2 b3 <= na * nb) by (apply Rmult_le_compat; auto).
  pose proof (Rmult_le_compat_l R _ _ K5 NNN) as RT. rewrite <- TT in RT.
  assert (Pna : 0 <= na) by (eapply Rle_trans; [apply PS | exact NA]).
  assert (Pnb : 0 <= nb) by (eapply Rle_trans; [apply PS | exact NB]).
  assert (Pn : 0 <= na * nb) by now apply Rmult_le_pos.
  assert (Pra : 0 <= ra) by (eapply Rle_trans; [apply Rabs_pos | exact X]).
  assert (Prb : 0 <= rb) by (eapply Rle_trans; [apply Rabs_pos | exact Y]).
  assert (PE : 0 <= ra * (nb + rb) + na * rb).
  { apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra. }
  set (own := ra * (nb + rb) + na * rb) in *.
  pose proof (Rabs_pos D4). pose proof (Rabs_pos D5). pose proof (Rabs_pos D6).
  set (tail := / 2 * Rabs D4 + Rabs D5 + / 2 * Rabs D6) in *.
  assert (Pt : 0 <= own + tail) by (unfold tail; lra).
  pose proof (Rmult_le_compat_r _ _ _ Pt K1) as Q1. pose proof (Rmult_le_compat_r _ _ _ Pn K2) as Q2.
  pose proof (eta_positive binary64) as Pe.
  pose proof (Rmult_le_compat_r eta64 _ _ (Rlt_le _ _ Pe) K3) as Q3.
  replace (x * y - cubic4 R0 R1 R2 R3 s) with ((x * y - cubic4 a0 a1 a2 a3 s * cubic4 b0 b1 b2 b3 s) +
    (cubic4 a0 a1 a2 a3 s * cubic4 b0 b1 b2 b3 s - cubic4 R0 R1 R2 R3 s)) by ring.
  eapply Rle_trans; [apply Rabs_triang|].
  apply Rle_trans with (own + tail + R * (na * nb) + 6 * M * eta64); [unfold tail in *; lra|].
  replace (Q2R f * ((0 + own + (tail + SL * (0 + na * nb))) * P + 0)) with
    (Q2R f * P * (own + tail) + Q2R f * P * SL * (na * nb)) in L by ring. lra.
Qed.
