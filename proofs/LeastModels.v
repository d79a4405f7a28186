(* As Least.v, for splines, plans, control positions, separations that are a part of a distance, adjacent doubles,
   joints. *)
From Coq Require Import QArith Qminmax ZArith List Bool String.
Require Import Rounding Given Positive Cover Least LeastRooms TracesLinks TracesSteps TracesModels PlanTime Splines KeptDistance Controls Falling Joints.
Open Scope Z_scope.
Set Printing Width 300.

(* Of the means, what they are off by is computed once. *)
Definition spline_errors : list (option (Q * Q)) := Eval vm_compute in map spline_error TracedSpline.values.
Definition spline_with (error : Q) (off : expr) : bool :=
  match spline_bound off with
  | Some b => forallb (fun e => match e with Some (r, m) => Qle_bool (r * (1 + point_off)) (lo b * error) && Qle_bool (m + under b) 0 | None => false end) spline_errors
  | None => false
  end.
Definition control_with (c : expr) : bool :=
  straight_checks (v c) (swap TracedStraight.SLACK c TracedStraight.off) && cubic_checks (v c) (swap TracedCubic.SLACK c TracedCubic.off) &&
  turned_checks (v c) (swap TracedTurned.SLACK c TracedTurned.off).

Definition in_steps (unit : Z) (c : expr) (check : expr -> bool) : Z * Z :=
  let used := in_units unit 0 c in (used, least (fun k => check (cut_units binary64 unit k)) used).

Open Scope string_scope.
Eval vm_compute in
  ("GZ_SPLINE_ERROR", least_slack binary64 TracedSpline.ERROR (fun q c => spline_with q (swap TracedSpline.ERROR c TracedSpline.off))) ::
  ("GZ_PLAN_TIME", least_slack binary64 TracedSeconds.PLAN_TIME (fun _ c => seconds_checks (swap TracedSeconds.PLAN_TIME c TracedSeconds.slack))) ::
  ("GZ_CONTROL_SLACK", least_slack binary64 TracedTurned.SLACK (fun _ c => control_with c)) :: nil.
Eval vm_compute in
  ("GZ_CLOSEST_SLACK", least_slack binary64 TracedKeptDistance.SLACK (fun q c => distance_checks q (swap TracedKeptDistance.SLACK c TracedKeptDistance.slack))) ::
  ("GZ_CLOSEST_TINY", least_tiny binary64 TracedKeptDistance.TINY (fun c => distance_checks (v TracedKeptDistance.SLACK) (swap TracedKeptDistance.TINY c TracedKeptDistance.slack))) :: nil.
Eval vm_compute in
  ("GZ_VOLUME_CURVE", in_steps (-10) TracedFalling.CURVE (fun c => falling_checks (v c) (swap TracedFalling.CURVE c TracedFalling.least))) :: nil.
Definition joint_bound : Q := Eval vm_compute in fold_right (fun e q => Qmax (entry_bound e) q) 0%Q entries.
Eval vm_compute in ("GZ_JOINT_ERROR", least_slack binary64 TracedJoint.ERROR (fun q _ => Qle_bool joint_bound q)) :: nil.
