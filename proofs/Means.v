(* Means of means: trees of (1 - p) x + p y with p in [0, 1], and of (2 x + y) / 3, as splines and control points are made
   of. What comes out is off by little more than what went in, since weights are positive and sum to 1.

   `mean_error` computes r and m, and the theorem says that |rounded - exact| <= r M + m eta, where M is at least every
   input. *)
From Coq Require Import Reals QArith Qreals Qabs Qminmax ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given.
Open Scope R_scope.

Section Means.
Local Notation F := binary64.
Variables (fx ex : nat -> R) (is_part is_leaf : nat -> bool).
(* What a part is off by at most, and an input over M. *)
Variables (part_error leaf_error : Q) (M : R).
Hypothesis numbers : forall i, is_number F (fx i).
Hypothesis parts : forall i, is_part i = true -> 0 <= fx i <= 1 /\ 0 <= ex i <= 1 /\ Rabs (fx i - ex i) <= Q2R part_error.
Hypothesis leaves : forall i, is_leaf i = true -> Rabs (ex i) <= M /\ Rabs (fx i - ex i) <= Q2R leaf_error * M.
Hypothesis M_positive : 0 <= M.
Hypothesis errors_are_positive : 0 <= Q2R part_error /\ 0 <= Q2R leaf_error.

Let P : (0 < prec F)%Z := eq_refl.
Let Pu := u_positive F.
Let U1 := u_below_1 F P.
Let Pe := eta_positive F.
Local Notation fl := (round_ F).
Local Notation u := (u F).
Local Notation eta := (eta F).

Lemma by_triangle a b c x y : Rabs (a - b) <= x -> Rabs (b - c) <= y -> Rabs (a - c) <= x + y.
Proof. intros X Y. replace (a - c) with ((a - b) + (b - c)) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra. Qed.
Lemma size_of_near a b x y : Rabs (a - b) <= x -> Rabs b <= y -> Rabs a <= y + x.
Proof. intros X Y. replace a with ((a - b) + b) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra. Qed.
Lemma product_is_at_most a b x y : Rabs a <= x -> Rabs b <= y -> Rabs (a * b) <= x * y.
Proof. intros X Y. rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos. Qed.

Definition mean_rounding : Q := (uQ F * (2 + uQ F) + uQ F * (1 + uQ F) * (1 + uQ F))%Q.
Lemma mean_rounding_is : Q2R mean_rounding = u * (2 + u) + u * (1 + u) * (1 + u).
Proof.
  unfold mean_rounding. rewrite Q2R_plus, !Q2R_mult, !Q2R_plus, uQ_is_u, Q2R_1.
  replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). reflexivity.
Qed.

(* (1 - p) X + p Y, computed, with numbers of at most K. *)
Lemma a_mean_rounds p X Y K : is_number F p -> is_number F X -> is_number F Y -> 0 <= p <= 1 -> Rabs X <= K -> Rabs Y <= K ->
  Rabs (fl (fl (fl (1 - p) * X) + fl (p * Y)) - ((1 - p) * X + p * Y)) <= Q2R mean_rounding * K + (2 + 2 * u) * eta.
