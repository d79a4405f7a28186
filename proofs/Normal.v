(* The volume polynomial with a separation (docs/numerics.md, 4.4): control points less separation * |N|, where N is the
   normal, whose squares may underflow under the root. *)
From Coq Require Import Reals QArith Qreals Qminmax ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Size Volume.
Open Scope R_scope.

(* ---- lengths ---- *)

Definition norm3 (x y z : R) := sqrt (x * x + y * y + z * z).

Lemma squares_are_positive x y z : 0 <= x * x + y * y + z * z.
Proof. pose proof (Rle_0_sqr x). pose proof (Rle_0_sqr y). pose proof (Rle_0_sqr z). unfold Rsqr in *. lra. Qed.

Lemma triangle x y z a b c : norm3 (x + a) (y + b) (z + c) <= norm3 x y z + norm3 a b c.
Proof.
  unfold norm3. set (p := x * x + y * y + z * z). set (q := a * a + b * b + c * c).
  pose proof (squares_are_positive x y z) as P. pose proof (squares_are_positive a b c) as Q. fold p in P. fold q in Q.
  pose proof (sqrt_pos p) as SP. pose proof (sqrt_pos q) as SQ.
  rewrite <- (sqrt_square (sqrt p + sqrt q)) by lra. apply sqrt_le_1_alt.
  assert (D : x * a + y * b + z * c <= sqrt p * sqrt q).
  { rewrite <- sqrt_mult by auto.
    destruct (Rle_or_lt 0 (x * a + y * b + z * c)) as [L|L]; [|pose proof (sqrt_pos (p * q)); lra].
    rewrite <- (sqrt_square _ L). apply sqrt_le_1_alt. unfold p, q.
    pose proof (Rle_0_sqr (x * b - y * a)). pose proof (Rle_0_sqr (x * c - z * a)). pose proof (Rle_0_sqr (y * c - z * b)).
    unfold Rsqr in *. nra. }
  replace ((sqrt p + sqrt q) * (sqrt p + sqrt q)) with (sqrt p * sqrt p + sqrt q * sqrt q + 2 * (sqrt p * sqrt q)) by ring.
  rewrite !sqrt_sqrt by auto. unfold p, q in *. lra.
Qed.

Lemma scaled_length s x y z : 0 <= s -> norm3 (s * x) (s * y) (s * z) = s * norm3 x y z.
Proof.
  intros P. unfold norm3. replace (s * x * (s * x) + s * y * (s * y) + s * z * (s * z)) with
    (s * s * (x * x + y * y + z * z)) by ring.
  rewrite sqrt_mult, sqrt_square; auto using squares_are_positive. nra.
Qed.

(* sqrt 3 < 7/4 *)
Lemma a_short_length x y z d : Rabs x <= d -> Rabs y <= d -> Rabs z <= d -> norm3 x y z <= 7 / 4 * d.
Proof.
  intros X Y Z. assert (P : 0 <= d) by (pose proof (Rabs_pos x); lra).
  unfold norm3. rewrite <- (sqrt_square (7 / 4 * d)) by lra. apply sqrt_le_1_alt.
  assert (S : forall w, Rabs w <= d -> w * w <= d * d).
  { intros w W. replace (w * w) with (Rabs w * Rabs w) by (rewrite <- Rabs_mult; apply Rabs_pos_eq; nra). apply Rmult_le_compat; auto using Rabs_pos. }
  pose proof (S x X). pose proof (S y Y). pose proof (S z Z). nra.
Qed.

Lemma a_nearby_length x y z a b c d : Rabs (a - x) <= d -> Rabs (b - y) <= d -> Rabs (c - z) <= d ->
  norm3 x y z - 7 / 4 * d <= norm3 a b c.
