(* Trees of what is never negative: sums, products, quotients and roots, with bounds from both sides.

   `between` computes lo, hi, under, over and top, and the theorem says that they hold:
   lo * main - under * eta <= rounded <= hi * main + over * eta, and main <= top.
   main is the exact value without its tiny constants. A difference is of a positive and a negative number: a - -b. *)
From Coq Require Import Reals QArith Qreals Qround Qabs Qminmax ZArith Bool Lra Lia Psatz.
From Flocq Require Import Core Relative.
Require Import Rounding Given.
Open Scope R_scope.

Record bounds := bounded_by { lo : Q; hi : Q; under : Q; over : Q; top : Q }.

Section Positive.
Variables (F : format) (l : list given_variable) (fx ex : nat -> R).
(* What each variable is off by at most, relative to itself and in units of eta; what no quotient in the tree exceeds. *)
Variables (r off : nat -> Q) (cap : Q).
Hypothesis ieee : is_ieee F.
Hypothesis tiny_is_small : (emin F + 4 * prec F < 0)%Z.
Hypothesis emax_is_positive : (0 < emax F)%Z.
Definition positive_inputs : Prop :=
  variables_are_as_given F r off (size_in l) (positive_in l) fx ex /\ forall i, positive_in l i = true -> 0 <= ex i.
Hypothesis given : positive_inputs.

Let P := proj1 ieee.
Let small := proj2 (proj2 ieee).
Let roots := proj1 (proj2 ieee).
Let as_given := proj1 given.

(* Under |.| signs do not matter: a product of inputs and of differences of them. *)
Definition is_exact (i : nat) : bool := Qeq_bool (r i) 0 && Qeq_bool (off i) 0.
Fixpoint magnitude (e : expr) : R :=
  match e with
  | Var i => Rabs (ex i)
  | Sub (Var i) (Var j) => Rabs (ex i - ex j)
  | Mul a b => magnitude a * magnitude b
  | Neg a | Abs a => magnitude a
  | _ => 0
  end.

Fixpoint main (e : expr) : R :=
  match e with
  | Var i => ex i
  | Cst m k => if is_tiny F m k then 0 else F2R (Float radix2 m k)
  | Near m k _ => F2R (Float radix2 m k)
  | Abs a => magnitude a
  | Add a b => main a + main b
  | Sub a (Neg b) => main a + main b
  | Mul a b => main a * main b
  | Div a b => main a / main b
  | Sqrt a => sqrt (main a)
  | Neg _ | Sub _ _ => 0
  end.

Fixpoint quotients_are_capped (e : expr) : Prop :=
  match e with
  | Var _ | Cst _ _ | Near _ _ _ | Abs _ => True
  | Neg a | Sqrt a => quotients_are_capped a
  | Add a b | Sub a b | Mul a b => quotients_are_capped a /\ quotients_are_capped b
  | Div a b => quotients_are_capped a /\ quotients_are_capped b /\ 0 < main b /\ main a / main b <= Q2R cap
  end.

Definition if_it_fits (b : bounds) : option bounds :=
  if Qle_bool (up (hi b * top b + above_0 (over b))) (limit F) then Some b else None.

Definition sum_between (a b : bounds) : option bounds :=
  let m := (under a + under b)%Q in
  if_it_fits (bounded_by (down ((1 - uQ F) * Qmin (lo a) (lo b))) (up ((1 + uQ F) * Qmax (hi a) (hi b)))
    (up (if Qle_bool 0 m then m else (1 - uQ F) * m)) (up ((1 + uQ F) * (over a + over b))) (up (top a + top b))).
Definition highest (a : bounds) : Q := (hi a * top a + over a * etaQ F)%Q.
Definition product_between (a b : bounds) : option bounds :=
  let low := product_lower F (highest a) (highest b) (lo a, under a) (lo b, under b) in
  if_it_fits (bounded_by (fst low) (up ((1 + uQ F) * (hi a * hi b))) (snd low)
    (up (1 + (1 + uQ F) * (over a * (hi b * top b) + over b * (hi a * top a) + over a * over b * etaQ F))) (up (top a * top b))).
Definition quotient_between (a b : bounds) : option bounds :=
  if Qle_bool (under a) 0 && Qle_bool (over a) 0 && Qle_bool (under b) 0 && Qle_bool (over b) 0 &&
     Qle_bool 1 (2 * lo b)
  then if_it_fits (bounded_by (down ((1 - uQ F) * (lo a / hi b))) (up ((1 + uQ F) * (hi a / lo b))) 1 1 cap)
  else None.
Definition root_between (a : bounds) : option bounds :=
  let low := root_lower F (lo a, under a) in
  if_it_fits (bounded_by (fst low) (up ((1 + uQ F) * ((1 + hi a) / 2))) (snd low)
    (up ((1 + uQ F) * if Qle_bool (over a) 0 then 0 else root_of_etas F (over a))) (inject_Z (Z.sqrt_up (Qceiling (top a))))).

Definition both (f : bounds -> bounds -> option bounds) (a b : option bounds) : option bounds :=
  match a, b with Some x, Some y => f x y | _, _ => None end.

Definition input_between (i : nat) : option bounds :=
  if Qle_bool (r i) 1 then if_it_fits (bounded_by (1 - r i) (1 + r i) (off i) (off i) (size_in l i)) else None.
Fixpoint magnitude_between (e : expr) : option bounds :=
  match e with
  | Var i => input_between i
  | Sub (Var i) (Var j) =>
    if is_exact i && is_exact j && Qle_bool (size_in l i) (limit F) && Qle_bool (size_in l j) (limit F)
    then if_it_fits (bounded_by (1 - uQ F) (1 + uQ F) 0 0 (size_in l i + size_in l j)) else None
  | Mul a b => both product_between (magnitude_between a) (magnitude_between b)
  | Neg a | Abs a => magnitude_between a
  | _ => None
  end.

Fixpoint between (e : expr) : option bounds :=
  match e with
  | Var i => if positive_in l i then input_between i else None
  | Cst m k =>
    if (m <? 0)%Z || negb (is_constant F m k) then None else
    if is_tiny F m k then if_it_fits (bounded_by 1 1 (- in_etas F (number m k)) (in_etas F (number m k)) 0)
    else if_it_fits (bounded_by 1 1 0 0 (number m k))
  | Near m k _ => if (m <? 0)%Z || negb (is_constant F m k) then None else if_it_fits (bounded_by 1 1 0 0 (number m k))
  | Abs a => magnitude_between a
  | Add a b => both sum_between (between a) (between b)
  | Sub a (Neg b) => both sum_between (between a) (between b)
  | Mul a b => if same a (Cst 1 0) then between b else both product_between (between a) (between b)
  | Div a b => both quotient_between (between a) (between b)
  | Sqrt a => match between a with Some x => root_between x | None => None end
  | Neg _ | Sub _ _ => None
  end.

Record is_between (e : expr) (b : bounds) : Prop := {
  number_is : is_number F (rounded F fx e);
  lo_is : 0 <= Q2R (lo b) <= 1;
  hi_is : 1 <= Q2R (hi b);
  over_is : 0 <= Q2R (over b);
  main_is : 0 <= main e <= Q2R (top b);
  rounded_is : 0 <= rounded F fx e;
  from_below : Q2R (lo b) * main e - Q2R (under b) * eta F <= rounded F fx e;
  from_above : rounded F fx e <= Q2R (hi b) * main e + Q2R (over b) * eta F;
  fits : nothing_overflows F fx e }.

Let Pu := u_positive F.
Let U1 := u_below_1 F P.
Let Pe := eta_positive F.
Let E1 := eta_below_1 F small.

Lemma fitting a c : if_it_fits a = Some c -> c = a /\
  Q2R (hi a) * Q2R (top a) + Q2R (above_0 (over a)) < bpow radix2 (emax F).
