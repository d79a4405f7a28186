(* As Least.v, for windows, curves, pairs that keep a part of their distance, determinants, prisms. *)
From Coq Require Import QArith ZArith List Bool String.
Require Import Rounding Given Positive Cover Least LeastRooms TracesSteps TracesLinks Windows Kept CurvePart Crossing Prism.
Open Scope Z_scope.
Set Printing Width 300.

Definition window_with (from to : expr) : bool :=
  window_covers 0 TracedWindow.forth (swap from to TracedWindow.slack) at_ends nil &&
  window_covers 0 TracedWindow.back (swap from to TracedWindow.slack_back) at_ends nil &&
  window_covers 2 (Var 4) (swap from to TracedWindow.wider) at_ends more_than_grow &&
  window_covers 2 (Var 5) (swap from to TracedWindow.wider_back) at_ends more_than_grow.
Definition curve_with (from to : expr) (slack : Q) : bool :=
  curve_checks (swap from to TracedCurve.least) (v TracedCurve.NORM_UP) slack.
Definition crossing_with (from to : expr) : bool :=
  near_checks (swap from to TracedCrossingNear.slack) && far_checks (swap from to TracedCrossing.slack).
Definition least_in_units (unit : Z) (c : expr) (check : expr -> bool) : Z * Z :=
  let used := in_units unit 0 c in (used, least (fun k => check (cut_units binary64 unit k)) used).

Open Scope string_scope.
Eval vm_compute in
  ("GZ_WINDOW_SLACK", least_slack binary64 TracedWindow.WINDOW_SLACK (fun _ c => window_with TracedWindow.WINDOW_SLACK c)) ::
  ("GZ_WINDOW_TINY", least_tiny binary64 TracedWindow.WINDOW_TINY (window_with TracedWindow.WINDOW_TINY)) ::
  ("GZ_CURVE_SLACK", least_slack binary64 TracedCurve.CURVE_SLACK (fun q c => curve_with TracedCurve.CURVE_SLACK c q)) :: nil.
Eval vm_compute in
  ("GZ_KEPT_DIAGONAL", least_in_units (-52) TracedKept.DIAGONAL (fun c => diagonal_checks (v c))) ::
  ("GZ_KEPT_TOLERANCE", least_in_units (-48) TracedKept.TOLERANCE (fun c => tolerance_checks (v c))) ::
  ("GZ_KEPT_UP", least_up binary64 TracedKept.UP (fun q c => kept_checks q (swap TracedKept.UP c TracedKept.most))) ::
  ("GZ_KEPT_TINY", least_tiny binary64 TracedKept.TINY (fun c => kept_checks (v TracedKept.UP) (swap TracedKept.TINY c TracedKept.most))) ::
  ("GZ_CROSSING_SLACK", least_in_units (-10) TracedCrossing.SLACK (crossing_with TracedCrossing.SLACK)) ::
  ("GZ_CROSSING_TINY", least_tiny binary64 TracedCrossing.TINY (crossing_with TracedCrossing.TINY)) :: nil.
Eval vm_compute in
  ("GZ_PRISM_UP", least_up binary64 TracedPrism.UP (fun q _ => prism_checks (v TracedPrism.LEAST) (Some q))) ::
  ("GZ_PRISM_LEAST", least_in_units (-910) TracedPrism.LEAST (fun c => coordinates_check (v c))) :: nil.
