(* What the series of a rotation by a straight rotation vector leave out (docs/numerics.md, 9.12): GZ_ROTVEC_COSINE,
   GZ_ROTVEC_SINE, GZ_ROTVEC_REST. With z the root of s, C = cos z, F = sin z / z, G = (1 - cos z) / s, as functions of s. *)
From Coq Require Import Reals QArith Qreals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
Require Import Rounding Given.
Open Scope R_scope.

(* ---- comparison by derivatives ---- *)

Lemma a_rising_function (f d : R -> R) x : 0 <= x -> (forall y, 0 <= y <= x -> is_derive f y (d y)) ->
  (forall y, 0 <= y <= x -> 0 <= d y) -> f 0 <= f x.
Proof.
  intros X D P. destruct (Rle_lt_or_eq_dec 0 x X) as [L|E]; [|subst x; lra].
  destruct (MVT_gen f 0 x d) as (c & C & M).
  - intros y Y. rewrite Rmin_left, Rmax_right in Y by lra. apply D. lra.
  - intros y Y. rewrite Rmin_left, Rmax_right in Y by lra. apply continuity_pt_filterlim, (ex_derive_continuous f y).
    exists (d y). apply D. lra.
  - rewrite Rmin_left, Rmax_right in C by lra. pose proof (Rmult_le_pos (d c) (x - 0) (P c C) ltac:(lra)). lra.
Qed.

(* f no larger than g in size, where their derivatives are so and both begin at 0 *)
Lemma compared (f g df dg : R -> R) x : (forall y, 0 <= y <= x -> is_derive f y (df y)) ->
  (forall y, 0 <= y <= x -> is_derive g y (dg y)) -> f 0 = 0 -> g 0 = 0 ->
  (forall y, 0 <= y <= x -> Rabs (df y) <= dg y) -> 0 <= x -> Rabs (f x) <= g x.
Proof.
  intros F G F0 G0 B X. apply Rabs_le. split.
  - pose proof (a_rising_function (fun y => g y + f y) (fun y => dg y + df y) x X) as H. cbv beta in H. rewrite F0, G0 in H.
    enough (0 + 0 <= g x + f x) by lra. apply H; auto.
    + intros y Y. apply (is_derive_plus g f); auto.
    + intros y Y. pose proof (B y Y) as Q. apply Rabs_le_between in Q. lra.
  - pose proof (a_rising_function (fun y => g y - f y) (fun y => dg y - df y) x X) as H. cbv beta in H. rewrite F0, G0 in H.
    enough (0 - 0 <= g x - f x) by lra. apply H; auto.
    + intros y Y. apply (is_derive_minus g f); auto.
    + intros y Y. pose proof (B y Y) as Q. apply Rabs_le_between in Q. lra.
Qed.

