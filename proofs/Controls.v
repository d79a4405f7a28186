(* Control positions of a vertex over a window (docs/numerics.md, 12.1): GZ_CONTROL_SLACK. *)
From Coq Require Import Reals QArith Qreals Qabs ZArith List Bool Lra Lia.
From Flocq Require Import Core.
Require Import Rounding Given Positive Cover Means TracesModels.
Open Scope R_scope.
Local Notation fl := (round_ binary64).
(* The kernel unfolds these last. *)
Local Strategy 100 [between mean_error error].

(* ---- straight, and cubic: means ---- *)

(* What a bound that the code computes, slack times the largest input and a tiny constant, covers. *)
Definition covers_means (l : list given_variable) (slack : Q) (off : expr) (made : list (option (Q * Q))) : bool :=
  match between binary64 l none none 1 off with
  | Some b => forallb (fun e => match e with Some (r, m) => Qle_bool r (lo b * slack) && Qle_bool (m + under b) 0 | None => false end) made
  | None => false
  end.
Lemma a_covered_mean l x slack off made M : covers_means l slack off made = true -> positive_inputs binary64 l x x none none ->
  quotients_are_capped binary64 x 1 off -> main binary64 x off = Q2R slack * M -> 0 <= M ->
  forall X y r m, In (Some (r, m)) made -> is_mean M X y (r, m) -> Rabs (X - y) <= rounded binary64 x off.
Proof.
  intros C G Q Em PM X y r m I (_ & Pr & Pm & _ & D). unfold covers_means in C.
  destruct (between binary64 l none none 1 off) as [b|] eqn:B; [|discriminate].
  rewrite forallb_forall in C. specialize (C _ I). apply andb_true_iff in C. destruct C as [C1 C2].
  apply bool_le in C1, C2. rewrite Q2R_mult in C1. rewrite Q2R_plus, Q2R_0 in C2.
  destruct (between_holds binary64 l x x none none 1 binary64_is_ieee eq_refl eq_refl G off b B Q) as [_ _ _ _ _ _ H _ _].
  rewrite Em in H. cbn [fst snd] in *. pose proof (eta_positive binary64) as Pe.
  apply (Rmult_le_compat_r M) in C1; auto. apply (Rmult_le_compat_r (eta binary64)) in C2; [|lra]. lra.
Qed.

(* Two ends, then a window; four control values, then a window. *)
Definition straight_part (i : nat) : bool := Nat.leb 2 i && Nat.ltb i 4.
Definition straight_leaf (i : nat) : bool := Nat.ltb i 2.
Definition cubic_part (i : nat) : bool := Nat.leb 4 i && Nat.ltb i 6.
Definition cubic_leaf (i : nat) : bool := Nat.ltb i 4.
Definition straight_made : list (option (Q * Q)) :=
  mean_error straight_part straight_leaf 0 0 TracedStraight.control_0 ::
  first_third_error straight_part straight_leaf 0 0 TracedStraight.control_1 ::
  second_third_error straight_part straight_leaf 0 0 TracedStraight.control_2 ::
  mean_error straight_part straight_leaf 0 0 TracedStraight.control_3 :: nil.
Definition cubic_made : list (option (Q * Q)) :=
  map (mean_error cubic_part cubic_leaf 0 0)
    (TracedCubic.control_0 :: TracedCubic.control_1 :: TracedCubic.control_2 :: TracedCubic.control_3 :: nil).
Definition straight_checks (slack : Q) (off : expr) : bool := covers_means TracedStraight.variables slack off straight_made.
Definition cubic_checks (slack : Q) (off : expr) : bool := covers_means TracedCubic.variables slack off cubic_made.

Section Ways.
Variable x : nat -> R.
Lemma exact_parts is_part : (forall i, is_part i = true -> 0 <= x i <= 1) ->
  forall i, is_part i = true -> 0 <= x i <= 1 /\ 0 <= x i <= 1 /\ Rabs (x i - x i) <= Q2R 0.
Proof. intros H i I. repeat split; try apply H; auto. rewrite Rminus_diag_eq, Rabs_R0, Q2R_0; auto. lra. Qed.
Lemma exact_leaves is_leaf M : (forall i, is_leaf i = true -> Rabs (x i) <= M) ->
  forall i, is_leaf i = true -> Rabs (x i) <= M /\ Rabs (x i - x i) <= Q2R 0 * M.