Proof.
  intros Np NX NY Hp HX HY. rewrite mean_rounding_is.
  assert (N1 : is_number F 1).
  { change 1 with (bpow radix2 0). apply generic_format_bpow. vm_compute. discriminate. }
  pose proof (Rabs_pos X) as PK0. assert (PK : 0 <= K) by lra. set (w := 1 - p) in *.
  assert (Pw : 0 <= w <= 1) by (unfold w; lra).
  pose proof (sum_errs F P 1 (- p) N1 (number_opp F p Np)) as E1. change (1 + - p) with w in E1.
  rewrite (Rabs_pos_eq w) in E1 by lra. set (W := fl w) in *.
  assert (D1 : Rabs (W * X - w * X) <= u * w * K).
  { replace (W * X - w * X) with ((W - w) * X) by ring. now apply product_is_at_most. }
  assert (Q1 : Rabs (w * X) <= w * K) by (apply product_is_at_most; [rewrite Rabs_pos_eq; lra | auto]).
  pose proof (size_of_near _ _ _ _ D1 Q1) as S1.
  pose proof (round_errs F P (W * X)) as E2. set (A := fl (W * X)) in *.
  assert (Q2 : Rabs (p * Y) <= p * K) by (apply product_is_at_most; [rewrite Rabs_pos_eq; lra | auto]).
  pose proof (round_errs F P (p * Y)) as E3. set (B := fl (p * Y)) in *.
  apply (Rmult_le_compat_l u) in S1, Q2 as Q2'; [|lra|lra].
  assert (D2 : Rabs (A - w * X) <= u * (w * K + u * w * K) + eta + u * w * K) by (eapply by_triangle; [|exact D1]; lra).
  assert (D3 : Rabs (B - p * Y) <= u * (p * K) + eta) by lra.
  assert (wK : w * K + p * K = K) by (unfold w; ring).
  assert (PwK : 0 <= w * K) by (apply Rmult_le_pos; lra). assert (PpK : 0 <= p * K) by (apply Rmult_le_pos; lra).
  assert (D4 : Rabs (A + B - (w * X + p * Y)) <= u * (2 + u) * K + 2 * eta).
  { replace (A + B - (w * X + p * Y)) with ((A - w * X) + (B - p * Y)) by ring. eapply Rle_trans; [apply Rabs_triang|].
    apply Rle_trans with (u * (2 + u) * (w * K) + u * (p * K) + 2 * eta); [lra|].
    assert (u * (p * K) <= u * (2 + u) * (p * K)) by (apply Rmult_le_compat_r; nra).
    replace (u * (2 + u) * K) with (u * (2 + u) * (w * K) + u * (2 + u) * (p * K)) by (rewrite <- Rmult_plus_distr_l, wK; ring). lra. }
  assert (S4 : Rabs (w * X + p * Y) <= K) by (eapply Rle_trans; [apply Rabs_triang|]; lra).
  pose proof (size_of_near _ _ _ _ D4 S4) as S5.
  pose proof (sum_errs F P A B (rounded_is_number F P _) (rounded_is_number F P _)) as E4.
  apply (Rmult_le_compat_l u) in S5; [|lra].
  assert (G : Rabs (fl (A + B) - (w * X + p * Y)) <= u * (K + (u * (2 + u) * K + 2 * eta)) + (u * (2 + u) * K + 2 * eta))
    by (eapply by_triangle; [|exact D4]; lra).
  eapply Rle_trans; [exact G|]. right. ring.
Qed.

(* (2 X + Y) / 3, computed. *)
Lemma a_third_rounds X Y K : is_number F X -> is_number F Y -> Rabs X <= K -> Rabs Y <= K ->
  Rabs (fl (fl (fl (2 * X) + Y) / 3) - (2 * X + Y) / 3) <= (3 * u + 3 * u * u) * K + 2 * eta.
