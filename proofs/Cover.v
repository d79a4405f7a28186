(* Whether a slack that the code computes covers the error of a value that it computes: the |terms| of the value and the
   slack become polynomials in sizes, and the one is compared with the other, coefficient by coefficient.

   An atom is a size: A k. `rep` has for each variable a polynomial that is not below it, `pair` for differences of two. A
   mean (1 - t) x + t y counts as the larger of both. *)
From Coq Require Import Reals QArith Qreals Qabs Qminmax ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Size Positive.
Open Scope R_scope.

(* Inputs without errors; no differences, no means. *)
Definition none (i : nat) : Q := 0.

Definition poly := list (Q * list nat).
Definition no_pair (i j : nat) : option poly := None.
Definition no_mean (i : nat) : bool := false.
Definition one (k : nat) : poly := (1%Q, k :: nil) :: nil. (* the atom k *)
Definition unit : poly := (1%Q, nil) :: nil.

(* c times the monomial g is added to p. *)
Fixpoint add_term (c : Q) (g : list nat) (p : poly) : poly :=
  match p with
  | nil => (c, g) :: nil
  | (d, h) :: q => if same_list g h then (Qred (c + d), h) :: q else (d, h) :: add_term c g q
  end.
Definition plus (p q : poly) : poly := fold_right (fun t s => add_term (fst t) (snd t) s) q p.
Definition by_term (c : Q) (g : list nat) (p : poly) : poly :=
  map (fun t => (Qred (c * fst t), merge g (snd t))) p.
Definition times (p q : poly) : poly := fold_right (fun t s => plus (by_term (fst t) (snd t) q) s) nil p.
Definition scale (c : Q) (p : poly) : poly := by_term c nil p.

(* The coefficients of p, where they are larger than those of q. *)
Fixpoint coefficient (g : list nat) (p : poly) : Q :=
  match p with nil => 0 | (d, h) :: q => if same_list g h then d else coefficient g q end.
Definition larger (p q : poly) : poly :=
  plus p (fold_right (fun t s => let more := Qred (fst t - coefficient (snd t) p) in
                                 if Qle_bool more 0 then s else (more, snd t) :: s) nil q).

(* q less c times g: None where q has less of it. *)
Fixpoint take (c : Q) (g : list nat) (q : poly) : option poly :=
  match q with
  | nil => if Qle_bool c 0 then Some nil else None
  | (d, h) :: p =>
    if same_list g h then if Qle_bool c d then Some ((Qred (d - c), h) :: p) else None
    else match take c g p with Some r => Some ((d, h) :: r) | None => None end
  end.
Fixpoint take_all (p q : poly) : option poly :=
  match p with nil => Some q | (c, g) :: r => match take c g q with Some s => take_all r s | None => None end end.
Definition all_positive (p : poly) : bool := forallb (fun t => Qle_bool 0 (fst t)) p.
Definition at_most_that (p q : poly) : bool := match take_all p q with Some r => all_positive r | None => false end.

Section Value.
Variable A : nat -> R.
Hypothesis A_positive : forall i, 0 <= A i.
Definition mono (g : list nat) : R := product A g.
Fixpoint value (p : poly) : R := match p with nil => 0 | (c, g) :: q => Q2R c * mono g + value q end.

Lemma Q2R_red q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma mono_positive g : 0 <= mono g.
Proof. apply product_is_positive. exact A_positive. Qed.

Lemma value_of_one k : value (one k) = A k.
Proof. unfold one, mono. cbn [value]. unfold mono. cbn [product]. rewrite Q2R_1. ring. Qed.
Lemma value_of_unit : value unit = 1.
Proof. unfold unit. cbn [value]. unfold mono. cbn [product]. rewrite Q2R_1. ring. Qed.
Lemma value_of_add_term c g p : value (add_term c g p) = Q2R c * mono g + value p.
Proof.
  induction p as [|[d h] q IH]; cbn [add_term value]; auto. destruct (same_list g h) eqn:E; cbn [value].
  - apply same_list_is_equal in E. subst h. rewrite Q2R_red, Q2R_plus. ring.
  - rewrite IH. ring.
