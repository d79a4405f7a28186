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

(* ---- far from 0 ---- *)

Lemma of_modulus a b z : (a * sin z + b * cos z) ^ 2 <= a ^ 2 + b ^ 2.
Proof.
  pose proof (sin2_cos2 z) as E. unfold Rsqr in E. set (s := sin z) in *. set (c := cos z) in *.
  assert (I : a ^ 2 + b ^ 2 = (a * s + b * c) ^ 2 + (a * c - b * s) ^ 2 + (a ^ 2 + b ^ 2) * (1 - (s * s + c * c))) by ring.
  rewrite E in I. pose proof (pow2_ge_0 (a * c - b * s)). lra.
Qed.
Lemma from_square x y : 0 <= y -> x ^ 2 <= y ^ 2 -> Rabs x <= y.
Proof.
  intros Y H. apply Rsqr_incr_0_var; auto. rewrite <- Rsqr_abs. unfold Rsqr. simpl in H. lra.
Qed.

(* Where z is large the sizes of the sine and the cosine alone tell. *)
Lemma H3_by_modulus z : H3 z ^ 2 <= (z ^ 6 + 6 * z ^ 4 + 45 * z ^ 2 + 225) / 64.
Proof.
  pose proof (of_modulus (6 * z ^ 2 - 15) (15 * z - z ^ 3) z) as M.
  replace (H3 z) with (((6 * z ^ 2 - 15) * sin z + (15 * z - z ^ 3) * cos z) / 8) by (unfold H3; field).
  set (x := (6 * z ^ 2 - 15) * sin z + (15 * z - z ^ 3) * cos z) in *.
  replace ((x / 8) ^ 2) with (x ^ 2 / 64) by field.
  replace ((6 * z ^ 2 - 15) ^ 2 + (15 * z - z ^ 3) ^ 2) with (z ^ 6 + 6 * z ^ 4 + 45 * z ^ 2 + 225) in M by ring. lra.
Qed.
Lemma H4_by_modulus z : H4 z ^ 2 <= (z ^ 8 + 10 * z ^ 6 + 135 * z ^ 4 + 1575 * z ^ 2 + 11025) / 256.
Proof.
  pose proof (of_modulus (z ^ 4 - 45 * z ^ 2 + 105) (10 * z ^ 3 - 105 * z) z) as M.
  replace (H4 z) with (((z ^ 4 - 45 * z ^ 2 + 105) * sin z + (10 * z ^ 3 - 105 * z) * cos z) / 16) by (unfold H4; field).
  set (x := (z ^ 4 - 45 * z ^ 2 + 105) * sin z + (10 * z ^ 3 - 105 * z) * cos z) in *.
  replace ((x / 16) ^ 2) with (x ^ 2 / 256) by field.
  replace ((z ^ 4 - 45 * z ^ 2 + 105) ^ 2 + (10 * z ^ 3 - 105 * z) ^ 2) with
    (z ^ 8 + 10 * z ^ 6 + 135 * z ^ 4 + 1575 * z ^ 2 + 11025) in M by ring. lra.
Qed.

(* In between, the first terms of their own series do: |H_k - p| <= c z^n carries over from H_0 = sin z as next_bound does. *)
Lemma next_series (f h p q : R -> R) c n : (forall z, is_derive f z (- z * h z / 2)) -> (forall z, is_derive q z (- z * p z / 2)) ->
  f 0 = 0 -> q 0 = 0 -> (forall z, 0 <= z -> Rabs (h z - p z) <= c * z ^ n) ->
  forall z, 0 <= z -> Rabs (f z - q z) <= c / (2 * INR (n + 2)) * z ^ (n + 2).
Proof.
  intros D E F0 Q0 B. apply (next_bound (fun z => f z - q z) (fun z => h z - p z) c n); auto.
  - intros z. replace (- z * (h z - p z) / 2) with (- z * h z / 2 - - z * p z / 2) by field.
    apply (is_derive_minus f q); auto.
  - rewrite F0, Q0. ring.
Qed.