Proof. intros H i I. split; auto. rewrite Rminus_diag_eq, Rabs_R0, Q2R_0; auto. lra. Qed.
Lemma no_errors : 0 <= Q2R 0 /\ 0 <= Q2R 0. Proof. rewrite Q2R_0. lra. Qed.
Ltac are_given := first [assumption | apply no_errors | apply exact_parts; assumption | apply exact_leaves; assumption].

(* Control positions of what moves straight from x0 to x1, over a window: as they are without rounding. *)
Theorem straight_controls_are_within : positive_inputs binary64 TracedStraight.variables x x none none ->
  (forall i, (2 <= i < 4)%nat -> 0 <= x i <= 1) -> Rabs (x 0%nat) <= Rabs (x 1%nat) ->
  forall e, In e (TracedStraight.control_0 :: TracedStraight.control_1 :: TracedStraight.control_2 :: TracedStraight.control_3 :: nil) ->
  Rabs (rounded binary64 x e - exact x e) <= rounded binary64 x TracedStraight.off.
Proof.
  intros G parts large e I. pose proof (Rabs_pos (x 1%nat)) as PM. set (M := Rabs (x 1%nat)) in *.
  assert (C : straight_checks (value_of TracedStraight.SLACK) TracedStraight.off = true) by (vm_compute; reflexivity).
  assert (Em : main binary64 x TracedStraight.off = Q2R (value_of TracedStraight.SLACK) * M).
  { written. unfold value_of, TracedStraight.SLACK. rewrite number_is_F2R. fold M. ring. }
  assert (N : forall i, is_number binary64 (x i)) by (intros i; apply (proj1 G i)).
  assert (Ps : forall i, straight_part i = true -> 0 <= x i <= 1).
  { intros i J. apply parts. unfold straight_part in J. apply andb_true_iff in J. rewrite Nat.leb_le, Nat.ltb_lt in J. lia. }
  assert (Ls : forall i, straight_leaf i = true -> Rabs (x i) <= M).
  { intros i J. unfold straight_leaf in J. apply Nat.ltb_lt in J. destruct i as [|[|i]]; auto; [unfold M; lra | lia]. }
  pose proof (a_covered_mean _ x _ _ _ M C G ltac:(cbn; tauto) Em PM) as H. clear C.
  unfold straight_made in H. cbn [In] in I. destruct I as [<-|[<-|[<-|[<-|[]]]]].
  - destruct (mean_error straight_part straight_leaf 0 0 TracedStraight.control_0) as [[r m]|] eqn:E; [|vm_compute in E; discriminate].
    apply (H _ _ r m); [now left|]. apply (means_hold x x straight_part straight_leaf 0 0 M); are_given.
  - destruct (first_third_error straight_part straight_leaf 0 0 TracedStraight.control_1) as [[r m]|] eqn:E; [|vm_compute in E; discriminate].
    apply (H _ _ r m); [right; now left|]. apply (a_first_third_holds x x straight_part straight_leaf 0 0 M); are_given.
  - destruct (second_third_error straight_part straight_leaf 0 0 TracedStraight.control_2) as [[r m]|] eqn:E; [|vm_compute in E; discriminate].
    apply (H _ _ r m); [right; right; now left|]. apply (a_second_third_holds x x straight_part straight_leaf 0 0 M); are_given.
  - destruct (mean_error straight_part straight_leaf 0 0 TracedStraight.control_3) as [[r m]|] eqn:E; [|vm_compute in E; discriminate].
    apply (H _ _ r m); [right; right; right; now left|]. apply (means_hold x x straight_part straight_leaf 0 0 M); are_given.
Qed.

(* Those of a part of a cubic. *)
Theorem cubic_controls_are_within : positive_inputs binary64 TracedCubic.variables x x none none ->
  (forall i, (4 <= i < 6)%nat -> 0 <= x i <= 1) -> (forall i, (i < 4)%nat -> Rabs (x i) <= Rabs (x 3%nat)) ->
  forall e, In e (TracedCubic.control_0 :: TracedCubic.control_1 :: TracedCubic.control_2 :: TracedCubic.control_3 :: nil) ->
  Rabs (rounded binary64 x e - exact x e) <= rounded binary64 x TracedCubic.off.
