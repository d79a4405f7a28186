(* The least value of each constant that its proof closes with, and the one in use: "name, in use, least, unit". *)
From Coq Require Import QArith ZArith List Bool String.
Require Import Rounding Given Size Traces Probe Volume.
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
Variables (F : format) (l : list given_variable) (coefficient threshold slack tiny : expr).
Definition volume_with (known : option (Q * Q) * option (Q * list nat)) (slack threshold : expr) : bool :=
  match known, lower_in F l threshold with
  | (Some (r, m), Some (c, _)), Some (f, k) => volume_closes F r m c f k (value_of slack)
  | _, _ => false
  end.
Definition volume_table : list (Z * Z) :=
  let known := (error_in F l coefficient, Size.size l volume_groups coefficient) in
  let fine := - prec F - 10 in
  ((in_units fine 0 slack, least (fun k => let c := units fine 0 k in
      volume_with known c (put false slack c false threshold)) (in_units fine 0 slack)) ::
   (in_units (emin F) 0 tiny, least (fun k =>
      volume_with known slack (put false tiny (units (emin F) 0 k) false threshold)) (in_units (emin F) 0 tiny)) :: nil)%list.
End VolumeTable.

Open Scope string_scope.
Definition probe_names := ("GZ_DOT_SLACK" :: "GZ_DOT_TINY" :: "GZ_NORM_UP" :: "GZ_NORM_TINY" :: nil)%list.
Definition double_table := combine probe_names (probe_table binary64 TracedProbe.variables TracedProbe.dot_0 TracedProbe.least_0
  TracedProbe.NORM_UP TracedProbe.DOT_SLACK TracedProbe.DOT_TINY TracedProbe.NORM_TINY).
Definition float_table := combine (map (fun s => s ++ "_F32") probe_names) (probe_table binary32 TracedProbe32.variables
  TracedProbe32.dot_0 TracedProbe32.least_0 TracedProbe32.NORM_UP TracedProbe32.DOT_SLACK TracedProbe32.DOT_TINY TracedProbe32.NORM_TINY).
Eval vm_compute in double_table.
Eval vm_compute in float_table.
Eval vm_compute in combine ("GZ_VOLUME_SLACK" :: "GZ_VOLUME_TINY" :: nil)%list (volume_table binary64
  TracedVolume.variables TracedVolume.coefficient_3 TracedVolume.slack TracedVolume.VOLUME_SLACK TracedVolume.VOLUME_TINY).
