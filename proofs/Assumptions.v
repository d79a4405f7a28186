(* What the theorems assume: prove.sh allows the axioms of the real numbers alone. *)
Require Import ProbeDouble ProbeFloat VolumeCoefficients VolumeNormal.
Print Assumptions probes_in_double.
Print Assumptions probes_in_float.
Print Assumptions volume_above.
Print Assumptions volume_below.
Print Assumptions normal_above.
Print Assumptions normal_below.