Qed.
Lemma value_of_plus p q : value (plus p q) = value p + value q.
Proof.
  induction p as [|[c g] r IH]; [cbn; ring|]. change (plus ((c, g) :: r) q) with (add_term c g (plus r q)).
  rewrite value_of_add_term, IH. cbn [value]. ring.
Qed.
Lemma value_of_by_term c g p : value (by_term c g p) = Q2R c * mono g * value p.
Proof.
  induction p as [|[d h] q IH]; [cbn; ring|].
  change (by_term c g ((d, h) :: q)) with ((Qred (c * d), merge g h) :: by_term c g q). cbn [value].
  rewrite IH, Q2R_red, Q2R_mult. unfold mono. rewrite product_of_merge. ring.
Qed.
Lemma value_of_times p q : value (times p q) = value p * value q.
Proof.
  induction p as [|[c g] r IH]; [cbn; ring|]. change (times ((c, g) :: r) q) with (plus (by_term c g q) (times r q)).
  rewrite value_of_plus, value_of_by_term, IH. cbn [value]. ring.
Qed.
Lemma value_of_scale c p : value (scale c p) = Q2R c * value p.
Proof. unfold scale. rewrite value_of_by_term. unfold mono. cbn [product]. ring. Qed.

Lemma positive_value p : all_positive p = true -> 0 <= value p.
Proof.
  induction p as [|[c g] q IH]; cbn [all_positive forallb value fst]; [lra|]. fold (all_positive q). rewrite andb_true_iff. intros [C Q]. apply bool_le in C. rewrite Q2R_0 in C.
  pose proof (IH Q). pose proof (Rmult_le_pos _ _ C (mono_positive g)). lra.
Qed.

Lemma taken c g q r : take c g q = Some r -> value r + Q2R c * mono g <= value q.
Proof.
  revert r. induction q as [|[d h] p IH]; cbn [take value]; intros r H.
  - destruct (Qle_bool c 0) eqn:C; [|discriminate]. injection H as <-. cbn [value]. apply bool_le in C. rewrite Q2R_0 in C.
    pose proof (mono_positive g). assert (Q2R c * mono g <= 0 * mono g) by now apply Rmult_le_compat_r. lra.
  - destruct (same_list g h) eqn:E.
    + apply same_list_is_equal in E. subst h. destruct (Qle_bool c d); [|discriminate].
      assert (E : r = (Qred (d - c), g) :: p) by congruence. subst r. cbn [value].
      rewrite Q2R_red, Q2R_minus. lra.
    + destruct (take c g p) as [s|]; [|discriminate]. injection H as <-. cbn [value]. specialize (IH s eq_refl). lra.
Qed.
Lemma all_taken p : forall q r, take_all p q = Some r -> value r + value p <= value q.
Proof.
  induction p as [|[c g] t IH]; cbn [take_all value]; intros q r H; [injection H as <-; lra|].
  destruct (take c g q) as [s|] eqn:T; [|discriminate]. apply taken in T. apply IH in H. lra.
Qed.
Lemma at_most_that_holds p q : at_most_that p q = true -> value p <= value q.
Proof.
  unfold at_most_that. destruct (take_all p q) as [r|] eqn:T; [|discriminate]. intros P. apply all_taken in T.
  apply positive_value in P. lra.
Qed.
End Value.

Section Cover.
Variables (F : format) (l : list given_variable) (fx ex : nat -> R) (r off : nat -> Q) (cap : Q).
Variables (A : nat -> R) (rep : nat -> poly) (pair : nat -> nat -> option poly) (own mean : nat -> bool).
Hypothesis ieee : is_ieee F.
Hypothesis tiny_is_small : (emin F + 4 * prec F < 0)%Z.
Hypothesis emax_is_positive : (0 < emax F)%Z.
Hypothesis given : positive_inputs F l fx ex r off.

