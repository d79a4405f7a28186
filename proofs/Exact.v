(* Integers seen through doubles (docs/numerics.md, section 5): GZ_POLY_SLACK, GZ_POLY_TINY, GZ_LINE_SLACK, GZ_CARRIED_ROUND,
   GZ_CARRIED_UP, GZ_CARRIED_TINY, GZ_ENCLOSE_DOWN, GZ_ENCLOSE_UP, GZ_ENCLOSE_TINY, GZ_CUT_DOWN, GZ_CUT_UP. *)
From Coq Require Import Reals QArith Qreals ZArith Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Positive Cover TracesRooms Times.
Open Scope R_scope.

(* ---- parameters: quotients of numbers that are known to within their errors ---- *)

(* Beyond this a quotient is cut to 1. *)
Definition most_quotient : Q := two_to 60.
Definition enclose_low (down : Q) (low : expr) : bool :=
  match low with
  | Sub e (Cst m k) => checks_below binary64 TracedEnclose.variables (off_by (uQ binary64)) (off_by 0) most_quotient e m k down
  | _ => false end.
Definition enclose_high (up : Q) (high : expr) : bool :=
  match high with
  | Add e (Cst m k) => checks_above binary64 TracedEnclose.variables (off_by (uQ binary64)) (off_by 0) most_quotient 8 e m k up
  | _ => false end.

Lemma a_quotient_is_positive a b : 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros. apply Rmult_le_pos; auto. left. now apply Rinv_0_lt_compat. Qed.

Ltac main_value c := written; unfold value_of, c; rewrite number_is_F2R; whole_numbers; reflexivity.
Ltac capped :=
  match goal with |- quotients_are_capped ?F ?ex ?cap ?e => let v := eval cbv in e in change e with v end;
  cbn [quotients_are_capped main magnitude]; tauto.

(* 4 and 5 are a less and more than its error, 6 and 7 b: rounded sums. An error is at least 2^-1060 and b at most 2^12, so
   that a quotient is 8 eta and more. *)
Theorem quotients_are_enclosed fx ex :
  positive_inputs binary64 TracedEnclose.variables fx ex (off_by (uQ binary64)) (off_by 0) ->
  0 < ex 6%nat -> 0 < ex 7%nat -> ex 4%nat / ex 7%nat <= Q2R most_quotient -> ex 5%nat / ex 6%nat <= Q2R most_quotient ->
  Q2R 8 * eta binary64 <= ex 5%nat / ex 6%nat ->
  rounded binary64 fx TracedEnclose.low <= ex 4%nat / ex 7%nat /\
  ex 5%nat / ex 6%nat <= rounded binary64 fx TracedEnclose.high.
Proof.
  intros G B6 B7 L H T. pose proof (proj2 G) as N.
  split.
  - refine (proj1 (a_bound_is_below binary64 TracedEnclose.variables fx ex (off_by (uQ binary64)) (off_by 0) most_quotient
      binary64_is_ieee eq_refl eq_refl G _ _ _ (value_of TracedEnclose.ENCLOSE_DOWN) _ _ _ _ _));
      [vm_compute; reflexivity | capped | main_value TracedEnclose.ENCLOSE_DOWN | apply a_quotient_is_positive; auto].
  - refine (proj1 (a_bound_is_above binary64 TracedEnclose.variables fx ex (off_by (uQ binary64)) (off_by 0) most_quotient
      binary64_is_ieee eq_refl eq_refl G 8 _ _ _ (value_of TracedEnclose.ENCLOSE_UP) _ _ _ _ _ T));
      [vm_compute; reflexivity | capped | main_value TracedEnclose.ENCLOSE_UP | apply a_quotient_is_positive; auto].
Qed.

(* The ends of integers are cut to 53 bits, so that each is less than 2 u of itself smaller. *)
Definition cut_low (down : Q) (low : expr) : bool :=
  match low with
  | Sub e (Cst m k) => checks_below binary64 TracedCut.variables (off_by (2 * uQ binary64)) (off_by 0) most_quotient e m k down
  | _ => false end.
Definition cut_high (up : Q) (high : expr) : bool :=
  match high with
  | Add e (Cst m k) => checks_above binary64 TracedCut.variables (off_by (2 * uQ binary64)) (off_by 0) most_quotient 8 e m k up
  | _ => false end.

