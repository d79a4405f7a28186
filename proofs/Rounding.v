(* How far a rounded expression can be from the exact one: two theorems over trees of operations.

   `error` bounds |rounded - exact| by r * (sum of |terms|) + m * eta, eta half of the least positive number.
   `lower` bounds a rounded sum of what is not negative from below by f * (that sum) - m * eta, and follows roots: what
   m * eta is under a root, the root of it is outside.
   Both are programs: a bound of a tree is computed, and the theorem says that it holds. *)
From Coq Require Import Reals QArith Qreals Qround Qabs Qminmax ZArith Bool Lra Lia Psatz.
From Flocq Require Import Core Relative Plus_error.
Open Scope R_scope.

Inductive expr :=
| Var (i : nat)
| Cst (m e : Z)           (* m * 2^e *)
| Near (m e : Z) (q : Q)  (* the number m * 2^e in the place of q *)
| Neg (a : expr)
| Abs (a : expr)
| Add (a b : expr)
| Sub (a b : expr)
| Mul (a b : expr)
| Div (a b : expr)
| Sqrt (a : expr).

Fixpoint same (a b : expr) : bool :=
  match a, b with
  | Var i, Var j => Nat.eqb i j
  | Cst m e, Cst n f => Z.eqb m n && Z.eqb e f
  | Near m e (Qmake q d), Near n f (Qmake p c) => Z.eqb m n && Z.eqb e f && Z.eqb q p && Pos.eqb d c
  | Neg a, Neg b | Abs a, Abs b | Sqrt a, Sqrt b => same a b
  | Add a c, Add b d | Sub a c, Sub b d | Mul a c, Mul b d | Div a c, Div b d => same a b && same c d
  | _, _ => false
  end.

Lemma same_is_equal a : forall b, same a b = true -> a = b.
Proof.
  induction a; destruct b; simpl; try discriminate; intros H;
    repeat match goal with q : Q |- _ => destruct q end; try discriminate;
    rewrite ?andb_true_iff in H;
    repeat match goal with H : _ /\ _ |- _ => destruct H end;
    repeat match goal with
           | H : Nat.eqb _ _ = true |- _ => apply Nat.eqb_eq in H
           | H : Z.eqb _ _ = true |- _ => apply Z.eqb_eq in H
           | H : Pos.eqb _ _ = true |- _ => apply Pos.eqb_eq in H
           end; subst; try reflexivity; f_equal; eauto.
Qed.

(* Rationals: bounds are rounded up, or down, to 160 places. Most denominators are powers of two, by which division is a
   shift. *)
Definition places : positive := 160.
Fixpoint power_of (d : positive) : option Z :=
  match d with
  | xH => Some 0%Z
  | xO p => match power_of p with Some k => Some (Z.succ k) | None => None end
  | xI _ => None
  end.
Definition floor (q : Q) : Z :=
  match power_of (Qden q) with Some k => Z.shiftr (Qnum q) k | None => Qfloor q end.
Definition ceiling (q : Q) : Z := (- floor (- q))%Z.
Definition up (q : Q) : Q := Qmake (ceiling (q * inject_Z (2 ^ Zpos places))) (2 ^ places).
Definition down (q : Q) : Q := Qmake (floor (q * inject_Z (2 ^ Zpos places))) (2 ^ places).

Lemma power_of_is d : forall k, power_of d = Some k -> (0 <= k)%Z /\ Zpos d = (2 ^ k)%Z.
Proof.
  induction d; simpl; intros k H; try discriminate.
  - destruct (power_of d) as [j|]; [|discriminate]. injection H as <-. destruct (IHd j eq_refl) as [P E].
    split; [lia|]. rewrite Z.pow_succ_r by auto. lia.
  - injection H as <-. split; [lia | reflexivity].
Qed.
Lemma floor_is q : floor q = Qfloor q.
Proof.
  unfold floor. destruct (power_of (Qden q)) as [k|] eqn:E; auto. apply power_of_is in E. destruct E as [P E].
  rewrite Z.shiftr_div_pow2 by auto. rewrite <- E. now destruct q.
Qed.
Lemma ceiling_is q : ceiling q = Qceiling q.
Proof. unfold ceiling. rewrite floor_is. reflexivity. Qed.

Definition two_to (e : Z) : Q := match e with Zneg p => Qmake 1 (2 ^ p) | _ => inject_Z (2 ^ e) end.
Definition number (m e : Z) : Q := inject_Z m * two_to e.

Lemma Q2R_Z z : Q2R (inject_Z z) = IZR z.
Proof. unfold Q2R; simpl; field. Qed.

Lemma places_are_scaled z : (Qmake z (2 ^ places) == inject_Z z * / inject_Z (2 ^ Zpos places))%Q.
Proof. unfold Qeq; vm_compute Pos.pow; simpl; lia. Qed.

Lemma up_is_above q : Q2R q <= Q2R (up q).
Proof.
  apply Qle_Rle. unfold up. rewrite ceiling_is, places_are_scaled.
  apply Qle_shift_div_l; [reflexivity|]. apply Qle_ceiling.
Qed.

Lemma down_is_below q : Q2R (down q) <= Q2R q.
Proof.
  apply Qle_Rle. unfold down. rewrite floor_is, places_are_scaled.
  apply Qle_shift_div_r; [reflexivity|]. apply Qfloor_le.
Qed.

Lemma two_to_is_bpow e : Q2R (two_to e) = bpow radix2 e.
Proof.
  destruct e as [|p|p]; unfold two_to.
  - unfold Q2R; simpl; lra.
  - rewrite Q2R_Z. reflexivity.
  - unfold Q2R; simpl.
    rewrite Rmult_1_l. apply f_equal. apply f_equal. rewrite Pos2Z.inj_pow. reflexivity.
Qed.

Lemma number_is_F2R m e : Q2R (number m e) = F2R (Float radix2 m e).
Proof. unfold number. rewrite Q2R_mult, Q2R_Z, two_to_is_bpow. reflexivity. Qed.

Lemma Q2R_max a b : Q2R a <= Q2R (Qmax a b) /\ Q2R b <= Q2R (Qmax a b).
Proof. split; apply Qle_Rle; [apply Q.le_max_l | apply Q.le_max_r]. Qed.
Lemma Q2R_min a b : Q2R (Qmin a b) <= Q2R a /\ Q2R (Qmin a b) <= Q2R b.
Proof. split; apply Qle_Rle; [apply Q.le_min_l | apply Q.le_min_r]. Qed.
Lemma Q2R_abs a : Q2R (Qabs a) = Rabs (Q2R a).
Proof.
  apply Qabs_case; intros H; apply Qle_Rle in H; replace (Q2R 0) with 0 in H by (unfold Q2R; simpl; lra).
  - now rewrite Rabs_pos_eq.
  - rewrite Q2R_opp, Rabs_left1; lra.
Qed.

(* A format: its digits, its least exponent, and the first power of two that it does not hold. *)
Record format := { prec : Z; emin : Z; emax : Z }.
Definition binary64 := {| prec := 53; emin := -1074; emax := 1024 |}.
Definition binary32 := {| prec := 24; emin := -149; emax := 128 |}.

Section Format.
Variable F : format.
Hypothesis prec_positive : (0 < prec F)%Z.
Hypothesis roots_do_not_underflow : (2 * (emin F + prec F - 1) <= emin F)%Z.
Instance prec_gt_0 : Prec_gt_0 (prec F) := prec_positive.

Definition round_ (x : R) : R := round radix2 (FLT_exp (emin F) (prec F)) ZnearestE x.
Definition is_number (x : R) : Prop := generic_format radix2 (FLT_exp (emin F) (prec F)) x.
Definition u : R := bpow radix2 (- prec F).
Definition eta : R := bpow radix2 (emin F - 1).
Definition uQ : Q := two_to (- prec F).
Definition etaQ : Q := two_to (emin F - 1).

Lemma uQ_is_u : Q2R uQ = u. Proof. apply two_to_is_bpow. Qed.
Lemma etaQ_is_eta : Q2R etaQ = eta. Proof. apply two_to_is_bpow. Qed.
Lemma u_positive : 0 < u. Proof. apply bpow_gt_0. Qed.
Lemma u_below_1 : u < 1.
Proof. unfold u. change 1 with (bpow radix2 0). apply bpow_lt. lia. Qed.
Lemma eta_positive : 0 < eta. Proof. apply bpow_gt_0. Qed.

Lemma half_ulp : / 2 * bpow radix2 (- prec F + 1) = u.
Proof. unfold u. rewrite bpow_plus, bpow_1. simpl. field. Qed.
Lemma half_least : / 2 * bpow radix2 (emin F) = eta.
Proof. unfold eta. replace (emin F) with (emin F - 1 + 1)%Z at 1 by lia. rewrite bpow_plus, bpow_1. simpl. field. Qed.

Lemma rounded_is_number x : is_number (round_ x).
Proof. apply generic_format_round; auto with typeclass_instances. Qed.

Lemma round_errs x : Rabs (round_ x - x) <= u * Rabs x + eta.
Proof.
  destruct (error_N_FLT radix2 (emin F) (prec F) prec_positive (fun x => negb (Z.even x)) x) as (d & h & Hd & Hh & _ & E).
  unfold round_. fold ZnearestE in E. rewrite E. rewrite half_ulp in Hd. rewrite half_least in Hh.
  replace (x * (1 + d) + h - x) with (x * d + h) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult.
  pose proof (Rabs_pos x). nra.