Proof.
  intros NX NY HX HY. pose proof (Rabs_pos X). assert (PK : 0 <= K) by lra.
  assert (S0 : Rabs (2 * X) <= 2 * K) by (rewrite Rabs_mult, (Rabs_pos_eq 2); lra).
  pose proof (round_errs F P (2 * X)) as E1. apply (Rmult_le_compat_l u) in S0 as S0'; [|lra]. set (A := fl (2 * X)) in *.
  assert (D1 : Rabs (A + Y - (2 * X + Y)) <= u * (2 * K) + eta) by (replace (A + Y - (2 * X + Y)) with (A - 2 * X) by ring; lra).
  assert (S1 : Rabs (2 * X + Y) <= 3 * K) by (eapply Rle_trans; [apply Rabs_triang|]; lra).
  pose proof (size_of_near _ _ _ _ D1 S1) as S2. apply (Rmult_le_compat_l u) in S2; [|lra].
  pose proof (sum_errs F P A Y (rounded_is_number F P _) NY) as E2. set (S := fl (A + Y)) in *.
  assert (D2 : Rabs (S - (2 * X + Y)) <= u * (3 * K + (u * (2 * K) + eta)) + (u * (2 * K) + eta)) by (eapply by_triangle; [|exact D1]; lra).
  set (d := u * (3 * K + (u * (2 * K) + eta)) + (u * (2 * K) + eta)) in *.
  assert (D3 : Rabs (S / 3 - (2 * X + Y) / 3) <= d / 3).
  { replace (S / 3 - (2 * X + Y) / 3) with ((S - (2 * X + Y)) * / 3) by field. rewrite Rabs_mult, (Rabs_pos_eq (/ 3)) by lra. lra. }
  assert (S3 : Rabs ((2 * X + Y) / 3) <= K) by (unfold Rdiv; rewrite Rabs_mult, (Rabs_pos_eq (/ 3)) by lra; lra).
  pose proof (size_of_near _ _ _ _ D3 S3) as S4. apply (Rmult_le_compat_l u) in S4; [|lra].
  pose proof (round_errs F P (S / 3)) as E3.
  assert (G : Rabs (fl (S / 3) - (2 * X + Y) / 3) <= u * (K + d / 3) + eta + d / 3) by (eapply by_triangle; [|exact D3]; lra).
  eapply Rle_trans; [exact G|]. unfold d.
  assert (uK : 0 <= u * K) by (apply Rmult_le_pos; lra). assert (uuK : 0 <= u * u * K) by (apply Rmult_le_pos; nra).
  assert (u * u * u * K <= 1 * (u * u * K)) by (replace (u * u * u * K) with (u * (u * u * K)) by ring; apply Rmult_le_compat_r; lra).
  assert (U2 : u <= / 4) by (change (/ 4) with (bpow radix2 (-2)); apply bpow_le; vm_compute; discriminate).
  assert (u * eta <= / 4 * eta) by (apply Rmult_le_compat_r; lra).
  assert (u * u * eta <= / 4 * eta) by (apply Rmult_le_compat_r; nra).
  lra.
Qed.

(* (r, m) *)
Definition mean_step (a b : Q * Q) : Q * Q :=
  let r := Qmax (fst a) (fst b) in let m := Qmax (snd a) (snd b) in
  let k := (part_error + part_error + mean_rounding)%Q in
  (up (r + (1 + r) * k), up (m + m * k + 2 + 2 * uQ F))%Q.
Definition third_step (a b : Q * Q) : Q * Q :=
  let r := Qmax (fst a) (fst b) in let m := Qmax (snd a) (snd b) in
  let k := (3 * uQ F + 3 * uQ F * uQ F)%Q in
  (up (r + (1 + r) * k), up (m + m * k + 2))%Q.
Fixpoint mean_error (e : expr) : option (Q * Q) :=
  match e with
  | Var i => if is_leaf i then Some (leaf_error, 0%Q) else None
  | Add (Mul (Sub (Cst 1 0) (Var i)) x) (Mul (Var j) y) =>
    if Nat.eqb i j && is_part i then
      match mean_error x, mean_error y with Some a, Some b => Some (mean_step a b) | _, _ => None end
    else None
  | _ => None
  end.
(* Of (2 x + y) / 3, and of (x + 2 y) / 3. *)
Definition first_third_error (e : expr) : option (Q * Q) :=
  match e with
  | Div (Add (Mul (Cst 1 1) x) y) (Cst 3 0) =>
    match mean_error x, mean_error y with Some a, Some b => Some (third_step a b) | _, _ => None end
  | _ => None
  end.
Definition second_third_error (e : expr) : option (Q * Q) :=
  match e with
  | Div (Add x (Mul (Cst 1 1) y)) (Cst 3 0) =>
    match mean_error x, mean_error y with Some a, Some b => Some (third_step b a) | _, _ => None end
  | _ => None
  end.

Definition is_mean (X x : R) (b : Q * Q) : Prop :=
  is_number F X /\ 0 <= Q2R (fst b) /\ 0 <= Q2R (snd b) /\ Rabs x <= M /\ Rabs (X - x) <= Q2R (fst b) * M + Q2R (snd b) * eta.

Lemma larger_errors X Y x y a b : is_mean X x a -> is_mean Y y b ->
  let r := Q2R (Qmax (fst a) (fst b)) in let m := Q2R (Qmax (snd a) (snd b)) in
  0 <= r /\ 0 <= m /\ Rabs (X - x) <= r * M + m * eta /\ Rabs (Y - y) <= r * M + m * eta.
