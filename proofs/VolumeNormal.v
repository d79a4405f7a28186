(* The volume polynomial with a separation: GZ_NORMAL_SLACK, and GZ_VOLUME_SLACK, GZ_VOLUME_TINY, GZ_NORM_TINY again. *)
From Coq Require Import Reals QArith Qreals List Lra.
From Flocq Require Import Core.
Require Import Rounding Given Size Traces Volume Normal.
Open Scope R_scope.

Lemma third_is : Q2R (1 # 3) = / 3. Proof. unfold Q2R; simpl; lra. Qed.
Lemma whole_is : F2R (Float radix2 1 0) = 1. Proof. unfold F2R; simpl; ring. Qed.
Lemma half_is : F2R (Float radix2 1 (-1)) = / 2. Proof. unfold F2R; simpl; lra. Qed.
Lemma twice_is : F2R (Float radix2 1 1) = 2. Proof. unfold F2R; simpl; lra. Qed.
Definition third := F2R (Float radix2 6004799503160661 (-54)).
Lemma third_is_near : (1 - u binary64) * / 3 <= third.
Proof.
  unfold third. rewrite <- number_is_F2R, <- uQ_is_u. replace (/ 3) with (Q2R (1 # 3)) by apply third_is.
  rewrite <- Q2R_1, <- Q2R_minus, <- Q2R_mult. apply Qle_Rle. vm_compute. discriminate.
Qed.

Definition square (n0 n1 n2 s : R) := (1 - s) * (1 - s) * n0 + 2 * s * (1 - s) * n1 + s * s * n2.

(* Lengths of the coefficients of a quadratic vector, raised to degree 3. *)
Lemma raised a0 a1 a2 a3 c0 c1 c2 c3 d n0 n1 n2 x : 0 <= x <= 1 ->
  a0 <= c0 - d * (1 * n0 + 0 * n0) -> a1 <= c1 - d * (/ 3 * n0 + 2 / 3 * n1) ->
  a2 <= c2 - d * (2 / 3 * n1 + / 3 * n2) -> a3 <= c3 - d * (1 * n2 + 0 * n2) ->
  cubic a0 a1 a2 a3 x <= cubic c0 c1 c2 c3 x - d * square n0 n1 n2 x.
Proof.
  intros X A0 A1 A2 A3. eapply Rle_trans; [exact (cubics_are_ordered _ _ _ _ _ _ _ _ x X A0 A1 A2 A3)|].
  right. unfold cubic, square. field.
Qed.

Lemma a_length_is_convex x0 y0 z0 x1 y1 z1 x2 y2 z2 s : 0 <= s <= 1 ->
  norm3 (square x0 x1 x2 s) (square y0 y1 y2 s) (square z0 z1 z2 s) <=
  square (norm3 x0 y0 z0) (norm3 x1 y1 z1) (norm3 x2 y2 z2) s.
Proof.
  intros S. unfold square. eapply Rle_trans; [apply triangle|].
  rewrite (scaled_length (s * s)) by nra. apply Rplus_le_compat_r.
  eapply Rle_trans; [apply triangle|]. rewrite !scaled_length by nra. lra.
Qed.

(* The squares under a root with 0 in the place of their tiny constant. *)
Definition root x y z := sqrt (x * x + y * y + z * z + 0).
Lemma root_is x y z : root x y z = norm3 x y z. Proof. unfold root. now rewrite Rplus_0_r. Qed.
Lemma length_is_positive x y z : 0 <= norm3 x y z. Proof. apply sqrt_pos. Qed.

Lemma one_length d h area t : 0 <= d -> 0 <= h ->
  (1 - u binary64) * (d * (1 * h + 0 * h)) + d * area * t <= h * d + d * area * t.
Proof.
  intros D H. apply Rplus_le_compat_r. pose proof (u_positive binary64). pose proof (Rmult_le_pos _ _ D H). nra.
Qed.
Lemma two_lengths d h g area t : 0 <= d -> 0 <= h -> 0 <= g ->
  (1 - u binary64) * (d * (/ 3 * h + 2 / 3 * g)) + d * area * t <=
  (h * d + F2R (Float radix2 1 1) * (g * d)) * third + d * area * t.
Proof.
  intros D H G. apply Rplus_le_compat_r. rewrite twice_is. pose proof third_is_near.
  pose proof (Rmult_le_pos _ _ D H). pose proof (Rmult_le_pos _ _ D G).
  apply Rle_trans with ((h * d + 2 * (g * d)) * ((1 - u binary64) * / 3)); [right; field|].
  apply Rmult_le_compat_l; lra.
Qed.
Lemma two_lengths_turned d h g area t : 0 <= d -> 0 <= h -> 0 <= g ->
  (1 - u binary64) * (d * (2 / 3 * g + / 3 * h)) + d * area * t <=
  (F2R (Float radix2 1 1) * (g * d) + h * d) * third + d * area * t.
Proof. intros D H G. pose proof (two_lengths d h g area t D H G). rewrite (Rplus_comm _ (h * d)), (Rplus_comm (2 / 3 * g)). exact H0. Qed.

Section Time.
Variable ex : nat -> R.
Definition normal_at (i j : nat) (s : R) := at_time ex 0 i s * at_time ex 6 j s - at_time ex 0 j s * at_time ex 6 i s.
Definition normal_length (s : R) := norm3 (normal_at 1 2 s) (normal_at 2 0 s) (normal_at 0 1 s).
End Time.

Lemma the_cubic_above ex s : cubic (exact ex TracedNormal.c_0) (exact ex TracedNormal.c_1) (exact ex TracedNormal.c_2) (exact ex TracedNormal.c_3) s = volume ex s.
Proof. cbv -[Rplus Rmult Rminus Ropp Rinv IZR Q2R]. rewrite !third_is. field. Qed.

Lemma the_x_above ex x : square (exact ex TracedNormal.x_0) (exact ex TracedNormal.x_1) (exact ex TracedNormal.x_2) x =
  normal_at ex 1 2 (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat)).
Proof.
  cbv -[Rplus Rmult Rminus Ropp Rinv IZR F2R radix2]. rewrite ?whole_is, ?half_is. field.
Qed.

Lemma the_y_above ex x : square (exact ex TracedNormal.y_0) (exact ex TracedNormal.y_1) (exact ex TracedNormal.y_2) x =
  normal_at ex 2 0 (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat)).
Proof.
  cbv -[Rplus Rmult Rminus Ropp Rinv IZR F2R radix2]. rewrite ?whole_is, ?half_is. field.
Qed.

Lemma the_z_above ex x : square (exact ex TracedNormal.z_0) (exact ex TracedNormal.z_1) (exact ex TracedNormal.z_2) x =
  normal_at ex 0 1 (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat)).