Proof.
  unfold if_it_fits. destruct (Qle_bool _ (limit F)) eqn:H; [|discriminate]. intros E; injection E as <-. split; auto.
  apply Qle_bool_iff, Qle_Rle in H. unfold limit in H. rewrite two_to_is_bpow in H.
  pose proof (up_is_above (hi a * top a + above_0 (over a))) as U. rewrite Q2R_plus, Q2R_mult in U.
  apply Rle_lt_trans with (bpow radix2 (emax F - 1)); [lra | apply bpow_lt; lia].
Qed.

(* What is between such bounds does not overflow. *)
Lemma fitting_fits b x y : 0 <= x -> x <= Q2R (hi b) * y + Q2R (over b) * eta F -> 0 <= y <= Q2R (top b) ->
  1 <= Q2R (hi b) -> 0 <= Q2R (over b) ->
  Q2R (hi b) * Q2R (top b) + Q2R (above_0 (over b)) < bpow radix2 (emax F) -> Rabs x < bpow radix2 (emax F).
Proof.
  intros X H Y Ph Po B. rewrite Rabs_pos_eq by auto. destruct (above_0_is (over b)) as [_ A].
  assert (Q2R (hi b) * y <= Q2R (hi b) * Q2R (top b)) by (apply Rmult_le_compat_l; lra).
  assert (Q2R (over b) * eta F <= Q2R (over b) * 1) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma sum_is_between a b x y s : is_between a x -> is_between b y -> sum_between x y = Some s ->
  forall e v, rounded F fx e = round_ F v -> v = rounded F fx a + rounded F fx b -> main e = main a + main b ->
  (Rabs (rounded F fx e) < bpow radix2 (emax F) -> nothing_overflows F fx e) -> is_between e s.
