(* Edges beside each other, by their boxes alone (docs/numerics.md, 4.15): GZ_BESIDE_WIDTH, GZ_BESIDE_SLACK. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core Relative.
Require Import Rounding Given Size Positive Cover Beyond FarPlaces TracesLooks.
Open Scope R_scope.
Notation fl := (round_ F).
Notation u := (Rounding.u F).
Notation h := (Rounding.eta F).
Notation D := binary64.

(* ---- in exact numbers: an edge beside the diagonal of its box ---- *)

(* One axis. The ends are in boxes from p to p' and from q to q', no wider than w; what stands for these sides, P to P' and
   Q to Q', is off by e; the first end is the lower one, but for what a comparison may be off by. *)
Lemma ends_are_near x y p p' q q' P P' Q Q' w e k :
  p <= x <= p' -> q <= y <= q' -> p' - p <= w -> q' - q <= w -> 0 <= e -> 0 <= k ->
  Rabs (P - p) <= e -> Rabs (P' - p') <= e -> Rabs (Q - q) <= e -> Rabs (Q' - q') <= e ->
  P + P' <= Q + Q' + 2 * k -> 0 <= w ->
  Rabs (x - Rmin P Q) <= w + 3 * e + k /\ Rabs (y - Rmax P' Q') <= w + 3 * e + k.
Proof.
  intros X Y Wp Wq E K A B C D L W. apply Rabs_le_inv in A, B, C, D.
  split; apply Rabs_le; unfold Rmin, Rmax; destruct (Rle_dec _ _); lra.
Qed.

Section Beside.
Variable x : nat -> R.
Definition list_of := TracedBeside0.variables.
Hypothesis given : inputs F list_of x x.
(* The low sides of b, its negated high sides, those of a; the slack; n. *)
Definition n (c : nat) := x (13 + c)%nat.
Definition along (v : nat -> R) : R := n 0 * v 0%nat + n 1 * v 1%nat + n 2 * v 2%nat.
Definition sizes : R := Rabs (n 0) + Rabs (n 1) + Rabs (n 2).
Variable R : R.
Hypothesis largest : forall i, (i < 12)%nat -> Rabs (x i) <= R.
Hypothesis large : bpow radix2 (-100) <= R.

(* Twice the middle of a box, and the sides that go with the signs of its diagonal. *)
Definition middle (i : nat) (c : nat) : Rdefinitions.R := x (i + c)%nat - x (i + 3 + c)%nat.
Definition side (sign : nat -> bool) (i c : nat) : Rdefinitions.R :=
  if sign c then - x (i + 3 + c)%nat - x (i + c)%nat else x (i + 3 + c)%nat + x (i + c)%nat.
Definition apart (c : nat) : Rdefinitions.R := middle 0 c - middle 6 c.

(* What the look may be off by, in parts of R along n: (r of the middles) 4 + (r of both diagonals) 2, and what the
   rounding of the threshold takes, of at most 4 R. *)
Definition beside_off (r ra rb f : Q) : Q :=
  (let k := 4 * r + 2 * ra + 2 * rb in k + (1 - f) / f * (4 + k))%Q.
Definition beside_rest (between along_a along_b least : expr) : option Q :=
  match error_in F list_of between, error_in F list_of along_a, error_in F list_of along_b, lower_in F list_of least with
  | Some (r, m), Some (ra, ma), Some (rb, mb), Some (f, k) =>
    if constants_are_numbers F between && constants_are_numbers F along_a && constants_are_numbers F along_b &&
       constants_are_numbers F least && Qle_bool (1 # 2) f && Qle_bool f 1 && Qle_bool (m + 2 * ma + 2 * mb + k) 0 &&
       Qle_bool 0 ma && Qle_bool 0 mb && Qle_bool 0 r && Qle_bool 0 ra && Qle_bool 0 rb
    then Some (beside_off r ra rb f) else None
  | _, _, _, _ => None
  end.

Lemma R_positive : 0 < R. Proof. eapply Rlt_le_trans; [|exact large]. apply bpow_gt_0. Qed.

Lemma beside_in_reals between along_a along_b least rest S T :
  beside_rest between along_a along_b least = Some rest ->
  exact x between = along apart -> exact x along_a = along S -> exact x along_b = along T ->
  terms_in F list_of x between <= 4 * (R * sizes) -> terms_in F list_of x along_a <= 2 * (R * sizes) ->
  terms_in F list_of x along_b <= 2 * (R * sizes) -> Rabs (along apart) <= 4 * (R * sizes) ->
  base F x least = Rabs (rounded F x along_a) + Rabs (rounded F x along_b) + (sizes * x 12%nat + 0) ->
  0 < rounded F x (Sub between least) ->
  Rabs (along S) + Rabs (along T) + sizes * x 12%nat < along apart + Q2R rest * (R * sizes) /\
  Rabs (along S) + Rabs (along T) + sizes * x 12%nat <= (4 + Q2R rest) * (R * sizes).
Proof.
  intros C Ed Ea Eb Td Ta Tb Bd B H. unfold beside_rest in C.
  destruct (error_in F list_of between) as [[r m]|] eqn:X1; [|discriminate]. destruct (error_in F list_of along_a) as [[ra ma]|] eqn:X2; [|discriminate].
  destruct (error_in F list_of along_b) as [[rb mb]|] eqn:X3; [|discriminate]. destruct (lower_in F list_of least) as [[f k]|] eqn:X4; [|discriminate].
  match type of C with (if ?b then _ else _) = _ => destruct b eqn:K; [|discriminate] end.
  assert (Er : rest = beside_off r ra rb f) by congruence. subst rest. clear C.
  apply andb_prop in K; destruct K as [K K11]. apply andb_prop in K; destruct K as [K K10]. apply andb_prop in K; destruct K as [K K9].
  apply andb_prop in K; destruct K as [K K8]. apply andb_prop in K; destruct K as [K K7]. apply andb_prop in K; destruct K as [K K6].
  apply andb_prop in K; destruct K as [K K5]. apply andb_prop in K; destruct K as [K K4]. apply andb_prop in K; destruct K as [K K3].
  apply andb_prop in K; destruct K as [K K2]. apply andb_prop in K; destruct K as [K0 K1].
  cbn [rounded] in H. apply (a_positive_rounding_is_positive F binary32_is_ieee) in H.
  pose proof (error_is_at_most F list_of x x binary32_is_ieee given between r m K0 X1) as E1.
  pose proof (error_is_at_most F list_of x x binary32_is_ieee given along_a ra ma K1 X2) as E2.
  pose proof (error_is_at_most F list_of x x binary32_is_ieee given along_b rb mb K2 X3) as E3.
  destruct (value_is_at_least F list_of x x binary32_is_ieee given least f k K3 X4) as [_ E4].
  apply Qle_bool_iff, Qle_Rle in K4, K5, K6, K7, K8, K9, K10, K11.
  rewrite Q2R_0 in K7, K8, K9, K10, K11. rewrite Q2R_1 in K5. rewrite !Q2R_plus, !Q2R_mult, Q2R_0 in K6.
  replace (Q2R 2) with 2 in K6 by (unfold Q2R; simpl; lra). replace (Q2R (1 # 2)) with (/ 2) in K4 by (unfold Q2R; simpl; lra).
  rewrite Ed in E1. rewrite Ea in E2. rewrite Eb in E3. rewrite B in E4.
  pose proof (Rabs_triang_inv (along S) (rounded F x along_a)) as V2. rewrite Rabs_minus_sym in V2.
  pose proof (Rabs_triang_inv (along T) (rounded F x along_b)) as V3. rewrite Rabs_minus_sym in V3. apply Rabs_le_inv in E1.
  assert (Ps : 0 <= sizes) by (unfold sizes; pose proof (Rabs_pos (n 0)); pose proof (Rabs_pos (n 1)); pose proof (Rabs_pos (n 2)); lra).
  pose proof R_positive as PR. assert (Pz : 0 <= R * sizes) by (apply Rmult_le_pos; lra). set (z := R * sizes) in *.
  set (G := Rabs (along S) + Rabs (along T) + sizes * x 12%nat). set (d := along apart) in *. pose proof (eta_positive F) as Ph.
  set (q := 4 * Q2R r + 2 * Q2R ra + 2 * Q2R rb).
  assert (T1 : Q2R r * terms_in F list_of x between <= Q2R r * (4 * z)) by (apply Rmult_le_compat_l; lra).
  assert (T2 : Q2R ra * terms_in F list_of x along_a <= Q2R ra * (2 * z)) by (apply Rmult_le_compat_l; lra).
  assert (T3 : Q2R rb * terms_in F list_of x along_b <= Q2R rb * (2 * z)) by (apply Rmult_le_compat_l; lra).
  set (o := Q2R ra * (2 * z) + Q2R rb * (2 * z) + (Q2R ma + Q2R mb) * h).
  assert (L : Q2R f * (G - o) <= rounded F x least + Q2R k * h).
  { apply Rle_trans with (Q2R f * (Rabs (rounded F x along_a) + Rabs (rounded F x along_b) + (sizes * x 12%nat + 0))); [|lra].
    apply Rmult_le_compat_l; [lra|]. unfold G, o. lra. }
  assert (M : Q2R f * o <= 1 * o).
  { apply Rmult_le_compat_r; auto. unfold o. pose proof (Rmult_le_pos _ _ K10 Pz). pose proof (Rmult_le_pos _ _ K11 Pz).
    assert (0 <= (Q2R ma + Q2R mb) * h) by (apply Rmult_le_pos; lra). lra. }
  assert (N : (Q2R m + 2 * Q2R ma + 2 * Q2R mb + Q2R k) * h <= 0 * h) by (apply Rmult_le_compat_r; lra).
  assert (N2 : 0 <= Q2R ma * h) by (apply Rmult_le_pos; lra). assert (N3 : 0 <= Q2R mb * h) by (apply Rmult_le_pos; lra).
  assert (Y : Q2R f * G < d + q * z) by (unfold q, o in *; lra).
  assert (Pq : 0 <= q) by (unfold q; lra). apply Rabs_le_inv in Bd.
  assert (E : Q2R (beside_off r ra rb f) = q + (1 - Q2R f) / Q2R f * (4 + q)).
  { unfold beside_off, Qdiv. cbv zeta. rewrite !Q2R_plus, !Q2R_mult, !Q2R_plus, !Q2R_mult, Q2R_minus, Q2R_1, Q2R_inv.
    - replace (Q2R 4) with 4 by (unfold Q2R; simpl; lra). replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). unfold q. field. lra.
    - intros Z. apply Qeq_eqR in Z. rewrite Q2R_0 in Z. lra. }
  assert (W : Q2R f * (d + Q2R (beside_off r ra rb f) * z) >= d + q * z).
  { rewrite E. replace (Q2R f * (d + (q + (1 - Q2R f) / Q2R f * (4 + q)) * z)) with
      (d + q * z + (1 - Q2R f) * ((4 * z - d) + 0)).
    - assert (0 <= (1 - Q2R f) * (4 * z - d + 0)) by (apply Rmult_le_pos; lra). lra.
    - field. lra. }
  assert (Z1 : G < d + Q2R (beside_off r ra rb f) * z) by (apply Rmult_lt_reg_l with (Q2R f); lra).
  split; [exact Z1|]. unfold G in *. lra.
Qed.
(* ---- the sizes of what is summed ---- *)

Definition beside_atom (i : nat) : Rdefinitions.R := if Nat.eqb i 100 then R else Rabs (x i).
Definition beside_rep (i : nat) : poly := if Nat.ltb i 12 then one 100 else one i.
Definition beside_pair (i j : nat) : option poly :=
  if (Nat.ltb i 12 && Nat.ltb j 12)%bool then Some ((2%Q, 100%nat :: nil) :: nil) else None.
Definition beside_most (c : Q) : poly := scale c (times (one 100) (plus (one 13) (plus (one 14) (one 15)))).
Definition beside_upper (c : Q) (e : expr) : bool :=
  match upper (r_in F list_of) (m_in list_of) beside_rep beside_pair no_mean e with Some p => at_most_that p (beside_most c) | None => false end.

Lemma beside_sizes : sizes_hold x beside_atom beside_rep beside_pair no_mean no_mean.
Proof.
  pose proof R_positive as PR. constructor; try discriminate.
  - intros i. unfold beside_atom. destruct (Nat.eqb i 100); [lra | apply Rabs_pos].
  - intros i. unfold beside_rep. destruct (Nat.ltb i 12) eqn:E; rewrite value_of_one; unfold beside_atom.
    + cbn [Nat.eqb]. apply Nat.ltb_lt in E. now apply largest.
    + destruct (Nat.eqb i 100) eqn:E2; [|apply Rle_refl]. apply Nat.eqb_eq in E2. subst i.
      destruct (given 100%nat) as (_ & _ & _ & _ & B & _). change (size_in list_of 100) with 0%Q in B. rewrite Q2R_0 in B. lra.
  - intros i j p H. unfold beside_pair in H. destruct (Nat.ltb i 12 && Nat.ltb j 12)%bool eqn:E; [|discriminate].
    assert (Ep : p = (2%Q, 100%nat :: nil) :: nil) by congruence. subst p.
    apply andb_prop in E. rewrite !Nat.ltb_lt in E. destruct E as [I J].
    cbn [value]. unfold mono. cbn [product]. change (beside_atom 100) with R.
    replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra).
    pose proof (largest i I) as A. pose proof (largest j J) as B. apply Rabs_le_inv in A, B. apply Rabs_le. lra.
Qed.

Lemma beside_terms c e : beside_upper c e = true -> terms_in F list_of x e <= Q2R c * (R * sizes).
Proof.
  unfold beside_upper. destruct (upper _ _ _ _ _ e) as [p|] eqn:U; [|discriminate]. intros H.
  apply (upper_holds x _ _ _ _ _ _ _ beside_sizes) in U.
  apply (at_most_that_holds _ (positive_sizes _ _ _ _ _ _ beside_sizes)) in H.
  unfold terms_in. eapply Rle_trans; [exact U|]. eapply Rle_trans; [exact H|].
  unfold beside_most. rewrite value_of_scale, value_of_times, !value_of_plus, !value_of_one. unfold beside_atom. cbn [Nat.eqb].
  unfold sizes, n. cbn [Nat.add]. right. ring.
Qed.

(* ---- an edge and its box ---- *)

Definition share_off : Rdefinitions.R := Q2R place_share * R + 2 * h.

Record is_edge (i : nat) (sign : nat -> bool) (w : Rdefinitions.R) (X Y : nat -> Rdefinitions.R) : Type := an_edge {
  low_p : nat -> Rdefinitions.R; high_p : nat -> Rdefinitions.R; low_q : nat -> Rdefinitions.R; high_q : nat -> Rdefinitions.R;
  fp : nat -> Rdefinitions.R; fp' : nat -> Rdefinitions.R; fq : nat -> Rdefinitions.R; fq' : nat -> Rdefinitions.R;
  less : nat -> bool;
  held : forall c, (c < 3)%nat -> low_p c <= X c <= high_p c /\ low_q c <= Y c <= high_q c;
  widths : forall c, (c < 3)%nat -> high_p c - low_p c <= w /\ high_q c - low_q c <= w;
  sides_near : forall c, (c < 3)%nat -> Rabs (fp c - low_p c) <= share_off /\ Rabs (fp' c - high_p c) <= share_off /\
    Rabs (fq c - low_q c) <= share_off /\ Rabs (fq' c - high_q c) <= share_off;
  side_numbers : forall c, (c < 3)%nat -> (is_number F (fp c) /\ is_number F (fp' c) /\ is_number F (fq c) /\ is_number F (fq' c)) /\
    (Rabs (fp c) <= R /\ Rabs (fp' c) <= R /\ Rabs (fq c) <= R /\ Rabs (fq' c) <= R);
  boxes : forall c, (c < 3)%nat -> x (i + c)%nat = Rmin (fp c) (fq c) /\ - x (i + 3 + c)%nat = Rmax (fp' c) (fq' c);
  (* the comparison of the leaf, of negated high sides *)
  compared : forall c, (c < 3)%nat -> (less c = true -> fl (fp c - fq c) < fl (- fp' c - - fq' c)) /\
    (less c = false -> fl (- fp' c - - fq' c) <= fl (fp c - fq c));
  signs : forall c, (c < 3)%nat -> sign c = Bool.eqb (less c) (less 0%nat) }.

Definition beyond_diagonal (w : Rdefinitions.R) : Rdefinitions.R := 2 * (w + 3 * share_off + 2 * u * R).

Lemma edges_are_near_diagonals i sign w X Y t : is_edge i sign w X Y -> 0 <= w -> 0 <= t <= 1 ->
  exists s d, -1 <= s <= 1 /\ forall c, (c < 3)%nat ->
    2 * ((1 - t) * X c + t * Y c) = middle i c + s * side sign i c + d c /\ Rabs (d c) <= beyond_diagonal w.
Proof.
  intros [p p' q q' P P' Q Q' less held widths near numbers boxes compared signs] W T.
  pose proof R_positive as PR. pose proof (u_positive F) as Pu. pose proof (eta_positive F) as Ph.
  assert (Pe : 0 <= share_off).
  { unfold share_off. assert (0 <= Q2R place_share) by (rewrite <- Q2R_0; apply Qle_Rle; vm_compute; discriminate).
    assert (0 <= Q2R place_share * R) by (apply Rmult_le_pos; lra). lra. }
  assert (PuR : 0 <= u * R) by (apply Rmult_le_pos; lra).
  set (b := w + 3 * share_off + 2 * u * R).
  assert (Df : forall v y, is_number F v -> is_number F y -> Rabs v <= R -> Rabs y <= R -> Rabs (fl (v - y) - (v - y)) <= 2 * (u * R)).
  { intros v y Nv Ny V Z. pose proof (sum_errs F eq_refl v (- y) Nv (number_opp F _ Ny)) as S. change (v + - y) with (v - y) in S.
    eapply Rle_trans; [exact S|]. replace (2 * (u * R)) with (u * (2 * R)) by ring. apply Rmult_le_compat_l; [lra|].
    apply Rabs_le_inv in V, Z. apply Rabs_le. lra. }
  (* the lower end, by the comparison, is near the low side *)
  assert (K : forall c, (c < 3)%nat ->
    (less c = true -> Rabs (X c - x (i + c)%nat) <= b /\ Rabs (Y c - - x (i + 3 + c)%nat) <= b) /\
    (less c = false -> Rabs (Y c - x (i + c)%nat) <= b /\ Rabs (X c - - x (i + 3 + c)%nat) <= b)).
  { intros c C. destruct (held c C) as [H1 H2]. destruct (widths c C) as [W1 W2]. destruct (near c C) as (N1 & N2 & N3 & N4).
    destruct (numbers c C) as [(F1 & F2 & F3 & F4) (B1 & B2 & B3 & B4)]. destruct (boxes c C) as [-> ->]. destruct (compared c C) as [C1 C2].
    pose proof (Df _ _ F1 F3 B1 B3) as D1.
    assert (Nb2 : Rabs (- P' c) <= R) by now rewrite Rabs_Ropp. assert (Nb4 : Rabs (- Q' c) <= R) by now rewrite Rabs_Ropp.
    pose proof (Df _ _ (number_opp F _ F2) (number_opp F _ F4) Nb2 Nb4) as D2. apply Rabs_le_inv in D1, D2.
    unfold b. replace (2 * u * R) with (2 * (u * R)) by ring. split; intros L.
    - specialize (C1 L).
      apply (ends_are_near (X c) (Y c) (p c) (p' c) (q c) (q' c) (P c) (P' c) (Q c) (Q' c) w share_off (2 * (u * R))); auto; lra.
    - specialize (C2 L). rewrite (Rmin_comm (P c)), (Rmax_comm (P' c)).
      apply (ends_are_near (Y c) (X c) (q c) (q' c) (p c) (p' c) (Q c) (Q' c) (P c) (P' c) w share_off (2 * (u * R))); auto; lra. }
  set (t' := if less 0%nat then t else 1 - t). assert (T' : 0 <= t' <= 1) by (unfold t'; destruct (less 0%nat); lra).
  exists (2 * t' - 1). exists (fun c => 2 * ((1 - t) * X c + t * Y c) - middle i c - (2 * t' - 1) * side sign i c). split; [lra|].
  intros c C. split; [ring|]. destruct (K c C) as [K1 K2]. clear K.
  assert (G : forall A B lo hi, Rabs (A - lo) <= b -> Rabs (B - hi) <= b ->
    Rabs (2 * ((1 - t') * A + t' * B) - (lo + hi) - (2 * t' - 1) * (hi - lo)) <= beyond_diagonal w).
  { intros A B lo hi HA HB. replace (2 * ((1 - t') * A + t' * B) - (lo + hi) - (2 * t' - 1) * (hi - lo)) with
      (2 * ((1 - t') * (A - lo) + t' * (B - hi))) by ring.
    rewrite Rabs_mult, (Rabs_pos_eq 2) by lra. unfold beyond_diagonal. fold b. apply Rmult_le_compat_l; [lra|].
    eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq t'), (Rabs_pos_eq (1 - t')) by lra.
    assert ((1 - t') * Rabs (A - lo) <= (1 - t') * b) by (apply Rmult_le_compat_l; lra).
    assert (t' * Rabs (B - hi) <= t' * b) by (apply Rmult_le_compat_l; lra). lra. }
  unfold side, middle. rewrite (signs c C). set (lo := x (i + c)%nat) in *. set (hi := x (i + 3 + c)%nat) in *.
  unfold t' in *. destruct (less c), (less 0%nat); cbn [Bool.eqb];
    [destruct (K1 eq_refl) as [Z1 Z2] | destruct (K1 eq_refl) as [Z1 Z2] | destruct (K2 eq_refl) as [Z1 Z2] | destruct (K2 eq_refl) as [Z1 Z2]].
  - pose proof (G _ _ _ _ Z1 Z2) as H.
    replace (2 * ((1 - t) * X c + t * Y c) - (lo - hi) - (2 * t - 1) * (- hi - lo)) with
      (2 * ((1 - t) * X c + t * Y c) - (lo + - hi) - (2 * t - 1) * (- hi - lo)) by ring. exact H.
  - pose proof (G _ _ _ _ Z2 Z1) as H.
    replace (2 * ((1 - t) * X c + t * Y c) - (lo - hi) - (2 * (1 - t) - 1) * (hi + lo)) with
      (2 * ((1 - (1 - t)) * Y c + (1 - t) * X c) - (- hi + lo) - (2 * (1 - t) - 1) * (lo - - hi)) by ring. exact H.
  - pose proof (G _ _ _ _ Z2 Z1) as H.
    replace (2 * ((1 - t) * X c + t * Y c) - (lo - hi) - (2 * t - 1) * (hi + lo)) with
      (2 * ((1 - t) * X c + t * Y c) - (- hi + lo) - (2 * t - 1) * (lo - - hi)) by ring. exact H.
  - pose proof (G _ _ _ _ Z1 Z2) as H.
    replace (2 * ((1 - t) * X c + t * Y c) - (lo - hi) - (2 * (1 - t) - 1) * (- hi - lo)) with
      (2 * ((1 - (1 - t)) * Y c + (1 - t) * X c) - (lo + - hi) - (2 * (1 - t) - 1) * (- hi - lo)) by ring. exact H.
Qed.

(* ---- the look ---- *)

Variables (xs xw : nat -> Rdefinitions.R).
Hypothesis given_slack : inputs F TracedBesideSlack.variables xs xs.
Hypothesis given_width : inputs D TracedBesideWidth.variables xw xw.
Hypothesis slack_made : x 12%nat = rounded F xs TracedBesideSlack.slack.
Hypothesis largest_made : xs 1%nat = R.
(* The double, of the widest box and the reach, is rounded up to float. *)
Hypothesis rounded_up : rounded D xw TracedBesideWidth.wide <= xs 0%nat.
Definition widest := xw 0%nat.
Definition reach := xw 1%nat.

Definition tolerance : Q := two_to (-39).
Definition slack_checks (rest slack width : Q) : bool :=
  Qle_bool 0 rest && Qle_bool rest (two_to (-10)) && Qle_bool 4 width && Qle_bool (two_to (-20)) slack &&
  Qle_bool (rest + inject_Z 26 * uQ F + 2 * tolerance) ((1 - uQ F) * slack).

Lemma the_slack_is rest : slack_checks rest (value_of TracedBesideSlack.SLACK) (value_of TracedBesideWidth.WIDTH) = true ->
  sizes * x 12%nat <= (4 + Q2R rest) * (R * sizes) ->
  sizes * (4 * widest + 2 * reach + (Q2R rest + 205 / 10 * u + 2 * Q2R tolerance) * R) <= sizes * x 12%nat.
Proof.
  intros C B. unfold slack_checks in C. apply andb_prop in C; destruct C as [C C5]. apply andb_prop in C; destruct C as [C C4].
  apply andb_prop in C; destruct C as [C C3]. apply andb_prop in C; destruct C as [C1 C2].
  apply Qle_bool_iff, Qle_Rle in C1, C2, C3, C4, C5. rewrite Q2R_0 in C1. rewrite two_to_is_bpow in C2, C4.
  rewrite !Q2R_plus, !Q2R_mult, Q2R_minus, Q2R_Z, Q2R_1, uQ_is_u in C5. replace (Q2R 2) with 2 in C5 by (unfold Q2R; simpl; lra).
  replace (Q2R 4) with 4 in C3 by (unfold Q2R; simpl; lra).
  set (k := Q2R rest) in *. set (c := Q2R (value_of TracedBesideSlack.SLACK)) in *. set (w4 := Q2R (value_of TracedBesideWidth.WIDTH)) in *.
  pose proof R_positive as PR. assert (U : 0 < u <= / 16000000).
  { split; [apply u_positive|]. rewrite <- uQ_is_u. replace (/ 16000000) with (Q2R (1 # 16000000)) by (unfold Q2R; simpl; lra). apply Qle_Rle. vm_compute. discriminate. }
  assert (Ps : 0 <= sizes) by (unfold sizes; pose proof (Rabs_pos (n 0)); pose proof (Rabs_pos (n 1)); pose proof (Rabs_pos (n 2)); lra).
  pose proof (a_positive_variable D TracedBesideWidth.variables xw xw given_width 0 eq_refl) as Pw. pose proof (a_positive_variable D TracedBesideWidth.variables xw xw given_width 1 eq_refl) as Pr.
  pose proof (a_positive_variable F TracedBesideSlack.variables xs xs given_slack 0 eq_refl) as Pa. fold widest in Pw. fold reach in Pr.
  set (a := xs 0%nat) in *.
  (* the part of the largest coordinate *)
  assert (V : F2R (Float radix2 1 (-17)) = c) by (symmetry; apply number_is_F2R).
  change (rounded F xs TracedBesideSlack.slack) with (fl (a + fl (xs 1%nat * F2R (Float radix2 1 (-17))))) in slack_made.
  rewrite V, largest_made in slack_made. set (b := fl (R * c)) in *.
  assert (Pc : 0 < c) by (eapply Rlt_le_trans; [|exact C4]; apply bpow_gt_0).
  assert (Lb : (1 - u) * (c * R) <= b).
  { pose proof (relative_error_N_FLT radix2 (emin F) (prec F) eq_refl (fun x => negb (Z.even x)) (R * c)) as W.
    fold ZnearestE in W. rewrite half_ulp in W. fold (fl (R * c)) in W. fold b in W.
    assert (Pp : 0 <= R * c) by (apply Rmult_le_pos; lra). rewrite (Rabs_pos_eq (R * c)) in W by auto.
    assert (G : bpow radix2 (emin F + prec F - 1) <= R * c).
    { apply Rle_trans with (bpow radix2 (-100) * bpow radix2 (-20)).
      - rewrite <- bpow_plus. apply bpow_le. vm_compute. discriminate.
      - apply Rmult_le_compat; auto; apply bpow_ge_0. }
    specialize (W G). apply Rabs_le_inv in W. lra. }
  assert (Pb : 0 <= b) by (eapply Rle_trans; [|exact Lb]; apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]).
  pose proof (sum_errs F eq_refl a b (proj1 (given_slack 0%nat)) (rounded_is_number F eq_refl _)) as S.
  rewrite <- slack_made, (Rabs_pos_eq (a + b)) in S by lra. apply Rabs_le_inv in S. set (y := x 12%nat) in *.
  (* the part of the boxes and the reach *)
  assert (V4 : F2R (Float radix2 1 2) = w4) by (symmetry; apply number_is_F2R).
  set (ud := Rounding.u D) in *. set (hd := Rounding.eta D) in *.
  assert (Ud : 0 < ud <= u * / 1000) .
  { split; [apply u_positive|]. unfold ud. rewrite <- !uQ_is_u. replace (Q2R (uQ F) * / 1000) with (Q2R (uQ F * (1 # 1000))) by (rewrite Q2R_mult; unfold Q2R at 2; simpl; lra).
    apply Qle_Rle. vm_compute. discriminate. }
  change (rounded D xw TracedBesideWidth.wide) with
    (round_ D (round_ D (F2R (Float radix2 1 2) * widest) + round_ D (F2R (Float radix2 1 1) * reach))) in rounded_up.
  assert (V2 : F2R (Float radix2 1 1) = 2) by (unfold F2R; simpl; lra). rewrite V4, V2 in rounded_up.
  pose proof (round_errs D eq_refl (w4 * widest)) as E1. pose proof (round_errs D eq_refl (2 * reach)) as E2. fold ud hd in E1, E2.
  assert (Pw4 : 4 * widest <= w4 * widest) by (apply Rmult_le_compat_r; auto).
  rewrite (Rabs_pos_eq (w4 * widest)) in E1 by lra. rewrite (Rabs_pos_eq (2 * reach)) in E2 by lra. apply Rabs_le_inv in E1, E2.
  set (e1 := round_ D (w4 * widest)) in *. set (e2 := round_ D (2 * reach)) in *.
  pose proof (sum_errs D eq_refl e1 e2 (rounded_is_number D eq_refl _) (rounded_is_number D eq_refl _)) as E3. fold ud in E3.
  assert (P1 : 0 <= e1) by (apply round_keeps_sign; [reflexivity | lra]). assert (P2 : 0 <= e2) by (apply round_keeps_sign; [reflexivity | lra]).
  rewrite (Rabs_pos_eq (e1 + e2)) in E3 by lra. apply Rabs_le_inv in E3.
  assert (Hd : 0 < hd <= u * R * / 1000).
  { split; [apply eta_positive|]. apply Rle_trans with (bpow radix2 (-24) * bpow radix2 (-100) * bpow radix2 (-20)).
    - unfold hd, eta. rewrite <- !bpow_plus. apply bpow_le. vm_compute. discriminate.
    - apply Rmult_le_compat; [apply Rmult_le_pos; apply bpow_ge_0 | apply bpow_ge_0 | |].
      + apply Rmult_le_compat; [apply bpow_ge_0 | apply bpow_ge_0 | apply Rle_refl | exact large].
      + simpl. lra. }
  assert (Ka : (4 * widest + 2 * reach) * (1 - 3 * ud) <= a + 2 * hd).
  { assert (Z0 : 0 <= 2 * reach) by lra. set (m := w4 * widest) in *. set (z := 2 * reach) in *.
    assert (K1 : (1 - ud) * ((1 - ud) * (m + z) - 2 * hd) <= (1 - ud) * (e1 + e2)) by (apply Rmult_le_compat_l; lra).
    assert (K2 : 0 <= ud * hd) by (apply Rmult_le_pos; lra).
    assert (K3 : (4 * widest + z) * (1 - 3 * ud) <= (m + z) * (1 - 3 * ud)) by (apply Rmult_le_compat_r; lra).
    assert (K4 : 0 <= (ud + ud * ud) * (m + z)).
    { apply Rmult_le_pos; [|lra]. assert (0 <= ud * ud) by (apply Rmult_le_pos; lra). lra. }
    lra. }
  (* what rounding takes of them is a part of the largest coordinate, along n *)
  assert (Ya : a + b <= (1 + 2 * u) * y).
  { assert ((1 - u) * (a + b) <= y) by lra.
    assert (K1 : (1 + 2 * u) * ((1 - u) * (a + b)) <= (1 + 2 * u) * y) by (apply Rmult_le_compat_l; lra).
    assert (K2 : 0 <= (u - 2 * (u * u)) * (a + b)).
    { apply Rmult_le_pos; [|lra]. assert (u * u <= / 16000000 * u) by (apply Rmult_le_compat_r; lra). lra. }
    lra. }
  assert (Py : 0 <= y) by (assert (0 <= (1 + 2 * u) * y) by lra; apply Rmult_le_reg_l with (1 + 2 * u); lra).
  set (g := 4 * widest + 2 * reach) in *. assert (Pg : 0 <= g) by (unfold g; lra).
  assert (Lg : g <= 2 * y + 4 * hd).
  { assert (3 * ud * g <= / 1000 * g) by (apply Rmult_le_compat_r; lra). assert (2 * u * y <= / 1000 * y) by (apply Rmult_le_compat_r; lra). lra. }
  assert (Y1 : a + b - u * ((1 + 2 * u) * y) <= y).
  { assert (u * (a + b) <= u * ((1 + 2 * u) * y)) by (apply Rmult_le_compat_l; lra). lra. }
  assert (Y2 : g + (1 - u) * (c * R) - (u * (1 + 2 * u) + 6 * ud) * y - 4 * hd <= y).
  { assert (3 * ud * g <= 3 * ud * (2 * y + 4 * hd)) by (apply Rmult_le_compat_l; lra).
    assert (12 * ud * hd <= / 1000 * hd) by (apply Rmult_le_compat_r; lra). lra. }
  assert (Y3 : (u * (1 + 2 * u) + 6 * ud) * y <= (u * (1 + / 100)) * y).
  { apply Rmult_le_compat_r; auto. assert (u * u <= / 16000000 * u) by (apply Rmult_le_compat_r; lra). lra. }
  set (z := R * sizes) in *. assert (Pz : 0 <= z) by (apply Rmult_le_pos; lra).
  assert (Bk : k <= / 1000) by (eapply Rle_trans; [exact C2|]; simpl; lra).
  assert (Y4 : u * (1 + / 100) * (sizes * y) <= u * (1 + / 100) * ((4 + k) * z)) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | exact B]).
  assert (Y5 : sizes * (g + (1 - u) * (c * R) - (u * (1 + / 100)) * y - 4 * hd) <= sizes * y) by (apply Rmult_le_compat_l; lra).
  assert (Y6 : (k + 26 * u + 2 * Q2R tolerance) * z <= (1 - u) * c * z) by (apply Rmult_le_compat_r; auto; lra).
  assert (Y7 : u * (k * z) <= u * (/ 1000 * z)) by (apply Rmult_le_compat_l; [lra | apply Rmult_le_compat_r; lra]).
  assert (Y8 : sizes * hd <= sizes * (u * R * / 1000)) by (apply Rmult_le_compat_l; lra).
  assert (Y9 : 0 <= u * z) by (apply Rmult_le_pos; lra).
  clear - Y4 Y5 Y6 Y7 Y8 Y9. unfold z in *. lra.
Qed.

Definition norm : Rdefinitions.R := sqrt (n 0 * n 0 + n 1 * n 1 + n 2 * n 2).
Lemma along_is_at_most v m : 0 <= m -> (forall c, (c < 3)%nat -> Rabs (v c) <= m) -> Rabs (along v) <= sizes * m.
Proof.
  intros M V. unfold along, sizes. eapply Rle_trans; [apply Rabs_triang|]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang|]. rewrite !Rabs_mult.
  pose proof (Rmult_le_compat_l _ _ _ (Rabs_pos (n 0)) (V 0%nat ltac:(lia))). pose proof (Rmult_le_compat_l _ _ _ (Rabs_pos (n 1)) (V 1%nat ltac:(lia))).
  pose proof (Rmult_le_compat_l _ _ _ (Rabs_pos (n 2)) (V 2%nat ltac:(lia))). lra.
Qed.

(* A point of the edge a, at s of it, and one of b, at t. *)
Definition from_to (Xa Ya Xb Yb : nat -> Rdefinitions.R) (s t : Rdefinitions.R) (c : nat) : Rdefinitions.R :=
  ((1 - t) * Xb c + t * Yb c) - ((1 - s) * Xa c + s * Ya c).
Definition is_apart (sa sb : nat -> bool) (compared : expr) : Prop := forall Xa Ya Xb Yb s t,
  is_edge 6 sa widest Xa Ya -> is_edge 0 sb widest Xb Yb -> 0 <= s <= 1 -> 0 <= t <= 1 -> 0 < rounded F x compared ->
  (reach + Q2R tolerance * R) * norm < along (from_to Xa Ya Xb Yb s t).

Lemma beside_is_right between along_a along_b least sa sb rest :
  beside_rest between along_a along_b least = Some rest ->
  slack_checks rest (value_of TracedBesideSlack.SLACK) (value_of TracedBesideWidth.WIDTH) = true ->
  beside_upper 4 between = true -> beside_upper 2 along_a = true -> beside_upper 2 along_b = true ->
  exact x between = along apart -> exact x along_a = along (side sa 6) -> exact x along_b = along (fun c => - side sb 0 c) ->
  base F x least = Rabs (rounded F x along_a) + Rabs (rounded F x along_b) + (sizes * x 12%nat + 0) ->
  is_apart sa sb (Sub between least).
Proof.
  intros C1 C2 U1 U2 U3 E1 E2 E3 B Xa Ya Xb Yb s t Ea Eb S T H.
  pose proof R_positive as PR. pose proof (u_positive F) as Pu. pose proof (eta_positive F) as Ph.
  assert (Ps : 0 <= sizes) by (unfold sizes; pose proof (Rabs_pos (n 0)); pose proof (Rabs_pos (n 1)); pose proof (Rabs_pos (n 2)); lra).
  pose proof (a_positive_variable D TracedBesideWidth.variables xw xw given_width 0 eq_refl) as Pw. fold widest in Pw.
  pose proof (a_positive_variable D TracedBesideWidth.variables xw xw given_width 1 eq_refl) as Pr. fold reach in Pr.
  assert (Q4 : Q2R 4 = 4) by (unfold Q2R; simpl; lra). assert (Q2' : Q2R 2 = 2) by (unfold Q2R; simpl; lra).
  pose proof (beside_terms 4 between U1) as T1. pose proof (beside_terms 2 along_a U2) as T2. pose proof (beside_terms 2 along_b U3) as T3.
  rewrite Q4 in T1. rewrite Q2' in T2, T3.
  assert (Bd : Rabs (along apart) <= 4 * (R * sizes)).
  { replace (4 * (R * sizes)) with (sizes * (4 * R)) by ring. apply along_is_at_most; [lra|]. intros c L. unfold apart, middle.
    pose proof (largest (0 + c)%nat ltac:(lia)) as A1. pose proof (largest (0 + 3 + c)%nat ltac:(lia)) as A2.
    pose proof (largest (6 + c)%nat ltac:(lia)) as A3. pose proof (largest (6 + 3 + c)%nat ltac:(lia)) as A4.
    apply Rabs_le_inv in A1, A2, A3, A4. apply Rabs_le. lra. }
  destruct (beside_in_reals between along_a along_b least rest (side sa 6) (fun c => - side sb 0 c) C1 E1 E2 E3 T1 T2 T3 Bd B H) as [G1 G2].
  assert (Flip : along (fun c => - side sb 0 c) = - along (side sb 0)) by (unfold along; ring).
  rewrite Flip, Rabs_Ropp in G1, G2.
  assert (G3 : sizes * x 12%nat <= (4 + Q2R rest) * (R * sizes)).
  { pose proof (Rabs_pos (along (side sa 6))). pose proof (Rabs_pos (along (side sb 0))). lra. }
  pose proof (the_slack_is rest C2 G3) as G4.
  destruct (edges_are_near_diagonals 6 sa widest Xa Ya s Ea Pw S) as (ka & da & Ka & Da).
  destruct (edges_are_near_diagonals 0 sb widest Xb Yb t Eb Pw T) as (kb & db & Kb & Db).
  assert (Pb : 0 <= beyond_diagonal widest) by (eapply Rle_trans; [apply Rabs_pos | apply (Da 0%nat ltac:(lia))]).
  assert (L : 2 * along (from_to Xa Ya Xb Yb s t) = along apart + kb * along (side sb 0) - ka * along (side sa 6) + along (fun c => db c - da c)).
  { unfold along, from_to, apart.
    pose proof (proj1 (Da 0%nat ltac:(lia))) as A0. pose proof (proj1 (Da 1%nat ltac:(lia))) as A1. pose proof (proj1 (Da 2%nat ltac:(lia))) as A2.
    pose proof (proj1 (Db 0%nat ltac:(lia))) as B0. pose proof (proj1 (Db 1%nat ltac:(lia))) as B1. pose proof (proj1 (Db 2%nat ltac:(lia))) as B2.
    assert (Q : forall a p q r, 2 * p = q -> 2 * (a * (p - r)) = a * (q - 2 * r)) by (intros a p q r E; rewrite <- E; ring).
    rewrite !Rmult_plus_distr_l. rewrite (Q _ _ _ _ B0), (Q _ _ _ _ B1), (Q _ _ _ _ B2), A0, A1, A2. ring. }
  assert (Ld : Rabs (along (fun c => db c - da c)) <= sizes * (2 * beyond_diagonal widest)).
  { apply along_is_at_most; [lra|]. intros c Lc. pose proof (proj2 (Da c Lc)) as A. pose proof (proj2 (Db c Lc)) as B1.
    apply Rabs_le_inv in A, B1. apply Rabs_le. lra. }
  assert (M : forall k v, -1 <= k <= 1 -> Rabs (k * v) <= Rabs v).
  { intros k v K. rewrite Rabs_mult. rewrite <- (Rmult_1_l (Rabs v)) at 2. apply Rmult_le_compat_r; [apply Rabs_pos | apply Rabs_le; lra]. }
  pose proof (M ka (along (side sa 6)) Ka) as M1. pose proof (M kb (along (side sb 0)) Kb) as M2.
  apply Rabs_le_inv in Ld, M1, M2.
  (* what the diagonals are off by *)
  assert (Off : share_off <= (1 + / 1000) * (u * R) + u * R * / 1000).
  { unfold share_off. apply Rplus_le_compat.
    - replace ((1 + / 1000) * (u * R)) with ((1 + / 1000) * u * R) by ring. apply Rmult_le_compat_r; [lra|].
      rewrite <- uQ_is_u. replace ((1 + / 1000) * Q2R (uQ F)) with (Q2R ((1001 # 1000) * uQ F)) by (rewrite Q2R_mult; unfold Q2R at 1; simpl; lra).
      apply Qle_Rle. vm_compute. discriminate.
    - apply Rle_trans with (bpow radix2 (-24) * bpow radix2 (-100) * bpow radix2 (-20)).
      + unfold eta. replace 2 with (bpow radix2 1) by (simpl; lra). rewrite <- !bpow_plus. apply bpow_le. vm_compute. discriminate.
      + apply Rmult_le_compat; [apply Rmult_le_pos; apply bpow_ge_0 | apply bpow_ge_0 | | simpl; lra].
        apply Rmult_le_compat; [apply bpow_ge_0 | apply bpow_ge_0 | apply Rle_refl | exact large]. }
  assert (Pur : 0 <= u * R) by (apply Rmult_le_pos; lra).
  assert (Bb : sizes * (2 * beyond_diagonal widest) <= sizes * (4 * widest + 205 / 10 * (u * R))).
  { apply Rmult_le_compat_l; auto. unfold beyond_diagonal. lra. }
  pose proof (sum_of_sizes (n 0) (n 1) (n 2)) as N. fold norm sizes in N.
  assert (Pt : 0 <= Q2R tolerance) by (unfold tolerance; rewrite two_to_is_bpow; apply bpow_ge_0).
  assert (K : (reach + Q2R tolerance * R) * norm <= (reach + Q2R tolerance * R) * sizes).
  { apply Rmult_le_compat_l; auto. apply Rplus_le_le_0_compat; auto. apply Rmult_le_pos; lra. }
  clear - L Ld M1 M2 G1 G4 Bb K. lra.
Qed.

Definition sign_of (y z : bool) (c : nat) : bool := match c with O => true | 1%nat => y | _ => z end.

Ltac beside between along_a along_b least :=
  match goal with |- is_apart _ _ _ =>
    let r := eval vm_compute in (beside_rest between along_a along_b least) in
    match r with Some ?q =>
      apply (beside_is_right between along_a along_b least _ _ q);
      [vm_compute; reflexivity | vm_compute; reflexivity | vm_compute; reflexivity | vm_compute; reflexivity | vm_compute; reflexivity
      | reflexivity
      | unfold along, side, n, sign_of; cbn; ring | unfold along, side, n, sign_of; cbn; ring | reflexivity]
    end
  end.

(* By the signs of both diagonals. *)
Theorem edges_beside_each_other_are_apart :
  is_apart (sign_of false false) (sign_of true true) (Sub TracedBeside0.between TracedBeside0.least) /\
  is_apart (sign_of true false) (sign_of false true) (Sub TracedBeside1.between TracedBeside1.least) /\
  is_apart (sign_of false true) (sign_of true false) (Sub TracedBeside2.between TracedBeside2.least) /\
  is_apart (sign_of true true) (sign_of false false) (Sub TracedBeside3.between TracedBeside3.least).
Proof.
  refine (conj _ (conj _ (conj _ _))).
  - beside TracedBeside0.between TracedBeside0.along_a TracedBeside0.along_b TracedBeside0.least.
  - beside TracedBeside1.between TracedBeside1.along_a TracedBeside1.along_b TracedBeside1.least.
  - beside TracedBeside2.between TracedBeside2.along_a TracedBeside2.along_b TracedBeside2.least.
  - beside TracedBeside3.between TracedBeside3.along_a TracedBeside3.along_b TracedBeside3.least.
Qed.

Theorem looks_at_boxes_do_not_overflow : forall compared,
  In compared (Sub TracedBeside0.between TracedBeside0.least :: Sub TracedBeside1.between TracedBeside1.least ::
               Sub TracedBeside2.between TracedBeside2.least :: Sub TracedBeside3.between TracedBeside3.least :: nil) ->
  nothing_overflows F x compared.
Proof.
  intros e [<-|[<-|[<-|[<-|[]]]]]; eapply (nothing_is_too_large F list_of x x binary32_is_ieee given); vm_compute; reflexivity.
Qed.
End Beside.
