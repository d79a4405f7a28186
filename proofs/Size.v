(* How large the terms of a tree are, in products of sizes: terms e <= c * M_g * M_h * ... A mean (1 - s) x + s y with s in
   [0, 1] is no larger than the larger of x and y. *)
From Coq Require Import Reals QArith Qreals Qabs Qminmax ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given.
Open Scope R_scope.

Section Size.
Variables (F : format) (l : list given_variable) (fx ex : nat -> R).
(* The group of each variable: 0 for one in [0, 1], else that of its size. *)
Variables (groups : list nat) (M : nat -> R).
Definition group (i : nat) : nat := nth i groups 1%nat.
Definition is_part (i : nat) : bool := Nat.eqb (group i) 0 && negb (is_rounded_in l i).
Hypothesis sizes_are_positive : forall g, 0 <= M g.
Hypothesis parts : forall i, group i = 0%nat -> 0 <= ex i <= 1.
Hypothesis sizes : forall i, group i <> 0%nat -> Rabs (ex i) <= M (group i).

Fixpoint product (g : list nat) : R := match g with nil => 1 | cons a b => M a * product b end.
Fixpoint insert (a : nat) (g : list nat) : list nat :=
  match g with nil => a :: nil | cons b c => if Nat.leb a b then a :: g else b :: insert a c end.
Definition merge (g h : list nat) : list nat := fold_right insert h g.
Fixpoint same_list (g h : list nat) : bool :=
  match g, h with
  | nil, nil => true
  | cons a b, cons c d => Nat.eqb a c && same_list b d
  | _, _ => false
  end.

Definition whole (a b : option (Q * list nat)) (join : Q -> Q -> Q) : option (Q * list nat) :=
  match a, b with
  | Some (c, g), Some (d, h) => if same_list g h then Some (join c d, g) else None
  | _, _ => None
  end.

Fixpoint size (e : expr) : option (Q * list nat) :=
  match e with
  | Var i => if Nat.eqb (group i) 0 then Some (1%Q, nil) else Some (1%Q, group i :: nil)
  | Cst m e => Some (Qabs (number m e), nil)
  | Near _ _ q => Some (Qabs q, nil)
  | Neg a | Abs a => size a
  | Add a b =>
    match a, b with
    | Mul (Sub (Cst 1 0) (Var i)) x, Mul (Var j) y =>
      if Nat.eqb i j && is_part i then whole (size x) (size y) Qmax
      else whole (size a) (size b) (fun c d => up (c + d))
    | _, _ => whole (size a) (size b) (fun c d => up (c + d))
    end
  | Sub a b => whole (size a) (size b) (fun c d => up (c + d))
  | Mul a b =>
    match size a, size b with
    | Some (c, g), Some (d, h) => Some (up (c * d), merge g h)
    | _, _ => None
    end
  | Div _ _ | Sqrt _ => None
  end.

Lemma product_is_positive g : 0 <= product g.
Proof. induction g; simpl; [lra | now apply Rmult_le_pos]. Qed.
Lemma product_of_insert a g : product (insert a g) = M a * product g.
Proof. induction g as [|b g IH]; simpl; auto. destruct (Nat.leb a b); simpl; auto. rewrite IH. ring. Qed.
Lemma product_of_merge g h : product (merge g h) = product g * product h.
Proof. induction g; simpl; [ring|]. rewrite product_of_insert, IHg. ring. Qed.
Lemma same_list_is_equal g : forall h, same_list g h = true -> g = h.
Proof.
  induction g; destruct h; simpl; try discriminate; auto.
  rewrite andb_true_iff. intros [A B]. apply Nat.eqb_eq in A. f_equal; auto.
Qed.

Definition T (e : expr) : R := terms_in F l ex e.
Definition fits (e : expr) (s : Q * list nat) : Prop := T e <= Q2R (fst s) * product (snd s).

Lemma T_positive e : 0 <= T e. Proof. apply terms_are_positive. Qed.

Lemma terms_of_an_input a : has_no_error (r_in F l) (m_in l) a = true -> T a = Rabs (exact ex a).
Proof. destruct a; simpl; try discriminate; reflexivity. Qed.

Lemma terms_of_a_sum a b : T (Add a b) <= T a + T b /\ T (Sub a b) <= T a + T b.
Proof.
  unfold T, terms_in. cbn [terms].
  destruct (has_no_error (r_in F l) (m_in l) a && has_no_error (r_in F l) (m_in l) b) eqn:E; [|lra].
  apply andb_true_iff in E. destruct E as [A B]. apply terms_of_an_input in A, B. unfold T, terms_in in A, B.
  rewrite A, B. split; [apply Rabs_triang|]. unfold Rminus. rewrite <- (Rabs_Ropp (exact ex b)). apply Rabs_triang.
Qed.

Lemma whole_sum_fits a b p q s : fits a p -> fits b q -> whole (Some p) (Some q) (fun c d => up (c + d)) = Some s ->
  T a + T b <= Q2R (fst s) * product (snd s).
Proof.
  destruct p as [c g], q as [d h]. unfold fits; cbn [fst snd]. intros A B. unfold whole.
  destruct (same_list g h) eqn:E; [|discriminate]. apply same_list_is_equal in E. subst h.
  intros H; injection H as <-. cbn [fst snd].
  pose proof (product_is_positive g). pose proof (up_is_above (c + d)) as U. rewrite Q2R_plus in U. nra.
Qed.

Lemma a_part_is i : is_part i = true ->
  T (Sub (Cst 1 0) (Var i)) = 1 - ex i /\ T (Var i) = ex i /\ 0 <= ex i <= 1.