Proof.
  intros X Y Z. pose proof (triangle a b c (x - a) (y - b) (z - c)) as T.
  replace (a + (x - a)) with x in T by ring. replace (b + (y - b)) with y in T by ring.
  replace (c + (z - c)) with z in T by ring.
  rewrite Rabs_minus_sym in X, Y, Z. pose proof (a_short_length _ _ _ _ X Y Z). lra.
Qed.

(* ---- what the constants must do ---- *)

(* r, m, c of a component of the normal *)
Definition component (F : format) (l : list given_variable) (e : expr) : option (Q * Q * Q) :=
  match error_in F l e, size l volume_groups e with
  | Some (r, m), Some (c, g) =>
    if constants_are_numbers F e && same_list g (1 :: 2 :: nil)%nat then Some (r, m, c) else None
  | _, _ => None
  end.
Fixpoint components (F : format) (l : list given_variable) (e : list expr) : option (Q * Q * Q) :=
  match e with
  | nil => Some (0, 0, 0)%Q
  | cons a b =>
    match component F l a, components F l b with
    | Some (r, m, c), Some (s, n, d) => Some (Qmax r s, Qmax m n, Qmax c d)
    | _, _ => None
    end
  end.

Definition normal_closes (F : format) (of_volume of_normal of_slack of_length : Q * Q) (c d s t : Q) : bool :=
  let (r, m) := of_volume in let (rn, mn) := of_normal in let (f, k) := of_slack in let (g, j) := of_length in
  let v := (1 - uQ F)%Q in
  let all := (r + (2 * uQ F + uQ F * uQ F) * (1 + r))%Q in
  let lost := ((7 # 4) * ((1 - v * v * g + rn) * d))%Q in
  Qle_bool 0 c && Qle_bool 0 d && Qle_bool 0 j &&
  Qle_bool (all * c) (v * v * v * (v * v * (f * s))) &&
  Qle_bool lost (v * v * (v * g * t)) &&
  Qle_bool (all * c * 19 + v * v * v * ((1 + uQ F) * (1 + uQ F) * m + v * v * k + v * j + (7 # 4) * mn)
            + v * (lost * 5)) 0.

Definition normal_checks (F : format) (l : list given_variable) (coefficient slack length : expr) (normal : list expr)
    (s t : Q) : bool :=
  match error_in F l coefficient, size l volume_groups coefficient, lower_in F l slack, lower_in F l length,
        components F l normal, largest_in F l (Sub (Sub coefficient slack) length) with
  | Some a, Some (c, h), Some b, Some e, Some (rn, mn, d), Some _ =>
    constants_are_numbers F (Sub (Sub coefficient slack) length) && same_list h (1 :: 2 :: 3 :: nil)%nat &&
    normal_closes F a (rn, mn) b e c d s t
  | _, _, _, _, _, _ => false
  end.

Section Normal.
Variables (F : format) (l : list given_variable) (fx ex : nat -> R).
Hypothesis ieee : is_ieee F.
Hypothesis given : inputs F l fx ex.
Hypothesis largest : largest_are_first fx.
Hypothesis parts : parts_are_parts ex.
Hypothesis at_most_two : forall g, In g (1 :: 2 :: 3 :: nil)%nat -> largest_of fx g <= 2.
Let v := 1 - u F.
Let N := M F fx.
Let eta_ := eta F.

Lemma two_subtractions X S L : is_number F X -> is_number F S -> is_number F L -> 0 <= S -> 0 <= L ->
  round_ F (round_ F (X - S) - L) <= X + (2 * u F + u F * u F) * Rabs X - v * v * S - v * L.
Proof.
  intros NX NS NL PS PL.
  pose proof (one_subtraction F ieee X S NX NS PS) as A.
  pose proof (one_subtraction F ieee _ L (rounded_is_number F (proj1 ieee) (X - S)) NL PL) as B.
  set (Y := round_ F (X - S)) in *. fold v in A, B.
  pose proof (v_is_positive F ieee) as V. fold v in V. pose proof (u_positive F) as U.
  pose proof (Rle_abs X) as X1. pose proof (Rle_abs (- X)) as X2. rewrite Rabs_Ropp in X2. pose proof (Rabs_pos X) as X3.
  assert (E : v = 1 - u F) by reflexivity.
  assert (I : Y + u F * Rabs Y <= X + (2 * u F + u F * u F) * Rabs X - v * v * S); [|lra].
  destruct (Rle_or_lt 0 Y) as [P|P].
  - rewrite (Rabs_pos_eq Y P).
    assert ((1 + u F) * Y <= (1 + u F) * (X + u F * Rabs X - v * S)) by (apply Rmult_le_compat_l; lra).
    assert (v * v * S <= (1 + u F) * (v * S)) by (rewrite Rmult_assoc; apply Rmult_le_compat_r; nra).
    nra.
  - rewrite (Rabs_left Y P).
    assert (v * Y <= v * (X + u F * Rabs X - v * S)) by (apply Rmult_le_compat_l; lra).
    assert (v * (u F * Rabs X) <= u F * Rabs X) by nra. nra.
Qed.

Lemma product_of_two : v * v * (N 1 * (N 2 * 1)) <= largest_of fx 1 * largest_of fx 2 + 5 * eta_.
Proof.
  pose proof (v_is_positive F ieee). fold v in H. pose proof (eta_positive F) as Pe. fold eta_ in Pe.
  pose proof (eta_below_1 F (proj2 (proj2 ieee))) as E1. fold eta_ in E1.
  unfold N, M. fold v. fold eta_. set (a := largest_of fx 1). set (b := largest_of fx 2).
  replace (v * v * ((a + eta_) / v * ((b + eta_) / v * 1))) with ((a + eta_) * (b + eta_)) by (field; lra).
  assert (0 <= a <= 2) by (split; [apply Rabs_pos | apply at_most_two; simpl; auto]).
  assert (0 <= b <= 2) by (split; [apply Rabs_pos | apply at_most_two; simpl; auto]).
  nra.
Qed.

Lemma a_component e r m c : component F l e = Some (r, m, c) ->
  0 <= Q2R r /\ 0 <= Q2R m /\
  Rabs (rounded F fx e - exact ex e) <= Q2R r * (Q2R c * (N 1 * (N 2 * 1))) + Q2R m * eta_ /\
  Rabs (exact ex e) <= Q2R c * (N 1 * (N 2 * 1)).
Proof.
  unfold component. destruct (error_in F l e) as [[r' m']|] eqn:E; [|discriminate].
  destruct (size l volume_groups e) as [[c' g]|] eqn:S; [|discriminate].
  destruct (constants_are_numbers F e && same_list g (1 :: 2 :: nil)%nat) eqn:W; [|discriminate].
  apply andb_true_iff in W. destruct W as [W G]. apply same_list_is_equal in G. subst g.
  intros H. injection H as -> -> ->.
  destruct ieee as (I1 & I2 & I3).
  destruct (error_holds F I1 _ _ _ _ fx ex given I3 e (r, m) W E) as (Pr & Pm & X). cbn [fst snd] in *.
  destruct (terms_hold_the_value F (r_in F l) (m_in l) (size_in l) ex e) as [Y|Z].
  2:{ unfold error_in in E. congruence. }
  pose proof (size_holds F l ex volume_groups N (M_is_positive F fx ieee) parts
    (exact_is_within_M F l fx ex ieee given largest) e _ S) as T.
  unfold fits in T. cbn [fst snd product] in T.
  change (Size.T F l ex e) with (terms (r_in F l) (m_in l) ex e) in T.
  repeat split; auto; [|lra]. fold eta_ in X.
  eapply Rle_trans; [exact X|]. apply Rplus_le_compat_r, Rmult_le_compat_l; auto.
Qed.

Definition MM := N 1 * (N 2 * 1).
Lemma MM_is_positive : 0 <= MM.
Proof. unfold MM. pose proof (M_is_positive F fx ieee 1). pose proof (M_is_positive F fx ieee 2).
  apply Rmult_le_pos; [exact H|]. fold N in H0. lra. Qed.

(* Every component of a list is as near, and as small, as the worst of them. *)
Lemma all_components es : forall r m c, components F l es = Some (r, m, c) ->
  0 <= Q2R r /\ 0 <= Q2R m /\ forall e, In e es ->
  Rabs (rounded F fx e - exact ex e) <= Q2R r * (Q2R c * MM) + Q2R m * eta_ /\ Rabs (exact ex e) <= Q2R c * MM.
Proof.
  induction es as [|a es IH]; cbn [components]; intros r m c H.
  - injection H as <- <- <-. rewrite Q2R_0. repeat split; try lra; destruct H.
  - destruct (component F l a) as [[[r1 m1] c1]|] eqn:A; [|discriminate].
    destruct (components F l es) as [[[r2 m2] c2]|]; [|discriminate].
    assert (Er : r = Qmax r1 r2) by congruence. assert (Em : m = Qmax m1 m2) by congruence.
    assert (Ec : c = Qmax c1 c2) by congruence. subst r m c. clear H.
    destruct (a_component a _ _ _ A) as (P1 & P2 & P3 & P4). destruct (IH _ _ _ eq_refl) as (Q1 & Q2 & Q3).
    fold MM in P3, P4.
    destruct (Q2R_max r1 r2) as [R1 R2]. destruct (Q2R_max m1 m2) as [M1 M2]. destruct (Q2R_max c1 c2) as [C1 C2].
    pose proof MM_is_positive as PM. pose proof (eta_positive F) as Pe. fold eta_ in Pe.
    assert (K : forall r m c (e : expr), 0 <= Q2R r -> 0 <= Q2R m -> Q2R r <= Q2R (Qmax r1 r2) -> Q2R m <= Q2R (Qmax m1 m2) ->
      Q2R c <= Q2R (Qmax c1 c2) ->
      Rabs (rounded F fx e - exact ex e) <= Q2R r * (Q2R c * MM) + Q2R m * eta_ /\ Rabs (exact ex e) <= Q2R c * MM ->
      Rabs (rounded F fx e - exact ex e) <= Q2R (Qmax r1 r2) * (Q2R (Qmax c1 c2) * MM) + Q2R (Qmax m1 m2) * eta_ /\
      Rabs (exact ex e) <= Q2R (Qmax c1 c2) * MM).
    { intros r m c e Pr Pm Lr Lm Lc [E1 E2].
      assert (Q2R c * MM <= Q2R (Qmax c1 c2) * MM) by (apply Rmult_le_compat_r; auto).
      assert (0 <= Q2R c * MM) by (pose proof (Rabs_pos (exact ex e)); lra).
      split; [|lra]. eapply Rle_trans; [exact E1|]. apply Rplus_le_compat.
      - apply Rmult_le_compat; auto.
      - apply Rmult_le_compat_r; lra. }
    split; [lra|]. split; [lra|]. intros e [<-|I].
    + apply (K r1 m1 c1); auto.
    + apply (K r2 m2 c2); auto.
Qed.

Theorem a_lower_bound_is_right coefficient slack length x0 y0 z0 x1 y1 z1 a b (s t : Q) :
  normal_checks F l coefficient slack length (x0 :: y0 :: z0 :: x1 :: y1 :: z1 :: nil) s t = true ->
  0 <= a -> 0 <= b -> a + b = 1 -> 0 <= fx 20%nat <= 1 ->
  base F fx slack = largest_of fx 1 * largest_of fx 2 * largest_of fx 3 * Q2R s + 0 ->
  v * (fx 20%nat * (a * norm3 (rounded F fx x0) (rounded F fx y0) (rounded F fx z0) +
                    b * norm3 (rounded F fx x1) (rounded F fx y1) (rounded F fx z1))) +
    fx 20%nat * (largest_of fx 1 * largest_of fx 2) * Q2R t <= base F fx length ->
  rounded F fx (Sub (Sub coefficient slack) length) <=
    exact ex coefficient - fx 20%nat * (a * norm3 (exact ex x0) (exact ex y0) (exact ex z0) +
                                        b * norm3 (exact ex x1) (exact ex y1) (exact ex z1)) /\
  nothing_overflows F fx (Sub (Sub coefficient slack) length).
Proof.
  unfold normal_checks. intros C Pa Pb Ab Pd B D.
  destruct (error_in F l coefficient) as [[r m]|] eqn:E; [|discriminate].
  destruct (size l volume_groups coefficient) as [[c h]|] eqn:S; [|discriminate].
  destruct (lower_in F l slack) as [[f k]|] eqn:L; [|discriminate].
  destruct (lower_in F l length) as [[g j]|] eqn:L2; [|discriminate].
  destruct (components F l _) as [[[rn mn] d]|] eqn:N3; [|discriminate].
  destruct (largest_in F l (Sub (Sub coefficient slack) length)) as [q|] eqn:Q; [|discriminate].
  apply andb_true_iff in C; destruct C as [C C6]. apply andb_true_iff in C; destruct C as [C C0].
  cbn [constants_are_numbers] in C. apply andb_true_iff in C. destruct C as [W W3].
  apply andb_true_iff in W. destruct W as [W1 W2]. apply same_list_is_equal in C0. subst h.
  split; [|eapply nothing_is_too_large; eauto].
  unfold normal_closes in C6.
  apply andb_true_iff in C6; destruct C6 as [C6 C5]. apply andb_true_iff in C6; destruct C6 as [C6 C4].
  apply andb_true_iff in C6; destruct C6 as [C6 C3]. apply andb_true_iff in C6; destruct C6 as [C6 C2].
  apply andb_true_iff in C6; destruct C6 as [C0 C1].
  apply Qle_bool_iff, Qle_Rle in C0, C1, C2, C3, C4, C5. rewrite Q2R_0 in C0, C1, C2, C5.
  repeat (rewrite ?Q2R_mult, ?Q2R_plus, ?Q2R_minus, ?Q2R_1, ?uQ_is_u in C3).
  repeat (rewrite ?Q2R_mult, ?Q2R_plus, ?Q2R_minus, ?Q2R_1, ?uQ_is_u in C4).
  repeat (rewrite ?Q2R_mult, ?Q2R_plus, ?Q2R_minus, ?Q2R_1, ?uQ_is_u in C5).
  replace (Q2R 19) with 19 in C5 by (unfold Q2R; simpl; lra). replace (Q2R 5) with 5 in C5 by (unfold Q2R; simpl; lra).
  replace (Q2R 2) with 2 in * by (unfold Q2R; simpl; lra).
  replace (Q2R (7 # 4)) with (7 / 4) in * by (unfold Q2R; simpl; lra). fold v in C3, C4, C5.
  destruct (all_components _ _ _ _ N3) as (Prn & Pmn & K).
  destruct ieee as (I1 & I2 & I3).
  destruct (error_holds F I1 _ _ _ _ fx ex given I3 coefficient (r, m) W1 E) as (Pr & Pm & X). cbn [fst snd] in *.
  destruct (terms_hold_the_value F (r_in F l) (m_in l) (size_in l) ex coefficient) as [Y|Z0].
  2:{ unfold error_in in E. congruence. }
  destruct (lower_holds F I1 I2 _ _ _ _ fx ex given I3 slack (f, k) W2 L) as (_ & _ & PS & Z). cbn [fst snd] in *.
  destruct (lower_holds F I1 I2 _ _ _ _ fx ex given I3 length (g, j) W3 L2) as (Pg & _ & PL & Z1). cbn [fst snd] in *.
  rewrite B, Rplus_0_r in Z.
  pose proof (size_holds F l ex volume_groups N (M_is_positive F fx ieee) parts
    (exact_is_within_M F l fx ex ieee given largest) coefficient _ S) as T.
  unfold fits in T. cbn [fst snd product] in T.
  change (Size.T F l ex coefficient) with (terms (r_in F l) (m_in l) ex coefficient) in T.
  pose proof (every_value_is_a_number F I1 _ _ _ _ fx ex given coefficient W1) as N1.
  pose proof (every_value_is_a_number F I1 _ _ _ _ fx ex given slack W2) as N2.
  pose proof (every_value_is_a_number F I1 _ _ _ _ fx ex given length W3) as N4.
  pose proof (two_subtractions _ _ _ N1 N2 N4 PS PL) as G. cbn [rounded].
  pose proof (product_of_sizes F fx ieee at_most_two) as P. fold v in P. fold N in P. fold eta_ in P.
  pose proof product_of_two as P2. fold MM in P2.
  pose proof (terms_are_positive (r_in F l) (m_in l) ex coefficient) as PT.
  pose proof (v_is_positive F ieee) as V. fold v in V.
  pose proof (eta_positive F) as Pe. fold eta_ in Pe. pose proof (u_positive F) as Pu. fold eta_ in X, Z, Z1.
  pose proof MM_is_positive as PM.
  assert (Pm1 : 0 <= largest_of fx 1) by apply Rabs_pos. assert (Pm2 : 0 <= largest_of fx 2) by apply Rabs_pos.
  assert (Pm3 : 0 <= largest_of fx 3) by apply Rabs_pos.
  (* lengths of the exact normals and the rounded ones *)
  set (delta := Q2R rn * (Q2R d * MM) + Q2R mn * eta_) in *.
  pose proof (a_nearby_length _ _ _ _ _ _ delta (proj1 (K x0 ltac:(simpl; auto))) (proj1 (K y0 ltac:(simpl; auto)))
    (proj1 (K z0 ltac:(simpl; auto)))) as A0.
  pose proof (a_nearby_length _ _ _ _ _ _ delta (proj1 (K x1 ltac:(simpl; auto))) (proj1 (K y1 ltac:(simpl; auto 6)))
    (proj1 (K z1 ltac:(simpl; auto 8)))) as A1.
  pose proof (a_short_length _ _ _ (Q2R d * MM) (proj2 (K x0 ltac:(simpl; auto))) (proj2 (K y0 ltac:(simpl; auto)))
    (proj2 (K z0 ltac:(simpl; auto)))) as U0.
  pose proof (a_short_length _ _ _ (Q2R d * MM) (proj2 (K x1 ltac:(simpl; auto))) (proj2 (K y1 ltac:(simpl; auto 6)))
    (proj2 (K z1 ltac:(simpl; auto 8)))) as U1.
  set (n0 := norm3 (exact ex x0) (exact ex y0) (exact ex z0)) in *.
  set (n1 := norm3 (exact ex x1) (exact ex y1) (exact ex z1)) in *.
  set (h0 := norm3 (rounded F fx x0) (rounded F fx y0) (rounded F fx z0)) in *.
  set (h1 := norm3 (rounded F fx x1) (rounded F fx y1) (rounded F fx z1)) in *.
  set (near := a * h0 + b * h1) in *. set (true_ := a * n0 + b * n1) in *.
  assert (Q1 : true_ - 7 / 4 * delta <= near).
  { assert (a * (n0 - 7 / 4 * delta) <= a * h0) by (apply Rmult_le_compat_l; lra).
    assert (b * (n1 - 7 / 4 * delta) <= b * h1) by (apply Rmult_le_compat_l; lra).
    unfold near, true_. replace delta with ((a + b) * delta) by (rewrite Ab; ring). lra. }
  assert (Q2 : true_ <= 7 / 4 * (Q2R d * MM)).
  { assert (a * n0 <= a * (7 / 4 * (Q2R d * MM))) by (apply Rmult_le_compat_l; lra).
    assert (b * n1 <= b * (7 / 4 * (Q2R d * MM))) by (apply Rmult_le_compat_l; lra).
    unfold true_. replace (7 / 4 * (Q2R d * MM)) with ((a + b) * (7 / 4 * (Q2R d * MM))) by (rewrite Ab; ring). lra. }
  assert (Pdelta : 0 <= delta) by (pose proof (Rabs_pos (rounded F fx x0 - exact ex x0));
    pose proof (proj1 (K x0 ltac:(simpl; auto))); unfold delta in *; lra).
  set (gg := v * v * Q2R g) in *.
  assert (Pgg : 0 <= gg <= 1).
  { unfold gg. assert (0 <= v * v <= 1) by nra. split; [apply Rmult_le_pos; lra|].
    apply Rle_trans with (1 * 1); [apply Rmult_le_compat; lra | lra]. }
  set (lost := 7 / 4 * ((1 - gg + Q2R rn) * Q2R d)) in *.
  assert (Plost : 0 <= lost).
  { unfold lost. assert (0 <= (1 - gg + Q2R rn) * Q2R d) by (apply Rmult_le_pos; lra). lra. }
  assert (Q3 : true_ - lost * MM - 7 / 4 * Q2R mn * eta_ <= gg * near).
  { assert (gg * (true_ - 7 / 4 * delta) <= gg * near) by (apply Rmult_le_compat_l; lra).
    assert ((1 - gg) * true_ <= (1 - gg) * (7 / 4 * (Q2R d * MM))) by (apply Rmult_le_compat_l; lra).
    assert (gg * (7 / 4 * delta) <= 1 * (7 / 4 * delta)) by (apply Rmult_le_compat_r; lra).
    unfold lost. unfold delta in *. lra. }
  set (D1 := fx 20%nat) in *. set (area := largest_of fx 1 * largest_of fx 2) in *.
  assert (Parea : 0 <= area) by (unfold area; now apply Rmult_le_pos).
  set (p := area * largest_of fx 3) in *. assert (Pp : 0 <= p) by (unfold p; now apply Rmult_le_pos).
  set (L1 := rounded F fx length) in *. set (S1 := rounded F fx slack) in *.
  set (X1 := rounded F fx coefficient) in *. set (C := exact ex coefficient) in *.
  set (T1 := terms (r_in F l) (m_in l) ex coefficient) in *.
  (* the threshold from below *)
  assert (R1 : gg * (D1 * near) + v * Q2R g * (D1 * area * Q2R t) - v * Q2R j * eta_ <= v * L1).
  { assert (Q2R g * (v * (D1 * near) + D1 * area * Q2R t) <= Q2R g * base F fx length) by (apply Rmult_le_compat_l; lra).
    assert (v * (Q2R g * (v * (D1 * near) + D1 * area * Q2R t) - Q2R j * eta_) <= v * L1)
      by (apply Rmult_le_compat_l; lra).
    unfold gg. lra. }
  assert (R2 : D1 * true_ - D1 * lost * MM - D1 * (7 / 4 * Q2R mn * eta_) <= gg * (D1 * near)).
  { assert (D1 * (true_ - lost * MM - 7 / 4 * Q2R mn * eta_) <= D1 * (gg * near)) by (apply Rmult_le_compat_l; lra). lra. }
  set (w := u F) in *. set (all := Q2R r + (2 * w + w * w) * (1 + Q2R r)) in *.
  assert (Pall : 0 <= all).
  { unfold all. assert (0 <= (2 * w + w * w) * (1 + Q2R r)) by (apply Rmult_le_pos; nra). lra. }
  assert (AX : Rabs X1 <= T1 + (Q2R r * T1 + Q2R m * eta_)).
  { replace X1 with (C + (X1 - C)) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra. }
  apply Rabs_le_inv in X.
  assert (H0 : v * v * (Q2R f * (p * Q2R s) - Q2R k * eta_) <= v * v * S1).
  { apply Rmult_le_compat_l; [nra|]. lra. }
  set (low := round_ F (round_ F (X1 - S1) - L1)) in *.
  assert (H1 : low - C + D1 * true_ <= all * T1 + (1 + w) * (1 + w) * Q2R m * eta_ - v * v * (Q2R f * (p * Q2R s))
               + v * v * Q2R k * eta_ + D1 * lost * MM + D1 * (7 / 4 * Q2R mn * eta_)
               - v * Q2R g * (D1 * area * Q2R t) + v * Q2R j * eta_).
  { assert ((2 * w + w * w) * Rabs X1 <= (2 * w + w * w) * (T1 + (Q2R r * T1 + Q2R m * eta_)))
      by (apply Rmult_le_compat_l; [nra | lra]). unfold all. lra. }
  set (v3 := v * v * v) in *. assert (Pv : 0 < v3) by (unfold v3; repeat apply Rmult_lt_0_compat; lra).
  set (MMM := N 1 * (N 2 * (N 3 * 1))) in *.
  assert (H4 : v3 * T1 <= Q2R c * (p + 19 * eta_)).
  { apply Rle_trans with (v3 * (Q2R c * MMM)); [apply Rmult_le_compat_l; lra|].
    replace (v3 * (Q2R c * MMM)) with (Q2R c * (v3 * MMM)) by ring. apply Rmult_le_compat_l; lra. }
  assert (H5 : all * (v3 * T1) <= all * (Q2R c * (p + 19 * eta_))) by (apply Rmult_le_compat_l; lra).
  assert (H6 : all * Q2R c * p <= v3 * (v * v * (Q2R f * Q2R s)) * p) by (apply Rmult_le_compat_r; auto).
  assert (H7 : v * (D1 * lost) * (v * v * MM) <= v * (D1 * lost) * (area + 5 * eta_)).
  { apply Rmult_le_compat_l; [|exact P2]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra. }
  assert (H8 : v * D1 * area * lost <= v * D1 * area * (v * v * (v * Q2R g * Q2R t))).
  { apply Rmult_le_compat_l; [|exact C4]. apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]. }
  assert (H9 : D1 * (v * lost * 5 + v3 * (7 / 4 * Q2R mn)) * eta_ <= 1 * (v * lost * 5 + v3 * (7 / 4 * Q2R mn)) * eta_).
  { apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; [|lra].
    assert (0 <= v * lost) by (apply Rmult_le_pos; lra). assert (0 <= v3 * (7 / 4 * Q2R mn)) by (apply Rmult_le_pos; lra). lra. }
  assert (HA : (all * Q2R c * 19 + v3 * ((1 + w) * (1 + w) * Q2R m + v * v * Q2R k + v * Q2R j + 7 / 4 * Q2R mn)
               + v * (lost * 5)) * eta_ <= 0) by (rewrite <- (Rmult_0_l eta_); apply Rmult_le_compat_r; lra).
  assert (HB : v3 * (low - C + D1 * true_) <= v3 * (all * T1 + (1 + w) * (1 + w) * Q2R m * eta_
               - v * v * (Q2R f * (p * Q2R s)) + v * v * Q2R k * eta_ + D1 * lost * MM + D1 * (7 / 4 * Q2R mn * eta_)
               - v * Q2R g * (D1 * area * Q2R t) + v * Q2R j * eta_)) by (apply Rmult_le_compat_l; lra).
  assert (HC : v3 * (low - C + D1 * true_) <= 0).
  { unfold v3 in *. lra. }
  assert (low - C + D1 * true_ <= 0); [|lra].
  apply Rmult_le_reg_l with v3; lra.
Qed.
End Normal.