Qed.

Lemma sum_errs x y : is_number x -> is_number y -> Rabs (round_ (x + y) - (x + y)) <= u * Rabs (x + y).
Proof.
  intros Hx Hy.
  destruct (FLT_plus_error_N_ex radix2 (emin F) (prec F) (fun x => negb (Z.even x)) x y Hx Hy) as (d & Hd & E).
  unfold round_. fold ZnearestE in E. rewrite E.
  replace ((x + y) * (1 + d) - (x + y)) with (d * (x + y)) by ring. rewrite Rabs_mult.
  apply Rmult_le_compat_r; [apply Rabs_pos|].
  eapply Rle_trans; [exact Hd|]. unfold u_ro. rewrite half_ulp.
  pose proof u_positive. apply Rmult_le_reg_r with (1 + u); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l; nra.
Qed.

Lemma root_errs x : is_number x -> 0 <= x -> (1 - u) * sqrt x <= round_ (sqrt x).
Proof.
  intros Hx [Px | <-].
  2:{ rewrite sqrt_0. unfold round_. rewrite round_0; auto with typeclass_instances. lra. }
  assert (Hs : bpow radix2 (emin F + prec F - 1) <= Rabs (sqrt x)).
  { rewrite Rabs_pos_eq by apply sqrt_pos.
    rewrite <- (sqrt_square (bpow radix2 (emin F + prec F - 1))) by apply bpow_ge_0.
    apply sqrt_le_1_alt. rewrite <- bpow_plus.
    apply Rle_trans with (bpow radix2 (emin F)).
    - apply bpow_le. lia.
    - apply generic_format_ge_bpow with (FLT_exp (emin F) (prec F)); auto.
      intros e. unfold FLT_exp. lia. }
  pose proof (relative_error_N_FLT radix2 (emin F) (prec F) prec_positive (fun x => negb (Z.even x)) (sqrt x) Hs) as E.
  fold ZnearestE in E. rewrite half_ulp in E. fold (round_ (sqrt x)) in E.
  rewrite (Rabs_pos_eq (sqrt x)) in E by apply sqrt_pos.
  apply Rabs_le_inv in E. lra.
Qed.

Lemma round_keeps_sign x : 0 <= x -> 0 <= round_ x.
Proof.
  intros H. unfold round_. rewrite <- (round_0 radix2 (FLT_exp (emin F) (prec F)) ZnearestE).
  apply round_le; auto with typeclass_instances.
Qed.

(* What is known of the variables: the rounded value of each differs from the exact one by at most
   given_r * |exact| + given_m * eta, is at most given_size in size, and where given_positive not negative. *)
Variables (given_r given_m given_size : nat -> Q) (given_positive : nat -> bool).
Variables (fx ex : nat -> R).
Definition variables_are_as_given : Prop := forall i,
  is_number (fx i) /\ (0 <= Q2R (given_r i)) /\ (0 <= Q2R (given_m i)) /\
  Rabs (fx i - ex i) <= Q2R (given_r i) * Rabs (ex i) + Q2R (given_m i) * eta /\
  Rabs (fx i) <= Q2R (given_size i) /\ Rabs (ex i) <= Q2R (given_size i) /\
  (given_positive i = true -> 0 <= fx i).
Hypothesis given : variables_are_as_given.

Fixpoint rounded (e : expr) : R :=
  match e with
  | Var i => fx i
  | Cst m e | Near m e _ => F2R (Float radix2 m e)
  | Neg a => - rounded a
  | Abs a => Rabs (rounded a)
  | Add a b => round_ (rounded a + rounded b)
  | Sub a b => round_ (rounded a - rounded b)
  | Mul a b => round_ (rounded a * rounded b)
  | Div a b => round_ (rounded a / rounded b)
  | Sqrt a => round_ (sqrt (rounded a))
  end.

Fixpoint exact (e : expr) : R :=
  match e with
  | Var i => ex i
  | Cst m e => F2R (Float radix2 m e)
  | Near _ _ q => Q2R q
  | Neg a => - exact a
  | Abs a => Rabs (exact a)
  | Add a b => exact a + exact b
  | Sub a b => exact a - exact b
  | Mul a b => exact a * exact b
  | Div a b => exact a / exact b
  | Sqrt a => sqrt (exact a)
  end.

(* Every constant is a number of the format, and near what it stands for. *)
Definition is_constant (m e : Z) : bool := ((Z.abs m <? 2 ^ prec F) && (emin F <=? e))%Z.
Fixpoint constants_are_numbers (e : expr) : bool :=
  match e with
  | Var _ => true
  | Cst m e => is_constant m e
  | Near m e q => is_constant m e && Qle_bool (Qabs (number m e - q)) (uQ * Qabs q)
  | Neg a | Abs a | Sqrt a => constants_are_numbers a
  | Add a b | Sub a b | Mul a b | Div a b => constants_are_numbers a && constants_are_numbers b
  end.

Lemma constant_is_number m e : is_constant m e = true -> is_number (F2R (Float radix2 m e)).
Proof.
  unfold is_constant. rewrite andb_true_iff, Z.ltb_lt, Z.leb_le. intros [Hm He].
  apply generic_format_FLT. exists (Float radix2 m e); simpl; auto.
Qed.

Lemma every_value_is_a_number e : constants_are_numbers e = true -> is_number (rounded e).
Proof.
  induction e; simpl; rewrite ?andb_true_iff; intros H; try apply rounded_is_number.
  - now destruct (given i).
  - now apply constant_is_number.
  - now apply constant_is_number.
  - apply generic_format_opp, IHe, H.
  - apply generic_format_abs, IHe, H.
Qed.

(* ---- the error of sums and products ---- *)

Definition has_no_error (e : expr) : bool :=
  match e with
  | Var i => Qeq_bool (given_r i) 0 && Qeq_bool (given_m i) 0
  | Cst _ _ => true
  | _ => false
  end.

Lemma no_error e : has_no_error e = true -> rounded e = exact e.
Proof.
  destruct e; simpl; try discriminate; auto.
  rewrite andb_true_iff. intros [Hr Hm].
  apply Qeq_bool_eq, Qeq_eqR in Hr, Hm.
  replace (Q2R 0) with 0 in * by (unfold Q2R; simpl; lra).
  destruct (given i) as (_ & _ & _ & H & _). rewrite Hr, Hm in H.
  assert (E : Rabs (fx i - ex i) <= 0) by lra.
  pose proof (Rabs_pos (fx i - ex i)).
  assert (fx i - ex i = 0) by (destruct (Req_dec (fx i - ex i) 0) as [|N]; auto; apply Rabs_no_R0 in N; lra).
  lra.
Qed.

(* |c| of a constant c that is not 0, by which a tree may be divided. *)
Definition divisor (e : expr) : option Q :=
  match e with Cst m e => if Z.eqb m 0 then None else Some (Qabs (number m e)) | _ => None end.
Lemma a_divisor_is_exact e q : divisor e = Some q -> rounded e = exact e.
Proof. destruct e; try discriminate. reflexivity. Qed.
Lemma a_divisor_is e q : divisor e = Some q -> 0 < Q2R q /\ Q2R q = Rabs (exact e).
Proof.
  destruct e as [|m k| | | | | | | |]; try discriminate. cbn [divisor exact].
  destruct (Z.eqb m 0) eqn:E; [discriminate|]. apply Z.eqb_neq in E. intros H.
  assert (V : q = Qabs (number m k)) by congruence. subst q. rewrite Q2R_abs, number_is_F2R. split; auto. apply Rabs_pos_lt. intros Z. apply E.
  apply eq_0_F2R in Z. exact Z.
Qed.

(* The sum of the |products| that a tree is made of; a sum or difference of two inputs is one term. *)
Fixpoint terms (e : expr) : R :=
  match e with
  | Var i => Rabs (ex i)
  | Cst m e => Rabs (F2R (Float radix2 m e))
  | Near _ _ q => Rabs (Q2R q)
  | Neg a | Abs a => terms a
  | Add a b => if has_no_error a && has_no_error b then Rabs (exact a + exact b) else terms a + terms b
  | Sub a b => if has_no_error a && has_no_error b then Rabs (exact a - exact b) else terms a + terms b
  | Mul a b => terms a * terms b
  | Div a b => match divisor b with Some q => terms a * / Q2R q | None => 0 end
  | Sqrt _ => 0
  end.

Fixpoint most (e : expr) : Q :=
  match e with
  | Var i => given_size i
  | Cst m e => Qabs (number m e)
  | Near _ _ q => Qabs q
  | Neg a | Abs a => most a
  | Add a b | Sub a b => up (most a + most b)
  | Mul a b => up (most a * most b)
  | Div a b => match divisor b with Some q => up (most a * / q) | None => 0 end
  | Sqrt _ => 0
  end.

Definition sum_error (exactly : bool) (a b : Q * Q) : Q * Q :=
  if exactly then (uQ, 0%Q) else
  (up (Qmax (fst a) (fst b) * (1 + uQ) + uQ), up ((1 + uQ) * (snd a + snd b)))%Q.
Definition product_error (size_a size_b : Q) (a b : Q * Q) : Q * Q :=
  let r := (fst a + fst b + fst a * fst b)%Q in
  let m := ((1 + fst a) * size_a * snd b + (1 + fst b) * size_b * snd a + snd a * snd b * etaQ)%Q in
  (up (r * (1 + uQ) + uQ), up (1 + (1 + uQ) * m))%Q.

