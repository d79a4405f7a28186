(* The core of the checker of certificates, over integers: a list of pieces of time, each with a direction or with the
   volume, from 0 to the time that is claimed. Accepted implies free (the theorem at the end). Extracted and run beside
   verify/ by `./dev twin`.

   Coordinates, separation and radii are integers, all multiplied by one number; times are integers over a common D > 0. *)
From Coq Require Import ZArith Reals List Bool Lra Lia Psatz.
Import ListNotations.
Open Scope Z_scope.

Record vec := V { vx : Z; vy : Z; vz : Z }.
Record row := Row { start : vec; stop : vec; radius : Z }.
Record pair := Pair { rows_a : list row; rows_b : list row; separation : Z }.

Inductive proof := Direction (n : vec) | Volume.
Record piece := Piece { t0 : Z; t1 : Z; by_ : proof }.

(* ---- the function ---- *)

Definition add (a b : vec) := V (vx a + vx b) (vy a + vy b) (vz a + vz b).
Definition sub (a b : vec) := V (vx a - vx b) (vy a - vy b) (vz a - vz b).
Definition times (k : Z) (a : vec) := V (k * vx a) (k * vy a) (k * vz a).
Definition dot (a b : vec) := vx a * vx b + vy a * vy b + vz a * vz b.
Definition det (u v w : vec) :=
  vx u * (vy v * vz w - vz v * vy w) + vy u * (vz v * vx w - vx v * vz w) + vz u * (vx v * vy w - vy v * vx w).

(* D times the position at t / D. *)
Definition at_ (D t : Z) (r : row) : vec := add (times (D - t) (start r)) (times t (stop r)).

Definition is_ahead (D sep : Z) (n : vec) (t : Z) (a b : row) : bool :=
  let v := dot n (sub (at_ D t b) (at_ D t a)) in
  let w := sep + radius a + radius b in
  (0 <? v) && (w * w * dot n n * (D * D) <? v * v).

Definition direction_ok (D : Z) (p : pair) (n : vec) (a b : Z) : bool :=
  forallb (fun i => forallb (fun j => is_ahead D (separation p) n a i j && is_ahead D (separation p) n b i j) (rows_b p))
    (rows_a p).

(* The volume of three vectors that move straight keeps its sign: Bernstein coefficients, on halves where they do not tell. *)
Fixpoint keeps_sign (fuel : nat) (s : Z) (u0 v0 w0 u1 v1 w1 : vec) : bool :=
  if (0 <? s * det u0 v0 w0) && (0 <? s * det u1 v1 w1) then
    ((0 <=? s * (det u1 v0 w0 + det u0 v1 w0 + det u0 v0 w1)) && (0 <=? s * (det u0 v1 w1 + det u1 v0 w1 + det u1 v1 w0))) ||
    match fuel with
    | O => false
    | S f =>
      let um := add u0 u1 in let vm := add v0 v1 in let wm := add w0 w1 in
      keeps_sign f s (times 2 u0) (times 2 v0) (times 2 w0) um vm wm &&
      keeps_sign f s um vm wm (times 2 u1) (times 2 v1) (times 2 w1)
    end
  else false.

Definition volume_of (D t : Z) (p : pair) : option (vec * vec * vec) :=
  match rows_a p, rows_b p with
  | [x], [a; b; c] =>
    Some (sub (at_ D t x) (at_ D t a), sub (at_ D t b) (at_ D t a), sub (at_ D t c) (at_ D t a))
  | [x; y], [a; b] =>
    Some (sub (at_ D t a) (at_ D t x), sub (at_ D t y) (at_ D t x), sub (at_ D t b) (at_ D t a))
  | _, _ => None
  end.

Definition volume_ok (fuel : nat) (D : Z) (p : pair) (a b : Z) : bool :=
  match volume_of D a p, volume_of D b p with
  | Some (u0, v0, w0), Some (u1, v1, w1) =>
    keeps_sign fuel 1 u0 v0 w0 u1 v1 w1 || keeps_sign fuel (-1) u0 v0 w0 u1 v1 w1
  | _, _ => false
  end.

Definition is_thin (p : pair) : bool :=
  (separation p =? 0) && forallb (fun r => radius r =? 0) (rows_a p ++ rows_b p).

