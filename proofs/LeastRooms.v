(* As Least.v, of the constants of Times.v and Exact.v. *)
From Coq Require Import QArith ZArith List Bool String.
Require Import Rounding Given Positive Times Exact Least TracesRooms.
Open Scope Z_scope.

(* The least k with which a check of 1 + k units, or of 1 - (most - k) units for those below 1, closes. *)
Definition least_up (F : format) (c : expr) (check : Q -> expr -> bool) : Z * Z :=
  let unit := 1 - prec F in
  (in_units unit 1 c, least (fun k => check (value_of (units unit 1 k)) (units unit 1 k)) (in_units unit 1 c)).
Definition below_1 (F : format) (k : Z) : expr := Cst (2 ^ (prec F - 1) - k) (1 - prec F).
Definition least_down (F : format) (c : expr) (check : Q -> expr -> bool) : Z * Z :=
  let used := - in_units (1 - prec F) 1 c in
  (used, least (fun k => check (value_of (below_1 F k)) (below_1 F k)) used).
(* k units, cut to the digits of the format. *)
Definition cut_units (F : format) (unit k : Z) : expr :=
  let s := Z.max 0 (Z.log2 k + 1 - prec F) in Cst (k / 2 ^ s) (unit + s).
Definition least_tiny_in (F : format) (unit : Z) (c : expr) (check : expr -> bool) : Z * Z :=
  let used := in_units unit 0 c in (used, least (fun k => check (cut_units F unit k)) used).
Definition least_tiny (F : format) : expr -> (expr -> bool) -> Z * Z := least_tiny_in F (emin F).
Definition least_slack (F : format) (c : expr) (check : Q -> expr -> bool) : Z * Z :=
  let fine := - prec F - 10 in let used := in_units fine 0 c in
  (used, least (fun k => check (value_of (units fine 0 k)) (units fine 0 k)) used).

Definition swap (old new t : expr) : expr := put false old new false t.
Definition v := value_of.
Open Scope string_scope.

Eval vm_compute in ("GZ_REACH_UP", least_up binary64 TracedReach.REACH_UP (fun q _ => reach_checks binary64 q)) :: nil.
Eval vm_compute in
  ("GZ_ROOT_DOWN", least_down binary64 TracedFall.ROOT_DOWN (fun q c => fall_checks binary64 TracedFall.variables (swap TracedFall.ROOT_DOWN c TracedFall.time) q)) ::
  ("GZ_ROOT_UP", least_up binary64 TracedRise.ROOT_UP (fun q c => rise_checks binary64 TracedRise.variables (swap TracedRise.ROOT_UP c TracedRise.time) q)) ::
  ("GZ_ROOT_TINY", least_tiny binary64 TracedFall.ROOT_TINY (fun c =>
     fall_checks binary64 TracedFall.variables (swap TracedFall.ROOT_TINY c TracedFall.time) (v TracedFall.ROOT_DOWN) &&
     rise_checks binary64 TracedRise.variables (swap TracedRise.ROOT_TINY c TracedRise.time) (v TracedRise.ROOT_UP))) ::
  ("GZ_ROOT_DOWN_F32", least_down binary32 TracedFall32.ROOT_DOWN (fun q c => fall_checks binary32 TracedFall32.variables (swap TracedFall32.ROOT_DOWN c TracedFall32.time) q)) ::
  ("GZ_ROOT_UP_F32", least_up binary32 TracedRise32.ROOT_UP (fun q c => rise_checks binary32 TracedRise32.variables (swap TracedRise32.ROOT_UP c TracedRise32.time) q)) ::
  ("GZ_ROOT_TINY_F32", least_tiny binary32 TracedFall32.ROOT_TINY (fun c =>
     fall_checks binary32 TracedFall32.variables (swap TracedFall32.ROOT_TINY c TracedFall32.time) (v TracedFall32.ROOT_DOWN) &&
     rise_checks binary32 TracedRise32.variables (swap TracedRise32.ROOT_TINY c TracedRise32.time) (v TracedRise32.ROOT_UP))) ::
  ("GZ_CLIP_DOWN", least_down binary64 TracedClip0.CLIP_DOWN (fun q c =>
     clip_checks TracedClip0.variables (swap TracedClip0.CLIP_DOWN c TracedClip0.step) q &&
     clip_checks TracedClip1.variables (swap TracedClip0.CLIP_DOWN c TracedClip1.step) q &&
     clip_checks TracedClip2.variables (swap TracedClip0.CLIP_DOWN c TracedClip2.step) q &&
     clip_checks TracedClip3.variables (swap TracedClip0.CLIP_DOWN c TracedClip3.step) q &&
     clip_checks TracedClip4.variables (swap TracedClip0.CLIP_DOWN c TracedClip4.step) q &&
     clip_checks TracedClip5.variables (swap TracedClip0.CLIP_DOWN c TracedClip5.step) q)) ::
  ("GZ_TIME_DOWN", least_down binary64 TracedLater.TIME_DOWN (fun q _ => later_checks binary64 q)) :: nil.