(* sin z = z - z^3 / 6, off by z^5 / 120 *)
Lemma sine_series z : 0 <= z -> Rabs (H0 z - (z - z ^ 3 / 6)) <= / 120 * z ^ 5.
Proof.
  assert (A1 : forall z, 0 <= z -> Rabs (- (1 - cos z)) <= / 2 * z ^ 2).
  { intros y Y. apply (compared (fun z => - (1 - cos z)) (fun z => / 2 * z ^ 2) (fun z => - sin z) (fun z => z)); auto.
    - intros x _. auto_derive; [trivial | ring].
    - intros x _. auto_derive; [trivial | simpl; field].
    - rewrite cos_0. ring.
    - simpl. ring.
    - intros x X. rewrite Rabs_Ropp. pose proof (H0_is_at_most x (proj1 X)). unfold H0 in *. lra. }
  assert (A2 : forall z, 0 <= z -> Rabs (sin z - z) <= / 6 * z ^ 3).
  { intros y Y. apply (compared (fun z => sin z - z) (fun z => / 6 * z ^ 3) (fun z => - (1 - cos z)) (fun z => / 2 * z ^ 2)); auto.
    - intros x _. auto_derive; [trivial | ring].
    - intros x _. auto_derive; [trivial | simpl; field].
    - rewrite sin_0. ring.
    - simpl. ring.
    - intros x X. apply A1, X. }
  assert (A3 : forall z, 0 <= z -> Rabs (z ^ 2 / 2 - (1 - cos z)) <= / 24 * z ^ 4).
  { intros y Y. apply (compared (fun z => z ^ 2 / 2 - (1 - cos z)) (fun z => / 24 * z ^ 4) (fun z => - (sin z - z)) (fun z => / 6 * z ^ 3)); auto.
    - intros x _. auto_derive; [trivial | simpl; field].
    - intros x _. auto_derive; [trivial | simpl; field].
    - rewrite cos_0. simpl. field.
    - simpl. ring.
    - intros x X. rewrite Rabs_Ropp. apply A2, X. }
  intros Z. apply (compared (fun z => H0 z - (z - z ^ 3 / 6)) (fun z => / 120 * z ^ 5) (fun z => z ^ 2 / 2 - (1 - cos z)) (fun z => / 24 * z ^ 4)); auto.
  - intros x _. unfold H0. auto_derive; [trivial | simpl; field].
  - intros x _. auto_derive; [trivial | simpl; field].
  - unfold H0. rewrite sin_0. simpl. field.
  - simpl. ring.
  - intros x X. apply A3, X.
Qed.
Lemma H1_series z : 0 <= z -> Rabs (H1 z - (- z ^ 3 / 6 + z ^ 5 / 60)) <= / 1680 * z ^ 7.
Proof.
  intros Z. replace (/ 1680) with (/ 120 / (2 * INR (5 + 2))) by (simpl; field).
  apply (next_series H1 H0 (fun z => z - z ^ 3 / 6) (fun z => - z ^ 3 / 6 + z ^ 5 / 60) (/ 120) 5); auto using sine_series.
  - apply H1_derives.
  - intros x. auto_derive; [trivial | simpl; field].
  - unfold H1. rewrite sin_0. field.
  - simpl. field.
Qed.
Lemma H2_series z : 0 <= z -> Rabs (H2 z - (z ^ 5 / 60 - z ^ 7 / 840)) <= / 30240 * z ^ 9.
Proof.
  intros Z. replace (/ 30240) with (/ 1680 / (2 * INR (7 + 2))) by (simpl; field).
  apply (next_series H2 H1 (fun z => - z ^ 3 / 6 + z ^ 5 / 60) (fun z => z ^ 5 / 60 - z ^ 7 / 840) (/ 1680) 7); auto using H1_series.
  - apply H2_derives.
  - intros x. auto_derive; [trivial | simpl; field].
  - unfold H2. rewrite sin_0. field.
  - simpl. field.
Qed.
Lemma H3_series z : 0 <= z -> Rabs (H3 z - (- z ^ 7 / 840 + z ^ 9 / 15120)) <= / 665280 * z ^ 11.
Proof.
  intros Z. replace (/ 665280) with (/ 30240 / (2 * INR (9 + 2))) by (simpl; field).
  apply (next_series H3 H2 (fun z => z ^ 5 / 60 - z ^ 7 / 840) (fun z => - z ^ 7 / 840 + z ^ 9 / 15120) (/ 30240) 9); auto using H2_series.
  - apply H3_derives.
  - intros x. auto_derive; [trivial | simpl; field].
  - unfold H3. rewrite sin_0. field.
  - simpl. field.