Definition piece_ok (fuel : nat) (D : Z) (p : pair) (q : piece) : bool :=
  match by_ q with
  | Direction n => direction_ok D p n (t0 q) (t1 q)
  | Volume => is_thin p && volume_ok fuel D p (t0 q) (t1 q)
  end.

Fixpoint chain_ok (fuel : nat) (D : Z) (p : pair) (reached toi : Z) (l : list piece) : bool :=
  match l with
  | [] => reached =? toi
  | q :: rest => (t0 q =? reached) && (t0 q <? t1 q) && piece_ok fuel D p q && chain_ok fuel D p (t1 q) toi rest
  end.

Definition lengths_ok (p : pair) : bool :=
  (0 <=? separation p) && forallb (fun r => 0 <=? radius r) (rows_a p ++ rows_b p).

Definition accepts (fuel : nat) (D : Z) (p : pair) (toi : Z) (l : list piece) : bool :=
  (0 <? D) && lengths_ok p && chain_ok fuel D p 0 toi l.

(* ---- what it means ---- *)

Open Scope R_scope.

Definition position (c : vec -> Z) (t : R) (r : row) : R := (1 - t) * IZR (c (start r)) + t * IZR (c (stop r)).

Fixpoint weighted (w : list R) (f : row -> R) (l : list row) : R :=
  match w, l with
  | x :: w', r :: l' => x * f r + weighted w' f l'
  | _, _ => 0
  end.

Definition weights (w : list R) (l : list row) : Prop :=
  length w = length l /\ Forall (fun x => 0 <= x) w /\ fold_right Rplus 0 w = 1.

Definition gap (c : vec -> Z) (p : pair) (wa wb : list R) (t : R) : R :=
  weighted wb (position c t) (rows_b p) - weighted wa (position c t) (rows_a p).

Definition reach (p : pair) (wa wb : list R) : R :=
  IZR (separation p) + weighted wa (fun r => IZR (radius r)) (rows_a p) + weighted wb (fun r => IZR (radius r)) (rows_b p).

(* No point of A is within the separation and both radii there of a point of B. *)
Definition free (p : pair) (t : R) : Prop := forall wa wb, weights wa (rows_a p) -> weights wb (rows_b p) ->
  reach p wa wb * reach p wa wb < gap vx p wa wb t * gap vx p wa wb t + gap vy p wa wb t * gap vy p wa wb t +
    gap vz p wa wb t * gap vz p wa wb t.

(* ---- directions ---- *)

Lemma weighted_above w f l m : weights w l -> (forall r, In r l -> m < f r) -> m < weighted w f l.
Proof.
  intros (Hl & Hp & Hs) H.
  assert (G : forall w l, length w = length l -> Forall (fun x => 0 <= x) w -> (forall r, In r l -> m < f r) ->
    m * fold_right Rplus 0 w <= weighted w f l /\
    (0 < fold_right Rplus 0 w -> m * fold_right Rplus 0 w < weighted w f l)).
  { clear. induction w as [|x w IH]; intros [|r l] E P H; simpl in *; try discriminate; [lra|].
    inversion P as [|? ? P1 P2]; subst.
    destruct (IH l ltac:(lia) P2 ltac:(auto)) as [I1 I2]. pose proof (H r ltac:(auto)) as Hr.
    assert (S : 0 <= fold_right Rplus 0 w) by (clear -P2; induction P2; simpl; lra).
    split; [nra|]. intros T. destruct (Req_dec x 0) as [->|N].
    - assert (0 < fold_right Rplus 0 w) by lra. specialize (I2 H0). nra.
    - assert (0 < x) by lra. nra. }
  destruct (G w l Hl Hp H) as [_ K]. rewrite Hs in K. specialize (K ltac:(lra)). lra.
Qed.

Lemma weighted_below w f l m : weights w l -> (forall r, In r l -> f r < m) -> weighted w f l < m.
Proof.
  intros W H. pose proof (weighted_above w (fun r => - f r) l (- m) W) as A.
  assert (N : forall w l, weighted w (fun r => - f r) l = - weighted w f l).
  { clear. induction w as [|x w IH]; intros [|r l]; simpl; try lra. rewrite IH. lra. }
  rewrite N in A. assert (forall r, In r l -> - m < - f r) by (intros r I; specialize (H r I); lra).
  specialize (A H0). lra.