(* Taylor's formula to the third order, from a to a + h. *)
Section Taylor.
Variables (f0 f1 f2 f3 f4 : R -> R) (M a sign x : R).
Hypothesis D0 : forall s, 0 < s -> is_derive f0 s (f1 s).
Hypothesis D1 : forall s, 0 < s -> is_derive f1 s (f2 s).
Hypothesis D2 : forall s, 0 < s -> is_derive f2 s (f3 s).
Hypothesis D3 : forall s, 0 < s -> is_derive f3 s (f4 s).
Hypothesis bound : forall y, 0 <= y <= x -> Rabs (f4 (a + sign * y)) <= M.
Hypothesis is_sign : sign = 1 \/ sign = -1.
Hypothesis within : forall y, 0 <= y <= x -> 0 < a + sign * y.
Hypothesis Px : 0 <= x.

Lemma shifted (f d : R -> R) y : (forall s, 0 < s -> is_derive f s (d s)) -> 0 <= y <= x ->
  is_derive (fun t => f (a + sign * t)) y (sign * d (a + sign * y)).
Proof.
  intros D Y. apply (is_derive_comp f (fun t => a + sign * t)).
  - apply D. now apply within.
  - auto_derive; [trivial | ring].
Qed.
Lemma of_sign r : Rabs (sign * r) = Rabs r.
Proof.
  rewrite Rabs_mult. destruct is_sign as [-> | ->]; [rewrite Rabs_R1 | rewrite Rabs_left by lra]; ring.
Qed.
Lemma at_0 (f : R -> R) : f (a + sign * 0) = f a.
Proof. f_equal. ring. Qed.

Lemma third y : 0 <= y <= x -> Rabs (f3 (a + sign * y) - f3 a) <= M * y.
Proof.
  intros Y. apply (compared (fun t => f3 (a + sign * t) - f3 a) (fun t => M * t)
    (fun t => sign * f4 (a + sign * t) - 0) (fun _ => M)); try lra.
  - intros z Z. apply (is_derive_minus (fun t => f3 (a + sign * t)) (fun _ => f3 a)).
    + apply shifted; auto. lra.
    + auto_derive; auto.
  - intros z Z. auto_derive; [trivial | ring].
  - rewrite at_0. ring.
  - intros z Z. rewrite Rminus_0_r, of_sign. apply bound. lra.
Qed.
Lemma second y : 0 <= y <= x -> Rabs (f2 (a + sign * y) - (f2 a + f3 a * (sign * y))) <= M / 2 * y ^ 2.
Proof.
  intros Y. apply (compared (fun t => f2 (a + sign * t) - (f2 a + f3 a * (sign * t))) (fun t => M / 2 * t ^ 2)
    (fun t => sign * f3 (a + sign * t) - sign * f3 a) (fun t => M * t)); try lra.
  - intros z Z. apply (is_derive_minus (fun t => f2 (a + sign * t)) (fun t => f2 a + f3 a * (sign * t))).
    + apply shifted; auto. lra.
    + auto_derive; [trivial | ring].
  - intros z Z. auto_derive; [trivial | simpl; field].
  - rewrite at_0. ring.
  - intros z Z. rewrite <- Rmult_minus_distr_l, of_sign. apply third. lra.
Qed.
Lemma first y : 0 <= y <= x ->
  Rabs (f1 (a + sign * y) - (f1 a + f2 a * (sign * y) + f3 a / 2 * (sign * y) ^ 2)) <= M / 6 * y ^ 3.
Proof.
  intros Y. apply (compared (fun t => f1 (a + sign * t) - (f1 a + f2 a * (sign * t) + f3 a / 2 * (sign * t) ^ 2))
    (fun t => M / 6 * t ^ 3)
    (fun t => sign * f2 (a + sign * t) - sign * (f2 a + f3 a * (sign * t))) (fun t => M / 2 * t ^ 2)); try lra.
  - intros z Z. apply (is_derive_minus (fun t => f1 (a + sign * t)) (fun t => f1 a + f2 a * (sign * t) + f3 a / 2 * (sign * t) ^ 2)).
    + apply shifted; auto. lra.
    + auto_derive; [trivial | simpl; field].
  - intros z Z. auto_derive; [trivial | simpl; field].
  - rewrite at_0. ring.
  - intros z Z. rewrite <- Rmult_minus_distr_l, of_sign. apply second. lra.
Qed.
Lemma taylor_of_sign y : 0 <= y <= x -> Rabs (f0 (a + sign * y) -
  (f0 a + f1 a * (sign * y) + f2 a / 2 * (sign * y) ^ 2 + f3 a / 6 * (sign * y) ^ 3)) <= M / 24 * y ^ 4.
Proof.
  intros Y. apply (compared (fun t => f0 (a + sign * t) - (f0 a + f1 a * (sign * t) + f2 a / 2 * (sign * t) ^ 2 +
      f3 a / 6 * (sign * t) ^ 3)) (fun t => M / 24 * t ^ 4)
    (fun t => sign * f1 (a + sign * t) - sign * (f1 a + f2 a * (sign * t) + f3 a / 2 * (sign * t) ^ 2))
    (fun t => M / 6 * t ^ 3)); try lra.
  - intros z Z. apply (is_derive_minus (fun t => f0 (a + sign * t)) (fun t => f0 a + f1 a * (sign * t) +
      f2 a / 2 * (sign * t) ^ 2 + f3 a / 6 * (sign * t) ^ 3)).
    + apply shifted; auto. lra.
    + auto_derive; [trivial | simpl; field].
  - intros z Z. auto_derive; [trivial | simpl; field].
  - rewrite at_0. ring.
  - intros z Z. rewrite <- Rmult_minus_distr_l, of_sign. apply first. lra.
Qed.
End Taylor.

Lemma taylor (f0 f1 f2 f3 f4 : R -> R) M a b :
  (forall s, 0 < s -> is_derive f0 s (f1 s)) -> (forall s, 0 < s -> is_derive f1 s (f2 s)) ->
  (forall s, 0 < s -> is_derive f2 s (f3 s)) -> (forall s, 0 < s -> is_derive f3 s (f4 s)) ->
  0 < a -> 0 < b -> (forall s, Rmin a b <= s -> Rabs (f4 s) <= M) ->
  Rabs (f0 b - (f0 a + f1 a * (b - a) + f2 a / 2 * (b - a) ^ 2 + f3 a / 6 * (b - a) ^ 3)) <= M / 24 * (b - a) ^ 4.
Proof.
  intros D0 D1 D2 D3 A B H. destruct (Rle_or_lt a b) as [L|L].
  - rewrite Rmin_left in H by lra.
    pose proof (taylor_of_sign f0 f1 f2 f3 f4 M a 1 (b - a) D0 D1 D2 D3) as T.
    specialize (T ltac:(intros; apply H; lra) ltac:(lra) ltac:(intros; lra) (b - a) ltac:(lra)).
    replace (a + 1 * (b - a)) with b in T by ring. rewrite Rmult_1_l in T. exact T.
  - rewrite Rmin_right in H by lra.
    pose proof (taylor_of_sign f0 f1 f2 f3 f4 M a (-1) (a - b) D0 D1 D2 D3) as T.
    specialize (T ltac:(intros; apply H; lra) ltac:(lra) ltac:(intros; lra) (a - b) ltac:(lra)).
    replace (a + -1 * (a - b)) with b in T by ring. replace (-1 * (a - b)) with (b - a) in T by ring.
    replace ((b - a) ^ 4) with ((a - b) ^ 4) by ring. exact T.
Qed.

(* ---- the derivatives, times powers of z ---- *)

Definition H0 (z : R) := sin z.
Definition H1 (z : R) := (z * cos z - sin z) / 2.
Definition H2 (z : R) := (3 * sin z - 3 * z * cos z - z ^ 2 * sin z) / 4.
Definition H3 (z : R) := (- z ^ 3 * cos z + 6 * z ^ 2 * sin z + 15 * z * cos z - 15 * sin z) / 8.
Definition H4 (z : R) := (z ^ 4 * sin z + 10 * z ^ 3 * cos z - 45 * z ^ 2 * sin z - 105 * z * cos z + 105 * sin z) / 16.

Lemma H0_derives z : is_derive H0 z (cos z).
Proof. unfold H0. auto_derive; [trivial | ring]. Qed.
Lemma H1_derives z : is_derive H1 z (- z * H0 z / 2).
Proof. unfold H1, H0. auto_derive; [trivial | field]. Qed.
Lemma H2_derives z : is_derive H2 z (- z * H1 z / 2).
Proof. unfold H2, H1. auto_derive; [trivial | field]. Qed.
Lemma H3_derives z : is_derive H3 z (- z * H2 z / 2).
Proof. unfold H3, H2. auto_derive; [trivial | field]. Qed.
Lemma H4_derives z : is_derive H4 z (- z * H3 z / 2).
Proof. unfold H4, H3. auto_derive; [trivial | field]. Qed.

(* One bound after the other: H_k is at most c z^n, so H_{k+1} is at most c / (2 (n + 2)) z^(n + 2). *)
Lemma next_bound (f h : R -> R) c n : (forall z, is_derive f z (- z * h z / 2)) -> f 0 = 0 ->
  (forall z, 0 <= z -> Rabs (h z) <= c * z ^ n) ->
  forall z, 0 <= z -> Rabs (f z) <= c / (2 * INR (n + 2)) * z ^ (n + 2).
Proof.
  intros D F0 B. assert (N : 0 < INR (n + 2)) by (apply lt_0_INR; lia).
  intros z Z.
  apply (compared f (fun z => c / (2 * INR (n + 2)) * z ^ (n + 2)) (fun z => - z * h z / 2) (fun z => c / 2 * z ^ (n + 1))); auto.
  - intros y Y. auto_derive; [trivial|]. replace (pred (n + 2)) with (n + 1)%nat by lia. field. lra.
  - replace (n + 2)%nat with (S (n + 1)) by lia. simpl. ring.
  - intros y Y. replace (- y * h y / 2) with (- (y / 2 * h y)) by field. rewrite Rabs_Ropp, Rabs_mult.
    rewrite (Rabs_pos_eq (y / 2)) by lra. replace (n + 1)%nat with (S n) by lia.
    replace (c / 2 * y ^ S n) with (y / 2 * (c * y ^ n)) by (simpl; field).
    apply Rmult_le_compat_l; [lra | apply B; lra].
Qed.

Lemma H0_is_at_most z : 0 <= z -> Rabs (H0 z) <= 1 * z ^ 1.
Proof.
  apply (compared H0 (fun z => 1 * z ^ 1) cos (fun _ => 1) z); intros; auto.
  - apply H0_derives.
  - auto_derive; [trivial | ring].
  - apply sin_0.
  - ring.
  - apply Rabs_le, COS_bound.
Qed.
Lemma H1_is_at_most z : 0 <= z -> Rabs (H1 z) <= / 6 * z ^ 3.
Proof.
  intros Z. replace (/ 6) with (1 / (2 * INR (1 + 2))) by (simpl; field). apply (next_bound H1 H0 1 1); auto.
  - apply H1_derives.
  - unfold H1. rewrite sin_0. field.
  - apply H0_is_at_most.
Qed.
Lemma H2_is_at_most z : 0 <= z -> Rabs (H2 z) <= / 60 * z ^ 5.
Proof.
  intros Z. replace (/ 60) with (/ 6 / (2 * INR (3 + 2))) by (simpl; field). apply (next_bound H2 H1 (/ 6) 3); auto.
  - apply H2_derives.
  - unfold H2. rewrite sin_0. field.
  - apply H1_is_at_most.
Qed.
Lemma H3_is_at_most z : 0 <= z -> Rabs (H3 z) <= / 840 * z ^ 7.
Proof.
  intros Z. replace (/ 840) with (/ 60 / (2 * INR (5 + 2))) by (simpl; field). apply (next_bound H3 H2 (/ 60) 5); auto.
  - apply H3_derives.
  - unfold H3. rewrite sin_0. field.
  - apply H2_is_at_most.
Qed.
Lemma H4_is_at_most z : 0 <= z -> Rabs (H4 z) <= / 15120 * z ^ 9.
Proof.
  intros Z. replace (/ 15120) with (/ 840 / (2 * INR (7 + 2))) by (simpl; field). apply (next_bound H4 H3 (/ 840) 7); auto.
  - apply H4_derives.
  - unfold H4. rewrite sin_0. field.
  - apply H3_is_at_most.
Qed.

(* K_k = z^(2 k + 2) times derivative k of G: its derivative by z is H_k. *)
Definition K0 (z : R) := 1 - cos z.
Definition K1 (z : R) := (z * sin z) / 2 - (1 - cos z).
Definition K2 (z : R) := 2 * (1 - cos z) - 5 / 4 * z * sin z + z ^ 2 * cos z / 4.
Definition K3 (z : R) := - 6 * (1 - cos z) + 33 / 8 * z * sin z - 9 / 8 * z ^ 2 * cos z - z ^ 3 * sin z / 8.
Definition K4 (z : R) := 24 * (1 - cos z) - 279 / 16 * z * sin z + 87 / 16 * z ^ 2 * cos z + 7 / 8 * z ^ 3 * sin z - z ^ 4 * cos z / 16.
Lemma K0_derives z : is_derive K0 z (H0 z).
Proof. unfold K0, H0. auto_derive; [trivial | ring]. Qed.
Lemma K1_derives z : is_derive K1 z (H1 z).
Proof. unfold K1, H1. auto_derive; [trivial | field]. Qed.
Lemma K2_derives z : is_derive K2 z (H2 z).
Proof. unfold K2, H2. auto_derive; [trivial | field]. Qed.
Lemma K3_derives z : is_derive K3 z (H3 z).
Proof. unfold K3, H3. auto_derive; [trivial | field]. Qed.
Lemma K4_derives z : is_derive K4 z (H4 z).
Proof. unfold K4, H4. auto_derive; [trivial | field]. Qed.

Lemma K4_is_at_most z : 0 <= z -> Rabs (K4 z) <= / 151200 * z ^ 10.
Proof.
  intros Z. apply (compared K4 (fun z => / 151200 * z ^ 10) H4 (fun z => / 15120 * z ^ 9)); auto.
  - intros y _. apply K4_derives.
  - intros y _. auto_derive; [trivial | simpl; field].
  - unfold K4. rewrite sin_0, cos_0. field.
  - simpl. ring.
  - intros y Y. apply H4_is_at_most. lra.
Qed.

(* ---- as functions of s ---- *)

Definition C0 (s : R) := cos (sqrt s).
Definition F0 (s : R) := H0 (sqrt s) / sqrt s.
Definition F1 (s : R) := H1 (sqrt s) / sqrt s ^ 3.
Definition F2 (s : R) := H2 (sqrt s) / sqrt s ^ 5.
Definition F3 (s : R) := H3 (sqrt s) / sqrt s ^ 7.
Definition F4 (s : R) := H4 (sqrt s) / sqrt s ^ 9.
Definition G0 (s : R) := K0 (sqrt s) / sqrt s ^ 2.
Definition G1 (s : R) := K1 (sqrt s) / sqrt s ^ 4.
Definition G2 (s : R) := K2 (sqrt s) / sqrt s ^ 6.
Definition G3 (s : R) := K3 (sqrt s) / sqrt s ^ 8.
Definition G4 (s : R) := K4 (sqrt s) / sqrt s ^ 10.

Ltac derives s S := assert (0 < sqrt s) by (now apply sqrt_lt_R0); auto_derive;
  [repeat split; auto; repeat (apply Rmult_integral_contrapositive_currified || apply pow_nonzero); lra | simpl; field; lra].
Lemma C0_derives s : 0 < s -> is_derive C0 s (- F0 s / 2).
Proof. intros S. unfold C0, F0, H0. derives s S. Qed.
Lemma F0_derives s : 0 < s -> is_derive F0 s (F1 s).
Proof. intros S. unfold F0, F1, H0, H1. derives s S. Qed.
Lemma F1_derives s : 0 < s -> is_derive F1 s (F2 s).
Proof. intros S. unfold F1, F2, H1, H2. derives s S. Qed.
Lemma F2_derives s : 0 < s -> is_derive F2 s (F3 s).
Proof. intros S. unfold F2, F3, H2, H3. derives s S. Qed.
Lemma F3_derives s : 0 < s -> is_derive F3 s (F4 s).
Proof. intros S. unfold F3, F4, H3, H4. derives s S. Qed.
Lemma G0_derives s : 0 < s -> is_derive G0 s (G1 s).
Proof. intros S. unfold G0, G1, K0, K1. derives s S. Qed.
Lemma G1_derives s : 0 < s -> is_derive G1 s (G2 s).
Proof. intros S. unfold G1, G2, K1, K2. derives s S. Qed.
Lemma G2_derives s : 0 < s -> is_derive G2 s (G3 s).
Proof. intros S. unfold G2, G3, K2, K3. derives s S. Qed.
Lemma G3_derives s : 0 < s -> is_derive G3 s (G4 s).
Proof. intros S. unfold G3, G4, K3, K4. derives s S. Qed.
Lemma a_quotient_is_at_most f c z n : 0 < z -> Rabs f <= c * z ^ n -> Rabs (f / z ^ n) <= c.
Proof.
  intros Z H. assert (P : 0 < z ^ n) by now apply pow_lt.
  unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ z ^ n)) by (left; now apply Rinv_0_lt_compat).
  apply Rmult_le_reg_r with (z ^ n); auto. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact H.
Qed.