Qed.
Lemma H4_series z : 0 <= z -> Rabs (H4 z - (z ^ 9 / 15120 - z ^ 11 / 332640)) <= / 17297280 * z ^ 13.
Proof.
  intros Z. replace (/ 17297280) with (/ 665280 / (2 * INR (11 + 2))) by (simpl; field).
  apply (next_series H4 H3 (fun z => - z ^ 7 / 840 + z ^ 9 / 15120) (fun z => z ^ 9 / 15120 - z ^ 11 / 332640) (/ 665280) 11); auto using H3_series.
  - apply H4_derives.
  - intros x. auto_derive; [trivial | simpl; field].
  - unfold H4. rewrite sin_0. field.
  - simpl. field.
Qed.

Lemma powers z x n : 0 <= x <= z -> x ^ n <= z ^ n.
Proof. intros H. now apply pow_incr. Qed.
Lemma H3_far z : 0 <= z -> Rabs (H3 z) <= 48 / 1015 * z ^ 4.
Proof.
  intros Z. pose proof (pow_le z 4 Z) as P4.
  destruct (Rle_or_lt z (34 / 10)) as [A|A]; [|destruct (Rle_or_lt z (37 / 10)) as [B|B]].
  - eapply Rle_trans; [now apply H3_is_at_most|]. replace (/ 840 * z ^ 7) with (z ^ 3 / 840 * z ^ 4) by field.
    apply Rmult_le_compat_r; auto. pose proof (powers (34 / 10) z 3 ltac:(lra)). lra.
  - pose proof (H3_series z Z) as S.
    replace (H3 z) with (H3 z - (- z ^ 7 / 840 + z ^ 9 / 15120) + (- (z ^ 4 * (z ^ 3 * ((18 - z ^ 2) / 15120))))) by field.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp.
    pose proof (powers (37 / 10) z 3 ltac:(lra)) as P3. pose proof (powers (37 / 10) z 7 ltac:(lra)) as P7.
    pose proof (powers (37 / 10) z 2 ltac:(lra)) as P2. pose proof (powers z (34 / 10) 2 ltac:(lra)) as Q2.
    pose proof (pow_le z 3 Z) as N3.
    assert (L : 0 <= z ^ 3 * ((18 - z ^ 2) / 15120) <= (37 / 10) ^ 3 * ((18 - (34 / 10) ^ 2) / 15120)).
    { split; [apply Rmult_le_pos; lra | apply Rmult_le_compat; lra]. }
    rewrite (Rabs_pos_eq (z ^ 4 * _)) by (apply Rmult_le_pos; lra).
    replace (/ 665280 * z ^ 11) with (z ^ 4 * (z ^ 7 / 665280)) in S by field.
    apply Rle_trans with (z ^ 4 * (z ^ 7 / 665280) + z ^ 4 * (z ^ 3 * ((18 - z ^ 2) / 15120))); [lra|].
    rewrite <- Rmult_plus_distr_l, Rmult_comm. apply Rmult_le_compat_r; lra.
  - apply from_square; [apply Rmult_le_pos; lra|]. eapply Rle_trans; [apply H3_by_modulus|].
    pose proof (powers z (37 / 10) 2 ltac:(lra)) as W. set (w := z ^ 2) in *.
    replace (z ^ 6) with (w ^ 3) by (unfold w; ring). replace (z ^ 4) with (w ^ 2) by (unfold w; ring).
    assert (W0 : 1369 / 100 <= w) by lra.
    assert (M : forall n, (1369 / 100) * w ^ n <= w ^ S n).
    { intros n. simpl. apply Rmult_le_compat_r; [apply pow_le|]; lra. }
    pose proof (M 0%nat). pose proof (M 1%nat). pose proof (M 2%nat). pose proof (M 3%nat).
    replace (w ^ 0) with 1 in * by (simpl; ring). replace (w ^ 1) with w in * by (simpl; ring).
    replace ((48 / 1015 * w ^ 2) ^ 2) with ((48 / 1015) ^ 2 * w ^ 4) by ring. lra.
