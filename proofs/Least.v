(* The least value of each constant that its proof closes with, and the one in use: "name, in use, least, unit". *)
From Coq Require Import QArith ZArith List Bool String.
Require Import Rounding Given Size Traces Probe Volume Normal.
Open Scope Z_scope.
Set Printing Width 300.

(* `old` in the tree becomes `new`: under a root, or everywhere else. *)
Fixpoint put (under : bool) (old new : expr) (rooted : bool) (e : expr) : expr :=
  match e with
  | Neg a => Neg (put under old new rooted a)
  | Abs a => Abs (put under old new rooted a)
  | Sqrt a => Sqrt (put under old new true a)
  | Add a b => Add (put under old new rooted a) (put under old new rooted b)
  | Sub a b => Sub (put under old new rooted a) (put under old new rooted b)
  | Mul a b => Mul (put under old new rooted a) (put under old new rooted b)
  | Div a b => Div (put under old new rooted a) (put under old new rooted b)
  | _ => if Bool.eqb under rooted && same e old then new else e
  end.

(* The least k with p k, of those up to `high`, for which p holds; p is monotone. *)
Fixpoint least_in (steps : nat) (p : Z -> bool) (low high : Z) : Z :=
  match steps with
  | O => high
  | S s => let middle := (low + high) / 2 in
           if high <=? low + 1 then high
           else if p middle then least_in s p low middle else least_in s p middle high
  end.
Definition least (p : Z -> bool) (high : Z) : Z := least_in 256 p (-1) high.

(* How many `unit`s a constant is more than `from`. *)
Definition in_units (unit from : Z) (c : expr) : Z :=
  match c with Cst m e => Qround.Qfloor ((number m e - inject_Z from) / two_to unit) | _ => 0 end.
Definition units (unit from k : Z) : expr := Cst (from * 2 ^ (- unit) + k) unit.

Section ProbeTable.
Variables (F : format) (l : list given_variable) (dot threshold up slack dot_tiny norm_tiny : expr).
Definition with_slack (k : Z) : bool :=
  let c := units (- prec F - 10) 0 k in
  probe_checks F l dot (put false slack c false threshold) (value_of up) (value_of c).
Definition with_up (k : Z) : bool :=
  let c := units (1 - prec F) 1 k in
  probe_checks F l dot (put false up c false threshold) (value_of c) (value_of slack).
Definition with_a_tiny (under : bool) (old : expr) (k : Z) : bool :=
  probe_checks F l dot (put under old (units (emin F) 0 k) false threshold) (value_of up) (value_of slack).
Definition probe_table : list (Z * Z) :=
  ((in_units (- prec F - 10) 0 slack, least with_slack (in_units (- prec F - 10) 0 slack)) ::
   (in_units (emin F) 0 dot_tiny, least (with_a_tiny false dot_tiny) (in_units (emin F) 0 dot_tiny)) ::
   (in_units (1 - prec F) 1 up, least with_up (in_units (1 - prec F) 1 up)) ::
   (in_units (emin F) 0 norm_tiny, least (with_a_tiny true norm_tiny) (in_units (emin F) 0 norm_tiny)) :: nil)%list.
End ProbeTable.

Section VolumeTable.
Variables (F : format) (l : list given_variable) (coefficient threshold length slack tiny normal_slack : expr)
  (normal : list expr).
Definition known := ((error_in F l coefficient, Size.size l volume_groups coefficient), components F l normal).
Definition volume_with (k : option (Q * Q) * option (Q * list nat) * option (Q * Q * Q)) (threshold length : option (Q * Q))
    (s t : Q) : bool :=
  match k, threshold, length with
  | (Some a, Some (c, _), Some (r, m, d)), Some b, Some e => normal_closes F a (r, m) b e c d s t
  | _, _, _ => false
  end.
Definition volume_table : list (Z * Z) :=
  let k := known in
  let from := lower_in F l threshold in let by_length := lower_in F l length in
  let fine := - prec F - 10 in
  let s := value_of slack in let t := value_of normal_slack in
  ((in_units fine 0 slack, least (fun n => let c := units fine 0 n in
      volume_with k (lower_in F l (put false slack c false threshold)) by_length (value_of c) t) (in_units fine 0 slack)) ::
   (in_units (emin F) 0 tiny, least (fun n =>
      volume_with k (lower_in F l (put false tiny (units (emin F) 0 n) false threshold)) by_length s t) (in_units (emin F) 0 tiny)) ::
   (in_units fine 0 normal_slack, least (fun n => let c := units fine 0 n in
      volume_with k from (lower_in F l (put false normal_slack c false length)) s (value_of c)) (in_units fine 0 normal_slack)) :: nil)%list.
End VolumeTable.

Open Scope string_scope.
Definition probe_names := ("GZ_DOT_SLACK" :: "GZ_DOT_TINY" :: "GZ_NORM_UP" :: "GZ_NORM_TINY" :: nil)%list.
Definition double_table := combine probe_names (probe_table binary64 TracedProbe.variables TracedProbe.dot_0 TracedProbe.least_0
  TracedProbe.NORM_UP TracedProbe.DOT_SLACK TracedProbe.DOT_TINY TracedProbe.NORM_TINY).
Definition float_table := combine (map (fun s => s ++ "_F32") probe_names) (probe_table binary32 TracedProbe32.variables
  TracedProbe32.dot_0 TracedProbe32.least_0 TracedProbe32.NORM_UP TracedProbe32.DOT_SLACK TracedProbe32.DOT_TINY TracedProbe32.NORM_TINY).
Eval vm_compute in double_table.
Eval vm_compute in float_table.
Definition normal := (TracedNormal.x_0 :: TracedNormal.y_0 :: TracedNormal.z_0 :: TracedNormal.x_1 :: TracedNormal.y_1 ::
  TracedNormal.z_1 :: TracedNormal.x_2 :: TracedNormal.y_2 :: TracedNormal.z_2 :: nil)%list.
Eval vm_compute in combine ("GZ_VOLUME_SLACK" :: "GZ_VOLUME_TINY" :: "GZ_NORMAL_SLACK" :: nil)%list (volume_table binary64
  TracedNormal.variables TracedNormal.coefficient_3 TracedNormal.slack TracedNormal.length_1 TracedNormal.VOLUME_SLACK
  TracedNormal.VOLUME_TINY TracedNormal.NORMAL_SLACK normal).