Proof.
  intros G parts large e I. pose proof (Rabs_pos (x 3%nat)) as PM. set (M := Rabs (x 3%nat)) in *.
  assert (C : cubic_checks (value_of TracedCubic.SLACK) TracedCubic.off = true) by (vm_compute; reflexivity).
  assert (Em : main binary64 x TracedCubic.off = Q2R (value_of TracedCubic.SLACK) * M).
  { written. unfold value_of, TracedCubic.SLACK. rewrite number_is_F2R. fold M. ring. }
  assert (N : forall i, is_number binary64 (x i)) by (intros i; apply (proj1 G i)).
  assert (Ps : forall i, cubic_part i = true -> 0 <= x i <= 1).
  { intros i J. apply parts. unfold cubic_part in J. apply andb_true_iff in J. rewrite Nat.leb_le, Nat.ltb_lt in J. lia. }
  assert (Ls : forall i, cubic_leaf i = true -> Rabs (x i) <= M).
  { intros i J. unfold cubic_leaf in J. apply Nat.ltb_lt in J. now apply large. }
  pose proof (a_covered_mean _ x _ _ _ M C G ltac:(cbn; tauto) Em PM) as H. clear C.
  apply (in_map (mean_error cubic_part cubic_leaf 0 0)) in I. fold cubic_made in I.
  destruct (mean_error cubic_part cubic_leaf 0 0 e) as [[r m]|] eqn:E; try rewrite E in I.
  - apply (H _ _ r m); auto. apply (means_hold x x cubic_part cubic_leaf 0 0 M); are_given.
  - exfalso. revert I. vm_compute. intuition discriminate.
Qed.
End Ways.

(* ---- in a frame ---- *)

Import TracedTurned.
(* Four coefficients of each of four entries: k of entry j is 4 k + j; sizes from 16, remainders from 20, the point from 24. *)
Definition controls : list expr := control_0 :: control_1 :: control_2 :: control_3 :: nil.
(* Of the remainders this much may be lost: GZ_TAYLOR_UP, which the length of three such bounds is multiplied by, has it. *)
Definition rest_kept : Q := (1 - 16 * uQ binary64)%Q.
Definition turned_checks (slack : Q) (off : expr) : bool :=
  match between binary64 variables none none 1 off with
  | Some b => Qle_bool rest_kept (lo b) &&
      forallb (fun e => constants_are_numbers binary64 e &&
        match error binary64 none none (size_in variables) e with
        | Some (r, m) => Qle_bool r (lo b * slack) && Qle_bool (m + under b) 0
        | None => false end) controls
  | None => false
  end.

Section Turned.
Variable x : nat -> R.
Hypothesis given : positive_inputs binary64 variables x x none none.
(* The size of an entry is at least that of its coefficients. *)
Hypothesis sizes : forall j, (j < 4)%nat ->
  Rabs (x j) + Rabs (x (4 + j)%nat) + Rabs (x (8 + j)%nat) + Rabs (x (12 + j)%nat) <= x (16 + j)%nat.
Definition turned_size : R := x 19%nat + x 16%nat * Rabs (x 24%nat) + x 17%nat * Rabs (x 25%nat) + x 18%nat * Rabs (x 26%nat).
Definition turned_rest : R := x 23%nat + x 20%nat * Rabs (x 24%nat) + x 21%nat * Rabs (x 25%nat) + x 22%nat * Rabs (x 26%nat).

