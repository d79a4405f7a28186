(* What the theorems assume: prove.sh allows the axioms of the real numbers alone. *)
Require Import ProbeDouble ProbeFloat VolumeCoefficients VolumeNormal.
Require Import Times Exact.
Print Assumptions probes_in_double.
Print Assumptions probes_in_float.
Print Assumptions volume_above.
Print Assumptions volume_below.
Print Assumptions normal_above.
Print Assumptions normal_below.
Print Assumptions reaches_are_above.
Print Assumptions falls_are_not_late.
Print Assumptions rises_are_not_early.
Print Assumptions falls_in_float_are_not_late.
Print Assumptions rises_in_float_are_not_early.
Print Assumptions steps_are_not_late.
Print Assumptions later_times_are_not_late.
Print Assumptions quotients_are_enclosed.
Print Assumptions cut_quotients_are_enclosed.
Print Assumptions polynomials_are_within.
Print Assumptions lines_are_within.
Print Assumptions products_carry_their_errors.
Print Assumptions sums_carry_their_errors.