Eval vm_compute in
  ("GZ_ENCLOSE_DOWN", least_down binary64 TracedEnclose.ENCLOSE_DOWN (fun q c => enclose_low q (swap TracedEnclose.ENCLOSE_DOWN c TracedEnclose.low))) ::
  ("GZ_ENCLOSE_UP", least_up binary64 TracedEnclose.ENCLOSE_UP (fun q c => enclose_high q (swap TracedEnclose.ENCLOSE_UP c TracedEnclose.high))) ::
  ("GZ_ENCLOSE_TINY", least_tiny binary64 TracedEnclose.ENCLOSE_TINY (fun c =>
     enclose_low (v TracedEnclose.ENCLOSE_DOWN) (swap TracedEnclose.ENCLOSE_TINY c TracedEnclose.low) &&
     enclose_high (v TracedEnclose.ENCLOSE_UP) (swap TracedEnclose.ENCLOSE_TINY c TracedEnclose.high))) ::
  ("GZ_CUT_DOWN", least_down binary64 TracedCut.CUT_DOWN (fun q c => cut_low q (swap TracedCut.CUT_DOWN c TracedCut.low))) ::
  ("GZ_CUT_UP", least_up binary64 TracedCut.CUT_UP (fun q c => cut_high q (swap TracedCut.CUT_UP c TracedCut.high))) ::
  ("GZ_POLY_SLACK", least_slack binary64 TracedPoly.POLY_SLACK (fun q c =>
     covered TracedPoly.variables TracedPoly.value (swap TracedPoly.POLY_SLACK c TracedPoly.error) q)) ::
  ("GZ_POLY_TINY", least_tiny_in binary64 (-1020) TracedPoly.POLY_TINY (fun c =>
     covered TracedPoly.variables TracedPoly.value (swap TracedPoly.POLY_TINY c TracedPoly.error) (v TracedPoly.POLY_SLACK))) ::
  ("GZ_LINE_SLACK", least_slack binary64 TracedLine.LINE_SLACK (fun q c =>
     covered TracedLine.variables TracedLine.value (swap TracedLine.LINE_SLACK c TracedLine.error) q)) ::
  ("GZ_CARRIED_ROUND", least_slack binary64 TracedCarried.CARRIED_ROUND (fun q c =>
     carried_product q (v TracedCarried.CARRIED_UP) (swap TracedCarried.CARRIED_ROUND c TracedCarried.product_error) &&
     carried_sum q (v TracedCarried.CARRIED_UP))) ::
  ("GZ_CARRIED_UP", least_up binary64 TracedCarried.CARRIED_UP (fun q c =>
     carried_product (v TracedCarried.CARRIED_ROUND) q (swap TracedCarried.CARRIED_UP c TracedCarried.product_error) &&
     carried_sum (v TracedCarried.CARRIED_ROUND) q)) ::
  ("GZ_CARRIED_TINY", least_tiny binary64 TracedCarried.CARRIED_TINY (fun c =>
     carried_product (v TracedCarried.CARRIED_ROUND) (v TracedCarried.CARRIED_UP) (swap TracedCarried.CARRIED_TINY c TracedCarried.product_error))) :: nil.