Record sizes_hold : Prop := {
  positive_sizes : forall i, 0 <= A i;
  held : forall i, Rabs (ex i) <= value A (rep i);
  held_pair : forall i j p, pair i j = Some p -> Rabs (ex i - ex j) <= value A p;
  owned : forall i, own i = true -> A i = Rabs (ex i);
  means : forall i, mean i = true -> 0 <= ex i <= 1 }.
Hypothesis sizes : sizes_hold.

Definition exactly (i : nat) : bool := has_no_error r off (Var i).

Definition difference_of (a b : expr) : option poly :=
  match a, b with
  | Var i, Var j => if exactly i && exactly j then pair i j else None
  | _, _ => None
  end.
Definition part_of_mean (a b : expr) : option (expr * expr) :=
  match a, b with
  | Mul (Sub (Cst 1 0) (Var i)) x, Mul (Var j) y => if Nat.eqb i j && mean i && exactly i then Some (x, y) else None
  | _, _ => None
  end.

(* At least the |terms| of e. *)
Fixpoint upper (e : expr) : option poly :=
  match e with
  | Var i => Some (rep i)
  | Cst m k => Some ((Qabs (number m k), nil) :: nil)
  | Near _ _ q => Some ((Qabs q, nil) :: nil)
  | Neg a | Abs a => upper a
  | Add a b =>
    match a, b with
    | Mul (Sub (Cst 1 0) (Var i)) x, Mul (Var j) y =>
      if Nat.eqb i j && mean i && exactly i then
        match upper x, upper y with Some p, Some q => let m := larger p q in
          if all_positive p && all_positive q && at_most_that q m && at_most_that p m then Some m else None | _, _ => None end
      else match upper a, upper b with Some p, Some q => Some (plus p q) | _, _ => None end
    | _, _ => match upper a, upper b with Some p, Some q => Some (plus p q) | _, _ => None end
    end
  | Sub a b =>
    match difference_of a b with
    | Some p => Some p
    | None => match upper a, upper b with Some p, Some q => Some (plus p q) | _, _ => None end
    end
  | Mul a b => match upper a, upper b with Some p, Some q => Some (times p q) | _, _ => None end
  | Div a b => match divisor b, upper a with Some q, Some p => Some (scale (/ q) p) | _, _ => None end
  | Sqrt _ => None
  end.

(* The main part of a slack: exactly. *)
Fixpoint lower_magnitude (e : expr) : option poly :=
  match e with
  | Var i => if own i then Some (one i) else None
  | Mul a b => match lower_magnitude a, lower_magnitude b with Some p, Some q => Some (times p q) | _, _ => None end
  | Neg a | Abs a => lower_magnitude a
  | _ => None
  end.
Fixpoint lower (e : expr) : option poly :=
  match e with
  | Var i => if own i && positive_in l i then Some (one i) else None
  | Cst m k => if is_tiny F m k then Some nil else Some ((number m k, nil) :: nil)
  | Near m k _ => Some ((number m k, nil) :: nil)
  | Abs a => lower_magnitude a
  | Add a b => match lower a, lower b with Some p, Some q => Some (plus p q) | _, _ => None end
  | Mul a b => match lower a, lower b with Some p, Some q => Some (times p q) | _, _ => None end
  | _ => None
  end.

Lemma lower_magnitude_holds e : forall p, lower_magnitude e = Some p -> magnitude ex e = value A p.
Proof.
  induction e; cbn [lower_magnitude magnitude]; intros p H; try discriminate; auto.
  - destruct (own i) eqn:O; [|discriminate]. injection H as <-. rewrite value_of_one. symmetry. apply (owned sizes i O).
  - destruct (lower_magnitude e1) as [x|]; [|discriminate]. destruct (lower_magnitude e2) as [y|]; [|discriminate].
    injection H as <-. rewrite value_of_times, (IHe1 x eq_refl), (IHe2 y eq_refl). reflexivity.