Definition quotient_error (q : Q) (a : Q * Q) : Q * Q :=
  (up (fst a * (1 + uQ) + uQ), up (1 + (1 + uQ) * (snd a * / q)))%Q.

(* (r, m) *)
Fixpoint error (e : expr) : option (Q * Q) :=
  match e with
  | Var i => Some (given_r i, given_m i)
  | Cst _ _ => Some (0, 0)%Q
  | Near _ _ _ => Some (uQ, 0%Q)
  | Neg a | Abs a => error a
  | Add a b | Sub a b =>
    match error a, error b with
    | Some x, Some y => Some (sum_error (has_no_error a && has_no_error b) x y)
    | _, _ => None
    end
  | Mul a b =>
    match error a, error b with
    | Some x, Some y => Some (product_error (most a) (most b) x y)
    | _, _ => None
    end
  | Div a b => match divisor b, error a with Some q, Some x => Some (quotient_error q x) | _, _ => None end
  | Sqrt _ => None
  end.

Lemma terms_hold_the_value e : Rabs (exact e) <= terms e \/ error e = None.
Proof.
  induction e; simpl; auto with real.
  - rewrite Rabs_Ropp. auto.
  - rewrite Rabs_Rabsolu. auto.
  - destruct IHe1 as [H1 | ->]; auto. destruct IHe2 as [H2 | ->]; [|right; now destruct (error e1)].
    left. destruct (_ && _); [lra|]. pose proof (Rabs_triang (exact e1) (exact e2)). lra.
  - destruct IHe1 as [H1 | ->]; auto. destruct IHe2 as [H2 | ->]; [|right; now destruct (error e1)].
    left. destruct (_ && _); [lra|]. unfold Rminus. pose proof (Rabs_triang (exact e1) (- exact e2)).
    rewrite Rabs_Ropp in *. lra.
  - destruct IHe1 as [H1 | ->]; auto. destruct IHe2 as [H2 | ->]; [|right; now destruct (error e1)].
    left. rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos.
  - destruct (divisor e2) as [q|] eqn:D; auto. destruct IHe1 as [H1 | ->]; auto. left.
    apply a_divisor_is in D. destruct D as [P D]. unfold Rdiv. rewrite Rabs_mult, Rabs_inv, <- D.
    apply Rmult_le_compat_r; auto. left. now apply Rinv_0_lt_compat.
Qed.

Lemma terms_are_positive e : 0 <= terms e.
Proof.
  induction e; simpl; auto using Rabs_pos, Rmult_le_pos; try lra; try (destruct (_ && _); auto using Rabs_pos; lra).
  destruct (divisor e2) as [q|] eqn:D; [|lra]. apply a_divisor_is in D. destruct D as (P & _).
  apply Rmult_le_pos; auto. left. now apply Rinv_0_lt_compat.
Qed.

Lemma Q2R_inverse q : 0 < Q2R q -> Q2R (/ q) = / Q2R q.
Proof. intros P. apply Q2R_inv. intros Z. apply Qeq_eqR in Z. unfold Q2R at 2 in Z. simpl in Z. lra. Qed.

Lemma terms_are_at_most e : terms e <= Q2R (most e) \/ error e = None.
Proof.
  assert (Z0 : Q2R 0 = 0) by (unfold Q2R; simpl; lra).
  induction e; cbn [terms most error]; try (rewrite Z0; left; lra); auto.
  - left. now destruct (given i) as (_ & _ & _ & _ & _ & H & _).
  - left. rewrite Q2R_abs, number_is_F2R. lra.
  - left. rewrite Q2R_abs. lra.
  - destruct IHe1 as [H1 | ->]; auto. destruct IHe2 as [H2 | ->]; [|right; now destruct (error e1)].
    destruct (terms_hold_the_value e1) as [T1 | ->]; auto.
    destruct (terms_hold_the_value e2) as [T2 | ->]; [|right; now destruct (error e1)].
    left. eapply Rle_trans; [|apply up_is_above]. rewrite Q2R_plus.
    destruct (_ && _); [|lra]. pose proof (Rabs_triang (exact e1) (exact e2)). lra.
  - destruct IHe1 as [H1 | ->]; auto. destruct IHe2 as [H2 | ->]; [|right; now destruct (error e1)].
    destruct (terms_hold_the_value e1) as [T1 | ->]; auto.
    destruct (terms_hold_the_value e2) as [T2 | ->]; [|right; now destruct (error e1)].
    left. eapply Rle_trans; [|apply up_is_above]. rewrite Q2R_plus.
    destruct (_ && _); [|lra]. unfold Rminus. pose proof (Rabs_triang (exact e1) (- exact e2)).
    rewrite Rabs_Ropp in *. lra.
  - destruct IHe1 as [H1 | ->]; auto. destruct IHe2 as [H2 | ->]; [|right; now destruct (error e1)].
    left. eapply Rle_trans; [|apply up_is_above]. rewrite Q2R_mult.
    apply Rmult_le_compat; auto using terms_are_positive.
  - destruct (divisor e2) as [q|] eqn:D; auto. destruct IHe1 as [H1 | ->]; auto. left.
    apply a_divisor_is in D. destruct D as (P & _). eapply Rle_trans; [|apply up_is_above].
    rewrite Q2R_mult, Q2R_inverse by auto. apply Rmult_le_compat_r; auto. left. now apply Rinv_0_lt_compat.
Qed.

Definition holds (e : expr) (b : Q * Q) : Prop :=
  0 <= Q2R (fst b) /\ 0 <= Q2R (snd b) /\
  Rabs (rounded e - exact e) <= Q2R (fst b) * terms e + Q2R (snd b) * eta.

Lemma Q2R_0 : Q2R 0 = 0. Proof. unfold Q2R; simpl; lra. Qed.
Lemma Q2R_1 : Q2R 1 = 1. Proof. unfold Q2R; simpl; lra. Qed.

(* One sum: the errors of both parts and the rounding. *)
Lemma sum_is_within X Y x y ra rb ma mb Ta Tb :
  is_number X -> is_number Y ->
  0 <= ra -> 0 <= rb -> 0 <= ma -> 0 <= mb -> Rabs x <= Ta -> Rabs y <= Tb ->
  Rabs (X - x) <= ra * Ta + ma * eta -> Rabs (Y - y) <= rb * Tb + mb * eta ->
  Rabs (round_ (X + Y) - (x + y)) <= (Rmax ra rb * (1 + u) + u) * (Ta + Tb) + (1 + u) * (ma + mb) * eta.