Proof.
  intros A B S e v Er Ev Em N. unfold sum_between in S. apply fitting in S. destruct S as [-> S].
  destruct A as [NA [LA LA'] HA OA [MA MA'] RA A1 A2 FA]. destruct B as [NB [LB LB'] HB OB [MB MB'] RB B1 B2 FB].
  destruct (sum_is_above F P (rounded F fx a) (rounded F fx b) (main a) (main b) (lo x, under x) (lo y, under y)) as [S1 S2];
    cbn [fst snd]; auto.
  unfold sum_lower in S1, S2. cbn [fst snd] in S1, S2.
  pose proof (sum_errs F P _ _ NA NB) as E. rewrite (Rabs_pos_eq (rounded F fx a + rounded F fx b)) in E by lra.
  apply Rabs_le_inv in E.
  destruct (Q2R_max (hi x) (hi y)) as [M1 M2].
  pose proof (up_is_above ((1 + uQ F) * Qmax (hi x) (hi y))) as V1. rewrite Q2R_mult, Q2R_plus, Q2R_1, uQ_is_u in V1.
  pose proof (up_is_above ((1 + uQ F) * (over x + over y))) as V2.
  rewrite Q2R_mult, !Q2R_plus, Q2R_1, uQ_is_u in V2.
  pose proof (up_is_above (top x + top y)) as V3. rewrite Q2R_plus in V3.
  cbn [hi top over] in S.
  set (h := Q2R (Qmax (hi x) (hi y))) in *. set (h' := Q2R (up ((1 + uQ F) * Qmax (hi x) (hi y)))) in *.
  set (o := Q2R (up ((1 + uQ F) * (over x + over y)))) in *.
  assert (Ph : 1 <= h') by nra.
  assert (Po : 0 <= o) by nra.
  assert (T1 : rounded F fx a + rounded F fx b <= h * (main a + main b) + (Q2R (over x) + Q2R (over y)) * eta F).
  { assert (Q2R (hi x) * main a <= h * main a) by (apply Rmult_le_compat_r; auto).
    assert (Q2R (hi y) * main b <= h * main b) by (apply Rmult_le_compat_r; auto). lra. }
  assert (T2 : round_ F (rounded F fx a + rounded F fx b) <= h' * (main a + main b) + o * eta F).
  { apply Rle_trans with ((1 + u F) * (h * (main a + main b) + (Q2R (over x) + Q2R (over y)) * eta F)).
    - apply Rle_trans with ((1 + u F) * (rounded F fx a + rounded F fx b)); [lra|]. apply Rmult_le_compat_l; lra.
    - assert ((1 + u F) * h * (main a + main b) <= h' * (main a + main b)) by (apply Rmult_le_compat_r; lra).
      assert ((1 + u F) * (Q2R (over x) + Q2R (over y)) * eta F <= o * eta F) by (apply Rmult_le_compat_r; lra). lra. }
  assert (R0 : 0 <= round_ F (rounded F fx a + rounded F fx b)) by (apply round_keeps_sign; auto; lra).
  constructor; cbn [lo hi under over top]; rewrite ?Er, ?Ev, ?Em; auto.
  - apply rounded_is_number; auto.
  - split; lra.
  - apply N. rewrite Er, Ev.
    apply (fitting_fits (bounded_by 0 (up ((1 + uQ F) * Qmax (hi x) (hi y))) 0 (up ((1 + uQ F) * (over x + over y)))
             (up (top x + top y))) _ (main a + main b)); cbn [hi over top]; auto; split; lra.
Qed.

(* The same as a statement of numbers: X is rounded, A exact. *)
Definition holds_of (X A : R) (b : bounds) : Prop :=
  (0 <= Q2R (lo b) <= 1) /\ 1 <= Q2R (hi b) /\ 0 <= Q2R (over b) /\ (0 <= A <= Q2R (top b)) /\ 0 <= X /\
  Q2R (lo b) * A - Q2R (under b) * eta F <= X /\ X <= Q2R (hi b) * A + Q2R (over b) * eta F.

Lemma highest_is X A x : holds_of X A x -> X <= Q2R (highest x).
Proof.
  intros ([LA LA'] & HA & OA & [MA MA'] & RA & A1 & A2). unfold highest. rewrite Q2R_plus, !Q2R_mult, etaQ_is_eta.
  assert (Q2R (hi x) * A <= Q2R (hi x) * Q2R (top x)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma a_product_holds X Y A B x y s : holds_of X A x -> holds_of Y B y -> product_between x y = Some s ->
  holds_of (round_ F (X * Y)) (A * B) s /\ Rabs (round_ F (X * Y)) < bpow radix2 (emax F).
Proof.
  intros HX HY S. unfold product_between in S. apply fitting in S. destruct S as [-> S].
  pose proof (highest_is X A x HX) as GA. pose proof (highest_is Y B y HY) as GB.
  destruct HX as ([LA LA'] & HA & OA & [MA MA'] & RA & A1 & A2). destruct HY as ([LB LB'] & HB & OB & [MB MB'] & RB & B1 & B2).
  destruct (product_is_above F P small X Y A B (lo x, under x) (lo y, under y) (highest x) (highest y)) as [S1 S2];
    cbn [fst snd]; auto.
  assert (PXY : 0 <= X * Y) by now apply Rmult_le_pos.
  pose proof (round_errs F P (X * Y)) as E. rewrite (Rabs_pos_eq _ PXY) in E.
  apply Rabs_le_inv in E.
  pose proof (up_is_above ((1 + uQ F) * (hi x * hi y))) as V1. rewrite !Q2R_mult, Q2R_plus, Q2R_1, uQ_is_u in V1.
  pose proof (up_is_above (1 + (1 + uQ F) * (over x * (hi y * top y) + over y * (hi x * top x) + over x * over y * etaQ F))) as V2.
  rewrite Q2R_plus, Q2R_mult, !Q2R_plus, !Q2R_mult, Q2R_1, uQ_is_u, etaQ_is_eta in V2.
  pose proof (up_is_above (top x * top y)) as V3. rewrite Q2R_mult in V3.
  cbn [hi top over] in S.
  set (h := Q2R (up ((1 + uQ F) * (hi x * hi y)))) in *.
  set (o := Q2R (up (1 + (1 + uQ F) * (over x * (hi y * top y) + over y * (hi x * top x) + over x * over y * etaQ F)))) in *.
  set (hx := Q2R (hi x)) in *. set (hy := Q2R (hi y)) in *. set (ox := Q2R (over x)) in *. set (oy := Q2R (over y)) in *.
  set (k := ox * (hy * Q2R (top y)) + oy * (hx * Q2R (top x)) + ox * oy * eta F) in *.
  assert (Hm : 0 <= A * B) by now apply Rmult_le_pos.
  assert (Hh : 1 <= hx * hy) by (rewrite <- (Rmult_1_l 1); apply Rmult_le_compat; lra).
  assert (Ph : 1 <= h) by nra.
  assert (Py : 0 <= hy * Q2R (top y)) by (apply Rmult_le_pos; lra).
  assert (Px : 0 <= hx * Q2R (top x)) by (apply Rmult_le_pos; lra).
  assert (Pk : 0 <= k).
  { unfold k. pose proof (Rmult_le_pos _ _ OA Py). pose proof (Rmult_le_pos _ _ OB Px). pose proof (Rmult_le_pos _ _ (Rmult_le_pos _ _ OA OB) (Rlt_le _ _ Pe)). lra. }
  assert (Po : 0 <= o) by nra.
  assert (T1 : X * Y <= hx * hy * (A * B) + k * eta F).
  { apply Rle_trans with ((hx * A + ox * eta F) * (hy * B + oy * eta F)); [now apply Rmult_le_compat|].
    replace ((hx * A + ox * eta F) * (hy * B + oy * eta F)) with
      (hx * hy * (A * B) + (ox * (hy * B) + oy * (hx * A) + ox * oy * eta F) * eta F) by ring.
    apply Rplus_le_compat_l, Rmult_le_compat_r; [lra|]. unfold k.
    assert (hy * B <= hy * Q2R (top y)) by (apply Rmult_le_compat_l; lra).
    assert (hx * A <= hx * Q2R (top x)) by (apply Rmult_le_compat_l; lra).
    assert (ox * (hy * B) <= ox * (hy * Q2R (top y))) by (apply Rmult_le_compat_l; lra).
    assert (oy * (hx * A) <= oy * (hx * Q2R (top x))) by (apply Rmult_le_compat_l; lra).
    lra. }
  assert (T2 : round_ F (X * Y) <= h * (A * B) + o * eta F).
  { apply Rle_trans with ((1 + u F) * (hx * hy * (A * B) + k * eta F) + eta F).
    - apply Rle_trans with ((1 + u F) * (X * Y) + eta F); [lra|].
      apply Rplus_le_compat_r, Rmult_le_compat_l; lra.
    - assert ((1 + u F) * (hx * hy) * (A * B) <= h * (A * B)) by (apply Rmult_le_compat_r; lra).
      assert ((1 + (1 + u F) * k) * eta F <= o * eta F) by (apply Rmult_le_compat_r; lra). lra. }
  assert (R0 : 0 <= round_ F (X * Y)) by (now apply round_keeps_sign).
  assert (M3 : A * B <= Q2R (up (top x * top y))).
  { eapply Rle_trans; [|exact V3]. now apply Rmult_le_compat. }
  assert (OF : Rabs (round_ F (X * Y)) < bpow radix2 (emax F)).
  { apply (fitting_fits (bounded_by 0 (up ((1 + uQ F) * (hi x * hi y))) 0
             (up (1 + (1 + uQ F) * (over x * (hi y * top y) + over y * (hi x * top x) + over x * over y * etaQ F)))
             (up (top x * top y))) _ (A * B)); cbn [hi over top]; auto. }
  split; auto. unfold holds_of; cbn [lo hi under over top]. auto 10.
Qed.

Lemma product_is_between a b x y s : is_between a x -> is_between b y -> product_between x y = Some s ->
  is_between (Mul a b) s.
Proof.
  intros [NA LA HA OA MA RA A1 A2 FA] [NB LB HB OB MB RB B1 B2 FB] S.
  destruct (a_product_holds (rounded F fx a) (rounded F fx b) (main a) (main b) x y s) as [(H1 & H2 & H3 & H4 & H5 & H6 & H7) O];
    auto; unfold holds_of; auto 10.
  constructor; cbn [main rounded]; auto.
  - apply rounded_is_number; auto.
  - cbn [nothing_overflows rounded]. auto.
Qed.

Lemma one_times_is_between b y : is_between b y -> is_between (Mul (Cst 1 0) b) y.
Proof.
  intros [NB LB HB OB MB RB B1 B2 FB].
  assert (E : rounded F fx (Mul (Cst 1 0) b) = rounded F fx b).
  { cbn [rounded]. replace (F2R (Float radix2 1 0)) with 1 by (unfold F2R; simpl; ring). rewrite Rmult_1_l.
    unfold round_. apply round_generic; auto. apply valid_rnd_N. }
  assert (M : main (Mul (Cst 1 0) b) = main b).
  { cbn [main]. replace (is_tiny F 1 0) with false.
    - unfold F2R; simpl. ring.
    - symmetry. apply not_true_iff_false. intros T. unfold is_tiny in T. apply Qle_bool_iff, Qle_Rle in T.
      rewrite two_to_is_bpow in T. replace (Q2R (number 1 0)) with (bpow radix2 0) in T by (unfold Q2R; simpl; lra).
      assert (emin F + 4 * prec F < 0)%Z by exact tiny_is_small. apply (Rle_not_lt _ _ T). now apply bpow_lt. }
  constructor; rewrite ?E, ?M; auto.
  cbn [nothing_overflows]. rewrite E. repeat split; auto using top_does_not_overflow.
  cbn [rounded]. replace (F2R (Float radix2 1 0)) with (bpow radix2 0) by (unfold F2R; simpl; ring).
  rewrite Rabs_pos_eq by apply bpow_ge_0. apply bpow_lt. lia.
Qed.

Lemma bool_le a b : Qle_bool a b = true -> Q2R a <= Q2R b.
Proof. intros H. now apply Qle_Rle, Qle_bool_iff. Qed.

Lemma quotient_is_between a b x y s : is_between a x -> is_between b y -> quotient_between x y = Some s ->
  0 < main b -> main a / main b <= Q2R cap -> is_between (Div a b) s.
Proof.
  intros A B S Mb C. unfold quotient_between in S.
  destruct (_ && Qle_bool 1 (2 * lo y)) eqn:K; [|discriminate]. apply fitting in S. destruct S as [-> S].
  rewrite !andb_true_iff in K. destruct K as [[[[K1 K2] K3] K4] K5].
  apply bool_le in K1, K2, K3, K4, K5. rewrite Q2R_mult, Q2R_1 in K5.
  replace (Q2R 2) with 2 in K5 by (unfold Q2R; simpl; lra). rewrite Q2R_0 in *.
  destruct A as [NA [LA LA'] HA OA [MA MA'] RA A1 A2 FA]. destruct B as [NB [LB LB'] HB OB [MB MB'] RB B1 B2 FB].
  assert (PL : 0 < Q2R (lo y)) by lra.
  assert (Z : forall k, k <= 0 -> k * eta F <= 0) by (intros; rewrite <- (Rmult_0_l (eta F)); apply Rmult_le_compat_r; lra).
  pose proof (Z _ K1). pose proof (Z _ K2). pose proof (Z _ K3). pose proof (Z _ K4). clear Z.
  set (X := rounded F fx a) in *. set (Y := rounded F fx b) in *. set (q := main a / main b) in *.
  assert (Eq : main a = q * main b) by (unfold q; field; lra).
  assert (Pq : 0 <= q) by (unfold q; apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]).
  assert (Ylo : Q2R (lo y) * main b <= Y) by lra. assert (Yhi : Y <= Q2R (hi y) * main b) by lra.
  assert (Xlo : Q2R (lo x) * main a <= X) by lra. assert (Xhi : X <= Q2R (hi x) * main a) by lra.
  assert (PY : 0 < Y) by (apply Rlt_le_trans with (2 := Ylo); now apply Rmult_lt_0_compat).
  assert (Ny : ~ (lo y == 0)%Q) by (intros N; apply Qeq_eqR in N; rewrite Q2R_0 in N; lra).
  assert (Nh : ~ (hi y == 0)%Q) by (intros N; apply Qeq_eqR in N; rewrite Q2R_0 in N; lra).
  assert (T1 : X / Y <= Q2R (hi x) / Q2R (lo y) * q).
  { apply Rmult_le_reg_r with Y; auto. replace (X / Y * Y) with X by (field; lra).
    apply Rle_trans with (1 := Xhi). rewrite Eq.
    replace (Q2R (hi x) / Q2R (lo y) * q * Y) with (Q2R (hi x) * q * (Y / Q2R (lo y))) by (field; lra).
    replace (Q2R (hi x) * (q * main b)) with (Q2R (hi x) * q * main b) by ring.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. apply Rmult_le_reg_r with (Q2R (lo y)); auto.
    replace (Y / Q2R (lo y) * Q2R (lo y)) with Y by (field; lra). lra. }
  assert (T0 : Q2R (lo x) / Q2R (hi y) * q <= X / Y).
  { apply Rmult_le_reg_r with Y; auto. replace (X / Y * Y) with X by (field; lra).
    apply Rle_trans with (2 := Xlo). rewrite Eq.
    replace (Q2R (lo x) / Q2R (hi y) * q * Y) with (Q2R (lo x) * q * (Y / Q2R (hi y))) by (field; lra).
    replace (Q2R (lo x) * (q * main b)) with (Q2R (lo x) * q * main b) by ring.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. apply Rmult_le_reg_r with (Q2R (hi y)); [lra|].
    replace (Y / Q2R (hi y) * Q2R (hi y)) with Y by (field; lra). lra. }
  assert (PQ : 0 <= X / Y) by (apply Rmult_le_pos; [auto | left; now apply Rinv_0_lt_compat]).
  pose proof (round_errs F P (X / Y)) as E. rewrite (Rabs_pos_eq _ PQ) in E. apply Rabs_le_inv in E.
  pose proof (up_is_above ((1 + uQ F) * (hi x / lo y))) as V1. unfold Qdiv in V1 at 1.
  rewrite !Q2R_mult, Q2R_inv, Q2R_plus, Q2R_1, uQ_is_u in V1 by auto. fold (Q2R (hi x) / Q2R (lo y)) in V1.
  pose proof (down_is_below ((1 - uQ F) * (lo x / hi y))) as V0. unfold Qdiv in V0 at 2.
  rewrite !Q2R_mult, Q2R_inv, Q2R_minus, Q2R_1, uQ_is_u in V0 by auto. fold (Q2R (lo x) / Q2R (hi y)) in V0.
  assert (D0 : 0 <= Q2R (down ((1 - uQ F) * (lo x / hi y)))).
  { apply down_is_not_negative. unfold Qdiv. rewrite !Q2R_mult, Q2R_inv, Q2R_minus, Q2R_1, uQ_is_u by auto.
    apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat; lra]. }
  set (h := Q2R (up ((1 + uQ F) * (hi x / lo y)))) in *. set (g := Q2R (down ((1 - uQ F) * (lo x / hi y)))) in *.
  set (v := Q2R (hi x) / Q2R (lo y)) in *. set (p := Q2R (lo x) / Q2R (hi y)) in *.
  assert (Hr : 1 <= v).
  { unfold v. apply Rmult_le_reg_r with (Q2R (lo y)); auto. replace (Q2R (hi x) / Q2R (lo y) * Q2R (lo y)) with (Q2R (hi x)) by (field; lra). lra. }
  assert (Hp : 0 <= p <= 1).
  { unfold p. split; [apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat; lra]|].
    apply Rmult_le_reg_r with (Q2R (hi y)); [lra|]. replace (Q2R (lo x) / Q2R (hi y) * Q2R (hi y)) with (Q2R (lo x)) by (field; lra). lra. }
  assert (Ph : 1 <= h) by nra.
  assert (T2 : round_ F (X / Y) <= h * q + 1 * eta F).
  { apply Rle_trans with ((1 + u F) * (v * q) + eta F); [nra|].
    assert ((1 + u F) * v * q <= h * q) by (apply Rmult_le_compat_r; lra). lra. }
  assert (T3 : g * q - 1 * eta F <= round_ F (X / Y)).
  { apply Rle_trans with ((1 - u F) * (p * q) - eta F); [|nra].
    assert (g * q <= (1 - u F) * p * q) by (apply Rmult_le_compat_r; lra). lra. }
  assert (R0 : 0 <= round_ F (X / Y)) by (now apply round_keeps_sign).
  assert (G1 : g <= 1) by nra.
  cbn [hi top over] in S.
  constructor; cbn [lo hi under over top main rounded]; auto; fold X Y; fold q; rewrite ?Q2R_1; try lra; auto; try (split; auto; lra).
  - apply rounded_is_number; auto.
  - cbn [nothing_overflows rounded]. split; [|split; auto]. fold X Y.
    apply (fitting_fits (bounded_by 0 (up ((1 + uQ F) * (hi x / lo y))) 0 1 cap) _ q); cbn [hi over top]; auto;
      rewrite ?Q2R_1; auto; lra.
Qed.

Lemma root_is_at_most x : is_number F x -> 0 <= x -> round_ F (sqrt x) <= (1 + u F) * sqrt x.
Proof.
  intros Hx [Px | <-].
  2:{ rewrite sqrt_0. unfold round_. rewrite round_0; [lra|]. apply valid_rnd_N. }
  assert (Hs : bpow radix2 (emin F + prec F - 1) <= Rabs (sqrt x)).
  { rewrite Rabs_pos_eq by apply sqrt_pos.
    rewrite <- (sqrt_square (bpow radix2 (emin F + prec F - 1))) by apply bpow_ge_0.
    apply sqrt_le_1_alt. rewrite <- bpow_plus.
    apply Rle_trans with (bpow radix2 (emin F)).
    - apply bpow_le. lia.
    - apply generic_format_ge_bpow with (FLT_exp (emin F) (prec F)); auto.
      intros e. unfold FLT_exp. lia. }
  pose proof (relative_error_N_FLT radix2 (emin F) (prec F) P (fun x => negb (Z.even x)) (sqrt x) Hs) as E.
  fold ZnearestE in E. rewrite half_ulp in E. fold (round_ F (sqrt x)) in E.
  rewrite (Rabs_pos_eq (sqrt x)) in E by apply sqrt_pos. apply Rabs_le_inv in E. lra.
Qed.

Lemma root_is_between a x s : is_between a x -> root_between x = Some s -> is_between (Sqrt a) s.
Proof.
  intros A S. unfold root_between in S. apply fitting in S. destruct S as [-> S].
  destruct A as [NA [LA LA'] HA OA [MA MA'] RA A1 A2 FA].
  destruct (root_is_above F P roots (rounded F fx a) (main a) (lo x, under x)) as [S1 S2]; cbn [fst snd]; auto.
  pose proof (root_is_at_most _ NA RA) as E.
  set (m := (if Qle_bool (over x) 0 then 0 else root_of_etas F (over x))%Q) in *.
  assert (M : sqrt (rounded F fx a) <= (1 + Q2R (hi x)) / 2 * sqrt (main a) + Q2R m * eta F).
  { assert (H1 : sqrt (Q2R (hi x)) <= (1 + Q2R (hi x)) / 2).
    { rewrite <- (sqrt_square ((1 + Q2R (hi x)) / 2)) by lra. apply sqrt_le_1_alt. nra. }
    assert (H2 : sqrt (Q2R (over x) * eta F) <= Q2R m * eta F).
    { unfold m. destruct (Qle_bool (over x) 0) eqn:B.
      - apply bool_le in B. rewrite Q2R_0 in *. assert (Z : Q2R (over x) = 0) by lra. rewrite Z, !Rmult_0_l, sqrt_0. lra.
      - now apply root_of_etas_holds. }
    apply Rle_trans with (sqrt (Q2R (hi x) * main a + Q2R (over x) * eta F)); [now apply sqrt_le_1_alt|].
    assert (P1 : 0 <= Q2R (hi x) * main a) by (apply Rmult_le_pos; lra).
    assert (P2 : 0 <= Q2R (over x) * eta F) by (apply Rmult_le_pos; lra).
    apply Rle_trans with (sqrt (Q2R (hi x) * main a) + sqrt (Q2R (over x) * eta F)).
    - pose proof (sqrt_pos (Q2R (hi x) * main a)) as S3. pose proof (sqrt_pos (Q2R (over x) * eta F)) as S4.
      rewrite <- (sqrt_square (sqrt (Q2R (hi x) * main a) + sqrt (Q2R (over x) * eta F))) by lra.
      apply sqrt_le_1_alt. pose proof (sqrt_sqrt _ P1). pose proof (sqrt_sqrt _ P2).
      pose proof (Rmult_le_pos _ _ S3 S4). lra.
    - rewrite sqrt_mult by lra. pose proof (sqrt_pos (main a)).
      assert (sqrt (Q2R (hi x)) * sqrt (main a) <= (1 + Q2R (hi x)) / 2 * sqrt (main a)) by (apply Rmult_le_compat_r; auto). lra. }
  assert (Pm : 0 <= Q2R m).
  { unfold m. destruct (Qle_bool (over x) 0); [rewrite Q2R_0; lra|].
    unfold root_of_etas. rewrite Q2R_Z. apply IZR_le, Z.sqrt_up_nonneg. }
  pose proof (up_is_above ((1 + uQ F) * ((1 + hi x) / 2))) as V1. unfold Qdiv in V1 at 1.
  rewrite !Q2R_mult, !Q2R_plus, Q2R_1, uQ_is_u in V1. replace (Q2R (/ 2)) with (/ 2) in V1 by (unfold Q2R; simpl; lra).
  pose proof (up_is_above ((1 + uQ F) * m)) as V2. rewrite Q2R_mult, Q2R_plus, Q2R_1, uQ_is_u in V2.
  set (h := Q2R (up ((1 + uQ F) * ((1 + hi x) / 2)))) in *. set (o := Q2R (up ((1 + uQ F) * m))) in *.
  pose proof (sqrt_pos (main a)) as Ps.
  assert (Ph : 1 <= h) by nra. assert (Po : 0 <= o) by nra.
  assert (T2 : round_ F (sqrt (rounded F fx a)) <= h * sqrt (main a) + o * eta F).
  { apply Rle_trans with (1 := E).
    apply Rle_trans with ((1 + u F) * ((1 + Q2R (hi x)) / 2 * sqrt (main a) + Q2R m * eta F)); [apply Rmult_le_compat_l; lra|].
    assert ((1 + u F) * ((1 + Q2R (hi x)) * / 2) * sqrt (main a) <= h * sqrt (main a)) by (apply Rmult_le_compat_r; lra).
    assert ((1 + u F) * Q2R m * eta F <= o * eta F) by (apply Rmult_le_compat_r; lra). lra. }
  assert (R0 : 0 <= round_ F (sqrt (rounded F fx a))) by (apply round_keeps_sign; auto using sqrt_pos).
  assert (M3 : sqrt (main a) <= Q2R (inject_Z (Z.sqrt_up (Qceiling (top x))))).
  { rewrite Q2R_Z. apply root_up_is_above; [lra|]. apply Rle_trans with (1 := MA').
    rewrite <- Q2R_Z. apply Qle_Rle, Qle_ceiling. }
  cbn [hi top over] in S.
  constructor; cbn [lo hi under over top main rounded]; auto.
  - apply rounded_is_number; auto.
  - cbn [nothing_overflows rounded]. split; auto.
    apply (fitting_fits (bounded_by 0 (up ((1 + uQ F) * ((1 + hi x) / 2))) 0 (up ((1 + uQ F) * m))
             (inject_Z (Z.sqrt_up (Qceiling (top x))))) _ (sqrt (main a))); cbn [hi over top]; auto.
Qed.

Lemma constant_is_between m k b e : is_constant F m k = true -> (0 <= m)%Z ->
  rounded F fx e = F2R (Float radix2 m k) -> main e = F2R (Float radix2 m k) ->
  (Rabs (rounded F fx e) < bpow radix2 (emax F) -> nothing_overflows F fx e) ->
  if_it_fits (bounded_by 1 1 0 0 (number m k)) = Some b -> is_between e b.
Proof.
  intros C S Er Em N H. apply fitting in H. destruct H as [-> H]. cbn [hi top over] in H.
  assert (0 <= F2R (Float radix2 m k)) by now apply F2R_ge_0.
  rewrite Q2R_1, number_is_F2R in H. destruct (above_0_is 0%Q) as [A _].
  constructor; cbn [lo hi under over top]; rewrite ?Er, ?Em, ?Q2R_1, ?Q2R_0, ?number_is_F2R; try lra.
  - now apply constant_is_number.
  - apply N. rewrite Er, Rabs_pos_eq; lra.
Qed.

Lemma an_input_holds i b : input_between i = Some b ->
  holds_of (Rabs (fx i)) (Rabs (ex i)) b /\ Rabs (Rabs (fx i)) < bpow radix2 (emax F).
Proof.
  unfold input_between. intros H. destruct (Qle_bool (r i) 1) eqn:R1; [|discriminate]. apply bool_le in R1. rewrite Q2R_1 in R1.
  apply fitting in H. destruct H as [-> H]. cbn [hi top over] in H.
  destruct (as_given i) as (N & R0 & M0 & G & S & S' & _).
  pose proof (Rabs_triang_inv2 (fx i) (ex i)) as T. pose proof (Rle_trans _ _ _ T G) as G'. apply Rabs_le_inv in G'.
  destruct (above_0_is (off i)) as [_ Z]. rewrite Q2R_plus, Q2R_1 in H.
  pose proof (Rabs_pos (fx i)). pose proof (Rabs_pos (ex i)).
  split.
  - unfold holds_of; cbn [lo hi under over top]. rewrite Q2R_plus, Q2R_minus, Q2R_1. repeat split; lra.
  - rewrite Rabs_Rabsolu. apply Rle_lt_trans with (2 := H).
    assert (0 <= Q2R (r i) * Q2R (size_in l i)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma exact_is i : is_exact i = true -> fx i = ex i.
Proof.
  unfold is_exact. rewrite andb_true_iff. intros [Hr Hm]. apply Qeq_bool_eq, Qeq_eqR in Hr, Hm. rewrite Q2R_0 in *.
  destruct (as_given i) as (_ & _ & _ & G & _). rewrite Hr, Hm in G.
  assert (E : Rabs (fx i - ex i) <= 0) by lra. pose proof (Rabs_pos (fx i - ex i)).
  assert (fx i - ex i = 0) by (destruct (Req_dec (fx i - ex i) 0) as [|N]; auto; apply Rabs_no_R0 in N; lra). lra.
Qed.

Lemma round_abs x : Rabs (round_ F x) = round_ F (Rabs x).
Proof.
  unfold round_. rewrite <- round_NE_abs; auto. apply FLT_exp_valid. exact P.
Qed.

Theorem a_magnitude_holds : forall e b, magnitude_between e = Some b ->
  is_number F (rounded F fx e) /\ holds_of (Rabs (rounded F fx e)) (magnitude e) b /\
  Rabs (Rabs (rounded F fx e)) < bpow radix2 (emax F) /\ nothing_overflows F fx e.
Proof.
  fix IH 1. intros e. destruct e as [i|k n|k n q|a|a|a c|a c|a c|a c|a]; intros b H; try discriminate.
  - cbn [magnitude_between] in H. destruct (an_input_holds i b H) as [H1 H2]. cbn [rounded magnitude].
    destruct (as_given i) as (N & _). split; [exact N|]. repeat split; auto; try apply H1.
    cbn [nothing_overflows rounded]. rewrite Rabs_Rabsolu in H2. auto.
  - destruct (IH a b H) as (H1 & H2 & H3 & H4). cbn [rounded magnitude]. rewrite Rabs_Ropp.
    split; [now apply number_opp|]. split; [exact H2|]. split; [exact H3|]. cbn [nothing_overflows rounded]. split; auto.
    rewrite Rabs_Ropp. now apply top_does_not_overflow.
  - destruct (IH a b H) as (H1 & H2 & H3 & H4). cbn [rounded magnitude]. rewrite Rabs_Rabsolu.
    split; [now apply generic_format_abs|]. split; [exact H2|]. split; [exact H3|]. cbn [nothing_overflows rounded]. split; auto.
  - destruct a as [i| | | | | | | | |]; try discriminate. destruct c as [j| | | | | | | | |]; try discriminate.
    cbn [magnitude_between] in H.
    destruct (is_exact i && is_exact j && _ && _) eqn:X; [|discriminate].
    rewrite !andb_true_iff in X. destruct X as [[[X1 X2] X3] X4]. apply fitting in H. destruct H as [-> H].
    cbn [hi top over] in H. destruct (above_0_is 0%Q) as [Z _].
    destruct (as_given i) as (Ni & _ & _ & _ & Si & _). destruct (as_given j) as (Nj & _ & _ & _ & Sj & _).
    pose proof (sum_errs F P _ _ Ni (number_opp F _ Nj)) as E. fold (fx i - fx j) in E.
    pose proof (Rabs_triang_inv2 (round_ F (fx i - fx j)) (fx i - fx j)) as T. pose proof (Rle_trans _ _ _ T E) as G.
    apply Rabs_le_inv in G. pose proof (Rabs_triang (fx i) (- fx j)) as K. rewrite Rabs_Ropp in K. fold (fx i - fx j) in K.
    pose proof (Rabs_pos (fx i - fx j)) as PD. pose proof (Rabs_pos (round_ F (fx i - fx j))).
    rewrite !Q2R_plus, Q2R_1, uQ_is_u in H.
    assert (V : Rabs (round_ F (fx i - fx j)) < bpow radix2 (emax F)).
    { apply Rle_lt_trans with (2 := H). assert (u F * Rabs (fx i - fx j) <= u F * (Q2R (size_in l i) + Q2R (size_in l j))) by (apply Rmult_le_compat_l; lra). lra. }
    assert (B : forall k x, Rabs x <= Q2R (size_in l k) -> Qle_bool (size_in l k) (limit F) = true -> Rabs x < bpow radix2 (emax F)).
    { intros k x A B. apply bool_le in B. unfold limit in B. rewrite two_to_is_bpow in B.
      apply Rle_lt_trans with (bpow radix2 (emax F - 1)); [lra | apply bpow_lt; lia]. }
    cbn [rounded magnitude]. rewrite <- (exact_is i X1), <- (exact_is j X2).
    split; [apply rounded_is_number; auto|]. split.
    + unfold holds_of; cbn [lo hi under over top]. rewrite Q2R_minus, !Q2R_plus, Q2R_1, uQ_is_u, Q2R_0. repeat split; lra.
    + rewrite Rabs_Rabsolu. split; auto. cbn [nothing_overflows rounded]. repeat split; eauto.
  - cbn [magnitude_between] in H. pose proof (IH a) as A. pose proof (IH c) as C.
    destruct (magnitude_between a) as [x|]; [|discriminate]. destruct (magnitude_between c) as [y|]; [|discriminate].
    cbn [both] in H. destruct (A x eq_refl) as (A1 & A2 & A3 & A4). destruct (C y eq_refl) as (C1 & C2 & C3 & C4).
    destruct (a_product_holds _ _ _ _ x y b A2 C2 H) as [H1 H2].
    rewrite <- Rabs_mult, <- round_abs in H1, H2. cbn [rounded magnitude].
    split; [apply rounded_is_number; auto|]. split; [exact H1|]. split; [exact H2|].
    cbn [nothing_overflows rounded]. rewrite Rabs_Rabsolu in H2. auto.
Qed.

Theorem between_holds : forall e b, between e = Some b -> quotients_are_capped e -> is_between e b.
Proof.
  fix IH 1. intros e. destruct e as [i|m k|m k q|a|a|a c|a c|a c|a c|a]; intros b H Q; try discriminate.
  - cbn [between] in H. destruct (positive_in l i) eqn:Po; [|discriminate].
    destruct (an_input_holds i b H) as [(H1 & H2 & H3 & H4 & H5 & H6 & H7) O].
    pose proof (proj2 given i Po) as X. destruct (as_given i) as (N & _ & _ & _ & _ & _ & PF). specialize (PF Po).
    rewrite (Rabs_pos_eq (ex i) X), ?(Rabs_pos_eq (fx i) PF) in *. rewrite ?(Rabs_pos_eq (fx i) PF) in *.
    constructor; cbn [main rounded]; auto. cbn [nothing_overflows rounded]. split; auto. rewrite (Rabs_pos_eq (fx i) PF) in *. lra.
  - cbn [between] in H. destruct ((m <? 0)%Z || negb (is_constant F m k)) eqn:B; [discriminate|].
    apply orb_false_iff in B. destruct B as [B1 B2]. apply Z.ltb_ge in B1. apply negb_false_iff in B2.
    assert (V : 0 <= F2R (Float radix2 m k)) by now apply F2R_ge_0.
    destruct (is_tiny F m k) eqn:T.
    + apply fitting in H. destruct H as [-> H]. cbn [hi top over] in H.
      pose proof (etas_of F (number m k)) as E. rewrite number_is_F2R in E.
      assert (0 <= Q2R (in_etas F (number m k))) by (apply Rmult_le_reg_r with (eta F); lra).
      destruct (above_0_is (in_etas F (number m k))) as [_ Z]. rewrite Q2R_0 in H.
      assert (Q2R (in_etas F (number m k)) * eta F <= Q2R (in_etas F (number m k)) * 1) by (apply Rmult_le_compat_l; lra).
      constructor; cbn [lo hi under over top main rounded]; rewrite ?T, ?Q2R_opp, ?Q2R_1, ?Q2R_0; auto; try lra.
      * now apply constant_is_number.
      * cbn [nothing_overflows rounded]. split; auto. rewrite Rabs_pos_eq; lra.
    + apply (constant_is_between m k b); auto; cbn [main rounded nothing_overflows]; rewrite ?T; auto.
  - cbn [between] in H. destruct ((m <? 0)%Z || negb (is_constant F m k)) eqn:B; [discriminate|].
    apply orb_false_iff in B. destruct B as [B1 B2]. apply Z.ltb_ge in B1. apply negb_false_iff in B2.
    apply (constant_is_between m k b); auto; cbn [nothing_overflows]; auto.
  - cbn [between] in H. destruct (a_magnitude_holds a b H) as (N & (H1 & H2 & H3 & H4 & H5 & H6 & H7) & O & W).
    constructor; cbn [main rounded]; auto.
    + now apply generic_format_abs.
    + cbn [nothing_overflows rounded]. split; auto.
  - cbn [between] in H. destruct Q as [Q1 Q2]. pose proof (IH a) as A. pose proof (IH c) as C.
    destruct (between a) as [x|]; [|discriminate]. destruct (between c) as [y|]; [|discriminate]. cbn [both] in H.
    specialize (A x eq_refl Q1). specialize (C y eq_refl Q2).
    apply (sum_is_between a c x y b A C H _ (rounded F fx a + rounded F fx c)); auto.
    intros. cbn [nothing_overflows]. destruct A, C. auto.
  - destruct c as [| | |c| | | | | |]; try discriminate.
    cbn [between] in H. destruct Q as [Q1 Q2]. pose proof (IH a) as A. pose proof (IH c) as C.
    destruct (between a) as [x|]; [|discriminate]. destruct (between c) as [y|]; [|discriminate]. cbn [both] in H.
    specialize (A x eq_refl Q1). specialize (C y eq_refl Q2).
    apply (sum_is_between a c x y b A C H _ (rounded F fx a - - rounded F fx c)); auto; [ring|].
    intros. cbn [nothing_overflows rounded]. destruct A, C. repeat split; auto.
    rewrite Rabs_Ropp. now apply top_does_not_overflow.
  - cbn [between] in H. destruct Q as [Q1 Q2]. pose proof (IH a) as A. pose proof (IH c) as C.
    destruct (between a) as [x|]; destruct (between c) as [y|].
    + destruct (same a (Cst 1 0)) eqn:S.
      * apply same_is_equal in S. subst a. injection H as <-. now apply one_times_is_between, C.
      * cbn [both] in H. exact (product_is_between a c x y b (A x eq_refl Q1) (C y eq_refl Q2) H).
    + destruct (same a (Cst 1 0)) eqn:S; [discriminate | discriminate H].
    + destruct (same a (Cst 1 0)) eqn:S; [|discriminate H].
      apply same_is_equal in S. subst a. injection H as <-. now apply one_times_is_between, C.
    + destruct (same a (Cst 1 0)) eqn:S; [discriminate | discriminate H].
  - cbn [between] in H. destruct Q as (Q1 & Q2 & Q3 & Q4). pose proof (IH a) as A. pose proof (IH c) as C.
    destruct (between a) as [x|]; [|discriminate]. destruct (between c) as [y|]; [|discriminate]. cbn [both] in H.
    exact (quotient_is_between a c x y b (A x eq_refl Q1) (C y eq_refl Q2) H Q3 Q4).
  - cbn [between] in H. pose proof (IH a) as A. destruct (between a) as [x|]; [|discriminate].
    exact (root_is_between a x b (A x eq_refl Q) H).
Qed.

(* Where the value is at least `least`, what underflows is small beside it. *)
Definition checks_below_from (least : Q) (e : expr) (down : Q) : bool :=
  match between e with
  | Some b => Qle_bool 0 (1 - hi b * down) && Qle_bool (over b * two_to (emin F - 1)) ((1 - hi b * down) * least)
  | None => false
  end.
Definition checks_above_from (least : Q) (e : expr) (up : Q) : bool :=
  match between e with
  | Some b => Qle_bool 0 (lo b * up - 1) && Qle_bool (under b * two_to (emin F - 1)) ((lo b * up - 1) * least)
  | None => false
  end.

Theorem a_value_is_below least e down x : checks_below_from least e down = true -> quotients_are_capped e ->
  main e = x * Q2R down -> Q2R least <= x -> rounded F fx e <= x /\ nothing_overflows F fx e.
Proof.
  unfold checks_below_from. destruct (between e) as [b|] eqn:B; [|discriminate]. intros C Q M X.
  rewrite !andb_true_iff in C. destruct C as [C0 C1].
  destruct (between_holds e b B Q) as [NA LA HA OA MA RA A1 A2 FA]. split; [|exact FA].
  apply bool_le in C0, C1. rewrite Q2R_0, Q2R_minus, Q2R_mult, Q2R_1 in C0.
  rewrite !Q2R_mult, Q2R_minus, Q2R_mult, Q2R_1, two_to_is_bpow in C1. fold (eta F) in C1. rewrite M in A2.
  assert ((1 - Q2R (hi b) * Q2R down) * Q2R least <= (1 - Q2R (hi b) * Q2R down) * x) by now apply Rmult_le_compat_l. lra.
Qed.
Theorem a_value_is_above least e up x : checks_above_from least e up = true -> quotients_are_capped e ->
  main e = x * Q2R up -> Q2R least <= x -> x <= rounded F fx e /\ nothing_overflows F fx e.
Proof.
  unfold checks_above_from. destruct (between e) as [b|] eqn:B; [|discriminate]. intros C Q M X.
  rewrite !andb_true_iff in C. destruct C as [C0 C1].
  destruct (between_holds e b B Q) as [NA LA HA OA MA RA A1 A2 FA]. split; [|exact FA].
  apply bool_le in C0, C1. rewrite Q2R_0, Q2R_minus, Q2R_mult, Q2R_1 in C0.
  rewrite !Q2R_mult, Q2R_minus, Q2R_mult, Q2R_1, two_to_is_bpow in C1. fold (eta F) in C1. rewrite M in A1.
  assert ((Q2R (lo b) * Q2R up - 1) * Q2R least <= (Q2R (lo b) * Q2R up - 1) * x) by now apply Rmult_le_compat_l. lra.
Qed.

(* The error of a value is at most what a slack says, where the slack is at least `share` of the value's terms. *)
Definition covers (e slack : expr) (share : Q) : bool :=
  match error F r off (size_in l) e, between slack with
  | Some (a, k), Some b => constants_are_numbers F e && Qle_bool a (lo b * share) && Qle_bool (k + under b) 0
  | _, _ => false
  end.

Theorem an_error_is_covered e slack share : covers e slack share = true -> quotients_are_capped slack ->
  terms r off ex e * Q2R share <= main slack ->
  Rabs (rounded F fx e - exact ex e) <= rounded F fx slack.
Proof.
  unfold covers. destruct (error F r off (size_in l) e) as [[a k]|] eqn:E; [|discriminate].
  destruct (between slack) as [b|] eqn:B; [|discriminate]. intros C Q M.
  rewrite !andb_true_iff in C. destruct C as [[C0 C1] C2]. apply bool_le in C1, C2. rewrite Q2R_mult in C1.
  rewrite Q2R_plus, Q2R_0 in C2.
  destruct (between_holds slack b B Q) as [NA LA HA OA MA RA A1 A2 FA].
  destruct (error_holds F P _ _ _ _ fx ex as_given small e (a, k) C0 E) as (Pr & Pm & X). cbn [fst snd] in *.
  pose proof (terms_are_positive r off ex e) as T.
  assert (Q2R a * terms r off ex e <= Q2R (lo b) * Q2R share * terms r off ex e) by now apply Rmult_le_compat_r.
  assert (Q2R (lo b) * (terms r off ex e * Q2R share) <= Q2R (lo b) * main slack) by (apply Rmult_le_compat_l; lra).
  assert ((Q2R k + Q2R (under b)) * eta F <= 0) by (rewrite <- (Rmult_0_l (eta F)); apply Rmult_le_compat_r; lra).
  lra.
Qed.

(* A tiny constant is taken from such a number, or added: never above, or below, what was meant. *)
Definition checks_below (e : expr) (m k : Z) (down : Q) : bool :=
  match between e with
  | Some b => (0 <=? m)%Z && is_constant F m k && Qle_bool (hi b * (1 + uQ F) * down) 1 &&
              Qle_bool (over b) (in_etas F (number m k))
  | None => false
  end.
Definition checks_above (least : Q) (e : expr) (m k : Z) (up : Q) : bool :=
  match between e with
  | Some b => (0 <=? m)%Z && is_constant F m k && Qle_bool 1 (lo b * (1 - uQ F) * up) &&
              Qle_bool ((1 - uQ F) * (under b - in_etas F (number m k))) ((lo b * (1 - uQ F) * up - 1) * least)
  | None => false
  end.
(* With this many eta more. *)
Definition checks_above_by (spare : Q) (e : expr) (m k : Z) (up : Q) : bool :=
  match between e with
  | Some b => (0 <=? m)%Z && is_constant F m k && Qle_bool 1 (lo b * (1 - uQ F) * up) &&
              Qle_bool spare ((1 - uQ F) * (in_etas F (number m k) - under b))
  | None => false
  end.

Theorem a_bound_is_below e m k down x : checks_below e m k down = true -> quotients_are_capped e ->
  main e = x * Q2R down -> 0 <= x ->
  rounded F fx (Sub e (Cst m k)) <= x /\ nothing_overflows F fx e.
Proof.
  unfold checks_below. destruct (between e) as [b|] eqn:B; [|discriminate]. intros C Q M Px.
  rewrite !andb_true_iff in C. destruct C as [[[C0 C1] C2] C3]. apply Z.leb_le in C0.
  destruct (between_holds e b B Q) as [NA LA HA OA MA RA A1 A2 FA]. split; [|exact FA].
  apply bool_le in C2, C3. rewrite !Q2R_mult, Q2R_plus, Q2R_1, uQ_is_u in C2.
  pose proof (etas_of F (number m k)) as E. rewrite number_is_F2R in E.
  assert (V : 0 <= F2R (Float radix2 m k)) by now apply F2R_ge_0.
  pose proof (constant_is_number F m k C1) as NC.
  pose proof (sum_errs F P _ _ NA (number_opp F _ NC)) as S. fold (rounded F fx e - F2R (Float radix2 m k)) in S.
  cbn [rounded]. set (c := F2R (Float radix2 m k)) in *. set (X := rounded F fx e) in *.
  change (X + - c) with (X - c) in S.
  assert (W : X - c <= Q2R (hi b) * main e).
  { assert (Q2R (over b) * eta F <= c) by (rewrite <- E; apply Rmult_le_compat_r; lra). lra. }
  assert (Z : (1 + u F) * (Q2R (hi b) * main e) <= x).
  { rewrite M. replace ((1 + u F) * (Q2R (hi b) * (x * Q2R down))) with (Q2R (hi b) * (1 + u F) * Q2R down * x) by ring.
    rewrite <- (Rmult_1_l x) at 2. now apply Rmult_le_compat_r. }
  destruct (Rle_or_lt 0 (X - c)) as [L|L].
  - rewrite (Rabs_pos_eq _ L) in S. apply Rabs_le_inv in S.
    assert ((1 + u F) * (X - c) <= (1 + u F) * (Q2R (hi b) * main e)) by (apply Rmult_le_compat_l; lra). lra.
  - apply Rle_trans with 0; auto. unfold round_.
    assert (Prec_gt_0 (prec F)) by exact P.
    rewrite <- (round_0 radix2 (FLT_exp (emin F) (prec F)) ZnearestE). apply round_le; auto with typeclass_instances. lra.
Qed.

Lemma a_tiny_is_added e m k b : is_between e b -> (0 <= m)%Z -> is_constant F m k = true ->
  let c := F2R (Float radix2 m k) in
  0 <= c /\ is_number F c /\ c = Q2R (in_etas F (number m k)) * eta F /\
  (1 - u F) * (Q2R (lo b) * main e + (Q2R (in_etas F (number m k)) - Q2R (under b)) * eta F) <= rounded F fx (Add e (Cst m k)) /\
  c <= rounded F fx (Add e (Cst m k)).
Proof.
  intros [NA LA HA OA MA RA A1 A2 FA] C0 C1 c.
  pose proof (etas_of F (number m k)) as E. rewrite number_is_F2R in E. fold c in E.
  assert (V : 0 <= c) by now apply F2R_ge_0.
  pose proof (constant_is_number F m k C1) as NC. fold c in NC.
  pose proof (sum_errs F P _ _ NA NC) as S.
  cbn [rounded]. fold c. set (X := rounded F fx e) in *.
  rewrite (Rabs_pos_eq (X + c)) in S by lra. apply Rabs_le_inv in S.
  assert (W : (1 - u F) * (Q2R (lo b) * main e + (Q2R (in_etas F (number m k)) - Q2R (under b)) * eta F) <= (1 - u F) * (X + c)).
  { apply Rmult_le_compat_l; [lra|]. rewrite <- E. lra. }
  repeat split; auto; try lra.
  apply Rle_trans with (round_ F c).
  - unfold round_. right. symmetry. apply round_generic; auto. apply valid_rnd_N.
  - unfold round_. assert (Prec_gt_0 (prec F)) by exact P. apply round_le; auto with typeclass_instances. lra.
Qed.

Theorem a_bound_is_above least e m k up x : checks_above least e m k up = true -> quotients_are_capped e ->
  main e = x * Q2R up -> 0 <= x -> Q2R least * eta F <= x ->
  x <= rounded F fx (Add e (Cst m k)) /\ nothing_overflows F fx e.
Proof.
  unfold checks_above. destruct (between e) as [b|] eqn:B; [|discriminate]. intros C Q M Px Least.
  rewrite !andb_true_iff in C. destruct C as [[[C0 C1] C2] C3]. apply Z.leb_le in C0.
  pose proof (between_holds e b B Q) as H. split; [|apply H].
  destruct (a_tiny_is_added e m k b H C0 C1) as (V & NC & E & T & L).
  apply bool_le in C2, C3. rewrite Q2R_1, !Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u in C2.
  rewrite !Q2R_mult, !Q2R_minus, !Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u in C3.
  set (c := F2R (Float radix2 m k)) in *. set (n := Q2R (in_etas F (number m k))) in *.
  rewrite M in T. set (f := Q2R (lo b) * (1 - u F) * Q2R up) in *.
  assert (G : (f - 1) * (Q2R least * eta F) <= (f - 1) * x) by (apply Rmult_le_compat_l; lra).
  assert (D : (1 - u F) * (Q2R (under b) - n) * eta F <= (f - 1) * Q2R least * eta F) by (apply Rmult_le_compat_r; lra).
  replace ((1 - u F) * (Q2R (lo b) * (x * Q2R up) + (n - Q2R (under b)) * eta F)) with
    (f * x - (1 - u F) * (Q2R (under b) - n) * eta F) in T by (unfold f; ring). lra.
Qed.

Theorem a_bound_is_above_by spare e m k up x : checks_above_by spare e m k up = true -> quotients_are_capped e ->
  main e = x * Q2R up -> 0 <= x ->
  x + Q2R spare * eta F <= rounded F fx (Add e (Cst m k)) /\ nothing_overflows F fx e.
Proof.
  unfold checks_above_by. destruct (between e) as [b|] eqn:B; [|discriminate]. intros C Q M Px.
  rewrite !andb_true_iff in C. destruct C as [[[C0 C1] C2] C3]. apply Z.leb_le in C0.
  pose proof (between_holds e b B Q) as H. split; [|apply H].
  destruct (a_tiny_is_added e m k b H C0 C1) as (V & NC & E & T & L).
  apply bool_le in C2, C3. rewrite Q2R_1, !Q2R_mult, Q2R_minus, Q2R_1, uQ_is_u in C2.
  rewrite !Q2R_mult, !Q2R_minus, Q2R_1, uQ_is_u in C3.
  set (n := Q2R (in_etas F (number m k))) in *. rewrite M in T. set (f := Q2R (lo b) * (1 - u F) * Q2R up) in *.
  assert (D : Q2R spare * eta F <= (1 - u F) * (n - Q2R (under b)) * eta F) by (apply Rmult_le_compat_r; lra).
  assert (G : 1 * x <= f * x) by (apply Rmult_le_compat_r; lra).
  replace ((1 - u F) * (Q2R (lo b) * (x * Q2R up) + (n - Q2R (under b)) * eta F)) with
    (f * x + (1 - u F) * (n - Q2R (under b)) * eta F) in T by (unfold f; ring). lra.
Qed.
End Positive.