Proof.
  cbv -[Rplus Rmult Rminus Ropp Rinv IZR F2R radix2]. rewrite ?whole_is, ?half_is. field.
Qed.

Theorem normal_above fx ex : inputs binary64 TracedNormal.variables fx ex ->
  largest_are_first fx -> parts_are_parts ex -> 0 <= fx 20%nat <= 1 -> forall x, 0 <= x <= 1 ->
  let low c := rounded binary64 fx c in
  let s := ex 18%nat + ex 19%nat * x * (1 - ex 18%nat) in
  cubic (low TracedNormal.low_0) (low TracedNormal.low_1) (low TracedNormal.low_2) (low TracedNormal.low_3) x
  <= volume ex s - fx 20%nat * normal_length ex s /\
  nothing_overflows binary64 fx TracedNormal.low_0 /\ nothing_overflows binary64 fx TracedNormal.low_1 /\
  nothing_overflows binary64 fx TracedNormal.low_2 /\ nothing_overflows binary64 fx TracedNormal.low_3.
Proof.
  intros G L P D1 x X low s. unfold low.
  assert (PD : 0 <= fx 20%nat) by lra.
  assert (S : forall g, In g (1 :: 2 :: 3 :: nil)%nat -> largest_of fx g <= 2).
  { intros g H. destruct (G (6 * (g - 1))%nat) as (_ & _ & _ & _ & B & _). unfold largest_of.
    eapply Rle_trans; [exact B|].
    simpl in H. destruct H as [<-|[<-|[<-|[]]]]; unfold size_in; simpl; unfold Q2R; simpl; lra. }
  assert (BS : base binary64 fx TracedNormal.slack =
    largest_of fx 1 * largest_of fx 2 * largest_of fx 3 * Q2R (value_of TracedNormal.VOLUME_SLACK) + 0).
  { unfold value_of, TracedNormal.VOLUME_SLACK. rewrite number_is_F2R. reflexivity. }
  assert (B0 : base binary64 fx TracedNormal.length_0 =
    (root (rounded binary64 fx TracedNormal.x_0) (rounded binary64 fx TracedNormal.y_0) (rounded binary64 fx TracedNormal.z_0)) * fx 20%nat + fx 20%nat * (largest_of fx 1 * largest_of fx 2) * Q2R (value_of TracedNormal.NORMAL_SLACK)).
  { unfold value_of, TracedNormal.NORMAL_SLACK. rewrite number_is_F2R. reflexivity. }
  rewrite !root_is in B0.
  destruct (a_lower_bound_is_right binary64 TracedNormal.variables fx ex binary64_is_ieee G L P S TracedNormal.coefficient_0 TracedNormal.slack
    TracedNormal.length_0 TracedNormal.x_0 TracedNormal.y_0 TracedNormal.z_0 TracedNormal.x_0 TracedNormal.y_0 TracedNormal.z_0 1 0 (value_of TracedNormal.VOLUME_SLACK) (value_of TracedNormal.NORMAL_SLACK)) as [K0 O0];
    [vm_compute; reflexivity | lra | lra | lra | exact D1 | exact BS
    | rewrite B0; exact (one_length (fx 20%nat) (norm3 (rounded binary64 fx TracedNormal.x_0) (rounded binary64 fx TracedNormal.y_0) (rounded binary64 fx TracedNormal.z_0)) (largest_of fx 1 * largest_of fx 2) (Q2R (value_of TracedNormal.NORMAL_SLACK)) PD ltac:(apply length_is_positive)) |].
  assert (B1 : base binary64 fx TracedNormal.length_1 =
    ((root (rounded binary64 fx TracedNormal.x_0) (rounded binary64 fx TracedNormal.y_0) (rounded binary64 fx TracedNormal.z_0)) * fx 20%nat + F2R (Float radix2 1 1) * ((root (rounded binary64 fx TracedNormal.x_1) (rounded binary64 fx TracedNormal.y_1) (rounded binary64 fx TracedNormal.z_1)) * fx 20%nat)) * third + fx 20%nat * (largest_of fx 1 * largest_of fx 2) * Q2R (value_of TracedNormal.NORMAL_SLACK)).
  { unfold value_of, TracedNormal.NORMAL_SLACK. rewrite number_is_F2R. reflexivity. }
  rewrite !root_is in B1.
  destruct (a_lower_bound_is_right binary64 TracedNormal.variables fx ex binary64_is_ieee G L P S TracedNormal.coefficient_1 TracedNormal.slack
    TracedNormal.length_1 TracedNormal.x_0 TracedNormal.y_0 TracedNormal.z_0 TracedNormal.x_1 TracedNormal.y_1 TracedNormal.z_1 (/ 3) (2 / 3) (value_of TracedNormal.VOLUME_SLACK) (value_of TracedNormal.NORMAL_SLACK)) as [K1 O1];
    [vm_compute; reflexivity | lra | lra | lra | exact D1 | exact BS
    | rewrite B1; exact (two_lengths (fx 20%nat) (norm3 (rounded binary64 fx TracedNormal.x_0) (rounded binary64 fx TracedNormal.y_0) (rounded binary64 fx TracedNormal.z_0)) (norm3 (rounded binary64 fx TracedNormal.x_1) (rounded binary64 fx TracedNormal.y_1) (rounded binary64 fx TracedNormal.z_1)) (largest_of fx 1 * largest_of fx 2) (Q2R (value_of TracedNormal.NORMAL_SLACK)) PD ltac:(apply length_is_positive) ltac:(apply length_is_positive)) |].
  assert (B2 : base binary64 fx TracedNormal.length_2 =
    (F2R (Float radix2 1 1) * ((root (rounded binary64 fx TracedNormal.x_1) (rounded binary64 fx TracedNormal.y_1) (rounded binary64 fx TracedNormal.z_1)) * fx 20%nat) + (root (rounded binary64 fx TracedNormal.x_2) (rounded binary64 fx TracedNormal.y_2) (rounded binary64 fx TracedNormal.z_2)) * fx 20%nat) * third + fx 20%nat * (largest_of fx 1 * largest_of fx 2) * Q2R (value_of TracedNormal.NORMAL_SLACK)).
  { unfold value_of, TracedNormal.NORMAL_SLACK. rewrite number_is_F2R. reflexivity. }
  rewrite !root_is in B2.
  destruct (a_lower_bound_is_right binary64 TracedNormal.variables fx ex binary64_is_ieee G L P S TracedNormal.coefficient_2 TracedNormal.slack
    TracedNormal.length_2 TracedNormal.x_1 TracedNormal.y_1 TracedNormal.z_1 TracedNormal.x_2 TracedNormal.y_2 TracedNormal.z_2 (2 / 3) (/ 3) (value_of TracedNormal.VOLUME_SLACK) (value_of TracedNormal.NORMAL_SLACK)) as [K2 O2];
    [vm_compute; reflexivity | lra | lra | lra | exact D1 | exact BS
    | rewrite B2; exact (two_lengths_turned (fx 20%nat) (norm3 (rounded binary64 fx TracedNormal.x_2) (rounded binary64 fx TracedNormal.y_2) (rounded binary64 fx TracedNormal.z_2)) (norm3 (rounded binary64 fx TracedNormal.x_1) (rounded binary64 fx TracedNormal.y_1) (rounded binary64 fx TracedNormal.z_1)) (largest_of fx 1 * largest_of fx 2) (Q2R (value_of TracedNormal.NORMAL_SLACK)) PD ltac:(apply length_is_positive) ltac:(apply length_is_positive)) |].
  assert (B3 : base binary64 fx TracedNormal.length_3 =
    (root (rounded binary64 fx TracedNormal.x_2) (rounded binary64 fx TracedNormal.y_2) (rounded binary64 fx TracedNormal.z_2)) * fx 20%nat + fx 20%nat * (largest_of fx 1 * largest_of fx 2) * Q2R (value_of TracedNormal.NORMAL_SLACK)).
  { unfold value_of, TracedNormal.NORMAL_SLACK. rewrite number_is_F2R. reflexivity. }
  rewrite !root_is in B3.
  destruct (a_lower_bound_is_right binary64 TracedNormal.variables fx ex binary64_is_ieee G L P S TracedNormal.coefficient_3 TracedNormal.slack
    TracedNormal.length_3 TracedNormal.x_2 TracedNormal.y_2 TracedNormal.z_2 TracedNormal.x_2 TracedNormal.y_2 TracedNormal.z_2 1 0 (value_of TracedNormal.VOLUME_SLACK) (value_of TracedNormal.NORMAL_SLACK)) as [K3 O3];
    [vm_compute; reflexivity | lra | lra | lra | exact D1 | exact BS
    | rewrite B3; exact (one_length (fx 20%nat) (norm3 (rounded binary64 fx TracedNormal.x_2) (rounded binary64 fx TracedNormal.y_2) (rounded binary64 fx TracedNormal.z_2)) (largest_of fx 1 * largest_of fx 2) (Q2R (value_of TracedNormal.NORMAL_SLACK)) PD ltac:(apply length_is_positive)) |].
  split; [|exact (conj O0 (conj O1 (conj O2 O3)))].
  eapply Rle_trans; [exact (raised _ _ _ _ _ _ _ _ _ _ _ _ x X K0 K1 K2 K3)|].
  apply Rplus_le_compat.
  - pose proof (right_is (ex 18%nat) (exact ex TracedNormal.c_0) (exact ex TracedNormal.c_1) (exact ex TracedNormal.c_2) (exact ex TracedNormal.c_3) (ex 19%nat * x)) as R.
    rewrite (the_cubic_above ex (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat))) in R. fold s in R.
    pose proof (left_is (ex 19%nat) (exact ex TracedNormal.b_0 * F2R (Float radix2 1 0)) (exact ex TracedNormal.b_1 * F2R (Float radix2 1 0))
      (exact ex TracedNormal.b_2 * F2R (Float radix2 1 0)) (exact ex TracedNormal.b_3 * F2R (Float radix2 1 0)) x) as E.
    change (cubic (exact ex TracedNormal.coefficient_0) (exact ex TracedNormal.coefficient_1) (exact ex TracedNormal.coefficient_2)
      (exact ex TracedNormal.coefficient_3) x = cubic (exact ex TracedNormal.b_0 * F2R (Float radix2 1 0)) (exact ex TracedNormal.b_1 * F2R (Float radix2 1 0))
      (exact ex TracedNormal.b_2 * F2R (Float radix2 1 0)) (exact ex TracedNormal.b_3 * F2R (Float radix2 1 0)) (ex 19%nat * x)) in E.
    change (cubic (exact ex TracedNormal.b_0) (exact ex TracedNormal.b_1) (exact ex TracedNormal.b_2) (exact ex TracedNormal.b_3) (ex 19%nat * x) =
      volume ex s) in R.
    rewrite E, <- R. replace (F2R (Float radix2 1 0)) with (1) by (unfold F2R; simpl; ring). unfold cubic. right. ring.
  - apply Ropp_le_contravar, Rmult_le_compat_l; [lra|].
    pose proof (a_length_is_convex (exact ex TracedNormal.x_0) (exact ex TracedNormal.y_0) (exact ex TracedNormal.z_0)
      (exact ex TracedNormal.x_1) (exact ex TracedNormal.y_1) (exact ex TracedNormal.z_1)
      (exact ex TracedNormal.x_2) (exact ex TracedNormal.y_2) (exact ex TracedNormal.z_2) x X) as C.
    rewrite the_x_above, the_y_above, the_z_above in C. exact C.
