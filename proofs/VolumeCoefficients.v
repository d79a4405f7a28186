(* The volume polynomial: GZ_VOLUME_SLACK, GZ_VOLUME_TINY. *)
From Coq Require Import Reals QArith Qreals List Lra.
From Flocq Require Import Core.
Require Import Rounding Given Size Traces Volume.
Open Scope R_scope.

Lemma third_is : Q2R (1 # 3) = / 3. Proof. unfold Q2R; simpl; lra. Qed.

Lemma the_cubic_above ex s : cubic (exact ex TracedVolume.c_0) (exact ex TracedVolume.c_1) (exact ex TracedVolume.c_2) (exact ex TracedVolume.c_3) s = volume ex s.
Proof.
  cbv -[Rplus Rmult Rminus Ropp Rinv IZR Q2R]. rewrite !third_is. field.
Qed.

Theorem volume_above fx ex : inputs binary64 TracedVolume.variables fx ex ->
  largest_are_first fx -> parts_are_parts ex -> forall x, 0 <= x <= 1 ->
  let low c := rounded binary64 fx c in
  cubic (low TracedVolume.low_0) (low TracedVolume.low_1) (low TracedVolume.low_2) (low TracedVolume.low_3) x
  <= volume ex (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat)) /\
  nothing_overflows binary64 fx TracedVolume.low_0 /\ nothing_overflows binary64 fx TracedVolume.low_1 /\
  nothing_overflows binary64 fx TracedVolume.low_2 /\ nothing_overflows binary64 fx TracedVolume.low_3.
Proof.
  intros G L P x X low. unfold low.
  assert (S : forall g, In g (1 :: 2 :: 3 :: nil)%nat -> largest_of fx g <= 2).
  { intros g H. destruct (G (6 * (g - 1))%nat) as (_ & _ & _ & _ & B & _). unfold largest_of.
    eapply Rle_trans; [exact B|].
    simpl in H. destruct H as [<-|[<-|[<-|[]]]]; unfold size_in; simpl; unfold Q2R; simpl; lra. }
  assert (K : forall c, volume_checks binary64 TracedVolume.variables c TracedVolume.slack (value_of TracedVolume.VOLUME_SLACK) = true ->
    rounded binary64 fx (Sub c TracedVolume.slack) <= exact ex c /\ nothing_overflows binary64 fx (Sub c TracedVolume.slack)).
  { intros c H. apply (a_coefficient_is_right binary64 TracedVolume.variables fx ex binary64_is_ieee G L P S c TracedVolume.slack _ H).
    unfold value_of, TracedVolume.VOLUME_SLACK. rewrite number_is_F2R. reflexivity. }
  destruct (K TracedVolume.coefficient_0 ltac:(vm_compute; reflexivity)) as [K0 O0].
  destruct (K TracedVolume.coefficient_1 ltac:(vm_compute; reflexivity)) as [K1 O1].
  destruct (K TracedVolume.coefficient_2 ltac:(vm_compute; reflexivity)) as [K2 O2].
  destruct (K TracedVolume.coefficient_3 ltac:(vm_compute; reflexivity)) as [K3 O3].
  split; [|exact (conj O0 (conj O1 (conj O2 O3)))].
  eapply Rle_trans; [exact (cubics_are_ordered _ _ _ _ _ _ _ _ x X K0 K1 K2 K3)|].
  pose proof (right_is (ex 18%nat) (exact ex TracedVolume.c_0) (exact ex TracedVolume.c_1) (exact ex TracedVolume.c_2) (exact ex TracedVolume.c_3) (ex 19%nat * x)) as R.
  rewrite (the_cubic_above ex (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat))) in R.
  pose proof (left_is (ex 19%nat) (exact ex TracedVolume.b_0 * F2R (Float radix2 1 0)) (exact ex TracedVolume.b_1 * F2R (Float radix2 1 0))
    (exact ex TracedVolume.b_2 * F2R (Float radix2 1 0)) (exact ex TracedVolume.b_3 * F2R (Float radix2 1 0)) x) as E.
  change (cubic (exact ex TracedVolume.coefficient_0) (exact ex TracedVolume.coefficient_1) (exact ex TracedVolume.coefficient_2)
    (exact ex TracedVolume.coefficient_3) x = cubic (exact ex TracedVolume.b_0 * F2R (Float radix2 1 0)) (exact ex TracedVolume.b_1 * F2R (Float radix2 1 0))
    (exact ex TracedVolume.b_2 * F2R (Float radix2 1 0)) (exact ex TracedVolume.b_3 * F2R (Float radix2 1 0)) (ex 19%nat * x)) in E.
  change (cubic (exact ex TracedVolume.b_0) (exact ex TracedVolume.b_1) (exact ex TracedVolume.b_2) (exact ex TracedVolume.b_3) (ex 19%nat * x) =
    volume ex (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat))) in R.
  rewrite E, <- R. replace (F2R (Float radix2 1 0)) with (1) by (unfold F2R; simpl; ring). unfold cubic. right. ring.
Qed.

