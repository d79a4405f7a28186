(* As Least.v, for looks in float and boxes of what never moves. *)
From Coq Require Import QArith ZArith List Bool String.
Require Import Rounding Given Positive Cover Least LeastRooms TracesLooks StillTree FarPlaces FarLook Narrowed PointSum Shift Beside.
Open Scope Z_scope.
Set Printing Width 300.

Definition far_with (q : Q) : bool :=
  forallb (fun p => far_checks FarLook.variables (fst p) (snd p) (value_of TracedFarFace0.NORM_UP) q)
    (combine looks (repeat TracedFarFace0.least 6 ++ repeat TracedFarEdge0.least 8)).
(* The greatest power of two with which nothing overflows. *)
Definition greatest_largest : Z := 128 - least (fun k => looks_fit (128 - k)) 128.
Definition least_in_units (unit : Z) (c : expr) (check : expr -> bool) : Z * Z :=
  let used := in_units unit 0 c in (used, least (fun k => check (cut_units binary64 unit k)) used).

Open Scope string_scope.
Eval vm_compute in
  ("GZ_STILL_SLACK", least_slack binary64 TracedStill.SLACK (fun q c =>
     still_checks (swap TracedStill.SLACK c TracedStill.low) (swap TracedStill.SLACK c TracedStill.high) q)) :: nil.
Eval vm_compute in
  ("GZ_FAR_SLACK", least_slack binary32 TracedFarFace0.FAR_SLACK (fun q _ => far_with q)) ::
  ("GZ_FAR_OFFSET", least_in_units (-36) TracedPlacesFrom.FAR_OFFSET (fun c => places_check (v c))) ::
  ("GZ_FAR_LARGEST", (exponent, greatest_largest)) :: nil.
Eval vm_compute in
  ("GZ_NARROW_TINY", least_tiny_in binary32 (-140) TracedNarrowed.NARROW_TINY (fun c => narrowed_checks (v c))) :: nil.
Eval vm_compute in
  ("GZ_POINT_SLACK", least_in_units (-116) TracedPoint.POINT_SLACK (fun c => point_share (v c))) ::
  ("GZ_POINT_TINY", least_tiny binary64 TracedPoint.POINT_TINY (fun c => point_lost (v c))) ::
  ("GZ_EXACT_PRODUCT", least_in_units (-1000) TracedPoint.EXACT_PRODUCT (fun c => point_least (v c))) :: nil.
Eval vm_compute in
  ("GZ_SHIFT_ERROR", least_slack binary64 TracedShift.SHIFT_ERROR (fun q _ => shift_checks q)) :: nil.

Definition beside_with (slack width : Q) : bool :=
  let holds rest := match rest with Some q => slack_checks q slack width | None => false end in
  holds (beside_rest TracedBeside0.between TracedBeside0.along_a TracedBeside0.along_b TracedBeside0.least) &&
  holds (beside_rest TracedBeside1.between TracedBeside1.along_a TracedBeside1.along_b TracedBeside1.least) &&
  holds (beside_rest TracedBeside2.between TracedBeside2.along_a TracedBeside2.along_b TracedBeside2.least) &&
  holds (beside_rest TracedBeside3.between TracedBeside3.along_a TracedBeside3.along_b TracedBeside3.least).
Eval vm_compute in
  ("GZ_BESIDE_SLACK", least_slack binary32 TracedBesideSlack.SLACK (fun q _ => beside_with q (v TracedBesideWidth.WIDTH))) ::
  ("GZ_BESIDE_WIDTH", least_in_units (-10) TracedBesideWidth.WIDTH (fun c => beside_with (v TracedBesideSlack.SLACK) (v c))) :: nil.
