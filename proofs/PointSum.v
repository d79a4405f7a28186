(* The place of a point at a part of the time, as a sum, a tail and a slack (docs/numerics.md, 3): GZ_POINT_SLACK,
   GZ_POINT_TINY, GZ_EXACT_PRODUCT. What fma makes of a product is its exact value less another, rounded once. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core Mult_error Pff2Flocq.
Require Import Rounding Given TracesLooks.
Open Scope R_scope.
Import TracedPoint.
Notation D := binary64.
Notation fl := (round_ D).
Notation u := (u D).
Notation h := (eta D).

(* Four additions of partial sums below 3 u of the larger end, and what underflows. *)
Definition point_share (slack : Q) : bool := Qle_bool ((21 # 2) * (uQ D * uQ D)) ((1 - uQ D) * (1 - uQ D) * slack).
Definition point_lost (tiny : Q) : bool := Qle_bool (inject_Z 20 * etaQ D) ((1 - uQ D) * tiny).
(* A product that is not below this is not below 2^-969 before it is rounded. *)
Definition point_least (least : Q) : bool := Qle_bool ((1 + two_to (-40)) * two_to (-969)) least.

Lemma u_is_tiny : 0 < u <= / 1000000 /\ 0 < h <= / 1000000.
Proof.
  split; (split; [apply bpow_gt_0|]); rewrite <- ?uQ_is_u, <- ?etaQ_is_eta; replace (/ 1000000) with (Q2R (1 # 1000000)) by (unfold Q2R; simpl; lra);
    apply Qle_Rle; vm_compute; discriminate.
Qed.

Lemma fl_number v : is_number D (fl v). Proof. now apply rounded_is_number. Qed.

(* The sum of two numbers and what its rounding left over are the exact sum. *)
Definition left_over (x y : R) : R := fl (fl (x - fl (fl (x + y) - fl (fl (x + y) - x))) + fl (y - fl (fl (x + y) - x))).
Lemma nothing_is_left x y : is_number D x -> is_number D y -> fl (x + y) + left_over x y = x + y.
Proof.
  intros X Y. assert (Prec_gt_0 53) by reflexivity.
  apply (TwoSum_correct (-1074) 53 (fun z => negb (Z.even z)) ltac:(lia) ltac:(lia)); auto.
  intros z. rewrite Z.even_opp, Z.even_add. now destruct (Z.even z).
Qed.
Lemma what_is_left x y : is_number D x -> is_number D y -> Rabs (left_over x y) <= u * Rabs (x + y).
Proof.
  intros X Y. pose proof (nothing_is_left x y X Y) as E. pose proof (sum_errs D eq_refl x y X Y) as S.
  replace (left_over x y) with (- (fl (x + y) - (x + y))) by lra. now rewrite Rabs_Ropp.
Qed.

(* What fma leaves of a product. *)
Lemma a_rest_is_near x y : is_number D x -> is_number D y ->
  Rabs (fl (x * y - fl (x * y)) - (x * y - fl (x * y))) <= 3 * h /\
  (x * y = 0 \/ bpow radix2 (-969) <= Rabs (x * y) -> fl (x * y - fl (x * y)) = x * y - fl (x * y)).
Proof.
  intros X Y. assert (Prec_gt_0 53) by reflexivity. destruct u_is_tiny as [U H0].
  assert (E : x * y = 0 \/ bpow radix2 (-969) <= Rabs (x * y) -> fl (x * y - fl (x * y)) = x * y - fl (x * y)).
  { intros L. apply round_generic; [apply valid_rnd_N|].
    replace (x * y - fl (x * y)) with (- (fl (x * y) - x * y)) by ring. apply generic_format_opp.
    apply mult_error_FLT; auto; [apply valid_rnd_N|]. intros N. destruct L as [L|L]; [contradiction | exact L]. }
  split; auto. destruct (Rle_or_lt (bpow radix2 (-969)) (Rabs (x * y))) as [L|L].
  - rewrite (E (or_intror L)). replace (_ - _) with 0 by ring. rewrite Rabs_R0. lra.
  - set (v := x * y) in *. pose proof (round_errs D eq_refl v) as E1. pose proof (round_errs D eq_refl (v - fl v)) as E2.
    assert (E3 : Rabs (v - fl v) <= u * bpow radix2 (-969) + h).
    { rewrite Rabs_minus_sym. eapply Rle_trans; [exact E1|]. apply Rplus_le_compat_r, Rmult_le_compat_l; lra. }
    assert (K : u * (u * bpow radix2 (-969)) = h) by (unfold Rounding.u, eta; rewrite <- !bpow_plus; reflexivity).
    assert (u * Rabs (v - fl v) <= u * (u * bpow radix2 (-969) + h)) by (apply Rmult_le_compat_l; lra).
    assert (u * h <= 1 * h) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Lemma a_rest_is_small x y : is_number D x -> is_number D y -> Rabs (fl (x * y - fl (x * y))) <= (1 + / 1000) * (u * Rabs (x * y)) + 3 * h.
Proof.
  intros X Y. destruct u_is_tiny as [U H0]. set (v := x * y) in *. pose proof (round_errs D eq_refl v) as E1. pose proof (round_errs D eq_refl (v - fl v)) as E2.
  rewrite Rabs_minus_sym in E1. set (w := v - fl v) in *. assert (K : u * Rabs w <= / 1000000 * Rabs w) by (apply Rmult_le_compat_r; [apply Rabs_pos | lra]).
  replace (fl w) with ((fl w - w) + w) by ring. eapply Rle_trans; [apply Rabs_triang|].
  assert (0 <= u * Rabs v) by (apply Rmult_le_pos; [lra | apply Rabs_pos]). lra.
Qed.

(* A sum of numbers of known size. *)
Lemma a_sum_is_near x y a b : is_number D x -> is_number D y -> Rabs x <= a -> Rabs y <= b ->
  Rabs (fl (x + y) - (x + y)) <= u * (a + b) /\ Rabs (fl (x + y)) <= (1 + / 1000000) * (a + b).
Proof.
  intros X Y A B. destruct u_is_tiny as [U H0]. pose proof (sum_errs D eq_refl x y X Y) as E. pose proof (Rabs_triang x y) as T.
  assert (K : u * Rabs (x + y) <= u * (a + b)) by (apply Rmult_le_compat_l; lra). split; [lra|].
  replace (fl (x + y)) with ((fl (x + y) - (x + y)) + (x + y)) by ring. eapply Rle_trans; [apply Rabs_triang|].
  pose proof (Rabs_pos x). pose proof (Rabs_pos y). assert (u * (a + b) <= / 1000000 * (a + b)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Section Point.
Variable x : nat -> R.
Hypothesis given : inputs D variables x x.
Definition x0 := x 0%nat.
Definition x1 := x 1%nat.
Definition t := x 2%nat.
Hypothesis time : t <= 1.
Notation hi := (rounded D x rest).
Notation lo := (rounded D x rest_of_rest).
Notation pv := (rounded D x p).
Notation qv := (rounded D x q).
Notation rv := (rounded D x r).
Hypothesis fused : x 3%nat = fl (hi * x0 - pv) /\ x 4%nat = fl (t * x1 - qv) /\ x 5%nat = fl (lo * x0 - rv).
Definition place : R := (1 - t) * x0 + t * x1.
Definition most : R := Rmax (Rabs x0) (Rabs x1).
Definition L := rounded D x sum_of_rests.
Definition rests : R := L + x 3%nat + x 4%nat + rv + x 5%nat.

Lemma numbers i : is_number D (x i). Proof. apply (given i). Qed.

Lemma the_rest : hi + lo = 1 - t /\ 0 <= hi <= 1 /\ Rabs lo <= u.
Proof.
  assert (N1 : is_number D 1).
  { replace 1 with (F2R (Float radix2 1 0)) by (unfold F2R; simpl; ring). apply constant_is_number. vm_compute. reflexivity. }
  assert (Nt : is_number D (- t)) by (apply number_opp, numbers). pose proof (a_positive_variable D variables x x given 2 eq_refl) as T. fold t in T.
  assert (C : F2R (Float radix2 1 0) = 1) by (unfold F2R; simpl; ring).
  change (rounded D x rest_of_rest) with (left_over (F2R (Float radix2 1 0)) (- t)).
  change (rounded D x rest) with (fl (F2R (Float radix2 1 0) + - t)). rewrite C. split; [|split].
  - rewrite (nothing_is_left 1 (- t) N1 Nt). ring.
  - assert (Prec_gt_0 (prec D)) by reflexivity. split.
    + apply round_keeps_sign; [reflexivity | lra].
    + replace 1 with (fl 1) at 2 by (apply round_generic; [apply valid_rnd_N | exact N1]). unfold round_. apply round_le; auto with typeclass_instances. lra.
  - eapply Rle_trans; [apply what_is_left; auto|]. rewrite <- (Rmult_1_r u) at 2. apply Rmult_le_compat_l; [apply Rlt_le, u_positive|].
    apply Rabs_le. lra.
Qed.

(* The place is the sum and the five rests, but for what underflows. *)
Lemma the_rests_are_near : Rabs (rounded D x sum + rests - place) <= 9 * h /\
  ((forall v, v = hi * x0 \/ v = t * x1 \/ v = lo * x0 -> v = 0 \/ bpow radix2 (-969) <= Rabs v) -> rounded D x sum + rests = place).
Proof.
  destruct the_rest as (E & H & Lo). destruct fused as (F3 & F4 & F5).
  assert (Nh : is_number D hi) by now apply rounded_is_number. assert (Nl : is_number D lo) by now apply rounded_is_number.
  pose proof (nothing_is_left pv qv ltac:(now apply rounded_is_number) ltac:(now apply rounded_is_number)) as S.
  change (left_over pv qv) with L in S. change (fl (pv + qv)) with (rounded D x sum) in S.
  destruct (a_rest_is_near hi x0 Nh (numbers 0)) as [A1 B1]. destruct (a_rest_is_near t x1 (numbers 2) (numbers 1)) as [A2 B2].
  destruct (a_rest_is_near lo x0 Nl (numbers 0)) as [A3 B3].
  change (fl (hi * x0)) with pv in *. change (fl (t * x1)) with qv in *. change (fl (lo * x0)) with rv in *.
  rewrite <- F3 in A1, B1. rewrite <- F4 in A2, B2. rewrite <- F5 in A3, B3.
  assert (G : rounded D x sum + rests - place = (x 3%nat - (hi * x0 - pv)) + (x 4%nat - (t * x1 - qv)) + (x 5%nat - (lo * x0 - rv))).
  { unfold rests, place. replace (rounded D x sum) with (pv + qv - L) by lra. replace (1 - t) with (hi + lo) by auto. ring. }
  split.
  - rewrite G. eapply Rle_trans; [apply Rabs_triang|]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang|]. lra.
  - intros K. rewrite (B1 (K _ (or_introl eq_refl))) in G. rewrite (B2 (K _ (or_intror (or_introl eq_refl)))) in G.
    rewrite (B3 (K _ (or_intror (or_intror eq_refl)))) in G. lra.
Qed.

Lemma most_is : 0 <= most /\ Rabs x0 <= most /\ Rabs x1 <= most.
Proof. unfold most. pose proof (Rmax_l (Rabs x0) (Rabs x1)). pose proof (Rmax_r (Rabs x0) (Rabs x1)). pose proof (Rabs_pos x0). lra. Qed.

(* The four additions of the tail. *)
Lemma the_tail_is_near : Rabs (rounded D x tail - rests) <= (21 / 2) * (u * u) * most + h.
Proof.
  destruct the_rest as (E & H & Lo). destruct fused as (F3 & F4 & F5). destruct most_is as (P0 & M0 & M1). destruct u_is_tiny as [U H0].
  assert (Nh : is_number D hi) by now apply rounded_is_number. assert (Nl : is_number D lo) by now apply rounded_is_number.
  pose proof (a_positive_variable D variables x x given 2 eq_refl) as T. fold t in T.
  assert (Np : is_number D pv) by now apply rounded_is_number. assert (Nq : is_number D qv) by now apply rounded_is_number.
  pose proof (what_is_left pv qv Np Nq) as S. change (left_over pv qv) with L in S.
  set (a := u * most) in *. assert (Pa : 0 <= a) by (apply Rmult_le_pos; lra).
  assert (Hx : Rabs (hi * x0) <= hi * most) by (rewrite Rabs_mult, (Rabs_pos_eq hi) by lra; apply Rmult_le_compat_l; lra).
  assert (Tx : Rabs (t * x1) <= t * most) by (rewrite Rabs_mult, (Rabs_pos_eq t) by lra; apply Rmult_le_compat_l; lra).
  assert (Lx : Rabs (lo * x0) <= a) by (rewrite Rabs_mult; unfold a; apply Rmult_le_compat; auto using Rabs_pos).
  assert (HT : hi * most + t * most <= most + a).
  { apply Rabs_le_inv in Lo. unfold a. rewrite <- Rmult_plus_distr_r. replace (most + u * most) with ((1 + u) * most) by ring. apply Rmult_le_compat_r; lra. }
  pose proof (round_errs D eq_refl (hi * x0)) as Ep. pose proof (round_errs D eq_refl (t * x1)) as Eq. pose proof (round_errs D eq_refl (lo * x0)) as Er.
  change (fl (hi * x0)) with pv in Ep. change (fl (t * x1)) with qv in Eq. change (fl (lo * x0)) with rv in Er.
  assert (Kp : u * Rabs (hi * x0) <= u * (hi * most)) by (apply Rmult_le_compat_l; lra).
  assert (Kq : u * Rabs (t * x1) <= u * (t * most)) by (apply Rmult_le_compat_l; lra).
  assert (Kr : u * Rabs (lo * x0) <= / 1000000 * a) by (apply Rmult_le_compat; try lra; apply Rabs_pos).
  assert (Pm1 : 0 <= hi * most) by (apply Rmult_le_pos; lra). assert (Pm2 : 0 <= t * most) by (apply Rmult_le_pos; lra).
  assert (Ka : u * (hi * most) + u * (t * most) <= (1 + / 1000000) * a).
  { rewrite <- Rmult_plus_distr_l. apply Rle_trans with (u * (most + a)); [apply Rmult_le_compat_l; lra|].
    assert (u * a <= / 1000000 * a) by (apply Rmult_le_compat_r; lra). unfold a in *. lra. }
  assert (Bl : Rabs L <= (1 + / 1000) * a + h).
  { eapply Rle_trans; [exact S|].
    assert (B1 : Rabs (pv + qv) <= most + 3 * a + 2 * h).
    { replace (pv + qv) with ((pv - hi * x0) + (qv - t * x1) + (hi * x0 + t * x1)) by ring.
      eapply Rle_trans; [apply Rabs_triang|]. eapply Rle_trans; [apply Rplus_le_compat; apply Rabs_triang|]. lra. }
    apply Rle_trans with (u * (most + 3 * a + 2 * h)); [apply Rmult_le_compat_l; lra|].
    assert (u * a <= / 1000000 * a) by (apply Rmult_le_compat_r; lra). assert (u * h <= / 1000000 * h) by (apply Rmult_le_compat_r; lra).
    unfold a in *. lra. }
  pose proof (a_rest_is_small hi x0 Nh (numbers 0)) as R3. pose proof (a_rest_is_small t x1 (numbers 2) (numbers 1)) as R4.
  pose proof (a_rest_is_small lo x0 Nl (numbers 0)) as R5.
  change (fl (hi * x0)) with pv in R3. change (fl (t * x1)) with qv in R4. change (fl (lo * x0)) with rv in R5.
  rewrite <- F3 in R3. rewrite <- F4 in R4. rewrite <- F5 in R5.
  assert (B34 : Rabs (x 3%nat) + Rabs (x 4%nat) <= (1 + / 500) * a + 6 * h) by lra.
  assert (Br : Rabs rv <= (1 + / 1000) * a + h).
  { replace rv with ((rv - lo * x0) + lo * x0) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra. }
  assert (B5 : Rabs (x 5%nat) <= / 1000 * a + 3 * h) by lra.
  assert (NL : is_number D L) by now apply rounded_is_number. assert (Nr : is_number D rv) by now apply rounded_is_number.
  destruct (a_sum_is_near L (x 3%nat) _ _ NL (numbers 3) Bl (Rle_refl _)) as [D1 C1]. set (s1 := fl (L + x 3%nat)) in *.
  destruct (a_sum_is_near s1 (x 4%nat) _ _ (fl_number _) (numbers 4) C1 (Rle_refl _)) as [D2 C2]. set (s2 := fl (s1 + x 4%nat)) in *.
  destruct (a_sum_is_near s2 rv _ _ (fl_number _) Nr C2 Br) as [D3 C3]. set (s3 := fl (s2 + rv)) in *.
  destruct (a_sum_is_near s3 (x 5%nat) _ _ (fl_number _) (numbers 5) C3 B5) as [D4 C4]. set (s4 := fl (s3 + x 5%nat)) in *.
  change (rounded D x tail) with s4.
  replace (s4 - rests) with ((s4 - (s3 + x 5%nat)) + (s3 - (s2 + rv)) + (s2 - (s1 + x 4%nat)) + (s1 - (L + x 3%nat))) by (unfold rests; ring).
  eapply Rle_trans; [apply Rabs_triang|]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang|].
  eapply Rle_trans; [apply Rplus_le_compat_r, Rplus_le_compat_r, Rabs_triang|].
  pose proof (Rabs_pos (x 4%nat)) as P4. set (b3 := Rabs (x 3%nat)) in *. set (b4 := Rabs (x 4%nat)) in *.
  assert (Z1 : (1 + / 1000) * a + h + b3 <= (2 + / 200) * a + 7 * h) by lra.
  assert (Z2 : (1 + / 1000000) * ((1 + / 1000) * a + h + b3) + b4 <= (2 + / 100) * a + 8 * h) by lra.
  assert (Q1 : u * ((1 + / 1000) * a + h + b3) <= u * ((2 + / 200) * a + 7 * h)) by (apply Rmult_le_compat_l; lra).
  assert (Q2 : u * ((1 + / 1000000) * ((1 + / 1000) * a + h + b3) + b4) <= u * ((2 + / 100) * a + 8 * h)) by (apply Rmult_le_compat_l; lra).
  assert (Q3 : u * ((1 + / 1000000) * ((1 + / 1000000) * ((1 + / 1000) * a + h + b3) + b4) + ((1 + / 1000) * a + h)) <= u * ((3 + / 50) * a + 10 * h))
    by (apply Rmult_le_compat_l; lra).
  assert (Q4 : u * ((1 + / 1000000) * ((1 + / 1000000) * ((1 + / 1000000) * ((1 + / 1000) * a + h + b3) + b4) + ((1 + / 1000) * a + h)) + (/ 1000 * a + 3 * h)) <=
    u * ((3 + / 20) * a + 14 * h)) by (apply Rmult_le_compat_l; lra).
  assert (Uh : u * h <= / 1000000 * h) by (apply Rmult_le_compat_r; lra).
  assert (Ua : 0 <= u * a) by (apply Rmult_le_pos; lra).
  replace (21 / 2 * (u * u) * most) with (21 / 2 * (u * a)) by (unfold a; ring). lra.
Qed.

(* The slack of the larger end. *)
Definition slack_of (least : R) : R := fl (fl (Q2R (value_of POINT_SLACK) * least) + Q2R (value_of POINT_TINY)).
Lemma the_slack_in_the_code : rounded D x slack = slack_of (Rabs x0) /\ rounded D x TracedPointEnd.slack = slack_of (Rabs x1).
Proof. unfold slack_of, value_of, POINT_SLACK, POINT_TINY. rewrite !number_is_F2R. split; reflexivity. Qed.

Theorem places_at_a_time_are_within :
  Rabs (rounded D x sum + rounded D x tail - place) <= slack_of most.
Proof.
  assert (C1 : point_share (value_of POINT_SLACK) = true) by (vm_compute; reflexivity).
  assert (C2 : point_lost (value_of POINT_TINY) = true) by (vm_compute; reflexivity).
  apply Qle_bool_iff, Qle_Rle in C1, C2. rewrite !Q2R_mult, !Q2R_minus, Q2R_1, uQ_is_u in C1.
  rewrite !Q2R_mult, Q2R_minus, Q2R_Z, Q2R_1, uQ_is_u, etaQ_is_eta in C2. replace (Q2R (21 # 2)) with (21 / 2) in C1 by (unfold Q2R; simpl; lra).
  destruct the_rests_are_near as [A _]. pose proof the_tail_is_near as B. destruct most_is as (P0 & _ & _). destruct u_is_tiny as [U H0].
  set (c := Q2R (value_of POINT_SLACK)) in *. set (m := Q2R (value_of POINT_TINY)) in *.
  assert (Pm : 0 <= m) by (apply Rmult_le_reg_l with (1 - u); lra).
  assert (Pc : 0 <= c).
  { assert (0 <= u * u) by (apply Rmult_le_pos; lra). apply Rmult_le_reg_l with ((1 - u) * (1 - u)); [apply Rmult_lt_0_compat; lra | lra]. }
  assert (Pcm : 0 <= c * most) by now apply Rmult_le_pos.
  pose proof (round_errs D eq_refl (c * most)) as E1. rewrite (Rabs_pos_eq (c * most)) in E1 by auto. apply Rabs_le_inv in E1.
  assert (Nm : is_number D m).
  { unfold m, value_of, POINT_TINY. rewrite number_is_F2R. apply constant_is_number. vm_compute. reflexivity. }
  pose proof (sum_errs D eq_refl (fl (c * most)) m (fl_number _) Nm) as E2.
  assert (P1 : 0 <= fl (c * most)) by now apply round_keeps_sign.
  rewrite (Rabs_pos_eq (fl (c * most) + m)) in E2 by lra. apply Rabs_le_inv in E2.
  replace (rounded D x sum + rounded D x tail - place) with ((rounded D x sum + rests - place) + (rounded D x tail - rests)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. unfold slack_of. fold c m.
  assert (K1 : 21 / 2 * (u * u) * most <= (1 - u) * (1 - u) * c * most) by now apply Rmult_le_compat_r.
  assert (K2 : (1 - u) * ((1 - u) * (c * most) - h) <= (1 - u) * fl (c * most)) by (apply Rmult_le_compat_l; lra).
  assert (K3 : 0 <= u * h) by (apply Rmult_le_pos; lra). lra.
Qed.

Theorem no_place_overflows : nothing_overflows D x sum /\ nothing_overflows D x tail /\ nothing_overflows D x slack.
Proof.
  refine (conj _ (conj _ _)); eapply (nothing_is_too_large D variables x x binary64_is_ieee given); vm_compute; reflexivity.
Qed.

(* Where every product is 0, or not below the least, and no addition of the tail left anything over: without a slack. *)
Theorem exact_places_are_exact :
  (x0 = 0 \/ Q2R (value_of EXACT_PRODUCT) <= Rabs pv) -> (x1 = 0 \/ Q2R (value_of EXACT_PRODUCT) <= Rabs qv) ->
  (x0 = 0 \/ lo = 0 \/ Q2R (value_of EXACT_PRODUCT) <= Rabs rv) ->
  rounded D x tail = rests -> rounded D x sum + rounded D x tail = place.
Proof.
  intros K1 K2 K3 E. rewrite E. apply the_rests_are_near.
  assert (C : point_least (value_of EXACT_PRODUCT) = true) by (vm_compute; reflexivity).
  apply Qle_bool_iff, Qle_Rle in C. rewrite Q2R_mult, Q2R_plus, Q2R_1, !two_to_is_bpow in C. destruct u_is_tiny as [U H0].
  assert (B : forall v, (1 + bpow radix2 (-40)) * bpow radix2 (-969) <= Rabs (fl v) -> bpow radix2 (-969) <= Rabs v).
  { intros v H. pose proof (round_errs D eq_refl v) as R1. pose proof (Rabs_triang_inv (fl v) v) as R2.
    assert (R3 : Rabs (fl v) <= (1 + u) * Rabs v + h) by lra.
    apply Rnot_lt_le. intros N. assert (R4 : (1 + u) * Rabs v <= (1 + u) * bpow radix2 (-969)) by (apply Rmult_le_compat_l; lra).
    assert (R5 : u * bpow radix2 (-969) + h < bpow radix2 (-40) * bpow radix2 (-969)).
    { assert (R6 : u * bpow radix2 (-969) <= bpow radix2 (-42) * bpow radix2 (-969)).
      { apply Rmult_le_compat_r; [apply bpow_ge_0|]. unfold Rounding.u. apply bpow_le. vm_compute. discriminate. }
      assert (R7 : h <= bpow radix2 (-42) * bpow radix2 (-969)) by (unfold eta; rewrite <- bpow_plus; apply bpow_le; vm_compute; discriminate).
      assert (R8 : bpow radix2 (-40) = 4 * bpow radix2 (-42)) by (replace 4 with (bpow radix2 2) by (simpl; lra); now rewrite <- bpow_plus).
      pose proof (bpow_gt_0 radix2 (-969)). pose proof (bpow_gt_0 radix2 (-42)).
      assert (0 < bpow radix2 (-42) * bpow radix2 (-969)) by now apply Rmult_lt_0_compat. rewrite R8. lra. }
    lra. }
  intros v [V|[V|V]]; subst v.
  - destruct K1 as [Z|Z]; [left; rewrite Z; ring|]. right. apply B. change (fl (hi * x0)) with pv. lra.
  - destruct K2 as [Z|Z]; [left; rewrite Z; ring|]. right. apply B. change (fl (t * x1)) with qv. lra.
  - destruct K3 as [Z|[Z|Z]]; [left; rewrite Z; ring | left; rewrite Z; ring|]. right. apply B. change (fl (lo * x0)) with rv. lra.
Qed.
End Point.