Lemma the_cubic_below ex s : cubic (exact ex TracedVolumeBelow.c_0) (exact ex TracedVolumeBelow.c_1) (exact ex TracedVolumeBelow.c_2) (exact ex TracedVolumeBelow.c_3) s = volume ex s.
Proof.
  cbv -[Rplus Rmult Rminus Ropp Rinv IZR Q2R]. rewrite !third_is. field.
Qed.

Theorem volume_below fx ex : inputs binary64 TracedVolumeBelow.variables fx ex ->
  largest_are_first fx -> parts_are_parts ex -> forall x, 0 <= x <= 1 ->
  let low c := rounded binary64 fx c in
  cubic (low TracedVolumeBelow.low_0) (low TracedVolumeBelow.low_1) (low TracedVolumeBelow.low_2) (low TracedVolumeBelow.low_3) x
  <= - volume ex (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat)) /\
  nothing_overflows binary64 fx TracedVolumeBelow.low_0 /\ nothing_overflows binary64 fx TracedVolumeBelow.low_1 /\
  nothing_overflows binary64 fx TracedVolumeBelow.low_2 /\ nothing_overflows binary64 fx TracedVolumeBelow.low_3.
Proof.
  intros G L P x X low. unfold low.
  assert (S : forall g, In g (1 :: 2 :: 3 :: nil)%nat -> largest_of fx g <= 2).
  { intros g H. destruct (G (6 * (g - 1))%nat) as (_ & _ & _ & _ & B & _). unfold largest_of.
    eapply Rle_trans; [exact B|].
    simpl in H. destruct H as [<-|[<-|[<-|[]]]]; unfold size_in; simpl; unfold Q2R; simpl; lra. }
  assert (K : forall c, volume_checks binary64 TracedVolumeBelow.variables c TracedVolumeBelow.slack (value_of TracedVolumeBelow.VOLUME_SLACK) = true ->
    rounded binary64 fx (Sub c TracedVolumeBelow.slack) <= exact ex c /\ nothing_overflows binary64 fx (Sub c TracedVolumeBelow.slack)).
  { intros c H. apply (a_coefficient_is_right binary64 TracedVolumeBelow.variables fx ex binary64_is_ieee G L P S c TracedVolumeBelow.slack _ H).
    unfold value_of, TracedVolumeBelow.VOLUME_SLACK. rewrite number_is_F2R. reflexivity. }
  destruct (K TracedVolumeBelow.coefficient_0 ltac:(vm_compute; reflexivity)) as [K0 O0].
  destruct (K TracedVolumeBelow.coefficient_1 ltac:(vm_compute; reflexivity)) as [K1 O1].
  destruct (K TracedVolumeBelow.coefficient_2 ltac:(vm_compute; reflexivity)) as [K2 O2].
  destruct (K TracedVolumeBelow.coefficient_3 ltac:(vm_compute; reflexivity)) as [K3 O3].
  split; [|exact (conj O0 (conj O1 (conj O2 O3)))].
  eapply Rle_trans; [exact (cubics_are_ordered _ _ _ _ _ _ _ _ x X K0 K1 K2 K3)|].
  pose proof (right_is (ex 18%nat) (exact ex TracedVolumeBelow.c_0) (exact ex TracedVolumeBelow.c_1) (exact ex TracedVolumeBelow.c_2) (exact ex TracedVolumeBelow.c_3) (ex 19%nat * x)) as R.
  rewrite (the_cubic_below ex (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat))) in R.
  pose proof (left_is (ex 19%nat) (exact ex TracedVolumeBelow.b_0 * F2R (Float radix2 (-1) 0)) (exact ex TracedVolumeBelow.b_1 * F2R (Float radix2 (-1) 0))
    (exact ex TracedVolumeBelow.b_2 * F2R (Float radix2 (-1) 0)) (exact ex TracedVolumeBelow.b_3 * F2R (Float radix2 (-1) 0)) x) as E.
  change (cubic (exact ex TracedVolumeBelow.coefficient_0) (exact ex TracedVolumeBelow.coefficient_1) (exact ex TracedVolumeBelow.coefficient_2)
    (exact ex TracedVolumeBelow.coefficient_3) x = cubic (exact ex TracedVolumeBelow.b_0 * F2R (Float radix2 (-1) 0)) (exact ex TracedVolumeBelow.b_1 * F2R (Float radix2 (-1) 0))
    (exact ex TracedVolumeBelow.b_2 * F2R (Float radix2 (-1) 0)) (exact ex TracedVolumeBelow.b_3 * F2R (Float radix2 (-1) 0)) (ex 19%nat * x)) in E.
  change (cubic (exact ex TracedVolumeBelow.b_0) (exact ex TracedVolumeBelow.b_1) (exact ex TracedVolumeBelow.b_2) (exact ex TracedVolumeBelow.b_3) (ex 19%nat * x) =
    volume ex (ex 18%nat + ex 19%nat * x * (1 - ex 18%nat))) in R.
  rewrite E, <- R. replace (F2R (Float radix2 (-1) 0)) with ((-1)) by (unfold F2R; simpl; ring). unfold cubic. right. ring.
Qed.