Qed.
Lemma lower_holds_ e : forall p, lower e = Some p -> main F ex e = value A p.
Proof.
  induction e; cbn [lower main]; intros p H; try discriminate.
  - destruct (own i) eqn:O; [|discriminate]. destruct (positive_in l i) eqn:P; [|discriminate]. injection H as <-.
    now rewrite value_of_one, (owned sizes i O), Rabs_pos_eq by now apply (proj2 given).
  - destruct (is_tiny F m e); injection H as <-; cbn [value]; auto. unfold mono. simpl. rewrite number_is_F2R. ring.
  - injection H as <-. cbn [value]. unfold mono. simpl. rewrite number_is_F2R. ring.
  - now apply lower_magnitude_holds.
  - destruct (lower e1) as [x|]; [|discriminate]. destruct (lower e2) as [y|]; [|discriminate].
    injection H as <-. rewrite value_of_plus, (IHe1 x eq_refl), (IHe2 y eq_refl). reflexivity.
  - destruct (lower e1) as [x|]; [|discriminate]. destruct (lower e2) as [y|]; [|discriminate].
    injection H as <-. rewrite value_of_times, (IHe1 x eq_refl), (IHe2 y eq_refl). reflexivity.
Qed.

Notation T := (terms r off ex).
Lemma T_is_positive e : 0 <= T e. Proof. apply terms_are_positive. Qed.
Lemma T_of_input a : has_no_error r off a = true -> T a = Rabs (exact ex a).
Proof. destruct a; simpl; try discriminate; reflexivity. Qed.
Lemma T_of_sum a b : T (Add a b) <= T a + T b /\ T (Sub a b) <= T a + T b.
Proof.
  cbn [terms]. destruct (has_no_error r off a && has_no_error r off b) eqn:E; [|lra].
  apply andb_true_iff in E. destruct E as [X Y]. apply T_of_input in X, Y. rewrite X, Y.
  split; [apply Rabs_triang|]. unfold Rminus. rewrite <- (Rabs_Ropp (exact ex b)). apply Rabs_triang.
Qed.

Lemma a_mean_is_within i x y p q : mean i = true -> exactly i = true ->
  T x <= value A p -> T y <= value A q -> all_positive p = true -> all_positive q = true ->
  at_most_that q (larger p q) = true -> at_most_that p (larger p q) = true ->
  T (Add (Mul (Sub (Cst 1 0) (Var i)) x) (Mul (Var i) y)) <= value A (larger p q).
Proof.
  intros M E X Y Pp Pq Q1 Q2. pose proof (means sizes i M) as B.
  apply (at_most_that_holds A (positive_sizes sizes)) in Q1, Q2.
  eapply Rle_trans; [apply T_of_sum|].
  assert (W : T (Sub (Cst 1 0) (Var i)) = 1 - ex i).
  { unfold exactly in E. cbn [terms]. change (has_no_error r off (Cst 1 0)) with true. rewrite E. cbn [andb exact].
    replace (F2R (Float radix2 1 0)) with 1 by (unfold F2R; simpl; ring). rewrite Rabs_pos_eq; lra. }
  change (T (Mul (Sub (Cst 1 0) (Var i)) x)) with (T (Sub (Cst 1 0) (Var i)) * T x). rewrite W.
  change (T (Mul (Var i) y)) with (Rabs (ex i) * T y). rewrite Rabs_pos_eq by lra.
  set (m := value A (larger p q)) in *.
  assert ((1 - ex i) * T x <= (1 - ex i) * m) by (apply Rmult_le_compat_l; lra).
  assert (ex i * T y <= ex i * m) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem upper_holds : forall e p, upper e = Some p -> T e <= value A p.