Proof.
  intros NX NY Pra Prb Pma Pmb HTa HTb Ha Hb.
  pose proof (sum_errs X Y NX NY) as E. pose proof u_positive. pose proof eta_positive.
  pose proof (Rmax_l ra rb). pose proof (Rmax_r ra rb). set (r := Rmax ra rb) in *.
  pose proof (Rabs_pos x). pose proof (Rabs_pos y).
  assert (D : Rabs (X + Y - (x + y)) <= r * (Ta + Tb) + (ma + mb) * eta).
  { replace (X + Y - (x + y)) with ((X - x) + (Y - y)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. nra. }
  assert (S : Rabs (X + Y) <= (Ta + Tb) + (r * (Ta + Tb) + (ma + mb) * eta)).
  { replace (X + Y) with ((x + y) + (X + Y - (x + y))) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. pose proof (Rabs_triang x y). lra. }
  replace (round_ (X + Y) - (x + y)) with ((round_ (X + Y) - (X + Y)) + (X + Y - (x + y))) by ring.
  eapply Rle_trans; [apply Rabs_triang|].
  apply Rle_trans with (u * Rabs (X + Y) + Rabs (X + Y - (x + y))); [lra|].
  apply Rle_trans with (u * ((Ta + Tb) + (r * (Ta + Tb) + (ma + mb) * eta)) + (r * (Ta + Tb) + (ma + mb) * eta)).
  - apply Rplus_le_compat; auto. apply Rmult_le_compat_l; lra.
  - right. ring.
Qed.

Lemma product_is_within X Y x y ra rb ma mb Ta Tb Sa Sb :
  0 <= ra -> 0 <= rb -> 0 <= ma -> 0 <= mb -> Rabs x <= Ta -> Rabs y <= Tb -> Ta <= Sa -> Tb <= Sb ->
  Rabs (X - x) <= ra * Ta + ma * eta -> Rabs (Y - y) <= rb * Tb + mb * eta -> eta <= 1 ->
  Rabs (round_ (X * Y) - x * y) <=
  ((ra + rb + ra * rb) * (1 + u) + u) * (Ta * Tb) +
  (1 + (1 + u) * ((1 + ra) * Sa * mb + (1 + rb) * Sb * ma + ma * mb * eta)) * eta.
Proof.
  intros Pra Prb Pma Pmb HTa HTb HSa HSb Ha Hb E1.
  pose proof u_positive as Pu. pose proof eta_positive as Pe.
  pose proof (Rabs_pos x). pose proof (Rabs_pos y).
  assert (PTa : 0 <= Ta) by lra. assert (PTb : 0 <= Tb) by lra.
  set (da := ra * Ta + ma * eta) in *. set (db := rb * Tb + mb * eta) in *.
  assert (Pda : 0 <= da) by (unfold da; nra). assert (Pdb : 0 <= db) by (unfold db; nra).
  set (D := (ra + rb + ra * rb) * (Ta * Tb) + ((1 + ra) * Sa * mb + (1 + rb) * Sb * ma + ma * mb * eta) * eta).
  assert (HD : Rabs (X * Y - x * y) <= D).
  { replace (X * Y - x * y) with (x * (Y - y) + (X - x) * y + (X - x) * (Y - y)) by ring.
    apply Rle_trans with (Ta * db + da * Tb + da * db).
    - eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat.
      + eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult.
        apply Rplus_le_compat; apply Rmult_le_compat; auto using Rabs_pos.
      + rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos.
    - unfold D, da, db.
      replace (Ta * (rb * Tb + mb * eta) + (ra * Ta + ma * eta) * Tb + (ra * Ta + ma * eta) * (rb * Tb + mb * eta))
        with ((ra + rb + ra * rb) * (Ta * Tb) + ((1 + ra) * Ta * mb + (1 + rb) * Tb * ma + ma * mb * eta) * eta) by ring.
      apply Rplus_le_compat_l. apply Rmult_le_compat_r; [lra|].
      assert ((1 + ra) * Ta * mb <= (1 + ra) * Sa * mb).
      { apply Rmult_le_compat_r; auto. apply Rmult_le_compat_l; lra. }
      assert ((1 + rb) * Tb * ma <= (1 + rb) * Sb * ma).
      { apply Rmult_le_compat_r; auto. apply Rmult_le_compat_l; lra. }
      lra. }
  assert (S : Rabs (X * Y) <= Ta * Tb + D).
  { replace (X * Y) with (x * y + (X * Y - x * y)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult.
    apply Rplus_le_compat; auto. apply Rmult_le_compat; auto. }
  replace (round_ (X * Y) - x * y) with ((round_ (X * Y) - X * Y) + (X * Y - x * y)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. pose proof (round_errs (X * Y)).
  apply Rle_trans with (u * (Ta * Tb + D) + eta + D).
  - apply Rplus_le_compat; auto. eapply Rle_trans; [eassumption|].
    apply Rplus_le_compat_r. apply Rmult_le_compat_l; lra.
  - right. unfold D. ring.
Qed.

Hypothesis eta_is_small : (emin F <= 0)%Z.
Lemma eta_below_1 : eta <= 1.
Proof. unfold eta. change 1 with (bpow radix2 0). apply bpow_le. lia. Qed.

Lemma uQ_pos : 0 <= Q2R uQ. Proof. rewrite uQ_is_u. pose proof u_positive. lra. Qed.

Lemma number_opp x : is_number x -> is_number (- x).
Proof. apply generic_format_opp. Qed.

Lemma sum_holds (X Y x y : R) (a b : Q * Q) (Ta Tb : R) :
  is_number X -> is_number Y ->
  0 <= Q2R (fst a) -> 0 <= Q2R (snd a) -> 0 <= Q2R (fst b) -> 0 <= Q2R (snd b) ->
  Rabs x <= Ta -> Rabs y <= Tb ->
  Rabs (X - x) <= Q2R (fst a) * Ta + Q2R (snd a) * eta -> Rabs (Y - y) <= Q2R (fst b) * Tb + Q2R (snd b) * eta ->
  let s := sum_error false a b in
  0 <= Q2R (fst s) /\ 0 <= Q2R (snd s) /\
  Rabs (round_ (X + Y) - (x + y)) <= Q2R (fst s) * (Ta + Tb) + Q2R (snd s) * eta.
Proof.
  intros NX NY Pra Pma Prb Pmb HTa HTb Ha Hb. cbv zeta. unfold sum_error; cbn [fst snd].
  pose proof (sum_is_within X Y x y _ _ _ _ Ta Tb NX NY Pra Prb Pma Pmb HTa HTb Ha Hb) as H.
  pose proof u_positive. pose proof eta_positive. pose proof (Rabs_pos x). pose proof (Rabs_pos y).
  destruct (Q2R_max (fst a) (fst b)) as [M1 M2].
  assert (U1 : Rmax (Q2R (fst a)) (Q2R (fst b)) * (1 + u) + u <= Q2R (up (Qmax (fst a) (fst b) * (1 + uQ) + uQ))).
  { eapply Rle_trans; [|apply up_is_above]. rewrite !Q2R_plus, Q2R_mult, Q2R_plus, Q2R_1, uQ_is_u.
    apply Rplus_le_compat_r, Rmult_le_compat_r; [lra|]. now apply Rmax_lub. }
  assert (U2 : (1 + u) * (Q2R (snd a) + Q2R (snd b)) <= Q2R (up ((1 + uQ) * (snd a + snd b)))).
  { eapply Rle_trans; [|apply up_is_above]. rewrite Q2R_mult, !Q2R_plus, Q2R_1, uQ_is_u. lra. }
  pose proof (Rmax_l (Q2R (fst a)) (Q2R (fst b))).
  split; [nra|]. split; [nra|].
  eapply Rle_trans; [exact H|]. apply Rplus_le_compat; apply Rmult_le_compat_r; lra.
Qed.

Lemma exact_sum_holds X Y : is_number X -> is_number Y ->
  Rabs (round_ (X + Y) - (X + Y)) <= Q2R uQ * Rabs (X + Y) + Q2R 0 * eta.
Proof. intros. rewrite uQ_is_u, Q2R_0. pose proof (sum_errs X Y H H0). lra. Qed.

Lemma quotient_is_within X x c ra ma Ta : 0 < Rabs c -> 0 <= ra -> 0 <= ma -> Rabs x <= Ta ->
  Rabs (X - x) <= ra * Ta + ma * eta ->
  Rabs (round_ (X / c) - x / c) <= (ra * (1 + u) + u) * (Ta * / Rabs c) + (1 + (1 + u) * (ma * / Rabs c)) * eta.
Proof.
  intros Pc Pra Pma HTa Ha. pose proof u_positive as Pu. pose proof eta_positive as Pe. pose proof (Rabs_pos x).
  assert (Pi : 0 < / Rabs c) by now apply Rinv_0_lt_compat. set (i := / Rabs c) in *.
  assert (D : Rabs (X / c - x / c) <= (ra * Ta + ma * eta) * i).
  { replace (X / c - x / c) with ((X - x) * / c) by (unfold Rdiv; ring). rewrite Rabs_mult, Rabs_inv.
    apply Rmult_le_compat_r; [left|]; auto. }
  assert (S : Rabs (X / c) <= Ta * i + (ra * Ta + ma * eta) * i).
  { replace (X / c) with (x / c + (X / c - x / c)) by ring. eapply Rle_trans; [apply Rabs_triang|].
    apply Rplus_le_compat; auto. unfold Rdiv. rewrite Rabs_mult, Rabs_inv. apply Rmult_le_compat_r; [left|]; auto. }
  replace (round_ (X / c) - x / c) with ((round_ (X / c) - X / c) + (X / c - x / c)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. pose proof (round_errs (X / c)).
  apply (Rmult_le_compat_l u) in S; [|lra].
  apply Rle_trans with (u * (Ta * i + (ra * Ta + ma * eta) * i) + eta + (ra * Ta + ma * eta) * i); [lra | right; ring].
Qed.

Theorem error_holds e : forall b, constants_are_numbers e = true -> error e = Some b -> holds e b.
Proof.
  unfold holds.
  induction e; cbn [rounded exact terms error constants_are_numbers]; intros b W E; try discriminate; rewrite ?andb_true_iff in W.
  - injection E as <-. simpl. destruct (given i) as (_ & Pr & Pm & H & _). auto.
  - injection E as <-. simpl. rewrite Q2R_0. replace (_ - _) with 0 by ring. rewrite Rabs_R0. lra.
  - destruct W as [W1 W2]. injection E as <-. cbn [fst snd]. rewrite Q2R_0.
    apply Qle_bool_iff, Qle_Rle in W2.
    rewrite Q2R_abs, Q2R_minus, number_is_F2R, Q2R_mult, Q2R_abs in W2.
    pose proof uQ_pos. lra.
  - destruct (IHe b W E) as (P1 & P2 & H). repeat split; auto.
    replace (- rounded e - - exact e) with (- (rounded e - exact e)) by ring. now rewrite Rabs_Ropp.
  - destruct (IHe b W E) as (P1 & P2 & H). repeat split; auto.
    eapply Rle_trans; [apply Rabs_triang_inv2|]. exact H.
  - destruct W as [W1 W2]. destruct (error e1) as [x|] eqn:E1; [|discriminate].
    destruct (error e2) as [y|] eqn:E2; [|discriminate]. injection E as <-.
    destruct (IHe1 x W1 eq_refl) as (A1 & A2 & A3). destruct (IHe2 y W2 eq_refl) as (B1 & B2 & B3).
    destruct (terms_hold_the_value e1) as [T1|]; [|congruence]. destruct (terms_hold_the_value e2) as [T2|]; [|congruence].
    pose proof (every_value_is_a_number e1 W1). pose proof (every_value_is_a_number e2 W2).
    destruct (has_no_error e1 && has_no_error e2) eqn:X.
    + apply andb_true_iff in X. destruct X as [X1 X2]. cbn [fst snd sum_error].
      rewrite <- (no_error e1 X1), <- (no_error e2 X2).
      split; [apply uQ_pos|]. split; [rewrite Q2R_0; lra|]. now apply exact_sum_holds.
    + now apply sum_holds.
  - destruct W as [W1 W2]. destruct (error e1) as [x|] eqn:E1; [|discriminate].
    destruct (error e2) as [y|] eqn:E2; [|discriminate]. injection E as <-.
    destruct (IHe1 x W1 eq_refl) as (A1 & A2 & A3). destruct (IHe2 y W2 eq_refl) as (B1 & B2 & B3).
    destruct (terms_hold_the_value e1) as [T1|]; [|congruence]. destruct (terms_hold_the_value e2) as [T2|]; [|congruence].
    pose proof (every_value_is_a_number e1 W1). pose proof (number_opp _ (every_value_is_a_number e2 W2)).
    unfold Rminus at 1.
    destruct (has_no_error e1 && has_no_error e2) eqn:X.
    + apply andb_true_iff in X. destruct X as [X1 X2]. cbn [fst snd sum_error].
      rewrite <- (no_error e1 X1), <- (no_error e2 X2).
      split; [apply uQ_pos|]. split; [rewrite Q2R_0; lra|]. now apply exact_sum_holds.
    + apply (sum_holds (rounded e1) (- rounded e2) (exact e1) (- exact e2)); auto.
      * now rewrite Rabs_Ropp.
      * replace (- rounded e2 - - exact e2) with (- (rounded e2 - exact e2)) by ring. now rewrite Rabs_Ropp.
  - destruct W as [W1 W2]. destruct (error e1) as [x|] eqn:E1; [|discriminate].
    destruct (error e2) as [y|] eqn:E2; [|discriminate]. injection E as <-.
    destruct (IHe1 x W1 eq_refl) as (A1 & A2 & A3). destruct (IHe2 y W2 eq_refl) as (B1 & B2 & B3).
    destruct (terms_hold_the_value e1) as [T1|]; [|congruence]. destruct (terms_hold_the_value e2) as [T2|]; [|congruence].
    destruct (terms_are_at_most e1) as [S1|]; [|congruence]. destruct (terms_are_at_most e2) as [S2|]; [|congruence].
    pose proof (product_is_within _ _ _ _ _ _ _ _ _ _ _ _ A1 B1 A2 B2 T1 T2 S1 S2 A3 B3 eta_below_1) as H.
    unfold product_error; cbn [fst snd].
    set (r := (fst x + fst y + fst x * fst y)%Q).
    set (m := ((1 + fst x) * most e1 * snd y + (1 + fst y) * most e2 * snd x + snd x * snd y * etaQ)%Q).
    pose proof u_positive. pose proof eta_positive.
    assert (Er : Q2R r = Q2R (fst x) + Q2R (fst y) + Q2R (fst x) * Q2R (fst y))
      by (unfold r; now rewrite !Q2R_plus, Q2R_mult).
    assert (Em : Q2R m = (1 + Q2R (fst x)) * Q2R (most e1) * Q2R (snd y)
                         + (1 + Q2R (fst y)) * Q2R (most e2) * Q2R (snd x) + Q2R (snd x) * Q2R (snd y) * eta)
      by (unfold m; now rewrite !Q2R_plus, !Q2R_mult, !Q2R_plus, Q2R_1, etaQ_is_eta).
    rewrite <- Er, <- Em in H.
    assert (U1 : Q2R r * (1 + u) + u <= Q2R (up (r * (1 + uQ) + uQ))).
    { eapply Rle_trans; [|apply up_is_above]. rewrite Q2R_plus, Q2R_mult, Q2R_plus, Q2R_1, uQ_is_u. lra. }
    assert (U2 : 1 + (1 + u) * Q2R m <= Q2R (up (1 + (1 + uQ) * m))).
    { eapply Rle_trans; [|apply up_is_above]. rewrite Q2R_plus, Q2R_mult, Q2R_plus, Q2R_1, uQ_is_u. lra. }
    pose proof (terms_are_positive e1). pose proof (terms_are_positive e2).
    assert (0 <= Q2R r) by (rewrite Er; nra).
    assert (0 <= Q2R m).
    { rewrite Em. assert (0 <= Q2R (most e1)) by lra. assert (0 <= Q2R (most e2)) by lra.
      assert (P1 : 0 <= (1 + Q2R (fst x)) * Q2R (most e1)) by (apply Rmult_le_pos; lra).
      assert (P2 : 0 <= (1 + Q2R (fst y)) * Q2R (most e2)) by (apply Rmult_le_pos; lra).
      pose proof (Rmult_le_pos _ _ P1 B2). pose proof (Rmult_le_pos _ _ P2 A2). pose proof (Rmult_le_pos _ _ (Rmult_le_pos _ _ A2 B2) (Rlt_le _ _ eta_positive)).
      lra. }
    split; [nra|]. split; [nra|].
    eapply Rle_trans; [exact H|].
    apply Rplus_le_compat; apply Rmult_le_compat_r; try lra. now apply Rmult_le_pos.
  - destruct W as [W1 W2]. destruct (divisor e2) as [q|] eqn:D; [|discriminate].
    destruct (error e1) as [x|] eqn:E1; [|discriminate]. injection E as <-.
    destruct (IHe1 x W1 eq_refl) as (A1 & A2 & A3). destruct (a_divisor_is e2 q D) as [P V]. rewrite (a_divisor_is_exact e2 q D).
    destruct (terms_hold_the_value e1) as [T1|]; [|congruence].
    rewrite V in P. pose proof (quotient_is_within _ _ _ _ _ _ P A1 A2 T1 A3) as H. rewrite <- V in H, P.
    unfold quotient_error; cbn [fst snd]. pose proof u_positive. pose proof eta_positive. pose proof (terms_are_positive e1).
    assert (Pi : 0 < / Q2R q) by now apply Rinv_0_lt_compat.
    assert (U1 : Q2R (fst x) * (1 + u) + u <= Q2R (up (fst x * (1 + uQ) + uQ))).
    { eapply Rle_trans; [|apply up_is_above]. rewrite Q2R_plus, Q2R_mult, Q2R_plus, Q2R_1, uQ_is_u. lra. }
    assert (U2 : 1 + (1 + u) * (Q2R (snd x) * / Q2R q) <= Q2R (up (1 + (1 + uQ) * (snd x * / q)))).
    { eapply Rle_trans; [|apply up_is_above]. rewrite Q2R_plus, !Q2R_mult, Q2R_plus, Q2R_1, uQ_is_u, Q2R_inverse by auto. lra. }
    assert (0 <= Q2R (snd x) * / Q2R q) by (apply Rmult_le_pos; lra).
    split; [nra|]. split; [nra|]. eapply Rle_trans; [exact H|].
    apply Rplus_le_compat; apply Rmult_le_compat_r; try lra. apply Rmult_le_pos; lra.
Qed.

(* ---- no overflow ---- *)

Definition limit : Q := two_to (emax F - 1).
Definition eta_up : Q := two_to (Z.max (emin F - 1) (- Zpos places)).
Definition root_up (q : Q) : Q := inject_Z (Z.sqrt_up (Qceiling q)).
Definition if_below (q : Q) : option Q := if Qle_bool q limit then Some q else None.

(* What no value of the tree exceeds; None where one might overflow. *)
Fixpoint largest (e : expr) : option Q :=
  match e with
  | Var i => if_below (given_size i)
  | Cst m e | Near m e _ => if_below (Qabs (number m e))
  | Neg a | Abs a => largest a
  | Add a b | Sub a b =>
    match largest a, largest b with
    | Some x, Some y => if_below (up ((1 + uQ) * (x + y) + eta_up))
    | _, _ => None
    end
  | Mul a b =>
    match largest a, largest b with
    | Some x, Some y => if_below (up ((1 + uQ) * (x * y) + eta_up))
    | _, _ => None
    end
  | Sqrt a => match largest a with Some x => if_below (up ((1 + uQ) * root_up x + eta_up)) | None => None end
  | Div _ _ => None
  end.

Fixpoint nothing_overflows (e : expr) : Prop :=
  Rabs (rounded e) < bpow radix2 (emax F) /\
  match e with
  | Var _ | Cst _ _ | Near _ _ _ => True
  | Neg a | Abs a | Sqrt a => nothing_overflows a
  | Add a b | Sub a b | Mul a b | Div a b => nothing_overflows a /\ nothing_overflows b
  end.

Lemma top_does_not_overflow e : nothing_overflows e -> Rabs (rounded e) < bpow radix2 (emax F).
Proof. destruct e; intros [H _]; exact H. Qed.

Lemma below_is_below q x : if_below q = Some x -> x = q /\ Q2R x < bpow radix2 (emax F).
Proof.
  unfold if_below. destruct (Qle_bool q limit) eqn:H; [|discriminate]. intros E; injection E as <-.
  split; auto. apply Qle_bool_iff, Qle_Rle in H. unfold limit in H. rewrite two_to_is_bpow in H.
  apply Rle_lt_trans with (1 := H). apply bpow_lt. lia.
Qed.

Lemma eta_up_is_above : eta <= Q2R eta_up.
Proof. unfold eta_up. rewrite two_to_is_bpow. apply bpow_le. lia. Qed.

Lemma root_up_is_above z x : 0 <= x -> x <= IZR z -> sqrt x <= IZR (Z.sqrt_up z).
Proof.
  intros P H. assert (0 <= z)%Z by (apply le_IZR; lra).
  assert (S : (z <= Z.sqrt_up z * Z.sqrt_up z)%Z).
  { destruct (Z.eq_dec z 0) as [-> | N]; [simpl; lia|]. destruct (Z.sqrt_up_spec z); lia. }
  pose proof (Z.sqrt_up_nonneg z) as N. apply IZR_le in S, N. rewrite mult_IZR in S.
  rewrite <- (sqrt_square (IZR (Z.sqrt_up z))) by lra. apply sqrt_le_1_alt. lra.
Qed.

Lemma rounded_is_at_most x q : Rabs x <= Q2R q -> Rabs (round_ x) <= Q2R (up ((1 + uQ) * q + eta_up)).
Proof.
  intros H. eapply Rle_trans; [|apply up_is_above].
  rewrite Q2R_plus, Q2R_mult, Q2R_plus, Q2R_1, uQ_is_u. pose proof eta_up_is_above.
  pose proof (round_errs x) as E. pose proof u_positive. pose proof (Rabs_pos x).
  replace (round_ x) with (x + (round_ x - x)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. nra.
Qed.

Theorem largest_holds e : forall q, largest e = Some q -> Rabs (rounded e) <= Q2R q /\ nothing_overflows e.
Proof.
  assert (P : forall a q x, Rabs (rounded a) <= Q2R q -> if_below q = Some x ->
              Rabs (rounded a) <= Q2R x /\ Rabs (rounded a) < bpow radix2 (emax F)).
  { intros a q x H B. apply below_is_below in B. destruct B as [-> B]. split; lra. }
  induction e; cbn [largest nothing_overflows]; intros s H.
  - destruct (P (Var i) (given_size i) s) as [P1 P2]; auto. now destruct (given i) as (_ & _ & _ & _ & G & _).
  - destruct (P (Cst m e) (Qabs (number m e)) s) as [P1 P2]; auto. rewrite Q2R_abs, number_is_F2R. simpl. lra.
  - destruct (P (Near m e q) (Qabs (number m e)) s) as [P1 P2]; auto. rewrite Q2R_abs, number_is_F2R. simpl. lra.
  - destruct (IHe s H) as [A1 A2]. cbn [rounded]. rewrite Rabs_Ropp. auto using top_does_not_overflow.
  - destruct (IHe s H) as [A1 A2]. cbn [rounded]. rewrite Rabs_Rabsolu. auto using top_does_not_overflow.
  - destruct (largest e1) as [x|]; [|discriminate]. destruct (largest e2) as [y|]; [|discriminate].
    destruct (IHe1 x eq_refl) as [A1 A2]. destruct (IHe2 y eq_refl) as [B1 B2].
    eapply (P (Add e1 e2)) in H.
    + destruct H. repeat split; auto.
    + cbn [rounded]. apply rounded_is_at_most. rewrite Q2R_plus. pose proof (Rabs_triang (rounded e1) (rounded e2)). lra.
  - destruct (largest e1) as [x|]; [|discriminate]. destruct (largest e2) as [y|]; [|discriminate].
    destruct (IHe1 x eq_refl) as [A1 A2]. destruct (IHe2 y eq_refl) as [B1 B2].
    eapply (P (Sub e1 e2)) in H.
    + destruct H. repeat split; auto.
    + cbn [rounded]. apply rounded_is_at_most. rewrite Q2R_plus. unfold Rminus.
      pose proof (Rabs_triang (rounded e1) (- rounded e2)). rewrite Rabs_Ropp in *. lra.
  - destruct (largest e1) as [x|]; [|discriminate]. destruct (largest e2) as [y|]; [|discriminate].
    destruct (IHe1 x eq_refl) as [A1 A2]. destruct (IHe2 y eq_refl) as [B1 B2].
    eapply (P (Mul e1 e2)) in H.
    + destruct H. repeat split; auto.
    + cbn [rounded]. apply rounded_is_at_most. rewrite Q2R_mult, Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos.
  - discriminate.
  - destruct (largest e) as [x|]; [|discriminate].
    destruct (IHe x eq_refl) as [A1 A2].
    eapply (P (Sqrt e)) in H.
    + destruct H. repeat split; auto.
    + cbn [rounded]. apply rounded_is_at_most. rewrite Rabs_pos_eq by apply sqrt_pos.
      unfold root_up. rewrite Q2R_Z.
      assert (C : Q2R x <= IZR (Qceiling x)) by (rewrite <- Q2R_Z; apply Qle_Rle, Qle_ceiling).
      pose proof (Rle_abs (rounded e)). pose proof (Rabs_pos (rounded e)).
      apply Rle_trans with (sqrt (Rabs (rounded e))); [now apply sqrt_le_1_alt|].
      apply root_up_is_above; lra.
Qed.

(* ---- lower bounds of what is not negative ---- *)

(* A constant that only makes up for underflows. *)
Definition is_tiny (m e : Z) : bool := Qle_bool (number m e) (two_to (emin F + 4 * prec F)).

(* The tree without its tiny constants, of rounded values: |a| and a * a of any a, and what is not negative. *)
Fixpoint base (e : expr) : R :=
  match e with
  | Var i => fx i
  | Cst m e => if is_tiny m e then 0 else F2R (Float radix2 m e)
  | Near m e _ => F2R (Float radix2 m e)
  | Abs a => Rabs (rounded a)
  | Add a b => base a + base b
  | Mul a b => if same a b then rounded a * rounded a else base a * base b
  | Sqrt a => sqrt (base a)
  | Neg _ | Sub _ _ | Div _ _ => 0
  end.

Definition in_etas (q : Q) : Q := (q * two_to (1 - emin F))%Q.
Definition above_0 (q : Q) : Q := Qmax 0 q.
Definition sum_lower (a b : Q * Q) : Q * Q :=
  let m := (snd a + snd b)%Q in
  (down ((1 - uQ) * Qmin (fst a) (fst b)), up (if Qle_bool 0 m then m else (1 - uQ) * m))%Q.
Definition product_lower (size_a size_b : Q) (a b : Q * Q) : Q * Q :=
  let (ma, mb) := (above_0 (snd a), above_0 (snd b)) in
  (down ((1 - uQ) * (fst a * fst b)), up (1 + (ma * size_b + mb * size_a + ma * mb * etaQ)))%Q.
Definition root_of_etas (m : Q) : Q := inject_Z (Z.sqrt_up (Qceiling (in_etas m))).
Definition root_lower (a : Q * Q) : Q * Q :=
  (down ((1 - uQ) * (2 * fst a / (1 + fst a))), if Qle_bool (snd a) 0 then 0 else root_of_etas (snd a))%Q.

(* (f, m); m is below zero where tiny constants leave something *)
Fixpoint lower (e : expr) : option (Q * Q) :=
  match e with
  | Var i => if given_positive i then Some (1, 0)%Q else None
  | Cst m e =>
    if (m <? 0)%Z then None else
    if is_tiny m e then Some (1, - in_etas (number m e))%Q else Some (1, 0)%Q
  | Near m _ _ => if (m <? 0)%Z then None else Some (1, 0)%Q
  | Abs _ => Some (1, 0)%Q
  | Add a b =>
    match lower a, lower b with
    | Some x, Some y => Some (sum_lower x y)
    | _, _ => None
    end
  | Mul a b =>
    if same a b then Some (down (1 - uQ), 1)%Q else
    match lower a, lower b, largest a, largest b with
    | Some x, Some y, Some size_a, Some size_b => Some (product_lower size_a size_b x y)
    | _, _, _, _ => None
    end
  | Sqrt a => match lower a with Some x => Some (root_lower x) | None => None end
  | Neg _ | Sub _ _ | Div _ _ => None
  end.

Definition is_above (e : expr) (b : Q * Q) : Prop :=
  0 <= Q2R (fst b) <= 1 /\ 0 <= base e /\ 0 <= rounded e /\
  Q2R (fst b) * base e - Q2R (snd b) * eta <= rounded e.

Lemma down_is_not_negative q : 0 <= Q2R q -> 0 <= Q2R (down q).
Proof.
  intros H. rewrite <- Q2R_0 in *. apply Rle_Qle in H. apply Qle_Rle.
  assert (P : (Qfloor 0 <= Qfloor (q * inject_Z (2 ^ Zpos places)))%Z)
    by (apply Qfloor_resp_le, Qmult_le_0_compat; [exact H | discriminate]).
  change (Qfloor 0) with 0%Z in P. unfold down, Qle. rewrite floor_is. cbn [Qnum Qden]. lia.
Qed.

Lemma etas_of q : Q2R (in_etas q) * eta = Q2R q.
Proof.
  unfold in_etas. rewrite Q2R_mult, two_to_is_bpow. unfold eta. rewrite Rmult_assoc, <- bpow_plus.
  replace (1 - emin F + (emin F - 1))%Z with 0%Z by lia. simpl. ring.
Qed.

Lemma above_0_is x : 0 <= Q2R (above_0 x) /\ Q2R x <= Q2R (above_0 x).
Proof. unfold above_0. destruct (Q2R_max 0 x) as [A B]. rewrite Q2R_0 in A. auto. Qed.

Lemma root_of_etas_holds m : 0 <= Q2R m -> sqrt (Q2R m * eta) <= Q2R (root_of_etas m) * eta.
Proof.
  intros H. pose proof eta_positive. unfold root_of_etas. rewrite Q2R_Z.
  set (z := Qceiling (in_etas m)).
  assert (Hz : Q2R m <= IZR z * eta).
  { rewrite <- (etas_of m). apply Rmult_le_compat_r; [lra|].
    rewrite <- Q2R_Z. apply Qle_Rle, Qle_ceiling. }
  assert (Pz : 0 <= IZR z). { apply Rmult_le_reg_r with eta; lra. }
  apply Rle_trans with (sqrt (IZR z * (eta * eta))).
  - apply sqrt_le_1_alt. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra.
  - rewrite sqrt_mult, sqrt_square by nra. apply Rmult_le_compat_r; [lra|]. apply root_up_is_above; lra.
Qed.

Lemma sum_is_above X Y A B (a b : Q * Q) : is_number X -> is_number Y ->
  0 <= Q2R (fst a) <= 1 -> 0 <= Q2R (fst b) <= 1 -> 0 <= A -> 0 <= B -> 0 <= X -> 0 <= Y ->
  Q2R (fst a) * A - Q2R (snd a) * eta <= X -> Q2R (fst b) * B - Q2R (snd b) * eta <= Y ->
  let s := sum_lower a b in
  0 <= Q2R (fst s) <= 1 /\ Q2R (fst s) * (A + B) - Q2R (snd s) * eta <= round_ (X + Y).
Proof.
  intros NX NY Fa Fb PA PB PX PY HA HB. unfold sum_lower; cbv zeta; cbn [fst snd].
  pose proof u_positive. pose proof u_below_1. pose proof eta_positive.
  pose proof (sum_errs X Y NX NY) as E. rewrite (Rabs_pos_eq (X + Y)) in E by lra. apply Rabs_le_inv in E.
  set (f := Qmin (fst a) (fst b)). set (m := (snd a + snd b)%Q).
  destruct (Q2R_min (fst a) (fst b)) as [F1 F2]. fold f in F1, F2.
  assert (Pf : 0 <= Q2R f) by (unfold f; destruct (Q.min_spec (fst a) (fst b)) as [[_ ->]|[_ ->]]; lra).
  assert (D : Q2R (down ((1 - uQ) * f)) <= (1 - u) * Q2R f).
  { eapply Rle_trans; [apply down_is_below|]. rewrite Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u. lra. }
  assert (D0 : 0 <= Q2R (down ((1 - uQ) * f))).
  { apply down_is_not_negative. rewrite Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u. nra. }
  split; [nra|].
  assert (L : Q2R f * (A + B) - Q2R m * eta <= X + Y).
  { unfold m. rewrite Q2R_plus. nra. }
  assert (U : (1 - u) * (Q2R f * (A + B) - Q2R m * eta) >= (1 - u) * (Q2R f * (A + B)) -
              Q2R (up (if Qle_bool 0 m then m else (1 - uQ) * m)) * eta).
  { assert (K : (1 - u) * Q2R m <= Q2R (up (if Qle_bool 0 m then m else ((1 - uQ) * m)%Q))).
    { eapply Rle_trans; [|apply up_is_above]. destruct (Qle_bool 0 m) eqn:S.
      - apply Qle_bool_iff, Qle_Rle in S. rewrite Q2R_0 in S. nra.
      - rewrite Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u. lra. }
    nra. }
  assert (Q2R (down ((1 - uQ) * f)) * (A + B) <= (1 - u) * (Q2R f * (A + B))) by nra.
  assert ((1 - u) * (Q2R f * (A + B) - Q2R m * eta) <= (1 - u) * (X + Y)) by nra.
  lra.
Qed.

Lemma product_is_above X Y A B (a b : Q * Q) (size_a size_b : Q) :
  0 <= Q2R (fst a) <= 1 -> 0 <= Q2R (fst b) <= 1 -> 0 <= A -> 0 <= B -> 0 <= X -> 0 <= Y ->
  X <= Q2R size_a -> Y <= Q2R size_b ->
  Q2R (fst a) * A - Q2R (snd a) * eta <= X -> Q2R (fst b) * B - Q2R (snd b) * eta <= Y ->
  let s := product_lower size_a size_b a b in
  0 <= Q2R (fst s) <= 1 /\ Q2R (fst s) * (A * B) - Q2R (snd s) * eta <= round_ (X * Y).
Proof.
  intros Fa Fb PA PB PX PY SX SY HA HB. unfold product_lower; cbv zeta; cbn [fst snd].
  pose proof u_positive as Pu. pose proof u_below_1. pose proof eta_positive as Pe. pose proof eta_below_1.
  destruct (above_0_is (snd a)) as [Pa Ga]. destruct (above_0_is (snd b)) as [Pb Gb].
  set (ma := above_0 (snd a)) in *. set (mb := above_0 (snd b)) in *.
  assert (PXY : 0 <= X * Y) by now apply Rmult_le_pos.
  pose proof (round_errs (X * Y)) as E. rewrite (Rabs_pos_eq (X * Y) PXY) in E. apply Rabs_le_inv in E.
  set (f := (fst a * fst b)%Q).
  assert (Ef : Q2R f = Q2R (fst a) * Q2R (fst b)) by (unfold f; now rewrite Q2R_mult).
  assert (Pf : 0 <= Q2R f <= 1) by (rewrite Ef; nra).
  assert (D : Q2R (down ((1 - uQ) * f)) <= (1 - u) * Q2R f).
  { eapply Rle_trans; [apply down_is_below|]. rewrite Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u. lra. }
  assert (D0 : 0 <= Q2R (down ((1 - uQ) * f))).
  { apply down_is_not_negative. rewrite Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u. nra. }
  split; [nra|].
  set (la := Q2R (fst a) * A) in *. set (lb := Q2R (fst b) * B) in *.
  assert (Pla : 0 <= la) by (unfold la; nra). assert (Plb : 0 <= lb) by (unfold lb; nra).
  assert (La : la <= X + Q2R ma * eta) by nra. assert (Lb : lb <= Y + Q2R mb * eta) by nra.
  set (k := Q2R ma * Q2R size_b + Q2R mb * Q2R size_a + Q2R ma * Q2R mb * eta).
  assert (P : la * lb <= X * Y + k * eta).
  { apply Rle_trans with ((X + Q2R ma * eta) * (Y + Q2R mb * eta)); [now apply Rmult_le_compat|].
    replace ((X + Q2R ma * eta) * (Y + Q2R mb * eta)) with
      (X * Y + (Q2R ma * Y + Q2R mb * X + Q2R ma * Q2R mb * eta) * eta) by ring.
    apply Rplus_le_compat_l, Rmult_le_compat_r; [lra|]. unfold k.
    assert (Q2R ma * Y <= Q2R ma * Q2R size_b) by now apply Rmult_le_compat_l.
    assert (Q2R mb * X <= Q2R mb * Q2R size_a) by now apply Rmult_le_compat_l.
    lra. }
  assert (Pk : 0 <= k).
  { unfold k. assert (0 <= Q2R size_a) by lra. assert (0 <= Q2R size_b) by lra.
    pose proof (Rmult_le_pos _ _ Pa H2). pose proof (Rmult_le_pos _ _ Pb H1).
    pose proof (Rmult_le_pos _ _ (Rmult_le_pos _ _ Pa Pb) (Rlt_le _ _ Pe)). lra. }
  assert (K : 1 + k <= Q2R (up (1 + (ma * size_b + mb * size_a + ma * mb * etaQ)))).
  { eapply Rle_trans; [|apply up_is_above]. unfold k. rewrite !Q2R_plus, !Q2R_mult, Q2R_1, etaQ_is_eta. lra. }
  assert (Q2R (down ((1 - uQ) * f)) * (A * B) <= (1 - u) * (la * lb)).
  { replace (la * lb) with (Q2R f * (A * B)) by (rewrite Ef; unfold la, lb; ring).
    apply Rle_trans with ((1 - u) * Q2R f * (A * B)); [|right; ring].
    apply Rmult_le_compat_r; auto. now apply Rmult_le_pos. }
  assert ((1 - u) * (la * lb) <= (1 - u) * (X * Y) + k * eta).
  { apply Rle_trans with ((1 - u) * (X * Y + k * eta)); [apply Rmult_le_compat_l; lra|].
    assert (0 <= k * eta) by (apply Rmult_le_pos; lra). nra. }
  assert ((1 + k) * eta <= Q2R (up (1 + (ma * size_b + mb * size_a + ma * mb * etaQ))) * eta)
    by (apply Rmult_le_compat_r; lra).
  lra.
Qed.

Lemma harmonic_is_below_root f : 0 <= f <= 1 -> 2 * f / (1 + f) <= sqrt f /\ 0 <= 2 * f / (1 + f) <= 1.
Proof.
  intros H. assert (P : 0 <= 2 * f / (1 + f)).
  { apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. }
  assert (E : 2 * f / (1 + f) * (1 + f) = 2 * f) by (field; lra).
  set (g := 2 * f / (1 + f)) in *.
  split; [|split; [auto | nra]].
  rewrite <- (sqrt_square g P). apply sqrt_le_1_alt.
  assert (g * g * ((1 + f) * (1 + f)) <= f * ((1 + f) * (1 + f))).
  { replace (g * g * ((1 + f) * (1 + f))) with (g * (1 + f) * (g * (1 + f))) by ring. rewrite E.
    assert (0 <= f * ((1 - f) * (1 - f))) by (apply Rmult_le_pos; [lra | apply Rle_0_sqr]). lra. }
  apply Rmult_le_reg_r with ((1 + f) * (1 + f)); nra.
Qed.

Lemma root_is_above X A (a : Q * Q) : is_number X ->
  0 <= Q2R (fst a) <= 1 -> 0 <= A -> 0 <= X -> Q2R (fst a) * A - Q2R (snd a) * eta <= X ->
  let s := root_lower a in
  0 <= Q2R (fst s) <= 1 /\ Q2R (fst s) * sqrt A - Q2R (snd s) * eta <= round_ (sqrt X).
Proof.
  intros NX Fa PA PX HA. unfold root_lower; cbv zeta; cbn [fst snd].
  pose proof u_positive as Pu. pose proof u_below_1. pose proof eta_positive as Pe.
  pose proof (root_errs X NX PX) as E.
  destruct (harmonic_is_below_root _ Fa) as [G1 G2].
  assert (Eg : Q2R (2 * fst a / (1 + fst a)) = 2 * Q2R (fst a) / (1 + Q2R (fst a))).
  { unfold Qdiv, Rdiv. rewrite !Q2R_mult, Q2R_inv, Q2R_plus, Q2R_1.
    - replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). reflexivity.
    - intros Z. apply Qeq_eqR in Z. rewrite Q2R_plus, Q2R_1, Q2R_0 in Z. lra. }
  rewrite <- Eg in G1, G2. set (g := (2 * fst a / (1 + fst a))%Q) in *.
  assert (D : Q2R (down ((1 - uQ) * g)) <= (1 - u) * Q2R g).
  { eapply Rle_trans; [apply down_is_below|]. rewrite Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u. lra. }
  assert (D0 : 0 <= Q2R (down ((1 - uQ) * g))).
  { apply down_is_not_negative. rewrite Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u. nra. }
  split; [nra|].
  pose proof (sqrt_pos A) as SA. pose proof (sqrt_pos X) as SX.
  assert (GA : Q2R g * sqrt A <= sqrt (Q2R (fst a) * A)).
  { rewrite sqrt_mult by lra. apply Rmult_le_compat_r; auto. }
  set (m := if Qle_bool (snd a) 0 then 0%Q else root_of_etas (snd a)).
  assert (M : sqrt (Q2R (fst a) * A) <= sqrt X + Q2R m * eta).
  { unfold m. destruct (Qle_bool (snd a) 0) eqn:S.
    - apply Qle_bool_iff, Qle_Rle in S. rewrite Q2R_0 in *.
      rewrite Rmult_0_l, Rplus_0_r. apply sqrt_le_1_alt. nra.
    - assert (0 <= Q2R (snd a)).
      { apply Rnot_lt_le. intros L. rewrite <- Q2R_0 in L. apply Rlt_Qlt, Qlt_le_weak, Qle_bool_iff in L. congruence. }
      pose proof (root_of_etas_holds _ H0) as R. pose proof (sqrt_pos (Q2R (snd a) * eta)).
      apply Rle_trans with (sqrt X + sqrt (Q2R (snd a) * eta)); [|lra].
      rewrite <- (sqrt_square (sqrt X + sqrt (Q2R (snd a) * eta))) by lra.
      apply sqrt_le_1_alt.
      replace ((sqrt X + sqrt (Q2R (snd a) * eta)) * (sqrt X + sqrt (Q2R (snd a) * eta))) with
        (sqrt X * sqrt X + 2 * (sqrt X * sqrt (Q2R (snd a) * eta)) + sqrt (Q2R (snd a) * eta) * sqrt (Q2R (snd a) * eta)) by ring.
      rewrite !sqrt_sqrt by nra. pose proof (Rmult_le_pos _ _ SX H1). lra. }
  assert (Pm : 0 <= Q2R m * eta).
  { unfold m. destruct (Qle_bool (snd a) 0) eqn:S; [rewrite Q2R_0; lra|].
    apply Rmult_le_pos; [|lra]. unfold root_of_etas. rewrite Q2R_Z. apply IZR_le, Z.sqrt_up_nonneg. }
  assert (Q2R (down ((1 - uQ) * g)) * sqrt A <= (1 - u) * (Q2R g * sqrt A)).
  { apply Rle_trans with ((1 - u) * Q2R g * sqrt A); [now apply Rmult_le_compat_r | right; ring]. }
  assert (GM : Q2R g * sqrt A <= sqrt X + Q2R m * eta) by (eapply Rle_trans; eassumption).
  assert ((1 - u) * (Q2R g * sqrt A) <= (1 - u) * (sqrt X + Q2R m * eta)) by (apply Rmult_le_compat_l; lra).
  nra.
Qed.

Lemma square_is_above X : 0 <= Q2R (down (1 - uQ)) <= 1 /\
  Q2R (down (1 - uQ)) * (X * X) - Q2R 1 * eta <= round_ (X * X).
Proof.
  pose proof u_positive as Pu. pose proof u_below_1.
  assert (D : Q2R (down (1 - uQ)) <= 1 - u).
  { eapply Rle_trans; [apply down_is_below|]. rewrite Q2R_minus, Q2R_1, uQ_is_u. lra. }
  assert (D0 : 0 <= Q2R (down (1 - uQ))).
  { apply down_is_not_negative. rewrite Q2R_minus, Q2R_1, uQ_is_u. lra. }
  split; [lra|].
  assert (P : 0 <= X * X) by nra.
  pose proof (round_errs (X * X)) as E. rewrite (Rabs_pos_eq _ P) in E. apply Rabs_le_inv in E.
  rewrite Q2R_1. nra.
Qed.

Theorem lower_holds e : forall b, constants_are_numbers e = true -> lower e = Some b -> is_above e b.
Proof.
  unfold is_above.
  induction e; cbn [lower base rounded constants_are_numbers]; intros b W E; try discriminate;
    rewrite ?andb_true_iff in W.
  - destruct (given_positive i) eqn:G; [|discriminate]. injection E as <-. cbn [fst snd]. rewrite Q2R_0, Q2R_1.
    destruct (given i) as (_ & _ & _ & _ & _ & _ & P). specialize (P G). lra.
  - destruct (m <? 0)%Z eqn:S; [discriminate|]. apply Z.ltb_ge in S.
    assert (0 <= F2R (Float radix2 m e)) by now apply F2R_ge_0.
    destruct (is_tiny m e); injection E as <-; cbn [fst snd]; rewrite ?Q2R_0, Q2R_1; [|lra].
    rewrite Q2R_opp. pose proof (etas_of (number m e)) as T. rewrite number_is_F2R in T. lra.
  - destruct (m <? 0)%Z eqn:S; [discriminate|]. apply Z.ltb_ge in S.
    assert (0 <= F2R (Float radix2 m e)) by now apply F2R_ge_0.
    injection E as <-; cbn [fst snd]; rewrite ?Q2R_0, Q2R_1. lra.
  - injection E as <-. cbn [fst snd]. rewrite Q2R_0, Q2R_1. pose proof (Rabs_pos (rounded e)). lra.
  - destruct W as [W1 W2]. destruct (lower e1) as [x|]; [|discriminate]. destruct (lower e2) as [y|]; [|discriminate].
    injection E as <-. destruct (IHe1 x W1 eq_refl) as (A1 & A2 & A3 & A4).
    destruct (IHe2 y W2 eq_refl) as (B1 & B2 & B3 & B4).
    destruct (sum_is_above (rounded e1) (rounded e2) (base e1) (base e2) x y) as [S1 S2];
      auto using every_value_is_a_number.
    repeat split; try apply S1; auto; try lra. apply round_keeps_sign. lra.
  - destruct W as [W1 W2]. destruct (same e1 e2) eqn:S.
    + apply same_is_equal in S. subst e2. injection E as <-. cbn [fst snd].
      destruct (square_is_above (rounded e1)) as [S1 S2].
      assert (0 <= rounded e1 * rounded e1) by nra.
      repeat split; try apply S1; auto. now apply round_keeps_sign.
    + destruct (lower e1) as [x|]; [|discriminate]. destruct (lower e2) as [y|]; [|discriminate].
      destruct (largest e1) as [size_a|] eqn:L1; [|discriminate].
      destruct (largest e2) as [size_b|] eqn:L2; [|discriminate].
      injection E as <-. destruct (IHe1 x W1 eq_refl) as (A1 & A2 & A3 & A4).
      destruct (IHe2 y W2 eq_refl) as (B1 & B2 & B3 & B4).
      apply largest_holds in L1, L2. destruct L1 as [L1 _]. destruct L2 as [L2 _].
      rewrite Rabs_pos_eq in L1, L2 by auto.
      destruct (product_is_above (rounded e1) (rounded e2) (base e1) (base e2) x y size_a size_b) as [S1 S2]; auto.
      repeat split; try apply S1; auto; try now apply Rmult_le_pos.
      apply round_keeps_sign. now apply Rmult_le_pos.
  - destruct (lower e) as [x|]; [|discriminate]. injection E as <-.
    destruct (IHe x W eq_refl) as (A1 & A2 & A3 & A4).
    destruct (root_is_above (rounded e) (base e) x) as [S1 S2]; auto using every_value_is_a_number.
    repeat split; try apply S1; auto using sqrt_pos. apply round_keeps_sign, sqrt_pos.
Qed.

End Format.