Theorem cut_quotients_are_enclosed fx ex :
  positive_inputs binary64 TracedCut.variables fx ex (off_by (2 * uQ binary64)) (off_by 0) ->
  0 < ex 0%nat -> 0 < ex 2%nat -> ex 1%nat / ex 0%nat <= Q2R most_quotient -> ex 3%nat / ex 2%nat <= Q2R most_quotient ->
  Q2R 8 * eta binary64 <= ex 3%nat / ex 2%nat ->
  rounded binary64 fx TracedCut.low <= ex 1%nat / ex 0%nat /\
  ex 3%nat / ex 2%nat <= rounded binary64 fx TracedCut.high.
Proof.
  intros G B6 B7 L H T. pose proof (proj2 G) as N.
  split.
  - refine (proj1 (a_bound_is_below binary64 TracedCut.variables fx ex (off_by (2 * uQ binary64)) (off_by 0) most_quotient
      binary64_is_ieee eq_refl eq_refl G _ _ _ (value_of TracedCut.CUT_DOWN) _ _ _ _ _));
      [vm_compute; reflexivity | capped | main_value TracedCut.CUT_DOWN | apply a_quotient_is_positive; auto].
  - refine (proj1 (a_bound_is_above binary64 TracedCut.variables fx ex (off_by (2 * uQ binary64)) (off_by 0) most_quotient
      binary64_is_ieee eq_refl eq_refl G 8 _ _ _ (value_of TracedCut.CUT_UP) _ _ _ _ _ T));
      [vm_compute; reflexivity | capped | main_value TracedCut.CUT_UP | apply a_quotient_is_positive; auto].
Qed.

(* ---- values at a root: coefficients cut to 53 bits, or left out below 2^-1000, and a double next to the root ---- *)

Definition cut_r : Q := two_to (-52) + two_to (-103).
Definition cut_off : Q := in_etas binary64 (two_to (-1000)).
Definition covered (l : list given_variable) (value error : expr) (slack : Q) : bool :=
  covers binary64 l (off_by cut_r) (off_by cut_off) 1 value error slack.

Ltac covered G c :=
  refine (an_error_is_covered _ _ _ _ _ _ 1 binary64_is_ieee eq_refl eq_refl G _ _ (value_of c) _ _ _);
  [vm_compute; reflexivity | capped
  | match goal with |- context [terms ?r ?m ?ex ?e] => let v := eval cbv in e in change (terms r m ex e) with (terms r m ex v) end;
    cbn [terms has_no_error andb]; written; unfold value_of, c; rewrite number_is_F2R].

Theorem polynomials_are_within fx ex :
  positive_inputs binary64 TracedPoly.variables fx ex (off_by cut_r) (off_by cut_off) ->
  Rabs (rounded binary64 fx TracedPoly.value - exact ex TracedPoly.value) <= rounded binary64 fx TracedPoly.error.
Proof.
  intros G. pose proof (proj2 G 0%nat eq_refl) as T.
  covered G TracedPoly.POLY_SLACK.
  rewrite (Rabs_pos_eq (ex 0%nat) T). whole_numbers. rewrite ?Rabs_R0. whole_numbers.
  right. apply Rmult_comm.
Qed.

Theorem lines_are_within fx ex :
  positive_inputs binary64 TracedLine.variables fx ex (off_by cut_r) (off_by cut_off) ->
  Rabs (rounded binary64 fx TracedLine.value - exact ex TracedLine.value) <= rounded binary64 fx TracedLine.error.
Proof.
  intros G. pose proof (proj2 G 0%nat eq_refl) as T.
  covered G TracedLine.LINE_SLACK.
  rewrite (Rabs_pos_eq (ex 0%nat) T). whole_numbers. right. apply Rmult_comm.
Qed.

(* ---- numbers that carry their errors: 0 and 2 the values, 1 and 3 what they are off by, 4 and 5 the sizes of the product
   and of the difference as they were rounded ---- *)

Definition carried_product (round up : Q) (error : expr) : bool :=
  match error with
  | Add e (Cst m k) => checks_above_by binary64 TracedCarried.variables (off_by 0) (off_by 0) 1 2 e m k up &&
                       Qle_bool (uQ binary64) (round * (1 - uQ binary64)) && Qle_bool round 1
  | _ => false end.
Definition carried_sum (round up : Q) : bool :=
  let u := uQ binary64 in
  Qle_bool 1 up && Qle_bool 1 ((1 - u) * ((1 - u) * (1 - u) * up)) &&
  Qle_bool (etaQ binary64) ((round * (1 - u) - (u + 2 * u * u)) * two_to (emin binary64 + prec binary64)) &&
  Qle_bool 0 (round * (1 - u) - (u + 2 * u * u)).

