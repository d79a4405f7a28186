(* As Least.v, for constants of src/motion and what lies on it. *)
From Coq Require Import QArith ZArith List String.
Require Import Rounding Given Least DirectedChecks TracesMotion TaylorProduct RotvecRest StraightPath.
Open Scope Z_scope.
Set Printing Width 300.

(* 1 + k 2^-52, and 1 - k 2^-52 *)
Definition above_1 (k : Z) : Q := value_of (Cst (2 ^ 52 + k) (-52)).
Definition below_1 (k : Z) : Q := value_of (Cst (2 ^ 52 - k) (-52)).
Definition k_above (c : expr) : Z := in_units (-52) 1 c.
Definition k_below (c : expr) : Z := Qround.Qfloor ((1 - value_of c) / two_to (-52)).
Definition least_up (p : Q -> bool) (c : expr) : Z * Z := (k_above c, least (fun k => p (above_1 k)) (k_above c)).
Definition least_down (p : Q -> bool) (c : expr) : Z * Z := (k_below c, least (fun k => p (below_1 k)) (k_below c)).
Definition length_units : Z := -560.
Definition tiny := TracedLength.LENGTH_TINY.

Definition unit_with (k : Q) : bool :=
  match lower_in binary64 TracedUnit.variables TracedUnit.length with Some (f, m) => unites f m k | None => false end.

Open Scope string_scope.
Definition roundings : list (string * (Z * Z)) :=
  (("GZ_EXTENT_UP", least_up raises TracedExtent.EXTENT_UP) ::
   ("GZ_REACH_DOWN", least_down lowers TracedReach.REACH_DOWN) ::
   ("GZ_UNIT_UP", least_up unit_with TracedUnit.UNIT_UP) ::
   ("GZ_WAIT_DOWN", least_down waits TracedWait.WAIT_DOWN) ::
   ("GZ_LENGTH_DOWN", least_down (fun k => lengthens k (value_of tiny)) TracedLength.LENGTH_DOWN) ::
   ("GZ_LENGTH_TINY", (in_units length_units 0 tiny, least (fun k => lengthens (value_of TracedLength.LENGTH_DOWN)
      (value_of (units length_units 0 k))) (in_units length_units 0 tiny))) :: nil)%list.
Eval vm_compute in roundings.

Import TracedProduct.
Definition remainder (from to : expr) : option (Q * Q) := lower_in binary64 variables (put false from to false r).
Definition fine : Z := (-63)%Z.
Definition products : list (string * (Z * Z)) :=
  (("GZ_TAYLOR_SLACK", (in_units fine 0 SLACK, least (fun k => let c := units fine 0 k in
      checks (remainder SLACK c) (value_of c) (value_of UP)) (in_units fine 0 SLACK))) ::
   ("GZ_TAYLOR_UP", least_up (fun q => checks (remainder UP (Cst (Qnum q) (- Z.log2 (Zpos (Qden q))))) (value_of SLACK) q) UP) ::
   ("GZ_TAYLOR_TINY", (in_units (-1074) 0 TINY, least (fun k =>
      checks (remainder TINY (units (-1074) 0 k)) (value_of SLACK) (value_of UP)) (in_units (-1074) 0 TINY))) :: nil)%list.
Eval vm_compute in products.

Definition least_of_series (last : Z) (low : Q) (c : expr) : Z * Z :=
  (in_units last 0 c, least (fun k => at_least low (units last 0 k)) (in_units last 0 c)).
Definition series : list (string * (Z * Z)) :=
  (("GZ_ROTVEC_COSINE", least_of_series (-68) (1 # 40320) TracedRotvec.near_0) ::
   ("GZ_ROTVEC_SINE", least_of_series (-71) (1 # 362880) TracedRotvec.near_1) ::
   ("GZ_ROTVEC_REST", least_of_series (-74) (1 # 3628800) TracedRotvec.near_2) ::
   ("GZ_ROTVEC_FAR_COSINE", least_of_series (-62) (1 # 1015) TracedRotvecFar.far_0) ::
   ("GZ_ROTVEC_FAR_SINE", least_of_series (-63) (1 # 1152) TracedRotvecFar.far_1) :: nil)%list.
Eval vm_compute in series.

Definition path_with (c : expr) : bool :=
  path_checks (error_in binary64 TracedPath.variables TracedPath.c_0) (error_in binary64 TracedPath.variables TracedPath.c_1)
    (lower_in binary64 TracedPath.variables (put false TracedPath.PATH_ERROR c false TracedPath.r)) (value_of c)
    (value_of TracedPath.UP).
Definition paths : list (string * (Z * Z)) :=
  (("GZ_PATH_ERROR", (in_units fine 0 TracedPath.PATH_ERROR,
      least (fun k => path_with (units fine 0 k)) (in_units fine 0 TracedPath.PATH_ERROR))) :: nil)%list.
Eval vm_compute in paths.