Qed.

Lemma weighted_sum w a b f g l :
  weighted w (fun r => a * f r + b * g r) l = a * weighted w f l + b * weighted w g l.
Proof. revert l. induction w as [|x w IH]; intros [|r l]; simpl; try lra. rewrite IH. lra. Qed.

Definition along (n : vec) (t : R) (r : row) : R :=
  IZR (vx n) * position vx t r + IZR (vy n) * position vy t r + IZR (vz n) * position vz t r.

Lemma weighted_along w n t l : weighted w (along n t) l =
  IZR (vx n) * weighted w (position vx t) l + IZR (vy n) * weighted w (position vy t) l +
  IZR (vz n) * weighted w (position vz t) l.
Proof. revert l. unfold along. induction w as [|x w IH]; intros [|r l]; simpl; try lra. rewrite IH. lra. Qed.

Lemma along_at D t n r : (0 < D)%Z -> IZR (dot n (at_ D t r)) = IZR D * along n (IZR t / IZR D) r.
Proof.
  intros H. apply IZR_lt in H. unfold dot, at_, add, times, along, position. simpl.
  repeat rewrite ?plus_IZR, ?mult_IZR, ?minus_IZR. field. lra.
Qed.

Definition norm (n : vec) : R := sqrt (IZR (dot n n)).

Lemma dot_self n : (0 <= dot n n)%Z.
Proof. unfold dot. nia. Qed.

Lemma norm_square n : norm n * norm n = IZR (dot n n).
Proof. apply sqrt_sqrt. apply IZR_le, dot_self. Qed.

Lemma ahead_means D sep n t a b : (0 < D)%Z -> (0 <= sep + radius a + radius b)%Z -> is_ahead D sep n t a b = true ->
  norm n * (IZR sep + IZR (radius a) + IZR (radius b)) < along n (IZR t / IZR D) b - along n (IZR t / IZR D) a.
Proof.
  intros HD HW H. unfold is_ahead in H. apply andb_true_iff in H as [H1 H2].
  apply Z.ltb_lt in H1, H2. apply IZR_lt in H1, H2. apply IZR_le in HW.
  replace (dot n (sub (at_ D t b) (at_ D t a))) with (dot n (at_ D t b) - dot n (at_ D t a))%Z in *
    by (unfold dot, sub; simpl; ring).
  repeat rewrite ?mult_IZR, ?minus_IZR, ?plus_IZR, ?along_at in * by assumption.
  apply IZR_lt in HD. set (d := along n _ b - along n _ a).
  replace (IZR D * along n (IZR t / IZR D) b - IZR D * along n (IZR t / IZR D) a) with (IZR D * d) in * by (unfold d; ring).
  assert (Hd : 0 < d) by nra. rewrite <- norm_square in H2.
  assert (N : 0 <= norm n) by apply sqrt_pos.
  set (w := IZR sep + IZR (radius a) + IZR (radius b)) in *.
  apply Rnot_le_lt. intros L.
  assert (d * d <= norm n * w * (norm n * w)) by (apply Rmult_le_compat; lra).
  assert (IZR D * d * (IZR D * d) <= w * w * (norm n * norm n) * (IZR D * IZR D)) by nra. lra.
Qed.

Lemma along_between n t a b s r : t = (1 - s) * a + s * b ->
  along n t r = (1 - s) * along n a r + s * along n b r.
Proof. intros ->. unfold along, position. ring. Qed.

Lemma between a b t : a <= t <= b -> exists s, 0 <= s <= 1 /\ t = (1 - s) * a + s * b.
Proof.
  intros H. destruct (Req_dec a b) as [E|E].
  - exists 0. split; [lra|]. lra.
  - exists ((t - a) / (b - a)). split; [split|field; lra].
    + apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
    + apply Rmult_le_reg_r with (b - a); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma cauchy a b c x y z : (a * x + b * y + c * z) * (a * x + b * y + c * z) <= (a * a + b * b + c * c) * (x * x + y * y + z * z).
Proof.
  assert (0 <= (a * y - b * x) * (a * y - b * x) + (a * z - c * x) * (a * z - c * x) + (b * z - c * y) * (b * z - c * y))
    by (repeat apply Rplus_le_le_0_compat; apply Rle_0_sqr).
  lra.