Proof.
  intros (_ & A1 & A2 & _ & A3) (_ & B1 & B2 & _ & B3) r m.
  destruct (Q2R_max (fst a) (fst b)) as [R1 R2]. destruct (Q2R_max (snd a) (snd b)) as [M1 M2]. fold r in R1, R2. fold m in M1, M2.
  assert (forall s t, 0 <= s -> s <= r -> 0 <= t -> t <= m -> s * M + t * eta <= r * M + m * eta).
  { intros s t S1 S2 T1 T2. apply Rplus_le_compat; apply Rmult_le_compat_r; lra. }
  repeat split; try lra; eapply Rle_trans; eauto.
Qed.

Lemma a_mean_holds i X Y x y a b : is_part i = true -> is_mean X x a -> is_mean Y y b ->
  is_mean (fl (fl (fl (1 - fx i) * X) + fl (fx i * Y))) ((1 - ex i) * x + ex i * y) (mean_step a b).
Proof.
  intros I A B. destruct (larger_errors X Y x y a b A B) as (Pr & Pm & DX & DY).
  destruct A as (NX & _ & _ & HX & _). destruct B as (NY & _ & _ & HY & _). destruct (parts i I) as (HP & Hp & D).
  unfold mean_step, is_mean. cbn [fst snd].
  set (rq := Qmax (fst a) (fst b)) in *. set (mq := Qmax (snd a) (snd b)) in *.
  set (kq := (part_error + part_error + mean_rounding)%Q).
  assert (Ek : Q2R kq = 2 * Q2R part_error + Q2R mean_rounding) by (unfold kq; rewrite !Q2R_plus; ring).
  pose proof (up_is_above (rq + (1 + rq) * kq)) as V1. rewrite Q2R_plus, Q2R_mult, Q2R_plus, Q2R_1 in V1.
  pose proof (up_is_above (mq + mq * kq + 2 + 2 * uQ F)) as V2. rewrite !Q2R_plus, !Q2R_mult, uQ_is_u in V2.
  replace (Q2R 2) with 2 in V2 by (unfold Q2R; simpl; lra).
  set (r := Q2R rq) in *. set (m := Q2R mq) in *. set (E := r * M + m * eta) in *. set (K := M + E).
  assert (PE : 0 <= E) by (unfold E; apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra).
  assert (KX : Rabs X <= K) by (unfold K; eapply size_of_near; eauto). assert (KY : Rabs Y <= K) by (unfold K; eapply size_of_near; eauto).
  pose proof (a_mean_rounds (fx i) X Y K (numbers i) NX NY HP KX KY) as G.
  assert (Pr' : 0 <= Q2R mean_rounding) by (rewrite mean_rounding_is; nra).
  assert (Pk : 0 <= Q2R kq) by lra.
  assert (G2 : Rabs ((1 - fx i) * X + fx i * Y - ((1 - ex i) * X + ex i * Y)) <= Q2R part_error * (K + K)).
  { replace ((1 - fx i) * X + fx i * Y - ((1 - ex i) * X + ex i * Y)) with ((fx i - ex i) * (Y - X)) by ring.
    apply product_is_at_most; auto. unfold Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  assert (G3 : Rabs ((1 - ex i) * X + ex i * Y - ((1 - ex i) * x + ex i * y)) <= E).
  { replace ((1 - ex i) * X + ex i * Y - ((1 - ex i) * x + ex i * y)) with ((1 - ex i) * (X - x) + ex i * (Y - y)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq (1 - ex i)), (Rabs_pos_eq (ex i)) by lra.
    assert ((1 - ex i) * Rabs (X - x) <= (1 - ex i) * E) by (apply Rmult_le_compat_l; lra).
    assert (ex i * Rabs (Y - y) <= ex i * E) by (apply Rmult_le_compat_l; lra). lra. }
  assert (W1 : 0 <= r * Q2R kq) by (apply Rmult_le_pos; lra). assert (W2 : 0 <= m * Q2R kq) by (apply Rmult_le_pos; lra).
  split; [apply rounded_is_number; exact P|]. split; [lra|]. split; [lra|]. split.
  - eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq (1 - ex i)), (Rabs_pos_eq (ex i)) by lra.
    assert ((1 - ex i) * Rabs x <= (1 - ex i) * M) by (apply Rmult_le_compat_l; lra).
    assert (ex i * Rabs y <= ex i * M) by (apply Rmult_le_compat_l; lra). lra.
  - pose proof (by_triangle _ _ _ _ _ (by_triangle _ _ _ _ _ G G2) G3) as H. eapply Rle_trans; [exact H|].
    apply Rle_trans with ((r + (1 + r) * Q2R kq) * M + (m + m * Q2R kq + 2 + 2 * u) * eta).
    + right. rewrite Ek. unfold K, E. ring.
    + apply Rplus_le_compat; apply Rmult_le_compat_r; lra.
Qed.

Lemma a_third_holds X Y x y a b : is_mean X x a -> is_mean Y y b ->
  is_mean (fl (fl (fl (2 * X) + Y) / 3)) ((2 * x + y) / 3) (third_step a b).
Proof.
  intros A B. destruct (larger_errors X Y x y a b A B) as (Pr & Pm & DX & DY).
  destruct A as (NX & _ & _ & HX & _). destruct B as (NY & _ & _ & HY & _).
  unfold third_step, is_mean. cbn [fst snd].
  set (rq := Qmax (fst a) (fst b)) in *. set (mq := Qmax (snd a) (snd b)) in *.
  set (kq := (3 * uQ F + 3 * uQ F * uQ F)%Q).
  assert (Ek : Q2R kq = 3 * u + 3 * u * u).
  { unfold kq. rewrite Q2R_plus, !Q2R_mult, !uQ_is_u. change (Q2R 3) with (3 * / 1). field. }
  pose proof (up_is_above (rq + (1 + rq) * kq)) as V1. rewrite Q2R_plus, Q2R_mult, Q2R_plus, Q2R_1 in V1.
  pose proof (up_is_above (mq + mq * kq + 2)) as V2. rewrite !Q2R_plus, Q2R_mult in V2.
  replace (Q2R 2) with 2 in V2 by (unfold Q2R; simpl; lra).
  set (r := Q2R rq) in *. set (m := Q2R mq) in *. set (E := r * M + m * eta) in *. set (K := M + E).
  assert (PE : 0 <= E) by (unfold E; apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra).
  assert (KX : Rabs X <= K) by (unfold K; eapply size_of_near; eauto). assert (KY : Rabs Y <= K) by (unfold K; eapply size_of_near; eauto).
  pose proof (a_third_rounds X Y K NX NY KX KY) as G.
  assert (Pk : 0 <= Q2R kq) by (rewrite Ek; nra).
  assert (T : forall p q s, Rabs p <= s -> Rabs q <= s -> Rabs ((2 * p + q) / 3) <= s).
  { intros p q s Hp Hq. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ 3)) by lra.
    pose proof (Rabs_triang (2 * p) q) as V. rewrite (Rabs_mult 2 p), (Rabs_pos_eq 2) in V by lra. lra. }
  assert (G3 : Rabs ((2 * X + Y) / 3 - (2 * x + y) / 3) <= E).
  { replace ((2 * X + Y) / 3 - (2 * x + y) / 3) with ((2 * (X - x) + (Y - y)) / 3) by field. now apply T. }
  assert (W1 : 0 <= r * Q2R kq) by (apply Rmult_le_pos; lra). assert (W2 : 0 <= m * Q2R kq) by (apply Rmult_le_pos; lra).
  split; [apply rounded_is_number; exact P|]. split; [lra|]. split; [lra|]. split; [now apply T|].
  pose proof (by_triangle _ _ _ _ _ G G3) as H. eapply Rle_trans; [exact H|].
  apply Rle_trans with ((r + (1 + r) * Q2R kq) * M + (m + m * Q2R kq + 2) * eta).
  - right. rewrite Ek. unfold K, E. ring.
  - apply Rplus_le_compat; apply Rmult_le_compat_r; lra.