Qed.
Lemma H4_far z : 0 <= z -> Rabs (H4 z) <= / 48 * z ^ 5.
Proof.
  intros Z. pose proof (pow_le z 5 Z) as P5.
  destruct (Rle_or_lt z (42 / 10)) as [A|A]; [|destruct (Rle_or_lt z (46 / 10)) as [B|B]].
  - eapply Rle_trans; [now apply H4_is_at_most|]. replace (/ 15120 * z ^ 9) with (z ^ 4 / 15120 * z ^ 5) by field.
    apply Rmult_le_compat_r; auto. pose proof (powers (42 / 10) z 4 ltac:(lra)). lra.
  - pose proof (H4_series z Z) as S.
    replace (H4 z) with (H4 z - (z ^ 9 / 15120 - z ^ 11 / 332640) + z ^ 5 * (z ^ 4 * ((22 - z ^ 2) / 332640))) by field.
    eapply Rle_trans; [apply Rabs_triang|].
    pose proof (powers (46 / 10) z 4 ltac:(lra)) as P4. pose proof (powers (46 / 10) z 8 ltac:(lra)) as P8.
    pose proof (powers (46 / 10) z 2 ltac:(lra)) as P2. pose proof (powers z (42 / 10) 2 ltac:(lra)) as Q2.
    pose proof (pow_le z 4 Z) as N4.
    assert (L : 0 <= z ^ 4 * ((22 - z ^ 2) / 332640) <= (46 / 10) ^ 4 * ((22 - (42 / 10) ^ 2) / 332640)).
    { split; [apply Rmult_le_pos; lra | apply Rmult_le_compat; lra]. }
    rewrite (Rabs_pos_eq (z ^ 5 * _)) by (apply Rmult_le_pos; lra).
    replace (/ 17297280 * z ^ 13) with (z ^ 5 * (z ^ 8 / 17297280)) in S by field.
    apply Rle_trans with (z ^ 5 * (z ^ 8 / 17297280) + z ^ 5 * (z ^ 4 * ((22 - z ^ 2) / 332640))); [lra|].
    rewrite <- Rmult_plus_distr_l, Rmult_comm. apply Rmult_le_compat_r; lra.
  - apply from_square; [apply Rmult_le_pos; lra|]. eapply Rle_trans; [apply H4_by_modulus|].
    pose proof (powers z (46 / 10) 2 ltac:(lra)) as W. set (w := z ^ 2) in *.
    replace (z ^ 8) with (w ^ 4) by (unfold w; ring). replace (z ^ 6) with (w ^ 3) by (unfold w; ring).
    replace (z ^ 4) with (w ^ 2) by (unfold w; ring).
    assert (W0 : 2116 / 100 <= w) by lra.
    assert (M : forall n, (2116 / 100) * w ^ n <= w ^ S n).
    { intros n. simpl. apply Rmult_le_compat_r; [apply pow_le|]; lra. }
    pose proof (M 0%nat). pose proof (M 1%nat). pose proof (M 2%nat). pose proof (M 3%nat). pose proof (M 4%nat).
    replace (w ^ 0) with 1 in * by (simpl; ring). replace (w ^ 1) with w in * by (simpl; ring).
    replace ((/ 48 * z ^ 5) ^ 2) with (/ 2304 * w ^ 5) by (unfold w; field). lra.
Qed.
(* As a_quotient_is_at_most, with powers that are left. *)
Lemma a_quotient_falls f c z low n k : 0 < low <= z -> 0 <= c -> Rabs f <= c * z ^ n -> Rabs (f / z ^ (n + k)) <= c * (/ low) ^ k.
Proof.
  intros Z C H. assert (P : 0 < z ^ k) by (apply pow_lt; lra).
  assert (E : f / z ^ (n + k) = f / z ^ n * (/ z) ^ k).
  { rewrite pow_add, pow_inv. field. split; apply pow_nonzero; lra. }
  rewrite E, Rabs_mult. pose proof (a_quotient_is_at_most f c z n ltac:(lra) H).
  assert (I : 0 <= (/ z) ^ k) by (apply pow_le; left; apply Rinv_0_lt_compat; lra).
  rewrite (Rabs_pos_eq ((/ z) ^ k)) by auto.
  apply Rmult_le_compat; auto using Rabs_pos. apply pow_incr. split.
  - left. apply Rinv_0_lt_compat. lra.
  - apply Rinv_le_contravar; lra.
Qed.