Proof.
  assert (Sum : forall a b p, (forall t, upper a = Some t -> T a <= value A t) -> (forall t, upper b = Some t -> T b <= value A t) ->
            match upper a, upper b with Some p, Some q => Some (plus p q) | _, _ => None end = Some p -> T a + T b <= value A p).
  { intros a b p X Y H. destruct (upper a) as [x|]; [|discriminate]. destruct (upper b) as [y|]; [|discriminate].
    injection H as <-. rewrite value_of_plus. specialize (X x eq_refl). specialize (Y y eq_refl). lra. }
  fix IH 1. intros e. destruct e as [i|m k|m k q|a|a|a b|a b|a b|a b|a]; intros s H.
  - injection H as <-. apply (held sizes).
  - assert (E : s = (Qabs (number m k), nil) :: nil) by (cbn [upper] in H; congruence). subst s.
    cbn [terms value]. unfold mono. cbn [product]. rewrite Q2R_abs, number_is_F2R. lra.
  - assert (E : s = (Qabs q, nil) :: nil) by (cbn [upper] in H; congruence). subst s.
    cbn [terms value]. unfold mono. cbn [product]. rewrite Q2R_abs. lra.
  - exact (IH a s H).
  - exact (IH a s H).
  - assert (Plain : match upper a, upper b with Some p, Some q => Some (plus p q) | _, _ => None end = Some s -> T (Add a b) <= value A s).
    { intros P. eapply Rle_trans; [apply T_of_sum|]. exact (Sum a b s (IH a) (IH b) P). }
    cbn [upper] in H.
    destruct a as [| | | | | | |w x| |]; try exact (Plain H).
    destruct w as [| | | | | |o v| | |]; try exact (Plain H).
    destruct o as [|m k| | | | | | | |]; try exact (Plain H).
    destruct m as [|m|]; try exact (Plain H). destruct m; try exact (Plain H).
    destruct k; try exact (Plain H).
    destruct v as [i| | | | | | | | |]; try exact (Plain H).
    destruct b as [| | | | | | |w y| |]; try exact (Plain H).
    destruct w as [j| | | | | | | | |]; try exact (Plain H).
    destruct (Nat.eqb i j && mean i && exactly i) eqn:E; [|exact (Plain H)].
    apply andb_true_iff in E. destruct E as [E I]. apply andb_true_iff in E. destruct E as [E J]. apply Nat.eqb_eq in E. subst j.
    pose proof (IH x) as X. pose proof (IH y) as Y.
    destruct (upper x) as [p|]; [|discriminate]. destruct (upper y) as [q|]; [|discriminate]. cbv zeta in H.
    destruct (all_positive p && all_positive q && at_most_that q (larger p q) && at_most_that p (larger p q)) eqn:C; [|discriminate].
    injection H as <-. rewrite !andb_true_iff in C. destruct C as [[[C1 C2] C3] C4].
    exact (a_mean_is_within i x y p q J I (X p eq_refl) (Y q eq_refl) C1 C2 C3 C4).
  - cbn [upper] in H. destruct (difference_of a b) as [p|] eqn:D.
    + injection H as <-. unfold difference_of in D. destruct a as [i| | | | | | | | |]; try discriminate.
      destruct b as [j| | | | | | | | |]; try discriminate.
      destruct (exactly i && exactly j) eqn:E; [|discriminate].
      cbn [terms]. unfold exactly in E. rewrite E. cbn [exact]. exact (held_pair sizes i j p D).
    + eapply Rle_trans; [apply T_of_sum|]. exact (Sum a b s (IH a) (IH b) H).
  - cbn [upper] in H. pose proof (IH a) as X. pose proof (IH b) as Y.
    destruct (upper a) as [p|]; [|discriminate]. destruct (upper b) as [q|]; [|discriminate].
    specialize (X _ eq_refl). specialize (Y _ eq_refl). injection H as <-. rewrite value_of_times.
    change (T (Mul a b)) with (T a * T b). apply Rmult_le_compat; auto using T_is_positive.
  - cbn [upper] in H. cbn [terms]. pose proof (IH a) as X. destruct (divisor b) as [q|] eqn:D; [|discriminate].
    destruct (upper a) as [p|]; [|discriminate]. specialize (X _ eq_refl). injection H as <-. rewrite value_of_scale.
    apply (a_divisor_is ex) in D. destruct D as (P & _). rewrite Q2R_inverse by auto. rewrite Rmult_comm.
    apply Rmult_le_compat_l; auto. left. now apply Rinv_0_lt_compat.
  - discriminate.