Qed.

Lemma one_is : F2R (Float radix2 1 0) = 1. Proof. unfold F2R; simpl; lra. Qed.
Lemma two_is : F2R (Float radix2 1 1) = 2. Proof. unfold F2R; simpl; lra. Qed.
Lemma three_is : F2R (Float radix2 3 0) = 3. Proof. unfold F2R; simpl; lra. Qed.

Theorem means_hold : forall e b, mean_error e = Some b -> is_mean (rounded F fx e) (exact ex e) b.
Proof.
  fix IH 1. intros e b H. destruct e as [i|m k|m k q|a|a|a c|a c|a c|a c|a]; try discriminate.
  - cbn [mean_error] in H. destruct (is_leaf i) eqn:L; [|discriminate]. injection H as <-. destruct (leaves i L) as [A B].
    unfold is_mean. cbn [fst snd rounded exact]. rewrite Q2R_0. repeat split; auto; lra.
  - cbn [mean_error] in H.
    destruct a as [| | | | | | |w x| |]; try discriminate. destruct w as [| | | | | |o v| | |]; try discriminate.
    destruct o as [|m k| | | | | | | |]; try discriminate. destruct m as [|m|]; try discriminate. destruct m; try discriminate.
    destruct k; try discriminate. destruct v as [i| | | | | | | | |]; try discriminate.
    destruct c as [| | | | | | |w y| |]; try discriminate. destruct w as [j| | | | | | | | |]; try discriminate.
    destruct (Nat.eqb i j && is_part i) eqn:E; [|discriminate]. apply andb_true_iff in E. destruct E as [E I].
    apply Nat.eqb_eq in E. subst j. pose proof (IH x) as X. pose proof (IH y) as Y.
    destruct (mean_error x) as [p|]; [|discriminate]. destruct (mean_error y) as [q|]; [|discriminate]. injection H as <-.
    cbn [rounded exact]. rewrite one_is. apply a_mean_holds; auto.
