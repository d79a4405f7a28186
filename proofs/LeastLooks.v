(* As Least.v, for looks in float and boxes of what never moves. *)
From Coq Require Import QArith ZArith List Bool String.
Require Import Rounding Given Positive Cover Least LeastRooms TracesLooks StillTree FarPlaces FarLook Narrowed.
Open Scope Z_scope.
Set Printing Width 300.

Definition far_with (q : Q) : bool :=
  forallb (fun p => far_checks FarLook.variables (fst p) (snd p) (value_of TracedFarFace0.NORM_UP) q)
    (combine looks (repeat TracedFarFace0.least 6 ++ repeat TracedFarEdge0.least 8)).
(* The greatest power of two with which nothing overflows. *)
Definition greatest_largest : Z := 128 - least (fun k => looks_fit (128 - k)) 128.

Open Scope string_scope.
Eval vm_compute in
  ("GZ_STILL_SLACK", least_slack binary64 TracedStill.SLACK (fun q c =>
     still_checks (swap TracedStill.SLACK c TracedStill.low) (swap TracedStill.SLACK c TracedStill.high) q)) :: nil.
Eval vm_compute in
  ("GZ_FAR_SLACK", least_slack binary32 TracedFarFace0.FAR_SLACK (fun q _ => far_with q)) ::
  ("GZ_FAR_OFFSET", (in_units (-36) 0 TracedPlacesFrom.FAR_OFFSET,
     least (fun k => places_check (value_of (units (-36) 0 k))) (in_units (-36) 0 TracedPlacesFrom.FAR_OFFSET))) ::
  ("GZ_FAR_LARGEST", (exponent, greatest_largest)) :: nil.
Eval vm_compute in
  ("GZ_NARROW_TINY", least_tiny_in binary32 (-140) TracedNarrowed.NARROW_TINY (fun c => narrowed_checks (v c))) :: nil.