Qed.

Lemma radii_are_positive p r : lengths_ok p = true -> In r (rows_a p ++ rows_b p) -> (0 <= radius r)%Z.
Proof.
  intros H I. unfold lengths_ok in H. apply andb_true_iff in H as [_ H]. rewrite forallb_forall in H.
  apply Z.leb_le, H, I.
Qed.

Lemma weighted_positive w f l : weights w l -> (forall r, In r l -> 0 <= f r) -> 0 <= weighted w f l.
Proof.
  intros (Hl & Hp & _). revert l Hl. induction Hp as [|x w Px Pw IH]; intros [|r l] E H; simpl in *; try lra.
  pose proof (H r ltac:(auto)). pose proof (IH l ltac:(lia) ltac:(auto)). nra.
Qed.

Lemma direction_frees D p n a b t : (0 < D)%Z -> lengths_ok p = true -> direction_ok D p n a b = true ->
  IZR a / IZR D <= t <= IZR b / IZR D -> free p t.
Proof.
  intros HD HL H HT wa wb Wa Wb. unfold direction_ok in H. rewrite forallb_forall in H.
  destruct (between _ _ _ HT) as (s & Hs & Et).
  assert (Hsep : (0 <= separation p)%Z) by (unfold lengths_ok in HL; apply andb_true_iff in HL as [L _]; apply Z.leb_le, L).
  assert (E : forall i j, In i (rows_a p) -> In j (rows_b p) ->
    along n t i + norm n * IZR (radius i) + norm n * IZR (separation p) < along n t j - norm n * IZR (radius j)).
  { intros i j Ii Ij. specialize (H i Ii). rewrite forallb_forall in H. specialize (H j Ij).
    apply andb_true_iff in H as [H1 H2].
    pose proof (radii_are_positive p i HL ltac:(apply in_or_app; auto)).
    pose proof (radii_are_positive p j HL ltac:(apply in_or_app; auto)).
    apply ahead_means in H1; [|assumption|lia]. apply ahead_means in H2; [|assumption|lia].
    rewrite (along_between n t _ _ s i Et), (along_between n t _ _ s j Et).
    set (ai := along n (IZR a / IZR D) i) in *. set (bi := along n (IZR b / IZR D) i) in *.
    set (aj := along n (IZR a / IZR D) j) in *. set (bj := along n (IZR b / IZR D) j) in *.
    set (k := norm n * (IZR (separation p) + IZR (radius i) + IZR (radius j))) in *.
    assert (k < (1 - s) * (aj - ai) + s * (bj - bi)).
    { destruct (Req_dec s 0) as [->|N]; [lra|].
      assert (0 < s * (bj - bi - k)) by (apply Rmult_lt_0_compat; lra).
      assert (0 <= (1 - s) * (aj - ai - k)) by (apply Rmult_le_pos; lra). lra. }
    unfold k in *. lra. }
  assert (F : weighted wa (fun r => 1 * along n t r + norm n * IZR (radius r)) (rows_a p) + norm n * IZR (separation p) <
    weighted wb (fun r => 1 * along n t r + - norm n * IZR (radius r)) (rows_b p)).
  { apply weighted_above; [assumption|]. intros j Ij.
    enough (weighted wa (fun r => 1 * along n t r + norm n * IZR (radius r)) (rows_a p) <
      1 * along n t j + - norm n * IZR (radius j) - norm n * IZR (separation p)) by lra.
    apply weighted_below; [assumption|]. intros i Ii. specialize (E i j Ii Ij). lra. }
  rewrite (weighted_sum wa 1 (norm n)), (weighted_sum wb 1 (- norm n)) in F. rewrite !weighted_along in F.
  set (gx := gap vx p wa wb t). set (gy := gap vy p wa wb t). set (gz := gap vz p wa wb t).
  assert (K : norm n * reach p wa wb < IZR (vx n) * gx + IZR (vy n) * gy + IZR (vz n) * gz)
    by (unfold reach, gx, gy, gz, gap; lra).
  assert (N : 0 <= norm n) by apply sqrt_pos.
  assert (R : 0 <= reach p wa wb).
  { unfold reach. apply IZR_le in Hsep.
    pose proof (weighted_positive wa (fun r => IZR (radius r)) (rows_a p) Wa
      (fun r I => IZR_le _ _ (radii_are_positive p r HL (in_or_app _ _ _ (or_introl I))))).
    pose proof (weighted_positive wb (fun r => IZR (radius r)) (rows_b p) Wb
      (fun r I => IZR_le _ _ (radii_are_positive p r HL (in_or_app _ _ _ (or_intror I))))). lra. }
  pose proof (cauchy (IZR (vx n)) (IZR (vy n)) (IZR (vz n)) gx gy gz) as C.
  set (g := gx * gx + gy * gy + gz * gz) in *. set (q := IZR (vx n) * gx + IZR (vy n) * gy + IZR (vz n) * gz) in *.
  pose proof (norm_square n) as S. unfold dot in S. rewrite !plus_IZR, !mult_IZR in S. rewrite <- S in C.
  set (r := reach p wa wb) in *.
  assert (Kr : norm n * r * (norm n * r) < q * q).
  { assert (0 <= norm n * r) by (apply Rmult_le_pos; assumption). apply Rmult_le_0_lt_compat; lra. }
  apply Rnot_le_lt. intros L.
  assert (norm n * norm n * g <= norm n * norm n * (r * r)) by (apply Rmult_le_compat_l; [apply Rle_0_sqr|exact L]).
  lra.
