(* A separation that is a part of the start distance (docs/numerics.md, section 8): GZ_CLOSEST_SLACK, GZ_CLOSEST_TINY. *)
From Coq Require Import Reals QArith Qreals ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Positive Cover Normal Directed DirectedChecks TracesSteps.
Open Scope R_scope.
Local Notation fl := (round_ binary64).
Import TracedKeptDistance.

(* What a computed distance may be off by: over the size of the pair, and in eta. *)
Definition distance_off : Q := (32 * uQ binary64)%Q.
Definition distance_tiny : Q := 4.
Definition distance_checks (error : Q) (slack : expr) : bool :=
  match between binary64 variables none none 1 slack with
  | Some b => Qle_bool (distance_off * (1 + 2 * uQ binary64)) (lo b * error) && Qle_bool (distance_tiny + under b) 0
  | None => false
  end.

(* x: the computed distance, the size as the code has it, off by u, and the part; d is the exact distance, L the size. *)
Theorem a_part_of_a_distance_is_kept x d L : positive_inputs binary64 variables x x none none ->
  0 <= d -> 0 <= L -> L <= (1 + 2 * u64) * x 1%nat -> x 2%nat <= 999 / 1000 ->
  x 0%nat <= d + 32 * u64 * L + 4 * eta64 ->
  rounded binary64 x kept <= d.
Proof.
  intros G Pd PL HL Part H.
  assert (C : distance_checks (value_of SLACK) slack = true) by (vm_compute; reflexivity).
  unfold distance_checks in C. destruct (between binary64 variables none none 1 slack) as [b|] eqn:B; [|discriminate].
  apply andb_true_iff in C. destruct C as [C1 C2]. apply bool_le in C1, C2.
  destruct (between_holds binary64 variables x x none none 1 binary64_is_ieee eq_refl eq_refl G slack b B ltac:(cbn; tauto))
    as [NS [LA LA'] _ _ _ _ S _ _].
  assert (Em : main binary64 x slack = Q2R (value_of SLACK) * x 1%nat).
  { written. unfold value_of, SLACK. rewrite number_is_F2R. ring. }
  rewrite Em in S. clear Em.
  unfold distance_off in C1. unfold distance_tiny in C2.
  rewrite !Q2R_mult, Q2R_plus, Q2R_1, Q2R_mult, !uQ_is_u in C1. rewrite Q2R_plus, Q2R_0 in C2.
  change (Q2R 32) with (32 * / 1) in C1. change (Q2R 2) with (2 * / 1) in C1. change (Q2R 4) with (4 * / 1) in C2.
  rewrite Rinv_1, !Rmult_1_r in C1, C2.
  pose proof u_is_tiny as U. pose proof (eta_positive binary64) as Pe.
  pose proof (proj2 G 1%nat eq_refl) as P1. pose proof (proj2 G 2%nat eq_refl) as P2.
  set (s := rounded binary64 x slack) in *.
  assert (Below : x 0%nat - s <= d).
  { apply (Rmult_le_compat_r (x 1%nat)) in C1; auto. apply (Rmult_le_compat_r eta64) in C2; [|lra].
    assert (32 * u64 * L <= 32 * u64 * ((1 + 2 * u64) * x 1%nat)) by (apply Rmult_le_compat_l; lra). lra. }
  change (rounded binary64 x kept) with (fl (x 2%nat * fl (x 0%nat - s))).
  assert (N0 : is_number binary64 (x 0%nat)) by apply (proj1 G 0%nat).
  assert (NN : is_number binary64 (- s)) by now apply generic_format_opp.
  assert (N0' : is_number binary64 0) by apply generic_format_0.
  destruct (Rle_or_lt (x 0%nat - s) 0) as [Z|Z].
  { apply Rle_trans with 0; auto. rewrite <- (fl_of_number binary64 0 N0'). apply (fl_le binary64 binary64_is_ieee).
    assert (fl (x 0%nat - s) <= 0) by (rewrite <- (fl_of_number binary64 0 N0'); now apply (fl_le binary64 binary64_is_ieee)).
    nra. }
  assert (Pg : 0 <= fl (x 0%nat - s)) by (apply (fl_positive binary64 binary64_is_ieee); lra).
  destruct (Rle_or_lt (x 0%nat - s) (2 * least_normal binary64)) as [T|T].
  - assert (E : fl (x 0%nat - s) = x 0%nat - s).
    { unfold Rminus. apply (a_small_sum_is_exact binary64 binary64_is_ieee); auto. change (x 0%nat + - s) with (x 0%nat - s). rewrite Rabs_pos_eq; lra. }
    apply Rle_trans with (fl (fl (x 0%nat - s))).
    + apply (fl_le binary64 binary64_is_ieee). nra.
    + rewrite (fl_of_number binary64 (fl (x 0%nat - s))) by apply (fl_is_number _ binary64_is_ieee). lra.
  - pose proof (sum_errs binary64 eq_refl (x 0%nat) (- s) N0 NN) as E1. change (x 0%nat + - s) with (x 0%nat - s) in E1.
    rewrite (Rabs_pos_eq (x 0%nat - s)) in E1 by lra. apply Rabs_le_inv in E1. set (g := fl (x 0%nat - s)) in *.
    assert (Pp : 0 <= x 2%nat * g) by now apply Rmult_le_pos.
    pose proof (round_errs binary64 eq_refl (x 2%nat * g)) as E2. rewrite (Rabs_pos_eq _ Pp) in E2. apply Rabs_le_inv in E2.
    assert (Small : u64 <= / 1000000) by (unfold u; simpl; lra).
    assert (e1 : eta64 <= / 1000000 * d).
    { apply Rle_trans with (/ 1000000 * (2 * least_normal binary64)); [|lra].
      assert (V : eta64 = / 2 * u64 * (2 * least_normal binary64)).
      { unfold eta, u, least_normal. change (/ 2) with (bpow radix2 (-1)). change 2 with (bpow radix2 1). rewrite <- !bpow_plus. reflexivity. }
      rewrite V. apply Rmult_le_compat_r; [|lra]. pose proof (least_normal_is_positive binary64). lra. }
    assert (G1 : g <= (1 + / 1000000) * d).
    { apply Rle_trans with ((1 + u64) * (x 0%nat - s)); [lra|]. apply Rmult_le_compat; lra. }
    assert (G2 : x 2%nat * g <= 999 / 1000 * ((1 + / 1000000) * d)) by (apply Rmult_le_compat; lra).
    assert (G3 : u64 * (x 2%nat * g) <= / 1000000 * (x 2%nat * g)) by (apply Rmult_le_compat_r; lra).
    lra.
Qed.