Proof.
  unfold is_part. rewrite andb_true_iff. intros [A B]. apply Nat.eqb_eq in A. apply negb_true_iff in B.
  pose proof (parts i A) as P. unfold T, terms_in. cbn [terms has_no_error exact].
  unfold r_in, m_in. rewrite B.
  change (Qeq_bool 0 0 && Qeq_bool 0 0) with true. cbn [andb].
  replace (F2R (Float radix2 1 0)) with 1 by (unfold F2R; simpl; ring).
  rewrite !Rabs_pos_eq by lra. lra.
Qed.

Lemma a_mean_fits i x y p q s : is_part i = true -> fits x p -> fits y q -> whole (Some p) (Some q) Qmax = Some s ->
  fits (Add (Mul (Sub (Cst 1 0) (Var i)) x) (Mul (Var i) y)) s.
Proof.
  intros I. destruct p as [c g], q as [d h]. unfold fits; cbn [fst snd]. intros A B. unfold whole.
  destruct (same_list g h) eqn:E; [|discriminate]. apply same_list_is_equal in E. subst h.
  intros H; injection H as <-. cbn [fst snd].
  destruct (a_part_is i I) as (W & V & P).
  eapply Rle_trans; [apply terms_of_a_sum|].
  change (T (Mul (Sub (Cst 1 0) (Var i)) x)) with (T (Sub (Cst 1 0) (Var i)) * T x).
  change (T (Mul (Var i) y)) with (T (Var i) * T y). rewrite W, V.
  destruct (Q2R_max c d) as [U1 U2]. pose proof (product_is_positive g).
  assert (T x <= Q2R (Qmax c d) * product g) by nra.
  assert (T y <= Q2R (Qmax c d) * product g) by nra. nra.
Qed.

Theorem size_holds : forall e s, size e = Some s -> fits e s.
Proof.
  assert (Sum : forall a b s, (forall t, size a = Some t -> fits a t) -> (forall t, size b = Some t -> fits b t) ->
            whole (size a) (size b) (fun c d => up (c + d)) = Some s -> T a + T b <= Q2R (fst s) * product (snd s)).
  { intros a b s A B H. destruct (size a) as [p|]; [|discriminate]. destruct (size b) as [q|]; [|destruct p; discriminate].
    eapply whole_sum_fits; eauto. }
  fix IH 1. intros e. destruct e as [i|m k|m k q|a|a|a b|a b|a b|a b|a]; intros s H.
  - cbn [size] in H. unfold fits, T, terms_in. cbn [terms].
    destruct (Nat.eqb (group i) 0) eqn:E; injection H as <-; cbn [fst snd product]; rewrite Q2R_1.
    + apply Nat.eqb_eq in E. pose proof (parts i E). rewrite Rabs_pos_eq; lra.
    + apply Nat.eqb_neq in E. pose proof (sizes i E). lra.
  - assert (E : s = (Qabs (number m k), nil)) by (cbn [size] in H; congruence). subst s.
    unfold fits, T, terms_in. cbn [terms fst snd product]. rewrite Q2R_abs, number_is_F2R. lra.
  - assert (E : s = (Qabs q, nil)) by (cbn [size] in H; congruence). subst s. unfold fits, T, terms_in. cbn [terms fst snd product]. rewrite Q2R_abs. lra.
  - exact (IH a s H).
  - exact (IH a s H).
  - assert (Plain : whole (size a) (size b) (fun c d => up (c + d)) = Some s -> fits (Add a b) s).
    { intros P. unfold fits. eapply Rle_trans; [apply terms_of_a_sum|]. exact (Sum a b s (IH a) (IH b) P). }
    cbn [size] in H.
    destruct a as [| | | | | | |w x| |]; try exact (Plain H).
    destruct w as [| | | | | |o v| | |]; try exact (Plain H).
    destruct o as [|m k| | | | | | | |]; try exact (Plain H).
    destruct m as [|m|]; try exact (Plain H). destruct m; try exact (Plain H).
    destruct k; try exact (Plain H).
    destruct v as [i| | | | | | | | |]; try exact (Plain H).
    destruct b as [| | | | | | |w y| |]; try exact (Plain H).
    destruct w as [j| | | | | | | | |]; try exact (Plain H).
    destruct (Nat.eqb i j && is_part i) eqn:E; [|exact (Plain H)].
    apply andb_true_iff in E. destruct E as [E I]. apply Nat.eqb_eq in E. subst j.
    pose proof (IH x) as X. pose proof (IH y) as Y.
    destruct (size x) as [p|]; [|discriminate]. destruct (size y) as [q|]; [|destruct p; discriminate].
    exact (a_mean_fits i x y p q s I (X p eq_refl) (Y q eq_refl) H).
  - cbn [size] in H. unfold fits. eapply Rle_trans; [apply terms_of_a_sum|]. exact (Sum a b s (IH a) (IH b) H).
  - cbn [size] in H. pose proof (IH a) as X. pose proof (IH b) as Y.
    destruct (size a) as [[c g]|]; [|discriminate]. destruct (size b) as [[d h]|]; [|discriminate].
    specialize (X _ eq_refl). specialize (Y _ eq_refl). unfold fits in *. cbn [fst snd] in *.
    injection H as <-. cbn [fst snd]. rewrite product_of_merge.
    change (T (Mul a b)) with (T a * T b).
    pose proof (product_is_positive g). pose proof (product_is_positive h).
    pose proof (up_is_above (c * d)) as U. rewrite Q2R_mult in U.
    apply Rle_trans with ((Q2R c * product g) * (Q2R d * product h)).
    + apply Rmult_le_compat; auto using T_positive.
    + replace (Q2R c * product g * (Q2R d * product h)) with (Q2R c * Q2R d * (product g * product h)) by ring.
      apply Rmult_le_compat_r; auto. now apply Rmult_le_pos.
  - discriminate.
  - discriminate.
Qed.
End Size.