Qed.

Lemma the_cubic_below ex s : cubic (exact ex TracedNormalBelow.c_0) (exact ex TracedNormalBelow.c_1) (exact ex TracedNormalBelow.c_2) (exact ex TracedNormalBelow.c_3) s = volume ex s.
Proof. cbv -[Rplus Rmult Rminus Ropp Rinv IZR Q2R]. rewrite !third_is. field. Qed.

Lemma the_x_below ex x : square (exact ex TracedNormalBelow.x_0) (exact ex TracedNormalBelow.x_1) (exact ex TracedNormalBelow.x_2) x =
  normal_at ex 1 2 (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat)).
Proof.
  cbv -[Rplus Rmult Rminus Ropp Rinv IZR F2R radix2]. rewrite ?whole_is, ?half_is. field.
Qed.

Lemma the_y_below ex x : square (exact ex TracedNormalBelow.y_0) (exact ex TracedNormalBelow.y_1) (exact ex TracedNormalBelow.y_2) x =
  normal_at ex 2 0 (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat)).
Proof.
  cbv -[Rplus Rmult Rminus Ropp Rinv IZR F2R radix2]. rewrite ?whole_is, ?half_is. field.
Qed.

Lemma the_z_below ex x : square (exact ex TracedNormalBelow.z_0) (exact ex TracedNormalBelow.z_1) (exact ex TracedNormalBelow.z_2) x =
  normal_at ex 0 1 (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat)).