Lemma turned_terms e : In e controls -> terms none none x e <= turned_size.
Proof.
  intros I.
  assert (S : forall j, (j < 3)%nat -> Rabs (x j) * Rabs (x (24 + j)%nat) + Rabs (x (4 + j)%nat) * Rabs (x (24 + j)%nat) +
    Rabs (x (8 + j)%nat) * Rabs (x (24 + j)%nat) + Rabs (x (12 + j)%nat) * Rabs (x (24 + j)%nat) <= x (16 + j)%nat * Rabs (x (24 + j)%nat)).
  { intros j J. rewrite <- !Rmult_plus_distr_r. apply Rmult_le_compat_r; [apply Rabs_pos | apply sizes; lia]. }
  pose proof (S 0%nat ltac:(lia)) as S0. pose proof (S 1%nat ltac:(lia)) as S1. pose proof (S 2%nat ltac:(lia)) as S2.
  pose proof (sizes 3%nat ltac:(lia)) as S3. cbn [Nat.add] in *. clear S.
  assert (P : forall i j, 0 <= Rabs (x i) * Rabs (x j)) by (intros; apply Rmult_le_pos; apply Rabs_pos).
  pose proof (P 8%nat 24%nat). pose proof (P 9%nat 25%nat). pose proof (P 10%nat 26%nat).
  pose proof (P 4%nat 24%nat). pose proof (P 5%nat 25%nat). pose proof (P 6%nat 26%nat).
  pose proof (Rabs_pos (x 7%nat)). pose proof (Rabs_pos (x 11%nat)). clear P. unfold turned_size.
  assert (D3 : Q2R (Qabs (number 3 0)) = 3) by (unfold Q2R; simpl; lra).
  cbn [controls In] in I. destruct I as [<-|[<-|[<-|[<-|[]]]]];
    match goal with |- context [terms none none x ?e] => let v := eval cbv in e in change (terms none none x e) with (terms none none x v) end;
    cbn [terms has_no_error none divisor Z.eqb andb Qeq_bool Qnum Qden Z.mul Zeq_bool Z.compare]; rewrite ?D3; lra.
Qed.

(* With the remainders of its entries, a control value of a point in a frame is within what the code says of it, which is
   then multiplied by GZ_TAYLOR_UP. *)
Theorem turned_controls_are_within : forall e, In e controls ->
  Rabs (rounded binary64 x e - exact x e) + (1 - 16 * u binary64) * turned_rest <= rounded binary64 x off.
Proof.
  intros e I.
  assert (C : turned_checks (value_of SLACK) off = true) by (vm_compute; reflexivity).
  unfold turned_checks in C. destruct (between binary64 variables none none 1 off) as [b|] eqn:B; [|discriminate].
  apply andb_true_iff in C. destruct C as [C0 C]. rewrite forallb_forall in C. specialize (C e I).
  apply andb_true_iff in C. destruct C as [W C].
  destruct (error binary64 none none (size_in variables) e) as [[r m]|] eqn:E; [|discriminate].
  apply andb_true_iff in C. destruct C as [C1 C2]. apply bool_le in C0, C1, C2.
  assert (Ek : Q2R rest_kept = 1 - 16 * u binary64).
  { unfold rest_kept. rewrite Q2R_minus, Q2R_1, Q2R_mult, uQ_is_u. change (Q2R 16) with (16 * / 1). field. }
  rewrite Ek in C0. rewrite Q2R_mult in C1. rewrite Q2R_plus, Q2R_0 in C2.
  destruct (between_holds binary64 variables x x none none 1 binary64_is_ieee eq_refl eq_refl given off b B ltac:(cbn; tauto))
    as [_ [LA _] _ _ _ _ H _ _].
  assert (Em : main binary64 x off = turned_rest + Q2R (value_of SLACK) * turned_size).
  { written. unfold value_of, SLACK. rewrite number_is_F2R. unfold turned_rest, turned_size. ring. }
  rewrite Em in H. clear Em.
  destruct (error_holds binary64 eq_refl _ _ _ _ x x (proj1 given) ltac:(vm_compute; discriminate) e (r, m) W E) as (Pr & Pm & D).
  cbn [fst snd] in *. pose proof (turned_terms e I) as T. pose proof (terms_are_positive none none x e) as T0.
  pose proof (eta_positive binary64) as Pe. pose proof (proj2 given) as P.
  assert (PR : 0 <= turned_rest).
  { unfold turned_rest. pose proof (P 20%nat eq_refl). pose proof (P 21%nat eq_refl). pose proof (P 22%nat eq_refl). pose proof (P 23%nat eq_refl).
    repeat apply Rplus_le_le_0_compat; auto; apply Rmult_le_pos; auto using Rabs_pos. }
  apply (Rmult_le_compat_l (Q2R r)) in T; auto.
  apply (Rmult_le_compat_r turned_size) in C1; [|pose proof (Rle_trans _ _ _ T0 (turned_terms e I)); auto].
  apply (Rmult_le_compat_r turned_rest) in C0; auto.
  apply (Rmult_le_compat_r (eta binary64)) in C2; [|lra]. lra.
Qed.
End Turned.