Qed.

Lemma a_first_third_holds e b : first_third_error e = Some b -> is_mean (rounded F fx e) (exact ex e) b.
Proof.
  unfold first_third_error. destruct e as [| | | | | | | |s c|]; try discriminate. destruct s as [| | | | |v y| | | |]; try discriminate.
  destruct v as [| | | | | | |o x| |]; try discriminate. destruct o as [|m k| | | | | | | |]; try discriminate.
  destruct m as [|m|]; try discriminate. destruct m; try discriminate. destruct k as [|k|]; try discriminate. destruct k; try discriminate.
  destruct c as [|m k| | | | | | | |]; try discriminate. destruct m as [|m|]; try discriminate. destruct m; try discriminate.
  destruct m; try discriminate. destruct k; try discriminate.
  pose proof (means_hold x) as X. pose proof (means_hold y) as Y.
  destruct (mean_error x) as [p|]; [|discriminate]. destruct (mean_error y) as [q|]; [|discriminate]. intros H. injection H as <-.
  cbn [rounded exact]. rewrite two_is, three_is. apply a_third_holds; auto.
Qed.
Lemma a_second_third_holds e b : second_third_error e = Some b -> is_mean (rounded F fx e) (exact ex e) b.
Proof.
  unfold second_third_error. destruct e as [| | | | | | | |s c|]; try discriminate. destruct s as [| | | | |x v| | | |]; try discriminate.
  destruct v as [| | | | | | |o y| |]; try discriminate. destruct o as [|m k| | | | | | | |]; try discriminate.
  destruct m as [|m|]; try discriminate. destruct m; try discriminate. destruct k as [|k|]; try discriminate. destruct k; try discriminate.
  destruct c as [|m k| | | | | | | |]; try discriminate. destruct m as [|m|]; try discriminate. destruct m; try discriminate.
  destruct m; try discriminate. destruct k; try discriminate.
  pose proof (means_hold x) as X. pose proof (means_hold y) as Y.
  destruct (mean_error x) as [p|]; [|discriminate]. destruct (mean_error y) as [q|]; [|discriminate]. intros H. injection H as <-.
  cbn [rounded exact]. rewrite two_is, three_is, (Rplus_comm (rounded F fx x)), (Rplus_comm (exact ex x)). apply a_third_holds; auto.
Qed.
End Means.