Qed.

(* `more` times the error of e, and `extra`, are at most `less` times the slack and `spare` eta. *)
Definition covers_share (spare more less : Q) (e slack : expr) (extra : poly) : bool :=
  match error F r off (size_in l) e, between F l r off cap slack, upper e, lower slack with
  | Some (a, k), Some b, Some p, Some s =>
    constants_are_numbers F e && Qle_bool 0 more && Qle_bool 0 less && Qle_bool (more * k + less * under b) spare &&
    at_most_that (plus (scale (more * a) p) extra) (scale (less * lo b) s)
  | _, _, _, _ => false
  end.
Definition covers_value : expr -> expr -> poly -> bool := covers_share 0 1 1.
(* The slack is then added to e, or taken from it; `bound` is at least |e|. *)
Definition covers_side (spare : Q) (e slack : expr) (bound extra : poly) : bool :=
  covers_share spare (1 + uQ F) (1 - uQ F) e slack (plus (scale (uQ F) bound) extra).

Lemma a_share_is_within spare more less e slack extra : covers_share spare more less e slack extra = true ->
  quotients_are_capped F ex cap slack ->
  Q2R more * Rabs (rounded F fx e - exact ex e) + value A extra <= Q2R less * rounded F fx slack + Q2R spare * eta F /\
  is_number F (rounded F fx slack) /\ 0 <= rounded F fx slack /\ is_number F (rounded F fx e) /\ 0 <= Q2R more /\ 0 <= Q2R less.
Proof.
  unfold covers_share. destruct (error F r off (size_in l) e) as [[a k]|] eqn:E; [|discriminate].
  destruct (between F l r off cap slack) as [b|] eqn:B; [|discriminate].
  destruct (upper e) as [p|] eqn:U; [|discriminate]. destruct (Cover.lower slack) as [s|] eqn:L; [|discriminate].
  intros C Q. rewrite !andb_true_iff in C. destruct C as [[[[C0 C1] C2] C3] C4].
  apply bool_le in C1, C2, C3. rewrite Q2R_0 in C1, C2. rewrite Q2R_plus, !Q2R_mult in C3.
  apply (at_most_that_holds A (positive_sizes sizes)) in C4. rewrite value_of_plus, !value_of_scale, !Q2R_mult in C4.
  destruct (between_holds F l fx ex r off cap ieee tiny_is_small emax_is_positive given slack b B Q) as [NA LA HA OA MA RA A1 A2 FA].
  destruct (error_holds F (proj1 ieee) _ _ _ _ fx ex (proj1 given) (proj2 (proj2 ieee)) e (a, k) C0 E) as (Pr & Pm & X). cbn [fst snd] in *.
  pose proof (upper_holds e p U) as Tp. rewrite (lower_holds_ slack s L) in *.
  refine (conj _ (conj NA (conj RA (conj _ (conj C1 C2))))).
  2:{ apply (every_value_is_a_number F (proj1 ieee) _ _ _ _ fx ex (proj1 given) e C0). }
  set (S := rounded F fx slack) in *. set (V := Rabs (rounded F fx e - exact ex e)) in *.
  pose proof (eta_positive F) as Pe. set (h := eta F) in *.
  assert (V1 : V <= Q2R a * value A p + Q2R k * h).
  { assert (Q2R a * T e <= Q2R a * value A p) by (apply Rmult_le_compat_l; lra). lra. }
  assert (V2 : Q2R more * V <= Q2R more * (Q2R a * value A p + Q2R k * h)) by now apply Rmult_le_compat_l.
  assert (G : Q2R less * (Q2R (lo b) * value A s - Q2R (under b) * h) <= Q2R less * S) by (apply Rmult_le_compat_l; lra).
  assert (K : (Q2R more * Q2R k + Q2R less * Q2R (under b)) * h <= Q2R spare * h) by (apply Rmult_le_compat_r; lra).
  lra.