Theorem products_carry_their_errors x a b :
  positive_inputs binary64 TracedCarried.variables x x (off_by 0) (off_by 0) ->
  Rabs (x 0%nat - a) <= x 1%nat -> Rabs (x 2%nat - b) <= x 3%nat ->
  x 4%nat = Rabs (rounded binary64 x TracedCarried.product) ->
  Rabs (rounded binary64 x TracedCarried.product - a * b) <= rounded binary64 x TracedCarried.product_error.
Proof.
  intros G A B V. pose proof (proj2 G) as N.
  pose proof (N 1%nat eq_refl) as P1. pose proof (N 3%nat eq_refl) as P3. pose proof (N 4%nat eq_refl) as P4.
  assert (C : carried_product (value_of TracedCarried.CARRIED_ROUND) (value_of TracedCarried.CARRIED_UP)
                (ltac:(let e := eval cbv in TracedCarried.product_error in exact e)) = true) by (vm_compute; reflexivity).
  unfold carried_product in C. rewrite !andb_true_iff in C. destruct C as [[_ C2] C3]. in_reals C2. in_reals C3.
  set (ro := Q2R (value_of TracedCarried.CARRIED_ROUND)) in *.
  pose proof (a_bound_is_above_by binary64 TracedCarried.variables x x (off_by 0) (off_by 0) 1 binary64_is_ieee eq_refl eq_refl G
    2 _ _ _ (value_of TracedCarried.CARRIED_UP)
    (Rabs (x 0%nat) * x 3%nat + Rabs (x 2%nat) * x 1%nat + x 1%nat * x 3%nat + ro * x 4%nat)
    (ltac:(lazymatch eval cbv in TracedCarried.product_error with
           | Add ?e (Cst ?m ?k) => exact (eq_refl : checks_above_by binary64 TracedCarried.variables (off_by 0) (off_by 0) 1 2 e m k (value_of TracedCarried.CARRIED_UP) = true) end))) as H.
  destruct H as [H _].
  { match goal with |- quotients_are_capped ?F ?ex ?cap ?e => let v := eval cbv in e in change e with v end.
    cbn [quotients_are_capped]. tauto. }
  { unfold ro. written. unfold value_of, TracedCarried.CARRIED_ROUND, TracedCarried.CARRIED_UP. rewrite !number_is_F2R. reflexivity. }
  { pose proof (Rabs_pos (x 0%nat)). pose proof (Rabs_pos (x 2%nat)). pose proof (u_positive binary64).
    assert (0 <= ro) by (apply Rmult_le_reg_r with (1 - u binary64); [pose proof (u_below_1 binary64 eq_refl)|]; lra).
    repeat apply Rplus_le_le_0_compat; now apply Rmult_le_pos. }
  change (rounded binary64 x TracedCarried.product) with (round_ binary64 (x 0%nat * x 2%nat)) in *.
  apply Rle_trans with (2 := H). replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra).
  set (T := x 0%nat * x 2%nat) in *. set (V1 := round_ binary64 T) in *.
  pose proof (round_errs binary64 eq_refl T) as E. fold V1 in E.
  pose proof (eta_positive binary64) as Pe. pose proof (u_positive binary64) as Pu. pose proof (u_below_1 binary64 eq_refl) as U1.
  set (e := eta binary64) in *. set (u := u binary64) in *.
  assert (R0 : 0 <= ro) by (apply Rmult_le_reg_r with (1 - u); lra).
  assert (S : (1 - u) * Rabs T <= x 4%nat + e).
  { rewrite V. pose proof (Rabs_triang_inv T V1) as I. rewrite Rabs_minus_sym in I. lra. }
  assert (W : u * Rabs T + e <= ro * x 4%nat + 2 * e).
  { assert (u * Rabs T <= ro * (1 - u) * Rabs T) by (apply Rmult_le_compat_r; [apply Rabs_pos | lra]).
    assert (ro * ((1 - u) * Rabs T) <= ro * (x 4%nat + e)) by (apply Rmult_le_compat_l; lra).
    assert (ro * e <= 1 * e) by (apply Rmult_le_compat_r; lra). lra. }
  assert (D : Rabs (T - a * b) <= Rabs (x 0%nat) * x 3%nat + Rabs (x 2%nat) * x 1%nat + x 1%nat * x 3%nat).
  { replace (T - a * b) with (x 0%nat * (x 2%nat - b) + x 2%nat * (x 0%nat - a) + - ((x 0%nat - a) * (x 2%nat - b))) by (unfold T; ring).
    eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, Rabs_mult. apply Rplus_le_compat.
    - eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult. apply Rplus_le_compat; apply Rmult_le_compat_l; auto using Rabs_pos.
    - apply Rmult_le_compat; auto using Rabs_pos. }
  replace (V1 - a * b) with ((V1 - T) + (T - a * b)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

Theorem sums_carry_their_errors x a b :
  positive_inputs binary64 TracedCarried.variables x x (off_by 0) (off_by 0) ->
  Rabs (x 0%nat - a) <= x 1%nat -> Rabs (x 2%nat - b) <= x 3%nat ->
  x 5%nat = Rabs (rounded binary64 x TracedCarried.sum) ->
  Rabs (rounded binary64 x TracedCarried.sum - (a - b)) <= rounded binary64 x TracedCarried.sum_error.
Proof.
  intros G A B V. pose proof (proj2 G) as N. destruct G as [G _].
  pose proof (N 1%nat eq_refl) as P1. pose proof (N 3%nat eq_refl) as P3. pose proof (N 5%nat eq_refl) as P5.
  pose proof (fun i => proj1 (G i)) as K.
  assert (C : carried_sum (value_of TracedCarried.CARRIED_ROUND) (value_of TracedCarried.CARRIED_UP) = true) by (vm_compute; reflexivity).
  unfold carried_sum in C. cbv zeta in C. rewrite !andb_true_iff in C. destruct C as [[[C1 C2] C3] C4].
  in_reals C1. in_reals C2. apply bool_le in C4. apply bool_le in C3.
  rewrite Q2R_mult, two_to_is_bpow, etaQ_is_eta in C3. fold (normal_from binary64) in C3.
  rewrite Q2R_minus, Q2R_mult, Q2R_minus, Q2R_1, Q2R_plus, !Q2R_mult, uQ_is_u in C3.
  rewrite Q2R_0, Q2R_minus, Q2R_mult, Q2R_minus, Q2R_1, Q2R_plus, !Q2R_mult, uQ_is_u in C4. replace (Q2R 2) with 2 in * by (unfold Q2R; simpl; lra).
  set (ro := Q2R (value_of TracedCarried.CARRIED_ROUND)) in *. set (c := Q2R (value_of TracedCarried.CARRIED_UP)) in *.
  assert (Er : rounded binary64 x TracedCarried.sum_error =
    round_ binary64 (round_ binary64 (round_ binary64 (x 1%nat + x 3%nat) + round_ binary64 (ro * x 5%nat)) * c)).
  { unfold ro, c, value_of, TracedCarried.CARRIED_ROUND, TracedCarried.CARRIED_UP. rewrite !number_is_F2R. reflexivity. }
  assert (Ev : rounded binary64 x TracedCarried.sum = round_ binary64 (x 0%nat - x 2%nat)).
  { change (rounded binary64 x TracedCarried.sum) with
      (round_ binary64 (x 0%nat + round_ binary64 (F2R (Float radix2 (-1) 0) * x 2%nat))).
    replace (F2R (Float radix2 (-1) 0) * x 2%nat) with (- x 2%nat) by (unfold F2R; simpl; ring).
    f_equal. unfold Rminus. f_equal. unfold round_. apply round_generic; [apply valid_rnd_N|]. apply number_opp, K. }
  rewrite Er, Ev in *. clear Er Ev.
  set (P := eq_refl : (0 < prec binary64)%Z). pose proof binary64_is_ieee as I.
  pose proof (u_positive binary64) as Pu. pose proof (u_below_1 binary64 P) as U1. pose proof (eta_positive binary64) as Pe.
  set (F := binary64) in *. set (D := x 0%nat - x 2%nat) in *. set (V1 := round_ F D) in *.
  pose proof (sum_errs F P _ _ (K 0%nat) (number_opp F _ (K 2%nat))) as E. change (x 0%nat + - x 2%nat) with D in E. fold V1 in E.
  assert (AB : Rabs (D - (a - b)) <= x 1%nat + x 3%nat).
  { replace (D - (a - b)) with ((x 0%nat - a) + - (x 2%nat - b)) by (unfold D; ring).
    eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  assert (R0 : 0 <= ro).
  { pose proof (Rmult_le_pos _ _ (Rlt_le _ _ Pu) (Rlt_le _ _ Pu)). apply Rmult_le_reg_r with (1 - u F); lra. }
  set (s1 := round_ F (x 1%nat + x 3%nat)) in *. set (p := round_ F (ro * x 5%nat)) in *.
  assert (N1 : is_number F s1) by (apply rounded_is_number; exact P).
  assert (Np : is_number F p) by (apply rounded_is_number; exact P).
  assert (Q1 : 0 <= s1) by (apply round_keeps_sign; [exact P | lra]).
  assert (Qp : 0 <= p) by (apply round_keeps_sign; [exact P | now apply Rmult_le_pos]).
  pose proof (sum_errs F P _ _ (K 1%nat) (K 3%nat)) as E1. rewrite (Rabs_pos_eq (x 1%nat + x 3%nat)) in E1 by lra.
  apply Rabs_le_inv in E1. fold s1 in E1.
  pose proof (sum_errs F P _ _ N1 Np) as E2. rewrite (Rabs_pos_eq (s1 + p)) in E2 by lra. apply Rabs_le_inv in E2.
  set (s2 := round_ F (s1 + p)) in *.
  assert (N2 : is_number F s2) by (apply rounded_is_number; exact P).
  assert (Q2 : 0 <= s2) by (apply round_keeps_sign; [exact P | lra]).
  assert (Sum : forall w, 0 <= w -> w <= p -> x 1%nat + x 3%nat + w <= round_ F (s2 * c)).
  { intros w Pw W. apply (a_sum_times_more F I _ _ c ((1 - u F) * (1 - u F))); auto; try lra.
    - intros L. assert (S1 : s1 = x 1%nat + x 3%nat) by (apply (a_small_sum_is_exact F I); auto; rewrite Rabs_pos_eq; lra).
      destruct (Rle_or_lt (s1 + p) (normal_from F)) as [M|M].
      + unfold s2. rewrite (a_small_sum_is_exact F I); auto; [lra|]. rewrite Rabs_pos_eq; lra.
      + apply Rle_trans with (1 := L). unfold s2, round_. assert (Prec_gt_0 (prec F)) by exact P.
        apply round_ge_generic; auto with typeclass_instances; [|lra].
        apply generic_format_bpow. vm_compute. discriminate.
    - apply Rle_trans with ((1 - u F) * (s1 + p)); [|lra].
      replace ((1 - u F) * (1 - u F) * (x 1%nat + x 3%nat + w)) with ((1 - u F) * ((1 - u F) * (x 1%nat + x 3%nat) + (1 - u F) * w)) by ring.
      apply Rmult_le_compat_l; [lra|]. assert (0 <= u F * w) by (apply Rmult_le_pos; lra). lra.
    - apply Rmult_le_pos; lra. }
  replace (V1 - (a - b)) with ((V1 - D) + (D - (a - b))) by ring.
  eapply Rle_trans; [apply Rabs_triang|].
  destruct (Rle_or_lt (Rabs D) (normal_from F)) as [L|L].
  - assert (X : V1 = D) by (apply (a_small_sum_is_exact F I (x 0%nat) (- x 2%nat)); [apply K | apply number_opp, K | exact L]).
    rewrite X. replace (D - D) with 0 by ring. rewrite Rabs_R0.
    specialize (Sum 0 ltac:(lra) Qp). lra.
  - assert (B5 : normal_from F <= x 5%nat).
    { rewrite V. unfold V1. rewrite (round_abs F I). unfold round_. assert (Prec_gt_0 (prec F)) by exact P.
      apply round_ge_generic; auto with typeclass_instances; [|lra]. apply generic_format_bpow. vm_compute. discriminate. }
    assert (S : (1 - u F) * Rabs D <= x 5%nat).
    { rewrite V. pose proof (Rabs_triang_inv D V1) as T. rewrite Rabs_minus_sym in T. lra. }
    pose proof (round_errs F P (ro * x 5%nat)) as E3. rewrite (Rabs_pos_eq (ro * x 5%nat)) in E3 by now apply Rmult_le_pos.
    apply Rabs_le_inv in E3. fold p in E3.
    assert (H1 : (ro * (1 - u F) - (u F + 2 * u F * u F)) * normal_from F <= (ro * (1 - u F) - (u F + 2 * u F * u F)) * x 5%nat)
      by (apply Rmult_le_compat_l; lra).
    assert (H2 : u F * Rabs D <= (u F + 2 * u F * u F) * x 5%nat).
    { apply Rle_trans with ((u F + 2 * u F * u F) * ((1 - u F) * Rabs D)).
      - rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply Rabs_pos|].
        assert (u F <= / 2) by (unfold u, F; simpl; lra). nra.
      - apply Rmult_le_compat_l; [nra | auto]. }
    assert (W : u F * Rabs D <= p) by lra.
    specialize (Sum (u F * Rabs D) ltac:(apply Rmult_le_pos; [lra | apply Rabs_pos]) W). lra.
Qed.