Qed.

(* ---- volumes ---- *)

Record rvec := RV { rx : R; ry : R; rz : R }.
Definition rdet (u v w : rvec) : R :=
  rx u * (ry v * rz w - rz v * ry w) + ry u * (rz v * rx w - rx v * rz w) + rz u * (rx v * ry w - ry v * rx w).
Definition mix (s : R) (a b : vec) : rvec :=
  RV ((1 - s) * IZR (vx a) + s * IZR (vx b)) ((1 - s) * IZR (vy a) + s * IZR (vy b)) ((1 - s) * IZR (vz a) + s * IZR (vz b)).

Lemma bernstein s u0 v0 w0 u1 v1 w1 : rdet (mix s u0 u1) (mix s v0 v1) (mix s w0 w1) =
  (1 - s) * (1 - s) * (1 - s) * IZR (det u0 v0 w0) +
  (1 - s) * (1 - s) * s * IZR (det u1 v0 w0 + det u0 v1 w0 + det u0 v0 w1) +
  (1 - s) * s * s * IZR (det u0 v1 w1 + det u1 v0 w1 + det u1 v1 w0) + s * s * s * IZR (det u1 v1 w1).
Proof.
  unfold rdet, mix, det. simpl. repeat rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR. ring.
Qed.

Lemma left_half s u0 v0 w0 u1 v1 w1 :
  rdet (mix (2 * s) (times 2 u0) (add u0 u1)) (mix (2 * s) (times 2 v0) (add v0 v1)) (mix (2 * s) (times 2 w0) (add w0 w1)) =
  8 * rdet (mix s u0 u1) (mix s v0 v1) (mix s w0 w1).
Proof. unfold rdet, mix, times, add. cbn [rx ry rz vx vy vz]. repeat rewrite ?plus_IZR, ?mult_IZR. ring. Qed.

Lemma right_half s u0 v0 w0 u1 v1 w1 :
  rdet (mix (2 * s - 1) (add u0 u1) (times 2 u1)) (mix (2 * s - 1) (add v0 v1) (times 2 v1))
    (mix (2 * s - 1) (add w0 w1) (times 2 w1)) = 8 * rdet (mix s u0 u1) (mix s v0 v1) (mix s w0 w1).
Proof. unfold rdet, mix, times, add. cbn [rx ry rz vx vy vz]. repeat rewrite ?plus_IZR, ?mult_IZR. ring. Qed.

Lemma positive_mix s k0 k1 k2 k3 : 0 <= s <= 1 -> 0 < k0 -> 0 <= k1 -> 0 <= k2 -> 0 < k3 ->
  0 < (1 - s) * (1 - s) * (1 - s) * k0 + (1 - s) * (1 - s) * s * k1 + (1 - s) * s * s * k2 + s * s * s * k3.