Qed.

Theorem an_error_is_within e slack extra : covers_value e slack extra = true -> quotients_are_capped F ex cap slack ->
  Rabs (rounded F fx e - exact ex e) + value A extra <= rounded F fx slack.
Proof. intros C Q. destruct (a_share_is_within 0 1 1 e slack extra C Q) as [H _]. rewrite Q2R_1, Q2R_0 in H. lra. Qed.

Theorem a_side_is_beyond spare e slack bound extra : covers_side spare e slack bound extra = true -> quotients_are_capped F ex cap slack ->
  Rabs (exact ex e) <= value A bound ->
  exact ex e + value A extra <= round_ F (rounded F fx e + rounded F fx slack) + Q2R spare * eta F /\
  round_ F (rounded F fx e - rounded F fx slack) <= exact ex e - value A extra + Q2R spare * eta F.
Proof.
  intros C Q B. destruct (a_share_is_within _ _ _ e slack _ C Q) as (H & NS & PS & NE & _). clear C.
  rewrite value_of_plus, value_of_scale, Q2R_plus, Q2R_minus, Q2R_1, uQ_is_u in H.
  pose proof (u_positive F) as Pu. set (S := rounded F fx slack) in *. set (X := rounded F fx e) in *. set (x := exact ex e) in *.
  pose proof (sum_errs F (proj1 ieee) X S NE NS) as E1. pose proof (sum_errs F (proj1 ieee) X (- S) NE (number_opp F _ NS)) as E2.
  change (X + - S) with (X - S) in E2.
  assert (D : Rabs X <= value A bound + Rabs (X - x)).
  { replace X with (x + (X - x)) at 1 by ring. eapply Rle_trans; [apply Rabs_triang|]. lra. }
  assert (M1 : Rabs (X + S) <= value A bound + Rabs (X - x) + S).
  { eapply Rle_trans; [apply Rabs_triang|]. rewrite (Rabs_pos_eq S) by auto. lra. }
  assert (M2 : Rabs (X - S) <= value A bound + Rabs (X - x) + S).
  { unfold Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, (Rabs_pos_eq S) by auto. fold (X - x). lra. }
  apply (Rmult_le_compat_l (u F)) in M1, M2; try lra. apply Rabs_le_inv in E1, E2.
  pose proof (Rle_abs (X - x)). pose proof (Rle_abs (- (X - x))). rewrite Rabs_Ropp in *. lra.
Qed.
End Cover.

(* `main` of a traced tree, written out. *)
Ltac written :=
  match goal with |- context [main ?F ?ex ?e] => let v := eval cbv in e in change (main F ex e) with (main F ex v) end;
  cbn [main magnitude];
  repeat match goal with
         | |- context [is_tiny ?F ?m ?k] =>
           let b := eval vm_compute in (is_tiny F m k) in replace (is_tiny F m k) with b by (vm_compute; reflexivity)
         end; cbv iota.
Ltac whole_numbers :=
  repeat match goal with |- context [F2R (Float radix2 ?m (Zneg ?k))] => generalize (F2R (Float radix2 m (Zneg k))); intro end;
  unfold F2R; simpl; rewrite ?Rmult_1_l, ?Rmult_1_r, ?Rmult_0_l, ?Rplus_0_l, ?Rplus_0_r.