Proof.
  cbv -[Rplus Rmult Rminus Ropp Rinv IZR F2R radix2]. rewrite ?whole_is, ?half_is. field.
Qed.

Theorem normal_below fx ex : inputs binary64 TracedNormalBelow.variables fx ex ->
  largest_are_first fx -> parts_are_parts ex -> 0 <= fx 20%nat <= 1 -> forall x, 0 <= x <= 1 ->
  let low c := rounded binary64 fx c in
  let s := ex 18%nat + ex 19%nat * x * (1 - ex 18%nat) in
  cubic (low TracedNormalBelow.low_0) (low TracedNormalBelow.low_1) (low TracedNormalBelow.low_2) (low TracedNormalBelow.low_3) x
  <= - volume ex s - fx 20%nat * normal_length ex s /\
  nothing_overflows binary64 fx TracedNormalBelow.low_0 /\ nothing_overflows binary64 fx TracedNormalBelow.low_1 /\
  nothing_overflows binary64 fx TracedNormalBelow.low_2 /\ nothing_overflows binary64 fx TracedNormalBelow.low_3.
Proof.
  intros G L P D1 x X low s. unfold low.
  assert (PD : 0 <= fx 20%nat) by lra.
  assert (S : forall g, In g (1 :: 2 :: 3 :: nil)%nat -> largest_of fx g <= 2).
  { intros g H. destruct (G (6 * (g - 1))%nat) as (_ & _ & _ & _ & B & _). unfold largest_of.
    eapply Rle_trans; [exact B|].
    simpl in H. destruct H as [<-|[<-|[<-|[]]]]; unfold size_in; simpl; unfold Q2R; simpl; lra. }
  assert (BS : base binary64 fx TracedNormalBelow.slack =
    largest_of fx 1 * largest_of fx 2 * largest_of fx 3 * Q2R (value_of TracedNormalBelow.VOLUME_SLACK) + 0).
  { unfold value_of, TracedNormalBelow.VOLUME_SLACK. rewrite number_is_F2R. reflexivity. }
  assert (B0 : base binary64 fx TracedNormalBelow.length_0 =
    (root (rounded binary64 fx TracedNormalBelow.x_0) (rounded binary64 fx TracedNormalBelow.y_0) (rounded binary64 fx TracedNormalBelow.z_0)) * fx 20%nat + fx 20%nat * (largest_of fx 1 * largest_of fx 2) * Q2R (value_of TracedNormalBelow.NORMAL_SLACK)).
  { unfold value_of, TracedNormalBelow.NORMAL_SLACK. rewrite number_is_F2R. reflexivity. }
  rewrite !root_is in B0.
  destruct (a_lower_bound_is_right binary64 TracedNormalBelow.variables fx ex binary64_is_ieee G L P S TracedNormalBelow.coefficient_0 TracedNormalBelow.slack
    TracedNormalBelow.length_0 TracedNormalBelow.x_0 TracedNormalBelow.y_0 TracedNormalBelow.z_0 TracedNormalBelow.x_0 TracedNormalBelow.y_0 TracedNormalBelow.z_0 1 0 (value_of TracedNormalBelow.VOLUME_SLACK) (value_of TracedNormalBelow.NORMAL_SLACK)) as [K0 O0];
    [vm_compute; reflexivity | lra | lra | lra | exact D1 | exact BS
    | rewrite B0; exact (one_length (fx 20%nat) (norm3 (rounded binary64 fx TracedNormalBelow.x_0) (rounded binary64 fx TracedNormalBelow.y_0) (rounded binary64 fx TracedNormalBelow.z_0)) (largest_of fx 1 * largest_of fx 2) (Q2R (value_of TracedNormalBelow.NORMAL_SLACK)) PD ltac:(apply length_is_positive)) |].
  assert (B1 : base binary64 fx TracedNormalBelow.length_1 =
    ((root (rounded binary64 fx TracedNormalBelow.x_0) (rounded binary64 fx TracedNormalBelow.y_0) (rounded binary64 fx TracedNormalBelow.z_0)) * fx 20%nat + F2R (Float radix2 1 1) * ((root (rounded binary64 fx TracedNormalBelow.x_1) (rounded binary64 fx TracedNormalBelow.y_1) (rounded binary64 fx TracedNormalBelow.z_1)) * fx 20%nat)) * third + fx 20%nat * (largest_of fx 1 * largest_of fx 2) * Q2R (value_of TracedNormalBelow.NORMAL_SLACK)).
  { unfold value_of, TracedNormalBelow.NORMAL_SLACK. rewrite number_is_F2R. reflexivity. }
  rewrite !root_is in B1.
  destruct (a_lower_bound_is_right binary64 TracedNormalBelow.variables fx ex binary64_is_ieee G L P S TracedNormalBelow.coefficient_1 TracedNormalBelow.slack
    TracedNormalBelow.length_1 TracedNormalBelow.x_0 TracedNormalBelow.y_0 TracedNormalBelow.z_0 TracedNormalBelow.x_1 TracedNormalBelow.y_1 TracedNormalBelow.z_1 (/ 3) (2 / 3) (value_of TracedNormalBelow.VOLUME_SLACK) (value_of TracedNormalBelow.NORMAL_SLACK)) as [K1 O1];
    [vm_compute; reflexivity | lra | lra | lra | exact D1 | exact BS
    | rewrite B1; exact (two_lengths (fx 20%nat) (norm3 (rounded binary64 fx TracedNormalBelow.x_0) (rounded binary64 fx TracedNormalBelow.y_0) (rounded binary64 fx TracedNormalBelow.z_0)) (norm3 (rounded binary64 fx TracedNormalBelow.x_1) (rounded binary64 fx TracedNormalBelow.y_1) (rounded binary64 fx TracedNormalBelow.z_1)) (largest_of fx 1 * largest_of fx 2) (Q2R (value_of TracedNormalBelow.NORMAL_SLACK)) PD ltac:(apply length_is_positive) ltac:(apply length_is_positive)) |].
  assert (B2 : base binary64 fx TracedNormalBelow.length_2 =
    (F2R (Float radix2 1 1) * ((root (rounded binary64 fx TracedNormalBelow.x_1) (rounded binary64 fx TracedNormalBelow.y_1) (rounded binary64 fx TracedNormalBelow.z_1)) * fx 20%nat) + (root (rounded binary64 fx TracedNormalBelow.x_2) (rounded binary64 fx TracedNormalBelow.y_2) (rounded binary64 fx TracedNormalBelow.z_2)) * fx 20%nat) * third + fx 20%nat * (largest_of fx 1 * largest_of fx 2) * Q2R (value_of TracedNormalBelow.NORMAL_SLACK)).
  { unfold value_of, TracedNormalBelow.NORMAL_SLACK. rewrite number_is_F2R. reflexivity. }
  rewrite !root_is in B2.
  destruct (a_lower_bound_is_right binary64 TracedNormalBelow.variables fx ex binary64_is_ieee G L P S TracedNormalBelow.coefficient_2 TracedNormalBelow.slack
    TracedNormalBelow.length_2 TracedNormalBelow.x_1 TracedNormalBelow.y_1 TracedNormalBelow.z_1 TracedNormalBelow.x_2 TracedNormalBelow.y_2 TracedNormalBelow.z_2 (2 / 3) (/ 3) (value_of TracedNormalBelow.VOLUME_SLACK) (value_of TracedNormalBelow.NORMAL_SLACK)) as [K2 O2];
    [vm_compute; reflexivity | lra | lra | lra | exact D1 | exact BS
    | rewrite B2; exact (two_lengths_turned (fx 20%nat) (norm3 (rounded binary64 fx TracedNormalBelow.x_2) (rounded binary64 fx TracedNormalBelow.y_2) (rounded binary64 fx TracedNormalBelow.z_2)) (norm3 (rounded binary64 fx TracedNormalBelow.x_1) (rounded binary64 fx TracedNormalBelow.y_1) (rounded binary64 fx TracedNormalBelow.z_1)) (largest_of fx 1 * largest_of fx 2) (Q2R (value_of TracedNormalBelow.NORMAL_SLACK)) PD ltac:(apply length_is_positive) ltac:(apply length_is_positive)) |].
  assert (B3 : base binary64 fx TracedNormalBelow.length_3 =
    (root (rounded binary64 fx TracedNormalBelow.x_2) (rounded binary64 fx TracedNormalBelow.y_2) (rounded binary64 fx TracedNormalBelow.z_2)) * fx 20%nat + fx 20%nat * (largest_of fx 1 * largest_of fx 2) * Q2R (value_of TracedNormalBelow.NORMAL_SLACK)).
  { unfold value_of, TracedNormalBelow.NORMAL_SLACK. rewrite number_is_F2R. reflexivity. }
  rewrite !root_is in B3.
  destruct (a_lower_bound_is_right binary64 TracedNormalBelow.variables fx ex binary64_is_ieee G L P S TracedNormalBelow.coefficient_3 TracedNormalBelow.slack
    TracedNormalBelow.length_3 TracedNormalBelow.x_2 TracedNormalBelow.y_2 TracedNormalBelow.z_2 TracedNormalBelow.x_2 TracedNormalBelow.y_2 TracedNormalBelow.z_2 1 0 (value_of TracedNormalBelow.VOLUME_SLACK) (value_of TracedNormalBelow.NORMAL_SLACK)) as [K3 O3];
    [vm_compute; reflexivity | lra | lra | lra | exact D1 | exact BS
    | rewrite B3; exact (one_length (fx 20%nat) (norm3 (rounded binary64 fx TracedNormalBelow.x_2) (rounded binary64 fx TracedNormalBelow.y_2) (rounded binary64 fx TracedNormalBelow.z_2)) (largest_of fx 1 * largest_of fx 2) (Q2R (value_of TracedNormalBelow.NORMAL_SLACK)) PD ltac:(apply length_is_positive)) |].
  split; [|exact (conj O0 (conj O1 (conj O2 O3)))].
  eapply Rle_trans; [exact (raised _ _ _ _ _ _ _ _ _ _ _ _ x X K0 K1 K2 K3)|].
  apply Rplus_le_compat.
  - pose proof (right_is (ex 18%nat) (exact ex TracedNormalBelow.c_0) (exact ex TracedNormalBelow.c_1) (exact ex TracedNormalBelow.c_2) (exact ex TracedNormalBelow.c_3) (ex 19%nat * x)) as R.
    rewrite (the_cubic_below ex (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat))) in R. fold s in R.
    pose proof (left_is (ex 19%nat) (exact ex TracedNormalBelow.b_0 * F2R (Float radix2 (-1) 0)) (exact ex TracedNormalBelow.b_1 * F2R (Float radix2 (-1) 0))
      (exact ex TracedNormalBelow.b_2 * F2R (Float radix2 (-1) 0)) (exact ex TracedNormalBelow.b_3 * F2R (Float radix2 (-1) 0)) x) as E.
    change (cubic (exact ex TracedNormalBelow.coefficient_0) (exact ex TracedNormalBelow.coefficient_1) (exact ex TracedNormalBelow.coefficient_2)
      (exact ex TracedNormalBelow.coefficient_3) x = cubic (exact ex TracedNormalBelow.b_0 * F2R (Float radix2 (-1) 0)) (exact ex TracedNormalBelow.b_1 * F2R (Float radix2 (-1) 0))
      (exact ex TracedNormalBelow.b_2 * F2R (Float radix2 (-1) 0)) (exact ex TracedNormalBelow.b_3 * F2R (Float radix2 (-1) 0)) (ex 19%nat * x)) in E.
    change (cubic (exact ex TracedNormalBelow.b_0) (exact ex TracedNormalBelow.b_1) (exact ex TracedNormalBelow.b_2) (exact ex TracedNormalBelow.b_3) (ex 19%nat * x) =
      volume ex s) in R.
    rewrite E, <- R. replace (F2R (Float radix2 (-1) 0)) with ((-1)) by (unfold F2R; simpl; ring). unfold cubic. right. ring.
  - apply Ropp_le_contravar, Rmult_le_compat_l; [lra|].
    pose proof (a_length_is_convex (exact ex TracedNormalBelow.x_0) (exact ex TracedNormalBelow.y_0) (exact ex TracedNormalBelow.z_0)
      (exact ex TracedNormalBelow.x_1) (exact ex TracedNormalBelow.y_1) (exact ex TracedNormalBelow.z_1)
      (exact ex TracedNormalBelow.x_2) (exact ex TracedNormalBelow.y_2) (exact ex TracedNormalBelow.z_2) x X) as C.
    rewrite the_x_below, the_y_below, the_z_below in C. exact C.
Qed.