Proof.
  intros Hs K0 K1 K2 K3.
  assert (A0 : 0 <= (1 - s) * (1 - s) * (1 - s) * k0) by (repeat apply Rmult_le_pos; lra).
  assert (A1 : 0 <= (1 - s) * (1 - s) * s * k1) by (repeat apply Rmult_le_pos; lra).
  assert (A2 : 0 <= (1 - s) * s * s * k2) by (repeat apply Rmult_le_pos; lra).
  assert (A3 : 0 <= s * s * s * k3) by (repeat apply Rmult_le_pos; lra).
  destruct (Req_dec s 0) as [->|N].
  - assert (0 < (1 - 0) * (1 - 0) * (1 - 0) * k0) by (repeat apply Rmult_lt_0_compat; lra). lra.
  - assert (0 < s * s * s * k3) by (repeat apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma bernstein_is_positive s0 s u0 v0 w0 u1 v1 w1 : 0 <= s <= 1 ->
  (0 < s0 * det u0 v0 w0)%Z -> (0 < s0 * det u1 v1 w1)%Z ->
  (0 <= s0 * (det u1 v0 w0 + det u0 v1 w0 + det u0 v0 w1))%Z ->
  (0 <= s0 * (det u0 v1 w1 + det u1 v0 w1 + det u1 v1 w0))%Z ->
  0 < IZR s0 * rdet (mix s u0 u1) (mix s v0 v1) (mix s w0 w1).
Proof.
  intros Hs E0 E3 E1 E2. apply IZR_lt in E0, E3. apply IZR_le in E1, E2. rewrite mult_IZR in E0, E1, E2, E3.
  pose proof (positive_mix s _ _ _ _ Hs E0 E1 E2 E3) as P. rewrite bernstein. lra.
Qed.

Lemma sign_is_kept fuel s0 : forall u0 v0 w0 u1 v1 w1, keeps_sign fuel s0 u0 v0 w0 u1 v1 w1 = true ->
  forall s, 0 <= s <= 1 -> 0 < IZR s0 * rdet (mix s u0 u1) (mix s v0 v1) (mix s w0 w1).
Proof.
  induction fuel as [|f IH]; intros u0 v0 w0 u1 v1 w1 H s Hs; cbn [keeps_sign] in H;
    destruct (0 <? s0 * det u0 v0 w0)%Z eqn:E0; try discriminate H;
    destruct (0 <? s0 * det u1 v1 w1)%Z eqn:E3; try discriminate H;
    cbn [andb] in H; apply Z.ltb_lt in E0; apply Z.ltb_lt in E3; apply orb_true_iff in H; destruct H as [H|H].
  - apply andb_true_iff in H. destruct H as [E1 E2]. apply bernstein_is_positive; trivial; apply Z.leb_le; assumption.
  - discriminate H.
  - apply andb_true_iff in H. destruct H as [E1 E2]. apply bernstein_is_positive; trivial; apply Z.leb_le; assumption.
  - apply andb_true_iff in H. destruct H as [HL HR]. destruct (Rle_dec s (1 / 2)) as [L|L].
    + specialize (IH _ _ _ _ _ _ HL (2 * s) ltac:(lra)). rewrite left_half in IH. lra.
    + specialize (IH _ _ _ _ _ _ HR (2 * s - 1) ltac:(lra)). rewrite right_half in IH. lra.
Qed.

(* D times a difference of two rows, mixed between two times, is that difference at the time between. *)
Lemma mixed_difference D a b s r q c (C : c = vx \/ c = vy \/ c = vz) : (0 < D)%Z ->
  (1 - s) * IZR (c (sub (at_ D a r) (at_ D a q))) + s * IZR (c (sub (at_ D b r) (at_ D b q))) =
  IZR D * (position c ((1 - s) * (IZR a / IZR D) + s * (IZR b / IZR D)) r -
           position c ((1 - s) * (IZR a / IZR D) + s * (IZR b / IZR D)) q).
Proof.
  intros H. apply IZR_lt in H. unfold position.
  destruct C as [->|[->| ->]]; unfold sub, at_, add, times; simpl;
    repeat rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR; field; lra.
Qed.

Lemma dependent_vectors v w a b : rdet (RV (a * rx v + b * rx w) (a * ry v + b * ry w) (a * rz v + b * rz w)) v w = 0.
Proof. unfold rdet. simpl. ring. Qed.

Lemma three_squares x y z : ~ (x = 0 /\ y = 0 /\ z = 0) -> 0 < x * x + y * y + z * z.
Proof.
  intros H. pose proof (Rle_0_sqr x) as X. pose proof (Rle_0_sqr y) as Y. pose proof (Rle_0_sqr z) as Z'. unfold Rsqr in *.
  destruct (Req_dec x 0) as [->|N]; [|assert (0 < x * x) by (apply Rsqr_pos_lt in N; exact N); lra].
  destruct (Req_dec y 0) as [->|N]; [|assert (0 < y * y) by (apply Rsqr_pos_lt in N; exact N); lra].
  destruct (Req_dec z 0) as [->|N]; [|assert (0 < z * z) by (apply Rsqr_pos_lt in N; exact N); lra]. tauto.
Qed.

Lemma thin_reach p wa wb : is_thin p = true -> reach p wa wb = 0.
Proof.
  intros H. unfold is_thin in H. apply andb_true_iff in H as [S H]. apply Z.eqb_eq in S. rewrite forallb_forall in H.
  assert (W : forall l, (forall r, In r l -> In r (rows_a p ++ rows_b p)) ->
    forall w, weighted w (fun r => IZR (radius r)) l = 0).
  { induction l as [|r l IH]; intros I [|x w]; simpl; try lra.
    rewrite IH by (intros; apply I; right; assumption).
    specialize (H r (I r (or_introl eq_refl))). apply Z.eqb_eq in H. rewrite H. lra. }
  unfold reach. rewrite S, !W by (intros; apply in_or_app; auto). lra.
Qed.

Lemma volume_frees fuel D p a b t : (0 < D)%Z -> is_thin p = true -> volume_ok fuel D p a b = true ->
  IZR a / IZR D <= t <= IZR b / IZR D -> free p t.
Proof.
  intros HD HT H Ht wa wb (La & Pa & Sa) (Lb & Pb & Sb). rewrite (thin_reach p wa wb HT), Rmult_0_l.
  destruct (between _ _ _ Ht) as (s & Hs & Et). apply three_squares. intros (Gx & Gy & Gz).
  pose proof (IZR_lt _ _ HD) as HD'.
  assert (Z0 : forall u0 v0 w0 u1 v1 w1, volume_of D a p = Some (u0, v0, w0) -> volume_of D b p = Some (u1, v1, w1) ->
    rdet (mix s u0 u1) (mix s v0 v1) (mix s w0 w1) = 0).
  { intros u0 v0 w0 u1 v1 w1 Ea Eb. unfold volume_of in Ea, Eb.
    unfold gap in Gx, Gy, Gz.
    destruct (rows_a p) as [|x [|y [|? ?]]]; try discriminate.
    - destruct (rows_b p) as [|q1 [|q2 [|q3 [|? ?]]]]; try discriminate.
      destruct wa as [|k [|? ?]]; try discriminate. destruct wb as [|k1 [|k2 [|k3 [|? ?]]]]; try discriminate.
      injection Ea as <- <- <-. injection Eb as <- <- <-. simpl in *. unfold mix.
      rewrite !mixed_difference by auto. rewrite <- !Et. set (P := position) in *.
      assert (Ek : k = 1) by lra. subst k. assert (E1 : k1 = 1 - k2 - k3) by lra. subst k1.
      replace (RV (IZR D * (P vx t x - P vx t q1)) (IZR D * (P vy t x - P vy t q1)) (IZR D * (P vz t x - P vz t q1))) with
        (RV (k2 * (IZR D * (P vx t q2 - P vx t q1)) + k3 * (IZR D * (P vx t q3 - P vx t q1)))
            (k2 * (IZR D * (P vy t q2 - P vy t q1)) + k3 * (IZR D * (P vy t q3 - P vy t q1)))
            (k2 * (IZR D * (P vz t q2 - P vz t q1)) + k3 * (IZR D * (P vz t q3 - P vz t q1)))).
      + apply (dependent_vectors (RV _ _ _) (RV _ _ _)).
      + f_equal; [replace (P vx t x) with ((1 - k2 - k3) * P vx t q1 + k2 * P vx t q2 + k3 * P vx t q3) by lra
                 |replace (P vy t x) with ((1 - k2 - k3) * P vy t q1 + k2 * P vy t q2 + k3 * P vy t q3) by lra
                 |replace (P vz t x) with ((1 - k2 - k3) * P vz t q1 + k2 * P vz t q2 + k3 * P vz t q3) by lra]; ring.
    - destruct (rows_b p) as [|q1 [|q2 [|? ?]]]; try discriminate.
      destruct wa as [|h1 [|h2 [|? ?]]]; try discriminate. destruct wb as [|k1 [|k2 [|? ?]]]; try discriminate.
      injection Ea as <- <- <-. injection Eb as <- <- <-. simpl in *. unfold mix.
      rewrite !mixed_difference by auto. rewrite <- !Et. set (P := position) in *.
      assert (Eh : h1 = 1 - h2) by lra. subst h1. assert (E1 : k1 = 1 - k2) by lra. subst k1.
      replace (RV (IZR D * (P vx t q1 - P vx t x)) (IZR D * (P vy t q1 - P vy t x)) (IZR D * (P vz t q1 - P vz t x))) with
        (RV (h2 * (IZR D * (P vx t y - P vx t x)) + - k2 * (IZR D * (P vx t q2 - P vx t q1)))
            (h2 * (IZR D * (P vy t y - P vy t x)) + - k2 * (IZR D * (P vy t q2 - P vy t q1)))
            (h2 * (IZR D * (P vz t y - P vz t x)) + - k2 * (IZR D * (P vz t q2 - P vz t q1)))).
      + apply (dependent_vectors (RV _ _ _) (RV _ _ _)).
      + assert (L : forall e g h i j, (1 - k2) * e + (k2 * g + 0) - ((1 - h2) * h + (h2 * i + 0)) = 0 -> j = e ->
          h2 * (IZR D * (i - h)) + - k2 * (IZR D * (g - e)) = IZR D * (j - h)).
        { intros e g h i j G ->. replace e with (((1 - h2) * h + h2 * i - k2 * g) + k2 * e) at 2 by lra. ring. }
        f_equal; apply L; trivial. }
  unfold volume_ok in H. destruct (volume_of D a p) as [[[u0 v0] w0]|]; [|discriminate].
  destruct (volume_of D b p) as [[[u1 v1] w1]|]; [|discriminate].
  specialize (Z0 _ _ _ _ _ _ eq_refl eq_refl).
  apply orb_true_iff in H as [H|H]; pose proof (sign_is_kept _ _ _ _ _ _ _ _ H s Hs) as K; rewrite Z0 in K; lra.
Qed.

(* ---- the theorem ---- *)

Lemma chain_frees fuel D p l : forall reached toi, (0 < D)%Z -> lengths_ok p = true ->
  chain_ok fuel D p reached toi l = true ->
  forall t, IZR reached / IZR D <= t < IZR toi / IZR D -> free p t.
Proof.
  induction l as [|q l IH]; intros reached toi HD HL H t Ht; simpl in H.
  - apply Z.eqb_eq in H. subst. lra.
  - repeat (apply andb_true_iff in H as [H ?]). apply Z.eqb_eq in H.
    destruct (Rle_dec t (IZR (t1 q) / IZR D)) as [L|L].
    + unfold piece_ok in *. destruct (by_ q) as [n|].
      * apply (direction_frees D p n (t0 q) (t1 q)); auto. rewrite H. lra.
      * match goal with K : is_thin p && _ = true |- _ => apply andb_true_iff in K as [K1 K2] end.
        apply (volume_frees fuel D p (t0 q) (t1 q)); auto. rewrite H. lra.
    + apply (IH (t1 q) toi); auto. lra.
Qed.

Theorem accepted_implies_free fuel D p toi l : accepts fuel D p toi l = true ->
  forall t, 0 <= t < IZR toi / IZR D -> free p t.
Proof.
  unfold accepts. intros H t Ht. repeat (apply andb_true_iff in H as [H ?]). apply Z.ltb_lt in H.
  apply (chain_frees fuel D p l 0 toi); auto. unfold Rdiv. rewrite Rmult_0_l. exact Ht.
Qed.

Print Assumptions accepted_implies_free.
